"""The game folder, which is the folder with a game.yaml, and the folders in it."""

from __future__ import annotations

from pathlib import Path

from cardgen.runtime import game_files

GAME_FILE = "game.yaml"
TEMPLATES_FOLDER = "templates"
ICONS_FOLDER = "art/icons"
COLOURED_ICONS_FOLDER = "art/icons/colour"
"""Icons that are printed in their own colours."""


def find_game_folder(start: Path) -> Path | None:
    """Return the nearest folder upward with a game.yaml; None if there is none."""
    for folder in (start.resolve(), *start.resolve().parents):
        if game_files.has_entry(folder, GAME_FILE):
            return folder
    return None


def resolve_game_folder(written: Path) -> Path:
    """Return the game folder that a path names, also by its game.yaml."""
    return written.parent if written.name == GAME_FILE else written

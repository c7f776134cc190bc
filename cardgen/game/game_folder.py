"""Where a game lies: the folder with a game.yaml."""

from __future__ import annotations

from pathlib import Path

from cardgen.runtime import game_files

GAME_FILE = "game.yaml"
TEMPLATES_FOLDER = "templates"
ICONS_FOLDER = "art/icons"
COLOURED_ICONS_FOLDER = "art/icons/colour"
"""Where icons lie that are printed in their own colours."""


def find_game_folder(start: Path) -> Path | None:
    """The nearest folder upward with a game.yaml."""
    for folder in (start.resolve(), *start.resolve().parents):
        if game_files.has_entry(folder, GAME_FILE):
            return folder
    return None


def resolve_game_folder(written: Path) -> Path:
    """The folder that is meant: its game.yaml may be named instead."""
    return written.parent if written.name == GAME_FILE else written

"""Where a game lies: the folder with a game.yaml."""

from __future__ import annotations

from pathlib import Path

from cardgen.base import paths

FILE = "game.yaml"
TEMPLATES = "templates"
ICONS = "art/icons"
COLOURED = "art/icons/colour"
"""Where icons lie that are printed in their own colours."""


def find(start: Path) -> Path | None:
    """The nearest folder upward with a game.yaml."""
    for folder in (start.resolve(), *start.resolve().parents):
        if paths.there(folder, FILE):
            return folder
    return None


def named(written: Path) -> Path:
    """The folder that is meant: its game.yaml may be named instead."""
    return written.parent if written.name == FILE else written

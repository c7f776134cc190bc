"""What of cardgen's own code decides something: the part of a key that says when a new version
makes it anew."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from cardgen.base import paths
from cardgen.base.store import digest_of

FLOORS = (
    "outputs", "changes", "book", "sheets", "words", "faces", "pdf", "rules", "templates", "assets",
    "game", "base",
)  # fmt: skip
"""The folders that decide what is made, from the top down: each knows those after it alone."""


@lru_cache
def digest(floor: str) -> str:
    """The hash of a folder's code and of all that it stands on: a change above it, to the command
    line for one, makes nothing anew."""
    root = Path(__file__).parent.parent
    names = [
        name
        for below in FLOORS[FLOORS.index(floor) :]
        for name in paths.listed(root, below, ".py", ".conf", ".css", ".html", ".yaml")
    ]
    return digest_of(paths.read_bytes(root, name) for name in names)

"""What is saved in a game's folder, as it happens.

Only folders of the game itself are watched, each by itself: a link in a stranger's game may lead to
the whole disk. What was made from the game, and packages of fonts, are nobody's save.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import watchfiles

from cardgen.base import noted, paths
from cardgen.game import strays

_MOST_FOLDERS = 2000
_STEP_MS, _MOST_MS = 15, 200
"""A save is over when nothing more came for so long; and told after that, if it goes on."""
_AGAIN_MS = 1000
"""After so long without any save it is looked for new folders, and for a game that has moved."""


def folders(root: Path) -> set[Path]:
    """The folders of the game that hold its files: its own, and those below the known ones."""
    found = {root}
    for name in strays.FOLDERS:
        if noted.is_folder(root / name):
            found.add(root / name)
            for file in paths.listing(root, name).files:
                found.update(_above(root, name, file))
    return set(sorted(found)[:_MOST_FOLDERS])


def _above(root: Path, top: str, file: str) -> Iterator[Path]:
    parent = Path(file).parent
    while parent.as_posix() not in (top, "."):
        yield root / parent
        parent = parent.parent


async def saves(root: Path) -> AsyncGenerator[bool, None]:
    """Whenever something may have been saved; whether the folder is still there."""
    while True:
        watched = await asyncio.to_thread(folders, root)
        yield noted.is_folder(root)
        if not noted.is_folder(root):
            await asyncio.sleep(_AGAIN_MS / 1000)
            continue
        async for changed in _told(watched):
            if changed:
                yield True
            if await asyncio.to_thread(folders, root) != watched:
                break  # a folder came or went; what was saved in it meanwhile is looked for


async def _told(watched: set[Path]) -> AsyncGenerator[bool, None]:
    there = [path for path in watched if noted.is_folder(path)]
    async for changes in watchfiles.awatch(
        *there, watch_filter=None, step=_STEP_MS, debounce=_MOST_MS, rust_timeout=_AGAIN_MS,
        yield_on_timeout=True, recursive=False,
    ):  # fmt: skip
        yield bool(changes)

"""Watches a game's folder for saved files.

Only the folders that hold a game's own files are watched, and none recursively: a link in a
stranger's game may lead to the whole disk. Build output and font packages are not watched.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import watchfiles

from cardgen.game import unused_files
from cardgen.runtime import fingerprint, game_files

MAX_WATCHED_FOLDERS = 2000
QUIET_MS, MAX_DEBOUNCE_MS = 15, 200
"""A save is reported after this pause without changes, or at the latest after that time."""
RESCAN_MS = 1000
"""Interval at which new folders are looked for, and a game folder that was moved."""


def list_folders(root: Path) -> set[Path]:
    """Return the folders that hold the game's files."""
    folders = {root}
    for name in unused_files.GAME_FOLDERS:
        if fingerprint.is_plain_folder(root / name):
            folders.add(root / name)
            for file in game_files.list_folder(root, name).files:
                folders.update(_list_parents(root, name, file))
    return set(sorted(folders)[:MAX_WATCHED_FOLDERS])


def _list_parents(root: Path, top: str, file: str) -> Iterator[Path]:
    parent = Path(file).parent
    while parent.as_posix() not in (top, "."):
        yield root / parent
        parent = parent.parent


async def watch_saves(root: Path) -> AsyncGenerator[bool, None]:
    """Yield whenever something may have been saved: whether the game's folder still exists."""
    while True:
        watched = await asyncio.to_thread(list_folders, root)
        yield fingerprint.is_plain_folder(root)
        if not fingerprint.is_plain_folder(root):
            await asyncio.sleep(RESCAN_MS / 1000)
            continue
        async for changed in _watch_folders(watched):
            if changed:
                yield True
            if await asyncio.to_thread(list_folders, root) != watched:
                break  # a folder was added or removed: yield, since files in it may be new


async def _watch_folders(watched: set[Path]) -> AsyncGenerator[bool, None]:
    existing = [path for path in watched if fingerprint.is_plain_folder(path)]
    async for changes in watchfiles.awatch(
        *existing, watch_filter=None, step=QUIET_MS, debounce=MAX_DEBOUNCE_MS,
        rust_timeout=RESCAN_MS, yield_on_timeout=True, recursive=False,
    ):  # fmt: skip
        yield bool(changes)

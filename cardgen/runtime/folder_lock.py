"""Locks on folders: one process works in a folder at a time, and the next one waits.

The system holds the lock on a file of the folder. When the process that has it dies, it is free.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from cardgen.runtime import safe_files

LOCK_NAME = ".cardgen.lock"
_POLL_SECONDS = 0.1
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock_descriptor(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:

    def _lock_descriptor(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def hold_folders(folders: Iterable[Path], wait: Callable[[Path], None]) -> Iterator[bool]:
    """Hold the locks of these folders, and yield if all of them could be had.

    `wait` is called once for a folder in which another process works. Where no lock can be had,
    because the folder is read-only or the file system has no locks, the work goes on without.
    """
    with ExitStack() as stack:
        # Always in one order, so that no two processes wait for each other.
        certain = [
            stack.enter_context(_hold_folder(folder, wait))
            for folder in sorted({folder.resolve() for folder in folders})
        ]
        yield all(certain)


@contextmanager
def _hold_folder(folder: Path, wait: Callable[[Path], None]) -> Iterator[bool]:
    path = folder / LOCK_NAME
    try:
        descriptor = _acquire_lock(path, lambda: wait(folder))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        # Removed before it is released: a process that waits sees that, and takes a new file.
        with suppress(OSError):
            path.unlink()
        os.close(descriptor)


def _acquire_lock(path: Path, wait: Callable[[], None]) -> int:
    """Return the descriptor of the lock's file, locked. Raises OSError where it cannot be had."""
    is_waiting = False
    while True:
        descriptor = _open_lock(path)
        try:
            _lock_descriptor(descriptor)
            if _is_same_file(path, descriptor):
                return descriptor
        except (BlockingIOError, PermissionError):
            if not is_waiting:
                wait()
                is_waiting = True
            time.sleep(_POLL_SECONDS)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _open_lock(path: Path) -> int:
    with suppress(FileNotFoundError):  # the process before may remove it at any moment
        if not stat.S_ISREG(path.lstat().st_mode):
            safe_files.remove_path(path)  # a link or a pipe of that name
    return os.open(path, _OPEN_FLAGS, 0o666)


def _is_same_file(path: Path, descriptor: int) -> bool:
    """Say if the locked file still has that name: the process before may have removed it."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False

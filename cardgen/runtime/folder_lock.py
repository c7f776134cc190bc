"""Whose turn it is in a folder: one process works there at a time, and the next one waits.

The lock is the system's, on a file of the folder: when the process that holds it dies, it is free.
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

    def _lock_descriptor(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:

    def _lock_descriptor(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def hold_folders(folders: Iterable[Path], wait: Callable[[Path], None]) -> Iterator[bool]:
    """Work alone in these folders; whether that is certain. `wait` is called once where another
    is at work.

    Where no lock can be had, because nothing may be written or the file system has none, the work
    goes on without.
    """
    with ExitStack() as stack:
        # Always in one order, so that no two wait for each other.
        certain = [
            stack.enter_context(_hold_folder(folder, wait))
            for folder in sorted({folder.resolve() for folder in folders})
        ]
        yield all(certain)


@contextmanager
def _hold_folder(folder: Path, wait: Callable[[Path], None]) -> Iterator[bool]:
    path = folder / LOCK_NAME
    try:
        number = _acquire_lock(path, lambda: wait(folder))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        # Gone before it is let go: whoever waits for it finds that it is no more, and begins anew.
        with suppress(OSError):
            path.unlink()
        os.close(number)


def _acquire_lock(path: Path, wait: Callable[[], None]) -> int:
    """The lock's file, open and ours. Raises OSError where there is no such thing."""
    told = False
    while True:
        number = _open_lock(path)
        try:
            _lock_descriptor(number)
            if _is_same_file(path, number):
                return number
        except (BlockingIOError, PermissionError):
            if not told:
                wait()
                told = True
            time.sleep(_POLL_SECONDS)
        except BaseException:
            os.close(number)
            raise
        os.close(number)


def _open_lock(path: Path) -> int:
    with suppress(FileNotFoundError):  # who had it before may take it away at any moment
        if not stat.S_ISREG(path.lstat().st_mode):
            safe_files.remove_path(path)  # a link or a pipe that bears our name
    return os.open(path, _OPEN_FLAGS, 0o666)


def _is_same_file(path: Path, number: int) -> bool:
    """Whether the file still bears that name: who had it before may have taken it away."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(number))
    except FileNotFoundError:
        return False

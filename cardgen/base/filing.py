"""Files written and removed below a folder, and nowhere else.

The one way out. Whatever stands in a folder that a game came with may be a trap: no link is
followed on the way, and a file takes its place whole, by a rename.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePosixPath

from cardgen.base import paths

REFUSED = {
    errno.ENOSPC: "no room is left on the disk; make room there, and run the command again",
    errno.EDQUOT: "no more may be written to the disk by you; make room, and run the command again",
    errno.EFBIG: "files may not grow so large here; lift the limit (ulimit -f, or the disk's own)",
    errno.EROFS: "the disk is read-only; copy the game to where you may write",
    errno.EACCES: "it may not be written; make it writable, or copy the game to where you may",
    errno.EPERM: "it may not be written; make it writable, or copy the game to where you may",
}
"""What the machine refuses, and what to do."""


class Blocked(Exception):  # noqa: N818 - it reads as what it says
    """Something stands where a folder or file is to be written: its path, and what it is."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(path, what)
        self.path, self.what = path, what

    def __str__(self) -> str:
        return self.what


def folder(base: Path, parts: Iterable[str], *, ours: bool = False) -> Path:
    """A folder below another, made where it is missing. Raises `Blocked` where a link or a file
    stands in its place; with `ours`, nobody else's things can be there, and that is removed."""
    path = base
    for part in parts:
        path = path / part
        mode = _mode(path)
        if mode and not stat.S_ISDIR(mode):
            if not ours:
                raise Blocked(path, _in_the_way(mode))
            path.unlink(missing_ok=True)
            mode = 0
        if not mode:
            path.mkdir(exist_ok=True)
    return path


def check(base: Path, relative: str) -> None:
    """Raise `Blocked` if a file could not take that place below a folder, in which nothing is
    written yet."""
    # Of thousands of files: texts are joined ten times as quickly as paths.
    *above, name = PurePosixPath(relative).parts
    path = str(base)
    for part in above:
        path = os.path.join(path, part)  # noqa: PTH118
        mode = _mode(path)
        if not mode:
            return
        if not stat.S_ISDIR(mode):
            raise Blocked(Path(path), _in_the_way(mode))
    if stat.S_ISDIR(_mode(place := os.path.join(path, name))):  # noqa: PTH118
        message = "a folder stands where a file is to be written; move it away"
        raise Blocked(Path(place), message)


def check_each(base: Path, names: Iterable[str]) -> None:
    """The same for many files: what stands on the way to them is looked at once a folder."""
    folders: dict[str, set[str]] = {}
    for name in names:
        folder, _, own = name.rpartition("/")
        folders.setdefault(folder, set()).add(own)
    for folder, files in folders.items():
        check(base, f"{folder}/{next(iter(files))}")
        for taken in _folders_in(base / folder) & files:
            check(base, f"{folder}/{taken}")


def _folders_in(folder: Path) -> set[str]:
    """The names of the folders in a folder."""
    try:
        with os.scandir(folder) as found:
            return {entry.name for entry in found if entry.is_dir(follow_symlinks=False)}
    except FileNotFoundError:
        return set()


def put(target: Path, data: bytes, beside: Path | None = None, mode: int = 0o666) -> None:
    """Put a file in its place whole; its folder is there. A link in its place is replaced.

    It is written to a file beside first, or to that one, which must lie on the same disk.
    """
    beside = beside or target.with_name(f".{target.name}.{os.getpid()}")
    try:
        write_new(beside, data, mode)
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def write_new(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file that nobody else knows yet, which as many may read as the mode and the user's
    mask say. What bears its name is replaced."""
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, mode), "wb") as file:
        file.write(data)


def remove(path: Path) -> None:
    """Remove whatever stands there: a file or link, or a folder with all that is in it.

    No link is followed.
    """
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        shutil.rmtree(path)
    elif mode:
        path.unlink(missing_ok=True)


def tidy(base: Path, relative: str) -> None:
    """Remove the folders on the way to a file that is gone, as far as they are empty."""
    try:
        check(base, relative)
    except Blocked:
        return
    for parent in PurePosixPath(relative).parents:
        if parent.parts:
            try:
                (base / parent).rmdir()
            except OSError:
                return


def is_file(base: Path, relative: str) -> bool:
    """Whether a plain file has that place below a folder, with no link on the way."""
    try:
        check(base, relative)
    except (Blocked, ValueError):
        return False
    return stat.S_ISREG(_mode(os.path.join(base, relative)))  # noqa: PTH118


def read(base: Path, relative: str, most: int) -> bytes:
    """The bytes of a plain file below a folder, no link followed. Raises `Unreadable`."""
    try:
        check(base, relative)
    except Blocked as error:
        raise paths.Unreadable(error.what) from None
    return paths.read(base / relative, most, follow=False)


def _mode(path: Path | str) -> int:
    """What stands there, links not followed; 0 for nothing."""
    try:
        return os.lstat(path).st_mode
    except FileNotFoundError:
        return 0


def _in_the_way(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "it is a link, and nothing is written through links; remove it"
    return "a file stands where a folder is asked for; move it away"

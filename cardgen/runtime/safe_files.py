"""Files written and removed below a folder, without following links.

All writing goes through this module. A folder that came with a game may hold traps. So no link is
followed on the way, and a file takes its place complete, by a rename.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import accumulate
from pathlib import Path, PurePosixPath

from cardgen.runtime import game_files

_SCRATCH_PREFIX = ".making-"
_DEVICE_PATTERN = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])\Z", re.IGNORECASE)


class PathBlockedError(Exception):
    """Something is in the way of a file or folder to be written: its path, and what it is."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(path, what)
        self.path, self.what = path, what

    def __str__(self) -> str:
        return self.what


def make_file_name(text: str) -> str:
    """Return the name of a file for something that a game names: no part of it is a folder.

    Letters, digits, `-` and `_` are kept, and at most 60 characters.
    """
    name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in text)
    name = name.strip("-")[:60] or "game"
    return f"{name}-" if is_device_name(name) else name


def is_device_name(name: str) -> bool:
    """Say if no file or folder can have that name on Windows, where it is a device."""
    return bool(_DEVICE_PATTERN.match(name))


def ensure_folder(base: Path, parts: Iterable[str], *, ours: bool = False) -> Path:
    """Return a folder below another, and make it where it is missing.

    Raises `PathBlockedError` where a link or file is in its place. With `ours`, nobody else writes
    there, and whatever is in the way is removed.
    """
    # For each of thousands of files: texts are joined ten times as quickly as paths.
    path = str(base)
    for part in parts:
        path = os.path.join(path, part)  # noqa: PTH118
        mode = _get_mode(path)
        if mode and not stat.S_ISDIR(mode):
            if not ours:
                raise PathBlockedError(Path(path), _describe_obstacle(mode))
            Path(path).unlink(missing_ok=True)
            mode = 0
        if not mode:
            Path(path).mkdir(exist_ok=True)
    return Path(path)


def check_target(base: Path, relative: str) -> None:
    """Raise `PathBlockedError` if a file could not be written at that path below a folder."""
    # Of thousands of files: texts are joined ten times as quickly as paths.
    *above, name = PurePosixPath(relative).parts
    path = str(base)
    for part in above:
        path = os.path.join(path, part)  # noqa: PTH118
        mode = _get_mode(path)
        if not mode:
            return
        if not stat.S_ISDIR(mode):
            raise PathBlockedError(Path(path), _describe_obstacle(mode))
    if stat.S_ISDIR(_get_mode(target := os.path.join(path, name))):  # noqa: PTH118
        message = "a folder stands where a file is to be written; move it away"
        raise PathBlockedError(Path(target), message)


def refuse_links(root: Path, folder: Path) -> None:
    """Raise `PathBlockedError` where a link of a game is on the way to a named folder.

    A stranger may have put it there; a link elsewhere is the user's own.
    """
    named = Path(os.path.abspath(folder))  # noqa: PTH100 - links are not followed
    for base in (root.resolve(), Path(os.path.abspath(root))):  # noqa: PTH100
        below = named.relative_to(base).parts if named.is_relative_to(base) else ()
        for place in accumulate(below, os.path.join, initial=str(base)):
            if place != str(base) and stat.S_ISLNK(mode := _get_mode(place)):
                raise PathBlockedError(Path(place), _describe_obstacle(mode))


def check_targets(base: Path, names: Iterable[str]) -> None:
    """Check many files at once; each folder on the way is checked only once."""
    folders: dict[str, set[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        folders.setdefault(folder, set()).add(file)
    for folder, files in folders.items():
        check_target(base, f"{folder}/{next(iter(files))}")
        for blocked in _list_folder_names(base / folder) & files:
            check_target(base, f"{folder}/{blocked}")


def _list_folder_names(folder: Path) -> set[str]:
    """Return the names of the folders in a folder."""
    try:
        with os.scandir(folder) as entries:
            return {entry.name for entry in entries if entry.is_dir(follow_symlinks=False)}
    except FileNotFoundError:
        return set()


def replace_file(target: Path, data: bytes, beside: Path | None = None, mode: int = 0o666) -> None:
    """Write a file complete, by a rename within its folder, which exists. A link there is replaced.

    It is first written to the path `beside`, which must be on the same disk.
    """
    beside = beside or target.with_name(f".{target.name}.{os.getpid()}")
    try:
        write_new_file(beside, data, mode)
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def rewrite_file(base: Path, relative: str, old: bytes, new: bytes) -> None:
    """Replace the content of a plain file below a folder, which keeps its permissions.

    Raises `PathBlockedError` where a link is in the way, or the file is read-only or does not hold
    `old` any more, and `UnreadableError`.
    """
    path = base / relative
    if ".." in PurePosixPath(relative).parts:
        raise PathBlockedError(path, "it lies outside of the folder")
    current = read_plain_file(base, relative, len(old) + 1)
    mode = stat.S_IMODE(_get_mode(path))
    if not mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        raise PathBlockedError(path, "it is read-only; allow writing to it first")
    if current != old:
        raise PathBlockedError(path, "it was changed meanwhile")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        write_new_file(beside, new, mode)
        beside.chmod(mode)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def write_new_file(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a new file with that mode and the user's umask. Whatever has its name is replaced."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(path, flags, mode)
    except FileExistsError:
        path.unlink()
        number = os.open(path, flags, mode)
    with os.fdopen(number, "wb") as file:
        file.write(data)


def remove_path(path: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it. No link is followed."""
    mode = _get_mode(path)
    if stat.S_ISDIR(mode):
        import shutil  # noqa: PLC0415 - with tempfile, where something is made

        shutil.rmtree(path)
    elif mode:
        path.unlink(missing_ok=True)


@contextmanager
def open_scratch(folder: Path) -> Iterator[Path]:
    """Yield a folder in this one for files in the making; it is removed afterwards."""
    import tempfile  # noqa: PLC0415 - where something is made

    scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH_PREFIX, dir=folder))
    try:
        yield scratch
    finally:
        with suppress(OSError):
            remove_path(scratch)


def remove_scratch(folder: Path) -> None:
    """Remove what killed builds had in the making. The folder must be locked."""
    for path in folder.glob(f"{_SCRATCH_PREFIX}*"):
        remove_path(path)


def remove_empty_folders(base: Path, relative: str) -> None:
    """Remove the folders that are empty on the way to a file that is gone."""
    try:
        check_target(base, relative)
    except PathBlockedError:
        return
    for parent in PurePosixPath(relative).parents:
        if parent.parts:
            try:
                (base / parent).rmdir()
            except OSError:
                return


def is_plain_file(base: Path, relative: str) -> bool:
    """Say if there is a plain file at that path below a folder, with no link on the way."""
    try:
        check_target(base, relative)
    except (PathBlockedError, ValueError):
        return False
    return stat.S_ISREG(_get_mode(os.path.join(base, relative)))  # noqa: PTH118


def read_plain_file(base: Path, relative: str, max_bytes: int) -> bytes:
    """Return the bytes of a plain file below a folder. No link is followed.

    Raises `UnreadableError`.
    """
    try:
        check_target(base, relative)
    except PathBlockedError as error:
        raise game_files.UnreadableError(error.what) from None
    return game_files.read_file(base / relative, max_bytes, follow=False)


def _get_mode(path: Path | str) -> int:
    """Return the mode of a file, links not followed; 0 for none."""
    try:
        return os.lstat(path).st_mode
    except FileNotFoundError:
        return 0


def _describe_obstacle(mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "it is a link, and nothing is written through links; remove it"
    return "a file is where a folder is needed; move it away"


LOCK_NAME = ".cardgen.lock"
_POLL_SECONDS = 0.1
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _lock_descriptor(descriptor: int, *, shared: bool) -> None:  # there is no shared lock
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
else:

    def _lock_descriptor(descriptor: int, *, shared: bool) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


@contextmanager
def hold_folders(
    folders: Iterable[Path], wait: Callable[[Path], None], *, shared: bool = False
) -> Iterator[bool]:
    """Hold the locks of these folders, and yield if nobody else is at work in any of them.

    `wait` is called once for a folder in which another process works. With `shared`, other
    processes that share the lock may work there at the same time. Where no lock can be had, because
    the folder is read-only or the file system has no locks, the work goes on without.
    """
    with ExitStack() as stack:
        # Always in one order, so that no two processes wait for each other.
        certain = [
            stack.enter_context(_hold_folder(folder, wait, shared=shared))
            for folder in sorted({folder.resolve() for folder in folders})
        ]
        yield all(certain) and not shared


@contextmanager
def _hold_folder(folder: Path, wait: Callable[[Path], None], *, shared: bool) -> Iterator[bool]:
    path = folder / LOCK_NAME
    try:
        descriptor = _acquire_lock(path, lambda: wait(folder), shared=shared)
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        # Removed before it is released: a process that waits sees that, and takes a new file.
        # The last of those who share the lock can have it alone.
        with suppress(OSError):
            if shared:
                _lock_descriptor(descriptor, shared=False)
            if not shared or _is_same_file(path, descriptor):
                path.unlink()
        os.close(descriptor)


def _acquire_lock(path: Path, wait: Callable[[], None], *, shared: bool) -> int:
    """Return the descriptor of the lock's file, locked. Raises OSError where it cannot be had."""
    is_waiting = False
    while True:
        descriptor = _open_lock(path)
        try:
            _lock_descriptor(descriptor, shared=shared)
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
            remove_path(path)  # a link or a pipe of that name
    return os.open(path, _OPEN_FLAGS, 0o666)


def _is_same_file(path: Path, descriptor: int) -> bool:
    """Say if the locked file still has that name: the process before may have removed it."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False

"""A shared store in a folder, which others may write: no link in it is followed, and only plain
files are read.

The user has named the folder itself, and may have named a link to it. Below it, whoever writes
there might lay a link to anything of this machine, or a pipe that never ends; so each folder on the
way is held open while the next is looked for in it, and nobody can exchange it meanwhile. It
answers to as much of a file system of fsspec as `shared_store` asks for.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from cardgen.runtime import game_files

_BINARY, _NO_LINK = getattr(os, "O_BINARY", 0), getattr(os, "O_NOFOLLOW", 0)
_READ_FLAGS = os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0) | _BINARY
_WRITE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | _BINARY
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_USES_FOLDER_DESCRIPTORS = {os.open, os.mkdir, os.stat, os.unlink, os.rename} <= os.supports_dir_fd
"""Whether folders can be held open, and files be named within them; not on Windows."""


class EntryRefusedError(Exception):
    """What stands there is none of a store's; the text goes on after its name: `is a link`."""


class StoreFolder:
    """Such a store. Places are paths below it."""

    async_impl = False

    def __init__(self, base: str) -> None:
        self._base = Path(base)

    def cat_ranges(
        self, places: Sequence[str], starts: Sequence[int], ends: Sequence[int]
    ) -> list[bytes | Exception]:
        """What stands in files from there to there, or why it cannot be read."""
        return [self._read(*each) for each in zip(places, starts, ends, strict=True)]

    def _read(self, place: str, start: int, end: int) -> bytes | Exception:
        try:
            with self._open_parent(place) as (path, folder):
                _refuse_entry(path, folder)
                with os.fdopen(os.open(path, _READ_FLAGS, dir_fd=folder), "rb") as file:
                    # It may have become another meanwhile.
                    _refuse_kind(os.fstat(file.fileno()).st_mode)
                    file.seek(start)
                    return file.read(end - start)
        except (OSError, EntryRefusedError) as error:
            return error

    def pipe(self, entries: Mapping[str, bytes]) -> dict[str, EntryRefusedError]:
        """Put each file in its place whole; why some could not take theirs, others than one on
        which the disk fails. A link that bears a file's name is replaced."""
        self._base.mkdir(parents=True, exist_ok=True)
        refused = {}
        for place, data in entries.items():
            try:
                self._put_file(place, data)
            except EntryRefusedError as error:
                refused[place] = error
        return refused

    def _put_file(self, place: str, data: bytes) -> None:
        with self._open_parent(place, making=True) as (path, folder):
            beside = f"{path}.{secrets.token_hex(8)}"
            try:
                with os.fdopen(os.open(beside, _WRITE_FLAGS, 0o666, dir_fd=folder), "wb") as file:
                    file.write(data)
                os.replace(beside, path, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(beside, dir_fd=folder)
                if stat.S_ISDIR(_get_mode(path, folder)):
                    raise EntryRefusedError("is a folder") from None
                raise

    def rm(self, places: Sequence[str]) -> None:
        """Remove files; of a link itself, not what it leads to."""
        for place in places:
            with suppress(FileNotFoundError), self._open_parent(place) as (path, folder):
                os.unlink(path, dir_fd=folder)

    @contextmanager
    def _open_parent(self, place: str, *, making: bool = False) -> Iterator[tuple[str, int | None]]:
        """How a file is called, and the open folder that it lies in, if any can be open: else all
        of its path. With `making`, folders are made where they are missing."""
        *above, name = place.split("/")
        path = str(self._base)
        folder = os.open(path, _FOLDER_FLAGS) if _USES_FOLDER_DESCRIPTORS else None
        try:
            for part in above:
                path = part if _USES_FOLDER_DESCRIPTORS else os.path.join(path, part)  # noqa: PTH118
                folder, around = _open_folder(path, folder, making=making), folder
                if around is not None:
                    os.close(around)
            yield (name if _USES_FOLDER_DESCRIPTORS else os.path.join(path, name)), folder  # noqa: PTH118
        finally:
            if folder is not None:
                os.close(folder)


def _open_folder(path: str, around: int | None, *, making: bool) -> int | None:
    """A folder, open where it can be. Raises `Refused` where a link or a file stands there."""
    if making:
        with suppress(FileExistsError):
            os.mkdir(path, dir_fd=around)
    mode = _get_mode(path, around)
    if not mode:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not stat.S_ISDIR(mode):
        raise EntryRefusedError(f"lies in what is {game_files.describe_kind(mode) or 'a file'}")
    return (
        os.open(path, _FOLDER_FLAGS | _NO_LINK, dir_fd=around) if _USES_FOLDER_DESCRIPTORS else None
    )


def _refuse_entry(path: str, folder: int | None) -> None:
    if mode := _get_mode(path, folder):
        _refuse_kind(mode)


def _refuse_kind(mode: int) -> None:
    if kind := game_files.describe_kind(mode):
        raise EntryRefusedError(f"is {kind}")


def _get_mode(path: str, folder: int | None) -> int:
    """What stands there, links not followed; 0 for nothing."""
    try:
        return os.stat(path, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0

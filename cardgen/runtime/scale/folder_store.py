"""A shared store in a folder to which others may write: no link is followed, only plain files are
read.

The user has named the folder itself, which may be a link. Below it, others might put a link to
anything of this machine, or a pipe that never ends. So each folder on the way stays open while the
next is opened in it, and nobody can exchange it meanwhile. The class has as much of the interface
of an fsspec file system as `shared_store` uses.
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
"""If folders can be held open, and files be named within them; not on Windows."""


class EntryRefusedError(Exception):
    """An entry that is not a plain file; the text continues its name: `is a link`."""


class StoreFolder:
    """The store in a folder. Places are paths below it."""

    async_impl = False

    def __init__(self, base: str) -> None:
        self._base = Path(base)

    def cat_ranges(
        self, places: Sequence[str], starts: Sequence[int], ends: Sequence[int]
    ) -> list[bytes | Exception]:
        """Return the bytes of each file from its start to its end, or the error."""
        return [self._read(*each) for each in zip(places, starts, ends, strict=True)]

    def _read(self, place: str, start: int, end: int) -> bytes | Exception:
        try:
            with self._open_parent(place) as (path, folder):
                _refuse_kind(_get_mode(path, folder))
                with os.fdopen(os.open(path, _READ_FLAGS, dir_fd=folder), "rb") as file:
                    # It may have been replaced meanwhile.
                    _refuse_kind(os.fstat(file.fileno()).st_mode)
                    file.seek(start)
                    return file.read(end - start)
        except (OSError, EntryRefusedError) as error:
            return error

    def pipe(self, entries: Mapping[str, bytes]) -> dict[str, EntryRefusedError]:
        """Write each file complete, and return those that were refused.

        A link in the place of a file is replaced.
        """
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
        """Remove files. Of a link, the link itself is removed."""
        for place in places:
            with suppress(FileNotFoundError), self._open_parent(place) as (path, folder):
                os.unlink(path, dir_fd=folder)

    @contextmanager
    def _open_parent(self, place: str, *, making: bool = False) -> Iterator[tuple[str, int | None]]:
        """Yield a file's name and the open folder that it is in; where folders cannot be opened,
        its path.

        With `making`, missing folders are made.
        """
        *above, name = place.split("/")
        path = str(self._base)
        folder = os.open(path, _FOLDER_FLAGS) if _USES_FOLDER_DESCRIPTORS else None
        try:
            for part in above:
                path = part if _USES_FOLDER_DESCRIPTORS else os.path.join(path, part)  # noqa: PTH118
                folder, parent = _open_folder(path, folder, making=making), folder
                if parent is not None:
                    os.close(parent)
            yield (name if _USES_FOLDER_DESCRIPTORS else os.path.join(path, name)), folder  # noqa: PTH118
        finally:
            if folder is not None:
                os.close(folder)


def _open_folder(path: str, parent: int | None, *, making: bool) -> int | None:
    """Open a folder. Raises `EntryRefusedError` for a link or a file in its place."""
    if making:
        with suppress(FileExistsError):
            os.mkdir(path, dir_fd=parent)
    mode = _get_mode(path, parent)
    if not mode:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    if not stat.S_ISDIR(mode):
        raise EntryRefusedError(f"lies in what is {game_files.describe_kind(mode) or 'a file'}")
    return (
        os.open(path, _FOLDER_FLAGS | _NO_LINK, dir_fd=parent) if _USES_FOLDER_DESCRIPTORS else None
    )


def _refuse_kind(mode: int) -> None:
    if kind := game_files.describe_kind(mode):
        raise EntryRefusedError(f"is {kind}")


def _get_mode(path: str, folder: int | None) -> int:
    """Return the mode of a file, links not followed; 0 for none."""
    try:
        return os.stat(path, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return 0

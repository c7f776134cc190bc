"""Files of a game folder, and of nowhere else: a game may come from a stranger.

The one way in. Only plain files are opened: a pipe, a device or a socket in the place of a file is
refused at once, for it might never end, and so is a link that leads out of the folder or nowhere.
Folders are listed without following a link, and within bounds.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from cardgen.core import work_limits
from cardgen.runtime import fingerprint

MAX_TEXT_BYTES = 4_000_000
MAX_BYTES = 100_000_000
MAX_FILES = 20_000
"""So many files of one folder are listed, of a game of the usual size."""
NOT_UTF8 = "is not UTF-8 text"
"""Why a text could not be read whose bytes are none."""
_MAX_DEPTH = 40
_SKIPPED_FOLDERS = frozenset({"node_modules", ".git"})
_FILE_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Windows lacks them, and needs `O_BINARY`.
_READ_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
_NO_FOLLOW_FLAG = getattr(os, "O_NOFOLLOW", 0)


class UnreadableError(Exception):
    """A file that is not read. The text goes on after its name: `is a named pipe; …`."""


class MissingFileError(UnreadableError):
    """There is no such file."""


class StaleBuildError(Exception):
    """What a build works with is not what it was when it was looked at: it must go over it again.
    `place` names the file."""

    @property
    def location(self) -> str:
        return str(self.args[0])


class FileChangedError(StaleBuildError):
    """A file of the game changed while it was at work."""


def locate_file(root: Path, relative: str) -> Path:
    """Where a file of the folder lies, links followed; it need not exist. Raises `Unreadable`."""
    try:
        base = root.resolve()
        path = (base / relative).resolve()
    except (RuntimeError, OSError):
        fingerprint.record_path(root / relative)
        raise UnreadableError("is a link that leads in a circle") from None
    except ValueError:
        raise MissingFileError("has a name that no file has") from None
    if path != base / relative:
        fingerprint.record_path(
            base / relative
        )  # a link is on the way, which may lead elsewhere next time
    fingerprint.record_target(path)
    if not path.is_relative_to(base):
        raise UnreadableError("leads out of the game folder")
    return path


def locate_inside(root: Path, relative: str) -> Path | None:
    """The file of that name in the folder, or None when the name or a link leads out of it."""
    try:
        return locate_file(root, relative)
    except UnreadableError:
        return None


def has_entry(root: Path, relative: str) -> bool:
    """Whether anything bears that name in the folder: a file, or what cannot be read as one."""
    fingerprint.record_path(root / relative)
    try:
        return os.path.lexists(root / relative)
    except ValueError:
        return False


def find_file(root: Path, relative: str) -> Path:
    """A plain file of the folder. Raises `Unreadable`."""
    path = locate_file(root, relative)
    try:
        stat_file(path)
    except MissingFileError:
        _refuse_dangling(root, relative)
        raise
    return path


def stat_file(path: Path, *, follow: bool = True) -> os.stat_result:
    """What the system tells of a plain file. Raises `Unreadable`."""
    try:
        found = path.stat(follow_symlinks=follow)
    except (OSError, ValueError) as error:
        fingerprint.record_path(path)
        raise _explain_os_error(error) from None
    fingerprint.record_stamp(path, fingerprint.make_stamp(found))
    _refuse_special_file(found)
    return found


def open_file(path: Path, *, follow: bool = True) -> BinaryIO:
    """A plain file, open to be read. Raises `Unreadable`; what is none is not opened at all."""
    stat_file(path, follow=follow)
    try:
        number = os.open(path, _READ_FLAGS | (0 if follow else _NO_FOLLOW_FLAG))
    except OSError as error:
        raise _explain_os_error(error) from None
    try:
        found = os.fstat(number)
        fingerprint.record_stamp(path, fingerprint.make_stamp(found))
        _refuse_special_file(found)  # it may have become another meanwhile
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


def read_file(path: Path, max_bytes: int = MAX_BYTES, *, follow: bool = True) -> bytes:
    """The bytes of a plain file. Raises `Unreadable`, too, when they are more than `most`."""
    with open_file(path, follow=follow) as file:
        try:
            data = file.read(max_bytes + 1)
        except OSError as error:
            raise _explain_os_error(error) from None
    if len(data) > max_bytes:
        raise UnreadableError(f"is larger than {max_bytes // 1_000_000} MB")
    return data


def read_bytes(root: Path, relative: str, max_bytes: int = MAX_BYTES) -> bytes:
    """The bytes of a file of the folder. Raises `Unreadable`."""
    try:
        return read_file(locate_file(root, relative), max_bytes)
    except MissingFileError:
        _refuse_dangling(root, relative)
        raise


def read_text(root: Path, relative: str) -> tuple[str, str]:
    """The text of a file of the folder, and why it could not be read ("" when it could)."""
    try:
        return read_bytes(root, relative, work_limits.scale_limit(MAX_TEXT_BYTES)).decode(
            "utf-8-sig"
        ), ""
    except UnreadableError as error:
        return "", str(error)
    except UnicodeDecodeError:
        return "", NOT_UTF8


@dataclass(frozen=True)
class FolderListing:
    """What lies in a folder and below: files and links, by their paths below the game's folder.

    `misnamed` are those whose names are not UTF-8, made readable; they are in no other list.
    `links` are links to folders, which are not followed. `whole` tells whether that is all.
    """

    files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    misnamed: tuple[str, ...] = ()
    complete: bool = True


def list_folder(root: Path, folder: str, *, deep: bool = True) -> FolderListing:
    """What a folder of the game holds, and with `deep` those in it, by name; nothing when it is
    none or leads out.

    What npm and git put there is left out, and so is what follows after `MOST_FILES`.
    """
    base = locate_inside(root, folder)
    if base is None:
        return FolderListing()
    files: list[str] = []
    links: list[str] = []
    misnamed: list[str] = []
    whole, most = True, work_limits.scale_limit(MAX_FILES)
    for name, entry in _walk_folder(base, folder, _MAX_DEPTH if deep else 0):
        if len(files) + len(links) + len(misnamed) >= most:
            whole = False
            break
        if not _is_utf8(name):
            misnamed.append(make_printable(name))
        elif entry.is_symlink() and _is_folder_link(entry):
            links.append(name)
        else:
            files.append(name)
    return FolderListing(tuple(sorted(files)), tuple(sorted(links)), tuple(sorted(misnamed)), whole)


def list_files(root: Path, folder: str, *endings: str, deep: bool = True) -> list[str]:
    """The files of a folder of the game and below, or of itself alone, with one of the endings.

    Whatever bears the name of a file is among them, be it a link that leads out or, in the folder
    itself, another one: it is refused by whoever reads it.
    """
    files = list_folder(root, folder, deep=deep).files
    return [name for name in files if name.endswith(endings or "")]


def _walk_folder(path: Path, name: str, deeper: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All that is no folder, with its path below the game's; at the last depth folders, too."""
    fingerprint.record_path(path)
    try:
        with os.scandir(path) as found:
            listed = islice(found, work_limits.scale_limit(MAX_FILES) + 1)
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if not deeper or not entry.is_dir(follow_symlinks=False):
            yield f"{name}/{entry.name}", entry
        elif entry.name not in _SKIPPED_FOLDERS:
            yield from _walk_folder(path / entry.name, f"{name}/{entry.name}", deeper - 1)


def _is_folder_link(entry: os.DirEntry[str]) -> bool:
    """Whether a link leads to a folder."""
    fingerprint.record_path(entry.path)
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def make_printable(name: str) -> str:
    """A name as it can be printed: what is not UTF-8 in it stands as `\\xe4`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


FileStamps = dict[str, fingerprint.Stamp]
"""Files by their paths below the game's folder: when they were changed, how large they are."""


def stamp_files(root: Path, names: Iterable[str], folders: Iterable[str]) -> FileStamps:
    """What those files of the game, and those of the folders, are at this moment."""
    found = [*names, *(name for folder in folders for name in list_folder(root, folder).files)]
    return {name: stamp_file(root / name) for name in found}


def stamp_file(path: Path) -> fingerprint.Stamp:
    """What changes whenever a file does: see `noted`. Empty for none."""
    try:
        told = fingerprint.make_stamp(path.stat())
    except (OSError, ValueError):
        fingerprint.record_path(path)
        return ()
    fingerprint.record_stamp(path, told)
    return told


def get_file_size(path: Path) -> int:
    """How many bytes a file has; 0 for none."""
    return sum(stamp_file(path)[2:3])


def _refuse_dangling(root: Path, relative: str) -> None:
    if has_entry(root, relative):
        raise UnreadableError("is a link that leads nowhere") from None


def describe_kind(mode: int) -> str:
    """What stands there instead of a plain file, such as `a link`; "" for a plain file."""
    return next((kind for is_of, kind in _FILE_KINDS if is_of(mode)), "")


def _refuse_special_file(told: os.stat_result) -> None:
    if kind := describe_kind(told.st_mode):
        raise UnreadableError(f"is {kind}; a plain file is asked for")


def _explain_os_error(error: Exception) -> UnreadableError:
    """Why the system did not open a file."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return MissingFileError("is missing")
    if isinstance(error, ValueError):
        return MissingFileError("has a name that no file has")
    assert isinstance(error, OSError)
    if error.errno == errno.ELOOP:
        return UnreadableError("is a link that leads in a circle")
    return UnreadableError(f"cannot be read: {error.strerror}")

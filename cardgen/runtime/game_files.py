"""Files of a game's folder, read safely: a game may come from a stranger.

All reading goes through this module. Only plain files are opened. A pipe, device or socket is
refused, because reading it might never end. So is a link that leads out of the folder or nowhere.
Folders are listed without following links, up to a limit.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO

from cardgen.core import work_limits
from cardgen.runtime import fingerprint

MAX_TEXT_BYTES = 4_000_000
MAX_BYTES = 100_000_000
MAX_FILES = 20_000
"""Maximum number of files listed in one folder, for a game of the usual size."""
NOT_UTF8 = "is not UTF-8 text"
"""Reason why a text could not be read, after the file's name."""
_MAX_DEPTH = 40
_COMPOSABLE = re.compile("[^\uf900-\ufaff\U0002f800-\U0002fa1f]+")
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
    """A file that is not read. The text continues the file's name: `is a named pipe; …`."""


class MissingFileError(UnreadableError):
    """A file that does not exist."""


class StaleBuildError(Exception):
    """An input of a build is not what it was when the build read it: the build must start again."""

    @property
    def location(self) -> str:
        """Name of the file that differs."""
        return str(self.args[0])


class FileChangedError(StaleBuildError):
    """A file of the game changed during the build."""


def compose(text: str) -> str:
    """Return a text in Unicode's composed form (NFC), in which all names are compared.

    Systems and archives also write letters with accents as two characters. Chinese characters that
    only exist for compatibility are kept, since they look different.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return _COMPOSABLE.sub(lambda match: unicodedata.normalize("NFC", match[0]), text)


def _find_spelling(base: Path, relative: str) -> str:
    """Return the path below a folder as the file system spells it, in whichever Unicode form."""
    if relative.isascii():
        return relative
    parts = PurePath(relative).parts
    if ".." in parts or PurePath(relative).is_absolute() or os.path.lexists(base / relative):
        return relative
    for place, part in enumerate(parts):
        folder = base.joinpath(*parts[:place])
        if part.isascii() or os.path.lexists(folder / part):
            continue
        fingerprint.record_path(folder)
        try:
            entries = islice(folder.iterdir(), work_limits.scale_limit(MAX_FILES))
            same = (each.name for each in entries if compose(each.name) == compose(part))
            parts = (*parts[:place], min(same, default=part), *parts[place + 1 :])
        except OSError as error:
            _raise_shortage(error)
    return "/".join(parts)


def locate_file(root: Path, relative: str) -> Path:
    """Return the path of a file of the folder, links followed; the file need not exist.

    Raises `UnreadableError` for a path that leads out of the folder.
    """
    try:
        base = root.resolve()
        relative = _find_spelling(base, relative)
        path = (base / relative).resolve()
    except (RuntimeError, OSError) as error:
        _raise_shortage(error)
        fingerprint.record_path(root / relative)
        raise UnreadableError("is a link that leads in a circle") from None
    except ValueError:
        raise MissingFileError("has a name that no file has") from None
    if path != base / relative:
        fingerprint.record_path(base / relative)  # a link on the way may lead elsewhere next time
    fingerprint.record_target(path)
    if not path.is_relative_to(base):
        raise UnreadableError("leads out of the game folder")
    return path


def locate_inside(root: Path, relative: str) -> Path | None:
    """Return the path of a file of the folder, or None for a path that leads out of it."""
    try:
        return locate_file(root, relative)
    except UnreadableError:
        return None


def has_entry(root: Path, relative: str) -> bool:
    """Say if the folder has an entry of that name, readable or not."""
    fingerprint.record_path(root / relative)
    try:
        os.lstat(root / _find_spelling(root, relative))
    except (OSError, ValueError) as error:
        _raise_shortage(error)
        return False
    return True


def _raise_shortage(error: Exception) -> None:
    """Raise the error again if it is the machine's, and says nothing of the file."""
    if isinstance(error, OSError) and error.errno in work_limits.SHORTAGES:
        raise error


def find_file(root: Path, relative: str) -> Path:
    """Return the path of a plain file of the folder. Raises `UnreadableError`."""
    path = locate_file(root, relative)
    try:
        stat_file(path)
    except MissingFileError:
        _refuse_dangling(root, relative)
        raise
    return path


def stat_file(path: Path, *, follow: bool = True) -> os.stat_result:
    """Return the stat result of a plain file. Raises `UnreadableError`."""
    try:
        status = path.stat(follow_symlinks=follow)
    except (OSError, ValueError) as error:
        fingerprint.record_path(path)
        raise _explain_os_error(error) from None
    fingerprint.record_stamp(path, fingerprint.make_stamp(status))
    _refuse_special_file(status)
    return status


def open_file(path: Path, *, follow: bool = True) -> BinaryIO:
    """Open a plain file for reading. Raises `UnreadableError`, and then opens nothing."""
    stat_file(path, follow=follow)
    try:
        descriptor = os.open(path, _READ_FLAGS | (0 if follow else _NO_FOLLOW_FLAG))
    except OSError as error:
        raise _explain_os_error(error) from None
    try:
        status = os.fstat(descriptor)
        fingerprint.record_stamp(path, fingerprint.make_stamp(status))
        _refuse_special_file(status)  # it may have been replaced meanwhile
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_file(path: Path, max_bytes: int = MAX_BYTES, *, follow: bool = True) -> bytes:
    """Return the bytes of a plain file.

    Raises `UnreadableError`, also for more than `max_bytes`.
    """
    with open_file(path, follow=follow) as file:
        try:
            data = file.read(max_bytes + 1)
        except OSError as error:
            raise _explain_os_error(error) from None
    if len(data) > max_bytes:
        raise UnreadableError(f"is larger than {max_bytes // 1_000_000} MB")
    return data


def read_bytes(root: Path, relative: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the bytes of a file of the folder. Raises `UnreadableError`."""
    try:
        return read_file(locate_file(root, relative), max_bytes)
    except MissingFileError:
        _refuse_dangling(root, relative)
        raise


def read_text(root: Path, relative: str) -> tuple[str, str]:
    """Return the composed text of a file of the folder, and why it could not be read ("" if it
    could)."""
    try:
        data = read_bytes(root, relative, work_limits.scale_limit(MAX_TEXT_BYTES))
        return compose(data.decode("utf-8-sig")), ""
    except UnreadableError as error:
        return "", str(error)
    except UnicodeDecodeError:
        return "", NOT_UTF8


@dataclass(frozen=True)
class FolderListing:
    """Files and links of a folder and the folders in it, by their composed paths below the game's
    folder.

    `links` lead to folders and are not followed. `misnamed` are entries whose names are not UTF-8,
    made printable; they are in no other list. `complete` says if that is all.
    """

    files: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    misnamed: tuple[str, ...] = ()
    complete: bool = True


def list_folder(root: Path, folder: str, *, deep: bool = True) -> FolderListing:
    """List a folder of the game, with `deep` also those in it; empty for no folder of the game.

    Folders of npm and git are left out, and so is all that follows after `MAX_FILES`.
    """
    base = locate_inside(root, folder)
    if base is None:
        return FolderListing()
    files: list[str] = []
    links: list[str] = []
    misnamed: list[str] = []
    complete, limit = True, work_limits.scale_limit(MAX_FILES)
    for name, entry in _walk_folder(base, folder, _MAX_DEPTH if deep else 0):
        if len(files) + len(links) + len(misnamed) >= limit:
            complete = False
            break
        if (printable := make_printable(name)) != name:
            misnamed.append(printable)
        elif entry.is_symlink() and _is_folder_link(entry):
            links.append(compose(name))
        else:
            files.append(compose(name))
    return FolderListing(
        tuple(sorted(files)), tuple(sorted(links)), tuple(sorted(misnamed)), complete
    )


def list_files(root: Path, folder: str, *endings: str, deep: bool = True) -> list[str]:
    """List the files of a folder of the game, with one of the endings; with `deep` also those
    below.

    Links to files are among them: whoever reads one that leads out of the game gets an error.
    """
    files = list_folder(root, folder, deep=deep).files
    return [name for name in files if name.endswith(endings or "")]


def _walk_folder(path: Path, name: str, depth: int) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield all that is no folder, with its path below the game's.

    At the last depth, folders are yielded, too.
    """
    fingerprint.record_path(path)
    try:
        with os.scandir(path) as scan:
            listed = islice(scan, work_limits.scale_limit(MAX_FILES) + 1)
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError as error:
        _raise_shortage(error)
        return
    for entry in entries:
        if not depth or not entry.is_dir(follow_symlinks=False):
            yield f"{name}/{entry.name}", entry
        elif entry.name not in _SKIPPED_FOLDERS:
            yield from _walk_folder(path / entry.name, f"{name}/{entry.name}", depth - 1)


def _is_folder_link(entry: os.DirEntry[str]) -> bool:
    """Say if a link leads to a folder."""
    fingerprint.record_path(entry.path)
    try:
        return entry.is_dir()
    except OSError as error:
        _raise_shortage(error)
        return False


def make_printable(name: str) -> str:
    """Return a name as it can be printed: bytes that are not UTF-8 become `\\xe4`."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


FileStamps = dict[str, fingerprint.Stamp]
"""Stamps of files, by their paths below the game's folder."""


def stamp_files(root: Path, names: Iterable[str], folders: Iterable[str]) -> FileStamps:
    """Return the current stamps of these files of the game and of all files of these folders."""
    paths = [*names, *(name for folder in folders for name in list_folder(root, folder).files)]
    return {name: stamp_file(root / _find_spelling(root, name)) for name in paths}


def stamp_file(path: Path) -> fingerprint.Stamp:
    """Return the current stamp of a file; empty for none."""
    try:
        stamp = fingerprint.make_stamp(path.stat())
    except (OSError, ValueError):
        fingerprint.record_path(path)
        return ()
    fingerprint.record_stamp(path, stamp)
    return stamp


def get_file_size(path: Path) -> int:
    """Return the size of a file in bytes; 0 for none."""
    return sum(stamp_file(path)[2:3])


def _refuse_dangling(root: Path, relative: str) -> None:
    if has_entry(root, relative):
        raise UnreadableError("is a link that leads nowhere") from None


def describe_kind(mode: int) -> str:
    """Say what an entry is that is no plain file, such as `a link`; "" for a plain file."""
    return next((kind for is_of, kind in _FILE_KINDS if is_of(mode)), "")


def _refuse_special_file(status: os.stat_result) -> None:
    if kind := describe_kind(status.st_mode):
        raise UnreadableError(f"is {kind}; it must be a plain file")


def _explain_os_error(error: Exception) -> UnreadableError:
    """Return the error that says why the system did not open a file."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return MissingFileError("is missing")
    if isinstance(error, ValueError):
        return MissingFileError("has a name that no file has")
    assert isinstance(error, OSError)
    _raise_shortage(error)
    if error.errno == errno.ELOOP:
        return UnreadableError("is a link that leads in a circle")
    return UnreadableError(f"cannot be read: {error.strerror}")


_SIGNATURES = (
    (b"\x89PNG", "a PNG"),
    (b"\xff\xd8\xff", "a JPEG"),
    (b"GIF8", "a GIF"),
    (b"II*\0", "a TIFF"),
    (b"MM\0*", "a TIFF"),
    (b"BM", "a BMP"),
    (b"8BPS", "a Photoshop file"),
    (b"%PDF", "a PDF"),
    (b"%!PS", "PostScript"),
    (b"PK\x03\x04", "a ZIP archive, as workbooks and documents are"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"\x1f\x8b", "compressed"),
    (b"\0\0\0\x0cjP", "a JPEG 2000"),
    (b"\0\0\0\x0cJXL", "a JPEG XL"),
    (b"\xff\x0a", "a JPEG XL"),
    (b"wOF2", "a font"),
    (b"wOFF", "a font"),
    (b"OTTO", "a font"),
    (b"\0\x01\0\0", "a font"),
    (b"ttcf", "a collection of fonts"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
    (b"version https://git-lfs", "a pointer of Git LFS; 'git lfs pull' fetches the file itself"),
)
_TEXT_SIGNATURES = (("<!doctype html", "a web page"), ("<html", "a web page"), ("<svg", "an SVG"))


def describe_file(data: bytes) -> str:
    """Return the type of a file with its article, such as `a PNG`; "" if unknown."""
    if not data.strip():
        return "empty"
    for sign, words in _SIGNATURES:
        if data.startswith(sign):
            return words
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP"
    if data[4:8] == b"ftyp":
        return "an AVIF or HEIC"
    start = data[:4000].decode("utf-8", "replace").lstrip("\ufeff \t\r\n").lower()
    start = start.partition("?>")[2].lstrip() if start.startswith("<?xml") else start
    return next((words for sign, words in _TEXT_SIGNATURES if start.startswith(sign)), "")

"""Stat signatures of files: which files a command read, and whether any of them changed since.

`game_files`, through which all reading goes, records every file that was read or missing, every
folder that was listed and every link that was followed. A stamp is taken of the open file, so that
a file which changes while it is read never matches its stamp again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

Stamp = tuple[int, ...]
"""Times of change in ns (content, then anything), size in bytes and inode; empty for a missing
file."""
_COARSE, _FINE = 2_000_000_000, 50_000_000
"""How much older than the clock a file's time may be, in ns, on file systems that store whole
seconds (some two), and on others."""
_CLOCK_STEP_NS = 10_000_000
_BUILD_PREFIX = f"build{os.sep}"
_PACKAGE_PREFIX = f"{Path(__file__).parents[1]}{os.sep}"


def make_stamp(status: os.stat_result) -> Stamp:
    """Return the stamp of a stat result: more than the time of change, which anybody may set."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def stamp_path(path: str | Path, *, follow: bool = True) -> Stamp:
    """Return the current stamp of a file or folder; a link that leads nowhere has one, too."""
    for followed in (follow, False):
        try:
            return make_stamp(os.stat(path, follow_symlinks=followed))  # noqa: PTH116 - of thousands
        except (OSError, ValueError):
            continue
    return ()


def is_plain_folder(path: str | Path) -> bool:
    """Say if the path is a folder, and not a link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


@dataclass
class FileTrace:
    """Trace of the files that a command read in a game's folder, with their stamps.

    `began_ns` is the time of the clock when it began. `complete` says if the command read nothing
    else and found each file the same every time. Neither the game's build folder nor cardgen's own
    code is in the trace.
    """

    root: Path
    began_ns: int
    stamps: dict[str, Stamp] = field(default_factory=dict)
    complete: bool = True

    def add_path(self, path: str, stamp: Stamp) -> None:
        if path.startswith(f"{self.root}{os.sep}"):
            name = path[len(str(self.root)) + 1 :]
            if not name.startswith(_BUILD_PREFIX) and self.stamps.setdefault(name, stamp) != stamp:
                self.complete = False
        elif not path.startswith(_PACKAGE_PREFIX):
            self.complete = False

    def add_target(self, path: str) -> None:
        if path.startswith(f"{self.root}{os.sep}{_BUILD_PREFIX}"):
            self.complete = False

    def is_racy(self) -> bool:
        """Say if a file may have changed after it was read without a new stamp.

        That is so for a file that is no older than the beginning of the trace, as with git's racily
        clean entries.
        """
        times = {time for found in self.stamps.values() for time in found[:2]}
        return any(
            each + (_FINE if each % _CLOCK_STEP_NS else _COARSE) >= self.began_ns for each in times
        )


_traces: list[FileTrace] = []


def begin_trace(root: Path) -> None:
    """Record all that is read from now on."""
    _traces[:] = [FileTrace(root, time.time_ns())]


def end_trace() -> FileTrace | None:
    """Return what was recorded since `begin_trace`, and record nothing more."""
    return _traces.pop() if _traces else None


@contextmanager
def pause_trace() -> Iterator[None]:
    """Record nothing that is read within, because something else decides it."""
    paused, _traces[:] = _traces[:], []
    try:
        yield
    finally:
        _traces[:] = paused


def record_stamp(path: str | Path, stamp: Stamp) -> None:
    """Record that a file or folder had this stamp."""
    if _traces:
        _traces[0].add_path(str(path), stamp)


def record_target(path: Path) -> None:
    """Record where a name or link of the game leads: nothing in the build folder is traced."""
    if _traces:
        _traces[0].add_target(str(path))


def record_path(path: str | Path) -> None:
    """Record the current stamp of a file or folder."""
    if _traces:
        record_stamp(path, stamp_path(path))


_SCAN_HAS_STAMPS = sys.platform != "win32"
"""Windows tells less about a file in a listing than in a stat."""


class FolderScan:
    """Stats many files with one listing per folder.

    A file by its path costs a look at every folder on the way, and a large game has hundreds of
    thousands of files in a few hundred folders. Each folder is listed when it is first asked for.
    No link is followed.
    """

    def __init__(self, base: Path) -> None:
        self._base = str(base)
        self._folders: dict[str, dict[str, Stamp] | None] = {}

    def get_stamp(self, name: str) -> Stamp:
        """Return the stamp of a file, by its path below the folder; empty where there is no plain
        file."""
        folder, _, own = name.rpartition("/")
        return (self._list_files(folder) or {}).get(own, ())

    def get_size(self, name: str) -> int:
        """Return the size of a file in bytes; 0 for none."""
        return sum(self.get_stamp(name)[2:3])

    def get_fingerprint(self, name: str) -> str:
        """Return the fingerprint of a file, or of a folder if the name ends in a slash; "" for
        none.

        That of a folder is the digest of all names and stamps in it. Files whose names begin with a
        dot are left out: they belong to an editor or the system.
        """
        if not name.endswith("/"):
            return " ".join(map(str, self.get_stamp(name)))
        files = self._list_files(name.strip("/"))
        if files is None:
            return ""
        hasher = hashlib.sha256()
        for own, stamp in sorted(files.items()):
            if not own.startswith("."):
                hasher.update(f"{own}\0{stamp}\0".encode(errors="surrogateescape"))
        return hasher.hexdigest()[:40]

    def _list_files(self, folder: str) -> dict[str, Stamp] | None:
        if folder not in self._folders:
            self._folders[folder] = self._scan_folder(folder)
        return self._folders[folder]

    def _scan_folder(self, folder: str) -> dict[str, Stamp] | None:
        path = self._base
        for part in ("", *folder.split("/")) if folder else ("",):
            path = f"{path}{os.sep}{part}" if part else path
            if part == ".." or not is_plain_folder(path):
                return None
        stamps: dict[str, Stamp] = {}
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    status = (
                        entry.stat(follow_symlinks=False)
                        if _SCAN_HAS_STAMPS
                        else os.lstat(entry.path)
                    )
                    if stat.S_ISREG(status.st_mode):
                        stamps[entry.name] = make_stamp(status)
        except OSError:
            return None
        return stamps


def list_parent_folders(names: Iterable[str]) -> set[str]:
    """Return the folders in which files lie; "" is the folder above all of them."""
    return {name.rpartition("/")[0] for name in names}

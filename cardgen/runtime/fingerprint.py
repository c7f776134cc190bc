"""What a command looked at in a game's folder, and how it was then: while all of it is as it was,
the command has nothing to do.

`paths`, the one way in, tells everything here: files that were read, and those that were not there;
folders that were listed; links that were followed. A note is made from what was opened, so that a
file which changes while it is read differs from its note ever after.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

Stamp = tuple[int, ...]
"""When a file was changed, by its owner and at all, ns; its bytes, its number. Empty for none."""
_COARSE, _FINE = 2_000_000_000, 50_000_000
"""How far behind the clock a file's time may be, ns: where the disk knows whole seconds (or two),
and where it knows less than hundredths."""
_CLOCK_STEP_NS = 10_000_000
_BUILD_PREFIX = f"build{os.sep}"
_PACKAGE_PREFIX = f"{Path(__file__).parents[1]}{os.sep}"


def make_stamp(told: os.stat_result) -> Stamp:
    """What changes whenever a file does: more than its time, which anybody may set."""
    return told.st_mtime_ns, told.st_ctime_ns, told.st_size, told.st_ino


def stamp_path(path: str | Path, *, follow: bool = True) -> Stamp:
    """How a file or folder is at this moment. One that leads nowhere is told from none."""
    for followed in (follow, False):
        try:
            return make_stamp(os.stat(path, follow_symlinks=followed))  # noqa: PTH116 - of thousands
        except (OSError, ValueError):
            continue
    return ()


def is_plain_folder(path: str | Path) -> bool:
    """Whether a folder stands there, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


@dataclass
class FileTrace:
    """What was looked at in a game's folder, by its path there, since a moment (ns of the clock).

    `whole` says whether that is all that was looked at, and each was found the same every time.
    What stands in its build folder is not noted, nor is cardgen's own code.
    """

    root: Path
    began_ns: int
    stamps: dict[str, Stamp] = field(default_factory=dict)
    complete: bool = True

    def add_path(self, path: str, found: Stamp) -> None:
        if path.startswith(f"{self.root}{os.sep}"):
            name = path[len(str(self.root)) + 1 :]
            if not name.startswith(_BUILD_PREFIX) and self.stamps.setdefault(name, found) != found:
                self.complete = False
        elif not path.startswith(_PACKAGE_PREFIX):
            self.complete = False

    def add_target(self, path: str) -> None:
        if path.startswith(f"{self.root}{os.sep}{_BUILD_PREFIX}"):
            self.complete = False

    def is_racy(self) -> bool:
        """Whether anything might have changed after it was looked at without a trace: its time is
        no older than the moment when the command began."""
        times = {time for found in self.stamps.values() for time in found[:2]}
        return any(each + _get_clock_grain(each) >= self.began_ns for each in times)


def _get_clock_grain(moment: int) -> int:
    return _FINE if moment % _CLOCK_STEP_NS else _COARSE


_traces: list[FileTrace] = []


def begin_trace(root: Path) -> None:
    """Forget what was noted, and note all that is looked at from now on."""
    _traces[:] = [FileTrace(root, time.time_ns())]


def end_trace() -> FileTrace | None:
    """What was noted since `begin`; from now on nothing is."""
    return _traces.pop() if _traces else None


def record_stamp(path: str | Path, found: Stamp) -> None:
    """A file or folder was looked at, and was like that."""
    if _traces:
        _traces[0].add_path(str(path), found)


def record_target(path: Path) -> None:
    """A name or link of the game led there: into its build folder, maybe, where nothing is noted
    because the command itself is at work there."""
    if _traces:
        _traces[0].add_target(str(path))


def record_path(path: str | Path) -> None:
    """The same, however it is at this moment."""
    if _traces:
        record_stamp(path, stamp_path(path))


_SCAN_HAS_STAMPS = sys.platform != "win32"
"""Whether a listing tells of a file all that a look at it does."""


class FolderScan:
    """The plain files below a folder as they stood when somebody first asked about their folder.
    No link is followed, on the way neither."""

    def __init__(self, base: Path) -> None:
        self._base = str(base)
        self._folders: dict[str, dict[str, Stamp] | None] = {}

    def get_stamp(self, name: str) -> Stamp:
        """How a file stands, by its path below the folder; empty where no plain file does."""
        folder, _, own = name.rpartition("/")
        return (self._list_files(folder) or {}).get(own, ())

    def get_size(self, name: str) -> int:
        """How many bytes a file has; 0 where there is none."""
        return sum(self.get_stamp(name)[2:3])

    def get_fingerprint(self, name: str) -> str:
        """How a file stands, or a folder, whose name ends in a slash, with all its files; empty
        where none does."""
        if name.endswith("/"):
            return self.digest_folder(name.strip("/"))
        return " ".join(map(str, self.get_stamp(name)))

    def digest_folder(self, folder: str) -> str:
        """The hash of all files of a folder, names and how they stand; "" where it is none. Files
        whose names begin with a dot are left out: they are an editor's or the system's."""
        files = self._list_files(folder)
        if files is None:
            return ""
        total = hashlib.sha256()
        for name in sorted(files):
            if not name.startswith("."):
                total.update(f"{name}\0{files[name]}\0".encode(errors="surrogateescape"))
        return total.hexdigest()[:40]

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
        found: dict[str, Stamp] = {}
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    told = (
                        entry.stat(follow_symlinks=False)
                        if _SCAN_HAS_STAMPS
                        else os.lstat(entry.path)
                    )
                    if stat.S_ISREG(told.st_mode):
                        found[entry.name] = make_stamp(told)
        except OSError:
            return None
        return found


def list_parent_folders(names: Iterable[str]) -> set[str]:
    """The folders that files lie in, by their paths; "" is the one that all are below."""
    return {name.rpartition("/")[0] for name in names}

"""How the files of many folders stand, found by listing each folder once.

A file by its path costs a look at every folder on its way; a build of a large game has hundreds of
thousands of files in a few hundred folders.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from cardgen.base import noted
from cardgen.base.noted import Stamp

_TOLD = sys.platform != "win32"
"""Whether a listing tells of a file all that a look at it does."""


class Standing:
    """The plain files below a folder as they stood when somebody first asked about their folder.
    No link is followed, on the way neither."""

    def __init__(self, base: Path) -> None:
        self._base = str(base)
        self._folders: dict[str, dict[str, Stamp] | None] = {}

    def stamp(self, name: str) -> Stamp:
        """How a file stands, by its path below the folder; empty where no plain file does."""
        folder, _, own = name.rpartition("/")
        return (self._files(folder) or {}).get(own, ())

    def size(self, name: str) -> int:
        """How many bytes a file has; 0 where there is none."""
        return sum(self.stamp(name)[2:3])

    def look(self, name: str) -> str:
        """How a file stands, or a folder, whose name ends in a slash, with all its files; empty
        where none does."""
        if name.endswith("/"):
            return self.digest(name.strip("/"))
        return " ".join(map(str, self.stamp(name)))

    def digest(self, folder: str) -> str:
        """The hash of all files of a folder, names and how they stand; "" where it is none. Files
        whose names begin with a dot are left out: they are an editor's or the system's."""
        files = self._files(folder)
        if files is None:
            return ""
        total = hashlib.sha256()
        for name in sorted(files):
            if not name.startswith("."):
                total.update(f"{name}\0{files[name]}\0".encode(errors="surrogateescape"))
        return total.hexdigest()[:40]

    def _files(self, folder: str) -> dict[str, Stamp] | None:
        if folder not in self._folders:
            self._folders[folder] = self._listed(folder)
        return self._folders[folder]

    def _listed(self, folder: str) -> dict[str, Stamp] | None:
        path = self._base
        for part in ("", *folder.split("/")) if folder else ("",):
            path = f"{path}{os.sep}{part}" if part else path
            if part == ".." or not noted.is_folder(path):
                return None
        found: dict[str, Stamp] = {}
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    told = entry.stat(follow_symlinks=False) if _TOLD else os.lstat(entry.path)
                    if stat.S_ISREG(told.st_mode):
                        found[entry.name] = noted.stamp_of(told)
        except OSError:
            return None
        return found


def folders(names: Iterable[str]) -> set[str]:
    """The folders that files lie in, by their paths; "" is the one that all are below."""
    return {name.rpartition("/")[0] for name in names}

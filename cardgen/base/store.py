"""What was made before, by the hash of what it was made from. It lies in build/.store.

Writes go to a file beside and are renamed, so that a killed build leaves nothing half written,
and two builds at once do not spoil each other's work. Every entry ends with a seal, a hash of its
name and of what it holds, which is looked at where the entry is used: one that was cut, changed or
lost is made anew. The seal is a comment to those who open the file: to a PDF reader, to pyphen.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from cardgen.base import filing, paths

FOLDER = "build/.store"
"""Where a game's store lies in its folder."""
_SEAL = b"\n%%cardgen %s\n"
_SEAL_LENGTH = len(_SEAL % (b"0" * 64))
_SCRATCH = "scratch"
_MOST_BYTES = 1_000_000_000
_numbers = count()


class Damaged(paths.Anew):
    """An entry of the store that is not what was written, or not there: it must go, and the build
    must make it again."""


def read(path: Path, most: int = _MOST_BYTES) -> bytes:
    """What was written into an entry of at most so many bytes. Raises `Damaged`."""
    kind = path.parent
    try:
        # A link in place of a folder is none of ours.
        if os.path.islink(kind) or os.path.islink(kind.parent):  # noqa: PTH114 - of thousands
            raise Damaged(str(path))
        data = paths.read(path, most, follow=False)
    except paths.Unreadable:
        raise Damaged(str(path)) from None
    return unsealed(path, data)


def unsealed(path: Path, data: bytes) -> bytes:
    """What was written into an entry, out of what stands in it. Raises `Damaged`."""
    held = data[:-_SEAL_LENGTH]
    if data[-_SEAL_LENGTH:] != _seal(path, held):
        raise Damaged(str(path))
    return held


def _seal(path: Path, data: bytes) -> bytes:
    total = hashlib.sha256(f"{path.parent.name}/{path.name}\0".encode())
    total.update(data)
    return _SEAL % total.hexdigest().encode()


class Store:
    """A folder of made things, by kind and name. So many `games` share it: a game and its variants
    keep as much as several games would."""

    def __init__(self, folder: Path, games: int = 1) -> None:
        self.folder, self._games = folder, games
        self._kinds: dict[str, Path] = {}

    def path(self, kind: str, name: str) -> Path:
        """Where a thing of that kind lies, whether it exists or not."""
        if kind not in self._kinds:
            self._kinds[kind] = self.folder / kind
        return self._kinds[kind] / name

    def scratch(self) -> Path:
        """A folder for what is in the making. What a dead process left there, the next removes."""
        return self._kind(_SCRATCH)

    def has(self, path: Path) -> bool:
        """Whether there is such an entry, its seal not looked at."""
        try:
            return paths.status(path, follow=False).st_size >= _SEAL_LENGTH
        except paths.Unreadable:
            return False

    def write(self, path: Path, data: bytes) -> None:
        """Put an entry in its place whole, and sealed."""
        sealed = data + _seal(path, data)
        self._kind(path.parent.name)
        try:
            self._put(path, sealed)
        except (IsADirectoryError, PermissionError, FileNotFoundError):
            # A folder stands in its place, or somebody cleared the store away.
            filing.remove(path)
            self._kind(path.parent.name)
            self._put(path, sealed)

    def _put(self, path: Path, data: bytes) -> None:
        filing.put(path, data, self.scratch() / f"{os.getpid()}-{next(_numbers)}")

    def read_json(self, path: Path, most: int = _MOST_BYTES) -> Any:
        """The JSON of an entry of at most so many bytes; None when it is missing or damaged."""
        try:
            return json.loads(read(path, most))
        except (Damaged, ValueError, RecursionError):
            return None

    def write_json(self, path: Path, value: Any) -> None:
        """Put JSON in its place, the same bytes for the same value."""
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self.write(path, text.encode(errors="backslashreplace"))  # half a character, as JSON has it

    def sweep(self, kind: str, keep: Iterable[str], limit: int) -> None:
        """Drop what nothing uses any more, once a kind holds more than `limit` files a game."""
        entries = list(_entries(self._kind(kind)))
        wanted = set(keep)
        if len(entries) > limit * self._games:
            for path in entries:
                if path.name not in wanted:
                    filing.remove(path)

    def tidy(self) -> None:
        """Remove what processes that are dead by now have left behind."""
        for path in _entries(self.folder / _SCRATCH):
            filing.remove(path)

    def mend(self, worst: Path) -> None:
        """Remove an entry that nobody can use, and every other that is damaged."""
        if worst.parent.parent == self.folder:
            filing.remove(worst)
        for kind in _entries(self.folder):
            if kind.is_symlink() or not kind.is_dir():
                filing.remove(kind)
                continue
            for path in _entries(kind):
                try:
                    read(path)
                except Damaged:
                    filing.remove(path)

    def clear(self) -> None:
        """Forget everything."""
        filing.remove(self.folder)

    def _kind(self, kind: str) -> Path:
        """The folder of a kind. Raises `Blocked` where a link or a file stands in place of the
        folder that the store lies in: that is somebody else's."""
        around = self.folder.parent
        around.parent.mkdir(parents=True, exist_ok=True)
        filing.folder(around.parent, (around.name,))
        return filing.folder(around, (self.folder.name, kind), ours=True)


def _entries(folder: Path) -> Iterator[Path]:
    """What a folder holds; nothing when it is none, or a link."""
    try:
        if not folder.is_symlink():
            with os.scandir(folder) as found:
                yield from [folder / entry.name for entry in found]
    except OSError:
        return


def digest_of(parts: Iterable[str | bytes]) -> str:
    """The hash (hex) of a sequence of texts and bytes; their borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()[:40]

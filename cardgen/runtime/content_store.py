"""What was made before, by the hash of what it was made from. It lies in build/.store.

Writes go to a file beside and are renamed, so that a killed build leaves nothing half written,
and two builds at once do not spoil each other's work. Every entry ends with a seal, a hash of its
name and of what it holds, which is looked at where the entry is used: one that was cut, changed or
lost is made anew. The seal is a comment to those who open the file: to a PDF reader, to pyphen.

A store that other machines share may stand behind it. What is missing here is looked for there, and
what is made here is sent there, each by its name; what is read is always read from here.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from cardgen.runtime import game_files, safe_files

STORE_FOLDER = "build/.store"
"""Where a game's store lies in its folder."""
_SEAL_FORMAT = b"\n%%cardgen %s\n"
_SEAL_LENGTH = len(_SEAL_FORMAT % (b"0" * 64))
_SCRATCH_NAME = "scratch"
_MAX_BYTES = 1_000_000_000
_temporary_numbers = count()
_LISTING_THRESHOLD = 100
"""Up to so many entries are looked at one by one."""
_unusable_folders: set[str] = set()
"""Entries that nobody could use here, though they came whole: they are not fetched again."""
SHARED_KINDS = frozenset(
    {"art", "books", "coverage", "faces", "fonts", "layouts", "pictures", "press"}
)
"""The kinds that machines may share: each entry is named after all that decides it. What a machine
remembers for itself, and what a game's folder decides by its place, is none of them."""

FILES_KIND = "files"
"""The kind of files as they are published, each under the key of its artefact. No machine keeps
them for itself but where it publishes them."""


class SharedBackend(Protocol):
    """A store that several machines share, by names such as `faces/0a1b.pdf`."""

    def get(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The entries that it has of those."""

    def put_entry(self, name: str, data: bytes) -> None:
        """Send an entry there."""

    def flush(self) -> None:
        """Wait until what was sent is there."""


class DamagedEntryError(game_files.StaleBuildError):
    """An entry of the store that is not what was written, or not there: it must go, and the build
    must make it again."""


def read_entry(path: Path, max_bytes: int = _MAX_BYTES) -> bytes:
    """What was written into an entry of at most so many bytes. Raises `Damaged`."""
    kind = path.parent
    try:
        # A link in place of a folder is none of ours.
        if os.path.islink(kind) or os.path.islink(kind.parent):  # noqa: PTH114 - of thousands
            raise DamagedEntryError(str(path))
        data = game_files.read_file(path, max_bytes, follow=False)
    except game_files.UnreadableError:
        raise DamagedEntryError(str(path)) from None
    return unseal_data(path, data)


def unseal_data(path: Path, data: bytes) -> bytes:
    """What was written into an entry, out of what stands in it. Raises `Damaged`."""
    held = data[:-_SEAL_LENGTH]
    if data[-_SEAL_LENGTH:] != _make_seal(path, held):
        raise DamagedEntryError(str(path))
    return held


def _make_seal(path: Path, data: bytes) -> bytes:
    total = hashlib.sha256(f"{path.parent.name}/{path.name}\0".encode())
    total.update(data)
    return _SEAL_FORMAT % total.hexdigest().encode()


class Store:
    """A folder of made things, by kind and name. So many `games` share it: a game and its variants
    keep as much as several games would. `shared` is what stands behind it, if anything."""

    def __init__(self, folder: Path, games: int = 1, shared: SharedBackend | None = None) -> None:
        self.folder, self._games, self.shared = folder, games, shared
        self._kinds: dict[str, Path] = {}
        self._asked: set[str] = set()
        """What the shared store was asked for."""

    def get_path(self, kind: str, name: str) -> Path:
        """Where a thing of that kind lies, whether it exists or not."""
        if kind not in self._kinds:
            self._kinds[kind] = self.folder / kind
        return self._kinds[kind] / name

    def make_scratch_folder(self) -> Path:
        """A folder for what is in the making. What a dead process left there, the next removes."""
        return self._get_kind_folder(_SCRATCH_NAME)

    def has_entry(self, path: Path) -> bool:
        """Whether there is such an entry, its seal not looked at; here by now, if it was shared."""
        return self._is_stored(path) or bool(self.shared is not None and self.fetch_entries([path]))

    def fetch_entries(self, wanted: Iterable[Path]) -> int:
        """Get what is missing here from the shared store, many at once; how many were there."""
        if self.shared is None:
            return 0
        asked = {f"{path.parent.name}/{path.name}": path for path in wanted}
        missing = {
            name: path for name, path in asked.items()
            if path.parent.name in SHARED_KINDS and name not in self._asked and name not in _unusable_folders
        }  # fmt: skip
        missing = self._find_missing(missing)
        self._asked |= missing.keys()
        found = 0
        for name, data in self.shared.get(missing):
            self._save_entry(missing[name], data)
            found += 1
        return found

    def _find_missing(self, wanted: dict[str, Path]) -> dict[str, Path]:
        """Those that are not here: of many, a listing tells it sooner than a look at each."""
        if len(wanted) <= _LISTING_THRESHOLD:
            return {name: path for name, path in wanted.items() if not self._is_stored(path)}
        kinds = {path.parent.name for path in wanted.values()}
        here = {f"{kind}/{name}" for kind in kinds for name in self.list_names(kind)}
        return {name: path for name, path in wanted.items() if name not in here}

    def flush_shared(self) -> None:
        """Wait until the shared store has what was made here."""
        if self.shared is not None:
            self.shared.flush()

    def _is_stored(self, path: Path) -> bool:
        try:
            return game_files.stat_file(path, follow=False).st_size >= _SEAL_LENGTH
        except game_files.UnreadableError:
            return False

    def write(self, path: Path, data: bytes) -> None:
        """Put an entry in its place whole, and sealed; what may be shared, in both stores."""
        self._save_entry(path, data)
        if self.shared is not None and path.parent.name in SHARED_KINDS:
            self.shared.put_entry(f"{path.parent.name}/{path.name}", data)

    def _save_entry(self, path: Path, data: bytes) -> None:
        sealed = data + _make_seal(path, data)
        self._get_kind_folder(path.parent.name)
        try:
            self._place_entry(path, sealed)
        except (IsADirectoryError, PermissionError, FileNotFoundError):
            # A folder stands in its place, or somebody cleared the store away.
            safe_files.remove_path(path)
            self._get_kind_folder(path.parent.name)
            self._place_entry(path, sealed)

    def _place_entry(self, path: Path, data: bytes) -> None:
        safe_files.replace_file(
            path, data, self.make_scratch_folder() / f"{os.getpid()}-{next(_temporary_numbers)}"
        )

    def read_json(self, path: Path, max_bytes: int = _MAX_BYTES) -> Any:
        """The JSON of an entry of at most so many bytes; None when it is missing or damaged."""
        if self.shared is not None:
            self.fetch_entries([path])
        try:
            return json.loads(read_entry(path, max_bytes))
        except (DamagedEntryError, ValueError, RecursionError):
            return None

    def write_json(self, path: Path, value: Any) -> None:
        """Put JSON in its place, the same bytes for the same value."""
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self.write(path, text.encode(errors="backslashreplace"))  # half a character, as JSON has it

    def list_names(self, kind: str) -> Iterator[str]:
        """What the entries of a kind are called, their seals not looked at."""
        return _list_entry_names(self.folder / kind)

    def remove_unused(self, kind: str, keep: Iterable[str], limit: int) -> None:
        """Drop what nothing uses any more, once a kind holds more than `limit` files a game."""
        entries = list(_list_entries(self.folder / kind))
        wanted = set(keep)
        if len(entries) > limit * self._games:
            for path in entries:
                if path.name not in wanted:
                    safe_files.remove_path(path)

    def list_kinds(self) -> set[str]:
        """The kinds of which it holds anything."""
        return {path.name for path in _list_entries(self.folder)} - {_SCRATCH_NAME}

    def remove_leftovers(self) -> None:
        """Remove what processes that are dead by now have left behind."""
        for path in _list_entries(self.folder / _SCRATCH_NAME):
            safe_files.remove_path(path)

    def remove_damaged(self, worst: Path) -> None:
        """Remove an entry that nobody can use, and every other that is damaged."""
        _unusable_folders.add(f"{worst.parent.name}/{worst.name}")
        if worst.parent.parent == self.folder:
            safe_files.remove_path(worst)
        for kind in _list_entries(self.folder):
            if kind.is_symlink() or not kind.is_dir():
                safe_files.remove_path(kind)
                continue
            for path in _list_entries(kind):
                try:
                    read_entry(path)
                except DamagedEntryError:
                    safe_files.remove_path(path)

    def remove_all(self) -> None:
        """Forget everything."""
        safe_files.remove_path(self.folder)

    def _get_kind_folder(self, kind: str) -> Path:
        """The folder of a kind. Raises `Blocked` where a link or a file stands in place of the
        folder that the store lies in: that is somebody else's."""
        around = self.folder.parent
        around.parent.mkdir(parents=True, exist_ok=True)
        safe_files.ensure_folder(around.parent, (around.name,))
        return safe_files.ensure_folder(around, (self.folder.name, kind), ours=True)


def _list_entries(folder: Path) -> Iterator[Path]:
    """What a folder holds; nothing when it is none, or a link."""
    yield from [folder / name for name in _list_entry_names(folder)]


def _list_entry_names(folder: Path) -> Iterator[str]:
    try:
        if not folder.is_symlink():
            with os.scandir(folder) as found:
                yield from (entry.name for entry in found)
    except OSError:
        return


def digest_parts(parts: Iterable[str | bytes]) -> str:
    """The hash (hex) of a sequence of texts and bytes; their borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()[:40]

"""The store in build/.store: what was made before, by the digest of what it was made from.

An entry is written to a file beside and renamed, so that a killed build leaves no partial entry and
two builds at once do no harm to each other. Every entry ends with a seal, a keyed digest (HMAC) of
its name and content, which is checked on use: a cut, changed or lost entry is made again, and so is
one that came with a game, since nobody else has the user's key. A reader of the file, for PDF or
hyphenation, takes the seal for a comment.

Another store that machines share may be behind it. Entries that are missing here are fetched from
there, and new ones are sent there. Reading is always from here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from cardgen.runtime import game_files, safe_files, user_secret

STORE_FOLDER = "build/.store"
"""Path of the store below a game's folder."""
_SEAL_FORMAT = b"\n%%cardgen %s\n"
_SEAL_LENGTH = len(_SEAL_FORMAT % (b"0" * 64))
_SCRATCH_NAME = "scratch"
_MAX_BYTES = 1_000_000_000
_temporary_numbers = count()
_LISTING_THRESHOLD = 100
"""Up to so many entries are stat'ed one by one."""
_unusable_entries: set[str] = set()
"""Entries that could not be used though their seals were right: they are not fetched again."""
SHARED_KINDS = frozenset({"art", "books", "faces", "fonts", "layouts", "pictures", "press"})
"""Kinds that machines may share, because each entry is named after all that decides it."""

FILES_KIND = "files"
"""Kind of published files, under the keys of their artefacts. They are only in a shared store."""


class SharedBackend(Protocol):
    """A store that several machines share, with names such as `faces/0a1b.pdf`."""

    @property
    def writes(self) -> bool:
        """True if this user may write into it."""

    def sign_folder(self, folder: Path) -> bytes:
        """Return a signature of a folder of this machine, which only users of the key can make."""

    def get(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield those of the entries that it has."""

    def put_entry(self, name: str, data: bytes) -> None:
        """Send an entry."""

    def flush(self) -> None:
        """Wait until all entries are sent."""


class DamagedEntryError(game_files.StaleBuildError):
    """An entry of the store is missing or not what was written: the build must make it again."""


def read_entry(path: Path, max_bytes: int = _MAX_BYTES) -> bytes:
    """Return the content of an entry of at most `max_bytes`. Raises `DamagedEntryError`."""
    kind = path.parent
    try:
        # Cardgen makes no links: this one is somebody else's.
        if os.path.islink(kind) or os.path.islink(kind.parent):  # noqa: PTH114 - of thousands
            raise DamagedEntryError(str(path))
        data = game_files.read_file(path, max_bytes, follow=False)
    except game_files.UnreadableError:
        raise DamagedEntryError(str(path)) from None
    return unseal_data(path, data)


def seal_data(path: Path, data: bytes) -> bytes:
    """Return the content of a file of this user's build folder with its seal."""
    return data + _make_seal(path, data)


def unseal_data(path: Path, data: bytes) -> bytes:
    """Return the content of an entry without its seal. Raises `DamagedEntryError`."""
    content = data[:-_SEAL_LENGTH]
    if data[-_SEAL_LENGTH:] != _make_seal(path, content):
        raise DamagedEntryError(str(path))
    return content


def _make_seal(path: Path, data: bytes) -> bytes:
    name = f"{path.parent.name}/{path.name}\0".encode()
    seal = hmac.digest(user_secret.get_seal_key(), name + data, "sha256")
    return _SEAL_FORMAT % seal.hex().encode()


class Store:
    """A folder of entries, by kind and name.

    `games` is how many games share it: a game and its variants keep as much as several games.
    `shared` is the store behind it.
    """

    def __init__(self, folder: Path, games: int = 1, shared: SharedBackend | None = None) -> None:
        self.folder, self._games, self.shared = folder, games, shared
        self._kinds: dict[str, Path] = {}
        self._asked: set[str] = set()
        """Names that the shared store was asked for."""

    def get_path(self, kind: str, name: str) -> Path:
        """Return the path of an entry, which need not exist."""
        if kind not in self._kinds:
            self._kinds[kind] = self.folder / kind
        return self._kinds[kind] / name

    def make_scratch_folder(self) -> Path:
        """Return the folder for temporary files; the next process removes those of a dead one."""
        return self._get_kind_folder(_SCRATCH_NAME)

    def has_entry(self, path: Path) -> bool:
        """Say if there is an entry, here or in the shared store. Its seal is not checked."""
        return self._is_stored(path) or bool(self.shared is not None and self.fetch_entries([path]))

    def fetch_entries(self, wanted: Iterable[Path]) -> int:
        """Fetch missing entries from the shared store, many at once, and return how many it had."""
        if self.shared is None:
            return 0
        entries = {f"{path.parent.name}/{path.name}": path for path in wanted}
        missing = {
            name: path for name, path in entries.items()
            if path.parent.name in SHARED_KINDS
            and name not in self._asked | _unusable_entries
        }  # fmt: skip
        missing = self._find_missing(missing)
        self._asked |= missing.keys()
        found = 0
        for name, data in self.shared.get(missing):
            self._save_entry(missing[name], data)
            found += 1
        return found

    def _find_missing(self, wanted: dict[str, Path]) -> dict[str, Path]:
        """Return those that are not here; of many, by listing folders."""
        if len(wanted) <= _LISTING_THRESHOLD:
            return {name: path for name, path in wanted.items() if not self._is_stored(path)}
        kinds = {path.parent.name for path in wanted.values()}
        here = {f"{kind}/{name}" for kind in kinds for name in self.list_names(kind)}
        return {name: path for name, path in wanted.items() if name not in here}

    def flush_shared(self) -> None:
        """Wait until the shared store has all that was made here."""
        if self.shared is not None:
            self.shared.flush()

    def _is_stored(self, path: Path) -> bool:
        try:
            return game_files.stat_file(path, follow=False).st_size >= _SEAL_LENGTH
        except game_files.UnreadableError:
            return False

    def write(self, path: Path, data: bytes) -> None:
        """Write an entry with its seal, and send it to the shared store if it may be shared."""
        self._save_entry(path, data)
        if self.shared is not None and path.parent.name in SHARED_KINDS:
            self.shared.put_entry(f"{path.parent.name}/{path.name}", data)

    def _save_entry(self, path: Path, data: bytes) -> None:
        sealed = seal_data(path, data)
        self._get_kind_folder(path.parent.name)
        try:
            self._place_entry(path, sealed)
        except (IsADirectoryError, PermissionError, FileNotFoundError):
            # A folder is in its place, or somebody removed the store.
            safe_files.remove_path(path)
            self._get_kind_folder(path.parent.name)
            self._place_entry(path, sealed)

    def _place_entry(self, path: Path, data: bytes) -> None:
        """Write an entry whose kind has a folder in a store that is no link."""
        scratch = safe_files.ensure_folder(self.folder, (_SCRATCH_NAME,), ours=True)
        beside = scratch / f"{os.getpid()}-{next(_temporary_numbers)}"
        safe_files.replace_file(path, data, beside)

    def read_json(self, path: Path, max_bytes: int = _MAX_BYTES) -> Any:
        """Return the JSON of an entry; None when it is missing or damaged."""
        if self.shared is not None:
            self.fetch_entries([path])
        try:
            return json.loads(read_entry(path, max_bytes))
        except (DamagedEntryError, ValueError, RecursionError):
            return None

    def write_json(self, path: Path, value: Any) -> None:
        """Write JSON, the same bytes for the same value."""
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self.write(path, text.encode(errors="backslashreplace"))  # half a character, as JSON has it

    def list_names(self, kind: str) -> Iterator[str]:
        """Yield the names of the entries of a kind. Their seals are not checked."""
        return _list_entry_names(self.folder / kind)

    def remove_unused(self, kind: str, keep: Iterable[str], limit: int) -> None:
        """Remove unused entries of a kind once it has more than `limit` entries per game."""
        entries = list(_list_entries(self.folder / kind))
        wanted = set(keep)
        if len(entries) > limit * self._games:
            for path in entries:
                if path.name not in wanted:
                    safe_files.remove_path(path)

    def list_kinds(self) -> set[str]:
        """Return the kinds that have entries."""
        return {path.name for path in _list_entries(self.folder)} - {_SCRATCH_NAME}

    def is_claimed(self) -> bool:
        """Say if this user has started the store, on any machine."""
        with suppress(DamagedEntryError):
            read_entry(self.get_path("owner", "mark"))
            return True
        return False

    def claim(self) -> bool:
        """Clear a store that this user has not started. Return false where there was one.

        A game may come with a store. Where new entries are sent to a shared store, it must also be
        one of this machine and this folder, since others will believe what is made from it.
        """
        wanted = b""
        if self.shared is not None and self.shared.writes:
            wanted = self.shared.sign_folder(self.make_scratch_folder().parent)
        path = self.get_path("owner", "mark")
        with suppress(DamagedEntryError):
            if read_entry(path) == wanted or not wanted:
                return True
        is_empty = not self.list_kinds() - {"owner", "cluster"}
        if not is_empty:
            self.remove_all()
        self.write(path, wanted)
        return is_empty

    def remove_leftovers(self) -> None:
        """Remove temporary files of dead processes."""
        for path in _list_entries(self.folder / _SCRATCH_NAME):
            safe_files.remove_path(path)

    def remove_damaged(self, unusable: Path) -> None:
        """Remove an entry that cannot be used, and every other damaged one."""
        _unusable_entries.add(f"{unusable.parent.name}/{unusable.name}")
        if unusable.parent.parent == self.folder:
            safe_files.remove_path(unusable)
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
        """Remove the whole store."""
        safe_files.remove_path(self.folder)

    def _get_kind_folder(self, kind: str) -> Path:
        """Return the folder of a kind, made where it is missing.

        Raises `PathBlockedError` where a link or file is in place of the folder around the store,
        and where the game's folder is gone: it is never made again.
        """
        parent = self.folder.parent
        try:
            safe_files.ensure_folder(parent.parent, (parent.name,))
            return safe_files.ensure_folder(parent, (self.folder.name, kind), ours=True)
        except FileNotFoundError:
            raise safe_files.PathBlockedError(parent.parent, "the game's folder is gone") from None


def _list_entries(folder: Path) -> Iterator[Path]:
    """Yield the entries of a folder; none for a link or what is no folder."""
    yield from [folder / name for name in _list_entry_names(folder)]


def _list_entry_names(folder: Path) -> Iterator[str]:
    try:
        if not folder.is_symlink():
            with os.scandir(folder) as found:
                yield from (entry.name for entry in found)
    except OSError:
        return


def digest_parts(parts: Iterable[str | bytes]) -> str:
    """Return the digest (40 hex digits) of a sequence of texts and bytes; their borders count."""
    hasher = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass") if isinstance(part, str) else part
        hasher.update(len(data).to_bytes(8, "big"))
        hasher.update(data)
    return hasher.hexdigest()[:40]

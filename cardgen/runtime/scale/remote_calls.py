"""Calls and results packed so that they mean the same on another machine.

A path in a call is a place on this machine. In a parcel it becomes what lies there: an entry of the
store by its kind and name, where these tell all that decides it; any other file by the hash of its
bytes. Whoever opens the parcel says where these lie with him. A result may name what its call
named, and no other file.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from cardgen.runtime import game_files
from cardgen.runtime.content_store import SHARED_KINDS
from cardgen.runtime.fingerprint import Stamp

CLUSTER_KIND = "cluster"
"""Of what is on its way between machines, in a store."""


@dataclass(frozen=True)
class EntryRef:
    """An entry of the store that machines may share, or one of any kind that is missing: some are
    made then. `there` tells whether whoever asks has it."""

    kind: str
    name: str
    is_present: bool

    @property
    def shared_name(self) -> str:
        """What a store that both see calls it."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class FileRef:
    """Any other file: where it lies with whoever asks, its size and the hash of its bytes, "" where
    nothing can be read."""

    path: str
    size: int
    digest: str

    @property
    def is_present(self) -> bool:
        return bool(self.digest)

    @property
    def shared_name(self) -> str:
        """What a store that both see calls it."""
        return f"{CLUSTER_KIND}/{self.digest}"


Ref = EntryRef | FileRef


@dataclass(frozen=True)
class PackedCall:
    """Something pickled, and what its paths mean."""

    data: bytes
    refs: tuple[Ref, ...]


class _RefPickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, refer: Callable[[Path], int]) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._refer = refer

    def persistent_id(self, value: Any) -> int | None:
        return self._refer(value) if isinstance(value, Path) else None


class _RefUnpickler(pickle.Unpickler):
    def __init__(self, data: bytes, places: Sequence[Path]) -> None:
        super().__init__(io.BytesIO(data))
        self._places = places

    def persistent_load(self, number: int) -> Path:
        return self._places[number]


def pack_value(value: Any, store: Path) -> PackedCall:
    """Something picklable with paths of this machine, whose store is that folder."""
    refs: dict[Path, int] = {}

    def add_entry(path: Path) -> int:
        return refs.setdefault(path, len(refs))

    out = io.BytesIO()
    _RefPickler(out, add_entry).dump(value)
    return PackedCall(out.getvalue(), tuple(make_ref(path, store) for path in refs))


def pack_result(value: Any, known: Mapping[Path, int]) -> bytes:
    """A result, pickled, whose paths are among those that the call named. Raises TypeError."""

    def find_entry(path: Path) -> int:
        if path not in known:
            raise TypeError(f"a result names {path}, which its call did not")
        return known[path]

    out = io.BytesIO()
    _RefPickler(out, find_entry).dump(value)
    return out.getvalue()


def unpack_value(data: bytes, places: Sequence[Path]) -> Any:
    """What was packed, with its paths being those places. Only of somebody who is trusted."""
    return _RefUnpickler(data, places).load()


def make_ref(path: Path, store: Path) -> Ref:
    """What lies at a path."""
    if path.parent.parent == store:
        there = game_files.get_file_size(path) > 0
        if path.parent.name in SHARED_KINDS or not there:
            return EntryRef(path.parent.name, path.name, there)
    try:
        return FileRef(str(path), *_digest_file(path, game_files.stamp_file(path)))
    except game_files.UnreadableError:
        return FileRef(str(path), 0, "")


@lru_cache(maxsize=16_384)
def _digest_file(path: Path, _stamp: Stamp) -> tuple[int, str]:
    data = game_files.read_file(path, game_files.MAX_BYTES)
    return len(data), digest_bytes(data)


def digest_bytes(data: bytes) -> str:
    """The hash (hex) by which bytes on their way are known."""
    return hashlib.sha256(data).hexdigest()


def get_ref_path(ref: Ref, store: Path) -> Path:
    """Where whoever asked has it."""
    return store / ref.kind / ref.name if isinstance(ref, EntryRef) else Path(ref.path)

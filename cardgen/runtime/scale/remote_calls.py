"""Calls and results, pickled so that they mean the same on another machine.

A path in a call is a place on this machine. A packed call has a ref in its place: the kind and name
of an entry of the store, where these say all that decides it, or the digest of any other file.
Whoever unpacks the call says where these files are there. A result may name only files that its
call named.
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
"""Kind of entries that are on their way between machines."""


@dataclass(frozen=True)
class EntryRef:
    """Ref of a shareable entry of the store, or of a missing entry of any kind, which the call may
    make.

    `is_present` says if the sender has it.
    """

    kind: str
    name: str
    is_present: bool

    @property
    def shared_name(self) -> str:
        """Name in a store that both see."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class FileRef:
    """Ref of any other file: the sender's path, its size and digest ("" for an unreadable file)."""

    path: str
    size: int
    digest: str

    @property
    def is_present(self) -> bool:
        return bool(self.digest)

    @property
    def shared_name(self) -> str:
        """Name in a store that both see."""
        return f"{CLUSTER_KIND}/{self.digest}"


Ref = EntryRef | FileRef


@dataclass(frozen=True)
class PackedCall:
    """A pickled value, and refs for its paths."""

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
    """Pickle a value with paths of this machine, whose store is that folder."""
    refs: dict[Path, int] = {}

    def number_path(path: Path) -> int:
        return refs.setdefault(path, len(refs))

    out = io.BytesIO()
    _RefPickler(out, number_path).dump(value)
    return PackedCall(out.getvalue(), tuple(make_ref(path, store) for path in refs))


def pack_result(value: Any, numbers: Mapping[Path, int]) -> bytes:
    """Pickle a result whose paths are among those of its call. Raises TypeError for others."""

    def get_number(path: Path) -> int:
        if path not in numbers:
            raise TypeError(f"a result names {path}, which its call did not")
        return numbers[path]

    out = io.BytesIO()
    _RefPickler(out, get_number).dump(value)
    return out.getvalue()


def unpack_value(data: bytes, paths: Sequence[Path]) -> Any:
    """Unpickle a value with these paths for its refs. The sender must be trusted."""
    return _RefUnpickler(data, paths).load()


def make_ref(path: Path, store: Path) -> Ref:
    """Return the ref of a path."""
    if path.parent.parent == store:
        is_present = game_files.get_file_size(path) > 0
        if path.parent.name in SHARED_KINDS or not is_present:
            return EntryRef(path.parent.name, path.name, is_present)
    try:
        return FileRef(str(path), *_digest_file(path, game_files.stamp_file(path)))
    except game_files.UnreadableError:
        return FileRef(str(path), 0, "")


@lru_cache(maxsize=16_384)
def _digest_file(path: Path, _stamp: Stamp) -> tuple[int, str]:
    data = game_files.read_file(path, game_files.MAX_BYTES)
    return len(data), digest_bytes(data)


def digest_bytes(data: bytes) -> str:
    """Return the digest (hex) by which data on its way is named."""
    return hashlib.sha256(data).hexdigest()


def get_ref_path(ref: Ref, store: Path) -> Path:
    """Return the sender's path of a ref."""
    return store / ref.kind / ref.name if isinstance(ref, EntryRef) else Path(ref.path)

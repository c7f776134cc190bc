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

from cardgen.base import paths
from cardgen.base.noted import Stamp
from cardgen.base.store import SHARED

KIND = "cluster"
"""Of what is on its way between machines, in a store."""


@dataclass(frozen=True)
class Entry:
    """An entry of the store that machines may share, or one of any kind that is missing: some are
    made then. `there` tells whether whoever asks has it."""

    kind: str
    name: str
    there: bool

    @property
    def meeting(self) -> str:
        """What a store that both see calls it."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class File:
    """Any other file: where it lies with whoever asks, its size and the hash of its bytes, "" where
    nothing can be read."""

    path: str
    size: int
    digest: str

    @property
    def there(self) -> bool:
        return bool(self.digest)

    @property
    def meeting(self) -> str:
        """What a store that both see calls it."""
        return f"{KIND}/{self.digest}"


Ref = Entry | File


@dataclass(frozen=True)
class Parcel:
    """Something pickled, and what its paths mean."""

    data: bytes
    refs: tuple[Ref, ...]


class _Packer(pickle.Pickler):
    def __init__(self, out: io.BytesIO, refer: Callable[[Path], int]) -> None:
        super().__init__(out, pickle.HIGHEST_PROTOCOL)
        self._refer = refer

    def persistent_id(self, value: Any) -> int | None:
        return self._refer(value) if isinstance(value, Path) else None


class _Opener(pickle.Unpickler):
    def __init__(self, data: bytes, places: Sequence[Path]) -> None:
        super().__init__(io.BytesIO(data))
        self._places = places

    def persistent_load(self, number: int) -> Path:
        return self._places[number]


def packed(value: Any, store: Path) -> Parcel:
    """Something picklable with paths of this machine, whose store is that folder."""
    refs: dict[Path, int] = {}

    def refer(path: Path) -> int:
        return refs.setdefault(path, len(refs))

    out = io.BytesIO()
    _Packer(out, refer).dump(value)
    return Parcel(out.getvalue(), tuple(ref_of(path, store) for path in refs))


def answered(value: Any, known: Mapping[Path, int]) -> bytes:
    """A result, pickled, whose paths are among those that the call named. Raises TypeError."""

    def refer(path: Path) -> int:
        if path not in known:
            raise TypeError(f"a result names {path}, which its call did not")
        return known[path]

    out = io.BytesIO()
    _Packer(out, refer).dump(value)
    return out.getvalue()


def opened(data: bytes, places: Sequence[Path]) -> Any:
    """What was packed, with its paths being those places. Only of somebody who is trusted."""
    return _Opener(data, places).load()


def ref_of(path: Path, store: Path) -> Ref:
    """What lies at a path."""
    if path.parent.parent == store:
        there = paths.size(path) > 0
        if path.parent.name in SHARED or not there:
            return Entry(path.parent.name, path.name, there)
    try:
        return File(str(path), *_hashed(path, paths.stamp(path)))
    except paths.Unreadable:
        return File(str(path), 0, "")


@lru_cache(maxsize=16_384)
def _hashed(path: Path, _stamp: Stamp) -> tuple[int, str]:
    data = paths.read(path, paths.MAX_BYTES)
    return len(data), digest(data)


def digest(data: bytes) -> str:
    """The hash (hex) by which bytes on their way are known."""
    return hashlib.sha256(data).hexdigest()


def place_of(ref: Ref, store: Path) -> Path:
    """Where whoever asked has it."""
    return store / ref.kind / ref.name if isinstance(ref, Entry) else Path(ref.path)

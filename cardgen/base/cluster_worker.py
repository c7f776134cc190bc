"""What is done on a Dask worker: a call out of its parcel, in a helper process, and its result.

The worker itself runs nothing of a game: each of its threads has a helper, as a command has on one
machine, with the same bounds. What kills a helper leaves the worker standing.

A worker either sees the command's own store, on the same machine or over a network's file system,
and works from there; or it keeps what it fetched from the shared store in its own scratch folder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Protocol

from distributed import Worker, get_worker

from cardgen.base import engine, filing, paths, shared_store, store
from cardgen.base.parcels import KIND, Entry, File, Parcel, Ref, answered, digest, opened, place_of
from cardgen.base.shared_store import Shared
from cardgen.base.store import Damaged, Store
from cardgen.base.workers import Resident

LARGE = 256 << 10
"""Bytes: what is larger does not go through the scheduler, but through the store."""
_NAMED = 3
"""So many differences are told."""
_TRIES = 3
"""So often is a call done when what a worker keeps turns out to be damaged."""


@dataclass(frozen=True)
class Meeting:
    """Where a command and its workers meet: its store's folder, what they share beside it, and an
    entry with a word by which either is known. `engine` is what decides how anything is made."""

    folder: str
    shared: Shared | None
    name: str
    word: bytes
    engine: tuple[str, ...]


@dataclass(frozen=True)
class Order:
    """A function and its call in a parcel. `inline` asks for the result itself, however large."""

    meeting: Meeting
    parcel: Parcel
    inline: bool = False


@dataclass(frozen=True)
class Answer:
    """What came of an order: the result pickled, or only its digest, under which it waits in the
    store; what was raised; which of its refs cannot be had; or why that worker cannot be asked.
    """

    worker: str
    data: bytes = b""
    digest: str = ""
    error: Exception | None = None
    lacking: tuple[int, ...] = ()
    unfit: str = ""
    remembered: Mapping[str, str] = field(default_factory=dict)


class _Desk(Protocol):
    """Where a worker has what it works with; `lost` tells that nothing more can come."""

    @property
    def lost(self) -> bool: ...

    def places(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        """Where each ref lies here, and the numbers of those that cannot be had."""

    def left(self, data: bytes) -> bool:
        """Leave bytes for whoever asked; whether that was possible."""

    def drop(self, place: str) -> bool:
        """Forget what is damaged; whether it is this worker's own and can be fetched again."""


class _Near:
    """The command's own store, seen from here."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    @property
    def lost(self) -> bool:
        return False

    def places(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        found = [place_of(ref, self._store.folder) for ref in refs]
        lacking = [
            number
            for number, ref in enumerate(refs)
            if isinstance(ref, File) and ref.there and paths.size(found[number]) != ref.size
        ]
        return found, tuple(lacking)

    def left(self, data: bytes) -> bool:
        self._store.write(self._store.path(KIND, digest(data)), data)
        return True

    def drop(self, place: str) -> bool:
        return False


class _Far:
    """A folder of this worker's own, filled from what is shared."""

    def __init__(self, folder: Path, shared: Shared) -> None:
        self._folder, self._shared = folder, shared
        self._store = Store(folder / store.FOLDER)

    @property
    def lost(self) -> bool:
        return self._shared.lost

    def places(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        found = [self._place(ref) for ref in refs]
        missing = {number for number, ref in enumerate(refs) if not self._has(ref, found[number])}
        wanted: dict[str, list[int]] = {}
        for number in missing:
            wanted.setdefault(refs[number].meeting, []).append(number)
        for name, data in self._shared.get(wanted) if wanted else ():
            ref, place = refs[wanted[name][0]], found[wanted[name][0]]
            if self._kept(ref, place, data):
                missing.difference_update(wanted[name])
        return found, tuple(number for number in sorted(missing) if refs[number].there)

    def _place(self, ref: Ref) -> Path:
        if isinstance(ref, Entry):
            return self._store.path(PurePath(ref.kind).name, PurePath(ref.name).name)
        if not ref.there:
            return Path(ref.path)
        there = PurePath(ref.path)  # its folder's name belongs to an entry's seal
        return self._folder / "files" / ref.digest / there.parent.name / there.name

    def _has(self, ref: Ref, place: Path) -> bool:
        if isinstance(ref, Entry):
            return self._store.has(place)
        return not ref.there or paths.size(place) == ref.size

    def _kept(self, ref: Ref, place: Path, data: bytes) -> bool:
        """Put what was fetched in its place; what is not what was meant is nothing."""
        if isinstance(ref, Entry):
            self._store.write(place, data)
        elif digest(data) != ref.digest:
            return False
        else:
            filing.folder(self._folder, place.parent.relative_to(self._folder).parts)
            filing.put(place, data, self._store.scratch() / f"{ref.digest}-{threading.get_ident()}")
        return True

    def left(self, data: bytes) -> bool:
        if self._shared.writes:
            self._shared.put(f"{KIND}/{digest(data)}", data)
            self._shared.flush()
        return self._shared.writes and not self._shared.lost

    def drop(self, place: str) -> bool:
        own = Path(place)
        if not own.is_relative_to(self._folder):
            return False
        self._store.mend(own)
        return True


def fit(meeting: Meeting, dask_worker: Worker) -> str:
    """Why a worker cannot work for those of that meeting; "" when it can."""
    desk = _desk(meeting, Path(dask_worker.local_directory))
    return desk if isinstance(desk, str) else ""


def carry_out(order: Order) -> Answer:
    """Do what is ordered in a helper of this thread; nothing is raised."""
    worker = get_worker()
    own, desk = worker.address, _desk(order.meeting, Path(worker.local_directory))
    if isinstance(desk, str):
        return Answer(own, unfit=desk)
    for _ in range(_TRIES):
        try:
            return _carried_out(order, desk, own)
        except Damaged as error:
            told: Exception = error
            if not desk.drop(error.place):
                break
        except Exception as error:
            told = error
            break
    return Answer(own, error=told, remembered=_helper().remembered())


def _carried_out(order: Order, desk: _Desk, own: str) -> Answer:
    places, lacking = desk.places(order.parcel.refs)
    if lacking and desk.lost:
        return Answer(own, unfit="the shared store does not answer it any more")
    if lacking:
        return Answer(own, lacking=lacking)
    helper = _helper()
    helper.forget()
    result = helper.call(_done, (order.parcel.data, places))
    told, name = helper.remembered(), digest(result)
    waits = len(result) > LARGE and not order.inline and desk.left(result)
    return Answer(own, b"" if waits else result, name, remembered=told)


def _done(task: tuple[bytes, Sequence[Path]]) -> bytes:
    """In the helper: the function's result, pickled."""
    data, places = task
    function, call = opened(data, places)
    return answered(function(call), {place: number for number, place in enumerate(places)})


_own = threading.local()


def _helper() -> Resident:
    """The helper of this thread."""
    if not hasattr(_own, "helper"):
        _own.helper = Resident()
    helper: Resident = _own.helper
    return helper


@lru_cache(maxsize=4)
def _desk(meeting: Meeting, scratch: Path) -> _Near | _Far | str:
    """Where this worker has what it works with; or why it cannot work."""
    if meeting.engine != engine.parts():
        return _other(meeting.engine, engine.parts())
    near = Path(meeting.folder)
    try:
        if store.read(near / KIND / meeting.name) == meeting.word:
            return _Near(near)
    except (Damaged, OSError):
        pass
    if meeting.shared is None:
        return f"it does not see {meeting.folder}, and no shared store is set"
    if not meeting.shared.writes:
        return (
            f"it does not see {meeting.folder}, and this command may not write the shared store, "
            "where it could get what it needs: add --store-write"
        )
    if meeting.shared.lost:  # for a command that came before
        shared_store.hang_up()
    if _word(meeting.shared.get([f"{KIND}/{meeting.name}"])) == meeting.word:
        return _Far(filing.folder(scratch, ("cardgen",)), meeting.shared)
    return f"it cannot read the shared store {meeting.shared.shown}, or has another key"


def _other(asking: Sequence[str], own: Sequence[str]) -> str:
    """What of a worker's cardgen, libraries and machine is another than with whoever asks."""
    differing = [(there, here) for there, here in zip(own, asking, strict=False) if there != here]
    named = "; ".join(f"it has {there}, this command {here}" for there, here in differing[:_NAMED])
    more = f"; and {len(differing) - _NAMED} more" if len(differing) > _NAMED else ""
    return f"{named or 'it has another cardgen'}{more}"


def _word(found: Iterable[tuple[str, bytes]]) -> bytes:
    return b"".join(data for _, data in found)

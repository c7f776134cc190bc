"""What is done on a Dask worker: a call out of its parcel, in a helper process, and its result.

The worker itself runs nothing of a game: each of its threads has a helper, as a command has on one
machine, with the same bounds. What kills a helper leaves the worker standing.

A worker either sees the command's own store, on the same machine or over a network's file system,
and works from there; or it keeps what it fetched from the shared store in its own scratch folder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Protocol

from distributed import Worker, get_worker

from cardgen.runtime import code_version, content_store, game_files, safe_files
from cardgen.runtime.content_store import DamagedEntryError, Store
from cardgen.runtime.scale import shared_store
from cardgen.runtime.scale.remote_calls import (
    CLUSTER_KIND,
    EntryRef,
    FileRef,
    PackedCall,
    Ref,
    digest_bytes,
    get_ref_path,
    pack_result,
    unpack_value,
)
from cardgen.runtime.scale.shared_store import SharedStore
from cardgen.runtime.worker_pool import ResidentWorker

INLINE_RESULT_BYTES = 256 << 10
"""Bytes: what is larger does not go through the scheduler, but through the store."""
_MAX_NAMED_DIFFERENCES = 3
"""So many differences are told."""
_MAX_ATTEMPTS = 3
"""So often is a call done when what a worker keeps turns out to be damaged."""


@dataclass(frozen=True)
class Handshake:
    """Where a command and its workers meet: its store's folder, what they share beside it, and an
    entry with a word by which either is known. `engine` is what decides how anything is made."""

    folder: str
    shared: SharedStore | None
    entry_name: str
    secret: bytes
    code_parts: tuple[str, ...]


@dataclass(frozen=True)
class RemoteOrder:
    """A function and its call in a parcel. `inline` asks for the result itself, however large."""

    handshake: Handshake
    parcel: PackedCall
    inline: bool = False


@dataclass(frozen=True)
class RemoteAnswer:
    """What came of an order: the result pickled, or only its digest, under which it waits in the
    store; what was raised; which of its refs cannot be had; or why that worker cannot be asked.
    """

    worker: str
    data: bytes = b""
    digest: str = ""
    error: Exception | None = None
    missing_refs: tuple[int, ...] = ()
    unfit: str = ""


class _WorkerStore(Protocol):
    """Where a worker has what it works with; `lost` tells that nothing more can come."""

    @property
    def is_lost(self) -> bool: ...

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        """Where each ref lies here, and the numbers of those that cannot be had."""

    def leave_result(self, data: bytes) -> bool:
        """Leave bytes for whoever asked; whether that was possible."""

    def drop_damaged(self, place: str) -> bool:
        """Forget what is damaged; whether it is this worker's own and can be fetched again."""


class _CommandStore:
    """The command's own store, seen from here."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    @property
    def is_lost(self) -> bool:
        return False

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        found = [get_ref_path(ref, self._store.folder) for ref in refs]
        lacking = [
            number
            for number, ref in enumerate(refs)
            if isinstance(ref, FileRef)
            and ref.is_present
            and game_files.get_file_size(found[number]) != ref.size
        ]
        return found, tuple(lacking)

    def leave_result(self, data: bytes) -> bool:
        self._store.write(self._store.get_path(CLUSTER_KIND, digest_bytes(data)), data)
        return True

    def drop_damaged(self, place: str) -> bool:
        return False


class _LocalCopyStore:
    """A folder of this worker's own, filled from what is shared."""

    def __init__(self, folder: Path, shared: SharedStore) -> None:
        self._folder, self._shared = folder, shared
        self._store = Store(folder / content_store.STORE_FOLDER)

    @property
    def is_lost(self) -> bool:
        return self._shared.is_lost

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        found = [self._get_local_path(ref) for ref in refs]
        missing = {
            number for number, ref in enumerate(refs) if not self._has_ref(ref, found[number])
        }
        wanted: dict[str, list[int]] = {}
        for number in missing:
            wanted.setdefault(refs[number].shared_name, []).append(number)
        for name, data in self._shared.get(wanted) if wanted else ():
            ref, place = refs[wanted[name][0]], found[wanted[name][0]]
            if self._save_ref(ref, place, data):
                missing.difference_update(wanted[name])
        return found, tuple(number for number in sorted(missing) if refs[number].is_present)

    def _get_local_path(self, ref: Ref) -> Path:
        if isinstance(ref, EntryRef):
            return self._store.get_path(PurePath(ref.kind).name, PurePath(ref.name).name)
        if not ref.is_present:
            return Path(ref.path)
        there = PurePath(ref.path)  # its folder's name belongs to an entry's seal
        return self._folder / "files" / ref.digest / there.parent.name / there.name

    def _has_ref(self, ref: Ref, place: Path) -> bool:
        if isinstance(ref, EntryRef):
            return self._store.has_entry(place)
        return not ref.is_present or game_files.get_file_size(place) == ref.size

    def _save_ref(self, ref: Ref, place: Path, data: bytes) -> bool:
        """Put what was fetched in its place; what is not what was meant is nothing."""
        if isinstance(ref, EntryRef):
            self._store.write(place, data)
        elif digest_bytes(data) != ref.digest:
            return False
        else:
            safe_files.ensure_folder(self._folder, place.parent.relative_to(self._folder).parts)
            safe_files.replace_file(
                place,
                data,
                self._store.make_scratch_folder() / f"{ref.digest}-{threading.get_ident()}",
            )
        return True

    def leave_result(self, data: bytes) -> bool:
        if self._shared.writes:
            self._shared.put_entry(f"{CLUSTER_KIND}/{digest_bytes(data)}", data)
            self._shared.flush()
        return self._shared.writes and not self._shared.is_lost

    def drop_damaged(self, place: str) -> bool:
        own = Path(place)
        if not own.is_relative_to(self._folder):
            return False
        self._store.remove_damaged(own)
        return True


def check_fitness(meeting: Handshake, dask_worker: Worker) -> str:
    """Why a worker cannot work for those of that meeting; "" when it can."""
    desk = _open_worker_store(meeting, Path(dask_worker.local_directory))
    return desk if isinstance(desk, str) else ""


def run_order(order: RemoteOrder) -> RemoteAnswer:
    """Do what is ordered in a helper of this thread; nothing is raised."""
    worker = get_worker()
    own, desk = worker.address, _open_worker_store(order.handshake, Path(worker.local_directory))
    if isinstance(desk, str):
        return RemoteAnswer(own, unfit=desk)
    for _ in range(_MAX_ATTEMPTS):
        try:
            return _run_order_in(order, desk, own)
        except DamagedEntryError as error:
            told: Exception = error
            if not desk.drop_damaged(error.location):
                break
        except Exception as error:
            told = error
            break
    return RemoteAnswer(own, error=told)


def _run_order_in(order: RemoteOrder, desk: _WorkerStore, own: str) -> RemoteAnswer:
    places, lacking = desk.locate_refs(order.parcel.refs)
    if lacking and desk.is_lost:
        return RemoteAnswer(own, unfit="the shared store does not answer it any more")
    if lacking:
        return RemoteAnswer(own, missing_refs=lacking)
    helper = _get_worker()
    helper.forget_exclusions()
    result = helper.run_call(_run_pickled_call, (order.parcel.data, places))
    waits = len(result) > INLINE_RESULT_BYTES and not order.inline and desk.leave_result(result)
    return RemoteAnswer(own, b"" if waits else result, digest_bytes(result))


def _run_pickled_call(task: tuple[bytes, Sequence[Path]]) -> bytes:
    """In the helper: the function's result, pickled."""
    data, places = task
    function, call = unpack_value(data, places)
    return pack_result(function(call), {place: number for number, place in enumerate(places)})


_thread_state = threading.local()


def _get_worker() -> ResidentWorker:
    """The helper of this thread."""
    if not hasattr(_thread_state, "helper"):
        _thread_state.helper = ResidentWorker()
    helper: ResidentWorker = _thread_state.helper
    return helper


@lru_cache(maxsize=4)
def _open_worker_store(meeting: Handshake, scratch: Path) -> _CommandStore | _LocalCopyStore | str:
    """Where this worker has what it works with; or why it cannot work."""
    if meeting.code_parts != code_version.list_code_parts():
        return _describe_differences(meeting.code_parts, code_version.list_code_parts())
    near = Path(meeting.folder)
    try:
        if content_store.read_entry(near / CLUSTER_KIND / meeting.entry_name) == meeting.secret:
            return _CommandStore(near)
    except (DamagedEntryError, OSError):
        pass
    if meeting.shared is None:
        return f"it does not see {meeting.folder}, and no shared store is set"
    if not meeting.shared.writes:
        return (
            f"it does not see {meeting.folder}, and this command may not write the shared store, "
            "where it could get what it needs: add --store-write"
        )
    if meeting.shared.is_lost:  # for a command that came before
        shared_store.forget_connections()
    if (
        _describe_value(meeting.shared.get([f"{CLUSTER_KIND}/{meeting.entry_name}"]))
        == meeting.secret
    ):
        return _LocalCopyStore(safe_files.ensure_folder(scratch, ("cardgen",)), meeting.shared)
    return f"it cannot read the shared store {meeting.shared.display_address}, or has another key"


def _describe_differences(asking: Sequence[str], own: Sequence[str]) -> str:
    """What of a worker's cardgen, libraries and machine is another than with whoever asks."""
    differing = [(there, here) for there, here in zip(own, asking, strict=False) if there != here]
    named = "; ".join(
        f"it has {there}, this command {here}" for there, here in differing[:_MAX_NAMED_DIFFERENCES]
    )
    more = (
        f"; and {len(differing) - _MAX_NAMED_DIFFERENCES} more"
        if len(differing) > _MAX_NAMED_DIFFERENCES
        else ""
    )
    return f"{named or 'it has another cardgen'}{more}"


def _describe_value(found: Iterable[tuple[str, bytes]]) -> bytes:
    return b"".join(data for _, data in found)

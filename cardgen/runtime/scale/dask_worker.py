"""Calls done on a Dask worker: in a worker process of cardgen, with the same limits as
elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Protocol

from distributed import Worker, get_worker

from cardgen.core.problems import summarise
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
"""Larger results do not go through the scheduler but through the store."""
_MAX_NAMED_DIFFERENCES = 3
_MAX_ATTEMPTS = 3
"""How often a call is tried when files that the worker keeps turn out to be damaged."""


@dataclass(frozen=True)
class Handshake:
    """What a command and its workers share: its store's folder, a shared store, and a secret.

    The secret is in the entry `entry_name` of the stores; by it, a worker knows that it sees the
    same store. `code_parts` are the versions that decide bytes.
    """

    folder: str
    shared: SharedStore | None
    entry_name: str
    secret: bytes
    code_parts: tuple[str, ...]


@dataclass(frozen=True)
class RemoteOrder:
    """A packed function and its call. `inline` asks for the result itself, however large."""

    handshake: Handshake
    parcel: PackedCall
    inline: bool = False


@dataclass(frozen=True)
class RemoteAnswer:
    """Answer to an order.

    It has the pickled result, or only its digest where the store holds it; the error that was
    raised; the refs that the worker cannot get; or why the worker cannot work.
    """

    worker: str
    data: bytes = b""
    digest: str = ""
    error: Exception | None = None
    missing_refs: tuple[int, ...] = ()
    unfit: str = ""


class _WorkerStore(Protocol):
    """Where a worker keeps the files of a call. `is_lost` says that nothing more can be fetched."""

    @property
    def is_lost(self) -> bool: ...

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        """Return the path of each ref on this machine, and the numbers of those that are
        missing."""

    def leave_result(self, data: bytes) -> bool:
        """Leave a result for the command, and say if that was possible."""

    def drop_damaged(self, path: str) -> bool:
        """Remove a damaged file, and say if it can be fetched again."""


class _CommandStore:
    """The command's own store, on a file system that both see."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    @property
    def is_lost(self) -> bool:
        return False

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        paths = [get_ref_path(ref, self._store.folder) for ref in refs]
        missing = [
            number
            for number, ref in enumerate(refs)
            if isinstance(ref, FileRef)
            and ref.is_present
            and game_files.get_file_size(paths[number]) != ref.size
        ]
        return paths, tuple(missing)

    def leave_result(self, data: bytes) -> bool:
        self._store.write(self._store.get_path(CLUSTER_KIND, digest_bytes(data)), data)
        return True

    def drop_damaged(self, path: str) -> bool:
        return False


class _LocalCopyStore:
    """A folder of this worker, filled from the shared store."""

    def __init__(self, folder: Path, shared: SharedStore) -> None:
        self._folder, self._shared = folder, shared
        self._store = Store(folder / content_store.STORE_FOLDER)

    @property
    def is_lost(self) -> bool:
        return self._shared.is_lost

    def locate_refs(self, refs: Sequence[Ref]) -> tuple[list[Path], tuple[int, ...]]:
        paths = [self._get_local_path(ref) for ref in refs]
        missing = {
            number for number, ref in enumerate(refs) if not self._has_ref(ref, paths[number])
        }
        wanted: dict[str, list[int]] = {}
        for number in missing:
            wanted.setdefault(refs[number].shared_name, []).append(number)
        for name, data in self._shared.get(wanted) if wanted else ():
            ref, path = refs[wanted[name][0]], paths[wanted[name][0]]
            if self._save_ref(ref, path, data):
                missing.difference_update(wanted[name])
        return paths, tuple(number for number in sorted(missing) if refs[number].is_present)

    def _get_local_path(self, ref: Ref) -> Path:
        if isinstance(ref, EntryRef):
            return self._store.get_path(PurePath(ref.kind).name, PurePath(ref.name).name)
        if not ref.is_present:
            return Path(ref.path)
        original = PurePath(ref.path)  # its folder's name belongs to an entry's seal
        return self._folder / "files" / ref.digest / original.parent.name / original.name

    def _has_ref(self, ref: Ref, path: Path) -> bool:
        if isinstance(ref, EntryRef):
            return self._store.has_entry(path)
        return not ref.is_present or game_files.get_file_size(path) == ref.size

    def _save_ref(self, ref: Ref, path: Path, data: bytes) -> bool:
        """Save what was fetched, and say if it was what was meant."""
        if isinstance(ref, EntryRef):
            self._store.write(path, data)
        elif digest_bytes(data) != ref.digest:
            return False
        else:
            safe_files.ensure_folder(self._folder, path.parent.relative_to(self._folder).parts)
            safe_files.replace_file(
                path,
                data,
                self._store.make_scratch_folder() / f"{ref.digest}-{threading.get_ident()}",
            )
        return True

    def leave_result(self, data: bytes) -> bool:
        if self._shared.writes:
            self._shared.put_entry(f"{CLUSTER_KIND}/{digest_bytes(data)}", data)
            self._shared.flush()
        return self._shared.writes and not self._shared.is_lost

    def drop_damaged(self, path: str) -> bool:
        own = Path(path)
        if not own.is_relative_to(self._folder):
            return False
        self._store.remove_damaged(own)
        return True


def check_fitness(handshake: Handshake, dask_worker: Worker) -> str:
    """Say why a worker cannot work for a command; "" when it can."""
    store = _open_worker_store(handshake, Path(dask_worker.local_directory))
    return store if isinstance(store, str) else ""


def run_order(order: RemoteOrder) -> RemoteAnswer:
    """Do an order in the worker process of this thread. Raises nothing."""
    worker = get_worker()
    address, store = (
        worker.address,
        _open_worker_store(order.handshake, Path(worker.local_directory)),
    )
    if isinstance(store, str):
        return RemoteAnswer(address, unfit=store)
    for _ in range(_MAX_ATTEMPTS):
        try:
            return _run_order_in(order, store, address)
        except DamagedEntryError as error:
            failure: Exception = error
            if not store.drop_damaged(error.location):
                break
        except Exception as error:
            failure = error
            break
    return RemoteAnswer(address, error=failure)


def _run_order_in(order: RemoteOrder, store: _WorkerStore, address: str) -> RemoteAnswer:
    paths, missing = store.locate_refs(order.parcel.refs)
    if missing and store.is_lost:
        return RemoteAnswer(address, unfit="the shared store does not answer it any more")
    if missing:
        return RemoteAnswer(address, missing_refs=missing)
    worker = _get_worker()
    worker.forget_exclusions()
    result = worker.run_call(_run_pickled_call, (order.parcel.data, paths))
    waits = len(result) > INLINE_RESULT_BYTES and not order.inline and store.leave_result(result)
    return RemoteAnswer(address, b"" if waits else result, digest_bytes(result))


def _run_pickled_call(task: tuple[bytes, Sequence[Path]]) -> bytes:
    """In the worker process: return the function's result, pickled."""
    data, paths = task
    function, call = unpack_value(data, paths)
    return pack_result(function(call), {place: number for number, place in enumerate(paths)})


_thread_state = threading.local()


def _get_worker() -> ResidentWorker:
    """Return the worker process of this thread."""
    if not hasattr(_thread_state, "worker"):
        _thread_state.worker = ResidentWorker()
    worker: ResidentWorker = _thread_state.worker
    return worker


@lru_cache(maxsize=4)
def _open_worker_store(
    handshake: Handshake, scratch: Path
) -> _CommandStore | _LocalCopyStore | str:
    """Return where this worker keeps files, or why it cannot work."""
    if handshake.code_parts != code_version.list_code_parts():
        return _describe_differences(handshake.code_parts, code_version.list_code_parts())
    folder = Path(handshake.folder)
    try:
        if (
            content_store.read_entry(folder / CLUSTER_KIND / handshake.entry_name)
            == handshake.secret
        ):
            return _CommandStore(folder)
    except (DamagedEntryError, OSError):
        pass
    if handshake.shared is None:
        return f"it does not see {handshake.folder}, and no shared store is set"
    if not handshake.shared.writes:
        return (
            f"it does not see {handshake.folder}, and this command may not write the shared store, "
            "where it could get what it needs: add --store-write"
        )
    if handshake.shared.is_lost:  # for a command that came before
        shared_store.forget_connections()
    if (
        _join_values(handshake.shared.get([f"{CLUSTER_KIND}/{handshake.entry_name}"]))
        == handshake.secret
    ):
        return _LocalCopyStore(safe_files.ensure_folder(scratch, ("cardgen",)), handshake.shared)
    return f"it cannot read the shared store {handshake.shared.display_address}, or has another key"


def _describe_differences(expected: Sequence[str], own: Sequence[str]) -> str:
    """Name what differs between a worker's versions and those of the command."""
    differences = (
        f"it has {own_part}, this command {here}"
        for own_part, here in zip(own, expected, strict=False)
        if own_part != here
    )
    return summarise(differences, _MAX_NAMED_DIFFERENCES, "; ") or "it has another cardgen"


def _join_values(found: Iterable[tuple[str, bytes]]) -> bytes:
    return b"".join(data for _, data in found)

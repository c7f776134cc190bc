"""Calls packed for another machine, and done on a Dask worker.

A path in a call is a place on this machine. A packed call has a ref in its place: the kind and name
of an entry of the store, where these say all that decides it, or the digest of any other file.
Whoever unpacks the call says where these files are there. A result may name only files that its
call named.

A worker does a call in a worker process of cardgen, with the same limits as elsewhere.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from cardgen.core.problems import summarise
from cardgen.runtime import code_version, content_store, game_files, safe_files
from cardgen.runtime.content_store import SHARED_KINDS, DamagedEntryError, Store
from cardgen.runtime.fingerprint import Stamp
from cardgen.runtime.scale import shared_store
from cardgen.runtime.scale.shared_store import SharedStore
from cardgen.runtime.worker_pool import ResidentWorker

if TYPE_CHECKING:
    from distributed import Worker

CLUSTER_KIND = "cluster"
"""Kind of entries that are on their way between machines."""
INLINE_RESULT_BYTES = 256 << 10
"""Larger results do not go through the scheduler but through the store."""
_MAX_NAMED_DIFFERENCES = 3
_MAX_ATTEMPTS = 3
"""How often a call is tried when files that the worker keeps turn out to be damaged."""


@dataclass(frozen=True)
class FileRef:
    """Ref of a file: its path and size at the sender, and the name by which others know it.

    That is `entry`, the kind and name of an entry of the store, for a shareable entry and for a
    missing one of any kind, which the call may make. Else it is the `digest`, "" for an unreadable
    file.
    """

    path: str
    size: int
    digest: str = ""
    entry: str = ""

    @property
    def is_present(self) -> bool:
        return bool(self.size if self.entry else self.digest)

    @property
    def shared_name(self) -> str:
        """Name in a store that both see."""
        return self.entry or f"{CLUSTER_KIND}/{self.digest}"


@dataclass(frozen=True)
class PackedCall:
    """A pickled value, and refs for its paths."""

    data: bytes
    refs: tuple[FileRef, ...]


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
    out = io.BytesIO()
    _RefPickler(out, lambda path: refs.setdefault(path, len(refs))).dump(value)
    return PackedCall(out.getvalue(), tuple(_make_ref(path, store) for path in refs))


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


def _make_ref(path: Path, store: Path) -> FileRef:
    if path.parent.parent == store:
        size = game_files.get_file_size(path)
        if path.parent.name in SHARED_KINDS or not size:
            return FileRef(str(path), size, entry=f"{path.parent.name}/{path.name}")
    try:
        return FileRef(str(path), *_digest_file(path, game_files.stamp_file(path)))
    except game_files.UnreadableError:
        return FileRef(str(path), 0)


@lru_cache(maxsize=16_384)
def _digest_file(path: Path, _stamp: Stamp) -> tuple[int, str]:
    data = game_files.read_file(path, game_files.MAX_BYTES)
    return len(data), digest_bytes(data)


def digest_bytes(data: bytes) -> str:
    """Return the digest (hex) by which data on its way is named."""
    return hashlib.sha256(data).hexdigest()


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
class RemoteAnswer:
    """Answer to a call.

    It has the pickled result, or only its digest where the store holds it; the error that was
    raised; the refs that the worker cannot get; or why the worker cannot work.
    """

    worker: str
    data: bytes = b""
    digest: str = ""
    error: Exception | None = None
    missing_refs: tuple[int, ...] = ()
    unfit: str = ""


class _CommandStore:
    """Where a worker keeps the files of a call: the command's own store, which both see."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(folder)

    @property
    def is_lost(self) -> bool:
        """Say if nothing more can be fetched."""
        return False

    def locate_refs(self, refs: Sequence[FileRef]) -> tuple[list[Path], tuple[int, ...]]:
        """Return the path of each ref on this machine, and the numbers of those that are
        missing."""
        paths = [Path(ref.path) for ref in refs]
        missing = [
            number
            for number, ref in enumerate(refs)
            if ref.digest and game_files.get_file_size(paths[number]) != ref.size
        ]
        return paths, tuple(missing)

    def leave_result(self, data: bytes) -> bool:
        """Leave a result for the command, and say if that was possible."""
        self._store.write(self._store.get_path(CLUSTER_KIND, digest_bytes(data)), data)
        return True

    def drop_damaged(self, _path: str) -> bool:
        """Remove a damaged file, and say if it can be fetched again."""
        return False


class _LocalCopyStore(_CommandStore):
    """A folder of this worker, filled from the shared store."""

    def __init__(self, folder: Path, shared: SharedStore) -> None:
        super().__init__(folder / content_store.STORE_FOLDER)
        self._folder, self._shared = folder, shared

    @property
    def is_lost(self) -> bool:
        return self._shared.is_lost

    def locate_refs(self, refs: Sequence[FileRef]) -> tuple[list[Path], tuple[int, ...]]:
        paths = [self._get_local_path(ref) for ref in refs]
        missing = {
            number for number, ref in enumerate(refs) if not self._has_ref(ref, paths[number])
        }
        wanted: dict[str, list[int]] = {}
        for number in missing:
            wanted.setdefault(refs[number].shared_name, []).append(number)
        for name, data in self._shared.get(wanted) if wanted else ():
            first, *_ = wanted[name]
            if self._save_ref(refs[first], paths[first], data):
                missing.difference_update(wanted[name])
        return paths, tuple(number for number in sorted(missing) if refs[number].is_present)

    def _get_local_path(self, ref: FileRef) -> Path:
        original = PurePath(ref.path)
        if ref.entry:
            return self._store.get_path(original.parent.name, original.name)
        if not ref.is_present:
            return Path(ref.path)
        # Its folder's name belongs to an entry's seal.
        return self._folder / "files" / ref.digest / original.parent.name / original.name

    def _has_ref(self, ref: FileRef, path: Path) -> bool:
        if ref.entry:
            return self._store.has_entry(path)
        return not ref.is_present or game_files.get_file_size(path) == ref.size

    def _save_ref(self, ref: FileRef, path: Path, data: bytes) -> bool:
        """Save what was fetched, and say if it was what was meant."""
        if ref.entry:
            self._store.write(path, data)
        elif digest_bytes(data) != ref.digest:
            return False
        else:
            safe_files.ensure_folder(self._folder, path.parent.relative_to(self._folder).parts)
            scratch = self._store.make_scratch_folder()
            beside = scratch / f"{ref.digest}-{threading.get_ident()}"
            safe_files.replace_file(path, data, beside)
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


def run_call(handshake: Handshake, parcel: PackedCall, inline: bool) -> RemoteAnswer:
    """Do a packed function and its call in the worker process of this thread. Raises nothing.

    `inline` asks for the result itself, however large.
    """
    from distributed import get_worker  # noqa: PLC0415 - only on a worker of a cluster

    worker = get_worker()
    address = worker.address
    store = _open_worker_store(handshake, Path(worker.local_directory))
    if isinstance(store, str):
        return RemoteAnswer(address, unfit=store)
    for _ in range(_MAX_ATTEMPTS):
        try:
            return _run_call_in(store, parcel, inline, address)
        except DamagedEntryError as error:
            failure: Exception = error
            if not store.drop_damaged(error.location):
                break
        except Exception as error:
            failure = error
            break
    return RemoteAnswer(address, error=failure)


def _run_call_in(
    store: _CommandStore, parcel: PackedCall, inline: bool, address: str
) -> RemoteAnswer:
    paths, missing = store.locate_refs(parcel.refs)
    if missing and store.is_lost:
        return RemoteAnswer(address, unfit="the shared store does not answer it any more")
    if missing:
        return RemoteAnswer(address, missing_refs=missing)
    worker = _get_worker()
    worker.forget_exclusions()
    result = worker.run_call(_run_pickled_call, (parcel.data, paths))
    waits = len(result) > INLINE_RESULT_BYTES and not inline and store.leave_result(result)
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
def _open_worker_store(handshake: Handshake, scratch: Path) -> _CommandStore | str:
    """Return where this worker keeps files, or why it cannot work."""
    own_parts = code_version.list_code_parts()
    if handshake.code_parts != own_parts:
        pairs = zip(own_parts, handshake.code_parts, strict=False)
        differences = (f"it has {own}, this command {here}" for own, here in pairs if own != here)
        return summarise(differences, _MAX_NAMED_DIFFERENCES, "; ") or "it has another cardgen"
    folder, shared = Path(handshake.folder), handshake.shared
    try:
        secret = content_store.read_entry(folder / CLUSTER_KIND / handshake.entry_name)
        if secret == handshake.secret:
            return _CommandStore(folder)
    except (DamagedEntryError, OSError):
        pass
    if shared is None:
        return f"it does not see {folder} or runs as another user, and no shared store is set"
    if not shared.writes:
        return (
            f"it does not see {folder} or runs as another user, and this command may not write the "
            "shared store, where it could get what it needs: add --store-write"
        )
    if shared.is_lost:  # for a command that came before
        shared_store.forget_connections()
    found = [data for _, data in shared.get([f"{CLUSTER_KIND}/{handshake.entry_name}"])]
    if found == [handshake.secret]:
        return _LocalCopyStore(safe_files.ensure_folder(scratch, ("cardgen",)), shared)
    return f"it cannot read the shared store {shared.display_address}, or has another key"

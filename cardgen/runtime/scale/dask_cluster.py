"""The calls of a command done on a Dask cluster, in place of workers of this machine.

A call that kills its worker, or whose worker is gone, is done again elsewhere and at last here. So
no state of the cluster changes a byte of what is made.
"""

from __future__ import annotations

import logging
import queue
import re
import secrets
import socket
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.core.problems import summarise
from cardgen.runtime import code_version, content_store, game_files, safe_files, worker_pool
from cardgen.runtime.content_store import DamagedEntryError, Store
from cardgen.runtime.processes import CHECK_INTERVAL_SECONDS
from cardgen.runtime.scale import dask_worker
from cardgen.runtime.scale.dask_worker import CLUSTER_KIND, PackedCall, RemoteAnswer, digest_bytes
from cardgen.runtime.scale.shared_store import SharedStore

if TYPE_CHECKING:
    from distributed import Client, Future

CLUSTER_SCHEMES = ("dask://", "tcp://", "tls://")
"""How the address of a cluster begins."""
DEFAULT_PORT = 8786
"""Port of a scheduler, unless the address names another."""
_MAX_PORT = 65_535
_MAX_GREETING_BYTES = 1_000_000
_WHOLE_LENGTH = getattr(socket, "MSG_WAITALL", 0)
_CONNECT_SECONDS = 15.0
"""How long to wait for an answer of the scheduler."""
_ABANDON_SECONDS = 20.0
"""How long to go on while there is no worker at all."""
_STATUS_INTERVAL_SECONDS = 2.0
_MAX_ATTEMPTS = 3
"""How often a call is sent out before it is done on this machine."""
_MAX_NAMED = 3
_log = logging.getLogger("cardgen")


class ClusterUnfitError(Exception):
    """The cluster cannot be used; the text says why, and what to do."""


@contextmanager
def join_cluster(address: str, folder: Path, shared: SharedStore | None) -> Iterator[None]:
    """Have `map_calls` use the cluster at `address` within the block.

    Its workers must see the store in `folder` or have a shared one. Raises `ClusterUnfitError`.
    """
    client = _connect_client(address)
    cluster = DaskCluster(client, folder, shared)
    try:
        with suppress(safe_files.PathBlockedError, OSError):  # the build reports what is in the way
            cluster.write_handshake()
        cluster.check_workers(address)
        with worker_pool.use_executor(cluster):
            yield
    finally:
        cluster.disconnect()


def _connect_client(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415 - only where a cluster is asked for
    except ImportError:
        raise ClusterUnfitError("it needs Dask: pip install 'cardgen[cluster]'") from None
    for name in [*logging.root.manager.loggerDict, "asyncio"]:
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # cardgen reports it itself
    warnings.filterwarnings("ignore", module="distributed")
    location = _complete_address(address)
    try:
        _probe_scheduler(location)
        return Client(location, timeout=_CONNECT_SECONDS, set_as_default=False)
    except OSError:
        raise ClusterUnfitError(
            f"no Dask scheduler answers at {location}; start one with 'dask scheduler', or leave "
            "out --workers"
        ) from None


def _complete_address(address: str) -> str:
    """Return an address as Dask writes it, with its port."""
    location = address.removeprefix("dask://")
    location = location if "://" in location else f"tcp://{location}"
    lacks_port = ":" not in location.partition("://")[2].rpartition("]")[2]
    return f"{location}:{DEFAULT_PORT}" if lacks_port else location


def _probe_scheduler(location: str) -> None:
    """Check that a scheduler listens and that this side can connect: a failing client is hard to
    end.

    Raises `ClusterUnfitError` and OSError.
    """
    from distributed.security import Security  # noqa: PLC0415

    scheme, _, host_and_port = location.partition("://")
    host, _, port = host_and_port.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > _MAX_PORT or not host.strip("[]"):
        raise ClusterUnfitError(f"'{host_and_port}' is no address; write HOST:PORT")
    if scheme == "tls" and not Security().get_connection_args("client").get("ssl_context"):
        raise ClusterUnfitError(
            "tls:// needs certificates, and Dask's configuration names none: see "
            "distributed.comm.tls there"
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS) as probe:
            # A scheduler speaks first: the length of what it says of itself, and this.
            length = probe.recv(8, _WHOLE_LENGTH) if scheme == "tcp" else b""
    except UnicodeError:
        raise ClusterUnfitError(f"'{host}' is no name of a machine") from None
    if scheme == "tcp" and not 0 < int.from_bytes(length, "little") <= _MAX_GREETING_BYTES:
        raise ClusterUnfitError(f"what answers at {location} is no Dask scheduler")


class DaskCluster:
    """A `CallExecutor` that does calls on a cluster."""

    def __init__(self, client: Client, folder: Path, shared: SharedStore | None) -> None:
        self._client, self._shared = client, shared
        self._store = Store(folder)
        self._word = secrets.token_bytes(32)
        self._name = digest_bytes(secrets.token_bytes(32))
        self._numbers = count()
        self._given: set[str] = set()
        self._threads: dict[str, int] = {}
        self._unfit: set[str] = set()
        self._looked = self._last = time.monotonic()
        self._worked = False
        self.lost = False
        self.inline = False
        """Return results themselves, however large, because the store of a worker cannot be
        read."""

    @property
    def slots(self) -> int:
        """Return how many calls may be on their way."""
        return 2 * sum(self._threads.values()) + 2

    def map_calls(self, function: Callable[[Any], Any], calls: Iterable[Any]) -> Iterator[Any]:
        """Yield the function's results in the order of the calls."""
        if self.lost:
            yield from worker_pool.map_locally(function, calls)
        else:
            self._worked = True
            self.write_handshake()
            yield from _RemoteRun(self, function, calls).collect_results()

    def write_handshake(self) -> None:
        """Write the secret into the stores, by which workers recognise them."""
        path = self._store.get_path(CLUSTER_KIND, self._name)
        if not self._store.has_entry(path):
            self._store.write(path, self._word)
            if self._shared is not None:
                self._shared.put_entry(f"{CLUSTER_KIND}/{self._name}", self._word)
                self._shared.flush()

    def check_workers(self, address: str) -> None:
        """Check that all workers can work for this command. Raises `ClusterUnfitError`."""
        deadline = time.monotonic() + _CONNECT_SECONDS
        self._count_workers()
        while not self._threads and time.monotonic() < deadline:  # some may just be starting
            time.sleep(CHECK_INTERVAL_SECONDS)
            self._count_workers()
        if not self._threads:
            where = self._client.scheduler.address
            raise ClusterUnfitError(
                f"no worker has come to {address}; start one with 'dask worker {where}'"
            )
        answers = self._client.run(
            dask_worker.check_fitness, self._make_handshake(), on_error="return"
        )
        unfit = {each: _explain_unfit(found) for each, found in answers.items() if found}
        if unfit:
            reasons = summarise((f"{each}: {why}" for each, why in unfit.items()), _MAX_NAMED, "; ")
            raise ClusterUnfitError(f"a worker cannot work for this command: {reasons}")

    def _make_handshake(self) -> dask_worker.Handshake:
        parts = code_version.list_code_parts()
        folder = str(self._store.folder)
        return dask_worker.Handshake(folder, self._shared, self._name, self._word, parts)

    def pack_call(self, function: Callable[[Any], Any], call: Any) -> PackedCall:
        return dask_worker.pack_value((function, call), self._store.folder)

    def submit_call(self, parcel: PackedCall) -> Future:
        """Send a call out; its future has a `RemoteAnswer`."""
        usable = [each for each in self._threads if each not in self._unfit]
        return self._client.submit(
            dask_worker.run_call, self._make_handshake(), parcel, self.inline, pure=False,
            key=f"cardgen-{self._name[:12]}-{next(self._numbers)}",
            workers=usable if self._unfit else None,
        )  # fmt: skip

    def cancel_futures(self, futures: list[Future]) -> None:
        """Cancel calls that nobody wants any more."""
        if futures and not self.lost:
            with suppress(Exception):
                self._client.cancel(futures)

    def open_result(self, answer: RemoteAnswer, parcel: PackedCall) -> tuple[bool, Any]:
        """Say if the result of an answer could be had, and return it."""
        data = answer.data or self._fetch_result(answer.digest)
        if data is None:
            self.inline = True
            return False, None
        return True, dask_worker.unpack_value(data, [Path(ref.path) for ref in parcel.refs])

    def _fetch_result(self, name: str) -> bytes | None:
        """Return what a worker left in the store, or None if it is not what the worker said."""
        path = self._store.get_path(CLUSTER_KIND, name)
        with suppress(DamagedEntryError):
            data = content_store.read_entry(path)
            safe_files.remove_path(path)
            return data if digest_bytes(data) == name else None
        shared = f"{CLUSTER_KIND}/{name}"
        data = dict(self._shared.get([shared])).get(shared, b"") if self._shared else b""
        if self._shared:
            self._shared.remove_entries([shared])
        return data if digest_bytes(data) == name else None

    def supply_files(self, parcel: PackedCall, numbers: Iterable[int]) -> bool:
        """Put the files that a worker lacks into the shared store, and say if that was possible."""
        shared = self._shared
        if shared is None or not shared.writes:
            return False
        for ref in (parcel.refs[number] for number in numbers):
            if ref.shared_name in self._given:
                continue
            self._given.add(ref.shared_name)
            read = content_store.read_entry if ref.entry else game_files.read_file
            try:
                data = read(Path(ref.path))
            except game_files.UnreadableError:
                return False
            shared.put_entry(ref.shared_name, data)
        shared.flush()
        if shared.is_lost:
            self._abandon_cluster("workers cannot get what they need")
        return not shared.is_lost

    def exclude_worker(self, answer: RemoteAnswer) -> None:
        """Give no more calls to a worker that cannot work for this command."""
        if answer.worker not in self._unfit:
            self._unfit.add(answer.worker)
            _log.warning("the worker %s is not used: %s", answer.worker, answer.unfit)
        self.check_status(now=True)

    def check_status(self, *, now: bool = False) -> None:
        """Count the workers now and then; set `lost` when none is left."""
        if self.lost or (time.monotonic() - self._looked < _STATUS_INTERVAL_SECONDS and not now):
            return
        self._looked = time.monotonic()
        before = self._threads
        try:
            self._count_workers()
        except Exception:  # whatever libraries raise when a connection is cut
            self._abandon_cluster("the Dask scheduler is gone")
            return
        if gone := before.keys() - self._threads.keys():
            which = f"the worker {min(gone)} is" if len(gone) == 1 else f"{len(gone)} workers are"
            _log.warning("%s gone; what was done there is done again", which)
        if self._threads.keys() - self._unfit:
            self._last = time.monotonic()
        elif self._threads or time.monotonic() - self._last > _ABANDON_SECONDS:
            self._abandon_cluster("no Dask worker is left that can do it")

    def _count_workers(self) -> None:
        self._threads = dict(self._client.sync(
            self._client.scheduler.ncores, callback_timeout=_CONNECT_SECONDS
        ))  # fmt: skip

    def _abandon_cluster(self, why: str) -> None:
        self.lost = True
        _log.warning("%s; going on here", why)

    def disconnect(self) -> None:
        """Leave the cluster, and remove all entries of this command."""
        own = self._store.folder / CLUSTER_KIND
        with suppress(OSError):  # only who works there has it to himself
            safe_files.remove_path(own if self._worked else own / self._name)
        if self._shared:
            self._shared.remove_entries([f"{CLUSTER_KIND}/{self._name}"])
        with suppress(Exception):
            self._client.close(timeout=0 if self.lost else _CONNECT_SECONDS)


def _explain_unfit(answer: Any) -> str:
    if isinstance(answer, ModuleNotFoundError):
        return "it has no cardgen, or an older one; install the same version there"
    return answer if isinstance(answer, str) else f"{type(answer).__name__}: {answer}"


@dataclass
class _RemoteTask:
    index: int
    call: Any
    parcel: PackedCall
    future: Any = None
    attempts: int = 0


class _RemoteRun:
    """One use of `map_calls` on a cluster: the calls on their way, and the results that are in."""

    def __init__(
        self, cluster: DaskCluster, function: Callable[..., Any], calls: Iterable[Any]
    ) -> None:
        self.cluster, self.function = cluster, function
        self.waiting = enumerate(calls)
        self.out: dict[int, _RemoteTask] = {}
        self.done: dict[int, Any] = {}
        self.news: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def collect_results(self) -> Iterator[Any]:
        wanted = 0
        try:
            while not self.cluster.lost:
                self._submit_calls()
                if wanted in self.done:
                    yield self.done.pop(wanted)
                    wanted += 1
                elif self.out:
                    self._receive_answers()
                else:
                    return
            yield from self._finish_locally(wanted)
        finally:  # also at an error or an interrupt: nobody wants the results
            self.cluster.cancel_futures([task.future for task in self.out.values()])

    def _submit_calls(self) -> None:
        slots = self.cluster.slots
        while len(self.out) < slots and len(self.out) + len(self.done) < 2 * slots:
            index, call = next(self.waiting, (-1, None))
            if index < 0:
                return
            task = self.out[index] = _RemoteTask(
                index, call, self.cluster.pack_call(self.function, call)
            )
            self._submit_task(task)

    def _submit_task(self, task: _RemoteTask) -> None:
        task.attempts += 1
        try:
            future = task.future = self.cluster.submit_call(task.parcel)
        except Exception:  # a line that is cut
            self.cluster.check_status(now=True)
            return
        future.add_done_callback(lambda done: self.news.put((task.index, done)))

    def _receive_answers(self) -> None:
        self.cluster.check_status()
        try:
            index, future = self.news.get(timeout=CHECK_INTERVAL_SECONDS)
        except queue.Empty:
            return
        task = self.out.get(index)
        if task is None or future is not task.future:
            return
        try:
            answer = future.result(timeout=_ABANDON_SECONDS)
        except Exception:  # workers that were killed again and again; a scheduler that is gone
            self.cluster.check_status(now=True)
            if not self.cluster.lost:
                self._retry_task(task)
            return
        self._handle_answer(task, answer)

    def _handle_answer(self, task: _RemoteTask, answer: RemoteAnswer) -> None:
        if answer.unfit:
            self.cluster.exclude_worker(answer)
            if not self.cluster.lost:
                task.attempts -= 1  # it was not tried there
                self._submit_task(task)
        elif answer.missing_refs:
            supplied = self.cluster.supply_files(task.parcel, answer.missing_refs)
            if not self.cluster.lost:
                (self._retry_task if supplied else self._run_task_locally)(task)
        elif isinstance(answer.error, DamagedEntryError):
            self._run_task_locally(task)  # it reports what is damaged here, if anything
        elif answer.error is not None:
            raise answer.error
        else:
            is_available, result = self.cluster.open_result(answer, task.parcel)
            if is_available:
                self.done[task.index] = result
                del self.out[task.index]
            else:
                self._retry_task(task)

    def _retry_task(self, task: _RemoteTask) -> None:
        if task.attempts < _MAX_ATTEMPTS:
            self._submit_task(task)
        else:
            self._run_task_locally(task)

    def _run_task_locally(self, task: _RemoteTask) -> None:
        self.done[task.index] = next(worker_pool.map_locally(self.function, [task.call]))
        del self.out[task.index]

    def _finish_locally(self, wanted: int) -> Iterator[Any]:
        """Do the remaining calls on this machine when the cluster is gone."""
        remaining = [(number, task.call) for number, task in sorted(self.out.items())]
        self.out.clear()
        calls = (call for _, call in chain(remaining, self.waiting))
        results = worker_pool.map_locally(self.function, calls)
        for number in count(wanted):
            try:
                yield self.done.pop(number) if number in self.done else next(results)
            except StopIteration:
                return

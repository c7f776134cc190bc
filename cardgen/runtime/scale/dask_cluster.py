"""The work of a command on a Dask cluster, in place of helpers of this machine.

Each call is packed with what its paths mean (`parcels`), and a worker does it in a helper process
of its own (`cluster_worker`). A few calls more than there are threads are on their way at any time.
What goes wrong with the cluster is no fault of the game: what no worker can do is done here, and
all that is left when the scheduler is gone.
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

from cardgen.runtime import code_version, content_store, game_files, safe_files, worker_pool
from cardgen.runtime.content_store import DamagedEntryError, Store
from cardgen.runtime.processes import CHECK_INTERVAL_SECONDS
from cardgen.runtime.scale.remote_calls import (
    CLUSTER_KIND,
    EntryRef,
    PackedCall,
    digest_bytes,
    get_ref_path,
    pack_value,
    unpack_value,
)
from cardgen.runtime.scale.shared_store import SharedStore

if TYPE_CHECKING:
    from distributed import Client, Future

    from cardgen.runtime.scale.dask_worker import Handshake, RemoteAnswer

CLUSTER_SCHEMES = ("dask://", "tcp://", "tls://")
"""How the address of a cluster begins."""
DEFAULT_PORT = 8786
"""Where a scheduler listens unless told otherwise."""
_MAX_PORT = 65_535
_CONNECT_SECONDS = 15.0
"""So long an answer of the scheduler is waited for."""
_ABANDON_SECONDS = 20.0
"""So many seconds there may be no worker at all."""
_STATUS_INTERVAL_SECONDS = 2.0
_MAX_ATTEMPTS = 3
"""So often is a call sent out; then it is done here."""
_MAX_NAMED = 3
_log = logging.getLogger("cardgen")


class ClusterUnfitError(Exception):
    """A cluster that cannot be worked with; the text says why, and what to do."""


@contextmanager
def join_cluster(address: str, folder: Path, shared: SharedStore | None) -> Iterator[None]:
    """Within, what is spread is done on the cluster at `address` by workers that see the store in
    that folder, or have a shared one. Raises `Unfit`."""
    client = _connect_client(address)
    cluster = DaskCluster(client, folder, shared)
    try:
        with suppress(
            safe_files.PathBlockedError, OSError
        ):  # whoever builds there tells what is in the way
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
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # it is told in our own words
    warnings.filterwarnings("ignore", module="distributed")
    place = _complete_address(address)
    try:
        _probe_scheduler(place)
        return Client(place, timeout=_CONNECT_SECONDS, set_as_default=False)
    except OSError:
        raise ClusterUnfitError(
            f"no Dask scheduler answers at {place}; start one with 'dask scheduler', or leave out "
            "--workers"
        ) from None


def _complete_address(address: str) -> str:
    """An address as Dask has it, its port included."""
    place = address.removeprefix("dask://")
    place = place if "://" in place else f"tcp://{place}"
    bare = ":" not in place.partition("://")[2].rpartition("]")[2]
    return f"{place}:{DEFAULT_PORT}" if bare else place


def _probe_scheduler(place: str) -> None:
    """Look whether anybody listens there, and whether this side can speak as it must. Raises
    `Unfit` and OSError; a client that fails to begin is not easily ended."""
    from distributed.security import Security  # noqa: PLC0415

    scheme, _, where = place.partition("://")
    host, _, port = where.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > _MAX_PORT or not host.strip("[]"):
        raise ClusterUnfitError(f"'{where}' is no address; write HOST:PORT")
    if scheme == "tls" and not Security().get_connection_args("client").get("ssl_context"):
        raise ClusterUnfitError(
            "tls:// needs certificates, and Dask's configuration names none: see "
            "distributed.comm.tls there"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except UnicodeError:
        raise ClusterUnfitError(f"'{host}' is no name of a machine") from None


class DaskCluster:
    """A cluster that works for this command; an `Executor`."""

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
        """Whether results come themselves, however large: what waits in a store is not found."""

    @property
    def count_slots(self) -> int:
        """How many calls may be on their way."""
        return 2 * sum(self._threads.values()) + 2

    def map_calls(self, function: Callable[[Any], Any], calls: Iterable[Any]) -> Iterator[Any]:
        """The function's results in the order of the calls."""
        if self.lost:
            yield from worker_pool.map_locally(function, calls)
        else:
            self._worked = True
            self.write_handshake()
            yield from _RemoteRun(self, function, calls).collect_results()

    def write_handshake(self) -> None:
        """Put the word, by which workers know the stores, where they look for it."""
        place = self._store.get_path(CLUSTER_KIND, self._name)
        if not self._store.has_entry(place):
            self._store.write(place, self._word)
            if self._shared is not None:
                self._shared.put_entry(f"{CLUSTER_KIND}/{self._name}", self._word)
                self._shared.flush()

    def check_workers(self, address: str) -> None:
        """Look whether all workers can work for this command. Raises `Unfit`."""
        from cardgen.runtime.scale.dask_worker import check_fitness  # noqa: PLC0415

        until = time.monotonic() + _CONNECT_SECONDS
        self._count_workers()
        while not self._threads and time.monotonic() < until:  # some may just be starting
            time.sleep(CHECK_INTERVAL_SECONDS)
            self._count_workers()
        if not self._threads:
            where = self._client.scheduler.address
            raise ClusterUnfitError(
                f"no worker has come to {address}; start one with 'dask worker {where}'"
            )
        told = self._client.run(check_fitness, self._make_handshake(), on_error="return")
        wrong = {each: _explain_unfit(found) for each, found in told.items() if found}
        if wrong:
            named = "; ".join(f"{each}: {why}" for each, why in [*wrong.items()][:_MAX_NAMED])
            more = f"; and {len(wrong) - _MAX_NAMED} more" if len(wrong) > _MAX_NAMED else ""
            raise ClusterUnfitError(f"a worker cannot work for this command: {named}{more}")

    def _make_handshake(self) -> Handshake:
        from cardgen.runtime.scale.dask_worker import Handshake  # noqa: PLC0415

        folder = str(self._store.folder)
        return Handshake(
            folder, self._shared, self._name, self._word, code_version.list_code_parts()
        )

    def pack_call(self, function: Callable[[Any], Any], call: Any) -> PackedCall:
        return pack_value((function, call), self._store.folder)

    def submit_call(self, parcel: PackedCall) -> Future:
        """A call on its way; what comes of it is an `Answer`."""
        from cardgen.runtime.scale.dask_worker import RemoteOrder, run_order  # noqa: PLC0415

        fit = [each for each in self._threads if each not in self._unfit]
        return self._client.submit(
            run_order, RemoteOrder(self._make_handshake(), parcel, self.inline), pure=False,
            key=f"cardgen-{self._name[:12]}-{next(self._numbers)}",
            workers=fit if self._unfit else None,
        )  # fmt: skip

    def cancel_futures(self, futures: list[Future]) -> None:
        """Nobody wants what is on its way any more."""
        if futures and not self.lost:
            with suppress(Exception):
                self._client.cancel(futures)

    def open_result(self, answer: RemoteAnswer, parcel: PackedCall) -> tuple[bool, Any]:
        """Whether the result could be had, and it."""
        data = answer.data or self._fetch_result(answer.digest)
        if data is None:
            self.inline = True
            return False, None
        places = [get_ref_path(ref, self._store.folder) for ref in parcel.refs]
        return True, unpack_value(data, places)

    def _fetch_result(self, name: str) -> bytes | None:
        """What a worker left in the store. Only what it said is opened."""
        place = self._store.get_path(CLUSTER_KIND, name)
        with suppress(DamagedEntryError):
            data = content_store.read_entry(place)
            safe_files.remove_path(place)
            return data if digest_bytes(data) == name else None
        shared = f"{CLUSTER_KIND}/{name}"
        data = dict(self._shared.get([shared])).get(shared, b"") if self._shared else b""
        if self._shared:
            self._shared.remove_entries([shared])
        return data if digest_bytes(data) == name else None

    def supply_files(self, parcel: PackedCall, numbers: Iterable[int]) -> bool:
        """Put what a worker lacks where it can get it; whether that is possible."""
        shared = self._shared
        if shared is None or not shared.writes:
            return False
        for ref in (parcel.refs[number] for number in numbers):
            if ref.shared_name in self._given:
                continue
            self._given.add(ref.shared_name)
            place = get_ref_path(ref, self._store.folder)
            try:
                data = (
                    content_store.read_entry(place)
                    if isinstance(ref, EntryRef)
                    else game_files.read_file(place)
                )
            except game_files.UnreadableError:
                return False
            shared.put_entry(ref.shared_name, data)
        shared.flush()
        if shared.is_lost:
            self._abandon_cluster("workers cannot get what they need")
        return not shared.is_lost

    def exclude_worker(self, answer: RemoteAnswer) -> None:
        """A worker that cannot work for this command, or no more."""
        if answer.worker not in self._unfit:
            self._unfit.add(answer.worker)
            _log.warning("the worker %s is left out: %s", answer.worker, answer.unfit)
        self.check_status(now=True)

    def check_status(self, *, now: bool = False) -> None:
        """See who is there, now and then; `lost` tells that nobody is."""
        if self.lost or (time.monotonic() - self._looked < _STATUS_INTERVAL_SECONDS and not now):
            return
        self._looked = time.monotonic()
        before = self._threads
        try:
            self._count_workers()
        except Exception:  # whatever a library makes of a line that is cut
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
        """Let the cluster go, and leave nothing behind."""
        own = self._store.folder / CLUSTER_KIND
        with suppress(OSError):  # only who works there has it to himself
            safe_files.remove_path(own if self._worked else own / self._name)
        if self._shared:
            self._shared.remove_entries([f"{CLUSTER_KIND}/{self._name}"])
        with suppress(Exception):
            self._client.close(timeout=0 if self.lost else _CONNECT_SECONDS)


def _explain_unfit(found: Any) -> str:
    if isinstance(found, ModuleNotFoundError):
        return "it has no cardgen, or an older one; install the same version there"
    return found if isinstance(found, str) else f"{type(found).__name__}: {found}"


@dataclass
class _RemoteTask:
    index: int
    call: Any
    parcel: PackedCall
    future: Any = None
    attempts: int = 0


class _RemoteRun:
    """One `spread` on a cluster: which calls are on their way, and which results are in."""

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
        finally:  # also at an error or an interrupt: nobody wants their work now
            self.cluster.cancel_futures([task.future for task in self.out.values()])

    def _submit_calls(self) -> None:
        room = self.cluster.count_slots
        while len(self.out) < room and len(self.out) + len(self.done) < 2 * room:
            number, call = next(self.waiting, (-1, None))
            if number < 0:
                return
            task = self.out[number] = _RemoteTask(
                number, call, self.cluster.pack_call(self.function, call)
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
            number, future = self.news.get(timeout=CHECK_INTERVAL_SECONDS)
        except queue.Empty:
            return
        task = self.out.get(number)
        if task is None or future is not task.future:
            return
        try:
            answer = future.result(timeout=_ABANDON_SECONDS)
        except Exception:  # workers that were killed again and again; a scheduler that is gone
            self._handle_lost_call(task)
            return
        self._handle_answer(task, answer)

    def _handle_answer(self, task: _RemoteTask, answer: RemoteAnswer) -> None:
        if answer.unfit:
            self.cluster.exclude_worker(answer)
            if not self.cluster.lost:
                task.attempts -= 1  # it was not tried there
                self._submit_task(task)
        elif answer.missing_refs:
            given = self.cluster.supply_files(task.parcel, answer.missing_refs)
            if not self.cluster.lost:
                (self._retry_task if given else self._run_task_locally)(task)
        elif isinstance(answer.error, DamagedEntryError):
            self._run_task_locally(
                task
            )  # which tells what of this machine's is damaged, if anything
        elif answer.error is not None:
            raise answer.error
        else:
            there, result = self.cluster.open_result(answer, task.parcel)
            if there:
                self.done[task.index] = result
                del self.out[task.index]
            else:
                self._retry_task(task)

    def _handle_lost_call(self, task: _RemoteTask) -> None:
        """A call of which nothing came."""
        self.cluster.check_status(now=True)
        if not self.cluster.lost:
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
        """What is left when the cluster is gone, by helpers of this machine."""
        left = [(number, self.out[number].call) for number in sorted(self.out)]
        self.out.clear()
        numbers: list[int] = []

        def iterate_calls() -> Iterator[Any]:
            for number, call in chain(left, self.waiting):
                numbers.append(number)
                yield call

        for turn, result in enumerate(worker_pool.map_locally(self.function, iterate_calls())):
            self.done[numbers[turn]] = result
            while wanted in self.done:
                yield self.done.pop(wanted)
                wanted += 1
        while wanted in self.done:
            yield self.done.pop(wanted)
            wanted += 1

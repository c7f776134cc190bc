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

from cardgen.base import engine, filing, guard, paths, store, workers
from cardgen.base.parcels import KIND, Entry, Parcel, digest, opened, packed, place_of
from cardgen.base.processes import LOOK
from cardgen.base.shared_store import Shared
from cardgen.base.store import Damaged, Store

if TYPE_CHECKING:
    from distributed import Client, Future

    from cardgen.base.cluster_worker import Answer, Meeting

SCHEMES = ("dask://", "tcp://", "tls://")
"""How the address of a cluster begins."""
PORT = 8786
"""Where a scheduler listens unless told otherwise."""
_MOST_PORT = 65_535
_SECONDS = 15.0
"""So long an answer of the scheduler is waited for."""
_LEFT = 20.0
"""So many seconds there may be no worker at all."""
_A_LOOK = 2.0
_TRIES = 3
"""So often is a call sent out; then it is done here."""
_NAMED = 3
_log = logging.getLogger("cardgen")


class Unfit(Exception):  # noqa: N818 - it reads as what it says
    """A cluster that cannot be worked with; the text says why, and what to do."""


@contextmanager
def joined(address: str, folder: Path, shared: Shared | None) -> Iterator[None]:
    """Within, what is spread is done on the cluster at `address` by workers that see the store in
    that folder, or have a shared one. Raises `Unfit`."""
    client = _client(address)
    cluster = Cluster(client, folder, shared)
    try:
        with suppress(filing.Blocked, OSError):  # whoever builds there tells what is in the way
            cluster.meet()
        cluster.check(address)
        with workers.done_by(cluster):
            yield
    finally:
        cluster.leave()


def _client(address: str) -> Client:
    try:
        from distributed import Client  # noqa: PLC0415 - only where a cluster is asked for
    except ImportError:
        raise Unfit("it needs Dask: pip install 'cardgen[cluster]'") from None
    for name in [*logging.root.manager.loggerDict, "asyncio"]:
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # it is told in our own words
    warnings.filterwarnings("ignore", module="distributed")
    place = _place(address)
    try:
        _answers(place)
        return Client(place, timeout=_SECONDS, set_as_default=False)
    except OSError:
        raise Unfit(
            f"no Dask scheduler answers at {place}; start one with 'dask scheduler', or leave out "
            "--workers"
        ) from None


def _place(address: str) -> str:
    """An address as Dask has it, its port included."""
    place = address.removeprefix("dask://")
    place = place if "://" in place else f"tcp://{place}"
    bare = ":" not in place.partition("://")[2].rpartition("]")[2]
    return f"{place}:{PORT}" if bare else place


def _answers(place: str) -> None:
    """Look whether anybody listens there, and whether this side can speak as it must. Raises
    `Unfit` and OSError; a client that fails to begin is not easily ended."""
    from distributed.security import Security  # noqa: PLC0415

    scheme, _, where = place.partition("://")
    host, _, port = where.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) > _MOST_PORT or not host.strip("[]"):
        raise Unfit(f"'{where}' is no address; write HOST:PORT")
    if scheme == "tls" and not Security().get_connection_args("client").get("ssl_context"):
        raise Unfit(
            "tls:// needs certificates, and Dask's configuration names none: see "
            "distributed.comm.tls there"
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS).close()
    except UnicodeError:
        raise Unfit(f"'{host}' is no name of a machine") from None


class Cluster:
    """A cluster that works for this command; an `Executor`."""

    def __init__(self, client: Client, folder: Path, shared: Shared | None) -> None:
        self._client, self._shared = client, shared
        self._store = Store(folder)
        self._word = secrets.token_bytes(32)
        self._name = digest(secrets.token_bytes(32))
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
    def room(self) -> int:
        """How many calls may be on their way."""
        return 2 * sum(self._threads.values()) + 2

    def spread(self, function: Callable[[Any], Any], calls: Iterable[Any]) -> Iterator[Any]:
        """The function's results in the order of the calls."""
        if self.lost:
            yield from workers.here(function, calls)
        else:
            self._worked = True
            self.meet()
            yield from _Spreading(self, function, calls).results()

    def meet(self) -> None:
        """Put the word, by which workers know the stores, where they look for it."""
        place = self._store.path(KIND, self._name)
        if not self._store.has(place):
            self._store.write(place, self._word)
            if self._shared is not None:
                self._shared.put(f"{KIND}/{self._name}", self._word)
                self._shared.flush()

    def check(self, address: str) -> None:
        """Look whether all workers can work for this command. Raises `Unfit`."""
        from cardgen.base.cluster_worker import fit  # noqa: PLC0415

        until = time.monotonic() + _SECONDS
        self._count()
        while not self._threads and time.monotonic() < until:  # some may just be starting
            time.sleep(LOOK)
            self._count()
        if not self._threads:
            where = self._client.scheduler.address
            raise Unfit(f"no worker has come to {address}; start one with 'dask worker {where}'")
        told = self._client.run(fit, self._meeting(), on_error="return")
        wrong = {each: _why(found) for each, found in told.items() if found}
        if wrong:
            named = "; ".join(f"{each}: {why}" for each, why in [*wrong.items()][:_NAMED])
            more = f"; and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
            raise Unfit(f"a worker cannot work for this command: {named}{more}")

    def _meeting(self) -> Meeting:
        from cardgen.base.cluster_worker import Meeting  # noqa: PLC0415

        folder = str(self._store.folder)
        return Meeting(folder, self._shared, self._name, self._word, engine.parts())

    def pack(self, function: Callable[[Any], Any], call: Any) -> Parcel:
        return packed((function, call), self._store.folder)

    def send(self, parcel: Parcel) -> Future:
        """A call on its way; what comes of it is an `Answer`."""
        from cardgen.base.cluster_worker import Order, carry_out  # noqa: PLC0415

        fit = [each for each in self._threads if each not in self._unfit]
        return self._client.submit(
            carry_out, Order(self._meeting(), parcel, self.inline), pure=False,
            key=f"cardgen-{self._name[:12]}-{next(self._numbers)}",
            workers=fit if self._unfit else None,
        )  # fmt: skip

    def cancel(self, futures: list[Future]) -> None:
        """Nobody wants what is on its way any more."""
        if futures and not self.lost:
            with suppress(Exception):
                self._client.cancel(futures)

    def result_of(self, answer: Answer, parcel: Parcel) -> tuple[bool, Any]:
        """Whether the result could be had, and it."""
        data = answer.data or self._taken(answer.digest)
        if data is None:
            self.inline = True
            return False, None
        places = [place_of(ref, self._store.folder) for ref in parcel.refs]
        return True, opened(data, places)

    def _taken(self, name: str) -> bytes | None:
        """What a worker left in the store. Only what it said is opened."""
        place = self._store.path(KIND, name)
        with suppress(Damaged):
            data = store.read(place)
            filing.remove(place)
            return data if digest(data) == name else None
        shared = f"{KIND}/{name}"
        data = dict(self._shared.get([shared])).get(shared, b"") if self._shared else b""
        if self._shared:
            self._shared.remove([shared])
        return data if digest(data) == name else None

    def give(self, parcel: Parcel, numbers: Iterable[int]) -> bool:
        """Put what a worker lacks where it can get it; whether that is possible."""
        shared = self._shared
        if shared is None or not shared.writes:
            return False
        for ref in (parcel.refs[number] for number in numbers):
            if ref.meeting in self._given:
                continue
            self._given.add(ref.meeting)
            place = place_of(ref, self._store.folder)
            try:
                data = store.read(place) if isinstance(ref, Entry) else paths.read(place)
            except paths.Unreadable:
                return False
            shared.put(ref.meeting, data)
        shared.flush()
        if shared.lost:
            self._give_up("workers cannot get what they need")
        return not shared.lost

    def leave_out(self, answer: Answer) -> None:
        """A worker that cannot work for this command, or no more."""
        if answer.worker not in self._unfit:
            self._unfit.add(answer.worker)
            _log.warning("the worker %s is left out: %s", answer.worker, answer.unfit)
        self.look(now=True)

    def look(self, *, now: bool = False) -> None:
        """See who is there, now and then; `lost` tells that nobody is."""
        if self.lost or (time.monotonic() - self._looked < _A_LOOK and not now):
            return
        self._looked = time.monotonic()
        before = self._threads
        try:
            self._count()
        except Exception:  # whatever a library makes of a line that is cut
            self._give_up("the Dask scheduler is gone")
            return
        if gone := before.keys() - self._threads.keys():
            which = f"the worker {min(gone)} is" if len(gone) == 1 else f"{len(gone)} workers are"
            _log.warning("%s gone; what was done there is done again", which)
        if self._threads.keys() - self._unfit:
            self._last = time.monotonic()
        elif self._threads or time.monotonic() - self._last > _LEFT:
            self._give_up("no Dask worker is left that can do it")

    def _count(self) -> None:
        self._threads = dict(self._client.sync(
            self._client.scheduler.ncores, callback_timeout=_SECONDS
        ))  # fmt: skip

    def _give_up(self, why: str) -> None:
        self.lost = True
        _log.warning("%s; going on here", why)

    def leave(self) -> None:
        """Let the cluster go, and leave nothing behind."""
        own = self._store.folder / KIND
        with suppress(OSError):  # only who works there has it to himself
            filing.remove(own if self._worked else own / self._name)
        if self._shared:
            self._shared.remove([f"{KIND}/{self._name}"])
        with suppress(Exception):
            self._client.close(timeout=0 if self.lost else _SECONDS)


def _why(found: Any) -> str:
    if isinstance(found, ModuleNotFoundError):
        return "it has no cardgen, or an older one; install the same version there"
    return found if isinstance(found, str) else f"{type(found).__name__}: {found}"


@dataclass
class _Task:
    number: int
    call: Any
    parcel: Parcel
    future: Any = None
    sent: int = 0


class _Spreading:
    """One `spread` on a cluster: which calls are on their way, and which results are in."""

    def __init__(
        self, cluster: Cluster, function: Callable[..., Any], calls: Iterable[Any]
    ) -> None:
        self.cluster, self.function = cluster, function
        self.waiting = enumerate(calls)
        self.out: dict[int, _Task] = {}
        self.done: dict[int, Any] = {}
        self.news: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()

    def results(self) -> Iterator[Any]:
        wanted = 0
        try:
            while not self.cluster.lost:
                self._hand_out()
                if wanted in self.done:
                    yield self.done.pop(wanted)
                    wanted += 1
                elif self.out:
                    self._take_in()
                else:
                    return
            yield from self._rest(wanted)
        finally:  # also at an error or an interrupt: nobody wants their work now
            self.cluster.cancel([task.future for task in self.out.values()])

    def _hand_out(self) -> None:
        room = self.cluster.room
        while len(self.out) < room and len(self.out) + len(self.done) < 2 * room:
            number, call = next(self.waiting, (-1, None))
            if number < 0:
                return
            task = self.out[number] = _Task(number, call, self.cluster.pack(self.function, call))
            self._send(task)

    def _send(self, task: _Task) -> None:
        task.sent += 1
        try:
            future = task.future = self.cluster.send(task.parcel)
        except Exception:  # a line that is cut
            self.cluster.look(now=True)
            return
        future.add_done_callback(lambda done: self.news.put((task.number, done)))

    def _take_in(self) -> None:
        self.cluster.look()
        try:
            number, future = self.news.get(timeout=LOOK)
        except queue.Empty:
            return
        task = self.out.get(number)
        if task is None or future is not task.future:
            return
        try:
            answer = future.result(timeout=_LEFT)
        except Exception:  # workers that were killed again and again; a scheduler that is gone
            self._undone(task)
            return
        self._settle(task, answer)

    def _settle(self, task: _Task, answer: Answer) -> None:
        for what, why in answer.remembered.items():
            guard.remember(what, why)
        if answer.unfit:
            self.cluster.leave_out(answer)
            if not self.cluster.lost:
                task.sent -= 1  # it was not tried there
                self._send(task)
        elif answer.lacking:
            given = self.cluster.give(task.parcel, answer.lacking)
            if not self.cluster.lost:
                (self._once_more if given else self._here)(task)
        elif isinstance(answer.error, Damaged):
            self._here(task)  # which tells what of this machine's is damaged, if anything
        elif answer.error is not None:
            raise answer.error
        else:
            there, result = self.cluster.result_of(answer, task.parcel)
            if there:
                self.done[task.number] = result
                del self.out[task.number]
            else:
                self._once_more(task)

    def _undone(self, task: _Task) -> None:
        """A call of which nothing came."""
        self.cluster.look(now=True)
        if not self.cluster.lost:
            self._once_more(task)

    def _once_more(self, task: _Task) -> None:
        if task.sent < _TRIES:
            self._send(task)
        else:
            self._here(task)

    def _here(self, task: _Task) -> None:
        self.done[task.number] = next(workers.here(self.function, [task.call]))
        del self.out[task.number]

    def _rest(self, wanted: int) -> Iterator[Any]:
        """What is left when the cluster is gone, by helpers of this machine."""
        left = [(number, self.out[number].call) for number in sorted(self.out)]
        self.out.clear()
        numbers: list[int] = []

        def calls() -> Iterator[Any]:
            for number, call in chain(left, self.waiting):
                numbers.append(number)
                yield call

        for turn, result in enumerate(workers.here(self.function, calls())):
            self.done[numbers[turn]] = result
            while wanted in self.done:
                yield self.done.pop(wanted)
                wanted += 1
        while wanted in self.done:
            yield self.done.pop(wanted)
            wanted += 1

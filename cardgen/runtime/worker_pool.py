"""Calls spread over worker processes, which are watched over and kept for the next calls.

A worker that dies on content of a game (`work_limits.work_limit`) is followed by another, which
does the same call with that content excluded. One that something outside cardgen kills is followed
by another that excludes nothing. No worker outlives the process that it works for, and none imports
a module from the current folder: workers start in safe-path mode.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import logging
import os
import pickle
import queue
import signal
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError, StatusPage
from cardgen.runtime import processes, user_secret
from cardgen.runtime.fork_server import ForkServer

Call = TypeVar("Call")
Result = TypeVar("Result")

_log = logging.getLogger("cardgen")
_MAX_WORKERS = 8
_MAX_DEATHS = 3
"""How often workers may be killed from outside over the same call."""
_MAX_EXCLUSIONS = 8
_SLOW_MODULES = (
    "cardgen.faces.layout_engine",
    "cardgen.pdf.composition",
    "cardgen.pdf.raster",
)
"""What typesetting imports, with WeasyPrint, pikepdf and pdfium, in the order of their use."""


def map_calls(
    function: Callable[[Call], Result], calls: Iterable[Call], *, alone: bool
) -> Iterator[Result]:
    """Yield the function's results in the order of the calls; with `alone`, all in this process.

    Function, calls and results are sent between processes, so they must be picklable. Calls are
    taken from `calls` only as a worker is free. Where a worker dies on content of a game, the call
    is done again, and `work_limit` raises `LimitExceededError` for that content.
    """
    if alone:
        yield from map(function, calls)
    elif _executors:
        yield from _executors[-1].map_calls(function, calls)
    else:
        yield from map_locally(function, calls)


def map_locally(function: Callable[[Call], Result], calls: Iterable[Call]) -> Iterator[Result]:
    """Do the same on this machine, whichever executor is in use."""
    if count_workers() < 2:
        yield from map(function, calls)
    else:
        yield from _ParallelRun(function, calls).collect_results()


class CallExecutor(Protocol):
    """Another place where calls are done, such as a cluster, with the same exclusions."""

    def map_calls(
        self, function: Callable[[Call], Result], calls: Iterable[Call]
    ) -> Iterator[Result]: ...


_executors: list[CallExecutor] = []
"""The last one is in use; with none, this machine does the calls."""
_worker_counts: list[int] = []
"""The last one holds; with none, there are as many workers as cores."""


@contextlib.contextmanager
def use_executor(executor: CallExecutor) -> Iterator[None]:
    """Have `map_calls` use an executor within the block."""
    _executors.append(executor)
    try:
        yield
    finally:
        _executors.pop()


@contextlib.contextmanager
def use_workers(number: int) -> Iterator[None]:
    """Have `map_calls` use so many workers within the block; with 1, this process alone."""
    _worker_counts.append(number)
    try:
        yield
    finally:
        _worker_counts.pop()


def warm_up_workers(count: int = 0, *, is_fresh: bool = False) -> None:
    """Start so many workers for typesetting, and do not wait for them.

    Where workers are forked, the others have imported what it needs, too. A process that has read
    nothing of a game yet, and `is_fresh`, shares with them what it has imported itself.
    """
    if count_workers() > 1:
        _worker_pool.warm_up(count, is_fresh=is_fresh)


def fork_server(module: str) -> ForkServer | None:
    """Import a module, and return a server whose workers have imported it, too.

    This process must have read nothing of a game. Return None where processes cannot be forked:
    workers import the module themselves while this process goes on.
    """
    if not processes.CAN_FORK:
        return None
    importlib.import_module(module)
    return ForkServer(serve_calls, as_fork=True)


def has_fork_server() -> bool:
    """Say if workers start at once, because a process waits that has imported what they need."""
    return count_workers() > 1 and _worker_pool.has_server


def count_workers() -> int:
    """Return how many workers `map_calls` uses on this machine."""
    return _worker_counts[-1] if _worker_counts else min(os.cpu_count() or 1, _MAX_WORKERS)


@dataclass
class _CallTask:
    index: int
    call: Any
    exclusions: dict[str, str] = field(default_factory=dict)
    deaths: int = 0

    def record_death(self, worker: _WorkerProcess) -> None:
        """Note why a worker died over the call. Raises `LimitExceededError` after too many."""
        worker.stop()
        code = worker.process.wait()
        if not worker.watch.learn_exclusion(code, self.exclusions):
            self.deaths += 1
            _log.warning("a helper process was ended from outside; its work is done again")
        if self.deaths >= _MAX_DEATHS or len(self.exclusions) > _MAX_EXCLUSIONS:
            raise LimitExceededError(
                worker.watch.find_fault(code)[1]
                or "the process that worked at it was ended from outside, again"
            )


class _ParallelRun:
    """One use of `map_calls`: the calls at work, and the results that are in."""

    def __init__(self, function: Callable[..., Any], calls: Iterable[Any]) -> None:
        self.function = function
        self.waiting = (_CallTask(index, call) for index, call in enumerate(calls))
        self.retries: list[_CallTask] = []
        self.at_work: dict[_WorkerProcess, _CallTask] = {}
        self.results: dict[int, Any] = {}

    def collect_results(self) -> Iterator[Any]:
        wanted = 0
        try:
            self._assign_calls()
            while self.at_work or wanted in self.results:
                if wanted in self.results:
                    yield self.results.pop(wanted)
                    wanted += 1
                else:
                    self._receive_answer()
                self._assign_calls()
        finally:
            for worker in self.at_work:  # an error or an interrupt: nobody wants their results
                worker.stop()

    def _assign_calls(self) -> None:
        while len(self.at_work) < count_workers():
            task = self.retries.pop() if self.retries else next(self.waiting, None)
            if task is None:
                return
            worker = _worker_pool.get_idle_worker(self.at_work)
            self.at_work[worker] = task
            worker.send_message((self.function, task.call, task.exclusions))

    def _receive_answer(self) -> None:
        try:
            worker, answer = _worker_pool.answers.get(timeout=processes.CHECK_INTERVAL_SECONDS)
        except queue.Empty:
            for worker in self.at_work:
                worker.watch.check_limits()
            return
        task = self.at_work.pop(worker, None)
        if task is None:
            return  # from a worker that was stopped in an earlier run
        if answer is None:
            task.record_death(worker)
            self.retries.append(task)
        else:
            self.results[task.index] = _open_answer(answer)


class ResidentWorker:
    """A worker of its own that does one call after another and keeps its memory in between.

    Only one thread at a time may call. Where the process dies on content of a game, another is
    started, with nothing in memory. It does the call again with that content excluded, and so for
    the next calls, until `forget_exclusions`.
    """

    def __init__(self, module: str = "", server: ForkServer | None = None) -> None:
        """`module` is the full name of one to import before the first call. The process is forked
        by a server as long as that lives."""
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._worker: _WorkerProcess | None = None
        self._module, self.server = module, server
        self._exclusions: dict[str, str] = {}
        self._stopped = self._is_abandoned = False

    @property
    def has_exclusions(self) -> bool:
        """True where the process died on content that is excluded now."""
        return bool(self._exclusions)

    def run_call(self, function: Callable[[Call], Result], call: Call) -> Result:
        """Return the function's result; call and result must be picklable.

        Raises `LimitExceededError` where no process lives long enough, and after `stop` and
        `abandon_call`.
        """
        task = _CallTask(0, call, self._exclusions)
        self._is_abandoned = False
        while not self._stopped:
            worker = self._ensure_process()
            worker.send_message((function, call, self._exclusions))
            answer = self._await_answer(worker)
            if self._is_abandoned:
                worker.process.wait()
            if self._stopped or self._is_abandoned:
                break
            if answer is not None:
                result: Result = _open_answer(answer)
                return result
            task.record_death(worker)
        raise LimitExceededError("the work was ended")

    def start(self) -> None:
        """Start the process without waiting for it."""
        self._ensure_process()

    def call_ahead(self, function: Callable[[Call], object], call: Call) -> None:
        """Have the process do something before the first `run_call`, and wait for nothing. The
        result, or error, is dropped."""
        worker = self._ensure_process()
        worker.ahead += 1
        worker.send_message((function, call, self._exclusions))

    def forget_exclusions(self) -> None:
        """Exclude nothing any more, because the content may have changed."""
        self._exclusions = {}

    def abandon_call(self) -> None:
        """Kill the process; a call at work raises `LimitExceededError`, and the next one starts
        another process."""
        self._is_abandoned = True
        if self._worker is not None:
            self._worker.stop()

    def stop(self) -> None:
        """Kill the process for good; a call at work raises `LimitExceededError`."""
        self._stopped = True
        if self._worker is not None:
            self._worker.stop()

    def _ensure_process(self) -> _WorkerProcess:
        if self._worker is None or not self._worker.is_alive:
            server = self.server if self.server and self.server.is_alive else None
            self._worker = _WorkerProcess(self._answers, self._module, server)
            if self._stopped:  # by another thread, meanwhile
                self._worker.stop()
        return self._worker

    def _await_answer(self, worker: _WorkerProcess) -> Any:
        """Return the worker's answer; None when it died over the call."""
        while True:
            try:
                sender, answer = self._answers.get(timeout=processes.CHECK_INTERVAL_SECONDS)
            except queue.Empty:
                worker.watch.check_limits()
                continue
            if sender is worker and answer is not None and worker.ahead:
                worker.ahead -= 1
            elif sender is worker:
                return answer


class _WorkerProcess:
    """A process that does one call after another, for as long as this process lives."""

    def __init__(
        self, answers: queue.SimpleQueue[Any], module: str = "", server: ForkServer | None = None
    ) -> None:
        """Put each answer into the queue with this object; None once the process is dead.

        It is forked by a server, or starts and imports the module.
        """
        self.watch = processes.ProcessWatch()
        self.ahead = 0
        """Number of calls whose answers nobody waits for, and which come before all others."""
        self._is_stopped = False
        if server and module:
            server.import_modules([module])
        self.process = self.watch.process = (
            server.fork_worker(self.watch.page) if server else self._start_process(module)
        )
        threading.Thread(target=self._read_answers, args=(answers,), daemon=True).start()

    def _start_process(self, module: str) -> subprocess.Popen[bytes]:
        page = self.watch.page
        call = f"worker_pool.serve_calls({page.handle!r}, {os.getpid()}, {module!r})"
        boot = f"from cardgen.runtime import worker_pool; {call}"
        with processes.block_end_signals():
            return subprocess.Popen(
                processes.build_python_command(boot), env=processes.build_environment(),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                pass_fds=page.inherited_files,
            )  # fmt: skip

    def send_message(self, message: Any) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it is dead, and its queue says so
            _write_message(self.process.stdin, pickle.dumps(message))

    def _read_answers(self, answers: queue.SimpleQueue[Any]) -> None:
        with contextlib.suppress(Exception):
            while (message := _read_message(self.process.stdout)) is not None:
                answers.put((self, message))
        answers.put((self, None))

    def stop(self) -> None:
        self._is_stopped = True
        self.process.kill()

    @property
    def is_alive(self) -> bool:
        return not self._is_stopped and self.process.poll() is None


class _WorkerPool:
    """The workers of this process, kept for the next calls."""

    def __init__(self) -> None:
        self.workers: list[_WorkerProcess] = []
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._server: ForkServer | None = None
        self._key = b""

    def _end_those_of_another_key(self) -> None:
        """Stop workers that seal what they make with another key than this process does now."""
        key = user_secret.get_seal_key()  # one that cannot be stored is passed on to children
        if self._key not in {b"", key}:
            self.stop()
            self.workers, self.answers = [], queue.SimpleQueue()
        self._key = key

    def warm_up(self, count: int, *, is_fresh: bool) -> None:
        self._end_those_of_another_key()
        server = self._get_server(is_fresh=is_fresh)
        if server:
            server.import_modules(_SLOW_MODULES)
        while len(self.workers) < count:
            self._start_worker(_SLOW_MODULES[0])

    @property
    def has_server(self) -> bool:
        return self._server is not None and self._server.is_alive

    def _get_server(self, *, is_fresh: bool = False) -> ForkServer | None:
        """Return the server that forks workers, started where there is none."""
        if not processes.CAN_FORK:
            return None
        if not self.has_server:
            self._register_stop()
            self._server = ForkServer(serve_calls, as_fork=is_fresh)
        return self._server

    def get_idle_worker(self, busy: Mapping[_WorkerProcess, Any]) -> _WorkerProcess:
        self._end_those_of_another_key()
        self.workers = [worker for worker in self.workers if worker.is_alive]
        idle = (worker for worker in self.workers if worker not in busy)
        return next(idle, None) or self._start_worker()

    def _start_worker(self, module: str = "") -> _WorkerProcess:
        self._register_stop()
        self.workers.append(_WorkerProcess(self.answers, module, self._get_server()))
        return self.workers[-1]

    def _register_stop(self) -> None:
        atexit.unregister(self.stop)
        atexit.register(self.stop)

    def stop(self) -> None:
        for worker in self.workers:
            worker.stop()
        if self._server is not None:
            self._server.stop()
            self._server = None


_worker_pool = _WorkerPool()


def _read_message(stream: Any) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        return None
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # noqa: S301 - from our own process


def _write_message(stream: Any, data: bytes) -> None:
    stream.write(len(data).to_bytes(8, "big") + data)
    stream.flush()


def serve_calls(handle: int | str, parent: int, module: str = "") -> None:
    """Do the calls that arrive on standard input and write answers to standard output.

    `_WorkerProcess` starts a process with this function, or a fork server forks one.
    """
    for number in processes.END_SIGNALS:
        if number != signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)  # the process that it works for ends it
    processes.unblock_end_signals()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    work_limits.apply_limits(StatusPage(handle), {}, parent)
    if module:
        with contextlib.suppress(Exception):  # the call that needs it raises the error
            importlib.import_module(module)
        gc.freeze()  # modules stay: the garbage collector need not search them
    # Not `sys.stdin`: in a fork it may hold what its parent has read in advance.
    calls = os.fdopen(0, "rb", closefd=False)
    while (message := _read_message(calls)) is not None:
        function, call, exclusions = message
        work_limits.set_exclusions(exclusions)
        _write_message(out, _execute_call(function, call))


def _execute_call(function: Callable[[Any], Any], call: Any) -> bytes:
    """Return the pickled answer: a result, or the error with its traceback as a note."""
    try:
        return pickle.dumps((function(call), None))
    except Exception as error:
        import traceback  # noqa: PLC0415 - in case

        error.add_note("In a helper process:\n" + "".join(traceback.format_exception(error)))
        with contextlib.suppress(Exception):
            data = pickle.dumps((None, error))
            pickle.loads(data)  # noqa: S301 - made above; some exceptions cannot be unpickled
            return data
        return pickle.dumps((None, RuntimeError("\n".join([repr(error), *error.__notes__]))))


def _open_answer(answer: tuple[Any, Exception | None]) -> Any:
    """Return the result of an answer, or raise its error."""
    result, error = answer
    if error is not None:
        raise error
    return result

"""Work spread over the cores, in processes that are watched over and kept for the next work.

A process that dies or is ended at something of the game (`guard.at`) is followed by another, which
does the same work with that thing left out and told. One that dies of anything else, killed from
outside, is followed by another that leaves nothing out. None outlives the one that it works for,
and none finds a module where one happens to stand: they start in safe-path mode.
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
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError, StatusPage
from cardgen.runtime.processes import (
    CHECK_INTERVAL_SECONDS,
    END_SIGNALS,
    ProcessWatch,
    block_end_signals,
    build_environment,
    build_python_command,
    unblock_end_signals,
)

Call = TypeVar("Call")
Result = TypeVar("Result")

_log = logging.getLogger("cardgen")
_MAX_WORKERS = 8
_MAX_DEATHS = 3
"""So often may a process die over the same work without a word of what it was at."""
_MAX_EXCLUSIONS = 8


def map_calls(
    function: Callable[[Call], Result], calls: Iterable[Call], *, alone: bool
) -> Iterator[Result]:
    """The function's results in the order of the calls; all in this process if `alone`.

    Function, calls and results are sent between processes, so they must be picklable. Calls are
    taken from `calls` only as there is somebody to do them. Where a helper dies over a thing, the
    call is done again, and `guard.at` raises `Stopped` at that thing.
    """
    if alone:
        yield from map(function, calls)
    elif _executors:
        yield from _executors[-1].map_calls(function, calls)
    else:
        yield from map_locally(function, calls)


def map_locally(function: Callable[[Call], Result], calls: Iterable[Call]) -> Iterator[Result]:
    """The same by helpers on this machine, whoever was chosen."""
    if count_workers() < 2:
        yield from map(function, calls)
    else:
        yield from _ParallelRun(function, calls).collect_results()


class CallExecutor(Protocol):
    """Somebody else who does what is spread, as the helpers of this process would: the results in
    the order of the calls, and a thing that ends a process left out and told."""

    def map_calls(
        self, function: Callable[[Call], Result], calls: Iterable[Call]
    ) -> Iterator[Result]: ...


_executors: list[CallExecutor] = []
"""Who is chosen in place of the helpers of this process: the last."""
_worker_counts: list[int] = []
"""How many helpers are asked for: the last; none is as many as the machine has cores for."""


@contextlib.contextmanager
def use_executor(executor: CallExecutor) -> Iterator[None]:
    """Within, what is spread is done by that one. A command chooses once, for all of it."""
    _executors.append(executor)
    try:
        yield
    finally:
        _executors.pop()


@contextlib.contextmanager
def use_workers(number: int) -> Iterator[None]:
    """Within, so many helpers work beside each other; of 1 all is done in this process."""
    _worker_counts.append(number)
    try:
        yield
    finally:
        _worker_counts.pop()


def warm_up_workers(module: str, helpers: int) -> None:
    """Start so many helpers that `spread` will want, each with a module imported, and do not
    wait for them. They are kept."""
    if count_workers() > 1:
        _worker_pool.warm_up(module, helpers)


def count_workers() -> int:
    """How many helpers work beside each other here."""
    return _worker_counts[-1] if _worker_counts else min(os.cpu_count() or 1, _MAX_WORKERS)


@dataclass
class _CallTask:
    index: int
    call: Any
    exclusions: dict[str, str] = field(default_factory=dict)
    deaths: int = 0

    def record_death(self, helper: _WorkerProcess) -> None:
        """Note what the helper died of that did it. Raises `Stopped` when that is enough."""
        code = helper.wait_for_exit()
        if not helper.watch.learn_exclusions(code, self.exclusions):
            self.deaths += 1
            _log.warning("a helper process was ended from outside; its work is done again")
        if self.deaths >= _MAX_DEATHS or len(self.exclusions) > _MAX_EXCLUSIONS:
            why = helper.watch.find_fault(code)[1]
            raise LimitExceededError(
                why or "the process that worked at it was ended from outside, again"
            )


class _ParallelRun:
    """One `spread` under way: which calls are whose, and which results are in."""

    def __init__(self, function: Callable[..., Any], calls: Iterable[Any]) -> None:
        self.function = function
        self.waiting = (_CallTask(number, call) for number, call in enumerate(calls))
        self.again: list[_CallTask] = []
        self.at_work: dict[_WorkerProcess, _CallTask] = {}
        self.done: dict[int, Any] = {}

    def collect_results(self) -> Iterator[Any]:
        wanted = 0
        try:
            self._assign_calls()
            while self.at_work or wanted in self.done:
                if wanted in self.done:
                    yield self.done.pop(wanted)
                    wanted += 1
                else:
                    self._receive_answers()
                self._assign_calls()
        finally:
            for helper in self.at_work:  # an error or an interrupt: nobody wants their work now
                helper.stop()

    def _assign_calls(self) -> None:
        while len(self.at_work) < count_workers():
            task = self.again.pop() if self.again else next(self.waiting, None)
            if task is None:
                return
            helper = _worker_pool.get_idle_worker(self.at_work)
            self.at_work[helper] = task
            helper.send_message((self.function, task.call, task.exclusions))

    def _receive_answers(self) -> None:
        try:
            helper, answer = _worker_pool.answers.get(timeout=CHECK_INTERVAL_SECONDS)
        except queue.Empty:
            for helper in self.at_work:
                helper.watch.check_limits()
            return
        task = self.at_work.pop(helper, None)
        if task is None:
            return  # one that was ended with its work
        if answer is None:
            self._handle_death(helper, task)
        elif answer[0] == "raised":
            raise answer[1]
        else:
            self.done[task.index] = answer[1]
            for what, why in helper.watch.slate.read_stops().items():
                work_limits.record_stop(what, why)

    def _handle_death(self, helper: _WorkerProcess, task: _CallTask) -> None:
        task.record_death(helper)
        self.again.append(task)


class ResidentWorker:
    """A helper of its own that does one call after another, and keeps in its memory what it made
    in between. One thread at a time may call.

    Where it dies over a thing, another is started, in which nothing is kept, and the call is done
    again there with that thing left out; so are the next calls, until `forget`.
    """

    def __init__(self, module: str = "") -> None:
        """`module` is one that it imports before it is asked anything, by its full name."""
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._helper: _WorkerProcess | None = None
        self._module = module
        self._left_out: dict[str, str] = {}
        self._ended = False

    def run_call(self, function: Callable[[Call], Result], call: Call) -> Result:
        """The function's result; both are picklable. Raises `Stopped` when no process lives long
        enough to tell it, or when `end` was called."""
        task = _CallTask(0, call, self._left_out)
        while not self._ended:
            helper = self._ensure_process()
            helper.send_message((function, call, self._left_out))
            answer = self._await_answer(helper)
            if self._ended:
                break
            if answer is None:
                task.record_death(helper)
            elif answer[0] == "raised":
                raise answer[1]
            else:
                result: Result = answer[1]
                return result
        raise LimitExceededError("the work was ended")

    def start(self) -> None:
        """Start its process, and do not wait until it is ready."""
        self._ensure_process()

    def forget_exclusions(self) -> None:
        """Leave nothing out any more: what it died over may be another thing now."""
        self._left_out = {}

    def read_stops(self) -> dict[str, str]:
        """What was stopped in its process, and why."""
        return self._helper.watch.slate.read_stops() if self._helper else {}

    def stop(self) -> None:
        """Kill it; whoever waits for an answer gets `Stopped`."""
        self._ended = True
        if self._helper is not None:
            self._helper.stop()

    def _ensure_process(self) -> _WorkerProcess:
        if self._helper is None or not self._helper.is_alive:
            self._helper = _WorkerProcess(self._answers, self._module)
            if self._ended:  # meanwhile
                self._helper.stop()
        return self._helper

    def _await_answer(self, helper: _WorkerProcess) -> Any:
        """What the helper answers; None when it died over the call."""
        while True:
            try:
                who, answer = self._answers.get(timeout=CHECK_INTERVAL_SECONDS)
            except queue.Empty:
                helper.watch.check_limits()
                continue
            if who is helper:
                return answer


class _WorkerProcess:
    """A process that does one call after another, as long as this one lives."""

    def __init__(self, answers: queue.SimpleQueue[Any], module: str = "") -> None:
        """`module` is one that it imports before it is asked anything."""
        self.watch = ProcessWatch(StatusPage())
        slate = self.watch.slate
        told = f"{slate.handle!r}, {os.getpid()}, {module!r}"
        boot = f"from cardgen.runtime import worker_pool; worker_pool.serve({told})"
        with block_end_signals():
            self.process = self.watch.process = subprocess.Popen(
                build_python_command(boot), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=build_environment(),
                stderr=subprocess.DEVNULL, pass_fds=slate.inherited_files,
            )  # fmt: skip
        threading.Thread(target=self._read_answers, args=(answers,), daemon=True).start()

    def send_message(self, message: Any) -> None:
        assert self.process.stdin is not None
        data = pickle.dumps(message)
        with contextlib.suppress(OSError):  # it is dead: who listens is told
            self.process.stdin.write(len(data).to_bytes(8, "big") + data)
            self.process.stdin.flush()

    def _read_answers(self, answers: queue.SimpleQueue[Any]) -> None:
        with contextlib.suppress(Exception):
            while (message := _receive_message(self.process.stdout)) is not None:
                answers.put((self, message))
        answers.put((self, None))

    def wait_for_exit(self) -> int:
        """Its exit code, once it is dead."""
        self.process.kill()
        return self.process.wait()

    def stop(self) -> None:
        """Kill it; what it was doing is nobody's any more."""
        self.process.kill()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None


class _WorkerPool:
    """The helpers of this process, kept for the next work."""

    def __init__(self) -> None:
        self.helpers: list[_WorkerProcess] = []
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def warm_up(self, module: str, count: int) -> None:
        while len(self.helpers) < count:
            self._start_worker(module)

    def get_idle_worker(self, busy: Iterable[_WorkerProcess]) -> _WorkerProcess:
        taken = set(busy)
        self.helpers = [helper for helper in self.helpers if helper.is_alive]
        for helper in self.helpers:
            if helper not in taken:
                return helper
        return self._start_worker()

    def _start_worker(self, module: str = "") -> _WorkerProcess:
        if not self.helpers:
            atexit.unregister(self.stop)
            atexit.register(self.stop)
        self.helpers.append(_WorkerProcess(self.answers, module))
        return self.helpers[-1]

    def stop(self) -> None:
        for helper in self.helpers:
            helper.stop()


_worker_pool = _WorkerPool()


def _receive_message(stream: Any) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        return None
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # noqa: S301 - from a helper of ours


def serve(handle: int | str, parent: int, module: str = "") -> None:
    """A helper's life: a module imported that its calls will want, calls from standard input,
    answers to standard output."""
    for number in END_SIGNALS:
        if number != signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)  # the one it works for tells it to end
    unblock_end_signals()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    work_limits.apply_limits(StatusPage(handle), {}, parent)
    if module:
        with contextlib.suppress(Exception):  # whoever calls what needs it is told
            importlib.import_module(module)
        gc.freeze()  # it stays: nobody need look through it for garbage
    while (message := _receive_message(sys.stdin.buffer)) is not None:
        function, call, left_out = message
        work_limits.set_exclusions(left_out)
        data = _execute_call(function, call)
        out.write(len(data).to_bytes(8, "big") + data)
        out.flush()


def _execute_call(function: Callable[[Any], Any], call: Any) -> bytes:
    try:
        return pickle.dumps(("made", function(call)))
    except Exception as error:
        import traceback  # noqa: PLC0415 - in case

        error.add_note("In a helper process:\n" + "".join(traceback.format_exception(error)))
        with contextlib.suppress(Exception):
            data = pickle.dumps(("raised", error))
            pickle.loads(data)  # noqa: S301 - made above; some exceptions cannot be made again
            return data
        return pickle.dumps(("raised", RuntimeError("\n".join([repr(error), *error.__notes__]))))

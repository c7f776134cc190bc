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

from cardgen.base import guard
from cardgen.base.guard import Slate, Stopped
from cardgen.base.processes import ENDINGS, LOOK, Watch, endings_held, environment, listen, python

Call = TypeVar("Call")
Result = TypeVar("Result")

_log = logging.getLogger("cardgen")
_MOST = 8
_TRIES = 3
"""So often may a process die over the same work without a word of what it was at."""
_MOST_LEFT_OUT = 8


def spread(
    function: Callable[[Call], Result], calls: Iterable[Call], *, alone: bool
) -> Iterator[Result]:
    """The function's results in the order of the calls; all in this process if `alone`.

    Function, calls and results are sent between processes, so they must be picklable. Calls are
    taken from `calls` only as there is somebody to do them. Where a helper dies over a thing, the
    call is done again, and `guard.at` raises `Stopped` at that thing.
    """
    if alone:
        yield from map(function, calls)
    elif _elsewhere:
        yield from _elsewhere[-1].spread(function, calls)
    else:
        yield from here(function, calls)


def here(function: Callable[[Call], Result], calls: Iterable[Call]) -> Iterator[Result]:
    """The same by helpers on this machine, whoever was chosen."""
    if at_once() < 2:
        yield from map(function, calls)
    else:
        yield from _Spreading(function, calls).results()


class Executor(Protocol):
    """Somebody else who does what is spread, as the helpers of this process would: the results in
    the order of the calls, and a thing that ends a process left out and told."""

    def spread(
        self, function: Callable[[Call], Result], calls: Iterable[Call]
    ) -> Iterator[Result]: ...


_elsewhere: list[Executor] = []
"""Who is chosen in place of the helpers of this process: the last."""
_number: list[int] = []
"""How many helpers are asked for: the last; none is as many as the machine has cores for."""


@contextlib.contextmanager
def done_by(executor: Executor) -> Iterator[None]:
    """Within, what is spread is done by that one. A command chooses once, for all of it."""
    _elsewhere.append(executor)
    try:
        yield
    finally:
        _elsewhere.pop()


@contextlib.contextmanager
def helpers(number: int) -> Iterator[None]:
    """Within, so many helpers work beside each other; of 1 all is done in this process."""
    _number.append(number)
    try:
        yield
    finally:
        _number.pop()


def get_ready(module: str, helpers: int) -> None:
    """Start so many helpers that `spread` will want, each with a module imported, and do not
    wait for them. They are kept."""
    if at_once() > 1:
        _crew.get_ready(module, helpers)


def at_once() -> int:
    """How many helpers work beside each other here."""
    return _number[-1] if _number else min(os.cpu_count() or 1, _MOST)


@dataclass
class _Task:
    number: int
    call: Any
    left_out: dict[str, str] = field(default_factory=dict)
    died: int = 0

    def outlive(self, helper: _Helper) -> None:
        """Note what the helper died of that did it. Raises `Stopped` when that is enough."""
        code = helper.wait()
        if not helper.watch.learned(code, self.left_out):
            self.died += 1
            _log.warning("a helper process was ended from outside; its work is done again")
        if self.died >= _TRIES or len(self.left_out) > _MOST_LEFT_OUT:
            why = helper.watch.fault(code)[1]
            raise Stopped(why or "the process that worked at it was ended from outside, again")


class _Spreading:
    """One `spread` under way: which calls are whose, and which results are in."""

    def __init__(self, function: Callable[..., Any], calls: Iterable[Any]) -> None:
        self.function = function
        self.waiting = (_Task(number, call) for number, call in enumerate(calls))
        self.again: list[_Task] = []
        self.at_work: dict[_Helper, _Task] = {}
        self.done: dict[int, Any] = {}

    def results(self) -> Iterator[Any]:
        wanted = 0
        try:
            self._hand_out()
            while self.at_work or wanted in self.done:
                if wanted in self.done:
                    yield self.done.pop(wanted)
                    wanted += 1
                else:
                    self._take_in()
                self._hand_out()
        finally:
            for helper in self.at_work:  # an error or an interrupt: nobody wants their work now
                helper.end()

    def _hand_out(self) -> None:
        while len(self.at_work) < at_once():
            task = self.again.pop() if self.again else next(self.waiting, None)
            if task is None:
                return
            helper = _crew.free(self.at_work)
            self.at_work[helper] = task
            helper.send((self.function, task.call, task.left_out))

    def _take_in(self) -> None:
        try:
            helper, answer = _crew.answers.get(timeout=LOOK)
        except queue.Empty:
            for helper in self.at_work:
                helper.watch.look()
            return
        task = self.at_work.pop(helper, None)
        if task is None:
            return  # one that was ended with its work
        if answer is None:
            self._died(helper, task)
        elif answer[0] == "raised":
            raise answer[1]
        else:
            self.done[task.number] = answer[1]
            for what, why in helper.watch.slate.remembered().items():
                guard.remember(what, why)

    def _died(self, helper: _Helper, task: _Task) -> None:
        task.outlive(helper)
        self.again.append(task)


class Resident:
    """A helper of its own that does one call after another, and keeps in its memory what it made
    in between. One thread at a time may call.

    Where it dies over a thing, another is started, in which nothing is kept, and the call is done
    again there with that thing left out; so are the next calls, until `forget`.
    """

    def __init__(self, module: str = "") -> None:
        """`module` is one that it imports before it is asked anything, by its full name."""
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._helper: _Helper | None = None
        self._module = module
        self._left_out: dict[str, str] = {}
        self._ended = False

    def call(self, function: Callable[[Call], Result], call: Call) -> Result:
        """The function's result; both are picklable. Raises `Stopped` when no process lives long
        enough to tell it, or when `end` was called."""
        task = _Task(0, call, self._left_out)
        while not self._ended:
            helper = self._living()
            helper.send((function, call, self._left_out))
            answer = self._answer(helper)
            if self._ended:
                break
            if answer is None:
                task.outlive(helper)
            elif answer[0] == "raised":
                raise answer[1]
            else:
                result: Result = answer[1]
                return result
        raise Stopped("the work was ended")

    def start(self) -> None:
        """Start its process, and do not wait until it is ready."""
        self._living()

    def forget(self) -> None:
        """Leave nothing out any more: what it died over may be another thing now."""
        self._left_out = {}

    def remembered(self) -> dict[str, str]:
        """What was stopped in its process, and why."""
        return self._helper.watch.slate.remembered() if self._helper else {}

    def end(self) -> None:
        """Kill it; whoever waits for an answer gets `Stopped`."""
        self._ended = True
        if self._helper is not None:
            self._helper.end()

    def _living(self) -> _Helper:
        if self._helper is None or not self._helper.alive:
            self._helper = _Helper(self._answers, self._module)
            if self._ended:  # meanwhile
                self._helper.end()
        return self._helper

    def _answer(self, helper: _Helper) -> Any:
        """What the helper answers; None when it died over the call."""
        while True:
            try:
                who, answer = self._answers.get(timeout=LOOK)
            except queue.Empty:
                helper.watch.look()
                continue
            if who is helper:
                return answer


class _Helper:
    """A process that does one call after another, as long as this one lives."""

    def __init__(self, answers: queue.SimpleQueue[Any], module: str = "") -> None:
        """`module` is one that it imports before it is asked anything."""
        self.watch = Watch(Slate())
        slate = self.watch.slate
        told = f"{slate.handle!r}, {os.getpid()}, {module!r}"
        boot = f"from cardgen.base import workers; workers.serve({told})"
        with endings_held():
            self.process = self.watch.process = subprocess.Popen(
                python(boot), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(),
                stderr=subprocess.DEVNULL, pass_fds=slate.files,
            )  # fmt: skip
        threading.Thread(target=self._listen, args=(answers,), daemon=True).start()

    def send(self, message: Any) -> None:
        assert self.process.stdin is not None
        data = pickle.dumps(message)
        with contextlib.suppress(OSError):  # it is dead: who listens is told
            self.process.stdin.write(len(data).to_bytes(8, "big") + data)
            self.process.stdin.flush()

    def _listen(self, answers: queue.SimpleQueue[Any]) -> None:
        with contextlib.suppress(Exception):
            while (message := _received(self.process.stdout)) is not None:
                answers.put((self, message))
        answers.put((self, None))

    def wait(self) -> int:
        """Its exit code, once it is dead."""
        self.process.kill()
        return self.process.wait()

    def end(self) -> None:
        """Kill it; what it was doing is nobody's any more."""
        self.process.kill()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None


class _Crew:
    """The helpers of this process, kept for the next work."""

    def __init__(self) -> None:
        self.helpers: list[_Helper] = []
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def get_ready(self, module: str, count: int) -> None:
        while len(self.helpers) < count:
            self._hire(module)

    def free(self, busy: Iterable[_Helper]) -> _Helper:
        taken = set(busy)
        self.helpers = [helper for helper in self.helpers if helper.alive]
        for helper in self.helpers:
            if helper not in taken:
                return helper
        return self._hire()

    def _hire(self, module: str = "") -> _Helper:
        if not self.helpers:
            atexit.unregister(self.end)
            atexit.register(self.end)
        self.helpers.append(_Helper(self.answers, module))
        return self.helpers[-1]

    def end(self) -> None:
        for helper in self.helpers:
            helper.end()


_crew = _Crew()


def _received(stream: Any) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        return None
    return pickle.loads(stream.read(int.from_bytes(head, "big")))  # noqa: S301 - from a helper of ours


def serve(handle: int | str, parent: int, module: str = "") -> None:
    """A helper's life: a module imported that its calls will want, calls from standard input,
    answers to standard output."""
    for number in ENDINGS:
        if number != signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)  # the one it works for tells it to end
    listen()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    guard.serve(Slate(handle), {}, parent)
    if module:
        with contextlib.suppress(Exception):  # whoever calls what needs it is told
            importlib.import_module(module)
        gc.freeze()  # it stays: nobody need look through it for garbage
    while (message := _received(sys.stdin.buffer)) is not None:
        function, call, left_out = message
        guard.leave_out(left_out)
        data = _answer(function, call)
        out.write(len(data).to_bytes(8, "big") + data)
        out.flush()


def _answer(function: Callable[[Any], Any], call: Any) -> bytes:
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

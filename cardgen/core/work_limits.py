"""One bound for all that is done with what a game wrote: reading, rendering, setting, drawing.

`with at("cards/loot.yaml"):` says what of the game is at work. Inside, time is bounded, and so are
memory and depth; what goes past a bound, or makes a library fail, raises `Stopped`, and the place
that knows the line tells it as a problem.

Time is counted in seconds of the processor, so that a busy machine stops nothing. Python code is
stopped by an exception that a watcher sends into its thread. What does not listen (code in C) is
ended with its process, by the system's own limits or by the process that watches over it; then
`workers` does the work again with that thing left out. What is at work is written on a slate, in
memory that both processes see and that outlives the one that dies.
"""

from __future__ import annotations

import ctypes
import json
import math
import mmap
import os
import struct
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType

from cardgen.runtime import safe_files

LARGE_GAMES_VARIABLE = "CARDGEN_LARGE"
_LEAST, _MOST = 1.0, 1000.0


def get_large_factor() -> float:
    """How many times as many cards, faces, files, bytes and seconds a game as a whole may take. A
    single face, drawing or rule may take no more than ever."""
    try:
        return min(_MOST, max(_LEAST, float(os.environ.get(LARGE_GAMES_VARIABLE, "1"))))
    except ValueError:
        return _LEAST


def scale_limit(usual: int) -> int:
    """A bound of that size, as it is for this user's games."""
    return int(usual * get_large_factor())


try:
    import resource
except ImportError:  # Windows has none: there the watching process looks (workers)
    resource = None  # type: ignore[assignment]

CPU_SECONDS = 6.0
"""Of the processor, for one thing of a game unless its place says otherwise."""
MEMORY_BYTES = 3 << 30
"""Bytes that a process may take of a game of the usual size; see `memory`."""
_GRACE_SECONDS = 2.0
# How long a thing may stand still without using the processor: it waits for a disk, or for ever.
_STALL_SECONDS = 60.0
_WATCH_INTERVAL_SECONDS = 0.05
_OWN_PACKAGE = __name__.partition(".")[0]
_LIBRARY_TITLES = {
    "weasyprint": "WeasyPrint", "tinycss2": "WeasyPrint", "tinyhtml5": "WeasyPrint",
    "cssselect2": "WeasyPrint", "pydyf": "WeasyPrint", "pyphen": "hyphenation",
    "fontTools": "fontTools", "brotli": "fontTools", "zopfli": "fontTools",
    "PIL": "Pillow", "pikepdf": "pikepdf", "pypdfium2": "pdfium", "pypdfium2_raw": "pdfium",
    "typst": "typst", "pathops": "Skia", "jinja2": "Jinja", "markdown_it": "the Markdown reader",
    "mdit_py_plugins": "the Markdown reader", "yaml": "the YAML reader", "reportlab": "ReportLab",
    "ezdxf": "ezdxf", "xml": "the XML reader", "html": "the HTML reader",
}  # fmt: skip


class LimitExceededError(Exception):
    """Work that went past a bound or that a library could not do; the text says why."""


class _TimeLimitError(BaseException):
    """Sent by the watcher; not an Exception, so that no handler on the way swallows it. `at` is
    the innermost block that it came through, when that one had time left."""

    innermost = ""


class work_limit:  # noqa: N801 - it reads as a word of the language, like `open`
    """What of a game is at work in the block. Raises `Stopped`.

    `what` names it to people and stands for it when the work is done again. `seconds` are of the
    processor. Errors of the types `known` are for the caller to tell, and left alone. Blocks may
    stand in each other; each has a bound of its own, and one around many holds them all together.
    """

    __slots__ = ("_fired", "_thread", "known", "seconds", "until", "what")

    def __init__(
        self, what: str, seconds: float = CPU_SECONDS, expected: tuple[type[Exception], ...] = ()
    ) -> None:
        self.what, self.seconds, self.known = what, seconds * get_patience(), expected

    def __enter__(self) -> work_limit:
        if self.what in _limit_state.exclusions:
            raise LimitExceededError(_limit_state.exclusions[self.what])
        self._thread, self._fired = threading.get_ident(), False
        self.until = time.process_time() + self.seconds
        _limit_state.enter_block(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        late = kind is _TimeLimitError and self._fired
        if isinstance(error, _TimeLimitError) and not self._fired:
            error.innermost = error.innermost or self.what
        try:
            _limit_state.leave_block(self)
            for _turn in range(200 if self._fired and kind is not _TimeLimitError else 0):
                time.sleep(0.005)  # the exception is on its way
        except _TimeLimitError:
            late = True
        if late and self._fired:
            why = format_time_limit(self.seconds)
            record_stop(self.what, why)
            if isinstance(error, _TimeLimitError) and error.innermost:
                why += f"; the last of it was {error.innermost}"
            raise LimitExceededError(why) from None
        told = error is None or (
            isinstance(error, self.known) and not isinstance(error, MemoryError)
        )
        why = "" if error is None or told else _explain_error(error)
        if why:
            raise LimitExceededError(why) from error

    def restart_clock(self) -> None:
        """A step is done, and the next has as much time; not past what stands around it."""
        self.until = time.process_time() + self.seconds
        _limit_state.publish_status()

    def stop(self) -> None:
        """Send the exception into the thread that is at it; the watcher's part."""
        self._fired = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(self._thread), ctypes.py_object(_TimeLimitError)
        )


@dataclass
class _LimitState:
    """What is at work in this process. The watcher's thread reads it under the lock."""

    blocks: list[work_limit]
    lock: threading.Lock
    exclusions: Mapping[str, str]
    status_page: StatusPage | None = None
    watcher_started: bool = False
    parent: int = 0

    def enter_block(self, block: work_limit) -> None:
        with self.lock:
            self.blocks.append(block)
        self.start_watcher()
        self.publish_status()

    def start_watcher(self) -> None:
        """Start the watcher, once."""
        if not self.watcher_started:
            self.watcher_started = True
            threading.Thread(target=_watch_deadlines, daemon=True, name="guard").start()

    def leave_block(self, block: work_limit) -> None:
        with self.lock:
            self.blocks.remove(block)
        self.publish_status()

    def publish_status(self) -> None:
        """Tell the system and the slate what holds now."""
        if self.status_page is None:
            return
        if self.blocks:
            first = min(self.blocks, key=lambda block: block.until)
            _limit_cpu_time(first.until + _GRACE_SECONDS)
            self.status_page.write(
                self.blocks[-1].what, first.until + _GRACE_SECONDS, first.seconds
            )
        else:
            _limit_cpu_time(math.inf)
            self.status_page.write("", math.inf, 0.0)


_limit_state = _LimitState([], threading.Lock(), {})


def apply_limits(slate: StatusPage, left_out: Mapping[str, str], parent: int) -> None:
    """Put this process, a child that works for another, under bounds; it ends with its parent."""
    # On Windows, a virtual environment's Python starts the one that runs, and is its parent.
    _limit_state.parent = os.getppid() if sys.platform == "win32" else parent
    _limit_state.status_page, _limit_state.exclusions = slate, left_out
    _end_with_parent()
    if os.getppid() != _limit_state.parent:
        os._exit(1)  # it was gone before this process could ask to end with it
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = min(
            limit for limit in (get_memory_limit(), soft, hard) if limit != resource.RLIM_INFINITY
        )
        try:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError):
            pass  # a system that knows the limit and sets none: the watching process looks
    _limit_state.publish_status()  # until then the slate says that all time is over
    _limit_state.start_watcher()


def lift_memory_limit() -> None:
    """For a child about to become another program, which has bounds of its own (npm)."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def set_exclusions(what: Mapping[str, str]) -> None:
    """Do not work at these things: whoever comes to one is told why, as text."""
    _limit_state.exclusions = what


def record_stop(what: str, why: str) -> None:
    """Tell who watches over this process what took its time: not to be tried again after it."""
    if _limit_state.status_page is not None:
        _limit_state.status_page.record_stop(what, why)


def get_patience() -> float:
    """How much longer than usual everything may take, from the environment: a slow machine's."""
    try:
        return min(100.0, max(1.0, float(os.environ.get("CARDGEN_PATIENCE", "1"))))
    except ValueError:
        return 1.0


def get_memory_limit() -> int:
    """Bytes that a process may take; what wants more gets no more, or is ended."""
    return scale_limit(MEMORY_BYTES)


def format_time_limit(seconds: float) -> str:
    """Why something was stopped that took longer than that."""
    return f"it takes more than {seconds:.0f} s of the processor's time and was stopped"


def format_memory_limit() -> str:
    """Why something was stopped that took more than `memory`."""
    return f"it takes more than {get_memory_limit() >> 30} GB of memory and was stopped"


def _explain_error(error: BaseException) -> str:
    """Why what a game wrote raised this; empty when it is another's to say, or a bug of ours."""
    if isinstance(error, MemoryError | RecursionError):
        return format_memory_limit() if isinstance(error, MemoryError) else "it is nested too deep"
    if isinstance(error, OSError) and error.errno in safe_files.SYSTEM_REFUSALS:
        return ""  # what the machine refuses is no fault of what a game wrote
    if type(error).__module__ == "pyo3_runtime":  # typst's panics are no Exceptions
        return f"typst fails on it: {_format_error(error)}"
    home = type(error).__module__.partition(".")[0]
    if not isinstance(error, Exception) or home == _OWN_PACKAGE:
        return ""
    for frame, _line in reversed(list(traceback.walk_tb(error.__traceback__))):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package == _OWN_PACKAGE:
            break
        if package in _LIBRARY_TITLES:
            return f"{_LIBRARY_TITLES[package]} fails on it: {_format_error(error)}"
    return (
        f"{_LIBRARY_TITLES[home]} fails on it: {_format_error(error)}"
        if home in _LIBRARY_TITLES
        else ""
    )


def _format_error(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def _watch_deadlines() -> None:
    """Stop what is past its time; end with the process that this one works for."""
    again = 0.0
    while True:
        time.sleep(_WATCH_INTERVAL_SECONDS)
        if _limit_state.parent and os.getppid() != _limit_state.parent:
            os._exit(1)
        with _limit_state.lock:
            now = time.process_time()
            late = [block for block in _limit_state.blocks if now > block.until]
            # Code in C that calls Python back may swallow it: then once more.
            if late and time.monotonic() > again:
                late[-1].stop()
                again = time.monotonic() + 0.5


def _limit_cpu_time(until: float) -> None:
    """Have the system end this process once it has used so many seconds of the processor."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = resource.RLIM_INFINITY if math.isinf(until) else math.ceil(until)
        if hard != resource.RLIM_INFINITY:
            soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _end_with_parent() -> None:
    if sys.platform == "linux":
        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill, 0, 0, 0)


@dataclass(frozen=True)
class WorkStatus:
    """What a slate says: what is at work (may be empty), how many seconds it has, and how many of
    the processor the whole process will then have used."""

    turn: int
    subject: str
    cpu_deadline: float
    seconds: float

    @property
    def stall_seconds(self) -> float:
        """For how many seconds it may stand still without using the processor."""
        return _STALL_SECONDS + self.seconds if self.subject else math.inf


class StatusPage:
    """A page of memory that a process shares with the one watching over it."""

    _HEAD = struct.Struct("<QddH")
    _LINE = 4096
    _SIZE = 1 << 16

    def __init__(self, handle: int | str | None = None) -> None:
        """A new one, or the one that another process made, by its `handle`."""
        self._file = -1
        if isinstance(handle, str) and not handle.isdecimal():
            self.handle: int | str = handle
            self._memory = _open_named_memory(handle, self._SIZE)
        elif handle is None and sys.platform == "win32":
            self.handle = f"cardgen-{os.getpid()}-{id(self)}"
            self._memory = _open_named_memory(self.handle, self._SIZE)
        else:
            self._file = self.handle = (
                _create_memory_file(self._SIZE) if handle is None else int(handle)
            )
            self._memory = mmap.mmap(self._file, self._SIZE)
        self._turn = 0

    @property
    def inherited_files(self) -> tuple[int, ...]:
        """What a child must inherit to see it."""
        return (self._file,) if self._file >= 0 else ()

    def write(self, what: str, until: float, seconds: float) -> None:
        """Say what is at work from now on."""
        self._turn += 1
        text = what.encode(errors="replace")[: self._LINE - self._HEAD.size]
        head = self._HEAD.pack(self._turn, until, seconds, len(text))
        self._memory[: len(head) + len(text)] = head + text

    def read(self) -> WorkStatus:
        """What was at work when last anything was said."""
        turn, until, seconds, length = self._HEAD.unpack_from(self._memory)
        text = bytes(self._memory[self._HEAD.size : self._HEAD.size + length])
        return WorkStatus(turn, text.decode(errors="replace"), until, seconds)

    def record_stop(self, what: str, why: str) -> None:
        """Note what was stopped, and why; as much as there is room for."""
        known = {**self.read_stops(), what: why}
        data = json.dumps(known).encode()
        if self._LINE + 4 + len(data) <= self._SIZE:
            self._memory[self._LINE : self._LINE + 4 + len(data)] = (
                struct.pack("<I", len(data)) + data
            )

    def read_stops(self) -> dict[str, str]:
        """What was stopped in the process, and why."""
        (length,) = struct.unpack_from("<I", self._memory, self._LINE)
        data = bytes(self._memory[self._LINE + 4 : self._LINE + 4 + length])
        try:
            return dict(json.loads(data)) if data else {}
        except ValueError:  # it was killed while it wrote
            return {}

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()
        if self._file >= 0:
            os.close(self._file)


def _open_named_memory(name: str, size: int) -> mmap.mmap:
    """Memory that other processes find by its name; Windows has it."""
    return mmap.mmap(-1, size, name)  # type: ignore[arg-type] # elsewhere flags stand third


def _create_memory_file(size: int) -> int:
    """A file of that size without a name, in memory where the system has such."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("cardgen")
    else:
        import tempfile  # noqa: PLC0415 - macOS

        with tempfile.TemporaryFile() as made:
            file = os.dup(made.fileno())
    os.ftruncate(file, size)
    return file

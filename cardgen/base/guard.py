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

from cardgen.base import bounds, filing

try:
    import resource
except ImportError:  # Windows has none: there the watching process looks (workers)
    resource = None  # type: ignore[assignment]

SECONDS = 6.0
"""Of the processor, for one thing of a game unless its place says otherwise."""
MEMORY = 3 << 30
"""Bytes that a process may take of a game of the usual size; see `memory`."""
_GRACE = 2.0
# How long a thing may stand still without using the processor: it waits for a disk, or for ever.
_STALLED = 60.0
_TURN = 0.05
_OWN = __name__.partition(".")[0]
_LIBRARIES = {
    "weasyprint": "WeasyPrint", "tinycss2": "WeasyPrint", "tinyhtml5": "WeasyPrint",
    "cssselect2": "WeasyPrint", "pydyf": "WeasyPrint", "pyphen": "hyphenation",
    "fontTools": "fontTools", "brotli": "fontTools", "zopfli": "fontTools",
    "PIL": "Pillow", "pikepdf": "pikepdf", "pypdfium2": "pdfium", "pypdfium2_raw": "pdfium",
    "typst": "typst", "pathops": "Skia", "jinja2": "Jinja", "markdown_it": "the Markdown reader",
    "mdit_py_plugins": "the Markdown reader", "yaml": "the YAML reader", "reportlab": "ReportLab",
    "ezdxf": "ezdxf", "xml": "the XML reader", "html": "the HTML reader",
}  # fmt: skip


class Stopped(Exception):  # noqa: N818 - it reads as what it says
    """Work that went past a bound or that a library could not do; the text says why."""


class _Late(BaseException):
    """Sent by the watcher; not an Exception, so that no handler on the way swallows it. `at` is
    the innermost block that it came through, when that one had time left."""

    at = ""


class at:  # noqa: N801 - it reads as a word of the language, like `open`
    """What of a game is at work in the block. Raises `Stopped`.

    `what` names it to people and stands for it when the work is done again. `seconds` are of the
    processor. Errors of the types `known` are for the caller to tell, and left alone. Blocks may
    stand in each other; each has a bound of its own, and one around many holds them all together.
    """

    __slots__ = ("_fired", "_thread", "known", "seconds", "until", "what")

    def __init__(
        self, what: str, seconds: float = SECONDS, known: tuple[type[Exception], ...] = ()
    ) -> None:
        self.what, self.seconds, self.known = what, seconds * patience(), known

    def __enter__(self) -> at:
        if self.what in _state.left_out:
            raise Stopped(_state.left_out[self.what])
        self._thread, self._fired = threading.get_ident(), False
        self.until = time.process_time() + self.seconds
        _state.enter(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        late = kind is _Late and self._fired
        if isinstance(error, _Late) and not self._fired:
            error.at = error.at or self.what
        try:
            _state.leave(self)
            for _turn in range(200 if self._fired and kind is not _Late else 0):
                time.sleep(0.005)  # the exception is on its way
        except _Late:
            late = True
        if late and self._fired:
            why = too_slow(self.seconds)
            remember(self.what, why)
            if isinstance(error, _Late) and error.at:
                why += f"; the last of it was {error.at}"
            raise Stopped(why) from None
        told = error is None or (
            isinstance(error, self.known) and not isinstance(error, MemoryError)
        )
        why = "" if error is None or told else _why(error)
        if why:
            raise Stopped(why) from error

    def again(self) -> None:
        """A step is done, and the next has as much time; not past what stands around it."""
        self.until = time.process_time() + self.seconds
        _state.note()

    def stop(self) -> None:
        """Send the exception into the thread that is at it; the watcher's part."""
        self._fired = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(self._thread), ctypes.py_object(_Late)
        )


@dataclass
class _State:
    """What is at work in this process. The watcher's thread reads it under the lock."""

    blocks: list[at]
    lock: threading.Lock
    left_out: Mapping[str, str]
    slate: Slate | None = None
    watched: bool = False
    parent: int = 0

    def enter(self, block: at) -> None:
        with self.lock:
            self.blocks.append(block)
        self.wake()
        self.note()

    def wake(self) -> None:
        """Start the watcher, once."""
        if not self.watched:
            self.watched = True
            threading.Thread(target=_watch, daemon=True, name="guard").start()

    def leave(self, block: at) -> None:
        with self.lock:
            self.blocks.remove(block)
        self.note()

    def note(self) -> None:
        """Tell the system and the slate what holds now."""
        if self.slate is None:
            return
        if self.blocks:
            first = min(self.blocks, key=lambda block: block.until)
            _limit_processor(first.until + _GRACE)
            self.slate.write(self.blocks[-1].what, first.until + _GRACE, first.seconds)
        else:
            _limit_processor(math.inf)
            self.slate.write("", math.inf, 0.0)


_state = _State([], threading.Lock(), {})


def serve(slate: Slate, left_out: Mapping[str, str], parent: int) -> None:
    """Put this process, a child that works for another, under bounds; it ends with its parent."""
    # On Windows, a virtual environment's Python starts the one that runs, and is its parent.
    _state.parent = os.getppid() if sys.platform == "win32" else parent
    _state.slate, _state.left_out = slate, left_out
    _die_with_parent()
    if os.getppid() != _state.parent:
        os._exit(1)  # it was gone before this process could ask to end with it
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = min(limit for limit in (memory(), soft, hard) if limit != resource.RLIM_INFINITY)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError):
            pass  # a system that knows the limit and sets none: the watching process looks
    _state.note()  # until then the slate says that all time is over
    _state.wake()


def unbounded() -> None:
    """For a child about to become another program, which has bounds of its own (npm)."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def leave_out(what: Mapping[str, str]) -> None:
    """Do not work at these things: whoever comes to one is told why, as text."""
    _state.left_out = what


def remember(what: str, why: str) -> None:
    """Tell who watches over this process what took its time: not to be tried again after it."""
    if _state.slate is not None:
        _state.slate.remember(what, why)


def patience() -> float:
    """How much longer than usual everything may take, from the environment: a slow machine's."""
    try:
        return min(100.0, max(1.0, float(os.environ.get("CARDGEN_PATIENCE", "1"))))
    except ValueError:
        return 1.0


def memory() -> int:
    """Bytes that a process may take; what wants more gets no more, or is ended."""
    return bounds.most(MEMORY)


def too_slow(seconds: float) -> str:
    """Why something was stopped that took longer than that."""
    return f"it takes more than {seconds:.0f} s of the processor's time and was stopped"


def too_large() -> str:
    """Why something was stopped that took more than `memory`."""
    return f"it takes more than {memory() >> 30} GB of memory and was stopped"


def _why(error: BaseException) -> str:
    """Why what a game wrote raised this; empty when it is another's to say, or a bug of ours."""
    if isinstance(error, MemoryError | RecursionError):
        return too_large() if isinstance(error, MemoryError) else "it is nested too deep"
    if isinstance(error, OSError) and error.errno in filing.REFUSED:
        return ""  # what the machine refuses is no fault of what a game wrote
    if type(error).__module__ == "pyo3_runtime":  # typst's panics are no Exceptions
        return f"typst fails on it: {_said(error)}"
    home = type(error).__module__.partition(".")[0]
    if not isinstance(error, Exception) or home == _OWN:
        return ""
    for frame, _line in reversed(list(traceback.walk_tb(error.__traceback__))):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package == _OWN:
            break
        if package in _LIBRARIES:
            return f"{_LIBRARIES[package]} fails on it: {_said(error)}"
    return f"{_LIBRARIES[home]} fails on it: {_said(error)}" if home in _LIBRARIES else ""


def _said(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def _watch() -> None:
    """Stop what is past its time; end with the process that this one works for."""
    again = 0.0
    while True:
        time.sleep(_TURN)
        if _state.parent and os.getppid() != _state.parent:
            os._exit(1)
        with _state.lock:
            now = time.process_time()
            late = [block for block in _state.blocks if now > block.until]
            # Code in C that calls Python back may swallow it: then once more.
            if late and time.monotonic() > again:
                late[-1].stop()
                again = time.monotonic() + 0.5


def _limit_processor(until: float) -> None:
    """Have the system end this process once it has used so many seconds of the processor."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = resource.RLIM_INFINITY if math.isinf(until) else math.ceil(until)
        if hard != resource.RLIM_INFINITY:
            soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _die_with_parent() -> None:
    if sys.platform == "linux":
        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill, 0, 0, 0)


@dataclass(frozen=True)
class Entry:
    """What a slate says: what is at work (may be empty), how many seconds it has, and how many of
    the processor the whole process will then have used."""

    turn: int
    what: str
    until: float
    seconds: float

    @property
    def patient(self) -> float:
        """For how many seconds it may stand still without using the processor."""
        return _STALLED + self.seconds if self.what else math.inf


class Slate:
    """A page of memory that a process shares with the one watching over it."""

    _HEAD = struct.Struct("<QddH")
    _LINE = 4096
    _SIZE = 1 << 16

    def __init__(self, handle: int | str | None = None) -> None:
        """A new one, or the one that another process made, by its `handle`."""
        self._file = -1
        if isinstance(handle, str) and not handle.isdecimal():
            self.handle: int | str = handle
            self._memory = _named(handle, self._SIZE)
        elif handle is None and sys.platform == "win32":
            self.handle = f"cardgen-{os.getpid()}-{id(self)}"
            self._memory = _named(self.handle, self._SIZE)
        else:
            self._file = self.handle = _page(self._SIZE) if handle is None else int(handle)
            self._memory = mmap.mmap(self._file, self._SIZE)
        self._turn = 0

    @property
    def files(self) -> tuple[int, ...]:
        """What a child must inherit to see it."""
        return (self._file,) if self._file >= 0 else ()

    def write(self, what: str, until: float, seconds: float) -> None:
        """Say what is at work from now on."""
        self._turn += 1
        text = what.encode(errors="replace")[: self._LINE - self._HEAD.size]
        head = self._HEAD.pack(self._turn, until, seconds, len(text))
        self._memory[: len(head) + len(text)] = head + text

    def read(self) -> Entry:
        """What was at work when last anything was said."""
        turn, until, seconds, length = self._HEAD.unpack_from(self._memory)
        text = bytes(self._memory[self._HEAD.size : self._HEAD.size + length])
        return Entry(turn, text.decode(errors="replace"), until, seconds)

    def remember(self, what: str, why: str) -> None:
        """Note what was stopped, and why; as much as there is room for."""
        known = {**self.remembered(), what: why}
        data = json.dumps(known).encode()
        if self._LINE + 4 + len(data) <= self._SIZE:
            self._memory[self._LINE : self._LINE + 4 + len(data)] = (
                struct.pack("<I", len(data)) + data
            )

    def remembered(self) -> dict[str, str]:
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


def _named(name: str, size: int) -> mmap.mmap:
    """Memory that other processes find by its name; Windows has it."""
    return mmap.mmap(-1, size, name)  # type: ignore[arg-type] # elsewhere flags stand third


def _page(size: int) -> int:
    """A file of that size without a name, in memory where the system has such."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("cardgen")
    else:
        import tempfile  # noqa: PLC0415 - macOS

        with tempfile.TemporaryFile() as made:
            file = os.dup(made.fileno())
    os.ftruncate(file, size)
    return file

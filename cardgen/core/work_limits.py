"""Limits on work with a game's content: processor time, memory, nesting, and the size of a game.

`with work_limit("cards/loot.yaml"):` names the content at work and bounds its processor time.
The name and its deadline stand on a status page, memory that this process shares with the one that
watches over it. Past its deadline the process is killed: by the system's limit on processor time,
or by the watching process where a system has none. Another process then does the work again with
that content excluded. There `work_limit` raises `LimitExceededError` at once, and the caller, which
knows the line, reports it as a problem.

Time is counted in seconds of the processor, so that a busy machine stops nothing. A process that
nobody watches, such as a test or a program that imports cardgen, has no limit on time.
"""

from __future__ import annotations

import errno
import math
import mmap
import os
import struct
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType

try:
    import resource
except ImportError:  # Windows has none: there the watching process checks the limits
    resource = None  # type: ignore[assignment]

_FILE_ERRORS, _MEMORY_ERRORS = (errno.EMFILE, errno.ENFILE), (errno.ENOMEM, errno.EAGAIN)
SHORTAGES = frozenset({*_FILE_ERRORS, *_MEMORY_ERRORS, errno.EIO})
"""Errors of a machine that say nothing of the file they name."""
SYSTEM_REFUSALS = {
    errno.ENOSPC: "no room is left on the disk; make room there, and run the command again",
    errno.EDQUOT: "your disk quota is used up; make room, and run the command again",
    errno.EFBIG: "files may not grow so large here; lift the limit (ulimit -f, or the disk's own)",
    errno.EROFS: "the disk is read-only; copy the game to a folder you may write to",
    errno.EACCES: "you may not write here; change the permissions, or copy the game elsewhere",
    errno.EPERM: "you may not write here; change the permissions, or copy the game elsewhere",
    **dict.fromkeys(
        _FILE_ERRORS, "too many files are open; allow more (ulimit -n), or end programs"
    ),
    **dict.fromkeys(_MEMORY_ERRORS, "the system has no memory or processes left; end programs"),
}
"""Errors of the file system that are no fault of the content, each with what to do."""
LARGE_GAMES_VARIABLE = "CARDGEN_LARGE"
CPU_SECONDS = 6.0
"""Processor time for one piece of content, unless its caller sets another limit."""
MEMORY_BYTES = 3 << 30
"""Memory of one process for a game of the usual size; see `get_memory_limit`."""
_STALL_SECONDS = 60.0
"""How long work may wait without using the processor, in addition to its own limit."""
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
    """Work that exceeded a limit or on which a library failed; the text says which."""


class work_limit:  # noqa: N801 - a context manager, called like `open`
    """Context manager that bounds work with one piece of a game's content.

    `subject` names the content in messages and stands for it when the work is done again without
    it. `seconds` are processor time. Errors of the types `expected` pass through. Blocks may be
    nested; each has its own deadline, and one around many bounds them together.

    Raises `LimitExceededError`: for a subject that was stopped before, for too deep nesting or too
    much memory, and for an error of a library.
    """

    __slots__ = ("deadline", "expected", "seconds", "subject")

    def __init__(
        self, subject: str, seconds: float = CPU_SECONDS, expected: tuple[type[Exception], ...] = ()
    ) -> None:
        self.subject, self.seconds, self.expected = subject, seconds * get_patience(), expected
        self.deadline = math.inf

    def __enter__(self) -> work_limit:
        if self.subject in _limit_state.exclusions:
            raise LimitExceededError(_limit_state.exclusions[self.subject])
        _limit_state.blocks.append(self)
        self.restart_clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        _limit_state.blocks.remove(self)
        _limit_state.publish_status()
        is_expected = isinstance(error, self.expected) and not isinstance(error, MemoryError)
        why = "" if error is None or is_expected else _explain_error(error)
        if why:
            raise LimitExceededError(why) from error

    def restart_clock(self) -> None:
        """Give the next step as much time as the one before; blocks around this one keep theirs."""
        self.deadline = time.process_time() + self.seconds
        _limit_state.publish_status()


@dataclass
class _LimitState:
    """Blocks at work in this process, and where their status is published."""

    blocks: list[work_limit] = field(default_factory=list)
    exclusions: Mapping[str, str] = field(default_factory=dict)
    status_page: StatusPage | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def publish_status(self) -> None:
        """Tell the system and the watching process the next deadline and the current subject."""
        if self.status_page is None:
            return
        with self.lock:
            blocks = self.blocks.copy()
            first = min(blocks, key=lambda block: block.deadline, default=None)
            if first is None:
                _limit_cpu_time(math.inf)
                self.status_page.write("", "", math.inf, 0.0)
            else:
                # Written first: once the limit is set, the system may end the process.
                current = blocks[-1].subject
                self.status_page.write(current, first.subject, first.deadline, first.seconds)
                _limit_cpu_time(first.deadline)


_limit_state = _LimitState()


def apply_limits(page: StatusPage, exclusions: Mapping[str, str], parent: int) -> None:
    """Put this process, a child that works for process `parent`, under limits. It ends with it."""
    # On Windows, a virtual environment's Python starts the one that runs, and is its parent.
    parent = os.getppid() if sys.platform == "win32" else parent
    _limit_state.exclusions = exclusions
    _end_with_parent(parent)
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        limits = (get_memory_limit(), soft, hard)
        most = min(limit for limit in limits if limit != resource.RLIM_INFINITY)
        try:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        except (OSError, ValueError):
            pass  # a system that knows the limit but cannot set it: the watching process checks
    _limit_state.status_page = page
    _limit_state.publish_status()


def set_exclusions(exclusions: Mapping[str, str]) -> None:
    """Refuse work on these subjects; each maps to the reason that is reported instead."""
    _limit_state.exclusions = exclusions


def get_patience() -> float:
    """Return the factor of CARDGEN_PATIENCE on every time limit, 1 to 100, for slow machines."""
    return _read_factor("CARDGEN_PATIENCE", 100.0)


def get_large_factor() -> float:
    """Return the factor of CARDGEN_LARGE on the size of a game and on the time for all of it.

    The user sets it, 1 to 1000; a game cannot. Limits on one face, drawing or rule stay the same.
    """
    return _read_factor(LARGE_GAMES_VARIABLE, 1000.0)


def _read_factor(variable: str, most: float) -> float:
    try:
        return min(most, max(1.0, float(os.environ.get(variable, "1"))))
    except ValueError:
        return 1.0


def scale_limit(usual: int) -> int:
    """Return a limit on the size of a game, scaled by CARDGEN_LARGE."""
    return int(usual * get_large_factor())


def get_memory_limit() -> int:
    """Return the most bytes that a process may take: cardgen's limit, or the system's if less."""
    limits = [scale_limit(MEMORY_BYTES)]
    if resource is not None:
        own = resource.getrlimit(resource.RLIMIT_AS)[0]
        limits += [own] if own != resource.RLIM_INFINITY else []
    return min(limits)


def format_memory_limit() -> str:
    """Return the reason for stopping work that took more memory than `get_memory_limit`."""
    size = _format_system_limit()
    size = f"the {size}," if size else f"{get_memory_limit() >> 30} GB of memory"
    return f"it takes more than {size} and was stopped"


def format_crash(signal_name: str) -> str:
    """Return the reason for work whose process crashed, as libraries do that get no memory."""
    size = _format_system_limit()
    hint = f"; it may need more than the {size}" if size else ""
    return f"what reads it crashes ({signal_name}){hint}"


def _format_system_limit() -> str:
    """Return the system's limit on memory, "" where it allows as much as cardgen does."""
    limit = get_memory_limit()
    size = f"{limit >> 30} GB" if limit >= 1 << 30 else f"{limit >> 20} MB"
    is_lower = limit < scale_limit(MEMORY_BYTES)
    return f"{size} of memory that this terminal allows (ulimit -v)" if is_lower else ""


def _explain_error(error: BaseException) -> str:
    """Say why content of a game raised this error; "" for a bug of cardgen or another's error."""
    if isinstance(error, MemoryError | RecursionError):
        is_memory = isinstance(error, MemoryError)
        return format_memory_limit() if is_memory else "it is nested too deep"
    if isinstance(error, OSError) and error.errno in SYSTEM_REFUSALS:
        return ""  # a full disk is no fault of the content
    if type(error).__module__ == "pyo3_runtime":  # panics of typst are no Exceptions
        return f"typst fails on it: {_format_error(error)}"
    home = type(error).__module__.partition(".")[0]
    if not isinstance(error, Exception) or home == _OWN_PACKAGE:
        return ""
    import traceback  # noqa: PLC0415 - in case

    for frame, _line in reversed(list(traceback.walk_tb(error.__traceback__))):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package == _OWN_PACKAGE:
            break
        if package in _LIBRARY_TITLES:
            home = package
            break
    library = _LIBRARY_TITLES.get(home, "")
    return f"{library} fails on it: {_format_error(error)}" if library else ""


def _format_error(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def _limit_cpu_time(deadline: float) -> None:
    """Have the system end this process (SIGXCPU) once it has used so many seconds."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        soft = resource.RLIM_INFINITY if math.isinf(deadline) else math.ceil(deadline)
        if hard != resource.RLIM_INFINITY:
            soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _end_with_parent(parent: int) -> None:
    """End this process when its parent ends."""

    def wait_for_parent() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - the supervisor needs none

        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # it ended before this process could ask to end with it
    else:
        threading.Thread(target=wait_for_parent, daemon=True, name="parent").start()


@dataclass(frozen=True)
class WorkStatus:
    """Content of a status page: the subject at work, "" for none, and the next deadline.

    At `cpu_deadline`, in seconds of processor time of the whole process, `late_subject` has used
    its `seconds`. `turn` counts the changes of the page.
    """

    turn: int
    subject: str
    late_subject: str
    cpu_deadline: float
    seconds: float

    @property
    def stall_seconds(self) -> float:
        """Seconds for which the work may wait without using the processor."""
        return _STALL_SECONDS + self.seconds if self.subject else math.inf

    def explain_time_limit(self) -> str:
        """Say that the late subject was stopped, and on which part of it."""
        last = f"; the last of it was {self.subject}" if self.subject != self.late_subject else ""
        took = f"it takes more than {self.seconds:.0f} s of the processor's time"
        return f"{took} and was stopped{last}"


class StatusPage:
    """A page of memory that a process shares with the one watching over it."""

    _HEAD = struct.Struct("<QddHH")
    _SIZE = 1 << 13
    _MAX_SUBJECT_BYTES = 3000

    def __init__(self, handle: int | str | None = None) -> None:
        """Make a page, or open the one that another process made by its `handle`."""
        self._file = -1
        if sys.platform == "win32":
            self.handle: int | str = handle or f"cardgen-{os.getpid()}-{id(self)}"
            self._memory = mmap.mmap(-1, self._SIZE, str(self.handle))
        else:
            self._file = _create_memory_file(self._SIZE) if handle is None else int(handle)
            self.handle = self._file
            self._memory = mmap.mmap(self._file, self._SIZE)
        self._turn = 0

    @property
    def inherited_files(self) -> tuple[int, ...]:
        """File descriptors that a child must inherit to see the page."""
        return (self._file,) if self._file >= 0 else ()

    def write(self, subject: str, late_subject: str, cpu_deadline: float, seconds: float) -> None:
        """Publish the subject at work and the next deadline."""
        self._turn += 1
        texts = [
            text.encode(errors="replace")[: self._MAX_SUBJECT_BYTES]
            for text in (subject, late_subject)
        ]
        head = self._HEAD.pack(self._turn, cpu_deadline, seconds, *map(len, texts))
        data = b"".join((head, *texts))
        self._memory[: len(data)] = data

    def read(self) -> WorkStatus:
        """Return what was published last."""
        turn, cpu_deadline, seconds, *lengths = self._HEAD.unpack_from(self._memory)
        first = self._HEAD.size
        second, end = first + lengths[0], first + sum(lengths)
        subject, late_subject = (
            bytes(self._memory[start:stop]).decode(errors="replace")
            for start, stop in ((first, second), (second, end))
        )
        return WorkStatus(turn, subject, late_subject, cpu_deadline, seconds)

    def close(self) -> None:
        """Release the memory."""
        self._memory.close()
        if self._file >= 0:
            os.close(self._file)


def _create_memory_file(size: int) -> int:
    """Return a file of that size without a name, in memory where the system has such files."""
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("cardgen")
    else:
        import tempfile  # noqa: PLC0415 - macOS

        with tempfile.TemporaryFile() as temporary:
            file = os.dup(temporary.fileno())
    os.ftruncate(file, size)
    return file

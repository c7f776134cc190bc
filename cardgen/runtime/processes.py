"""Processes of ours, started so that they import from where this one does, and watched over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage

CHECK_INTERVAL_SECONDS = 0.25
"""Seconds between two looks at a process."""
_CRASH_SIGNALS = tuple(
    number
    for name in ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS")
    if (number := getattr(signal, name, None)) is not None
)
END_SIGNALS = tuple(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
)
"""What a process may be asked to end by."""


class ProcessWatch:
    """What is known of a working process, and what ended it."""

    def __init__(self, slate: StatusPage) -> None:
        self.slate = slate
        self.process: subprocess.Popen[bytes] | None = None
        self.why = ""
        self._turn, self._quiet, self._used = -1, 0.0, 0.0

    def check_limits(self) -> None:
        """End the process if it is past a bound that the system did not hold it to."""
        assert self.process is not None
        if self.process.poll() is not None:
            return
        entry = self.slate.read()
        if entry.turn != self._turn:
            self._turn, self._quiet = entry.turn, 0.0
            return
        import psutil  # noqa: PLC0415 - only where something takes long

        try:
            known = psutil.Process(self.process.pid)
            used, memory = sum(known.cpu_times()[:2]), known.memory_info().rss
        except psutil.Error:
            return
        # Its own seconds and not the clock's: a machine may be put to sleep.
        self._quiet = 0.0 if used - self._used > 0.01 else self._quiet + CHECK_INTERVAL_SECONDS
        self._used = used
        if used > entry.cpu_deadline + 1:
            self.why = work_limits.format_time_limit(entry.seconds)
        elif memory > work_limits.get_memory_limit():
            self.why = work_limits.format_memory_limit()
        elif self._quiet > entry.stall_seconds:
            self.why = "nothing moves any more; it was stopped"
        if self.why:
            self.process.kill()

    def find_fault(self, code: int) -> tuple[str, str]:
        """What it was at when it ended with that code, and why that is to blame; "" if not."""
        entry = self.slate.read()
        if self.why:
            return entry.subject, self.why
        if code == -getattr(signal, "SIGXCPU", 0) != 0:
            return entry.subject, work_limits.format_time_limit(entry.seconds)
        if -code in _CRASH_SIGNALS or (sys.platform == "win32" and code not in (0, 1)):
            return entry.subject, f"what reads it crashes ({name_signal(code)})"
        return entry.subject, ""

    def learn_exclusions(self, code: int, left_out: dict[str, str]) -> bool:
        """Add to what is left out, as text why, what the process died of and what it had stopped
        before. Whether it died of something that is new there: done again without, it may live.
        Code in C may crash late, over what was stopped in its midst."""
        known = len(left_out)
        left_out |= self.slate.read_stops()
        what, why = self.find_fault(code)
        if what and why:
            left_out.setdefault(what, why)
        return bool(why) and len(left_out) > known


def name_signal(code: int) -> str:
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"code {code & 0xFFFFFFFF:#x}"


def build_python_command(boot: str, *arguments: str) -> list[str]:
    """The command for a Python that imports from where this one does, and never from where one
    stands."""
    places = [place for place in sys.path if place and Path(place).is_absolute()]
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {places!r}; {boot}", *arguments]


_SCRATCH_PREFIX = "cardgen-at-work-"


def build_environment() -> dict[str, str]:
    """The environment less paths that mean wherever one stands. What crashes in Rust prints no
    stack, of which nobody learns what is wrong with a file."""
    kept = dict(os.environ)
    paths = kept.pop("PYTHONPATH", "").split(os.pathsep)
    absolute = [path for path in paths if path and Path(path).is_absolute()]
    if absolute:
        kept["PYTHONPATH"] = os.pathsep.join(absolute)
    return {**kept, "PYTHONSAFEPATH": "1", "RUST_BACKTRACE": "0"}


@contextmanager
def open_scratch_folder() -> Iterator[Path]:
    """A folder for the temporary files of a command and its helpers: it goes with the command, and
    that of a command which was killed goes with the next."""
    import shutil  # noqa: PLC0415 - with tempfile, only once a command
    import tempfile  # noqa: PLC0415

    for left in Path(tempfile.gettempdir()).glob(f"{_SCRATCH_PREFIX}*"):
        if (
            not left.is_symlink()
            and _is_own_folder(left)
            and (lock := _try_lock(left, os.O_RDWR)) >= 0
        ):
            shutil.rmtree(left, ignore_errors=True)
            os.close(lock)
    with tempfile.TemporaryDirectory(prefix=_SCRATCH_PREFIX, ignore_cleanup_errors=True) as name:
        held = _try_lock(Path(name), os.O_RDWR | os.O_CREAT)
        try:
            yield Path(name)
        finally:
            if held >= 0:
                os.close(held)


def _is_own_folder(folder: Path) -> bool:
    """Whether a folder is this user's; one that has just gone with its command is not."""
    try:
        return not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
    except FileNotFoundError:
        return False


def _try_lock(folder: Path, flags: int) -> int:
    """The file that says that somebody works in a folder, locked; -1 when somebody does, or when
    there is none."""
    try:
        import fcntl  # noqa: PLC0415 - Windows has none, and keeps what was killed there
    except ImportError:
        return -1
    try:
        file = os.open(folder / "in-use", flags | os.O_NOFOLLOW, 0o600)
    except OSError:
        return -1
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return -1
    return file


@contextmanager
def block_end_signals() -> Iterator[None]:
    """Nobody is asked to end within: a process started here is asked once it can listen."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_end_signals() -> None:
    """The part of a process that was started so: it can listen now."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)

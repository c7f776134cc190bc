"""Child processes: started with safe import paths, watched over, and killed past their limits.

`supervise_command` runs the whole command as such a child, so that no content of a game can end
cardgen without a message. The supervising process reads no game. It shares its terminal with the
command, passes signals on, and starts the command again, with the content excluded, where the
command dies on content of a game.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage


def _find_signals(*names: str) -> tuple[int, ...]:
    """Return those of the signals that this system has."""
    return tuple(number for name in names if (number := getattr(signal, name, None)) is not None)


CHECK_INTERVAL_SECONDS = 0.25
"""Time between two checks of a process."""
END_SIGNALS = _find_signals("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that ask a process to end."""
INTERRUPTED_EXIT_CODE = 130
_CRASH_SIGNALS = _find_signals(
    "SIGSEGV", "SIGBUS", "SIGABRT", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS"
)
_TIME_SIGNALS = _find_signals("SIGXCPU")
_SCRATCH_PREFIX = "cardgen-at-work-"
_MAX_KILLS = 3
"""How often something outside cardgen may kill the command before it is given up."""
_MAX_EXCLUSIONS = 8
_END_GRACE_SECONDS = 3.0
"""Time that an interrupted command has to clean up."""


class ProcessWatch:
    """Watch over a child process, by the status page that it shares."""

    def __init__(self) -> None:
        self.page = StatusPage()
        self.process: subprocess.Popen[bytes] | None = None
        self._fault: tuple[str, str] | None = None
        self._turn, self._quiet, self._used = -1, 0.0, 0.0

    def check_limits(self) -> None:
        """Kill the process if it exceeds a limit that the system did not enforce."""
        assert self.process is not None
        if self.process.poll() is not None:
            return
        status = self.page.read()
        if status.turn != self._turn:
            self._turn, self._quiet = status.turn, 0.0
            return
        import psutil  # noqa: PLC0415 - only where something takes long

        try:
            process = psutil.Process(self.process.pid)
            used, memory = sum(process.cpu_times()[:2]), process.memory_info().rss
        except psutil.Error:
            return
        # Counted in checks and not by the clock: a machine may be suspended.
        self._quiet = 0.0 if used - self._used > 0.01 else self._quiet + CHECK_INTERVAL_SECONDS
        self._used = used
        if used > status.cpu_deadline + 2:
            self._fault = status.late_subject, status.explain_time_limit()
        elif memory > work_limits.get_memory_limit():
            self._fault = status.subject, work_limits.format_memory_limit()
        elif self._quiet > status.stall_seconds:
            self._fault = status.subject, "nothing moves any more; it was stopped"
        if self._fault:
            self.process.kill()

    def find_fault(self, code: int) -> tuple[str, str]:
        """Return the subject on which the process ended with an exit code, and the reason.

        The reason is "" where the subject is not to blame, such as for a kill from outside.
        """
        if self._fault:
            return self._fault
        status = self.page.read()
        if -code in _TIME_SIGNALS:
            return status.late_subject, status.explain_time_limit()
        if -code in _CRASH_SIGNALS or (sys.platform == "win32" and code not in (0, 1)):
            return status.subject, f"what reads it crashes ({name_signal(code)})"
        return status.subject, ""

    def learn_exclusion(self, code: int, exclusions: dict[str, str]) -> bool:
        """Add the subject on which the process died, with the reason. Say if it is a new one."""
        subject, why = self.find_fault(code)
        if not subject or not why or subject in exclusions:
            return False
        exclusions[subject] = why
        return True


def name_signal(code: int) -> str:
    """Return the name of the signal of a negative exit code; on Windows, the code."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"code {code & 0xFFFFFFFF:#x}"


def build_python_command(boot: str, *arguments: str) -> list[str]:
    """Return the command line of a Python that runs the code `boot`.

    It imports from where this process imports, and never from the current folder.
    """
    places = [place for place in sys.path if place and Path(place).is_absolute()]
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {places!r}; {boot}", *arguments]


def build_environment() -> dict[str, str]:
    """Return the environment for a child: no relative import paths, no stack traces of Rust."""
    environment = dict(os.environ)
    paths = environment.pop("PYTHONPATH", "").split(os.pathsep)
    absolute = [path for path in paths if path and Path(path).is_absolute()]
    if absolute:
        environment["PYTHONPATH"] = os.pathsep.join(absolute)
    return {**environment, "PYTHONSAFEPATH": "1", "RUST_BACKTRACE": "0"}


@contextmanager
def open_scratch_folder() -> Iterator[Path]:
    """Make a folder for the temporary files of a command and its workers, and remove it after.

    The next command removes the folder of a command that was killed.
    """
    import shutil  # noqa: PLC0415 - with tempfile, only once a command
    import tempfile  # noqa: PLC0415

    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH_PREFIX}*"):
        if folder.is_symlink() or not _is_own_folder(folder):
            continue
        if (lock_file := _try_lock(folder, os.O_RDWR)) >= 0:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock_file)
    with tempfile.TemporaryDirectory(prefix=_SCRATCH_PREFIX, ignore_cleanup_errors=True) as name:
        lock_file = _try_lock(Path(name), os.O_RDWR | os.O_CREAT)
        try:
            yield Path(name)
        finally:
            if lock_file >= 0:
                os.close(lock_file)


def _is_own_folder(folder: Path) -> bool:
    """Say if a folder belongs to this user; one that was just removed does not."""
    try:
        return not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
    except FileNotFoundError:
        return False


def _try_lock(folder: Path, flags: int) -> int:
    """Lock the file that marks a scratch folder as in use, and return its descriptor.

    Return -1 where a process uses the folder or there is no such file.
    """
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
    """Block END_SIGNALS: a child that is started here inherits the block until it is ready."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_end_signals() -> None:
    """Receive END_SIGNALS from now on, in a child that was started with them blocked."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)


def supervise_command(entry: str, arguments: list[str]) -> int:
    """Run the function that `entry` names ("module:function") in a child, and return its exit code.

    The child has this process's terminal and the arguments of the command line.
    """
    try:
        with open_scratch_folder() as scratch:
            return _run_supervised(entry, arguments, scratch)
    except KeyboardInterrupt:  # before the command had begun
        return _report_interrupt()


def _run_supervised(entry: str, arguments: list[str], scratch: Path) -> int:
    exclusions: dict[str, str] = {}
    kills = 0
    while True:
        command = _CommandProcess(entry, arguments, exclusions, scratch)
        code = command.run()
        if code == INTERRUPTED_EXIT_CODE or (command.interrupt and code < 0):
            return _report_interrupt()
        if code >= 0:
            return code
        if len(exclusions) < _MAX_EXCLUSIONS and command.watch.learn_exclusion(code, exclusions):
            continue
        subject, why = command.watch.find_fault(code)
        if not why and (kills := kills + 1) < _MAX_KILLS:
            sys.stderr.write(
                f"cardgen was ended from outside ({name_signal(code)}); it starts again\n"
            )
        else:
            at = f" at {subject!a}" if subject else ""
            sys.stderr.write(f"cardgen came to an end{at}: {why or name_signal(code)}\n")
            return 1 if subject else 3


def _report_interrupt() -> int:
    sys.stderr.write("interrupted\n")
    return INTERRUPTED_EXIT_CODE


class _CommandProcess:
    """The whole command in a process of its own, with a thread that watches over it."""

    def __init__(
        self, entry: str, arguments: list[str], exclusions: dict[str, str], scratch: Path
    ) -> None:
        self.watch = ProcessWatch()
        self.interrupt = 0
        """The last signal that asked the command to end; 0 for none."""
        self._ended = threading.Event()
        page = self.watch.page
        call = f"processes.serve_command({page.handle!r}, {os.getpid()}, {entry!r})"
        boot = f"from cardgen.runtime import processes; {call}"
        command = build_python_command(boot, json.dumps(exclusions), *arguments)
        environment = {**build_environment(), "TMPDIR": str(scratch)}
        with block_end_signals():
            self.process = self.watch.process = subprocess.Popen(
                command, env=environment, pass_fds=page.inherited_files
            )

    def run(self) -> int:
        """Wait for the command, pass signals on to it, and return its exit code."""
        before = {number: signal.signal(number, self._pass_signal) for number in END_SIGNALS}
        threading.Thread(target=self._watch_process, daemon=True).start()
        try:
            return self.process.wait()
        finally:
            self._ended.set()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _watch_process(self) -> None:
        since = math.inf
        while not self._ended.wait(CHECK_INTERVAL_SECONDS):
            self.watch.check_limits()
            since = min(since, time.monotonic()) if self.interrupt else math.inf
            if time.monotonic() - since > _END_GRACE_SECONDS:
                self.process.kill()

    def _pass_signal(self, number: int, _frame: Any) -> None:
        """Pass the first signal on to the command; kill it at the second."""
        if self.interrupt:
            self.process.kill()
        self.interrupt = number
        with contextlib.suppress(OSError, ValueError):  # Windows tells all of a terminal itself
            self.process.send_signal(number)


def serve_command(handle: int | str, parent: int, entry: str) -> None:
    """Run the command under limits; `supervise_command` starts a child with this function."""
    exclusions = json.loads(sys.argv.pop(1))
    work_limits.apply_limits(StatusPage(handle), exclusions, parent)
    sys.argv[0] = "cardgen"

    def handle_signal(number: int, _frame: Any) -> None:
        if not _signals_received:  # a terminal tells the whole group, and the parent passes it on
            _signals_received.append(number)
            sys.unraisablehook = lambda _: None
            raise KeyboardInterrupt

    for number in END_SIGNALS:
        signal.signal(number, handle_signal)
    try:
        unblock_end_signals()
        module, _, name = entry.partition(":")
        getattr(import_module(module), name)()
    except SystemExit:
        raise
    except BaseException:  # a KeyboardInterrupt, or what a library made of it
        if is_interrupted():
            sys.exit(INTERRUPTED_EXIT_CODE)
        raise


_signals_received: list[int] = []
"""The signal that interrupted this command."""


def is_interrupted() -> bool:
    """Say if this command was interrupted: libraries turn a KeyboardInterrupt into other errors."""
    return bool(_signals_received)

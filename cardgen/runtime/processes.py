"""Child processes: started with safe import paths, watched over, and killed past their limits.

`supervise_command` runs the whole command as such a child, so that no content of a game can end
cardgen without a message. The supervising process reads no game. It shares its terminal with the
command, passes signals on, and starts the command again, with the content excluded, where the
command dies on content of a game. It imports little and starts no thread, so that the command can
be a fork of it, which starts at once.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage

if TYPE_CHECKING:
    import subprocess

_Process: TypeAlias = "subprocess.Popen[bytes] | ForkedProcess"


def _find_signals(*names: str) -> tuple[int, ...]:
    """Return those of the signals that this system has."""
    return tuple(number for name in names if (number := getattr(signal, name, None)) is not None)


CAN_FORK = sys.platform == "linux"
"""Elsewhere there is no fork (Windows), or system libraries do not work in one (macOS)."""
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


class WatchedProcess(Protocol):
    """A child, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, seconds: float | None = None, /) -> int | None: ...

    def kill(self) -> None: ...


class ProcessWatch:
    """Watch over a child process, by the status page that it shares."""

    def __init__(self) -> None:
        self.page = StatusPage()
        self.process: WatchedProcess | None = None
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
            return status.subject, work_limits.format_crash(name_signal(code))
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
    places = f"import sys; sys.path[:] = {_list_import_places()!r}"
    return [sys.executable, "-P", "-c", f"{places}; {boot}", *arguments]


def _list_import_places() -> list[str]:
    return [place for place in sys.path if place and Path(place).is_absolute()]


def build_environment() -> dict[str, str]:
    """Return the environment for a child: no relative import paths, no stack traces of Rust, no
    warnings of libraries, which may be made errors."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONWARNINGS"}
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


class ForkedProcess:
    """A fork of this process that runs a function and exits, with the methods of `Popen` that a
    watch needs.

    This process must have no other threads: a fork would wait forever for a lock that one holds.
    """

    def __init__(self, function: Callable[[], object]) -> None:
        self.returncode: int | None = None
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # or the fork would print it again
        self._end_of_life, held = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self._end_of_life)
            _run_and_exit(function)
        os.close(held)

    def poll(self) -> int | None:
        """Return the exit code; None while the process runs."""
        return self._reap(os.WNOHANG)

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit code; None where the process still runs after that time."""
        if self.returncode is None and select.select([self._end_of_life], [], [], seconds)[0]:
            return self._reap(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the exit code is known. A signal handler may call this."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End the process at once."""
        self.send_signal(signal.SIGKILL)

    def _reap(self, options: int) -> int | None:
        if self.returncode is None:
            ended, status = 0, 0
            with contextlib.suppress(ChildProcessError):  # another thread asks at the same time
                ended, status = os.waitpid(self.pid, options)
            if ended:
                self.returncode = os.waitstatus_to_exitcode(status)
                os.close(self._end_of_life)
        return self.returncode


def _run_and_exit(function: Callable[[], object]) -> NoReturn:
    """Run a function in a fork, and exit as Python does, without going back into the caller."""
    import atexit  # noqa: PLC0415 - the parent needs neither
    import threading  # noqa: PLC0415

    code: object = 1
    try:
        try:
            function()
            code = 0
        except SystemExit as leave:
            code = leave.code or 0
        except BaseException:
            if is_interrupted():  # while it was on its way out
                code = INTERRUPTED_EXIT_CODE
            else:
                sys.excepthook(*sys.exc_info())
        if not isinstance(code, int):
            sys.stderr.write(f"{code}\n")
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        os._exit(code & 0xFF if isinstance(code, int) else 1)


def let_go_of_files(kept: int) -> None:
    """Close, in a fork, all files of its parent but one; standard input and output are empty."""
    null = os.open(os.devnull, os.O_RDWR)
    for target in range(3):
        os.dup2(null, target)
    os.closerange(3, kept)
    os.closerange(kept + 1, min(os.sysconf("SC_OPEN_MAX"), 1 << 16))


class _CommandProcess:
    """The whole command in a process of its own, and the watch over it."""

    def __init__(
        self, entry: str, arguments: list[str], exclusions: dict[str, str], scratch: Path
    ) -> None:
        self.watch = ProcessWatch()
        self.interrupt = 0
        """The last signal that asked the command to end; 0 for none."""
        page, parent = self.watch.page, os.getpid()
        environment = {**build_environment(), "TMPDIR": str(scratch)}

        def serve() -> None:
            import tempfile  # noqa: PLC0415 - only in the fork

            os.environ.clear()
            os.environ.update(environment)
            tempfile.tempdir = None  # this process has asked for it, and would not ask again
            sys.path[:] = _list_import_places()
            sys.argv[1:] = arguments
            serve_command(page.handle, parent, entry, exclusions)

        inputs = f"{page.handle!r}, {parent}, {entry!r}, {exclusions!a}"
        boot = f"from cardgen.runtime import processes; processes.serve_command({inputs})"
        with block_end_signals():
            self.process = (
                ForkedProcess(serve)
                if CAN_FORK
                else _spawn_python(build_python_command(boot, *arguments), environment, page)
            )
        self.watch.process = self.process

    def run(self) -> int:
        """Wait for the command, pass signals on to it, and return its exit code."""
        before = {number: signal.signal(number, self._pass_signal) for number in END_SIGNALS}
        since = math.inf
        try:
            while (code := _wait_briefly(self.process)) is None:
                self.watch.check_limits()
                since = min(since, time.monotonic()) if self.interrupt else math.inf
                if time.monotonic() - since > _END_GRACE_SECONDS:
                    self.process.kill()
            return code
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _pass_signal(self, number: int, _frame: Any) -> None:
        """Pass the first signal on to the command; kill it at the second."""
        again, self.interrupt = bool(self.interrupt), number
        with contextlib.suppress(OSError, ValueError):  # Windows tells all of a terminal itself
            if again:
                self.process.kill()
            self.process.send_signal(number)


def _spawn_python(
    command: list[str], environment: dict[str, str], page: StatusPage
) -> subprocess.Popen[bytes]:
    import subprocess  # noqa: PLC0415 - only where there is no fork

    return subprocess.Popen(command, env=environment, pass_fds=page.inherited_files)


def _wait_briefly(process: _Process) -> int | None:
    """Return the exit code of a process; None where it runs on until it is to be checked."""
    if isinstance(process, ForkedProcess):
        return process.wait(CHECK_INTERVAL_SECONDS)
    import subprocess  # noqa: PLC0415 - only where there is no fork

    with contextlib.suppress(subprocess.TimeoutExpired):
        return process.wait(CHECK_INTERVAL_SECONDS)
    return None


def serve_command(handle: int | str, parent: int, entry: str, exclusions: dict[str, str]) -> None:
    """Run the command under limits; `supervise_command` starts a child with this function."""
    work_limits.apply_limits(StatusPage(handle), exclusions, parent)
    warnings.simplefilter("ignore")
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


def list_program_folders(root: Path | None = None) -> list[str]:
    """Return the folders of PATH in which programs are looked for: none of the game's, and not the
    current one, where a stranger may have put some."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [part for part in parts if Path(part).is_absolute() and not _is_strange(part, root)]


def restrict_program_folders(root: Path) -> dict[str, str]:
    """Return the environment for a program that starts others: npm starts node."""
    return {**os.environ, "PATH": os.pathsep.join(list_program_folders(root))}


def _is_strange(folder: Path | str, root: Path | None) -> bool:
    real = Path(os.path.realpath(folder))
    return real == Path.cwd() or (root is not None and real.is_relative_to(root.resolve()))


def find_program(name: str, root: Path | None = None) -> str | None:
    """Return the path of an installed program; None for none, also where it is the game's."""
    import shutil  # noqa: PLC0415 - seldom

    found = shutil.which(name, path=os.pathsep.join(list_program_folders(root)))
    if found is None:
        return None
    # Windows searches the current folder first.
    folders = Path(found).parent, Path(os.path.realpath(found)).parent
    return None if any(_is_strange(folder, root) for folder in folders) else found

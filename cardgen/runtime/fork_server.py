"""A process that imports modules once and forks workers, which share its memory. Linux only.

The server reads nothing of a game: it has no threads, and forks before any content is at work. It
is a process started anew, or a fork of one that has read nothing of a game either.
Workers are its children, so they end with it, as it ends with the process it works for. They are
addressed by numbers of their own and killed by the server alone, which knows whose child still
lives: the system may give the number of a dead process to another.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterable
from typing import IO, Any

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage
from cardgen.runtime import processes
from cardgen.runtime.processes import WatchedProcess

_MESSAGE_BYTES = 1024
_DEFAULT_GC_THRESHOLDS = 700, 10, 10
_LOST_CODE = -int(signal.SIGKILL)


WorkerFunction = Callable[[int, int], None]
"""Called with the file of its status page and the process it works for."""


class ForkedWorker:
    """A worker that a server has forked, with the part of `subprocess.Popen` that is needed."""

    def __init__(
        self, server: ForkServer, number: int, stdin: IO[bytes], stdout: IO[bytes]
    ) -> None:
        self._server, self.number = server, number
        self.stdin, self.stdout = stdin, stdout
        self.pid = 0
        """0 until the server has forked it."""
        self._code: int | None = None
        self._ended = threading.Event()

    def poll(self) -> int | None:
        """Return its exit code, None as long as it lives."""
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit code, the negative number of a signal.

        Raises `TimeoutError`.
        """
        if not self._ended.wait(timeout) or self._code is None:
            raise TimeoutError(f"the worker {self.pid} has not ended")
        return self._code

    def kill(self) -> None:
        """Have the server kill it."""
        if self._code is None:
            self._server.send_message(f"kill {self.number}")

    def record_end(self, code: int) -> None:
        """Note its exit code, which the server reports."""
        self._code = code
        self._ended.set()


class ForkServer:
    """The server of this process. Its methods do not wait for it."""

    def __init__(self, serve: WorkerFunction, *, as_fork: bool = False) -> None:
        """Workers run the function `serve` of a module, with their standard input and output.

        With `as_fork`, the server has imported what this process has. This process must have read
        nothing of a game. Where it has threads, the server is started anew.
        """
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._children: dict[int, ForkedWorker] = {}
        self._imported: set[str] = set()
        self._count = 0
        self._lock = threading.Lock()
        self._is_lost = False
        start = _fork_server if as_fork and threading.active_count() == 1 else _start_server
        with theirs, processes.block_end_signals():
            self._process = start(theirs.fileno(), serve)
        threading.Thread(target=self._read_reports, daemon=True).start()

    @property
    def is_alive(self) -> bool:
        return not self._is_lost and self._process.poll() is None

    def import_modules(self, names: Iterable[str]) -> None:
        """Import modules for all workers that are forked from now on."""
        for name in names:
            if name not in self._imported:
                self._imported.add(name)
                self.send_message(f"import {name}")

    def fork_worker(self, page: StatusPage) -> ForkedWorker:
        """Fork a worker that publishes its status on a page, and return it at once."""
        (to_read, stdin), (stdout, to_write) = os.pipe(), os.pipe()
        with self._lock:
            self._count += 1
            child = ForkedWorker(self, self._count, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"))
            if self._is_lost:
                child.record_end(_LOST_CODE)
            else:
                self._children[self._count] = child
        self.send_message(f"fork {child.number}", to_read, to_write, *page.inherited_files)
        os.close(to_read)
        os.close(to_write)
        return child

    def send_message(self, text: str, *files: int) -> None:
        with contextlib.suppress(OSError):  # it is dead, and the reading thread says so
            socket.send_fds(self._socket, [text.encode()], files)

    def stop(self) -> None:
        """Kill the server, and its workers with it."""
        self._process.kill()
        self._process.wait()

    def _read_reports(self) -> None:
        with contextlib.suppress(OSError):
            while report := self._socket.recv(_MESSAGE_BYTES):
                word, number, value = report.split()
                if word == b"forked":
                    self._children[int(number)].pid = int(value)
                else:
                    self._children.pop(int(number)).record_end(int(value))
        with self._lock:
            self._is_lost, lost, self._children = True, self._children, {}
        self._socket.close()
        for child in lost.values():
            child.record_end(_LOST_CODE)


def _start_server(file: int, serve: WorkerFunction) -> WatchedProcess:
    worker = f"from {serve.__module__} import {serve.__name__} as serve"
    call = f"fork_server.serve_forks({file}, {os.getpid()}, serve)"
    boot = f"from cardgen.runtime import fork_server; {worker}; {call}"
    return subprocess.Popen(
        processes.build_python_command(boot), env=processes.build_environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        pass_fds=(file,),
    )  # fmt: skip


def _fork_server(file: int, serve: WorkerFunction) -> WatchedProcess:
    parent = os.getpid()

    def run() -> None:
        try:
            processes.let_go_of_files(file)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            gc.set_threshold(*_DEFAULT_GC_THRESHOLDS)
            serve_forks(file, parent, serve)
        finally:
            os._exit(1)  # what the parent does at its end is not for a fork

    return processes.ForkedProcess(run)


def serve_forks(file: int, parent: int, serve: WorkerFunction) -> None:
    """Import modules and fork workers as asked for; `ForkServer` starts a process with this."""
    for number in processes.END_SIGNALS:
        if number != signal.SIGTERM:
            signal.signal(number, signal.SIG_IGN)  # the process that it works for ends it
    processes.unblock_end_signals()
    work_limits.apply_limits(StatusPage(), {}, parent)
    _Server(socket.socket(fileno=file), serve).answer_messages()


class _Server:
    def __init__(self, connection: socket.socket, serve: WorkerFunction) -> None:
        self._connection, self._serve = connection, serve
        self._numbers: dict[int, int] = {}
        """Numbers of the workers that live by their process ids."""
        self._wake_up, tell = socket.socketpair()
        for end in (self._wake_up, tell):
            end.setblocking(False)
        self._tell = tell
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(tell.fileno(), warn_on_full_buffer=False)

    def answer_messages(self) -> None:
        while True:
            ready, _, _ = select.select([self._connection, self._wake_up], [], [])
            if self._wake_up in ready:
                with contextlib.suppress(BlockingIOError):
                    self._wake_up.recv(_MESSAGE_BYTES)
                self._report_ends()
            if self._connection in ready:
                data, files, _, _ = socket.recv_fds(self._connection, _MESSAGE_BYTES, 3)
                if not data:
                    return
                word, _, rest = data.decode().partition(" ")
                getattr(self, f"_{word}")(rest, files)

    def _report_ends(self) -> None:
        while self._numbers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            code = os.waitstatus_to_exitcode(status)
            self._connection.send(b"ended %d %d" % (self._numbers.pop(pid), code))

    def _import(self, module: str, _files: Any) -> None:
        with contextlib.suppress(Exception):  # the call that needs it raises the error
            importlib.import_module(module)
        gc.freeze()  # modules stay: workers need not search them, and share their memory

    def _kill(self, number: str, _files: Any) -> None:
        for pid, other in self._numbers.items():
            if other == int(number):
                os.kill(pid, signal.SIGKILL)

    def _fork(self, number: str, files: list[int]) -> None:
        pid = os.fork()
        if not pid:
            self._serve_worker(*files)
        self._numbers[pid] = int(number)
        self._connection.send(b"forked %d %d" % (int(number), pid))
        for file in files:
            os.close(file)

    def _serve_worker(self, stdin: int, stdout: int, page: int) -> None:
        """Be a worker until its calls end."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (self._connection, self._wake_up, self._tell):
                each.close()
            for file, target in ((stdin, 0), (stdout, 1)):
                os.dup2(file, target)
                os.close(file)
            self._serve(page, os.getppid())
        finally:
            os._exit(1)

"""The command in a process of its own, so that nothing that a game does ends it without a word.

This process reads no game. It starts the one that works, shares its terminal with it, passes on
what it is asked to end by, and looks after it. Where that one dies over something of the game, it
is run again with that thing left out, which it then tells.
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
from importlib import import_module
from pathlib import Path
from typing import Any

from cardgen.core import work_limits
from cardgen.core.work_limits import StatusPage
from cardgen.runtime.processes import (
    CHECK_INTERVAL_SECONDS,
    END_SIGNALS,
    ProcessWatch,
    block_end_signals,
    build_environment,
    build_python_command,
    name_signal,
    open_scratch_folder,
    unblock_end_signals,
)

_MAX_KILLS = 3
"""So often may it be killed from outside."""
_MAX_EXCLUSIONS = 8
INTERRUPTED_EXIT_CODE = 130
_END_GRACE_SECONDS = 3.0
"""Seconds that an interrupted command has to put its things away."""


def supervise_command(entry: str, arguments: list[str]) -> int:
    """Run the function that `entry` names ("module:function") on the command line's arguments, in
    a process of its own; its exit code.

    It shares this one's terminal. Where it dies over something of the game, it is run again with
    that left out, and tells it.
    """
    try:
        with open_scratch_folder() as scratch:
            return _run_supervised(entry, arguments, scratch)
    except KeyboardInterrupt:  # before the command had begun
        return _report_interrupt()


def _run_supervised(entry: str, arguments: list[str], scratch: Path) -> int:
    left_out: dict[str, str] = {}
    runs = killed = 0
    while True:
        runs += 1
        command = _CommandProcess(entry, arguments, left_out, scratch)
        code = command.run()
        if code == INTERRUPTED_EXIT_CODE or (command.interrupted and code < 0):
            return _report_interrupt()
        if code >= 0:
            return code
        if command.watch.learn_exclusions(code, left_out) and runs <= _MAX_EXCLUSIONS:
            continue
        what, why = command.watch.find_fault(code)
        if not why and (killed := killed + 1) < _MAX_KILLS:
            sys.stderr.write(
                f"cardgen was ended from outside ({name_signal(code)}); it starts again\n"
            )
        else:
            at = f" at {what!a}" if what else ""
            sys.stderr.write(f"cardgen came to an end{at}: {why or name_signal(code)}\n")
            return 1 if what else 3


def _report_interrupt() -> int:
    sys.stderr.write("interrupted\n")
    return INTERRUPTED_EXIT_CODE


class _CommandProcess:
    """The whole command in a process of its own, watched over by a thread."""

    def __init__(
        self, entry: str, arguments: list[str], left_out: dict[str, str], scratch: Path
    ) -> None:
        self.watch = ProcessWatch(StatusPage())
        self.interrupted = 0
        self._ended = threading.Event()
        slate = self.watch.slate
        call = f"supervisor.command({slate.handle!r}, {os.getpid()}, {entry!r})"
        boot = f"from cardgen.runtime import supervisor; {call}"
        command = build_python_command(boot, json.dumps(left_out), *arguments)
        around = {**build_environment(), "TMPDIR": str(scratch)}
        with block_end_signals():
            self.process = self.watch.process = subprocess.Popen(
                command, env=around, pass_fds=slate.inherited_files
            )

    def run(self) -> int:
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
            since = min(since, time.monotonic()) if self.interrupted else math.inf
            if time.monotonic() - since > _END_GRACE_SECONDS:
                self.process.kill()

    def _pass_signal(self, number: int, _frame: Any) -> None:
        """Pass a signal on once, and end it all at the next."""
        if self.interrupted:
            self.process.kill()
        self.interrupted = number
        with contextlib.suppress(OSError, ValueError):  # Windows tells all of a terminal itself
            self.process.send_signal(number)


def command(handle: int | str, parent: int, entry: str) -> None:
    """What `supervise` starts: the command itself, under bounds."""
    work_limits.apply_limits(StatusPage(handle), json.loads(sys.argv.pop(1)), parent)
    sys.argv[0] = "cardgen"

    def handle_signal(number: int, _frame: Any) -> None:
        if (
            not _signals_received
        ):  # a terminal tells the whole group, and the supervisor passes it on
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
    """Whether this command is being interrupted: whatever is raised then comes of it, since
    libraries make errors of their own of a KeyboardInterrupt."""
    return bool(_signals_received)

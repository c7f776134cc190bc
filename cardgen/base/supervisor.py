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

from cardgen.base import guard
from cardgen.base.guard import Slate
from cardgen.base.processes import (
    ENDINGS,
    LOOK,
    Watch,
    endings_held,
    environment,
    listen,
    name_of,
    python,
    scratch_folder,
)

_TRIES = 3
"""So often may it be killed from outside."""
_MOST_LEFT_OUT = 8
INTERRUPTED = 130
_PATIENCE = 3.0
"""Seconds that an interrupted command has to put its things away."""


def supervise(entry: str, arguments: list[str]) -> int:
    """Run the function that `entry` names ("module:function") on the command line's arguments, in
    a process of its own; its exit code.

    It shares this one's terminal. Where it dies over something of the game, it is run again with
    that left out, and tells it.
    """
    try:
        with scratch_folder() as scratch:
            return _supervised(entry, arguments, scratch)
    except KeyboardInterrupt:  # before the command had begun
        return _interrupted()


def _supervised(entry: str, arguments: list[str], scratch: Path) -> int:
    left_out: dict[str, str] = {}
    runs = killed = 0
    while True:
        runs += 1
        command = _Command(entry, arguments, left_out, scratch)
        code = command.run()
        if code == INTERRUPTED or (command.interrupted and code < 0):
            return _interrupted()
        if code >= 0:
            return code
        if command.watch.learned(code, left_out) and runs <= _MOST_LEFT_OUT:
            continue
        what, why = command.watch.fault(code)
        if not why and (killed := killed + 1) < _TRIES:
            sys.stderr.write(f"cardgen was ended from outside ({name_of(code)}); it starts again\n")
        else:
            at = f" at {what!a}" if what else ""
            sys.stderr.write(f"cardgen came to an end{at}: {why or name_of(code)}\n")
            return 1 if what else 3


def _interrupted() -> int:
    sys.stderr.write("interrupted\n")
    return INTERRUPTED


class _Command:
    """The whole command in a process of its own, watched over by a thread."""

    def __init__(
        self, entry: str, arguments: list[str], left_out: dict[str, str], scratch: Path
    ) -> None:
        self.watch = Watch(Slate())
        self.interrupted = 0
        self._ended = threading.Event()
        slate = self.watch.slate
        call = f"supervisor.command({slate.handle!r}, {os.getpid()}, {entry!r})"
        boot = f"from cardgen.base import supervisor; {call}"
        command = python(boot, json.dumps(left_out), *arguments)
        around = {**environment(), "TMPDIR": str(scratch)}
        with endings_held():
            self.process = self.watch.process = subprocess.Popen(
                command, env=around, pass_fds=slate.files
            )

    def run(self) -> int:
        before = {number: signal.signal(number, self._end) for number in ENDINGS}
        threading.Thread(target=self._look, daemon=True).start()
        try:
            return self.process.wait()
        finally:
            self._ended.set()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _look(self) -> None:
        since = math.inf
        while not self._ended.wait(LOOK):
            self.watch.look()
            since = min(since, time.monotonic()) if self.interrupted else math.inf
            if time.monotonic() - since > _PATIENCE:
                self.process.kill()

    def _end(self, number: int, _frame: Any) -> None:
        """Pass a signal on once, and end it all at the next."""
        if self.interrupted:
            self.process.kill()
        self.interrupted = number
        with contextlib.suppress(OSError, ValueError):  # Windows tells all of a terminal itself
            self.process.send_signal(number)


def command(handle: int | str, parent: int, entry: str) -> None:
    """What `supervise` starts: the command itself, under bounds."""
    guard.serve(Slate(handle), json.loads(sys.argv.pop(1)), parent)
    sys.argv[0] = "cardgen"

    def end(number: int, _frame: Any) -> None:
        if not _ended:  # a terminal tells the whole group, and the supervisor passes it on
            _ended.append(number)
            sys.unraisablehook = lambda _: None
            raise KeyboardInterrupt

    for number in ENDINGS:
        signal.signal(number, end)
    try:
        listen()
        module, _, name = entry.partition(":")
        getattr(import_module(module), name)()
    except SystemExit:
        raise
    except BaseException:  # a KeyboardInterrupt, or what a library made of it
        if interrupted():
            sys.exit(INTERRUPTED)
        raise


_ended: list[int] = []
"""The signal that interrupted this command."""


def interrupted() -> bool:
    """Whether this command is being interrupted: whatever is raised then comes of it, since
    libraries make errors of their own of a KeyboardInterrupt."""
    return bool(_ended)

"""A command under watch: how long it and all its processes take, how much memory, what it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRACEBACK = "Traceback (most recent call last)"
# Signs that a terminal obeys, or that turn the order of what is read.
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PAGE, TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
POLL = 0.05


@dataclass(frozen=True)
class Outcome:
    """How a command ended. `work` are the seconds of the processor that were seen; `megabytes` is
    the most that all its processes held at one time; `stopped` says why it was stopped from here,
    "" when it ended by itself; `left` are processes of it that lived three seconds longer."""

    code: int
    seconds: float
    work: float
    megabytes: float
    out: str
    err: str
    stopped: str = ""
    left: int = 0

    @property
    def lines(self) -> list[str]:
        """Everything that was printed, problems first."""
        return [*self.err.splitlines(), *self.out.splitlines()]

    def faults(self, codes: Collection[int]) -> Iterator[str]:
        """What is wrong with how it ended, whatever it was to do."""
        if self.stopped:
            yield self.stopped
        elif self.code not in codes:
            yield f"exit {self.code}"
        if TRACEBACK in self.err + self.out:
            yield "a traceback"
        if self.left:
            yield f"{self.left} processes left"


@dataclass(frozen=True)
class Trial:
    """How something that was tried went: what was wrong, nothing when all was right, a line that
    was told of it, seconds of the processor and MB. Its name begins with its group and a slash."""

    name: str
    wrong: Sequence[str] = ()
    told: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0

    def __str__(self) -> str:
        what = f"FAILED ({'; '.join(self.wrong)})" if self.wrong else "ok"
        took = f"{self.seconds:.1f} s  {self.megabytes:.0f} MB  " if self.seconds else ""
        return f"{self.name:44} {what}  {took}{UNSHOWN.sub('?', self.told)[:150]}"


@dataclass(frozen=True)
class Load:
    """What processes hold and have used: bytes of memory, seconds of the processor."""

    memory: int
    work: float


def processes() -> set[int]:
    """All that there are."""
    return {int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()}


def family(leader: int, others: Collection[int] = ()) -> dict[int, Load]:
    """The living processes that a session's leader began, itself among them; `others` are known
    to be none of them, and need not be looked at."""
    found: dict[int, tuple[int, int, Load]] = {}
    for pid in processes().difference(others):
        try:
            line = Path(f"/proc/{pid}/stat").read_text(errors="replace")
        except OSError:
            continue
        words = line.rpartition(") ")[2].split()
        if words[0] not in "ZX":
            load = Load(int(words[21]) * PAGE, sum(map(int, words[11:15])) / TICKS)
            found[pid] = (int(words[1]), int(words[3]), load)
    members = {pid for pid, (_, session, _) in found.items() if leader in (pid, session)}
    while True:
        more = {pid for pid, (parent, _, _) in found.items() if parent in members} - members
        if not more:
            return {pid: found[pid][2] for pid in members}
        members |= more


def end(pids: Iterable[int]) -> None:
    """Kill processes that were begun here."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue


Start = Callable[
    [Sequence[str], Path, Mapping[str, str] | None], AbstractContextManager[tuple[Any, Path]]
]
"""Begins a command, which answers as `subprocess.Popen` does, and has a folder for its output."""


@contextmanager
def begun(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """A command at work in a session of its own; its output lies in a folder's `out` and `err`."""
    with tempfile.TemporaryDirectory(prefix="trial-said-") as scratch:
        out, err = Path(scratch) / "out", Path(scratch) / "err"
        with out.open("wb") as to_out, err.open("wb") as to_err:
            process = subprocess.Popen(
                command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=to_out, stderr=to_err, start_new_session=True,
            )  # fmt: skip
            try:
                yield process, Path(scratch)
            finally:
                end([*family(process.pid)])
                process.wait()


def said(folder: Path) -> tuple[str, str]:
    """What a command printed so far."""
    out, err = (
        (folder / name).read_bytes().decode("utf-8", "backslashreplace") for name in ("out", "err")
    )
    return out, err


def watched(  # noqa: PLR0913 - bounds and ways to start, each with a default
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    *,
    seconds: float = 30,
    megabytes: float = 4000,
    start: Start | None = None,
    ask: int = 0,
) -> Outcome:
    """Run a command until it ends, takes too long or holds too much; one that does is sent the
    signal `ask` before it is ended, to print where it is.

    Seconds of the processor count, of all processes, since others may be at work on the machine;
    but nothing may stand still for ten times as long.
    """
    most, work, stopped = 0.0, 0.0, ""
    known: set[int] = set()
    others = processes()
    with (start or begun)(command, folder, environment) as (process, scratch):
        started = time.perf_counter()
        while process.poll() is None:
            living = family(process.pid, others)
            known |= set(living)
            most = max(most, sum(load.memory for load in living.values()) / 1e6)
            busy, taken = sum(load.work for load in living.values()), time.perf_counter() - started
            work = max(work, busy)
            if busy > seconds or taken > 10 * seconds:
                stopped = f"still at work after {taken:.0f} s"
            elif most > megabytes:
                stopped = f"holds {most:.0f} MB"
            if stopped:
                break
            time.sleep(POLL)
        taken = time.perf_counter() - started
        if stopped and ask:
            os.kill(process.pid, ask)
            time.sleep(0.3)
        known |= set(family(process.pid))
        left = 0 if stopped else remaining(known - {process.pid})
        end([*known])
        process.wait()
        return Outcome(process.returncode, taken, work, most, *said(scratch), stopped, left)


def alive(pids: Iterable[int]) -> set[int]:
    """Those of the processes that still live."""
    found = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(") ")[2][0]
        except OSError:
            continue
        if state not in "ZX":
            found.add(pid)
    return found


def remaining(pids: Iterable[int], patience: float = 3.0) -> int:
    """How many of those processes still live when patience is over."""
    until = time.perf_counter() + patience
    while (living := alive(pids)) and time.perf_counter() < until:
        time.sleep(POLL)
    return len(living)

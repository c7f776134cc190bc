"""The fuzzer: games of the tests, the documentation and the repository, mutated and put to cardgen.

Right is exit code 0 or 1 within 15 seconds and the bound of memory, without a traceback, without a
sign that a terminal obeys, and with nothing of the game changed but its build folder. Cases run in
processes that are forked from one with cardgen loaded; what goes wrong counts if it also does in
the command itself. It is then made smaller and kept under trials/found/, once for each way to fail.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

from cardgen.core import work_limits
from trials.attack import CARDGEN
from trials.enemy import differences, state
from trials.fuzzing import cases, shrink
from trials.fuzzing.cases import KINDS, Case
from trials.fuzzing.worker import forked
from trials.running import TRACEBACK, UNSHOWN, Outcome, Trial, watched

__all__ = ["KINDS", "Bench", "judged", "trials"]
MOST_SECONDS = 15.0
MOST_MEGABYTES = 1.5 * work_limits.MEMORY_BYTES / 1e6
STORED = "build/.store/fonts"
MOST_FONTS = 80
_FRAME = re.compile(r'File "[^"]*?/(cardgen/[^"]+|site-packages/[^"/]+)[^"]*", line \d+,? in (\S+)')


class Bench:
    """A folder in which cases are tried, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.game = folder, folder / "game"
        self._fonts, temporary = folder / "fonts", folder / "tmp"
        temporary.mkdir(parents=True)
        self._environment = {**os.environ, "TMPDIR": str(temporary), "HOME": str(folder)}

    def run(self, case: Case) -> tuple[str, Outcome | None]:
        """Write a case's game, put it to its command, and tell what is wrong with how that ended,
        "" for nothing: cases that fail for one cause say the same."""
        if not self._written(case):  # a name that this system does not have
            return "", None
        before = state(self.game, ("build",))
        command = [word.replace("@GAME@", str(self.game)) for word in case.command]
        wrong, outcome = self._judged(command, quick=True)
        if wrong:
            self._written(case)
            again, outcome = self._judged([CARDGEN, *command], quick=False)
            stopped = again.startswith(("hang", "memory")) and wrong.startswith(("hang", "memory"))
            wrong = wrong if stopped else again
        if not wrong and (changed := differences(before, state(self.game, ("build",)))):
            wrong = f"changed {changed[0]}"
        if not any(name.startswith("fonts/") for name in case.changed):
            self._keep_fonts()
        return wrong, outcome

    def _judged(self, command: list[str], *, quick: bool) -> tuple[str, Outcome]:
        outcome = watched(
            command, self.folder, self._environment, seconds=MOST_SECONDS, megabytes=MOST_MEGABYTES,
            start=forked if quick else None, ask=signal.SIGUSR1 if quick else 0,
        )  # fmt: skip
        printed = outcome.err + outcome.out
        if outcome.stopped:
            what = "memory" if "MB" in outcome.stopped else "hang"
            return f"{what} at {_place(printed, first=True)}", outcome
        if outcome.code < 0:
            return f"died ({outcome.code}) at {_place(printed, first=True)}", outcome
        if outcome.left:
            return "processes are left", outcome
        return judged(command[0 if quick else 1], outcome.code, printed), outcome

    def _written(self, case: Case) -> bool:
        """Write the case's game into an empty folder; whether that can be."""
        shutil.rmtree(self.game, ignore_errors=True)
        self.game.mkdir()
        try:
            case.write(self.game)
        except (OSError, ValueError):
            return False
        # Fonts are what costs most in a small game: made ready once, they are lent to every case.
        if self._fonts.is_dir():
            with suppress(OSError):
                shutil.copytree(self._fonts, self.game / STORED, copy_function=os.link)
        return True

    def _keep_fonts(self) -> None:
        made = self.game / STORED
        if not made.is_dir():
            return
        self._fonts.mkdir(exist_ok=True)
        known = {path.name for path in self._fonts.iterdir()}
        for path in made.iterdir():
            if path.name not in known and len(known) < MOST_FONTS and path.is_file():
                shutil.copy(path, self._fonts / path.name)


def _place(told: str, *, first: bool = False) -> str:
    """The innermost place in cardgen of a traceback, and in which library below it."""
    frames = _FRAME.findall(told)[:: -1 if first else 1]
    own = [f"{path}:{name}" for path, name in frames if path.startswith("cardgen")]
    below = [f"{path.rpartition('/')[2]}:{name}" for path, name in frames[-1:]]
    return " ".join(dict.fromkeys([*own[-1:], *below])) or "nowhere"


def judged(command: str, code: int, printed: str) -> str:
    """What is wrong with an answer, in words that are the same for the same cause."""
    misnamed = code == 2 and "is not a game folder: it has no game.yaml" in printed
    if TRACEBACK in printed or (code not in (0, 1) and not misnamed):
        last = [line for line in printed.splitlines() if re.match(r"[A-Za-z_.]+(:|$)", line)]
        name = last[-1].partition(":")[0] if last else ""
        return f"exit {code} {name} at {_place(printed)}"
    shown = UNSHOWN.search(printed)
    if shown:
        return f"sign {ord(shown[0]):#x} is sent"
    if code == 1 and command in ("check", "build") and "error" not in printed:
        return "an error without a line"
    return ""


def trials(given: Namespace) -> Iterator[Trial]:
    """So many cases, by so many workers at once; with `--record`, what finds are told instead."""
    if given.record:
        yield from _recorded()
        return
    until = time.monotonic() + 60 * given.minutes
    kinds = tuple(filter(None, given.kinds.split(",")))
    finds: set[str] = set()
    quick = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - in memory
    local, numbers = threading.local(), itertools.count()
    with ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="trial-fuzz-", dir=quick))
        pool = stack.enter_context(ThreadPoolExecutor(given.jobs))

        def tried(number: int) -> Trial | None:
            if time.monotonic() > until:
                return None
            if not hasattr(local, "bench"):
                local.bench = Bench(Path(scratch) / str(next(numbers)))
            case = cases.made(given.seed, number, kinds)
            wrong, ended = local.bench.run(case)
            told = ""
            if wrong and wrong not in finds and not given.dry:
                finds.add(wrong)
                smaller = shrink.smaller(case, lambda less: local.bench.run(less)[0] == wrong)
                told = f"kept in {shrink.saved(smaller, wrong)}"
            group, _, base = case.name.partition(" ")
            name = f"{group}/{number} {base}"
            seconds, megabytes = (ended.work, ended.megabytes) if ended else (0.0, 0.0)
            return Trial(name, (wrong,) if wrong else (), told, seconds, megabytes)

        yield from filter(None, pool.map(tried, range(given.cases)))


def _recorded() -> Iterator[Trial]:
    """Write down what every find without an expectation is told today."""
    with tempfile.TemporaryDirectory(prefix="trial-fuzz-") as scratch:
        bench = Bench(Path(scratch))
        for folder in sorted(shrink.FOUND.iterdir()):
            if (folder / "expected.txt").exists():
                continue
            wrong, ended = bench.run(shrink.restored(folder))
            if ended and not wrong:
                told = shrink.told(ended.code, ended.err + ended.out, bench.game)
                (folder / "expected.txt").write_text(told, encoding="utf-8")
            yield Trial(f"found/{folder.name}", (wrong,) if wrong else ())


def told_in_full(seed: str, kinds: str, number: int) -> str:
    """One case run again, with all that is known of it."""
    case = cases.made(seed, number, tuple(filter(None, kinds.split(","))))
    with tempfile.TemporaryDirectory(prefix="trial-fuzz-") as scratch:
        wrong, ended = Bench(Path(scratch)).run(case)
    files = [f"--- {name}\n{case.files.get(name, b'').decode('utf-8', 'replace')}"
             for name in case.changed]  # fmt: skip
    printed = "\n".join(ended.lines) if ended else ""
    code = ended.code if ended else sys.maxsize
    how = f"--- {case.name}: {' '.join(case.command)}\n{printed}\nexit {code}: {wrong or 'right'}"
    return "\n".join([*files, how])

"""Workers under watch: cases are handed out, and each is judged by how it ended."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.core import work_limits
from trials.attack import ROOT
from trials.enemy import differences, state
from trials.fuzzing.cases import Case
from trials.running import Clock, end, family, watched

MOST_SECONDS = 15.0
MOST_MEGABYTES = 1.5 * work_limits.MEMORY_BYTES / 1e6
CARDGEN = str(Path(sys.executable).parent / "cardgen")
CASES_A_WORKER = 400
"""So many cases are run by one process before a new one takes its place."""
STORED = "build/.store/fonts"
MOST_FONTS = 80
START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from trials.fuzzing.worker import serve; serve()"
)
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FRAME = re.compile(r'File "[^"]*?/(cardgen/[^"]+|site-packages/[^"/]+)[^"]*", line \d+,? in (\S+)')


@dataclass(frozen=True)
class Result:
    """How a case ended. `wrong` says in short what was wrong, "" when nothing was: cases that
    fail for one cause say the same."""

    wrong: str
    code: int
    seconds: float
    megabytes: float
    said: str


class Bench:
    """A worker and a folder for its cases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.game = folder / "game"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        self._fonts = folder / "fonts"

    def close(self) -> None:
        """End the worker and all that it began."""
        if self._process is not None:
            end([*family(self._process.pid)])
            self._process.wait()
            self._process = None

    def _worker(self) -> subprocess.Popen[bytes]:
        worn = self._count >= CASES_A_WORKER
        if self._process is None or self._process.poll() is not None or worn:
            self.close()
            self._count = 0
            environment = {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.folder)}
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", START, str(ROOT)], cwd=self.folder, env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=(self.folder / "stderr").open("wb"), start_new_session=True,
            )  # fmt: skip
        self._count += 1
        return self._process

    def run(self, case: Case, seconds: float = MOST_SECONDS) -> Result:
        """Write a case's game, put it to its command, and judge how that ended."""
        if not self._written(case):  # a name that this system does not have
            return Result("", 0, 0, 0, "")
        before = state(self.game, ("build",))
        command = [word.replace("@GAME@", str(self.game)) for word in case.command]
        result = self._run(command, seconds)
        if result.wrong:
            # What this quick way gets wrong is tried again the way that users go, which counts.
            self._written(case)
            result = self._confirmed(command, result.wrong)
        if not result.wrong and (changed := differences(before, state(self.game, ("build",)))):
            result = Result(f"changed {changed[0]}", *list(vars(result).values())[1:])
        if not any(name.startswith("fonts/") for name in case.changed):
            self._keep_fonts()
        return result

    def _written(self, case: Case) -> bool:
        """Write the case's game into an empty folder; whether that can be."""
        shutil.rmtree(self.game, ignore_errors=True)
        self.game.mkdir()
        try:
            case.write(self.game)
        except (OSError, ValueError):
            return False
        self._lend_fonts()
        return True

    def _confirmed(self, command: list[str], wrong: str) -> Result:
        """How the command ends in processes of its own."""
        environment = {**os.environ, "TMPDIR": str(self.temporary), "HOME": str(self.folder)}
        ended = watched([CARDGEN, *command], self.folder, environment, seconds=MOST_SECONDS,
                        megabytes=MOST_MEGABYTES)  # fmt: skip
        told = ended.err + ended.out
        found = judged(command[0], ended.code, told)
        if ended.stopped:
            found = wrong if wrong.startswith(("hang", "memory")) else ended.stopped
        elif ended.left:
            found = "processes are left"
        return Result(found, ended.code, ended.work, ended.megabytes, told)

    def _run(self, command: list[str], seconds: float) -> Result:
        process = self._worker()
        assert process.stdin
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps({"command": command}).encode() + b"\n")
            process.stdin.flush()
        clock, most = Clock(seconds, sum(x.work for x in family(process.pid).values())), 0.0
        for line in self._waited(process):
            if line:
                answer = json.loads(line)
                said = answer["err"] + answer["out"]
                wrong = judged(command[0], answer["code"], said)
                return Result(wrong, answer["code"], answer["seconds"], most, said)
            living = family(process.pid)
            most = max(most, sum(load.memory for load in living.values()) / 1e6)
            over = clock.is_over(living)
            if over or most > MOST_MEGABYTES:
                where = self._standing(process)
                self.close()
                what = "hang" if over else "memory"
                return Result(f"{what} at {where}", -1, clock.taken, most, "")
        code = process.wait()
        told = (self.folder / "stderr").read_bytes().decode("utf-8", "replace")
        self.close()
        return Result(f"died ({code}) at {_place(told, first=True)}", code, 0, most, told)

    def _waited(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """What the worker answers; nothing each time that a moment passed without an answer."""
        assert process.stdout
        while True:
            ready, _, _ = select.select([process.stdout], [], [], 0.1)
            if not ready:
                yield b""
                continue
            line = process.stdout.readline()
            if not line:
                return
            yield line

    def _standing(self, process: subprocess.Popen[bytes]) -> str:
        """Where the worker is at, as it says itself."""
        process.send_signal(signal.SIGUSR1)
        time.sleep(0.3)
        told = (self.folder / "stderr").read_bytes().decode("utf-8", "replace")
        return _place(told, first=True)

    # Fonts are made ready once and lent to every case: they are what costs most in a small game.
    def _lend_fonts(self) -> None:
        if self._fonts.is_dir():
            with contextlib.suppress(OSError):
                shutil.copytree(self._fonts, self.game / STORED, copy_function=os.link)

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
    frames = _FRAME.findall(told)
    if first:
        frames = frames[::-1]
    own = [f"{path}:{name}" for path, name in frames if path.startswith("cardgen")]
    below = [f"{path.rpartition('/')[2]}:{name}" for path, name in frames[-1:]]
    return " ".join(dict.fromkeys([*own[-1:], *below])) or "nowhere"


def judged(command: str, code: int, said: str) -> str:
    """What is wrong with an answer, in words that are the same for the same cause."""
    misnamed = code == 2 and "is not a game folder: it has no game.yaml" in said
    if "Traceback (most recent call last)" in said or (code not in (0, 1) and not misnamed):
        last = [line for line in said.splitlines() if re.match(r"[A-Za-z_.]+(:|$)", line)]
        name = last[-1].partition(":")[0] if last else ""
        return f"exit {code} {name} at {_place(said)}"
    shown = UNSHOWN.search(said)
    if shown:
        return f"sign {ord(shown[0]):#x} is sent"
    if code == 1 and command in ("check", "build") and "error" not in said:
        return "an error without a line"
    return ""

"""Kills at random moments of a build, and what the next build makes of it.

    python -P trials/kills.py [--times N] [--seed WORD]

A small game and one with helpers at work are built cold or after an edit. At a moment of chance
the whole group, the first process, the command below it or one helper gets a signal, SIGINT maybe
twice. Right is: the exit code, nothing of it alive after three seconds, files of the next build
equal to the byte to a clean one's, and nothing else in its folder or among temporary files.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from trials.attack import Content
from trials.figures import Figures
from trials.games import MEDIUM_GAME, SMALL_GAME, Command, leftovers, made, written
from trials.running import Outcome, begun, family, remaining, said

GAMES: Mapping[str, Mapping[str, Content]] = {"small": SMALL_GAME, "medium": MEDIUM_GAME}
WAYS = (
    ("group", ("SIGINT",)), ("group", ("SIGINT", "SIGINT")), ("group", ("SIGTERM",)),
    ("group", ("SIGKILL",)), ("parent", ("SIGINT",)), ("parent", ("SIGTERM",)),
    ("parent", ("SIGKILL",)), ("parent", ("SIGINT", "SIGINT")), ("command", ("SIGKILL",)),
    ("command", ("SIGTERM",)), ("helper", ("SIGKILL",)), ("helper", ("SIGTERM",)),
    ("helper", ("SIGINT",)),
)  # fmt: skip
INTERRUPTED = 130
# Python itself shows where it was when it is interrupted before it comes to cardgen.
_FRAME = re.compile(r'File ".*/cardgen/\w')
PATIENCE = 10.0
"""Seconds of the clock in which a build that is asked to end does so."""


@dataclass(frozen=True)
class Kill:
    """Which game is built how, who gets which signals, and when: a share of the build's time."""

    game: str
    edited: bool
    whom: str
    signals: tuple[str, ...]
    moment: float

    def __str__(self) -> str:
        how = "edited" if self.edited else "cold"
        return (
            f"{self.game} {how}: {' '.join(self.signals)} to the {self.whom} at {self.moment:.2f}"
        )


class Ground:
    """A game, how long its builds take, and what a clean build makes of it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.files = GAMES[name]
        self.game = folder / name / "game"
        self.command = Command(self.game, folder / name / "tmp")
        self.command.temporary.mkdir(parents=True)
        self.seconds: dict[bool, float] = {}
        self.edit(edited=True)
        self.must(self.command.run())
        self.edit(edited=False)
        self.seconds[True] = self.must(self.command.run()).seconds
        self.again()
        self.seconds[False] = self.must(self.command.run()).seconds
        self.clean = made(self.game)

    def must(self, outcome: Outcome) -> Outcome:
        """An outcome that must be right, or the trial itself is broken."""
        if outcome.code:
            sys.exit(f"a build that nothing is wrong with fails:\n{outcome.err}")
        return outcome

    def again(self) -> None:
        """The game as if never built."""
        written(self.game, self.files)

    def edit(self, *, edited: bool) -> None:
        """The game as it is, or with one card other than that."""
        if not self.game.exists():
            self.again()
        text = str(self.files["cards/loot.yaml"])
        other = text.replace("name: Card 1,", "name: Another,")
        (self.game / "cards/loot.yaml").write_text(other if edited else text)


def killed(kill: Kill, ground: Ground) -> list[str]:
    """Carry out a kill; what was wrong with what followed."""
    if kill.edited:  # a build of the edited game stands there, and the game is edited back
        ground.edit(edited=True)
        ground.must(ground.command.run())
        ground.edit(edited=False)
    else:
        ground.again()
    with begun(ground.command.line, ground.command.temporary, ground.command.environment) as (
        process,
        scratch,
    ):
        wrong = [*_ended(kill, process, ground.seconds[kill.edited], scratch)]
    after = ground.command.run()
    wrong += [f"the next build: exit {after.code}: {after.err[-200:]}"] if after.code else []
    now = made(ground.game)
    wrong += [f"{name} differs" for name in sorted(now.keys() ^ ground.clean.keys())][:3]
    wrong += [f"{name} is another" for name, data in now.items() if ground.clean.get(name) != data][
        :3
    ]
    wrong += [f"left: {name}" for name in leftovers(ground.game)[:3]]
    left = [
        path.name for path in ground.command.temporary.iterdir() if path.name.startswith("cardgen")
    ]
    return wrong + [f"left among temporary files: {name}" for name in left[:2]]


def _ended(
    kill: Kill, process: subprocess.Popen[bytes], seconds: float, scratch: Path
) -> Iterator[str]:
    """Send the signals and wait; what is wrong with how it ends."""
    known: set[int] = set()
    until = time.monotonic() + kill.moment * seconds
    target = 0
    while process.poll() is None:
        known |= set(family(process.pid))
        if time.monotonic() >= until and (target := _target(kill, process)):
            break
        time.sleep(0.005)
    sent = bool(target) and process.poll() is None
    if sent:
        for number, name in enumerate(kill.signals):
            time.sleep(0.1 * number)
            _send(kill, target, getattr(signal, name))
    known |= set(family(process.pid))
    started = time.monotonic()
    # One whose helper was killed does its work again; others are on their way out.
    patience = PATIENCE + (3 * seconds if kill.whom in ("helper", "command") else 0)
    try:
        code = process.wait(patience * 6)
    except subprocess.TimeoutExpired:
        yield f"still there after {patience * 6:.0f} s"
        return
    taken = time.monotonic() - started
    if taken > patience:
        yield f"took {taken:.0f} s to end"
    if code not in _codes(kill, sent):
        yield f"exit {code}: {''.join(said(scratch))[-200:]}"
    if _FRAME.search("".join(said(scratch))):
        yield "a traceback"
    if left := remaining(known - {process.pid}):
        yield f"{left} processes left"


def _target(kill: Kill, process: subprocess.Popen[bytes]) -> int:
    """The process that gets the signals; 0 while there is none."""
    if kill.whom in ("group", "parent"):
        return process.pid
    word = "processes.serve_command" if kill.whom == "command" else "worker_pool.serve_calls"
    for pid in sorted(family(process.pid)):
        try:
            if word in Path(f"/proc/{pid}/cmdline").read_text(errors="replace"):
                return pid
        except OSError:
            continue
    return 0


def _send(kill: Kill, target: int, number: int) -> None:
    try:
        if kill.whom == "group":
            os.killpg(target, number)
        else:
            os.kill(target, number)
    except ProcessLookupError:
        pass  # it was done first


def _codes(kill: Kill, sent: bool) -> tuple[int, ...]:
    """The exit codes that are right. Whoever is asked at the last moment may be done already."""
    if not sent or kill.whom == "helper":
        return (0,)
    if kill.whom == "command":
        return (0,) if kill.signals == ("SIGKILL",) else (0, INTERRUPTED)
    if "SIGKILL" in kill.signals:
        return (0, -signal.SIGKILL)
    # Before Python listens, the signal itself ends it, or Python does.
    return (0, 1, INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)


def kills(seed: str, times: int) -> Iterator[Kill]:
    """So many kills, every way in turn and each at a moment of chance."""
    rng = Random(seed)
    for number in range(times):
        whom, signals = WAYS[number % len(WAYS)]
        game = "medium" if whom == "helper" or rng.random() < 0.5 else "small"
        yield Kill(game, rng.random() < 0.4, whom, signals, rng.random() * 1.02)


def carried_out(seed: str, times: int) -> list[tuple[Kill, list[str]]]:
    """Every kill with what was wrong; told as they go."""
    results = []
    with tempfile.TemporaryDirectory(prefix="trial-kills-") as scratch:
        grounds = {name: Ground(name, Path(scratch)) for name in GAMES}
        for kill in kills(seed, times):
            wrong = killed(kill, grounds[kill.game])
            results.append((kill, wrong))
            print(f"{kill}: {'; '.join(wrong) or 'ok'}", flush=True)
    return results


def main() -> None:
    """Kill, and exit 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=int, default=100, metavar="N")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="where figures are put")
    parser.add_argument("--seed", default="1", metavar="WORD", help="of chance")
    given = parser.parse_args()
    results = carried_out(given.seed, given.times)
    figures = Figures("kills of a build")
    for kill, wrong in results:
        figures.count(f"{' '.join(kill.signals)} to the {kill.whom}", wrong=bool(wrong))
    figures.write(given.figures)
    print(f"{figures.tried - figures.wrong} of {figures.tried} kills right")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()

"""Kills at random moments of a build, and what the next build makes of it.

A small game and one with helpers at work are built cold or after an edit. At a moment of chance
the whole group, the first process, the command below it or one helper gets a signal, SIGINT maybe
twice. Right is: the exit code, nothing of it alive after three seconds, files of the next build
equal to the byte to a clean one's, and nothing else in its folder or among temporary files.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from trials.attack import Content
from trials.field import EDITED, SHARED, Field, deck
from trials.running import Trial, begun, family, remaining, said

GAMES: Mapping[str, Mapping[str, Content]] = {
    "small": {**SHARED, EDITED: deck(3)},
    "medium": {
        **SHARED,
        EDITED: deck(40),
        "cards/more.yaml": deck(30, "Give").replace("deck: loot", "deck: more"),
    },
}
BUILD = ("build", "sheets", "images", "rulebook", "--dpi", "72")
SIGNALS = {
    "group": ("SIGINT", "SIGINT SIGINT", "SIGTERM", "SIGKILL"),
    "parent": ("SIGINT", "SIGTERM", "SIGKILL", "SIGINT SIGINT"),
    "command": ("SIGKILL", "SIGTERM"),
    "helper": ("SIGKILL", "SIGTERM", "SIGINT"),
}
WAYS = [(whom, tuple(each.split())) for whom, signals in SIGNALS.items() for each in signals]
BELOW = ("command", "helper")
"""Processes below the first one, of which only the last kind has none below it."""
INTERRUPTED = 130
# Python itself shows where it was when it is interrupted before it comes to cardgen.
_FRAME = re.compile(r'File ".*/cardgen/\w')
PATIENCE = 10.0
"""Seconds of the clock in which a build that is asked to end does so."""


@dataclass(frozen=True)
class Kill:
    """Which game is built how, who gets which signals, and when: a share of the build's time."""

    game: str
    start: str
    whom: str
    signals: tuple[str, ...]
    moment: float

    def __str__(self) -> str:
        to = f"{' '.join(self.signals)} to the {self.whom}"
        return f"{to}/{self.game} {self.start} at {self.moment:.2f}"

    def codes(self, sent: bool) -> tuple[int, ...]:
        """The exit codes that are right. Whoever is asked at the last moment may be done."""
        if not sent or self.whom == "helper":
            return (0,)
        if self.whom == "command":
            return (0,) if self.signals == ("SIGKILL",) else (0, INTERRUPTED)
        if "SIGKILL" in self.signals:
            return (0, -signal.SIGKILL)
        # Before Python listens, the signal itself ends it, or Python does.
        return (0, 1, INTERRUPTED, -signal.SIGINT, -signal.SIGTERM)


def killed(kill: Kill, field: Field) -> Trial:
    """Carry out a kill; what was wrong with what followed."""
    good = field.built
    if kill.start == "edited":  # a build of the edited game stands there, and it is edited back
        field.set_up(field.built_anew)
        field.edit(back=True)
    else:
        field.set_up(good, built=False)
    with begun(field.line(), field.temporary, field.environment) as (process, scratch):
        wrong = [*_ended(kill, process, field.seconds[kill.start], scratch)]
    wrong += field.next_build(good)
    return Trial(str(kill), [*wrong, *[*field.leftovers()][:3]])


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
    for number, name in enumerate(kill.signals if sent else ()):
        time.sleep(0.1 * number)
        send = os.killpg if kill.whom == "group" else os.kill
        with suppress(ProcessLookupError):  # it was done first
            send(target, getattr(signal, name))
    known |= set(family(process.pid))
    started = time.monotonic()
    # One whose helper was killed does its work again; others are on their way out.
    patience = PATIENCE + (3 * seconds if kill.whom in BELOW else 0)
    try:
        code = process.wait(patience * 6)
    except subprocess.TimeoutExpired:
        yield f"still there after {patience * 6:.0f} s"
        return
    taken = time.monotonic() - started
    if taken > patience:
        yield f"took {taken:.0f} s to end"
    printed = "".join(said(scratch))
    if code not in kill.codes(sent):
        yield f"exit {code}: {printed[-200:]}"
    if _FRAME.search(printed):
        yield "a traceback"
    if left := remaining(known - {process.pid}):
        yield f"{left} processes left"


def _target(kill: Kill, process: subprocess.Popen[bytes]) -> int:
    """The process that gets the signals; 0 while there is none."""
    if kill.whom not in BELOW:
        return process.pid
    with suppress(psutil.Error):
        for command in psutil.Process(process.pid).children():
            if kill.whom == "command":
                return int(command.pid)
            for each in command.children(recursive=True):
                if not each.children():
                    return int(each.pid)
    return 0


def trials(given: Namespace) -> Iterator[Trial]:
    """So many kills, every way in turn and each at a moment of chance."""
    rng = Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="trial-kills-") as scratch:
        fields = {name: Field(Path(scratch) / name, files, BUILD) for name, files in GAMES.items()}
        for number in range(given.times):
            whom, signals = WAYS[number % len(WAYS)]
            game = "medium" if whom == "helper" or rng.random() < 0.5 else "small"
            start = "edited" if rng.random() < 0.4 else "cold"
            yield killed(Kill(game, start, whom, signals, rng.random() * 1.02), fields[game])

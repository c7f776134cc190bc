"""The hostile library: every attack carried out, and what it did held against what it may do.

Each attack is a game in a folder of its own, with canaries beside it. What every attack is told is
written down in trials/attacks/expected.txt: a line with its name, its exit code, and the line that
must be among those printed. One that ends in "…" is the beginning of a line, where it may be either
of two bounds that is met first. What works for longer than the shortest bound for time, a face's,
may be stopped or not: machines differ.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cardgen.core import work_limits
from trials import enemy
from trials.attack import CARDGEN, SECRET, Attack, Place
from trials.attacks import all_attacks
from trials.running import UNSHOWN, Outcome, Trial, watched

MOST_MEGABYTES = 1.5 * work_limits.MEMORY_BYTES / 1e6
"""Of all processes together: one may take the guard's bound, the others little."""
EXPECTED = Path(__file__).parent / "attacks" / "expected.txt"
MADE = ("build", "fonts/node_modules", "fonts/package-lock.json")
_LONGEST = 240
_SHORTEST = 3.0
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_LAST = re.compile(r"; the last of it was .*?(?= \[|$)")
_STOPPED = "of the processor's time and was stopped"
_SECONDS = re.compile(r"(?<=takes more than )\d+(?= s )")
Expected = dict[str, tuple[int, str]]


def read_expected() -> Expected:
    """Every expectation by the attack's name."""
    lines = [line.split("  ", 2) for line in EXPECTED.read_text(encoding="utf-8").splitlines()]
    return {name: (int(code), told) for name, code, told in lines}


def _plain(line: str, place: Place) -> str:
    """A line less what differs from run to run."""
    for word, path in (("GAME", place.game), ("ELSEWHERE", place.elsewhere)):
        line = line.replace(str(path), word)
    line = _SECONDS.sub("N", line)
    return _LAST.sub("", _PORT.sub("HOST", line))[:_LONGEST].rstrip()


def _to_expect(outcome: Outcome, place: Place) -> tuple[int, str]:
    """What is to be expected of an attack that ended so: its first error, or what there is."""
    lines = [_plain(line, place) for line in outcome.lines]
    failure = [line for line in outcome.err.splitlines() if line.strip()] if outcome.code else []
    by_weight = [*(x for x in lines if "error: " in x), *(x for x in lines if "warning: " in x)]
    return outcome.code, _plain(next(iter([*by_weight, *failure]), "-"), place)


def _missed(outcome: Outcome, place: Place, expected: tuple[int, str] | None) -> Iterator[str]:
    """What is not as expected."""
    if expected is None:
        yield "nothing is expected of it yet; read what it says, and --record it"
        return
    code, told = expected
    lines = [_plain(line, place) for line in outcome.lines]
    if outcome.work > _SHORTEST and any(_STOPPED in line for line in (told, *lines)):
        return
    begins = told.removesuffix("…")
    if outcome.code != code:
        yield f"exit {outcome.code}, {code} is expected"
    elif not (
        told in ("-", *lines) or (begins != told and any(line.startswith(begins) for line in lines))
    ):
        yield f"no line: {told}"


def carried_out(attack: Attack, expected: Expected, *, aloud: bool = False) -> Trial:
    """Carry out an attack in a folder that is thrown away. What goes wrong changes `expected`."""
    with (
        tempfile.TemporaryDirectory(prefix="trial-") as scratch,
        enemy.listening() as foe,
        enemy.listening() as registry,
    ):
        folders = [Path(scratch) / name for name in ("game", "elsewhere", "home", "tmp")]
        game, elsewhere, home, temporary = folders
        for folder in folders:
            folder.mkdir()
        enemy.plant(elsewhere)
        place = Place(game, elsewhere, foe.address)
        environment = _environment(home, temporary, registry.address)
        attack.written(place, environment)
        before, canaries = enemy.state(game, MADE), enemy.state(elsewhere)
        outcome = watched(
            _command(attack, place), game / (attack.inside or ""),
            environment, seconds=attack.seconds, megabytes=MOST_MEGABYTES,
        )  # fmt: skip
        wrong = [*_wrong(attack, outcome)]
        wrong = wrong or [*_missed(outcome, place, expected.get(attack.name))]
        changed = enemy.differences(before, enemy.state(game, MADE))
        wrong += [f"changed in the game: {name}" for name in changed[:3]]
        changed = enemy.differences(canaries, enemy.state(elsewhere))
        wrong += [f"{len(changed)} changed elsewhere: {', '.join(changed[:3])}"] if changed else []
        wrong += [f"asked of the enemy: {line}" for line in foe.asked[:2]]
        wrong += [f"sent: {line}" for line in registry.asked if SECRET in line]
        wrong += [f"the secret is in {name}" for name in enemy.holds_secret(game / "build")[:2]]
        left = sorted(path.name for path in temporary.iterdir() if "node" not in path.name)
        wrong += [f"left in the temporary folder: {name}" for name in left[:2]]
        if wrong:
            expected[attack.name] = _to_expect(outcome, place)
    if aloud:
        print(UNSHOWN.sub("?", "\n".join(outcome.lines[:40])))
    last = (outcome.err.splitlines() or outcome.out.splitlines() or [""])[-1]
    told = f"exit {outcome.code}  {last}"
    return Trial(attack.name, wrong, told, outcome.work, outcome.megabytes)


def _command(attack: Attack, place: Place) -> list[str]:
    words = [place.filled(word) for word in attack.command]
    if attack.inside is None and not any(str(place.game) in word for word in words):
        words.insert(1, str(place.game))
    return ["sh", "-c", place.filled(attack.shell), "sh", CARDGEN, *words]


def _environment(home: Path, temporary: Path, registry: str) -> dict[str, str]:
    """The environment of someone with a secret, a home and a registry of their own."""
    kept = {
        key: os.environ[key]
        for key in ("PATH", "PYTHONPATH", "LANG", "LC_ALL")
        if key in os.environ
    }
    return {
        **kept,
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "SECRET_TOKEN": SECRET,
        "PYTHONUTF8": "1",
        "npm_config_registry": f"http://{registry}/",
        "npm_config_fetch_retries": "0",
    }


def _wrong(attack: Attack, outcome: Outcome) -> Iterator[str]:
    yield from outcome.faults(attack.codes)
    if outcome.megabytes > MOST_MEGABYTES:
        yield f"held {outcome.megabytes:.0f} MB"
    said = outcome.err + outcome.out
    if UNSHOWN.search(said):
        yield "control characters"
    if SECRET in said or SECRET.lower() in said:
        yield "the secret is told"
    for pattern in attack.expected:
        if not any(re.fullmatch(pattern, line) for line in outcome.lines):
            yield f"no line: {pattern}"
    of_game = outcome.code == 1 and attack.command[0] in ("check", "build")
    of_game = of_game and not attack.name.startswith("machine/")
    if of_game and not any("error" in line for line in outcome.lines):
        yield "no error is told"


def chosen(names: list[str]) -> list[Attack]:
    """The attacks of those names, or whose names begin so; all without a name."""
    found = [a for a in all_attacks() if not names or a.name.startswith(tuple(names))]
    return found or sys.exit(f"no attack is called {' or '.join(names)}")


def trials(given: Namespace) -> Iterator[Trial]:
    """Every attack that is asked for; with `--record` what failed is expected from now on."""
    expected = read_expected()
    with ThreadPoolExecutor(given.jobs) as pool:
        yield from pool.map(
            lambda attack: carried_out(attack, expected, aloud=given.said),
            chosen(given.names)[:: given.every],
        )
    if given.record:
        known = {attack.name for attack in all_attacks()}
        lines = [f"{name}  {code}  {told}\n" for name, (code, told) in sorted(expected.items())
                 if name in known]  # fmt: skip
        EXPECTED.write_text("".join(lines), encoding="utf-8")

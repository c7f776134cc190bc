"""The hostile library: every attack carried out, and what it did held against what it may do.

    python -P trials/hostile.py [NAME…] [--list] [--jobs N] [--said]

A NAME is an attack's, or the beginning of several (`css/`). Each attack is a game in a folder of
its own, with canaries beside it. Printed is a line each: name, ok or what is wrong, seconds of
the processor and memory of all its processes, exit code, and the last line that it was told.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from cardgen.core import work_limits
from trials import enemy, expected
from trials.attack import SECRET, Attack, Place
from trials.attacks import all_attacks
from trials.figures import Figures
from trials.running import Outcome, watched

MOST_MEGABYTES = 1.5 * work_limits.MEMORY_BYTES / 1e6
"""Of all processes together: one may take the guard's bound, the others little."""
CARDGEN = Path(sys.executable).parent / "cardgen"
# Signs that a terminal obeys, or that turn the order of what is read.
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EXPECTED = expected.read()
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Verdict:
    """How an attack went: what was wrong, nothing when it did no harm; how it ended and the line
    that told of it, to be expected from now on."""

    attack: Attack
    outcome: Outcome
    wrong: tuple[str, ...]
    told: tuple[int, str]

    def __str__(self) -> str:
        ended = self.outcome
        last = (ended.err.splitlines() or ended.out.splitlines() or [""])[-1]
        last = UNSHOWN.sub("?", last)[:150]
        what = f"FAILED ({'; '.join(self.wrong)})" if self.wrong else "ok"
        return (
            f"{self.attack.name:36} {what}  {ended.work:.1f} s  {ended.megabytes:.0f} MB  "
            f"exit {ended.code}  {last}"
        )


def carried_out(attack: Attack) -> Verdict:
    """Carry out an attack in a folder that is thrown away."""
    with (
        tempfile.TemporaryDirectory(prefix="trial-") as scratch,
        enemy.listening() as foe,
        enemy.listening() as registry,
    ):
        base = Path(scratch)
        game, elsewhere, home, temporary = (
            base / name for name in ("game", "elsewhere", "home", "tmp")
        )
        for folder in (game, elsewhere, home, temporary):
            folder.mkdir()
        enemy.plant(elsewhere)
        place = Place(game, elsewhere, foe.address)
        attack.written(place)
        before = enemy.state(game, ("build", "fonts/node_modules", "fonts/package-lock.json"))
        canaries = enemy.state(elsewhere)
        outcome = watched(
            _command(attack, place), game / (attack.inside or ""),
            _environment(home, temporary, registry.address), seconds=attack.seconds,
            megabytes=MOST_MEGABYTES,
        )  # fmt: skip
        wrong = [*_ended_wrong(attack, outcome), *_told_wrong(attack, outcome)]
        if (
            EXPECTED
            and not wrong
            and (missed := expected.missed(outcome, place, EXPECTED.get(attack.name)))
        ):
            wrong.append(missed)
        after = enemy.state(game, ("build", "fonts/node_modules", "fonts/package-lock.json"))
        wrong += [f"changed in the game: {name}" for name in enemy.differences(before, after)[:3]]
        changed = enemy.differences(canaries, enemy.state(elsewhere))
        wrong += [f"{len(changed)} changed elsewhere: {', '.join(changed[:3])}"] if changed else []
        wrong += [f"asked of the enemy: {line}" for line in foe.asked[:2]]
        wrong += [f"sent: {line}" for line in registry.asked if SECRET in line]
        wrong += [f"the secret is in {name}" for name in enemy.holds_secret(game / "build")[:2]]
        wrong += [f"left in the temporary folder: {name}" for name in _left(temporary)[:2]]
        return Verdict(attack, outcome, tuple(wrong), expected.of(outcome, place))


def _command(attack: Attack, place: Place) -> list[str]:
    words = [place.filled(word) for word in attack.command]
    if attack.inside is None and not any(str(place.game) in word for word in words):
        words.insert(1, str(place.game))
    return [str(CARDGEN), *words]


def _environment(home: Path, temporary: Path, registry: str) -> dict[str, str]:
    """The environment of someone with a secret, a home and a registry of their own."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "SECRET_TOKEN": SECRET,
        "PYTHONUTF8": "1",
        "npm_config_registry": f"http://{registry}/",
        "npm_config_fetch_retries": "0",
    }


def _left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if "node" not in path.name)


def _ended_wrong(attack: Attack, outcome: Outcome) -> Iterator[str]:
    if outcome.stopped:
        yield outcome.stopped
        return
    if outcome.code not in attack.codes:
        yield f"exit {outcome.code}"
    if outcome.megabytes > MOST_MEGABYTES:
        yield f"held {outcome.megabytes:.0f} MB"
    if outcome.left:
        yield f"{outcome.left} processes left"


def _told_wrong(attack: Attack, outcome: Outcome) -> Iterator[str]:
    said = outcome.err + outcome.out
    if TRACEBACK in said:
        yield "a traceback"
    if UNSHOWN.search(said):
        yield "control characters"
    if SECRET in said or SECRET.lower() in said:
        yield "the secret is told"
    for pattern in attack.expected:
        if not any(re.fullmatch(pattern, line) for line in outcome.lines):
            yield f"no line: {pattern}"
    of_game = outcome.code == 1 and attack.command[0] in ("check", "build")
    if of_game and not any("error" in line for line in outcome.lines):
        yield "no error is told"


def chosen(names: list[str]) -> list[Attack]:
    """The attacks of those names, or whose names begin so; all without a name."""
    attacks = all_attacks()
    found = [a for a in attacks if not names or any(a.name.startswith(name) for name in names)]
    if not found:
        sys.exit(f"no attack is called {' or '.join(names)}")
    return found


def main() -> None:
    """Carry out attacks and print a line each; exit 1 when one did harm."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="only name the attacks")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth")
    parser.add_argument("--figures", type=Path, metavar="FILE", help="where figures are put")
    parser.add_argument("--record", action="store_true", help="write down what they are told")
    parser.add_argument("--said", action="store_true", help="show all that was printed")
    given = parser.parse_args()
    attacks = chosen(given.names)[:: given.every]
    if given.list:
        print("\n".join(attack.name for attack in attacks))
        return
    figures = Figures("hostile games")
    with ThreadPoolExecutor(given.jobs) as pool:
        for verdict in pool.map(carried_out, attacks):
            print(verdict, flush=True)
            if given.said:
                print(UNSHOWN.sub("?", "\n".join(verdict.outcome.lines[:40])))
            ended = verdict.outcome
            figures.count(
                verdict.attack.name.partition("/")[0], wrong=bool(verdict.wrong),
                seconds=ended.work, megabytes=ended.megabytes,
            )  # fmt: skip
            if verdict.wrong or verdict.attack.name not in EXPECTED:
                EXPECTED[verdict.attack.name] = verdict.told
    figures.write(given.figures)
    if given.record:
        known = {attack.name for attack in all_attacks()}
        expected.write({name: told for name, told in EXPECTED.items() if name in known})
    print(f"{figures.tried} attacks, {figures.wrong} failed")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()

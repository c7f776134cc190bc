"""What every attack is told, as it was read and written down: trials/attacks/expected.txt.

A line each: the attack, its exit code, and the line that must be among those printed; one that
ends in "…" is the beginning of a line, where it may be either of two bounds that is met first.
What works for longer than the shortest bound for time, a face's, may be stopped or not: machines
differ.
"""

from __future__ import annotations

import re
from pathlib import Path

from trials.attack import Place
from trials.running import Outcome

FILE = Path(__file__).parent / "attacks" / "expected.txt"
_LONGEST = 240
_PORT = re.compile(r"127\.0\.0\.1:\d+")
_LAST = re.compile(r"; the last of it was .*?(?= \[|$)")
_ANY = "…"
_SHORTEST = 3.0
_STOPPED = "of the processor's time and was stopped"
_SECONDS = re.compile(r"(?<=takes more than )\d+(?= s )")
Expected = dict[str, tuple[int, str]]


def read() -> Expected:
    """Every expectation by the attack's name."""
    found: Expected = {}
    for line in FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else ():
        name, code, told = line.split("  ", 2)
        found[name] = (int(code), told)
    return found


def write(expected: Expected) -> None:
    """Put expectations into the file, sorted."""
    lines = [f"{name}  {code}  {told}\n" for name, (code, told) in sorted(expected.items())]
    FILE.write_text("".join(lines), encoding="utf-8")


def plain(line: str, place: Place) -> str:
    """A line less what differs from run to run."""
    for word, path in (("GAME", place.game), ("ELSEWHERE", place.elsewhere)):
        line = line.replace(str(path), word)
    line = _SECONDS.sub("N", line)
    return _LAST.sub("", _PORT.sub("HOST", line))[:_LONGEST].rstrip()


def of(outcome: Outcome, place: Place) -> tuple[int, str]:
    """What is to be expected of an attack that ended so: its first error, or what there is."""
    lines = [plain(line, place) for line in outcome.lines]
    by_weight = (
        [line for line in lines if "error: " in line],
        [line for line in lines if "warning: " in line],
        [line for line in outcome.err.splitlines() if line.strip()] if outcome.code else [],
    )
    first = next((found[0] for found in by_weight if found), "-")
    return outcome.code, plain(first, place)


def missed(outcome: Outcome, place: Place, expected: tuple[int, str] | None) -> str:
    """What is not as expected; "" when all is."""
    if expected is None:
        return "nothing is expected of it yet; read what it says, and --record it"
    code, told = expected
    lines = [plain(line, place) for line in outcome.lines]
    if outcome.work > _SHORTEST and any(_STOPPED in line for line in (told, *lines)):
        return ""
    if outcome.code != code:
        return f"exit {outcome.code}, {code} is expected"
    begins = told.removesuffix(_ANY)
    right = told == "-" or told in lines
    right = right or (begins != told and any(line.startswith(begins) for line in lines))
    return "" if right else f"no line: {told}"

"""The one runner of all trials: hostile games, mutated games, kills and faults. `make trials`.

    python -P trials/run.py [--short] [--write]      all of them, and one table at the end
    python -P trials/run.py hostile [NAME…]          attacks of those names, or that begin so: css/
    python -P trials/run.py faults [NAME…]           faults of those names, or that begin so: room/
    python -P trials/run.py fuzz [--seed WORD] [--cases N] [--minutes M] [--kinds css,svg]
    python -P trials/run.py fuzz --case N            one case again, told in full
    python -P trials/run.py kills [--times N]

A line each is printed of hostile games, kills and faults, and of mutated games that went wrong.
`--list` names the attacks, `--record` writes down what is expected of attacks and finds from now
on, `--write` puts the table into docs/reliability.md. The exit code is 1 when anything was wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import cardgen
from trials import faults, fuzz, hostile, kills
from trials.running import Trial

PAGE = Path(__file__).parent.parent / "docs" / "reliability.md"
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
CORES = os.cpu_count() or 1
Try = Callable[[argparse.Namespace], Iterator[Trial]]
TRIALS: dict[str, tuple[str, Try]] = {
    "hostile": ("hostile games", hostile.trials),
    "fuzz": ("mutated games", fuzz.trials),
    "kills": ("kills of a build", kills.trials),
    "faults": ("faults of the machine", faults.trials),
}
SHORT = {"every": 16, "cases": 300, "times": 13}


@dataclass
class Figures:
    """What one kind of trial came to. Seconds are the processor's but for those in all."""

    title: str
    tried: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    largest: float = 0.0
    seconds: float = 0.0

    def count(self, trial: Trial) -> None:
        """One more trial of its group."""
        group = trial.name.partition("/")[0]
        self.tried[group] += 1
        self.wrong[group] += bool(trial.wrong)
        self.slowest = max(self.slowest, trial.seconds)
        self.largest = max(self.largest, trial.megabytes)


def carried_out(kind: str, given: argparse.Namespace) -> Figures:
    """Carry out one kind of trial; what is told of each is printed as it ends."""
    title, trials = TRIALS[kind]
    figures, started = Figures(title), time.monotonic()
    for trial in trials(given):
        figures.count(trial)
        if trial.wrong or kind != "fuzz":
            print(trial, flush=True)
        elif figures.tried.total() % 500 == 0:
            print(f"{figures.tried.total()} cases", flush=True)
    figures.seconds = time.monotonic() - started
    print(f"{title}: {figures.tried.total()} tried, {figures.wrong.total()} failed", flush=True)
    return figures


def table(found: list[Figures]) -> str:
    """The figures as Markdown."""
    lines = [
        "| trial | tried | wrong | slowest | most memory | took |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    more = ["", "| trial | of that: tried (wrong) |", "|---|---|"]
    for each in found:
        slowest = f"{each.slowest:.1f} s" if each.slowest else "–"
        largest = f"{each.largest:.0f} MB" if each.largest else "–"
        lines.append(
            f"| {each.title} | {each.tried.total()} | {each.wrong.total()} | {slowest} | {largest} "
            f"| {each.seconds / 60:.0f} min |"
        )
        parts = [
            f"{group} {tried}" + (f" ({each.wrong[group]})" if each.wrong[group] else "")
            for group, tried in sorted(each.tried.items())
        ]
        more.append(f"| {each.title} | {', '.join(parts)} |")
    return "\n".join([*lines, *more]) + "\n"


def written(result: str) -> None:
    """Put the figures into the page, with what they were made with."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    made_with = (
        f"Last made with cardgen {cardgen.__version__} on Python {platform.python_version()}, "
        f"{platform.system()}, {CORES} cores. Seconds are the processor's, of all processes "
        "together; so is the memory."
    )
    tail = rest.partition(END)[2]
    PAGE.write_text(f"{head}{BEGIN}\n{made_with}\n\n{result}{END}{tail}", encoding="utf-8")


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("kind", nargs="?", choices=[*TRIALS], help="all of them without it")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of attacks or faults")
    for option, default, help_text in (
        ("jobs", CORES, "attacks and cases at a time"), ("every", 1, "only every Nth attack"),
        ("cases", 10_000, "mutated games"), ("minutes", 60, "at most, for mutated games"),
        ("times", 104, "kills"), ("case", None, "only this case, told in full"),
    ):  # fmt: skip
        parser.add_argument(f"--{option}", type=int, default=default, metavar="N", help=help_text)
    parser.add_argument("--seed", default="1", metavar="WORD", help="of chance")
    parser.add_argument("--kinds", default="", help=f"of mutated games: {', '.join(fuzz.KINDS)}")
    for flag, help_text in (
        ("short", "a few of each, in some minutes"), ("list", "only name the attacks"),
        ("write", "put the table into the page"), ("said", "show all that attacks print"),
        ("record", "write down what attacks and finds are told"), ("dry", "keep no finds"),
    ):  # fmt: skip
        parser.add_argument(f"--{flag}", action="store_true", help=help_text)
    given = parser.parse_intermixed_args()
    if given.short:
        vars(given).update(SHORT)
    return given


def main() -> None:
    """Try what is asked for; exit 1 when anything went wrong."""
    given = arguments()
    if given.list:
        print("\n".join(attack.name for attack in hostile.chosen(given.names)))
        return
    if given.case is not None:
        print(fuzz.told_in_full(given.seed, given.kinds, given.case))
        return
    found = [carried_out(kind, given) for kind in ([given.kind] if given.kind else TRIALS)]
    if given.kind is None:
        print("\n" + table(found))
    if given.write:
        written(table(found))
    sys.exit(1 if any(figures.wrong.total() for figures in found) else 0)


if __name__ == "__main__":
    main()

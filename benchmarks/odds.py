"""How long chances of decks of 200 cards take: `python -m benchmarks.odds`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from cardgen.rules.odds import reckoning
from cardgen.rules.odds.conditions import Leaf, Tree
from cardgen.rules.odds.reckoning import Figures, Question, Stack

Task = Callable[[], object]


def tasks() -> Iterator[tuple[str, Task]]:
    """What is measured, by its name."""
    random = Random(1)
    different: dict[Figures, int] = {(Fraction(value),): 1 for value in range(200)}
    scattered: dict[Figures, int] = {
        (Fraction(random.randrange(10_000), 4),): 1 for _ in range(200)
    }
    several: dict[Figures, int] = {}
    for _ in range(200):
        card = tuple(Fraction(random.random() < 0.3) for _ in range(4))
        several[card] = several.get(card, 0) + 1
    one = Tree((Leaf("", "value", "", (("at_least", Fraction(995)),)),), (0,))
    leaves = tuple(Leaf("x", "", "", (("at_least", Fraction(2)),)) for _ in range(4))
    four = Tree(leaves, (0, 1, 2, 3))
    hands: dict[Figures, int] = {(Fraction(1),): 50, (Fraction(0),): 150}
    yield (
        "total, 200 classes, 10 drawn",
        lambda: reckoning.chance(Question((Stack("deck", different, 10),), one)),
    )
    yield (
        "mean and spread, 200 classes, 40 drawn",
        lambda: reckoning.distribution([Stack("deck", different, 40)]),
    )
    yield (
        "totals in quarters up to 2500, 10 drawn",
        lambda: reckoning.distribution([Stack("deck", scattered, 10)]),
    )
    yield (
        "four conditions at once, 40 drawn",
        lambda: reckoning.chance(Question((Stack("deck", several, 40),), four)),
    )
    yield (
        "four hands of 10",
        lambda: reckoning.chance(Question((Stack("deck", hands, 10),), Tree(leaves[:1], (0,)), 4)),
    )


def main() -> None:
    """Print a line for each."""
    for name, task in tasks():
        begun = time.process_time()
        task()
        print(f"{name:44} {time.process_time() - begun:6.3f} s")


if __name__ == "__main__":
    main()

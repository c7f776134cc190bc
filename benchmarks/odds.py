"""How long chances of decks of 200 cards take: `python -m benchmarks.odds`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from cardgen.rules.odds import draw_probability
from cardgen.rules.odds.draw_conditions import ConditionTree, DrawCondition
from cardgen.rules.odds.draw_probability import CardStack, DrawQuestion, FigureVector

Task = Callable[[], object]


def tasks() -> Iterator[tuple[str, Task]]:
    """What is measured, by its name."""
    random = Random(1)
    different: dict[FigureVector, int] = {(Fraction(value),): 1 for value in range(200)}
    scattered: dict[FigureVector, int] = {
        (Fraction(random.randrange(10_000), 4),): 1 for _ in range(200)
    }
    several: dict[FigureVector, int] = {}
    for _ in range(200):
        card = tuple(Fraction(random.random() < 0.3) for _ in range(4))
        several[card] = several.get(card, 0) + 1
    one = ConditionTree((DrawCondition("", "value", "", (("at_least", Fraction(995)),)),), (0,))
    leaves = tuple(DrawCondition("x", "", "", (("at_least", Fraction(2)),)) for _ in range(4))
    four = ConditionTree(leaves, (0, 1, 2, 3))
    hands: dict[FigureVector, int] = {(Fraction(1),): 50, (Fraction(0),): 150}
    yield (
        "total, 200 classes, 10 drawn",
        lambda: draw_probability.compute_chance(
            DrawQuestion((CardStack("deck", different, 10),), one)
        ),
    )
    yield (
        "mean and spread, 200 classes, 40 drawn",
        lambda: draw_probability.compute_distribution([CardStack("deck", different, 40)]),
    )
    yield (
        "totals in quarters up to 2500, 10 drawn",
        lambda: draw_probability.compute_distribution([CardStack("deck", scattered, 10)]),
    )
    yield (
        "four conditions at once, 40 drawn",
        lambda: draw_probability.compute_chance(
            DrawQuestion((CardStack("deck", several, 40),), four)
        ),
    )
    yield (
        "four hands of 10",
        lambda: draw_probability.compute_chance(
            DrawQuestion((CardStack("deck", hands, 10),), ConditionTree(leaves[:1], (0,)), 4)
        ),
    )


def main() -> None:
    """Print a line for each."""
    for name, task in tasks():
        begun = time.process_time()
        task()
        print(f"{name:44} {time.process_time() - begun:6.3f} s")


if __name__ == "__main__":
    main()

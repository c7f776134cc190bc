"""A flow of a game in turns, run many times: piles that are drawn from, numbers that rise and fall.

Nobody decides anything in it. It is the same in every run of the same seed, on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any

from cardgen.base.units import is_number
from cardgen.rules.kind import Card
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import in_words

TURN, ROLLED = "turn", "rolled"
MOST_TURNS = 1_000
"""So many turns a run may take that is not told when to end."""
_MOST_STEPS = 1_000_000
_MOST_KEPT = 50_000
_LARGEST = 1e21
CONFIDENCE = 2.5758293035489004
"""Standard errors to either side that hold the true mean in 99 of 100 such simulations."""

State = dict[str, float]


@dataclass(frozen=True)
class Step:
    """A step of a turn: when it is taken, how often, from which pile a card is drawn, which dice
    are rolled, and what of it becomes of the pools. "" where nothing is said."""

    when: str = ""
    times: str = ""
    draw: str = ""
    dice: tuple[int, ...] = ()
    sides: str = ""
    add: Mapping[str, str] = field(default_factory=dict)
    set: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Flow:
    """What is played: the pools with what they begin with, the piles, the steps of a turn, how it
    ends (after `turns`, 0 where that is not said, or when `until` holds), and what is measured."""

    pools: Mapping[str, float]
    piles: Mapping[str, Sequence[Card]]
    steps: Sequence[Step]
    turns: int
    until: str
    measure: str


@dataclass(frozen=True)
class Outcome:
    """What the runs came to: the mean, and from where to where it lies with 99 % confidence.
    `shares` where what is measured holds or not, so that the mean is how likely it is."""

    mean: float
    low: float
    high: float
    runs: int
    seed: int
    shares: bool


class _Known:
    """Expressions evaluated, each once for what it looks at: a card, and some of the pools."""

    def __init__(self, database: Database, own: Sequence[str]) -> None:
        self._database, self._own = database, frozenset(own)
        self._names: dict[str, tuple[tuple[str, ...], bool]] = {}
        self._values: dict[Any, Any] = {}

    def value(self, expression: str, state: Mapping[str, float], card: Card | None) -> Any:
        """Its value. Raises `CannotEvaluate`."""
        if expression not in self._names:
            asked = self._database.names_of_cards(expression)
            self._names[expression] = (tuple(sorted(asked & self._own)), not asked <= self._own)
        names, of_card = self._names[expression]
        seen = (expression, id(card) if of_card else 0, *(state[name] for name in names))
        if seen not in self._values:
            found = self._database.evaluate(expression, {**(card or {}), **state})
            if len(self._values) >= _MOST_KEPT:
                return found
            self._values[seen] = found
        return self._values[seen]

    def number(self, expression: str, state: Mapping[str, float], card: Card | None) -> float:
        """Its figure: nothing is 0, what holds is 1."""
        value = self.value(expression, state, card)
        if not value and not isinstance(value, str):
            return 0
        if not is_number(value) and value is not True:
            on = f" on {card['id']}" if card else ""
            raise CannotEvaluate(f"'{expression}' is {in_words(value)}{on}; a number is asked for")
        return value


class _Pile:
    """Cards in a random order, drawn one by one."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = list(cards)
        self._left = 0

    def shuffle(self) -> None:
        self._left = len(self._cards)

    def draw(self, random: Random) -> Card | None:
        """A card that was not drawn since it was shuffled; None where none is left."""
        if not self._left:
            return None
        at = int(random.random() * self._left)
        self._left -= 1
        last = self._left
        self._cards[at], self._cards[last] = self._cards[last], self._cards[at]
        return self._cards[last]


@dataclass
class _Run:
    """The runs of a flow, one after the other."""

    flow: Flow
    known: _Known
    random: Random
    piles: dict[str, _Pile]
    steps: int = 0

    def play(self) -> Any:
        """One run; what is measured at its end."""
        flow, state = self.flow, {**self.flow.pools, TURN: 0, ROLLED: 0}
        for pile in self.piles.values():
            pile.shuffle()
        most = flow.turns or MOST_TURNS
        ended = False
        while state[TURN] < most and not ended:
            state[TURN] += 1
            for step in flow.steps:
                self._step(step, state)
            ended = bool(flow.until) and bool(self.known.value(flow.until, state, None))
        if not ended and not flow.turns:
            raise CannotEvaluate(
                f"it does not end: '{flow.until}' does not hold after {MOST_TURNS} turns; "
                "say turns: how many there are at most"
            )
        return self.known.value(flow.measure, state, None)

    def _step(self, step: Step, state: State) -> None:
        times = self.known.number(step.times, state, None) if step.times else 1
        for _ in range(int(times)):
            self.steps += 1
            if self.steps > _MOST_STEPS:
                raise CannotEvaluate(
                    f"it takes more than {_MOST_STEPS} steps; ask for fewer runs: or turns:"
                )
            if step.when and not self.known.value(step.when, state, None):
                return
            card = self.piles[step.draw].draw(self.random) if step.draw else None
            if step.draw and card is None:
                return
            if step.dice or step.sides:
                state[ROLLED] = self._rolled(step, state, card)
            self._change(step, state, card)

    def _rolled(self, step: Step, state: State, card: Card | None) -> float:
        sides = step.dice or (int(self.known.number(step.sides, state, card)),)
        if sides[0] < 1:
            raise CannotEvaluate(f"roll: '{step.sides}' comes to {sides[0]}; 1 side is the least")
        return sum(int(self.random.random() * side) + 1 for side in sides)

    def _change(self, step: Step, state: State, card: Card | None) -> None:
        """What becomes of the pools, all of it reckoned from what was before."""
        new = {pool: self.known.number(of, state, card) for pool, of in step.set.items()}
        for pool, of in step.add.items():
            new[pool] = state[pool] + self.known.number(of, state, card)
        for pool, value in new.items():
            if not abs(value) < _LARGEST:
                raise CannotEvaluate(f"the pool {pool} grows past all bounds")
        state.update(new)


def played(flow: Flow, database: Database, runs: int, seed: int) -> Outcome:
    """A flow run that many times. Raises `CannotEvaluate`."""
    known = _Known(database, [*flow.pools, TURN, ROLLED])
    piles = {name: _Pile(cards) for name, cards in flow.piles.items()}
    run = _Run(flow, known, Random(seed), piles)  # noqa: S311 - a game's dice
    found = [run.play() for _ in range(runs)]
    for value in found:
        if value is not None and not isinstance(value, int | float):
            said = in_words(value)
            raise CannotEvaluate(f"measure: '{flow.measure}' is {said}; a number is asked for")
    figures = [float(value or 0) for value in found]
    shares = all(isinstance(value, bool) for value in found)
    mean = sum(figures) / runs
    low, high = _wilson(mean, runs) if shares else _interval(figures, mean)
    return Outcome(mean, low, high, runs, seed, shares)


def _interval(figures: Sequence[float], mean: float) -> tuple[float, float]:
    error = sqrt(sum((each - mean) ** 2 for each in figures) / (len(figures) - 1) / len(figures))
    return mean - CONFIDENCE * error, mean + CONFIDENCE * error


def _wilson(share: float, runs: int) -> tuple[float, float]:
    """Wilson's interval of a share, which does not close where it was always so."""
    square = CONFIDENCE**2
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = CONFIDENCE / (1 + square / runs)
    half *= sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    return max(0.0, middle - half), min(1.0, middle + half)

"""Simulation of a game in turns, played many times: piles of cards, and pools of numbers.

Players make no decisions. The same seed gives the same runs on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any

from cardgen.core.units import is_number
from cardgen.rules.rule_base import CardValues
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError

TURN, ROLLED = "turn", "rolled"
MAX_TURNS = 1_000
"""Maximum number of turns of a run whose rule does not say `turns:`."""
_MAX_STEPS = 1_000_000
_MAX_CACHED_VALUES = 50_000
_MAX_POOL_VALUE = 1e21
CONFIDENCE_Z = 2.5758293035489004
"""Standard errors on each side of the mean for a confidence of 99 %."""

PoolValues = dict[str, float]


@dataclass(frozen=True)
class FlowStep:
    """Step of a turn, with expressions as texts; "" stands for none.

    `when` is its condition, `times` the number of repetitions, and `draw` the pile of the drawn
    card. `dice` are the sides of the rolled dice, or `sides` is an expression for those of one die.
    `add` and `set` change pools.
    """

    when: str = ""
    times: str = ""
    draw: str = ""
    dice: tuple[int, ...] = ()
    sides: str = ""
    add: Mapping[str, str] = field(default_factory=dict)
    set: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TurnFlow:
    """A game in turns: the initial pools, the piles and the steps of a turn.

    It ends after `turns`, or 0 for no limit, or when `until` holds. `measure` is evaluated at the
    end.
    """

    pools: Mapping[str, float]
    piles: Mapping[str, Sequence[CardValues]]
    steps: Sequence[FlowStep]
    turns: int
    until: str
    measure: str


@dataclass(frozen=True)
class SimulationOutcome:
    """Mean of the runs with its confidence interval of 99 %.

    If the measure is a condition, the mean is its probability and `is_share` is true.
    """

    mean: float
    low: float
    high: float
    runs: int
    seed: int
    is_share: bool


class CachedExpressions:
    """Cache of evaluated expressions, by the card and the pools that each one uses."""

    def __init__(self, database: CardDatabase, own: Sequence[str]) -> None:
        self._database, self._own = database, frozenset(own)
        self._names: dict[str, tuple[tuple[str, ...], bool]] = {}
        self._values: dict[Any, Any] = {}

    def evaluate(self, expression: str, state: Mapping[str, float], card: CardValues | None) -> Any:
        """Return the value of an expression. Raise EvaluationError."""
        if expression not in self._names:
            used = self._database.list_card_names(expression)
            self._names[expression] = (tuple(sorted(used & self._own)), not used <= self._own)
        names, of_card = self._names[expression]
        seen = (expression, id(card) if of_card else 0, *(state[name] for name in names))
        if seen not in self._values:
            found = self._database.evaluate(expression, {**(card or {}), **state})
            if len(self._values) >= _MAX_CACHED_VALUES:
                return found
            self._values[seen] = found
        return self._values[seen]

    def evaluate_number(
        self, expression: str, state: Mapping[str, float], card: CardValues | None
    ) -> float:
        """Return the value as a number: a missing value is 0, true is 1."""
        value = self.evaluate(expression, state, card)
        if not value and not isinstance(value, str):
            return 0
        if not is_number(value) and value is not True:
            on = f" on {card['id']}" if card else ""
            raise EvaluationError(
                f"'{expression}' is {format_value(value)}{on}; it must be a number"
            )
        return value


class ShuffledPile:
    """Pile of cards that are drawn in random order."""

    def __init__(self, cards: Sequence[CardValues]) -> None:
        self._cards = list(cards)
        self._left = 0

    def shuffle(self) -> None:
        self._left = len(self._cards)

    def draw_card(self, random: Random) -> CardValues | None:
        """Return a card that was not drawn since shuffling, or None if none is left."""
        if not self._left:
            return None
        at = int(random.random() * self._left)
        self._left -= 1
        last = self._left
        self._cards[at], self._cards[last] = self._cards[last], self._cards[at]
        return self._cards[last]


@dataclass
class FlowRun:
    """State of the runs of a flow, which follow each other."""

    flow: TurnFlow
    expressions: CachedExpressions
    random: Random
    piles: dict[str, ShuffledPile]
    steps: int = 0

    def play_once(self) -> Any:
        """Play one run and return the measure at its end."""
        flow, state = self.flow, {**self.flow.pools, TURN: 0, ROLLED: 0}
        for pile in self.piles.values():
            pile.shuffle()
        most = flow.turns or MAX_TURNS
        ended = False
        while state[TURN] < most and not ended:
            state[TURN] += 1
            for step in flow.steps:
                self._play_step(step, state)
            ended = bool(flow.until) and bool(self.expressions.evaluate(flow.until, state, None))
        if not ended and not flow.turns:
            raise EvaluationError(
                f"the game does not end: '{flow.until}' does not hold after {MAX_TURNS} turns; "
                "limit it with turns:"
            )
        return self.expressions.evaluate(flow.measure, state, None)

    def _play_step(self, step: FlowStep, state: PoolValues) -> None:
        times = self.expressions.evaluate_number(step.times, state, None) if step.times else 1
        for _ in range(int(times)):
            self.steps += 1
            if self.steps > _MAX_STEPS:
                raise EvaluationError(
                    f"the runs take more than {_MAX_STEPS} steps; write fewer runs: or turns:"
                )
            if step.when and not self.expressions.evaluate(step.when, state, None):
                return
            card = self.piles[step.draw].draw_card(self.random) if step.draw else None
            if step.draw and card is None:
                return
            if step.dice or step.sides:
                state[ROLLED] = self._roll_dice(step, state, card)
            self._update_pools(step, state, card)

    def _roll_dice(self, step: FlowStep, state: PoolValues, card: CardValues | None) -> float:
        sides = step.dice or (int(self.expressions.evaluate_number(step.sides, state, card)),)
        if sides[0] < 1:
            raise EvaluationError(
                f"roll: '{step.sides}' comes to {sides[0]}; a die has at least 1 side"
            )
        return sum(int(self.random.random() * side) + 1 for side in sides)

    def _update_pools(self, step: FlowStep, state: PoolValues, card: CardValues | None) -> None:
        """Set and add to pools. All expressions see the pools as they were before the step."""
        new = {
            pool: self.expressions.evaluate_number(of, state, card) for pool, of in step.set.items()
        }
        for pool, of in step.add.items():
            new[pool] = state[pool] + self.expressions.evaluate_number(of, state, card)
        for pool, value in new.items():
            if not abs(value) < _MAX_POOL_VALUE:
                raise EvaluationError(f"the pool {pool} grows without limit")
        state.update(new)


def simulate_flow(
    flow: TurnFlow, database: CardDatabase, runs: int, seed: int
) -> SimulationOutcome:
    """Play a flow that many times. Raise EvaluationError."""
    known = CachedExpressions(database, [*flow.pools, TURN, ROLLED])
    piles = {name: ShuffledPile(cards) for name, cards in flow.piles.items()}
    run = FlowRun(flow, known, Random(seed), piles)  # noqa: S311 - a game's dice
    found = [run.play_once() for _ in range(runs)]
    for value in found:
        if value is not None and not isinstance(value, int | float):
            text = f"measure: '{flow.measure}' is {format_value(value)}"
            raise EvaluationError(f"{text}; it must be a number or a condition")
    figures = [float(value or 0) for value in found]
    shares = all(isinstance(value, bool) for value in found)
    mean = sum(figures) / runs
    low, high = (
        _compute_wilson_interval(mean, runs) if shares else _compute_mean_interval(figures, mean)
    )
    return SimulationOutcome(mean, low, high, runs, seed, shares)


def _compute_mean_interval(figures: Sequence[float], mean: float) -> tuple[float, float]:
    error = sqrt(sum((each - mean) ** 2 for each in figures) / (len(figures) - 1) / len(figures))
    return mean - CONFIDENCE_Z * error, mean + CONFIDENCE_Z * error


def _compute_wilson_interval(share: float, runs: int) -> tuple[float, float]:
    """Return Wilson's interval, which is not empty even if all runs agree."""
    square = CONFIDENCE_Z**2
    middle = (share + square / (2 * runs)) / (1 + square / runs)
    half = CONFIDENCE_Z / (1 + square / runs)
    half *= sqrt(share * (1 - share) / runs + square / (4 * runs * runs))
    return max(0.0, middle - half), min(1.0, middle + half)

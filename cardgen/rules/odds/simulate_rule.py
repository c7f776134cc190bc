"""Kind of rule `simulate`: plays a game in turns many times and bounds its mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cardgen.core import json_schema
from cardgen.core.problems import did_you_mean
from cardgen.game.model import Game
from cardgen.rules import rule_base
from cardgen.rules.odds import draw_rule, turn_simulation
from cardgen.rules.odds.turn_simulation import FlowStep, SimulationOutcome, TurnFlow
from cardgen.rules.rule_base import RuleKind, RuleMeasure, RuleResult, parse_share
from cardgen.rules.rule_keys import DECKS_SCHEMA
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError

_RUNS, _LEAST_RUNS, _MOST_RUNS = 1_000, 100, 100_000
_MOST_POOLS, _MOST_STEPS = 40, 60
_STEP_KEYS = ("when", "times", "draw", "roll", "add", "set")
_MAX_CACHED_GAMES = 8
_cached_outcomes: list[tuple[Game, dict[str, SimulationOutcome]]] = []
"""The latest games and the outcomes of their simulations: checks and books ask repeatedly."""


class SimulateRule(RuleKind):
    """Plays a flow of turns many times and bounds the mean of what it measures."""

    optional_keys = "pools turns until runs seed keep remove is at_least at_most tolerance"
    required_keys = "turn measure"
    value_schema = json_schema.allow_either(DECKS_SCHEMA, {"type": "array", "maxItems": 0})

    def run(self) -> Iterator[RuleResult]:
        low, high = self._read_simulation_bounds()
        outcome = self.get_outcome()
        mean, span = _format_outcome(outcome)
        scale = 100 if outcome.is_share else 1
        least, most = (None if bound is None else bound * scale for bound in (low, high))
        what = f"{self.arguments['measure']}{', %' if outcome.is_share else ''}"
        violation = ""
        if (low is not None and outcome.high < low) or (high is not None and outcome.low > high):
            expected = rule_base.format_bounds(
                low, high, partial(_format_bound, is_share=outcome.is_share), " to "
            )
            violation = f"{self.describe_outcome()}; expected {expected}"
        yield RuleResult(
            figure=f"{mean} ({span}; {outcome.runs} ×)",
            measure=RuleMeasure(what, outcome.mean * scale, least, most),
            violation=violation,
        )

    def describe_outcome(self) -> str:
        """Return the mean of the runs and its confidence interval as a sentence."""
        outcome = self.get_outcome()
        mean, span = _format_outcome(outcome)
        return (
            f"{self.arguments['measure']} comes to {mean} in {outcome.runs} runs, seed "
            f"{outcome.seed} ({span} with 99 % confidence)"
        )

    def get_outcome(self) -> SimulationOutcome:
        """Return the outcome of the runs, which are played once for a game."""
        game = self.database.game
        outcomes = next((cached for of, cached in _cached_outcomes if of is game), None)
        if outcomes is None:
            outcomes = {}
            _cached_outcomes[_MAX_CACHED_GAMES - 1 :] = []
            _cached_outcomes.insert(0, (game, outcomes))
        key = repr((self.rule.id, self.arguments))
        if key not in outcomes:
            runs = self._read_limit("runs", _RUNS, _LEAST_RUNS, _MOST_RUNS)
            seed = self._read_limit("seed", 1, 0, 10**9)
            outcomes[key] = turn_simulation.simulate_flow(
                self._build_flow(), self.database, runs, seed
            )
        return outcomes[key]

    def get_decks(self, key: str = "") -> list[str]:
        given = self.arguments[key or self.rule.kind]
        return [] if given == [] else super().get_decks(key)

    def _build_flow(self) -> TurnFlow:
        decks = self.get_decks()
        piles = {deck: self.select_drawn_from([deck]) for deck in decks}
        pools = self._read_pools(decks)
        turn = self.arguments["turn"]
        turn = turn if isinstance(turn, list) else [turn]
        if not turn or len(turn) > _MOST_STEPS:
            raise EvaluationError(f"turn: has {len(turn)} steps; a turn has 1 to {_MOST_STEPS}")
        steps = [self._read_step(step, number, pools, decks) for number, step in enumerate(turn, 1)]
        until = str(self.arguments.get("until") or "")
        turns = self._read_limit("turns", 0, 1, turn_simulation.MAX_TURNS)
        if not turns and not until:
            raise EvaluationError(
                "the game has no end; write turns:, their number, or until:, what ends it"
            )
        return TurnFlow(pools, piles, steps, turns, until, str(self.arguments["measure"]))

    def _read_pools(self, decks: list[str]) -> dict[str, float]:
        given = self.arguments.get("pools", {})
        if not isinstance(given, Mapping) or len(given) > _MOST_POOLS:
            raise EvaluationError("pools: must map names to their initial values, {crates: 0}")
        taken = {
            name: f"a field of {deck}"
            for deck in decks
            for name in (*self.database.get_deck(deck).fields, "id", "copies", "player")
        }
        taken |= dict.fromkeys((turn_simulation.TURN, turn_simulation.ROLLED), "a name of its own")
        taken |= dict.fromkeys(self.database.names, "a constant or a function")
        for name in map(str, given):
            if name in taken:
                raise EvaluationError(f"the pool {name} is also {taken[name]}; rename it")
            if not name.isidentifier():
                raise EvaluationError(f"the pool '{name}' is not a name; use letters, digits and _")
        return {str(name): self.read_number(value) for name, value in given.items()}

    def _read_step(
        self, given: Any, number: int, pools: Mapping[str, float], decks: list[str]
    ) -> FlowStep:
        step = f"step {number}"
        if not isinstance(given, Mapping):
            raise EvaluationError(f"{step} is {format_value(given)}; write {{draw: …, add: …}}")
        for key in given:
            if key not in _STEP_KEYS:
                hint = did_you_mean(str(key), _STEP_KEYS)
                raise EvaluationError(f"{step} has no key '{key}'{hint}")
        draw = str(given.get("draw", ""))
        if draw and draw not in decks:
            hint = did_you_mean(draw, decks)
            raise EvaluationError(f"{step}: simulate: has no deck '{draw}'{hint}")
        changes = {}
        for key in ("add", "set"):
            changed = given.get(key, {})
            if not isinstance(changed, Mapping):
                raise EvaluationError(
                    f"{step}: {key}: must map pools to expressions, {{crates: 1}}"
                )
            for pool in map(str, changed):
                if pool not in pools:
                    raise EvaluationError(f"{step}: {_explain_unknown_pool(pool, pools)}")
            changes[key] = {str(pool): str(of) for pool, of in changed.items()}
        rolled = str(given.get("roll", ""))
        thrown = tuple(draw_rule.parse_dice(rolled)) if rolled and draw_rule.is_dice(rolled) else ()
        return FlowStep(
            str(given.get("when", "")), str(given.get("times", "")), draw,
            thrown, "" if thrown else rolled, changes["add"], changes["set"],
        )  # fmt: skip

    def _read_limit(self, key: str, unless: int, least: int, most: int) -> int:
        given = self.arguments.get(key)
        return unless if key not in self.arguments else self.read_integer(given, key, least, most)

    def _read_simulation_bounds(self) -> tuple[float | None, float | None]:
        given = self.arguments
        if not {"is", "at_least", "at_most"} & set(given):
            return None, None
        shares = self.get_outcome().is_share
        return rule_base.read_bounds(
            given,
            lambda key: self._read_simulation_bound(key, shares),
            lambda middle: self._read_tolerance(middle, shares),
        )

    def _read_tolerance(self, middle: float, shares: bool) -> float:
        """Return the tolerance: points of a share, or a number or percentage of a number."""
        given = self.arguments.get("tolerance", 0)
        if not shares and rule_base.is_percentage(given):
            return float(parse_share(given)) * abs(middle)
        off = self._read_simulation_bound("tolerance", shares)
        rule_base.check_not_negative("tolerance", off)
        return off

    def _read_simulation_bound(self, key: str, shares: bool) -> float:
        """Return a bound: a share if the measure is a condition, else a number."""
        given = self.arguments.get(key, 0)
        rule_base.check_number_format(given)
        if not shares:
            if rule_base.is_percentage(given):
                measured = f"{self.arguments['measure']} comes to {self.get_outcome().mean:.4g}"
                raise EvaluationError(f"{key}: {given} is a share, and {measured}; write a number")
            return float(self.read_number(given))
        if rule_base.is_percentage(given) or not isinstance(given, str):
            return float(parse_share(given))
        number = float(self.read_number(given))
        if not 0 <= number <= 1:
            raise EvaluationError(
                f"{key}: {given} comes to {number:g}, not a share; write 1/4 or 25 %"
            )
        return number


def _explain_unknown_pool(name: str, pools: Mapping[str, float]) -> str:
    if name.isidentifier():
        return f"there is no pool '{name}'{did_you_mean(name, pools)}"
    return f"'{name}' is not a pool; an expression with a comma goes in quotes"


def _format_outcome(outcome: SimulationOutcome) -> tuple[str, str]:
    """Return the mean and its confidence interval."""
    if outcome.is_share:
        mean, low, high = (f"{100 * s:.1f}" for s in (outcome.mean, outcome.low, outcome.high))
        return f"{mean} %", f"{low}–{high} %"
    return f"{outcome.mean:.4g}", f"{outcome.low:.4g}–{outcome.high:.4g}"


def _format_bound(bound: float, is_share: bool) -> str:
    return f"{bound * 100:.4g} %" if is_share else f"{bound:g}"

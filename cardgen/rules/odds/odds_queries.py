"""Functions with which books ask for probabilities and means, with the keys that rules have."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.core.problems import Source, did_you_mean
from cardgen.game.model import Rule
from cardgen.rules.odds import draw_probability
from cardgen.rules.odds.chance_rules import NINE_OF_TEN, AverageRule, ChanceRule
from cardgen.rules.odds.distributions import Distribution
from cardgen.rules.odds.draw_rule import DICE_KEY
from cardgen.rules.odds.simulate_rule import SimulateRule
from cardgen.rules.odds.turn_simulation import SimulationOutcome
from cardgen.templates.expressions import CardDatabase, EvaluationError

_SEE_KEYS = {"where": "where", "total": "total", "at_least": "at_least", "at_most": "at_most",
         "exactly": "is"}  # fmt: skip
_CHANCE_KEYS = ("draw", "see", "hands", "by", "keep", "remove", "together", "dice", "rule")
_AVERAGE_KEYS = ("draw", "of", "where", "keep", "remove", "together", "dice", "rule")


class OddsQueries:
    """The functions that books call. They raise EvaluationError."""

    def __init__(self, rules: tuple[Rule, ...], database: CardDatabase) -> None:
        self._rules, self._database = rules, database

    def chance(self, deck: Any = None, **given: Any) -> float:
        """Return the probability of a rule or of the given conditions, 0 to 1."""
        if "rule" in given:
            kind: ChanceRule = self._find_rule(str(given["rule"]), ChanceRule)
        else:
            _check_arguments("chance", given, {*_SEE_KEYS, *_CHANCE_KEYS})
            see = {word: given.pop(key) for key, word in _SEE_KEYS.items() if key in given}
            see = given.pop("see", see)
            kind = ChanceRule(
                _make_rule("chance", {**_take_source(deck, given), "see": see}), self._database
            )
        _, rows = next(iter(kind.list_draws()))
        return float(draw_probability.compute_chance(kind.build_question(rows)))

    def average(self, deck: Any = None, **given: Any) -> float:
        """Return the mean total of the drawn cards."""
        return float(self.compute_distribution("average", deck, given).mean)

    def mostly(self, deck: Any = None, **given: Any) -> list[float]:
        """Return the range of the total in nine draws of ten."""
        low, high = self.compute_distribution("mostly", deck, given).get_central_range(NINE_OF_TEN)
        return [_to_number(low), _to_number(high)]

    def simulated(self, rule: str) -> Mapping[str, Any]:
        """Return the mean, low, high, runs and seed of a rule of kind simulate."""
        outcome: SimulationOutcome = self._find_rule(rule, SimulateRule).get_outcome()
        return {key: getattr(outcome, key) for key in ("mean", "low", "high", "runs", "seed")}

    def compute_distribution(self, function: str, deck: Any, given: dict[str, Any]) -> Distribution:
        """Return the distribution of a total. `function` is the name that the book calls."""
        if "rule" in given:
            kind: AverageRule = self._find_rule(str(given["rule"]), AverageRule)
        else:
            _check_arguments(function, given, {*_AVERAGE_KEYS})
            kind = AverageRule(_make_rule("average", _take_source(deck, given)), self._database)
        _, rows = next(iter(kind.list_draws()))
        return kind.compute_distribution(rows)[0]

    def _find_rule(self, name: str, kind: type[Any]) -> Any:
        rule = next((rule for rule in self._rules if rule.id == name), None)
        if rule is None:
            hint = did_you_mean(name, [each.id for each in self._rules])
            raise EvaluationError(f"there is no rule '{name}'{hint}")
        expected = kind.__name__.removesuffix("Rule").lower()
        if rule.kind != expected:
            raise EvaluationError(f"the rule {name} is of kind {rule.kind}, not {expected}")
        return kind(rule, self._database)


def _take_source(deck: Any, given: dict[str, Any]) -> dict[str, Any]:
    rolled = given.pop(DICE_KEY, None)
    if rolled is None:
        if deck is None:
            raise EvaluationError("name a deck, or dice='2d6'")
        return {"from": deck, **given}
    decks = {} if deck is None else {"decks": deck}
    return {"from": {DICE_KEY: rolled, **decks}, **given}


def _make_rule(kind: str, arguments: dict[str, Any]) -> Rule:
    return Rule(kind, kind, {kind: arguments.pop("from"), **arguments}, "error", "", "", Source(""))


def _check_arguments(function: str, given: Mapping[str, Any], known: set[str]) -> None:
    for key in given:
        if key not in known:
            raise EvaluationError(f"{function}() has no argument '{key}'{did_you_mean(key, known)}")


def _to_number(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)

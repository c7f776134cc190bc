"""Chances and means asked for by name, where there is no rule: in books. What may be said, and how
it is reckoned, is that of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cardgen.base.problems import Source, did_you_mean
from cardgen.game.model import Rule
from cardgen.rules.odds import reckoning
from cardgen.rules.odds.average import NINE_OF_TEN, Average
from cardgen.rules.odds.chance import Chance
from cardgen.rules.odds.distribution import Distribution
from cardgen.rules.odds.drawing import DICE
from cardgen.rules.odds.flow import Outcome
from cardgen.rules.odds.simulate import Simulate
from cardgen.templates.expressions import CannotEvaluate, Database

_SEEN = {"where": "where", "total": "total", "at_least": "at_least", "at_most": "at_most",
         "exactly": "is"}  # fmt: skip
_CHANCE = ("draw", "see", "hands", "by", "keep", "remove", "together", "dice", "rule")
_AVERAGE = ("draw", "of", "where", "keep", "remove", "together", "dice", "rule")


class Odds:
    """What books may ask. Raises `CannotEvaluate` with words for the writer."""

    def __init__(self, rules: tuple[Rule, ...], database: Database) -> None:
        self._rules, self._database = rules, database

    def chance(self, deck: Any = None, **given: Any) -> float:
        """How likely it is, 0 to 1: of a rule, or of what is said here."""
        if "rule" in given:
            kind: Chance = self._of_rule(str(given["rule"]), Chance)
        else:
            _known("chance", given, {*_SEEN, *_CHANCE})
            see = {word: given.pop(key) for key, word in _SEEN.items() if key in given}
            see = given.pop("see", see)
            kind = Chance(_rule("chance", {**_source(deck, given), "see": see}), self._database)
        _, rows = next(iter(kind.drawn()))
        return float(reckoning.chance(kind.question(rows)))

    def average(self, deck: Any = None, **given: Any) -> float:
        """What the cards drawn come to in the mean."""
        return float(self.distribution("average", deck, given).mean)

    def mostly(self, deck: Any = None, **given: Any) -> list[float]:
        """From where to where nine draws of ten lie."""
        low, high = self.distribution("mostly", deck, given).mostly(NINE_OF_TEN)
        return [_plain(low), _plain(high)]

    def simulated(self, rule: str) -> Mapping[str, Any]:
        """What a simulation among the rules came to: mean, low, high, runs, seed."""
        found: Outcome = self._of_rule(rule, Simulate).outcome()
        return {
            "mean": found.mean,
            "low": found.low,
            "high": found.high,
            "runs": found.runs,
            "seed": found.seed,
        }

    def distribution(self, called: str, deck: Any, given: dict[str, Any]) -> Distribution:
        """What a total comes to how often; `called` is the function's name."""
        if "rule" in given:
            kind: Average = self._of_rule(str(given["rule"]), Average)
        else:
            _known(called, given, {*_AVERAGE})
            kind = Average(_rule("average", _source(deck, given)), self._database)
        _, rows = next(iter(kind.drawn()))
        return kind.distribution(rows)[0]

    def _of_rule(self, name: str, kind: type[Any]) -> Any:
        rule = next((rule for rule in self._rules if rule.id == name), None)
        if rule is None:
            hint = did_you_mean(name, [each.id for each in self._rules])
            raise CannotEvaluate(f"there is no rule '{name}'{hint}")
        asked = kind.__name__.lower()
        if rule.kind != asked:
            raise CannotEvaluate(f"the rule {name} is of kind {rule.kind}, not {asked}")
        return kind(rule, self._database)


def _source(deck: Any, given: dict[str, Any]) -> dict[str, Any]:
    rolled = given.pop(DICE, None)
    if rolled is None:
        if deck is None:
            raise CannotEvaluate("a deck is asked for, or dice='2d6'")
        return {"from": deck, **given}
    decks = {} if deck is None else {"decks": deck}
    return {"from": {DICE: rolled, **decks}, **given}


def _rule(kind: str, arguments: dict[str, Any]) -> Rule:
    return Rule(kind, kind, {kind: arguments.pop("from"), **arguments}, "error", "", "", Source(""))


def _known(called: str, given: Mapping[str, Any], known: set[str]) -> None:
    for key in given:
        if key not in known:
            raise CannotEvaluate(f"{called}() takes no '{key}'{did_you_mean(key, known)}")


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)

"""Kinds of rules about draws: `chance` bounds a probability, `average` the mean of a total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from cardgen.core.problems import Source, did_you_mean
from cardgen.game.model import Rule
from cardgen.rules import rule_base
from cardgen.rules.odds import draw_conditions, draw_probability, draw_rule, rule_suggestions
from cardgen.rules.odds.draw_conditions import DrawCondition
from cardgen.rules.odds.draw_probability import (
    CardStack,
    Distribution,
    DrawQuestion,
    format_apart,
    format_share,
)
from cardgen.rules.odds.draw_rule import DrawRule, DrawSource, describe_draw
from cardgen.rules.odds.simulate_rule import SimulateRule
from cardgen.rules.rule_base import RuleKind, RuleMeasure, format_figure, parse_share
from cardgen.rules.rule_keys import DICE_KEY
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError

NINE_OF_TEN = Fraction(9, 10)
T = TypeVar("T", bound=RuleKind)


class ChanceRule(DrawRule):
    """Bounds the probability of conditions on the drawn cards."""

    optional_keys = "draw hands by keep remove together is at_least at_most tolerance"
    required_keys = "see"

    def check_draw(self, name: str, sources: Sequence[DrawSource]) -> Iterator[str]:
        question, (low, high) = self.build_question(sources), parse_share_bounds(self.arguments)
        share = draw_probability.compute_chance(question)
        if low <= share <= high:
            return
        draw = describe_draw(sources, self.read_hands(), self._read_by(sources))
        parts = [
            f"{name}: P({question.tree}, {draw}) is {format_share(share, low, high)}; "
            f"expected {_format_share_bounds(low, high)}",
            *rule_suggestions.suggest_chance_changes(
                question, lambda chance: low <= chance <= high, "by" in self.arguments
            ),
        ]
        if "is" in self.arguments and "tolerance" not in self.arguments:
            parts.append("tolerance: says how far it may be off")
        yield "; ".join(parts)

    def format_figure(self, name: str, sources: Sequence[DrawSource]) -> str:
        chance = draw_probability.compute_chance(self.build_question(sources))
        return f"{name}: {format_share(chance)}"

    def measure(self) -> list[RuleMeasure]:
        low, high = parse_share_bounds(self.arguments)
        return [
            RuleMeasure(f"{name}, %", *(float(share * 100) for share in (chance, low, high)))
            for name, sources in self.list_draws()
            for chance in [draw_probability.compute_chance(self.build_question(sources))]
        ]

    def build_question(self, sources: Sequence[DrawSource]) -> DrawQuestion:
        """Return the question that the rule asks about a draw."""
        tree = draw_conditions.parse_conditions(self.arguments["see"])
        leaves = [self._evaluate_bounds(leaf) for leaf in tree.leaves]
        tree = replace(tree, leaves=tuple(leaves))
        hands, every = self.read_hands()
        if hands > 1 and len(sources) > 1:
            raise EvaluationError("hands: are dealt from one deck, or from several together")
        stacks = self.build_stacks(sources, leaves)
        by = self._read_by(sources)
        if by is not None:
            _check_first_draw(leaves, stacks, hands)
            stacks = tuple(replace(stack, draw=by) for stack in stacks)
        return DrawQuestion(stacks, tree, hands, every)

    def _evaluate_bounds(self, condition: DrawCondition) -> DrawCondition:
        bounds = {key: self.read_bound(key, given) for key, given in condition.bounds}
        if not condition.total and not all(n.denominator == 1 and n >= 0 for n in bounds.values()):
            raise EvaluationError(
                f"see: the number of {condition.where or 'cards'} must be whole, 0 or more"
            )
        low, high = (bounds.get(key, bounds.get("is")) for key in ("at_least", "at_most"))
        rule_base.check_bounds_order(low, high)
        return replace(condition, bounds=tuple(bounds.items()))

    def _read_by(self, sources: Sequence[DrawSource]) -> int | None:
        """Return the draw by which something must first have come."""
        if "by" not in self.arguments:
            return None
        by = self.read_integer(self.arguments["by"], "by", 1)
        if len(sources) > 1:
            raise EvaluationError("by: is for cards drawn one by one from one deck")
        if by > sources[0].draw:
            raise EvaluationError(f"by: is {by}; it must be at most draw:, {sources[0].draw}")
        return by


def _check_first_draw(
    conditions: Sequence[DrawCondition], stacks: Sequence[CardStack[Fraction]], hands: int
) -> None:
    """Raise EvaluationError unless the conditions stay true once they are."""
    if hands > 1:
        raise EvaluationError("by: is for one hand")
    can_fall = any(figure < 0 for stack in stacks for card in stack.cards for figure in card)
    if can_fall or not all(condition.is_monotonic for condition in conditions):
        raise EvaluationError(
            "by: asks when something first comes; use it with at_least:, and with totals that "
            "cannot fall again"
        )


def parse_share_bounds(arguments: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """Return the least and the largest share that a rule allows. Raise EvaluationError."""
    if not {"is", "at_least", "at_most"} & set(arguments):
        raise EvaluationError("the rule needs is:, at_least: or at_most:, a share such as 70 %")
    low, high = rule_base.read_bounds(
        arguments,
        lambda key: parse_share(arguments[key]),
        lambda _: parse_share(arguments.get("tolerance", 0)),
        _format_percent,
    )
    zero, one = Fraction(0), Fraction(1)
    return max(low or zero, zero), one if high is None else min(high, one)


def _format_percent(share: Fraction) -> str:
    return f"{float(share * 100):.4g} %"


def _format_share_bounds(low: Fraction, high: Fraction) -> str:
    if low != high and high == 1:
        return rule_base.format_bounds(low, None, _format_percent)
    least = None if low == 0 != high else low
    return rule_base.format_bounds(least, high, _format_percent).replace(" %–", "–")


class AverageRule(DrawRule):
    """Bounds the mean, the spread or the usual range of a total over the drawn cards."""

    optional_keys = "draw of where keep remove together is at_least at_most tolerance spread mostly"

    def check_draw(self, name: str, sources: Sequence[DrawSource]) -> Iterator[str]:
        totals, stacks = self.compute_distribution(sources)
        low, high = self._read_mean_bounds()
        spread, mostly = self._read_spread(), self._read_mostly()
        if low is None and high is None and not spread and mostly is None:
            raise EvaluationError("the rule needs is:, at_least:, at_most:, spread: or mostly:")
        subject = f"{name}: {self._expression} {describe_draw(sources, (1, True))}"
        if not (low is None or totals.mean >= low) or not (high is None or totals.mean <= high):
            bounds = [bound for bound in (low, high) if bound is not None]
            parts = [
                f"{subject} comes to {format_apart(totals.mean, bounds, 4, 'g')} in the mean; "
                f"expected {rule_base.format_bounds(low, high, format_figure)}"
            ]
            if len(stacks) == 1 and stacks[0].name != DICE_KEY:
                parts += rule_suggestions.suggest_mean_changes(
                    stacks[0], self._expression, low, high
                )
            yield "; ".join(parts)
        broken = [
            f"{key.replace('_', ' ')} {bound:g}"
            for key, bound in spread.items()
            if (totals.spread < bound if key == "at_least" else totals.spread > bound)
        ]
        if broken:
            yield (
                f"{subject} has a standard deviation of {totals.spread:.4g}; "
                f"expected {' and '.join(broken)}"
            )
        if mostly is not None:
            yield from _check_mostly(subject, totals, *mostly)

    def format_figure(self, name: str, sources: Sequence[DrawSource]) -> str:
        totals, _ = self.compute_distribution(sources)
        span = _format_span(*totals.get_central_range(NINE_OF_TEN))
        return f"{name}: {float(totals.mean):.4g} ({span})"

    def compute_distribution(
        self, sources: Sequence[DrawSource]
    ) -> tuple[Distribution, tuple[CardStack[Fraction], ...]]:
        """Return the distribution of the total, and the cards by their figures."""
        stacks = self.build_stacks(sources, [DrawCondition(self.where, self._expression, "", ())])
        return draw_probability.compute_distribution(stacks), stacks

    @property
    def _expression(self) -> str:
        of = str(self.arguments.get("of") or "")
        if not of and not isinstance(self.arguments[self.rule.kind], Mapping):
            raise EvaluationError("the rule needs of: what is added up on each card")
        return of or "value"

    def _read_mean_bounds(self) -> tuple[Fraction | None, Fraction | None]:
        given = self.arguments
        return rule_base.read_bounds(
            given, lambda key: self.read_bound(key, given[key]), self._read_tolerance
        )

    def _read_tolerance(self, mean: Fraction) -> Fraction:
        """Return the tolerance, a number or a percentage of the mean that the rule asks for."""
        given = self.arguments.get("tolerance", 0)
        if isinstance(given, str) and given.rstrip().endswith("%"):
            return parse_share(given) * abs(mean)
        tolerance = draw_rule.to_fraction(self.read_number(given))
        rule_base.check_not_negative("tolerance", tolerance)
        return tolerance

    def _read_spread(self) -> dict[str, float]:
        given = self.arguments.get("spread", {})
        if "spread" not in self.arguments:
            return {}
        given = given if isinstance(given, Mapping) else {"at_most": given}
        if not given or not set(given) <= {"at_least", "at_most"}:
            raise EvaluationError("spread: must be at_least: and at_most:, or a number, the most")
        bounds = {key: float(self.read_bound(key, bound)) for key, bound in given.items()}
        for bound in bounds.values():
            rule_base.check_not_negative("spread", bound)
        rule_base.check_bounds_order(bounds.get("at_least"), bounds.get("at_most"))
        return bounds

    def _read_mostly(self) -> tuple[Fraction, Fraction, Fraction] | None:
        """Return a range of totals, and the share of games in which the total must lie in it."""
        given = self.arguments.get("mostly")
        if given is None:
            return None
        if isinstance(given, list) and len(given) == 2:
            given = {"from": given[0], "to": given[1]}
        keys = set(given) if isinstance(given, Mapping) else set()
        if not {"from", "to"} <= keys <= {"from", "to", "in"}:
            raise EvaluationError(
                f"mostly: is {format_value(given)}; write [12, 20], or "
                "{from: 12, to: 20, in: 95 %}"
            )
        low, high = self.read_bound("mostly", given["from"]), self.read_bound("mostly", given["to"])
        if low > high:
            raise EvaluationError(
                f"mostly: nothing lies from {float(low):g} to {float(high):g}; "
                f"write [{float(high):g}, {float(low):g}]"
            )
        return low, high, parse_share(given["in"]) if "in" in given else NINE_OF_TEN


def _check_mostly(
    subject: str, totals: Distribution, low: Fraction, high: Fraction, least: Fraction
) -> Iterator[str]:
    share = totals.sum_between(low, high)
    if share < least:
        wanted, usual = format_share(least), _format_span(*totals.get_central_range(least))
        yield (
            f"{subject} lies in {_format_span(low, high)} in {format_share(share, least)} of "
            f"games; expected {wanted}; {wanted} lie in {usual}"
        )


def _format_span(low: Fraction, high: Fraction) -> str:
    return f"{format_figure(low)}–{format_figure(high)}"


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
        if "rule" not in given:
            _check_arguments("chance", given, {*_SEE_KEYS, *_CHANCE_KEYS})
            see = {word: given.pop(key) for key, word in _SEE_KEYS.items() if key in given}
            given.setdefault("see", see)
        kind = self._find_or_make(ChanceRule, deck, given)
        _, rows = next(iter(kind.list_draws()))
        return float(draw_probability.compute_chance(kind.build_question(rows)))

    def average(self, deck: Any = None, **given: Any) -> float:
        """Return the mean total of the drawn cards."""
        return float(self.compute_distribution("average", deck, given).mean)

    def mostly(self, deck: Any = None, **given: Any) -> list[float]:
        """Return the range of the total in nine draws of ten."""
        span = self.compute_distribution("mostly", deck, given).get_central_range(NINE_OF_TEN)
        return [int(end) if end.denominator == 1 else float(end) for end in span]

    def simulated(self, rule: str) -> Mapping[str, Any]:
        """Return the mean, low, high, runs and seed of a rule of kind simulate."""
        outcome = self._find_rule(rule, SimulateRule).get_outcome()
        return {key: getattr(outcome, key) for key in ("mean", "low", "high", "runs", "seed")}

    def compute_distribution(self, function: str, deck: Any, given: dict[str, Any]) -> Distribution:
        """Return the distribution of a total. `function` is the name that the book calls."""
        if "rule" not in given:
            _check_arguments(function, given, {*_AVERAGE_KEYS})
        kind = self._find_or_make(AverageRule, deck, given)
        _, rows = next(iter(kind.list_draws()))
        return kind.compute_distribution(rows)[0]

    def _find_or_make(self, kind: type[T], deck: Any, given: dict[str, Any]) -> T:
        """Return the rule that is named, or one of these arguments."""
        if "rule" in given:
            return self._find_rule(str(given["rule"]), kind)
        source = deck
        if DICE_KEY in given:
            source = {DICE_KEY: given.pop(DICE_KEY), **({} if deck is None else {"decks": deck})}
        if source is None:
            raise EvaluationError("name a deck, or dice='2d6'")
        name = _get_rule_word(kind)
        arguments = {name: source, **given}
        return kind(Rule(name, name, arguments, "error", "", "", Source("")), self._database)

    def _find_rule(self, name: str, kind: type[T]) -> T:
        rule = next((rule for rule in self._rules if rule.id == name), None)
        if rule is None:
            hint = did_you_mean(name, [each.id for each in self._rules])
            raise EvaluationError(f"there is no rule '{name}'{hint}")
        if rule.kind != _get_rule_word(kind):
            expected = _get_rule_word(kind)
            raise EvaluationError(f"the rule {name} is of kind {rule.kind}, not {expected}")
        return kind(rule, self._database)


def _get_rule_word(kind: type[RuleKind]) -> str:
    return kind.__name__.removesuffix("Rule").lower()


def _check_arguments(function: str, given: Mapping[str, Any], known: set[str]) -> None:
    for key in given:
        if key not in known:
            raise EvaluationError(f"{function}() has no argument '{key}'{did_you_mean(key, known)}")

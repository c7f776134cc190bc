"""The rule kind `chance`: how likely something is among the cards that are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgen.rules import rule_arguments
from cardgen.rules.odds import draw_conditions, draw_probability, rule_suggestions
from cardgen.rules.odds.distributions import Distribution, format_share
from cardgen.rules.odds.draw_conditions import ConditionTree, DrawCondition
from cardgen.rules.odds.draw_probability import DrawQuestion
from cardgen.rules.odds.draw_rule import (
    DICE_KEY,
    DrawRule,
    DrawSource,
    describe_draw,
    replace_bounds,
)
from cardgen.rules.rule_base import RuleMeasure, parse_share
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError


@dataclass(frozen=True)
class ShareBounds:
    """How likely it is to be: from and to, both included."""

    low: Fraction
    high: Fraction
    text: str

    def contains(self, share: Fraction) -> bool:
        return self.low <= share <= self.high


class ChanceRule(DrawRule):
    """How likely what is looked for is among the cards drawn."""

    optional_keys = "draw hands by keep remove together is at_least at_most tolerance"
    required_keys = "see"

    def find_group_violations(self, name: str, rows: Sequence[DrawSource]) -> Iterator[str]:
        question, asked = self.build_question(rows), self._read_share_bounds()
        share = draw_probability.compute_chance(question)
        if asked.contains(share):
            return
        parts = [f"{name}: {self._describe_question(question.tree, rows)} is "
                 f"{format_share(share, asked.low, asked.high)}; {asked.text} is asked for"]  # fmt: skip
        parts += rule_suggestions.suggest_chance_changes(
            question, asked.contains, "by" in self.arguments
        )
        if self._is_exact():
            parts.append("tolerance: says how far it may be off")
        yield "; ".join(parts)

    def format_figure(self, name: str, rows: Sequence[DrawSource]) -> str:
        return f"{name}: {format_share(draw_probability.compute_chance(self.build_question(rows)))}"

    def measure(self) -> list[RuleMeasure]:
        asked = self._read_share_bounds()
        return [
            RuleMeasure(
                f"{name}, %",
                float(draw_probability.compute_chance(self.build_question(rows)) * 100),
                float(asked.low * 100),
                float(asked.high * 100),
            )
            for name, rows in self.list_draws()
        ]

    def build_question(self, rows: Sequence[DrawSource]) -> DrawQuestion:
        """What is asked of these cards."""
        tree = draw_conditions.parse_conditions(self.arguments["see"])
        leaves = [self._evaluate_bounds(leaf) for leaf in tree.leaves]
        tree = draw_conditions.replace_leaves(tree, leaves)
        hands, every = self.read_hands()
        if hands > 1 and len(rows) > 1:
            raise EvaluationError("hands: are dealt from one deck, or from several together")
        stacks = self.build_stacks(rows, leaves)
        by = self._read_by(rows)
        if by is not None:
            self._check_first_draw(leaves, stacks, hands)
            stacks = tuple(draw_probability.CardStack(each.name, each.cards, by) for each in stacks)
        return DrawQuestion(stacks, tree, hands, every)

    def _evaluate_bounds(self, leaf: DrawCondition) -> DrawCondition:
        bounds = [(word, self.read_bound(word, given)) for word, given in leaf.bounds]
        if not leaf.total and not all(n.denominator == 1 and n >= 0 for _, n in bounds):
            raise EvaluationError(
                f"see: {leaf.where or 'cards'} are counted in whole numbers from 0"
            )
        known = dict(bounds)
        same = known.get("is")
        rule_arguments.check_bounds_order(known.get("at_least", same), known.get("at_most", same))
        return replace_bounds(leaf, bounds)

    def _read_by(self, rows: Sequence[DrawSource]) -> int | None:
        if "by" not in self.arguments:
            return None
        by = self.read_integer(self.arguments["by"], "by", 1)
        if len(rows) > 1:
            raise EvaluationError("by: is for cards drawn one by one from one deck")
        if by > rows[0].draw:
            raise EvaluationError(f"by: {by} is later than the last of {rows[0].draw} drawn")
        return by

    def _check_first_draw(
        self,
        leaves: Sequence[DrawCondition],
        stacks: Sequence[draw_probability.CardStack],
        hands: int,
    ) -> None:
        """By when something first comes can be said only of what, once there, stays."""
        below = any(
            card[index] < 0
            for stack in stacks
            for card in stack.cards
            for index in range(len(leaves))
        )
        if hands > 1:
            raise EvaluationError("by: is for one hand")
        if below or not all(leaf.is_monotonic for leaf in leaves):
            raise EvaluationError(
                "by: asks when something first comes; that goes with at_least:, and with totals "
                "that do not fall again"
            )

    def _describe_question(self, tree: ConditionTree, rows: Sequence[DrawSource]) -> str:
        by = self._read_by(rows)
        return f"P({tree}, {describe_draw(rows, self.read_hands(), by)})"

    def _is_exact(self) -> bool:
        return "is" in self.arguments and "tolerance" not in self.arguments

    def _read_share_bounds(self) -> ShareBounds:
        return parse_share_bounds(self.arguments)


def parse_share_bounds(arguments: Mapping[str, Any]) -> ShareBounds:
    """What share is asked for. Raises `CannotEvaluate`."""
    low, high = Fraction(0), Fraction(1)
    if not {"is", "at_least", "at_most"} & set(arguments):
        raise EvaluationError("it needs is:, at_least: or at_most:, a share such as 70 %")
    if "is" in arguments:
        asked, off = parse_share(arguments["is"]), parse_share(arguments.get("tolerance", 0))
        low, high = max(low, asked - off), min(high, asked + off)
    elif "tolerance" in arguments:
        raise EvaluationError("tolerance: goes with is:")
    if "at_least" in arguments:
        low = max(low, parse_share(arguments["at_least"]))
    if "at_most" in arguments:
        high = min(high, parse_share(arguments["at_most"]))
    if low > high:
        said = f"at least {format_share(low, high)} and at most {format_share(high, low)}"
        raise EvaluationError(f"nothing is {said}; swap them")
    return ShareBounds(low, high, _format_share_bounds(low, high))


def _format_share_bounds(low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"{float(low * 100):.4g} %"
    if high == 1:
        return f"at least {float(low * 100):.4g} %"
    if low == 0:
        return f"at most {float(high * 100):.4g} %"
    return f"{float(low * 100):.4g}–{float(high * 100):.4g} %"


NINE_OF_TEN = Fraction(9, 10)


@dataclass(frozen=True)
class MostlyRange:
    """From where to where it is to lie, in so large a share of all games."""

    low: Fraction
    high: Fraction
    share: Fraction


class AverageRule(DrawRule):
    """What an expression comes to over the cards drawn."""

    optional_keys = "draw of where keep remove together is at_least at_most tolerance spread mostly"

    def find_group_violations(self, name: str, rows: Sequence[DrawSource]) -> Iterator[str]:
        found, stacks = self.compute_distribution(rows)
        low, high = self._read_mean_bounds()
        spread, mostly = self._read_spread(), self._read_mostly()
        if low is None and high is None and not spread and mostly is None:
            raise EvaluationError("it needs is:, at_least:, at_most:, spread: or mostly:")
        said = f"{name}: {self._expression} {describe_draw(rows, (1, True))}"
        if not (low is None or found.mean >= low) or not (high is None or found.mean <= high):
            parts = [f"{said} comes to {_format_mean(found.mean, low, high)} in the mean; "
                     f"{_format_mean_bounds(low, high)} is asked for"]  # fmt: skip
            if len(stacks) == 1 and stacks[0].name != DICE_KEY:
                parts += rule_suggestions.suggest_mean_changes(
                    stacks[0], self._expression, low, high
                )
            yield "; ".join(parts)
        broken = [
            f"{word.replace('_', ' ')} {bound:g}"
            for word, bound in spread
            if (found.spread < bound if word == "at_least" else found.spread > bound)
        ]
        if broken:
            yield (
                f"{said} strays from its mean by {found.spread:.4g}; "
                f"{' and '.join(broken)} is asked for"
            )
        if mostly is not None:
            yield from self._check_mostly(said, found, mostly)

    def _check_mostly(self, said: str, found: Distribution, mostly: MostlyRange) -> Iterator[str]:
        share = found.sum_between(mostly.low, mostly.high)
        if share >= mostly.share:
            return
        low, high = found.get_central_range(mostly.share)
        asked = format_share(mostly.share)
        yield (
            f"{said} lies in {_format_span(mostly.low, mostly.high)} in {format_share(share, mostly.share)} "
            f"of games; {asked} is asked for; {asked} lie in {_format_span(low, high)}"
        )

    def format_figure(self, name: str, rows: Sequence[DrawSource]) -> str:
        found, _ = self.compute_distribution(rows)
        low, high = found.get_central_range(NINE_OF_TEN)
        return f"{name}: {float(found.mean):.4g} ({_format_span(low, high)})"

    def compute_distribution(
        self, rows: Sequence[DrawSource]
    ) -> tuple[Distribution, tuple[draw_probability.CardStack, ...]]:
        """What it comes to, how often; and the cards by their figure."""
        leaf = DrawCondition(self.where, self._expression, "", ())
        stacks = self.build_stacks(rows, [leaf])
        return draw_probability.compute_distribution(stacks), stacks

    @property
    def _expression(self) -> str:
        of = str(self.arguments.get("of") or "")
        if of:
            return of
        if isinstance(self.arguments[self.rule.kind], Mapping):
            return "value"
        raise EvaluationError("it needs of: what of each card is added up")

    def _read_mean_bounds(self) -> tuple[Fraction | None, Fraction | None]:
        given = self.arguments
        return rule_arguments.read_bounds(
            given, lambda key: self.read_bound(key, given[key]), self._read_tolerance
        )

    def _read_tolerance(self, asked: Fraction) -> Fraction:
        """As a number, or as a share of what is asked."""
        given = self.arguments.get("tolerance", 0)
        if isinstance(given, str) and given.rstrip().endswith("%"):
            return parse_share(given) * abs(asked)
        off = self.read_fraction(given)
        rule_arguments.check_not_negative("tolerance", off)
        return off

    def _read_spread(self) -> list[tuple[str, float]]:
        given = self.arguments.get("spread")
        if given is None:
            return []
        given = given if isinstance(given, Mapping) else {"at_most": given}
        if not given or not set(given) <= {"at_least", "at_most"}:
            raise EvaluationError("spread: takes at_least: and at_most:, or a number, the most")
        found = [
            (str(word), float(self.read_bound(str(word), each))) for word, each in given.items()
        ]
        for _, bound in found:
            rule_arguments.check_not_negative("spread", bound)
        rule_arguments.check_bounds_order(
            *(dict(found).get(word) for word in ("at_least", "at_most"))
        )
        return found

    def _read_mostly(self) -> MostlyRange | None:
        given = self.arguments.get("mostly")
        if given is None:
            return None
        if isinstance(given, list) and len(given) == 2:
            given = {"from": given[0], "to": given[1]}
        if not isinstance(given, Mapping) or not {"from", "to"} <= set(given) <= {
            "from",
            "to",
            "in",
        }:
            said = format_value(given)
            raise EvaluationError(
                f"mostly: is {said}; write [12, 20], or {{from: 12, to: 20, in: 95 %}}"
            )
        low, high = self.read_bound("mostly", given["from"]), self.read_bound("mostly", given["to"])
        if low > high:
            raise EvaluationError(f"mostly: nothing lies from {float(low):g} to {float(high):g}; "
                                 f"write [{float(high):g}, {float(low):g}]")  # fmt: skip
        return MostlyRange(low, high, parse_share(given["in"]) if "in" in given else NINE_OF_TEN)


def _format_span(low: Fraction, high: Fraction) -> str:
    return f"{float(low):.6g}–{float(high):.6g}"


def _format_mean(mean: Fraction, *beside: Fraction | None) -> str:
    """A mean, with as many digits as tell it from the bounds that it breaks."""
    for digits in range(4, 13):
        text = f"{float(mean):.{digits}g}"
        if all(text != f"{float(each):.{digits}g}" for each in beside if each is not None):
            break
    return text


def _format_mean_bounds(low: Fraction | None, high: Fraction | None) -> str:
    if low is not None and high is not None:
        return f"{float(low):g}" if low == high else _format_span(low, high)
    if low is not None:
        return f"at least {float(low):g}"
    assert high is not None
    return f"at most {float(high):g}"

"""Kinds of rules that count cards and add up their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor

from cardgen.rules.rule_base import RuleKind, RuleMeasure, RuleResult, format_ids, parse_share
from cardgen.templates.expression_messages import format_name
from cardgen.templates.expressions import EvaluationError


class CountRule(RuleKind):
    """Bounds the number of cards, or of the cards with each value."""

    optional_keys = "where by is at_least at_most together"

    def run(self) -> Iterator[RuleResult]:
        for name, decks in self.group_decks():
            groups = self.group_by_value(self.select_cards(decks, self.where))
            for value, cards in groups.items():
                which = self.describe_group(value)
                text = f"{name} has {len(cards)} card{'' if len(cards) == 1 else 's'}{which}"
                ids = [card["id"] for card in cards]
                yield self.compare(name, value, len(cards), name + which, text, ids)


class SumRule(RuleKind):
    """Bounds the sum of an expression over the cards, or over the cards with each value."""

    optional_keys, required_keys = "where by is at_least at_most together", "of"

    def run(self) -> Iterator[RuleResult]:
        of = str(self.arguments["of"])
        for name, decks in self.group_decks():
            groups = self.group_by_value(self.select_cards(decks, self.where))
            for value, cards in groups.items():
                which = self.describe_group(value)
                figures = [(card["id"], self.read_card_number(of, card)) for card in cards]
                total = sum(figure for _, figure in figures)
                text = f"{of} sums to {total:g} in {name}{which if value else ''}"
                ids = [card_id for card_id, figure in figures if figure]
                yield self.compare(name, value, total, f"{of} of {name}{which}", text, ids)


class ShareRule(RuleKind):
    """Asks that each value of an expression has its share of the cards."""

    optional_keys, required_keys = "tolerance together", "by parts"

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        parts = self.arguments["parts"]
        if not isinstance(parts, dict):
            return super().describe_requirement(words)
        return ", ".join(f"{value} {share}" for value, share in parts.items())

    def run(self) -> Iterator[RuleResult]:
        by, parts = str(self.arguments["by"]), self.arguments["parts"]
        if not isinstance(parts, dict):
            raise EvaluationError("parts: must map each value to its share, such as {money: 1/2}")
        tolerance = parse_share(self.arguments.get("tolerance", 0))
        within = f" ± {float(tolerance * 100):g} %" if tolerance else ""
        for name, decks in self.group_decks():
            cards = self.select_cards(decks)
            ids: dict[str, list[str]] = {}
            for card in cards:
                value = format_name(self.database.evaluate(by, card))
                ids.setdefault(value, []).append(card["id"])
            for value, found in ids.items():
                text = f"{name}: {by} {value} has no share in the rule; in question: "
                is_listed = value in map(str, parts)
                violation = "" if is_listed else text + format_ids(found)
                yield RuleResult(name, f"{value} {len(found)}", None, violation)
            for value, given in parts.items():
                found, share = ids.get(str(value), []), parse_share(given)
                text = (
                    f"{name} has {len(found)} of {len(cards)} with {by} {value}; {given}{within} "
                    f"asks for {_format_counts(share, tolerance, len(cards))}; in question: "
                    f"{format_ids(found)}"
                )
                what = f"{name} with {by} {value}"
                yield _compare_share(what, text, (len(found), len(cards)), share, tolerance)


class PortionRule(RuleKind):
    """Asks that an expression holds for a share of the cards."""

    optional_keys, required_keys = "tolerance together", "where is"

    def run(self) -> Iterator[RuleResult]:
        where, share = self.arguments["where"], parse_share(self.arguments["is"])
        tolerance = parse_share(self.arguments.get("tolerance", 0))
        for name, decks in self.group_decks():
            cards = [card["id"] for card in self.select_cards(decks, str(where))]
            total = len(self.select_cards(decks))
            span = _format_counts(share, tolerance, total)
            percent = f"{100 * len(cards) / (total or 1):.3g} %"
            text = (
                f"{name} has {len(cards)} of {total} ({percent}) with {where}; "
                f"{self.arguments['is']} asks for {span}; in question: {format_ids(cards)}"
            )
            yield _compare_share(
                f"{name} with {where}", text, (len(cards), total), share, tolerance,
                name, f"{len(cards)}/{total} = {percent}",
            )  # fmt: skip


def _format_counts(share: Fraction, tolerance: Fraction, total: int) -> str:
    """Return the whole numbers of cards within a tolerance of a share: `5–12`."""
    low, high = max(Fraction(0), share - tolerance) * total, (share + tolerance) * total
    least, most = ceil(low), min(floor(high), total)
    if least > most:
        span = f"{float(low):.3g}" if low == high else f"{float(low):.3g}–{float(high):.3g}"
        return f"{span}, which no whole number of cards meets"
    return f"{least}" if least == most else f"{least}–{most}"


def _compare_share(  # noqa: PLR0913, PLR0917 - all of a result
    what: str,
    text: str,
    counts: tuple[int, int],
    share: Fraction,
    tolerance: Fraction,
    group: str = "",
    figure: str = "",
) -> RuleResult:
    """Compare the share of the counted cards with the one that the rule asks for."""
    count, total = counts
    low, high = max(Fraction(0), share - tolerance) * total, (share + tolerance) * total
    measure = RuleMeasure(what, count, float(low), float(min(high, Fraction(total))))
    is_near = abs(Fraction(count, total or 1) - share) <= tolerance
    return RuleResult(group, figure, measure, "" if is_near else text)


class StockRule(RuleKind):
    """Asks for as many pieces as all cards together may give."""

    optional_keys, required_keys = "where besides", "given_by gives"

    def run(self) -> Iterator[RuleResult]:
        decks, gives = " + ".join(self.get_decks()), str(self.arguments["gives"])
        which = f" with {self.where}" if self.where else ""
        count = len(self.select_cards(self.get_decks(), self.where))
        start = self.read_number(self.arguments.get("besides", 0))
        givers = [
            (card["id"], self.read_card_number(gives, card))
            for card in self.select_cards(self.get_decks("given_by"))
        ]
        given = sum(amount for _, amount in givers)
        before = f"{start:g} at the start and " if start else ""
        ids = format_ids(f"{card_id} {amount:g}" for card_id, amount in givers if amount)
        text = (
            f"{decks} holds {count}{which}; {before}{given:g} given by cards ask for "
            f"{given + start:g}; in question: {ids}"
        )
        yield RuleResult(
            decks,
            f"{count}, {start:g} + {given:g}",
            RuleMeasure(decks + which, count, start + given),
            "" if count >= given + start else text,
        )

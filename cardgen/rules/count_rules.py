"""Kinds of rule that count cards and add up what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from cardgen.rules.rule_base import (
    BackImages,
    CardValues,
    RuleKind,
    RuleMeasure,
    format_ids,
    parse_share,
)
from cardgen.templates.expression_messages import format_name
from cardgen.templates.expressions import EvaluationError


class CountRule(RuleKind):
    """How many cards there are, or how many of each value."""

    optional_keys = "where by is at_least at_most together"

    def _count_groups(self) -> Iterator[tuple[str, dict[str, list[CardValues]]]]:
        for name, decks in self.group_decks():
            yield name, self.group_by_value(self.select_cards(decks, self.where))

    def describe(self) -> list[str]:
        return [
            f"{name}: {_format_figures({value: len(cards) for value, cards in found.items()})}"
            for name, found in self._count_groups()
        ]

    def measure(self) -> list[RuleMeasure]:
        return [
            self.make_measure(f"{name}{self.describe_group(value)}", len(cards), value)
            for name, found in self._count_groups()
            for value, cards in found.items()
        ]

    def check(self, _backs: BackImages) -> list[str]:
        broken = []
        for name, found in self._count_groups():
            for value, cards in found.items():
                asked = self.find_broken_bounds(len(cards), value)
                if asked:
                    noun = "card" if len(cards) == 1 else "cards"
                    broken.append(
                        f"{name} has {len(cards)} {noun}{self.describe_group(value)}, "
                        f"{' and '.join(asked)} asked; "
                        f"in question: {format_ids(card['id'] for card in cards)}"
                    )
        return broken


class SumRule(RuleKind):
    """What an expression comes to over cards, or over those of each value."""

    optional_keys, required_keys = "where by is at_least at_most together", "of"

    def _sum_groups(self) -> Iterator[tuple[str, dict[str, list[tuple[str, float]]]]]:
        of = str(self.arguments["of"])
        for name, decks in self.group_decks():
            found = self.group_by_value(self.select_cards(decks, self.where))
            yield (
                name,
                {
                    value: [(card["id"], self.read_card_number(of, card)) for card in cards]
                    for value, cards in found.items()
                },
            )

    def describe(self) -> list[str]:
        return [
            f"{name}: {_format_figures({value: _add_numbers(own) for value, own in found.items()})}"
            for name, found in self._sum_groups()
        ]

    def measure(self) -> list[RuleMeasure]:
        return [
            self.make_measure(
                f"{self.arguments['of']} of {name}{self.describe_group(value)}",
                _add_numbers(own),
                value,
            )
            for name, found in self._sum_groups()
            for value, own in found.items()
        ]

    def check(self, _backs: BackImages) -> list[str]:
        broken = []
        for name, found in self._sum_groups():
            for value, own in found.items():
                figure = _add_numbers(own)
                asked = self.find_broken_bounds(figure, value)
                if asked:
                    ids = format_ids(card_id for card_id, each in own if each)
                    apart = self.describe_group(value) if value else ""
                    broken.append(
                        f"{self.arguments['of']} sums to {figure:g} in {name}{apart}, "
                        f"{' and '.join(asked)} asked; in question: {ids}"
                    )
        return broken


def _add_numbers(own: list[tuple[str, float]]) -> float:
    return sum(figure for _, figure in own)


def _format_figures(found: Mapping[str, float]) -> str:
    """`12`; or `tug 1, ferry 2` for the values of a field."""
    return ", ".join(f"{value} {figure:g}".strip() for value, figure in found.items())


class ShareRule(RuleKind):
    """Which share of the cards has each value of an expression."""

    optional_keys, required_keys = "tolerance together", "by parts"

    def _count_values(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        by = str(self.arguments["by"])
        for name, decks in self.group_decks():
            cards = self.select_cards(decks)
            yield name, [(c["id"], format_name(self.database.evaluate(by, c))) for c in cards]

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        parts = self.arguments["parts"]
        if not isinstance(parts, dict):
            return super().describe_requirement(words)
        return ", ".join(f"{value} {share}" for value, share in parts.items())

    def describe(self) -> list[str]:
        counted = [(name, Counter(value for _, value in own)) for name, own in self._count_values()]
        return [
            f"{name}: {', '.join(f'{value} {count}' for value, count in found.items())}"
            for name, found in counted
        ]

    def measure(self) -> list[RuleMeasure]:
        parts, tolerance = self._read_shares()
        found = []
        for name, own in self._count_values():
            has = Counter(value for _, value in own)
            for value, share in parts.items():
                what = f"{name} with {self.arguments['by']} {value}"
                found.append(
                    _measure_share(what, has[str(value)], len(own), parse_share(share), tolerance)
                )
        return found

    def _read_shares(self) -> tuple[Mapping[str, object], Fraction]:
        """The share of each value, and how far it may be off."""
        parts = self.arguments["parts"]
        if not isinstance(parts, dict):
            raise EvaluationError("parts maps each value to its share, such as {money: 1/2}")
        return parts, parse_share(self.arguments.get("tolerance", 0))

    def check(self, _backs: BackImages) -> list[str]:
        parts, tolerance = self._read_shares()
        return [
            text
            for name, own in self._count_values()
            for text in self._find_wrong_shares(name, own, parts, tolerance)
        ]

    def _find_wrong_shares(
        self,
        name: str,
        own: list[tuple[str, str]],
        parts: Mapping[str, object],
        tolerance: Fraction,
    ) -> Iterator[str]:
        by, all_of = self.arguments["by"], len(own)
        found = Counter(value for _, value in own)
        for value, share in parts.items():
            has, asked = found.pop(str(value), 0), parse_share(share)
            if abs(Fraction(has, all_of or 1) - asked) <= tolerance:
                continue
            ids = format_ids(card_id for card_id, other in own if other == str(value))
            within = f" ± {float(tolerance * 100):g} %" if tolerance else ""
            yield (
                f"{name} has {has} of {all_of} with {by} {value}; {share}{within} asks for "
                f"{float(asked * all_of):g}; in question: {ids}"
            )
        for value in found:
            ids = format_ids(card_id for card_id, other in own if other == value)
            yield f"{name}: {by} {value} has no share in the rule; in question: {ids}"


class PortionRule(RuleKind):
    """For which share of the cards an expression holds."""

    optional_keys, required_keys = "tolerance together", "where is"

    def _count_matches(self) -> Iterator[tuple[str, list[CardValues], int]]:
        for name, decks in self.group_decks():
            yield (
                name,
                [*self.select_cards(decks, str(self.arguments["where"]))],
                len(self.select_cards(decks)),
            )

    def describe(self) -> list[str]:
        parse_share(self.arguments["is"])
        return [
            f"{name}: {len(hits)}/{all_of} = {100 * len(hits) / (all_of or 1):.3g} %"
            for name, hits, all_of in self._count_matches()
        ]

    def measure(self) -> list[RuleMeasure]:
        share = parse_share(self.arguments["is"])
        tolerance = parse_share(self.arguments.get("tolerance", 0))
        return [
            _measure_share(
                f"{name} with {self.arguments['where']}", len(hits), all_of, share, tolerance
            )
            for name, hits, all_of in self._count_matches()
        ]

    def check(self, _backs: BackImages) -> list[str]:
        asked = parse_share(self.arguments["is"])
        tolerance = parse_share(self.arguments.get("tolerance", 0))
        broken = []
        for name, hits, all_of in self._count_matches():
            share = Fraction(len(hits), all_of or 1)
            if abs(share - asked) <= tolerance:
                continue
            low = max(Fraction(0), asked - tolerance) * all_of
            high = (asked + tolerance) * all_of
            span = f"{float(low):g}" if low == high else f"{float(low):.3g}–{float(high):.3g}"
            broken.append(
                f"{name} has {len(hits)} of {all_of} ({float(share * 100):.3g} %) with "
                f"{self.arguments['where']}; {self.arguments['is']} asks for {span}; "
                f"in question: {format_ids(card['id'] for card in hits)}"
            )
        return broken


def _measure_share(
    what: str, has: int, all_of: int, share: Fraction, tolerance: Fraction
) -> RuleMeasure:
    """How many of all there are, between those that a share and its tolerance ask for."""
    low, high = max(Fraction(0), share - tolerance) * all_of, (share + tolerance) * all_of
    return RuleMeasure(what, has, float(low), float(min(high, Fraction(all_of))))


class StockRule(RuleKind):
    """Whether there are as many pieces as cards may give."""

    optional_keys, required_keys = "where besides", "given_by gives"

    def _measure_stock(self) -> tuple[list[str], int, float, list[tuple[str, float]]]:
        """Whose pieces, how many are held, how many are taken at the start, and by which card."""
        decks = self.get_decks()
        held = len(self.select_cards(decks, self.where))
        start = self.read_number(self.arguments.get("besides", 0))
        gives = str(self.arguments["gives"])
        givers = self.select_cards(self.get_decks("given_by"))
        return decks, held, start, [(c["id"], self.read_card_number(gives, c)) for c in givers]

    def describe(self) -> list[str]:
        decks, held, start, givers = self._measure_stock()
        return [f"{' + '.join(decks)}: {held}, {start:g} + {sum(n for _, n in givers):g}"]

    def measure(self) -> list[RuleMeasure]:
        decks, held, start, givers = self._measure_stock()
        what = " + ".join(decks) + (f" with {self.where}" if self.where else "")
        return [RuleMeasure(what, held, start + sum(amount for _, amount in givers))]

    def check(self, _backs: BackImages) -> list[str]:
        decks, held, start, givers = self._measure_stock()
        given = sum(amount for _, amount in givers)
        if held >= given + start:
            return []
        ids = format_ids(f"{card_id} {amount:g}" for card_id, amount in givers if amount)
        before = f"{start:g} at the start and " if start else ""
        which = f" with {self.where}" if self.where else ""
        return [
            f"{' + '.join(decks)} holds {held}{which}; {before}{given:g} given by cards ask for "
            f"{given + start:g}; in question: {ids}"
        ]

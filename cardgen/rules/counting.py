"""Kinds of rule that count cards and add up what they say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from cardgen.rules.kind import Backs, Card, Kind, fraction, named
from cardgen.rules.measures import Measure
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import name_of


class Count(Kind):
    """How many cards there are, or how many of each value."""

    keys = "where by is at_least at_most together"

    def _measured(self) -> Iterator[tuple[str, dict[str, list[Card]]]]:
        for name, decks in self.groups():
            yield name, self.values(self.cards(decks, self.where))

    def figures(self) -> list[str]:
        return [
            f"{name}: {_figures({value: len(cards) for value, cards in found.items()})}"
            for name, found in self._measured()
        ]

    def measures(self) -> list[Measure]:
        return [
            self.measure(f"{name}{self.which(value)}", len(cards), value)
            for name, found in self._measured()
            for value, cards in found.items()
        ]

    def broken(self, _backs: Backs) -> list[str]:
        broken = []
        for name, found in self._measured():
            for value, cards in found.items():
                asked = self.bounds_broken_by(len(cards), value)
                if asked:
                    noun = "card" if len(cards) == 1 else "cards"
                    broken.append(
                        f"{name} has {len(cards)} {noun}{self.which(value)}, "
                        f"{' and '.join(asked)} asked; "
                        f"in question: {named(card['id'] for card in cards)}"
                    )
        return broken


class Sum(Kind):
    """What an expression comes to over cards, or over those of each value."""

    keys, needed = "where by is at_least at_most together", "of"

    def _measured(self) -> Iterator[tuple[str, dict[str, list[tuple[str, float]]]]]:
        of = str(self.arguments["of"])
        for name, decks in self.groups():
            found = self.values(self.cards(decks, self.where))
            yield (
                name,
                {
                    value: [(card["id"], self.number_on(of, card)) for card in cards]
                    for value, cards in found.items()
                },
            )

    def figures(self) -> list[str]:
        return [
            f"{name}: {_figures({value: _sum(own) for value, own in found.items()})}"
            for name, found in self._measured()
        ]

    def measures(self) -> list[Measure]:
        return [
            self.measure(f"{self.arguments['of']} of {name}{self.which(value)}", _sum(own), value)
            for name, found in self._measured()
            for value, own in found.items()
        ]

    def broken(self, _backs: Backs) -> list[str]:
        broken = []
        for name, found in self._measured():
            for value, own in found.items():
                figure = _sum(own)
                asked = self.bounds_broken_by(figure, value)
                if asked:
                    ids = named(card_id for card_id, each in own if each)
                    apart = self.which(value) if value else ""
                    broken.append(
                        f"{self.arguments['of']} sums to {figure:g} in {name}{apart}, "
                        f"{' and '.join(asked)} asked; in question: {ids}"
                    )
        return broken


def _sum(own: list[tuple[str, float]]) -> float:
    return sum(figure for _, figure in own)


def _figures(found: Mapping[str, float]) -> str:
    """`12`; or `tug 1, ferry 2` for the values of a field."""
    return ", ".join(f"{value} {figure:g}".strip() for value, figure in found.items())


class Share(Kind):
    """Which share of the cards has each value of an expression."""

    keys, needed = "tolerance together", "by parts"

    def _measured(self) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        by = str(self.arguments["by"])
        for name, decks in self.groups():
            cards = self.cards(decks)
            yield name, [(c["id"], name_of(self.database.evaluate(by, c))) for c in cards]

    def asks(self, words: Mapping[str, str]) -> str:
        parts = self.arguments["parts"]
        if not isinstance(parts, dict):
            return super().asks(words)
        return ", ".join(f"{value} {share}" for value, share in parts.items())

    def figures(self) -> list[str]:
        counted = [(name, Counter(value for _, value in own)) for name, own in self._measured()]
        return [
            f"{name}: {', '.join(f'{value} {count}' for value, count in found.items())}"
            for name, found in counted
        ]

    def measures(self) -> list[Measure]:
        parts, tolerance = self._asked()
        found = []
        for name, own in self._measured():
            has = Counter(value for _, value in own)
            for value, share in parts.items():
                what = f"{name} with {self.arguments['by']} {value}"
                found.append(_near(what, has[str(value)], len(own), fraction(share), tolerance))
        return found

    def _asked(self) -> tuple[Mapping[str, object], Fraction]:
        """The share of each value, and how far it may be off."""
        parts = self.arguments["parts"]
        if not isinstance(parts, dict):
            raise CannotEvaluate("parts maps each value to its share, such as {money: 1/2}")
        return parts, fraction(self.arguments.get("tolerance", 0))

    def broken(self, _backs: Backs) -> list[str]:
        parts, tolerance = self._asked()
        return [
            text
            for name, own in self._measured()
            for text in self._wrong(name, own, parts, tolerance)
        ]

    def _wrong(
        self,
        name: str,
        own: list[tuple[str, str]],
        parts: Mapping[str, object],
        tolerance: Fraction,
    ) -> Iterator[str]:
        by, all_of = self.arguments["by"], len(own)
        found = Counter(value for _, value in own)
        for value, share in parts.items():
            has, asked = found.pop(str(value), 0), fraction(share)
            if abs(Fraction(has, all_of or 1) - asked) <= tolerance:
                continue
            ids = named(card_id for card_id, other in own if other == str(value))
            within = f" ± {float(tolerance * 100):g} %" if tolerance else ""
            yield (
                f"{name} has {has} of {all_of} with {by} {value}; {share}{within} asks for "
                f"{float(asked * all_of):g}; in question: {ids}"
            )
        for value in found:
            ids = named(card_id for card_id, other in own if other == value)
            yield f"{name}: {by} {value} has no share in the rule; in question: {ids}"


class Portion(Kind):
    """For which share of the cards an expression holds."""

    keys, needed = "tolerance together", "where is"

    def _measured(self) -> Iterator[tuple[str, list[Card], int]]:
        for name, decks in self.groups():
            yield name, [*self.cards(decks, str(self.arguments["where"]))], len(self.cards(decks))

    def figures(self) -> list[str]:
        fraction(self.arguments["is"])
        return [
            f"{name}: {len(hits)}/{all_of} = {100 * len(hits) / (all_of or 1):.3g} %"
            for name, hits, all_of in self._measured()
        ]

    def measures(self) -> list[Measure]:
        share = fraction(self.arguments["is"])
        tolerance = fraction(self.arguments.get("tolerance", 0))
        return [
            _near(f"{name} with {self.arguments['where']}", len(hits), all_of, share, tolerance)
            for name, hits, all_of in self._measured()
        ]

    def broken(self, _backs: Backs) -> list[str]:
        asked = fraction(self.arguments["is"])
        tolerance = fraction(self.arguments.get("tolerance", 0))
        broken = []
        for name, hits, all_of in self._measured():
            share = Fraction(len(hits), all_of or 1)
            if abs(share - asked) <= tolerance:
                continue
            low = max(Fraction(0), asked - tolerance) * all_of
            high = (asked + tolerance) * all_of
            span = f"{float(low):g}" if low == high else f"{float(low):.3g}–{float(high):.3g}"
            broken.append(
                f"{name} has {len(hits)} of {all_of} ({float(share * 100):.3g} %) with "
                f"{self.arguments['where']}; {self.arguments['is']} asks for {span}; "
                f"in question: {named(card['id'] for card in hits)}"
            )
        return broken


def _near(what: str, has: int, all_of: int, share: Fraction, tolerance: Fraction) -> Measure:
    """How many of all there are, between those that a share and its tolerance ask for."""
    low, high = max(Fraction(0), share - tolerance) * all_of, (share + tolerance) * all_of
    return Measure(what, has, float(low), float(min(high, Fraction(all_of))))


class Stock(Kind):
    """Whether there are as many pieces as cards may give."""

    keys, needed = "where besides", "given_by gives"

    def _measured(self) -> tuple[list[str], int, float, list[tuple[str, float]]]:
        """Whose pieces, how many are held, how many are taken at the start, and by which card."""
        decks = self.decks()
        held = len(self.cards(decks, self.where))
        start = self.number(self.arguments.get("besides", 0))
        gives = str(self.arguments["gives"])
        givers = self.cards(self.decks("given_by"))
        return decks, held, start, [(c["id"], self.number_on(gives, c)) for c in givers]

    def figures(self) -> list[str]:
        decks, held, start, givers = self._measured()
        return [f"{' + '.join(decks)}: {held}, {start:g} + {sum(n for _, n in givers):g}"]

    def measures(self) -> list[Measure]:
        decks, held, start, givers = self._measured()
        what = " + ".join(decks) + (f" with {self.where}" if self.where else "")
        return [Measure(what, held, start + sum(amount for _, amount in givers))]

    def broken(self, _backs: Backs) -> list[str]:
        decks, held, start, givers = self._measured()
        given = sum(amount for _, amount in givers)
        if held >= given + start:
            return []
        ids = named(f"{card_id} {amount:g}" for card_id, amount in givers if amount)
        before = f"{start:g} at the start and " if start else ""
        which = f" with {self.where}" if self.where else ""
        return [
            f"{' + '.join(decks)} holds {held}{which}; {before}{given:g} given by cards ask for "
            f"{given + start:g}; in question: {ids}"
        ]

"""What the rules about chances have in common: from what is drawn, how much, and what it counts."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cardgen.base import schema
from cardgen.base.schema import Schema
from cardgen.base.units import is_number, is_whole
from cardgen.rules import asked
from cardgen.rules.kind import DECKS, Backs, Card, Kind
from cardgen.rules.odds import dice
from cardgen.rules.odds.conditions import Leaf
from cardgen.rules.odds.reckoning import Stack
from cardgen.templates.expressions import CannotEvaluate, number_total
from cardgen.templates.wording import in_words

DICE = "dice"
MOST_CARDS = 5_000
_DRAW = schema.either(schema.EXPRESSION, schema.named(schema.EXPRESSION))
_BOUND: Schema = schema.EXPRESSION
_LEAF = schema.mapping({
    "where": schema.said("Which of the drawn cards are counted.", schema.EXPRESSION),
    "total": schema.said("What the drawn cards have, added up.", schema.EXPRESSION),
    "deck": schema.EXPRESSION,
    "is": _BOUND,
    "at_least": _BOUND,
    "at_most": _BOUND,
})  # fmt: skip
_LIST: Schema = {"type": "array", "items": schema.FREE}
_GROUP = schema.either(
    schema.mapping({"any": _LIST}, ["any"]), schema.mapping({"all": _LIST}, ["all"])
)
KEYS: Mapping[str, Schema] = {
    "draw": schema.said("How many cards are drawn; of several decks, of each.", _DRAW),
    "see": schema.said(
        "What is to be among them; all of a list, one of any:.",
        schema.either(_LEAF, _GROUP, _LIST),
    ),
    "hands": schema.said(
        "So many hands are dealt; it holds of every one, or {one: 4} of one of them.",
        schema.either(
            schema.EXPRESSION,
            schema.mapping({"every": schema.EXPRESSION}, ["every"]),
            schema.mapping({"one": schema.EXPRESSION}, ["one"]),
        ),
    ),
    "keep": schema.said("Only the cards for which this holds are drawn from.", schema.EXPRESSION),
    "remove": schema.said("Cards for which this holds are taken out before.", schema.EXPRESSION),
    "spread": schema.said(
        "How far from the mean it usually lies (the standard deviation).",
        schema.either(
            schema.EXPRESSION,
            schema.mapping({"at_least": _BOUND, "at_most": _BOUND, "is": _BOUND}),
        ),
    ),
    "mostly": schema.said(
        "From where to where it lies in nine of ten: [12, 20].",
        schema.either(
            schema.listed(_BOUND, 2, 2),
            schema.mapping({"from": _BOUND, "to": _BOUND, "in": _BOUND}, ["from", "to"]),
        ),
    ),
}
"""What rules about chances may say, by its word."""
OWN = schema.either(
    DECKS,
    schema.mapping({DICE: schema.said("2d6, or 3d6 + d10.", schema.EXPRESSION), "decks": DECKS}),
)


@dataclass(frozen=True)
class Rows:
    """What is drawn from, before it is known what counts: cards with their copies."""

    name: str
    cards: tuple[Card, ...]
    draw: int


class Drawing(Kind):
    """A rule about what comes when cards are drawn without putting back, or dice are rolled."""

    own = OWN

    def broken(self, _backs: Backs) -> list[str]:
        return [text for name, rows in self.drawn() for text in self.wrong(name, rows)]

    def figures(self) -> list[str]:
        return [self.figure(name, rows) for name, rows in self.drawn()]

    @abstractmethod
    def wrong(self, name: str, rows: Sequence[Rows]) -> Iterator[str]:
        """What is broken of cards that are drawn together."""

    @abstractmethod
    def figure(self, name: str, rows: Sequence[Rows]) -> str:
        """What they come to now, in figures."""

    def decks(self, key: str = "") -> list[str]:
        own = self.arguments[self.rule.kind]
        if isinstance(own, str) and dice.are(own):
            raise CannotEvaluate(f"{own} are dice; write {self.rule.kind}: {{dice: {own}}}")
        if key or not isinstance(own, Mapping):
            return super().decks(key)
        strange = [str(word) for word in own if word not in (DICE, "decks")]
        if strange or DICE not in own:
            raise CannotEvaluate(f"{self.rule.kind}: is a deck, a list of decks, or {{dice: 2d6}}")
        named = own.get("decks", [])
        names = [str(name) for name in named] if isinstance(named, list) else [str(named)]
        for name in names:
            self.database.deck(name)
        return names

    def drawn(self) -> Iterator[tuple[str, list[Rows]]]:
        """What is drawn together, by a name: deck by deck, or of several at once."""
        own, draw = self.arguments[self.rule.kind], self.arguments.get("draw")
        decks = self.decks()
        rolled = self._rolled(own[DICE]) if isinstance(own, Mapping) else []
        if draw is None and "by" in self.arguments:
            draw = self.arguments["by"]
        if decks and draw is None:
            raise CannotEvaluate("it needs draw: how many cards are drawn")
        if rolled and draw is not None and not decks:
            raise CannotEvaluate("draw: is for decks; dice are all rolled")
        if isinstance(draw, Mapping):
            if sorted(map(str, draw)) != sorted(decks):
                raise CannotEvaluate(
                    f"draw: says how many of each deck: {', '.join(decks)}, and no other"
                )
            rows = [self._rows(deck, [deck], draw[deck]) for deck in decks]
            yield " + ".join([*(deck for deck in decks), *self._dice_named(own)]), [*rows, *rolled]
        elif rolled:
            name = " + ".join([*decks, *self._dice_named(own)])
            yield name, [*(self._rows(deck, [deck], draw) for deck in decks), *rolled]
        else:
            for name, group in self.groups():
                yield name, [self._rows(name, group, draw)]

    def _dice_named(self, own: Any) -> list[str]:
        return [str(own[DICE])] if isinstance(own, Mapping) else []

    def _rolled(self, written: Any) -> list[Rows]:
        return [Rows(DICE, tuple(dice.faces(sides)), 1) for sides in dice.read(written)]

    def _rows(self, name: str, decks: Sequence[str], draw: Any) -> Rows:
        cards = self.cards(decks)
        keep, remove = (str(self.arguments.get(key) or "") for key in ("keep", "remove"))
        self.check_conditions(decks, keep, remove)
        cards = [card for card in cards if not keep or self.database.evaluate(keep, card)]
        cards = [card for card in cards if not remove or not self.database.evaluate(remove, card)]
        if len(cards) > MOST_CARDS:
            raise CannotEvaluate(f"{name} has {len(cards)} cards; {MOST_CARDS} are the most")
        number = self.whole(draw, "draw", 1)
        hands = self.hands()[0]
        if number * hands > len(cards):
            left = " left" if keep or remove else ""
            times = f"{hands} × " if hands > 1 else ""
            raise CannotEvaluate(
                f"{times}{number} cards are drawn, and {name} has {len(cards)}{left}"
            )
        return Rows(name, tuple(cards), number)

    def hands(self) -> tuple[int, bool]:
        """How many hands are dealt, and whether it is asked of every one."""
        given = self.arguments.get("hands", 1)
        if not isinstance(given, Mapping):
            return self.whole(given, "hands", 1), True
        ((word, number), *more) = given.items() or [("", 1)]
        if more or word not in ("every", "one"):
            raise CannotEvaluate("hands: is a number, {every: 4} or {one: 4}")
        return self.whole(number, "hands", 1), word == "every"

    def whole(self, given: Any, key: str, least: int) -> int:
        """A whole number, as written or an expression's."""
        number = self.number(given)
        if is_number(number) and float(number).is_integer() and number >= least:
            return int(number)
        raise CannotEvaluate(
            f"{key}: comes to {number:g}; a whole number from {least} is asked for"
        )

    def exactly(self, given: Any) -> Fraction:
        """A figure of a rule, exact as it is written."""
        return exact(self.number(given))

    def bound(self, key: str, given: Any) -> Fraction:
        """A number that something is held against."""
        asked.as_written(given)
        asked.no_percentage(key, given)
        return self.exactly(given)

    def counted(self, rows: Sequence[Rows], leaves: Sequence[Leaf]) -> tuple[Stack, ...]:
        """The cards by what they count for each condition. Every die is a stack."""
        known = [rows_.name for rows_ in rows]
        decks = self.decks()
        for leaf in leaves:
            self.check_conditions([leaf.deck] if leaf.deck in decks else decks, leaf.where)
            if leaf.deck and leaf.deck not in known:
                raise CannotEvaluate(f"deck: {leaf.deck} is not drawn from; {', '.join(known)} is")
        stacks = []
        for each in rows:
            vectors = Counter(
                tuple(
                    self._figure(leaf, card, rows) if leaf.deck in ("", each.name) else Fraction(0)
                    for leaf in leaves
                )
                for card in each.cards
            )
            stacks.append(Stack(each.name, vectors, each.draw))
        for leaf in leaves:
            self._no_condition(leaf, rows)
        return tuple(stacks)

    def _figure(self, leaf: Leaf, card: Card, rows: Sequence[Rows]) -> Fraction:
        try:
            if leaf.where and not self.database.evaluate(leaf.where, card):
                return Fraction(0)
            return self.figure_on(leaf.total, card) if leaf.total else Fraction(1)
        except CannotEvaluate:
            self._check_names(f"({leaf.where or 0}, {leaf.total or 0})", card, rows)
            raise

    def _check_names(self, expression: str, card: Card, rows: Sequence[Rows]) -> None:
        """A field that other cards have, and this one has not."""
        for name in sorted(self.database.names_of_cards(expression) - {*card}):
            having = [each.name for each in rows if each.cards and name in each.cards[0]]
            if having:
                raise CannotEvaluate(f"{card['id']} has no {name}; write deck: {having[0]}")
            if any(name in other for each in rows for other in each.cards):
                raise CannotEvaluate(
                    f"{card['id']} has no {name}, and is shuffled among cards that have one"
                )

    def _no_condition(self, leaf: Leaf, rows: Sequence[Rows]) -> None:
        """A text on every card is always there, so nothing was asked."""
        cards = [c for each in rows if leaf.deck in ("", each.name) for c in each.cards]
        values = [self.database.evaluate(leaf.where, card) for card in cards] if leaf.where else []
        texts = [at for at, value in enumerate(values) if isinstance(value, str) and value]
        if texts and (len(texts) == len(values) or any(isinstance(v, bool) for v in values)):
            card, value = cards[texts[0]], values[texts[0]]
            raise CannotEvaluate(
                f"'{leaf.where}' is no condition: on {card['id']} it is {in_words(value)}, "
                'a text; ask for one, as in kind == "cargo"'
            )

    def figure_on(self, of: str, card: Card) -> Fraction:
        """What a card adds to a total; what is left out adds nothing."""
        value = self.database.evaluate(of, card)
        if not value and not isinstance(value, str):
            return Fraction(0)
        if not is_number(value):
            hint = f"; write total({of})" if number_total(value) else ""
            hint = ", a text" if isinstance(value, str) else hint
            raise CannotEvaluate(
                f"'{of}' cannot be added up: on {card['id']} it is {in_words(value)}{hint}"
            )
        return exact(value)


def exact(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(number) if is_whole(number) else Fraction(str(number))


def drawn_words(rows: Sequence[Rows], hands: tuple[int, bool], by: int | None = None) -> str:
    """`of 7 drawn from 18`, `of 2d6`."""
    said = [
        f"by draw {by}, from {len(each.cards)}"
        if by is not None
        else f"of {each.draw} drawn from {len(each.cards)}"
        for each in rows
        if each.name != DICE
    ]
    sides = Counter(len(each.cards) for each in rows if each.name == DICE)
    rolled = " + ".join(f"{number if number > 1 else ''}d{side}" for side, number in sides.items())
    said += [f"of {rolled}"] if rolled else []
    number, every = hands
    dealt = (
        f" in {'every one' if every else 'at least one'} of {number} hands" if number > 1 else ""
    )
    return " and ".join(said) + dealt


def with_figures(leaf: Leaf, bounds: Sequence[tuple[str, Fraction]]) -> Leaf:
    """A condition with its bounds reckoned."""
    return replace(leaf, bounds=tuple(bounds))

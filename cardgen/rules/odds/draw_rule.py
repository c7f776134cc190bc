"""What the rules about chances have in common: from what is drawn, how much, and what it counts."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.units import is_integer, is_number
from cardgen.rules import rule_arguments
from cardgen.rules.odds.draw_conditions import DrawCondition
from cardgen.rules.odds.draw_probability import CardStack
from cardgen.rules.rule_base import DECKS_SCHEMA, BackImages, CardValues, RuleKind
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError, sum_numbers

MOST_DICE, MOST_SIDES = 100, 100
_DICE_TEXT = re.compile(r"\s*[0-9]*\s*[dD][0-9]+\s*(?:\+|\Z)")
_DIE_TEXT = re.compile(r"([0-9]{0,3})[dD]([0-9]{1,4})\Z")


def is_dice(written: str) -> bool:
    """Whether it is meant as dice, and is no expression."""
    return _DICE_TEXT.match(written) is not None


def parse_dice(written: Any) -> list[int]:
    """The sides of every die. Raises `CannotEvaluate`."""
    found: list[int] = []
    for part in str(written).replace(" ", "").split("+"):
        match = _DIE_TEXT.match(part)
        if match is None:
            raise EvaluationError(f"{format_value(written)} are no dice; write 2d6, or 3d6 + d10")
        number, sides = int(match[1] or 1), int(match[2])
        if not 1 <= sides <= MOST_SIDES:
            raise EvaluationError(f"a die has 1 to {MOST_SIDES} sides, not {sides}")
        found += [sides] * number
    if not 1 <= len(found) <= MOST_DICE:
        raise EvaluationError(f"{len(found)} dice; 1 to {MOST_DICE} can be rolled")
    return found


def list_die_faces(sides: int) -> list[Mapping[str, Any]]:
    """The faces of a die, as expressions see them: `value` and `sides`."""
    return [{"id": f"d{sides}", "value": value, "sides": sides} for value in range(1, sides + 1)]


DICE_KEY = "dice"
MAX_DRAW_CARDS = 5_000
_DRAW_SCHEMA = json_schema.allow_either(
    json_schema.EXPRESSION, json_schema.allow_named_values(json_schema.EXPRESSION)
)
_BOUND_SCHEMA: Schema = json_schema.EXPRESSION
_CONDITION_SCHEMA = json_schema.allow_mapping({
    "where": json_schema.describe("Which of the drawn cards are counted.", json_schema.EXPRESSION),
    "total": json_schema.describe("What the drawn cards have, added up.", json_schema.EXPRESSION),
    "deck": json_schema.EXPRESSION,
    "is": _BOUND_SCHEMA,
    "at_least": _BOUND_SCHEMA,
    "at_most": _BOUND_SCHEMA,
})  # fmt: skip
_LIST_SCHEMA: Schema = {"type": "array", "items": json_schema.ANYTHING}
_GROUP_SCHEMA = json_schema.allow_either(
    json_schema.allow_mapping({"any": _LIST_SCHEMA}, ["any"]),
    json_schema.allow_mapping({"all": _LIST_SCHEMA}, ["all"]),
)
DRAW_RULE_KEYS: Mapping[str, Schema] = {
    "draw": json_schema.describe(
        "How many cards are drawn; of several decks, of each.", _DRAW_SCHEMA
    ),
    "see": json_schema.describe(
        "What is to be among them; all of a list, one of any:.",
        json_schema.allow_either(_CONDITION_SCHEMA, _GROUP_SCHEMA, _LIST_SCHEMA),
    ),
    "hands": json_schema.describe(
        "So many hands are dealt; it holds of every one, or {one: 4} of one of them.",
        json_schema.allow_either(
            json_schema.EXPRESSION,
            json_schema.allow_mapping({"every": json_schema.EXPRESSION}, ["every"]),
            json_schema.allow_mapping({"one": json_schema.EXPRESSION}, ["one"]),
        ),
    ),
    "keep": json_schema.describe(
        "Only the cards for which this holds are drawn from.", json_schema.EXPRESSION
    ),
    "remove": json_schema.describe(
        "Cards for which this holds are taken out before.", json_schema.EXPRESSION
    ),
    "spread": json_schema.describe(
        "How far from the mean it usually lies (the standard deviation).",
        json_schema.allow_either(
            json_schema.EXPRESSION,
            json_schema.allow_mapping(
                {"at_least": _BOUND_SCHEMA, "at_most": _BOUND_SCHEMA, "is": _BOUND_SCHEMA}
            ),
        ),
    ),
    "mostly": json_schema.describe(
        "From where to where it lies in nine of ten: [12, 20].",
        json_schema.allow_either(
            json_schema.allow_list(_BOUND_SCHEMA, 2, 2),
            json_schema.allow_mapping(
                {"from": _BOUND_SCHEMA, "to": _BOUND_SCHEMA, "in": _BOUND_SCHEMA}, ["from", "to"]
            ),
        ),
    ),
}
"""What rules about chances may say, by its word."""
DRAW_SOURCE_SCHEMA = json_schema.allow_either(
    DECKS_SCHEMA,
    json_schema.allow_mapping(
        {
            DICE_KEY: json_schema.describe("2d6, or 3d6 + d10.", json_schema.EXPRESSION),
            "decks": DECKS_SCHEMA,
        }
    ),
)


@dataclass(frozen=True)
class DrawSource:
    """What is drawn from, before it is known what counts: cards with their copies."""

    name: str
    cards: tuple[CardValues, ...]
    draw: int


class DrawRule(RuleKind):
    """A rule about what comes when cards are drawn without putting back, or dice are rolled."""

    value_schema = DRAW_SOURCE_SCHEMA

    def check(self, _backs: BackImages) -> list[str]:
        return [
            text
            for name, rows in self.list_draws()
            for text in self.find_group_violations(name, rows)
        ]

    def describe(self) -> list[str]:
        return [self.format_figure(name, rows) for name, rows in self.list_draws()]

    @abstractmethod
    def find_group_violations(self, name: str, rows: Sequence[DrawSource]) -> Iterator[str]:
        """What is broken of cards that are drawn together."""

    @abstractmethod
    def format_figure(self, name: str, rows: Sequence[DrawSource]) -> str:
        """What they come to now, in figures."""

    def get_decks(self, key: str = "") -> list[str]:
        own = self.arguments[self.rule.kind]
        if isinstance(own, str) and is_dice(own):
            raise EvaluationError(f"{own} are dice; write {self.rule.kind}: {{dice: {own}}}")
        if key or not isinstance(own, Mapping):
            return super().get_decks(key)
        strange = [str(word) for word in own if word not in (DICE_KEY, "decks")]
        if strange or DICE_KEY not in own:
            raise EvaluationError(f"{self.rule.kind}: is a deck, a list of decks, or {{dice: 2d6}}")
        named = own.get("decks", [])
        names = [str(name) for name in named] if isinstance(named, list) else [str(named)]
        for name in names:
            self.database.get_deck(name)
        return names

    def list_draws(self) -> Iterator[tuple[str, list[DrawSource]]]:
        """What is drawn together, by a name: deck by deck, or of several at once."""
        own, draw = self.arguments[self.rule.kind], self.arguments.get("draw")
        decks = self.get_decks()
        rolled = self._make_dice(own[DICE_KEY]) if isinstance(own, Mapping) else []
        if draw is None and "by" in self.arguments:
            draw = self.arguments["by"]
        if decks and draw is None:
            raise EvaluationError("it needs draw: how many cards are drawn")
        if rolled and draw is not None and not decks:
            raise EvaluationError("draw: is for decks; dice are all rolled")
        if isinstance(draw, Mapping):
            if sorted(map(str, draw)) != sorted(decks):
                raise EvaluationError(
                    f"draw: says how many of each deck: {', '.join(decks)}, and no other"
                )
            rows = [self._make_source(deck, [deck], draw[deck]) for deck in decks]
            yield (
                " + ".join([*(deck for deck in decks), *self._list_dice_names(own)]),
                [*rows, *rolled],
            )
        elif rolled:
            name = " + ".join([*decks, *self._list_dice_names(own)])
            yield name, [*(self._make_source(deck, [deck], draw) for deck in decks), *rolled]
        else:
            for name, group in self.group_decks():
                yield name, [self._make_source(name, group, draw)]

    def _list_dice_names(self, own: Any) -> list[str]:
        return [str(own[DICE_KEY])] if isinstance(own, Mapping) else []

    def _make_dice(self, written: Any) -> list[DrawSource]:
        return [
            DrawSource(DICE_KEY, tuple(list_die_faces(sides)), 1) for sides in parse_dice(written)
        ]

    def _make_source(self, name: str, decks: Sequence[str], draw: Any) -> DrawSource:
        cards = self.select_cards(decks)
        keep, remove = (str(self.arguments.get(key) or "") for key in ("keep", "remove"))
        self.check_conditions(decks, keep, remove)
        cards = [card for card in cards if not keep or self.database.evaluate(keep, card)]
        cards = [card for card in cards if not remove or not self.database.evaluate(remove, card)]
        if len(cards) > MAX_DRAW_CARDS:
            raise EvaluationError(f"{name} has {len(cards)} cards; {MAX_DRAW_CARDS} are the most")
        number = self.read_integer(draw, "draw", 1)
        hands = self.read_hands()[0]
        if number * hands > len(cards):
            left = " left" if keep or remove else ""
            times = f"{hands} × " if hands > 1 else ""
            raise EvaluationError(
                f"{times}{number} cards are drawn, and {name} has {len(cards)}{left}"
            )
        return DrawSource(name, tuple(cards), number)

    def read_hands(self) -> tuple[int, bool]:
        """How many hands are dealt, and whether it is asked of every one."""
        given = self.arguments.get("hands", 1)
        if not isinstance(given, Mapping):
            return self.read_integer(given, "hands", 1), True
        ((word, number), *more) = given.items() or [("", 1)]
        if more or word not in ("every", "one"):
            raise EvaluationError("hands: is a number, {every: 4} or {one: 4}")
        return self.read_integer(number, "hands", 1), word == "every"

    def read_integer(self, given: Any, key: str, least: int) -> int:
        """A whole number, as written or an expression's."""
        number = self.read_number(given)
        if is_number(number) and float(number).is_integer() and number >= least:
            return int(number)
        raise EvaluationError(
            f"{key}: comes to {number:g}; a whole number from {least} is asked for"
        )

    def read_fraction(self, given: Any) -> Fraction:
        """A figure of a rule, exact as it is written."""
        return to_fraction(self.read_number(given))

    def read_bound(self, key: str, given: Any) -> Fraction:
        """A number that something is held against."""
        rule_arguments.check_number_format(given)
        rule_arguments.reject_percentage(key, given)
        return self.read_fraction(given)

    def build_stacks(
        self, rows: Sequence[DrawSource], leaves: Sequence[DrawCondition]
    ) -> tuple[CardStack, ...]:
        """The cards by what they count for each condition. Every die is a stack."""
        known = [rows_.name for rows_ in rows]
        decks = self.get_decks()
        for leaf in leaves:
            self.check_conditions([leaf.deck] if leaf.deck in decks else decks, leaf.where)
            if leaf.deck and leaf.deck not in known:
                raise EvaluationError(f"deck: {leaf.deck} is not drawn from; {', '.join(known)} is")
        stacks = []
        for each in rows:
            vectors = Counter(
                tuple(
                    self._count_card(leaf, card, rows)
                    if leaf.deck in ("", each.name)
                    else Fraction(0)
                    for leaf in leaves
                )
                for card in each.cards
            )
            stacks.append(CardStack(each.name, vectors, each.draw))
        for leaf in leaves:
            self._check_is_condition(leaf, rows)
        return tuple(stacks)

    def _count_card(
        self, leaf: DrawCondition, card: CardValues, rows: Sequence[DrawSource]
    ) -> Fraction:
        try:
            if leaf.where and not self.database.evaluate(leaf.where, card):
                return Fraction(0)
            return self.read_card_fraction(leaf.total, card) if leaf.total else Fraction(1)
        except EvaluationError:
            self._check_field_names(f"({leaf.where or 0}, {leaf.total or 0})", card, rows)
            raise

    def _check_field_names(
        self, expression: str, card: CardValues, rows: Sequence[DrawSource]
    ) -> None:
        """A field that other cards have, and this one has not."""
        for name in sorted(self.database.list_card_names(expression) - {*card}):
            having = [each.name for each in rows if each.cards and name in each.cards[0]]
            if having:
                raise EvaluationError(f"{card['id']} has no {name}; write deck: {having[0]}")
            if any(name in other for each in rows for other in each.cards):
                raise EvaluationError(
                    f"{card['id']} has no {name}, and is shuffled among cards that have one"
                )

    def _check_is_condition(self, leaf: DrawCondition, rows: Sequence[DrawSource]) -> None:
        """A text on every card is always there, so nothing was asked."""
        cards = [c for each in rows if leaf.deck in ("", each.name) for c in each.cards]
        values = [self.database.evaluate(leaf.where, card) for card in cards] if leaf.where else []
        texts = [at for at, value in enumerate(values) if isinstance(value, str) and value]
        if texts and (len(texts) == len(values) or any(isinstance(v, bool) for v in values)):
            card, value = cards[texts[0]], values[texts[0]]
            raise EvaluationError(
                f"'{leaf.where}' is no condition: on {card['id']} it is {format_value(value)}, "
                'a text; ask for one, as in kind == "cargo"'
            )

    def read_card_fraction(self, of: str, card: CardValues) -> Fraction:
        """What a card adds to a total; what is left out adds nothing."""
        value = self.database.evaluate(of, card)
        if not value and not isinstance(value, str):
            return Fraction(0)
        if not is_number(value):
            hint = f"; write total({of})" if sum_numbers(value) else ""
            hint = ", a text" if isinstance(value, str) else hint
            raise EvaluationError(
                f"'{of}' cannot be added up: on {card['id']} it is {format_value(value)}{hint}"
            )
        return to_fraction(value)


def to_fraction(number: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(number) if is_integer(number) else Fraction(str(number))


def describe_draw(
    rows: Sequence[DrawSource], hands: tuple[int, bool], by: int | None = None
) -> str:
    """`of 7 drawn from 18`, `of 2d6`."""
    said = [
        f"by draw {by}, from {len(each.cards)}"
        if by is not None
        else f"of {each.draw} drawn from {len(each.cards)}"
        for each in rows
        if each.name != DICE_KEY
    ]
    sides = Counter(len(each.cards) for each in rows if each.name == DICE_KEY)
    rolled = " + ".join(f"{number if number > 1 else ''}d{side}" for side, number in sides.items())
    said += [f"of {rolled}"] if rolled else []
    number, every = hands
    dealt = (
        f" in {'every one' if every else 'at least one'} of {number} hands" if number > 1 else ""
    )
    return " and ".join(said) + dealt


def replace_bounds(leaf: DrawCondition, bounds: Sequence[tuple[str, Fraction]]) -> DrawCondition:
    """A condition with its bounds reckoned."""
    return replace(leaf, bounds=tuple(bounds))

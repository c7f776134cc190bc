"""Base class of the rules about draws: decks and dice, number of cards, and what they count."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgen.core.units import is_integer, is_number
from cardgen.rules import rule_base
from cardgen.rules.odds.draw_conditions import DrawCondition
from cardgen.rules.odds.draw_probability import CardStack
from cardgen.rules.rule_base import BackImages, CardValues, RuleKind, list_deck_names
from cardgen.rules.rule_keys import DICE_KEY, DRAW_SOURCE_SCHEMA
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError, sum_numbers

MAX_DICE, MAX_SIDES = 100, 100
_DICE_TEXT = re.compile(r"\s*[0-9]*\s*[dD][0-9]+\s*(?:\+|\Z)")
_DIE_TEXT = re.compile(r"([0-9]{0,3})[dD]([0-9]{1,4})\Z")


def is_dice(text: str) -> bool:
    """Return whether a text means dice, such as 2d6, and not an expression."""
    return _DICE_TEXT.match(text) is not None


def parse_dice(written: Any) -> list[int]:
    """Return the sides of every die in `2d6`, `d8` or `3d6 + 2d10`. Raise EvaluationError."""
    dice: list[int] = []
    for part in str(written).replace(" ", "").split("+"):
        match = _DIE_TEXT.match(part)
        if match is None:
            raise EvaluationError(f"{format_value(written)} is not dice; write 2d6, or 3d6 + d10")
        number, sides = int(match[1] or 1), int(match[2])
        if not 1 <= sides <= MAX_SIDES:
            raise EvaluationError(f"a die has 1 to {MAX_SIDES} sides, not {sides}")
        dice += [sides] * number
    if not 1 <= len(dice) <= MAX_DICE:
        raise EvaluationError(f"{len(dice)} dice; 1 to {MAX_DICE} can be rolled")
    return dice


MAX_DRAW_CARDS = 5_000


@dataclass(frozen=True)
class DrawSource:
    """Cards to draw from, each once per copy, and how many are drawn. Each die is a source, too."""

    name: str
    cards: tuple[CardValues, ...]
    draw: int


def _make_die(sides: int) -> DrawSource:
    """Return a die, whose faces have a `value` and `sides` for expressions."""
    faces = ({"id": f"d{sides}", "value": n, "sides": sides} for n in range(1, sides + 1))
    return DrawSource(DICE_KEY, tuple(faces), 1)


class DrawRule(RuleKind):
    """Base class of rules about cards drawn without replacement, or about rolled dice."""

    value_schema = DRAW_SOURCE_SCHEMA

    def check(self, _backs: BackImages) -> Iterator[str]:
        for name, sources in self.list_draws():
            yield from self.check_draw(name, sources)

    def describe(self) -> list[str]:
        return [self.format_figure(name, sources) for name, sources in self.list_draws()]

    @abstractmethod
    def check_draw(self, name: str, sources: Sequence[DrawSource]) -> Iterator[str]:
        """Yield a message for each violation in one draw."""

    @abstractmethod
    def format_figure(self, name: str, sources: Sequence[DrawSource]) -> str:
        """Return the present figure of one draw."""

    def get_decks(self, key: str = "") -> list[str]:
        own = self.arguments[self.rule.kind]
        if isinstance(own, str) and is_dice(own):
            raise EvaluationError(f"{own} are dice; write {self.rule.kind}: {{dice: {own}}}")
        if key or not isinstance(own, Mapping):
            return super().get_decks(key)
        if DICE_KEY not in own or own.keys() - {DICE_KEY, "decks"}:
            raise EvaluationError(
                f"{self.rule.kind}: must be a deck, a list of decks, or {{dice: 2d6}}"
            )
        decks = list_deck_names(own.get("decks", []))
        for name in decks:
            self.database.get_deck(name)
        return decks

    def list_draws(self) -> Iterator[tuple[str, list[DrawSource]]]:
        """Yield the named draws of the rule: one for each deck, or one of several sources."""
        own, draw = self.arguments[self.rule.kind], self.arguments.get("draw")
        decks = self.get_decks()
        dice = str(own[DICE_KEY]) if isinstance(own, Mapping) else ""
        sides = parse_dice(own[DICE_KEY]) if dice else []
        rolled = [_make_die(each) for each in sides]
        if draw is None:
            draw = self.arguments.get("by")
        if decks and draw is None:
            raise EvaluationError("the rule needs draw: how many cards are drawn")
        if rolled and draw is not None and not decks:
            raise EvaluationError("draw: is for decks; dice are all rolled")
        if isinstance(draw, Mapping):
            if sorted(map(str, draw)) != sorted(decks):
                raise EvaluationError(f"draw: needs a number for each deck: {', '.join(decks)}")
        elif not rolled:
            for name, group in self.group_decks():
                yield name, [self._make_source(name, group, draw)]
            return
        counts = draw if isinstance(draw, Mapping) else dict.fromkeys(decks, draw)
        sources = [self._make_source(deck, [deck], counts[deck]) for deck in decks]
        yield " + ".join([*decks, *([dice] if dice else [])]), [*sources, *rolled]

    def _make_source(self, name: str, decks: Sequence[str], draw: Any) -> DrawSource:
        cards = self.select_drawn_from(decks)
        if len(cards) > MAX_DRAW_CARDS:
            raise EvaluationError(
                f"{name} has {len(cards)} cards; a draw can have at most {MAX_DRAW_CARDS}"
            )
        number = self.read_integer(draw, "draw", 1)
        hands = self.read_hands()[0]
        if number * hands > len(cards):
            left = " left" if any(map(self.arguments.get, ("keep", "remove"))) else ""
            times = f"{hands} × " if hands > 1 else ""
            raise EvaluationError(
                f"{times}{number} cards are drawn, but {name} has only {len(cards)}{left}"
            )
        return DrawSource(name, tuple(cards), number)

    def read_hands(self) -> tuple[int, bool]:
        """Return how many hands are dealt, and whether the rule is about every one of them."""
        given = self.arguments.get("hands", 1)
        if not isinstance(given, Mapping):
            return self.read_integer(given, "hands", 1), True
        ((word, number), *more) = given.items() or [("", 1)]
        if more or word not in ("every", "one"):
            raise EvaluationError("hands: must be a number, {every: 4} or {one: 4}")
        return self.read_integer(number, "hands", 1), word == "every"

    def read_bound(self, key: str, given: Any) -> Fraction:
        """Return a bound, which must be a number and no percentage."""
        rule_base.check_number_format(given)
        if rule_base.is_percentage(given):
            raise EvaluationError(f"{key}: {given} is a share; write a number, such as 4")
        return to_fraction(self.read_number(given))

    def build_stacks(
        self, sources: Sequence[DrawSource], conditions: Sequence[DrawCondition]
    ) -> tuple[CardStack[Fraction], ...]:
        """Count the cards of each source by their figures for the conditions."""
        names, decks = [source.name for source in sources], self.get_decks()
        for condition in conditions:
            deck = condition.deck
            self.check_conditions([deck] if deck in decks else decks, condition.where)
            if deck and deck not in names:
                raise EvaluationError(f"deck: {deck} is not drawn from; {', '.join(names)} is")
        stacks = tuple(
            CardStack(
                source.name,
                Counter(
                    tuple(self._count_card(each, card, source, sources) for each in conditions)
                    for card in source.cards
                ),
                source.draw,
            )
            for source in sources
        )
        for condition in conditions:
            self._check_is_condition(condition, sources)
        return stacks

    def _count_card(
        self,
        condition: DrawCondition,
        card: CardValues,
        source: DrawSource,
        sources: Sequence[DrawSource],
    ) -> Fraction:
        """Return what a card adds to the figure of a condition."""
        if condition.deck not in ("", source.name):
            return Fraction(0)
        try:
            if condition.where and not self.database.evaluate(condition.where, card):
                return Fraction(0)
            return (
                self.read_card_fraction(condition.total, card) if condition.total else Fraction(1)
            )
        except EvaluationError:
            expression = f"({condition.where or 0}, {condition.total or 0})"
            self._check_field_names(expression, card, sources)
            raise

    def _check_field_names(
        self, expression: str, card: CardValues, sources: Sequence[DrawSource]
    ) -> None:
        """Raise EvaluationError for a field that only other cards of the draw have."""
        for name in sorted(self.database.list_card_names(expression) - {*card}):
            having = [each.name for each in sources if each.cards and name in each.cards[0]]
            if having:
                raise EvaluationError(f"{card['id']} has no {name}; write deck: {having[0]}")
            if any(name in other for each in sources for other in each.cards):
                raise EvaluationError(
                    f"{card['id']} has no {name}, but is drawn together with cards that have one"
                )

    def _check_is_condition(self, condition: DrawCondition, sources: Sequence[DrawSource]) -> None:
        """Raise EvaluationError for a `where` that is a text, which is true on every card."""
        where = condition.where
        cards = [c for each in sources if condition.deck in ("", each.name) for c in each.cards]
        values = [self.database.evaluate(where, card) for card in cards] if where else []
        texts = [k for k, value in enumerate(values) if isinstance(value, str) and value]
        if texts and (len(texts) == len(values) or any(isinstance(v, bool) for v in values)):
            raise EvaluationError(
                f"'{where}' is not a condition: on {cards[texts[0]]['id']} it is the text "
                f'{format_value(values[texts[0]])}; compare it, as in kind == "cargo"'
            )

    def read_card_fraction(self, expression: str, card: CardValues) -> Fraction:
        """Return the value of an expression on a card, to be added up. A missing value is 0."""
        value = self.database.evaluate(expression, card)
        if not value and not isinstance(value, str):
            return Fraction(0)
        if not is_number(value):
            hint = f"; write total({expression})" if sum_numbers(value) else ""
            hint = ", a text" if isinstance(value, str) else hint
            raise EvaluationError(
                f"'{expression}' cannot be added up: on {card['id']} it is "
                f"{format_value(value)}{hint}"
            )
        return to_fraction(value)


def to_fraction(number: float) -> Fraction:
    """Return a number exactly as it is written: 0.1 is a tenth."""
    return Fraction(number) if is_integer(number) else Fraction(str(number))


def describe_draw(
    sources: Sequence[DrawSource], hands: tuple[int, bool], by: int | None = None
) -> str:
    """Return a draw in words: `of 7 drawn from 18`, `of 2d6`."""
    parts = [
        f"of {source.draw} drawn from {len(source.cards)}"
        if by is None
        else f"by draw {by}, from {len(source.cards)}"
        for source in sources
        if source.name != DICE_KEY
    ]
    sides = Counter(len(source.cards) for source in sources if source.name == DICE_KEY)
    if sides:
        parts.append(
            "of " + " + ".join(f"{n if n > 1 else ''}d{side}" for side, n in sides.items())
        )
    number, every = hands
    which = "every one" if every else "at least one"
    return " and ".join(parts) + (f" in {which} of {number} hands" if number > 1 else "")

"""What every kind of composition rule is made of: a rule's decks, groups, cards and numbers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from cardgen.base import schema
from cardgen.base.schema import Schema
from cardgen.base.units import NUMERAL, is_number
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.model import Rule
from cardgen.rules import asked
from cardgen.rules.measures import Measure
from cardgen.templates.expressions import CannotEvaluate, Database
from cardgen.templates.wording import in_words, name_of

Backs = Callable[[str], Mapping[str, Sequence[str]]]
"""Deck id → what its backs look like: hash of each look in each language → the cards with it."""
Card = Mapping[str, Any]
_SHOWN = 8
_SHARE = re.compile(rf"{NUMERAL}(?:%|/[0-9]{{1,9}})?\Z")
_UNBOUND = "it needs is:, at_least: or at_most:"
_BOUNDS = {"is": "", "at_least": "at least ", "at_most": "at most "}
DECKS = schema.several(schema.DECK)
_FIGURE = schema.either(schema.EXPRESSION, schema.named(schema.EXPRESSION))
"""With `by`, one for each value."""
KEYS: Mapping[str, Schema] = {
    "where": schema.said("Only the cards for which this holds.", schema.EXPRESSION),
    "is": schema.said("A number or an expression; a share, such as 1/4.", _FIGURE),
    "at_least": _FIGURE,
    "at_most": _FIGURE,
    "together": schema.said("All decks as one.", schema.FLAG),
    "of": schema.said("A field or an expression.", schema.EXPRESSION),
    "by": schema.said("A field or an expression.", schema.EXPRESSION),
    "parts": schema.said(
        "Each value and its share: {money: 1/2}.", schema.named(schema.EXPRESSION)
    ),
    "tolerance": schema.said("How far a share may be off: 5 %.", schema.EXPRESSION),
    "field": schema.said("What of the other cards is named; id unless said.", schema.EXPRESSION),
    "complete": schema.said("Each must be named at least once.", schema.FLAG),
    "to": DECKS,
    "given_by": DECKS,
    "gives": schema.said("How many a card gives.", schema.EXPRESSION),
    "besides": schema.said("How many are taken at the start.", schema.EXPRESSION),
    "each": schema.said("On every card of these decks.", DECKS),
    "among": schema.said("Among the entries of this list.", schema.EXPRESSION),
    "places": schema.EXPRESSION,
    "links": schema.EXPRESSION,
}
"""What rules of any kind may say, by its word."""


class Kind(ABC):
    """A rule of a kind, held against the cards. What it measures, it measures once: for what is
    broken, and for the figure that a book prints. Whatever cannot be raises `CannotEvaluate`."""

    keys: ClassVar[str] = ""
    """What a rule of the kind may say beside its own word, and beside what it must."""
    needed: ClassVar[str] = ""
    """What it must."""
    own: ClassVar[Schema] = DECKS
    """What stands behind its own word."""

    def __init__(self, rule: Rule, database: Database, known: Known = NOTHING) -> None:
        """`known` is what faces tell of themselves, of which few kinds ask."""
        self.rule, self.arguments, self.database = rule, rule.arguments, database
        self.known = known

    @classmethod
    def takes(cls) -> frozenset[str]:
        return frozenset(f"{cls.keys} {cls.needed}".split())

    @abstractmethod
    def broken(self, backs: Backs) -> list[str]:
        """What is broken, a text each; nothing when the rule holds."""

    def figures(self) -> list[str]:
        """What it counts, now, deck by deck, in figures and signs that need no language."""
        return []

    def measures(self) -> list[Measure]:
        """What it measures, each with its bounds; nothing of a kind that counts nothing."""
        return []

    def asks(self, words: Mapping[str, str]) -> str:
        """What it asks, such as `= 20`; "" where its kind says it all."""
        given, signs = self.arguments, {**words, "is": "="}
        bounds = [f"{signs.get(key, key)} {_listed(given[key])}" for key in _BOUNDS if key in given]
        tolerance = f" ± {given['tolerance']}" if "tolerance" in given else ""
        return ", ".join(bounds) + tolerance

    @property
    def where(self) -> str:
        return str(self.arguments.get("where") or "")

    def decks(self, key: str = "") -> list[str]:
        """The decks that the rule names under a key, its own without one."""
        given = self.arguments[key or self.rule.kind]
        names = [str(name) for name in given] if isinstance(given, list) else [str(given)]
        if not names:
            raise CannotEvaluate(f"{key or self.rule.kind}: names no deck")
        for name in names:
            self.database.deck(name)
        return names

    def groups(self) -> list[tuple[str, list[str]]]:
        """The decks one by one, or all as one group where the rule says `together: true`."""
        decks = self.decks()
        if self.arguments.get("together") is True:
            return [(" + ".join(decks), decks)]
        return [(deck, [deck]) for deck in decks]

    def cards(self, decks: Iterable[str], where: str = "") -> list[dict[str, Any]]:
        """The cards of decks that an expression holds for, copies counted."""
        decks = list(decks)
        self.check_conditions(decks, where)
        return [card for deck in decks for card in self.database.cards(deck, where)]

    def check_conditions(self, decks: Iterable[str], *conditions: str) -> None:
        """Raises `CannotEvaluate` of what always holds, or never can, on cards of these decks."""
        fields = [self.database.deck(deck).fields for deck in decks]
        for condition in conditions:
            if condition:
                asked.condition(condition, fields)

    def number(self, value: Any) -> float:
        """A number as written, or an expression's."""
        try:
            result = self.database.evaluate(value) if isinstance(value, str) else value
        except CannotEvaluate as error:
            raise CannotEvaluate(asked.for_number(str(error), value)) from None
        if not is_number(result):
            raise CannotEvaluate(f"{in_words(value)} is no number")
        return result

    def number_on(self, expression: str, card: Card) -> float:
        """An expression's figure on a card; nothing counts as 0."""
        value = self.database.evaluate(expression, card)
        if not value:
            return 0
        if not is_number(value):
            raise CannotEvaluate(f"'{expression}' of {card['id']} is no number")
        return value

    def values(self, cards: Sequence[Card]) -> dict[str, list[Card]]:
        """The cards by the value of `by`: each that has a figure of its own, and where a figure is
        asked of all, each that the cards have. Without `by`, all of them under ""."""
        by, given = self.arguments.get("by"), self.arguments
        bounds = [given[key] for key in _BOUNDS if key in given]
        if by is None:
            if any(isinstance(bound, dict) for bound in bounds):
                raise CannotEvaluate("figures for values go with by:, the field that has them")
            return {"": [*cards]}
        if not bounds:
            raise CannotEvaluate(_UNBOUND)
        found: dict[str, list[Card]] = {}
        for bound in bounds:
            found.update({value: [] for value in (bound if isinstance(bound, dict) else ())})
        every = not all(isinstance(bound, dict) for bound in bounds)
        for card in cards:
            value = name_of(self.database.evaluate(str(by), card))
            if every or value in found:
                found.setdefault(value, []).append(card)
        return found

    def which(self, value: str) -> str:
        """What is said of cards that are looked at apart from others."""
        parts = [self.where] if self.where else []
        parts += [f"{self.arguments['by']} {value}"] if value else []
        return f" with {' and '.join(parts)}" if parts else ""

    def bounds(self, value: str = "") -> dict[str, float]:
        """Those of is, at_least and at_most that are asked; of a value of `by`, its own."""
        named = {key: self.arguments[key] for key in _BOUNDS if key in self.arguments}
        given = {
            key: bound[value] if isinstance(bound, dict) else bound
            for key, bound in named.items()
            if not isinstance(bound, dict) or value in bound
        }
        if not given:
            raise CannotEvaluate(_UNBOUND)
        for bound in given.values():
            asked.as_written(bound)
        return {key: self.number(bound) for key, bound in given.items()}

    def measure(self, what: str, figure: float, value: str = "") -> Measure:
        """A figure between the bounds that are asked of it."""
        bounds = self.bounds(value)
        least, most = (bounds.get(key, bounds.get("is")) for key in ("at_least", "at_most"))
        return Measure(what, figure, least, most)

    def bounds_broken_by(self, figure: float, value: str = "") -> list[str]:
        """Those of is, at_least and at_most that a figure does not keep, in words; the figure of a
        value of `by` where there is one."""
        kept = {
            "is": lambda bound: figure == bound,
            "at_least": lambda bound: figure >= bound,
            "at_most": lambda bound: figure <= bound,
        }
        bounds = self.bounds(value).items()
        return [f"{_BOUNDS[key]}{bound:g}" for key, bound in bounds if not kept[key](bound)]


def _listed(figure: object) -> str:
    if not isinstance(figure, dict):
        return str(figure)
    return ", ".join(f"{value} {each}" for value, each in figure.items())


def named(ids: Iterable[str]) -> str:
    """The first few ids, with their copies, and how many more; `none` without any."""
    known = [f"{count} × {name}" if count > 1 else name for name, count in Counter(ids).items()]
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more or "none"


def fraction(value: Any) -> Fraction:
    """`1/4`, `25 %`, `25%` or `0.25`."""
    asked.as_written(value)
    text = str(value).replace(" ", "")
    try:
        if not _SHARE.match(text):
            raise ValueError
        share = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise CannotEvaluate(f"{in_words(value)} is no share; write 1/4 or 25 %") from None
    if share > 1:
        said = "1/4, 0.25 or 25 %" if share > 100 or text.endswith("%") else f"{text} %"
        raise CannotEvaluate(f"{text} is more than the whole; write {said}")
    return share

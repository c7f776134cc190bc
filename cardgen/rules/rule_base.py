"""What every kind of composition rule is made of: a rule's decks, groups, cards and numbers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.units import NUMERAL_PATTERN, is_number
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Rule
from cardgen.rules import rule_arguments
from cardgen.templates.expression_messages import format_name, format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError


@dataclass(frozen=True)
class RuleMeasure:
    """A figure and its bounds, None for none; a rule that asks for one figure has both alike."""

    what: str
    """Of which cards: `ships`, `ships with kind tug`."""
    figure: float
    least: float | None = None
    most: float | None = None

    @property
    def is_within_bounds(self) -> bool:
        """Whether the figure lies between its bounds."""
        above = self.least is None or self.figure >= self.least
        return above and (self.most is None or self.figure <= self.most)


BackImages = Callable[[str], Mapping[str, Sequence[str]]]
"""Deck id → what its backs look like: hash of each look in each language → the cards with it."""
CardValues = Mapping[str, Any]
_MAX_LISTED_IDS = 8
_SHARE_TEXT = re.compile(rf"{NUMERAL_PATTERN}(?:%|/[0-9]{{1,9}})?\Z")
_MISSING_BOUND = "it needs is:, at_least: or at_most:"
_BOUND_WORDS = {"is": "", "at_least": "at least ", "at_most": "at most "}
DECKS_SCHEMA = json_schema.allow_one_or_list(json_schema.DECK)
_FIGURE_SCHEMA = json_schema.allow_either(
    json_schema.EXPRESSION, json_schema.allow_named_values(json_schema.EXPRESSION)
)
"""With `by`, one for each value."""
BASE_RULE_KEYS: Mapping[str, Schema] = {
    "where": json_schema.describe("Only the cards for which this holds.", json_schema.EXPRESSION),
    "is": json_schema.describe("A number or an expression; a share, such as 1/4.", _FIGURE_SCHEMA),
    "at_least": _FIGURE_SCHEMA,
    "at_most": _FIGURE_SCHEMA,
    "together": json_schema.describe("All decks as one.", json_schema.BOOLEAN),
    "of": json_schema.describe("A field or an expression.", json_schema.EXPRESSION),
    "by": json_schema.describe("A field or an expression.", json_schema.EXPRESSION),
    "parts": json_schema.describe(
        "Each value and its share: {money: 1/2}.",
        json_schema.allow_named_values(json_schema.EXPRESSION),
    ),
    "tolerance": json_schema.describe("How far a share may be off: 5 %.", json_schema.EXPRESSION),
    "field": json_schema.describe(
        "What of the other cards is named; id unless said.", json_schema.EXPRESSION
    ),
    "complete": json_schema.describe("Each must be named at least once.", json_schema.BOOLEAN),
    "to": DECKS_SCHEMA,
    "given_by": DECKS_SCHEMA,
    "gives": json_schema.describe("How many a card gives.", json_schema.EXPRESSION),
    "besides": json_schema.describe("How many are taken at the start.", json_schema.EXPRESSION),
    "each": json_schema.describe("On every card of these decks.", DECKS_SCHEMA),
    "among": json_schema.describe("Among the entries of this list.", json_schema.EXPRESSION),
    "places": json_schema.EXPRESSION,
    "links": json_schema.EXPRESSION,
}
"""What rules of any kind may say, by its word."""


class RuleKind(ABC):
    """A rule of a kind, held against the cards. What it measures, it measures once: for what is
    broken, and for the figure that a book prints. Whatever cannot be raises `CannotEvaluate`."""

    optional_keys: ClassVar[str] = ""
    """What a rule of the kind may say beside its own word, and beside what it must."""
    required_keys: ClassVar[str] = ""
    """What it must."""
    value_schema: ClassVar[Schema] = DECKS_SCHEMA
    """What stands behind its own word."""

    def __init__(
        self, rule: Rule, database: CardDatabase, known: FaceFactsSource = NO_FACE_FACTS
    ) -> None:
        """`known` is what faces tell of themselves, of which few kinds ask."""
        self.rule, self.arguments, self.database = rule, rule.arguments, database
        self.face_facts = known

    @classmethod
    def list_keys(cls) -> frozenset[str]:
        return frozenset(f"{cls.optional_keys} {cls.required_keys}".split())

    @abstractmethod
    def check(self, backs: BackImages) -> list[str]:
        """What is broken, a text each; nothing when the rule holds."""

    def describe(self) -> list[str]:
        """What it counts, now, deck by deck, in figures and signs that need no language."""
        return []

    def measure(self) -> list[RuleMeasure]:
        """What it measures, each with its bounds; nothing of a kind that counts nothing."""
        return []

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        """What it asks, such as `= 20`; "" where its kind says it all."""
        given, signs = self.arguments, {**words, "is": "="}
        bounds = [
            f"{signs.get(key, key)} {_format_values(given[key])}"
            for key in _BOUND_WORDS
            if key in given
        ]
        tolerance = f" ± {given['tolerance']}" if "tolerance" in given else ""
        return ", ".join(bounds) + tolerance

    @property
    def where(self) -> str:
        return str(self.arguments.get("where") or "")

    def get_decks(self, key: str = "") -> list[str]:
        """The decks that the rule names under a key, its own without one."""
        given = self.arguments[key or self.rule.kind]
        names = [str(name) for name in given] if isinstance(given, list) else [str(given)]
        if not names:
            raise EvaluationError(f"{key or self.rule.kind}: names no deck")
        for name in names:
            self.database.get_deck(name)
        return names

    def group_decks(self) -> list[tuple[str, list[str]]]:
        """The decks one by one, or all as one group where the rule says `together: true`."""
        decks = self.get_decks()
        if self.arguments.get("together") is True:
            return [(" + ".join(decks), decks)]
        return [(deck, [deck]) for deck in decks]

    def select_cards(self, decks: Iterable[str], where: str = "") -> list[dict[str, Any]]:
        """The cards of decks that an expression holds for, copies counted."""
        decks = list(decks)
        self.check_conditions(decks, where)
        return [card for deck in decks for card in self.database.cards(deck, where)]

    def check_conditions(self, decks: Iterable[str], *conditions: str) -> None:
        """Raises `CannotEvaluate` of what always holds, or never can, on cards of these decks."""
        fields = [self.database.get_deck(deck).fields for deck in decks]
        for condition in conditions:
            if condition:
                rule_arguments.check_condition(condition, fields)

    def read_number(self, value: Any) -> float:
        """A number as written, or an expression's."""
        try:
            result = self.database.evaluate(value) if isinstance(value, str) else value
        except EvaluationError as error:
            raise EvaluationError(rule_arguments.explain_number_word(str(error), value)) from None
        if not is_number(result):
            raise EvaluationError(f"{format_value(value)} is no number")
        return result

    def read_card_number(self, expression: str, card: CardValues) -> float:
        """An expression's figure on a card; nothing counts as 0."""
        value = self.database.evaluate(expression, card)
        if not value:
            return 0
        if not is_number(value):
            raise EvaluationError(f"'{expression}' of {card['id']} is no number")
        return value

    def group_by_value(self, cards: Sequence[CardValues]) -> dict[str, list[CardValues]]:
        """The cards by the value of `by`: each that has a figure of its own, and where a figure is
        asked of all, each that the cards have. Without `by`, all of them under ""."""
        by, given = self.arguments.get("by"), self.arguments
        bounds = [given[key] for key in _BOUND_WORDS if key in given]
        if by is None:
            if any(isinstance(bound, dict) for bound in bounds):
                raise EvaluationError("figures for values go with by:, the field that has them")
            return {"": [*cards]}
        if not bounds:
            raise EvaluationError(_MISSING_BOUND)
        found: dict[str, list[CardValues]] = {}
        for bound in bounds:
            found.update({value: [] for value in (bound if isinstance(bound, dict) else ())})
        every = not all(isinstance(bound, dict) for bound in bounds)
        for card in cards:
            value = format_name(self.database.evaluate(str(by), card))
            if every or value in found:
                found.setdefault(value, []).append(card)
        return found

    def describe_group(self, value: str) -> str:
        """What is said of cards that are looked at apart from others."""
        parts = [self.where] if self.where else []
        parts += [f"{self.arguments['by']} {value}"] if value else []
        return f" with {' and '.join(parts)}" if parts else ""

    def get_bounds(self, value: str = "") -> dict[str, float]:
        """Those of is, at_least and at_most that are asked; of a value of `by`, its own."""
        named = {key: self.arguments[key] for key in _BOUND_WORDS if key in self.arguments}
        given = {
            key: bound[value] if isinstance(bound, dict) else bound
            for key, bound in named.items()
            if not isinstance(bound, dict) or value in bound
        }
        if not given:
            raise EvaluationError(_MISSING_BOUND)
        for bound in given.values():
            rule_arguments.check_number_format(bound)
        return {key: self.read_number(bound) for key, bound in given.items()}

    def make_measure(self, what: str, figure: float, value: str = "") -> RuleMeasure:
        """A figure between the bounds that are asked of it."""
        bounds = self.get_bounds(value)
        least, most = (bounds.get(key, bounds.get("is")) for key in ("at_least", "at_most"))
        return RuleMeasure(what, figure, least, most)

    def find_broken_bounds(self, figure: float, value: str = "") -> list[str]:
        """Those of is, at_least and at_most that a figure does not keep, in words; the figure of a
        value of `by` where there is one."""
        kept = {
            "is": lambda bound: figure == bound,
            "at_least": lambda bound: figure >= bound,
            "at_most": lambda bound: figure <= bound,
        }
        bounds = self.get_bounds(value).items()
        return [f"{_BOUND_WORDS[key]}{bound:g}" for key, bound in bounds if not kept[key](bound)]


def _format_values(figure: object) -> str:
    if not isinstance(figure, dict):
        return str(figure)
    return ", ".join(f"{value} {each}" for value, each in figure.items())


def format_ids(ids: Iterable[str]) -> str:
    """The first few ids, with their copies, and how many more; `none` without any."""
    known = [f"{count} × {name}" if count > 1 else name for name, count in Counter(ids).items()]
    more = f" and {len(known) - _MAX_LISTED_IDS} more" if len(known) > _MAX_LISTED_IDS else ""
    return ", ".join(known[:_MAX_LISTED_IDS]) + more or "none"


def parse_share(value: Any) -> Fraction:
    """`1/4`, `25 %`, `25%` or `0.25`."""
    rule_arguments.check_number_format(value)
    text = str(value).replace(" ", "")
    try:
        if not _SHARE_TEXT.match(text):
            raise ValueError
        share = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise EvaluationError(f"{format_value(value)} is no share; write 1/4 or 25 %") from None
    if share > 1:
        said = "1/4, 0.25 or 25 %" if share > 100 or text.endswith("%") else f"{text} %"
        raise EvaluationError(f"{text} is more than the whole; write {said}")
    return share

"""Base class of the kinds of composition rules: decks, groups of cards, numbers and bounds."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, ClassVar, TypeVar

from jinja2 import nodes

from cardgen.core.json_schema import Schema
from cardgen.core.problems import did_you_mean, summarise
from cardgen.core.units import NUMERAL_PATTERN, is_number
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.model import Field, Rule
from cardgen.rules.rule_keys import DECKS_SCHEMA
from cardgen.templates.expression_messages import format_name, format_value
from cardgen.templates.expressions import CardDatabase, EvaluationError, parse_expression

RuleNumber = TypeVar("RuleNumber", float, Fraction)
_RANGE_TEXT = re.compile(rf"\s*({NUMERAL_PATTERN})\s*(%?)\s*[-–]\s*({NUMERAL_PATTERN})\s*(%?)\s*\Z")
_DECIMAL_COMMA = re.compile(r"\s*([0-9]{1,9}),([0-9]{1,20})\s*(%?)\s*\Z")
_NUMBER_WITH_UNIT = re.compile(rf"\s*({NUMERAL_PATTERN})\s*(?:pt|mm|:\s*1)\s*\Z")
_PERCENTAGE = re.compile(rf"\s*-?\s*{NUMERAL_PATTERN}\s*%\s*\Z")
_NUMBER_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


def explain_number_word(message: str, given: str) -> str:
    """Reword the message about an unknown name that stands in place of a number."""
    start, quotes, _ = message.partition("; a word goes in quotes")
    word = given.strip().lower()
    number = f": {_NUMBER_WORDS.index(word) + 1}" if word in _NUMBER_WORDS else ", such as 4"
    return f"{start}; write a number{number}" if quotes else message


def check_number_format(given: Any) -> None:
    """Reject a range such as 1-2, a decimal comma, and a number with a unit."""
    if not isinstance(given, str):
        return
    if unit := _NUMBER_WITH_UNIT.match(given):
        raise EvaluationError(f"'{given}' is not a number; write it without its unit: {unit[1]}")
    if comma := _DECIMAL_COMMA.match(given):
        number = f"{comma[1]}.{comma[2]}{' %' if comma[3] else ''}"
        raise EvaluationError(f"'{given}' is not a number; write decimals with a point: {number}")
    span = _RANGE_TEXT.match(given)
    if span and (Fraction(span[1]) < Fraction(span[3]) or span[2] or span[4]):
        sign = " %" if span[2] or span[4] else ""
        bounds = f"at_least: {span[1]}{sign}, at_most: {span[3]}{sign}"
        raise EvaluationError(f"'{given}' is not one number; write {bounds}")


def is_percentage(given: Any) -> bool:
    """Return whether a value is written in percent: `5 %`."""
    return isinstance(given, str) and _PERCENTAGE.match(given) is not None


def format_figure(number: Any) -> str:
    """Return a number with six significant digits."""
    return f"{float(number):g}"


def check_bounds_order(
    low: Any, high: Any, format_bound: Callable[[Any], str] = format_figure
) -> None:
    """Reject a lower bound above the upper one."""
    if low is not None and high is not None and low > high:
        raise EvaluationError(
            f"nothing is at least {format_bound(low)} and at most {format_bound(high)}; swap them"
        )


def format_bounds(low: Any, high: Any, format_bound: Callable[[Any], str], to: str = "–") -> str:
    """Return the bounds of a figure in words, of which one may be None."""
    if low is None:
        return f"at most {format_bound(high)}"
    if high is None:
        return f"at least {format_bound(low)}"
    return format_bound(low) + (f"{to}{format_bound(high)}" if low != high else "")


def read_bounds(
    given: Mapping[str, Any],
    read_bound: Callable[[str], RuleNumber],
    read_tolerance: Callable[[RuleNumber], RuleNumber],
    format_bound: Callable[[Any], str] = format_figure,
) -> tuple[RuleNumber | None, RuleNumber | None]:
    """Return the lower and upper bound that `is`, `tolerance`, `at_least` and `at_most` allow.

    `read_bound` reads the value of one of these keys, and `read_tolerance` the tolerance of the
    value of `is`. None stands for no bound.
    """
    low = read_bound("at_least") if "at_least" in given else None
    high = read_bound("at_most") if "at_most" in given else None
    if "is" in given:
        middle = read_bound("is")
        off = read_tolerance(middle)
        low = middle - off if low is None else max(low, middle - off)
        high = middle + off if high is None else min(high, middle + off)
    elif "tolerance" in given:
        raise EvaluationError("tolerance: goes with is:")
    check_bounds_order(low, high, format_bound)
    return low, high


def check_not_negative(key: str, number: Any) -> None:
    """Reject a number below 0."""
    if number < 0:
        raise EvaluationError(f"{key}: is {float(number):g}; it must be at least 0")


def check_condition(expression: str, decks: Sequence[Mapping[str, Field]]) -> None:
    """Reject a condition that holds on every card, or that compares a choice with no value of it.

    `decks` are the fields of each deck whose cards the condition chooses.
    """
    tree = parse_expression(expression)
    if tree is None:
        return
    compared = [*_find_text_comparisons(tree)]
    for constant in _find_bare_constants(tree):
        is_text = isinstance(constant.value, str)
        name = compared[0][0] if compared else "kind"
        raise EvaluationError(
            f"'{expression}' is not a condition: a part of it is {'the text ' * is_text}"
            f"{format_value(constant.value)}, which holds on every card; compare it: {name} == "
            + (f'"{constant.value}"' if is_text else format_value(constant.value))
        )
    for name, value in compared:
        fields = [fields[name] for fields in decks if name in fields]
        choices = [str(choice) for field in fields for choice in field.choices]
        if fields and all(field.kind == "choice" for field in fields) and value not in choices:
            raise EvaluationError(f"{name} is never '{value}'{did_you_mean(value, choices)}")


def _find_bare_constants(node: nodes.Node) -> Iterator[nodes.Const]:
    """Yield texts and numbers that stand in place of a condition."""
    if isinstance(node, nodes.Const) and not isinstance(node.value, bool | None):
        yield node
    elif isinstance(node, nodes.And | nodes.Or):
        yield from _find_bare_constants(node.left)
        yield from _find_bare_constants(node.right)
    elif isinstance(node, nodes.Not):
        yield from _find_bare_constants(node.node)


def _find_text_comparisons(tree: nodes.Node) -> Iterator[tuple[str, str]]:
    """Yield names with the texts that they are compared with."""
    whole = [tree] if isinstance(tree, nodes.Compare) else []
    for each in [*whole, *tree.find_all(nodes.Compare)]:
        if len(each.ops) == 1 and each.ops[0].op in ("eq", "ne"):
            sides = (each.expr, each.ops[0].expr)
            for name, value in (sides, sides[::-1]):
                text = value.value if isinstance(value, nodes.Const) else None
                if isinstance(name, nodes.Name) and isinstance(text, str):
                    yield name.name, text


BackImages = Callable[[str], Mapping[str, Sequence[str]]]
"""Deck id → its different backs: hash of a back in a language → the cards that have it."""
CardValues = Mapping[str, Any]
_MAX_LISTED_IDS = 8
_SHARE_TEXT = re.compile(rf"{NUMERAL_PATTERN}(?:%|/[0-9]{{1,9}})?\Z")
_MISSING_BOUND = "the rule needs is:, at_least: or at_most:"
COMPARISONS = {"is": operator.eq, "at_least": operator.ge, "at_most": operator.le}
BOUND_WORDS = {"is": "", "at_least": "at least ", "at_most": "at most "}


@dataclass(frozen=True)
class RuleMeasure:
    """A measured figure and its bounds, None for no bound. Equal bounds ask for one figure."""

    what: str
    """The measured cards: `ships`, `ships with kind tug`."""
    figure: float
    least: float | None = None
    most: float | None = None

    @property
    def is_within_bounds(self) -> bool:
        above = self.least is None or self.figure >= self.least
        return above and (self.most is None or self.figure <= self.most)


@dataclass(frozen=True)
class RuleResult:
    """Result of a rule for one group of cards. An empty text or None stands for nothing."""

    group: str = ""
    """Name of the group, such as a deck; results of one group are described together."""
    figure: str = ""
    """The figure in digits and signs that need no translation: `tug 3`."""
    measure: RuleMeasure | None = None
    violation: str = ""


class RuleKind:
    """Base class of the kinds of rules. Methods raise EvaluationError for a mistake in the rule.

    A kind implements `run`, or only `check` if it has no figures.
    """

    optional_keys: ClassVar[str] = ""
    """Keys that a rule of the kind may have, separated by spaces."""
    required_keys: ClassVar[str] = ""
    """Keys that it must have besides its own."""
    value_schema: ClassVar[Schema] = DECKS_SCHEMA
    """Schema of the value of the kind's own key."""

    def __init__(
        self, rule: Rule, database: CardDatabase, face_facts: FaceFactsSource = NO_FACE_FACTS
    ) -> None:
        self.rule, self.arguments, self.database = rule, rule.arguments, database
        self.face_facts = face_facts

    @classmethod
    def list_keys(cls) -> frozenset[str]:
        return frozenset(f"{cls.optional_keys} {cls.required_keys}".split())

    def run(self) -> Iterator[RuleResult]:
        """Compare each group of cards with the rule."""
        return iter(())

    def check(self, _backs: BackImages) -> Iterable[str]:
        """Return a message for each violation of the rule."""
        return (result.violation for result in self.run() if result.violation)

    def describe(self) -> list[str]:
        """Return the present figures, one text for each group, that need no translation."""
        texts: dict[str, str] = {}
        for result in self.run():
            key, group = result.group or result.figure, f"{result.group}: " if result.group else ""
            if result.figure:
                texts[key] = (
                    f"{texts[key]}, {result.figure}" if key in texts else group + result.figure
                )
        return [*texts.values()]

    def measure(self) -> list[RuleMeasure]:
        """Return the present figures with their bounds."""
        return [result.measure for result in self.run() if result.measure]

    def describe_requirement(self, words: Mapping[str, str]) -> str:
        """Return what the rule asks for, such as `= 20`, or "" if its kind says it all.

        `words` has the words for `at_least` and `at_most`.
        """
        given, signs = self.arguments, {**words, "is": "="}
        bounds = [
            f"{signs.get(key, key)} {_format_values(given[key])}"
            for key in BOUND_WORDS
            if key in given
        ]
        tolerance = f" ± {given['tolerance']}" if "tolerance" in given else ""
        return ", ".join(bounds) + tolerance

    @property
    def where(self) -> str:
        return str(self.arguments.get("where") or "")

    def get_decks(self, key: str = "") -> list[str]:
        """Return the decks that the rule names under a key, by default its kind's own."""
        names = list_deck_names(self.arguments[key or self.rule.kind])
        if not names:
            raise EvaluationError(f"{key or self.rule.kind}: needs a deck")
        for name in names:
            self.database.get_deck(name)
        return names

    def group_decks(self) -> list[tuple[str, list[str]]]:
        """Return named groups of decks: each on its own, or all in one with `together: true`."""
        decks = self.get_decks()
        if self.arguments.get("together") is True:
            return [(" + ".join(decks), decks)]
        return [(deck, [deck]) for deck in decks]

    def select_cards(self, decks: Iterable[str], where: str = "") -> list[dict[str, Any]]:
        """Return the cards of decks for which `where` holds, each once per copy."""
        decks = list(decks)
        self.check_conditions(decks, where)
        return [card for deck in decks for card in self.database.cards(deck, where)]

    def check_conditions(self, decks: Iterable[str], *conditions: str) -> None:
        """Raise EvaluationError for a condition that always or never holds for these decks."""
        fields = [self.database.get_deck(deck).fields for deck in decks]
        for condition in conditions:
            if condition:
                check_condition(condition, fields)

    def read_number(self, value: Any) -> float:
        """Return a number, or the value of an expression."""
        try:
            result = self.database.evaluate(value) if isinstance(value, str) else value
        except EvaluationError as error:
            raise EvaluationError(explain_number_word(str(error), value)) from None
        if not is_number(result):
            raise EvaluationError(f"{format_value(value)} is not a number")
        return result

    def read_integer(self, given: Any, key: str, least: int, most: float = inf) -> int:
        """Return a whole number within bounds, as written or from an expression."""
        number = self.read_number(given)
        if float(number).is_integer() and least <= number <= most:
            return int(number)
        span = f"of at least {least}" if most == inf else f"from {least} to {most}"
        raise EvaluationError(f"{key}: comes to {number:g}; it must be a whole number {span}")

    def select_drawn_from(self, decks: Sequence[str]) -> list[dict[str, Any]]:
        """Return the cards of decks that `keep:` and `remove:` leave, each once per copy."""
        keep, remove = (str(self.arguments.get(key) or "") for key in ("keep", "remove"))
        self.check_conditions(decks, keep, remove)
        cards = [card for deck in decks for card in self.database.cards(deck, keep)]
        return [card for card in cards if not remove or not self.database.evaluate(remove, card)]

    def read_card_number(self, expression: str, card: CardValues) -> float:
        """Return the value of an expression on a card. A missing value is 0."""
        value = self.database.evaluate(expression, card)
        if not value:
            return 0
        if not is_number(value):
            raise EvaluationError(f"'{expression}' of {card['id']} is not a number")
        return value

    def group_by_value(self, cards: Sequence[CardValues]) -> dict[str, list[CardValues]]:
        """Return the cards by their value of `by:`, or all under "" if the rule has no `by:`.

        If every bound maps values to figures, only those values are groups, even without cards.
        """
        by, bounds = self.arguments.get("by"), self._list_bounds().values()
        if by is None:
            if any(isinstance(bound, dict) for bound in bounds):
                raise EvaluationError("one figure per value needs by:, the field with those values")
            return {"": [*cards]}
        if not bounds:
            raise EvaluationError(_MISSING_BOUND)
        groups: dict[str, list[CardValues]] = {}
        for bound in bounds:
            groups.update({value: [] for value in (bound if isinstance(bound, dict) else ())})
        is_open = not all(isinstance(bound, dict) for bound in bounds)
        for card in cards:
            value = format_name(self.database.evaluate(str(by), card))
            if is_open or value in groups:
                groups.setdefault(value, []).append(card)
        return groups

    def describe_group(self, value: str) -> str:
        """Return ` with …` for cards chosen by `where:` or by a value of `by:`."""
        parts = [self.where] if self.where else []
        parts += [f"{self.arguments['by']} {value}"] if value else []
        return f" with {' and '.join(parts)}" if parts else ""

    def _list_bounds(self) -> dict[str, Any]:
        return {key: self.arguments[key] for key in BOUND_WORDS if key in self.arguments}

    def get_bounds(self, value: str = "") -> dict[str, float]:
        """Return is, at_least and at_most, as far as given; those for one value of `by:`."""
        given = {
            key: bound[value] if isinstance(bound, dict) else bound
            for key, bound in self._list_bounds().items()
            if not isinstance(bound, dict) or value in bound
        }
        if not given:
            raise EvaluationError(_MISSING_BOUND)
        for bound in given.values():
            check_number_format(bound)
        return {key: self.read_number(bound) for key, bound in given.items()}

    def compare(  # noqa: PLR0913, PLR0917 - all of a result
        self, group: str, value: str, figure: float, what: str, text: str, ids: Iterable[str]
    ) -> RuleResult:
        """Compare a figure with the bounds of the rule, or of one value of `by:`.

        `what` names the cards for a measure. `text` begins the message of a violation, and `ids`
        are the cards in it.
        """
        bounds = self.get_bounds(value)
        least, most = (bounds.get(key, bounds.get("is")) for key in ("at_least", "at_most"))
        broken = [
            f"{BOUND_WORDS[key]}{bound:g}"
            for key, bound in bounds.items()
            if not COMPARISONS[key](figure, bound)
        ]
        violation = f"{text}, expected {' and '.join(broken)}; in question: {format_ids(ids)}"
        return RuleResult(
            group,
            f"{value} {figure:g}".strip(),
            RuleMeasure(what, figure, least, most),
            violation if broken else "",
        )


def list_deck_names(given: Any) -> list[str]:
    """Return the decks that a rule names, one or a list."""
    return [str(name) for name in (given if isinstance(given, list) else [given])]


def _format_values(figure: object) -> str:
    if not isinstance(figure, dict):
        return str(figure)
    return ", ".join(f"{value} {each}" for value, each in figure.items())


def format_ids(ids: Iterable[str]) -> str:
    """Return the first ids with their copies and the number of others, or `none`."""
    names = (f"{count} × {name}" if count > 1 else name for name, count in Counter(ids).items())
    return summarise(names, _MAX_LISTED_IDS) or "none"


def parse_share(value: Any) -> Fraction:
    """Parse `1/4`, `25 %`, `25%` or `0.25`. Raise EvaluationError for anything else."""
    check_number_format(value)
    text = str(value).replace(" ", "")
    try:
        if not _SHARE_TEXT.match(text):
            raise ValueError
        share = Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise EvaluationError(f"{format_value(value)} is not a share; write 1/4 or 25 %") from None
    if share > 1:
        hint = "1/4, 0.25 or 25 %" if share > 100 or text.endswith("%") else f"{text} %"
        raise EvaluationError(f"{text} is more than the whole; write {hint}")
    return share

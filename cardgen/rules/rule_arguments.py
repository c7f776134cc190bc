"""What rules ask for, looked at before it is reckoned with: figures that are written as none,
conditions that always hold, and values that no card can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from jinja2 import nodes

from cardgen.core.problems import did_you_mean
from cardgen.core.units import NUMERAL_PATTERN
from cardgen.game.model import Field
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError, parse_expression

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
    """What is said where a word stands for a number: no quotes would help."""
    said, quotes, _ = message.partition("; a word goes in quotes")
    word = given.strip().lower()
    number = f": {_NUMBER_WORDS.index(word) + 1}" if word in _NUMBER_WORDS else ", such as 4"
    return f"{said}; write a number{number}" if quotes else message


def check_number_format(given: Any) -> None:
    """Raises `CannotEvaluate` of a range, `1-2`, of a decimal comma, and of a number with its
    unit."""
    if not isinstance(given, str):
        return
    unit = _NUMBER_WITH_UNIT.match(given)
    if unit:
        raise EvaluationError(f"'{given}' is no number; write it without its unit: {unit[1]}")
    comma = _DECIMAL_COMMA.match(given)
    if comma:
        said = f"{comma[1]}.{comma[2]}{' %' if comma[3] else ''}"
        raise EvaluationError(f"'{given}' is no number: decimals take a point: {said}")
    span = _RANGE_TEXT.match(given)
    if span and (Fraction(span[1]) < Fraction(span[3]) or span[2] or span[4]):
        sign = " %" if span[2] or span[4] else ""
        raise EvaluationError(
            f"'{given}' is no one figure; write at_least: {span[1]}{sign}, at_most: {span[3]}{sign}"
        )


def is_percentage(given: Any) -> bool:
    """Whether it is written in per cent: `5 %`."""
    return isinstance(given, str) and _PERCENTAGE.match(given) is not None


def reject_percentage(key: str, given: Any) -> None:
    """Raises `CannotEvaluate` where a number is asked for, and a share is given."""
    if is_percentage(given):
        raise EvaluationError(f"{key}: {given} is a share; a number is asked for, such as 4")


def check_bounds_order(low: Any, high: Any) -> None:
    """Raises `CannotEvaluate` of bounds between which nothing lies."""
    if low is not None and high is not None and low > high:
        raise EvaluationError(
            f"nothing is at least {float(low):.6g} and at most {float(high):.6g}; swap them"
        )


def read_bounds(
    given: Mapping[str, Any],
    bound: Callable[[str], RuleNumber],
    tolerance: Callable[[RuleNumber], RuleNumber],
) -> tuple[RuleNumber | None, RuleNumber | None]:
    """The least and the most that `is`, `tolerance`, `at_least` and `at_most` allow; None for no
    bound. `bound` reads one of them, `tolerance` how far it may be off what `is` asks. Raises
    `CannotEvaluate`."""
    low = bound("at_least") if "at_least" in given else None
    high = bound("at_most") if "at_most" in given else None
    if "is" in given:
        asked = bound("is")
        off = tolerance(asked)
        low = asked - off if low is None else max(low, asked - off)
        high = asked + off if high is None else min(high, asked + off)
    elif "tolerance" in given:
        raise EvaluationError("tolerance: goes with is:")
    check_bounds_order(low, high)
    return low, high


def check_not_negative(key: str, number: Any) -> None:
    """Raises `CannotEvaluate` of what is below 0."""
    if number < 0:
        raise EvaluationError(f"{key}: is {float(number):g}; 0 is the least")


def check_condition(expression: str, decks: Sequence[Mapping[str, Field]]) -> None:
    """Raises `CannotEvaluate` where a part of it is no question, or asks for a value that a choice
    does not have. `decks` are the fields of the decks whose cards are looked at."""
    tree = parse_expression(expression)
    if tree is None:
        return
    compared = [*_find_text_comparisons(tree)]
    for literal in _find_bare_constants(tree):
        said = format_value(literal.value)
        name = compared[0][0] if compared else "kind"
        shown = f'"{literal.value}"' if isinstance(literal.value, str) else said
        what = "the text " if isinstance(literal.value, str) else ""
        raise EvaluationError(
            f"'{expression}' is no condition: a part of it is {what}{said}, which holds on every "
            f"card; compare it: {name} == {shown}"
        )
    for name, value in compared:
        fields = [fields[name] for fields in decks if name in fields]
        known = [str(choice) for field in fields for choice in field.choices]
        if fields and all(field.kind == "choice" for field in fields) and value not in known:
            raise EvaluationError(f"{name} is never '{value}'{did_you_mean(value, known)}")


def _find_bare_constants(node: nodes.Node) -> Iterator[nodes.Const]:
    """Texts and numbers that stand where something is to hold or not."""
    if isinstance(node, nodes.Const) and not isinstance(node.value, bool | None):
        yield node
    elif isinstance(node, nodes.And | nodes.Or):
        yield from _find_bare_constants(node.left)
        yield from _find_bare_constants(node.right)
    elif isinstance(node, nodes.Not):
        yield from _find_bare_constants(node.node)


def _find_text_comparisons(tree: nodes.Node) -> Iterator[tuple[str, str]]:
    """Names that are compared with a text."""
    whole = [tree] if isinstance(tree, nodes.Compare) else []
    for each in [*whole, *tree.find_all(nodes.Compare)]:
        if len(each.ops) == 1 and each.ops[0].op in ("eq", "ne"):
            sides = (each.expr, each.ops[0].expr)
            for name, value in (sides, sides[::-1]):
                text = value.value if isinstance(value, nodes.Const) else None
                if isinstance(name, nodes.Name) and isinstance(text, str):
                    yield name.name, text

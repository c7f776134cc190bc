"""Checks of what a rule is given: numbers, bounds and conditions. All raise EvaluationError."""

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


def reject_percentage(key: str, given: Any) -> None:
    """Reject a percentage where a number is expected."""
    if is_percentage(given):
        raise EvaluationError(f"{key}: {given} is a share; write a number, such as 4")


def check_bounds_order(
    low: Any, high: Any, format_bound: Callable[[Any], str] = lambda bound: f"{float(bound):.6g}"
) -> None:
    """Reject a lower bound above the upper one."""
    if low is not None and high is not None and low > high:
        raise EvaluationError(
            f"nothing is at least {format_bound(low)} and at most {format_bound(high)}; swap them"
        )


def read_bounds(
    given: Mapping[str, Any],
    read_bound: Callable[[str], RuleNumber],
    read_tolerance: Callable[[RuleNumber], RuleNumber],
    format_bound: Callable[[Any], str] = lambda bound: f"{float(bound):.6g}",
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

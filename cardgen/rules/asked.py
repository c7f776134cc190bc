"""What rules ask for, looked at before it is reckoned with: figures that are written as none,
conditions that always hold, and values that no card can have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from jinja2 import nodes

from cardgen.base.problems import did_you_mean
from cardgen.base.units import NUMERAL
from cardgen.game.model import Field
from cardgen.templates.expressions import CannotEvaluate, parsed
from cardgen.templates.wording import in_words

Number = TypeVar("Number", float, Fraction)
_RANGE = re.compile(rf"\s*({NUMERAL})\s*(%?)\s*[-–]\s*({NUMERAL})\s*(%?)\s*\Z")
_COMMA = re.compile(r"\s*([0-9]{1,9}),([0-9]{1,20})\s*(%?)\s*\Z")
_UNIT = re.compile(rf"\s*({NUMERAL})\s*(?:pt|mm|:\s*1)\s*\Z")
_PERCENT = re.compile(rf"\s*-?\s*{NUMERAL}\s*%\s*\Z")

_WORDS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip


def for_number(message: str, given: str) -> str:
    """What is said where a word stands for a number: no quotes would help."""
    said, quotes, _ = message.partition("; a word goes in quotes")
    word = given.strip().lower()
    number = f": {_WORDS.index(word) + 1}" if word in _WORDS else ", such as 4"
    return f"{said}; write a number{number}" if quotes else message


def as_written(given: Any) -> None:
    """Raises `CannotEvaluate` of a range, `1-2`, of a decimal comma, and of a number with its
    unit."""
    if not isinstance(given, str):
        return
    unit = _UNIT.match(given)
    if unit:
        raise CannotEvaluate(f"'{given}' is no number; write it without its unit: {unit[1]}")
    comma = _COMMA.match(given)
    if comma:
        said = f"{comma[1]}.{comma[2]}{' %' if comma[3] else ''}"
        raise CannotEvaluate(f"'{given}' is no number: decimals take a point: {said}")
    span = _RANGE.match(given)
    if span and (Fraction(span[1]) < Fraction(span[3]) or span[2] or span[4]):
        sign = " %" if span[2] or span[4] else ""
        raise CannotEvaluate(
            f"'{given}' is no one figure; write at_least: {span[1]}{sign}, at_most: {span[3]}{sign}"
        )


def is_percentage(given: Any) -> bool:
    """Whether it is written in per cent: `5 %`."""
    return isinstance(given, str) and _PERCENT.match(given) is not None


def no_percentage(key: str, given: Any) -> None:
    """Raises `CannotEvaluate` where a number is asked for, and a share is given."""
    if is_percentage(given):
        raise CannotEvaluate(f"{key}: {given} is a share; a number is asked for, such as 4")


def in_order(low: Any, high: Any) -> None:
    """Raises `CannotEvaluate` of bounds between which nothing lies."""
    if low is not None and high is not None and low > high:
        raise CannotEvaluate(
            f"nothing is at least {float(low):.6g} and at most {float(high):.6g}; swap them"
        )


def between(
    given: Mapping[str, Any], bound: Callable[[str], Number], tolerance: Callable[[Number], Number]
) -> tuple[Number | None, Number | None]:
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
        raise CannotEvaluate("tolerance: goes with is:")
    in_order(low, high)
    return low, high


def not_negative(key: str, number: Any) -> None:
    """Raises `CannotEvaluate` of what is below 0."""
    if number < 0:
        raise CannotEvaluate(f"{key}: is {float(number):g}; 0 is the least")


def condition(expression: str, decks: Sequence[Mapping[str, Field]]) -> None:
    """Raises `CannotEvaluate` where a part of it is no question, or asks for a value that a choice
    does not have. `decks` are the fields of the decks whose cards are looked at."""
    tree = parsed(expression)
    if tree is None:
        return
    compared = [*_compared(tree)]
    for literal in _bare(tree):
        said = in_words(literal.value)
        name = compared[0][0] if compared else "kind"
        shown = f'"{literal.value}"' if isinstance(literal.value, str) else said
        what = "the text " if isinstance(literal.value, str) else ""
        raise CannotEvaluate(
            f"'{expression}' is no condition: a part of it is {what}{said}, which holds on every "
            f"card; compare it: {name} == {shown}"
        )
    for name, value in compared:
        fields = [fields[name] for fields in decks if name in fields]
        known = [str(choice) for field in fields for choice in field.choices]
        if fields and all(field.kind == "choice" for field in fields) and value not in known:
            raise CannotEvaluate(f"{name} is never '{value}'{did_you_mean(value, known)}")


def _bare(node: nodes.Node) -> Iterator[nodes.Const]:
    """Texts and numbers that stand where something is to hold or not."""
    if isinstance(node, nodes.Const) and not isinstance(node.value, bool | None):
        yield node
    elif isinstance(node, nodes.And | nodes.Or):
        yield from _bare(node.left)
        yield from _bare(node.right)
    elif isinstance(node, nodes.Not):
        yield from _bare(node.node)


def _compared(tree: nodes.Node) -> Iterator[tuple[str, str]]:
    """Names that are compared with a text."""
    whole = [tree] if isinstance(tree, nodes.Compare) else []
    for each in [*whole, *tree.find_all(nodes.Compare)]:
        if len(each.ops) == 1 and each.ops[0].op in ("eq", "ne"):
            sides = (each.expr, each.ops[0].expr)
            for name, value in (sides, sides[::-1]):
                text = value.value if isinstance(value, nodes.Const) else None
                if isinstance(name, nodes.Name) and isinstance(text, str):
                    yield name.name, text

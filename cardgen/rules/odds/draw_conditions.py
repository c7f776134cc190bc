"""Conditions on drawn cards: the value of `see:` of a rule, parsed to a tree.

A condition bounds the number of drawn cards for which an expression holds (`where`), or the sum of
an expression over them (`total`). All conditions of a list must hold, or one of those under `any`.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError

_CONDITION_BOUNDS = ("is", "at_least", "at_most")
_CONDITION_KEYS = ("where", "total", "deck", *_CONDITION_BOUNDS)
_MAX_CONDITIONS = 8
_MAX_NESTING = 4
_BOUND_WORDS = {"is": "", "at_least": "at least ", "at_most": "at most "}


@dataclass(frozen=True)
class DrawCondition:
    """A condition on the drawn cards: their number, or a total, must be within bounds.

    `where` chooses cards and `deck` one of the decks; "" stands for all. `total` is the expression
    that is added up; "" counts cards. `bounds` are pairs of key and figure.
    """

    where: str
    total: str
    deck: str
    bounds: tuple[tuple[str, Any], ...]

    def holds(self, figure: Fraction) -> bool:
        tests = {"is": operator.eq, "at_least": operator.ge, "at_most": operator.le}
        return all(tests[key](figure, bound) for key, bound in self.bounds)

    @property
    def is_monotonic(self) -> bool:
        """True if a larger figure never breaks the condition."""
        return all(key == "at_least" for key, _ in self.bounds)

    def __str__(self) -> str:
        bounds = " and ".join(f"{_BOUND_WORDS[key]}{float(bound):g}" for key, bound in self.bounds)
        which = f" with {self.where}" if self.where else ""
        which += f" of {self.deck}" if self.deck else ""
        return f"{self.total}{which} in all {bounds}" if self.total else bounds + which


@dataclass(frozen=True)
class ConditionTree:
    """Conditions of which all must hold, or any. Parts are trees or indices of leaves."""

    leaves: tuple[DrawCondition, ...]
    parts: tuple[Any, ...]
    any: bool = False

    def holds(self, figures: Sequence[Fraction]) -> bool:
        """Return whether the tree holds for these figures, one for each leaf."""
        results = (
            part.holds(figures)
            if isinstance(part, ConditionTree)
            else self.leaves[part].holds(figures[part])
            for part in self.parts
        )
        return any(results) if self.any else all(results)

    def list_largest_bounds(self) -> list[Fraction]:
        """Return the largest bound of each leaf. Sums beyond it need not be told apart."""
        return [max(bound for _, bound in leaf.bounds) for leaf in self.leaves]

    def __str__(self) -> str:
        return (" or " if self.any else " and ").join(
            f"({part})" if isinstance(part, ConditionTree) else str(self.leaves[part])
            for part in self.parts
        )


def parse_conditions(see: Any) -> ConditionTree:
    """Parse the value of `see:`. Bounds stay as written. Raise EvaluationError."""
    leaves: list[DrawCondition] = []
    parts, either = _parse_parts(see, leaves, 0)
    tree = ConditionTree((), parts, either)
    if not leaves:
        raise EvaluationError(
            "see: has no condition; write one like {where: crew > 2, at_least: 1}"
        )
    if len(leaves) > _MAX_CONDITIONS:
        raise EvaluationError(f"see: has {len(leaves)} conditions; the limit is {_MAX_CONDITIONS}")
    return replace_leaves(tree, leaves)


def replace_leaves(tree: ConditionTree, leaves: Sequence[DrawCondition]) -> ConditionTree:
    """Return the same tree with other leaves."""
    parts = tuple(
        replace_leaves(part, leaves) if isinstance(part, ConditionTree) else part
        for part in tree.parts
    )
    return replace(tree, leaves=tuple(leaves), parts=parts)


def _parse_parts(see: Any, leaves: list[DrawCondition], depth: int) -> tuple[tuple[Any, ...], bool]:
    if depth > _MAX_NESTING:
        raise EvaluationError("see: is nested too deeply")
    if isinstance(see, list):
        return tuple(_parse_part(each, leaves, depth) for each in see), False
    if isinstance(see, Mapping) and {"any", "all"} & set(see):
        if len(see) > 1:
            raise EvaluationError("any: and all: must stand alone, with a list of conditions")
        ((word, given),) = see.items()
        if not isinstance(given, list):
            raise EvaluationError(
                f"{word}: is {format_value(given)}; it must be a list of conditions"
            )
        return tuple(_parse_part(each, leaves, depth) for each in given), word == "any"
    return (_parse_part(see, leaves, depth),), False


def _parse_part(given: Any, leaves: list[DrawCondition], depth: int) -> Any:
    if isinstance(given, list) or (isinstance(given, Mapping) and {"any", "all"} & set(given)):
        parts, either = _parse_parts(given, leaves, depth + 1)
        return ConditionTree((), parts, either)
    leaves.append(_parse_condition(given))
    return len(leaves) - 1


def _parse_condition(given: Any) -> DrawCondition:
    if not isinstance(given, Mapping):
        raise EvaluationError(
            f"see: {format_value(given)} is not a condition; write {{where: …, at_least: 1}}"
        )
    for key in given:
        if key not in _CONDITION_KEYS:
            hint = did_you_mean(str(key), _CONDITION_KEYS)
            if "did you mean" not in hint and isinstance(given[key], str | int | float):
                hint = f"; for a field, write where: {_suggest_comparison(str(key), given[key])}"
            raise EvaluationError(f"a condition of see: has no key '{key}'{hint}")
    bounds = tuple((word, given[word]) for word in _CONDITION_BOUNDS if word in given)
    if not bounds:
        raise EvaluationError("a condition of see: needs is:, at_least: or at_most:")
    words = {key: str(given.get(key, "")) for key in ("where", "total", "deck")}
    return DrawCondition(**words, bounds=bounds)


def _suggest_comparison(field: str, value: str | float) -> str:
    if isinstance(value, bool):
        return field if value else f"not {field}"
    return f'{field} == "{value}"' if isinstance(value, str) else f"{field} == {value:g}"

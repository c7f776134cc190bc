"""Conditions on drawn cards: the value of `see:` of a rule, parsed to a tree.

A condition bounds the number of drawn cards for which an expression holds (`where`), or the sum of
an expression over them (`total`). All conditions of a list must hold, or one of those under `any`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.rules.rule_base import BOUND_WORDS, COMPARISONS
from cardgen.templates.expression_messages import format_value
from cardgen.templates.expressions import EvaluationError

_CONDITION_KEYS = ("where", "total", "deck", *BOUND_WORDS)
_MAX_CONDITIONS = 8
_MAX_NESTING = 4


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
        return all(COMPARISONS[key](figure, bound) for key, bound in self.bounds)

    @property
    def is_monotonic(self) -> bool:
        """True if a larger figure never breaks the condition."""
        return all(key == "at_least" for key, _ in self.bounds)

    def __str__(self) -> str:
        bounds = " and ".join(f"{BOUND_WORDS[key]}{float(bound):g}" for key, bound in self.bounds)
        which = f" with {self.where}" if self.where else ""
        which += f" of {self.deck}" if self.deck else ""
        return f"{self.total}{which} in all {bounds}" if self.total else bounds + which


@dataclass(frozen=True)
class ConditionTree:
    """Conditions of which all must hold, or any. Parts are trees or indices of leaves.

    Trees in the parts have no leaves of their own.
    """

    leaves: tuple[DrawCondition, ...]
    parts: tuple[Any, ...]
    any: bool = False

    def holds(self, figures: Sequence[Fraction]) -> bool:
        """Return whether the tree holds for these figures, one for each leaf."""
        return self._combine(
            [leaf.holds(figure) for leaf, figure in zip(self.leaves, figures, strict=True)]
        )

    def _combine(self, held: Sequence[bool]) -> bool:
        results = (
            part._combine(held) if isinstance(part, ConditionTree) else held[part]
            for part in self.parts
        )
        return any(results) if self.any else all(results)

    def list_largest_bounds(self) -> list[Fraction]:
        """Return the largest bound of each leaf. Sums beyond it need not be told apart."""
        return [max(bound for _, bound in leaf.bounds) for leaf in self.leaves]

    def __str__(self) -> str:
        return self._join([str(leaf) for leaf in self.leaves])

    def _join(self, texts: Sequence[str]) -> str:
        return (" or " if self.any else " and ").join(
            f"({part._join(texts)})" if isinstance(part, ConditionTree) else texts[part]
            for part in self.parts
        )


def parse_conditions(see: Any) -> ConditionTree:
    """Parse the value of `see:`. Bounds stay as written. Raise EvaluationError."""
    leaves: list[DrawCondition] = []
    tree = _parse_part(see, leaves, 0)
    if not leaves:
        raise EvaluationError(
            "see: has no condition; write one like {where: crew > 2, at_least: 1}"
        )
    if len(leaves) > _MAX_CONDITIONS:
        raise EvaluationError(f"see: has {len(leaves)} conditions; the limit is {_MAX_CONDITIONS}")
    tree = tree if isinstance(tree, ConditionTree) else ConditionTree((), (tree,))
    return replace(tree, leaves=tuple(leaves))


def _parse_part(given: Any, leaves: list[DrawCondition], depth: int) -> ConditionTree | int:
    """Add the conditions in a part of `see:` to the leaves. Return a tree or an index of them."""
    word = "all"
    if isinstance(given, Mapping) and {"any", "all"} & set(given):
        if len(given) > 1:
            raise EvaluationError("any: and all: must stand alone, with a list of conditions")
        ((word, given),) = given.items()
        if not isinstance(given, list):
            raise EvaluationError(
                f"{word}: is {format_value(given)}; it must be a list of conditions"
            )
    elif not isinstance(given, list):
        leaves.append(_parse_condition(given))
        return len(leaves) - 1
    if depth > _MAX_NESTING:
        raise EvaluationError("see: is nested too deeply")
    return ConditionTree(
        (), tuple(_parse_part(each, leaves, depth + 1) for each in given), word == "any"
    )


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
    bounds = tuple((word, given[word]) for word in BOUND_WORDS if word in given)
    if not bounds:
        raise EvaluationError("a condition of see: needs is:, at_least: or at_most:")
    words = {key: str(given.get(key, "")) for key in ("where", "total", "deck")}
    return DrawCondition(**words, bounds=bounds)


def _suggest_comparison(field: str, value: str | float) -> str:
    if isinstance(value, bool):
        return field if value else f"not {field}"
    return f'{field} == "{value}"' if isinstance(value, str) else f"{field} == {value:g}"

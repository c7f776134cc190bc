"""What a rule wants to see among drawn cards: `see`, read into conditions that hold or do not.

A condition counts the drawn cards for which an expression holds (`where`), or adds up what they
have (`total`), and bounds the figure. Several in a list must all hold, one of several under `any`.
"""

from __future__ import annotations

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
    """One condition. `total` is what is added up, "" where cards are counted; `deck` the one deck
    that is looked at, "" for all; `bounds` are (word, figure)."""

    where: str
    total: str
    deck: str
    bounds: tuple[tuple[str, Any], ...]

    def holds(self, figure: Fraction) -> bool:
        return all(
            figure == bound
            if word == "is"
            else figure >= bound
            if word == "at_least"
            else figure <= bound
            for word, bound in self.bounds
        )

    @property
    def is_monotonic(self) -> bool:
        """Whether more of it is always enough."""
        return all(word == "at_least" for word, _ in self.bounds)

    def __str__(self) -> str:
        said = " and ".join(f"{_BOUND_WORDS[word]}{float(bound):g}" for word, bound in self.bounds)
        where = f" with {self.where}" if self.where else ""
        of = f" of {self.deck}" if self.deck else ""
        return f"{self.total}{where}{of} in all {said}" if self.total else f"{said}{where}{of}"


@dataclass(frozen=True)
class ConditionTree:
    """Conditions of which all must hold, or any. `parts` are trees, or the numbers of leaves."""

    leaves: tuple[DrawCondition, ...]
    parts: tuple[Any, ...]
    any: bool = False

    def holds(self, figures: Sequence[Fraction]) -> bool:
        """Whether it holds of these figures, one for each leaf."""
        found = (
            part.holds(figures)
            if isinstance(part, ConditionTree)
            else self.leaves[part].holds(figures[part])
            for part in self.parts
        )
        return any(found) if self.any else all(found)

    def list_largest_bounds(self) -> list[Fraction]:
        """The largest bound of each leaf: past it, all sums are the same."""
        return [max(bound for _, bound in leaf.bounds) for leaf in self.leaves]

    def __str__(self) -> str:
        said = [
            f"({part})" if isinstance(part, ConditionTree) else str(self.leaves[part])
            for part in self.parts
        ]
        return (" or " if self.any else " and ").join(said)


def parse_conditions(see: Any) -> ConditionTree:
    """What a rule wants to see, its figures as written. Raises `CannotEvaluate`."""
    leaves: list[DrawCondition] = []
    parts, either = _parse_parts(see, leaves, 0)
    tree = ConditionTree((), parts, either)
    if not leaves:
        raise EvaluationError("see: names no condition; {where: crew > 2, at_least: 1} is one")
    if len(leaves) > _MAX_CONDITIONS:
        raise EvaluationError(f"see: has {len(leaves)} conditions; {_MAX_CONDITIONS} are the most")
    return replace_leaves(tree, leaves)


def replace_leaves(tree: ConditionTree, leaves: Sequence[DrawCondition]) -> ConditionTree:
    """The same tree over other leaves."""
    parts = tuple(
        replace_leaves(part, leaves) if isinstance(part, ConditionTree) else part
        for part in tree.parts
    )
    return replace(tree, leaves=tuple(leaves), parts=parts)


def _parse_parts(see: Any, leaves: list[DrawCondition], depth: int) -> tuple[tuple[Any, ...], bool]:
    if depth > _MAX_NESTING:
        raise EvaluationError("see: is nested too deep")
    if isinstance(see, list):
        return tuple(_parse_part(each, leaves, depth) for each in see), False
    if isinstance(see, Mapping) and {"any", "all"} & set(see):
        if len(see) > 1:
            raise EvaluationError("any: and all: stand alone, with a list of conditions")
        ((word, given),) = see.items()
        if not isinstance(given, list):
            raise EvaluationError(
                f"{word}: is {format_value(given)}; a list of conditions is asked for"
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
        said = format_value(given)
        raise EvaluationError(f"see: {said} is no condition; write {{where: …, at_least: 1}}")
    for key in given:
        if key not in _CONDITION_KEYS:
            hint = did_you_mean(str(key), _CONDITION_KEYS)
            if "did you mean" not in hint and isinstance(given[key], str | int | float):
                hint = f"; of a field write where: {_suggest_comparison(str(key), given[key])}"
            raise EvaluationError(f"a condition of see: takes no '{key}'{hint}")
    bounds = tuple((word, given[word]) for word in _CONDITION_BOUNDS if word in given)
    if not bounds:
        raise EvaluationError("a condition of see: needs is:, at_least: or at_most:")
    words = {key: str(given.get(key, "")) for key in ("where", "total", "deck")}
    return DrawCondition(**words, bounds=bounds)


def _suggest_comparison(field: str, value: str | float) -> str:
    if isinstance(value, bool):
        return field if value else f"not {field}"
    return f'{field} == "{value}"' if isinstance(value, str) else f"{field} == {value:g}"

"""What a rule wants to see among drawn cards: `see`, read into conditions that hold or do not.

A condition counts the drawn cards for which an expression holds (`where`), or adds up what they
have (`total`), and bounds the figure. Several in a list must all hold, one of several under `any`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from cardgen.base.problems import did_you_mean
from cardgen.templates.expressions import CannotEvaluate
from cardgen.templates.wording import in_words

_BOUNDS = ("is", "at_least", "at_most")
_KEYS = ("where", "total", "deck", *_BOUNDS)
_MOST = 8
_DEEPEST = 4
_SIGNS = {"is": "", "at_least": "at least ", "at_most": "at most "}


@dataclass(frozen=True)
class Leaf:
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
    def rises(self) -> bool:
        """Whether more of it is always enough."""
        return all(word == "at_least" for word, _ in self.bounds)

    def __str__(self) -> str:
        said = " and ".join(f"{_SIGNS[word]}{float(bound):g}" for word, bound in self.bounds)
        where = f" with {self.where}" if self.where else ""
        of = f" of {self.deck}" if self.deck else ""
        return f"{self.total}{where}{of} in all {said}" if self.total else f"{said}{where}{of}"


@dataclass(frozen=True)
class Tree:
    """Conditions of which all must hold, or any. `parts` are trees, or the numbers of leaves."""

    leaves: tuple[Leaf, ...]
    parts: tuple[Any, ...]
    any: bool = False

    def holds(self, figures: Sequence[Fraction]) -> bool:
        """Whether it holds of these figures, one for each leaf."""
        found = (
            part.holds(figures)
            if isinstance(part, Tree)
            else self.leaves[part].holds(figures[part])
            for part in self.parts
        )
        return any(found) if self.any else all(found)

    def most(self) -> list[Fraction]:
        """The largest bound of each leaf: past it, all sums are the same."""
        return [max(bound for _, bound in leaf.bounds) for leaf in self.leaves]

    def __str__(self) -> str:
        said = [
            f"({part})" if isinstance(part, Tree) else str(self.leaves[part]) for part in self.parts
        ]
        return (" or " if self.any else " and ").join(said)


def read(see: Any) -> Tree:
    """What a rule wants to see, its figures as written. Raises `CannotEvaluate`."""
    leaves: list[Leaf] = []
    parts, either = _parts(see, leaves, 0)
    tree = Tree((), parts, either)
    if not leaves:
        raise CannotEvaluate("see: names no condition; {where: crew > 2, at_least: 1} is one")
    if len(leaves) > _MOST:
        raise CannotEvaluate(f"see: has {len(leaves)} conditions; {_MOST} are the most")
    return with_leaves(tree, leaves)


def with_leaves(tree: Tree, leaves: Sequence[Leaf]) -> Tree:
    """The same tree over other leaves."""
    parts = tuple(
        with_leaves(part, leaves) if isinstance(part, Tree) else part for part in tree.parts
    )
    return replace(tree, leaves=tuple(leaves), parts=parts)


def _parts(see: Any, leaves: list[Leaf], depth: int) -> tuple[tuple[Any, ...], bool]:
    if depth > _DEEPEST:
        raise CannotEvaluate("see: is nested too deep")
    if isinstance(see, list):
        return tuple(_part(each, leaves, depth) for each in see), False
    if isinstance(see, Mapping) and {"any", "all"} & set(see):
        if len(see) > 1:
            raise CannotEvaluate("any: and all: stand alone, with a list of conditions")
        ((word, given),) = see.items()
        if not isinstance(given, list):
            raise CannotEvaluate(f"{word}: is {in_words(given)}; a list of conditions is asked for")
        return tuple(_part(each, leaves, depth) for each in given), word == "any"
    return (_part(see, leaves, depth),), False


def _part(given: Any, leaves: list[Leaf], depth: int) -> Any:
    if isinstance(given, list) or (isinstance(given, Mapping) and {"any", "all"} & set(given)):
        parts, either = _parts(given, leaves, depth + 1)
        return Tree((), parts, either)
    leaves.append(_leaf(given))
    return len(leaves) - 1


def _leaf(given: Any) -> Leaf:
    if not isinstance(given, Mapping):
        said = in_words(given)
        raise CannotEvaluate(f"see: {said} is no condition; write {{where: …, at_least: 1}}")
    for key in given:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS)
            if "did you mean" not in hint and isinstance(given[key], str | int | float):
                hint = f"; of a field write where: {_compared(str(key), given[key])}"
            raise CannotEvaluate(f"a condition of see: takes no '{key}'{hint}")
    bounds = tuple((word, given[word]) for word in _BOUNDS if word in given)
    if not bounds:
        raise CannotEvaluate("a condition of see: needs is:, at_least: or at_most:")
    words = {key: str(given.get(key, "")) for key in ("where", "total", "deck")}
    return Leaf(**words, bounds=bounds)


def _compared(field: str, value: str | float) -> str:
    if isinstance(value, bool):
        return field if value else f"not {field}"
    return f'{field} == "{value}"' if isinstance(value, str) else f"{field} == {value:g}"

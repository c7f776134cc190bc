"""The rule kind `chance`: how likely something is among the cards that are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardgen.rules import asked as written
from cardgen.rules.kind import fraction
from cardgen.rules.measures import Measure
from cardgen.rules.odds import conditions, mending, reckoning
from cardgen.rules.odds.conditions import Leaf, Tree
from cardgen.rules.odds.drawing import Drawing, Rows, drawn_words, with_figures
from cardgen.rules.odds.reckoning import Question
from cardgen.rules.odds.shares import percent
from cardgen.templates.expressions import CannotEvaluate


@dataclass(frozen=True)
class Asked:
    """How likely it is to be: from and to, both included."""

    low: Fraction
    high: Fraction
    text: str

    def holds(self, share: Fraction) -> bool:
        return self.low <= share <= self.high


class Chance(Drawing):
    """How likely what is looked for is among the cards drawn."""

    keys = "draw hands by keep remove together is at_least at_most tolerance"
    needed = "see"

    def wrong(self, name: str, rows: Sequence[Rows]) -> Iterator[str]:
        question, asked = self.question(rows), self._asked()
        share = reckoning.chance(question)
        if asked.holds(share):
            return
        parts = [f"{name}: {self._said(question.tree, rows)} is "
                 f"{percent(share, asked.low, asked.high)}; {asked.text} is asked for"]  # fmt: skip
        parts += mending.of_chance(question, asked.holds, "by" in self.arguments)
        if self._asks_exactly():
            parts.append("tolerance: says how far it may be off")
        yield "; ".join(parts)

    def figure(self, name: str, rows: Sequence[Rows]) -> str:
        return f"{name}: {percent(reckoning.chance(self.question(rows)))}"

    def measures(self) -> list[Measure]:
        asked = self._asked()
        return [
            Measure(
                f"{name}, %",
                float(reckoning.chance(self.question(rows)) * 100),
                float(asked.low * 100),
                float(asked.high * 100),
            )
            for name, rows in self.drawn()
        ]

    def question(self, rows: Sequence[Rows]) -> Question:
        """What is asked of these cards."""
        tree = conditions.read(self.arguments["see"])
        leaves = [self._with_figures(leaf) for leaf in tree.leaves]
        tree = conditions.with_leaves(tree, leaves)
        hands, every = self.hands()
        if hands > 1 and len(rows) > 1:
            raise CannotEvaluate("hands: are dealt from one deck, or from several together")
        stacks = self.counted(rows, leaves)
        by = self._by(rows)
        if by is not None:
            self._check_comes(leaves, stacks, hands)
            stacks = tuple(reckoning.Stack(each.name, each.cards, by) for each in stacks)
        return Question(stacks, tree, hands, every)

    def _with_figures(self, leaf: Leaf) -> Leaf:
        bounds = [(word, self.bound(word, given)) for word, given in leaf.bounds]
        if not leaf.total and not all(n.denominator == 1 and n >= 0 for _, n in bounds):
            raise CannotEvaluate(
                f"see: {leaf.where or 'cards'} are counted in whole numbers from 0"
            )
        known = dict(bounds)
        same = known.get("is")
        written.in_order(known.get("at_least", same), known.get("at_most", same))
        return with_figures(leaf, bounds)

    def _by(self, rows: Sequence[Rows]) -> int | None:
        if "by" not in self.arguments:
            return None
        by = self.whole(self.arguments["by"], "by", 1)
        if len(rows) > 1:
            raise CannotEvaluate("by: is for cards drawn one by one from one deck")
        if by > rows[0].draw:
            raise CannotEvaluate(f"by: {by} is later than the last of {rows[0].draw} drawn")
        return by

    def _check_comes(
        self, leaves: Sequence[Leaf], stacks: Sequence[reckoning.Stack], hands: int
    ) -> None:
        """By when something first comes can be said only of what, once there, stays."""
        below = any(
            card[index] < 0
            for stack in stacks
            for card in stack.cards
            for index in range(len(leaves))
        )
        if hands > 1:
            raise CannotEvaluate("by: is for one hand")
        if below or not all(leaf.rises for leaf in leaves):
            raise CannotEvaluate(
                "by: asks when something first comes; that goes with at_least:, and with totals "
                "that do not fall again"
            )

    def _said(self, tree: Tree, rows: Sequence[Rows]) -> str:
        by = self._by(rows)
        return f"P({tree}, {drawn_words(rows, self.hands(), by)})"

    def _asks_exactly(self) -> bool:
        return "is" in self.arguments and "tolerance" not in self.arguments

    def _asked(self) -> Asked:
        return bounds_of(self.arguments)


def bounds_of(arguments: Mapping[str, Any]) -> Asked:
    """What share is asked for. Raises `CannotEvaluate`."""
    low, high = Fraction(0), Fraction(1)
    if not {"is", "at_least", "at_most"} & set(arguments):
        raise CannotEvaluate("it needs is:, at_least: or at_most:, a share such as 70 %")
    if "is" in arguments:
        asked, off = fraction(arguments["is"]), fraction(arguments.get("tolerance", 0))
        low, high = max(low, asked - off), min(high, asked + off)
    elif "tolerance" in arguments:
        raise CannotEvaluate("tolerance: goes with is:")
    if "at_least" in arguments:
        low = max(low, fraction(arguments["at_least"]))
    if "at_most" in arguments:
        high = min(high, fraction(arguments["at_most"]))
    if low > high:
        said = f"at least {percent(low, high)} and at most {percent(high, low)}"
        raise CannotEvaluate(f"nothing is {said}; swap them")
    return Asked(low, high, _in_words(low, high))


def _in_words(low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"{float(low * 100):.4g} %"
    if high == 1:
        return f"at least {float(low * 100):.4g} %"
    if low == 0:
        return f"at most {float(high * 100):.4g} %"
    return f"{float(low * 100):.4g}–{float(high * 100):.4g} %"

"""Chances held against every deal, gone through one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.rules.odds import draw_probability
from cardgen.rules.odds.draw_conditions import ConditionTree, DrawCondition
from cardgen.rules.odds.draw_probability import CardStack, DrawQuestion

CLOSE = 1e-12
halves = st.integers(-6, 12).map(lambda number: Fraction(number, 2))


@st.composite
def questions(draw: st.DrawFn, hands: int = 1) -> DrawQuestion:
    """Up to three conditions, overlapping as they may, over one deck or two."""
    totals = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    figure = [halves if total else st.integers(0, 1).map(Fraction) for total in totals]
    stacks = []
    for name in draw(st.sampled_from([("a",), ("a", "b")])) if hands == 1 else ("a",):
        most = 7 if hands == 1 else 6
        cards = draw(st.lists(st.tuples(*figure), min_size=hands, max_size=most))
        number = draw(st.integers(1, len(cards) // hands))
        stacks.append(CardStack(name, Counter(cards), number))
    leaves = []
    for total in totals:
        bound = draw(halves if total else st.integers(0, 4).map(Fraction))
        word = draw(st.sampled_from(["is", "at_least", "at_most"]))
        bounds: list[tuple[str, Any]] = [(word, bound)]
        if draw(st.booleans()):
            bounds.append(("at_most", bound + draw(st.integers(0, 3))))
        leaves.append(DrawCondition("", "x" if total else "", "", tuple(bounds)))
    tree = ConditionTree(tuple(leaves), tuple(range(len(leaves))), draw(st.booleans()))
    if len(leaves) > 1 and draw(st.booleans()):
        inner = ConditionTree(tree.leaves, (0, 1), not tree.any)
        tree = ConditionTree(tree.leaves, (inner, *range(2, len(leaves))), tree.any)
    return DrawQuestion(tuple(stacks), tree, hands, draw(st.booleans()) if hands > 1 else True)


def cards_of(stack: CardStack[Fraction]) -> list[tuple[Fraction, ...]]:
    return [card for card, number in stack.cards.items() for _ in range(number)]


def stack_of(values: Iterable[int], draw: int) -> CardStack[Fraction]:
    return CardStack("a", Counter((Fraction(value),) for value in values), draw)


def sums(cards: Sequence[tuple[Fraction, ...]], figures: int) -> list[Fraction]:
    return [sum((card[index] for card in cards), Fraction(0)) for index in range(figures)]


def every_deal(
    stack: CardStack[Fraction], hands: int
) -> Iterator[list[list[tuple[Fraction, ...]]]]:
    """Every way to deal hands of distinct cards, the one after the other."""
    cards = cards_of(stack)

    def dealt(left: tuple[int, ...], more: int) -> Iterator[list[list[tuple[Fraction, ...]]]]:
        if not more:
            yield []
            return
        for taken in combinations(left, stack.draw):
            rest = tuple(number for number in left if number not in taken)
            for others in dealt(rest, more - 1):
                yield [[cards[number] for number in taken], *others]

    yield from dealt(tuple(range(len(cards))), hands)


@settings(max_examples=400, deadline=None)
@given(questions())
def test_a_chance_is_the_share_of_all_deals(question: DrawQuestion) -> None:
    figures = len(question.tree.leaves)
    held = total = 0
    for deals in product(*(combinations(cards_of(s), s.draw) for s in question.stacks)):
        total += 1
        held += question.tree.holds(sums([c for deal in deals for c in deal], figures))
    assert math.isclose(
        draw_probability.compute_chance(question), held / total, rel_tol=0, abs_tol=CLOSE
    )


@settings(max_examples=150, deadline=None)
@given(st.integers(2, 3).flatmap(questions))
def test_hands_are_dealt_one_after_the_other(question: DrawQuestion) -> None:
    figures = len(question.tree.leaves)
    held = total = 0
    for deal in every_deal(question.stacks[0], question.hands):
        passing = [question.tree.holds(sums(hand, figures)) for hand in deal]
        total += 1
        held += all(passing) if question.every else any(passing)
    assert math.isclose(
        draw_probability.compute_chance(question), held / total, rel_tol=0, abs_tol=CLOSE
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=40), st.data())
def test_what_is_left_behind_is_what_was_not_drawn(values: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(values) - 1))
    drawn = draw_probability.compute_distribution([stack_of(values, number)]).shares
    left = draw_probability.compute_distribution([stack_of(values, len(values) - number)]).shares
    assert {sum(values) - value: share for value, share in left.items()} == dict(drawn)
    assert sum(drawn.values()) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.data())
def test_sums_too_far_apart_to_be_packed_are_counted_alike(
    values: list[int], data: st.DataObject
) -> None:
    """A card worth ten million beside those of a few, and one worth a hundred: where ten cards at
    most are drawn, their totals stand in the same places."""
    number = data.draw(st.integers(1, min(len(values), 10)))
    near, far = 100, 10_000_000
    packed = draw_probability.count_draws(
        [CardStack("a", Counter((v,) for v in [*values, near]), number)], [None]
    )
    sparse = draw_probability.count_draws(
        [CardStack("a", Counter((v,) for v in [*values, far]), number)], [None]
    )
    assert {(v + (far - near) * (v >= near),): n for (v,), n in packed.items()} == sparse

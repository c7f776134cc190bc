"""Totals and dice held against icepool, which knows nothing of ours, on larger decks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.rules.odds import draw_probability
from cardgen.rules.odds.draw_conditions import ConditionTree, DrawCondition
from cardgen.rules.odds.draw_probability import CardStack, DrawQuestion

icepool = pytest.importorskip("icepool")
CLOSE = 1e-12


def stack_of(values: Iterable[int], draw: int) -> CardStack[Fraction]:
    return CardStack("a", Counter((Fraction(value),) for value in values), draw)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-5, 9), min_size=1, max_size=60), st.data())
def test_a_total_is_shared_out_alike(values: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, min(7, len(values))))
    theirs = icepool.Deck(dict(Counter(values))).deal(number).sum()
    ours = draw_probability.compute_distribution([stack_of(values, number)])
    assert [*ours.shares] == [*theirs.outcomes()]
    for value, share in ours.shares.items():
        assert math.isclose(share, theirs.probability(int(value)), rel_tol=0, abs_tol=CLOSE)
    assert math.isclose(ours.mean, theirs.mean(), rel_tol=0, abs_tol=CLOSE)
    assert math.isclose(ours.spread, theirs.standard_deviation(), rel_tol=0, abs_tol=1e-9)


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 200), st.data())
def test_at_least_so_many_are_drawn_alike(size: int, data: st.DataObject) -> None:
    such, number = data.draw(st.integers(0, size)), data.draw(st.integers(1, min(size, 40)))
    least = data.draw(st.integers(0, number))
    counts = {kind: count for kind, count in ((1, such), (0, size - such)) if count}
    theirs = icepool.Deck(counts).deal(number).sum() >= least
    tree = ConditionTree((DrawCondition("x", "", "", (("at_least", Fraction(least)),)),), (0,))
    ours = draw_probability.compute_chance(
        DrawQuestion((stack_of([1] * such + [0] * (size - such), number),), tree)
    )
    assert math.isclose(ours, theirs.probability(True), rel_tol=0, abs_tol=CLOSE)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=6))
def test_dice_fall_alike(sides: list[int]) -> None:
    theirs = sum((icepool.d(side) for side in sides), icepool.Die([0]))
    ours = draw_probability.compute_distribution(
        [stack_of(range(1, side + 1), 1) for side in sides]
    )
    assert {int(v): s for v, s in ours.shares.items()} == {
        value: theirs.probability(value) for value in theirs.outcomes()
    }

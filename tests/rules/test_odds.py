"""Chances that books reckon by hand, and how large a deck may be."""

from __future__ import annotations

import time
from fractions import Fraction
from math import comb

import pytest
from conftest import TESTS, MakeGame

from cardgen.rules import rule_file
from cardgen.rules.odds import draw_probability, draw_rule, turn_simulation
from cardgen.rules.odds.draw_conditions import ConditionTree, DrawCondition, parse_conditions
from cardgen.rules.odds.draw_probability import (
    CardStack,
    Distribution,
    DrawQuestion,
    FigureVector,
    format_share,
)
from cardgen.rules.odds.turn_simulation import FlowStep, TurnFlow
from cardgen.templates.expressions import CardDatabase, EvaluationError

ONE = Fraction(1)


@pytest.fixture
def database(make_game: MakeGame) -> CardDatabase:
    game, _ = rule_file.load_game(make_game(like=TESTS / "rules/kinds/simulate"))
    assert game is not None
    return CardDatabase(game)


def at_least(number: int, total: str = "") -> ConditionTree:
    return ConditionTree((DrawCondition("", total, "", (("at_least", Fraction(number)),)),), (0,))


def test_the_lottery() -> None:
    """All seven of 40."""
    stack = CardStack("lotto", {(ONE,): 7, (Fraction(0),): 33}, 7)
    assert draw_probability.compute_chance(DrawQuestion((stack,), at_least(7))) == Fraction(
        1, comb(40, 7)
    )


def test_a_bridge_hand_with_all_four_aces() -> None:
    stack = CardStack("cards", {(ONE,): 4, (Fraction(0),): 48}, 13)
    one = draw_probability.compute_chance(DrawQuestion((stack,), at_least(4)))
    assert one == Fraction(comb(48, 9), comb(52, 13))
    # Only one of four players can have them.
    assert (
        draw_probability.compute_chance(DrawQuestion((stack,), at_least(4), 4, every=False))
        == 4 * one
    )


def test_three_dice() -> None:
    rolled = tuple(CardStack("dice", {(Fraction(v),): 1 for v in range(1, 7)}, 1) for _ in range(3))
    shares = draw_probability.compute_distribution(rolled).shares
    assert [int(share * 216) for share in shares.values()] == [
        1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "sides"), [("2d6", [6, 6]), ("d8", [8]), ("1D4 + 2d3", [4, 3, 3]), ("d1", [1])]
)
def test_dice_are_read(written: str, sides: list[int]) -> None:
    assert draw_rule.parse_dice(written) == sides
    assert draw_rule.is_dice(written)


@pytest.mark.parametrize("written", ["", "six", "2d", "0d6", "d0", "d101", "101d6", "2d6 - 1", 7])
def test_what_are_no_dice_is_told(written: object) -> None:
    with pytest.raises(EvaluationError):
        draw_rule.parse_dice(written)


def test_a_distribution_says_where_it_mostly_lies() -> None:
    even = Distribution({Fraction(value): Fraction(1, 20) for value in range(1, 21)})
    assert even.mean == Fraction(21, 2)
    assert even.get_central_range(Fraction(9, 10)) == (ONE, Fraction(19))
    assert even.get_quantile(Fraction(1, 2)) == 10
    assert even.sum_between(Fraction(5), Fraction(8)) == Fraction(1, 5)
    assert even.spread == pytest.approx(((20**2 - 1) / 12) ** 0.5)


@pytest.mark.parametrize(
    ("share", "beside", "text"),
    [
        (Fraction(0), (), "0 %"),
        (ONE, (), "100 %"),
        (Fraction(1, 2), (), "50 %"),
        (Fraction(1, 3), (), "33.3 %"),
        (Fraction(8001, 10000), (Fraction(8, 10),), "80.01 %"),
        (Fraction(1, 10**5), (), "0.001 %"),
        (1 - Fraction(1, 10**5), (), "99.999 %"),
    ],
)
def test_a_share_is_never_shown_as_what_it_is_not(
    share: Fraction, beside: tuple[Fraction, ...], text: str
) -> None:
    assert format_share(share, *beside) == text


def test_two_hundred_different_cards_take_well_under_a_second() -> None:
    cards: dict[FigureVector, int] = {(Fraction(value),): 1 for value in range(200)}
    begun = time.process_time()
    # In the mean they come to 1990, and as often to more as to less.
    share = draw_probability.compute_chance(
        DrawQuestion((CardStack("deck", cards, 20),), at_least(1990, "value"))
    )
    assert time.process_time() - begun < 0.5
    assert Fraction(1, 2) < share < Fraction(51, 100)


def test_too_much_is_told_at_once() -> None:
    """Sums of powers of two: as many as there are hands."""
    cards: dict[FigureVector, int] = {(Fraction(2**power),): 1 for power in range(60)}
    begun = time.process_time()
    with pytest.raises(draw_probability.TooManyOutcomesError):
        draw_probability.compute_distribution([CardStack("deck", cards, 30)])
    hands: dict[FigureVector, int] = {
        (Fraction(value), Fraction(value % 7)): 1 for value in range(60)
    }
    tree = ConditionTree(
        tuple(DrawCondition("", "x", "", (("is", ONE),)) for _ in range(2)), (0, 1)
    )
    with pytest.raises(draw_probability.TooManyOutcomesError):
        draw_probability.compute_chance(DrawQuestion((CardStack("deck", hands, 12),), tree, 4))
    assert time.process_time() - begun < 3


def test_conditions_are_written_as_they_are_read() -> None:
    see = [
        {"where": "a > 1", "at_least": 1, "at_most": 3},
        {"any": [{"total": "b", "is": 4}, {"all": [{"where": "c", "is": 0}]}]},
    ]
    assert (
        str(parse_conditions(see))
        == "at least 1 and at most 3 with a > 1 and (b in all 4 or (0 with c))"
    )


def test_a_flow_is_the_same_of_one_seed_and_another_of_another(database: CardDatabase) -> None:
    walk = TurnFlow({"at": 0}, {}, [FlowStep(sides="6", add={"at": "rolled"})], 5, "", "at")
    first = turn_simulation.simulate_flow(walk, database, 500, 1)
    assert first == turn_simulation.simulate_flow(walk, database, 500, 1)
    assert first != turn_simulation.simulate_flow(walk, database, 500, 2)
    assert first.low < 17.5 < first.high


def test_the_interval_holds_the_truth_as_often_as_it_says(database: CardDatabase) -> None:
    """Of 300 seeds a few lie beside it, and not many: one of a hundred is to."""
    roll = TurnFlow({"at": 0}, {}, [FlowStep(dice=(6,), set={"at": "rolled"})], 1, "", "at == 6")
    found = [turn_simulation.simulate_flow(roll, database, 200, seed) for seed in range(300)]
    beside = sum(not each.low <= 1 / 6 <= each.high for each in found)
    assert beside <= 9

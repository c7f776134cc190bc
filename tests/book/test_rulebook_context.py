"""Chances in rulebooks: the same as those of rules, told in the book's language."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import TESTS, MakeGame

from cardgen.book.rulebook_context import RulebookContext
from cardgen.rules import rule_file
from cardgen.templates.expressions import EvaluationError

RULES = """\
rules:
  - id: seen
    chance: attacks
    draw: nights
    see: {where: draws, at_least: 1}
    at_least: 50 %
    because: it is
  - id: hurts
    average: attacks
    draw: nights
    of: damage
    at_least: 1
    because: it does
  - id: walk
    simulate: attacks
    pools: {done: 0}
    turn: {draw: attacks, add: {done: damage}}
    turns: 18
    measure: done
    because: all of it
"""


def names(root: Path, language: str = "en") -> Mapping[str, Any]:
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    return RulebookContext(game, language, designer=True).names


@pytest.fixture
def offered(make_game: MakeGame) -> Mapping[str, Any]:
    return names(make_game({"cards/rules.yaml": RULES}, like=TESTS / "rules/kinds/chance"))


def test_chances_are_those_of_rules(offered: Mapping[str, Any]) -> None:
    seen = offered["chance"]("attacks", draw=7, where="draws", at_least=1)
    assert seen == offered["chance"](rule="seen") == pytest.approx(0.89215686)
    assert offered["chance"]("weather", draw=1, where="damage", exactly=0) == 0.75
    assert offered["chance"](dice="2d6", total="value", at_least=9) == pytest.approx(10 / 36)


def test_means_and_where_nine_of_ten_lie(offered: Mapping[str, Any]) -> None:
    asked = {"draw": 7, "of": "damage"}
    mean = offered["average"]("attacks", **asked)
    assert mean == offered["average"](rule="hurts") == pytest.approx(7 * 28 / 18)
    assert offered["mostly"]("attacks", **asked) == [9, 13]
    assert offered["average"](dice="2d6") == 7


def test_simulations_are_told(offered: Mapping[str, Any]) -> None:
    found = offered["simulated"]("walk")
    assert (found["mean"], found["low"], found["high"], found["runs"]) == (28, 28, 28, 1000)


def test_a_distribution_is_drawn(make_game: MakeGame) -> None:
    game, _ = rule_file.load_game(make_game(like=TESTS / "rules/kinds/chance"))
    assert game is not None
    offers = RulebookContext(game, "en", designer=False)
    assert offers.names["distribution"](dice="2d6", title="Two dice").strip() == "\x040\x05"
    (html,) = offers.fragments
    assert "Two dice · mean 7; nine of ten 3–11" in html
    assert html.count("<td>") == html.count("<th>") == 11
    assert html.count('class="rare"') == 2


def test_a_share_is_written_as_in_the_language(make_game: MakeGame) -> None:
    files = {"game.yaml": "game: test\ntitle: Test\nlanguages: [fi]\nconstants: {nights: 7}\n"}
    percent = names(make_game(files, like=TESTS / "rules/kinds/chance"), "fi")["percent"]
    assert percent(0.8921) == "89\u00a0%"
    assert percent(0.8921, 1) == "89,2\u00a0%"


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("chance", {"deck": "attacks", "drew": 3}, "has no argument 'drew'; did you mean 'draw'"),
        ("chance", {"deck": "attack", "draw": 1, "at_least": 1}, "there is no deck 'attack'"),
        ("chance", {"deck": "weather", "draw": 9, "at_least": 1}, "weather has only 4"),
        ("chance", {"draw": 1}, "name a deck"),
        ("chance", {"rule": "sean"}, "there is no rule 'sean'; did you mean 'seen'"),
        ("chance", {"rule": "hurts"}, "the rule hurts is of kind average, not chance"),
        ("average", {"deck": "attacks", "draw": 1}, "the rule needs of:"),
        ("percent", {"share": "much"}, "'much' is no number"),
    ],
)
def test_what_cannot_be_asked_is_told(
    offered: Mapping[str, Any], name: str, given: dict[str, Any], why: str
) -> None:
    with pytest.raises(EvaluationError, match=why):
        offered[name](**given)


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [
        (0.999, 0, ">99\u00a0%"),
        (0.001, 0, "<1\u00a0%"),
        (0.99996, 2, ">99.99\u00a0%"),
        (0.0001, 1, "<0.1\u00a0%"),
        (0, 0, "0\u00a0%"),
        (1, 0, "100\u00a0%"),
        (0.725, 1, "72.5\u00a0%"),
    ],
)
def test_a_share_is_never_none_or_all_where_it_is_neither(
    offered: Mapping[str, Any], share: float, digits: int, said: str
) -> None:
    assert offered["percent"](share, digits) == said


@pytest.mark.parametrize("share", [72, 1.01, -0.1])
def test_what_is_no_share_of_one_is_told(offered: Mapping[str, Any], share: float) -> None:
    with pytest.raises(EvaluationError, match="is no share of 1"):
        offered["percent"](share)


def test_a_chart_leaves_out_cards_without_the_number(make_game: MakeGame) -> None:
    game, _ = rule_file.load_game(make_game(like=TESTS / "rules/kinds/chance"))
    assert game is not None
    offers = RulebookContext(game, "en", designer=False)
    offers.names["chart"]("weather", of="damage")
    offers.names["chart"]("attacks", of="damage")
    storm, attacks = offers.fragments
    assert "· 1 / 4</caption>" in storm
    assert storm.count("<tr>") == 1
    assert "· 18</caption>" in attacks

"""What rules measure, between which bounds, whether they hold or not."""

from __future__ import annotations

from conftest import MakeGame

from cardgen.rules import rule_file
from cardgen.rules.rule_base import RuleMeasure
from cardgen.rules.rule_kinds import RuleStatus, list_rule_statuses

SHIPS = """deck: ships
title: Ships
size: mini
front: card.html
fields: {kind: text, tons: integer}
cards:
  - {id: tug, kind: tug, tons: 2, copies: 3}
  - {id: ferry, kind: ferry, tons: 5}
"""
RULES = """rules:
  - {id: size, count: ships, is: 4, because: two each}
  - {id: few, count: ships, where: tons > 4, at_least: 2, at_most: 3, because: ferries}
  - {id: kinds, count: ships, by: kind, at_least: {tug: 2, ferry: 1}, because: both}
  - {id: tons, sum: ships, of: tons, at_most: 20, because: the harbour}
  - {id: mix, share: ships, by: kind, parts: {tug: 3/4, ferry: 1/4}, tolerance: 10 %, because: mix}
  - {id: heavy, portion: ships, where: tons > 4, is: 1/2, tolerance: 25 %, because: heavy}
  - {id: enough, stock: ships, given_by: ships, gives: tons - 2, besides: 2, because: stock}
  - {id: alone, unique: ships, of: id, because: names}
  - {id: lost, count: ships, where: tonnage > 4, is: 1, because: nothing}
"""


def found(make_game: MakeGame) -> dict[str, RuleStatus]:
    game, _ = rule_file.load_game(
        make_game({
            "game.yaml": "game: small\ntitle: Small\nlanguages: [en]\n",
            "cards/ships.yaml": SHIPS,
            "cards/rules.yaml": RULES,
            "templates/card.html": "<p>{{ card.kind }}</p>",
        })
    )  # fmt: skip
    assert game is not None
    return {each.rule.id: each for each in list_rule_statuses(game)}


def test_figures_stand_between_their_bounds(make_game: MakeGame) -> None:
    told = {name: each.measures for name, each in found(make_game).items()}
    assert told["size"] == (RuleMeasure("ships", 4, 4, 4),)
    assert told["few"] == (RuleMeasure("ships with tons > 4", 1, 2, 3),)
    assert told["kinds"] == (
        RuleMeasure("ships with kind tug", 3, 2, None),
        RuleMeasure("ships with kind ferry", 1, 1, None),
    )
    assert told["tons"] == (RuleMeasure("tons of ships", 11, None, 20),)
    tugs, ferries = told["mix"]
    assert (tugs.figure, tugs.least, tugs.most) == (3, 2.6, 3.4)
    assert (ferries.figure, ferries.least, ferries.most) == (1, 0.6, 1.4)
    assert told["heavy"] == (RuleMeasure("ships with tons > 4", 1, 1, 3),)
    assert told["enough"] == (RuleMeasure("ships", 4, 5, None),)


def test_a_measure_holds_exactly_where_its_rule_does(make_game: MakeGame) -> None:
    told = found(make_game)
    off = {
        name
        for name, each in told.items()
        if any(not one.is_within_bounds for one in each.measures)
    }
    assert off == {"few", "enough"}


def test_what_measures_nothing_has_figures_and_what_cannot_be_told_says_why(
    make_game: MakeGame,
) -> None:
    told = found(make_game)
    assert (told["alone"].measures, told["alone"].figures) == ((), ("ships: 2",))
    assert "tonnage" in told["lost"].error
    assert told["size"].requirement == "= 4"
    assert told["few"].requirement == "≥ 2, ≤ 3"

"""Expressions over the cards: what they see, what they count, how they fail."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import TESTS, MakeGame

from cardgen.core.problems import Source
from cardgen.game.model import Text
from cardgen.rules import rule_file
from cardgen.templates.expressions import CardDatabase, EvaluationError, sum_numbers

GAME = """\
game: test
title: {fi: Koe, en: Test}
languages: [fi, en]
players:
  - {id: pink, name: {fi: Pinkki, en: Pink}, colour: "#d95f8c"}
  - {id: blue, name: {fi: Sininen, en: Blue}, colour: "#1f5a96"}
constants:
  wage: 3
  itself: count('loot', itself)
  supplies: {food: {start: 12}}
"""
LOOT = """\
deck: loot
title: {fi: Saalis, en: Loot}
size: poker
front: loot.html
fields:
  name: text
  cash: integer
  goods: {type: list, of: integer}
  next: {type: reference, to: loot}
  scarface: {type: record, fields: {cash: integer}}
  sold: {type: list, of: {type: record, fields: {to: {type: reference, to: loot}, cash: integer}}}
cards:
  - {id: school, name: {fi: Koulu, en: School}, cash: 2, copies: 3, next: bank}
  - id: bank
    name: {fi: Pankki, en: Bank}
    goods: [1, 3]
    scarface: {cash: 1}
    sold: [{to: school}]
"""
UNITS = """\
deck: units
title: {fi: Joukot, en: Units}
size: poker
front: loot.html
for_each: player
cards:
  - {id: tank}
"""


@pytest.fixture
def database(make_game: MakeGame) -> CardDatabase:
    files = {"game.yaml": GAME, "cards/loot.yaml": LOOT, "cards/units.yaml": UNITS}
    game, problems = rule_file.load_game(make_game(files, like=TESTS / "problems" / "no-decks"))
    assert game is not None
    assert problems == []
    return CardDatabase(game)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('count("loot")', 4),
        ("count('loot', 'cash')", 3),
        ("count('loot', 'total(goods) > 3')", 1),
        ('sum_of("loot", "cash")', 6),
        ('sum_of("loot", "total(goods)", "cash == none")', 4),
        ('cards("loot", "cash") | map(attribute="id") | unique | join(", ")', "school"),
        ('cards("units") | map(attribute="player") | join(", ")', "pink, blue"),
        ("count('loot', 'name == \"Koulu\"')", 3),  # texts are those of the source language
        ("count('loot', 'next == \"bank\"')", 3),  # a reference is the id it names
        ("count('loot', 'sold and sold[0].to == \"school\"')", 1),  # in lists too
        ("count('units', 'player == \"pink\"')", 1),
        ("players * wage + supplies.food.start", 18),
        ("total(1, [2, 3], none)", 6),
        ("min(3, 2) + max(1, 2) + abs(-1) + round(2.4)", 7),
    ],
)
def test_functions_and_constants(database: CardDatabase, expression: str, value: object) -> None:
    assert database.evaluate(expression) == value


def test_a_record_left_out_is_nothing_and_so_are_its_fields(database: CardDatabase) -> None:
    school, bank = database.cards("loot")[0], database.cards("loot")[3]
    assert database.evaluate("total(scarface.cash)", school) == 0
    assert not database.evaluate("scarface", school)
    assert not database.evaluate("scarface and scarface.cash > 0", school)
    assert database.evaluate("scarface and scarface.cash > 0", bank)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("wgae", "'wgae' is undefined; did you mean 'wage'?"),
        ("supplies.fod", "there is no 'fod'; did you mean 'food'?"),
        ("supplies.ammunition", "there is no 'ammunition'; known: food"),
        ('count("lot")', "there is no deck 'lot'; did you mean 'loot'?"),
        ("count('loot', 'csh')", "'csh' is undefined; did you mean 'cash'?"),
        ("cont('loot')", "'cont' is undefined; did you mean 'count'?"),
        (
            "count('loot', 'cash > 1')",
            "'cash > 1' fails on bank: a field in it is left out there; "
            "to count it as 0, write (field or 0)",
        ),
        (
            'wage + "3"',
            "'wage + \"3\"' fails: a number and a text cannot be combined with +",
        ),
        (
            "wage = 3",
            "'wage = 3' is not a valid expression: "
            "it continues where it should end; write == for equals",
        ),
        ("(wage", "'(wage' is not a valid expression: a ) is missing at its end"),
        ("wage && 1", "'wage && 1' is not a valid expression: '&' has no meaning here; write and"),
        ("kind", "'kind' is undefined; a word goes in quotes, \"kind\""),
        ("constants.wage", "'constants' is undefined; here, write a constant by its name alone"),
        ("wage / 0", "'wage / 0' fails: division by zero"),
        ("count('loot', itself)", "'count('loot', itself)' refers to itself endlessly"),
        ("card.cash", "'card' is undefined; here, write a card's field by its name alone"),
        (
            "count('loot', 'name | dictsort')",
            "'name | dictsort' fails on school: the filter 'dictsort' cannot be used for a text",
        ),
        ("-" * 200 + "1", None),
        ("(" * 5000 + ")" * 5000, None),
        ("not " * 3000 + "1", None),
        (
            "b'x'",
            "'b'x'' is not a valid expression: "
            "it continues where it should end; write == for equals",
        ),
    ],
)
def test_failures_name_the_mistake(
    database: CardDatabase, expression: str, message: str | None
) -> None:
    with pytest.raises(EvaluationError) as failure:
        database.evaluate(expression)
    shown = expression if len(expression) <= 300 else f"{expression[:300]}…"
    deep = f"'{shown}' is not a valid expression: it is nested too deeply, or has too many parts"
    assert str(failure.value) == (message or deep)


def test_facts_tell_what_an_expression_was_reckoned_from(database: CardDatabase) -> None:
    expression = 'count("loot") == wage * players'
    assert not database.evaluate(expression)
    assert database.describe_constants(expression) == [
        "players is 2",
        "wage is 3",
        "count('loot') is 4",
    ]


@pytest.mark.parametrize(
    ("value", "total"),
    [
        (None, 0),
        (True, 0),
        ([1, 1, 3], 5),
        ({"food": 3, "fuel": None, "more": {"ammunition": 2}}, 5),
        (Text({"en": "3"}, Source("cards/loot.yaml")), 0),
    ],
)
def test_total_adds_every_number_however_deep(value: Any, total: float) -> None:
    assert sum_numbers(value) == total

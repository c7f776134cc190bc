"""Rules written once: for several values of a name, and with a figure for each value of a field."""

from __future__ import annotations

import pytest
from conftest import MakeGame

from cardgen.game.model import Game
from cardgen.rules import rule_file, rule_kinds
from cardgen.templates.expressions import CardDatabase, EvaluationError

DECK = """deck: %s
title: {en: Deck}
size: mini
front: card.html
fields: {kind: string, worth: integer}
cards:
  - {id: one, kind: a, worth: 1}
  - {id: two, kind: b, worth: 2, copies: 2}
  - {id: three, worth: 3}
"""
REST = "because: so, section: S"


def read(make_game: MakeGame, rules: str) -> tuple[Game, list[str]]:
    root = make_game({
        "game.yaml": "title: {en: Sides}\nlanguages: [en]\nconstants: {most: 2}\n",
        "cards/blue.yaml": DECK % "blue",
        "cards/grey.yaml": DECK % "grey",
        "templates/card.html": "{{ card.kind }}{{ card.worth }}",
        "cards/rules.yaml": f"rules:\n{rules}",
    })  # fmt: skip
    game, problems = rule_file.load_game(root)
    assert game is not None
    return game, [str(problem) for problem in problems]


def broken(game: Game) -> dict[str, list[str]]:
    database = CardDatabase(game)
    return {
        rule.id: [*rule_kinds.make_rule_kind(rule, database).check(lambda _: {})]
        for rule in game.rules
    }


def test_a_rule_of_each_value(make_game: MakeGame) -> None:
    game, told = read(
        make_game,
        "  - {id: army, for_each: {side: [blue, grey], number: [1, 2]}, count: '{side}', "
        "where: \"worth == {number}\", is: '{number}', because: '{side} has {number}', "
        "section: S}\n",
    )
    assert told == []
    assert [rule.id for rule in game.rules] == [
        "army-blue-1", "army-blue-2", "army-grey-1", "army-grey-2",
    ]  # fmt: skip
    assert game.rules[1].because == "blue has 2"
    assert game.rules[1].arguments == {"count": "blue", "where": "worth == 2", "is": "2"}
    assert set(map(tuple, broken(game).values())) == {()}


def test_an_id_may_name_them(make_game: MakeGame) -> None:
    game, _ = read(
        make_game,
        f"  - {{id: '{{side}}-army', for_each: {{side: [blue, grey]}}, count: '{{side}}', is: 4, "
        f"{REST}}}\n",
    )
    assert [rule.id for rule in game.rules] == ["blue-army", "grey-army"]


def test_what_differs_is_a_mapping(make_game: MakeGame) -> None:
    """Not the parts of a share, nor figures by a field."""
    game, told = read(
        make_game,
        "  - {id: army, for_each: {side: [blue, grey]}, count: '{side}', is: {blue: 4, grey: 3}, "
        "because: {grey: fewer, blue: all}, section: S}\n"
        "  - {id: mix, for_each: {kind: [a, b]}, share: blue, by: kind, "
        "parts: {a: 1/4, b: 1/2}, because: so, section: S}\n"
        "  - {id: each, for_each: {kind: [a, b]}, count: blue, by: kind, is: {a: 1, b: 2}, "
        f"{REST}}}\n",
    )
    assert told == []
    assert [(r.arguments["is"], r.because) for r in game.rules[:2]] == [(4, "all"), (3, "fewer")]
    assert game.rules[2].arguments["parts"] == {"a": "1/4", "b": "1/2"}
    assert game.rules[4].arguments["is"] == {"a": 1, "b": 2}


def test_braces_of_an_expression_stay(make_game: MakeGame) -> None:
    game, told = read(
        make_game,
        "  - id: army\n    for_each: {side: [blue, grey]}\n"
        '    require: \'{"blue": 4, "grey": 4}["{side}"] == count("{side}")\'\n'
        f"    {REST.replace(', ', chr(10) + '    ')}\n",
    )
    assert told == []
    assert set(map(tuple, broken(game).values())) == {()}


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("[a]", "for_each is a list; map a name to values, {side: [blue, grey]} [rule]"),
        ("{side: blue}",
         "for_each: side is 'blue'; write a list of words or numbers [rule]"),
        ("{side: []}", "for_each: side is a list; write a list of words or numbers [rule]"),
        ("{Side: [a]}", "for_each: 'Side' is not a name; use small letters, digits and _ [rule]"),
        ("{sdie: [a]}", "'{side}' is not a name of for_each; did you mean 'sdie'? [rule]"),
        ("{" + ", ".join(f"n{n}: [1, 2, 3, 4, 5, 6, 7, 8, 9]" for n in range(99)) + "}",
         f"for_each makes {9**99} rules of one; the limit is 500 [bounds]"),
    ],
    ids=lambda value: value[:30],
)  # fmt: skip
def test_what_is_no_list_of_values(make_game: MakeGame, written: str, line: str) -> None:
    game, told = read(
        make_game, f"  - {{id: army, for_each: {written}, count: '{{side}}', is: 4, {REST}}}\n"
    )
    assert game.rules == ()
    assert f"error: {line}"[:200] in told[0] or told[0].endswith(line[-30:])


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        ("count: blue, by: kind, is: {a: 1, b: 2}", []),
        ("count: blue, by: kind, is: {a: 1, b: most, c: 1, left out: 1}",
         ["blue has 0 cards with kind c, expected 1; in question: none"]),
        ("count: [blue, grey], by: kind, is: {a: 2}, together: true", []),
        ("count: blue, by: worth, at_least: {1: 2}, at_most: 1",
         ["blue has 1 card with worth 1, expected at least 2; in question: one",
          "blue has 2 cards with worth 2, expected at most 1; in question: 2 × two"]),
        ("count: blue, by: kind, where: worth > 1, is: {b: 3}",
         ["blue has 2 cards with worth > 1 and kind b, expected 3; in question: 2 × two"]),
        ("sum: blue, of: worth, by: kind, is: {a: 1, b: 4, left out: 3}", []),
        ("sum: blue, of: worth, by: kind, at_most: 3",
         ["worth sums to 4 in blue with kind b, expected at most 3; in question: 2 × two"]),
    ],
)  # fmt: skip
def test_a_figure_for_each_value(make_game: MakeGame, rule: str, lines: list[str]) -> None:
    game, told = read(make_game, f"  - {{id: r, {rule}, {REST}}}\n")
    assert told == []
    assert broken(game)["r"] == lines


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("count: blue, is: {a: 1}", "one figure per value needs by:, the field with those values"),
        ("count: blue, by: kind", "the rule needs is:, at_least: or at_most:"),
        ("count: blue, by: kind, is: {a: few}", "'few' is undefined"),
    ],
)
def test_figures_that_are_none(make_game: MakeGame, rule: str, why: str) -> None:
    game, _ = read(make_game, f"  - {{id: r, {rule}, {REST}}}\n")
    with pytest.raises(EvaluationError, match=why):
        broken(game)


def test_books_print_the_figures_of_values(make_game: MakeGame) -> None:
    game, _ = read(make_game, f"  - {{id: r, count: blue, by: kind, is: {{a: 1, b: 2}}, {REST}}}\n")
    (row,) = rule_kinds.list_rule_rows(
        game.rules, CardDatabase(game), {"at_least": "≥", "at_most": "≤"}
    )
    assert (row["asks"], row["figures"]) == ("= a 1, b 2", "blue: a 1, b 2")

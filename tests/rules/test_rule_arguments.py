"""What rules about odds ask for that is no figure, no share or no condition: told, with what to
write, and never reckoned with as something else."""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame

from cardgen.rules import rule_file

CHANCE = "chance: attacks\ndraw: 2\nat_least: 1 %\nsee: "
AVERAGE = "average: attacks\ndraw: 2\nof: damage\n"
FLOW = "simulate: weather\npools: {hit: 0}\nturn: {draw: weather, add: {hit: damage}}\nturns: 2\n"
SHARE = f"{FLOW}measure: hit > 0\n"
NUMBER = f"{FLOW}measure: hit\n"


def told(make_game: MakeGame, rule: str) -> str:
    lines = "".join(f"    {line}\n" for line in ["because: it is", *rule.splitlines()])
    rules = f"rules:\n  - id: asked\n{lines}"
    root = make_game({"cards/rules.yaml": rules}, like=TESTS / "rules/kinds/chance")
    game, problems = rule_file.load_game(root)
    assert game is not None
    return "\n".join(
        each.message for each in [*problems, *rule_file.check_card_rules(game, lambda _: {})]
    )


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (f"{SHARE}is: 50 %\ntolerance: 2", "2 is more than the whole; write 2 %"),
        (f"{SHARE}is: 50", "50 is more than the whole; write 50 %"),
        (f"{SHARE}at_least: 99", "99 is more than the whole; write 99 %"),
        (f"{SHARE}at_least: 5 * 5", "5 * 5 comes to 25, not a share"),
        (f"{SHARE}at_least: 20 %\ntolerance: 5 %", "tolerance: goes with is:"),
        (f"{NUMBER}at_least: 90 %", "90 % is a share, and hit comes to"),
        (f"{NUMBER}is: 1\ntolerance: -1", "tolerance: is -1; it must be at least 0"),
        (f"{NUMBER}is: 1-2", "write at_least: 1, at_most: 2"),
        (f"{NUMBER}at_least: 3\nat_most: 1", "nothing is at least 3 and at most 1; swap them"),
        (f"{CHANCE}{{where: damage, is: 1-2}}", "write at_least: 1, at_most: 2"),
        (f"{CHANCE}{{where: damage, at_least: -1}}", "must be whole, 0 or more"),
        (f"{CHANCE}{{where: damage, at_least: 0.5}}", "must be whole, 0 or more"),
        (f"{CHANCE}{{where: damage, at_least: 2, at_most: 1}}", "at least 2 and at most 1"),
        (f"{CHANCE}{{total: damage, at_least: 20 %}}", "20 % is a share; write a number"),
        (f"{CHANCE}{{where: damage, is: 1}}\nat_most: 0.5 %", "at least 1 % and at most 0.5 %"),
        (f"{CHANCE}{{where: damage, is: 1}}\nis: 20-30 %", "at_least: 20 %, at_most: 30 %"),
        (f"{CHANCE}{{where: damage, is: 1}}\nis: 92,5 %", "write decimals with a point: 92.5 %"),
        (f"{AVERAGE}at_least: 0,95", "write decimals with a point: 0.95"),
        (f"{AVERAGE}at_least: 9\nat_most: 5", "nothing is at least 9 and at most 5"),
        (f"{AVERAGE}mostly: [9, 5]", "nothing lies from 9 to 5; write [5, 9]"),
        (f"{AVERAGE}spread: -1", "spread: is -1; it must be at least 0"),
        ("count: attacks\nis: 18-20", "write at_least: 18, at_most: 20"),
    ],
)
def test_figures_that_are_none_are_told(make_game: MakeGame, rule: str, said: str) -> None:
    assert said in told(make_game, rule)


@pytest.mark.parametrize(
    "rule",
    [
        f"{SHARE}is: 50 %\ntolerance: 10 %",
        f"{SHARE}is: 0.5\ntolerance: 0.1",
        f"{SHARE}at_least: 1/4",
        f"{NUMBER}is: 1.5\ntolerance: 20 %",
        f"{AVERAGE}is: 3\ntolerance: 10 %",
        "count: attacks\nis: 20-2",
    ],
)
def test_what_can_be_meant_is_taken(make_game: MakeGame, rule: str) -> None:
    assert told(make_game, rule) == ""


MIXED = "chance: [attacks, weather]\ndraw: {attacks: 1, weather: 1}\nat_least: 1 %\nsee: "


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (f"{CHANCE}{{where: 5, at_least: 1}}", "a part of it is 5, which holds on every card"),
        (
            CHANCE + "{where: 'name == \"Mine\" or \"Shell\"', at_least: 1}",
            "the text 'Shell', which holds on every card; compare it: name == \"Shell\"",
        ),
        (f"{CHANCE}{{where: damage > 1 or name, at_least: 1}}", "the text 'Shell'; compare it"),
        (f"keep: 'not \"x\"'\n{CHANCE}{{where: damage, is: 1}}", "not a condition"),
        (f"remove: 1 and damage\n{CHANCE}{{where: damage, is: 1}}", "not a condition"),
        ("count: attacks\nwhere: '\"mine\"'\nat_least: 1", "not a condition"),
        (f"remove: 1\n{NUMBER}at_least: 1", "not a condition"),
        ("chance: attacks\nsee: {where: damage, is: 1}\nat_least: 1 %\ndraw: four",
         "'four' is undefined; write a number: 4"),
        (f"{CHANCE}{{name: Mine, at_least: 1}}", 'for a field, write where: name == "Mine"'),
        ("chance: 2d6\nsee: {total: value, is: 7}\nat_least: 1 %", "chance: {dice: 2d6}"),
        ("dice: 2d6\nsee: {total: value, is: 7}\nat_least: 1 %", "chance: {dice: 2d6}"),
        (f"{NUMBER}days: 7", "did you mean 'turns'?"),
        (f"{MIXED}{{where: draws or sky, at_least: 1}}", "'sky' is undefined"),
    ],
)  # fmt: skip
def test_conditions_that_are_none_and_words_of_others(
    make_game: MakeGame, rule: str, said: str
) -> None:
    assert said in told(make_game, rule)


@pytest.mark.parametrize(
    "where",
    ["damage", "damage and not draws", "name == 'Mine' or draws", "damage in [1, 2]", "true"],
)
def test_fields_that_are_there_or_not_are_conditions(make_game: MakeGame, where: str) -> None:
    assert told(make_game, f'{CHANCE}{{where: "{where}", at_least: 1}}') == ""


GEMS = """\
deck: gems
title: Gems
size: poker
front: attack.html
fields: {name: text, kind: {type: choice, of: [gem, food]}}
cards: [{id: ruby, name: Ruby, kind: gem}, {id: bread, name: Bread, kind: food}]
"""


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ('chance: gems\ndraw: 1\nis: 50 %\nsee: {where: kind == "gems", at_least: 1}',
         "kind is never 'gems'; did you mean 'gem'?"),
        ('count: gems\nwhere: kind == "gems"\nis: 0', "kind is never 'gems'"),
        ('chance: gems\ndraw: 1\nis: 50 %\nsee: {where: kind == "gem", at_least: 1}', ""),
        ('chance: [gems, weather]\ntogether: true\ndraw: 1\nis: 50 %\n'
         'see: {where: kind == "gem", at_least: 1}', "sun has no kind"),
        ('chance: [gems, weather]\ndraw: {gems: 1, weather: 1}\nis: 50 %\n'
         'see: {where: kind == "gem", at_least: 1}', "sun has no kind; write deck: gems"),
    ],
)  # fmt: skip
def test_values_and_fields_that_cards_do_not_have(
    make_game: MakeGame, rule: str, said: str
) -> None:
    lines = "".join(f"    {line}\n" for line in ["because: it is", *rule.splitlines()])
    files = {"cards/rules.yaml": f"rules:\n  - id: asked\n{lines}", "cards/gems.yaml": GEMS}
    game, _ = rule_file.load_game(make_game(files, like=TESTS / "rules/kinds/chance"))
    assert game is not None
    found = "\n".join(each.message for each in rule_file.check_card_rules(game, lambda _: {}))
    assert said in found
    assert bool(found) is bool(said)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("chance: weather\ndraw: 1\nis: 0\nsee: {where: damage, at_least: 1}",
         "0 such cards instead of 1 would give 0 %"),
        ("chance: weather\ndraw: 1\nis: 50 %\nsee: {where: damage, at_least: 1}",
         "2 such cards instead of 1, in place of others, would give 50 %"),
        ("chance: attacks\nsee: {where: draws, at_least: 1}\ndraw: 1\nis: 1/18",
         "1 such card instead of 4 would give 5.6 %"),
    ],
)  # fmt: skip
def test_remedies_keep_the_size_of_the_deck(make_game: MakeGame, rule: str, said: str) -> None:
    assert said in told(make_game, rule)


def test_absurd_remedies_are_not_told(make_game: MakeGame) -> None:
    absurd = told(make_game, f"{AVERAGE}at_least: 20")
    assert "expected at least 20" in absurd
    assert "adding up" not in absurd

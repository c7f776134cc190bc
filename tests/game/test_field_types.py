"""Declared fields: what a declaration accepts, what it defaults to, what it says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.core import yaml_nodes
from cardgen.game.checker import Checker
from cardgen.game.field_types import read_declarations, read_values
from cardgen.game.keys import check_keys
from cardgen.game.model import CardReference, Text


def checked(declaration: str, card: str, languages: tuple[str, ...] = ("fi", "en")) -> Any:
    """The checked value of the field `f`, and what was told of it and of its declaration."""
    checker = Checker(languages, ("bread", "fuel"), ("ink", "paper"))
    fields_node, _ = yaml_nodes.load(f"f: {declaration}", "deck.yaml")
    card_node, _ = yaml_nodes.load(card, "deck.yaml")
    assert fields_node is not None
    assert card_node is not None
    fields = read_declarations(fields_node, checker)
    check_keys(card_node, {*fields, "id"}, "school", checker.report)
    value = read_values(checker, card_node, fields, "school")["f"]
    return value, [problem.message for problem in checker.problems]


@pytest.mark.parametrize(
    ("declaration", "card", "value"),
    [
        ("integer", "f: 3", 3),
        ("{type: integer, min: 1, max: 3}", "f: 3", 3),
        ("number", "f: 2.5", 2.5),
        ("number", "f: 2", 2),
        ("boolean", "f: true", True),
        ("string", "f: 12:30", "12:30"),
        ("string", "f: 3", "3"),
        ("{type: choice, of: [1, money]}", "f: 1", 1),
        ("{type: list, of: integer}", "f: [1, 1]", (1, 1)),
        ("list", "f: [a, b]", ("a", "b")),
        ("{type: record, fields: {cash: integer}}", "f: {cash: 1}", {"cash": 1}),
        ("icon", "f: bread", "bread"),
        ("colour", "f: ink", "ink"),
        # left out
        ("integer", "id: school", None),
        ("text", "id: school", None),
        ("boolean", "id: school", False),
        ("list", "id: school", ()),
        ("{type: integer, default: 2}", "id: school", 2),
        ("{type: list, of: integer, default: [1]}", "id: school", (1,)),
    ],
)
def test_values(declaration: str, card: str, value: object) -> None:
    found, told = checked(declaration, card)
    assert told == []
    assert found == value


def test_a_text_stands_in_every_language() -> None:
    found, told = checked("text", "f: {fi: Koulu, en: School}")
    assert isinstance(found, Text)
    assert (dict(found), told) == ({"fi": "Koulu", "en": "School"}, [])


def test_a_game_of_one_language_may_leave_the_language_out() -> None:
    found, told = checked("text", "f: School", languages=("en",))
    assert (dict(found), told) == ({"en": "School"}, [])
    found, told = checked("text", "f: 64", languages=("en",))
    assert (dict(found), told) == ({"en": "64"}, [])


def test_a_reference_knows_its_deck_and_line() -> None:
    found, told = checked("{type: reference, to: units}", "f: tank")
    assert isinstance(found, CardReference)
    assert (found.deck, found.piece, str(found.source), told) == (
        "units",
        "tank",
        "deck.yaml:1",
        [],
    )


@pytest.mark.parametrize(
    ("declaration", "card", "message"),
    [
        ("integer", "f: true", "'f' of school is true; expected a whole number"),
        ("integer", "f: 2.0", "'f' of school is 2.0; expected a whole number"),
        ("{type: number, max: 1.5}", "f: 2", "'f' of school is 2; it must be at most 1.5"),
        (
            "{type: list, min: 2}",
            "f: [a]",
            "'f' of school has 1 entry; it must be at least 2",
        ),
        ("{type: choice, of: [yes]}", "f: no", "'f' of school is 'no'; expected yes"),
        ("{type: choice, of: [1, 3]}", "f: true", "'f' of school is true; expected 1 or 3"),
        ("{type: choice, of: [1, 3]}", "f: [1]", "'f' of school is a list; expected 1 or 3"),
        ("text", "f: {fi: Koulu}", "'f' of school has no text"),
        (
            "text",
            "f: School",
            "'f' of school has no text; in several languages it is written {fi: …, en: …}",
        ),
        (
            "{type: reference, to: units}",
            "f: 3",
            "'f' of school is 3; expected the id of a card of units",
        ),
        ("colour", "f: 3", "'f' of school is 3; expected the name of a colour"),
        ("icon", "f: 3", "'f' of school is 3; expected the name of an icon"),
        ("icon", "f: bred", "'f' of school: there is no icon 'bred'; did you mean 'bread'?"),
        ("{type: text, required: true}", "id: school", "'f' is missing in school"),
        ("integer", "{id: school, g: 1}", "unknown field 'g' in school; known: f, id"),
        # the declaration itself
        ("txt", "id: school", "field 'f' has the type 'txt'; did you mean 'text'?"),
        ("{min: 1}", "id: school", None),
        ("[text]", "id: school", None),
        ("choice", "id: school", "field 'f': a choice needs of: [a, b, …]"),
        ("record", "id: school", "field 'f': a record needs fields: …"),
        ("reference", "id: school", "field 'f': a reference needs to: DECK"),
        ("{type: integer, min: one}", "id: school", "min is 'one'; expected a number"),
        (
            "{type: integer, default: one}",
            "id: school",
            "'f' is 'one'; expected a whole number",
        ),
        ("{type: text, max: 3}", "id: school", None),
    ],
)
def test_messages(declaration: str, card: str, message: str | None) -> None:
    _, told = checked(declaration, card)
    assert len(told) == 1
    if message:
        assert told == [message]


def test_a_mistake_in_a_list_leaves_the_rest() -> None:
    found, told = checked("{type: list, of: integer}", "f: [1, two, 3]")
    assert found == (1, None, 3)
    assert told == ["'f' of school is 'two'; expected a whole number"]

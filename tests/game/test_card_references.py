"""Texts that name other cards."""

from __future__ import annotations

import pytest
from conftest import MakeGame

from cardgen.game import loader
from cardgen.game.model import Text

DECK = """deck: {0}
title: {{fi: P, en: D}}
size: poker
front: a.html
fields: {{name: text, text: text, notes: {{type: list, of: text}}, note: string}}
cards:
  - {{id: king, name: {{fi: Kuningas, en: "**King**"}}{1}}}
  - {{id: {2}, text: {{fi: "{3}", en: "{3}"}}}}
"""


def load(make_game: MakeGame, text: str, more: str = "") -> tuple[dict[str, Text], list[str]]:
    """The texts of one card that say `text`, and what is told of it."""
    game, problems = loader.load_game(
        make_game({
            "game.yaml": "game: g\ntitle: {fi: G, en: G}\nlanguages: [fi, en]\n",
            "cards/court.yaml": DECK.format("court", more, "page", text),
            "cards/troops.yaml": DECK.format("troops", "", "guard", "-"),
        })
    )  # fmt: skip
    assert game is not None
    told = [str(problem) for problem in problems if "template" not in problem.kind]
    return {piece.id: piece.values["text"] for piece in game.decks[0].pieces}, told


@pytest.mark.parametrize(
    ("text", "fi", "en"),
    [
        ("Serve {card:king}.", "Serve Kuningas.", "Serve **King**."),
        ("{card:troops/king} {card:guard}", "Kuningas guard", "**King** guard"),
        ("{card:page}", "page", "page"),
        (r"\\{card:king}", r"\{card:king}", r"\{card:king}"),
    ],
)
def test_the_name_stands_in_the_place_of_the_sign(
    make_game: MakeGame, text: str, fi: str, en: str
) -> None:
    texts, told = load(make_game, text)
    assert dict(texts["page"]) == {"fi": fi, "en": en}
    assert told == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{card:kign}", "{card:kign}: there is no card 'kign'; did you mean 'king'?"),
        ("{card:troop/king}", "there is no deck 'troop'; did you mean 'troops'?"),
        ("{card:troops/gard}", "there is no card 'gard' in troops; did you mean 'guard'?"),
    ],
)
def test_a_card_that_is_not_there_is_told_at_its_line(
    make_game: MakeGame, text: str, said: str
) -> None:
    _, told = load(make_game, text)
    assert len(told) == 2
    assert all(line.startswith("cards/court.yaml:8: error: court/page [") for line in told)
    assert all(said in line for line in told)


def test_a_name_that_refers_to_a_card_is_told_at_that_name(make_game: MakeGame) -> None:
    """Once, however many refer to it; one that nobody refers to is a text like any other."""
    deck = (
        "deck: d\ntitle: D\nsize: poker\nfront: a.html\nfields: {name: text, text: text}\ncards:\n"
        '  - {id: a, name: A, text: "{card:b} {card:b}"}\n'
        '  - {id: b, name: "B of {card:a}", text: "{card:a}, {card:b}"}\n'
        '  - {id: c, name: "C of {card:a}"}\n'
    )
    game, problems = loader.load_game(
        make_game({
            "game.yaml": "game: g\ntitle: G\nlanguages: [en]\n",
            "cards/d.yaml": deck,
            "templates/a.html": "<p>{{ card.name }} {{ card.text }}</p>",
        })
    )  # fmt: skip
    assert game is not None
    assert [str(problem) for problem in problems] == [
        "cards/d.yaml:8: error: d/b [en]: the name of d/b refers to a card itself, which is not "
        "followed [reference]"
    ]
    names = {piece.id: piece.values["name"] for piece in game.decks[0].pieces}
    assert [dict(name)["en"] for name in names.values()] == ["A", "B of A", "C of A"]


def test_one_of_several_decks_must_be_named(make_game: MakeGame) -> None:
    deck = "deck: {}\ntitle: D\nsize: poker\nfront: a.html\n"
    game, problems = loader.load_game(
        make_game({
            "game.yaml": "game: g\ntitle: G\nlanguages: [en]\n",
            "cards/court.yaml": deck.format("court") + "cards: [{id: king}]\n",
            "cards/troops.yaml": deck.format("troops") + "cards: [{id: king}]\n",
            "cards/aids.yaml": deck.format("aids")
            + 'fields: {text: text}\ncards: [{id: aid, text: "{card:king}"}]\n',
        })
    )  # fmt: skip
    assert game is not None
    said = "several decks have a card 'king'; write {card:court/king}"
    assert [problem for problem in problems if said in problem.message]

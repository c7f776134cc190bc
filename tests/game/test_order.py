"""`order: player`: the pieces of one player before the next one's."""

from __future__ import annotations

import pytest
from conftest import TESTS, MakeGame

from cardgen.game.model import Game
from cardgen.rules import rule_file

GAME = """\
game: small
title: Small
languages: [en]
players:
  - {id: red, name: Red, colour: "#c0392b"}
  - {id: blue, name: Blue, colour: "#1f5a96"}
"""
DECK = """\
deck: units
title: Units
size: poker
front: loot.html
cards:
  - {id: tank}
  - {id: boat}
"""


def read(make_game: MakeGame, more: str) -> tuple[Game | None, list[str]]:
    files = {"game.yaml": GAME, "cards/units.yaml": DECK + more}
    game, problems = rule_file.load_game(make_game(files, like=TESTS / "problems" / "no-decks"))
    return game, [str(problem) for problem in problems]


@pytest.mark.parametrize(
    ("more", "ids"),
    [
        ("for_each: player\n", ["tank-red", "tank-blue", "boat-red", "boat-blue"]),
        ("for_each: player\norder: player\n", ["tank-red", "boat-red", "tank-blue", "boat-blue"]),
    ],
)
def test_pieces_come_card_by_card_or_player_by_player(
    make_game: MakeGame, more: str, ids: list[str]
) -> None:
    game, problems = read(make_game, more)
    assert problems == []
    assert game is not None
    deck = game.get_deck("units")
    assert deck is not None
    assert [piece.id for piece in deck.pieces] == ids
    assert [piece.number for piece in deck.pieces] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("for_each: player\norder: card\n", "order is 'card'; expected player [type]"),
        (
            "order: player\n",
            "order: player has no effect without for_each: player; add that, too [fields]",
        ),
    ],
)
def test_what_is_wrong_with_an_order_is_told(make_game: MakeGame, more: str, told: str) -> None:
    _, problems = read(make_game, more)
    assert len(problems) == 1
    assert problems[0].endswith(told)

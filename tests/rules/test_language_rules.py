"""Rules about a game's languages: what is translated, and told apart in each of them."""

from __future__ import annotations

import pytest
from conftest import MakeGame

from cardgen.core.problems import Source
from cardgen.game.model import Rule
from cardgen.rules import rule_file, rule_kinds
from cardgen.templates.expressions import CardDatabase, EvaluationError

GAME = "game: small\ntitle: Small\nlanguages: [en, fi, sv]\nfallback: true\n"
CARDS = """deck: aces
title: Aces
size: poker
look: classic
fields: {name: text, notes: {type: list, of: text}, cost: integer}
cards:
  - {id: a, cost: 1, name: {en: One, fi: Yksi, sv: One}, notes: [{en: Go, fi: Mene, sv: Gå}]}
  - {id: b, cost: 2, copies: 3, name: {en: Two, fi: Yksi, sv: Två}, notes: [{en: Do, fi: Do}]}
  - {id: c, cost: 3, name: {en: Two, fi: Kaksi}, notes: [{en: "7", fi: "7", sv: "7"}]}
"""


def broken(make_game: MakeGame, kind: str, **arguments: object) -> list[str]:
    game, _ = rule_file.load_game(make_game({"game.yaml": GAME, "cards/aces.yaml": CARDS}))
    assert game is not None
    given = {key.rstrip("_"): value for key, value in arguments.items()}
    rule = Rule("x", kind, {kind: "aces", **given}, "error", "so", "", Source("rules"))
    return [*rule_kinds.make_rule_kind(rule, CardDatabase(game)).check(lambda _: {})]


def test_what_was_forgotten_is_told_by_field_and_language(make_game: MakeGame) -> None:
    assert broken(make_game, "translated") == [
        "aces: name in sv is what it is in en, 'One'; in question: a",
        "aces: notes in fi is what it is in en, 'Do'; in question: b",
    ]


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ({"except_": ["One", "notes"]}, 0),
        ({"except_": "b"}, 1),
        ({"of": "name"}, 1),
        ({"of": ["name", "notes"]}, 2),
        ({"where": "cost > 1"}, 1),
    ],
)
def test_some_may_be_the_same(make_game: MakeGame, arguments: dict[str, object], left: int) -> None:
    assert len(broken(make_game, "translated", **arguments)) == left


def test_cards_that_differ_differ_in_every_language(make_game: MakeGame) -> None:
    assert broken(make_game, "distinct", of="name") == [
        "aces: name in fi is 'Yksi' on 2 cards, which say 2 different things in en; "
        "in question: a, b"
    ]


def test_of_some_cards_alone(make_game: MakeGame) -> None:
    assert broken(make_game, "distinct", of="name", where="cost > 1") == []


@pytest.mark.parametrize("kind", ["translated", "distinct"])
def test_a_field_that_is_none_is_told(make_game: MakeGame, kind: str) -> None:
    with pytest.raises(EvaluationError, match="field 'nmae'"):
        broken(make_game, kind, of="nmae")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["two", "GÅ"], ["notes in sv has 'Gå'; in question: a",
                         "name in en has 'Two'; in question: b, c"]),
        ("Yks", []),
        ("yks*", ["name in fi has 'Yksi'; in question: a, b"]),
        (["o", ".*"], []),
    ],
)  # fmt: skip
def test_words_that_no_text_may_have(make_game: MakeGame, words: object, found: list[str]) -> None:
    """They are whole words, in any case and language, and no patterns."""
    assert broken(make_game, "forbidden_words", words=words) == [f"aces: {each}" for each in found]


def test_no_words_are_a_mistake(make_game: MakeGame) -> None:
    with pytest.raises(EvaluationError, match="names no word"):
        broken(make_game, "forbidden_words", words=["*"])

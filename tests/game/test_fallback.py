"""`fallback: true`: a text that a language lacks is printed in the source language, and told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import MakeGame
from small_games import TEXT_GAME

from cardgen.game import loader, reload
from cardgen.templates.template_renderer import TemplateRenderer

HEAD = "game: small\ntitle: {en: Small, he: קטן}\nlanguages: [en, he]\n"
WORDS = "constants: {motto: {en: Sail}, n: {most: 3}}\n"
CARDS = """deck: loot
title: Loot
size: poker
front: loot.html
styles: [card.css]
fields: {name: text, text: text, art: string}
cards:
  - {id: barn, name: {en: Barn, he: אסם}, text: {en: "**Take** it."}, art: house}
  - {id: shop, name: Shop, text: {en: Pay., he: שלם}, art: house}
"""


def files(fallback: str) -> dict[str, str]:
    of_loot = {name: text for name, text in TEXT_GAME.items() if "note" not in name}
    return {**of_loot, "game.yaml": HEAD + WORDS + fallback, "cards/loot.yaml": CARDS}


def test_what_is_missing_is_one_warning_for_each_language(make_game: MakeGame) -> None:
    game, problems = loader.load_game(make_game(files("fallback: true\n")))
    assert game is not None
    assert game.fallback
    assert [str(problem) for problem in problems] == [
        "game.yaml:5: warning: [he]: 4 texts are missing in he, and printed in en instead "
        "(loot 3, game.yaml 1); 'cardgen texts' tells which [language]"
    ]
    barn, shop = game.decks[0].pieces
    assert barn.values["text"]["he"] == "**Take** it."
    assert barn.values["text"].get_language("he") == "en"
    assert barn.values["name"].get_language("he") == "he"
    assert shop.values["name"]["he"] == "Shop"
    assert game.constants["motto"]["he"] == "Sail"
    assert game.constants["n"] == {"most": 3}


@pytest.mark.parametrize("said", ["", "fallback: false\n"])
def test_without_it_each_is_an_error(make_game: MakeGame, said: str) -> None:
    game, problems = loader.load_game(make_game(files(said)))
    assert game is not None
    assert {(problem.kind, problem.severity) for problem in problems} == {("language", "error")}
    assert sorted(problem.message.partition(";")[0] for problem in problems) == [
        "'name' has no text", "'text' has no text", "the constant motto has no text",
        "the title has no text",
    ]  # fmt: skip


def test_what_the_source_lacks_is_an_error_all_the_same(make_game: MakeGame) -> None:
    given = {**files("fallback: true\n"), "cards/loot.yaml": CARDS.replace("{en: Pay., ", "{")}
    game, problems = loader.load_game(make_game(given))
    assert game is not None
    assert "'text' has no text" in [p.message for p in problems if p.severity == "error"]


def test_a_text_that_stands_in_says_its_language(make_game: MakeGame) -> None:
    game, _ = loader.load_game(make_game(files("fallback: true\n")))
    assert game is not None
    deck = game.decks[0]
    html = TemplateRenderer(game).render_face(deck, deck.pieces[0], "front", "he")
    assert '<span lang="en" dir="ltr"><b>Take</b> it.</span>' in str(html)
    assert ">אסם<" in str(html)


def test_a_deck_read_again_falls_back_too(make_game: MakeGame) -> None:
    root = make_game(files("fallback: true\n"))
    game, _ = loader.load_game(root)
    assert game is not None
    (root / "cards/loot.yaml").write_text(CARDS.replace("Shop", "Store"), encoding="utf-8")
    found = reload.reload_deck(game, frozenset({"cards/loot.yaml"}))
    assert found is not None
    assert found[1].pieces[1].values["name"]["he"] == "Store"
    strict = replace(game, fallback=False)
    assert reload.reload_deck(strict, frozenset({"cards/loot.yaml"})) is None

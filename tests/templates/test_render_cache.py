"""What templates made is remembered card by card: an edited card alone is rendered again."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from conftest import MakeGame

from cardgen.game import loader
from cardgen.game.model import Deck, Piece
from cardgen.runtime.content_store import Store
from cardgen.templates.render_cache import RenderCache
from cardgen.templates.template_renderer import TemplateRenderer

DECK = """deck: {name}
title: {{en: Deck}}
size: poker
front: card.html
back: back.html
fields: {{text: text}}
cards:
  - {{id: one, copies: 2, text: {{en: First}}}}
  - {{id: two, text: {{en: Second}}}}
  - {{id: three, text: {{en: Third}}}}
"""
FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/a.yaml": DECK.format(name="a"),
    "cards/b.yaml": DECK.format(name="b"),
    "templates/card.html": """{% include "part.inc" %}
{{ card.text }} {{ first_copy }}/{{ deck.count }}""",
    "templates/back.html": "{{ number }} of {{ deck.pieces }}",
    "templates/part.inc": "<b>part</b>",
}

Rendered = list[tuple[str, str, str]]


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(FILES)


def rendered(root: Path) -> Rendered:
    """The sides that are rendered anew; with an empty store, all would come out the same."""
    calls: Rendered = []

    class Counting(TemplateRenderer):
        def render_face(self, deck: Deck, piece: Piece, side: str, language: str) -> str | None:
            calls.append((deck.id, piece.id, side))
            return super().render_face(deck, piece, side, language)

    game, problems = loader.load_game(root)
    assert game is not None, problems
    found = RenderCache(Counting(game), Store(root / "store"), "engine")
    renders = [found.render_deck(deck, "en") for deck in game.decks]
    counted = list(calls)
    Store(root / "empty").remove_all()
    fresh = RenderCache(TemplateRenderer(game), Store(root / "empty"), "engine")
    assert renders == [fresh.render_deck(deck, "en") for deck in game.decks]
    return counted


def sides(deck: str, *cards: str) -> Rendered:
    return [(deck, card, side) for card in cards for side in ("front", "back")]


@pytest.mark.parametrize(("file", "old", "new", "expected"), [
    ("game.yaml", "", "", []),
    ("cards/a.yaml", "Second", "Other", sides("a", "two")),
    ("cards/a.yaml", "id: two", "id: four", sides("a", "four")),
    # How many there are, every card may say.
    ("cards/a.yaml", "copies: 2", "copies: 3", sides("a", "one", "two", "three")),
    ("cards/b.yaml", "  - {id: two, text: {en: Second}}\n", "", sides("b", "one", "three")),
    ("cards/b.yaml", "title: {en: Deck}", "title: {en: D}", sides("b", "one", "two", "three")),
    ("templates/back.html", "of", "from",
     [*sides("a", "one", "two", "three"), *sides("b", "one", "two", "three")]),
    ("templates/part.inc", "part", "bit",
     [*sides("a", "one", "two", "three"), *sides("b", "one", "two", "three")]),
])  # fmt: skip
def test_what_can_have_changed_is_rendered_and_nothing_else(
    root: Path, file: str, old: str, new: str, expected: Rendered
) -> None:
    assert len(rendered(root)) == 12
    path = root / file
    path.write_text(path.read_text().replace(old, new))
    assert rendered(root) == expected
    assert rendered(root) == []


def test_a_copy_more_of_one_and_less_of_another_moves_those_between(root: Path) -> None:
    """The deck holds as many as before; whose first copy is which, a card may say."""
    rendered(root)
    path = root / "cards/a.yaml"
    text = path.read_text().replace("copies: 2, ", "").replace("id: three", "id: three, copies: 2")
    path.write_text(text)
    assert rendered(root) == sides("a", "one", "two", "three")


@pytest.mark.parametrize("spoilt", [
    b"[]", b"{}", b'{"cards": [], "drawn": {}, "more": {}}',
    b'{"cards": {"x": 1}, "drawn": {}, "more": {}}',
    b'{"cards": {"x": [[1]]}, "drawn": {}, "more": {}}',
])  # fmt: skip
def test_an_entry_that_is_none_is_made_anew(root: Path, spoilt: bytes) -> None:
    rendered(root)
    for path in (root / "store" / "rendered").iterdir():
        Store(root / "store").write(path, spoilt)
    assert len(rendered(root)) == 12
    assert rendered(root) == []


def test_a_text_that_is_lent_no_longer_is_rendered_again(root: Path) -> None:
    """Its letters are the same; of which language they are is printed, too."""
    for path in (root / "game.yaml", root / "cards/a.yaml", root / "cards/b.yaml"):
        path.write_text(re.sub(r"\{en: (\w+)\}", r"{fi: \1, en: \1}", path.read_text()))
    (root / "game.yaml").write_text(
        (root / "game.yaml").read_text().replace("[en]", "[fi, en]") + "fallback: true\n"
    )
    path = root / "cards/a.yaml"
    whole = path.read_text()
    path.write_text(whole.replace("{fi: First, en: First}", "{fi: First}"))
    rendered(root)
    path.write_text(whole)
    assert rendered(root) == sides("a", "one")


STATEFUL = {
    "templates/memory.html": """{% set memory = namespace(n=0) %}
{% macro next() %}{% set memory.n = memory.n + 1 %}{{ memory.n }}{% endmacro %}""",
    "templates/dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{{ n }}</svg>',
    "templates/card.html": """{% import "memory.html" as shared %}
{% from "memory.html" import next %}{% import "memory.html" as own with context %}
{{ shared.next() }}{{ next() }}{{ own.next() }}{{ own.next() }}{{ card.id }}
{{ cards("a") | length }}{{ shared.memory.n }}{{ drawing("dot.svg", n=shared.next()) }}""",
}


def test_no_face_depends_on_those_rendered_before(make_game: MakeGame) -> None:
    game, problems = loader.load_game(make_game({**FILES, **STATEFUL}))
    assert game is not None, problems
    deck = game.decks[0]

    def render(renderer: TemplateRenderer, piece: Piece) -> str:
        html = renderer.render_face(deck, piece, "front", "en")
        assert html is not None, renderer.problems
        return html

    alone = [render(TemplateRenderer(game), piece) for piece in deck.pieces]
    for order in permutations(range(3)):
        together = TemplateRenderer(game)
        for place in (*order, *order):
            assert render(together, deck.pieces[place]) == alone[place]

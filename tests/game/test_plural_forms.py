"""Plural forms: CLDR's rules, words that have forms, and `plural()` in templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import MakeGame

from cardgen.core.problems import Problem
from cardgen.game import loader, plural_forms
from cardgen.game.model import Game
from cardgen.templates.template_renderer import TemplateRenderer

NUMBERS = range(3000)
HEAD = """game: small
title: {en: Small, ru: Мало}
languages: [en, ru]
words:
  cards:
    one: {en: card, ru: карта}
    few: {ru: карты}
    many: {ru: карт}
    other: {en: cards}
"""
DECK = """deck: loot
title: {en: Loot, ru: Добыча}
size: poker
front: loot.html
fields: {n: integer}
cards: [{id: a, n: 1}, {id: b, n: 3}, {id: c, n: 11}, {id: d, n: 22}]
"""
FRONT = "<p>{{ card.n }} {{ plural(card.n, words.cards) }}</p>"


def test_the_rules_are_those_of_cldr() -> None:
    babel = pytest.importorskip("babel")
    localedata = pytest.importorskip("babel.localedata")
    languages = {name for name in localedata.locale_identifiers() if "_" not in name} | {"pt_PT"}
    assert len(languages) > 300
    for name in sorted(languages - {"kw"}):
        rule, language = babel.Locale.parse(name).plural_form, name.replace("_", "-")
        found = [plural_forms.find_category(number, language) for number in NUMBERS]
        assert found == [rule(number) for number in NUMBERS], name


def test_regions_have_the_rule_of_their_language_and_decimals_the_form_other() -> None:
    assert plural_forms.find_category(0, "pt-BR") == plural_forms.find_category(0, "pt") == "one"
    assert plural_forms.find_category(0, "pt-PT") == "other"
    assert plural_forms.find_category(21, "sr-Latn") == "one"
    assert plural_forms.find_category(7, "zh-Hans") == "other"
    assert plural_forms.find_category(1.5, "ru") == plural_forms.find_category(1.5, "en") == "other"
    assert plural_forms.find_category(-1, "en") == "one"
    assert plural_forms.format_example_numbers("few", "ru") == "2, 3, 4, 22, 23 …"
    assert plural_forms.format_example_numbers("one", "en") == "1"


def read(root: Path) -> tuple[Game, list[Problem]]:
    game, problems = loader.load_game(root)
    assert game is not None
    return game, problems


def make(make_game: MakeGame, front: str = FRONT, head: str = HEAD) -> Path:
    return make_game({
        "game.yaml": head, "cards/loot.yaml": DECK, "templates/loot.html": front,
    })  # fmt: skip


def test_words_have_the_forms_of_each_language(make_game: MakeGame) -> None:
    game, problems = read(make(make_game))
    assert problems == []
    forms = {name: dict(text) for name, text in game.words["cards"].items()}
    assert forms == {
        "one": {"en": "card", "ru": "карта"}, "few": {"en": "cards", "ru": "карты"},
        "many": {"en": "cards", "ru": "карт"}, "other": {"en": "cards", "ru": "карт"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("    few: {ru: карты}\n", "",
         "game.yaml:6: error: [ru]: the word cards.few has no text [language]"),
        ("other: {en: cards}", "other: {fr: cartes}", "unknown language 'fr'"),
        ("one: {en: card, ru: карта}", "one: [a]", "the word cards.one is a list, not a text"),
    ],
)  # fmt: skip
def test_a_form_that_a_language_needs_and_lacks_is_reported(
    make_game: MakeGame, before: str, after: str, said: str
) -> None:
    _, problems = read(make(make_game, head=HEAD.replace(before, after)))
    assert said in "\n".join(map(str, problems))


def render(game: Game, language: str) -> tuple[list[str], list[str]]:
    """The first line of each front, and the problems of the templates."""
    renderer, deck = TemplateRenderer(game), game.decks[0]
    faces = [renderer.render_face(deck, piece, "front", language) for piece in deck.pieces]
    texts = [
        re.sub(r"<[^>]*>", "", each)
        for each in re.findall(r"<p.*?</p>", "".join(filter(None, faces)))
    ]
    return texts, list(map(str, renderer.problems))


def test_templates_print_the_form_of_a_number(make_game: MakeGame) -> None:
    game, _ = read(make(make_game))
    assert render(game, "ru") == (["1 карта", "3 карты", "11 карт", "22 карты"], [])
    assert render(game, "en")[0][:2] == ["1 card", "3 cards"]


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ('{{ plural(card.n, one="a", few="b", other="c") }}', ["a", "b", "c", "b"]),
        ('{{ plural(3, one="a") }}', "plural() lacks the form 'few', which 3 has in ru"),
        ('{{ plural("3", one="a") }}', "plural() counts '3', which is not a number"),
        ("{{ plural(3, words.no) }}", "there is no 'no'"),
        ("{{ plural(3, card.id) }}", "plural() expects the forms of a word, {one: …, other: …}"),
    ],
)
def test_forms_may_be_written_in_the_template(
    make_game: MakeGame, front: str, said: list[str] | str
) -> None:
    game, _ = read(make(make_game, f"<p>{front}</p>"))
    texts, problems = render(game, "ru")
    if isinstance(said, list):
        assert (texts, problems) == (said, [])
    else:
        assert said in problems[0]

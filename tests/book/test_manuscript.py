"""A rulebook's Jinja: what it offers, what it prints, and whose line is told when it fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import MakeGame

from cardgen.book import manuscript
from cardgen.book.manuscript import Manuscript
from cardgen.core.problems import Problem
from cardgen.rules import rule_file

GAME = (
    "game: harbour\ntitle: {fi: Satama, en: Harbour}\nlanguages: [fi, en]\n"
    "constants: {crates: 12, share: 1.5}\nwords: {big: {fi: Iso, en: Big}}\n"
)
DECK = """\
deck: ships
title: {fi: Laivat, en: Ships}
size: poker
front: ship.html
fields: {name: text, text: text, cargo: integer, kind: string}
cards:
  - {id: tug, name: {fi: Hinaaja, en: Tug}, cargo: 1, kind: big}
  - id: freighter
    copies: 3
    name: {fi: Rahtilaiva, en: Freighter}
    text: {fi: "**Pura** 2 | {crate} _heti_", en: "**Unload** 2 | {crate} _now_"}
    cargo: 4
"""


Read = Callable[..., tuple[str, list[str]]]


@pytest.fixture
def read(make_game: MakeGame) -> Read:
    def reading(text: str, language: str = "en", designer: bool = False) -> tuple[str, list[str]]:
        root = make_game({
            "game.yaml": GAME,
            "cards/ships.yaml": DECK,
            "templates/ship.html": "{{ card.name }}",
            "art/icons/crate.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
            f"rulebook/{language}.md": text,
        })  # fmt: skip
        game, problems = rule_file.load_game(root)
        assert game is not None
        assert problems == []
        found, told = manuscript.read_manuscript(game, language, designer)
        return found.text if found else "", [str(problem) for problem in told]

    return reading


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("{{ count('ships') }} ships", "4 ships"),
        ("{{ count('ships', 'cargo > 2') }}", "3"),
        ("{{ sum_of('ships', 'cargo') }}", "13"),
        ("{{ crates * 2 }}", "24"),
        ("{{ share }}", "1.5"),
        ("{{ deck('ships').title }} {{ deck('ships').pieces }}", "Ships 2"),
        ("{{ words.big }} {{ language }} {{ game.title }}", "Big en Harbour"),
        ("{{ cards('ships')[0].name }}", "Tug"),
        ("{{ icon('crate') }}{#name}", "{crate}{#name}"),
        ("{## never seen ##}x", "x"),
        ("{% if designer %}for me{% else %}for you{% endif %}", "for you"),
    ],
)
def test_what_is_offered(read: Read, written: str, printed: str) -> None:
    assert read(written) == (printed, [])


def test_a_card_is_printed_in_the_books_language(read: Read) -> None:
    assert read("{{ card('ships', 'tug').name }}", "fi") == ("Hinaaja", [])


def test_a_cards_text_keeps_its_bold_and_icons_and_nothing_else(read: Read) -> None:
    text, _ = read("{{ card('ships', 'freighter').text }}")
    assert text == "**Unload** 2 &#124; {crate} &#95;now&#95;"


def test_decimals_are_the_languages_but_not_in_figures(read: Read) -> None:
    text, _ = read("{{ share }}\n```figure\nat: [{{ share }}, 2]\n```\n{{ share }}", "fi")
    assert text == "1,5\n```figure\nat: [1.5, 2]\n```\n1,5"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "a\nb {{ nosuch }}",
            "rulebook/en.md:2: error: 'nosuch' is undefined; to print the braces themselves, write "
            "{% raw %} … {% endraw %} around them [expression]",
        ),
        (
            "a\n\n{{ count('shops') }}",
            "rulebook/en.md:3: error: there is no deck 'shops'; did you mean 'ships'? [expression]",
        ),
        (
            "{{ card('ships', 'tag') }}",
            "rulebook/en.md:1: error: there is no card 'tag' in ships; did you mean 'tug'? "
            "[expression]",
        ),
        ("{{ 1 / 0 }}", "rulebook/en.md:1: error: division by zero [expression]"),
        (
            "x\n{{ ''.__class__ }}",
            "rulebook/en.md:2: error: access to attribute '__class__' of a text is unsafe. "
            "[expression]",
        ),
        (
            "{% include 'fi.md' %}",
            "rulebook/en.md:1: error: 'fi.md' is not read; a rulebook is one file [expression]",
        ),
        (
            "{% set x = 'a' * 2000000 %}",
            "rulebook/en.md:1: error: the repetition is too long [expression]",
        ),
    ],
)
def test_a_mistake_is_told_at_its_line(read: Read, written: str, told: str) -> None:
    assert read(written)[1] == [told]


def test_every_broken_expression_is_told(read: Read) -> None:
    _, problems = read("{{ one }}\n\n{{ two }} and\n{{ count(\n'three') }}")
    assert [problem.split(":")[1] for problem in problems] == ["1", "3", "4"]


def test_lines_keep_their_source(make_game: MakeGame) -> None:
    root = make_game({
        "game.yaml": GAME, "cards/ships.yaml": DECK, "templates/ship.html": "x",
        "art/icons/crate.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>',
        "rulebook/en.md": "one\n{% for n in range(2) %}\n- {{ n }}\n{% endfor %}\n"
        "{{ [1,\n2] | length }}\nlast",
    })  # fmt: skip
    game, _ = rule_file.load_game(root)
    assert game is not None
    found, problems = manuscript.read_manuscript(game, "en", designer=False)
    assert isinstance(found, Manuscript)
    told: list[Problem] = problems
    assert told == []
    lines = dict(zip(found.text.split("\n"), found.lines, strict=True))
    assert lines == {"one": 1, "- 0": 3, "- 1": 3, "2": 5, "last": 7}

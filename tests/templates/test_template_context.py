"""What a card's templates see of other cards, and that an edit of these renders it anew."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest
from conftest import MakeGame
from small_games import edit

from cardgen.game import loader, unused_files
from cardgen.runtime.content_store import Store
from cardgen.templates.render_cache import RenderCache
from cardgen.templates.template_context import ArtIndex
from cardgen.templates.template_renderer import TemplateRenderer

TROOPS = """deck: troops
title: {fi: Joukot, en: Troops}
size: poker
front: troop.html
fields:
  name: text
  cost: integer
  title: string
  captain: {type: reference, to: officers}
cards:
  - {id: guard, copies: 3, name: {fi: Vartija, en: "**Guard** {coin}"}, cost: 2, captain: otso}
  - {id: scout, name: {fi: Tiedustelija, en: Scout}, cost: 5, title: First}
"""
OFFICERS = """deck: officers
title: {fi: Upseerit, en: Officers}
size: poker
front: officer.html
fields: {name: text, mate: {type: reference, to: officers}}
cards:
  - {id: otso, name: {fi: Otso, en: Bruin}, mate: repo}
  - {id: repo, name: {fi: Repo, en: Fox}}
"""
AIDS = """deck: aids
title: {fi: Apu, en: Aid}
size: poker
front: aid.html
cards:
  - {id: aid}
"""
FILES = {
    "game.yaml": "game: small\ntitle: {fi: Pieni, en: Small}\nlanguages: [fi, en]\n",
    "cards/troops.yaml": TROOPS,
    "cards/officers.yaml": OFFICERS,
    "cards/aids.yaml": AIDS,
    "templates/troop.html": "<p>{{ card.name }}</p>",
    "templates/officer.html": "<p>{{ card.name }}</p>",
    "templates/aid.html": "<p>aid</p>",
    "art/icons/coin.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path d="M1 1h7v7z"/></svg>',
}


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(FILES)


def html(root: Path, template: str, deck: str, language: str = "en", card: int = 0) -> str:
    """What a template makes of a card, or the message of what is wrong."""
    name = {"troops": "troop", "officers": "officer", "aids": "aid"}[deck]
    (root / f"templates/{name}.html").write_text(template, encoding="utf-8")
    game, problems = loader.load_game(root)
    assert game is not None, problems
    templates, found = TemplateRenderer(game), game.get_deck(deck)
    assert found is not None
    made = templates.render_face(found, found.pieces[card], "front", language)
    assert (made is None) == bool(templates.problems)
    return made if made is not None else str(templates.problems[0].message)


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{% for t in cards('troops') %}{{ t.id }} {% endfor %}", "guard guard guard scout "),
        ("{% for t in cards('troops', 'cost > 2') %}{{ t.name }}{% endfor %}", "Scout"),
        ("{{ count('troops') }} {{ count('troops', 'cost > 2') }}", "4 1"),
        ("{{ sum_of('troops', 'cost') }}", "11"),
        ("{{ card('troops', 'scout').name }} {{ card.id }}", "Scout aid"),
        ("{{ card('troops', 'guard').captain.name }}", "Bruin"),
        ("{{ card('troops', 'guard').captain.mate.name }}", "Fox"),
    ],
)
def test_a_card_sees_the_game(root: Path, template: str, said: str) -> None:
    assert html(root, template, "aids") == said


def test_a_reference_is_its_id_and_has_the_cards_fields(root: Path) -> None:
    seen = "{{ card.captain }} {{ card.captain.name }} {{ card.captain.upper() }}"
    assert html(root, seen, "troops") == "otso Bruin OTSO"
    assert html(root, seen, "troops", "fi") == "otso Otso OTSO"


def test_texts_of_other_cards_keep_their_signs(root: Path) -> None:
    made = html(root, "{{ card('troops', 'guard').name }}", "aids")
    assert made.startswith("<b>Guard</b> <span")


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{{ cards('troop') }}", "there is no deck 'troop'; did you mean 'troops'?"),
        ("{{ card('troops', 'gard').name }}", "no card 'gard' in troops; did you mean 'guard'?"),
        ("{{ count('troops', 'price > 2') }}", "'price'"),
        ("{{ card('troops', 'guard').captain.nome }}", "no 'nome'; did you mean 'name'?"),
        ("{{ card('troops') }}", "card() needs 'card'"),
        ("{{ cards('troops') }}", "a list cannot be printed"),
    ],
)
def test_mistakes_are_told_in_the_writers_words(root: Path, template: str, said: str) -> None:
    assert said in html(root, template, "aids")


def rendered(root: Path) -> list[str]:
    """The cards that are rendered anew."""
    found: list[str] = []

    class Counting(TemplateRenderer):
        def render_face(self, deck, piece, side, language):  # type: ignore[no-untyped-def]
            found.append(f"{deck.id}/{piece.id} {language}")
            return super().render_face(deck, piece, side, language)

    game, problems = loader.load_game(root)
    assert game is not None, problems
    renders = RenderCache(Counting(game), Store(root / "store"), "engine")
    for deck in game.decks:
        renders.render_deck(deck, "en")
    assert renders.templates.problems == []
    return found


def test_an_edit_renders_the_card_and_those_that_looked_at_its_deck(root: Path) -> None:
    (root / "templates/aid.html").write_text("{{ count('officers', 'mate == \"repo\"') }}")
    (root / "templates/troop.html").write_text("{{ card.captain.name if card.captain }}")
    assert len(rendered(root)) == 5
    assert rendered(root) == []
    edit(root, "cards/troops.yaml", "cost: 5", "cost: 6")
    assert rendered(root) == ["troops/scout en"]
    edit(root, "cards/officers.yaml", "en: Fox", "en: Vixen")
    assert rendered(root) == ["aids/aid en", "officers/repo en", "troops/guard en"]
    assert rendered(root) == []


def test_a_picture_is_found_anywhere_and_in_the_deck_s_folder_first(tmp_path: Path) -> None:
    for name in ("ships/tug.png", "harbour/tug.svg", "tug.jpg", "a/b/Käse.png", "icons/coin.svg",
                 "a/pier.png", "b/Pier.svg", "b/pier.png"):  # fmt: skip
        path = tmp_path / "art" / normalize("NFD", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    picture = ArtIndex(tmp_path).picture
    assert picture("tug", folder="ships") == "art/ships/tug.png"
    assert picture("tug", folder="crews") == "art/tug.jpg"
    assert picture("Käse.PNG", "crews/a") == "art/a/b/Käse.png"
    assert picture("b/käse") == "art/a/b/Käse.png"
    assert picture("pier", folder="b") == "art/b/Pier.svg"
    assert picture("coin") is None
    complete = ArtIndex(tmp_path).complete_addresses
    for whole in (
        "art/tug.jpg",
        "art/pier.png",
        "art/a/pier.png",
        "art/coin.svg",
        "other/Pier.svg",
    ):
        assert complete(f'<img src="{whole}"> art/') == f'<img src="{whole}"> art/'
    found = "<p><img alt='a' src=\"art/a/b/K%C3%A4se.png\">art/</p>"
    assert complete("<p><img alt='a' src='art/K%C3%A4se.png'>art/</p>") == found
    message = "'pier' is both art/a/pier.png and art/b/Pier.svg; write 'a/pier.png' or 'b/Pier.svg'"
    with pytest.raises(LookupError, match=message):
        picture("pier", "crews/a", folder="crews")


def test_pictures_whose_names_differ_only_in_case(tmp_path: Path) -> None:
    (tmp_path / "art/loot").mkdir(parents=True)
    for name in ("One.svg", "one.svg", "loot/TUG.svg", "loot/notes.txt"):
        (tmp_path / "art" / name).write_text("<svg/>")
    picture = ArtIndex(tmp_path).picture
    for name in ("One.svg", "one.svg"):  # the exact name comes first
        assert picture(name) == picture(f"art/{name}") == f"art/{name}"
    assert picture("tug", folder="loot") == picture("loot/tug.SVG") == "art/loot/TUG.svg"
    assert picture(None, "loot/notes.txt") is None
    found = [str(problem) for problem in unused_files.find_unused_files(tmp_path, ["en"])]
    assert found == ["art/one.svg: error: art/One.svg has the same name on Windows and on a Mac; "
                     "rename one of them [file]"]  # fmt: skip


def test_files_with_one_name_in_two_unicode_forms(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    for form in ("NFC", "NFD"):
        (tmp_path / "art" / normalize(form, "väki.svg")).write_text("<svg/>")
    (found,) = unused_files.find_unused_files(tmp_path, ["en"])
    assert "two files have this name, in two Unicode forms" in found.message


def test_files_that_windows_gives_one_name(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    for end in ("", ".", " "):
        (tmp_path / f"art/a.svg{end}").write_text("<svg/>")
    found = unused_files.find_unused_files(tmp_path, ["en"])
    assert {"art/a.svg.", "art/a.svg "} == {problem.source.path for problem in found}

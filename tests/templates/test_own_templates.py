"""Cards with templates of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Cardgen
from counted_layouts import Layouts
from small_games import TEXT_GAME, edit

from cardgen.rules import rule_file

BUILT = {
    **TEXT_GAME,
    "cards/loot.yaml": TEXT_GAME["cards/loot.yaml"].replace(
        "  - id: shop\n", "  - id: shop\n    front: shop.html\n"
    ),
    "templates/shop.html": '<div class="bleed ground"></div>\n<div class="name">{{ card.name }} '
    "{{ card.text }} {{ card.art }}</div>\n",
    "templates/red.html": '<div class="bleed" style="background: #aa2222"></div>',
}
FACES = ("build", "images", "--dpi", "50", "--lang", "en", "--deck", "loot")


def test_it_goes_before_the_deck_s(root: Path, cardgen: Cardgen, layouts: Layouts) -> None:
    """What another card looks like does not change, and it is not set again."""
    assert cardgen("check").err == ""
    edit(root, "templates/shop.html", "{{ card.art }}", "{{ card.art }}.")
    assert layouts.of(lambda: cardgen(*FACES))[0] == 1
    edit(root, "cards/loot.yaml", "    front: shop.html\n", "")
    edit(root, "templates/loot.html", "{{ card.name }}", "{{ card.name }}!")
    assert layouts.of(lambda: cardgen(*FACES))[0] == 2


def test_a_back_of_its_own(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/loot.yaml", "front: shop.html", "back: red.html")
    assert cardgen(*FACES).code == 0
    images = root / "build/en/images/loot"
    assert (images / "shop-back.png").read_bytes() != (images / "barn-back.png").read_bytes()


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("cards/loot.yaml", ("front: shop.html", "front: shpo.html"),
         "cards/loot.yaml:14: error: loot: templates/shpo.html is missing; "
         "did you mean 'shop.html'? [template]"),
        ("cards/loot.yaml", ("front: shop.html", "front: [shop.html]"),
         "cards/loot.yaml:14: error: loot/shop: front is a list; "
         "expected the name of a file [type]"),
        ("cards/notes.yaml", ("{id: five,", "{id: five, back: red.html,"),
         "cards/notes.yaml:8: error: notes/five: the card has a back, but its deck has none; "
         "add one to the deck: back: … [fields]"),
        ("cards/notes.yaml", ("{id: five,", "{id: five, fornt: red.html,"),
         "cards/notes.yaml:8: error: notes/five: unknown field 'fornt'; did you mean 'front'? "
         "[fields]"),
    ],
)  # fmt: skip
def test_mistakes(
    root: Path, cardgen: Cardgen, file: str, change: tuple[str, str], told: str
) -> None:
    edit(root, file, *change)
    assert told in cardgen("check").err.splitlines()


def test_a_table_names_them(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/notes.yaml", "cards:", "rows: notes.csv\ncards:")
    (root / "cards/notes.csv").write_text("id,value,front\nten,10,shop.html\ntwenty,20,\n")
    game, _ = rule_file.load_game(root)
    assert game is not None
    assert [(p.id, p.front) for p in game.decks[1].pieces[2:]] == [
        ("ten", "shop.html"), ("twenty", ""),
    ]  # fmt: skip


def test_a_field_of_that_name_is_one(root: Path, cardgen: Cardgen) -> None:
    edit(root, "cards/notes.yaml", "{value: integer}", "{value: integer, back: string}")
    edit(root, "cards/notes.yaml", "{id: five,", "{id: five, back: grey,")
    edit(root, "templates/note.html", "{{ card.value }}", "{{ card.value }}{{ card.back }}")
    assert cardgen("check").err == ""

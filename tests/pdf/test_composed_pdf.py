"""Sheets after an edit take over from the last PDF what did not change, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import MakeGame
from PIL import Image
from small_games import contents, edit, make, options

from cardgen.pdf import composition, font_subsets
from cardgen.pdf.ink_modes import InkMode
from cardgen.runtime import user_secret
from cardgen.runtime.content_store import Store

pytestmark = pytest.mark.usefixtures("one_process")

NAMES = ("abbey", "baths", "cabin", "depot", "estate", "farm", "gate", "house", "inn", "jail")
CARDS = "".join(
    f"  - {{id: {name}, name: {{en: {name.title()}}}, art: {'sun' if name < 'e' else 'moon'},"
    f" photo: {'hill' if name in 'baths inn jail' else 'lake'}}}\n"
    for name in NAMES
)
GAME = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/one.yaml": "deck: one\ntitle: {en: One}\nsize: poker\nfront: one.html\nback: back.html\n"
    f"styles: [one.css]\nfields: {{name: text, art: string, photo: string}}\ncards:\n{CARDS}",
    "templates/one.html": '<div class="bleed"></div><img src="art/{{ card.art }}.svg">'
    '<img class="low" src="art/{{ card.photo }}.png">'
    "<p>{{ card.name }} {{ icon('coin') }}</p><div>123</div><p class='pale'>{{ card.name }}</p>",
    "templates/back.html": '<div class="bleed"></div><img src="art/sun.svg">',
    "templates/one.css": ".bleed { background: linear-gradient(#eee, #abc) }\n"
    "p, div, img { position: absolute; left: 8mm; top: 8mm; width: 30mm }\ndiv { top: 70mm }\n"
    ".low { top: 60mm; opacity: 0.4 } .pale { opacity: 0.4; top: 50mm }\n",
    "art/sun.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path fill="#b83" d="M1 1h7v7z"/></svg>\n',
    "art/moon.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<path fill="#38b" d="M1 1h7v7z"/></svg>\n',
    "art/icons/coin.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<circle cx="12" cy="12" r="9"/></svg>\n',
}
EDITS = {
    "a word of known letters": ("Gate", "Gaze"),
    "a new letter": ("Gate", "Gåte"),
    "the first card, which brings fonts and pictures": ("Abbey", "Barn"),
    "the drawing of a card": ("Gate}, art: moon", "Gate}, art: sun"),
    "the photo of a card": ("photo: hill", "photo: lake"),
    "a card that goes": (CARDS.splitlines(keepends=True)[2], ""),
    "the order": ("  - {id: abbey", "  - {id: zoo, name: {en: Zoo}, art: sun, photo: hill}\n"
                  "  - {id: abbey"),
}  # fmt: skip


@pytest.fixture
def game(make_game: MakeGame) -> Path:
    root = make_game(GAME)
    for name, colour in (("hill", "#284"), ("lake", "#248")):
        Image.new("RGB", (400, 300), colour).save(root / f"art/{name}.png")
    make(root, outputs=("sheets",))
    return root


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Kinds of the entries that are opened to compose a file."""
    kinds: list[str] = []
    really_open = composition._open_stored_pdf

    def open_counted(path: Path) -> Any:
        kinds.append(path.parent.name)
        return really_open(path)

    monkeypatch.setattr(composition, "_open_stored_pdf", open_counted)
    return kinds


def build_anew(root: Path) -> dict[str, bytes]:
    make(root, outputs=("sheets",), fresh=True)
    return contents(root / "build")


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_build_equals_a_fresh_one_byte_for_byte(game: Path, what: str) -> None:
    original = contents(game / "build")
    edit(game, "cards/one.yaml", *EDITS[what])
    make(game, outputs=("sheets",))
    edited = contents(game / "build")
    assert edited != original
    assert edited == build_anew(game)


def test_many_edits_equal_a_fresh_build(game: Path) -> None:
    """Each takes over from what the last one left."""
    for what in [*EDITS][::2]:
        edit(game, "cards/one.yaml", *EDITS[what])
        make(game, outputs=("sheets",))
    edited = contents(game / "build")
    assert edited == build_anew(game)


def test_only_changed_faces_are_opened(
    game: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    subsets: list[Path] = []

    def subset_counted(font: Path, glyphs: frozenset[int]) -> Any:
        subsets.append(font)
        return font_subsets.subset_font(font, glyphs)

    monkeypatch.setattr(composition, "subset_font", subset_counted)
    monkeypatch.setattr("cardgen.outputs.neighbour_colours.list_faces_to_measure", lambda _job: [])
    edit(game, "cards/one.yaml", "Gate", "Gaze")
    make(game, outputs=("sheets",))
    assert opened == ["faces"], "its drawing is in the last PDF"
    assert len(subsets) == 1, "of two fonts, the one with a z that was not there"
    edit(game, "cards/one.yaml", "Gaze", "Gate")
    edit(game, "cards/one.yaml", "Farm", "Frame")
    make(game, outputs=("sheets",))
    edit(game, "cards/one.yaml", "Frame", "Fram")
    opened.clear()
    subsets.clear()
    make(game, outputs=("sheets",))
    assert (opened, subsets) == (["faces"], []), "every glyph is there already"


def spoil_pdf(root: Path) -> None:
    """Change the last PDF, which is well-formed still."""
    for path in (root / "build/en").rglob("*.pdf"):
        path.write_bytes(path.read_bytes() + b"% changed\n")


def forge_record(root: Path) -> None:
    """Seal the records as somebody else would."""
    store = Store(root / "build/.store")
    with pytest.MonkeyPatch.context() as patch:
        key = b"of another user"
        records = [store.get_path("composed", name) for name in store.list_names("composed")]
        found = [store.read_json(path) for path in records]
        patch.setattr(user_secret, "get_seal_key", lambda: key)
        for path, record in zip(records, found, strict=True):
            store.write_json(path, record)


@pytest.mark.parametrize("spoil", [spoil_pdf, forge_record])
def test_nothing_is_taken_over_from_what_no_build_of_this_user_made(
    game: Path, opened: list[str], spoil: Any
) -> None:
    edit(game, "cards/one.yaml", "Gate", "Gaze")
    spoil(game)
    make(game, outputs=("sheets",))
    assert opened.count("faces") > len(NAMES)
    edited = contents(game / "build")
    assert edited == build_anew(game)


def test_saved_ink_takes_nothing_over(game: Path, opened: list[str]) -> None:
    low = options(ink=InkMode(low=True, grey=False))
    make(game, low, outputs=("sheets",))
    edit(game, "cards/one.yaml", "Gate", "Gaze")
    make(game, low, outputs=("sheets",))
    edited = contents(game / "build")
    make(game, low, outputs=("sheets",), fresh=True)
    assert contents(game / "build") == edited

"""Keys of faces: what makes a face stale, and what does not. Nothing is typeset here."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeGame
from PIL import Image
from small_games import TEXT_GAME, marked_deck, marked_game

from cardgen.assets import game_fonts
from cardgen.faces import rendering
from cardgen.faces.model import Face, FaceSet
from cardgen.game.card_text import render_markup
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

CARD = ("barn", "front", "en")


def order(root: Path) -> FaceSet:
    game, problems = rule_file.load_game(root)
    assert game is not None
    store = Store(root / "build/.store")
    fonts, font_problems = game_fonts.prepare_fonts(game, store)
    assert problems + font_problems == []
    return rendering.render_faces(game, fonts, game.decks, game.languages, store)


def by_name(found: FaceSet) -> dict[tuple[str, str, str], Face]:
    return {(face.piece.id, face.side, face.language): face for face in found.faces}


def stale_after(root: Path, name: str, old: str, new: str) -> set[tuple[str, str, str]]:
    """The faces that an edit of a file makes stale."""
    before = by_name(order(root))
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return {who for who, face in by_name(order(root)).items() if face.key != before[who].key}


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(TEXT_GAME)


LOOT = {
    (piece, side, language)
    for piece in ("barn", "shop")
    for side in ("front", "back")
    for language in ("fi", "en")
}
NOTES = {(piece, "front", language) for piece in ("one", "five") for language in ("fi", "en")}
FRONTS = {who for who in LOOT if who[1] == "front"}


@pytest.mark.parametrize(
    ("name", "old", "new", "stale"),
    [
        ("cards/loot.yaml", "en: Barn", "en: Hay barn", {CARD}),
        ("cards/notes.yaml", "value: 5", "value: 6",
         {("five", "front", "fi"), ("five", "front", "en")}),
        ("templates/card.css", "top: 5mm", "top: 6mm", LOOT),
        ("templates/loot.html", "7-9", "7-8", FRONTS),
        ("templates/back.html", 'class="art"', 'class="art large"', LOOT - FRONTS),
        ("cards/loot.yaml", "size: poker", "size: bridge", LOOT),
        ("cards/loot.yaml", "size: poker", "size: poker\nbleed: 2", LOOT),
        ("cards/loot.yaml", "size: poker", "size: poker\nsafe: 2", LOOT),
        ("game.yaml", "game: small", "game: small\ncolours: {ink: '#112233'}", LOOT | NOTES),
        ("fonts/fonts.yaml", "roboto-condensed'", "roboto-condensed'\n    weights: [700]",
         LOOT | NOTES),
        ("art/house.svg", "0 0 40 40", "0 0 40 20", LOOT),
    ],
)  # fmt: skip
def test_what_makes_faces_stale(
    root: Path, name: str, old: str, new: str, stale: set[tuple[str, str, str]]
) -> None:
    assert stale_after(root, name, old, new) == stale


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("cards/loot.yaml", "copies: 3", "copies: 30"),
        ("cards/loot.yaml", "title: {fi: Saalis, en: Loot}", "title: {fi: Ryöstö, en: Plunder}"),
        ("cards/loot.yaml", "size: poker", "size: poker\ncorner: 5"),
        ("game.yaml", "fi: Pieni", "fi: Suuri"),
        ("art/house.svg", "#b8392a", "#000000"),
        ("art/icons/coin.svg", 'r="9"', 'r="5"'),
    ],
)
def test_what_leaves_faces_as_they_are(root: Path, name: str, old: str, new: str) -> None:
    assert stale_after(root, name, old, new) == set()


def test_a_drawing_changes_the_look_but_not_the_layout(root: Path) -> None:
    """Whatever shows the face is made again, though the face is not typeset again."""
    before = by_name(order(root))[CARD]
    path = root / "art/house.svg"
    path.write_text(path.read_text().replace("#b8392a", "#2a39b8 "))
    after = by_name(order(root))[CARD]
    assert after.key == before.key
    assert after.digest != before.digest


def test_a_raster_picture_is_part_of_the_face(root: Path) -> None:
    """WeasyPrint puts its bytes into the face's PDF."""
    template = root / "templates/back.html"
    template.write_text(template.read_text().replace("house.svg", "photo.png"))
    Image.new("RGB", (20, 20), "#b8392a").save(root / "art/photo.png")
    before = by_name(order(root))["barn", "back", "en"]
    Image.new("RGB", (20, 20), "#2a39b8").save(root / "art/photo.png")
    assert by_name(order(root))["barn", "back", "en"].key != before.key


def test_faces_that_look_alike_are_one(root: Path) -> None:
    found = by_name(order(root))
    assert found["barn", "back", "fi"].key == found["shop", "back", "fi"].key
    assert found["barn", "front", "fi"].key != found["shop", "front", "fi"].key
    assert found["barn", "back", "fi"].key != found["barn", "back", "en"].key


def test_backs_of_a_deck(root: Path) -> None:
    """What the rule `same_back` compares: one look for each language, drawings included."""
    found = order(root)
    assert len(found.find_backs("loot")) == 2
    assert not found.find_backs("notes")


def test_backs_that_look_alike_are_one_however_their_fronts_are_styled(
    make_game: MakeGame,
) -> None:
    files = marked_game({name: marked_deck(name, "poker", (1,)) for name in ("notes", "coins")})
    files["templates/back.html"] = '<div class="bleed ground"></div>'
    files["templates/both.css"] = ".ground { background: #e0e0e0 }"
    files["templates/one.css"] = ".name { color: #123456 }"
    for name, styles in (("notes", "[both.css]"), ("coins", "[both.css, one.css]")):
        files[f"cards/{name}.yaml"] += f"styles: {styles}\n"
    root = make_game(files)
    found = order(root)
    assert set(found.find_backs("notes")) == set(found.find_backs("coins"))
    (root / "templates/one.css").write_text(".ground { background: #d0d0d0 }")
    found = order(root)
    assert not set(found.find_backs("notes")) & set(found.find_backs("coins"))


def test_faces_come_in_the_order_of_their_pieces(root: Path) -> None:
    found = order(root)
    deck = found.faces[0].deck
    assert [face.piece.id for face in found.find_faces(deck, "en", "front")] == ["barn", "shop"]


def test_a_card_knows_where_its_copies_begin(make_game: MakeGame) -> None:
    files = marked_game({"notes": marked_deck("notes", "poker", (4, 1, 3))})
    files["templates/front.html"] = "<p>{{ first_copy }} of {{ deck.count }}</p>"
    found = by_name(order(make_game(files)))
    texts = [found[f"card-{n}", "front", "en"].make_html().partition(">")[2] for n in range(3)]
    assert texts == ["1 of 8</p>", "5 of 8</p>", "6 of 8</p>"]


def test_what_is_tied_to_an_icon_moves_as_one() -> None:
    tied = render_markup("Take 3\u00a0{coin}\u00a0tR, or **2\u00a0{coin}** now {coin}", ("coin",))
    coin = render_markup("{coin}", ("coin",))
    assert tied == (
        f'Take <span class="tied">3\u00a0{coin}\u00a0tR,</span> or '
        f'<b><span class="tied">2\u00a0{coin}</span></b> now {coin}'
    )

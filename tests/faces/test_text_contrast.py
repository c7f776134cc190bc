"""How well texts stand out from what is painted under them, looked at on the printed face."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeGame
from PIL import Image
from small_games import GAME, MAIN_FONT
from whole_games import fonts_of

from cardgen.core.colour_math import get_contrast as ratio
from cardgen.faces import queries, rendering, text_contrast, typeset_facts, typesetting
from cardgen.faces.queries import FaceQueries
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

DECK = (
    "deck: loot\ntitle: Loot\nsize: 60 x 80\nbleed: 3\nfront: card.html\ncards:\n  - {id: barn}\n"
)
GROUND = "<div class=bleed style='background: {}'></div>"
TEXT = (
    "<div style='position: absolute; left: 8mm; top: 20mm; width: 44mm; font-size: 9pt; {}'>{}"
    "</div>"
)
# Black and white by halves, and a speck of black on white.
HALVES = '<path fill="#fff" d="M0 0h66v86H0z"/><path d="M0 0h33v86H0z"/>'
SPECK = '<path fill="#fff" d="M0 0h66v86H0z"/><path d="M20 23h.6v4H20z"/>'
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 66 86">{}</svg>'
ICON = SVG.format('<path d="M0 0h24v24H0z"/>').replace("66 86", "24 24")
PICTURE = (
    "<img src='art/ground.svg' class=bleed style='width: 66mm; height: 86mm; object-fit: fill'>"
)
Look = Callable[..., list[float]]


@pytest.fixture
def look(make_game: MakeGame, one_process: None) -> Look:
    """The contrasts of the texts of a card with that HTML, in their order."""

    def looking(html: str, art: str = SPECK) -> list[float]:
        root = make_game({
            "game.yaml": GAME, "fonts/fonts.yaml": MAIN_FONT, "cards/loot.yaml": DECK,
            "templates/card.html": html, "art/ground.svg": SVG.format(art),
            "art/icons/coin.svg": ICON,
        })  # fmt: skip
        return list(contrasts(root))

    return looking


def contrasts(root: Path) -> tuple[float, ...]:
    game, problems = rule_file.load_game(root)
    assert game is not None
    assert problems == []
    store, fonts = Store(root / "build/.store"), fonts_of(root)
    faces = rendering.render_faces(game, fonts, game.decks, game.languages, store)
    known = FaceQueries(game, faces, store)
    assert known.get_contrasts("loot", "barn", "front", "en") is None
    typesetting.typeset_faces(game, faces, store)
    text_contrast.measure_contrasts(faces.faces, fonts, store)
    found = known.get_contrasts("loot", "barn", "front", "en")
    assert found is not None
    seen = typeset_facts.read_facts(store, faces.faces[0].key)
    assert seen is not None
    assert len(seen.texts) == len(found)
    return found


def grey(level: int) -> tuple[float, float, float]:
    return (level / 255,) * 3


@pytest.mark.parametrize(
    ("ground", "ink", "expected"),
    [
        ("#fff", "#000", 21.0),
        ("#fff", "#777", ratio(grey(0x77), grey(255))),
        ("#222", "#333", ratio(grey(0x33), grey(0x22))),
        ("#444", "#444", 1.0),
    ],
)
def test_a_text_on_one_colour(look: Look, ground: str, ink: str, expected: float) -> None:
    html = GROUND.format(ground) + TEXT.format(f"color: {ink}", "Harbour")
    assert look(html) == [pytest.approx(expected, abs=0.02)]


def test_half_clear_ink_is_mixed_with_its_ground(look: Look) -> None:
    html = GROUND.format("#fff") + TEXT.format("color: #000; opacity: .5", "Harbour")
    assert look(html) == [pytest.approx(ratio(grey(127), grey(255)), abs=0.05)]


def test_other_words_are_no_ground(look: Look) -> None:
    """Words upon words are told elsewhere; here what was under both counts."""
    word = TEXT.format("color: #000", "Harbour") + TEXT.format("color: #333", "WWWWWWW")
    first, second = look(GROUND.format("#fff") + word)
    assert first == 21
    assert second == pytest.approx(ratio(grey(0x33), grey(255)), abs=0.02)


@pytest.mark.parametrize(("art", "least", "most"), [(HALVES, 1.0, 1.1), (SPECK, 20.0, 21.0)])
def test_a_picture_counts_but_for_its_worst_tenth(
    look: Look, art: str, least: float, most: float
) -> None:
    long = "Harbour master of the quay and all its ships and cranes"
    (found,) = look(PICTURE + TEXT.format("color: #000; white-space: nowrap", long[:30]), art)
    assert least <= found <= most


def test_a_drawing_under_a_text_is_its_ground(look: Look) -> None:
    """SVG art comes in only where the face is put together."""
    black = '<path d="M0 0h66v86H0z"/>'
    assert look(PICTURE + TEXT.format("color: #fff", "Harbour"), black) == [21.0]


@pytest.mark.parametrize(("haloed", "expected"), [(True, 21.0), (False, 1.0)])
def test_a_halo_is_the_ground(look: Look, haloed: bool, expected: float) -> None:
    black = '<path d="M0 0h66v86H0z"/>'
    halo = "".join(
        f"<div style='position: absolute; left: {8 + dx}mm; top: {20 + dy}mm; font-size: 9pt; "
        "color: #fff'>Harbour</div>"
        for dx in (-0.2, 0.2)
        for dy in (-0.2, 0.2)
    )
    ink = TEXT.format("color: #000", "Harbour")
    assert look(PICTURE + (halo if haloed else "") + ink, black) == [expected]


@pytest.mark.parametrize("shift", ["translate(-60mm, 0)", "translate(60mm, 0)", "rotate(180deg)"])
def test_a_text_beyond_the_edge_has_no_ground(look: Look, shift: str) -> None:
    """It is an error where it stands; that it cannot be read there goes without saying."""
    moved = TEXT.format(f"color: #fff; transform: {shift}; transform-origin: 0 0", "Harbour")
    assert look(GROUND.format("#fff") + moved.replace("top: 20mm", "top: 1mm")) == [21.0]


def test_a_turned_text_is_looked_at_in_its_middle(look: Look) -> None:
    """The box of a slanting line covers much that the line does not."""
    stripe = GROUND.format("#fff") + (
        "<div style='position: absolute; left: 2mm; top: 38mm; width: 56mm; height: 6mm; "
        "transform: rotate(45deg); background: #000; color: #fff; text-align: center; "
        "line-height: 6mm'>Harbour master</div>"
    )
    assert look(stripe) == [21.0]


def test_icons_are_ground_for_words_and_stand_on_what_is_under_them(look: Look) -> None:
    sign = "<span style='position: absolute; left: 10mm; top: 10mm; font-size: 40pt; color: #ccc'>"
    word = "<b style='position: absolute; left: 13mm; top: 16mm; font-size: 8pt; color: #000'>7</b>"
    html = GROUND.format("#fff") + sign + "{{ icon('coin') }}</span>" + word
    icon, seven = look(html)
    assert icon == pytest.approx(ratio(grey(0xCC), grey(255)), abs=0.02)
    assert seven == pytest.approx(ratio(grey(0), grey(0xCC)), abs=0.1)


def test_another_drawing_is_looked_at_anew(make_game: MakeGame, one_process: None) -> None:
    """A face is the same file with another drawing in it; its contrasts are not."""
    root = make_game({
        "game.yaml": GAME, "fonts/fonts.yaml": MAIN_FONT, "cards/loot.yaml": DECK,
        "templates/card.html": PICTURE + TEXT.format("color: #000", "Harbour"),
        "art/ground.svg": SVG.format('<path fill="#fff" d="M0 0h66v86H0z"/>'),
    })  # fmt: skip
    assert contrasts(root) == (21.0,)
    (root / "art/ground.svg").write_text(SVG.format('<path d="M0 0h66v86H0z"/>'))
    assert contrasts(root) == (1.0,)


def test_of_a_large_picture_so_many_pixels_are_looked_at() -> None:
    wide = Image.new("RGB", (2000, 300))
    wide.paste((255, 255, 255), (1000, 0, 2000, 300))
    seen = text_contrast._sample_pixels(wide, 600)
    assert 500 < seen.width * seen.height <= 600
    counted = {colour: count for count, colour in seen.getcolors() or ()}
    assert counted.keys() == {(0, 0, 0), (255, 255, 255)}
    assert max(counted.values()) - min(counted.values()) < 30
    assert text_contrast._sample_pixels(wide, 600_000) is wide


def test_what_was_found_is_kept_as_long_as_its_face(look: Look, tmp_path: Path) -> None:
    """Else a sweep of the store would have all of it looked at again."""
    look(TEXT.format("", "Harbour"))
    (found,) = tmp_path.rglob("*.contrasts")
    root = found.parent.parent.parent.parent
    game, _ = rule_file.load_game(root)
    assert game is not None
    store, fonts = Store(root / "build/.store"), fonts_of(root)
    faces = rendering.render_faces(game, fonts, game.decks, game.languages, store)
    assert found.name in queries.list_store_entries(faces)["faces"]

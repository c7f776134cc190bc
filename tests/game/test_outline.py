"""Outlines of pieces: their boxes, their areas, and the images cut to them."""

from __future__ import annotations

from math import isclose, pi, sqrt
from pathlib import Path

import pytest
from PIL import Image
from pixels import pixel
from small_games import make, marked_deck, marked_game, options, write_game

from cardgen.core.units import Size
from cardgen.game.shapes import (
    QUARTER_BULGE,
    PieceForm,
    compute_area,
    flatten_outline,
    make_outline,
    place_outline,
)

FORMS = [PieceForm(), PieceForm(corner=3), PieceForm("round"), PieceForm("hexagon")]


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("size", [Size(30, 30), Size(26, 30), Size(40, 25)], ids=str)
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_an_outline_fills_its_box(form: PieceForm, size: Size, turn: int) -> None:
    points = flatten_outline(place_outline(form, size, 7, 11, turn), 0.001)
    lying = size.rotate() if turn % 180 else size
    xs, ys = [x for x, _ in points], [y for _, y in points]
    found = (min(xs), min(ys), max(xs), max(ys))
    wanted = (7, 11, 7 + lying.width, 11 + lying.height)
    assert all(isclose(a, b, abs_tol=0.002) for a, b in zip(found, wanted, strict=True))


def test_areas() -> None:
    assert compute_area(PieceForm(), Size(30, 20)) == 600
    assert isclose(compute_area(PieceForm(corner=3), Size(30, 20)), 600 - 36 + 9 * pi, abs_tol=0.1)
    assert isclose(compute_area(PieceForm("round"), Size(30, 30)), 225 * pi, rel_tol=1e-3)
    assert isclose(compute_area(PieceForm("round"), Size(30, 20)), 150 * pi, rel_tol=1e-3)
    regular = Size(sqrt(3) * 15, 30)
    assert isclose(compute_area(PieceForm("hexagon"), regular), sqrt(3) * 1.5 * 225, rel_tol=1e-6)


def test_corners_are_quarters_of_circles() -> None:
    bulges = [bulge for *_, bulge in make_outline(PieceForm(corner=3), Size(63, 88))]
    assert bulges == [0, QUARTER_BULGE] * 4
    assert round(QUARTER_BULGE, 8) == 0.41421356


def test_a_hexagon_stands_on_its_point_unless_it_is_wide() -> None:
    standing = {(x, y) for x, y, _ in make_outline(PieceForm("hexagon"), Size(26, 30))}
    lying = {(x, y) for x, y, _ in make_outline(PieceForm("hexagon"), Size(30, 26))}
    assert {(13, 0), (13, 30)} <= standing
    assert {(0, 13), (30, 13)} <= lying


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Images, cut to shape, of a round deck and of one that is like it but a hexagon."""
    deck = marked_deck("discs", "30 x 30", (1,)).replace("front:", "shape: round\nfront:")
    hexes = "deck: hexes\ntitle: {en: H}\nlike: discs\nshape: hexagon\nsize: 26 x 30\n"
    hexes += "cards:\n  - {id: hex, x: 5, y: 5, colour: '#000000'}\n"
    files = marked_game({"discs": deck, "hexes": hexes})
    files["templates/front.html"] = files["templates/back.html"]
    root = write_game(tmp_path_factory.mktemp("tokens"), files)
    make(root, options(dpi=254, rounded=True), outputs=("images",))
    return root / "build/en/images"


def test_images_are_cut_to_their_shape(tokens: Path) -> None:
    disc, hexagon = (Image.open(tokens / name) for name in ("discs/card-0.png", "hexes/hex.png"))
    assert disc.size == (300, 300)
    assert hexagon.size == (260, 300)

    def inside(image: Image.Image, at: tuple[int, int]) -> bool:
        return pixel(image, at)[3] == 255

    def outside(image: Image.Image, at: tuple[int, int]) -> bool:
        return pixel(image, at)[3] == 0

    # 45° from the middle, a circle's edge is 0.707 radii away.
    assert inside(disc, (150 + 104, 150 - 104))
    assert outside(disc, (150 + 108, 150 - 108))
    assert inside(disc, (150, 2))
    assert inside(hexagon, (130, 4))
    assert outside(hexagon, (60, 30))  # above the slope from (0, 75) to (130, 0)
    assert inside(hexagon, (70, 40))
    assert inside(hexagon, (2, 150))

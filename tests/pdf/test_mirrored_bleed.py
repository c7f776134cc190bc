"""Faces beyond their edges: mirrored, without a seam, and bare where they are bare."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from pixels import pages, pixel

from cardgen.core.units import Box, convert_to_points
from cardgen.pdf import page_edits
from cardgen.pdf.composition import Composer
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.face_file import SPARE_PAGE_MM, FacePdf
from cardgen.runtime.content_store import Store

WIDTH, HEIGHT = 20.0, 30.0
"""Of the face with its bleed, mm."""
PX = 10
"""To the mm."""
WHITE, RED, GREEN, BLUE = (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)
STRIPES = ((0.0, 2.0, RED), (2.0, 4.0, GREEN), (16.0, 18.0, GREEN), (18.0, 20.0, BLUE))
"""From where to where, mm from the left; between them the face is bare."""


def face(folder: Path, bleed: float) -> FacePdf:
    """Stripes from head to foot, the upper half of the first two blue."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(
        page_size=(convert_to_points(WIDTH), convert_to_points(HEIGHT + SPARE_PAGE_MM))
    )
    drawn = [(left, 0.0, right - left, HEIGHT, colour) for left, right, colour in STRIPES]
    drawn.append((0.0, HEIGHT / 2, 4.0, HEIGHT / 2, BLUE))
    content = []
    for x, y, w, h, colour in drawn:
        sides = [convert_to_points(side) for side in (x, y + SPARE_PAGE_MM, w, h)]
        inks = [level / 255 for level in colour]
        content.append(" ".join([*map(str, inks), "rg", *(f"{v:.4f}" for v in sides), "re f"]))
    page.Contents = pdf.make_stream("\n".join(content).encode())
    page.Resources = pikepdf.Dictionary()
    out = io.BytesIO()
    pdf.save(out)
    store = Store(folder)
    path = store.get_path("faces", "face.pdf")
    store.write(path, out.getvalue())
    return FacePdf("face", path, WIDTH, HEIGHT, bleed)


def drawn(
    made: FacePdf, area: tuple[float, float], scale: float = 1.0, turn: int = 0
) -> Image.Image:
    """The face on a page of so many mm."""
    composer = Composer([])
    content = paint_extended("F", made, Box(0, 0, *area), (scale, scale), turn)
    composer.add_page(*area, content.encode(), {"F": composer.add_face(made)})
    return pages(composer.save("face", "en"), PX)[0]


def along(image: Image.Image, y: float, *xs: float) -> list[tuple[int, ...]]:
    """The colours at places of a row, mm from the top left."""
    return [pixel(image, (round(x * PX), round(y * PX))) for x in xs]


def test_beyond_its_edges_a_face_is_mirrored(tmp_path: Path) -> None:
    """5 mm on every side; on the left the mirror stands 0.3 mm within the edge, at 5.3."""
    image = drawn(face(tmp_path, 2), (WIDTH + 10, HEIGHT + 10))
    assert along(image, 30, 6, 8, 15, 22, 24) == [RED, GREEN, WHITE, GREEN, BLUE], "the face itself"
    assert along(image, 30, 4.5, 4, 3.2, 2, 0.2) == [RED, RED, GREEN, GREEN, WHITE]
    assert along(image, 30, 25.5, 26, 27, 28, 29.8) == [BLUE, BLUE, GREEN, GREEN, WHITE]
    assert along(image, 1, 6, 8, 24) == [BLUE, BLUE, BLUE], "above it the upper half"
    assert along(image, 39, 6, 8, 24) == [RED, GREEN, BLUE], "below it the lower one"
    assert along(image, 1, 4, 2) == [BLUE, BLUE], "the corner"


def test_there_is_no_seam(tmp_path: Path) -> None:
    """Of the row from the page's edge to the face's second stripe no dot is of a third colour."""
    for bleed in (0, 0.4, 2):
        image = drawn(face(tmp_path, bleed), (WIDTH + 2, HEIGHT + 2))
        assert set(along(image, 25, *(n / PX for n in range(1, 29)))) == {RED}


def test_a_face_that_reaches_is_drawn_once(tmp_path: Path) -> None:
    made = face(tmp_path, 3)
    whole = Box(0, 0, WIDTH - 2, HEIGHT - 2)
    assert paint_extended("F", made, whole, (1, 1)).count("/F Do") == 1
    assert paint_extended("F", made, Box(0, 0, WIDTH, HEIGHT), (1, 1)).count("/F Do") == 1
    assert paint_extended("F", made, Box(0, 0, WIDTH + 1, HEIGHT), (1, 1)).count("/F Do") == 3


def test_a_small_face_is_mirrored_again_and_again(tmp_path: Path) -> None:
    """A third of its size, with more than its width on either side: nothing is left unpainted."""
    image = drawn(face(tmp_path, 0), (30, 10), 1 / 3)
    colours = along(image, 8, *(n / 5 for n in range(1, 149)))
    assert colours.count(RED) > 8
    assert colours.count(BLUE) > 8
    runs = [colour for colour, before in zip(colours, [None, *colours], strict=False)
            if colour != before]  # fmt: skip
    around = {(RED, GREEN), (GREEN, WHITE), (WHITE, GREEN), (GREEN, BLUE), (BLUE, GREEN),
              (GREEN, RED)}  # fmt: skip
    plain = [run for run in runs if run in {RED, GREEN, WHITE, BLUE}]
    assert set(pairwise(plain)) == around


@pytest.mark.parametrize("turn", [90, 270])
def test_turned(tmp_path: Path, turn: int) -> None:
    """A quarter to the left: what was at the left lies below."""
    image = drawn(face(tmp_path, 2), (HEIGHT + 6, WIDTH + 6), 1, turn)
    column = [pixel(image, (250 if turn == 90 else 110, round(y * PX))) for y in (2, 4, 22, 24)]
    assert column == ([BLUE, BLUE, RED, RED] if turn == 90 else [RED, RED, BLUE, BLUE])


@pytest.mark.parametrize("bleed", [0, 1.27, 2.5, 3, 3.175])
def test_boxes_are_right_to_a_hundredth(bleed: float) -> None:
    """mm, across and up; boxes that were there before go."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(convert_to_points(100), convert_to_points(120)))
    page.obj.CropBox = page.obj.ArtBox = page.obj.MediaBox
    page_edits.set_page_boxes(page, bleed, (8, 15))
    out = io.BytesIO()
    pdf.save(out)
    with pikepdf.open(out) as read:
        told = read.pages[0].obj
        sides = {name: [float(v) / 72 * 25.4 for v in told[name]] for name in told if "Box" in name}
    assert set(sides) == {"/MediaBox", "/BleedBox", "/TrimBox"}
    assert sides["/MediaBox"] == pytest.approx([0, 0, 100, 120], abs=0.001)
    assert sides["/BleedBox"] == pytest.approx([8, 15, 92, 105], abs=0.001)
    x, y = 8 + bleed, 15 + bleed
    assert sides["/TrimBox"] == pytest.approx([x, y, 100 - x, 120 - y], abs=0.001)

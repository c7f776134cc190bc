"""Pages with what lies beyond their cut."""

from __future__ import annotations

import io

import pikepdf
import pytest
from pixels import pages, pixel

from cardgen.core.units import convert_to_points
from cardgen.pdf.page_edits import add_mirrored_bleed

WIDTH, HEIGHT = 60.0, 40.0
"""Of the page, mm: red along its left edge, 2 mm wide, blue at its foot, else bare."""
BLEED = 3.0
PX = 10
"""To the mm."""


def page() -> bytes:
    pdf = pikepdf.new()
    made = pdf.add_blank_page(page_size=(convert_to_points(WIDTH), convert_to_points(HEIGHT)))
    red, blue = (
        (convert_to_points(2), convert_to_points(HEIGHT)),
        (convert_to_points(WIDTH), convert_to_points(1)),
    )
    made.obj.Contents = pdf.make_stream(
        f"1 0 0 rg 0 0 {red[0]} {red[1]} re f 0 0 1 rg 0 0 {blue[0]} {blue[1]} re f".encode()
    )
    with pdf.open_outline() as outline:
        item = pikepdf.OutlineItem("Here", 0, "XYZ", left=20, top=30, zoom=0)
        outline.root.append(item)
    out = io.BytesIO()
    pdf.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("x", "y", "wanted"),
    [
        (2.0, 20, (255, 0, 0)),  # mirrored beyond the left edge
        (BLEED + 0.5, 20, (255, 0, 0)),  # the page's own
        (BLEED + 2.5, 20, (255, 255, 255)),
        (30, BLEED - 0.5, (0, 0, 255)),
        (30, BLEED - 1.5, (255, 255, 255)),  # no wider than it is within
        (WIDTH + BLEED + 1, 20, (255, 255, 255)),  # bare stays bare
        (30, HEIGHT + BLEED + 1, (255, 255, 255)),
        (BLEED - 0.5, BLEED - 0.5, (0, 0, 255)),  # in the corner, too
    ],
)
def test_what_reaches_the_edge_goes_on(x: float, y: float, wanted: tuple[int, ...]) -> None:
    drawn = pages(add_mirrored_bleed(page(), BLEED), PX)[0]
    assert pixel(drawn, (int(x * PX), int((HEIGHT + 2 * BLEED - y) * PX))) == wanted


def test_the_page_grows_and_bookmarks_follow() -> None:
    with (
        pikepdf.open(io.BytesIO(add_mirrored_bleed(page(), BLEED))) as pdf,
        pdf.open_outline() as outline,
    ):
        box = [float(value) for value in pdf.pages[0].mediabox]
        whole = [0, 0, convert_to_points(WIDTH + 2 * BLEED), convert_to_points(HEIGHT + 2 * BLEED)]
        assert box == pytest.approx(whole, abs=0.001)
        place = outline.root[0].to_dictionary_object(pdf).Dest
        assert [float(place[2]), float(place[3])] == pytest.approx(
            [20 + convert_to_points(BLEED), 30 + convert_to_points(BLEED)], abs=0.001
        )


def test_equal_pages_give_equal_bytes() -> None:
    given = page()
    assert add_mirrored_bleed(given, BLEED) == add_mirrored_bleed(given, BLEED)

"""What is drawn over a draft, as it is seen: outlines, tags, frames, words and the mark."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from pixels import pages, pixel

from cardgen.core.problems import Spot
from cardgen.core.units import convert_to_points
from cardgen.pdf import text_outlines
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import SPARE_PAGE_MM, DraftLayer, FacePdf
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.runtime.content_store import Store

WIDTH, HEIGHT, BLEED = 69.5, 94.9, 3.0
GROUND = (0x40, 0x80, 0x60)
PX = 8
"""To a millimetre."""
FONTS = text_outlines.list_fonts(())


@pytest.fixture
def face(tmp_path: Path) -> FacePdf:
    """A face of one colour."""
    pdf = pikepdf.new()
    page = pdf.add_blank_page(
        page_size=(convert_to_points(WIDTH), convert_to_points(HEIGHT + SPARE_PAGE_MM))
    )
    colour = " ".join(str(part / 255) for part in GROUND)
    page.obj.Contents = pdf.make_stream(f"{colour} rg 0 0 999 9999 re f".encode())
    out = io.BytesIO()
    pdf.save(out)
    store = Store(tmp_path)
    store.write(store.get_path("faces", "k.pdf"), out.getvalue())
    return FacePdf("k", store.get_path("faces", "k.pdf"), WIDTH, HEIGHT, BLEED)


def drawn(face: FacePdf, layer: DraftLayer | None, ink: InkMode = FULL_INK) -> Image.Image:
    composer = Composer((), ink=ink)
    composer.add_page(WIDTH, HEIGHT, b"/F Do", {"F": composer.add_face(replace(face, layer=layer))})
    (page,) = pages(composer.save("face", "en"), PX)
    return page


def at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    return pixel(image, (round(x * PX), round(y * PX)))


def is_red(colour: tuple[int, ...]) -> bool:
    red, green, blue = colour
    return red > 180 and green < 60 and blue < 80


def colours(image: Image.Image) -> list[tuple[int, tuple[int, ...]]]:
    """Every colour, and of how many pixels it is."""
    found: Any = image.getcolors(1 << 20)
    return list(found)


def reds(image: Image.Image, box: tuple[float, float, float, float]) -> int:
    left, top, right, bottom = (round(edge * PX) for edge in box)
    part = image.crop((left, top, right, bottom))
    return sum(count for count, colour in colours(part) if is_red(colour))


def test_without_a_layer_nothing_is_drawn_over_a_face(face: FacePdf) -> None:
    ((_, colour),) = colours(drawn(face, None))
    assert colour == GROUND


def test_a_box_is_outlined_beside_what_it_holds_and_says_its_words(face: FacePdf) -> None:
    plain, spot = DraftLayer(is_marked=False), Spot(20, 40, 30, 20)
    image = drawn(face, replace(plain, spots=(spot,)))
    for x, y in ((19.7, 50), (50.3, 50), (35, 39.7), (35, 60.3)):
        assert is_red(at(image, x, y)), (x, y)
    assert at(image, 21, 41) == at(image, 35, 50) == at(image, 10, 50) == GROUND
    assert not reds(image, (20, 30, 50, 39))
    tagged = drawn(face, replace(plain, spots=(replace(spot, label="2.3 mm too tall"),)))
    assert reds(tagged, (20, 36, 40, 39.4)) > 200
    assert (255, 255, 255) in {c for _, c in colours(tagged.crop((160, 290, 320, 316)))}


def test_a_tag_stays_on_the_card(face: FacePdf) -> None:
    """Of a box at the upper right, or of one that reaches beyond the card."""
    for spot in (Spot(60, 3, 30, 20, "12.3 mm too wide"), Spot(-90, 80, 190, 200, "100 mm off")):
        image = drawn(face, DraftLayer((spot,), is_marked=False))
        assert reds(image, (3, 3, WIDTH - 3, HEIGHT - 3)) > 400


def test_a_frame_says_in_its_middle_which_picture_it_is_of(face: FacePdf) -> None:
    image = drawn(face, DraftLayer(frames=(Spot(10, 20, 50, 40, "art/a.svg"),), is_marked=False))
    assert reds(image, (30, 38, 40, 42)) > 100
    assert at(image, 15, 25) == GROUND


def test_what_shows_nowhere_is_told_at_the_foot(face: FacePdf) -> None:
    image = drawn(face, DraftLayer(messages=("'kind' is missing",), is_marked=False))
    assert is_red(at(image, 66, 90))
    assert is_red(at(image, 1, 94))
    assert at(image, 35, 80) == GROUND
    long = drawn(face, DraftLayer(messages=("much is told " * 60,), is_marked=False))
    assert is_red(at(long, 66, 82))
    assert at(long, 35, 70) == GROUND
    many = drawn(face, DraftLayer(messages=("it is told once more, and once more again",) * 90))
    assert at(many, 4, 40) == GROUND


def test_a_draft_is_marked_across_and_can_be_read_through(face: FacePdf) -> None:
    image, plain = drawn(face, DraftLayer()), drawn(face, None)
    changed = [
        (x, y)
        for x in range(0, image.width, 4)
        for y in range(0, image.height, 4)
        if pixel(image, (x, y)) != pixel(plain, (x, y))
    ]
    assert 0.06 < len(changed) * 16 / (image.width * image.height) < 0.4
    xs, ys = [x / PX for x, _ in changed], [y / PX for _, y in changed]
    assert min(xs) > BLEED
    assert max(xs) < WIDTH - BLEED
    assert min(ys) > BLEED
    assert max(ys) < HEIGHT - BLEED
    assert max(xs) - min(xs) > 35
    assert max(ys) - min(ys) > 50
    assert not any(is_red(pixel(image, place)) for place in changed)


def test_on_sheets_of_black_ink_alone_there_is_no_colour(face: FacePdf) -> None:
    layer = DraftLayer((Spot(20, 40, 30, 20, "2.3 mm too tall"),), messages=("something",))
    for _, (red, green, blue) in colours(drawn(face, layer, InkMode(grey=True))):
        assert max(red, green, blue) - min(red, green, blue) < 3


def test_boxes_without_end_draw_nothing(face: FacePdf) -> None:
    layer = DraftLayer((Spot(1e9, 0, 1, 1), Spot(0, 0, 1e300, 1)), is_marked=False)
    assert colours(drawn(face, layer)) == colours(drawn(face, None))


def test_on_a_small_token_all_is_small(face: FacePdf, tmp_path: Path) -> None:
    token = replace(face, width=16.0, height=16.0, bleed=2.0)
    composer = Composer(())
    layer = DraftLayer((Spot(5, 5, 6, 6, "2 mm too tall"),))
    composer.add_page(16, 16, b"/F Do", {"F": composer.add_face(replace(token, layer=layer))})
    (image,) = pages(composer.save("face", "en"), 20)
    red = sum(n for n, colour in colours(image) if is_red(colour))
    assert 0.01 < red / (image.width * image.height) < 0.3


@pytest.mark.skipif(not FONTS, reason="the fonts that come with cardgen are not there")
def test_lines_are_broken_between_words_and_cut_off_after_the_last() -> None:
    text = "much is told of what there is"
    wide = text_outlines.outline_line(text, FONTS).width
    assert len(text_outlines.wrap_text(text, wide + 0.01, 4, FONTS)) == 1
    lines = text_outlines.wrap_text(text, wide / 2.5, 4, FONTS)
    assert 2 < len(lines) <= 4
    assert all(line.width <= wide / 2.5 for line in lines)
    cut = text_outlines.wrap_text(text * 9, wide / 2, 3, FONTS)
    assert len(cut) == 3
    assert text_outlines.shorten_text("abc", 9, FONTS) == "abc"
    assert text_outlines.shorten_text("m" * 50, 4, FONTS).endswith("m…")
    long = text_outlines.wrap_text("m" * 50, 4, 99, FONTS)
    assert len(long) > 5
    assert all(line.width <= 4 for line in long)


def test_without_any_font_words_draw_nothing(face: FacePdf) -> None:
    assert text_outlines.outline_line("words", ()).width == 0
    assert text_outlines.wrap_text("some words", 3, 4, ())

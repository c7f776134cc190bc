"""SVG as strangers write it: encodings, sizes, numbers that are none."""

from __future__ import annotations

import pytest

from cardgen.assets import icon_outlines, svg_reader

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'


def size(text: str | bytes) -> tuple[float, float]:
    return svg_reader.read_size(
        svg_reader.parse_svg(text if isinstance(text, bytes) else text.encode())
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<svg viewBox="0 0 100 140"/>', (100, 140)),
        ('<svg viewBox=" -5,-5, 100  140 "/>', (100, 140)),
        ('<svg viewBox="0-5.5.5 1e2"/>', (0.5, 100)),
        ('<svg width="25.4mm" height="1in" viewBox="0 0 2 2"/>', (96, 96)),
        ('<svg width="100%" height="1em" viewBox="0 0 3 4"/>', (3, 4)),
        ('<svg width="40" viewBox="0 0 3 4"/>', (40, 4)),
        # A side is so long at most; proportions stay.
        ('<svg viewBox="0 0 40000 20000"/>', (10_000, 5_000)),
        # Whatever it declares: the bytes are UTF-8.
        ('<?xml version="1.0" encoding="bogus"?><svg viewBox="0 0 3 4" id="ä"/>', (3, 4)),
        ('<?xml version="1.0" encoding="UTF-16"?><svg viewBox="0 0 3 4"/>', (3, 4)),
        ('\ufeff<svg viewBox="0 0 3 4"/>', (3, 4)),
    ],
)
def test_the_size_of_a_drawing(text: str, expected: tuple[float, float]) -> None:
    assert size(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "box",
    ["nan 0 1 1", "0 0 inf 1", "0 0 1e309 1", "0 0 1e12 1", "0 0 -3 1", "0 0 0 1", "0 0 3", "",
     "0 0 1 1 1", "0 0 1e-300 1", "0 0 ١ 1", "a b c d", "0 0 100% 100%", "0;0;3;4"],
)  # fmt: skip
def test_a_viewbox_that_is_none(box: str) -> None:
    with pytest.raises(ValueError, match=r"has the viewBox .*expected four numbers"):
        size(f'<svg width="3" height="4" viewBox="{box}"/>')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<svg/>", "has neither width and height nor a viewBox"),
        ('<svg width="nan" height="1e999"/>', "has neither width and height nor a viewBox"),
        ('<svg width="-3" height="٣"/>', "has neither width and height nor a viewBox"),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "has a DOCTYPE with declarations; take it out"),
        ("<!DOCTYPE svg><svg/>".encode("utf-16"), "is not UTF-8; save it as UTF-8"),
        ('<svg id="ä"/>'.encode("latin-1"), "is not UTF-8; save it as UTF-8"),
        ("<svg>\ud800</svg>".encode("utf-8", "surrogatepass"), "is not UTF-8; save it as UTF-8"),
        ("", "is empty"),
        (b"\0", "cannot be read"),
    ],
)
def test_a_drawing_that_cannot_be_read(text: str | bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        size(text)


@pytest.mark.parametrize(
    "inside",
    [
        '<rect width="nan" height="3"/>',
        '<rect width="1e309" height="3"/>',
        '<rect width="٣" height="3"/>',
        '<rect width="1e8" height="3"/>',
        '<rect width="3"/>',
        '<circle cx="3"/>',
        '<polygon points="0,0 nan,1 2,2"/>',
        '<path d="Mnan 0L5 3 7 7z"/>',
        '<path d="M0 0L1e999 3z"/>',
        '<path d="M0 0h1e30v3z"/>',
        '<g transform="scale(nan)"><path d="M0 0h3v3z"/></g>',
        '<g transform="scale(1e30)"><path d="M0 0h3v3z"/></g>',
        '<g transform="rotate(1e999)"><path d="M0 0h3v3z"/></g>',
        '<g transform="rotate()"><path d="M0 0h3v3z"/></g>',
        '<g transform="matrix(1 2)"><path d="M0 0h3v3z"/></g>',
        '<path d="M0 0h3v3" stroke="#000" stroke-width="nan"/>',
        '<path d="M0 0h3v3" stroke="#000" stroke-width="-1"/>',
        '<path d="M0 0h3v3" stroke="#000" stroke-width="thick"/>',
    ],
)
def test_an_icon_of_numbers_that_are_none(inside: str) -> None:
    with pytest.raises(Exception, match=r"\w"):
        icon_outlines.trace_icon(ICON.format(inside).encode(), 1000)


def test_an_icon_with_numbers_as_svg_writes_them() -> None:
    for inside in (
        '<g transform="translate(.5-.5) scale(2)"><rect width="3" height="4"/></g>',
        '<path d="M0 0h3v3" stroke="#000" stroke-width="2px" stroke-linecap="odd"/>',
    ):
        assert list(icon_outlines.trace_icon(ICON.format(inside).encode(), 1000)[0].segments)

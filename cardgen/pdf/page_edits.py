"""The bookmarks of a PDF and where they lead (ISO 32000-1, 12.3.3)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.core.units import POINTS_PER_MM, Box, convert_to_points
from cardgen.pdf.content_operators import paint_extended


def iterate_bookmarks(document: pikepdf.Pdf) -> Iterator[Any]:
    """Every bookmark, each once, and first what holds them all; also where they lead in circles."""
    waiting, seen = [document.Root.get("/Outlines")], set()
    while waiting:
        item = waiting.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        waiting += [item.get("/First"), item.get("/Next")]
        yield item


def shift_bookmarks(document: pikepdf.Pdf, off: float) -> None:
    """Have bookmarks lead to where what they name is now, `off` points further right and up."""
    for item in iterate_bookmarks(document):
        place = item.get("/Dest")
        if isinstance(place, Array) and len(place) == 5 and place[1] == Name.XYZ:
            x, y = (round(float(value) + off, 4) for value in (place[2], place[3]))
            item.Dest = Array([place[0], Name.XYZ, x, y, place[4]])


def set_page_boxes(page: Any, bleed: float, beyond: tuple[float, float] = (0.0, 0.0)) -> None:
    """Give a page its boxes: cut `bleed` mm within what is printed, which ends `beyond` mm (across,
    up) within the page. Right to a ten-thousandth of a point; what other boxes it had go."""
    left, bottom, right, top = (float(value) for value in page.mediabox)
    across, up = map(convert_to_points, beyond)
    edge = convert_to_points(bleed)

    def make_box(within: float) -> Array:
        x, y = across + within, up + within
        sides = (left + x, bottom + y, right - x, top - y)
        return Array([round(value, 4) for value in sides])

    page.obj.MediaBox = Array([round(value, 4) for value in (left, bottom, right, top)])
    page.obj.BleedBox, page.obj.TrimBox = make_box(0.0), make_box(edge)
    for other in ("/CropBox", "/ArtBox"):
        if other in page.obj:
            del page.obj[other]


@dataclass(frozen=True)
class _CutPage:
    """A page in mm, whose edge is the cut."""

    width: float
    height: float
    bleed: float = 0.0


def add_mirrored_bleed(pdf: bytes, bleed: float) -> bytes:
    """A PDF of pages that end at their cut and begin at the origin, with so much (mm) mirrored
    beyond it on every side.

    Bookmarks lead to where they led. Links and tags are left as they are: they are off by the
    bleed, and a press has no use for them.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            _widen_page(document, page, bleed)
        shift_bookmarks(document, convert_to_points(bleed))
        out = io.BytesIO()
        document.save(
            out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate
        )
        return out.getvalue()


def _widen_page(document: pikepdf.Pdf, page: pikepdf.Page, bleed: float) -> None:
    _, _, right, top = (float(value) for value in page.mediabox)
    page.contents_coalesce()
    form = page.obj.Contents  # what the page was is a form from here on
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.obj.MediaBox
    form.Resources = page.obj.get("/Resources", Dictionary())
    size = _CutPage(right / POINTS_PER_MM, top / POINTS_PER_MM)
    whole = Box(0, 0, size.width + 2 * bleed, size.height + 2 * bleed)
    content = paint_extended("P", size, whole, (1.0, 1.0))
    page.obj.Contents = document.make_stream(content.encode())
    page.obj.Resources = Dictionary(XObject=Dictionary(P=form))
    sides = (round(convert_to_points(side), 4) for side in (whole.right, whole.top))
    page.obj.MediaBox = Array([0, 0, *sides])


_TEXT_OPERATORS = frozenset({"Tj", "TJ", "'", '"'})


def remove_text(page: Any, keep: str = "") -> None:
    """Take out of a page what shows letters, in what it draws too; those of a font family to
    `keep` stay. Everything else is as it was."""
    _strip_stream(page.obj, page.Contents, keep, set())


def _strip_stream(holder: Any, stream: Any, keep: str, seen: set[Any]) -> None:
    """A stream, and the forms that its holder's resources name."""
    resources = holder.get("/Resources")
    kept = _find_kept_fonts(resources, keep) if keep else frozenset[str]()
    stream.write(pikepdf.unparse_content_stream(list(_remove_text_operators(stream, kept))))
    for item in ((resources or {}).get("/XObject") or {}).values():
        if item.get("/Subtype") == Name.Form and item.objgen not in seen:
            seen.add(item.objgen)
            _strip_stream(item, item, keep, seen)


def _remove_text_operators(stream: Any, kept: frozenset[str]) -> Iterator[Any]:
    font, outer = "", list[str]()
    for each in pikepdf.parse_content_stream(stream):
        operator = str(each.operator)
        if operator == "q":
            outer.append(font)
        elif operator == "Q" and outer:
            font = outer.pop()
        elif operator == "Tf":
            font = str(each.operands[0])
        if operator not in _TEXT_OPERATORS or font in kept:
            yield each


def _find_kept_fonts(resources: Any, family: str) -> frozenset[str]:
    """The names by which a stream calls the fonts of a family."""
    fonts = ((resources or {}).get("/Font") or {}).items()
    return frozenset(name for name, font in fonts if _get_font_family(font) == family)


def _get_font_family(font: Any) -> str:
    if "/DescendantFonts" not in font:
        return ""
    return str(font.DescendantFonts[0].FontDescriptor.get("/FontFamily", ""))

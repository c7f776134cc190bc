"""Edits to pages of finished PDFs: bookmarks, page boxes, mirrored bleed, and text removed.

Sources: ISO 32000-1, 12.3.3 (bookmarks) and 14.11.2 (page boxes).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name

from cardgen.core.units import POINTS_PER_MM, Box, convert_to_points
from cardgen.pdf.content_operators import paint_extended
from cardgen.pdf.graphics_state import TEXT_OPERATORS
from cardgen.pdf.pdf_objects import round_numbers, save_pdf


def iterate_bookmarks(document: pikepdf.Pdf) -> Iterator[Any]:
    """Yield the outline and every bookmark, each once, also where they lead in circles."""
    waiting, seen = [document.Root.get("/Outlines")], set()
    while waiting:
        item = waiting.pop()
        if item is None or item.objgen in seen:
            continue
        seen.add(item.objgen)
        waiting += [item.get("/First"), item.get("/Next")]
        yield item


def shift_bookmarks(document: pikepdf.Pdf, off: float) -> None:
    """Move the targets of bookmarks by `off` points to the right and up."""
    for item in iterate_bookmarks(document):
        target = item.get("/Dest")
        if isinstance(target, Array) and len(target) == 5 and target[1] == Name.XYZ:
            x, y = (round(float(value) + off, 4) for value in (target[2], target[3]))
            item.Dest = Array([target[0], Name.XYZ, x, y, target[4]])


def set_page_boxes(page: Any, bleed: float, beyond: tuple[float, float] = (0.0, 0.0)) -> None:
    """Set the BleedBox and TrimBox of a page, and remove other boxes.

    `bleed` is the distance in mm from the bleed box to the trim. `beyond` are the margins
    (horizontal, vertical; mm) of the page around its bleed box. Values are rounded to 0.0001 pt.
    """
    left, bottom, right, top = (float(value) for value in page.mediabox)
    x_margin, y_margin = map(convert_to_points, beyond)
    edge = convert_to_points(bleed)

    def make_box(within: float) -> Array:
        x, y = x_margin + within, y_margin + within
        sides = (left + x, bottom + y, right - x, top - y)
        return round_numbers(*sides)

    page.obj.MediaBox = round_numbers(left, bottom, right, top)
    page.obj.BleedBox, page.obj.TrimBox = make_box(0.0), make_box(edge)
    for other in ("/CropBox", "/ArtBox"):
        if other in page.obj:
            del page.obj[other]


@dataclass(frozen=True)
class _CutPage:
    """A page whose edge is the cut; lengths in mm."""

    width: float
    height: float
    bleed: float = 0.0


def add_mirrored_bleed(pdf: bytes, bleed: float) -> bytes:
    """Add bleed (mm) to every side of each page, which mirrors what the page shows at its edge.

    Pages must begin at the origin and end at their cut. Bookmarks keep their targets. Links and
    tags are not moved: a press does not use them.
    """
    with pikepdf.open(io.BytesIO(pdf)) as document:
        for page in document.pages:
            _widen_page(document, page, bleed)
        shift_bookmarks(document, convert_to_points(bleed))
        return save_pdf(document)


def _widen_page(document: pikepdf.Pdf, page: pikepdf.Page, bleed: float) -> None:
    _, _, right, top = (float(value) for value in page.mediabox)
    page.contents_coalesce()
    form = page.obj.Contents  # the old page becomes a form
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.obj.MediaBox
    form.Resources = page.obj.get("/Resources", Dictionary())
    size = _CutPage(right / POINTS_PER_MM, top / POINTS_PER_MM)
    area = Box(0, 0, size.width + 2 * bleed, size.height + 2 * bleed)
    content = paint_extended("P", size, area, (1.0, 1.0))
    page.obj.Contents = document.make_stream(content.encode())
    page.obj.Resources = Dictionary(XObject=Dictionary(P=form))
    page.obj.MediaBox = round_numbers(0, 0, *map(convert_to_points, (area.right, area.top)))


def remove_text(page: Any, keep: str = "") -> None:
    """Remove all operators that show text from a page and its forms, except in a font family
    `keep`."""
    _strip_stream(page.obj, page.Contents, keep, set())


def _strip_stream(holder: Any, stream: Any, keep: str, seen: set[Any]) -> None:
    """Remove text from a stream and from the forms of its holder's resources."""
    resources = holder.get("/Resources")
    kept_fonts = _find_kept_fonts(resources, keep) if keep else frozenset[str]()
    stream.write(pikepdf.unparse_content_stream(list(_remove_text_operators(stream, kept_fonts))))
    for item in ((resources or {}).get("/XObject") or {}).values():
        if item.get("/Subtype") == Name.Form and item.objgen not in seen:
            seen.add(item.objgen)
            _strip_stream(item, item, keep, seen)


def _remove_text_operators(stream: Any, kept_fonts: frozenset[str]) -> Iterator[Any]:
    font, outer = "", list[str]()
    for each in pikepdf.parse_content_stream(stream):
        operator = str(each.operator)
        if operator == "q":
            outer.append(font)
        elif operator == "Q" and outer:
            font = outer.pop()
        elif operator == "Tf":
            font = str(each.operands[0])
        if operator not in TEXT_OPERATORS or font in kept_fonts:
            yield each


def _find_kept_fonts(resources: Any, family: str) -> frozenset[str]:
    """Return the names of a font family's fonts in the resources."""
    fonts = ((resources or {}).get("/Font") or {}).items()
    return frozenset(
        name
        for name, font in fonts
        if "/DescendantFonts" in font
        and str(font.DescendantFonts[0].FontDescriptor.get("/FontFamily", "")) == family
    )

"""Laid-out pages of a book as plain data: areas of elements, headings and pictures.

The preview points at areas and scrolls to headings. Elements are identified by the block in which
they stand and their number in it, so that areas stay the same when a page moves within its book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.book.model import BookPage
from cardgen.core.units import MM_PER_INCH
from cardgen.pdf.weasyprint_library import boxes
from cardgen.runtime.content_store import digest_parts

ElementPlaces = Mapping[int, tuple[int, int]]
"""Block number and number within the block, by the `id()` of an element."""

_AREA_TAGS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "figure",
     "figcaption", "blockquote", "table", "img", "section", "nav", "div")
)  # fmt: skip
_FOOTNOTE_CLASS = "footnote"
_MM_PER_PX = MM_PER_INCH / 96
_LINE_END_HYPHEN = "-"
_MAX_AREAS_PER_PAGE = 5000


def list_blocks(body: Any) -> list[Any]:
    """List the blocks of a book's HTML: the children of `main`, and other children of `body`."""
    return [block for part in body for block in (part if part.tag == "main" else [part])]


def describe_pages(document: Any, body: Any) -> tuple[BookPage, ...]:
    """Describe each page of a document that was laid out from that body element."""
    places = {
        id(element): (block, number)
        for block, root in enumerate(list_blocks(body))
        for number, element in enumerate(root.iter())
    }
    return tuple(_describe_page(page, places) for page in document.pages)


def _describe_page(page: Any, places: ElementPlaces) -> BookPage:
    layout, images = [], set()
    first: int | None = None
    for box in page._page_box.descendants():
        element = box.element
        attributes = () if element is None else sorted(element.items())
        edges = [
            round(edge, 2) if isinstance(edge, int | float) else edge
            for edge in (box.position_x, box.position_y, box.width, box.height)
        ]
        layout.append(repr((type(box).__name__, attributes, edges, getattr(box, "text", ""))))
        if box.element_tag == "img" and element is not None:
            images.add(element.get("src", ""))
        if first is None and element is not None and id(element) in places:
            first = places[id(element)][0]
    return BookPage(
        digest_parts(layout), first or 0, _list_areas(page._page_box, places, first or 0),
        [[int(level), str(text), round(top * _MM_PER_PX, 1)]
         for level, text, (_, top), _ in page.bookmarks],
        sorted(images),
    )  # fmt: skip


def _list_areas(page_box: Any, places: ElementPlaces, first: int) -> list[list[Any]]:
    areas = []
    for box in page_box.descendants():
        element = box.element
        if element is None or id(element) not in places or not _is_area(box):
            continue
        block, number = places[id(element)]
        edges = (
            box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height(),
        )  # fmt: skip
        mm = [round(edge * _MM_PER_PX, 1) for edge in edges]
        areas.append([block - first, number, *mm, " ".join(_list_text_lines(box))])
        if len(areas) == _MAX_AREAS_PER_PAGE:
            break
    return areas


def _is_area(box: Any) -> bool:
    is_named = (
        box.element_tag in _AREA_TAGS or _FOOTNOTE_CLASS in (box.element.get("class") or "").split()
    )
    is_block = isinstance(
        box, (boxes.BlockLevelBox, boxes.TableCellBox, boxes.AtomicInlineLevelBox)
    )
    return is_named and is_block and not box.is_table_wrapper


def _list_text_lines(box: Any) -> Iterator[str]:
    """Yield the lines of a box itself. A line that ends with a hyphen is joined to the next one."""
    line = ""
    for child in getattr(box, "children", ()):
        if isinstance(child, boxes.LineBox):
            texts = [box.text for box in child.descendants() if isinstance(box, boxes.TextBox)]
            line += "".join(texts).replace("\u00ad", "")
            if line.endswith(_LINE_END_HYPHEN):
                line = line.removesuffix(_LINE_END_HYPHEN)
            else:
                yield line.strip()
                line = ""
    if line:
        yield line.strip()

"""Where on a page what stands, for whoever points at it: blocks of text, cells, figures.

Elements are told by the block in which they stand and their number there, so that nothing of it
changes where a page only moves within its book.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.core.units import MM_PER_INCH
from cardgen.pdf.weasyprint_library import boxes

ElementPlaces = Mapping[int, tuple[int, int]]
"""By the id of an element, in which block of the book it stands, and as which of its elements."""

_AREA_TAGS = frozenset(
    ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd", "pre", "figure",
     "figcaption", "blockquote", "table", "img", "section", "nav", "div")
)  # fmt: skip
_FOOTNOTE_CLASS = "footnote"
_MM_PER_PX = MM_PER_INCH / 96
_LINE_END_HYPHEN = "-"
"""At the end of a line whose last word goes on in the next, or is parted there anyway."""
_MAX_AREAS_PER_PAGE = 5000
"""So many areas a page are told."""


@dataclass(frozen=True)
class PageArea:
    """What one element takes of a page, mm from its top left, and the words in it itself: without
    the hyphens at the ends of lines. `block` counts from the first block of the page."""

    block: int
    element: int
    left: float
    top: float
    width: float
    height: float
    text: str = ""


def list_areas(page_box: Any, places: ElementPlaces, first: int) -> list[Any]:
    """The areas of a page whose first block is `first`, each as a list of what an `Area` has."""
    found = []
    for box in page_box.descendants():
        element = box.element
        if element is None or id(element) not in places or not _is_area(box):
            continue
        block, number = places[id(element)]
        edges = (
            box.border_box_x(), box.border_box_y(), box.border_width(), box.border_height(),
        )  # fmt: skip
        mm = [round(edge * _MM_PER_PX, 1) for edge in edges]
        found.append([block - first, number, *mm, " ".join(_list_text_lines(box))])
        if len(found) == _MAX_AREAS_PER_PAGE:
            break
    return found


def _is_area(box: Any) -> bool:
    named = (
        box.element_tag in _AREA_TAGS or _FOOTNOTE_CLASS in (box.element.get("class") or "").split()
    )
    whole = isinstance(box, (boxes.BlockLevelBox, boxes.TableCellBox, boxes.AtomicInlineLevelBox))
    return named and whole and not box.is_table_wrapper


def _list_text_lines(box: Any) -> Iterator[str]:
    """What is written in a box itself, line by line; a word that goes on in the next line stands
    whole, without its hyphen."""
    said = ""
    for child in getattr(box, "children", ()):
        if isinstance(child, boxes.LineBox):
            texts = [box.text for box in child.descendants() if isinstance(box, boxes.TextBox)]
            said += "".join(texts).replace("\u00ad", "")
            if said.endswith(_LINE_END_HYPHEN):
                said = said.removesuffix(_LINE_END_HYPHEN)
            else:
                yield said.strip()
                said = ""
    if said:
        yield said.strip()

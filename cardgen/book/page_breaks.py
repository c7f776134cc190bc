"""Page breaks of books: relaxed `break-inside: avoid`, and pages that a break leaves half empty.

The style sheet keeps tables, boxes and lists in one piece. Where such an element begins in the
upper half of a page and does not fit below, moving it would leave more than half of the page empty.
It is broken there instead. This depends only on the element and its position, so equal pages come
out equal. Figures cannot be broken; a page that one leaves under half full is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cardgen.book.model import BookPage, PageFormat
from cardgen.pdf.weasyprint_library import weasyprint

_BREAKABLE_TAGS = frozenset(
    ("table", "section", "dl", "dd", "ul", "ol", "li", "blockquote", "pre", "div")
)
_UPPER_PAGE_SHARE = 0.56
"""Share of the page's height, down to the end of its text, in which elements may be broken."""
_HALF_FULL_SHARE = 0.5
_AVOID_VALUES = ("avoid", "avoid-page")
_FORCED_BREAKS = ("page", "always", "left", "right", "recto", "verso")
_block_layout = weasyprint.layout.block


@contextmanager
def relax_breaks() -> Iterator[None]:
    """Let WeasyPrint break elements that would leave more than half of a page empty.

    WeasyPrint has no hook for this, so its `block_level_layout` is replaced for the duration.
    """
    original = _block_layout.block_level_layout

    def lay_out_block(context: Any, box: Any, *args: Any, **kwargs: Any) -> Any:
        style = box.style
        if (
            box.element_tag not in _BREAKABLE_TAGS
            or style["break_inside"] not in _AVOID_VALUES
            or box.position_y >= _UPPER_PAGE_SHARE * context.page_bottom
        ):
            return original(context, box, *args, **kwargs)
        value = style["break_inside"]
        style["break_inside"] = "auto"
        try:
            return original(context, box, *args, **kwargs)
        finally:
            style["break_inside"] = value

    _block_layout.block_level_layout = lay_out_block
    try:
        yield
    finally:
        _block_layout.block_level_layout = original


@dataclass(frozen=True)
class PageGap:
    """A page (from 1), the share of it that is filled, and the block that did not fit on it."""

    page: int
    filled: float
    block: int


def find_page_gaps(
    document: Any, pages: Sequence[BookPage], format_: PageFormat
) -> Iterator[PageGap]:
    """Yield the pages under half full, without the last page and those before a forced break or a
    new chapter."""
    height = format_.height - format_.top_margin - format_.bottom_margin
    boxes = [page._page_box for page in document.pages]
    for number, (page, following) in enumerate(pairwise(pages)):
        if not page.areas or not following.areas or _has_forced_break(*boxes[number : number + 2]):
            continue
        filled = (max(area[3] + area[5] for area in page.areas) - format_.top_margin) / height
        if filled < _HALF_FULL_SHARE:
            yield PageGap(number + 1, max(filled, 0.0), following.first_block)


def _has_forced_break(page: Any, following: Any) -> bool:
    """Tell whether a forced break, another kind of page or a chapter begins the following page."""
    if page.page_type.name != following.page_type.name:
        return True
    ends, starts = _list_edge_boxes(page, -1), _list_edge_boxes(following, 0)
    continued = {id(box.element) for box in ends} & {id(box.element) for box in starts}
    ends = [box for box in ends if id(box.element) not in continued]
    starts = [box for box in starts if id(box.element) not in continued]
    return (
        any(box.style["break_after"] in _FORCED_BREAKS for box in ends)
        or any(box.style["break_before"] in _FORCED_BREAKS for box in starts)
        or any(box.element_tag == "h2" for box in starts)
    )


def _list_edge_boxes(page: Any, index: int) -> list[Any]:
    """List the boxes at a page's beginning (`index` 0) or end (-1), from the root down."""
    edge_boxes: list[Any] = []
    (root,) = [box for box in page.children if box.element_tag == "html"]
    children = [root]
    while children:
        edge_boxes.append(children[index])
        inner = getattr(edge_boxes[-1], "children", ())
        children = [box for box in inner if box.is_in_normal_flow()]
    return edge_boxes

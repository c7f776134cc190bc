"""What stays together on a page: tables, boxes and lists, unless that leaves a page half empty.

The style says what stays in one piece. Where such a thing begins in the upper half of a page and
does not fit below, moving it would leave more than half of the page empty; so it is set there and
goes on overleaf. That hangs on nothing but the thing and where it begins, so a page comes out the
same whenever it is laid out. A figure cannot be parted: of that a page under half full remains,
which is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from cardgen.book.model import PageFormat

_BREAKABLE_TAGS = frozenset(
    ("table", "section", "dl", "dd", "ul", "ol", "li", "blockquote", "pre", "div")
)
"""Elements whose content can go on overleaf."""
_UPPER_PAGE_SHARE = 0.56
"""Of a page's height down to the end of its text: from below there what stays together moves."""
_HALF_FULL_SHARE = 0.5
_AVOID_VALUES = ("avoid", "avoid-page")


@contextmanager
def allow_break(context: Any, box: Any) -> Iterator[None]:
    """While a box is laid out: let it be parted where keeping it leaves the page half empty."""
    style = box.style
    if (
        box.element_tag not in _BREAKABLE_TAGS
        or style["break_inside"] not in _AVOID_VALUES
        or box.position_y >= _UPPER_PAGE_SHARE * context.page_bottom
    ):
        yield
        return
    kept = style["break_inside"]
    style["break_inside"] = "auto"
    try:
        yield
    finally:
        style["break_inside"] = kept


@dataclass(frozen=True)
class PageGap:
    """A page, from 1, that is filled to so small a part, and the block that did not fit on it, of
    so many."""

    page: int
    filled: float
    block: int
    blocks: int


def find_page_gaps(document: Any, format_: PageFormat) -> Iterator[PageGap]:
    """The pages under half full. Where a chapter ends, or a page break is asked for, none is
    told, nor of the last page."""
    high = format_.height - format_.top_margin - format_.bottom_margin
    for number, page in enumerate(document.pages, start=1):
        basis = page.basis
        if basis is None or basis.end is None or not page.areas:
            continue
        if document.chapters[basis.end.block] or basis.after[3]["break"] != "any":
            continue
        filled = (max(area[3] + area[5] for area in page.areas) - format_.top_margin) / high
        if filled < _HALF_FULL_SHARE:
            yield PageGap(number, max(filled, 0.0), basis.end.block, len(document.chapters))

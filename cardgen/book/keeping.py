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
from typing import Any

_PARTED = frozenset(("table", "section", "dl", "dd", "ul", "ol", "li", "blockquote", "pre", "div"))
"""Elements whose content can go on overleaf."""
_UPPER = 0.56
"""Of a page's height down to the end of its text: from below there what stays together moves."""
_KEPT = ("avoid", "avoid-page")


@contextmanager
def loosened(context: Any, box: Any) -> Iterator[None]:
    """While a box is laid out: let it be parted where keeping it leaves the page half empty."""
    style = box.style
    if (
        box.element_tag not in _PARTED
        or style["break_inside"] not in _KEPT
        or box.position_y >= _UPPER * context.page_bottom
    ):
        yield
        return
    kept = style["break_inside"]
    style["break_inside"] = "auto"
    try:
        yield
    finally:
        style["break_inside"] = kept

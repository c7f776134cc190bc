"""Page numbers of a book: layout passes until the printed numbers are those of the layout.

Without a hint it usually takes two passes: one with placeholders of two digits, one with the
numbers that the first pass showed. With the numbers of the previous layout it takes one pass if
they still hold. The result must be the same, so `_is_unique_layout` checks whether placeholders
would have led there.

A layout depends on the printed numbers only by their widths. With tabular digits these depend on
the number of digits, and only numbers below ten are narrower than a placeholder. So placeholders
lay out the first pages as the numbers do if every line with a number has room for a placeholder.
Then the same targets come before page ten, every number has as many digits in the second pass as
here, and the second or third pass is this one. If this cannot be shown, the hint is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.book.model import Book
from cardgen.book.page_numbers import INDEX_MARK, UNKNOWN_PAGE, list_printed_ids
from cardgen.pdf.weasyprint_library import boxes, split_first_line

_MAX_PASSES = 5
_MAX_HINTED_PASSES = 2
_MAX_EARLY_PAGE = 10
"""Last page whose layout may change when numbers turn from one digit to two."""
_PAGE_NUMBER_PATTERN = re.compile(r"(\d+)(?=\)?$)")
_ID_PATTERN = re.compile(r' id="([^"]*)"')
_PAGE_REFERENCE_CLASSES = ("reference", "at-page", "page")
_SPARE_WIDTH_PX = 1.0
"""Room in a line beyond what it needs."""
_WIDTH_TOLERANCE_PX = 0.01
# The width of a line in these boxes decides the width of the box.
_SHRINK_TO_FIT_BOXES = (
    boxes.InlineBlockBox, boxes.InlineFlexBox, boxes.InlineGridBox, boxes.TableBox,
    boxes.InlineTableBox, boxes.FlexBox, boxes.GridBox,
)  # fmt: skip
LayOutBook = Callable[[Mapping[str, int]], Any]
"""Lays the book out with these page numbers."""


@dataclass(frozen=True)
class SettledLayout:
    """A layout that prints its own page numbers, the only possible ones if `is_unique`."""

    document: Any
    pages: Mapping[str, int]
    is_unique: bool
    pass_count: int


def settle_page_numbers(
    book: Book, lay_out: LayOutBook, hint: Mapping[str, int] | None
) -> SettledLayout:
    """Return the layout that starting with placeholders leads to.

    `hint` holds the page of each id in the previous layout; it saves passes only.
    """
    passes = 0
    pages: Mapping[str, int] = hint or {}
    for _ in range(_MAX_HINTED_PASSES if pages else 0):
        document, passes = lay_out(pages), passes + 1
        anchors = list_anchor_pages(document)
        if anchors == pages:
            if _is_unique_layout(book, document, anchors):
                return SettledLayout(document, anchors, True, passes)
            break
        pages = anchors
    pages = {}
    for _ in range(_MAX_PASSES):
        document, passes = lay_out(pages), passes + 1
        anchors = list_anchor_pages(document)
        if anchors == pages:
            break
        pages = anchors
    return SettledLayout(
        document, pages, anchors == pages and _is_unique_layout(book, document, pages), passes
    )


def list_anchor_pages(document: Any) -> dict[str, int]:
    """Return the first page (from 1) of every id."""
    anchors: dict[str, int] = {}
    for number, page in enumerate(document.pages, start=1):
        for name in page.anchors:
            anchors.setdefault(name, number)
    return anchors


def _is_unique_layout(book: Book, document: Any, pages: Mapping[str, int]) -> bool:
    """Tell whether placeholders would lead to this layout."""
    _, index, after = book.html.partition(INDEX_MARK)
    behind = set(_ID_PATTERN.findall(after)) if index else set()
    if behind & (list_printed_ids(book) | {name for entry in book.index for name in entry.anchors}):
        return False  # what comes after the index moves with the pages listed in it
    if any(pages.get(name, UNKNOWN_PAGE) > 99 for name in list_printed_ids(book)):
        return False
    return all(list_stable_pages(document))


def list_stable_pages(document: Any) -> Iterator[bool]:
    """Yield for each page whether its lines break as they would with placeholders."""
    measurer = _TextMeasurer()
    for number, page in enumerate(document.pages, start=1):
        yield _is_stable_page(page._page_box, measurer, early=number <= _MAX_EARLY_PAGE)


class _TextMeasurer:
    """Measures texts in the styles of a layout, in px."""

    def __init__(self) -> None:
        self._even: dict[int, bool] = {}

    def measure_text(self, text: str, style: Any) -> float:
        """Return the width of a text on one line."""
        return float(split_first_line(text, style, None, None, 0)[3])

    def has_tabular_digits(self, style: Any) -> bool:
        """Tell whether all digits have the same width."""
        if id(style) not in self._even:
            pairs = [self.measure_text(f"{digit}{digit}", style) for digit in range(10)]
            self._even[id(style)] = max(pairs) - min(pairs) < _WIDTH_TOLERANCE_PX
        return self._even[id(style)]


def _is_stable_page(page: Any, widths: _TextMeasurer, *, early: bool) -> bool:
    """Tell whether lines break as with placeholders; on later pages, as with other numbers of as
    many digits."""
    floats = [box for box in page.descendants() if box.is_floated()]
    needed: dict[int, float] = {}
    """Extra width that placeholders need, by line."""
    for text, line, blocks in _list_page_numbers(page, None, ()):
        if not widths.has_tabular_digits(text.style):
            return False
        if not early:
            continue
        blank = _PAGE_NUMBER_PATTERN.sub(str(UNKNOWN_PAGE), text.text)
        wider = widths.measure_text(blank, text.style) - widths.measure_text(text.text, text.style)
        if abs(wider) < _WIDTH_TOLERANCE_PX:
            continue
        if wider < 0 or line is None or any(map(_is_shrink_to_fit, blocks)):
            return False
        needed[id(line)] = needed.get(id(line), _SPARE_WIDTH_PX) + wider
        if (
            any(_is_beside(line, box) for box in floats)
            or _measure_line_room(line, blocks[-1]) < needed[id(line)]
        ):
            return False
    return True


def _is_beside(line: Any, other: Any) -> bool:
    top, bottom = other.position_y, other.position_y + other.margin_height()
    return bool(top < line.position_y + line.height and line.position_y < bottom)


def _measure_line_room(line: Any, block: Any) -> float:
    """Return the free room at the end of a line in px."""
    drawn = [box for box in line.descendants() if _is_drawn(box)]
    start = block.content_box_x()
    if block.style["direction"] == "rtl":
        return float(min(box.position_x for box in drawn) - start)
    return float(start + block.width - max(box.position_x + box.width for box in drawn))


def _is_drawn(box: Any) -> bool:
    return isinstance(box, (boxes.TextBox, boxes.AtomicInlineLevelBox))


def _is_shrink_to_fit(box: Any) -> bool:
    return isinstance(box, _SHRINK_TO_FIT_BOXES) or box.is_floated()


def _list_page_numbers(
    box: Any, line: Any, blocks: tuple[Any, ...], in_reference: bool = False
) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """Yield every text that ends with a page number, its line, and the blocks around that.

    Absolutely positioned boxes and the index are left out: nothing depends on their width.
    """
    for child in getattr(box, "children", ()):
        inside = in_reference or _is_page_reference(child)
        if child.is_absolutely_positioned():
            continue
        if isinstance(child, boxes.TextBox):
            if inside and _PAGE_NUMBER_PATTERN.search(child.text):
                yield child, line, blocks
        elif isinstance(child, boxes.LineBox):
            yield from _list_page_numbers(child, child, blocks, inside)
        elif isinstance(child, boxes.InlineBox):
            yield from _list_page_numbers(child, line, blocks, inside)
        else:
            yield from _list_page_numbers(child, None, (*blocks, child), inside)


def _is_page_reference(box: Any) -> bool:
    """Tell whether a box is a reference to a page, or the page in a line of the contents."""
    if box.element is None or box.element_tag not in ("a", "span"):
        return False
    names = (box.element.get("class") or "").split()
    return any(name in names for name in _PAGE_REFERENCE_CLASSES)

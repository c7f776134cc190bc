"""Page numbers settled: a book laid out until those printed in it are those of its layout.

Without knowing any, it takes two passes as a rule: one with blanks two digits wide, one with the
numbers that the first one showed. With the numbers of the last time it takes one, when they still
hold. That must come to the same: `_sole` says whether beginning with blanks would have led there.

A layout hangs on the printed numbers only by their widths. Where all digits are as wide as each
other, as tabular ones are, that means by how many digits they have; and only numbers below ten are
narrower than a blank. So blanks lay out the book's first pages as its numbers do, when every line
there that holds a number has room for it to be as wide as a blank. Then the same targets come to
stand before page ten, every number has as many digits in the second pass as it has here, and the
second pass, or the one after it, is this one. Where it cannot be shown, the book is laid out as if
nothing were known.
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
"""Where numbers turn from one digit to two, and the page that the last one before may lead over."""
_PAGE_NUMBER_PATTERN = re.compile(r"(\d+)(?=\)?$)")
_ID_PATTERN = re.compile(r' id="([^"]*)"')
_PAGE_REFERENCE_CLASSES = ("reference", "at-page", "page")
_SPARE_WIDTH_PX = 1.0
"""By how much more than it needs a line must have room, px."""
_WIDTH_TOLERANCE_PX = 0.01
# Where a line's width decides how wide something around it is.
_SHRINK_TO_FIT_BOXES = (
    boxes.InlineBlockBox, boxes.InlineFlexBox, boxes.InlineGridBox, boxes.TableBox,
    boxes.InlineTableBox, boxes.FlexBox, boxes.GridBox,
)  # fmt: skip
LayOutBook = Callable[[Mapping[str, int]], Any]
"""Lays the book out with those page numbers printed."""


@dataclass(frozen=True)
class SettledLayout:
    """A layout whose page numbers are those printed in it, which `sole` says are the only ones."""

    document: Any
    pages: Mapping[str, int]
    is_unique: bool
    pass_count: int


def settle_page_numbers(
    book: Book, lay_out: LayOutBook, hint: Mapping[str, int] | None
) -> SettledLayout:
    """The layout that beginning with blanks leads to, whatever the hint: which page each id was on
    the last time."""
    passes = 0
    pages: Mapping[str, int] = hint or {}
    for _ in range(_MAX_HINTED_PASSES if pages else 0):
        document, passes = lay_out(pages), passes + 1
        found = list_anchor_pages(document)
        if found == pages:
            if _is_unique_layout(book, document, found):
                return SettledLayout(document, found, True, passes)
            break
        pages = found
    pages = {}
    for _ in range(_MAX_PASSES):
        document, passes = lay_out(pages), passes + 1
        found = list_anchor_pages(document)
        if found == pages:
            break
        pages = found
    return SettledLayout(
        document, pages, found == pages and _is_unique_layout(book, document, pages), passes
    )


def list_anchor_pages(document: Any) -> dict[str, int]:
    """The page, from 1, on which every id of the book first stands."""
    found: dict[str, int] = {}
    for number, page in enumerate(document.pages, start=1):
        for name in page.anchors:
            found.setdefault(name, number)
    return found


def _is_unique_layout(book: Book, document: Any, pages: Mapping[str, int]) -> bool:
    """Whether blanks lead to this layout, whose page numbers are those printed in it."""
    _, index, after = book.html.partition(INDEX_MARK)
    behind = set(_ID_PATTERN.findall(after)) if index else set()
    if behind & (list_printed_ids(book) | {name for entry in book.index for name in entry.anchors}):
        return False  # what stands behind the index moves with the pages listed there
    if any(pages.get(name, UNKNOWN_PAGE) > 99 for name in list_printed_ids(book)):
        return False
    return all(list_stable_pages(document))


def list_stable_pages(document: Any) -> Iterator[bool]:
    """Yield for each page whether its lines break as they would with placeholders."""
    measurer = _TextMeasurer()
    for number, page in enumerate(document.pages, start=1):
        yield _is_stable_page(page._page_box, measurer, early=number <= _MAX_EARLY_PAGE)


class _TextMeasurer:
    """How wide texts are in the styles of a layout, px."""

    def __init__(self) -> None:
        self._even: dict[int, bool] = {}

    def measure_text(self, text: str, style: Any) -> float:
        """The width of a text on one line."""
        return float(split_first_line(text, style, None, None, 0)[3])

    def has_tabular_digits(self, style: Any) -> bool:
        """Whether all digits are as wide as each other."""
        if id(style) not in self._even:
            pairs = [self.measure_text(f"{digit}{digit}", style) for digit in range(10)]
            self._even[id(style)] = max(pairs) - min(pairs) < _WIDTH_TOLERANCE_PX
        return self._even[id(style)]


def _is_stable_page(page: Any, widths: _TextMeasurer, *, early: bool) -> bool:
    """Whether lines break on a page as they would with blanks in place of its numbers; on a later
    page, with numbers of as many digits."""
    floats = [box for box in page.descendants() if box.is_floated()]
    wanted: dict[int, float] = {}
    """By line: how much wider all its numbers would be, px."""
    for text, line, around in _list_page_numbers(page, None, ()):
        if not widths.has_tabular_digits(text.style):
            return False
        if not early:
            continue
        blank = _PAGE_NUMBER_PATTERN.sub(str(UNKNOWN_PAGE), text.text)
        wider = widths.measure_text(blank, text.style) - widths.measure_text(text.text, text.style)
        if abs(wider) < _WIDTH_TOLERANCE_PX:
            continue
        if wider < 0 or line is None or any(map(_is_shrink_to_fit, around)):
            return False
        wanted[id(line)] = wanted.get(id(line), _SPARE_WIDTH_PX) + wider
        if (
            any(_is_beside(line, box) for box in floats)
            or _measure_line_room(line, around[-1]) < wanted[id(line)]
        ):
            return False
    return True


def _is_beside(line: Any, other: Any) -> bool:
    top, bottom = other.position_y, other.position_y + other.margin_height()
    return bool(top < line.position_y + line.height and line.position_y < bottom)


def _measure_line_room(line: Any, block: Any) -> float:
    """How much room is left at the end of a line that begins at its beginning, px."""
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
    box: Any, line: Any, around: tuple[Any, ...], named: bool = False
) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """Every text that ends with a page number, its line, and the blocks around that; not those
    out of the flow, on whose width nothing hangs, nor those of the index."""
    for child in getattr(box, "children", ()):
        inside = named or _is_page_reference(child)
        if child.is_absolutely_positioned():
            continue
        if isinstance(child, boxes.TextBox):
            if inside and _PAGE_NUMBER_PATTERN.search(child.text):
                yield child, line, around
        elif isinstance(child, boxes.LineBox):
            yield from _list_page_numbers(child, child, around, inside)
        elif isinstance(child, boxes.InlineBox):
            yield from _list_page_numbers(child, line, around, inside)
        else:
            yield from _list_page_numbers(child, None, (*around, child), inside)


def _is_page_reference(box: Any) -> bool:
    """Whether a box is a reference to a page, or the page in a line of the contents."""
    if box.element is None or box.element_tag not in ("a", "span"):
        return False
    names = (box.element.get("class") or "").split()
    return any(name in names for name in _PAGE_REFERENCE_CLASSES)

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
from cardgen.book.pages import INDEX, UNKNOWN, printed
from cardgen.pdf.library import boxes, split_first_line

_ROUNDS = 5
_HINTED_ROUNDS = 2
_FIRST_PAGES = 10
"""Where numbers turn from one digit to two, and the page that the last one before may lead over."""
_NUMBER = re.compile(r"(\d+)(?=\)?$)")
_ID = re.compile(r' id="([^"]*)"')
_NAMING = ("reference", "at-page", "page")
_SPARE = 1.0
"""By how much more than it needs a line must have room, px."""
_SAME = 0.01
# Where a line's width decides how wide something around it is.
_FITTED = (
    boxes.InlineBlockBox, boxes.InlineFlexBox, boxes.InlineGridBox, boxes.TableBox,
    boxes.InlineTableBox, boxes.FlexBox, boxes.GridBox,
)  # fmt: skip
LayOut = Callable[[Mapping[str, int]], Any]
"""Lays the book out with those page numbers printed."""


@dataclass(frozen=True)
class Settled:
    """A layout whose page numbers are those printed in it, which `sole` says are the only ones."""

    document: Any
    pages: Mapping[str, int]
    sole: bool
    passes: int


def settled(book: Book, lay_out: LayOut, hint: Mapping[str, int] | None) -> Settled:
    """The layout that beginning with blanks leads to, whatever the hint: which page each id was on
    the last time."""
    passes = 0
    pages: Mapping[str, int] = hint or {}
    for _ in range(_HINTED_ROUNDS if pages else 0):
        document, passes = lay_out(pages), passes + 1
        found = pages_of(document)
        if found == pages:
            if _sole(book, document, found):
                return Settled(document, found, True, passes)
            break
        pages = found
    pages = {}
    for _ in range(_ROUNDS):
        document, passes = lay_out(pages), passes + 1
        found = pages_of(document)
        if found == pages:
            break
        pages = found
    return Settled(document, pages, found == pages and _sole(book, document, pages), passes)


def pages_of(document: Any) -> dict[str, int]:
    """The page, from 1, on which every id of the book first stands."""
    found: dict[str, int] = {}
    for number, page in enumerate(document.pages, start=1):
        for name in page.anchors:
            found.setdefault(name, number)
    return found


def _sole(book: Book, document: Any, pages: Mapping[str, int]) -> bool:
    """Whether blanks lead to this layout, whose page numbers are those printed in it."""
    _, index, after = book.html.partition(INDEX)
    behind = set(_ID.findall(after)) if index else set()
    if behind & (printed(book) | {name for entry in book.index for name in entry.anchors}):
        return False  # what stands behind the index moves with the pages listed there
    if any(pages.get(name, UNKNOWN) > 99 for name in printed(book)):
        return False
    return all(pages_hold(document))


def pages_hold(document: Any) -> list[bool]:
    """Of each page, whether its lines break as they would with blanks; asked once of each."""
    widths = _Widths()
    for number, page in enumerate(document.pages, start=1):
        if getattr(page, "holds", None) is None:
            page.holds = _holds(page._page_box, widths, early=number <= _FIRST_PAGES)
    return [page.holds for page in document.pages]


class _Widths:
    """How wide texts are in the styles of a layout, px."""

    def __init__(self) -> None:
        self._even: dict[int, bool] = {}

    def of(self, text: str, style: Any) -> float:
        """The width of a text on one line."""
        return float(split_first_line(text, style, None, None, 0)[3])

    def even(self, style: Any) -> bool:
        """Whether all digits are as wide as each other."""
        if id(style) not in self._even:
            pairs = [self.of(f"{digit}{digit}", style) for digit in range(10)]
            self._even[id(style)] = max(pairs) - min(pairs) < _SAME
        return self._even[id(style)]


def _holds(page: Any, widths: _Widths, *, early: bool) -> bool:
    """Whether lines break on a page as they would with blanks in place of its numbers; on a later
    page, with numbers of as many digits."""
    floats = [box for box in page.descendants() if box.is_floated()]
    wanted: dict[int, float] = {}
    """By line: how much wider all its numbers would be, px."""
    for text, line, around in _numbers(page, None, ()):
        if not widths.even(text.style):
            return False
        if not early:
            continue
        blank = _NUMBER.sub(str(UNKNOWN), text.text)
        wider = widths.of(blank, text.style) - widths.of(text.text, text.style)
        if abs(wider) < _SAME:
            continue
        if wider < 0 or line is None or any(map(_is_fitted, around)):
            return False
        wanted[id(line)] = wanted.get(id(line), _SPARE) + wider
        if any(_beside(line, box) for box in floats) or _room(line, around[-1]) < wanted[id(line)]:
            return False
    return True


def _beside(line: Any, other: Any) -> bool:
    top, bottom = other.position_y, other.position_y + other.margin_height()
    return bool(top < line.position_y + line.height and line.position_y < bottom)


def _room(line: Any, block: Any) -> float:
    """How much room is left at the end of a line that begins at its beginning, px."""
    drawn = [box for box in line.descendants() if _drawn(box)]
    start = block.content_box_x()
    if block.style["direction"] == "rtl":
        return float(min(box.position_x for box in drawn) - start)
    return float(start + block.width - max(box.position_x + box.width for box in drawn))


def _drawn(box: Any) -> bool:
    return isinstance(box, (boxes.TextBox, boxes.AtomicInlineLevelBox))


def _is_fitted(box: Any) -> bool:
    return isinstance(box, _FITTED) or box.is_floated()


def _numbers(
    box: Any, line: Any, around: tuple[Any, ...], named: bool = False
) -> Iterator[tuple[Any, Any, tuple[Any, ...]]]:
    """Every text that ends with a page number, its line, and the blocks around that; not those
    out of the flow, on whose width nothing hangs, nor those of the index."""
    for child in getattr(box, "children", ()):
        inside = named or _names_a_page(child)
        if child.is_absolutely_positioned():
            continue
        if isinstance(child, boxes.TextBox):
            if inside and _NUMBER.search(child.text):
                yield child, line, around
        elif isinstance(child, boxes.LineBox):
            yield from _numbers(child, child, around, inside)
        elif isinstance(child, boxes.InlineBox):
            yield from _numbers(child, line, around, inside)
        else:
            yield from _numbers(child, None, (*around, child), inside)


def _names_a_page(box: Any) -> bool:
    """Whether a box is a reference to a page, or the page in a line of the contents."""
    if box.element is None or box.element_tag not in ("a", "span"):
        return False
    names = (box.element.get("class") or "").split()
    return any(name in names for name in _NAMING)

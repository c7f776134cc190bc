"""Layouts of books, kept in the store: a face that changes within a figure lays out nothing anew.

What is kept beside them makes the next layout of a book quicker and decides nothing of it: its page
numbers and its pages, by the book's name, and the scale of its summaries, by all that decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.base.problems import Remark, kept_remarks, packed
from cardgen.base.store import Damaged, Store, read
from cardgen.book.model import EDITIONS, FORMATS, Book
from cardgen.book.pages import summaries

if TYPE_CHECKING:
    from cardgen.book.binding import BookOrder, Layout

_ENDS = ("pdf", "json")
_MOST_PAGES = 1000
_LARGEST = 2.0
"""How much larger summaries are never set."""
Name = tuple[str, str, str]
"""A book's language, edition and format."""
KeyOf = Callable[[Book, str], str]
"""The key of all that decides how that HTML of a book is laid out."""


class LayoutShelf:
    """The layouts that a store holds."""

    def __init__(self, store: Store, key_of: KeyOf) -> None:
        self._store, self._key_of = store, key_of

    def remarks(self, key: str) -> list[Remark] | None:
        """What is wrong with a layout; None when the store does not hold it."""
        pdf, told = self._paths(key)
        return kept_remarks(self._store.read_json(told)) if self._store.has(pdf) else None

    def bound(self, order: BookOrder, key: str) -> bytes:
        """The book of a layout that is kept. Raises `Damaged`."""
        from cardgen.book.binding import bound  # noqa: PLC0415 - pikepdf only when needed

        return bound(order, read(self._paths(key)[0]))

    def informed(self, order: BookOrder) -> BookOrder:
        """The order with what is known of earlier layouts."""
        from cardgen.book.binding import Known  # noqa: PLC0415 - pikepdf only when needed

        _, pages = _last(self._store.read_json(self._numbers(_name(order.book))))
        scale = _scale(self._store.read_json(self._summaries(order.book)))
        return replace(order, known=Known(pages, scale, self._kept(order.book)))

    def pages(self, book: Book, key: str) -> bytes | None:
        """The pages of that layout as they are kept, b"" where they could not be; None when the
        last layout was another."""
        last, _ = _last(self._store.read_json(self._numbers(_name(book))))
        return self._kept(book) if last == key else None

    def _kept(self, book: Book) -> bytes:
        """The pages of a book's last layout, if they were laid out with the same styles, fonts and
        pictures."""
        try:
            key, _, kept = read(self._laid_out(_name(book))).partition(b"\n")
        except Damaged:
            return b""
        return kept if key == self.around(book) else b""

    def around(self, book: Book) -> bytes:
        """The key of all that decides a layout but what stands in the book."""
        alone = replace(book, index=(), title="", display="", summaries=0)
        return self._key_of(alone, "").encode()

    def keep(self, book: Book, key: str, layout: Layout) -> None:
        """Put a layout into the store, and what helps the next one."""
        pdf, told = self._paths(key)
        self._store.write(pdf, layout.pdf)
        self._store.write_json(told, packed(layout.remarks))
        last = {"layout": key, "pages": dict(layout.pages)}
        self._store.write_json(self._numbers(_name(book)), last)
        self._store.write_json(self._summaries(book), list(layout.scale))
        self._store.write(self._laid_out(_name(book)), self.around(book) + b"\n" + layout.kept)
        summary = self._summaries(book)
        self._store.sweep(summary.parent.name, {summary.name}, 64)

    def sweep(self, languages: Iterable[str], in_use: Iterable[str]) -> None:
        """Drop old layouts, once they are many; not the last of any book in these languages."""
        names = list(product(languages, EDITIONS, FORMATS))
        lasts = [_last(self._store.read_json(self._numbers(name)))[0] for name in names]
        kept = {f"{key}.{end}" for key in (*lasts, *in_use) for end in _ENDS}
        self._store.sweep("layouts", kept, 3 * len(names) * len(_ENDS))

    def _paths(self, key: str) -> tuple[Path, Path]:
        pdf, told = (self._store.path("layouts", f"{key}.{end}") for end in _ENDS)
        return pdf, told

    def _numbers(self, name: Name) -> Path:
        return self._store.path("pages", f"{'-'.join(name)}.json")

    def _laid_out(self, name: Name) -> Path:
        return self._store.path("laidout", f"{'-'.join(name)}.json")

    def _summaries(self, book: Book) -> Path:
        alone = replace(book, index=(), title="")
        key = self._key_of(alone, summaries(book.html))
        return self._store.path("summaries", f"{key}.json")


def _name(book: Book) -> Name:
    return book.language, book.edition, book.format.name


def _last(kept: Any) -> tuple[str, Mapping[str, int] | None]:
    """The key and page numbers of a book's last layout as they were kept; "" and None when there
    is none."""
    found = kept if isinstance(kept, dict) else {}
    pages = found.get("pages")
    right = isinstance(pages, dict) and all(
        type(page) is int and 0 < page <= _MOST_PAGES  # true is no page
        for page in pages.values()
    )
    return str(found.get("layout", "")), pages if right and pages else None


def _scale(kept: Any) -> tuple[float, bool] | None:
    """The scale of summaries as it was kept, and whether one is too long; None when it is none."""
    if not isinstance(kept, list) or len(kept) != 2:
        return None
    scale, too_long = kept
    right = isinstance(scale, int | float) and 0 < scale <= _LARGEST
    return (float(scale), bool(too_long)) if right else None

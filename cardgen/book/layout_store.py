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

from cardgen.book.model import EDITIONS, PAGE_FORMATS, Book
from cardgen.book.page_numbers import extract_summaries
from cardgen.core.problems import Diagnostic, parse_diagnostics, serialize_problems
from cardgen.runtime.content_store import DamagedEntryError, Store, read_entry

if TYPE_CHECKING:
    from cardgen.book.book_pdf import BookLayout, BookRequest

_LAYOUT_SUFFIXES = ("pdf", "json")
_MAX_PAGE_NUMBER = 1000
_MAX_SUMMARY_SCALE = 2.0
"""How much larger summaries are never set."""
BookName = tuple[str, str, str]
"""A book's language, edition and format."""
ComputeKey = Callable[[Book, str], str]
"""The key of all that decides how that HTML of a book is laid out."""


class LayoutStore:
    """The layouts that a store holds."""

    def __init__(self, store: Store, key_of: ComputeKey) -> None:
        self._store, self._key_of = store, key_of

    def load_remarks(self, key: str) -> list[Diagnostic] | None:
        """What is wrong with a layout; None when the store does not hold it."""
        pdf, told = self._locate_layout(key)
        return (
            parse_diagnostics(self._store.read_json(told)) if self._store.has_entry(pdf) else None
        )

    def assemble_stored(self, order: BookRequest, key: str) -> bytes:
        """The book of a layout that is kept. Raises `Damaged`."""
        from cardgen.book.book_pdf import assemble_book  # noqa: PLC0415 - pikepdf only when needed

        return assemble_book(order, read_entry(self._locate_layout(key)[0]))

    def add_hints(self, order: BookRequest) -> BookRequest:
        """The order with what is known of earlier layouts."""
        from cardgen.book.book_pdf import LayoutHints  # noqa: PLC0415 - pikepdf only when needed

        _, pages = _read_last_layout(
            self._store.read_json(self._locate_page_numbers(_name_book(order.book)))
        )
        scale = _read_summary_scale(self._store.read_json(self._locate_summary_scale(order.book)))
        return replace(order, hints=LayoutHints(pages, scale, self._kept(order.book)))

    def pages(self, book: Book, key: str) -> bytes | None:
        """The pages of that layout as they are kept, b"" where they could not be; None when the
        last layout was another."""
        last, _ = _read_last_layout(
            self._store.read_json(self._locate_page_numbers(_name_book(book)))
        )
        return self._kept(book) if last == key else None

    def _kept(self, book: Book) -> bytes:
        """The pages of a book's last layout, if they were laid out with the same styles, fonts and
        pictures."""
        try:
            key, _, kept = read_entry(self._laid_out(_name_book(book))).partition(b"\n")
        except DamagedEntryError:
            return b""
        return kept if key == self.around(book) else b""

    def around(self, book: Book) -> bytes:
        """The key of all that decides a layout but what stands in the book."""
        alone = replace(book, index=(), title="", heading_letters="", summary_count=0)
        return self._key_of(alone, "").encode()

    def store_layout(self, book: Book, key: str, layout: BookLayout) -> None:
        """Put a layout into the store, and what helps the next one."""
        pdf, told = self._locate_layout(key)
        self._store.write(pdf, layout.pdf)
        self._store.write_json(told, serialize_problems(layout.remarks))
        last = {"layout": key, "pages": dict(layout.page_numbers)}
        self._store.write_json(self._locate_page_numbers(_name_book(book)), last)
        self._store.write_json(self._locate_summary_scale(book), list(layout.summary_scale))
        self._store.write(self._laid_out(_name_book(book)), self.around(book) + b"\n" + layout.kept)
        summary = self._locate_summary_scale(book)
        self._store.remove_unused(summary.parent.name, {summary.name}, 64)

    def remove_old(self, languages: Iterable[str], in_use: Iterable[str]) -> None:
        """Drop old layouts, once they are many; not the last of any book in these languages."""
        names = list(product(languages, EDITIONS, PAGE_FORMATS))
        lasts = [
            _read_last_layout(self._store.read_json(self._locate_page_numbers(name)))[0]
            for name in names
        ]
        kept = {f"{key}.{end}" for key in (*lasts, *in_use) for end in _LAYOUT_SUFFIXES}
        self._store.remove_unused("layouts", kept, 3 * len(names) * len(_LAYOUT_SUFFIXES))

    def _locate_layout(self, key: str) -> tuple[Path, Path]:
        pdf, told = (self._store.get_path("layouts", f"{key}.{end}") for end in _LAYOUT_SUFFIXES)
        return pdf, told

    def _locate_page_numbers(self, name: BookName) -> Path:
        return self._store.get_path("pages", f"{'-'.join(name)}.json")

    def _laid_out(self, name: BookName) -> Path:
        return self._store.get_path("laidout", f"{'-'.join(name)}.json")

    def _locate_summary_scale(self, book: Book) -> Path:
        alone = replace(book, index=(), title="")
        key = self._key_of(alone, extract_summaries(book.html))
        return self._store.get_path("summaries", f"{key}.json")


def _name_book(book: Book) -> BookName:
    return book.language, book.edition, book.format.name


def _read_last_layout(kept: Any) -> tuple[str, Mapping[str, int] | None]:
    """The key and page numbers of a book's last layout as they were kept; "" and None when there
    is none."""
    found = kept if isinstance(kept, dict) else {}
    pages = found.get("pages")
    right = isinstance(pages, dict) and all(
        type(page) is int and 0 < page <= _MAX_PAGE_NUMBER  # true is no page
        for page in pages.values()
    )
    return str(found.get("layout", "")), pages if right and pages else None


def _read_summary_scale(kept: Any) -> tuple[float, bool] | None:
    """The scale of summaries as it was kept, and whether one is too long; None when it is none."""
    if not isinstance(kept, list) or len(kept) != 2:
        return None
    scale, too_long = kept
    right = isinstance(scale, int | float) and 0 < scale <= _MAX_SUMMARY_SCALE
    return (float(scale), bool(too_long)) if right else None

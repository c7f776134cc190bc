"""Layouts of books in the store: a face that changes inside a figure needs no new layout.

The store also keeps hints that make the next layout of a book faster and never change it: its page
numbers by the book's name, and the scale of its summaries by everything that decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.book.model import EDITIONS, PAGE_FORMATS, Book, BookPage
from cardgen.book.page_numbers import extract_summaries
from cardgen.core.problems import Diagnostic, parse_diagnostics, serialize_problems
from cardgen.runtime.content_store import Store, read_entry

if TYPE_CHECKING:
    from cardgen.book.book_pdf import BookLayout, BookRequest

_LAYOUT_SUFFIXES = ("pdf", "json")
_MAX_PAGE_NUMBER = 1000
_MAX_SUMMARY_SCALE = 2.0
_MAX_SUMMARY_SCALES = 64
"""Number of summary scales kept in the store."""
BookName = tuple[str, str, str]
"""A book's language, edition and format."""
ComputeKey = Callable[[Book, str], str]
"""Returns the key of everything that decides how that HTML of a book is laid out."""


class LayoutStore:
    """Layouts of one game's books."""

    def __init__(self, store: Store, compute_key: ComputeKey) -> None:
        self._store, self._compute_key = store, compute_key

    def load_remarks(self, key: str) -> list[Diagnostic] | None:
        """Return the remarks on a layout, or None if the store does not hold it."""
        pdf, description = self._locate_layout(key)
        found = self._store.read_json(description)
        if not isinstance(found, dict) or not self._store.has_entry(pdf):
            return None
        return parse_diagnostics(found.get("remarks"))

    def load_pages(self, key: str) -> list[BookPage] | None:
        """Return the pages of a layout, or None if the store does not hold it."""
        found = self._store.read_json(self._locate_layout(key)[1])
        try:
            return [BookPage(**page) for page in found["pages"]]
        except (LookupError, TypeError):
            return None

    def assemble_stored(self, request: BookRequest, key: str) -> bytes:
        """Return the PDF of a book whose layout is stored. Raises DamagedEntryError."""
        from cardgen.book.book_pdf import assemble_book  # noqa: PLC0415 - pikepdf only when needed

        return assemble_book(request, read_entry(self._locate_layout(key)[0]))

    def add_hints(self, request: BookRequest) -> BookRequest:
        """Return the request with the results of the previous layout of the book."""
        from cardgen.book.book_pdf import LayoutHints  # noqa: PLC0415 - pikepdf only when needed

        _, numbers = self._read_last_layout(_name_book(request.book))
        scale = _parse_summary_scale(
            self._store.read_json(self._locate_summary_scale(request.book))
        )
        return replace(request, hints=LayoutHints(numbers, scale))

    def compute_style_key(self, book: Book) -> str:
        """Return the key of everything that a layout depends on except the book's content."""
        return self._compute_key(
            replace(book, index=(), title="", heading_letters="", summary_count=0), ""
        )

    def store_layout(self, book: Book, key: str, layout: BookLayout) -> None:
        """Store a layout, and the hints for the next one of this book."""
        pdf, description = self._locate_layout(key)
        self._store.write(pdf, layout.pdf)
        pages = [asdict(page) for page in layout.pages]
        remarks = serialize_problems(layout.remarks)
        self._store.write_json(description, {"remarks": remarks, "pages": pages})
        last = {"layout": key, "pages": dict(layout.page_numbers)}
        self._store.write_json(self._locate_page_numbers(_name_book(book)), last)
        summary = self._locate_summary_scale(book)
        self._store.write_json(summary, list(layout.summary_scale))
        self._store.remove_unused(summary.parent.name, {summary.name}, _MAX_SUMMARY_SCALES)

    def remove_old(self, languages: Iterable[str], in_use: Iterable[str]) -> None:
        """Remove old layouts once they are many, but keep the last one of each book in these
        languages."""
        names = list(product(languages, EDITIONS, PAGE_FORMATS))
        last = [self._read_last_layout(name)[0] for name in names]
        kept = {f"{key}.{suffix}" for key in (*last, *in_use) for suffix in _LAYOUT_SUFFIXES}
        self._store.remove_unused("layouts", kept, 3 * len(names) * len(_LAYOUT_SUFFIXES))

    def _read_last_layout(self, name: BookName) -> tuple[str, Mapping[str, int] | None]:
        """Return the key and page numbers of a book's last layout; "" and None without one."""
        stored = self._store.read_json(self._locate_page_numbers(name))
        found = stored if isinstance(stored, dict) else {}
        numbers = found.get("pages")
        valid = isinstance(numbers, dict) and all(
            type(number) is int and 0 < number <= _MAX_PAGE_NUMBER  # a bool is an int, too
            for number in numbers.values()
        )
        return str(found.get("layout", "")), numbers if valid and numbers else None

    def _locate_layout(self, key: str) -> tuple[Path, Path]:
        pdf, description = (
            self._store.get_path("layouts", f"{key}.{suffix}") for suffix in _LAYOUT_SUFFIXES
        )
        return pdf, description

    def _locate_page_numbers(self, name: BookName) -> Path:
        return self._store.get_path("pages", f"{'-'.join(name)}.json")

    def _locate_summary_scale(self, book: Book) -> Path:
        alone = replace(book, index=(), title="")
        key = self._compute_key(alone, extract_summaries(book.html))
        return self._store.get_path("summaries", f"{key}.json")


def _name_book(book: Book) -> BookName:
    return book.language, book.edition, book.format.name


def _parse_summary_scale(stored: Any) -> tuple[float, bool] | None:
    if not isinstance(stored, list) or len(stored) != 2:
        return None
    scale, too_long = stored
    valid = isinstance(scale, int | float) and 0 < scale <= _MAX_SUMMARY_SCALE
    return (float(scale), bool(too_long)) if valid else None

"""Page numbers and the index, filled into a book's HTML after a layout pass."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import groupby

from markupsafe import escape

from cardgen.book.model import Book, IndexEntry
from cardgen.words.languages import get_letters_after_z

_PAGE_PATTERN = re.compile("\x06([^\x07]*)\x07")
INDEX_MARK = "\x0e\x0f"
"""Stands for the index in a book's HTML."""
_SUMMARY_BOX_PATTERN = re.compile(r'<section class="box summary.*?-end"></p></section>', re.DOTALL)
UNKNOWN_PAGE = 88
"""Placeholder of a page number, as wide as most."""


def list_printed_ids(book: Book) -> set[str]:
    """Return the ids whose pages the book prints outside its index."""
    return set(_PAGE_PATTERN.findall(book.html))


def extract_summaries(html: str) -> str:
    """Return the HTML of a book's summaries alone, "" without any, to fit their size.

    A first page precedes them, because a cover would give it other margins.
    """
    boxes = "".join(_SUMMARY_BOX_PATTERN.findall(html))
    return f"<main><p>\u00a0</p>{boxes}</main>" if boxes else ""


def fill_page_numbers(book: Book, pages: Mapping[str, int]) -> str:
    """Return the book's HTML with its index and the page of every id in `pages`."""
    html = book.html.replace(INDEX_MARK, _render_index(book, pages))
    return _PAGE_PATTERN.sub(lambda match: str(pages.get(match[1], UNKNOWN_PAGE)), html)


def _render_index(book: Book, pages: Mapping[str, int]) -> str:
    entries = sorted(book.index, key=lambda entry: make_sort_key(entry.headword, book.language))
    groups = []
    for letter, group in groupby(
        entries, key=lambda entry: _get_index_letter(entry, book.language)
    ):
        listed = "".join(
            f"<p>{escape(entry.headword)} {_format_index_pages(entry, pages)}</p>"
            for entry in group
        )
        groups.append(f'<div class="letter"><p class="initial">{escape(letter)}</p>{listed}</div>')
    return "".join(groups)


def _get_index_letter(entry: IndexEntry, language: str) -> str:
    first = entry.headword[:1]
    if first.lower() in get_letters_after_z(language):
        return first.upper()
    base = unicodedata.normalize("NFD", first)[:1].upper()
    return base if base.isalpha() else "–"


def make_sort_key(word: str, language: str) -> tuple[object, ...]:
    """Return a key that sorts as in the language, such as ä and ö after z in Finnish."""
    after = get_letters_after_z(language)
    key: list[tuple[int, str]] = []
    for letter in word.casefold():
        if letter in after:
            key.append((2, chr(ord("z") + 1 + after.index(letter))))
        else:
            plain = "".join(c for c in unicodedata.normalize("NFD", letter) if c.isalnum())
            key.extend((1, c) for c in plain)
    return (tuple(key), word)


def _format_index_pages(entry: IndexEntry, pages: Mapping[str, int]) -> str:
    """Format each page once, and three or more consecutive pages as a range."""
    by_page: dict[int, str] = {}
    for place in entry.anchors:
        by_page.setdefault(pages.get(place, UNKNOWN_PAGE), place)
    return ", ".join(
        f'<a href="#{by_page[first]}">{first if first == last else f"{first}–{last}"}</a>'
        for first, last in _group_pages(by_page)
    )


def _group_pages(pages: Iterable[int]) -> list[tuple[int, int]]:
    groups: list[list[int]] = []
    for page in sorted(pages):
        if groups and page == groups[-1][-1] + 1:
            groups[-1].append(page)
        else:
            groups.append([page])
    return [
        pair
        for run in groups
        for pair in ([(run[0], run[-1])] if len(run) > 2 else [(page, page) for page in run])
    ]

"""Page numbers and the index, filled into a book's HTML once its layout tells the pages."""

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
"""Stands for a page before the first layout: as wide as most."""


def list_printed_ids(book: Book) -> set[str]:
    """The ids whose pages the book prints outside its index."""
    return set(_PAGE_PATTERN.findall(book.html))


def extract_summaries(html: str) -> str:
    """The HTML of a book's summaries alone, "" without any: it decides how small they are set. They
    stand behind a first page, which a cover would give other margins."""
    found = "".join(_SUMMARY_BOX_PATTERN.findall(html))
    return f"<main><p>\u00a0</p>{found}</main>" if found else ""


def fill_page_numbers(book: Book, pages: Mapping[str, int]) -> str:
    """The book's HTML with the page of every id that `pages` knows."""
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
    """Alphabetical order as readers of the language expect it: in Finnish ä and ö after z."""
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
    """Each page once, three or more in a row as a range."""
    by_page: dict[int, str] = {}
    for place in entry.anchors:
        by_page.setdefault(pages.get(place, UNKNOWN_PAGE), place)
    return ", ".join(
        f'<a href="#{by_page[first]}">{first if first == last else f"{first}–{last}"}</a>'
        for first, last in _group_pages(by_page)
    )


def _group_pages(pages: Iterable[int]) -> list[tuple[int, int]]:
    found: list[list[int]] = []
    for page in sorted(pages):
        if found and page == found[-1][-1] + 1:
            found[-1].append(page)
        else:
            found.append([page])
    return [
        pair
        for run in found
        for pair in ([(run[0], run[-1])] if len(run) > 2 else [(page, page) for page in run])
    ]

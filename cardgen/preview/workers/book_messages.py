"""What is told of a rulebook on the screen: plain values, sent between processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.book.model import BookPage
from cardgen.core.problems import Problem
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime.content_store import digest_parts

PLAYER_EDITION, A4_FORMAT = "player", "a4"


@dataclass(frozen=True)
class BookViewRequest:
    """Which book is looked at; the game's first language where it has no such."""

    location: GameLocation
    language: str = ""
    edition: str = PLAYER_EDITION
    format: str = A4_FORMAT


@dataclass(frozen=True)
class PageInfo:
    """A page: the digest of all that decides how it looks, the number of its first block, and its
    areas, each a list as `page_areas` makes them."""

    picture: str
    first: int = 0
    areas: Sequence[Any] = ()


@dataclass(frozen=True)
class BookInfo:
    """A book as it is laid out: without pages where there is none, or none that can be laid out.

    `contents` are its headings: how deep, words, page from 0, mm from its top. `path` is where its
    PDF lies once it is whole. Sizes in mm.
    """

    languages: tuple[str, ...] = ()
    language: str = ""
    edition: str = PLAYER_EDITION
    format: str = A4_FORMAT
    title: str = ""
    width: float = 0.0
    height: float = 0.0
    pages: tuple[PageInfo, ...] = ()
    contents: tuple[tuple[int, str, int, float], ...] = ()
    problems: tuple[Problem, ...] = ()
    path: Path | None = None


def describe_page(page: BookPage, style_key: str, shown: Sequence[str]) -> PageInfo:
    """Return the page as the browser gets it. `style_key` is the hash of everything but the book's
    content that its layout depends on, `shown` are the hashes of the pictures on this page."""
    picture = digest_parts([style_key, page.digest, *shown])
    return PageInfo(picture, page.first_block, page.areas)


def list_headings(pages: Sequence[BookPage]) -> Iterator[tuple[int, str, int, float]]:
    """Yield the level, text, page (from 0) and mm from the page's top of each heading."""
    for number, page in enumerate(pages):
        for level, text, top in page.headings:
            yield level, text, number, top

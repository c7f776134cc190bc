"""What is told of a rulebook on the screen: plain values, sent between processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core.problems import Problem
from cardgen.core.units import MM_PER_INCH
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime.content_store import digest_parts

MM_PER_CSS_PX = MM_PER_INCH / 96
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


def describe_page(
    page: Any, number: int, around: str, whole: str, shown: Sequence[str]
) -> PageInfo:  # fmt: skip
    """A page of a layout, the one of that number from 0. `around` is the hash of what decides all
    pages of the book, `whole` that of all that decides it, `shown` are those of the pictures that
    stand on this one."""
    basis = page.basis
    if basis is None:  # nobody knows what of the book decides it
        return PageInfo(digest_parts([whole, str(number)]))
    picture = digest_parts([around, basis.look(number), *shown])
    return PageInfo(picture, basis.start.block, tuple(page.areas))


def list_headings(pages: Sequence[Any]) -> Iterator[tuple[int, str, int, float]]:
    """The headings of a layout."""
    for number, page in enumerate(pages):
        for level, label, (_, top), _ in page.bookmarks:
            yield int(level), str(label), number, round(top * MM_PER_CSS_PX, 1)

"""What is told of a rulebook on the screen: plain values, sent between processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of
from cardgen.base.units import MM_PER_INCH
from cardgen.preview.press import Place

_MM = MM_PER_INCH / 96
PLAYERS, LARGE = "player", "a4"


@dataclass(frozen=True)
class Asked:
    """Which book is looked at; the game's first language where it has no such."""

    place: Place
    language: str = ""
    edition: str = PLAYERS
    format: str = LARGE


@dataclass(frozen=True)
class PageSeen:
    """A page: the digest of all that decides how it looks, the number of its first block, and its
    areas, each a list as `page_areas` makes them."""

    picture: str
    first: int = 0
    areas: Sequence[Any] = ()


@dataclass(frozen=True)
class BookSeen:
    """A book as it is laid out: without pages where there is none, or none that can be laid out.

    `contents` are its headings: how deep, words, page from 0, mm from its top. `path` is where its
    PDF lies once it is whole. Sizes in mm.
    """

    languages: tuple[str, ...] = ()
    language: str = ""
    edition: str = PLAYERS
    format: str = LARGE
    title: str = ""
    width: float = 0.0
    height: float = 0.0
    pages: tuple[PageSeen, ...] = ()
    contents: tuple[tuple[int, str, int, float], ...] = ()
    problems: tuple[Problem, ...] = ()
    path: Path | None = None


def page_seen(
    page: Any, number: int, around: str, whole: str, shown: Sequence[str]
) -> PageSeen:  # fmt: skip
    """A page of a layout, the one of that number from 0. `around` is the hash of what decides all
    pages of the book, `whole` that of all that decides it, `shown` are those of the pictures that
    stand on this one."""
    basis = page.basis
    if basis is None:  # nobody knows what of the book decides it
        return PageSeen(digest_of([whole, str(number)]))
    picture = digest_of([around, basis.look(number), *shown])
    return PageSeen(picture, basis.start.block, tuple(page.areas))


def contents(pages: Sequence[Any]) -> Iterator[tuple[int, str, int, float]]:
    """The headings of a layout."""
    for number, page in enumerate(pages):
        for level, label, (_, top), _ in page.bookmarks:
            yield int(level), str(label), number, round(top * _MM, 1)

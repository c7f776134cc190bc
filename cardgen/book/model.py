"""Model of a book: page sizes, editions, written books and laid-out pages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardgen.words.languages import get_words

if TYPE_CHECKING:
    from cardgen.assets.artwork import Art
    from cardgen.core.problems import Problem
    from cardgen.game.model import Game

_MIN_CAPTION_COLUMN_MM = 40


@dataclass(frozen=True)
class PageFormat:
    """A page size with its widths in mm.

    `full_width` includes the side column; `max_figure_height` is for figures on their own.
    """

    name: str
    width: float
    height: float
    text_width: float
    full_width: float
    max_figure_height: float
    figure_text_scale: float
    """Scale of texts in figures, relative to the size that is written."""
    top_margin: float
    bottom_margin: float

    @property
    def side_column_width(self) -> float:
        """Width of the column beside the text, for headings, captions and wide figures."""
        return self.full_width - self.text_width

    @property
    def has_caption_column(self) -> bool:
        """True if that column is wide enough for captions and heads of boxes."""
        return self.side_column_width >= _MIN_CAPTION_COLUMN_MM


PAGE_FORMATS = {
    "a4": PageFormat("a4", 210, 297, 112, 170, 190, 1.0, 20, 19),
    "a5": PageFormat("a5", 148, 210, 98, 120, 125, 0.84, 15, 15),
}
EDITIONS = ("player", "designer")


@dataclass(frozen=True, order=True)
class FaceId:
    """Identifies a face that a figure shows."""

    deck: str
    piece: str
    side: str

    @property
    def stand_in_name(self) -> str:
        """Address of the stand-in picture in the book's HTML."""
        return f"face/{self.deck}/{self.piece}/{self.side}.png"


@dataclass(frozen=True)
class IndexEntry:
    """A headword of the index and the ids of its places, in their order."""

    headword: str
    anchors: tuple[str, ...]


@dataclass(frozen=True)
class Book:
    r"""One edition on one page size, as HTML without page numbers.

    "\x06name\x07" stands for the page of the element with that id, "\x0e\x0f" for the index.
    """

    language: str
    edition: str
    format: PageFormat
    title: str
    html: str
    index: tuple[IndexEntry, ...] = ()
    faces: tuple[FaceId, ...] = ()
    face_alts: tuple[str, ...] = ()
    """Alternative text of each face; the HTML has the face's address in its place."""
    art: tuple[Art, ...] = field(default=())
    summary_count: int = 0
    heading_letters: str = ""
    """All letters of the headings, to choose a font that has them."""
    paper_colour: str = ""
    """Colour of the pages, "#rrggbb"; "" for white."""
    has_back_cover: bool = False
    """True if the last page is a back cover."""

    @property
    def name(self) -> str:
        """Name of the edition and page size."""
        return name_book(self.edition, self.format.name)


def name_book(edition: str, size: str) -> str:
    """Return the name of an edition on a page size, as in `game.model.RULEBOOK_EDITIONS`."""
    return edition if size == "a4" else f"{edition}-{size}"


@dataclass
class WrittenBooks:
    """Books of a game with their problems."""

    books: list[Book] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(frozen=True)
class BookSelection:
    """Languages and names of the wanted books; no names mean every book."""

    languages: tuple[str, ...]
    names: tuple[str, ...] = ()


def select_book_names(
    game: Game, editions: Collection[str], sizes: Collection[str]
) -> tuple[str, ...]:
    """Return the names of the books of these editions and page sizes, where none mean all.

    Without both, return those that the game lists.
    """
    if not editions and not sizes:
        return game.rulebook_editions
    return tuple(
        name_book(edition, size)
        for edition in editions or EDITIONS
        for size in sizes or PAGE_FORMATS
    )


@dataclass(frozen=True)
class BookPage:
    """One page. The digest covers all of its layout, but neither style sheets nor pictures.

    An area is a list: block (counted from `first_block`), element, left, top, width and height in
    mm from the page's top left, and the words of the element itself. A heading is a list: level,
    text, mm from the page's top. `images` are the addresses of the pictures on the page.
    """

    digest: str
    first_block: int
    areas: Sequence[Sequence[Any]]
    headings: Sequence[Sequence[Any]]
    images: Sequence[str]


def get_book_words(game: Game, language: str) -> dict[str, str]:
    """Return the words that books print by themselves. The game's `words:` named book_… replace
    them."""
    defaults = get_words("book", language)
    own_words = {name: game.words.get(f"book_{name}") for name in defaults}
    return {
        name: own_word[language] if (own_word := own_words[name]) else defaults[name]
        for name in defaults
    }


def format_figure(value: float) -> str:
    """Format a number as briefly as possible, with a decimal point."""
    return f"{value:.10g}"

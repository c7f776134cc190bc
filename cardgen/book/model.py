"""A book in the making: editions, page sizes, and what a finished one holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cardgen.assets.artwork import Art
from cardgen.game.model import Game
from cardgen.words.languages import get_words

_MIN_CAPTION_COLUMN_MM = 40


@dataclass(frozen=True)
class PageFormat:
    """A page size and how wide text and figures may be on it, in mm.

    `measure` is the width of the text, `full` that of the text block with its hanging column;
    `tall` is the most that a figure may measure upright.
    """

    name: str
    width: float
    height: float
    text_width: float
    full_width: float
    max_figure_height: float
    figure_text_scale: float
    """How much smaller the words of figures are than they were written."""
    top_margin: float
    bottom_margin: float

    @property
    def side_column_width(self) -> float:
        """The column beside the text, into which headings hang and figures may reach."""
        return self.full_width - self.text_width

    @property
    def has_caption_column(self) -> bool:
        """Whether that column is wide enough for captions and heads of boxes."""
        return self.side_column_width >= _MIN_CAPTION_COLUMN_MM


PAGE_FORMATS = {
    "a4": PageFormat("a4", 210, 297, 112, 170, 190, 1.0, 20, 19),
    "a5": PageFormat("a5", 148, 210, 98, 120, 125, 0.84, 15, 15),
}
EDITIONS = ("player", "designer")


@dataclass(frozen=True, order=True)
class FaceId:
    """Which face a figure shows."""

    deck: str
    piece: str
    side: str

    @property
    def stand_in_name(self) -> str:
        """The picture that stands in for it in the book's HTML."""
        return f"face/{self.deck}/{self.piece}/{self.side}.png"


@dataclass(frozen=True)
class IndexEntry:
    """A headword of the index and the ids of the places it is found at, in their order."""

    headword: str
    anchors: tuple[str, ...]


@dataclass(frozen=True)
class Book:
    """One edition in one page size, as HTML whose page numbers are not known yet.

    "\\x06name\\x07" stands for the page of the element of that id, "\\x0e\\x0f" for the index.
    """

    language: str
    edition: str
    format: PageFormat
    title: str
    html: str
    index: tuple[IndexEntry, ...] = ()
    faces: tuple[FaceId, ...] = ()
    face_alts: tuple[str, ...] = ()
    """What each of the faces is called; the HTML has its address in that place."""
    art: tuple[Art, ...] = field(default=())
    summary_count: int = 0
    heading_letters: str = ""
    """Every letter of the headings, so that a font is taken that has them."""
    paper_colour: str = ""
    """The colour of its pages, "#rrggbb"; "" for none."""
    has_back_cover: bool = False
    """Whether its last page is a back cover."""

    @property
    def name(self) -> str:
        """Name of the edition and page size."""
        return name_book(self.edition, self.format.name)


def name_book(edition: str, size: str) -> str:
    """Return the name of an edition on a page size, as in `game.model.RULEBOOK_EDITIONS`."""
    return edition if size == "a4" else f"{edition}-{size}"


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
    """Word → text. A game's own `words:` named book_contents, book_page … win."""
    known = get_words("book", language)
    own = {name: game.words.get(f"book_{name}") for name in known}
    return {name: given[language] if (given := own[name]) else known[name] for name in known}


def format_figure(value: float) -> str:
    """A number as briefly as it can be said, with a decimal point."""
    return f"{value:.10g}"

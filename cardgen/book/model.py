"""A book in the making: editions, page sizes, and what a finished one holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.assets.artwork import Art

_WIDE_HANG = 40


@dataclass(frozen=True)
class Format:
    """A page size and how wide text and figures may be on it, in mm.

    `measure` is the width of the text, `full` that of the text block with its hanging column;
    `tall` is the most that a figure may measure upright.
    """

    name: str
    width: float
    height: float
    measure: float
    full: float
    tall: float
    small: float
    """How much smaller the words of figures are than they were written."""
    top: float
    bottom: float

    @property
    def hang(self) -> float:
        """The column beside the text, into which headings hang and figures may reach."""
        return self.full - self.measure

    @property
    def hangs(self) -> bool:
        """Whether that column is wide enough for captions and heads of boxes."""
        return self.hang >= _WIDE_HANG


FORMATS = {
    "a4": Format("a4", 210, 297, 112, 170, 190, 1.0, 20, 19),
    "a5": Format("a5", 148, 210, 98, 120, 125, 0.84, 15, 15),
}
EDITIONS = ("player", "designer")


@dataclass(frozen=True, order=True)
class FaceId:
    """Which face a figure shows."""

    deck: str
    piece: str
    side: str

    @property
    def address(self) -> str:
        """The picture that stands in for it in the book's HTML."""
        return f"face/{self.deck}/{self.piece}/{self.side}.png"


@dataclass(frozen=True)
class Entry:
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
    format: Format
    title: str
    html: str
    index: tuple[Entry, ...] = ()
    faces: tuple[FaceId, ...] = ()
    alts: tuple[str, ...] = ()
    """What each of the faces is called; the HTML has its address in that place."""
    art: tuple[Art, ...] = field(default=())
    summaries: int = 0
    display: str = ""
    """Every letter of the headings, so that a font is taken that has them."""
    paper: str = ""
    """The colour of its pages, "#rrggbb"; "" for none."""
    back: bool = False
    """Whether its last page is a back cover."""

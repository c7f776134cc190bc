"""Plain values sent between the preview's server and its workers.

The fields of `DeckInfo`, `CardInfo`, `PageInfo`, `BookInfo` and of `past_worker.PastCard` are also
the keys of the JSON that the page receives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.faces.fitting import Tightness
from cardgen.pdf.face_file import DraftLayer, FacePdf

PLAYER_EDITION, A4_FORMAT = "player", "a4"


class FolderGoneError(Exception):
    """The game's folder was away while a worker was at it, so its result says nothing."""


@dataclass(frozen=True)
class GameLocation:
    """The folder of a game and one of its variants, "" for the game as a whole."""

    root: Path
    variant: str = ""


@dataclass(frozen=True)
class FaceName:
    """One side of a card in one language."""

    deck: str
    card: str
    side: str
    language: str

    def __str__(self) -> str:
        return f"{self.deck}/{self.card}/{self.side}/{self.language}"


@dataclass(frozen=True)
class DeckInfo:
    """A deck as the page shows it: lengths in mm, the title by language."""

    id: str
    title: dict[str, str]
    width: float
    height: float
    bleed: float
    safe: float
    corner: float
    shape: str
    count: int
    path: str
    line: int


@dataclass(frozen=True)
class CardInfo:
    """A card of a deck: its name by language, and all its text as one string to search in."""

    deck: str
    id: str
    copies: int
    name: dict[str, str]
    words: str
    path: str
    line: int


@dataclass(frozen=True)
class FacePictureRecipe:
    """Input of the picture of a face: its PDF with its art, and the icon fonts."""

    face: FacePdf
    icons: tuple[FontFile, ...]


@dataclass(frozen=True)
class GameUpdate:
    """A game that was read and rendered, but not typeset.

    A picture id is the digest of everything that decides how a face looks. Without a readable
    game.yaml there are no decks.
    """

    title: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    decks: tuple[DeckInfo, ...] = ()
    cards: tuple[CardInfo, ...] = ()
    faces: tuple[FaceName, ...] = ()
    """Every face the game should have, in the order of the decks."""
    pictures: dict[FaceName, str] = field(default_factory=dict)
    """Picture ids of the faces that could be rendered."""
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    """Recipes of all pictures, by id."""
    problems: tuple[Problem, ...] = ()
    is_complete: bool = True
    """Every file could be read."""
    placeholders: dict[FaceName, str] = field(default_factory=dict)
    """Picture ids of the placeholders of all other faces."""
    pending_decks: frozenset[str] = frozenset()
    """Decks that are not rendered yet."""


@dataclass(frozen=True)
class QuickUpdate:
    """The first results after a save: some decks, or the problems of edited rules."""

    update: GameUpdate | None = None
    game_problems: tuple[Problem, ...] | None = None


@dataclass(frozen=True)
class BatchResult:
    """The result of typesetting a batch of pictures."""

    ready: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    fits: dict[str, Tightness] = field(default_factory=dict)
    """How tightly texts fill their boxes, where one was fitted."""
    layers: dict[str, DraftLayer] = field(default_factory=dict)
    """Marks that show where something is wrong."""
    placeholders: dict[str, tuple[str, FacePictureRecipe]] = field(default_factory=dict)
    """Placeholder picture and its recipe, of failed pictures."""


@dataclass(frozen=True)
class BookViewRequest:
    """The rulebook to show; an unknown language means the first that has a book."""

    location: GameLocation
    language: str = ""
    edition: str = PLAYER_EDITION
    format: str = A4_FORMAT


@dataclass(frozen=True)
class PageInfo:
    """A page of a book: the digest of everything that decides how it looks, the number of its
    first block, and its areas as `page_areas` lists them."""

    picture: str
    first: int = 0
    areas: Sequence[Any] = ()


@dataclass(frozen=True)
class BookInfo:
    """A book that is laid out; without pages when there is none or its layout failed. Sizes in mm.

    `contents` holds the headings: level, text, page from 0, mm from its top. `path` is the finished
    PDF.
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

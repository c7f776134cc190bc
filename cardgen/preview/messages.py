"""What the press tells of a game after a look at it: plain values, sent between processes."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.faces.fitting import Tightness
from cardgen.pdf.face_file import DraftLayer, FacePdf


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
    """A deck as the wall shows it. Lengths in mm; `title` by language."""

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
    """A card of a deck. `name` by language; `words` is all that it says, for those who search."""

    deck: str
    id: str
    copies: int
    name: dict[str, str]
    words: str
    path: str
    line: int


@dataclass(frozen=True)
class FacePictureRecipe:
    """What a picture of a face is drawn from: its PDF, its drawings and the icons' font."""

    face: FacePdf
    icons: tuple[FontFile, ...]


@dataclass(frozen=True)
class GameUpdate:
    """A game after a look at it. `pictures` tells for each face that could be rendered the digest
    of all that decides how it looks, and `recipes` how each is drawn.

    `whole` says that every file could be read; without a readable game.yaml there are no decks.
    """

    title: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    decks: tuple[DeckInfo, ...] = ()
    cards: tuple[CardInfo, ...] = ()
    faces: tuple[FaceName, ...] = ()
    """Every face that there should be, in the order of the decks."""
    pictures: dict[FaceName, str] = field(default_factory=dict)
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    is_complete: bool = True
    placeholders: dict[FaceName, str] = field(default_factory=dict)
    """Of faces that `pictures` has not, the picture of what stands in their place."""
    pending_decks: frozenset[str] = frozenset()
    """Decks that are not looked at yet."""


@dataclass(frozen=True)
class QuickUpdate:
    """What a glance shows before the game is looked at: some decks of it, or what its rules say."""

    update: GameUpdate | None = None
    game_problems: tuple[Problem, ...] | None = None


@dataclass(frozen=True)
class BatchResult:
    """What came of setting pictures: those that can be drawn now, those that could not be set, what
    is wrong with them, and how tightly their texts are fitted, where any is. `layers` is where it
    shows what is wrong, and `instead` the picture of what stands in the place of one that could not
    be set."""

    ready: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    fits: dict[str, Tightness] = field(default_factory=dict)
    layers: dict[str, DraftLayer] = field(default_factory=dict)
    placeholders: dict[str, tuple[str, FacePictureRecipe]] = field(default_factory=dict)

"""The difference between two states of a game, as plain values.

The fields of these classes are the keys of `cardgen diff --json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cardgen.changes.card_changes import FieldEdit
from cardgen.core.problems import Problem
from cardgen.sheets.imposition import NumberRanges

CardDiffKind = Literal["changed", "new", "gone", "moved"]
DiffSpot = tuple[float, float, float, float]
RuleDiffKind = Literal["broken", "mended", "new", "gone", "changed", "moved"]
CARD_DIFF_KINDS: tuple[CardDiffKind, ...] = ("changed", "new", "gone", "moved")


@dataclass(frozen=True)
class FaceImage:
    """A face at one time: its trimmed size in mm, and its picture's name or `why` it has none."""

    width: float
    height: float
    picture: str = ""
    why: str = ""


@dataclass(frozen=True)
class FaceDiff:
    """A side of a card before and after, None for none.

    `why` lists the reasons besides the card's fields. `spots` are the places where the pictures
    differ: left, top, width and height as shares of the face.
    """

    side: str
    languages: tuple[str, ...]
    old: FaceImage | None = None
    new: FaceImage | None = None
    why: tuple[str, ...] = ()
    spots: tuple[DiffSpot, ...] = ()


@dataclass(frozen=True)
class FieldDiff:
    """A field that changed, and in which languages; () for all that are compared."""

    edit: FieldEdit
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardDiff:
    """One card of a deck, or several with the same changes.

    `was` is the former deck and id of a card that moved. `unseen` lists changes of templates and
    styles that do not change how the card prints.
    """

    kind: CardDiffKind
    deck: str
    cards: tuple[str, ...]
    was: tuple[str, str] | None = None
    copies: tuple[int, int] = (0, 0)
    fields: tuple[FieldDiff, ...] = ()
    faces: tuple[FaceDiff, ...] = ()
    unseen: tuple[str, ...] = ()

    @property
    def is_hidden(self) -> bool:
        """The card prints the same, although what it is made from changed."""
        counted = self.copies[0] == self.copies[1]
        return self.kind == "changed" and counted and not (self.faces or self.fields)


@dataclass(frozen=True)
class FigureDiff:
    """A measurement of a rule before and after, None for none, and its bounds."""

    what: str
    old: float | None
    new: float | None
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class RuleDiff:
    """A rule that is new, gone, newly broken or mended, changed, or has other measurements (moved).

    `asks` is its requirement and `told` its result in words, before and after; `edits` lists the
    changed keys.
    """

    kind: RuleDiffKind
    id: str
    because: str
    severity: str
    asks: tuple[str, str] = ("", "")
    figures: tuple[FigureDiff, ...] = ()
    told: tuple[str, str] = ("", "")
    edits: tuple[FieldEdit, ...] = ()


@dataclass(frozen=True)
class BookDiff:
    """A rulebook file with changed paragraphs, before and after, "" for none.

    `untold` is the number of further ones.
    """

    file: str
    passages: tuple[tuple[str, str], ...] = ()
    untold: int = 0


@dataclass(frozen=True)
class DeckDiff:
    """A deck whose numbers of cards or copies, before and after, or order of cards changed."""

    id: str
    title: str
    cards: tuple[int, int]
    copies: tuple[int, int]
    reordered: bool = False


@dataclass(frozen=True)
class SheetsToPrint:
    """The sheets of a file with new or changed cards, out of `total`.

    They are numbered as in `build sheets --sheets`.
    """

    language: str
    name: str
    deck: str
    numbers: NumberRanges
    count: int
    total: int


@dataclass(frozen=True)
class Difference:
    """The whole difference.

    `pictures` are WebP files by name. `typeset` and `drawn` are the numbers of faces for which that
    was necessary.
    """

    title: str
    old: str
    new: str
    languages: tuple[str, ...]
    cards: tuple[CardDiff, ...] = ()
    rules: tuple[RuleDiff, ...] = ()
    waiting: tuple[str, ...] = ()
    """Rules about faces that could not be checked, because not all of their cards are typeset."""
    books: tuple[BookDiff, ...] = ()
    appeared: tuple[Problem, ...] = ()
    vanished: tuple[Problem, ...] = ()
    decks: tuple[DeckDiff, ...] = ()
    to_print: tuple[SheetsToPrint, ...] = ()
    paper: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Titles of the decks by their ids."""
    notes: tuple[str, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    typeset: int = 0
    drawn: int = 0

    def count_cards(self, kind: CardDiffKind, *, hidden: bool = False) -> int:
        """Return the number of cards with one kind of change that print differently, or that do not
        (hidden)."""
        shown = [each for each in self.cards if each.kind == kind and each.is_hidden == hidden]
        return len({(each.deck, card) for each in shown for card in each.cards})

    @property
    def hidden_count(self) -> int:
        """The number of cards that changed and print the same."""
        return self.count_cards("changed", hidden=True)

    @property
    def sheet_count(self) -> int:
        """The number of sheets to print in all languages."""
        return sum(each.count for each in self.to_print)

    @property
    def is_empty(self) -> bool:
        """Nothing changed."""
        parts = (self.cards, self.rules, self.books, self.appeared, self.vanished, self.decks)
        return not (any(parts) or self.notes)

"""What differs between two states of a game, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from cardgen.changes.card_changes import FieldEdit
from cardgen.core.problems import Problem
from cardgen.sheets.number_ranges import NumberRanges

CardDiffKind = Literal["changed", "new", "gone", "moved"]
DiffSpot = tuple[float, float, float, float]
RuleDiffKind = Literal["broken", "mended", "new", "gone", "changed", "moved"]
CARD_DIFF_KINDS: tuple[CardDiffKind, ...] = ("changed", "new", "gone", "moved")


@dataclass(frozen=True)
class FaceImage:
    """A side of a card as it looked at a time: its trimmed size in mm, and which picture it is,
    "" for none; then `why` tells why there is none."""

    width: float
    height: float
    picture: str = ""
    why: str = ""


@dataclass(frozen=True)
class FaceDiff:
    """A side before and after; None where there was none. `why` is what besides the card's fields
    made it look different; `spots` are where the pictures differ, as left, top, width and height in
    shares of the face."""

    side: str
    languages: tuple[str, ...]
    old: FaceImage | None = None
    new: FaceImage | None = None
    why: tuple[str, ...] = ()
    spots: tuple[DiffSpot, ...] = ()


@dataclass(frozen=True)
class FieldDiff:
    """A field that says something else, in these languages; () for all that are compared."""

    edit: FieldEdit
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class CardDiff:
    """Cards of a deck that something happened to: one, or several to which just the same did.

    `was` is how it was called before, deck and id, where it moved. `unseen` is what its faces are
    made from that is another, while they print the same.
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
        """Whether nothing of it is to be seen: what it is made from is another, and prints the
        same."""
        counted = self.copies[0] == self.copies[1]
        return self.kind == "changed" and counted and not (self.faces or self.fields)


@dataclass(frozen=True)
class FigureDiff:
    """What a rule measures of some cards, before and after, None where it did not."""

    what: str
    old: float | None
    new: float | None
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class RuleDiff:
    """A rule that is new, gone, newly broken or mended, that asks something else (changed), or that
    measures something else (moved). `asks` and `told` are what it asks and counts in words, before
    and after; `edits` is what of it is written otherwise."""

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
    """A file of the rulebook that says something else: its paragraphs before and after, "" for
    none. `untold` is how many more there are."""

    file: str
    passages: tuple[tuple[str, str], ...] = ()
    untold: int = 0


@dataclass(frozen=True)
class DeckDiff:
    """A deck that has another number of cards or copies, or another order, before and after."""

    id: str
    title: str
    cards: tuple[int, int]
    copies: tuple[int, int]
    reordered: bool = False


@dataclass(frozen=True)
class SheetsToPrint:
    """The sheets of a file, as `build sheets --sheets` numbers them, that show a card that is new
    or changed; `total` is how many the file has."""

    language: str
    name: str
    deck: str
    numbers: NumberRanges
    count: int
    total: int


@dataclass(frozen=True)
class Difference:
    """All that differs. `pictures` are WebP by their names; `set` and `drawn` count faces."""

    title: str
    old: str
    new: str
    languages: tuple[str, ...]
    cards: tuple[CardDiff, ...] = ()
    rules: tuple[RuleDiff, ...] = ()
    waiting: tuple[str, ...] = ()
    """Rules about faces that could not be measured, since not all their cards are set."""
    books: tuple[BookDiff, ...] = ()
    appeared: tuple[Problem, ...] = ()
    vanished: tuple[Problem, ...] = ()
    decks: tuple[DeckDiff, ...] = ()
    to_print: tuple[SheetsToPrint, ...] = ()
    paper: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Those of the decks, by their ids."""
    notes: tuple[str, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    typeset: int = 0
    drawn: int = 0

    def list_cards(self, kind: CardDiffKind) -> list[CardDiff]:
        """The cards to which that happened."""
        return [card for card in self.cards if card.kind == kind]

    def count_cards(self, kind: CardDiffKind) -> int:
        """How many cards these are, each once; of those changed, the ones that show it."""
        shown = (each for each in self.list_cards(kind) if not each.is_hidden)
        return len({(each.deck, card) for each in shown for card in each.cards})

    @property
    def hidden_count(self) -> int:
        """How many cards are made otherwise, and look and say what they did."""
        return len(
            {(each.deck, card) for each in self.cards if each.is_hidden for card in each.cards}
        )

    @property
    def sheet_count(self) -> int:
        """How many sheets are to be printed, of all languages."""
        return sum(each.count for each in self.to_print)

    @property
    def is_empty(self) -> bool:
        """Whether all is as it was."""
        parts = (self.cards, self.rules, self.books, self.appeared, self.vanished, self.decks)
        return not (any(parts) or self.notes)

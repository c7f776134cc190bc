"""What a game is, once read: frozen values that know the line they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from cardgen.core.problems import Source
from cardgen.core.units import Size
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER
from cardgen.game.markup import strip_markup
from cardgen.game.shapes import PieceForm


class Text(Mapping[str, str]):
    """A text in every language of the game: language code → text.

    `sources` tells the lines of those languages that stand on lines of their own, `lent` of
    those that lack the text which language stands in.
    """

    __slots__ = ("_by_language", "_lent", "_sources", "source")

    def __init__(
        self,
        by_language: Mapping[str, str],
        source: Source,
        sources: Mapping[str, Source] | None = None,
        lent: Mapping[str, str] | None = None,
    ) -> None:
        self._by_language = dict(by_language)
        self.source = source
        self._sources = sources or {}
        self._lent = lent or {}

    def get_language(self, language: str) -> str:
        """The language that the text is in where this one is asked for."""
        return self._lent.get(language, language)

    def to_key(self) -> dict[str, object]:
        """For keys: all that decides what is printed of it, in whichever language."""
        return (
            {**self._by_language, "/lent": dict(self._lent)}
            if self._lent
            else {**self._by_language}
        )

    def get_source(self, language: str) -> Source:
        """Where the text of a language stands."""
        return self._sources.get(language, self.source)

    def map_texts(self, of: Callable[[str, str], str]) -> Text:
        """The same with something made of each text, given its language and itself."""
        texts = {language: of(language, text) for language, text in self._by_language.items()}
        return Text(texts, self.source, self._sources, self._lent)

    def __getitem__(self, language: str) -> str:
        return self._by_language[language]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_language)

    def __len__(self) -> int:
        return len(self._by_language)

    def get_plain_text(self, language: str) -> str:
        """The text without markup and soft hyphens, for titles and lists."""
        return strip_markup(self[language])

    def __repr__(self) -> str:
        return f"Text({self._by_language!r})"


Value = Any
"""A field's value: str, int, float, bool, None, Text, Reference, or a tuple or dict of values."""


def walk_values(value: Value) -> Iterator[Value]:
    """A value and all within it, in its order: what a list or a record holds follows it."""
    rest = [value]
    while rest:
        part = rest.pop()
        yield part
        if isinstance(part, Mapping) and not isinstance(part, Text):
            rest += [*part.values()][::-1]
        elif isinstance(part, list | tuple):
            rest += part[::-1]


def map_value(value: Value, made: Callable[[Value], Any]) -> Any:
    """A value with something made of each text, reference, word and number in it; records and
    lists keep their shape."""
    if isinstance(value, Mapping) and not isinstance(value, Text):
        return {key: map_value(child, made) for key, child in value.items()}
    if isinstance(value, tuple):
        return tuple(map_value(child, made) for child in value)
    return made(value)


BACKS = ("duplex-long", "duplex-short", "gutterfold", "none", "only")
"""How backs are printed; `none` is fronts alone, `only` is backs alone."""
MARKS = ("crop", "silhouette", "silhouette-4", "none")
"""How the cuts of sheets are marked."""
FITS = ("scale", "pad")
"""How a card becomes one of a shop's size that it misses by little: larger or smaller as a whole,
or as it is, with more of its bleed around it."""


@dataclass(frozen=True)
class CardReference:
    """A field that names a piece of another deck."""

    deck: str
    piece: str
    source: Source

    def __str__(self) -> str:
        return self.piece


@dataclass(frozen=True)
class Field:
    """A declared field of a deck. Which attributes count depends on `kind`, see docs/reference.md."""

    name: str
    kind: str
    source: Source
    required: bool = False
    default: Value = None
    choices: tuple[str | int | float, ...] = ()
    item: Field | None = None
    fields: Mapping[str, Field] = field(default_factory=dict)
    deck: str = ""
    minimum: float | None = None
    maximum: float | None = None
    printed: bool = True
    """False for what is no words for a card, but data for whoever reads the file."""
    keywords: bool = True
    """Whether keywords in a text are printed as icons."""


@dataclass(frozen=True)
class Player:
    """A player: a colour, and the symbol that stands beside it where colour alone would not do."""

    id: str
    name: Text
    colour: str
    symbol: str
    source: Source


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing to print: `copies` alike, with the values of its deck's fields. `front` and `back`
    are templates of its own, "" where it has the deck's."""

    id: str
    deck: str
    values: Mapping[str, Value]
    copies: int
    number: int
    source: Source
    sources: Mapping[str, Source] = field(default_factory=dict)
    player: Player | None = None
    front: str = ""
    back: str = ""

    @property
    def card_id(self) -> str:
        """Its id without the player's at its end: what the deck file calls it."""
        return self.id.removesuffix(f"-{self.player.id}") if self.player else self.id


@dataclass(frozen=True)
class Deck:
    """Pieces of one size from one pair of templates. Lengths in mm.

    `gap` is the room that scissors or a punch need between two of them on a sheet.
    With `apart`, backs are printed on sheets of their own, and cut out by themselves. `fit` is one
    of FITS, or "" for the game's.
    `sources` tells where front, back and styles were declared, maybe in a shared file.
    """

    id: str
    title: Text
    size: Size
    bleed: float
    safe: float
    corner: float
    shape: str
    gap: float
    front: str
    back: str
    styles: tuple[str, ...]
    constants: Mapping[str, Value]
    fields: Mapping[str, Field]
    pieces: tuple[Piece, ...]
    source: Source
    sources: Mapping[str, Source] = field(default_factory=dict)
    separate_backs: bool = False
    is_valid: bool = True
    """Whether nothing was wrong with what it says before its cards: else its layout waits."""
    look: str = ""
    """The look that it asks for, if it does."""
    look_templates: Mapping[str, str] = field(default_factory=dict)
    """The templates and styles that it brings along beside those of the game's files, by name."""
    fit: str = ""

    @property
    def count(self) -> int:
        """How many pieces lie in the box, copies counted."""
        return sum(piece.copies for piece in self.pieces)

    @cached_property
    def first_copies(self) -> tuple[int, ...]:
        """Of each piece, which of all the deck's pieces its first copy is, counted from 1."""
        counts = accumulate((piece.copies for piece in self.pieces), initial=1)
        return tuple(counts)[: len(self.pieces)]

    def get_template(self, piece: Piece, side: str) -> str:
        """The template of a side of one of its pieces; "" where there is none."""
        if side == "front":
            return piece.front or self.front
        return piece.back or self.back

    def list_templates(self) -> set[str]:
        """Every template of its pieces' sides."""
        own = {name for piece in self.pieces for name in (piece.front, piece.back)}
        return {name for name in (self.front, self.back, *own) if name}

    @property
    def form(self) -> PieceForm:
        """What its pieces are cut to."""
        return PieceForm(self.shape, self.corner if self.shape == "rectangle" else 0.0)


@dataclass(frozen=True)
class FontFamily:
    """A family of fonts.yaml: which files make it up, by (weight, style)."""

    name: str
    files: Mapping[tuple[int, str], tuple[Path, ...]]
    source: Source


@dataclass(frozen=True)
class Fonts:
    """The fonts a game declares and the hyphenation patterns of its languages."""

    families: tuple[FontFamily, ...] = ()
    patterns: Mapping[str, Path] = field(default_factory=dict)
    pattern_sources: Mapping[str, Source] = field(default_factory=dict)
    """Where fonts.yaml names the patterns of a language."""


@dataclass(frozen=True)
class PressDefaults:
    """What is said of a press: its profile, a file of the game, and where that is said; the most
    ink, in %; the rendering intent, "" for the usual; what black areas are printed in, 0 to 1; and
    inks of their own by name, each with the colour that stands for it."""

    profile: str = ""
    profile_at: Source | None = None
    ink: int = 300
    intent: str = ""
    rich_black: tuple[float, float, float, float] | None = None
    spots: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PrintDefaults:
    """What `build` does unless told otherwise. `dpi` is for images, lengths are mm."""

    paper: str = "a4"
    backs: str = "duplex-long"
    dpi: int = 300
    margin: float = 5.0
    gap: float = 0.0
    overlap: float = 10.0
    mix: bool = False
    marks: str = "crop"
    signature: int = 0
    """Pages of each stack that a booklet is folded of; 0 is as `sheets.booklet` finds right."""
    creep: float = 0.1
    """How much further each sheet of a stack stands out than the one around it."""
    fit: str = ""
    """One of FITS; "" where shops get cards of their own sizes alone."""
    press: PressDefaults = PressDefaults()


@dataclass(frozen=True)
class Rule:
    """A composition rule as written: `kind` and its arguments, with severity and reason."""

    id: str
    kind: str
    arguments: Mapping[str, Value]
    severity: str
    because: str
    section: str
    source: Source
    variants: tuple[str, ...] = ()
    """The variants that it is about; without any, it is about the game as a whole."""


@dataclass(frozen=True)
class BoardMarker:
    """A piece that lies on a board. `at`: two expressions, mm from the board's top left corner
    to the piece's middle; or `place`, the name of a place on the board, with expressions in
    braces."""

    deck: str
    piece: str
    position: tuple[str, str]
    source: Source
    place: str = ""


@dataclass(frozen=True)
class TablePlacement:
    """How pieces of a deck lie on a virtual table. `kind` is the word after `as:`, or empty.

    `where` and `take` are expressions; `face` is up, down or empty; `turn` is in degrees,
    clockwise.
    """

    deck: str
    source: Source
    kind: str = ""
    where: str = ""
    by: str = ""
    take: str = ""
    face: str = ""
    turn: int = 0
    locked: bool | None = None
    name: Text | None = None
    row: int = 0
    markers: tuple[BoardMarker, ...] = ()


@dataclass(frozen=True)
class TableNote:
    """A card with words for those who set the game up."""

    title: Text
    text: Text
    source: Source


@dataclass(frozen=True)
class TableSetup:
    """What lies where on a virtual table. `width` is how wide the middle may be, mm."""

    source: Source
    middle: tuple[TablePlacement, ...] = ()
    seat: tuple[TablePlacement, ...] = ()
    notes: tuple[TableNote, ...] = ()
    hands: bool = True
    width: float = 900.0
    gap: float = 8.0


@dataclass(frozen=True)
class Variant:
    """A game by itself made from the same cards: which decks and languages it has, and what is
    another in it. Words, constants and colours are all that it has, not only those that differ."""

    id: str
    source: Source
    title: Text
    edition: str
    decks: tuple[str, ...]
    languages: tuple[str, ...]
    sizes: Mapping[str, Size]
    constants: Mapping[str, Value]
    colours: Mapping[str, str]
    words: Mapping[str, Text]
    defaults: PrintDefaults


COVER_FACTS = ("players", "time", "age")
RULEBOOK_EDITIONS = ("player", "player-a5", "designer", "designer-a5")
"""Names of the rulebook's editions and page sizes under `rulebook.editions`."""
DEFAULT_EDITIONS = ("player",)
"""What a cover tells of a game, in this order."""


@dataclass(frozen=True)
class Game:
    """A game folder, read and checked. `languages[0]` is the source language.

    `variant` is the id of the variant that it is, "" for the game as a whole. `alone` says that
    its variants are made, and it is not.
    """

    root: Path
    id: str
    title: Text
    edition: str
    date: str
    languages: tuple[str, ...]
    players: tuple[Player, ...]
    constants: Mapping[str, Value]
    colours: Mapping[str, str]
    words: Mapping[str, Text]
    decks: tuple[Deck, ...]
    fonts: Fonts
    icons: Mapping[str, Path]
    defaults: PrintDefaults
    rules: tuple[Rule, ...] = ()
    """Put in by `rules.composition.load`."""
    table: TableSetup | None = None
    facts: Mapping[str, Text] = field(default_factory=dict)
    """Of `FACTS`, what is said."""
    emoji: Mapping[str, str] = field(default_factory=dict)
    """Emoji → the icon that is printed in its place."""
    keywords: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict, repr=False)
    """Keywords of card texts → the icon in their place, and the texts that they stand in."""
    file_stamps: Mapping[str, tuple[int, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What its files were when they were read: see `paths.seen`."""
    variant: str = ""
    variants: Mapping[str, Variant] = field(default_factory=dict, repr=False)
    variants_only: bool = field(default=False, repr=False)
    store: str = field(default="", compare=False)
    """The shared store that it proposes to its user, who alone decides."""
    variant_rules: tuple[Rule, ...] = field(default=(), repr=False)
    rulebook_editions: tuple[str, ...] = DEFAULT_EDITIONS
    """The `RULEBOOK_EDITIONS` that are made unless the user names others."""
    fallback: bool = False
    """Whether a text that a language lacks stands there in the source language."""

    @property
    def coloured_icons(self) -> dict[str, str]:
        """The icons that keep their colours, each with its file's name in the folder."""
        return {
            name: f"{COLOURED_ICONS_FOLDER}/{path.name}"
            for name, path in self.icons.items()
            if path.parent.name == COLOURED_ICONS_FOLDER.rpartition("/")[2]
        }

    """The rules that are about variants, in the game as a whole."""

    def get_deck(self, deck_id: str) -> Deck | None:
        """The deck of that id, or None."""
        return next((deck for deck in self.decks if deck.id == deck_id), None)

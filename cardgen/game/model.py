"""The game as frozen values that know the lines they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from cardgen.core.problems import Source
from cardgen.core.units import DEFAULT_MARGINS, NO_GAP, Margins, Size
from cardgen.game.box_specs import BoxSpec
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER
from cardgen.game.markup import strip_markup
from cardgen.game.shapes import PieceForm


class Text(Mapping[str, str]):
    """A text in every language of the game: language code → text.

    `sources` are the places of languages on lines of their own. `lent` maps a language that lacks
    the text to the one printed in its place.
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
        """Return the language in which the text is printed where `language` is wanted."""
        return self._lent.get(language, language)

    def to_key(self) -> dict[str, object]:
        """Return everything that decides what is printed of the text, for cache keys."""
        return (
            {**self._by_language, "/lent": dict(self._lent)}
            if self._lent
            else {**self._by_language}
        )

    def get_source(self, language: str) -> Source:
        """Return the place of the text in a language."""
        return self._sources.get(language, self.source)

    def map_texts(self, of: Callable[[str, str], str]) -> Text:
        """Return the text with `of` applied to the text of each language."""
        texts = {language: of(language, text) for language, text in self._by_language.items()}
        return Text(texts, self.source, self._sources, self._lent)

    def __getitem__(self, language: str) -> str:
        return self._by_language[language]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_language)

    def __len__(self) -> int:
        return len(self._by_language)

    def get_plain_text(self, language: str) -> str:
        """Return the text without markup and soft hyphens, for titles and lists."""
        return strip_markup(self[language])

    def __repr__(self) -> str:
        return f"Text({self._by_language!r})"


Value = Any
"""A field's value: str, int, float, bool, None, Text, CardReference, or a tuple or dict of
values."""


def walk_values(value: Value) -> Iterator[Value]:
    """Yield a value and everything within it, depth first."""
    rest = [value]
    while rest:
        part = rest.pop()
        yield part
        if isinstance(part, Mapping) and not isinstance(part, Text):
            rest += [*part.values()][::-1]
        elif isinstance(part, list | tuple):
            rest += part[::-1]


def map_value(value: Value, made: Callable[[Value], Any]) -> Any:
    """Return a value with `made` applied to each leaf; records and lists keep their shape."""
    if isinstance(value, Mapping) and not isinstance(value, Text):
        return {key: map_value(child, made) for key, child in value.items()}
    if isinstance(value, tuple):
        return tuple(map_value(child, made) for child in value)
    return made(value)


BACKS = ("duplex-long", "duplex-short", "gutterfold", "none", "only")
"""Ways to print backs; `none` prints fronts only, `only` prints backs only."""
MARKS = ("crop", "silhouette", "silhouette-4", "none")
"""Ways to mark the cuts of sheets."""
FITS = ("scale", "pad")
"""Ways to fill a shop's size that differs a little: scale the card, or keep it and print more of
its bleed."""


@dataclass(frozen=True)
class CardReference:
    """The value of a field that names a card of another deck."""

    deck: str
    piece: str
    source: Source

    def __str__(self) -> str:
        return self.piece


@dataclass(frozen=True)
class Field:
    """A declared field of a deck. Which attributes count depends on `kind`, see
    docs/reference.md."""

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
    """False for data that is not meant to be printed."""
    keywords: bool = True
    """True if keywords in a text are printed as icons."""


@dataclass(frozen=True)
class Player:
    """A player: a colour, and a symbol for those who cannot distinguish colours."""

    id: str
    name: Text
    colour: str
    symbol: str
    source: Source


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing to print in `copies` equal copies, with the values of its deck's fields.

    `front` and `back` are templates of its own, "" where it has the deck's.
    """

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
    copy: int = 0
    """Number of the copy, from 1, if it is a piece of its own; then `copies` is 1."""
    copies_in_all: int = 0

    @property
    def base_id(self) -> str:
        """The id without the number of the copy."""
        return self.id.removesuffix(f"-{self.copy}") if self.copy else self.id

    @property
    def card_id(self) -> str:
        """The id without the copy's number and the player's id, as the deck file has it."""
        return self.base_id.removesuffix(f"-{self.player.id}") if self.player else self.base_id

    @property
    def names(self) -> tuple[str, str, str]:
        """The names by which it can be called: a card is called for all its players and copies."""
        return self.id, self.base_id, self.card_id


@dataclass(frozen=True)
class Deck:
    """Pieces of one size. Lengths in mm.

    `gap` is the room that scissors or a punch need between two pieces on a sheet, across and down.
    With `separate_backs`, backs are printed on sheets of their own. `fit` is one of FITS, or "" for
    the game's, `products` the product of each print shop. `sources` are the places of the deck's
    keys, maybe in a shared file.
    """

    id: str
    title: Text
    size: Size
    bleed: float
    safe: float
    corner: float
    shape: str
    gap: Size
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
    """False if the deck file is wrong before its cards: its faces are not laid out then."""
    look: str = ""
    """The name of its look; "" without one."""
    look_folder: str = ""
    """The folder of a look that the game brings along; "" for one of cardgen."""
    look_families: frozenset[str] = frozenset()
    """Font families that its look and its style name."""
    look_templates: Mapping[str, str] = field(default_factory=dict)
    """Templates and styles of the look, by name."""
    fit: str = ""
    products: Mapping[str, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of pieces in the box, copies included."""
        return sum(piece.copies for piece in self.pieces)

    @property
    def distinct_count(self) -> int:
        """The number of different pieces, with and without copies."""
        return len({piece.base_id for piece in self.pieces})

    @cached_property
    def first_copies(self) -> tuple[int, ...]:
        """The number of each piece's first copy among all pieces of the deck, counted from 1."""
        counts = accumulate((piece.copies for piece in self.pieces), initial=1)
        return tuple(counts)[: len(self.pieces)]

    def get_template(self, piece: Piece, side: str) -> str:
        """Return the template of a piece's side; "" where there is none."""
        if side == "front":
            return piece.front or self.front
        return piece.back or self.back

    def list_templates(self) -> set[str]:
        """Return every template that the pieces use."""
        own = {name for piece in self.pieces for name in (piece.front, piece.back)}
        return {name for name in (self.front, self.back, *own) if name}

    @property
    def form(self) -> PieceForm:
        """The outline to which the pieces are cut."""
        return PieceForm(self.shape, self.corner if self.shape == "rectangle" else 0.0)


@dataclass(frozen=True)
class FontFamily:
    """A family of fonts.yaml with its files by weight and style."""

    name: str
    files: Mapping[tuple[int, str], tuple[Path, ...]]
    source: Source


@dataclass(frozen=True)
class Fonts:
    """The fonts that a game declares, and the hyphenation patterns of its languages."""

    families: tuple[FontFamily, ...] = ()
    patterns: Mapping[str, Path] = field(default_factory=dict)
    pattern_sources: Mapping[str, Source] = field(default_factory=dict)
    """The places in fonts.yaml that name the patterns of a language."""


@dataclass(frozen=True)
class PressDefaults:
    """Settings for the printing press.

    `profile` is an ICC file of the game, `ink` the limit of all inks in %, `intent` the rendering
    intent ("" for the usual one), `rich_black` the inks of black areas from 0 to 1, and `spots`
    spot inks with the colours that stand for them.
    """

    profile: str = ""
    profile_at: Source | None = None
    ink: int = 300
    intent: str = ""
    rich_black: tuple[float, float, float, float] | None = None
    spots: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PrintDefaults:
    """Defaults of the build command. `dpi` is for images, lengths are mm."""

    paper: str = "a4"
    backs: str = "duplex-long"
    dpi: int = 300
    margin: Margins = DEFAULT_MARGINS
    gap: Size = NO_GAP
    grid: tuple[int, int] | None = None
    """Columns and rows on a sheet; None for as many as fit."""
    overlap: float = 10.0
    mix: bool = False
    marks: str = "crop"
    signature: int = 0
    """Pages of each signature of a booklet; 0 lets `sheets.booklet` choose."""
    creep: float = 0.1
    """How much further each sheet of a signature stands out than the one around it, mm."""
    fit: str = ""
    """One of FITS; "" if shops get cards of exactly their own sizes only."""
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
    """The variants that the rule is about; empty for the game as a whole."""


@dataclass(frozen=True)
class BoardMarker:
    """A piece that lies on a board.

    `position` holds two expressions, mm from the board's top left corner to the piece's middle.
    Otherwise `place` names a place of the board, with expressions in braces.
    """

    deck: str
    piece: str
    position: tuple[str, str]
    source: Source
    place: str = ""


@dataclass(frozen=True)
class TablePlacement:
    """Pieces of a deck on a virtual table.

    `kind` is the word after `as:`, or empty. `where` and `take` are expressions; `face` is up, down
    or empty; `turn` is in degrees, clockwise.
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
    """A card with instructions for setting up the game."""

    title: Text
    text: Text
    source: Source


@dataclass(frozen=True)
class TableSetup:
    """The set-up of a virtual table. `width` is the greatest width of the middle, mm."""

    source: Source
    middle: tuple[TablePlacement, ...] = ()
    seat: tuple[TablePlacement, ...] = ()
    notes: tuple[TableNote, ...] = ()
    hands: bool = True
    width: float = 900.0
    gap: float = 8.0
    dice: int = 0


@dataclass(frozen=True)
class Variant:
    """A game of its own made from the same cards: its decks and languages, and what differs in it.

    Words, constants and colours are complete, not only those that differ.
    """

    id: str
    source: Source
    title: Text
    edition: str
    decks: tuple[str, ...]
    languages: tuple[str, ...]
    sizes: Mapping[str, Size]
    constants: Mapping[str, Value]
    colours: Mapping[str, str]
    words: Mapping[str, Value]
    defaults: PrintDefaults


COVER_FACTS = ("players", "time", "age")
"""Facts on a rulebook's cover, in this order."""
RULEBOOK_EDITIONS = ("player", "player-a5", "designer", "designer-a5")
"""Names of the rulebook's editions and page sizes under `rulebook.editions`."""
DEFAULT_EDITIONS = ("player",)


@dataclass(frozen=True)
class Game:
    """A game folder that has been read and checked. `languages[0]` is the source language.

    `variant` is the id of the variant that it is, "" for the game as a whole. With `variants_only`,
    only the variants are built.
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
    words: Mapping[str, Value]
    decks: tuple[Deck, ...]
    fonts: Fonts
    icons: Mapping[str, Path]
    defaults: PrintDefaults
    rules: tuple[Rule, ...] = ()
    """Set by `rules.rule_file.load_game`."""
    table: TableSetup | None = None
    boxes: tuple[BoxSpec, ...] = ()
    facts: Mapping[str, Text] = field(default_factory=dict)
    """The `COVER_FACTS` that game.yaml has."""
    emoji: Mapping[str, str] = field(default_factory=dict)
    """Emoji → the icon printed in its place."""
    keywords: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict, repr=False)
    """Keywords of card texts → the icon in their place, and the texts in which they occur."""
    multicoloured_icons: frozenset[str] = frozenset()
    """Names of icons outside the folder of coloured ones whose drawings have several colours."""
    file_stamps: Mapping[str, tuple[int, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Stat signatures of the game's files when they were read, see `game_files.stamp_files`."""
    variant: str = ""
    variants: Mapping[str, Variant] = field(default_factory=dict, repr=False)
    variants_only: bool = field(default=False, repr=False)
    store: str = field(default="", compare=False)
    """The shared store that the game proposes. The user alone decides."""
    variant_rules: tuple[Rule, ...] = field(default=(), repr=False)
    rulebook_editions: tuple[str, ...] = DEFAULT_EDITIONS
    """The `RULEBOOK_EDITIONS` that are made unless the user names others."""
    fallback: bool = False
    """True if a text that a language lacks is printed in the source language."""

    @cached_property
    def coloured_icons(self) -> dict[str, str]:
        """Icons that keep their own colours, with their paths in the game folder."""
        return {
            name: path.relative_to(self.root).as_posix()
            for name, path in self.icons.items()
            if path.parent == self.root / COLOURED_ICONS_FOLDER
            or path.suffix.lower() != ".svg"
            or name in self.multicoloured_icons
        }

    """The rules that are about variants, in the game as a whole."""

    def get_deck(self, deck_id: str) -> Deck | None:
        """Return the deck with an id, or None."""
        return next((deck for deck in self.decks if deck.id == deck_id), None)

"""Contents of a virtual table in one language: objects, their positions, and their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cardgen.core.problems import Source
from cardgen.core.units import Size
from cardgen.faces.model import Face
from cardgen.game.card_references import NAME_FIELDS
from cardgen.game.field_types import FIELD_TYPES
from cardgen.game.markup import strip_signs
from cardgen.game.model import Deck, Game, Piece, TableSetup, Text
from cardgen.outputs.contract import Job
from cardgen.tabletop import table_setup
from cardgen.tabletop.face_atlas import (
    Atlas,
    CardSides,
    TablePicture,
    build_atlas,
    build_face_picture,
    build_sheet_picture,
)
from cardgen.tabletop.table_layout import TableItem, TableSpot, lay_out_items
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM
from cardgen.templates.template_renderer import make_stamp

NOTE_PREFIX, RULEBOOK_ID, HAND_PREFIX = "note/", "rulebook", "hand/"
_HAND_ROW = 1000


@dataclass(frozen=True)
class AtlasPictures:
    """An atlas with the pictures of each sheet: its fronts, and its backs or the common back."""

    atlas: Atlas
    fronts: tuple[TablePicture, ...]
    backs: tuple[TablePicture, ...]

    @property
    def pictures(self) -> tuple[TablePicture, ...]:
        return self.fronts + self.backs


def get_picture_format(job: Job) -> str:
    """Return the image format of the pictures."""
    return "png" if job.options.tables.png else "jpeg"


def build_atlas_pictures(job: Job, deck: Deck, language: str) -> AtlasPictures:
    """Return the sheets of a deck. There are none if every card has 0 copies."""
    atlas, image_format = build_atlas(job, deck, language), get_picture_format(job)
    limit = job.options.tables.sheet_px
    fronts = (build_sheet_picture(sheet, "front", image_format) for sheet in atlas.sheets)
    backs = (
        build_sheet_picture(sheet, "back", image_format)
        if sheet.has_unique_backs
        else build_face_picture(deck, sheet.back, image_format, limit)
        for sheet in atlas.sheets
    )
    return AtlasPictures(atlas, tuple(fronts), tuple(backs))


def build_tile_pictures(job: Job, card: CardSides) -> tuple[TablePicture, TablePicture | None]:
    """Return the pictures of a board's or token's front, and of its back if it has one."""
    image_format, limit = get_picture_format(job), job.options.tables.sheet_px
    deck = card.front.deck
    front = build_face_picture(deck, card.front, image_format, limit)
    back = build_face_picture(deck, card.back, image_format, limit) if card.back else None
    return front, back


@dataclass(frozen=True)
class TableContents:
    """Objects of the selected decks, their positions, and the atlases of the decks.

    `sheets` has the pictures of decks that lie in piles.
    """

    language: str
    objects: tuple[TableObject, ...]
    spots: dict[str, TableSpot]
    sheets: dict[str, AtlasPictures]
    atlases: dict[str, Atlas]

    def get_card_sides(self, deck: Deck, piece: Piece) -> CardSides:
        """Return both faces of a card."""
        return self.atlases[deck.id].cards[piece.id]

    def list_tiles(self) -> Iterator[tuple[Deck, Piece]]:
        """Yield the different tiles on the table, markers included."""
        tiles = [
            (each.deck, piece)
            for each in self.objects
            if not each.has_cards
            for piece, _ in each.pieces
        ]
        tiles += [(m.deck, m.piece) for each in self.objects for m in each.markers]
        yield from {(deck.id, piece.id): (deck, piece) for deck, piece in tiles}.values()


def build_table(job: Job, language: str, *, extras: bool) -> TableContents:
    """Return the table of the selected decks.

    With `extras` there is room for hand zones, notes and the rulebook.
    """
    game = job.game
    objects = tuple(
        found
        for each in table_setup.set_up_table(game, job.face_facts, language)[0]
        if (found := _filter_object(each, job)).pieces
    )
    table = game.table or TableSetup(Source("game.yaml"))
    seats = {player.id: number for number, player in enumerate(game.players)}
    items = [_build_item(each, seats) for each in objects]
    if extras:
        notes = range(len(table.notes))
        items += [TableItem(f"{NOTE_PREFIX}{number}", *NOTE_MM, side=-1) for number in notes]
        items.append(TableItem(RULEBOOK_ID, *PDF_MM, side=1))
        for player, seat in seats.items() if table.hands else ():
            items.append(TableItem(f"{HAND_PREFIX}{player}", *HAND_MM, seat, _HAND_ROW))
    spots = lay_out_items(items, len(seats), table.width, table.gap)
    piles = {each.deck.id for each in objects if each.has_cards}
    sheets = {d.id: build_atlas_pictures(job, d, language) for d in job.decks if d.id in piles}
    atlases = {deck.id: build_atlas(job, deck, language) for deck in job.decks}
    return TableContents(language, objects, spots, sheets, atlases)


def _filter_object(found: TableObject, job: Job) -> TableObject:
    """Return an object with its selected cards and markers only."""
    keys, deck = job.card_keys, found.deck.id
    pieces = tuple(each for each in found.pieces if (deck, each[0].id) in keys)
    markers = tuple(m for m in found.markers if (m.deck.id, m.piece.id) in keys)
    return replace(found, pieces=pieces, markers=markers)


def _build_item(found: TableObject, seats: dict[str, int]) -> TableItem:
    size = found.deck.size
    if found.kind in {"bag", "infinite"}:
        size = Size(BAG_MM, BAG_MM)
    elif found.turn in (90, 270):
        size = size.rotate()
    seat = seats[found.player.id] if found.player else None
    return TableItem(found.id, size.width, size.height, seat, found.row)


def list_pictures(tables: Iterable[TableContents], job: Job) -> list[TablePicture]:
    """Return every picture that tables need."""
    pictures: list[TablePicture] = []
    for table in tables:
        pictures += [picture for sheets in table.sheets.values() for picture in sheets.pictures]
        for deck, piece in table.list_tiles():
            tile = build_tile_pictures(job, table.get_card_sides(deck, piece))
            pictures += [picture for picture in tile if picture]
    return pictures


def list_faces(job: Job, language: str) -> list[Face]:
    """Return the faces of the selected decks in a language, without cards of 0 copies."""
    return [
        face
        for deck in job.decks
        for side in ("front", "back")
        for face in job.faces.find_faces(deck, language, side)
        if face.piece.copies
    ]


_SOFT_HYPHEN = "\u00ad"


def strip_markup(text: str, game: Game, language: str) -> str:
    """Return a text without markup. Icons become their word, or their name without one."""

    def format_icon(name: str) -> str:
        word = game.words.get(name.replace("-", "_")) or game.words.get(name)
        return f"[{word[language] if word else name}]" if name in game.icons else f"{{{name}}}"

    return strip_signs(text.replace(_SOFT_HYPHEN, ""), format_icon).strip()


def format_nickname(piece: Piece, game: Game, language: str) -> str:
    """Return the name of a card for searching: its field `name` or `title`, or the deck's title
    with the card's first choice or number."""
    for field in NAME_FIELDS:
        named = piece.values.get(field)
        named = named[language] if isinstance(named, Text) else named
        if named:
            return strip_markup(str(named), game, language)
    deck = game.get_deck(piece.deck)
    title = strip_markup(deck.title[language], game, language) if deck else piece.deck
    telling = (
        str(piece.values[name])
        for name, declared in (deck.fields if deck else {}).items()
        if FIELD_TYPES[declared.kind].identifies_card and piece.values.get(name) is not None
    )
    return f"{title} {next(telling, piece.id)}"


def format_description(piece: Piece, game: Game, language: str) -> str:
    """Return all texts of a card but its name, a line each."""
    name = format_nickname(piece, game, language)
    lines = [
        strip_markup(value[language], game, language)
        for value in piece.values.values()
        if isinstance(value, Text)
    ]
    return "\n".join(line for line in lines if line and line != name)


def list_tags(deck: Deck, piece: Piece) -> list[str]:
    """Return tags for the deck, the player, and the card's choices and flags."""
    found = [deck.id]
    if piece.player:
        found.append(f"player:{piece.player.id}")
    for name, declared in deck.fields.items():
        found.append(FIELD_TYPES[declared.kind].format_tag(name, piece.values.get(name)))
    return [tag for tag in found if tag]


def format_maker_notes(piece: Piece, language: str) -> str:
    """Return deck, id, stamp of the data and language: `loot-city/school 3f2a en`."""
    return f"{piece.deck}/{piece.id} {make_stamp(piece, language)} {language}"

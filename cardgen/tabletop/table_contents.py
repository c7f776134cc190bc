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
from cardgen.tabletop import face_atlas, table_setup
from cardgen.tabletop.face_atlas import Atlas, CardSides, TablePicture, build_face_picture
from cardgen.tabletop.table_layout import TableItem, TableSpot, lay_out_items
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM
from cardgen.templates.template_renderer import make_stamp

NOTE_PREFIX, RULEBOOK_ID, HAND_PREFIX = "note/", "rulebook", "hand/"
_HAND_ROW = 1000


def build_tile_pictures(job: Job, card: CardSides) -> tuple[TablePicture, TablePicture | None]:
    """Return the pictures of a board's or token's front, and of its back if it has one."""
    image_format, limit = face_atlas.get_picture_format(job), job.options.tables.sheet_px
    deck = card.front.deck
    front = build_face_picture(deck, card.front, image_format, limit)
    back = build_face_picture(deck, card.back, image_format, limit) if card.back else None
    return front, back


@dataclass(frozen=True)
class TableContents:
    """Objects of the selected decks, their positions, and the atlases of the decks.

    `piles` are the ids of decks whose cards lie in piles or bags.
    """

    language: str
    objects: tuple[TableObject, ...]
    spots: dict[str, TableSpot]
    piles: frozenset[str]
    atlases: dict[str, Atlas]

    def get_card_sides(self, deck: Deck, piece: Piece) -> CardSides:
        """Return both faces of a card."""
        return self.atlases[deck.id].cards[piece.id]

    def list_tiles(self) -> Iterator[tuple[Deck, Piece]]:
        """Yield the different tiles on the table, markers included."""
        loose = [each for each in self.objects if not each.has_cards]
        tiles = [(each.deck, piece) for each in loose for piece, _ in each.pieces]
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
    piles = frozenset(each.deck.id for each in objects if each.has_cards)
    atlases = {deck.id: face_atlas.build_atlas(job, deck, language) for deck in job.decks}
    return TableContents(language, objects, spots, piles, atlases)


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
        for deck_id, atlas in table.atlases.items():
            pictures += atlas.pictures if deck_id in table.piles else []
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
    for name, declared in deck.fields.items() if deck else ():
        value = piece.values.get(name)
        if FIELD_TYPES[declared.kind].identifies_card and value is not None:
            return f"{title} {value}"
    return f"{title} {piece.id}"


def format_description(piece: Piece, game: Game, language: str) -> str:
    """Return all texts of a card but its name, a line each."""
    texts = (value[language] for value in piece.values.values() if isinstance(value, Text))
    lines = (strip_markup(text, game, language) for text in texts)
    name = format_nickname(piece, game, language)
    return "\n".join(line for line in lines if line and line != name)


def list_tags(deck: Deck, piece: Piece) -> list[str]:
    """Return tags for the deck, the player, and the card's choices and flags."""
    tags = [deck.id, f"player:{piece.player.id}" if piece.player else ""]
    for name, declared in deck.fields.items():
        tags.append(FIELD_TYPES[declared.kind].format_tag(name, piece.values.get(name)))
    return list(filter(None, tags))


def format_maker_notes(piece: Piece, language: str) -> str:
    """Return deck, id, stamp of the data and language: `loot-city/school 3f2a en`."""
    return f"{piece.deck}/{piece.id} {make_stamp(piece, language)} {language}"

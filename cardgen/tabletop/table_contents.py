"""Contents of a virtual table in one language: objects, their positions, and their pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

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
from cardgen.tabletop.table_setup import TableObject
from cardgen.templates.template_renderer import make_stamp

BAG_MM = 60.0
NOTE_MM = (130.0, 90.0)
PDF_MM = (210.0, 297.0)
HAND_MM = (300.0, 100.0)
"""Footprints. Those of bags, notes and PDFs are estimates that keep enough room free."""
_SIDE_WIDTH_MM = 300.0
"""Maximum width of the blocks beside the middle."""
_BLOCK_GAP_MM = 40.0
"""Gap between the middle and the seats, and between neighbours."""


@dataclass(frozen=True)
class TableItem:
    """A rectangle to place on the table.

    `seat` is the player's number, or None in the middle. `row` 0 continues the previous item's row.
    `side` is -1 left of the middle and 1 right of it.
    """

    id: str
    width: float
    height: float
    seat: int | None = None
    row: int = 0
    side: int = 0


@dataclass(frozen=True)
class TableSpot:
    """Centre and turn of an object. 0° is upright for the near side, 180° for the far one."""

    x: float
    y: float
    turn: int


@dataclass(frozen=True)
class _ItemBlock:
    """Rows of items with their centres from the block's top middle, and the block's size."""

    spots: tuple[tuple[TableItem, float, float], ...]
    width: float
    height: float


def lay_out_items(
    items: Iterable[TableItem], seats: int, width: float, gap: float
) -> dict[str, TableSpot]:
    """Return the position of every item by its id. No two overlap."""
    items = list(items)
    parts = {
        side: _build_block(
            [item for item in items if item.seat is None and item.side == side], room, gap
        )
        for side, room in ((0, width), (-1, _SIDE_WIDTH_MM), (1, _SIDE_WIDTH_MM))
    }
    height = max(part.height for part in parts.values())
    own = [[item for item in items if item.seat == seat] for seat in range(seats)]
    room = max(width / 2, *(item.width for group in own for item in group), 1.0) if seats else 1.0
    blocks = [_build_block(group, room, gap) for group in own]
    wide = max((block.width for block in blocks), default=0.0)
    top = height / 2 + _BLOCK_GAP_MM
    found = {}
    for side, part in parts.items():
        beside = side * (parts[0].width / 2 + _BLOCK_GAP_MM + part.width / 2)
        for item, x, y in part.spots:
            found[item.id] = TableSpot(beside + x, part.height / 2 + y, 0)
    near = ceil(seats / 2)
    for seat, block in enumerate(blocks):
        far = seat >= near
        place, count = (seat - near, seats - near) if far else (seat, near)
        # Seen from its own side, the first player sits at the right end.
        middle_x = ((count - 1) / 2 - place) * (wide + _BLOCK_GAP_MM)
        for item, x, y in block.spots:
            here = (middle_x + x, -top + y)
            found[item.id] = TableSpot(-here[0], -here[1], 180) if far else TableSpot(*here, 0)
    return found


def _build_block(items: Sequence[TableItem], width: float, gap: float) -> _ItemBlock:
    """Return the block of items in centred rows from the top. Too wide rows are broken."""
    rows = list(_split_rows(items, width, gap))
    spots: list[tuple[TableItem, float, float]] = []
    y = widest = 0.0
    for row in rows:
        length = sum(item.width for item in row) + gap * (len(row) - 1)
        height = max(item.height for item in row)
        x = -length / 2
        for item in row:
            spots.append((item, x + item.width / 2, -y - height / 2))
            x += item.width + gap
        y += height + gap
        widest = max(widest, length)
    return _ItemBlock(tuple(spots), widest, max(0.0, y - gap))


def _split_rows(items: Sequence[TableItem], width: float, gap: float) -> Iterable[list[TableItem]]:
    numbered: dict[int, list[TableItem]] = {}
    current = 1
    for item in items:
        current = item.row or current
        numbered.setdefault(current, []).append(item)
    for _, row in sorted(numbered.items()):
        line: list[TableItem] = []
        used = 0.0
        for item in row:
            if line and used + item.width > width:
                yield line
                line, used = [], 0.0
            line.append(item)
            used += item.width + gap
        yield line


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

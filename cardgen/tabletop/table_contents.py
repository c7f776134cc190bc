"""What a table is made of in one language: things, where they lie, and the pictures they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from cardgen.core.problems import Source
from cardgen.core.units import Size
from cardgen.faces.model import Face
from cardgen.game.model import Deck, Piece, TableSetup
from cardgen.outputs.contract import Job
from cardgen.tabletop import face_atlas, table_setup
from cardgen.tabletop.face_atlas import Atlas, CardSides, TablePicture, build_atlas
from cardgen.tabletop.table_layout import TableItem, TableSpot, lay_out_items
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM

T = TypeVar("T")
NOTE_PREFIX, RULEBOOK_ID, HAND_PREFIX = "note/", "rulebook", "hand/"
_HAND_ROW = 1000


@dataclass(frozen=True)
class AtlasPictures:
    """A deck's sheets with their pictures: fronts, and the back or the sheet of backs."""

    atlas: Atlas
    fronts: tuple[TablePicture, ...]
    backs: tuple[TablePicture, ...]

    @property
    def pictures(self) -> tuple[TablePicture, ...]:
        return self.fronts + self.backs


def get_picture_format(job: Job) -> str:
    """The format of a table's pictures."""
    return "png" if job.options.tables.png else "jpeg"


def build_atlas_pictures(job: Job, deck: Deck, language: str) -> AtlasPictures:
    """The sheets of a deck; empty when every card has 0 copies."""
    found, form = build_atlas(job, deck, language), get_picture_format(job)
    limit = job.options.tables.sheet_px
    backs = tuple(
        face_atlas.build_sheet_picture(sheet, "back", form)
        if sheet.has_unique_backs
        else face_atlas.build_face_picture(deck, sheet.back, form, limit)
        for sheet in found.sheets
    )
    fronts = tuple(face_atlas.build_sheet_picture(sheet, "front", form) for sheet in found.sheets)
    return AtlasPictures(found, fronts, backs)


def build_tile_pictures(job: Job, look: CardSides) -> tuple[TablePicture, TablePicture | None]:
    """A board's or token's front, and its back if it has one."""
    form, limit = get_picture_format(job), job.options.tables.sheet_px
    deck = look.front.deck
    front = face_atlas.build_face_picture(deck, look.front, form, limit)
    return front, face_atlas.build_face_picture(deck, look.back, form, limit) if look.back else None


@dataclass(frozen=True)
class TableContents:
    """Things of the wanted decks, where everything lies, and the sheets of the decks in piles."""

    language: str
    objects: tuple[TableObject, ...]
    spots: dict[str, TableSpot]
    sheets: dict[str, AtlasPictures]
    atlases: dict[str, Atlas]

    def get_card_sides(self, deck: Deck, piece: Piece) -> CardSides:
        """Both faces of a card."""
        return self.atlases[deck.id].cards[piece.id]

    def list_tiles(self) -> Iterator[tuple[Deck, Piece]]:
        """What lies on the table as a tile, each once, markers included."""
        found = [
            (thing.deck, piece)
            for thing in self.objects
            if not thing.has_cards
            for piece, _ in thing.pieces
        ]
        found += [(m.deck, m.piece) for thing in self.objects for m in thing.markers]
        yield from {(deck.id, piece.id): (deck, piece) for deck, piece in found}.values()


def build_table(job: Job, language: str, *, extras: bool) -> TableContents:
    """The table of the wanted decks. `extras` are hand zones, notes and the rulebook's room."""
    game = job.game
    found = (
        _filter_object(thing, job)
        for thing in table_setup.set_up_table(game, job.face_facts, language)[0]
    )
    things = tuple(thing for thing in found if thing.pieces)
    table = game.table or TableSetup(Source("game.yaml"))
    seats = {player.id: number for number, player in enumerate(game.players)}
    items = [_build_item(thing, seats) for thing in things]
    if extras:
        items += [
            TableItem(f"{NOTE_PREFIX}{n}", *NOTE_MM, side=-1) for n in range(len(table.notes))
        ]
        items.append(TableItem(RULEBOOK_ID, *PDF_MM, side=1))
        if table.hands:
            items += [
                TableItem(f"{HAND_PREFIX}{player}", *HAND_MM, seat, _HAND_ROW)
                for player, seat in seats.items()
            ]
    spots = lay_out_items(items, len(seats), table.width, table.gap)
    piles = {thing.deck.id for thing in things if thing.has_cards}
    in_piles = {d.id: build_atlas_pictures(job, d, language) for d in job.decks if d.id in piles}
    atlases = {deck.id: build_atlas(job, deck, language) for deck in job.decks}
    return TableContents(language, things, spots, in_piles, atlases)


def _filter_object(thing: TableObject, job: Job) -> TableObject:
    """The thing with those of its cards and markers that are asked for."""
    return replace(
        thing,
        pieces=tuple(each for each in thing.pieces if (thing.deck.id, each[0].id) in job.card_keys),
        markers=tuple(m for m in thing.markers if (m.deck.id, m.piece.id) in job.card_keys),
    )


def _build_item(thing: TableObject, seats: dict[str, int]) -> TableItem:
    size = thing.deck.size
    if thing.kind in {"bag", "infinite"}:
        size = Size(BAG_MM, BAG_MM)
    elif thing.turn in (90, 270):
        size = size.rotate()
    seat = seats[thing.player.id] if thing.player else None
    return TableItem(thing.id, size.width, size.height, seat, thing.row)


def list_pictures(found: Iterable[TableContents], job: Job) -> list[TablePicture]:
    """Every picture that the tables need."""
    wanted: list[TablePicture] = []
    for each in found:
        wanted += [picture for sheet in each.sheets.values() for picture in sheet.pictures]
        for deck, piece in each.list_tiles():
            wanted += [p for p in build_tile_pictures(job, each.get_card_sides(deck, piece)) if p]
    return wanted


def list_faces(job: Job, language: str) -> list[Face]:
    """Every face of the wanted decks in a language, cards of 0 copies left out."""
    return [
        face
        for deck in job.decks
        for side in ("front", "back")
        for face in job.faces.find_faces(deck, language, side)
        if face.piece.copies
    ]

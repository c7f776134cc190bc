"""What a table is made of in one language: things, where they lie, and the pictures they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from cardgen.base.problems import Source
from cardgen.base.units import Size
from cardgen.faces.produce import Face
from cardgen.game.model import Deck, Piece, Table
from cardgen.outputs.contract import Job
from cardgen.outputs.tables import pictures, setup
from cardgen.outputs.tables.atlas import Atlas, Look, atlas
from cardgen.outputs.tables.layout import Item, Spot, lay
from cardgen.outputs.tables.objects import BAG_MM, HAND_MM, NOTE_MM, PDF_MM
from cardgen.outputs.tables.pictures import Picture
from cardgen.outputs.tables.setup import Thing

T = TypeVar("T")
NOTES, RULEBOOK, HANDS = "note/", "rulebook", "hand/"
_LAST_ROW = 1000


@dataclass(frozen=True)
class Sheets:
    """A deck's sheets with their pictures: fronts, and the back or the sheet of backs."""

    atlas: Atlas
    fronts: tuple[Picture, ...]
    backs: tuple[Picture, ...]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return self.fronts + self.backs


def form_of(job: Job) -> str:
    """The format of a table's pictures."""
    return "png" if job.options.tables.png else "jpeg"


def sheets(job: Job, deck: Deck, language: str) -> Sheets:
    """The sheets of a deck; empty when every card has 0 copies."""
    found, form = atlas(job, deck, language), form_of(job)
    limit = job.options.tables.sheet_px
    backs = tuple(
        pictures.sheet(sheet, "back", form)
        if sheet.unlike
        else pictures.single(deck, sheet.back, form, limit)
        for sheet in found.sheets
    )
    fronts = tuple(pictures.sheet(sheet, "front", form) for sheet in found.sheets)
    return Sheets(found, fronts, backs)


def tile_pictures(job: Job, look: Look) -> tuple[Picture, Picture | None]:
    """A board's or token's front, and its back if it has one."""
    form, limit = form_of(job), job.options.tables.sheet_px
    deck = look.front.deck
    front = pictures.single(deck, look.front, form, limit)
    return front, pictures.single(deck, look.back, form, limit) if look.back else None


@dataclass(frozen=True)
class Stock:
    """Things of the wanted decks, where everything lies, and the sheets of the decks in piles."""

    language: str
    things: tuple[Thing, ...]
    spots: dict[str, Spot]
    sheets: dict[str, Sheets]
    atlases: dict[str, Atlas]

    def look(self, deck: Deck, piece: Piece) -> Look:
        """Both faces of a card."""
        return self.atlases[deck.id].looks[piece.id]

    def tiles(self) -> Iterator[tuple[Deck, Piece]]:
        """What lies on the table as a tile, each once, markers included."""
        found = [
            (thing.deck, piece)
            for thing in self.things
            if not thing.as_cards
            for piece, _ in thing.pieces
        ]
        found += [(m.deck, m.piece) for thing in self.things for m in thing.markers]
        yield from {(deck.id, piece.id): (deck, piece) for deck, piece in found}.values()


def stock(job: Job, language: str, *, extras: bool) -> Stock:
    """The table of the wanted decks. `extras` are hand zones, notes and the rulebook's room."""
    game = job.game
    found = (_narrowed(thing, job) for thing in setup.things(game, job.known, language)[0])
    things = tuple(thing for thing in found if thing.pieces)
    table = game.table or Table(Source("game.yaml"))
    seats = {player.id: number for number, player in enumerate(game.players)}
    items = [_item(thing, seats) for thing in things]
    if extras:
        items += [Item(f"{NOTES}{n}", *NOTE_MM, side=-1) for n in range(len(table.notes))]
        items.append(Item(RULEBOOK, *PDF_MM, side=1))
        if table.hands:
            items += [
                Item(f"{HANDS}{player}", *HAND_MM, seat, _LAST_ROW)
                for player, seat in seats.items()
            ]
    spots = lay(items, len(seats), table.width, table.gap)
    piles = {thing.deck.id for thing in things if thing.as_cards}
    in_piles = {d.id: sheets(job, d, language) for d in job.decks if d.id in piles}
    atlases = {deck.id: atlas(job, deck, language) for deck in job.decks}
    return Stock(language, things, spots, in_piles, atlases)


def _narrowed(thing: Thing, job: Job) -> Thing:
    """The thing with those of its cards and markers that are asked for."""
    return replace(
        thing,
        pieces=tuple(each for each in thing.pieces if (thing.deck.id, each[0].id) in job.pieces),
        markers=tuple(m for m in thing.markers if (m.deck.id, m.piece.id) in job.pieces),
    )


def _item(thing: Thing, seats: dict[str, int]) -> Item:
    size = thing.deck.size
    if thing.kind in {"bag", "infinite"}:
        size = Size(BAG_MM, BAG_MM)
    elif thing.turn in (90, 270):
        size = size.turned()
    seat = seats[thing.player.id] if thing.player else None
    return Item(thing.id, size.width, size.height, seat, thing.row)


def pictures_of(found: Iterable[Stock], job: Job) -> list[Picture]:
    """Every picture that the tables need."""
    wanted: list[Picture] = []
    for each in found:
        wanted += [picture for sheet in each.sheets.values() for picture in sheet.pictures]
        for deck, piece in each.tiles():
            wanted += [p for p in tile_pictures(job, each.look(deck, piece)) if p]
    return wanted


def faces_of(job: Job, language: str) -> list[Face]:
    """Every face of the wanted decks in a language, cards of 0 copies left out."""
    return [
        face
        for deck in job.decks
        for side in ("front", "back")
        for face in job.faces.of(deck, language, side)
        if face.piece.copies
    ]

"""Save of a whole table for Tabletop Simulator, in one language.

Identifiers come from what an object is, not from its position in the save: GUIDs from card ids and
copies, keys of sheets from decks. They are equal in every build and language, so that a refreshed
table keeps its scripts and notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin
from pathlib import Path

from cardgen.game.model import Deck, Game, Piece
from cardgen.outputs.contract import Job
from cardgen.tabletop import table_contents, tts_objects
from cardgen.tabletop.face_atlas import TablePicture
from cardgen.tabletop.table_contents import (
    HAND_PREFIX,
    NOTE_PREFIX,
    RULEBOOK_ID,
    TableContents,
    TableSpot,
)
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import POSE_IN_BAG, ObjectLabel, ObjectPose, TtsObject
from cardgen.words.languages import get_word


@dataclass(frozen=True)
class SaveAssets:
    """Files that a save refers to: pictures by id, their base URL, and the rulebook's name."""

    pictures: Mapping[str, Path]
    base: str
    rulebook: str = ""

    def get_url(self, picture: TablePicture) -> str:
        return self.base + self.pictures[picture.id].name


def write_save(job: Job, table: TableContents, assets: SaveAssets) -> bytes:
    """Return the save as JSON. The same game gives the same bytes."""
    objects = _SaveBuilder(job, table, assets).build_objects()
    return encode_json(tts_objects.build_saved_object(objects))


def encode_json(value: TtsObject) -> bytes:
    """Return the content of a JSON file."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


class _SaveBuilder:
    def __init__(self, job: Job, table: TableContents, assets: SaveAssets) -> None:
        self.job, self.game, self.table, self.assets = job, job.game, table, assets
        self.language = table.language
        counts = {id_: len(table.atlases[id_].sheets) for id_ in table.piles}
        self.keys = tts_objects.assign_sheet_keys(self.game.decks, counts)
        self.guids = tts_objects.assign_guids(_list_guid_names(self.game, table))
        self.copies: dict[tuple[str, str], int] = {}

    def build_objects(self) -> list[TtsObject]:
        found = [each for thing in self.table.objects for each in self._build_table_object(thing)]
        return [*found, *self._build_extras(), *self._build_hands()]

    def _build_table_object(self, thing: TableObject) -> list[TtsObject]:
        spot = self.table.spots[thing.id]
        turned = replace(spot, turn=(spot.turn + thing.turn) % 360)
        pose = ObjectPose(turned, thing.face_up)
        if thing.kind == "pile":
            return [self._build_pile(thing, pose)]
        if thing.kind in {"bag", "infinite"}:
            return [self._build_bag(thing, pose)]
        markers = [
            self._build_tile(m.deck, m.piece, place_on_board(m.x, m.y, thing.deck, turned))
            for m in thing.markers
        ]
        tile = self._build_tile(thing.deck, thing.pieces[0][0], pose, locked=thing.locked)
        return [tile, *markers]

    def _build_pile(self, thing: TableObject, pose: ObjectPose) -> TtsObject:
        cards = [
            self._build_card(thing.deck, piece, pose)
            for piece, copies in thing.pieces
            for _ in range(copies)
        ]
        if len(cards) > 1:
            pile = tts_objects.build_deck(pose, self._build_label(thing), thing.deck, cards)
        else:
            pile = cards[0]
        return {**pile, "Locked": thing.locked}

    def _build_bag(self, thing: TableObject, pose: ObjectPose) -> TtsObject:
        build = self._build_card if thing.has_cards else self._build_tile
        infinite = thing.kind == "infinite"
        contents = [
            build(thing.deck, piece, POSE_IN_BAG)
            for piece, copies in thing.pieces
            for _ in range(1 if infinite else copies)
        ]
        return tts_objects.build_bag(pose, self._build_label(thing), contents, infinite=infinite)

    def _build_label(self, thing: TableObject) -> ObjectLabel:
        name = format_object_name(thing, self.game, self.language)
        guid = self.guids[f"thing {thing.id}"]
        return ObjectLabel(guid, name, gm_notes=thing.id, tags=(thing.deck.id,))

    def _build_card_label(self, deck: Deck, piece: Piece) -> ObjectLabel:
        number = self.copies[deck.id, piece.id] = self.copies.get((deck.id, piece.id), 0) + 1
        return ObjectLabel(
            self.guids[f"card {deck.id}/{piece.id}/{number}"],
            table_contents.format_nickname(piece, self.game, self.language),
            table_contents.format_description(piece, self.game, self.language),
            table_contents.format_maker_notes(piece, self.language),
            tuple(table_contents.list_tags(deck, piece)),
        )

    def _build_card(self, deck: Deck, piece: Piece, pose: ObjectPose) -> TtsObject:
        atlas = self.table.atlases[deck.id]
        number, cell = atlas.cells[piece.id]
        sheet = atlas.sheets[number]
        entry = tts_objects.build_sheet_entry(
            deck, self.assets.get_url(sheet.front), self.assets.get_url(sheet.back),
            (sheet.grid.columns, sheet.grid.rows), unique_back=sheet.has_unique_backs,
        )  # fmt: skip
        card_id = self.keys[deck.id, number] * 100 + cell
        label = self._build_card_label(deck, piece)
        return tts_objects.build_card(pose, label, deck, card_id, entry)

    def _build_tile(
        self, deck: Deck, piece: Piece, pose: ObjectPose, *, locked: bool = False
    ) -> TtsObject:
        card = self.table.get_card_sides(deck, piece)
        front, back = table_contents.build_tile_pictures(self.job, card)
        urls = self.assets.get_url(front), self.assets.get_url(back) if back else ""
        label = self._build_card_label(deck, piece)
        return tts_objects.build_tile(pose, label, deck, urls, locked=locked)

    def _build_extras(self) -> Iterator[TtsObject]:
        for number, note in enumerate(self.game.table.notes if self.game.table else ()):
            name = f"{NOTE_PREFIX}{number}"
            if name in self.table.spots:
                title, text = (
                    table_contents.strip_markup(each[self.language], self.game, self.language)
                    for each in (note.title, note.text)
                )
                label = ObjectLabel(self.guids[name], title, text)
                yield tts_objects.build_note(ObjectPose(self.table.spots[name]), label)
        if self.assets.rulebook:
            label = ObjectLabel(self.guids[RULEBOOK_ID], get_word("table.rulebook", self.language))
            url = self.assets.base + self.assets.rulebook
            yield tts_objects.build_pdf(ObjectPose(self.table.spots[RULEBOOK_ID]), label, url)

    def _build_hands(self) -> Iterator[TtsObject]:
        colours = tts_objects.assign_seat_colours(self.game.players)
        for player in self.game.players:
            name = f"{HAND_PREFIX}{player.id}"
            if name in self.table.spots and player.id in colours:
                title = f"{get_word('table.hand', self.language)} – {player.name[self.language]}"
                label = ObjectLabel(self.guids[name], title)
                yield tts_objects.build_hand_zone(
                    ObjectPose(self.table.spots[name]), label, colours[player.id], player.colour
                )


def format_object_name(thing: TableObject, game: Game, language: str) -> str:
    """Return the name of an object: that of its only card, or the entry's."""
    name = table_contents.strip_markup(thing.name[language], game, language)
    if len(thing.pieces) == 1:
        name = table_contents.format_nickname(thing.pieces[0][0], game, language)
    return f"{name} – {thing.player.name[language]}" if thing.player else name


def _list_guid_names(game: Game, table: TableContents) -> Iterable[str]:
    """Yield a name for everything with a GUID: each copy of each card, and each object."""
    for deck in game.decks:
        for piece in deck.pieces:
            for number in range(piece.copies + 1):  # an infinite bag may hold a card of 0 copies
                yield f"card {deck.id}/{piece.id}/{number + 1}"
    yield from (f"thing {thing.id}" for thing in table.objects)
    yield from table.spots


def place_on_board(x: float, y: float, board: Deck, spot: TableSpot) -> ObjectPose:
    """Return the pose of a marker at `x`, `y` mm from a board's top left corner."""
    right, up = x - board.size.width / 2, board.size.height / 2 - y
    angle = radians(spot.turn)
    place = (
        spot.x + right * cos(angle) + up * sin(angle),
        spot.y - right * sin(angle) + up * cos(angle),
    )
    return ObjectPose(TableSpot(*place, spot.turn), raised=True)


def get_base_url(job: Job, folder: Path) -> str:
    """Return the URL of the pictures: the one of the options, or that of a local folder."""
    url = job.options.tables.base_url
    return f"{url.rstrip('/')}/" if url else f"{folder.resolve().as_uri()}/"

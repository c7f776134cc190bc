"""A Tabletop Simulator save of the whole table, in one language.

Numbers that a table in play hangs on come from what a thing is, not from where it stands in the
save: GUIDs from card ids and copies, keys of sheets from the deck. They are the same in every
build and every language, so that a refreshed table keeps its scripts and notes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin
from pathlib import Path

from cardgen.game.model import Deck, Game, Piece, Player
from cardgen.outputs.contract import Job
from cardgen.tabletop import card_descriptions, table_contents, tts_objects
from cardgen.tabletop.face_atlas import StoredPicture
from cardgen.tabletop.table_contents import HAND_PREFIX, NOTE_PREFIX, RULEBOOK_ID, TableContents
from cardgen.tabletop.table_layout import TableSpot
from cardgen.tabletop.table_setup import TableObject
from cardgen.tabletop.tts_objects import (
    POSE_IN_BAG,
    ObjectLabel,
    ObjectPose,
    TtsObject,
    assign_guids,
    assign_sheet_keys,
)
from cardgen.words.languages import get_word

MAX_SHEET_KEY = 21_474_836
"""CardID is a signed 32-bit number, a hundred of them a sheet."""


@dataclass(frozen=True)
class SaveAssets:
    """What a save refers to: drawn pictures by id, where they will be, and the rulebook's name."""

    pictures: Mapping[str, StoredPicture]
    base: str
    rulebook: str = ""

    def get_url(self, picture: str) -> str:
        return self.base + self.pictures[picture].name


def write_save(job: Job, found: TableContents, made: SaveAssets) -> bytes:
    """The save's JSON, the same bytes for the same game."""
    value = tts_objects.build_saved_object(_SaveBuilder(job, found, made).build_objects())
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


class _SaveBuilder:
    def __init__(self, job: Job, found: TableContents, made: SaveAssets) -> None:
        self.job, self.game, self.stock, self.made = job, job.game, found, made
        self.language = found.language
        counts = {id_: len(sheets.fronts) for id_, sheets in found.sheets.items()}
        self.keys = assign_sheet_keys(self.game.decks, counts)
        self.guids = assign_guids(_list_guid_names(self.game, found))
        self.dealt: dict[tuple[str, str], int] = {}

    def build_objects(self) -> list[TtsObject]:
        found: list[TtsObject] = []
        for thing in self.stock.objects:
            found += self._build_table_object(thing)
        return [*found, *self._build_extras()]

    def _build_table_object(self, thing: TableObject) -> list[TtsObject]:
        spot = self.stock.spots[thing.id]
        lying = replace(spot, turn=(spot.turn + thing.turn) % 360)
        pose = ObjectPose(lying, thing.face_up)
        if thing.kind == "pile":
            return [self._build_pile(thing, pose)]
        if thing.kind in {"bag", "infinite"}:
            return [self._build_bag(thing, pose)]
        piece = thing.pieces[0][0]
        markers = [
            self._build_tile(
                marker.deck, marker.piece, place_on_board(marker.x, marker.y, thing.deck, lying)
            )
            for marker in thing.markers
        ]
        return [self._build_tile(thing.deck, piece, pose, locked=thing.locked), *markers]

    def _build_pile(self, thing: TableObject, pose: ObjectPose) -> TtsObject:
        cards = [
            self._build_card(thing.deck, piece, pose)
            for piece, copies in thing.pieces
            for _ in range(copies)
        ]
        if len(cards) == 1:
            return {**cards[0], "Locked": thing.locked}
        made = tts_objects.build_deck(pose, self._build_label(thing), thing.deck, cards)
        return {**made, "Locked": thing.locked}

    def _build_bag(self, thing: TableObject, pose: ObjectPose) -> TtsObject:
        one = self._build_card if thing.has_cards else self._build_tile
        infinite = thing.kind == "infinite"
        contents = [
            one(thing.deck, piece, POSE_IN_BAG)
            for piece, copies in thing.pieces
            for _ in range(1 if infinite else copies)
        ]
        return tts_objects.build_bag(pose, self._build_label(thing), contents, infinite=infinite)

    def _build_label(self, thing: TableObject) -> ObjectLabel:
        name = format_object_name(thing, self.game, self.language)
        return ObjectLabel(
            self.guids[f"thing {thing.id}"], name, gm_notes=thing.id, tags=(thing.deck.id,)
        )

    def _build_card_label(self, deck: Deck, piece: Piece) -> ObjectLabel:
        number = self.dealt[deck.id, piece.id] = self.dealt.get((deck.id, piece.id), 0) + 1
        return ObjectLabel(
            self.guids[f"card {deck.id}/{piece.id}/{number}"],
            card_descriptions.format_nickname(piece, self.game, self.language),
            card_descriptions.format_description(piece, self.game, self.language),
            card_descriptions.format_maker_notes(piece, self.language),
            tuple(card_descriptions.list_tags(deck, piece)),
        )

    def _build_card(self, deck: Deck, piece: Piece, pose: ObjectPose) -> TtsObject:
        sheets = self.stock.sheets[deck.id]
        number, cell = sheets.atlas.cells[piece.id]
        sheet = sheets.atlas.sheets[number]
        entry = tts_objects.build_sheet_entry(
            deck,
            self.made.get_url(sheets.fronts[number].id),
            self.made.get_url(sheets.backs[number].id),
            (sheet.grid.columns, sheet.grid.rows),
            unique_back=sheet.has_unique_backs,
        )
        card_id = self.keys[deck.id, number] * 100 + cell
        return tts_objects.build_card(
            pose, self._build_card_label(deck, piece), deck, card_id, entry
        )

    def _build_tile(
        self, deck: Deck, piece: Piece, pose: ObjectPose, *, locked: bool = False
    ) -> TtsObject:
        front, back = table_contents.build_tile_pictures(
            self.job, self.stock.get_card_sides(deck, piece)
        )
        urls = (self.made.get_url(front.id), self.made.get_url(back.id) if back else "")
        return tts_objects.build_tile(
            pose, self._build_card_label(deck, piece), deck, urls, locked=locked
        )

    def _build_extras(self) -> list[TtsObject]:
        found = []
        table, language = self.game.table, self.language
        for number, note in enumerate(table.notes if table else ()):
            name = f"{NOTE_PREFIX}{number}"
            if name in self.stock.spots:
                title = card_descriptions.strip_markup(note.title[language], self.game, language)
                text = card_descriptions.strip_markup(note.text[language], self.game, language)
                label = ObjectLabel(self.guids[name], title, text)
                found.append(tts_objects.build_note(ObjectPose(self.stock.spots[name]), label))
        if self.made.rulebook:
            label = ObjectLabel(self.guids[RULEBOOK_ID], get_word("table.rulebook", language))
            url = self.made.base + self.made.rulebook
            found.append(
                tts_objects.build_pdf(ObjectPose(self.stock.spots[RULEBOOK_ID]), label, url)
            )
        return found + self._build_hands(get_word("table.hand", language))

    def _build_hands(self, word: str) -> list[TtsObject]:
        colours = tts_objects.assign_seat_colours(self.game.players)
        return [
            tts_objects.build_hand_zone(
                ObjectPose(self.stock.spots[f"{HAND_PREFIX}{player.id}"]),
                ObjectLabel(
                    self.guids[f"{HAND_PREFIX}{player.id}"], self._format_hand_name(word, player)
                ),
                colours[player.id],
            )
            for player in self.game.players
            if f"{HAND_PREFIX}{player.id}" in self.stock.spots and player.id in colours
        ]

    def _format_hand_name(self, word: str, player: Player) -> str:
        return f"{word} – {player.name[self.language]}"


def format_object_name(thing: TableObject, game: Game, language: str) -> str:
    """What a thing is called on the table: as its one card is, else as it lies there."""
    name = card_descriptions.strip_markup(thing.name[language], game, language)
    if len(thing.pieces) == 1:
        name = card_descriptions.format_nickname(thing.pieces[0][0], game, language)
    return f"{name} – {thing.player.name[language]}" if thing.player else name


def _list_guid_names(game: Game, found: TableContents) -> Iterable[str]:
    """Whatever gets a GUID: every copy of every card, and everything on the table."""
    for deck in game.decks:
        for piece in deck.pieces:
            for number in range(piece.copies + 1):  # an infinite bag's may be one of 0 left
                yield f"card {deck.id}/{piece.id}/{number + 1}"
    yield from (f"thing {thing.id}" for thing in found.objects)
    yield from found.spots


def place_on_board(x: float, y: float, board: Deck, spot: TableSpot) -> ObjectPose:
    """How a marker lies: `x`, `y` in mm from the board's top left corner, upright with it."""
    right, up = x - board.size.width / 2, board.size.height / 2 - y
    angle = radians(spot.turn)
    place = (
        spot.x + right * cos(angle) + up * sin(angle),
        spot.y - right * sin(angle) + up * cos(angle),
    )
    return ObjectPose(TableSpot(*place, spot.turn), raised=True)


def sanitise_name(text: str) -> str:
    """A file's name out of a game's: nothing that could lead to another folder."""
    kept = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in text)
    return kept.strip("-")[:60] or "game"


def get_base_url(job: Job, folder: Path) -> str:
    """Where pictures will be: the address that was given, or the folder on this machine."""
    given = job.options.tables.base_url
    return f"{given.rstrip('/')}/" if given else f"{folder.resolve().as_uri()}/"

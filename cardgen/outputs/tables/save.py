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
from cardgen.outputs.tables import descriptions, objects, seats, table_contents
from cardgen.outputs.tables.identities import guids, sheet_keys
from cardgen.outputs.tables.layout import Spot
from cardgen.outputs.tables.objects import IN_A_BAG, Label, Object, Pose
from cardgen.outputs.tables.pictures import Drawn
from cardgen.outputs.tables.setup import Thing
from cardgen.outputs.tables.table_contents import HANDS, NOTES, RULEBOOK, Stock
from cardgen.words.languages import word

LARGEST_KEY = 21_474_836
"""CardID is a signed 32-bit number, a hundred of them a sheet."""


@dataclass(frozen=True)
class Made:
    """What a save refers to: drawn pictures by id, where they will be, and the rulebook's name."""

    drawn: Mapping[str, Drawn]
    base: str
    rulebook: str = ""

    def url(self, picture: str) -> str:
        return self.base + self.drawn[picture].name


def save(job: Job, found: Stock, made: Made) -> bytes:
    """The save's JSON, the same bytes for the same game."""
    value = objects.envelope(_Builder(job, found, made).all())
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


class _Builder:
    def __init__(self, job: Job, found: Stock, made: Made) -> None:
        self.job, self.game, self.stock, self.made = job, job.game, found, made
        self.language = found.language
        counts = {id_: len(sheets.fronts) for id_, sheets in found.sheets.items()}
        self.keys = sheet_keys(self.game.decks, counts)
        self.guids = guids(_names(self.game, found))
        self.dealt: dict[tuple[str, str], int] = {}

    def all(self) -> list[Object]:
        found: list[Object] = []
        for thing in self.stock.things:
            found += self._thing(thing)
        return [*found, *self._extras()]

    def _thing(self, thing: Thing) -> list[Object]:
        spot = self.stock.spots[thing.id]
        lying = replace(spot, turn=(spot.turn + thing.turn) % 360)
        pose = Pose(lying, thing.face_up)
        if thing.kind == "pile":
            return [self._pile(thing, pose)]
        if thing.kind in {"bag", "infinite"}:
            return [self._bag(thing, pose)]
        piece = thing.pieces[0][0]
        markers = [
            self._tile(marker.deck, marker.piece, on_board(marker.x, marker.y, thing.deck, lying))
            for marker in thing.markers
        ]
        return [self._tile(thing.deck, piece, pose, locked=thing.locked), *markers]

    def _pile(self, thing: Thing, pose: Pose) -> Object:
        cards = [
            self._card(thing.deck, piece, pose)
            for piece, copies in thing.pieces
            for _ in range(copies)
        ]
        if len(cards) == 1:
            return {**cards[0], "Locked": thing.locked}
        made = objects.pile(pose, self._label(thing), thing.deck, cards)
        return {**made, "Locked": thing.locked}

    def _bag(self, thing: Thing, pose: Pose) -> Object:
        one = self._card if thing.as_cards else self._tile
        infinite = thing.kind == "infinite"
        contents = [
            one(thing.deck, piece, IN_A_BAG)
            for piece, copies in thing.pieces
            for _ in range(1 if infinite else copies)
        ]
        return objects.bag(pose, self._label(thing), contents, infinite=infinite)

    def _label(self, thing: Thing) -> Label:
        name = name_of(thing, self.game, self.language)
        return Label(
            self.guids[f"thing {thing.id}"], name, gm_notes=thing.id, tags=(thing.deck.id,)
        )

    def _card_label(self, deck: Deck, piece: Piece) -> Label:
        number = self.dealt[deck.id, piece.id] = self.dealt.get((deck.id, piece.id), 0) + 1
        return Label(
            self.guids[f"card {deck.id}/{piece.id}/{number}"],
            descriptions.nickname(piece, self.game, self.language),
            descriptions.description(piece, self.game, self.language),
            descriptions.maker_notes(piece, self.language),
            tuple(descriptions.tags(deck, piece)),
        )

    def _card(self, deck: Deck, piece: Piece, pose: Pose) -> Object:
        sheets = self.stock.sheets[deck.id]
        number, cell = sheets.atlas.cells[piece.id]
        sheet = sheets.atlas.sheets[number]
        entry = objects.sheet_entry(
            deck,
            self.made.url(sheets.fronts[number].id),
            self.made.url(sheets.backs[number].id),
            (sheet.grid.columns, sheet.grid.rows),
            unlike=sheet.unlike,
        )
        card_id = self.keys[deck.id, number] * 100 + cell
        return objects.card(pose, self._card_label(deck, piece), deck, card_id, entry)

    def _tile(self, deck: Deck, piece: Piece, pose: Pose, *, locked: bool = False) -> Object:
        front, back = table_contents.tile_pictures(self.job, self.stock.look(deck, piece))
        urls = (self.made.url(front.id), self.made.url(back.id) if back else "")
        return objects.tile(pose, self._card_label(deck, piece), deck, urls, locked=locked)

    def _extras(self) -> list[Object]:
        found = []
        table, language = self.game.table, self.language
        for number, note in enumerate(table.notes if table else ()):
            name = f"{NOTES}{number}"
            if name in self.stock.spots:
                title = descriptions.plain(note.title[language], self.game, language)
                text = descriptions.plain(note.text[language], self.game, language)
                label = Label(self.guids[name], title, text)
                found.append(objects.note(Pose(self.stock.spots[name]), label))
        if self.made.rulebook:
            label = Label(self.guids[RULEBOOK], word("table.rulebook", language))
            url = self.made.base + self.made.rulebook
            found.append(objects.pdf(Pose(self.stock.spots[RULEBOOK]), label, url))
        return found + self._hands(word("table.hand", language))

    def _hands(self, word: str) -> list[Object]:
        colours = seats.colours(self.game.players)
        return [
            objects.hand(
                Pose(self.stock.spots[f"{HANDS}{player.id}"]),
                Label(self.guids[f"{HANDS}{player.id}"], self._hand_name(word, player)),
                colours[player.id],
            )
            for player in self.game.players
            if f"{HANDS}{player.id}" in self.stock.spots and player.id in colours
        ]

    def _hand_name(self, word: str, player: Player) -> str:
        return f"{word} – {player.name[self.language]}"


def name_of(thing: Thing, game: Game, language: str) -> str:
    """What a thing is called on the table: as its one card is, else as it lies there."""
    name = descriptions.plain(thing.name[language], game, language)
    if len(thing.pieces) == 1:
        name = descriptions.nickname(thing.pieces[0][0], game, language)
    return f"{name} – {thing.player.name[language]}" if thing.player else name


def _names(game: Game, found: Stock) -> Iterable[str]:
    """Whatever gets a GUID: every copy of every card, and everything on the table."""
    for deck in game.decks:
        for piece in deck.pieces:
            for number in range(piece.copies + 1):  # an infinite bag's may be one of 0 left
                yield f"card {deck.id}/{piece.id}/{number + 1}"
    yield from (f"thing {thing.id}" for thing in found.things)
    yield from found.spots


def on_board(x: float, y: float, board: Deck, spot: Spot) -> Pose:
    """How a marker lies: `x`, `y` in mm from the board's top left corner, upright with it."""
    right, up = x - board.size.width / 2, board.size.height / 2 - y
    angle = radians(spot.turn)
    place = (
        spot.x + right * cos(angle) + up * sin(angle),
        spot.y - right * sin(angle) + up * cos(angle),
    )
    return Pose(Spot(*place, spot.turn), raised=True)


def safe_name(text: str) -> str:
    """A file's name out of a game's: nothing that could lead to another folder."""
    kept = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in text)
    return kept.strip("-")[:60] or "game"


def base_url(job: Job, folder: Path) -> str:
    """Where pictures will be: the address that was given, or the folder on this machine."""
    given = job.options.tables.base_url
    return f"{given.rstrip('/')}/" if given else f"{folder.resolve().as_uri()}/"

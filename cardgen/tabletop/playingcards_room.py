"""Room for PlayingCards.io: one .pcio file, a zip of widgets and pictures, laid out as the table.

The format is not published. The widgets have what VirtualTabletop's importer reads of them
(ArnoldSmith86/virtualtabletop, server/pcioimport.mjs, read 2026-11-28): a pile recalls and shuffles
the deck whose `parent` it is, cards in a pile name it as theirs and lie within it, all players
share one widget `hand`, a seat has an index, and dice have a deck of their own.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core.problems import Problem
from cardgen.core.units import Size
from cardgen.faces.model import Face
from cardgen.game.model import Deck, Piece
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.runtime.content_store import read_entry
from cardgen.runtime.safe_files import make_file_name
from cardgen.tabletop import face_atlas, table_contents
from cardgen.tabletop.face_atlas import TablePicture
from cardgen.tabletop.table_contents import TableContents
from cardgen.tabletop.tts_save import format_object_name

_MARGIN_MM = 20.0
_ROOM_WIDTH_PX = 1600.0
"""Width of the room, to which the table is scaled."""
_MAX_FACE_PX = 420
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_ASSETS_FOLDER = "userassets"
_CARD_Z = 100
_PILE_RIM_PX = 4.0
"""What a holder is wider than its cards on every side."""
_SHUFFLE_BUTTON_PX, _ROW_GAP_PX, _ROW_LEFT_PX = 40.0, 20.0, 50.0
_HAND_PX, _SEAT_PX, _DIE_PX = (1500.0, 180.0), 200.0, 60.0
_DICE_DECK = "deck-of-dice"


@dataclass(frozen=True)
class PlayingCardsRecipe:
    """JSON of the widgets, and names and paths of the pictures."""

    widgets: bytes
    assets: tuple[tuple[str, Path], ...]


FacePairs = dict[str, tuple[TablePicture, TablePicture]]


def _load_table(job: Job, language: str) -> tuple[TableContents, dict[str, FacePairs]]:
    """Return the table, and the pictures of each deck's cards."""
    table = table_contents.build_table(job, language, extras=False)
    return table, {each: _build_face_pairs(job, table, each) for each in _list_decks(table)}


def _flatten_pictures(faces: dict[str, FacePairs]) -> list[TablePicture]:
    return [picture for deck in faces.values() for pair in deck.values() for picture in pair]


def _list_decks(table: TableContents) -> dict[str, Deck]:
    decks = {each.deck.id: each.deck for each in table.objects}
    return decks | {m.deck.id: m.deck for each in table.objects for m in each.markers}


def _build_face_pairs(job: Job, table: TableContents, deck_id: str) -> FacePairs:
    """Return front and back of every card by its id."""
    atlas, image_format = table.atlases[deck_id], face_atlas.get_picture_format(job)

    def build_picture(face: Face | None) -> TablePicture:
        return face_atlas.build_face_picture(atlas.deck, face, image_format, _MAX_FACE_PX)

    return {
        id_: (build_picture(card.front), build_picture(card.back))
        for id_, card in atlas.cards.items()
    }


@dataclass(frozen=True)
class _PlacedCard:
    """A piece with its centre in mm, and the pile that it is in."""

    deck: Deck
    piece: Piece
    x: float
    y: float
    face_up: bool
    pile: str = ""


@dataclass(frozen=True)
class _RoomScale:
    """The room's top left corner on the table in mm, and pixels in a mm."""

    left: float
    top: float
    scale: float

    def locate(self, x: float, y: float, size: Size) -> dict[str, float]:
        """Return the corner of a piece of a size with its centre at a point of the table."""
        return {
            "x": round((x - size.width / 2 - self.left) * self.scale, 2),
            "y": round((self.top - y - size.height / 2) * self.scale, 2),
        }


def _build_widgets(
    job: Job, table: TableContents, faces: dict[str, FacePairs], pictures: Mapping[str, Path]
) -> list[dict[str, Any]]:
    cards = _place_cards(table)
    left = min((card.x - card.deck.size.width / 2 for card in cards), default=0.0) - _MARGIN_MM
    top = max((card.y + card.deck.size.height / 2 for card in cards), default=0.0) + _MARGIN_MM
    right = max((card.x + card.deck.size.width / 2 for card in cards), default=1.0) + _MARGIN_MM
    room = _RoomScale(left, top, _ROOM_WIDTH_PX / (right - left))
    urls = {id_: f"package://{_ASSETS_FOLDER}/{each.name}" for id_, each in pictures.items()}
    piles = _build_piles(job, table, room)
    homes = dict[str, dict[str, Any]]()  # the first pile of each deck
    for deck_id, pile in piles:
        homes.setdefault(deck_id, pile)
    widgets = []
    for id_, deck in _list_decks(table).items():
        labels = {
            piece.id: table_contents.format_nickname(piece, job.game, table.language)
            for piece in deck.pieces
        }
        widget = _build_deck_widget(deck, faces[id_], labels, urls, room.scale)
        if home := homes.get(id_):
            home["hasShuffleButton"] = True
            widget |= {"parent": home["id"], "x": home["x"], "y": home["y"]}
        widgets.append(widget)
    widgets += [pile for _, pile in piles]
    for number, card in enumerate(cards, start=1):
        widgets.append({
            "id": f"card-{number}", "type": "card", "deck": f"deck-{card.deck.id}",
            "cardType": card.piece.id, "parent": card.pile or None, "faceup": card.face_up,
            **room.locate(card.x, card.y, card.deck.size), "z": _CARD_Z + number,
        })  # fmt: skip
    bottom = max((each["y"] + each.get("height", 0) for each in widgets if "y" in each), default=0)
    return [*widgets, *_build_player_widgets(job, table, bottom)]


def _build_piles(
    job: Job, table: TableContents, room: _RoomScale
) -> list[tuple[str, dict[str, Any]]]:
    """Return a holder for each object with several cards, with the id of its deck."""
    found: list[tuple[str, dict[str, Any]]] = []
    for thing in table.objects:
        if thing.copy_count < 2:
            continue
        spot, size = table.spots[thing.id], thing.deck.size
        corner = room.locate(spot.x, spot.y, size)
        found.append((thing.deck.id, {
            "id": f"pile-{thing.id}", "type": "cardPile",
            "x": round(corner["x"] - _PILE_RIM_PX, 2), "y": round(corner["y"] - _PILE_RIM_PX, 2),
            "z": len(found) + 1,
            "width": round(size.width * room.scale + 2 * _PILE_RIM_PX, 2),
            "height": round(size.height * room.scale + 2 * _PILE_RIM_PX, 2),
            "label": format_object_name(thing, job.game, table.language),
            "hasShuffleButton": False,
        }))  # fmt: skip
    return found


def _build_player_widgets(
    job: Job, table: TableContents, bottom: float
) -> Iterator[dict[str, Any]]:
    """Yield the hand that all players share, a seat for each player, and the dice, below the
    table."""
    setup = job.game.table
    y = round(bottom + _SHUFFLE_BUTTON_PX + _ROW_GAP_PX, 2)
    if setup is None or setup.hands:
        yield {
            "id": "hand", "type": "hand", "x": _ROW_LEFT_PX, "y": y, "z": 1, "width": _HAND_PX[0],
            "height": _HAND_PX[1], "enabled": True,
        }  # fmt: skip
        y = round(y + _HAND_PX[1] + 2 * _ROW_GAP_PX, 2)
    for number, player in enumerate(job.game.players):
        yield {
            "id": f"seat-{player.id}", "type": "seat", "seatIndex": number, "z": 1, "y": y,
            "x": _ROW_LEFT_PX + number * _SEAT_PX, "label": player.name[table.language],
            "color": player.colour,
        }  # fmt: skip
    dice = setup.dice if setup else 0
    if dice:
        yield _build_dice_deck()
    for number in range(dice):
        x = _ROW_LEFT_PX + _HAND_PX[0] - (dice - number) * (_DIE_PX + _ROW_GAP_PX)
        yield {
            "id": f"die-{number + 1}", "type": "dice", "deck": _DICE_DECK, "diceValue": "1",
            "x": x, "y": y, "z": 1, "width": _DIE_PX, "height": _DIE_PX,
        }  # fmt: skip


def _build_dice_deck() -> dict[str, Any]:
    """Return the deck with the faces of a die, whose pictures are PlayingCards.io's own."""
    faces = {
        str(pips): {"label": str(pips), "image": f"/img/dice-basic/{pips}.svg"}
        for pips in range(1, 7)
    }
    picture = {
        "type": "image", "value": "image", "valueType": "dynamic", "x": 0, "y": 0,
        "w": _DIE_PX, "h": _DIE_PX,
    }  # fmt: skip
    return {
        "id": _DICE_DECK, "type": "cardDeck", "collectionType": "dice", "cardTypes": faces,
        "cardWidth": _DIE_PX, "cardHeight": _DIE_PX,
        "faceTemplate": {"includeBorder": False, "includeRadius": True, "objects": [picture]},
    }  # fmt: skip


def _place_cards(table: TableContents) -> list[_PlacedCard]:
    """Return every piece. Those of a bag lie where the bag would."""
    cards = []
    for each in table.objects:
        spot, size = table.spots[each.id], each.deck.size
        pile = f"pile-{each.id}" if each.copy_count > 1 else ""
        for piece, copies in each.pieces:
            card = _PlacedCard(each.deck, piece, spot.x, spot.y, each.face_up, pile)
            cards += [card] * copies
        sign = -1 if spot.turn else 1
        for marker in each.markers:
            x, y = marker.x - size.width / 2, size.height / 2 - marker.y
            at = spot.x + sign * x, spot.y + sign * y
            cards.append(_PlacedCard(marker.deck, marker.piece, *at, face_up=True))
    return cards


def _build_deck_widget(
    deck: Deck, faces: FacePairs, labels: dict[str, str], urls: dict[str, str], scale: float
) -> dict[str, Any]:
    width, height = round(deck.size.width * scale, 2), round(deck.size.height * scale, 2)

    def build_template(value: str) -> dict[str, Any]:
        image = {
            "type": "image", "value": value, "valueType": "dynamic",
            "x": 0, "y": 0, "w": width, "h": height,
        }  # fmt: skip
        return {"includeBorder": False, "includeRadius": bool(deck.corner), "objects": [image]}

    types = {}
    for piece in deck.pieces:
        if piece.id in faces:
            face, back = (urls[picture.id] for picture in faces[piece.id])
            types[piece.id] = {"face": face, "back": back, "label": labels[piece.id]}
    return {
        "id": f"deck-{deck.id}", "type": "cardDeck", "cardTypes": types,
        "faceTemplate": build_template("face"), "backTemplate": build_template("back"),
        "cardWidth": width, "cardHeight": height,
    }  # fmt: skip


def _make_room(recipe: PlayingCardsRecipe) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        _add_zip_entry(package, "widgets.json", recipe.widgets)
        for name, path in recipe.assets:
            _add_zip_entry(package, f"{_ASSETS_FOLDER}/{name}", read_entry(path))
    return out.getvalue()


def _add_zip_entry(package: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a file with a fixed date, so that the zip always has the same bytes."""
    entry = zipfile.ZipInfo(name, _ZIP_TIME)
    entry.external_attr = 0o644 << 16
    package.writestr(entry, data)


class PlayingCards(Output[PlayingCardsRecipe]):
    """A room for every language."""

    def prepare(self, job: Job) -> list[Problem]:
        """Draw every face by itself, since the widgets name the pictures by their content."""
        tables = [_load_table(job, language) for language in job.languages]
        pictures = [picture for _, faces in tables for picture in _flatten_pictures(faces)]
        face_atlas.draw_missing_pictures(job, pictures)
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[PlayingCardsRecipe]], list[Problem]]:
        """Plan `playingcards/<game>.pcio` for every language."""
        artefacts = []
        for language in job.languages:
            table, faces = _load_table(job, language)
            pictures = face_atlas.load_pictures(job, _flatten_pictures(faces))
            widgets = _build_widgets(job, table, faces, pictures)
            data = json.dumps(widgets, ensure_ascii=False, indent=1).encode()
            assets = sorted({(path.name, path) for path in pictures.values()})
            path = f"{language}/playingcards/{make_file_name(job.game.id)}{job.partial_suffix}.pcio"
            artefacts.append(Artefact(path, PlayingCardsRecipe(data, tuple(assets)), language))
        return artefacts, []

    def make_file(self, recipe: PlayingCardsRecipe) -> bytes:
        """Return the package of a recipe."""
        return _make_room(recipe)

"""Room for PlayingCards.io: one .pcio file, a zip of widgets and pictures, laid out as the
table."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.model import Deck, Piece
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.runtime.content_store import read_entry
from cardgen.runtime.safe_files import make_file_name
from cardgen.tabletop import face_atlas, table_contents
from cardgen.tabletop.face_atlas import TablePicture
from cardgen.tabletop.table_contents import TableContents

_MARGIN_MM = 20.0
_ROOM_WIDTH_PX = 1600.0
"""Width of the room, to which the table is scaled."""
_MAX_FACE_PX = 420
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_ASSETS_FOLDER = "userassets"


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


def _build_widgets(
    job: Job, table: TableContents, faces: dict[str, FacePairs], pictures: Mapping[str, Path]
) -> list[dict[str, Any]]:
    cards = _place_cards(table)
    left = min((x - deck.size.width / 2 for deck, _, x, _ in cards), default=0.0) - _MARGIN_MM
    top = max((y + deck.size.height / 2 for deck, _, _, y in cards), default=0.0) + _MARGIN_MM
    right = max((x + deck.size.width / 2 for deck, _, x, _ in cards), default=1.0) + _MARGIN_MM
    scale = _ROOM_WIDTH_PX / (right - left)
    urls = {id_: f"package://{_ASSETS_FOLDER}/{each.name}" for id_, each in pictures.items()}
    widgets = []
    for id_, deck in _list_decks(table).items():
        labels = {
            piece.id: table_contents.format_nickname(piece, job.game, table.language)
            for piece in deck.pieces
        }
        widgets.append(_build_deck_widget(deck, faces[id_], labels, urls, scale))
    for number, (deck, piece, x, y) in enumerate(cards, start=1):
        widgets.append({
            "id": f"card-{number}", "type": "card", "deck": f"deck-{deck.id}",
            "cardType": piece.id, "parent": None,
            "x": round((x - deck.size.width / 2 - left) * scale, 2),
            "y": round((top - y - deck.size.height / 2) * scale, 2),
            "z": number,
        })  # fmt: skip
    return widgets


def _place_cards(table: TableContents) -> list[tuple[Deck, Piece, float, float]]:
    """Return every piece with its centre in mm. Pieces of a bag lie where the bag would."""
    cards = []
    for each in table.objects:
        spot, size = table.spots[each.id], each.deck.size
        for piece, copies in each.pieces:
            cards += [(each.deck, piece, spot.x, spot.y)] * copies
        sign = -1 if spot.turn else 1
        for marker in each.markers:
            x, y = marker.x - size.width / 2, size.height / 2 - marker.y
            cards.append((marker.deck, marker.piece, spot.x + sign * x, spot.y + sign * y))
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

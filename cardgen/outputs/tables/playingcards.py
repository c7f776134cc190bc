"""PlayingCards.io: one .pcio file, a zip of widgets and their pictures, laid as the table is."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of, read
from cardgen.game.model import Deck, Piece
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.tables import descriptions, pictures, table_contents
from cardgen.outputs.tables.pictures import Drawn, Picture
from cardgen.outputs.tables.save import safe_name
from cardgen.outputs.tables.table_contents import Stock

_MARGIN_MM = 20.0
_ROOM_PX = 1600.0
"""The room's width on the screen; the table is scaled to it."""
_FACE_PX = 420
_ZIP_TIME = (2000, 1, 1, 0, 0, 0)
_ASSETS = "userassets"


@dataclass(frozen=True)
class Recipe:
    """The widgets' JSON, and the pictures by name."""

    widgets: bytes
    assets: tuple[tuple[str, Path], ...]


Pairs = dict[str, tuple[Picture, Picture]]


def _table(job: Job, language: str) -> tuple[Stock, dict[str, Pairs]]:
    """What lies on the table, and the pictures of each deck's cards."""
    table = table_contents.stock(job, language, extras=False)
    return table, {id_: _pictures(job, table, deck) for id_, deck in _decks(table).items()}


def _all(faces: dict[str, Pairs]) -> list[Picture]:
    return [picture for deck in faces.values() for pair in deck.values() for picture in pair]


def _decks(table: Stock) -> dict[str, Deck]:
    found = {thing.deck.id: thing.deck for thing in table.things}
    return found | {m.deck.id: m.deck for thing in table.things for m in thing.markers}


def _pictures(job: Job, table: Stock, deck: Deck) -> Pairs:
    """Front and back of every card, by its id."""
    form = table_contents.form_of(job)
    return {
        id_: (
            pictures.single(deck, look.front, form, _FACE_PX),
            pictures.single(deck, look.back, form, _FACE_PX),
        )
        for id_, look in table.atlases[deck.id].looks.items()
    }


def _widgets(
    job: Job, table: Stock, faces: dict[str, Pairs], drawn: dict[str, Drawn]
) -> list[dict[str, Any]]:
    laid = list(_cards(table))
    left = min((x - deck.size.width / 2 for deck, _, x, _ in laid), default=0.0) - _MARGIN_MM
    top = max((y + deck.size.height / 2 for deck, _, _, y in laid), default=0.0) + _MARGIN_MM
    right = max((x + deck.size.width / 2 for deck, _, x, _ in laid), default=1.0) + _MARGIN_MM
    scale = _ROOM_PX / (right - left)
    found = [
        _deck(deck, faces[id_], _labels(job, deck, table.language), drawn, scale)
        for id_, deck in _decks(table).items()
    ]
    for number, (deck, piece, x, y) in enumerate(laid, start=1):
        found.append({
            "id": f"card-{number}",
            "type": "card",
            "deck": f"deck-{deck.id}",
            "cardType": piece.id,
            "parent": None,
            "x": round((x - deck.size.width / 2 - left) * scale, 2),
            "y": round((top - y - deck.size.height / 2) * scale, 2),
            "z": number,
        })  # fmt: skip
    return found


def _cards(table: Stock) -> list[tuple[Deck, Piece, float, float]]:
    """Every piece on the table and where its middle is, mm; a bag's lie where the bag would."""
    found = []
    for thing in table.things:
        spot = table.spots[thing.id]
        for piece, copies in thing.pieces:
            found += [(thing.deck, piece, spot.x, spot.y)] * copies
        for marker in thing.markers:
            right, up = marker.x - thing.deck.size.width / 2, thing.deck.size.height / 2 - marker.y
            sign = -1 if spot.turn else 1
            found.append((marker.deck, marker.piece, spot.x + sign * right, spot.y + sign * up))
    return found


def _deck(
    deck: Deck, faces: Pairs, names: dict[str, str], drawn: dict[str, Drawn], scale: float
) -> dict[str, Any]:
    width, height = round(deck.size.width * scale, 2), round(deck.size.height * scale, 2)

    def template(value: str) -> dict[str, Any]:
        return {
            "includeBorder": False,
            "includeRadius": bool(deck.corner),
            "objects": [{
                "type": "image", "value": value, "valueType": "dynamic",
                "x": 0, "y": 0, "w": width, "h": height,
            }],
        }  # fmt: skip

    types = {
        piece.id: {
            "face": _asset(drawn[faces[piece.id][0].id]),
            "back": _asset(drawn[faces[piece.id][1].id]),
            "label": names[piece.id],
        }
        for piece in deck.pieces
        if piece.id in faces
    }
    return {
        "id": f"deck-{deck.id}",
        "type": "cardDeck",
        "cardTypes": types,
        "faceTemplate": template("face"),
        "backTemplate": template("back"),
        "cardWidth": width,
        "cardHeight": height,
    }


def _labels(job: Job, deck: Deck, language: str) -> dict[str, str]:
    return {piece.id: descriptions.nickname(piece, job.game, language) for piece in deck.pieces}


def _asset(each: Drawn) -> str:
    return f"package://{_ASSETS}/{each.name}"


def _make_one(recipe: Recipe) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as package:
        _add(package, "widgets.json", recipe.widgets)
        for name, path in recipe.assets:
            _add(package, f"{_ASSETS}/{name}", read(path))
    return out.getvalue()


def _add(package: zipfile.ZipFile, name: str, data: bytes) -> None:
    """A file of the zip, the same bytes whenever it is made."""
    entry = zipfile.ZipInfo(name, _ZIP_TIME)
    entry.external_attr = 0o644 << 16
    package.writestr(entry, data)


class PlayingCards(Output[Recipe]):
    """The room of every language."""

    of_table = True
    reads = ("tables.png",)

    def prepare(self, job: Job) -> list[Problem]:
        """Draw every face by itself: the widgets name them by what they hold."""
        tables = [_table(job, language) for language in job.languages]
        pictures.draw(job, [picture for _, faces in tables for picture in _all(faces)])
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`playingcards/<game>.pcio`, for every language."""
        artefacts = []
        for language in job.languages:
            table, faces = _table(job, language)
            drawn = pictures.drawn(job, _all(faces))
            widgets = _widgets(job, table, faces, drawn)
            data = json.dumps(widgets, ensure_ascii=False, indent=1).encode()
            assets = sorted({(each.name, each.path) for each in drawn.values()})
            key = digest_of([data, *(name for name, _ in assets)])
            path = f"{language}/playingcards/{safe_name(job.game.id)}{job.part}.pcio"
            artefacts.append(Artefact(path, key, Recipe(data, tuple(assets)), language))
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The packages of the recipes."""
        return [_make_one(recipe) for recipe in recipes]

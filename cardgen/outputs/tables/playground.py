"""Tabletop Playground: a package folder with sheets of faces and a template for every deck."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of, read
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.tables import descriptions, pictures, table_contents
from cardgen.outputs.tables.pictures import Drawn
from cardgen.outputs.tables.save import safe_name
from cardgen.outputs.tables.table_contents import Sheets

_SHARED_BACK, _BACK_SHEET, _HIDDEN_BY_BACK = -2, -3, -3
_THICKNESS_CM = 0.05


@dataclass(frozen=True)
class Recipe:
    """A file as it is, or one out of the store."""

    data: bytes = b""
    path: Path | None = None


def _decks(job: Job, language: str) -> list[tuple[Deck, Sheets]]:
    return [(deck, table_contents.sheets(job, deck, language)) for deck in job.decks]


def _package(
    job: Job, language: str, decks: list[tuple[Deck, Sheets]], drawn: dict[str, Drawn]
) -> list[Artefact[Recipe]]:
    base = f"{language}/tabletop-playground/{safe_name(job.game.id)}-{language}"
    manifest = {
        "Name": f"{descriptions.plain(job.game.title[language], job.game, language)} ({language})",
        "Version": job.game.edition or "1",
        "GUID": _guid(job, language, "package"),
    }
    files = {f"{base}/Manifest.json": manifest}
    for deck, sheets in decks:
        for number in range(len(sheets.fronts)):
            name = f"{deck.id}-{number + 1}" if len(sheets.fronts) > 1 else deck.id
            template = _template(job, language, sheets, number, drawn)
            files[f"{base}/Templates/{name}{job.some}.json"] = template
    found = [_json(path, value, language) for path, value in files.items()]
    textures = {drawn[p.id].name: drawn[p.id] for _, s in decks for p in s.pictures}
    found += [
        Artefact(f"{base}/Textures/{name}", name, Recipe(path=each.path), language)
        for name, each in textures.items()
    ]
    return found


def _template(
    job: Job, language: str, sheets: Sheets, number: int, drawn: dict[str, Drawn]
) -> dict[str, Any]:
    deck, sheet = sheets.atlas.deck, sheets.atlas.sheets[number]
    pieces = [
        (piece, cell)
        for piece in deck.pieces
        if piece.id in sheets.atlas.cells
        for of, cell in [sheets.atlas.cells[piece.id]]
        if of == number
    ]
    names = {str(cell): descriptions.nickname(piece, job.game, language) for piece, cell in pieces}
    return {
        "Type": "Card",
        "GUID": _guid(job, language, f"{deck.id} {number}{job.some}"),
        "Name": descriptions.plain(deck.title[language], job.game, language),
        "FrontTexture": drawn[sheets.fronts[number].id].name,
        "BackTexture": drawn[sheets.backs[number].id].name,
        "BackIndex": _BACK_SHEET if sheet.unlike else _SHARED_BACK,
        "HiddenIndex": _HIDDEN_BY_BACK,
        "NumHorizontal": sheet.grid.columns,
        "NumVertical": sheet.grid.rows,
        "Width": round(deck.size.width / 10, 4),
        "Height": round(deck.size.height / 10, 4),
        "Thickness": _THICKNESS_CM,
        "Model": "Rounded",
        "Indices": [cell for piece, cell in pieces for _ in range(piece.copies)],
        "CardNames": names,
    }


def _guid(job: Job, language: str, what: str) -> str:
    return sha256(f"{job.game.id} {language} {what}".encode()).hexdigest()[:32].upper()


def _json(path: str, value: dict[str, Any], language: str) -> Artefact[Recipe]:
    data = (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
    return Artefact(path, digest_of([data]), Recipe(data), language)


class Playground(Output[Recipe]):
    """The package of every language."""

    batch = 8
    of_table = True
    reads = ("tables.sheet_px", "tables.png")

    def prepare(self, job: Job) -> list[Problem]:
        """Draw the sheets of faces: the templates name them by what they hold."""
        found = [sheets for language in job.languages for _, sheets in _decks(job, language)]
        pictures.draw(job, [picture for sheets in found for picture in sheets.pictures])
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`tabletop-playground/<game>/` with Manifest.json, Textures/ and Templates/, by
        language."""
        artefacts: list[Artefact[Recipe]] = []
        for language in job.languages:
            decks = _decks(job, language)
            drawn = pictures.drawn(job, [p for _, sheets in decks for p in sheets.pictures])
            artefacts += _package(job, language, decks, drawn)
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The files of the recipes."""
        return [read(recipe.path) if recipe.path else recipe.data for recipe in recipes]

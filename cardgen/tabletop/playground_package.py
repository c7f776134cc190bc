"""Package for Tabletop Playground: sheets of faces and a template for every deck."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from cardgen.core.problems import Problem
from cardgen.game.model import Deck
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.tabletop import card_descriptions, face_atlas, table_contents
from cardgen.tabletop.face_atlas import StoredPicture
from cardgen.tabletop.table_contents import AtlasPictures
from cardgen.tabletop.tts_save import sanitise_name

_SHARED_BACK, _BACK_SHEET, _HIDDEN_BY_BACK = -2, -3, -3
_THICKNESS_CM = 0.05


def _list_deck_atlases(job: Job, language: str) -> list[tuple[Deck, AtlasPictures]]:
    return [(deck, table_contents.build_atlas_pictures(job, deck, language)) for deck in job.decks]


def _plan_package(
    job: Job,
    language: str,
    decks: list[tuple[Deck, AtlasPictures]],
    drawn: dict[str, StoredPicture],
) -> list[Artefact[FileContent]]:
    base = f"{language}/tabletop-playground/{sanitise_name(job.game.id)}-{language}"
    manifest = {
        "Name": f"{card_descriptions.strip_markup(job.game.title[language], job.game, language)} ({language})",
        "Version": job.game.edition or "1",
        "GUID": _compute_guid(job, language, "package"),
    }
    files = {f"{base}/Manifest.json": manifest}
    for deck, sheets in decks:
        for number in range(len(sheets.fronts)):
            name = f"{deck.id}-{number + 1}" if len(sheets.fronts) > 1 else deck.id
            template = _build_template(job, language, sheets, number, drawn)
            files[f"{base}/Templates/{name}{job.selection_suffix}.json"] = template
    found = [_plan_json_file(path, value, language) for path, value in files.items()]
    textures = {drawn[p.id].name: drawn[p.id] for _, s in decks for p in s.pictures}
    found += [
        Artefact(f"{base}/Textures/{name}", FileContent(path=each.path), language)
        for name, each in textures.items()
    ]
    return found


def _build_template(
    job: Job, language: str, sheets: AtlasPictures, number: int, drawn: dict[str, StoredPicture]
) -> dict[str, Any]:
    deck, sheet = sheets.atlas.deck, sheets.atlas.sheets[number]
    pieces = [
        (piece, cell)
        for piece in deck.pieces
        if piece.id in sheets.atlas.cells
        for of, cell in [sheets.atlas.cells[piece.id]]
        if of == number
    ]
    names = {
        str(cell): card_descriptions.format_nickname(piece, job.game, language)
        for piece, cell in pieces
    }
    return {
        "Type": "Card",
        "GUID": _compute_guid(job, language, f"{deck.id} {number}{job.selection_suffix}"),
        "Name": card_descriptions.strip_markup(deck.title[language], job.game, language),
        "FrontTexture": drawn[sheets.fronts[number].id].name,
        "BackTexture": drawn[sheets.backs[number].id].name,
        "BackIndex": _BACK_SHEET if sheet.has_unique_backs else _SHARED_BACK,
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


def _compute_guid(job: Job, language: str, what: str) -> str:
    return sha256(f"{job.game.id} {language} {what}".encode()).hexdigest()[:32].upper()


def _plan_json_file(path: str, value: dict[str, Any], language: str) -> Artefact[FileContent]:
    data = (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
    return Artefact(path, FileContent(data), language)


class TabletopPlayground(Output[FileContent]):
    """A package for every language."""

    batch_size = 8

    def prepare(self, job: Job) -> list[Problem]:
        """Draw the sheets, which the templates name by their content."""
        found = [
            sheets for language in job.languages for _, sheets in _list_deck_atlases(job, language)
        ]
        face_atlas.draw_missing_pictures(
            job, [picture for sheets in found for picture in sheets.pictures]
        )
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[FileContent]], list[Problem]]:
        """Plan `tabletop-playground/<game>-<language>/` with Manifest.json, Textures/ and
        Templates/."""
        artefacts: list[Artefact[FileContent]] = []
        for language in job.languages:
            decks = _list_deck_atlases(job, language)
            drawn = face_atlas.load_pictures(
                job, [p for _, sheets in decks for p in sheets.pictures]
            )
            artefacts += _plan_package(job, language, decks, drawn)
        return artefacts, []

    def make(self, recipes: Sequence[FileContent]) -> list[bytes]:
        """Return the files of the recipes."""
        return [recipe.read_bytes() for recipe in recipes]

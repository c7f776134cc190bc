"""Package for Tabletop Playground: sheets of faces and a template for every deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.csv_tables import guard_formulas
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.outputs.single_cards import encode_csv
from cardgen.runtime.safe_files import make_file_name
from cardgen.tabletop import face_atlas, table_contents
from cardgen.tabletop.face_atlas import Atlas, AtlasGrid, PictureRecipe, TablePicture
from cardgen.tabletop.tts_save import encode_json

_SHARED_BACK, _BACK_SHEET, _HIDDEN_BY_BACK = -2, -3, -3
_THICKNESS_CM = 0.05


def _list_atlases(job: Job, language: str) -> list[Atlas]:
    return [face_atlas.build_atlas(job, deck, language) for deck in job.decks]


def _list_pictures(atlases: Iterable[Atlas]) -> list[TablePicture]:
    return [picture for atlas in atlases for picture in atlas.pictures]


def _plan_package(job: Job, language: str) -> list[Artefact[FileContent]]:
    atlases = _list_atlases(job, language)
    pictures = face_atlas.load_pictures(job, _list_pictures(atlases))
    base = f"{language}/tabletop-playground/{make_file_name(job.game.id)}-{language}"
    title = table_contents.strip_markup(job.game.title[language], job.game, language)
    files = {
        "Manifest": {
            "Name": f"{title} ({language})",
            "Version": job.game.edition or "1",
            "GUID": _compute_guid(job, language, "package"),
        }
    }
    for atlas in atlases:
        for number in range(len(atlas.sheets)):
            name = f"{atlas.deck.id}-{number + 1}" if len(atlas.sheets) > 1 else atlas.deck.id
            template = _build_template(job, language, atlas, number, pictures)
            files[f"Templates/{name}{job.selection_suffix}"] = template
    found = [
        Artefact(f"{base}/{name}.json", FileContent(encode_json(value)), language)
        for name, value in files.items()
    ]
    textures = {path.name: path for path in pictures.values()}
    found += [
        Artefact(f"{base}/Textures/{name}", FileContent(path=path), language)
        for name, path in textures.items()
    ]
    return found


def _build_template(
    job: Job, language: str, atlas: Atlas, number: int, pictures: Mapping[str, Path]
) -> dict[str, Any]:
    deck, sheet = atlas.deck, atlas.sheets[number]
    cells = {id_: cell for id_, (of, cell) in atlas.cells.items() if of == number}
    pieces = [(piece, cells[piece.id]) for piece in deck.pieces if piece.id in cells]
    return {
        "Type": "Card",
        "GUID": _compute_guid(job, language, f"{deck.id} {number}{job.selection_suffix}"),
        "Name": table_contents.strip_markup(deck.title[language], job.game, language),
        "FrontTexture": pictures[sheet.front.id].name,
        "BackTexture": pictures[sheet.back.id].name,
        "BackIndex": _BACK_SHEET if sheet.has_unique_backs else _SHARED_BACK,
        "HiddenIndex": _HIDDEN_BY_BACK,
        "NumHorizontal": sheet.grid.columns, "NumVertical": sheet.grid.rows,
        "Width": round(deck.size.width / 10, 4), "Height": round(deck.size.height / 10, 4),
        "Thickness": _THICKNESS_CM, "Model": "Rounded",
        "Indices": [cell for piece, cell in pieces for _ in range(piece.copies)],
        "CardNames": {
            str(cell): table_contents.format_nickname(piece, job.game, language)
            for piece, cell in pieces
        },
    }  # fmt: skip


def _compute_guid(job: Job, language: str, what: str) -> str:
    return sha256(f"{job.game.id} {language} {what}".encode()).hexdigest()[:32].upper()


class TabletopPlayground(Output[FileContent]):
    """A package for every language."""

    batch_size = 8

    def prepare(self, job: Job) -> list[Problem]:
        """Draw the sheets, which the templates name by their content."""
        atlases = [each for language in job.languages for each in _list_atlases(job, language)]
        face_atlas.draw_missing_pictures(job, _list_pictures(atlases))
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[FileContent]], list[Problem]]:
        """Plan `tabletop-playground/<game>-<language>/` with Manifest.json, Textures/ and
        Templates/."""
        return [each for code in job.languages for each in _plan_package(job, code)], []

    def make_file(self, recipe: FileContent) -> bytes:
        """Return the file of a recipe."""
        return recipe.read_bytes()


FOLDER_COLUMNS = ("name", "deck", "copies", "front", "back")
_MAX_FACE_PX = 10_000


FolderRecipe = FileContent | PictureRecipe


def _format_picture_name(face: Face) -> str:
    return f"{face.deck.id}/{face.file_stem}.png"


def _plan_image(job: Job, face: Face) -> Artefact[FolderRecipe]:
    picture = face_atlas.build_face_picture(face.deck, face, "png", _MAX_FACE_PX)
    if job.options.width_px:
        size = face.deck.size
        height = max(1, round(job.options.width_px * size.height / size.width))
        picture = TablePicture(AtlasGrid(1, 1, job.options.width_px, height), picture.faces, "png")
    recipe = face_atlas.build_picture_recipe(job, picture)
    path = f"{face.language}/folder/{_format_picture_name(face)}"
    return Artefact(path, recipe, face.language)


def _write_manifest(job: Job, faces: list[Face], language: str) -> bytes:
    """Return the list with a line for each card. A one-sided card has no back."""
    names = {(face.deck.id, face.piece.id, face.side): _format_picture_name(face) for face in faces}
    rows = []
    for face in faces:
        deck, piece = face.deck.id, face.piece
        if face.side == "front":
            title = guard_formulas(table_contents.format_nickname(piece, job.game, language))
            back = names.get((deck, piece.id, "back"), "")
            rows.append((title, deck, piece.copies, _format_picture_name(face), back))
    return encode_csv(FOLDER_COLUMNS, rows)


class UploadFolder(Output[FolderRecipe]):
    """Images of all cards and the list of them."""

    batch_size = 12

    def plan(self, job: Job) -> tuple[list[Artefact[FolderRecipe]], list[Problem]]:
        """Plan `folder/<deck>/<card>.png`, `…-back.png` and `folder/cards.csv` for every
        language."""
        artefacts: list[Artefact[FolderRecipe]] = []
        for language in job.languages:
            faces = table_contents.list_faces(job, language)
            artefacts += [_plan_image(job, face) for face in faces]
            data = _write_manifest(job, faces, language)
            path = f"{language}/folder/cards{job.partial_suffix}.csv"
            artefacts.append(Artefact(path, FileContent(data), language))
        return artefacts, []

    def make_file(self, recipe: FolderRecipe) -> bytes:
        """Return the file of a recipe."""
        if isinstance(recipe, FileContent):
            return recipe.read_bytes()
        return face_atlas.draw_picture(recipe)

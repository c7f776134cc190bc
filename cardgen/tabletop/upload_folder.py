"""Folder for tables that take uploads: PNG images of one size a deck, and a CSV list of them."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.csv_tables import guard_formulas
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
from cardgen.outputs.single_cards import encode_csv
from cardgen.tabletop import card_descriptions, face_atlas, table_contents
from cardgen.tabletop.face_atlas import AtlasGrid, PictureRecipe, TablePicture

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
            title = guard_formulas(card_descriptions.format_nickname(piece, job.game, language))
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

    def make(self, recipes: Sequence[FolderRecipe]) -> list[bytes]:
        """Return the files of the recipes."""
        return [
            each.read_bytes() if isinstance(each, FileContent) else face_atlas.draw_picture(each)
            for each in recipes
        ]

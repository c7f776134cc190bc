"""A plain folder for tables that take uploads: PNGs of one size a deck, and a CSV of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from cardgen.core.problems import Problem
from cardgen.faces.model import Face
from cardgen.game.csv_tables import guard_formulas
from cardgen.outputs.contract import Artefact, FileContent, Job, Output
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
    """A line a card; a one-sided card has no back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(FOLDER_COLUMNS)
    names = {(face.deck.id, face.piece.id, face.side): _format_picture_name(face) for face in faces}
    for face in faces:
        if face.side == "front":
            piece = face.piece
            back = names.get((face.deck.id, piece.id, "back"), "")
            named = card_descriptions.format_nickname(piece, job.game, language)
            writer.writerow(
                [
                    guard_formulas(named),
                    face.deck.id,
                    piece.copies,
                    _format_picture_name(face),
                    back,
                ]
            )
    return out.getvalue().encode()


class UploadFolder(Output[FolderRecipe]):
    """The pictures of all cards, and the list of them."""

    batch_size = 12

    def plan(self, job: Job) -> tuple[list[Artefact[FolderRecipe]], list[Problem]]:
        """`folder/<deck>/<piece>.png` and `…-back.png`, and `folder/cards.csv`, for every
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
        """The files of the recipes."""
        return [
            each.read_bytes() if isinstance(each, FileContent) else face_atlas.draw_picture(each)
            for each in recipes
        ]

"""A plain folder for tables that take uploads: PNGs of one size a deck, and a CSV of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.base.problems import Problem
from cardgen.base.store import digest_of
from cardgen.faces.produce import Face
from cardgen.game.formulas import guarded
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.outputs.tables import descriptions, pictures, table_contents
from cardgen.outputs.tables.atlas import Grid
from cardgen.outputs.tables.pictures import Order, Picture

COLUMNS = ("name", "deck", "copies", "front", "back")
_MOST_PX = 10_000


@dataclass(frozen=True)
class Recipe:
    """A face to draw, or a file as it is."""

    order: Order | None = None
    data: bytes = b""


def _name(face: Face) -> str:
    return f"{face.deck.id}/{face.called}.png"


def _image(job: Job, face: Face) -> Artefact[Recipe]:
    picture = pictures.single(face.deck, face, "png", _MOST_PX)
    if job.options.width_px:
        size = face.deck.size
        height = max(1, round(job.options.width_px * size.height / size.width))
        picture = Picture(Grid(1, 1, job.options.width_px, height), picture.faces, "png")
    recipe = Recipe(pictures.order(job, picture))
    path = f"{face.language}/folder/{_name(face)}"
    return Artefact(path, pictures.key(job, picture), recipe, face.language)


def _manifest(job: Job, faces: list[Face], language: str) -> bytes:
    """A line a card; a one-sided card has no back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    names = {(face.deck.id, face.piece.id, face.side): _name(face) for face in faces}
    for face in faces:
        if face.side == "front":
            piece = face.piece
            back = names.get((face.deck.id, piece.id, "back"), "")
            named = descriptions.nickname(piece, job.game, language)
            writer.writerow([guarded(named), face.deck.id, piece.copies, _name(face), back])
    return out.getvalue().encode()


class Folder(Output[Recipe]):
    """The pictures of all cards, and the list of them."""

    batch = 12
    of_table = True
    reads = ("width_px",)

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`folder/<deck>/<piece>.png` and `…-back.png`, and `folder/cards.csv`, for every
        language."""
        artefacts: list[Artefact[Recipe]] = []
        for language in job.languages:
            faces = table_contents.faces_of(job, language)
            artefacts += [_image(job, face) for face in faces]
            data = _manifest(job, faces, language)
            path = f"{language}/folder/cards{job.part}.csv"
            artefacts.append(Artefact(path, digest_of([data]), Recipe(data=data), language))
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The files of the recipes."""
        return [pictures.paint(recipe.order) if recipe.order else recipe.data for recipe in recipes]

"""Tabletop Simulator: one Saved Object with the whole table, and its pictures."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cardgen.base import filing, paths
from cardgen.base.problems import Problem
from cardgen.base.store import digest_of, read
from cardgen.faces.produce import Face
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.outputs.tables import pictures, table_contents
from cardgen.outputs.tables.pictures import Order
from cardgen.outputs.tables.save import Made, base_url, safe_name, save
from cardgen.outputs.tables.table_contents import Stock

_FOLDER, _IMAGES = "tts", "tts/images"
_THUMBNAIL = 256


@dataclass(frozen=True)
class Recipe:
    """A file as it is, one out of the store, or the thumbnail of a face."""

    data: bytes = b""
    path: Path | None = None
    thumbnail: Order | None = None


def _tables(job: Job) -> list[Stock]:
    return [table_contents.stock(job, language, extras=True) for language in job.languages]


def _table(job: Job, table: Stock) -> list[Artefact[Recipe]]:
    language = table.language
    name = f"{safe_name(job.game.id)}{job.part}"
    drawn = pictures.drawn(job, table_contents.pictures_of([table], job))
    used = {each.name: each for each in drawn.values()}.values()
    images = [
        Artefact(f"{language}/{_IMAGES}/{each.name}", each.name, Recipe(path=each.path), language)
        for each in used
    ]
    book = _rulebook(job, language)
    base = base_url(job, job.folder / language / _IMAGES)
    made = Made(drawn, base, PurePosixPath(book.path).name if book else "")
    data = save(job, table, made)
    key = digest_of([data])
    found = [Artefact(f"{language}/{_FOLDER}/{name}.json", key, Recipe(data), language), *images]
    face = _cover(table_contents.faces_of(job, language))
    if face:
        found.append(_thumbnail(job, face, f"{language}/{_FOLDER}/{name}.png"))
    return [*found, *([book] if book else [])]


def _rulebook(job: Job, language: str) -> Artefact[Recipe] | None:
    """The rulebook, when it has been made."""
    try:
        data = filing.read(job.folder, f"{language}/rulebook.pdf", paths.MAX_BYTES)
    except paths.Unreadable:
        return None
    digest = hashlib.sha256(data).hexdigest()[:20]
    target = f"{language}/{_IMAGES}/{digest}.pdf"
    return Artefact(target, f"{digest}.pdf", Recipe(data), language)


def _cover(faces: list[Face]) -> Face | None:
    """The face on the thumbnail: the first back, or the first front of a game without backs."""
    return next((face for face in faces if face.side == "back"), faces[0] if faces else None)


def _thumbnail(job: Job, face: Face, path: str) -> Artefact[Recipe]:
    picture = pictures.single(face.deck, face, "png", _THUMBNAIL)
    key = key_of([face], job.faces, "thumbnail", picture.grid)
    recipe = Recipe(thumbnail=pictures.order(job, picture))
    return Artefact(path, key, recipe, face.language)


def _make_one(recipe: Recipe) -> bytes:
    if recipe.path is not None:
        return read(recipe.path)
    if recipe.thumbnail is not None:
        from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where pictures are made

        return raster.centred(pictures.render(recipe.thumbnail), _THUMBNAIL)
    return recipe.data


class Tts(Output[Recipe]):
    """The save, its thumbnail and its pictures."""

    batch = 8
    of_table = True
    last = True
    reads = ("tables",)

    def prepare(self, job: Job) -> list[Problem]:
        """Draw the sheets of faces and the tiles: the save names them by what they hold."""
        pictures.draw(job, table_contents.pictures_of(_tables(job), job))
        return []

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`tts/<game>.json` with a thumbnail and `tts/images/`, for every language.

        The rulebook that was published lies beside the pictures, named by what it holds, too.
        """
        artefacts: list[Artefact[Recipe]] = []
        for table in _tables(job):
            artefacts += _table(job, table)
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The files of the recipes."""
        return [_make_one(recipe) for recipe in recipes]

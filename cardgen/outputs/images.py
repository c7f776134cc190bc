"""Card images: every face as PNG."""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.artefacts import Artefact, Job, face_pdf, key_of
from cardgen.fontfiles import Cut
from cardgen.outline import PLAIN, Form
from cardgen.pdf.facepdf import FacePdf
from cardgen.problems import Problem

BATCH = 24


@dataclass(frozen=True)
class Recipe:
    """One image. `edge` (mm) is what is cut off on every side, `form` what to cut to."""

    face: FacePdf
    cuts: tuple[Cut, ...]
    dpi: int
    edge: float
    form: Form


def plan(job: Job) -> tuple[list[Artefact], list[Problem]]:
    """`images/<deck>/<piece>.png` and `…-back.png`, for every language."""
    artefacts = []
    options = job.options
    wanted = {deck.id for deck in job.decks}
    for face in job.faces.faces:
        deck = face.deck
        if deck.id not in wanted or face.language not in job.languages:
            continue
        edge = 0.0 if options.bleed else deck.bleed
        form = deck.form if options.rounded and not options.bleed else PLAIN
        recipe = Recipe(face_pdf(face, job.store), job.cuts, options.dpi, edge, form)
        key = key_of([face], job.faces, "png", options.dpi, edge, form)
        suffix = "-back" if face.side == "back" else ""
        path = f"{face.language}/images/{deck.id}/{face.piece.id}{suffix}.png"
        artefacts.append(Artefact(path, key, recipe, face.language))
    return artefacts, []


def make(recipes: list[Recipe]) -> list[bytes]:
    """The PNGs of the recipes, all faces drawn from one document."""
    from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where images are made
    from cardgen.pdf.compose import Composer  # noqa: PLC0415

    if not recipes:
        return []
    composer = Composer(recipes[0].cuts)
    for recipe in recipes:
        face = recipe.face
        composer.page(face.width, face.height, b"/F Do", {"F": composer.form(face)})
    dpi = recipes[0].dpi

    def _crop(recipe: Recipe) -> raster.Crop:
        face, cut = recipe.face, 2 * recipe.edge
        return raster.Crop(face.width - cut, face.height - cut, recipe.form)

    drawn = raster.pages(composer.save("faces", "en"), dpi)
    return [
        raster.png(image, dpi, _crop(recipe)) for recipe, image in zip(recipes, drawn, strict=True)
    ]

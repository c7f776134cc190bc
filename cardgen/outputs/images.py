"""Card images: every face as PNG, JPEG or WebP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.assets.fontfiles import Cut
from cardgen.base.problems import Problem
from cardgen.base.units import MM_PER_INCH
from cardgen.faces.face_pdfs import face_pdf
from cardgen.game.shapes import PLAIN, Form
from cardgen.outputs.contract import Artefact, Job, Output, key_of
from cardgen.pdf.face_file import FacePdf

_ENDINGS = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """One image. `edge` (mm) is what is cut off on every side, `form` what to cut to."""

    face: FacePdf
    cuts: tuple[Cut, ...]
    dpi: float
    edge: float
    form: Form
    image_format: str


class Images(Output[Recipe]):
    """A picture of every face."""

    batch = 24
    reads = ("dpi", "bleed", "rounded", "image_format", "width_px")

    def plan(self, job: Job) -> tuple[list[Artefact[Recipe]], list[Problem]]:
        """`images/<deck>/<piece>.png` and `…-back.png`, for every language; or .jpg, .webp."""
        artefacts = []
        options = job.options
        for face in job.faces.faces:
            deck = face.deck
            if not job.shows(face):
                continue
            edge = 0.0 if options.bleed else deck.bleed
            form = deck.form if options.rounded and not options.bleed else PLAIN
            dpi = float(options.dpi)
            if options.width_px:
                dpi = options.width_px * MM_PER_INCH / deck.size.width
            kind = options.image_format
            recipe = Recipe(face_pdf(face, job.store), job.cuts, dpi, edge, form, kind)
            key = key_of([face], job.faces, kind, dpi, edge, form)
            path = f"{face.language}/images/{deck.id}/{face.called}{_ENDINGS[kind]}"
            artefacts.append(Artefact(path, key, recipe, face.language))
        return artefacts, []

    def make(self, recipes: Sequence[Recipe]) -> list[bytes]:
        """The images of the recipes, all faces drawn from one document."""
        from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where images are made
        from cardgen.pdf.compose import Composer  # noqa: PLC0415

        if not recipes:
            return []
        composer = Composer(recipes[0].cuts)
        for recipe in recipes:
            face = recipe.face
            composer.page(face.width, face.height, b"/F Do", {"F": composer.form(face)})

        def _crop(recipe: Recipe) -> raster.Crop:
            face, cut = recipe.face, 2 * recipe.edge
            return raster.Crop(face.width - cut, face.height - cut, recipe.form)

        drawn = raster.each(composer.save("faces", "en"), [recipe.dpi for recipe in recipes])
        return [
            raster.image_file(image, recipe.dpi, _crop(recipe), recipe.image_format)
            for recipe, image in zip(recipes, drawn, strict=True)
        ]

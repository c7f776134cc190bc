"""Card images: every face as PNG, JPEG or WebP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import Problem
from cardgen.core.units import MM_PER_INCH
from cardgen.faces.model import get_face_pdf
from cardgen.game.shapes import PLAIN_FORM, PieceForm
from cardgen.outputs.contract import Artefact, Job, Output
from cardgen.pdf.face_file import FacePdf

_EXTENSIONS = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}


@dataclass(frozen=True, slots=True)
class ImageRecipe:
    """One image. `edge` mm are cut off on every side, then the image is cut to `form`."""

    face: FacePdf
    font_files: tuple[FontFile, ...]
    dpi: float
    edge: float
    form: PieceForm
    image_format: str


class CardImages(Output[ImageRecipe]):
    """An image of every selected face."""

    batch_size = 24

    def plan(self, job: Job) -> tuple[list[Artefact[ImageRecipe]], list[Problem]]:
        """Plan `images/<deck>/<card>.png` and `…-back.png` for every language, or .jpg, .webp."""
        artefacts = []
        options = job.options
        for face in job.faces.faces:
            deck = face.deck
            if not job.includes_face(face):
                continue
            edge = 0.0 if options.bleed else deck.bleed
            form = deck.form if options.rounded and not options.bleed else PLAIN_FORM
            dpi = float(options.dpi)
            if options.width_px:
                dpi = options.width_px * MM_PER_INCH / deck.size.width
            kind = options.image_format
            recipe = ImageRecipe(
                get_face_pdf(face, job.store), job.font_files, dpi, edge, form, kind
            )
            path = f"{face.language}/images/{deck.id}/{face.file_stem}{_EXTENSIONS[kind]}"
            artefacts.append(Artefact(path, recipe, face.language))
        return artefacts, []

    def make(self, recipes: Sequence[ImageRecipe]) -> list[bytes]:
        """Return the images of the recipes. One PDF with all faces is rasterised."""
        from cardgen.pdf import raster  # noqa: PLC0415 - loaded only where images are made
        from cardgen.pdf.composition import Composer  # noqa: PLC0415

        if not recipes:
            return []
        composer = Composer(recipes[0].font_files)
        for recipe in recipes:
            face = recipe.face
            composer.add_page(face.width, face.height, b"/F Do", {"F": composer.add_face(face)})

        def make_crop(recipe: ImageRecipe) -> raster.ImageCrop:
            face, cut = recipe.face, 2 * recipe.edge
            return raster.ImageCrop(face.width - cut, face.height - cut, recipe.form)

        drawn = raster.rasterise_each(
            composer.save("faces", "en"), [recipe.dpi for recipe in recipes], raster.FINE_DPI
        )
        return [
            raster.encode_cropped(image, recipe.dpi, make_crop(recipe), recipe.image_format)
            for recipe, image in zip(recipes, drawn, strict=True)
        ]

"""Pictures of faces for the screen: the PDFs that are printed, drawn at the screen's resolution.

Called in a helper process of its own, so that pictures come while the press is at work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.base import guard, paths
from cardgen.base.store import Damaged, read
from cardgen.base.units import MM_PER_INCH, points
from cardgen.pdf import raster
from cardgen.pdf.compose import Composer
from cardgen.pdf.face_file import FacePdf, Layer
from cardgen.pdf.inks import FULL, Ink
from cardgen.preview.seen import Recipe

_SECONDS = 20.0
_MOST_PIXELS = 40e6
"""Of a picture: one that would have more is drawn smaller."""


@dataclass(frozen=True)
class Drawing:
    """A picture that is asked for: so many px wide, with its bleed or trimmed, in the colours that
    sheets have with that ink, and with what is drawn over it, if anything."""

    recipe: Recipe
    width: int
    bleed: bool = False
    ink: Ink = FULL
    layer: Layer | None = None


@dataclass(frozen=True)
class PageDrawing:
    """A page, from 0, of a set PDF in the store, so many px wide."""

    path: Path
    number: int
    width: int


def draw(asked: Drawing) -> bytes | None:
    """The picture as PNG, of no more pixels than are of use; None when the store does not hold the
    face any more. Raises `Stopped`."""
    face = present(asked.recipe.face)
    cut = 0.0 if asked.bleed else face.bleed
    width, height = face.width - 2 * cut, face.height - 2 * cut
    px = min(asked.width, max(1, int((_MOST_PIXELS * width / height) ** 0.5)))
    try:
        with guard.at(f"the picture of {face.key}", _SECONDS):
            # The fonts of one face are subsets already; only the icons are drawn anew.
            composer = Composer(asked.recipe.icons, ink=asked.ink)
            form = composer.form(replace(face, layer=asked.layer))
            shift = f"1 0 0 1 {-points(cut):.4f} {-points(cut):.4f} cm /F Do"
            composer.page(width, height, shift.encode(), {"F": form})
            pdf = composer.save("face", "en")
            image = next(raster.pages(pdf, px / width * MM_PER_INCH))
            return raster.quick(image)
    except Damaged:
        return None


def draw_page(asked: PageDrawing) -> bytes | None:
    """The page as PNG; None when the store does not hold it any more. Raises `Stopped`."""
    try:
        with guard.at(f"the picture of page {asked.number + 1}", _SECONDS):
            image = raster.page(read(asked.path), asked.number, asked.width)
    except Damaged:
        return None
    return None if image is None else raster.quick(image)


def present(face: FacePdf) -> FacePdf:
    """The face with those of its drawings that the store holds: of one that failed, the place
    stays empty."""
    return replace(face, art={name: path for name, path in face.art.items() if is_there(path)})


def is_there(path: Path) -> bool:
    """Whether the store holds a file."""
    try:
        paths.status(path, follow=False)
    except paths.Unreadable:
        return False
    return True

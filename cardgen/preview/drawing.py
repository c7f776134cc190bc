"""Pictures of faces for the screen: the PDFs that are printed, drawn at the screen's resolution.

Called in a helper process of its own, so that pictures come while the press is at work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.base import guard, paths
from cardgen.base.store import Damaged
from cardgen.base.units import MM_PER_INCH, points
from cardgen.pdf import raster
from cardgen.pdf.compose import Composer
from cardgen.pdf.inks import FULL, Ink
from cardgen.preview.seen import Recipe

_SECONDS = 20.0


@dataclass(frozen=True)
class Drawing:
    """A picture that is asked for: so many px wide, with its bleed or trimmed, in the colours that
    sheets have with that ink."""

    recipe: Recipe
    width: int
    bleed: bool = False
    ink: Ink = FULL


def draw(asked: Drawing) -> bytes | None:
    """The picture as PNG; None when the store does not hold the face any more. Raises `Stopped`."""
    face = asked.recipe.face
    drawn = {name: path for name, path in face.art.items() if _is_there(path)}
    cut = 0.0 if asked.bleed else face.bleed
    width, height = face.width - 2 * cut, face.height - 2 * cut
    try:
        with guard.at(f"the picture of {face.key}", _SECONDS):
            # The fonts of one face are subsets already; only the icons are drawn anew.
            composer = Composer(asked.recipe.icons, ink=asked.ink)
            form = composer.form(replace(face, art=drawn))
            shift = f"1 0 0 1 {-points(cut):.4f} {-points(cut):.4f} cm /F Do"
            composer.page(width, height, shift.encode(), {"F": form})
            pdf = composer.save("face", "en")
            image = next(raster.pages(pdf, asked.width / width * MM_PER_INCH))
            return raster.quick(image)
    except Damaged:
        return None


def _is_there(path: Path) -> bool:
    """Whether the store holds a drawing: one that failed leaves its place empty."""
    try:
        paths.status(path, follow=False)
    except paths.Unreadable:
        return False
    return True

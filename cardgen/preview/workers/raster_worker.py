"""Pictures of faces for the screen: the PDFs that are printed, drawn at the screen's resolution.

Called in a helper process of its own, so that pictures come while the press is at work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.units import MM_PER_INCH, convert_to_points
from cardgen.pdf import raster
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import DraftLayer, FacePdf
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.preview.messages import FacePictureRecipe
from cardgen.runtime import game_files
from cardgen.runtime.content_store import DamagedEntryError, read_entry

FACE_DRAW_SECONDS = 20.0
MAX_PICTURE_PIXELS = 40e6
"""Of a picture: one that would have more is drawn smaller."""


@dataclass(frozen=True)
class FacePictureRequest:
    """A picture that is asked for: so many px wide, with its bleed or trimmed, in the colours that
    sheets have with that ink, and with what is drawn over it, if anything."""

    recipe: FacePictureRecipe
    width: int
    bleed: bool = False
    ink: InkMode = FULL_INK
    layer: DraftLayer | None = None


@dataclass(frozen=True)
class BookPageRequest:
    """A page, from 0, of a set PDF in the store, so many px wide."""

    path: Path
    number: int
    width: int


def draw_face(asked: FacePictureRequest) -> bytes | None:
    """The picture as PNG, of no more pixels than are of use; None when the store does not hold the
    face any more. Raises `Stopped`."""
    face = drop_missing_art(asked.recipe.face)
    cut = 0.0 if asked.bleed else face.bleed
    width, height = face.width - 2 * cut, face.height - 2 * cut
    px = min(asked.width, max(1, int((MAX_PICTURE_PIXELS * width / height) ** 0.5)))
    try:
        with work_limits.work_limit(f"the picture of {face.key}", FACE_DRAW_SECONDS):
            # The fonts of one face are subsets already; only the icons are drawn anew.
            composer = Composer(asked.recipe.icons, ink=asked.ink)
            form = composer.add_face(replace(face, layer=asked.layer))
            shift = f"1 0 0 1 {-convert_to_points(cut):.4f} {-convert_to_points(cut):.4f} cm /F Do"
            composer.add_page(width, height, shift.encode(), {"F": form})
            pdf = composer.save("face", "en")
            image = next(raster.rasterise_pages(pdf, px / width * MM_PER_INCH))
            return raster.encode_quick_png(image)
    except DamagedEntryError:
        return None


def draw_book_page(asked: BookPageRequest) -> bytes | None:
    """The page as PNG; None when the store does not hold it any more. Raises `Stopped`."""
    try:
        with work_limits.work_limit(f"the picture of page {asked.number + 1}", FACE_DRAW_SECONDS):
            image = raster.rasterise_page(read_entry(asked.path), asked.number, asked.width)
    except DamagedEntryError:
        return None
    return None if image is None else raster.encode_quick_png(image)


def drop_missing_art(face: FacePdf) -> FacePdf:
    """The face with those of its drawings that the store holds: of one that failed, the place
    stays empty."""
    return replace(face, art={name: path for name, path in face.art.items() if is_stored(path)})


def is_stored(path: Path) -> bool:
    """Whether the store holds a file."""
    try:
        game_files.stat_file(path, follow=False)
    except game_files.UnreadableError:
        return False
    return True

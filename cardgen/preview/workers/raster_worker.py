"""Worker that rasterises the printed PDFs of faces and book pages for the screen.

It is a process of its own, so that pictures are drawn while others are typeset.
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
"""Larger pictures are drawn smaller."""


@dataclass(frozen=True)
class FacePictureRequest:
    """A picture to draw: width in px, with bleed or trimmed, in the colours of an ink mode, and
    with marks drawn over it."""

    recipe: FacePictureRecipe
    width: int
    bleed: bool = False
    ink: InkMode = FULL_INK
    layer: DraftLayer | None = None


@dataclass(frozen=True)
class BookPageRequest:
    """A page, counted from 0, of a PDF in the store; the width is in px."""

    path: Path
    number: int
    width: int


def draw_face(wanted: FacePictureRequest) -> bytes | None:
    """Return a face as PNG; None when it is no longer in the store."""
    face = drop_missing_art(wanted.recipe.face)
    trimmed = 0.0 if wanted.bleed else face.bleed
    width, height = face.width - 2 * trimmed, face.height - 2 * trimmed
    px = min(wanted.width, max(1, int((MAX_PICTURE_PIXELS * width / height) ** 0.5)))
    try:
        with work_limits.work_limit(f"the picture of {face.key}", FACE_DRAW_SECONDS):
            # A face's text fonts are subsets already; only the icon fonts are subset again.
            composer = Composer(wanted.recipe.icons, ink=wanted.ink)
            form = composer.add_face(replace(face, layer=wanted.layer))
            shift = -convert_to_points(trimmed)
            content = f"1 0 0 1 {shift:.4f} {shift:.4f} cm /F Do"
            composer.add_page(width, height, content.encode(), {"F": form})
            pdf = composer.save("face", "en")
            image = next(raster.rasterise_pages(pdf, px / width * MM_PER_INCH))
            return raster.encode_quick_png(image)
    except DamagedEntryError:
        return None


def draw_book_page(wanted: BookPageRequest) -> bytes | None:
    """Return a page as PNG; None when the PDF is no longer in the store."""
    try:
        with work_limits.work_limit(f"the picture of page {wanted.number + 1}", FACE_DRAW_SECONDS):
            image = raster.rasterise_page(read_entry(wanted.path), wanted.number, wanted.width)
    except DamagedEntryError:
        return None
    return None if image is None else raster.encode_quick_png(image)


def drop_missing_art(face: FacePdf) -> FacePdf:
    """Leave out art that is not in the store because drawing it failed."""
    return replace(face, art={name: path for name, path in face.art.items() if is_stored(path)})


def is_stored(path: Path) -> bool:
    """Tell whether a file exists."""
    try:
        game_files.stat_file(path, follow=False)
    except game_files.UnreadableError:
        return False
    return True

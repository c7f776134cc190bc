"""Worker that rasterises the printed PDFs of faces and book pages for the screen.

It is a process of its own, so that pictures are drawn while others are typeset.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.units import MM_PER_INCH, convert_to_points
from cardgen.pdf.face_file import DraftLayer, FacePdf
from cardgen.pdf.ink_modes import FULL_INK, InkMode
from cardgen.preview.messages import FacePictureRecipe
from cardgen.runtime import game_files
from cardgen.runtime.content_store import DamagedEntryError, read_entry

FACE_DRAW_SECONDS = 20.0
MAX_PICTURE_PIXELS = 40e6
"""Larger pictures are drawn smaller."""


def load_libraries(_: None = None) -> None:
    """Load what draws, before the first picture is wanted. The server never does."""
    from cardgen.pdf import composition, raster  # noqa: F401, PLC0415


def draw_face(
    recipe: FacePictureRecipe,
    width: int,
    bleed: bool = False,
    ink: InkMode = FULL_INK,
    layer: DraftLayer | None = None,
) -> bytes | None:
    """Return a face as PNG, `width` px wide; None when it is no longer in the store.

    It is drawn with bleed or trimmed, in the colours of an ink mode, and with marks over it.
    """
    from cardgen.pdf import raster  # noqa: PLC0415 - not in the server
    from cardgen.pdf.composition import Composer  # noqa: PLC0415

    face = drop_missing_art(recipe.face)
    trimmed = 0.0 if bleed else face.bleed
    mm_wide, mm_high = face.width - 2 * trimmed, face.height - 2 * trimmed
    px = min(width, max(1, int((MAX_PICTURE_PIXELS * mm_wide / mm_high) ** 0.5)))
    try:
        with work_limits.work_limit(f"the picture of {face.key}", FACE_DRAW_SECONDS):
            # A face's text fonts are subsets already; only the icon fonts are subset again.
            composer = Composer(recipe.icons, ink=ink)
            form = composer.add_face(replace(face, layer=layer))
            shift = -convert_to_points(trimmed)
            content = f"1 0 0 1 {shift:.4f} {shift:.4f} cm /F Do"
            composer.add_page(mm_wide, mm_high, content.encode(), {"F": form})
            pdf = composer.save("face", "en")
            return raster.encode_quick_png(
                next(raster.rasterise_pages(pdf, px / mm_wide * MM_PER_INCH, raster.FINE_DPI))
            )
    except DamagedEntryError:
        return None


def draw_book_page(path: Path, number: int, width: int) -> bytes | None:
    """Return a page, counted from 0, of a PDF in the store as PNG, `width` px wide; None when the
    PDF is no longer there."""
    from cardgen.pdf import raster  # noqa: PLC0415 - not in the server

    try:
        with work_limits.work_limit(f"the picture of page {number + 1}", FACE_DRAW_SECONDS):
            image = raster.rasterise_page(read_entry(path), number, width)
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

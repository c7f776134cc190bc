"""Sampling of pictures: colour and opacity at a point of a thumbnail."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from cardgen.assets import artwork, rasters
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic
from cardgen.core.work_limits import LimitExceededError
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store

_THUMBNAIL_PX = 96
Pixel = tuple[float, float, float, float]


def sample_pixel(art: Art, across: float, down: float) -> Pixel | None:
    """Return red, green, blue and opacity (0 to 1) at a point (0 to 1); None if undrawable."""
    image = _make_thumbnail(art)
    if image is None:
        return None
    x = min(image.width - 1, int(across * image.width))
    y = min(image.height - 1, int(down * image.height))
    red, green, blue, alpha = (part / 255 for part in image.getpixel((x, y)))
    return red, green, blue, alpha


@lru_cache(maxsize=128)
def _make_thumbnail(art: Art) -> Any:
    from cardgen.pdf import picture_conversion, raster  # noqa: PLC0415 - typst and pdfium in workers

    try:
        if art.vector:
            pdf = picture_conversion.convert_art(art, Path(tempfile.gettempdir()))
            return raster.rasterise_thumbnail(pdf, _THUMBNAIL_PX)
        with Image.open(io.BytesIO(artwork.read_printable(art))) as image:
            image.draft("RGB", (_THUMBNAIL_PX, _THUMBNAIL_PX))
            small = image.convert("RGBA")
            small.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX), Image.Resampling.BOX)
            return small
    except (UnusableArtError, OSError):
        return None


PIXELS_KIND = "pixels"
"""Kind of the diagnostic that records how many pixels of a picture a face can show."""
MAX_DPI = 600
"""Resolution beyond which print shows no difference."""
_MAX_KEPT_SHARE = 0.8
"""A picture that would keep more than this share of its width stays as it is."""


@dataclass(frozen=True)
class DownsampledArt:
    """A downsampled picture: its PDF, its lowest resolution in print, and the bytes saved."""

    path: Path
    dpi: int
    saved_bytes: int


def record_shown_pixels(pixels_by_name: Mapping[str, tuple[int, int]]) -> list[Diagnostic]:
    """Return diagnostics with the number of pixels of each picture a face can show."""
    return [
        Diagnostic(PIXELS_KIND, "warning", name, f"{width} {height}", about_face=False)
        for name, (width, height) in sorted(pixels_by_name.items())
    ]


def find_needed_pixels(remarks: Iterable[Diagnostic]) -> dict[str, tuple[int, int]]:
    """Return the maximum number of pixels of each picture that any face can show."""
    result: dict[str, tuple[int, int]] = {}
    for remark in remarks:
        if remark.kind == PIXELS_KIND:
            width, height = map(int, remark.message.split())
            previous = result.get(remark.location, (0, 0))
            result[remark.location] = max(previous[0], width), max(previous[1], height)
    return result


def downsample_art(
    pictures: Sequence[Art], remarks: Iterable[Diagnostic], store: Store
) -> dict[str, DownsampledArt]:
    """Return the downsampled pictures by name; the store holds them afterwards.

    A picture that cannot be converted stays as it is.
    """
    needed = find_needed_pixels(remarks)
    result: dict[str, DownsampledArt] = {}
    for name, art in {art.name: art for art in pictures if art.name in needed}.items():
        part = max(needed[name][0] / art.width, needed[name][1] / art.height)
        if art.vector or part > _MAX_KEPT_SHARE:
            continue
        width, height = (max(1, round(side * part)) for side in (art.width, art.height))
        path = store.get_path("art", format_downsampled_name(art, width, height))
        try:
            if not store.has_entry(path):
                store.write(
                    path, _draw_downsampled(art, width, height, store.make_scratch_folder())
                )
        except (LimitExceededError, UnusableArtError):
            continue
        saved = game_files.get_file_size(
            art.inspection.replacement or art.path
        ) - game_files.get_file_size(path)
        result[name] = DownsampledArt(path, round(MAX_DPI / part), saved)
    return result


def _draw_downsampled(art: Art, width: int, height: int, scratch: Path) -> bytes:
    from cardgen.pdf.picture_conversion import convert_picture  # noqa: PLC0415 - typst only when a picture is new

    with work_limits.work_limit(f"{art.name}, made smaller"):
        data = rasters.resize_raster(artwork.read_printable(art), width, height)
        return convert_picture(art.name, data, (width, height), scratch)


def format_downsampled_name(art: Art, width: int, height: int) -> str:
    """Return the name of a downsampled picture's store entry."""
    return f"{art.digest}-{width}x{height}.pdf"

"""Sampling of pictures: colour and opacity at a point of a thumbnail."""

from __future__ import annotations

import io
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.pdf import picture_conversion, raster

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

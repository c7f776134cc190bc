"""Pictures looked at in small: what colour they are at a place, and whether anything is there."""

from __future__ import annotations

import io
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from cardgen.assets import artwork
from cardgen.assets.artwork import Art, Unusable
from cardgen.pdf import raster, vector

_SIDE = 96
Pixel = tuple[float, float, float, float]


def pixel(art: Art, across: float, down: float) -> Pixel | None:
    """Red, green, blue and opacity, 0 to 1, at a place of a picture; None where it cannot be
    drawn."""
    image = _small(art)
    if image is None:
        return None
    x = min(image.width - 1, int(across * image.width))
    y = min(image.height - 1, int(down * image.height))
    red, green, blue, alpha = (part / 255 for part in image.getpixel((x, y)))
    return red, green, blue, alpha


@lru_cache(maxsize=128)
def _small(art: Art) -> Any:
    try:
        if art.vector:
            pdf = vector.draw(art, Path(tempfile.gettempdir()))
            return raster.small(pdf, _SIDE)
        with Image.open(io.BytesIO(artwork.printed(art))) as image:
            image.draft("RGB", (_SIDE, _SIDE))
            small = image.convert("RGBA")
            small.thumbnail((_SIDE, _SIDE), Image.Resampling.BOX)
            return small
    except (Unusable, OSError):
        return None

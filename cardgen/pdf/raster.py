"""PDF pages to pixels, with pdfium."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from cardgen.units import MM_PER_INCH

_PNG_LEVEL = 6
_SUPERSAMPLE = 4


@dataclass(frozen=True)
class Crop:
    """What of a page is wanted: its middle, of that size, with round corners. mm."""

    width: float
    height: float
    corner: float = 0.0


def pages(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Every page as an RGB image."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(scale=dpi / 72, rev_byteorder=True)
            yield bitmap.to_pil().convert("RGB")
            page.close()
    finally:
        document.close()


def png(image: Image.Image, dpi: float, crop: Crop) -> bytes:
    """The image cropped, its corners cut away to transparency, as PNG."""
    width, height = (round(mm / MM_PER_INCH * dpi) for mm in (crop.width, crop.height))
    left, top = (image.width - width + 1) // 2, (image.height - height + 1) // 2
    image = image.crop((left, top, left + width, top + height))
    if crop.corner:
        image = _rounded(image, crop.corner / MM_PER_INCH * dpi)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=_PNG_LEVEL, dpi=(dpi, dpi))
    return out.getvalue()


def jpeg(image: Image.Image, dpi: float) -> bytes:
    """The whole image as JPEG, for looking at."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80, optimize=True, dpi=(round(dpi), round(dpi)))
    return out.getvalue()


def _rounded(image: Image.Image, radius: float) -> Image.Image:
    large = (image.width * _SUPERSAMPLE, image.height * _SUPERSAMPLE)
    mask = Image.new("L", large, 0)
    box = (0, 0, large[0] - 1, large[1] - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * _SUPERSAMPLE, fill=255)
    rounded = image.convert("RGBA")
    alpha = mask.resize(image.size, Image.Resampling.BOX)
    rounded.putalpha(ImageChops.multiply(rounded.getchannel("A"), alpha))
    return rounded

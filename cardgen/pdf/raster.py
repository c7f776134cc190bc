"""PDF pages to pixels, with pdfium."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from cardgen.outline import PLAIN, Form, flat, outline
from cardgen.units import MM_PER_INCH, Size

_PNG_LEVEL = 6
_SUPERSAMPLE = 4


@dataclass(frozen=True)
class Crop:
    """What of a page is wanted: its middle, of that size, cut to a form. mm."""

    width: float
    height: float
    form: Form = PLAIN


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
    if crop.form != PLAIN:
        image = _cut(image, flat(outline(crop.form, Size(crop.width, crop.height))), crop)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=_PNG_LEVEL, dpi=(dpi, dpi))
    return out.getvalue()


def jpeg(image: Image.Image, dpi: float) -> bytes:
    """The whole image as JPEG, for looking at."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80, optimize=True, dpi=(round(dpi), round(dpi)))
    return out.getvalue()


def _cut(image: Image.Image, points: list[tuple[float, float]], crop: Crop) -> Image.Image:
    """The image with all that lies outside the polygon (mm, upwards) transparent."""
    large = (image.width * _SUPERSAMPLE, image.height * _SUPERSAMPLE)
    across, down = large[0] / crop.width, large[1] / crop.height
    mask = Image.new("L", large, 0)
    polygon = [(x * across - 0.5, large[1] - y * down - 0.5) for x, y in points]
    ImageDraw.Draw(mask).polygon(polygon, fill=255)
    cut = image.convert("RGBA")
    alpha = mask.resize(image.size, Image.Resampling.BOX)
    cut.putalpha(ImageChops.multiply(cut.getchannel("A"), alpha))
    return cut

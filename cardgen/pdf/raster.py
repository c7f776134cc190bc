"""Rasterise pages with pdfium, and encode pictures of them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops, ImageDraw, ImageStat

from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.shapes import PLAIN_FORM, PieceForm, flatten_outline, make_outline

_PNG_COMPRESSION = 6
"""Level 3 takes three fifths of the time, but makes pictures of flat colours half as large
again."""
_SUPERSAMPLING = 4
FINE_DPI = 480.0
"""pdfium draws no line thinner than a px, which here is that of a hairline of 0.15 pt. A picture
that is shown is rasterised at about this resolution and reduced, so that thin lines stay pale."""
_COARSEST_SHARE = 0.6
"""Three fifths of a px at FINE_DPI may be left out: a picture of 300 dpi is drawn once."""
_BAND_PIXELS = 16_000_000
"""Pixels of a page that are held at once before they are reduced."""


@dataclass(frozen=True)
class ImageCrop:
    """The part of a page to show: its middle, of that size in mm, with rounded or cut corners."""

    width: float
    height: float
    shape: PieceForm = PLAIN_FORM


def rasterise_pages(pdf: bytes, dpi: float, fine_dpi: float = 0.0) -> Iterator[Image.Image]:
    """Yield every page as an RGB image."""
    return rasterise_each(pdf, repeat(dpi), fine_dpi)


def count_pages(pdf: bytes) -> int:
    """Return the number of pages."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return len(document)


def rasterise_each(
    pdf: bytes, resolutions: Iterable[float], fine_dpi: float = 0.0
) -> Iterator[Image.Image]:
    """Yield every page as an RGB image, each at its own resolution (dpi).

    `fine_dpi` is the resolution to rasterise at before reducing: `FINE_DPI` for pictures that are
    shown, 0 for those that are measured.
    """
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page, dpi in zip(document, resolutions, strict=False):
            yield _render_page(page, dpi / 72, fine_dpi)


def rasterise_some(
    pdf: bytes, resolutions: Mapping[int, float]
) -> Iterator[tuple[int, Image.Image]]:
    """Yield some pages, by their numbers from 0, as RGB images, each at its own resolution
    (dpi)."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for number, dpi in resolutions.items():
            yield number, _render_page(document[number], dpi / 72)


def rasterise_page(pdf: bytes, number: int, width: int) -> Image.Image | None:
    """Return a page, from 0, as an RGB image to show, of that width in px; None where there is no
    such page."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        if not 0 <= number < len(document):
            return None
        page = document[number]
        return _render_page(page, width / page.get_width(), FINE_DPI)


def rasterise_thumbnail(pdf: bytes, side: int) -> Image.Image:
    """Return the first page with its transparency, at most `side` px wide and high."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        page = document[0]
        scale = side / max(page.get_size())
        bitmap = page.render(scale=scale, rev_byteorder=True, fill_color=(0, 0, 0, 0))
        image: Image.Image = bitmap.to_pil().convert("RGBA")
        page.close()
        return image


def _render_page(page: Any, scale: float, fine_dpi: float = 0.0) -> Image.Image:
    """Return a page as an RGB image, and close it; a scale of 1 makes a point a px."""
    width, height = (math.ceil(side * scale) for side in page.get_size())
    factor = max(1, math.ceil(fine_dpi / 72 / scale - _COARSEST_SHARE))
    image = Image.new("RGB", (width, height))
    rows = max(1, _BAND_PIXELS // (width * factor**2))
    for top in range(0, height, rows):
        size = (width * factor, min(rows, height - top) * factor)
        bitmap = pypdfium2.PdfBitmap.new_native(*size, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, *size)
        place = (0, -top * factor, width * factor, height * factor, 0)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, *place, flags)
        image.paste(bitmap.to_pil().reduce(factor).convert("RGB"), (0, top))
    page.close()
    return image


def make_plain_image(width: int, height: int, colour: str) -> Image.Image:
    """Return an image of one colour; size in px."""
    return Image.new("RGB", (width, height), colour)


def encode_cropped(image: Image.Image, dpi: float, crop: ImageCrop, kind: str) -> bytes:
    """Encode an image as PNG, JPEG or WebP, cropped, with transparent corners."""
    width, height = (round(mm / MM_PER_INCH * dpi) for mm in (crop.width, crop.height))
    left, top = (image.width - width + 1) // 2, (image.height - height + 1) // 2
    image = image.crop((left, top, left + width, top + height))
    if crop.shape != PLAIN_FORM:
        image = _clear_outside(image, crop)
    if kind == "png":
        return encode_png(image, dpi)
    if kind == "webp":
        return _encode(image, "WEBP", quality=90, method=4)
    size = (round(dpi), round(dpi))
    return _encode(image, "JPEG", quality=92, subsampling=0, optimize=True, dpi=size)


def encode_jpeg(image: Image.Image, dpi: float) -> bytes:
    """Encode the whole image as JPEG for viewing."""
    return _encode(image, "JPEG", quality=80, optimize=True, dpi=(round(dpi), round(dpi)))


def encode_png(image: Image.Image, dpi: float) -> bytes:
    """Encode the whole image as PNG."""
    return _encode(image, "PNG", compress_level=_PNG_COMPRESSION, dpi=(dpi, dpi))


def encode_quick_png(image: Image.Image) -> bytes:
    """Encode the whole image as PNG for a screen of this machine: quickly, and not small."""
    return _encode(image, "PNG", compress_level=1)


def _encode(image: Image.Image, format_name: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, format_name, **options)
    return out.getvalue()


def measure_darkness(image: Image.Image) -> float:
    """Return the darkness of an RGB image, 0 (white) to 1: the mean of its pixels and channels."""
    return round(1 - sum(ImageStat.Stat(image).mean) / (3 * 255), 5)


def _clear_outside(image: Image.Image, crop: ImageCrop) -> Image.Image:
    """Return the image with all outside the crop's shape transparent."""
    points = flatten_outline(make_outline(crop.shape, Size(crop.width, crop.height)))
    large = (image.width * _SUPERSAMPLING, image.height * _SUPERSAMPLING)
    across, down = large[0] / crop.width, large[1] / crop.height
    mask = Image.new("L", large, 0)
    polygon = [(x * across - 0.5, large[1] - y * down - 0.5) for x, y in points]
    ImageDraw.Draw(mask).polygon(polygon, fill=255)
    cut = image.convert("RGBA")
    alpha = mask.resize(image.size, Image.Resampling.BOX)
    cut.putalpha(ImageChops.multiply(cut.getchannel("A"), alpha))
    return cut


def rasterise_cover(pdf: bytes, side: int) -> Image.Image | None:
    """Return the first page as an RGB image, its longer side of `side` px; None where it cannot be
    drawn."""
    try:
        with closing(pypdfium2.PdfDocument(pdf)) as document:
            page = document[0]
            image = _render_page(page, 2 * side / max(page.get_size()))
    except (pypdfium2.PdfiumError, IndexError, ZeroDivisionError, ValueError):
        return None
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return image


def encode_centred(image: Image.Image, side: int) -> bytes:
    """Encode the image as PNG, in the middle of a transparent square of `side` px."""
    square = Image.new("RGBA", (side, side))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return _encode(square, "PNG", compress_level=_PNG_COMPRESSION)

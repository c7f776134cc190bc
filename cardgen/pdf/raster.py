"""PDF pages to pixels, with pdfium."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageStat

from cardgen.core.units import MM_PER_INCH, Size
from cardgen.game.shapes import PLAIN_FORM, PieceForm, flatten_outline, make_outline

_PNG_COMPRESSION = 6
"""At 3, packing takes three fifths of the time, but pictures of flat colours are half as large
again."""
_SUPERSAMPLING = 4


@dataclass(frozen=True)
class ImageCrop:
    """What of a page is wanted: its middle, of that size, cut to a form. mm."""

    width: float
    height: float
    shape: PieceForm = PLAIN_FORM


def rasterise_pages(pdf: bytes, dpi: float) -> Iterator[Image.Image]:
    """Every page as an RGB image."""
    return rasterise_each(pdf, repeat(dpi))


def count_pages(pdf: bytes) -> int:
    """How many pages there are."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return len(document)
    finally:
        document.close()


def rasterise_each(pdf: bytes, resolutions: Iterable[float]) -> Iterator[Image.Image]:
    """Every page as an RGB image, at a resolution (dpi) of its own."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page, dpi in zip(document, resolutions, strict=False):
            bitmap = page.render(scale=dpi / 72, rev_byteorder=True)
            yield bitmap.to_pil().convert("RGB")
            page.close()
    finally:
        document.close()


def rasterise_some(
    pdf: bytes, resolutions: Mapping[int, float]
) -> Iterator[tuple[int, Image.Image]]:
    """Some pages, by their numbers from 0, as RGB images, each at a resolution (dpi) of its own."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        for number, dpi in resolutions.items():
            shown = document[number]
            yield number, shown.render(scale=dpi / 72, rev_byteorder=True).to_pil().convert("RGB")
            shown.close()
    finally:
        document.close()


def rasterise_page(pdf: bytes, number: int, width: int) -> Image.Image | None:
    """One page, from 0, so many px wide, as an RGB image; None where there is no such page."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        if not 0 <= number < len(document):
            return None
        bitmap = document[number].render(
            scale=width / document[number].get_width(), rev_byteorder=True
        )
        image: Image.Image = bitmap.to_pil().convert("RGB")
        return image
    finally:
        document.close()


def rasterise_thumbnail(pdf: bytes, side: int) -> Image.Image:
    """The first page, at most so many px a side, transparent where it is."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        page = document[0]
        scale = side / max(page.get_size())
        bitmap = page.render(scale=scale, rev_byteorder=True, fill_color=(0, 0, 0, 0))
        image: Image.Image = bitmap.to_pil().convert("RGBA")
        return image
    finally:
        document.close()


def make_plain_image(width: int, height: int, colour: str) -> Image.Image:
    """A ground of one colour, px."""
    return Image.new("RGB", (width, height), colour)


def encode_cropped(image: Image.Image, dpi: float, crop: ImageCrop, kind: str) -> bytes:
    """The image cropped, its corners cut away to transparency, as PNG, JPEG or WebP."""
    width, height = (round(mm / MM_PER_INCH * dpi) for mm in (crop.width, crop.height))
    left, top = (image.width - width + 1) // 2, (image.height - height + 1) // 2
    image = image.crop((left, top, left + width, top + height))
    if crop.shape != PLAIN_FORM:
        image = _clear_outside(
            image, flatten_outline(make_outline(crop.shape, Size(crop.width, crop.height))), crop
        )
    out = io.BytesIO()
    if kind == "png":
        image.save(out, "PNG", compress_level=_PNG_COMPRESSION, dpi=(dpi, dpi))
    elif kind == "webp":
        image.save(out, "WEBP", quality=90, method=4)
    else:
        image.save(out, "JPEG", quality=92, subsampling=0, optimize=True, dpi=(round(dpi),) * 2)
    return out.getvalue()


def encode_jpeg(image: Image.Image, dpi: float) -> bytes:
    """The whole image as JPEG, for looking at."""
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80, optimize=True, dpi=(round(dpi), round(dpi)))
    return out.getvalue()


def encode_png(image: Image.Image, dpi: float) -> bytes:
    """The whole image as PNG."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=_PNG_COMPRESSION, dpi=(dpi, dpi))
    return out.getvalue()


def encode_quick_png(image: Image.Image) -> bytes:
    """The whole image as PNG for a screen of this machine: larger, and packed in less time."""
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def measure_darkness(image: Image.Image) -> float:
    """How much of an RGB image is not white, 0 to 1: the mean over its pixels and colours."""
    return round(1 - sum(ImageStat.Stat(image).mean) / (3 * 255), 5)


def _clear_outside(
    image: Image.Image, points: list[tuple[float, float]], crop: ImageCrop
) -> Image.Image:
    """The image with all that lies outside the polygon (mm, upwards) transparent."""
    large = (image.width * _SUPERSAMPLING, image.height * _SUPERSAMPLING)
    across, down = large[0] / crop.width, large[1] / crop.height
    mask = Image.new("L", large, 0)
    polygon = [(x * across - 0.5, large[1] - y * down - 0.5) for x, y in points]
    ImageDraw.Draw(mask).polygon(polygon, fill=255)
    cut = image.convert("RGBA")
    alpha = mask.resize(image.size, Image.Resampling.BOX)
    cut.putalpha(ImageChops.multiply(cut.getchannel("A"), alpha))
    return cut


def encode_centred(image: Image.Image, side: int) -> bytes:
    """The image in the middle of a transparent square of so many px, as PNG."""
    square = Image.new("RGBA", (side, side))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    out = io.BytesIO()
    square.save(out, "PNG", compress_level=_PNG_COMPRESSION)
    return out.getvalue()

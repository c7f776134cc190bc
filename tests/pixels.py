"""Pages and pictures as pixels: what tests look at of what was printed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pypdfium2
from PIL import Image


def pages(pdf: Path | bytes, px_per_mm: float, mode: str = "RGB") -> list[Image.Image]:
    """Every page of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    drawn = [page.render(scale=px_per_mm * 25.4 / 72).to_pil().convert(mode) for page in document]
    document.close()
    return drawn


def pixel(image: Image.Image, at: tuple[int, int]) -> tuple[int, ...]:
    """What a picture of several channels shows at a place."""
    value = image.getpixel(at)
    assert isinstance(value, tuple)
    return value


def part(image: Image.Image, edges: Iterable[float]) -> Image.Image:
    """What lies between the left, upper, right and lower edge."""
    left, upper, right, lower = (round(edge) for edge in edges)
    return image.crop((left, upper, right, lower))

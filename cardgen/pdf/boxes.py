"""What a page tells of itself: how far it is printed and where it is cut (ISO 32000-1, 14.11.2)."""

from __future__ import annotations

from typing import Any

from pikepdf import Array

from cardgen.base.units import points


def tell(page: Any, bleed: float, beyond: tuple[float, float] = (0.0, 0.0)) -> None:
    """Give a page its boxes: cut `bleed` mm within what is printed, which ends `beyond` mm (across,
    up) within the page. Right to a ten-thousandth of a point; what other boxes it had go."""
    left, bottom, right, top = (float(value) for value in page.mediabox)
    across, up = map(points, beyond)
    edge = points(bleed)

    def box(within: float) -> Array:
        x, y = across + within, up + within
        sides = (left + x, bottom + y, right - x, top - y)
        return Array([round(value, 4) for value in sides])

    page.obj.MediaBox = Array([round(value, 4) for value in (left, bottom, right, top)])
    page.obj.BleedBox, page.obj.TrimBox = box(0.0), box(edge)
    for other in ("/CropBox", "/ArtBox"):
        if other in page.obj:
            del page.obj[other]

"""Whether the bleed is painted: a page drawn, and looked at along its trim.

Where the trim's edge is painted, the paper beyond it must be, too, as far as the bleed goes: else
the knife leaves a stripe of paper. What is white at its edge needs no bleed.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from PIL import Image, ImageChops

from cardgen.base.units import MM_PER_INCH, Box
from cardgen.pdf.preflight.facts import Side

DPI = 144.0
_MOST_PX = 6_000_000
_PAPER = 248
"""From which value on every colour of a px is paper's."""
_INSIDE = 0.45
"""So far within the trim the page is looked at for what reaches its edge, mm."""
_EDGE = 0.3
"""So much of the bleed's outer edge may be missing: half a px, and rounding."""
_EVEN = 0.7
"""A stripe of paper begins at one distance from the trim, give or take so much, mm; what ends here
and there is a drawing."""
_LEAST = 2.0
"""Shorter stretches are told by nobody, mm."""


def resolution(page: Box) -> float:
    """At which resolution a page is drawn, so that it is no larger than what is looked at."""
    inches = page.width / MM_PER_INCH * (page.height / MM_PER_INCH)
    return min(DPI, math.sqrt(_MOST_PX / max(inches, 0.01)))


def sides(image: Image.Image, page: Box, trim: Box, bleed: Box) -> dict[str, Side]:
    """The sides of a page's bleed. `image` shows the page upright, all of it."""
    across, up = image.width / page.width, image.height / page.height
    paper = _paper(image)
    known = paper.load()
    assert known is not None

    def bare(x: float, y: float) -> bool:
        """Whether a place of the page, mm, is paper."""
        column, row = int((x - page.left) * across), int((page.top - y) * up)
        column, row = min(max(column, 0), paper.width - 1), min(max(row, 0), paper.height - 1)
        return known[column, row] == 255

    step = 1 / max(across, up)
    found = {
        "left": _side(lambda at, out: bare(trim.left - out, at), trim.bottom, trim.top,
                      trim.left - bleed.left, step),
        "right": _side(lambda at, out: bare(trim.right + out, at), trim.bottom, trim.top,
                       bleed.right - trim.right, step),
        "bottom": _side(lambda at, out: bare(at, trim.bottom - out), trim.left, trim.right,
                        trim.bottom - bleed.bottom, step),
        "top": _side(lambda at, out: bare(at, trim.top + out), trim.left, trim.right,
                     bleed.top - trim.top, step),
    }  # fmt: skip
    return {name: side for name, side in found.items() if side}


def _paper(image: Image.Image) -> Image.Image:
    """255 where it is paper."""
    red, green, blue = image.convert("RGB").split()
    darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
    return darkest.point([255 if value >= _PAPER else 0 for value in range(256)])


def _side(
    bare: Callable[[float, float], bool], start: float, end: float, bleed: float, step: float
) -> Side | None:
    """One side, from `start` to `end` along the trim; None where nothing reaches its edge."""
    painted = 0
    reaches = []
    places = max(1, int((end - start) / step))
    for number in range(places):
        at = start + (number + 0.5) * step
        if bare(at, -_INSIDE):
            continue
        painted += 1
        if bleed > _EDGE:
            reach = _reach(bare, at, bleed, step)
            if reach < bleed - _EDGE:
                reaches.append(reach)
    if painted * step < _LEAST:
        return None
    reaches.sort()
    short = len(reaches) * step
    if short >= max(_LEAST, 0.12 * painted * step):
        low, high = reaches[len(reaches) // 10], reaches[len(reaches) * 9 // 10]
        if high - low <= _EVEN:
            return Side(painted * step, short, reaches[len(reaches) // 2])
    return Side(painted * step, 0.0, bleed)


def _reach(bare: Callable[[float, float], bool], at: float, bleed: float, step: float) -> float:
    """How far from the trim the outermost paint lies, mm."""
    out = bleed - step / 2
    while out > 0:
        if not bare(at, out):
            return out + step / 2
        out -= step
    return 0.0

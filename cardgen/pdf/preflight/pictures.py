"""Pictures of a PDF: of which colours they are, how much ink they lay down, and how fine they are
where they are placed."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import Any

import pikepdf
from pikepdf import Matrix
from PIL import Image, ImageChops

from cardgen.base.units import MM_PER_INCH
from cardgen.pdf.preflight import streams
from cardgen.pdf.preflight.colours import GRAY, PARTS, Space, space_of
from cardgen.pdf.preflight.facts import Placed
from cardgen.pdf.preflight.streams import TooMuch

_MOST_PX = 60_000_000
"""Larger pictures are not looked into for their ink."""
_SPECK = 4
"""A picture of no more px a side is a colour, or a step of a gradient; its resolution is none."""
_STRAY = 0.001
"""The share of a picture's px that is left out: noise at the edges of a JPEG's blocks."""


@dataclass(frozen=True)
class Picture:
    """What a picture is, wherever it is placed. `percent` is the ink of its darkest places, None
    where it is not known; `why` then says why; a `mask` is painted in the colour that is set."""

    width: int
    height: int
    space: Space
    mask: bool = False
    soft: bool = False
    percent: float | None = None
    why: str = ""

    def placed(self, ctm: Matrix) -> Placed | None:
        """It, in the unit square of a matrix (points); None where it has no extent."""
        across, up = math.hypot(ctm.a, ctm.b), math.hypot(ctm.c, ctm.d)
        if not (across > 0 and up > 0) or max(self.width, self.height) <= _SPECK:
            return None
        dpi = min(self.width / across, self.height / up) * 72
        mm = MM_PER_INCH / 72
        return Placed(round(dpi, 1), self.width, self.height, across * mm, up * mm)


def of_object(image: Any, resources: Any) -> Picture:
    """A picture that is an object of its own."""
    width, height = int(image.get("/Width", 0)), int(image.get("/Height", 0))
    if image.get("/ImageMask"):
        return Picture(width, height, GRAY, mask=True)
    packed = streams.filters(image)
    given = image.get("/ColorSpace")
    space = space_of(given, resources)
    if given is None and "/JPXDecode" in packed:
        return Picture(width, height, space, soft="/SMask" in image, why="a JPEG 2000 picture")
    soft = "/SMask" in image or int(image.get("/SMaskInData", 0)) > 0
    percent, why = None, ""
    if space.kind in {"gray", "cmyk", "spot"}:
        percent, why = _ink(image, space, width * height)
    return Picture(width, height, space, soft=soft, percent=percent, why=why)


def of_inline(image: Any, resources: Any) -> Picture:
    """A picture that stands among a page's operators."""
    width, height = int(image.width), int(image.height)
    if image.image_mask:
        return Picture(width, height, GRAY, mask=True)
    given = image.obj.get("/ColorSpace", image.obj.get("/CS"))
    return Picture(width, height, space_of(given, resources), why="a picture among operators")


def _ink(image: Any, space: Space, px: int) -> tuple[float | None, str]:
    """The ink of its darkest thousandth, per cent, and why it is not known."""
    if px > _MOST_PX:
        return None, "a very large picture"
    try:
        streams.hold(image, streams.MOST_PICTURE)
        if space.table is not None:
            return _of_table(space), ""
        turned = _turned(image)
        made = _samples(image, space)
    except (TooMuch, OSError, ValueError, pikepdf.PikepdfError, NotImplementedError):
        return None, "a picture that cannot be read"
    if made is None or turned is None:
        return None, "a picture of unusual depth"
    return _of_bands(ImageChops.invert(made) if turned != (space.kind == "gray") else made)


def _turned(image: Any) -> bool | None:
    """Whether its values are to be read the other way round; None when in yet another way."""
    values = [float(value) for value in image.get("/Decode", [])]
    pairs = set(zip(values[::2], values[1::2], strict=True))
    return (
        {(0.0, 1.0): False, (1.0, 0.0): True}.get(pairs.pop())
        if len(pairs) == 1
        else (None if values else False)
    )


def _samples(image: Any, space: Space) -> Image.Image | None:
    """Its values as they stand in the file, 0 to 255; None for what is not of eight bits."""
    packed = streams.filters(image)
    if packed == ["/DCTDecode"]:
        made: Image.Image = Image.open(io.BytesIO(image.read_raw_bytes()))
        if made.width * made.height > _MOST_PX:
            raise TooMuch("is larger than it says")
        made.load()
        # Pillow turns the values of every CMYK JPEG.
        return ImageChops.invert(made) if made.mode == "CMYK" else made
    modes = {1: "L", 4: "CMYK"}
    if {"/DCTDecode", "/JPXDecode"} & set(packed) or int(image.get("/BitsPerComponent", 8)) != 8:
        return None
    if space.parts not in modes:
        return None
    size = int(image.Width), int(image.Height)
    data = streams.content(image, streams.MOST_PICTURE)
    return Image.frombytes(modes[space.parts], size, data)


def _of_table(space: Space) -> float | None:
    """The darkest colour of a palette."""
    parts = PARTS.get(space.kind, len(space.names))
    table = space.table or b""
    if not parts or not table:
        return None
    colours = [table[at : at + parts] for at in range(0, len(table) - parts + 1, parts)]
    if space.kind == "gray":
        return max(255 - colour[0] for colour in colours) / 2.55
    return max(sum(colour) for colour in colours) / 2.55


def _of_bands(image: Image.Image) -> tuple[float | None, str]:
    """The sum of the bands that all but a thousandth of the px keep to."""
    bands = image.split()
    if len(bands) == 1:
        total, whole = bands[0], 100.0
    elif len(bands) == 4:
        one, other = (ImageChops.add(bands[at], bands[at + 1], 2) for at in (0, 2))
        total, whole = ImageChops.add(one, other, 2), 400.0
    else:
        return None, "a picture of unusual inks"
    left = total.width * total.height * _STRAY
    for value, count in reversed(list(enumerate(total.histogram()))):
        left -= count
        if left < 0:
            return value / 255 * whole, ""
    return 0.0, ""


def group_space(group: Any, resources: Any) -> Space | None:
    """The colours in which a transparency group is blended; None when it says none."""
    given = group.get("/CS") if group is not None else None
    return space_of(given, resources) if given is not None else None

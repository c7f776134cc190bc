"""Pictures and gradients of a PDF: their colours, how much ink they take, and their resolution."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Matrix, Stream
from PIL import Image, ImageChops

from cardgen.assets import rasters  # noqa: F401 - bounds what Pillow opens
from cardgen.core.units import MM_PER_INCH
from cardgen.pdf.preflight import bounded_streams, colour_spaces
from cardgen.pdf.preflight.bounded_streams import StreamTooLargeError
from cardgen.pdf.preflight.pdf_facts import PaintedContent, PlacedPicture

_MAX_PICTURE_PX = 60_000_000
"""Larger pictures are not looked into for their ink."""
_SPECK_LEVEL = 4
"""A picture of no more px a side is a colour, or a step of a gradient; its resolution is none."""
_STRAY_SHARE = 0.001
"""The share of a picture's px that is left out: noise at the edges of a JPEG's blocks."""
_INK_KINDS = frozenset({"gray", "cmyk", "spot"})


@dataclass(frozen=True)
class PdfPicture:
    """A picture, wherever it is placed.

    `coverage` is the ink of its darkest places in %; None where it is not known, with the reason in
    `unknown_reason`.
    """

    width: int
    height: int
    space: colour_spaces.InkSpace
    is_mask: bool = False
    has_soft_mask: bool = False
    coverage: float | None = None
    unknown_reason: str = ""

    def place_picture(self, ctm: Matrix) -> PlacedPicture | None:
        """Return the picture in the unit square of a matrix (points); None where that is empty."""
        across, up = math.hypot(ctm.a, ctm.b), math.hypot(ctm.c, ctm.d)
        if not (across > 0 and up > 0) or max(self.width, self.height) <= _SPECK_LEVEL:
            return None
        dpi = min(self.width / across, self.height / up) * 72
        mm = MM_PER_INCH / 72
        return PlacedPicture(round(dpi, 1), self.width, self.height, across * mm, up * mm)


def read_image_object(image: Any, resources: Any) -> PdfPicture:
    """Return a picture that is an object of the file."""
    width, height = int(image.get("/Width", 0)), int(image.get("/Height", 0))
    if image.get("/ImageMask"):
        return PdfPicture(width, height, colour_spaces.GRAY, is_mask=True)
    given = image.get("/ColorSpace")
    space = colour_spaces.read_space(given, resources)
    soft = "/SMask" in image or int(image.get("/SMaskInData", 0)) > 0
    percent, why = None, ""
    if given is None and "/JPXDecode" in bounded_streams.list_filters(image):
        why = "a JPEG 2000 picture"
    elif space.kind in _INK_KINDS:
        percent, why = _measure_image_ink(image, space, width * height)
    return PdfPicture(width, height, space, False, soft, percent, why)


def read_inline_image(image: Any, resources: Any) -> PdfPicture:
    """Return a picture among the operators of a page."""
    width, height = int(image.width), int(image.height)
    if image.image_mask:
        return PdfPicture(width, height, colour_spaces.GRAY, is_mask=True)
    space = colour_spaces.read_space(image.obj.get("/ColorSpace", image.obj.get("/CS")), resources)
    return PdfPicture(width, height, space, unknown_reason="a picture among operators")


def _measure_image_ink(
    image: Any, space: colour_spaces.InkSpace, px: int
) -> tuple[float | None, str]:
    """Return the ink of its darkest thousandth in %, or None and why it is not known."""
    if px > _MAX_PICTURE_PX:
        return None, "a very large picture"
    try:
        bounded_streams.check_stream_size(image, bounded_streams.MAX_PICTURE_BYTES)
        if space.table is not None:
            return _measure_palette(space), ""
        turned = _is_inverted(image)
        coverage = _read_samples(image, space)
    except (StreamTooLargeError, OSError, ValueError, pikepdf.PikepdfError, NotImplementedError):
        return None, "a picture that cannot be read"
    if coverage is None or turned is None:
        return None, "a picture of unusual depth"
    is_light = turned != (space.kind == "gray")
    return _measure_bands(ImageChops.invert(coverage) if is_light else coverage)


def _is_inverted(image: Any) -> bool | None:
    """Say if values are inverted; None for any other decoding."""
    values = [float(value) for value in image.get("/Decode", [])]
    pairs = set(zip(values[::2], values[1::2], strict=True)) or {(0.0, 1.0)}
    known = {(0.0, 1.0): False, (1.0, 0.0): True}
    return known.get(pairs.pop()) if len(pairs) == 1 else None


def _read_samples(image: Any, space: colour_spaces.InkSpace) -> Image.Image | None:
    """Return its values as they are in the file, 0 to 255; None if they do not have eight bits."""
    packed = bounded_streams.list_filters(image)
    if packed == ["/DCTDecode"]:
        samples: Image.Image = Image.open(io.BytesIO(image.read_raw_bytes()))
        if samples.width * samples.height > _MAX_PICTURE_PX:
            raise StreamTooLargeError("is larger than it says")
        samples.load()
        # Pillow turns the values of every CMYK JPEG.
        return ImageChops.invert(samples) if samples.mode == "CMYK" else samples
    modes = {1: "L", 4: "CMYK"}
    if {"/DCTDecode", "/JPXDecode"} & set(packed) or int(image.get("/BitsPerComponent", 8)) != 8:
        return None
    if space.components not in modes:
        return None
    size = int(image.Width), int(image.Height)
    data = bounded_streams.read_stream(image, bounded_streams.MAX_PICTURE_BYTES)
    return Image.frombytes(modes[space.components], size, data)


def _measure_palette(space: colour_spaces.InkSpace) -> float | None:
    """Return the ink of the darkest colour of a palette."""
    parts = colour_spaces.COMPONENT_COUNTS.get(space.kind, len(space.ink_names))
    table = space.table or b""
    if not parts or not table:
        return None
    colours = [table[at : at + parts] for at in range(0, len(table) - parts + 1, parts)]
    if space.kind == "gray":
        return max(255 - colour[0] for colour in colours) / 2.55
    return max(sum(colour) for colour in colours) / 2.55


def _measure_bands(image: Image.Image) -> tuple[float | None, str]:
    """Return the ink that all but a thousandth of the pixels do not exceed."""
    bands = image.split()
    if len(bands) == 1:
        total, whole = bands[0], 100.0
    elif len(bands) == 4:
        one, other = (ImageChops.add(bands[at], bands[at + 1], 2) for at in (0, 2))
        total, whole = ImageChops.add(one, other, 2), 400.0
    else:
        return None, "a picture of unusual inks"
    left = total.width * total.height * _STRAY_SHARE
    above = accumulate(reversed(total.histogram()))  # pixels of at least 255, 254 …
    return next((255 - n for n, count in enumerate(above) if count > left), 0) / 255 * whole, ""


_MAX_FUNCTION_DEPTH = 6
_MAX_STOPS = 4096
_MAX_FUNCTION_BYTES = 1 << 20


def add_shading(shading: Any, resources: Any, painted: PaintedContent) -> None:
    """Record what a gradient paints."""
    space = colour_spaces.read_space(shading.get("/ColorSpace"), resources)
    painted.colours.add((space.kind, "gradients"))
    painted.spots.update(space.spots)
    if space.kind not in _INK_KINDS:
        return
    found = list(_list_stop_colours(shading.get("/Function"), space))
    if not found:
        painted.unreadable.add("a gradient between points")
    for values in found:
        colour = colour_spaces.InkColour(space, values)
        if colour.coverage is not None:
            painted.add_ink("gradients", round(colour.coverage, 1), colour.description)


def _list_stop_colours(function: Any, space: colour_spaces.InkSpace) -> Iterator[tuple[float, ...]]:
    """Return the colours at the stops."""
    if isinstance(function, Array):  # one function for each ink
        each = [list(_iterate_stops(one)) for one in list(function)[: space.components]]
        for values in zip(*each, strict=False):
            yield tuple(value for part in values for value in part)
        return
    for values in _iterate_stops(function):
        if len(values) == space.components:
            yield values


def _iterate_stops(function: Any, depth: int = 0) -> Iterator[tuple[float, ...]]:
    if depth > _MAX_FUNCTION_DEPTH or not isinstance(function, Dictionary | Stream):
        return
    kind = int(function.get("/FunctionType", -1))
    if kind == 2:
        for key, plain in (("/C0", 0.0), ("/C1", 1.0)):
            yield tuple(float(part) for part in function.get(key, [plain]))
    elif kind == 3:
        for inner in list(function.get("/Functions", []))[:_MAX_STOPS]:
            yield from _iterate_stops(inner, depth + 1)
    elif kind == 0 and isinstance(function, Stream):
        yield from _read_sampled_function(function)


def _read_sampled_function(function: Any) -> Iterator[tuple[float, ...]]:
    bounds = [float(value) for value in function.get("/Range", [])]
    parts = len(bounds) // 2
    if int(function.get("/BitsPerSample", 0)) != 8 or not parts:
        return
    data = bounded_streams.read_stream(function, _MAX_FUNCTION_BYTES)
    for at in range(0, min(len(data), _MAX_STOPS * parts) - parts + 1, parts):
        yield tuple(
            bounds[2 * n] + data[at + n] / 255 * (bounds[2 * n + 1] - bounds[2 * n])
            for n in range(parts)
        )

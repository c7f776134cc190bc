"""PDF operators that paint a form onto a page (ISO 32000-1, 8.4.4 and 8.8). Lengths in mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import ceil
from typing import Protocol

from cardgen.core.units import Box, Size, convert_to_points

Matrix = tuple[float, float, float, float, float, float]
"""a b c d without unit, e f in mm."""


def paint_form(name: str, clip: Box, matrix: Matrix) -> str:
    """The form of that name, put in place by the matrix and cut to `clip`."""
    a, b, c, d, e, f = matrix
    rectangle = (clip.left, clip.bottom, clip.right - clip.left, clip.top - clip.bottom)
    return (
        f"q {format_numbers(*map(convert_to_points, rectangle))} re W n "
        f"{format_numbers(a, b, c, d, convert_to_points(e), convert_to_points(f))} cm /{name} Do Q"
    )


def transform_content(content: str, matrix: Matrix) -> str:
    """All of a page's content, moved by the matrix."""
    a, b, c, d, e, f = matrix
    return f"q {format_numbers(a, b, c, d)} {format_numbers(convert_to_points(e), convert_to_points(f))} cm\n{content}\nQ"


def format_numbers(*values: float) -> str:
    """Operands, in points where they are lengths."""
    return " ".join(f"{value:.5f}".rstrip("0").rstrip(".") for value in values)


_COVERED_TOLERANCE_MM = 0.005
"""What is missing of an area without any printer's seeing it."""
_EDGE, _OF_BLEED = 0.2, 0.3
"""So far within a face's edge the mirror stands: of a face without bleed, and of one with enough.
The very edge is left out, for where it cuts through a dot, gradients begin anew in that dot."""


@dataclass(frozen=True)
class _MirrorCopy:
    """One of a row of copies along one axis: from where to where it is seen, and how it came there
    from the face itself, x' = `way` · x + `off`. Every other one is a mirror's."""

    low: float
    high: float
    direction: int
    offset: float


class FaceExtent(Protocol):
    """What is painted: its size and how much of that, on every side, is bleed."""

    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def bleed(self) -> float: ...


def paint_extended(
    name: str, face: FaceExtent, area: Box, scale: tuple[float, float], turn: int = 0
) -> str:
    """The operators that put a face in the middle of an area and paint all of the area with it.

    `turn` is how far it is turned, degrees, and `scale` how much larger it comes out across and up
    the page once it is.
    """
    lying = turn % 180 == 90
    size = Size(face.height, face.width) if lying else Size(face.width, face.height)
    width, height = size.width * scale[0], size.height * scale[1]
    x = (area.left + area.right - width) / 2
    y = (area.bottom + area.top - height) / 2
    a, b, c, d, e, f = _map_face_to_box(Box(x, y, x + width, y + height), face, turn)
    edge = min(_OF_BLEED, max(_EDGE, face.bleed / 2))
    columns = _list_copies(x, width, (area.left, area.right), edge * scale[0])
    rows = _list_copies(y, height, (area.bottom, area.top), edge * scale[1])
    drawn = []
    for across, up in product(columns, rows):
        matrix = (
            a * across.direction, b * up.direction, c * across.direction, d * up.direction,
            e * across.direction + across.offset, f * up.direction + up.offset,
        )  # fmt: skip
        drawn.append(paint_form(name, Box(across.low, up.low, across.high, up.high), matrix))
    return "\n".join(drawn)


def _list_copies(
    start: float, length: float, area: tuple[float, float], edge: float
) -> Iterator[_MirrorCopy]:
    """The copies of a face, from `start` on so long, that cover an area. The face itself comes
    first: a copy's end lies over it."""
    low, high = area
    step = length - 2 * edge
    before = ceil(max(0.0, start - low - _COVERED_TOLERANCE_MM) / step)
    after = ceil(max(0.0, high - start - length - _COVERED_TOLERANCE_MM) / step)
    for number in sorted(range(-before, after + 1), key=abs):
        moved = number * step
        first, last = start + moved, start + moved + length
        first, last = (first + edge if number > 0 else first), (last - edge if number < 0 else last)
        way, off = (-1, 2 * start + moved + length) if number % 2 else (1, moved)
        yield _MirrorCopy(max(low, first), min(high, last), way, off)


def _map_face_to_box(box: Box, face: FaceExtent, turn: int) -> Matrix:
    """A face's bleed box onto a box."""
    if turn == 90:
        return (0, box.height / face.width, -box.width / face.height, 0, box.right, box.bottom)
    if turn == 270:
        return (0, -box.height / face.width, box.width / face.height, 0, box.left, box.top)
    return (box.width / face.width, 0, 0, box.height / face.height, box.left, box.bottom)

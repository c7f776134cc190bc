"""PDF operators that paint forms onto a page, also beyond their edges (ISO 32000-1, 8.4.4, 8.8).

Lengths in mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import ceil
from typing import Protocol

from cardgen.core.units import Box, Size, convert_to_points, format_decimal

Matrix = tuple[float, float, float, float, float, float]
"""a b c d without unit, e f in mm."""


def paint_form(name: str, clip: Box, matrix: Matrix) -> str:
    """Return operators that paint a form through a matrix, clipped to `clip`."""
    rectangle = map(convert_to_points, (clip.left, clip.bottom, clip.width, clip.height))
    return f"q {format_numbers(*rectangle)} re W n {_format_matrix(matrix)} cm /{name} Do Q"


def transform_content(content: str, matrix: Matrix) -> str:
    """Return the content of a page, transformed by a matrix."""
    return f"q {_format_matrix(matrix)} cm\n{content}\nQ"


def _format_matrix(matrix: Matrix) -> str:
    a, b, c, d, e, f = matrix
    return format_numbers(a, b, c, d, convert_to_points(e), convert_to_points(f))


def format_numbers(*values: float) -> str:
    """Format operands, which are in points where they are lengths."""
    return " ".join(format_decimal(value, 5) for value in values)


_COVERED_TOLERANCE_MM = 0.005
"""A gap that nobody sees in print."""
_EDGE, _OF_BLEED = 0.2, 0.3
"""Distance of the mirror from a face's edge, in mm: of a face without bleed, and the most of one
with bleed.

The very edge is left out: gradients begin anew in a dot that the edge cuts.
"""


@dataclass(frozen=True)
class _MirrorCopy:
    """A copy of a face along one axis: the part of it that shows, and x' = direction · x + offset.

    Every other copy is mirrored.
    """

    low: float
    high: float
    direction: int
    offset: float


class FaceExtent(Protocol):
    """Something to paint, with its size and the bleed on every side that is part of it."""

    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def bleed(self) -> float: ...


def paint_extended(
    name: str, face: FaceExtent, area: Box, scale: tuple[float, float], turn: int = 0
) -> str:
    """Return operators that centre a face in an area and fill the rest of it with mirrored copies.

    `turn` is the rotation in degrees, and `scale` the enlargement across and up the page after it.
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
    """Yield the copies of a face along one axis that cover an area.

    The face itself comes first: the ends of copies are painted over it.
    """
    low, high = area
    step = length - 2 * edge
    before = ceil(max(0.0, start - low - _COVERED_TOLERANCE_MM) / step)
    after = ceil(max(0.0, high - start - length - _COVERED_TOLERANCE_MM) / step)
    for number in sorted(range(-before, after + 1), key=abs):
        moved = number * step
        first, last = start + moved, start + moved + length
        first, last = (first + edge if number > 0 else first), (last - edge if number < 0 else last)
        direction, offset = (-1, 2 * start + moved + length) if number % 2 else (1, moved)
        yield _MirrorCopy(max(low, first), min(high, last), direction, offset)


def _map_face_to_box(box: Box, face: FaceExtent, turn: int) -> Matrix:
    """Return the matrix that maps a face's bleed box onto a box."""
    if turn == 90:
        return (0, box.height / face.width, -box.width / face.height, 0, box.right, box.bottom)
    if turn == 270:
        return (0, -box.height / face.width, box.width / face.height, 0, box.left, box.top)
    return (box.width / face.width, 0, 0, box.height / face.height, box.left, box.bottom)

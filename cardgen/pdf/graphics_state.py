"""The graphics state of a content stream, and a walker that follows it (ISO 32000-1, 8.4).

Both those who rewrite colours and those who check pages walk through operators with it. Lengths
are in points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pikepdf import Matrix

from cardgen.core.colour_math import Colour, cmyk_to_rgb

FILL_OPERATORS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
STROKE_OPERATORS = frozenset({"S", "s", "B", "B*", "b", "b*"})
PATH_END_OPERATORS = FILL_OPERATORS | STROKE_OPERATORS | {"n"}
TEXT_OPERATORS = frozenset({"Tj", "TJ", "'", '"'})
STROKING_MODES = frozenset({1, 2, 5, 6})
"""Text rendering modes that draw an outline (ISO 32000-1, 9.3.6)."""
UNPAINTED_MODES = frozenset({3, 7})
"""Text rendering modes that paint nothing."""
IDENTITY = Matrix()
_MAX_SAVED_STATES = 10_000


@dataclass(frozen=True)
class GraphicsState:
    """The part of the graphics state that every walker follows.

    `ctm` is the current transformation matrix, `text` the text matrix, `width` the line width,
    `size` the font size and `rendering` the text rendering mode.
    """

    ctm: Matrix = IDENTITY
    width: float = 1.0
    font: Any = None
    size: float = 0.0
    text: Matrix = IDENTITY
    rendering: int = 0


State = TypeVar("State", bound=GraphicsState)


class StateWalker(Generic[State]):
    """Follows the graphics state through the operators of a stream."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.stack: list[State] = []

    def find_font(self, name: Any) -> Any:  # few walkers need the font itself
        """Return the font of that name in the stream's resources."""
        return None

    def follow_state(self, operands: list[Any], name: str) -> None:
        """Apply an operator that changes the state and paints nothing."""
        state = self.state
        if name == "q":
            if len(self.stack) < _MAX_SAVED_STATES:
                self.stack.append(state)
        elif name == "Q" and self.stack:
            self.state = self.stack.pop()
        elif name == "cm":
            self.state = replace(state, ctm=make_matrix(operands) @ state.ctm)
        elif name == "w":
            self.state = replace(state, width=float(operands[0]))
        elif name == "Tf":
            font = self.find_font(operands[0])
            self.state = replace(state, font=font, size=float(operands[1]))
        elif name == "Tm":
            self.state = replace(state, text=make_matrix(operands))
        elif name == "BT":
            self.state = replace(state, text=IDENTITY)
        elif name == "Tr":
            self.state = replace(state, rendering=int(operands[0]))


def make_matrix(operands: Iterable[Any]) -> Matrix:
    """Return the matrix of six operands. Raises ValueError for anything else."""
    values = [float(operand) for operand in operands]
    if len(values) != 6 or not all(map(math.isfinite, values)):
        raise ValueError("a matrix has six numbers")
    return Matrix(*values)


def get_scale(matrix: Matrix) -> float:
    """Return the mean factor by which a matrix enlarges lengths."""
    return math.sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))


def measure_extent(points: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return width and height of the box around points; 0 of none."""
    xs, ys = tuple(zip(*points, strict=True)) or ((0.0,), (0.0,))
    return max(xs) - min(xs), max(ys) - min(ys)


def operands_to_rgb(operands: Iterable[Any]) -> Colour:
    """Convert the operands of a grey, RGB or CMYK colour, 0 to 1, to RGB."""
    values = [float(operand) for operand in operands]
    if len(values) == 1:
        return (values[0],) * 3
    if len(values) == 4:
        return cmyk_to_rgb(values)
    return values[0], values[1], values[2]

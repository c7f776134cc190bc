"""A walker that rewrites the colours of a page or form.

A new colour depends on what is painted with it: a letter, a ground, a thin line. So colours are
held back until something is painted, and written just before it. Operators: ISO 32000-1, annex A.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Matrix, Name, Operator

from cardgen.core.colour_math import BLACK
from cardgen.core.units import convert_to_points
from cardgen.pdf import graphics_state

Instruction = tuple[list[Any], str]
"""Operands and the name of an operator."""
_PATH_OPERATORS = frozenset({"m", "l", "c", "v", "y", "re", "h", "W", "W*"})
_DEVICE_SPACES = {"g": "/DeviceGray", "rg": "/DeviceRGB", "k": "/DeviceCMYK"}
_THIN_MM = 0.7
"""A filled area thinner than this is a line."""


@dataclass(frozen=True)
class PaintState(graphics_state.GraphicsState):
    """The graphics state with colours.

    A pattern is a tuple of the word `pattern` and its operands. Pairs are those of fill and stroke;
    `overprint` is that of strokes and fills.
    """

    fill: Any = BLACK
    stroke: Any = BLACK
    spaces: tuple[str, str] = ("/DeviceGray", "/DeviceGray")
    last_written: tuple[Any, Any] = (None, None)
    overprint: tuple[bool, bool] = (False, False)


class OperatorPainter(graphics_state.StateWalker[PaintState], ABC):
    """Walks through the operators of a stream and writes them with other colours."""

    def __init__(self, ctm: Matrix) -> None:
        super().__init__(PaintState(ctm))
        self.path: list[Instruction] = []
        """Operators that build the current path, held back until it is painted."""

    @abstractmethod
    def read_colour(self, operands: list[Any], space: str) -> Any:
        """Return what to remember of a colour in a colour space of that name."""

    @abstractmethod
    def paint_path(self, name: str) -> Iterator[Instruction]:
        """Write colours, the path that was held back, and the operator that paints it."""

    @abstractmethod
    def show_text(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write colours, and the operator that shows text."""

    def draw_object(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Write the operator that paints a form, image or gradient."""
        yield operands, name

    def rewrite_stream(self, stream: Any) -> bytes:
        """Return the content of a stream with other colours."""
        rewritten: list[Any] = []
        for each in pikepdf.parse_content_stream(stream):
            inline = isinstance(each, pikepdf.ContentStreamInlineImage)
            operands = [each.iimage] if inline else list(each.operands)
            rewritten += self._rewrite_one(operands, str(each.operator))
        listed = [(operands, Operator(name)) for operands, name in rewritten]
        return bytes(pikepdf.unparse_content_stream(listed))

    def _rewrite_one(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        if name in _PATH_OPERATORS:
            self.path.append((operands, name))
        elif name in graphics_state.PATH_END_OPERATORS:
            yield from self.paint_path(name)
            self.path = []
        elif self._keep_colour(operands, name):
            return
        elif name in graphics_state.TEXT_OPERATORS:
            yield from self.show_text(operands, name)
        elif name in {"Do", "sh", "INLINE IMAGE"}:
            yield from self.draw_object(operands, name)
        else:
            self.follow_state(operands, name)
            yield operands, name

    def _keep_colour(self, operands: list[Any], name: str) -> bool:
        """Remember a colour instead of writing it; return False for other operators."""
        low = name.lower()
        side = 0 if name == low else 1
        value: Any = BLACK
        spaces = list(self.state.spaces)
        if low in _DEVICE_SPACES:
            spaces[side] = _DEVICE_SPACES[low]
            value = self.read_colour(operands, spaces[side])
        elif low in {"sc", "scn"}:
            has_name = any(isinstance(part, Name) for part in operands)
            value = ("pattern", *operands) if has_name else self.read_colour(operands, spaces[side])
        elif low == "cs":
            spaces[side] = str(operands[0])
        else:
            return False
        changes = {("fill", "stroke")[side]: value, "spaces": tuple(spaces)}
        self.state = replace(self.state, **changes)
        return True

    @property
    def is_clipping(self) -> bool:
        """Say if the path held back becomes a clip, too."""
        return any(name in {"W", "W*"} for _, name in self.path)

    @property
    def is_thin(self) -> bool:
        """Say if the path held back is so thin that its fill is a line."""
        return min(self.measure_path()) < convert_to_points(_THIN_MM)

    def measure_path(self) -> tuple[float, float]:
        """Return width and height of the box around the path held back, in pt on the page."""
        corners = map(self.state.ctm.transform, _iterate_points(self.path))
        return graphics_state.measure_extent(corners)

    def write_colour(
        self, side: int, value: Any, operators: Iterable[tuple[Iterable[Any], str]] = ()
    ) -> Iterator[Instruction]:
        """Write the operators of a colour, as for fills, unless it was the last one written.

        A pattern has its own operators.
        """
        written = list(self.state.last_written)
        if written[side] == value:
            return
        written[side] = value
        self.state = replace(self.state, last_written=(written[0], written[1]))
        if value[0] == "pattern":
            operators = [([Name.Pattern], "cs"), (value[1:], "scn")]
        for operands, name in operators:
            yield list(operands), name.upper() if side else name


def _iterate_points(path: Iterable[Instruction]) -> Iterator[tuple[float, float]]:
    for operands, name in path:
        numbers = [float(part) for part in operands]
        if len(numbers) == 4 and name == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y, x, y + height, x + width, y + height]
        yield from zip(numbers[::2], numbers[1::2], strict=True)

"""A walk through the operators of a page or form, for those who change its colours.

What a colour becomes depends on what it paints: a letter, a ground, a thin line. So colours are
held back until something is painted, and written just before it. Operators: ISO 32000-1, annex A.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
from pikepdf import Matrix, Name, Operator

from cardgen.core.colour_math import BLACK
from cardgen.core.units import convert_to_points
from cardgen.pdf.drawing_recolour import IDENTITY, make_matrix

Instruction = tuple[list[Any], str]
FILL_OPERATORS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
STROKE_OPERATORS = frozenset({"S", "s", "B", "B*", "b", "b*"})
_PATH_OPERATORS = frozenset({"m", "l", "c", "v", "y", "re", "h", "W", "W*"})
_TEXT_OPERATORS = frozenset({"Tj", "TJ", "'", '"'})
_DEVICE_SPACES = {"g": "/DeviceGray", "rg": "/DeviceRGB", "k": "/DeviceCMYK"}
_THIN_MM = 0.7
"""A fill is a line when it is thinner, mm."""


@dataclass(frozen=True)
class PaintState:
    """The graphics state, as far as colours need it. A pattern stands as its operands, after the
    word `pattern`."""

    ctm: Matrix = IDENTITY
    fill: Any = BLACK
    stroke: Any = BLACK
    spaces: tuple[str, str] = ("/DeviceGray", "/DeviceGray")
    width: float = 1.0
    size: float = 0.0
    text: Matrix = IDENTITY
    last_written: tuple[Any, Any] = (None, None)
    rendering: int = 0
    overprint: tuple[bool, bool] = (False, False)
    """Whether strokes and fills overprint what lies below."""


class OperatorPainter(ABC):
    """Walks through a stream's operators and writes them anew."""

    def __init__(self, ctm: Matrix) -> None:
        self.state = PaintState(ctm)
        self.stack: list[PaintState] = []
        self.path: list[Instruction] = []

    @abstractmethod
    def read_colour(self, operands: list[Any], space: str) -> Any:
        """What is remembered of a colour that is no pattern, in a colour space of that name."""

    @abstractmethod
    def paint_path(self, name: str) -> Iterator[Instruction]:
        """Colours, the path that was held back, and what paints it."""

    @abstractmethod
    def show_text(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Colours, and the letters."""

    def draw_object(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """What puts a form, picture, gradient or inline picture on the page."""
        yield operands, name

    def rewrite(self, instructions: Iterable[Instruction]) -> Iterator[Instruction]:
        """The instructions with their colours changed."""
        for operands, name in instructions:
            yield from self._rewrite_one(operands, name)

    def rewrite_stream(self, stream: Any) -> bytes:
        """The content of a stream with its colours changed."""
        read = pikepdf.parse_content_stream(stream)
        return serialise_instructions(
            self.rewrite((_get_operands(each), str(each.operator)) for each in read)
        )

    def _rewrite_one(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        if name in _PATH_OPERATORS:
            self.path.append((operands, name))
        elif name in FILL_OPERATORS or name in STROKE_OPERATORS or name == "n":
            yield from self.paint_path(name)
            self.path = []
        elif self._keep_colour(operands, name):
            return
        elif name in _TEXT_OPERATORS:
            yield from self.show_text(operands, name)
        elif name in {"Do", "sh", "INLINE IMAGE"}:
            yield from self.draw_object(operands, name)
        else:
            self._follow_state(operands, name)
            yield operands, name

    def _keep_colour(self, operands: list[Any], name: str) -> bool:
        """Remember a colour instead of writing it."""
        low = name.lower()
        side = 0 if name == low else 1
        value: Any = BLACK
        if low in _DEVICE_SPACES:
            value = self.read_colour(operands, _DEVICE_SPACES[low])
            self._set_space(side, _DEVICE_SPACES[low])
        elif low in {"sc", "scn"}:
            named = any(isinstance(part, Name) for part in operands)
            space = self.state.spaces[side]
            value = ("pattern", *operands) if named else self.read_colour(operands, space)
        elif low == "cs":
            self._set_space(side, str(operands[0]))
        else:
            return False
        self.state = replace(self.state, **{("fill", "stroke")[side]: value})
        return True

    def _set_space(self, side: int, space: str) -> None:
        spaces = list(self.state.spaces)
        if spaces[side] != space:
            spaces[side] = space
            self.state = replace(self.state, spaces=(spaces[0], spaces[1]))

    def _follow_state(self, operands: list[Any], name: str) -> None:
        state = self.state
        if name == "q":
            self.stack.append(state)
        elif name == "Q" and self.stack:
            self.state = self.stack.pop()
        elif name == "cm":
            self.state = replace(state, ctm=make_matrix(operands) @ state.ctm)
        elif name == "w":
            self.state = replace(state, width=float(operands[0]))
        elif name == "Tf":
            self.state = replace(state, size=float(operands[1]))
        elif name == "Tm":
            self.state = replace(state, text=make_matrix(operands))
        elif name == "BT":
            self.state = replace(state, text=IDENTITY)
        elif name == "Tr":
            self.state = replace(state, rendering=int(operands[0]))

    @property
    def is_clipping(self) -> bool:
        """Whether the path held back becomes a clip, too."""
        return any(name in {"W", "W*"} for _, name in self.path)

    @property
    def is_thin(self) -> bool:
        """Whether the path held back is so thin that its fill is a line."""
        return min(self.measure_path()) < convert_to_points(_THIN_MM)

    def measure_path(self) -> tuple[float, float]:
        """Width and height of the box round the path held back, pt on the page."""
        spots = [self.state.ctm.transform(spot) for spot in _iterate_points(self.path)]
        across, up = [x for x, _ in spots], [y for _, y in spots]
        return (max(across) - min(across), max(up) - min(up)) if spots else (0.0, 0.0)

    def needs_colour(self, side: int, value: Any) -> bool:
        """Whether a colour must be written, as it is not the one last written; then it is noted."""
        written = list(self.state.last_written)
        if written[side] == value:
            return False
        written[side] = value
        self.state = replace(self.state, last_written=(written[0], written[1]))
        return True


def _get_operands(instruction: Any) -> list[Any]:
    inline = isinstance(instruction, pikepdf.ContentStreamInlineImage)
    return [instruction.iimage] if inline else list(instruction.operands)


def _iterate_points(path: Iterable[Instruction]) -> Iterator[tuple[float, float]]:
    for operands, _ in path:
        numbers = [float(part) for part in operands]
        if len(numbers) == 4 and _ == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y, x, y + height, x + width, y + height]
        yield from zip(numbers[::2], numbers[1::2], strict=True)


def get_scale(placed: Matrix) -> float:
    """How much larger a length becomes by a matrix."""
    return math.sqrt(abs(placed.a * placed.d - placed.b * placed.c)) or 1.0


def serialise_instructions(instructions: Iterable[Instruction]) -> bytes:
    """The instructions as the text of a stream."""
    listed = [(operands, Operator(name)) for operands, name in instructions]
    return bytes(pikepdf.unparse_content_stream(listed))

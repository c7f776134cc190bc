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

from cardgen.base.units import points
from cardgen.pdf.inks import BLACK
from cardgen.pdf.redraw import UNIT, matrix

Instruction = tuple[list[Any], str]
FILLS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
STROKES = frozenset({"S", "s", "B", "B*", "b", "b*"})
_BUILDS = frozenset({"m", "l", "c", "v", "y", "re", "h", "W", "W*"})
_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_SPACES = {"g": "/DeviceGray", "rg": "/DeviceRGB", "k": "/DeviceCMYK"}
_THIN = 0.7
"""A fill is a line when it is thinner, mm."""


@dataclass(frozen=True)
class State:
    """The graphics state, as far as colours need it. A pattern stands as its operands, after the
    word `pattern`."""

    ctm: Matrix = UNIT
    fill: Any = BLACK
    stroke: Any = BLACK
    spaces: tuple[str, str] = ("/DeviceGray", "/DeviceGray")
    width: float = 1.0
    size: float = 0.0
    text: Matrix = UNIT
    written: tuple[Any, Any] = (None, None)
    rendering: int = 0
    over: tuple[bool, bool] = (False, False)
    """Whether strokes and fills overprint what lies below."""


class Painter(ABC):
    """Walks through a stream's operators and writes them anew."""

    def __init__(self, ctm: Matrix) -> None:
        self.state = State(ctm)
        self.stack: list[State] = []
        self.path: list[Instruction] = []

    @abstractmethod
    def colour(self, operands: list[Any], space: str) -> Any:
        """What is remembered of a colour that is no pattern, in a colour space of that name."""

    @abstractmethod
    def paint(self, name: str) -> Iterator[Instruction]:
        """Colours, the path that was held back, and what paints it."""

    @abstractmethod
    def show(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """Colours, and the letters."""

    def draw(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        """What puts a form, picture, gradient or inline picture on the page."""
        yield operands, name

    def run(self, instructions: Iterable[Instruction]) -> Iterator[Instruction]:
        """The instructions with their colours changed."""
        for operands, name in instructions:
            yield from self._one(operands, name)

    def changed(self, stream: Any) -> bytes:
        """The content of a stream with its colours changed."""
        read = pikepdf.parse_content_stream(stream)
        return unparsed(self.run((_operands_of(each), str(each.operator)) for each in read))

    def _one(self, operands: list[Any], name: str) -> Iterator[Instruction]:
        if name in _BUILDS:
            self.path.append((operands, name))
        elif name in FILLS or name in STROKES or name == "n":
            yield from self.paint(name)
            self.path = []
        elif self._keep(operands, name):
            return
        elif name in _SHOWS:
            yield from self.show(operands, name)
        elif name in {"Do", "sh", "INLINE IMAGE"}:
            yield from self.draw(operands, name)
        else:
            self._follow(operands, name)
            yield operands, name

    def _keep(self, operands: list[Any], name: str) -> bool:
        """Remember a colour instead of writing it."""
        low = name.lower()
        side = 0 if name == low else 1
        value: Any = BLACK
        if low in _SPACES:
            value = self.colour(operands, _SPACES[low])
            self._in_space(side, _SPACES[low])
        elif low in {"sc", "scn"}:
            named = any(isinstance(part, Name) for part in operands)
            space = self.state.spaces[side]
            value = ("pattern", *operands) if named else self.colour(operands, space)
        elif low == "cs":
            self._in_space(side, str(operands[0]))
        else:
            return False
        self.state = replace(self.state, **{("fill", "stroke")[side]: value})
        return True

    def _in_space(self, side: int, space: str) -> None:
        spaces = list(self.state.spaces)
        if spaces[side] != space:
            spaces[side] = space
            self.state = replace(self.state, spaces=(spaces[0], spaces[1]))

    def _follow(self, operands: list[Any], name: str) -> None:
        state = self.state
        if name == "q":
            self.stack.append(state)
        elif name == "Q" and self.stack:
            self.state = self.stack.pop()
        elif name == "cm":
            self.state = replace(state, ctm=matrix(operands) @ state.ctm)
        elif name == "w":
            self.state = replace(state, width=float(operands[0]))
        elif name == "Tf":
            self.state = replace(state, size=float(operands[1]))
        elif name == "Tm":
            self.state = replace(state, text=matrix(operands))
        elif name == "BT":
            self.state = replace(state, text=UNIT)
        elif name == "Tr":
            self.state = replace(state, rendering=int(operands[0]))

    @property
    def clips(self) -> bool:
        """Whether the path held back becomes a clip, too."""
        return any(name in {"W", "W*"} for _, name in self.path)

    @property
    def thin(self) -> bool:
        """Whether the path held back is so thin that its fill is a line."""
        return min(self.extent()) < points(_THIN)

    def extent(self) -> tuple[float, float]:
        """Width and height of the box round the path held back, pt on the page."""
        spots = [self.state.ctm.transform(spot) for spot in _spots(self.path)]
        across, up = [x for x, _ in spots], [y for _, y in spots]
        return (max(across) - min(across), max(up) - min(up)) if spots else (0.0, 0.0)

    def turn(self, side: int, value: Any) -> bool:
        """Whether a colour must be written, as it is not the one last written; then it is noted."""
        written = list(self.state.written)
        if written[side] == value:
            return False
        written[side] = value
        self.state = replace(self.state, written=(written[0], written[1]))
        return True


def _operands_of(instruction: Any) -> list[Any]:
    inline = isinstance(instruction, pikepdf.ContentStreamInlineImage)
    return [instruction.iimage] if inline else list(instruction.operands)


def _spots(path: Iterable[Instruction]) -> Iterator[tuple[float, float]]:
    for operands, _ in path:
        numbers = [float(part) for part in operands]
        if len(numbers) == 4 and _ == "re":
            x, y, width, height = numbers
            numbers = [x, y, x + width, y, x, y + height, x + width, y + height]
        yield from zip(numbers[::2], numbers[1::2], strict=True)


def scale_of(placed: Matrix) -> float:
    """How much larger a length becomes by a matrix."""
    return math.sqrt(abs(placed.a * placed.d - placed.b * placed.c)) or 1.0


def unparsed(instructions: Iterable[Instruction]) -> bytes:
    """The instructions as the text of a stream."""
    listed = [(operands, Operator(name)) for operands, name in instructions]
    return bytes(pikepdf.unparse_content_stream(listed))

"""Imposition: where each piece lies on the paper. Pure arithmetic, no PDF. Lengths in mm.

Paper is upright and is turned over its long edge for the backs, so a back stands in the mirrored
column of its front. Coordinates run from the paper's bottom left; slots from the top left, row by
row, as one reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from cardgen.units import Size

T = TypeVar("T")

# The trim of a piece keeps this far from the paper's edge; home printers reach 4-6.7 mm.
MARGIN = 5.0
# Neighbours overlap by so much along a shared cut, or viewers show a hairline of paper there.
OVERLAP = 0.1


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class Slot:
    """A place on a sheet: the trim box of a piece, what may be painted, and how it is turned.

    `turn` is 0, or 90 for a piece whose top points left, or -90 for one whose top points right.
    """

    trim: Box
    paint: Box
    turn: int


@dataclass(frozen=True)
class Grid:
    """The places of one sheet. `turned` pieces lie on their side."""

    paper: Size
    cell: Size
    bleed: float
    columns: int
    rows: int
    turned: bool

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    @property
    def left(self) -> float:
        return (self.paper.width - self.columns * self.cell.width) / 2

    @property
    def bottom(self) -> float:
        return (self.paper.height - self.rows * self.cell.height) / 2

    def slots(self, side: str) -> list[Slot]:
        """The places in reading order of the fronts; for the backs, each behind its front."""
        columns = range(self.columns)
        order = columns if side == "front" else reversed(columns)
        across = list(order)
        turn = 0 if not self.turned else 90 if side == "front" else -90
        return [
            self._slot(column, self.rows - 1 - row, turn)
            for row in range(self.rows)
            for column in across
        ]

    def _slot(self, column: int, row: int, turn: int) -> Slot:
        left = self.left + column * self.cell.width
        bottom = self.bottom + row * self.cell.height
        trim = Box(left, bottom, left + self.cell.width, bottom + self.cell.height)
        paint = Box(
            trim.left - (self.bleed if column == 0 else OVERLAP),
            trim.bottom - (self.bleed if row == 0 else OVERLAP),
            trim.right + (self.bleed if column == self.columns - 1 else OVERLAP),
            trim.top + (self.bleed if row == self.rows - 1 else OVERLAP),
        )
        return Slot(trim, paint, turn)

    def cuts(self) -> tuple[list[float], list[float]]:
        """Where the knife goes: x of the vertical cuts, y of the horizontal ones."""
        xs = [self.left + column * self.cell.width for column in range(self.columns + 1)]
        ys = [self.bottom + row * self.cell.height for row in range(self.rows + 1)]
        return xs, ys


def fit(paper: Size, piece: Size, bleed: float) -> Grid | None:
    """The regular grid that takes most pieces, upright or turned; None when not one fits."""
    upright = _grid(paper, piece, bleed, turned=False)
    lying = _grid(paper, piece.turned(), bleed, turned=True)
    best = max(upright, lying, key=lambda grid: grid.capacity)
    return best if best.capacity else None


def _grid(paper: Size, cell: Size, bleed: float, *, turned: bool) -> Grid:
    columns = int((paper.width - 2 * MARGIN + 1e-6) // cell.width)
    rows = int((paper.height - 2 * MARGIN + 1e-6) // cell.height)
    return Grid(paper, cell, bleed, max(0, columns), max(0, rows), turned)


def sheets(pieces: Sequence[T], capacity: int) -> list[Sequence[T]]:
    """The pieces of each sheet, in order."""
    return [pieces[start : start + capacity] for start in range(0, len(pieces), capacity)]


def letters(pieces: Sequence[str], grid: Grid, side: str) -> str:
    """A sheet as text, a letter a piece and `.` for a free place, as one sees that side.

    Turned pieces and all, what stands where: fronts `ABC/DEF`, backs `CBA/FED`.
    """
    rows = [["."] * grid.columns for _ in range(grid.rows)]
    for letter, slot in zip(pieces, grid.slots(side), strict=False):
        column = round((slot.trim.left - grid.left) / grid.cell.width)
        row = grid.rows - 1 - round((slot.trim.bottom - grid.bottom) / grid.cell.height)
        rows[row][column] = letter
    return "/".join("".join(row) for row in rows)

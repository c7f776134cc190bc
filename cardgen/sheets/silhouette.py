"""Sheets for Silhouette cutting machines: registration marks, and a grid they can be cut from.

The machine is fed the paper lying, the square mark at its top left. There the grid is counted in
whole pixels at 300 to the inch, as the cutting templates of the field are; then it is stood up
with the paper, whose pages are always upright. Lengths in mm.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardgen.base.units import MM_PER_INCH, Box, Size
from cardgen.sheets.imposition import Grid, Room

INSET, THICKNESS, ARM = 10.0, 1.0, 5.0
SQUARE = 5.0
# No piece comes so near to a mark's corner, and no bleed is painted there.
KEEP_OUT = 6.5
GAP = 1.25
_PPI = 300


@dataclass(frozen=True)
class Lying:
    """The grid on lying paper, in pixels from its top left: where each column and row begins."""

    xs: tuple[int, ...]
    ys: tuple[int, ...]


def _px(mm: float) -> int:
    return round(mm / MM_PER_INCH * _PPI)


def _mm(px: float) -> float:
    return px / _PPI * MM_PER_INCH


def _starts(paper: float, cell: float, gap: float, count: int) -> tuple[int, ...]:
    pitch = _px(cell) + _px(gap)
    first = round((_px(paper) - (count - 1) * pitch - _px(cell)) / 2)
    return tuple(first + n * pitch for n in range(count))


def lying(paper: Size, cell: Size, gap: float, margin: float) -> Lying | None:
    """The fullest grid on lying paper whose pieces keep clear of the marks."""
    across, down = max(paper.width, paper.height), min(paper.width, paper.height)
    most = (int((across + gap) // (cell.width + gap)), int((down + gap) // (cell.height + gap)))
    found = []
    for columns in range(1, most[0] + 1):
        for rows in range(1, most[1] + 1):
            xs = _starts(across, cell.width, gap, columns)
            ys = _starts(down, cell.height, gap, rows)
            left, top = _mm(xs[0]), _mm(ys[0])
            clear = max(left, top) >= INSET + KEEP_OUT
            if clear and min(left, top) >= margin:
                found.append(Lying(xs, ys))
    return max(found, key=lambda grid: len(grid.xs) * len(grid.ys), default=None)


def fit(room: Room, piece: Size, bleed: float) -> Grid | None:
    """The grid on upright paper: what lies at the left there lies at the foot here."""
    paper, gap = room.paper, max(room.gap, GAP)
    both = [(cell, lying(paper, cell, gap, room.margin)) for cell in (piece, piece.turned())]
    known = [(cell, grid) for cell, grid in both if grid is not None]
    if not known:
        return None
    cell, grid = max(known, key=lambda pair: len(pair[1].xs) * len(pair[1].ys))
    pitch = Size(_mm(_px(cell.height) + _px(gap)), _mm(_px(cell.width) + _px(gap)))
    # Turned counter-clockwise: x runs up the paper, and what was the top is at the left.
    return Grid(
        paper, cell.turned(), bleed, gap, len(grid.ys), len(grid.xs),
        _mm(grid.ys[0]), _mm(grid.xs[0]), pitch,
    )  # fmt: skip


def marks(paper: Size) -> list[Box]:
    """What is printed black on upright paper: a square at its bottom left, which is the top left
    of paper that lies, and an angle at its bottom right and at its top left."""
    left, bottom = INSET, INSET
    right, top = paper.width - INSET, paper.height - INSET
    return [
        Box(left, bottom, left + SQUARE, bottom + SQUARE),
        Box(right - ARM, bottom, right, bottom + THICKNESS),
        Box(right - THICKNESS, bottom, right, bottom + ARM),
        Box(left, top - THICKNESS, left + ARM, top),
        Box(left, top - ARM, left + THICKNESS, top),
    ]


def keep_out(paper: Size) -> list[Box]:
    """What must stay white round the marks, on upright paper."""
    k, spare = KEEP_OUT, KEEP_OUT - ARM
    left, bottom = INSET - spare, INSET - spare
    right, top = paper.width - left, paper.height - bottom
    side = k + spare
    return [
        Box(left, bottom, left + side, bottom + side),
        Box(right - side, bottom, right, bottom + side),
        Box(left, top - side, left + side, top),
    ]

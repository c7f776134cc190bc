"""Registration marks and grids for Silhouette cutting machines. Lengths are mm.

Most machines look for three marks, a square and two angles; newer ones for an angle in each corner.
The machine is fed landscape paper with the square at its top left. The grid is counted there in
whole pixels at 300 ppi, as in common cutting templates, and then turned upright with the paper,
since pages are always upright.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardgen.core.units import MM_PER_INCH, Box, Size
from cardgen.sheets.imposition import PrintableArea, SheetGrid

THREE_MARKS, FOUR_MARKS = "silhouette", "silhouette-4"
"""Kinds of marks: of most machines, and of those that look for four angles."""
MARK_KINDS = (THREE_MARKS, FOUR_MARKS)
SQUARE_MARK_MM = 5.0
# Clearance beyond a mark's arms for pieces and bleed.
_CLEARANCE_MM = 1.5
MIN_PIECE_GAP_MM = 1.25
_PIXELS_PER_INCH = 300


@dataclass(frozen=True)
class MarkDimensions:
    """Dimensions that the machine's software is set to: distance of the marks' corners from the
    paper's edges, length of their arms and thickness of their lines."""

    inset: float = 10.0
    length: float = 5.0
    thickness: float = 1.0

    @property
    def corner_clearance(self) -> float:
        """Distance that pieces keep from a mark's corner, along both edges."""
        return max(self.length, SQUARE_MARK_MM) + _CLEARANCE_MM

    @property
    def edge_clearance(self) -> float:
        """The same distance from the paper's edges."""
        return self.inset + self.corner_clearance


DEFAULT_DIMENSIONS = MarkDimensions()
MIN_DIMENSIONS, MAX_DIMENSIONS = MarkDimensions(3.5, 4, 0.2), MarkDimensions(50, 40, 3)
"""Bounds of each dimension."""


@dataclass(frozen=True)
class LandscapeGrid:
    """Left and top of each column and row on landscape paper, in pixels from its top left."""

    xs: tuple[int, ...]
    ys: tuple[int, ...]


def _convert_to_pixels(mm: float) -> int:
    return round(mm / MM_PER_INCH * _PIXELS_PER_INCH)


def _convert_to_mm(px: float) -> float:
    return px / _PIXELS_PER_INCH * MM_PER_INCH


def _list_starts(paper: float, cell: float, gap: float, count: int) -> tuple[int, ...]:
    pitch = _convert_to_pixels(cell) + _convert_to_pixels(gap)
    first = round((_convert_to_pixels(paper) - (count - 1) * pitch - _convert_to_pixels(cell)) / 2)
    return tuple(first + n * pitch for n in range(count))


def fit_landscape_grid(
    room: PrintableArea, cell: Size, figures: MarkDimensions = DEFAULT_DIMENSIONS
) -> LandscapeGrid | None:
    """Return the fullest grid on landscape paper whose pieces keep clear of the marks.

    The room is upright; its foot becomes the left, so its rows are columns here. Pieces stay within
    the rectangle that the marks span, since machines cut nothing beyond it.
    """
    across, down = room.paper.height, room.paper.width
    gaps, sides = room.gap.rotate(), room.margins
    max_counts = (
        int((across + gaps.width) // (cell.width + gaps.width)),
        int((down + gaps.height) // (cell.height + gaps.height)),
    )
    grids = []
    for columns in range(1, max_counts[0] + 1):
        for rows in range(1, max_counts[1] + 1):
            xs = _list_starts(across, cell.width, gaps.width, columns)
            ys = _list_starts(down, cell.height, gaps.height, rows)
            left, top = _convert_to_mm(xs[0]), _convert_to_mm(ys[0])
            clear = max(left, top) >= figures.edge_clearance
            clear = clear and left >= max(sides.top, sides.bottom, figures.inset)
            clear = clear and top >= max(sides.left, sides.right, figures.inset)
            if clear and room.grid in {None, (rows, columns)}:
                grids.append(LandscapeGrid(xs, ys))
    return max(grids, key=lambda grid: len(grid.xs) * len(grid.ys), default=None)


def fit_machine_grid(
    room: PrintableArea, piece: Size, bleed: float, figures: MarkDimensions = DEFAULT_DIMENSIONS
) -> SheetGrid | None:
    """Return the grid on upright paper: the left of landscape paper is at its foot."""
    gap = Size(max(room.gap.width, MIN_PIECE_GAP_MM), max(room.gap.height, MIN_PIECE_GAP_MM))
    room = replace(room, gap=gap)
    cells = (piece, piece.rotate())
    candidates = [(cell, fit_landscape_grid(room, cell, figures)) for cell in cells]
    fitting = [(cell, grid) for cell, grid in candidates if grid is not None]
    if not fitting:
        return None
    cell, grid = max(fitting, key=lambda pair: len(pair[1].xs) * len(pair[1].ys))
    pitch = Size(
        _convert_to_mm(_convert_to_pixels(cell.height) + _convert_to_pixels(gap.width)),
        _convert_to_mm(_convert_to_pixels(cell.width) + _convert_to_pixels(gap.height)),
    )
    # Turned counter-clockwise: x runs up the paper, and the top becomes the left.
    return SheetGrid(
        room.paper, cell.rotate(), bleed, gap, len(grid.ys), len(grid.xs),
        _convert_to_mm(grid.ys[0]), _convert_to_mm(grid.xs[0]), pitch,
    )  # fmt: skip


def list_registration_marks(
    paper: Size, kind: str = THREE_MARKS, figures: MarkDimensions = DEFAULT_DIMENSIONS
) -> list[Box]:
    """Return the black boxes on upright paper: an angle in each corner.

    With three marks there is a square at the bottom left, which is the top left of landscape paper,
    and nothing at the top right.
    """
    inset = figures.inset
    boxes = []
    for right in (False, True):
        for top in (False, True):
            x, y = paper.width - inset if right else inset, paper.height - inset if top else inset
            if kind == THREE_MARKS and right == top:
                boxes += [] if top else [Box(x, y, x + SQUARE_MARK_MM, y + SQUARE_MARK_MM)]
            else:
                boxes += _make_angle_mark(x, y, right=right, top=top, figures=figures)
    return boxes


def _make_angle_mark(
    x: float, y: float, *, right: bool, top: bool, figures: MarkDimensions
) -> list[Box]:
    """Return the arms of a mark with its corner at that point; they point to the paper's middle."""
    return [
        _make_box(x, y, -width if right else width, -height if top else height)
        for width, height in (
            (figures.length, figures.thickness), (figures.thickness, figures.length),
        )
    ]  # fmt: skip


def _make_box(x: float, y: float, across: float, up: float) -> Box:
    return Box(min(x, x + across), min(y, y + up), max(x, x + across), max(y, y + up))


def list_clear_areas(
    paper: Size, kind: str = THREE_MARKS, figures: MarkDimensions = DEFAULT_DIMENSIONS
) -> list[Box]:
    """Return the boxes around the marks that must stay white, on upright paper."""
    near, far = figures.inset - _CLEARANCE_MM, figures.edge_clearance
    xs = ((near, far), (paper.width - far, paper.width - near))
    ys = ((near, far), (paper.height - far, paper.height - near))
    return [
        Box(left, bottom, right, top)
        for column, (left, right) in enumerate(xs)
        for row, (bottom, top) in enumerate(ys)
        if kind == FOUR_MARKS or not (column and row)
    ]

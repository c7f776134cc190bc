"""Imposition of pieces on sheets, and of pages in booklets. Geometry in mm, no PDF.

Paper is upright. Coordinates start at the bottom left of the side that one looks at, backs
included. Slots run from the top left, row by row. Turning paper over its long edge swaps left and
right; over its short edge, top and bottom.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from cardgen.core.units import DEFAULT_MARGINS, NO_GAP, Box, Margins, Size
from cardgen.game.shapes import PLAIN_FORM, PieceForm

_SPAN_PATTERN = re.compile(r"([0-9]{1,5})(?:\s*-\s*([0-9]{1,5}))?\Z")


@dataclass(frozen=True)
class NumberRanges:
    """Ordered, separate spans of whole numbers from 1, as (first, last)."""

    spans: tuple[tuple[int, int], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(f"{a}-{b}" if b > a else f"{a}" for a, b in self.spans)

    def list_beyond(self, limit: int) -> NumberRanges:
        """Return the spans of numbers above a limit."""
        return NumberRanges(tuple((max(a, limit + 1), b) for a, b in self.spans if b > limit))


ALL_NUMBERS = NO_NUMBERS = NumberRanges()
"""No numbers given. For sheets to print it means all, for places to skip none."""


def parse_numbers(text: str) -> NumberRanges | None:
    """Parse text such as `2-4,7`; return None if it is malformed."""
    spans: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _SPAN_PATTERN.match(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last:
            return None
        spans.append((first, last))
    return NumberRanges(_join_spans(spans))


def find_spans(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Return numbers as ordered spans (first, last)."""
    return _join_spans((number, number) for number in numbers)


def _join_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return ordered spans with adjacent ones joined."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)


T = TypeVar("T")

# Overlap of neighbours along a shared cut, where viewers would show a hairline of paper.
CUT_OVERLAP_MM = 0.1
# Distance of cards from the line where fronts are folded onto backs.
FOLD_GUTTER_MM = 3.0

LONG_EDGE, SHORT_EDGE = "long", "short"
"""Edge that paper is turned over, or whose parallel through the middle it is folded along."""


@dataclass(frozen=True)
class PieceFormat:
    """Properties that pieces on one sheet have in common. `gap` is the distance between two of
    them, across and down the sheet."""

    size: Size
    bleed: float
    form: PieceForm = PLAIN_FORM
    gap: Size = NO_GAP

    @property
    def upright(self) -> PieceFormat:
        """The same format for upright pieces, so that landscape cards share sheets with portrait
        ones."""
        standing = self.size.width <= self.size.height
        return self if standing else replace(self, size=self.size.rotate())


@dataclass(frozen=True)
class Slot:
    """A place on a sheet: the trim box of a piece, the box that may be painted, and its turn.

    `turn` is in degrees counter-clockwise: 90 puts the piece's top at the left.
    """

    trim: Box
    paint: Box
    turn: int


@dataclass(frozen=True)
class SheetGrid:
    """Places of one side of a sheet: a block of cells from its bottom left corner.

    `gaps` are the distances between cells, across and down.
    """

    paper: Size
    cell: Size
    bleed: float
    gaps: Size
    columns: int
    rows: int
    left: float
    bottom: float
    pitch: Size

    @property
    def capacity(self) -> int:
        return self.columns * self.rows

    @property
    def trim_block(self) -> Box:
        """The box around all trim boxes."""
        return Box(
            self.left,
            self.bottom,
            self.left + (self.columns - 1) * self.pitch.width + self.cell.width,
            self.bottom + (self.rows - 1) * self.pitch.height + self.cell.height,
        )

    def list_slots(self, piece: Size | None = None) -> list[Slot]:
        """Return the slots of fronts in reading order, for pieces of the cell's size or turned."""
        turn = 90 if piece and abs(piece.width - self.cell.width) > 1e-6 else 0
        return [
            self._make_slot(column, row, turn)
            for row in reversed(range(self.rows))
            for column in range(self.columns)
        ]

    def crop_to_count(self, count: int) -> SheetGrid:
        """Return the grid without rows and columns that stay empty with that many pieces.

        Empty places get no marks, and pieces at the new edge keep their whole bleed.
        """
        rows = min(self.rows, max(1, -(-count // self.columns)))
        columns = min(self.columns, max(1, count))
        bottom = self.bottom + (self.rows - rows) * self.pitch.height
        return replace(self, rows=rows, columns=columns, bottom=bottom)

    def _make_slot(self, column: int, row: int, turn: int) -> Slot:
        left = self.left + column * self.pitch.width
        bottom = self.bottom + row * self.pitch.height
        trim = Box(left, bottom, left + self.cell.width, bottom + self.cell.height)
        across, down = map(self._measure_inner_bleed, (self.gaps.width, self.gaps.height))
        paint = Box(
            trim.left - (self.bleed if column == 0 else across),
            trim.bottom - (self.bleed if row == 0 else down),
            trim.right + (self.bleed if column == self.columns - 1 else across),
            trim.top + (self.bleed if row == self.rows - 1 else down),
        )
        return Slot(trim, paint, turn)

    def _measure_inner_bleed(self, gap: float) -> float:
        """Return how far neighbours are painted towards each other: half the gap, or over the
        shared cut."""
        return min(self.bleed, gap / 2) if gap else CUT_OVERLAP_MM

    def list_cuts(self, places: Collection[int] | None = None) -> tuple[list[float], list[float]]:
        """Return the x of vertical cuts and the y of horizontal ones, for all places or for those
        counted from 0 in reading order."""
        used_places = range(self.capacity) if places is None else places
        columns = {place % self.columns for place in used_places}
        rows = {self.rows - 1 - place // self.columns for place in used_places}
        return (
            _list_cut_positions(self.left, columns, self.cell.width, self.pitch.width),
            _list_cut_positions(self.bottom, rows, self.cell.height, self.pitch.height),
        )


def _list_cut_positions(
    start: float, cells: Iterable[int], length: float, pitch: float
) -> list[float]:
    ends = {round(start + n * pitch + more, 6) for n in cells for more in (0, length)}
    return sorted(ends)


@dataclass(frozen=True)
class PrintableArea:
    """The area of the paper inside the margins, and how it is divided.

    `gap` is the distance between pieces, across and down. `grid` is the number of columns and rows;
    without it, as many as fit.
    """

    paper: Size
    margins: Margins = DEFAULT_MARGINS
    gap: Size = NO_GAP
    grid: tuple[int, int] | None = None

    def measure_box(self, fold: str = "", bleed: float = 0.0) -> Box:
        """Return the area for fronts; with a fold, the side where the tops of upright pieces meet
        it. Beyond the fold, backs keep the margin of their own side."""
        sides = self.margins
        left, bottom = sides.left, sides.bottom
        right, top = self.paper.width - sides.right, self.paper.height - sides.top
        gutter = max(bleed, FOLD_GUTTER_MM)
        if fold == LONG_EDGE:
            left = self.paper.width / 2 + gutter
            right = min(right, self.paper.width - sides.left)
        elif fold == SHORT_EDGE:
            top = self.paper.height / 2 - gutter
            bottom = max(bottom, sides.top)
        return Box(left, bottom, right, top)


def fit_grid(room: PrintableArea, piece: Size, bleed: float, fold: str = "") -> SheetGrid | None:
    """Return the grid that takes most pieces, upright or turned, or the one asked for. Return None
    if it does not fit.

    Turning the paper would add nothing: upright pieces on landscape paper are turned pieces on
    upright paper.
    """
    grids = [
        _make_grid(room, cell, bleed, fold, count)
        for cell in (piece, piece.rotate())
        for most in [count_cells(room, cell, bleed, fold)]
        for count in [room.grid or most]
        if count[0] <= most[0] and count[1] <= most[1]
    ]
    best = max(grids, key=lambda grid: grid.capacity, default=None)
    return best if best and best.capacity else None


def fit_folded_grid(room: PrintableArea, piece: Size, bleed: float) -> tuple[SheetGrid, str] | None:
    """Return the grid of fronts that takes most pairs, and the edge to fold along.

    Of two equal grids, the one with fronts and backs head to head at the fold is preferred.
    """
    candidates = [(fit_grid(room, piece, bleed, fold), fold) for fold in (SHORT_EDGE, LONG_EDGE)]
    grids = [(grid, fold) for grid, fold in candidates if grid is not None]

    def rank_grid(pair: tuple[SheetGrid, str]) -> tuple[int, bool]:
        grid, fold = pair
        turned = abs(grid.cell.width - piece.width) > 1e-6
        return grid.capacity, turned == (fold == LONG_EDGE)

    return max(grids, key=rank_grid, default=None)


def count_cells(room: PrintableArea, cell: Size, bleed: float, fold: str = "") -> tuple[int, int]:
    """Return the most columns and rows that fit."""
    box, gap = room.measure_box(fold, bleed), room.gap
    columns = int((box.width + gap.width + 1e-6) // (cell.width + gap.width))
    rows = int((box.height + gap.height + 1e-6) // (cell.height + gap.height))
    return max(0, columns), max(0, rows)


def _make_grid(
    room: PrintableArea, cell: Size, bleed: float, fold: str, count: tuple[int, int]
) -> SheetGrid:
    box, gap = room.measure_box(fold, bleed), room.gap
    columns, rows = count
    pitch = Size(cell.width + gap.width, cell.height + gap.height)
    left = (box.left + box.right - columns * pitch.width + gap.width) / 2
    bottom = (box.bottom + box.top - rows * pitch.height + gap.height) / 2
    return SheetGrid(room.paper, cell, bleed, gap, columns, rows, left, bottom, pitch)


@lru_cache(maxsize=1024)
def find_back_slot(slot: Slot, paper: Size, edge: str) -> Slot:
    """Return the slot of a front's back after turning the paper over, or folding it, along that
    edge.

    Front and back of a piece have their tops at the same end.
    """

    def turn_over(box: Box) -> Box:
        if edge == LONG_EDGE:
            return replace(box, left=paper.width - box.right, right=paper.width - box.left)
        return replace(box, bottom=paper.height - box.top, top=paper.height - box.bottom)

    turn = (-slot.turn if edge == LONG_EDGE else 180 - slot.turn) % 360
    return Slot(turn_over(slot.trim), turn_over(slot.paint), turn)


def divide_pieces(
    pieces: Sequence[T], capacity: int, skipped: NumberRanges = NO_NUMBERS
) -> list[tuple[Sequence[T], tuple[int, ...]]]:
    """Return the pieces of each sheet and their places, counted from 0 in reading order.

    `skipped` are places of the first sheet, from 1, to leave empty; skipping all skips none.
    """
    all_places = tuple(range(capacity))
    free = tuple(place for place in all_places if place + 1 not in skipped) or all_places
    divided = [(pieces[: len(free)], free[: len(pieces)])]
    for start in range(len(free), len(pieces), capacity):
        chunk = pieces[start : start + capacity]
        divided.append((chunk, all_places[: len(chunk)]))
    return divided if pieces else []


MAX_SINGLE_SIGNATURE_PAGES = 64
"""Largest number of pages folded in one signature by default: 16 sheets."""
DEFAULT_SIGNATURE_PAGES = 16
"""Pages of each signature where there are more."""


@dataclass(frozen=True)
class BookletSide:
    """Pages on the left and right half of one side of a sheet, from 0; None is blank.

    `depth` is the number of sheets around this one in its signature.
    """

    left: int | None
    right: int | None
    depth: int = 0

    @property
    def pages(self) -> tuple[int | None, int | None]:
        return self.left, self.right


def impose_booklet(
    pages: int, *, from_right: bool = False, signature: int = 0, back: bool = False
) -> list[BookletSide]:
    """Return both sides of every sheet, front before back, outermost sheet of the first signature
    first.

    `signature` is the number of pages folded together; 0 means one signature, or several of 16
    pages if one would be too thick. With `from_right` the book is bound at the right. Blank pages
    fill the count up to a multiple of four: at the end, or before the last page if it is a `back`
    cover. Sheets are turned over on their short edge.
    """
    total = -(-pages // 4) * 4
    page_order: list[int | None] = list(range(pages))
    place = pages - 1 if back and pages else pages
    page_order[place:place] = [None] * (total - pages)
    size = signature or (total if total <= MAX_SINGLE_SIGNATURE_PAGES else DEFAULT_SIGNATURE_PAGES)
    sides = []
    for start in range(0, total, max(size, 4)):
        sides += _impose_signature(page_order[start : start + size])
    return (
        [BookletSide(each.right, each.left, each.depth) for each in sides] if from_right else sides
    )


def _impose_signature(page_order: list[int | None]) -> list[BookletSide]:
    sides = []
    for sheet in range(len(page_order) // 4):
        first, last = 2 * sheet, len(page_order) - 1 - 2 * sheet
        sides.append(BookletSide(page_order[last], page_order[first], sheet))
        sides.append(BookletSide(page_order[first + 1], page_order[last - 1], sheet))
    return sides

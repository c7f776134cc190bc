"""Imposition: where each piece lies on the paper. Pure arithmetic, no PDF. Lengths in mm.

Paper is upright. Coordinates run from its bottom left, also on the side that the backs are printed
on, as one looks at that side; slots run from the top left, row by row, as one reads. What is
turned over its long edge has left and right changed; over its short edge, top and bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TypeVar

from cardgen.core.units import Box, Size
from cardgen.game.shapes import PLAIN_FORM, PieceForm
from cardgen.sheets.number_ranges import NO_NUMBERS, NumberRanges

T = TypeVar("T")

# The trim of a piece keeps this far from the paper's edge; home printers reach 4-6.7 mm.
DEFAULT_MARGIN_MM = 5.0
# Neighbours overlap by so much along a shared cut, or viewers show a hairline of paper there.
CUT_OVERLAP_MM = 0.1
# So far at least does a card lie from the line where fronts are folded onto their backs.
FOLD_GUTTER_MM = 3.0

LONG_EDGE, SHORT_EDGE = "long", "short"
"""The edge that paper is turned over, or the middle line parallel to it that it is folded along."""


@dataclass(frozen=True)
class PieceFormat:
    """What pieces must share to share a sheet. `gap` is the room between two of them."""

    size: Size
    bleed: float
    form: PieceForm = PLAIN_FORM
    gap: float = 0.0

    @property
    def upright(self) -> PieceFormat:
        """The same for pieces that stand: a landscape card lies beside a portrait one."""
        standing = self.size.width <= self.size.height
        return self if standing else replace(self, size=self.size.rotate())


@dataclass(frozen=True)
class Slot:
    """A place on a sheet: the trim box of a piece, what may be painted, and how it is turned.

    `turn` is in degrees counter-clockwise: with 90 the top points left, with 180 down.
    """

    trim: Box
    paint: Box
    turn: int


@dataclass(frozen=True)
class SheetGrid:
    """The places of one side of a sheet: a block of cells whose bottom left corner is given.

    `gaps` is the room between two cells, across and down.
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
        """The trim boxes together."""
        return Box(
            self.left,
            self.bottom,
            self.left + (self.columns - 1) * self.pitch.width + self.cell.width,
            self.bottom + (self.rows - 1) * self.pitch.height + self.cell.height,
        )

    def list_slots(self, piece: Size | None = None) -> list[Slot]:
        """The places of fronts in reading order, for pieces of the cell's size or turned."""
        turn = 90 if piece and abs(piece.width - self.cell.width) > 1e-6 else 0
        return [
            self._make_slot(column, row, turn)
            for row in reversed(range(self.rows))
            for column in range(self.columns)
        ]

    def crop_to_count(self, count: int) -> SheetGrid:
        """The same places without the rows and columns that so many pieces leave free: nothing is
        marked there, and what lies at their edge has its whole bleed."""
        rows = min(self.rows, max(1, -(-count // self.columns)))
        columns = min(self.columns, max(1, count))
        bottom = self.bottom + (self.rows - rows) * self.pitch.height
        return replace(self, rows=rows, columns=columns, bottom=bottom)

    def _make_slot(self, column: int, row: int, turn: int) -> Slot:
        left = self.left + column * self.pitch.width
        bottom = self.bottom + row * self.pitch.height
        trim = Box(left, bottom, left + self.cell.width, bottom + self.cell.height)
        across, down = (
            self._measure_inner_bleed(self.gaps.width),
            self._measure_inner_bleed(self.gaps.height),
        )
        paint = Box(
            trim.left - (self.bleed if column == 0 else across),
            trim.bottom - (self.bleed if row == 0 else down),
            trim.right + (self.bleed if column == self.columns - 1 else across),
            trim.top + (self.bleed if row == self.rows - 1 else down),
        )
        return Slot(trim, paint, turn)

    def _measure_inner_bleed(self, gap: float) -> float:
        """How far neighbours are painted towards each other: they share the gap; without one they
        share the cut."""
        return min(self.bleed, gap / 2) if gap else CUT_OVERLAP_MM

    def list_cuts(self, places: Collection[int] | None = None) -> tuple[list[float], list[float]]:
        """Where the knife goes: x of the vertical cuts, y of the horizontal ones; those of some
        places alone, counted from 0 in reading order."""
        taken = range(self.capacity) if places is None else places
        columns = {place % self.columns for place in taken}
        rows = {self.rows - 1 - place // self.columns for place in taken}
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
    """What of the paper may be filled: all within the margin, or one side of a fold."""

    paper: Size
    margin: float = DEFAULT_MARGIN_MM
    gap: float = 0.0

    def measure_box(self, fold: str = "", bleed: float = 0.0) -> Box:
        """The room for fronts: before a fold, the side where the tops of upright pieces meet it."""
        left = bottom = self.margin
        right, top = self.paper.width - self.margin, self.paper.height - self.margin
        gutter = max(bleed, FOLD_GUTTER_MM)
        if fold == LONG_EDGE:
            left = self.paper.width / 2 + gutter
        elif fold == SHORT_EDGE:
            top = self.paper.height / 2 - gutter
        return Box(left, bottom, right, top)


def fit_grid(room: PrintableArea, piece: Size, bleed: float, fold: str = "") -> SheetGrid | None:
    """The regular grid that takes most pieces, upright or turned; None when not one fits.

    Turning the paper instead would bring nothing new: pieces that stand on paper that lies are
    pieces that lie on paper that stands.
    """
    grids = [_make_grid(room, cell, bleed, fold) for cell in (piece, piece.rotate())]
    best = max(grids, key=lambda grid: grid.capacity)
    return best if best.capacity else None


def fit_folded_grid(room: PrintableArea, piece: Size, bleed: float) -> tuple[SheetGrid, str] | None:
    """The grid of fronts that takes most pairs, and the line to fold along.

    Of two that take as many, the one where fronts and backs lie head to head at the fold.
    """
    found = [(fit_grid(room, piece, bleed, fold), fold) for fold in (SHORT_EDGE, LONG_EDGE)]
    grids = [(grid, fold) for grid, fold in found if grid is not None]

    def rank_grid(pair: tuple[SheetGrid, str]) -> tuple[int, bool]:
        grid, fold = pair
        turned = abs(grid.cell.width - piece.width) > 1e-6
        return grid.capacity, turned == (fold == LONG_EDGE)

    return max(grids, key=rank_grid, default=None)


def _make_grid(room: PrintableArea, cell: Size, bleed: float, fold: str) -> SheetGrid:
    box, gap = room.measure_box(fold, bleed), room.gap
    pitch = Size(cell.width + gap, cell.height + gap)
    columns = max(0, int((box.width + gap + 1e-6) // pitch.width))
    rows = max(0, int((box.height + gap + 1e-6) // pitch.height))
    left = (box.left + box.right - columns * pitch.width + gap) / 2
    bottom = (box.bottom + box.top - rows * pitch.height + gap) / 2
    return SheetGrid(room.paper, cell, bleed, Size(gap, gap), columns, rows, left, bottom, pitch)


def find_back_slot(slot: Slot, paper: Size, edge: str) -> Slot:
    """Where a front's back lies, once the paper is turned over, or folded along, that edge.

    Front and back of a piece have their tops at the same end.
    """
    if edge == LONG_EDGE:
        turn = -slot.turn % 360
        return Slot(_mirror_across(slot.trim, paper), _mirror_across(slot.paint, paper), turn)
    turn = (180 - slot.turn) % 360
    return Slot(_mirror_down(slot.trim, paper), _mirror_down(slot.paint, paper), turn)


def _mirror_across(box: Box, paper: Size) -> Box:
    return replace(box, left=paper.width - box.right, right=paper.width - box.left)


def _mirror_down(box: Box, paper: Size) -> Box:
    return replace(box, bottom=paper.height - box.top, top=paper.height - box.bottom)


def divide_pieces(
    pieces: Sequence[T], capacity: int, skipped: NumberRanges = NO_NUMBERS
) -> list[tuple[Sequence[T], tuple[int, ...]]]:
    """The pieces of each sheet in order, and the places they lie on, counted from 0 as one reads.

    `skipped` are places of the first sheet, counted from 1, on which nothing may lie; all of them
    at once are none.
    """
    every = tuple(range(capacity))
    free = tuple(place for place in every if place + 1 not in skipped) or every
    found = [(pieces[: len(free)], free[: len(pieces)])]
    for start in range(len(free), len(pieces), capacity):
        chunk = pieces[start : start + capacity]
        found.append((chunk, every[: len(chunk)]))
    return found if pieces else []


def format_slots(pieces: Sequence[str], slots: Sequence[Slot]) -> str:
    """One side of a sheet as text, a letter a piece and `.` for a free place, as one sees it.

    Turned pieces and all, what stands where: fronts `ABC/DEF`, backs `CBA/FED`.
    """
    rows: dict[float, dict[float, str]] = {}
    for letter, slot in zip_longest(pieces, slots, fillvalue="."):
        assert isinstance(slot, Slot), "more pieces than places"
        middle = round((slot.trim.bottom + slot.trim.top) / 2, 3)
        rows.setdefault(-middle, {})[slot.trim.left] = str(letter)
    return "/".join("".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items()))


MAX_SINGLE_SIGNATURE_PAGES = 64
"""Pages that are folded in one stack unless told otherwise: 16 sheets."""
DEFAULT_SIGNATURE_PAGES = 16
"""Pages of each stack where there are more."""


@dataclass(frozen=True)
class BookletSide:
    """The pages on the left and right half of one side of a sheet, from 0; None is a blank half.

    `depth` is how many sheets lie around this one in its stack.
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
    """Both sides of every sheet, front before back, outermost sheet of the first stack first.

    Each stack of `signature` pages is folded by itself, and stitched or sewn in the fold; 0 means
    one stack, or stacks of 16 pages where one would be too thick. What is read from the right is
    bound at the right. Blank pages are added at the end until the count is a multiple of four;
    with `back`, before the last page, which is the back cover. Sheets are turned over on their
    short edge.
    """
    total = -(-pages // 4) * 4
    order: list[int | None] = list(range(pages))
    place = pages - 1 if back and pages else pages
    order[place:place] = [None] * (total - pages)
    size = signature or (total if total <= MAX_SINGLE_SIGNATURE_PAGES else DEFAULT_SIGNATURE_PAGES)
    found = []
    for start in range(0, total, max(size, 4)):
        found += _impose_signature(order[start : start + size])
    return (
        [BookletSide(each.right, each.left, each.depth) for each in found] if from_right else found
    )


def _impose_signature(order: list[int | None]) -> list[BookletSide]:
    found = []
    for sheet in range(len(order) // 4):
        first, last = 2 * sheet, len(order) - 1 - 2 * sheet
        found.append(BookletSide(order[last], order[first], sheet))
        found.append(BookletSide(order[first + 1], order[last - 1], sheet))
    return found

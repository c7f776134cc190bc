"""Boards larger than the paper: how they are split over sheets. Pure arithmetic, mm.

Neighbours share a strip of `overlap`. The joint runs down its middle: the sheet to the right, or
below, is cut there and laid over the other sheet's strip. So whatever is printed in the strip
beyond the joint is either cut off or covered, and marks may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from cardgen.core.units import Box, Size
from cardgen.sheets.imposition import PrintableArea, Slot

DEFAULT_TILE_OVERLAP_MM = 10.0
# No board is put together from stamps: so much of it at least must come with each further sheet.
_MIN_TILE_GAIN_MM = 50.0
# The line at the foot that tells what the sheet is.
_SLUG_STRIP_MM = 5.0


@dataclass(frozen=True)
class Tile:
    """What of the piece, as it lies, one sheet shows; from the piece's bottom left corner."""

    number: int
    column: int
    row: int
    window: Box


@dataclass(frozen=True)
class TileJoint:
    """A line along which two sheets meet. `upright` joints have the second sheet to the right."""

    letter: str
    first: Tile
    second: Tile
    is_vertical: bool
    position: float
    start: float
    end: float


@dataclass(frozen=True)
class BoardTiling:
    """A piece split into tiles, numbered row by row from the top left."""

    room: PrintableArea
    piece: Size
    bleed: float
    overlap: float
    columns: int
    rows: int
    turn: int

    @property
    def tile_size(self) -> Size:
        """How much of the piece each sheet shows."""
        return Size(
            (self.piece.width + (self.columns - 1) * self.overlap) / self.columns,
            (self.piece.height + (self.rows - 1) * self.overlap) / self.rows,
        )

    def list_tiles(self) -> list[Tile]:
        """Every tile in reading order."""
        size = self.tile_size
        found: list[Tile] = []
        for row in range(self.rows):
            for column in range(self.columns):
                left = column * (size.width - self.overlap)
                top = self.piece.height - row * (size.height - self.overlap)
                window = Box(left, top - size.height, left + size.width, top)
                found.append(Tile(len(found) + 1, column, row, window))
        return found

    def make_slot(self, tile: Tile) -> Slot:
        """Where the whole piece would lie, so that the tile comes to the middle of the paper."""
        room = _measure_tile_area(self.room)
        left = (room.left + room.right - tile.window.width) / 2 - tile.window.left
        bottom = (room.bottom + room.top - tile.window.height) / 2 - tile.window.bottom
        trim = Box(left, bottom, left + self.piece.width, bottom + self.piece.height)
        window = tile.window.move(left, bottom)
        paint = Box(
            window.left - (self.bleed if tile.column == 0 else 0),
            window.bottom - (self.bleed if tile.row == self.rows - 1 else 0),
            window.right + (self.bleed if tile.column == self.columns - 1 else 0),
            window.top + (self.bleed if tile.row == 0 else 0),
        )
        return Slot(trim, paint, self.turn)

    def list_joints(self) -> list[TileJoint]:
        """Every joint, lettered; in mm from the piece's bottom left corner."""
        by_place = {(tile.column, tile.row): tile for tile in self.list_tiles()}
        found: list[TileJoint] = []
        for (column, row), tile in by_place.items():
            right, below = by_place.get((column + 1, row)), by_place.get((column, row + 1))
            window, half = tile.window, self.overlap / 2
            if right:
                at = right.window.left + half
                ends = (window.bottom, window.top)
                found.append(TileJoint(_format_letters(len(found)), tile, right, True, at, *ends))
            if below:
                at = below.window.top - half
                ends = (window.left, window.right)
                found.append(TileJoint(_format_letters(len(found)), tile, below, False, at, *ends))
        return found

    def list_tile_cuts(self, tile: Tile) -> tuple[list[float], list[float]]:
        """Where the tile's sheet is cut: the outer edges, and the joints it is laid over."""
        half = self.overlap / 2
        xs = [tile.window.left + (half if tile.column else 0)]
        ys = [tile.window.top - (half if tile.row else 0)]
        if tile.column == self.columns - 1:
            xs.append(tile.window.right)
        if tile.row == self.rows - 1:
            ys.append(tile.window.bottom)
        return xs, ys


def _format_letters(number: int) -> str:
    """A, B … Z, AA, AB …"""
    head, tail = divmod(number, 26)
    return (_format_letters(head - 1) if head else "") + chr(ord("A") + tail)


def _measure_tile_area(room: PrintableArea) -> Box:
    box = room.measure_box()
    return Box(box.left, box.bottom + _SLUG_STRIP_MM, box.right, box.top)


def split_board(
    room: PrintableArea, piece: Size, bleed: float, overlap: float = DEFAULT_TILE_OVERLAP_MM
) -> BoardTiling | None:
    """The piece on as few sheets as it takes, upright or turned; None on too small a paper."""
    box = _measure_tile_area(room)
    if min(box.width, box.height) < overlap + _MIN_TILE_GAIN_MM:
        return None
    found = list(_list_tilings(room, piece, bleed, overlap))
    return min(found, key=lambda tiling: tiling.columns * tiling.rows)


def _list_tilings(
    room: PrintableArea, piece: Size, bleed: float, overlap: float
) -> Iterator[BoardTiling]:
    box = _measure_tile_area(room)
    for turn, size in ((0, piece), (90, piece.rotate())):
        columns = _count_tiles(size.width, box.width, overlap)
        rows = _count_tiles(size.height, box.height, overlap)
        yield BoardTiling(room, size, bleed, overlap, columns, rows, turn)


def _count_tiles(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - 1e-6) / (room - overlap)))

"""Boards larger than the paper, split into tiles on several sheets. Geometry in mm, no PDF.

Neighbours share a strip of `overlap` with the joint in its middle. The sheet to the right, or
below, is cut at the joint and laid over the other sheet's strip. Marks in the strip beyond the
joint are therefore cut off or covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from cardgen.core.units import Box, Size
from cardgen.sheets.imposition import PrintableArea, Slot

DEFAULT_TILE_OVERLAP_MM = 10.0
# Smallest part of the board that each further sheet must add.
_MIN_TILE_GAIN_MM = 50.0
# Height of the slug at the foot of the sheet.
_SLUG_STRIP_MM = 5.0


@dataclass(frozen=True)
class Tile:
    """The window of the piece that one sheet shows, from the piece's bottom left corner."""

    number: int
    column: int
    row: int
    window: Box


@dataclass(frozen=True)
class TileJoint:
    """A line along which two sheets meet. At a vertical joint the second sheet is at the right."""

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
        """Size of the part of the piece that each sheet shows."""
        return Size(
            (self.piece.width + (self.columns - 1) * self.overlap) / self.columns,
            (self.piece.height + (self.rows - 1) * self.overlap) / self.rows,
        )

    def list_tiles(self) -> list[Tile]:
        """Return all tiles in reading order."""
        size = self.tile_size
        tiles: list[Tile] = []
        for row in range(self.rows):
            for column in range(self.columns):
                left = column * (size.width - self.overlap)
                top = self.piece.height - row * (size.height - self.overlap)
                window = Box(left, top - size.height, left + size.width, top)
                tiles.append(Tile(len(tiles) + 1, column, row, window))
        return tiles

    def make_slot(self, tile: Tile) -> Slot:
        """Return the slot of the whole piece that puts the tile in the middle of the paper."""
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
        """Return all joints with their letters, in mm from the piece's bottom left corner."""
        by_place = {(tile.column, tile.row): tile for tile in self.list_tiles()}
        joints: list[TileJoint] = []
        for (column, row), tile in by_place.items():
            window, half = tile.window, self.overlap / 2
            if right := by_place.get((column + 1, row)):
                at = (right.window.left + half, window.bottom, window.top)
                joints.append(TileJoint(_format_letters(len(joints)), tile, right, True, *at))
            if below := by_place.get((column, row + 1)):
                at = (below.window.top - half, window.left, window.right)
                joints.append(TileJoint(_format_letters(len(joints)), tile, below, False, *at))
        return joints

    def list_tile_cuts(self, tile: Tile) -> tuple[list[float], list[float]]:
        """Return the cuts of the tile's sheet: its outer edges, and the joints at which it overlaps
        another."""
        half = self.overlap / 2
        xs = [tile.window.left + (half if tile.column else 0)]
        ys = [tile.window.top - (half if tile.row else 0)]
        if tile.column == self.columns - 1:
            xs.append(tile.window.right)
        if tile.row == self.rows - 1:
            ys.append(tile.window.bottom)
        return xs, ys


def _format_letters(number: int) -> str:
    """Format a number as A, B … Z, AA, AB …"""
    head, tail = divmod(number, 26)
    return (_format_letters(head - 1) if head else "") + chr(ord("A") + tail)


def _measure_tile_area(room: PrintableArea) -> Box:
    box = room.measure_box()
    return Box(box.left, box.bottom + _SLUG_STRIP_MM, box.right, box.top)


def split_board(
    room: PrintableArea, piece: Size, bleed: float, overlap: float = DEFAULT_TILE_OVERLAP_MM
) -> BoardTiling | None:
    """Return the piece on as few sheets as possible, upright or turned; None if the paper is too
    small."""
    box = _measure_tile_area(room)
    if min(box.width, box.height) < overlap + _MIN_TILE_GAIN_MM:
        return None
    tilings = []
    for turn, size in ((0, piece), (90, piece.rotate())):
        columns = _count_tiles(size.width, box.width, overlap)
        rows = _count_tiles(size.height, box.height, overlap)
        tilings.append(BoardTiling(room, size, bleed, overlap, columns, rows, turn))
    return min(tilings, key=lambda tiling: tiling.columns * tiling.rows)


def _count_tiles(length: float, room: float, overlap: float) -> int:
    return max(1, ceil((length - overlap - 1e-6) / (room - overlap)))

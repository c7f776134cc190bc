"""Positions of objects on the table, in mm: x to the right, y away from the near side.

The middle of the table has a block of rows. Each player has such a block, too. Half of the players
sit at the near long side and half at the far one, so that play goes clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

_SIDE_WIDTH_MM = 300.0
"""Maximum width of the blocks beside the middle."""
_BLOCK_GAP_MM = 40.0
"""Gap between the middle and the seats, and between neighbours."""


@dataclass(frozen=True)
class TableItem:
    """A rectangle to place on the table.

    `seat` is the player's number, or None in the middle. `row` 0 continues the previous item's row.
    `side` is -1 left of the middle and 1 right of it.
    """

    id: str
    width: float
    height: float
    seat: int | None = None
    row: int = 0
    side: int = 0


@dataclass(frozen=True)
class TableSpot:
    """Centre and turn of an object. 0° is upright for the near side, 180° for the far one."""

    x: float
    y: float
    turn: int


@dataclass(frozen=True)
class _ItemBlock:
    """Rows of items with their centres from the block's top middle, and the block's size."""

    spots: tuple[tuple[TableItem, float, float], ...]
    width: float
    height: float


def lay_out_items(
    items: Iterable[TableItem], seats: int, width: float, gap: float
) -> dict[str, TableSpot]:
    """Return the position of every item by its id. No two overlap."""
    items = list(items)
    parts = {
        side: _build_block(
            [item for item in items if item.seat is None and item.side == side], room, gap
        )
        for side, room in ((0, width), (-1, _SIDE_WIDTH_MM), (1, _SIDE_WIDTH_MM))
    }
    height = max(part.height for part in parts.values())
    own = [[item for item in items if item.seat == seat] for seat in range(seats)]
    room = max(width / 2, *(item.width for group in own for item in group), 1.0) if seats else 1.0
    blocks = [_build_block(group, room, gap) for group in own]
    wide = max((block.width for block in blocks), default=0.0)
    top = height / 2 + _BLOCK_GAP_MM
    found = {}
    for side, part in parts.items():
        beside = side * (parts[0].width / 2 + _BLOCK_GAP_MM + part.width / 2)
        for item, x, y in part.spots:
            found[item.id] = TableSpot(beside + x, part.height / 2 + y, 0)
    near = ceil(seats / 2)
    for seat, block in enumerate(blocks):
        far = seat >= near
        place, count = (seat - near, seats - near) if far else (seat, near)
        # Seen from its own side, the first player sits at the right end.
        middle_x = ((count - 1) / 2 - place) * (wide + _BLOCK_GAP_MM)
        for item, x, y in block.spots:
            here = (middle_x + x, -top + y)
            found[item.id] = TableSpot(-here[0], -here[1], 180) if far else TableSpot(*here, 0)
    return found


def _build_block(items: Sequence[TableItem], width: float, gap: float) -> _ItemBlock:
    """Return the block of items in centred rows from the top. Too wide rows are broken."""
    rows = list(_split_rows(items, width, gap))
    spots: list[tuple[TableItem, float, float]] = []
    y = widest = 0.0
    for row in rows:
        length = sum(item.width for item in row) + gap * (len(row) - 1)
        height = max(item.height for item in row)
        x = -length / 2
        for item in row:
            spots.append((item, x + item.width / 2, -y - height / 2))
            x += item.width + gap
        y += height + gap
        widest = max(widest, length)
    return _ItemBlock(tuple(spots), widest, max(0.0, y - gap))


def _split_rows(items: Sequence[TableItem], width: float, gap: float) -> Iterable[list[TableItem]]:
    numbered: dict[int, list[TableItem]] = {}
    current = 1
    for item in items:
        current = item.row or current
        numbered.setdefault(current, []).append(item)
    for _, row in sorted(numbered.items()):
        line: list[TableItem] = []
        used = 0.0
        for item in row:
            if line and used + item.width > width:
                yield line
                line, used = [], 0.0
            line.append(item)
            used += item.width + gap
        yield line

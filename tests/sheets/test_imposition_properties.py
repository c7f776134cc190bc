"""Whatever is imposed: each piece lies once, on the paper, with its own back behind it."""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardgen.core.units import NO_GAP, Box, Margins, Size
from cardgen.pdf.face_file import FacePdf
from cardgen.sheets.arrangement import SheetLayout, SheetPiece, SlugText, arrange_pieces
from cardgen.sheets.imposition import (
    LONG_EDGE,
    SHORT_EDGE,
    PieceFormat,
    PrintableArea,
    Slot,
    divide_pieces,
    find_back_slot,
    fit_folded_grid,
    fit_grid,
)

TOPS = {0: (0, 1), 90: (-1, 0), 180: (0, -1), 270: (1, 0)}
"""Where the top of a piece points that is turned so far."""
COLOPHON = SlugText("Small game", "", "en", "")


def lengths(least: int, most: int) -> st.SearchStrategy[float]:
    """Millimetres and their tenths."""
    return st.integers(least * 10, most * 10).map(lambda tenths: tenths / 10)


papers = st.builds(Size, lengths(150, 320), lengths(200, 450))
pieces = st.builds(Size, lengths(20, 140), lengths(20, 140))
bleeds = lengths(0, 5)


def within(box: Box, paper: Size, sides: Margins) -> bool:
    return (
        box.left >= sides.left - 1e-6
        and box.bottom >= sides.bottom - 1e-6
        and box.right <= paper.width - sides.right + 1e-6
        and box.top <= paper.height - sides.top + 1e-6
    )


def apart(one: Box, other: Box, gap: Size) -> bool:
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.bottom, other.bottom) - min(one.top, other.top)
    return across >= gap.width - 1e-6 or down >= gap.height - 1e-6


def through(slot: Slot, paper: Size, edge: str) -> tuple[tuple[float, ...], tuple[int, int]]:
    """A place of the other side as it lies behind this side: its edges, and where its top points.

    It is reckoned corner by corner, as light falls through the paper.
    """
    trim, (x, y) = slot.trim, TOPS[slot.turn]
    if edge == LONG_EDGE:
        box = (paper.width - trim.right, trim.bottom, paper.width - trim.left, trim.top)
        return tuple(round(value, 6) for value in box), (-x, y)
    box = (trim.left, paper.height - trim.top, trim.right, paper.height - trim.bottom)
    return tuple(round(value, 6) for value in box), (x, -y)


def as_it_lies(slot: Slot) -> tuple[tuple[float, ...], tuple[int, int]]:
    edges = (slot.trim.left, slot.trim.bottom, slot.trim.right, slot.trim.top)
    return tuple(round(value, 6) for value in edges), TOPS[slot.turn]


def pair(name: str, size: Size, bleed: float) -> SheetPiece:
    front, back = (
        FacePdf(f"{name}-{side}", Path(), size.width + 2 * bleed, size.height + 2 * bleed, bleed)
        for side in ("front", "back")
    )
    return SheetPiece(front, back, PieceFormat(size, bleed), "Deck", name)


sides = st.builds(Margins, *[lengths(5, 20)] * 4)
gaps = st.builds(Size, lengths(0, 8), lengths(0, 8))
grids = st.none() | st.tuples(st.integers(1, 5), st.integers(1, 5))


rooms = st.builds(PrintableArea, papers, sides, gaps, grids)


@given(rooms, pieces, bleeds)
def test_a_grid_lies_within_the_margins_and_apart(
    room: PrintableArea, piece: Size, bleed: float
) -> None:
    paper, margins, gap = room.paper, room.margins, room.gap
    outer = Margins(*(side - bleed for side in astuple(margins)))
    folded = fit_folded_grid(room, piece, bleed)
    for grid, fold in ((fit_grid(room, piece, bleed), ""), folded or (None, "")):
        slots = grid.list_slots(piece) if grid else []
        assert len(slots) == (grid.capacity if grid else 0)
        assert not grid or room.grid in {None, (grid.columns, grid.rows)}
        assert all(apart(a.trim, b.trim, gap) for a, b in combinations(slots, 2))
        slots += [find_back_slot(slot, paper, fold) for slot in slots if fold]
        assert all(within(slot.trim, paper, margins) for slot in slots)
        assert all(within(slot.paint, paper, outer) for slot in slots)
        assert all(apart(a.trim, b.trim, NO_GAP) for a, b in combinations(slots, 2))


@given(st.lists(st.integers()), st.integers(1, 40))
def test_sheets_hold_every_piece_once_and_in_order(given_: list[int], capacity: int) -> None:
    found = divide_pieces(given_, capacity)
    assert [piece for sheet, _ in found for piece in sheet] == given_
    assert all(len(sheet) == capacity for sheet, _ in found[:-1])


@pytest.mark.parametrize("edge", [LONG_EDGE, SHORT_EDGE])
@given(
    paper=papers, sizes=st.lists(pieces, min_size=1, max_size=3), bleed=bleeds,
    copies=st.lists(st.integers(1, 12), min_size=3, max_size=3),
)  # fmt: skip
def test_every_piece_is_printed_once_with_its_own_back_behind_it(
    edge: str, paper: Size, sizes: list[Size], bleed: float, copies: list[int]
) -> None:
    assume(all(fit_grid(PrintableArea(paper), size, bleed) for size in sizes))
    pairs = [
        pair(f"{deck}-{number}", size, bleed)
        for deck, (size, many) in enumerate(zip(sizes, copies, strict=False))
        for number in range(many)
    ]
    found = arrange_pieces(pairs, SheetLayout("own", paper, f"duplex-{edge}"), COLOPHON)
    printed = Counter(
        face.key
        for sheet in found
        for page in (sheet.front, sheet.back)
        for face, _ in (page.placements if page else ())
    )
    assert printed == Counter(face.key for p in pairs for face in (p.front, p.back) if face)
    for sheet in found:
        assert sheet.front is not None
        assert sheet.back is not None
        fronts = {
            face.key.split("-front")[0]: as_it_lies(at) for face, at in sheet.front.placements
        }
        backs = {
            face.key.split("-back")[0]: through(at, paper, edge)
            for face, at in sheet.back.placements
        }
        assert fronts == backs

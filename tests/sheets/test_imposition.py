"""Where pieces lie on the paper, drawn as letters: fronts as seen, backs as seen from behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import pytest

from cardgen.core.units import CARD_SIZES, DEFAULT_MARGINS, PAPERS, Box, Margins, Size
from cardgen.sheets.imposition import (
    LONG_EDGE,
    SHORT_EDGE,
    PrintableArea,
    SheetGrid,
    Slot,
    divide_pieces,
    find_back_slot,
    fit_folded_grid,
    fit_grid,
)

A4, LETTER, A3 = (Size(*PAPERS[name]) for name in ("a4", "letter", "a3"))
POKER, A5 = Size(*CARD_SIZES["poker"]), Size(*CARD_SIZES["a5"])
BLEED = 3.0


def grid_of(paper: Size, piece: Size) -> SheetGrid:
    grid = fit_grid(PrintableArea(paper), piece, BLEED)
    assert grid is not None
    return grid


def format_slots(pieces: Sequence[str], slots: Sequence[Slot]) -> str:
    """Format one side of a sheet as text: a letter a piece, `.` for a free place, `/` between rows.

    A turned sheet reads as one sees it: fronts `ABC/DEF`, backs `CBA/FED`.
    """
    rows: dict[float, dict[float, str]] = {}
    for letter, slot in zip_longest(pieces, slots, fillvalue="."):
        assert isinstance(slot, Slot), "more pieces than places"
        middle = round((slot.trim.bottom + slot.trim.top) / 2, 3)
        rows.setdefault(-middle, {})[slot.trim.left] = str(letter)
    return "/".join("".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items()))


def both(grid: SheetGrid, piece: Size, edge: str) -> tuple[list[Slot], list[Slot]]:
    """The places of fronts, and of the backs behind them."""
    fronts = grid.list_slots(piece)
    return fronts, [find_back_slot(slot, grid.paper, edge) for slot in fronts]


def turns(slots: list[Slot]) -> set[int]:
    return {slot.turn for slot in slots}


def margins(grid: SheetGrid) -> tuple[float, float]:
    return round(grid.left, 4), round(grid.bottom, 4)


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_nine_poker_cards(paper: Size) -> None:
    fronts, backs = both(grid_of(paper, POKER), POKER, LONG_EDGE)
    assert format_slots("ABCDEFGHI", fronts) == "ABC/DEF/GHI"
    assert format_slots("ABCDEFGHI", backs) == "CBA/FED/IHG"
    assert turns(fronts) == turns(backs) == {0}


def test_turned_over_the_short_edge_backs_stand_on_their_heads() -> None:
    fronts, backs = both(grid_of(A4, POKER), POKER, SHORT_EDGE)
    assert format_slots("ABCDEFGHI", fronts) == "ABC/DEF/GHI"
    assert format_slots("ABCDEFGHI", backs) == "GHI/DEF/ABC"
    assert (turns(fronts), turns(backs)) == ({0}, {180})


@pytest.mark.parametrize(
    ("edge", "backs"), [(LONG_EDGE, "CBA/..D/..."), (SHORT_EDGE, ".../D../ABC")]
)
def test_a_partly_filled_sheet_stays_in_the_mirrored_places(edge: str, backs: str) -> None:
    fronts, behind_them = both(grid_of(A4, POKER), POKER, edge)
    assert format_slots("ABCD", fronts) == "ABC/D../..."
    assert format_slots("ABCD", behind_them) == backs


@pytest.mark.parametrize(
    ("edge", "back"), [(LONG_EDGE, "..A/.../..."), (SHORT_EDGE, ".../.../A..")]
)
def test_one_card(edge: str, back: str) -> None:
    fronts, backs = both(grid_of(A4, POKER), POKER, edge)
    assert format_slots("A", fronts) == "A../.../..."
    assert format_slots("A", backs) == back


@pytest.mark.parametrize(
    ("edge", "backs", "turn"), [(LONG_EDGE, "CBA/FED/IHG", 270), (SHORT_EDGE, "GHI/DEF/ABC", 90)]
)
def test_landscape_cards_lie_on_their_side(edge: str, backs: str, turn: int) -> None:
    """Their tops point left, and so, seen from behind, to the right or to the left."""
    lying = POKER.rotate()
    fronts, behind_them = both(grid_of(A4, lying), lying, edge)
    assert format_slots("ABCDEFGHI", fronts) == "ABC/DEF/GHI"
    assert format_slots("ABCDEFGHI", behind_them) == backs
    assert (turns(fronts), turns(behind_them)) == ({90}, {turn})


def test_gutterfold_of_upright_cards() -> None:
    """Fronts below the fold, backs above it on their heads: head to head."""
    piece = Size(63, 120)
    found = fit_folded_grid(PrintableArea(A4), piece, BLEED)
    assert found is not None
    grid, fold = found
    fronts, backs = both(grid, piece, fold)
    assert fold == SHORT_EDGE
    assert format_slots("abcABC", backs + fronts) == "abc/ABC"
    assert (turns(fronts), turns(backs)) == ({0}, {180})
    assert all(slot.paint.top <= 297 / 2 <= other.paint.bottom
               for slot in fronts for other in backs)  # fmt: skip


def test_gutterfold_takes_the_fold_that_more_cards_fit() -> None:
    """Four poker cards lie beside an upright fold, three would stand below a level one."""
    found = fit_folded_grid(PrintableArea(A4), POKER, BLEED)
    assert found is not None
    grid, fold = found
    fronts, backs = both(grid, POKER, fold)
    assert (fold, grid.capacity) == (LONG_EDGE, 4)
    assert format_slots("ABCDabcd", fronts + backs) == "aA/bB/cC/dD"
    # The tops of both point to the fold between them.
    assert (turns(fronts), turns(backs)) == ({90}, {270})
    assert all(slot.trim.left >= 105 + BLEED for slot in fronts)


def test_gutterfold_on_a3() -> None:
    found = fit_folded_grid(PrintableArea(A3), POKER, BLEED)
    assert found is not None
    grid, fold = found
    fronts, backs = both(grid, POKER, fold)
    pieces = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: grid.capacity]
    assert grid.capacity == 9
    page = format_slots(pieces + pieces.lower(), fronts + backs)
    assert sorted(page.replace("/", "").replace(".", "")) == sorted(pieces + pieces.lower())


@pytest.mark.parametrize(("piece", "turned"), [(A5, False), (A5.rotate(), True)])
def test_a_board_as_large_as_half_the_paper_lies_alone(piece: Size, turned: bool) -> None:
    grid = grid_of(A4, piece)
    fronts, backs = both(grid, piece, LONG_EDGE)
    assert (grid.columns, grid.rows, turns(fronts) == {90}) == (1, 1, turned)
    assert format_slots("A", fronts) == format_slots("A", backs) == "A"


def test_boards_on_a3_lie_above_each_other() -> None:
    fronts, backs = both(grid_of(A3, A5), A5, LONG_EDGE)
    assert format_slots("AB", fronts) == format_slots("AB", backs) == "A/B"


def test_a_portrait_and_a_landscape_card_share_a_grid() -> None:
    """Which is how decks of one size share sheets: each stands as the cell asks."""
    grid = grid_of(A4, POKER)
    assert turns(grid.list_slots(POKER)) == {0}
    assert turns(grid.list_slots(POKER.rotate())) == {90}


@pytest.mark.parametrize("edge", [LONG_EDGE, SHORT_EDGE])
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_behind_and_behind_again_is_where_it_was(edge: str, turn: int) -> None:
    slot = replace(grid_of(A4, POKER).list_slots()[1], turn=turn)
    there = find_back_slot(slot, A4, edge)
    again = find_back_slot(there, A4, edge)
    assert again.turn == turn
    assert edges(again.trim) == edges(slot.trim)
    assert edges(again.paint) == edges(slot.paint)


def edges(box: Box) -> tuple[float, ...]:
    return tuple(round(edge, 6) for edge in (box.left, box.bottom, box.right, box.top))


def test_a_gap_is_shared_by_the_bleeds_of_both_neighbours() -> None:
    grid = fit_grid(PrintableArea(A4, gap=Size(4, 4)), Size(30, 30), BLEED)
    assert grid is not None
    first, second = grid.list_slots()[:2]
    assert round(second.trim.left - first.trim.right, 6) == 4
    assert first.paint.right == pytest.approx(second.paint.left)
    wide = fit_grid(PrintableArea(A4, gap=Size(8, 8)), Size(30, 30), BLEED)
    assert wide is not None
    first, second = wide.list_slots()[:2]
    assert round(first.paint.right - first.trim.right, 6) == BLEED
    assert round(second.paint.left - first.paint.right, 6) == 2
    assert len(wide.list_cuts()[0]) == 2 * wide.columns


@pytest.mark.parametrize(("margin", "capacity"), [(5, 9), (10, 8), (18, 4), (90, 0)])
def test_margins_are_kept(margin: float, capacity: int) -> None:
    grid = fit_grid(PrintableArea(A4, Margins(margin, margin, margin, margin)), POKER, BLEED)
    assert (grid.capacity if grid else 0) == capacity


UNEVEN = Margins(20, 4, 5, 15)


def test_each_side_has_a_margin_of_its_own() -> None:
    grid = fit_grid(PrintableArea(A4, UNEVEN), POKER, BLEED)
    assert grid is not None
    block = grid.trim_block
    assert (round(block.left, 3), round(210 - block.right, 3)) == (15.25, 4.25)
    assert (round(block.bottom, 3), round(297 - block.top, 3)) == (7.65, 22.65)
    fronts, backs = both(grid, POKER, LONG_EDGE)
    assert format_slots("ABCDEFGHI", fronts) == "ABC/DEF/GHI"
    assert format_slots("ABCDEFGHI", backs) == "CBA/FED/IHG"
    assert round(min(slot.trim.left for slot in backs), 3) == 4.25


def test_folded_backs_keep_the_margins_of_their_side() -> None:
    found = fit_folded_grid(PrintableArea(A4, Margins(5, 5, 5, 30)), Size(50, 50), BLEED)
    assert found is not None
    grid, edge = found
    fronts, backs = both(grid, Size(50, 50), edge)
    assert edge == SHORT_EDGE
    assert format_slots("ABCDEF", fronts) == "ABC/DEF"
    assert format_slots("ABCDEF", backs) == "DEF/ABC"
    assert min(slot.trim.left for slot in fronts + backs) >= 30


@pytest.mark.parametrize(
    ("gap", "drawn", "steps"),
    [(Size(4, 0), "AB/CD/EF", (67.5, 88.9)), (Size(0, 4), "ABC/DEF/GHI", (63.5, 92.9))],
)
def test_gaps_across_and_down_differ(gap: Size, drawn: str, steps: tuple[float, float]) -> None:
    grid = fit_grid(PrintableArea(A4, gap=gap, grid=tuple_of(drawn)), POKER, BLEED)
    assert grid is not None
    slots = grid.list_slots()
    assert format_slots("ABCDEFGHI"[: grid.capacity], slots) == drawn
    first, second, below = slots[0].trim, slots[1].trim, slots[grid.columns].trim
    assert round(second.left - first.left, 6) == steps[0]
    assert round(first.top - below.top, 6) == steps[1]


def tuple_of(drawn: str) -> tuple[int, int]:
    rows = drawn.split("/")
    return len(rows[0]), len(rows)


@pytest.mark.parametrize(
    ("asked", "drawn", "turn"),
    [((2, 3), "AB/CD/EF", 0), ((2, 4), "AB/CD/EF/GH", 90), ((1, 1), "A", 0), ((4, 2), None, 0)],
)
def test_a_grid_holds_the_columns_and_rows_that_are_asked_for(
    asked: tuple[int, int], drawn: str | None, turn: int
) -> None:
    """Upright where they fit, otherwise on their side, in the middle of the paper."""
    grid = fit_grid(PrintableArea(A4, grid=asked), POKER, BLEED)
    if grid is None:
        assert drawn is None
        return
    slots = grid.list_slots(POKER)
    assert format_slots("ABCDEFGHI"[: grid.capacity], slots) == drawn
    assert turns(slots) == {turn}
    block = grid.trim_block
    assert round(block.left, 6) == round(210 - block.right, 6)
    assert round(block.bottom, 6) == round(297 - block.top, 6)


@pytest.mark.parametrize(
    ("paper", "expected"), [(A4, (9.75, 15.15)), (LETTER, (12.7, 6.35))], ids=["a4", "letter"]
)
def test_margins_of_nine_poker_cards(paper: Size, expected: tuple[float, float]) -> None:
    assert margins(grid_of(paper, POKER)) == expected


def test_a_piece_larger_than_the_paper_does_not_fit() -> None:
    assert fit_grid(PrintableArea(A4), Size(205, 205), BLEED) is None
    assert fit_grid(PrintableArea(A4), Size(200, 287), BLEED) is not None


@pytest.mark.parametrize("paper_name", sorted(PAPERS))
@pytest.mark.parametrize("card_name", sorted(set(CARD_SIZES) - {"a4"}))
@pytest.mark.parametrize("landscape", [False, True])
def test_every_slot_is_on_the_paper(paper_name: str, card_name: str, landscape: bool) -> None:
    """Trims keep the printer's margin, bleed stays on the sheet, and no two trims overlap."""
    paper, piece = Size(*PAPERS[paper_name]), Size(*CARD_SIZES[card_name])
    grid = grid_of(paper, piece.rotate() if landscape else piece)
    fronts = grid.list_slots(piece)
    for slots in (
        fronts,
        *(
            [find_back_slot(slot, paper, edge) for slot in fronts]
            for edge in (LONG_EDGE, SHORT_EDGE)
        ),
    ):
        trims = [slot.trim for slot in slots]
        assert len({(round(t.left, 3), round(t.bottom, 3)) for t in trims}) == grid.capacity
        for slot in slots:
            assert slot.trim.left >= DEFAULT_MARGINS.left - 1e-6
            assert slot.trim.bottom >= DEFAULT_MARGINS.left - 1e-6
            assert slot.trim.right <= paper.width - DEFAULT_MARGINS.left + 1e-6
            assert slot.trim.top <= paper.height - DEFAULT_MARGINS.left + 1e-6
            assert slot.paint.left >= 0
            assert slot.paint.bottom >= 0
            assert slot.paint.right <= paper.width
            assert slot.paint.top <= paper.height


def test_no_smaller_arrangement_is_chosen() -> None:
    """A design takes as many places standing as lying; 18 mini cards lie where 16 would stand."""
    for name, size in CARD_SIZES.items():
        if name == "a4":
            continue
        standing, lying = grid_of(A4, Size(*size)), grid_of(A4, Size(*size).rotate())
        assert standing.capacity == lying.capacity, name
    assert grid_of(A4, Size(*CARD_SIZES["mini"])).capacity == 18


def test_bleed_is_whole_outside_and_shared_within() -> None:
    """Outer cards keep their bleed; along shared cuts neighbours only overlap a hair."""
    grid = grid_of(A4, POKER)
    slots = grid.list_slots()
    corner, middle = slots[0], slots[4]
    assert round(corner.trim.left - corner.paint.left, 3) == BLEED
    assert round(corner.paint.top - corner.trim.top, 3) == BLEED
    assert 0 < corner.paint.right - corner.trim.right < 0.3
    assert 0 < middle.trim.left - middle.paint.left < 0.3
    assert 0 < middle.paint.top - middle.trim.top < 0.3


def test_sheets_are_filled_in_order() -> None:
    assert divide_pieces("ABCDEFGHIJK", 9) == [("ABCDEFGHI", tuple(range(9))), ("JK", (0, 1))]
    assert divide_pieces("", 9) == []

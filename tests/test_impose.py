"""Where pieces lie on the paper, drawn as letters: fronts as seen, backs as seen from behind."""

from __future__ import annotations

import pytest

from cardgen.impose import MARGIN, Grid, fit, letters, sheets
from cardgen.units import CARD_SIZES, PAPERS, Size

A4, LETTER, A3 = (Size(*PAPERS[name]) for name in ("a4", "letter", "a3"))
POKER, A5 = Size(*CARD_SIZES["poker"]), Size(*CARD_SIZES["a5"])
BLEED = 3.0


def grid_of(paper: Size, piece: Size) -> Grid:
    grid = fit(paper, piece, BLEED)
    assert grid is not None
    return grid


def margins(grid: Grid) -> tuple[float, float]:
    return round(grid.left, 4), round(grid.bottom, 4)


@pytest.mark.parametrize("paper", [A4, LETTER])
def test_nine_poker_cards(paper: Size) -> None:
    grid = grid_of(paper, POKER)
    assert letters("ABCDEFGHI", grid, "front") == "ABC/DEF/GHI"
    assert letters("ABCDEFGHI", grid, "back") == "CBA/FED/IHG"


def test_a_partly_filled_sheet_stays_in_the_mirrored_columns() -> None:
    grid = grid_of(A4, POKER)
    assert letters("ABCD", grid, "front") == "ABC/D../..."
    assert letters("ABCD", grid, "back") == "CBA/..D/..."


def test_one_card() -> None:
    grid = grid_of(A4, POKER)
    assert letters("A", grid, "front") == "A../.../..."
    assert letters("A", grid, "back") == "..A/.../..."


def test_landscape_cards_lie_on_their_side() -> None:
    grid = grid_of(A4, POKER.turned())
    assert grid.turned
    assert letters("ABCDEFGHI", grid, "front") == "ABC/DEF/GHI"
    assert letters("ABCDEFGHI", grid, "back") == "CBA/FED/IHG"
    assert {slot.turn for slot in grid.slots("front")} == {90}
    assert {slot.turn for slot in grid.slots("back")} == {-90}


def test_upright_cards_are_not_turned() -> None:
    slots = [slot for side in ("front", "back") for slot in grid_of(A4, POKER).slots(side)]
    assert {slot.turn for slot in slots} == {0}


@pytest.mark.parametrize(("piece", "turned"), [(A5, False), (A5.turned(), True)])
def test_a_board_as_large_as_half_the_paper_lies_alone(piece: Size, turned: bool) -> None:
    grid = grid_of(A4, piece)
    assert (grid.columns, grid.rows, grid.turned) == (1, 1, turned)
    assert letters("A", grid, "front") == letters("A", grid, "back") == "A"


def test_boards_on_a3_lie_above_each_other() -> None:
    grid = grid_of(A3, A5)
    assert letters("AB", grid, "front") == letters("AB", grid, "back") == "A/B"


@pytest.mark.parametrize(
    ("paper", "expected"), [(A4, (9.75, 15.15)), (LETTER, (12.7, 6.35))], ids=["a4", "letter"]
)
def test_margins_of_nine_poker_cards(paper: Size, expected: tuple[float, float]) -> None:
    assert margins(grid_of(paper, POKER)) == expected


def test_a_piece_larger_than_the_paper_does_not_fit() -> None:
    assert fit(A4, Size(205, 205), BLEED) is None
    assert fit(A4, Size(200, 287), BLEED) is not None


@pytest.mark.parametrize("paper_name", sorted(PAPERS))
@pytest.mark.parametrize("card_name", sorted(set(CARD_SIZES) - {"a4"}))
@pytest.mark.parametrize("landscape", [False, True])
def test_every_slot_is_on_the_paper(paper_name: str, card_name: str, landscape: bool) -> None:
    """Trims keep the printer's margin, bleed stays on the sheet, and no two trims overlap."""
    paper, piece = Size(*PAPERS[paper_name]), Size(*CARD_SIZES[card_name])
    grid = grid_of(paper, piece.turned() if landscape else piece)
    for side in ("front", "back"):
        trims = [slot.trim for slot in grid.slots(side)]
        assert len({(round(t.left, 3), round(t.bottom, 3)) for t in trims}) == grid.capacity
        for slot in grid.slots(side):
            assert slot.trim.left >= MARGIN - 1e-6
            assert slot.trim.bottom >= MARGIN - 1e-6
            assert slot.trim.right <= paper.width - MARGIN + 1e-6
            assert slot.trim.top <= paper.height - MARGIN + 1e-6
            assert slot.paint.left >= 0
            assert slot.paint.bottom >= 0
            assert slot.paint.right <= paper.width
            assert slot.paint.top <= paper.height


def test_no_smaller_arrangement_is_chosen() -> None:
    """A design takes as many places standing as lying; 18 mini cards lie where 16 would stand."""
    for name, size in CARD_SIZES.items():
        if name == "a4":
            continue
        standing, lying = grid_of(A4, Size(*size)), grid_of(A4, Size(*size).turned())
        assert standing.capacity == lying.capacity, name
    assert grid_of(A4, Size(*CARD_SIZES["mini"])).capacity == 18


def test_bleed_is_whole_outside_and_shared_within() -> None:
    """Outer cards keep their bleed; along shared cuts neighbours only overlap a hair."""
    grid = grid_of(A4, POKER)
    slots = grid.slots("front")
    corner, middle = slots[0], slots[4]
    assert round(corner.trim.left - corner.paint.left, 3) == BLEED
    assert round(corner.paint.top - corner.trim.top, 3) == BLEED
    assert 0 < corner.paint.right - corner.trim.right < 0.3
    assert 0 < middle.trim.left - middle.paint.left < 0.3
    assert 0 < middle.paint.top - middle.trim.top < 0.3


def test_sheets_are_filled_in_order() -> None:
    assert sheets("ABCDEFGHIJK", 9) == ["ABCDEFGHI", "JK"]
    assert sheets("", 9) == []

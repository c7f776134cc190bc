"""Shapes for drawings: where cells, hexagons, borders and tracks come to lie."""

from __future__ import annotations

import math

import pytest

from cardgen.looks import geometry_functions

LEFT = [[0, 0], [20, 0], [20, 10], [20, 30], [0, 30]]
RIGHT = [[20, 30], [20, 10], [20, 0], [40, 0], [40, 30]]
HORSESHOE = [[0, 0], [30, 0], [30, 30], [20, 30], [20, 10], [10, 10], [10, 30], [0, 30]]


def test_cells_of_a_grid_stand_in_reading_order() -> None:
    cells = geometry_functions.grid(3, 2, 10, 8, gap=2)
    assert [(c["number"], c["column"], c["row"], c["x"], c["y"]) for c in cells] == [
        (1, 1, 1, 0, 0), (2, 2, 1, 12, 0), (3, 3, 1, 24, 0),
        (4, 1, 2, 0, 10), (5, 2, 2, 12, 10), (6, 3, 2, 24, 10),
    ]  # fmt: skip
    assert (cells[5]["cx"], cells[5]["cy"]) == (29, 14)


@pytest.mark.parametrize("flat", [False, True])
def test_neighbouring_hexagons_share_a_side_and_none_leaves_the_drawing(flat: bool) -> None:
    places = geometry_functions.hex_grid(4, 3, 10, flat=flat)
    first, beside = places[0], places[1]
    for neighbour in (beside, places[4]):
        side = geometry_functions.shared_edge(first["corners"], neighbour["corners"])
        assert side is not None
        assert side["length"] == pytest.approx(10, abs=0.002)
    corners = [corner for place in places for corner in place["corners"]]
    assert min(x for x, _ in corners) == 0
    assert min(y for _, y in corners) == 0


def test_hexagons_stand_on_a_corner_unless_flat() -> None:
    assert geometry_functions.hexagon(0, 0, 10)["points"].count("0,-10") == 1
    assert geometry_functions.hexagon(0, 0, 10, flat=True)["points"].startswith("10,0 ")


def test_the_name_of_a_bent_area_stands_within_it() -> None:
    area = geometry_functions.polygon(HORSESHOE)
    assert area["area"] == 30 * 30 - 10 * 20
    assert not (10 < area["x"] < 20 and area["y"] > 10), "it stands in the gap of the horseshoe"
    assert (area["left"], area["top"], area["right"], area["bottom"]) == (0, 0, 30, 30)


def test_a_shared_border_has_its_length_middle_and_angle_whichever_way_areas_are_written() -> None:
    border = geometry_functions.shared_edge(LEFT, RIGHT)
    assert border is not None
    assert (border["length"], border["x"], border["y"]) == (30, 20, 15)
    assert abs(border["angle"]) == 90
    assert border["corners"] == [(20, 0), (20, 10), (20, 30)]
    far = [[50, 0], [60, 0], [60, 10]]
    assert geometry_functions.shared_edge(LEFT, far) is None


def test_places_along_a_line_and_round_a_ring() -> None:
    corner = [[0, 0], [10, 0], [10, 10]]
    assert [(p["x"], p["y"], p["angle"]) for p in geometry_functions.along(corner, 3)] == [
        (0, 0, 0), (10, 0, 0), (10, 10, 90),
    ]  # fmt: skip
    square = [[0, 0], [10, 0], [10, 10], [0, 10]]
    ring = geometry_functions.along(square, 4, closed=True)
    assert [(p["x"], p["y"]) for p in ring] == [(0, 0), (10, 0), (10, 10), (0, 10)]
    assert geometry_functions.along(corner, 1)[0]["x"] == 10


def test_a_rough_border_is_the_same_line_for_both_neighbours() -> None:
    left, right = geometry_functions.rough(LEFT, 2), geometry_functions.rough(RIGHT, 2)
    border = geometry_functions.shared_edge(left, right)
    assert border is not None
    assert len(border["corners"]) == 9, "two pieces of four each"
    assert math.isclose(border["length"], 30, rel_tol=0.2)
    assert any(x != 20 for x, _ in border["corners"])


def test_a_smooth_line_runs_through_its_points() -> None:
    path = geometry_functions.smooth([[0, 0], [10, 5], [20, 0]])
    assert path.startswith("M0 0C")
    assert " 10 5C" in path
    assert path.endswith(" 20 0")
    assert geometry_functions.smooth([[0, 0], [10, 0], [10, 10]], closed=True).endswith(" 0 0Z")


def test_what_is_asked_for_is_bounded() -> None:
    with pytest.raises(ValueError, match="10000 places"):
        geometry_functions.hex_grid(1000, 1000, 5)
    with pytest.raises(ValueError, match="10000 places"):
        geometry_functions.along([[0, 0], [1, 1]], 100_000)
    with pytest.raises(ValueError, match="needs points"):
        geometry_functions.polygon([])

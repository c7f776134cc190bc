"""How far apart colours are: ΔE2000 of known pairs, and what a deutan sees."""

from __future__ import annotations

import pytest

from cardgen.rules.card_rules import COLOUR_VISIONS, find_nearest_colours, measure_delta_e


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("#ffffff", "#ffffff", 0.0),
        ("#000000", "#ffffff", 100.0),  # L* from 0 to 100 and nothing else
        ("#ff0000", "#00ff00", 86.6),  # what other calculators of ΔE2000 give
        ("#ff0000", "#0000ff", 52.9),
        ("#777777", "#808080", 3.4),
    ],
)
def test_known_distances(first: str, second: str, expected: float) -> None:
    assert measure_delta_e(first, second) == pytest.approx(expected, abs=0.15)


@pytest.mark.parametrize("sight", COLOUR_VISIONS)
def test_greys_look_the_same_to_all(sight: str) -> None:
    assert measure_delta_e("#404040", "#c0c0c0", sight) == pytest.approx(
        measure_delta_e("#404040", "#c0c0c0"), abs=0.6
    )


def test_red_and_green_meet_for_deutans_alone() -> None:
    red, green = "#c83c32", "#3c8c32"
    assert measure_delta_e(red, green) > 60
    assert measure_delta_e(red, green, "tritan") > 40
    assert measure_delta_e(red, green, "deutan") < 10


def test_blue_and_green_meet_for_tritans() -> None:
    blue, green = "#1e8ca0", "#1e8c6e"
    assert measure_delta_e(blue, green) > 2 * measure_delta_e(blue, green, "tritan")


def test_the_nearest_pair_is_sought_in_every_sight() -> None:
    colours = {"red": "#c83c32", "green": "#3c8c32", "blue": "#1f3a96"}
    delta, first, second, sight = find_nearest_colours(colours)
    assert (first, second, sight) == ("red", "green", "deutan")
    assert delta == pytest.approx(measure_delta_e("#c83c32", "#3c8c32", "deutan"))

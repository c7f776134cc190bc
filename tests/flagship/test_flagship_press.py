"""The game in the inks of a press: two decks of it, read from the first operator to the last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pikepdf
import press_files
import pytest
from small_games import make, options

from cardgen.base.units import points
from cardgen.outputs.contract import PressOptions

DECKS = ("loot-city", "units")
INK = 300
_BLACK = (0.0, 0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def press(copy: Path, profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("press")
    asked = replace(options(), press=PressOptions(str(profile)))
    make(copy, asked, outputs=("press",), decks=DECKS, languages=("fi",), folder=folder)
    return folder / "fi/press"


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("kind", ["cards", "sheets"])
def test_every_colour_is_in_inks_and_black_letters_in_one(
    press: Path, kind: str, deck: str
) -> None:
    with pikepdf.open(press / kind / f"{deck}.pdf") as pdf:
        found = press_files.painted(pdf)
        assert found.foreign == []
        assert (_BLACK, True) in found.letters
        assert (_BLACK, False) not in found.letters
        dark = [inks for inks, _ in found.letters if inks[3] > 0.9]
        assert dark == [_BLACK], "no letter is in a black of several inks"
        assert 100 < press_files.most_ink(found) <= INK


@pytest.mark.parametrize("deck", DECKS)
def test_cards_are_cut_where_they_should_be(press: Path, deck: str) -> None:
    with pikepdf.open(press / "cards" / f"{deck}.pdf") as pdf:
        assert pdf.pages
        for page in pdf.pages:
            media, trim = (
                [float(v) / points(1) for v in page.obj[box]] for box in ("/MediaBox", "/TrimBox")
            )
            width, height = trim[2] - trim[0], trim[3] - trim[1]
            assert [width, height] == pytest.approx([63.5, 88.9], abs=0.01)
            assert media == pytest.approx([0, 0, width + 6, height + 6], abs=0.01)

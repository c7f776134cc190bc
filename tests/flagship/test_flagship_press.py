"""The game in the inks of a press: two decks of it, read from the first operator to the last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pikepdf
import press_files
import pytest
from small_games import make, options

from cardgen.core.units import convert_to_points
from cardgen.outputs.contract import PressOptions
from cardgen.pdf.preflight import inspection, printer_spec
from cardgen.pdf.preflight.inspection import InspectionCall

DECKS = ("loot-city", "units")
INK = 300
_BLACK = (0.0, 0.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def press(copy: Path, profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("press")
    asked = replace(options(), press=PressOptions(str(profile)))
    make(copy, asked, outputs=("press",), decks=DECKS, languages=("fi",), folder=folder)
    return folder / "fi/press"


FILES = tuple(f"{kind}/{deck}" for kind in ("cards", "sheets") for deck in DECKS)
TRIMS = {"cards/loot-city": (63.5, 88.9), "cards/units": (63.5, 88.9)}


@pytest.mark.parametrize("name", FILES)
def test_every_colour_is_in_inks_and_black_letters_in_one(press: Path, name: str) -> None:
    with pikepdf.open(press / f"{name}.pdf") as pdf:
        found = press_files.painted(pdf)
        assert found.foreign == []
        assert (_BLACK, True) in found.letters
        assert (_BLACK, False) not in found.letters
        assert [inks for inks, _ in found.letters if _is_several_for_black(inks)] == []
        assert 100 < press_files.most_ink(found) <= INK


def _is_several_for_black(inks: tuple[float, ...]) -> bool:
    """Whether a colour looks black and is of more inks than black."""
    *colours, black = inks
    dark = black + sum(colours) / 3 > 1.2 and black > 0.5
    return (black > 0.9 and inks != _BLACK) or (dark and max(colours) - min(colours) < 0.3)


@pytest.mark.parametrize("name", TRIMS)
def test_pages_are_cut_where_they_should_be(press: Path, name: str) -> None:
    width, height = TRIMS[name]
    wanted = {
        "/MediaBox": [0, 0, width + 6, height + 6],
        "/BleedBox": [0, 0, width + 6, height + 6],
        "/TrimBox": [3, 3, width + 3, height + 3],
    }
    with pikepdf.open(press / f"{name}.pdf") as pdf:
        assert pdf.pages
        for page in pdf.pages:
            for box, sides in wanted.items():
                found = [float(side) / convert_to_points(1) for side in page.obj[box]]
                assert found == pytest.approx(sides, abs=0.005), box


@pytest.mark.parametrize("name", TRIMS)
def test_a_printer_s_own_checks_find_nothing(press: Path, name: str) -> None:
    asked = printer_spec.PrinterSpec(
        "a printer", bleed=3, needs_boxes=True, colours=("cmyk", "gray"), max_ink=INK,
        needs_intent=True,
        black_text="overprinting", standards=("X-4",), min_resolution=250,
    )  # fmt: skip
    path = press / f"{name}.pdf"
    (found,) = inspection.inspect_files([InspectionCall(path, path.name, asked)])
    assert [str(problem) for problem in found.problems] == []

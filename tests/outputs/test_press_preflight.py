"""What cardgen makes for printers passes its own preflight."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from small_games import GAME, make, options, write_game

from cardgen.core.units import Size
from cardgen.outputs.contract import PressOptions, SingleOptions
from cardgen.pdf.preflight import inspection
from cardgen.pdf.preflight.inspection import InspectionCall
from cardgen.pdf.preflight.printer_spec import PrinterSpec
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

FILES = {
    "game.yaml": GAME + "print: {ink: 280}\n",
    "cards/loot.yaml": """deck: loot
title: {en: Loot}
size: poker
front: loot.html
back: back.html
styles: [card.css]
fields: {name: text}
cards:
  - {id: barn, name: {en: Barn}, copies: 2}
  - {id: shop, name: {en: Shop}}
""",
    "templates/loot.html": '<div class="bleed ground"></div><img class="art" src="art/barn.svg">'
    '<div class="name">{{ card.name }}</div><div class="pale"></div>',
    "templates/back.html": '<div class="bleed" style="background: #204080"></div>',
    "templates/card.css": """
div, img { position: absolute; left: 6mm }
.ground { background: linear-gradient(90deg, #a0c0e0, #ffcc88) }
.name { top: 6mm; font-size: 9pt; color: #000 }
.art { top: 30mm; width: 20mm; height: 20mm }
.pale { top: 60mm; width: 40mm; height: 6mm; background: #fff; opacity: .5 }
""",
    "art/barn.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80">'
    '<circle cx="40" cy="40" r="30" fill="#083018" stroke="#f80" stroke-width="2"/></svg>',
}
HOME = PrinterSpec("home", sizes={"poker": Size(63.5, 88.9)}, bleed=3, colours=("rgb", "gray"))
PRINTER = PrinterSpec(
    "Kettu", sizes=HOME.sizes, bleed=3, needs_boxes=True, colours=("cmyk", "gray", "spot"),
    max_ink=280,
    min_resolution=300, min_line=0.25, standards=("X-4",), needs_intent=True,
    black_text="overprinting",
)  # fmt: skip


@pytest.fixture(scope="module")
def made(profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small deck, for home and for a press."""
    root = write_game(tmp_path_factory.mktemp("preflight"), FILES)
    asked = replace(options(), press=PressOptions(str(profile)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        make(root, asked, outputs=("press", "card-pdfs", "sheets"))
    return root / "build/en"


def told(path: Path, spec: PrinterSpec) -> list[str]:
    """What preflight tells of a file."""
    (found,) = inspection.inspect_files([InspectionCall(path, path.name, spec)])
    return [str(each) for each in found.problems]


def test_cards_for_home(made: Path) -> None:
    assert told(made / "card-pdfs/loot.pdf", HOME) == []
    assert told(made / "card-pdfs/loot.pdf", PRINTER) != []


def test_sheets_for_home(made: Path) -> None:
    sheets = replace(HOME, sizes={}, bleed=None, needs_boxes=False)
    assert told(made / "sheets.pdf", sheets) == []


def test_cards_for_a_press(made: Path) -> None:
    assert told(made / "press/cards/loot.pdf", PRINTER) == []


def test_mirrored_bleed_is_in_inks_as_well(made: Path, profile: Path, tmp_path: Path) -> None:
    asked = replace(options(), press=PressOptions(str(profile)), single=SingleOptions(3.5))
    request = Request(made.parent.parent, ("press",), decks=("loot",), options=asked)
    report = build.build(replace(request, output_folder=tmp_path))
    (problem,) = report.problems
    assert "loot: 3 mm of bleed, but a press needs 3.5; " in str(problem)
    cards = tmp_path / "en/press/cards/loot.pdf"
    assert told(cards, replace(PRINTER, bleed=3.5)) == []
    assert told(cards, replace(PRINTER, bleed=3.6)) != []


def test_sheets_for_a_press(made: Path) -> None:
    sheets = replace(PRINTER, sizes={}, bleed=None)
    assert told(made / "press/sheets/loot.pdf", sheets) == []


def test_a_shop_that_takes_no_transparency_is_heeded(made: Path) -> None:
    found = told(made / "press/cards/loot.pdf", replace(PRINTER, transparency=False))
    assert len(found) == 1
    assert "transparency (" in found[0]
    assert "Kettu takes none: flatten it" in found[0]

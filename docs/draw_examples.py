"""The map in templates.md, of the example that stands there: `python docs/draw_examples.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from draw_sheets import IMAGES, ROOT
from PIL import Image

from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets.arrangement import SheetLayout

sys.path.insert(0, str(ROOT / "tests"))

from docs_examples import examples

MAP, PICTURE = "templates/map.svg", "en/images/maps/island.png"
DPI = 150


def main() -> None:
    """Build the game as the page holds it, and keep the picture of its map."""
    shown = next(example for example in examples("templates.md") if MAP in example.files)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in shown.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        paper = SheetLayout("a4", Size(*PAPERS["a4"]))
        options = Options(paper, DPI, bleed=False, rounded=False)
        report = build.build(Request(root, ("images",), decks=("maps",), options=options))
        if report.has_failed:
            sys.exit("\n".join(map(str, report.problems)))
        with Image.open(root / "build" / PICTURE) as picture:
            small = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
            small.save(IMAGES / "drawing.png", optimize=True)


if __name__ == "__main__":
    main()

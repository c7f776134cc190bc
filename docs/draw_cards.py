"""The picture of README.md and of the site, of the flagship: `python docs/draw_cards.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from draw_sheets import GAP, IMAGES, ROOT
from PIL import Image

from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets.arrangement import SheetLayout

# In rows of five, as they hang on the desk: decks and the pictures that a build makes of them.
SHOWN = (
    "loot-city/school", "loot-city/parking-warden", "areas/harbour", "loot-city/hotel",
    "units/armour-pink", "units/supply-yellow-back", "experience/greenhorn",
    "night-attacks/forest-folk", "loot-country/drone-back", "loot-country/drone",
)  # fmt: skip
IN_ROW, WIDE = 5, 264
DPI = 150
DESK = (74, 73, 70)


def main() -> None:
    """Build the decks' pictures in English and put ten of them side by side."""
    decks = tuple(dict.fromkeys(name.partition("/")[0] for name in SHOWN))
    options = Options(SheetLayout("a4", Size(*PAPERS["a4"])), DPI, bleed=False, rounded=True)
    with tempfile.TemporaryDirectory() as folder:
        report = build.build(
            Request(ROOT, ("images",), ("en",), decks, options, output_folder=Path(folder))
        )
        if report.has_failed:
            sys.exit("\n".join(map(str, report.problems)))
        cards = [small(Path(folder) / f"en/images/{name}.png") for name in SHOWN]
    high = max(card.height for card in cards)
    rows = len(cards) // IN_ROW
    size = (IN_ROW * (WIDE + GAP) + GAP, rows * (high + GAP) + GAP)
    desk = Image.new("RGB", size, DESK)
    for nth, card in enumerate(cards):
        row, column = divmod(nth, IN_ROW)
        desk.paste(card, (GAP + column * (WIDE + GAP), GAP + row * (high + GAP)), card)
    path = IMAGES / "cards.png"
    desk.quantize(192, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


def small(path: Path) -> Image.Image:
    """A card with its round corners, as wide as it is shown."""
    with Image.open(path) as card:
        size = (WIDE, round(card.height * WIDE / card.width))
        return card.convert("RGBA").resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()

"""The pictures of chances in the documentation, from the flagship: `python docs/draw_odds.py`."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops, ImageOps

from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.sheets.arrangement import SheetLayout

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
_SCALE, _EDGE, _DESK = 1.9, 24, (122, 128, 140)
_CHART = "Value of three city loot cards"


def main() -> None:
    """Build the contact sheet of a deck and the designer's book, and cut the pictures out."""
    layout = SheetLayout("a4", Size(*PAPERS["a4"]))
    options = Options(layout, 300, False, False, editions=("designer",), book_sizes=("a4",))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = Request(ROOT, languages=("en",), options=options, output_folder=folder)
        build.build(replace(asked, outputs=("contact",), decks=("loot-city",)))
        with Image.open(next((folder / "en/contact/stats").glob("*.jpg"))) as page:
            _saved("stats", _trimmed(page.convert("RGB")))
        build.build(replace(asked, outputs=("rulebook",)))
        book = pypdfium2.PdfDocument(folder / "en/rulebook-designer.pdf")
        _saved("distribution", _chart(book))


def _chart(book: pypdfium2.PdfDocument) -> Image.Image:
    """The first chart of the chapter: from its title to the words below it."""
    for page in book:
        text = page.get_textpage()
        found = text.search(_CHART).get_next()
        if found is None:
            continue
        below = text.search("Areas.", found[0]).get_next()
        _, _, _, top = text.get_charbox(found[0])
        bottom = text.get_charbox(below[0])[3] if below else top - 150
        picture = page.render(scale=_SCALE * 1.2).to_pil().convert("RGB")
        unit = picture.height / page.get_height()
        upper, lower = (int(picture.height - (edge + 6) * unit) for edge in (top, bottom))
        return _trimmed(picture.crop((0, upper, picture.width, lower)))
    raise SystemExit(f"no page of the book has the chart '{_CHART}'")


def _trimmed(picture: Image.Image) -> Image.Image:
    """Without the white round it."""
    blank = Image.new("RGB", picture.size, "white")
    inked = ImageChops.difference(picture, blank).convert("L").point(lambda v: 255 * (v > 40))
    return picture.crop(inked.getbbox())


def _saved(name: str, picture: Image.Image) -> None:
    framed = ImageOps.expand(ImageOps.expand(picture, _EDGE, "white"), 6, _DESK)
    framed.quantize(64).save(IMAGES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()

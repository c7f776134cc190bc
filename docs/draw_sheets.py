"""Pictures of sheets and a proof in printing.md, of the flagship: `python docs/draw_sheets.py`."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image, ImageOps

from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options
from cardgen.pdf.ink_modes import InkMode
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.pipeline.request import CardFilter
from cardgen.sheets import imposition, precut_stock, printer_profiles
from cardgen.sheets.arrangement import SheetLayout
from cardgen.sheets.sheet_guides import MarkStyle

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
A4, A5 = Size(*PAPERS["a4"]), Size(148, 210)
HEIGHT, GAP, DESK = 520, 14, (122, 128, 140)


@dataclass(frozen=True)
class Picture:
    """Some pages of a deck's sheets beside each other."""

    name: str
    deck: str
    pages: tuple[int, ...]
    paper: Size = A4
    layout: dict[str, Any] = field(default_factory=dict)


PICTURES = [
    Picture("duplex-long", "areas", (0, 1)),
    Picture("duplex-short", "areas", (0, 1), layout={"backs": "duplex-short"}),
    Picture("gutterfold", "areas", (0,), layout={"backs": "gutterfold"}),
    Picture(
        "cut-lines",
        "areas",
        (0,),
        layout={"style": MarkStyle(has_cut_lines=True), "gap": Size(6, 6)},
    ),
    Picture("silhouette", "areas", (0, 1), layout={"style": MarkStyle("silhouette")}),
    Picture("silhouette-4", "areas", (0, 1), layout={"style": MarkStyle("silhouette-4")}),
    Picture(
        "skip",
        "areas",
        (0, 1),
        layout={
            "skip": imposition.parse_numbers("1-2,5"),
            "stock": precut_stock.find_stock("herma-8897"),
        },
    ),
    Picture(
        "low-ink",
        "areas",
        (0, 1),
        layout={"style": MarkStyle(has_cut_lines=True), "ink": InkMode(low=True)},
    ),
    Picture("board", "status-boards", (0, 1, 2), paper=A5),
]


def main() -> None:
    """Build the few decks, draw what is shown of them."""
    with tempfile.TemporaryDirectory() as name:
        for picture in PICTURES:
            folder = Path(name) / picture.name
            layout = SheetLayout("paper", picture.paper, **picture.layout)
            report = build.build(
                Request(
                    ROOT, ("sheets",), ("en",), (picture.deck,),
                    Options(layout, 72, bleed=False, rounded=False), output_folder=folder,
                )
            )  # fmt: skip
            if report.has_failed:
                sys.exit("\n".join(map(str, report.problems)))
            pdf = (folder / f"en/sheets/{picture.deck}.pdf").read_bytes()
            save(f"sheets-{picture.name}", framed(drawn(pdf, picture.pages)))
        save("card-proof", framed(drawn(proof(Path(name) / "proof"), (0, 1))))
    save("calibration", framed(drawn(printer_profiles.draw_calibration_sheet(A4), (0, 1))))


def proof(folder: Path) -> bytes:
    """The proof of one card, its front and its back."""
    options = Options(SheetLayout("a4", A4), 72, bleed=False, rounded=False)
    request = Request(
        ROOT,
        ("card-proof",),
        ("en",),
        ("loot-country",),
        options,
        output_folder=folder,
        card_filter=CardFilter(("hay-barn",)),
    )
    report = build.build(request)
    if report.has_failed:
        sys.exit("\n".join(map(str, report.problems)))
    return (folder / "en/card-proof/loot-country+hay-barn.pdf").read_bytes()


def drawn(pdf: bytes, pages: tuple[int, ...]) -> list[Image.Image]:
    """Pages as pictures of one height."""
    document = pypdfium2.PdfDocument(pdf)
    found = []
    for number in pages:
        page = document[number]
        image = page.render(scale=3 * HEIGHT / page.get_height()).to_pil().convert("RGB")
        size = (round(image.width * HEIGHT / image.height), HEIGHT)
        found.append(image.resize(size, Image.Resampling.LANCZOS))
    document.close()
    return found


def framed(pages: list[Image.Image]) -> list[Image.Image]:
    """Pages with an edge, so that paper shows on paper."""
    return [ImageOps.expand(image, 1, (70, 70, 70)) for image in pages]


def save(name: str, found: list[Image.Image]) -> None:
    """Pictures of one height on a desk, as a small PNG."""
    width = sum(image.width + GAP for image in found) + GAP
    desk = Image.new("RGB", (width, found[0].height + 2 * GAP), DESK)
    left = GAP
    for image in found:
        desk.paste(image, (left, GAP))
        left += image.width + GAP
    path = IMAGES / f"{name}.png"
    desk.quantize(160, Image.Quantize.MEDIANCUT).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()

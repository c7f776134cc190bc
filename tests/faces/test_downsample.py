"""Pictures with more pixels than print can show: smaller on sheets, whole in images, and told."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageChops
from pixels import pages, part
from small_games import make, options, write_game

from cardgen.faces import image_sampling
from cardgen.pipeline.build import BuildReport

SIDE = 400
DECK = """deck: scans
title: {en: Scans}
size: 20 x 20
bleed: 0
front: scan.html
fields: {file: string, wide: number}
cards:
"""
FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "templates/scan.html": '<img src="art/{{ card.file }}" style="position: absolute; left: 0; '
    'top: 0; width: {{ card.wide }}mm; height: {{ card.wide }}mm; {{ card.how }}">',
}


def scan(mode: str = "RGB") -> Image.Image:
    """A picture of soft areas, which looks alike at any size."""
    down = Image.linear_gradient("L").resize((SIDE, SIDE))
    image = Image.merge(
        "RGB", (down, down.rotate(90), Image.radial_gradient("L").resize(down.size))
    )
    if mode == "RGBA":
        image.putalpha(down.rotate(180))
    return image.convert(mode)


def game_of(root: Path, cards: list[tuple[str, float]], kind: str = "PNG", mode: str = "RGB",
            style: str = "") -> Path:  # fmt: skip
    """A game whose cards show scans that wide, in mm. At 10 mm a scan has 1016 dpi."""
    lines = [
        f"  - {{id: c{n}, file: {name}, wide: {wide}}}\n" for n, (name, wide) in enumerate(cards)
    ]
    template = FILES["templates/scan.html"].replace("{{ card.how }}", style)
    deck = {"cards/scans.yaml": DECK + "".join(lines), "templates/scan.html": template}
    write_game(root, {**FILES, **deck})
    (root / "art").mkdir(exist_ok=True)
    for name in {name for name, _ in cards}:
        out = io.BytesIO()
        scan(mode).save(out, kind)
        (root / "art" / name).write_bytes(out.getvalue())
    return root


def sizes(pdf: Path) -> list[tuple[int, str]]:
    """The width and packing of each picture in a PDF, transparency left out."""
    with pikepdf.open(pdf) as opened:
        images = [
            item
            for item in opened.objects
            if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"
        ]
        masks = {item.SMask.objgen for item in images if "/SMask" in item}
        return [(int(i.Width), str(i.Filter)) for i in images if i.objgen not in masks]


def told(report: BuildReport) -> str:
    return " ".join(artefact.summary for artefact in report.new_files).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("kind", "mode", "packing"),
    [("PNG", "RGB", "/FlateDecode"), ("PNG", "RGBA", "/FlateDecode"), ("PNG", "L", "/FlateDecode"),
     ("JPEG", "RGB", "/DCTDecode")],
)  # fmt: skip
def test_sheets_hold_no_more_than_print_shows(
    kind: str, mode: str, packing: str, tmp_path: Path
) -> None:
    """600 dpi of a picture of 1016 are 237 px on 10 mm; nine cards hold it once."""
    root = game_of(tmp_path, [("scan.img", 10.0)] * 9, kind, mode)
    report = make(root, outputs=("sheets",))
    assert sizes(root / "build/en/sheets.pdf") == [(237, packing)]
    assert (
        "reduced to 600 dpi on sheets, since print needs no more: art/scan.img (1013 dpi); "
        in told(report)
    )


def test_images_show_all_of_it(tmp_path: Path) -> None:
    """Stripes a pixel wide are seen at 1016 dpi, where a smaller picture would be grey."""
    root = game_of(tmp_path, [("scan.png", 10.0)])
    stripes = Image.new("L", (SIDE, SIDE))
    stripes.putdata([255 * (x % 2) for _ in range(SIDE) for x in range(SIDE)])
    stripes.save(root / "art/scan.png")
    make(root, options(dpi=1016), outputs=("sheets", "images"))
    with Image.open(root / "build/en/images/scans/c0.png") as image:
        row = part(image.convert("L"), (100, 200, 300, 201))
    low, high = row.getextrema()
    assert isinstance(low, int)
    assert isinstance(high, int)
    assert low < 80
    assert high > 175
    assert sizes(root / "build/en/sheets.pdf")[0][0] == 237


@pytest.mark.parametrize(
    ("cards", "style", "width"),
    [
        ([("scan.png", 10.0), ("scan.png", 5.0)], "", 237),
        ([("scan.png", 10.0), ("scan.png", 20.0)], "", 400),
        ([("scan.png", 15.0)], "", 400),
        ([("scan.png", 10.0)], "image-rendering: pixelated", 400),
    ],
)  # fmt: skip
def test_the_largest_place_decides(
    cards: list[tuple[str, float]], style: str, width: int, tmp_path: Path
) -> None:
    root = game_of(tmp_path, cards, style=style)
    report = make(root, outputs=("sheets",))
    assert [each for each, _ in sizes(root / "build/en/sheets.pdf")] == [width]
    assert ("reduced to" in told(report)) == (width < SIDE)


def test_it_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = game_of(tmp_path, [("scan.png", 10.0)])
    make(root, outputs=("sheets",))
    before = (root / "build/en/sheets.pdf").read_bytes()
    monkeypatch.setattr(image_sampling, "_draw_downsampled", None)
    (root / "build/en/sheets.pdf").unlink()
    make(root, outputs=("sheets",))
    assert (root / "build/en/sheets.pdf").read_bytes() == before


def test_another_place_is_another_sheet(tmp_path: Path) -> None:
    """The first card's face is the same; its picture grows with the second's."""
    root = game_of(tmp_path, [("scan.png", 10.0)])
    make(root, outputs=("sheets",))
    deck = root / "cards/scans.yaml"
    deck.write_text(deck.read_text() + "  - {id: c1, file: scan.png, wide: 14}\n")
    make(root, outputs=("sheets",))
    assert [each for each, _ in sizes(root / "build/en/sheets.pdf")] == [400]


def test_colours_and_transparency_stay(tmp_path: Path) -> None:
    root = game_of(tmp_path, [("scan.png", 10.0)], mode="RGBA")
    make(root, outputs=("sheets",))
    (small,) = pages(root / "build/en/sheets.pdf", 6)
    two = [("scan.png", 10.0)]
    other = game_of(tmp_path / "two", two, mode="RGBA", style="image-rendering: pixelated")
    make(other, outputs=("sheets",))
    (whole,) = pages(tmp_path / "two/build/en/sheets.pdf", 6)
    apart = ImageChops.difference(small, whole).convert("L").getextrema()
    assert apart[1] <= 6  # type: ignore[operator]

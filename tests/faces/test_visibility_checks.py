"""What is told of a painted face, and what is not: a false alarm costs more than a miss.

Each case is a face of 60 × 80 mm with 3 mm of bleed. It is the canary for WeasyPrint's drawing
functions, too, which are listened to (pdf/painted).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PIL import Image
from small_games import GAME, make, options, write_game
from whole_games import fonts_of

from cardgen.assets import artwork
from cardgen.assets.artwork import Art
from cardgen.faces import layout_engine, paint_recorder
from cardgen.faces.measurement import NO_ORIGIN
from cardgen.faces.model import FaceInput, FaceSettings
from cardgen.faces.paint_recorder import PaintBox
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

AT = "<div data-at=card.html:{} style='position: absolute; {}'>{}</div>"
NAME = AT.format(1, "left: 6mm; top: 6mm; font-size: 16pt", "Harbour")
GROUND = "<div data-at=card.html:9 class=bleed style='background: {}'></div>"
RING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">'
    '<path fill="#c00" d="M0 0h40v40H0zM4 4v32h32V4z"/></svg>'
)
PLATE = RING.replace("zM4 4v32h32V4z", "z")


def box(line: int, style: str, words: str = "", more: str = "") -> str:
    return AT.format(line, style, words).replace("<div", f"<div {more}", 1)


def over(style: str, more: str = "") -> str:
    """A box over the end of the name."""
    place = "left: 14mm; top: 5mm; width: 20mm; height: 8mm;"
    return box(2, f"{place} {style}", "", more)


def art(name: str, **style: str) -> str:
    return f"<img data-at=card.html:3 src=art/{name}.svg style='position: absolute; {style['at']}'>"


SILENT = {
    "plain": NAME,
    "on a ground": GROUND.format("#222") + NAME.replace("16pt", "16pt; color: #eee"),
    "box below": over("background: #c00") + NAME,
    "clear box": NAME + over("background: none"),
    "half clear box": NAME + over("background: rgb(200 0 0 / 50%)"),
    "half clear group": NAME + over("background: #c00; opacity: 0.5"),
    "hidden box": NAME + over("background: #c00; visibility: hidden"),
    "box beside": NAME + over("background: #c00; left: 35mm"),
    "a line's breadth": NAME + over("background: #c00; height: 1.2mm"),
    "meant": NAME + over("background: #c00", "data-overlap"),
    "z-index": over("background: #c00") + NAME.replace("left", "z-index: 1; left"),
    "a frame": NAME + art("ring", at="left: 3mm; top: 3mm; width: 54mm; height: 40mm"),
    "a border": NAME + over("border: 0.3mm solid #000; left: 4mm; width: 50mm"),
    "clipped": box(4, "left: 40mm; top: 5mm; width: 10mm; height: 9mm; overflow: hidden",
                   box(5, "left: -30mm; top: 0; width: 35mm; height: 9mm; background: #c00"))
    + NAME,
    "shadow": NAME + NAME.replace("left: 6mm", "left: 6.2mm; color: #777"),
    "watermark": box(2, "left: 4mm; top: 2mm; font-size: 60pt; color: #eee", "7") + NAME,
    "pale below": box(2, "left: 7mm; top: 6mm; font-size: 15pt; color: #bbb", "Port") + NAME,
    "tight lines": box(2, "left: 6mm; top: 6mm; width: 20mm; line-height: 0.6; font-size: 12pt",
                       "Harbour of the old town"),
    "superscript": box(2, "left: 6mm; top: 6mm", "10<sup style='margin-left: -1mm'>th</sup>"),
    "two columns": box(2, "left: 6mm; top: 30mm; width: 20mm", "left words here")
    + box(3, "left: 27mm; top: 30mm; width: 20mm", "right words here"),
    "turned": NAME + box(2, "left: 6mm; top: 6mm; transform: rotate(30deg)", "Stamped"),
    "white on a picture": art("plate", at="left: 5mm; top: 5mm; width: 50mm; height: 50mm")
    + NAME.replace("16pt", "16pt; color: #fff"),
    "white on a gradient": box(2, "left: 0; top: 0; width: 50mm; height: 50mm; background: "
                               "linear-gradient(#000, #333)")
    + NAME.replace("16pt", "16pt; color: #fff"),
    "white in a shadow": box(2, "left: 0; top: 0; width: 50mm; height: 50mm; box-shadow: "
                             "inset 0 0 0 25mm #000")
    + NAME.replace("16pt", "16pt; color: #fff"),
    "invisible": NAME.replace("16pt", "16pt; color: transparent"),
    "bleed": GROUND.format("#c00"),
    "white margin": box(2, "left: 4mm; top: 4mm; width: 52mm; height: 72mm; background: #c00"),
    "paper ground": box(2, "left: 0; top: 0; width: 60mm; height: 80mm; background: #fffdf8"),
    "a band to the bleed": box(
        2, "left: -3mm; top: 20mm; width: 66mm; height: 30mm; background: #c00"),
    "a band on its own colour": GROUND.format("#c00") + box(
        2, "left: 0; top: 20mm; width: 60mm; height: 30mm; background: #c40404"),
    "meant edge": box(2, "left: 0; top: 0; width: 60mm; height: 80mm; background: #c00", "",
                      "data-unsafe"),
    "art to the bleed": art("plate", at="left: -3mm; top: -3mm; width: 66mm; height: 86mm; "
                            "object-fit: fill"),
    "art over the upper half": art("plate", at="left: -3mm; top: -3mm; width: 66mm; height: 40mm; "
                                   "object-fit: cover"),
    "art between lines": art("plate", at="left: -3mm; top: 10mm; width: 66mm; height: 60mm; "
                             "object-fit: fill")
    + box(5, "left: 6mm; top: 3mm", "Above"),
    "art that covers the card": art("plate", at="left: -3mm; top: -3mm; width: 66mm; height: 86mm; "
                                    "object-fit: cover"),
    "art with a margin": art("ring", at="left: 0; top: 0; width: 60mm; height: 80mm; "
                             "object-fit: fill").replace("ring", "inner"),
}  # fmt: skip
TOLD = {
    "large": (box(2, "left: 4mm; top: 2mm; font-size: 60pt; color: #fdfdfd", "7"), "in #fdfdfd"),
    "covered": (NAME + over("background: #c00"), "'Harbour' is covered by what card.html:2"),
    "covered whole": (NAME + over("background: #c00; left: 2mm; width: 40mm"), "is covered"),
    "covered by a plate": (
        NAME + art("plate", at="left: 14mm; top: 2mm; width: 15mm; height: 15mm"),
        "'Harbour' is covered by what card.html:3",
    ),
    "covered by z-index": (
        over("background: #c00; z-index: 2") + NAME, "'Harbour' is covered by what card.html:2"),
    "covered where it is moved": (
        NAME + over("background: #c00; left: 40mm; transform: translate(-26mm)"), "is covered"),
    "crossed": (
        NAME + box(2, "left: 14mm; top: 6mm; font-size: 14pt", "Quay"),
        "'Quay' is printed over 'Harbour' of card.html:1",
    ),
    "crossed line": (
        box(2, "left: 6mm; top: 30mm; width: 20mm; white-space: nowrap", "a long line of words")
        + box(3, "left: 23mm; top: 30mm; width: 20mm", "right words here"),
        "'right words here' is printed over 'a long line of words' of card.html:2",
    ),
    "white on white": (NAME.replace("16pt", "16pt; color: #fefefe"),
                       "'Harbour' is printed in #fefefe on #ffffff"),
    "ground on ground": (GROUND.format("#222") + NAME.replace("16pt", "16pt; color: #2a2a2a"),
                         "'Harbour' is printed in #2a2a2a on #222222"),
    "faint": (NAME.replace("16pt", "16pt; opacity: 0.05"), "on #ffffff"),
    "short": (box(2, "left: 0; top: 0; width: 60mm; height: 80mm; background: #c00"),
              "the ground ends at the cut (left, top, right, bottom); run it 3 mm further"),
    "short foot": (
        box(2, "left: -3mm; top: -3mm; width: 66mm; height: 83mm; background: #c00"),
        "the ground ends at the cut (bottom)",
    ),
    "short art": (art("plate", at="left: 0; top: 0; width: 60mm; height: 80mm; object-fit: fill"),
                  "the picture ends at the cut (left, top, right, bottom)"),
    "art that is cut": (
        GROUND.format("#fff") + art("plate", at="left: 0; top: 0; width: 60mm; height: 80mm; "
                                    "object-fit: cover"),
        "the picture ends at the cut (left, top, right, bottom)",
    ),
    "art of another shape": (
        art("plate", at="left: -3mm; top: -3mm; width: 66mm; height: 86mm"),
        "the picture leaves 10.0 mm white (top and bottom)",
    ),
    "a band": (box(2, "left: 0; top: 20mm; width: 60mm; height: 30mm; background: #c00"),
               "the ground ends at the cut (left, right)"),
    "short border": (
        box(2, "left: 0; top: 0; width: 54mm; height: 74mm; border: 3mm solid #c00"),
        "the ground ends at the cut",
    ),
    "nested bleed": (f"<div>{GROUND.format('#c00')}</div>", "is nested"),
}  # fmt: skip


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> FaceSettings:
    root = write_game(tmp_path_factory.mktemp("shown"), {"game.yaml": GAME})
    return FaceSettings(60, 80, 3, 0, (), (), fonts_of(root).files, ())


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> tuple[Art, ...]:
    folder = tmp_path_factory.mktemp("pictures")
    inner = PLATE.replace("M0 0h40v40H0z", "M4 4h32v32H4z")
    found = []
    for name, text in {"ring": RING, "plate": PLATE, "inner": inner}.items():
        path = folder / f"{name}.svg"
        path.write_text(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        found.append(Art(f"art/{name}.svg", path, True, 40, 40, digest))
    return tuple(found)


def told(html: str, setting: FaceSettings, pictures: tuple[Art, ...]) -> str:
    (face,) = layout_engine.typeset_batch(setting, [FaceInput("key", "en", html, pictures)])
    return "; ".join(remark.message for remark in face.diagnostics)


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_told(name: str, setting: FaceSettings, pictures: tuple[Art, ...]) -> None:
    assert told(SILENT[name], setting, pictures) == ""


@pytest.mark.parametrize("name", TOLD)
def test_it_is_told(name: str, setting: FaceSettings, pictures: tuple[Art, ...]) -> None:
    html, said = TOLD[name]
    found = told(html, setting, pictures)
    assert said in found
    assert found.count(";") <= 2  # two findings, one of which says what to do


@pytest.mark.parametrize(
    ("where", "size", "said"),
    [
        ("@a/front.html:3", "20mm; height: 40mm", "50% of the picture is cropped (left and right)"),
        (
            "@a/front.html:3",
            "40mm; height: 20mm",
            "20 mm; to choose what is shown, crop it yourself to 2 : 1",
        ),
        ("@a/front.html:3", "20mm; height: 40mm; object-fit: contain", ""),
        ("@a/front.html:3", "30mm; height: 25mm", ""),
        ("card.html:3", "20mm; height: 40mm", ""),
    ],
)
def test_a_look_that_crops_much_of_a_picture_is_told(
    where: str, size: str, said: str, setting: FaceSettings, pictures: tuple[Art, ...]
) -> None:
    at = f"left: 9mm; top: 9mm; object-fit: cover; width: {size}"
    found = told(art("plate", at=at).replace("card.html:3", where), setting, pictures)
    assert said in found
    assert bool(found) == bool(said)


def test_what_is_painted_comes_in_its_order(
    setting: FaceSettings, pictures: tuple[Art, ...]
) -> None:
    """Grounds before words of the same box, floats of z-index above all, at their places in mm."""
    html = (
        box(1, "left: 10mm; top: 20mm; width: 5mm; height: 4mm; background: #00f; z-index: 3")
        + box(2, "left: 1mm; top: 2mm; width: 30mm; height: 9mm; background: #0f0", "Words")
        + art("plate", at="left: 40mm; top: 40mm; width: 8mm; height: 8mm")
    )
    face = layout_engine._prepare_face(FaceInput("key", "en", html, pictures), 0)
    document = layout_engine._lay_out_pending(
        [face], [face], layout_engine._make_page_layout([face], setting)
    )
    with paint_recorder.record_paint(face.layout.origins, "icons") as items:
        document.copy([face.page]).write_pdf()
    assert [item.kind for item in items] == ["ground", "text", "image", "ground"]
    ground, words, plate, above = items
    assert ground.colour == (0, 1, 0)
    assert ground.origin.location == words.origin.location == "card.html:2"
    assert (words.words, plate.origin.location, above.origin.location) == (
        "Words",
        "card.html:3",
        "card.html:1",
    )
    places = [(4, 5, 34, 14), None, (43, 43, 51, 51), (13, 23, 18, 27)]
    for item, place in zip(items, places, strict=True):
        if place:
            assert (item.box.left, item.box.top, item.box.right, item.box.bottom) == (
                pytest.approx(place, abs=0.01)
            )
    assert NO_ORIGIN not in {item.origin for item in items}


def test_boxes_meet() -> None:
    assert PaintBox(0, 0, 4, 4).intersect(PaintBox(2, 3, 9, 9)) == PaintBox(2, 3, 4, 4)
    assert PaintBox(0, 0, 4, 4).intersect(PaintBox(4, 0, 9, 9)) is None


DECK = """deck: scans
title: {en: Scans}
size: 60 x 40
front: scan.html
fields: {wide: number, more: string}
cards:
  - {id: small, wide: 20}
  - {id: large, wide: 50}
  - {id: larger, wide: 40}
"""


def test_a_picture_with_too_few_pixels_is_told_once_where_it_is_largest(tmp_path: Path) -> None:
    """100 px on 20 mm are 127 dpi, on 50 mm 51; pixels that are to be seen are left alone."""
    place = "position: absolute; left: 5mm; top: 5mm; width: {{ card.wide }}mm"
    page = f"<img src=art/a.png style='{place}; %s'>"
    root = write_game(
        tmp_path,
        {"game.yaml": GAME, "cards/scans.yaml": DECK, "templates/scan.html": page % ""},
    )
    (root / "art").mkdir()
    Image.new("RGB", (100, 100), "red").save(root / "art/a.png")
    request = Request(root, outputs=("images",), options=options())
    assert list(map(str, build.build(request).problems)) == [
        "art/a.png: warning: 51 dpi: 100 × 100 px on 50 × 50 mm; 591 × 591 px print sharp "
        "[resolution]"
    ]
    artwork._load_cached.cache_clear()
    Image.new("RGB", (400, 400), "red").save(root / "art/a.png")
    make(root)
    Image.new("RGB", (40, 40), "red").save(root / "art/a.png")
    (root / "templates/scan.html").write_text(page % "image-rendering: pixelated")
    artwork._load_cached.cache_clear()
    make(root)

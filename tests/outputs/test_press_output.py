"""Files for a press: a small game with all that a face can paint, read as a press would."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pikepdf
import press_files
import pytest
from pikepdf import Name
from PIL import Image
from pixels import pages
from small_games import GAME, make, options, write_game

from cardgen.core.units import convert_to_points
from cardgen.outputs.contract import PressOptions, SingleOptions
from cardgen.pipeline.build import BuildReport

INK = 280
SPOT = "#00ffcc"
FILES = {
    "game.yaml": GAME
    + "rulebook: {editions: [player, player-a5]}\n"
    + f"print: {{ink: {INK}, spots: {{varnish: '{SPOT}'}}}}\n",
    "cards/loot.yaml": """deck: loot
title: {en: Loot}
size: poker
front: loot.html
back: back.html
styles: [card.css]
fields: {name: text, art: string}
cards:
  - {id: barn, name: {en: Barn}, art: art/barn.svg, copies: 2}
  - {id: shop, name: {en: Shop}, art: art/photo.png}
""",
    "templates/loot.html": (
        '<div class="bleed ground"></div><div class="varnish"></div>'
        '<div class="pic" style="background: url({{ card.art }}) center/cover"></div>'
        '<img class="pale" src="{{ card.art }}"><div class="name">{{ card.name }}</div>'
        '<div class="grey">Grey words</div><div class="said">Said</div><div class="line"></div>'
        '<div class="area"></div><div class="other">Other</div>'
    ),
    "templates/back.html": '<div class="bleed" style="background: #e0e0e0"></div>',
    "templates/card.css": """
div, img { position: absolute; left: 6mm }
.ground { background: linear-gradient(90deg, #000, #204080 50%, #ff0000 50%, transparent) }
.name { top: 6mm; font-size: 14pt; color: #181410 }
.grey { top: 14mm; font-size: 10pt; color: #777 }
.said { top: 22mm; font-size: 12pt; color: device-cmyk(0.25 0.5 0.75 0.125) }
.varnish { left: 30mm; top: 6mm; width: 12mm; height: 12mm; background: var(--varnish) }
.pic { top: 35mm; width: 20mm; height: 20mm }
.pale { left: 30mm; top: 35mm; width: 20mm; height: 20mm; opacity: .6 }
.other { top: 60mm; font-size: 12pt; opacity: .5; color: oklch(0.6 0.2 250) }
.line { top: 70mm; width: 40mm; height: 0.2mm; background: #000 }
.area { top: 74mm; width: 40mm; height: 6mm; background: #000; border: .3mm solid #123456 }
""",
    "art/barn.svg": """<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80">
<defs><linearGradient id="g"><stop offset="0" stop-color="#f80"/>
<stop offset="1" stop-color="#08f" stop-opacity="0.2"/></linearGradient>
<mask id="m"><rect width="80" height="80" fill="#888"/>
<circle cx="40" cy="40" r="30" fill="#f80"/></mask></defs>
<rect width="80" height="80" fill="url(#g)" mask="url(#m)"/>
<circle cx="20" cy="20" r="10" fill="#00ffcc"/></svg>""",
    "rulebook/en.md": "# Small\n\n## Turns\n\nTake a card, as [Turns](#turns) says.\n",
}


GAME_OF_ONE = {
    "cards/loot.yaml": """deck: loot
title: {en: Loot}
size: poker
bleed: 3
front: loot.html
styles: [card.css]
fields: {name: text}
cards: [{id: barn, name: {en: Barn}, copies: 2}]
""",
}


def photo() -> bytes:
    """A picture of every lightness and hue, its darkest corner far over any bound of ink."""
    ramp = Image.linear_gradient("L").resize((240, 240))
    image = Image.merge("RGB", (ramp, ramp.transpose(Image.Transpose.ROTATE_90), ramp))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@dataclass(frozen=True)
class Made:
    """A game whose files for a press are made, and what was told of it."""

    root: Path
    report: BuildReport

    def pdf(self, name: str) -> pikepdf.Pdf:
        return pikepdf.open(self.root / "build/en/press" / name)


def build_press(root: Path, profile: Path | str, **press: object) -> BuildReport:
    asked = replace(options(), press=replace(PressOptions(str(profile)), **press))  # type: ignore[arg-type]
    return make(root, asked, outputs=("press",))


@pytest.fixture(scope="module")
def made(profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    root = write_game(tmp_path_factory.mktemp("press"), FILES)
    (root / "art/photo.png").write_bytes(photo())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        report = build_press(root, profile)
        assert not report.has_failed, report.problems
        yield Made(root, report)


NAMES = ["cards/loot.pdf", "sheets/loot.pdf", "rulebook.pdf", "rulebook-a5.pdf"]


def test_cards_sheets_and_books_are_made_and_reported(made: Made) -> None:
    assert made.report.file_paths == sorted(f"en/press/{name}" for name in [*NAMES, "report.html"])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_in_any_colour_but_inks(made: Made, name: str) -> None:
    with made.pdf(name) as pdf:
        found = press_files.painted(pdf)
        assert found.foreign == []
        assert found.colours
        for held in pdf.objects:
            if isinstance(held, pikepdf.Stream) and held.get("/Subtype") == Name.Image:
                assert held.ColorSpace in {Name.DeviceCMYK, Name.DeviceGray}


def test_a_walk_finds_what_is_in_other_colours(made: Made) -> None:
    """The same game's ordinary cards are full of them, or the walk above would find nothing."""
    make(made.root, options(), outputs=("card-pdfs",))
    with pikepdf.open(made.root / "build/en/card-pdfs/loot.pdf") as pdf:
        found = press_files.painted(pdf).foreign
    assert {"rg", "gradient in /DeviceRGB", "picture in /DeviceRGB"} <= set(found)


def test_black_letters_and_lines_are_black_alone_over_what_lies_below(made: Made) -> None:
    with made.pdf("cards/loot.pdf") as pdf:
        found = press_files.of_page(pdf.pages[0])
    assert ((0, 0, 0, 1), True) in found.letters
    greys = [inks for inks, over in found.letters if not over and inks[:3] == (0, 0, 0)]
    assert len(greys) == 1
    assert 0.4 < greys[0][3] < 0.7
    assert ((0, 0, 0, 1), True) in found.others, "the thin line"
    assert ((0, 0, 0, 1), False) in found.others, "the area knocks out what lies below"


def test_inks_that_the_designer_writes_stay(made: Made) -> None:
    with made.pdf("cards/loot.pdf") as pdf:
        assert ((0.25, 0.5, 0.75, 0.125), False) in press_files.of_page(pdf.pages[0]).letters


def test_ink_stays_under_its_bound_in_colours_gradients_and_pictures(made: Made) -> None:
    with made.pdf("cards/loot.pdf") as pdf:
        found = press_files.painted(pdf)
        assert found.pictures
        assert found.samples
        assert INK - 10 < press_files.most_ink(found) <= INK
    report = (made.root / "build/en/press/report.html").read_text()
    assert f"at most {INK} %" in report


def test_spot_inks_are_separations_that_overprint(made: Made) -> None:
    with made.pdf("cards/loot.pdf") as pdf:
        found = press_files.of_page(pdf.pages[0])
        spaces = [
            space
            for held in pdf.objects
            if isinstance(held, pikepdf.Array) and held and held[0] == Name.Separation
            for space in [held]
        ]
    assert found.spots == {("/varnish", True)}
    assert all(space[2] == Name.DeviceCMYK for space in spaces)


def test_masks_stay_as_bright_as_they_were(made: Made) -> None:
    """The circle of the mask is orange: seven tenths as bright as white."""
    with made.pdf("cards/loot.pdf") as pdf:
        masks = press_files.of_page(pdf.pages[0]).masks
        masks += [
            held.SMask
            for held in pdf.objects
            if isinstance(held, pikepdf.Dictionary)
            and isinstance(held.get("/SMask"), pikepdf.Dictionary)
        ]
        greys = {
            round(float(each.operands[0]), 2)
            for mask in masks
            for each in pikepdf.parse_content_stream(mask.G)
            if str(each.operator) == "g"
        }
        inner = {
            round(float(each.operands[0]), 2)
            for held in pdf.objects
            if isinstance(held, pikepdf.Stream) and held.get("/Subtype") == Name.Form
            for each in pikepdf.parse_content_stream(held)
            if str(each.operator) == "g"
        }
        groups = {mask.G.Group.CS for mask in masks}
    assert groups == {Name.DeviceGray}
    assert {0.53, 0.61} <= greys | inner


def test_pages_say_where_they_are_cut(made: Made) -> None:
    with made.pdf("cards/loot.pdf") as pdf:
        assert len(pdf.pages) == 4, "a front and a back of each card, copies once"
        labels = list(pdf.Root.PageLabels.Nums)[1::2]
        assert [str(each.P) for each in labels] == ["barn", "barn-back", "shop", "shop-back"]
        for page in pdf.pages:
            media, bleed, trim = (
                [float(v) / convert_to_points(1) for v in page.obj[box]]
                for box in ("/MediaBox", "/BleedBox", "/TrimBox")
            )
            assert media == pytest.approx([0, 0, 69.5, 94.9], abs=0.01)
            assert bleed == media
            assert trim == pytest.approx([3, 3, 66.5, 91.9], abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_pdf_x_4(made: Made, name: str, profile: Path) -> None:
    with made.pdf(name) as pdf:
        assert pdf.pdf_version == "1.6"
        intent = pdf.Root.OutputIntents[0]
        assert intent.S == Name.GTS_PDFX
        assert intent.DestOutputProfile.N == 4
        assert intent.DestOutputProfile.read_bytes() == profile.read_bytes()
        assert str(intent.OutputConditionIdentifier) == "FOGRA39L for tests"
        assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4<" in pdf.Root.Metadata.read_bytes()
        assert pdf.docinfo["/Trapped"] == Name("/False")
        assert str(pdf.docinfo["/ModDate"]) == "D:20260102000000Z"
        assert pdf.trailer.ID
        assert not pdf.Root.keys() & {"/AcroForm", "/OpenAction", "/AA", "/Names"}
        assert not any("/Annots" in page.obj for page in pdf.pages)
        assert all(Name.DeviceCMYK == page.obj.Group.CS for page in pdf.pages)
        assert all(page.obj.TrimBox for page in pdf.pages)


def test_links_go_and_bookmarks_stay(made: Made) -> None:
    with made.pdf("rulebook.pdf") as pdf, pdf.open_outline() as outline:
        assert [str(item.title) for item in outline.root]
        assert all("/A" not in item.to_dictionary_object(pdf) for item in outline.root)


@pytest.mark.parametrize(("name", "trim"), [("rulebook", (210, 297)), ("rulebook-a5", (148, 210))])
def test_pages_of_the_book_have_bleed(made: Made, name: str, trim: tuple[int, int]) -> None:
    with made.pdf(f"{name}.pdf") as pdf:
        for page in pdf.pages:
            boxes = ("/MediaBox", "/BleedBox", "/TrimBox")
            media, bleed, cut = (
                [float(v) / convert_to_points(1) for v in page.obj[box]] for box in boxes
            )
            assert media == bleed == pytest.approx([0, 0, trim[0] + 6, trim[1] + 6], abs=0.01)
            assert cut == pytest.approx([3, 3, trim[0] + 3, trim[1] + 3], abs=0.01)


@pytest.mark.parametrize(
    ("per", "wanted"),
    [
        ("card", {"loot_barn_x2": ["barn", "barn-back"], "loot_shop_x1": ["shop", "shop-back"]}),
        ("side", {"loot_barn_x2_front": ["barn"], "loot_barn_x2_back": ["barn-back"],
                  "loot_shop_x1_front": ["shop"], "loot_shop_x1_back": ["shop-back"]}),
    ],
)  # fmt: skip
def test_a_file_a_card_or_side_holds_the_pages_of_the_deck_s(
    made: Made, profile: Path, tmp_path: Path, per: str, wanted: dict[str, list[str]]
) -> None:
    single = SingleOptions(file_per=per)
    asked = replace(options(), press=PressOptions(str(profile)), single=single)
    make(made.root, asked, outputs=("press",), folder=tmp_path)
    folder = tmp_path / "en/press/cards"
    assert sorted(path.name for path in (folder / "loot").iterdir()) == sorted(
        f"{name}.pdf" for name in wanted
    )
    whole = pages(made.root / "build/en/press/cards/loot.pdf", 2)
    named = dict(zip(("barn", "barn-back", "shop", "shop-back"), whole, strict=True))
    for name, held in wanted.items():
        path = folder / f"loot/{name}.pdf"
        assert pages(path, 2) == [named[each] for each in held]
        with pikepdf.open(path) as pdf:
            assert press_files.painted(pdf).foreign == []
            assert pdf.Root.OutputIntents[0].S == Name.GTS_PDFX
            assert [str(each.P) for each in list(pdf.Root.PageLabels.Nums)[1::2]] == held
            assert b"Small game \xe2\x80\x93 Loot \xe2\x80\x93 " in pdf.Root.Metadata.read_bytes()


HEAVY = {
    **GAME_OF_ONE,
    "game.yaml": GAME + "print: {ink: 280, rich_black: [60, 40, 40, 100]}\n",
    "templates/loot.html": (
        '<div class="green"></div><div class="black"></div><div class="heavy"></div>'
        '<div class="name">{{ card.name }}</div>'
    ),
    "templates/card.css": """
div { position: absolute; left: 6mm; width: 20mm; height: 20mm }
.name { top: 78mm; height: 5mm }
.green { top: 6mm; background: #00ff00 }
.black { top: 30mm; background: #000000 }
.heavy { top: 54mm; background: device-cmyk(1 1 1 0.5) }
""",
}


def test_the_report_lists_colours_black_and_ink_by_face(tmp_path: Path, profile: Path) -> None:
    report = build_press(write_game(tmp_path, HEAVY), profile)
    assert not report.has_failed, report.problems
    text = (tmp_path / "build/en/press/report.html").read_text(encoding="utf-8")
    ((_, asked, inks, distance, where),) = rows(text, "Colours that the press lacks")
    assert (asked, where) == ("#00ff00", "loot/barn")
    assert re.match(r"C\d\d? Y\d\d+", inks)
    assert 10 < float(distance) < 30
    assert rows(text, "Rich black") == [["C60 M40 Y40 K100", "loot/barn"]]
    assert rows(text, "Ink") == [["barn", "2", "350", "350"]], "what is written in inks stays"
    assert '<td class="n over">350' in text
    (told,) = [each.summary for each in report.new_files if each.path.endswith(".html")]
    assert "1 colour lies outside of it, the farthest #00ff00" in told
    assert "over the 280\u00a0% asked for" in told
    assert "rich black C60 M40 Y40 K100" in told


def rows(report: str, heading: str) -> list[list[str]]:
    """The cells of a section's table, without its head."""
    section = report.partition(f"<h2>{heading}</h2>")[2].partition("<h2>")[0]
    found = [row.split("<td")[1:] for row in section.split("<tr>")[1:]]
    cells = [
        [re.sub("<[^>]*>", "", cell.partition(">")[2]).strip() for cell in row] for row in found
    ]
    return [row for row in cells if row]


def test_nothing_is_typeset_again_and_the_same_bytes_come(made: Made, profile: Path) -> None:
    folder = made.root / "build/en/press"
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shutil.rmtree(folder)
    report = build_press(made.root, profile)
    assert report.typeset_count == 0
    assert {path: path.read_bytes() for path in before} == before


def test_cards_in_inks_that_are_damaged_in_the_store_are_made_again(
    made: Made, profile: Path
) -> None:
    before = (made.root / "build/en/press/cards/loot.pdf").read_bytes()
    for entry in (made.root / "build/.store/press").iterdir():
        entry.write_bytes(entry.read_bytes()[:-200])
    shutil.rmtree(made.root / "build/en/press")
    build_press(made.root, profile)
    assert (made.root / "build/en/press/cards/loot.pdf").read_bytes() == before


def test_a_card_by_itself_and_another_bound(made: Made, profile: Path, tmp_path: Path) -> None:
    from cardgen.pipeline.request import CardFilter  # noqa: PLC0415

    asked = replace(options(), press=PressOptions(str(profile), 200))
    report = make(
        made.root, asked, outputs=("press",), card_filter=CardFilter(("shop",)), folder=tmp_path
    )
    assert report.file_paths == sorted(
        f"en/press/{name}"
        for name in ("cards/loot+shop.pdf", "sheets/loot+shop.pdf", "report+shop.html")
    )
    with pikepdf.open(tmp_path / "en/press/cards/loot+shop.pdf") as pdf:
        assert len(pdf.pages) == 2
        assert press_files.most_ink(press_files.painted(pdf)) <= 200

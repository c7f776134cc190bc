"""Print sheets, looked at as a printer and a pair of scissors would: pixels, boxes, text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageOps
from pixels import part
from small_games import (
    A4,
    LETTER,
    TEXT_GAME,
    colour_of,
    make,
    marked_deck,
    marked_game,
    options,
    write_game,
)

from cardgen.core.units import CARD_SIZES, PAPERS, Box, Margins, Size
from cardgen.game.loader import load_game
from cardgen.pdf.composition import Composer
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.pipeline.options import create_options
from cardgen.sheets import sheet_pdf
from cardgen.sheets.arrangement import SheetLayout, explain_misfit
from cardgen.sheets.imposition import PieceFormat, PrintableArea, SheetGrid, fit_grid
from cardgen.sheets.sheet_guides import MarkStyle
from cardgen.sheets.sheet_guides import list_crop_marks as lines_of

PX_PER_MM = 4.0
COPIES = (1, 2, 1, 3, 1, 2, 1)  # the last but one lies on both sheets
LANDSCAPE_COPIES = (1, 1, 2, 1)
GROUND = (240, 240, 240)


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sheets on A4 of a poker deck of 11 cards and of a deck of 5 landscape cards."""
    decks = {
        "upright": marked_deck("upright", "poker", COPIES),
        "lying": marked_deck("lying", "poker landscape", LANDSCAPE_COPIES),
    }
    root = write_game(tmp_path_factory.mktemp("marked"), marked_game(decks))
    make(root, outputs=("sheets",))
    return root


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sheets of a game with text in two languages, art, icons and copies."""
    root = write_game(tmp_path_factory.mktemp("texts"), TEXT_GAME)
    make(root, outputs=("sheets",))
    return root


def pictures(pdf: Path | bytes) -> list[Image.Image]:
    document = pypdfium2.PdfDocument(pdf)
    scale = PX_PER_MM * 25.4 / 72
    drawn = [page.render(scale=scale).to_pil().convert("RGB") for page in document]
    document.close()
    return drawn


def page_texts(pdf: Path) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    found = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return found


def of_colour(picture: Image.Image, colour: tuple[int, int, int], slack: int = 3) -> Image.Image:
    """The pixels of a colour as a mask."""
    bands = [
        band.point(lambda value, c=c: 255 if abs(value - c) <= slack else 0)
        for band, c in zip(picture.split(), colour, strict=True)
    ]
    return ImageChops.multiply(ImageChops.multiply(bands[0], bands[1]), bands[2])


def area(mask: Image.Image) -> int:
    return mask.histogram()[255]


def cut_out(picture: Image.Image, box: Box, inset: float = 0.0) -> Image.Image:
    """A part of a page; the box in mm from the bottom left."""
    foot = picture.height / PX_PER_MM
    edges = (
        box.left + inset, foot - box.top + inset, box.right - inset, foot - box.bottom - inset,
    )  # fmt: skip
    return part(picture, (edge * PX_PER_MM for edge in edges))


@pytest.mark.parametrize(("deck", "copies"), [("upright", COPIES), ("lying", LANDSCAPE_COPIES)])
def test_every_mark_lies_over_its_own_back(
    marked: Path, deck: str, copies: tuple[int, ...]
) -> None:
    """The back's page, turned over the paper's long edge, brings each mark behind its twin."""
    pages = pictures(marked / f"build/en/sheets/{deck}.pdf")
    seen = dict.fromkeys(range(len(copies)), 0)
    one_mark = 6 * 4 * PX_PER_MM**2
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        turned = ImageOps.mirror(back)
        for number in seen:
            here, there = (of_colour(side, colour_of(number)) for side in (front, turned))
            # Half a pixel of rounding all round is allowed, nothing more.
            assert area(ImageChops.difference(here, there)) <= 0.2 * max(area(here), 1), number
            seen[number] += round(area(here) / one_mark)
    assert tuple(seen.values()) == copies


def test_a_back_put_behind_another_front_would_be_noticed(marked: Path) -> None:
    """The test above can fail: unturned, hardly a mark lies behind its twin."""
    front, back, *_ = pictures(marked / "build/en/sheets/upright.pdf")
    meet = [
        area(ImageChops.multiply(*(of_colour(side, colour_of(n)) for side in (front, back))))
        for n in range(len(COPIES))
    ]
    assert sum(found > 20 for found in meet) <= 1


def test_pages_and_boxes(marked: Path) -> None:
    """Fronts and backs by turns, all on A4, at the size they are to be printed at."""
    with pikepdf.open(marked / "build/en/sheets/upright.pdf") as pdf:
        assert len(pdf.pages) == 4
        for page in pdf.pages:
            box = [round(float(edge) / 72 * 25.4, 2) for edge in page.mediabox]
            assert box == [0, 0, 210, 297]
        assert pdf.Root.ViewerPreferences.PrintScaling == "/None"
        assert str(pdf.docinfo["/Title"]) == "Small game – Marked"
        assert str(pdf.Root.Lang) == "en"
    with pikepdf.open(marked / "build/en/sheets.pdf") as pdf:
        assert len(pdf.pages) == 4 + 2


def test_fronts_only(marked: Path, tmp_path: Path) -> None:
    make(marked, options(backs="none"), outputs=("sheets",), folder=tmp_path)
    pages = pictures(tmp_path / "en/sheets/upright.pdf")
    assert len(pages) == 2
    assert area(of_colour(pages[0], GROUND)) > area(of_colour(pages[0], (224, 224, 224)))
    assert all("back" not in text for text in page_texts(tmp_path / "en/sheets/upright.pdf"))


def test_letter_takes_nine_poker_cards_too(marked: Path, tmp_path: Path) -> None:
    make(marked, options(LETTER), outputs=("sheets",), folder=tmp_path)
    with pikepdf.open(tmp_path / "en/sheets/upright.pdf") as pdf:
        assert [round(float(edge), 1) for edge in pdf.pages[0].mediabox] == [0, 0, 612, 792]
        assert len(pdf.pages) == 4
    front, back, *_ = pictures(tmp_path / "en/sheets/upright.pdf")
    turned = ImageOps.mirror(back)
    for number in range(5):
        here, there = (of_colour(side, colour_of(number)) for side in (front, turned))
        assert area(here) > 0
        assert area(ImageChops.difference(here, there)) <= 0.2 * area(here)


def grid_of(piece: str = "poker", paper: Size = A4) -> SheetGrid:
    grid = fit_grid(PrintableArea(paper), Size(*CARD_SIZES[piece]), 3.0)
    assert grid is not None
    return grid


def test_bleed_is_printed_outside_the_outer_cuts(marked: Path) -> None:
    """The ground reaches 3 mm past the trim of the outer cards, and no further."""
    front = pictures(marked / "build/en/sheets/upright.pdf")[0]
    slot = grid_of().list_slots()[3]  # at the left, in the middle row
    middle = (slot.trim.top + slot.trim.bottom) / 2

    def ground_at(x: float) -> bool:
        return front.getpixel((round(x * PX_PER_MM), round((297 - middle) * PX_PER_MM))) == GROUND

    assert ground_at(slot.trim.left - 2.7)
    assert not ground_at(slot.trim.left - 3.3)


def test_no_paper_shows_between_cards(marked: Path) -> None:
    """From the first cut to the last there is no white pixel: neighbours meet without a gap."""
    grid = grid_of()
    xs, ys = grid.list_cuts()
    for page in pictures(marked / "build/en/sheets/upright.pdf")[:2]:
        inside = cut_out(page, Box(xs[0], ys[0], xs[-1], ys[-1]), inset=0.3)
        assert area(of_colour(inside, (255, 255, 255), slack=8)) == 0


def crop_marks(paper: Size, grid: SheetGrid) -> Image.Image:
    """A sheet of marks alone, on red, so that their white halo shows, too."""
    whole = Box(1, 1, paper.width - 1, paper.height - 1)
    composer = Composer([])
    drawn = composer.add_operators(
        sheet_pdf.draw_guides(lines_of(*grid.list_cuts(), grid.trim_block, whole))
    )
    composer.add_page(paper.width, paper.height, b"/M Do", {"M": drawn})
    document = pypdfium2.PdfDocument(composer.save("marks", "en"))
    bitmap = document[0].render(scale=PX_PER_MM * 25.4 / 72, fill_color=(255, 0, 0, 255))
    picture: Image.Image = bitmap.to_pil().convert("RGB")
    return picture


@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("piece", ["poker", "mini", "tarot", "domino", "a5", "square"])
def test_crop_marks_are_drawn_outside_the_cards(paper: str, piece: str) -> None:
    sheet = Size(*PAPERS[paper])
    grid = grid_of(piece, sheet)
    drawn = crop_marks(sheet, grid)
    red = of_colour(drawn, (255, 0, 0), slack=0)
    for slot in grid.list_slots():
        trim = cut_out(red, slot.trim)
        assert area(trim) == trim.width * trim.height
    assert area(ImageOps.invert(red)) > 20 * PX_PER_MM


def test_a_crop_mark_stands_at_every_cut_and_points_along_it() -> None:
    """Seen on black: each cut has a line beside the paper's edge at both of its ends."""
    grid = grid_of()
    drawn = crop_marks(A4, grid)
    xs, ys = grid.list_cuts()

    def marked_at(x: float, y: float) -> bool:
        at = round(x * PX_PER_MM), round((297 - y) * PX_PER_MM)
        return any(drawn.getpixel((at[0] + dx, at[1] + dy)) != (255, 0, 0)
                   for dx in (-1, 0, 1) for dy in (-1, 0, 1))  # fmt: skip

    assert all(marked_at(x, y) for x in xs for y in (ys[0] - 3, ys[-1] + 3))
    assert all(marked_at(x, y) for y in ys for x in (xs[0] - 3, xs[-1] + 3))
    between = (xs[0] + xs[1]) / 2
    assert not marked_at(between, ys[0] - 3)


def test_backs_carry_no_crop_marks(marked: Path) -> None:
    """A back that lies a millimetre off would be cut along the wrong line."""
    front, back, *_ = pictures(marked / "build/en/sheets/upright.pdf")
    head = Box(0, 297 - 11, 210, 297)  # above the outer bleed
    assert area(of_colour(cut_out(front, head), (255, 255, 255))) < 210 * 11 * PX_PER_MM**2
    assert cut_out(back, head).getcolors() == [(210 * 11 * PX_PER_MM**2, (255, 255, 255))]


def test_the_slug_tells_what_a_sheet_is(marked: Path) -> None:
    pages = page_texts(marked / "build/en/sheets/upright.pdf")
    slug = "Small game  ·  Marked  ·  sheet {}  ·  {}  ·  en  ·  2026-01-02  ·  63.5 × 88.9 mm"
    wanted = [slug.format(n, side) for n in ("1/2", "2/2") for side in ("front", "back")]
    for text, line in zip(pages, wanted, strict=True):
        assert "".join(line.split()) in "".join(text.split())


def forms(pdf: pikepdf.Pdf) -> dict[tuple[int, int], Any]:
    """The faces of a PDF: the forms that its pages place, marks and slugs left out."""
    return {
        form.objgen: form
        for page in pdf.pages
        for name, form in page.Resources.XObject.items()
        if name.startswith("/F")
    }


def test_a_face_is_stored_once_however_many_copies(marked: Path) -> None:
    with pikepdf.open(marked / "build/en/sheets.pdf") as pdf:
        assert len(forms(pdf)) == 2 * (len(COPIES) + len(LANDSCAPE_COPIES))
        placed = sum(page.Contents.read_bytes().count(b"/F") for page in pdf.pages)
        assert placed == 2 * (sum(COPIES) + sum(LANDSCAPE_COPIES))


def test_a_box_of_one_deck_is_put_together_once(
    tmp_path: Path, one_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_game(tmp_path, marked_game({"upright": marked_deck("upright", "poker", COPIES)}))
    saved: list[str] = []
    save = Composer.save

    def counted(self: Composer, title: str, language: str, **asked: bool) -> bytes:
        saved.append(title)
        return save(self, title, language, **asked)

    monkeypatch.setattr(Composer, "save", counted)
    make(root, outputs=("sheets",))
    fronts_and_back = ["measure", "measure"]
    assert saved == [*fronts_and_back, "Small game – Marked"]
    deck, box = (root / "build/en" / name for name in ("sheets/upright.pdf", "sheets.pdf"))
    assert deck.read_bytes() == box.read_bytes()


def test_art_and_equal_backs_are_stored_once(texts: Path) -> None:
    """Two fronts and the back they share show one drawing."""
    with pikepdf.open(texts / "build/fi/sheets/loot.pdf") as pdf:
        faces = forms(pdf).values()
        assert len(faces) == 3
        drawings = {image.objgen for face in faces for image in face.Resources.XObject.values()}
        assert len(drawings) == 1


def embedded_fonts(pdf: pikepdf.Pdf) -> list[str]:
    """The name of every font that the PDF uses, as a subset of it is called; `name?` of one that is
    not embedded."""
    found = []
    for item in pdf.objects:
        if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font":
            descriptor = item.get("/FontDescriptor")
            if item.Subtype == "/Type0":
                continue
            embedded = descriptor is not None and any("FontFile" in key for key in descriptor)
            name = str(item.BaseFont)[1:].partition("+")[2]
            found.append(name + ("" if embedded else "?"))
    return sorted(found)


def test_fonts_are_embedded_once_and_all_of_them_declared(texts: Path) -> None:
    """The faces' two fonts; slugs are set in the first. Nothing of the machine's."""
    with pikepdf.open(texts / "build/fi/sheets.pdf") as pdf:
        assert embedded_fonts(pdf) == ["Roboto-Condensed", "cardgen-icons"]
        files = [
            item.objgen
            for item in pdf.objects
            if isinstance(item, pikepdf.Stream) and "/Length1" in item
        ]
        assert len(files) == 2


def test_text_can_be_taken_from_the_pdf(texts: Path) -> None:
    """Letters that pass through merged fonts and hyphenation come out as they went in."""
    finnish = page_texts(texts / "build/fi/sheets/loot.pdf")[0]
    english = page_texts(texts / "build/en/sheets/loot.pdf")[0]
    assert "lähde." in finnish
    assert "Maksa 5 €." in finnish
    assert "– and leave." in english
    assert finnish.count("Kauppa") == 3


@pytest.mark.parametrize(("bleed", "backs", "told"), [
    (1.5, "duplex-long", True), (2, "duplex-long", False), (1.5, "gutterfold", False),
])  # fmt: skip
def test_backs_with_little_bleed_are_told(
    tmp_path: Path, bleed: float, backs: str, told: bool
) -> None:
    deck = marked_deck("deck", "poker", (1,)).replace("front:", f"bleed: {bleed}\nfront:")
    root = write_game(tmp_path, marked_game({"deck": deck}))
    report = build.build(Request(root, ("sheets",), options=options(backs=backs)))
    message = (
        "cards/deck.yaml:4: warning: deck has 1.5 mm of bleed; give it 2 mm or more, or a "
        "printer that is a little off leaves white edges on the backs [bleed]"
    )
    assert [str(problem) for problem in report.problems] == ([message] if told else [])


def test_a_paper_too_small_is_a_problem(marked: Path) -> None:
    layout = replace(options().layout, paper_name="60x60", paper=Size(60, 60))
    small = replace(options(), layout=layout)
    report = build.build(Request(marked, ("sheets",), options=small))
    assert [str(problem) for problem in report.problems] == [
        f"cards/{deck}.yaml:1: error: {deck} ({size} mm) does not fit 60x60 paper with 5 mm "
        "margins, which takes 50 × 50 mm; it fits a4, letter, a3, legal, tabloid, a2 [paper]"
        for deck, size in (("lying", "88.9 × 63.5"), ("upright", "63.5 × 88.9"))
    ]


@pytest.mark.parametrize(
    ("asked", "marks", "fitting"),
    [((4, 2), "crop", "3x3 or 2x4"), ((2, 3), "crop", ""), ((4, 2), "silhouette", "2x4"),
     ((2, 4), "silhouette", "")],
)  # fmt: skip
def test_a_grid_that_does_not_fit_is_refused_with_those_that_do(
    asked: tuple[int, int], marks: str, fitting: str
) -> None:
    layout = SheetLayout("a4", A4, grid=asked, style=MarkStyle(marks))
    said = explain_misfit(PieceFormat(Size(*CARD_SIZES["poker"]), 3), layout)
    refusal = (
        f"(63.5 × 88.9 mm) does not fit {asked[0]}x{asked[1]} times on a4 paper with 5 mm margins; "
        f"at most {fitting} fit"
    )
    assert said == (refusal if fitting else "")


def test_a_grid_leaves_boards_larger_than_the_paper_alone() -> None:
    layout = SheetLayout("a4", A4, grid=(2, 3))
    assert explain_misfit(PieceFormat(Size(300, 300), 3), layout) == ""


def test_margins_gaps_and_grid_stand_in_game_yaml_and_decks(tmp_path: Path) -> None:
    decks = marked_game({"upright": marked_deck("upright", "poker", COPIES)})
    decks["game.yaml"] += "print: {margin: [20, 4, 5, 15], gap: 4x0, grid: 2x3}\n"
    decks["cards/upright.yaml"] += "gap: 0x1.5\n"
    game, problems = load_game(write_game(tmp_path, decks))
    assert (game is not None, problems) == (True, [])
    assert game is not None
    layout = create_options({}, game.defaults).layout
    assert layout.margin == Margins(20, 4, 5, 15)
    assert (layout.gap, layout.grid, game.decks[0].gap) == (Size(4, 0), (2, 3), Size(0, 1.5))

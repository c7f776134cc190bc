"""Paper that is cut already, and places that are used already: where cards come to lie on it."""

from __future__ import annotations

import itertools
from pathlib import Path

import pixels
import pytest
from click.testing import CliRunner
from conftest import Cardgen
from PIL import Image
from small_games import A4, LETTER, colour_of, make, marked_deck, marked_game, options, write_game

from cardgen.cli.build_commands import build_
from cardgen.core.units import PAPERS, Box, Size
from cardgen.game.model import PrintDefaults
from cardgen.game.shapes import PieceForm
from cardgen.outputs.sheet_recipes import check_skipped_places
from cardgen.pdf.face_file import FacePdf
from cardgen.pipeline.options import OptionError, create_options
from cardgen.sheets import imposition, precut_stock
from cardgen.sheets.arrangement import (
    ImposedSheet,
    SheetLayout,
    SheetPiece,
    SlugText,
    arrange_pieces,
    explain_misfit,
)
from cardgen.sheets.imposition import (
    LONG_EDGE,
    SHORT_EDGE,
    NumberRanges,
    PieceFormat,
    divide_pieces,
    find_back_slot,
)
from cardgen.sheets.precut_stock import PrecutStock

INCH = 25.4
COLOPHON = SlugText("Small game", "", "en", "")
MM = 0.05
# By hand from the makers' own words: inches, or mm, of every column's left and row's upper edge.
PLACES: dict[str, tuple[list[float], list[float]]] = {
    "avery-5371": ([0.75 * INCH, 4.25 * INCH], [(0.5 + 2 * n) * INCH for n in range(5)]),
    "avery-8373": ([0.5 * INCH, 4.5 * INCH], [(0.75 + 2.5 * n) * INCH for n in range(4)]),
    "avery-5392": ([0.25 * INCH, 4.25 * INCH], [(1 + 3 * n) * INCH for n in range(3)]),
    "avery-5163": ([0.15625 * INCH, 4.34375 * INCH], [(0.5 + 2 * n) * INCH for n in range(5)]),
    "avery-c32011": ([15, 110], [13.5, 67.5, 121.5, 175.5, 229.5]),
    "avery-c32015": ([17, 108], [31.5, 91.5, 151.5, 211.5]),
    "avery-l7414": ([15, 105], [18.5, 70.5, 122.5, 174.5, 226.5]),
    "sigel-dp839": ([15, 110], [10, 65, 120, 175, 230]),
    "avery-l7160": ([7.21, 73.25, 139.29], [15.15 + 38.1 * n for n in range(7)]),
}


def known(name: str) -> PrecutStock:
    found = precut_stock.find_stock(name)
    assert found is not None
    return found


def pieces(each: PrecutStock) -> PieceFormat:
    return PieceFormat(each.cell, 3, each.form)


def pair(name: str, pieces: PieceFormat) -> SheetPiece:
    size, bleed = pieces.size, pieces.bleed
    front, back = (
        FacePdf(f"{name}-{side}", Path(), size.width + 2 * bleed, size.height + 2 * bleed, bleed)
        for side in ("front", "back")
    )
    return SheetPiece(front, back, pieces, "Deck", name)


def arranged(count: int, pieces: PieceFormat, **asked: object) -> list[ImposedSheet]:
    layout = create_options(asked, PrintDefaults()).layout
    return arrange_pieces([pair(str(n), pieces) for n in range(count)], layout, COLOPHON)


@pytest.mark.parametrize("name", PLACES)
def test_places_are_the_makers(name: str) -> None:
    lefts, tops = PLACES[name]
    each = known(name)
    grid = each.make_grid(pieces(each))
    assert grid is not None
    slots = grid.list_slots(each.cell)
    assert len(slots) == len(lefts) * len(tops)
    # As one reads: row by row.
    for slot, (top, left) in zip(slots, itertools.product(tops, lefts), strict=True):
        assert slot.trim.left == pytest.approx(left, abs=MM)
        assert each.paper.height - slot.trim.top == pytest.approx(top, abs=MM)
        assert slot.trim.width == pytest.approx(each.cell.width, abs=MM)
        assert slot.trim.height == pytest.approx(each.cell.height, abs=MM)


@pytest.mark.parametrize("name", precut_stock.load_stocks())
def test_places_lie_on_the_paper_and_apart(name: str) -> None:
    each = precut_stock.load_stocks()[name]
    grid = each.make_grid(pieces(each))
    assert grid is not None
    trims = [slot.trim for slot in grid.list_slots()]
    assert len(trims) == each.columns * each.rows
    assert each.paper_name in PAPERS
    for trim in trims:
        assert min(trim.left, trim.bottom) >= 3.9
        assert trim.right <= each.paper.width - 3.9
        assert trim.top <= each.paper.height - 3.9
    for one, other in itertools.combinations(trims, 2):
        assert not meet(one.grow(-MM), other)


def meet(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.bottom < other.top and other.bottom < one.top


def test_every_name_leads_to_one_stock() -> None:
    listed = [
        name
        for each in precut_stock.load_stocks().values()
        for name in (each.name, *each.other_names)
    ]
    assert len(set(listed)) == len(listed) == len(precut_stock.index_stock_names())
    assert all(precut_stock.find_stock(name.upper().replace("-", " ")) for name in listed)
    assert precut_stock.find_stock("avery-1") is None


def test_bleed_ends_in_the_middle_between_places() -> None:
    """Columns that are 10 mm apart have room for 3 mm of bleed; rows that touch have none; and two
    that are 2 mm apart share them."""
    each = known("avery-c32011")
    grid = each.make_grid(PieceFormat(each.cell, 3))
    assert grid is not None
    slot = grid.list_slots()[2]
    assert slot.paint.right - slot.trim.right == pytest.approx(3)
    assert slot.paint.top - slot.trim.top == pytest.approx(0.1)
    badges = known("avery-5395")
    grid = badges.make_grid(PieceFormat(badges.cell, 3))
    assert grid is not None
    slot = grid.list_slots()[2]
    assert slot.paint.top - slot.trim.top == pytest.approx((63.5 - 59.27) / 2)


def test_a_deck_fits_either_way_up_and_to_a_tolerance_in_the_middle() -> None:
    each = known("avery-5371")
    grid = each.make_grid(PieceFormat(Size(50.7, 88.8), 3))
    assert grid is not None
    slot = grid.list_slots(Size(50.7, 88.8))[0]
    assert slot.turn == 90
    assert (slot.trim.width, slot.trim.height) == pytest.approx((88.8, 50.7))
    assert slot.trim.left == pytest.approx(0.75 * INCH + 0.05)
    assert LETTER.height - slot.trim.top == pytest.approx(0.5 * INCH + 0.05)
    # Neighbours so near share the cut.
    assert slot.paint.right - slot.trim.right == pytest.approx(0.1)
    assert each.make_grid(PieceFormat(Size(88.9, 51.1), 3)) is None
    assert each.make_grid(PieceFormat(each.cell, 3, PieceForm("round"))) is None


def test_a_misfit_is_told_both_sizes_and_what_fits() -> None:
    layout = SheetLayout("letter", LETTER, stock=known("avery-5371"))
    said = explain_misfit(PieceFormat(Size(54, 85), 3), layout)
    assert "(54 × 85 mm) does not fit avery-5371, whose places are 88.9 × 50.8 mm" in said
    assert "it fits avery-c32011, avery-c32015" in said
    said = explain_misfit(PieceFormat(Size(63, 88), 3), layout)
    assert "nearest is herma-8897 with 88.9 × 63.5 mm; give the deck that size" in said
    said = explain_misfit(
        PieceFormat(Size(63, 88), 3), SheetLayout("a4", A4, stock=known("herma-8897"))
    )
    assert "88.9 × 63.5 mm; they differ by 0.9 mm, the limit is 0.2 mm" in said
    said = explain_misfit(PieceFormat(Size(52, 88), 3), layout)
    assert "nearest" not in said
    assert "give the deck that size" in said
    assert "round places" in explain_misfit(
        PieceFormat(Size(30, 30), 3), SheetLayout("letter", LETTER, stock=known("avery-3112"))
    )
    assert not explain_misfit(PieceFormat(Size(50.8, 88.9), 3), layout)


def lie_on(sheet: ImposedSheet, each: PrecutStock, side: str = "front") -> list[int]:
    """The numbers of the places that are printed on, as one looks at the front."""
    grid = each.make_grid(pieces(each))
    assert grid is not None
    page = sheet.front if side == "front" else sheet.back
    assert page is not None
    edge = None if side == "front" else LONG_EDGE
    at = {
        (round(slot.trim.left, 3), round(slot.trim.top, 3)): number
        for number, slot in enumerate(grid.list_slots(), 1)
    }
    trims = [
        find_back_slot(s, each.paper, edge).trim if edge else s.trim for _, s in page.placements
    ]
    return [at[round(trim.left, 3), round(trim.top, 3)] for trim in trims]


def test_skipped_places_of_the_first_sheet_stay_free_on_both_sides() -> None:
    each = known("avery-5371")
    found = arranged(17, pieces(each), stock="avery-5371", skip="1-2,5")
    assert [len(sheet.pieces) for sheet in found] == [7, 10]
    for side in ("front", "back"):
        assert lie_on(found[0], each, side) == [3, 4, 6, 7, 8, 9, 10]
        assert lie_on(found[1], each, side) == list(range(1, 11))
    for sheet in found:
        assert sheet.front is not None
        assert sheet.back is not None
        keys = [face.key.removesuffix("-front") for face, _ in sheet.front.placements]
        assert [face.key.removesuffix("-back") for face, _ in sheet.back.placements] == keys


@pytest.mark.parametrize("edge", [LONG_EDGE, SHORT_EDGE])
@pytest.mark.parametrize("marks", ["crop", "silhouette-4"])
def test_backs_lie_behind_their_fronts_on_a_started_sheet(edge: str, marks: str) -> None:
    """On plain paper, too, turned over either edge."""
    asked = {"paper": "a4", "marks": marks, "backs": f"duplex-{edge}", "skip": "2,4-5"}
    first, *_ = arranged(9, PieceFormat(Size(63, 88), 3), **asked)
    assert first.front is not None
    assert first.back is not None
    assert len(first.front.placements) == first.place_count - 3
    for (_, front), (_, back) in zip(first.front.placements, first.back.placements, strict=True):
        assert find_back_slot(front, Size(210, 297), edge) == back


@pytest.mark.parametrize("count", [1, 6, 7, 8, 16, 17])
def test_places_of_sheets_are_counted(count: int) -> None:
    skip = imposition.parse_numbers("1-2,9")
    assert skip is not None
    found = divide_pieces(range(count), 9, skip)
    assert [piece for chunk, _ in found for piece in chunk] == list(range(count))
    assert all(len(chunk) == len(places) for chunk, places in found)
    assert found[0][1] == (2, 3, 4, 5, 6, 7)[:count]
    assert [len(chunk) for chunk, _ in found[1:]] == [
        min(9, count - 6 - 9 * n) for n in range(-(-(count - 6) // 9))
    ]


def test_only_the_first_group_of_pieces_meets_the_started_sheet() -> None:
    layout = SheetLayout("a4", Size(210, 297), skip=NumberRanges(((1, 2),)))
    pairs = [pair(f"a{n}", PieceFormat(Size(63, 88), 3)) for n in range(3)]
    pairs += [pair(f"b{n}", PieceFormat(Size(70, 70), 3)) for n in range(3)]
    first, second = arrange_pieces(pairs, layout, COLOPHON)
    assert (str(first.skipped_places), str(second.skipped_places)) == ("1-2", "")


def test_skipping_what_is_not_there_is_told() -> None:
    each = known("avery-5371")
    found = arranged(3, pieces(each), stock="avery-5371")

    def told(text: str) -> str:
        skip = imposition.parse_numbers(text)
        assert skip is not None
        return "".join(f"{p.source}: {p.message}" for p in check_skipped_places(skip, found))

    assert told("10") == ""
    assert told("9-11") == "--skip 9-11: there is no place 11; the first sheet has 10"
    assert told("11-12,20").endswith("there are no places 11-12,20; the first sheet has 10")
    assert told("1-10").startswith("--skip 1-10: all 10 places of the first sheet are skipped")
    board = arranged(1, PieceFormat(Size(420, 297), 3), paper="a4")
    assert len(board) > 2
    assert [p.message for p in check_skipped_places(NumberRanges(((1, 1),)), board)] == [
        "no sheet has places that could be skipped; leave --skip out"
    ]
    assert not list(check_skipped_places(NumberRanges(((1, 1),)), ()))


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"paper": "a4"}, "avery-5371 is letter paper, not a4; leave --paper out"),
        ({"backs": "gutterfold"}, "avery-5371 cannot be folded; choose --backs duplex-long"),
        ({"marks": "crop"}, "avery-5371 is cut already; leave --marks out"),
        ({"stock": "avery-5370"}, "no stock 'avery-5370'; did you mean 'avery-53"),
        ({"stock": "x"}, "no stock 'x'; --stock list shows all"),
    ],
)
def test_what_stock_cannot_be_is_told(asked: dict[str, str], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        arranged(1, PieceFormat(Size(88.9, 50.8), 3), **{"stock": "avery-5371", **asked})


def test_stock_has_no_marks_and_lines_on_wish_alone() -> None:
    """Nor lines for little ink, which end where the places do."""
    form = PieceFormat(Size(88.9, 50.8), 3)
    for asked, count in (({}, 0), ({"low_ink": True}, 0), ({"cut_lines": True}, 3)):
        (sheet,) = arranged(3, form, stock="avery-8371", **asked)
        assert sheet.front is not None
        assert len(sheet.front.guides) == count


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two decks of business cards on stock, the first sheet started."""
    decks = {name: marked_deck(name, "88.9 x 50.8", (1,) * 9) for name in ("cards", "more")}
    decks["more"] = marked_deck("more", "50.8 x 88.9", (1,))
    root = write_game(tmp_path_factory.mktemp("stock"), marked_game(decks))
    wanted = options(
        LETTER,
        cut_files=("svg",),
        stock=known("avery-5371"),
        skip=imposition.parse_numbers("1,4"),
    )
    make(root, wanted, outputs=("sheets",))
    return root / "build/en"


PX = 10


def middles(page: Image.Image) -> dict[int, tuple[float, float]]:
    """Where the marks of cards lie, mm from the upper left, by the number of the card."""
    found = {}
    for number in range(9):
        colour = colour_of(number)
        bands = [
            band.point(lambda v, c=c: 255 if abs(v - c) <= 3 else 0)
            for band, c in zip(page.split(), colour, strict=True)
        ]
        mask = Image.merge("RGB", bands).convert("L").point(lambda v: 255 if v == 255 else 0)
        if box := mask.getbbox():
            found[number] = ((box[0] + box[2]) / 2 / PX, (box[1] + box[3]) / 2 / PX)
    return found


def test_what_is_printed_lies_on_the_places(made: Path) -> None:
    """Marks of 6 × 4 mm, each at its own place of the card; behind them their twins."""
    pages = pixels.pages(made / "sheets/cards.pdf", PX)
    assert len(pages) == 4
    lefts, tops = PLACES["avery-5371"]
    places = list(itertools.product(tops, lefts))
    free = [n for n in range(10) if n not in {0, 3}]
    expected = {number: places[free[number]] for number in range(8)}
    fronts, backs = middles(pages[0]), middles(pages[1])
    assert fronts.keys() == backs.keys() == expected.keys()
    for number, (top, left) in expected.items():
        x, y = left + 5 + number * 1.5 + 3, top + 6 + number % 5 * 4 + 2
        # Half a pixel on either side of a mark is rounding.
        assert fronts[number] == pytest.approx((x, y), abs=MM + 0.05)
        assert backs[number] == pytest.approx((LETTER.width - x, y), abs=MM + 0.05)
    assert list(middles(pages[2])) == [8]


def test_no_bleed_reaches_a_skipped_place(made: Path) -> None:
    front, back = pixels.pages(made / "sheets/cards.pdf", PX)[:2]
    lefts, tops = PLACES["avery-5371"]
    for column, row in ((0, 0), (1, 1)):
        left, top = lefts[column], tops[row]
        box = (left + 0.3, top + 0.3, left + 88.6, top + 50.5)
        for page, (x1, y1, x2, y2) in ((front, box), (back, mirrored(box))):
            inside = pixels.part(page, (x1 * PX, y1 * PX, x2 * PX, y2 * PX))
            assert inside.getextrema() == ((255, 255),) * 3


def mirrored(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return (LETTER.width - box[2], box[1], LETTER.width - box[0], box[3])


def test_one_sheet_of_a_build_is_started(made: Path) -> None:
    """The first deck's first sheet; another deck's own file begins with a whole one."""
    (front, _) = pixels.pages(made / "sheets/more.pdf", PX)
    first = PLACES["avery-5371"]
    x, y = middles(front)[0]
    assert first[0][0] < x < first[0][0] + 88.9
    assert first[1][0] < y < first[1][0] + 50.8
    whole = pixels.pages(made / "sheets.pdf", 2)
    assert len(whole) == 6


def test_a_started_sheet_has_cut_files_of_its_own(made: Path) -> None:
    def count(name: str) -> int:
        return (made / f"sheets/{name}.svg").read_text().count("<path")

    assert (count("cards-sheet-1"), count("cards"), count("more")) == (8, 1, 1)


def test_the_command_lists_stock_and_refuses_what_it_cannot_use(cardgen: Cardgen) -> None:
    listed = CliRunner().invoke(build_, ["--stock", "list"])
    assert listed.exit_code == 0
    assert all(name in listed.output for name in precut_stock.index_stock_names())
    for arguments, why in (
        (("--stock", "avery-5371"), "loot (63.5 × 88.9 mm) does not fit avery-5371, whose places"),
        (("--skip", "1,x"), "names no places; write 3, 1-4 or 1-4,7."),
        (("--mark-inset", "12"), "--mark-inset goes with --marks silhouette or silhouette-4"),
        (("images", "--skip", "1"), "--skip is not used by images"),
    ):
        result = cardgen("build", *(("sheets",) if arguments[0] != "images" else ()), *arguments)
        assert result.code != 0
        assert why in result.err

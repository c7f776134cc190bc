"""What knives and machines go by: silhouette marks and grid, cut lines, corners, cut files."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from xml.etree import ElementTree

import ezdxf
import pixels
import pypdfium2
import pytest
import typst
from PIL import Image
from small_games import A4, LETTER, make, marked_deck, marked_game, options, write_game

from cardgen.core.units import CARD_SIZES, Box, Size
from cardgen.game.shapes import (
    QUARTER_BULGE,
    Outline,
    PieceForm,
    compute_area,
    flatten_outline,
    make_outline,
    place_outline,
)
from cardgen.sheets import cut_files, sheet_guides, silhouette
from cardgen.sheets.cut_files import CutFile
from cardgen.sheets.imposition import (
    LONG_EDGE,
    SHORT_EDGE,
    PieceFormat,
    PrintableArea,
    fit_folded_grid,
    fit_grid,
)
from cardgen.sheets.sheet_guides import GuideLine, GuidePatch, MarkStyle
from cardgen.sheets.sheet_guides import GuidePath as Outlined

STANDARD = Size(63, 88)
LEAST = Size(silhouette.MIN_PIECE_GAP_MM, silhouette.MIN_PIECE_GAP_MM)
GOLDEN = {
    "letter": (LETTER, [140, 899, 1658, 2417], [228, 1282]),
    "a4": (A4, [244, 1003, 1762, 2521], [194, 1248]),
}


@pytest.mark.parametrize("paper_name", GOLDEN)
def test_the_grid_is_the_cutting_templates(paper_name: str) -> None:
    """The figures, in pixels at 300 to the inch on lying paper, that such templates have."""
    paper, xs, ys = GOLDEN[paper_name]
    found = silhouette.fit_landscape_grid(PrintableArea(paper, gap=LEAST), STANDARD)
    assert found is not None
    assert (list(found.xs), list(found.ys)) == (xs, ys)


@pytest.mark.parametrize("paper_name", GOLDEN)
def test_the_printed_grid_is_the_same_stood_up(paper_name: str) -> None:
    """Turned until the square mark is at the top left, cards begin at those very pixels."""
    paper, xs, ys = GOLDEN[paper_name]
    grid = silhouette.fit_machine_grid(PrintableArea(paper), STANDARD, 3)
    assert grid is not None
    slots = grid.list_slots(STANDARD)
    assert {slot.turn for slot in slots} == {90}
    px = 300 / 25.4
    assert sorted({round(slot.trim.bottom * px, 6) for slot in slots}) == xs
    assert sorted({round(slot.trim.left * px, 6) for slot in slots}) == ys


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
@pytest.mark.parametrize("name", sorted(set(CARD_SIZES) - {"a4", "a5"}))
def test_no_card_lies_near_a_silhouette_mark(paper: Size, name: str) -> None:
    grid = silhouette.fit_machine_grid(PrintableArea(paper), Size(*CARD_SIZES[name]), 3)
    assert grid is not None
    corners = [box.grow(-0.01) for box in silhouette.list_clear_areas(paper)]
    for slot in grid.list_slots():
        assert not any(meet(slot.trim, box) for box in corners)


def meet(a: Box, b: Box) -> bool:
    across = a.left < b.right and b.left < a.right
    return across and a.bottom < b.top and b.bottom < a.top


def test_silhouette_marks() -> None:
    """10 mm in: a square where lying paper has its top left, angles bottom left, top right."""
    square, *angles = silhouette.list_registration_marks(A4)
    assert (square.left, square.bottom, square.width, square.height) == (10, 10, 5, 5)
    for box in angles:
        short, long = sorted((round(box.width, 6), round(box.height, 6)))
        assert (short, long) == (1, 5)
    ends = {(round(box.left, 3), round(box.top, 3)) for box in angles}
    assert ends == {(195, 11), (199, 15), (10, 287)}


def test_four_marks_are_an_angle_in_each_corner() -> None:
    """The corners of the arms lie 10 mm in, and the arms point to the middle of the paper."""
    boxes = silhouette.list_registration_marks(A4, silhouette.FOUR_MARKS)
    assert len(boxes) == 8
    for x, across in ((10, 1), (200, -1)):
        for y, up in ((10, 1), (287, -1)):
            level, upright = (
                Box(min(x, x + a), min(y, y + b), max(x, x + a), max(y, y + b))
                for a, b in ((5 * across, up), (across, 5 * up))
            )
            assert level in boxes
            assert upright in boxes
    assert len(silhouette.list_clear_areas(A4, silhouette.FOUR_MARKS)) == 4
    assert len(silhouette.list_clear_areas(A4)) == 3


@pytest.mark.parametrize("name", ["poker", "mini", "tarot", "square"])
def test_no_card_lies_near_one_of_four_marks_of_other_figures(name: str) -> None:
    figures = silhouette.MarkDimensions(15.9, 8, 0.3)
    grid = silhouette.fit_machine_grid(PrintableArea(A4), Size(*CARD_SIZES[name]), 3, figures)
    assert grid is not None
    corners = [
        box.grow(-0.01) for box in silhouette.list_clear_areas(A4, silhouette.FOUR_MARKS, figures)
    ]
    assert not any(meet(slot.trim, box) for slot in grid.list_slots() for box in corners)
    marks = silhouette.list_registration_marks(A4, silhouette.FOUR_MARKS, figures)
    sides = {tuple(sorted((round(b.width, 6), round(b.height, 6)))) for b in marks}
    assert sides == {(0.3, 8)}
    assert min(box.left for box in marks) == 15.9
    assert all(any(within(mark, corner) for corner in corners) for mark in marks)


def within(one: Box, other: Box) -> bool:
    low = one.left >= other.left and one.bottom >= other.bottom
    return low and one.right <= other.right and one.top <= other.top


@pytest.mark.parametrize("inset", [10.0, 15.9, 25.0])
def test_every_card_lies_within_the_marks(inset: float) -> None:
    """Beyond them no machine cuts."""
    figures = silhouette.MarkDimensions(inset)
    grid = silhouette.fit_machine_grid(PrintableArea(A4), Size(63.5, 88.9), 3, figures)
    assert grid is not None
    block = grid.trim_block
    assert min(block.left, block.bottom) >= inset
    assert block.right <= A4.width - inset
    assert block.top <= A4.height - inset


@pytest.mark.parametrize(("kind", "dark"), [("silhouette", 5), ("silhouette-4", 8)])
def test_either_kind_of_marks_is_drawn_over_white(kind: str, dark: int) -> None:
    found = next(slots_and_guides(MarkStyle(kind), PieceForm(), STANDARD))[1]
    greys = [guide.grey for guide in found if isinstance(guide, GuidePatch)]
    assert greys.count(0) == dark
    # White first, so that bleed does not come near; then the marks.
    assert greys == sorted(greys, reverse=True)
    assert greys.count(1) == {5: 3, 8: 4}[dark]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Standard cards, and round and hexagonal tokens."""
    decks = {
        "cards": marked_deck("cards", "standard", (1,) * 9),
        "discs": marked_deck("discs", "30 x 30", (5,)).replace("front:", "shape: round\nfront:"),
        "hexes": marked_deck("hexes", "26 x 30", (5,)).replace("front:", "shape: hexagon\nfront:"),
    }
    files = marked_game(decks)
    files["templates/front.html"] = files["templates/back.html"]
    return write_game(tmp_path_factory.mktemp("cutting"), files)


def page(path: Path, px_per_mm: float, number: int = 0) -> Image.Image:
    return pixels.pages(path, px_per_mm)[number]


@pytest.mark.parametrize("kind", silhouette.MARK_KINDS)
def test_silhouette_marks_are_printed_black_on_fronts_alone(
    game: Path, tmp_path: Path, kind: str
) -> None:
    wanted = options(style=MarkStyle(kind), cut_files=("svg",))
    make(game, wanted, outputs=("sheets",), decks=("cards",), folder=tmp_path)
    front, back = (page(tmp_path / "en/sheets/cards.pdf", 10, number) for number in (0, 1))
    assert front.width == 2100
    assert front.height in (2970, 2971)
    middles = [
        (box.left + box.right, box.bottom + box.top)
        for box in silhouette.list_registration_marks(A4, kind)
    ]
    at = [(round(x * 5), round(2970 - y * 5)) for x, y in middles]
    assert {front.getpixel(place) for place in at} == {(0, 0, 0)}
    assert (0, 0, 0) not in {back.getpixel(place) for place in at}
    # Paper lies in either machine.
    assert 'viewBox="0 0 297 210"' in (tmp_path / "en/sheets/cards.svg").read_text()
    # Eight cards of the nine fit beside the marks.
    document = pypdfium2.PdfDocument(tmp_path / "en/sheets/cards.pdf")
    assert len(document) == 4
    document.close()


def slots_and_guides(style: MarkStyle, form: PieceForm, size: Size, gap: float = 0) -> Iterator[
    tuple[list[Outline], tuple[sheet_guides.Guide, ...]]
]:  # fmt: skip
    room = PrintableArea(A4, gap=Size(gap, gap))
    pieces = PieceFormat(size, 3, form, room.gap)
    found = [(fit_grid(room, size, 3), ""), fit_folded_grid(room, size, 3)]
    for grid, fold in filter(None, found):
        assert grid is not None
        outlines = [
            place_outline(form, size, slot.trim.left, slot.trim.bottom, slot.turn)
            for slot in grid.list_slots(size)
        ]
        yield outlines, sheet_guides.list_grid_guides(grid, pieces, style, fold)


@pytest.mark.parametrize("gap", [0, 2, 8])
@pytest.mark.parametrize("name", ["poker", "mini", "tarot", "square"])
def test_no_crop_mark_or_fold_line_touches_a_card(name: str, gap: float) -> None:
    """Also with gaps, and on both halves of a folded sheet."""
    size = Size(*CARD_SIZES[name])
    for outlines, found in slots_and_guides(MarkStyle(), PieceForm(corner=3), size, gap):
        boxes = [box_of(each) for each in outlines]
        lines = [guide for guide in found if isinstance(guide, GuideLine)]
        assert len(lines) >= 8
        for line in lines:
            box = Box(
                min(line.x1, line.x2), min(line.y1, line.y2),
                max(line.x1, line.x2), max(line.y1, line.y2),
            ).grow(0.3)  # fmt: skip
            assert not any(meet(box, other) for other in boxes)
            assert box.left > 0
            assert box.bottom > 0
            assert box.right < 210
            assert box.top < 297


def box_of(each: Outline) -> Box:
    points = flatten_outline(each)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


@pytest.mark.parametrize("fold", [LONG_EDGE, SHORT_EDGE])
def test_the_fold_line_is_in_the_middle(fold: str) -> None:
    (line,) = sheet_guides.list_fold_lines(A4, fold)
    assert isinstance(line, GuideLine)
    if fold == LONG_EDGE:
        assert line.x1 == line.x2 == 105
    else:
        assert line.y1 == line.y2 == 148.5


@pytest.mark.parametrize("shape", ["round", "hexagon"])
def test_round_pieces_have_outlines_instead_of_crop_marks(shape: str) -> None:
    for outlines, found in slots_and_guides(MarkStyle(), PieceForm(shape), Size(30, 30), 2):
        paths = [guide for guide in found if isinstance(guide, Outlined)]
        white = [path for path in paths if path.grey == 1]
        dark = [path for path in paths if path.grey < 0.5]
        assert len(paths) == 2 * len(outlines)
        assert not any(isinstance(g, GuideLine) and g.style == "crop" for g in found)
        for pale, path, each in zip(white, dark, outlines, strict=True):
            beside, around = (box_of(tuple((x, y, 0.0) for x, y in p.points)) for p in (pale, path))
            # The line ends where the piece does: its middle runs half its width further out, and
            # the white one that shows it on a dark ground runs beside it.
            assert isclose(
                around.width - box_of(each).width, sheet_guides.CUT_LINE_WIDTH_MM, abs_tol=0.01
            )
            assert isclose(
                beside.width - around.width, 2 * sheet_guides.CUT_LINE_WIDTH_MM, abs_tol=0.01
            )


def test_cut_lines_and_corner_guides_come_on_wish_alone() -> None:
    form = PieceForm(corner=3)

    def paths(style: MarkStyle) -> list[Outlined]:
        found = next(slots_and_guides(style, form, STANDARD))[1]
        return [guide for guide in found if isinstance(guide, Outlined)]

    assert paths(MarkStyle()) == []
    assert len(paths(MarkStyle(has_cut_lines=True))) == 9
    arcs = paths(MarkStyle(has_corner_guides=True))
    assert len(arcs) == 4 * 9
    for arc in arcs:
        first, last = arc.points[0], arc.points[-1]
        assert isclose(abs(first[0] - last[0]), 3, abs_tol=0.3)
        assert isclose(abs(first[1] - last[1]), 3, abs_tol=0.3)
    assert paths(MarkStyle("none")) == []


def test_marks_on_wish_none() -> None:
    assert next(slots_and_guides(MarkStyle("none"), PieceForm(), STANDARD))[1] == ()
    patches = next(slots_and_guides(MarkStyle("silhouette"), PieceForm(), STANDARD))[1]
    assert {patch.grey for patch in patches if isinstance(patch, GuidePatch)} == {0, 1}


@pytest.fixture(scope="module")
def cut(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cut")
    wanted = options(cut_files=("dxf", "svg"), style=MarkStyle("silhouette"))
    make(game, wanted, outputs=("sheets",), folder=folder)
    return folder / "en/sheets"


def test_dxf_read_back(cut: Path) -> None:
    """R2010, mm, a closed polyline a card, quarter circles at the corners, the golden places."""
    document = ezdxf.readfile(cut / "cards.dxf")
    assert document.dxfversion == "AC1024"
    assert document.units == ezdxf.units.MM
    lines = list(document.modelspace())
    assert len(lines) == 8
    assert all(line.dxftype() == "LWPOLYLINE" and line.closed for line in lines)
    _, xs, ys = GOLDEN["a4"]
    found = set()
    for line in lines:
        points = list(line.get_points("xyb"))
        assert [round(bulge, 8) for *_, bulge in points] == [0, 0.41421356] * 4
        left, top = min(p[0] for p in points), max(p[1] for p in points)
        right, foot = max(p[0] for p in points), min(p[1] for p in points)
        assert isclose(right - left, 63, abs_tol=1e-4)
        assert isclose(top - foot, 88, abs_tol=1e-4)
        # y runs up from the foot of the lying paper.
        found.add((round(left / 25.4 * 300), round((210 - top) / 25.4 * 300)))
    assert found == {(x, y) for x in xs for y in ys}


@pytest.mark.parametrize(("deck", "size"), [("discs", Size(30, 30)), ("hexes", Size(26, 30))])
def test_dxf_of_tokens(cut: Path, deck: str, size: Size) -> None:
    lines = list(ezdxf.readfile(cut / f"{deck}.dxf").modelspace())
    assert len(lines) == 5
    form = PieceForm("round" if deck == "discs" else "hexagon")
    for line in lines:
        vertices = tuple((x, y, bulge) for x, y, bulge in line.get_points("xyb"))
        points = flatten_outline(vertices, 0.001)
        after = [*points[1:], points[0]]
        found = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, after, strict=True)) / 2
        assert isclose(found, compute_area(form, size), rel_tol=1e-3)


def test_svg_has_no_fill_and_says_the_same(cut: Path) -> None:
    root = ElementTree.parse(cut / "cards.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("297mm", "210mm")
    assert root.get("viewBox") == "0 0 297 210"
    (group,) = root
    assert group.get("fill") == "none"
    assert len(group) == 8
    assert all(str(path.get("d")).count("A3 3 0 0 0 ") == 4 for path in group)


def test_svg_bends_outwards(tmp_path: Path) -> None:
    """Filled and drawn: the corners are gone, a quarter circle and no more of them."""
    svg = cut_files.make_cut_file(
        CutFile("svg", Size(40, 40), (make_outline(PieceForm(corner=20), Size(40, 40)),))
    )
    (tmp_path / "a.svg").write_bytes(svg.replace(b'fill="none"', b'fill="#ff0000"'))
    (tmp_path / "a.typ").write_text(
        '#set page(width: 40mm, height: 40mm, margin: 0pt)\n#image("a.svg", width: 100%)\n'
    )
    made = typst.Compiler(str(tmp_path / "a.typ"), root=str(tmp_path)).compile(format="pdf")
    assert isinstance(made, bytes)
    (tmp_path / "a.pdf").write_bytes(made)
    drawn = page(tmp_path / "a.pdf", 10)
    # On the diagonal the edge of a circle of 20 mm is 5.86 mm from the corner, per axis.
    assert drawn.getpixel((53, 53)) == (255, 255, 255)
    assert drawn.getpixel((64, 64)) == (255, 0, 0)
    assert drawn.getpixel((400 - 64, 400 - 64)) == (255, 0, 0)


def test_cut_files_are_the_same_each_time() -> None:
    file = CutFile("dxf", A4, (make_outline(PieceForm("round"), Size(30, 30)),))
    assert cut_files.make_cut_file(file) == cut_files.make_cut_file(file)
    document = ezdxf.read(io.StringIO(cut_files.make_cut_file(file).decode()))
    (circle,) = document.modelspace()
    assert [bulge for *_, bulge in circle.get_points("xyb")] == [1, 1]
    assert QUARTER_BULGE != 1


def test_a_dxf_is_the_same_in_every_process() -> None:
    """Whatever order Python's sets have in it."""
    code = (
        "import hashlib; from cardgen.core.units import Size; from cardgen.sheets import "
        "cut_files; "
        "outline = ((10, 10, 0), (20, 10, 0), (20, 30, 0)); "
        "made = cut_files.make_cut_file(cut_files.CutFile('dxf', Size(210, 297), (outline,))); "
        "print(hashlib.sha256(made).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-P", "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    assert len(found) == 1


@pytest.mark.parametrize("count", [1, 3, 5, 7])
def test_where_no_piece_lies_nothing_is_marked(count: int) -> None:
    """Outlines stand around pieces alone, and no mark points at rows and columns left free."""
    room = PrintableArea(A4, gap=Size(2, 2))
    grid = fit_grid(room, Size(30, 30), 2)
    assert grid is not None
    assert grid.columns == 6
    taken = grid.crop_to_count(count)
    assert taken.list_slots()[0].trim == grid.list_slots()[0].trim
    assert [slot.trim for slot in taken.list_slots()[:count]] == [
        s.trim for s in grid.list_slots()[:count]
    ]
    found = sheet_guides.list_grid_guides(
        taken,
        PieceFormat(Size(30, 30), 2, PieceForm("round"), room.gap),
        MarkStyle(),
        "",
        tuple(range(count)),
    )
    # A dark line around each, and a white one beside it.
    assert len([guide for guide in found if isinstance(guide, Outlined)]) == 2 * count
    xs, ys = taken.list_cuts()
    assert (len(xs), len(ys)) == (2 * min(count, 6), 2 if count <= 6 else 4)


def test_the_outer_side_of_a_part_of_a_sheet_has_its_whole_bleed() -> None:
    grid = fit_grid(PrintableArea(A4), Size(63.5, 88.9), 3)
    assert grid is not None
    (first, last) = grid.crop_to_count(2).list_slots()
    assert last.paint.right - last.trim.right == pytest.approx(3)
    assert first.trim.bottom - first.paint.bottom == pytest.approx(3)
    assert first.paint.right - first.trim.right == pytest.approx(0.1)

"""Boards larger than the paper: tiles that cover them, joints that meet, marks that vanish."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner
from PIL import Image, ImageChops, ImageOps
from pixels import part
from small_games import A4, GAME, LETTER, make, options, write_game

from cardgen.cli.command_line import cli
from cardgen.core.units import Box, Margins, Size
from cardgen.sheets import sheet_guides
from cardgen.sheets.board_tiling import BoardTiling, split_board
from cardgen.sheets.imposition import PrintableArea
from cardgen.sheets.sheet_guides import GuideLabel, GuideLine

BOARDS = [Size(210, 297), Size(297, 210), Size(205, 205), Size(420, 594), Size(1200, 1200)]


def tiling_of(paper: Size, piece: Size, overlap: float = 10, margin: float = 5) -> BoardTiling:
    found = split_board(
        PrintableArea(paper, Margins(margin, margin, margin, margin)), piece, 3, overlap
    )
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("paper", "piece", "sheets", "turn"),
    [
        (A4, Size(210, 297), 2, 90),
        (A4, Size(297, 210), 2, 0),
        (A4, Size(205, 205), 2, 0),
        (LETTER, Size(210, 297), 2, 90),
        (A4, Size(420, 594), 8, 90),
    ],
)
def test_as_few_sheets_as_it_takes(paper: Size, piece: Size, sheets: int, turn: int) -> None:
    found = tiling_of(paper, piece)
    assert (len(found.list_tiles()), found.turn) == (sheets, turn)


@pytest.mark.parametrize("paper", [A4, LETTER], ids=["a4", "letter"])
@pytest.mark.parametrize("piece", BOARDS, ids=str)
@pytest.mark.parametrize("overlap", [5, 10, 20])
def test_tiles_cover_the_board_and_overlap(paper: Size, piece: Size, overlap: float) -> None:
    found = tiling_of(paper, piece, overlap)
    by_place = {(tile.column, tile.row): tile.window for tile in found.list_tiles()}
    size = found.piece
    for (column, row), window in by_place.items():
        slot = found.make_slot(found.list_tiles()[row * found.columns + column])
        on_paper = window.move(slot.trim.left, slot.trim.bottom)
        assert on_paper.left >= 5 - 1e-6
        assert on_paper.bottom >= 5 - 1e-6
        assert on_paper.right <= paper.width - 5 + 1e-6
        assert on_paper.top <= paper.height - 5 + 1e-6
        right, below = by_place.get((column + 1, row)), by_place.get((column, row + 1))
        assert (window.right - right.left if right else window.right) == pytest.approx(
            overlap if right else size.width
        )
        assert (below.top - window.bottom if below else window.bottom) == pytest.approx(
            overlap if below else 0, abs=1e-6
        )


def test_a_paper_too_small_is_told() -> None:
    assert split_board(PrintableArea(Size(60, 60)), Size(63, 88), 3) is None


def test_joints_have_letters_and_the_same_place_on_both_sheets() -> None:
    """Marks lie beyond the joint on the sheet below, before it on the one laid over."""
    found = tiling_of(A4, Size(420, 594))
    joints = found.list_joints()
    assert [joint.letter for joint in joints] == list("ABCDEFGHIJ")
    for joint in joints:
        for tile, beyond in ((joint.first, True), (joint.second, False)):
            slot = found.make_slot(tile)
            marks = sheet_guides.list_tile_guides(found, tile)
            labels = [g for g in marks if isinstance(g, GuideLabel) and g.text == joint.letter]
            assert len(labels) == 2
            for label in labels:
                if joint.is_vertical:
                    past = label.x - slot.trim.left - joint.position
                else:
                    past = joint.position - (label.y - slot.trim.bottom)
                assert (past > 0) == beyond
                assert abs(past) < 5


@pytest.mark.parametrize("piece", BOARDS, ids=str)
def test_no_mark_is_left_on_the_finished_board(piece: Size) -> None:
    """All is outside what each sheet shows once it is cut and the next ones lie over it."""
    found = tiling_of(A4, piece)
    for tile in found.list_tiles():
        slot, half = found.make_slot(tile), found.overlap / 2
        shown = Box(
            tile.window.left + (half if tile.column else 0),
            tile.window.bottom + (half if tile.row < found.rows - 1 else 0),
            tile.window.right - (half if tile.column < found.columns - 1 else 0),
            tile.window.top - (half if tile.row else 0),
        ).move(slot.trim.left, slot.trim.bottom)
        for line in sheet_guides.list_tile_guides(found, tile):
            if isinstance(line, GuideLine):
                inside_x = max(line.x1, line.x2) > shown.left + 1e-6 and (
                    min(line.x1, line.x2) < shown.right - 1e-6
                )
                inside_y = max(line.y1, line.y2) > shown.bottom + 1e-6 and (
                    min(line.y1, line.y2) < shown.top - 1e-6
                )
                assert not (inside_x and inside_y), line


PX = 2.0
FACE = """<div class="bleed" style="background: #d0d8e0"></div>
{% for x in range(0, 360, 30) %}{% for y in range(0, 300, 30) %}
<div style="position: absolute; left: {{ x + 8 }}mm; top: {{ y + 8 }}mm; width: 9mm; height: 9mm;
background: rgb({{ 20 + x // 2 }}, {{ 20 + y // 2 }}, {{ (x * 7 + y * 3) % 200 }})"></div>
{% endfor %}{% endfor %}"""
DECK = """deck: board
title: {en: Board}
size: 360 x 300
front: f.html
cards: [{id: map}]
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Image.Image]:
    files = {"game.yaml": GAME, "cards/board.yaml": DECK, "templates/f.html": FACE}
    root = write_game(tmp_path_factory.mktemp("board"), files)
    make(root, options(), outputs=("sheets", "images"))
    document = pypdfium2.PdfDocument(root / "build/en/sheets/board.pdf")
    drawn = [p.render(scale=PX * 25.4 / 72).to_pil().convert("RGB") for p in document]
    document.close()
    whole = Image.open(root / "build/en/images/board/map.png").convert("RGB")
    return [whole.resize((round(360 * PX), round(300 * PX))), *drawn]


def test_glued_together_the_sheets_are_the_board(pages: list[Image.Image]) -> None:
    """Each sheet cut at its joints and laid over those before it: the board's own picture."""
    whole, _sketch, *sheets = pages
    found = tiling_of(A4, Size(300, 360))  # the board lies on its side
    size = found.piece
    board = Image.new("RGB", (round(size.width * PX), round(size.height * PX)), (255, 0, 0))
    assert len(sheets) == len(found.list_tiles()) == 4
    for tile, sheet in zip(found.list_tiles(), sheets, strict=True):
        slot = found.make_slot(tile)
        xs, ys = found.list_tile_cuts(tile)
        left, top = xs[0], ys[0]
        right, bottom = tile.window.right, tile.window.bottom
        corner = ((slot.trim.left + left) * PX, sheet.height - (slot.trim.bottom + top) * PX)
        box = (*corner, corner[0] + (right - left) * PX, corner[1] + (top - bottom) * PX)
        board.paste(part(sheet, box), (round(left * PX), round((size.height - top) * PX)))
    board = board.rotate(-90, expand=True)
    difference = ImageChops.difference(board, whole.resize(board.size)).convert("L")
    wrong = difference.point(lambda value: 255 * (value > 60)).histogram()[255]
    assert wrong < 0.02 * board.width * board.height


def test_the_sketch_comes_first(pages: list[Image.Image]) -> None:
    """It shows the board in small, over it the numbers of the sheets and the letters."""
    _whole, sketch, *_ = pages
    ground = (0xD0, 0xD8, 0xE0)
    share = sum(n for n, value in sketch.getcolors(1 << 24) or () if value == ground)
    assert share > 0.2 * sketch.width * sketch.height
    assert ImageOps.invert(sketch).getbbox() is not None


@pytest.mark.parametrize(("asked", "sheets"), [("", 6), ("\nprint: {overlap: 5}\n", 4)])
def test_a_game_may_say_its_overlap(tmp_path: Path, asked: str, sheets: int) -> None:
    """559 mm and 5 mm of overlap are twice 282 mm, what A4 takes above its line at the foot."""
    deck = DECK.replace("360 x 300", "559 x 390")
    files = {"game.yaml": GAME + asked, "cards/board.yaml": deck, "templates/f.html": FACE}
    root = write_game(tmp_path / "game", files)
    result = CliRunner().invoke(cli, ["build", str(root), "sheets"])
    assert result.exit_code == 0, result.output
    document = pypdfium2.PdfDocument(root / "build/en/sheets/board.pdf")
    assert len(document) == 1 + sheets  # the sketch comes first
    document.close()

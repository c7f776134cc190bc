"""Each front lies over its own back: sheets rendered, turned over or folded, and compared.

Every card has one colour of its own on its front, and the same on its back. So once the back's
page is turned over, both pages must show the same colour at the middle of every card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pixels
import pypdfium2
import pytest
from PIL import Image, ImageChops
from pixels import part, pixel
from small_games import A4, GAME, make, options, write_game

from cardgen.core.units import Size
from cardgen.outputs.contract import Options
from cardgen.sheets.printer_profiles import PrinterCalibration

PX = 2.0  # per mm
WHITE = (255, 255, 255)
# A bar at the top of both sides tells that both have their tops at the same end.
FACE = (
    '<div class="bleed" style="background: {{ card.colour }}"></div>'
    '<div data-unsafe style="position: absolute; left: 0; right: 0; top: 0; height: 3mm;'
    ' background: #000"></div>'
)
DECK = "deck: {name}\ntitle: {{en: {name}}}\nsize: {size}\nfront: f.html\n{more}"
DECK += "fields: {{colour: string}}\ncards:\n"


def colour(number: int) -> tuple[int, int, int]:
    return (40 + number * 37 % 200, 30 + number * 83 % 210, 60 + number * 59 % 190)


def deck(name: str, size: str, numbers: range, more: str = "back: f.html\n") -> str:
    lines = [DECK.format(name=name, size=size, more=more)]
    for number in numbers:
        code = "#{:02x}{:02x}{:02x}".format(*colour(number))
        lines.append(f"  - {{id: n{number}, colour: '{code}'}}\n")
    return "".join(lines)


DECKS = {
    "eleven": deck("eleven", "poker", range(11)),
    "one": deck("one", "poker", range(11, 12)),
    "lying": deck("lying", "poker landscape", range(12, 17)),
    "board": deck("board", "a4", range(17, 18)),
    "discs": deck("discs", "24 x 24", range(18, 23), "back: f.html\nshape: round\n"),
    "hexes": deck("hexes", "26 x 30", range(23, 30), "back: f.html\nshape: hexagon\n"),
    "single": deck("single", "poker", range(30, 32), ""),
    "labels": deck("labels", "36 x 12", range(32, 35), "back: f.html\nbacks_apart: true\n"),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = {f"cards/{name}.yaml": text for name, text in DECKS.items()}
    return write_game(
        tmp_path_factory.mktemp("backs"), {"game.yaml": GAME, "templates/f.html": FACE, **files}
    )


def pages(game: Path, folder: Path, name: str, wanted: Options) -> list[Image.Image]:
    chosen = () if name == "all" or wanted.mix else (name,)
    make(game, wanted, outputs=("sheets",), folder=folder, decks=chosen)
    path = folder / ("en/sheets.pdf" if name == "all" else f"en/sheets/{name}.pdf")
    return pixels.pages(path, PX)


def turned_over(page: Image.Image, edge: str) -> Image.Image:
    long = edge == "duplex-long"
    return page.transpose(
        Image.Transpose.FLIP_LEFT_RIGHT if long else Image.Transpose.FLIP_TOP_BOTTOM
    )


def known(value: tuple[int, ...], colours: Container[tuple[int, ...]]) -> bool:
    return value in colours


def disagreement(front: Image.Image, back: Image.Image) -> float:
    """The share of the front's coloured places, 2 mm apart, where the back shows another colour.

    Places beside a border of two colours are left out: cards are cut there.
    """
    colours = {colour(number) for number in range(40)} | {(0, 0, 0)}
    step, near = round(2 * PX), round(1 * PX)
    seen: Any = front.load()
    behind: Any = back.load()
    looked = differ = 0
    for x in range(near, front.width - near, step):
        for y in range(near, front.height - near, step):
            value = seen[x, y]
            around = (seen[x + dx, y + dy] for dx in (-near, 0, near) for dy in (-near, 0, near))
            if known(value, colours) and all(other == value for other in around):
                looked += 1
                differ += behind[x, y] != value
    assert looked > 15
    return differ / looked


def fronts_with_colour(drawn: list[Image.Image]) -> Counter[tuple[int, ...]]:
    """How many mm² of each colour the pages show."""
    found: Counter[tuple[int, ...]] = Counter()
    for page in drawn:
        for count, value in page.getcolors(1 << 24) or ():
            if isinstance(value, tuple) and value != WHITE:
                found[value] += count
    return found


@pytest.mark.parametrize("edge", ["duplex-long", "duplex-short"])
@pytest.mark.parametrize("name", [name for name in DECKS if name not in {"single", "labels"}])
def test_each_front_lies_over_its_own_back(
    game: Path, tmp_path: Path, name: str, edge: str
) -> None:
    """Odd numbers, one card, landscape cards, a board on several sheets, round and hexagonal."""
    drawn = pages(game, tmp_path, name, options(backs=edge))
    if name == "board":
        assert len(drawn) == 2 * 3  # the sketch with its empty back, and two parts
        assert drawn[1].getcolors() == [(drawn[1].width * drawn[1].height, WHITE)]
        drawn = drawn[2:]
    assert len(drawn) % 2 == 0
    for front, back in zip(drawn[::2], drawn[1::2], strict=True):
        assert disagreement(front, turned_over(back, edge)) < 0.01
    shown = fronts_with_colour(drawn[::2])
    numbers = [n for n in range(40) if f"id: n{n}," in DECKS[name]]
    assert all(shown[colour(number)] > 200 for number in numbers)


@pytest.mark.parametrize(("edge", "other"), [("duplex-long", "duplex-short")])
def test_the_wrong_edge_would_be_noticed(game: Path, tmp_path: Path, edge: str, other: str) -> None:
    front, back, *_ = pages(game, tmp_path, "eleven", options(backs=edge))
    assert disagreement(front, turned_over(back, other)) > 0.5
    assert disagreement(front, back) > 0.5


@pytest.mark.parametrize("name", ["eleven", "one", "lying", "discs"])
def test_fold_brings_each_back_behind_its_front(game: Path, tmp_path: Path, name: str) -> None:
    """Half of the page, folded over the middle line, shows what the other half shows."""
    for page in pages(game, tmp_path, name, options(backs="gutterfold")):
        upright = disagreement(page, turned_over(page, "duplex-long"))
        level = disagreement(page, turned_over(page, "duplex-short"))
        # Round pieces have their outline on the front's half alone.
        assert min(upright, level) < (0.1 if name == "discs" else 0.01)
        assert max(upright, level) > 0.2


def test_a_fold_takes_no_more_than_its_half(game: Path, tmp_path: Path) -> None:
    """Eleven cards, four pairs a sheet; every colour shows on both halves alike."""
    drawn = pages(game, tmp_path, "eleven", options(backs="gutterfold"))
    assert len(drawn) == 3
    shown = fronts_with_colour(drawn)
    one = 63.5 * 85.9 * PX**2
    assert all(shown[colour(number)] > 1.95 * one for number in range(11))


def test_a_board_is_folded_by_nobody(game: Path, tmp_path: Path) -> None:
    """What no half takes is printed side by side: a sketch, then parts of front and back."""
    drawn = pages(game, tmp_path, "board", options(backs="gutterfold"))
    assert len(drawn) == 1 + 2 * 2


def test_fronts_alone_and_backs_alone(game: Path, tmp_path: Path) -> None:
    both = pages(game, tmp_path, "eleven", options())
    fronts = pages(game, tmp_path, "eleven", options(backs="none"))
    backs = pages(game, tmp_path, "eleven", options(backs="only"))
    assert [len(both), len(fronts), len(backs)] == [4, 2, 2]
    assert [page.tobytes() for page in fronts] == [page.tobytes() for page in both[::2]]
    assert [page.tobytes() for page in backs] == [page.tobytes() for page in both[1::2]]


def test_what_has_no_backs_is_printed_apart_and_brings_no_blank_pages(
    game: Path, tmp_path: Path
) -> None:
    """Printed on both sides, no front comes to lie behind another deck's cards."""
    drawn = pages(game, tmp_path, "all", options())
    assert len(drawn) % 2 == 0
    blank = [
        back for back in drawn[1::2] if back.getcolors() == [(back.width * back.height, WHITE)]
    ]
    assert len(blank) == 1  # behind the sketch of how the board's parts lie
    for front, back in zip(drawn[::2], drawn[1::2], strict=True):
        assert back in blank or disagreement(front, turned_over(back, "duplex-long")) < 0.01
    alone = pixels.pages(tmp_path / "en/sheets-one-sided.pdf", PX)
    found = [fronts_with_colour([page]) for page in alone]
    shown = [{n for n in range(40) if colour(n) in page} for page in found]
    assert shown == [{32, 33, 34}, {32, 33, 34}, {30, 31}]


@pytest.mark.parametrize("edge", ["duplex-long", "duplex-short"])
def test_decks_of_one_size_share_sheets(game: Path, tmp_path: Path, edge: str) -> None:
    """Portrait and landscape cards, one-sided ones, too: 11 + 1 + 5 + 2 cards on 3 sheets."""
    drawn = pages(game, tmp_path, "63.5x88.9", options(backs=edge, mix=True))
    assert len(drawn) == 6
    single = {colour(30), colour(31)}
    assert drawn[5].getcolors() == [(drawn[5].width * drawn[5].height, WHITE)]
    for front, back in zip(drawn[:4:2], drawn[1:4:2], strict=True):
        hidden = front.copy()
        for x in range(front.width):
            for y in range(front.height):
                if pixel(front, (x, y)) in single:
                    hidden.putpixel((x, y), WHITE)
        # The one-sided cards' black bars have nothing behind them.
        assert disagreement(hidden, turned_over(back, edge)) < 0.03
    assert {p.stem for p in (tmp_path / "en/sheets").iterdir()} == {
        "63.5x88.9", "210x297", "24x24", "26x30", "12x36",
    }  # fmt: skip


MOVED = [PrinterCalibration(1.5, -2, 0), PrinterCalibration(0, 0, 2), PrinterCalibration(-3, 2, -1)]


def seen_through(back: Image.Image, correction: PrinterCalibration, paper: Size) -> Image.Image:
    """The back as a printer would put it that errs by the opposite of the correction.

    What it should have put at a place, it took from the place that the correction moves there.
    """
    c, s = cos(radians(correction.angle)), sin(radians(correction.angle))
    mx, my = paper.width / 2 * PX, paper.height / 2 * PX
    right = mx - c * mx - s * my + correction.dx * PX
    down = my + s * mx - c * my - correction.dy * PX
    moved = (c, s, right, -s, c, down)
    return back.transform(back.size, Image.Transform.AFFINE, moved, fillcolor=WHITE)


@pytest.mark.parametrize("edge", ["duplex-long", "duplex-short"])
@pytest.mark.parametrize("correction", MOVED, ids=str)
def test_a_correction_makes_good_what_the_printer_does(
    game: Path, tmp_path: Path, correction: PrinterCalibration, edge: str
) -> None:
    wanted = options(backs=edge, calibration=correction)
    front, back, *_ = pages(game, tmp_path, "eleven", wanted)
    plain, unmoved, *_ = pages(game, tmp_path / "plain", "eleven", options(backs=edge))
    assert front.tobytes() == plain.tobytes()
    assert back.tobytes() != unmoved.tobytes()
    landed = seen_through(back, correction, A4)
    assert disagreement(front, turned_over(landed, edge)) < 0.01
    assert disagreement(front, turned_over(seen_through(unmoved, correction, A4), edge)) > 0.02


def test_right_and_up_are_as_one_looks_at_the_back(game: Path, tmp_path: Path) -> None:
    """By 2 mm to the right and 3 mm up the back's picture moves on the page."""
    wanted = options(calibration=PrinterCalibration(2, 3, 0))
    _, moved, *_ = pages(game, tmp_path, "eleven", wanted)
    _, plain, *_ = pages(game, tmp_path / "plain", "eleven", options())
    right, up = round(2 * PX), round(3 * PX)
    inside = (40, 40, plain.width - 40, plain.height - 40)
    there = [edge + by for edge, by in zip(inside, (right, -up, right, -up), strict=True)]
    same = ImageChops.difference(part(moved, there), plain.crop(inside)).convert("L")
    # Edges fall between pixels, a hair from where they fell.
    assert same.point(lambda value: 255 * (value > 40)).histogram()[255] < 0.005 * 340 * 515


def test_backs_forgive_two_millimetres(game: Path, tmp_path: Path) -> None:
    """Beyond the outer cuts a back is painted 2 mm and more, so no white edge shows."""
    moved = replace(
        options(), layout=replace(options().layout, calibration=PrinterCalibration(2, 2, 0))
    )
    front, back, *_ = pages(game, tmp_path, "eleven", moved)
    turned = turned_over(back, "duplex-long")
    left, bottom = (210 - 3 * 63.5) / 2, (297 - 3 * 88.9) / 2
    for x in (left + 0.5, 105, 210 - left - 0.5):
        for y in (bottom + 0.5, 150, 297 - bottom - 0.5):
            at = round(x * PX), round((297 - y) * PX)
            assert (front.getpixel(at) == WHITE) == (turned.getpixel(at) == WHITE)


@pytest.mark.parametrize("name", ["eleven", "lying", "discs"])
@pytest.mark.parametrize("backs", ["duplex-long", "gutterfold", "only"])
def test_the_slug_is_printed_beside_the_cards(
    game: Path, tmp_path: Path, name: str, backs: str
) -> None:
    """On every page, the folded ones among them, where no card's trim is."""
    make(game, options(backs=backs), outputs=("sheets",), folder=tmp_path, decks=(name,))
    document = pypdfium2.PdfDocument(tmp_path / f"en/sheets/{name}.pdf")
    for page in document:
        drawn = page.render(scale=1).to_pil().convert("RGB")
        text = page.get_textpage()
        boxes = [text.get_charbox(n) for n in range(text.count_chars())]
        assert boxes
        for left, bottom, right, top in boxes:
            for x, y in ((left, bottom), (right, top)):
                at = (int(x), int(page.get_height() - y))
                # Beyond the type itself there is white paper, or a crop mark's grey.
                near = drawn.getpixel((max(0, at[0] - 1), min(drawn.height - 1, at[1] + 1)))
                assert near not in {colour(n) for n in range(40)}
    document.close()


@pytest.mark.parametrize("backs", ["duplex-long", "gutterfold"])
def test_backs_apart_lie_on_a_sheet_of_their_own(game: Path, tmp_path: Path, backs: str) -> None:
    """Both are printed upright on fronts of sheets, in the same places: nothing is mirrored."""
    fronts, apart = pages(game, tmp_path, "labels", options(paper=A4, backs=backs))
    assert ImageChops.difference(_inner(fronts), _inner(apart)).getbbox() is None
    seen = {found for _, found in _inner(fronts).getcolors() or []}
    assert seen >= {colour(n) for n in range(32, 35)}


def _inner(page: Image.Image) -> Image.Image:
    """The page but for its margins, where the slug tells which sheet it is."""
    width, height = page.size
    edge = round(12 * PX)
    return page.crop((edge, edge, width - edge, height - edge))

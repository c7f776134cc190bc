"""Packs for print shops: pixel sizes, orders, boxes, and decks that a shop does not print."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest
from PIL import Image
from small_games import (
    colour_of,
    contents,
    make,
    marked_deck,
    marked_game,
    options,
    times,
    write_game,
)

from cardgen.core.units import CARD_SIZES, Size
from cardgen.outputs.contract import SingleOptions
from cardgen.outputs.shop_catalogue import MPC, TGC, PrintShop
from cardgen.pdf import raster
from cardgen.pdf.ink_modes import InkMode
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request

GROUND = (240, 240, 240)


@pytest.mark.parametrize(
    ("shop", "name", "px"),
    [
        (MPC, "poker", (822, 1122)),
        (MPC, "bridge", (747, 1122)),
        (MPC, "tarot", (897, 1497)),
        (MPC, "mini", (597, 822)),
        (TGC, "poker", (825, 1125)),
        (TGC, "bridge", (750, 1125)),
        (TGC, "tarot", (900, 1500)),
        (TGC, "mini", (600, 825)),
    ],
)
def test_sizes_in_pixels(shop: PrintShop, name: str, px: tuple[int, int]) -> None:
    for size in (Size(*CARD_SIZES[name]), Size(*CARD_SIZES[name]).rotate()):
        product = shop.find_product(size)
        assert product
        assert (product.name, product.width, product.height) == (name, *px)


def test_squares() -> None:
    found = [TGC.find_product(Size(side, side)) for side in (63.5, 88.9)]
    assert [(p.width, p.height) for p in found if p] == [(825, 825), (1125, 1125)]
    assert MPC.find_product(Size(63.5, 63.5)) is None


def test_a_standard_card_is_no_poker_card() -> None:
    """63 × 88 mm would lose a millimetre of what was drawn, or gain it."""
    size = Size(*CARD_SIZES["standard"])
    assert MPC.find_product(size) is None
    assert MPC.find_nearest_product(size).name == "poker"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Poker cards, one of them many times; lying ones; and a deck that no shop prints."""
    decks = {
        "cards": marked_deck("cards", "poker", (2, 700, 1)),
        "lying": marked_deck("lying", "poker landscape", (3,)),
        "odd": marked_deck("odd", "50 x 50", (1,)),
    }
    decks["plain"] = marked_deck("plain", "bridge", (2,)).replace("back: back.html\n", "")
    return write_game(tmp_path_factory.mktemp("shops"), marked_game(decks))


def shop(
    game: Path,
    folder: Path,
    output: str,
    decks: tuple[str, ...] = (),
    bleed: float | None = None,
) -> BuildReport:
    asked = replace(options(), single=SingleOptions(bleed))
    return build.build(Request(game, (output,), decks=decks, options=asked, output_folder=folder))


@pytest.fixture(scope="module")
def mpc(game: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[BuildReport, Path]:
    folder = tmp_path_factory.mktemp("mpc")
    return shop(game, folder, "mpc"), folder


def test_pictures_have_the_size_of_the_shop(mpc: tuple[BuildReport, Path]) -> None:
    folder = mpc[1] / "en/mpc"
    found = {
        path.relative_to(folder).as_posix(): Image.open(path) for path in folder.rglob("*.png")
    }
    assert sorted(found) == [
        "bridge/blank-back.png",
        "bridge/plain/card-0.png",
        *(f"poker/cards/card-{n}{side}.png" for n in range(3) for side in ("-back", "")),
        "poker/lying/card-0-back.png",
        "poker/lying/card-0.png",
    ]
    for name, image in found.items():
        assert image.size == ((822, 1122) if name.startswith("poker") else (747, 1122)), name
        assert image.mode == "RGB"
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_trim_is_where_the_shop_cuts(mpc: tuple[BuildReport, Path]) -> None:
    """36 px in; the mark of 6 × 4 mm stands 5 mm right and 6 mm below that corner."""
    image = Image.open(mpc[1] / "en/mpc/poker/cards/card-0.png")
    box = bounds(image, colour_of(0))
    px = 300 / 25.4
    assert box == pytest.approx((36 + 5 * px, 36 + 6 * px, 36 + 11 * px, 36 + 10 * px), abs=1)


def bounds(image: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    data = image.convert("RGB")
    mask = Image.new("L", data.size)
    mask.putdata([255 if pixel == colour else 0 for pixel in pixels(data)])
    found = mask.getbbox()
    assert found
    return found


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    data = image.tobytes()
    return [tuple(data[n : n + 3]) for n in range(0, len(data), 3)]


def test_the_ground_reaches_every_edge(mpc: tuple[BuildReport, Path]) -> None:
    """36 px are 3.05 mm, a little more than the deck's bleed."""
    image = Image.open(mpc[1] / "en/mpc/poker/cards/card-1.png")
    last = image.width - 1, image.height - 1
    for spot in ((0, 0), (last[0], 0), (0, last[1]), last, (400, 0), (0, 500), (last[0], 500)):
        assert image.getpixel(spot) == GROUND


def test_a_lying_card_stands_and_its_back_meets_it(mpc: tuple[BuildReport, Path]) -> None:
    """Front turned left and back turned right, so that tops meet: marks lie back to back."""
    front = Image.open(mpc[1] / "en/mpc/poker/lying/card-0.png")
    back = Image.open(mpc[1] / "en/mpc/poker/lying/card-0-back.png")
    left, top, right, bottom = bounds(front, colour_of(0))
    assert (left, bottom) == pytest.approx((36 + 6 * 300 / 25.4, 1122 - 36 - 59), abs=1.5)
    mirrored = (822 - right, top, 822 - left, bottom)
    assert bounds(back, colour_of(0)) == pytest.approx(mirrored, abs=1.5)


def orders(folder: Path) -> Mapping[str, ElementTree.Element]:
    return {path.name: ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.xml"))}


def slots(order: ElementTree.Element, side: str) -> list[tuple[str, list[int]]]:
    return [
        (card.findtext("id", ""), [int(n) for n in card.findtext("slots", "").split(",")])
        for card in order.findall(f"{side}/card")
    ]


def test_orders_hold_every_copy_once(mpc: tuple[BuildReport, Path]) -> None:
    """706 poker cards are two orders; each slot is filled once, and each file is there."""
    found = orders(mpc[1] / "en/mpc/poker")
    assert list(found) == ["cards-1.xml", "cards-2.xml"]
    ordered: dict[str, int] = {}
    for order in found.values():
        quantity = int(order.findtext("details/quantity", ""))
        assert quantity <= 612
        filled = sorted(n for _, numbers in slots(order, "fronts") for n in numbers)
        assert filled == list(range(quantity))
        for path, numbers in slots(order, "fronts"):
            assert Path(path).is_absolute()
            assert Path(path).is_file()
            name = "/".join(Path(path).parts[-2:])
            ordered[name] = ordered.get(name, 0) + len(numbers)
    assert ordered == {
        "cards/card-0.png": 2, "cards/card-1.png": 700, "cards/card-2.png": 1,
        "lying/card-0.png": 3,
    }  # fmt: skip


def test_every_card_of_an_order_has_its_own_back(mpc: tuple[BuildReport, Path]) -> None:
    """The back of most cards is the order's; the slots of the others name theirs."""
    for order in orders(mpc[1] / "en/mpc/poker").values():
        common = order.findtext("cardback", "")
        own = {n: path for path, numbers in slots(order, "backs") for n in numbers}
        assert Path(common).name == "card-1-back.png"
        for path, numbers in slots(order, "fronts"):
            expected = path.replace(".png", "-back.png")
            assert {own.get(n, common) for n in numbers} == {expected}


def test_the_details_of_an_order(mpc: tuple[BuildReport, Path]) -> None:
    order = orders(mpc[1] / "en/mpc/bridge")["cards.xml"]
    assert order.tag == "order"
    assert order.findtext("details/stock") == "(S30) Standard Smooth"
    assert order.findtext("details/foil") == "false"
    assert {kind.text for kind in order.iter("sourceType")} == {"Local File"}
    assert Path(order.findtext("cardback", "")).name == "blank-back.png"
    assert order.find("backs") is None


def test_a_deck_of_another_size_is_left_out_and_reported(mpc: tuple[BuildReport, Path]) -> None:
    report = mpc[0]
    assert not report.has_failed
    (told,) = [str(problem) for problem in report.problems]
    expected = (
        "cards/odd.yaml:1: warning: odd (50 × 50 mm) is left out: MakePlayingCards has no such "
        "size; the nearest is mini, 44.45 × 63.50 mm [shop]"
    )
    assert told == expected


def test_nothing_that_fits_is_an_error(game: Path, tmp_path: Path) -> None:
    report = shop(game, tmp_path, "tgc", ("odd",))
    assert report.has_failed
    expected = (
        "game.yaml: error: none of these decks has a size that The Game Crafter prints [shop]"
    )
    assert expected in [str(problem) for problem in report.problems]
    assert not contents(tmp_path)


def test_the_same_again_is_left_alone(game: Path, tmp_path: Path) -> None:
    shop(game, tmp_path, "tgc")
    before = times(tmp_path)
    report = shop(game, tmp_path, "tgc")
    assert not report.new_files
    assert not report.typeset_count
    assert times(tmp_path) == before


def test_the_game_crafter(game: Path, tmp_path: Path) -> None:
    shop(game, tmp_path, "tgc")
    folder = tmp_path / "en/tgc/poker"
    lines = list(csv.DictReader(io.StringIO((folder / "cards.csv").read_text())))
    assert sum(int(line["copies"]) for line in lines) == 706
    for line in lines:
        for side in ("front", "back"):
            assert Image.open(folder / line[side]).size == (825, 1125)
    px = 300 / 25.4
    box = bounds(Image.open(folder / "cards/card-0.png"), colour_of(0))
    assert box[:2] == pytest.approx((37.5 + 5 * px, 37.5 + 6 * px), abs=1)


def test_little_bleed_is_reported(tmp_path: Path) -> None:
    deck = marked_deck("cards", "poker", (1,)).replace("size: poker", "size: poker\nbleed: 1")
    root = write_game(tmp_path / "game", marked_game({"cards": deck}))
    report = shop(root, tmp_path / "out", "mpc")
    assert "1 mm of bleed, but MakePlayingCards needs 3.05" in str(report.problems[0])
    image = Image.open(tmp_path / "out/en/mpc/poker/cards/card-0.png")
    assert image.getpixel((2, 2)) == GROUND


@pytest.fixture(scope="module")
def pdfs(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pdfs")
    shop(game, folder, "card-pdfs", ("cards", "odd", "plain"), 3.175)
    return folder / "en/card-pdfs"


def test_boxes_of_the_pages(pdfs: Path) -> None:
    """A poker page is 198 × 270 points, cut 9 points in."""
    with pikepdf.open(pdfs / "cards.pdf") as pdf:
        assert len(pdf.pages) == 2 * 703
        for page in pdf.pages:
            assert [float(v) for v in page.mediabox] == pytest.approx([0, 0, 198, 270], abs=0.01)
            assert [float(v) for v in page.trimbox] == pytest.approx([9, 9, 189, 261], abs=0.01)
            assert [float(v) for v in page.obj.BleedBox] == [float(v) for v in page.mediabox]


def test_backs_come_first(pdfs: Path) -> None:
    """Each copy is its back, then its front; a deck without backs has fronts alone."""
    with pikepdf.open(pdfs / "cards.pdf") as pdf:
        del pdf.pages[4:-2]
        out = io.BytesIO()
        pdf.save(out)
    grounds = [image.getpixel((100, 250)) for image in raster.rasterise_pages(out.getvalue(), 72)]
    assert grounds == [(224, 224, 224), GROUND] * 3
    with pikepdf.open(pdfs / "plain.pdf") as pdf:
        assert len(pdf.pages) == 2


def test_pages_are_painted_to_their_edges(pdfs: Path) -> None:
    image = next(raster.rasterise_pages((pdfs / "odd.pdf").read_bytes(), 144))
    last = image.width - 1, image.height - 1
    assert {image.getpixel(spot) for spot in ((0, 0), last)} == {(224, 224, 224)}


def test_a_face_is_stored_once_for_all_copies(pdfs: Path) -> None:
    with pikepdf.open(pdfs / "cards.pdf") as pdf:
        forms = {page.obj.Resources.XObject.F.objgen for page in pdf.pages}
    assert len(forms) == 6


def test_low_ink_is_for_the_table_alone(game: Path, tmp_path: Path) -> None:
    """A print shop gets full colours, whatever is asked of sheets."""
    asked = [options(), options(ink=InkMode(low=True))]
    keys = [
        [
            a.key
            for a in make(game, each, outputs=("card-pdfs",), folder=tmp_path / str(n)).new_files
        ]
        for n, each in enumerate(asked)
    ]
    assert keys[0] == keys[1]

"""Packs for print shops: pixel sizes, orders, boxes, and decks that a shop does not print."""

from __future__ import annotations

import csv
import io
import re
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
from cardgen.pdf.preflight import printer_spec
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
        (MPC, "standard", (815, 1110)),
        (TGC, "poker", (825, 1125)),
        (TGC, "bridge", (750, 1125)),
        (TGC, "tarot", (900, 1500)),
        (TGC, "mini", (600, 825)),
        (TGC, "jumbo", (1125, 1725)),
    ],
)
def test_sizes_in_pixels(shop: PrintShop, name: str, px: tuple[int, int]) -> None:
    for size in (Size(*CARD_SIZES[name]), Size(*CARD_SIZES[name]).rotate()):
        product = shop.find_product(size)
        assert product
        word = name if shop is MPC else f"{name.title()}Deck"
        assert (product.name, product.width, product.height) == (word, *px)


def test_squares() -> None:
    found = [TGC.find_product(Size(side, side)) for side in (63.5, 88.9)]
    assert [(p.width, p.height) for p in found if p] == [(825, 825), (1125, 1125)]
    assert MPC.find_product(Size(63.5, 63.5)) is None


def test_every_size_names_its_source_and_its_day() -> None:
    for spec in printer_spec.load_shops().values():
        for name, each in spec.products.items():
            assert each.source, name
            assert re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", each.read), name


def test_pieces_of_other_shapes_have_products_of_their_own() -> None:
    """The first of a size is made; a circle is no square, and a hexagon lies as its deck does."""
    inch = 25.4
    found = {
        (side, shape): TGC.find_product(Size(side * inch, side * inch), shape=shape)
        for side, shape in ((0.75, "rectangle"), (0.75, "round"), (3.5, "round"), (2, "round"))
    }
    assert {key: each and each.name for key, each in found.items()} == {
        (0.75, "rectangle"): "SquareShard", (0.75, "round"): "CircleShard",
        (3.5, "round"): "CircleDeck", (2, "round"): None,
    }  # fmt: skip
    tile = TGC.find_product(Size(3.25 * inch, 3.75 * inch), shape="hexagon")
    assert tile
    assert (tile.name, tile.width, tile.height) == ("HexDeck", 1200, 1050)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Standard cards, one of them many times; lying ones; and a deck that no shop prints."""
    decks = {
        "cards": marked_deck("cards", "standard", (2, 700, 1)),
        "lying": marked_deck("lying", "standard landscape", (3,)),
        "odd": marked_deck("odd", "57 x 66", (1,)),
    }
    for name, size, copies in (("plain", "bridge", (2,)), ("single", "standard", (0, 0, 0, 2))):
        decks[name] = marked_deck(name, size, copies).replace("back: back.html\n", "")
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
        "bridge/plain/card-0.png",
        "standard/blank-back.png",
        *(f"standard/cards/card-{n}{side}.png" for n in range(3) for side in ("-back", "")),
        "standard/lying/card-0-back.png",
        "standard/lying/card-0.png",
        "standard/single/card-3.png",
    ]
    for name, image in found.items():
        assert image.size == ((815, 1110) if name.startswith("standard") else (747, 1122)), name
        assert image.mode == "RGB"
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_the_trim_is_where_the_shop_cuts(mpc: tuple[BuildReport, Path]) -> None:
    """3 mm in; the mark of 6 × 4 mm stands 5 mm right and 6 mm below that corner."""
    image = Image.open(mpc[1] / "en/mpc/standard/cards/card-0.png")
    box = bounds(image, colour_of(0))
    px = 300 / 25.4
    assert box == pytest.approx((8 * px, 9 * px, 14 * px, 13 * px), abs=1)


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
    """Also that of a shop with a little more bleed than the deck: 36 px are 3.05 mm."""
    for name in ("standard/cards/card-1.png", "bridge/plain/card-0.png"):
        image = Image.open(mpc[1] / "en/mpc" / name)
        last = image.width - 1, image.height - 1
        for spot in ((0, 0), (last[0], 0), (0, last[1]), last, (400, 0), (0, 500), (last[0], 500)):
            assert image.getpixel(spot) == GROUND


def test_a_lying_card_stands_and_its_back_meets_it(mpc: tuple[BuildReport, Path]) -> None:
    """Front turned left and back turned right, so that tops meet: marks lie back to back."""
    front = Image.open(mpc[1] / "en/mpc/standard/lying/card-0.png")
    back = Image.open(mpc[1] / "en/mpc/standard/lying/card-0-back.png")
    left, top, right, bottom = bounds(front, colour_of(0))
    px = 300 / 25.4
    assert (left, bottom) == pytest.approx((9 * px, 1110 - 8 * px), abs=1.5)
    mirrored = (815 - right, top, 815 - left, bottom)
    assert bounds(back, colour_of(0)) == pytest.approx(mirrored, abs=1.5)


def orders(folder: Path) -> Mapping[str, ElementTree.Element]:
    return {path.name: ElementTree.parse(path).getroot() for path in sorted(folder.glob("*.xml"))}


def slots(order: ElementTree.Element, side: str) -> list[tuple[str, list[int]]]:
    return [
        (card.findtext("id", ""), [int(n) for n in card.findtext("slots", "").split(",")])
        for card in order.findall(f"{side}/card")
    ]


def test_orders_hold_every_copy_once(mpc: tuple[BuildReport, Path]) -> None:
    """708 standard cards are two orders; each slot is filled once, and each file is there."""
    found = orders(mpc[1] / "en/mpc/standard")
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
        "lying/card-0.png": 3, "single/card-3.png": 2,
    }  # fmt: skip


def test_every_card_of_an_order_has_its_own_back(mpc: tuple[BuildReport, Path]) -> None:
    """The back of most cards is the order's; the slots of the others name theirs."""
    for order in orders(mpc[1] / "en/mpc/standard").values():
        common = order.findtext("cardback", "")
        own = {n: path for path, numbers in slots(order, "backs") for n in numbers}
        assert Path(common).name == "card-1-back.png"
        for path, numbers in slots(order, "fronts"):
            expected = path.replace(".png", "-back.png")
            if "single" in path:
                expected = str(Path(path).parents[1] / "blank-back.png")
            assert {own.get(n, common) for n in numbers} == {expected}


def test_the_details_of_an_order(mpc: tuple[BuildReport, Path]) -> None:
    order = orders(mpc[1] / "en/mpc/standard")["cards-2.xml"]
    assert order.tag == "order"
    assert order.findtext("details/stock") == "(S30) Standard Smooth"
    assert order.findtext("details/foil") == "false"
    assert {kind.text for kind in order.iter("sourceType")} == {"Local File"}
    # What the tool does not order is a table.
    table = (mpc[1] / "en/mpc/bridge/cards.csv").read_text().splitlines()
    assert table == ["front,back,copies", "plain/card-0.png,,2"]
    assert not orders(mpc[1] / "en/mpc/bridge")


def test_a_deck_of_another_size_is_left_out_and_reported(mpc: tuple[BuildReport, Path]) -> None:
    report = mpc[0]
    assert not report.has_failed
    (told,) = [str(problem) for problem in report.problems]
    expected = (
        "cards/odd.yaml:1: warning: odd (57 × 66 mm) is left out: MakePlayingCards has no such "
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
    """Components have the names of the shop's API, and a line has 99 copies at most."""
    shop(game, tmp_path, "tgc")
    folder = tmp_path / "en/tgc/EuroPokerDeck"
    lines = list(csv.DictReader(io.StringIO((folder / "cards.csv").read_text())))
    assert sum(int(line["copies"]) for line in lines) == 708
    assert [int(line["copies"]) for line in lines if "card-1" in line["front"]] == [99] * 7 + [7]
    for line in lines:
        for side in filter(None, (line["front"], line["back"])):
            assert Image.open(folder / side).size == (825, 1125)
    px = 300 / 25.4
    box = bounds(Image.open(folder / "cards/card-0.png"), colour_of(0))
    assert box[:2] == pytest.approx((412.5 - 26.5 * px, 562.5 - 38 * px), abs=1)
    assert (tmp_path / "en/tgc/BridgeDeck/plain/card-0.png").exists()


def test_a_deck_names_a_product_where_there_are_several(tmp_path: Path) -> None:
    deck = marked_deck("cards", "poker", (1,)).replace("size: poker", "size: poker\nPRODUCT")
    game = marked_game({"cards": deck})
    told = {}
    for word in ("FoilPokerDeck", "FoilPokerDek", "TarotDeck"):
        files = {
            n: text.replace("PRODUCT", f"products: {{tgc: {word}}}") for n, text in game.items()
        }
        report = shop(write_game(tmp_path / word, files), tmp_path / f"out{word}", "tgc")
        told[word] = " ".join(map(str, report.problems))
    assert told["FoilPokerDeck"].count("left out") == 0
    assert (tmp_path / "outFoilPokerDeck/en/tgc/FoilPokerDeck/cards.csv").exists()
    assert (
        "The Game Crafter has no product 'FoilPokerDek'; did you mean 'FoilPokerDeck'?"
    ) in told["FoilPokerDek"]
    assert "is left out: TarotDeck has another size or shape" in told["TarotDeck"]


KETTU = """name: Kettu
takes: pictures
bleed: 2
sizes:
  card: 57 x 66
  disc: {trim: 40 x 40, pixels: 520 x 520, shape: round}
"""


@pytest.mark.parametrize("place", ["game", "settings"])
def test_a_shop_of_ones_own(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer_spec, "get_config_folder", lambda: tmp_path / "settings")
    decks = {
        "odd": marked_deck("odd", "57 x 66", (1,)),
        "discs": marked_deck("discs", "40 x 40", (2,)).replace("size:", "shape: round\nsize:"),
    }
    root = write_game(tmp_path / "game", marked_game(decks))
    file = tmp_path / place / "shops/kettu.yaml"
    file.parent.mkdir(parents=True)

    def order(word: str, folder: str, text: str = KETTU) -> list[str]:
        file.write_text(text, encoding="utf-8")
        asked = replace(options(), single=SingleOptions(shop=word))
        request = Request(root, ("shop",), options=asked, output_folder=tmp_path / folder)
        return [str(each) for each in build.build(request).problems]

    assert order("kettu", "out") == []
    with Image.open(tmp_path / "out/en/kettu/card/odd/card-0.png") as image:
        assert image.size == (720, 827)
    with Image.open(tmp_path / "out/en/kettu/disc/discs/card-0.png") as image:
        assert image.size == (520, 520)
    assert "there is no shop 'ketu'; did you mean 'kettu'?" in order("ketu", "no")[0]
    (wrong,) = order("kettu", "no", KETTU.replace("520 x 520", "400 x 520"))
    assert wrong.endswith(
        "shops/kettu.yaml:6: error: pixels of disc: at 300 dpi they are smaller than its trim, "
        "40 × 40 mm [size]"
    )
    (wrong,) = order("kettu", "no", KETTU.replace("takes: pictures", "takes: pdf"))
    assert "Kettu takes PDF; build card-pdfs or press --bleed-mm 2 for it" in wrong
    assert "the output shop needs a print shop; add --shop with one of boardg" in order("", "no")[0]
    assert "there is no shop '../game'" in order("../game", "no")[0]


def test_little_bleed_is_reported(tmp_path: Path) -> None:
    deck = marked_deck("cards", "poker", (1,)).replace("size: poker", "size: poker\nbleed: 1")
    root = write_game(tmp_path / "game", marked_game({"cards": deck}))
    report = shop(root, tmp_path / "out", "mpc")
    assert "1 mm of bleed, but MakePlayingCards needs 3.05" in str(report.problems[0])
    image = Image.open(tmp_path / "out/en/mpc/poker/cards/card-0.png")
    assert image.getpixel((2, 2)) == GROUND


@pytest.fixture(scope="module")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pdfs")
    decks = {
        "cards": marked_deck("cards", "poker", (2, 700, 1)),
        "odd": marked_deck("odd", "50 x 50", (1,)),
        "plain": marked_deck("plain", "bridge", (2,)).replace("back: back.html\n", ""),
    }
    game = write_game(folder / "game", marked_game(decks))
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

"""Icons that keep their colours: laid out like any icon, printed as drawn, wherever icons stand."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pikepdf
import pytest
from PIL import Image, ImageChops
from pixels import pages, pixel
from small_games import edit, make, options, write_game

from cardgen.assets import coloured_icons
from cardgen.assets.artwork import Art
from cardgen.pdf.ink_modes import InkMode
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

RED, GOLD, DARK = (200, 30, 40), (240, 200, 60), (40, 40, 90)
DISC = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{}</svg>'
COIN = DISC.format(
    '<linearGradient id="g"><stop stop-color="rgb{0}"/></linearGradient>'
    '<circle cx="12" cy="12" r="11" fill="rgb{1}"/><circle cx="12" cy="12" r="7" fill="url(#g)"/>'
).format(GOLD, RED)
BLACK = DISC.format('<circle cx="12" cy="12" r="11"/>')
TEXT = "Take 3{{{0}}}, {{{0}}} and {{{0}}}.\\nLeave a {{{0}}} for the rest, who have none {{{0}}}."
FILES = {
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n"
    "emoji: {'🪙': coin}\nkeywords: {Dough: coin}\n",
    "cards/loot.yaml": "deck: loot\ntitle: {en: Loot}\nsize: 60 x 40\nbleed: 0\nsafe: 0\n"
    "front: loot.html\nstyles: [loot.css]\nfields: {text: text}\ncards:\n"
    f'  - {{id: coloured, text: {{en: "{TEXT.format("coin")}"}}}}\n'
    f'  - {{id: plain, text: {{en: "{TEXT.format("disc")}"}}}}\n'
    '  - {id: words, text: {en: "🪙 Dough"}}\n',
    "templates/loot.html": '<div class="text" data-fit="6-30">{{ card.text }}</div>',
    "templates/loot.css": ".text { position: absolute; left: 2mm; top: 2mm; width: 56mm; "
    "height: 36mm; line-height: 1; color: rgb(40, 40, 90) }",
    "art/icons/disc.svg": BLACK,
    "art/icons/colour/coin.svg": COIN,
    "rulebook/en.md": "# Small\n\nPay 3{coin}\n",
}


def game(root: Path, **more: str) -> Path:
    return write_game(root, {**FILES, **more})


def printed(root: Path, card: str) -> Image.Image:
    with Image.open(root / f"build/en/images/loot/{card}.png") as image:
        return image.convert("RGB")


def near(image: Image.Image, colour: tuple[int, ...]) -> int:
    """How many pixels have a colour, almost."""
    ground = Image.new("RGB", image.size, colour)
    apart = (
        ImageChops.difference(image, ground).convert("L").point(lambda value: 255 * (value < 12))
    )
    return apart.histogram()[255]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = game(tmp_path_factory.mktemp("coloured"))
    make(root, options(dpi=254), outputs=("images", "rulebook"))
    return root


def test_it_stands_where_a_plain_icon_would(built: Path) -> None:
    """In a text that is fitted: of the same size, in the same lines, no letter moved."""
    coloured, plain = printed(built, "coloured"), printed(built, "plain")
    shade = [
        image.convert("L").point(lambda value: 255 * (value < 225)) for image in (coloured, plain)
    ]
    assert ImageChops.difference(*shade).convert("L").histogram()[255] < 400
    assert near(coloured, DARK) < near(plain, DARK)


def test_it_keeps_its_colours(built: Path) -> None:
    coloured = printed(built, "coloured")
    assert near(coloured, GOLD) > 2000
    assert near(coloured, RED) > 2000
    assert near(printed(built, "plain"), RED) == 0


def test_emoji_and_keywords_print_it(built: Path) -> None:
    words = printed(built, "words")
    assert near(words, RED) > 2000
    assert near(words, DARK) == 0


def test_a_book_prints_and_says_it(built: Path) -> None:
    (page, *_) = pages(built / "build/en/rulebook.pdf", 8)
    assert near(page, GOLD) > 50
    with pikepdf.open(built / "build/en/rulebook.pdf") as pdf:
        said = [
            item.ToUnicode.read_bytes()
            for item in pdf.objects
            if isinstance(item, pikepdf.Dictionary) and "/ToUnicode" in item
        ]
    assert sum("[coin]".encode("utf-16-be").hex().encode() in texts for texts in said) == 1


def test_a_redrawn_one_sets_nothing_anew(tmp_path: Path) -> None:
    root = game(tmp_path)
    make(root, options(dpi=100), outputs=("images",))
    before = printed(root, "plain"), printed(root, "coloured")
    edit(root, "art/icons/colour/coin.svg", 'r="7"', 'r="3"')
    report = make(root, options(dpi=100), outputs=("images",))
    assert report.typeset_count == 0
    assert printed(root, "plain") == before[0]
    assert near(printed(root, "coloured"), GOLD) < near(before[1], GOLD) / 2


@pytest.mark.parametrize(
    ("ink", "seen", "gone"),
    [(InkMode(low=True), GOLD, None), (InkMode(grey=True), (191,) * 3, GOLD),
     (InkMode(low=True, grey=True), (191,) * 3, GOLD)],
)  # fmt: skip
def test_ink_is_not_saved_on_signs(
    ink: InkMode, seen: tuple[int, ...], gone: tuple[int, ...] | None, tmp_path: Path
) -> None:
    root = game(tmp_path)
    make(root, options(ink=ink), outputs=("sheets",))
    (page,) = pages(root / "build/en/sheets.pdf", 5)
    grey = (round(0.299 * GOLD[0] + 0.587 * GOLD[1] + 0.114 * GOLD[2]),) * 3
    assert near(page, grey if gone else seen) > 200
    assert gone is None or near(page, gone) == 0


@pytest.mark.parametrize(
    ("name", "drawing", "told"),
    [
        ("colour/coin.svg", DISC.format("<text>A</text>"),
         "art/icons/colour/coin.svg: error: it cannot be an icon: it has the <text> 'A', "
         "which is not drawn: it names no font; make it a path (Inkscape: Path > Object to "
         "Path), or use one of the game's fonts: Roboto Condensed [art]"),
        ("colour/coin.svg", DISC.format('<image href="file:///etc/passwd"/>'),
         "art/icons/colour/coin.svg: error: it cannot be an icon: it refers to "
         "file:///etc/passwd, outside itself [art]"),
        ("coin.svg", BLACK, "art/icons/colour/coin.svg: error: there is another icon 'coin', "
         "art/icons/coin.svg; keep one of them [art]"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_once_at_its_file(
    name: str, drawing: str, told: str, tmp_path: Path
) -> None:
    root = game(tmp_path, **{f"art/icons/{name}": drawing})
    report = build.build(Request(root, outputs=("images", "rulebook"), options=options()))
    assert [str(problem) for problem in report.problems] == [told]


def test_a_png_keeps_its_colours_too(tmp_path: Path) -> None:
    root = game(tmp_path)
    (root / "art/icons/colour/coin.svg").unlink()
    Image.new("RGBA", (200, 200), (*RED, 255)).save(root / "art/icons/colour/coin.png")
    make(root, options(dpi=254), outputs=("images",))
    assert near(printed(root, "coloured"), RED) > 2000
    assert pixel(printed(root, "words"), (0, 0)) == (255, 255, 255)


def test_several_colours_in_a_drawing_make_it_coloured(tmp_path: Path) -> None:
    """Wherever it stands below art/icons/. A tile with a figure has one colour, as before."""
    two = COIN.replace("url(#g)", f"rgb{GOLD}")
    tile = DISC.format(
        f'<path fill="rgb{GOLD}" d="M0 0h24v24H0z"/><circle cx="12" cy="12" r="11"/>'
    )
    root = game(tmp_path, **{"art/icons/coin.svg": two, "art/icons/disc.svg": tile})
    (root / "art/icons/colour/coin.svg").unlink()
    make(root, options(dpi=254), outputs=("images", "rulebook"))
    assert near(printed(root, "coloured"), GOLD) > 2000
    assert near(printed(root, "words"), RED) > 2000
    assert near(printed(root, "plain"), GOLD) == 0
    assert near(pages(root / "build/en/rulebook.pdf", 8)[0], GOLD) > 50
    edit(root, "art/icons/coin.svg", f"rgb{GOLD}", "white")
    edit(root, "art/icons/coin.svg", f"rgb{RED}", "black")
    make(root, options(dpi=254), outputs=("images",))
    assert near(printed(root, "words"), RED) == 0
    assert near(printed(root, "words"), DARK) > 2000


@pytest.mark.parametrize("size", [(200, 100), (100, 200)])
def test_a_bitmap_that_is_not_square_is_centred(size: tuple[int, int], tmp_path: Path) -> None:
    cards = FILES["cards/loot.yaml"].replace("🪙 Dough", "Dough")
    look = FILES["templates/loot.css"].replace("}", "; font-size: 20mm }")
    root = game(
        tmp_path, **{"cards/loot.yaml": cards, "templates/loot.css": look,
                     "templates/loot.html": '<div class="text">{{ card.text }}</div>'}
    )  # fmt: skip
    (root / "art/icons/colour/coin.svg").unlink()
    Image.new("RGB", size, RED).save(root / "art/icons/coin.png")
    edit(root, "cards/loot.yaml", TEXT.format("coin"), "🪙")
    edit(root, "cards/loot.yaml", TEXT.format("disc"), "{disc}")
    make(root, options(dpi=254), outputs=("images",))
    mask = ImageChops.difference(
        printed(root, "words"), Image.new("RGB", (600, 400), "white")
    ).getbbox()
    whole = ImageChops.difference(
        printed(root, "plain"), Image.new("RGB", (600, 400), "white")
    ).getbbox()
    assert mask
    assert whole
    for low, high in ((0, 2), (1, 3)):
        middles = ((mask[low] + mask[high]) / 2, (whole[low] + whole[high]) / 2)
        assert middles[0] == pytest.approx(middles[1], abs=3)
    assert mask[2] - mask[0] == pytest.approx(size[0], abs=3)
    assert mask[3] - mask[1] == pytest.approx(size[1], abs=3)


WILD = 'x)} *{background:lime !important} .q{top:url(i" \\'


def test_rules_of_icons_hold_whatever_files_are_called() -> None:
    """Of a file's name nothing is CSS."""
    file = f"art/icons/colour/{WILD}.svg"
    assert coloured_icons.format_icon_css({WILD: file}) == ""
    rule = coloured_icons.format_icon_css({"x": file})
    assert re.fullmatch(r'\.icon\.icon-x \{ background: url\("[\w:/.%-]+"\) [^{}"]+\}\n', rule)
    assert unquote(rule).count(file) == 1
    assert (
        coloured_icons.format_icon_css(
            coloured_icons.find_coloured_icons([Art(file, Path(), True, 1, 1, "", is_icon=True)])
        )
        == ""
    )

"""Text in drawings: printed as outlines in the game's fonts, refused in any other."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pypdfium2
import pytest
from fontTools.misc.transform import Transform
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops

from cardgen.assets import artwork
from cardgen.assets.artwork import UnusableArtError
from cardgen.game.fonts_file import BUILTIN_BY_NAME
from cardgen.pdf.picture_conversion import convert_art

SCALE = 4
HINT = "make it a path (Inkscape: Path > Object to Path), or"
FONTS = "Fira Mono, Fira Sans Condensed, Symbols, Yeseva One"
SHAPED = 'font-family="Yeseva One" font-size="20"'
Box = tuple[int, int, int, int]


def draw(root: Path, inner: str) -> Image.Image:
    """Print a drawing of 200 x 100 px and return its page."""
    (root / "art").mkdir(exist_ok=True)
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
    (root / "art/words.svg").write_text(f"{head}{inner}</svg>", encoding="utf-8")
    artwork._load_cached.cache_clear()
    pdf = pypdfium2.PdfDocument(convert_art(artwork.load_art(root, "art/words.svg"), root))
    image: Image.Image = pdf[0].render(scale=SCALE / 0.75).to_pil()
    return image.convert("L")


def find_ink(image: Image.Image) -> Box:
    box = ImageChops.invert(image).getbbox()
    assert box is not None
    return box


def make_path(letters: str, x: float, y: float, size: float) -> str:
    """Return letters of Yeseva One as a path, read with fontTools and without kerning."""
    path = BUILTIN_BY_NAME["Yeseva One"].find_file(400, "normal")
    assert path is not None
    font = TTFont(path)
    glyphs, pen, scale = font.getGlyphSet(), SVGPathPen(None), size / font["head"].unitsPerEm
    for letter in letters:
        glyph = glyphs[font.getBestCmap()[ord(letter)]]
        glyph.draw(TransformPen(pen, Transform(scale, 0, 0, -scale, x, y)))
        x += glyph.width * scale
    return f'<path d="{pen.getCommands()}"/>'


def differ(one: Image.Image, other: Image.Image) -> int:
    """Return the number of pixels that differ visibly."""
    return sum(ImageChops.difference(one, other).histogram()[64:])


@pytest.mark.parametrize(
    "text",
    [
        f'<text x="20" y="50" {SHAPED}>H</text>',
        f'<text x="10" y="40" dx="10" dy="0.5em" {SHAPED}>\n  H\n</text>',
        f'<text x="20" y="50" {SHAPED} style="font-size:15pt">H</text>',
        f'<text x="3" y="3" {SHAPED}><tspan x="20" y="50">H</tspan></text>',
        "<style>.t, path { font: none } text { font-family: Yeseva One; font-size: 10px }"
        "path { stroke: red; opacity: .2 }</style>"
        '<g font-size="40"><text class="n" x="20" y="50" style="font-size:50%">H</text></g>',
        f'<g transform="translate(20 50)"><text {SHAPED}><title>no</title>H</text></g>',
        f'<clipPath id="c"><text x="20" y="50" {SHAPED}>H</text></clipPath>'
        '<rect width="200" height="100" clip-path="url(#c)"/>',
        '<text x="20" y="50" font-size="20" font-family="Arial, \'yeseva one\', serif">H</text>',
    ],
)
def test_text_prints_as_its_path(text: str, tmp_path: Path) -> None:
    path = draw(tmp_path, make_path("H", 20, 50, 20))
    assert find_ink(path)[2] > 20 * SCALE
    assert differ(draw(tmp_path, text), path) == 0


@pytest.mark.parametrize(("anchor", "share"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_anchors_move_a_line_by_its_width(anchor: str, share: float, tmp_path: Path) -> None:
    start = find_ink(draw(tmp_path, f'<text x="100" y="50" {SHAPED}>HOH</text>'))
    image = draw(
        tmp_path, f'<text x="100" y="50" text-anchor="{anchor}" {SHAPED}>H<tspan>O</tspan>H</text>'
    )
    found = find_ink(image)
    margin = start[0] - 100 * SCALE
    width = start[2] - 100 * SCALE + margin
    assert found[0] == pytest.approx(start[0] - share * width, abs=3)
    assert (found[1], found[3]) == (start[1], start[3])


def test_tspans_go_on_where_the_last_ended(tmp_path: Path) -> None:
    text = (
        f'<text x="20" y="50" {SHAPED}>H<tspan fill="#000">H<tspan dy="9">H</tspan></tspan></text>'
    )
    (first, last), size = (make_path("HH", 20, 50, 20), make_path("  H", 20, 59, 20)), 20
    font = TTFont(BUILTIN_BY_NAME["Yeseva One"].find_file(400, "normal"))
    wide, blank = (font["hmtx"][font.getBestCmap()[ord(each)]][0] for each in "H ")
    moved = 2 * (wide - blank) * size / font["head"].unitsPerEm
    path = f'{first}<g transform="translate({moved})">{last}</g>'
    assert differ(draw(tmp_path, text), draw(tmp_path, path)) == 0


def test_spaces_collapse_unless_they_are_kept(tmp_path: Path) -> None:
    once = draw(tmp_path, f'<text x="20" y="50" {SHAPED}>H H</text>')
    written = "H\n  <tspan> H </tspan>"
    assert differ(draw(tmp_path, f'<text x="20" y="50" {SHAPED}>{written}</text>'), once) == 0
    wide = f'<text x="20" y="50" xml:space="preserve" {SHAPED}>H   H</text>'
    assert find_ink(draw(tmp_path, wide))[2] > find_ink(once)[2] + 5 * SCALE


REFUSED = {
    "no font": (
        "<text y='9'>note</text>",
        f"it names no font; {HINT} use one of the game's fonts: {FONTS}",
    ),
    "unknown": (
        '<text y="9" font-family="Arial, sans-serif">note</text>',
        f"its font Arial is not the game's; {HINT} use one of the game's fonts: {FONTS}",
    ),
    "weight": (
        f'<text y="9" {SHAPED} font-weight="bold">note</text>',
        "the game has Yeseva One as 400 normal, not as 700 normal; "
        f"{HINT} add that to fonts/fonts.yaml",
    ),
    "glyph": (
        f'<text y="9" {SHAPED}>no \u5b57</text>',
        f"Yeseva One has no '\u5b57' (U+5B57); {HINT} use a font that has it",
    ),
    "places": (
        f'<text x="1 2" y="9" {SHAPED}>note</text>',
        "it has 2 values of x, for single letters",
    ),
    "rotate": (f'<text y="9" rotate="9" {SHAPED}>note</text>', "it has rotate"),
    "length": (
        f'<text y="9" {SHAPED}><tspan textLength="9">note</tspan></text>',
        "it has textLength",
    ),
    "path": (
        f'<text y="9" {SHAPED}><textPath href="#a">note</textPath></text>',
        "it has a <textPath> in it",
    ),
    "upright": (
        f'<text y="9" style="writing-mode:tb" {SHAPED}>note</text>',
        "it has writing-mode: tb",
    ),
    "spaced": (f'<text y="9" letter-spacing="2" {SHAPED}>note</text>', "it has letter-spacing: 2"),
    "shorthand": (
        '<text y="9" style="font:9px Yeseva One">note</text>',
        "it has font: 9px Yeseva One",
    ),
    "hebrew": (f'<text y="9" {SHAPED}>\u05d0\u05d1</text>', "it runs from right to left"),
    "size": (
        '<text y="9" font-family="Yeseva One" font-size="9vw">note</text>',
        "its font-size is 9vw",
    ),
    "percent": (f'<text x="5%" y="9" {SHAPED}>note</text>', "it is placed at 5%"),
    "long": (
        f'<text y="9" {SHAPED}>{"note " * 5000}</text>',
        "the drawing has more than 20000 letters",
    ),
    "many": (
        f'<text y="9" {SHAPED}>{"note" * 250}</text>' * 21,
        "the drawing has more than 20000 letters",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_text_is_refused(name: str, tmp_path: Path) -> None:
    text, reason = REFUSED[name]
    with pytest.raises(UnusableArtError, match=re.escape(f", which is not drawn: {reason}")):
        draw(tmp_path, text)


def test_the_conversion_follows_the_fonts(tmp_path: Path) -> None:
    """A family that another file stands for gives another digest, by which pages are kept."""
    text = '<text x="20" y="50" font-family="Own" font-size="20">H</text>'
    found = []
    (tmp_path / "fonts").mkdir()
    for number, family in enumerate(("Yeseva One", "Fira Mono")):
        own = BUILTIN_BY_NAME[family].find_file(400, "normal")
        assert own is not None
        (tmp_path / "fonts/own-400-normal.ttf").write_bytes(own.read_bytes())
        yaml = "fonts:\n  - family: Own\n" + "#" * number
        (tmp_path / "fonts/fonts.yaml").write_text(yaml, encoding="utf-8")
        draw(tmp_path, text)
        art = artwork.load_art(tmp_path, "art/words.svg")
        ElementTree.fromstring(artwork.read_printable(art))
        found.append(art.digest)
    assert found[0] != found[1]

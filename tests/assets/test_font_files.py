"""Fonts as printed: merged subsets, icons made into a font, hyphenation patterns."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pyphen
import pytest
from click.testing import CliRunner
from conftest import MakeGame
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont, newTable
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps
from small_games import FONTS, GAME, make, options, write_game

from cardgen.assets import font_files, game_fonts, hyphenation
from cardgen.assets.font_files import FontFile
from cardgen.cli.command_line import cli
from cardgen.game.card_text import assign_codepoints
from cardgen.pdf.composition import parse_weight_and_style
from cardgen.rules import rule_file
from cardgen.runtime.content_store import Store

PACKAGE = FONTS / "node_modules/@fontsource/roboto-condensed/files"
LETTERS = "aÄäÅÖ€–—ŠŽőğ”é"
SIZE_MM = 20.0
PX_PER_MM = 10

FONT_GAME = {
    "game.yaml": GAME,
    "fonts/fonts.yaml": """fonts:
  - family: Roboto Condensed
    package: '@fontsource/roboto-condensed'
    subsets: [latin, latin-ext]
  - family: Bold of it
    package: '@fontsource/roboto-condensed'
    weights: [700]
""",
    "cards/letters.yaml": "deck: letters\ntitle: {en: Letters}\nsize: 50 x 50\nsafe: 0\n"
    "front: letter.html\nfields: {letter: text}\ncards:\n"
    + "".join(
        f"  - {{id: letter-{number}, letter: {{en: '{letter}'}}}}\n"
        for number, letter in enumerate(LETTERS)
    ),
    "templates/letter.html": '<div style="position: absolute; left: 10mm; top: 5mm; '
    f'font-size: {SIZE_MM}mm; line-height: 2">{{{{ card.letter }}}}</div>',
}


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_game(tmp_path_factory.mktemp("fonts"), FONT_GAME)
    make(root, options(dpi=254), outputs=("images",))
    return root / "build/en/images/letters"


def ink(path: Path) -> Image.Image:
    """What is dark in an image, cropped to it."""
    with Image.open(path) as image:
        dark = ImageOps.invert(image.convert("L"))
    return dark.crop(dark.point(lambda value: 255 if value > 128 else 0).getbbox())


def source_of(letter: str) -> TTFont:
    """The package's own file, out of which the letter comes."""
    for subset in ("latin", "latin-ext"):
        font = TTFont(PACKAGE / f"roboto-condensed-{subset}-400-normal.woff2")
        if ord(letter) in font.getBestCmap():
            return font
    raise AssertionError(letter)


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_is_drawn_as_its_font_draws_it(letters: Path, tmp_path: Path, letter: str) -> None:
    """Subsets used side by side under one name print wrong glyphs; merged, they do not."""
    drawn = ink(letters / f"letter-{LETTERS.index(letter)}.png")
    font = source_of(letter)
    glyphs = font.getGlyphSet()
    pen = BoundsPen(glyphs)
    glyphs[font.getBestCmap()[ord(letter)]].draw(pen)
    left, foot, right, top = pen.bounds
    scale = SIZE_MM * PX_PER_MM / font["head"].unitsPerEm
    assert drawn.width == pytest.approx((right - left) * scale, abs=2)
    assert drawn.height == pytest.approx((top - foot) * scale, abs=2)
    font.flavor = None
    font.save(tmp_path / "source.ttf")
    assert difference(drawn, by_pillow(tmp_path / "source.ttf", letter)) < 0.04


def by_pillow(font: Path, letter: str) -> Image.Image:
    """The letter as another program draws it with that file."""
    image = Image.new("L", (600, 600), 0)
    drawing = ImageFont.truetype(font, round(SIZE_MM * PX_PER_MM))
    ImageDraw.Draw(image).text((100, 100), letter, fill=255, font=drawing)
    return image.crop(image.getbbox())


def difference(first: Image.Image, second: Image.Image) -> float:
    """The part of the area in which two shapes differ, laid over each other."""
    other = second.resize(first.size)
    rows = ImageChops.difference(first, other).histogram()
    return sum(count * value for value, count in enumerate(rows)) / 255 / (sum(rows) or 1)


def test_another_letter_would_be_noticed(letters: Path) -> None:
    s_caron, z_caron = (ink(letters / f"letter-{LETTERS.index(c)}.png") for c in "ŠŽ")
    assert difference(s_caron, z_caron) > 0.1


def cuts_of(root: Path) -> dict[str, FontFile]:
    game, problems = rule_file.load_game(root)
    assert game is not None
    fonts, font_problems = game_fonts.prepare_fonts(game, Store(root / "build/.store"))
    assert problems + font_problems == []
    return {f"{cut.family} {cut.weight}": cut for cut in fonts.files}


def test_a_cut_is_one_file_with_all_its_subsets(make_game: MakeGame) -> None:
    cuts = cuts_of(make_game(FONT_GAME))
    assert sorted(cuts) == ["Bold of it 700", "Roboto Condensed 400"]
    have = font_files.read_code_points(cuts["Roboto Condensed 400"].path)
    assert {ord(letter) for letter in LETTERS} <= have
    assert ord("ő") not in font_files.read_code_points(cuts["Bold of it 700"].path)


def test_an_own_file_wins_over_the_package(make_game: MakeGame) -> None:
    root = make_game(FONT_GAME)
    bold = PACKAGE / "roboto-condensed-latin-700-normal.woff2"
    (root / "fonts/roboto-condensed-400-normal.woff2").write_bytes(bold.read_bytes())
    cuts = cuts_of(root)
    own, packaged = (cuts[name].path.read_bytes() for name in sorted(cuts, reverse=True))
    assert own == packaged


def svg(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{inside}</svg>'


ICONS = {
    "disc": svg('<circle cx="12" cy="12" r="9"/>'),
    "ring": svg('<circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="5" fill="#fff"/>'),
    "hole": svg('<path fill-rule="evenodd" d="M2 2h20v20H2zM7 7h10v10H7z"/>'),
    "line": svg(
        '<path d="M4 20 12 4l8 16" fill="none" stroke="#000" stroke-width="3" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    ),
    "square-caps": svg('<line x1="6" y1="12" x2="18" y2="12" stroke="black" stroke-width="4" '
                       'stroke-linecap="square"/>'),
    "turned": svg('<g transform="translate(12 12)"><rect x="-8" y="-2" width="16" height="4" '
                  'transform="rotate(30)"/></g>'),
    "scaled": svg('<g transform="translate(2,3) scale(2 1.5)"><path d="M0 0h8v9z"/></g>'),
    "matrix": svg('<rect width="10" height="6" transform="matrix(1 .5 -.5 1 8 4)"/>'),
    "thick": svg('<rect x="5" y="5" width="14" height="14" rx="3" fill="none" stroke="#000" '
                 'stroke-width="2"/><ellipse cx="12" cy="12" rx="4" ry="2"/>'),
    "struck": svg('<polygon points="2,22 12,2 22,22"/><path d="M2 2 22 22" stroke="white" '
                  'stroke-width="3"/>'),
}  # fmt: skip

ICON_GAME = {
    "game.yaml": GAME,
    "cards/icons.yaml": "deck: icons\ntitle: {en: Icons}\nsize: 50 x 50\nsafe: 0\n"
    "front: icon.html\nback: drawing.html\nfields: {icon: string, text: text}\ncards:\n"
    + "".join(f"  - {{id: {name}, icon: {name}, text: {{en: '{{{name}}}'}}}}\n" for name in ICONS),
    "templates/icon.html": '<div style="position: absolute; left: 5mm; top: 5mm; width: 40mm; '
    'font-size: 36mm; line-height: 1">{{ card.text }}</div>',
    "templates/drawing.html": '<img style="position: absolute; left: 5mm; top: 5mm; width: 36mm; '
    'height: 36mm" src="art/icons/{{ card.icon }}.svg">',
    **{f"art/icons/{name}.svg": drawing for name, drawing in ICONS.items()},
}


@pytest.fixture(scope="module")
def icons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_game(tmp_path_factory.mktemp("icons"), ICON_GAME)
    make(root, options(dpi=254), outputs=("images",))
    return root / "build/en/images/icons"


@pytest.mark.parametrize("name", ICONS)
def test_an_icon_looks_like_its_drawing(icons: Path, name: str) -> None:
    """The front shows the icon as a letter of the text, the back the SVG as a picture."""
    letter, drawing = ink(icons / f"{name}.png"), ink(icons / f"{name}-back.png")
    assert letter.width == pytest.approx(drawing.width, abs=2)
    assert letter.height == pytest.approx(drawing.height, abs=2)
    assert difference(drawing, letter) < 0.02


def test_icons_stand_on_a_line_below_the_baseline_of_the_text(icons: Path) -> None:
    """All are one em wide and as high, whatever they show, so that no text moves for one."""
    with TTFont(icons.parents[3] / icon_font(icons.parents[3])) as font:
        widths = {font["hmtx"][name][0] for name in font.getBestCmap().values()}
        assert widths == {font["head"].unitsPerEm}
        assert (font["hhea"].ascent, font["hhea"].descent) == (850, -150)


def icon_font(root: Path) -> Path:
    return cuts_of(root)["cardgen icons 400"].path


@pytest.mark.parametrize(
    ("drawing", "why"),
    [
        (svg("<text>A</text>"), ":1: error: it cannot be an icon: <text> is not drawn in an "
         "icon; make it a path (Inkscape: Path → Object to Path; Illustrator: Type → Create "
         "Outlines)"),
        (svg(""), ": error: it cannot be an icon: it draws nothing"),
        (svg('\n<path transform="skew(10)" d="M0 0h9v9z"/>'),
         ":2: error: it cannot be an icon: the transform skew(…) is not drawn in an icon; "
         "write it as matrix(…)"),
    ],
)  # fmt: skip
def test_what_no_icon_can_be_made_of(make_game: MakeGame, drawing: str, why: str) -> None:
    root = make_game({**ICON_GAME, "art/icons/disc.svg": drawing})
    game, _ = rule_file.load_game(root)
    assert game is not None
    _, problems = game_fonts.prepare_fonts(game, Store(root / "build/.store"))
    assert [str(problem) for problem in problems] == [f"art/icons/disc.svg{why} [art]"]


def test_an_icon_keeps_its_character_when_others_come_and_go() -> None:
    names = [f"icon-{number}" for number in range(60)]
    all_of_them, half = assign_codepoints(names), assign_codepoints(names[::2])
    moved = [name for name in half if half[name] != all_of_them[name]]
    assert len(moved) <= 2  # two names may want one place
    assert len(set(all_of_them.values())) == 60
    assert assign_codepoints(reversed(names)) == all_of_them


def test_more_icons_than_places() -> None:
    names = [str(number) for number in range(9000)]
    assert len(set(assign_codepoints(names).values())) == 9000


def test_finnish_hyphenation(tmp_path: Path) -> None:
    """At syllables, and at the joints of compounds where the patterns know them."""
    hyphenation.register_dictionaries([("fi", patterns_of("fi-x-school", tmp_path))])
    words = pyphen.Pyphen(lang="fi")
    wanted = [
        "pans-sa-ri-vau-nu", "huol-to-jouk-ko", "ryös-te-ly", "kau-pun-ki", "maa-seu-tu",
        "ve-to-ket-ju", "puh-dis-tus", "jal-ka-vä-ki", "ty-kis-tö", "uh-kaa-mi-nen",
    ]  # fmt: skip
    hyphenated = [words.inserted(word.replace("-", "")) for word in wanted]
    assert hyphenated == wanted


def patterns_of(name: str, folder: Path) -> Path:
    """The patterns of that name as pyphen reads them."""
    script = (FONTS / f"node_modules/hyphen/patterns/{name}.js").read_bytes()
    return hyphenation.make_dictionary(script, Store(folder))


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("sv", "sjuk-hus-sal"),
        ("en-us", "hy-phen-ation"),
        ("en-us", "achieve-ment"),  # by a pattern of the word's beginning
        ("de-1996", "Schiff-fahrt"),
        ("fr", "l'ha-bi-tude"),
        ("ru", "рас-пре-де-ле-ние"),
    ],
)
def test_patterns_of_the_package(name: str, word: str, tmp_path: Path) -> None:
    hyphenation.register_dictionaries([("xx", patterns_of(name, tmp_path))])
    assert pyphen.Pyphen(lang="xx").inserted(word.replace("-", "")) == word


def test_a_game_without_patterns_has_those_of_pyphen(tmp_path: Path) -> None:
    """Those of the game before it in the same process are gone, and their files may be."""
    own = {name: pyphen.LANGUAGES.get(name) for name in ("ru", "fi")}
    theirs = [("ru", patterns_of("ru", tmp_path)), ("fi", patterns_of("fi-x-school", tmp_path))]
    hyphenation.register_dictionaries(theirs)
    assert {name: pyphen.LANGUAGES[name] for name in own} == dict(theirs)
    hyphenation.register_dictionaries([])
    assert {name: pyphen.LANGUAGES.get(name) for name in own} == own


@pytest.mark.parametrize(
    "script",
    [
        "",
        "module.exports = {}",
        "})(this, [",
        "})(this, )",
        "})(this, [[], {}])",
        "})(this, [[[0, 1]], {a: 7}])",
        "})(this, [[[0, 1]], {a: -1}])",
        "})(this, [[[0, 1]], {a: 1.5}])",
        "})(this, [[[0, 1]], {a: 'x'}])",
        "})(this, [[[0, 1]], {a: null}])",
        "})(this, [[[0, 1]], {a: [1, 2, 3]}])",
        "})(this, [[[0, 1]], [0]])",
        "})(this, [[[0, 'x']], {a: 0}])",
        "})(this, [[[0, 99]], {a: 0}])",
        "})(this, [[[0, NaN]], {a: 0}])",
        "})(this, [{}, {a: 0}])",
        "})(this, {a: 0})",
        "})(this, [[[0, 1]], " + "{a:" * 5000 + "0" + "}" * 5000 + "])",
        "})(this, " + "[" * 100_000 + ")",
        "})(this, require('fs'))",
    ],
)
def test_patterns_that_are_none(script: str, tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"is not a pattern file of the npm package|has no patterns"
    ):
        hyphenation.make_dictionary(script.encode(), Store(tmp_path))


def test_broken_patterns_are_told_where_they_are_named(make_game: MakeGame) -> None:
    fonts = FONT_GAME["fonts/fonts.yaml"] + "hyphenation:\n  en: en-x-broken\n"
    root = make_game({**FONT_GAME, "fonts/fonts.yaml": fonts})
    (root / "fonts/node_modules/hyphen/patterns/en-x-broken.js").write_text("})(this, [])")
    game, _ = rule_file.load_game(root)
    assert game is not None
    _, problems = game_fonts.prepare_fonts(game, Store(root / "build/.store"))
    assert [str(problem) for problem in problems] == [
        "fonts/fonts.yaml:9: error: en-x-broken.js is not a pattern file of the npm package hyphen "
        "[font]"
    ]


def test_patterns_are_read_as_data() -> None:
    """A trie in JavaScript becomes lines as TeX writes them: levels between letters."""
    script = "(function(root){})(this,[[[0,1],[1],[0,0,2]],{a:{_:1,b:0,c:{d:2}},'ä':1,}])"
    assert hyphenation.extract_patterns(script) == ["1a", "1ä", "a1b", "ac2d"]


@pytest.mark.parametrize(
    ("words", "cut"),
    [
        ("", (400, "normal")),
        ("Bold", (700, "normal")),
        ("Semi-Bold-Italic", (600, "italic")),
        ("Bold-Semi-Condensed", (700, "normal")),
        ("Italic-Bold-Semi-Condensed", (700, "italic")),
        ("Semi-Condensed", (400, "normal")),
        ("Heavy-Condensed", (900, "normal")),
    ],
)
def test_a_narrow_family_keeps_its_weights(words: str, cut: tuple[int, str]) -> None:
    """Pango tells the width of such a font after its weight."""
    assert parse_weight_and_style(words) == cut


@cache
def sound_font() -> tuple[bytes, int]:
    """A font file, and how many tables it has."""
    font = TTFont(PACKAGE / "roboto-condensed-latin-400-normal.woff2")
    font.flavor = None
    out = io.BytesIO()
    font.save(out)
    return out.getvalue(), len(font.reader.tables)


def own_font(without: str = "", emptied: str = "") -> bytes:
    """A font file less a table, or with one of nothing but zeros: as a stranger's may be."""
    font, tables = sound_font()
    data = bytearray(font)
    kept = []
    for place in range(12, 12 + 16 * tables, 16):
        tag, check, offset, length = struct.unpack(">4sLLL", data[place : place + 16])
        if tag.decode() == emptied:
            data[offset : offset + length] = bytes(length)
        if tag.decode() != without:
            kept.append((tag, check, offset, length))
    entries = b"".join(struct.pack(">4sLLL", *entry) for entry in kept)
    head = bytes(data[:4]) + struct.pack(">HHHH", len(kept), 0, 0, 0) + entries
    start = 12 + 16 * tables
    return head.ljust(start, b"\0") + bytes(data[start:])


def cut_font(size: int) -> bytes:
    """The start of a font file."""
    return (PACKAGE / "roboto-condensed-latin-400-normal.woff2").read_bytes()[:size]


TABLES = ("cmap", "head", "hhea", "maxp", "hmtx")
BROKEN: list[tuple[str, Callable[[], bytes], str]] = [
    *(("", partial(own_font, without=tag), tag) for tag in TABLES),
    *(("", partial(own_font, without=tag), "") for tag in ("loca", "glyf")),
    *(("", partial(own_font, emptied=tag), "") for tag in (*TABLES, "glyf")),
    ("woff2", partial(cut_font, 3000), ""),
    ("woff2", partial(cut_font, 20), ""),
    ("otf", bytes, ""),
    ("ttf", lambda: b"OTTO" + bytes(40), ""),
]


@pytest.mark.parametrize(("ending", "make_font", "lacks"), BROKEN)
def test_a_font_that_text_cannot_be_set_with(
    make_game: MakeGame, ending: str, make_font: Callable[[], bytes], lacks: str
) -> None:
    """Told where fonts.yaml names it, before anything is set: no traceback, no empty card."""
    fonts = FONT_GAME["fonts/fonts.yaml"] + "  - family: My Hand\n"
    root = make_game({**FONT_GAME, "fonts/fonts.yaml": fonts})
    name = f"my-hand-400-normal.{ending or 'ttf'}"
    (root / "fonts" / name).write_bytes(make_font())
    result = CliRunner().invoke(cli, ["check", str(root)])
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"fonts/fonts.yaml:8: error: {name} cannot be read as fonts: ")
    assert f"it has no table '{lacks}'" in line or not lacks


def test_a_merged_font_does_not_tell_when_it_was_merged() -> None:
    """Equal games have equal bytes, whenever they are built."""
    folder = FONTS / "node_modules/@fontsource/roboto-condensed/files"
    parts = ("latin", "latin-ext")
    files = [(folder / f"roboto-condensed-{part}-400-normal.woff2").read_bytes() for part in parts]
    source = TTFont(io.BytesIO(files[0]))["head"]
    merged = TTFont(io.BytesIO(font_files.merge_fonts(files)))["head"]
    assert (merged.created, merged.modified) == (source.created, source.modified)


@pytest.mark.parametrize("flavour", [None, "woff", "woff2"])
def test_fonts_that_are_small_only_while_compressed_are_refused(
    flavour: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    font = TTFont(PACKAGE / "roboto-condensed-latin-400-normal.woff2")
    font.flavor, out = flavour, io.BytesIO()
    font["zzzz"] = newTable("zzzz")
    font["zzzz"].data = bytes(300_000)
    font.save(out)
    assert (len(out.getvalue()) > 300_000) == (flavour is None)
    with monkeypatch.context() as patch:
        patch.setattr(font_files, "_MAX_FONT_BYTES", 300_000)
        with pytest.raises(ValueError, match="its tables take more than"):
            font_files.merge_fonts([out.getvalue()])
    assert font_files.merge_fonts([out.getvalue()])

"""Font files and hyphenation patterns that are broken or bombs."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

from trials.attack import EITHER, SMALL, Attack, Content, font_file, nested

WOFF2 = "fonts/roboto-condensed-400-normal.woff2"
TTF = "fonts/roboto-condensed-400-normal.ttf"
Change = Callable[[Any], None]


def changed(change: Change, flavour: str | None = None) -> bytes:
    """The font with something changed, as TrueType or compressed."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    font = TTFont(io.BytesIO(font_file()), recalcTimestamp=False, recalcBBoxes=False)
    font.ensureDecompiled()
    change(font)
    font.flavor = flavour
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def plain() -> bytes:
    """The font as TrueType."""
    return changed(lambda _: None)


def without(*tags: str) -> bytes:
    """The font less some tables: their names are changed in its directory."""
    data = bytearray(plain())
    for number in range(struct.unpack(">H", data[4:6])[0]):
        place = 12 + 16 * number
        if bytes(data[place : place + 4]).decode("latin-1") in tags:
            data[place : place + 4] = b"zzz" + bytes([97 + number])
    return bytes(data)


def scrambled(tag: str, at: int, data: bytes) -> bytes:
    """The font with some bytes of a table replaced."""
    found = bytearray(plain())
    for number in range(struct.unpack(">H", found[4:6])[0]):
        place = 12 + 16 * number
        if bytes(found[place : place + 4]).decode("latin-1") == tag:
            start = struct.unpack(">I", found[place + 8 : place + 12])[0] + at
            found[start : start + len(data)] = data
    return bytes(found)


def bloated(size: int, flavour: str) -> bytes:
    """A compressed font with a table of that many zeros."""
    from fontTools.ttLib import newTable  # noqa: PLC0415

    def grow(font: Any) -> None:
        table = newTable("zzzz")
        table.data = bytes(size)
        font["zzzz"] = table

    return changed(grow, flavour)


def composed_of_itself(font: Any) -> None:
    """Glyphs that are made of each other."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent  # noqa: PLC0415

    names = font.getGlyphOrder()
    for one, other in (("S", "c"), ("c", "S")):
        glyph, part = Glyph(), GlyphComponent()
        assert one in names
        part.glyphName, part.x, part.y, part.flags = other, 0, 0, 0
        glyph.numberOfContours, glyph.components = -1, [part]
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        font["glyf"].glyphs[one] = glyph


def composed_of_many(font: Any) -> None:
    """A glyph made of ten of one that is made of ten …"""
    from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent  # noqa: PLC0415

    chain = ["S", "c", "h", "o", "l", "a", "b", "d", "e", "f"]
    for one, other in pairwise(chain):
        glyph, glyph.components = Glyph(), []
        for number in range(10):
            part = GlyphComponent()
            part.glyphName, part.x, part.y, part.flags = other, number, 0, 0
            glyph.components.append(part)
        glyph.numberOfContours = -1
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        font["glyf"].glyphs[one] = glyph


def every_character(font: Any) -> None:
    """A glyph for each of a million characters."""
    for table in font["cmap"].tables:
        if table.format == 12:
            table.cmap = dict.fromkeys(range(0x20, 0x10FFFF), "S")


def growing(font: Any) -> None:
    """One glyph becomes many becomes many …"""
    from fontTools.feaLib.builder import addOpenTypeFeaturesFromString  # noqa: PLC0415

    many = " ".join(["S"] * 60)
    steps = "".join(f"lookup l{n} {{ sub S by {many}; }} l{n};\n" for n in range(12))
    uses = "".join(f"lookup l{n};\n" for n in range(12))
    addOpenTypeFeaturesFromString(font, f"{steps}feature ccmp {{ {uses} }} ccmp;\n")


def named(font: Any) -> None:
    """Names with signs that terminals and PDFs obey."""
    for record in font["name"].names:
        record.string = "\x1b]0;owned\x07(\\)<>/%\u202e" + "x" * 5000


def measured(table: str, field: str, value: int) -> Change:
    """A measure of the font changed."""

    def change(font: Any) -> None:
        setattr(font[table], field, value)

    return change


def font(name: str, data: Content, path: str = TTF) -> Attack:
    """An attack by a font file of the game's own."""
    files = {key: content for key, content in SMALL.items() if key != WOFF2}
    made = {**files, path: data}
    return Attack(f"font/{name}", made, (), EITHER, command=("build", "sheets", "images"))


def second(name: str, data: Content) -> Attack:
    """The same, but of a second family, with the first one whole."""
    return Attack(
        f"font/second-{name}",
        {
            "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\n  - family: Hand\n",
            "fonts/hand-400-normal.ttf": data,
            "templates/loot.css": ".box { position: absolute; left: 4mm; top: 4mm; width: 30mm; height: 30mm; font-family: Hand }\n",
        },
        (), EITHER, command=("build", "images"),
    )  # fmt: skip


def pattern(name: str, script: Content) -> Attack:
    """An attack by hyphenation patterns."""
    files: dict[str, Content] = {
        "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\nhyphenation: {en: en-odd}\n",
        "fonts/node_modules/hyphen/patterns/en-odd.js": script,
        "templates/loot.css": ".box { position: absolute; left: 4mm; top: 4mm; width: 5mm; hyphens: auto }\n",
        "templates/loot.html": '<div class="box">{{ card.name }} hyphenation</div>\n',
    }
    return Attack(f"pattern/{name}", files, (), EITHER)


def script(body: str) -> str:
    """A pattern file as the package `hyphen` has it."""
    return f"(function(root, factory) {{}})(this,{body});\n"


TABLES = (
    "cmap",
    "maxp",
    "head",
    "hhea",
    "hmtx",
    "glyf",
    "loca",
    "name",
    "OS/2",
    "post",
    "GSUB",
    "GPOS",
)
FILES: tuple[Attack, ...] = (
    *(font(f"without-{tag.replace('/', '').lower()}", partial(without, tag)) for tag in TABLES),
    *(second(f"without-{tag.replace('/', '').lower()}", partial(without, tag)) for tag in TABLES[:7]),
    font("of-400-megabytes", lambda: bloated(400_000_000, "woff2"), WOFF2),
    font("of-400-megabytes-in-zlib", lambda: bloated(400_000_000, "woff")),
    font("empty", b""),
    font("text", "This is no font.\n"),
    font("bytes", bytes(range(256)) * 400),
    font("cut-short", lambda: plain()[:3000]),
    font("compressed-cut-short", lambda: font_file()[:3000], WOFF2),
    font("woff2-of-nothing", lambda: b"wOF2" + bytes(100), WOFF2),
    font("woff2-claims-4-gigabytes", lambda: font_file()[:16] + b"\xff\xff\xff\xff" + font_file()[20:], WOFF2),
    font("collection", lambda: b"ttcf\0\1\0\0\0\0\0\2\0\0\0\x14\0\0\0\x14" + plain()),
    font("collection-in-a-ring", b"ttcf\0\1\0\0\xff\xff\xff\xff" + bytes(400)),
    font("tables-claimed", lambda: plain()[:4] + b"\xff\xff" + plain()[6:]),
    font("no-tables", b"\0\1\0\0\0\0\0\0\0\0\0\0"),
    font("all-characters", lambda: changed(every_character)),
    font("composed-of-itself", lambda: changed(composed_of_itself)),
    font("composed-of-many", lambda: changed(composed_of_many)),
    font("growing", lambda: changed(growing)),
    font("names", lambda: changed(named)),
    font("em-0", lambda: scrambled("head", 18, b"\0\0")),
    font("em-1", lambda: scrambled("head", 18, b"\0\1")),
    font("glyphs-65535", lambda: scrambled("maxp", 4, b"\xff\xff")),
    font("glyphs-0", lambda: scrambled("maxp", 4, b"\0\0")),
    font("metrics-0", lambda: scrambled("hhea", 34, b"\0\0")),
    font("metrics-65535", lambda: scrambled("hhea", 34, b"\xff\xff")),
    font("ascent-huge", lambda: changed(measured("hhea", "ascent", 32767))),
    font("descent-huge", lambda: changed(measured("hhea", "descent", -32768))),
    font("locations", lambda: scrambled("loca", 0, b"\xff" * 800)),
    font("outlines", lambda: scrambled("glyf", 0, b"\xff" * 20_000)),
    font("outlines-0", lambda: scrambled("glyf", 0, bytes(20_000))),
    font("characters", lambda: scrambled("cmap", 4, b"\xff" * 40)),
    font("substitutions", lambda: scrambled("GSUB", 10, b"\xff\x00" * 200)),
    font("positions", lambda: scrambled("GPOS", 10, b"\x00\x0a" * 400)),
    font("widths", lambda: scrambled("hmtx", 0, b"\xff" * 800)),
    font("program", lambda: scrambled("fpgm", 0, b"\x1c\xff\xfe" * 200)),
    font("folder", b"x", f"{TTF}/x"),
)  # fmt: skip
PATTERNS: tuple[Attack, ...] = (
    pattern("empty", ""),
    pattern("text", "no patterns"),
    pattern("cut-short", "})(this,[[[1]],{a:"),
    pattern("no-list", script("{}")),
    pattern("list-of-one", script("[[]]")),
    pattern("levels-of-words", script("[['a', 'b'], {a: {_: 0}}]").replace("'a', 'b'", "['x'], 7")),
    pattern("index-beyond", script("[[[0,1]], {a: {b: 99999, _: -5}}]")),
    pattern("trie-of-lists", script("[[[0,1]], [[1], [2]]]")),
    pattern("trie-of-null", script("[[[0,1]], {a: null, b: true, c: 'x', d: 1.5}]")),
    pattern("deep", script("[[[0,1]], " + nested("{a: ", "}", 5000, "0") + "]")),
    pattern("deep-100000", script("[[[0,1]], " + nested("{a: ", "}", 100_000, "0") + "]")),
    pattern("letters-odd", script("[[[0,1]], {'\\n': 0, '\\u0000': 0, '%': 0, '.': 0, 'a b': 0}]")),
    pattern("levels-huge", script("[[[999999999999, -1]], {a: 0}]")),
    pattern("number-of-10000-digits", script("[[[" + "9" * 10_000 + "]], {a: 0}]")),
    pattern("not-utf-8", b"})(this,\xff\xfe)"),
    pattern("surrogates", script("[[[0,1]], {'\\\\ud800': 0}]").replace("\\\\", "\\")),
    pattern("millions", script("[[[0,1]], {" + ",".join(f"a{n}: 0" for n in range(300_000)) + "}]")),
    pattern("brackets", "})(this," + "[" * 500_000 + ")"),
)  # fmt: skip
ATTACKS = (*FILES, *PATTERNS)

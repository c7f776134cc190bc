"""Content of hostile games that is too long or too odd to be written out: bombs, broken files.

Expressions in trials/attacks/*.yaml see everything that stands here, imports included.
"""
# ruff: noqa: F401

from __future__ import annotations

import base64
import gzip
import io
import json
import random
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from trials.attack import BOX, DECK, FONT, PLACED, SMALL, cards, font_file

NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HEAD = f'<svg {NS} viewBox="0 0 24 24">'
Change = Callable[[Any], None]


def nested(opening: str, closing: str, depth: int, inner: str = "") -> str:
    """Something within itself, so often."""
    return opening * depth + inner + closing * depth


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int = 1, colour: int = 0, more: bytes = b"") -> bytes:
    """A PNG of nothing, however large."""
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    row = bytes(1 + (width * depth * channels + 7) // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + more + chunk(b"IDAT", packed)
        + chunk(b"IEND", b"")
    )  # fmt: skip


def text_bomb() -> bytes:
    """A small PNG with a text of 200 MB."""
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200_000_000), 9))
    return png(24, 24, more=bomb * 4)


def profile_bomb() -> bytes:
    """A small PNG with a colour profile of 400 MB."""
    return png(24, 24, more=chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(400_000_000), 9)))


def saved(kind: str, size: tuple[int, int], frames: int = 1, mode: str = "L") -> bytes:
    """A picture of PIL's making."""
    from PIL import Image  # noqa: PLC0415

    out = io.BytesIO()
    pages = [Image.new(mode, size, n % 2) for n in range(frames)]
    pages[0].save(out, kind, save_all=frames > 1, append_images=pages[1:])
    return out.getvalue()


def scans() -> bytes:
    """A progressive JPEG of 64 megapixels with many scans: each costs the whole picture."""
    whole = saved("JPEG", (16, 16))
    start = whole.index(b"\xff\xda")
    head = bytearray(whole[:start])
    frame = head.index(b"\xff\xc0")
    head[frame + 1] = 0xC2
    head[frame + 5 : frame + 9] = struct.pack(">HH", 7000, 7000)
    scan = b"\xff\xda\x00\x08\x01\x01\x00\x00\x00\x01"
    return bytes(head) + (scan + b"\x00\x00") * 20_000 + b"\xff\xd9"


def players(number: int) -> str:
    """That many players."""
    rows = (f"  - {{id: p{n}, name: P{n}, colour: '#{n:06x}'}}\n" for n in range(number))
    return "players:\n" + "".join(rows)


def laughs() -> str:
    """Aliases of aliases."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(lines)


def svg(inner: str, head: str = HEAD) -> str:
    """A drawing of 24 by 24."""
    return f"{head}{inner}</svg>"


def embedded(data: bytes, kind: str = "png") -> str:
    """A drawing with a picture in it."""
    address = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
    return svg(f'<image width="24" height="24" href="{address}" xlink:href="{address}"/>')


def uses(levels: int, width: int = 10) -> str:
    """Groups that use groups that use groups."""
    groups = "".join(
        f'<g id="g{n}">' + f'<use href="#g{n - 1}" xlink:href="#g{n - 1}"/>' * width + "</g>"
        for n in range(1, levels)
    )
    drawn = f'<use href="#g{levels - 1}" xlink:href="#g{levels - 1}"/>'
    return f'<defs><g id="g0"><path d="M0 0h9v9z"/></g>{groups}</defs>{drawn}'


def chain(tag: str, attribute: str, levels: int) -> str:
    """Clips, masks or patterns, each applied to the next."""
    made = "".join(
        f'<{tag} id="c{n}" width="9" height="9"><rect width="20" height="20" '
        f'{attribute}="url(#c{n + 1})"/><rect width="9" height="9" {attribute}="url(#c{n + 1})"/>'
        f"</{tag}>"
        for n in range(levels)
    )
    return f'<defs>{made}</defs><rect width="24" height="24" {attribute}="url(#c0)"/>'


def filtered(inner: str) -> str:
    """A drawing under a filter."""
    return svg(
        f'<filter id="f" x="-1000" y="-1000" width="20000" height="20000">{inner}</filter>'
        '<rect width="24" height="24" fill="red" filter="url(#f)"/>'
    )


def matryoshka(levels: int) -> str:
    """A drawing embedded in a drawing, and so on."""
    inner = svg('<rect width="24" height="24"/>')
    for _ in range(levels):
        address = "data:image/svg+xml;base64," + base64.b64encode(inner.encode()).decode()
        inner = svg(f'<image width="24" height="24" href="{address}" xlink:href="{address}"/>' * 2)
        if len(inner) > 8_000_000:
            break
    return inner


def objects(*found: Any) -> str:
    """A save with those objects."""
    return json.dumps({"ObjectStates": found})


def card(**more: Any) -> dict[str, Any]:
    """A card of a save."""
    deck = {"1": {"FaceURL": "@IMAGE@", "BackURL": "x", "NumWidth": 2, "NumHeight": 2}}
    return {
        "GUID": "abcdef",
        "Name": "Card",
        "Transform": {},
        "CardID": 100,
        "CustomDeck": deck,
        **more,
    }


def faced(address: str) -> str:
    """A save with a card whose sheet has that address."""
    return objects(card()).replace("@IMAGE@", address)


def doubled(times: int) -> str:
    """Variables that double, so often."""
    lines = [f"  --v{n}: var(--v{n - 1}) var(--v{n - 1});\n" for n in range(1, times)]
    return f".box {{ --v0: 'School';\n{''.join(lines)} content: var(--v{times - 1}) }}\n"


def changed(change: Change, flavour: str | None = None, data: bytes = b"") -> bytes:
    """The font with something changed, as TrueType or compressed."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    font = TTFont(io.BytesIO(data or font_file()), recalcTimestamp=False, recalcBBoxes=False)
    font.ensureDecompiled()
    change(font)
    font.flavor = flavour
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def plain() -> bytes:
    """The font as TrueType."""
    return changed(lambda _: None)


def directory(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """The tables of a TrueType font: name, place in the directory, place and length of the data."""
    for place in range(12, 12 + 16 * struct.unpack(">H", data[4:6])[0], 16):
        tag, _, start, length = struct.unpack(">4sIII", data[place : place + 16])
        yield tag.decode("latin-1"), place, start, length


def without(*tags: str) -> bytes:
    """The font less some tables: their names are changed in its directory."""
    data = bytearray(plain())
    for number, (tag, place, _, _) in enumerate(directory(plain())):
        if tag in tags:
            data[place : place + 4] = b"zzz" + bytes([97 + number])
    return bytes(data)


def scrambled(tag: str, at: int, data: bytes) -> bytes:
    """The font with some bytes of a table replaced."""
    found = bytearray(plain())
    for name, _, start, _ in directory(plain()):
        if name == tag:
            found[start + at : start + at + len(data)] = data
    return bytes(found)


def bloated(size: int, flavour: str) -> bytes:
    """A compressed font with a table of that many zeros."""
    from fontTools.ttLib import newTable  # noqa: PLC0415

    def grow(font: Any) -> None:
        table = newTable("zzzz")
        table.data = bytes(size)
        font["zzzz"] = table

    return changed(grow, flavour)


def _compose(font: Any, one: str, other: str, number: int) -> None:
    """Make a glyph of so many of another."""
    from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent  # noqa: PLC0415

    glyph = Glyph()
    glyph.components = []
    for at in range(number):
        part = GlyphComponent()
        part.glyphName, part.x, part.y, part.flags = other, at, 0, 0
        glyph.components.append(part)
    glyph.numberOfContours = -1
    glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
    font["glyf"].glyphs[one] = glyph


def composed_of_itself(font: Any) -> None:
    """Glyphs that are made of each other."""
    _compose(font, "S", "c", 1)
    _compose(font, "c", "S", 1)


def composed_of_many(font: Any) -> None:
    """A glyph made of ten of one that is made of ten …"""
    for one, other in pairwise("Scholabdef"):
        _compose(font, one, other, 10)


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


def script(body: str) -> str:
    """A pattern file as the package `hyphen` has it."""
    return f"(function(root, factory) {{}})(this,{body});\n"


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = f'<worksheet xmlns="{_MAIN}"><sheetData>{{}}</sheetData></worksheet>'
_ROW = (
    '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>{1}</t></is></c>'
    '<c r="B{0}" t="inlineStr"><is><t>{2}</t></is></c></row>'
)
_TOP = _ROW.format(1, "id", "name")
_PARTS: Mapping[str, str] = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}


def packed(sheet: str, **more: str) -> bytes:
    """A workbook with that sheet; other parts take the place of those that belong there."""
    out = io.BytesIO()
    parts = {**_PARTS, "xl/worksheets/sheet1.xml": sheet, **more}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return out.getvalue()


def rows(*written: str) -> str:
    """A sheet of a head and such rows."""
    return _SHEET.format(_TOP + "".join(written))


def made(tables: int, more: bytes, size: int = 0) -> bytes:
    """A profile of a press as far as its header goes, its tables all that follows."""
    names = (b"A2B0", b"B2A0", *(b"x%03d" % number for number in range(tables - 2)))
    at = 132 + 12 * tables
    listed = b"".join(struct.pack(">4sII", name, at, len(more)) for name in names)
    head = struct.pack(">I", size or at + len(more)) + b"lcms" + bytes(4) + b"prtrCMYKLab "
    head = head.ljust(36, b"\0") + b"acsp"
    return head.ljust(128, b"\0") + struct.pack(">I", tables) + listed + more


def grid() -> bytes:
    """A table of 255 steps for each of four inks: four thousand million colours."""
    return b"mft2" + bytes(4) + bytes((4, 3, 255, 0)) + bytes(36) + struct.pack(">HH", 2, 2)


def noise() -> bytes:
    """Tables of nothing that means anything."""
    return b"mft2" + random.Random(7).randbytes(200_000)

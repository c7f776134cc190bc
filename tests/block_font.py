"""A font of blocks: each character a box of its own height, so that a picture tells which is where.

Fonts of all the world's scripts do not lie in the repository; where a letter stands can be seen
without its shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen


def write(path: Path, heights: Mapping[str, int], family: str, *, cff: bool = False) -> None:
    """Write a TrueType font, or OpenType with PostScript outlines; heights in thousandths of an em,
    of boxes 500 wide in 600."""
    names = {ord(character): f"block{ord(character):x}" for character in heights}

    def pen_for() -> T2CharStringPen | TTGlyphPen:
        return T2CharStringPen(600, None) if cff else TTGlyphPen(None)

    def done(pen: T2CharStringPen | TTGlyphPen) -> object:
        return pen.getCharString() if cff else pen.glyph()

    glyphs = {".notdef": done(pen_for())}
    for character, height in heights.items():
        pen = pen_for()
        if height:
            pen.moveTo((50, 0))
            for point in ((50, height), (550, height), (550, 0)):
                pen.lineTo(point)
            pen.closePath()
        glyphs[names[ord(character)]] = done(pen)
    builder = FontBuilder(1000, isTTF=not cff)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(names)
    if cff:
        builder.setupCFF(family.replace(" ", "-"), {"FamilyName": family}, glyphs, {})
    else:
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (600, 50)))
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupOS2(sTypoAscender=900, sTypoDescender=-200, usWinAscent=900, usWinDescent=200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)

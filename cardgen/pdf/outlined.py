"""Text as outlines: operators that draw a line's letters as shapes, with no font in the file.

For words that cardgen itself writes upon faces, which a game's fonts need not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import uharfbuzz

from cardgen.assets.fontfiles import ICON_FAMILY, Cut
from cardgen.base import paths
from cardgen.base.store import read
from cardgen.game import builtin_fonts
from cardgen.pdf.operators import numbers

_WEIGHT = 700
_CUT_OFF = "…"
Font = tuple[Path, bool]
"""A font file, and whether it comes with cardgen; else it lies in a store."""
Glyph = tuple[str, float, float, float]
"""The operators of a letter's shape, and how it moves: to the side of its place, up, and on to the
next; em."""


@dataclass(frozen=True)
class Outlined:
    """A line of text, its baseline on y = 0 from x = 0, one unit an em."""

    glyphs: tuple[Glyph, ...]

    @property
    def width(self) -> float:
        """How wide it is, em."""
        return sum(advance for *_, advance in self.glyphs)

    def operators(self, x: float, y: float, size: float, *, paint: str = "f") -> str:
        """What draws it from there in type of that size, pt."""
        drawn = [f"q {numbers(size, 0, 0, size, x, y)} cm"]
        for shape, right, up, advance in self.glyphs:
            moved = f"1 0 0 1 {numbers(right, up)} cm " if right or up else ""
            drawn.append(f"{moved}{shape} {paint} 1 0 0 1 {numbers(advance - right, -up)} cm")
        return "\n".join([*drawn, "Q"])


def fonts(cuts: Iterable[Cut]) -> tuple[Font, ...]:
    """The fonts for such words: cardgen's own, then those of the game."""
    own = builtin_fonts.FAMILIES[0].path(_WEIGHT, "normal")
    texts = (cut.path for cut in cuts if cut.family != ICON_FAMILY)
    return (*([(own, True)] if own else []), *((path, False) for path in texts))


@lru_cache(maxsize=256)
def line(text: str, known: tuple[Font, ...]) -> Outlined:
    """A text set in the first font that has all of it, or else in that which lacks least."""
    return min((_shaped(text, font) for font in known), key=lambda made: made[0],
               default=(0, Outlined(())))[1]  # fmt: skip


def wrapped(text: str, width: float, most: int, known: tuple[Font, ...]) -> list[Outlined]:
    """A text broken into lines of that width (em), at spaces where there are any; what is more than
    so many lines is cut off."""
    lines: list[str] = []
    for word in text.split():
        tried = f"{lines[-1]} {word}" if lines else word
        if lines and line(tried, known).width <= width:
            lines[-1] = tried
        else:
            lines += _parts(word, width, known)
    if len(lines) > most:
        lines = [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), width, known)]
    return [line(each, known) for each in lines]


def shortened(text: str, width: float, known: tuple[Font, ...]) -> str:
    """As much of a text as is no wider than that, em."""
    if line(text, known).width <= width:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        fits = line(text[:middle].rstrip() + _CUT_OFF, known).width <= width
        low, high = (middle, high) if fits else (low, middle)
    return text[:low].rstrip() + _CUT_OFF


def _parts(word: str, width: float, known: tuple[Font, ...]) -> list[str]:
    """A word, in as many parts as it needs."""
    parts = [word]
    while len(parts[-1]) > 1 and line(parts[-1], known).width > width:
        kept = max(1, len(shortened(parts[-1], width, known)) - len(_CUT_OFF))
        parts[-1:] = [parts[-1][:kept], parts[-1][kept:]]
    return parts


@lru_cache(maxsize=16)
def _font(known: Font) -> uharfbuzz.Font:
    path, own = known
    data = paths.read(path) if own else read(path)
    return uharfbuzz.Font(uharfbuzz.Face(data))


def _shaped(text: str, known: Font) -> tuple[int, Outlined]:
    """How many letters a font lacks, and the text set in it."""
    font = _font(known)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    em: int = font.face.upem
    glyphs = tuple(
        (_drawn(known, info.codepoint), at.x_offset / em, at.y_offset / em, at.x_advance / em)
        for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    )
    return sum(info.codepoint == 0 for info in buffer.glyph_infos), Outlined(glyphs)


@lru_cache(maxsize=1024)
def _drawn(known: Font, glyph: int) -> str:
    """The operators of a glyph's shape, one unit an em."""
    font = _font(known)
    pen = _Pen(font.face.upem)
    font.draw_glyph_with_pen(glyph, pen)
    return " ".join(pen.operators)


Point = tuple[float, float]


@dataclass
class _Pen:
    """Takes a glyph's shape as PDF operators."""

    em: int
    operators: list[str] = field(default_factory=list)
    _at: Point = (0.0, 0.0)

    def moveTo(self, to: Point) -> None:  # noqa: N802 - called so by uharfbuzz
        self._add("m", to)

    def lineTo(self, to: Point) -> None:  # noqa: N802
        self._add("l", to)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._add("c", *points)

    def qCurveTo(self, control: Point, to: Point) -> None:  # noqa: N802
        """A quadratic curve as the cubic one that it is."""
        first, second = (
            tuple(end + 2 / 3 * (by - end) for end, by in zip(one, control, strict=True))
            for one in (self._at, to)
        )
        self._add("c", (first[0], first[1]), (second[0], second[1]), to)

    def closePath(self) -> None:  # noqa: N802
        self.operators.append("h")

    def _add(self, operator: str, *points: Sequence[float]) -> None:
        figures = numbers(*(value / self.em for point in points for value in point))
        self.operators.append(f"{figures} {operator}")
        self._at = points[-1][0], points[-1][1]

"""Text as outlines: operators that draw a line's letters as shapes, with no font in the file.

For words that cardgen itself writes upon faces, which a game's fonts need not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import uharfbuzz

from cardgen.assets.font_files import ICON_FAMILY, FontFile
from cardgen.game import fonts_file
from cardgen.pdf.content_operators import format_numbers
from cardgen.runtime import game_files
from cardgen.runtime.content_store import read_entry

_PREFERRED_WEIGHT = 700
_ELLIPSIS = "…"
OutlineFont = tuple[Path, bool]
"""A font file, and whether it comes with cardgen; else it lies in a store."""
PlacedGlyph = tuple[str, float, float, float]
"""The operators of a letter's shape, and how it moves: to the side of its place, up, and on to the
next; em."""


@dataclass(frozen=True)
class OutlinedLine:
    """A line of text, its baseline on y = 0 from x = 0, one unit an em."""

    glyphs: tuple[PlacedGlyph, ...]

    @property
    def width(self) -> float:
        """How wide it is, em."""
        return sum(advance for *_, advance in self.glyphs)

    def draw_line(self, x: float, y: float, size: float, *, paint: str = "f") -> str:
        """What draws it from there in type of that size, pt."""
        drawn = [f"q {format_numbers(size, 0, 0, size, x, y)} cm"]
        for shape, right, up, advance in self.glyphs:
            moved = f"1 0 0 1 {format_numbers(right, up)} cm " if right or up else ""
            drawn.append(
                f"{moved}{shape} {paint} 1 0 0 1 {format_numbers(advance - right, -up)} cm"
            )
        return "\n".join([*drawn, "Q"])


def list_fonts(cuts: Iterable[FontFile]) -> tuple[OutlineFont, ...]:
    """The fonts for such words: cardgen's own, then those of the game."""
    own = fonts_file.BUILTIN_FAMILIES[0].find_file(_PREFERRED_WEIGHT, "normal")
    texts = (cut.path for cut in cuts if cut.family != ICON_FAMILY)
    return (*([(own, True)] if own else []), *((path, False) for path in texts))


@lru_cache(maxsize=256)
def outline_line(text: str, known: tuple[OutlineFont, ...]) -> OutlinedLine:
    """A text set in the first font that has all of it, or else in that which lacks least."""
    return min((_shape_text(text, font) for font in known), key=lambda made: made[0],
               default=(0, OutlinedLine(())))[1]  # fmt: skip


def wrap_text(
    text: str, width: float, most: int, known: tuple[OutlineFont, ...]
) -> list[OutlinedLine]:
    """A text broken into lines of that width (em), at spaces where there are any; what is more than
    so many lines is cut off."""
    lines: list[str] = []
    for word in text.split():
        tried = f"{lines[-1]} {word}" if lines else word
        if lines and outline_line(tried, known).width <= width:
            lines[-1] = tried
        else:
            lines += _split_word(word, width, known)
    if len(lines) > most:
        lines = [*lines[: most - 1], shorten_text(" ".join(lines[most - 1 :]), width, known)]
    return [outline_line(each, known) for each in lines]


def shorten_text(text: str, width: float, known: tuple[OutlineFont, ...]) -> str:
    """As much of a text as is no wider than that, em."""
    if outline_line(text, known).width <= width:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        fits = outline_line(text[:middle].rstrip() + _ELLIPSIS, known).width <= width
        low, high = (middle, high) if fits else (low, middle)
    return text[:low].rstrip() + _ELLIPSIS


def _split_word(word: str, width: float, known: tuple[OutlineFont, ...]) -> list[str]:
    """A word, in as many parts as it needs."""
    parts = [word]
    while len(parts[-1]) > 1 and outline_line(parts[-1], known).width > width:
        kept = max(1, len(shorten_text(parts[-1], width, known)) - len(_ELLIPSIS))
        parts[-1:] = [parts[-1][:kept], parts[-1][kept:]]
    return parts


@lru_cache(maxsize=16)
def _load_font(known: OutlineFont) -> uharfbuzz.Font:
    path, own = known
    data = game_files.read_file(path) if own else read_entry(path)
    return uharfbuzz.Font(uharfbuzz.Face(data))


def _shape_text(text: str, known: OutlineFont) -> tuple[int, OutlinedLine]:
    """How many letters a font lacks, and the text set in it."""
    font = _load_font(known)
    buffer = uharfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    uharfbuzz.shape(font, buffer)
    em: int = font.face.upem
    glyphs = tuple(
        (
            _outline_glyph(known, info.codepoint),
            at.x_offset / em,
            at.y_offset / em,
            at.x_advance / em,
        )
        for info, at in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
    )
    return sum(info.codepoint == 0 for info in buffer.glyph_infos), OutlinedLine(glyphs)


@lru_cache(maxsize=1024)
def _outline_glyph(known: OutlineFont, glyph: int) -> str:
    """The operators of a glyph's shape, one unit an em."""
    font = _load_font(known)
    pen = _OperatorPen(font.face.upem)
    font.draw_glyph_with_pen(glyph, pen)
    return " ".join(pen.operators)


Point = tuple[float, float]


@dataclass
class _OperatorPen:
    """Takes a glyph's shape as PDF operators."""

    em: int
    operators: list[str] = field(default_factory=list)
    _position: Point = (0.0, 0.0)

    def moveTo(self, to: Point) -> None:  # noqa: N802 - called so by uharfbuzz
        self._add_operator("m", to)

    def lineTo(self, to: Point) -> None:  # noqa: N802
        self._add_operator("l", to)

    def curveTo(self, *points: Point) -> None:  # noqa: N802
        self._add_operator("c", *points)

    def qCurveTo(self, control: Point, to: Point) -> None:  # noqa: N802
        """A quadratic curve as the cubic one that it is."""
        first, second = (
            tuple(end + 2 / 3 * (by - end) for end, by in zip(one, control, strict=True))
            for one in (self._position, to)
        )
        self._add_operator("c", (first[0], first[1]), (second[0], second[1]), to)

    def closePath(self) -> None:  # noqa: N802
        self.operators.append("h")

    def _add_operator(self, operator: str, *points: Sequence[float]) -> None:
        figures = format_numbers(*(value / self.em for point in points for value in point))
        self.operators.append(f"{figures} {operator}")
        self._position = points[-1][0], points[-1][1]

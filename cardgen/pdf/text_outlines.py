"""Text as outlines: operators that draw the letters of a line as shapes, without a font in the
file.

For words that cardgen writes on faces, which the fonts of a game may lack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import uharfbuzz

from cardgen.assets.font_files import ICON_FAMILY, FontFile
from cardgen.assets.svg_text import shape_text
from cardgen.game import fonts_file
from cardgen.pdf.content_operators import format_numbers
from cardgen.runtime import game_files
from cardgen.runtime.content_store import read_entry

_PREFERRED_WEIGHT = 700
_ELLIPSIS = "…"
OutlineFont = tuple[Path, bool]
"""Path of a font file, and if it comes with cardgen; others are entries of a store."""
PlacedGlyph = tuple[str, float, float, float]
"""Operators of a glyph's shape, its offset to the right and up, and its advance; in em."""


@dataclass(frozen=True)
class OutlinedLine:
    """A line of text with its baseline at y = 0, beginning at x = 0; 1 unit = 1 em."""

    glyphs: tuple[PlacedGlyph, ...]

    @property
    def width(self) -> float:
        """Width in em."""
        return sum(advance for *_, advance in self.glyphs)

    def draw_line(self, x: float, y: float, size: float, *, paint: str = "f") -> str:
        """Return operators that draw the line at a point in type of that size; lengths in pt."""
        drawn = [f"q {format_numbers(size, 0, 0, size, x, y)} cm"]
        for shape, right, up, advance in self.glyphs:
            moved = f"1 0 0 1 {format_numbers(right, up)} cm " if right or up else ""
            drawn.append(
                f"{moved}{shape} {paint} 1 0 0 1 {format_numbers(advance - right, -up)} cm"
            )
        return "\n".join([*drawn, "Q"])


def list_fonts(cuts: Iterable[FontFile]) -> tuple[OutlineFont, ...]:
    """Return the fonts to use: cardgen's own, then those of the game."""
    own = fonts_file.BUILTIN_FAMILIES[0].find_file(_PREFERRED_WEIGHT, "normal")
    texts = (cut.path for cut in cuts if cut.family != ICON_FAMILY)
    return (*([(own, True)] if own else []), *((path, False) for path in texts))


@lru_cache(maxsize=256)
def outline_line(text: str, fonts: tuple[OutlineFont, ...]) -> OutlinedLine:
    """Set a text in the first font that has all of it, or in the one that lacks least."""
    return min((_shape_text(text, font) for font in fonts), key=lambda shaped: shaped[0],
               default=(0, OutlinedLine(())))[1]  # fmt: skip


def wrap_text(
    text: str, width: float, most: int, fonts: tuple[OutlineFont, ...]
) -> list[OutlinedLine]:
    """Break a text into lines of that width (em), at spaces if possible; cut off after `most`
    lines."""
    lines: list[str] = []
    for word in text.split():
        candidate = f"{lines[-1]} {word}" if lines else word
        if lines and outline_line(candidate, fonts).width <= width:
            lines[-1] = candidate
        else:
            lines += _split_word(word, width, fonts)
    if len(lines) > most:
        lines = [*lines[: most - 1], shorten_text(" ".join(lines[most - 1 :]), width, fonts)]
    return [outline_line(each, fonts) for each in lines]


def shorten_text(text: str, width: float, fonts: tuple[OutlineFont, ...]) -> str:
    """Return as much of a text as fits into that width (em)."""
    if outline_line(text, fonts).width <= width:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        fits = outline_line(text[:middle].rstrip() + _ELLIPSIS, fonts).width <= width
        low, high = (middle, high) if fits else (low, middle)
    return text[:low].rstrip() + _ELLIPSIS


def _split_word(word: str, width: float, fonts: tuple[OutlineFont, ...]) -> list[str]:
    """Split a word into as many parts as needed."""
    parts = [word]
    while len(parts[-1]) > 1 and outline_line(parts[-1], fonts).width > width:
        length = max(1, len(shorten_text(parts[-1], width, fonts)) - len(_ELLIPSIS))
        parts[-1:] = [parts[-1][:length], parts[-1][length:]]
    return parts


@lru_cache(maxsize=16)
def _load_font(font_file: OutlineFont) -> uharfbuzz.Font:
    path, is_own = font_file
    data = game_files.read_file(path) if is_own else read_entry(path)
    return uharfbuzz.Font(uharfbuzz.Face(data))


def _shape_text(text: str, font_file: OutlineFont) -> tuple[int, OutlinedLine]:
    """Return how many glyphs a font lacks, and the text set in it."""
    font = _load_font(font_file)
    shaped = shape_text(text, font)
    glyphs = tuple(
        (_outline_glyph(font_file, each.glyph), each.right, each.up, each.advance)
        for each in shaped
    )
    return sum(each.glyph == 0 for each in shaped), OutlinedLine(glyphs)


@lru_cache(maxsize=1024)
def _outline_glyph(font_file: OutlineFont, glyph: int) -> str:
    """Return the operators of a glyph's shape; 1 unit = 1 em."""
    font = _load_font(font_file)
    pen = _OperatorPen(font.face.upem)
    font.draw_glyph_with_pen(glyph, pen)
    return " ".join(pen.operators)


Point = tuple[float, float]


@dataclass
class _OperatorPen:
    """A pen that writes a glyph's shape as PDF operators."""

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
        """Write a quadratic curve as a cubic one."""
        first, second = (
            tuple(end + 2 / 3 * (by - end) for end, by in zip(one, control, strict=True))
            for one in (self._position, to)
        )
        self._add_operator("c", (first[0], first[1]), (second[0], second[1]), to)

    def closePath(self) -> None:  # noqa: N802
        self.operators.append("h")

    def _add_operator(self, operator: str, *points: Sequence[float]) -> None:
        numbers = format_numbers(*(value / self.em for point in points for value in point))
        self.operators.append(f"{numbers} {operator}")
        self._position = points[-1][0], points[-1][1]

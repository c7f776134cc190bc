"""Skies and smoke of the unit cards and status boards, and the signatures on the money.

    python art/draw/skies.py    rewrites art/skies/*.svg and art/money/signatures-{ink,paper}.svg

Standard library only, no randomness. A sky is paper on nothing, laid over the player's colour: a
screen whose dots have the shape of the player's symbol and grow towards the horizon, and the symbol
itself as the sun. Smoke is ink on nothing, thickest at the top. Units are 0.1 mm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from svg import INK, PAPER, Point, circle, document, element, fill, num, polygon, save

# The symbols as on their icons, about the origin; even-odd filling leaves their insides open.
OUTLINES: dict[str, list[list[Point]]] = {
    "diamond": [
        [(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)],
        [(0, -0.64), (0.64, 0), (0, 0.64), (-0.64, 0)],
    ],
    "triangle": [
        [(0, -1.3), (1.38, 1.1), (-1.38, 1.1)],
        [(0, -0.43), (0.68, 0.72), (-0.68, 0.72)],
    ],
    "bars": [[(-1, y), (1, y), (1, y + 0.46), (-1, y + 0.46)] for y in (-1, -0.23, 0.54)],
}
RINGS = (1.1, 0.74, 0.42)

SIGNATURE = (
    "M8 52C22 20 34 2 38 12S18 70 14 66S44 34 50 40S40 58 46 58S60 38 64 42S58 58 64 57"
    "S76 40 80 43S76 58 84 56S100 36 104 14S92 52 98 56S112 46 116 44M20 68C54 60 92 60 122 66"
)
STRUCK_OUT = "M2 44L128 34M4 50L124 41"
NEXT_SIGNATURE = (
    "M112 62C124 24 140 2 146 10S126 74 132 70S152 18 158 22S142 62 150 60S164 44 168 46"
    "S164 58 170 56S178 46 182 48S184 58 192 52S206 30 200 28S186 60 196 60S214 48 222 40"
    "M120 78C154 64 190 66 224 74C204 78 178 78 168 84"
)


def diamond(x: float, y: float, radius: float) -> str:
    """A square on its corner."""
    half = num(radius * 1.25)
    return f"M{num(x)} {num(y - radius * 1.25)}l{half} {half}l-{half} {half}l-{half}-{half}z"


def triangle(x: float, y: float, radius: float) -> str:
    """A triangle, point up."""
    half = radius * 1.35
    return f"M{num(x)} {num(y - half)}l{num(half)} {num(half * 1.8)}h-{num(2 * half)}z"


def bars(x: float, y: float, radius: float) -> str:
    """Two level bars."""
    left, width, height = num(x - radius * 1.1), num(radius * 2.2), num(radius * 0.62)
    tops = (num(y + share * radius) for share in (-0.84, 0.22))
    return "".join(f"M{left} {top}h{width}v{height}h-{width}z" for top in tops)


# Dots in the shape of a symbol, of about the area of a circle of the radius.
MARKS = {"diamond": diamond, "round": circle, "triangle": triangle, "bars": bars}


def sun(symbol: str, x: float, y: float, radius: float) -> str:
    """The symbol as on its icon, large."""
    if symbol == "round":
        return "".join(circle(x, y, share * radius) for share in RINGS)
    return "".join(
        polygon([(x + dx * radius, y + dy * radius) for dx, dy in outline])
        for outline in OUTLINES[symbol]
    )


@dataclass(frozen=True)
class Screen:
    """Staggered rows of marks whose area follows `tone`: of 0 at the top, of 1 at the bottom."""

    width: float
    top: float
    bottom: float
    pitch: float
    biggest: float
    tone: Callable[[float], float]

    def rows(self) -> Iterator[tuple[int, float, float]]:
        """Number, height and radius of each row whose marks are large enough to print."""
        rise = self.pitch * math.sqrt(3) / 2
        for row in range(int((self.bottom - self.top) / rise) + 1):
            y = self.top + row * rise
            tone = self.tone((y - self.top) / (self.bottom - self.top))
            radius = self.biggest * math.sqrt(max(0, tone))
            if radius >= 1:
                yield row, y, radius

    def draw(self, symbol: str, clear: tuple[Point, float] | None = None) -> str:
        """All marks, but none in the circle that is to stay clear."""
        (sun_x, sun_y), gap = clear or ((0, 0), -1)
        marks = []
        for row, y, radius in self.rows():
            for column in range(int(self.width / self.pitch) + 2):
                x = (column + (0.5 if row % 2 else 0)) * self.pitch - self.pitch / 4
                if math.hypot(x - sun_x, y - sun_y) > gap:
                    marks.append(MARKS[symbol](x, y, radius))
        return "".join(marks)


UNIT = Screen(695, 150, 500, 13.6, 5.4, tone=lambda depth: depth**1.25)
BOARD = Screen(2160, 40, 420, 15.4, 6, tone=lambda depth: depth**1.2 * 0.95)
SMOKE = Screen(695, 238, 640, 13.6, 8.4, tone=lambda depth: (1 - depth) ** 4.6)


def even_odd(colour: str, d: str) -> str:
    """A path whose overlaps are holes."""
    return fill(colour, d, fill_rule="evenodd")


def unit_sky(symbol: str) -> str:
    """The sky of a unit card."""
    x, y = 500, 300 if symbol == "triangle" else 290
    marks = UNIT.draw(symbol, clear=((x, y), 158))
    parts = even_odd(PAPER, marks), even_odd(PAPER, sun(symbol, x, y, 108))
    return document(695, 500, f"Sky of a unit: {symbol}", *parts)


def board_sky(symbol: str) -> str:
    """The sky of a status board."""
    x, y = 1415, 205
    marks = BOARD.draw(symbol, clear=((x, y), 200))
    parts = even_odd(PAPER, marks), even_odd(PAPER, sun(symbol, x, y, 140))
    return document(2160, 450, f"Sky of a status board: {symbol}", *parts)


def smoke(symbol: str) -> str:
    """The smoke over a wreck: solid at the top, thinning out below."""
    parts = even_odd(INK, "M0 0H695V238H0z"), fill(INK, SMOKE.draw(symbol))
    return document(695, 660, f"Smoke over a wreck: {symbol}", *parts)


def stripes() -> str:
    """Slanting stripes over the player's colour."""
    bands = "".join(f"M{x} 60L{x + 60} 0h34L{x + 34} 60z" for x in range(-94, 700, 68))
    return document(695, 60, "Ink stripes over the player's colour", even_odd(INK, bands))


def stroke(d: str, colour: str, width: float) -> str:
    """A line of the pen."""
    pen = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", d=d, fill="none", stroke=colour, stroke_width=width, **pen)


def signatures(colour: str) -> str:
    """The governor's signature, struck out, and his successor's over it."""
    pens = (SIGNATURE, 2.2), (STRUCK_OUT, 3), (NEXT_SIGNATURE, 3)
    body = "".join(stroke(d, colour, width) for d, width in pens)
    return document(230, 90, "The governor's signature, and the next governor's", body)


def main() -> None:
    """Write all skies, and the signatures."""
    for symbol in MARKS:
        save(f"skies/unit-{symbol}.svg", unit_sky(symbol))
        save(f"skies/board-{symbol}.svg", board_sky(symbol))
        save(f"skies/smoke-{symbol}.svg", smoke(symbol))
    save("skies/stripes.svg", stripes())
    save("money/signatures-ink.svg", signatures(INK))
    save("money/signatures-paper.svg", signatures(PAPER))


if __name__ == "__main__":
    main()

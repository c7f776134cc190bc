"""What the drawing scripts share: a pen that fills, outlines, mirrors and turns.

Lengths are 0.1 mm. A figure is drawn with its feet at (0, 0), x to the right and y up; `save` turns
that into SVG with the ground at the picture's lower edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

ART = Path(__file__).resolve().parents[1]
Point = tuple[float, float]
INK = "#20231d"


def num(value: float) -> str:
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def smooth(points: Sequence[Point], closed: bool = True, tension: float = 0.36) -> list[Point]:
    """Bezier points of a soft line through the points: start, then two handles and an end each."""
    count = len(points)
    spans = count if closed else count - 1
    out = [points[0]]
    for i in range(spans):
        here, there = points[i % count], points[(i + 1) % count]
        before = points[(i - 1) % count] if closed or i > 0 else here
        after = points[(i + 2) % count] if closed or i + 2 < count else there
        out.append(
            (
                here[0] + (there[0] - before[0]) * tension / 2,
                here[1] + (there[1] - before[1]) * tension / 2,
            )
        )
        out.append(
            (
                there[0] - (after[0] - here[0]) * tension / 2,
                there[1] - (after[1] - here[1]) * tension / 2,
            )
        )
        out.append(there)
    return out


def ellipse(
    x: float, y: float, rx: float, ry: float, turn: float = 0, count: int = 12
) -> list[Point]:
    angle = math.radians(turn)
    ring = [
        (rx * math.cos(2 * math.pi * k / count), ry * math.sin(2 * math.pi * k / count))
        for k in range(count)
    ]
    return [
        (
            x + a * math.cos(angle) - b * math.sin(angle),
            y + a * math.sin(angle) + b * math.cos(angle),
        )
        for a, b in ring
    ]


class Pen:
    """Collects shapes. `at` gives a pen with another origin, size and turn that draws into the same."""

    def __init__(self, line: float = 4) -> None:
        self.parts: list[str] = []
        self.line = line
        self.frame = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    def at(
        self,
        x: float = 0,
        y: float = 0,
        scale: float = 1,
        turn: float = 0,
        flip: bool = False,
        wide: float = 1,
    ) -> Pen:
        """Origin at (x, y), bigger by `scale` (and `wide` across), turned counter-clockwise."""
        a, b, c, d, e, f = self.frame
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        side = -1 if flip else 1
        m = (scale * wide * cos * side, scale * wide * sin * side, -scale * sin, scale * cos, x, y)
        pen = Pen(self.line)
        pen.parts = self.parts
        pen.frame = (
            a * m[0] + c * m[1], b * m[0] + d * m[1], a * m[2] + c * m[3], b * m[2] + d * m[3],
            a * m[4] + c * m[5] + e, b * m[4] + d * m[5] + f,
        )  # fmt: skip
        return pen

    def _to(self, p: Point) -> str:
        a, b, c, d, e, f = self.frame
        return f"{num(a * p[0] + c * p[1] + e)} {num(-(b * p[0] + d * p[1] + f))}"

    def _size(self) -> float:
        a, b, c, d, _, _ = self.frame
        return math.sqrt(abs(a * d - b * c))

    def _draw(self, d: str, fill: str, line: float | None) -> None:
        width = self.line if line is None else line
        edge = (
            f' stroke="{INK}" stroke-width="{num(width)}" stroke-linejoin="round"' if width else ""
        )
        self.parts.append(f'<path fill="{fill}"{edge} d="{d}"/>')

    def poly(self, points: Iterable[Point], fill: str, line: float | None = None) -> None:
        self._draw("M" + "L".join(self._to(p) for p in points) + "z", fill, line)

    def soft(
        self, points: Sequence[Point], fill: str, line: float | None = None, tension: float = 0.36
    ) -> None:
        out = smooth(points, tension=tension)
        curves = "".join(
            "C" + " ".join(self._to(p) for p in out[i : i + 3]) for i in range(1, len(out), 3)
        )
        self._draw(f"M{self._to(out[0])}{curves}z", fill, line)

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: str,
        turn: float = 0,
        line: float | None = None,
    ) -> None:
        self.soft(ellipse(x, y, rx, ry, turn), fill, line)

    def dot(self, x: float, y: float, r: float, fill: str, line: float | None = None) -> None:
        self.oval(x, y, r, r, fill, 0, line)

    def limb(
        self, a: Point, b: Point, wide: float, narrow: float, fill: str, line: float | None = None
    ) -> None:
        """A rounded limb, thick at a and thin at b."""
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        ring = [(a, wide, k) for k in (90, 135, 180, 225, 270)] + [
            (b, narrow, k) for k in (-90, -45, 0, 45, 90)
        ]
        self.soft(
            [
                (
                    o[0] + r * math.cos(angle + math.radians(k)),
                    o[1] + r * math.sin(angle + math.radians(k)),
                )
                for o, r, k in ring
            ],
            fill,
            line,
            0.4,
        )

    def bar(
        self, a: Point, b: Point, wide: float, narrow: float, fill: str, line: float | None = None
    ) -> None:
        """A straight limb with cut ends."""
        angle = math.atan2(b[1] - a[1], b[0] - a[0]) + math.pi / 2
        dx, dy = math.cos(angle), math.sin(angle)
        self.poly(
            [
                (a[0] + dx * wide, a[1] + dy * wide),
                (b[0] + dx * narrow, b[1] + dy * narrow),
                (b[0] - dx * narrow, b[1] - dy * narrow),
                (a[0] - dx * wide, a[1] - dy * wide),
            ],
            fill,
            line,
        )

    def stroke(
        self, points: Sequence[Point], colour: str, width: float, soft: bool = False
    ) -> None:
        if soft:
            out = smooth(points, closed=False)
            d = f"M{self._to(out[0])}" + "".join(
                "C" + " ".join(self._to(p) for p in out[i : i + 3]) for i in range(1, len(out), 3)
            )
        else:
            d = "M" + "L".join(self._to(p) for p in points)
        self.parts.append(
            f'<path fill="none" stroke="{colour}" stroke-width="{num(width * self._size())}" stroke-linecap="round" stroke-linejoin="round" d="{d}"/>'
        )

    def save(self, name: str, width: float, height: float, title: str) -> None:
        """The ground is the lower edge, the figure stands in the middle."""
        body = "\n".join(self.parts)
        text = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{num(-width / 2)} {num(-height)} {num(width)} {num(height)}"'
            f' width="{num(width / 10)}mm" height="{num(height / 10)}mm">\n<title>{title}</title>\n{body}\n</svg>\n'
        )
        file = ART / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")

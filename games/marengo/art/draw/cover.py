"""Draws the book's cover and the strip that opens chapters: the field of Marengo, and men in line.

    python art/draw/cover.py

Lengths are mm; the cover is an A4 page, and the title stands on its lowest third.
"""

from __future__ import annotations

import math
import random
from pathlib import Path

ART = Path(__file__).resolve().parents[1]
INK, PAPER, SKY, GOLD = "#2a211b", "#f3e8d0", "#e9dabb", "#dcc48c"
FRENCH, AUSTRIAN, ROOF, WATER = "#2b4a80", "#a8322b", "#8d4a38", "#6f97a6"
FAR, NEAR, FIELD = "#b9bd90", "#9aa678", "#c9b77e"


def shape(points: list[tuple[float, float]], fill: str, more: str = "") -> str:
    """A filled outline."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{line}" fill="{fill}"{more}/>'


def ridge(
    hand: random.Random, width: float, top: float, foot: float, wave: float
) -> list[tuple[float, float]]:
    """The outline of a row of hills down to `foot`."""
    lean = hand.uniform(0, 6)
    line = [
        (x, top + wave * (math.sin(x / 31 + lean) + 0.5 * math.sin(x / 13 + 2 * lean)))
        for x in range(-2, round(width) + 5, 3)
    ]
    return [*line, (width + 4, foot), (-2, foot)]


def sun(width: float, x: float, y: float, reach: float) -> str:
    """A morning sun whose beams are cut as an engraver cuts them."""
    beams = []
    for k in range(0, 360, 3):
        turn, first = math.radians(k), 15 + (k % 2) * 4
        dx, dy = math.cos(turn), math.sin(turn)
        beams.append(
            f"M{x + dx * first:.1f} {y + dy * first:.1f}L{x + dx * reach:.1f} {y + dy * reach:.1f}"
        )
    return (
        f'<path d="{"".join(beams)}" stroke="{GOLD}" stroke-width=".9" fill="none"/>'
        f'<circle cx="{x}" cy="{y}" r="12.5" fill="{PAPER}" stroke="{INK}" stroke-width=".6"/>'
    )


def soldier(x: float, foot: float, size: float, coat: str, facing: int) -> str:
    """A man in line seen from the side, his musket shouldered; `facing` is 1 to the right."""

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + facing * a * size, foot - b * size) for a, b in points]

    parts = [
        shape(at((-1.5, 0), (-0.3, 0), (0.1, 4.2), (-1.2, 4.4)), PAPER),
        shape(at((0.4, 0), (1.9, 0), (1.0, 4.4), (-0.2, 4.2)), PAPER),
        shape(at((-1.5, 4), (1.4, 4), (1.5, 8.6), (-1.4, 8.6)), coat),
        shape(at((-1.4, 8.6), (-0.7, 8.6), (1.5, 4.6), (1.5, 5.6), (0.2, 8.6)), PAPER),
        shape(at((-0.8, 8.4), (0.9, 8.4), (0.9, 10.4), (-0.8, 10.4)), "#c79a77"),
        shape(at((-2.3, 10.2), (2.3, 10.2), (1.3, 12.3), (0, 12.9), (-1.3, 12.3)), INK),
        shape(at((-0.5, 4.6), (0.1, 4.6), (-1.9, 15), (-2.1, 17.8), (-2.5, 15)), INK),
    ]
    return "".join(parts)


def line_of(width: float, count: int, foot: float, size: float, coat: str, facing: int) -> str:
    """Men side by side from the edge that they come from; the line is a little bent."""
    step = width / count
    side = []
    for k in range(count):
        x = (k + 0.5) * step if facing > 0 else 210 - (k + 0.5) * step
        side.append(soldier(x, foot + 1.4 * math.sin(k * 0.7), size, coat, facing))
    return "".join(side)


def colour_bearer(x: float, foot: float, size: float, cloth: list[str], facing: int) -> str:
    """A flag of three stripes over the line."""
    pole = f'<path d="M{x:.1f} {foot:.1f}V{foot - 24 * size:.1f}" stroke="{INK}" stroke-width="{0.5 * size:.2f}"/>'
    stripes = ""
    for k, colour in enumerate(cloth):
        a, b = x - facing * k * 3.4 * size, x - facing * (k + 1) * 3.4 * size
        top = foot - 24 * size
        stripes += shape(
            [(a, top + k * 0.5), (b, top + (k + 1) * 0.5), (b, top + 8 * size + (k + 1) * 0.7),
             (a, top + 8 * size + k * 0.7)], colour, f' stroke="{INK}" stroke-width=".3"',
        )  # fmt: skip
    return pole + stripes


def village(x: float, foot: float) -> str:
    """Houses and a tower."""
    parts = []
    for dx, wide, high in ((-17, 11, 7), (-7, 8, 9), (5, 12, 7.5), (16, 8, 6)):
        a, b = x + dx, x + dx + wide
        parts.append(
            shape(
                [(a, foot), (a, foot - high), (b, foot - high), (b, foot)],
                PAPER,
                f' stroke="{INK}" stroke-width=".4"',
            )
        )
        parts.append(
            shape(
                [(a - 1, foot - high), ((a + b) / 2, foot - high - 4.4), (b + 1, foot - high)],
                ROOF,
                f' stroke="{INK}" stroke-width=".4"',
            )
        )
    parts.append(
        shape(
            [(x, foot), (x, foot - 19), (x + 5, foot - 19), (x + 5, foot)],
            PAPER,
            f' stroke="{INK}" stroke-width=".4"',
        )
    )
    parts.append(
        shape(
            [(x - 0.8, foot - 19), (x + 2.5, foot - 27), (x + 5.8, foot - 19)],
            ROOF,
            f' stroke="{INK}" stroke-width=".4"',
        )
    )
    return "".join(parts)


def furrows(hand: random.Random, width: float, top: float, foot: float) -> str:
    """Strokes of ploughed land towards the one who looks."""
    lines = []
    for k in range(-14, 40):
        x = k * 9 + hand.uniform(-2, 2)
        lines.append(f"M{x:.1f} {top:.1f}L{width / 2 + (x - width / 2) * 2.6:.1f} {foot:.1f}")
    return f'<path d="{"".join(lines)}" stroke="{INK}" stroke-opacity=".16" stroke-width=".5" fill="none"/>'


def cover() -> str:
    """The whole page."""
    hand = random.Random(1800)
    parts = [
        f'<rect width="210" height="297" fill="{SKY}"/>', sun(210, 150, 66, 230),
        shape(ridge(hand, 210, 96, 150, 5), FAR, f' stroke="{INK}" stroke-width=".5"'),
        shape(ridge(hand, 210, 112, 160, 4), NEAR, f' stroke="{INK}" stroke-width=".5"'),
        village(104, 122),
        f'<rect y="121.6" width="210" height="180" fill="{FIELD}"/>', furrows(hand, 210, 121.6, 297),
        f'<path d="M210 131C168 128 128 137 104 147S64 176 40 182S-6 188 -6 188V199S32 197 54 189S90 166 120 156S180 142 210 141z" fill="{WATER}" stroke="{INK}" stroke-width=".6"/>',
        line_of(84, 17, 141, 0.85, AUSTRIAN, 1), colour_bearer(88, 142, 0.8, ["#e3c14a", INK, "#e3c14a"], -1),
        line_of(112, 14, 187, 1.75, FRENCH, -1), colour_bearer(92, 189, 1.7, [FRENCH, PAPER, AUSTRIAN], 1),
        line_of(210, 18, 217, 2.5, FRENCH, -1),
    ]  # fmt: skip
    raised = f'<g transform="translate(0 -34)">{"".join(parts[1:])}</g>'
    return page(
        210, 297, [parts[0], f'<rect y="200" width="210" height="97" fill="{FIELD}"/>', raised]
    )


def strip() -> str:
    """Two lines against each other, to open a chapter with."""
    hand = random.Random(14)
    parts = [
        f'<rect width="210" height="62" fill="{SKY}"/>', sun(210, 105, 30, 130),
        shape(ridge(hand, 210, 40, 64, 3), FAR, f' stroke="{INK}" stroke-width=".5"'),
        f'<rect y="50" width="210" height="12" fill="{FIELD}"/>',
        line_of(78, 11, 58, 1.7, AUSTRIAN, 1), line_of(78, 11, 58, 1.7, FRENCH, -1),
    ]  # fmt: skip
    return page(210, 62, parts)


def page(width: float, height: float, parts: list[str]) -> str:
    """The drawing as a file."""
    size = f'viewBox="0 0 {width} {height}" width="{width}mm" height="{height}mm"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>\n"])


def main() -> None:
    """Write both files."""
    (ART / "book").mkdir(parents=True, exist_ok=True)
    for name, text in (("cover", cover()), ("line", strip())):
        (ART / "book" / f"{name}.svg").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

"""The print shop: what all drawings share. Flat inks, no outlines softer than a lino cut.

Functions return SVG elements as text. Units are whatever the canvas says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path

ART = Path(__file__).resolve().parents[1]
INK, PAPER, SHADE = "#1e2b2f", "#f2e6c8", "#e2d1a4"
SIDES = {"red": "#b82f19", "gold": "#e2a81e"}

Point = tuple[float, float]


def num(value: float) -> str:
    """One decimal at most."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def path(d: str, fill: str = INK, stroke: str = "", width: float = 0, more: str = "") -> str:
    """A path, filled and outlined."""
    line = (
        f' stroke="{stroke}" stroke-width="{num(width)}" stroke-linejoin="round"' if stroke else ""
    )
    return f'<path d="{d}" fill="{fill}"{line}{more}/>'


def line(d: str, stroke: str = INK, width: float = 3, more: str = "") -> str:
    """A path drawn as a line."""
    return path(d, "none", stroke, width, f' stroke-linecap="round"{more}')


def disc(x: float, y: float, r: float, fill: str = INK, stroke: str = "", width: float = 0) -> str:
    """A circle."""
    edge = f' stroke="{stroke}" stroke-width="{num(width)}"' if stroke else ""
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" fill="{fill}"{edge}/>'


def box(x: float, y: float, w: float, h: float, fill: str = INK, rx: float = 0) -> str:
    """A rectangle."""
    round_ = f' rx="{num(rx)}"' if rx else ""
    return f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}"{round_} fill="{fill}"/>'


def group(parts: Iterable[str], transform: str = "") -> str:
    """Parts moved, turned or scaled together."""
    moved = f' transform="{transform}"' if transform else ""
    return f"<g{moved}>{''.join(parts)}</g>"


def ring(points: Iterable[Point]) -> str:
    """Path data of a polygon."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def star(x: float, y: float, r: float, fill: str = PAPER) -> str:
    """A five-pointed star."""
    corners = [
        (
            x + (r if k % 2 == 0 else r * 0.42) * math.sin(k * math.pi / 5),
            y - (r if k % 2 == 0 else r * 0.42) * math.cos(k * math.pi / 5),
        )
        for k in range(10)
    ]
    return path(ring(corners), fill)


def tie(x: float, y: float, r: float, fill: str = PAPER) -> str:
    """A necktie, as tall as a star of the same radius."""
    knot = [(x - 0.36 * r, y - r), (x + 0.36 * r, y - r), (x + 0.2 * r, y - 0.58 * r)]
    blade = [(x + 0.46 * r, y + 0.55 * r), (x, y + r), (x - 0.46 * r, y + 0.55 * r)]
    return path(ring([*knot, *blade, (x - 0.2 * r, y - 0.58 * r)]), fill)


def emblem(side: str, x: float, y: float, r: float, fill: str = PAPER) -> str:
    """The side's sign: a star or a tie."""
    return star(x, y, r, fill) if side == "red" else tie(x, y, r, fill)


def rays(x: float, y: float, radius: float, count: int, fill: str) -> str:
    """The poster's sunburst: every other wedge about a point."""
    wedges = []
    for k in range(count):
        left, right = (2 * k) * math.pi / count, (2 * k + 1) * math.pi / count
        wedges.append(
            ring(
                [
                    (x, y),
                    (x + radius * math.cos(left), y + radius * math.sin(left)),
                    (x + radius * math.cos(right), y + radius * math.sin(right)),
                ]
            )
        )
    return path("".join(wedges), fill)


def wave(height: float, gap: float, swing: float, length: float, width: float) -> str:
    """Path data of parallel waves over a ground."""
    rows = []
    for row in range(int(height / gap) + 1):
        phase = row * 0.35
        points = [
            (x, row * gap + swing * math.sin(x * math.tau / length + phase) * math.cos(row * 0.21))
            for x in range(0, int(width) + 12, 12)
        ]
        rows.append("M" + "L".join(f"{num(x)} {num(y)}" for x, y in points))
    return "".join(rows)


def rosette(x: float, y: float, inner: float, outer: float, lobes: int, phases: int) -> str:
    """Path data of an engine-turned flower between two radii."""
    middle, swing = (inner + outer) / 2, (outer - inner) / 2
    loops = []
    for phase in range(phases):
        turn = phase / phases * math.tau
        steps = lobes * 12
        points = []
        for k in range(steps):
            angle = k / steps * math.tau
            reach = middle + swing * math.cos(lobes * angle + turn)
            points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
        loops.append(ring(points))
    return "".join(loops)


def save(name: str, width: float, height: float, title: str, parts: Iterable[str]) -> None:
    """Write a file below art/, the same bytes everywhere."""
    file = ART / f"{name}.svg"
    file.parent.mkdir(parents=True, exist_ok=True)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {num(width)} {num(height)}" '
        f'width="{num(width)}" height="{num(height)}">'
    )
    text = "\n".join([head, f"<title>{title}</title>", *parts, "</svg>\n"])
    file.write_text(text, encoding="utf-8", newline="\n")

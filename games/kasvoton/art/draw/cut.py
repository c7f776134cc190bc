"""A knife in linoleum: blocks with uneven edges, gouges that taper, hatching inside an outline.

Lengths are millimetres, y down. A shape is (colour name, polygon); colours are `ink`, `tone` and
`linen`, the bare cloth. What looks uneven comes from seeded numbers, so a picture
is always the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

ART = Path(__file__).resolve().parents[1]
LINEN = "#e9dfc9"
SIDES = {
    "blue": {"ink": "#15294d", "tone": "#5f82b5", "pale": "#a9b8cf", "linen": LINEN},
    "grey": {"ink": "#33312f", "tone": "#98948b", "pale": "#bcb8ae", "linen": LINEN},
}
Point = tuple[float, float]
Polygon = list[Point]
Shape = tuple[str, Polygon]


class Block:
    """One picture while it is cut: shapes in the order of printing."""

    def __init__(self, name: str) -> None:
        self.shapes: list[Shape] = []
        self.random = Random(name)

    def poly(self, colour: str, points: Iterable[Point], wobble: float = 0.1) -> Polygon:
        """A polygon, cut along its edges with a hand that is not quite still."""
        corners = list(points)
        cut: Polygon = []
        for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
            length = math.hypot(x2 - x1, y2 - y1)
            steps = max(1, round(length / 2.2))
            for step in range(steps):
                t = step / steps
                off = self.random.uniform(-wobble, wobble) if step else 0.0
                nx, ny = (y1 - y2) / (length or 1), (x2 - x1) / (length or 1)
                cut.append((x1 + (x2 - x1) * t + nx * off, y1 + (y2 - y1) * t + ny * off))
        self.shapes.append((colour, cut))
        return corners

    def gouge(self, colour: str, start: Point, end: Point, width: float) -> None:
        """One stroke of the gouge: it enters thin, is widest past the middle and leaves thin."""
        (x1, y1), (x2, y2) = start, end
        length = math.hypot(x2 - x1, y2 - y1)
        if length < 0.15:
            return
        nx, ny = (y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2
        bend = self.random.uniform(0.4, 0.62)
        mx, my = x1 + (x2 - x1) * bend, y1 + (y2 - y1) * bend
        qx, qy = x1 + (x2 - x1) * 0.12, y1 + (y2 - y1) * 0.12
        self.shapes.append(
            (
                colour,
                [
                    (x1, y1),
                    (qx + nx * 0.6, qy + ny * 0.6),
                    (mx + nx, my + ny),
                    (x2, y2),
                    (mx - nx, my - ny),
                    (qx - nx * 0.6, qy - ny * 0.6),
                ],
            )
        )

    def hatch(
        self,
        colour: str,
        area: Sequence[Point],
        angle: float,
        spacing: float,
        width: float,
        part: float = 1.0,
    ) -> None:
        """Parallel gouges inside an outline. `part` of each line's length is cut, at its start."""
        dx, dy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        offsets = [-x * dy + y * dx for x, y in area]
        at = min(offsets) + spacing * 0.6
        while at < max(offsets):
            origin = (-dy * at, dx * at)
            for a, b in spans(area, origin, (dx, dy)):
                end = a + (b - a) * part * self.random.uniform(0.86, 1.0)
                start = a + self.random.uniform(0, 0.3)
                self.gouge(
                    colour,
                    (origin[0] + dx * start, origin[1] + dy * start),
                    (origin[0] + dx * end, origin[1] + dy * end),
                    width * self.random.uniform(0.75, 1.15),
                )
            at += spacing * self.random.uniform(0.9, 1.1)

    def rays(
        self,
        colour: str,
        area: Sequence[Point],
        middle: Point,
        inner: float,
        step: float,
        width: float,
    ) -> None:
        """Gouges away from a middle, broken here and there, inside an outline."""
        angle = self.random.uniform(0, step)
        while angle < 360:
            dx, dy = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            for a, b in spans(area, middle, (dx, dy)):
                at, last = max(a, inner * self.random.uniform(0.9, 1.5)), b - 0.5
                while at < last - 1:
                    end = min(last, at + self.random.uniform(4, 9))
                    self.gouge(
                        colour,
                        (middle[0] + dx * at, middle[1] + dy * at),
                        (middle[0] + dx * end, middle[1] + dy * end),
                        width * (0.7 + at / 40),
                    )
                    at = end + self.random.uniform(0.5, 1.6)
            angle += step * self.random.uniform(0.75, 1.25)

    def mail(self, colour: str, area: Sequence[Point], pitch: float = 1.25) -> None:
        """Ring mail: rows of small strokes, every second row shifted, leaning in turn."""
        left, right = min(x for x, _ in area), max(x for x, _ in area)
        top, bottom = min(y for _, y in area), max(y for _, y in area)
        row, y = 0, top + pitch / 2
        while y < bottom:
            x = left + pitch * (0.5 if row % 2 else 0.0)
            while x < right:
                if inside((x, y), area) and inside((x, y + 0.7), area):
                    lean = 0.3 if row % 2 else -0.3
                    self.gouge(colour, (x - lean, y - 0.3), (x + lean, y + 0.42), 0.42)
                x += pitch
            y += pitch * 0.84
            row += 1

    def shift(self, first: int, x: float) -> None:
        """Move what was cut since then to the right."""
        self.shapes[first:] = [
            (c, [(px + x, py) for px, py in pg]) for c, pg in self.shapes[first:]
        ]

    def write(self, name: str, width: float, height: float, group: str = "") -> None:
        """One file a side: art/SIDE/name.svg. `group` is an SVG transform of a second print."""
        for side, colours in SIDES.items():
            path = ART / side / f"{name}.svg"
            path.parent.mkdir(exist_ok=True)
            path.write_text(svg(self.shapes, colours, width, height, group), encoding="utf-8")


def svg(
    shapes: Sequence[Shape], colours: dict[str, str], width: float, height: float, group: str = ""
) -> str:
    """A file of runs of one colour, each a path."""
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">']
    paths: list[str] = []
    run, data = "", ""
    for colour, polygon in [*shapes, ("", [])]:
        if colour != run and data:
            paths.append(f'<path fill="{colours[run]}" d="{data}"/>')
            data = ""
        run = colour
        data += path_data(polygon)
    lines += paths
    if group:
        lines += [f'<g transform="{group}">', *paths, "</g>"]
    return "\n".join([*lines, "</svg>"]) + "\n"


def path_data(polygon: Sequence[Point]) -> str:
    """`M…L…z` with two decimals; always turning the same way, so that overlaps stay filled."""
    if not polygon:
        return ""
    turning = sum(
        x1 * y2 - x2 * y1
        for (x1, y1), (x2, y2) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    )
    points = polygon if turning >= 0 else polygon[::-1]
    return "M" + "L".join(f"{_num(x)} {_num(y)}" for x, y in points) + "z"


def _num(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def spans(area: Sequence[Point], origin: Point, way: Point) -> Iterator[tuple[float, float]]:
    """Where a line runs inside a polygon: pairs of distances from its origin."""
    (ox, oy), (dx, dy) = origin, way
    crossings = []
    for (x1, y1), (x2, y2) in zip(area, [*area[1:], area[0]], strict=True):
        s1 = (x1 - ox) * dy - (y1 - oy) * dx
        s2 = (x2 - ox) * dy - (y2 - oy) * dx
        if (s1 > 0) != (s2 > 0):
            t = s1 / (s1 - s2)
            x, y = x1 + (x2 - x1) * t, y1 + (y2 - y1) * t
            crossings.append((x - ox) * dx + (y - oy) * dy)
    crossings.sort()
    yield from zip(crossings[::2], crossings[1::2], strict=False)


def inside(point: Point, area: Sequence[Point]) -> bool:
    """Whether a point lies in a polygon."""
    return any(a <= 0 < b for a, b in spans(area, point, (1.0, 0.0001)))


def moved(
    points: Iterable[Point],
    x: float,
    y: float,
    scale: float = 1.0,
    turn: float = 0.0,
    flip: bool = False,
) -> Polygon:
    """Points scaled and turned (degrees, clockwise) round the origin, then moved."""
    c, s = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
    return [
        (x + (-px if flip else px) * c - py * s, y + (-px if flip else px) * s + py * c)
        for px, py in points
    ]


def oval(
    x: float, y: float, rx: float, ry: float, start: float = 0, end: float = 360, sides: int = 18
) -> Polygon:
    """Points along an ellipse, in degrees clockwise from the right."""
    steps = max(2, round(sides * abs(end - start) / 360))
    last = steps if abs(end - start) < 360 else steps - 1
    angles = [math.radians(start + (end - start) * k / steps) for k in range(last + 1)]
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]

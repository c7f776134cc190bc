"""Guilloche: rings, rosettes, waves and rays, as path data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from svg import Point

from notes.shapes import compact

Curve = Callable[[float], Point]
# A closed curve: the point at an angle, pushed outwards.
Base = Callable[[float, float], Point]


def trace(curve: Curve, stops: Sequence[float]) -> str:
    """A parametric curve through the stops as cubic segments (Hermite)."""
    x, y = rounded(curve(stops[0]))
    parts, last_third = [f"M{compact(x, y)}"], 0.0
    for start, end in pairwise(stops):
        third = (end - start) / 3
        (out_x, out_y), (in_x, in_y) = slope(curve, start), slope(curve, end)
        next_x, next_y = rounded(curve(end))
        smooth = last_third and abs(third - last_third) < 1e-6
        leave = () if smooth else (out_x * third, out_y * third)
        arrive = next_x - in_x * third - x, next_y - in_y * third - y
        parts.append(("s" if smooth else "c") + compact(*leave, *arrive, next_x - x, next_y - y))
        x, y, last_third = next_x, next_y, third
    return "".join(parts)


def rounded(point: Point) -> Point:
    """A point as it will be written."""
    return round(point[0], 1), round(point[1], 1)


def slope(curve: Curve, at: float, step: float = 1e-4) -> Point:
    """How fast a curve moves at a parameter."""
    (x0, y0), (x1, y1) = curve(at - step), curve(at + step)
    return (x1 - x0) / (2 * step), (y1 - y0) / (2 * step)


def superellipse(centre: Point, radii: Point, power: float) -> Base:
    """The curve |x/rx|^power + |y/ry|^power = 1 about a centre."""

    def at(angle: float, out: float) -> Point:
        """The point at an angle, pushed outwards."""
        cos, sin = math.cos(angle), math.sin(angle)
        reach = (abs(cos) ** power + abs(sin) ** power) ** (-1 / power)
        x = centre[0] + (radii[0] + out) * reach * cos
        return x, centre[1] + (radii[1] + out) * reach * sin

    return at


def ring(base: Base, swing: float, lobes: int, phases: int, out: float = 0) -> str:
    """The base curve with `lobes` waves of height `swing`, once per phase."""

    def loop(phase: float) -> str:
        """The ring with its waves shifted by a phase."""
        stops = [(k * math.pi - phase) / lobes for k in range(2 * lobes + 1)]
        return trace(lambda t: base(t, out + swing * math.cos(lobes * t + phase)), stops) + "Z"

    return "".join(loop(i / phases * math.tau) for i in range(phases))


def plain(base: Base, out: float = 0, lobes: int = 8) -> str:
    """The base curve by itself."""
    return ring(base, 0, lobes, 1, out)


def rosette(centre: Point, radii: tuple[float, float], lobes: int, phases: int) -> str:
    """Loops between two radii, a small engine-turned flower."""
    inner, outer = radii
    middle = (inner + outer) / 2
    return ring(superellipse(centre, (middle, middle), 2), (outer - inner) / 2, lobes, phases)


def waves(span: tuple[float, float], level: float, swing: float, length: float, phases: int) -> str:
    """A band of sine waves over the span, once per phase."""
    start, end = span
    count = math.ceil((end - start) / length * 2)
    stops = [start + k * length / 2 for k in range(count + 1)]
    stops = [*(stop for stop in stops if stop < end), end]

    def wave(phase: float) -> str:
        """The wave shifted by a phase."""
        return trace(lambda t: (t, level + swing * math.cos(t * math.tau / length + phase)), stops)

    return "".join(wave(i / phases * math.tau) for i in range(phases))


def swell(top: float, gap: float, rows: int, swing: float, length: float) -> str:
    """Parallel wave lines over the whole sheet whose height breathes: the pale ground."""
    stops = [k * length / 3 - 5 for k in range(math.ceil(960 / length * 3) + 1)]

    def height(x: float, row: int) -> float:
        """The height of a row above a place."""
        breath = swing * math.sin(x * math.tau / length + row * 0.22) * math.cos(row * 0.31)
        return top + row * gap + breath

    def line(row: int) -> str:
        """One row from edge to edge."""
        return trace(lambda t: (t, height(t, row)), stops)

    return "".join(line(row) for row in range(rows))


def rays(
    centre: Point,
    radii: tuple[float, float],
    count: int,
    share: float = 0.5,
    sweep: tuple[float, float] = (0, math.tau),
) -> str:
    """Wedges radiating over a sweep, pointed at one radius and widening to the other."""
    inner, outer = radii
    step = (sweep[1] - sweep[0]) / count

    def at(radius: float, angle: float) -> str:
        """A point about the centre."""
        x, y = centre
        return compact(x + radius * math.cos(angle), y + radius * math.sin(angle))

    def ray(start: float) -> str:
        """The wedge that begins at an angle."""
        left, right = start + step * (1 - share) / 2, start + step * (1 + share) / 2
        return f"M{at(inner, start + step / 2)}L{at(outer, left)}L{at(outer, right)}Z"

    return "".join(ray(sweep[0] + i * step) for i in range(count))

"""The burin: hatching that swells and tapers, for shapes given as absolute path data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from svg import Point

from notes.shapes import compact, outlined, solid

# How many numbers each path command takes.
ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "Z": 0}


class Cut(NamedTuple):
    """One hatching of a shape.

    Strokes lie at an angle in degrees, a gap apart. `width` is their thick end. They run between
    two shares of the shape's breadth, thick at the first, and bow sideways in the middle.
    """

    angle: float
    gap: float
    width: float
    span: tuple[float, float] = (0, 1)
    bow: float = 0


def form(d: str, ink: str, *cuts: Cut, width: float = 2.2) -> str:
    """A modelled shape: paper, outlined, hatched once per cut."""
    tone = "".join(hatch(d, cut) for cut in cuts)
    shape = outlined(d, ink, width, stroke_linejoin="round")
    return shape + (solid(tone, ink) if tone else "")


def hatch(d: str, cut: Cut) -> str:
    """Wedges across the shape, thick where the span begins and running out where it ends."""
    direction = math.cos(math.radians(cut.angle)), math.sin(math.radians(cut.angle))
    cos, sin = direction
    rings = [[(x * cos + y * sin, y * cos - x * sin) for x, y in ring] for ring in flatten(d)]
    levels = [y for ring in rings for _, y in ring]
    wedges, level = [], min(levels) + cut.gap / 2
    while level < max(levels):
        for start, end in strokes(rings, level, cut.span):
            wedges.append(wedge(start, end, level, cut, direction))
        level += cut.gap
    return "".join(wedges)


def strokes(
    rings: list[list[Point]], level: float, span: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    """Where the strokes of one level start and end, leaving out what is too short."""
    edges = sorted(x for ring in rings for x in crossings(ring, level))
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        start, end = (left + (right - left) * share for share in span)
        if abs(end - start) > 2:
            yield start, end


def crossings(ring: list[Point], level: float) -> Iterator[float]:
    """Where a closed ring of points crosses a level."""
    for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
        if (y0 <= level) != (y1 <= level):
            yield x0 + (x1 - x0) * (level - y0) / (y1 - y0)


def wedge(start: float, end: float, level: float, cut: Cut, direction: Point) -> str:
    """A tapered stroke from its thick end to its point, turned back into the direction."""
    cos, sin = direction
    middle, half, swell = (start + end) / 2, cut.width / 2, cut.width * 0.42
    outline = (
        (start, level - half),
        (middle, level - swell + cut.bow),
        (end, level),
        (middle, level + swell + cut.bow),
        (start, level + half),
    )
    corners = [(round(x * cos - y * sin, 1), round(x * sin + y * cos, 1)) for x, y in outline]

    def step(a: int, b: int) -> Point:
        """The way from one corner to another."""
        return corners[b][0] - corners[a][0], corners[b][1] - corners[a][1]

    steps = compact(*step(0, 1), *step(0, 2), *step(2, 3), *step(2, 4))
    return f"M{compact(*corners[0])}q{steps}z"


def flatten(d: str) -> list[list[Point]]:
    """Absolute path data (M L H V C Q Z) as rings of points."""
    rings: list[list[Point]] = []
    point, command = (0.0, 0.0), ""
    tokens = re.findall(r"[MLHVCQZ]|-?[\d.]+", d)
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        values = [float(tokens.pop(0)) for _ in range(ARITY[command])]
        if command == "M":
            rings.append([])
        if command != "Z":
            rings[-1] += stops(command, values, point)
            point = rings[-1][-1]
    return rings


def stops(command: str, values: list[float], start: Point) -> list[Point]:
    """The points that one command adds; a curve becomes ten straight lines."""
    if command == "H":
        return [(values[0], start[1])]
    if command == "V":
        return [(start[0], values[0])]
    points = list(zip(values[::2], values[1::2], strict=True))
    if command in "CQ":
        return [bezier([start, *points], i / 10) for i in range(1, 10)] + points[-1:]
    return points


def bezier(points: list[Point], share: float) -> Point:
    """The point of a Bézier curve at a share of its way."""
    while len(points) > 1:
        points = [
            (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            for (x0, y0), (x1, y1) in pairwise(points)
        ]
    return points[0]

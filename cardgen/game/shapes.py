"""Outlines of pieces as pure arithmetic in mm.

An outline runs counter-clockwise from the bottom left corner of its box. As in DXF, a bulge says
how the edge to the next point bends: it is the tangent of a quarter of the arc's angle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan, ceil, cos, dist, pi, sin, sqrt

from cardgen.core.units import Size

SHAPES = ("rectangle", "round", "hexagon")
QUARTER_BULGE = sqrt(2) - 1
"""The bulge of a quarter circle."""

Point = tuple[float, float]
Vertex = tuple[float, float, float]
"""x, y and the bulge of the edge to the next vertex."""
Outline = tuple[Vertex, ...]

# An ellipse has no bulges; so many straight ways are round enough for scissors and machines.
ELLIPSE_POINTS = 120


@dataclass(frozen=True)
class PieceForm:
    """The shape of a piece. `corner` is the radius of a rectangle's corners, mm."""

    shape: str = "rectangle"
    corner: float = 0.0


PLAIN_FORM = PieceForm()


def make_outline(form: PieceForm, size: Size) -> Outline:
    """Return the outline of an upright piece with its bottom left corner at the origin.

    A hexagon stands on its point, or lies on its side when it is wider than high. A round piece
    that is not as wide as high is an ellipse.
    """
    if form.shape == "round":
        return _outline_ellipse(size)
    if form.shape == "hexagon":
        return _outline_hexagon(size)
    radius = min(form.corner, size.width / 2, size.height / 2)
    return _outline_rectangle(size, radius) if radius else _outline_plain_rectangle(size)


def _outline_ellipse(size: Size) -> Outline:
    rx, ry = size.width / 2, size.height / 2
    if abs(rx - ry) < 1e-6:
        return ((0.0, ry, 1.0), (size.width, ry, 1.0))
    angles = (2 * pi * step / ELLIPSE_POINTS for step in range(ELLIPSE_POINTS))
    return tuple((rx + rx * cos(angle), ry + ry * sin(angle), 0.0) for angle in angles)


def _outline_hexagon(size: Size) -> Outline:
    w, h = size.width, size.height
    quarters = ((1, 0), (3, 0), (4, 2), (3, 4), (1, 4), (0, 2))
    if w <= h:
        quarters = ((0, 1), (2, 0), (4, 1), (4, 3), (2, 4), (0, 3))
    return tuple((w * x / 4, h * y / 4, 0.0) for x, y in quarters)


def _outline_plain_rectangle(size: Size) -> Outline:
    w, h = size.width, size.height
    return ((0.0, 0.0, 0.0), (w, 0.0, 0.0), (w, h, 0.0), (0.0, h, 0.0))


def _outline_rectangle(size: Size, r: float) -> Outline:
    w, h, b = size.width, size.height, QUARTER_BULGE
    return (
        (r, 0.0, 0.0), (w - r, 0.0, b), (w, r, 0.0), (w, h - r, b),
        (w - r, h, 0.0), (r, h, b), (0.0, h - r, 0.0), (0.0, r, b),
    )  # fmt: skip


def place_outline(form: PieceForm, size: Size, left: float, bottom: float, turn: int) -> Outline:
    """Return the outline of a piece with its box at a position, turned counter-clockwise in
    degrees."""
    found = make_outline(form, size)
    for _ in range(turn % 180 // 90):
        found = tuple((size.height - y, x, bulge) for x, y, bulge in found)
    return tuple((left + x, bottom + y, bulge) for x, y, bulge in found)


def flatten_outline(found: Outline, step: float = 0.05) -> list[Point]:
    """Return the outline as a polygon that differs from its arcs by at most `step` mm."""
    points: list[Point] = []
    for (x1, y1, bulge), (x2, y2, _) in walk_edges(found):
        points.append((x1, y1))
        if bulge:
            points += _flatten_arc((x1, y1), (x2, y2), bulge, step)
    return points


def walk_edges(found: Outline) -> Iterator[tuple[Vertex, Vertex]]:
    """Yield each point with the next one, and the last with the first."""
    return zip(found, (*found[1:], found[0]), strict=True)


def compute_radius(start: Point, end: Point, bulge: float) -> float:
    """Return the radius of the arc between two points."""
    return dist(start, end) * (1 + bulge * bulge) / (4 * abs(bulge))


def _flatten_arc(start: Point, end: Point, bulge: float, step: float) -> Iterator[Point]:
    (x1, y1), (x2, y2) = start, end
    angle = 4 * atan(bulge)
    radius = compute_radius(start, end, bulge)
    # The middle lies off the chord's middle, to its left.
    off = (1 - bulge * bulge) / (4 * bulge)
    mx, my = (x1 + x2) / 2 - (y2 - y1) * off, (y1 + y2) / 2 + (x2 - x1) * off
    pieces = max(2, ceil(abs(angle) / sqrt(8 * min(step, radius) / radius)))
    for number in range(1, pieces):
        turn = angle * number / pieces
        dx, dy = x1 - mx, y1 - my
        yield mx + dx * cos(turn) - dy * sin(turn), my + dx * sin(turn) + dy * cos(turn)


def compute_area(form: PieceForm, size: Size) -> float:
    """Return the area of the outline in mm²."""
    points = flatten_outline(make_outline(form, size), 0.001)
    following = (*points[1:], points[0])
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, following, strict=True)) / 2

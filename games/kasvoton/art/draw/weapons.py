"""Poles, spearheads and swords."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees

from cut import Block, Point, Polygon, moved, oval

SPEARHEAD: Polygon = [
    (0, -6),
    (1.5, -2.4),
    (0.9, -0.2),
    (0.5, 1),
    (-0.5, 1),
    (-0.9, -0.2),
    (-1.5, -2.4),
]


def shaft(block: Block, start: Point, end: Point, width: float = 1.1, colour: str = "ink") -> None:
    """A pole, with a light along one side where it crosses dark."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    nx, ny = (y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2
    block.poly(
        "linen",
        [
            (x1 + nx * 1.8, y1 + ny * 1.8),
            (x2 + nx * 1.8, y2 + ny * 1.8),
            (x2 - nx * 1.8, y2 - ny * 1.8),
            (x1 - nx * 1.8, y1 - ny * 1.8),
        ],
        0.05,
    )
    block.poly(
        colour,
        [(x1 + nx, y1 + ny), (x2 + nx, y2 + ny), (x2 - nx, y2 - ny), (x1 - nx, y1 - ny)],
        0.05,
    )


def blade(
    block: Block,
    points: Sequence[Point],
    x: float,
    y: float,
    scale: float = 1.0,
    turn: float = 0.0,
    flip: bool = False,
) -> None:
    """Iron: linen with an ink edge, one half hatched."""
    block.poly(
        "ink", moved([(px * 1.0, py * 1.0) for px, py in points], x, y, scale * 1.0, turn, flip)
    )
    middle = (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))
    inner = [
        (middle[0] + (px - middle[0]) * 0.74, middle[1] + (py - middle[1]) * 0.84)
        for px, py in points
    ]
    block.poly("linen", moved(inner, x, y, scale, turn, flip), 0.05)


def spear(block: Block, start: Point, end: Point, scale: float = 0.8) -> None:
    """A shaft whose far end is a spearhead."""
    turn = degrees(atan2(end[1] - start[1], end[0] - start[0])) + 90
    shaft(block, start, end, 0.9)
    blade(block, SPEARHEAD, end[0], end[1], scale, turn)


def sword(block: Block, x: float, y: float, length: float = 22, turn: float = 0.0) -> None:
    """Point up from the guard at x, y."""
    outer = [(-1.2, 0), (-1, -length + 3), (0, -length), (1, -length + 3), (1.2, 0)]
    block.poly("linen", moved([(px * 1.7, py * 1.03) for px, py in outer], x, y, 1, turn), 0.05)
    block.poly("ink", moved(outer, x, y, 1, turn), 0.05)
    block.poly(
        "linen",
        moved(
            [(-0.75, -0.6), (-0.6, -length + 3.2), (-0.15, -length + 2), (-0.15, -0.6)],
            x,
            y,
            1,
            turn,
        ),
        0.03,
    )
    block.poly("linen", moved([(-5, -1), (5, -1), (5, 1.6), (-5, 1.6)], x, y, 1, turn), 0.05)
    block.poly(
        "ink",
        moved(
            [
                (-4.6, -0.7),
                (4.6, -0.7),
                (4.6, 0.7),
                (0.8, 1),
                (0.8, 4.4),
                (-0.8, 4.4),
                (-0.8, 1),
                (-4.6, 0.7),
            ],
            x,
            y,
            1,
            turn,
        ),
        0.05,
    )
    block.poly("ink", moved(oval(0, 5.2, 1.4, 1.4, sides=8), x, y, 1, turn), 0)

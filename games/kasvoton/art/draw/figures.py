"""What the pictures are made of: helms without faces, shoulders, crowns."""

from __future__ import annotations

from collections.abc import Sequence

from cut import Block, Point, Polygon, moved, oval

WIDTH, HEIGHT = 37.0, 41.0
NOTCH = (12.6, 11.6)
"""The corner of the block where the value stands."""

GREAT_HELM: Polygon = [
    (-5.9, -7.6),
    (-3, -8.5),
    (0, -8.8),
    (3, -8.5),
    (5.9, -7.6),
    (6.5, -2.2),
    (6.4, 2.6),
    (4.9, 6.8),
    (2.2, 9.6),
    (0, 10.4),
    (-2.2, 9.6),
    (-4.9, 6.8),
    (-6.4, 2.6),
    (-6.5, -2.2),
]


def sky(block: Block, middle: Point = (18.5, 15), night: bool = False) -> Polygon:
    """The printed ground, a corner left bare for the value, with light cut round the figure."""
    nx, ny = NOTCH
    area = [
        (nx, 0.3),
        (WIDTH - 0.4, 0.1),
        (WIDTH - 0.1, HEIGHT - 0.3),
        (0.2, HEIGHT),
        (0.3, ny),
        (nx, ny),
    ]
    block.poly("ink" if night else "tone", area, 0.16)
    block.rays("linen", area, middle, 9.5, 7.5 if night else 5.2, 0.35 if night else 0.55)
    return area


def great_helm(block: Block, x: float, y: float, scale: float = 1.0, crossed: bool = True) -> None:
    """A flat-topped helm seen from the front: a slit, a cross of iron, holes to breathe."""

    def at(points: Sequence[Point]) -> Polygon:
        return moved(points, x, y, scale)

    block.poly("ink", at([(px * 1.09, py * 1.07) for px, py in GREAT_HELM]))
    block.poly("linen", at(GREAT_HELM))
    right = at([(1.4, -8.2), (5.5, -7.2), (6.1, -2), (6, 2.6), (4.6, 6.6), (2, 9.3), (1.2, 9.6)])
    block.hatch("tone", right, 96, 0.85 * scale, 0.6 * scale)
    edge = at([(4, -7.6), (5.7, -7.2), (6.3, -2), (6.2, 2.6), (4.8, 6.6), (2.4, 9.3), (3.6, 4)])
    block.hatch("ink", edge, 8, 0.75 * scale, 0.42 * scale)
    block.hatch(
        "ink",
        at([(-6.2, 1), (-4.9, 1.6), (-3.6, 6), (-1, 9.6), (-4.6, 6.6)]),
        6,
        0.8 * scale,
        0.36 * scale,
    )
    if crossed:
        bar = 0.85
        block.poly(
            "ink", at([(-bar, -8.6), (bar, -8.6), (bar * 0.8, 10.2), (-bar * 0.8, 10.2)]), 0.06
        )
        block.poly(
            "ink", at([(-6.4, -2.9), (0, -2.1), (6.4, -2.9), (6.4, 0), (0, 0.9), (-6.4, 0)]), 0.06
        )
        block.poly(
            "linen",
            at([(-5.9, -2.3), (0, -1.6), (5.9, -2.3), (5.9, -2.0), (0, -1.25), (-5.9, -2.0)]),
            0,
        )
        block.poly(
            "linen",
            at([(-5.9, -0.55), (0, 0.3), (5.9, -0.55), (5.9, -0.3), (0, 0.58), (-5.9, -0.3)]),
            0,
        )
    else:
        block.poly("ink", at([(-5.8, -2.2), (5.8, -2.2), (5.6, -0.7), (-5.6, -0.7)]), 0.06)
    for row in range(3):
        for column in range(3):
            hole = oval(1.9 + column * 1.25 - row * 0.12, 3 + row * 1.5, 0.34, 0.5, sides=6)
            block.poly("ink", at(hole), 0)
            block.poly("ink", at([(-px, py) for px, py in hole]), 0)
    block.gouge("ink", at([(-5.7, -6.6)])[0], at([(5.7, -6.6)])[0], 0.45 * scale)


def hollow(block: Block, x: float, y: float, width: float, height: float) -> None:
    """Where a face would be."""
    block.poly(
        "ink",
        [
            (x - width, y - height),
            (x + width, y - height),
            (x + width * 0.92, y + height * 0.2),
            (x + width * 0.45, y + height),
            (x - width * 0.45, y + height),
            (x - width * 0.92, y + height * 0.2),
        ],
        0.06,
    )


def coif(block: Block, x: float, y: float, scale: float = 1.0) -> None:
    """A mail hood around nothing."""
    outer = moved(
        [
            (-5, 0),
            (-4.6, -4),
            (-2.6, -6.8),
            (0, -7.6),
            (2.6, -6.8),
            (4.6, -4),
            (5, 0),
            (5.6, 6),
            (7, 9),
            (-7, 9),
            (-5.6, 6),
        ],
        x,
        y,
        scale,
    )
    block.poly("ink", outer)
    block.mail("linen", outer, 1.1 * scale)
    hollow(block, x, y - 0.4 * scale, 3.3 * scale, 4.4 * scale)


def kettle_hat(block: Block, x: float, y: float, scale: float = 1.0) -> None:
    """An iron hat with a wide brim, a hollow below it."""
    coif(block, x, y + 2 * scale, scale * 0.92)
    brim = moved(
        [(-8.4, 0.6), (-5, -1.6), (5, -1.6), (8.4, 0.6), (6, 1.3), (0, 0.5), (-6, 1.3)], x, y, scale
    )
    bowl = moved(
        [(-5, -1.2), (-4.6, -4.2), (-2.4, -6.6), (0, -7.4), (2.4, -6.6), (4.6, -4.2), (5, -1.2)],
        x,
        y,
        scale,
    )
    block.poly(
        "ink", moved([(px * 1.1, py * 1.1) for px, py in moved(bowl, 0, 0)], -x * 0.1, -y * 0.1)
    )
    block.poly("linen", bowl)
    block.hatch(
        "ink",
        moved([(1, -6.6), (2.4, -6.2), (4.4, -4), (4.8, -1.4), (1.4, -1.4)], x, y, scale),
        84,
        0.8 * scale,
        0.45,
    )
    block.poly("ink", moved([(-0.4, -7.6), (0.4, -7.6), (0.5, -1.2), (-0.5, -1.2)], x, y, scale), 0)
    block.poly("ink", [(px, py + 0.5) for px, py in brim])
    block.poly("linen", brim)
    block.hatch(
        "ink",
        moved([(2, -1), (5, -1.2), (8, 0.6), (6, 1), (2, 0.4)], x, y, scale),
        20,
        0.6 * scale,
        0.3,
    )


def nasal_helm(block: Block, x: float, y: float, scale: float = 1.0) -> None:
    """A pointed iron cap with a bar before the nose that is not there."""
    coif(block, x, y + 1.6 * scale, scale * 0.9)
    cap = moved(
        [
            (-4.6, -1),
            (-4, -4.4),
            (-2, -7.4),
            (0, -9.6),
            (2, -7.4),
            (4, -4.4),
            (4.6, -1),
            (0.9, -1.2),
            (0.6, 2.6),
            (-0.6, 2.6),
            (-0.9, -1.2),
        ],
        x,
        y,
        scale,
    )
    block.poly("ink", moved([(px - x, (py - y) * 1.04) for px, py in cap], x, y, 1.1))
    block.poly("linen", cap)
    block.hatch(
        "ink",
        moved([(0.6, -8), (2, -7), (3.8, -4.2), (4.3, -1.3), (1, -1.4)], x, y, scale),
        78,
        0.75 * scale,
        0.42,
    )
    block.gouge(
        "ink", (x - 4.4 * scale, y - 1.9 * scale), (x + 4.4 * scale, y - 1.9 * scale), 0.45 * scale
    )


def straw_hat(block: Block, x: float, y: float, scale: float = 1.0) -> None:
    """Plaited straw over a hood over nothing."""
    hood = moved([(-4.2, -1), (4.2, -1), (4.8, 5), (7, 8.6), (-7, 8.6), (-4.8, 5)], x, y, scale)
    block.poly("ink", hood)
    block.hatch("tone", hood, 82, 1.3 * scale, 0.4)
    hollow(block, x, y + 2.2 * scale, 2.9 * scale, 3.8 * scale)
    crown = moved([(-3.4, -1.4), (-2.6, -4.6), (0, -5.4), (2.6, -4.6), (3.4, -1.4)], x, y, scale)
    brim = moved(
        [(-8, 0.9), (-4, -1.5), (4, -1.5), (8, 0.9), (4, 0.7), (0, 1), (-4, 0.7)], x, y, scale
    )
    for part in (crown, brim):
        block.poly("ink", [(px + (px - x) * 0.1, py + (py - y + 1) * 0.12) for px, py in part])
        block.poly("linen", part)
    block.hatch("ink", crown, 20, 0.8 * scale, 0.32)
    block.hatch("ink", brim, 62, 1.1 * scale, 0.3, 0.8)


def hood(block: Block, x: float, y: float, scale: float = 1.0, colour: str = "tone") -> None:
    """A pointed hood."""
    outer = moved(
        [
            (-1, -9.6),
            (1.4, -8.6),
            (3.6, -5.6),
            (4.8, -1),
            (5, 4),
            (7.4, 9),
            (-7.4, 9),
            (-5, 4),
            (-4.8, -1),
            (-3.6, -5.6),
        ],
        x,
        y,
        scale,
    )
    block.poly("ink", moved([(px - x, py - y) for px, py in outer], x, y, 1.08))
    block.poly(colour, outer)
    block.hatch(
        "ink",
        moved(
            [(1, -8.4), (3.4, -5.4), (4.6, -1), (4.8, 4), (6.8, 8.8), (2, 8.8), (3, 0)], x, y, scale
        ),
        84,
        0.9 * scale,
        0.5,
    )
    block.hatch(
        "linen",
        moved(
            [(-1, -8.6), (0.4, -7.6), (-2.6, -4), (-3.6, 0), (-4, 3), (-4.4, -1), (-3.4, -5.4)],
            x,
            y,
            scale,
        ),
        100,
        0.8 * scale,
        0.4,
    )
    block.poly(
        "ink",
        moved(
            [
                (0, -6),
                (2.6, -3.4),
                (3.2, 0.6),
                (2, 4),
                (0, 5.4),
                (-2, 4),
                (-3.2, 0.6),
                (-2.6, -3.4),
            ],
            x,
            y,
            scale,
        ),
        0.06,
    )


def shoulders(block: Block, x: float, y: float, half: float = 16.0, mail: bool = True) -> Polygon:
    """From the neck to the foot of the block."""
    left, right = max(0.4, x - half), min(WIDTH - 0.4, x + half)
    area = [
        (x - 5, y),
        (x + 5, y),
        (x + half * 0.75, y + 2.6),
        (right, y + 6.5),
        (right, HEIGHT - 0.4),
        (left, HEIGHT - 0.4),
        (left, y + 6.5),
        (x - half * 0.75, y + 2.6),
    ]
    block.poly("ink", area)
    if mail:
        block.mail("linen", area, 1.35)
    return area


def crown(block: Block, x: float, y: float, half: float, height: float, points: int = 5) -> None:
    """A band with points, balls on them and stones along it."""
    band = height * 0.38
    outline: Polygon = [(x - half, y), (x - half * 1.12, y - height * 0.9)]
    for k in range(points - 1):
        left = -1.12 + 2.24 * k / (points - 1)
        valley = left + 1.12 / (points - 1)
        top = height * (1.08 if (points - 1) / 2 == k + 1 else 0.96)
        outline += [
            (x + half * valley, y - band * 1.25),
            (x + half * (left + 2.24 / (points - 1)), y - top),
        ]
    outline += [(x + half, y)]
    block.poly(
        "ink", [(px + (px - x) * 0.07, py + (0.5 if py == y else -0.5)) for px, py in outline], 0.05
    )
    block.poly("linen", outline, 0.05)
    for k in range(points):
        px = x + half * (-1.12 + 2.24 * k / (points - 1))
        top = height * (1.08 if (points - 1) / 2 == k else 0.96)
        block.poly("ink", oval(px, y - top, 0.95, 0.95, sides=8), 0)
        block.poly("linen", oval(px, y - top, 0.45, 0.45, sides=8), 0)
    block.poly(
        "ink",
        [
            (x - half * 1.02, y - band * 1.05),
            (x + half * 1.02, y - band * 1.05),
            (x + half * 1.02, y - band * 0.9),
            (x - half * 1.02, y - band * 0.9),
        ],
        0,
    )
    for k in range(points):
        px = x + half * (-0.8 + 1.6 * k / (points - 1))
        block.poly(
            "ink",
            [
                (px - 0.7, y - band * 0.45),
                (px, y - band * 0.8),
                (px + 0.7, y - band * 0.45),
                (px, y - band * 0.1),
            ],
            0,
        )
    block.hatch(
        "ink",
        [(x + half * 0.3, y - band), (x + half, y - height * 0.8), (x + half, y - band)],
        90,
        0.7,
        0.35,
    )

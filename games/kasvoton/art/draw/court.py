"""The royal family and the knights; what is nobody: the blank, the back, the home square."""

from __future__ import annotations

from collections.abc import Callable

import arms
import figures as f
import weapons
from cut import Block, moved, oval


def prince(b: Block) -> None:
    f.sky(b)
    ground = len(b.shapes)
    f.shoulders(b, 18.5, 26, 16.5)
    for side in (-1, 1):
        cape = [
            (18.5 + side * 4, 27.4),
            (18.5 + side * 10.5, 28.6),
            (18.5 + side * 17.4, 33.5),
            (18.5 + side * 17.6, 40.6),
            (18.5 + side * 9, 40.6),
        ]
        b.poly("linen", cape)
        b.poly(
            "tone", [(x - side * 0.3, y + 0.5) for x, y in cape[:-1]] + [(18.5 + side * 9.5, 40.6)]
        )
        b.hatch("ink", cape, 90 + side * 16, 2, 0.7)
    f.great_helm(b, 18.5, 18.5, 0.98)
    f.crown(b, 18.5, 11.6, 6, 5.2, 5)
    b.poly("linen", oval(18.5, 32.4, 2.2, 2.2, sides=12), 0)
    b.poly("ink", oval(18.5, 32.4, 1.5, 1.5, sides=12), 0)
    b.poly("linen", [(17.9, 31.4), (19.1, 31.4), (19.1, 33.4), (17.9, 33.4)], 0)
    b.shift(ground, 1.6)


def queen(b: Block) -> None:
    f.sky(b, (18.5, 17))
    ground = len(b.shapes)
    veil = [
        (18.5, 8),
        (24.6, 10),
        (27, 16),
        (27.4, 24),
        (31, 33),
        (36.2, 40.6),
        (0.8, 40.6),
        (6, 33),
        (9.6, 24),
        (10, 16),
        (12.4, 10),
    ]
    b.poly("ink", [(x + (x - 18.5) * 0.06, y - 0.4) for x, y in veil])
    b.poly("linen", veil)
    b.hatch(
        "tone",
        [(24, 11), (26.6, 16), (27, 24), (30.6, 33), (35.4, 40.2), (24.6, 40.2), (24.4, 26)],
        100,
        1.3,
        0.75,
    )
    b.hatch(
        "tone",
        [(12.4, 12), (10.6, 16), (10, 24), (6.6, 33), (1.8, 40.2), (8, 40.2), (12.4, 27)],
        78,
        1.7,
        0.5,
    )
    b.hatch(
        "ink", [(26, 20), (27, 24), (30.6, 33), (35.4, 40.2), (30, 40.2), (26.4, 30)], 102, 1.5, 0.5
    )
    b.poly(
        "ink",
        [
            (18.5, 12.4),
            (22.4, 13.6),
            (23.8, 18),
            (23.2, 23.4),
            (20.8, 26.8),
            (18.5, 27.8),
            (16.2, 26.8),
            (13.8, 23.4),
            (13.2, 18),
            (14.6, 13.6),
        ],
        0.05,
    )
    # The wimple: cloth below an absent chin.
    wimple = [
        (13.8, 23.6),
        (16.2, 27),
        (18.5, 28),
        (20.8, 27),
        (23.2, 23.6),
        (24.4, 30),
        (26.6, 36.6),
        (18.5, 39.4),
        (10.4, 36.6),
        (12.6, 30),
    ]
    b.poly("linen", wimple)
    for k in range(5):
        b.gouge("ink", (13 + k * 0.2, 26.4 + k * 2.2), (18.5, 29.4 + k * 2.1), 0.55)
        b.gouge("ink", (24 - k * 0.2, 26.4 + k * 2.2), (18.5, 29.4 + k * 2.1), 0.55)
    f.crown(b, 18.5, 12.6, 6.3, 7.6, 7)
    b.shift(ground, 2.6)


def king(b: Block) -> None:
    f.sky(b)
    ground = len(b.shapes)
    f.shoulders(b, 18.5, 26, 17, mail=False)
    ermine = [
        (7.6, 29),
        (12.4, 27),
        (18.5, 30),
        (24.6, 27),
        (29.4, 29),
        (33, 34.4),
        (27, 37.6),
        (18.5, 38.6),
        (10, 37.6),
        (4, 34.4),
    ]
    b.poly("linen", ermine)
    for x, y in (
        (8.6, 33),
        (12.4, 31),
        (13.4, 35),
        (18.5, 33.6),
        (23.6, 35),
        (24.6, 31),
        (28.4, 33),
        (18.5, 37),
        (9, 36),
        (28, 36),
    ):
        b.poly(
            "ink",
            [
                (x, y - 1.1),
                (x + 0.5, y + 0.4),
                (x + 0.8, y + 1.1),
                (x, y + 0.7),
                (x - 0.8, y + 1.1),
                (x - 0.5, y + 0.4),
            ],
            0,
        )
    b.hatch(
        "tone",
        [(1, 36), (9, 38.6), (18.5, 39.6), (28, 38.6), (36, 36), (36, 40.4), (1, 40.4)],
        90,
        1.5,
        0.6,
    )
    f.great_helm(b, 18.5, 19.6, 1.06)
    f.crown(b, 18.5, 12.4, 6.9, 8.4, 5)
    weapons.shaft(b, (31.2, 40.4), (31.2, 14), 1.2)
    b.poly("linen", oval(31.2, 12.6, 2.4, 2.4, sides=12), 0)
    b.poly("ink", oval(31.2, 12.6, 1.9, 1.9, sides=12), 0)
    b.poly(
        "ink",
        [
            (30.7, 7.2),
            (31.7, 7.2),
            (31.7, 8.3),
            (32.8, 8.3),
            (32.8, 9.3),
            (31.7, 9.3),
            (31.7, 11),
            (30.7, 11),
            (30.7, 9.3),
            (29.6, 9.3),
            (29.6, 8.3),
            (30.7, 8.3),
        ],
        0,
    )
    b.shift(ground, 2.6)


def knight(kind: str) -> Callable[[Block], None]:
    def draw(b: Block) -> None:
        f.sky(b, (22, 13))
        for side in (-1, 1):
            for k in range(4):
                root = (22 + side * 3.4, 6.5)
                b.gouge("ink", root, (22 + side * (8.6 + k * 1.2), 8.5 + k * 4), 2.4)
                b.gouge(
                    "linen",
                    (root[0] + side, 7.2),
                    (22 + side * (7.8 + k * 1.1), 8.8 + k * 3.8),
                    0.55,
                )
        f.shoulders(b, 22, 24, 15)
        f.great_helm(b, 22, 15, 0.94)
        roll = [(16.6, 6.4), (18, 5.2), (26, 5.2), (27.4, 6.4), (26.6, 8.2), (17.4, 8.2)]
        b.poly("ink", roll)
        b.hatch("linen", roll, 60, 1.7, 0.7)
        arms.shield(b, 14.4, 28.6, 1.24)
        arms.beast(b, kind, 14.6, 27.5, 1.27, "ink", "linen")
        weapons.sword(b, 32.6, 33.4, 21)
        b.poly("linen", [(30.2, 33.8), (35.2, 33.8), (35.4, 38), (30, 38)])
        b.poly("ink", [(30.6, 34.2), (34.8, 34.2), (35, 37.6), (30.4, 37.6)])
        b.hatch("linen", [(30.6, 34.2), (34.8, 34.2), (35, 37.6), (30.4, 37.6)], 2, 1.1, 0.4)

    return draw


def blank(b: Block) -> None:
    f.sky(b)
    b.poly("linen", moved([(x * 1.0, y) for x, y in f.GREAT_HELM], 18.5, 19, 1.3), 0.16)


def back(b: Block) -> None:
    """Half of a back, 47 × 69 mm with its bleed; the other half is the same, turned round.

    Both stand in one coat of mail, which runs across the card from edge to edge. The halves lap, or
    a hairline of paper shows between them. No frame: a cut that is off does not show.
    """
    b.poly("tone", [(0, 0), (47, 0), (47, 34), (0, 34)], 0)
    b.rays("linen", [(-1, -1), (48, -1), (48, 34.4), (-1, 34.4)], (23.5, 20), 11, 5, 0.6)
    shoulders = [
        (17.6, 27), (29.4, 27), (38, 29), (44, 30.4), (47, 30.6), (47, 35.4), (0, 35.4),
        (0, 30.6), (3, 30.4), (9, 29),
    ]  # fmt: skip
    b.poly("linen", [(x, y - 0.7) for x, y in shoulders[:5]] + shoulders[5:7]
           + [(x, y - 0.7) for x, y in shoulders[7:]], 0)  # fmt: skip
    b.poly("ink", shoulders, 0)
    b.mail("linen", [(x, min(y, 34.2)) for x, y in shoulders], 1.3)
    f.great_helm(b, 23.5, 19.4, 1.22)


def host(b: Block, count: int, foot: float, scale: float, shift: float = 0.0) -> None:
    """Helms side by side across 88 mm, their shoulders behind one another; `foot` is their middle."""
    pitch = 88 / (count - 1)
    for k in range(count):
        x = k * pitch + shift
        body = [
            (x - 4 * scale, foot + 7 * scale), (x + 4 * scale, foot + 7 * scale),
            (x + 12 * scale, foot + 10 * scale), (x + 15 * scale, foot + 34 * scale),
            (x - 15 * scale, foot + 34 * scale), (x - 12 * scale, foot + 10 * scale),
        ]  # fmt: skip
        b.poly("linen", [(px, py - 0.6) for px, py in body], 0)
        b.poly("ink", body, 0)
        b.mail("linen", body, 1.3)
    for k in range(count):
        great = k * pitch + shift
        f.great_helm(b, great, foot, scale)


def cover(b: Block) -> None:
    """The book's cover, 87.6 × 123.9 mm, an A4 page made small: a host without faces, a crowned one
    behind it. The title stands on its lowest third."""
    b.poly("tone", [(-1, -1), (89, -1), (89, 125), (-1, 125)], 0)
    b.rays("linen", [(-2, -2), (90, -2), (90, 96), (-2, 96)], (44, 38), 21, 3.1, 0.62)
    f.great_helm(b, 44, 38, 1.9)
    f.crown(b, 44, 25.4, 12, 13.6, 5)
    host(b, 8, 64, 0.78)
    host(b, 7, 76, 1.02, 6.3)
    host(b, 5, 91, 1.36)


def strip(b: Block) -> None:
    """A picture for the head of a chapter, 88 × 26 mm: helms side by side."""
    b.poly("tone", [(-1, -1), (89, -1), (89, 27), (-1, 27)], 0)
    b.rays("linen", [(-2, -2), (90, -2), (90, 28), (-2, 28)], (44, 40), 22, 1.9, 0.5)
    host(b, 9, 14, 0.82)


def square(b: Block) -> None:
    """A home square of the board, 43 × 65 mm: nobody, in the pale ink of the side."""
    area = [(1.4, 1.4), (41.6, 1.4), (41.6, 63.6), (1.4, 63.6)]
    b.poly("pale", area, 0.25)
    b.rays("linen", area, (21.5, 32), 17, 6.5, 0.7)
    b.poly("linen", moved(f.GREAT_HELM, 21.5, 31.5, 1.55), 0.16)
    for side in (-1, 1):
        slit = [(-5.9, -2.9), (-0.8, -2.1), (-0.8, -0.2), (-5.8, -0.9)]
        b.poly("pale", moved(slit, 21.5, 31.5, 1.55, flip=side > 0))
        for x, y in ((2.2, 3.4), (3.9, 3.2), (1.6, 5.4), (3, 5.2), (1.2, 7.2)):
            b.poly("pale", moved(oval(x * side, y, 0.4, 0.6, sides=8), 21.5, 31.5, 1.55), 0)

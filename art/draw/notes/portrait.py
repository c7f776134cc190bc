"""The note of 10 tR: the beloved leader, in a wreath that somebody has been cooking with."""

from __future__ import annotations

import math

from svg import PAPER, Point, element, num

from notes.guilloche import plain, ring, superellipse, swell, trace, waves
from notes.leader import leader
from notes.parts import disc, ground, noughts, overprint, plate, sheet, twice
from notes.shapes import clip, clipped, ellipse, group, lines, outlined, solid

VIOLET, TINT = "#5d4260", "#dccbc9"
LEAF = "M0 0C10-15 30-15 44 0C30 12 10 12 0 0Z"
LEAF_TILTS = (-34, 34)
LEAF_PAIRS = 13

Leaf = tuple[int, int]


def note() -> str:
    """The whole note."""
    return sheet(
        "10 tR: the beloved leader, face to be announced",
        ground(VIOLET) + lines(swell(2, 17, 41, 12, 237.25), TINT, 1.2),
        twice("edge", lines(waves((-4, 953), 36, 8, 30, 4), TINT, 1.5)),
        plate((240, 55, 650, 67), TINT) + plate((250, 60, 630, 57), VIOLET, 8),
        plate((150, 586, 650, 54), TINT) + plate((156, 590, 638, 46), VIOLET, 8),
        wheel(),
        portrait(),
        disc((108, 92), 38, VIOLET, 24),
        plate((556, 521, 328, 50), VIOLET),
        noughts(VIOLET),
        disc((848, 612), 26, VIOLET, 24),
        overprint(1.5, (72, 190, 256, 310), (396, 462)),
    )


def wheel() -> str:
    """The guilloche round the numeral."""
    base = superellipse((200, 345), (142, 166), 6)
    return (
        lines(ring(base, 14, 34, 6), TINT)
        + outlined(plain(base, -8, 16), VIOLET, 3)
        + lines(plain(base, -13, 16), VIOLET, 1.6)
    )


# ---- the vignette --------------------------------------------------------------------------------


def portrait() -> str:
    """Oval, bust and wreath."""
    oval = ellipse(0, 0, 158, 184)
    shade = "".join(f"M-158 {y}H158" for y in range(-180, 184, 7))
    bust = group("translate(0-32) scale(.9)", leader(VIOLET))
    whole = {(pair, tilt) for pair in range(LEAF_PAIRS) for tilt in LEAF_TILTS}
    return element("defs", clip("oval", oval)) + group(
        "translate(642 321)",
        laurel(-1, whole, PAPER),
        laurel(1, {(2, 34), (9, -34)}, PAPER),
        outlined(oval, PAPER, 14),
        clipped("oval", lines(shade, VIOLET, 2.2), bust),
        lines(oval, VIOLET, 4),
        lines(ellipse(0, 0, 164, 190), VIOLET, 1.6),
    )


def laurel(side: int, leaves: set[Leaf], ink: str) -> str:
    """Half a wreath about the origin, with the leaves still on it."""

    def stem(t: float) -> Point:
        """The way of the twig, from the bottom up."""
        return side * 192 * math.sin(t), 178 * math.cos(t) + 8

    parts = [lines(trace(stem, [0.25 + i * 0.4 for i in range(7)]), ink, 3.4)]
    for pair in range(LEAF_PAIRS):
        t = 0.3 + pair * 0.185
        (x, y), (next_x, next_y) = stem(t), stem(t + 0.02)
        turn = math.degrees(math.atan2(next_y - y, next_x - x))
        for tilt in LEAF_TILTS:
            place = f"translate({num(x)} {num(y)}) rotate({num(turn + tilt)})"
            parts.append(leaf(place, ink) if (pair, tilt) in leaves else stalk(place, ink))
    return "".join(parts)


def leaf(place: str, ink: str) -> str:
    """A leaf and its rib."""
    return group(place, solid(LEAF, ink), lines("M6 0H36", PAPER, 1.8))


def stalk(place: str, ink: str) -> str:
    """Where a leaf was."""
    return lines("M0 0L9 0", ink, 2.6, transform=place)

"""The back of all notes: the leader, the same either way up. Nothing runs along an edge, so that no
shift of the printer can be seen."""

from __future__ import annotations

from svg import PAPER, Point, element

from notes.guilloche import ring, rosette, superellipse, swell, waves
from notes.leader import leader
from notes.parts import HALF_TURN, ground, sheet
from notes.shapes import clip, clipped, ellipse, group, lines, outlined, solid, use

SEPIA, TINT = "#6a5f4c", "#dfd2b4"
MIDDLE: Point = (474.5, 347.5)


def note() -> str:
    """The whole back; what lies above the sash is drawn once and set again upside down."""
    oval = ellipse(*MIDDLE, 164, 226)
    rim = superellipse(MIDDLE, (178, 240), 2)
    return sheet(
        "Back of all notes: the leader, the same either way up",
        ground(TINT) + lines(swell(2.5, 15, 47, 8, 316.3), PAPER, 2),
        halves(oval),
        use("print") + use("print", transform=HALF_TURN),
        solid(ellipse(*MIDDLE, 192, 254), TINT),
        lines(ring(rim, 12, 56, 4), SEPIA),
        solid(oval, PAPER),
        court_card(),
        lines(oval, SEPIA, 4),
    )


def halves(oval: str) -> str:
    """What is drawn once: half the ornament, half the leader, and what they are cut with."""
    bust = group("translate(474.5 230) scale(.68)", leader(SEPIA))
    return element(
        "defs",
        clip("half", "M290 398L659 297V100H290Z")
        + clip("oval", oval)
        + element("g", clipped("half", bust), id="bust")
        + element("g", ornament(), id="print"),
    )


def ornament() -> str:
    """Fan, corner flowers and a band along the top."""
    fan = ring(superellipse((182, 347.5), (66, 66), 2), 46, 12, 7)
    return (
        lines(fan, SEPIA)
        + lines(rosette((182, 347.5), (8, 52), 9, 5), SEPIA, 1.3)
        + lines(rosette((112, 112), (12, 46), 8, 5), SEPIA)
        + lines(rosette((112, 583), (12, 46), 8, 5), SEPIA)
        + lines(waves((168, 781), 96, 22, 68, 6), SEPIA)
        + lines(waves((168, 781), 96, 22, 153.25, 3), SEPIA)
        + lines("M168 70V122M781 70V122", SEPIA, 2.4)
    )


def court_card() -> str:
    """The leader twice, as on a court card, with the sash between."""
    shade = lines("".join(f"M310 {y}H639" for y in range(124, 574, 7)), SEPIA, 2)
    sash = outlined("M290 391L659 290V304L290 405Z", SEPIA, 2.4)
    return clipped("oval", shade, use("bust"), use("bust", transform=HALF_TURN), sash)

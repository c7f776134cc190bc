"""The beloved leader: a bust about the middle of a face that is not there."""

from __future__ import annotations

from svg import PAPER, element

from notes.burin import Cut, form, hatch
from notes.parts import barrow
from notes.shapes import dot, ellipse, group, hoop, lines, outlined, solid

TUNIC = (
    "M-50 70C-92 96-140 96-164 124C-178 150-184 200-190 262H190C184 200 178 150 164 124"
    "C140 96 92 96 50 70L0 104Z"
)
COLLAR = "M-46 52L-58 84L0 116L58 84L46 52L0 92Z"
TABS = "M-50 66L-54 84-24 100-20 84ZM50 66L54 84 24 100 20 84Z"
CROWN = (
    "M-112-86C-116-124-56-146 0-146C56-146 116-124 112-86C100-66 72-62 62-56H-62"
    "C-72-62-100-66-112-86Z"
)
VISOR = "M-68-38C-40-50 40-50 68-38C56-6-56-6-68-38Z"


def leader(ink: str) -> str:
    """Tunic, face, cap and three rows of medals."""
    return tunic(ink) + face(ink) + cap(ink) + medals(3, ink)


def tunic(ink: str) -> str:
    """Tunic, epaulettes and collar."""
    return (
        solid(TUNIC, ink)
        + solid(hatch(TUNIC, Cut(100, 9, 2.4, (1, 0.8))), PAPER)
        + epaulette(1, ink)
        + epaulette(-1, ink)
        + lines("M0 112V262", PAPER, 2)
        + outlined(COLLAR, PAPER, inside=ink)
        + solid(TABS, PAPER)
    )


def epaulette(side: int, ink: str) -> str:
    """A shoulder board with its fringe."""
    board = "M92 92C120 92 150 98 172 114L162 134C140 120 116 114 88 112Z"
    fringe = "".join(f"M{164 + i * 4} {128 - i * 3}l{4 + i} 26" for i in range(5))
    return group(
        f"scale({side} 1)",
        outlined(board, ink, 2.4),
        lines(fringe + "M152 126l4 24M142 121l3 24", PAPER, 2.4),
        solid(hatch(board, Cut(26, 5, 2.2, (1, 0.2))), ink),
    )


def face(ink: str) -> str:
    """The place for a face: bare, with a line to cut along."""
    oval = ellipse(0, 8, 54, 70)
    return outlined(oval, PAPER, 9) + lines(oval, ink, 2.6, stroke_dasharray="9 6")


def cap(ink: str) -> str:
    """The cap, wider than the man, with the emblem."""
    tone = Cut(90, 6, 4.6, (1, 0.25)), Cut(0, 8, 2.4, (1, 0.62))
    badge = {"fill": PAPER, "stroke": ink}
    return (
        form(CROWN, ink, *tone, width=3)
        + solid("M-64-58H64V-34H-64Z", ink)
        + lines("M-64-46H64", PAPER, 2)
        + outlined(VISOR, PAPER, 1.8, ink)
        + lines("M-46-31C-20-39 20-39 46-31", PAPER, 2)
        + element("ellipse", cy=-76, rx=22, ry=24, **badge, stroke_width=2.4)
        + group("translate(0 -75) scale(.5)", barrow(ink))
    )


def medals(rows: int, ink: str) -> str:
    """Rows of medals on both sides of the buttons, one more on each side below the first."""
    return "".join(
        medal(side * (34 + 27 * i), 144 + 38 * row, (row * 2 + i + (side > 0)) % 6, ink)
        for row in range(rows)
        for side in (-1, 1)
        for i in range(4 + (row > 0))
    )


def medal(x: int, y: int, kind: int, ink: str) -> str:
    """A ribbon and what hangs from it: disc, lozenge, cog, plughole, key or tap."""
    ribbon = f"M{x - 7} {y - 14}H{x + 7}V{y - 4}L{x} {y + 2}L{x - 7} {y - 4}Z"
    key_bit = f"M{x} {y + 9}v13M{x} {y + 15}h6M{x} {y + 20}h6"
    plughole = {"fill": "none", "stroke": PAPER}
    pendants = (
        dot((x, y + 9), 8, PAPER) + hoop((x, y + 9), 4, ink, 1.8),
        solid(f"M{x} {y}l9 10-9 10-9-10Z", PAPER) + dot((x, y + 10), 3, ink),
        hoop((x, y + 9), 7, PAPER, 5, PAPER, stroke_dasharray="3 2.5") + dot((x, y + 9), 3, ink),
        element("ellipse", cx=x, cy=y + 10, rx=6, ry=8, **plughole, stroke_width=4),
        hoop((x, y + 5), 4, PAPER, 3.4) + lines(key_bit, PAPER, 3),
        solid(f"M{x - 9} {y + 3}h18v5h-6v4h5v8h-5v-4h-12v-8Z", PAPER),
    )
    return solid(ribbon, PAPER) + lines(f"M{x} {y - 14}V{y}", ink, 2.4) + pendants[kind]

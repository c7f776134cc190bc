"""What every note has: the sheet, plates and discs for print, the emblem, the overprint."""

from __future__ import annotations

from svg import INK, PAPER, Point, document, element

from notes.guilloche import rosette
from notes.shapes import dot, group, hoop, lines, outlined, rectangle, solid, use

WIDTH, HEIGHT = 949, 695
HALF_TURN = f"rotate(180 {WIDTH / 2} {HEIGHT / 2})"

Box = tuple[float, float, float, float]


def sheet(title: str, *parts: str) -> str:
    """The whole SVG of a note, one part a line."""
    return document(WIDTH, HEIGHT, title, ground(PAPER), *parts)


def ground(colour: str) -> str:
    """The whole sheet in one colour."""
    return element("rect", width=WIDTH, height=HEIGHT, fill=colour)


def twice(name: str, part: str) -> str:
    """The part, and the part again turned half round the middle of the sheet."""
    return element("g", part, id=name) + use(name, transform=HALF_TURN)


def disc(centre: Point, radius: float, ink: str, lobes: int = 14) -> str:
    """A corner rosette with a calm middle for a small numeral."""
    return (
        dot(centre, radius + 8, PAPER)
        + lines(rosette(centre, (radius * 0.72, radius + 4), lobes, 5), ink, 1.3)
        + hoop(centre, radius * 0.74, ink, 2, PAPER)
    )


def plate(box: Box, ink: str, notch: float = 12) -> str:
    """A calm plate with bitten corners for one line of print."""
    left, top, width, height = box
    right, bottom = left + width, top + height
    return outlined(
        f"M{left + notch} {top}H{right - notch}"
        f"Q{right - notch} {top + notch} {right} {top + notch}V{bottom - notch}"
        f"Q{right - notch} {bottom - notch} {right - notch} {bottom}H{left + notch}"
        f"Q{left + notch} {bottom - notch} {left} {bottom - notch}V{top + notch}"
        f"Q{left + notch} {top + notch} {left + notch} {top}Z",
        ink,
    )


def noughts(ink: str) -> str:
    """The twelve noughts of a trillion, engraved once, no longer worth counting."""
    ovals = "".join(element("ellipse", cx=92 + i * 19.6, cy=546, rx=6, ry=11) for i in range(12))
    row = element("g", ovals, fill="none", stroke=ink, stroke_width=3)
    return plate((66, 522, 268, 48), ink) + row


def barrow(ink: str) -> str:
    """The state's emblem about the origin: a wheelbarrow heaped with money."""
    heap = "M-22-8L-14-20-4-16 4-26 14-19 20-22 26-8Z"
    tray = "M-27-7H30L18 11H-14Z"
    legs = "M-14 11L-20 20M18 6L-25 6L-34-2"
    return (
        solid(heap + tray, ink)
        + lines(legs, ink, 3, stroke_linecap="round")
        + hoop((16, 15), 7, ink, 3.4)
    )


def overprint(tilt: float, frame: Box, stamp: Point) -> str:
    """What the mint added this morning: frame of the new value, bar over the noughts, stamp."""
    left, top, width, height = frame
    right, bottom = left + width, top + height
    corners = f"M{left} {top + 34}V{top}H{left + 34}M{right} {bottom - 34}V{bottom}H{right - 34}"
    bar = "M60 541L341 529V539L60 551ZM72 559L330 548V551L72 562Z"
    return (
        group(
            f"rotate({tilt} 200 345)",
            lines(rectangle(*frame), INK, 2),
            lines(corners, INK, 7),
        )
        + solid(bar, INK)
        + group(f"translate({stamp[0]} {stamp[1]}) rotate(-17)", seal())
    )


def seal() -> str:
    """The rubber stamp about the origin."""
    pen = {"fill": "none", "stroke": INK}
    return (
        element("circle", r=43, **pen, stroke_width=4.5, stroke_dasharray="120 7 60 3")
        + element("circle", r=36, **pen, stroke_width=1.6)
        + barrow(INK)
    )

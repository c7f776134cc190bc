"""The note of 1 tR: a loaf outweighs a heap of money."""

from __future__ import annotations

from svg import PAPER, element

from notes.burin import Cut, form, hatch
from notes.guilloche import plain, ring, rosette, superellipse, waves
from notes.parts import disc, noughts, overprint, sheet, twice
from notes.shapes import dot, ellipse, group, hoop, lines, outlined, rectangle, solid

SLATE, TINT = "#4c5f66", "#d9dad0"
ON_ITS_SIDE = "matrix(0 1 1 0 0 0)"


def note() -> str:
    """The whole note."""
    return sheet(
        "1 tR: a loaf outweighs a heap of notes; the pot is empty",
        rosettes(),
        frame(),
        wheel(),
        still_life(),
        disc((108, 92), 38, SLATE),
        disc((848, 607), 30, SLATE),
        noughts(SLATE),
        lines("M560 573H880M250 124H880", SLATE, 1.6),
        overprint(-2.2, (74, 188, 252, 314), (392, 470)),
    )


def rosettes() -> str:
    """The pale ground: two large flowers and a band of waves above and below."""
    centre, across = (625, 325), (-4, 953)
    flowers = rosette(centre, (40, 265), 18, 5) + rosette(centre, (180, 330), 36, 2)
    bands = waves(across, 88, 24, 160, 6) + waves(across, 608, 28, 160, 7)
    return lines(flowers, TINT, 2) + lines(bands, TINT, 2)


def frame() -> str:
    """A chain round the sheet, knotted at the corners, and a line inside it."""
    chain = lines(waves((47.5, 901.5), 43, 5.5, 24.4, 3), SLATE)
    side = lines(waves((47.5, 647.5), 43, 5.5, 24, 3), SLATE, transform=ON_ITS_SIDE)
    knots = "".join(hoop((43, y), 8, SLATE, 2, PAPER) + dot((43, y), 3, SLATE) for y in (43, 652))
    return twice("frame", chain + side + knots) + lines(rectangle(52, 52, 845, 591), SLATE, 2)


def wheel() -> str:
    """The guilloche round the numeral."""
    base = superellipse((200, 345), (130, 160), 2)
    return (
        solid(plain(base), PAPER)
        + lines(ring(base, 16, 30, 6), SLATE, 1.3)
        + lines(ring(base, 7, 60, 2, -17), SLATE, 1.2)
    )


# ---- the vignette --------------------------------------------------------------------------------


def still_life() -> str:
    """Scales with bread and money, notes falling, the pot."""
    lines_below = "".join(f"M{372 + 9 * i} {506 + 4 * i}H{878 - 13 * i}" for i in range(2))
    shadow = "M640 500H880V506H640ZM372 500H530V506H372Z"
    return (
        lines(lines_below, SLATE, 2)
        + solid(hatch(shadow, Cut(0, 3, 2.4)), SLATE)
        + scales()
        + pan(452, 398, 240)
        + loaf(452, 399)
        + lines("M360 398L452 240L544 398", SLATE, 1.6)
        + heap()
        + pan(782, 318, 164)
        + loose(664, 300, 28)
        + loose(690, 372, -24)
        + loose(652, 432, 62)
        + pot(806, 500)
    )


def scales() -> str:
    """Column and tilted beam; the loaf's end is down."""
    shaft = "M612 186L606 470H634L628 186Z"
    foot = "M592 470H648C654 484 690 486 704 492V506H536V492C550 486 586 484 592 470Z"
    beam = (
        "M448 236C500 208 560 184 616 172C672 154 730 146 792 160L793 168"
        "C732 160 680 174 622 192C566 206 508 224 452 244Z"
    )
    return (
        form(shaft, SLATE, Cut(0, 6, 3.4, (1, 0.3)))
        + form(foot, SLATE, Cut(90, 5, 3.4, (1, 0.25)))
        + form(beam, SLATE, Cut(80, 5, 2.8, (1, 0.2)))
        + hoop((620, 184), 16, SLATE, 3, PAPER)
        + dot((620, 184), 5, SLATE)
        + form(ellipse(620, 160, 11, 13), SLATE, Cut(0, 4, 2.4, (1, 0.3)))
    )


def pan(x: float, y: float, top: float) -> str:
    """A pan hung by two cords from a height."""
    bowl = (
        f"M{x - 96} {y}H{x + 96}C{x + 80} {y + 26} {x + 40} {y + 32} {x} {y + 32}"
        f"C{x - 40} {y + 32} {x - 80} {y + 26} {x - 96} {y}Z"
    )
    cords = f"M{x - 92} {y}L{x} {top}L{x + 92} {y}"
    return lines(cords, SLATE, 2) + form(bowl, SLATE, Cut(90, 5, 3.4, (1, 0.1)))


def loaf(x: float, y: float) -> str:
    """A round country loaf, sitting on y."""
    crust = (
        f"M{x - 78} {y}C{x - 92} {y - 48} {x - 46} {y - 88} {x + 2} {y - 88}"
        f"C{x + 52} {y - 88} {x + 92} {y - 46} {x + 78} {y}Z"
    )
    slits = "".join(slit(x + aside, y) for aside in (-34, 0, 34))
    tone = Cut(8, 5, 4, (1, 0.15), 5), Cut(98, 8, 2.6, (1, 0.55))
    return (
        form(crust, SLATE, *tone, width=3)
        + outlined(slits, SLATE)
        + solid(hatch(slits, Cut(60, 4.5, 2.4, (0, 0.7))), SLATE)
    )


def slit(x: float, y: float) -> str:
    """One cut in the crust."""
    return (
        f"M{x - 20} {y - 22}C{x - 12} {y - 44} {x} {y - 62} {x + 14} {y - 72}"
        f"C{x + 12} {y - 54} {x - 2} {y - 34} {x - 20} {y - 22}Z"
    )


def heap() -> str:
    """Bundles in a pyramid; left end, step, height and count of each row."""
    rows = (
        (695, 56, 296, 3),
        (702, 56, 274, 3),
        (722, 55, 252, 2),
        (733, 48, 230, 2),
        (753, 0, 208, 1),
    )
    return "".join(bundle(x + step * i, y) for x, step, y, count in rows for i in range(count))


def bundle(x: float, y: float) -> str:
    """A banded bundle of notes, 54 x 22, seen from the edge."""
    leaves = "".join(f"M{x} {y + i * 3.6}h54" for i in range(1, 6))
    return (
        outlined(rectangle(x, y, 54, 22), SLATE)
        + lines(leaves, SLATE, 1.3)
        + solid(rectangle(x + 20, y, 14, 22), SLATE)
    )


def loose(x: float, y: float, turn: float) -> str:
    """A single note on its way down."""
    leaf = "M-26-12Q-8-20 4-12Q16-5 28-13L26 11Q14 19 2 11Q-10 4-28 12Z"
    oval = element("ellipse", rx=8, ry=6, fill="none", stroke=SLATE, stroke_width=1.8)
    return group(f"translate({x} {y}) rotate({turn})", outlined(leaf, SLATE), oval)


def pot(x: float, y: float) -> str:
    """The empty pot, tipped on its side, its mouth towards us, and the spoon."""
    handle = f"M{x + 4} {y - 101}C{x + 6} {y - 122} {x + 40} {y - 122} {x + 42} {y - 99}"
    body = (
        f"M{x - 44} {y - 98}C{x + 10} {y - 104} {x + 62} {y - 96} {x + 70} {y - 76}"
        f"C{x + 80} {y - 52} {x + 76} {y - 22} {x + 64} {y - 8}"
        f"C{x + 40} {y + 2} {x} {y + 2} {x - 40} {y}Z"
    )
    tone = Cut(4, 5, 4.2, (1, 0.25), 3), Cut(94, 9, 2.4, (1, 0.55))
    hollow = ellipse(x - 40, y - 49, 23, 42)
    stem = f"M{x - 72} {y + 2}L{x - 14} {y + 7}"
    return (
        lines(handle, SLATE, 7)
        + lines(handle, PAPER, 2.4)
        + form(body, SLATE, *tone, width=3)
        + outlined(ellipse(x - 42, y - 49, 30, 50), SLATE, 3)
        + solid(hollow, SLATE)
        + solid(hatch(hollow, Cut(0, 6, 2.2, (1, 0.55))), PAPER)
        + lines(stem, SLATE, 4, stroke_linecap="round")
        + form(ellipse(x - 86, y + 1, 15, 6.5), SLATE, Cut(0, 4, 2, (1, 0.3)))
    )

"""The note of 5 tR: the convoy drives home to the sun."""

from __future__ import annotations

import math

from svg import PAPER, element

from notes.burin import Cut, form, hatch
from notes.guilloche import plain, rays, ring, superellipse, waves
from notes.parts import HEIGHT, WIDTH, disc, noughts, overprint, plate, sheet, twice
from notes.shapes import clip, clipped, dot, hoop, lines, outlined, rectangle, solid, use

OXBLOOD, TINT = "#8c3b2e", "#edcfb4"
ON_ITS_SIDE = "matrix(0 1 1 0 0 0)"
SUN = (452, 268)

# The column from far to near: vehicle, place, scale.
COLUMN = (
    ("t", 478, 274, 0.07),
    ("l", 506, 277, 0.1),
    ("t", 548, 283, 0.15),
    ("l", 592, 292, 0.21),
    ("t", 612, 309, 0.28),
    ("l", 560, 331, 0.34),
    ("t", 480, 352, 0.42),
    ("l", 446, 398, 0.56),
    ("t", 560, 446, 0.82),
    ("l", 752, 502, 1.36),
)


def note() -> str:
    """The whole note."""
    return sheet(
        "5 tR: the convoy drives home to the sun",
        solid(rays(SUN, (60, 900), 44, 0.5), TINT),
        solid(f"M0 0H{WIDTH}V{HEIGHT}H0ZM48 50V645H901V50Z", OXBLOOD, fill_rule="evenodd"),
        solid(teeth(), OXBLOOD),
        trim(),
        convoy(),
        wheel(),
        disc((108, 94), 34, OXBLOOD, 20),
        disc((848, 605), 28, OXBLOOD, 20),
        noughts(OXBLOOD),
        plate((240, 63, 648, 58), OXBLOOD, 9) + plate((150, 588, 650, 46), OXBLOOD, 9),
        plate((556, 521, 326, 50), OXBLOOD, 9),
        overprint(-3, (76, 192, 250, 308), (388, 470)),
    )


def teeth() -> str:
    """Small teeth along the inside of the frame, above and below."""
    places = [f"{48 + i * 21.32:.1f}" for i in range(40)]
    return "".join(f"M{x} 50l10.7 9 10.7-9ZM{x} 645l10.7-9 10.7 9Z" for x in places)


def trim() -> str:
    """Pale waves on the dark frame."""
    level = lines(waves((-4, 953), 40, 4.5, 20, 2), PAPER, 1.6)
    upright = lines(waves((54, 641), 39, 4.5, 19.57, 2), PAPER, 1.6, transform=ON_ITS_SIDE)
    return twice("trim", level + upright)


def wheel() -> str:
    """The guilloche round the numeral."""
    base = superellipse((200, 345), (128, 160), 2.2)
    return (
        solid(plain(base, 22), PAPER)
        + lines(ring(base, 12, 44, 4, 8), OXBLOOD, 1.5)
        + outlined(plain(base), OXBLOOD)
        + lines(ring(base, 9, 26, 5, -11), OXBLOOD)
        + outlined(plain(base, -21), OXBLOOD)
    )


# ---- the vignette --------------------------------------------------------------------------------


def convoy() -> str:
    """The column on its road, far to near."""
    vehicles = element("g", lorry(), id="l") + element("g", tank(), id="t")
    column = (
        use(kind, transform=f"translate({x} {y}) scale({scale})") for kind, x, y, scale in COLUMN
    )
    return element("defs", vehicles) + landscape() + "".join(column)


def landscape() -> str:
    """Sun, horizon, furrows and the road that winds back to it."""
    view = rectangle(48, 130, 853, 382)
    light = solid(rays(SUN, (84, 700), 40, 0.5, (math.pi, math.tau)), OXBLOOD)
    sky = solid(rectangle(48, 130, 853, 138), PAPER) + light
    return element("defs", clip("view", view)) + clipped("view", sky, sun(), fields(), road())


def sun() -> str:
    """The setting sun, cut by bars of haze."""
    haze = "M380 229H524v2H380ZM380 238H524v3H380ZM380 248H524v4H380ZM380 259H524v5H380Z"
    return hoop(SUN, 66, OXBLOOD, 3, PAPER) + dot(SUN, 59, OXBLOOD) + solid(haze, PAPER)


def fields() -> str:
    """Furrows on both sides of the road."""
    left = "M48 274H476C520 280 592 290 592 304C592 326 400 326 400 372C400 424 540 440 560 512H48Z"
    right = "M901 274H500C540 276 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480Z"
    furrows = hatch(left, Cut(0, 7.4, 4.4, (0, 0.97))) + hatch(right, Cut(0, 7.4, 4.4, (1, 0.04)))
    return (
        solid("M48 268H901V512H48Z", PAPER)
        + solid(furrows, OXBLOOD)
        + lines("M48 268H901M48 512H901", OXBLOOD, 3)
    )


def road() -> str:
    """The road and its verges."""
    surface = (
        "M446 268H458C520 274 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480"
        "V512H560C540 440 400 424 400 372C400 326 590 326 590 304C590 288 470 278 446 268Z"
    )
    verges = (
        "M446 268C470 278 590 288 590 304C590 326 400 326 400 372C400 424 540 440 560 512"
        "M458 268C520 274 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480"
    )
    return solid(surface, PAPER) + lines(verges, OXBLOOD, 2.4)


# ---- the vehicles, from behind, 100 wide on y 0 --------------------------------------------------


def lorry() -> str:
    """A lorry with a washing machine, a sofa and a lamp, all tied on."""
    shadow = "M-58 0C-30-5 30-5 58 0C30 5-30 5-58 0Z"
    wheels, axle = "M-48-24h18v24h-18ZM30-24h18v24h-18Z", "M-46-38H46V-22H-46Z"
    shade, crate = "M30-206L42-238L68-230L64-196Z", rectangle(8, -112, 36, 44)
    ropes = "M-49-78L-14-164M50-78L18-164M-49-78L30-118M50-78L-26-118"
    lights, number = "M-44-46h9v8h-9ZM35-46h9v8h-9Z", "M-12-62H12V-48H-12Z"
    return (
        solid(shadow, OXBLOOD)
        + solid(wheels, OXBLOOD)
        + solid(axle, OXBLOOD)
        + lines("M30-158L46-210", OXBLOOD, 3)
        + form(shade, OXBLOOD, Cut(110, 5, 3, (1, 0.3)))
        + sofa()
        + washing_machine()
        + form(crate, OXBLOOD, Cut(45, 6, 3, (1, 0.1)), Cut(135, 6, 2, (1, 0.1)))
        + form(rectangle(-50, -78, 100, 42), OXBLOOD, Cut(90, 8, 4.4, (1, 0.1)), width=3)
        + lines(ropes, OXBLOOD, 1.8)
        + outlined(lights, OXBLOOD)
        + outlined(number, OXBLOOD)
    )


def sofa() -> str:
    """The sofa on top of the load."""
    outline = (
        "M-50-128C-56-150-44-152-40-142V-160C-20-168 24-168 44-160V-142C50-152 60-150 54-128"
        "V-116H-50Z"
    )
    seams = "M-40-142V-126H44V-142M2-163V-126"
    tone = Cut(90, 5.4, 3.4, (1, 0.3))
    return form(outline, OXBLOOD, tone, width=2.6) + lines(seams, OXBLOOD, 2.4)


def washing_machine() -> str:
    """The washing machine, porthole towards us."""
    return (
        form(rectangle(-44, -118, 46, 50), OXBLOOD, Cut(0, 5, 3, (1, 0.72)), width=2.6)
        + hoop((-22, -90), 15, OXBLOOD, 2.6, PAPER)
        + dot((-22, -90), 9, OXBLOOD)
        + lines("M-44-110H2M-38-114h10", OXBLOOD, 2.2)
    )


def tank() -> str:
    """A tank with a fridge and a rolled carpet."""
    shadow = "M-60 0C-30-5 30-5 60 0C30 5-30 5-60 0Z"
    tracks = "M-50-44h22V0h-22ZM28-44h22V0H28Z"
    treads = "".join(f"M{x} {-6 - i * 7}h22" for x in (-50, 28) for i in range(6))
    turret = "M-36-44L-28-70H28L36-44Z"
    return (
        solid(shadow, OXBLOOD)
        + solid(tracks, OXBLOOD)
        + lines(treads, PAPER, 1.8)
        + form("M-28-42H28V-12H-28Z", OXBLOOD, Cut(0, 5, 3.2, (1, 0.1)))
        + form(turret, OXBLOOD, Cut(0, 5, 3.6, (1, 0.3)), width=2.6)
        + lines("M-14-72L-58-102", OXBLOOD, 7)
        + form(rectangle(-12, -124, 30, 54), OXBLOOD, Cut(0, 5, 3, (1, 0.55)), width=2.6)
        + lines("M-12-104H18M-6-98v10", OXBLOOD, 2.4)
        + form("M-46-78H54V-62H-46Z", OXBLOOD, Cut(90, 6, 3, (1, 0.2)))
        + hoop((54, -70), 9, OXBLOOD, 2.4, PAPER)
        + hoop((54, -70), 4, OXBLOOD, 2)
        + lines("M-30-44L3-126L32-44", OXBLOOD, 1.8)
    )

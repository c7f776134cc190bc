"""Small landscapes for cards that have no picture yet: hills, peaks, sea, town, wood and dunes.

The same name gives the same landscape on every machine. All colours derive from one. Lengths are in
millimetres, as in the viewBox. The things in them are drawn in landscape_parts.svg.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

from cardgen.looks.geometry_functions import smooth
from cardgen.looks.look_colours import get_chroma_and_hue, make_oklch_colour, mix
from cardgen.looks.ornaments import format_mm, format_svg, load_parts, place_path

_PARTS = load_parts(Path(__file__).with_name("landscape_parts.svg"))
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
Choice = TypeVar("Choice")
Outline = list[tuple[float, float]]


class SeededRandom:
    """Random numbers that are equal for equal names."""

    def __init__(self, name: str) -> None:
        self._name = name.encode()
        self._count = 0

    def __call__(self, low: float = 0.0, high: float = 1.0) -> float:
        self._count += 1
        block = hashlib.sha256(b"%d/%s" % (self._count, self._name)).digest()
        return low + (high - low) * int.from_bytes(block[:4], "big") / 2**32

    def choose(self, choices: Sequence[Choice]) -> Choice:
        return choices[int(self() * len(choices))]


class Mood(NamedTuple):
    """An hour of the day: (lightness, chroma) of the sky above and below, and the lightness of the
    land far off and near."""

    above: tuple[float, float]
    below: tuple[float, float]
    far: float
    near: float
    dark: bool


MOODS = {
    "dawn": Mood((0.84, 0.050), (0.955, 0.035), 0.83, 0.40, False),
    "noon": Mood((0.76, 0.075), (0.94, 0.035), 0.76, 0.34, False),
    "evening": Mood((0.52, 0.085), (0.87, 0.085), 0.64, 0.25, False),
    "midnight": Mood((0.25, 0.055), (0.50, 0.070), 0.42, 0.17, True),
}


def draw_landscape(name: str, width: float, height: float, colour: str, mood: str = "") -> bytes:
    """Draw the landscape of that name as an SVG. Its colours derive from `colour`. Without a mood,
    one of `MOODS`, the name decides the hour."""
    canvas = LandscapeCanvas(name, width, height, colour, mood)
    _draw_sky(canvas)
    canvas.random.choose(_MOTIFS)(canvas)
    sky = (
        f'<linearGradient id="s" x1="0" y1="0" x2="0" y2="0.8"><stop offset="0" '
        f'stop-color="{canvas.above}"/><stop offset="1" stop-color="{canvas.below}"/>'
        f"</linearGradient>"
    )
    return format_svg(width, height, "".join(canvas.elements), sky)


class LandscapeCanvas:
    """A landscape while it is drawn. `unit` is the length by which things in it are sized."""

    def __init__(self, name: str, width: float, height: float, colour: str, mood: str) -> None:
        self.width, self.height = width, height
        self.unit = max(min(width, height * 1.25), width / 8)
        self.random = SeededRandom(name)
        hour = self.random.choose(("dawn", "noon", "noon", "evening", "evening", "midnight"))
        self.mood = MOODS[mood or hour]
        chroma, self._hue = get_chroma_and_hue(colour)
        self._chroma = min(0.12, max(0.03, chroma))
        self._hue_shift = self.random.choose((-35, 25, 40))
        lightness, strength = self.mood.above
        strength *= min(1.0, 0.35 + self._chroma / 0.1)
        self.above = make_oklch_colour(lightness, strength, self._hue)
        self.below = make_oklch_colour(
            *self.mood.below, self._hue + self._hue_shift if self.mood.dark else 70
        )
        is_warm = abs((self._hue - 50 + 180) % 360 - 180) < 55
        is_red = self.mood is MOODS["noon"] and not is_warm
        self.light = make_oklch_colour(*((0.70, 0.16, 40) if is_red else (0.955, 0.055, 88)))
        self.lamp = make_oklch_colour(0.87, 0.12, 82)
        self.sun = (0.0, 0.0, 0.0)
        """Centre and radius of the sun or moon."""
        self.elements: list[str] = []
        sail, dark = mix("#ffffff", self.below, 0.3), self.get_land(1.0)
        self._palette = {
            "dark": dark,
            "sail": sail,
            "sail-shade": mix(sail, self.get_land(0.4), 0.3),
            "band": self.get_land(0.75),
            "lamp": self.lamp,
            "smoke": mix(self.below, "#ffffff", 0.4),
            "wall": mix("#ffffff", self.below, 0.35),
            "window": self.lamp if self.mood.dark else dark,
            "leaves": self.get_land(0.92),
        }

    def get_land(self, nearness: float) -> str:
        """Return the colour of land: 0 far off, 1 close by."""
        lightness = self.mood.far + (self.mood.near - self.mood.far) * nearness
        return make_oklch_colour(
            lightness,
            self._chroma * (0.5 + 0.5 * nearness) * min(1.0, 0.4 + lightness),
            self._hue + self._hue_shift * (1 - nearness) * 0.8,
        )

    def add_path(self, data: str, fill: str) -> None:
        self.elements.append(f'<path d="{data}" fill="{fill}"/>')

    def add_line(self, data: str, colour: str, thick: float, opacity: float = 1) -> None:
        more = "" if opacity == 1 else f' stroke-opacity="{opacity}"'
        self.elements.append(
            f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{format_mm(thick)}" '
            f'stroke-linecap="round"{more}/>'
        )

    def add_circle(self, x: float, y: float, radius: float, fill: str, opacity: float = 1) -> None:
        more = "" if opacity == 1 else f' fill-opacity="{opacity}"'
        self.elements.append(
            f'<circle cx="{format_mm(x)}" cy="{format_mm(y)}" r="{format_mm(radius)}" '
            f'fill="{fill}"{more}/>'
        )

    def add_part(self, name: str, x: float, y: float, size: float) -> None:
        """Add a part of landscape_parts.svg at x, y. Its size is a share of the unit."""
        scale = size * self.unit
        for path in _PARTS[name][1:]:
            attributes = {**path, "d": place_path(path["d"], x, y, scale)}
            if "stroke-width" in path:
                attributes["stroke-width"] = format_mm(float(path["stroke-width"]) * scale)
            text = " ".join(f'{key}="{value}"' for key, value in attributes.items())
            text = _VARIABLE.sub(lambda match: self._palette[match[1]], text)
            self.elements.append(f"<path {text}/>")

    def make_ridge(self, base: float, swing: float, waves: float) -> Outline:
        """Return a soft outline at a share `base` of the height, `swing` units up and down."""
        waves = max(0.6, waves * self.width / self.unit)
        count = min(36, max(6, round(waves * 5)))
        phases = [self.random(0, math.tau) for _ in range(3)]
        points = []
        for k in range(count + 1):
            angle = k / count * waves * math.tau
            rise = sum(
                math.sin(angle * pace + phase) * share
                for pace, share, phase in zip((1, 1.7, 2.9), (0.6, 0.3, 0.1), phases, strict=True)
            )
            points.append((k / count * self.width, self.height * base - rise * swing * self.unit))
        return points

    def add_ground(self, outline: Outline, fill: str) -> None:
        """Fill the land under an outline, down to the lower edge."""
        rounded = [(round(x, 2), round(y, 2)) for x, y in outline]
        tall = format_mm(self.height)
        self.add_path(f"{smooth(rounded)}L{format_mm(self.width)} {tall}L0 {tall}Z", fill)

    def add_water(self, top: float, fill: str) -> None:
        """Fill everything below `top`."""
        box = place_path("M0 0H1V1H0Z", 0, top, self.width, self.height - top)
        self.add_path(box, fill)


def _draw_sky(canvas: LandscapeCanvas) -> None:
    """Draw the sky, the sun or the moon with its halo, and what is in the air."""
    random, mood, width, height = canvas.random, canvas.mood, canvas.width, canvas.height
    canvas.add_water(0, "url(#s)")
    x, y = width * random.choose((0.3, 0.38, 0.62, 0.7)), height * random(0.26, 0.40)
    radius = canvas.unit * random(0.10, 0.14)
    canvas.sun = x, y, radius
    if mood.dark:
        _draw_stars(canvas)
    halo = mix(canvas.below, canvas.light, 0.4)
    opacities = (0.07, 0.09, 0.12) if mood.dark else (0.20, 0.24, 0.28)
    for share, opacity in zip((4.6, 3.3, 2.2), opacities, strict=True):
        canvas.add_circle(x, y, radius * share, halo, opacity)
    if mood.dark and random() < 0.6:
        crescent = "M0 -1a1 1 0 1 1 -.92 1.42a.82 .82 0 1 0 .92 -1.42Z"
        canvas.add_path(place_path(crescent, x, y, radius), canvas.light)
    else:
        canvas.add_circle(x, y, radius, canvas.light)
    _draw_clouds(canvas)
    if not mood.dark:
        _draw_birds(canvas)


def _draw_stars(canvas: LandscapeCanvas) -> None:
    random, unit = canvas.random, canvas.unit
    pale = mix(canvas.light, canvas.above, 0.25)
    for _ in range(26):
        x, y = random(0, canvas.width), random(0, canvas.height * 0.55)
        canvas.add_circle(x, y, unit * random(0.002, 0.0055), pale)
    data = ""
    for _ in range(4):
        x, y = random(0.05, 0.95) * canvas.width, random(0.05, 0.42) * canvas.height
        data += place_path(_PARTS["star"][1]["d"], x, y, unit * random(0.010, 0.020))
    canvas.add_path(data, canvas.light)


def _draw_clouds(canvas: LandscapeCanvas) -> None:
    random, unit = canvas.random, canvas.unit
    colour = mix(canvas.below, canvas.above if canvas.mood.dark else "#ffffff", 0.45)
    for _ in range(random.choose((1, 2, 2, 3))):
        x, y = random(0.02, 0.86) * canvas.width, random(0.10, 0.42) * canvas.height
        thick, long = unit * random(0.020, 0.030), unit * random(0.16, 0.30)
        if not (canvas.mood.dark and abs(x + long / 2 - canvas.sun[0]) < long):
            bars = place_path("M0 0h1M.22 -1h.42M-.18 1h.7", x, y, long, thick)
            canvas.add_line(bars, colour, thick, 0.75)


def _draw_birds(canvas: LandscapeCanvas) -> None:
    random, unit = canvas.random, canvas.unit
    data, x, y = "", random(0.25, 0.75) * canvas.width, random(0.12, 0.26) * canvas.height
    for k in range(random.choose((3, 4, 5))):
        wing = unit * random(0.018, 0.028)
        aside, behind = unit * 0.075 * (k - 1), unit * (0.035 * abs(k - 1) + random(0, 0.025))
        data += place_path("M0 0q.55 -.6 1 0q.55 -.6 1 0", x + aside, y + behind, wing)
    canvas.add_line(data, canvas.get_land(0.9), unit * 0.007)


def _draw_peak(canvas: LandscapeCanvas, x: float, y: float, high: float, fill: str) -> None:
    """Draw a mountain with a lit side, a shadow and a cap of snow."""
    wide, lean = canvas.random(0.80, 1.0), canvas.random(-0.06, 0.06)
    snow = mix("#ffffff", canvas.below, 0.45 if canvas.mood.dark else 0.25)
    deep = canvas.random(0.26, 0.36)
    half, notch = wide * deep, deep * 0.34
    low = deep - 1
    for data, colour in (
        (f"M{-wide} 0L0 -1L{wide} 0Z", fill),
        (f"M0 -1l{lean:.9f} .3l.08 .2l-.12 .5H{wide}Z", mix(fill, canvas.get_land(0.8), 0.35)),
        (
            f"M0 -1L{half} {low}L{half * 0.45} {low - notch}L{half * 0.1} {low + notch * 0.6}"
            f"L{-half * 0.4} {low - notch * 0.8}L{-half} {low}Z",
            snow,
        ),
    ):
        canvas.add_path(place_path(data, x, y, high), colour)


def _draw_firs(
    canvas: LandscapeCanvas, outline: Outline, count: int, size: float, clearing: float = -1
) -> None:
    """Draw firs along an outline, except round a clearing at that x."""
    random, data = canvas.random, ""
    count = min(40, max(3, round(count * canvas.width / canvas.unit)))
    for k in range(count):
        x, y = _find_point(outline, (k + random(0, 0.9)) * canvas.width / count)
        tall = canvas.unit * size * random(0.7, 1.25)
        if abs(x - clearing) >= canvas.unit * 0.15:
            data += place_path(_PARTS["fir"][1]["d"], x, y, tall)
    canvas.add_path(data, canvas.get_land(min(1.0, 0.24 + size * 3)))


def _draw_mill(canvas: LandscapeCanvas, x: float, y: float) -> None:
    canvas.add_part("mill", x, y, 0.075)
    hub = y - canvas.unit * 0.075 * 1.45
    turn = round(math.degrees(canvas.random(0.2, 1.3)), 2)
    place = f"{format_mm(x)} {format_mm(hub)}"
    canvas.elements.append(f'<g transform="translate({place}) rotate({turn:g})">')
    canvas.add_part("mill-sails", 0, 0, 0.075)
    canvas.elements.append("</g>")


def _draw_lighthouse(canvas: LandscapeCanvas, x: float, y: float) -> None:
    if canvas.mood.above[0] < 0.7:
        reach = 1 if x < canvas.width / 2 else -1
        canvas.elements.append(
            f'<linearGradient id="b" x1="{int(reach < 0)}" x2="{int(reach > 0)}">'
            f'<stop offset="0" stop-color="{canvas.lamp}" stop-opacity="0.7"/>'
            f'<stop offset="1" stop-color="{canvas.lamp}" stop-opacity="0"/></linearGradient>'
        )
        size = canvas.unit * 0.15
        beam = place_path(_PARTS["beam"][1]["d"], x, y, size * reach, size)
        canvas.add_path(beam, "url(#b)")
    canvas.add_part("lighthouse", x, y, 0.15)


def _draw_hills(canvas: LandscapeCanvas) -> None:
    """Draw hills one behind another, with a mill or a cottage on one of them."""
    random = canvas.random
    home = random.choose(("mill", "cottage"))
    for k, base in enumerate((0.56, 0.64, 0.72, 0.81, 0.91)):
        outline = canvas.make_ridge(base, 0.075 - 0.006 * k, random(0.7, 1.2))
        fill = canvas.get_land((k + 0.3) / 4.4)
        if k in (1, 2):
            _draw_firs(canvas, outline, 7, 0.06 + 0.012 * k)
        if k == 3:
            share = random.choose((0.24, 0.34, 0.66, 0.76))
            place = _find_point(outline, share * canvas.width)
            if home == "mill":
                _draw_mill(canvas, *place)
            else:
                canvas.add_part("cottage", *place, 0.055)
            canvas.add_part("tree", *_find_point(outline, (share + 0.13) * canvas.width), 0.06)
        canvas.add_ground(outline, fill)
        for step in range(1, 4) if k == 3 else ():
            furrow = [(round(x, 2), round(y + step * canvas.height * 0.035, 2)) for x, y in outline]
            colour = mix(fill, canvas.get_land(0.2), 0.25)
            canvas.add_line(smooth(furrow), colour, canvas.unit * 0.006)


def _draw_peaks(canvas: LandscapeCanvas) -> None:
    """Draw mountains with snow on them, and woods at their feet."""
    random, width, unit = canvas.random, canvas.width, canvas.unit
    foot = canvas.height * 0.78
    for row, (tall, nearness) in enumerate(((0.36, 0.08), (0.44, 0.34))):
        count = max(2, round(width / unit * (3 - row)))
        for k in range(count):
            x = (k + 0.5 + random(-0.22, 0.22)) * width / count
            high = min(tall * unit * random(0.75, 1.2), foot * 0.74)
            _draw_peak(canvas, x, foot, high, canvas.get_land(nearness))
    for k, base in enumerate((0.73, 0.82, 0.92)):
        outline = canvas.make_ridge(base, 0.04, random(0.8, 1.3))
        if k < 2:
            _draw_firs(canvas, outline, 16 + 8 * k, 0.07 + 0.05 * k)
        canvas.add_ground(outline, canvas.get_land(0.52 + 0.22 * k))


def _draw_sea(canvas: LandscapeCanvas) -> None:
    """Draw open water with the light upon it, and a boat or a lighthouse."""
    random, width, height, unit = canvas.random, canvas.width, canvas.height, canvas.unit
    x, _, radius = canvas.sun
    horizon = 0.60
    canvas.add_ground(
        canvas.make_ridge(horizon - 0.015, 0.035, random(1.0, 1.6)), canvas.get_land(0.12)
    )
    water = [canvas.get_land(0.22 + 0.7 * k / 5) for k in range(6)]
    canvas.add_water(height * horizon, water[0])
    glint = mix(canvas.light, water[0], 0.2)
    line = place_path("M-1 0h2", x, height * (horizon + 0.024), radius)
    canvas.add_line(line, glint, unit * 0.011)
    ship = (width * random.choose((0.2, 0.3, 0.7, 0.8)), height * (horizon + 0.13))
    for k in range(1, 6):
        outline = canvas.make_ridge(horizon + 0.03 + 0.078 * k, 0.012 + 0.003 * k, random(2.2, 3.0))
        if k == 2 and random() < 0.62:
            canvas.add_part("boat", *ship, 0.12)
        elif k == 2:
            _draw_lighthouse(canvas, *ship)
        canvas.add_ground(outline, water[k])
        long, low = radius * (1.9 - 0.3 * k), _find_point(outline, x)[1] + height * 0.03
        lines = f"M{-random(0.4, 0.6)} 0h1M{-random(0, 0.5):.9f} 1h.5"
        lines = place_path(lines, x, low, long, height * 0.026)
        canvas.add_line(lines, glint, unit * 0.010)


def _draw_town(canvas: LandscapeCanvas) -> None:
    """Draw roofs and towers in three rows, with lamps lit in the nearest, and water before them."""
    random, width, height, unit = canvas.random, canvas.width, canvas.height, canvas.unit
    roofs, lamps, quay = _PARTS["roofs"][1:], "", height * 0.86
    for row, (tall, nearness) in enumerate(((0.40, 0.12), (0.30, 0.42), (0.20, 0.78))):
        houses, x = "", -unit * random(0, 0.06)
        while x < width:
            wide = unit * random(0.075, 0.145)
            high = unit * tall * random(0.55, 1.1) + height * 0.10
            roof = place_path(random.choose(roofs)["d"], 0, 0, wide)
            foot, top = format_mm(quay), format_mm(quay - high)
            houses += f"M{format_mm(x)} {foot}V{top}{roof}V{foot}Z"
            if row == 2:
                lamps += _draw_windows(random, x, quay - high, wide, min(high, quay) - unit * 0.04)
            x += wide
        canvas.add_path(houses, canvas.get_land(nearness))
    canvas.add_path(lamps, canvas.lamp)
    canvas.add_water(quay, canvas.get_land(0.95))
    glints = ""
    for _ in range(16):
        x, long = random(0, 0.95) * width, unit * random(0.03, 0.09)
        glints += place_path("M0 0h1", x, quay + (height - quay) * random(0.15, 0.9), long)
    canvas.add_line(glints, mix(canvas.lamp, canvas.get_land(0.95), 0.45), unit * 0.006)


def _draw_windows(random: SeededRandom, x: float, y: float, wide: float, high: float) -> str:
    """Return the lit windows of a house whose left top corner is x, y."""
    side = wide * 0.13
    return "".join(
        place_path("M0 0h1v1.4h-1Z", x + wide * (0.16 + 0.27 * column),
                   y + side * (1.2 + row * 2.4), side)
        for row in range(min(5, int(high / (side * 2.6))))
        for column in range(3)
        if random() < 0.4
    )  # fmt: skip


def _draw_wood(canvas: LandscapeCanvas) -> None:
    """Draw firs in rows, darker and taller the nearer they stand, round a house in a clearing."""
    random = canvas.random
    home = canvas.width * random.choose((0.3, 0.4, 0.6, 0.7))
    canvas.add_ground(canvas.make_ridge(0.52, 0.09, random(0.6, 0.9)), canvas.get_land(0.06))
    for k, (base, count) in enumerate(((0.62, 20), (0.73, 15), (0.84, 13), (0.95, 10))):
        outline = canvas.make_ridge(base, 0.03, random(0.9, 1.4))
        clearing = home if k > 1 else -canvas.unit
        _draw_firs(canvas, outline, count, 0.09 + 0.055 * k, clearing)
        canvas.add_ground(outline, canvas.get_land(min(1.0, 0.38 + 0.2 * k)))
        if k == 1:
            canvas.add_part("cottage", *_find_point(outline, home), 0.055)


def _draw_dunes(canvas: LandscapeCanvas) -> None:
    """Draw sand in long waves, a side of each in the shade, and riders crossing."""
    random, width, height, unit = canvas.random, canvas.width, canvas.height, canvas.unit
    for k, base in enumerate((0.58, 0.68, 0.79, 0.92)):
        crest = width * random(0.25, 0.75)
        top = height * base - unit * random(0.08, 0.13)
        side = height * base + unit * 0.05
        fill = canvas.get_land(0.15 + 0.22 * k)
        slope = f"{(crest + width) / 2} {side} {width} {side - unit * 0.02}V{height}H"
        light = f"M0 {side}Q{crest * 0.6} {side - unit * 0.01} {crest} {top}Q{slope}0Z"
        shade = (
            f"M{crest} {top}Q{slope}{crest - unit * 0.1}"
            f"Q{crest + unit * 0.16} {(top + height) / 2} {crest} {top}Z"
        )
        canvas.add_path(place_path(light, 0, 0, 1), fill)
        canvas.add_path(place_path(shade, 0, 0, 1), mix(fill, canvas.get_land(1.0), 0.32))
        for step in range(4) if k == 1 else ():
            x = crest * 0.5 + step * unit * 0.075
            y = height * base + unit * 0.015 - step * unit * 0.014
            canvas.add_part("rider", x, y, 0.035)


def _find_point(outline: Outline, x: float) -> tuple[float, float]:
    """Return the point of an outline at that x."""
    for (ax, ay), (bx, by) in pairwise(outline):
        if x <= bx:
            return x, ay + (by - ay) * (x - ax) / (bx - ax)
    return outline[-1]


_MOTIFS: Sequence[Callable[[LandscapeCanvas], None]] = (
    _draw_hills, _draw_peaks, _draw_sea, _draw_town, _draw_wood, _draw_dunes,
)  # fmt: skip

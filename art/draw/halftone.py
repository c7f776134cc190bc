"""Halftone backdrops for the card pictures of "64 km saattue", and the grain of the card ground.

    python art/draw/halftone.py    rewrites art/halftone/<deck>-{sun,rain,smoke}.svg and grain.svg

Standard library only; the only chance is seeded, so the same script always gives the same files.
Backdrops are 695 x 400 (0.1 mm), one spot colour on nothing: dots as near-closed arcs in one path,
lines as polygons that thin out. Every deck has its own screen, so that the decks differ in print.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator

from svg import Point, circle, document, element, fill, polygon, save, short

WIDTH, HEIGHT, CARD_HEIGHT = 695, 400, 949
SUN_X, SUN_Y, SUN_RADIUS = 500, 110, 75
GAP = 11  # bare paper round the disc of the sun
GRAIN = "#d9c9a8"
DECKS = {
    "loot-city": "#b8392a",
    "loot-country": "#7e8c36",
    "experience": "#3f6478",
    "substances": "#8a5a2b",
    "actions": "#c8741a",
    "graft": "#7a3b69",
    "areas": "#2e7270",
    "night": "#5a6b98",
    "commanders": "#b5832a",
}

Tone = Callable[[float, float], float]
# Where a line passes, half its thickness there, and the unit vector towards one of its edges.
Stop = tuple[Point, float, Point]
UP = (0, -1)


def dot(x: float, y: float, radius: float) -> str:
    """A circle in the fewest characters."""
    return circle(x, y, radius, short)


def outline(*points: Point) -> str:
    """A polygon in the fewest characters."""
    return polygon(points, short)


def lattice(pitch: float, angle: float = 0.0, *, stagger: bool = True) -> Iterator[Point]:
    """Screen points over the canvas: rows turned by the angle, every other one half a pitch on."""
    cos, sin, reach = math.cos(angle), math.sin(angle), 800
    rise = pitch * (math.sqrt(3) / 2 if stagger else 1)
    for row in range(-int(reach / rise), int(reach / rise)):
        for column in range(-int(reach / pitch), int(reach / pitch)):
            shift = 0.5 if stagger and row % 2 else 0
            along, across = (column + shift) * pitch, row * rise
            x = WIDTH / 2 + along * cos - across * sin
            y = HEIGHT / 2 + along * sin + across * cos
            if 0 <= x <= WIDTH and 0 <= y <= HEIGHT:
                yield x, y


def dots(points: Iterable[Point], tone: Tone, biggest: float) -> str:
    """Dots whose area follows the tone (0..1); specks too small to print are left out."""
    sized = ((x, y, biggest * math.sqrt(max(0, tone(x, y)))) for x, y in points)
    return "".join(dot(x, y, radius) for x, y, radius in sized if radius >= 0.9)


def swelling(stops: Iterable[Stop]) -> str:
    """A line of changing thickness, broken where it is too thin to print."""
    parts: list[list[Stop]] = [[]]
    for stop in stops:
        if stop[1] > 0.25:
            parts[-1].append(stop)
        else:
            parts.append([])
    return "".join(band(part) for part in parts if len(part) > 1)


def band(part: list[Stop]) -> str:
    """One unbroken stretch of a line as a polygon: along one edge and back along the other."""
    there = [(x + half * dx, y + half * dy) for (x, y), half, (dx, dy) in part]
    back = [(x - half * dx, y - half * dy) for (x, y), half, (dx, dy) in reversed(part)]
    return outline(*there, *back)


# ---- sun: a bright disc, the light thinning out with distance -----------------------------------


def from_sun(x: float, y: float) -> float:
    """The distance from the middle of the sun."""
    return math.hypot(x - SUN_X, y - SUN_Y)


def glow(x: float, y: float) -> float:
    """Tone round the sun: full at its rim, gone far to the left and near the ground."""
    beyond = math.hypot((x - SUN_X) * 0.82, y - SUN_Y) - SUN_RADIUS
    return float(max(0, 1 - max(beyond, 0) / 330) ** 1.5)


def glow_beyond_gap(x: float, y: float) -> float:
    """The same tone with a bare ring left round the disc; its very edge counts as outside."""
    return glow(x, y) if from_sun(x, y) > SUN_RADIUS + GAP - 0.01 else 0


def round_sun(angle: float, radius: float) -> Point:
    """The point so far from the middle of the sun in a direction."""
    return SUN_X + radius * math.cos(angle), SUN_Y + radius * math.sin(angle)


def sun_dots() -> str:
    """A plain screen of dots."""
    return dots(lattice(12.4), glow_beyond_gap, 6)


def sun_rays() -> str:
    """Rays thinning to a point, long and short by turns, cut off at the edge of the picture."""
    count = 56
    lengths, halves = (540, 270, 410, 210), (4.4, 3)
    return "".join(
        ray(i * math.tau / count, lengths[i % len(lengths)], halves[i % len(halves)])
        for i in range(count)
    )


def ray(angle: float, length: float, half: float) -> str:
    """One ray, `half` to either side at its root."""
    cos, sin = math.cos(angle), math.sin(angle)
    root, end = SUN_RADIUS + 13, min(length, edge(angle))
    half_end = half * (1 - end / length)

    def at(out: float, aside: float) -> Point:
        """The point so far out along the ray and so far beside it."""
        return SUN_X + out * cos - aside * sin, SUN_Y + out * sin + aside * cos

    return outline(at(root, -half), at(end, -half_end), at(end, half_end), at(root, half))


def edge(angle: float) -> float:
    """How far from the sun the picture ends in a direction."""
    cos, sin = math.cos(angle), math.sin(angle)
    across = ((WIDTH if cos > 0 else 0) - SUN_X) / cos if abs(cos) > 1e-9 else math.inf
    down = ((HEIGHT if sin > 0 else 0) - SUN_Y) / sin if abs(sin) > 1e-9 else math.inf
    return min(across, down)


def sun_rings() -> str:
    """Dots strung on circles round the disc."""
    points = [point for number in range(1, 40) for point in string(number, 12.6)]
    seen = [(x, y) for x, y in points if -4 < x < WIDTH + 4 and -4 < y < HEIGHT]
    return dots(seen, glow, 6)


def string(number: int, pitch: float) -> Iterator[Point]:
    """The points of one circle; every other circle starts half a pitch on."""
    radius = SUN_RADIUS + 4 + number * pitch
    count = round(math.tau * radius / pitch)
    for i in range(count):
        yield round_sun((i + number % 2 / 2) * math.tau / count, radius)


def sun_lines() -> str:
    """A level line screen that swells towards the sun."""
    levels = (6 + row * 11.6 for row in range(34))
    return "".join(swelling(level_line(y)) for y in levels)


def level_line(y: float) -> Iterator[Stop]:
    """One line: its stops are at every step, and where it meets the bare ring."""
    steps = [step * 17.4 for step in range(41)]
    square = (SUN_RADIUS + GAP) ** 2 - (y - SUN_Y) ** 2
    if square > 0:
        steps += SUN_X - math.sqrt(square), SUN_X + math.sqrt(square)
    return (((x, y), 4.6 * glow_beyond_gap(x, y), UP) for x in sorted(steps))


def sun_squares() -> str:
    """Square dots on a straight screen turned by an eighth: the coarsest of the screens."""
    points = lattice(13.4, math.pi / 4, stagger=False)
    sized = ((x, y, 8.6 * math.sqrt(glow_beyond_gap(x, y))) for x, y in points)
    return "".join(
        outline((x, y - half), (x + half, y), (x, y + half), (x - half, y))
        for x, y, half in sized
        if half >= 1.2
    )


def sun_waves() -> str:
    """Wavy lines as on a banknote or a stamped deed, swelling towards the sun."""
    return "".join(swelling(wave(4 + row * 11.6)) for row in range(-1, 36))


def wave(level: float) -> Iterator[Stop]:
    """One wavy line, bare outside the picture."""
    for step in range(89):
        x = step * 7.9
        y = level + 5.2 * math.sin(x / 15)
        half = 4.4 * glow_beyond_gap(x, y) if 0 <= y <= HEIGHT else 0
        yield (x, y), half, UP


def sun_contours() -> str:
    """Contour lines of a map that crowd round the disc as round a hilltop."""
    return "".join(swelling(contour(number)) for number in range(1, 26))


def contour(number: int) -> Iterator[Stop]:
    """One contour, every fourth a heavy one; the further out, the less round, up to the fifth."""
    radius = SUN_RADIUS + 3 + number * 14.5
    heaviest = 2.5 if number % 4 == 1 else 1.6
    for step in range(161):
        angle = step * math.tau / 160
        wide = 0.05 * math.sin(3 * angle + number * 0.21)
        narrow = 0.03 * math.sin(7 * angle - number * 0.3)
        x, y = round_sun(angle, radius * (1 + (wide + narrow) * min(1, number / 5)))
        seen = -4 < x < WIDTH + 4 and -4 < y < HEIGHT + 4
        half = heaviest * glow(x, y) ** 0.6 if seen else 0
        yield (x, y), half, (math.cos(angle), math.sin(angle))


def sun_blaze() -> str:
    """Broad even wedges, as behind the heads on old posters."""
    turn = math.tau / 22
    return "".join(wedge((i + 0.06) * turn, (i + 0.5) * turn) for i in range(22))


def wedge(first: float, last: float) -> str:
    """One wedge from the disc to the edge of the picture; nothing when the edge is too near."""
    root = SUN_RADIUS + 12
    angles = [first + (last - first) * step / 4 for step in range(5)]
    if any(edge(angle) <= root for angle in angles):
        return ""
    far = [round_sun(angle, edge(angle)) for angle in reversed(angles)]
    return outline(round_sun(first, root), round_sun(last, root), *far)


def moon() -> str:
    """The night sky: dots that all but close overhead, a bare moon, light at the ground."""

    def tone(x: float, y: float) -> float:
        """Dark away from the moon, lighter near it and further down."""
        beyond = from_sun(x, y) - SUN_RADIUS
        low = max(0.1, 1 - max(0, y - 60) / 420)
        return 0 if beyond < 5 else min(1, 0.25 + beyond / 300) * low

    return dots(lattice(11.4, 0.2), tone, 6.2)


SUNS = {
    "loot-city": sun_dots,
    "loot-country": sun_rays,
    "experience": sun_rings,
    "substances": sun_lines,
    "actions": sun_squares,
    "graft": sun_waves,
    "areas": sun_contours,
    "night": moon,
    "commanders": sun_blaze,
}


def sun(deck: str) -> str:
    """The disc, and the deck's kind of light round it; the moon is bare paper instead."""
    if SUNS[deck] is moon:
        return moon()
    r, across = SUN_RADIUS, 2 * SUN_RADIUS
    disc = f"M{SUN_X - r} {SUN_Y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z"
    return disc + SUNS[deck]()


# ---- rain: streaks, thick on the right and thin on the left -------------------------------------

# Pitch, slant and streaks a line.
RAINS = {
    "loot-city": (13, -0.62, 3),
    "loot-country": (15, -0.36, 2),
    "experience": (12, 0.5, 4),
    "substances": (17, -0.85, 5),
    "actions": (20, -0.2, 3),
    "graft": (11, 0, 6),
    "areas": (14, 0.8, 4),
    "night": (16, 0.25, 7),
    "commanders": (18, 0.1, 2),
}


def rain(deck: str) -> str:
    """Slanting lines broken into streaks."""
    pitch, slant, pieces = RAINS[deck]
    first = 0 if slant < 0 else -slant * HEIGHT
    streaks = []
    for line in range(int((WIDTH + abs(slant) * HEIGHT) / pitch) + 2):
        shift = (line * 5 % 8) / 8
        for piece in range(-1, pieces):
            start, end = (piece + shift) / pieces, (piece + shift + 0.86) / pieces
            span = max(0, start), min(1, end)
            streaks.append(streak(first + line * pitch, slant, span, pitch))
    return "".join(streaks)


def streak(top: float, slant: float, span: tuple[float, float], pitch: float) -> str:
    """One streak between two shares of the height, or nothing when it is out of sight."""
    (x0, y0), (x1, y1) = ((top + slant * HEIGHT * share, HEIGHT * share) for share in span)
    half0, half1 = thickness(x0, y0, pitch), thickness(x1, y1, pitch)
    too_small = span[1] - span[0] < 0.03 or max(half0, half1) < 0.45
    if too_small or min(x0, x1) < 0 or max(x0, x1) > WIDTH + 12:
        return ""
    return outline((x0 - half0, y0), (x0 + half0, y0), (x1 + half1, y1), (x1 - half1, y1))


def thickness(x: float, y: float, pitch: float) -> float:
    """Half the thickness of a streak: more to the right, less further down."""
    return float(pitch * 0.36 * max(0, min(1, x / WIDTH)) ** 1.25 * (1 - 0.45 * y / HEIGHT))


# ---- smoke: puffs hanging from the top edge -----------------------------------------------------

# Pitch and angle of the screen, and the seed of the puffs.
SMOKES = {
    "loot-city": (11.6, 0.0, 3),
    "loot-country": (12.4, 0.35, 8),
    "experience": (11.8, 0.78, 12),
    "substances": (12.6, 1.05, 21),
    "actions": (13.2, 0.52, 5),
    "graft": (11.2, 0.26, 17),
    "areas": (12, 0.9, 33),
    "night": (10.4, 0.6, 41),
    "commanders": (13, 0.12, 29),
}
# Rows of puffs from the front one to the back: height, radius and count.
PUFF_ROWS = ((186, 56, 4), (128, 78, 5), (56, 98, 5), (-6, 116, 6))


def puffs(seed: int) -> list[tuple[float, float, float]]:
    """Billows (x, y, radius): small and low ones first, larger above them."""
    chance, found = random.Random(seed), []
    for row, (y, radius, count) in enumerate(PUFF_ROWS):
        for i in range(count):
            x = WIDTH * (i + 0.5 + chance.uniform(-0.3, 0.3)) / count + (60 if row == 0 else 0)
            lean = 120 * (x / WIDTH - 0.5) + 26 * math.sin(x / 62 + seed)
            lift = chance.uniform(-18, 18)
            found.append((x, y + lean + lift, radius * chance.uniform(0.72, 1.2)))
    return found


def smoke(deck: str) -> str:
    """Dots heavy at the top; every puff goes light towards its own lower rim."""
    pitch, angle, seed = SMOKES[deck]
    billows = puffs(seed)

    def tone(x: float, y: float) -> float:
        """The tone of the frontmost puff at a point."""
        for middle_x, middle_y, radius in billows:
            out = math.hypot(x - middle_x, y - middle_y) / radius
            if out < 1:
                low = (y - middle_y) / radius * 0.5 + 0.5
                fade = max(0.12, 1 - max(0, y) / 330)
                return float((1 - 0.8 * max(out, low) ** 2.2) * fade)
        return 1 if y < 20 else 0

    return dots(lattice(pitch, angle), tone, pitch * 0.53)


# ---- paper grain --------------------------------------------------------------------------------


def speck(chance: random.Random) -> str:
    """A round or a cornered speck anywhere on the card."""
    x, y = chance.uniform(0, WIDTH), chance.uniform(0, CARD_HEIGHT)
    size = chance.uniform(0.7, 1.9)
    if chance.random() < 0.7:
        return dot(x, y, size)
    return outline((x, y), (x + 2.4 * size, y + size), (x + size, y + 2 * size))


def fibre(chance: random.Random) -> str:
    """A bent hair anywhere on the card."""
    angle, length = chance.uniform(0, math.tau), chance.uniform(14, 42)
    dx, dy, bend = length * math.cos(angle), length * math.sin(angle), chance.uniform(-12, 12)
    x, y = chance.uniform(10, WIDTH - 10), chance.uniform(10, CARD_HEIGHT - 10)
    bow = f"{short(dx / 2 - bend)} {short(dy / 2 + bend)}"
    return f"M{short(x)} {short(y)}q{bow} {short(dx)} {short(dy)}"


def grain() -> str:
    """Sparse specks and a few fibres for the ground of a whole card."""
    chance = random.Random(64)
    specks = "".join(speck(chance) for _ in range(330))
    fibres = "".join(fibre(chance) for _ in range(46))
    pen = {"stroke": GRAIN, "stroke_width": "1.3", "stroke_linecap": "round"}
    parts = fill(GRAIN, specks), element("path", fill="none", **pen, d=fibres)
    return document(WIDTH, CARD_HEIGHT, "Paper grain", *parts)


def main() -> None:
    """Write three backdrops for every deck, and the grain."""
    for deck, spot in DECKS.items():
        for kind, draw in (("sun", sun), ("rain", rain), ("smoke", smoke)):
            text = document(WIDTH, HEIGHT, f"Backdrop {deck}: {kind}", fill(spot, draw(deck)))
            save(f"halftone/{deck}-{kind}.svg", text)
    save("halftone/grain.svg", grain())


if __name__ == "__main__":
    main()

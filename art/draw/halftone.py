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
    "loot-country": "#7d8b35",
    "experience": "#3f6478",
    "substances": "#8a5a2b",
}

Tone = Callable[[float, float], float]


def dot(x: float, y: float, radius: float) -> str:
    """A circle in the fewest characters."""
    return circle(x, y, radius, short)


def outline(*points: Point) -> str:
    """A polygon in the fewest characters."""
    return polygon(points, short)


def lattice(pitch: float, angle: float = 0.0) -> Iterator[Point]:
    """Screen points over the canvas: rows turned by the angle, every other one half a pitch on."""
    cos, sin, reach = math.cos(angle), math.sin(angle), 800
    rise = pitch * (math.sqrt(3) / 2)
    for row in range(-int(reach / rise), int(reach / rise)):
        for column in range(-int(reach / pitch), int(reach / pitch)):
            along, across = (column + (0.5 if row % 2 else 0)) * pitch, row * rise
            x = WIDTH / 2 + along * cos - across * sin
            y = HEIGHT / 2 + along * sin + across * cos
            if 0 <= x <= WIDTH and 0 <= y <= HEIGHT:
                yield x, y


def dots(points: Iterable[Point], tone: Tone, biggest: float) -> str:
    """Dots whose area follows the tone (0..1); specks too small to print are left out."""
    sized = ((x, y, biggest * math.sqrt(max(0, tone(x, y)))) for x, y in points)
    return "".join(dot(x, y, radius) for x, y, radius in sized if radius >= 0.9)


# ---- sun: a bright disc, the light thinning out with distance ------------------------------------


def from_sun(x: float, y: float) -> float:
    """The distance from the middle of the sun."""
    return math.hypot(x - SUN_X, y - SUN_Y)


def glow(x: float, y: float) -> float:
    """Tone round the sun: full at its rim, gone far to the left and near the ground."""
    beyond = math.hypot((x - SUN_X) * 0.82, y - SUN_Y) - SUN_RADIUS
    return float(max(0, 1 - max(beyond, 0) / 330) ** 1.5)


def glow_beyond_gap(x: float, y: float) -> float:
    """The same tone with a bare ring left round the disc."""
    return glow(x, y) if from_sun(x, y) > SUN_RADIUS + GAP else 0


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
        angle = (i + number % 2 / 2) * math.tau / count
        yield SUN_X + radius * math.cos(angle), SUN_Y + radius * math.sin(angle)


def sun_lines() -> str:
    """A level line screen that swells towards the sun."""
    return "".join(swelling(part, y) for y in line_levels() for part in unbroken(y))


def line_levels() -> Iterator[float]:
    """The heights of the lines."""
    return (6 + row * 11.6 for row in range(34))


def unbroken(y: float) -> list[list[Point]]:
    """The stretches of one line (x, half thickness) that print and are clear of the sun."""
    parts: list[list[Point]] = [[]]
    for x in line_stops(y):
        half = 4.6 * glow(x, y)
        if half > 0.25 and from_sun(x, y) > SUN_RADIUS + GAP - 0.01:
            parts[-1].append((x, half))
        else:
            parts.append([])
    return parts


def line_stops(y: float) -> list[float]:
    """Where the thickness of a line is taken: at every step, and where it meets the bare ring."""
    steps = [step * 17.4 for step in range(41)]
    square = (SUN_RADIUS + GAP) ** 2 - (y - SUN_Y) ** 2
    if square <= 0:
        return steps
    return sorted([*steps, SUN_X - math.sqrt(square), SUN_X + math.sqrt(square)])


def swelling(part: list[Point], y: float) -> str:
    """One stretch of a line as a polygon; nothing when it is a single point."""
    if len(part) < 2:
        return ""
    above = [(x, y - half) for x, half in part]
    return outline(*above, *[(x, y + half) for x, half in reversed(part)])


SUNS = {
    "loot-city": sun_dots,
    "loot-country": sun_rays,
    "experience": sun_rings,
    "substances": sun_lines,
}


def sun(deck: str) -> str:
    """The disc, and the deck's kind of light round it."""
    r, across = SUN_RADIUS, 2 * SUN_RADIUS
    disc = f"M{SUN_X - r} {SUN_Y}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0-{across} 0z"
    return disc + SUNS[deck]()


# ---- rain: streaks, thick on the right and thin on the left --------------------------------------

# Pitch, slant and streaks a line.
RAINS = {
    "loot-city": (13, -0.62, 3),
    "loot-country": (15, -0.36, 2),
    "experience": (12, 0.5, 4),
    "substances": (17, -0.85, 5),
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


# ---- smoke: puffs hanging from the top edge ------------------------------------------------------

# Pitch and angle of the screen, and the seed of the puffs.
SMOKES = {
    "loot-city": (11.6, 0.0, 3),
    "loot-country": (12.4, 0.35, 8),
    "experience": (11.8, 0.78, 12),
    "substances": (12.6, 1.05, 21),
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


# ---- paper grain ---------------------------------------------------------------------------------


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

"""Draws what decorates the map and means nothing in play: hills, woods, marshes, fields, houses.

Reads the survey in cards/board.yaml, so it is run again when a locale moves:

    python art/draw/relief.py

The same survey gives the same bytes: the hand shakes by a fixed seed. Lengths are mm of the map.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from cardgen.looks.geometry_functions import shared_edge

GAME = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 490, 370
INK, ROOF = "#4a3a2c", "#8d4a38"

Point = tuple[float, float]


def survey() -> dict[str, Any]:
    """The one card of the board."""
    with (GAME / "cards/board.yaml").open(encoding="utf-8") as file:
        card: dict[str, Any] = yaml.safe_load(file)["cards"][0]
    return card


def relief(card: dict[str, Any]) -> str:
    """The whole drawing as SVG."""
    hand = random.Random(1800)
    parts = []
    roads = ways(card)
    for locale in card["locales"]:
        ring = [(float(x), float(y)) for x, y in locale["corners"]]
        middle = (float(locale["at"][0]), float(locale["at"][1]))
        terrain = locale.get("terrain", "open")
        if terrain == "wood":
            parts.append(wood(hand, ring, middle))
        elif terrain == "marsh":
            parts.append(marsh(hand, ring, middle))
        else:
            parts.append(fields(hand, ring, middle, card["hills"]))
        if terrain == "town":
            parts.append(houses(hand, locale, roads, 34, 14))
            parts.append(church(middle))
        elif "name" in locale and terrain == "open":
            parts.append(houses(hand, {**locale, "terrain": terrain}, roads, 9, 8))
    rings = [[(float(x), float(y)) for x, y in each["corners"]] for each in card["locales"]]
    parts += [
        hill(hand, next(ring for ring in rings if inside(ring, box[0], box[1])), box)
        for box in card["hills"]
    ]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}mm" height="{HEIGHT}mm"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>\n"])


def hill(hand: random.Random, ring: list[Point], box: list[float]) -> str:
    """Hachures in three belts round a bare top: each a stroke that tapers downhill, heavier away
    from the light, in the south-east. They keep off the borders of the locale, `ring`."""
    x, y, width, height = box
    strokes: list[str] = []
    for belt, (start, end) in enumerate(((0.34, 0.6), (0.58, 0.86), (0.84, 1.12))):
        count = int((width + height) * (0.95 + 0.42 * belt))
        for k in range(count):
            turn = 2 * math.pi * (k + 0.5 * (belt % 2) + hand.uniform(-0.2, 0.2)) / count
            wave = 1 + 0.09 * math.sin(3 * turn + x) + 0.05 * math.sin(5 * turn + y)
            top, foot = start * hand.uniform(0.97, 1.05), end * hand.uniform(0.94, 1.06)
            ax = x + width / 2 * wave * top * math.cos(turn)
            ay = y + height / 2 * wave * top * math.sin(turn)
            bx = x + width / 2 * wave * foot * math.cos(turn)
            by = y + height / 2 * wave * foot * math.sin(turn)
            if not inside(ring, bx, by) or clear(ring, bx, by) < 2.2:
                continue
            shade = (1 + math.cos(turn - math.pi / 4)) / 2
            half = (0.09 + 0.17 * shade) * hand.uniform(0.85, 1.15)
            long = math.dist((ax, ay), (bx, by))
            nx, ny = -(by - ay) / long * half, (bx - ax) / long * half
            strokes.append(
                f"M{ax - nx:.2f} {ay - ny:.2f}L{bx:.2f} {by:.2f}L{ax + nx:.2f} {ay + ny:.2f}z"
            )
    return f'<path d="{"".join(strokes)}" fill="{INK}" fill-opacity=".72"/>'


def wood(hand: random.Random, ring: list[Point], middle: Point) -> str:
    """Crowns of trees with their shadow to the south-east, and bare ground in the middle."""
    crowns, shadows = [], []
    for x, y in sorted(scattered(hand, ring, 5.2), key=lambda place: place[1]):
        if math.dist((x, y), middle) < 10:
            continue
        r = hand.uniform(1.2, 1.7)
        crowns.append(
            f"M{x - r:.1f} {y:.1f}q{-r * 0.5:.1f} {-r:.1f} {r * 0.4:.1f} {-r * 1.1:.1f}"
            f"q{r * 0.2:.1f} {-r * 0.9:.1f} {r * 0.9:.1f} {-r * 0.6:.1f}"
            f"q{r * 0.8:.1f} {-r * 0.1:.1f} {r * 0.6:.1f} {r * 0.8:.1f}"
            f"q{r * 0.7:.1f} {r * 0.5:.1f} {-r * 0.1:.1f} {r * 0.9:.1f}z"
        )
        shadows.append(f"M{x - r * 0.4:.1f} {y + 0.35:.1f}h{r * 1.9:.1f}")
    look = f'fill="#7d9163" fill-opacity=".75" stroke="{INK}" stroke-width=".22"'
    return f'<path d="{"".join(crowns)}" {look}/>' + stroke(shadows, 0.45, 0.6)


def marsh(hand: random.Random, ring: list[Point], middle: Point) -> str:
    """Tufts of reed over strokes of water."""
    reeds, water = [], []
    for x, y in scattered(hand, ring, 5.6):
        if math.dist((x, y), middle) < 9:
            continue
        long = hand.uniform(2.4, 4.4)
        water.append(
            f"M{x - long / 2:.1f} {y:.1f}h{long:.1f}"
            f"M{x - long / 4:.1f} {y + 0.7:.1f}h{long / 2:.1f}"
        )
        reeds.append(f"M{x:.1f} {y:.1f}v-1.8M{x:.1f} {y:.1f}l-.9-1.4M{x:.1f} {y:.1f}l.9-1.4")
    return stroke(water, 0.3, 0.8, "#5d8796") + stroke(reeds, 0.22, 0.75, "#56633a")


def fields(hand: random.Random, ring: list[Point], middle: Point, hills: list[Any]) -> str:
    """A few ploughed strips and vineyards, faint, off the hills."""
    furrows, vines = [], []
    for x, y in scattered(hand, ring, 19):
        if math.dist((x, y), middle) < 15 or hand.random() < 0.25 or uphill(x, y, hills):
            continue
        turn = hand.choice((0.3, 0.42, -0.5, 1.1)) + hand.uniform(-0.06, 0.06)
        along, across = hand.uniform(7, 11), hand.randint(4, 6)
        dx, dy = math.cos(turn), math.sin(turn)
        vineyard = hand.random() < 0.4
        for k in range(across):
            ax = x - dx * along / 2 - dy * (k - across / 2) * 1.15
            ay = y - dy * along / 2 + dx * (k - across / 2) * 1.15
            (vines if vineyard else furrows).append(
                f"M{ax:.1f} {ay:.1f}l{dx * along:.1f} {dy * along:.1f}"
            )
    dotted = stroke(vines, 0.5, 0.4, "#5f6b3a").replace("/>", ' stroke-dasharray=".1 1.1"/>')
    return stroke(furrows, 0.14, 0.4) + dotted


def uphill(x: float, y: float, hills: list[Any]) -> bool:
    """Whether a field round that point would lie on a hill: a field reaches 7 mm, and the strokes of
    a hill a little past its box."""
    return any(
        ((x - at[0]) / (at[2] / 2 * 1.15 + 7)) ** 2 + ((y - at[1]) / (at[3] / 2 * 1.3 + 7)) ** 2 < 1
        for at in hills
    )


def houses(
    hand: random.Random, locale: dict[str, Any], roads: list[list[Point]], count: int, reach: float
) -> str:
    """Blocks of houses in rows along the roads through a locale, larger towards its middle; round
    a yard where no road runs. Its name and its boxes keep their place."""
    middle = (float(locale["at"][0]), float(locale["at"][1]))
    label = locale.get("label") or [0, 12]
    half = 9 + 1.3 * max(map(len, locale["name"].values()))
    left, top = middle[0] + label[0] - half, middle[1] + label[1] - 5
    steeple = (middle[0] - 6.2, middle[1] - 5.6)
    low = top + (15.5 if locale.get("start") else 9.5)
    ways = [road for road in roads if any(math.dist(at, middle) < reach for at in road)]
    spots = sorted(_beside(hand, ways or [yard(middle)], middle, reach))
    blocks: list[str] = []
    taken: list[Point] = []
    for far, x, y, turn in spots:
        long, deep = hand.uniform(1.7, 2.9), hand.uniform(1.1, 1.6)
        hidden = left < x < left + 2 * half and top < y < low
        hidden = hidden or (locale["terrain"] == "town" and math.dist((x, y), steeple) < 4)
        close = any(math.dist((x, y), other) < 2.7 for other in taken)
        on_road = any(math.dist(at, (x, y)) < 2.3 for road in ways for at in road)
        if hidden or close or on_road or len(taken) == count:
            continue
        taken.append((x, y))
        size = 1.15 - 0.35 * far / reach
        long, deep = long * size, deep * size
        blocks.append(
            f'<rect x="{-long / 2:.1f}" y="{-deep / 2:.1f}" width="{long:.1f}" height="{deep:.1f}" '
            f'transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"/>'
        )
    return f'<g fill="{ROOF}" stroke="{INK}" stroke-width=".2">{"".join(blocks)}</g>'


def _beside(
    hand: random.Random, ways: list[list[Point]], middle: Point, reach: float
) -> Iterator[tuple[float, float, float, float]]:
    """Places on both sides of the ways: how far from the middle, x, y, and the turn of the way."""
    for way in ways:
        for (ax, ay), (bx, by) in itertools.pairwise(way):
            if (far := math.dist((ax, ay), middle)) > reach:
                continue
            turn = math.atan2(by - ay, bx - ax)
            for off in (-5.6, -2.9, 2.9, 5.6):
                if abs(off) > 4 and far > reach * 0.55:
                    continue
                shift = off + hand.uniform(-0.2, 0.2)
                x, y = ax - shift * math.sin(turn), ay + shift * math.cos(turn)
                yield far + abs(off) / 4, x, y, math.degrees(turn) + hand.uniform(-4, 4)


def yard(middle: Point) -> list[Point]:
    """A lane that bends through a hamlet off the roads."""
    x, y = middle
    return [(x - 8 + k * 0.8, y + 2 * math.sin(k / 5)) for k in range(21)]


def ways(card: dict[str, Any]) -> list[list[Point]]:
    """The middle line of each road, a point to a millimetre, bent as the map bends it."""
    places = {each["id"]: each for each in card["locales"]}
    found = []
    for road in card["roads"]:
        line: list[Point] = [tuple(road["from"])] if "from" in road else []
        for before, step in zip([None, *road["path"]], road["path"], strict=False):
            if before:
                edge = shared_edge(places[before]["corners"], places[step]["corners"])
                assert edge is not None
                line.append((edge["x"], edge["y"]))
            line.append(tuple(places[step]["at"]))
        found.append(spline([*line, tuple(road["to"])] if "to" in road else line))
    return found


def spline(line: list[Point]) -> list[Point]:
    """Points of the curve that the template's `smooth` draws through a line."""
    found: list[Point] = []
    for k in range(len(line) - 1):
        a, b, c, d = (line[min(max(k + n, 0), len(line) - 1)] for n in (-1, 0, 1, 2))
        knots = (
            b,
            (b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6),
            (c[0] - (d[0] - b[0]) / 6, c[1] - (d[1] - b[1]) / 6),
            c,
        )
        steps = max(2, int(math.dist(b, c)))
        for n in range(steps):
            t = n / steps
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            found.append(
                (
                    sum(w * p[0] for w, p in zip(weights, knots, strict=True)),
                    sum(w * p[1] for w, p in zip(weights, knots, strict=True)),
                )
            )
    return [*found, line[-1]]


def church(middle: Point) -> str:
    """The sign of a parish: a nave with a cross on it."""
    x, y = middle[0] - 6.2, middle[1] - 5.6
    nave = f"M{x - 1.6:.1f} {y + 2:.1f}v-2.4l1.6-1.2l1.6 1.2v2.4z"
    cross = f"M{x:.1f} {y - 1.6:.1f}v-2.6M{x - 0.9:.1f} {y - 3.2:.1f}h1.8"
    return (
        f'<path d="{nave}" fill="#f3e8d0" stroke="{INK}" stroke-width=".4"/>'
        f'<path d="{cross}" fill="none" stroke="{INK}" stroke-width=".4"/>'
    )


def scattered(hand: random.Random, ring: list[Point], step: float) -> Iterator[Point]:
    """Places about `step` apart that lie inside the ring and off its border."""
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    rows = int((max(ys) - min(ys)) / step) + 1
    for row in range(rows):
        for column in range(int((max(xs) - min(xs)) / step) + 1):
            x = min(xs) + (column + 0.5 * (row % 2) + hand.uniform(0.1, 0.6)) * step
            y = min(ys) + (row + hand.uniform(0.1, 0.8)) * step
            if inside(ring, x, y) and clear(ring, x, y) > 3.2:
                yield x, y


def inside(ring: list[Point], x: float, y: float) -> bool:
    """Whether a point lies in the ring."""
    held = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            held = not held
    return held


def clear(ring: list[Point], x: float, y: float) -> float:
    """How far the point is from the ring's nearest side."""
    nearest = math.inf
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        long = math.dist((ax, ay), (bx, by)) ** 2
        part = min(1.0, max(0.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long))
        nearest = min(nearest, math.dist((x, y), (ax + part * (bx - ax), ay + part * (by - ay))))
    return nearest


def stroke(lines: list[str], width: float, opacity: float, colour: str = INK) -> str:
    """Many strokes as one path."""
    look = f'stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}"'
    return f'<path d="{"".join(lines)}" fill="none" {look} stroke-linecap="round"/>'


if __name__ == "__main__":
    target = GAME / "art/map/relief.svg"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(relief(survey()), encoding="utf-8", newline="\n")

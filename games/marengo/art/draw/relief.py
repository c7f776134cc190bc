"""Draws what decorates the map and means nothing in play: hills, woods, marshes, fields, houses.

Reads the survey in cards/board.yaml, so it is run again when a locale moves:

    python art/draw/relief.py

The same survey gives the same bytes: the hand shakes by a fixed seed. Lengths are mm of the map.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

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
            parts.append(houses(hand, middle, 30, 11.5))
            parts.append(church(middle))
        elif "name" in locale and terrain == "open":
            parts.append(houses(hand, middle, 7, 6.5))
    parts += [hill(hand, *map(float, box)) for box in card["hills"]]
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}mm" height="{HEIGHT}mm"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>\n"])


def hill(hand: random.Random, x: float, y: float, width: float, height: float) -> str:
    """Hachures run downhill round an oval top; those away from the light, in the south-east, are
    heavier."""
    light: list[str] = []
    heavy: list[str] = []
    for ring in range(4):
        wide, high = width / 2 * (0.3 + ring * 0.22), height / 2 * (0.3 + ring * 0.22)
        count = int((wide + high) * 2.4)
        for k in range(count):
            turn = 2 * math.pi * (k + hand.uniform(-0.3, 0.3)) / count
            wave = 1 + 0.1 * math.sin(3 * turn + x) + hand.uniform(-0.04, 0.04)
            ax, ay = x + wide * wave * math.cos(turn), y + high * wave * math.sin(turn)
            long = width * 0.085 * hand.uniform(0.8, 1.15)
            bx, by = ax + long * math.cos(turn), ay + long * height / width * 1.3 * math.sin(turn)
            shaded = math.cos(turn - math.pi / 4) > -0.15
            (heavy if shaded else light).append(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}")
    return stroke(light, 0.16, 0.55) + stroke(heavy, 0.3, 0.6)


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


def houses(hand: random.Random, middle: Point, count: int, reach: float) -> str:
    """Blocks of houses, closer and larger towards the middle."""
    blocks = []
    for k in range(count):
        far = reach * math.sqrt((k + 0.6) / count)
        turn = k * 2.39996 + hand.uniform(-0.25, 0.25)
        x, y = middle[0] + far * math.cos(turn), middle[1] + far * 0.8 * math.sin(turn)
        long, deep = hand.uniform(1.5, 2.9), hand.uniform(1.0, 1.6)
        blocks.append(
            f'<rect x="{-long / 2:.1f}" y="{-deep / 2:.1f}" width="{long:.1f}" height="{deep:.1f}" '
            f'transform="translate({x:.1f} {y:.1f}) rotate({hand.choice((8, -12, 78, 30)):d})"/>'
        )
    return f'<g fill="{ROOF}" stroke="{INK}" stroke-width=".2">{"".join(blocks)}</g>'


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

"""What landscapes are painted on, and the chance that decides them: see `look_scenes`."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from cardgen.looks.geometry_functions import smooth
from cardgen.looks.look_colours import get_chroma_and_hue, make_oklch_colour

Thing = TypeVar("Thing")
Points = list[tuple[float, float]]


class SeededRandom:
    """Chance that falls the same way for the same name."""

    def __init__(self, name: str) -> None:
        self._name = name.encode()
        self._count = 0

    def __call__(self, least: float = 0.0, most: float = 1.0) -> float:
        self._count += 1
        block = hashlib.sha256(b"%d/%s" % (self._count, self._name)).digest()
        return least + (most - least) * int.from_bytes(block[:4], "big") / 2**32

    def choose(self, things: Sequence[Thing]) -> Thing:
        return things[int(self() * len(things))]


class Mood(NamedTuple):
    """An hour of the day: lightness and strength of the sky above and below, lightness of the land
    far off and near."""

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


class LandscapeCanvas:
    """A landscape as far as it is painted."""

    def __init__(self, name: str, size: tuple[float, float], colour: str, mood: str = "") -> None:
        self.width, self.height = size
        self.unit = max(min(self.width, self.height * 1.25), self.width / 8)
        self.dice = SeededRandom(name)
        hour = self.dice.choose(("dawn", "noon", "noon", "evening", "evening", "midnight"))
        self.mood = MOODS[mood or hour]
        chroma, self.hue = get_chroma_and_hue(colour)
        self.strong = min(0.12, max(0.03, chroma))
        self.veer = self.dice.choose((-35, 25, 40))
        self.above = make_oklch_colour(self.mood.above[0], self._sky(self.mood.above[1]), self.hue)
        warm = 70 if not self.mood.dark else self.hue + self.veer
        self.below = make_oklch_colour(*self.mood.below, warm)
        near_warm = abs((self.hue - 50 + 180) % 360 - 180) < 55
        red = self.mood is MOODS["noon"] and not near_warm
        self.light = (
            make_oklch_colour(0.70, 0.16, 40) if red else make_oklch_colour(0.955, 0.055, 88)
        )
        self.lamp = make_oklch_colour(0.87, 0.12, 82)
        self.sun = (0.0, 0.0, 0.0)
        self.parts: list[str] = []

    def _sky(self, chroma: float) -> float:
        return chroma * min(1.0, 0.35 + self.strong / 0.1)

    def land(self, nearness: float) -> str:
        """The colour of land: 0 far off, 1 close by."""
        lightness = self.mood.far + (self.mood.near - self.mood.far) * nearness
        return make_oklch_colour(
            lightness,
            self.strong * (0.5 + 0.5 * nearness) * min(1.0, 0.4 + lightness),
            self.hue + self.veer * (1 - nearness) * 0.8,
        )

    def add(self, markup: str) -> None:
        self.parts.append(markup)

    def path(self, data: str, fill: str, more: str = "") -> None:
        self.add(f'<path d="{data}" fill="{fill}"{more}/>')

    def line(self, data: str, colour: str, thick: float, more: str = "") -> None:
        self.add(
            f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{format_mm(thick)}" '
            f'stroke-linecap="round"{more}/>'
        )

    def ridge(self, base: float, swing: float, waves: float) -> Points:
        """A soft outline: `base` of the height, `swing` of the unit up and down."""
        dice, aspect = self.dice, self.width / self.unit
        waves = max(0.6, waves * aspect)
        count = min(36, max(6, round(waves * 5)))
        turns = [dice(0, math.tau) for _ in range(3)]
        points = []
        for k in range(count + 1):
            at = k / count * waves * math.tau
            rise = (
                math.sin(at + turns[0]) * 0.6
                + math.sin(at * 1.7 + turns[1]) * 0.3
                + math.sin(at * 2.9 + turns[2]) * 0.1
            )
            points.append((k / count * self.width, self.height * base - rise * swing * self.unit))
        return points

    def ground(self, points: Points, fill: str) -> None:
        """The land under an outline, down to the foot of the picture."""
        rounded = [(round(x, 2), round(y, 2)) for x, y in points]
        tall = format_mm(self.height)
        self.path(f"{smooth(rounded)}L{format_mm(self.width)} {tall}L0 {tall}Z", fill)


def format_circle(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{format_mm(x)}" cy="{format_mm(y)}" r="{format_mm(radius)}" fill="{fill}"{more}/>'


def format_mm(value: float) -> str:
    """Two digits are a hundredth of a millimetre; rounding keeps bytes the same everywhere."""
    return f"{round(value, 2) + 0.0:g}"

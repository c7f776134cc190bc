"""Pictures for cards that have none yet: a motif before a simple scene, or a monogram.

The same name gives the same bytes on every machine. All colours derive from one. Lengths are in
millimetres, as in the viewBox. Sun and moon stand behind the motif, where no look has its cost.
"""

from __future__ import annotations

import math
import random
import re
import unicodedata
from functools import cache
from typing import Any

from cardgen.looks.geometry_functions import smooth
from cardgen.looks.look_colours import contrast, get_chroma_and_hue, make_oklch_colour, mix
from cardgen.looks.motif_words import load_scenes, load_table, read_motif_file
from cardgen.looks.ornaments import CIRCLE, SHAPES, draw_rays, format_mm, format_svg, place_path

MOODS = {
    "dawn": (0.86, 0.050, 0.955, 0.035, 0.80, 0.66, 0.27),
    "noon": (0.78, 0.075, 0.93, 0.035, 0.74, 0.60, 0.25),
    "evening": (0.62, 0.085, 0.88, 0.080, 0.64, 0.52, 0.22),
    "midnight": (0.34, 0.055, 0.56, 0.070, 0.44, 0.36, 0.18),
}
"""Hours of the day: lightness and chroma of the sky above and below, and lightness of the land far
off and near and of the motif."""
_HOURS = ("dawn", "noon", "noon", "evening", "evening", "midnight")
_LAYERS: dict[str, tuple[tuple[str, *tuple[float | str, ...]], ...]] = {
    "land": (("disc",), ("bars", 3, 0.06, 0.30), ("ridge", -0.20, 0.07, 1.1, "far"),
             ("ridge", -0.04, 0.015, 0.7, "near"), ("shadow",)),
    "sea": (("disc",), ("bars", 2, 0.06, 0.26), ("ridge", -0.24, 0, 1, "far"),
            ("bars", 3, 0.60, 0.70), ("ridge", -0.12, 0.012, 2, "near")),
    "deep": (("disc", 0.75), ("dots", 9, "light"), ("ridge", 0.02, 0.05, 1.2, "far"),
             ("ridge", 0.10, 0.03, 0.9, "near")),
    "air": (("disc",), ("bars", 5, 0.08, 0.80), ("ridge", 0.06, 0.05, 1.1, "far"),
            ("ridge", 0.14, 0.04, 0.8, "near")),
    "sky": (("night",), ("dots", 14, "disc"), ("ridge", 0.12, 0.04, 0.9, "motif")),
    "people": (("rays",), ("disc",)),
    "room": (("rays",), ("disc",), ("ridge", -0.03, 0, 1, "far"), ("ridge", -0.01, 0, 1, "near"),
             ("shadow",)),
}  # fmt: skip
"""What lies behind the motifs of a scene, from the back to the front: methods of `Scene`, without
`add_`, and their arguments."""
_BOX = "M0 0H1V1H0Z"
_STAR = "M0 -1q.1 .9 1 1q-.9 .1 -1 1q-.1 -.9 -1 -1q.9 -.1 1 -1Z"
_EMBLEMS = (
    _STAR,
    "M0 -1L.62 0L0 1L-.62 0Z",
    "M0 -1Q.7 -1 .5 -.5Q1 -.7 1 0Q1 .7 .5 .5Q.7 1 0 1Q-.7 1 -.5 .5Q-1 .7 -1 0Q-1 -.7 -.5 -.5"
    "Q-.7 -1 0 -1Z",
    "M0 -1L.2 -.48L.7 -.7L.48 -.2L1 0L.48 .2L.7 .7L.2 .48L0 1L-.2 .48L-.7 .7L-.48 .2L-1 0"
    "L-.48 -.2L-.7 -.7L-.2 -.48Z",
)  # fmt: skip
_CONTENT = re.compile(r"<svg[^>]*>\s*<style>.*?</style>(.*)</svg>", re.DOTALL)
_ELEMENT = re.compile(r"<(?:path|circle|ellipse|rect|polygon|polyline|line)[^>]*>")
_STROKE_WIDTH = re.compile(r'stroke-width="([\d.]+)"')
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_SMALL_WORD = re.compile(r"(?:the|an?|of|and|or|for|in|on|at|to|ja|tai|и|в|на|с|от|по|для)\Z", re.I)


def draw_motif(motif: str, scene: Scene) -> bytes:
    """Draw a motif before the scene that motifs.yaml gives it, as an SVG."""
    kind = next(kind for kind, motifs in load_scenes().items() if motif in motifs)
    if kind == "people":
        scene.stand_at_edge()
    for layer, *arguments in _LAYERS[kind]:
        getattr(scene, f"add_{layer}")(*arguments)
    scene.add_motif(motif, is_light=kind == "sky")
    if kind == "sea":
        scene.add_ridge(-0.05, 0.012, 2.4, "surf")
    return scene.format()


def draw_monogram(name: str, scene: Scene) -> bytes:
    """Draw the initials of a name in a cartouche, or an emblem if they cannot be drawn."""
    side, colours, middle = scene.side, scene.colours, scene.middle
    scene.add_rays()
    shape = scene.choose("round", "hexagon", "cut", "notched")
    for inset, tone in ((0.0, "motif"), (0.025, "light"), (0.055, "middle"), (0.067, "light")):
        outline = SHAPES[shape](side, side, inset * side)
        scene.add(place_path(outline, scene.left, scene.top, 1), tone)
    letters, advance = _draw_letters(name)
    if letters:
        scale = min(0.40 * side / 100, 0.60 * side / advance)
        path = place_path(letters, middle[0] - advance / 2 * scale, middle[1] - 50 * scale, scale)
        scene.add_line(path, colours["motif"], 15 * scale)
        scene.add_line(path, colours["light"], 2.4 * scale)
    else:
        emblem = scene.choose(*_EMBLEMS)
        for share, tone in ((0.32, "motif"), (0.18, "middle"), (0.13, "light")):
            scene.add(place_path(emblem, *middle, share * side), tone)
    return scene.format()


def draw_alone(  # noqa: PLR0913 - as the function of templates
    motif: str,
    colour: str,
    ground: str,
    *,
    tone: str = "",
    hatch: float = 0,
    halo: float = 0,
    line: float = 0,
) -> bytes:
    """Draw a motif without a scene, in a colour and its mixtures with the ground.

    `tone` stands for the mixtures. `line` draws outlines of that width instead.
    With `hatch`, lines that far apart stand for the mixtures, as in a woodcut. `halo` is the width
    of a rim of the ground around it. Both are in hundredths of the drawing. Faces stay light on
    dark grounds: there people are drawn in the ground, with a rim in the colour.
    """
    if line:
        return format_svg(100, 100, _outline(motif, colour, ground, line))
    if motif in load_scenes()["people"] and contrast(colour, "#000000") > contrast(
        ground, "#000000"
    ):
        colour, ground, halo = ground, colour, max(halo, 3)
    lines = ""
    if hatch:
        lines = (
            f'<pattern id="h" width="9" height="{hatch:g}" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate(-35)"><path d="{place_path(_BOX, 0, 0, 9, hatch)}" '
            f'fill="{ground}"/><path d="{place_path(_BOX, 0, 0, 9, hatch * 0.5)}" fill="{colour}"/>'
            "</pattern>"
        )
    tone = "url(#h)" if hatch else tone or mix(colour, ground, 0.45)
    content = _paint(motif, colour, tone, ground)
    return format_svg(100, 100, _draw_rim(motif, ground, halo) + content, lines)


def _draw_rim(motif: str, ground: str, halo: float) -> str:
    """Return the drawing, `halo` wider all round in the colour of its ground; "" without a halo."""
    if not halo:
        return ""
    wider = re.sub(
        r'(?<=stroke-width=")[\d.]+',
        lambda match: f"{float(match[0]) + 2 * halo:g}",
        _paint(motif, ground, ground, ground),
    )
    return f'<g stroke="{ground}" stroke-width="{2 * halo:g}" stroke-linejoin="round">{wider}</g>'


class Scene:
    """A picture while it is drawn. Its motif has a box with equal sides, 60 % of the height."""

    def __init__(self, seed: str, width: float, height: float, colour: str, mood: str) -> None:
        self.width, self.height = width, height
        self.side = min(height * 0.6, width * 0.84)
        self.left, self.top = (width - self.side) / 2, (height - self.side) / 2
        self.middle = (width / 2, height / 2)
        self._random = random.Random(seed).random  # noqa: S311 - no secret depends on it
        self.colours = self._mix_colours(colour, mood or self.choose(*_HOURS))
        self._elements: list[str] = []
        self.add(place_path(_BOX, 0, 0, width, height), "sky")

    def stand_at_edge(self) -> None:
        """Make the motif larger and end it at the lower edge of the picture, as portraits do."""
        self.side = min(self.height * 0.8, self.width * 0.95)
        self.left, self.top = (self.width - self.side) / 2, self.height - self.side
        self.middle = (self.width / 2, self.top + self.side / 2)

    def _mix_colours(self, colour: str, mood: str) -> dict[str, str]:
        above, strong, below, pale, far, near, motif = MOODS[mood]
        strength, hue = get_chroma_and_hue(colour)
        strength, shift = min(0.12, max(0.03, strength)), self.choose(-35, 25, 40)
        colours = {
            "above": make_oklch_colour(above, strong * min(1, 0.35 + strength / 0.1), hue),
            "below": make_oklch_colour(below, pale, hue + shift if mood == "midnight" else 70),
            "disc": make_oklch_colour(0.965, 0.045, 88),
            "light": make_oklch_colour(0.955, 0.025, 88),
            "middle": make_oklch_colour(0.60, strength, hue + shift * 0.5),
        }
        for name, lightness, share in (
            ("far", far, 0.7),
            ("near", near, 0.35),
            ("motif", motif, 0),
        ):
            chroma = strength * (0.4 + 0.4 * lightness)
            colours[name] = make_oklch_colour(lightness, chroma, hue + shift * share)
        return {
            **colours,
            "sky": "url(#s)",
            "cloud": mix(colours["below"], colours["disc"], 0.6),
            "night": mix(colours["above"], colours["motif"], 0.62),
            "ray": mix(colours["below"], colours["above"], 0.35),
            "surf": mix(colours["near"], colours["far"], 0.3),
        }

    def choose(self, *choices: Any) -> Any:
        return choices[int(self._random() * len(choices))]

    def add(self, data: str, tone: str, opacity: float = 1) -> None:
        self._elements.append(
            f'<path d="{data}" fill="{self.colours[tone]}" fill-opacity="{opacity:g}"/>'
        )

    def add_line(self, data: str, colour: str, thick: float) -> None:
        self._elements.append(
            f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{format_mm(thick)}" '
            f'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def add_disc(self, opacity: float = 1) -> None:
        """Add the sun or the moon behind the motif, a little to the right, with its halo."""
        x, y = self.middle[0] + 0.06 * self.side, self.middle[1] - 0.06 * self.side
        for radius, veil in ((0.62, 0.35), (0.5, 1)):
            self.add(place_path(CIRCLE, x, y, radius * self.side), "disc", veil * opacity)

    def add_night(self) -> None:
        self.add(place_path(_BOX, 0, 0, self.width, self.height), "night")
        self.add(place_path(CIRCLE, *self.middle, 0.66 * self.side), "above", 0.45)

    def add_rays(self) -> None:
        rays = draw_rays(self.width, self.height, max(3, self.side / 9))
        self.add(rays, "ray", 0.7)

    def add_dots(self, count: int, tone: str) -> None:
        """Add stars or, in the colour of light, bubbles above the ground."""
        form = CIRCLE if tone == "light" else _STAR
        for _ in range(count):
            x, y = self._random() * self.width, self._random() * self.height * 0.75
            size = self.side * (0.008 + 0.018 * self._random())
            self.add(place_path(form, x, y, size), tone, 0.85)

    def add_bars(self, count: int, top: float, bottom: float) -> None:
        """Add clouds or glints: lines with round ends, between shares of the height."""
        data, side = "", self.side
        for k in range(count):
            x = self._random() * 0.9 * self.width
            y = self.height * (top + (bottom - top) * (k + self._random()) / count)
            long = side * (0.14 + 0.12 * self._random())
            data += place_path("M0 0h1M.3 1h.5", x, y, long, side * 0.04)
        self.add_line(data, self.colours["cloud"], side * 0.018)

    def add_ridge(self, rise: float, swing: float, waves: float, tone: str) -> None:
        """Fill all under an outline, `rise` below the motif's foot, in shares of its side."""
        top, waves = self._foot + rise * self.side, waves * max(0.6, self.width / self.side / 1.6)
        count, phase = min(36, max(8, round(waves * 6))), self._random() * math.tau
        points = []
        for k in range(count + 1):
            angle = k / count * waves * math.tau + phase
            lift = (0.7 * math.sin(angle) + 0.3 * math.sin(1.7 * angle)) * swing * self.side
            points.append((round(k / count * self.width, 2), round(top - lift, 2)))
        low = format_mm(self.height)
        self.add(f"{smooth(points)}L{format_mm(self.width)} {low}L0 {low}Z", tone)

    def add_shadow(self) -> None:
        shadow = place_path(CIRCLE, self.middle[0], self._foot, 0.46 * self.side, 0.035 * self.side)
        self.add(shadow, "motif", 0.35)

    def add_motif(self, motif: str, is_light: bool) -> None:
        tones = [self.colours[tone] for tone in ("motif", "middle", "light")]
        if is_light:
            light, night = self.colours["light"], self.colours["night"]
            tones = [light, mix(light, self.colours["above"], 0.42), night]
        place = f"translate({format_mm(self.left)} {format_mm(self.top)})"
        size = f"scale({self.side / 100:.4g})"
        self._elements.append(f'<g transform="{place} {size}">{_paint(motif, *tones)}</g>')

    @property
    def _foot(self) -> float:
        """Height at which a motif stands on the ground."""
        return self.top + 0.94 * self.side

    def format(self) -> bytes:
        sky = (
            f'<linearGradient id="s" x1="0" y1="0" x2="0" y2="0.8"><stop offset="0" '
            f'stop-color="{self.colours["above"]}"/><stop offset="1" '
            f'stop-color="{self.colours["below"]}"/></linearGradient>'
        )
        return format_svg(self.width, self.height, "".join(self._elements), sky)


def _paint(motif: str, dark: str, mid: str, light: str) -> str:
    """Return the elements of a drawing in three tones."""
    tones = {"dark": dark, "mid": mid, "light": light}
    content = _VARIABLE.sub(lambda match: tones[match[1]], _read_motif(motif))
    return f'<g fill="{dark}">{content}</g>'


def _outline(motif: str, colour: str, ground: str, line: float) -> str:
    """Return the elements of a drawing as outlines; a stroke becomes two lines."""
    parts = []
    for part in _ELEMENT.findall(_paint(motif, ground, ground, ground)):
        stroke = _STROKE_WIDTH.search(part)
        if stroke:
            wide = float(stroke[1]) + line
            lower = _STROKE_WIDTH.sub(f'stroke-width="{wide:g}"', part)
            parts.append(lower.replace(f'stroke="{ground}"', f'stroke="{colour}"'))
            inner = max(float(stroke[1]) - line, 0)
            parts.append(_STROKE_WIDTH.sub(f'stroke-width="{inner:g}"', part))
        else:
            parts.append(part)
    outline = f'stroke="{colour}" stroke-width="{line:g}" stroke-linejoin="round"'
    return f'<g fill="{ground}" {outline}>{"".join(parts)}</g>'


@cache
def _read_motif(motif: str) -> str:
    match = _CONTENT.search(read_motif_file(f"{motif}.svg"))
    assert match is not None
    return re.sub(r">\s+<", "><", match[1].strip())


@cache
def _load_letters() -> dict[str, tuple[float, str]]:
    """Return the width and the path of each letter and mark that monograms have."""
    table = load_table("letters.yaml").items()
    rows = ((letters, row.text.split(" ", 1)) for letters, row in table)
    return {letter: (float(row[0]), row[1]) for letters, row in rows for letter in letters}


def _draw_letters(name: str) -> tuple[str, float]:
    """Return the path of the one or two initials of a name and their width, or no path."""
    words = [word for word in re.findall(r"[^\W\d_]+", name) if not _SMALL_WORD.match(word)]
    known, path, x = _load_letters(), "", 0.0
    for word in words[:2]:
        first, *marks = [*unicodedata.normalize("NFD", word[:1].upper())]
        if not known.keys() >= {first, *marks}:
            return "", 0
        width, letter = known[first]
        path += place_path(letter, x, 0, 1)
        path += "".join(place_path(known[mark][1], x + width / 2, 0, 1) for mark in marks)
        x += width + 12
    return path, x - 12

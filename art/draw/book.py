"""The rulebook's pictures: its cover, and a wide scene at the head of every chapter.

    python art/draw/book.py    rewrites art/book/*.svg

A scene is one sky, one ground and a few of the game's own drawings, whose ground and spot colour
are replaced so that they stand in the same evening. Units are 0.1 mm. No randomness.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from svg import ART, INK, PAPER, circle, document, element, fill, polygon, save, short

WIDTH, HEIGHT = 1740, 400
GROUND = 356
SHADE, RED, NIGHT = "#dccfb2", "#b8392a", "#3a4680"
FAR, NEAR, DUST = "#a4402c", "#c9713f", "#dba067"
"""Grounds of the cover from the horizon to the road: lighter the nearer, so that what drives before
them stands out."""
BOTTOM = re.compile(r'<path[^>]*\bd="M0 [23]\d\d[^"]*400 ?H0 ?Z"[^>]*/>')
"""The ground under a drawing, which a scene replaces by its own."""


@dataclass(frozen=True)
class Cast:
    """One drawing in a scene: `x` of its left edge, its feet at `y`; `flip` turns it round."""

    name: str
    x: float
    scale: float = 1.0
    y: float = GROUND
    flip: bool = False
    feet: float = 338


def drawing(name: str, spot: str) -> str:
    """What a drawing holds, without its ground, its names its own, its spot colour `spot`."""
    text = (ART / f"{name}.svg").read_text(encoding="utf-8")
    inner = re.sub(r"<title>.*?</title>", "", text[text.index(">") + 1 : text.rindex("</svg>")])
    inner = BOTTOM.sub("", inner)
    own = re.sub(r"\W", "-", name)
    inner = re.sub(r'id="', f'id="{own}-', inner)
    inner = re.sub(r'(href="#|url\(#)', rf"\g<1>{own}-", inner)
    kept = {INK, PAPER}
    inner = re.sub(r"#[0-9a-f]{6}", lambda m: m[0] if m[0] in kept else spot, inner)
    return inner.strip()


def stand(cast: Cast, spot: str) -> str:
    """A drawing in its place."""
    width = 695 * cast.scale
    at = f"{short(cast.x + (width if cast.flip else 0))} {short(cast.y - cast.feet * cast.scale)}"
    size = f"{-cast.scale if cast.flip else cast.scale} {cast.scale}"
    return element(
        "g", drawing(cast.name, spot), transform=f"translate({at}) scale({size})", fill=INK
    )


def screen(width: float, top: float, bottom: float, pitch: float, most: float) -> str:
    """Halftone dots that grow from nothing at `top` to the radius `most` at `bottom`."""

    def rows() -> Iterator[str]:
        rise = pitch * 0.866
        count = round(abs(bottom - top) / rise)
        for row in range(count + 1):
            part = row / count
            radius = most * math.sqrt(part)
            if radius < 1.2:
                continue
            y = top + (bottom - top) * part
            start = pitch / 2 if row % 2 else 0
            for column in range(int(width / pitch) + 2):
                yield circle(start + column * pitch, y, radius, short)

    return "".join(rows())


def ridge(width: float, y: float, depth: float, *bumps: float) -> str:
    """Uneven ground from edge to edge, `depth` deep; a bump is how far it rises there."""
    step = width / (len(bumps) - 1)
    line = [(i * step, y - bump) for i, bump in enumerate(bumps)]
    return polygon([(0, y + depth), *line, (width, y + depth)])


def scene(title: str, spot: str, casts: Iterable[Cast], *, sun: float, dark: bool = False) -> str:
    """A chapter's picture. `sun` is where its disc stands; in the `dark` it is a moon."""
    sky, dots, disc = (NIGHT, INK, PAPER) if dark else (SHADE, PAPER, spot)
    return document(
        WIDTH,
        HEIGHT,
        title,
        fill(sky, f"M0 0H{WIDTH}V{HEIGHT}H0z"),
        fill(dots, screen(WIDTH, 300, -10, 24, 14) if dark else screen(WIDTH, 40, 356, 24, 11.5)),
        fill(disc, circle(sun, 134, 100)),
        *(stand(cast, spot) for cast in casts),
        fill(INK, ridge(WIDTH, GROUND, HEIGHT - GROUND, 3, 8, 0, 6, 2, 7, 1, 5, 0)),
    )


def queue(y: float, scale: float, *kinds: str, start: float = 0, gap: float = 0) -> list[Cast]:
    """Vehicles bumper to bumper, from the left."""
    pitch = 600 * scale + gap
    return [Cast(f"units/{kind}", start + i * pitch, scale, y=y) for i, kind in enumerate(kinds)]


CHAPTERS: dict[str, tuple[str, str, float, bool, list[Cast]]] = {
    "what": (
        "Geese watch a convoy drive towards the sun",
        RED,
        1490,
        False,
        [
            Cast("areas/goose-meadow", -60, 1.0),
            *queue(GROUND, 0.62, "supply", "infantry", "armour", start=600),
        ],
    ),
    "box": (
        "A conscript, a piano and a crate of medals wait to be packed",
        "#7a3b69",
        870,
        False,
        [
            Cast("graft/medals", -40),
            Cast("graft/dead-souls", 560, 0.92),
            Cast("graft/piano", 1130, 0.95),
        ],
    ),
    "setup": (
        "A barrier before the road, and a debt signed on a tank",
        "#7a3b69",
        1500,
        False,
        [Cast("graft/iou", -60), Cast("graft/toll", 590), Cast("units/supply", 1240, 0.85)],
    ),
    "queue": (
        "Vehicles bumper to bumper, a wreck among them",
        "#2e7270",
        1600,
        False,
        queue(GROUND, 0.58, "armour", "supply", "supply-wreck", "infantry", "armour", start=-60),
    ),
    "day": (
        "The bugle, the road and the cook",
        "#c8741a",
        870,
        False,
        [
            Cast("graft/reveille", -30),
            Cast("units/infantry", 640, 0.72),
            Cast("graft/field-kitchen", 1120, 0.95),
        ],
    ),
    "actions": (
        "Six signposts, all of them wrong, and a tank on the verge",
        "#c8741a",
        860,
        False,
        [
            Cast("night-attacks/signposts", -60),
            Cast("actions/foot-down", 560),
            Cast("actions/pontoon-wagon", 1160, 0.85),
        ],
    ),
    "states": (
        "Bottles, smoke, and a tank that is past repair",
        "#8a5a2b",
        1010,
        False,
        [
            Cast("substances/booze", -20, 0.9),
            Cast("units/supply-wreck", 560),
            Cast("units/armour-wreck", 1160, 0.85),
        ],
    ),
    "areas": (
        "A works, a power station and guns among the pines",
        "#2e7270",
        1180,
        False,
        [
            Cast("areas/works", -40),
            Cast("areas/power-station", 600),
            Cast("areas/battery", 1160, 0.95),
        ],
    ),
    "looting": (
        "A school, a fridge and a sofa change owners",
        RED,
        690,
        False,
        [
            Cast("loot-city/school", -40),
            Cast("actions/extra-looting", 560),
            Cast("loot-city/furniture-shop", 1120, 0.95),
        ],
    ),
    "advance": (
        "A broken bridge, and those who got across",
        "#2e7270",
        1560,
        False,
        [
            Cast("bridges/broken-bridge", -30, 1.0, feet=330),
            *queue(GROUND, 0.6, "infantry", "armour", "supply", start=690),
        ],
    ),
    "night": (
        "A sentry asleep, faces round a fire, eyes among the spruces",
        "#c8741a",
        1130,
        True,
        [
            Cast("night-attacks/dozing-sentry", -40),
            Cast("night-attacks/campfire", 560, 0.95),
            Cast("night-attacks/forest-folk", 1160, 0.85),
        ],
    ),
    "morning": (
        "The field kitchen smokes before anyone is awake",
        "#b5832a",
        560,
        False,
        [
            Cast("graft/food-money", 1080, 0.95),
            Cast("graft/field-kitchen", -20),
            Cast("units/supply", 620, 0.75),
        ],
    ),
    "first-day": (
        "Bicycles pass a tank in the moonlight",
        "#c8741a",
        900,
        True,
        [
            Cast("units/armour", -20, 0.9),
            Cast("units/supply", 520, 0.8),
            Cast("night-attacks/cyclists", 1080, 0.95),
        ],
    ),
    "end": (
        "A parade, and an elephant that has not arrived",
        "#b5832a",
        900,
        False,
        [
            Cast("commanders/carthaginian", -40),
            Cast("graft/parade", 580),
            Cast("graft/nephew", 1160, 0.9),
        ],
    ),
    "icons": (
        "A rifle on a library desk",
        "#3f6478",
        640,
        False,
        [
            Cast("foreign-aid/whisper", 60),
            Cast("areas/radio-house", 700),
            Cast("graft/inspection", 1180, 0.9),
        ],
    ),
}
"""Each chapter's picture: title, spot colour, where the sun stands, is it night, who is in it."""

# The cover: A4 with 3 mm over on every side; A5 has the same proportions.
COVER_WIDTH, COVER_HEIGHT = 2160, 3030
TITLE_END, WORDS_END = 560, 800
"""How far down title and subtitle reach, and what is printed below them on the left."""


COAT = "M-150 0L-118 -330Q-112 -470 0 -480Q112 -470 118 -330L150 0z"
SCARF = "M0 -690C105 -690 112 -560 84 -480L0 -372L-84 -480C-112 -560 -105 -690 0 -690z"
GOOSE = (
    "M20 -250Q96 -372 204 -330Q236 -360 226 -470Q222 -540 272 -544Q308 -544 312 -506"
    "Q282 -488 286 -420Q296 -260 210 -196Q130 -150 40 -190z"
)
SLEEVE = "M96 -380Q150 -262 176 -236"


def watcher(x: float, foot: float) -> str:
    """An old woman from behind, with a goose under her arm: she was here before the convoy."""
    dots = "".join(
        circle(-66 + 44 * column + 22 * (row % 2), 46 * row - 640, 8)
        for row in range(4)
        for column in range(4 - row % 2)
    )
    parts = (
        fill(INK, COAT, stroke=PAPER, stroke_width=12),
        element("path", d="M0 -372V0", fill="none", stroke=PAPER, stroke_width=6),
        fill(RED, SCARF, stroke=PAPER, stroke_width=12),
        fill(PAPER, dots),
        fill(PAPER, GOOSE, stroke=INK, stroke_width=10),
        fill(INK, circle(272, -516, 9)),
        fill(RED, polygon([(306, -532), (372, -506), (308, -496)])),
        element("path", d=SLEEVE, fill="none", stroke=INK, stroke_width=58, stroke_linecap="round"),
    )
    return element("g", "".join(parts), transform=f"translate({x} {foot})")


def stars(wide: int = COVER_WIDTH, title_end: int = TITLE_END) -> str:
    """A thin sky of stars beside and below the words, on which none may lie."""
    found = []
    for i in range(200):
        x, y = (i * 1291 + i * i * 37) % wide, 40 + (i * 577 + i * i * 11) % 900
        if y > WORDS_END or not 130 <= x <= wide - 130 or (x > wide - 660 and y > title_end):
            found.append(circle(x, y, 3 + i % 3 * 1.6, short))
    return "".join(found)


def grass(y: float, wide: int = COVER_WIDTH) -> str:
    """Tufts along the roadside."""
    found = []
    for i in range(36):
        x, base = (i * 373) % wide, y + (i * 131) % 560
        found.append(polygon([(x, base), (x + 7, base - 54), (x + 14, base),
                              (x + 24, base - 38), (x + 27, base)]))  # fmt: skip
    return "".join(found)


def cover() -> str:
    """Three ridges of one convoy before a setting sun, and a woman who watches it go by."""
    wide = COVER_WIDTH
    far = queue(1500, 0.36, *("armour", "supply", "infantry") * 4, start=-120, gap=-14)
    middle = queue(1880, 0.62, "infantry", "supply", "armour", "supply", "infantry", "armour",
                   start=-210, gap=16)  # fmt: skip
    near = queue(2400, 1.12, "supply", "infantry", "armour", start=-150, gap=60)
    return document(
        wide,
        COVER_HEIGHT,
        "A convoy without end crosses the evening; an old woman with a goose watches it",
        fill(RED, f"M0 0H{wide}V{COVER_HEIGHT}H0z"),
        fill(INK, f"M0 0H{wide}V{WORDS_END}H0z"),
        fill(INK, screen(wide, 1420, WORDS_END, 36, 24)),
        fill(PAPER, stars()),
        fill(PAPER, circle(1420, 1180, 330)),
        fill(FAR, f"M0 1500H{wide}V1900H0z"),
        *(stand(cast, RED) for cast in far),
        fill(INK, f"M0 1498H{wide}V1511H0z"),
        fill(NEAR, f"M0 1880H{wide}V2450H0z"),
        fill(DUST, screen(wide, 2000, 2410, 36, 24)),
        *(stand(cast, RED) for cast in middle),
        fill(INK, f"M0 1877H{wide}V1898H0z"),
        *(stand(cast, RED) for cast in near),
        fill(INK, f"M0 2388H{wide}V2470H0z"),
        fill(SHADE, ridge(wide, 2470, 600, 0, 10, 2, 14, 0, 8)),
        fill("#c2b393", grass(2560)),
        watcher(520, 2960),
    )


def main() -> None:
    for name, (title, spot, sun, dark, casts) in CHAPTERS.items():
        save(f"book/{name}.svg", scene(title, spot, casts, sun=sun, dark=dark))
    save("book/cover.svg", cover())


if __name__ == "__main__":
    main()

"""The pictures of the game's box: its lid, its walls and the symbols of its facts.

    python art/draw/box.py    rewrites art/box/*.svg

Units are 0.1 mm. The template puts vehicles before the sky of each wall, as many as it has room
for, and the road below them: the size of the box follows from what lies in it. Below the road is
grass alone, since the holes for the thumbs are cut there.
"""

from __future__ import annotations

import math

from book import (
    DUST,
    FAR,
    NEAR,
    RED,
    SHADE,
    Cast,
    grass,
    queue,
    ridge,
    screen,
    stand,
    stars,
    watcher,
)
from svg import INK, PAPER, circle, document, element, fill, polygon, save, short

LID_WIDTH, LID_HEIGHT = 2098, 2738
SKY_WIDTH, SKY_HEIGHT = 4000, 320
VEHICLES = ("armour", "supply", "infantry", "supply-wreck")


def lid() -> str:
    """The convoy comes out of the evening in three rows, into the dust that it raises."""
    wide = LID_WIDTH
    far = queue(1330, 0.36, *("armour", "supply", "infantry") * 4, start=-110, gap=-10)
    middle = queue(1660, 0.58, *("infantry", "supply", "armour") * 2, "supply", start=-180, gap=14)
    near = queue(2120, 1, "armour", "supply", "infantry", start=90, gap=28)
    return document(
        wide,
        LID_HEIGHT,
        "Three rows of a convoy cross the evening; an old woman with a goose watches them",
        fill(RED, f"M0 0H{wide}V{LID_HEIGHT}H0z"),
        fill(INK, f"M0 0H{wide}V760H0z"),
        fill(INK, screen(wide, 1290, 760, 34, 23)),
        fill(PAPER, stars(wide, 650)),
        fill(PAPER, circle(1390, 1060, 280)),
        fill(FAR, f"M0 1330H{wide}V1700H0z"),
        *(stand(cast, RED) for cast in far),
        fill(INK, f"M0 1328H{wide}V1340H0z"),
        fill(NEAR, f"M0 1660H{wide}V2200H0z"),
        fill(DUST, screen(wide, 1760, 2130, 30, 20)),
        *(stand(cast, RED) for cast in middle),
        fill(INK, f"M0 1657H{wide}V1676H0z"),
        *(stand(cast, RED) for cast in near),
        fill(INK, f"M0 2110H{wide}V2182H0z"),
        fill(SHADE, ridge(wide, 2182, 560, 0, 10, 2, 14, 0, 8)),
        fill("#c2b393", grass(2270, wide)),
        element("g", watcher(0, 0), transform="translate(440 2660) scale(.98)"),
    )


def sky() -> str:
    """The sun behind the dust, before the red of the wall."""
    return document(
        SKY_WIDTH,
        SKY_HEIGHT,
        "The sun sets behind dust",
        fill(PAPER, circle(SKY_WIDTH / 2, 160, 150)),
        fill(DUST, screen(SKY_WIDTH, 0, SKY_HEIGHT - 76, 24, 16) + f"M0 240H{SKY_WIDTH}v80H0z"),
    )


def vehicle(kind: str) -> str:
    """A vehicle alone, with its feet at 338."""
    return document(695, 400, f"{kind}, red", stand(Cast(f"units/{kind}", 0, y=338), RED))


def symbol(title: str, *parts: str) -> str:
    """A drawing in paper colour on a disc of ink, 20 mm wide."""
    return document(200, 200, title, fill(INK, circle(100, 100, 100)), *parts)


def person(x: float, y: float, size: float) -> str:
    """Head and shoulders; `y` is where they are cut off."""
    chest = f"M{short(x - size)} {y}v{short(-0.5 * size)}a{short(size)} {short(size)} 0 0 1"
    return circle(x, y - 1.95 * size, 0.62 * size) + f"{chest} {short(2 * size)} 0V{y}z"


def players() -> str:
    back = person(54, 140, 30) + person(146, 140, 30)
    front = fill(PAPER, person(100, 162, 42), stroke=INK, stroke_width=8)
    return symbol("Three people", fill(PAPER, back), front)


def clock() -> str:
    marks = "".join(
        circle(100 + 56 * math.sin(math.tau * i / 12), 100 - 56 * math.cos(math.tau * i / 12), 4.5)
        for i in range(12)
    )
    hands = element("path", d="M100 56V100L130 118", fill="none", stroke=INK, stroke_width=11,
                    stroke_linecap="round", stroke_linejoin="round")  # fmt: skip
    return symbol("A clock", fill(PAPER, circle(100, 100, 70)), fill(INK, marks), hands)


def cake() -> str:
    """A birthday cake with a shell for a candle."""
    icing = "M48 104H152V120q-13 16 -26 0q-13 16 -26 0q-13 16 -26 0q-13 16 -26 0z"
    return symbol(
        "A birthday cake with a shell for a candle",
        fill(PAPER, "M48 104H152V154H48zM38 158H162V166H38z"),
        fill(RED, icing),
        fill(PAPER, "M88 98V66q0 -22 12 -32q12 10 12 32V98z"),
        fill(INK, polygon([(86, 84), (114, 84), (114, 90), (86, 90)])),
    )


def draw_pictures() -> dict[str, str]:
    """Return the pictures by their names."""
    pictures = {"lid": lid(), "sky": sky(), "players": players(), "time": clock(), "age": cake()}
    return pictures | {kind: vehicle(kind) for kind in VEHICLES}


def main() -> None:
    for name, text in draw_pictures().items():
        save(f"box/{name}.svg", text)


if __name__ == "__main__":
    main()

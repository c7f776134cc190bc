"""The pictures of the game's box: its lid, its walls and the symbols of its facts.

    python art/draw/box.py    rewrites art/box/*.svg

Each is as large as its face with 3 mm over on every side, in 0.1 mm. The road runs round the box
at one height. Below it is grass alone, since the holes for the thumbs are cut there.
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

LID_WIDTH, LID_HEIGHT = 1714, 2728
SIDE_WIDTH, END_WIDTH, WALL_HEIGHT = 2728, 1714, 565
VERGE = 424
"""How far down a wall its road begins; the hole for the thumb reaches up to 445."""


def lid() -> str:
    """The convoy comes out of the evening in three rows, into the dust that it raises."""
    wide = LID_WIDTH
    far = queue(1330, 0.34, *("armour", "supply", "infantry") * 3, start=-110, gap=-10)
    middle = queue(1660, 0.56, "infantry", "supply", "armour", "supply", "infantry", "armour",
                   start=-180, gap=14)  # fmt: skip
    near = queue(2120, 0.87, "armour", "supply", "infantry", start=10, gap=28)
    return document(
        wide,
        LID_HEIGHT,
        "Three rows of a convoy cross the evening; an old woman with a goose watches them",
        fill(RED, f"M0 0H{wide}V{LID_HEIGHT}H0z"),
        fill(INK, f"M0 0H{wide}V760H0z"),
        fill(INK, screen(wide, 1290, 760, 34, 23)),
        fill(PAPER, stars(wide, 650)),
        fill(PAPER, circle(1130, 1050, 290)),
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
        element("g", watcher(0, 0), transform="translate(330 2660) scale(.98)"),
    )


def wall(wide: float, title: str, casts: list[Cast]) -> str:
    """A wall: the road from edge to edge, dust over it, and red for a title over the dust."""
    return document(
        wide,
        WALL_HEIGHT,
        title,
        fill(RED, f"M0 0H{wide}V{WALL_HEIGHT}H0z"),
        fill(PAPER, circle(wide / 2, 330, 150)),
        fill(DUST, screen(wide, 170, VERGE - 10, 24, 16)),
        *(stand(cast, RED) for cast in casts),
        fill(INK, f"M0 {VERGE - 3}H{wide}V{VERGE + 18}H0z"),
        fill(SHADE, f"M0 {VERGE + 18}H{wide}V{WALL_HEIGHT}H0z"),
    )


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
    three = "armour", "supply", "infantry"
    side = queue(VERGE, 0.7, *three, "armour", "supply-wreck", "infantry", start=47, gap=8)
    end = queue(VERGE, 0.7, *three, start=182, gap=8)
    return {
        "lid": lid(),
        "side": wall(SIDE_WIDTH, "The convoy, with a wreck full of flowers", side),
        "end": wall(END_WIDTH, "Three vehicles of the convoy", end),
        "players": players(),
        "time": clock(),
        "age": cake(),
    }


def main() -> None:
    for name, text in draw_pictures().items():
        save(f"box/{name}.svg", text)


if __name__ == "__main__":
    main()

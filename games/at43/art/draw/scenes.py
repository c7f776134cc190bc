"""The rulebook's cover and the pictures of its chapters: figures of the box, to one scale.

    python art/draw/scenes.py    rewrites art/cover.svg and art/chapters/*.svg

Standard library only, no randomness.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from figures import CREWS, TANKS, THERIAN, THERIAN_LARGE, UNA, UNA_LARGE
from pen import Pen
from therian import golem
from una import soldier

PAPER, PALE, SAND, DUSK = "#ece6d2", "#e2dabd", "#cfc6a2", "#b9b08a"
OLIVE, ORANGE, GLOW, TEAL, CYAN = "#59613a", "#d4611c", "#f3b25f", "#0e4a56", "#7fd3da"
GRID = "#d8d0b2"
FIELD = 1660
"""How high on the cover the field ends and the sky begins."""


@dataclass(frozen=True)
class Placed:
    """A figure by its name in figures.py, where its feet stand (0.1 mm), and which way it looks."""

    name: str
    x: float
    y: float = 0
    left: bool = False


def put(pen: Pen, placed: Placed, scale: float) -> None:
    """Draw a figure of the box."""
    p = pen.at(placed.x, placed.y, scale=scale, flip=placed.left)
    people, machines = {**UNA, **UNA_LARGE}, {**THERIAN, **THERIAN_LARGE}
    if placed.name in people:
        soldier(p, people[placed.name], False)
    elif placed.name in machines:
        golem(p, machines[placed.name], False)
    else:
        drawn: dict[str, Callable[[Pen, bool], None]] = {**CREWS, **TANKS}
        drawn[placed.name](p, False)


def box(pen: Pen, left: float, foot: float, width: float, height: float, fill: str) -> None:
    """A filled rectangle without an outline."""
    right, head = left + width, foot + height
    pen.poly([(left, foot), (right, foot), (right, head), (left, head)], fill, 0)


def container(pen: Pen, x: float, y: float, scale: float, fill: str, rib: str) -> None:
    """A container from the side, its door ajar."""
    p = pen.at(x, y, scale=scale)
    p.poly([(0, 0), (840, 0), (840, 750), (0, 750)], fill)
    for k in range(1, 14):
        p.stroke([(k * 60, 70), (k * 60, 680)], rib, 16)
    box(p, 0, 0, 840, 44, rib)
    box(p, 0, 706, 840, 44, rib)


def wall(pen: Pen, x: float, y: float, scale: float, courses: int) -> None:
    """A broken wall of blocks; it is lower to the right."""
    p = pen.at(x, y, scale=scale)
    for row in range(courses):
        for k in range(7 - row):
            shift = 0 if row % 2 else -80
            p.poly(
                [
                    (k * 160 + shift, row * 62),
                    (k * 160 + shift + 160, row * 62),
                    (k * 160 + shift + 160, row * 62 + 62),
                    (k * 160 + shift, row * 62 + 62),
                ],
                "#b3afa0" if (k + row) % 3 else "#cbc7b8",
                4,
            )


def cover() -> None:
    """A4: striders over their own, the field between. The title's band covers the lowest third."""
    width, height = 2160, 3030
    pen = Pen(6)
    box(pen, -width / 2, 0, width, height, PAPER)
    for k in range(27):
        pen.stroke([(-width / 2 + k * 83, FIELD), (-width / 2 + k * 83, height)], GRID, 1.6)
    for k in range(16):
        y = FIELD + 100 + k * 83
        pen.stroke([(-width / 2, y), (width / 2, y)], GRID, 1.6)
    pen.dot(0, FIELD + 370, 860, GLOW, 0)
    pen.dot(0, FIELD + 370, 730, ORANGE, 0)
    high = [(-1080, 100), (-800, 240), (-560, 160), (-300, 280), (40, 180), (330, 290)]
    high += [(600, 190), (860, 280), (1080, 160), (1080, -200), (-1080, -200)]
    pen.poly([(x, FIELD + y) for x, y in high], DUSK, 0)
    box(pen, -width / 2, 0, width, FIELD, SAND)
    pen.poly(
        [(-1080, FIELD), (1080, FIELD), (1080, FIELD - 110), (-1080, FIELD - 55)],
        DUSK,
        0,
    )
    container(pen, -40, FIELD, 0.46, "#b9551b", "#9a4616")
    for placed, scale in (
        (Placed("una-kavelija-tank", -330, FIELD - 30), 1.15),
        (Placed("th-alusta-tank", 500, FIELD - 10), 1.15),
        (Placed("una-raskas-kavelija-tank", -690, FIELD - 260), 1.95),
        (Placed("th-pilkkoja-tank", 720, FIELD - 240, True), 1.75),
    ):
        put(pen, placed, scale)
    near = FIELD - 400
    for k, name in enumerate(("soldier", "special", "soldier", "soldier")):
        put(pen, Placed(f"una-linja-{name}", -880 + k * 190, near - 28 * (k % 2)), 1.3)
    for k, name in enumerate(("soldier", "officer", "soldier", "special")):
        put(pen, Placed(f"th-sarja-{name}", 300 + k * 190, near - 28 * (k % 2), True), 1.3)
    wall(pen, -1080, near - 250, 1.15, 4)
    put(pen, Placed("una-saarto-hero", -300, near - 270), 1.85)
    put(pen, Placed("th-kuu-hero", 330, near - 270, True), 1.85)
    pen.save("cover.svg", width, height, "Two armies before a low sun")


WIDE, HIGH = 1700, 420
# How large its figures are, all of a picture alike, and where they stand.
SCENES: dict[str, tuple[float, list[Placed]]] = {
    "first": (1, [
        Placed("una-linja-special", -740), Placed("una-linja-soldier", -530),
        Placed("una-saarto-hero", -290), Placed("th-kuu-hero", 290, 0, True),
        Placed("th-sarja-soldier", 530, 0, True), Placed("th-sarja-special", 740, 0, True),
    ]),
    "missions": (0.5, [
        *(Placed("una-linja-soldier", -760 + k * 95) for k in range(5)),
        Placed("una-linja-officer", -285), Placed("una-kranaatti-soldier", -90),
        Placed("una-raskas-soldier", 130), Placed("una-kevyt-kavelija-tank", 370),
        Placed("una-raskas-kavelija-tank", 660),
    ]),
    "shooting": (1, [
        *(Placed("una-linja-soldier", -760 + k * 170) for k in range(2)),
        Placed("una-linja-special", -420),
        *(Placed("th-sarja-soldier", 430 + k * 170, 0, True) for k in range(3)),
    ]),
    "striders": (0.5, [
        Placed("una-kevyt-kavelija-tank", -720), Placed("una-kavelija-tank", -470),
        Placed("una-raskas-kavelija-tank", -180), Placed("th-raskas-alusta-tank", 150),
        Placed("th-pilkkoja-tank", 460), Placed("th-kevyt-alusta-tank", 720),
    ]),
    "routines": (0.8, [
        Placed("th-sarja-soldier", -720), Placed("th-sarja-soldier", -560),
        Placed("th-nanosyotto-soldier", -300), Placed("th-kuu-hero", 0),
        Placed("th-nanosyotto-soldier", 300, 0, True), Placed("th-sarja-soldier", 560, 0, True),
        Placed("th-sarja-soldier", 720, 0, True),
    ]),
}  # fmt: skip


def squared(pen: Pen, ground: str, fine: str, strong: str) -> None:
    """Squared paper, as behind the figures of unit cards."""
    box(pen, -WIDE / 2, 0, WIDE, HIGH, ground)
    for k in range(WIDE // 50 + 1):
        x = -WIDE / 2 + k * 50
        pen.stroke([(x, 0), (x, HIGH)], strong if k % 5 == 0 else fine, 1.2)
    for k in range(HIGH // 50 + 1):
        pen.stroke([(-WIDE / 2, k * 50), (WIDE / 2, k * 50)], fine, 1.2)


def chapter(name: str, scale: float, figures: list[Placed]) -> None:
    """A strip of 170 × 42 mm."""
    pen = Pen(3.5 if scale > 0.6 else 2.6)
    machine = name == "routines"
    if machine:
        squared(pen, "#d9e6e2", "#c6d9d6", "#a5c6c6")
    else:
        squared(pen, "#dfdcbf", "#cfcda8", "#b4b388")
    if name == "shooting":
        for y in (150, 166, 182):
            pen.stroke([(-300, y), (330, y + 10)], ORANGE, 5)
        wall(pen, 120, 14, 0.42, 4)
    for each in figures:
        put(pen, Placed(each.name, each.x, 14, each.left), scale)
    box(pen, -WIDE / 2, 0, WIDE, 14, TEAL if machine else OLIVE)
    pen.save(f"chapters/{name}.svg", WIDE, HIGH, f"Figures of the chapter {name}")


def main() -> None:
    cover()
    for name, (scale, figures) in SCENES.items():
        chapter(name, scale, figures)


if __name__ == "__main__":
    main()

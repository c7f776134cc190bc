"""The rulebook's cover, 2160 × 3030, and the pictures of its chapters, 1800 × 600.

    python art/draw/book.py    rewrites art/cover.svg, art/chapters/*.svg

The cover's foot is plain: the title's band lies on it.
"""

from __future__ import annotations

from events import coin, harvest, observers, quiet, smuggled
from paper import coat, note, safe
from press import INK, PAPER, SHADE, SIDES, box, disc, group, line, path, rays, save
from rulers import RULERS, portrait
from units import UNITS, man

WIDE, HIGH = 2160, 3030
LONG, LOW = 1800, 600
DOWN = 80  # how far the scene hangs below the middle; on A5 the band begins just under the feet
LEAF, BROWN, DEEP = "#3d6c41", "#8c4a32", "#1a666b"


def at(parts: list[str], x: float, y: float, scale: float, mirrored: bool = False) -> str:
    """Parts with their own origin at (x, y), scaled, perhaps looking the other way."""
    return group(
        parts, f"translate({x:g} {y:g}) scale({-scale if mirrored else scale:g} {scale:g})"
    )


def unit(name: str, side: str, x: float, scale: float, mirrored: bool = False) -> str:
    """A unit of 300 × 200 whose feet are on the ground of a chapter's picture."""
    return at(UNITS[name](side), x, LOW - 40 - 184 * scale, scale, mirrored)


def cover() -> list[str]:
    """Two rulers eye to eye over a banknote, and those who stand on it."""
    red, gold = SIDES["red"], SIDES["gold"]
    left = f'<clipPath id="left"><path d="M0 0H1080V{HIGH}H0Z"/></clipPath>'
    right = f'<clipPath id="right"><path d="M1080 0H{WIDE}V{HIGH}H1080Z"/></clipPath>'
    soldiers = [
        *(
            man(140 + 200 * k, "red", "cap", "whistle" if k == 1 else "rifle", 1.7, 2080 + DOWN)
            for k in range(4)
        ),
        *(
            at(
                [man(0, "gold", "cap", "whistle" if k == 2 else "rifle", 1.7, 0)],
                2020 - 200 * k,
                2080 + DOWN,
                1,
                True,
            )
            for k in range(4)
        ),
    ]
    return [
        box(0, 0, WIDE, HIGH, INK),
        left,
        right,
        f'<g clip-path="url(#left)">{box(0, 0, 1080, 2430, red)}{rays(1080, 900 + DOWN, 2600, 22, "#a32714")}</g>',
        f'<g clip-path="url(#right)">{box(1080, 0, 1080, 2430, gold)}{rays(1080, 900 + DOWN, 2600, 22, "#d0970f")}</g>',
        at(portrait(RULERS["n3"], False), -60, 330 + DOWN, 3.05),
        at(portrait(RULERS["s3"], False), WIDE + 60, 330 + DOWN, 3.05, True),
        box(0, 1550 + DOWN, WIDE, HIGH - 1550 - DOWN, INK),
        at(note(50), 90, 1590 + DOWN, 3),
        *soldiers,
        box(0, 2080 + DOWN, WIDE, 22, INK),
        coin(1080, 880 + DOWN, 130, PAPER),
    ]  # fmt: skip


def ground(sky: str, beam: str, soil: str) -> list[str]:
    """What a chapter's picture stands on."""
    return [
        box(0, 0, LONG, LOW, sky),
        rays(LONG / 2, LOW, 1300, 28, beam),
        box(0, LOW - 42, LONG, 42, soil),
    ]


def war() -> list[str]:
    """Two portraits, and a river of paper between them."""
    frames = []
    for x, name in ((110, "n1"), (420, "n3"), (1108, "s3"), (1418, "s5")):
        sitter = portrait(RULERS[name])
        mirrored = x > LONG / 2
        hung = at(sitter, x + 272 if mirrored else x, 88, 272 / 360, mirrored)
        frames += [
            box(x - 14, 74, 300, 330, INK),
            f'<clipPath id="{name}"><path d="M{x} 88H{x + 272}V390H{x}Z"/></clipPath>',
            f'<g clip-path="url(#{name})">{hung}</g>',
        ]
    return [*ground(PAPER, SHADE, INK), *frames, coat(900, 300, 1.5)]


def army() -> list[str]:
    """Recruiters with caps, those who came, and what was bought of the rest."""
    return [
        *ground("#f3e2b4", "#ead29a", LEAF),
        unit("militia", "red", 40, 1.5),
        unit("truck", "red", 500, 1.35),
        unit("militia", "gold", LONG - 40, 1.5, True),
        unit("medium-tank", "gold", LONG - 500, 1.35, True),
    ]


def battle() -> list[str]:
    """Firing in the general direction."""
    return [
        *ground("#f0c9ac", PAPER, BROWN),
        unit("machine-gun", "red", 60, 1.5),
        unit("rifles", "red", 430, 1.5),
        unit("field-gun", "gold", LONG - 60, 1.5, True),
        unit("veterans", "gold", LONG - 520, 1.5, True),
    ]


def village() -> list[str]:
    """A house that somebody lived in, and what is left of the next."""
    house = [
        path("M0 300V130L170 0L340 130V300Z", PAPER, INK, 10),
        path("M-24 140L170 -10L364 140L340 160L170 30L0 160Z", SIDES["red"], INK, 8),
        box(140, 190, 66, 110, INK),
        path("M40 170H100V230H40ZM240 170H300V230H240Z", SHADE, INK, 7),
    ]
    ruin = [
        path("M0 300V150L50 170L70 110L110 180V300Z", INK),
        path("M230 300V190L270 150L300 210L340 170V300Z", INK),
        line("M20 300L150 210M120 300L240 240", INK, 16),
        line("M60 90Q20 40 70 0T60 -110", "#8b8b84", 20),
        line("M270 130Q310 80 260 40T280 -80", "#8b8b84", 20),
    ]
    return [
        *ground("#d9dccb", "#e6e6d6", "#5c5a4c"),
        at(house, 240, 258, 1),
        at(ruin, 1180, 258, 1),
        at(
            [path("M0 0H90V60L45 96L0 60Z", INK), line("M14 20H76M14 40H76", PAPER, 6)], 850, 470, 1
        ),
    ]


def money() -> list[str]:
    """An open safe among banknotes."""
    notes = [
        group(note(value), f"translate({x} {y}) rotate({turn}) scale(0.8)")
        for value, x, y, turn in (
            (10, 90, 150, -8),
            (50, 340, 300, 6),
            (1, 1130, 260, -5),
            (5, 1290, 90, 9),
        )
    ]
    return [*ground("#f3dd9d", "#f8ebc4", INK), *notes, at(safe(), 880, 330, 2.35)]  # fmt: skip


def news() -> list[str]:
    """Three events."""
    return [
        *ground(PAPER, SHADE, BROWN),
        at(smuggled(DEEP), 80, 30, 1.35),
        at(harvest(BROWN), 640, 190, 1.34),
        at(quiet(LEAF), 1230, 188, 1.34),
    ]


def broadcast() -> list[str]:
    """The guest of honour before the camera."""
    camera = [
        path("M0 0H190V120H0Z", INK),
        path("M0 30L-70 4V116L0 90Z", INK),
        disc(60, -34, 40, "none", INK, 14),
        disc(150, -34, 40, "none", INK, 14),
        line("M96 120L10 330M96 120V330M96 120L182 330", INK, 14),
        disc(160, 24, 11, SIDES["red"]),
    ]
    return [
        *ground("#e9d9b8", PAPER, SIDES["red"]),
        at(observers(DEEP), 70, 150, 1.1),
        unit("president", "gold", 650, 1.9),
        at(camera, 1480, 228, 1),
    ]


CHAPTERS = {
    "story": war,
    "recruiting": army,
    "combat": battle,
    "burning": village,
    "finance": money,
    "events": news,
    "end": broadcast,
}
"""The picture of each chapter, by the name of its heading."""


def main() -> None:
    """Write the cover and every chapter's picture."""
    save("cover", WIDE, HIGH, "Two rulers and those who stand on their money", cover())
    for name, draw in CHAPTERS.items():
        save(f"chapters/{name}", LONG, LOW, f"The chapter {name}", draw())


if __name__ == "__main__":
    main()

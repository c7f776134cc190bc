"""Banknotes, card backs and grounds.

    python art/draw/paper.py    rewrites art/money/*.svg, art/backs/*.svg, art/grounds/*.svg

Notes are 960 × 510 (0.1 mm, with 3 mm of bleed); backs 690 × 940.
"""

from __future__ import annotations

from press import (
    INK,
    PAPER,
    SHADE,
    SIDES,
    box,
    disc,
    emblem,
    group,
    line,
    path,
    rays,
    rosette,
    save,
    star,
    wave,
)
from rulers import RULERS, portrait

TINTS = {
    1: ("#4f8450", "#dfe3bd"),
    5: ("#b07a12", "#f3dfa6"),
    10: ("#1f6f74", "#cfdfd0"),
    50: ("#b23320", "#f0cfb4"),
}
SITTERS = {1: "n1", 5: "s4", 10: "n3", 50: "s3"}
FINE = 1.3


def in_one_ink(parts: list[str], ink: str, tint: str) -> list[str]:
    """A poster, engraved: every colour becomes the note's ink or its tint."""
    swaps = {SIDES["red"]: tint, SIDES["gold"]: tint, SHADE: tint, INK: ink}
    text = "".join(parts)
    for old, new in swaps.items():
        text = text.replace(old, new)
    return [text]


def note(value: int) -> list[str]:
    """The front of a note: waves, frame, numeral's flower, portrait in an oval."""
    ink, tint = TINTS[value]
    oval = "M745 92Q875 92 875 258Q875 424 745 424Q615 424 615 258Q615 92 745 92Z"
    lobes = {1: 8, 5: 10, 10: 12, 50: 16}[value]
    return [
        box(0, 0, 960, 510, PAPER),
        line(wave(510, 9, 4, 120, 960), tint, 2.6),
        path("M46 46H914V464H46ZM58 58V452H902V58Z", ink, more=' fill-rule="evenodd"'),
        line("M66 66H894V444H66Z", ink, 1.6),
        path("M74 106H886V404H74Z", tint, more=' fill-opacity="0.35"'),
        line(rosette(250, 255, 60, 138, lobes, 9), ink, FINE),
        line(rosette(250, 255, 20, 84, lobes + 4, 7), ink, FINE),
        disc(250, 255, 84, PAPER, ink, 3),
        disc(250, 255, 77, "none", ink, 1.2),
        f'<clipPath id="oval"><path d="{oval}"/></clipPath>',
        path(oval, tint, ink, 7),
        f'<g clip-path="url(#oval)">{rays(745, 258, 210, 36, PAPER)}{group(in_one_ink(portrait(RULERS[SITTERS[value]], False), ink, tint), "translate(606 74) scale(0.88)")}</g>',
        line(oval, ink, 6),
        line("M745 82Q885 82 885 258Q885 434 745 434Q605 434 605 258Q605 82 745 82Z", ink, 2),
    ]


def vignette(value: int, ink: str, tint: str) -> list[str]:
    """What the back shows, within 320 × 200 about (0, 0)."""
    if value == 1:
        return [
            path("M-140 20H140L104 66H-104Z", tint, ink, 5),
            path("M-60 20V-24H26L44 20Z", PAPER, ink, 5),
            line("M-20 -24V-84", ink, 5),
            path("M-18 -82H34L24 -66L34 -50H-18Z", ink),
            line("M-160 84Q-140 70 -120 84T-80 84T-40 84T0 84T40 84T80 84T120 84T160 84", ink, 5),
            disc(-40, -2, 8, ink),
            disc(-14, -2, 8, ink),
        ]
    if value == 5:
        return [
            path("M-120 -70Q-100 60 60 70Q120 66 136 30Q40 30 -80 -84Z", tint, ink, 6),
            path("M-120 -70L-80 -84L-88 -102L-112 -96Z", ink),
            line("M-96 -66Q-40 44 96 50", ink, 4),
            path("M136 30L124 58L144 62Z", ink),
            *(line(f"M{-70 + 34 * k} {-20 + 22 * k}l26 -8", ink, 2.5) for k in range(3)),
        ]
    if value == 10:
        pillars = [box(-112 + 45 * k, -22, 22, 84, ink) for k in range(6)]
        return [
            path("M-150 -34L0 -96L150 -34Z", tint, ink, 6),
            *pillars,
            box(-150, -34, 300, 12, ink),
            box(-160, 62, 320, 18, ink),
            star(0, -56, 22, ink),
            path(
                "M60 -100Q50 -76 72 -70Q96 -66 90 -92Q82 -84 78 -90Q80 -104 68 -112Q70 -100 60 -100Z",
                ink,
            ),
        ]
    frame = "M-120 -88H120V88H-120ZM-100 -68V68H100V-68Z"
    return [
        path(frame, ink, more=' fill-rule="evenodd"'),
        path("M-100 -68H100V68H-100Z", PAPER),
        line(
            "M-78 68V-30H-24V68M-24 -6H30V68M60 68V-48M60 -48H-30M60 -48L86 -30M-30 -48V-24", ink, 4
        ),
        line("M-78 -8H-24M-78 18H-24M-78 44H-24M-24 30H30", ink, 2),
        box(-38, -24, 16, 12, ink),
    ]


def note_back(value: int) -> list[str]:
    """The back of a note."""
    ink, tint = TINTS[value]
    return [
        box(0, 0, 960, 510, PAPER),
        line(wave(510, 9, 4, 150, 960), tint, 2.6),
        path("M46 46H914V464H46ZM58 58V452H902V58Z", ink, more=' fill-rule="evenodd"'),
        line(rosette(480, 222, 134, 170, 24, 5), ink, FINE),
        line(rosette(480, 222, 110, 150, 18, 5), ink, FINE),
        path(
            "M480 96Q624 96 624 222Q624 348 480 348Q336 348 336 222Q336 96 480 96Z", PAPER, ink, 4
        ),
        group(vignette(value, ink, tint), "translate(480 226) scale(0.82)"),
        line(rosette(176, 222, 30, 92, 12, 6), ink, FINE),
        line(rosette(784, 222, 30, 92, 12, 6), ink, FINE),
        disc(176, 222, 52, PAPER, ink, 3),
        disc(784, 222, 52, PAPER, ink, 3),
    ]


def iou(side: str) -> list[str]:
    """A debt, written on the back of a form."""
    parts = [
        box(0, 0, 960, 510, SHADE),
        line("".join(f"M30 {y}H930" for y in range(96, 480, 34)), "#c9b27c", 2),
        line("M150 30V480", SIDES["red"], 2),
    ]
    if side == "front":
        return [
            *parts,
            line("M620 330Q660 270 690 320T740 330Q770 280 790 326T860 300", INK, 5),
            disc(800, 150, 82, "none", SIDES["red"], 8),
            disc(800, 150, 64, "none", SIDES["red"], 3),
            star(800, 150, 40, SIDES["red"]),
        ]
    return [
        *parts,
        *(
            group(
                [path("M0 0H34V12H0Z", INK)],
                f"translate({120 + 70 * k} {90 + 44 * (k % 4)}) rotate(-8)",
            )
            for k in range(10)
        ),
        disc(480, 255, 120, "none", SIDES["red"], 10),
        line("M396 340L564 170", SIDES["red"], 12),
    ]


def coat(x: float, y: float, scale: float) -> str:
    """The arms of Bubuzia: a boiled banana crossed with a rubber stamp, under a cap."""
    banana = path("M-70 -40Q-60 60 50 66Q84 64 92 40Q20 40 -42 -52Z", SIDES["gold"], INK, 6)
    stamp = path("M30 -70L52 -50L14 -4L34 16L14 36L-50 -28L-30 -48L-10 -28Z", INK)
    cap = path(
        "M-44 -84L-58 -120Q0 -152 60 -118L46 -84Q0 -98 -44 -84Z", SIDES["red"], INK, 6
    ) + star(0, -112, 16, PAPER)
    wreath = line("M-96 -30Q-110 60 -20 104M96 -30Q110 60 20 104", INK, 7)
    leaves = "".join(
        path(
            f"M{sx * (100 - k * k * 5)} {-30 + 30 * k}q{sx * 26} -22 {sx * 4} -38q{sx * -16} 18 {sx * -4} 38Z",
            "#4f8450",
            INK,
            3,
        )
        for sx in (-1, 1)
        for k in range(4)
    )
    return group([wreath, leaves, banana, stamp, cap], f"translate({x} {y}) scale({scale})")


def profile_back(side: str) -> list[str]:
    """A side's back: its sign in a sunburst."""
    colour = SIDES[side]
    other = INK if side == "gold" else PAPER
    return [
        box(0, 0, 690, 940, colour),
        rays(345, 470, 760, 20, INK if side == "gold" else "#a52a16"),
        disc(345, 470, 214, PAPER),
        disc(345, 470, 196, colour),
        emblem(side, 345, 470, 150, other),
        path("M30 790H660V910H30Z", INK),
    ]


def event_back() -> list[str]:
    """The deck of decrees and mishaps."""
    return [
        box(0, 0, 690, 940, "#1f6f74"),
        rays(345, 420, 800, 24, "#18595d"),
        disc(345, 420, 226, PAPER),
        disc(345, 420, 206, "#e2d1a4"),
        coat(345, 430, 1.35),
        path("M30 748H660V868H30Z", INK),
    ]


def burst(
    name: str, ground: str, beam: str, width: int, height: int, at: tuple[float, float]
) -> None:
    """A sunburst as a ground."""
    save(
        f"grounds/{name}",
        width,
        height,
        "Sunburst",
        [box(0, 0, width, height, ground), rays(*at, width + height, 22, beam)],
    )


def main() -> None:
    """Write everything that is printed on paper of its own."""
    for value in TINTS:
        save(f"money/note-{value}", 960, 510, f"{value} mbubuz", note(value))
        save(f"money/note-{value}-back", 960, 510, f"{value} mbubuz, back", note_back(value))
    save("money/iou", 960, 510, "IOU", iou("front"))
    save("money/iou-back", 960, 510, "IOU, back", iou("back"))
    for side in SIDES:
        save(f"backs/profile-{side}", 690, 940, f"Back, {side}", profile_back(side))
    save("backs/event", 690, 940, "Back of the events", event_back())
    save("backs/arms", 260, 300, "The arms of Bubuzia", [coat(130, 170, 1)])
    burst("red", PAPER, "#f0c9ac", 690, 400, (345, 330))
    burst("gold", PAPER, "#f3dd9d", 690, 400, (345, 330))
    burst("event", PAPER, SHADE, 690, 400, (345, 200))


if __name__ == "__main__":
    main()

"""Banknotes, card backs and grounds.

    python art/draw/paper.py    rewrites art/money/*.svg, art/backs/*.svg, art/grounds/*.svg

Notes are 660 × 360 (0.1 mm, with 3 mm of bleed); backs 690 × 940.
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
    1: ("#3d6c41", "#dfe3bd"),
    5: ("#b07a12", "#f3dfa6"),
    10: ("#1a666b", "#cfdfd0"),
    50: ("#a52a16", "#f0cfb4"),
}
SITTERS = {1: "n1", 5: "s4", 10: "n3", 50: "s3"}


def in_one_ink(parts: list[str], ink: str, tint: str) -> list[str]:
    """A poster, engraved: every colour becomes the note's ink or its tint."""
    swaps = {SIDES["red"]: tint, SIDES["gold"]: tint, SHADE: tint, INK: ink}
    text = "".join(parts)
    for old, new in swaps.items():
        text = text.replace(old, new)
    return [text]


WIDE, HIGH = 660, 360


def note(value: int) -> list[str]:
    """The front of a note: waves, frame, numeral's flower, portrait in an oval."""
    ink, tint = TINTS[value]
    oval = "M508 68C556 68 592 116 592 180C592 244 556 292 508 292C460 292 424 244 424 180C424 116 460 68 508 68Z"
    lobes = {1: 8, 5: 10, 10: 12, 50: 16}[value]
    sitter = group(
        in_one_ink(portrait(RULERS[SITTERS[value]], False), ink, tint),
        "translate(410 80) scale(0.57)",
    )
    return [
        box(0, 0, WIDE, HIGH, PAPER),
        line(wave(HIGH, 8, 3, 90, WIDE), tint, 2.2),
        path("M50 50H610V310H50ZM55 55V305H605V55Z", ink, more=' fill-rule="evenodd"'),
        line(rosette(135, 163, 38, 70, lobes, 7), ink, 1),
        disc(135, 163, 50, PAPER, ink, 2.4),
        f'<clipPath id="oval"><path d="{oval}"/></clipPath>',
        path(oval, tint, ink, 6),
        f'<g clip-path="url(#oval)">{rays(508, 180, 150, 30, PAPER)}{sitter}</g>',
        line(oval, ink, 5),
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
            path("M-74 84Q-92 10 -60 -44H60Q92 10 74 84Q0 96 -74 84Z", tint, ink, 6),
            path("M-54 -44Q-84 -92 -40 -84Q0 -96 40 -84Q84 -92 54 -44Z", tint, ink, 6),
            line("M-62 -44H62", ink, 9),
            path("M-30 -6L0 -22L30 -6V28L0 46L-30 28Z", PAPER, ink, 5),
            line("M-30 -6L0 10L30 -6M0 10V46", ink, 4),
            disc(98, 78, 9, PAPER, ink, 3),
            disc(118, 84, 7, PAPER, ink, 3),
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
    """The back of a note. Nothing on it runs along the cut, so that a shifted back is not seen."""
    ink, tint = TINTS[value]
    oval = "M330 72Q422 72 422 148Q422 224 330 224Q238 224 238 148Q238 72 330 72Z"
    return [
        box(0, 0, WIDE, HIGH, PAPER),
        line(wave(HIGH, 8, 3, 110, WIDE), tint, 2.2),
        line(rosette(330, 148, 74, 98, 24, 5), ink, 1),
        path(oval, PAPER, ink, 3),
        group(vignette(value, ink, tint), "translate(330 150) scale(0.5)"),
        line(rosette(125, 148, 30, 66, 12, 6), ink, 1),
        line(rosette(535, 148, 30, 66, 12, 6), ink, 1),
        disc(125, 148, 42, PAPER, ink, 2.4),
        disc(535, 148, 42, PAPER, ink, 2.4),
    ]


def iou(side: str) -> list[str]:
    """A debt, on a leaf of the cash book; on the back the safe that it was to come from."""
    red = SIDES["red"]
    leaf = [
        box(0, 0, WIDE, HIGH, SHADE),
        line("".join(f"M0 {y}H{WIDE}" for y in range(28, HIGH, 26)), "#cdb781", 1.6),
    ]
    if side == "front":
        return [
            *leaf,
            line("M470 250Q496 206 518 242T552 250Q572 214 586 246T612 226", INK, 4),
            disc(546, 130, 58, "none", red, 6),
            disc(546, 130, 46, "none", red, 2.4),
            star(546, 130, 28, red),
        ]
    return [*leaf, group(safe(), "translate(330 146) scale(0.92)")]


def safe() -> list[str]:
    """An open safe within 200 × 190 about (0, 0): a cobweb, a moth, nothing else."""
    web = "M-64 -66L-8 -10M-64 -66L-30 2M-64 -66L4 -32M-48 -20Q-34 -22 -26 -28Q-22 -38 -20 -50M-38 -2Q-18 -10 -10 -14Q-4 -24 0 -40"
    wing = "M{x} 18Q{a} -10 {b} 4Q{c} 22 {x} 30Z"
    moth = [
        path(wing.format(x=18, a=-14, b=-20, c=-6), SHADE, INK, 3.5),
        path(wing.format(x=22, a=54, b=60, c=46), SHADE, INK, 3.5),
        path("M17 8H23L24 40Q20 46 16 40Z", INK),
        line("M18 8Q12 -4 6 -6M22 8Q28 -4 34 -6", INK, 3),
    ]
    return [
        box(-88, -90, 176, 176, INK, 8),
        box(-66, -68, 132, 132, PAPER),
        line(web, INK, 2.4),
        *moth,
        path("M88 -90L150 -66V92L88 86Z", "#3a484d", INK, 5),
        disc(122, 10, 17, SHADE, INK, 5),
        line("M122 -4V24M108 10H136", INK, 4),
        box(-78, 86, 28, 12, INK),
        box(50, 86, 28, 12, INK),
    ]


def coat(x: float, y: float, scale: float) -> str:
    """The arms of Bubuzia: a rubber stamp under a peaked cap, half of either bloc."""
    crown = "M-66 -66L-80 -104Q0 -154 80 -104L66 -66Q0 -84 -66 -66Z"
    cap = [
        path(crown, SIDES["red"]),
        path("M0 -129Q40 -129 80 -104L66 -66Q33 -75 0 -75Z", SIDES["gold"]),
        line(crown, INK, 6),
        path("M-66 -68Q0 -86 66 -68L63 -52Q0 -68 -63 -52Z", INK),
        path("M-60 -48Q0 -63 60 -48Q0 -40 -60 -48Z", INK),
        star(0, -102, 19, PAPER),
    ]
    stamp = [
        path("M-21 -28H21L12 20L24 40H-24L-12 20Z", PAPER, INK, 5),
        line("M-12 20H12M-5 -20L-3 10", INK, 4),
        path("M-58 40H58V64H-58Z", INK),
        box(-66, 68, 132, 11, SIDES["red"]),
        line("M-40 94H-12M0 94H18M30 94H44", SIDES["red"], 6),
    ]
    wreath = line("M-96 -30Q-110 60 -30 112M96 -30Q110 60 30 112", INK, 7)
    leaves = "".join(
        path(
            f"M{sx * (100 - k * k * 5)} {-30 + 30 * k}q{sx * 26} -22 {sx * 4} -38q{sx * -16} 18 {sx * -4} 38Z",
            "#3d6c41",
            INK,
            3,
        )
        for sx in (-1, 1)
        for k in range(4)
    )
    return group([wreath, leaves, *stamp, *cap], f"translate({x} {y}) scale({scale})")


def sign(side: str, fill: str) -> str:
    """The beret or the tie, about (345, 470)."""
    if side == "gold":
        return emblem(side, 345, 470, 150, fill)
    beret = [
        path("M2 13Q1 5 10 4Q22 3 22.6 10Q22 13 18 13.6L17.6 16.6L3 19Z", fill),
        star(15.4, 9.2, 2.8, SIDES[side]),
    ]
    return group(beret, "translate(345 470) scale(13.5) translate(-12.2 -11.4)")


def profile_back(side: str) -> list[str]:
    """A side's back: its sign, as on its counters, in a sunburst."""
    colour = SIDES[side]
    other = INK if side == "gold" else PAPER
    return [
        box(0, 0, 690, 940, colour),
        rays(345, 470, 760, 20, INK if side == "gold" else "#9c2413"),
        disc(345, 470, 214, PAPER),
        disc(345, 470, 196, colour),
        sign(side, other),
        box(0, 790, 690, 120),
    ]


def event_back() -> list[str]:
    """The deck of decrees and mishaps."""
    return [
        box(0, 0, 690, 940, "#1a666b"),
        rays(345, 420, 800, 24, "#14585c"),
        disc(345, 420, 226, PAPER),
        disc(345, 420, 206, "#e2d1a4"),
        coat(345, 430, 1.35),
        box(0, 748, 690, 192),
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
        save(f"money/note-{value}", WIDE, HIGH, f"{value} mbubuz", note(value))
        save(f"money/note-{value}-back", WIDE, HIGH, f"{value} mbubuz, back", note_back(value))
    save("money/iou", WIDE, HIGH, "IOU", iou("front"))
    save("money/iou-back", WIDE, HIGH, "IOU, back", iou("back"))
    for side in SIDES:
        save(f"backs/profile-{side}", 690, 940, f"Back, {side}", profile_back(side))
    save("backs/event", 690, 940, "Back of the events", event_back())
    save("backs/arms", 260, 300, "The arms of Bubuzia", [coat(130, 170, 1)])
    burst("red", PAPER, "#f0c9ac", 690, 400, (345, 330))
    burst("gold", PAPER, "#f3dd9d", 690, 400, (345, 330))
    burst("event", PAPER, SHADE, 690, 590, (345, 330))


if __name__ == "__main__":
    main()

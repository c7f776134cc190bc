# ruff: noqa: PLR0911 – drawings are long lines of figures
"""Every unit of both blocs as a flat poster figure, 300 × 200, standing on y = 184.

    python art/draw/units.py    rewrites art/units/<unit>-<side>.svg

Red Berets wear the beret and a red tunic; Gold Ties a dark suit jacket, a helmet and the tie.
"""

from __future__ import annotations

from collections.abc import Callable

from press import INK, PAPER, SHADE, SIDES, box, disc, emblem, group, line, path, save, tie

GROUND = 184
LEAF = "#3d6c41"
"""Of the medics' cross: the red one is a protected sign."""


def hat(kind: str, side: str) -> list[str]:
    """What is worn on a head at (0, -110)."""
    colour = SIDES[side]
    if kind == "std":
        kind = "beret" if side == "red" else "helmet"
    if kind == "beret":
        return [path("M-15 -113Q-20 -130 2 -132Q28 -131 27 -117Q12 -112 -15 -113Z", colour, INK, 3)]
    if kind == "helmet":
        return [path("M-20 -110Q-17 -133 1 -133Q19 -133 20 -110Q0 -116 -20 -110Z", INK)]
    if kind == "cap":
        return [
            path(
                "M-14 -114Q-14 -129 4 -128Q18 -127 17 -117L29 -113Q12 -111 -14 -114Z",
                colour,
                INK,
                3,
            )
        ]
    if kind == "boonie":
        return [
            path(
                "M-26 -113Q-12 -116 -12 -126Q-10 -133 1 -133Q13 -133 14 -126Q14 -116 28 -113Q2 -107 -26 -113Z",
                SHADE,
                INK,
                3,
            )
        ]
    if kind == "shako":
        plume = path("M-3 -150Q-10 -170 2 -172Q14 -170 7 -150Z", PAPER, INK, 3)
        return [
            plume,
            path("M-15 -112L-17 -150H19L17 -112Z", INK),
            path("M-16 -120H17V-114H-16Z", colour),
            path("M14 -113L28 -108Q18 -106 12 -109Z", INK),
        ]
    if kind == "cross":
        return [
            path("M-20 -110Q-17 -133 1 -133Q19 -133 20 -110Q0 -116 -20 -110Z", PAPER, INK, 3),
            box(-2, -129, 5, 14, LEAF),
            box(-6, -125, 13, 5, LEAF),
        ]
    return [  # peaked
        path("M-15 -113L-24 -132Q-4 -146 26 -136L21 -117Z", colour, INK, 3),
        path("M-15 -117L21 -121L22 -114L-15 -110Z", INK),
        path("M16 -116L34 -110Q24 -106 12 -110Z", INK),
        emblem(side, 6, -131, 7, PAPER),
    ]


def man(
    x: float,
    side: str,
    wear: str = "std",
    prop: str = "rifle",
    size: float = 1,
    y: float = GROUND,
    extra: str = "",
) -> str:
    """A soldier facing right, his feet at (x, y); about 135 tall."""
    colour = SIDES[side] if side == "red" else INK
    parts = [
        path("M-17 -50H17L22 -6H6L1 -36L-6 -6H-23Z", INK),
        path("M-24 -7H-5V0H-26ZM6 -7H22L28 0H6Z", INK),
        path("M-21 -46Q-27 -86 -13 -97H13Q27 -88 21 -46Z", colour, INK, 3),
        box(-21, -57, 42, 8, INK if side == "red" else SHADE),
    ]
    if side == "gold":
        parts += [path("M-8 -97H10L4 -74H0Z", PAPER), tie(3, -78, 18, SIDES["gold"])]
    parts += [disc(1, -110, 15, PAPER, INK, 3), *hat(wear, side)]
    if extra == "glasses":
        parts.append(path("M0 -113H17V-107Q10 -102 6 -108H0Z", INK))
    if prop == "rifle":
        parts += [
            line("M-28 -60L44 -84", PAPER, 12),
            line("M-28 -60L-6 -67", INK, 9),
            line("M-10 -66L46 -85", INK, 5),
            disc(6, -71, 6, PAPER, INK, 3),
            disc(-10, -62, 6, PAPER, INK, 3),
        ]
    if prop == "carbine":
        parts += [
            line("M-22 -58L36 -78", PAPER, 13),
            line("M-22 -58L30 -76", INK, 8),
            line("M4 -64L10 -50", INK, 6),
            line("M28 -75L44 -80", INK, 4),
            disc(-4, -66, 6, PAPER, INK, 3),
        ]
    if prop == "bag":
        parts += [
            line("M-14 -94L20 -52", PAPER, 4),
            box(8, -58, 28, 24, PAPER, 3),
            box(19, -54, 6, 16, LEAF),
            box(14, -49, 16, 6, LEAF),
        ]
    if prop == "whistle":
        parts += [
            line("M-20 -88Q-34 -70 -22 -56", INK, 8),
            line("M18 -88Q34 -92 24 -104", INK, 8),
            path("M15 -107L29 -110V-103H17Z", SIDES[side], INK, 2),
        ]
    if prop == "pistol":
        parts += [
            line("M16 -84L44 -92", colour, 12),
            line("M40 -96H58", INK, 7),
            line("M44 -94L42 -84", INK, 7),
        ]
    return group(parts, f"translate({x:g} {y:g}) scale({size:g})")


def wheel(x: float, y: float, r: float) -> str:
    """A wheel."""
    return disc(x, y, r, INK) + disc(x, y, r * 0.45, PAPER)


def track(x: float, y: float, w: float, h: float, wheels: int) -> list[str]:
    """A caterpillar track with its road wheels."""
    step = (w - h) / (wheels - 1)
    return [
        box(x, y, w, h, INK, h / 2),
        *(disc(x + h / 2 + step * k, y + h / 2, h * 0.3, PAPER) for k in range(wheels)),
    ]


def tank(side: str, hull: float, height: float, gun: float, thick: float, wheels: int) -> list[str]:
    """A tank facing right, from a light to a heavy one."""
    colour, left = SIDES[side], 150 - hull / 2 - gun * 0.2
    top = GROUND - 40 - height
    turret = hull * 0.52
    tx = left + hull * 0.2
    return [
        path(
            f"M{left + 4:g} {GROUND - 30}L{left + 18:g} {top:g}H{left + hull - 26:g}L{left + hull:g} {GROUND - 30}Z",
            colour,
            INK,
            4,
        ),
        *track(left - 6, GROUND - 40, hull + 14, 40, wheels),
        path(
            f"M{tx:g} {top:g}L{tx + 10:g} {top - height * 0.95:g}H{tx + turret - 14:g}L{tx + turret:g} {top:g}Z",
            colour,
            INK,
            4,
        ),
        box(tx + turret - 6, top - height * 0.62, gun, thick, INK),
        box(tx + turret - 6 + gun, top - height * 0.62 - 2, 12, thick + 4, INK),
        box(tx + turret * 0.25, top - height * 0.95 - 10, turret * 0.3, 10, INK),
        emblem(side, tx + turret * 0.42, top - height * 0.46, min(15, height * 0.4), PAPER),
    ]


def gun(side: str, barrel: str, shield: bool) -> list[str]:
    """A towed gun facing right."""
    colour = SIDES[side]
    parts = [line("M128 150L30 182", INK, 9), line(barrel, INK, 12)]
    if shield:
        parts.append(path("M150 84L182 74L178 166L150 158Z", colour, INK, 4))
        parts.append(emblem(side, 166, 118, 12, PAPER))
    return [*parts, wheel(150, 150, 34), man(70, side, size=0.8, prop="")]


def truck_body(side: str, bed: list[str]) -> list[str]:
    """A lorry facing right with something on its bed."""
    colour = SIDES[side]
    return [
        box(40, 142, 214, 14, INK),
        *bed,
        path("M186 142V84Q186 78 192 78H222L240 110H256Q262 110 262 118V142Z", colour, INK, 4),
        path("M196 88H217L229 110H196Z", PAPER, INK, 3),
        wheel(82, 160, 24),
        wheel(136, 160, 24),
        wheel(230, 160, 24),
    ]


def militia(side: str) -> list[str]:
    return [
        man(88, side, "cap", "rifle"),
        man(160, side, "cap", "whistle", 1.06),
        man(226, side, "cap", ""),
    ]


def rifles(side: str) -> list[str]:
    return [man(82, side), man(150, side), man(218, side)]


def veterans(side: str) -> list[str]:
    return [
        man(98, side, size=1.16),
        man(196, side, prop="carbine", size=1.16),
        line("M60 176H250", INK, 4),
    ]


def assault(side: str) -> list[str]:
    lean = group(
        [man(0, side, prop="carbine", size=1.1, y=0)], f"translate(92 {GROUND}) rotate(14)"
    )
    other = group(
        [man(0, side, prop="carbine", size=1.1, y=0)], f"translate(186 {GROUND}) rotate(14)"
    )
    return [lean, other, path("M18 150H48V156H18ZM6 128H40V134H6ZM14 172H36V178H14Z", SIDES[side])]


def guard(side: str) -> list[str]:
    return [man(x, side, "shako", "rifle", 0.98) for x in (76, 150, 224)]


def mercenaries(side: str) -> list[str]:
    return [
        man(94, side, "boonie", "carbine", 1.14, extra="glasses"),
        man(200, side, "boonie", "rifle", 1.14, extra="glasses"),
    ]


def machine_gun(side: str) -> list[str]:
    return [
        man(84, side, prop="", size=0.95),
        line("M150 124L112 182M150 124L196 182M150 124L160 182", INK, 7),
        box(108, 106, 76, 22, INK, 4),
        box(184, 111, 78, 9, INK),
        box(196, 106, 44, 19, SIDES[side], 3),
        line("M132 128Q128 160 146 170", SHADE, 8),
        line("M108 112H88", INK, 7),
    ]


def mortar(side: str) -> list[str]:
    return [
        man(76, side, prop=""),
        line("M150 178L204 78", INK, 22),
        line("M160 160L194 98", SIDES[side], 8),
        line("M186 112L226 182M186 112L168 182", INK, 6),
        box(126, 174, 52, 10, INK, 4),
        path("M214 52Q222 30 236 34Q240 50 228 62Z", SIDES[side], INK, 3),
    ]


def medics(side: str) -> list[str]:
    return [
        man(70, side, "cross", ""),
        man(232, side, "cross", ""),
        line("M56 116H246", INK, 7),
        path("M96 116Q104 92 132 96H188Q206 98 206 116Z", PAPER, INK, 3),
        disc(116, 100, 13, PAPER, INK, 3),
        box(150, 98, 7, 15, LEAF),
        box(146, 102, 15, 7, LEAF),
    ]


def anti_tank(side: str) -> list[str]:
    return gun(side, "M160 112L284 98", True)


def field_gun(side: str) -> list[str]:
    return [*gun(side, "M140 126L262 46", False), line("M120 134L150 122", INK, 20)]


def truck(side: str) -> list[str]:
    return truck_body(
        side,
        [
            path("M44 142V86Q112 64 178 86V142Z", PAPER, INK, 4),
            line("M44 100Q112 80 178 100", INK, 2),
            emblem(side, 111, 112, 17, SIDES[side]),
        ],
    )


def apc(side: str) -> list[str]:
    colour = SIDES[side]
    return [
        path("M40 150L52 92H216L262 124L252 156H48Z", colour, INK, 4),
        path("M196 100L226 121H196Z", PAPER, INK, 3),
        emblem(side, 110, 122, 18, PAPER),
        box(140, 74, 30, 18, INK, 4),
        box(166, 79, 46, 6, INK),
        *track(34, 146, 148, 38, 5),
        wheel(224, 162, 22),
    ]


def armoured_car(side: str) -> list[str]:
    colour = SIDES[side]
    return [
        path("M44 152L60 104H126L140 92H190L206 104L256 120L262 152Z", colour, INK, 4),
        path("M128 92L136 66H192L202 92Z", colour, INK, 4),
        box(196, 74, 58, 8, INK),
        emblem(side, 98, 128, 15, PAPER),
        path("M210 112L232 119V126H210Z", PAPER),
        wheel(90, 156, 28),
        wheel(218, 156, 28),
    ]


def light_tank(side: str) -> list[str]:
    return tank(side, 150, 34, 56, 8, 4)


def medium_tank(side: str) -> list[str]:
    return tank(side, 184, 42, 78, 10, 5)


def heavy_tank(side: str) -> list[str]:
    return tank(side, 212, 52, 88, 14, 7)


def patrol_boat(side: str) -> list[str]:
    colour = SIDES[side]
    return [
        path("M24 132H276L238 172H56Z", colour, INK, 4),
        path("M24 132H276L272 142H32Z", INK),
        path("M92 132V94H170L186 132Z", PAPER, INK, 4),
        box(104, 104, 20, 14, INK),
        box(134, 104, 20, 14, INK),
        line("M128 94V44", INK, 5),
        path("M128 46H172L162 60L172 74H128Z", colour, INK, 3),
        emblem(side, 144, 60, 9, PAPER),
        box(204, 112, 30, 20, INK, 4),
        box(228, 114, 44, 7, INK),
        emblem(side, 72, 152, 12, PAPER),
        line("M6 176Q24 166 42 176T78 176T114 176T150 176T186 176T222 176T258 176T294 176", INK, 5),
    ]


def rocket_truck(side: str) -> list[str]:
    rails = [
        line(f"M{46 + k * 5} {126 - k * 17}L{170 + k * 5} {72 - k * 17}", INK, 5) for k in range(4)
    ]
    rockets = [
        path(
            f"M{128 + k * 5:g} {80 - k * 17:g}L{182 + k * 5:g} {57 - k * 17:g}L{192 + k * 5:g} {58 - k * 17:g}L{184 + k * 5:g} {66 - k * 17:g}L{132 + k * 5:g} {89 - k * 17:g}Z",
            SIDES[side],
            INK,
            3,
        )
        for k in range(4)
    ]
    return truck_body(side, [line("M70 142L112 60M140 142L130 50", INK, 7), *rails, *rockets])


def fighter(side: str) -> list[str]:
    colour = SIDES[side]
    return [
        path("M36 92Q120 74 214 80Q250 84 262 100Q250 116 214 120Q120 122 40 104Z", colour, INK, 4),
        path("M30 52H58L92 88H38Z", colour, INK, 4),
        path("M132 80Q146 58 176 60Q194 66 200 80Z", PAPER, INK, 4),
        path("M110 108H196L142 156H108Z", INK),
        emblem(side, 98, 98, 13, PAPER),
        line("M268 62V138", INK, 7),
        disc(264, 100, 9, INK),
        path("M8 76H26V80H8ZM0 96H22V100H0ZM10 118H30V122H10Z", INK),
    ]


def bomber(side: str) -> list[str]:
    colour = SIDES[side]
    return [
        path("M22 88Q110 62 232 70Q276 76 282 98Q272 116 226 120Q110 122 26 102Z", colour, INK, 4),
        path("M16 40H50L86 80H26Z", colour, INK, 4),
        path("M244 74Q270 78 276 94H244Z", PAPER, INK, 4),
        path("M90 102H214L150 142H84Z", INK),
        box(176, 106, 62, 24, INK, 11),
        line("M244 88V150", INK, 6),
        emblem(side, 104, 92, 15, PAPER),
        *(disc(146 + 20 * k, 86, 6, PAPER) for k in range(4)),
        path("M96 150Q112 144 122 154Q112 164 96 158Z", INK),
        path("M120 170Q136 164 146 174Q136 184 120 178Z", INK),
    ]


def president(side: str) -> list[str]:
    colour = SIDES[side]
    fat = group(
        [
            path("M-30 -40H30L34 -6H10L2 -30L-8 -6H-34Z", INK),
            path("M-38 -7H-6V0H-40ZM8 -7H34L40 0H8Z", INK),
            path("M-34 -34Q-46 -86 -18 -98H20Q48 -82 38 -34Z", colour, INK, 3),
            box(-38, -50, 78, 9, INK),
            line("M-22 -94L34 -52", PAPER, 7),
            disc(-14, -70, 5, PAPER),
            disc(-22, -60, 5, PAPER),
            disc(-8, -60, 5, PAPER),
            disc(2, -108, 20, PAPER, INK, 3),
            path("M2 -112H24V-104Q16 -98 10 -106H2Z", INK),
            line("M8 -94Q16 -90 20 -95", INK, 3),
            group(hat("peaked", side), "translate(-2 32) scale(1.3)"),
            line("M28 -84Q56 -88 58 -112", colour, 13),
            disc(58, -116, 9, PAPER, INK, 3),
        ],
        f"translate(168 {GROUND}) scale(1.12)",
    )
    desk = [
        box(36, 118, 86, 8, INK),
        box(44, 126, 10, 58, INK),
        box(104, 126, 10, 58, INK),
        box(58, 96, 26, 22, colour),
        line("M96 118L104 92", INK, 4),
        line("M70 96V70", INK, 3),
        path("M70 70H96L90 77L96 84H70Z", PAPER, INK, 3),
    ]
    return [*desk, fat]


UNITS: dict[str, Callable[[str], list[str]]] = {
    "militia": militia, "rifles": rifles, "veterans": veterans, "assault": assault, "guard": guard,
    "mercenaries": mercenaries, "machine-gun": machine_gun, "mortar": mortar, "medics": medics,
    "anti-tank": anti_tank, "field-gun": field_gun, "truck": truck, "apc": apc,
    "armoured-car": armoured_car, "light-tank": light_tank, "medium-tank": medium_tank,
    "heavy-tank": heavy_tank, "patrol-boat": patrol_boat, "rocket-truck": rocket_truck,
    "fighter": fighter, "bomber": bomber, "president": president,
}  # fmt: skip


def main() -> None:
    """Write the 44 drawings."""
    for name, draw in UNITS.items():
        for side in SIDES:
            save(f"units/{name}-{side}", 300, 200, f"{name}, {side}", draw(side))


if __name__ == "__main__":
    main()

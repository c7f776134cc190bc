"""UNA: everything cut from plate, with straight edges. Soldiers by parameters, and their striders."""

from __future__ import annotations

from dataclasses import dataclass

from pen import INK, Pen

DARK, MID, LIGHT, PALE = "#343a25", "#59613a", "#8d9464", "#b7bb8c"
ORANGE, GUN, STEEL, SKIN, GLASS = "#d4611c", "#3a3d3b", "#7b7f79", "#c99b78", "#f3b25f"


@dataclass(frozen=True)
class Soldier:
    """`bulk` widens plates, `head` is helmet, hood, cap or bare; the rest hangs on him."""

    weapon: str = "rifle"
    bulk: float = 1.0
    head: str = "helmet"
    pads: float = 1.0
    pack: str = "small"
    coat: bool = False
    cloak: bool = False
    chevrons: int = 0
    scale: float = 1.0
    kneel: bool = False


def soldier(pen: Pen, s: Soldier, back: bool) -> None:
    p = pen.at(scale=s.scale, x=-12 * s.scale)
    if s.cloak:
        p.poly(
            [
                (-40, 262),
                (40, 262),
                (66, 210),
                (58, 150),
                (72, 92),
                (44, 104),
                (30, 74),
                (8, 98),
                (-14, 66),
                (-34, 100),
                (-66, 84),
                (-56, 150),
                (-66, 212),
            ],
            DARK,
        )
    if not back:
        _pack(p, s)
    if s.coat and not back:
        p.poly(
            [(-44, 172), (44, 172), (70, 58), (44, 66), (30, 52), (-30, 52), (-46, 66), (-72, 58)],
            DARK,
        )
    for side in (True, False):
        _leg(p.at(wide=s.bulk, flip=side), s)
    _torso(p, s, back)
    _head(p, s, back)
    if back:
        _arms(p, s, back)
        if s.coat:
            p.poly([(-44, 176), (44, 176), (66, 56), (8, 48), (0, 120), (-8, 48), (-66, 56)], DARK)
        _pack(p, s)
        if s.cloak:
            p.poly(
                [
                    (-36, 258),
                    (36, 258),
                    (60, 200),
                    (40, 120),
                    (16, 96),
                    (0, 120),
                    (-20, 92),
                    (-42, 124),
                    (-60, 200),
                ],
                MID,
            )
            p.stroke([(-30, 230), (20, 200), (-10, 170), (30, 140)], DARK, 5)
    else:
        _arms(p, s, back)
        _weapon(p, s)


def _leg(p: Pen, s: Soldier) -> None:
    p.poly([(18, 0), (66, 0), (68, 12), (56, 24), (20, 24)], INK)
    p.poly([(20, 20), (56, 20), (60, 92), (24, 92)], MID)
    p.poly([(24, 26), (40, 26), (42, 80), (28, 80)], LIGHT, 0)
    p.poly([(14, 104), (54, 104), (48, 166), (4, 166)], DARK)
    p.poly([(20, 84), (60, 84), (66, 102), (52, 118), (24, 116), (16, 100)], LIGHT)
    if s.bulk > 1.1:
        p.poly([(44, 122), (62, 116), (60, 158), (42, 164)], MID)


def _torso(p: Pen, s: Soldier, back: bool) -> None:
    q = p.at(wide=s.bulk)
    q.poly([(-44, 176), (44, 176), (62, 238), (42, 260), (-42, 260), (-62, 238)], MID)
    q.poly([(-52, 152), (52, 152), (48, 180), (-48, 180)], GUN)
    if back:
        q.poly([(-40, 188), (40, 188), (48, 250), (-48, 250)], DARK)
        return
    q.poly([(-38, 196), (-4, 190), (-4, 252), (-36, 254), (-54, 236)], LIGHT, 0)
    q.poly([(4, 190), (38, 196), (54, 236), (36, 254), (4, 252)], PALE if s.coat else LIGHT, 0)
    for x in (-44, -22, 22):
        q.poly([(x, 148), (x + 18, 148), (x + 18, 172), (x, 172)], MID)
    q.poly([(-8, 156), (8, 156), (8, 174), (-8, 174)], ORANGE)
    for k in range(s.chevrons):
        q.stroke([(16, 244 - k * 9), (27, 236 - k * 9), (38, 244 - k * 9)], ORANGE, 4.5)
    if not s.chevrons:
        q.poly([(14, 230), (40, 238), (40, 246), (14, 238)], ORANGE, 0)


def _head(p: Pen, s: Soldier, back: bool) -> None:
    h = p.at(y=258, scale=1 if s.bulk < 1.25 else 0.92)
    h.poly([(-16, -4), (16, -4), (16, 12), (-16, 12)], GUN)
    if s.head in ("cap", "bare"):
        h.poly([(-22, 8), (-14, 2), (16, 2), (24, 12), (24, 40), (-22, 40)], DARK if back else SKIN)
        if not back:
            h.poly([(2, 24), (22, 24), (22, 31), (2, 31)], INK, 0)
            h.poly([(6, 12), (20, 12), (20, 15), (6, 15)], INK, 0)
            h.poly([(-22, 10), (-10, 16), (-10, 40), (-22, 40)], DARK, 0)
        if s.head == "cap":
            h.poly([(-28, 38), (28, 38), (44, 32), (40, 44), (34, 62), (-30, 62), (-38, 50)], MID)
            h.poly([(-28, 38), (30, 38), (30, 46), (-30, 46)], INK)
            if not back:
                h.poly([(4, 46), (16, 46), (18, 56), (10, 62), (2, 56)], ORANGE)
        else:
            h.poly([(-26, 36), (28, 36), (24, 50), (-6, 56), (-44, 48), (-46, 38)], ORANGE)
        return
    if s.head == "hood":
        h.poly([(-34, -4), (34, -4), (38, 26), (22, 52), (0, 60), (-26, 50), (-40, 24)], DARK)
        if not back:
            h.poly([(-18, 4), (22, 4), (26, 24), (12, 40), (-12, 38)], INK)
            h.poly([(0, 18), (22, 18), (22, 28), (0, 28)], GLASS, 2)
        return
    h.poly([(-28, 4), (28, 4), (35, 22), (28, 44), (10, 54), (-16, 54), (-32, 42), (-36, 20)], MID)
    h.poly([(-30, 42), (-16, 53), (10, 53), (26, 44), (8, 42)], LIGHT, 0)
    if back:
        h.poly([(-26, 8), (26, 8), (28, 20), (-28, 20)], DARK)
        return
    h.poly([(-22, 12), (33, 12), (35, 22), (32, 30), (-18, 30)], INK)
    h.poly([(0, 17), (30, 17), (30, 25), (2, 25)], GLASS, 0)
    h.poly([(-4, -2), (24, -2), (28, 10), (-8, 10)], GUN)


def _arms(p: Pen, s: Soldier, back: bool) -> None:
    wide = s.bulk
    hands = {
        "sniper": ((6, 178), (34, 214)),
        "pistol": ((-20, 160), (82, 250)),
        "sabre": ((-60, 150), (66, 188)),
        "tool": ((-24, 190), (54, 206)),
    }
    left, right = hands.get(s.weapon, ((-22, 190), (56, 204)))
    if back:
        left, right = (-40, 170), (40, 170)
    for shoulder, elbow, hand in (
        ((-60 * wide, 236), (-76 * wide, 186), left),
        ((60 * wide, 236), (78 * wide, 190 if s.weapon != "pistol" else 214), right),
    ):
        p.bar(shoulder, elbow, 14 * wide, 13 * wide, DARK)
        p.bar(elbow, hand, 14 * wide, 10 * wide, MID)
        if not back:
            p.poly(
                [
                    (hand[0] - 9, hand[1] - 9),
                    (hand[0] + 9, hand[1] - 9),
                    (hand[0] + 10, hand[1] + 8),
                    (hand[0] - 8, hand[1] + 9),
                ],
                GUN,
            )
    for flip in (True, False):
        q = p.at(x=(-62 if flip else 62) * wide, y=238, scale=s.pads, flip=flip)
        q.poly([(-22, -6), (-14, 24), (12, 26), (30, 8), (26, -24), (-6, -26)], LIGHT)
        q.poly(
            [(6, -22), (25, -22), (28, 6), (14, 20)],
            ORANGE if s.head in ("cap", "bare") else MID,
            0,
        )


def _pack(p: Pen, s: Soldier) -> None:
    w = 48 * s.bulk
    if s.pack == "none":
        return
    p.poly([(-w, 190), (w, 190), (w, 256), (w - 12, 270), (-w + 12, 270), (-w, 256)], GUN)
    p.poly([(-w + 12, 200), (w - 12, 200), (w - 12, 226), (-w + 12, 226)], MID)
    if s.pack == "radio":
        p.poly(
            [(-w - 10, 216), (-w + 26, 216), (-w + 26, 292), (-w - 2, 292), (-w - 10, 280)], DARK
        )
        p.stroke([(-w + 8, 288), (-w + 2, 348)], INK, 5)
        p.poly([(-w - 8, 340), (-w + 12, 340), (-w + 12, 350), (-w - 8, 350)], ORANGE)
        p.poly([(w - 26, 226), (w + 12, 226), (w + 12, 282), (w - 26, 282)], ORANGE)
    if s.pack == "tank":
        for x in (-w + 4, w - 34):
            p.poly(
                [(x, 206), (x + 30, 206), (x + 30, 282), (x + 22, 292), (x + 8, 292), (x, 282)],
                ORANGE,
            )


def _weapon(p: Pen, s: Soldier) -> None:
    if s.weapon == "pistol":
        g = p.at(x=82, y=252, turn=72)
        g.poly([(-8, -6), (34, -6), (34, 9), (-8, 9)], GUN)
        return
    if s.weapon == "sabre":
        g = p.at(x=66, y=188, turn=58)
        g.poly([(-14, -5), (10, -5), (10, 5), (-14, 5)], ORANGE)
        g.poly([(10, -4), (96, -2), (124, 8), (92, 7), (10, 5)], "#e8e6d8")
        m = p.at(x=-58, y=152, turn=-96)
        m.poly([(-14, -9), (40, -9), (40, 8), (-14, 8)], GUN)
        m.poly([(10, -28), (22, -28), (22, -8), (10, -8)], STEEL)
        return
    turn = {"sniper": 58, "tool": 4, "mg": -6, "plasma": -4}.get(s.weapon, 9)
    g = p.at(x=10, y=196, turn=turn)
    WEAPONS[s.weapon](g)


def _rifle(g: Pen) -> None:
    g.poly([(-62, -14), (-24, -6), (-24, 8), (-60, 6)], DARK)
    g.poly([(10, -34), (26, -34), (24, -6), (6, -6)], STEEL)
    g.poly([(-28, -9), (44, -9), (44, 11), (-28, 11)], GUN)
    g.poly([(44, -3), (104, -3), (104, 5), (44, 5)], STEEL)
    g.poly([(-8, 11), (24, 11), (20, 19), (-4, 19)], GUN)
    g.poly([(-22, -3), (-4, -3), (-4, 3), (-22, 3)], ORANGE, 0)


def _carbine(g: Pen) -> None:
    g.poly([(-50, -18), (-26, -10), (-26, 14), (-52, 10)], DARK)
    g.poly([(-30, -15), (56, -15), (66, -4), (66, 14), (-30, 18)], GUN)
    g.poly([(6, -42), (30, -42), (32, -12), (2, -12)], STEEL)
    g.poly([(66, -6), (96, -6), (96, 8), (66, 8)], STEEL)
    g.poly([(0, 18), (40, 18), (34, 28), (4, 28)], DARK)
    g.poly([(40, -4), (58, -4), (58, 6), (40, 6)], ORANGE, 0)


def _mg(g: Pen) -> None:
    g.poly([(-60, -16), (-26, -8), (-26, 12), (-60, 10)], DARK)
    g.poly([(-2, -56), (44, -56), (48, -16), (-4, -16)], MID)
    g.poly([(4, -48), (36, -48), (36, -38), (4, -38)], ORANGE, 0)
    g.poly([(-32, -16), (52, -16), (52, 15), (-32, 15)], GUN)
    g.poly([(52, -8), (116, -8), (122, -3), (122, 5), (116, 10), (52, 10)], STEEL)
    for x in (62, 78, 94):
        g.poly([(x, -3), (x + 9, -3), (x + 9, 5), (x, 5)], INK, 0)
    g.stroke([(96, -8), (86, -44)], INK, 6)
    g.poly([(-14, 15), (20, 15), (12, 28), (-8, 28)], GUN)


def _plasma(g: Pen) -> None:
    g.stroke([(-26, -14), (-52, -34), (-62, 10), (-56, 44)], ORANGE, 9, soft=True)
    g.poly([(-48, -20), (64, -20), (64, 20), (-48, 20)], MID)
    g.poly([(-48, -20), (-36, -20), (-36, 20), (-48, 20)], GUN)
    g.poly([(64, -16), (86, -28), (112, -28), (112, 28), (86, 28), (64, 16)], GUN)
    g.poly([(102, -20), (116, -20), (116, 20), (102, 20)], GLASS)
    for x in (-20, 4, 28):
        g.poly([(x, -14), (x + 12, -14), (x + 12, 14), (x, 14)], ORANGE)


def _sniper(g: Pen) -> None:
    g.poly([(-66, -14), (-22, -6), (-22, 8), (-64, 6)], DARK)
    g.poly([(-26, -8), (36, -8), (36, 9), (-26, 9)], GUN)
    g.poly([(36, -3), (128, -2), (128, 4), (36, 5)], STEEL)
    g.poly([(128, -6), (146, -6), (146, 8), (128, 8)], GUN)
    g.poly([(-16, 14), (34, 14), (38, 20), (34, 26), (-16, 26)], INK)
    g.poly([(34, 15), (40, 15), (40, 25), (34, 25)], GLASS, 0)


def _tool(g: Pen) -> None:
    g.poly([(-30, -18), (46, -18), (46, 24), (-30, 24)], GUN)
    g.poly([(-22, -10), (22, -10), (22, 17), (-22, 17)], GLASS)
    g.stroke([(-16, 2), (-6, 12), (2, -4), (10, 8), (18, 2)], INK, 3)
    g.poly([(46, -4), (84, -4), (92, 4), (84, 10), (46, 10)], ORANGE)
    g.stroke([(92, 3), (108, 3)], INK, 5)


def _twin(g: Pen) -> None:
    g.poly([(-44, -26), (40, -26), (52, -12), (52, 26), (-44, 26)], GUN)
    for y in (-14, 12):
        g.poly([(52, y - 6), (118, y - 6), (118, y + 7), (52, y + 7)], STEEL)
        g.poly([(112, y - 9), (124, y - 9), (124, y + 10), (112, y + 10)], INK)
    g.poly([(-20, -52), (24, -52), (24, -24), (-20, -24)], MID)
    g.poly([(-34, 2), (30, 2), (30, 14), (-34, 14)], ORANGE)


WEAPONS = {
    "rifle": _rifle,
    "carbine": _carbine,
    "mg": _mg,
    "plasma": _plasma,
    "sniper": _sniper,
    "tool": _tool,
    "twin": _twin,
}


def mortar(pen: Pen, back: bool) -> None:
    """A crewman beside his tube."""
    soldier(pen.at(x=-78), Soldier(weapon="pistol", pack="small", head="helmet", pads=0.9), back)
    p = pen.at(x=86)
    for x in (-62, 64):
        p.bar((4, 118), (x, 4), 5, 4, STEEL)
    p.poly([(-58, 0), (20, 0), (30, 12), (-64, 12)], GUN)
    t = p.at(x=-24, y=12, turn=64)
    t.poly([(0, -22), (186, -18), (186, 18), (0, 22)], MID)
    t.poly([(170, -24), (192, -24), (192, 24), (170, 24)], GUN)
    t.poly([(70, -21), (92, -20), (92, 20), (70, 21)], ORANGE)
    for x in (112, 136):
        p.poly(
            [(x - 84, 0), (x - 66, 0), (x - 66, 36), (x - 75, 50), (x - 84, 36)],
            ORANGE if x > 120 else LIGHT,
        )


def rocket(pen: Pen, back: bool) -> None:
    """A crewman behind a launcher on its tripod."""
    soldier(pen.at(x=-84), Soldier(weapon="tool", bulk=1.1, pads=1.1, pack="tank"), back)
    p = pen.at(x=56)
    for x in (-66, 0, 70):
        p.bar((0, 150), (x, 2), 8, 6, GUN)
        p.poly([(x - 14, 0), (x + 14, 0), (x + 10, 10), (x - 10, 10)], INK)
    t = p.at(x=0, y=176, turn=12)
    t.poly([(-92, -34), (110, -34), (122, -22), (122, 34), (-92, 34), (-104, 22)], MID)
    for y in (-16, 16):
        t.poly([(104, y - 13), (128, y - 13), (128, y + 13), (104, y + 13)], INK)
        t.poly([(126, y - 8), (142, y), (126, y + 8)], ORANGE)
    t.poly([(-80, -24), (-20, -24), (-20, -8), (-80, -8)], ORANGE, 0)
    t.poly([(-20, 34), (30, 34), (30, 58), (-10, 58)], GUN)
    t.poly([(14, 40), (28, 40), (28, 52), (14, 52)], GLASS, 0)


def strider(pen: Pen, grade: int, back: bool) -> None:
    """A cabin on two legs, gun forward; each grade adds plate, height and barrels."""
    scale = (0.72, 1.0, 1.02)[grade - 1]
    p = pen.at(scale=scale, x=(-20, -34, -40)[grade - 1])
    wide = (0.86, 1.0, 1.28)[grade - 1]
    _walker_leg(p.at(x=58, wide=wide), True)
    _walker_leg(p.at(x=-52, wide=wide), False)
    p.poly(
        [
            (-92 * wide, 372),
            (96 * wide, 372),
            (110 * wide, 420),
            (84 * wide, 448),
            (-86 * wide, 448),
            (-108 * wide, 414),
        ],
        GUN,
    )
    c = p.at(y=440, wide=wide)
    if grade > 1:
        _gun(c.at(x=30, y=132), 2 if grade == 2 else 1, grade)
    c.poly(
        [
            (-150, 20),
            (-118, 0),
            (120, 0),
            (172, 56),
            (166, 120),
            (92, 188),
            (-96, 196),
            (-158, 132),
        ],
        MID,
    )
    c.poly([(-96, 196), (92, 188), (74, 214), (-78, 220)], DARK)
    c.poly([(-136, 30), (-20, 14), (-20, 176), (-92, 182), (-142, 126)], LIGHT, 0)
    c.poly([(-20, 14), (112, 12), (150, 54), (-20, 78)], DARK, 0)
    c.stroke([(-20, 0), (-20, 192)], INK, 4)
    if back:
        c.poly([(-120, 44), (-40, 36), (-40, 132), (-120, 124)], DARK)
        for y in (58, 80, 102):
            c.stroke([(-110, y), (-50, y)], STEEL, 6)
    else:
        c.poly([(62, 118), (158, 104), (154, 122), (90, 178), (62, 178)], INK)
        c.poly([(74, 124), (146, 114), (140, 126), (88, 168), (74, 168)], GLASS, 0)
        c.stroke([(108, 122), (104, 156)], INK, 5)
    c.poly([(-128, 96), (-42, 88), (-42, 106), (-128, 114)], ORANGE, 0)
    c.poly([(-128, 66), (-88, 62), (-88, 80), (-128, 84)], ORANGE, 0)
    _fittings(c, p, grade)


def _fittings(c: Pen, p: Pen, grade: int) -> None:
    if grade == 1:
        g = c.at(x=40, y=-8)
        g.poly([(-60, -52), (70, -52), (84, -30), (84, 14), (-60, 14)], GUN)
        for y in (-42, -26, -10, 6):
            g.poly([(84, y - 6), (196, y - 6), (196, y + 5), (84, y + 5)], STEEL)
        g.poly([(180, -52), (204, -52), (204, 14), (180, 14)], INK)
        g.poly([(-46, -36), (40, -36), (40, -18), (-46, -18)], ORANGE, 0)
        c.stroke([(-70, 214), (-84, 304)], INK, 5)
        return
    _gun(c.at(x=-6, y=44), 2, grade)
    c.poly([(-60, 218), (40, 216), (30, 252), (-46, 254)], MID)
    c.poly([(-8, 228), (24, 227), (22, 242), (-8, 243)], GLASS, 2)
    if grade == 3:
        c.poly([(-150, 60), (-182, 76), (-186, 168), (-150, 196), (-112, 180), (-112, 76)], LIGHT)
        for y in (92, 124, 156):
            c.poly(
                [(-172, y), (-128, y), (-128, y + 18), (-172, y + 18)], ORANGE if y == 124 else GUN
            )
    else:
        c.stroke([(-80, 214), (-100, 306)], INK, 5)


def _walker_leg(p: Pen, far: bool) -> None:
    main, plate, dark = (DARK, MID, INK) if far else (MID, LIGHT, DARK)
    p.bar((0, 410), (-76, 268), 34, 26, main)
    p.bar((-76, 268), (14, 112), 24, 20, dark)
    p.bar((14, 112), (4, 34), 24, 28, main)
    p.poly([(-58, 0), (92, 0), (96, 16), (58, 44), (-34, 48), (-62, 18)], GUN if far else MID)
    p.poly([(-114, 262), (-92, 312), (-56, 306), (-36, 262), (-58, 230), (-98, 232)], plate)
    p.poly([(-6, 96), (34, 96), (46, 128), (10, 148), (-14, 128)], plate)
    p.poly([(-36, 14), (20, 12), (14, 34), (-26, 36)], plate, 0)
    if not far:
        p.stroke([(-44, 300), (10, 392)], STEEL, 10)
        p.poly([(-92, 262), (-74, 290), (-58, 262), (-74, 244)], ORANGE, 2)


def _gun(g: Pen, barrels: int, grade: int) -> None:
    g.poly([(-52, -44), (74, -44), (92, -22), (92, 34), (70, 50), (-40, 50), (-60, 24)], GUN)
    g.poly([(-36, -28), (50, -28), (50, 30), (-36, 30)], MID)
    rows = {1: (2,), 2: (-14, 22)}[barrels]
    for y in rows:
        g.poly([(92, y - 11), (214, y - 9), (214, y + 9), (92, y + 11)], STEEL)
        g.poly([(112, y - 14), (146, y - 14), (146, y + 14), (112, y + 14)], GUN)
        g.poly([(206, y - 16), (232, y - 16), (232, y + 16), (206, y + 16)], INK)
    g.poly([(-24, -6), (38, -6), (38, 12), (-24, 12)], ORANGE, 0)

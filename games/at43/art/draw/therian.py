"""Therians: everything grown, with no straight edge. Bone shells, dark joints, cyan current."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pen import Pen, Point, ellipse

BONE, SHADE, DEEP, TEAL = "#ece5d0", "#c2b797", "#0e4a56", "#0b3640"
CYAN, GLOW, WHITE = "#12889b", "#7fd3da", "#d9f6f5"


@dataclass(frozen=True)
class Golem:
    """`arms` are gun, cutter, blades, needle, cluster, command; `crest` what stands above the head."""

    arms: str = "gun"
    head: str = "skull"
    bulk: float = 1.0
    crest: str = ""
    tail: bool = False
    robe: bool = False
    scale: float = 1.0


def golem(pen: Pen, g: Golem, back: bool) -> None:
    p = pen.at(scale=g.scale, x=-8 * g.scale)
    _crest(p, g)
    if g.tail:
        p.stroke([(-20, 200), (-86, 250), (-98, 300), (-78, 330)], TEAL, 15, soft=True)
        p.stroke([(-20, 200), (-86, 250), (-98, 300), (-78, 330)], GLOW, 5, soft=True)
        p.dot(-74, 330, 15, BONE)
        p.dot(-74, 330, 7, CYAN, 0)
    for flip in (True, False):
        _leg(p.at(wide=g.bulk, flip=flip))
    if g.robe:
        p.soft(
            [
                (-40, 186),
                (0, 196),
                (40, 186),
                (58, 110),
                (84, 22),
                (48, 40),
                (22, 14),
                (0, 40),
                (-24, 14),
                (-50, 40),
                (-86, 22),
                (-58, 110),
            ],
            DEEP,
        )
        for x in (-44, -16, 16, 44):
            p.stroke([(x * 0.5, 176), (x, 110), (x * 1.5, 46)], CYAN, 4, soft=True)
            p.dot(x * 1.5, 46, 5, GLOW, 0)
    _torso(p, g, back)
    _head(p, g, back)
    _arms(p, g, back)


def _leg(p: Pen) -> None:
    p.limb((24, 150), (56, 104), 20, 13, BONE)
    p.limb((56, 104), (32, 44), 12, 8, DEEP)
    p.soft([(60, 118), (70, 100), (58, 66), (42, 36), (34, 52), (44, 92)], BONE)
    p.soft([(16, 2), (30, 22), (40, 40), (50, 30), (66, 10), (84, 3), (58, 0), (36, 0)], BONE)
    p.dot(56, 106, 10, TEAL)
    p.dot(56, 106, 4, GLOW, 0)
    p.stroke([(30, 150), (46, 122)], CYAN, 4, soft=True)


def _torso(p: Pen, g: Golem, back: bool) -> None:
    q = p.at(wide=g.bulk)
    q.soft([(-24, 146), (24, 146), (30, 164), (16, 186), (-16, 186), (-30, 164)], DEEP)
    q.soft(
        [
            (-18, 178),
            (18, 178),
            (44, 206),
            (60, 242),
            (40, 264),
            (0, 270),
            (-40, 264),
            (-60, 242),
            (-44, 206),
        ],
        BONE,
    )
    if back:
        for k in range(5):
            q.oval(0, 184 + k * 18, 15 - k, 8, DEEP)
            q.oval(0, 184 + k * 18, 6, 3, CYAN, 0, 0)
        for side in (-1, 1):
            q.stroke([(side * 14, 200), (side * 34, 216), (side * 44, 246)], CYAN, 4, soft=True)
        return
    q.soft([(-12, 184), (12, 184), (17, 216), (12, 252), (-12, 252), (-17, 216)], TEAL, 3)
    q.dot(0, 226, 11, GLOW, 3)
    q.dot(0, 226, 5, WHITE, 0)
    for side in (-1, 1):
        for k in range(3):
            y = 196 + k * 19
            q.stroke(
                [(side * 16, y), (side * (30 + k * 4), y + 6), (side * (38 + k * 6), y + 20)],
                SHADE,
                6,
                soft=True,
            )
        q.stroke([(side * 12, 238), (side * 30, 246), (side * 44, 240)], CYAN, 3.5, soft=True)
        q.dot(side * 45, 240, 4, CYAN, 0)


def _head(p: Pen, g: Golem, back: bool) -> None:
    h = p.at(y=264)
    h.limb((0, -6), (2, 14), 13, 10, DEEP)
    if g.head == "eye":
        h.soft([(-38, 26), (-20, 54), (16, 58), (42, 36), (34, 8), (0, -2), (-30, 6)], BONE)
        if not back:
            h.dot(8, 28, 23, TEAL)
            h.dot(8, 28, 15, CYAN, 3)
            h.dot(10, 30, 7, WHITE, 0)
        else:
            h.oval(0, 28, 12, 16, DEEP)
        return
    if g.head == "blade":
        h.soft([(-14, 4), (12, 2), (30, 14), (24, 34), (-4, 48), (-44, 62), (-34, 34)], BONE)
        if not back:
            h.oval(12, 22, 16, 5, GLOW, -14, 3)
        return
    big = 1.12 if g.head == "overseer" else 1
    s = h.at(scale=big)
    s.soft([(-16, 2), (12, 0), (28, 14), (32, 36), (12, 56), (-18, 56), (-34, 38), (-28, 16)], BONE)
    if back:
        s.soft([(-14, 12), (12, 12), (16, 36), (0, 48), (-16, 36)], DEEP)
        return
    s.oval(10, 28, 20, 8, TEAL, -6)
    s.oval(14, 28, 11, 4, GLOW, -6, 0)
    s.stroke([(-24, 40), (-6, 46), (16, 46)], CYAN, 3.5, soft=True)
    s.stroke([(2, 10), (16, 9)], SHADE, 4)


def _crest(p: Pen, g: Golem) -> None:
    if g.crest == "ring":
        p.soft(ellipse(0, 296, 54, 54, 0, 16), CYAN)
        p.soft(ellipse(0, 296, 44, 44, 0, 16), WHITE)
        for k in range(8):
            a = math.radians(22 + 45 * k)
            p.dot(49 * math.cos(a), 296 + 49 * math.sin(a), 6, BONE)
    if g.crest == "moon":
        moon: list[Point] = [
            (72 * math.cos(math.radians(a)), 284 + 72 * math.sin(math.radians(a)))
            for a in range(-40, 221, 20)
        ]
        inner: list[Point] = [
            (52 * math.cos(math.radians(a)), 268 + 56 * math.sin(math.radians(a)))
            for a in range(205, -30, -25)
        ]
        p.soft(moon + inner, GLOW)
        for a in (0, 30, 60, 90, 120, 150, 180):
            p.dot(63 * math.cos(math.radians(a)), 281 + 66 * math.sin(math.radians(a)), 4, DEEP, 0)


def _scythe(p: Pen, long: float) -> None:
    """A blade that starts at the origin and bends up and round."""
    p.soft(
        [
            (-8, -6),
            (8, -8),
            (34, 24 * long),
            (40, 70 * long),
            (22, 118 * long),
            (8, 134 * long),
            (18, 96 * long),
            (16, 58 * long),
            (4, 26),
        ],
        WHITE,
    )
    p.stroke([(4, 6), (24, 40 * long), (27, 78 * long)], CYAN, 4, soft=True)


def _arms(p: Pen, g: Golem, back: bool) -> None:
    w = g.bulk
    ends: dict[str, tuple[Point, Point, Point, Point]] = {
        "blades": ((-86, 190), (-84, 240), (86, 196), (78, 246)),
        "cluster": ((-92, 190), (-72, 128), (90, 196), (60, 166)),
        "command": ((-82, 196), (-66, 152), (84, 204), (78, 190)),
    }
    le, lh, re, rh = ends.get(g.arms, ((-76, 196), (-34, 184), (74, 202), (44, 192)))
    for shoulder, elbow, hand in (((-54, 244), le, lh), ((54, 244), re, rh)):
        s, e = (shoulder[0] * w, shoulder[1]), (elbow[0] * w, elbow[1])
        h = (hand[0] * w, hand[1])
        p.limb(s, e, 15 * w, 10 * w, DEEP)
        p.limb(e, h, 15 * w, 9 * w, BONE)
        p.dot(*e, 9 * w, TEAL)
        p.dot(*e, 4 * w, GLOW, 0)
    for flip in (True, False):
        q = p.at(x=(-60 if flip else 60) * w, y=244, scale=w, flip=flip)
        q.soft([(-22, -10), (-14, 18), (12, 26), (32, 10), (30, -18), (10, -12)], BONE)
        q.stroke([(-6, 10), (12, 14), (22, 2)], CYAN, 4, soft=True)
        q.dot(22, 1, 4, CYAN, 0)
    if not back or g.arms in ("blades", "command"):
        ARMS[g.arms](p, w)


def _gun(p: Pen, _w: float) -> None:
    g = p.at(x=4, y=190, turn=8)
    g.soft(
        [(-46, -8), (-30, 16), (10, 20), (50, 14), (62, 4), (50, -12), (10, -20), (-30, -20)], DEEP
    )
    for x in (-20, 2, 24):
        g.oval(x, 2, 8, 13, BONE)
    g.limb((58, 3), (108, 5), 8, 6, BONE)
    g.dot(108, 5, 9, TEAL)
    g.dot(108, 5, 4, GLOW, 0)
    g.soft([(-10, -18), (20, -18), (26, -40), (4, -50), (-14, -38)], BONE)


def _cutter(p: Pen, _w: float) -> None:
    g = p.at(x=6, y=190, turn=4)
    g.soft([(-56, 0), (-36, 26), (16, 28), (54, 18), (54, -14), (16, -28), (-36, -28)], BONE)
    g.oval(-14, 0, 24, 17, TEAL)
    g.oval(-14, 0, 13, 9, GLOW, 0, 0)
    for side in (-1, 1):
        g.soft(
            [
                (44, side * 8),
                (70, side * 28),
                (112, side * 24),
                (122, side * 12),
                (100, side * 14),
                (70, side * 14),
            ],
            BONE,
        )
    g.soft([(56, 0), (90, 5), (126, 0), (90, -5)], GLOW, 2)


def _needle(p: Pen, _w: float) -> None:
    g = p.at(x=12, y=188, turn=24)
    g.soft([(-50, -4), (-34, 16), (8, 14), (30, 6), (30, -4), (6, -14), (-34, -16)], BONE)
    g.limb((26, 1), (122, 1), 7, 2.5, TEAL)
    for x in (46, 66, 86):
        g.oval(x, 1, 4, 10, CYAN)
    g.dot(-20, 0, 9, GLOW)


def _blades(p: Pen, _w: float) -> None:
    _scythe(p.at(x=80, y=242, turn=-8), 0.74)
    _scythe(p.at(x=-86, y=238, turn=8, flip=True), 0.74)


def _cluster(p: Pen, w: float) -> None:
    g = p.at(x=70 * w, y=160, turn=6)
    g.soft([(-44, -24), (-44, 26), (10, 34), (44, 26), (44, -22), (10, -34)], BONE)
    for y in (-16, 4, 22):
        g.oval(46, y, 12, 9, TEAL)
        g.oval(50, y, 5, 5, GLOW, 0, 0)
    g.stroke([(-32, 0), (-8, 10), (20, 6)], CYAN, 5, soft=True)
    c = p.at(x=-72 * w, y=116)
    c.dot(0, 4, 28, BONE)
    c.dot(0, 4, 12, TEAL)
    for turn in (-150, -100, -50):
        _scythe(c.at(turn=turn + 14, scale=0.5), 0.8)


def _command(p: Pen, _w: float) -> None:
    _scythe(p.at(x=76, y=190, turn=-18), 1.05)
    g = p.at(x=-66, y=150, turn=-78)
    g.soft([(-12, -12), (-6, 14), (34, 12), (44, 0), (34, -12)], DEEP)
    g.dot(42, 0, 11, GLOW)


ARMS = {
    "gun": _gun,
    "cutter": _cutter,
    "needle": _needle,
    "blades": _blades,
    "cluster": _cluster,
    "command": _command,
}


def feeder(pen: Pen, back: bool) -> None:
    """A walking pot on three legs that breathes a cloud."""
    p = pen
    for a, b, c in (
        ((-60, 190), (-150, 170), (-124, 0)),
        ((60, 190), (150, 170), (126, 0)),
        ((0, 170), (14, 96), (-8, 0)),
    ):
        p.limb(a, b, 22, 15, BONE)
        p.limb(b, c, 15, 5, DEEP)
        p.dot(*b, 15, TEAL)
        p.dot(*b, 6, GLOW, 0)
    p.soft(
        [
            (-96, 200),
            (-70, 140),
            (0, 118),
            (70, 140),
            (96, 200),
            (84, 280),
            (48, 330),
            (-48, 330),
            (-84, 280),
        ],
        BONE,
    )
    p.oval(0, 326, 58, 22, TEAL)
    p.oval(0, 326, 42, 13, GLOW, 0, 0)
    if back:
        for k in range(5):
            p.oval(0, 160 + k * 30, 20, 12, DEEP)
    else:
        p.dot(0, 226, 40, TEAL)
        p.dot(0, 226, 26, CYAN)
        p.dot(6, 232, 10, WHITE, 0)
    for side in (-1, 1):
        p.stroke([(side * 46, 230), (side * 66, 240), (side * 70, 290)], CYAN, 5, soft=True)
        p.dot(side * 70, 290, 7, CYAN, 0)
    for x, y, r in (
        (-30, 372, 15),
        (14, 392, 20),
        (48, 364, 10),
        (-8, 430, 11),
        (34, 446, 15),
        (-44, 410, 8),
        (6, 480, 8),
        (44, 490, 6),
    ):
        p.dot(x, y, r, GLOW, 2.5)
    for x, y in ((-18, 396), (58, 420), (-30, 452), (20, 510)):
        p.dot(x, y, 4, CYAN, 0)


def chassis(pen: Pen, kind: str, back: bool) -> None:
    """Four bent legs under a shell; the kind decides what it carries."""
    scale = {"light": 0.7, "medium": 0.96, "cleaver": 0.98, "heavy": 1.04}[kind]
    p = pen.at(scale=scale)
    for flip in (True, False):
        q = p.at(flip=flip)
        _bent(q, (70, 380), (176, 420), (150, 60), 0.8, SHADE)
        _bent(q, (90, 350), (238, 330), (222, 0), 1.0, BONE)
    if kind == "heavy":
        p.soft(ellipse(0, 610, 150, 120, 0, 16), DEEP)
        for x in (-92, 0, 92):
            _beam(p.at(x=x, y=628 + (26 if x == 0 else 0)), 1.0, back)
    if kind == "medium":
        for flip in (True, False):
            _beam(p.at(x=-150 if flip else 150, y=560), 0.9, back)
            p.stroke(
                [(-90 if flip else 90, 470), (-140 if flip else 140, 500)], TEAL, 26, soft=True
            )
    shell = 1.16 if kind == "heavy" else 1.0
    q = p.at(y=300, wide=shell)
    q.soft(
        [
            (-150, 120),
            (-120, 30),
            (0, -10),
            (120, 30),
            (150, 120),
            (120, 226),
            (60, 282),
            (-60, 282),
            (-120, 226),
        ],
        BONE,
    )
    q.soft(
        [(-126, 104), (-90, 44), (0, 18), (90, 44), (126, 104), (60, 92), (0, 84), (-60, 92)],
        SHADE,
        0,
    )
    _face(q, kind, back)
    if kind == "cleaver":
        for flip in (True, False):
            c = p.at(flip=flip)
            c.limb((104, 470), (196, 520), 34, 24, DEEP)
            c.dot(200, 522, 26, BONE)
            c.dot(200, 522, 11, GLOW)
            _scythe(c.at(x=200, y=530, turn=10, scale=2.0), 0.78)
            _scythe(c.at(x=206, y=512, turn=-176, scale=1.7), 0.86)
    if kind == "light":
        _beam(p.at(x=0, y=610), 0.9, back)
        p.soft([(-26, 540), (26, 540), (20, 590), (-20, 590)], DEEP)


def _bent(p: Pen, hip: Point, knee: Point, foot: Point, wide: float, shell: str) -> None:
    p.limb(hip, knee, 36 * wide, 26 * wide, shell)
    p.limb(knee, foot, 25 * wide, 7 * wide, DEEP)
    mid = ((knee[0] + foot[0]) / 2 + 14, (knee[1] + foot[1]) / 2)
    p.soft(
        [
            (knee[0] - 18 * wide, knee[1] + 22),
            (knee[0] + 30 * wide, knee[1] + 10),
            (mid[0] + 24 * wide, mid[1]),
            (foot[0] + 12, foot[1] + 34),
            (mid[0] - 10 * wide, mid[1]),
        ],
        shell,
    )
    p.dot(*knee, 17 * wide, TEAL)
    p.dot(*knee, 7 * wide, GLOW, 0)
    p.stroke(
        [
            (hip[0] + 8, hip[1] + 6),
            ((hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2 + 12),
            (knee[0] - 18, knee[1] + 4),
        ],
        CYAN,
        5,
        soft=True,
    )


def _beam(p: Pen, size: float, back: bool) -> None:
    s = p.at(scale=size)
    s.soft([(-40, -30), (-46, 10), (-26, 44), (26, 44), (46, 10), (40, -30), (0, -46)], BONE)
    if back:
        s.oval(0, 4, 18, 24, DEEP)
        return
    s.dot(0, 0, 27, TEAL)
    s.dot(0, 0, 17, CYAN)
    s.dot(0, 0, 8, WHITE, 0)


def _face(q: Pen, kind: str, back: bool) -> None:
    if back:
        for k in range(6):
            q.oval(0, 50 + k * 36, 26 - k, 14, DEEP)
            q.oval(0, 50 + k * 36, 10, 5, CYAN, 0, 0)
    elif kind == "cleaver":
        q.soft([(-80, 150), (0, 120), (80, 150), (40, 190), (-40, 190)], TEAL)
        q.oval(-34, 158, 20, 8, GLOW, -16, 0)
        q.oval(34, 158, 20, 8, GLOW, 16, 0)
    else:
        r = 58 if kind != "light" else 50
        q.dot(0, 150, r, TEAL)
        q.dot(0, 150, r * 0.68, CYAN)
        q.dot(8, 160, r * 0.26, WHITE, 0)
    for side in (-1, 1):
        q.stroke([(side * 70, 240), (side * 96, 216), (side * 112, 150)], CYAN, 5.5, soft=True)
        q.stroke(
            [(side * 40, 258), (side * 66, 250), (side * 82, 200), (side * 84, 140)],
            CYAN,
            5.5,
            soft=True,
        )
        q.dot(side * 112, 150, 7, CYAN, 0)
        q.dot(side * 84, 140, 7, CYAN, 0)

"""The commoners of the army; and all pictures, backs and icons written: `python troops.py`."""

from __future__ import annotations

from collections.abc import Callable

import arms
import court
import figures as f
import weapons
from cut import ART, SIDES, Block, Polygon, moved, oval, path_data, svg


def scout(b: Block) -> None:
    f.sky(b, (27, 9), night=True)
    b.poly("linen", oval(28, 8.6, 4.6, 4.6, sides=22), 0.05)
    b.poly("ink", oval(26.2, 7.6, 4.1, 4.1, sides=22), 0.05)
    f.hood(b, 17.5, 21, 1.25)
    cloak = [(9, 29), (26, 29), (33, 36), (34, 40.6), (2, 40.6), (3, 35)]
    b.poly("tone", cloak)
    b.hatch("ink", cloak, 78, 1.4, 0.7)
    f.hood(b, 17.5, 21, 1.25)
    for k in range(26):
        x = 1.2 + k * 1.38
        lean = b.random.uniform(-2.4, 2.4)
        height = b.random.uniform(4, 10)
        b.gouge("linen", (x, 40.8), (x + lean, 40.8 - height), 0.7)


def peasants(b: Block) -> None:
    f.sky(b, (18.5, 14))
    weapons.shaft(b, (31.5, 40.5), (30.5, 9))
    for dx in (-2.2, 0, 2.2):
        weapons.shaft(b, (30.5 + dx, 10.5), (30.5 + dx * 1.1, 3.2), 0.6)
    b.poly("ink", [(27.8, 9.6), (33.2, 9.6), (33, 11), (28, 11)])
    weapons.shaft(b, (5.5, 40.5), (7, 15.5))
    weapons.shaft(b, (7, 16), (13.4, 13.2), 1.3)
    for x, y, scale in ((8.5, 22, 0.95), (28.3, 23, 0.95), (18.6, 20, 1.25)):
        body = [
            (x - 5 * scale, y + 7 * scale),
            (x + 5 * scale, y + 7 * scale),
            (min(36.4, x + 9.5 * scale), y + 12 * scale),
            (min(36.4, x + 10 * scale), 40.6),
            (max(0.6, x - 10 * scale), 40.6),
            (max(0.6, x - 9.5 * scale), y + 12 * scale),
        ]
        b.poly("linen", [(px + (px - x) * 0.05, py - 0.4) for px, py in body])
        b.poly("ink", body)
        b.hatch("tone" if scale > 1 else "linen", body, 80, 2.0, 0.5, 0.8)
        f.straw_hat(b, x, y, scale)


def levy(b: Block) -> None:
    f.sky(b, (18.5, 16))
    weapons.shaft(b, (31.2, 40.5), (30.2, 9))
    scythe = [
        (0.8, 1.2),
        (1, -1.6),
        (-2.4, -4.4),
        (-8, -5.6),
        (-14.6, -3.6),
        (-8.4, -2.8),
        (-3.4, -0.8),
    ]
    b.poly("linen", moved([(px * 1.06, py * 1.2) for px, py in scythe], 30.4, 9.4))
    b.poly("ink", moved(scythe, 30.4, 9.4))
    b.gouge("linen", (28.6, 6.6), (18.6, 5.4), 0.9)
    weapons.shaft(b, (5.4, 40.5), (4.2, 17))
    weapons.shaft(b, (4.2, 17.4), (8.6, 14.6), 1.2)
    for x, y, scale in ((11.4, 23.5, 0.86), (26.2, 23.5, 0.86), (18.7, 22.5, 1.08)):
        half = 9.4 * scale
        quilt = [
            (x - 5 * scale, y + 7.6 * scale),
            (x + 5 * scale, y + 7.6 * scale),
            (x + half, y + 11 * scale),
            (x + half, 40.6),
            (x - half, 40.6),
            (x - half, y + 11 * scale),
        ]
        b.poly("linen", [(px + (px - x) * 0.06, py - 0.4) for px, py in quilt])
        b.poly("ink", quilt)
        b.hatch("tone", quilt, 90, 2.0, 0.6)
        b.hatch("ink", quilt, 0, 2.2, 0.7)
        cap = moved(
            [
                (-4.8, 0),
                (-4.6, -3.6),
                (-3, -6.4),
                (0, -7.4),
                (3, -6.4),
                (4.6, -3.6),
                (4.8, 0),
                (5.2, 5),
                (7, 8.6),
                (0, 10),
                (-7, 8.6),
                (-5.2, 5),
            ],
            x,
            y,
            scale,
        )
        b.poly("linen", moved([(px - x, py - y) for px, py in cap], x, y, 1.16))
        b.poly("ink", moved([(px - x, py - y) for px, py in cap], x, y, 1.09))
        b.poly("tone", cap)
        b.hatch("linen", [p for p in cap if p[0] <= x + 0.1], 88, 1.5 * scale, 0.5)
        b.poly("ink", moved([(-0.4, -7.4), (0.4, -7.4), (0.4, -4), (-0.4, -4)], x, y, scale), 0)
        b.hatch(
            "ink",
            [
                (x + 2.4 * scale, y - 6 * scale),
                (x + 4.4 * scale, y - 3 * scale),
                (x + 5 * scale, y + 5 * scale),
                (x + 6.6 * scale, y + 8.4 * scale),
                (x + 3.4 * scale, y + 8.8 * scale),
                (x + 3.6 * scale, y),
            ],
            88,
            0.9,
            0.45,
        )
        f.hollow(b, x, y - 0.2 * scale, 3.1 * scale, 4.3 * scale)


def shieldmen(b: Block) -> None:
    f.sky(b, (18.5, 8))
    for x in (7.5, 29.5, 18.5):
        f.kettle_hat(b, x, 19 if x != 18.5 else 15.4, 0.82)
    for k, (x, y) in enumerate(((6.6, 29.5), (30.4, 29.5), (18.5, 28.4))):
        scale = 1.32 if k == 2 else 1.22
        arms.shield(b, x, y, scale, "tone" if k < 2 else "linen")
        if k < 2:
            b.hatch(
                "linen",
                moved([(px * 0.84, py * 0.84) for px, py in arms.SHIELD], x, y, scale),
                48 if k else 132,
                2.6,
                0.9,
            )
        else:
            b.poly("ink", moved([(-1.5, -6.6), (1.5, -6.6), (1.3, 7.2), (-1.3, 7.2)], x, y, scale))
            b.poly("ink", moved([(-5.7, -3), (5.7, -3), (5.5, 0), (-5.5, 0)], x, y, scale))
            b.hatch(
                "tone",
                moved([(1.9, 0.6), (5.2, 0.6), (4.2, 3.4), (1.9, 6.2)], x, y, scale),
                30,
                1,
                0.45,
            )
            b.hatch(
                "tone",
                moved([(1.9, -6.2), (5.6, -6), (5.6, -3.4), (1.9, -3.4)], x, y, scale),
                30,
                1,
                0.45,
            )
            b.poly("linen", oval(x, y - 2, 1.3, 1.3, sides=10), 0)
    b.hatch("ink", [(0.4, 39), (36.4, 39), (36.4, 40.6), (0.4, 40.6)], 2, 0.7, 0.5)


def archers(b: Block) -> None:
    f.sky(b, (15, 20))
    for x, y in ((20, 3.4), (26, 2.2), (33.4, 4), (30, 9.5), (16.4, 6.6)):
        weapons.shaft(b, (x, y), (x - 4.2, y + 5.6), 0.5)
        b.poly("ink", moved([(0, 0), (1.1, -2.2), (-0.6, -1.8)], x - 4.6, y + 6.2, 0.9, -10), 0)
    f.shoulders(b, 13.5, 28, 13)
    f.kettle_hat(b, 14, 19.5, 1.05)
    # A bow drawn to the ear: the stave bends round the hand at the right.
    bow = [*oval(22, 22, 11, 18.6, -74, 74, 20), *reversed(oval(22, 22, 9.6, 18.2, -74, 74, 20))]
    b.poly(
        "linen",
        [*oval(22, 22, 11.6, 19, -75, 75, 20), *reversed(oval(22, 22, 9, 17.8, -75, 75, 20))],
    )
    b.poly("ink", bow)
    for end in ((25.6, 4.6), (25.6, 39.4)):
        weapons.shaft(b, end, (19.4, 22.6), 0.28, "ink")
    weapons.shaft(b, (17, 22.7), (35.2, 21.4), 0.7)
    weapons.blade(b, weapons.SPEARHEAD, 34.4, 21.4, 0.5, 86)
    arm = [(5, 30), (9, 27), (20, 22.2), (21.4, 24.6), (12, 30), (7, 34)]
    b.poly("linen", [(x, y - 0.3) for x, y in arm])
    b.poly("ink", arm)
    b.mail("linen", arm, 1.2)
    b.poly("ink", [(19, 21), (22, 21.4), (22, 24.8), (19.4, 24.8)])


def spearmen(b: Block) -> None:
    f.sky(b, (18.5, 26))
    for k in range(8):
        x = 3 + k * 4.5
        top = 5.5 + (k * 37 % 11) * 0.75 + (8 if k < 2 else 0)
        weapons.spear(b, (x + 0.8, 36), (x, top + 3), 0.72)
    for x, y, scale in (
        (4.5, 27, 0.74),
        (13.6, 26.4, 0.74),
        (23.2, 26.4, 0.74),
        (32.4, 27, 0.74),
        (9, 32.5, 0.95),
        (28, 32.5, 0.95),
        (18.5, 31.5, 1.08),
    ):
        f.nasal_helm(b, x, y, scale)
    b.poly("ink", [(0.4, 39.2), (36.6, 39.2), (36.6, 40.7), (0.4, 40.7)])


def infantry(b: Block) -> None:
    f.sky(b)
    f.shoulders(b, 17, 25.5, 15)
    coat = [(11, 28), (23, 28), (26, 33), (25, 40.5), (9, 40.5), (8, 33)]
    b.poly("linen", coat)
    b.poly("tone", [(11.5, 28.6), (22.5, 28.6), (25.3, 33), (24.3, 40.5), (9.7, 40.5), (8.7, 33)])
    b.poly("ink", [(15.7, 29), (18.3, 29), (18.5, 40.5), (15.5, 40.5)])
    b.poly("ink", [(9.4, 33), (24.6, 33), (24.6, 35.6), (9.4, 35.6)])
    f.great_helm(b, 17, 17, 1.02)
    weapons.sword(b, 31.4, 32, 26)
    b.poly("linen", [(28.8, 32.6), (34, 32.6), (34.4, 37.4), (28.6, 37.4)])
    b.poly("ink", [(29.2, 33), (33.6, 33), (34, 37), (29, 37)])
    b.hatch("linen", [(29.2, 33), (33.6, 33), (34, 37), (29, 37)], 0, 1.2, 0.4)


def heavy_infantry(b: Block) -> None:
    f.sky(b)
    weapons.shaft(b, (5.6, 40.6), (6.6, 14.5), 1.5)
    weapons.blade(
        b,
        [(0, -5.5), (4.6, -7.5), (7.6, -2), (7, 3.4), (3.2, 7), (0, 3.2), (1.2, -1)],
        6.8,
        20.5,
        0.95,
        0,
        True,
    )
    weapons.blade(b, [(0, -6), (1.2, 0), (-1.2, 0)], 6.7, 15, 0.8)
    f.shoulders(b, 20, 25, 16.5, mail=False)
    for side in (-1, 1):
        for ring in range(4):
            arc = oval(
                20 + side * 9.5, 33 + ring * 2.1, 7 - ring * 0.4, 6.2 - ring * 0.4, 180, 360, 18
            )
            inner = oval(
                20 + side * 9.5, 33.8 + ring * 2.1, 6.4 - ring * 0.4, 5.4 - ring * 0.4, 180, 360, 18
            )
            b.poly("linen" if ring % 2 == 0 else "tone", [*arc, *reversed(inner)], 0.04)
    plate = [(14, 29), (26, 29), (27, 35), (24, 40.5), (16, 40.5), (13, 35)]
    b.poly("linen", plate)
    b.hatch(
        "ink", [(20.4, 29.2), (25.6, 29.2), (26.6, 35), (23.6, 40.4), (20.4, 40.4)], 84, 1.1, 0.6
    )
    b.poly("ink", [(19.6, 29), (20.4, 29), (20.4, 40.5), (19.6, 40.5)], 0.03)
    f.great_helm(b, 20, 16.6, 1.12, crossed=False)
    b.poly("ink", [(19.3, 13), (20.7, 13), (20.7, 27.6), (19.3, 27.6)], 0.04)


def mercenaries(b: Block) -> None:
    f.sky(b)
    for k in range(7):
        root = (20.5, 9.5)
        tip = (24 + k * 1.9, 2.2 + k * 1.9)
        b.gouge("ink", root, (tip[0] + 1, tip[1]), 2.6)
        b.gouge("linen", (root[0] + 1.4, root[1] - 0.3), tip, 0.7)
    f.shoulders(b, 17, 26, 16)
    sash = [(4, 29), (8, 27.5), (31, 38), (29.5, 40.6), (25, 40.6), (3, 31.5)]
    b.poly("linen", sash)
    b.hatch("tone", sash, 24, 1.3, 0.7)
    f.great_helm(b, 17, 17.4, 0.98)
    weapons.sword(b, 31.6, 15.4, 13.6, 0)
    b.poly("ink", [(30.9, 19), (32.3, 19), (32.3, 30), (30.9, 30)])
    for y in (30.5, 25):
        fist = [(29.2, y - 2), (33.8, y - 2), (34.2, y + 1.6), (29, y + 1.6)]
        b.poly("linen", [(x + (x - 31.5) * 0.12, yy) for x, yy in fist])
        b.poly("ink", fist)
        b.hatch("linen", fist, 2, 1, 0.35)
    for x, y in ((7.2, 37.6), (9.4, 35.4), (10.6, 38.2), (5.2, 35.2)):
        b.poly("ink", oval(x, y, 1.9, 1.9, sides=12), 0)
        b.poly("linen", oval(x, y, 1.5, 1.5, sides=12), 0)
        b.poly("ink", [(x - 0.3, y - 1), (x + 0.3, y - 1), (x + 0.3, y + 1), (x - 0.3, y + 1)], 0)
        b.poly("ink", [(x - 1, y - 0.3), (x + 1, y - 0.3), (x + 1, y + 0.3), (x - 1, y + 0.3)], 0)


HORSE: Polygon = [
    (19.6, 3.4),
    (21.6, 8),
    (24.2, 7.2),
    (24.6, 10.4),
    (29.4, 15),
    (33.6, 22),
    (36.2, 31),
    (36.4, 40.6),
    (17.6, 40.6),
    (18.6, 34.5),
    (17.4, 29.6),
    (14.4, 28.6),
    (11.6, 31),
    (8.6, 34.6),
    (5.6, 35),
    (3.6, 33.4),
    (3.4, 30.4),
    (5, 27),
    (7.6, 21.6),
    (11.2, 15.6),
    (15, 11.2),
    (17.4, 9),
]


def cavalry(b: Block) -> None:
    f.sky(b, (20, 20))
    weapons.spear(b, (33.6, 40), (31.4, 6.4), 0.72)
    pennon = [(31.4, 8.2), (31.9, 15.4), (23.6, 14), (26.8, 12), (22.8, 9.4)]
    b.poly("linen", [(x + (x - 29) * 0.08, y + (y - 11.6) * 0.12) for x, y in pennon])
    b.poly("ink", pennon)
    b.hatch("linen", [(30.6, 9.2), (31, 14.4), (26, 13.6), (28, 11.8)], 4, 1.6, 0.5)
    b.poly("linen", [(x + (x - 20) * 0.04, y + (y - 26) * 0.035) for x, y in HORSE])
    b.poly("ink", HORSE)
    for k in range(13):
        t = k / 12
        x, y = 23.4 + t * 11.6, 8.6 + t * t * 23
        b.gouge("linen", (x - 0.6, y + 0.4), (x - 4.4 + t * 1.2, y + 6.5 + t * 2), 0.75)
    mask = [
        (16.6, 11.6),
        (20.4, 13.6),
        (18.4, 20),
        (14, 25.4),
        (9.4, 32.8),
        (6, 33.6),
        (4.6, 31.6),
        (6, 27.6),
        (10.2, 19.4),
        (13, 15),
    ]
    b.poly("linen", mask)
    b.hatch(
        "tone",
        [(18.6, 13.4), (19.8, 14), (17.6, 20), (13.4, 25.2), (9, 32.4), (9.6, 29), (14, 21.6)],
        122,
        0.9,
        0.5,
    )
    b.poly("ink", [(12.6, 18), (15.8, 16.6), (16, 18.6), (13.2, 19.8)], 0.05)
    b.poly("ink", oval(6.6, 30.2, 0.9, 1.2, sides=8), 0)
    for k in range(4):
        b.poly("ink", oval(11.4 - k * 1.1, 22.6 + k * 2.1, 0.4, 0.4, sides=6), 0)
    b.poly(
        "linen", [(17.2, 28.4), (18.6, 27.4), (20.6, 34), (20, 40.4), (18.6, 40.4), (19.2, 34.2)]
    )
    b.hatch("linen", [(22, 30), (33, 28), (35.6, 34), (35.8, 40), (22, 40)], 20, 2.4, 0.6, 0.7)
    b.poly(
        "linen", [(18.4, 12), (22, 22), (19.4, 27.6), (18.6, 27.2), (21, 22), (17.6, 12.6)], 0.04
    )


PICTURES: dict[str, Callable[[Block], None]] = {
    "scout": scout,
    "peasants": peasants,
    "levy": levy,
    "shieldmen": shieldmen,
    "archers": archers,
    "spearmen": spearmen,
    "infantry": infantry,
    "heavy-infantry": heavy_infantry,
    "mercenaries": mercenaries,
    "cavalry": cavalry,
    "prince": court.prince,
    "queen": court.queen,
    "king": court.king,
    "blank": court.blank,
    **{f"knight-{kind}": court.knight(kind) for kind in arms.BEASTS},
}


def icons() -> None:
    """The four arms as icons, heads on a square of 24."""
    for kind, outline in arms.BEASTS.items():
        head = path_data(moved(outline, 12, 11.8, 1.72))
        eye = path_data(moved(arms.EYES[kind], 12, 11.8, 1.72))
        frame = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        shapes = f'<path d="{head}"/>\n<path fill="#fff" d="{eye}"/>'
        text = f"{frame}\n{shapes}\n</svg>\n"
        (ART / "icons" / f"{kind}.svg").write_text(text, encoding="utf-8")


def main() -> None:
    for name, draw in PICTURES.items():
        block = Block(name)
        draw(block)
        block.write(name, f.WIDTH, f.HEIGHT)
    block = Block("back")
    court.back(block)
    block.write("back", 47, 69, "rotate(180 23.5 34.5)")
    (ART / "book").mkdir(exist_ok=True)
    for name, draw, height in (("cover", court.cover, 123.9), ("strip", court.strip, 26)):
        block = Block(name)
        draw(block)
        for side in ("blue", "grey") if name == "strip" else ("blue",):
            text = svg(block.shapes, SIDES[side], 87.6, height)
            (ART / "book" / f"{name}-{side}.svg").write_text(text, encoding="utf-8")
    block = Block("square")
    court.square(block)
    block.write("square", 43, 65)
    icons()


if __name__ == "__main__":
    main()

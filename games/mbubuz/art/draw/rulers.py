# ruff: noqa: PLR0911 – drawings are long lines of figures
"""The ten rulers in profile: caps, sunglasses and medals; no face behind them that could be anyone's.

Each has one straight line of a mouth and one chin: the joke is in what he put on.

    python art/draw/rulers.py    rewrites art/rulers/<province>.svg

Canvas 360 × 400, cut off at the chest. Each ruler is one line of figures in RULERS.
"""

from __future__ import annotations

from dataclasses import dataclass

from press import INK, PAPER, SHADE, SIDES, box, disc, emblem, group, line, path, rays, save


@dataclass(frozen=True)
class Ruler:
    """How a portrait differs from the other nine."""

    side: str
    cap: str
    chin: float
    nose: float
    medals: int
    moustache: str = ""
    extra: str = ""


RULERS = {
    "n1": Ruler("red", "straw", 10, 26, 5, "walrus", "fish"),
    "n2": Ruler("red", "board", 2, 14, 4, "", "scroll"),
    "n3": Ruler("red", "peaked", 14, 18, 11),
    "n4": Ruler("red", "beret", 8, 22, 7, "walrus", "frame"),
    "n5": Ruler("red", "bicorne", 6, 16, 8, "", "anchor"),
    "s1": Ruler("gold", "captain", 10, 24, 4, "wax", "anchor"),
    "s2": Ruler("gold", "bowler", 0, 12, 2, "", "seal"),
    "s3": Ruler("gold", "top", 14, 20, 6, "", "tie"),
    "s4": Ruler("gold", "homburg", 8, 26, 3, "walrus", "tie"),
    "s5": Ruler("gold", "helmet", 12, 18, 5, "wax", "plan"),
}


def head(ruler: Ruler) -> str:
    """A profile facing right: brow, nose, a short lip, one chin, the jaw, a neck in its collar."""
    n, c = ruler.nose, ruler.chin
    front = (
        f"M112 116Q150 92 208 104Q216 122 211 138Q218 142 {212 + n:g} {164 + n * 0.2:g}"
        f"Q{214 + n:g} 178 213 181L214 220Q{214 + c / 2:g} 228 {215 + c / 2:g} 240"
        f"Q{215 + c / 2:g} 255 {199 + c / 2:g} 257L186 259Q178 261 176 272L180 322H92"
    )
    return path(f"{front}Q84 250 104 214Q92 156 112 116Z", PAPER, INK, 5)


def cap(kind: str, side: str) -> list[str]:
    """Headgear over a head whose brow is at (112..214, 112)."""
    colour = SIDES[side]
    if kind == "peaked":
        return [
            path("M104 118L86 66Q150 22 250 54L222 112Z", colour, INK, 5),
            path("M104 120L220 100L224 122L106 138Z", INK),
            path("M200 114Q250 116 262 134Q232 140 196 130Z", INK),
            emblem(side, 166, 82, 22, PAPER),
            line("M112 128L216 112", PAPER, 3),
        ]
    if kind == "captain":
        return [
            path("M106 112Q84 58 160 56Q246 56 222 106Z", PAPER, INK, 5),
            path("M104 106H222V128H104Z", INK),
            path("M206 118Q248 120 254 136Q226 138 204 130Z", INK),
            line("M164 74V100M152 80H176M150 92Q164 110 178 92", colour, 6),
        ]
    if kind == "beret":
        return [
            path("M100 126Q70 70 150 62Q250 52 246 92Q240 116 100 126Z", colour, INK, 5),
            path("M102 118L218 98L222 112L104 132Z", INK),
            emblem(side, 202, 84, 15, PAPER),
        ]
    if kind == "bicorne":
        return [
            path("M60 126Q92 34 164 34Q238 34 270 122Q220 96 164 98Q104 98 60 126Z", INK),
            line("M72 118Q100 50 164 48Q228 50 256 114", colour, 7),
            disc(164, 74, 15, colour, PAPER, 4),
        ]
    if kind == "straw":
        return [
            path("M112 110Q112 56 162 54Q214 56 214 106Z", SHADE, INK, 5),
            path("M112 88H214V110H112Z", colour, INK, 5),
            path("M66 122Q160 92 268 114Q262 132 164 126Q96 130 66 122Z", SHADE, INK, 5),
        ]
    if kind == "board":
        return [
            path("M112 124V92H214V118Z", INK),
            path("M66 84L162 52L264 82L166 108Z", INK, PAPER, 3),
            line("M166 82L90 92V132", colour, 6),
            path("M84 130H96L100 158H80Z", colour),
        ]
    if kind == "bowler":
        return [
            path("M112 112Q110 52 164 52Q218 52 214 108Z", INK),
            path("M112 98L214 94V110L112 114Z", colour, INK, 5),
            path("M84 116Q90 106 164 106Q236 104 244 110Q240 126 164 124Q96 128 84 116Z", INK),
        ]
    if kind == "top":
        return [
            path("M116 110L108 18H222L212 108Z", INK),
            path("M112 84H215L212 108L115 112Z", colour, INK, 5),
            path("M78 112Q164 96 252 108Q250 126 164 124Q90 130 78 112Z", INK),
        ]
    if kind == "homburg":
        return [
            path("M112 112Q106 52 140 52Q164 68 186 50Q224 54 214 108Z", colour, INK, 5),
            path("M112 94L215 90V108L112 112Z", INK),
            path(
                "M76 108Q96 124 164 116Q240 116 256 98Q258 126 164 126Q84 130 76 108Z",
                colour,
                INK,
                5,
            ),
        ]
    return [
        path("M104 122Q100 52 166 52Q226 54 222 114Z", colour, INK, 5),
        path("M150 54H180L186 116H146Z", PAPER, INK, 3),
        path("M92 118Q160 104 262 118Q250 132 164 130Q98 134 92 118Z", colour, INK, 5),
    ]


def moustache(kind: str) -> str:
    """Between the nose at (213, 181) and the mouth at (213, 200)."""
    if kind == "walrus":
        return path("M172 192Q192 174 222 181Q230 186 220 194Q198 200 172 192Z", INK)
    return line("M186 190Q206 182 220 187Q238 192 242 176", INK, 7) if kind else ""


def chest(ruler: Ruler, *, bust: bool = False) -> list[str]:
    """Shoulders, epaulettes and medals over the end of the neck; of a `bust` in an oval, one row."""
    colour = SIDES[ruler.side]
    coat = colour if ruler.side == "red" else INK
    parts = [path("M10 404Q10 318 88 292Q134 318 184 290L232 290Q336 306 352 404Z", coat, INK, 5)]
    if ruler.side == "gold":
        parts += [
            path("M150 298L232 290L216 404H180Z", PAPER),
            path("M194 304H222L216 326L230 384L212 404H196L190 384L202 326Z", colour, INK, 4),
        ]
    else:
        parts += [
            path("M176 296H240L236 318H180Z", PAPER, INK, 4),
            emblem(ruler.side, 208, 307, 9, colour),
        ]
    if bust:
        parts += [
            each
            for k in range(min(ruler.medals, 3))
            for each in (
                box(102 + 27 * k, 322, 12, 12, PAPER),
                disc(108 + 27 * k, 339, 9, PAPER, INK, 2.5),
            )
        ]
        return parts
    parts += [
        path("M8 344Q24 302 84 296L96 320Q44 330 30 360Z", SIDES["gold"], INK, 4),
        *(line(f"M{16 + 12 * k} {352 - 8 * k}V{372 - 8 * k}", SIDES["gold"], 5) for k in range(6)),
    ]
    for k in range(ruler.medals):
        x, y = 76 + (k % 4) * 27, 336 + (k // 4) * 26
        parts += [
            box(x - 6, y - 10, 12, 10, PAPER if k % 2 else SHADE),
            disc(x, y + 5, 8, SIDES["gold"] if ruler.side == "red" else PAPER, INK, 2.5),
        ]
    return parts


def attribute(ruler: Ruler) -> list[str]:
    """What he wishes to be seen with, on the wall behind him."""
    colour = SIDES[ruler.side]
    x, y = 304, 208
    if ruler.extra == "fish":
        return [
            path(
                f"M{x - 40} {y}Q{x - 10} {y - 30} {x + 20} {y}L{x + 40} {y - 16}V{y + 16}L{x + 20} {y}Q{x - 10} {y + 30} {x - 40} {y}Z",
                PAPER,
                INK,
                4,
            ),
            disc(x - 22, y - 5, 4),
        ]
    if ruler.extra == "anchor":
        return [
            line(
                f"M{x} {y - 34}V{y + 34}M{x - 22} {y - 14}H{x + 22}M{x - 34} {y + 8}Q{x - 28} {y + 36} {x} {y + 36}Q{x + 28} {y + 36} {x + 34} {y + 8}",
                INK,
                9,
            ),
            disc(x, y - 40, 9, PAPER, INK, 6),
        ]
    if ruler.extra == "scroll":
        return [
            box(x - 30, y - 34, 60, 68, PAPER),
            line(
                f"M{x - 20} {y - 18}H{x + 20}M{x - 20} {y - 4}H{x + 20}M{x - 20} {y + 10}H{x + 4}",
                INK,
                4,
            ),
            disc(x + 14, y + 20, 9, colour),
        ]
    if ruler.extra == "frame":
        return [
            box(x - 32, y - 42, 64, 84, SIDES["gold"]),
            box(x - 22, y - 32, 44, 64, PAPER),
            disc(x, y - 6, 13, INK),
            path(f"M{x - 20} {y + 32}Q{x} {y} {x + 20} {y + 32}Z", INK),
        ]
    if ruler.extra == "seal":
        return [
            path(
                f"M{x - 12} {y - 40}H{x + 12}L{x + 7} {y + 4}H{x + 28}V{y + 24}H{x - 28}V{y + 4}H{x - 7}Z",
                INK,
            ),
            box(x - 34, y + 30, 68, 7, colour),
        ]
    if ruler.extra == "plan":
        return [
            box(x - 38, y - 30, 76, 60, PAPER),
            line(
                f"M{x - 28} {y + 20}V{y - 8}H{x - 8}V{y + 20}M{x - 8} {y - 20}H{x + 14}V{y + 20}M{x + 14} {y}H{x + 28}V{y + 20}",
                INK,
                4,
            ),
        ]
    return [emblem(ruler.side, x, y, 38, INK)] if ruler.extra else []


def portrait(ruler: Ruler, ground: bool = True) -> list[str]:
    """The whole poster."""
    colour = SIDES[ruler.side]
    glasses = [
        path("M166 136L216 130Q222 150 208 160Q188 164 180 144L166 146Z", INK),
        line("M124 138L176 138", INK, 6),
        line("M190 140L204 150", PAPER, 3),
    ]
    ear = path("M118 150Q104 142 102 160Q104 180 122 178Z", SHADE, INK, 4)
    back = (
        [box(0, 0, 360, 400, PAPER), rays(170, 200, 420, 18, colour), disc(170, 190, 136, SHADE)]
        if ground
        else []
    )
    return [
        *back,
        *(attribute(ruler) if ground else []),
        head(ruler),
        *chest(ruler, bust=not ground),
        line("M188 200H213", INK, 5),
        ear,
        *glasses,
        moustache(ruler.moustache),
        *cap(ruler.cap, ruler.side),
    ]


def main() -> None:
    """Write the ten portraits."""
    for name, ruler in RULERS.items():
        save(f"rulers/{name}", 360, 400, f"The ruler of {name.upper()}", [group(portrait(ruler))])


if __name__ == "__main__":
    main()

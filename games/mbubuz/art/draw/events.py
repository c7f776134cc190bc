"""A scene for every event, 420 × 300, standing on y = 276.

    python art/draw/events.py    rewrites art/events/<event>.svg

No figure wears a bloc's sign: a card may strike either. Colours are ink, paper and that of whom it strikes.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from press import INK, PAPER, SHADE, box, disc, group, line, path, ring, save
from units import man, wheel

GROUND = 276
TONES = {"player": "#3d6c41", "side": "#8c4a32", "both": "#1a666b"}


def floor(left: float = 20, right: float = 400) -> str:
    """What a scene stands on."""
    return line(f"M{left:g} {GROUND}H{right:g}", INK, 5)


def coin(x: float, y: float, r: float, fill: str = PAPER) -> str:
    """A mbubuz."""
    k = r / 24
    letter = (
        f"M{x - 11 * k:g} {y + 11 * k:g}V{y - 11 * k:g}H{x - 5 * k:g}L{x:g} {y:g}"
        f"L{x + 5 * k:g} {y - 11 * k:g}H{x + 11 * k:g}V{y + 11 * k:g}"
    )
    return disc(x, y, r, fill, INK, 5 * k) + line(letter, INK, 5 * k)


def crate(x: float, y: float, w: float, h: float, fill: str = SHADE) -> str:
    """A wooden box, its left top corner at (x, y)."""
    frame = f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}ZM{x:g} {y:g}l{w:g} {h:g}M{x + w:g} {y:g}l{-w:g} {h:g}"
    return box(x, y, w, h, fill) + line(frame, INK, 4)


def person(x: float, tone: str, wear: str = "cap", prop: str = "", size: float = 1.0) -> str:
    """Somebody facing right, in the card's colour."""
    return man(x, "red", wear, prop, size, GROUND).replace("#b82f19", tone)


def drop(x: float, y: float, s: float, fill: str) -> str:
    """A drop of rain or fuel."""
    return path(
        f"M{x:g} {y - 12 * s:g}Q{x + 9 * s:g} {y:g} {x:g} {y + 6 * s:g}Q{x - 9 * s:g} {y:g} {x:g} {y - 12 * s:g}Z",
        fill,
        INK,
        2.5,
    )


def cloud(x: float, y: float, s: float, fill: str) -> str:
    """A cloud about (x, y)."""
    d = "M-90 30Q-120 26 -112 0Q-104 -24 -76 -18Q-64 -58 -20 -50Q20 -70 48 -36Q92 -40 96 -4Q108 28 76 30Z"
    return group([path(d, fill, INK, 5 / s)], f"translate({x:g} {y:g}) scale({s:g})")


def lorry(x: float, tone: str, bed: list[str], wheels: bool = True) -> str:
    """A lorry facing right, 240 long, from x."""
    parts = [
        box(0, 222, 232, 14, INK),
        *bed,
        path("M160 222V158Q160 152 166 152H200L222 188H236Q242 188 242 196V222Z", tone, INK, 5),
        path("M172 163H196L209 188H172Z", PAPER, INK, 4),
    ]
    if wheels:
        parts += [wheel(44, 248, 28), wheel(104, 248, 28), wheel(204, 248, 28)]
    return group(parts, f"translate({x:g} 0)")


def subsidy(tone: str) -> list[str]:
    ribs = "M106 106Q122 70 210 26M158 106Q170 60 210 26M210 106V26M262 106Q250 60 210 26"
    return [
        path("M90 112Q92 22 210 22Q328 22 330 112Q310 96 290 112Q270 96 250 112Q230 96 210 112Q190 96 170 112Q150 96 130 112Q110 96 90 112Z", tone, INK, 5),
        line(ribs, INK, 3),
        line("M90 112L188 196M150 106L196 190M270 106L224 190M330 112L232 196", INK, 3),
        line("M194 194V180H226V194", INK, 7),
        path("M156 194H264V262H156Z", SHADE, INK, 5),
        coin(210, 228, 24),
    ]  # fmt: skip


def embezzlement(tone: str) -> list[str]:
    return [
        floor(),
        path("M40 40H184V190H40Z", tone, INK, 6),
        disc(140, 78, 18, PAPER),
        path("M40 190V150Q80 120 112 146Q146 130 184 158V190Z", "#3d6c41", INK, 4),
        path("M184 40L222 62V214L184 190Z", PAPER, INK, 5),
        line("M203 51V202M184 114L222 136", INK, 4),
        box(28, 188, 168, 12, INK),
        path("M66 196L86 196L80 226L96 244L84 270H62L70 246L58 226Z", PAPER, INK, 4),
        line("M60 226L92 230M66 248L92 246", INK, 5),
        path("M236 184H396V204H236Z", tone, INK, 5),
        path("M248 204H384V276H248Z", PAPER, INK, 5),
        path("M262 216H346V240H262Z", INK),
        path("M250 232H358L350 262H258Z", tone, INK, 4),
        line("M290 248H318", PAPER, 5),
        path("M296 182Q296 148 330 148Q366 146 366 172L384 182Z", tone, INK, 5),
        path("M296 182V170L364 168L390 183Z", INK),
    ]


def smuggled(tone: str) -> list[str]:
    waves = "".join(
        f"M{x} {y}q14 -12 28 0t28 0t28 0" for x, y in ((20, 262), (150, 280), (300, 264))
    )
    return [
        disc(330, 70, 40, PAPER, INK, 5),
        disc(346, 60, 34, SHADE),
        line("M310 106Q330 112 352 102", INK, 5),
        path("M60 196H350L318 252H96Z", INK),
        crate(104, 128, 66, 66),
        crate(176, 140, 56, 54),
        path("M92 196Q100 116 150 118Q214 104 244 196Z", tone, INK, 5),
        line("M116 190Q130 140 150 124M170 190Q180 140 168 118M222 190Q210 150 190 126", INK, 3),
        group([man(284, "red", "cap", "", 0.86, 204).replace("#b82f19", tone)]),
        line("M264 150L336 246", INK, 7),
        line(waves, tone, 6),
    ]


def damp(tone: str) -> list[str]:
    return [
        path("M30 92L210 26L390 92V108L210 44L30 108Z", INK),
        path("M182 44L204 36L220 52L196 62Z", PAPER),
        line("M64 100V276M356 100V276", INK, 7),
        crate(92, 208, 84, 68),
        crate(178, 208, 84, 68),
        crate(130, 140, 84, 68),
        *(drop(x, y, 1.3, tone) for x, y in ((204, 78), (196, 118), (282, 100), (300, 150), (292, 200))),
        path("M268 228H328L320 276H276Z", tone, INK, 5),
        line("M272 236H324", PAPER, 4),
        path("M78 284Q160 266 250 284Z", tone),
        floor(),
    ]  # fmt: skip


def breakdown(tone: str) -> list[str]:
    puffs = [
        disc(x, y, r, SHADE, INK, 4) for x, y, r in ((318, 150, 18), (340, 118, 24), (330, 74, 30))
    ]
    return [
        lorry(60, tone, [path("M8 222V150Q78 132 148 150V222Z", PAPER, INK, 5)]),
        path("M282 188L300 132L310 136L298 190Z", INK),
        *puffs,
        line("M14 268L58 240", INK, 6),
        path("M320 262L372 254L394 270H320Z", INK),
        line("M300 268H330", tone, 12),
        floor(),
    ]


def deserters(tone: str) -> list[str]:
    ears = []
    for x in (60, 96, 132, 320, 356, 388):
        ears.append(line(f"M{x} 276Q{x + 4} 210 {x - 2} 168", tone, 5))
        ears += [
            path(
                f"M{x - 2} {168 + 14 * k}q-16 -4 -16 -20q16 2 16 20q2 -18 17 -20q0 16 -17 20Z", tone
            )
            for k in range(4)
        ]
    steps = [
        path(f"M{x} {y}q10 -10 20 -2q2 8 -8 10q-12 2 -12 -8Z", INK)
        for x, y in ((250, 262), (282, 248), (300, 268))
    ]
    return [
        *ears,
        line("M196 270L214 120", INK, 11),
        path("M186 276L192 226L212 230L204 276Z", tone, INK, 4),
        path("M176 116Q170 70 222 68Q268 70 262 116Q216 98 176 116Z", INK),
        line("M184 110Q216 96 256 110", SHADE, 5),
        *steps,
        floor(),
    ]  # fmt: skip


def volunteers(tone: str) -> list[str]:
    return [
        person(62, tone, "cap", "", 1.25),
        person(132, tone, "cap", "whistle", 1.25),
        person(208, tone, "cap", "", 1.25),
        path("M264 196H396V212H264Z", INK),
        line("M280 212V276M380 212V276", INK, 8),
        *(path(f"M{x} {y}q0 -22 26 -20q22 2 22 20l16 6q-30 4 -64 -6Z", tone, INK, 4) for x, y in ((284, 190), (324, 190), (302, 166))),
        floor(),
    ]  # fmt: skip


def pier(tone: str) -> list[str]:
    waves = "".join(f"M{x} {y}q14 -12 28 0t28 0t28 0" for x, y in ((230, 268), (310, 284)))
    return [
        path("M236 226H410V120L396 100V60H360V120H300V150H250Z", tone, INK, 5),
        *(disc(x, 182, 10, PAPER, INK, 4) for x in (296, 334, 372)),
        box(10, 226, 220, 16, INK),
        line("M40 242V290M110 242V290M190 242V290", INK, 11),
        line("M206 226L262 196", INK, 7),
        group([man(76, "red", "boonie", "carbine", 1.1, 226).replace("#b82f19", tone)]),
        group([man(150, "red", "boonie", "", 1.1, 226).replace("#b82f19", tone)]),
        path("M174 190H216V226H174Z", SHADE, INK, 4),
        line("M186 190V182H204V190", INK, 5),
        line(waves, tone, 6),
    ]


def donated(tone: str) -> list[str]:
    ribbon = "M196 96Q140 40 118 84Q124 116 196 108Q268 116 274 84Q252 40 196 96Z"
    return [
        path("M70 208L92 168H300L328 208Z", SHADE, INK, 5),
        box(56, 208, 290, 62, INK, 31),
        *(disc(90 + 56 * k, 239, 18, PAPER) for k in range(5)),
        path("M130 168L146 112H246L262 168Z", SHADE, INK, 5),
        box(254, 130, 108, 12, INK),
        box(356, 126, 14, 20, INK),
        path("M186 112H206V270H186Z", tone),
        path("M60 182H338V200H60Z", tone),
        path(ribbon, tone, INK, 5),
        disc(196, 102, 14, PAPER, INK, 5),
        floor(),
    ]


def audit(tone: str) -> list[str]:
    stacks = [
        box(x - 30, GROUND - 14 * (k + 1), 60, 11, SHADE, 5)
        + line(f"M{x - 28} {GROUND - 3 - 14 * k}H{x + 28}", INK, 3)
        for x, n in ((70, 7), (140, 4), (340, 2))
        for k in range(n)
    ]
    return [
        *stacks,
        line("M270 186L356 268", INK, 20),
        disc(226, 138, 74, PAPER, INK, 12),
        coin(226, 138, 48, SHADE),
        line("M176 108Q194 78 228 76", PAPER, 8),
        path("M186 44Q222 20 262 40L250 52Q222 36 194 56Z", tone),
        floor(),
    ]  # fmt: skip


def harvest(tone: str) -> list[str]:
    rays = [
        line(
            f"M{210 + 74 * math.cos(a):.0f} {116 - 74 * math.sin(a):.0f}L{210 + 98 * math.cos(a):.0f} {116 - 98 * math.sin(a):.0f}",
            INK,
            6,
        )
        for a in [math.pi * k / 8 for k in range(9)]
    ]
    fruit = [
        disc(96 + 38 * k, 190 - 6 * (k % 2), 22, PAPER if k % 2 else SHADE, INK, 4)
        for k in range(7)
    ]
    leaves = [
        path(f"M{110 + 76 * k} 172q-4 -26 20 -34q8 24 -20 34Z", "#3d6c41", INK, 3) for k in range(3)
    ]
    return [
        path("M146 150Q146 54 210 54Q274 54 274 150Z", tone, INK, 5),
        *rays,
        *leaves,
        *fruit,
        path("M56 196H364L344 276H76Z", tone, INK, 5),
        line("M62 222H358M70 250H350", INK, 4),
        floor(),
    ]  # fmt: skip


def strike(tone: str) -> list[str]:
    return [
        line("M300 276V60M330 276V60", INK, 7),
        line("M300 250L330 220L300 190L330 160L300 130L330 100", INK, 4),
        path("M90 46H380V66H90Z", tone, INK, 5),
        line("M130 66V140", INK, 4),
        line("M130 140V156Q148 158 146 174Q140 190 122 182", INK, 8),
        crate(40, 212, 64, 64),
        crate(108, 212, 64, 64),
        group([man(0, "red", "cap", "", 1.05, 0).replace("#b82f19", tone)], "translate(214 276)"),
        line("M192 210L236 196M236 210L192 196", PAPER, 8),
        line("M192 210L236 196M236 210L192 196", INK, 4),
        floor(),
    ]


def parade(tone: str) -> list[str]:
    bunting = [
        path(
            f"M{24 + 47 * k} {34 + 12 * math.sin((k + 0.5) * math.pi / 8):.0f}h36l-18 34Z",
            tone if k % 2 else PAPER,
            INK,
            3,
        )
        for k in range(8)
    ]
    marching = []
    for k in range(4):
        x = 78 + 88 * k
        marching.append(person(x, tone, "shako", "", 1.1))
        marching.append(line(f"M{x + 4} 196L{x + 40} 184", tone, 13))
        marching.append(disc(x + 42, 183, 7, PAPER, INK, 3))
    return [line("M10 30Q210 66 410 30", INK, 4), *bunting, *marching, floor()]  # fmt: skip


def rumours(tone: str) -> list[str]:
    bubble = "M{x} 40H{r}Q{s} 40 {s} 58V116Q{s} 134 {r} 134H{t}L{u} 160L{v} 134H{x}Q{w} 134 {w} 116V58Q{w} 40 {x} 40Z"
    left = bubble.format(x=48, r=150, s=168, t=118, u=112, v=92, w=30)
    right = bubble.format(x=270, r=372, s=390, t=340, u=318, v=314, w=252)
    return [
        path(left, PAPER, INK, 5),
        coin(99, 87, 32, SHADE),
        path(right, PAPER, INK, 5),
        coin(321, 87, 32, SHADE),
        line("M286 122L356 52", tone, 12),
        person(110, tone, "helmet", "", 0.86),
        group([person(0, tone, "helmet", "", 0.86)], "translate(310 0) scale(-1 1)"),
        person(210, tone, "helmet", "", 0.86),
        floor(),
    ]


def garbled(tone: str) -> list[str]:
    wire = "M300 214Q340 150 300 130Q250 110 286 172Q330 240 372 176Q396 120 340 118Q290 124 330 190Q350 230 392 232"
    return [
        line("M88 120L64 30M88 120", INK, 5),
        disc(64, 28, 7, tone, INK, 3),
        path("M36 120H270V262H36Z", tone, INK, 6),
        disc(98, 190, 44, PAPER, INK, 5),
        line("".join(f"M70 {172 + 12 * k}H126" for k in range(4)), INK, 4),
        path("M166 146H250V186H166Z", PAPER, INK, 4),
        line("M180 180L222 152", tone, 5),
        disc(186, 224, 14, PAPER, INK, 4),
        disc(232, 224, 14, PAPER, INK, 4),
        line(wire, INK, 6),
        path("M270 214H300V226H270Z", INK),
        line("M18 60Q30 30 20 8M110 60Q98 30 108 8", INK, 5),
        floor(),
    ]


def convoy(tone: str) -> list[str]:
    barrel = "M{x} 214H{r}V276H{x}Z"
    return [
        lorry(30, tone, [path("M4 214Q-10 150 40 150H110Q160 150 150 214Z", SHADE, INK, 5), line("M50 152V214M102 152V214", INK, 3), box(64, 138, 26, 12, INK)]),
        line("M34 206H20V240", INK, 6),
        drop(20, 262, 1, tone),
        path(barrel.format(x=308, r=352), SHADE, INK, 5),
        path(barrel.format(x=356, r=400), tone, INK, 5),
        line("M308 234H352M308 256H352M356 234H400M356 256H400", INK, 4),
        path("M312 70L330 40L348 70Q352 92 330 94Q308 92 312 70Z", tone, INK, 5),
        floor(),
    ]  # fmt: skip


def spares(tone: str) -> list[str]:
    bricks = [path(f"M{x} {y}h34v15h-34Z", tone, INK, 3) for x in (84, 232) for y in (261, 245)]
    ghost = f'<circle cx="340" cy="110" r="44" fill="none" stroke="{INK}" stroke-width="5" stroke-dasharray="12 10"/>'
    return [
        lorry(50, tone, [path("M8 222V158H146V222Z", PAPER, INK, 5), line("M30 158V222M77 158V222M124 158V222", INK, 4)], False),
        box(96, 234, 10, 14, INK),
        box(244, 234, 10, 14, INK),
        *bricks,
        ghost,
        line("M330 128V116Q354 106 344 92Q330 82 324 100M330 140V142", INK, 7),
        floor(),
    ]  # fmt: skip


def downpour(tone: str) -> list[str]:
    rain = "".join(f"M{60 + 34 * k} {132 + 26 * (k % 3)}l-14 34" for k in range(10))
    more = "".join(f"M{80 + 40 * k} {196 + 16 * (k % 2)}l-10 26" for k in range(8))
    return [
        cloud(140, 84, 1.1, INK),
        cloud(276, 92, 1.1, tone),
        line(rain, tone, 6),
        line(more, INK, 4),
        path("M20 284Q210 252 400 284Z", tone),
        path(
            "M92 252Q92 226 134 224L286 218Q316 214 324 196L336 170H356L352 224Q332 242 290 246L134 266Q92 268 92 252Z",
            SHADE,
            INK,
            5,
        ),
        path("M150 224Q158 202 184 202Q204 202 210 221Z", PAPER, INK, 5),
        path("M150 240H236L222 254H166Z", tone, INK, 4),
        line("M88 218V284M80 251H94", INK, 7),
        wheel(138, 272, 14),
    ]


def football(tone: str) -> list[str]:
    net = "".join(f"M{x} 50V240" for x in range(80, 360, 28)) + "".join(
        f"M60 {y}H360" for y in range(76, 240, 26)
    )
    corners = [
        (210 + 26 * math.sin(k * math.tau / 5), 198 - 26 * math.cos(k * math.tau / 5))
        for k in range(5)
    ]
    seams = "".join(
        f"M{x:.0f} {y:.0f}L{210 + (x - 210) * 2.4:.0f} {198 + (y - 198) * 2.4:.0f}"
        for x, y in corners
    )
    return [
        line(net, SHADE, 3),
        line("M54 276V44H366V276", PAPER, 14),
        line("M54 276V44H366V276", INK, 5),
        disc(210, 198, 72, PAPER, INK, 6),
        path(ring(corners), INK),
        line(seams, INK, 5),
        path("M300 232Q300 196 340 196Q380 196 380 232L392 240H288Z", tone, INK, 5),
        floor(),
    ]  # fmt: skip


def fog(tone: str) -> list[str]:
    bands = [
        line(f"M{x} {y}H{x + w}", "#d3dcd2" if k % 2 else "#b4c8c3", 20)
        for k, (x, y, w) in enumerate(
            ((40, 226, 240), (150, 200, 230), (60, 172, 160), (190, 250, 200), (230, 150, 130))
        )
    ]
    return [
        path("M310 250L322 92H352L364 250Z", PAPER, INK, 5),
        path("M314 196L316 166H358L361 196ZM319 140L321 112H353L355 140Z", tone),
        box(314, 72, 46, 20, INK),
        path("M312 72L337 48L362 72Z", tone, INK, 4),
        path("M70 214H280L250 258H100Z", tone, INK, 5),
        path("M130 214V172H210L228 214Z", PAPER, INK, 5),
        line("M160 172V110", INK, 5),
        path("M162 110H206L196 124L206 138H162Z", INK),
        *bands,
        line("M30 276H390", tone, 7),
    ]  # fmt: skip


def observers(tone: str) -> list[str]:
    house = "M{x} 196V166L{m} 142L{r} 166V196Z"
    return [
        path("M96 90Q110 54 150 60L176 108H244L270 60Q310 54 324 90L372 190H48Z", INK),
        box(188, 84, 44, 60, INK),
        disc(118, 184, 72, PAPER, INK, 12),
        disc(302, 184, 72, PAPER, INK, 12),
        path(house.format(x=86, m=118, r=150), tone, INK, 4),
        path(house.format(x=270, m=302, r=334), tone, INK, 4),
        line("M58 206Q118 192 178 206M242 206Q302 192 362 206", INK, 5),
        box(110, 176, 16, 20, PAPER),
        box(294, 176, 16, 20, PAPER),
        line("M70 152Q84 128 106 122", SHADE, 8),
    ]


def crash(tone: str) -> list[str]:
    return [
        line("M40 40V276H396", INK, 6),
        line("M40 72L92 96L126 78L178 136L216 120L262 206L286 194L314 240", tone, 11),
        path("M290 240L330 272L340 222Z", tone),
        group([path("M-4 -62A62 62 0 0 0 -10 62L6 30L-12 4L8 -22Z", PAPER, INK, 5), line("M-40 22V-22L-24 4", INK, 8)], "translate(286 96) rotate(-8)"),
        group([path("M4 -62A62 62 0 0 1 10 62L24 30L6 4L26 -22Z", PAPER, INK, 5), line("M50 22V-22L36 -2", INK, 8)], "translate(312 98) rotate(12)"),
    ]  # fmt: skip


def quiet(tone: str) -> list[str]:
    return [
        line("M118 206L318 108", INK, 26),
        line("M318 108L330 102", INK, 34),
        path("M60 230Q96 176 156 182L176 236Z", SHADE, INK, 5),
        wheel(128, 232, 44),
        path("M236 120Q214 118 206 96Q226 98 236 88Q240 64 264 68Q280 72 280 84L298 90L280 98Q276 128 236 120Z", tone, INK, 5),
        disc(266, 82, 4),
        line("M246 122L244 138M258 122L260 134", INK, 4),
        line("M300 60q8 -10 16 0M300 60v-22l16 -4v22M350 84q8 -10 16 0M350 84v-20l14 -4v20", INK, 5),
        floor(),
    ]  # fmt: skip


Scene = Callable[[str], list[str]]

SCENES: dict[str, list[Scene]] = {
    "player": [subsidy, embezzlement, smuggled, damp, breakdown, deserters, volunteers, pier, donated, audit],
    "side": [harvest, strike, parade, rumours, garbled, convoy, spares],
    "both": [downpour, football, fog, observers, crash, quiet],
}  # fmt: skip


def main() -> None:
    """Write every scene, numbered as the events are."""
    numbered = [(scope, scene) for scope, scenes in SCENES.items() for scene in scenes]
    for number, (scope, scene) in enumerate(numbered, start=1):
        save(f"events/e{number:02}", 420, 300, scene.__name__.title(), scene(TONES[scope]))


if __name__ == "__main__":
    main()

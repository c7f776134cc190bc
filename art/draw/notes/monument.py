"""The note of 3 tR: the monument to a hat and a coat, and the queue below it."""

from __future__ import annotations

from svg import PAPER, element, num

from notes.burin import Cut, form
from notes.guilloche import plain, rays, ring, superellipse, swell, waves
from notes.parts import disc, ground, noughts, overprint, plate, sheet, twice
from notes.shapes import clip, clipped, dot, ellipse, group, lines, outlined, rectangle, solid

GREEN, TINT = "#4f6b3a", "#dcdcb6"

# The statue at its own scale, hooves on y 260.
HORSE = (
    "M66 22L60 34C50 42 36 62 26 82C22 90 22 98 30 100C38 101 42 96 46 90C54 84 62 82 70 76"
    "C76 86 76 98 72 112C67 126 66 138 72 148C66 156 50 158 40 160C32 163 30 172 35 177"
    "L47 206L42 219L58 225L63 211L52 180C70 184 88 184 98 180L102 188L99 216L102 244L94 260H119"
    "L116 245L116 216L125 184C150 190 185 188 206 172C208 186 222 194 231 205L227 244L217 260H243"
    "L241 247L250 210C252 197 256 187 262 174C275 156 279 134 270 116C262 98 242 94 222 97"
    "C195 102 165 104 148 98C136 90 126 78 116 64C104 44 88 28 66 22Z"
)
FAR_HIND = (
    "M196 168C186 184 186 196 196 206L188 244L178 260H203L203 247L212 208C216 196 222 184 228 176Z"
)
MANE = (
    "M66 22C92 26 108 44 118 64C128 80 138 92 150 98L140 104C124 100 110 88 104 74"
    "C96 56 84 40 70 36Z"
)
TAIL = "M267 108C292 108 304 146 292 226C282 210 280 176 272 152Z"
EYE = "M44 62l6 4-5 3Z"
BRIDLE = "M34 82L52 92M60 40L56 84L34 82M54 86C86 104 104 100 128 84"
PROP = "M48 224L58 222L30 260H14Z"
COAT = (
    "M128-14C140-22 164-22 176-14L198 0C208 22 208 60 206 92C214 118 222 146 224 170"
    "L176 178C164 182 150 178 142 170C134 140 126 112 124 88C118 62 116 30 118 2Z"
)
ARM = "M122-4C108 0 84-10 52-30L40-10C70 14 100 32 126 34Z"
SLEEVE = "M186 8C204 30 206 62 192 92L170 86C178 62 176 40 168 22Z"
SEAMS = (
    "M150-14C146 40 150 110 166 176M134 66H205M158 2l9 0M156 24l9 0M156 46l9 0"
    "M159 92l9 0M164 118l9 0"
)
COLLAR = "M130-24L124-10 152 16 180-10 174-24C166-32 138-32 130-24Z"
STIRRUP = "M152 196H170L174 212H148Z"
CROWN = (
    "M106-68C100-90 116-106 140-103C166-100 194-88 203-74C206-64 196-56 178-48H126"
    "C118-54 110-58 106-68Z"
)
HATBAND = "M124-49H180V-37H124Z"
PEAK = "M128-40C114-40 100-34 90-22C108-18 128-24 142-37Z"
PIGEON = (
    "M142-98C146-108 156-112 164-108L170-118C178-124 184-118 182-114L188-112L182-110"
    "C182-100 174-94 164-92H148L134-88Z"
)


def note() -> str:
    """The whole note."""
    return sheet(
        "3 tR: the monument to a hat and a coat",
        ground(TINT) + lines(swell(4, 22, 32, 13, 230), PAPER, 2.4),
        edges(),
        plate((240, 56, 648, 66), GREEN),
        wheel(),
        monument(),
        disc((108, 92), 36, GREEN, 8),
        disc((848, 606), 30, GREEN, 8),
        plate((556, 521, 326, 50), GREEN),
        plate((150, 588, 650, 54), GREEN),
        noughts(GREEN),
        overprint(1.8, (76, 196, 250, 304), (404, 446)),
    )


def edges() -> str:
    """A band of waves between rules along the top and the bottom."""
    band = twice("edge", lines(waves((-4, 953), 36, 9, 44, 5), GREEN))
    return band + lines("M-2 50H951M-2 24H951M-2 645H951M-2 671H951", GREEN, 2.4)


def wheel() -> str:
    """The guilloche round the numeral."""
    base = superellipse((200, 345), (128, 164), 2.7)
    return (
        solid(plain(base), PAPER)
        + lines(ring(base, 20, 16, 6, -2), GREEN, 1.3)
        + lines(ring(base, 6, 40, 2, 24), GREEN, 1.3)
        + outlined(plain(base, -23), GREEN)
    )


# ---- the vignette --------------------------------------------------------------------------------


def monument() -> str:
    """Arch of light, statue, and the queue that passes below it."""
    arch = "M420 508V330C420 210 510 136 640 136C770 136 860 210 860 330V508Z"
    light = solid(rays((640, 360), (120, 330), 64, 0.56), GREEN)
    halo = outlined(HORSE + COAT + ARM + ellipse(150, -66, 46, 34), PAPER, 14)
    return (
        element("defs", clip("arch", arch))
        + solid(arch, PAPER)
        + clipped("arch", light)
        + lines(arch, GREEN, 6)
        + lines(arch, PAPER, 2)
        + group("translate(524 230) scale(.74)", halo, statue())
        + plinth()
        + solid("M366 508H884V513H366Z", GREEN)
        + queue()
    )


def statue() -> str:
    """Horse, coat and cap, with the plank that keeps them standing."""
    tone = Cut(24, 5, 4, (1, 0.42)), Cut(112, 7, 3, (0, 0.38)), Cut(20, 10, 2.4, (0, 0.2))
    return (
        form(TAIL, GREEN, Cut(80, 4, 3, (1, 0.1)))
        + form(FAR_HIND, GREEN, Cut(0, 3.6, 3.2, (1, 0)))
        + form(HORSE, GREEN, *tone, width=2.8)
        + form(MANE, GREEN, Cut(140, 4.2, 3.6, (0, 0.9)))
        + solid(EYE, GREEN)
        + lines(BRIDLE, GREEN, 2.4)
        + form(PROP, GREEN, Cut(0, 5, 2.6))
        + rider()
        + group("translate(0-8)", hat())
    )


def rider() -> str:
    """A coat on a horse: neck open and dark, sleeves empty, stirrup idle."""
    tone = Cut(12, 5, 3.8, (1, 0.35)), Cut(100, 9, 2.4, (1, 0.62))
    return (
        form(ARM, GREEN, Cut(66, 5, 3.6, (1, 0.2)))
        + solid(ellipse(46, -20, 7, 13), GREEN, transform="rotate(32 46 -20)")
        + lines("M166 174L160 196", GREEN, 3)
        + lines(STIRRUP, GREEN, 3.4)
        + form(COAT, GREEN, *tone, width=2.8)
        + form(SLEEVE, GREEN, Cut(20, 4.6, 3.4, (1, 0.15)))
        + lines(SEAMS, GREEN, 2.6)
        + outlined(COLLAR, GREEN, 2.4)
        + solid(ellipse(152, -22, 20, 9), GREEN)
        + lines("M152-12V16", GREEN, 2.4)
    )


def hat() -> str:
    """The rider's cap, floating where a head was never needed, and a pigeon."""
    return (
        form(CROWN, GREEN, Cut(90, 5, 3.4, (1, 0.2)))
        + solid(HATBAND, GREEN)
        + solid(PEAK, GREEN)
        + solid(PIGEON, GREEN, transform="translate(88 194)")
    )


def plinth() -> str:
    """Cornice, die and steps, courses of stone."""
    stones = (
        "M556 452H720M556 468H720M588 436v16M696 436v16M574 452v16M704 452v16M588 468v16M696 468v16"
    )
    rivets = "M604 448h4v4h-4ZM668 448h4v4h-4ZM604 468h4v4h-4ZM668 468h4v4h-4Z"
    cornice = "M536 422H740L728 436H548Z"
    return (
        form(rectangle(556, 436, 164, 48), GREEN, Cut(0, 4.4, 3.2, (1, 0.45)))
        + lines(stones, GREEN, 1.6)
        + outlined(rectangle(600, 444, 76, 32), GREEN)
        + solid(rivets, GREEN)
        + form(cornice, GREEN, Cut(90, 5, 3.2, (1, 0.2)))
        + form(rectangle(530, 484, 216, 11), GREEN, Cut(90, 5, 2.6, (1, 0.2)))
        + form(rectangle(508, 495, 260, 13), GREEN, Cut(90, 5, 2.8, (1, 0.2)))
    )


def queue() -> str:
    """The queue on either side of the arch; some carry a bag."""
    left = (citizen(382 + i * 17.5, 40 - (i * 7) % 9, i % 3 == 1) for i in range(7))
    right = (citizen(784 + i * 17.5, 41 - (i * 5) % 8, i % 2 == 0) for i in range(6))
    return "".join([*left, *right])


def citizen(x: float, height: float, with_bag: bool) -> str:
    """One of the queue, a silhouette standing on y 508."""
    y, half = 508, height * 0.2
    shoulder, hem = y - height * 0.62, height * 0.17
    nape = f"{x - height * 0.18} {y - height * 0.76} {x + height * 0.18} {y - height * 0.76}"
    coat = f"M{x - hem} {y}L{x - half} {shoulder}C{nape} {x + half} {shoulder}L{x + hem} {y}Z"
    head = dot((x, y - height * 0.86), height * 0.13, GREEN)
    return solid(coat, GREEN) + head + (bag(x, y, height) if with_bag else "")


def bag(x: float, y: float, height: float) -> str:
    """A bag on its strap, in the hand of somebody so tall."""
    strap = f"M{x + height * 0.24} {y - height * 0.4}v{num(height * 0.12)}"
    sack = ellipse(x + height * 0.25, y - height * 0.2, height * 0.1, height * 0.12)
    return lines(strap, GREEN, 1.6) + outlined(sack, GREEN, 1.6)

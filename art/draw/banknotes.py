"""The money of "64 km saattue": four banknotes and their common back, drawn as SVG by rule.

    python art/draw/banknotes.py        rewrites art/money/note-{1,3,5,10}.svg and back.svg

Standard library only, no randomness: the same script always gives the same files. Units are 0.1 mm
on a 949 x 695 canvas; the trim is 30..919 x 30..665. Nothing here is text: the card template prints
numerals and words on the calm panels (numeral x 70..330 y 190..500, top line y 55..120, serial
x 560..880 y 520..570, bottom line y 590..640, small numerals on the discs top left and bottom right).

The country prints in one engraved ink and a pale tint; what is black was overprinted later, in haste
and askew: the frame of the new value, the barrow stamp and the bar that strikes out twelve noughts.
"""
import math
import re
from pathlib import Path

OUT = Path(__file__).resolve().parents[1] / "money"
W, H = 949, 695
PAPER, INK = "#f1e6cf", "#211d1a"
SLATE, GREEN, OXBLOOD, VIOLET, SEPIA = "#4c5f66", "#4f6b3a", "#8c3b2e", "#5d4260", "#6a5f4c"
TINT = {SLATE: "#d9dad0", GREEN: "#dcdcb6", OXBLOOD: "#edcfb4", VIOLET: "#dccbc9", SEPIA: "#dfd2b4"}
TAU = math.tau


# ---- numbers, elements, curves ---------------------------------------------------------------------

def num(v):
    """One decimal at most, without idle noughts."""
    text = f"{v:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def join(*values):
    """Numbers as compact path data."""
    return " ".join(map(num, values)).replace(" -", "-")


def el(name, inner="", **attrs):
    """One element; pass sw for stroke-width, fill/stroke as usual."""
    names = {"sw": "stroke-width", "cap": "stroke-linecap", "dash": "stroke-dasharray", "clip": "clip-path"}
    text = "".join(f' {names.get(k, k)}="{num(v) if isinstance(v, (int, float)) else v}"' for k, v in attrs.items())
    return f"<{name}{text}>{inner}</{name}>" if inner else f"<{name}{text}/>"


def path(d, fill="none", **attrs):
    return el("path", d=d, fill=fill, **attrs)


def group(transform, *parts):
    return el("g", "".join(parts), transform=transform)


def curve(f, ts):
    """The parametric curve f(t) through the parameters ts as cubic segments (Hermite)."""
    def slope(t, e=1e-4):
        (x0, y0), (x1, y1) = f(t - e), f(t + e)
        return (x1 - x0) / (2 * e), (y1 - y0) / (2 * e)
    px, py = (round(v, 1) for v in f(ts[0]))
    out, last = [f"M{join(px, py)}"], None
    for a, b in zip(ts, ts[1:]):
        h, (ax, ay), (bx, by) = (b - a) / 3, slope(a), slope(b)
        qx, qy = (round(v, 1) for v in f(b))
        near = () if last and abs(h - last) < 1e-6 else (ax * h, ay * h)
        out.append(("c" if near else "s") + join(*near, qx - bx * h - px, qy - by * h - py, qx - px, qy - py))
        px, py, last = qx, qy, h
    return "".join(out)


def flatten(d):
    """Absolute path data (M L H V C Q Z) as rings of points, for the hatching."""
    rings, p, cmd = [], (0, 0), ""
    tokens = re.findall(r"[MLHVCQZ]|-?[\d.]+", d)
    while tokens:
        if tokens[0].isalpha():
            cmd = tokens.pop(0)
        take = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "Z": 0}[cmd]
        a = [float(tokens.pop(0)) for _ in range(take)]
        if cmd == "M":
            rings.append([])
        if cmd == "H":
            a = [a[0], p[1]]
        if cmd == "V":
            a = [p[0], a[0]]
        if cmd in "CQ":
            ctrl = [p, *zip(a[::2], a[1::2])]
            rings[-1] += [bezier(ctrl, i / 10) for i in range(1, 10)]
        if cmd != "Z":
            p = (a[-2], a[-1])
            rings[-1].append(p)
    return rings


def bezier(points, t):
    while len(points) > 1:
        points = [(a + (c - a) * t, b + (e - b) * t) for (a, b), (c, e) in zip(points, points[1:])]
    return points[0]


# ---- the burin: hatching that swells and tapers -----------------------------------------------------

def hatch(d, angle, gap, width, span=(0, 1), bow=0):
    """Wedges across the shape d, thick where the span begins and running out where it ends."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    rings = [[(x * c + y * s, y * c - x * s) for x, y in r] for r in flatten(d)]
    ys = [y for r in rings for _, y in r]
    out, y = [], min(ys) + gap / 2
    while y < max(ys):
        xs = sorted(x for r in rings for x in crossings(r, y))
        for x0, x1 in zip(xs[::2], xs[1::2]):
            a, b = x0 + (x1 - x0) * span[0], x0 + (x1 - x0) * span[1]
            if abs(b - a) > 2:
                out.append(wedge(a, b, y, width, bow, c, s))
        y += gap
    return "".join(out)


def crossings(ring, y):
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1]):
        if (y0 <= y) != (y1 <= y):
            yield x0 + (x1 - x0) * (y - y0) / (y1 - y0)


def wedge(a, b, y, w, bow, c, s):
    """A tapered stroke from a (width w) to b (a point), turned back by the angle (c, s)."""
    m = (a + b) / 2
    pts = [(a, y - w / 2), (m, y - w * .42 + bow), (b, y), (m, y + w * .42 + bow), (a, y + w / 2)]
    q = [(round(x * c - v * s, 1), round(x * s + v * c, 1)) for x, v in pts]
    step = lambda i, k: (q[i][0] - q[k][0], q[i][1] - q[k][1])
    return f"M{join(*q[0])}q{join(*step(1, 0), *step(2, 0))} {join(*step(3, 2), *step(4, 2))}z".replace(" -", "-")


def both(name, part):
    """The part, and the part again turned half round the middle of the sheet."""
    return el("g", part, id=name) + f'<use href="#{name}" transform="rotate(180 {W / 2} {H / 2})"/>'


def form(d, ink, *hatches, fill=PAPER, sw=2.2):
    """A modelled shape: filled, outlined, and hatched once per (angle, gap, width, span, bow)."""
    tone = "".join(hatch(d, *h) for h in hatches)
    return path(d, fill, stroke=ink, sw=sw, **{"stroke-linejoin": "round"}) + (path(tone, ink) if tone else "")


def ellipse_d(cx, cy, rx, ry):
    k = .5523
    return (f"M{cx - rx} {cy}C{cx - rx} {cy - ry * k} {cx - rx * k} {cy - ry} {cx} {cy - ry}"
            f"C{cx + rx * k} {cy - ry} {cx + rx} {cy - ry * k} {cx + rx} {cy}"
            f"C{cx + rx} {cy + ry * k} {cx + rx * k} {cy + ry} {cx} {cy + ry}"
            f"C{cx - rx * k} {cy + ry} {cx - rx} {cy + ry * k} {cx - rx} {cy}Z")


def rect_d(x, y, w, h):
    return f"M{x} {y}H{x + w}V{y + h}H{x}Z"


# ---- guilloche -------------------------------------------------------------------------------------

def superellipse(cx, cy, rx, ry, n):
    """The curve |x/rx|^n + |y/ry|^n = 1 as a function of the angle, to be pushed outwards by `out`."""
    def at(t, out=0):
        c, s = math.cos(t), math.sin(t)
        r = (abs(c) ** n + abs(s) ** n) ** (-1 / n)
        return cx + (rx + out) * r * c, cy + (ry + out) * r * s
    return at


def ring(base, swing, lobes, phases, inner=0):
    """A guilloche ring: the base curve with `lobes` waves of height `swing`, once per phase."""
    out = []
    for i in range(phases):
        ph = i / phases * TAU
        ts = [(k * math.pi - ph) / lobes for k in range(2 * lobes + 1)]
        out.append(curve(lambda t: base(t, inner + swing * math.cos(lobes * t + ph)), ts) + "Z")
    return "".join(out)


def rosette(cx, cy, r0, r1, lobes, phases):
    """Loops between the radii r0 and r1, a small engine-turned flower."""
    base = superellipse(cx, cy, (r0 + r1) / 2, (r0 + r1) / 2, 2)
    return ring(base, (r1 - r0) / 2, lobes, phases)


def waves(x0, x1, y, swing, length, phases, lift=0):
    """A band of sine waves from x0 to x1, each phase lifted a little."""
    out = []
    for i in range(phases):
        ph = i / phases * TAU
        n = math.ceil((x1 - x0) / length * 2)
        ts = [x0 + k * length / 2 for k in range(n + 1)]
        ts = [t for t in ts if t < x1] + [x1]
        out.append(curve(lambda t: (t, y + i * lift + swing * math.cos(t * TAU / length + ph)), ts))
    return "".join(out)


def swell(y0, gap, rows, swing, length):
    """Parallel wave lines over the whole sheet whose height breathes: the pale ground."""
    out = []
    for i in range(rows):
        f = lambda t: (t, y0 + i * gap + swing * math.sin(t * TAU / length + i * .22) * math.cos(i * .31))
        out.append(curve(f, [k * length / 3 - 5 for k in range(math.ceil(960 / length * 3) + 1)]))
    return "".join(out)


def rays(cx, cy, r0, r1, n, share=.5, turn=0.0, part=(0, TAU)):
    """Wedges radiating from (cx, cy), pointed at r0 and widening to r1."""
    out, step = [], (part[1] - part[0]) / n
    for i in range(n):
        a = part[0] + turn + i * step
        tip, l, r = a + step / 2, a + step * (1 - share) / 2, a + step * (1 + share) / 2
        pts = [(r0, tip), (r1, l), (r1, r)]
        out.append("M" + "L".join(join(cx + q * math.cos(t), cy + q * math.sin(t)) for q, t in pts) + "Z")
    return "".join(out)


# ---- parts every note has --------------------------------------------------------------------------

def lines(d, ink, sw=1.4, **attrs):
    return path(d, stroke=ink, sw=sw, **attrs)


def disc(cx, cy, r, ink, lobes=14):
    """A corner rosette with a calm middle for a small numeral."""
    return (el("circle", cx=cx, cy=cy, r=r + 8, fill=PAPER) + lines(rosette(cx, cy, r * .72, r + 4, lobes, 5), ink, 1.3)
            + el("circle", cx=cx, cy=cy, r=r * .74, fill=PAPER, stroke=ink, sw=2))


def plate(x, y, w, h, ink, notch=12):
    """A calm plate with bitten corners for one line of print."""
    d = (f"M{x + notch} {y}H{x + w - notch}Q{x + w - notch} {y + notch} {x + w} {y + notch}V{y + h - notch}"
         f"Q{x + w - notch} {y + h - notch} {x + w - notch} {y + h}H{x + notch}"
         f"Q{x + notch} {y + h - notch} {x} {y + h - notch}V{y + notch}Q{x + notch} {y + notch} {x + notch} {y}Z")
    return path(d, PAPER, stroke=ink, sw=2)


def noughts(ink):
    """The twelve noughts of a trillion, engraved once, no longer worth counting."""
    ovals = "".join(el("ellipse", cx=92 + i * 19.6, cy=546, rx=6, ry=11) for i in range(12))
    return plate(66, 522, 268, 48, ink) + el("g", ovals, fill="none", stroke=ink, sw=3)


def barrow(ink):
    """The state's emblem about the origin: a wheelbarrow heaped with money."""
    heap = "M-22-8L-14-20-4-16 4-26 14-19 20-22 26-8Z"
    tray = "M-27-7H30L18 11H-14Z"
    return (path(heap + tray, ink) + path("M-14 11L-20 20M18 6L-25 6L-34-2", stroke=ink, sw=3, cap="round")
            + el("circle", cx=16, cy=15, r=7, fill="none", stroke=ink, sw=3.4))


def overprint(tilt, frame, stamp):
    """What the mint added this morning: frame of the new value, stamp, bar over the noughts."""
    x, y, w, h = frame
    box = rect_d(x, y, w, h)
    corners = f"M{x} {y + 34}V{y}H{x + 34}M{x + w} {y + h - 34}V{y + h}H{x + w - 34}"
    seal = (el("circle", r=43, fill="none", stroke=INK, sw=4.5, dash="120 7 60 3")
            + el("circle", r=36, fill="none", stroke=INK, sw=1.6) + barrow(INK))
    bar = path("M60 541L341 529V539L60 551ZM72 559L330 548V551L72 562Z", INK)
    return (group(f"rotate({tilt} 200 345)", lines(box, INK, 2), lines(corners, INK, 7))
            + bar + group(f"translate({stamp[0]} {stamp[1]}) rotate(-17)", seal))


def sheet(title, *parts):
    """The whole SVG, one part a line."""
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" width="94.9mm" height="69.5mm">\n'
            f"<title>{title}</title>\n" + el("rect", width=W, height=H, fill=PAPER) + "\n")
    return head + "\n".join(parts) + "\n</svg>\n"


# ---- 1 tR: bread outweighs the money ---------------------------------------------------------------

def bundle(x, y, ink):
    """A banded bundle of notes, 54 x 22, seen from the edge."""
    leaves = "".join(f"M{x} {y + i * 3.6}h54" for i in range(1, 6))
    return (path(rect_d(x, y, 54, 22), PAPER, stroke=ink, sw=2) + lines(leaves, ink, 1.3)
            + path(rect_d(x + 20, y, 14, 22), ink))


def loose(x, y, turn, ink):
    """A single note on its way down."""
    d = "M-26-12Q-8-20 4-12Q16-5 28-13L26 11Q14 19 2 11Q-10 4-28 12Z"
    return group(f"translate({x} {y}) rotate({turn})", path(d, PAPER, stroke=ink, sw=2),
                 el("ellipse", rx=8, ry=6, fill="none", stroke=ink, sw=1.8))


def pan(x, y, top, ink):
    """A scale pan hung by two cords from (x, top)."""
    d = f"M{x - 96} {y}H{x + 96}C{x + 80} {y + 26} {x + 40} {y + 32} {x} {y + 32}C{x - 40} {y + 32} {x - 80} {y + 26} {x - 96} {y}Z"
    return (lines(f"M{x - 92} {y}L{x} {top}L{x + 92} {y}", ink, 2) + form(d, ink, (90, 5, 3.4, (1, .1))))


def loaf(x, y, ink):
    """A round country loaf, sitting on y."""
    d = f"M{x - 78} {y}C{x - 92} {y - 48} {x - 46} {y - 88} {x + 2} {y - 88}C{x + 52} {y - 88} {x + 92} {y - 46} {x + 78} {y}Z"
    cuts = "".join(f"M{x + k - 20} {y - 22}C{x + k - 12} {y - 44} {x + k} {y - 62} {x + k + 14} {y - 72}"
                   f"C{x + k + 12} {y - 54} {x + k - 2} {y - 34} {x + k - 20} {y - 22}Z" for k in (-34, 0, 34))
    crust = (8, 5, 4, (1, .15), 5), (98, 8, 2.6, (1, .55))
    return form(d, ink, *crust, sw=3) + path(cuts, PAPER, stroke=ink, sw=2) + path(hatch(cuts, 60, 4.5, 2.4, (0, .7)), ink)


def pot(x, y, ink):
    """The empty pot, tipped on its side, its mouth towards us, and the spoon."""
    body = f"M{x - 44} {y - 98}C{x + 10} {y - 104} {x + 62} {y - 96} {x + 70} {y - 76}C{x + 80} {y - 52} {x + 76} {y - 22} {x + 64} {y - 8}C{x + 40} {y + 2} {x} {y + 2} {x - 40} {y}Z"
    handle = f"M{x + 4} {y - 101}C{x + 6} {y - 122} {x + 40} {y - 122} {x + 42} {y - 99}"
    mouth, hollow = ellipse_d(x - 42, y - 49, 30, 50), ellipse_d(x - 40, y - 49, 23, 42)
    spoon = ellipse_d(x - 86, y + 1, 15, 6.5)
    return (lines(handle, ink, 7) + lines(handle, PAPER, 2.4) + form(body, ink, (4, 5, 4.2, (1, .25), 3), (94, 9, 2.4, (1, .55)), sw=3)
            + path(mouth, PAPER, stroke=ink, sw=3) + path(hollow, ink) + path(hatch(hollow, 0, 6, 2.2, (1, .55)), PAPER)
            + lines(f"M{x - 72} {y + 2}L{x - 14} {y + 7}", ink, 4, cap="round") + form(spoon, ink, (0, 4, 2, (1, .3))))


def scale(ink):
    """Column and tilted beam; the loaf's end is down."""
    shaft = "M612 186L606 470H634L628 186Z"
    foot = "M592 470H648C654 484 690 486 704 492V506H536V492C550 486 586 484 592 470Z"
    beam = "M448 236C500 208 560 184 616 172C672 154 730 146 792 160L793 168C732 160 680 174 622 192C566 206 508 224 452 244Z"
    knob = ellipse_d(620, 160, 11, 13)
    return (form(shaft, ink, (0, 6, 3.4, (1, .3))) + form(foot, ink, (90, 5, 3.4, (1, .25))) + form(beam, ink, (80, 5, 2.8, (1, .2)))
            + el("circle", cx=620, cy=184, r=16, fill=PAPER, stroke=ink, sw=3) + el("circle", cx=620, cy=184, r=5, fill=ink)
            + form(knob, ink, (0, 4, 2.4, (1, .3))))


def still_life(ink):
    """The vignette of the 1."""
    heap = [(695 + 56 * i, 296) for i in range(3)] + [(702 + 56 * i, 274) for i in range(3)]
    heap += [(722 + 55 * i, 252) for i in range(2)] + [(733 + 48 * i, 230) for i in range(2)] + [(753, 208)]
    ground = "".join(f"M{372 + 9 * i} {506 + 4 * i}H{878 - 13 * i}" for i in range(2))
    shadow = "M640 500H880V506H640ZM372 500H530V506H372Z"
    return (lines(ground, ink, 2) + path(hatch(shadow, 0, 3, 2.4, (0, 1)), ink) + scale(ink)
            + pan(452, 398, 240, ink) + loaf(452, 399, ink) + lines("M360 398L452 240L544 398", ink, 1.6)
            + "".join(bundle(x, y, ink) for x, y in heap) + pan(782, 318, 164, ink)
            + loose(664, 300, 28, ink) + loose(690, 372, -24, ink) + loose(652, 432, 62, ink)
            + pot(806, 500, ink))


def note_1():
    ink, tint = SLATE, TINT[SLATE]
    wheel = superellipse(200, 345, 130, 160, 2)
    ground = lines(rosette(625, 325, 40, 265, 18, 5) + rosette(625, 325, 180, 330, 36, 2), tint, 2)
    ground += lines(waves(-4, 953, 88, 24, 160, 6) + waves(-4, 953, 608, 28, 160, 7), tint, 2)
    chain = waves(47.5, 901.5, 43, 5.5, 24.4, 3)
    side = lines(waves(47.5, 647.5, 43, 5.5, 24, 3), ink, 1.4, transform="matrix(0 1 1 0 0 0)")
    knots = "".join(el("circle", cx=43, cy=y, r=8, fill=PAPER, stroke=ink, sw=2) + el("circle", cx=43, cy=y, r=3, fill=ink) for y in (43, 652))
    frame = both("frame", lines(chain, ink, 1.4) + side + knots) + lines(rect_d(52, 52, 845, 591), ink, 2)
    return sheet("1 tR: a loaf outweighs a heap of notes; the pot is empty", ground, frame,
                 path(ring(wheel, 0, 8, 1), PAPER) + lines(ring(wheel, 16, 30, 6), ink, 1.3)
                 + lines(ring(wheel, 7, 60, 2, -17), ink, 1.2), still_life(ink),
                 disc(108, 92, 38, ink), disc(848, 607, 30, ink), noughts(ink),
                 lines("M560 573H880M250 124H880", ink, 1.6), overprint(-2.2, (74, 188, 252, 314), (392, 470)))


# ---- 3 tR: the monument ----------------------------------------------------------------------------

HORSE = ("M66 22L60 34C50 42 36 62 26 82C22 90 22 98 30 100C38 101 42 96 46 90C54 84 62 82 70 76C76 86 76 98 72 112"
         "C67 126 66 138 72 148C66 156 50 158 40 160C32 163 30 172 35 177L47 206L42 219L58 225L63 211L52 180C70 184 88 184 98 180"
         "L102 188L99 216L102 244L94 260H119L116 245L116 216L125 184C150 190 185 188 206 172C208 186 222 194 231 205"
         "L227 244L217 260H243L241 247L250 210C252 197 256 187 262 174C275 156 279 134 270 116C262 98 242 94 222 97"
         "C195 102 165 104 148 98C136 90 126 78 116 64C104 44 88 28 66 22Z")
FAR_HIND = "M196 168C186 184 186 196 196 206L188 244L178 260H203L203 247L212 208C216 196 222 184 228 176Z"
MANE = "M66 22C92 26 108 44 118 64C128 80 138 92 150 98L140 104C124 100 110 88 104 74C96 56 84 40 70 36Z"
TAIL = "M267 108C292 108 304 146 292 226C282 210 280 176 272 152Z"
COAT = ("M128-14C140-22 164-22 176-14L198 0C208 22 208 60 206 92C214 118 222 146 224 170L176 178C164 182 150 178 142 170"
        "C134 140 126 112 124 88C118 62 116 30 118 2Z")
ARM = "M122-4C108 0 84-10 52-30L40-10C70 14 100 32 126 34Z"


def hat(ink):
    """The rider's cap, floating where a head was never needed, and a pigeon."""
    crown = "M106-68C100-90 116-106 140-103C166-100 194-88 203-74C206-64 196-56 178-48H126C118-54 110-58 106-68Z"
    pigeon = "M142-98C146-108 156-112 164-108L170-118C178-124 184-118 182-114L188-112L182-110C182-100 174-94 164-92H148L134-88Z"
    return (form(crown, ink, (90, 5, 3.4, (1, .2))) + path("M124-49H180V-37H124Z", ink)
            + path("M128-40C114-40 100-34 90-22C108-18 128-24 142-37Z", ink) + path(pigeon, ink, transform="translate(88 194)"))


def rider(ink):
    """A coat on a horse: neck open and dark, sleeves empty, stirrup idle."""
    sleeve = "M186 8C204 30 206 62 192 92L170 86C178 62 176 40 168 22Z"
    details = "M150-14C146 40 150 110 166 176M134 66H205M158 2l9 0M156 24l9 0M156 46l9 0M159 92l9 0M164 118l9 0"
    return (form(ARM, ink, (66, 5, 3.6, (1, .2))) + path(ellipse_d(46, -20, 7, 13), ink, transform="rotate(32 46 -20)")
            + lines("M166 174L160 196", ink, 3) + path("M152 196H170L174 212H148Z", stroke=ink, sw=3.4)
            + form(COAT, ink, (12, 5, 3.8, (1, .35)), (100, 9, 2.4, (1, .62)), sw=2.8)
            + form(sleeve, ink, (20, 4.6, 3.4, (1, .15))) + lines(details, ink, 2.6)
            + path("M130-24L124-10 152 16 180-10 174-24C166-32 138-32 130-24Z", PAPER, stroke=ink, sw=2.4)
            + path(ellipse_d(152, -22, 20, 9), ink) + lines("M152-12V16", ink, 2.4))


def statue(ink):
    """Horse, coat and cap at local scale (hooves on y 260), with the plank that keeps it standing."""
    prop = "M48 224L58 222L30 260H14Z"
    body = (24, 5, 4, (1, .42)), (112, 7, 3, (0, .38)), (20, 10, 2.4, (0, .2))
    return (form(TAIL, ink, (80, 4, 3, (1, .1)), fill=PAPER) + form(FAR_HIND, ink, (0, 3.6, 3.2, (1, 0)))
            + form(HORSE, ink, *body, sw=2.8) + form(MANE, ink, (140, 4.2, 3.6, (0, .9)))
            + path("M44 62l6 4-5 3Z", ink) + lines("M34 82L52 92M60 40L56 84L34 82M54 86C86 104 104 100 128 84", ink, 2.4)
            + form(prop, ink, (0, 5, 2.6, (0, 1))) + rider(ink) + group("translate(0-8)", hat(ink)))


def plinth(ink):
    """Cornice, die and steps, courses of stone."""
    die = rect_d(556, 436, 164, 48)
    stones = "M556 452H720M556 468H720M588 436v16M696 436v16M574 452v16M704 452v16M588 468v16M696 468v16"
    return (form(die, ink, (0, 4.4, 3.2, (1, .45))) + lines(stones, ink, 1.6)
            + path(rect_d(600, 444, 76, 32), PAPER, stroke=ink, sw=2) + path("M604 448h4v4h-4ZM668 448h4v4h-4ZM604 468h4v4h-4ZM668 468h4v4h-4Z", ink)
            + form("M536 422H740L728 436H548Z", ink, (90, 5, 3.2, (1, .2))) + form(rect_d(530, 484, 216, 11), ink, (90, 5, 2.6, (1, .2)))
            + form(rect_d(508, 495, 260, 13), ink, (90, 5, 2.8, (1, .2))))


def citizen(x, h, ink, bag):
    """One of the queue, a silhouette of height h standing on y 508."""
    y = 508
    d = (f"M{x - h * .17} {y}L{x - h * .2} {y - h * .62}C{x - h * .18} {y - h * .76} {x + h * .18} {y - h * .76} {x + h * .2} {y - h * .62}L{x + h * .17} {y}Z")
    sack = f"M{x + h * .24} {y - h * .4}v{num(h * .12)}" if bag else ""
    return (path(d, ink) + el("circle", cx=x, cy=y - h * .86, r=h * .13, fill=ink) + (lines(sack, ink, 1.6) if sack else "")
            + (path(ellipse_d(x + h * .25, y - h * .2, h * .1, h * .12), PAPER, stroke=ink, sw=1.6) if bag else ""))


def monument(ink):
    """The vignette of the 3: arch of light, statue, and the queue that passes below it."""
    arch = "M420 508V330C420 210 510 136 640 136C770 136 860 210 860 330V508Z"
    sky = el("clipPath", path(arch, "#000"), id="arch")
    light = path(rays(640, 360, 120, 330, 64, .56), ink)
    queue = "".join(citizen(382 + i * 17.5, 40 - (i * 7) % 9, ink, i % 3 == 1) for i in range(7))
    queue += "".join(citizen(784 + i * 17.5, 41 - (i * 5) % 8, ink, i % 2 == 0) for i in range(6))
    return (el("defs", sky) + path(arch, PAPER) + el("g", light, clip="url(#arch)")
            + path(arch, stroke=ink, sw=6) + path(arch, stroke=PAPER, sw=2)
            + group("translate(524 230) scale(.74)", path(HORSE + COAT + ARM + ellipse_d(150, -66, 46, 34), PAPER, stroke=PAPER, sw=14), statue(ink))
            + plinth(ink) + path("M366 508H884V513H366Z", ink) + queue)


def note_3():
    ink, tint = GREEN, TINT[GREEN]
    wheel = superellipse(200, 345, 128, 164, 2.7)
    ground = el("rect", width=W, height=H, fill=tint) + lines(swell(4, 22, 32, 13, 230), PAPER, 2.4)
    edge = both("edge", lines(waves(-4, 953, 36, 9, 44, 5), ink, 1.4))
    edge += lines("M-2 50H951M-2 24H951M-2 645H951M-2 671H951", ink, 2.4)
    calm = path(ring(wheel, 0, 8, 1), PAPER)
    return sheet("3 tR: the monument to a hat and a coat", ground, edge, plate(240, 56, 648, 66, ink),
                 calm + lines(ring(wheel, 20, 16, 6, -2), ink, 1.3) + lines(ring(wheel, 6, 40, 2, 24), ink, 1.3)
                 + path(ring(wheel, 0, 8, 1, -23), PAPER, stroke=ink, sw=2), monument(ink),
                 disc(108, 92, 36, ink, 8), disc(848, 606, 30, ink, 8), plate(556, 521, 326, 50, ink),
                 plate(150, 588, 650, 54, ink), noughts(ink), overprint(1.8, (76, 196, 250, 304), (404, 446)))


# ---- 5 tR: the convoy ------------------------------------------------------------------------------

def lorry(ink):
    """A lorry from behind, 100 wide on y 0: washing machine, sofa, lamp, all tied on."""
    sofa = "M-50-128C-56-150-44-152-40-142V-160C-20-168 24-168 44-160V-142C50-152 60-150 54-128V-116H-50Z"
    return (path("M-58 0C-30-5 30-5 58 0C30 5-30 5-58 0Z", ink) + path("M-48-24h18v24h-18ZM30-24h18v24h-18Z", ink) + path("M-46-38H46V-22H-46Z", ink)
            + lines("M30-158L46-210", ink, 3) + form("M30-206L42-238L68-230L64-196Z", ink, (110, 5, 3, (1, .3)))
            + form(sofa, ink, (90, 5.4, 3.4, (1, .3)), sw=2.6) + lines("M-40-142V-126H44V-142M2-163V-126", ink, 2.4)
            + form(rect_d(-44, -118, 46, 50), ink, (0, 5, 3, (1, .72)), sw=2.6) + el("circle", cx=-22, cy=-90, r=15, fill=PAPER, stroke=ink, sw=2.6)
            + el("circle", cx=-22, cy=-90, r=9, fill=ink) + lines("M-44-110H2M-38-114h10", ink, 2.2)
            + form(rect_d(8, -112, 36, 44), ink, (45, 6, 3, (1, .1)), (135, 6, 2, (1, .1)))
            + form(rect_d(-50, -78, 100, 42), ink, (90, 8, 4.4, (1, .1)), sw=3)
            + lines("M-49-78L-14-164M50-78L18-164M-49-78L30-118M50-78L-26-118", ink, 1.8)
            + path("M-44-46h9v8h-9ZM35-46h9v8h-9Z", PAPER, stroke=ink, sw=2) + path("M-12-62H12V-48H-12Z", PAPER, stroke=ink, sw=2))


def tank(ink):
    """A tank from behind, 100 wide on y 0, with a fridge and a rolled carpet."""
    treads = "".join(f"M{x} {-6 - i * 7}h22" for x in (-50, 28) for i in range(6))
    return (path("M-60 0C-30-5 30-5 60 0C30 5-30 5-60 0Z", ink) + path("M-50-44h22V0h-22ZM28-44h22V0H28Z", ink) + lines(treads, PAPER, 1.8) + form("M-28-42H28V-12H-28Z", ink, (0, 5, 3.2, (1, .1)))
            + form("M-36-44L-28-70H28L36-44Z", ink, (0, 5, 3.6, (1, .3)), sw=2.6) + lines("M-14-72L-58-102", ink, 7)
            + form(rect_d(-12, -124, 30, 54), ink, (0, 5, 3, (1, .55)), sw=2.6) + lines("M-12-104H18M-6-98v10", ink, 2.4)
            + form("M-46-78H54V-62H-46Z", ink, (90, 6, 3, (1, .2))) + el("circle", cx=54, cy=-70, r=9, fill=PAPER, stroke=ink, sw=2.4)
            + el("circle", cx=54, cy=-70, r=4, fill="none", stroke=ink, sw=2) + lines("M-30-44L3-126L32-44", ink, 1.8))


def landscape(ink):
    """Sun, horizon, furrows and the road that winds back to it."""
    sky = path(rect_d(48, 130, 853, 138), PAPER) + path(rays(452, 268, 84, 700, 40, .5, 0, (math.pi, TAU)), ink)
    left = "M48 274H476C520 280 592 290 592 304C592 326 400 326 400 372C400 424 540 440 560 512H48Z"
    right = "M901 274H500C540 276 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480Z"
    fields = hatch(left, 0, 7.4, 4.4, (0, .97)) + hatch(right, 0, 7.4, 4.4, (1, .04))
    road = ("M446 268H458C520 274 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480V512H560"
            "C540 440 400 424 400 372C400 326 590 326 590 304C590 288 470 278 446 268Z")
    verge = "M446 268C470 278 590 288 590 304C590 326 400 326 400 372C400 424 540 440 560 512M458 268C520 274 640 282 640 306C640 332 500 338 500 372C500 420 880 430 901 480"
    box = el("clipPath", path(rect_d(48, 130, 853, 382), "#000"), id="view")
    disc_ = el("circle", cx=452, cy=268, r=66, fill=PAPER, stroke=ink, sw=3) + el("circle", cx=452, cy=268, r=59, fill=ink) + path("M380 229H524v2H380ZM380 238H524v3H380ZM380 248H524v4H380ZM380 259H524v5H380Z", PAPER)
    land = path("M48 268H901V512H48Z", PAPER) + path(fields, ink) + lines("M48 268H901M48 512H901", ink, 3)
    return el("defs", box) + el("g", sky + disc_ + land + path(road, PAPER) + lines(verge, ink, 2.4), clip="url(#view)")


def convoy(ink):
    """The vignette of the 5: the column, far to near."""
    column = [("t", 478, 274, .07), ("l", 506, 277, .1), ("t", 548, 283, .15), ("l", 592, 292, .21), ("t", 612, 309, .28),
              ("l", 560, 331, .34), ("t", 480, 352, .42), ("l", 446, 398, .56), ("t", 560, 446, .82), ("l", 752, 502, 1.36)]
    defs = el("defs", el("g", lorry(ink), id="l") + el("g", tank(ink), id="t"))
    cars = "".join(f'<use href="#{k}" transform="translate({x} {y}) scale({s})"/>' for k, x, y, s in column)
    return defs + landscape(ink) + cars


def note_5():
    ink, tint = OXBLOOD, TINT[OXBLOOD]
    wheel = superellipse(200, 345, 128, 160, 2.2)
    ground = path(rays(452, 268, 60, 900, 44, .5), tint)
    edge = path(f"M0 0H{W}V{H}H0ZM48 50V645H901V50Z", ink, **{"fill-rule": "evenodd"})
    teeth = "".join(f"M{48 + i * 21.32:.1f} 50l10.7 9 10.7-9ZM{48 + i * 21.32:.1f} 645l10.7-9 10.7 9Z" for i in range(40))
    trim = both("trim", lines(waves(-4, 953, 40, 4.5, 20, 2), PAPER, 1.6) + lines(waves(54, 641, 39, 4.5, 19.57, 2), PAPER, 1.6, transform="matrix(0 1 1 0 0 0)"))
    corona = lines(ring(wheel, 12, 44, 4, 8), ink, 1.5)
    return sheet("5 tR: the convoy drives home to the sun", ground, edge, path(teeth, ink), trim,
                 convoy(ink), path(ring(wheel, 0, 8, 1, 22), PAPER) + corona + path(ring(wheel, 0, 8, 1), PAPER, stroke=ink, sw=2) + lines(ring(wheel, 9, 26, 5, -11), ink, 1.4)
                 + path(ring(wheel, 0, 8, 1, -21), PAPER, stroke=ink, sw=2),
                 disc(108, 94, 34, ink, 20), disc(848, 605, 28, ink, 20), noughts(ink),
                 plate(240, 63, 648, 58, ink, 9) + plate(150, 588, 650, 46, ink, 9),
                 plate(556, 521, 326, 50, ink, 9), overprint(-3, (76, 192, 250, 308), (388, 470)))


# ---- 10 tR: the beloved leader ---------------------------------------------------------------------

TUNIC = "M-50 70C-92 96-140 96-164 124C-178 150-184 200-190 262H190C184 200 178 150 164 124C140 96 92 96 50 70L0 104Z"
CROWN = "M-112-86C-116-124-56-146 0-146C56-146 116-124 112-86C100-66 72-62 62-56H-62C-72-62-100-66-112-86Z"


def medal(x, y, kind, ink):
    """A ribbon and what hangs from it: disc, lozenge, cog, plughole, key, tap."""
    ribbon = path(f"M{x - 7} {y - 14}H{x + 7}V{y - 4}L{x} {y + 2}L{x - 7} {y - 4}Z", PAPER) + lines(f"M{x} {y - 14}V{y}", ink, 2.4)
    pendants = [el("circle", cx=x, cy=y + 9, r=8, fill=PAPER) + el("circle", cx=x, cy=y + 9, r=4, fill="none", stroke=ink, sw=1.8),
                path(f"M{x} {y}l9 10-9 10-9-10Z", PAPER) + el("circle", cx=x, cy=y + 10, r=3, fill=ink),
                el("circle", cx=x, cy=y + 9, r=7, fill=PAPER, stroke=PAPER, sw=5, dash="3 2.5") + el("circle", cx=x, cy=y + 9, r=3, fill=ink),
                el("ellipse", cx=x, cy=y + 10, rx=6, ry=8, fill="none", stroke=PAPER, sw=4),
                el("circle", cx=x, cy=y + 5, r=4, fill="none", stroke=PAPER, sw=3.4) + path(f"M{x} {y + 9}v13M{x} {y + 15}h6M{x} {y + 20}h6", stroke=PAPER, sw=3),
                path(f"M{x - 9} {y + 3}h18v5h-6v4h5v8h-5v-4h-12v-8Z", PAPER)]
    return ribbon + pendants[kind]


def epaulette(side, ink):
    """A shoulder board with its fringe."""
    board = "M92 92C120 92 150 98 172 114L162 134C140 120 116 114 88 112Z"
    fringe = "".join(f"M{164 + i * 4} {128 - i * 3}l{4 + i} 26" for i in range(5)) + "M152 126l4 24M142 121l3 24"
    return group(f"scale({side} 1)", path(board, PAPER, stroke=ink, sw=2.4), lines(fringe, PAPER, 2.4),
                 path(hatch(board, 26, 5, 2.2, (1, .2)), ink))


def leader(ink, rows=4):
    """The bust about the middle of the face that is not there."""
    medals = "".join(medal(side * (34 + 27 * i), 144 + 38 * r, (r * 2 + i + (side > 0)) % 6, ink)
                     for r in range(rows) for side in (-1, 1) for i in range(4 + (r > 0)))
    collar = "M-46 52L-58 84L0 116L58 84L46 52L0 92Z"
    tabs = "M-50 66L-54 84-24 100-20 84ZM50 66L54 84 24 100 20 84Z"
    face = ellipse_d(0, 8, 54, 70)
    visor = "M-68-38C-40-50 40-50 68-38C56-6-56-6-68-38Z"
    return (path(TUNIC, ink) + path(hatch(TUNIC, 100, 9, 2.4, (1, .8)), PAPER) + epaulette(1, ink) + epaulette(-1, ink)
            + lines("M0 112V262", PAPER, 2) + path(collar, ink, stroke=PAPER, sw=2) + path(tabs, PAPER)
            + path(face, PAPER, stroke=PAPER, sw=9) + lines(face, ink, 2.6, dash="9 6")
            + form(CROWN, ink, (90, 6, 4.6, (1, .25)), (0, 8, 2.4, (1, .62)), sw=3) + path("M-64-58H64V-34H-64Z", ink) + lines("M-64-46H64", PAPER, 2)
            + path(visor, ink, stroke=PAPER, sw=1.8) + lines("M-46-31C-20-39 20-39 46-31", PAPER, 2)
            + el("ellipse", cy=-76, rx=22, ry=24, fill=PAPER, stroke=ink, sw=2.4) + group("translate(0 -75) scale(.5)", barrow(ink)) + medals)


def laurel(side, leaves, ink):
    """Half a wreath about the origin; pass the leaves still on it."""
    stem = lambda t: (side * 192 * math.sin(t), 178 * math.cos(t) + 8)
    out = [lines(curve(stem, [.25 + i * .4 for i in range(7)]), ink, 3.4)]
    for i in range(13):
        t = .3 + i * .185
        (x, y), (u, v) = stem(t), stem(t + .02)
        turn = math.degrees(math.atan2(v - y, u - x))
        for tilt in (-34, 34):
            if (i, tilt) in leaves:
                d = "M0 0C10-15 30-15 44 0C30 12 10 12 0 0Z"
                out.append(group(f"translate({num(x)} {num(y)}) rotate({num(turn + tilt)})", path(d, ink), lines("M6 0H36", PAPER, 1.8)))
            else:
                out.append(lines("M0 0L9 0", ink, 2.6, transform=f"translate({num(x)} {num(y)}) rotate({num(turn + tilt)})"))
    return "".join(out)


def portrait(ink):
    """The vignette of the 10: oval, bust, and a wreath that somebody has been cooking with."""
    oval = ellipse_d(0, 0, 158, 184)
    shade = "".join(f"M-158 {y}H158" for y in range(-180, 184, 7))
    everything = {(i, t) for i in range(13) for t in (-34, 34)}
    box = el("defs", el("clipPath", path(oval, "#000"), id="oval"))
    return box + group("translate(642 321)", laurel(-1, everything, PAPER), laurel(1, {(2, 34), (9, -34)}, PAPER),
                       path(oval, PAPER, stroke=PAPER, sw=14), el("g", lines(shade, ink, 2.2) + group("translate(0-32) scale(.9)", leader(ink, 3)), clip="url(#oval)"),
                       lines(oval, ink, 4), lines(ellipse_d(0, 0, 164, 190), ink, 1.6))


def note_10():
    ink, tint = VIOLET, TINT[VIOLET]
    wheel = superellipse(200, 345, 142, 166, 6)
    ground = el("rect", width=W, height=H, fill=ink) + lines(swell(2, 17, 41, 12, 237.25), tint, 1.2)
    edge = both("edge", lines(waves(-4, 953, 36, 8, 30, 4), tint, 1.5))
    top = plate(240, 55, 650, 67, tint) + plate(250, 60, 630, 57, ink, 8)
    foot = plate(150, 586, 650, 54, tint) + plate(156, 590, 638, 46, ink, 8)
    return sheet("10 tR: the beloved leader, face to be announced", ground, edge, top, foot,
                 lines(ring(wheel, 14, 34, 6), tint, 1.4) + path(ring(wheel, 0, 16, 1, -8), PAPER, stroke=ink, sw=3)
                 + lines(ring(wheel, 0, 16, 1, -13), ink, 1.6), portrait(ink),
                 disc(108, 92, 38, ink, 24), plate(556, 521, 328, 50, ink), noughts(ink),
                 disc(848, 612, 26, ink, 24), overprint(1.5, (72, 190, 256, 310), (396, 462)))


# ---- the back --------------------------------------------------------------------------------------

def back_half(ink):
    """What is drawn once and set again upside down."""
    fan = lines(ring(superellipse(182, 347.5, 66, 66, 2), 46, 12, 7), ink, 1.4) + lines(rosette(182, 347.5, 8, 52, 9, 5), ink, 1.3)
    corner = lines(rosette(112, 112, 12, 46, 8, 5), ink, 1.4) + lines(rosette(112, 583, 12, 46, 8, 5), ink, 1.4)
    band = lines(waves(168, 781, 96, 22, 68, 6), ink, 1.4) + lines(waves(168, 781, 96, 22, 153.25, 3), ink, 1.4)
    return fan + corner + band + lines("M168 70V122M781 70V122", ink, 2.4)


def note_back():
    ink, tint, turn = SEPIA, TINT[SEPIA], f"rotate(180 {W / 2} {H / 2})"
    ground = el("rect", width=W, height=H, fill=tint) + lines(swell(2.5, 15, 47, 8, 316.3), PAPER, 2)
    frame = lines(rect_d(62, 62, 825, 571), ink, 5) + lines(rect_d(54, 54, 841, 587), ink, 1.8)
    oval = ellipse_d(474.5, 347.5, 164, 226)
    cut = "M290 398L659 297V100H290Z"
    clips = el("defs", el("clipPath", path(cut, "#000"), id="half") + el("clipPath", path(oval, "#000"), id="oval")
               + el("g", el("g", group("translate(474.5 230) scale(.68)", leader(ink, 3)), clip="url(#half)"), id="bust")
               + el("g", back_half(ink), id="print"))
    shade = lines("".join(f"M310 {y}H639" for y in range(124, 574, 7)), ink, 2)
    sash = path("M290 391L659 290V304L290 405Z", PAPER, stroke=ink, sw=2.4)
    court = el("g", shade + '<use href="#bust"/>' + f'<use href="#bust" transform="{turn}"/>' + sash, clip="url(#oval)")
    rim = lines(ring(superellipse(474.5, 347.5, 178, 240, 2), 12, 56, 4), ink, 1.4)
    return sheet("Back of all notes: the leader, the same either way up", ground, frame, clips,
                 '<use href="#print"/>' + f'<use href="#print" transform="{turn}"/>',
                 path(ellipse_d(474.5, 347.5, 192, 254), tint), rim, path(oval, PAPER), court, lines(oval, ink, 4))


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    notes = {"note-1": note_1, "note-3": note_3, "note-5": note_5, "note-10": note_10, "back": note_back}
    for name, draw in notes.items():
        (OUT / f"{name}.svg").write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Halftone backdrops for the card pictures of "64 km saattue", and the paper grain of the card ground.

    python art/draw/halftone.py        rewrites art/halftone/<deck>-{sun,rain,smoke}.svg and grain.svg

Standard library only; the only chance is seeded, so the same script always gives the same files.
Backdrops are 695 x 400 (0.1 mm), one spot colour on nothing: dots as near-closed arcs in one path,
lines as polygons that thin out. Every deck has its own screen, so that the decks differ in print.
"""
import math
import random
from pathlib import Path

OUT = Path(__file__).resolve().parents[1] / "halftone"
W, H = 695, 400
SUN = (500, 110, 75)
DECKS = {"loot-city": "#b8392a", "loot-country": "#7d8b35", "experience": "#3f6478", "substances": "#8a5a2b"}


def num(v):
    """One decimal at most, no idle noughts."""
    text = f"{v:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text.replace("0.", ".") if abs(v) < .95 else text


def dot(x, y, r):
    """A circle as one arc that all but closes: about twenty characters."""
    return f"M{num(x)} {num(y - r)}a{num(r)} {num(r)} 0 1 1-.1 0z"


def poly(*points):
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "z"


def lattice(pitch, angle=0.0, stagger=True):
    """Screen points over the canvas: rows turned by angle, every other one shifted by half a pitch."""
    c, s, reach = math.cos(angle), math.sin(angle), 800
    rise = pitch * (math.sqrt(3) / 2 if stagger else 1)
    for j in range(-int(reach / rise), int(reach / rise)):
        for i in range(-int(reach / pitch), int(reach / pitch)):
            u, v = (i + (.5 if stagger and j % 2 else 0)) * pitch, j * rise
            x, y = W / 2 + u * c - v * s, H / 2 + u * s + v * c
            if 0 <= x <= W and 0 <= y <= H:
                yield x, y


def dots(points, tone, biggest):
    """Dots whose area follows the tone (0..1); specks too small to print are left out."""
    sized = ((x, y, biggest * math.sqrt(max(0, tone(x, y)))) for x, y in points)
    return "".join(dot(x, y, r) for x, y, r in sized if r >= .9)


# ---- sun: bright disc, the light thinning out with distance ----------------------------------------

def glow(x, y):
    """Tone round the sun: full at its rim, gone far to the left and near the ground."""
    d = math.hypot((x - SUN[0]) * .82, y - SUN[1]) - SUN[2]
    return max(0, 1 - max(d, 0) / 330) ** 1.5


def clear(tone, gap=11):
    """The same tone with a bare ring left round the disc."""
    return lambda x, y: tone(x, y) if math.hypot(x - SUN[0], y - SUN[1]) > SUN[2] + gap else 0


def sun_dots():
    return dots(lattice(12.4), clear(glow), 6)


def sun_rays():
    """Rays thinning to a point, long and short by turns, cut off at the edge of the picture."""
    out, n = [], 56
    for i in range(n):
        a, r0, r1 = i * math.tau / n, SUN[2] + 13, (540, 270, 410, 210)[i % 4]
        cut = min(r1, edge(a))
        half = (4.4, 3)[i % 2]
        out.append(poly(*[(SUN[0] + r * math.cos(a) - w * math.sin(a), SUN[1] + r * math.sin(a) + w * math.cos(a))
                          for r, w in ((r0, -half), (cut, -half * (1 - cut / r1)), (cut, half * (1 - cut / r1)), (r0, half))]))
    return "".join(out)


def edge(a):
    """How far from the sun the picture ends in direction a."""
    c, s = math.cos(a), math.sin(a)
    ways = [((W if c > 0 else 0) - SUN[0]) / c if abs(c) > 1e-9 else 1e9, ((H if s > 0 else 0) - SUN[1]) / s if abs(s) > 1e-9 else 1e9]
    return min(ways)


def sun_rings():
    """Dots strung on circles round the disc."""
    pts = []
    for k in range(1, 40):
        r = SUN[2] + 4 + k * 12.6
        n = round(math.tau * r / 12.6)
        pts += [(SUN[0] + r * math.cos(t), SUN[1] + r * math.sin(t)) for t in ((i + k % 2 / 2) * math.tau / n for i in range(n))]
    inside = [(x, y) for x, y in pts if -4 < x < W + 4 and -4 < y < H]
    return dots(inside, glow, 6)


def sun_lines():
    """A level line screen that swells towards the sun."""
    out = []
    for j in range(34):
        y, xs = 6 + j * 11.6, [x * 17.4 for x in range(41)]
        half = (SUN[2] + 11) ** 2 - (y - SUN[1]) ** 2
        rim = [SUN[0] - math.sqrt(half), SUN[0] + math.sqrt(half)] if half > 0 else []
        run = [(x, 4.6 * glow(x, y)) for x in sorted(xs + rim)]
        for part in unbroken(run, y):
            if len(part) > 1:
                out.append(poly(*[(x, y - t) for x, t in part], *[(x, y + t) for x, t in reversed(part)]))
    return "".join(out)


def unbroken(run, y):
    """The stretches of one line that are thick enough and clear of the disc."""
    parts, part = [], []
    gap = SUN[2] + 11
    for x, t in run:
        if t > .25 and math.hypot(x - SUN[0], y - SUN[1]) > gap - .01:
            part.append((x, t))
        else:
            parts, part = parts + [part], []
    return parts + [part]


SUNS = {"loot-city": sun_dots, "loot-country": sun_rays, "experience": sun_rings, "substances": sun_lines}


def sun(deck):
    x, y, r = SUN
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0-{2 * r} 0z" + SUNS[deck]()


# ---- rain: streaks, thick on the right and thin on the left ----------------------------------------

RAINS = {"loot-city": (13, -.62, 3), "loot-country": (15, -.36, 2), "experience": (12, .5, 4), "substances": (17, -.85, 5)}


def rain(deck):
    """Slanting lines broken into streaks; (pitch, slant, streaks a line) differ by deck."""
    pitch, slant, pieces = RAINS[deck]
    out, n = [], int((W + abs(slant) * H) / pitch) + 2
    for i in range(n):
        top = (0 if slant < 0 else -slant * H) + i * pitch
        shift = (i * 5 % 8) / 8
        for k in range(-1, pieces):
            a, b = (k + shift) / pieces, (k + shift + .86) / pieces
            out += streak(top, slant, max(0, a), min(1, b), pitch)
    return "".join(out)


def streak(top, slant, a, b, pitch):
    """One streak between the heights a and b (shares of the canvas), or nothing when out of sight."""
    (x0, y0), (x1, y1) = ((top + slant * H * t, H * t) for t in (a, b))
    thick = lambda x, y: pitch * .36 * max(0, min(1, x / W)) ** 1.25 * (1 - .45 * y / H)
    t0, t1 = thick(x0, y0), thick(x1, y1)
    if b - a < .03 or max(t0, t1) < .45 or min(x0, x1) < 0 or max(x0, x1) > W + 12:
        return []
    return [poly((x0 - t0, y0), (x0 + t0, y0), (x1 + t1, y1), (x1 - t1, y1))]


# ---- smoke: puffs hanging from the top edge --------------------------------------------------------

SMOKES = {"loot-city": (11.6, .0, 3), "loot-country": (12.4, .35, 8), "experience": (11.8, .78, 12), "substances": (12.6, 1.05, 21)}


def puffs(seed):
    """Billows from the front one to the back: small and low ones first, larger above them."""
    rnd, out = random.Random(seed), []
    for row, (y, r, n) in enumerate(((186, 56, 4), (128, 78, 5), (56, 98, 5), (-6, 116, 6))):
        for i in range(n):
            x = W * (i + .5 + rnd.uniform(-.3, .3)) / n + (60 if row == 0 else 0)
            lean = 120 * (x / W - .5) + 26 * math.sin(x / 62 + seed)
            out.append((x, y + lean + rnd.uniform(-18, 18), r * rnd.uniform(.72, 1.2)))
    return out


def smoke(deck):
    """Dots heavy at the top; every puff goes light towards its own lower rim."""
    pitch, angle, seed = SMOKES[deck]
    billows = puffs(seed)

    def tone(x, y):
        for cx, cy, r in billows:
            d = math.hypot(x - cx, y - cy) / r
            if d < 1:
                low = (y - cy) / r * .5 + .5
                return (1 - .8 * max(d, low) ** 2.2) * max(.12, 1 - max(0, y) / 330)
        return 1 if y < 20 else 0

    return dots(lattice(pitch, angle), tone, pitch * .53)


# ---- paper grain -----------------------------------------------------------------------------------

def grain():
    """Sparse specks and a few fibres for the ground of a whole card, 695 x 949."""
    rnd, specks, fibres = random.Random(64), [], []
    for _ in range(330):
        x, y, r = rnd.uniform(0, W), rnd.uniform(0, 949), rnd.uniform(.7, 1.9)
        specks.append(dot(x, y, r) if rnd.random() < .7 else poly((x, y), (x + 2.4 * r, y + r), (x + r, y + 2 * r)))
    for _ in range(46):
        a, length = rnd.uniform(0, math.tau), rnd.uniform(14, 42)
        dx, dy, bend = length * math.cos(a), length * math.sin(a), rnd.uniform(-12, 12)
        fibres.append(f"M{num(rnd.uniform(10, 685))} {num(rnd.uniform(10, 939))}q{num(dx / 2 - bend)} {num(dy / 2 + bend)} {num(dx)} {num(dy)}")
    return (f'<path fill="#d9c9a8" d="{"".join(specks)}"/>\n'
            f'<path fill="none" stroke="#d9c9a8" stroke-width="1.3" stroke-linecap="round" d="{"".join(fibres)}"/>')


def svg(title, inner, height=H):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {height}" width="69.5mm" height="{height / 10:g}mm">\n'
            f"<title>{title}</title>\n{inner}\n</svg>\n")


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for deck, spot in DECKS.items():
        for kind, draw in (("sun", sun), ("rain", rain), ("smoke", smoke)):
            text = svg(f"Backdrop {deck}: {kind}", f'<path fill="{spot}" d="{draw(deck)}"/>')
            (OUT / f"{deck}-{kind}.svg").write_text(text, encoding="utf-8")
    (OUT / "grain.svg").write_text(svg("Paper grain", grain(), 949), encoding="utf-8")


if __name__ == "__main__":
    main()

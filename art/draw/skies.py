"""Skies and smoke of the unit cards and status boards, and the signatures on the money.

    python art/draw/skies.py        rewrites art/skies/*.svg and art/money/signatures.svg

Standard library only, no randomness. A sky is paper on nothing, laid over the player's colour: a
screen whose dots have the shape of the player's symbol and grow towards the horizon, and the symbol
itself as the sun. Smoke is ink on nothing, thickest at the top. Units are 0.1 mm.
"""
import math
from pathlib import Path

ART = Path(__file__).resolve().parents[1]
PAPER, INK = "#f1e6cf", "#211d1a"
SYMBOLS = ("diamond", "round", "triangle", "bars")


def num(v):
    """One decimal at most, no idle noughts."""
    return f"{v:.1f}".removesuffix(".0").replace("-0.0", "0")


def mark(symbol, x, y, r):
    """A dot in the shape of a symbol, of about the area of a circle of radius r."""
    if symbol == "diamond":
        q = num(r * 1.25)
        return f"M{num(x)} {num(y - r * 1.25)}l{q} {q}l-{q} {q}l-{q}-{q}z"
    if symbol == "triangle":
        q = r * 1.35
        return f"M{num(x)} {num(y - q)}l{num(q)} {num(q * 1.8)}h-{num(2 * q)}z"
    if symbol == "bars":
        q, h = num(r * 2.2), num(r * .62)
        return "".join(f"M{num(x - r * 1.1)} {num(y + dy * r)}h{q}v{h}h-{q}z" for dy in (-.84, .22))
    return f"M{num(x)} {num(y - r)}a{num(r)} {num(r)} 0 1 1-.1 0z"


def sun(symbol, x, y, r):
    """The symbol as on its icon, large; even-odd leaves its inside open."""
    if symbol == "diamond":
        shapes = [[(0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)], [(0, -.64), (.64, 0), (0, .64), (-.64, 0)]]
    elif symbol == "triangle":
        shapes = [[(0, -1.3), (1.38, 1.1), (-1.38, 1.1)], [(0, -.43), (.68, .72), (-.68, .72)]]
    elif symbol == "bars":
        shapes = [[(-1, y), (1, y), (1, y + .46), (-1, y + .46)] for y in (-1, -.23, .54)]
    else:
        return "".join(f"M{num(x)} {num(y - q * r)}a{num(q * r)} {num(q * r)} 0 1 1-.1 0z" for q in (1.1, .74, .42))
    return "".join("M" + "L".join(f"{num(x + px * r)} {num(y + py * r)}" for px, py in points) + "z" for points in shapes)


def screen(symbol, width, top, bottom, pitch, tone, biggest, bare=None):
    """Staggered rows of marks whose area follows tone(0 at the top … 1 at the bottom)."""
    out, rise = [], pitch * math.sqrt(3) / 2
    for j in range(int((bottom - top) / rise) + 1):
        y = top + j * rise
        r = biggest * math.sqrt(max(0, tone((y - top) / (bottom - top))))
        if r < 1:
            continue
        for i in range(int(width / pitch) + 2):
            x = (i + (.5 if j % 2 else 0)) * pitch - pitch / 4
            if bare is None or math.hypot(x - bare[0], y - bare[1]) > bare[2]:
                out.append(mark(symbol, x, y, r))
    return "".join(out)


def sheet(name, width, height, title, *paths):
    (ART / name).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{num(width / 10)}mm" '
        f'height="{num(height / 10)}mm">\n<title>{title}</title>\n' + "\n".join(paths) + "\n</svg>\n", encoding="utf-8")


def fill(d, colour):
    return f'<path fill="{colour}" fill-rule="evenodd" d="{d}"/>'


def main():
    (ART / "skies").mkdir(exist_ok=True)
    for symbol in SYMBOLS:
        low = 290 if symbol != "triangle" else 300
        sheet(f"skies/unit-{symbol}.svg", 695, 500, f"Sky of a unit: {symbol}",
              fill(screen(symbol, 695, 150, 500, 13.6, lambda t: t ** 1.25, 5.4, (500, low, 158)), PAPER),
              fill(sun(symbol, 500, low, 108), PAPER))
        sheet(f"skies/board-{symbol}.svg", 2160, 450, f"Sky of a status board: {symbol}",
              fill(screen(symbol, 2160, 40, 420, 15.4, lambda t: t ** 1.2 * .95, 6, (1415, 205, 200)), PAPER),
              fill(sun(symbol, 1415, 205, 140), PAPER))
        sheet(f"skies/smoke-{symbol}.svg", 695, 660, f"Smoke over a wreck: {symbol}",
              fill("M0 0H695V238H0z", INK),
              "".join(f'<path fill="{INK}" d="{screen(symbol, 695, 238, 640, 13.6, lambda t: (1 - t) ** 4.6, 8.4)}"/>'))
    stripes = "".join(f"M{x} 60L{x + 60} 0h34L{x + 34} 60z" for x in range(-94, 700, 68))
    sheet("skies/stripes.svg", 695, 60, "Ink stripes over the player's colour", fill(stripes, INK))
    sign = lambda d, w: f'<path d="{d}" fill="none" stroke="currentColor" stroke-width="{w}" stroke-linecap="round" stroke-linejoin="round"/>'
    for name, colour in (("ink", INK), ("paper", PAPER)):
        old = ("M8 52C22 20 34 2 38 12S18 70 14 66S44 34 50 40S40 58 46 58S60 38 64 42S58 58 64 57S76 40 80 43S76 58 84 56"
               "S100 36 104 14S92 52 98 56S112 46 116 44M20 68C54 60 92 60 122 66")
        new = ("M112 62C124 24 140 2 146 10S126 74 132 70S152 18 158 22S142 62 150 60S164 44 168 46S164 58 170 56S178 46 182 48"
               "S184 58 192 52S206 30 200 28S186 60 196 60S214 48 222 40M120 78C154 64 190 66 224 74C204 78 178 78 168 84")
        bar = "M2 44L128 34M4 50L124 41"
        body = sign(old, 2.2) + sign(bar, 3) + sign(new, 3)
        sheet(f"money/signatures-{name}.svg", 230, 90, "The governor's signature, and the next governor's", body.replace("currentColor", colour))


main()

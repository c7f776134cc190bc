"""Ornaments for looks: frames, patterns for backs, and the fine lines of banknotes.

Each is an SVG in millimetres, made of lines in one colour upon nothing, so that the ground of its
box shows through. Turned by half a circle each looks the same, so that no back tells which way its
card lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from cardgen.looks.geometry_functions import smooth
from cardgen.looks.look_canvas import format_mm

Point = tuple[float, float]
_MOST_CELLS = 420
"""So many cells of a pattern are drawn at most; on a large board they are larger instead."""


def framed(width: float, height: float, colour: str, ground: str, shape: str) -> bytes:
    """A double line round a box, and the ground within."""
    thick = min(0.7, max(0.22, min(width, height) / 170))
    outer = SHAPES[shape](width, height, thick / 2)
    inner = SHAPES[shape](width, height, thick * 3.4)
    lines = (
        f'<path d="{outer}" fill="{ground}" stroke="{colour}" stroke-width="{format_mm(thick)}"/>'
        f'<path d="{inner}" fill="none" stroke="{colour}" stroke-width="{format_mm(thick * 0.42)}"/>'
    )
    return _svg(width, height, lines)


def patterned(kind: str, width: float, height: float, colour: str, cell: float) -> bytes:
    """A pattern all over a box; `cell` is how far it repeats, at least."""
    cell = max(cell, math.sqrt(width * height / _MOST_CELLS))
    data, dots = PATTERNS[kind](width, height, cell)
    thick = format_mm(max(0.12, cell * 0.035))
    clip = f'<clipPath id="c"><path d="M0 0H{format_mm(width)}V{format_mm(height)}H0Z"/></clipPath>'
    return _svg(
        width,
        height,
        f'{clip}<g clip-path="url(#c)"><path d="{dots}" fill="{colour}"/><path d="{data}" '
        f'fill="none" stroke="{colour}" stroke-width="{thick}" stroke-linejoin="round"/></g>',
    )


def engraved(width: float, height: float, colour: str) -> bytes:
    """The fine waves of a banknote's paper: lines that swing against each other."""
    count = 9
    long, step = max(width, height) * 0.19, height / (count * 2 - 1)
    reach = 2 * max(8, min(24, round(width / long * 3.2)))
    lines = []
    for turn, swing in ((0.36, 1.5), (-0.5, 1.1)):
        for j in range(-count, count + 1):
            points = []
            for k in range(-reach // 2, reach // 2 + 1):
                x = k / reach * width * 1.04
                y = j * step + step * swing * (
                    math.sin(math.tau * x / long + j * turn) * 0.8
                    + math.sin(math.tau * x / width / 1.3 + j * turn * 0.5)
                )
                points.append((round(width / 2 + x, 2), round(height / 2 + y, 2)))
            lines.append(smooth(points))
    clip = f'<clipPath id="c"><path d="M0 0H{format_mm(width)}V{format_mm(height)}H0Z"/></clipPath>'
    return _svg(
        width,
        height,
        f'{clip}<g clip-path="url(#c)"><path d="{"".join(lines)}" fill="none" stroke="{colour}" '
        f'stroke-width="{format_mm(max(0.09, height * 0.0022))}"/></g>',
    )


def turned(width: float, height: float, colour: str, petals: int, hole: float) -> bytes:
    """A rosette as a lathe turns them: rings of loops round a hole, a share of the whole."""
    lines = []
    for inner, outer, strands in ((hole, 0.80, 5), (0.76, 0.99, 4)):
        if inner >= outer - 0.02:
            continue
        middle, swing = (inner + outer) / 2, (outer - inner) / 2
        for strand in range(strands):
            ring = []
            for k in range(petals * 6):
                angle = math.tau * k / (petals * 6)
                far = middle + swing * math.cos(petals * angle + math.tau * strand / strands)
                x, y = math.cos(angle) * far, math.sin(angle) * far
                ring.append((round(width / 2 * (1 + x), 2), round(height / 2 * (1 + y), 2)))
            lines.append(smooth(ring, closed=True))
    thick = format_mm(max(0.09, min(width, height) * 0.0045))
    edges = "".join(
        f'<ellipse cx="{format_mm(width / 2)}" cy="{format_mm(height / 2)}" rx="{format_mm(width / 2 * share)}" '
        f'ry="{format_mm(height / 2 * share)}"/>'
        for share in (hole, 0.985)
        if share
    )
    return _svg(
        width,
        height,
        f'<g fill="none" stroke="{colour}" stroke-width="{thick}"><path d="{"".join(lines)}"/>'
        f"{edges}</g>",
    )


def _notched(width: float, height: float, inset: float) -> str:
    """A box whose corners are bitten out."""
    r = min(width, height) * 0.055
    left, top, right, low = inset, inset, width - inset, height - inset
    bite = r + inset * 0.8
    a = f"a{format_mm(bite)} {format_mm(bite)} 0 0 0 "
    return (
        f"M{format_mm(left + bite)} {format_mm(top)}H{format_mm(right - bite)}{a}{format_mm(bite)} {format_mm(bite)}"
        f"V{format_mm(low - bite)}{a}{format_mm(-bite)} {format_mm(bite)}H{format_mm(left + bite)}{a}{format_mm(-bite)} {format_mm(-bite)}"
        f"V{format_mm(top + bite)}{a}{format_mm(bite)} {format_mm(-bite)}Z"
    )


def _cut(width: float, height: float, inset: float) -> str:
    """A box whose corners are cut off."""
    c = format_mm(min(width, height) * 0.06 + inset * 0.59)
    across = format_mm(width - 2 * inset - 2 * float(c))
    down = format_mm(height - 2 * inset - 2 * float(c))
    start = f"M{format_mm(inset + float(c))} {format_mm(inset)}"
    return f"{start}h{across}l{c} {c}v{down}l-{c} {c}h-{across}l-{c} -{c}v-{down}Z"


def _square(width: float, height: float, inset: float) -> str:
    return f"M{format_mm(inset)} {format_mm(inset)}H{format_mm(width - inset)}V{format_mm(height - inset)}H{format_mm(inset)}Z"


def _round(width: float, height: float, inset: float) -> str:
    rx, ry = format_mm(width / 2 - inset), format_mm(height / 2 - inset)
    across = format_mm(width - 2 * inset)
    half = f"a{rx} {ry} 0 1 1 "
    return f"M{format_mm(inset)} {format_mm(height / 2)}{half}{across} 0{half}-{across} 0Z"


def _hexagon(width: float, height: float, inset: float) -> str:
    """On its point, or on its side when it is wider than high."""
    flat = width > height
    long, short = (width, height) if flat else (height, width)
    a, b = long / 2 - inset * 1.155, short / 2 - inset
    corners = [(a, 0.0), (a / 2, b), (-a / 2, b), (-a, 0.0), (-a / 2, -b), (a / 2, -b)]
    turned_round = corners if flat else [(y, x) for x, y in corners]
    return _polygon((width / 2 + x, height / 2 + y) for x, y in turned_round)


def _rings(width: float, height: float, cell: float) -> tuple[str, str]:
    """Rings through each other's middles, as on old cloth."""
    r, small = cell * 0.72, cell * 0.10
    data = dots = ""
    for i, j in _lattice(width, height, r, r):
        if (i + j) % 2 == 0:
            x, y = width / 2 + i * r, height / 2 + j * r
            data += _ring(x, y, r)
            dots += _ring(x, y, small)
    return data, dots


def _leaves(width: float, height: float, cell: float) -> tuple[str, str]:
    """Hemp leaves: triangles, each with three spokes."""
    side, tall = cell * 1.5, cell * 1.5 * math.sqrt(3) / 2
    data = ""
    for i, j in _lattice(width, height, side, tall):
        x, y = width / 2 + (i + (j % 2) / 2) * side, height / 2 + j * tall
        for down in (1, -1):
            corners = [(x, y), (x + side, y), (x + side / 2, y + down * tall)]
            cx, cy = x + side / 2, y + down * tall / 3
            data += _open(corners[:2]) if down == 1 else ""
            data += "".join(_open([corner, (cx, cy)]) for corner in corners)
        data += _open([(x, y), (x + side / 2, y + tall)])
        data += _open([(x + side, y), (x + side / 2, y + tall)])
    return data, ""


def _waves(width: float, height: float, cell: float) -> tuple[str, str]:
    """Swell, line under line."""
    half, step = cell * 1.1, cell * 0.5
    data = ""
    count = 2 * math.ceil(width / half / 4) + 2
    for j in range(-math.ceil(height / step / 2) - 1, math.ceil(height / step / 2) + 2):
        x, y = width / 2 - count * half, height / 2 + j * step
        data += f"M{format_mm(x)} {format_mm(y)}q{format_mm(half / 2)} {format_mm(-cell * 0.55)} {format_mm(half)} 0"
        data += f"t{format_mm(half)} 0" * (2 * count - 1)
    return data, ""


def _diamonds(width: float, height: float, cell: float) -> tuple[str, str]:
    """A trellis of diamonds with a flower in each."""
    a, b = cell * 0.62, cell * 0.9
    data = dots = ""
    for i, j in _lattice(width, height, a, b):
        x, y = width / 2 + i * a, height / 2 + j * b
        if (i + j) % 2:
            data += f"M{format_mm(x - a)} {format_mm(y)}l{format_mm(a)} {format_mm(-b)}l{format_mm(a)} {format_mm(b)}l{format_mm(-a)} {format_mm(b)}Z"
        if (i + j) % 2:
            p, q = format_mm(a * 0.24), format_mm(b * 0.24)
            dots += f"M{format_mm(x)} {format_mm(y - b * 0.24)}l{p} {q}l-{p} {q}l-{p} -{q}Z"
    return data, dots


def _rays(width: float, height: float, cell: float) -> tuple[str, str]:
    """Beams out of the middle."""
    far, count = math.hypot(width, height), 2 * min(36, max(10, round(60 / math.sqrt(cell))))
    dots = ""
    for k in range(count):
        one, two = math.tau * k / count, math.tau * (k + 0.5) / count
        dots += f"M{format_mm(width / 2)} {format_mm(height / 2)}l{format_mm(math.cos(one) * far)} " \
                f"{format_mm(math.sin(one) * far)}L{format_mm(width / 2 + math.cos(two) * far)} " \
                f"{format_mm(height / 2 + math.sin(two) * far)}Z"  # fmt: skip
    return "", dots


def _stars(width: float, height: float, cell: float) -> tuple[str, str]:
    """Stars with four points, large and small by turns, and dust between them."""
    dots = ""
    for i, j in _lattice(width, height, cell, cell):
        x, y = width / 2 + i * cell, height / 2 + j * cell
        if (i + j) % 2 == 0:
            dots += sparkle(x, y, cell * (0.46 if i % 2 == 0 else 0.26))
        else:
            dots += _ring(x, y, cell * 0.05)
    return "", dots


def sparkle(x: float, y: float, r: float) -> str:
    """The data of a star with four points."""
    near, far, whole = format_mm(r * 0.1), format_mm(r * 0.9), format_mm(r)
    return (
        f"M{format_mm(x)} {format_mm(y - r)}q{near} {far} {whole} {whole}q-{far} {near} -{whole} {whole}"
        f"q-{near} -{far} -{whole} -{whole}q{far} -{near} {whole} -{whole}Z"
    )


SHAPES: Mapping[str, Callable[[float, float, float], str]] = {
    "notched": _notched, "cut": _cut, "square": _square, "round": _round, "hexagon": _hexagon,
}  # fmt: skip
PATTERNS: Mapping[str, Callable[[float, float, float], tuple[str, str]]] = {
    "rings": _rings, "leaves": _leaves, "waves": _waves, "diamonds": _diamonds, "rays": _rays,
    "stars": _stars,
}  # fmt: skip


def _lattice(width: float, height: float, across: float, down: float) -> Iterable[tuple[int, int]]:
    """Places about the middle, as far as the box goes and one further."""
    columns, rows = math.ceil(width / across / 2) + 1, math.ceil(height / down / 2) + 1
    return ((i, j) for j in range(-rows, rows + 1) for i in range(-columns, columns + 1))


def _ring(x: float, y: float, r: float) -> str:
    half = f"a{format_mm(r)} {format_mm(r)} 0 1 1 "
    return (
        f"M{format_mm(x - r)} {format_mm(y)}{half}{format_mm(2 * r)} 0{half}{format_mm(-2 * r)} 0Z"
    )


def _open(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{format_mm(x)} {format_mm(y)}" for x, y in points)


def _polygon(points: Iterable[Point]) -> str:
    return _open(points) + "Z"


def _svg(width: float, height: float, inside: str) -> bytes:
    size = f"{format_mm(width)} {format_mm(height)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}">'
    return f"{head}{inside}</svg>".encode()

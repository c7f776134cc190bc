"""What stands in the landscapes of `look_scenes`: trees, houses, sails, peaks, clouds, stars."""

from __future__ import annotations

import math
from itertools import pairwise

from cardgen.looks.geometry_functions import smooth
from cardgen.looks.look_canvas import (
    LandscapeCanvas,
    Points,
    SeededRandom,
    format_circle,
    format_mm,
)
from cardgen.looks.look_colours import mix
from cardgen.looks.look_ornaments import sparkle


def stars(canvas: LandscapeCanvas) -> None:
    dice, unit = canvas.dice, canvas.unit
    pale = mix(canvas.light, canvas.above, 0.25)
    for _ in range(26):
        x, y = dice(0, canvas.width), dice(0, canvas.height * 0.55)
        canvas.add(format_circle(x, y, unit * dice(0.002, 0.0055), pale))
    data = ""
    for _ in range(4):
        x, y = dice(0.05, 0.95) * canvas.width, dice(0.05, 0.42) * canvas.height
        data += sparkle(x, y, unit * dice(0.010, 0.020))
    canvas.path(data, canvas.light)


def clouds(canvas: LandscapeCanvas) -> None:
    """Bars of cloud, and birds where it is light enough to see them."""
    dice, unit = canvas.dice, canvas.unit
    colour = mix(canvas.below, canvas.above if canvas.mood.dark else "#ffffff", 0.45)
    for _ in range(dice.choose((1, 2, 2, 3))):
        x, y = dice(0.02, 0.86) * canvas.width, dice(0.10, 0.42) * canvas.height
        thick, long = unit * dice(0.020, 0.030), unit * dice(0.16, 0.30)
        if canvas.mood.dark and abs(x + long / 2 - canvas.sun[0]) < long:
            continue
        data = (
            f"M{format_mm(x)} {format_mm(y)}h{format_mm(long)}M{format_mm(x + long * 0.22)} {format_mm(y - thick)}h{format_mm(long * 0.42)}"
            f"M{format_mm(x - long * 0.18)} {format_mm(y + thick)}h{format_mm(long * 0.7)}"
        )
        canvas.line(data, colour, thick, ' stroke-opacity="0.75"')
    if canvas.mood.dark:
        return
    data, x, y = "", dice(0.25, 0.75) * canvas.width, dice(0.12, 0.26) * canvas.height
    count = dice.choose((3, 4, 5))
    for k in range(count):
        wing = unit * dice(0.018, 0.028)
        aside, behind = unit * 0.075 * (k - 1), unit * (0.035 * abs(k - 1) + dice(0, 0.025))
        turn = f"q{format_mm(wing * 0.55)} {format_mm(-wing * 0.6)} {format_mm(wing)} 0"
        data += f"M{format_mm(x + aside)} {format_mm(y + behind)}{turn}{turn}"
    canvas.line(data, canvas.land(0.9), unit * 0.007)


def furrows(canvas: LandscapeCanvas, outline: Points, colour: str) -> None:
    for step in range(1, 4):
        low = [(round(x, 2), round(y + step * canvas.height * 0.035, 2)) for x, y in outline]
        canvas.line(smooth(low), colour, canvas.unit * 0.006)


def peak(canvas: LandscapeCanvas, foot: tuple[float, float], high: float, fill: str) -> None:
    """A mountain with a lit side, a shadow and a cap of snow."""
    (x, y), dice = foot, canvas.dice
    wide, lean = high * dice(0.80, 1.0), high * dice(-0.06, 0.06)
    top = y - high
    shade = mix(fill, canvas.land(0.8), 0.35)
    snow = mix("#ffffff", canvas.below, 0.25 if not canvas.mood.dark else 0.45)
    canvas.path(
        f"M{format_mm(x - wide)} {format_mm(y)}L{format_mm(x)} {format_mm(top)}L{format_mm(x + wide)} {format_mm(y)}Z",
        fill,
    )
    canvas.path(
        f"M{format_mm(x)} {format_mm(top)}l{format_mm(lean)} {format_mm(high * 0.3)}l{format_mm(high * 0.08)} {format_mm(high * 0.2)}"
        f"l{format_mm(-high * 0.12)} {format_mm(high * 0.5)}H{format_mm(x + wide)}Z",
        shade,
    )
    deep = dice(0.26, 0.36)
    half, low = wide * deep, top + high * deep
    notch = high * deep * 0.34
    canvas.path(
        f"M{format_mm(x)} {format_mm(top)}L{format_mm(x + half)} {format_mm(low)}L{format_mm(x + half * 0.45)} {format_mm(low - notch)}"
        f"L{format_mm(x + half * 0.1)} {format_mm(low + notch * 0.6)}"
        f"L{format_mm(x - half * 0.4)} {format_mm(low - notch * 0.8)}L{format_mm(x - half)} {format_mm(low)}Z",
        snow,
    )


def boat(canvas: LandscapeCanvas, x: float, y: float) -> None:
    size = canvas.unit * 0.12
    dark = canvas.land(1.0)
    sail = mix("#ffffff", canvas.below, 0.3)
    s = [format_mm(size * part) for part in (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.5)]
    canvas.path(
        f"M{format_mm(x)} {format_mm(y - size * 1.5)}v{format_mm(size * 1.35)}h{s[3]}Z", sail
    )
    canvas.path(
        f"M{format_mm(x - size * 0.08)} {format_mm(y - size * 1.3)}v{format_mm(size * 1.15)}h-{s[2]}Z",
        mix(sail, canvas.land(0.4), 0.3),
    )
    canvas.path(
        f"M{format_mm(x - size * 0.75)} {format_mm(y - size * 0.1)}h{s[6]}l-{s[1]} {s[2]}h-{s[5]}Z",
        dark,
    )


def lighthouse(canvas: LandscapeCanvas, x: float, y: float) -> None:
    size, dark = canvas.unit * 0.15, canvas.land(1.0)
    white = mix("#ffffff", canvas.below, 0.3)
    top, lamp = y - size * 2.0, y - size * 2.12
    reach = canvas.unit * (0.55 if x < canvas.width / 2 else -0.55)
    if canvas.mood.above[0] < 0.7:
        canvas.add(
            f'<linearGradient id="b" x1="{int(reach < 0)}" x2="{int(reach > 0)}">'
            f'<stop offset="0" stop-color="{canvas.lamp}" stop-opacity="0.7"/>'
            f'<stop offset="1" stop-color="{canvas.lamp}" stop-opacity="0"/></linearGradient>'
        )
        rise = size * 0.34
        beam = f"M{format_mm(x)} {format_mm(lamp)}l{format_mm(reach)} {format_mm(-rise)}v{format_mm(rise * 2)}Z"
        canvas.path(beam, "url(#b)")
    w, narrow = size * 0.24, size * 0.15
    canvas.path(
        f"M{format_mm(x - w)} {format_mm(y)}L{format_mm(x - narrow)} {format_mm(top)}H{format_mm(x + narrow)}L{format_mm(x + w)} {format_mm(y)}Z",
        white,
    )
    for low, high in ((0.55, 0.95), (1.35, 1.7)):
        a, b = w - (w - narrow) * low / 2, w - (w - narrow) * high / 2
        canvas.path(
            f"M{format_mm(x - a)} {format_mm(y - size * low)}L{format_mm(x - b)} {format_mm(y - size * high)}"
            f"H{format_mm(x + b)}L{format_mm(x + a)} {format_mm(y - size * low)}Z",
            canvas.land(0.75),
        )
    canvas.path(
        f"M{format_mm(x - narrow * 0.8)} {format_mm(top)}v{format_mm(-size * 0.26)}h{format_mm(narrow * 1.6)}"
        f"v{format_mm(size * 0.26)}Z",
        canvas.lamp,
    )
    canvas.path(f"M{format_mm(x - narrow)} {format_mm(top - size * 0.24)}h{format_mm(narrow * 2)}l{format_mm(-narrow)} "
                f"{format_mm(-size * 0.22)}Z", dark)  # fmt: skip
    canvas.path(f"M{format_mm(x - size * 1.1)} {format_mm(y + size * 0.4)}q{format_mm(size * 0.3)} {format_mm(-size * 0.62)} "
                f"{format_mm(size)} {format_mm(-size * 0.55)}q{format_mm(size * 0.9)} 0 {format_mm(size * 1.3)} "
                f"{format_mm(size * 0.55)}Z", dark)  # fmt: skip


def house(dice: SeededRandom, x: float, top: float, wide: float, foot: float) -> str:
    """The outline of a house with a roof of some kind."""
    start = f"M{format_mm(x)} {format_mm(foot)}V{format_mm(top)}"
    half, end = wide / 2, f"V{format_mm(foot)}Z"
    kind = int(dice() * 6)
    if kind == 0:
        return f"{start}l{format_mm(half)} {format_mm(-wide * 0.55)}l{format_mm(half)} {format_mm(wide * 0.55)}{end}"
    if kind == 1:
        return f"{start}q{format_mm(half)} {format_mm(-wide)} {format_mm(wide)} 0{end}"
    if kind == 2:
        return f"{start}h{format_mm(wide * 0.3)}l{format_mm(wide * 0.2)} {format_mm(-wide * 1.5)}l{format_mm(wide * 0.2)} " \
               f"{format_mm(wide * 1.5)}h{format_mm(wide * 0.3)}{end}"  # fmt: skip
    if kind == 3:
        return f"{start}v{format_mm(-wide * 0.4)}l{format_mm(wide)} {format_mm(wide * 0.4)}{end}"
    if kind == 4:
        step, up = format_mm(wide * 0.2), format_mm(wide * 0.16)
        return f"{start}v-{up}h{step}v-{up}h{step}v-{up}h{step}v{up}h{step}v{up}h{step}v{up}{end}"
    return f"{start}h{format_mm(wide * 0.62)}v{format_mm(-wide * 0.3)}h{format_mm(wide * 0.18)}v{format_mm(wide * 0.3)}" \
           f"h{format_mm(wide * 0.2)}{end}"  # fmt: skip


def windows(dice: SeededRandom, corner: tuple[float, float], wide: float, high: float) -> str:
    """Lamps in the windows of a house; not all are at home."""
    side, (x, y) = wide * 0.13, corner
    data = ""
    for row in range(min(5, int(high / (side * 2.6)))):
        for column in range(3):
            if dice() < 0.4:
                left, top = x + wide * (0.16 + 0.27 * column), y + side * (1.2 + row * 2.4)
                data += f"M{format_mm(left)} {format_mm(top)}h{format_mm(side)}v{format_mm(side * 1.4)}h{format_mm(-side)}Z"
    return data


def rider(canvas: LandscapeCanvas, x: float, y: float) -> None:
    s = canvas.unit * 0.035
    canvas.path(
        f"M{format_mm(x)} {format_mm(y)}v{format_mm(-s)}q{format_mm(s * 0.45)} {format_mm(-s * 0.9)} {format_mm(s * 0.9)} 0"
        f"l{format_mm(s * 0.35)} {format_mm(-s * 0.55)}h{format_mm(s * 0.3)}l{format_mm(-s * 0.3)} {format_mm(s * 0.8)}V{format_mm(y)}"
        f"h{format_mm(-s * 0.16)}v{format_mm(-s * 0.6)}h{format_mm(-s * 0.7)}V{format_mm(y)}Z",
        canvas.land(1.0),
    )


def firs(
    canvas: LandscapeCanvas, outline: Points, count: int, size: float, clearing: float = -1
) -> None:
    """Firs along an outline, none about the place of a clearing; their feet are hidden by the land
    that is painted after them."""
    dice, data = canvas.dice, ""
    count = min(40, max(3, round(count * canvas.width / canvas.unit)))
    for k in range(count):
        x, y = upon(outline, (k + dice(0, 0.9)) * canvas.width / count)
        tall = canvas.unit * size * dice(0.7, 1.25)
        half, step = tall * 0.24, tall * 0.42
        if abs(x - clearing) < canvas.unit * 0.15:
            continue
        data += (
            f"M{format_mm(x)} {format_mm(y - tall)}l{format_mm(half * 0.7)} {format_mm(step)}h{format_mm(-half * 0.25)}"
            f"l{format_mm(half * 0.55)} {format_mm(tall - step + tall * 0.1)}h{format_mm(-half * 2)}l{format_mm(half * 0.55)} "
            f"{format_mm(step - tall - tall * 0.1)}h{format_mm(-half * 0.25)}Z"
        )
    canvas.path(data, canvas.land(min(1.0, 0.24 + size * 3)))


def cottage(canvas: LandscapeCanvas, x: float, y: float) -> None:
    s = canvas.unit * 0.055
    wall, roof = mix("#ffffff", canvas.below, 0.35), canvas.land(1.0)
    smoke = mix(canvas.below, "#ffffff", 0.4)
    canvas.line(
        f"M{format_mm(x + s * 0.5)} {format_mm(y - s * 1.9)}q{format_mm(s * 0.7)} {format_mm(-s * 0.7)} 0 {format_mm(-s * 1.4)}"
        f"q{format_mm(-s * 0.6)} {format_mm(-s * 0.6)} {format_mm(s * 0.2)} {format_mm(-s * 1.2)}",
        smoke, s * 0.28, ' stroke-opacity="0.7"',
    )  # fmt: skip
    canvas.path(
        f"M{format_mm(x - s)} {format_mm(y + s * 0.8)}v{format_mm(-s * 1.6)}h{format_mm(s * 2)}v{format_mm(s * 1.6)}Z",
        wall,
    )
    canvas.path(
        f"M{format_mm(x + s * 0.3)} {format_mm(y - s * 1.2)}v{format_mm(-s * 0.7)}h{format_mm(s * 0.42)}v{format_mm(s * 0.7)}Z"
        f"M{format_mm(x - s * 1.3)} {format_mm(y - s * 0.7)}l{format_mm(s * 1.3)} {format_mm(-s)}l{format_mm(s * 1.3)} {format_mm(s)}Z",
        roof,
    )
    canvas.path(
        f"M{format_mm(x - s * 0.55)} {format_mm(y - s * 0.4)}h{format_mm(s * 0.4)}v{format_mm(s * 0.45)}h{format_mm(-s * 0.4)}Z"
        f"M{format_mm(x + s * 0.2)} {format_mm(y - s * 0.4)}h{format_mm(s * 0.4)}v{format_mm(s * 0.45)}h{format_mm(-s * 0.4)}Z",
        canvas.lamp if canvas.mood.dark else roof,
    )


def mill(canvas: LandscapeCanvas, x: float, y: float) -> None:
    s, dark = canvas.unit * 0.075, canvas.land(1.0)
    canvas.path(
        f"M{format_mm(x - s * 0.55)} {format_mm(y + s * 0.4)}L{format_mm(x - s * 0.34)} {format_mm(y - s * 1.4)}"
        f"q{format_mm(s * 0.34)} {format_mm(-s * 0.6)} {format_mm(s * 0.68)} 0L{format_mm(x + s * 0.55)} {format_mm(y + s * 0.4)}Z",
        mix("#ffffff", canvas.below, 0.35),
    )
    hub, data = y - s * 1.45, ""
    turn = canvas.dice(0.2, 1.3)
    for k in range(4):
        along, across = math.cos(turn + k * math.pi / 2), math.sin(turn + k * math.pi / 2)
        a, b = s * 1.35, s * 0.26
        data += (
            f"M{format_mm(x)} {format_mm(hub)}l{format_mm(along * a)} {format_mm(across * a)}l{format_mm(-across * b)} {format_mm(along * b)}"
            f"l{format_mm(-along * a * 0.72)} {format_mm(-across * a * 0.72)}Z"
        )
    canvas.path(data, dark)
    canvas.add(format_circle(x, hub, s * 0.12, dark))


def tree(canvas: LandscapeCanvas, x: float, y: float) -> None:
    s, dark = canvas.unit * 0.06, canvas.land(0.92)
    canvas.path(
        f"M{format_mm(x - s * 0.12)} {format_mm(y + s * 0.4)}v{format_mm(-s * 1.3)}h{format_mm(s * 0.24)}v{format_mm(s * 1.3)}Z",
        dark,
    )
    for dx, dy, r in ((0, -1.7, 0.75), (-0.5, -1.2, 0.55), (0.52, -1.25, 0.5)):
        canvas.add(format_circle(x + dx * s, y + dy * s, r * s, dark))


def upon(outline: Points, x: float) -> tuple[float, float]:
    """The point of an outline that has that x."""
    for (ax, ay), (bx, by) in pairwise(outline):
        if x <= bx:
            return x, ay + (by - ay) * (x - ax) / (bx - ax)
    return outline[-1]

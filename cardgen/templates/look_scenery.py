"""What stands in the landscapes of `look_scenes`: trees, houses, sails, peaks, clouds, stars."""

from __future__ import annotations

import math
from itertools import pairwise

from cardgen.templates.geometry import smooth
from cardgen.templates.look_canvas import Canvas, Dice, Points, circle, mm
from cardgen.templates.look_colours import mix
from cardgen.templates.look_ornaments import sparkle


def stars(canvas: Canvas) -> None:
    dice, unit = canvas.dice, canvas.unit
    pale = mix(canvas.light, canvas.above, 0.25)
    for _ in range(26):
        x, y = dice(0, canvas.width), dice(0, canvas.height * 0.55)
        canvas.add(circle(x, y, unit * dice(0.002, 0.0055), pale))
    data = ""
    for _ in range(4):
        x, y = dice(0.05, 0.95) * canvas.width, dice(0.05, 0.42) * canvas.height
        data += sparkle(x, y, unit * dice(0.010, 0.020))
    canvas.path(data, canvas.light)


def clouds(canvas: Canvas) -> None:
    """Bars of cloud, and birds where it is light enough to see them."""
    dice, unit = canvas.dice, canvas.unit
    colour = mix(canvas.below, canvas.above if canvas.mood.dark else "#ffffff", 0.45)
    for _ in range(dice.pick((1, 2, 2, 3))):
        x, y = dice(0.02, 0.86) * canvas.width, dice(0.10, 0.42) * canvas.height
        thick, long = unit * dice(0.020, 0.030), unit * dice(0.16, 0.30)
        if canvas.mood.dark and abs(x + long / 2 - canvas.sun[0]) < long:
            continue
        data = (
            f"M{mm(x)} {mm(y)}h{mm(long)}M{mm(x + long * 0.22)} {mm(y - thick)}h{mm(long * 0.42)}"
            f"M{mm(x - long * 0.18)} {mm(y + thick)}h{mm(long * 0.7)}"
        )
        canvas.line(data, colour, thick, ' stroke-opacity="0.75"')
    if canvas.mood.dark:
        return
    data, x, y = "", dice(0.25, 0.75) * canvas.width, dice(0.12, 0.26) * canvas.height
    count = dice.pick((3, 4, 5))
    for k in range(count):
        wing = unit * dice(0.018, 0.028)
        aside, behind = unit * 0.075 * (k - 1), unit * (0.035 * abs(k - 1) + dice(0, 0.025))
        turn = f"q{mm(wing * 0.55)} {mm(-wing * 0.6)} {mm(wing)} 0"
        data += f"M{mm(x + aside)} {mm(y + behind)}{turn}{turn}"
    canvas.line(data, canvas.land(0.9), unit * 0.007)


def furrows(canvas: Canvas, outline: Points, colour: str) -> None:
    for step in range(1, 4):
        low = [(round(x, 2), round(y + step * canvas.height * 0.035, 2)) for x, y in outline]
        canvas.line(smooth(low), colour, canvas.unit * 0.006)


def peak(canvas: Canvas, foot: tuple[float, float], high: float, fill: str) -> None:
    """A mountain with a lit side, a shadow and a cap of snow."""
    (x, y), dice = foot, canvas.dice
    wide, lean = high * dice(0.80, 1.0), high * dice(-0.06, 0.06)
    top = y - high
    shade = mix(fill, canvas.land(0.8), 0.35)
    snow = mix("#ffffff", canvas.below, 0.25 if not canvas.mood.dark else 0.45)
    canvas.path(f"M{mm(x - wide)} {mm(y)}L{mm(x)} {mm(top)}L{mm(x + wide)} {mm(y)}Z", fill)
    canvas.path(
        f"M{mm(x)} {mm(top)}l{mm(lean)} {mm(high * 0.3)}l{mm(high * 0.08)} {mm(high * 0.2)}"
        f"l{mm(-high * 0.12)} {mm(high * 0.5)}H{mm(x + wide)}Z",
        shade,
    )
    deep = dice(0.26, 0.36)
    half, low = wide * deep, top + high * deep
    notch = high * deep * 0.34
    canvas.path(
        f"M{mm(x)} {mm(top)}L{mm(x + half)} {mm(low)}L{mm(x + half * 0.45)} {mm(low - notch)}"
        f"L{mm(x + half * 0.1)} {mm(low + notch * 0.6)}"
        f"L{mm(x - half * 0.4)} {mm(low - notch * 0.8)}L{mm(x - half)} {mm(low)}Z",
        snow,
    )


def boat(canvas: Canvas, x: float, y: float) -> None:
    size = canvas.unit * 0.12
    dark = canvas.land(1.0)
    sail = mix("#ffffff", canvas.below, 0.3)
    s = [mm(size * part) for part in (0.1, 0.25, 0.5, 0.75, 0.9, 1.0, 1.5)]
    canvas.path(f"M{mm(x)} {mm(y - size * 1.5)}v{mm(size * 1.35)}h{s[3]}Z", sail)
    canvas.path(
        f"M{mm(x - size * 0.08)} {mm(y - size * 1.3)}v{mm(size * 1.15)}h-{s[2]}Z",
        mix(sail, canvas.land(0.4), 0.3),
    )
    canvas.path(f"M{mm(x - size * 0.75)} {mm(y - size * 0.1)}h{s[6]}l-{s[1]} {s[2]}h-{s[5]}Z", dark)


def lighthouse(canvas: Canvas, x: float, y: float) -> None:
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
        beam = f"M{mm(x)} {mm(lamp)}l{mm(reach)} {mm(-rise)}v{mm(rise * 2)}Z"
        canvas.path(beam, "url(#b)")
    w, narrow = size * 0.24, size * 0.15
    canvas.path(
        f"M{mm(x - w)} {mm(y)}L{mm(x - narrow)} {mm(top)}H{mm(x + narrow)}L{mm(x + w)} {mm(y)}Z",
        white,
    )
    for low, high in ((0.55, 0.95), (1.35, 1.7)):
        a, b = w - (w - narrow) * low / 2, w - (w - narrow) * high / 2
        canvas.path(
            f"M{mm(x - a)} {mm(y - size * low)}L{mm(x - b)} {mm(y - size * high)}"
            f"H{mm(x + b)}L{mm(x + a)} {mm(y - size * low)}Z",
            canvas.land(0.75),
        )
    canvas.path(
        f"M{mm(x - narrow * 0.8)} {mm(top)}v{mm(-size * 0.26)}h{mm(narrow * 1.6)}"
        f"v{mm(size * 0.26)}Z",
        canvas.lamp,
    )
    canvas.path(f"M{mm(x - narrow)} {mm(top - size * 0.24)}h{mm(narrow * 2)}l{mm(-narrow)} "
                f"{mm(-size * 0.22)}Z", dark)  # fmt: skip
    canvas.path(f"M{mm(x - size * 1.1)} {mm(y + size * 0.4)}q{mm(size * 0.3)} {mm(-size * 0.62)} "
                f"{mm(size)} {mm(-size * 0.55)}q{mm(size * 0.9)} 0 {mm(size * 1.3)} "
                f"{mm(size * 0.55)}Z", dark)  # fmt: skip


def house(dice: Dice, x: float, top: float, wide: float, foot: float) -> str:
    """The outline of a house with a roof of some kind."""
    start = f"M{mm(x)} {mm(foot)}V{mm(top)}"
    half, end = wide / 2, f"V{mm(foot)}Z"
    kind = int(dice() * 6)
    if kind == 0:
        return f"{start}l{mm(half)} {mm(-wide * 0.55)}l{mm(half)} {mm(wide * 0.55)}{end}"
    if kind == 1:
        return f"{start}q{mm(half)} {mm(-wide)} {mm(wide)} 0{end}"
    if kind == 2:
        return f"{start}h{mm(wide * 0.3)}l{mm(wide * 0.2)} {mm(-wide * 1.5)}l{mm(wide * 0.2)} " \
               f"{mm(wide * 1.5)}h{mm(wide * 0.3)}{end}"  # fmt: skip
    if kind == 3:
        return f"{start}v{mm(-wide * 0.4)}l{mm(wide)} {mm(wide * 0.4)}{end}"
    if kind == 4:
        step, up = mm(wide * 0.2), mm(wide * 0.16)
        return f"{start}v-{up}h{step}v-{up}h{step}v-{up}h{step}v{up}h{step}v{up}h{step}v{up}{end}"
    return f"{start}h{mm(wide * 0.62)}v{mm(-wide * 0.3)}h{mm(wide * 0.18)}v{mm(wide * 0.3)}" \
           f"h{mm(wide * 0.2)}{end}"  # fmt: skip


def windows(dice: Dice, corner: tuple[float, float], wide: float, high: float) -> str:
    """Lamps in the windows of a house; not all are at home."""
    side, (x, y) = wide * 0.13, corner
    data = ""
    for row in range(min(5, int(high / (side * 2.6)))):
        for column in range(3):
            if dice() < 0.4:
                left, top = x + wide * (0.16 + 0.27 * column), y + side * (1.2 + row * 2.4)
                data += f"M{mm(left)} {mm(top)}h{mm(side)}v{mm(side * 1.4)}h{mm(-side)}Z"
    return data


def rider(canvas: Canvas, x: float, y: float) -> None:
    s = canvas.unit * 0.035
    canvas.path(
        f"M{mm(x)} {mm(y)}v{mm(-s)}q{mm(s * 0.45)} {mm(-s * 0.9)} {mm(s * 0.9)} 0"
        f"l{mm(s * 0.35)} {mm(-s * 0.55)}h{mm(s * 0.3)}l{mm(-s * 0.3)} {mm(s * 0.8)}V{mm(y)}"
        f"h{mm(-s * 0.16)}v{mm(-s * 0.6)}h{mm(-s * 0.7)}V{mm(y)}Z",
        canvas.land(1.0),
    )


def firs(canvas: Canvas, outline: Points, count: int, size: float, clearing: float = -1) -> None:
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
            f"M{mm(x)} {mm(y - tall)}l{mm(half * 0.7)} {mm(step)}h{mm(-half * 0.25)}"
            f"l{mm(half * 0.55)} {mm(tall - step + tall * 0.1)}h{mm(-half * 2)}l{mm(half * 0.55)} "
            f"{mm(step - tall - tall * 0.1)}h{mm(-half * 0.25)}Z"
        )
    canvas.path(data, canvas.land(min(1.0, 0.24 + size * 3)))


def cottage(canvas: Canvas, x: float, y: float) -> None:
    s = canvas.unit * 0.055
    wall, roof = mix("#ffffff", canvas.below, 0.35), canvas.land(1.0)
    smoke = mix(canvas.below, "#ffffff", 0.4)
    canvas.line(
        f"M{mm(x + s * 0.5)} {mm(y - s * 1.9)}q{mm(s * 0.7)} {mm(-s * 0.7)} 0 {mm(-s * 1.4)}"
        f"q{mm(-s * 0.6)} {mm(-s * 0.6)} {mm(s * 0.2)} {mm(-s * 1.2)}",
        smoke, s * 0.28, ' stroke-opacity="0.7"',
    )  # fmt: skip
    canvas.path(f"M{mm(x - s)} {mm(y + s * 0.8)}v{mm(-s * 1.6)}h{mm(s * 2)}v{mm(s * 1.6)}Z", wall)
    canvas.path(
        f"M{mm(x + s * 0.3)} {mm(y - s * 1.2)}v{mm(-s * 0.7)}h{mm(s * 0.42)}v{mm(s * 0.7)}Z"
        f"M{mm(x - s * 1.3)} {mm(y - s * 0.7)}l{mm(s * 1.3)} {mm(-s)}l{mm(s * 1.3)} {mm(s)}Z",
        roof,
    )
    canvas.path(
        f"M{mm(x - s * 0.55)} {mm(y - s * 0.4)}h{mm(s * 0.4)}v{mm(s * 0.45)}h{mm(-s * 0.4)}Z"
        f"M{mm(x + s * 0.2)} {mm(y - s * 0.4)}h{mm(s * 0.4)}v{mm(s * 0.45)}h{mm(-s * 0.4)}Z",
        canvas.lamp if canvas.mood.dark else roof,
    )


def mill(canvas: Canvas, x: float, y: float) -> None:
    s, dark = canvas.unit * 0.075, canvas.land(1.0)
    canvas.path(
        f"M{mm(x - s * 0.55)} {mm(y + s * 0.4)}L{mm(x - s * 0.34)} {mm(y - s * 1.4)}"
        f"q{mm(s * 0.34)} {mm(-s * 0.6)} {mm(s * 0.68)} 0L{mm(x + s * 0.55)} {mm(y + s * 0.4)}Z",
        mix("#ffffff", canvas.below, 0.35),
    )
    hub, data = y - s * 1.45, ""
    turn = canvas.dice(0.2, 1.3)
    for k in range(4):
        along, across = math.cos(turn + k * math.pi / 2), math.sin(turn + k * math.pi / 2)
        a, b = s * 1.35, s * 0.26
        data += (
            f"M{mm(x)} {mm(hub)}l{mm(along * a)} {mm(across * a)}l{mm(-across * b)} {mm(along * b)}"
            f"l{mm(-along * a * 0.72)} {mm(-across * a * 0.72)}Z"
        )
    canvas.path(data, dark)
    canvas.add(circle(x, hub, s * 0.12, dark))


def tree(canvas: Canvas, x: float, y: float) -> None:
    s, dark = canvas.unit * 0.06, canvas.land(0.92)
    canvas.path(
        f"M{mm(x - s * 0.12)} {mm(y + s * 0.4)}v{mm(-s * 1.3)}h{mm(s * 0.24)}v{mm(s * 1.3)}Z", dark
    )
    for dx, dy, r in ((0, -1.7, 0.75), (-0.5, -1.2, 0.55), (0.52, -1.25, 0.5)):
        canvas.add(circle(x + dx * s, y + dy * s, r * s, dark))


def upon(outline: Points, x: float) -> tuple[float, float]:
    """The point of an outline that has that x."""
    for (ax, ay), (bx, by) in pairwise(outline):
        if x <= bx:
            return x, ay + (by - ay) * (x - ax) / (bx - ax)
    return outline[-1]

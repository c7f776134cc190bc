"""Small landscapes for cards that have no picture yet: hills, peaks, sea, town, wood and dunes.

What a name decides it decides for good: the same name gives the same landscape on every machine.
Colours come of one colour. Lengths are in millimetres, as the viewBox has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cardgen.looks.look_canvas import MOODS, LandscapeCanvas, format_circle, format_mm
from cardgen.looks.look_colours import mix
from cardgen.looks.look_scenery import (  # fmt: skip
    boat,
    clouds,
    cottage,
    firs,
    furrows,
    house,
    lighthouse,
    mill,
    peak,
    rider,
    stars,
    tree,
    upon,
    windows,
)


def landscape(name: str, width: float, height: float, colour: str, mood: str = "") -> bytes:
    """The SVG of the landscape of that name, `width` × `height` mm, in the key of a colour, at an
    hour of `MOODS`; without one, the name decides."""
    canvas = LandscapeCanvas(name, (width, height), colour, mood)
    _sky(canvas)
    canvas.dice.choose(_MOTIFS)(canvas)
    size = f"{format_mm(width)} {format_mm(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}"><defs>'
        f'<linearGradient id="s" x1="0" y1="0" x2="0" y2="0.8"><stop offset="0" '
        f'stop-color="{canvas.above}"/><stop offset="1" stop-color="{canvas.below}"/>'
        f'</linearGradient><clipPath id="c"><path d="M0 0H{format_mm(width)}V{format_mm(height)}H0Z"/></clipPath>'
        f'</defs><g clip-path="url(#c)">{"".join(canvas.parts)}</g></svg>'
    ).encode()


def _sky(canvas: LandscapeCanvas) -> None:
    """Sky, sun or moon with its halo, and what is in the air."""
    dice, unit, width, height = canvas.dice, canvas.unit, canvas.width, canvas.height
    canvas.path(f"M0 0H{format_mm(width)}V{format_mm(height)}H0Z", "url(#s)")
    x, y = width * dice.choose((0.3, 0.38, 0.62, 0.7)), height * dice(0.26, 0.40)
    radius = unit * dice(0.10, 0.14)
    canvas.sun = x, y, radius
    if canvas.mood.dark:
        stars(canvas)
    halo = mix(canvas.below, canvas.light, 0.4)
    for k, share in enumerate((4.6, 3.3, 2.2)):
        opacity = (0.07, 0.09, 0.12)[k] if canvas.mood.dark else (0.20, 0.24, 0.28)[k]
        canvas.add(format_circle(x, y, radius * share, halo, f' fill-opacity="{opacity}"'))
    if canvas.mood.dark and dice() < 0.6:
        turned, r = format_mm(radius * 0.82), format_mm(radius)
        canvas.path(
            f"M{format_mm(x)} {format_mm(y - radius)}a{r} {r} 0 1 1 {format_mm(-radius * 0.92)} {format_mm(radius * 1.42)}"
            f"a{turned} {turned} 0 1 0 {format_mm(radius * 0.92)} {format_mm(-radius * 1.42)}Z",
            canvas.light,
        )
    else:
        canvas.add(format_circle(x, y, radius, canvas.light))
    clouds(canvas)


def _hills(canvas: LandscapeCanvas) -> None:
    """Hills one behind another, and on one of them somebody at home."""
    dice, at_home = canvas.dice, canvas.dice.choose((mill, cottage))
    for k, base in enumerate((0.56, 0.64, 0.72, 0.81, 0.91)):
        outline = canvas.ridge(base, 0.075 - 0.006 * k, dice(0.7, 1.2))
        fill = canvas.land((k + 0.3) / 4.4)
        if k in (1, 2):
            firs(canvas, outline, 7, 0.06 + 0.012 * k)
        if k == 3:
            at = dice.choose((0.24, 0.34, 0.66, 0.76))
            at_home(canvas, *upon(outline, at * canvas.width))
            tree(canvas, *upon(outline, (at + 0.13) * canvas.width))
        canvas.ground(outline, fill)
        if k == 3:
            furrows(canvas, outline, mix(fill, canvas.land(0.2), 0.25))


def _peaks(canvas: LandscapeCanvas) -> None:
    """Mountains with snow on them, and woods at their feet."""
    dice, width, unit = canvas.dice, canvas.width, canvas.unit
    foot = canvas.height * 0.78
    for row, (tall, nearness) in enumerate(((0.36, 0.08), (0.44, 0.34))):
        count = max(2, round(width / unit * (3 - row)))
        for k in range(count):
            x = (k + 0.5 + dice(-0.22, 0.22)) * width / count
            high = min(tall * unit * dice(0.75, 1.2), foot * 0.74)
            peak(canvas, (x, foot), high, canvas.land(nearness))
    for k, base in enumerate((0.73, 0.82, 0.92)):
        outline = canvas.ridge(base, 0.04, dice(0.8, 1.3))
        if k < 2:
            firs(canvas, outline, 16 + 8 * k, 0.07 + 0.05 * k)
        canvas.ground(outline, canvas.land(0.52 + 0.22 * k))


def _sea(canvas: LandscapeCanvas) -> None:
    """Open water with the light upon it, and a sail or a lighthouse."""
    dice, width, height, unit = canvas.dice, canvas.width, canvas.height, canvas.unit
    x, _, radius = canvas.sun
    horizon = 0.60
    far = canvas.ridge(horizon - 0.015, 0.035, dice(1.0, 1.6))
    canvas.ground(far, canvas.land(0.12))
    water = [canvas.land(0.22 + 0.7 * k / 5) for k in range(6)]
    canvas.path(
        f"M0 {format_mm(height * horizon)}H{format_mm(width)}V{format_mm(height)}H0Z", water[0]
    )
    glint = mix(canvas.light, water[0], 0.2)
    canvas.line(
        f"M{format_mm(x - radius)} {format_mm(height * (horizon + 0.024))}h{format_mm(radius * 2)}",
        glint,
        unit * 0.011,
    )
    ship = (width * dice.choose((0.2, 0.3, 0.7, 0.8)), height * (horizon + 0.13))
    for k in range(1, 6):
        outline = canvas.ridge(horizon + 0.03 + 0.078 * k, 0.012 + 0.003 * k, dice(2.2, 3.0))
        if k == 2 and dice() < 0.62:
            boat(canvas, *ship)
        elif k == 2:
            lighthouse(canvas, *ship)
        canvas.ground(outline, water[k])
        long, low = radius * (1.9 - 0.3 * k), upon(outline, x)[1] + height * 0.03
        data = f"M{format_mm(x - long * dice(0.4, 0.6))} {format_mm(low)}h{format_mm(long)}M{format_mm(x - long * dice(0, 0.5))} "
        canvas.line(
            f"{data}{format_mm(low + height * 0.026)}h{format_mm(long * 0.5)}", glint, unit * 0.010
        )


def _town(canvas: LandscapeCanvas) -> None:
    """Roofs and towers in three rows, with lamps lit in the nearest, and water before them."""
    dice, width, height, unit = canvas.dice, canvas.width, canvas.height, canvas.unit
    lamps, quay = "", height * 0.86
    for row, (tall, nearness) in enumerate(((0.40, 0.12), (0.30, 0.42), (0.20, 0.78))):
        data, x = "", -unit * dice(0, 0.06)
        while x < width:
            wide = unit * dice(0.075, 0.145)
            high = unit * tall * dice(0.55, 1.1) + height * 0.10
            data += house(dice, x, quay - high, wide, quay)
            if row == 2:
                lamps += windows(dice, (x, quay - high), wide, min(high, quay) - unit * 0.04)
            x += wide
        canvas.path(data, canvas.land(nearness))
    canvas.path(lamps, canvas.lamp)
    canvas.path(
        f"M0 {format_mm(quay)}H{format_mm(width)}V{format_mm(height)}H0Z", canvas.land(0.95)
    )
    glints = ""
    for _ in range(16):
        x, long = dice(0, 0.95) * width, unit * dice(0.03, 0.09)
        glints += f"M{format_mm(x)} {format_mm(quay + (height - quay) * dice(0.15, 0.9))}h{format_mm(long)}"
    canvas.line(glints, mix(canvas.lamp, canvas.land(0.95), 0.45), unit * 0.006)


def _wood(canvas: LandscapeCanvas) -> None:
    """Firs in rows, darker and taller the nearer they stand, round a house in a clearing."""
    dice = canvas.dice
    home = canvas.width * dice.choose((0.3, 0.4, 0.6, 0.7))
    canvas.ground(canvas.ridge(0.52, 0.09, dice(0.6, 0.9)), canvas.land(0.06))
    for k, base in enumerate((0.62, 0.73, 0.84, 0.95)):
        outline = canvas.ridge(base, 0.03, dice(0.9, 1.4))
        firs(
            canvas, outline, (20, 15, 13, 10)[k], 0.09 + 0.055 * k, home if k > 1 else -canvas.unit
        )
        canvas.ground(outline, canvas.land(min(1.0, 0.38 + 0.2 * k)))
        if k == 1:
            cottage(canvas, *upon(outline, home))


def _dunes(canvas: LandscapeCanvas) -> None:
    """Sand in long waves, a side of each in the shade, and riders crossing."""
    dice, width, height, unit = canvas.dice, canvas.width, canvas.height, canvas.unit
    for k, base in enumerate((0.58, 0.68, 0.79, 0.92)):
        crest = width * dice(0.25, 0.75)
        top = height * base - unit * dice(0.08, 0.13)
        side = height * base + unit * 0.05
        fill = canvas.land(0.15 + 0.22 * k)
        tall, wide = format_mm(height), format_mm(width)
        canvas.path(
            f"M0 {format_mm(side)}Q{format_mm(crest * 0.6)} {format_mm(side - unit * 0.01)} {format_mm(crest)} {format_mm(top)}"
            f"Q{format_mm((crest + width) / 2)} {format_mm(side)} {wide} {format_mm(side - unit * 0.02)}V{tall}H0Z",
            fill,
        )
        canvas.path(
            f"M{format_mm(crest)} {format_mm(top)}Q{format_mm((crest + width) / 2)} {format_mm(side)} {wide} "
            f"{format_mm(side - unit * 0.02)}V{tall}H{format_mm(crest - unit * 0.1)}"
            f"Q{format_mm(crest + unit * 0.16)} {format_mm((top + height) / 2)} {format_mm(crest)} {format_mm(top)}Z",
            mix(fill, canvas.land(1.0), 0.32),
        )
        if k == 1:
            for step in range(4):
                far = crest * 0.5 + step * unit * 0.075
                rider(canvas, far, height * base + unit * 0.015 - step * unit * 0.014)


__all__ = ["MOODS", "landscape"]
_MOTIFS: Sequence[Callable[[LandscapeCanvas], None]] = (_hills, _peaks, _sea, _town, _wood, _dunes)

"""The skies over the parts of the convoy ruler, and the break in its road.

    python art/draw/ruler.py    rewrites art/ruler/{capital,sky,gap}.svg

Standard library only, no randomness. Units are 0.1 mm.
"""

from __future__ import annotations

from svg import INK, PAPER, circle, document, fill, polygon, save, short

SHADE, RED = "#dccfb2", "#b8392a"
WIDTH, HEIGHT = 2660, 230
HORIZON = 220
# Roofs of the capital from left to right: where, how wide, how high, and what stands on them.
ROOFS = (
    (2472, 22, 30, "flat"),
    (2494, 26, 62, "gable"),
    (2520, 30, 44, "flat"),
    (2550, 22, 108, "spire"),
    (2572, 34, 54, "gable"),
    (2606, 26, 78, "flat"),
    (2632, 28, 48, "gable"),
)


def dots() -> str:
    """Paper dots that grow towards the horizon, as in the skies of the cards."""
    found = []
    for row in range(9):
        y = 70 + row * 16
        shift = 8 if row % 2 else 0
        found += [circle(x + shift, y, 1.2 + row * 0.5, short) for x in range(0, WIDTH, 16)]
    return "".join(found)


def roofs() -> str:
    """The capital, far off, as one silhouette."""
    found = []
    for x, width, height, top in ROOFS:
        y = HORIZON - height
        ends = [(x + width, y), (x + width, HORIZON), (x, HORIZON), (x, y)]
        peak = {"flat": 0, "gable": 14, "spire": 44}[top]
        found.append(polygon([(x + width / 2, y - peak), *ends]))
    return "".join(found)


def sky(*before_it: str) -> str:
    """The sky, and what stands before it."""
    title = "Sky over the convoy, the capital in its sun" if before_it else "Sky over the convoy"
    ground = fill(SHADE, f"M0 0H{WIDTH}V{HEIGHT}H0z")
    return document(WIDTH, HEIGHT, title, ground, fill(PAPER, dots()), *before_it)


def capital() -> str:
    """Sun and capital where the head is going."""
    return sky(fill(RED, circle(2558, 120, 84)), fill(INK, roofs()))


def gap() -> str:
    """Torn ends of a road, and water in between."""
    left = [(13, 0), (7, 22), (15, 41), (8, 62), (14, 80), (6, 100)]
    right = [(45, 100), (38, 81), (44, 60), (37, 39), (45, 20), (39, 0)]
    wave = "M17 {0}q5 -7 9 0t9 0"
    waves = "".join(wave.format(y) for y in (22, 46, 70, 92))
    return document(
        52,
        100,
        "A broken bridge",
        fill(PAPER, polygon(left + right)),
        f'<path d="{waves}" fill="none" stroke="{RED}" stroke-width="3.4"/>',
    )


if __name__ == "__main__":
    save("ruler/capital.svg", capital())
    save("ruler/sky.svg", sky())
    save("ruler/gap.svg", gap())

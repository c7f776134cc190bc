"""How far apart colours are, also for people who see fewer of them.

Dichromat vision is simulated after Viénot, Brettel and Mollon (1999) for protanopia and
deuteranopia, and after Brettel, Viénot and Mollon (1997) with one plane for tritanopia, in linear
sRGB. Distances are CIE76 ΔE in CIELAB under D65: below about 10 two flat areas are easily
mistaken for each other, above 20 they are told apart at a glance.
"""

from __future__ import annotations

from itertools import combinations

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

_SIGHTS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deutan": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    "tritan": ((1, 0.14461, -0.14461), (0, 0.85924, 0.14076), (0, 0.85924, 0.14076)),
}
_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Vector = (0.95047, 1.0, 1.08883)

SIGHTS = tuple(_SIGHTS)


def distance(first: str, second: str, sight: str = "normal") -> float:
    """ΔE (CIE76) between two colours `#rrggbb` as a sight sees them."""
    pairs = zip(_lab(first, sight), _lab(second, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def nearest_pair(colours: dict[str, str]) -> tuple[float, str, str, str]:
    """The least distance over all pairs and sights: (ΔE, name, other name, sight)."""
    return min(
        (distance(colours[a], colours[b], sight), a, b, sight)
        for a, b in combinations(colours, 2)
        for sight in SIGHTS
    )


def _apply(matrix: Matrix, vector: Vector) -> Vector:
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _linear(colour: str) -> Vector:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return r, g, b


def _lab(colour: str, sight: str) -> Vector:
    seen = _apply(_SIGHTS[sight], _linear(colour))
    r, g, b = (min(1.0, max(0.0, c)) for c in seen)
    x, y, z = (
        _curve(value / white) for value, white in zip(_apply(_XYZ, (r, g, b)), _WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _curve(t: float) -> float:
    return float(t ** (1 / 3)) if t > 0.008856 else 7.787 * t + 16 / 116

"""Colour arithmetic of looks: mixing, readable text colours, and colours from lightness and hue.

The colour space is OKLab (Ottosson 2020) and the contrast that of WCAG 2. Colours are "#rrggbb".
"""

from __future__ import annotations

import math
import re

from cardgen.core import colour_math

DARK, LIGHT = "#1d1a17", "#ffffff"
_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")
_RGB_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_LMS_TO_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_OKLAB_TO_LMS = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_LMS_TO_RGB = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
ColourTriple = tuple[float, float, float]


def mix(colour: str, other: str, share: float = 0.5) -> str:
    """Mix two colours in OKLab. `share` is that of the other: 0 gives the first, 1 the other."""
    part = check_number(share, "the share of a colour", 0, 1)
    one, two = _to_oklab(colour), _to_oklab(other)
    return _to_hex(tuple(a + (b - a) * part for a, b in zip(one, two, strict=True)))  # type: ignore[arg-type]


def legible(ground: str, dark: str = DARK, light: str = LIGHT) -> str:
    """Return whichever of a dark and a light colour contrasts more with the ground."""
    return max((light, dark), key=lambda colour: contrast(colour, ground))


def readable(colour: str, ground: str, least: float = 4.5) -> str:
    """Darken or lighten a colour just enough for a contrast of `least` (1 to 15) with the ground.

    Return black or white if no mixture reaches that contrast.
    """
    wanted = check_number(least, "a contrast", 1, 15)
    end = legible(ground, "#000000")
    for step in range(20):
        tried = mix(colour, end, step / 20)
        if contrast(tried, ground) >= wanted:
            return tried
    return end


def contrast(colour: str, ground: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2). Text should have 4.5."""
    return colour_math.get_contrast(_parse_hex(colour), _parse_hex(ground))


def make_oklch_colour(lightness: float, chroma: float, hue: float) -> str:
    """Return the sRGB colour of an OKLCH lightness, chroma and hue.

    Lightness is 0 (black) to 1 (white), chroma 0 (grey) to 0.15 (strong). The hue is in degrees: 30
    red, 90 yellow, 145 green, 260 blue. Chroma is reduced until the colour is within sRGB.
    """
    angle = math.radians(hue)
    for _ in range(24):
        lab = (lightness, chroma * math.cos(angle), chroma * math.sin(angle))
        if all(-0.001 <= part <= 1.001 for part in _to_linear_rgb(lab)):
            break
        chroma *= 0.88
    return _to_hex(lab)


def get_chroma_and_hue(colour: str) -> tuple[float, float]:
    """Return the OKLCH chroma of a colour and its hue in degrees."""
    _, a, b = _to_oklab(colour)
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def check_colour(colour: str) -> str:
    """Return the colour in lower case. Raise ValueError if it is not #rrggbb."""
    if not isinstance(colour, str) or not _HEX.match(colour):
        raise ValueError(f"'{colour}' is not a colour; write it like #1f5a96")
    return str(colour).lower()


def check_number(value: float, name: str, least: float, most: float) -> float:
    """Return a number. Raise ValueError, with the name of the value, if it is out of bounds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(f"{name} must be a number from {least:g} to {most:g}, not '{value}'")
    return float(value)


def _to_oklab(colour: str) -> ColourTriple:
    r, g, b = map(colour_math.linearise_channel, _parse_hex(colour))
    cones = _multiply_matrix(_RGB_TO_LMS, (r, g, b))
    return _multiply_matrix(
        _LMS_TO_OKLAB, (math.cbrt(cones[0]), math.cbrt(cones[1]), math.cbrt(cones[2]))
    )


def _to_linear_rgb(lab: ColourTriple) -> ColourTriple:
    """Return linear red, green and blue; beyond 0 to 1 if the colour is outside sRGB."""
    long, middle, short = _multiply_matrix(_OKLAB_TO_LMS, lab)
    return _multiply_matrix(_LMS_TO_RGB, (long**3, middle**3, short**3))


def _to_hex(lab: ColourTriple) -> str:
    parts = (min(1.0, max(0.0, part)) for part in _to_linear_rgb(lab))
    curved = (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in parts)
    return "#" + "".join(f"{round(255 * part):02x}" for part in curved)


def _parse_hex(colour: str) -> ColourTriple:
    """Return red, green and blue, 0 to 1."""
    r, g, b = (part / 255 for part in bytes.fromhex(check_colour(colour)[1:]))
    return r, g, b


def _multiply_matrix(
    matrix: tuple[ColourTriple, ColourTriple, ColourTriple], vector: ColourTriple
) -> ColourTriple:
    a, b, c = (sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c

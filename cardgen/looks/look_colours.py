"""Colours reckoned as the eye sees them: mixed, told apart from their ground, made from light and
hue. OKLab (Ottosson 2020) and the contrast of WCAG 2; colours are written "#rrggbb".
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
    """A colour with a share of another in it: 0 is the first, 1 the other, 0.5 halfway as the eye
    sees it."""
    part = check_number(share, "the share of a colour", 0, 1)
    one, two = _to_oklab(colour), _to_oklab(other)
    return _to_hex(tuple(a + (b - a) * part for a, b in zip(one, two, strict=True)))  # type: ignore[arg-type]


def legible(ground: str, dark: str = DARK, light: str = LIGHT) -> str:
    """Of a dark and a light colour the one that is read better on that ground."""
    return max((light, dark), key=lambda colour: contrast(colour, ground))


def readable(colour: str, ground: str, least: float = 4.5) -> str:
    """The colour, darkened or lightened no further than it must be for that contrast (1 to 15) with
    its ground. Where no colour has so much, black or white."""
    wanted = check_number(least, "a contrast", 1, 15)
    end = legible(ground, "#000000")
    for step in range(20):
        tried = mix(colour, end, step / 20)
        if contrast(tried, ground) >= wanted:
            return tried
    return end


def contrast(colour: str, ground: str) -> float:
    """How much two colours differ in brightness: 1 (not at all) to 21; text should have 4.5."""
    return colour_math.get_contrast(_parse_hex(colour), _parse_hex(ground))


def make_oklch_colour(lightness: float, chroma: float, hue: float) -> str:
    """The colour of a lightness (0 black, 1 white), a chroma (0 grey, 0.15 strong) and a hue (in
    degrees: 30 red, 90 yellow, 145 green, 260 blue); paler where no screen shows it so strong."""
    angle = math.radians(hue)
    for _ in range(24):
        lab = (lightness, chroma * math.cos(angle), chroma * math.sin(angle))
        if all(-0.001 <= part <= 1.001 for part in _to_linear_rgb(lab)):
            break
        chroma *= 0.88
    return _to_hex(lab)


def get_chroma_and_hue(colour: str) -> tuple[float, float]:
    """How strong a colour is, and its hue in degrees, as `tone` takes them."""
    _, a, b = _to_oklab(colour)
    return math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def check_colour(colour: str) -> str:
    """The colour in small letters. Raises ValueError for what is none."""
    if not isinstance(colour, str) or not _HEX.match(colour):
        raise ValueError(f"'{colour}' is no colour such as #1f5a96")
    return str(colour).lower()


def check_number(value: float, what: str, least: float, most: float) -> float:
    """The number, if it is one within the bounds. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(f"{what} is a number from {least:g} to {most:g}, not '{value}'")
    return float(value)


def _to_oklab(colour: str) -> ColourTriple:
    r, g, b = map(colour_math.linearise_channel, _parse_hex(colour))
    cones = _multiply_matrix(_RGB_TO_LMS, (r, g, b))
    return _multiply_matrix(
        _LMS_TO_OKLAB, (math.cbrt(cones[0]), math.cbrt(cones[1]), math.cbrt(cones[2]))
    )


def _to_linear_rgb(lab: ColourTriple) -> ColourTriple:
    """The shares of red, green and blue light; beyond 0 and 1 where no screen shows the colour."""
    long, middle, short = _multiply_matrix(_OKLAB_TO_LMS, lab)
    return _multiply_matrix(_LMS_TO_RGB, (long**3, middle**3, short**3))


def _to_hex(lab: ColourTriple) -> str:
    parts = (min(1.0, max(0.0, part)) for part in _to_linear_rgb(lab))
    curved = (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in parts)
    return "#" + "".join(f"{round(255 * part):02x}" for part in curved)


def _parse_hex(colour: str) -> ColourTriple:
    """Return the red, green and blue of a colour, 0 to 1."""
    plain = check_colour(colour)
    r, g, b = (int(plain[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return r, g, b


def _multiply_matrix(
    matrix: tuple[ColourTriple, ColourTriple, ColourTriple], vector: ColourTriple
) -> ColourTriple:
    a, b, c = (sum(x * y for x, y in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c

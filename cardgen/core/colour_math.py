"""Colours as RGB from 0 to 1: luminance, contrast, and conversion from other colour spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence

Colour = tuple[float, float, float]
BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
LUMINANCE_WEIGHTS = (0.2126, 0.7152, 0.0722)
"""Shares of red, green and blue in a colour's luminance."""
HEX_PATTERN = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\Z")
"""Pattern of a colour that is written out."""


def linearise_channel(value: float) -> float:
    """Return the light of an sRGB channel, 0 to 1 (IEC 61966-2-1)."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def get_luminance(colour: Colour) -> float:
    """Return the relative luminance of an sRGB colour, 0 to 1 (WCAG 2.1)."""
    r, g, b = (
        weight * linearise_channel(value)
        for value, weight in zip(colour, LUMINANCE_WEIGHTS, strict=True)
    )
    return r + g + b


def parse_hex(text: str) -> str:
    """Return a colour written as `#rgb` or `#rrggbb` as `#rrggbb`, or "" if it is none."""
    if not HEX_PATTERN.match(text):
        return ""
    digits = text[1:].lower()
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def split_hex(colour: str) -> Colour:
    """Return red, green and blue of a colour `#rrggbb`."""
    r, g, b = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return r, g, b


def find_css_colour(name: str) -> str:
    """Return a colour that CSS has a name for as `#rrggbb`, or "" if it has none."""
    from PIL import ImageColor  # noqa: PLC0415 - few games write such names

    found = ImageColor.colormap.get(name.lower(), "")
    # Pillow replaces each colour by its numbers when it is first used.
    return found if isinstance(found, str) else "#" + bytes(found[:3]).hex()


def list_css_colours() -> list[str]:
    """Return the names of the colours of CSS."""
    from PIL import ImageColor  # noqa: PLC0415 - only for a name that is not known

    return list(ImageColor.colormap)


def format_hex(colour: Colour) -> str:
    """Return a colour as `#rrggbb`."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def get_luma(colour: Colour) -> float:
    """Return the grey of a colour in black and white (ITU-R BT.601), as Pillow computes it."""
    return 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]


def get_contrast(colour: Colour, ground: Colour = WHITE) -> float:
    """Return the contrast of two colours (WCAG 2.1), 1 to 21."""
    return get_luminance_contrast(get_luminance(colour), get_luminance(ground))


def get_luminance_contrast(one: float, other: float) -> float:
    """Return the contrast of two luminances, 1 to 21."""
    return (one + 0.05) / (other + 0.05) if one > other else (other + 0.05) / (one + 0.05)


def cmyk_to_rgb(inks: Sequence[float]) -> Colour:
    """Convert cyan, magenta, yellow and black, 0 to 1, without a profile, as screens show them."""
    r, g, b = ((1 - ink) * (1 - inks[3]) for ink in inks[:3])
    return r, g, b


def lab_to_rgb(space: str, values: Sequence[float]) -> Colour:
    """Convert CIE L*a*b* (`lab-d50` or `lab-d65`) to the nearest colour of sRGB."""
    from coloraide import Color  # noqa: PLC0415 - slow to import, and few files need it

    r, g, b = Color(space.removesuffix("-d50"), list(values)).convert("srgb").fit("srgb").coords()
    return r, g, b

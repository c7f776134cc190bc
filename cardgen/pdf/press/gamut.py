"""How far inks lie from the colours that were asked for, as the eye sees it."""

from __future__ import annotations

from coloraide import Color

from cardgen.pdf.press.condition import Cmyk
from cardgen.pdf.press.separating import Rgb, Separator


def distance(separator: Separator, colour: Rgb, inks: Cmyk) -> float:
    """ΔE2000 between a colour on a screen and its inks on the paper."""
    asked = Color("srgb", [part / 255 for part in colour])
    return round(float(asked.delta_e(_printed(separator, inks), method="2000")), 1)


def shown(separator: Separator, inks: Cmyk) -> str:
    """How inks look on the paper, as a screen can show it: "#rrggbb"."""
    return str(_printed(separator, inks).convert("srgb").fit("srgb").to_string(hex=True))


def _printed(separator: Separator, inks: Cmyk) -> Color:
    return Color("lab", list(separator.lab(inks)))

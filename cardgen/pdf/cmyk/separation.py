"""Separation of colours and pictures into the inks of a printing condition, with LittleCMS."""

from __future__ import annotations

import struct
from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

from coloraide import Color
from PIL import Image, ImageCms, ImageMath

from cardgen.core.colour_math import get_luminance
from cardgen.pdf.cmyk.printing_condition import RENDERING_INTENTS, CmykInks, PrintingCondition

RgbBytes = tuple[int, int, int]
_RELATIVE_INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC
_BLACK_POINT_COMPENSATION = ImageCms.Flags.BLACKPOINTCOMPENSATION
_WHITE = (255, 255, 255)
_BLACK, _TINGE, _NEUTRAL = 51, 20, 6
"""Black is no lighter than the first, and its parts are no further apart than the second; of a
neutral grey they are no further apart than the third."""


def is_black(colour: RgbBytes) -> bool:
    """Say if a colour is meant as black: dark, with hardly a tinge."""
    return max(colour) <= _BLACK and max(colour) - min(colour) <= _TINGE


def is_grey(colour: RgbBytes) -> bool:
    """Say if a colour is a grey without a tinge."""
    return max(colour) - min(colour) <= _NEUTRAL


def parse_hex_colour(colour: str) -> RgbBytes:
    """Parse a colour such as "#1f5a96"."""
    value = int(colour[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def format_hex_colour(colour: RgbBytes) -> str:
    """Format a colour as "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


class InkSeparator:
    """Separates colours into inks, each once."""

    def __init__(self, condition: PrintingCondition) -> None:
        self.condition = condition
        self._most = condition.max_ink * 255 // 100
        self._profile = ImageCms.ImageCmsProfile(BytesIO(condition.profile.data))
        self._known: dict[RgbBytes, tuple[CmykInks, float]] = {}

    @cached_property
    def _colour_transform(self) -> Any:
        return self._make_transform(self.condition.intent or "relative")

    @cached_property
    def _picture_transform(self) -> Any:
        return self._make_transform(self.condition.intent or "perceptual")

    def _make_transform(self, word: str) -> Any:
        intent = ImageCms.Intent(RENDERING_INTENTS[word])
        screen = ImageCms.createProfile("sRGB")
        flags = _BLACK_POINT_COMPENSATION if intent == _RELATIVE_INTENT else ImageCms.Flags.NONE
        return ImageCms.buildTransform(screen, self._profile, "RGB", "CMYK", intent, flags)

    def separate_colour(self, colour: RgbBytes) -> tuple[CmykInks, float]:
        """Return the inks of a colour, and its total ink in % without the limit."""
        if colour not in self._known:
            separated, before, _ = self._apply_transform(
                Image.new("RGB", (1, 1), colour), self._colour_transform
            )
            inks: Any = separated.getpixel((0, 0)) if colour != _WHITE else (0, 0, 0, 0)
            c, m, y, k = (round(part / 255, 4) for part in inks)
            self._known[colour] = ((c, m, y, k), before if colour != _WHITE else 0.0)
        return self._known[colour]

    def separate_colours(self, listed: list[RgbBytes]) -> tuple[bytes, float, float]:
        """Return the inks of many colours, four bytes each, and the most ink without and with
        the limit."""
        row = Image.frombytes("RGB", (len(listed), 1), bytes(p for each in listed for p in each))
        separated, before, after = self._apply_transform(row, self._colour_transform)
        return separated.tobytes(), before, after

    def separate_picture(self, image: Image.Image) -> tuple[Image.Image, float, float]:
        """Return an RGB picture in CMYK, and the most ink in % without and with the limit."""
        return self._apply_transform(image, self._picture_transform)

    def separate_grey(self, colour: RgbBytes) -> CmykInks:
        """Return black only, as light as the colour is among what black can be."""
        darkest = 100 - self._black_lightness[-1]
        wanted = (100 - _get_lab_lightness(colour)) * darkest / 100
        at = bisect_left(self._black_lightness, -(100 - wanted), key=lambda found: -found)
        return 0.0, 0.0, 0.0, round(min(at, 255) / 255, 4)

    @cached_property
    def _black_lightness(self) -> list[float]:
        """Lightness (L*) of black alone, from none to all of it, and never rising."""
        row = Image.frombytes("CMYK", (256, 1), bytes(b for k in range(256) for b in (0, 0, 0, k)))
        found = [light for light, _, _ in self._convert_to_lab(row)]
        for at in range(1, 256):
            found[at] = min(found[at], found[at - 1])
        return found

    def get_lab(self, colour: CmykInks) -> tuple[float, float, float]:
        """Return inks as they look on paper: CIE L*a*b*, relative to the paper's white."""
        inks = tuple(round(255 * part) for part in colour)
        return self._convert_to_lab(Image.new("CMYK", (1, 1), inks))[0]

    def _convert_to_lab(self, image: Image.Image) -> list[tuple[float, float, float]]:
        converted = ImageCms.applyTransform(image, self._lab_transform)
        assert converted is not None
        return [
            (lightness / 2.55, float(a), float(b))
            for lightness, a, b in struct.iter_unpack("Bbb", converted.tobytes())
        ]

    @cached_property
    def _lab_transform(self) -> Any:
        space = ImageCms.createProfile("LAB")
        return ImageCms.buildTransform(self._profile, space, "CMYK", "LAB", _RELATIVE_INTENT)

    def _apply_transform(
        self, image: Image.Image, transform: Any
    ) -> tuple[Image.Image, float, float]:
        separated = ImageCms.applyTransform(image, transform)
        assert separated is not None
        before = get_max_ink(separated)
        if before <= self._most:
            return separated, before / 2.55, before / 2.55
        bounded = self._limit_ink(separated)
        return bounded, before / 2.55, get_max_ink(bounded) / 2.55

    def _limit_ink(self, image: Image.Image) -> Image.Image:
        """Reduce the ink of a picture to the limit of the press."""
        c, m, y, k = image.split()
        grey = _compute_image(
            lambda of: of["min"](
                of["min"](of["min"](of["c"], of["m"]), of["y"]),
                of["max"](of["c"] + of["m"] + of["y"] + of["k"] - self._most, 0)
                * 255 / (510 + of["k"]) + 1,
            ) * (of["c"] + of["m"] + of["y"] + of["k"] > self._most),
            c=c, m=m, y=y, k=k,
        )  # fmt: skip
        # Where there is much black already, what it adds to the dark is little.
        black = _compute_image(lambda of: of["k"] + of["x"] * (255 - of["k"]) / 255, k=k, x=grey)
        parts = [_compute_image(lambda of: of["p"] - of["x"], p=part, x=grey) for part in (c, m, y)]
        coloured = _compute_image(
            lambda of: of["c"] + of["m"] + of["y"], c=parts[0], m=parts[1], y=parts[2]
        )
        thinned = [
            _compute_image(
                lambda of: of["min"](of["p"], of["p"] * (self._most - of["k"]) / of["s"]),
                p=part, k=black, s=coloured,
            )
            for part in parts
        ]  # fmt: skip
        return Image.merge("CMYK", [part.convert("L") for part in (*thinned, black)])


def get_max_ink(image: Image.Image) -> int:
    """Return the most ink in a pixel of a CMYK picture, with 255 per ink."""
    c, m, y, k = image.split()
    total = _compute_image(lambda of: of["c"] + of["m"] + of["y"] + of["k"], c=c, m=m, y=y, k=k)
    most: Any = total.getextrema()[1]
    return int(most)


def _compute_image(what: Any, **images: Image.Image) -> Image.Image:
    """Compute an image of integers, pixel by pixel."""
    expression = {name: image.convert("I") for name, image in images.items()}
    made: Image.Image = ImageMath.lambda_eval(what, **expression)
    return made


def _get_lab_lightness(colour: RgbBytes) -> float:
    """Return L* of an sRGB colour."""
    r, g, b = (part / 255 for part in colour)
    y = get_luminance((r, g, b))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@lru_cache(maxsize=2)
def get_separator(condition: PrintingCondition) -> InkSeparator:
    """Return the separator of a condition, cached in this process."""
    return InkSeparator(condition)


def measure_colour_distance(separator: InkSeparator, colour: RgbBytes, inks: CmykInks) -> float:
    """Return ΔE2000 between a colour on a screen and its inks on paper."""
    wanted = Color("srgb", [part / 255 for part in colour])
    return round(float(wanted.delta_e(_get_printed_colour(separator, inks), method="2000")), 1)


def preview_inks(separator: InkSeparator, inks: CmykInks) -> str:
    """Return how inks look on paper, as the nearest screen colour "#rrggbb"."""
    return str(_get_printed_colour(separator, inks).convert("srgb").fit("srgb").to_string(hex=True))


def _get_printed_colour(separator: InkSeparator, inks: CmykInks) -> Color:
    return Color("lab", list(separator.get_lab(inks)))


@dataclass
class SeparationRecord:
    """Record of the colours of a page, form or picture while they became inks.

    `colours` maps each colour to its inks. `declared` are colours that were written as inks.
    `spots` are the names of spot inks. `unlimited_ink` and `limited_ink` are the most ink in %,
    without and with the limit.
    """

    colours: dict[RgbBytes, CmykInks] = field(default_factory=dict)
    declared: set[CmykInks] = field(default_factory=set)
    spots: set[str] = field(default_factory=set)
    unlimited_ink: float = 0.0
    limited_ink: float = 0.0

    def record_ink(self, before: float, after: float) -> None:
        """Record the ink that a colour takes, without and with the limit."""
        self.unlimited_ink = max(self.unlimited_ink, before)
        self.limited_ink = max(self.limited_ink, after)

    def merge(self, other: SeparationRecord) -> None:
        """Add the record of something that is drawn on this."""
        self.colours.update(other.colours)
        self.declared |= other.declared
        self.spots |= other.spots
        self.record_ink(other.unlimited_ink, other.limited_ink)

    @property
    def rich_blacks(self) -> list[CmykInks]:
        """Blacks of several inks that the designer declared."""
        return sorted(each for each in self.declared if each[3] >= 0.9 and sum(each[:3]) > 0)

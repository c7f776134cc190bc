"""Colours and pictures turned into the inks of a printing condition, with LittleCMS.

Colours are RGB from 0 to 255 and come from sRGB. What would take more ink than the press does loses
of its cyan, magenta and yellow: first what is grey of the three becomes black, then they are
thinned.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms, ImageMath

from cardgen.pdf.inks import luminance
from cardgen.pdf.press.condition import INTENTS, Cmyk, Condition

Rgb = tuple[int, int, int]
_RELATIVE = ImageCms.Intent.RELATIVE_COLORIMETRIC
_KEEPS_BLACKS = ImageCms.Flags.BLACKPOINTCOMPENSATION
_WHITE = (255, 255, 255)
_BLACK, _TINGE, _NEUTRAL = 51, 20, 6
"""Black is no lighter than the first, and its parts are no further apart than the second; of a
neutral grey they are no further apart than the third."""


def is_black(colour: Rgb) -> bool:
    """Whether a colour is meant as black: dark, with hardly a tinge."""
    return max(colour) <= _BLACK and max(colour) - min(colour) <= _TINGE


def is_grey(colour: Rgb) -> bool:
    """Whether a colour is a grey without a tinge."""
    return max(colour) - min(colour) <= _NEUTRAL


def rgb_of(colour: str) -> Rgb:
    """A colour written "#rrggbb"."""
    value = int(colour[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def hex_of(colour: Rgb) -> str:
    """A colour as it is written, "#rrggbb"."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


class Separator:
    """Turns colours into inks, each once."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self._most = condition.ink * 255 // 100
        self._profile = ImageCms.ImageCmsProfile(BytesIO(condition.profile.data))
        self._known: dict[Rgb, tuple[Cmyk, float]] = {}

    @cached_property
    def _of_colours(self) -> Any:
        return self._transform(self.condition.intent or "relative")

    @cached_property
    def _of_pictures(self) -> Any:
        return self._transform(self.condition.intent or "perceptual")

    def _transform(self, word: str) -> Any:
        intent = ImageCms.Intent(INTENTS[word])
        screen = ImageCms.createProfile("sRGB")
        flags = _KEEPS_BLACKS if intent == _RELATIVE else ImageCms.Flags.NONE
        return ImageCms.buildTransform(screen, self._profile, "RGB", "CMYK", intent, flags)

    def colour(self, colour: Rgb) -> tuple[Cmyk, float]:
        """The inks of a colour, and how much of them, in %, it would take without a bound."""
        if colour not in self._known:
            made, before, _ = self._separated(Image.new("RGB", (1, 1), colour), self._of_colours)
            inks: Any = made.getpixel((0, 0)) if colour != _WHITE else (0, 0, 0, 0)
            c, m, y, k = (round(part / 255, 4) for part in inks)
            self._known[colour] = ((c, m, y, k), before if colour != _WHITE else 0.0)
        return self._known[colour]

    def colours(self, listed: list[Rgb]) -> tuple[bytes, float, float]:
        """The inks of colours in a row, four bytes each, and how much they take at most, in %:
        without a bound, and with it."""
        row = Image.frombytes("RGB", (len(listed), 1), bytes(p for each in listed for p in each))
        made, before, after = self._separated(row, self._of_colours)
        return made.tobytes(), before, after

    def picture(self, image: Image.Image) -> tuple[Image.Image, float, float]:
        """An RGB picture in CMYK, and how much ink it takes at most, in %: without a bound, and
        with it."""
        return self._separated(image, self._of_pictures)

    def grey(self, colour: Rgb) -> Cmyk:
        """Black alone, as light as the colour among what black alone can be."""
        darkest = 100 - self._lightness[-1]
        wanted = (100 - _lab_lightness(colour)) * darkest / 100
        at = bisect_left(self._lightness, -(100 - wanted), key=lambda found: -found)
        return 0.0, 0.0, 0.0, round(min(at, 255) / 255, 4)

    @cached_property
    def _lightness(self) -> list[float]:
        """How light (L*) black alone is, from none of it to all of it, and never lighter again."""
        row = Image.frombytes("CMYK", (256, 1), bytes(b for k in range(256) for b in (0, 0, 0, k)))
        found = [light for light, _, _ in self._labs(row)]
        for at in range(1, 256):
            found[at] = min(found[at], found[at - 1])
        return found

    def lab(self, colour: Cmyk) -> tuple[float, float, float]:
        """How inks look on the paper: CIE L*a*b*, its white being the paper's."""
        inks = tuple(round(255 * part) for part in colour)
        return self._labs(Image.new("CMYK", (1, 1), inks))[0]

    def _labs(self, image: Image.Image) -> list[tuple[float, float, float]]:
        made = ImageCms.applyTransform(image, self._to_lab)
        assert made is not None
        return [
            (lightness / 2.55, float(a), float(b))
            for lightness, a, b in struct.iter_unpack("Bbb", made.tobytes())
        ]

    @cached_property
    def _to_lab(self) -> Any:
        space = ImageCms.createProfile("LAB")
        return ImageCms.buildTransform(self._profile, space, "CMYK", "LAB", _RELATIVE)

    def _separated(self, image: Image.Image, transform: Any) -> tuple[Image.Image, float, float]:
        made = ImageCms.applyTransform(image, transform)
        assert made is not None
        before = most_of(made)
        if before <= self._most:
            return made, before / 2.55, before / 2.55
        bounded = self._bounded(made)
        return bounded, before / 2.55, most_of(bounded) / 2.55

    def _bounded(self, image: Image.Image) -> Image.Image:
        """The picture with so much ink as the press takes at most."""
        c, m, y, k = image.split()
        grey = _reckon(
            lambda of: of["min"](
                of["min"](of["min"](of["c"], of["m"]), of["y"]),
                of["max"](of["c"] + of["m"] + of["y"] + of["k"] - self._most, 0)
                * 255 / (510 + of["k"]) + 1,
            ) * (of["c"] + of["m"] + of["y"] + of["k"] > self._most),
            c=c, m=m, y=y, k=k,
        )  # fmt: skip
        # Where there is much black already, what it adds to the dark is little.
        black = _reckon(lambda of: of["k"] + of["x"] * (255 - of["k"]) / 255, k=k, x=grey)
        parts = [_reckon(lambda of: of["p"] - of["x"], p=part, x=grey) for part in (c, m, y)]
        coloured = _reckon(
            lambda of: of["c"] + of["m"] + of["y"], c=parts[0], m=parts[1], y=parts[2]
        )
        thinned = [
            _reckon(
                lambda of: of["min"](of["p"], of["p"] * (self._most - of["k"]) / of["s"]),
                p=part, k=black, s=coloured,
            )
            for part in parts
        ]  # fmt: skip
        return Image.merge("CMYK", [part.convert("L") for part in (*thinned, black)])


def most_of(image: Image.Image) -> int:
    """The most of all inks together in a pixel of a CMYK picture, of 255 each."""
    c, m, y, k = image.split()
    total = _reckon(lambda of: of["c"] + of["m"] + of["y"] + of["k"], c=c, m=m, y=y, k=k)
    most: Any = total.getextrema()[1]
    return int(most)


def _reckon(what: Any, **images: Image.Image) -> Image.Image:
    """A picture of whole numbers, reckoned pixel by pixel."""
    whole = {name: image.convert("I") for name, image in images.items()}
    made: Image.Image = ImageMath.lambda_eval(what, **whole)
    return made


def _lab_lightness(colour: Rgb) -> float:
    """L* of an sRGB colour."""
    r, g, b = (part / 255 for part in colour)
    y = luminance((r, g, b))
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


@lru_cache(maxsize=2)
def separator(condition: Condition) -> Separator:
    """The separator of a condition, kept in this process."""
    return Separator(condition)

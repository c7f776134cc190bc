"""What may be wrong with a face once it is painted, as a reader of the card would see it.

Words under a box or upon other words, words in the colour of their ground, grounds that end at the
cut, pictures with too few pixels: (kind, severity, template line, message). What is not known for
sure is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from cardgen.base.problems import Severity
from cardgen.base.units import MM_PER_INCH
from cardgen.faces.painted import Item, Rect
from cardgen.pdf.inks import WHITE, Colour, luminance

_OPAQUE = 0.98
_LEAST_CONTRAST = 1.2
# Letters larger than the first, mm, may be as pale as the second: they adorn.
_LARGE, _FAINT = 6.3, 1.03
# Of two words upon each other: sizes as different as the first and colours as different as the
# second are meant so.
_SIZES, _APART = 2.5, 2.5
_FEWEST_DPI, _GOOD_DPI = 150, 300
_PLACES = 9
_NEARLY_ALL = 0.75
_FEW_PLACES = 3
# Parts of colours, 0 to 1, that are nearer than this are one colour to the eye.
_SAME = 0.06
Finding = tuple[str, Severity, str, str]
Pixel = tuple[float, float, float, float]
Looked = Callable[[str, float, float], Pixel | None]
"""The colour and opacity of a picture, by its name, at a place of it from 0, 0 to 1, 1; None when
that is not known."""


@dataclass(frozen=True)
class Sheet:
    """The face's page: its trim's size and the bleed around it, mm."""

    width: float
    height: float
    bleed: float


class _Stack:
    """What is painted, lowest first, asked for what meets a box."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self._sides = [(i.box.left, i.box.top, i.box.right, i.box.bottom) for i in items]

    def meeting(self, box: Rect, start: int, stop: int) -> list[int]:
        """The numbers of those from `start` until `stop` that meet a box."""
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        return [
            number
            for number, (x, y, far, low) in enumerate(self._sides[start:stop], start)
            if x < right and far > left and y < bottom and low > top
        ]


def found(items: Sequence[Item], sheet: Sheet, looked: Looked) -> list[Finding]:
    """All that is wrong with a face, each once for a line of the template."""
    told: dict[tuple[str, str], Finding] = {}
    stack = _Stack(items)
    for finding in (
        *_hidden(stack, looked),
        *_crossed(stack),
        *_invisible(stack),
        *_short(items, sheet, looked),
    ):
        told.setdefault((finding[0], finding[2]), finding)
    return list(told.values())


def _readable(item: Item) -> bool:
    """Words that can be judged: straight, opaque, and not meant to lie among others."""
    straight = item.straight and item.alpha >= _OPAQUE
    return item.kind == "text" and straight and not item.place.overlaps


def _hidden(stack: _Stack, looked: Looked) -> Iterator[Finding]:
    """Words with a box painted over them."""
    for index, item in enumerate(stack.items):
        if not _readable(item):
            continue
        for number in stack.meeting(item.box, index + 1, len(stack.items)):
            cover = stack.items[number]
            if cover.kind == "text" or cover.place.overlaps or not cover.straight:
                continue
            both = cover.box.meets(item.box)
            if both and _takes_letters(both, item) and _covers(cover, both, looked):
                by = f" by what {cover.place.at} paints over it" if cover.place.at else ""
                message = f"'{_short_words(item)}' is covered{by}, in whole or in part"
                yield "overlap", "warning", item.place.at, message
                break


def _takes_letters(both: Rect, item: Item) -> bool:
    """Whether a letter or more of words is lost where both meet, or all of an icon."""
    if item.icon:
        return both.width >= 0.95 * item.box.width and both.height >= 0.95 * item.box.height
    wide = min(0.8 * item.box.width, 0.8 * item.size)
    return both.width >= wide and both.height >= 0.7 * item.box.height


def _covers(cover: Item, both: Rect, looked: Looked) -> bool:
    if cover.alpha < _OPAQUE:
        return False
    if cover.kind == "ground":
        return True
    spots = [
        _spot(cover, looked, both.left + both.width * x, both.top + both.height * y)
        for x in (0.1, 0.3, 0.5, 0.7, 0.9)
        for y in (0.2, 0.5, 0.8)
    ]
    return all(spot is not None and spot[3] >= _OPAQUE for spot in spots)


def _spot(picture: Item, looked: Looked, x: float, y: float) -> Pixel | None:
    """A picture's colour and opacity at a place of the page."""
    whole = picture.whole
    if not picture.name or not whole.width or not whole.height or not whole.holds(x, y):
        return None
    return looked(picture.name, (x - whole.left) / whole.width, (y - whole.top) / whole.height)


def _crossed(stack: _Stack) -> Iterator[Finding]:
    """Words upon other words, both of text."""
    for index, upper in enumerate(stack.items):
        if not _readable(upper) or upper.icon:
            continue
        below = stack.meeting(upper.box, 0, index)
        for number in reversed(below):
            lower = stack.items[number]
            both = lower.box.meets(upper.box)
            if lower.kind != "text":
                break  # a ground or picture parts them; what is covered is told as that
            if both and _readable(lower) and not lower.icon and _is_muddle(lower, upper, both):
                of = f" of {lower.place.at}" if lower.place.at != upper.place.at else ""
                message = f"'{_short_words(upper)}' is printed upon '{_short_words(lower)}'{of}"
                yield "overlap", "warning", upper.place.at, message
                break


def _is_muddle(lower: Item, upper: Item, both: Rect) -> bool:
    if lower.place.block == upper.place.block or lower.words == upper.words:
        return False
    small, large = sorted((lower.size, upper.size))
    deep = both.height >= 0.35 * min(lower.box.height, upper.box.height)
    wide = both.width >= 0.5 * small
    apart = contrast(lower.colour or WHITE, upper.colour or WHITE) > _APART
    return deep and wide and large <= _SIZES * small and not apart


def _invisible(stack: _Stack) -> Iterator[Finding]:
    """Words in the colour of what lies under them, where that is one colour."""
    for index, item in enumerate(stack.items):
        if item.kind != "text" or not item.colour or item.place.overlaps or not item.straight:
            continue
        ground = _ground(stack, index)
        if ground is None or not item.alpha:
            continue
        ink = _mixed(item.colour, ground, item.alpha)
        if contrast(ink, ground) < (_FAINT if item.size > _LARGE else _LEAST_CONTRAST):
            message = (
                f"'{_short_words(item)}' is printed in {_hex(ink)} on {_hex(ground)}, where nobody "
                "can read it"
            )
            yield "contrast", "warning", item.place.at, message


def _ground(stack: _Stack, index: int) -> Colour | None:
    """The one colour that words stand on; None where it is not known."""
    item = stack.items[index]
    below = stack.meeting(item.box, 0, index)
    if not below:
        return WHITE
    other = stack.items[below[-1]]
    if other.kind == "text" or not other.straight:  # upon an icon, say
        return None
    if other.colour is None or other.alpha < _OPAQUE or not _within(item.box, other.box):
        return None
    return other.colour


def _within(inner: Rect, outer: Rect) -> bool:
    slack = 0.05
    return (
        outer.left <= inner.left + slack
        and outer.right >= inner.right - slack
        and outer.top <= inner.top + slack
        and outer.bottom >= inner.bottom - slack
    )


def _mixed(colour: Colour, ground: Colour, alpha: float) -> Colour:
    red, green, blue = (
        alpha * over + (1 - alpha) * under for over, under in zip(colour, ground, strict=True)
    )
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.1)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _short(items: Sequence[Item], sheet: Sheet, looked: Looked) -> Iterator[Finding]:
    """A ground, a band or a picture that reaches the cut and ends there."""
    if sheet.bleed < 1:
        return
    grounds = [item for item in items if item.kind != "text"]
    if any(not item.straight for item in grounds):
        return
    sides: dict[tuple[str, str], list[str]] = {}
    for side in ("left", "top", "right", "bottom"):
        within: dict[tuple[str, str], list[bool]] = {}
        outer = _along(sheet, side, sheet.bleed * 0.4)
        inner = _along(sheet, side, sheet.bleed + 0.3)
        for beyond, near in zip(outer, inner, strict=True):
            item = _topmost(grounds, *near)
            if item is not None and not item.place.unsafe:
                ends = not item.box.holds(*beyond) and _differs(item, near, grounds, beyond, looked)
                within.setdefault((item.place.at, item.kind), []).append(ends)
        for painted, ends_there in within.items():
            if sum(ends_there) >= max(_FEW_PLACES, _NEARLY_ALL * len(ends_there)):
                sides.setdefault(painted, []).append(side)
    for (at, kind), which in sides.items():
        message = (
            f"the {kind} ends at the cut ({', '.join(which)}); run it {sheet.bleed:g} mm further, "
            "as the class bleed does, or an edge shows where the knife slips"
        )
        yield "bleed", "warning", at, message


def _differs(
    item: Item,
    near: tuple[float, float],
    grounds: Sequence[Item],
    beyond: tuple[float, float],
    looked: Looked,
) -> bool:
    """Whether the colour within the cut is known not to be that beyond it."""
    under = _topmost(grounds, *beyond)
    one = _colour_at(item, near, looked)
    other = _colour_at(under, beyond, looked) if under else WHITE
    if one is None or other is None:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > _SAME


def _colour_at(item: Item, at: tuple[float, float], looked: Looked) -> Colour | None:
    """What covers a place; None where it is not known, or something shines through."""
    if item.colour is not None:
        return item.colour if item.alpha >= _OPAQUE else None
    spot = _spot(item, looked, *at)
    return spot[:3] if spot is not None and spot[3] >= _OPAQUE else None


def _along(sheet: Sheet, side: str, deep: float) -> list[tuple[float, float]]:
    """Places along a side of the face, so deep (mm) in from its outermost edge."""
    across, down = sheet.width + 2 * sheet.bleed, sheet.height + 2 * sheet.bleed
    found_: list[tuple[float, float]] = []
    for number in range(_PLACES):
        part = (number + 0.5) / _PLACES
        x = sheet.bleed + part * sheet.width
        y = sheet.bleed + part * sheet.height
        found_.append(
            {
                "left": (deep, y), "right": (across - deep, y),
                "top": (x, deep), "bottom": (x, down - deep),
            }[side]
        )  # fmt: skip
    return found_


def _topmost(grounds: Sequence[Item], x: float, y: float) -> Item | None:
    return next((item for item in reversed(grounds) if item.box.holds(x, y)), None)


def coarse(items: Sequence[Item], rasters: Mapping[str, str]) -> Iterator[Finding]:
    """Pictures whose pixels can be seen; `rasters` tells those that have any by their names."""
    for item in items:
        if item.pixels is None or not item.smooth or item.name not in rasters:
            continue
        across, down = item.pixels
        dpi = min(across / item.whole.width, down / item.whole.height) * 25.4
        if dpi < _FEWEST_DPI:
            wide, tall = (
                round(side / 25.4 * _GOOD_DPI) for side in (item.whole.width, item.whole.height)
            )
            message = (
                f"{dpi:.0f} dpi: {across} × {down} px on {item.whole.width:.0f} × "
                f"{item.whole.height:.0f} mm; {wide} × {tall} px print sharp"
            )
            yield "resolution", "warning", rasters[item.name], message


def shown_pixels(
    items: Sequence[Item], rasters: Mapping[str, str], most_dpi: float
) -> dict[str, tuple[int, int]]:
    """How many pixels of each picture can be told apart, printed at that resolution: those that
    are meant to be seen, all."""
    found: dict[str, tuple[int, int]] = {}
    for item in items:
        if item.pixels is None or item.name not in rasters:
            continue
        sides = zip(item.pixels, (item.whole.width, item.whole.height), strict=True)
        across, down = (
            min(pixels, ceil(side / MM_PER_INCH * most_dpi)) if item.smooth else pixels
            for pixels, side in sides
        )
        known = found.get(rasters[item.name], (0, 0))
        found[rasters[item.name]] = max(known[0], across), max(known[1], down)
    return found


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def _short_words(item: Item) -> str:
    words = "icon" if item.icon else item.words
    return words if len(words) <= 24 else words[:23] + "…"

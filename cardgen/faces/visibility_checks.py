"""Checks of a painted face as a reader sees it.

Covered or overprinted words, words in the colour of their background, backgrounds that end at
the cut, pictures with too few pixels. A finding is (kind, severity, template line, message).
Uncertain cases are not reported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from cardgen.core.colour_math import WHITE, Colour, format_hex, get_contrast
from cardgen.core.problems import Severity, shorten
from cardgen.core.units import MM_PER_INCH
from cardgen.faces.paint_recorder import PaintBox, PaintedItem
from cardgen.game.look_templates import LOOK_PREFIX

_MIN_OPAQUE_ALPHA = 0.98
_MIN_CONTRAST = 1.2
# Letters larger than the first (mm) may have the contrast of the second: they are decoration.
_LARGE, _FAINT = 6.3, 1.03
# Overlapping words with sizes (ratio) or colours (contrast) that differ more than this are
# intended.
_SIZES, _APART = 2.5, 2.5
_FEWEST_DPI, _GOOD_DPI = 150, 300
_LEAST_SHOWN_SHARE = 0.67
"""Share of a picture's width or height below which a place crops too much of it."""
_SAMPLES_PER_SIDE = 9
_NEARLY_ALL_SHARE = 0.75
_MIN_SAMPLES = 3
# Channels of colours (0 to 1) that differ less look the same.
_MAX_COLOUR_DIFFERENCE = 0.06
_LEAST_GAP_MM = 0.3
"""A strip so narrow beside a picture is nothing that anybody sees."""
Finding = tuple[str, Severity, str, str]
SampledPixel = tuple[float, float, float, float]
PixelLookup = Callable[[str, float, float], SampledPixel | None]
"""Returns the colour and opacity of a picture at a position from 0, 0 to 1, 1; None if unknown.
"""


@dataclass(frozen=True)
class FacePage:
    """Trim size and bleed of a face, mm."""

    width: float
    height: float
    bleed: float


class _PaintStack:
    """Painted items, lowest first, with a query for overlaps."""

    def __init__(self, items: Sequence[PaintedItem]) -> None:
        self.items = items
        self._sides = [(i.box.left, i.box.top, i.box.right, i.box.bottom) for i in items]

    def find_meeting(self, box: PaintBox, start: int, stop: int) -> list[int]:
        """Return the indexes from `start` to `stop` of items that overlap a box."""
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        return [
            number
            for number, (x, y, far, low) in enumerate(self._sides[start:stop], start)
            if x < right and far > left and y < bottom and low > top
        ]


def check_paint(
    items: Sequence[PaintedItem],
    sheet: FacePage,
    sample_pixel: PixelLookup,
    pictures: Mapping[str, str],
) -> list[Finding]:
    """Return all findings of a face, one per kind and template line or picture.

    `pictures` maps WeasyPrint's names of pictures to file names.
    """
    findings: dict[tuple[str, str], Finding] = {}
    stack = _PaintStack(items)
    for finding in (
        *_check_hidden_text(stack, sample_pixel),
        *_check_crossed_text(stack),
        *_check_invisible_text(stack),
        *_check_edges(items, sheet, sample_pixel, pictures),
        *_check_gaps(items, sheet, pictures),
    ):
        findings.setdefault((finding[0], finding[2]), finding)
    return list(findings.values())


def _is_readable(item: PaintedItem) -> bool:
    """Return True for words that can be checked: upright, opaque, not meant to overlap."""
    straight = item.is_straight and item.alpha >= _MIN_OPAQUE_ALPHA
    return item.kind == "text" and straight and not item.origin.may_overlap


def _check_hidden_text(stack: _PaintStack, sample_pixel: PixelLookup) -> Iterator[Finding]:
    """Yield findings about words with a box painted over them."""
    for index, item in enumerate(stack.items):
        if not _is_readable(item):
            continue
        for number in stack.find_meeting(item.box, index + 1, len(stack.items)):
            cover = stack.items[number]
            if cover.kind == "text" or cover.origin.may_overlap or not cover.is_straight:
                continue
            both = cover.box.intersect(item.box)
            if both and _is_hiding_letters(both, item) and _is_covering(cover, both, sample_pixel):
                location = cover.origin.location
                by = f" by what {location} paints over it" if location else ""
                message = f"'{_shorten_words(item)}' is covered{by}, in whole or in part"
                yield "overlap", "warning", item.origin.location, message
                break


def _is_hiding_letters(both: PaintBox, item: PaintedItem) -> bool:
    """Return True if the area hides at least a letter of the words, or all of an icon."""
    if item.is_icon:
        return both.width >= 0.95 * item.box.width and both.height >= 0.95 * item.box.height
    wide = min(0.8 * item.box.width, 0.8 * item.size)
    return both.width >= wide and both.height >= 0.7 * item.box.height


def _is_covering(cover: PaintedItem, both: PaintBox, sample_pixel: PixelLookup) -> bool:
    if cover.alpha < _MIN_OPAQUE_ALPHA:
        return False
    if cover.kind == "ground":
        return True
    spots = [
        _sample_image(cover, sample_pixel, both.left + both.width * x, both.top + both.height * y)
        for x in (0.1, 0.3, 0.5, 0.7, 0.9)
        for y in (0.2, 0.5, 0.8)
    ]
    return all(spot is not None and spot[3] >= _MIN_OPAQUE_ALPHA for spot in spots)


def _sample_image(
    picture: PaintedItem, sample_pixel: PixelLookup, x: float, y: float
) -> SampledPixel | None:
    """Return a picture's colour and opacity at a point of the page."""
    whole = picture.whole_box
    if not picture.name or not whole.width or not whole.height or not whole.contains_point(x, y):
        return None
    return sample_pixel(
        picture.name, (x - whole.left) / whole.width, (y - whole.top) / whole.height
    )


def _check_crossed_text(stack: _PaintStack) -> Iterator[Finding]:
    """Yield findings about words painted on other words."""
    for index, upper in enumerate(stack.items):
        if not _is_readable(upper) or upper.is_icon:
            continue
        below = stack.find_meeting(upper.box, 0, index)
        for number in reversed(below):
            lower = stack.items[number]
            both = lower.box.intersect(upper.box)
            if lower.kind != "text":
                break  # a background separates them; covered words are reported elsewhere
            if not both or lower.is_icon or not _is_readable(lower):
                continue
            if _is_illegible_overlap(lower, upper, both):
                location = lower.origin.location
                of = f" of {location}" if location != upper.origin.location else ""
                message = f"'{_shorten_words(upper)}' is printed over '{_shorten_words(lower)}'{of}"
                yield "overlap", "warning", upper.origin.location, message
                break


def _is_illegible_overlap(lower: PaintedItem, upper: PaintedItem, both: PaintBox) -> bool:
    if lower.origin.block == upper.origin.block or lower.words == upper.words:
        return False
    small, large = sorted((lower.size, upper.size))
    deep = both.height >= 0.35 * min(lower.box.height, upper.box.height)
    wide = both.width >= 0.5 * small
    is_distinct = get_contrast(lower.colour or WHITE, upper.colour or WHITE) > _APART
    return deep and wide and large <= _SIZES * small and not is_distinct


def _check_invisible_text(stack: _PaintStack) -> Iterator[Finding]:
    """Yield findings about words in the colour of a plain background."""
    for index, item in enumerate(stack.items):
        if (
            item.kind != "text"
            or not item.colour
            or item.origin.may_overlap
            or not item.is_straight
        ):
            continue
        ground = _find_ground(stack, index)
        if ground is None or not item.alpha:
            continue
        ink = _mix_colours(item.colour, ground, item.alpha)
        if get_contrast(ink, ground) < (_FAINT if item.size > _LARGE else _MIN_CONTRAST):
            colours = f"{format_hex(ink)} on {format_hex(ground)}"
            message = f"'{_shorten_words(item)}' is printed in {colours}, which nobody can read"
            yield "contrast", "warning", item.origin.location, message


def _find_ground(stack: _PaintStack, index: int) -> Colour | None:
    """Return the one colour under words, or None if unknown."""
    item = stack.items[index]
    below = stack.find_meeting(item.box, 0, index)
    if not below:
        return WHITE
    other = stack.items[below[-1]]
    if other.kind == "text" or not other.is_straight:  # on an icon, for example
        return None
    if (
        other.colour is None
        or other.alpha < _MIN_OPAQUE_ALPHA
        or not _is_within(item.box, other.box)
    ):
        return None
    return other.colour


def _is_within(inner: PaintBox, outer: PaintBox) -> bool:
    slack = 0.05
    return (
        outer.left <= inner.left + slack
        and outer.right >= inner.right - slack
        and outer.top <= inner.top + slack
        and outer.bottom >= inner.bottom - slack
    )


def _mix_colours(colour: Colour, ground: Colour, alpha: float) -> Colour:
    red, green, blue = (
        alpha * over + (1 - alpha) * below for over, below in zip(colour, ground, strict=True)
    )
    return red, green, blue


def _check_edges(
    items: Sequence[PaintedItem],
    sheet: FacePage,
    sample_pixel: PixelLookup,
    pictures: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield findings about backgrounds, bands and pictures that end at the cut."""
    if sheet.bleed < 1:
        return
    grounds = [item for item in items if item.kind != "text"]
    if any(not item.is_straight for item in grounds):
        return
    sides: dict[tuple[str, str, str], list[str]] = {}
    for side in ("left", "top", "right", "bottom"):
        within: dict[tuple[str, str, str], list[bool]] = {}
        outer = _list_edge_points(sheet, side, sheet.bleed * 0.4)
        inner = _list_edge_points(sheet, side, sheet.bleed + 0.3)
        for beyond, inside in zip(outer, inner, strict=True):
            item = _find_topmost(grounds, *inside)
            if item is not None and not item.origin.unsafe_allowed:
                ends = not item.box.contains_point(*beyond) and _is_different(
                    item, inside, grounds, beyond, sample_pixel
                )
                name = pictures.get(item.name, "")
                within.setdefault((item.origin.location, item.kind, name), []).append(ends)
        for painted, ends_there in within.items():
            if sum(ends_there) >= max(_MIN_SAMPLES, _NEARLY_ALL_SHARE * len(ends_there)):
                sides.setdefault(painted, []).append(side)
    for (at, kind, name), which in sides.items():
        message = (
            f"the {kind} ends at the cut ({', '.join(which)}); run it {sheet.bleed:g} mm further, "
            "as the class bleed does, or an edge shows where the knife slips"
        )
        if name:
            message = (
                f"the picture ends at the cut ({', '.join(which)}), where an edge shows if the "
                f"knife slips; draw it {sheet.bleed:g} mm larger there, or run it further in the "
                "template, as the class bleed does"
            )
        yield "bleed", "warning", name or at, message


def _check_gaps(
    items: Sequence[PaintedItem], sheet: FacePage, pictures: Mapping[str, str]
) -> Iterator[Finding]:
    """Yield findings about pictures that fill the card one way and leave two white strips."""
    across, down = sheet.width + 2 * sheet.bleed, sheet.height + 2 * sheet.bleed
    for item in items:
        if item.name not in pictures or not item.is_straight:
            continue
        box = item.box
        strips = {
            "left and right": (box.left, across - box.right, across),
            "top and bottom": (box.top, down - box.bottom, down),
        }
        if not any(max(first, last) <= _LEAST_GAP_MM for first, last, _ in strips.values()):
            continue
        for sides, (first, last, whole) in strips.items():
            is_centred = min(first, last) > _LEAST_GAP_MM and abs(first - last) < 0.5
            others = (
                each.box for each in items if each is not item and each.colour != WHITE
            )  # fmt: skip
            if is_centred and first + last < whole / 2 and all(
                _is_within(other, box) for other in others
            ):  # fmt: skip
                shape = _divide(PaintBox(0, 0, across, down))
                message = (
                    f"the picture leaves {first:.1f} mm white ({sides}), since its shape is not "
                    f"that of a card with bleed, {across:g} × {down:g} mm; crop it to {shape} or "
                    "let it cover the card: object-fit: cover"
                )
                yield "bleed", "warning", pictures[item.name], message


def _is_different(
    item: PaintedItem,
    inside: tuple[float, float],
    grounds: Sequence[PaintedItem],
    beyond: tuple[float, float],
    sample_pixel: PixelLookup,
) -> bool:
    """Return True if the colours inside and beyond the cut certainly differ."""
    below = _find_topmost(grounds, *beyond)
    one = _find_colour(item, inside, sample_pixel)
    other = _find_colour(below, beyond, sample_pixel) if below else WHITE
    if one is None or other is None:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > _MAX_COLOUR_DIFFERENCE


def _find_colour(
    item: PaintedItem, at: tuple[float, float], sample_pixel: PixelLookup
) -> Colour | None:
    """Return the opaque colour of an item at a point, or None if unknown."""
    if item.colour is not None:
        return item.colour if item.alpha >= _MIN_OPAQUE_ALPHA else None
    spot = _sample_image(item, sample_pixel, *at)
    return spot[:3] if spot is not None and spot[3] >= _MIN_OPAQUE_ALPHA else None


def _list_edge_points(sheet: FacePage, side: str, deep: float) -> list[tuple[float, float]]:
    """Return points along a side, at a distance in mm from the outermost edge."""
    across, down = sheet.width + 2 * sheet.bleed, sheet.height + 2 * sheet.bleed
    found_: list[tuple[float, float]] = []
    for number in range(_SAMPLES_PER_SIDE):
        part = (number + 0.5) / _SAMPLES_PER_SIDE
        x = sheet.bleed + part * sheet.width
        y = sheet.bleed + part * sheet.height
        found_.append(
            {
                "left": (deep, y), "right": (across - deep, y),
                "top": (x, deep), "bottom": (x, down - deep),
            }[side]
        )  # fmt: skip
    return found_


def _find_topmost(grounds: Sequence[PaintedItem], x: float, y: float) -> PaintedItem | None:
    return next((item for item in reversed(grounds) if item.box.contains_point(x, y)), None)


def check_resolution(items: Sequence[PaintedItem], rasters: Mapping[str, str]) -> Iterator[Finding]:
    """Yield findings about pictures with visible pixels.

    `rasters` maps WeasyPrint's names of raster pictures to file names.
    """
    for item in items:
        if item.pixels is None or not item.is_smooth or item.name not in rasters:
            continue
        across, down = item.pixels
        dpi = min(across / item.whole_box.width, down / item.whole_box.height) * 25.4
        if dpi < _FEWEST_DPI:
            wide, tall = (
                round(side / 25.4 * _GOOD_DPI)
                for side in (item.whole_box.width, item.whole_box.height)
            )
            message = (
                f"{dpi:.0f} dpi: {across} × {down} px on {item.whole_box.width:.0f} × "
                f"{item.whole_box.height:.0f} mm; {wide} × {tall} px print sharp"
            )
            yield "resolution", "warning", rasters[item.name], message


def check_cropping(items: Sequence[PaintedItem], pictures: Mapping[str, str]) -> Iterator[Finding]:
    """Yield findings about pictures of which the place of a look shows little.

    `pictures` maps WeasyPrint's names of pictures to file names.
    """
    for item in items:
        is_looks = item.origin.location.startswith(LOOK_PREFIX)
        if item.name not in pictures or not is_looks or not item.is_straight:
            continue
        box, whole = item.box, item.whole_box
        across, down = box.width / whole.width, box.height / whole.height
        if min(across, down) < _LEAST_SHOWN_SHARE:
            sides = "left and right" if across < down else "top and bottom"
            message = (
                f"{1 - min(across, down):.0%} of the picture is cropped ({sides}), since its place "
                f"has {box.width:.0f} × {box.height:.0f} mm; to choose what is "
                f"shown, crop it yourself to {_divide(box)} or write picture: {{focus: top}}"
            )
            yield "art", "warning", pictures[item.name], message


def _divide(box: PaintBox) -> str:
    """Return the proportions of a box: 1.27 : 1 or 1 : 1.4."""
    ratio = box.width / box.height
    return f"{ratio:.3g} : 1" if ratio >= 1 else f"1 : {1 / ratio:.3g}"


def count_shown_pixels(
    items: Sequence[PaintedItem], rasters: Mapping[str, str], most_dpi: float
) -> dict[str, tuple[int, int]]:
    """Return how many pixels of each picture are visible in print at that resolution.

    Pictures that are not smoothed keep all.
    """
    found: dict[str, tuple[int, int]] = {}
    for item in items:
        if item.pixels is None or item.name not in rasters:
            continue
        sides = zip(item.pixels, (item.whole_box.width, item.whole_box.height), strict=True)
        across, down = (
            min(pixels, ceil(side / MM_PER_INCH * most_dpi)) if item.is_smooth else pixels
            for pixels, side in sides
        )
        known = found.get(rasters[item.name], (0, 0))
        found[rasters[item.name]] = max(known[0], across), max(known[1], down)
    return found


def _shorten_words(item: PaintedItem) -> str:
    words = "icon" if item.is_icon else item.words
    return shorten(words)

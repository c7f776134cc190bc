"""SVG icons as single-colour outlines: the figure united, the background colour cut out.

The background is white, or a square of one colour that fills the drawing. Colours and other
features an outline cannot have are described beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from xml.etree.ElementTree import Element

import pathops
from fontTools.misc.transform import Transform

from cardgen.assets import svg_reader
from cardgen.assets.icon_shapes import IconShape, IconShapeError, IconShapeReader, parse_rgb

_MAX_COORDINATE = 32_000
"""Maximum coordinate in a font, in units of the em."""
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_MIN_CHROMA = 48
"""Minimum difference of two colours, and of the channels of a colour that is not grey (0 to
255)."""
_CLOSE_SHARE, _SMALL_SHARE = 0.01, 0.0001
"""Shapes nearer than the first touch; areas below the second are invisible. Both in em."""
_MAX_DEPTH = 200
_DESCENT_SHARE = 0.15
"""Part of an icon below the baseline, in em."""
_UNION, _DIFFERENCE = pathops.PathOp.UNION, pathops.PathOp.DIFFERENCE


class IconOutlineError(ValueError):
    """A drawing that cannot become an icon; `line` is 0 for the whole file."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def trace_icon(data: bytes, em: int) -> tuple[pathops.Path, str | None]:
    """Return an icon's outline in a square of `em` units, and a phrase for what is lost.

    That is None if the icon is drawn in several colours, and an outline is not what is meant.

    y points upwards; the baseline lies 15 % above the lower edge. Raises `IconOutlineError`.
    """
    try:
        root = svg_reader.parse_svg(data)
        box = svg_reader.read_view_box(root) or [0.0, 0.0, *svg_reader.read_size(root)]
    except ValueError as error:
        raise IconOutlineError(f"it {error}") from None
    if not _is_shallow(root):
        raise IconOutlineError(f"it is nested deeper than {_MAX_DEPTH} elements; take groups apart")
    drawing = IconShapeReader(root, box)
    try:
        shapes = drawing.read_shapes(root, _make_frame(box, em))
    except IconShapeError as error:
        raise IconOutlineError(str(error), _find_line(data, root, error.element)) from None
    shapes, ground = _find_figure(shapes, em)
    drawn = pathops.Path()
    for shape in shapes:
        operation = _DIFFERENCE if parse_rgb(shape.colour)[0] == ground else _UNION
        drawn = pathops.op(drawn, shape.path, operation, fix_winding=True)
    if not list(drawn.segments):
        raise IconOutlineError("it draws nothing")
    drawn.convertConicsToQuads()
    if not all(abs(edge) < _MAX_COORDINATE for edge in drawn.bounds):
        raise IconOutlineError("it is drawn far outside its viewBox")
    coloured = [
        ("" if parse_rgb(s.colour)[0] == ground else s.colour.lower(), s.path) for s in shapes
    ]
    return drawn, _describe_losses(coloured, list(drawing.lost), em)


def _is_shallow(root: Element) -> bool:
    level, depth = [root], 0
    while level and depth <= _MAX_DEPTH:
        level, depth = [child for element in level for child in element], depth + 1
    return not level


def _make_frame(box: Sequence[float], em: int) -> Transform:
    """Return the transform that centres the viewBox in the em."""
    left, top, width, height = box
    side = max(width, height)
    scale = em / side
    left, top = left - (side - width) / 2, top - (side - height) / 2
    return Transform(scale, 0, 0, -scale, -left * scale, em * (1 - _DESCENT_SHARE) + top * scale)


def _find_line(data: bytes, root: Element, element: Element) -> int:
    places = (place for place, each in enumerate(root.iter()) if each is element)
    return svg_reader.find_element_lines(data)[next(places)]


def _find_figure(shapes: list[IconShape], em: int) -> tuple[list[IconShape], tuple[int, int, int]]:
    """Return the shapes without a background square, and the colour of the background.

    That is the square's colour, or white; if everything is white, black.
    """
    if len(shapes) > 1 and _is_filling(shapes[0].path, em):
        ground = parse_rgb(shapes[0].colour)[0]
        others = shapes[1:]
        if any(parse_rgb(shape.colour)[0] != ground for shape in others):
            return others, ground
    if all(parse_rgb(shape.colour)[0] == _WHITE for shape in shapes):
        return shapes, _BLACK
    return shapes, _WHITE


def _is_filling(path: pathops.Path, em: int) -> bool:
    """Return True if a shape covers the whole em."""
    square = pathops.Path()
    pen = square.getPen(glyphSet=None)
    low, high = -_DESCENT_SHARE * em, (1 - _DESCENT_SHARE) * em
    pen.moveTo((0, low))
    for corner in ((em, low), (em, high), (0, high)):
        pen.lineTo(corner)
    pen.closePath()
    return bool(abs(pathops.op(square, path, _DIFFERENCE).area) < 0.005 * em * em)


def _describe_losses(
    shapes: Sequence[tuple[str, pathops.Path]], lost: Sequence[str], em: int
) -> str | None:
    """Describe the colour that is not printed, and features an outline cannot have. Return None if
    there are several colours."""
    phrases = []
    colours = {colour for colour, _ in shapes if colour}
    tints = dict.fromkeys(colours, pathops.Path())
    if len(colours) > 1:
        tints = _find_visible_areas(shapes, em)
    hues = [colour for colour in tints if _is_chromatic(colour)]
    if any(_find_touching_colours(tints, em)) or (hues and any(_find_different_colours(tints))):
        return None
    if hues:
        phrases.append(f"{_join_words(sorted(hues))} {'are' if len(hues) > 1 else 'is'} lost")
    if lost:
        one = len(lost) == 1 and (lost[0] in ("opacity", "clipping") or "in its" in lost[0])
        phrases.append(f"{_join_words(lost)} {'is' if one else 'are'} not kept")
    return "; ".join(phrases)


def _find_visible_areas(
    shapes: Sequence[tuple[str, pathops.Path]], em: int
) -> dict[str, pathops.Path]:
    """Return the uncovered area of each colour."""
    found: dict[str, pathops.Path] = {}
    for colour, shape in shapes:
        found = {below: pathops.op(area, shape, _DIFFERENCE) for below, area in found.items()}
        if colour:
            found[colour] = pathops.op(found.get(colour, pathops.Path()), shape, _UNION)
    return {colour: area for colour, area in found.items() if _is_visible(area, em)}


def _find_touching_colours(tints: Mapping[str, pathops.Path], em: int) -> Iterator[tuple[str, str]]:
    """Yield pairs of colours with no background between them."""
    for one, other in _find_different_colours(tints):
        outline = pathops.Path(tints[one])
        outline.stroke(2 * _CLOSE_SHARE * em, pathops.LineCap(0), pathops.LineJoin(0), 4.0)
        outline.fillType = pathops.FillType.WINDING
        if _is_visible(pathops.op(outline, tints[other], pathops.PathOp.INTERSECTION), em):
            yield one, other


def _find_different_colours(colours: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of colours that are not too similar in the drawing already."""
    for one, other in combinations(colours, 2):
        channels = zip(parse_rgb(one)[0], parse_rgb(other)[0], strict=True)
        if max(abs(a - b) for a, b in channels) >= _MIN_CHROMA:
            yield one, other


def _is_visible(area: pathops.Path, em: int) -> bool:
    return bool(abs(area.area) > _SMALL_SHARE * em * em)


def _is_chromatic(colour: str) -> bool:
    red_green_blue, _ = parse_rgb(colour)
    return max(red_green_blue) - min(red_green_blue) >= _MIN_CHROMA


def _join_words(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

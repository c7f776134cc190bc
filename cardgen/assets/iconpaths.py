"""An icon's SVG as one outline: its figure added up, what is in the colour of the ground cut out.

The ground is white paper, or a square of one colour that fills the drawing, as on a tile. An
outline has no colours; what of the drawing is lost with them is told beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from xml.etree.ElementTree import Element

import pathops
from fontTools.misc.transform import Transform

from cardgen.assets import svg
from cardgen.assets.iconshapes import Shape, Shapes, Undrawable, rgb

_FARTHEST = 32_000
"""What a font can hold, in units of the em."""
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_HUE = 48
"""So far apart two colours differ; and red, green and blue of one that is more than a grey."""
_CLOSE, _SMALL = 0.01, 0.0001
"""Shapes nearer than the one meet, and areas under the other are not seen; both in em."""
_UNEVEN = 0.02
"""By so much a side may be longer than the other."""
_DEEPEST = 200
_DESCENT = 0.15
"""How much of an icon hangs below the line of the text, em."""
_UNION, _LESS = pathops.PathOp.UNION, pathops.PathOp.DIFFERENCE


class NoIcon(ValueError):  # noqa: N818 - it reads as what it says
    """Why no icon can be made of a drawing, and the line of the file, 0 for the whole."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def outline(data: bytes, em: int) -> tuple[pathops.Path, str]:
    """The drawing in a square of `em` units, y upward, with the baseline 15 % above its foot; and
    what of it is lost, in words, or "". Raises `NoIcon`."""
    try:
        root = svg.tree(data)
        box = svg.view(root) or [0.0, 0.0, *svg.size(root)]
    except ValueError as error:
        raise NoIcon(f"it {error}") from None
    if not _is_flat(root):
        raise NoIcon(f"it is nested deeper than {_DEEPEST} elements; take groups apart")
    drawing = Shapes(root, box)
    try:
        shapes = drawing.of(root, _frame(box, em))
    except Undrawable as error:
        raise NoIcon(str(error), _line(data, root, error.element)) from None
    shapes, ground = _figure(shapes, em)
    drawn = pathops.Path()
    for shape in shapes:
        operation = _LESS if rgb(shape.colour)[0] == ground else _UNION
        drawn = pathops.op(drawn, shape.path, operation, fix_winding=True)
    if not list(drawn.segments):
        raise NoIcon("it draws nothing")
    drawn.convertConicsToQuads()
    if not all(abs(edge) < _FARTHEST for edge in drawn.bounds):
        raise NoIcon("it is drawn far outside its viewBox")
    coloured = [("" if rgb(s.colour)[0] == ground else s.colour.lower(), s.path) for s in shapes]
    return drawn, _told(coloured, list(drawing.lost), em)


def _is_flat(root: Element) -> bool:
    level, depth = [root], 0
    while level and depth <= _DEEPEST:
        level, depth = [child for element in level for child in element], depth + 1
    return not level


def _frame(box: Sequence[float], em: int) -> Transform:
    """From the viewBox to the em. Raises `NoIcon`."""
    left, top, width, height = box
    side = max(width, height)
    if abs(width - height) > _UNEVEN * side:
        raise NoIcon(
            f'an icon needs a square viewBox, such as "0 0 24 24"; this one is {width:g} × '
            f"{height:g}"
        )
    scale = em / side
    left, top = left - (side - width) / 2, top - (side - height) / 2
    return Transform(scale, 0, 0, -scale, -left * scale, em * (1 - _DESCENT) + top * scale)


def _line(data: bytes, root: Element, element: Element) -> int:
    places = (place for place, each in enumerate(root.iter()) if each is element)
    return svg.lines(data)[next(places)]


def _figure(shapes: list[Shape], em: int) -> tuple[list[Shape], tuple[int, int, int]]:
    """The shapes but a square below them all that fills the em, and the colour of the ground: that
    square's, or white, or where all is white, black."""
    if len(shapes) > 1 and _fills(shapes[0].path, em):
        ground = rgb(shapes[0].colour)[0]
        others = shapes[1:]
        if any(rgb(shape.colour)[0] != ground for shape in others):
            return others, ground
    if all(rgb(shape.colour)[0] == _WHITE for shape in shapes):
        return shapes, _BLACK
    return shapes, _WHITE


def _fills(path: pathops.Path, em: int) -> bool:
    """Whether a shape leaves nothing of the em that can be seen."""
    square = pathops.Path()
    pen = square.getPen(glyphSet=None)
    low, high = -_DESCENT * em, (1 - _DESCENT) * em
    pen.moveTo((0, low))
    for corner in ((em, low), (em, high), (0, high)):
        pen.lineTo(corner)
    pen.closePath()
    return bool(abs(pathops.op(square, path, _LESS).area) < 0.005 * em * em)


def _told(shapes: Sequence[tuple[str, pathops.Path]], lost: Sequence[str], em: int) -> str:
    """What is lost: colours that run into one or are not printed, and what no outline can have.
    What is cut out has no colour."""
    said = []
    colours = {colour for colour, _ in shapes if colour}
    tints = _visible(shapes, em) if len(colours) > 1 else dict.fromkeys(colours, pathops.Path())
    met = {colour for pair in _meeting(tints, em) for colour in pair}
    hues = [colour for colour in tints if _is_hue(colour)]
    if met:
        said.append(f"{_listed(sorted(met))} run into one")
    elif hues:
        said.append(f"{_listed(sorted(hues))} {'are' if len(hues) > 1 else 'is'} lost")
    if lost:
        one = len(lost) == 1 and (lost[0] in ("opacity", "clipping") or "in its" in lost[0])
        said.append(f"{_listed(lost)} {'is' if one else 'are'} not kept")
    return "; ".join(said)


def _visible(shapes: Sequence[tuple[str, pathops.Path]], em: int) -> dict[str, pathops.Path]:
    """Colour → what of it nothing lies upon."""
    found: dict[str, pathops.Path] = {}
    for colour, shape in shapes:
        found = {below: pathops.op(area, shape, _LESS) for below, area in found.items()}
        if colour:
            found[colour] = pathops.op(found.get(colour, pathops.Path()), shape, _UNION)
    return {colour: area for colour, area in found.items() if _seen(area, em)}


def _meeting(tints: Mapping[str, pathops.Path], em: int) -> Iterator[tuple[str, str]]:
    """Pairs of colours with no ground between them."""
    for one, other in combinations(tints, 2):
        if max(abs(a - b) for a, b in zip(rgb(one)[0], rgb(other)[0], strict=True)) < _HUE:
            continue  # hardly told apart in the drawing either
        near = pathops.Path(tints[one])
        near.stroke(2 * _CLOSE * em, pathops.LineCap(0), pathops.LineJoin(0), 4.0)
        near.fillType = pathops.FillType.WINDING
        if _seen(pathops.op(near, tints[other], pathops.PathOp.INTERSECTION), em):
            yield one, other


def _seen(area: pathops.Path, em: int) -> bool:
    return bool(abs(area.area) > _SMALL * em * em)


def _is_hue(colour: str) -> bool:
    red_green_blue, _ = rgb(colour)
    return max(red_green_blue) - min(red_green_blue) >= _HUE


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

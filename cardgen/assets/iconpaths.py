"""An icon's SVG as one outline: dark shapes added, light ones cut out, strokes made into areas.

An outline has no colours; what of the drawing is lost with them is told beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pathops
from fontTools.misc.transform import Identity, Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import SVGPath
from PIL import ImageColor

from cardgen.assets import svg

_FARTHEST = 32_000
"""What a font can hold, in units of the em."""
_WHITE = (255, 255, 255)
_HUE = 48
"""So far apart two colours differ; and red, green and blue of one that is more than a grey."""
_CLOSE, _SMALL = 0.01, 0.0001
"""Shapes nearer than the one meet, and areas under the other are not seen; both in em."""
# Shape → its numbers, and whether it needs them.
_MEASURES = {
    "rect": {"x": False, "y": False, "rx": False, "ry": False, "width": True, "height": True},
    "circle": {"cx": False, "cy": False, "r": True},
    "ellipse": {"cx": False, "cy": False, "rx": True, "ry": True},
    "line": {"x1": False, "y1": False, "x2": False, "y2": False},
    "polygon": {"points": True},
    "polyline": {"points": True},
    "path": {},
}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_ARGUMENTS = {"translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "matrix": (6,)}
_NOT_DRAWN = frozenset({
    "clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata", "pattern",
    "radialGradient", "symbol", "title",
})  # fmt: skip
_REFUSED = frozenset({"text", "image", "use", "style"})
_STYLES = {
    "fill": "#000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "fill-rule": "nonzero",
    "stroke-dasharray": "none", "fill-opacity": "1", "stroke-opacity": "1", "visibility": "visible",
}  # fmt: skip
"""What a shape inherits from what it stands in."""
_OWN = ("opacity", "display", "clip-path", "mask", "filter")
_LOST = {"clip-path": "clipping", "mask": "masks", "filter": "filters"}
_TRANSFORM = re.compile(r"(\w+)\s*\(([^)]*)\)")


@dataclass
class _Canvas:
    """What is drawn so far: all of it as one outline, and each dark shape with its colour."""

    whole: pathops.Path = field(default_factory=pathops.Path)
    shapes: list[tuple[str, pathops.Path]] = field(default_factory=list)
    lost: dict[str, None] = field(default_factory=dict)

    def paint(self, colour: str, opacity: str, shape: pathops.Path) -> None:
        """Lay a shape over what is there; white cuts out of it, what is not seen does nothing."""
        red_green_blue, alpha = _rgb(colour)
        alpha *= _share(opacity)
        if not alpha:
            return
        if alpha < 1:
            self.lost["opacity"] = None
        if colour.startswith("url("):
            self.lost["gradients"] = None
        light = red_green_blue == _WHITE
        operation = pathops.PathOp.DIFFERENCE if light else pathops.PathOp.UNION
        self.whole = pathops.op(self.whole, shape, operation, fix_winding=True)
        self.shapes.append(("" if light else colour.lower(), shape))


def outline(data: bytes, em: int) -> tuple[pathops.Path, str]:
    """The drawing in a square of `em` units, y upward, with the baseline 15 % above its foot; and
    what of it is lost, in words, or "". Raises `ValueError` where no icon can be made of it."""
    try:
        tree = svg.tree(data)
        box = svg.view(tree) or [0.0, 0.0, *svg.size(tree)]
    except ValueError as error:
        raise ValueError(f"it {error}") from None
    if box[2] != box[3]:
        raise ValueError('an icon needs a square viewBox, such as "0 0 24 24"')
    scale = em / box[2]
    frame = Transform(scale, 0, 0, -scale, -box[0] * scale, em * 0.85 + box[1] * scale)
    canvas = _Canvas()
    _draw(tree, frame, _STYLES, canvas)
    drawn = canvas.whole
    if not list(drawn.segments):
        raise ValueError("it draws nothing")
    drawn.convertConicsToQuads()
    if not all(abs(edge) < _FARTHEST for edge in drawn.bounds):
        raise ValueError("it is drawn far outside its viewBox")
    return drawn, _told(canvas, em)


def _told(canvas: _Canvas, em: int) -> str:
    """What is lost: colours that run into one or are not printed, and what no outline can have."""
    said = []
    colours = {colour for colour, _ in canvas.shapes if colour}
    tints = _visible(canvas, em) if len(colours) > 1 else dict.fromkeys(colours, pathops.Path())
    met = {colour for pair in _meeting(tints, em) for colour in pair}
    hues = [colour for colour in tints if _is_hue(colour)]
    if met:
        said.append(f"{_listed(sorted(met))} run into one")
    elif hues:
        said.append(f"{_listed(sorted(hues))} {'are' if len(hues) > 1 else 'is'} lost")
    if canvas.lost:
        are = "is" if list(canvas.lost) in (["opacity"], ["clipping"]) else "are"
        said.append(f"{_listed(list(canvas.lost))} {are} not kept")
    return "; ".join(said)


def _visible(canvas: _Canvas, em: int) -> dict[str, pathops.Path]:
    """Dark colour → what of it nothing lies upon."""
    found: dict[str, pathops.Path] = {}
    for colour, shape in canvas.shapes:
        found = {
            below: pathops.op(area, shape, pathops.PathOp.DIFFERENCE)
            for below, area in found.items()
        }
        if colour:
            under = found.get(colour, pathops.Path())
            found[colour] = pathops.op(under, shape, pathops.PathOp.UNION)
    return {colour: area for colour, area in found.items() if _seen(area, em)}


def _meeting(tints: Mapping[str, pathops.Path], em: int) -> Iterator[tuple[str, str]]:
    """Pairs of colours with no white between them."""
    for one, other in combinations(tints, 2):
        if max(abs(a - b) for a, b in zip(_rgb(one)[0], _rgb(other)[0], strict=True)) < _HUE:
            continue  # hardly told apart in the drawing either
        near = pathops.Path(tints[one])
        near.stroke(2 * _CLOSE * em, pathops.LineCap(0), pathops.LineJoin(0), 4.0)
        near.fillType = pathops.FillType.WINDING
        if _seen(pathops.op(near, tints[other], pathops.PathOp.INTERSECTION), em):
            yield one, other


def _seen(area: pathops.Path, em: int) -> bool:
    return bool(abs(area.area) > _SMALL * em * em)


def _is_hue(colour: str) -> bool:
    red_green_blue, _ = _rgb(colour)
    return max(red_green_blue) - min(red_green_blue) >= _HUE


def _rgb(colour: str) -> tuple[tuple[int, int, int], float]:
    """Red, green and blue to 255, and how much they cover; what is no plain colour is black."""
    written = colour.strip().lower()
    if written in ("none", "transparent"):
        return (0, 0, 0), 0.0
    share = 1.0
    called = re.fullmatch(r"(rgb|hsl)a?\(([^()]*)\)", written)
    if called:
        parts = re.split(r"[\s,/]+", called[2].strip())
        share = _share(parts[3]) if len(parts) == 4 else 1.0
        written = f"{called[1]}({','.join(parts[:3])})"
    try:
        found = ImageColor.getrgb(written)
    except ValueError:
        return (0, 0, 0), share
    return (found[0], found[1], found[2]), found[3] / 255 if len(found) > 3 else share


def _share(written: str) -> float:
    """An opacity, `0.5` or `50%`, as a part of 1."""
    value = svg.number(written.strip().removesuffix("%")) / (100 if "%" in written else 1)
    return min(1.0, max(0.0, value))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _draw(
    element: ElementTree.Element, frame: Transform, style: Mapping[str, str], canvas: _Canvas
) -> None:
    tag = str(element.tag).rpartition("}")[2]
    if tag in _REFUSED:
        raise ValueError(f"<{tag}> is not drawn in an icon; use shapes")
    given = _given(element)
    if tag in _NOT_DRAWN or given.get("display") == "none":
        return
    own = {**style, **{key: value for key, value in given.items() if key in _STYLES}}
    opacity = given.get("opacity", "1")
    own["fill-opacity"] = str(_share(own["fill-opacity"]) * _share(opacity))
    own["stroke-opacity"] = str(_share(own["stroke-opacity"]) * _share(opacity))
    canvas.lost.update(
        (word, None) for key, word in _LOST.items() if given.get(key, "none") != "none"
    )
    frame = frame.transform(_transform(element.get("transform", "")))
    if tag in _MEASURES and own["visibility"] == "visible":
        _paint(element, frame, own, canvas)
    for child in element:
        _draw(child, frame, own, canvas)


def _given(element: ElementTree.Element) -> dict[str, str]:
    """What an element says of its looks: `style="fill:#fff"` wins over `fill="#000"`."""
    found = {
        key: value.strip() for key, value in element.attrib.items() if key in _STYLES or key in _OWN
    }
    for part in element.get("style", "").split(";"):
        key, _, value = part.partition(":")
        if key.strip() in _STYLES or key.strip() in _OWN:
            found[key.strip()] = value.strip()
    return {key: value for key, value in found.items() if value and value != "inherit"}


def _paint(
    element: ElementTree.Element, frame: Transform, style: Mapping[str, str], canvas: _Canvas
) -> None:
    _measured(element)
    lone = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})
    bare = ElementTree.SubElement(lone, str(element.tag), dict(element.attrib))
    bare.attrib.pop("transform", None)
    shape = pathops.Path()
    if style["fill-rule"] == "evenodd":
        shape.fillType = pathops.FillType.EVEN_ODD
    SVGPath.fromstring(ElementTree.tostring(lone)).draw(shape.getPen(glyphSet=None))
    if style["fill"] != "none":
        canvas.paint(style["fill"], style["fill-opacity"], _placed(shape, frame))
    if style["stroke"] != "none":
        line = pathops.Path(shape)
        cap = pathops.LineCap(_CAPS.get(style["stroke-linecap"], 0))
        join = pathops.LineJoin(_JOINS.get(style["stroke-linejoin"], 0))
        line.stroke(
            _width(style["stroke-width"]), cap, join, svg.number(style["stroke-miterlimit"])
        )
        line.fillType = pathops.FillType.WINDING
        if style["stroke-dasharray"] != "none":
            canvas.lost["dashes"] = None
        canvas.paint(style["stroke"], style["stroke-opacity"], _placed(line, frame))


def _measured(element: ElementTree.Element) -> None:
    """Whether the numbers of a shape are any. Raises `ValueError`."""
    tag = str(element.tag).rpartition("}")[2]
    for name, asked in _MEASURES.get(tag, {}).items():
        given = element.get(name)
        if given is None and asked:
            raise ValueError(f"a <{tag}> has no {name}")
        if given is not None:
            (svg.numbers if name == "points" else svg.number)(given.strip())


def _width(written: str) -> float:
    """How wide a line is, in units of the viewBox."""
    value = svg.number(written.strip().removesuffix("px"))
    if value < 0:
        raise ValueError(f"stroke-width is {written}; it is 0 or more")
    return value


def _placed(shape: pathops.Path, frame: Transform) -> pathops.Path:
    placed = pathops.Path()
    placed.fillType = shape.fillType
    shape.convertConicsToQuads()
    shape.draw(TransformPen(placed.getPen(glyphSet=None), frame))
    placed.simplify(fix_winding=True)
    return placed


def _transform(text: str) -> Transform:
    result = Identity
    for name, numbers in _TRANSFORM.findall(text):
        values = svg.numbers(numbers)
        if len(values) not in _ARGUMENTS.get(name, range(1, 7)):
            raise ValueError(f"'{name}({numbers[:40]})' has {len(values)} numbers")
        result = result.transform(_one(name, values))
    return result


def _one(name: str, values: list[float]) -> Any:
    if name == "translate":
        return Identity.translate(*values)
    if name == "scale":
        return Identity.scale(values[0], values[-1])
    if name == "rotate":
        angle = values[0] * 3.141592653589793 / 180
        x, y = values[1:3] if len(values) == 3 else (0.0, 0.0)
        return Identity.translate(x, y).rotate(angle).translate(-x, -y)
    if name == "matrix":
        return Transform(*values)
    raise ValueError(f"the transform {name}(…) is not drawn in an icon")

"""An icon's SVG as one outline: dark shapes added, light ones cut out, strokes made into areas."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pathops
from fontTools.misc.transform import Identity, Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import SVGPath

_LIGHT = {"#fff", "#ffffff", "white"}
_SHAPES = {"path", "rect", "circle", "ellipse", "polygon", "polyline", "line"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_TRANSFORM = re.compile(r"(\w+)\s*\(([^)]*)\)")


def outline(svg: bytes, em: int) -> pathops.Path:
    """The drawing in a square of `em` units, y upward, with the baseline 15 % above its foot."""
    tree = ElementTree.fromstring(svg)
    box = [float(part) for part in re.split(r"[\s,]+", tree.get("viewBox", "").strip()) if part]
    if len(box) != 4 or box[2] != box[3]:
        raise ValueError('an icon needs a square viewBox, such as "0 0 24 24"')
    scale = em / box[2]
    frame = Transform(scale, 0, 0, -scale, -box[0] * scale, em * 0.85 + box[1] * scale)
    style = {"fill": "#000", "stroke": "none", "stroke-width": "1"}
    drawn = _draw(tree, frame, style, pathops.Path())
    if not list(drawn.segments):
        raise ValueError("it draws nothing")
    drawn.convertConicsToQuads()
    return drawn


def _draw(
    element: ElementTree.Element, frame: Transform, style: dict[str, str], canvas: pathops.Path
) -> pathops.Path:
    own = {**style, **{k: v for k, v in element.attrib.items() if k in _STYLES}}
    frame = frame.transform(_transform(element.get("transform", "")))
    tag = str(element.tag).rpartition("}")[2]
    if element.get("style"):
        raise ValueError("style=… is not read in an icon; write fill=… and stroke=…")
    if tag in _SHAPES:
        canvas = _paint(element, frame, own, canvas)
    elif tag == "defs":
        return canvas
    elif tag in {"text", "image", "use", "style"}:
        raise ValueError(f"<{tag}> is not drawn in an icon; use shapes")
    for child in element:
        canvas = _draw(child, frame, own, canvas)
    return canvas


_STYLES = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule"}


def _paint(
    element: ElementTree.Element, frame: Transform, style: dict[str, str], canvas: pathops.Path
) -> pathops.Path:
    lone = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg"})
    bare = ElementTree.SubElement(lone, str(element.tag), dict(element.attrib))
    bare.attrib.pop("transform", None)
    shape = pathops.Path()
    if style.get("fill-rule") == "evenodd":
        shape.fillType = pathops.FillType.EVEN_ODD
    SVGPath.fromstring(ElementTree.tostring(lone)).draw(shape.getPen(glyphSet=None))
    if style["fill"] != "none":
        canvas = _combine(canvas, _placed(shape, frame), style["fill"])
    if style["stroke"] != "none":
        line = pathops.Path(shape)
        cap = pathops.LineCap(_CAPS[style.get("stroke-linecap", "butt")])
        join = pathops.LineJoin(_JOINS[style.get("stroke-linejoin", "miter")])
        line.stroke(float(style["stroke-width"]), cap, join, 4.0)
        line.fillType = pathops.FillType.WINDING
        canvas = _combine(canvas, _placed(line, frame), style["stroke"])
    return canvas


def _placed(shape: pathops.Path, frame: Transform) -> pathops.Path:
    placed = pathops.Path()
    placed.fillType = shape.fillType
    shape.convertConicsToQuads()
    shape.draw(TransformPen(placed.getPen(glyphSet=None), frame))
    placed.simplify(fix_winding=True)
    return placed


def _combine(canvas: pathops.Path, shape: pathops.Path, colour: str) -> pathops.Path:
    light = colour.lower() in _LIGHT
    operation = pathops.PathOp.DIFFERENCE if light else pathops.PathOp.UNION
    return pathops.op(canvas, shape, operation, fix_winding=True)


def _transform(text: str) -> Transform:
    result = Identity
    for name, numbers in _TRANSFORM.findall(text):
        values = [float(part) for part in re.split(r"[\s,]+", numbers.strip()) if part]
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

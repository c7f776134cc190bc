"""The shapes of an icon's SVG, each as one outline with its colour: groups and their transforms,
what is used from elsewhere in the file, clips and masks worked in, lines made into areas.

Coordinates are those of the frame that is asked for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

import pathops
from fontTools.misc.transform import Identity, Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import SVGPath
from PIL import ImageColor

from cardgen.assets import drawable, svg
from cardgen.assets.svgstyles import INITIAL, Looks, Sheet, local

_MOST = 10_000
"""So many elements are drawn at most by `<use>`: a few lines can ask for any number."""
_DEEPEST_USE = 12
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
_DOWN = frozenset({"y", "ry", "height", "cy", "y1", "y2"})
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_ARGUMENTS = {
    "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "matrix": (6,), "skewX": (1,),
    "skewY": (1,),
}  # fmt: skip
_NOT_DRAWN = frozenset({
    "clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata", "pattern",
    "radialGradient", "script", "style", "symbol", "title",
})  # fmt: skip
_OUTLINES = "make it a path (Inkscape: Path → Object to Path; Illustrator: Type → Create Outlines)"
_REFUSED = {
    "text": _OUTLINES,
    "image": "draw it as shapes (Inkscape: Path → Trace Bitmap)",
    "foreignObject": "take it out, or draw it as shapes",
}
_LOST = {"filter": "filters", "marker-start": "markers", "marker-mid": "markers",
         "marker-end": "markers"}  # fmt: skip
_AREAS = {"clip-path": ("clipPath", "clipping"), "mask": ("mask", "masks")}
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
_TRANSFORM = re.compile(r"(\w+)\s*\(([^)]*)\)")
_UNION, _LESS, _BOTH = (
    pathops.PathOp.UNION, pathops.PathOp.DIFFERENCE, pathops.PathOp.INTERSECTION,
)  # fmt: skip


class Undrawable(ValueError):  # noqa: N818 - it reads as what it says
    """What no icon can be made of, in words that go on after its name, and the element."""

    def __init__(self, message: str, element: Element) -> None:
        super().__init__(message)
        self.element = element


@dataclass(frozen=True)
class Shape:
    """An area of one colour, as the file writes it, which covers that share of what is below."""

    colour: str
    share: float
    path: pathops.Path


@dataclass(frozen=True)
class _Place:
    """What an element stands in: coordinates, the size of which per cent are parts, looks, what is
    left of the plane, and the elements that are being used. Of a clip `bare` areas count, whatever
    their colours."""

    frame: Transform
    room: tuple[float, float]
    looks: Looks = field(default_factory=lambda: INITIAL)
    clip: pathops.Path | None = None
    within: tuple[Element, ...] = ()
    bare: bool = False


class Shapes:
    """The shapes of a drawing, in the order in which they are painted."""

    def __init__(self, root: Element, box: list[float]) -> None:
        """`box` is the drawing's viewBox."""
        self.lost: dict[str, None] = {}
        """What of the drawing no outline can have, in words."""
        self._root = root
        self._room = box[2], box[3]
        self._sheet = Sheet(root)
        self._ids = {each.get("id"): each for each in root.iter() if each.get("id")}
        self._used = 0
        for selector in self._sheet.unheeded:
            self.lost[f"'{selector}' in its <style>"] = None

    def of(self, element: Element, frame: Transform) -> list[Shape]:
        """All that an element draws. Raises `Undrawable`."""
        found: list[Shape] = []
        self._draw(element, _Place(frame, self._room), found)
        return found

    def _draw(self, element: Element, place: _Place, found: list[Shape]) -> None:
        tag = str(element.tag)
        if tag.startswith("{") and not tag.startswith(drawable.SVG):
            return  # of an editor's own
        self._used += bool(place.within)
        if self._used > _MOST:
            raise Undrawable(f"it draws more than {_MOST} elements by <use>", element)
        try:
            self._of_element(element, local(element), place, found)
        except Undrawable:
            raise
        except ValueError as error:
            raise Undrawable(str(error), element) from None

    def _of_element(self, element: Element, tag: str, place: _Place, found: list[Shape]) -> None:
        own = self._sheet.of(element)
        if own.get("display") == "none" or tag in _NOT_DRAWN:
            return
        _refuse(element, tag)
        looks = {**place.looks, **{name: own[name] for name in own if name in INITIAL}}
        for name in ("fill-opacity", "stroke-opacity"):
            looks[name] = str(share(looks[name]) * share(own.get("opacity", "1")))
        frame = place.frame.transform(_transform(element.get("transform", "")))
        self.lost.update((w, None) for key, w in _LOST.items() if own.get(key, "none") != "none")
        if "transform:" in element.get("style", "").replace(" ", ""):
            self.lost["transforms in a style"] = None
        clip = self._clip(own, frame, place)
        inner = replace(place, frame=frame, looks=looks, clip=clip)
        if tag in _MEASURES:
            if looks["visibility"] == "visible":
                self._paint(element, inner, found)
        elif tag == "use":
            self._use(element, inner, found)
        else:
            if tag == "svg" and element is not self._root:
                inner = _in_view(element, element, inner)
            self._children(element, inner, found)

    def _children(self, element: Element, place: _Place, found: list[Shape]) -> None:
        children = list(element)
        if local(element) == "switch":
            children = [child for child in children if drawable.is_taken(child)][:1]
        for child in children:
            self._draw(child, place, found)

    def _use(self, element: Element, place: _Place, found: list[Shape]) -> None:
        """What stands elsewhere in the file, drawn here."""
        address = next((element.get(key, "") for key in _HREFS if element.get(key)), "")
        target = self._ids.get(address[1:]) if address.startswith("#") else None
        if target is None:
            where = "it does not hold" if address.startswith("#") else "lies outside it"
            raise Undrawable(f"a <use> asks for '{address[:60]}', which {where}", element)
        if target in place.within or len(place.within) >= _DEEPEST_USE:
            raise Undrawable(f"a <use> of '{address[:60]}' leads back to itself", element)
        inner = replace(place, within=(*place.within, target))
        if local(target) not in ("symbol", "svg"):
            frame = place.frame.translate(*_corner(element, place))
            self._draw(target, replace(inner, frame=frame), found)
            return
        own = self._sheet.of(target)
        looks = {**place.looks, **{name: own[name] for name in own if name in INITIAL}}
        self._children(target, _in_view(element, target, replace(inner, looks=looks)), found)

    def _clip(self, own: Looks, frame: Transform, place: _Place) -> pathops.Path | None:
        """What clips and masks leave of the plane."""
        left = place.clip
        for key, (tag, word) in _AREAS.items():
            written = own.get(key, "none")
            if written == "none":
                continue
            match = _REFERENCE.match(written)
            target = self._ids.get(match[1]) if match else None
            area = None
            if target is not None and local(target) == tag and target not in place.within:
                area = self._area(target, frame, place)
            if area is None:
                self.lost[word] = None
            else:
                left = area if left is None else pathops.op(left, area, _BOTH, fix_winding=True)
        return left

    def _area(self, target: Element, frame: Transform, place: _Place) -> pathops.Path | None:
        """What a clip or mask lets through; None where its units are those of what it cuts."""
        clips = local(target) == "clipPath"
        units = target.get("clipPathUnits" if clips else "maskContentUnits", "userSpaceOnUse")
        if units != "userSpaceOnUse":
            return None
        own = frame.transform(_transform(target.get("transform", "")))
        shapes: list[Shape] = []
        inner = _Place(own, place.room, within=(*place.within, target), bare=clips)
        self._children(target, inner, shapes)
        by_alpha = self._sheet.of(target).get("mask-type") == "alpha"
        area = pathops.Path()
        for shape in shapes:
            light = 1.0 if by_alpha or clips else _luminance(shape.colour)
            if 0.05 < light * shape.share < 0.95:
                self.lost["masks"] = None
            operation = _UNION if light * shape.share >= 0.5 else _LESS
            area = pathops.op(area, shape.path, operation, fix_winding=True)
        return area

    def _paint(self, element: Element, place: _Place, found: list[Shape]) -> None:
        looks = place.looks
        shape = _outline(element, place)
        if looks["clip-rule" if place.bare else "fill-rule"] == "evenodd":
            shape.fillType = pathops.FillType.EVEN_ODD
        if place.bare:
            found.append(Shape("#000", 1.0, _placed(shape, place)))
            return
        if looks["fill"] != "none":
            self._add("fill", shape, place, found)
        if looks["stroke"] != "none":
            line = pathops.Path(shape)
            cap = pathops.LineCap(_CAPS.get(looks["stroke-linecap"], 0))
            join = pathops.LineJoin(_JOINS.get(looks["stroke-linejoin"], 0))
            width = svg.length(looks["stroke-width"], place.room[0])
            if width < 0:
                raise ValueError(f"stroke-width is {looks['stroke-width']}; it is 0 or more")
            line.stroke(width, cap, join, svg.number(looks["stroke-miterlimit"]))
            line.fillType = pathops.FillType.WINDING
            if looks["stroke-dasharray"] not in ("none", "0"):
                self.lost["dashes"] = None
            self._add("stroke", line, place, found)

    def _add(self, kind: str, path: pathops.Path, place: _Place, found: list[Shape]) -> None:
        """A shape in its colour; one that is not to be seen is left out."""
        looks = place.looks
        colour = looks[kind]
        colour = looks["color"] if colour.lower() == "currentcolor" else colour
        if colour.startswith("url("):
            self.lost["gradients"] = None
        covers = share(looks[f"{kind}-opacity"]) * rgb(colour)[1]
        if covers:
            if covers < 1:
                self.lost["opacity"] = None
            found.append(Shape(colour, covers, _placed(path, place)))


def _outline(element: Element, place: _Place) -> pathops.Path:
    """A shape of the file in its own coordinates. Raises `ValueError`."""
    tag = local(element)
    lone = Element("svg", {"xmlns": drawable.SVG.strip("{}")})
    bare = SubElement(lone, f"{drawable.SVG}{tag}")
    if tag == "path":
        bare.set("d", element.get("d", ""))
    for name, asked in _MEASURES[tag].items():
        given = element.get(name, "").strip()
        if not given and asked:
            raise ValueError(f"a <{tag}> has no {name}")
        if name == "points":
            bare.set(name, " ".join(f"{value:.9g}" for value in svg.numbers(given)))
        elif given and given != "auto":
            bare.set(name, f"{svg.length(given, place.room[name in _DOWN]):.9g}")
    shape = pathops.Path()
    SVGPath.fromstring(tostring(lone)).draw(shape.getPen(glyphSet=None))
    return shape


def _refuse(element: Element, tag: str) -> None:
    words = "".join(element.itertext()).strip() if tag.startswith("flow") else ""
    if tag in _REFUSED or words:
        todo = _REFUSED.get(tag, _OUTLINES)
        raise Undrawable(f"<{tag}> is not drawn in an icon; {todo}", element)


def _corner(element: Element, place: _Place) -> tuple[float, float]:
    across, down = place.room
    return svg.length(element.get("x", "0"), across), svg.length(element.get("y", "0"), down)


def _in_view(element: Element, viewed: Element, place: _Place) -> _Place:
    """The place within a symbol, or a drawing within this one, put where `element` says: its
    viewBox fills its room."""
    width, height = (
        svg.length(element.get(key) or viewed.get(key) or "100%", whole)
        for key, whole in zip(("width", "height"), place.room, strict=True)
    )
    frame, box = place.frame.translate(*_corner(element, place)), svg.view(viewed)
    if not box:
        return replace(place, frame=frame, room=(width, height))
    across, down = width / box[2], height / box[3]
    if viewed.get("preserveAspectRatio") != "none":
        across = down = min(across, down)
    left, top = (width - across * box[2]) / 2, (height - down * box[3]) / 2
    fitted = Transform(across, 0, 0, down, left - across * box[0], top - down * box[1])
    return replace(place, frame=frame.transform(fitted), room=(box[2], box[3]))


def _placed(shape: pathops.Path, place: _Place) -> pathops.Path:
    """The shape in the frame's coordinates, cut to what is left of the plane."""
    placed = pathops.Path()
    placed.fillType = shape.fillType
    shape = pathops.Path(shape)
    shape.convertConicsToQuads()
    shape.draw(TransformPen(placed.getPen(glyphSet=None), place.frame))
    placed.simplify(fix_winding=True)
    if place.clip is not None:
        placed = pathops.op(placed, place.clip, _BOTH, fix_winding=True)
    return placed


def rgb(colour: str) -> tuple[tuple[int, int, int], float]:
    """Red, green and blue to 255, and how much they cover; what is no plain colour is black."""
    written = colour.strip().lower()
    if written in ("none", "transparent"):
        return (0, 0, 0), 0.0
    covers = 1.0
    called = re.fullmatch(r"(rgb|hsl)a?\(([^()]*)\)", written)
    if called:
        parts = re.split(r"[\s,/]+", called[2].strip())
        covers = share(parts[3]) if len(parts) == 4 else 1.0
        written = f"{called[1]}({','.join(parts[:3])})"
    try:
        found = ImageColor.getrgb(written)
    except ValueError:
        return (0, 0, 0), covers
    return (found[0], found[1], found[2]), found[3] / 255 if len(found) > 3 else covers


def _luminance(colour: str) -> float:
    red, green, blue = rgb(colour)[0]
    return (0.2125 * red + 0.7154 * green + 0.0721 * blue) / 255


def share(written: str) -> float:
    """An opacity, `0.5` or `50%`, as a part of 1."""
    value = svg.number(written.strip().removesuffix("%")) / (100 if "%" in written else 1)
    return min(1.0, max(0.0, value))


def _transform(text: str) -> Transform:
    result = Identity
    for name, numbers in _TRANSFORM.findall(text):
        values = svg.numbers(numbers)
        if len(values) not in _ARGUMENTS.get(name, range(1, 7)):
            raise ValueError(f"'{name}({numbers[:40]})' has {len(values)} numbers")
        result = result.transform(_one(name, values))
    return result


def _one(name: str, values: list[float]) -> Any:
    made: Mapping[str, Any] = {
        "translate": lambda: Identity.translate(*values),
        "scale": lambda: Identity.scale(values[0], values[-1]),
        "rotate": lambda: _turned(values[0], *values[1:3]),
        "matrix": lambda: Transform(*values),
        "skewX": lambda: Identity.skew(math.radians(values[0]), 0),
        "skewY": lambda: Identity.skew(0, math.radians(values[0])),
    }
    if name not in made:
        raise ValueError(f"the transform {name}(…) is not drawn in an icon; write it as matrix(…)")
    return made[name]()


def _turned(angle: float, x: float = 0.0, y: float = 0.0) -> Any:
    return Identity.translate(x, y).rotate(math.radians(angle)).translate(-x, -y)

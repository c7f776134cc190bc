"""Shapes of an SVG icon, each as an outline with its colour.

Applies transforms, resolves `<use>`, clips and masks, and turns strokes into areas. Coordinates
are those of the frame the caller passes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element, SubElement, tostring

import pathops
from fontTools.misc.transform import Transform
from fontTools.pens.transformPen import TransformPen
from fontTools.svgLib.path import SVGPath
from PIL import ImageColor

from cardgen.assets import svg_checks, svg_reader
from cardgen.assets.svg_painting import (
    find_unpainted,
    is_selected,
    parse_opacity,
    parse_transform,
)
from cardgen.assets.svg_reader import (
    INITIAL_PROPERTIES,
    SvgProperties,
    SvgStylesheet,
    get_local_name,
)

_MAX_SHAPES = 10_000
"""Maximum number of elements drawn through `<use>`; nested ones multiply."""
_MAX_USE_DEPTH = 12
# Shape → its attributes, and whether they are required.
_SHAPE_LENGTHS = {
    "rect": {"x": False, "y": False, "rx": False, "ry": False, "width": True, "height": True},
    "circle": {"cx": False, "cy": False, "r": True},
    "ellipse": {"cx": False, "cy": False, "rx": True, "ry": True},
    "line": {"x1": False, "y1": False, "x2": False, "y2": False},
    "polygon": {"points": True},
    "polyline": {"points": True},
    "path": {},
}
_VERTICAL_LENGTHS = frozenset({"y", "ry", "height", "cy", "y1", "y2"})
_LINE_CAPS = {"butt": 0, "round": 1, "square": 2}
_LINE_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_UNDRAWN_ELEMENTS = frozenset({
    "clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata", "pattern",
    "radialGradient", "script", "style", "symbol", "title",
})  # fmt: skip
_OUTLINE_HINT = (
    "make it a path (Inkscape: Path → Object to Path; Illustrator: Type → Create Outlines)"
)
_REFUSED_ELEMENTS = {
    "text": _OUTLINE_HINT,
    "image": "draw it as shapes (Inkscape: Path → Trace Bitmap)",
    "foreignObject": "take it out, or draw it as shapes",
}
_LOST_PROPERTIES = {"filter": "filters", "marker-start": "markers", "marker-mid": "markers",
         "marker-end": "markers"}  # fmt: skip
_CLIPPING_PROPERTIES = {"clip-path": ("clipPath", "clipping"), "mask": ("mask", "masks")}
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_REFERENCE_PATTERN = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
_UNION, _DIFFERENCE, _INTERSECTION = (
    pathops.PathOp.UNION, pathops.PathOp.DIFFERENCE, pathops.PathOp.INTERSECTION,
)  # fmt: skip


class IconShapeError(ValueError):
    """An element that cannot become part of an icon; the message follows the icon's name."""

    def __init__(self, message: str, element: Element) -> None:
        super().__init__(message)
        self.element = element


@dataclass(frozen=True)
class IconShape:
    """An area of one colour, with its opacity from 0 to 1."""

    colour: str
    opacity: float
    path: pathops.Path


@dataclass(frozen=True)
class _DrawingContext:
    """Inherited state of an element.

    `viewport` is the size percentages refer to; `clip` the visible area; `ancestors` the
    elements being resolved through `<use>`. Inside a clip (`is_area`) only the area counts.
    """

    frame: Transform
    viewport: tuple[float, float]
    properties: SvgProperties = field(default_factory=lambda: INITIAL_PROPERTIES)
    clip: pathops.Path | None = None
    ancestors: tuple[Element, ...] = ()
    is_area: bool = False


class IconShapeReader:
    """Reads the shapes of a drawing in painting order."""

    def __init__(self, root: Element, box: list[float]) -> None:
        """Prepare to read a drawing; `box` is its viewBox."""
        self.lost: dict[str, None] = {}
        """Features of the drawing an outline cannot have, as phrases."""
        self._root = root
        self._room = box[2], box[3]
        self._sheet = SvgStylesheet(root)
        self._ids = {each.get("id"): each for each in root.iter() if each.get("id")}
        self._unpainted = find_unpainted(root)
        self._used = 0
        for selector in self._sheet.unheeded:
            self.lost[f"'{selector}' in its <style>"] = None

    def read_shapes(self, element: Element, frame: Transform) -> list[IconShape]:
        """Return all shapes an element draws. Raises `IconShapeError`."""
        found: list[IconShape] = []
        self._draw_element(element, _DrawingContext(frame, self._room), found)
        return found

    def _draw_element(
        self, element: Element, place: _DrawingContext, found: list[IconShape]
    ) -> None:
        tag = str(element.tag)
        if tag.startswith("{") and not tag.startswith(svg_checks.SVG_NAMESPACE):
            return  # an editor's private element
        self._used += bool(place.ancestors)
        if self._used > _MAX_SHAPES:
            raise IconShapeError(f"it draws more than {_MAX_SHAPES} elements by <use>", element)
        try:
            self._draw_by_tag(element, get_local_name(element), place, found)
        except IconShapeError:
            raise
        except ValueError as error:
            raise IconShapeError(str(error), element) from None

    def _draw_by_tag(
        self, element: Element, tag: str, place: _DrawingContext, found: list[IconShape]
    ) -> None:
        own = self._sheet.get_properties(element)
        hidden = element in self._unpainted and (tag in _REFUSED_ELEMENTS or tag.startswith("flow"))
        if hidden or own.get("display") == "none" or tag in _UNDRAWN_ELEMENTS:
            return
        _refuse_element(element, tag)
        looks = _inherit_properties(place, own)
        for name in ("fill-opacity", "stroke-opacity"):
            looks[name] = str(parse_opacity(looks[name]) * parse_opacity(own.get("opacity", "1")))
        frame = place.frame.transform(parse_transform(element.get("transform", "")))
        self.lost.update(
            (w, None) for key, w in _LOST_PROPERTIES.items() if own.get(key, "none") != "none"
        )
        if "transform:" in element.get("style", "").replace(" ", ""):
            self.lost["transforms in a style"] = None
        clip = self._build_clip(own, frame, place)
        inner = replace(place, frame=frame, properties=looks, clip=clip)
        if tag in _SHAPE_LENGTHS:
            if looks["visibility"] == "visible":
                self._paint_shape(element, inner, found)
        elif tag == "use":
            self._draw_use(element, inner, found)
        else:
            if tag == "svg" and element is not self._root:
                inner = _enter_view(element, element, inner)
            self._draw_children(element, inner, found)

    def _draw_children(
        self, element: Element, place: _DrawingContext, found: list[IconShape]
    ) -> None:
        children = list(element)
        if get_local_name(element) == "switch":
            children = [child for child in children if is_selected(child)][:1]
        for child in children:
            self._draw_element(child, place, found)

    def _draw_use(self, element: Element, place: _DrawingContext, found: list[IconShape]) -> None:
        """Draw the element of this file that a `<use>` refers to."""
        address = next((element.get(key, "") for key in _HREFS if element.get(key)), "")
        target = self._ids.get(address[1:]) if address.startswith("#") else None
        if target is None:
            where = "is not in it" if address.startswith("#") else "is outside it"
            raise IconShapeError(f"a <use> refers to '{address[:60]}', which {where}", element)
        if target in place.ancestors or len(place.ancestors) >= _MAX_USE_DEPTH:
            raise IconShapeError(f"a <use> of '{address[:60]}' leads back to itself", element)
        inner = replace(place, ancestors=(*place.ancestors, target))
        if get_local_name(target) not in ("symbol", "svg"):
            frame = place.frame.translate(*_find_corner(element, place))
            self._draw_element(target, replace(inner, frame=frame), found)
            return
        own = self._sheet.get_properties(target)
        inner = replace(inner, properties=_inherit_properties(place, own))
        self._draw_children(target, _enter_view(element, target, inner), found)

    def _build_clip(
        self, own: SvgProperties, frame: Transform, place: _DrawingContext
    ) -> pathops.Path | None:
        """Return the area left by clips and masks, or None for everything."""
        left = place.clip
        for key, (tag, word) in _CLIPPING_PROPERTIES.items():
            written = own.get(key, "none")
            if written == "none":
                continue
            match = _REFERENCE_PATTERN.match(written)
            target = self._ids.get(match[1]) if match else None
            area = None
            is_usable = target not in place.ancestors
            if target is not None and is_usable and get_local_name(target) == tag:
                area = self._build_area(target, frame, place)
            if area is None:
                self.lost[word] = None
            elif left is None:
                left = area
            else:
                left = pathops.op(left, area, _INTERSECTION, fix_winding=True)
        return left

    def _build_area(
        self, target: Element, frame: Transform, place: _DrawingContext
    ) -> pathops.Path | None:
        """Return the area a clip or mask lets through; None if its units are relative to its
        user."""
        clips = get_local_name(target) == "clipPath"
        units = target.get("clipPathUnits" if clips else "maskContentUnits", "userSpaceOnUse")
        if units != "userSpaceOnUse":
            return None
        own = frame.transform(parse_transform(target.get("transform", "")))
        shapes: list[IconShape] = []
        inner = _DrawingContext(
            own, place.viewport, ancestors=(*place.ancestors, target), is_area=clips
        )
        self._draw_children(target, inner, shapes)
        by_alpha = self._sheet.get_properties(target).get("mask-type") == "alpha"
        area = pathops.Path()
        for shape in shapes:
            light = 1.0 if by_alpha or clips else _compute_luminance(shape.colour)
            if 0.05 < light * shape.opacity < 0.95:
                self.lost["masks"] = None
            operation = _UNION if light * shape.opacity >= 0.5 else _DIFFERENCE
            area = pathops.op(area, shape.path, operation, fix_winding=True)
        return area

    def _paint_shape(
        self, element: Element, place: _DrawingContext, found: list[IconShape]
    ) -> None:
        looks = place.properties
        shape = _build_path(element, place)
        if looks["clip-rule" if place.is_area else "fill-rule"] == "evenodd":
            shape.fillType = pathops.FillType.EVEN_ODD
        if place.is_area:
            found.append(IconShape("#000", 1.0, _transform_shape(shape, place)))
            return
        if looks["fill"] != "none":
            self._add_shape("fill", shape, place, found)
        if looks["stroke"] != "none":
            line = pathops.Path(shape)
            cap = pathops.LineCap(_LINE_CAPS.get(looks["stroke-linecap"], 0))
            join = pathops.LineJoin(_LINE_JOINS.get(looks["stroke-linejoin"], 0))
            width = svg_reader.parse_length(looks["stroke-width"], place.viewport[0])
            if width < 0:
                raise ValueError(f"stroke-width is {looks['stroke-width']}; it is 0 or more")
            line.stroke(width, cap, join, svg_reader.parse_number(looks["stroke-miterlimit"]))
            line.fillType = pathops.FillType.WINDING
            if looks["stroke-dasharray"] not in ("none", "0"):
                self.lost["dashes"] = None
            self._add_shape("stroke", line, place, found)

    def _add_shape(
        self, kind: str, path: pathops.Path, place: _DrawingContext, found: list[IconShape]
    ) -> None:
        """Add a visible shape in its colour."""
        looks = place.properties
        colour = looks[kind]
        colour = looks["color"] if colour.lower() == "currentcolor" else colour
        if colour.startswith("url("):
            self.lost["gradients"] = None
        covers = parse_opacity(looks[f"{kind}-opacity"]) * parse_rgb(colour)[1]
        if covers:
            if covers < 1:
                self.lost["opacity"] = None
            found.append(IconShape(colour, covers, _transform_shape(path, place)))


def _inherit_properties(place: _DrawingContext, own: SvgProperties) -> dict[str, str]:
    inherited = {name: value for name, value in own.items() if name in INITIAL_PROPERTIES}
    return {**place.properties, **inherited}


def _build_path(element: Element, place: _DrawingContext) -> pathops.Path:
    """Return a basic shape in its own coordinates. Raises `ValueError`."""
    tag = get_local_name(element)
    lone = Element("svg", {"xmlns": svg_checks.SVG_NAMESPACE.strip("{}")})
    bare = SubElement(lone, f"{svg_checks.SVG_NAMESPACE}{tag}")
    if tag == "path":
        bare.set("d", element.get("d", ""))
    for name, required in _SHAPE_LENGTHS[tag].items():
        attributes = element.get(name, "").strip()
        if not attributes and required:
            raise ValueError(f"a <{tag}> has no {name}")
        if name == "points":
            bare.set(
                name, " ".join(f"{value:.9g}" for value in svg_reader.parse_numbers(attributes))
            )
        elif attributes and attributes != "auto":
            whole = place.viewport[name in _VERTICAL_LENGTHS]
            bare.set(name, f"{svg_reader.parse_length(attributes, whole):.9g}")
    shape = pathops.Path()
    SVGPath.fromstring(tostring(lone)).draw(shape.getPen(glyphSet=None))
    return shape


def _refuse_element(element: Element, tag: str) -> None:
    words = "".join(element.itertext()).strip() if tag.startswith("flow") else ""
    if tag in _REFUSED_ELEMENTS or words:
        todo = _REFUSED_ELEMENTS.get(tag, _OUTLINE_HINT)
        raise IconShapeError(f"<{tag}> is not drawn in an icon; {todo}", element)


def _find_corner(element: Element, place: _DrawingContext) -> tuple[float, float]:
    across, down = place.viewport
    return svg_reader.parse_length(element.get("x", "0"), across), svg_reader.parse_length(
        element.get("y", "0"), down
    )


def _enter_view(element: Element, viewed: Element, place: _DrawingContext) -> _DrawingContext:
    """Return the context within a symbol or nested svg, its viewBox fitted into its viewport."""
    width, height = (
        svg_reader.parse_length(element.get(key) or viewed.get(key) or "100%", whole)
        for key, whole in zip(("width", "height"), place.viewport, strict=True)
    )
    frame = place.frame.translate(*_find_corner(element, place))
    box = svg_reader.read_view_box(viewed)
    if not box:
        return replace(place, frame=frame, viewport=(width, height))
    across, down = width / box[2], height / box[3]
    if viewed.get("preserveAspectRatio") != "none":
        across = down = min(across, down)
    left, top = (width - across * box[2]) / 2, (height - down * box[3]) / 2
    fitted = Transform(across, 0, 0, down, left - across * box[0], top - down * box[1])
    return replace(place, frame=frame.transform(fitted), viewport=(box[2], box[3]))


def _transform_shape(shape: pathops.Path, place: _DrawingContext) -> pathops.Path:
    """Return the shape in frame coordinates, cut to the visible area."""
    placed = pathops.Path()
    placed.fillType = shape.fillType
    shape = pathops.Path(shape)
    shape.convertConicsToQuads()
    shape.draw(TransformPen(placed.getPen(glyphSet=None), place.frame))
    placed.simplify(fix_winding=True)
    if place.clip is not None:
        placed = pathops.op(placed, place.clip, _INTERSECTION, fix_winding=True)
    return placed


def parse_rgb(colour: str) -> tuple[tuple[int, int, int], float]:
    """Return red, green and blue from 0 to 255, and the opacity. An unknown colour is black."""
    written = colour.strip().lower()
    if written in ("none", "transparent"):
        return (0, 0, 0), 0.0
    covers = 1.0
    match_ = re.fullmatch(r"(rgb|hsl)a?\(([^()]*)\)", written)
    if match_:
        parts = re.split(r"[\s,/]+", match_[2].strip())
        covers = parse_opacity(parts[3]) if len(parts) == 4 else 1.0
        written = f"{match_[1]}({','.join(parts[:3])})"
    try:
        found = ImageColor.getrgb(written)
    except ValueError:
        return (0, 0, 0), covers
    return (found[0], found[1], found[2]), found[3] / 255 if len(found) > 3 else covers


def _compute_luminance(colour: str) -> float:
    red, green, blue = parse_rgb(colour)[0]
    return (0.2125 * red + 0.7154 * green + 0.0721 * blue) / 255

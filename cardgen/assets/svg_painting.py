"""Elements of an SVG that paint nothing, wherever they stand in it.

Editors leave empty, hidden and unused elements behind. Where it is unclear, an element paints.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element

from fontTools.misc.transform import Identity, Transform

from cardgen.assets import svg_reader
from cardgen.assets.svg_reader import INITIAL_PROPERTIES, SvgStylesheet, get_local_name

_HOLDERS = frozenset({"defs", "symbol", "clipPath", "mask", "marker", "pattern"})
"""Elements whose content is painted where a reference uses it."""
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)")
_TRANSFORM_ARGUMENTS = {
    "translate": (1, 2), "scale": (1, 2), "rotate": (1, 3), "matrix": (6,), "skewX": (1,),
    "skewY": (1,),
}  # fmt: skip
_TRANSFORM_PATTERN = re.compile(r"(\w+)\s*\(([^)]*)\)")
_TEXT_ELEMENTS = frozenset({"text", "flowRoot"})
_UNSEEN = frozenset({"none", "transparent"})
_TALLEST_SHARE, _WIDEST_SHARE = 1.5, 1.5
"""No letter is taller or wider than this share of its type size."""


@dataclass(frozen=True)
class _Inherited:
    """What an element has from those around it. `frame` is None where places are unclear."""

    properties: Mapping[str, str]
    frame: Transform | None
    hidden: bool = False
    unused: bool = False


def find_unpainted(root: Element) -> frozenset[Element]:
    """Return the elements of a drawing that paint nothing. Raise `ValueError` for bad numbers."""
    box = svg_reader.read_view_box(root) or [0.0, 0.0, *svg_reader.read_size(root)]
    return frozenset(_Finder(root, box).find())


class _Finder:
    def __init__(self, root: Element, box: list[float]) -> None:
        self._root, self._box = root, box
        self._sheet = SvgStylesheet(root)
        self._used: set[str] = set()
        for element in root.iter():
            values = list(element.attrib.values())
            if get_local_name(element) == "style":
                values.append("".join(element.itertext()))
            elif get_local_name(element) != "a":
                self._used.update(element.get(key, "").strip()[1:] for key in _HREFS)
            self._used.update(name for value in values for name in _REFERENCE.findall(value))

    def find(self) -> Iterator[Element]:
        """Yield every element that paints nothing."""
        left = [(self._root, _Inherited(INITIAL_PROPERTIES, Identity))]
        while left:
            element, outer = left.pop()
            inner = self._inherit(element, outer)
            if self._is_unpainted(element, inner):
                yield element
                inner = replace(inner, hidden=inner.hidden or not inner.unused)
            children = list(element)
            if get_local_name(element) != "switch":
                left += [(child, inner) for child in children]
                continue
            chosen = next(filter(is_selected, children), None)
            aside = replace(inner, unused=True)
            left += [(child, inner if child is chosen else aside) for child in children]

    def _is_unpainted(self, element: Element, inner: _Inherited) -> bool:
        tag = get_local_name(element)
        if inner.hidden or inner.unused:
            return True
        if tag in _TEXT_ELEMENTS:
            return not self._paints_text(element, inner)
        return tag == "foreignObject" and not len(element) and not (element.text or "").strip()

    def _inherit(self, element: Element, outer: _Inherited) -> _Inherited:
        tag, own = get_local_name(element), self._sheet.get_properties(element)
        used = element.get("id") in self._used
        aside = outer.unused or tag in _HOLDERS or own.get("display") == "none"
        hidden = outer.hidden or is_clear(own.get("opacity", "1"))
        known = {name: value for name, value in own.items() if name in INITIAL_PROPERTIES}
        frame = self._enter(element, tag, outer.frame, used=used)
        return _Inherited({**outer.properties, **known}, frame, hidden, aside and not used)

    def _enter(
        self, element: Element, tag: str, frame: Transform | None, *, used: bool
    ) -> Transform | None:
        written = element.get("style", "").replace(" ", "")
        if frame is None or used or tag in _HOLDERS or "transform:" in written:
            return None
        if tag == "svg" and element is not self._root:
            return None
        try:
            return frame.transform(parse_transform(element.get("transform", "")))
        except ValueError:
            return None

    def _paints_text(self, text: Element, inner: _Inherited) -> bool:
        if not "".join(text.itertext()).strip():
            return False
        parts = list(self._list_parts(text, inner))
        seen = any(
            words.strip() and _is_visible(each.properties) and not (each.hidden or each.unused)
            for _, words, each in parts
        )
        return seen and self._reaches_box(text, parts)

    def _list_parts(
        self, text: Element, inner: _Inherited
    ) -> Iterator[tuple[Element, str, _Inherited]]:
        """Yield an element of text and those in it, with the words that each has itself."""
        left = [(text, inner)]
        while left:
            element, looks = left.pop()
            words = [element.text or "", *(child.tail or "" for child in element)]
            yield element, "".join(words), looks
            for child in element:
                below = self._inherit(child, looks)
                left.append((child, replace(below, frame=looks.frame)))

    def _reaches_box(self, text: Element, parts: list[tuple[Element, str, _Inherited]]) -> bool:
        """Tell whether a text may reach into the viewBox, in any typeface."""
        frame = parts[0][2].frame
        tags = {get_local_name(part) for part, _, _ in parts}
        if frame is None or not tags <= {"text", "tspan", "title", "desc"}:
            return True
        try:
            size = max(svg_reader.parse_length(each.properties["font-size"], 16)
                       for _, _, each in parts)  # fmt: skip
            xs, ys, shift = self._read_places(part for part, _, _ in parts)
        except ValueError:
            return True
        if any("font:" in (part.get("style") or "").replace(" ", "") for part, _, _ in parts):
            return True
        reach = len("".join(text.itertext())) * size * _WIDEST_SHARE + shift
        upright = any("writing-mode" in f"{part.attrib}" for part, _, _ in parts)
        above = size * _TALLEST_SHARE + shift + (reach if upright else 0)
        corners = [
            frame.transformPoint((x, y))
            for x in (min(xs) - reach, max(xs) + reach)
            for y in (min(ys) - above, max(ys) + above)
        ]
        left, top, width, height = self._box
        across, down = [x for x, _ in corners], [y for _, y in corners]
        outside = (
            min(across) >= left + width, max(across) <= left,
            min(down) >= top + height, max(down) <= top,
        )  # fmt: skip
        return not any(outside)

    def _read_places(self, parts: Iterator[Element]) -> tuple[list[float], list[float], float]:
        """Return the x and y that words begin at, and the sum of all shifts."""
        xs: list[float] = []
        ys: list[float] = []
        shift = 0.0
        for number, part in enumerate(parts):
            begins = not number and bool((part.text or "").strip() or not len(part))
            for name, found, whole in (("x", xs, self._box[2]), ("y", ys, self._box[3])):
                placed = not begins and all(each.get(name) for each in part)
                written = part.get(name, "" if number or placed else "0")
                found += [
                    svg_reader.parse_length(each, whole)
                    for each in written.replace(",", " ").split()
                ]
            for name in ("dx", "dy"):
                moved = part.get(name, "").replace(",", " ").split()
                shift += sum(abs(svg_reader.parse_length(each, self._box[2])) for each in moved)
        return xs or [0.0], ys or [0.0], shift


def _is_visible(looks: Mapping[str, str]) -> bool:
    painted = any(
        looks[kind].strip().lower() not in _UNSEEN and not is_clear(looks[f"{kind}-opacity"])
        for kind in ("fill", "stroke")
    )
    return painted and looks["visibility"] not in {"hidden", "collapse"}


def is_clear(opacity: str) -> bool:
    """Tell whether an opacity is 0. One that cannot be read is not."""
    try:
        return parse_opacity(opacity) == 0
    except ValueError:
        return False


def parse_opacity(written: str) -> float:
    """Return an opacity, `0.5` or `50%`, from 0 to 1."""
    value = svg_reader.parse_number(written.strip().removesuffix("%")) / (
        100 if "%" in written else 1
    )
    return min(1.0, max(0.0, value))


def is_selected(child: Element) -> bool:
    """Return True if a part of a `<switch>` can be drawn."""
    languages = child.get("systemLanguage")
    speaks = languages is None or any(
        part.strip().lower().startswith("en") for part in languages.split(",")
    )
    foreign = get_local_name(child) == "foreignObject"
    return speaks and not foreign and child.get("requiredExtensions") in {None, ""}


def parse_transform(text: str) -> Transform:
    """Return the matrix of a `transform`. Raise `ValueError`."""
    result = Identity
    for name, numbers in _TRANSFORM_PATTERN.findall(text):
        values = svg_reader.parse_numbers(numbers)
        if len(values) not in _TRANSFORM_ARGUMENTS.get(name, range(1, 7)):
            raise ValueError(f"'{name}({numbers[:40]})' has {len(values)} numbers")
        result = result.transform(_build_transform(name, values))
    return result


def _build_transform(name: str, values: list[float]) -> Any:
    transforms: Mapping[str, Any] = {
        "translate": lambda: Identity.translate(*values),
        "scale": lambda: Identity.scale(values[0], values[-1]),
        "rotate": lambda: _rotate_about(values[0], *values[1:3]),
        "matrix": lambda: Transform(*values),
        "skewX": lambda: Identity.skew(math.radians(values[0]), 0),
        "skewY": lambda: Identity.skew(0, math.radians(values[0])),
    }
    if name not in transforms:
        raise ValueError(f"the transform {name}(…) is not drawn in an icon; write it as matrix(…)")
    return transforms[name]()


def _rotate_about(angle: float, x: float = 0.0, y: float = 0.0) -> Any:
    return Identity.translate(x, y).rotate(math.radians(angle)).translate(-x, -y)

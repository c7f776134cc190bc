"""SVG reader: the element tree, numbers and lengths, and cascaded properties.

Accepts UTF-8 without entities. Lengths are CSS px, 96 to the inch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat

from cardgen.runtime.game_files import describe_file

MAX_SIDE_PX = 10_000.0
"""Maximum side of a drawing; a larger one is scaled down."""
_NUMBER_PATTERN = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMBER_REGEX = re.compile(_NUMBER_PATTERN)
_LENGTH_REGEX = re.compile(rf"\s*({_NUMBER_PATTERN})\s*(mm|cm|in|pt|px)?\s*\Z")
_PX_PER = {"mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "px": 1.0, "": 1.0}
_MIN_MAGNITUDE, _MAX_MAGNITUDE = 1e-9, 1e9
_DOCTYPE_REGEX = re.compile(
    r"<!DOCTYPE\s+svg(?:\s+(?:PUBLIC|SYSTEM)(?:\s+(?:\"[^\"<>]*\"|'[^'<>]*'))+)?\s*>"
)
"""DOCTYPE without declarations, as Illustrator and others write it. It is never fetched."""


def parse_svg(data: bytes) -> Element:
    """Return the root element. Raises `ValueError` with a phrase that follows the file's name."""
    kind = describe_file(data)
    if kind not in ("", "an SVG", "UTF-16 text"):
        raise ValueError("is empty" if kind == "empty" else f"is {kind}, not an SVG")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8; save it as UTF-8") from None
    text = remove_doctype(text)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError(f"has a DOCTYPE with declarations; {_EXPORT_HINT}")
    try:
        return ElementTree.fromstring(text)  # noqa: S314 - no entities; UTF-8, whatever it declares
    except ElementTree.ParseError as error:
        raise ValueError(f"cannot be read: {error}") from None


_EXPORT_HINT = "take it out, or export anew (Illustrator: without 'Preserve Editing Capabilities')"


def remove_doctype(text: str) -> str:
    """Return the drawing without a DOCTYPE that declares nothing; lines keep their numbers."""
    return _DOCTYPE_REGEX.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)


def find_element_lines(data: bytes) -> list[int]:
    """Return the line of each element's tag in document order, for a parsed drawing."""
    found: list[int] = []
    reader = expat.ParserCreate("utf-8")
    reader.StartElementHandler = lambda *_: found.append(reader.CurrentLineNumber)
    reader.Parse(remove_doctype(data.decode("utf-8-sig")).encode(), True)
    return found


def parse_numbers(text: str) -> list[float]:
    """Return the numbers of a list, `0 0 24,24` or `.5-3`. Raises `ValueError`."""
    if _NUMBER_REGEX.sub(" ", text).strip(" ,\t\r\n"):
        raise ValueError(f"'{text[:40]}' are not numbers")
    return [parse_number(part) for part in _NUMBER_REGEX.findall(text)]


def parse_number(text: str) -> float:
    """Return a number of SVG syntax. Raises `ValueError` also for infinite or huge ones."""
    value = float(text) if _NUMBER_REGEX.fullmatch(text) and len(text) < 40 else math.nan
    if not abs(value) < _MAX_MAGNITUDE:
        raise ValueError(f"'{text[:40]}' is not a usable number")
    return value if abs(value) > _MIN_MAGNITUDE else 0.0


def read_size(element: Element) -> tuple[float, float]:
    """Return width and height of a drawing, from its attributes or its viewBox.

    Raises `ValueError` with a phrase that follows the file's name.
    """
    box = read_view_box(element)
    width, height = (_convert_to_px(element.get(key, "")) for key in ("width", "height"))
    if box:
        width, height = width or box[2], height or box[3]
    if not width or not height:
        raise ValueError("has neither width and height nor a viewBox")
    shrunk = min(1.0, MAX_SIDE_PX / max(width, height))
    return width * shrunk, height * shrunk


def read_view_box(element: Element) -> list[float]:
    """Return the four numbers of the viewBox, or an empty list. Raises `ValueError`."""
    written = element.get("viewBox")
    if written is None:
        return []
    try:
        box = parse_numbers(written)
    except ValueError:
        box = []
    if len(box) != 4 or min(box[2:]) <= 0:
        expected = "expected four numbers such as 0 0 100 140, the last two above 0"
        raise ValueError(f"has the viewBox '{written[:40]}'; {expected}")
    return box


def parse_length(text: str, whole: float) -> float:
    """Return a length such as `12`, `0.5px`, `3mm`, or a percentage of `whole`, in px.

    Raises `ValueError`.
    """
    written = text.strip()
    if written.endswith("%"):
        return parse_number(written[:-1].strip()) / 100 * whole
    match = _LENGTH_REGEX.match(written)
    return parse_number(match[1]) * _PX_PER[match[2] or ""] if match else parse_number(written)


def _convert_to_px(length: str) -> float:
    """Return a positive length in px; 0 for any other, such as 100 %."""
    match = _LENGTH_REGEX.match(length)
    try:
        value = parse_number(match[1]) if match else 0.0
    except ValueError:
        return 0.0
    return max(0.0, value) * _PX_PER[match[2] or ""] if match else 0.0


SvgProperties = Mapping[str, str]
"""Property name → value as written."""

INITIAL_PROPERTIES: SvgProperties = {
    "fill": "#000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "fill-rule": "nonzero",
    "stroke-dasharray": "none", "fill-opacity": "1", "stroke-opacity": "1", "visibility": "visible",
    "clip-rule": "nonzero", "color": "#000", "font-size": "16",
}  # fmt: skip
"""Inherited properties and their initial values."""
NOT_INHERITED = frozenset({
    "opacity", "display", "clip-path", "mask", "filter", "mask-type", "marker-start", "marker-mid",
    "marker-end",
})  # fmt: skip
"""Properties that apply to the element alone."""
TEXT_PROPERTIES: SvgProperties = {
    "font-family": "", "font-weight": "normal", "font-style": "normal", "text-anchor": "start",
    "white-space": "", "font": "", "letter-spacing": "", "word-spacing": "", "writing-mode": "",
    "direction": "", "font-variant": "", "font-stretch": "", "font-feature-settings": "",
    "font-variation-settings": "", "text-decoration": "", "text-transform": "",
    "baseline-shift": "", "dominant-baseline": "", "shape-inside": "", "inline-size": "",
}  # fmt: skip
"""Properties of text alone, with the initial values of those that are understood."""
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_CSS_RULE = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}")
_COMPOUND_SELECTOR = re.compile(r"([\w-]+|\*)?((?:[.#][\w-]+)*)\Z")
_CLASS_OR_ID = re.compile(r"[.#][\w-]+")
_AT_RULE = re.compile(r"@[\w-]+[^@{};]*+(?:;|\{(?:[^{}]++|\{[^{}]*+\})*+\})")


class SvgStylesheet:
    """Rules of a drawing's `<style>` elements.

    Supports selectors by element, class and id; `unheeded` lists other selectors and at-rules.
    """

    def __init__(self, root: Element) -> None:
        self._rules: list[tuple[tuple[int, int, int], int, str, frozenset[str], SvgProperties]] = []
        self.unheeded: dict[str, None] = {}
        for element in root.iter():
            if get_local_name(element) == "style":
                self._parse_css(_CSS_COMMENT.sub(" ", "".join(element.itertext())))
        self._rules.sort(key=lambda rule: rule[:2])

    def _parse_css(self, css: str) -> None:
        for block in _AT_RULE.findall(css):
            name = block.split("{")[0].split()[0].rstrip(";")
            if name not in ("@charset", "@font-face", "@namespace"):
                self.unheeded[name] = None
        for selectors, written in _CSS_RULE.findall(_AT_RULE.sub(" ", css)):
            looks = dict(parse_declarations(written))
            for selector in selectors.split(","):
                self._add_rule(selector.strip(), looks)

    def _add_rule(self, selector: str, looks: SvgProperties) -> None:
        match = _COMPOUND_SELECTOR.match(selector)
        if match is None or not selector:
            self.unheeded[selector[:40]] = None
            return
        names = _CLASS_OR_ID.findall(match[2])
        tag = "" if match[1] in (None, "*") else str(match[1])
        weight = (sum(n[0] == "#" for n in names), sum(n[0] == "." for n in names), int(bool(tag)))
        self._rules.append((weight, len(self._rules), tag, frozenset(names), looks))

    def get_properties(self, element: Element) -> dict[str, str]:
        """Return an element's own properties: attributes, then rules, then `style`."""
        found = dict(_filter_properties(element.items()))
        if self._rules:
            tag, names = get_local_name(element), {f"#{element.get('id', '')}"}
            names.update(f".{name}" for name in element.get("class", "").split())
            for _, _, expected, names_needed, looks in self._rules:
                if expected in ("", tag) and names_needed <= names:
                    found.update(looks)
        found.update(parse_declarations(element.get("style", "")))
        return {name: value for name, value in found.items() if value and value != "inherit"}


def parse_declarations(css: str) -> Iterator[tuple[str, str]]:
    """Yield the supported declarations of a `style` attribute or a rule."""
    parts = (part.partition(":") for part in css.split(";"))
    cleaned = ((name.strip(), value.replace("!important", "").strip()) for name, _, value in parts)
    return _filter_properties(cleaned)


def _filter_properties(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    supported = INITIAL_PROPERTIES.keys() | NOT_INHERITED | TEXT_PROPERTIES.keys()
    return ((name, value.strip()) for name, value in pairs if name in supported)


def get_local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]

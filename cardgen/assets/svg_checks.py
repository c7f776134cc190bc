"""Checks for SVG features that the renderer ignores.

usvg supports static SVG 1.1 and some of SVG 2. It skips what it does not know, and drops an
element with an unknown filter. Lost content is an error; a changed appearance is a warning.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Collection, Iterator
from urllib.parse import unquote_to_bytes
from xml.etree.ElementTree import Element

from PIL import Image

from cardgen.assets import rasters
from cardgen.assets.svg_painting import is_selected
from cardgen.assets.svg_reader import get_local_name

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_DRAWN_ELEMENTS = frozenset({
    "a", "circle", "clipPath", "defs", "ellipse", "filter", "g", "image", "line", "linearGradient",
    "marker", "mask", "path", "pattern", "polygon", "polyline", "radialGradient", "rect", "stop",
    "style", "svg", "switch", "symbol", "use",
    "feDistantLight", "fePointLight", "feSpotLight", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feMergeNode",
})  # fmt: skip
_FILTER_PRIMITIVES = frozenset({
    "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
    "feDiffuseLighting", "feDisplacementMap", "feDropShadow", "feFlood", "feGaussianBlur",
    "feImage", "feMerge", "feMorphology", "feOffset", "feSpecularLighting", "feTile",
    "feTurbulence",
})  # fmt: skip
# Elements that draw nothing, or nothing without text, which is refused.
_IGNORED_ELEMENTS = frozenset({
    "title", "desc", "metadata", "cursor", "view", "font", "font-face", "font-face-format",
    "font-face-name", "font-face-src", "font-face-uri", "glyph", "hkern", "missing-glyph", "vkern",
    "altGlyphDef", "color-profile", "inkscape:path-effect",
})  # fmt: skip
_UNSUPPORTED_ELEMENTS = frozenset({
    "audio", "canvas", "hatch", "iframe", "mesh", "meshgradient", "solidColor", "solidcolor",
    "video",
})  # fmt: skip
_SHAPE_ELEMENTS = frozenset({"circle", "ellipse", "line", "rect"})
_ANIMATION_ELEMENTS = frozenset(
    {"animate", "animateColor", "animateMotion", "animateTransform", "set"}
)
_EMBEDDED_FORMATS = {"PNG", "JPEG", "MPO", "GIF", "WEBP"}
_COLOUR_FUNCTIONS = re.compile(
    r"\b(oklch|oklab|lch|lab|hwb|color|color-mix|device-cmyk|light-dark|icc-color)\s*\("
)
_BASIC_SHAPES = re.compile(r"(circle|ellipse|inset|polygon|path|rect|xywh)\s*\(")
_CSS_FUNCTIONS = re.compile(r"\b(var|calc|env|min|max|clamp)\s*\(")
_PAINT_PROPERTIES = ("fill", "stroke", "stop-color", "flood-color", "lighting-color", "color")
_LENGTH_ATTRIBUTES = ("x", "y", "width", "height", "r", "rx", "ry", "cx", "cy")
_REFERENCE_PATTERN = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)\s*(\S?)")
_SELECTOR_PATTERN = re.compile(
    r"(?:[\w*-]+|[.#][\w-]+|\[[\w:-]+(?:[~|]?=(?:\"[^\"]*\"|'[^']*'|[\w-]+))?\]"
    r"|:first-child|:hover|:active|:focus|[\s>+,])*"
)
_COMMENT_PATTERN = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_RULE_PATTERN = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}")
_HARMLESS_AT_RULES = (
    "@charset",
    "@font-face",
    "@namespace",
    "@keyframes",
    "@-webkit-keyframes",
    "@page",
)
_MAX_WARNINGS = 6


class UndrawableSvgError(ValueError):
    """Content that would not be drawn at all; the message follows the drawing's name."""


def check(tree: Element, unpainted: Collection[Element] = ()) -> tuple[str, ...]:
    """Return warnings about a drawing, as phrases that follow its name. `unpainted` are its
    elements that paint nothing.

    Raises `UndrawableSvgError` for content that would be lost.
    """
    ids = {element.get("id") for element in tree.iter()} - {None}
    found: dict[str, None] = {}
    for element in tree.iter():
        if element in unpainted and get_local_name(element) not in _DRAWN_ELEMENTS:
            continue
        for remark in _check_element(element, ids):
            found[remark] = None
    listed = list(found)
    if len(listed) > _MAX_WARNINGS:
        listed = [*listed[:_MAX_WARNINGS], f"has {len(listed) - _MAX_WARNINGS} more such problems"]
    return tuple(listed)


def _check_element(element: Element, ids: set[str | None]) -> Iterator[str]:
    tag = str(element.tag)
    name = tag.rpartition("}")[2]
    if tag.startswith("{") and not tag.startswith(SVG_NAMESPACE):
        return  # an editor's private element
    if name in _FILTER_PRIMITIVES:
        _check_filter(element, name)
    elif name in _ANIMATION_ELEMENTS:
        yield f"has <{name}>; it is drawn without animation"
    elif name not in _DRAWN_ELEMENTS | _IGNORED_ELEMENTS:
        _refuse_element(element, name)
    if name == "switch":
        _refuse_switch(element)
    elif name == "image":
        yield from _check_image(element)
    elif name == "style":
        yield from _check_style("".join(element.itertext()))
    yield from _check_attributes(element, ids)


def _refuse_element(element: Element, name: str) -> None:
    """Raise for an unknown element with content."""
    words = " ".join("".join(element.itertext()).split())
    if name.startswith("flow"):
        if words:
            raise UndrawableSvgError(
                f"has text that flows (<{name}>: '{words[:30]}'), which is not drawn; make it a "
                "path, or let the card print it"
            )
        return  # Inkscape leaves empty ones
    if name.startswith("fe"):
        raise UndrawableSvgError(
            f"has a filter with <{name}>, which leaves out what it is on; take it out"
        )
    if words or len(element) or name in _UNSUPPORTED_ELEMENTS:
        raise UndrawableSvgError(
            f"has a <{name}>, which is not drawn; make it a path, or take it out"
        )


def _refuse_switch(element: Element) -> None:
    """Raise for a switch none of whose parts is drawn."""
    parts = [child for child in element if isinstance(child.tag, str)]
    if parts and not any(is_selected(child) for child in parts):
        raise UndrawableSvgError(
            "has a <switch> of which nothing is drawn; keep only the part you need"
        )


def _check_filter(element: Element, name: str) -> None:
    if {element.get("in"), element.get("in2")} & {"BackgroundImage", "BackgroundAlpha"}:
        raise UndrawableSvgError(f"has a filter on its background (<{name}>), which is not drawn")


def _check_image(element: Element) -> Iterator[str]:
    """Check a picture embedded in the drawing."""
    address = next((element.get(key, "") for key in _HREFS if element.get(key)), "")
    if not address.startswith("data:"):
        return
    head, comma, body = address.partition(",")
    if not comma:
        raise UndrawableSvgError("embeds a picture that cannot be read: it has no data")
    data = _decode_data_url(head, body)
    if "svg" not in head and data.lstrip()[:1] != b"<":
        yield from check_embedded_raster(data)


def check_embedded_raster(data: bytes) -> Iterator[str]:
    """Yield warnings about an embedded raster picture. Raises `UndrawableSvgError`."""
    try:
        result = rasters.examine_raster(data)
        with Image.open(io.BytesIO(data)) as image:
            kind = str(image.format)
    except rasters.UnusableRasterError as error:
        raise UndrawableSvgError(f"embeds a picture that {error}") from None
    if kind not in _EMBEDDED_FORMATS and result.replacement is None:
        raise UndrawableSvgError(
            f"embeds a {kind} picture, which is not drawn; embed it as PNG or JPEG"
        )
    yield from (f"embeds a picture that {remark}" for remark in result.warnings)


def _decode_data_url(head: str, body: str) -> bytes:
    if not head.endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except (binascii.Error, ValueError):
        raise UndrawableSvgError(
            "embeds a picture that cannot be read: its data is not base64"
        ) from None


def _check_style(css: str) -> Iterator[str]:
    text = _COMMENT_PATTERN.sub(" ", css)
    for rule in re.findall(r"@[\w-]+", text):
        if rule not in _HARMLESS_AT_RULES:
            yield f"has {rule} in its <style>, which is ignored"
    if re.search(r"\{[^{}]*\{", text) and "@" not in text:
        yield "has rules within rules in its <style>, which are ignored"
    for selectors, declarations in _RULE_PATTERN.findall(text):
        selector = " ".join(selectors.split())
        if not selector.startswith("@") and not _SELECTOR_PATTERN.fullmatch(selector):
            yield f"has the selector '{selector[:40]}' in its <style>, which is ignored"
        yield from _check_declarations(declarations)


def _check_declarations(text: str) -> Iterator[str]:
    for declaration in text.split(";"):
        name, _, value = declaration.partition(":")
        yield from _check_value(name.strip(), value.strip(), style=True)


def _check_value(name: str, value: str, *, style: bool) -> Iterator[str]:
    shown = f"'{name}: {value[:40]}'" if style else f"{name}='{value[:40]}'"
    if name in _PAINT_PROPERTIES and _COLOUR_FUNCTIONS.search(value):
        yield f"has the colour {shown}, which is ignored; write it as #rrggbb"
    elif name in (*_PAINT_PROPERTIES, *_LENGTH_ATTRIBUTES) and _CSS_FUNCTIONS.search(value):
        yield f"has {shown}, which is ignored; write the value out"
    elif name == "clip-path" and _BASIC_SHAPES.match(value):
        yield f"has {shown}, which is ignored; use a <clipPath>"
    elif style and name in {"transform", "d"} and value not in {"", "none"}:
        yield f"has {shown} as a style, which is ignored; write it as an attribute"


def _check_lengths(element: Element, style: str) -> Iterator[str]:
    """Warn about lengths of a shape given only as styles."""
    for declaration in style.split(";"):
        name = declaration.partition(":")[0].strip()
        if name in _LENGTH_ATTRIBUTES and name not in element.attrib:
            yield f"has '{declaration.strip()[:40]}' as a style; write it as an attribute"


def _check_attributes(element: Element, ids: set[str | None]) -> Iterator[str]:
    name = str(element.tag).rpartition("}")[2]
    for key, value in element.attrib.items():
        if key == "style":
            yield from _check_declarations(value)
            if name in _SHAPE_ELEMENTS:
                yield from _check_lengths(element, value)
        elif "}" not in key:
            yield from _check_value(key, value, style=False)
        for target, fallback in _REFERENCE_PATTERN.findall(value):
            if target not in ids and not fallback:
                yield f"refers to #{target[:40]}, which is not in it"
        if key in _HREFS and name != "a" and value.startswith("#") and value[1:] not in ids:
            yield f"refers to #{value[1:41]}, which is not in it"


def prepare_rasters(text: str) -> str:
    """Return the drawing with its embedded raster pictures converted for printing."""
    return _DATA_URL_PATTERN.sub(_prepare_raster, text)


_DATA_URL_PATTERN = re.compile(r"data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)")


def _prepare_raster(match: re.Match[str]) -> str:
    try:
        result = rasters.examine_raster(_decode_data_url("data:;base64", match[1]))
    except (rasters.UnusableRasterError, UndrawableSvgError):
        return match[0]
    if result.replacement is None:
        return match[0]
    kind = "jpeg" if result.replacement[:2] == b"\xff\xd8" else "png"
    return f"data:image/{kind};base64,{base64.b64encode(result.replacement).decode()}"

"""Short ways through WeasyPrint for what most elements of a face have: nothing special.

None changes a result. They hang on private ground, like all that is said of WeasyPrint here; the
version is pinned, and tests/pdf/test_short_ways.py holds them against the long ways.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from math import inf
from typing import Any

from cardgen.pdf.weasyprint_library import (
    INHERITED,
    INITIAL_NOT_COMPUTED,
    INITIAL_VALUES,
    PHYSICAL_FUNCTIONS,
    UA_STYLESHEET,
    ComputedStyle,
    RasterImage,
    cssselect2,
    pydyf,
    tinyhtml5,
    weasyprint,
)

_COMPUTED_KEYS = frozenset({"display", "float", "page", "position"})
_DECORATION_PREFIX = "text_decoration_"
_LOGICAL_KEYS = frozenset(
    logical(block="ttb", inline=inline)
    for logical in PHYSICAL_FUNCTIONS.values()
    for inline in ("ltr", "rtl")
)
_INHERITED_KEYS = frozenset(
    key for key in INHERITED if key not in _COMPUTED_KEYS and not key.startswith(_DECORATION_PREFIX)
)
_INITIAL_STYLE = {
    key: value
    for key, value in INITIAL_VALUES.items()
    if key
    not in _COMPUTED_KEYS | _INHERITED_KEYS | INITIAL_NOT_COMPUTED | PHYSICAL_FUNCTIONS.keys()
    and not key.startswith(_DECORATION_PREFIX)
}
"""Properties that no rule has to set, with what they are then."""
_PHYSICAL_INITIAL_STYLE = {
    key: INITIAL_VALUES[key]
    for key in PHYSICAL_FUNCTIONS
    if key not in _INHERITED_KEYS | INITIAL_NOT_COMPUTED
}
"""The same of those that have a second name, such as `margin-inline-start`."""
_RARE_PSEUDO_ELEMENTS = frozenset({
    "marker", "footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback",
})  # fmt: skip
"""Pseudo-elements that every element has, and that show on hardly any."""
_RARE_MARKS = ("@page", "list", "footnote", "note(", "\\")
_MARKER_TAGS = frozenset({"li"})
_PAGE_PSEUDO_TYPES = frozenset({None, "footnote", "note-area"})
"""What of a page is always there; its margin boxes are not."""

_original_missing = ComputedStyle.__missing__


def _compute_missing(style: Any, key: str) -> Any:
    """A property's value where no rule sets it: its parent's or the initial one. All else goes
    the long way."""
    cascaded = style.cascaded
    if key not in cascaded:
        if key in _INITIAL_STYLE:
            value = style[key] = _INITIAL_STYLE[key]
            return value
        if key in _INHERITED_KEYS and style.parent_style is not None:
            value = style[key] = style.parent_style[key]
            return value
        if key in _PHYSICAL_INITIAL_STYLE and _LOGICAL_KEYS.isdisjoint(cascaded):
            value = style[key] = _PHYSICAL_INITIAL_STYLE[key]
            return value
    return _original_missing(style, key)


ComputedStyle.__missing__ = _compute_missing


_original_get_x_object = RasterImage.get_x_object


def _get_cached_x_object(image: Any, interpolate: bool, dpi_ratio: float) -> Any:
    """A picture as a PDF holds it, packed once for all faces that are set with it: to part a large
    one from its transparency takes seconds."""
    known = vars(image).setdefault("_packed", {})
    if (interpolate, dpi_ratio) not in known:
        made = _original_get_x_object(image, interpolate, dpi_ratio)
        known[interpolate, dpi_ratio] = made, made.extra.pop("SMask", None)
    made, mask = known[interpolate, dpi_ratio]
    fresh = pydyf.Stream(made.stream, made.extra.copy())
    if mask is not None:
        fresh.extra["SMask"] = pydyf.Stream(mask.stream, mask.extra.copy())
    return fresh


RasterImage.get_x_object = _get_cached_x_object


class _CachedExpressions(dict[tuple[Any, bool], re.Pattern[str]]):
    """Expressions for runs of characters in HTML, each made once: tinyhtml5 means to keep them,
    but keeps them under another name than it looks for."""

    def __missing__(self, key: tuple[Any, bool]) -> re.Pattern[str]:
        characters, opposite = key
        listed = "".join(f"\\x{ord(character):02x}" for character in characters)
        made = self[key] = re.compile(f"[{'' if opposite else '^'}{listed}]+")
        return made


tinyhtml5.inputstream.characters_until_regex = _CachedExpressions()


def _drop_rare_rules(sheet: Any) -> Any:
    """WeasyPrint's own stylesheet without those pseudo-elements, nor boxes in a page's margins."""
    quick = copy.copy(sheet)
    quick.matcher = cssselect2.Matcher()
    vars(quick.matcher).update(vars(sheet.matcher))
    quick.matcher.other_selectors = [
        entry for entry in sheet.matcher.other_selectors if entry[3] not in _RARE_PSEUDO_ELEMENTS
    ]
    quick.page_rules = [
        (rule, selectors, declarations)
        for rule, selectors, declarations in sheet.page_rules
        if all(pseudo in _PAGE_PSEUDO_TYPES for _, pseudo, _ in selectors)
    ]
    return quick


_REDUCED_STYLESHEET = _drop_rare_rules(UA_STYLESHEET)


def get_own_stylesheets(html: weasyprint.HTML, styles: Iterable[str]) -> list[Any]:
    """WeasyPrint's own stylesheets for a document, without those of their rules that can show
    nothing on it; `styles` are the texts of the others."""
    elements = list(html.etree_element.iter())
    texts = [*styles, *(each.get("style") or "" for each in elements)]
    asked = any(word in text.lower() for text in texts for word in _RARE_MARKS)
    if asked or any(each.tag in _MARKER_TAGS for each in elements):
        return [UA_STYLESHEET]
    return [_REDUCED_STYLESHEET]


_COLLAPSING_SPACES = ("normal", "pre-line")
_inline_layout = weasyprint.layout.inline
_original_split_first_line = _inline_layout.split_first_line


def _split_first_line(
    text: str, style: Any, context: Any, max_width: float | None, *rest: Any, **more: Any
) -> Any:
    """The first line of a text, as `weasyprint.text.line_break.split_first_line` tells it: layout,
    bytes, where the next line begins (bytes; None: nowhere), width, height and baseline in px."""
    found = _original_split_first_line(text, style, context, max_width, *rest, **more)
    if found[2] is None or max_width is None or max_width == inf or text[-1:] != " ":
        return found
    if style["white_space"] in _COLLAPSING_SPACES:
        bare = _original_split_first_line(
            text.rstrip(" "), style, context, max_width, *rest, **more
        )
        if bare[2] is None and bare[3] <= max_width:
            return _original_split_first_line(text, style, context, None, *rest, **more)
    return found


_inline_layout.split_first_line = _split_first_line


_FINAL_ADJUSTMENT = re.compile(r">(-?[0-9.]+)$")

_original_show_text = weasyprint.pdf.stream.Stream.show_text


def _show_glyphs(stream: Any, text: str) -> None:
    """Show the signs of `text`, a list of glyphs and of thousandths of an em between them."""
    end = _FINAL_ADJUSTMENT.search(text)
    if end is None or not float(end[1]):
        _original_show_text(stream, text)
        return
    _original_show_text(stream, text[: end.start(1)])
    _original_show_text(stream, end[1])


weasyprint.pdf.stream.Stream.show_text = _show_glyphs

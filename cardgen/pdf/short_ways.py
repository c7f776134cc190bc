"""Short ways through WeasyPrint for what most elements of a face have: nothing special.

None changes a result. They hang on private ground, like all that is said of WeasyPrint here; the
version is pinned, and tests/pdf/test_short_ways.py holds them against the long ways.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import Any

from cardgen.pdf.library import (
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

_NOT_SHORT = frozenset({"display", "float", "page", "position"})
_DECORATION = "text_decoration_"
_LOGICAL = frozenset(
    logical(block="ttb", inline=inline)
    for logical in PHYSICAL_FUNCTIONS.values()
    for inline in ("ltr", "rtl")
)
_OF_PARENT = frozenset(
    key for key in INHERITED if key not in _NOT_SHORT and not key.startswith(_DECORATION)
)
_INITIAL = {
    key: value
    for key, value in INITIAL_VALUES.items()
    if key not in _NOT_SHORT | _OF_PARENT | INITIAL_NOT_COMPUTED | PHYSICAL_FUNCTIONS.keys()
    and not key.startswith(_DECORATION)
}
"""Properties that no rule has to set, with what they are then."""
_INITIAL_BUT_LOGICAL = {
    key: INITIAL_VALUES[key]
    for key in PHYSICAL_FUNCTIONS
    if key not in _OF_PARENT | INITIAL_NOT_COMPUTED
}
"""The same of those that have a second name, such as `margin-inline-start`."""
_SELDOM = frozenset({
    "marker", "footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback",
})  # fmt: skip
"""Pseudo-elements that every element has, and that show on hardly any."""
_ASK_FOR_THEM = ("@page", "list", "footnote", "note(", "\\")
_WITH_MARKERS = frozenset({"li"})
_OF_PAGES = frozenset({None, "footnote", "note-area"})
"""What of a page is always there; its margin boxes are not."""

_long_way = ComputedStyle.__missing__


def _missing(style: Any, key: str) -> Any:
    """A property's value where no rule sets it: its parent's or the initial one. All else goes
    the long way."""
    cascaded = style.cascaded
    if key not in cascaded:
        if key in _INITIAL:
            value = style[key] = _INITIAL[key]
            return value
        if key in _OF_PARENT and style.parent_style is not None:
            value = style[key] = style.parent_style[key]
            return value
        if key in _INITIAL_BUT_LOGICAL and _LOGICAL.isdisjoint(cascaded):
            value = style[key] = _INITIAL_BUT_LOGICAL[key]
            return value
    return _long_way(style, key)


ComputedStyle.__missing__ = _missing


_packed_anew = RasterImage.get_x_object


def _packed(image: Any, interpolate: bool, dpi_ratio: float) -> Any:
    """A picture as a PDF holds it, packed once for all faces that are set with it: to part a large
    one from its transparency takes seconds."""
    known = vars(image).setdefault("_packed", {})
    if (interpolate, dpi_ratio) not in known:
        made = _packed_anew(image, interpolate, dpi_ratio)
        known[interpolate, dpi_ratio] = made, made.extra.pop("SMask", None)
    made, mask = known[interpolate, dpi_ratio]
    fresh = pydyf.Stream(made.stream, made.extra.copy())
    if mask is not None:
        fresh.extra["SMask"] = pydyf.Stream(mask.stream, mask.extra.copy())
    return fresh


RasterImage.get_x_object = _packed


class _Expressions(dict[tuple[Any, bool], re.Pattern[str]]):
    """Expressions for runs of characters in HTML, each made once: tinyhtml5 means to keep them,
    but keeps them under another name than it looks for."""

    def __missing__(self, key: tuple[Any, bool]) -> re.Pattern[str]:
        characters, opposite = key
        listed = "".join(f"\\x{ord(character):02x}" for character in characters)
        made = self[key] = re.compile(f"[{'' if opposite else '^'}{listed}]+")
        return made


tinyhtml5.inputstream.characters_until_regex = _Expressions()


def _without_seldom(sheet: Any) -> Any:
    """WeasyPrint's own stylesheet without those pseudo-elements, nor boxes in a page's margins."""
    quick = copy.copy(sheet)
    quick.matcher = cssselect2.Matcher()
    vars(quick.matcher).update(vars(sheet.matcher))
    quick.matcher.other_selectors = [
        entry for entry in sheet.matcher.other_selectors if entry[3] not in _SELDOM
    ]
    quick.page_rules = [
        (rule, selectors, declarations)
        for rule, selectors, declarations in sheet.page_rules
        if all(pseudo in _OF_PAGES for _, pseudo, _ in selectors)
    ]
    return quick


_QUICK = _without_seldom(UA_STYLESHEET)


def own_stylesheets(html: weasyprint.HTML, styles: Iterable[str]) -> list[Any]:
    """WeasyPrint's own stylesheets for a document, without those of their rules that can show
    nothing on it; `styles` are the texts of the others."""
    elements = list(html.etree_element.iter())
    texts = [*styles, *(each.get("style") or "" for each in elements)]
    asked = any(word in text.lower() for text in texts for word in _ASK_FOR_THEM)
    if asked or any(each.tag in _WITH_MARKERS for each in elements):
        return [UA_STYLESHEET]
    return [_QUICK]

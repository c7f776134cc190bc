"""Patches of WeasyPrint: shortcuts, and two corrections of how it sets text.

The shortcuts skip what most elements of a face do not have, and change no result. All patches
depend on private parts of WeasyPrint. So its version is pinned, and tests/pdf compares patched and
original results.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path
from typing import Any

from cardgen.pdf import weasyprint_library
from cardgen.runtime import game_files

_COMPUTED_KEYS = frozenset({"display", "float", "page", "position"})
_DECORATION_PREFIX = "text_decoration_"
_LOGICAL_KEYS = frozenset(
    logical(block="ttb", inline=inline)
    for logical in weasyprint_library.PHYSICAL_FUNCTIONS.values()
    for inline in ("ltr", "rtl")
)
_INHERITED_KEYS = frozenset(
    key
    for key in weasyprint_library.INHERITED
    if key not in _COMPUTED_KEYS and not key.startswith(_DECORATION_PREFIX)
)
_TAKEN_OVER_KEYS = _INHERITED_KEYS | {
    "page", *(f"{_DECORATION_PREFIX}{part}" for part in ("color", "line", "style", "thickness"))
}  # fmt: skip
"""The same with those that have their parent's value where no rule sets them."""
_INITIAL_STYLE = {
    key: value
    for key, value in weasyprint_library.INITIAL_VALUES.items()
    if key
    not in _COMPUTED_KEYS
    | _INHERITED_KEYS
    | weasyprint_library.INITIAL_NOT_COMPUTED
    | weasyprint_library.PHYSICAL_FUNCTIONS.keys()
    and not key.startswith(_DECORATION_PREFIX)
}
"""Properties that no rule needs to set, with their initial values."""
_PHYSICAL_INITIAL_STYLE = {
    key: weasyprint_library.INITIAL_VALUES[key]
    for key in weasyprint_library.PHYSICAL_FUNCTIONS
    if key not in _INHERITED_KEYS | weasyprint_library.INITIAL_NOT_COMPUTED
}
"""The same for those that have a logical name, too, such as `margin-inline-start`."""
_LINE_STYLE_KEYS = {
    f"{line}_width": f"{line}_style"
    for line in ("border_bottom", "border_left", "border_right", "border_top", "outline")
}
"""By the width of a line, the property that says if there is a line."""
_RARE_PSEUDO_ELEMENTS = frozenset({
    "marker", "footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback",
})  # fmt: skip
"""Pseudo-elements that every element has and that hardly ever show."""
_RARE_MARKS = ("@page", "list", "footnote", "note(", "\\")
_MARKER_TAGS = frozenset({"li"})
_PAGE_PSEUDO_TYPES = frozenset({None, "footnote", "note-area"})
"""Parts of a page that always exist; margin boxes do not."""

_original_missing = weasyprint_library.ComputedStyle.__missing__
_check_math = weasyprint_library.weasyprint.css.functions.check_math
_COMPUTER_FUNCTIONS = weasyprint_library.weasyprint.css.computed_values.COMPUTER_FUNCTIONS


def _compute_missing(style: Any, key: str) -> Any:
    """Return a property's value without the slow path: its inherited or initial one where no rule
    sets it, or the plain one that a rule sets."""
    if key in style.cascaded:
        return _compute_cascaded(style, key)
    if key in _INITIAL_STYLE:
        value = _INITIAL_STYLE[key]
    elif style.parent_style is not None and (key in _TAKEN_OVER_KEYS or key[:2] == "__"):
        value = style.parent_style[key]
    elif key in _PHYSICAL_INITIAL_STYLE and not _has_logical_properties(style):
        value = _PHYSICAL_INITIAL_STYLE[key]
    elif key in ("float", "position"):
        if key == "float":
            style["position"]  # its specified value is known from here on
        value = style.specified[key] = weasyprint_library.INITIAL_VALUES[key]
    elif (
        key in _LINE_STYLE_KEYS
        and not _has_logical_properties(style)
        and style[_LINE_STYLE_KEYS[key]] in ("none", "hidden")
    ):
        value = 0
    else:
        return _original_missing(style, key)
    style[key] = value
    return value


def _compute_cascaded(style: Any, key: str) -> Any:
    """Return the value that a rule sets."""
    value, _ = style.cascaded[key]
    if (
        key in _COMPUTED_KEYS
        or key.startswith(_DECORATION_PREFIX)
        or (key in weasyprint_library.PHYSICAL_FUNCTIONS and _has_logical_properties(style))
        or isinstance(value, weasyprint_library.Pending)
        or value in ("inherit", "initial")
        or _check_math(value)
    ):
        return _original_missing(style, key)
    compute = _COMPUTER_FUNCTIONS.get(key)
    style[key] = value = value if compute is None else compute(style, key, value)
    return value


def _has_logical_properties(style: Any) -> bool:
    """Say if a rule sets a property by a name such as `margin-inline-start`."""
    if "_is_logical" not in vars(style):
        style._is_logical = not _LOGICAL_KEYS.isdisjoint(style.cascaded)
    return bool(style._is_logical)


weasyprint_library.ComputedStyle.__missing__ = _compute_missing


_original_get_x_object = weasyprint_library.RasterImage.get_x_object


_MAX_SMALL_BYTES, _MAX_SMALL_PICTURES = 16_384, 64
_small_pictures: dict[tuple[bytes, bool, float], tuple[Any, Any]] = {}
"""Encoded pictures by their files, such as those that stand in for drawings of one size."""


def _get_cached_x_object(image: Any, interpolate: bool, dpi_ratio: float) -> Any:
    """Encode a picture once for all faces, and a small one once for all equal ones: splitting a
    large one from its transparency takes seconds."""
    data = image.image_data.data
    is_small = len(data) <= _MAX_SMALL_BYTES
    cache = _small_pictures if is_small else vars(image).setdefault("_packed", {})
    key = data if is_small else b"", interpolate, dpi_ratio
    if key not in cache:
        encoded = _original_get_x_object(image, interpolate, dpi_ratio)
        if len(cache) >= _MAX_SMALL_PICTURES:
            cache.clear()
        cache[key] = encoded, encoded.extra.pop("SMask", None)
        for each in filter(None, cache[key]):  # bytes, and not the batch that holds them
            each.stream = [getattr(part, "data", part) for part in each.stream]
    encoded, mask = cache[key]
    stream = weasyprint_library.pydyf.Stream(encoded.stream, encoded.extra.copy())
    if mask is not None:
        stream.extra["SMask"] = weasyprint_library.pydyf.Stream(mask.stream, mask.extra.copy())
    return stream


weasyprint_library.RasterImage.get_x_object = _get_cached_x_object


class _CachedExpressions(dict[tuple[Any, bool], re.Pattern[str]]):
    """Regular expressions for runs of characters in HTML, each compiled once.

    tinyhtml5 means to cache them, but under another name than it looks for.
    """

    def __missing__(self, key: tuple[Any, bool]) -> re.Pattern[str]:
        characters, opposite = key
        listed = "".join(f"\\x{ord(character):02x}" for character in characters)
        expression = self[key] = re.compile(f"[{'' if opposite else '^'}{listed}]+")
        return expression


weasyprint_library.tinyhtml5.inputstream.characters_until_regex = _CachedExpressions()


def _drop_rare_rules(sheet: Any) -> Any:
    """Return WeasyPrint's stylesheet without rare pseudo-elements and margin boxes."""
    reduced = copy.copy(sheet)
    reduced.matcher = weasyprint_library.cssselect2.Matcher()
    vars(reduced.matcher).update(vars(sheet.matcher))
    reduced.matcher.other_selectors = [
        entry for entry in sheet.matcher.other_selectors if entry[3] not in _RARE_PSEUDO_ELEMENTS
    ]
    reduced.page_rules = [
        (rule, selectors, declarations)
        for rule, selectors, declarations in sheet.page_rules
        if all(pseudo in _PAGE_PSEUDO_TYPES for _, pseudo, _ in selectors)
    ]
    return reduced


_REDUCED_STYLESHEET = _drop_rare_rules(weasyprint_library.UA_STYLESHEET)


def get_own_stylesheets(
    html: weasyprint_library.weasyprint.HTML, styles: Iterable[str]
) -> list[Any]:
    """Return WeasyPrint's own stylesheets for a document, without rules that cannot show on it.

    `styles` are the texts of the document's other stylesheets.
    """
    elements = list(html.etree_element.iter())
    texts = [*styles, *(element.get("style") or "" for element in elements)]
    uses_rare_rules = any(word in text.lower() for text in texts for word in _RARE_MARKS)
    if uses_rare_rules or any(element.tag in _MARKER_TAGS for element in elements):
        return [weasyprint_library.UA_STYLESHEET]
    return [_REDUCED_STYLESHEET]


_NO_DIGITS = dict.fromkeys(map(ord, "0123456789"))
_MAX_PATTERN_BYTES = 100_000_000
_HAS_LEVEL = re.compile(r"[1-9]")


class _HyphenationPattern(str):
    """A pattern such as `1ba`, parsed when pyphen asks for the place of its first level and for the
    levels from there on."""

    def __iter__(self) -> Iterator[Any]:
        levels = [int(level or 0) for level, _ in weasyprint_library.pyphen.parse(self)]
        start = next(place for place, level in enumerate(levels) if level)
        return iter((start, levels[start:]))


class _HyphenationPatterns(weasyprint_library.pyphen.HyphDict):  # type: ignore[misc]
    """Hyphenation patterns of a language, of which few are parsed: those in a game's words."""

    def __init__(self, path: Path) -> None:
        data = game_files.read_file(path, _MAX_PATTERN_BYTES)
        ignored = weasyprint_library.pyphen.ignored
        lines = data.decode(data.partition(b"\n")[0].decode()).split("\n")[1:]
        texts = [text for line in lines if not (text := line.strip()).startswith(ignored)]
        if any("/" in text or "^" in text for text in texts):
            super().__init__(path)  # with escapes, or letters that change at the end of a line
            return
        self.patterns = {
            text.translate(_NO_DIGITS): _HyphenationPattern(text)
            for text in texts
            if _HAS_LEVEL.search(text)
        }
        self.cache: dict[str, Any] = {}
        self.maxlen = max(map(len, self.patterns))


weasyprint_library.pyphen.HyphDict = _HyphenationPatterns


_percent = weasyprint_library.weasyprint.layout.percent
_original_resolve = _percent.resolve_one_percentage
_Dimension = weasyprint_library.weasyprint.css.properties.Dimension
_MIN_KEYS = frozenset({"min_width", "min_height"})


def _resolve_length(box: Any, name: str, refer_to: Any) -> None:
    """Set a used length: at once where the computed one is in px or `auto`, as most are."""
    value = box.style[name]
    if value == "auto":
        setattr(box, name, 0 if name in _MIN_KEYS else value)
    elif type(value) is _Dimension and value.unit == "px":
        setattr(box, name, value.value)
    else:
        _original_resolve(box, name, refer_to)


_percent.resolve_one_percentage = _resolve_length


_COLLAPSING_SPACES = ("normal", "pre-line")
_inline_layout = weasyprint_library.weasyprint.layout.inline
_original_split_first_line = _inline_layout.split_first_line


def _split_first_line(
    text: str, style: Any, context: Any, max_width: float | None, *rest: Any, **more: Any
) -> Any:
    """Split the first line off a text: one that fits except for its last space is not broken.

    Returns, like WeasyPrint: layout, length in bytes, start of the next line (bytes or None), and
    width, height and baseline in px.
    """
    line = _original_split_first_line(text, style, context, max_width, *rest, **more)
    if line[2] is None or max_width is None or max_width == inf or text[-1:] != " ":
        return line
    if style["white_space"] in _COLLAPSING_SPACES:
        stripped = _original_split_first_line(
            text.rstrip(" "), style, context, max_width, *rest, **more
        )
        if stripped[2] is None and stripped[3] <= max_width:
            return _original_split_first_line(text, style, context, None, *rest, **more)
    return line


_inline_layout.split_first_line = _split_first_line


_FINAL_ADJUSTMENT = re.compile(r">(-?[0-9.]+)$")

_original_show_text = weasyprint_library.weasyprint.pdf.stream.Stream.show_text


def _show_glyphs(stream: Any, text: str) -> None:
    """Show glyphs, and write an adjustment after the last one by itself.

    `text` is a list of glyphs and of adjustments between them, in thousandths of an em.
    """
    end = _FINAL_ADJUSTMENT.search(text)
    if end is None or not float(end[1]):
        _original_show_text(stream, text)
        return
    _original_show_text(stream, text[: end.start(1)])
    _original_show_text(stream, end[1])


weasyprint_library.weasyprint.pdf.stream.Stream.show_text = _show_glyphs

"""Cache of fitted text sizes.

Keys leave out what only paints, so that a new colour needs no new search, and equal texts in
four players' boxes need one. Sizes are not trusted blindly: the measurement at that size is
cached, too, and compared with the layout of the face.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import isfinite
from typing import Any
from xml.etree.ElementTree import Element

from cardgen.assets.artwork import Art
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.stylesheet_rules import StyleRule

SIZES_KIND = "sizes"
_MAX_CACHED_SIZES = 6000
"""Maximum number of entries per deck; beyond, only those of the last build are kept."""
_PAINT_PROPERTIES = frozenset({
    "background", "background-attachment", "background-blend-mode", "background-clip",
    "background-color", "background-image", "background-origin", "background-position",
    "background-repeat", "background-size", "border-bottom-color",
    "border-bottom-left-radius", "border-bottom-right-radius", "border-color",
    "border-left-color", "border-radius", "border-right-color", "border-top-color",
    "border-top-left-radius", "border-top-right-radius", "box-shadow", "color", "fill",
    "mix-blend-mode", "opacity", "outline", "outline-color", "outline-offset", "outline-style",
    "outline-width", "stroke", "text-decoration", "text-decoration-color",
    "text-decoration-line", "text-decoration-style", "text-decoration-thickness",
    "text-shadow",
})  # fmt: skip
"""Properties that never affect layout."""
_DECLARATION_PATTERN = re.compile(
    r"""(?:[^;"'(){}]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:[^()"'{}]|\([^()"'{}]*\))*\))+"""
)
_HEX_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})(?![\w-])")
_VARIABLE_PATTERN = re.compile(r"var\(\s*(--[\w-]+)")
_IGNORED_ATTRIBUTES = frozenset(
    {"data-at", "data-overlap", "data-place", "data-text", "data-unsafe", "id"}
)

FitResult = tuple[float, ...]
"""A size in pt and its measurement in mm: width, height, excess height, excess width.

The size alone if the box had no text.
"""


@dataclass
class FitSizes:
    """Fitted sizes of a deck, by the key of a box or of all boxes of a face."""

    cached: Mapping[str, Sequence[FitResult]] = field(default_factory=dict)
    added: dict[str, Sequence[FitResult]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def find_sizes(
        self, key: str, limits: Sequence[tuple[float, float]]
    ) -> Sequence[FitResult] | None:
        """Return the sizes for boxes with those limits, or None if unknown."""
        results = self.added.get(key) or self.cached.get(key)
        if not results or len(results) != len(limits):
            return None
        pairs = zip(results, limits, strict=True)
        if not all(low <= each[0] <= high for each, (low, high) in pairs):
            return None
        self.used.add(key)
        return results

    def add_sizes(self, key: str, results: Sequence[FitResult]) -> None:
        """Add the sizes for a key."""
        self.used.add(key)
        if self.cached.get(key) != tuple(results):
            self.added[key] = tuple(results)

    def get_new_sizes(self) -> FitSizes:
        """Return only the sizes the cache does not have yet."""
        return FitSizes({}, self.added, self.used)


class FitCache:
    """Fitted sizes in the store, one file per deck, loaded on first use."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, dict[str, Sequence[FitResult]]] = {}
        self._used: dict[str, set[str]] = {}
        self._learned: set[str] = set()

    def get_deck_sizes(self, deck: str) -> dict[str, Sequence[FitResult]]:
        """Return the sizes of a deck."""
        if deck not in self._known:
            self._known[deck] = _read_deck_sizes(self._store, deck)
        return self._known[deck]

    def add_deck_sizes(self, deck: str, news: FitSizes) -> None:
        """Add the new sizes from a batch of the deck."""
        self.get_deck_sizes(deck).update(news.added)
        self._used.setdefault(deck, set()).update(news.used)
        if news.added:
            self._learned.add(deck)

    def save_sizes(self) -> None:
        """Write changed decks; of a deck with too many entries, those used this time."""
        for deck in sorted(self._learned):
            cached = self._known[deck]
            if len(cached) > _MAX_CACHED_SIZES:
                used = sorted(self._used[deck] & cached.keys())[:_MAX_CACHED_SIZES]
                cached = {key: cached[key] for key in used}
            self._store.write_json(
                self._store.get_path(SIZES_KIND, format_sizes_name(deck)), cached
            )


def _read_deck_sizes(store: Store, deck: str) -> dict[str, Sequence[FitResult]]:
    """Return the stored sizes of a deck, or nothing if they are missing or damaged."""
    stored = store.read_json(store.get_path(SIZES_KIND, format_sizes_name(deck)))
    if not isinstance(stored, dict):
        return {}
    return {
        key: tuple(tuple(map(float, each)) for each in value)
        for key, value in stored.items()
        if isinstance(value, list) and all(map(_is_fit_result, value))
    }


def _is_fit_result(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) in {1, 5}
        and all(isinstance(part, int | float) and isfinite(part) for part in value)
    )


def format_sizes_name(deck: str) -> str:
    """Return the name of a deck's store entry."""
    return f"{digest_parts([deck])}.json"


@dataclass(frozen=True)
class FitKeys:
    """Computes keys of boxes and faces.

    `shared` is the hash of what a deck has in common beside its styles: code, fonts, patterns,
    geometry.
    """

    shared: str
    styles: tuple[str, ...]
    pictures: tuple[Art, ...] = ()

    def compute_key(self, chain: Sequence[Element]) -> str:
        """Return the key of the last element of a chain of ancestors."""
        *outer, last = chain
        inline_styles = (
            str(each.get("style")) for each in (*outer, *last.iter()) if "style" in each.attrib
        )
        styles = _parse_layout_styles(
            self.styles, frozenset(_find_variables(";".join(inline_styles)))
        )
        tags = (f"<{_format_tag(each, styles)}>" for each in outer)
        text = "".join([*tags, *_format_attributes(last, styles, tail=False)])
        css = stylesheet_rules.select_rules(styles.rules, stylesheet_rules.collect_words(text))
        picture_parts = (
            f"{art.name} {art.width:g}x{art.height:g} {'' if art.vector else art.digest}"
            for art in self.pictures
            if art.name in text or art.name in css
        )
        return digest_parts([self.shared, text, css, *picture_parts])


@dataclass(frozen=True)
class _LayoutStyles:
    """The part of stylesheets that can affect layout.

    With `verbatim`, any attribute may matter.
    """

    rules: tuple[StyleRule, ...]
    selector_names: frozenset[str]
    unparsed_text: str
    verbatim: bool
    custom: frozenset[str]

    def has_name(self, name: str) -> bool:
        return name in self.selector_names or name in self.unparsed_text


@lru_cache(maxsize=64)
def _parse_layout_styles(styles: tuple[str, ...], custom: frozenset[str]) -> _LayoutStyles:
    """Return the layout part of stylesheets; `custom` are the properties the HTML uses."""
    rules = [rule for css in styles for rule in stylesheet_rules.parse_stylesheet(css)]
    while True:  # a custom property counts if one that counts uses it
        kept = [each for rule in rules if (each := _remove_paint(rule, custom)) is not None]
        used_properties = frozenset(name for rule in kept for name in _find_variables(rule.text))
        if used_properties <= custom:
            break
        custom |= used_properties
    text = "\n".join(rule.text for rule in kept)
    named = frozenset(name for rule in kept for need in rule.needs for name in need)
    unclear = "\n".join(rule.text for rule in kept if not rule.needs)
    verbatim = any(sign in text for sign in ("[", "attr(", "\\"))
    return _LayoutStyles(tuple(kept), named, unclear, verbatim, custom)


def _find_variables(text: str) -> Iterator[str]:
    for results in _VARIABLE_PATTERN.finditer(text):
        yield results[1]


def _remove_paint(rule: StyleRule, custom: frozenset[str]) -> StyleRule | None:
    """Return a rule without paint, or None if nothing is left."""
    selectors, brace, rest = rule.text.partition("{")
    if not brace or "@" in selectors or "{" in rest or not rest.endswith("}"):
        return rule
    declarations = remove_paint_declarations(rest[:-1], custom)
    return replace(rule, text=f"{selectors}{{{declarations}}}") if declarations else None


def remove_paint_declarations(text: str, custom: frozenset[str]) -> str:
    """Return declarations without paint, and with colours masked.

    `custom` are the custom properties that affect layout.
    """
    parts: list[str] = []
    end = 0
    for results in _DECLARATION_PATTERN.finditer(text):
        if text[end : results.start()].strip(" ;"):
            return text
        end = results.end()
        name, colon, value = results[0].partition(":")
        name = name.strip()
        if (
            not colon
            or name.lower() in _PAINT_PROPERTIES
            or (name.startswith("--") and name not in custom)
        ):
            continue
        parts.append(f"{name}:{_mask_colours(value.strip())}")
    return text if text[end:].strip(" ;") else ";".join(parts)


def _mask_colours(value: str) -> str:
    return value if '"' in value or "'" in value else _HEX_COLOUR.sub("#", value)


def _format_tag(element: Element, styles: _LayoutStyles) -> str:
    """Return an opening tag with the attributes that can affect layout."""
    parts = [str(element.tag)]
    for attribute, value in sorted(element.attrib.items()):
        if styles.verbatim and attribute != "id":
            parts.append(f"{attribute}={value!r}")
        elif attribute == "class":
            cached = [each for each in value.split() if styles.has_name(each)]
            parts.append(f"class={' '.join(cached)!r}" if cached else "")
        elif attribute == "style":
            parts.append(f"style={remove_paint_declarations(value, styles.custom)!r}")
        elif attribute not in _IGNORED_ATTRIBUTES or (attribute == "id" and styles.has_name(value)):
            parts.append(f"{attribute}={value!r}")
    return " ".join(filter(None, parts))


def _format_attributes(
    element: Element, styles: _LayoutStyles, *, tail: bool = True
) -> Iterator[str]:
    if isinstance(element.tag, str):  # not a comment
        yield f"<{_format_tag(element, styles)}>{element.text or ''}"
        for child in element:
            yield from _format_attributes(child, styles)
        yield "</>"
    if tail:
        yield element.tail or ""

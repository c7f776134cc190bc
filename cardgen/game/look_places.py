"""Places of looks: what stands in each, written as an expression of a template."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from cardgen.core import colour_math
from cardgen.core.problems import Severity, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game.model import Deck, Field
from cardgen.looks import look_catalogue
from cardgen.looks.look_catalogue import Look, LookSlot

_BY_FIELD_KEYS = ("by", "values", "else")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""A name that can be written card.name; other fields are written card["name"]."""
_WORD_TYPES = ("text", "string", "integer", "number", "choice", "reference")
TYPES_BY_PLACE: Mapping[str, tuple[str, ...]] = {
    "text": _WORD_TYPES,
    "value": _WORD_TYPES,
    "picture": ("string", "text", "choice", "reference"),
    "list": ("list",),
    "record": ("record", "list"),
    "colour": ("colour",),
    "icon": ("icon", "choice", "string"),
}
"""Types of fields that can fill each kind of place."""
_SWITCH_TYPES = (*_WORD_TYPES, "boolean", "icon", "colour")
"""Types of fields whose values can decide what stands in a place."""


class LookReport(Protocol):
    """Called with the place of a problem, its message and its kind."""

    def __call__(
        self, source: Source, message: str, kind: str, *, severity: Severity = "error"
    ) -> None: ...


@dataclass(frozen=True)
class LookContext:
    """Names of the game that looks may use; `players` is true for a deck that every player has."""

    languages: tuple[str, ...]
    colours: frozenset[str]
    icons: frozenset[str]
    words: frozenset[str]
    players: bool
    root: Path
    families: frozenset[str]
    """Families of the game's own fonts; none if they could not be read."""
    used_families: set[str] = field(default_factory=set)
    fallback_counts: Counter[tuple[str, str]] | None = None
    """Counts texts, by deck and language, that are printed in the first language instead; None if
    a missing text is an error."""


@dataclass(frozen=True)
class PlaceWriter:
    """Writes the content of each place as a template expression."""

    deck: Deck
    look: Look
    context: LookContext
    report: LookReport
    used: dict[str, list[str]] = field(default_factory=dict)
    """The fields that fill each place."""

    def write_place(self, place: LookSlot, node: Node | None) -> str:
        if node is None:
            found = next((name for name in place.default_fields if self._can_fill(name, place)), "")
            return self._write_field(found, place) if found else self._write_empty(place)
        if node.value is None or node.boolean is False:
            return "none"
        if node.is_list:
            return self._write_list(place, node)
        if node.is_mapping:
            return self._write_mapping(place, node)
        return self._write_word(place, node)

    def write_palette(self, accent: str, style: Mapping[str, str]) -> str:
        """Return the line that sets the colours; those of a style are expressions."""
        own = dict(style)
        if self.context.players:
            own["accent"] = f"player.colour or {own['accent']}"
        if accent not in ("", "none"):
            own["accent"] = f"({accent}) or {own['accent']}"
        pairs = ", ".join(f"{name}={expression}" for name, expression in own.items())
        return f"{{% set tint = palette({pairs}) %}}"

    def _can_fill(self, name: str, place: LookSlot) -> bool:
        field = self.deck.fields.get(name)
        return field is not None and field.kind in TYPES_BY_PLACE[place.kind]

    def _write_empty(self, place: LookSlot) -> str:
        return self._write_picture("") if place.kind == "picture" else "none"

    def _write_word(self, place: LookSlot, node: Node) -> str:
        name = node.text
        field = self._find_deck_field(name)
        if field is not None:
            return (
                self._write_field(name, place) if self._check_type(field, place, node) else "none"
            )
        if name == "copy" and place.kind in ("text", "value"):
            return name
        constant = self._write_constant(place, name)
        if constant is not None:
            return constant
        named = self._list_names(place)
        hint = did_you_mean(name, [*self.deck.fields, *named])
        if place.kind in ("text", "value"):
            hint = f"{hint.removesuffix('?')}; words for every card are {place.name}: {{text: …}}"
        elif "did you mean" not in hint:
            hint += f"; declare it under fields:{_MISSING_HINTS.get(place.kind, '')}"
        if place.kind == "picture" and parse_focus(node):
            hint = f"; what stays of a picture is written picture: {{focus: {name}}}"
        what = "the deck has no field"
        if place.kind in _ARTICLE_NOUNS:
            what = f"there is neither a field nor {_ARTICLE_NOUNS[place.kind]}"
        self.report(node.source, f"{what} {node.describe()}{hint}", "fields")
        return "none"

    def _check_type(self, field: Field, place: LookSlot, node: Node, among: bool = False) -> bool:
        """Return whether a field's type can fill a place, alone or among several; report it if
        not."""
        fits = _WORD_TYPES if among else TYPES_BY_PLACE[place.kind]
        if field.kind not in fits:
            kinds = _format_alternatives(fits)
            message = f"'{node.text}' is a {field.kind}; the place {place.name} takes {kinds}"
            self.report(node.source, message, "type")
        return field.kind in fits

    def _list_names(self, place: LookSlot) -> frozenset[str]:
        named = {"colour": self.context.colours, "icon": self.context.icons}
        return named.get(place.kind, frozenset())

    def _write_constant(self, place: LookSlot, name: str) -> str | None:
        if place.kind == "colour" and (written := colour_math.parse_hex(name)):
            return quote_literal(written)
        if name not in self._list_names(place):
            return None
        return (
            f"game.colours[{quote_literal(name)}]"
            if place.kind == "colour"
            else quote_literal(name)
        )

    def _find_deck_field(self, name: str) -> Field | None:
        outer, _, inner = name.partition(".")
        field = self.deck.fields.get(outer)
        return field.fields.get(inner) if field and inner else field

    def _write_path(self, name: str) -> str:
        """Return the value of a field; of a record that is left out, none."""
        outer, _, inner = name.partition(".")
        whole = write_member("card", outer)
        return f"({write_member(whole, inner)} if {whole} else none)" if inner else whole

    def _write_field(self, name: str, place: LookSlot) -> str:
        path, field = self._write_path(name), self._find_deck_field(name)
        self.used.setdefault(place.name, []).append(name)
        if place.kind == "picture":
            return self._write_picture(path)
        if place.kind == "colour":
            return f"game.colours[{path}] if {path} else none"
        if place.kind == "record" and field is not None and field.kind == "record":
            pairs = [self._write_pair(key, write_member(path, key)) for key in field.fields]
            return f"{{{', '.join(pairs)}}} if {path} else none"
        return path

    def _write_pair(self, label: str, path: str) -> str:
        readable = label.replace("_", " ").replace("-", " ")
        known = label in self.context.words
        title = (
            write_member("words", label)
            if known
            else quote_literal(readable[:1].upper() + readable[1:])
        )
        return f"({title}): {path}"

    def _write_picture(self, path: str) -> str:
        return f'picture({path or "none"}, deck.id ~ "/" ~ card.id, card.id)'

    def _write_list(self, place: LookSlot, node: Node) -> str:
        """Return several fields in one place, each with its label."""
        if place.kind not in ("record", "list"):
            message = f"the place {place.name} takes one field, not a list"
            self.report(node.source, message, "type")
            return "none"
        found = []
        for child in node.list_nodes():
            field = self._find_deck_field(child.text) if child.is_scalar else None
            if field is None:
                hint = did_you_mean(child.text if child.is_scalar else "", self.deck.fields)
                message = "the deck has no field"
                if not child.is_scalar:
                    message = f"the place {place.name} takes the names of fields, not"
                self.report(child.source, f"{message} {child.describe()}{hint}", "fields")
            elif self._check_type(field, place, child, among=True):
                path = self._write_path(child.text)
                self.used.setdefault(place.name, []).append(child.text)
                label = child.text.rpartition(".")[2]
                found.append(self._write_pair(label, path) if place.kind == "record" else path)
        if place.kind == "list":
            return f"[{', '.join(found)}] | select | list"
        return f"{{{', '.join(found)}}}"

    def _write_mapping(self, place: LookSlot, node: Node) -> str:
        if place.kind == "picture" and not node.value.keys().isdisjoint({"field", "focus"}):
            return self._write_cropped(place, node)
        words = node.get("text")
        for key, hint in node.find_unknown_keys(("text",) if words else _BY_FIELD_KEYS):
            near = hint if "did you mean" in hint else ""
            examples = f"{place.name}: FIELD, {{text: …}} or {{by: FIELD, values: {{…}}}}"
            message = (
                f"unknown key '{key}' in the place {place.name}{near}; it is written {examples}"
            )
            self.report(node.keys[key], message, "fields")
        if words is not None:
            return self._write_same(place, words)
        by, values = node.get("by"), node.get("values")
        if by is None or values is None or not values.is_mapping:
            message = f"the place {place.name} needs by: a field, and values: what it is for each"
            self.report(node.source, message, "fields")
            return "none"
        field = self._find_deck_field(by.text) if by.is_scalar else None
        if field is None:
            hint = did_you_mean(by.text if by.is_scalar else "", self.deck.fields)
            self.report(by.source, f"the deck has no field {by.describe()}{hint}", "fields")
            return "none"
        if field.kind not in _SWITCH_TYPES:
            message = (
                f"'{by.text}' is a {field.kind}; by: takes {_format_alternatives(_SWITCH_TYPES)}"
            )
            self.report(by.source, message, "type")
            return "none"
        return self._write_switch(place, node, by.text, field)

    def _write_cropped(self, place: LookSlot, node: Node) -> str:
        """Return the picture of a field that is cropped round a focus."""
        for key, hint in node.find_unknown_keys(("field", "focus")):
            message = f"unknown key '{key}' in the place {place.name}{hint}; it is written "
            message += f"{place.name}: {{field: FIELD, focus: top}}"
            self.report(node.keys[key], message, "fields")
        focus, name = node.get("focus"), node.get("field")
        if focus is not None and not parse_focus(focus):
            known = ", ".join(name for name in _FOCUSES if name != "center")
            expected = f"{known}, or two shares such as 30% 60%"
            message = f"focus is {focus.describe()}; expected {expected}"
            self.report(focus.source, message, "fields")
        return self.write_place(place, name if name is None or not name.is_mapping else None)

    def _write_switch(self, place: LookSlot, node: Node, name: str, field: Field) -> str:
        """Return an expression that depends on the values of a field."""
        values, otherwise = node.get("values"), node.get("else")
        assert values is not None
        expression = self._write_choice(place, otherwise) if otherwise is not None else "none"
        known = [*map(str, field.choices)] or (["true", "false"] if field.kind == "boolean" else [])
        for key, child in reversed(list(values.items())):
            if known and key not in known:
                message = f"'{name}' is never '{key}'{did_you_mean(key, known)}"
                self.report(values.keys[key], message, "fields")
            hit = _write_comparison(field, self._write_path(name), key)
            expression = f"{self._write_choice(place, child)} if {hit} else {expression}"
        return f"({expression})"

    def _write_choice(self, place: LookSlot, node: Node) -> str:
        """Return one of the values of a switch: a colour, an icon, a picture or words."""
        if node.value is None or node.boolean is False:
            return "none"
        if place.kind in look_catalogue.TEXT_SLOT_KINDS:
            return self._write_texts(place, node)
        constant = self._write_constant(place, node.text) if node.is_scalar else None
        if place.kind == "picture" and node.is_scalar:
            return self._write_picture(quote_literal(node.text))
        if constant is None:
            hint = did_you_mean(node.text if node.is_scalar else "", self._list_names(place))
            message = f"no {place.kind} {node.describe()}{hint}"
            self.report(node.source, message, "reference")
        return constant or "none"

    def _write_same(self, place: LookSlot, node: Node) -> str:
        """Return words that are the same on every card."""
        if place.kind in look_catalogue.TEXT_SLOT_KINDS:
            return self._write_texts(place, node)
        asked = (
            f"a field or {_ARTICLE_NOUNS[place.kind]}"
            if place.kind in _ARTICLE_NOUNS
            else "a field"
        )
        self.report(node.source, f"the place {place.name} takes {asked}, not a text", "type")
        return "none"

    def _write_texts(self, place: LookSlot, node: Node) -> str:
        """Return words of the deck file in every language of the game."""
        languages = self.context.languages
        if node.is_scalar:
            if (
                len(languages) > 1
                and look_catalogue.LANGUAGE_WORD.search(node.text)
                and not node.text.isupper()
            ):
                asked = ", ".join(f"{name}: …" for name in languages)
                message = f"'{node.text}' is printed in every language; for one each: {{{asked}}}"
                self.report(node.source, message, "language", severity="warning")
            return quote_literal(node.text)
        said = {name: child for name, child in node.items() if child.is_scalar and child.raw}
        counts = self.context.fallback_counts
        if counts is not None and languages[0] in said:
            counts.update((self.deck.id, name) for name in languages if name not in said)
            said = dict.fromkeys(languages, said[languages[0]]) | said
        if not node.is_mapping or set(said) != set(languages) or node.keys.keys() - said.keys():
            lost = [name for name in languages if node.is_mapping and name not in said]
            other = [key for key, _ in node.items() if key not in languages]
            message = f"the text of {place.name} is {node.describe()}"
            if lost or other:
                why = f"lacks {', '.join(lost)}" if lost else f"has the language '{other[0]}'"
                message = f"the text of {place.name} {why}"
            asked = ", ".join(f"{name}: …" for name in languages)
            self.report(node.source, f"{message}; a text is written {{{asked}}}", "language")
            return "none"
        pairs = (
            f"{quote_literal(name)}: {quote_literal(child.text)}" for name, child in said.items()
        )
        return f"{{{', '.join(pairs)}}}[language]"


_FOCUSES = {"centre": "center", **dict.fromkeys(("center", "top", "bottom", "left", "right"), "")}
_SHARES = re.compile(r"([0-9]{1,2}|100)\s*%\s+([0-9]{1,2}|100)\s*%\Z")


def parse_focus(node: Node | None) -> str:
    """Return the part of a picture that stays when it is cropped, as a position of CSS; "" if it
    is written otherwise."""
    text = node.text if node is not None and node.is_scalar else ""
    shares = _SHARES.match(text)
    words = text.split()
    if shares:
        return f"{shares[1]}% {shares[2]}%"
    if 0 < len(words) < 3 and all(word in _FOCUSES for word in words):
        return " ".join(_FOCUSES[word] or word for word in words)
    return ""


_ARTICLE_NOUNS = {"colour": "a colour", "icon": "an icon"}
_MISSING_HINTS = {
    "colour": ", or under colours: in game.yaml, or write #rrggbb",
    "icon": ", or draw it as art/icons/NAME.svg",
}


def _format_alternatives(names: Sequence[str]) -> str:
    """Return `a, b or c`."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _write_comparison(field: Field, path: str, key: str) -> str:
    if field.kind == "boolean":
        return path if key == "true" else f"not {path}"
    return f'{path} ~ "" == {quote_literal(key)}'


def write_member(whole: str, name: str) -> str:
    return f"{whole}.{name}" if _IDENTIFIER.match(name) else f"{whole}[{quote_literal(name)}]"


def quote_literal(text: str) -> str:
    """Return a text as a template literal in which nothing looks like a tag or a bracket."""
    literal = json.dumps(text, ensure_ascii=False)
    return re.sub("[{}<>]", lambda sign: f"\\u{ord(sign[0]):04x}", literal)

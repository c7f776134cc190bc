"""Templates of decks with a look, written from the look and the fields of the deck.

A look's templates use `place.title`, `place.cost`, …; lines before them say which field fills each
place. A deck with a look is thus a deck with templates, which `cardgen eject` writes to files.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from cardgen.core import colour_math
from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.core.units import CARD_SIZES, Size, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game import game_folder
from cardgen.game.model import Deck, Field
from cardgen.looks import look_catalogue
from cardgen.looks.look_catalogue import BACK_FILE, FRONT_FILE, Look, LookSlot

LOOK_PREFIX = "@"
"""Prefix of the names of templates that belong to a look."""
_TINT_NAMES = ("ink", "paper", "accent")
_BY_FIELD_KEYS = ("by", "values", "else")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""A name that can be written card.name; other fields are written card["name"]."""
_PLACE_ASSIGNMENT = re.compile(
    r'^\{% set place\.(?P<place>\w+) = .*?\bcard(?:\.(?P<name>\w+)|\["(?P<other>[^"]*)"\])',
    re.MULTILINE,
)
_DEFAULT_TYPES = {
    "text": "text",
    "value": "string",
    "picture": "string",
    "list": "list",
    "record": "record",
    "colour": "colour",
    "icon": "icon",
}
"""Types of the fields of a deck that declares none, by kind of place."""
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
OVERFLOW_PHRASE = "at its smallest size"
"""Part of the message about a text that does not fit its box."""
_CONSEQUENT_KINDS = frozenset({"overflow", "overlap", "safe-margin", "contrast"})
"""Kinds of problems that follow from a text that does not fit its place."""


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
    fallback_counts: Counter[tuple[str, str]] | None = None
    """Counts texts, by deck and language, that are printed in the first language instead; None if
    a missing text is an error."""


def read_look(node: Node | None, report: LookReport) -> Look | None:
    """Return the look that a deck names; None if there is none."""
    if node is None:
        return None
    if node.value not in look_catalogue.list_looks():
        hint = did_you_mean(node.text if node.is_scalar else "", look_catalogue.list_looks())
        report(node.source, f"look is {node.describe()}{hint}", "template")
        return None
    return look_catalogue.load_look(str(node.value))


def check_look_size(look: Look | None, size: Size, source: Source, report: LookReport) -> Size:
    """Return the size if the look fits in it; else report it, and return the look's own."""
    if look is None or min(size.width, size.height) >= look.min_side:
        return size
    message = f"the look {look.name} needs {look.min_side:g} mm a side at least, not {size}"
    report(source, message, "size")
    return parse_size(look.size, CARD_SIZES) or size


def make_look_fields(look: Look, source: Source) -> dict[str, Field]:
    """Return the fields of a deck that declares none: one for each place, with its name."""
    empty = {"list": ()}
    item = Field("", "string", source)
    return {
        place.name: Field(
            place.name, kind, source, default=empty.get(kind), item=item if kind == "list" else None
        )
        for place in look.slots.values()
        if (kind := _DEFAULT_TYPES[place.kind]) != "record"
    }


def mark_colour_fields(
    fields: dict[str, Field], look: Look, places: Node | None
) -> dict[str, Field]:
    """Return the fields, with those strings as colours that fill a place for a colour."""
    named = {
        node.text
        for place in look.slots.values()
        if place.kind == "colour" and places and (node := places.get(place.name)) is not None
    }
    return {
        name: replace(field, kind="colour") if name in named and field.kind == "string" else field
        for name, field in fields.items()
    }


def write_look_templates(
    deck: Deck, look: Look, places: Node | None, context: LookContext, report: LookReport
) -> dict[str, str]:
    """Return the templates and the style of a deck with a look, by their names."""
    if places is not None and not places.is_mapping:
        message = f"places is {places.describe()}; expected a mapping, PLACE: FIELD"
        report(places.source, message, "type")
    for key, child in places.items() if places else ():
        if key not in look.slots:
            hint = did_you_mean(key, look.slots)
            message = f"the look {look.name} has no place '{key}'{hint}"
            report(places.keys[key] if places else child.source, message, "fields")
    writer = _PlaceWriter(deck, look, context, report)
    expressions = {
        place.name: writer.write_place(place, places.get(place.name) if places else None)
        for place in look.slots.values()
    }
    lines = [
        f"{{% set place.{name} = {expression} %}}"
        for name, expression in expressions.items()
        if name != "accent"
    ]
    head = [
        "{% set place = namespace() %}",
        *lines,
        writer.write_tints(expressions.get("accent", "")),
    ]
    front = "\n".join(head)
    # A back tells nothing of its card: it has no places, and its colour is the deck's.
    back = writer.write_tints("")
    if look.back:
        back += f"\n{{% set back = {json.dumps(dict(look.back))} %}}"
    return {
        f"{LOOK_PREFIX}{deck.id}/{FRONT_FILE}": f"{front}\n{look.read_file(FRONT_FILE)}",
        f"{LOOK_PREFIX}{deck.id}/{BACK_FILE}": f"{back}\n{look.read_file(BACK_FILE)}",
        f"{LOOK_PREFIX}{look.name}/{look_catalogue.STYLE_FILE}": look.read_file(
            look_catalogue.STYLE_FILE
        ),
    }


def relocate_problems(problems: Sequence[Problem], decks: Mapping[str, Deck]) -> list[Problem]:
    """Return problems in which those of a look's templates name the deck file instead.

    They point at the card's words in that place. Where words do not fit their place, problems that
    follow from it are left out.
    """
    full = {p.subject for p in problems if _is_in_look(p) and OVERFLOW_PHRASE in p.message}
    relevant = (
        p
        for p in problems
        if p.subject not in full or p.kind not in _CONSEQUENT_KINDS or OVERFLOW_PHRASE in p.message
        or not _is_in_look(p)
    )  # fmt: skip
    return [_relocate_problem(p, decks) for p in relevant]


def _is_in_look(problem: Problem) -> bool:
    return problem.source.path.startswith(f"{game_folder.TEMPLATES_FOLDER}/{LOOK_PREFIX}")


def _relocate_problem(problem: Problem, decks: Mapping[str, Deck]) -> Problem:
    name = problem.source.path.removeprefix(f"{game_folder.TEMPLATES_FOLDER}/")
    deck = decks.get(problem.subject.deck)
    if not _is_in_look(problem) or deck is None:
        return problem
    lines = deck.look_templates.get(name, "").split("\n")[: problem.source.line]
    where, source = f"the look {deck.look}", deck.sources.get("look", deck.source)
    piece = next((each for each in deck.pieces if each.id == problem.subject.card), None)
    place = _find_place(lines)
    if place and piece:
        where = f"{place}, a place of the look {deck.look}"
        field = _find_field("\n".join(lines), place)
        source = piece.sources.get(field, piece.source) if field else source
    elif lines and "deck.title" in lines[-1]:
        where, source = f"the deck's title on the back of the look {deck.look}", deck.title.source
    return replace(problem, source=source, message=f"{problem.message} ({where})")


def _find_place(lines: list[str]) -> str:
    """Return the place that the last of a template's lines prints; in a loop, the place that the
    loop goes through; "" if there is none."""
    for pattern in (r"{{ place\.(\w+)", r"\bplace\.(\w+)"):
        if lines and (found := re.search(pattern, lines[-1])):
            return found[1]
    if not lines or "{{" not in lines[-1]:
        return ""
    loop = next((line for line in reversed(lines) if "{% for " in line or "endfor" in line), "")
    found = None if "{% endfor" in loop else re.search(r"\bplace\.(\w+)", loop)
    return found[1] if found else ""


def _find_field(text: str, place: str) -> str:
    """Return the field that fills a place, from the first lines of a template; "" if there is
    none."""
    found = next(
        (each for each in _PLACE_ASSIGNMENT.finditer(text) if each["place"] == place), None
    )
    return (found["name"] or found["other"] or "") if found else ""


@dataclass(frozen=True)
class _PlaceWriter:
    """Writes the content of each place as a template expression."""

    deck: Deck
    look: Look
    context: LookContext
    report: LookReport

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

    def write_tints(self, accent: str) -> str:
        """Return the line that defines the colours: the game's with these names, else the
        look's."""
        own = {
            name: f"game.colours.{name}"
            if name in self.context.colours
            else _quote_literal(default)
            for name, default in self.look.colours.items()
        }
        fallback = own.get("accent", _quote_literal("#1f5a96"))
        if self.context.players:
            fallback = f"player.colour or {fallback}"
        own["accent"] = f"({accent}) or {fallback}" if accent not in ("", "none") else fallback
        pairs = ", ".join(f'"{name}": {own[name]}' for name in _TINT_NAMES if name in own)
        return f"{{% set tint = {{{pairs}}} %}}"

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
            return _quote_literal(written)
        if name not in self._list_names(place):
            return None
        return (
            f"game.colours[{_quote_literal(name)}]"
            if place.kind == "colour"
            else _quote_literal(name)
        )

    def _find_deck_field(self, name: str) -> Field | None:
        outer, _, inner = name.partition(".")
        field = self.deck.fields.get(outer)
        return field.fields.get(inner) if field and inner else field

    def _write_path(self, name: str) -> str:
        """Return the value of a field; of a record that is left out, none."""
        outer, _, inner = name.partition(".")
        whole = _write_member("card", outer)
        return f"({_write_member(whole, inner)} if {whole} else none)" if inner else whole

    def _write_field(self, name: str, place: LookSlot) -> str:
        path, field = self._write_path(name), self._find_deck_field(name)
        if place.kind == "picture":
            return self._write_picture(path)
        if place.kind == "colour":
            return f"game.colours[{path}] if {path} else none"
        if place.kind == "record" and field is not None and field.kind == "record":
            pairs = [self._write_pair(key, _write_member(path, key)) for key in field.fields]
            return f"{{{', '.join(pairs)}}} if {path} else none"
        return path

    def _write_pair(self, label: str, path: str) -> str:
        readable = label.replace("_", " ").replace("-", " ")
        known = label in self.context.words
        title = (
            _write_member("words", label)
            if known
            else _quote_literal(readable[:1].upper() + readable[1:])
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
                label = child.text.rpartition(".")[2]
                found.append(self._write_pair(label, path) if place.kind == "record" else path)
        if place.kind == "list":
            return f"[{', '.join(found)}] | select | list"
        return f"{{{', '.join(found)}}}"

    def _write_mapping(self, place: LookSlot, node: Node) -> str:
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
            return self._write_picture(_quote_literal(node.text))
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
            return _quote_literal(node.text)
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
            f"{_quote_literal(name)}: {_quote_literal(child.text)}" for name, child in said.items()
        )
        return f"{{{', '.join(pairs)}}}[language]"


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
    return f'{path} ~ "" == {_quote_literal(key)}'


def _write_member(whole: str, name: str) -> str:
    return f"{whole}.{name}" if _IDENTIFIER.match(name) else f"{whole}[{_quote_literal(name)}]"


def _quote_literal(text: str) -> str:
    """Return a text as a template literal in which nothing looks like a tag or a bracket."""
    literal = json.dumps(text, ensure_ascii=False)
    return re.sub("[{}<>]", lambda sign: f"\\u{ord(sign[0]):04x}", literal)

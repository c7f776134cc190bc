"""A deck with a look: the templates it stands for, written out, and where its words come from.

A look's templates know `place.title`, `place.cost`, …; a line before them says which field of the
deck each is. So a deck with a look is a deck with templates, and `cardgen eject` has only to write
them down.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.yamlnodes import Node
from cardgen.game import folder
from cardgen.game.looks import catalogue
from cardgen.game.looks.catalogue import BACK, FRONT, Look, Place
from cardgen.game.model import Deck, Field

MARK = "@"
"""What the names of templates begin with that a look brings along."""
_HEX = re.compile(r"#[0-9a-f]{6}\Z", re.IGNORECASE)
_TINTS = ("ink", "paper", "accent")
_BY_KEYS = ("by", "values", "else")
_FILLED_BY = {
    "text": "text",
    "value": "string",
    "picture": "string",
    "list": "list",
    "record": "record",
    "colour": "colour",
    "icon": "icon",
}
"""The type that a field has when a deck with a look declares none."""
_WORDLIKE = ("text", "string", "integer", "number", "choice", "reference")
FITS: Mapping[str, tuple[str, ...]] = {
    "text": _WORDLIKE,
    "value": _WORDLIKE,
    "picture": ("string", "text", "choice", "reference"),
    "list": ("list",),
    "record": ("record", "list"),
    "colour": ("colour",),
    "icon": ("icon", "choice", "string"),
}
"""The types of fields that can fill each kind of place."""
Tell = Callable[[Source, str, str], None]


@dataclass(frozen=True)
class Palette:
    """What a game has for looks: colours and icons by name, words, whether the deck has players."""

    languages: tuple[str, ...]
    colours: frozenset[str]
    icons: frozenset[str]
    words: frozenset[str]
    players: bool


def look_named(node: Node | None, tell: Tell) -> Look | None:
    """The look that a deck asks for."""
    if node is None:
        return None
    if node.value not in catalogue.names():
        hint = did_you_mean(node.text if node.is_scalar else "", catalogue.names())
        tell(node.source, f"look is {node.describe()}{hint}", "template")
        return None
    return catalogue.of(str(node.value))


def fields_of(look: Look, source: Source) -> dict[str, Field]:
    """The fields of a deck that declares none: one for each place, by the place's name."""
    empty = {"list": ()}
    item = Field("", "string", source)
    return {
        place.name: Field(
            place.name, kind, source, default=empty.get(kind), item=item if kind == "list" else None
        )
        for place in look.places.values()
        if (kind := _FILLED_BY[place.kind]) != "record"
    }


def drawn_up(
    deck: Deck, look: Look, places: Node | None, palette: Palette, tell: Tell
) -> dict[str, str]:
    """The templates and the style that a deck with this look stands for, by their names."""
    if places is not None and not places.is_mapping:
        message = f"places is {places.describe()}; a mapping is asked for, PLACE: FIELD"
        tell(places.source, message, "type")
    for key, child in places.items() if places else ():
        if key not in look.places:
            hint = did_you_mean(key, look.places)
            message = f"the look {look.name} has no place '{key}'{hint}"
            tell(places.keys[key] if places else child.source, message, "fields")
    writer = _Writer(deck, look, palette, tell)
    said = {
        place.name: writer.expression(place, places.get(place.name) if places else None)
        for place in look.places.values()
    }
    lines = [f'  "{name}": {expression},' for name, expression in said.items() if name != "accent"]
    places_said = "\n".join(["{% set place = {", *lines, "} %}"])
    front = f"{places_said}\n{writer.tints(said.get('accent', ''))}"
    # A back tells nothing of its card: its colour is the deck's.
    back = f"{places_said}\n{writer.tints('')}"
    if look.back:
        back += f"\n{{% set back = {json.dumps(dict(look.back))} %}}"
    return {
        f"{MARK}{deck.id}/{FRONT}": f"{front}\n{look.text(FRONT)}",
        f"{MARK}{deck.id}/{BACK}": f"{back}\n{look.text(BACK)}",
        f"{MARK}{look.name}/{catalogue.STYLE}": look.text(catalogue.STYLE),
    }


def told_of(problem: Problem, decks: Mapping[str, Deck]) -> Problem:
    """A problem in a look's own template, told to the one who chose the look: at the line of the
    card's words that stand in that place."""
    name = problem.source.path.removeprefix(f"{folder.TEMPLATES}/")
    deck = decks.get(problem.subject.deck)
    if not name.startswith(MARK) or deck is None:
        return problem
    lines = deck.written.get(name, "").split("\n")
    line = lines[problem.source.line - 1] if 0 < problem.source.line <= len(lines) else ""
    meant = re.search(r"\bplace\.(\w+)", line) or re.match(r'  "(\w+)": ', line)
    source = deck.sources.get("look", deck.source)
    piece = next((each for each in deck.pieces if each.id == problem.subject.card), None)
    if meant and piece:
        source = piece.sources.get(_field_of(deck, meant[1]), piece.source)
    where = f"{meant[1]}, a place of the look {deck.look}" if meant else f"the look {deck.look}"
    return replace(problem, source=source, message=f"{problem.message} ({where})")


def _field_of(deck: Deck, place: str) -> str:
    """The field that fills a place, by the line that the templates begin with."""
    text = deck.written.get(deck.front, "")
    found = re.search(rf'^  "{re.escape(place)}": card\.(\w+)', text, re.MULTILINE)
    return found[1] if found else place


@dataclass(frozen=True)
class _Writer:
    """What fills each place, as an expression of a template."""

    deck: Deck
    look: Look
    palette: Palette
    tell: Tell

    def expression(self, place: Place, node: Node | None) -> str:
        if node is None:
            found = next((name for name in place.fields if self._fills(name, place)), "")
            return self._of_field(found, place) if found else self._nothing(place)
        if node.value is None or node.flag is False:
            return "none"
        if node.is_list:
            return self._of_list(place, node)
        if node.is_mapping:
            return self._of_mapping(place, node)
        return self._of_word(place, node)

    def tints(self, accent: str) -> str:
        """The line that names the colours: the game's of that name, else the look's."""
        own = {
            name: f"game.colours.{name}" if name in self.palette.colours else _quoted(default)
            for name, default in self.look.tints.items()
        }
        fallback = own.get("accent", _quoted("#1f5a96"))
        if self.palette.players:
            fallback = f"player.colour or {fallback}"
        own["accent"] = f"({accent}) or {fallback}" if accent not in ("", "none") else fallback
        said = ", ".join(f'"{name}": {own[name]}' for name in _TINTS if name in own)
        return f"{{% set tint = {{{said}}} %}}"

    def _fills(self, name: str, place: Place) -> bool:
        field = self.deck.fields.get(name)
        return field is not None and field.kind in FITS[place.kind]

    def _nothing(self, place: Place) -> str:
        return self._picture("") if place.kind == "picture" else "none"

    def _of_word(self, place: Place, node: Node) -> str:
        name = node.text
        field = self._field(name)
        if field is not None:
            if field.kind in FITS[place.kind]:
                return self._of_field(name, place)
            fits = " or ".join(FITS[place.kind])
            message = f"'{name}' is a {field.kind}; the place {place.name} takes {fits}"
            self.tell(node.source, message, "type")
            return "none"
        constant = self._constant(place, name)
        if constant is not None:
            return constant
        known = [*self.deck.fields, *self._names_for(place)]
        hint = did_you_mean(name, known)
        if place.kind in ("text", "value"):
            hint += f"; words for every card are written {place.name}: {{text: …}}"
        self.tell(node.source, f"the deck has no field '{name}'{hint}", "fields")
        return "none"

    def _names_for(self, place: Place) -> frozenset[str]:
        named = {"colour": self.palette.colours, "icon": self.palette.icons}
        return named.get(place.kind, frozenset())

    def _constant(self, place: Place, name: str) -> str | None:
        if place.kind == "colour" and _HEX.match(name):
            return _quoted(name.lower())
        if name not in self._names_for(place):
            return None
        return f'game.colours["{name}"]' if place.kind == "colour" else _quoted(name)

    def _field(self, name: str) -> Field | None:
        outer, _, inner = name.partition(".")
        field = self.deck.fields.get(outer)
        return field.fields.get(inner) if field and inner else field

    def _of_field(self, name: str, place: Place) -> str:
        outer, _, inner = name.partition(".")
        path = f"card.{outer}.{inner} if card.{outer} else none" if inner else f"card.{outer}"
        field = self._field(name)
        if place.kind == "picture":
            return self._picture(path)
        if place.kind == "colour":
            return f"game.colours[{path}] if {path} else none"
        if place.kind == "record" and field is not None and field.kind == "record":
            pairs = [self._pair(key, f"{path}.{key}") for key in field.fields]
            return f"{{{', '.join(pairs)}}} if {path} else none"
        return path

    def _pair(self, label: str, path: str) -> str:
        readable = label.replace("_", " ").replace("-", " ")
        said = f"words.{label}" if label in self.palette.words else _quoted(readable.capitalize())
        return f"({said}): {path}"

    def _picture(self, path: str) -> str:
        return f'picture({path or "none"}, deck.id ~ "/" ~ card.id, card.id)'

    def _of_list(self, place: Place, node: Node) -> str:
        """Several fields in one place: a value with its label each."""
        if place.kind not in ("record", "list"):
            message = f"the place {place.name} takes one field, not a list"
            self.tell(node.source, message, "type")
            return "none"
        found = []
        for child in node.nodes():
            field = self._field(child.text) if child.is_scalar else None
            if field is None:
                hint = did_you_mean(child.text if child.is_scalar else "", self.deck.fields)
                message = f"the deck has no field {child.describe()}{hint}"
                self.tell(child.source, message, "fields")
                continue
            outer, _, inner = child.text.partition(".")
            path = f"(card.{outer}.{inner} if card.{outer} else none)" if inner else f"card.{outer}"
            found.append(self._pair(inner or outer, path) if place.kind == "record" else path)
        opened, closed = "{}" if place.kind == "record" else "[]"
        return f"{opened}{', '.join(found)}{closed}"

    def _of_mapping(self, place: Place, node: Node) -> str:
        if node.get("text") is not None:
            return self._words(node)
        for key, hint in node.unknown(_BY_KEYS):
            asked = "field: …, {text: …} or {by: FIELD, values: {…}}"
            message = f"unknown key '{key}' in the place {place.name}{hint}; it is {asked}"
            self.tell(node.keys[key], message, "fields")
        by, values = node.get("by"), node.get("values")
        field = self._field(by.text) if by is not None and by.is_scalar else None
        if by is None or field is None or values is None or not values.is_mapping:
            message = f"the place {place.name} needs by: a field, and values: what it is for each"
            hint = did_you_mean(by.text, self.deck.fields) if by and by.is_scalar else ""
            self.tell(by.source if by else node.source, f"{message}{hint}", "fields")
            return "none"
        otherwise = node.get("else")
        said = self._chosen(place, otherwise) if otherwise is not None else "none"
        for key, child in reversed(list(values.items())):
            if field.choices and key not in map(str, field.choices):
                hint = did_you_mean(key, map(str, field.choices))
                message = f"'{field.name}' is never '{key}'{hint}"
                self.tell(values.keys[key], message, "fields")
            said = f"{self._chosen(place, child)} if {_is(field, by.text, key)} else {said}"
        return f"({said})"

    def _chosen(self, place: Place, node: Node) -> str:
        """One of the values that hang on a field: a colour, an icon, a picture or words."""
        if node.is_mapping:
            return self._words(node, node)
        constant = self._constant(place, node.text) if node.is_scalar else None
        if constant is None and place.kind in ("colour", "icon"):
            hint = did_you_mean(node.text if node.is_scalar else "", self._names_for(place))
            message = f"no {place.kind} {node.describe()}{hint}"
            self.tell(node.source, message, "reference")
            return "none"
        if place.kind == "picture":
            return self._picture(_quoted(node.text))
        return constant or _quoted(node.text)

    def _words(self, node: Node, within: Node | None = None) -> str:
        """Words that are the same on every card, in every language."""
        given = within or node.get("text")
        assert given is not None
        if given.is_scalar:
            return _quoted(given.text)
        missing = [name for name in self.palette.languages if given.get(name) is None]
        if missing or not given.is_mapping:
            asked = ", ".join(f"{name}: …" for name in self.palette.languages)
            message = f"text is {given.describe()}; a text is written {{{asked}}}"
            self.tell(given.source, message, "language")
            return "none"
        pairs = (f"{_quoted(name)}: {_quoted(child.text)}" for name, child in given.items())
        return f"{{{', '.join(pairs)}}}[language]"


def _is(field: Field, name: str, key: str) -> str:
    if field.kind == "boolean":
        return f"card.{name}" if key == "true" else f"not card.{name}"
    return f'card.{name} ~ "" == {_quoted(key)}'


def _quoted(text: str) -> str:
    """A text as a literal of a template, in which nothing looks like a tag or a bracket of its."""
    said = json.dumps(text, ensure_ascii=False)
    return re.sub("[{}<>]", lambda sign: f"\\u{ord(sign[0]):04x}", said)

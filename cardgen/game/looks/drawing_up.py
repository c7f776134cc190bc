"""A deck with a look: the templates it stands for, written out, and where its words come from.

A look's templates know `place.title`, `place.cost`, …; a line before them says which field of the
deck each is. So a deck with a look is a deck with templates, and `cardgen eject` has only to write
them down.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from cardgen.base.problems import Problem, Severity, Source, did_you_mean
from cardgen.base.units import CARD_SIZES, Size, parse_size
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
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
"""What can be read as card.name; any other field is card["name"]."""
_OF_CARD = re.compile(
    r'^\{% set place\.(?P<place>\w+) = .*?\bcard(?:\.(?P<name>\w+)|\["(?P<other>[^"]*)"\])',
    re.MULTILINE,
)
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
_TELLING = (*_WORDLIKE, "boolean", "icon", "colour")
"""The types of fields on whose values what stands in a place can hang."""
TOO_LARGE = "at its smallest size"
"""What is said of a text that does not fit its box."""
_FOLLOWING = frozenset({"overflow", "overlap", "safe-margin", "contrast"})
"""The kinds of problems that a text which does not fit its place leads to."""


class Tell(Protocol):
    """Takes where something is wrong, what, and its kind."""

    def __call__(
        self, source: Source, message: str, kind: str, *, severity: Severity = "error"
    ) -> None: ...


@dataclass(frozen=True)
class Palette:
    """What a game has for looks: colours and icons by name, words, whether the deck has players."""

    languages: tuple[str, ...]
    colours: frozenset[str]
    icons: frozenset[str]
    words: frozenset[str]
    players: bool
    lends: bool = False
    """Whether a language that lacks a text has it in the first."""


def look_named(node: Node | None, tell: Tell) -> Look | None:
    """The look that a deck asks for."""
    if node is None:
        return None
    if node.value not in catalogue.names():
        hint = did_you_mean(node.text if node.is_scalar else "", catalogue.names())
        tell(node.source, f"look is {node.describe()}{hint}", "template")
        return None
    return catalogue.of(str(node.value))


def size_for(look: Look | None, size: Size, source: Source, tell: Tell) -> Size:
    """The size, if the look can be drawn in it; else the look's own, and it is told."""
    if look is None or min(size.width, size.height) >= look.least:
        return size
    message = f"the look {look.name} needs {look.least:g} mm a side at least, not {size}"
    tell(source, message, "size")
    return parse_size(look.size, CARD_SIZES) or size


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
    lines = [f"{{% set place.{name} = {it} %}}" for name, it in said.items() if name != "accent"]
    head = ["{% set place = namespace() %}", *lines, writer.tints(said.get("accent", ""))]
    front = "\n".join(head)
    # A back tells nothing of its card: it has no places, and its colour is the deck's.
    back = writer.tints("")
    if look.back:
        back += f"\n{{% set back = {json.dumps(dict(look.back))} %}}"
    return {
        f"{MARK}{deck.id}/{FRONT}": f"{front}\n{look.text(FRONT)}",
        f"{MARK}{deck.id}/{BACK}": f"{back}\n{look.text(BACK)}",
        f"{MARK}{look.name}/{catalogue.STYLE}": look.text(catalogue.STYLE),
    }


def told(problems: Sequence[Problem], decks: Mapping[str, Deck]) -> list[Problem]:
    """Problems, those in a look's own templates told to the one who chose the look: at the line of
    the card's words that stand in that place. Where words are too many for their place, what only
    follows from it is left out."""
    full = {p.subject for p in problems if _of_look(p) and TOO_LARGE in p.message}
    kept = (
        p
        for p in problems
        if p.subject not in full or p.kind not in _FOLLOWING or TOO_LARGE in p.message
        or not _of_look(p)
    )  # fmt: skip
    return [_told_of(p, decks) for p in kept]


def _of_look(problem: Problem) -> bool:
    return problem.source.path.startswith(f"{folder.TEMPLATES}/{MARK}")


def _told_of(problem: Problem, decks: Mapping[str, Deck]) -> Problem:
    name = problem.source.path.removeprefix(f"{folder.TEMPLATES}/")
    deck = decks.get(problem.subject.deck)
    if not _of_look(problem) or deck is None:
        return problem
    lines = deck.written.get(name, "").split("\n")[: problem.source.line]
    where, source = f"the look {deck.look}", deck.sources.get("look", deck.source)
    piece = next((each for each in deck.pieces if each.id == problem.subject.card), None)
    place = _meant(lines)
    if place and piece:
        where = f"{place}, a place of the look {deck.look}"
        field = _field_of("\n".join(lines), place)
        source = piece.sources.get(field, piece.source) if field else source
    elif lines and "deck.title" in lines[-1]:
        where, source = f"the deck's title on the back of the look {deck.look}", deck.title.source
    return replace(problem, source=source, message=f"{problem.message} ({where})")


def _meant(lines: list[str]) -> str:
    """The place that the last of a template's lines is about; "" if it is about none. In a loop, it
    is that which the loop goes through."""
    for pattern in (r"{{ place\.(\w+)", r"\bplace\.(\w+)"):
        if lines and (found := re.search(pattern, lines[-1])):
            return found[1]
    if not lines or "{{" not in lines[-1]:
        return ""
    loop = next((line for line in reversed(lines) if "{% for " in line or "endfor" in line), "")
    found = None if "{% endfor" in loop else re.search(r"\bplace\.(\w+)", loop)
    return found[1] if found else ""


def _field_of(text: str, place: str) -> str:
    """The field that fills a place, by the line that the templates begin with; "" if none does."""
    found = next((each for each in _OF_CARD.finditer(text) if each["place"] == place), None)
    return (found["name"] or found["other"] or "") if found else ""


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
            return self._of_field(name, place) if self._suits(field, place, node) else "none"
        constant = self._constant(place, name)
        if constant is not None:
            return constant
        named = self._names_for(place)
        hint = did_you_mean(name, [*self.deck.fields, *named])
        if place.kind in ("text", "value"):
            hint += f"; words for every card are written {place.name}: {{text: …}}"
        what = "the deck has no field"
        if named:
            what = f"there is neither a field nor {_A[place.kind]}"
        self.tell(node.source, f"{what} {node.describe()}{hint}", "fields")
        return "none"

    def _suits(self, field: Field, place: Place, node: Node, among: bool = False) -> bool:
        """Whether a field is of a type that fills the place, or is one of several in it."""
        fits = _WORDLIKE if among else FITS[place.kind]
        if field.kind not in fits:
            message = f"'{node.text}' is a {field.kind}; the place {place.name} takes {_any(fits)}"
            self.tell(node.source, message, "type")
        return field.kind in fits

    def _names_for(self, place: Place) -> frozenset[str]:
        named = {"colour": self.palette.colours, "icon": self.palette.icons}
        return named.get(place.kind, frozenset())

    def _constant(self, place: Place, name: str) -> str | None:
        if place.kind == "colour" and _HEX.match(name):
            return _quoted(name.lower())
        if name not in self._names_for(place):
            return None
        return f"game.colours[{_quoted(name)}]" if place.kind == "colour" else _quoted(name)

    def _field(self, name: str) -> Field | None:
        outer, _, inner = name.partition(".")
        field = self.deck.fields.get(outer)
        return field.fields.get(inner) if field and inner else field

    def _path(self, name: str) -> str:
        """The value of a field, which of a record that is left out is nothing."""
        outer, _, inner = name.partition(".")
        whole = _member("card", outer)
        return f"({_member(whole, inner)} if {whole} else none)" if inner else whole

    def _of_field(self, name: str, place: Place) -> str:
        path, field = self._path(name), self._field(name)
        if place.kind == "picture":
            return self._picture(path)
        if place.kind == "colour":
            return f"game.colours[{path}] if {path} else none"
        if place.kind == "record" and field is not None and field.kind == "record":
            pairs = [self._pair(key, _member(path, key)) for key in field.fields]
            return f"{{{', '.join(pairs)}}} if {path} else none"
        return path

    def _pair(self, label: str, path: str) -> str:
        readable = label.replace("_", " ").replace("-", " ")
        known = label in self.palette.words
        said = _member("words", label) if known else _quoted(readable[:1].upper() + readable[1:])
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
                said = "the deck has no field"
                if not child.is_scalar:
                    said = f"the place {place.name} takes the names of fields, not"
                self.tell(child.source, f"{said} {child.describe()}{hint}", "fields")
            elif self._suits(field, place, child, among=True):
                path = self._path(child.text)
                label = child.text.rpartition(".")[2]
                found.append(self._pair(label, path) if place.kind == "record" else path)
        if place.kind == "list":
            return f"[{', '.join(found)}] | select | list"
        return f"{{{', '.join(found)}}}"

    def _of_mapping(self, place: Place, node: Node) -> str:
        words = node.get("text")
        for key, hint in node.unknown(("text",) if words else _BY_KEYS):
            near = hint if "did you mean" in hint else ""
            asked = f"{place.name}: FIELD, {{text: …}} or {{by: FIELD, values: {{…}}}}"
            message = f"unknown key '{key}' in the place {place.name}{near}; it is written {asked}"
            self.tell(node.keys[key], message, "fields")
        if words is not None:
            return self._same(place, words)
        by, values = node.get("by"), node.get("values")
        if by is None or values is None or not values.is_mapping:
            message = f"the place {place.name} needs by: a field, and values: what it is for each"
            self.tell(node.source, message, "fields")
            return "none"
        field = self._field(by.text) if by.is_scalar else None
        if field is None:
            hint = did_you_mean(by.text if by.is_scalar else "", self.deck.fields)
            self.tell(by.source, f"the deck has no field {by.describe()}{hint}", "fields")
            return "none"
        if field.kind not in _TELLING:
            message = f"'{by.text}' is a {field.kind}; by: takes {_any(_TELLING)}"
            self.tell(by.source, message, "type")
            return "none"
        return self._by(place, node, by.text, field)

    def _by(self, place: Place, node: Node, name: str, field: Field) -> str:
        """What hangs on the values of a field, of that name."""
        values, otherwise = node.get("values"), node.get("else")
        assert values is not None
        said = self._chosen(place, otherwise) if otherwise is not None else "none"
        known = [*map(str, field.choices)] or (["true", "false"] if field.kind == "boolean" else [])
        for key, child in reversed(list(values.items())):
            if known and key not in known:
                message = f"'{name}' is never '{key}'{did_you_mean(key, known)}"
                self.tell(values.keys[key], message, "fields")
            hit = _is(field, self._path(name), key)
            said = f"{self._chosen(place, child)} if {hit} else {said}"
        return f"({said})"

    def _chosen(self, place: Place, node: Node) -> str:
        """One of the values that hang on a field: a colour, an icon, a picture or words."""
        if node.value is None or node.flag is False:
            return "none"
        if place.kind in catalogue.WORDY:
            return self._words(place, node)
        constant = self._constant(place, node.text) if node.is_scalar else None
        if place.kind == "picture" and node.is_scalar:
            return self._picture(_quoted(node.text))
        if constant is None:
            hint = did_you_mean(node.text if node.is_scalar else "", self._names_for(place))
            message = f"no {place.kind} {node.describe()}{hint}"
            self.tell(node.source, message, "reference")
        return constant or "none"

    def _same(self, place: Place, node: Node) -> str:
        """Words that are the same on every card."""
        if place.kind in catalogue.WORDY:
            return self._words(place, node)
        asked = f"a field or {_A[place.kind]}" if place.kind in _A else "a field"
        self.tell(node.source, f"the place {place.name} takes {asked}, not a text", "type")
        return "none"

    def _words(self, place: Place, node: Node) -> str:
        """Words of this file, in every language of the game; the same in all if said once."""
        languages = self.palette.languages
        if node.is_scalar:
            if len(languages) > 1 and catalogue.WORD.search(node.text) and not node.text.isupper():
                asked = ", ".join(f"{name}: …" for name in languages)
                message = f"'{node.text}' is printed in every language; for one each: {{{asked}}}"
                self.tell(node.source, message, "language", severity="warning")
            return _quoted(node.text)
        said = {name: child for name, child in node.items() if child.is_scalar and child.raw}
        if self.palette.lends and languages[0] in said:
            said = dict.fromkeys(languages, said[languages[0]]) | said
        if not node.is_mapping or set(said) != set(languages) or node.keys.keys() - said.keys():
            lost = [name for name in languages if node.is_mapping and name not in said]
            other = [key for key, _ in node.items() if key not in languages]
            message = f"the text of {place.name} is {node.describe()}"
            if lost or other:
                why = f"lacks {', '.join(lost)}" if lost else f"has the language '{other[0]}'"
                message = f"the text of {place.name} {why}"
            asked = ", ".join(f"{name}: …" for name in languages)
            self.tell(node.source, f"{message}; a text is written {{{asked}}}", "language")
            return "none"
        pairs = (f"{_quoted(name)}: {_quoted(child.text)}" for name, child in said.items())
        return f"{{{', '.join(pairs)}}}[language]"


_A = {"colour": "a colour", "icon": "an icon"}


def _any(names: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _is(field: Field, path: str, key: str) -> str:
    if field.kind == "boolean":
        return path if key == "true" else f"not {path}"
    return f'{path} ~ "" == {_quoted(key)}'


def _member(whole: str, name: str) -> str:
    return f"{whole}.{name}" if _NAME.match(name) else f"{whole}[{_quoted(name)}]"


def _quoted(text: str) -> str:
    """A text as a literal of a template, in which nothing looks like a tag or a bracket of its."""
    said = json.dumps(text, ensure_ascii=False)
    return re.sub("[{}<>]", lambda sign: f"\\u{ord(sign[0]):04x}", said)

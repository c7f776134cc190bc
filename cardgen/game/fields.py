"""Declared, typed fields: from `fields:` of a deck to checked values of its pieces.

A declaration is a type's name (`cash: integer`) or a mapping (`{type: integer, min: 1}`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from cardgen.base.problems import NOBODY, Problem, Severity, Source, Subject, did_you_mean, quoted
from cardgen.base.units import MOST_SIGNS, is_number, is_whole
from cardgen.base.yamlnodes import Node
from cardgen.game.model import Field, Reference, Text, Value
from cardgen.game.reading import flag, known_keys
from cardgen.game.texts import emoji_as_icons

_OPTIONS: dict[str, frozenset[str]] = {
    "text": frozenset(),
    "string": frozenset(),
    "integer": frozenset({"min", "max"}),
    "number": frozenset({"min", "max"}),
    "boolean": frozenset(),
    "choice": frozenset({"of"}),
    "list": frozenset({"of", "min", "max"}),
    "record": frozenset({"fields"}),
    "reference": frozenset({"to"}),
    "icon": frozenset(),
    "colour": frozenset(),
}
_ALWAYS = frozenset({"type", "required", "default", "printed"})
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
_EMPTY: dict[str, Value] = {"list": (), "boolean": False}


def wrong_id(name: str) -> str:
    """Why a deck, a card or a player cannot be called that; "" if it can. Files are named so."""
    if not _ID.match(name):
        return f"{quoted(name)} is no id; use small letters, digits and hyphens"
    if len(name) > MOST_SIGNS:
        return f"{quoted(name)} is too long for an id; {MOST_SIGNS} signs are the most"
    return ""


@dataclass
class Checker:
    """Checks nodes against fields and collects what is wrong with them."""

    languages: tuple[str, ...]
    icons: Iterable[str]
    colours: Iterable[str]
    problems: list[Problem] = field(default_factory=list)
    emoji: Mapping[str, str] = field(default_factory=dict)
    subject: Subject = NOBODY
    """The deck or card at which the checker is."""

    def problem(
        self, source: Source, message: str, kind: str, language: str = "",
        severity: Severity = "error",
    ) -> None:  # fmt: skip
        subject = replace(self.subject, language=language) if language else self.subject
        self.problems.append(Problem(source, message, kind, severity, subject))

    def text(self, node: Node, what: str) -> Text:
        """A text in every language. A single-language game may write it without its language."""
        by_language: dict[str, str] = {}
        lines = {language: child.source for language, child in node.items()}
        if node.is_scalar and len(self.languages) == 1 and node.value is not None:
            by_language[self.languages[0]] = node.text
        elif not node.is_mapping:
            example = ", ".join(f"{language}: …" for language in self.languages)
            asked = f"a text is written {{{example}}}"
            self.problem(node.source, f"{what} is {node.describe()}; {asked}", "type")
        elif node.quotes and not any(language in node.value for language in self.languages):
            self.problem(node.source, f"{what} is {node.describe()}{node.quotes}", "type")
        else:
            by_language = self._languages_of(node, what)
        filled = {
            language: emoji_as_icons(by_language.get(language, ""), self.emoji)
            for language in self.languages
        }
        return Text(filled, node.source, lines)

    def _languages_of(self, node: Node, what: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for language, value in node.items():
            if language not in self.languages:
                hint = did_you_mean(language, self.languages)
                if value.value is None and " " in language:
                    hint = "; a text with a comma in it needs quotes"
                self.problem(
                    node.keys[language], f"{what}: unknown language '{language}'{hint}", "language"
                )
            elif not value.is_scalar or value.value is None:
                message = f"{what} is {value.describe()}, not a text{value.quotes}"
                self.problem(value.source, message, "type", language)
                found[language] = ""
            else:
                found[language] = value.text
        for language in self.languages:
            if language not in found:
                message = f"{what} has no text"
                self.problem(node.source, message, "language", language)
        self._tell_empty(node, found, what)
        return found

    def _tell_empty(self, node: Node, found: Mapping[str, str], what: str) -> None:
        """A text that says something in one language and nothing in another."""
        said = [language for language in found if found[language].strip()]
        for language, value in node.items():
            if said and language in found and value.value is not None and not value.text.strip():
                message = f"{what} is empty in {language}, and in {said[0]} it is not"
                self.problem(value.source, message, "language", language, "warning")

    def values(
        self, node: Node, fields: Mapping[str, Field], what: str, reserved: Iterable[str] = ()
    ) -> dict[str, Value]:
        """The value of every field of a mapping; absent ones get their default.

        `what` names a record, "" is the card itself.
        """
        within = f" in {what}" if what else ""
        known_keys(node, {*fields, *reserved}, what, self.problem)
        values: dict[str, Value] = {}
        for name, declared in fields.items():
            given = node.get(name)
            if given is not None:
                called = f"'{name}' of {what}" if what else f"'{name}'"
                values[name] = self.value(given, declared, called)
                continue
            if declared.required:
                self.problem(node.source, f"'{name}' is missing{within}", "fields")
            values[name] = declared.default
        return values

    def value(self, node: Node, declared: Field, what: str) -> Value:
        """One value, checked; the field's default where it is wrong."""
        return _CHECKS[declared.kind](self, node, declared, what)

    def expected(self, node: Node, declared: Field, what: str, expected: str) -> Value:
        message = f"{what} is {node.describe()}{node.quotes or f'; {expected}'}"
        self.problem(node.source, message, "type")
        return declared.default


def _check_text(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    return checker.text(node, what)


def _check_string(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    if not node.is_scalar or node.value is None:
        return checker.expected(node, declared, what, "a word or a text is asked for")
    return node.text


def _check_number(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    value = node.value
    whole = declared.kind == "integer"
    if not is_number(value) or (whole and not is_whole(value)):
        return checker.expected(
            node, declared, what, f"a {'whole ' if whole else ''}number is asked for"
        )
    _check_bounds(checker, node, declared, value, what)
    return value


def _check_bounds(checker: Checker, node: Node, declared: Field, value: float, what: str) -> None:
    has = f"has {value:g} entries" if declared.kind == "list" else f"is {value:g}"
    if declared.minimum is not None and value < declared.minimum:
        checker.problem(node.source, f"{what} {has}, the least is {declared.minimum:g}", "type")
    if declared.maximum is not None and value > declared.maximum:
        checker.problem(node.source, f"{what} {has}, the most is {declared.maximum:g}", "type")


def _check_boolean(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    if not isinstance(node.value, bool):
        return checker.expected(node, declared, what, "it is true or false")
    return node.value


def _check_choice(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    value = node.value
    if isinstance(value, bool) or not node.is_scalar or value not in declared.choices:
        choices = [str(choice) for choice in declared.choices]
        one_of = ", ".join(choices[:-1]) + f" or {choices[-1]}" if len(choices) > 1 else choices[0]
        checker.expected(node, declared, what, f"it is {one_of}")
        return declared.default
    return value


def _check_list(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    if not node.is_list:
        return checker.expected(node, declared, what, "a list is asked for, such as [1, 2]")
    _check_bounds(checker, node, declared, len(node.value), what)
    item = declared.item
    assert item is not None
    return tuple(checker.value(child, item, what) for child in node.nodes())


def _check_record(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    if not node.is_mapping:
        names = ", ".join(declared.fields)
        return checker.expected(node, declared, what, f"a mapping is asked for, with {names}")
    return checker.values(node, declared.fields, what)


def _check_reference(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    if not isinstance(node.value, str):
        return checker.expected(node, declared, what, f"a card of {declared.deck} is asked for")
    return Reference(declared.deck, node.value, node.source)


def _check_icon(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    return _check_known(checker, node, declared, what, ("icon", checker.icons))


def _check_colour(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    return _check_known(checker, node, declared, what, ("colour", checker.colours))


def _check_known(
    checker: Checker,
    node: Node,
    declared: Field,
    what: str,
    known: tuple[str, Iterable[str]],
) -> Value:
    noun, names = known
    if not isinstance(node.value, str):
        article = "an" if noun == "icon" else "a"
        return checker.expected(node, declared, what, f"the name of {article} {noun} is asked for")
    if node.value not in set(names):
        hint = did_you_mean(node.value, names)
        checker.problem(node.source, f"{what}: no {noun} '{node.value}'{hint}", "reference")
    return node.value


_CHECKS: dict[str, Callable[[Checker, Node, Field, str], Value]] = {
    "text": _check_text,
    "string": _check_string,
    "integer": _check_number,
    "number": _check_number,
    "boolean": _check_boolean,
    "choice": _check_choice,
    "list": _check_list,
    "record": _check_record,
    "reference": _check_reference,
    "icon": _check_icon,
    "colour": _check_colour,
}


def declare(node: Node, checker: Checker, depth: int = 0) -> dict[str, Field]:
    """The fields of a `fields:` mapping."""
    if not node.is_mapping:
        checker.problem(node.source, f"fields is {node.describe()}; it maps names to types", "type")
        return {}
    return {name: _declare_one(name, child, checker, depth) for name, child in node.items()}


def _declare_one(name: str, node: Node, checker: Checker, depth: int) -> Field:
    kind_node = node.get("type") if node.is_mapping else node
    kind = kind_node.value if kind_node is not None else None
    if not isinstance(kind, str) or kind not in _OPTIONS:
        described = kind_node.describe() if kind_node is not None else "nothing"
        hint = did_you_mean(str(kind), _OPTIONS)
        checker.problem(node.source, f"field '{name}' has the type {described}{hint}", "fields")
        return Field(name, "string", node.source)
    for key, hint in node.unknown(_OPTIONS[kind] | _ALWAYS):
        message = f"field '{name}' of type {kind} takes no '{key}'{hint}"
        checker.problem(node.keys[key], message, "fields")
    base = _with_options(name, kind, node, checker, depth)
    default_node = node.get("default")
    if default_node is None:
        return base
    return Field(**{**base.__dict__, "default": checker.value(default_node, base, f"'{name}'")})


def _with_options(name: str, kind: str, node: Node, checker: Checker, depth: int) -> Field:
    required_node, printed_node = node.get("required"), node.get("printed")
    choices: tuple[str | int | float, ...] = ()
    item: Field | None = None
    fields: dict[str, Field] = {}
    of = node.get("of")
    if kind == "choice":
        choices = tuple(child.value for child in of.nodes() if child.is_scalar) if of else ()
        if not choices:
            checker.problem(node.source, f"field '{name}': a choice needs of: [a, b, …]", "fields")
            choices = ("",)
    if kind == "list":
        item = _declare_one(name, of, checker, depth + 1) if of else None
        item = item or Field(name, "string", node.source)
    if kind == "record":
        inner = node.get("fields")
        fields = declare(inner, checker, depth + 1) if inner else {}
        if not fields:
            checker.problem(node.source, f"field '{name}': a record needs fields: …", "fields")
    to = node.get("to")
    if kind == "reference" and (to is None or not isinstance(to.value, str)):
        checker.problem(node.source, f"field '{name}': a reference needs to: DECK", "fields")
    return Field(
        name=name,
        kind=kind,
        source=node.source,
        required=flag(required_node, "required", checker.problem) is True,
        printed=printed_node is None or flag(printed_node, "printed", checker.problem) is True,
        default=_EMPTY.get(kind),
        choices=choices,
        item=item,
        fields=fields,
        deck=str(to.value) if to else "",
        minimum=_bound(node.get("min"), checker),
        maximum=_bound(node.get("max"), checker),
    )


def _bound(node: Node | None, checker: Checker) -> float | None:
    if node is None:
        return None
    if not is_number(node.value):
        checker.problem(node.source, f"{node.describe()} is not a number", "type")
        return None
    return float(node.value)

"""Declared, typed fields: from `fields:` of a deck to checked values of its pieces.

A declaration is a type's name (`cash: integer`) or a mapping (`{type: integer, min: 1}`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from cardgen.base import schema
from cardgen.base.problems import Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.units import is_number, is_whole
from cardgen.base.yamlnodes import Node, scalar
from cardgen.game.checking import Checker
from cardgen.game.model import Field, Reference, Value
from cardgen.game.reading import flag, known_keys

ALWAYS: Mapping[str, Schema] = {
    "required": schema.said("It may not be left out.", schema.FLAG),
    "default": schema.said("What it is when left out.", schema.FREE),
    "printed": schema.said("false: it is data beside the card, no words for it.", schema.FLAG),
}
_BOUNDS: Mapping[str, Schema] = {"min": schema.number(), "max": schema.number()}
_NAMING = frozenset({"name", "title"})
"""Fields that say what a card is called: keywords in them stay words unless they are asked for."""
LIST_SIGN = ";"
"""What parts the values of a list in a cell of a table."""
_TICKS = frozenset({"x", "✓", "✔", "☑", "yes", "y", "kyllä", "да"})
_NO_TICKS = frozenset({"-", "–", "—", "✗", "✘", "☐", "no", "n", "ei", "нет"})
"""How true and false are written in spreadsheets, beside these words."""


class FieldType:
    """A type of field: what its declaration may say, how a value is checked and read from a cell of
    a table, and what it says of a card on a virtual table. How a value is shown follows from what
    it is: `texts.in_language`, `inventory`."""

    options: ClassVar[Mapping[str, Schema]] = {}
    empty: ClassVar[Value] = None
    """What a field holds that a card leaves out."""
    telling: ClassVar[bool] = False
    """Whether it may tell a card without a name from others."""

    def declared(self, _name: str, _node: Node, _checker: Checker) -> dict[str, Any]:
        """The attributes of a `Field` that its own options give."""
        return {}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        """The value of a node; the default where it is wrong."""
        raise NotImplementedError

    def schema(self, _declared: Field) -> Schema:
        """What a value is, for editors."""
        raise NotImplementedError

    def cell(self, cell: str, _declared: Field, source: Source) -> Node:
        """What a cell that is not empty holds."""
        return Node(scalar(cell), source, raw=cell)

    def tag(self, _name: str, _value: Value) -> str:
        """What the field adds to the words by which things on a table are found; "" for nothing."""
        return ""


class _Text(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {
        "keywords": schema.said("Whether keywords become icons.", schema.FLAG)
    }

    def declared(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        said = flag(node.get("keywords"), "keywords", checker.problem)
        return {"keywords": name not in _NAMING if said is None else said}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        text = checker.text(node, what)
        if not declared.keywords or not checker.keywords.icons:
            return text
        return text.made(
            lambda language, said: checker.keywords.replaced(
                said, replace(checker.subject, language=language)
            )
        )

    def schema(self, _declared: Field) -> Schema:
        return schema.TEXT

    def cell(self, cell: str, _declared: Field, source: Source) -> Node:
        return Node(cell, source)


class _String(FieldType):
    telling = True

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_scalar or node.value is None:
            return checker.expected(node, declared, what, "a word or a text is asked for")
        return node.text

    def schema(self, _declared: Field) -> Schema:
        return schema.WORD

    def cell(self, cell: str, _declared: Field, source: Source) -> Node:
        return Node(cell, source)


class _Number(FieldType):
    options = _BOUNDS
    telling = True
    noun, json = "number", "number"

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not self._is_one(node.value):
            return checker.expected(node, declared, what, f"a {self.noun} is asked for")
        _check_bounds(checker, node, declared, node.value, f"{what} is {node.value:g}")
        return node.value

    def schema(self, declared: Field) -> Schema:
        return schema.number(declared.minimum, declared.maximum, self.json)

    def _is_one(self, value: object) -> bool:
        return is_number(value)


class _Integer(_Number):
    noun, json = "whole number", "integer"

    def _is_one(self, value: object) -> bool:
        return is_whole(value)


class _Boolean(FieldType):
    empty = False

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if node.flag is None:
            return checker.expected(node, declared, what, "it is true or false")
        return node.flag

    def schema(self, _declared: Field) -> Schema:
        return schema.FLAG

    def cell(self, cell: str, _declared: Field, source: Source) -> Node:
        word = cell.lower()
        said = True if word in _TICKS else False if word in _NO_TICKS else scalar(cell)
        return Node(said, source, raw=cell)

    def tag(self, name: str, value: Value) -> str:
        return name if value is True else ""


class _Choice(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"of": schema.listed(schema.WORD, 1)}
    telling = True

    def declared(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        of = node.get("of")
        choices = tuple(child.value for child in of.nodes() if child.is_scalar) if of else ()
        if not choices:
            checker.problem(node.source, f"field '{name}': a choice needs of: [a, b, …]", "fields")
        return {"choices": choices or ("",)}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if node.flag is None and node.is_scalar and node.value in declared.choices:
            return node.value
        *others, last = map(str, declared.choices)
        one_of = f"{', '.join(others)} or {last}" if others else last
        away = declared.source.path != node.source.path
        where = f"; the list stands in {declared.source}" if away else ""
        return checker.expected(node, declared, what, f"it is {one_of}{where}")

    def schema(self, declared: Field) -> Schema:
        return schema.one_of(declared.choices)

    def tag(self, name: str, value: Value) -> str:
        return "" if value is None else f"{name}:{value}"


class _List(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"of": schema.FIELD, **_BOUNDS}
    empty = ()

    def declared(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        of = node.get("of")
        item = _declare_one(name, of, checker) if of else Field(name, "string", node.source)
        return {"item": item}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_list:
            return checker.expected(node, declared, what, "a list is asked for, such as [1, 2]")
        count = len(node.value)
        _check_bounds(checker, node, declared, count, f"{what} has {count:g} entries")
        item = declared.item
        assert item is not None
        return tuple(value(checker, child, item, what) for child in node.nodes())

    def schema(self, declared: Field) -> Schema:
        assert declared.item is not None
        item = TYPES[declared.item.kind].schema(declared.item)
        return schema.listed(item, declared.minimum, declared.maximum)

    def cell(self, cell: str, declared: Field, source: Source) -> Node:
        parts = [part.strip() for part in cell.split(LIST_SIGN) if part.strip()]
        return Node([read_cell(part, declared.item, source) for part in parts], source)


class _Record(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"fields": schema.named(schema.FIELD)}

    def declared(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        inner = node.get("fields")
        fields = declare(inner, checker) if inner else {}
        if not fields:
            checker.problem(node.source, f"field '{name}': a record needs fields: …", "fields")
        return {"fields": fields}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_mapping:
            names = ", ".join(declared.fields)
            return checker.expected(node, declared, what, f"a mapping is asked for, with {names}")
        known_keys(node, declared.fields, what, checker.problem)
        return values(checker, node, declared.fields, what)

    def schema(self, declared: Field) -> Schema:
        return mapping_schema(declared.fields)


class _Reference(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"to": schema.DECK}

    def declared(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        to = node.get("to")
        if to is None or not isinstance(to.value, str):
            checker.problem(node.source, f"field '{name}': a reference needs to: DECK", "fields")
        return {"deck": str(to.value) if to else ""}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            return checker.expected(node, declared, what, f"a card of {declared.deck} is asked for")
        return Reference(declared.deck, node.value, node.source)

    def schema(self, declared: Field) -> Schema:
        return schema.ref(cards_of(declared.deck))


class _Icon(FieldType):
    noun = "icon"

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            article = "an" if self.noun == "icon" else "a"
            asked = f"the name of {article} {self.noun} is asked for"
            return checker.expected(node, declared, what, asked)
        known = self._known(checker)
        if node.value not in known:
            hint = did_you_mean(node.value, known)
            checker.problem(
                node.source, f"{what}: no {self.noun} '{node.value}'{hint}", "reference"
            )
        return node.value

    def _known(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.icons)

    def schema(self, _declared: Field) -> Schema:
        return schema.ref(self.noun)


class _Colour(_Icon):
    noun = "colour"

    def _known(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.colours)


TYPES: Mapping[str, FieldType] = {
    "text": _Text(),
    "string": _String(),
    "integer": _Integer(),
    "number": _Number(),
    "boolean": _Boolean(),
    "choice": _Choice(),
    "list": _List(),
    "record": _Record(),
    "reference": _Reference(),
    "icon": _Icon(),
    "colour": _Colour(),
}
"""By the word that declares them."""


def values(
    checker: Checker, node: Node, fields: Mapping[str, Field], what: str
) -> dict[str, Value]:
    """The value of every field of a mapping; absent ones get their default.

    `what` names a record, "" is the card itself. What keys it may have is `reading.known_keys`.
    """
    within = f" in {what}" if what else ""
    found: dict[str, Value] = {}
    for name, declared in fields.items():
        given = node.get(name)
        if given is not None:
            called = f"'{name}' of {what}" if what else f"'{name}'"
            found[name] = value(checker, given, declared, called)
            continue
        if declared.required:
            checker.problem(node.source, f"'{name}' is missing{within}", "fields")
        found[name] = declared.default
    return found


def value(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    """One value, checked; the field's default where it is wrong."""
    return TYPES[declared.kind].check(checker, node, declared, what)


def cards_of(deck: str) -> str:
    """The name of the schema definition that holds the ids of a deck's cards."""
    return f"card-of-{deck}"


def mapping_schema(
    declared: Mapping[str, Field], more: Mapping[str, Schema] | None = None
) -> Schema:
    """A mapping with a value for each field, and with more keys."""
    keys = {name: TYPES[field.kind].schema(field) for name, field in declared.items()}
    needed = [name for name, field in declared.items() if field.required]
    return schema.mapping({**(more or {}), **keys}, needed)


def read_cell(cell: str, declared: Field | None, source: Source) -> Node:
    """What a cell of a table holds for a field."""
    reader = TYPES[declared.kind].cell if declared else FieldType().cell
    return reader(cell, declared or Field("", "string", source), source)


def _check_bounds(checker: Checker, node: Node, declared: Field, value: float, said: str) -> None:
    if declared.minimum is not None and value < declared.minimum:
        checker.problem(node.source, f"{said}, the least is {declared.minimum:g}", "type")
    if declared.maximum is not None and value > declared.maximum:
        checker.problem(node.source, f"{said}, the most is {declared.maximum:g}", "type")


def declare(node: Node, checker: Checker) -> dict[str, Field]:
    """The fields of a `fields:` mapping."""
    if not node.is_mapping:
        checker.problem(node.source, f"fields is {node.describe()}; it maps names to types", "type")
        return {}
    return {name: _declare_one(name, child, checker) for name, child in node.items()}


def _declare_one(name: str, node: Node, checker: Checker) -> Field:
    kind_node = node.get("type") if node.is_mapping else node
    kind = kind_node.value if kind_node is not None else None
    if not isinstance(kind, str) or kind not in TYPES:
        described = kind_node.describe() if kind_node is not None else "nothing"
        hint = did_you_mean(str(kind), TYPES)
        checker.problem(node.source, f"field '{name}' has the type {described}{hint}", "fields")
        return Field(name, "string", node.source)
    for key, hint in node.unknown({"type", *TYPES[kind].options, *ALWAYS}):
        message = f"field '{name}' of type {kind} takes no '{key}'{hint}"
        checker.problem(node.keys[key], message, "fields")
    printed = node.get("printed")
    base = Field(
        name=name,
        kind=kind,
        source=node.source,
        default=TYPES[kind].empty,
        **TYPES[kind].declared(name, node, checker),
        required=flag(node.get("required"), "required", checker.problem) is True,
        printed=printed is None or flag(printed, "printed", checker.problem) is True,
        minimum=_bound(node.get("min"), checker),
        maximum=_bound(node.get("max"), checker),
    )
    given = node.get("default")
    if given is None:
        return base
    return replace(base, default=value(checker, given, base, f"'{name}'"))


def _bound(node: Node | None, checker: Checker) -> float | None:
    if node is None:
        return None
    if not is_number(node.value):
        checker.problem(node.source, f"{node.describe()} is not a number", "type")
        return None
    return float(node.value)

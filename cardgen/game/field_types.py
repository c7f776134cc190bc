"""Declared, typed fields: from `fields:` of a deck to checked values of its pieces.

A declaration is a type's name (`cash: integer`) or a mapping (`{type: integer, min: 1}`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Source, did_you_mean
from cardgen.core.units import is_integer, is_number
from cardgen.core.yaml_nodes import Node, parse_scalar
from cardgen.game.checker import Checker
from cardgen.game.keys import check_keys, read_flag
from cardgen.game.model import CardReference, Field, Value

COMMON_OPTIONS: Mapping[str, Schema] = {
    "required": json_schema.describe("It may not be left out.", json_schema.BOOLEAN),
    "default": json_schema.describe("What it is when left out.", json_schema.ANYTHING),
    "printed": json_schema.describe(
        "false: it is data beside the card, no words for it.", json_schema.BOOLEAN
    ),
}
_BOUND_OPTIONS: Mapping[str, Schema] = {
    "min": json_schema.allow_number(),
    "max": json_schema.allow_number(),
}
_NAME_FIELDS = frozenset({"name", "title"})
"""Fields that say what a card is called: keywords in them stay words unless they are asked for."""
LIST_SEPARATOR = ";"
"""What parts the values of a list in a cell of a table."""
_TRUE_WORDS = frozenset({"x", "✓", "✔", "☑", "yes", "y", "kyllä", "да"})
_FALSE_WORDS = frozenset({"-", "–", "—", "✗", "✘", "☐", "no", "n", "ei", "нет"})
"""How true and false are written in spreadsheets, beside these words."""


class FieldType:
    """A type of field: what its declaration may say, how a value is checked and read from a cell of
    a table, and what it says of a card on a virtual table. How a value is shown follows from what
    it is: `texts.in_language`, `inventory`."""

    options: ClassVar[Mapping[str, Schema]] = {}
    empty: ClassVar[Value] = None
    """What a field holds that a card leaves out."""
    identifies_card: ClassVar[bool] = False
    """Whether it may tell a card without a name from others."""

    def read_options(self, _name: str, _node: Node, _checker: Checker) -> dict[str, Any]:
        """The attributes of a `Field` that its own options give."""
        return {}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        """The value of a node; the default where it is wrong."""
        raise NotImplementedError

    def schema(self, _declared: Field) -> Schema:
        """What a value is, for editors."""
        raise NotImplementedError

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        """What a cell that is not empty holds."""
        return Node(parse_scalar(cell), source, raw=cell)

    def format_tag(self, _name: str, _value: Value) -> str:
        """What the field adds to the words by which things on a table are found; "" for nothing."""
        return ""


class _TextField(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {
        "keywords": json_schema.describe("Whether keywords become icons.", json_schema.BOOLEAN)
    }

    def read_options(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        said = read_flag(node.get("keywords"), "keywords", checker.report)
        return {"keywords": name not in _NAME_FIELDS if said is None else said}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        text = checker.read_text(node, what)
        if not declared.keywords or not checker.keywords.icons:
            return text
        return text.map_texts(
            lambda language, said: checker.keywords.insert_icons(
                said, replace(checker.subject, language=language)
            )
        )

    def schema(self, _declared: Field) -> Schema:
        return json_schema.TEXT

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        return Node(cell, source)


class _StringField(FieldType):
    identifies_card = True

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_scalar or node.value is None:
            return checker.report_unexpected(node, declared, what, "a word or a text is asked for")
        return node.text

    def schema(self, _declared: Field) -> Schema:
        return json_schema.SCALAR

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        return Node(cell, source)


class _NumberField(FieldType):
    options = _BOUND_OPTIONS
    identifies_card = True
    noun, json = "number", "number"

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not self._is_valid(node.value):
            return checker.report_unexpected(node, declared, what, f"a {self.noun} is asked for")
        check_bounds(checker, node, declared, node.value, f"{what} is {node.value:g}")
        return node.value

    def schema(self, declared: Field) -> Schema:
        return json_schema.allow_number(declared.minimum, declared.maximum, self.json)

    def _is_valid(self, value: object) -> bool:
        return is_number(value)


class _IntegerField(_NumberField):
    noun, json = "whole number", "integer"

    def _is_valid(self, value: object) -> bool:
        return is_integer(value)


class _BooleanField(FieldType):
    empty = False

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if node.boolean is None:
            return checker.report_unexpected(node, declared, what, "it is true or false")
        return node.boolean

    def schema(self, _declared: Field) -> Schema:
        return json_schema.BOOLEAN

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        word = cell.lower()
        said = (
            True if word in _TRUE_WORDS else False if word in _FALSE_WORDS else parse_scalar(cell)
        )
        return Node(said, source, raw=cell)

    def format_tag(self, name: str, value: Value) -> str:
        return name if value is True else ""


class _ChoiceField(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"of": json_schema.allow_list(json_schema.SCALAR, 1)}
    identifies_card = True

    def read_options(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        of = node.get("of")
        choices = tuple(child.value for child in of.list_nodes() if child.is_scalar) if of else ()
        if not choices:
            checker.report(node.source, f"field '{name}': a choice needs of: [a, b, …]", "fields")
        return {"choices": choices or ("",)}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if node.boolean is None and node.is_scalar and node.value in declared.choices:
            return node.value
        *others, last = map(str, declared.choices)
        one_of = f"{', '.join(others)} or {last}" if others else last
        away = declared.source.path != node.source.path
        where = f"; the list stands in {declared.source}" if away else ""
        return checker.report_unexpected(node, declared, what, f"it is {one_of}{where}")

    def schema(self, declared: Field) -> Schema:
        return json_schema.allow_values(declared.choices)

    def format_tag(self, name: str, value: Value) -> str:
        return "" if value is None else f"{name}:{value}"


class _ListField(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"of": json_schema.FIELD, **_BOUND_OPTIONS}
    empty = ()

    def read_options(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        of = node.get("of")
        item = _read_declaration(name, of, checker) if of else Field(name, "string", node.source)
        return {"item": item}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_list:
            return checker.report_unexpected(
                node, declared, what, "a list is asked for, such as [1, 2]"
            )
        count = len(node.value)
        check_bounds(checker, node, declared, count, f"{what} has {count:g} entries")
        item = declared.item
        assert item is not None
        return tuple(read_value(checker, child, item, what) for child in node.list_nodes())

    def schema(self, declared: Field) -> Schema:
        assert declared.item is not None
        item = FIELD_TYPES[declared.item.kind].schema(declared.item)
        return json_schema.allow_list(item, declared.minimum, declared.maximum)

    def parse_cell(self, cell: str, declared: Field, source: Source) -> Node:
        parts = [part.strip() for part in cell.split(LIST_SEPARATOR) if part.strip()]
        return Node([read_cell(part, declared.item, source) for part in parts], source)


class _RecordField(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {
        "fields": json_schema.allow_named_values(json_schema.FIELD)
    }

    def read_options(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        inner = node.get("fields")
        fields = read_declarations(inner, checker) if inner else {}
        if not fields:
            checker.report(node.source, f"field '{name}': a record needs fields: …", "fields")
        return {"fields": fields}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_mapping:
            names = ", ".join(declared.fields)
            return checker.report_unexpected(
                node, declared, what, f"a mapping is asked for, with {names}"
            )
        check_keys(node, declared.fields, what, checker.report)
        return read_values(checker, node, declared.fields, what)

    def schema(self, declared: Field) -> Schema:
        return build_mapping_schema(declared.fields)


class _ReferenceField(FieldType):
    options: ClassVar[Mapping[str, Schema]] = {"to": json_schema.DECK}

    def read_options(self, name: str, node: Node, checker: Checker) -> dict[str, Any]:
        to = node.get("to")
        if to is None or not isinstance(to.value, str):
            checker.report(node.source, f"field '{name}': a reference needs to: DECK", "fields")
        return {"deck": str(to.value) if to else ""}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            return checker.report_unexpected(
                node, declared, what, f"a card of {declared.deck} is asked for"
            )
        return CardReference(declared.deck, node.value, node.source)

    def schema(self, declared: Field) -> Schema:
        return json_schema.refer_to(get_cards_definition(declared.deck))


class _IconField(FieldType):
    noun = "icon"

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            article = "an" if self.noun == "icon" else "a"
            asked = f"the name of {article} {self.noun} is asked for"
            return checker.report_unexpected(node, declared, what, asked)
        known = self._list_names(checker)
        if node.value not in known:
            hint = did_you_mean(node.value, known)
            checker.report(node.source, f"{what}: no {self.noun} '{node.value}'{hint}", "reference")
        return node.value

    def _list_names(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.icons)

    def schema(self, _declared: Field) -> Schema:
        return json_schema.refer_to(self.noun)


class _ColourField(_IconField):
    noun = "colour"

    def _list_names(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.colours)


FIELD_TYPES: Mapping[str, FieldType] = {
    "text": _TextField(),
    "string": _StringField(),
    "integer": _IntegerField(),
    "number": _NumberField(),
    "boolean": _BooleanField(),
    "choice": _ChoiceField(),
    "list": _ListField(),
    "record": _RecordField(),
    "reference": _ReferenceField(),
    "icon": _IconField(),
    "colour": _ColourField(),
}
"""By the word that declares them."""


def read_values(
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
            found[name] = read_value(checker, given, declared, called)
            continue
        if declared.required:
            checker.report(node.source, f"'{name}' is missing{within}", "fields")
        found[name] = declared.default
    return found


def read_value(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    """One value, checked; the field's default where it is wrong."""
    return FIELD_TYPES[declared.kind].check(checker, node, declared, what)


def get_cards_definition(deck: str) -> str:
    """The name of the schema definition that holds the ids of a deck's cards."""
    return f"card-of-{deck}"


def build_mapping_schema(
    declared: Mapping[str, Field], more: Mapping[str, Schema] | None = None
) -> Schema:
    """A mapping with a value for each field, and with more keys."""
    keys = {name: FIELD_TYPES[field.kind].schema(field) for name, field in declared.items()}
    needed = [name for name, field in declared.items() if field.required]
    return json_schema.allow_mapping({**(more or {}), **keys}, needed)


def read_cell(cell: str, declared: Field | None, source: Source) -> Node:
    """What a cell of a table holds for a field."""
    reader = FIELD_TYPES[declared.kind].parse_cell if declared else FieldType().parse_cell
    return reader(cell, declared or Field("", "string", source), source)


def check_bounds(checker: Checker, node: Node, declared: Field, value: float, said: str) -> None:
    if declared.minimum is not None and value < declared.minimum:
        checker.report(node.source, f"{said}, the least is {declared.minimum:g}", "type")
    if declared.maximum is not None and value > declared.maximum:
        checker.report(node.source, f"{said}, the most is {declared.maximum:g}", "type")


def read_declarations(node: Node, checker: Checker) -> dict[str, Field]:
    """The fields of a `fields:` mapping."""
    if not node.is_mapping:
        checker.report(node.source, f"fields is {node.describe()}; it maps names to types", "type")
        return {}
    return {name: _read_declaration(name, child, checker) for name, child in node.items()}


def _read_declaration(name: str, node: Node, checker: Checker) -> Field:
    kind_node = node.get("type") if node.is_mapping else node
    kind = kind_node.value if kind_node is not None else None
    if not isinstance(kind, str) or kind not in FIELD_TYPES:
        described = kind_node.describe() if kind_node is not None else "nothing"
        hint = did_you_mean(str(kind), FIELD_TYPES)
        checker.report(node.source, f"field '{name}' has the type {described}{hint}", "fields")
        return Field(name, "string", node.source)
    for key, hint in node.find_unknown_keys({"type", *FIELD_TYPES[kind].options, *COMMON_OPTIONS}):
        message = f"field '{name}' of type {kind} takes no '{key}'{hint}"
        checker.report(node.keys[key], message, "fields")
    printed = node.get("printed")
    base = Field(
        name=name,
        kind=kind,
        source=node.source,
        default=FIELD_TYPES[kind].empty,
        **FIELD_TYPES[kind].read_options(name, node, checker),
        required=read_flag(node.get("required"), "required", checker.report) is True,
        printed=printed is None or read_flag(printed, "printed", checker.report) is True,
        minimum=_read_bound(node.get("min"), checker),
        maximum=_read_bound(node.get("max"), checker),
    )
    given = node.get("default")
    if given is None:
        return base
    return replace(base, default=read_value(checker, given, base, f"'{name}'"))


def _read_bound(node: Node | None, checker: Checker) -> float | None:
    if node is None:
        return None
    if not is_number(node.value):
        checker.report(node.source, f"{node.describe()} is not a number", "type")
        return None
    return float(node.value)

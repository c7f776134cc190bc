"""The types of fields: declarations under `fields:`, and the checked values of cards.

A declaration is the name of a type (`cash: integer`) or a mapping (`{type: integer, min: 1}`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from cardgen.core import colour_math, json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Source, did_you_mean
from cardgen.core.units import is_integer, is_number
from cardgen.core.yaml_nodes import Node, parse_scalar
from cardgen.game import number_formats
from cardgen.game.checker import Checker
from cardgen.game.keys import Key, check_keys
from cardgen.game.model import CardReference, Field, Value

COMMON_OPTIONS: Mapping[str, Key] = {
    "required": Key.flag("A card must have it.", False),
    "default": Key.node(about="The value of cards that leave it out."),
    "printed": Key.flag("false: it is data for programs, and is not printed.", True),
}
_NUMBER_KEY = Key(
    json_schema.allow_number(),
    lambda node: float(node.value) if is_number(node.value) else None,
    "a number",
)
_BOUND_OPTIONS: Mapping[str, Key] = {"min": _NUMBER_KEY, "max": _NUMBER_KEY}
_NAME_FIELDS = frozenset({"name", "title"})
"""Fields in which keywords stay words by default."""
LIST_SEPARATOR = ";"
"""Separates the values of a list in a cell of a table."""
_TRUE_WORDS = frozenset({
    "1", "x", "✓", "✔", "☑", "yes", "y", "kyllä", "да", "ja", "sí", "oui", "wahr", "tosi", "истина",
    "sant", "vrai", "verdadero",
})  # fmt: skip
_FALSE_WORDS = frozenset({
    "0", "-", "–", "—", "✗", "✘", "☐", "no", "n", "ei", "нет", "nein", "nej", "non", "falsch",
    "epätosi", "ложь", "falskt", "faux", "falso",
})  # fmt: skip
"""Words for true and false in spreadsheets, beside `true` and `false`."""


class FieldType:
    """A type of field: the options of its declaration, and how values are checked, read from a cell
    of a table, and shown on a virtual table."""

    options: ClassVar[Mapping[str, Key]] = {}
    empty: ClassVar[Value] = None
    """The value of cards that leave the field out."""
    identifies_card: ClassVar[bool] = False
    """True if the value may distinguish a card without a name from others."""

    def read_options(
        self, _name: str, _node: Node, _given: Mapping[str, Any], _checker: Checker
    ) -> dict[str, Any]:
        """Return the attributes of a `Field` that the type's own options set."""
        return {}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        """Return the value of a node; the field's default if it is wrong, which is reported."""
        raise NotImplementedError

    def schema(self, _declared: Field) -> Schema:
        """Return the JSON Schema of a value."""
        raise NotImplementedError

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        """Return the node of a cell that is not empty."""
        return Node(parse_scalar(cell), source, raw=cell)

    def format_tag(self, _name: str, _value: Value) -> str:
        """Return the word by which a virtual table finds cards with this value; "" for none."""
        return ""


class _TextField(FieldType):
    options: ClassVar[Mapping[str, Key]] = {"keywords": Key.flag("Print keywords as icons.")}

    def read_options(
        self, name: str, _node: Node, given: Mapping[str, Any], _checker: Checker
    ) -> dict[str, Any]:
        keywords = given["keywords"]
        return {"keywords": name not in _NAME_FIELDS if keywords is None else keywords}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        text = checker.read_text(node, what)
        if not declared.keywords or not checker.keywords.icons:
            return text
        return text.map_texts(
            lambda language, written: checker.keywords.insert_icons(
                written, replace(checker.subject, language=language)
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
            return checker.report_unexpected(node, declared, what, "a word or a text")
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
        value = node.value
        if isinstance(value, str) and node.raw is not None:
            value, why = number_formats.parse_grouped_number(value, checker.languages)
            if why:
                checker.report(node.source, f"{what} is {node.describe()}, which {why}", "type")
                return declared.default
        if not self._is_valid(value):
            return checker.report_unexpected(node, declared, what, f"a {self.noun}")
        _check_bounds(checker, node, declared, value, f"{what} is {value:g}")
        return value

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        if number_formats.is_ambiguous(cell):
            return Node(cell, source, raw=cell)  # `check` knows the languages
        value = parse_scalar(cell)
        number = number_formats.parse_number(cell) if isinstance(value, str) else None
        return Node(number if self._is_valid(number) else value, source, raw=cell)

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
            return checker.report_unexpected(node, declared, what, "true or false")
        return node.boolean

    def schema(self, _declared: Field) -> Schema:
        return json_schema.BOOLEAN

    def parse_cell(self, cell: str, _declared: Field, source: Source) -> Node:
        word = cell.lower()
        value = word in _TRUE_WORDS
        known = value or word in _FALSE_WORDS
        return Node(value if known else parse_scalar(cell), source, raw=cell)

    def format_tag(self, name: str, value: Value) -> str:
        return name if value is True else ""


class _ChoiceField(FieldType):
    options: ClassVar[Mapping[str, Key]] = {
        "of": Key.node(json_schema.allow_list(json_schema.SCALAR, 1))
    }
    identifies_card = True

    def read_options(
        self, name: str, node: Node, given: Mapping[str, Any], checker: Checker
    ) -> dict[str, Any]:
        of = given["of"]
        choices = tuple(child.value for child in of.list_nodes() if child.is_scalar) if of else ()
        if not choices:
            checker.report(node.source, f"field '{name}': a choice needs of: [a, b, …]", "fields")
        return {"choices": choices or ("",)}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if node.boolean is None and node.is_scalar and node.value in declared.choices:
            return node.value
        *others, last = map(str, declared.choices)
        choices = f"{', '.join(others)} or {last}" if others else last
        is_elsewhere = declared.source.path != node.source.path
        where = f", as declared in {declared.source}" if is_elsewhere else ""
        return checker.report_unexpected(node, declared, what, f"{choices}{where}")

    def schema(self, declared: Field) -> Schema:
        return json_schema.allow_values(declared.choices)

    def format_tag(self, name: str, value: Value) -> str:
        return "" if value is None else f"{name}:{value}"


class _ListField(FieldType):
    options: ClassVar[Mapping[str, Key]] = {"of": Key.node(json_schema.FIELD), **_BOUND_OPTIONS}
    empty = ()

    def read_options(
        self, name: str, node: Node, given: Mapping[str, Any], checker: Checker
    ) -> dict[str, Any]:
        of = given["of"]
        item = _read_declaration(name, of, checker) if of else Field(name, "string", node.source)
        return {"item": item}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_list:
            return checker.report_unexpected(node, declared, what, "a list, such as [1, 2]")
        count = len(node.value)
        entries = "1 entry" if count == 1 else f"{count} entries"
        _check_bounds(checker, node, declared, count, f"{what} has {entries}")
        item = declared.item
        assert item is not None
        return tuple(read_value(checker, child, item, what) for child in node.list_nodes())

    def schema(self, declared: Field) -> Schema:
        assert declared.item is not None
        item = FIELD_TYPES[declared.item.kind].schema(declared.item)
        return json_schema.allow_list(item, declared.minimum, declared.maximum)

    def parse_cell(self, cell: str, declared: Field, source: Source) -> Node:
        parts = [part.strip() for part in cell.split(LIST_SEPARATOR) if part.strip()]
        # A comma separates two numbers that are meant to be two entries.
        items = [None if "," in part and is_numeric(declared.item) else declared.item
                 for part in parts]  # fmt: skip
        return Node([read_cell(*pair, source) for pair in zip(parts, items, strict=True)], source)


class _RecordField(FieldType):
    options: ClassVar[Mapping[str, Key]] = {
        "fields": Key.node(json_schema.allow_named_values(json_schema.FIELD))
    }

    def read_options(
        self, name: str, node: Node, given: Mapping[str, Any], checker: Checker
    ) -> dict[str, Any]:
        fields = read_declarations(given["fields"], checker) if given["fields"] else {}
        if not fields:
            checker.report(node.source, f"field '{name}': a record needs fields: …", "fields")
        return {"fields": fields}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not node.is_mapping:
            names = ", ".join(declared.fields)
            return checker.report_unexpected(node, declared, what, f"a mapping with {names}")
        check_keys(node, declared.fields, what, checker.report)
        return read_values(checker, node, declared.fields, what)

    def schema(self, declared: Field) -> Schema:
        return build_mapping_schema(declared.fields)


class _ReferenceField(FieldType):
    options: ClassVar[Mapping[str, Key]] = {"to": Key.node(json_schema.DECK)}

    def read_options(
        self, name: str, node: Node, given: Mapping[str, Any], checker: Checker
    ) -> dict[str, Any]:
        to = given["to"]
        if to is None or not isinstance(to.value, str):
            checker.report(node.source, f"field '{name}': a reference needs to: DECK", "fields")
        return {"deck": to.text if to else ""}

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            expected = f"the id of a card of {declared.deck}"
            return checker.report_unexpected(node, declared, what, expected)
        return CardReference(declared.deck, node.value, node.source)

    def schema(self, declared: Field) -> Schema:
        return json_schema.refer_to(get_cards_definition(declared.deck))


class _IconField(FieldType):
    noun, article = "icon", "an"
    written_hint = ""

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        if not isinstance(node.value, str):
            expected = f"the name of {self.article} {self.noun}"
            return checker.report_unexpected(node, declared, what, expected)
        known = self._list_names(checker)
        if node.value not in known:
            message = f"{what}: there is no {self.noun} '{node.value}'"
            hint = did_you_mean(node.value, known)
            hint += "" if "did you mean" in hint else self.written_hint
            checker.report(node.source, message + hint, "reference")
        return node.value

    def _list_names(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.icons)

    def schema(self, _declared: Field) -> Schema:
        return json_schema.refer_to(self.noun)


class _ColourField(_IconField):
    noun, article = "colour", "a"

    written_hint = "; a colour is also written #rrggbb"

    def check(self, checker: Checker, node: Node, declared: Field, what: str) -> Value:
        written = colour_math.parse_hex(node.value) if isinstance(node.value, str) else ""
        if written or not isinstance(node.value, str) or node.value in self._list_names(checker):
            return written or super().check(checker, node, declared, what)
        super().check(checker, node, declared, what)
        return None  # so that no template asks for a colour that there is not

    def _list_names(self, checker: Checker) -> frozenset[str]:
        return frozenset(checker.colours)

    def schema(self, _declared: Field) -> Schema:
        return {"anyOf": [json_schema.COLOUR, json_schema.allow_pattern(colour_math.HEX_PATTERN)]}


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
"""Field types by the names that declare them."""


def read_values(
    checker: Checker, node: Node, fields: Mapping[str, Field], what: str
) -> dict[str, Value]:
    """Return the value of every field of a mapping, or its default.

    `what` names the record in messages, "" is the card itself. Unknown keys are left to the caller.
    """
    within = f" in {what}" if what else ""
    values: dict[str, Value] = {}
    for name, declared in fields.items():
        given = node.get(name)
        if given is not None:
            title = f"'{name}' of {what}" if what else f"'{name}'"
            values[name] = read_value(checker, given, declared, title)
            continue
        if declared.required:
            checker.report(node.source, f"'{name}' is missing{within}", "fields")
        values[name] = declared.default
    return values


def read_value(checker: Checker, node: Node, declared: Field, what: str) -> Value:
    """Return the value of a node; the field's default if it is wrong, which is reported."""
    return FIELD_TYPES[declared.kind].check(checker, node, declared, what)


def get_cards_definition(deck: str) -> str:
    """Return the name of the schema definition that holds the ids of a deck's cards."""
    return f"card-of-{deck}"


def build_mapping_schema(
    fields: Mapping[str, Field], more: Mapping[str, Schema] | None = None
) -> Schema:
    """Return the schema of a mapping with a value for each field, and with more keys."""
    keys = {name: FIELD_TYPES[field.kind].schema(field) for name, field in fields.items()}
    required = [name for name, field in fields.items() if field.required]
    return json_schema.allow_mapping({**(more or {}), **keys}, required)


def is_numeric(declared: Field | None) -> bool:
    """Return whether the values of a field are numbers."""
    return declared is not None and isinstance(FIELD_TYPES[declared.kind], _NumberField)


def read_cell(cell: str, declared: Field | None, source: Source) -> Node:
    """Return the node of a table's cell; without a field, as YAML reads the cell."""
    field_type = FIELD_TYPES[declared.kind] if declared else FieldType()
    return field_type.parse_cell(cell, declared or Field("", "string", source), source)


def _check_bounds(
    checker: Checker, node: Node, declared: Field, value: float, subject: str
) -> None:
    if declared.minimum is not None and value < declared.minimum:
        message = f"{subject}; it must be at least {declared.minimum:g}"
        checker.report(node.source, message, "type")
    if declared.maximum is not None and value > declared.maximum:
        message = f"{subject}; it must be at most {declared.maximum:g}"
        checker.report(node.source, message, "type")


def read_declarations(node: Node, checker: Checker) -> dict[str, Field]:
    """Return the fields that a `fields:` mapping declares."""
    if not node.is_mapping:
        message = f"fields is {node.describe()}; expected a mapping, NAME: TYPE"
        checker.report(node.source, message, "type")
    return {name: _read_declaration(name, child, checker) for name, child in node.items()}


def _read_declaration(name: str, node: Node, checker: Checker) -> Field:
    kind_node = node.get("type") if node.is_mapping else node
    kind = kind_node.value if kind_node is not None else None
    if not isinstance(kind, str) or kind not in FIELD_TYPES:
        found = kind_node.describe() if kind_node is not None else "nothing"
        hint = did_you_mean(str(kind), FIELD_TYPES)
        if kind in ("image", "picture", "file"):
            hint = "; for the name of a picture's file write string"
        checker.report(node.source, f"field '{name}' has the type {found}{hint}", "fields")
        # Read as the text that it may be, so that its markup is not reported, too.
        meant = "text" if "'text'" in hint else "string"
        return Field(name, meant, node.source, default=FIELD_TYPES[meant].empty)
    field_type = FIELD_TYPES[kind]
    options = {**field_type.options, **COMMON_OPTIONS}
    for key, hint in node.find_unknown_keys({"type", *options}):
        message = f"field '{name}' of type {kind} has no option '{key}'{hint}"
        checker.report(node.keys[key], message, "fields")
    given = {
        key: option.read(node.get(key), key, checker.report) for key, option in options.items()
    }
    declared = Field(
        name=name,
        kind=kind,
        source=node.source,
        default=field_type.empty,
        **field_type.read_options(name, node, given, checker),
        required=given["required"],
        printed=given["printed"],
        minimum=given.get("min"),
        maximum=given.get("max"),
    )
    default = given["default"]
    if default is None:
        return declared
    return replace(declared, default=read_value(checker, default, declared, f"'{name}'"))

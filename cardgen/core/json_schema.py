"""JSON: a parser with readable errors, and builders for JSON Schema (draft 7).

Modules that read a file declare the schema of its keys here; `pipeline` assembles them for
editors. Names that only a game knows, such as its cards and icons, are references to
definitions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any


class InvalidJsonError(ValueError):
    """Invalid JSON. The message says why; `line` is 0 if unknown."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


def parse_json(data: str | bytes) -> Any:
    """Return the value of a JSON text, with or without a byte order mark.

    Raises `InvalidJsonError`.
    """
    try:
        text = data.decode(json.detect_encoding(data)) if isinstance(data, bytes) else data
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise InvalidJsonError(f"not JSON: {error.msg}", error.lineno) from None
    except UnicodeDecodeError:
        raise InvalidJsonError("not UTF-8") from None
    except RecursionError:
        raise InvalidJsonError("nested too deep") from None
    except ValueError:  # Python parses integers of at most 4,300 digits
        raise InvalidJsonError("a number of more than 4,300 digits is in it") from None


Schema = Mapping[str, Any]

SCALAR: Schema = {"type": ["string", "number", "boolean"]}
"""Any YAML value that can be read as text. YAML reads some texts as numbers or booleans."""
EXPRESSION = SCALAR
BOOLEAN: Schema = {"type": "boolean"}
OBJECT: Schema = {"type": "object"}
STRING: Schema = {"type": "string"}
ANYTHING: Schema = {}
_DEFINITIONS_PREFIX = "#/definitions/"


def refer_to(name: str) -> Schema:
    """Return a reference to the game's definition of that name."""
    return {"$ref": f"{_DEFINITIONS_PREFIX}{name}"}


TEXT, LANGUAGE, ICON, COLOUR = (refer_to(name) for name in ("text", "language", "icon", "colour"))
"""Definitions that each game fills in."""
DECK, LIKE, TEMPLATE, STYLE, FIELD = (
    refer_to(name) for name in ("deck", "like", "template", "style", "field")
)
FONT, LOOK, LOOK_STYLE, PICTURE = map(refer_to, ("font", "look", "look-style", "picture"))
"""Definitions that each game fills in."""


def describe(description: str, schema: Schema) -> Schema:
    """Return a schema with a description, which an editor shows. Without one, the schema itself."""
    if not description:
        return schema
    if "$ref" in schema:  # draft 7 ignores keys beside $ref
        return {"description": description, "allOf": [schema]}
    return {"description": description, **schema}


def allow_values(values: Iterable[Any]) -> Schema:
    """Return a schema for one of a few values."""
    known = list(values)
    return {"enum": known} if known else {"not": {}}


def allow_number(
    least: float | None = None, most: float | None = None, kind: str = "number"
) -> Schema:
    """Return a schema for a number within optional bounds."""
    bounds = {"minimum": least, "maximum": most}
    return {"type": kind, **{key: bound for key, bound in bounds.items() if bound is not None}}


def allow_integer(least: float | None = None, most: float | None = None) -> Schema:
    """Return a schema for an integer within optional bounds."""
    return allow_number(least, most, "integer")


def allow_pattern(pattern: re.Pattern[str]) -> Schema:
    """Return a schema for a text that the pattern matches from its beginning."""
    return {"type": "string", "pattern": "^" + pattern.pattern.replace(r"\Z", "$")}


def allow_list(item: Schema, least: float | None = None, most: float | None = None) -> Schema:
    """Return a schema for a list, with optional limits of its length."""
    bounds = {"minItems": least, "maxItems": most}
    limits = {key: int(bound) for key, bound in bounds.items() if bound is not None}
    return {"type": "array", "items": item, **limits}


def allow_mapping(keys: Mapping[str, Schema], required: Collection[str] = ()) -> Schema:
    """Return a schema for a mapping with these keys and no others."""
    schema_: Schema = {"type": "object", "properties": dict(keys), "additionalProperties": False}
    return {**schema_, "required": sorted(required)} if required else schema_


def allow_named_values(value: Schema, name: Schema | None = None) -> Schema:
    """Return a schema for a mapping from free names to values of one schema."""
    schema_: Schema = {"type": "object", "additionalProperties": value}
    return {**schema_, "propertyNames": name} if name else schema_


def allow_either(*schemas: Schema) -> Schema:
    """Return a schema for a value that matches any of the schemas."""
    return {"anyOf": list(schemas)}


def allow_one_or_list(item: Schema) -> Schema:
    """Return a schema for a list, or for one value without brackets."""
    return allow_either(item, allow_list(item))


def find_references(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions a schema refers to."""
    if isinstance(schema, Mapping):
        found = schema.get("$ref")
        if isinstance(found, str):
            yield found.removeprefix(_DEFINITIONS_PREFIX)
        schema = list(schema.values())
    if isinstance(schema, list):
        for each in schema:
            yield from find_references(each)

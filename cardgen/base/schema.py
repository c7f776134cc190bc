"""What keys of a game's files hold, as JSON Schema (draft 7): fragments, and what makes them.

Whoever reads a file says what its keys hold beside their names; `schemas` puts it together for
editors. Names that only a game knows, such as its cards and icons, are references to definitions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

WORD: Schema = {"type": ["string", "number", "boolean"]}
"""Whatever can be read as a text: what looks like a number or a truth in YAML is one, too."""
EXPRESSION = WORD
FLAG: Schema = {"type": "boolean"}
FREE: Schema = {}
_HERE = "#/definitions/"


def ref(name: str) -> Schema:
    """What the game's definition of that name says."""
    return {"$ref": f"{_HERE}{name}"}


TEXT, LANGUAGE, ICON, COLOUR = (ref(name) for name in ("text", "language", "icon", "colour"))
DECK, LIKE, TEMPLATE, STYLE, FIELD = (
    ref(name) for name in ("deck", "like", "template", "style", "field")
)
"""What games define."""


def said(description: str, schema: Schema) -> Schema:
    """The same, with what an editor shows beside it."""
    if "$ref" in schema:  # beside which nothing counts
        return {"description": description, "allOf": [schema]}
    return {"description": description, **schema}


def one_of(values: Iterable[Any]) -> Schema:
    """One of a few values."""
    known = list(values)
    return {"enum": known} if known else {"not": {}}


def number(least: float | None = None, most: float | None = None, kind: str = "number") -> Schema:
    """A number within bounds."""
    bounds = {"minimum": least, "maximum": most}
    return {"type": kind, **{key: bound for key, bound in bounds.items() if bound is not None}}


def whole(least: float | None = None, most: float | None = None) -> Schema:
    """A whole number within bounds."""
    return number(least, most, "integer")


def like(pattern: re.Pattern[str]) -> Schema:
    """A text that a pattern matches from its beginning."""
    return {"type": "string", "pattern": "^" + pattern.pattern.replace(r"\Z", "$")}


def listed(item: Schema, least: float | None = None, most: float | None = None) -> Schema:
    """A list."""
    bounds = {"minItems": least, "maxItems": most}
    kept = {key: int(bound) for key, bound in bounds.items() if bound is not None}
    return {"type": "array", "items": item, **kept}


def mapping(keys: Mapping[str, Schema], needed: Collection[str] = ()) -> Schema:
    """A mapping with these keys and no others."""
    made: Schema = {"type": "object", "properties": dict(keys), "additionalProperties": False}
    return {**made, "required": sorted(needed)} if needed else made


def named(value: Schema, name: Schema | None = None) -> Schema:
    """A mapping of names to values of one kind."""
    made: Schema = {"type": "object", "additionalProperties": value}
    return {**made, "propertyNames": name} if name else made


def either(*schemas: Schema) -> Schema:
    """What one of them allows."""
    return {"anyOf": list(schemas)}


def several(item: Schema) -> Schema:
    """A list, or one value without brackets."""
    return either(item, listed(item))


def references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, Mapping):
        found = schema.get("$ref")
        if isinstance(found, str):
            yield found.removeprefix(_HERE)
        schema = list(schema.values())
    if isinstance(schema, list):
        for each in schema:
            yield from references(each)

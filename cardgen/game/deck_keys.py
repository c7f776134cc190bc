"""What may stand in a deck file, and what each key holds: for its reader and for editors."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.units import CARD_SIZES, DIMENSIONS_PATTERN, MAX_NAME_LENGTH
from cardgen.game import card_tables
from cardgen.game.card_ids import ID
from cardgen.game.field_types import COMMON_OPTIONS, FIELD_TYPES, build_mapping_schema
from cardgen.game.model import FITS, Field
from cardgen.game.shapes import SHAPES
from cardgen.looks import look_catalogue

MAX_BLEED_MM, MAX_GAP_MM = 20.0, 50.0
SIDE_KEYS: Mapping[str, Schema] = {
    "front": json_schema.describe("A template under templates/.", json_schema.TEMPLATE),
    "back": json_schema.describe("A template under templates/.", json_schema.TEMPLATE),
}
"""Of a deck, and of a card that has its own."""
SHARED_KEYS: Mapping[str, Schema] = {
    "size": json_schema.describe(
        "A name, a name and landscape, or measures in mm: 63.5 x 88.9.",
        json_schema.allow_either(
            json_schema.allow_values([*CARD_SIZES, *(f"{name} landscape" for name in CARD_SIZES)]),
            json_schema.allow_pattern(DIMENSIONS_PATTERN),
        ),
    ),
    "shape": json_schema.allow_values(SHAPES),
    "bleed": json_schema.describe(
        "How far colour runs past the cut, in mm.", json_schema.allow_number(0, MAX_BLEED_MM)
    ),
    "safe": json_schema.describe(
        "How far text keeps from the cut, in mm.", json_schema.allow_number(0)
    ),
    "corner": json_schema.describe(
        "The radius of the corners, in mm.", json_schema.allow_number(0)
    ),
    "gap": json_schema.describe(
        "Room between two pieces on a sheet, in mm.", json_schema.allow_number(0, MAX_GAP_MM)
    ),
    "fit": json_schema.describe(
        "How it becomes a shop's size nearby.", json_schema.allow_values(FITS)
    ),
    **SIDE_KEYS,
    "backs_apart": json_schema.describe("Print backs on sheets of their own.", json_schema.BOOLEAN),
    "look": json_schema.describe(
        "A design that comes with cardgen.", json_schema.allow_values(look_catalogue.list_looks())
    ),
    "places": json_schema.describe(
        "PLACE: FIELD, where fields stand in the look.", {"type": "object"}
    ),
    "styles": json_schema.describe(
        "CSS files under templates/; later ones win.", json_schema.allow_list(json_schema.STYLE)
    ),
    "constants": json_schema.describe("For templates: deck.constants.name.", {"type": "object"}),
    "fields": json_schema.describe(
        "What its cards hold.", json_schema.allow_named_values(json_schema.FIELD)
    ),
}
_NAME_SCHEMA: Schema = {**json_schema.allow_pattern(ID), "maxLength": MAX_NAME_LENGTH}
_LIKE_SCHEMA: Schema = json_schema.describe(
    "The deck or kind that the rest is taken from.", json_schema.LIKE
)
KIND_KEYS: Mapping[str, Schema] = {"kind": _NAME_SCHEMA, "like": _LIKE_SCHEMA}
DECK_KEYS: Mapping[str, Schema] = {
    "deck": _NAME_SCHEMA,
    "title": json_schema.TEXT,
    "like": _LIKE_SCHEMA,
    "cards": {},
    "rows": json_schema.describe("Tables in cards/ with more cards.", card_tables.ROWS_SCHEMA),
    "columns": json_schema.describe(
        "Columns that are called otherwise than fields.", card_tables.COLUMNS_SCHEMA
    ),
    "for_each": json_schema.allow_values(["player"]),
    "order": json_schema.describe(
        "With for_each: all pieces of one player before the next one's.",
        json_schema.allow_values(["player"]),
    ),
}
MAX_COPIES = 1000
CARD_KEYS: Mapping[str, Schema] = {
    "id": {**_NAME_SCHEMA, "type": ["string", "integer", "null"]},
    "copies": json_schema.allow_integer(0, MAX_COPIES),
}


def build_kind_schema() -> Schema:
    """What a file holds whose keys decks share."""
    return json_schema.allow_mapping({**KIND_KEYS, **SHARED_KEYS}, ["kind"])


def build_deck_schema(declared: Mapping[str, Field] | None) -> Schema:
    """What a deck's file holds, by the fields that it declares or takes over; of a deck that could
    not be read, any."""
    card = {} if declared is None else build_mapping_schema(declared, {**SIDE_KEYS, **CARD_KEYS})
    keys = {**DECK_KEYS, "cards": json_schema.allow_list(card), **SHARED_KEYS}
    return json_schema.allow_mapping(keys, ["deck", "title"])


def _build_field_schema() -> Schema:
    """What declares a field: a type's name, or a mapping with the options that the type takes."""
    types = json_schema.describe("What it holds.", json_schema.allow_values(FIELD_TYPES))
    options = {key: json_schema.ANYTHING for kind in FIELD_TYPES.values() for key in kind.options}
    whole = json_schema.allow_mapping({"type": types, **options, **COMMON_OPTIONS}, ["type"])
    of_types = [
        {
            "if": {"properties": {"type": {"const": name}}},
            "then": json_schema.allow_mapping(
                {"type": json_schema.ANYTHING, **kind.options, **COMMON_OPTIONS}
            ),
        }
        for name, kind in FIELD_TYPES.items()
    ]
    return json_schema.allow_either(types, {**whole, "allOf": of_types})


FIELD_DEFINITIONS: Mapping[str, Schema] = {"field": _build_field_schema()}

"""What may stand in a deck file, and what each key holds: for its reader and for editors."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.base import schema
from cardgen.base.schema import Schema
from cardgen.base.units import CARD_SIZES, MEASURES, MOST_SIGNS
from cardgen.game import tables
from cardgen.game.fields import ALWAYS, TYPES, mapping_schema
from cardgen.game.ids import ID
from cardgen.game.looks import catalogue
from cardgen.game.model import FITS, Field
from cardgen.game.shapes import SHAPES

MOST_BLEED, MOST_GAP = 20.0, 50.0
SIDES: Mapping[str, Schema] = {
    "front": schema.said("A template under templates/.", schema.TEMPLATE),
    "back": schema.said("A template under templates/.", schema.TEMPLATE),
}
"""Of a deck, and of a card that has its own."""
SHARED: Mapping[str, Schema] = {
    "size": schema.said(
        "A name, a name and landscape, or measures in mm: 63.5 x 88.9.",
        schema.either(
            schema.one_of([*CARD_SIZES, *(f"{name} landscape" for name in CARD_SIZES)]),
            schema.like(MEASURES),
        ),
    ),
    "shape": schema.one_of(SHAPES),
    "bleed": schema.said("How far colour runs past the cut, in mm.", schema.number(0, MOST_BLEED)),
    "safe": schema.said("How far text keeps from the cut, in mm.", schema.number(0)),
    "corner": schema.said("The radius of the corners, in mm.", schema.number(0)),
    "gap": schema.said("Room between two pieces on a sheet, in mm.", schema.number(0, MOST_GAP)),
    "fit": schema.said("How it becomes a shop's size nearby.", schema.one_of(FITS)),
    **SIDES,
    "backs_apart": schema.said("Print backs on sheets of their own.", schema.FLAG),
    "look": schema.said("A design that comes with cardgen.", schema.one_of(catalogue.names())),
    "places": schema.said("PLACE: FIELD, where fields stand in the look.", {"type": "object"}),
    "styles": schema.said(
        "CSS files under templates/; later ones win.", schema.listed(schema.STYLE)
    ),
    "constants": schema.said("For templates: deck.constants.name.", {"type": "object"}),
    "fields": schema.said("What its cards hold.", schema.named(schema.FIELD)),
}
_NAME: Schema = {**schema.like(ID), "maxLength": MOST_SIGNS}
_LIKE: Schema = schema.said("The deck or kind that the rest is taken from.", schema.LIKE)
OF_KINDS: Mapping[str, Schema] = {"kind": _NAME, "like": _LIKE}
OF_DECKS: Mapping[str, Schema] = {
    "deck": _NAME,
    "title": schema.TEXT,
    "like": _LIKE,
    "cards": {},
    "rows": schema.said("Tables in cards/ with more cards.", tables.ROWS),
    "columns": schema.said("Columns that are called otherwise than fields.", tables.COLUMNS),
    "for_each": schema.one_of(["player"]),
    "order": schema.said(
        "With for_each: all pieces of one player before the next one's.", schema.one_of(["player"])
    ),
}
MAX_COPIES = 1000
RESERVED: Mapping[str, Schema] = {
    "id": {**_NAME, "type": ["string", "integer", "null"]},
    "copies": schema.whole(0, MAX_COPIES),
}


def kind_schema() -> Schema:
    """What a file holds whose keys decks share."""
    return schema.mapping({**OF_KINDS, **SHARED}, ["kind"])


def deck_schema(declared: Mapping[str, Field] | None) -> Schema:
    """What a deck's file holds, by the fields that it declares or takes over; of a deck that could
    not be read, any."""
    card = {} if declared is None else mapping_schema(declared, {**SIDES, **RESERVED})
    keys = {**OF_DECKS, "cards": schema.listed(card), **SHARED}
    return schema.mapping(keys, ["deck", "title"])


def _declaration() -> Schema:
    """What declares a field: a type's name, or a mapping with the options that the type takes."""
    types = schema.said("What it holds.", schema.one_of(TYPES))
    options = {key: schema.FREE for kind in TYPES.values() for key in kind.options}
    whole = schema.mapping({"type": types, **options, **ALWAYS}, ["type"])
    of_types = [
        {
            "if": {"properties": {"type": {"const": name}}},
            "then": schema.mapping({"type": schema.FREE, **kind.options, **ALWAYS}),
        }
        for name, kind in TYPES.items()
    ]
    return schema.either(types, {**whole, "allOf": of_types})


DEFINITIONS: Mapping[str, Schema] = {"field": _declaration()}

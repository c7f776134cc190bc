"""Tables of the keys of deck files and cards, and the JSON Schemas made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.units import (
    CARD_SIZES,
    DIMENSIONS_PATTERN,
    MAX_NAME_LENGTH,
    Size,
    parse_gap,
    parse_size,
)
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_tables, deck_style
from cardgen.game.card_ids import ID
from cardgen.game.field_types import COMMON_OPTIONS, FIELD_TYPES, build_mapping_schema
from cardgen.game.keys import Key, build_schema
from cardgen.game.model import FITS, Field
from cardgen.game.shapes import SHAPES
from cardgen.looks.look_catalogue import Look

MAX_BLEED_MM, MAX_GAP_MM = 20.0, 50.0
GAP_FORM = f"a length from 0 to {MAX_GAP_MM:g} mm, or two, across and down, such as 4x0"
MAX_COPIES = 1000
_MIN_PIECE_MM, _MAX_PIECE_MM = 5.0, 1200.0


def _parse_piece_size(node: Node) -> Size | None:
    size = parse_size(str(node.value), CARD_SIZES)
    return size if size is not None and is_valid_size(size) else None


def is_valid_size(size: Size) -> bool:
    """Return whether a piece may have a size."""
    least, most = sorted((size.width, size.height))
    return _MIN_PIECE_MM <= least <= most <= _MAX_PIECE_MM


SIZE_KEY = Key(
    json_schema.describe(
        "A name, a name and landscape, or a size in mm: 63.5 x 88.9.",
        json_schema.allow_either(
            json_schema.allow_values([*CARD_SIZES, *(f"{name} landscape" for name in CARD_SIZES)]),
            json_schema.allow_pattern(DIMENSIONS_PATTERN),
        ),
    ),
    _parse_piece_size,
    f"a size from {_MIN_PIECE_MM:g} to {_MAX_PIECE_MM:g} mm, such as 63.5 x 88.9, or a name, such "
    "as poker",
    choices=CARD_SIZES, kind="size",
)  # fmt: skip
PICTURE_PREFIX = "@pictures/"
"""Prefix of the names of templates that are a picture of art/ and nothing else."""
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".svg", ".gif", ".tif", ".tiff")


def _make_side_key() -> Key:
    """Return a key with the name of a template, or of a picture that covers the side."""
    schema = json_schema.allow_either(json_schema.TEMPLATE, json_schema.PICTURE)
    key = Key.file_name(schema, "A picture that covers the side, or a template in templates/.")

    def parse(node: Node) -> str | None:
        name = key.parse(node) if key.parse else None
        is_picture = name and name.lower().endswith(PICTURE_SUFFIXES)
        return f"{PICTURE_PREFIX}{name}.html" if is_picture else name

    return replace(key, parse=parse)


SIDE_KEYS: Mapping[str, Key] = {"front": _make_side_key(), "back": _make_side_key()}
"""Keys of a deck, and of a card that has its own templates."""
GAP_KEY = Key(
    json_schema.describe(
        "Room between two pieces on a sheet, in mm: 4, or 4x0 for none between rows.",
        json_schema.allow_either(
            json_schema.allow_number(0, MAX_GAP_MM), json_schema.allow_pattern(DIMENSIONS_PATTERN)
        ),
    ),
    lambda node: parse_gap(node.text, MAX_GAP_MM) if node.is_scalar else None,
    GAP_FORM, kind="size",
)  # fmt: skip
SHARED_KEYS: Mapping[str, Key] = {
    "size": SIZE_KEY,
    "shape": Key.choice(SHAPES, default=SHAPES[0]),
    "bleed": Key.number(0, MAX_BLEED_MM, "How far colour runs past the cut, in mm.", 3.0),
    "safe": Key.node(json_schema.allow_number(0), "How far text keeps from the cut, in mm."),
    "corner": Key.node(json_schema.allow_number(0), "The radius of the corners, in mm."),
    "gap": GAP_KEY,
    "fit": Key.choice(FITS, "How a shop's size that differs a little is filled."),
    "products": Key.mapping(
        json_schema.allow_named_values(json_schema.STRING),
        "SHOP: PRODUCT, where a shop has several of this size.",
        "{tgc: FoilPokerDeck}",
    ),
    **SIDE_KEYS,
    "backs_apart": Key.flag("Print backs on sheets of their own.", False),
    "look": Key.node(json_schema.LOOK, "A design: one of cardgen, or a folder below looks/."),
    "places": Key.node(json_schema.OBJECT, "PLACE: FIELD, where fields stand in the look."),
    "style": Key.node(json_schema.ANYTHING, "Fonts, colours and choices of the look."),
    "styles": Key.sequence(json_schema.STYLE, "CSS files in templates/; later ones win."),
    "constants": Key.mapping(about="For templates: deck.constants.name."),
    "fields": Key.node(json_schema.allow_named_values(json_schema.FIELD), "What its cards hold."),
}
"""Keys that a deck may take from another deck or from a kind."""
_NAME_SCHEMA: Schema = {**json_schema.allow_pattern(ID), "maxLength": MAX_NAME_LENGTH}
_LIKE_KEY = Key.node(json_schema.LIKE, "The deck or kind that the rest is taken from.")
KIND_KEYS: Mapping[str, Key] = {"kind": Key.node(_NAME_SCHEMA, required=True), "like": _LIKE_KEY}
DECK_KEYS: Mapping[str, Key] = {
    "deck": Key.node(_NAME_SCHEMA, required=True),
    "title": Key.node(json_schema.TEXT, required=True),
    "like": _LIKE_KEY,
    "cards": Key.sequence(
        {}, expected="a list, each card with '- id: …'; cards of a table are named by rows: FILE"
    ),
    "rows": Key.node(card_tables.ROWS_SCHEMA, "Tables in cards/ with more cards."),
    "columns": Key.node(card_tables.COLUMNS_SCHEMA, "Columns with other names than fields."),
    "for_each": Key.choice(["player"], default=None),
    "order": Key.choice(
        ["player"], "With for_each: all pieces of one player before the next one's.", None
    ),
}
CARD_KEYS: Mapping[str, Key] = {
    "id": Key.node({**_NAME_SCHEMA, "type": ["string", "integer", "null"]}),
    "copies": Key.integer(0, MAX_COPIES, default=1),
}
"""Keys of every card, beside the fields of its deck."""


def build_kind_schema() -> Schema:
    """Return the schema of a file whose keys decks share."""
    style = Key.node(deck_style.build_style_schema(None))
    return build_schema({**KIND_KEYS, **SHARED_KEYS, "style": style})


def build_deck_schema(fields: Mapping[str, Field] | None, look: Look | None = None) -> Schema:
    """Return the schema of a deck file with these fields and look; None allows any."""
    more = {name: key.schema for name, key in {**SIDE_KEYS, **CARD_KEYS}.items()}
    card = {} if fields is None else build_mapping_schema(fields, more)
    style = Key.node(deck_style.build_style_schema(look))
    return build_schema({**DECK_KEYS, "cards": Key.sequence(card), **SHARED_KEYS, "style": style})


def _build_field_schema() -> Schema:
    """Return the schema of a declared field: the name of a type, or a mapping with its options."""
    types = json_schema.describe("What it holds.", json_schema.allow_values(FIELD_TYPES))
    options = {name: Key.node() for kind in FIELD_TYPES.values() for name in kind.options}
    any_type = build_schema({"type": Key.node(types, required=True), **options, **COMMON_OPTIONS})
    of_types = [
        {
            "if": {"properties": {"type": {"const": name}}},
            "then": build_schema({"type": Key.node(), **kind.options, **COMMON_OPTIONS}),
        }
        for name, kind in FIELD_TYPES.items()
    ]
    return json_schema.allow_either(types, {**any_type, "allOf": of_types})


FIELD_DEFINITIONS: Mapping[str, Schema] = {"field": _build_field_schema()}

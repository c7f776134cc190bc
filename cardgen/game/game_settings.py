"""Settings of game.yaml that variants may replace: colours, words, facts, and print settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cardgen.core import json_schema
from cardgen.core.units import (
    DIMENSIONS_PATTERN,
    PAPERS,
    Margins,
    is_number,
    parse_grid,
    parse_margins,
    parse_paper,
)
from cardgen.core.yaml_nodes import Node
from cardgen.game import plural_forms
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import GAP_KEY
from cardgen.game.keys import Key, build_schema, check_keys, read_keys
from cardgen.game.model import (
    BACKS,
    COVER_FACTS,
    DEFAULT_EDITIONS,
    FITS,
    MARKS,
    RULEBOOK_EDITIONS,
    PrintDefaults,
    Text,
    Value,
)

RENDERING_INTENTS = ("perceptual", "relative", "saturation", "absolute")
MIN_INK_PERCENT, MAX_INK_PERCENT = 200, 400
MAX_SPOT_INKS = 8
_OWN_WORDS = ("book_", "icon_")
"""Beginnings of words that cardgen itself prints."""
WORD_SCHEMA = json_schema.allow_either(
    json_schema.TEXT,
    json_schema.allow_mapping(dict.fromkeys(plural_forms.PLURAL_CATEGORIES, json_schema.TEXT)),
)
MAX_MARGIN_MM = 50.0
MARGIN_FORM = f"a length from 0 to {MAX_MARGIN_MM:g} mm, or top, right, bottom and left: 10,5,5,5"
GRID_FORM = "columns and rows, such as 2x3"
FALLBACK_COLOUR = "#808080"
"""Replaces a colour that cannot be read, so that it is reported once."""
NAME_PATTERN = re.compile(r"[a-z][a-z0-9-]*\Z")
COLOUR_PATTERN = re.compile(r"#[0-9a-f]{6}\Z")
DEFAULT_PRINT = PrintDefaults()
COLOUR_KEY = Key.word(
    '"#rrggbb", in quotes', '#rrggbb in quotes, such as "#1a2b3c"',
    schema={"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"},
)  # fmt: skip


def _parse_rich_black(node: Node) -> tuple[float, ...] | None:
    values = [each.value for each in node.list_nodes()]
    valid = len(values) == 4 and all(is_number(each) and 0 <= each <= 100 for each in values)
    return tuple(float(each) / 100 for each in values) if valid else None


def _parse_margins(node: Node) -> Margins | None:
    text = " ".join(side.text for side in node.list_nodes()) if node.is_list else node.text
    return None if node.is_mapping else parse_margins(text, MAX_MARGIN_MM)


def _parse_editions(node: Node) -> tuple[str, ...] | None:
    names = tuple(each.value for each in node.list_nodes()) if node.is_list else ()
    return names if names and all(name in RULEBOOK_EDITIONS for name in names) else None


def _parse_signature(node: Node) -> int | None:
    pages = node.get_integer(4, 64)
    return pages if pages is not None and pages % 4 == 0 else None


_PRINT_KEYS: Mapping[str, Key] = {
    "paper": Key(
        json_schema.allow_either(
            json_schema.allow_values(PAPERS), json_schema.allow_pattern(DIMENSIONS_PATTERN)
        ),
        lambda node: node.text if parse_paper(str(node.value)) else None,
        "the name of a paper, such as a4, or a size in mm, such as 320x450, from 50 to 2000",
        choices=PAPERS, kind="size",
    ),
    "backs": Key.choice(BACKS, default=None),
    "dpi": Key.integer(50, 1200),
    "margin": Key(
        json_schema.allow_either(
            json_schema.allow_number(0, MAX_MARGIN_MM), json_schema.STRING,
            json_schema.allow_list(json_schema.allow_number(0, MAX_MARGIN_MM), 1, 4),
        ),
        _parse_margins, MARGIN_FORM, kind="size",
    ),
    "gap": GAP_KEY,
    "grid": Key(
        json_schema.STRING, lambda node: parse_grid(node.text) if node.is_scalar else None,
        GRID_FORM, kind="size",
    ),
    "overlap": Key.number(0, MAX_MARGIN_MM),
    "mix": Key.flag(),
    "marks": Key.choice(MARKS, default=None),
    "signature": Key(
        json_schema.allow_integer(4, 64), _parse_signature, "a multiple of 4, from 4 to 64"
    ),
    "creep": Key.number(0, 1),
    "fit": Key.choice(FITS, default=None),
}  # fmt: skip
_PRESS_KEYS: Mapping[str, Key] = {
    "profile": Key(
        json_schema.describe(
            "The ICC profile of the press, a file of the game.", json_schema.STRING
        ),
        lambda node: node.text if node.is_scalar and node.value and node.text.strip() else None,
        "the name of an ICC file of the game, such as press/coated.icc",
    ),
    "intent": Key.choice(
        RENDERING_INTENTS, "How colours that the press cannot print are replaced.", None
    ),
    "ink": Key.integer(
        MIN_INK_PERCENT, MAX_INK_PERCENT,
        "The most ink of all four colours together, in % of the area.", unit=", in %",
    ),
    "rich_black": Key(
        json_schema.describe(
            "What black areas are printed in: cyan, magenta, yellow and black, in %.",
            json_schema.allow_list(json_schema.allow_number(0, 100), 4, 4),
        ),
        _parse_rich_black, "cyan, magenta, yellow and black in %, such as [60, 40, 40, 100]",
    ),
    "spots": Key.mapping(
        json_schema.allow_named_values(
            json_schema.allow_pattern(COLOUR_PATTERN), json_schema.allow_pattern(NAME_PATTERN)
        ),
        "Inks of their own, such as varnish and foil, and the colours that stand for them.",
        'such as varnish: "#00ffcc"',
    ),
}  # fmt: skip
_RULEBOOK_KEYS: Mapping[str, Key] = {
    "editions": Key(
        json_schema.describe(
            "The editions and page sizes that a build makes.",
            json_schema.allow_list(json_schema.allow_values(RULEBOOK_EDITIONS), 1),
        ),
        _parse_editions, f"a list of {', '.join(RULEBOOK_EDITIONS)}", DEFAULT_EDITIONS,
    ),
}  # fmt: skip
RULEBOOK_SCHEMA = build_schema(_RULEBOOK_KEYS)
"""The mapping under `rulebook:`."""
PRINT_SCHEMA = build_schema({**_PRINT_KEYS, **_PRESS_KEYS})
"""The mapping under `print:`."""


def read_colours(node: Node | None, checker: Checker) -> dict[str, str]:
    """Read named colours, as #rrggbb."""
    colours: dict[str, str] = {}
    for name, child in node.items() if node else ():
        value = read_colour(child, f"the colour {name}", checker)
        if not NAME_PATTERN.match(name):
            message = f"the name of the colour '{name}' needs small letters, digits and hyphens"
            checker.report(child.source, message, "type")
        else:
            colours[name] = value
    return colours


def read_colour(node: Node | None, name: str, checker: Checker) -> str:
    """Read a colour as #rrggbb. Return `FALLBACK_COLOUR` where there is none, or it is wrong."""
    value = node.text.lower() if node and node.is_scalar else ""
    if node is not None and not COLOUR_PATTERN.match(value):
        message = f"{name} is {node.describe()}; expected {COLOUR_KEY.expected}"
        checker.report(node.source, message, "type")
        return FALLBACK_COLOUR
    return value or FALLBACK_COLOUR


def read_words(node: Node | None, checker: Checker) -> dict[str, Value]:
    """Read the words that templates print beside the cards' own."""
    return {
        name: read_word(name, child, checker.languages, checker.read_text)
        for name, child in (node.items() if node else ())
    }


def read_word(
    name: str, node: Node, languages: tuple[str, ...], read_text: Callable[[Node, str], Text]
) -> Value:
    """Read a word: a text, or a mapping of its plural forms. Those that cardgen itself prints have
    no plural forms."""
    what = f"the word {name}"
    if plural_forms.has_plural_forms(node, languages) and not name.startswith(_OWN_WORDS):
        return plural_forms.read_plural_forms(node, languages, read_text, what)
    return read_text(node, what)


def list_printable_words(words: Mapping[str, Value]) -> frozenset[str]:
    """Return the names of words that are texts by themselves, without plural forms."""
    return frozenset(name for name, word in words.items() if isinstance(word, Text))


def read_facts(node: Node | None, checker: Checker) -> dict[str, Text]:
    """Read players, time and age for rulebook covers. A plain text counts for every language."""
    if node is None:
        return {}
    check_keys(node, COVER_FACTS, "facts", checker.report)
    return {
        name: Text(dict.fromkeys(checker.languages, child.text), child.source)
        if child.is_scalar
        else checker.read_text(child, f"the fact {name}")
        for name, child in node.items()
        if name in COVER_FACTS
    }


def read_rulebook_editions(node: Node | None, checker: Checker) -> tuple[str, ...]:
    """Read the names of the rulebook's editions that a build makes."""
    if node is None:
        return DEFAULT_EDITIONS
    editions: tuple[str, ...] = read_keys(node, _RULEBOOK_KEYS, "rulebook", checker.report)[
        "editions"
    ]
    return editions


def read_print_defaults(
    node: Node | None, checker: Checker, base: PrintDefaults = DEFAULT_PRINT
) -> PrintDefaults:
    """Read the mapping under `print:`; what it leaves out is as in `base`."""
    if node is None:
        return base
    check_keys(node, (*_PRINT_KEYS, *_PRESS_KEYS), "print", checker.report)
    press = _read_given(node, _PRESS_KEYS, checker)
    if "profile" in press:
        press["profile_at"] = node.value["profile"].source
    if "spots" in press:
        press["spots"] = _read_spots(press["spots"], checker)
    return replace(
        base, press=replace(base.press, **press), **_read_given(node, _PRINT_KEYS, checker)
    )


def _read_given(node: Node, table: Mapping[str, Key], checker: Checker) -> dict[str, Any]:
    values = {
        name: table[name].read(child, name, checker.report)
        for name, child in node.items()
        if name in table
    }
    return {name: value for name, value in values.items() if value is not None}


def _read_spots(node: Node, checker: Checker) -> tuple[tuple[str, str], ...]:
    inks: dict[str, str] = {}
    for name, child in node.items():
        colour = child.text.lower() if child.is_scalar else ""
        if not NAME_PATTERN.match(name):
            message = f"the name of the spot ink '{name}' needs small letters, digits and hyphens"
        elif not COLOUR_PATTERN.match(colour):
            message = f"the spot ink {name} is {child.describe()}; expected the colour that stands "
            message += 'for it, such as "#00ffcc", in quotes'
        elif colour in inks.values():
            other = next(each for each in inks if inks[each] == colour)
            message = f"{name} has the same colour as {other}; each spot ink needs its own colour"
        elif len(inks) == MAX_SPOT_INKS:
            message = f"there are more than {MAX_SPOT_INKS} spot inks; leave some out"
        else:
            inks[name] = colour
            continue
        checker.report(child.source, message, "type")
    return tuple(inks.items())


def add_spot_colours(
    colours: Mapping[str, str], defaults: PrintDefaults, node: Node | None, checker: Checker
) -> dict[str, str]:
    """Return the game's colours with those of spot inks. Report an ink that has the name of
    another colour; `node` is the mapping under `print:`."""
    spots = dict(defaults.press.spots)
    given = node.get("spots") if node else None
    for name in sorted(colours.keys() & spots.keys()):
        place = (given.get(name) if given else None) or given
        if place is not None and colours[name] != spots[name]:
            message = (
                f"the spot ink {name} has the name of the colour {name}, {colours[name]}; give the "
                "ink another name"
            )
            checker.report(place.source, message, "type")
    return {**colours, **spots}

"""What game.yaml sets for all of a game, and for each of its variants: words, colours, and how it
is printed. Mistakes go to the checker."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cardgen.core import json_schema
from cardgen.core.json_schema import Schema
from cardgen.core.problems import did_you_mean
from cardgen.core.units import (
    DIMENSIONS_PATTERN,
    PAPERS,
    format_unknown_paper,
    is_integer,
    is_number,
    parse_paper,
)
from cardgen.core.yaml_nodes import Node
from cardgen.game.checker import Checker
from cardgen.game.keys import check_keys
from cardgen.game.model import BACKS, COVER_FACTS, FITS, MARKS, PressDefaults, PrintDefaults, Text

RENDERING_INTENTS = ("perceptual", "relative", "saturation", "absolute")
MIN_INK_PERCENT, MAX_INK_PERCENT = 200, 400
_SPOT_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
_SPOT_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")
MAX_SPOT_INKS = 8
_PRESS_DESCRIPTIONS = {
    "profile": "The ICC profile of the press, a file of the game.",
    "intent": "How colours that the press lacks are brought into what it has.",
    "ink": "The most ink of all four colours together, in % of the area.",
    "rich_black": "What black areas are printed in: cyan, magenta, yellow and black, in %.",
    "spots": "Inks of their own, such as varnish and foil, and the colours that stand for them.",
}
PRESS_KEYS: Mapping[str, Schema] = {
    key: json_schema.describe(_PRESS_DESCRIPTIONS[key], what)
    for key, what in {
        "profile": {"type": "string"},
        "intent": json_schema.allow_values(RENDERING_INTENTS),
        "ink": json_schema.allow_number(MIN_INK_PERCENT, MAX_INK_PERCENT, "integer"),
        "rich_black": json_schema.allow_list(json_schema.allow_number(0, 100), 4, 4),
        "spots": json_schema.allow_named_values(
            json_schema.allow_pattern(_SPOT_COLOUR), json_schema.allow_pattern(_SPOT_NAME)
        ),
    }.items()
}


def read_press(node: Node, checker: Checker, base: PressDefaults) -> PressDefaults:
    """What is said of a press, and all else as in `base`."""
    values: dict[str, Any] = {}
    for key, child in node.items():
        if key in _PRESS_READERS and (found := _PRESS_READERS[key](child, checker)) is not None:
            values[key] = found
            if key == "profile":
                values["profile_at"] = child.source
    return replace(base, **values)


def _read_profile(node: Node, checker: Checker) -> str | None:
    if node.is_scalar and node.value is not None and node.text.strip():
        return node.text
    message = f"profile is {node.describe()}; the name of an ICC file of the game, such as "
    checker.report(node.source, message + "press/coated.icc", "type")
    return None


def _read_intent(node: Node, checker: Checker) -> str | None:
    if node.value in RENDERING_INTENTS:
        return node.text
    hint = did_you_mean(node.text, RENDERING_INTENTS) or f"; one of {', '.join(RENDERING_INTENTS)}"
    checker.report(node.source, f"intent is {node.describe()}{hint}", "type")
    return None


def _read_ink(node: Node, checker: Checker) -> int | None:
    value = node.value
    if is_number(value) and is_integer(value) and MIN_INK_PERCENT <= value <= MAX_INK_PERCENT:
        return int(value)
    message = f"ink is {node.describe()}; a whole number from {MIN_INK_PERCENT} to {MAX_INK_PERCENT}, in %"
    checker.report(node.source, message, "type")
    return None


def _read_rich_black(node: Node, checker: Checker) -> tuple[float, float, float, float] | None:
    values = [each.value for each in node.list_nodes()]
    if len(values) == 4 and all(is_number(each) and 0 <= each <= 100 for each in values):
        c, m, y, k = (float(each) / 100 for each in values)
        return c, m, y, k
    message = f"rich_black is {node.describe()}; cyan, magenta, yellow and black in %, such as "
    checker.report(node.source, message + "[60, 40, 40, 100]", "type")
    return None


def _read_spots(node: Node, checker: Checker) -> tuple[tuple[str, str], ...] | None:
    if not node.is_mapping:
        message = f'spots is {node.describe()}; a mapping is asked for, such as varnish: "#00ffcc"'
        checker.report(node.source, message, "type")
        return None
    found: dict[str, str] = {}
    for name, child in node.items():
        colour = child.text.lower() if child.is_scalar else ""
        if not _SPOT_NAME.match(name):
            message = f"the spot ink '{name}' needs a name of small letters, digits and hyphens"
        elif not _SPOT_COLOUR.match(colour):
            message = f"the spot ink {name} is {child.describe()}; the colour that stands for it"
            message += ' is written "#00ffcc", in quotes'
        elif colour in found.values():
            other = next(each for each in found if found[each] == colour)
            message = f"{name} has the colour of {other}; a spot ink is known by its colour"
        elif len(found) == MAX_SPOT_INKS:
            message = f"a press prints {MAX_SPOT_INKS} spot inks at most"
        else:
            found[name] = colour
            continue
        checker.report(child.source, message, "type")
    return tuple(found.items())


_PRESS_READERS: Mapping[str, Any] = {
    "profile": _read_profile, "intent": _read_intent, "ink": _read_ink, "rich_black": _read_rich_black,
    "spots": _read_spots,
}  # fmt: skip


MAX_MARGIN_MM = 50.0
FALLBACK_COLOUR = "#808080"
"""In place of a colour that could not be read, which is told; what uses it is right."""
NAME_PATTERN = re.compile(r"[a-z][a-z0-9-]*\Z")
DEFAULT_PRINT = PrintDefaults()
COLOUR_PATTERN = re.compile(r"#[0-9a-f]{6}\Z")


def read_colours(node: Node | None, checker: Checker) -> dict[str, str]:
    """Named colours, `#rrggbb`."""
    found: dict[str, str] = {}
    for name, child in node.items() if node else ():
        value = read_colour(child, f"the colour {name}", checker)
        if not NAME_PATTERN.match(name):
            message = f"the colour '{name}' needs a name of small letters, digits and hyphens"
            checker.report(child.source, message, "type")
        else:
            found[name] = value or FALLBACK_COLOUR
    return found


def read_colour(node: Node, what: str, checker: Checker) -> str:
    """A colour, `#rrggbb`; "" for what is none."""
    value = node.text.lower()
    if COLOUR_PATTERN.match(value):
        return value
    message = f'{what} is {node.describe()}; it is written "#1a2b3c", in quotes'
    checker.report(node.source, message, "type")
    return ""


def read_words(node: Node | None, checker: Checker) -> dict[str, Text]:
    """What templates print that belongs to no card."""
    return {
        name: checker.read_text(child, f"the word {name}")
        for name, child in (node.items() if node else ())
    }


def read_facts(node: Node | None, checker: Checker) -> dict[str, Text]:
    """Players, time and age, as covers of rulebooks print them; one that is written once holds in
    every language."""
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


def read_print_defaults(
    node: Node | None, checker: Checker, base: PrintDefaults = DEFAULT_PRINT
) -> PrintDefaults:
    """What `build` does unless told otherwise: what is said, and all else as in `base`."""
    if node is None:
        return base
    check_keys(node, (*_PRINT_KEYS, *PRESS_KEYS), "print", checker.report)
    values: dict[str, Any] = {}
    for key, child in node.items():
        known, _ = _PRINT_KEYS.get(key, (None, None))
        if known is not None and (why := known(child.value)):
            if key == "paper":
                checker.report(child.source, why, "size")
            else:
                checker.report(child.source, f"{key} is {child.describe()}{why}", "type")
        elif known is not None:
            values[key] = child.text if key == "paper" else child.value
    return replace(base, press=read_press(node, checker, base.press), **values)


def add_spot_colours(
    named: Mapping[str, str], defaults: PrintDefaults, node: Node | None, checker: Checker
) -> dict[str, str]:
    """The game's colours with those that stand for spot inks, which have names of their own;
    `node` is what stands under print."""
    spots = dict(defaults.press.spots)
    given = node.get("spots") if node else None
    for name in sorted(named.keys() & spots.keys()):
        source = (given.get(name) if given else None) or given
        if source is not None and named[name] != spots[name]:
            message = (
                f"{name} is among the colours, too, as {named[name]}; give the ink another name"
            )
            checker.report(source.source, message, "type")
    return {**named, **spots}


_PrintKey = tuple[Callable[[object], str], Schema]
"""Says why a value is none, "" if it is one; and what it holds, for editors."""


def _make_paper_key() -> _PrintKey:
    wrong = lambda value: "" if parse_paper(str(value)) else format_unknown_paper(str(value))  # noqa: E731
    return wrong, json_schema.allow_either(
        json_schema.allow_values(PAPERS), json_schema.allow_pattern(DIMENSIONS_PATTERN)
    )


def _make_choice_key(words: tuple[str, ...]) -> _PrintKey:
    known = f"; one of {', '.join(words)}"

    def check_choice(value: object) -> str:
        return "" if value in words else did_you_mean(str(value), words) or known

    return check_choice, json_schema.allow_values(words)


def _make_number_key(least: float, most: float, *, whole: bool = False) -> _PrintKey:
    noun = "a whole number" if whole else "a length"
    unit = "" if whole else " mm"

    def check_number(value: object) -> str:
        if is_number(value) and (is_integer(value) or not whole) and least <= value <= most:
            return ""
        return f"; {noun} from {least:g} to {most:g}{unit}"

    return check_number, json_schema.allow_number(least, most, "integer" if whole else "number")


def _make_signature_key() -> _PrintKey:
    def check_signature(value: object) -> str:
        if is_number(value) and is_integer(value) and 4 <= value <= 64 and value % 4 == 0:
            return ""
        return "; a multiple of four from 4 to 64"

    return check_signature, json_schema.allow_number(4, 64, "integer")


def _make_flag_key() -> _PrintKey:
    return (lambda value: "" if isinstance(value, bool) else "; true or false"), json_schema.BOOLEAN


_PRINT_KEYS: Mapping[str, _PrintKey] = {
    "paper": _make_paper_key(),
    "backs": _make_choice_key(BACKS),
    "dpi": _make_number_key(50, 1200, whole=True),
    "margin": _make_number_key(0, MAX_MARGIN_MM),
    "gap": _make_number_key(0, MAX_MARGIN_MM),
    "overlap": _make_number_key(0, MAX_MARGIN_MM),
    "mix": _make_flag_key(),
    "marks": _make_choice_key(MARKS),
    "signature": _make_signature_key(),
    "creep": _make_number_key(0, 1),
    "fit": _make_choice_key(FITS),
}
PRINT_SCHEMA = json_schema.allow_mapping(
    {**{key: asked for key, (_, asked) in _PRINT_KEYS.items()}, **PRESS_KEYS}
)
"""What stands under print."""

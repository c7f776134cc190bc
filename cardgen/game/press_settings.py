"""What game.yaml says of a press under print: its profile, how much ink, spot inks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cardgen.base import schema
from cardgen.base.problems import did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.units import is_number, is_whole
from cardgen.base.yamlnodes import Node
from cardgen.game.checking import Checker
from cardgen.game.model import PressDefaults

INTENTS = ("perceptual", "relative", "saturation", "absolute")
LEAST_INK, MOST_INK = 200, 400
_NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")
_MOST_SPOTS = 8
_SAID = {
    "profile": "The ICC profile of the press, a file of the game.",
    "intent": "How colours that the press lacks are brought into what it has.",
    "ink": "The most ink of all four colours together, in % of the area.",
    "rich_black": "What black areas are printed in: cyan, magenta, yellow and black, in %.",
    "spots": "Inks of their own, such as varnish and foil, and the colours that stand for them.",
}
KEYS: Mapping[str, Schema] = {
    key: schema.said(_SAID[key], what)
    for key, what in {
        "profile": {"type": "string"},
        "intent": schema.one_of(INTENTS),
        "ink": schema.number(LEAST_INK, MOST_INK, "integer"),
        "rich_black": schema.listed(schema.number(0, 100), 4, 4),
        "spots": schema.named(schema.like(_COLOUR), schema.like(_NAME)),
    }.items()
}


def read(node: Node, checker: Checker, base: PressDefaults) -> PressDefaults:
    """What is said of a press, and all else as in `base`."""
    values: dict[str, Any] = {}
    for key, child in node.items():
        if key in _READ and (found := _READ[key](child, checker)) is not None:
            values[key] = found
            if key == "profile":
                values["profile_at"] = child.source
    return replace(base, **values)


def _profile(node: Node, checker: Checker) -> str | None:
    if node.is_scalar and node.value is not None and node.text.strip():
        return node.text
    message = f"profile is {node.describe()}; the name of an ICC file of the game, such as "
    checker.problem(node.source, message + "press/coated.icc", "type")
    return None


def _intent(node: Node, checker: Checker) -> str | None:
    if node.value in INTENTS:
        return node.text
    hint = did_you_mean(node.text, INTENTS) or f"; one of {', '.join(INTENTS)}"
    checker.problem(node.source, f"intent is {node.describe()}{hint}", "type")
    return None


def _ink(node: Node, checker: Checker) -> int | None:
    value = node.value
    if is_number(value) and is_whole(value) and LEAST_INK <= value <= MOST_INK:
        return int(value)
    message = f"ink is {node.describe()}; a whole number from {LEAST_INK} to {MOST_INK}, in %"
    checker.problem(node.source, message, "type")
    return None


def _rich_black(node: Node, checker: Checker) -> tuple[float, float, float, float] | None:
    values = [each.value for each in node.nodes()]
    if len(values) == 4 and all(is_number(each) and 0 <= each <= 100 for each in values):
        c, m, y, k = (float(each) / 100 for each in values)
        return c, m, y, k
    message = f"rich_black is {node.describe()}; cyan, magenta, yellow and black in %, such as "
    checker.problem(node.source, message + "[60, 40, 40, 100]", "type")
    return None


def _spots(node: Node, checker: Checker) -> tuple[tuple[str, str], ...] | None:
    if not node.is_mapping:
        message = f'spots is {node.describe()}; a mapping is asked for, such as varnish: "#00ffcc"'
        checker.problem(node.source, message, "type")
        return None
    found: dict[str, str] = {}
    for name, child in node.items():
        colour = child.text.lower() if child.is_scalar else ""
        if not _NAME.match(name):
            message = f"the spot ink '{name}' needs a name of small letters, digits and hyphens"
        elif not _COLOUR.match(colour):
            message = f"the spot ink {name} is {child.describe()}; the colour that stands for it"
            message += ' is written "#00ffcc", in quotes'
        elif colour in found.values():
            other = next(each for each in found if found[each] == colour)
            message = f"{name} has the colour of {other}; a spot ink is known by its colour"
        elif len(found) == _MOST_SPOTS:
            message = f"a press prints {_MOST_SPOTS} spot inks at most"
        else:
            found[name] = colour
            continue
        checker.problem(child.source, message, "type")
    return tuple(found.items())


_READ: Mapping[str, Any] = {
    "profile": _profile, "intent": _intent, "ink": _ink, "rich_black": _rich_black,
    "spots": _spots,
}  # fmt: skip

"""What game.yaml sets for all of a game, and for each of its variants: words, colours, and how it
is printed. Mistakes go to the checker."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cardgen.base import schema
from cardgen.base.problems import did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.units import MEASURES, PAPERS, is_number, is_whole, parse_paper, unknown_paper
from cardgen.base.yamlnodes import Node
from cardgen.game import press_settings
from cardgen.game.checking import Checker
from cardgen.game.model import BACKS, FACTS, FITS, MARKS, PrintDefaults, Text
from cardgen.game.reading import known_keys

MOST_MARGIN = 50.0
STAND_IN = "#808080"
"""In place of a colour that could not be read, which is told; what uses it is right."""
NAME = re.compile(r"[a-z][a-z0-9-]*\Z")
USUAL = PrintDefaults()
_COLOUR = re.compile(r"#[0-9a-f]{6}\Z")


def colours(node: Node | None, checker: Checker) -> dict[str, str]:
    """Named colours, `#rrggbb`."""
    found: dict[str, str] = {}
    for name, child in node.items() if node else ():
        value = colour(child, f"the colour {name}", checker)
        if not NAME.match(name):
            message = f"the colour '{name}' needs a name of small letters, digits and hyphens"
            checker.problem(child.source, message, "type")
        else:
            found[name] = value or STAND_IN
    return found


def colour(node: Node, what: str, checker: Checker) -> str:
    """A colour, `#rrggbb`; "" for what is none."""
    value = node.text.lower()
    if _COLOUR.match(value):
        return value
    message = f'{what} is {node.describe()}; it is written "#1a2b3c", in quotes'
    checker.problem(node.source, message, "type")
    return ""


def words(node: Node | None, checker: Checker) -> dict[str, Text]:
    """What templates print that belongs to no card."""
    return {
        name: checker.text(child, f"the word {name}")
        for name, child in (node.items() if node else ())
    }


def facts(node: Node | None, checker: Checker) -> dict[str, Text]:
    """Players, time and age, as covers of rulebooks print them; one that is written once holds in
    every language."""
    if node is None:
        return {}
    known_keys(node, FACTS, "facts", checker.problem)
    return {
        name: Text(dict.fromkeys(checker.languages, child.text), child.source)
        if child.is_scalar
        else checker.text(child, f"the fact {name}")
        for name, child in node.items()
        if name in FACTS
    }


def print_defaults(
    node: Node | None, checker: Checker, base: PrintDefaults = USUAL
) -> PrintDefaults:
    """What `build` does unless told otherwise: what is said, and all else as in `base`."""
    if node is None:
        return base
    known_keys(node, (*_PRINT, *press_settings.KEYS), "print", checker.problem)
    values: dict[str, Any] = {}
    for key, child in node.items():
        known, _ = _PRINT.get(key, (None, None))
        if known is not None and (why := known(child.value)):
            if key == "paper":
                checker.problem(child.source, why, "size")
            else:
                checker.problem(child.source, f"{key} is {child.describe()}{why}", "type")
        elif known is not None:
            values[key] = child.text if key == "paper" else child.value
    return replace(base, press=press_settings.read(node, checker, base.press), **values)


def with_spots(
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
            checker.problem(source.source, message, "type")
    return {**named, **spots}


_Asked = tuple[Callable[[object], str], Schema]
"""Says why a value is none, "" if it is one; and what it holds, for editors."""


def _paper() -> _Asked:
    wrong = lambda value: "" if parse_paper(str(value)) else unknown_paper(str(value))  # noqa: E731
    return wrong, schema.either(schema.one_of(PAPERS), schema.like(MEASURES))


def _one_of(words: tuple[str, ...]) -> _Asked:
    known = f"; one of {', '.join(words)}"

    def wrong(value: object) -> str:
        return "" if value in words else did_you_mean(str(value), words) or known

    return wrong, schema.one_of(words)


def _figure(least: float, most: float, *, whole: bool = False) -> _Asked:
    noun = "a whole number" if whole else "a length"
    unit = "" if whole else " mm"

    def wrong(value: object) -> str:
        if is_number(value) and (is_whole(value) or not whole) and least <= value <= most:
            return ""
        return f"; {noun} from {least:g} to {most:g}{unit}"

    return wrong, schema.number(least, most, "integer" if whole else "number")


def _signature() -> _Asked:
    def wrong(value: object) -> str:
        if is_number(value) and is_whole(value) and 4 <= value <= 64 and value % 4 == 0:
            return ""
        return "; a multiple of four from 4 to 64"

    return wrong, schema.number(4, 64, "integer")


def _yes_or_no() -> _Asked:
    return (lambda value: "" if isinstance(value, bool) else "; true or false"), schema.FLAG


_PRINT: Mapping[str, _Asked] = {
    "paper": _paper(),
    "backs": _one_of(BACKS),
    "dpi": _figure(50, 1200, whole=True),
    "margin": _figure(0, MOST_MARGIN),
    "gap": _figure(0, MOST_MARGIN),
    "overlap": _figure(0, MOST_MARGIN),
    "mix": _yes_or_no(),
    "marks": _one_of(MARKS),
    "signature": _signature(),
    "creep": _figure(0, 1),
    "fit": _one_of(FITS),
}
PRINT = schema.mapping(
    {**{key: asked for key, (_, asked) in _PRINT.items()}, **press_settings.KEYS}
)
"""What stands under print."""

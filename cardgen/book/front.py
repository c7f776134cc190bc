"""The head of a rulebook: what stands between the lines of dashes at its beginning."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from cardgen.base import yamlnodes
from cardgen.base.problems import did_you_mean
from cardgen.base.yamlnodes import Node
from cardgen.game.model import FACTS

_FRONT = re.compile(r"---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FLAGS = ("numbered", "toc", "index")
_WORDS = ("title", "subtitle", "paper")
_KEYS = (*_WORDS, "cover", "facts", "chapters", *_FLAGS, "language")
_HEX = re.compile(r"#[0-9a-f]{6}\Z")
Tell = Callable[[str, str, str, int], None]
"""Told a message, its kind, how bad it is and its line, from 1."""


@dataclass(frozen=True)
class Front:
    """What a book's head says; `lines` are those of its keys, from 1. `chapters` is the folder of
    the chapters' pictures, "" for none."""

    title: str = ""
    subtitle: str = ""
    cover: Node | None = None
    paper: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    chapters: str = ""
    numbered: bool | None = None
    toc: bool | None = None
    index: bool = True
    lines: Mapping[str, int] = field(default_factory=dict)


def read(text: str, colours: Mapping[str, str], tell: Tell) -> tuple[Front, str]:
    """The head, and the text with its lines emptied."""
    match = _FRONT.match(text)
    node, problems = yamlnodes.load(match[1], "front") if match else (None, [])
    if match is None or node is None or not node.is_mapping:
        return Front(), text
    for problem in problems:
        tell(problem.message, "yaml", problem.severity, problem.source.line)
    values: dict[str, Any] = {"lines": {key: child.source.line for key, child in node.items()}}
    for key, child in node.items():
        value = _value(key, child, colours, tell)
        if value is not None:
            values[key] = value
    return replace(Front(), **values), "\n" * match[0].count("\n") + text[match.end() :]


def _value(key: str, child: Node, colours: Mapping[str, str], tell: Tell) -> Any:
    """What a key holds; None for what is told, or says nothing."""
    line = child.source.line
    if key not in _KEYS:
        tell(
            f"the book's head knows no '{key}'{did_you_mean(key, _KEYS)}", "fields", "warning", line
        )
    elif key in _FLAGS:
        if child.flag is None:
            tell(f"{key} is {child.describe()}; it is true or false", "type", "warning", line)
        return child.flag
    elif key == "cover":
        return child
    elif key in ("facts", "chapters"):
        return _mapping(key, child, tell)
    elif key in _WORDS:
        if not isinstance(child.value, str | int | float):
            tell(f"{key} is {child.describe()}; it is words", "type", "warning", line)
            return None
        return _paper(child, colours, tell) if key == "paper" else child.text
    return None


def _mapping(key: str, child: Node, tell: Tell) -> Any:
    """`facts: {players: 2–4}`, or the folder that `chapters: {pictures: art/chapters}` names."""
    known = FACTS if key == "facts" else ("pictures",)
    if not child.is_mapping:
        message = f"{key} is {child.describe()}; it is written {key}: {{{known[0]}: …}}"
        tell(message, "type", "warning", child.source.line)
        return None
    found = {}
    for name, value in child.items():
        if name in known and isinstance(value.value, str | int | float):
            found[name] = value.text
        else:
            message = f"{key} knows no '{name}'{did_you_mean(name, known)}"
            if name in known:
                message = f"{name} is {value.describe()}; it is words"
            tell(message, "fields", "warning", value.source.line)
    folder = PurePosixPath(found.get("pictures", "art"))
    if folder.parts[:1] != ("art",) or ".." in folder.parts:
        tell(f"{folder} is no folder of art/", "art", "warning", child.source.line)
        return None
    return found if key == "facts" else found.get("pictures")


def _paper(child: Node, colours: Mapping[str, str], tell: Tell) -> str | None:
    value = colours.get(child.text, child.text.lower())
    if _HEX.match(value):
        return value
    message = f'paper is {child.describe()}; it is a colour, "#f6efe0" in quotes, or one of '
    tell(f"{message}game.yaml's", "type", "warning", child.source.line)
    return None

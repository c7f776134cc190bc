"""Values of cards as plain data, as they are written: for editing, before they are read as values.

A text is a mapping of languages to texts, a reference the name of its card.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cardgen.core.problems import Problem, Source
from cardgen.core.yaml_nodes import UNPRINTABLE, Node
from cardgen.game.checker import Checker
from cardgen.game.field_types import read_value
from cardgen.game.model import CardReference, Field, Game, Text
from cardgen.runtime.game_files import compose

MAX_TEXT_CHARACTERS = 20_000
MAX_ITEMS = 1_000
MAX_NESTING = 6


class UnusableValueError(Exception):
    """A value that a field cannot have; the message says why."""


def read_plain(node: Node | None, declared: Field, languages: Sequence[str]) -> Any:
    """Return the plain value of a node; None where there is none."""
    if node is None or node.value is None:
        return None
    if declared.kind == "text":
        texts = dict(node.items()) if node.is_mapping else {languages[0]: node}
        return {code: child.text for code, child in texts.items() if child.is_scalar}
    if declared.kind == "list" and declared.item is not None and node.is_list:
        return [read_plain(child, declared.item, languages) for child in node.list_nodes()]
    if declared.kind == "record" and node.is_mapping:
        return {
            key: read_plain(child, declared.fields[key], languages)
            for key, child in node.items()
            if key in declared.fields
        }
    return node.text if declared.kind == "string" and node.is_scalar else node.to_plain()


def convert_to_plain(value: Any) -> Any:
    """Return a value of the game as plain data, such as a field's default."""
    if isinstance(value, Text):
        return {code: value[code] for code in value}
    if isinstance(value, Mapping):
        return {key: convert_to_plain(child) for key, child in value.items()}
    if isinstance(value, tuple):
        return [convert_to_plain(child) for child in value]
    return str(value) if isinstance(value, CardReference) else value


def clean_value(value: Any, depth: int = 0) -> Any:
    """Return what was typed as plain data in composed characters.

    Raises `UnusableValueError` for what no file of a game holds, or too much of it.
    """
    if depth > MAX_NESTING:
        raise UnusableValueError("it is nested too deeply")
    if isinstance(value, str):
        text = compose(value.replace("\r\n", "\n").replace("\r", "\n"))
        if found := UNPRINTABLE.search(text):
            raise UnusableValueError(f"U+{ord(found[0]):04X} cannot be printed; delete it")
        if len(text) > MAX_TEXT_CHARACTERS:
            raise UnusableValueError(f"it has more than {MAX_TEXT_CHARACTERS:,} characters")
        return text
    if isinstance(value, list | dict) and len(value) > MAX_ITEMS:
        raise UnusableValueError(f"it has more than {MAX_ITEMS:,} entries")
    if isinstance(value, list):
        return [clean_value(child, depth + 1) for child in value]
    if isinstance(value, dict):
        return {str(key): clean_value(child, depth + 1) for key, child in value.items()}
    is_number = isinstance(value, int | float) and math.isfinite(value) and abs(value) < 1e15
    if value is not None and not is_number:
        raise UnusableValueError("it is no value that a file can hold")
    return value


def check_value(value: Any, declared: Field, game: Game) -> None:
    """Raise `UnusableValueError` if a field cannot have a plain value."""
    checker = Checker(game.languages, tuple(game.icons), tuple(game.colours))
    read_value(checker, make_node(value, declared.source), declared, f"'{declared.name}'")
    if wrong := _list_messages(checker.problems):
        raise UnusableValueError("; ".join(wrong))


def _list_messages(problems: Iterable[Problem]) -> list[str]:
    """Return what is wrong with a value, apart from texts that are not translated yet."""
    return [problem.message for problem in problems if problem.kind != "language"]


def make_node(value: Any, source: Source) -> Node:
    """Return the node of a plain value."""
    if isinstance(value, Mapping):
        children = {str(key): make_node(child, source) for key, child in value.items()}
        return Node(children, source, dict.fromkeys(children, source))
    if isinstance(value, list):
        return Node([make_node(child, source) for child in value], source)
    return Node(value, source)


def shape_like(value: Any, node: Node | None, declared: Field, languages: Sequence[str]) -> Any:
    """Return a plain value in the form in which a node is written: a text in one language without
    a mapping, and with the line break that ends a block."""
    if declared.kind == "text" and isinstance(value, Mapping):
        texts = {code: _end_like(text, node, code) for code, text in value.items()}
        is_bare = node is None or node.is_scalar
        alone = [*texts] == [languages[0]] and is_bare and (node is not None or len(languages) == 1)
        return texts[languages[0]] if alone else texts
    if declared.kind == "list" and declared.item is not None and isinstance(value, list):
        nodes: list[Node | None] = [*node.list_nodes()] if node else []
        nodes += [None] * (len(value) - len(nodes))
        pairs = zip(value, nodes, strict=False)
        return [shape_like(child, old, declared.item, languages) for child, old in pairs]
    if declared.kind == "record" and isinstance(value, Mapping):
        return {
            key: shape_like(child, node.get(key) if node else None, declared.fields[key], languages)
            for key, child in value.items()
            if key in declared.fields and child is not None
        }
    return value


def _end_like(text: Any, node: Node | None, language: str) -> Any:
    """Return a text with the line breaks that end the text of a node."""
    old = node.get(language) if node and node.is_mapping else node
    if not isinstance(text, str) or old is None or not isinstance(old.value, str):
        return text
    return text.rstrip("\n") + old.text[len(old.text.rstrip("\n")) :]

"""YAML as nodes that know their file and line. The only importer of yaml.

Only what a card database needs: no aliases, no tags, each key once. Words such as `no`, `on` and
`12:30` stay text; only true, false, null and plain numbers are anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from cardgen.problems import Problem, Source

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INTEGER = re.compile(r"[-+]?\d+\Z")
_NUMBER = re.compile(r"[-+]?\d+\.\d+\Z")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}

MAX_DEPTH = 32


@dataclass(frozen=True)
class Node:
    """A scalar (str, int, float, bool, None), a list of nodes or a mapping of key → node."""

    value: Any
    source: Source
    keys: Mapping[str, Source] = field(default_factory=dict)
    raw: str | None = None
    """A scalar as written: `007` and `1.10` are texts where a text is asked for."""

    @property
    def text(self) -> str:
        """The scalar as a text."""
        return str(self.value) if self.raw is None else self.raw

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_scalar(self) -> bool:
        return not isinstance(self.value, dict | list)

    def get(self, key: str) -> Node | None:
        """The node under a key of a mapping; None when it is no mapping or lacks the key."""
        found: Node | None = self.value.get(key) if self.is_mapping else None
        return found

    def items(self) -> Iterator[tuple[str, Node]]:
        """Key and node of a mapping; nothing of anything else."""
        return iter(self.value.items() if self.is_mapping else ())

    def nodes(self) -> list[Node]:
        """The nodes of a list; nothing of anything else."""
        return list(self.value) if self.is_list else []

    def plain(self) -> Any:
        """The value without its lines."""
        if self.is_mapping:
            return {key: node.plain() for key, node in self.items()}
        if self.is_list:
            return [node.plain() for node in self.value]
        return self.value

    def describe(self) -> str:
        """The value as an error message shows it."""
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return "nothing" if self.value is None else repr(self.value)


def scalar(text: str) -> str | int | float | bool | None:
    """What an unquoted word means: a number, true, false, nothing, or itself."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.match(text) and len(text) < 20:
        return int(text)
    if _NUMBER.match(text) and len(text) < 40:
        return float(text)
    return text


def load(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    """Read a YAML document. `path` is the name that problems and nodes carry."""
    try:
        tree = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        return None, [_syntax_problem(error, text, path)]
    except yaml.YAMLError as error:
        return None, [Problem(Source(path), f"not YAML: {error}".splitlines()[0], "yaml")]
    if tree is None:
        return None, [Problem(Source(path), "the file is empty", "yaml")]
    reader = _Reader(path)
    node = reader.node(tree, 0)
    if reader.aliases:
        return None, [*reader.problems, *_alias_problems(text, path)]
    return node, reader.problems


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, path: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 0
    what = (error.problem or error.context or "cannot be read").strip()
    start = error.context_mark.line + 1 if error.context and error.context_mark else line
    where = f" {error.context} that begins on line {start}" if start != line else ""
    lines = text.splitlines()
    hint = ""
    if "mapping values are not allowed" in what:
        hint = "; a text with ': ' in it needs quotes"
    elif 0 < line <= len(lines) and lines[line - 1].lstrip(" ").startswith("\t"):
        hint = "; indent with spaces, not tabs"
    return Problem(Source(path, line), f"not YAML: {what}{where}{hint}", "yaml")


def _alias_problems(text: str, path: str) -> list[Problem]:
    """A file with aliases is not used: nodes know the line of the anchor only."""
    message = "aliases (*name) are not used here; write the value out"
    return [
        Problem(Source(path, event.start_mark.line + 1), message, "yaml")
        for event in yaml.parse(text, Loader=_Loader)
        if isinstance(event, yaml.AliasEvent) and event.start_mark
    ]


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.aliases = False
        self._seen: set[int] = set()

    def node(self, tree: Any, depth: int) -> Node:
        source = Source(self.path, tree.start_mark.line + 1)
        if id(tree) in self._seen:
            self.aliases = True
            return Node(None, source)
        self._seen.add(id(tree))
        if depth > MAX_DEPTH:
            self._problem(source, f"nested more than {MAX_DEPTH} deep")
            return Node(None, source)
        if isinstance(tree, yaml.ScalarNode):
            return Node(self._scalar(tree, source), source, raw=str(tree.value))
        if isinstance(tree, yaml.SequenceNode):
            return Node([self.node(child, depth + 1) for child in tree.value], source)
        return self._mapping(tree, source, depth)

    def _mapping(self, tree: Any, source: Source, depth: int) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Source] = {}
        for key_tree, value_tree in tree.value:
            key_source = Source(self.path, key_tree.start_mark.line + 1)
            if not isinstance(key_tree, yaml.ScalarNode):
                self._problem(key_source, "a key must be a plain word")
                continue
            key = str(key_tree.value)
            if key in values:
                first = keys[key].line
                self._problem(
                    key_source, f"'{key}' stands twice, first on line {first}", "duplicate-key"
                )
                continue
            keys[key] = key_source
            values[key] = self.node(value_tree, depth + 1)
        return Node(values, source, keys)

    def _scalar(self, tree: Any, source: Source) -> Any:
        if tree.tag and not tree.tag.startswith("tag:yaml.org,2002:"):
            self._problem(source, f"the tag {tree.tag} is not used here")
        return str(tree.value) if tree.style else scalar(tree.value)

    def _problem(self, source: Source, message: str, kind: str = "yaml") -> None:
        self.problems.append(Problem(source, message, kind))

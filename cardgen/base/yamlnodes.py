"""YAML as nodes that know their file and line. The only importer of yaml.

Only what a card database needs: no aliases, no tags, each key once. Words such as `no`, `on` and
`12:30` stay text; only true, false, null and plain numbers are anything else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from cardgen.base import bounds, guard, yaml_faults
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, did_you_mean, quoted
from cardgen.base.units import is_number, is_whole
from cardgen.base.yaml_faults import NEEDS_QUOTES

_REMARK = re.compile(r"[ \t]+(#[0-9].*)")
"""What YAML takes for a remark behind a text, and is none: Gain #1 steam."""
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_NO_TAG = f"{_TAG}str"
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_NUMBER = re.compile(r"[-+]?[0-9]+\.[0-9]+\Z")
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""Control characters, halves of characters, and what is none."""
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}

MAX_DEPTH = 32
_MOST_UNKNOWN = 20
"""Keys of one mapping that are told one by one."""


class _Loader(_Base):  # type: ignore[misc] # whichever of the two there is
    """Leaves it to `scalar` what an unquoted word means."""

    def resolve(self, kind: type[yaml.Node], value: Any, implicit: Any) -> str:
        """The tag of a node that has none of its own, which says nothing here."""
        return _NO_TAG


@dataclass(frozen=True, slots=True)
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

    def unknown(self, known: Collection[str]) -> Iterator[tuple[str, str]]:
        """The keys of a mapping that are none of the known, each with a hint at what was meant;
        after the first few one more, with the number of the others."""
        keys = [key for key in self.value if key not in known] if self.is_mapping else []
        for key in keys[:_MOST_UNKNOWN]:
            yield key, did_you_mean(key, known)
        if len(keys) > _MOST_UNKNOWN:
            rest = len(keys) - _MOST_UNKNOWN - 1
            yield keys[_MOST_UNKNOWN], f"; and {rest} more are unknown" if rest else ""

    @property
    def flag(self) -> bool | None:
        """True or false; None when it is neither."""
        return self.value if isinstance(self.value, bool) else None

    def number(self, least: float, most: float) -> float | None:
        """The number, None when it is none within those bounds."""
        value = self.value
        return float(value) if is_number(value) and least <= value <= most else None

    def whole(self, least: int, most: int) -> int | None:
        """The whole number, None when it is none within those bounds."""
        value = self.value
        return value if is_whole(value) and least <= value <= most else None

    def plain(self) -> Any:
        """The value without its lines."""
        if self.is_mapping:
            return {key: node.plain() for key, node in self.items()}
        if self.is_list:
            return [node.plain() for node in self.value]
        return self.value

    @property
    def quotes(self) -> str:
        """What to say where a text was meant: `{coin}` without quotes is a mapping."""
        lone = [key for key, child in self.items() if child.raw == ""]
        if not lone or len(lone) < len(self.value):
            return ""
        braced = "".join(f"{{{key}}}" for key in lone)
        return f'{NEEDS_QUOTES.format("{")}: "{braced}"'

    def describe(self) -> str:
        """The value as an error message shows it."""
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return "nothing" if self.value is None else quoted(self.value)


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
    if path in _read and _read[path][0] == text:
        _, node, problems = _read[path]
        return node, list(problems)
    node, problems = _loaded(text, path)
    if not any(problem.kind == "bounds" for problem in problems):  # it may do better next time
        held = sum(len(each) for each, _, _ in _read.values())
        if len(_read) >= _MOST_READ or held > _MOST_LETTERS:
            _read.clear()
        _read[path] = text, node, list(problems)
    return node, problems


_MOST_READ, _MOST_LETTERS = 500, 3_000_000
_read: dict[str, tuple[str, Node | None, list[Problem]]] = {}
"""Of each file what was last read, its text before it: a process that reads a game again and again
reads only what changed."""


def _loaded(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    try:
        with guard.at(path, guard.SECONDS * bounds.large(), known=(yaml.YAMLError,)):
            tree = yaml.compose(text, Loader=_Loader)
    except Stopped as error:
        return None, [Problem(Source(path), f"the file cannot be read: {error}", "bounds")]
    except yaml.MarkedYAMLError as error:
        line, wrong = yaml_faults.told(error, text)
        return None, [Problem(Source(path, line), f"not YAML: {wrong}", "yaml")]
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        return None, [Problem(Source(path), f"not YAML: {error}".splitlines()[0], "yaml")]
    if tree is None:
        return None, [Problem(Source(path), "the file is empty", "yaml")]
    reader = _Reader(path, text)
    node = reader.node(tree, 0)
    if reader.aliases:
        return None, [*reader.problems, *_alias_problems(text, path)]
    return node, reader.problems + reader.lost


def _alias_problems(text: str, path: str) -> list[Problem]:
    """A file with aliases is not used: nodes know the line of the anchor only."""
    message = "aliases (*name) are not used here; write the value out"
    return [
        Problem(Source(path, event.start_mark.line + 1), message, "yaml")
        for event in yaml.parse(text, Loader=_Loader)
        if isinstance(event, yaml.AliasEvent) and event.start_mark
    ]


class _Reader:
    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.problems: list[Problem] = []
        self.lost: list[Problem] = []
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
            raw = self._printable(tree.value, source)
            return Node(self._scalar(tree, raw, source), source, raw=raw)
        if isinstance(tree, yaml.SequenceNode):
            return Node([self.node(child, depth + 1) for child in tree.value], source)
        return self._mapping(tree, source, depth)

    def _mapping(self, tree: Any, source: Source, depth: int) -> Node:
        values: dict[str, Node] = {}
        keys: dict[str, Source] = {}
        for key_tree, value_tree in tree.value:
            key_source = Source(self.path, key_tree.start_mark.line + 1)
            if not isinstance(key_tree, yaml.ScalarNode):
                braced = isinstance(key_tree, yaml.MappingNode)
                hint = NEEDS_QUOTES.format("{") if braced else ""
                self._problem(key_source, f"a key must be a plain word{hint}")
                continue
            key = self._printable(key_tree.value, key_source)
            if key in values:
                first = keys[key].line
                self._problem(
                    key_source, f"'{key}' stands twice, first on line {first}", "duplicate-key"
                )
                continue
            keys[key] = key_source
            values[key] = self.node(value_tree, depth + 1)
        return Node(values, source, keys)

    def _printable(self, text: Any, source: Source) -> str:
        found = UNPRINTABLE.search(text)
        if found is None:
            return str(text)
        self._problem(source, f"U+{ord(found[0]):04X} is no character that can be printed")
        return UNPRINTABLE.sub("\ufffd", text)

    def _scalar(self, tree: Any, text: str, source: Source) -> Any:
        first = self.text[tree.start_mark.index : tree.start_mark.index + 1]
        if tree.tag and not tree.tag.startswith(_TAG):
            hint = NEEDS_QUOTES.format("!")
            self._problem(source, f"the tag {tree.tag} is not used here{hint}")
        elif first in ("!", "&"):  # a tag or an anchor, which would be lost
            message = NEEDS_QUOTES.format(first).removeprefix("; ")
            self.lost.append(Problem(source, message, "yaml"))
        elif not tree.style and (cut := _REMARK.match(self.text, tree.end_mark.index)):
            message = f"what begins with ' #' is left out: '{cut[1]}'; a text with it needs quotes"
            self.lost.append(Problem(source, message, "yaml", "warning"))
        return text if tree.style else scalar(text)

    def _problem(self, source: Source, message: str, kind: str = "yaml") -> None:
        self.problems.append(Problem(source, message, kind))

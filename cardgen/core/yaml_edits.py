"""Edits of values in YAML files that keep everything else as its author wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from cardgen.core import work_limits, yaml_nodes
from cardgen.core.problems import Problem
from cardgen.core.yaml_nodes import Node
from cardgen.core.yaml_scalars import (
    BLOCK_STYLES,
    find_block_end,
    format_block,
    format_scalar,
    format_value,
    rewrite_block,
    rewrite_scalar,
)
from cardgen.core.yaml_trees import (
    YamlPath,
    compose_tree,
    convert_tree,
    find_node,
    format_plain,
    read_typed,
    type_value,
)

_EDIT_SECONDS = 20.0


@dataclass(frozen=True)
class TextEdit:
    """New text at `path`, in a language. A text without languages is in the language `source`."""

    path: YamlPath
    language: str
    text: str
    source: str


@dataclass(frozen=True)
class ListAppend:
    """New word at the end of the list at `path`."""

    path: YamlPath
    word: str


@dataclass(frozen=True)
class ValueEdit:
    """New value at `path`: a text, number, boolean, list or mapping.

    Of lists and mappings only what differs is written. A missing key is added after those of
    `order` that come before it there.
    """

    path: YamlPath
    value: Any
    order: tuple[str, ...] = ()


@dataclass(frozen=True)
class KeyRemoval:
    """The key at `path` is removed, with its value."""

    path: YamlPath


YamlChange = TextEdit | ListAppend | ValueEdit | KeyRemoval


def apply_changes(
    text: str, name: str, changes: Sequence[YamlChange]
) -> tuple[str, list[YamlChange]]:
    """Apply changes to the text of a file. `name` is used in error messages.

    Returns the new text and the changes that could not be made. Raises `LimitExceededError`.
    """
    with work_limits.work_limit(
        f"{name}: writing its texts", _EDIT_SECONDS, expected=(yaml.YAMLError,)
    ):
        return _apply_or_split(text, list(changes))


def _apply_or_split(text: str, changes: list[YamlChange]) -> tuple[str, list[YamlChange]]:
    """Apply all changes; if the result would differ elsewhere, apply each half by itself."""
    if not changes:
        return text, []
    result = _apply_all(text, changes)
    if result is not None:
        return result, []
    if len(changes) == 1:
        return text, changes
    half = len(changes) // 2
    text, left = _apply_or_split(text, changes[:half])
    text, more = _apply_or_split(text, changes[half:])
    return text, left + more


def _apply_all(text: str, changes: Sequence[YamlChange]) -> str | None:
    """Return the text with the changes, or None if it would not parse to the expected content."""
    try:
        tree = compose_tree(text)
        plain = convert_tree(tree)
        writer = _YamlWriter(text)
        for change in changes:
            _change_plain(plain, change)
            writer.add_change(tree, change)
        result = writer.build()
        made = compose_tree(result)
        is_right = convert_tree(made) == plain and all(
            read_typed(find_node(made, change.path)) == type_value(change.value)
            for change in changes
            if isinstance(change, ValueEdit)
        )
        return result if is_right else None
    except (yaml.YAMLError, LookupError, TypeError, ValueError, UnicodeEncodeError):
        return None


def read_node_at(text: str, name: str, path: YamlPath) -> tuple[Node, list[Problem]]:
    """Return the node at a path of a file, and what is wrong there, without reading the rest.

    Raises LookupError and `LimitExceededError`.
    """
    with work_limits.work_limit(
        f"{name}: reading it again", _EDIT_SECONDS, expected=(yaml.YAMLError,)
    ):
        return yaml_nodes.read_tree(find_node(compose_tree(text), path), text, name)


def _change_plain(plain: Any, change: YamlChange) -> None:
    """Make a change in the plain content of a tree."""
    *above, last = change.path
    for part in above:
        plain = plain[part]
    if isinstance(change, ListAppend):
        plain[last] = [*plain[last], change.word]
    elif isinstance(change, ValueEdit):
        plain[last] = format_plain(change.value)
    elif isinstance(change, KeyRemoval):
        del plain[last]
    else:
        was = plain[last]
        entry = was if isinstance(was, dict) else {change.source: was}
        plain[last] = {**entry, change.language: change.text}
        if not isinstance(was, dict) and change.language == change.source:
            plain[last] = change.text


class _YamlWriter:
    """Collects replacements of parts of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = "\r\n" if "\r\n" in text else "\n"
        self._parts: list[tuple[int, int, str]] = []

    def build(self) -> str:
        text = self.text
        # Apply from the end; parts at the same index keep their order.
        for start, end, new in sorted(self._parts, key=lambda part: part[:2])[::-1]:
            text = text[:start] + new + text[end:]
        return text

    def add_change(self, tree: Any, change: YamlChange) -> None:
        """Add the replacements for a change. Raises LookupError for a path that leads nowhere."""
        parent = find_node(tree, change.path[:-1])
        if isinstance(change, ListAppend):
            self._insert_items(node := find_node(tree, change.path), len(node.value), [change.word])
        elif isinstance(change, TextEdit):
            self._change_text(find_node(tree, change.path), change, flow=bool(parent.flow_style))
        elif isinstance(change, KeyRemoval):
            self._remove_key(parent, change.path[-1])
        elif isinstance(parent, yaml.MappingNode):
            self._set_key(parent, str(change.path[-1]), change.value, change.order)
        else:
            node = parent.value[change.path[-1]]
            self._set_value(node, change.value, self._find_indent(node), bool(parent.flow_style))

    # -- values

    def _set_value(self, node: Any, value: Any, indent: int, flow: bool) -> None:
        """Replace what differs of a value. `indent` is the column of its key or dash."""
        if read_typed(node) == type_value(value):
            return
        if isinstance(node, yaml.MappingNode) and isinstance(value, Mapping):
            self._set_entries(node, value, indent, flow)
        elif isinstance(node, yaml.SequenceNode) and isinstance(value, list | tuple):
            self._set_items(node, list(value), indent, flow)
        elif isinstance(node, yaml.ScalarNode):
            self._replace_scalar(node, value, indent, flow=flow)
        else:
            self._replace_whole(node, value, indent, flow=flow)

    def _set_entries(self, node: Any, value: Mapping[Any, Any], indent: int, flow: bool) -> None:
        """Replace, add and remove the entries of a mapping that differ."""
        names = [key.value for key, _ in node.value]
        kept = [at for at, name in enumerate(names) if name in value]
        if not kept:
            self._replace_whole(node, value, indent, flow=flow)
            return
        for name in names:
            if name not in value:
                self._remove_key(node, name)
        for name, child in value.items():
            if name in names:
                self._set_key(node, name, child)
            else:
                self._add_key(node, str(name), child, kept[-1])

    def _set_key(self, node: Any, name: str, value: Any, order: tuple[str, ...] = ()) -> None:
        """Replace the value of a key in a mapping, or add the key."""
        for key, child in node.value:
            if key.value == name:
                self._set_value(child, value, self._find_column(key), bool(node.flow_style))
                return
        before = order[: order.index(name)] if name in order else ()
        places = [at for at, (key, _) in enumerate(node.value) if key.value in before]
        self._add_key(node, name, value, places[-1] if places else -1)

    def _replace_scalar(self, node: Any, new: Any, indent: int, *, flow: bool) -> None:
        """Replace a scalar. `indent` is the column of its key."""
        start = node.start_mark.index
        if node.style in BLOCK_STYLES:
            end = self._find_end(node, indent)
            written = self.text[start:end]
            is_text = isinstance(new, str)
            text = rewrite_block(written, new, indent, self.end) if is_text else format_value(new)
            self._parts.append((start, end, text))
            return
        end = node.end_mark.index
        scalar = rewrite_scalar(self.text[start:end], new, node.style or "", flow=flow)
        if self.text[:start].endswith((":", "-")):  # the value is empty
            scalar = f" {scalar}"
        self._parts.append((start, end, scalar))

    def _replace_whole(self, node: Any, value: Any, indent: int, *, flow: bool) -> None:
        """Replace a list or mapping by a value on one line, after its key or dash."""
        start, end = node.start_mark.index, self._find_end(node, indent)
        if not node.flow_style:
            start = len(self.text[:start].rstrip())
        room = " " if not node.flow_style else ""
        self._parts.append((start, end, room + format_value(value, flow=flow)))

    # -- texts in several languages

    def _change_text(self, node: Any, change: TextEdit, *, flow: bool) -> None:
        if isinstance(node, yaml.MappingNode):
            self._set_key(node, change.language, change.text)
            return
        column = self._find_indent(node)
        if change.language == change.source:
            self._replace_scalar(node, change.text, column, flow=flow)
            return
        start = node.start_mark.index
        both = {change.source: node.value, change.language: change.text}
        if node.style in BLOCK_STYLES:
            end = self._find_end(node, column)
            room = self.end + " " * (column + 2)
            start = len(self.text[:start].rstrip(" "))
            new = "".join(
                f"{room}{code}: {format_block(text, column + 4, self.end)}"
                for code, text in both.items()
            )
            self._parts.append((start, end, new))
            return
        like = node.style or ""
        entry = ", ".join(f"{code}: {format_scalar(text, like)}" for code, text in both.items())
        self._parts.append((start, node.end_mark.index, "{" + entry + "}"))

    # -- keys

    def _add_key(self, node: Any, name: str, new: Any, after: int) -> None:
        """Add a key to a mapping after the entry at an index."""
        entry = f"{format_scalar(name, '')}: "
        if not node.value:
            start, end = node.start_mark.index, node.end_mark.index
            self._parts.append((start, end, f"{{{entry}{format_value(new)}}}"))
            return
        key, value = node.value[after]
        indent = self._find_column(key)
        like = (value.style or "") if isinstance(value, yaml.ScalarNode) else ""
        if node.flow_style:
            own_line = not self.text[: key.start_mark.index].rpartition("\n")[2].strip()
            apart = f",{self.end}{' ' * indent}" if own_line else ", "
            made = f"{apart}{entry}{format_value(new, like)}"
            self._parts.append((value.end_mark.index, value.end_mark.index, made))
            return
        if like in BLOCK_STYLES and isinstance(new, str):
            made = format_block(new, indent + 2, self.end)
        else:
            made = format_value(new, like, flow=False)
        at = self._find_line_end(self._find_end(value, indent))
        self._parts.append((at, at, f"{self.end}{' ' * indent}{entry}{made}"))

    def _remove_key(self, node: Any, name: str | int) -> None:
        """Remove an entry of a mapping that has others. Raises LookupError."""
        at = next((at for at, (key, _) in enumerate(node.value) if key.value == name), -1)
        if at < 0 or len(node.value) == 1:
            raise LookupError(name)
        key, value = node.value[at]
        start, end = key.start_mark.index, self._find_end(value, self._find_column(key))
        line = self.text.rfind("\n", 0, start) + 1
        if node.flow_style and at:
            start = node.value[at - 1][1].end_mark.index
        elif node.flow_style or self.text[line:start].strip():
            end = node.value[1][0].start_mark.index
        else:
            start, end = line, self._find_line_end(end)
            end += len(self.end) if end < len(self.text) else 0
        self._parts.append((start, end, ""))

    # -- lists

    def _set_items(self, node: Any, items: list[Any], indent: int, flow: bool) -> None:
        """Replace, insert and remove the items of a list that differ."""
        old, new = [read_typed(child) for child in node.value], list(map(type_value, items))
        if len(old) == len(new):
            for child, item in zip(node.value, items, strict=True):
                column = self._find_indent(child)
                self._set_value(child, item, column, bool(node.flow_style))
            return
        before = sum(1 for _ in _take_equal(old, new))
        after = sum(1 for _ in _take_equal(old[before:][::-1], new[before:][::-1]))
        gone, added = node.value[before : len(old) - after], items[before : len(new) - after]
        if not items or not old or (gone and added):
            self._replace_whole(node, items, indent, flow=flow)
        elif added:
            self._insert_items(node, before, added)
        else:
            self._remove_items(node, before, len(gone))

    def _insert_items(self, node: Any, before: int, items: list[Any]) -> None:
        """Insert items into a list that has some, after as many as `before`."""
        words = [format_value(item, flow=True) for item in items]
        beside = node.value[max(0, before - 1)]
        start, end = beside.start_mark.index, self._find_end(beside, node.start_mark.column)
        if node.flow_style:
            text = ", ".join(words)
            part = (end, end, f", {text}") if before else (start, start, f"{text}, ")
            self._parts.append(part)
            return
        dash = " " * node.start_mark.column + "- "
        if before:
            at = self._find_line_end(end)
            lines = "".join(f"{self.end}{dash}{word}" for word in words)
        else:
            at = self.text.rfind("\n", 0, node.start_mark.index) + 1
            lines = "".join(f"{dash}{word}{self.end}" for word in words)
        self._parts.append((at, at, lines))

    def _remove_items(self, node: Any, first: int, count: int) -> None:
        """Remove items of a list that has others."""
        last = first + count - 1
        column = node.start_mark.column
        start, end = node.value[first].start_mark.index, self._find_end(node.value[last], column)
        if node.flow_style and first:
            start = self._find_end(node.value[first - 1], column)
        elif node.flow_style:
            end = node.value[last + 1].start_mark.index
        else:
            start = self.text.rfind("\n", 0, start) + 1
            end = min(self._find_line_end(end) + len(self.end), len(self.text))
        self._parts.append((start, end, ""))

    # -- places in the text

    def _find_column(self, node: Any) -> int:
        """Return the column of a node."""
        at: int = node.start_mark.index
        return at - self.text.rfind("\n", 0, at) - 1

    def _find_indent(self, node: Any) -> int:
        """Return the column of the node's key, or of the dash of its list entry."""
        at = node.start_mark.index
        line = self.text.rfind("\n", 0, at) + 1
        before = self.text[line:at]
        if not before.strip("- "):
            return before.rfind("-")
        return len(before) - len(before.lstrip("- "))

    def _find_end(self, node: Any, indent: int) -> int:
        """Return the index after the last character of a node, without blank lines and comments
        that follow. `indent` is the column of its key or dash."""
        while not isinstance(node, yaml.ScalarNode) and not node.flow_style and node.value:
            is_mapping = isinstance(node, yaml.MappingNode)
            key, last = node.value[-1] if is_mapping else (None, node.value[-1])
            indent, node = self._find_column(key) if key else node.start_mark.column, last
        if isinstance(node, yaml.ScalarNode) and node.style in BLOCK_STYLES:
            return find_block_end(self.text, node.start_mark.index, indent)
        end: int = node.end_mark.index
        return end

    def _find_line_end(self, at: int) -> int:
        """Return the index of the end of the line that contains `at`."""
        found = self.text.find("\n", at)
        found = len(self.text) if found < 0 else found
        return found - 1 if self.text[found - 1 : found] == "\r" else found


def _take_equal(one: Sequence[Any], other: Sequence[Any]) -> Iterator[Any]:
    """Yield the equal items at the beginning of two lists."""
    for a, b in zip(one, other, strict=False):
        if a != b:
            return
        yield a

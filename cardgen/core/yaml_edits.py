"""Edits of texts in YAML files that keep everything else as its author wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from cardgen.core import work_limits
from cardgen.core.yaml_nodes import parse_scalar

_EditLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
YamlPath = tuple[str | int, ...]
"""Keys and places in lists, from the top of a file down."""
_STRING_TAG = "tag:yaml.org,2002:str"
_BLOCK_STYLES = ("|", ">")
# Words other YAML readers take for booleans.
_BOOLEAN_WORDS = frozenset({"y", "n", "yes", "no", "on", "off"})
"""Words that other YAML readers take for booleans."""
_ESCAPED_PATTERN = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]'
)
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LINE_BREAKS = re.compile("[\r\x85\u2028\u2029]")
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


YamlChange = TextEdit | ListAppend


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
        tree = yaml.compose(text, Loader=_EditLoader)
        plain = _convert_to_plain(tree)
        writer = _YamlWriter(text)
        for change in changes:
            _change_plain(plain, change)
            writer.add_change(_find_node(tree, change.path), change)
        result = writer.build()
        return (
            result if _convert_to_plain(yaml.compose(result, Loader=_EditLoader)) == plain else None
        )
    except (yaml.YAMLError, LookupError, TypeError, ValueError, UnicodeEncodeError):
        return None


def _convert_to_plain(tree: Any) -> Any:
    """Return the content of a tree, its scalars as written."""
    if isinstance(tree, yaml.MappingNode):
        return {key.value: _convert_to_plain(child) for key, child in tree.value}
    if isinstance(tree, yaml.SequenceNode):
        return [_convert_to_plain(child) for child in tree.value]
    return tree.value


def _change_plain(plain: Any, change: YamlChange) -> None:
    """Make a change in the plain content of a tree."""
    *above, last = change.path
    for part in above:
        plain = plain[part]
    if isinstance(change, ListAppend):
        plain[last] = [*plain[last], change.word]
        return
    was = plain[last]
    entry = was if isinstance(was, dict) else {change.source: was}
    plain[last] = {**entry, change.language: change.text}
    if not isinstance(was, dict) and change.language == change.source:
        plain[last] = change.text


def _find_node(tree: Any, path: YamlPath) -> Any:
    """Return the node at a path. Raises LookupError."""
    for part in path:
        if isinstance(tree, yaml.MappingNode):
            tree = next((child for key, child in tree.value if key.value == part), None)
        elif isinstance(tree, yaml.SequenceNode) and isinstance(part, int):
            tree = tree.value[part]
        else:
            raise LookupError(part)
    if tree is None:
        raise LookupError(path)
    return tree


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

    def add_change(self, node: Any, change: YamlChange) -> None:
        if isinstance(change, ListAppend):
            self._append_word(node, change.word)
            return
        if isinstance(node, yaml.ScalarNode):
            self._change_scalar(node, change)
            return
        key, value = next((p for p in node.value if p[0].value == change.language), (None, None))
        if key is None:
            self._add_key(node, change)
        else:
            self._replace_scalar(
                value, change.text, _find_column(self.text, key), flow=node.flow_style
            )

    def _replace_scalar(self, value: Any, new: str, indent: int, *, flow: bool) -> None:
        """Replace a scalar. `indent` is the column of its key."""
        if value.style in _BLOCK_STYLES:
            start, end = value.start_mark.index, _find_block_end(self.text, value, indent)
            self._parts.append((start, end, self._format_block(new, indent)))
            return
        scalar = format_scalar(new, value.style or "", flow=flow)
        if self.text[: value.start_mark.index].endswith(":"):  # the value is empty
            scalar = f" {scalar}"
        self._parts.append((value.start_mark.index, value.end_mark.index, scalar))

    def _format_block(self, text: str, indent: int) -> str:
        """Return a text as a block scalar without its last line break.

        A text that a block cannot hold is quoted.
        """
        lines = text.removesuffix("\n").split("\n")
        scalar = [line for line in lines if line]
        wrong = not scalar or lines[0][:1] in {" ", "\t", ""} or _LINE_BREAKS.search(text)
        if wrong or text.endswith("\n\n"):
            return format_scalar(text, '"')
        head = "|" if text.endswith("\n") else "|-"
        room = " " * (indent + 2)
        return self.end.join([head, *(f"{room}{line}" if line else "" for line in lines)])

    def _change_scalar(self, node: Any, change: TextEdit) -> None:
        """Turn a text without languages into a mapping of two, or replace it."""
        column = self._find_indent(node)
        if change.language == change.source:
            self._replace_scalar(node, change.text, column, flow=False)
            return
        start = node.start_mark.index
        both = ((change.source, node.value), (change.language, change.text))
        if node.style in _BLOCK_STYLES:
            end = _find_block_end(self.text, node, column)
            room = self.end + " " * (column + 2)
            start = len(self.text[:start].rstrip(" "))
            new = "".join(
                f"{room}{code}: {self._format_block(text, column + 2)}" for code, text in both
            )
            self._parts.append((start, end, new))
            return
        like = node.style or ""
        entry = ", ".join(f"{code}: {format_scalar(text, like)}" for code, text in both)
        self._parts.append((start, node.end_mark.index, "{" + entry + "}"))

    def _find_indent(self, node: Any) -> int:
        """Return the column of the node's key, or of the dash of its list entry."""
        at = node.start_mark.index
        line = self.text.rfind("\n", 0, at) + 1
        before = self.text[line:at]
        if not before.strip("- "):
            return before.rfind("-")
        return len(before) - len(before.lstrip("- "))

    def _add_key(self, node: Any, change: TextEdit) -> None:
        """Add a language at the end of a mapping."""
        key, value = node.value[-1]
        indent = _find_column(self.text, key)
        if node.flow_style:
            new = f"{change.language}: {format_scalar(change.text, value.style or '', flow=True)}"
            own_line = not self.text[: key.start_mark.index].rpartition("\n")[2].strip()
            apart = f",{self.end}{' ' * indent}" if own_line else ", "
            self._parts.append((value.end_mark.index, value.end_mark.index, apart + new))
            return
        if value.style in _BLOCK_STYLES:
            new = self._format_block(change.text, indent)
            at = _find_block_end(self.text, value, indent)
        else:
            new = format_scalar(change.text, value.style or "")
            at = self._find_line_end(value.end_mark.index)
        entry = f"{self.end}{' ' * indent}{change.language}: {new}"
        self._parts.append((at, at, entry))

    def _append_word(self, node: Any, word: str) -> None:
        last = node.value[-1]
        if node.flow_style:
            self._parts.append(
                (last.end_mark.index, last.end_mark.index, f", {format_scalar(word, '')}")
            )
            return
        at = self._find_line_end(last.end_mark.index)
        dash = " " * node.start_mark.column
        self._parts.append((at, at, f"{self.end}{dash}- {format_scalar(word, '')}"))

    def _find_line_end(self, at: int) -> int:
        """Return the index of the end of the line that contains `at`."""
        found = self.text.find("\n", at)
        found = len(self.text) if found < 0 else found
        return found - 1 if self.text[found - 1 : found] == "\r" else found


def _find_column(text: str, key: Any) -> int:
    """Return the column of a key."""
    at: int = key.start_mark.index
    return at - text.rfind("\n", 0, at) - 1


def _find_block_end(text: str, node: Any, indent: int) -> int:
    """Return the end of the last non-empty line of a block scalar with that key column."""
    at = text.find("\n", node.start_mark.index)
    end = len(text) if at < 0 else at
    while 0 <= at < len(text) - 1:
        following = text.find("\n", at + 1)
        following = len(text) if following < 0 else following
        line = text[at + 1 : following]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        end = following if line.strip() else end
        at = following
    return end - 1 if text[end - 1 : end] == "\r" else end


def format_scalar(text: str, like: str, *, flow: bool = True) -> str:
    """Return a text as a YAML scalar on one line: plain, single-quoted or double-quoted.

    `like` is the quoting style of the neighbour, "" for plain.
    """
    if like == "" and _is_plain(text, flow=flow):
        return text
    breaks = _ESCAPED_PATTERN.search(text.replace('"', "").replace("\\", ""))
    if like == "'" and not breaks:
        return "'" + text.replace("'", "''") + "'"
    return '"' + _ESCAPED_PATTERN.sub(_escape_character, text) + '"'


def _is_plain(text: str, *, flow: bool) -> bool:
    """Return True if every YAML reader reads the unquoted text as this text."""
    wrong = (
        not text.strip() or text != text.strip() or "\n" in text or _ESCAPED_PATTERN.search(text)
    )
    if wrong or parse_scalar(text) != text or text.lower() in _BOOLEAN_WORDS:
        return False
    try:
        tree = yaml.compose(f"{{k: {text}}}\n" if flow else f"k: {text}\n", Loader=_EditLoader)
    except (yaml.YAMLError, UnicodeEncodeError):
        return False
    pairs = tree.value if isinstance(tree, yaml.MappingNode) else []
    if len(pairs) != 1 or not isinstance(pairs[0][1], yaml.ScalarNode):
        return False
    found = pairs[0][1]
    # Other readers may take it for a date or number if YAML's own types do.
    return bool(found.value == text and not found.style and found.tag == _STRING_TAG)


def _escape_character(sign: re.Match[str]) -> str:
    number = ord(sign[0])
    return _SHORT_ESCAPES.get(sign[0]) or (
        f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
    )

"""Values as the text of a YAML file, in the style of the value that they replace."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import yaml

from cardgen.core.yaml_nodes import parse_scalar

EditLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
BLOCK_STYLES = ("|", ">")
_STRING_TAG = "tag:yaml.org,2002:str"
_BOOLEAN_WORDS = frozenset({"y", "n", "yes", "no", "on", "off"})
"""Words that other YAML readers take for booleans."""
_ESCAPED_PATTERN = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]'
)
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_LINE_BREAKS = re.compile("[\r\x85\u2028\u2029]")
_FOLD = re.compile(r"(?<=[^\n])\n(?=[^\n \t])")
"""A line break of a folded block that is read as a space."""
_CONTINUATION = re.compile(r"[ \t]*\r?\n[ \t]*")
"""A line break within a plain or quoted scalar, with the blanks around it."""
_BLOCK_HEAD = re.compile(r"[|>]([1-9]?)[-+]?([1-9]?)")


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


def format_value(value: Any, like: str = "", *, flow: bool = True) -> str:
    """Return a value on one line; a text in the quoting style `like`.

    Raises `ValueError` for a number that no file can hold.
    """
    if isinstance(value, Mapping):
        pairs = (f"{format_scalar(str(key), '')}: {format_value(v)}" for key, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(format_value, value)) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return format_float(value)
    return str(value) if isinstance(value, int) else format_scalar(str(value), like, flow=flow)


def format_float(value: float) -> str:
    """Return a number with a point: YAML would read 1e-07 as a word."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number that a file can hold")
    text = f"{Decimal(repr(value)):f}"
    return text if "." in text else f"{text}.0"


def rewrite_scalar(written: str, value: Any, style: str, *, flow: bool) -> str:
    """Return a value in place of a plain or quoted scalar as it is `written`.

    A text of several lines keeps its line breaks where the words around them stay.
    """
    text = format_value(value, style, flow=flow)
    return keep_breaks(written, text, _CONTINUATION) if "\n" in written else text


def rewrite_block(written: str, text: str, indent: int, end: str) -> str:
    """Return a text as a block scalar in place of one as it is `written`, without its last line
    break; `indent` is the column of its key, `end` the file's line break.

    The style, the indentation and the folds of lines that stay are kept. A text that a block cannot
    hold is quoted.
    """
    head, _, body = written.replace("\r\n", "\n").partition("\n")
    lines = [line for line in body.split("\n") if line.strip()]
    room = len(lines[0]) - len(lines[0].lstrip(" ")) if lines else 0
    room = max(room, indent + 1) if lines else indent + 2
    match = _BLOCK_HEAD.match(head)
    if match is None or any(match.groups()):
        return format_block(text, indent + 2, end)
    is_folded = head[0] == ">" and not re.search(r"^[ \t]", text, re.MULTILINE)
    made = format_block(text, room, "\n")
    if made[0] != "|":
        return made
    if is_folded:
        old = "\n".join(line[room:] for line in body.split("\n"))
        ending = text[len(text.rstrip("\n")) :]
        new = text.rstrip("\n").replace("\n", "\n\n")
        folded = keep_breaks(old, new, _FOLD) + ending
        made = ">" + format_block(folded, room, "\n")[1:]
    sign, _, content = made.partition("\n")
    sign = (">" if is_folded else "|") + sign[1:]
    return (sign + head[match.end() :] + "\n" + content).replace("\n", end)


def format_block(text: str, room: int, end: str) -> str:
    """Return a text as a literal block indented by `room`, without its last line break.

    A text that a block cannot hold is quoted.
    """
    lines = text.removesuffix("\n").split("\n")
    wrong = not any(lines) or lines[0][:1] in {" ", "\t", ""} or _LINE_BREAKS.search(text)
    if wrong or text.endswith("\n\n") or _ESCAPED_PATTERN.search(re.sub(r'[\n\t"\\]', "", text)):
        return format_scalar(text, '"')
    head = "|" if text.endswith("\n") else "|-"
    return end.join([head, *(f"{' ' * room}{line}" if line else "" for line in lines)])


def find_block_end(text: str, start: int, indent: int) -> int:
    """Return the end of the last non-empty line of a block scalar that begins at `start` and whose
    key is in the column `indent`."""
    at = text.find("\n", start)
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


def keep_breaks(old: str, new: str, pattern: re.Pattern[str]) -> str:
    """Return a text with the line breaks of an older form of it that were read as spaces, in the
    parts before and after what differs."""
    flat = pattern.sub(" ", old)
    before = _count_equal(flat, new)
    after = _count_equal(flat[before:][::-1], new[before:][::-1])
    signs, shift = list(new), 0
    for match in pattern.finditer(old):
        at = match.start() - shift
        shift += len(match[0]) - 1
        if at < before:
            signs[at] = match[0]
        elif at >= len(flat) - after:
            signs[at + len(new) - len(flat)] = match[0]
    return "".join(signs)


def _count_equal(one: str, other: str) -> int:
    """Return the number of equal characters at the beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_plain(text: str, *, flow: bool) -> bool:
    """Return True if every YAML reader reads the unquoted text as this text."""
    wrong = (
        not text.strip() or text != text.strip() or "\n" in text or _ESCAPED_PATTERN.search(text)
    )
    if wrong or parse_scalar(text) != text or text.lower() in _BOOLEAN_WORDS:
        return False
    try:
        tree = yaml.compose(f"{{k: {text}}}\n" if flow else f"k: {text}\n", Loader=EditLoader)
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

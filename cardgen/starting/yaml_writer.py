"""YAML as a person would write it: short things on one line, quotes only where needed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cardgen.core.yaml_nodes import parse_scalar
from cardgen.core.yaml_scalars import format_float

_UNQUOTED = re.compile(r"[^\W_](?:[\w .,;’'()/!?–%+&-]*[\w.)!?’%+-])?\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_MAX_LINE_CHARS = 96


def format_flow(value: Any) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        return (
            "{"
            + ", ".join(f"{_format_flow_text(str(k))}: {format_flow(v)}" for k, v in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(format_flow(v) for v in value) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float):
        return format_float(value)
    return str(value) if isinstance(value, int) else _format_flow_text(str(value))


def format_block(value: Mapping[str, Any], indent: int = 0) -> str:
    """Return a mapping with a key on each line; what does not fit goes on below it."""
    lines = []
    for key, child in value.items():
        head = f"{' ' * indent}{_format_key(key)}:"
        said = (
            format_flow(child)
            if isinstance(child, Mapping | list | tuple)
            else _format_scalar(child)
        )
        if len(head) + 1 + len(said) <= _MAX_LINE_CHARS or not isinstance(
            child, Mapping | list | tuple
        ):
            lines.append(f"{head} {said}")
        elif not isinstance(child, Mapping):
            lines += [head, *(f"{' ' * indent}  - {format_flow(each)}" for each in child)]
        else:
            lines += [head, format_block(child, indent + 2)]
    return "\n".join(lines)


def format_entry(value: Mapping[str, Any]) -> str:
    """Return a mapping as an entry of a list below its key: ` - id: …`."""
    said = format_flow(value)
    if len(said) + 4 <= _MAX_LINE_CHARS:
        return f"  - {said}"
    return "  - " + format_block(value, 4)[4:]


def _format_scalar(value: Any) -> str:
    return format_flow(value) if not isinstance(value, str) else _quote_text(value, plain=True)


def _format_key(key: Any) -> str:
    return _quote_text(str(key), plain=True)


def _format_flow_text(text: str) -> str:
    return _quote_text(text, plain="," not in text)


def _quote_text(text: str, plain: bool) -> str:
    """Return a text, in quotes where YAML would read something else."""
    if plain and _UNQUOTED.match(text) and isinstance(parse_scalar(text), str):
        return text
    return '"' + "".join(map(_escape_char, text)) + '"'


def _escape_char(sign: str) -> str:
    """Return a character in double quotes; what is not printable is written as its code point."""
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign == " " or sign.isprintable():
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"

"""Values as YAML that a person would write: short things on a line, quotes only where needed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cardgen.base.yamlnodes import scalar

_PLAIN = re.compile(r"[^\W_](?:[\w .,;’'()/!?–%+&-]*[\w.)!?’%+-])?\Z")
_WIDTH = 96


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int | float):
        return str(value)
    return _word(str(value), "," not in str(value))


def block(value: Mapping[str, Any], indent: int = 0) -> str:
    """A mapping, a key a line; what does not fit on its line goes on below it."""
    lines = []
    for key, child in value.items():
        head = f"{' ' * indent}{_key(key)}:"
        said = flow(child) if isinstance(child, Mapping | list | tuple) else _of_block(child)
        if len(head) + 1 + len(said) <= _WIDTH or not isinstance(child, Mapping | list | tuple):
            lines.append(f"{head} {said}")
        elif not isinstance(child, Mapping):
            lines += [head, *(f"{' ' * indent}  - {flow(each)}" for each in child)]
        else:
            lines += [head, block(child, indent + 2)]
    return "\n".join(lines)


def entry(value: Mapping[str, Any]) -> str:
    """A mapping as an entry of a list below its key: `  - id: …`."""
    said = flow(value)
    if len(said) + 4 <= _WIDTH:
        return f"  - {said}"
    return "  - " + block(value, 4)[4:]


def _of_block(value: Any) -> str:
    return flow(value) if not isinstance(value, str) else _word(value, plain=True)


def _key(key: Any) -> str:
    return _word(str(key), plain=True)


def _word(text: str, plain: bool) -> str:
    """A text, in quotes where YAML would read something else."""
    fine = plain and _PLAIN.match(text) and ": " not in text and " #" not in text
    if fine and isinstance(scalar(text), str):
        return text
    return json.dumps(text, ensure_ascii=False)

"""Rows of a CSV table as nodes, so that a table and a YAML list go the same way.

The first row names the fields. `name.fi` is the Finnish text of `name`, `greenhorn.cash` a field
of a record; a list is written `1; 1; 3`. An empty cell is a field left out.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from cardgen.base import paths
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.yamlnodes import UNPRINTABLE, Node
from cardgen.game.fields import read_cell
from cardgen.game.model import Field

_SAVE_AS = "save the table as CSV UTF-8"
_SHOWN = 6
_MOST_LOOKED_AT = 200
"""Columns more than these are no slips of the pen."""


def rows(
    text: str, path: str, fields: Mapping[str, Field], always: Collection[str] | None = None
) -> tuple[list[Node], list[Problem]]:
    """One mapping node a row. `path` is the table's name in problems; `always` are columns beside
    the fields; without them, any may stand."""
    problems: list[Problem] = []
    stream = io.StringIO(text.removeprefix("\ufeff"), newline="")
    reader = csv.reader(stream, delimiter=_delimiter(text), strict=True)
    nodes: list[Node] = []
    header: list[str] = []
    start, first = 1, Source(path, 1)
    try:
        for cells in reader:
            source = Source(path, start)
            start = reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header, first = [_clean(cell).strip() for cell in cells], source
                problems += [*_unprintable(cells, source), *_wrong_header(header, source)]
                continue
            if any(cell.strip() for cell in cells[len(header) :]):
                message = f"the row has {len(cells)} cells, the first row names {len(header)}"
                problems.append(Problem(source, message, "table"))
            problems += [*_nameless(header, cells, source), *_unprintable(cells, source)]
            nodes.append(_row(header, [_clean(cell) for cell in cells], source, fields))
    except csv.Error as error:
        message = f"not CSV: {error}; is a quote in this row not closed, or not doubled?"
        problems.append(Problem(Source(path, start), message, "table"))
    if always is not None:
        known = {*fields, *always}
        heads = {name: name.partition(".")[0] for name in header if name}
        strange = {n: head for n, head in heads.items() if head not in known}
        strange = {n: head for n, head in strange.items() if any(row.get(head) for row in nodes)}
        problems += _undeclared(list(strange), known, first)
        nodes = [_without(row, strange.values()) for row in nodes] if strange else nodes
    return nodes, problems


def misencoded(root: Path, path: str) -> Problem:
    """Where a table that is not UTF-8 is first anything else."""
    try:
        data = paths.read_bytes(root, path, paths.MAX_TEXT_BYTES)
    except paths.Unreadable as error:
        return Problem(Source(path), f"the table {error}", "file")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Problem(Source(path, 1), f"the table is UTF-16; {_SAVE_AS}", "file")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        around = data[max(0, error.start - 20) : error.end + 20].decode("cp1252", "replace")
        word = re.search(r"[^\s,;\t\"]*\Z", around[: min(20, error.start) + 1])
        rest = re.match(r"[^\s,;\t\"]*", around[min(20, error.start) + 1 :])
        said = f"{word[0] if word else ''}{rest[0] if rest else ''}"
        return Problem(Source(path, line), f"'{said}' is not UTF-8; {_SAVE_AS}", "file")
    return Problem(Source(path), f"it is not UTF-8; {_SAVE_AS}", "file")


def _undeclared(strange: list[str], known: Collection[str], header: Source) -> Iterator[Problem]:
    """The columns that are no fields: those that are misspelt one by one, the others at once."""
    others = []
    for number, name in enumerate(strange):
        hint = did_you_mean(name.partition(".")[0], known) if number < _MOST_LOOKED_AT else ""
        if "did you mean" in hint:
            yield Problem(header, f"unknown column '{name}'{hint}", "fields")
        else:
            others.append(name)
    if others:
        listed = ", ".join(f"'{name}'" for name in others[:_SHOWN])
        rest = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        one = len(others) == 1
        are, them = ("is no field", "it") if one else ("are no fields", "them")
        message = f"{listed}{rest} {are} of the deck; declare {them} under fields:"
        yield Problem(header, message, "fields")


def _without(row: Node, names: Collection[str]) -> Node:
    kept = {name: node for name, node in row.items() if name not in names}
    return Node(kept, row.source, {name: row.keys[name] for name in kept})


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _wrong_header(header: list[str], source: Source) -> list[Problem]:
    counts = Counter(header)
    twice = sorted(name for name, count in counts.items() if name and count > 1)
    messages = [f"the column '{name}' stands twice" for name in twice]
    parted = {name: name.partition(".")[0] for name in header if "." in name}
    messages += [
        f"the columns '{head}' and '{name}' cannot both stand"
        for name, head in parted.items()
        if head in counts
    ]
    return [Problem(source, message, "table") for message in messages]


def _nameless(header: list[str], cells: list[str], source: Source) -> list[Problem]:
    return [
        Problem(source, f"'{cell.strip()}' stands in a column without a name", "table")
        for name, cell in zip(header, cells, strict=False)
        if cell.strip() and not name
    ]


def _unprintable(cells: list[str], source: Source) -> list[Problem]:
    found = dict.fromkeys(sign for cell in cells for sign in UNPRINTABLE.findall(cell))
    return [
        Problem(source, f"U+{ord(sign):04X} is no character that can be printed", "table")
        for sign in found
    ]


def _clean(cell: str) -> str:
    return UNPRINTABLE.sub("\ufffd", cell).replace("\r\n", "\n").replace("\r", "\n")


def _row(header: list[str], cells: list[str], source: Source, fields: Mapping[str, Field]) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Source] = {}
    for name, raw in zip(header, cells, strict=False):
        cell = raw.strip()
        if not name or not cell:
            continue
        head, _, rest = name.partition(".")
        keys[head] = source
        if not rest:
            values[head] = read_cell(cell, fields.get(head), source)
            continue
        inner = values.setdefault(head, Node({}, source, {}))
        if not inner.is_mapping:
            continue
        declared = fields.get(head)
        child = declared.fields.get(rest) if declared else None
        node = read_cell(cell, child, source) if child else Node(cell, source)
        merged = {**inner.value, rest: node}
        values[head] = Node(merged, source, dict.fromkeys(merged, source))
    return Node(values, source, keys)

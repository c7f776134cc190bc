"""Rows of a CSV table as nodes, so that a table and a YAML list go the same way.

The first row names the fields. `name.fi` is the Finnish text of `name`, `greenhorn.cash` a field
of a record; a list is written `1; 1; 3`. An empty cell is a field left out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from cardgen.model import Field
from cardgen.problems import Problem, Source
from cardgen.yamlnodes import Node, scalar


def rows(text: str, path: str, fields: Mapping[str, Field]) -> tuple[list[Node], list[Problem]]:
    """One mapping node a row. `path` is the table's name in problems."""
    problems: list[Problem] = []
    stream = io.StringIO(text.removeprefix("\ufeff"), newline="")
    reader = csv.reader(stream, delimiter=_delimiter(text), strict=True)
    nodes: list[Node] = []
    header: list[str] = []
    start = 1
    try:
        for cells in reader:
            source = Source(path, start)
            start = reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = [cell.strip() for cell in cells]
                problems += _wrong_header(header, source)
                continue
            if any(cell.strip() for cell in cells[len(header) :]):
                message = f"the row has {len(cells)} cells, the first row names {len(header)}"
                problems.append(Problem(source, message, "table"))
            problems += _nameless(header, cells, source)
            nodes.append(_row(header, cells, source, fields))
    except csv.Error as error:
        message = f"not CSV: {error}; is a quote in this row not closed, or not doubled?"
        problems.append(Problem(Source(path, start), message, "table"))
    return nodes, problems


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _wrong_header(header: list[str], source: Source) -> list[Problem]:
    twice = sorted({name for name in header if name and header.count(name) > 1})
    messages = [f"the column '{name}' stands twice" for name in twice]
    parted = {name: name.partition(".")[0] for name in header if "." in name}
    messages += [
        f"the columns '{head}' and '{name}' cannot both stand"
        for name, head in parted.items()
        if head in header
    ]
    return [Problem(source, message, "table") for message in messages]


def _nameless(header: list[str], cells: list[str], source: Source) -> list[Problem]:
    return [
        Problem(source, f"'{cell.strip()}' stands in a column without a name", "table")
        for name, cell in zip(header, cells, strict=False)
        if cell.strip() and not name
    ]


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
            values[head] = _cell(cell, fields.get(head), source)
            continue
        inner = values.setdefault(head, Node({}, source, {}))
        if not inner.is_mapping:
            continue
        declared = fields.get(head)
        child = declared.fields.get(rest) if declared else None
        node = _cell(cell, child, source) if child else Node(cell, source)
        merged = {**inner.value, rest: node}
        values[head] = Node(merged, source, dict.fromkeys(merged, source))
    return Node(values, source, keys)


def _cell(cell: str, declared: Field | None, source: Source) -> Node:
    if declared and declared.kind == "list":
        parts = [part.strip() for part in cell.split(";") if part.strip()]
        return Node([_cell(part, declared.item, source) for part in parts], source)
    if declared and declared.kind in {"text", "string"}:
        return Node(cell, source)
    return Node(scalar(cell), source, raw=cell)

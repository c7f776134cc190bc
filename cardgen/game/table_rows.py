"""Rows of cells as nodes, so that a table and a YAML list go the same way.

The first row names the fields. `name.fi` is the Finnish text of `name`, `greenhorn.cash` a field
of a record; a list is written `1; 1; 3`. An empty cell is a field left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.yamlnodes import UNPRINTABLE, Node
from cardgen.game.fields import LIST_SIGN, read_cell
from cardgen.game.model import Field

NAMELESS = ""
"""What `columns:` calls those without a heading, to leave them out."""
_SHOWN = 6
_MOST_LOOKED_AT = 200
"""Columns more than these are no slips of the pen."""
_GAP = re.compile(r"[\s_]+")


@dataclass(frozen=True)
class Row:
    """Cells as they are written. Those of a workbook have a place in its `sheet`."""

    source: Source
    cells: Sequence[str]
    sheet: str = ""

    def at(self, column: int) -> Source:
        """Where a cell stands."""
        if not self.sheet:
            return self.source
        place = f"{self.sheet}!{letters(column)}{self.source.line}"
        return replace(self.source, place=place)


def letters(column: int) -> str:
    """What a spreadsheet calls a column, counted from 0: A, B … Z, AA …"""
    said = ""
    column += 1
    while column:
        column, last = divmod(column - 1, 26)
        said = chr(ord("A") + last) + said
    return said


@dataclass(frozen=True)
class Column:
    """What a deck says of a column: the field that it is, "" for none; and what parts the values of
    a list there, if it is not the usual sign."""

    field: str
    split: str = ""
    source: Source | None = None
    """Where the deck says so."""


def nodes(
    rows: Sequence[Row],
    fields: Mapping[str, Field],
    columns: Mapping[str, Column],
    always: Collection[str] | None = None,
) -> tuple[list[Node], list[Problem]]:
    """One mapping node a row; `always` are columns beside the fields; without them, any may
    stand."""
    if not rows:
        return [], []
    first, *others = rows
    problems = _unprintable(first)
    known = {*fields, *(always or ())}
    header = [column_of(name, columns, known) for name in first.cells]
    problems += _wrong_header([column.field for column in header], first.source)
    found = []
    for row in others:
        if any(cell.strip() for cell in row.cells[len(header) :]):
            message = f"the row has {len(row.cells)} cells, the first row names {len(header)}"
            problems.append(Problem(row.source, message, "table"))
        problems += [*_nameless(header, first.cells, row), *_unprintable(row)]
        node = _node(header, row, fields)
        if node.value:
            found.append(node)
    if always is not None:
        heads = {c.field: c.field.partition(".")[0] for c in header if c.field}
        strange = {name: head for name, head in heads.items() if head not in known}
        strange = {n: head for n, head in strange.items() if any(node.get(head) for node in found)}
        problems += _undeclared(list(strange), known, first.source)
        found = [_without(node, strange.values()) for node in found] if strange else found
    return found, problems


def name_of(name: str) -> str:
    """What a column is called, as the first row has it."""
    return _clean(name).strip()


def column_of(name: str, columns: Mapping[str, Column], known: Collection[str]) -> Column:
    """What a column is: what the deck says of it, the field of that name, or of nearly that name:
    `Card Name` for `card-name`."""
    name = name_of(name)
    if name in columns:
        return columns[name]
    head, dot, rest = name.partition(".")
    if head in known:
        return Column(name)
    for joined in ("_", "-", ""):
        plain = _GAP.sub(joined, head.strip()).lower()
        if plain in known:
            return Column(f"{plain}{dot}{rest.strip().lower()}")
    return Column(name)


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
        message = (
            f"{listed}{rest} {are} of the deck; declare {them} under fields:, "
            f"or leave {them} out: columns: {{{_quoted(others[0])}: ignore}}"
        )
        yield Problem(header, message, "fields")


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z][\w. -]*", name) else f'"{name}"'


def _without(row: Node, names: Collection[str]) -> Node:
    kept = {name: node for name, node in row.items() if name not in names}
    return Node(kept, row.source, {name: row.keys[name] for name in kept})


def _wrong_header(header: list[str], source: Source) -> list[Problem]:
    counts = Counter(header)
    twice = sorted(name for name, count in counts.items() if name and count > 1)
    messages = [f"the column '{name}' stands twice" for name in twice]
    parted = {name: name.partition(".")[0] for name in header if "." in name}
    messages += [
        f"the columns '{head}' and '{name}' cannot both stand; which language is the first in?"
        for name, head in parted.items()
        if head in counts
    ]
    return [Problem(source, message, "table") for message in messages]


def _nameless(header: Sequence[Column], names: Sequence[str], row: Row) -> list[Problem]:
    """The cells in columns without a heading, unless the deck leaves those out."""
    return [
        Problem(row.at(n), f"'{cell.strip()}' stands in a column without a name", "table")
        for n, (column, name, cell) in enumerate(zip(header, names, row.cells, strict=False))
        if cell.strip() and not name.strip() and column.source is None
    ]


def _unprintable(row: Row) -> list[Problem]:
    found = dict.fromkeys(sign for cell in row.cells for sign in UNPRINTABLE.findall(cell))
    return [
        Problem(row.source, f"U+{ord(sign):04X} is no character that can be printed", "table")
        for sign in found
    ]


def _clean(cell: str) -> str:
    return UNPRINTABLE.sub("\ufffd", cell).replace("\r\n", "\n").replace("\r", "\n")


def _node(header: Sequence[Column], row: Row, fields: Mapping[str, Field]) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Source] = {}
    for number, (column, raw) in enumerate(zip(header, row.cells, strict=False)):
        cell = _clean(raw).strip()
        if not column.field or not cell:
            continue
        if column.split:
            cell = cell.replace(column.split, LIST_SIGN)
        source = row.at(number)
        head, _, rest = column.field.partition(".")
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
    return Node(values, row.source, keys)

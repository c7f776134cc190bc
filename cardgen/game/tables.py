"""The tables of a deck: files in cards/ that `rows:` names, and what `columns:` says of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from cardgen.base import paths, schema, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.yamlnodes import Node
from cardgen.game import csv_tables, table_rows, workbooks
from cardgen.game.model import Field
from cardgen.game.reading import Tell, known_keys
from cardgen.game.table_rows import Column, Row

IGNORED = "ignore"
"""What `columns:` says of a column that is no field."""
CSV = frozenset({".csv", ".tsv"})
JSON = ".json"
ENDINGS = CSV | workbooks.ENDINGS | {JSON}
MOST_BYTES = 20_000_000
_MOST_ROWS = 2_000_000
_FILE: Schema = {"type": "string"}
_TABLE_KEYS: Mapping[str, Schema] = {
    "file": _FILE,
    "sheet": schema.WORD,
    "header": schema.said("The row of the headings, where others stand above.", schema.whole(1)),
    "from": schema.said("A published sheet, for cardgen fetch.", schema.WORD),
}
_COLUMN_KEYS: Mapping[str, Schema] = {
    "field": {"type": "string"},
    "split": schema.said("The sign between values of a list.", schema.WORD),
}
ROWS = schema.several(schema.either(_FILE, schema.mapping(_TABLE_KEYS, ["file"])))
COLUMNS = schema.named(schema.either({"type": "string"}, schema.mapping(_COLUMN_KEYS)))
_ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)")
"""In JSON: a character beyond the first 65,536, in two halves, or any other escape."""


@dataclass(frozen=True)
class Table:
    """A table that a deck names: its file in cards/, a sheet of it or "", where it says so, the
    address that `cardgen fetch` has it from, and the row of its headings, counted from 1 (in CSV
    the line), if it is not the first that holds anything."""

    file: str
    sheet: str
    source: Source
    origin: str = ""
    header: int = 0

    @property
    def path(self) -> str:
        return f"cards/{self.file}"


def named(node: Node | None, tell: Tell) -> list[Table]:
    """The tables of `rows:`, which is a file's name, a mapping with `file`, `sheet`, `header` and
    `from`, or a list of such."""
    if node is None:
        return []
    given = node.nodes() if node.is_list else [node]
    return [table for each in given if (table := _table(each, tell)) is not None]


def _table(node: Node, tell: Tell) -> Table | None:
    file, sheet = node, None
    if node.is_mapping:
        known_keys(node, _TABLE_KEYS, "rows", tell)
        file, sheet = node.get("file") or Node(None, node.source), node.get("sheet")
    if not isinstance(file.value, str):
        tell(file.source, f"rows is {node.describe()}; the name of a table in cards/", "type")
        return None
    if sheet is not None and not sheet.is_scalar:
        tell(sheet.source, f"sheet is {sheet.describe()}; the name of a sheet", "type")
        return None
    ending = PurePosixPath(file.value).suffix.lower()
    if ending not in ENDINGS:
        asked = ", ".join(sorted(ENDINGS))
        tell(file.source, f"'{file.value}' is no table; its ending is one of {asked}", "file")
        return None
    if sheet is not None and ending not in workbooks.ENDINGS:
        tell(sheet.source, f"{file.value} has no sheets", "table")
    origin = node.get("from")
    if origin is not None and not origin.is_scalar:
        tell(origin.source, f"from is {origin.describe()}; the address of a sheet", "type")
        origin = None
    return Table(
        file.value, sheet.text if sheet is not None else "", file.source,
        origin.text if origin is not None else "", _header(node.get("header"), ending, tell),
    )  # fmt: skip


def _header(given: Node | None, ending: str, tell: Tell) -> int:
    if given is None:
        return 0
    if ending == JSON:
        tell(given.source, "JSON has no row of headings", "table")
    row = given.whole(1, _MOST_ROWS)
    if row is None:
        tell(given.source, f"header is {given.describe()}; the number of a row", "type")
    return row or 0


def columns(node: Node | None, tell: Tell) -> dict[str, Column]:
    """What `columns:` says: a field for a column's name, `ignore`, or a mapping with `field` and
    `split`."""
    if node is None:
        return {}
    if not node.is_mapping:
        message = f"columns is {node.describe()}; it maps names of columns to fields"
        tell(node.source, message, "type")
        return {}
    found = {}
    for name, said in node.items():
        given, split = said, None
        if said.is_mapping:
            known_keys(said, _COLUMN_KEYS, f"the column {name}", tell)
            given, split = said.get("field") or Node(name, said.source), said.get("split")
        if not isinstance(given.value, str):
            asked = f"the name of a field, or {IGNORED}"
            tell(given.source, f"the column '{name}' is {given.describe()}; {asked}", "type")
            continue
        if split is not None and (not split.is_scalar or not split.text):
            message = f"split is {split.describe()}; the sign between values, in quotes"
            tell(split.source, message, "type")
            split = None
        field = "" if given.value == IGNORED else given.value
        sign = split.text if split is not None else ""
        found[name] = Column(field, sign, node.keys[name])
    return found


def unmet(said: Mapping[str, Column], names: Collection[str]) -> Iterator[Problem]:
    """What `columns:` says of columns that none of a deck's tables has; `names` are all of them."""
    for name, column in said.items():
        if name not in names and column.source is not None:
            hint = did_you_mean(name, names)
            message = f"no table of the deck has a column '{name}'{hint}"
            yield Problem(column.source, message, "table")


def read(
    table: Table,
    root: Path,
    fields: Mapping[str, Field],
    said: Mapping[str, Column],
    always: Collection[str],
) -> tuple[list[Node], list[str], list[Problem]]:
    """A mapping node for each row of a table, and what its columns are called; neither where it
    cannot be read."""
    if PurePosixPath(table.file).suffix.lower() == JSON:
        text, problems = _text(table, root)
        if problems:
            return [], [], problems
        return _of_json(text, table.path, said, {*fields, *always})
    rows, problems = rows_of(table, root)
    if problems and not rows:
        return [], [], problems
    found, more = table_rows.nodes(rows, fields, said, always)
    names = [table_rows.NAMELESS, *map(table_rows.name_of, rows[0].cells)] if rows else []
    return found, names, problems + more


def rows_of(table: Table, root: Path) -> tuple[list[Row], list[Problem]]:
    """The rows of a table that is no JSON, from that of its headings on, whatever the deck makes of
    them; those that are empty are left out."""
    found, problems = _all_rows(table, root)
    return [row for row in found if row.source.line >= table.header], problems


def _all_rows(table: Table, root: Path) -> tuple[list[Row], list[Problem]]:
    if PurePosixPath(table.file).suffix.lower() not in workbooks.ENDINGS:
        text, problems = _text(table, root)
        return ([], problems) if problems else csv_tables.rows(text, table.path)
    data, problems = _bytes(table, root)
    return (
        ([], problems) if problems else workbooks.rows(data, table.path, table.sheet, table.source)
    )


def _bytes(table: Table, root: Path) -> tuple[bytes, list[Problem]]:
    try:
        return paths.read_bytes(root, table.path, MOST_BYTES), []
    except paths.Unreadable as error:
        return b"", [Problem(table.source, f"the table {table.path} {error}", "file")]


def _text(table: Table, root: Path) -> tuple[str, list[Problem]]:
    text, why = paths.read_text(root, table.path)
    if why == paths.NOT_UTF8:
        return "", [csv_tables.misencoded(root, table.path)]
    if why:
        lacks = table.origin and not paths.there(root, table.path)
        why += "; 'cardgen fetch' fetches it" if lacks else ""
        return "", [Problem(table.source, f"the table {table.path} {why}", "file")]
    return text, []


def cards_of(table: Table, root: Path) -> tuple[list[Node], list[Problem]]:
    """The cards of a table of JSON as they are written, whatever the deck makes of them."""
    text, problems = _text(table, root)
    if problems:
        return [], problems
    cards, _, problems = _of_json(text, table.path, {}, ())
    return cards, problems


def sheets(table: Table, root: Path) -> tuple[list[str], list[Problem]]:
    """The names of a workbook's sheets; none of another table."""
    if PurePosixPath(table.file).suffix.lower() not in workbooks.ENDINGS:
        return [], []
    data, problems = _bytes(table, root)
    return ([], problems) if problems else workbooks.sheets(data, table.path)


def _of_json(
    text: str, path: str, said: Mapping[str, Column], known: Collection[str]
) -> tuple[list[Node], list[str], list[Problem]]:
    """A list of objects, a card each; JSON is read as the YAML that it nearly is, with lines."""
    plain = _ESCAPE.sub(_as_yaml, text.removeprefix("\ufeff").replace("\t", " "))
    node, problems = yamlnodes.load(plain, path)
    if node is None:
        return (
            [],
            [],
            [
                replace(problem, message=problem.message.replace("not YAML", "not JSON"))
                for problem in problems
            ],
        )
    if not node.is_list:
        return [], [], [Problem(node.source, f"it is {node.describe()}; a list of cards", "table")]
    names = dict.fromkeys(key for row in node.nodes() for key, _ in row.items())
    return [_renamed(row, said, known) for row in node.nodes()], [*names], problems


def _as_yaml(escape: re.Match[str]) -> str:
    high, low = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    return "/" if escape[0] == "\\/" else escape[0]


def _renamed(row: Node, said: Mapping[str, Column], known: Collection[str]) -> Node:
    names = {key: table_rows.column_of(key, said, known).field for key, _ in row.items()}
    if not row.is_mapping or all(key == name for key, name in names.items()):
        return row
    kept = {name: row.value[key] for key, name in names.items() if name}
    return Node(kept, row.source, {name: row.keys[key] for key, name in names.items() if name})

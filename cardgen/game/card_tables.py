"""The tables of a deck: files in cards/ that `rows:` names, and what `columns:` says of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game import csv_tables, table_rows, workbooks
from cardgen.game.keys import Report, check_keys
from cardgen.game.model import Field
from cardgen.game.table_rows import ColumnSpec, TableRow
from cardgen.runtime import game_files

IGNORE_WORD = "ignore"
"""What `columns:` says of a column that is no field."""
CSV_SUFFIXES = frozenset({".csv", ".tsv"})
JSON_SUFFIX = ".json"
TABLE_SUFFIXES = CSV_SUFFIXES | workbooks.WORKBOOK_SUFFIXES | {JSON_SUFFIX}
MAX_TABLE_BYTES = 20_000_000
MAX_TABLE_ROWS = 2_000_000
_FILE_SCHEMA: Schema = {"type": "string"}
_TABLE_KEYS: Mapping[str, Schema] = {
    "file": _FILE_SCHEMA,
    "sheet": json_schema.SCALAR,
    "header": json_schema.describe(
        "The row of the headings, where others stand above.", json_schema.allow_integer(1)
    ),
    "from": json_schema.describe("A published sheet, for cardgen fetch.", json_schema.SCALAR),
}
_COLUMN_KEYS: Mapping[str, Schema] = {
    "field": {"type": "string"},
    "split": json_schema.describe("The sign between values of a list.", json_schema.SCALAR),
}
ROWS_SCHEMA = json_schema.allow_one_or_list(
    json_schema.allow_either(_FILE_SCHEMA, json_schema.allow_mapping(_TABLE_KEYS, ["file"]))
)
COLUMNS_SCHEMA = json_schema.allow_named_values(
    json_schema.allow_either({"type": "string"}, json_schema.allow_mapping(_COLUMN_KEYS))
)
_JSON_ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)")
"""In JSON: a character beyond the first 65,536, in two halves, or any other escape."""


@dataclass(frozen=True)
class CardTable:
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


def read_table_list(node: Node | None, tell: Report) -> list[CardTable]:
    """The tables of `rows:`, which is a file's name, a mapping with `file`, `sheet`, `header` and
    `from`, or a list of such."""
    if node is None:
        return []
    given = node.list_nodes() if node.is_list else [node]
    return [table for each in given if (table := _read_table_entry(each, tell)) is not None]


def _read_table_entry(node: Node, tell: Report) -> CardTable | None:
    file, sheet = node, None
    if node.is_mapping:
        check_keys(node, _TABLE_KEYS, "rows", tell)
        file, sheet = node.get("file") or Node(None, node.source), node.get("sheet")
    if not isinstance(file.value, str):
        tell(file.source, f"rows is {node.describe()}; the name of a table in cards/", "type")
        return None
    if sheet is not None and not sheet.is_scalar:
        tell(sheet.source, f"sheet is {sheet.describe()}; the name of a sheet", "type")
        return None
    ending = PurePosixPath(file.value).suffix.lower()
    if ending not in TABLE_SUFFIXES:
        asked = ", ".join(sorted(TABLE_SUFFIXES))
        tell(file.source, f"'{file.value}' is no table; its ending is one of {asked}", "file")
        return None
    if sheet is not None and ending not in workbooks.WORKBOOK_SUFFIXES:
        tell(sheet.source, f"{file.value} has no sheets", "table")
    origin = node.get("from")
    if origin is not None and not origin.is_scalar:
        tell(origin.source, f"from is {origin.describe()}; the address of a sheet", "type")
        origin = None
    return CardTable(
        file.value, sheet.text if sheet is not None else "", file.source,
        origin.text if origin is not None else "", _read_header_row(node.get("header"), ending, tell),
    )  # fmt: skip


def _read_header_row(given: Node | None, ending: str, tell: Report) -> int:
    if given is None:
        return 0
    if ending == JSON_SUFFIX:
        tell(given.source, "JSON has no row of headings", "table")
    row = given.get_integer(1, MAX_TABLE_ROWS)
    if row is None:
        tell(given.source, f"header is {given.describe()}; the number of a row", "type")
    return row or 0


def read_columns(node: Node | None, tell: Report) -> dict[str, ColumnSpec]:
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
            check_keys(said, _COLUMN_KEYS, f"the column {name}", tell)
            given, split = said.get("field") or Node(name, said.source), said.get("split")
        if not isinstance(given.value, str):
            asked = f"the name of a field, or {IGNORE_WORD}"
            tell(given.source, f"the column '{name}' is {given.describe()}; {asked}", "type")
            continue
        if split is not None and (not split.is_scalar or not split.text):
            message = f"split is {split.describe()}; the sign between values, in quotes"
            tell(split.source, message, "type")
            split = None
        field = "" if given.value == IGNORE_WORD else given.value
        sign = split.text if split is not None else ""
        found[name] = ColumnSpec(field, sign, node.keys[name])
    return found


def report_missing_columns(
    said: Mapping[str, ColumnSpec], names: Collection[str]
) -> Iterator[Problem]:
    """What `columns:` says of columns that none of a deck's tables has; `names` are all of them."""
    for name, column in said.items():
        if name not in names and column.source is not None:
            hint = did_you_mean(name, names)
            message = f"no table of the deck has a column '{name}'{hint}"
            yield Problem(column.source, message, "table")


def read_table(
    table: CardTable,
    root: Path,
    fields: Mapping[str, Field],
    said: Mapping[str, ColumnSpec],
    always: Collection[str],
) -> tuple[list[Node], list[str], list[Problem]]:
    """A mapping node for each row of a table, and what its columns are called; neither where it
    cannot be read."""
    if PurePosixPath(table.file).suffix.lower() == JSON_SUFFIX:
        text, problems = _read_table_text(table, root)
        if problems:
            return [], [], problems
        return _read_json_rows(text, table.path, said, {*fields, *always})
    rows, problems = read_table_rows(table, root)
    if problems and not rows:
        return [], [], problems
    found, more = table_rows.make_row_nodes(rows, fields, said, always)
    names = [table_rows.NAMELESS, *map(table_rows.get_column_name, rows[0].cells)] if rows else []
    return found, names, problems + more


def read_table_rows(table: CardTable, root: Path) -> tuple[list[TableRow], list[Problem]]:
    """The rows of a table that is no JSON, from that of its headings on, whatever the deck makes of
    them; those that are empty are left out."""
    found, problems = _read_all_rows(table, root)
    return [row for row in found if row.source.line >= table.header], problems


def _read_all_rows(table: CardTable, root: Path) -> tuple[list[TableRow], list[Problem]]:
    if PurePosixPath(table.file).suffix.lower() not in workbooks.WORKBOOK_SUFFIXES:
        text, problems = _read_table_text(table, root)
        return ([], problems) if problems else csv_tables.parse_csv_rows(text, table.path)
    data, problems = _read_bytes(table, root)
    return (
        ([], problems)
        if problems
        else workbooks.read_sheet_rows(data, table.path, table.sheet, table.source)
    )


def _read_bytes(table: CardTable, root: Path) -> tuple[bytes, list[Problem]]:
    try:
        return game_files.read_bytes(root, table.path, MAX_TABLE_BYTES), []
    except game_files.UnreadableError as error:
        return b"", [Problem(table.source, f"the table {table.path} {error}", "file")]


def _read_table_text(table: CardTable, root: Path) -> tuple[str, list[Problem]]:
    text, why = game_files.read_text(root, table.path)
    if why == game_files.NOT_UTF8:
        return "", [csv_tables.find_encoding_error(root, table.path)]
    if why:
        lacks = table.origin and not game_files.has_entry(root, table.path)
        why += "; 'cardgen fetch' fetches it" if lacks else ""
        return "", [Problem(table.source, f"the table {table.path} {why}", "file")]
    return text, []


def read_json_cards(table: CardTable, root: Path) -> tuple[list[Node], list[Problem]]:
    """The cards of a table of JSON as they are written, whatever the deck makes of them."""
    text, problems = _read_table_text(table, root)
    if problems:
        return [], problems
    cards, _, problems = _read_json_rows(text, table.path, {}, ())
    return cards, problems


def list_table_sheets(table: CardTable, root: Path) -> tuple[list[str], list[Problem]]:
    """The names of a workbook's sheets; none of another table."""
    if PurePosixPath(table.file).suffix.lower() not in workbooks.WORKBOOK_SUFFIXES:
        return [], []
    data, problems = _read_bytes(table, root)
    return ([], problems) if problems else workbooks.list_sheets(data, table.path)


def _read_json_rows(
    text: str, path: str, said: Mapping[str, ColumnSpec], known: Collection[str]
) -> tuple[list[Node], list[str], list[Problem]]:
    """A list of objects, a card each; JSON is read as the YAML that it nearly is, with lines."""
    plain = _JSON_ESCAPE.sub(_escape_to_yaml, text.removeprefix("\ufeff").replace("\t", " "))
    node, problems = yaml_nodes.load(plain, path)
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
    names = dict.fromkeys(key for row in node.list_nodes() for key, _ in row.items())
    return [_rename_keys(row, said, known) for row in node.list_nodes()], [*names], problems


def _escape_to_yaml(escape: re.Match[str]) -> str:
    high, low = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    return "/" if escape[0] == "\\/" else escape[0]


def _rename_keys(row: Node, said: Mapping[str, ColumnSpec], known: Collection[str]) -> Node:
    names = {key: table_rows.match_column(key, said, known).field for key, _ in row.items()}
    if not row.is_mapping or all(key == name for key, name in names.items()):
        return row
    kept = {name: row.value[key] for key, name in names.items() if name}
    return Node(kept, row.source, {name: row.keys[key] for key, name in names.items() if name})

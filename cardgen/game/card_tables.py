"""Tables of a deck: files in cards/ that `rows:` names, with the entries of `columns:`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from cardgen.core import json_schema, work_limits, yaml_nodes
from cardgen.core.problems import Problem, Source, did_you_mean, summarise
from cardgen.core.yaml_nodes import Node
from cardgen.game import csv_tables, row_filter, table_rows, workbooks
from cardgen.game.card_ids import check_id
from cardgen.game.keys import Key, Report, build_schema, read_keys
from cardgen.game.markup import convert_nodes
from cardgen.game.model import Field
from cardgen.game.number_formats import parse_copies
from cardgen.game.table_cells import TableRow
from cardgen.game.table_rows import ColumnSpec, read_written_value
from cardgen.runtime import game_files

IGNORE_WORD, UNDECIDED_WORD = "ignore", "undecided"
"""The words in `columns:` for a column that is not a field, and for one to be decided about."""
CSV_SUFFIXES = frozenset({".csv", ".tsv"})
JSON_SUFFIX = ".json"
DOCUMENT_SUFFIXES = frozenset({JSON_SUFFIX, ".yaml", ".yml"})
"""Files that hold cards as mappings."""
TABLE_SUFFIXES = CSV_SUFFIXES | workbooks.WORKBOOK_SUFFIXES | DOCUMENT_SUFFIXES
_CARDS_KEYS = frozenset({"cards", "card"})
MAX_TABLE_BYTES = 20_000_000
MAX_TABLE_ROWS = 2_000_000
_TABLE_KEYS: Mapping[str, Key] = {
    "file": Key.node(json_schema.STRING, required=True),
    "sheet": Key.word("The sheet of a workbook.", "the name of a sheet"),
    "header": Key(
        json_schema.describe(
            "The row of the headings, if other rows stand above.", json_schema.allow_integer(1)
        ),
        lambda node: node.get_integer(1, MAX_TABLE_ROWS), "the number of a row", 0,
    ),
    UNDECIDED_WORD: Key.sequence(
        json_schema.STRING, "Sheets that nobody has decided about. Each check reminds you."
    ),
    "from": Key.word("A published sheet, for cardgen fetch.", "the address of a sheet"),
}  # fmt: skip
_COLUMN_KEYS: Mapping[str, Key] = {
    "field": Key.node(json_schema.STRING),
    "split": Key(
        json_schema.describe("The sign between the values of a list.", json_schema.SCALAR),
        lambda node: (node.text if node.is_scalar else "") or None,
        "the sign between values, in quotes", "",
    ),
    "html": Key.flag("true: HTML and \\n in its cells become bold, italic and new lines.", False),
}  # fmt: skip
ROWS_SCHEMA = json_schema.allow_one_or_list(
    json_schema.allow_either(json_schema.STRING, build_schema(_TABLE_KEYS))
)
COLUMNS_SCHEMA = json_schema.allow_named_values(
    json_schema.allow_either(json_schema.STRING, build_schema(_COLUMN_KEYS))
)
_COLUMNS_KEY = Key.mapping(example="COLUMN: FIELD")
_JSON_ESCAPE = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)")
"""In JSON: a character beyond U+FFFF, in two halves, or any other escape."""


@dataclass(frozen=True)
class CardTable:
    """A table that a deck names: a file in cards/, or a sheet of it.

    `origin` is the address from which `cardgen fetch` gets it. `header` is the row of the headings,
    counted from 1 (in CSV the line); 0 for the first row that is not empty.
    """

    file: str
    sheet: str
    source: Source
    origin: str = ""
    header: int = 0
    undecided: Sequence[Node] = ()
    """Names of sheets that nobody has decided about."""

    @property
    def path(self) -> str:
        return f"cards/{self.file}"


def read_table_list(node: Node | None, report: Report) -> list[CardTable]:
    """Read `rows:`: the name of a file, a mapping with `file`, `sheet`, `header` and `from`, or a
    list of these."""
    if node is None:
        return []
    entries = node.list_nodes() if node.is_list else [node]
    return [table for each in entries if (table := _read_table_entry(each, report)) is not None]


def _read_table_entry(node: Node, report: Report) -> CardTable | None:
    given = read_keys(node, _TABLE_KEYS, "rows", report)
    file = node
    if node.is_mapping:
        file = given["file"] or Node(None, node.source)
    if not isinstance(file.value, str):
        found = node.describe() if file is node else f"without file: {file.describe()}"
        report(file.source, f"rows is {found}; expected the name of a table in cards/", "type")
        return None
    suffix = PurePosixPath(file.value).suffix.lower()
    if suffix not in TABLE_SUFFIXES:
        known = ", ".join(sorted(TABLE_SUFFIXES))
        report(file.source, f"'{file.value}' is not a table; tables end in {known}", "file")
        return None
    if given["sheet"] and suffix not in workbooks.WORKBOOK_SUFFIXES:
        message = f"{file.value} has no sheets; remove sheet:"
        report(node.value["sheet"].source, message, "table")
    if given["header"] and suffix in DOCUMENT_SUFFIXES:
        name = "JSON" if suffix == JSON_SUFFIX else "YAML"
        report(node.value["header"].source, f"{name} has no headings; remove header:", "table")
    return CardTable(
        file.value, given["sheet"], file.source, given["from"], given["header"],
        given[UNDECIDED_WORD],
    )  # fmt: skip


def read_columns(node: Node | None, report: Report) -> dict[str, ColumnSpec]:
    """Read `columns:`: for each column the name of a field, `ignore`, or a mapping with `field` and
    `split`."""
    node = _COLUMNS_KEY.read(node, "columns", report)
    columns = {}
    for name, child in node.items() if node else ():
        given = read_keys(child, _COLUMN_KEYS, f"the column {name}", report)
        field = child
        if child.is_mapping:
            field = given["field"] or Node(name, child.source)
        if not isinstance(field.value, str):
            message = (
                f"the column '{name}' is {field.describe()}; expected the name of a field, or "
            )
            report(field.source, message + IGNORE_WORD, "type")
            continue
        is_undecided = field.value == UNDECIDED_WORD
        target = "" if is_undecided or field.value == IGNORE_WORD else field.value
        columns[name] = ColumnSpec(
            target, given["split"], node.keys[name], given["html"], is_undecided
        )
    return columns


def report_undecided_sheets(rows: Sequence[Node | None]) -> Iterator[Problem]:
    """Yield a warning for each table with sheets that nobody has decided about. `rows` are those
    of all decks: a sheet that another deck uses is decided."""
    tables = [table for node in rows for table in read_table_list(node, lambda *_: None)]
    used = {(table.file, table.sheet) for table in tables}
    for table in tables:
        left = [node for node in table.undecided if (table.file, node.text) not in used]
        if left:
            names = ", ".join(node.text for node in left)
            message = (
                f"{table.file} has sheets that no deck uses: {names}; make a deck of one with "
            )
            message += f"'cardgen add DECK --from FILE --sheet NAME', or remove {UNDECIDED_WORD}:"
            yield Problem(left[0].source, message, "table", "warning")


def report_columns(columns: Mapping[str, ColumnSpec], names: Collection[str]) -> Iterator[Problem]:
    """Yield entries of `columns:` for columns that none of the deck's tables has, and for those
    that are undecided."""
    for name, column in columns.items():
        if name in names and column.is_undecided and column.source is not None:
            title = f"the column '{name}'" if name else "a column without a heading"
            message = f"{title} is not used yet; in place of {UNDECIDED_WORD} write a field of "
            message += f"the deck, or {IGNORE_WORD}"
            yield Problem(column.source, message, "table", "warning")
        if name not in names and column.source is not None:
            hint = did_you_mean(name, filter(None, names))
            message = f"no table of the deck has a column '{name}'{hint}"
            yield Problem(column.source, message, "table")


def read_table(  # noqa: PLR0913, PLR0917 - what a deck says of its tables
    table: CardTable,
    root: Path,
    fields: Mapping[str, Field],
    columns: Mapping[str, ColumnSpec],
    always: Collection[str],
    languages: Collection[str] = (),
) -> tuple[list[Node], list[str], list[Problem]]:
    """Return a mapping node for each row of a table, and the names of its columns; neither if it
    cannot be read. `languages` are those of the game."""
    if PurePosixPath(table.file).suffix.lower() in DOCUMENT_SUFFIXES:
        text, problems = _read_table_text(table, root)
        if text is None:
            return [], [], problems
        cards, names, more = _read_json_rows(text, table.path, columns, {*fields, *always})
        return [_read_written_values(card, fields) for card in cards], names, problems + more
    found, problems = _read_all_rows(table, root)
    rows = [row for row in found if row.source.line >= table.header]
    problems += row_filter.report_rows_above(found[: len(found) - len(rows)] if rows else ())
    if problems and not rows:
        return [], [], problems
    nodes, more = table_rows.make_row_nodes(rows, fields, columns, always, languages)
    cells = rows[0].cells if rows else []
    names = [*map(table_rows.get_column_name, cells), *table_rows.name_columns(cells)]
    names += [table_rows.NAMELESS] if rows else []
    return nodes, names, problems + more


def read_table_rows(table: CardTable, root: Path) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows of a CSV file or workbook from its headings on, without empty rows."""
    found, problems = _read_all_rows(table, root)
    return [row for row in found if row.source.line >= table.header], problems


def _read_all_rows(table: CardTable, root: Path) -> tuple[list[TableRow], list[Problem]]:
    if PurePosixPath(table.file).suffix.lower() not in workbooks.WORKBOOK_SUFFIXES:
        text, problems = _read_table_text(table, root)
        rows, more = csv_tables.parse_csv_rows(text or "", table.path)
        return rows, problems + more
    data, problems = _read_bytes(table, root)
    return ([], problems) if problems else _parse_rows(table, data)


def parse_table_rows(table: CardTable, data: bytes) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows of a CSV file or workbook with this content, as `read_table_rows` does."""
    found, problems = _parse_rows(table, data)
    return [row for row in found if row.source.line >= table.header], problems


def _parse_rows(table: CardTable, data: bytes) -> tuple[list[TableRow], list[Problem]]:
    if PurePosixPath(table.file).suffix.lower() in workbooks.WORKBOOK_SUFFIXES:
        return workbooks.read_sheet_rows(data, table.path, table.sheet, table.source)
    text, problems = csv_tables.decode_table(data, table.path)
    rows, more = csv_tables.parse_csv_rows(game_files.compose(text or ""), table.path)
    return rows, problems + more


def _read_bytes(table: CardTable, root: Path) -> tuple[bytes, list[Problem]]:
    try:
        return game_files.read_bytes(root, table.path, MAX_TABLE_BYTES), []
    except game_files.UnreadableError as error:
        return b"", [Problem(table.source, f"the table {table.path} {error}", "file")]


def _read_table_text(table: CardTable, root: Path) -> tuple[str | None, list[Problem]]:
    """Return the text of a table, None where it cannot be read, and what is wrong with it."""
    limit = work_limits.scale_limit(game_files.MAX_TEXT_BYTES)
    try:
        text, problems = csv_tables.decode_table(
            game_files.read_bytes(root, table.path, limit), table.path
        )
    except game_files.UnreadableError as error:
        is_missing = table.origin and not game_files.has_entry(root, table.path)
        hint = "; 'cardgen fetch' fetches it" if is_missing else ""
        message = f"the table {table.path} {error}{hint}"
        return None, [Problem(table.source, message, "file")]
    return None if text is None else game_files.compose(text), problems


def read_json_cards(table: CardTable, root: Path) -> tuple[list[Node], list[Problem]]:
    """Return the cards of a JSON table as they are written."""
    text, problems = _read_table_text(table, root)
    if text is None:
        return [], problems
    cards, _, more = _read_json_rows(text, table.path, {}, ())
    return cards, problems + more


def list_table_sheets(
    table: CardTable, root: Path, is_hidden: bool = False
) -> tuple[list[str], list[Problem]]:
    """Return the names of a workbook's sheets that are not hidden, or of those that are; none for
    other tables."""
    if PurePosixPath(table.file).suffix.lower() not in workbooks.WORKBOOK_SUFFIXES:
        return [], []
    data, problems = _read_bytes(table, root)
    return ([], problems) if problems else workbooks.list_sheets(data, table.path, is_hidden)


def _read_json_rows(
    text: str, path: str, columns: Mapping[str, ColumnSpec], known: Collection[str]
) -> tuple[list[Node], list[str], list[Problem]]:
    """Read the cards of a JSON or YAML file. JSON is read as YAML, which keeps the lines."""
    is_json = path.lower().endswith(JSON_SUFFIX)
    if is_json:
        text = _JSON_ESCAPE.sub(_escape_to_yaml, text.removeprefix("\ufeff").replace("\t", " "))
    node, problems = yaml_nodes.load(text, path)
    if node is None:
        format_name = "not JSON" if is_json else "not YAML"
        return [], [], [replace(problem, message=problem.message.replace("not YAML", format_name))
                        for problem in problems]  # fmt: skip
    rows, more = find_cards(node)
    rows = [_drop_empty(row) for row in rows]
    spellings: dict[str, str] = {}
    for row in rows:
        for key, _ in row.items():
            spellings.setdefault(key.casefold(), key)
    rows = [_unify_keys(row, spellings) for row in rows]
    names = dict.fromkeys(key for row in rows for key, _ in row.items())
    return [_rename_keys(row, columns, known) for row in rows], [*names], problems + more


def find_cards(node: Node) -> tuple[list[Node], list[Problem]]:
    """Return the cards of a JSON or YAML document, a mapping each.

    The document is a list of cards, a mapping of ids or names to cards, or a mapping in which
    `cards`, or the only list, is one of these. What else it holds is named in a warning.
    """
    if node.is_list:
        return node.list_nodes(), []
    keys = dict(node.items())
    lists = [key for key, child in keys.items() if child.is_list]
    mappings = [key for key, child in keys.items() if child.is_mapping]
    inner = next((key for key in keys if key.lower() in _CARDS_KEYS), "")
    if not inner and len(lists) == 1:
        inner = lists[0]
    if not inner and len(keys) == 1 and mappings and _holds_cards(keys[mappings[0]]):
        inner = mappings[0]
    if inner and not keys[inner].is_scalar:
        cards, problems = find_cards(keys[inner])
        others = [f"'{key}'" for key in keys if key != inner]
        if others:
            message = f"only the cards below '{inner}' are read, not {summarise(others, 6)}"
            problems.append(Problem(node.source, message, "table", "warning"))
        return cards, problems
    if keys and len(mappings) == len(keys):
        return [_add_id(key, child) for key, child in keys.items()], []
    message = f"the table is {node.describe()}; expected a list of cards, or ids with their cards"
    return [], [Problem(node.source, message, "table")]


def _drop_empty(card: Node) -> Node:
    """Return a card without the keys that hold null, which are empty cells."""
    values = {
        key: node for key, node in card.items() if not node.is_scalar or node.value is not None
    }
    if not card.is_mapping or len(values) == len(card.value):
        return card
    return Node(values, card.source, {key: card.keys[key] for key in values})


def _read_written_values(card: Node, fields: Mapping[str, Field]) -> Node:
    values = {key: read_written_value(node, fields.get(key)) for key, node in card.items()}
    copies = values.get("copies")
    if copies is not None and "copies" not in fields and isinstance(copies.value, str):
        count = yaml_nodes.parse_scalar(parse_copies(copies.value.strip()))
        values["copies"] = Node(count, copies.source, raw=copies.value)
    return Node(values, card.source, card.keys) if card.is_mapping else card


def _unify_keys(card: Node, spellings: Mapping[str, str]) -> Node:
    """Return a card with the first spelling of keys that differ only in capitals."""
    names = {key: spellings[key.casefold()] for key, _ in card.items()}
    if len(set(names.values())) < len(names) or all(key == name for key, name in names.items()):
        return card
    values = {names[key]: node for key, node in card.items()}
    return Node(values, card.source, {names[key]: card.keys[key] for key in names})


def _holds_cards(node: Node) -> bool:
    """Return whether a mapping holds cards, and is not one itself."""
    return bool(node.value) and any(
        child.is_mapping or (child.is_list and any(each.is_mapping for each in child.list_nodes()))
        for _, child in node.items()
    )


def _add_id(key: str, card: Node) -> Node:
    """Return a card with the key under which it stands: as its id, else as its name."""
    name = "id" if not check_id(key) else "name"
    if card.get(name) is not None or (name == "name" and card.get("title") is not None):
        return card
    source = next(iter(card.keys.values()), card.source)
    return Node({name: Node(key, source, raw=key), **card.value}, card.source,
                {name: source, **card.keys})  # fmt: skip


def _escape_to_yaml(escape: re.Match[str]) -> str:
    high, low = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00))
    return "/" if escape[0] == "\\/" else escape[0]


def _rename_keys(row: Node, columns: Mapping[str, ColumnSpec], known: Collection[str]) -> Node:
    matched = {key: table_rows.match_column(key, columns, known) for key, _ in row.items()}
    names = {key: column.field for key, column in matched.items()}
    has_html = any(column.is_html for column in matched.values())
    if not row.is_mapping or (not has_html and all(key == name for key, name in names.items())):
        return row
    values = {
        name: convert_nodes(row.value[key]) if matched[key].is_html else row.value[key]
        for key, name in names.items()
        if name
    }
    return Node(values, row.source, {name: row.keys[key] for key, name in names.items() if name})

"""Rows of tables as nodes, so that tables and YAML lists are read in the same way.

The first row names the fields. `name.fi` is the Finnish text of `name`, `greenhorn.cash` a field of
a record; a list is written `1; 1; 3`. An empty cell is a field that is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cardgen.core.problems import Problem, Severity, Source, did_you_mean, format_value
from cardgen.core.yaml_nodes import UNPRINTABLE, Node, parse_scalar
from cardgen.game import row_filter
from cardgen.game.field_types import LIST_SEPARATOR, is_numeric, read_cell
from cardgen.game.heading_words import find_role, is_date_heading
from cardgen.game.markup import convert_html
from cardgen.game.model import Field
from cardgen.game.number_formats import (
    find_decimal_signs,
    parse_copies,
    parse_grouped_number,
    parse_number,
)
from cardgen.game.sheet_scan import ERROR_VALUE, FORMULA
from cardgen.game.table_cells import DATES, NUMBER, SHORT_DATE, TableRow, format_column

NAMELESS = ""
"""The name in `columns:` of columns without a heading."""
MAX_SHOWN_CELLS = 6
MAX_CHECKED_ROWS = 200
"""With more unknown columns than this, misspelt names are not searched."""
_RANGE = re.compile(r"[0-9]{1,3}\s*[-–/]\s*[0-9]{1,3}\Z")
_MONTHS = (
    "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mrz|mai|okt|dez|maj|tammi|helmi|maalis|"
    "huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu|янв|фев|мар|апр|май|мая|июн|июл|авг|сен|окт|"
    "ноя|дек|janv|févr|mars|avr|juin|juil|août|sept|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev"
)
_NAMED_MONTH = re.compile(
    rf"[0-9]{{1,2}}(?:-|\. ?)(?:{_MONTHS})\.?|(?:{_MONTHS})(?:\.?[- ]|\.)[0-9]{{1,2}}", re.I
)
"""What CSV holds of a cell that became a date: 1-Feb, 1. Dez, Feb-01, Mar 3."""
_DATE_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}")
"""A whole date: 2026-02-01, 01.02.2026."""
_FIRST_YEAR = "1995"
"""In earlier years, no spreadsheet made dates of what cards hold."""
_FORMULA_TEXT = re.compile(
    r"=[-+(]*(?:\$?[A-Z]{1,3}\$?[0-9]{1,7}\b|[A-ZÄÖÅА-ЯЁ][A-ZÄÖÅА-ЯЁ0-9.]*\(|[0-9.,]+[-+*/^&][0-9(])"
)
_NARROW = re.compile(r"#{4,}")
_NAME_GAP = re.compile(r"[\s_]+")


@dataclass(frozen=True)
class ColumnSpec:
    """An entry of `columns:`: the field of a column, "" for none, the separator of its values, and
    whether its cells are HTML."""

    field: str
    separator: str = ""
    source: Source | None = None
    """The place of the entry in the deck file."""
    is_html: bool = False
    is_undecided: bool = False
    """True if nobody has said yet what the column is for."""


def make_row_nodes(
    rows: Sequence[TableRow],
    fields: Mapping[str, Field],
    columns: Mapping[str, ColumnSpec],
    always: Collection[str] | None = None,
    languages: Collection[str] = (),
) -> tuple[list[Node], list[Problem]]:
    """Return a mapping node for each row. `always` are columns beside the fields; without fields,
    any column is allowed. `languages` are those of the game, whose numbers the table holds."""
    if not rows:
        return [], []
    first, *others = rows
    problems = _report_unprintable(first)
    known = {*fields, *(always or ())}
    header = match_columns(first.cells, columns, known)
    problems += _report_wrong_header([column.field for column in header], first.source)
    ids = [number for number, column in enumerate(header) if column.field == "id"]
    if always is not None:
        problems += row_filter.report_card_as_header(first, others, known)
        problems += row_filter.report_other_tables(first, others)
    ignored = {at for at, column in enumerate(header) if not column.field and column.source}
    others = [row for row in others if {*row_filter.list_filled(row)} - ignored]
    unprinted = ignored | {at for at, c in enumerate(header) if _is_unprinted(c.field, fields)}
    others, left_out = row_filter.select_card_rows(first, others, next(iter(ids), None), unprinted)
    problems += left_out + _report_dates(header, first.cells, others, fields)
    others, ambiguous = _read_grouped_numbers(header, others, fields, languages)
    problems += ambiguous
    found = []
    for row in others:
        problems += [
            *_report_long_row(row, len(header)), *_report_nameless_cells(header, first.cells, row),
            *_report_unprintable(row), *report_odd_cells(row, header, first.cells),
        ]  # fmt: skip
        node = _make_row_node(header, row, fields)
        if node.value:
            found.append(node)
    if always is not None:
        heads = {c.field: c.field.partition(".")[0] for c in header if c.field}
        strange = {name: head for name, head in heads.items() if head not in known}
        strange = {n: head for n, head in strange.items() if any(node.get(head) for node in found)}
        problems += _report_unknown_columns(list(strange), known, first.source)
        found = [_drop_columns(node, strange.values()) for node in found] if strange else found
    return found, problems


def get_column_name(name: str) -> str:
    """Return the name of a column from its heading."""
    return _clean_cell(name).strip()


def name_columns(cells: Sequence[str]) -> list[str]:
    """Return the names of columns by their headings. Of several with one heading, or none, each has
    its letter: `Text (column D)`."""
    names = [get_column_name(cell) for cell in cells]
    counts = Counter(names)
    return [
        name if name and counts[name] == 1 else f"{name} (column {format_column(at)})".strip()
        for at, name in enumerate(names)
    ]


def match_columns(
    cells: Sequence[str], columns: Mapping[str, ColumnSpec], known: Collection[str]
) -> list[ColumnSpec]:
    """Return the field of each column, by its name with its letter first."""
    return [
        columns[name] if name in columns else match_column(cell, columns, known)
        for name, cell in zip(name_columns(cells), cells, strict=True)
    ]


def locate_columns(columns: Iterable[ColumnSpec]) -> dict[str, int]:
    """Return the index of the first column of each field."""
    found: dict[str, int] = {}
    for number, column in enumerate(columns):
        found.setdefault(column.field, number)
    return found


def match_column(
    name: str, columns: Mapping[str, ColumnSpec], known: Collection[str]
) -> ColumnSpec:
    """Return the field of a column: from `columns:`, or the field with this name or nearly this
    name, such as `card-name` for `Card Name`. Any other that counts copies, such as `Qty`, is of
    these."""
    name = get_column_name(name)
    if name in columns:
        return columns[name]
    head, dot, rest = name.partition(".")
    if head in known:
        return ColumnSpec(name)
    for joined in ("_", "-", ""):
        plain = _NAME_GAP.sub(joined, head.strip()).lower()
        if plain in known:
            return ColumnSpec(f"{plain}{dot}{rest.strip().lower()}")
    return ColumnSpec("copies" if "copies" in known and find_role(name) == "copies" else name)


def _report_unknown_columns(
    strange: list[str], known: Collection[str], header: Source
) -> Iterator[Problem]:
    """Report columns without a field: misspelt ones one by one, the others together."""
    others = []
    for number, name in enumerate(strange):
        hint = did_you_mean(name.partition(".")[0], known) if number < MAX_CHECKED_ROWS else ""
        if "did you mean" in hint:
            yield Problem(header, f"unknown column '{name}'{hint}", "fields")
        else:
            others.append(name)
    if others:
        listed = ", ".join(f"'{name}'" for name in others[:MAX_SHOWN_CELLS])
        rest = f" and {len(others) - MAX_SHOWN_CELLS} more" if len(others) > MAX_SHOWN_CELLS else ""
        one = len(others) == 1
        are, them = ("is not a field", "it") if one else ("are not fields", "them")
        message = (
            f"{listed}{rest} {are} of the deck; declare {them} under fields:, "
            f"or leave {them} out: columns: {{{_quote_names(others[0])}: ignore}}"
        )
        yield Problem(header, message, "fields")


def _quote_names(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z][\w. -]*", name) else f'"{name}"'


def _drop_columns(row: Node, names: Collection[str]) -> Node:
    values = {name: node for name, node in row.items() if name not in names}
    return Node(values, row.source, {name: row.keys[name] for name in values})


def _report_wrong_header(header: list[str], source: Source) -> list[Problem]:
    counts = Counter(header)
    twice = sorted(name for name, count in counts.items() if name and count > 1)
    messages = [f"there are two columns '{name}'; rename or delete one" for name in twice]
    parted = {name: name.partition(".")[0] for name in header if "." in name}
    messages += [
        f"the columns '{head}' and '{name}' cannot both stand; which language is the first in?"
        for name, head in parted.items()
        if head in counts
    ]
    return [Problem(source, message, "table") for message in messages]


def _report_nameless_cells(
    header: Sequence[ColumnSpec], names: Sequence[str], row: TableRow
) -> list[Problem]:
    """Report cells in columns without a heading, unless the deck ignores these."""
    return [
        Problem(row.get_source(n), f"'{cell.strip()}' stands in a column without a name", "table")
        for n, (column, name, cell) in enumerate(zip(header, names, row.cells, strict=False))
        if cell.strip() and not name.strip() and column.source is None
    ]


def report_odd_cells(
    row: TableRow, header: Sequence[ColumnSpec], names: Sequence[str]
) -> list[Problem]:
    """Report formulas without a result, errors, and what a narrow column hides.

    Columns that the deck leaves out may hold any."""
    found = []
    for number, raw in enumerate(row.cells):
        if number >= len(header) or not header[number].field:
            continue
        where = f" of '{names[number].strip()}'" if not row.sheet else ""
        if row.kinds.get(number) == FORMULA:
            message = "a formula without a result stands here; open the workbook in a spreadsheet "
            message += "and save it there, or write the value"
        elif ERROR_VALUE.fullmatch(raw.strip()):
            message = f"the cell{where} shows the error {raw.strip()}; correct its formula in the "
            message += "spreadsheet, or write the value"
        elif _FORMULA_TEXT.match(raw.strip()):
            message = f"the cell{where} holds the formula {format_value(raw.strip())} as a text; "
            message += "write its result"
        elif _NARROW.fullmatch(raw.strip()):
            message = f"the cell{where} holds {raw.strip()[:8]}, which a spreadsheet shows in a "
            message += "column that is too narrow; write the value"
        else:
            continue
        found.append(Problem(row.get_source(number), message, "table"))
    return found


def _is_unknown(row: TableRow, number: int, cell: str) -> bool:
    """Return whether a cell shows an error, or holds a formula without a result."""
    return row.kinds.get(number) == FORMULA or bool(ERROR_VALUE.fullmatch(cell))


def _report_dates(
    header: Sequence[ColumnSpec],
    names: Sequence[str],
    rows: Sequence[TableRow],
    fields: Mapping[str, Field],
) -> list[Problem]:
    """Report what a spreadsheet made a date of, such as the range 1-2 and the fraction 1/2."""
    found = []
    for number, column in enumerate(header):
        filled = [row for row in rows if number < len(row.cells) and row.cells[number].strip()]
        if not column.field or not filled:
            continue
        dates, others = _find_dates(filled, number)
        is_range = any(_RANGE.match(row.cells[number].strip()) for row in others)
        if is_range:
            cells = ((row, row.cells[number].strip()) for row in others)
            dates += [row for row, cell in cells
                      if _DATE_TEXT.fullmatch(cell) or _NAMED_MONTH.fullmatch(cell)]  # fmt: skip
        is_error = is_range or not _is_text(find_field(column.field, fields))
        if not is_error and _are_real_dates(names[number], dates, others, number):
            continue
        if not is_error and len(dates) > MAX_SHOWN_CELLS:
            message = f"{len(dates)} cells from here on are dates, such as "
            message += f"{dates[0].cells[number].strip()}; if they were something else, such as "
            message += "1-2 or 1/2, format the column as text and write it again"
            found.append(Problem(dates[0].get_source(number), message, "table", "warning"))
            continue
        for row in dates:
            meant = (
                "the number" if column.field == "copies" else "what is meant, such as 1-2 or 1/2"
            )
            message = (
                f"the spreadsheet made a date of this cell, {row.cells[number].strip()}; format it "
                f"as text there, then write {meant}"
            )
            severity: Severity = "error" if is_error else "warning"
            found.append(Problem(row.get_source(number), message, "table", severity))
    return found


def _find_dates(rows: Sequence[TableRow], number: int) -> tuple[list[TableRow], list[TableRow]]:
    """Return the rows with a date in a column, and the others.

    A text such as 1-Feb is one where all others are dates, numbers or ranges.
    """
    cells = {row.source: row.cells[number].strip() for row in rows}
    texts = [row for row in rows if row.kinds.get(number) not in DATES]
    named = [row for row in texts if _NAMED_MONTH.fullmatch(cells[row.source])]
    words = [cells[row.source] for row in texts if row not in named]
    if not all(parse_number(word) is not None or _RANGE.match(word) for word in words):
        named = []
    dates = [row for row in rows if row.kinds.get(number) in DATES or row in named]
    return dates, [row for row in rows if row not in dates]


def _are_real_dates(
    heading: str, dates: Sequence[TableRow], others: Sequence[TableRow], number: int
) -> bool:
    """Return true for dates that somebody wrote: below a heading for dates, or of several years, or
    of one in which nobody had a spreadsheet. Those that show no year are none."""
    if any(row.kinds.get(number) == SHORT_DATE for row in dates):
        return False
    years = {row.cells[number][:4] if number in row.kinds else "" for row in dates}
    is_history = (
        not others and "" not in years and (len(years) > 1 or max(years, default="") < _FIRST_YEAR)
    )
    return is_history or is_date_heading(heading)


def _read_grouped_numbers(
    header: Sequence[ColumnSpec],
    rows: Sequence[TableRow],
    fields: Mapping[str, Field],
    languages: Collection[str],
) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows with numbers such as `1,125` as the languages and the other cells of their
    column write them, and what is said of those that may be two numbers."""
    found, problems = [*rows], []
    for number, column in enumerate(header):
        if not is_numeric(find_field(column.field, fields)):
            continue
        texts = {at: row.cells[number].strip() for at, row in enumerate(rows)
                 if number < len(row.cells) and number not in row.kinds}  # fmt: skip
        signs = find_decimal_signs(texts.values())
        for at, text in texts.items() if signs else ():
            value, why = parse_grouped_number(text, languages, signs)
            if value is None and not why:
                continue
            if why:
                message = f"'{column.field}' is '{text}', which {why}"
                problems.append(Problem(rows[at].get_source(number), message, "type"))
            cells = [*found[at].cells]
            cells[number] = "" if why else f"{value:.15g}"
            kinds = {**found[at].kinds, number: NUMBER}
            found[at] = replace(found[at], cells=cells, kinds=kinds)
    return found, problems


def find_field(name: str, fields: Mapping[str, Field]) -> Field | None:
    """Return the field of a column: `crew.cash` is the field `cash` of the record `crew`."""
    head, _, rest = name.partition(".")
    declared = fields.get(head)
    return declared.fields.get(rest) if declared and rest and declared.fields else declared


def _is_unprinted(name: str, fields: Mapping[str, Field]) -> bool:
    declared = find_field(name, fields)
    return not declared.printed if declared else name == "copies"


def _is_text(declared: Field | None) -> bool:
    return declared is not None and declared.kind in {"text", "string"}


def _report_long_row(row: TableRow, width: int) -> Iterator[Problem]:
    if any(cell.strip() for cell in row.cells[width:]):
        message = f"the row has {len(row.cells)} cells, the first row names {width}"
        if not row.sheet:
            message += "; put a text that holds the separator into double quotes"
        yield Problem(row.source, message, "table")


def _report_unprintable(row: TableRow) -> list[Problem]:
    found = dict.fromkeys(sign for cell in row.cells for sign in UNPRINTABLE.findall(cell))
    return [
        Problem(row.source, f"U+{ord(sign):04X} cannot be printed; delete it", "table")
        for sign in found
    ]


def _clean_cell(cell: str) -> str:
    return UNPRINTABLE.sub("\ufffd", cell).replace("\r\n", "\n").replace("\r", "\n")


def _make_row_node(
    header: Sequence[ColumnSpec], row: TableRow, fields: Mapping[str, Field]
) -> Node:
    values: dict[str, Node] = {}
    keys: dict[str, Source] = {}
    for number, (column, raw) in enumerate(zip(header, row.cells, strict=False)):
        cell = _clean_cell(raw).strip()
        if not column.field or not cell or _is_unknown(row, number, cell):
            continue
        if column.is_html:
            cell = convert_html(cell)
        if column.separator:
            cell = cell.replace(column.separator, LIST_SEPARATOR)
        source = row.get_source(number)
        head, _, rest = column.field.partition(".")
        declared = find_field(column.field, fields)
        if row.kinds.get(number) in DATES and not _is_text(declared):
            continue
        keys[head] = source
        if not rest:
            values[head] = _read_cell(cell, column.field, declared, row.kinds.get(number), source)
            continue
        inner = values.setdefault(head, Node({}, source, {}))
        if not inner.is_mapping:
            continue
        is_record = head in fields and rest in (fields[head].fields or ())
        node = (
            _read_cell(cell, column.field, declared, row.kinds.get(number), source)
            if is_record
            else Node(cell, source)
        )
        merged = {**inner.value, rest: node}
        values[head] = Node(merged, source, dict.fromkeys(merged, source))
    return Node(values, row.source, keys)


def _read_cell(
    cell: str, name: str, declared: Field | None, kind: str | None, source: Source
) -> Node:
    """Return the node of a cell. What a workbook holds as a number has a decimal point."""
    if declared is None and name == "copies":
        return Node(parse_scalar(parse_copies(cell)), source, raw=cell)
    if kind == NUMBER and is_numeric(declared):
        return read_cell(cell, None, source)
    return read_cell(cell, declared, source)


def read_written_value(node: Node, declared: Field | None) -> Node:
    """Return a value of JSON or YAML; a text in a field of numbers or truth values is read like a
    cell."""
    is_read = is_numeric(declared) or (declared is not None and declared.kind == "boolean")
    return (
        read_cell(node.value.strip(), declared, node.source)
        if (is_read and isinstance(node.value, str))
        else node
    )

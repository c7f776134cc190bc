"""Edits of a card's row in a CSV file or workbook, cell by cell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from cardgen.core.problems import Source
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_tables, csv_cells, table_rows, workbook_edits
from cardgen.game.card_tables import CardTable
from cardgen.game.field_types import LIST_SEPARATOR, read_cell
from cardgen.game.model import Field
from cardgen.game.table_cells import NUMBER, TRUTH, TableRow
from cardgen.game.table_rows import ColumnSpec
from cardgen.game.workbook_edits import CellEditError, CellValue, WorkbookSheet

_LIST_GAP = re.compile(r"[^;]*[^\s;]\s*;(\s*)")
_DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+\Z")
_EDIT_BY_HAND = "edit it in the table"


@dataclass(frozen=True)
class TableContext:
    """A table as its deck reads it: its content, and what its columns mean."""

    table: CardTable
    data: bytes
    fields: Mapping[str, Field]
    columns: Mapping[str, ColumnSpec]
    extra: Sequence[str]
    languages: Sequence[str]

    def read_nodes(self, data: bytes) -> tuple[list[Node], set[str]]:
        """Return the cards of a table with this content, and what is wrong with it."""
        rows, problems = card_tables.parse_table_rows(self.table, data)
        nodes, more = table_rows.make_row_nodes(
            rows, self.fields, self.columns, self.extra, self.languages
        )
        return nodes, {f"{problem.source} {problem.message}" for problem in [*problems, *more]}


class TableCard:
    """A card's row in a table, whose cells can be edited."""

    def __init__(self, context: TableContext, line: int) -> None:
        self._context = context
        self.rows, _ = card_tables.parse_table_rows(context.table, context.data)
        self.row = next((row for row in self.rows if row.source.line == line), None)
        first = self.rows[0].cells if self.rows else ()
        known = {*context.fields, *context.extra}
        self._header = table_rows.match_columns(first, context.columns, known)
        self._places = table_rows.locate_columns(self._header)

    @property
    def is_workbook(self) -> bool:
        """Whether the cells are those of a workbook."""
        return self._suffix not in card_tables.CSV_SUFFIXES

    @property
    def _suffix(self) -> str:
        return PurePosixPath(self._context.table.file).suffix.lower()

    @cached_property
    def _sheet(self) -> WorkbookSheet:
        assert self.row is not None
        return WorkbookSheet.open(self._context.data, self.row.sheet)

    def find_columns(self, name: str, language: str) -> list[str]:
        """Return the columns with the values of a field: for a text that of its language, for a
        record those of its fields."""
        declared = self._context.fields.get(name)
        first = self._context.languages[0]
        if declared and declared.kind == "text":
            names = [f"{name}.{language or first}", *([name] if language in ("", first) else [])]
            return [next((each for each in names if each in self._places), names[0])]
        if declared and declared.kind == "record":
            return [each for each in self._places if each.startswith(f"{name}.")] or [name]
        return [name]

    def get_source(self, column: str) -> Source:
        """Return the place of a cell."""
        assert self.row is not None
        return self.row.get_source(self._places.get(column, 0))

    def explain(self, column: str) -> str:
        """Return why the cell of a column cannot be edited; "" if it can."""
        file = self._context.table.path
        at = self._places.get(column)
        if self._suffix not in card_tables.CSV_SUFFIXES | workbook_edits.EDITABLE_SUFFIXES:
            return f"{file} is not a file that is written here; {_EDIT_BY_HAND}"
        if self.row is None or at is None:
            return f"{file} has no column '{column}'; add one there"
        if self._header[at].is_html:
            return f"the column holds HTML; {_EDIT_BY_HAND}"
        if not self.is_workbook:
            return ""
        try:
            self._sheet.set_cell((self.row.source.line, at + 1), None)
        except CellEditError as error:
            return str(error)
        return ""

    def set_values(self, values: Mapping[str, Any]) -> bytes:
        """Return the table with other values in some columns. Raises `CellEditError`."""
        assert self.row is not None
        cells = {self._places[name]: self._format(name, value) for name, value in values.items()}
        data = self._context.data
        if self.is_workbook:
            sheet = self._sheet
            for at, value in cells.items():
                sheet = sheet.set_cell((self.row.source.line, at + 1), value)
            return sheet.save()
        try:
            text, codec = csv_cells.decode_exactly(data)
            table = csv_cells.locate_cells(text)
            record = table.lines.index(self.row.source.line)
            texts = {at: "" if cell is None else str(cell) for at, cell in cells.items()}
            new = csv_cells.write_cells(table, {record: texts})
            return csv_cells.encode_exactly(new, codec, data)
        except UnicodeError as error:
            message = f"{self._context.table.path} cannot hold it in its encoding ({error}); save "
            raise CellEditError(f"{message}the table as CSV UTF-8") from None

    def _format(self, column: str, value: Any) -> CellValue:
        """Return a value as its cell holds it, in the manner of the other cells of the column."""
        at = self._places[column]
        declared = table_rows.find_field(column, self._context.fields)
        assert self.row is not None
        others = [row for row in self.rows[1:] if at < len(row.cells)]
        old = self.row.cells[at] if at < len(self.row.cells) else ""
        if value is None or value in ([], ""):
            return None
        if isinstance(value, list):
            return self._format_list(value, old, [row.cells[at] for row in others], at)
        if isinstance(value, bool):
            return self._format_truth(value, others, at, declared)
        if isinstance(value, int | float):
            if self.is_workbook:
                return value
            comma = any(_DECIMAL_COMMA.match(row.cells[at].strip()) for row in others)
            return _format_number(value).replace(".", "," if comma else ".")
        text = str(value).strip()
        is_number = self.is_workbook and self.row.kinds.get(at) == NUMBER
        return int(text) if is_number and re.fullmatch(r"0|-?[1-9][0-9]{0,14}", text) else text

    def _format_list(self, items: list[Any], old: str, others: list[str], at: int) -> str:
        separator = self._header[at].separator or LIST_SEPARATOR
        gaps = (_LIST_GAP.match(cell.replace(separator, LIST_SEPARATOR)) for cell in (old, *others))
        gap = next((match[1] for match in gaps if match), " ")
        return f"{separator}{gap}".join(map(_format_item, items))

    def _format_truth(
        self, value: bool, others: Sequence[TableRow], at: int, declared: Field | None
    ) -> CellValue:
        """Return the word for true or false that the column has most often."""
        assert self.row is not None
        empty = declared.default if declared else False
        words = Counter(
            (cell, row.kinds.get(at) == TRUTH)
            for row in others
            for cell in [row.cells[at].strip()]
            if (read_cell(cell, declared, row.source).boolean if cell else empty) is value
        )
        word, is_typed = words.most_common(1)[0][0] if words else (str(value).lower(), True)
        return value if is_typed and self.is_workbook else word or None


def _format_item(item: Any) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return _format_number(item) if isinstance(item, int | float) else str(item)


def _format_number(number: float) -> str:
    return str(number) if isinstance(number, int) else f"{number:.15g}"

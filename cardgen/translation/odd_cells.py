"""Cells of a workbook that hold something else than a text: dates, numbers, errors, and formulas of
which no value is kept."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Iterator
from html import unescape
from typing import Any

from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.workbooks import ZIP_ERRORS, find_sheet_part, parse_column

DATE, NUMBER, TRUTH, FORMULA = "date", "number", "truth", "formula"
ERROR_VALUE = re.compile(
    r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!|SPILL!|CALC!|BLOCKED!)|Err:[0-9]{3}"
)
"""What a spreadsheet shows of a formula that says nothing."""
OddCells = dict[tuple[int, int], str]
"""Of which kind cells are, or what error stands there, by row and column, both from 1."""
ODD_CELLS_SECONDS = 4.0
_WORKSHEET_PART = re.compile(r"xl/worksheets/[^/]+\.xml\Z")
_CELL_ELEMENT = re.compile(rb"<(?:\w+:)?c\s")
_CELL_REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"']")
_ERROR_TYPE = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
_FORMULA_ELEMENT = re.compile(rb"<(?:\w+:)?f[\s/>]")
_VALUE_ELEMENT = re.compile(rb"<(?:\w+:)?v>([^<]+)<")
_ODS_ELEMENT = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?:\s([^<>]*))?>([^<]*(?:<text:p>[^<]*)?)"
)
_ODS_REPEAT = re.compile(rb"table:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_ODS_TABLE_NAME = re.compile(rb"table:name=\"([^\"]*)\"")


def find_odd_cells(data: bytes, name: str, sheet: str) -> OddCells:
    """The odd cells of a sheet, the first where none is named, of a workbook that could be read."""
    from python_calamine import CalamineWorkbook

    found: OddCells = {}
    try:
        with work_limits.work_limit(f"{name}: reading it", ODD_CELLS_SECONDS):
            book = CalamineWorkbook.from_filelike(io.BytesIO(data))
            sheet = sheet or book.sheet_names[0]
            found.update(_find_cells_without_value(data, book.sheet_names.index(sheet)))
            found.update(_find_odd_ods_cells(data, sheet))
            found.update(_find_typed_cells(book, sheet))
    except LimitExceededError:
        pass  # its texts were read; what is told of them is less
    return found


def _find_typed_cells(book: Any, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    cells = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    for number, row in enumerate(cells, 1):
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                yield (number, column), _classify_cell(cell)


def _classify_cell(cell: Any) -> str:
    if isinstance(cell, bool):
        return TRUTH
    dated = datetime.date | datetime.time | datetime.timedelta
    return DATE if isinstance(cell, dated) else NUMBER


def _find_cells_without_value(data: bytes, index: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Errors, and formulas that were never reckoned, of the sheets of an XLSX: what reads it for
    its texts takes both for empty cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = find_sheet_part(package, index)
            text = package.read(part) if _WORKSHEET_PART.match(part) else b""
    except ZIP_ERRORS:
        return
    for cell in _CELL_ELEMENT.split(text)[1:]:
        head, _, rest = cell.partition(b">")
        place = _CELL_REFERENCE.search(head)
        if place is None or head.endswith(b"/"):
            continue
        at, value = (int(place[2]), parse_column(place[1])), _VALUE_ELEMENT.search(rest)
        if _ERROR_TYPE.search(head):
            yield at, value[1].decode(errors="replace")[:20] if value else "#VALUE!"
        elif _FORMULA_ELEMENT.search(rest) and value is None:
            yield at, FORMULA


def _find_odd_ods_cells(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The same of a sheet of an ODS."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            text = package.read("content.xml")
    except ZIP_ERRORS:
        return
    row = column = 0
    inside, rows = False, 1
    for tag, head, rest in _ODS_ELEMENT.findall(text):
        said = _ODS_REPEAT.search(head)
        times = int(said[1]) if said else 1
        if tag == b"table":
            named = _ODS_TABLE_NAME.search(head)
            inside = bool(named and unescape(named[1].decode(errors="replace")) == sheet)
            row, rows = 0, 1
        elif tag == b"table-row":
            row, column, rows = row + rows, 0, times
        else:
            if inside and b'calcext:value-type="error"' in head:
                shown = rest.rpartition(b">")[2].decode(errors="replace")[:20]
                yield (row, column + 1), shown.strip() or "#VALUE!"
            elif inside and b"table:formula=" in head and b"office:value-type=" not in head:
                yield (row, column + 1), FORMULA
            column += times

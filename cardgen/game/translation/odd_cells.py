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

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.game.far_cells import UNREADABLE, column_of, part_of

DATE, NUMBER, TRUTH, FORMULA = "date", "number", "truth", "formula"
ERROR = re.compile(
    r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!|SPILL!|CALC!|BLOCKED!)|Err:[0-9]{3}"
)
"""What a spreadsheet shows of a formula that says nothing."""
Cells = dict[tuple[int, int], str]
"""Of which kind cells are, or what error stands there, by row and column, both from 1."""
_SECONDS = 4.0
_PART = re.compile(r"xl/worksheets/[^/]+\.xml\Z")
_CELL = re.compile(rb"<(?:\w+:)?c\s")
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"']")
_IS_ERROR = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_VALUE = re.compile(rb"<(?:\w+:)?v>([^<]+)<")
_ODS = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?:\s([^<>]*))?>([^<]*(?:<text:p>[^<]*)?)"
)
_TIMES = re.compile(rb"table:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_TABLE = re.compile(rb"table:name=\"([^\"]*)\"")


def of(data: bytes, name: str, sheet: str) -> Cells:
    """The odd cells of a sheet, the first where none is named, of a workbook that could be read."""
    from python_calamine import CalamineWorkbook  # noqa: PLC0415 - only for workbooks

    found: Cells = {}
    try:
        with guard.at(f"{name}: reading it", _SECONDS):
            book = CalamineWorkbook.from_filelike(io.BytesIO(data))
            sheet = sheet or book.sheet_names[0]
            found.update(_without_value(data, book.sheet_names.index(sheet)))
            found.update(_of_ods(data, sheet))
            found.update(_no_texts(book, sheet))
    except Stopped:
        pass  # its texts were read; what is told of them is less
    return found


def _no_texts(book: Any, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    cells = book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)
    for number, row in enumerate(cells, 1):
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                yield (number, column), _kind(cell)


def _kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return TRUTH
    dated = datetime.date | datetime.time | datetime.timedelta
    return DATE if isinstance(cell, dated) else NUMBER


def _without_value(data: bytes, index: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Errors, and formulas that were never reckoned, of the sheets of an XLSX: what reads it for
    its texts takes both for empty cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = part_of(package, index)
            text = package.read(part) if _PART.match(part) else b""
    except UNREADABLE:
        return
    for cell in _CELL.split(text)[1:]:
        head, _, rest = cell.partition(b">")
        place = _PLACE.search(head)
        if place is None or head.endswith(b"/"):
            continue
        at, value = (int(place[2]), column_of(place[1])), _VALUE.search(rest)
        if _IS_ERROR.search(head):
            yield at, value[1].decode(errors="replace")[:20] if value else "#VALUE!"
        elif _FORMULA.search(rest) and value is None:
            yield at, FORMULA


def _of_ods(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The same of a sheet of an ODS."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            text = package.read("content.xml")
    except UNREADABLE:
        return
    row = column = 0
    inside, rows = False, 1
    for tag, head, rest in _ODS.findall(text):
        said = _TIMES.search(head)
        times = int(said[1]) if said else 1
        if tag == b"table":
            named = _TABLE.search(head)
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

"""Cells of a workbook that hold something else than a text: dates, numbers, errors, and formulas of
which no value is kept."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from cardgen.base import guard
from cardgen.base.guard import Stopped

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
_FAILED = (
    zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError, EOFError,
    zlib.error,
)  # fmt: skip


def of(data: bytes, name: str, sheet: str) -> Cells:
    """The odd cells of a sheet, the first where none is named, of a workbook that could be read."""
    found: Cells = {}
    try:
        with guard.at(f"{name}: reading it", _SECONDS):
            found.update(_without_value(data, sheet))
            found.update(_of_ods(data, sheet))
            found.update(_no_texts(data, sheet))
    except Stopped:
        pass  # its texts were read; what is told of them is less
    return found


def _no_texts(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    from python_calamine import CalamineWorkbook  # noqa: PLC0415 - only for workbooks

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    cells = book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python(skip_empty_area=False)
    for number, row in enumerate(cells, 1):
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                yield (number, column), _kind(cell)


def _kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return TRUTH
    dated = datetime.date | datetime.time | datetime.timedelta
    return DATE if isinstance(cell, dated) else NUMBER


def _without_value(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Errors, and formulas that were never reckoned, of the sheets of an XLSX: what reads it for
    its texts takes both for empty cells."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = _part(package, sheet)
            text = package.read(part) if part else b""
    except _FAILED:
        return
    for cell in _CELL.split(text)[1:]:
        head, _, rest = cell.partition(b">")
        place = _PLACE.search(head)
        if place is None or head.endswith(b"/"):
            continue
        at, value = (int(place[2]), _column(place[1])), _VALUE.search(rest)
        if _IS_ERROR.search(head):
            yield at, value[1].decode(errors="replace")[:20] if value else "#VALUE!"
        elif _FORMULA.search(rest) and value is None:
            yield at, FORMULA


def _of_ods(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    """The same of a sheet of an ODS."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            text = package.read("content.xml")
    except _FAILED:
        return
    row = column = 0
    inside, rows = False, 1
    for tag, head, rest in _ODS.findall(text):
        said = _TIMES.search(head)
        times = int(said[1]) if said else 1
        if tag == b"table":
            named = _TABLE.search(head)
            inside = not sheet or bool(named and named[1].decode(errors="replace") == sheet)
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


def _column(letters: bytes) -> int:
    """The number of a column, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _part(package: zipfile.ZipFile, sheet: str) -> str:
    """The file of a sheet; "" where it cannot be told."""
    sheets = _sheets(package)
    if not sheets:
        return ""
    named = dict(sheets).get(sheet, sheets[0][1])
    wanted = dict(_targets(package)).get(named, "")
    path = wanted.lstrip("/") if wanted.startswith("/") else f"xl/{wanted}"
    return path if _PART.match(path) else ""


def _sheets(package: zipfile.ZipFile) -> list[tuple[str, str]]:
    """The sheets' names, and those of their parts."""
    text = package.read("xl/workbook.xml").decode(errors="replace")
    found = []
    for sheet in re.findall(r"<(?:\w+:)?sheet\s([^<>]*)>", text):
        says = dict(re.findall(r"([\w:]+)\s*=\s*[\"']([^\"'<>]*)[\"']", sheet))
        of_part = next((value for key, value in says.items() if key.endswith(":id")), "")
        found.append((says.get("name", ""), of_part))
    return found


def _targets(package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """Which part each name of one stands for."""
    text = package.read("xl/_rels/workbook.xml.rels").decode(errors="replace")
    for part in re.findall(r"<(?:\w+:)?Relationship\s([^<>]*)>", text):
        says = dict(re.findall(r"(\w+)\s*=\s*[\"']([^\"'<>]*)[\"']", part))
        yield says.get("Id", ""), says.get("Target", "")

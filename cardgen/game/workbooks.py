"""Workbooks as rows of cells: XLSX, ODS and whatever else calamine reads.

Calamine lays out every cell up to the last one, and takes errors and formulas without a value for
empty cells. So the XML of a sheet is scanned beside it: for a cell far out, and for such cells.
"""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.table_rows import TableRow

WORKBOOK_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
MAX_CELLS = 2_000_000
MAX_UNPACKED_BYTES = 200_000_000
READ_SECONDS = 4.0
DATE, NUMBER, TRUTH, FORMULA = "date", "number", "truth", "formula"
"""Kinds of cells that hold no text; `FORMULA` is one without a value."""
ERROR_VALUE = re.compile(
    r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A|NUM!|NULL!|SPILL!|CALC!|BLOCKED!)|Err:[0-9]{3}"
)
"""What a spreadsheet shows for a formula that fails."""
_OLE_SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")
_PASSWORD_HINT = ": it is behind a password; save it without one"
_BOOK, _RELATIONSHIPS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_SHEET_TAG = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*?:id\s*=\s*[\"']([^\"'<>]*)[\"']")
_RELATIONSHIP_TAG = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_RELATIONSHIP_ATTRIBUTE = re.compile(rb"\b(Id|Target)\s*=\s*[\"']([^\"'<>]*)[\"']")
# A cell with only a colour or a border holds nothing: it has no element in it.
_CELL = re.compile(
    rb"<(?:\w+:)?c\s([^<>]*?\br\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"'][^<>]*)(?<!/)>"
    rb"([^<]*<[^/](?:[^<]|<(?!/?(?:\w+:)?c[\s>]))*)</(?:\w+:)?c>"
)
_ERROR_TYPE = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
_FORMULA_ELEMENT = re.compile(rb"<(?:\w+:)?f[\s/>]")
_VALUE_ELEMENT = re.compile(rb"<(?:\w+:)?v>([^<]+)<")
_ODS_ELEMENT = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?:\s([^<>]*))?>([^<]*(?:<text:p>[^<]*)?)"
)
_ODS_REPEAT = re.compile(rb"table:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_ODS_TABLE_NAME = re.compile(rb"table:name=\"([^\"]*)\"")
_CHUNK_BYTES, _MAX_CELL_BYTES = 1 << 20, 1 << 16
_ZIP_ERRORS = (
    zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError, EOFError,
    zlib.error,
)  # fmt: skip
"""Raised for a file that is not a ZIP archive, is damaged, or lacks a part."""
SPARSE_RATIO = 10
"""A sheet may have this many times as many cells as are filled."""
MAX_SCANNED_CELLS = 200_000
"""Scanning more filled cells would take as long as reading them."""
_Cell = tuple[bytes, bytes, bytes, bytes]
"""Attributes, column letters, row number and content of an XLSX cell."""


@dataclass
class SheetContents:
    """A sheet as rows that are not empty, and what is wrong with it.

    `odd_cells` maps the row and column, from 1, of cells that hold no text to their kind, or to
    the error that they show.
    """

    rows: list[TableRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    odd_cells: dict[tuple[int, int], str] = field(default_factory=dict)


def read_sheet_rows(
    data: bytes, path: str, sheet: str, named: Source
) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows of a sheet, "" for the first one. `named` is the place that names it."""

    def read(book: Any) -> list[TableRow]:
        contents.problems += _check_sheet(book, data, path, sheet, named)
        return [] if contents.problems else _read_rows(book, path, sheet, {})

    contents = SheetContents()
    contents.rows = _open_workbook(data, path, read, contents.problems) or []
    return contents.rows, contents.problems


def read_text_sheet(data: bytes, path: str, sheet: str) -> SheetContents:
    """Return a sheet with its odd cells; the first sheet if there is none with that name."""
    contents = SheetContents()

    def read(book: Any) -> list[TableRow]:
        name = sheet if sheet in book.sheet_names else ""
        contents.problems += _check_sheet(book, data, path, name, Source(path))
        if contents.problems:
            return []
        name = name or book.sheet_names[0]
        contents.odd_cells.update(_find_cells_without_value(data, book.sheet_names.index(name)))
        contents.odd_cells.update(find_odd_ods_cells(data, name))
        return _read_rows(book, path, name, contents.odd_cells)

    contents.rows = _open_workbook(data, path, read, contents.problems) or []
    return contents


def list_sheets(data: bytes, path: str) -> tuple[list[str], list[Problem]]:
    """Return the names of a workbook's sheets, in their order."""
    problems: list[Problem] = []
    return _open_workbook(data, path, lambda book: list(book.sheet_names), problems) or [], problems


def _open_workbook(
    data: bytes, path: str, read: Callable[[Any], list[Any]], problems: list[Problem]
) -> list[Any] | None:
    """Return what `read` makes of a workbook, within limits. Report why it cannot be read."""
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415

    if _sum_unpacked_bytes(data) > MAX_UNPACKED_BYTES:
        message = f"the workbook unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB"
        problems.append(Problem(Source(path), message, "table"))
        return None
    try:
        with work_limits.work_limit(f"{path}: reading it", READ_SECONDS):
            try:
                return read(CalamineWorkbook.from_filelike(io.BytesIO(data)))
            except BaseException as error:
                # A panic of Rust is no Exception.
                if not isinstance(error, CalamineError) and (
                    type(error).__module__ != "pyo3_runtime"
                ):
                    raise  # also the error of the time limit
                why = _PASSWORD_HINT if _is_encrypted(data) else f": {error}"
                message = f"the workbook cannot be read{why}"
                problems.append(Problem(Source(path), message, "table"))
    except LimitExceededError as error:
        message = f"the workbook cannot be read: {error}"
        problems.append(Problem(Source(path), message, "bounds"))
    return None


def _is_encrypted(data: bytes) -> bool:
    """Return whether a workbook is behind a password: an XLSX in an OLE container, or an ODS whose
    manifest says so."""
    if data.startswith(_OLE_SIGNATURE):
        return "EncryptedPackage".encode("utf-16-le") in data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return b"encryption-data" in package.read("META-INF/manifest.xml")
    except _ZIP_ERRORS:
        return False


def _sum_unpacked_bytes(data: bytes) -> int:
    """Return the unpacked size that a workbook declares; 0 if it is not a ZIP archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return sum(part.file_size for part in package.infolist())
    except _ZIP_ERRORS:
        return 0


def _check_sheet(book: Any, data: bytes, path: str, sheet: str, named: Source) -> list[Problem]:
    """Return why a sheet cannot be read, without laying it out."""
    names = book.sheet_names
    if sheet and sheet not in names:
        hint = did_you_mean(sheet, names)
        return [Problem(named, f"{path} has no sheet '{sheet}'{hint}", "table")]
    if not names:
        return [Problem(Source(path), "the workbook has no sheets", "table")]
    name = sheet or names[0]
    cell, size = find_far_cell(data, names.index(name), MAX_CELLS)
    if cell:
        message = f"the cell {cell} is far out and makes the sheet {name} {size:,} cells large; "
        return [Problem(Source(path), f"{message}delete it", "table")]
    found = book.get_sheet_by_name(name)
    if found.total_height * found.total_width > MAX_CELLS:
        message = f"the sheet {name} has more than {MAX_CELLS:,} cells"
        return [Problem(Source(path), message, "table")]
    return []


def _read_rows(
    book: Any, path: str, sheet: str, odd_cells: dict[tuple[int, int], str]
) -> list[TableRow]:
    """Return the rows of a sheet that are not empty. Add its cells without text to `odd_cells`."""
    name = sheet or book.sheet_names[0]
    rows = []
    values = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    for number, row in enumerate(values, start=1):
        cells = [_format_cell(cell) for cell in row]
        if any(cells):
            rows.append(TableRow(Source(path, number, f"{name}!{number}"), cells, name))
            odd_cells.update(
                ((number, column), _classify_cell(cell))
                for column, cell in enumerate(row, start=1)
                if not isinstance(cell, str)
            )
    return rows


def _classify_cell(cell: Any) -> str:
    if isinstance(cell, bool):
        return TRUTH
    dates = datetime.date | datetime.time | datetime.timedelta
    return DATE if isinstance(cell, dates) else NUMBER


def _format_cell(cell: Any) -> str:
    """Return a cell as one would write it in CSV."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)


def find_far_cell(data: bytes, index: int, most: int) -> tuple[str, int]:
    """Return a cell of an XLSX sheet that makes more than `most` cells, nearly all empty, and
    their number; "" and 0 if there is none. `index` counts the sheets from 0."""
    last_row = last_column = filled = 0
    farthest = (0, "")
    for cells in _scan_xlsx(data, index):
        filled += len(cells)
        lowest = max(cells, key=lambda cell: int(cell[2]))
        rightmost = max(cells, key=lambda cell: (len(cell[1]), cell[1].upper()))
        last_row = max(last_row, int(lowest[2]))
        last_column = max(last_column, _parse_column(rightmost[1]))
        for _, letters, number, _ in (lowest, rightmost):
            name = (letters.upper() + number).decode()
            farthest = max(farthest, (_parse_column(letters) * int(number), name))
        if filled > MAX_SCANNED_CELLS:
            break
    size = last_row * last_column
    return (farthest[1], size) if size > max(most, SPARSE_RATIO * filled) else ("", 0)


def _find_cells_without_value(data: bytes, index: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield errors, and formulas that were never computed, of an XLSX sheet."""
    for cells in _scan_xlsx(data, index):
        for attributes, letters, number, content in cells:
            place, value = (int(number), _parse_column(letters)), _VALUE_ELEMENT.search(content)
            if _ERROR_TYPE.search(attributes):
                yield place, value[1].decode(errors="replace")[:20] if value else "#VALUE!"
            elif value is None and _FORMULA_ELEMENT.search(content):
                yield place, FORMULA


def _scan_xlsx(data: bytes, index: int) -> Iterator[list[_Cell]]:
    """Yield the filled cells of an XLSX sheet in chunks, a few of them twice; nothing for other
    files."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = _find_sheet_part(package, index)
            if not part:
                return
            rest = b""
            with package.open(part) as stream:
                while more := stream.read(_CHUNK_BYTES):
                    text = rest + more
                    if cells := _CELL.findall(text):
                        yield cells
                    rest = text[-_MAX_CELL_BYTES:]
    except _ZIP_ERRORS:
        return  # calamine says what is wrong


def _find_sheet_part(package: zipfile.ZipFile, index: int) -> str:
    """Return the name of the part that holds a sheet; "" if the workbook does not name it."""
    ids = _SHEET_TAG.findall(package.read(_BOOK))
    for tag in _RELATIONSHIP_TAG.findall(package.read(_RELATIONSHIPS)):
        attributes = dict(_RELATIONSHIP_ATTRIBUTE.findall(tag))
        if index < len(ids) and attributes.get(b"Id") == ids[index]:
            return posixpath.join("/xl", attributes.get(b"Target", b"").decode()).lstrip("/")
    return ""


def _parse_column(letters: bytes) -> int:
    """Return the number of a column, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def find_odd_ods_cells(data: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield errors, and formulas that were never computed, of an ODS sheet."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            text = package.read("content.xml")
    except _ZIP_ERRORS:
        return
    row = column = 0
    is_inside, height = False, 1
    for tag, attributes, content in _ODS_ELEMENT.findall(text):
        repeat = _ODS_REPEAT.search(attributes)
        times = int(repeat[1]) if repeat else 1
        if tag == b"table":
            name = _ODS_TABLE_NAME.search(attributes)
            is_inside = bool(name and unescape(name[1].decode(errors="replace")) == sheet)
            row, height = 0, 1
        elif tag == b"table-row":
            row, column, height = row + height, 0, times
        else:
            if is_inside and b'calcext:value-type="error"' in attributes:
                error = content.rpartition(b">")[2].decode(errors="replace")[:20]
                yield (row, column + 1), error.strip() or "#VALUE!"
            elif (
                is_inside
                and b"table:formula=" in attributes
                and b"office:value-type=" not in attributes
            ):
                yield (row, column + 1), FORMULA
            column += times

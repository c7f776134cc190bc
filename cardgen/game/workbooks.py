"""Workbooks as rows of cells: XLSX and ODS, and what else calamine reads."""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.table_rows import TableRow

_BOOK, _PARTS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_SHEET_TAG = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*?:id\s*=\s*[\"']([^\"'<>]*)[\"']")
_RELATIONSHIP_TAG = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_RELATIONSHIP_ATTRIBUTE = re.compile(rb"\b(Id|Target)\s*=\s*[\"']([^\"'<>]*)[\"']")
# A cell that holds something: one that only has a colour or a border counts for nothing.
_CELL_TAG = re.compile(
    rb"<(?:\w+:)?c\s(?:[^<>]*?\s)?r\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"'][^<>]*(?<!/)>"
    rb"[^<]*<[^/]"
)
_READ, _LONGEST = 1 << 20, 1 << 12
"""Bytes that are read at once, and those of the longest beginning of a cell."""
ZIP_ERRORS = (
    zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError, EOFError,
    zlib.error,
)  # fmt: skip
"""What comes of an archive that is none, or lacks a file, or is damaged."""
SPARSE_RATIO = 10
"""So many times as many cells as hold something a sheet may have."""
MAX_SCANNED_CELLS = 200_000
"""After so many a sheet is no small table: looking at all would take as long as reading them."""


@dataclass
class _SheetExtent:
    """How far the cells of a sheet go that hold something, and about how many do."""

    row: int = 0
    column: int = 0
    filled_cells: int = 0
    farthest: tuple[int, str] = (0, "")
    """Of the cells at the last row and column that with the most cells up to it, and its name."""

    def add_cells(self, cells: list[tuple[bytes, bytes]]) -> None:
        self.filled_cells += len(cells)
        last_row = max({number for _, number in cells}, key=int)
        last_column = max({letters for letters, _ in cells}, key=parse_column)
        self.row = max(self.row, int(last_row))
        self.column = max(self.column, parse_column(last_column))
        for cell in (
            next(each for each in cells if each[1] == last_row),
            next(each for each in cells if each[0] == last_column),
        ):
            name = b"".join(cell).decode().upper()
            self.farthest = max(self.farthest, (parse_column(cell[0]) * int(cell[1]), name))


def parse_column(letters: bytes) -> int:
    """The number of a column, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def find_far_cell(data: bytes, index: int, most: int) -> tuple[str, int]:
    """The cell that makes more than `most` cells of a workbook's sheet, of which nearly all are
    empty, and how many; "" and 0 where none does, and of what is no XLSX. `index`: which of the
    workbook's sheets, from 0."""
    extent = _SheetExtent()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = find_sheet_part(package, index)
            for cells in _scan_cells(package, part) if part else ():
                extent.add_cells(cells)
                if extent.filled_cells > MAX_SCANNED_CELLS:
                    break
    except ZIP_ERRORS:
        return "", 0  # what reads it says what is wrong
    size = extent.row * extent.column
    return (
        (extent.farthest[1], size)
        if size > max(most, SPARSE_RATIO * extent.filled_cells)
        else ("", 0)
    )


def find_sheet_part(package: zipfile.ZipFile, index: int) -> str:
    """The name of the file that holds a sheet; "" where that is not said."""
    names = _SHEET_TAG.findall(package.read(_BOOK))
    for part in _RELATIONSHIP_TAG.findall(package.read(_PARTS)):
        says = dict(_RELATIONSHIP_ATTRIBUTE.findall(part))
        if index < len(names) and says.get(b"Id") == names[index]:
            return posixpath.join("/xl", says.get(b"Target", b"").decode()).lstrip("/")
    return ""


def _scan_cells(package: zipfile.ZipFile, part: str) -> Iterator[list[tuple[bytes, bytes]]]:
    """The letters and the number of each cell that holds something, a few thousand at once; of a
    hundred one comes twice."""
    left = b""
    with package.open(part) as stream:
        while more := stream.read(_READ):
            text = left + more
            cells = _CELL_TAG.findall(text)
            if cells:
                yield cells
            left = text[-_LONGEST:]


WORKBOOK_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
MAX_CELLS = 2_000_000
MAX_UNPACKED_BYTES = 200_000_000
READ_SECONDS = 4.0
_OLE_SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")
_PASSWORD_HINT = ": it is behind a password; save it without one"
_Result = TypeVar("_Result")


def read_sheet_rows(
    data: bytes, path: str, sheet: str, named: Source
) -> tuple[list[TableRow], list[Problem]]:
    """The rows of a sheet that are not empty, of the first one where none is named. `named` is
    where the deck names it."""

    def read_rows(book: Any) -> tuple[list[TableRow], list[Problem]]:
        return _read_rows(book, data, path, sheet, named)

    return _open_workbook(data, path, read_rows)


def list_sheets(data: bytes, path: str) -> tuple[list[str], list[Problem]]:
    """The names of a workbook's sheets, in their order."""

    def read_names(book: Any) -> tuple[list[str], list[Problem]]:
        return list(book.sheet_names), []

    return _open_workbook(data, path, read_names)


def _open_workbook(
    data: bytes, path: str, read: Callable[[Any], tuple[list[_Result], list[Problem]]]
) -> tuple[list[_Result], list[Problem]]:
    """What is read of a workbook, within bounds."""
    from python_calamine import CalamineError, CalamineWorkbook

    if _sum_unpacked_bytes(data) > MAX_UNPACKED_BYTES:
        message = f"the workbook unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB"
        return [], [Problem(Source(path), message, "table")]
    try:
        with work_limits.work_limit(f"{path}: reading it", READ_SECONDS):
            try:
                return read(CalamineWorkbook.from_filelike(io.BytesIO(data)))
            except BaseException as error:
                # A panic of Rust is no Exception.
                if not isinstance(error, CalamineError) and (
                    type(error).__module__ != "pyo3_runtime"
                ):
                    raise  # also what the guard sends
                why = _PASSWORD_HINT if _is_encrypted(data) else f": {error}"
                return [], [Problem(Source(path), f"the workbook cannot be read{why}", "table")]
    except LimitExceededError as error:
        return [], [Problem(Source(path), f"the workbook cannot be read: {error}", "bounds")]


def _is_encrypted(data: bytes) -> bool:
    """Whether a workbook is behind a password: an XLSX in the old kind of container, which says so,
    or an ODS whose manifest does."""
    if data.startswith(_OLE_SIGNATURE):
        return "EncryptedPackage".encode("utf-16-le") in data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return b"encryption-data" in package.read("META-INF/manifest.xml")
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError):
        return False


def _sum_unpacked_bytes(data: bytes) -> int:
    """How many bytes a workbook says that its parts come to; 0 for one that is no ZIP."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return sum(part.file_size for part in package.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return 0


def _read_rows(
    book: Any, data: bytes, path: str, sheet: str, named: Source
) -> tuple[list[TableRow], list[Problem]]:
    names = book.sheet_names
    if sheet and sheet not in names:
        hint = did_you_mean(sheet, names)
        return [], [Problem(named, f"{path} has no sheet '{sheet}'{hint}", "table")]
    if not names:
        return [], [Problem(Source(path), "the workbook has no sheets", "table")]
    name = sheet or names[0]
    cell, size = find_far_cell(data, names.index(name), MAX_CELLS)
    if cell:
        message = f"a cell far out, {cell}, makes the sheet {name} {size:,} cells large; delete it"
        return [], [Problem(Source(path), message, "table")]
    found = book.get_sheet_by_name(name)
    if found.total_height * found.total_width > MAX_CELLS:
        message = f"the sheet {name} has more than {MAX_CELLS:,} cells"
        return [], [Problem(Source(path), message, "table")]
    return [
        TableRow(Source(path, number, f"{name}!{number}"), written, name)
        for number, row in enumerate(found.to_python(skip_empty_area=False), start=1)
        if any(written := [_format_cell(cell) for cell in row])
    ], []


def _format_cell(cell: Any) -> str:
    """A cell as one would write it in CSV."""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)

"""Workbooks as rows of cells: XLSX and ODS, and what else calamine reads."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable
from typing import Any, TypeVar

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.game.far_cells import far_cell
from cardgen.game.table_rows import Row

ENDINGS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
_MOST_CELLS = 2_000_000
_MOST_UNPACKED = 200_000_000
_SECONDS = 4.0
_CONTAINER = bytes.fromhex("d0cf11e0a1b11ae1")
_LOCKED = ": it is behind a password; save it without one"
_Found = TypeVar("_Found")


def rows(data: bytes, path: str, sheet: str, named: Source) -> tuple[list[Row], list[Problem]]:
    """The rows of a sheet that are not empty, of the first one where none is named. `named` is
    where the deck names it."""

    def read(book: Any) -> tuple[list[Row], list[Problem]]:
        return _rows(book, data, path, sheet, named)

    return _opened(data, path, read)


def sheets(data: bytes, path: str) -> tuple[list[str], list[Problem]]:
    """The names of a workbook's sheets, in their order."""

    def read(book: Any) -> tuple[list[str], list[Problem]]:
        return list(book.sheet_names), []

    return _opened(data, path, read)


def _opened(
    data: bytes, path: str, read: Callable[[Any], tuple[list[_Found], list[Problem]]]
) -> tuple[list[_Found], list[Problem]]:
    """What is read of a workbook, within bounds."""
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415 - only for these

    if _unpacked(data) > _MOST_UNPACKED:
        message = f"the workbook unpacks to more than {_MOST_UNPACKED // 1_000_000} MB"
        return [], [Problem(Source(path), message, "table")]
    try:
        with guard.at(f"{path}: reading it", _SECONDS):
            try:
                return read(CalamineWorkbook.from_filelike(io.BytesIO(data)))
            except BaseException as error:
                # A panic of Rust is no Exception.
                if not isinstance(error, CalamineError) and (
                    type(error).__module__ != "pyo3_runtime"
                ):
                    raise  # also what the guard sends
                why = _LOCKED if _is_locked(data) else f": {error}"
                return [], [Problem(Source(path), f"the workbook cannot be read{why}", "table")]
    except Stopped as error:
        return [], [Problem(Source(path), f"the workbook cannot be read: {error}", "bounds")]


def _is_locked(data: bytes) -> bool:
    """Whether a workbook is behind a password: an XLSX in the old kind of container, which says so,
    or an ODS whose manifest does."""
    if data.startswith(_CONTAINER):
        return "EncryptedPackage".encode("utf-16-le") in data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return b"encryption-data" in package.read("META-INF/manifest.xml")
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError):
        return False


def _unpacked(data: bytes) -> int:
    """How many bytes a workbook says that its parts come to; 0 for one that is no ZIP."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return sum(part.file_size for part in package.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return 0


def _rows(
    book: Any, data: bytes, path: str, sheet: str, named: Source
) -> tuple[list[Row], list[Problem]]:
    names = book.sheet_names
    if sheet and sheet not in names:
        hint = did_you_mean(sheet, names)
        return [], [Problem(named, f"{path} has no sheet '{sheet}'{hint}", "table")]
    if not names:
        return [], [Problem(Source(path), "the workbook has no sheets", "table")]
    name = sheet or names[0]
    cell, size = far_cell(data, names.index(name), _MOST_CELLS)
    if cell:
        message = f"a cell far out, {cell}, makes the sheet {name} {size:,} cells large; delete it"
        return [], [Problem(Source(path), message, "table")]
    found = book.get_sheet_by_name(name)
    if found.total_height * found.total_width > _MOST_CELLS:
        message = f"the sheet {name} has more than {_MOST_CELLS:,} cells"
        return [], [Problem(Source(path), message, "table")]
    return [
        Row(Source(path, number, f"{name}!{number}"), written, name)
        for number, row in enumerate(found.to_python(skip_empty_area=False), start=1)
        if any(written := [_written(cell) for cell in row])
    ], []


def _written(cell: Any) -> str:
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

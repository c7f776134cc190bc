"""Workbooks as rows of cells: XLSX and ODS, and what else calamine reads."""

from __future__ import annotations

import datetime
import io
import zipfile
from typing import Any

from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.game.table_rows import Row

ENDINGS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
_MOST_CELLS = 2_000_000
_MOST_UNPACKED = 200_000_000
_SECONDS = 4.0


def rows(data: bytes, path: str, sheet: str, named: Source) -> tuple[list[Row], list[Problem]]:
    """The rows of a sheet that are not empty, of the first one where none is named. `named` is
    where the deck names it."""
    if _unpacked(data) > _MOST_UNPACKED:
        message = f"the workbook unpacks to more than {_MOST_UNPACKED // 1_000_000} MB"
        return [], [Problem(Source(path), message, "table")]
    try:
        with guard.at(f"{path}: reading it", _SECONDS):
            return _read(data, path, sheet, named)
    except Stopped as error:
        return [], [Problem(Source(path), f"the workbook cannot be read: {error}", "bounds")]


def _unpacked(data: bytes) -> int:
    """How many bytes a workbook says that its parts come to; 0 for one that is no ZIP."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return sum(part.file_size for part in package.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return 0


def _read(data: bytes, path: str, sheet: str, named: Source) -> tuple[list[Row], list[Problem]]:
    from python_calamine import CalamineError, CalamineWorkbook  # noqa: PLC0415 - only for these

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = book.sheet_names
        if sheet and sheet not in names:
            hint = did_you_mean(sheet, names)
            message = f"{path} has no sheet '{sheet}'{hint}"
            return [], [Problem(named, message, "table")]
        if not names:
            return [], [Problem(Source(path), "the workbook has no sheets", "table")]
        name = sheet or names[0]
        found = book.get_sheet_by_name(name)
        if found.total_height * found.total_width > _MOST_CELLS:
            message = f"the sheet {name} has more than {_MOST_CELLS:,} cells"
            return [], [Problem(Source(path), message, "table")]
        cells = found.to_python(skip_empty_area=False)
    except BaseException as error:
        # A panic of Rust is no Exception.
        if not isinstance(error, CalamineError) and type(error).__module__ != "pyo3_runtime":
            raise  # also what the guard sends
        return [], [Problem(Source(path), f"the workbook cannot be read: {error}", "table")]
    return [
        Row(Source(path, number, f"{name}!{number}"), written, name)
        for number, row in enumerate(cells, start=1)
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

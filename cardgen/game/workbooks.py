"""Workbooks as rows of cells: XLSX, ODS and whatever else calamine reads.

Calamine lays out every cell up to the last one, and takes errors and formulas without a result for
empty cells. So `sheet_scan` reads the file beside it.
"""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, did_you_mean, format_value, summarise
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import biff_scan, sheet_scan
from cardgen.game.cell_formats import STRUCK
from cardgen.game.inventory import format_count
from cardgen.game.sheet_scan import ERROR_VALUE, FORMULA, PICTURE, SheetScan
from cardgen.game.table_cells import DATE, NUMBER, SHORT_DATE, SPAN, TRUTH, TableRow, format_column
from cardgen.runtime.game_files import compose

WORKBOOK_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
MAX_CELLS = 2_000_000
MAX_UNPACKED_BYTES = 200_000_000
READ_SECONDS = 4.0
MAX_MERGED_CELLS = 200_000
_MAX_LISTED_ROWS = 8
_Corner = tuple[int, int]
_PASSWORD_HINT = ": it is behind a password; save it without one"


@dataclass
class SheetContents:
    """A sheet as rows that are not empty, and what is wrong with it."""

    rows: list[TableRow] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_sheet_rows(
    data: bytes, path: str, sheet: str, named: Source
) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows of a sheet, "" for the first one that is not hidden. `named` is the place
    that names it."""
    contents = SheetContents()

    def read(book: Any) -> list[TableRow]:
        name = sheet or _list_visible_sheets(book)[0] if book.sheet_names else sheet
        at = book.sheet_names.index(name) if name in book.sheet_names else 0
        scan = sheet_scan.scan_sheet(data, at, name, MAX_CELLS)
        contents.problems += _check_sheet(book, scan, path, name, named)
        return [] if contents.problems else _read_rows(book, scan, path, name, contents.problems)

    contents.rows = _open_workbook(data, path, read, contents.problems) or []
    return contents.rows, contents.problems


def read_text_sheet(data: bytes, path: str, sheet: str) -> SheetContents:
    """Return a sheet; the first one that is not hidden if there is none with that name."""
    names, problems = list_sheets(data, path)
    if problems:
        return SheetContents(problems=problems)
    name = sheet if sheet in names else ""
    return SheetContents(*read_sheet_rows(data, path, name, Source(path)))


def list_sheets(data: bytes, path: str, is_hidden: bool = False) -> tuple[list[str], list[Problem]]:
    """Return the names of a workbook's sheets that are not hidden, or of those that are."""
    problems: list[Problem] = []
    read = _list_hidden_sheets if is_hidden else _list_visible_sheets
    return _open_workbook(data, path, read, problems) or [], problems


def _list_visible_sheets(book: Any) -> list[str]:
    """Return the names of the sheets with cells that are not hidden; of all if there are none."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum  # noqa: PLC0415

    visible = [
        each.name
        for each in book.sheets_metadata
        if each.visible == SheetVisibleEnum.Visible and each.typ == SheetTypeEnum.WorkSheet
    ]
    return visible or list(book.sheet_names)


def _list_hidden_sheets(book: Any) -> list[str]:
    from python_calamine import SheetTypeEnum  # noqa: PLC0415

    visible = _list_visible_sheets(book)
    sheets = [each.name for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    return [name for name in sheets if name not in visible]


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
    if biff_scan.is_compound_file(data):
        return "EncryptedPackage".encode("utf-16-le") in data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return b"encryption-data" in package.read("META-INF/manifest.xml")
    except sheet_scan.ZIP_ERRORS:
        return False


def _sum_unpacked_bytes(data: bytes) -> int:
    """Return the unpacked size that a workbook declares; 0 if it is not a ZIP archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return sum(part.file_size for part in package.infolist())
    except sheet_scan.ZIP_ERRORS:
        return 0


def _check_sheet(book: Any, scan: SheetScan, path: str, sheet: str, named: Source) -> list[Problem]:
    """Return why a sheet cannot be read, without laying it out."""
    names = book.sheet_names
    if sheet and sheet not in names:
        hint = did_you_mean(sheet, names)
        return [Problem(named, f"{path} has no sheet '{sheet}'{hint}", "table")]
    if not names:
        return [Problem(Source(path), "the workbook has no sheets", "table")]
    name = sheet or names[0]
    if scan.far_cell:
        message = f"the cell {scan.far_cell} is far out and makes the sheet {name} {scan.size:,} "
        message += "cells large; "
        return [Problem(Source(path), f"{message}delete it", "table")]
    found = book.get_sheet_by_name(name)
    if found.total_height * found.total_width > MAX_CELLS:
        message = f"the sheet {name} has more than {MAX_CELLS:,} cells"
        return [Problem(Source(path), message, "table")]
    return []


def _read_rows(
    book: Any, scan: SheetScan, path: str, name: str, problems: list[Problem]
) -> list[TableRow]:
    """Return the rows of a sheet that are not empty. Merged cells fill their range."""
    sheet = book.get_sheet_by_name(name)
    try:
        values = sheet.to_python(skip_empty_area=False)
    except OverflowError:  # calamine makes a date or a duration of what its format shows as one
        message = f"a number of the sheet {name} is too large for its format, a date or time; "
        problems.append(Problem(Source(path), f"{message}correct it, or its format", "table"))
        return []
    grid = [[_format_cell(cell) for cell in row] for row in values]
    kinds: list[dict[int, str]] = [
        {at: _classify_cell(cell) for at, cell in enumerate(row) if not isinstance(cell, str)}
        for row in values
    ]
    _add_scanned_cells(grid, kinds, scan)
    merges = sheet.merged_cell_ranges or scan.merges
    problems += _fill_merged_cells(grid, kinds, merges, (path, name))
    found = [
        TableRow(Source(path, number, f"{name}!{number}"), cells, name, kinds_of_row)
        for number, (cells, kinds_of_row) in enumerate(zip(grid, kinds, strict=True), start=1)
        if any(cells) or FORMULA in kinds_of_row.values()
    ]
    problems += _report_marks(found, scan)
    problems += _report_objects(scan, TableRow(Source(path, 1, name), (), name))
    if not scan.is_complete:
        message = (
            "of XLSB, cardgen sees no errors, no formulas without a result and no hidden rows: "
        )
        message += "such cells are empty; save the workbook as XLSX"
        problems.append(Problem(Source(path), message, "table", "warning"))
    sources = [row.source for row in found if row.source.line in scan.hidden_rows]
    if sources:
        lines = summarise([source.line for source in sources], _MAX_LISTED_ROWS)
        message = f"rows that the spreadsheet hides are read like others: {lines}; delete those "
        message += "that are no cards, or give them 0 copies"
        problems.append(Problem(sources[0], message, "table", "warning"))
    return found


def _add_scanned_cells(grid: list[list[str]], kinds: list[dict[int, str]], scan: SheetScan) -> None:
    """Put what the scan found into the cells that calamine read."""
    for row, column in scan.short_dates:
        if row <= len(kinds) and kinds[row - 1].get(column - 1) == DATE:
            kinds[row - 1][column - 1] = SHORT_DATE
    for (row, column), kind in scan.odd_cells:
        while len(grid) < row:
            grid.append([])
            kinds.append({})
        cells = grid[row - 1]
        cells += [""] * (column - len(cells))
        cells[column - 1] = "" if kind in {FORMULA, PICTURE} else kind
        kinds[row - 1][column - 1] = kind
    for (row, column), text in scan.shown:
        if text and row <= len(kinds) and column <= len(grid[row - 1]):
            is_number = kinds[row - 1].get(column - 1) in {NUMBER, DATE}
            if is_number or grid[row - 1][column - 1].startswith("PT"):  # a time of ODS
                grid[row - 1][column - 1] = text
                kinds[row - 1].pop(column - 1, None)
    for (row, column), text in scan.texts:
        if row <= len(grid) and column <= len(grid[row - 1]) and not kinds[row - 1].get(column - 1):
            grid[row - 1][column - 1] = compose(text)


def _report_marks(rows: Sequence[TableRow], scan: SheetScan) -> Iterator[Problem]:
    """Yield a warning for each cell whose text is struck through, raised or lowered, wholly or in
    part; for a row whose cells are all struck through, one."""
    marks = dict(scan.marks)
    for row in rows:
        places = [(row.source.line, at + 1) for at, cell in enumerate(row.cells) if cell.strip()]
        found = {place: marks[place] for place in places if place in marks}
        if places and all(found.get(place) == (STRUCK, "") for place in places):
            message = (
                "the row is struck through and is read like others; delete it if it is no card"
            )
            yield Problem(row.source, message, "table", "warning")
            continue
        for (_, column), (kind, text) in found.items():
            message = format_value(text) if text else "the text"
            if kind == STRUCK:
                message += " is struck through here and is printed like any other; delete it if it "
                message += "is not meant"
            else:
                message += " is raised or lowered here and is printed like any other; write signs "
                message += "such as ² or ₂"
            yield Problem(row.get_source(column - 1), message, "table", "warning")


def _report_objects(scan: SheetScan, sheet: TableRow) -> Iterator[Problem]:
    """Yield one warning for what lies over the cells of a sheet, and one for each picture in a
    cell."""
    for (row, column), kind in scan.odd_cells:
        if kind == PICTURE:
            message = "the picture in this cell is not read; save it as a file in art/, and write "
            line = replace(sheet, source=replace(sheet.source, line=row))
            yield Problem(
                line.get_source(column - 1), message + "its name here", "table", "warning"
            )
    counts = [format_count(count, what) for what, count in scan.objects.items() if count]
    if counts:
        message = (
            f"not read, since it lies over the cells of this sheet: {', '.join(counts)}; save "
        )
        message += "pictures as files in art/, and write texts into cells"
        yield Problem(sheet.source, message, "table", "warning")


def _fill_merged_cells(
    grid: Sequence[list[str]],
    kinds: Sequence[dict[int, str]],
    merges: Collection[tuple[_Corner, _Corner]],
    sheet: tuple[str, str],
) -> Iterator[Problem]:
    """Fill merged ranges with the value of their first cell. Yield the cells that they hide.

    A row without a cell of its own stays empty. Titles, which are the only cells of their row and
    span several columns, fill nothing and are marked as `SPAN`. `sheet` is the path of the workbook
    and the name of the sheet.
    """
    width = max(map(len, grid), default=0)
    origins = [
        (top, left, min(bottom, len(grid) - 1), min(right, width - 1))
        for (top, left), (bottom, right) in merges
        if top < len(grid) and left < len(grid[top])
    ]
    size = sum((bottom - top + 1) * (right - left + 1) for top, left, bottom, right in origins)
    if size > MAX_MERGED_CELLS:
        message = f"merged cells cover more than {MAX_MERGED_CELLS:,} cells; split them"
        yield Problem(Source(sheet[0]), message, "table")
        return
    titles = {(top, left) for top, left, _, right in origins if right > left}
    covered = {
        (row, column)
        for top, left, bottom, right in origins
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
        if (row, column) != (top, left)
    }

    def has_own_cell(row: int, others: Collection[_Corner] = ()) -> bool:
        return any(
            cell and (row, column) not in covered and (row, column) not in others
            for column, cell in enumerate(grid[row])
        )

    own_rows = {row for row in {row for row, _ in covered} if has_own_cell(row)}
    for top, left, bottom, right in origins:
        is_title = (top, left) in titles and not has_own_cell(top, titles)
        if is_title:
            kinds[top][left] = SPAN
        value, kind = grid[top][left], kinds[top].get(left, "")
        for row in range(top, bottom + 1):
            cells = grid[row]
            for column in range(left, min(right + 1, len(cells))):
                if cells[column] and cells[column] != value:
                    message = (
                        f"{format_value(cells[column])} is hidden below the merged cell "
                        f"{format_column(left)}{top + 1}; delete it, or split the cell"
                    )
                    hidden = TableRow(Source(sheet[0], row + 1), (), sheet[1]).get_source(column)
                    yield Problem(hidden, message, "table")
                elif row in own_rows and not is_title:
                    cells[column] = value
                    if kind not in {"", FORMULA} and not ERROR_VALUE.fullmatch(kind):
                        kinds[row][column] = kind


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
        # A spreadsheet shows 15 digits, so that 0.1 + 0.2 is 0.3.
        exact = Decimal(f"{cell:.15g}")
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else f"{exact:f}"
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return compose(str(cell))

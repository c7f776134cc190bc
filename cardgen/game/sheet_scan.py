"""Raw scan of a sheet for what calamine does not tell: errors, formulas without a result, the
merged cells of ODS, and cells far out.

Calamine takes errors and formulas without a result for empty cells. XLSX is described by ECMA-376,
ODS by OpenDocument 1.3, XLS by [MS-XLS].
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from html import unescape
from io import BytesIO

from cardgen.game import biff_scan

FORMULA = "formula"
"""The kind of a formula whose result is not stored."""
ERROR_VALUE = re.compile(
    r"#(?:NAME\?|REF!|VALUE!|DIV/0!|N/A!?|NUM!|NULL!|SPILL!|CALC!|BLOCKED!|FIELD!|CONNECT!|UNKNOWN!"
    r"|BUSY!|GETTING_DATA|ERROR!|LOADING|PYTHON!|EXTERNAL!"
    # As Excel and LibreOffice write them in German, Finnish, Russian, Swedish, French and Spanish.
    r"|BEZUG!|NV|WERT!|ZAHL!|VIITTAUS!|PUUTTUU!|ARVO!|JAKO/0!|LUKU!|NIMI\?|TYHJÄ!"
    r"|ССЫЛКА!|Н/Д|ЗНАЧ!|ДЕЛ/0!|ЧИСЛО!|ИМЯ\?|ПУСТО!"
    r"|REFERENS!|SAKNAS!|VÄRDEFEL!|DIVISION/0!|OGILTIGT!|NAMN\?|SKÄRNING!"
    r"|VALEUR!|NOMBRE!|NOM\?|NUL!|N/D|¡REF!|¡VALOR!|¡DIV/0!|¡NUM!|¡NULO!|¿NOMBRE\?)"
    r"|Err:[0-9]{3}"
)
"""What a spreadsheet shows for a formula that fails."""
ZIP_ERRORS = (
    zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError, EOFError,
    zlib.error,
)  # fmt: skip
"""Raised for a file that is not a ZIP archive, is damaged, or lacks a part."""
SPARSE_RATIO = 10
"""A sheet may have this many times as many cells as are filled."""
MAX_SCANNED_CELLS = 200_000
"""Scanning more filled cells would take as long as reading them."""
_BOOK, _RELATIONSHIPS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_SHEET_TAG = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*?:id\s*=\s*[\"']([^\"'<>]*)[\"']")
_RELATIONSHIP_TAG = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_RELATIONSHIP_ATTRIBUTE = re.compile(rb"\b(Id|Target)\s*=\s*[\"']([^\"'<>]*)[\"']")
_UNCALCULATED = re.compile(rb"<(?:\w+:)?calcPr\s[^<>]*fullCalcOnLoad\s*=\s*[\"'](?:1|true)[\"']")
# A cell with only a colour or a border holds nothing: it has no element in it.
_CELL = re.compile(
    rb"<(?:\w+:)?c\s([^<>]*?\br\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"'][^<>]*)(?<!/)>"
    rb"([^<]*<[^/](?:[^<]|<(?!/?(?:\w+:)?c[\s>]))*)</(?:\w+:)?c>"
)
_ERROR_TYPE = re.compile(rb"\bt\s*=\s*[\"']e[\"']")
_TEXT_TYPE = re.compile(rb"\bt\s*=\s*[\"']str[\"']")
_FORMULA_ELEMENT = re.compile(rb"<(?:\w+:)?f[\s/>]")
_VALUE_ELEMENT = re.compile(rb"<(?:\w+:)?v(?:\s[^<>]*)?(?:/>|>([^<]*)<)")
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?(row\s[^<>]*\bhidden=[\"'](?:1|true)[\"'][^<>]*)()()()>")
_ROW_NUMBER = re.compile(rb"\br=[\"']([0-9]{1,7})[\"']")
_ODS_HIDDEN = re.compile(rb"table:visibility=\"(?:collapse|filter)\"")
_ODS_PARAGRAPH = re.compile(rb"<text:p(?=[\s/>])")
_ODS_SPACES = re.compile(r"<text:s(?:\s+text:c=\"([0-9]{1,5})\")?\s*/?>")
_MAX_SPACES = 100
_ODS_BREAK = re.compile(
    rb"<text:(?:line-break|s|tab)[\s/>]|<text:p[\s/>].*<text:p[\s/>]", re.DOTALL
)
_ODS_ELEMENT = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?:\s([^<>]*))?>([^<]*(?:<text:p>[^<]*)?)"
)
_ODS_REPEAT = re.compile(rb"table:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_ODS_SPAN = re.compile(rb"table:number-(rows|columns)-spanned=\"([0-9]{1,7})\"")
_ODS_TABLE_NAME = re.compile(rb"table:name=\"([^\"]*)\"")
_ODS_TYPE = re.compile(rb"office:value-type=\"([a-z]+)\"")
_ODS_NUMBER_TYPES = frozenset({b"float", b"percentage", b"currency"})
_CHUNK_BYTES, _MAX_CELL_BYTES = 1 << 20, 1 << 16
_Cell = tuple[bytes, bytes, bytes, bytes]
"""Attributes, column letters, row number and content of an XLSX cell."""
Place = tuple[int, int]
"""Row and column, counted from 1."""


def find_odd_cells(data: bytes, index: int, sheet: str) -> Iterator[tuple[Place, str]]:
    """Yield the cells of a sheet that show an error, with its text, and those that hold a formula
    without a result, with `FORMULA`. `index` counts the sheets of XLSX and XLS from 0."""
    if biff_scan.is_compound_file(data):
        yield from biff_scan.find_odd_cells(data, sheet, FORMULA)
        return
    yield from _find_odd_xlsx_cells(data, index)
    yield from find_odd_ods_cells(data, sheet)


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


def _find_odd_xlsx_cells(data: bytes, index: int) -> Iterator[tuple[Place, str]]:
    never_calculated = _is_never_calculated(data)
    for cells in _scan_xlsx(data, index):
        for attributes, letters, number, content in cells:
            is_error = _ERROR_TYPE.search(attributes)
            if not is_error and not _FORMULA_ELEMENT.search(content):
                continue
            place, value = (int(number), _parse_column(letters)), _VALUE_ELEMENT.search(content)
            text = (value[1] or b"").strip() if value else b""
            has_text = bool(value and _TEXT_TYPE.search(attributes))
            if is_error:
                yield place, text.decode(errors="replace")[:20] or "#VALUE!"
            elif (never_calculated and text == b"0") or not (text or has_text):
                yield place, FORMULA


def _is_never_calculated(data: bytes) -> bool:
    """Return whether a workbook asks for its formulas to be calculated when it is opened.

    Libraries that write such workbooks store 0 as the result of every formula.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            return bool(_UNCALCULATED.search(package.read(_BOOK)))
    except ZIP_ERRORS:
        return False


def _scan_xlsx(
    data: bytes, index: int, pattern: re.Pattern[bytes] = _CELL
) -> Iterator[list[_Cell]]:
    """Yield the filled cells of an XLSX sheet in chunks, a few of them twice; nothing for other
    files. Another pattern with four groups finds other elements."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            part = _find_sheet_part(package, index)
            if not part:
                return
            rest = b""
            with package.open(part) as stream:
                while more := stream.read(_CHUNK_BYTES):
                    text = rest + more
                    if cells := pattern.findall(text):
                        yield cells
                    rest = text[-_MAX_CELL_BYTES:]
    except ZIP_ERRORS:
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


def find_odd_ods_cells(data: bytes, sheet: str) -> Iterator[tuple[Place, str]]:
    """Yield errors, and formulas that were never calculated, of an ODS sheet."""
    for place, attributes, content in _scan_ods(data, sheet):
        is_formula = b"table:formula=" in attributes
        shown = content.rpartition(b">")[2].decode(errors="replace")[:20].strip()
        if b'calcext:value-type="error"' in attributes:
            yield place, shown or "#VALUE!"
        elif is_formula and ERROR_VALUE.fullmatch(shown):
            yield place, shown
        elif is_formula:
            kind = _ODS_TYPE.search(attributes)
            lacks_number = kind and kind[1] in _ODS_NUMBER_TYPES
            if not kind or (lacks_number and b"office:value=" not in attributes):
                yield place, FORMULA


def find_ods_merges(data: bytes, sheet: str) -> Iterator[tuple[Place, Place]]:
    """Yield the first and the last cell of each merged range of an ODS sheet, counted from 0, as
    calamine does for other workbooks."""
    for (row, column), attributes, _ in _scan_ods(data, sheet):
        spans = {key: int(count) for key, count in _ODS_SPAN.findall(attributes)}
        height, width = max(spans.get(b"rows", 1), 1), max(spans.get(b"columns", 1), 1)
        if height * width > 1:
            yield (row - 1, column - 1), (row + height - 2, column + width - 2)


def find_ods_texts(data: bytes, sheet: str) -> Iterator[tuple[Place, str]]:
    """Yield the texts of an ODS sheet that hold several paragraphs, line breaks or tabs."""
    for place, _, content in _scan_ods(data, sheet, is_whole=True):
        # A comment is no part of the text.
        first, *others = content.split(b"<office:annotation")
        text = first + b"".join(part.partition(b"</office:annotation>")[2] for part in others)
        if not _ODS_BREAK.search(text):
            continue
        paragraphs = [part.partition(b">")[2] for part in _ODS_PARAGRAPH.split(text)[1:]]
        yield place, "\n".join(map(_read_ods_paragraph, paragraphs))


def _read_ods_paragraph(content: bytes) -> str:
    text = re.sub(r"\s+", " ", content.partition(b"</text:p>")[0].decode(errors="replace")).strip()
    text = re.sub(r"<text:line-break\b[^<>]*>", "\n", text)
    text = re.sub(r"<text:tab(?=[\s/>])[^<>]*>", " ", text)
    text = _ODS_SPACES.sub(lambda match: " " * min(int(match[1] or 1), _MAX_SPACES), text)
    return unescape(re.sub(r"<[^<>]*>", "", text))


def find_hidden_rows(data: bytes, index: int, sheet: str) -> set[int]:
    """Return the numbers of the hidden rows of an XLSX or ODS sheet, from 1."""
    found = {
        int(number[1])
        for tags in _scan_xlsx(data, index, _HIDDEN_ROW)
        for tag in tags
        if (number := _ROW_NUMBER.search(tag[0]))
    }
    cells = _scan_ods(data, sheet)
    return found | {row for (row, _), attributes, _ in cells if _ODS_HIDDEN.search(attributes)}


def _scan_ods(
    data: bytes, sheet: str, is_whole: bool = False
) -> Iterator[tuple[Place, bytes, bytes]]:
    """Yield the place, the attributes with those of the row, and the first text of the cells of an
    ODS sheet; all of their content if `is_whole`."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            text = package.read("content.xml")
    except ZIP_ERRORS:
        return
    row = column = 0
    is_inside, height = False, 1
    of_row = b""
    for match in _ODS_ELEMENT.finditer(text):
        tag, attributes, content = match.groups(b"")
        repeat = _ODS_REPEAT.search(attributes)
        times = int(repeat[1]) if repeat else 1
        if tag == b"table":
            name = _ODS_TABLE_NAME.search(attributes)
            is_inside = bool(name and unescape(name[1].decode(errors="replace")) == sheet)
            row, height = 0, 1
        elif tag == b"table-row":
            row, column, height, of_row = row + height, 0, times, attributes
        else:
            if is_inside:
                if is_whole:
                    content = text[match.start(3) : text.find(b"</table:", match.start(3))]
                content = b"" if attributes.endswith(b"/") else content
                yield (row, column + 1), attributes + b" " + of_row, content
            column += times

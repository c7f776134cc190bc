"""Raw scan of a sheet for what calamine does not tell: errors, formulas without a result, the
merged cells of ODS, and cells far out.

Calamine takes errors and formulas without a result for empty cells. XLSX is described by ECMA-376,
ODS by OpenDocument 1.3, XLS by [MS-XLS].
"""

from __future__ import annotations

import math
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO

from cardgen.game import biff_scan, cell_formats
from cardgen.game.cell_formats import Mark, StyleTable
from cardgen.game.table_cells import format_column

FORMULA = "formula"
"""The kind of a formula whose result is not stored."""
PICTURE = "picture"
"""The kind of a cell with a picture in it."""
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
BOOK, _RELATIONSHIPS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_STYLE = re.compile(rb"\bs\s*=\s*[\"']([0-9]{1,6})[\"']")
_RICH_VALUES = "xl/richData/richValueRel.xml"
_RICH_VALUE = re.compile(rb"\bvm\s*=\s*[\"'][0-9]")
_NUMBER = re.compile(rb"[-+]?[0-9]{1,400}(?:\.[0-9]{1,400})?(?:[eE][-+]?[0-9]{1,4})?")
_INDEX = re.compile(rb"[0-9]{1,9}")
_STRING_TYPE = re.compile(rb"\bt\s*=\s*[\"'](s|inlineStr)[\"']")
_ANY_TYPE = re.compile(rb"\bt\s*=\s*[\"'](?!n[\"'])")
_BINARY_BOOK, ODS_CONTENT = "xl/workbook.bin", "content.xml"
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
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?(row\s[^<>]*\bhidden=[\"'](?:1|true)[\"'][^<>]*)>")
_ROW_NUMBER = re.compile(rb"\br=[\"']([0-9]{1,7})[\"']")
_ODS_HIDDEN = re.compile(rb"table:visibility=\"(?:collapse|filter)\"")
_ODS_PARAGRAPH = re.compile(rb"<text:p(?=[\s/>])")
_ODS_SPACES = re.compile(r"<text:s(?:\s+text:c=\"([0-9]{1,5})\")?\s*/?>")
_MAX_SPACES = 100
_ODS_BREAK = re.compile(
    rb"<text:(?:line-break|s|tab)[\s/>]|<text:p[\s/>].*<text:p[\s/>]", re.DOTALL
)
_ODS_ELEMENT = re.compile(
    rb"<table:(table|table-row|table-cell|covered-table-cell)(?:\s([^<>]*))?>"
)
_ODS_FIRST_TEXT = re.compile(rb"[^<]*(?:<text:p>[^<]*)?")
_ODS_REPEAT = re.compile(rb"table:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_ODS_SPAN = re.compile(rb"table:number-(rows|columns)-spanned=\"([0-9]{1,7})\"")
_ODS_TABLE_NAME = re.compile(rb"table:name=\"([^\"]*)\"")
_ODS_TYPE = re.compile(rb"office:value-type=\"([a-z]+)\"")
_ODS_NUMBER_TYPES = frozenset({b"float", b"percentage", b"currency"})
_OBJECTS = {
    "picture": re.compile(rb"<xdr:pic[\s>]|<draw:image[\s/>]"),
    "shape": re.compile(rb"<xdr:sp[\s>]|<draw:(?:text-box|custom-shape)[\s/>]"),
    "comment": re.compile(rb"<(?:\w+:)?(?:comment|threadedComment)\s|<office:annotation[\s>]"),
}
_CHUNK_BYTES, _MAX_CELL_BYTES = 1 << 20, 1 << 16
_Cell = tuple[bytes, bytes, bytes, bytes]
"""Attributes, column letters, row number and content of an XLSX cell."""
Place = tuple[int, int]
"""Row and column, counted from 1."""


@dataclass
class SheetScan:
    """What a sheet holds that calamine does not tell.

    `far_cell` makes the sheet `size` cells large, nearly all of them empty; "" for none. Rows and
    columns count from 1, those of `merges` from 0, as calamine's do.
    """

    far_cell: str = ""
    size: int = 0
    odd_cells: list[tuple[Place, str]] = field(default_factory=list)
    """Cells that show an error, with its text, and formulas without a result, with `FORMULA`."""
    merges: list[tuple[Place, Place]] = field(default_factory=list)
    texts: list[tuple[Place, str]] = field(default_factory=list)
    """Texts of ODS with several paragraphs, line breaks or tabs."""
    hidden_rows: set[int] = field(default_factory=set)
    shown: list[tuple[Place, str]] = field(default_factory=list)
    """Numbers and times as their formats show them: 50%, 007, 1/3, 30:05."""
    marks: list[tuple[Place, Mark]] = field(default_factory=list)
    """Cells that are struck through, raised or lowered, whole or in part."""
    objects: dict[str, int] = field(default_factory=dict)
    """How many pictures, text boxes and comments lie over the cells."""
    short_dates: set[Place] = field(default_factory=set)
    """Cells of XLSX whose format shows a day and a month without a year, as 1-2 becomes."""
    is_complete: bool = True
    """False for a format whose errors, formulas and hidden rows are not read."""


def scan_sheet(data: bytes, index: int, sheet: str, most: int) -> SheetScan:
    """Return what a sheet holds beside its values, read once. `index` counts the sheets of XLSX
    from 0; a sheet of more than `most` cells is too large."""
    scan = SheetScan()
    if biff_scan.is_compound_file(data):
        scan.odd_cells += biff_scan.find_odd_cells(data, sheet, FORMULA)
        scan.hidden_rows |= biff_scan.find_hidden_rows(data, sheet)
        return scan
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            names = package.namelist()
            scan.is_complete = _BINARY_BOOK not in names
            if BOOK in names:
                _scan_xlsx(package, index, most, scan)
            elif ODS_CONTENT in names:
                _scan_ods(package.read(ODS_CONTENT), sheet, most, scan)
    except ZIP_ERRORS:
        pass  # calamine says what is wrong
    return scan


def _scan_xlsx(package: zipfile.ZipFile, index: int, most: int, scan: SheetScan) -> None:
    part = find_sheet_part(package, index)
    if not part:
        return
    never_calculated = bool(_UNCALCULATED.search(package.read(BOOK)))
    has_pictures = _RICH_VALUES in package.namelist()
    styles = cell_formats.read_styles(package)
    scan.objects = _count_objects(package, part)
    rest, extent = b"", _Extent()
    odd_cells: dict[Place, str] = {}
    with package.open(part) as stream:
        while more := stream.read(_CHUNK_BYTES):
            text = rest + more
            cells = _CELL.findall(text)
            extent.add_cells(cells)
            odd_cells |= _find_odd_xlsx_cells(cells, never_calculated, has_pictures)
            _scan_styles(cells, styles, scan)
            scan.hidden_rows |= {
                int(number[1])
                for tag in _HIDDEN_ROW.findall(text)
                if (number := _ROW_NUMBER.search(tag))
            }
            rest = text[-_MAX_CELL_BYTES:]
    scan.odd_cells += odd_cells.items()
    scan.far_cell, scan.size = extent.find_far_cell(most)


def _scan_styles(cells: Sequence[_Cell], styles: StyleTable, scan: SheetScan) -> None:
    """Add what the formats of cells show, and their marks."""
    if not (styles.codes or styles.marks or styles.strings or styles.short_dates):
        return
    for attributes, letters, number, content in cells:
        found = _STYLE.search(attributes)
        style, place = int(found[1]) if found else 0, (int(number), parse_column(letters))
        if style in styles.short_dates:
            scan.short_dates.add(place)
        value = _VALUE_ELEMENT.search(content)
        text = (value[1] or b"").strip() if value else b""
        if style in styles.codes and _NUMBER.fullmatch(text) and not _ANY_TYPE.search(attributes):
            scan.shown.append((place, cell_formats.format_number(float(text), styles.codes[style])))
        kind = _STRING_TYPE.search(attributes)
        mark = styles.marks.get(style)
        if kind and not mark:
            is_shared = kind[1] == b"s" and _INDEX.fullmatch(text)
            mark = (
                styles.strings.get(int(text)) if is_shared else cell_formats.find_run_mark(content)
            )
        if mark:
            scan.marks.append((place, mark))


def _count_objects(package: zipfile.ZipFile, part: str) -> dict[str, int]:
    """Return how many pictures, text boxes and comments an XLSX sheet has."""
    folder, name = posixpath.split(part)
    links = f"{folder}/_rels/{name}.rels"
    counts = dict.fromkeys(_OBJECTS, 0)
    if links not in package.namelist():
        return counts
    for tag in _RELATIONSHIP_TAG.findall(package.read(links)):
        target = (
            dict(_RELATIONSHIP_ATTRIBUTE.findall(tag)).get(b"Target", b"").decode(errors="replace")
        )
        path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        if path.endswith(".xml") and path in package.namelist():
            text = package.read(path)
            for what, pattern in _OBJECTS.items():
                counts[what] += len(pattern.findall(text))
    return counts


@dataclass
class _Extent:
    """The extent of the filled cells of a sheet."""

    last_row: int = 0
    last_column: int = 0
    filled: int = 0
    farthest: tuple[int, str] = (0, "")

    def add_cells(self, cells: Sequence[_Cell]) -> None:
        if not cells or self.filled > MAX_SCANNED_CELLS:
            return
        self.filled += len(cells)
        lowest = max(cells, key=lambda cell: int(cell[2]))
        rightmost = max(cells, key=lambda cell: (len(cell[1]), cell[1].upper()))
        self.last_row = max(self.last_row, int(lowest[2]))
        self.last_column = max(self.last_column, parse_column(rightmost[1]))
        for _, letters, number, _ in (lowest, rightmost):
            name = (letters.upper() + number).decode()
            self.farthest = max(self.farthest, (parse_column(letters) * int(number), name))

    def find_far_cell(self, most: int) -> tuple[str, int]:
        """Return the cell that makes the sheet so large, and its size; "" and 0 if there is
        none."""
        size = self.last_row * self.last_column
        is_far = size > max(most, SPARSE_RATIO * self.filled)
        return (self.farthest[1], size) if is_far else ("", 0)


def _find_odd_xlsx_cells(
    cells: Sequence[_Cell], never_calculated: bool, has_pictures: bool
) -> Iterator[tuple[Place, str]]:
    """Yield errors and formulas without a result. Libraries that ask for a workbook to be
    calculated when it is opened store 0 as the result of every formula."""
    for attributes, letters, number, content in cells:
        is_error = _ERROR_TYPE.search(attributes)
        if not is_error and not _FORMULA_ELEMENT.search(content):
            continue
        place, value = (int(number), parse_column(letters)), _VALUE_ELEMENT.search(content)
        text = (value[1] or b"").strip() if value else b""
        has_text = bool(value and _TEXT_TYPE.search(attributes))
        if is_error and has_pictures and _RICH_VALUE.search(attributes):
            yield place, PICTURE
        elif is_error:
            yield place, text.decode(errors="replace")[:20] or "#VALUE!"
        elif (never_calculated and text == b"0") or not (text or has_text):
            yield place, FORMULA


def find_sheet_part(package: zipfile.ZipFile, index: int) -> str:
    """Return the name of the part that holds a sheet; "" if the workbook does not name it."""
    ids = _SHEET_TAG.findall(package.read(BOOK))
    for tag in _RELATIONSHIP_TAG.findall(package.read(_RELATIONSHIPS)):
        attributes = dict(_RELATIONSHIP_ATTRIBUTE.findall(tag))
        if index < len(ids) and attributes.get(b"Id") == ids[index]:
            target = attributes.get(b"Target", b"").decode(errors="replace")
            return posixpath.join("/xl", target).lstrip("/")
    return ""


def parse_column(letters: bytes) -> int:
    """Return the number of a column, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def _scan_ods(content: bytes, sheet: str, most: int, scan: SheetScan) -> None:
    styles = cell_formats.read_ods_styles(content)
    for place, attributes, text in _list_ods_cells(content, sheet):
        if odd := _find_odd_ods_kind(attributes, text):
            if place[0] * place[1] > most:  # it would be laid out up to there
                scan.far_cell, scan.size = (
                    f"{format_column(place[1] - 1)}{place[0]}",
                    math.prod(place),
                )
                return
            scan.odd_cells.append((place, odd))
        spans = {key: int(count) for key, count in _ODS_SPAN.findall(attributes)}
        height, width = max(spans.get(b"rows", 1), 1), max(spans.get(b"columns", 1), 1)
        if height * width > 1:
            row, column = place
            scan.merges.append(((row - 1, column - 1), (row + height - 2, column + width - 2)))
        if words := _read_ods_text(text):
            scan.texts.append((place, words))
        kind = _ODS_TYPE.search(attributes)
        if kind and kind[1] != b"string" and (shown := cell_formats.find_ods_number(text)):
            scan.shown.append((place, shown))
        scan.marks += ((place, m) for m in cell_formats.find_ods_marks(attributes, text, styles))
        for what, pattern in _OBJECTS.items():
            scan.objects[what] = scan.objects.get(what, 0) + len(pattern.findall(text))
        if _ODS_HIDDEN.search(attributes):
            scan.hidden_rows.add(place[0])


def _find_odd_ods_kind(attributes: bytes, content: bytes) -> str:
    """Return the error that a cell shows, or `FORMULA` for one that was never calculated."""
    is_formula = b"table:formula=" in attributes
    first = _ODS_FIRST_TEXT.match(content)
    shown = first[0].rpartition(b">")[2].decode(errors="replace")[:20].strip() if first else ""
    if b'calcext:value-type="error"' in attributes:
        return shown or "#VALUE!"
    if not is_formula or ERROR_VALUE.fullmatch(shown):
        return shown if is_formula else ""
    kind = _ODS_TYPE.search(attributes)
    lacks_number = kind and kind[1] in _ODS_NUMBER_TYPES
    return FORMULA if not kind or (lacks_number and b"office:value=" not in attributes) else ""


def _read_ods_text(content: bytes) -> str:
    """Return a text with several paragraphs, line breaks or tabs, "" for any other."""
    # A comment is no part of the text.
    first, *others = content.split(b"<office:annotation")
    text = first + b"".join(part.partition(b"</office:annotation>")[2] for part in others)
    if not _ODS_BREAK.search(text):
        return ""
    paragraphs = [part.partition(b">")[2] for part in _ODS_PARAGRAPH.split(text)[1:]]
    return "\n".join(map(_read_ods_paragraph, paragraphs))


def _read_ods_paragraph(content: bytes) -> str:
    text = re.sub(r"\s+", " ", content.partition(b"</text:p>")[0].decode(errors="replace")).strip()
    text = re.sub(r"<text:line-break\b[^<>]*>", "\n", text)
    text = re.sub(r"<text:tab(?=[\s/>])[^<>]*>", " ", text)
    text = _ODS_SPACES.sub(lambda match: " " * min(int(match[1] or 1), _MAX_SPACES), text)
    return unescape(re.sub(r"<[^<>]*>", "", text))


def _list_ods_cells(text: bytes, sheet: str) -> Iterator[tuple[Place, bytes, bytes]]:
    """Yield the place, the attributes with those of the row, and the content of the cells of an ODS
    sheet."""
    row = column = 0
    is_inside, height = False, 1
    of_row = b""
    for match in _ODS_ELEMENT.finditer(text):
        tag, attributes = match.groups(b"")
        repeat = _ODS_REPEAT.search(attributes)
        times = int(repeat[1]) if repeat else 1
        if tag == b"table":
            name = _ODS_TABLE_NAME.search(attributes)
            is_inside = bool(name and unescape(name[1].decode(errors="replace")) == sheet)
            row, height = 0, 1
        elif tag == b"table-row":
            row, column, height, of_row = row + height, 0, times, attributes
        else:
            if is_inside and row:  # one outside of any row is no cell
                is_empty = attributes.endswith(b"/")
                end = match.end() if is_empty else text.find(b"</table:", match.end())
                yield (row, column + 1), attributes + b" " + of_row, text[match.end() : end]
            column += times

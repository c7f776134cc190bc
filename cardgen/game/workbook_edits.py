"""Edits of single cells in XLSX and ODS workbooks; all other parts of the file keep their bytes.

XLSX is described by ECMA-376 (cells in 18.3.1.4), ODS by OpenDocument 1.3, ZIP by APPNOTE 6.3.
"""

from __future__ import annotations

import re
import struct
import sys
import zipfile
from dataclasses import dataclass, replace
from html import unescape
from io import BytesIO
from xml.sax.saxutils import escape

from cardgen.game import sheet_scan
from cardgen.game.table_cells import format_column
from cardgen.game.workbooks import MAX_UNPACKED_BYTES

EDITABLE_SUFFIXES = frozenset({".xlsx", ".xlsm", ".ods"})
CellValue = str | int | float | bool | None
"""None is an empty cell."""
_LOCAL_HEADER, _CENTRAL_HEADER, _END_HEADER = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_ENCRYPTED_FLAG = 0x1
_SHEET_NAME = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*?\bname\s*=\s*\"([^\"<>]*)\"")
_ROW = re.compile(rb"<((?:\w+:)?)row(\s[^<>]*)?>")
_CELL = re.compile(rb"<(?:\w+:)?c((?:\s[^<>]*)?)>")
_PLACE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{0,3})([0-9]{1,7})[\"']")
_CELL_TYPE = re.compile(rb"\s(?:t|vm|cm)\s*=\s*(?:\"[^\"]*\"|'[^']*')")
# What spreadsheets take for the number of a character.
_ESCAPED_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_ODS_TAG = re.compile(rb"<table:(table|table-row|table-cell|covered-table-cell)(\s[^<>]*)?>")
_ODS_NAME = re.compile(rb"\btable:name=\"([^\"]*)\"")
_ODS_REPEAT = re.compile(rb"\s*\btable:number-(?:rows|columns)-repeated=\"([0-9]{1,7})\"")
_ODS_VALUE = re.compile(
    rb"\s*\b(?:office:(?:value-type|value|boolean-value|string-value|date-value|time-value|currency)"
    rb"|calcext:value-type)=\"[^\"]*\""
)
_ODS_NOTE = re.compile(rb"<office:annotation[\s>].*?(?:</office:annotation>|\Z)", re.DOTALL)


class CellEditError(Exception):
    """A cell that cannot be written; the message says why."""


INVALID_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML can hold, and so no workbook that other programs open."""
FORMULA_MESSAGE = "the cell holds a formula; change what it counts with, in the spreadsheet"
_UNKNOWN_FORM = "the workbook is written in a way that is not edited here; use the spreadsheet"


@dataclass(frozen=True)
class WorkbookSheet:
    """A sheet of a workbook, as the part of the file that holds its cells."""

    data: bytes
    sheet: str
    part: str
    content: bytes

    @classmethod
    def open(cls, data: bytes, sheet: str) -> WorkbookSheet:
        """Return a sheet by its name. Raises `CellEditError`."""
        try:
            with zipfile.ZipFile(BytesIO(data)) as package:
                names = package.namelist()
                part = sheet_scan.ODS_CONTENT
                if part not in names:
                    part = sheet_scan.find_sheet_part(package, _find_index(package, sheet))
                if part not in names or package.getinfo(part).file_size > MAX_UNPACKED_BYTES:
                    raise CellEditError(_UNKNOWN_FORM)
                return cls(data, sheet, part, package.read(part))
        except sheet_scan.ZIP_ERRORS as error:
            raise CellEditError(f"the workbook cannot be read: {error}") from None

    def set_cell(self, place: tuple[int, int], value: CellValue) -> WorkbookSheet:
        """Return the sheet with another value in a cell; `place` is row and column, from 1.

        Raises `CellEditError`.
        """
        _check_value(value)
        if self.part == sheet_scan.ODS_CONTENT:
            content = _set_ods_cell(self.content, self.sheet, *place, value)
        else:
            content = _set_xlsx_cell(self.content, *place, value)
        return replace(self, content=content)

    def save(self) -> bytes:
        """Return the workbook with this sheet. Raises `CellEditError`."""
        try:
            return replace_part(self.data, self.part, self.content)
        except sheet_scan.ZIP_ERRORS as error:
            raise CellEditError(f"the workbook cannot be written: {error}") from None


def _check_value(value: CellValue) -> None:
    """Raise `CellEditError` for what other programs would take for a damaged workbook."""
    if isinstance(value, str) and (odd := INVALID_XML.search(value)):
        message = f"no workbook can hold the character U+{ord(odd[0]):04X}; take it out"
        raise CellEditError(message)
    if isinstance(value, int | float) and not abs(value) <= sys.float_info.max:
        raise CellEditError(f"no workbook can hold the number {value}")


def escape_codes(text: str) -> str:
    """Return a text as a cell of XLSX holds it: what no XML can hold is written as `_x001B_`."""
    text = _ESCAPED_CODE.sub("_x005F_", text)
    return INVALID_XML.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def _escape_text(text: str) -> str:
    return escape(text, {"\r": "&#13;"})


def _find_index(package: zipfile.ZipFile, sheet: str) -> int:
    """Return the number of a sheet of XLSX, from 0."""
    names = [
        unescape(name.decode(errors="replace"))
        for name in _SHEET_NAME.findall(package.read(sheet_scan.BOOK))
    ]
    return names.index(sheet)


# -- XLSX


def _set_xlsx_cell(content: bytes, row: int, column: int, value: CellValue) -> bytes:
    number, at = 0, content.find(b"<")
    while match := _ROW.search(content, at):
        attributes = match[2] or b""
        place = _PLACE.search(attributes)
        number = int(place[2]) if place else number + 1
        at = match.end()
        if attributes.endswith(b"/"):
            end = at
        else:
            end = content.find(b"</" + match[1] + b"row>", at)
            if end < 0:
                break
        if number == row:
            if attributes.endswith(b"/"):
                break
            cells = _set_cell_of_row(content[at:end], match[1], row, column, value)
            return content[:at] + cells + content[end:]
        at = end
    raise CellEditError(_UNKNOWN_FORM)


def _set_cell_of_row(cells: bytes, prefix: bytes, row: int, column: int, value: CellValue) -> bytes:
    """Return the content of a row with another value in the cell of a column."""
    at, current, insert_at = 0, 0, 0
    while match := _CELL.search(cells, at):
        attributes = match[1]
        place = _PLACE.search(attributes)
        current = sheet_scan.parse_column(place[1]) if place else current + 1
        is_empty = attributes.endswith(b"/")
        close = b"</" + prefix + b"c>"
        end = match.end() if is_empty else cells.find(close, match.end()) + len(close)
        if end < match.end():
            raise CellEditError(_UNKNOWN_FORM)
        if current == column:
            if re.search(rb"<(?:\w+:)?f[\s/>]", cells[match.end() : end]):
                raise CellEditError(FORMULA_MESSAGE)
            kept = _CELL_TYPE.sub(b"", attributes.removesuffix(b"/")).rstrip()
            return cells[: match.start()] + _format_xlsx(prefix, kept, value) + cells[end:]
        if current > column:
            break
        at = insert_at = end
    kept = f' r="{format_column(column - 1)}{row}"'.encode()
    return cells[:insert_at] + _format_xlsx(prefix, kept, value) + cells[insert_at:]


def _format_xlsx(prefix: bytes, attributes: bytes, value: CellValue) -> bytes:
    """Return the element of a cell with these attributes."""
    p = prefix.decode()
    head = f"<{p}c{attributes.decode()}"
    if value is None or value == "":
        made = f"{head}/>"
    elif isinstance(value, bool):
        made = f'{head} t="b"><{p}v>{int(value)}</{p}v></{p}c>'
    elif isinstance(value, str):
        text = _escape_text(escape_codes(value))
        text = f'<{p}t xml:space="preserve">{text}</{p}t>'
        made = f'{head} t="inlineStr"><{p}is>{text}</{p}is></{p}c>'
    else:
        made = f"{head}><{p}v>{value!r}</{p}v></{p}c>"
    return made.encode()


# -- ODS


def _set_ods_cell(content: bytes, sheet: str, row: int, column: int, value: CellValue) -> bytes:
    first_row = first_column = 1
    height, is_inside, of_row = 1, False, (0, 0)
    for match in _ODS_TAG.finditer(content):
        tag, attributes = match[1], match[2] or b""
        repeat = _ODS_REPEAT.search(attributes)
        times = int(repeat[1]) if repeat else 1
        if tag == b"table":
            name = _ODS_NAME.search(attributes)
            is_inside = bool(name and unescape(name[1].decode(errors="replace")) == sheet)
            first_row, height = 1, 0
        elif not is_inside:
            continue
        elif tag == b"table-row":
            first_row, height, first_column = first_row + height, times, 1
            of_row = (match.start(), match.end())
        else:
            before = column - first_column
            if first_row <= row < first_row + height and 0 <= before < times:
                if height == 1:
                    return _write_ods_cell(content, match, times, before, value)
                content = _split_row(content, of_row, height, row - first_row)
                return _set_ods_cell(content, sheet, row, column, value)
            first_column += times
    raise CellEditError(_UNKNOWN_FORM)


def _split_row(content: bytes, start_tag: tuple[int, int], times: int, before: int) -> bytes:
    """Return the content with a repeated row taken apart, so that one of them stands alone."""
    start, head_end = start_tag
    end = content.find(b"</table:table-row>", head_end)
    if end < 0:
        raise CellEditError(_UNKNOWN_FORM)
    end += len(b"</table:table-row>")
    head, body = content[start:head_end], content[head_end:end]
    rows = [
        _repeat(head, count, b"rows") + body for count in (before, 1, times - before - 1) if count
    ]
    return content[:start] + b"".join(rows) + content[end:]


def _repeat(tag: bytes, times: int, what: bytes) -> bytes:
    """Return a start tag with another number of repetitions."""
    bare = _ODS_REPEAT.sub(b"", tag)
    if times == 1:
        return bare
    close = b"/>" if bare.endswith(b"/>") else b">"
    repeated = b' table:number-%s-repeated="%d"' % (what, times)
    return bare.removesuffix(close) + repeated + close


def _write_ods_cell(
    content: bytes, match: re.Match[bytes], times: int, before: int, value: CellValue
) -> bytes:
    """Return the content with another value in one of the cells that an element stands for."""
    tag = match[0]
    if match[1] == b"covered-table-cell":
        raise CellEditError("the cell is hidden below a merged one; split that in the spreadsheet")
    if b"table:formula=" in tag:
        raise CellEditError(FORMULA_MESSAGE)
    is_empty = tag.endswith(b"/>")
    close = b"</table:table-cell>"
    end = match.end() if is_empty else content.find(close, match.end())
    if end < 0 or b"<draw:" in content[match.end() : end]:
        raise CellEditError(_UNKNOWN_FORM)
    inner = content[match.end() : end]
    whole_end = end if is_empty else end + len(close)
    element = content[match.start() : whole_end]
    notes = b"".join(_ODS_NOTE.findall(inner))
    kept = _ODS_VALUE.sub(b"", _ODS_REPEAT.sub(b"", tag.removesuffix(b">").removesuffix(b"/")))
    new = _format_ods(kept.rstrip(), notes, value)
    if b"xmlns:calcext=" not in content[: match.start()]:
        new = re.sub(rb" calcext:value-type=\"[a-z]*\"", b"", new)

    def copy(count: int) -> bytes:
        if not count:
            return b""
        return _repeat(tag, count, b"columns") + element[len(tag) :]

    made = copy(before) + new + copy(times - before - 1)
    return content[: match.start()] + made + content[whole_end:]


def _format_ods(head: bytes, notes: bytes, value: CellValue) -> bytes:
    """Return the element of a cell that begins with these attributes and holds these comments."""
    close = b"</table:table-cell>"
    if value is None or value == "":
        return head + (b">" + notes + close if notes else b"/>")
    if isinstance(value, bool):
        kind, given = "boolean", f' office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, str):
        kind, given = "string", ""
    else:
        kind, given = "float", f' office:value="{value!r}"'
    types = f' office:value-type="{kind}"{given} calcext:value-type="{kind}"'
    shown = str(value).upper() if isinstance(value, bool) else str(value)
    text = "".join(f"<text:p>{_format_ods_line(line)}</text:p>" for line in shown.split("\n"))
    return head + types.encode() + b">" + notes + text.encode() + close


def _format_ods_line(line: str) -> str:
    """Return a paragraph; of several spaces, and of those at its ends, each is an element."""
    spaced = re.sub(
        r"^ +| +$| {2,}", lambda m: f'<text:s text:c="{len(m[0])}"/>', _escape_text(line)
    )
    return spaced.replace("\t", "<text:tab/>")


# -- ZIP


def replace_part(data: bytes, name: str, content: bytes) -> bytes:
    """Return a ZIP archive with another content of one part. All other parts keep their bytes.

    Raises `CellEditError` for an archive with more than that, such as one that is encrypted.
    """
    with zipfile.ZipFile(BytesIO(data)) as package:
        infos, start_dir, comment = package.infolist(), package.start_dir, package.comment
    offsets = sorted([*(info.header_offset for info in infos), start_dir])
    target = next(info for info in infos if info.filename == name)
    is_plain = offsets[0] == 0 and not target.flag_bits & _ENCRYPTED_FLAG
    if not is_plain or len(set(offsets)) != len(infos) + 1 or len(data) >= 2**31:
        raise CellEditError(_UNKNOWN_FORM)
    local, record = _pack_part(target, content)
    end = offsets[offsets.index(target.header_offset) + 1]
    shift = len(local) - (end - target.header_offset)
    parts = [data[: target.header_offset], local, data[end:start_dir]]
    records, at = [], start_dir
    for info in infos:
        if data[at : at + 4] != _CENTRAL_HEADER:
            raise CellEditError(_UNKNOWN_FORM)
        size = 46 + sum(struct.unpack("<HHH", data[at + 28 : at + 34]))
        offset = info.header_offset + (shift if info.header_offset > target.header_offset else 0)
        own = record if info is target else data[at : at + size]
        records.append(own[:42] + struct.pack("<I", offset) + own[46:])
        at += size
    if data[at : at + 4] != _END_HEADER:
        raise CellEditError(_UNKNOWN_FORM)
    directory = b"".join(records)
    ending = struct.pack("<HHII", len(infos), len(infos), len(directory), start_dir + shift)
    tail = data[at : at + 8] + ending + struct.pack("<H", len(comment)) + comment
    return b"".join([*parts, directory, tail])


def _pack_part(info: zipfile.ZipInfo, content: bytes) -> tuple[bytes, bytes]:
    """Return the local and the central record of a part with another content."""
    packed = zipfile.ZipInfo(info.filename, info.date_time)
    for name in ("compress_type", "external_attr", "internal_attr", "create_system", "comment"):
        setattr(packed, name, getattr(info, name))
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr(packed, content)
        start = package.start_dir
    made = stream.getvalue()
    size = 46 + sum(struct.unpack("<HHH", made[start + 28 : start + 34]))
    return made[:start], made[start : start + size]

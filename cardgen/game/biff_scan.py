"""Raw scan of an XLS workbook for errors and formulas without a result.

The records are described by [MS-XLS], the file around them by [MS-CFB].
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_SIGNATURE = bytes.fromhex("d0cf11e0a1b11ae1")
_ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
    0x2A: "#N/A",
}  # fmt: skip
_FORMULA_RECORD, _BOOLERR_RECORD, _SHEET_RECORD = 0x0006, 0x0205, 0x0085
_ROW_RECORD, _HIDDEN_BIT = 0x0208, 0x20
_BEGIN_RECORD, _END_RECORD = 0x0809, 0x000A
_ERROR_RESULT = 2
"""The type of a result: 0 is a text, 1 true or false, 2 an error, 3 an empty text."""
_NO_SECTOR = 0xFFFFFFFA
"""Sector numbers from here on have other meanings."""
_SMALL_STREAM, _SMALL_SECTOR = 4096, 64


def is_compound_file(data: bytes) -> bool:
    """Return whether a file is an OLE container, as XLS is."""
    return data.startswith(_SIGNATURE)


def find_odd_cells(data: bytes, sheet: str, formula: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the cells of a sheet that show an error, with its text, and those that hold a formula
    without a result, with `formula`. Rows and columns count from 1."""
    empty, has_result = [], False
    try:
        book = _read_stream(data, {"Workbook", "Book"})
        for kind, body in _read_records(book, _find_sheet_offset(book, sheet)):
            if kind not in {_BOOLERR_RECORD, _FORMULA_RECORD}:
                continue
            row, column = struct.unpack_from("<HH", body)
            place = row + 1, column + 1
            if kind == _BOOLERR_RECORD:
                if body[7]:
                    yield place, _ERRORS.get(body[6], "#VALUE!")
            elif body[12:14] != b"\xff\xff" or body[6] < _ERROR_RESULT:
                has_result = True
            elif body[6] == _ERROR_RESULT:
                yield place, _ERRORS.get(body[8], "#VALUE!")
            else:
                empty.append(place)
    except (struct.error, IndexError, ValueError):
        return  # calamine says what is wrong
    # Beside formulas with a result, an empty one is an empty text.
    yield from ((place, formula) for place in empty if not has_result)


def find_hidden_rows(data: bytes, sheet: str) -> set[int]:
    """Return the numbers of the hidden rows of a sheet, from 1."""
    found = set()
    try:
        book = _read_stream(data, {"Workbook", "Book"})
        for kind, body in _read_records(book, _find_sheet_offset(book, sheet)):
            if kind == _ROW_RECORD and struct.unpack_from("<H", body, 12)[0] & _HIDDEN_BIT:
                found.add(struct.unpack_from("<H", body)[0] + 1)
    except (struct.error, IndexError, ValueError):
        pass  # calamine says what is wrong
    return found


def _read_records(book: bytes, begin: int) -> Iterator[tuple[int, bytes]]:
    """Yield the type and the content of each record from an offset on, to the end of its part."""
    depth = 0
    while begin >= 0 and begin + 4 <= len(book):
        kind, size = struct.unpack_from("<HH", book, begin)
        yield kind, book[begin + 4 : begin + 4 + size]
        depth += (kind == _BEGIN_RECORD) - (kind == _END_RECORD)
        if depth <= 0:
            return
        begin += 4 + size


def _find_sheet_offset(book: bytes, sheet: str) -> int:
    """Return where the records of a sheet begin, -1 if there is no such sheet."""
    for kind, body in _read_records(book, 0):
        if kind == _SHEET_RECORD:
            length, is_wide = body[6], body[7] & 1
            name = body[8 : 8 + length * (1 + is_wide)]
            if name.decode("utf-16-le" if is_wide else "latin-1", "replace") == sheet:
                return int(struct.unpack_from("<I", body)[0])
    return -1


def _read_stream(data: bytes, names: set[str]) -> bytes:
    """Return the content of a file in an OLE container. Raises ValueError if it is damaged."""
    (shift,) = struct.unpack_from("<H", data, 30)
    if shift not in (9, 12):
        raise ValueError("sector size")
    size = 1 << shift
    (first_directory,) = struct.unpack_from("<I", data, 48)
    (first_small,) = struct.unpack_from("<I", data, 60)
    table_sectors = list(struct.unpack_from("<109I", data, 76))
    (more_tables,) = struct.unpack_from("<I", data, 68)
    while more_tables < _NO_SECTOR and len(table_sectors) * size <= len(data) * 4:
        *found, more_tables = struct.unpack_from(f"<{size // 4}I", data, (more_tables + 1) * size)
        table_sectors += found
    table: list[int] = []
    for sector in table_sectors:
        if sector < _NO_SECTOR:
            table += struct.unpack_from(f"<{size // 4}I", data, (sector + 1) * size)

    def read_chain(first: int) -> bytes:
        return _join_chain(data, table, first, size, size)

    directory = read_chain(first_directory)
    entries = [directory[at : at + 128] for at in range(0, len(directory) - 127, 128)]
    for entry in entries:
        (length,) = struct.unpack_from("<H", entry, 64)
        if entry[: max(length - 2, 0)].decode("utf-16-le", "replace") in names:
            first, whole = struct.unpack_from("<II", entry, 116)
            if whole >= _SMALL_STREAM:
                return read_chain(first)[:whole]
            chain = read_chain(first_small)
            small_table = list(struct.unpack(f"<{len(chain) // 4}I", chain))
            (root_first,) = struct.unpack_from("<I", entries[0], 116)
            small = read_chain(root_first)
            return _join_chain(small, small_table, first, _SMALL_SECTOR, 0)[:whole]
    raise ValueError("no workbook")


def _join_chain(data: bytes, table: list[int], first: int, size: int, offset: int) -> bytes:
    """Return the sectors of a chain, joined. A chain has no more sectors than its table."""
    parts: list[bytes] = []
    while first < _NO_SECTOR and len(parts) <= len(table):
        begin = offset + first * size
        parts.append(data[begin : begin + size])
        first = table[first]
    return b"".join(parts)

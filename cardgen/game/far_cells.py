"""A cell far out in a sheet of an XLSX, which makes an enormous sheet of a small table.

What reads workbooks lays out every cell up to the last one, so that is looked at before.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_BOOK, _PARTS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s[^<>]*?:id\s*=\s*[\"']([^\"'<>]*)[\"']")
_PART = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_SAYS = re.compile(rb"\b(Id|Target)\s*=\s*[\"']([^\"'<>]*)[\"']")
# A cell that holds something: one that only has a colour or a border counts for nothing.
_CELL = re.compile(
    rb"<(?:\w+:)?c\s(?:[^<>]*?\s)?r\s*=\s*[\"']([A-Za-z]{1,3})([0-9]{1,7})[\"'][^<>]*(?<!/)>"
    rb"[^<]*<[^/]"
)
_READ, _LONGEST = 1 << 20, 1 << 12
"""Bytes that are read at once, and those of the longest beginning of a cell."""
UNREADABLE = (
    zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError, EOFError,
    zlib.error,
)  # fmt: skip
"""What comes of an archive that is none, or lacks a file, or is damaged."""
_SPARSE = 10
"""So many times as many cells as hold something a sheet may have."""
_MOST_LOOKED_AT = 200_000
"""After so many a sheet is no small table: looking at all would take as long as reading them."""


@dataclass
class _Extent:
    """How far the cells of a sheet go that hold something, and about how many do."""

    row: int = 0
    column: int = 0
    filled: int = 0
    farthest: tuple[int, str] = (0, "")
    """Of the cells at the last row and column that with the most cells up to it, and its name."""

    def add(self, cells: list[tuple[bytes, bytes]]) -> None:
        self.filled += len(cells)
        last_row = max({number for _, number in cells}, key=int)
        last_column = max({letters for letters, _ in cells}, key=column_of)
        self.row = max(self.row, int(last_row))
        self.column = max(self.column, column_of(last_column))
        for cell in (
            next(each for each in cells if each[1] == last_row),
            next(each for each in cells if each[0] == last_column),
        ):
            name = b"".join(cell).decode().upper()
            self.farthest = max(self.farthest, (column_of(cell[0]) * int(cell[1]), name))


def column_of(letters: bytes) -> int:
    """The number of a column, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number


def far_cell(data: bytes, index: int, most: int) -> tuple[str, int]:
    """The cell that makes more than `most` cells of a workbook's sheet, of which nearly all are
    empty, and how many; "" and 0 where none does, and of what is no XLSX. `index`: which of the
    workbook's sheets, from 0."""
    extent = _Extent()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            part = part_of(package, index)
            for cells in _cells(package, part) if part else ():
                extent.add(cells)
                if extent.filled > _MOST_LOOKED_AT:
                    break
    except UNREADABLE:
        return "", 0  # what reads it says what is wrong
    size = extent.row * extent.column
    return (extent.farthest[1], size) if size > max(most, _SPARSE * extent.filled) else ("", 0)


def part_of(package: zipfile.ZipFile, index: int) -> str:
    """The name of the file that holds a sheet; "" where that is not said."""
    names = _SHEET.findall(package.read(_BOOK))
    for part in _PART.findall(package.read(_PARTS)):
        says = dict(_SAYS.findall(part))
        if index < len(names) and says.get(b"Id") == names[index]:
            return posixpath.join("/xl", says.get(b"Target", b"").decode()).lstrip("/")
    return ""


def _cells(package: zipfile.ZipFile, part: str) -> Iterator[list[tuple[bytes, bytes]]]:
    """The letters and the number of each cell that holds something, a few thousand at once; of a
    hundred one comes twice."""
    left = b""
    with package.open(part) as stream:
        while more := stream.read(_READ):
            text = left + more
            cells = _CELL.findall(text)
            if cells:
                yield cells
            left = text[-_LONGEST:]

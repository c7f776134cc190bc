"""Edits of single cells in a CSV table; all other cells stay as they are written."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.game import csv_tables


@dataclass
class CsvCells:
    """The records of a table with the offsets at which each cell begins and ends."""

    text: str
    delimiter: str
    records: list[list[tuple[int, int]]]
    lines: list[int]

    def read_record(self, record: int) -> list[str]:
        """Return the texts of a record's cells."""
        spans = self.records[record]
        written = self.text[spans[0][0] : spans[-1][1]]
        return next(csv.reader(io.StringIO(written, newline=""), delimiter=self.delimiter), [])


def locate_cells(text: str) -> CsvCells:
    """Return the offsets of every cell. A quote opens a cell at its beginning only, as in Python's
    csv."""
    delimiter, at = csv_tables.detect_dialect(text)
    quoted = r'"(?:[^"]|"")*+(?:"|\Z)'
    separator = re.escape(delimiter)
    cell = re.compile(rf"(?:{quoted})?[^{separator}\r\n]*(?P<end>{separator}|\r\n|[\r\n]|\Z)")
    found = CsvCells(text, delimiter, [], [])
    line, record = 1 + text.count("\n", 0, at), list[tuple[int, int]]()
    while at < len(text) or record:
        match = cell.match(text, at)
        assert match is not None  # the pattern matches anywhere
        begin, end = at, match.start("end")
        at = match.end()
        record.append((begin, end))
        if match["end"] != delimiter:
            found.records.append(record)
            found.lines.append(line)
            line += text.count("\n", record[0][0], end) + 1
            record = []
    return found


def write_cells(cells: CsvCells, changes: Mapping[int, Mapping[int, str]]) -> str:
    """Return the table with other texts in some cells, by record and column. Records are extended
    where needed."""
    text = cells.text
    for record in sorted(changes, reverse=True):
        spans = cells.records[record]
        row = [text[start:end] for start, end in spans]
        row += [""] * (max(changes[record], default=0) + 1 - len(row))
        for column, new_text in changes[record].items():
            row[column] = _quote_cell(new_text, row[column], cells.delimiter)
        text = text[: spans[0][0]] + cells.delimiter.join(row) + text[spans[-1][1] :]
    return text


_GUARDED = re.compile(r'(?:"=""(?:[^"]|"""")*"""|="(?:[^"]|"")*")\Z')
"""A cell with a text that is guarded against a spreadsheet: `="007"`, quoted or not."""


def _quote_cell(cell: str, written: str, delimiter: str) -> str:
    """Return a text as a cell, in the manner in which the cell's old text is written."""
    if _GUARDED.match(written) and "\n" not in cell:
        cell = '="' + cell.replace('"', '""') + '"'
        return cell if written.startswith("=") else '"' + cell.replace('"', '""') + '"'
    is_quoted_always = written[:1] == '"' and not _needs_quotes(written[1:-1], delimiter)
    if is_quoted_always or _needs_quotes(cell, delimiter):
        return '"' + cell.replace('"', '""') + '"'
    blank = written[: len(written) - len(written.lstrip(" "))]
    after = written[len(written.rstrip(" ")) :] if written.strip() else ""
    return blank + cell + after


def _needs_quotes(cell: str, delimiter: str) -> bool:
    return cell != cell.strip() or any(sign in cell for sign in (delimiter, '"', "\n", "\r"))


def decode_exactly(data: bytes) -> tuple[str, str]:
    """Return the text of a table, its mark left out, and its encoding for `encode_exactly`.

    Raises `UnicodeError` where the text does not give back the same bytes.
    """
    codec = csv_tables.detect_encoding(data)
    text = data.decode(codec)
    if codec == "utf-8-sig" and not data.startswith(codecs.BOM_UTF8):
        codec = "utf-8"
    if encode_exactly(text, codec, data) != data:
        raise UnicodeError("it is not written in one encoding")
    return text, codec


def encode_exactly(text: str, codec: str, like: bytes) -> bytes:
    """Return a text in an encoding; in UTF-16 in the byte order of the bytes `like`."""
    if codec != "utf-16":
        return text.encode(codec)
    is_big = like.startswith(codecs.BOM_UTF16_BE)
    mark = codecs.BOM_UTF16_BE if is_big else codecs.BOM_UTF16_LE
    return mark + text.encode("utf-16-be" if is_big else "utf-16-le")

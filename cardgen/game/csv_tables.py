"""CSV as rows of cells: commas, semicolons or tabs, as spreadsheets write them."""

from __future__ import annotations

import codecs
import csv
import io
import re
from pathlib import Path

from cardgen.base import paths
from cardgen.base.problems import Problem, Source
from cardgen.game.table_rows import Row

_TOLD = re.compile(r"sep=([,;\t])\r?\n")
"""The line before the table by which some spreadsheets tell what parts its cells."""
_SAVE_AS = "save the table as CSV UTF-8"


def rows(text: str, path: str) -> tuple[list[Row], list[Problem]]:
    """The rows that are not empty. `path` is the table's name in problems."""
    problems: list[Problem] = []
    text = text.removeprefix("\ufeff")
    delimiter, begins = dialect(text)
    reader = csv.reader(io.StringIO(text[begins:], newline=""), delimiter=delimiter, strict=True)
    found: list[Row] = []
    first = 1 if begins else 0
    start = first + 1
    try:
        for cells in reader:
            source = Source(path, start)
            start = first + reader.line_num + 1
            if any(cell.strip() for cell in cells):
                found.append(Row(source, cells))
    except csv.Error as error:
        message = f"not CSV: {error}; is a quote in this row not closed, or not doubled?"
        problems.append(Problem(Source(path, start), message, "table"))
    return found, problems


def dialect(text: str) -> tuple[str, int]:
    """What parts the cells of a table, and where in the text its first row begins."""
    told = _TOLD.match(text)
    return (told[1], told.end()) if told else (_delimiter(text), 0)


def misencoded(root: Path, path: str) -> Problem:
    """Where a table that is not UTF-8 is first anything else."""
    try:
        data = paths.read_bytes(root, path, paths.MAX_TEXT_BYTES)
    except paths.Unreadable as error:
        return Problem(Source(path), f"the table {error}", "file")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Problem(Source(path, 1), f"the table is UTF-16; {_SAVE_AS}", "file")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        around = data[max(0, error.start - 20) : error.end + 20].decode("cp1252", "replace")
        word = re.search(r"[^\s,;\t\"]*\Z", around[: min(20, error.start) + 1])
        rest = re.match(r"[^\s,;\t\"]*", around[min(20, error.start) + 1 :])
        said = f"{word[0] if word else ''}{rest[0] if rest else ''}"
        return Problem(Source(path, line), f"'{said}' is not UTF-8; {_SAVE_AS}", "file")
    return Problem(Source(path), f"it is not UTF-8; {_SAVE_AS}", "file")


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)

"""CSV files as rows of cells, separated by commas, semicolons or tabs."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from itertools import islice
from pathlib import Path

from cardgen.core.problems import Problem, Source
from cardgen.game.table_cells import TableRow
from cardgen.runtime import game_files

_SEPARATOR_LINE = re.compile(r"sep=([,;\t])\r?\n")
"""A first line in which some spreadsheets name the separator."""
_SEPARATOR_NOUNS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_MAX_RATED_ROWS = 200
_SAVE_AS = "save the table as CSV UTF-8"


def parse_csv_rows(text: str, path: str) -> tuple[list[TableRow], list[Problem]]:
    """Return the rows that are not empty. `path` names the table in problems."""
    problems: list[Problem] = []
    text = text.removeprefix("\ufeff")
    delimiter, begins = detect_dialect(text)
    reader = csv.reader(io.StringIO(text[begins:], newline=""), delimiter=delimiter, strict=True)
    found: list[TableRow] = []
    first = 1 if begins else 0
    start = first + 1
    try:
        for cells in reader:
            source = Source(path, start)
            start = first + reader.line_num + 1
            if any(cell.strip() for cell in cells):
                found.append(TableRow(source, cells))
        problems += _drop_other_separators(found, delimiter)
    except csv.Error as error:
        message = f"not CSV: {error}; is a quote in this row not closed, or not doubled?"
        problems.append(Problem(Source(path, start), message, "table"))
    return found, problems


def _drop_other_separators(rows: list[TableRow], delimiter: str) -> list[Problem]:
    """Remove and report the rows whose cells another separator parts than those of the first."""
    width = len(rows[0].cells) if rows else 0
    wrong = {
        number: other
        for number, row in enumerate(rows)
        if width > 1 and len(row.cells) != width
        for other in _SEPARATOR_NOUNS.keys() - {delimiter}
        if sum(cell.count(other) for cell in row.cells) == width - 1
    }
    right = _SEPARATOR_NOUNS[delimiter]
    problems = [
        Problem(
            rows[number].source,
            f"{_SEPARATOR_NOUNS[other]} separate the cells of this row, and {right} those of the "
            f"first; write {right} here, too",
            "table",
        )
        for number, other in wrong.items()
    ]
    rows[:] = [row for number, row in enumerate(rows) if number not in wrong]
    return problems


def detect_dialect(text: str) -> tuple[str, int]:
    """Return the separator of a table's cells, and the offset of its first row."""
    separator = _SEPARATOR_LINE.match(text)
    return (separator[1], separator.end()) if separator else (_guess_delimiter(text), 0)


def find_encoding_error(root: Path, path: str) -> Problem:
    """Return the problem of a table that is not UTF-8, at its first wrong line."""
    try:
        data = game_files.read_bytes(root, path, game_files.MAX_TEXT_BYTES)
    except game_files.UnreadableError as error:
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
        quote = f"{word[0] if word else ''}{rest[0] if rest else ''}"
        return Problem(Source(path, line), f"'{quote}' is not UTF-8; {_SAVE_AS}", "file")
    return Problem(Source(path), f"it is not UTF-8; {_SAVE_AS}", "file")


def _guess_delimiter(text: str) -> str:
    """Return the separator that parts most rows into the same number of cells."""
    first = text.partition("\n")[0]

    def rate(delimiter: str) -> tuple[int, int, int]:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            widths = Counter(len(cells) for cells in islice(reader, _MAX_RATED_ROWS))
        except csv.Error:
            widths = Counter()
        count, width = max(((n, w) for w, n in widths.items() if w > 1), default=(0, 0))
        return count, width, first.count(delimiter)

    best = max(",;\t", key=rate)
    own = max(",;\t", key=first.count)
    return best if rate(best)[0] > max(1, rate(own)[0]) else own


_FORMULA_START = re.compile("(^|[;\\t\\r\\n])(?=['=+\\-@＝＋－＠])")
_GUARDED_START = re.compile("(^|[;\\t\\r\\n])'(?=['=+\\-@＝＋－＠])")


def guard_formulas(text: str) -> str:
    """Return a cell with an apostrophe before everything that a spreadsheet may take for a
    formula."""
    return _FORMULA_START.sub(r"\1'", text)


def unguard_formulas(cell: str) -> str:
    """Return the text of a cell that `guard_formulas` wrote."""
    return _GUARDED_START.sub(r"\1", cell)

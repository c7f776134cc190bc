"""CSV files as rows of cells, separated by commas, semicolons, tabs or bars."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from itertools import islice

from cardgen.core.problems import Problem, Source
from cardgen.game.table_cells import TableRow

_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\r?\n")
"""A first line in which some spreadsheets name the separator."""
_SEPARATOR_NOUNS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_TEXT_FORMULA = re.compile(r'="((?:[^"]|"")*)"\Z')
"""A text as exports guard it against a spreadsheet: `="007"`."""
_MAX_RATED_ROWS = 200
_SAVE_AS = "save the table as CSV UTF-8"
_LATIN, _CYRILLIC = ("cp1252", "Windows-1252"), ("cp1251", "Windows-1251")
"""Encodings of Windows: as Python and as people call them."""
_CYRILLIC_BYTES = re.compile(rb"[\xa8\xb8\xc0-\xff]+")
_MIN_CYRILLIC_RUN = 2
"""Letters beyond ASCII that stand together in Russian words, and hardly ever in others."""
_WRONG_SIGN = re.compile(
    "\ufffd|[\x80-\x9f]|(?<=[A-Za-z])[„”†‡‚€™§…ˆ‰ŠŒŽŸ](?=[a-z])|[а-яё][А-ЯЁ]{2}"
)
"""What other encodings than those of Windows look like within words."""


_TABLE_RULE = re.compile(r"\s*(?::?-+:?)?\s*")
"""A cell of the line below the headings of a table in Markdown."""


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
            is_rule = delimiter == "|" and all(map(_TABLE_RULE.fullmatch, cells))
            if any(cell.strip() for cell in cells) and not is_rule:
                found.append(TableRow(source, [*map(_unwrap_text, cells)]))
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
        if (other != "|" or len(row.cells) == 1)  # bars part lists, too
        and sum(cell.count(other) for cell in row.cells) == width - 1
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


def decode_table(data: bytes, path: str) -> tuple[str | None, list[Problem]]:
    """Return the text of a table: UTF-8, UTF-16 with its mark, or what Windows wrote before, with a
    warning. Return None and the problem where it is none of these."""
    codec = detect_encoding(data)
    if codec == "utf-16":
        try:
            return data.decode(codec), []
        except UnicodeDecodeError:
            return None, [Problem(Source(path), f"it is not whole UTF-16; {_SAVE_AS}", "file")]
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = dict((_LATIN, _CYRILLIC))[codec]
        word = _find_word(data, error.start, codec)
        text = data.decode(codec, "replace")
    if "\0" in text or _WRONG_SIGN.search(text):
        return None, [Problem(Source(path, line), f"'{word}' is not UTF-8; {_SAVE_AS}", "file")]
    count = sum(not sign.isascii() for sign in text)
    signs = "1 sign is" if count == 1 else f"{count} signs are"
    message = f"the table is not UTF-8; {signs} read as {name}, as in '{word}'; see that they are "
    message += f"right, then {_SAVE_AS}"
    return text, [Problem(Source(path, line), message, "file", "warning")]


def detect_encoding(data: bytes) -> str:
    """Return Python's name of the encoding of a table: UTF-16 by its mark, UTF-8 if all of it is,
    else what Windows wrote before."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        runs = [len(run) for run in _CYRILLIC_BYTES.findall(data)]
        is_cyrillic = sum(runs) > _MIN_CYRILLIC_RUN * len(runs)
        return (_CYRILLIC if is_cyrillic else _LATIN)[0]
    return "utf-8-sig"


def _find_word(data: bytes, at: int, codec: str) -> str:
    """Return the word around a byte."""
    begin = max(0, at - 20)
    before, after = data[begin:at].decode(codec, "replace"), data[at : at + 20]
    head = re.search(r"[^\s,;\t\"]*\Z", before)
    rest = re.match(r"[^\s,;\t\"]*", after.decode(codec, "replace"))
    return f"{head[0] if head else ''}{rest[0] if rest else ''}"


def _unwrap_text(cell: str) -> str:
    match = _TEXT_FORMULA.match(cell)
    return match[1].replace('""', '"') if match else cell


def _guess_delimiter(text: str) -> str:
    """Return the separator that parts most rows into the same number of cells: bars where the
    headings hold no other."""
    first = text.partition("\n")[0]
    if "|" in first and not re.search("[,;\t]", first):
        return "|"

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

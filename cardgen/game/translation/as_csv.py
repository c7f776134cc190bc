"""A file for translators as CSV: in UTF-8 with its mark, as spreadsheets want it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from cardgen.base.problems import Problem, Source
from cardgen.game import csv_tables
from cardgen.game.formulas import guarded, unguarded
from cardgen.game.translation import tabular
from cardgen.game.translation.rows import Returned, Sheet


def written(sheet: Sheet) -> bytes:
    """The file. No cell of it is a formula: an apostrophe stands before what might be one."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(tabular.headings(sheet))
    for row in sheet.rows:
        writer.writerow([guarded(cell) for cell in tabular.cells(row)])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def read(data: bytes, name: str) -> Returned:
    """What a file says that came back."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "the file is not UTF-8; save it as CSV UTF-8"
        return Returned(problems=[Problem(Source(name), message, "file")])
    rows, problems = csv_tables.rows(text, name)
    plain = [replace(row, cells=[unguarded(cell) for cell in row.cells]) for row in rows]
    return tabular.returned(plain, name, problems, {})

"""Rows of cells as a table holds them, before they are read as cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.core.problems import Source

DATE, NUMBER, TRUTH, SPAN = "date", "number", "truth", "span"
"""Kinds of cells; `SPAN` is a title that is merged over several columns."""
SHORT_DATE = "short date"
"""The kind of a date that is shown without its year."""
DATES = frozenset({DATE, SHORT_DATE})


@dataclass(frozen=True)
class TableRow:
    """Cells as they are written. Rows of a workbook belong to a `sheet`.

    `kinds` says of the cells that hold no text, counted from 0, what they hold: `DATE`,
    `SHORT_DATE`, `NUMBER`, `TRUTH`, `SPAN`, `sheet_scan.FORMULA`, or the error that they show.
    """

    source: Source
    cells: Sequence[str]
    sheet: str = ""
    kinds: Mapping[int, str] = field(default_factory=dict)

    def get_source(self, column: int) -> Source:
        """Return the place of a cell."""
        if not self.sheet:
            return self.source
        place = f"{self.sheet}!{format_column(column)}{self.source.line}"
        return replace(self.source, place=place)


def format_column(column: int) -> str:
    """Return a spreadsheet's name of a column, counted from 0: A, B … Z, AA …"""
    name = ""
    column += 1
    while column:
        column, last = divmod(column - 1, 26)
        name = chr(ord("A") + last) + name
    return name

"""The columns of workbooks and CSV for translators, and the rows of such a table that came back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cardgen.base.problems import Problem, Source
from cardgen.game.table_rows import Row as Cells
from cardgen.game.translation.rows import Back, Returned, Row, Sheet

ID, STATE, SENT = "Id", "State", "Sent"
_OF = re.compile(r"(source|translation) \(([A-Za-z0-9-]{2,40})\)\Z", re.IGNORECASE)
_ASKED = {"id": ID, "source": "Source (en)", "translation": "Translation (fr)"}
"""Columns that must be there, as they might be called."""


def headings(sheet: Sheet) -> list[str]:
    """The names of the columns."""
    return [
        STATE, "Deck", "Card", "Text", f"Source ({sheet.source})",
        f"Translation ({sheet.language})", "Source before", "Signs", "Shown on", "Room", "Picture",
        "Place", ID, SENT,
    ]  # fmt: skip


def cells(row: Row) -> list[str]:
    """A row's cells, in the order of the headings."""
    unit = row.unit
    card = f"{unit.called} ({unit.card})" if unit.called and unit.card else unit.card
    return [
        row.state, unit.deck, card, unit.what, row.source, row.text, row.before, row.signs,
        row.around.shown, row.around.room, row.picture, row.place, unit.id, row.sent,
    ]  # fmt: skip


def returned(
    rows: Sequence[Cells], name: str, problems: list[Problem], odd: Mapping[tuple[int, int], str]
) -> Returned:
    """What stands in a table's rows, whatever the order of its columns; `odd` are its cells that
    hold no texts."""
    if not rows:
        problems = problems or [Problem(Source(name), "the file is empty", "table")]
        return Returned(problems=problems)
    head, *others = rows
    named = [cell.strip() for cell in head.cells]
    of = {m[1].lower(): (n, m[2]) for n, cell in enumerate(named) if (m := _OF.match(cell))}
    lacks = [says for key, says in _ASKED.items() if key not in of and says not in named]
    if lacks:
        return Returned(problems=[*problems, Problem(head.source, _missing(lacks), "table")])
    at_id = named.index(ID)
    at_state, at_sent = (named.index(each) if each in named else -1 for each in (STATE, SENT))
    at_source, (at_text, language) = of["source"][0], of["translation"]

    def cell(row: Cells, at: int) -> str:
        return row.cells[at] if 0 <= at < len(row.cells) else ""

    found = [
        Back(
            cell(row, at_id).strip(), cell(row, at_source), cell(row, at_text),
            cell(row, at_state).strip().lower(), row.at(at_text), cell(row, at_sent).strip(),
            odd.get((row.source.line, at_text + 1), ""),
        )
        for row in others
    ]  # fmt: skip
    kept = [row for row in found if row.id or row.text or row.odd]
    return Returned(language, kept, problems, of["source"][1])


def _missing(columns: Sequence[str]) -> str:
    """That headings are not as they went out."""
    named = ", ".join(f"'{each}'" for each in columns)
    return f"no column is headed {named}; give it the heading that it had when it was sent"

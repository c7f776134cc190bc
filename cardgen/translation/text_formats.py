"""Files for translators as CSV and PO, and the columns that CSV and workbooks share."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polib

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import csv_tables
from cardgen.game.csv_tables import guard_formulas, unguard_formulas
from cardgen.game.table_rows import TableRow as Cells
from cardgen.translation import translation_status
from cardgen.translation.translation_rows import (
    ReturnedFile,
    ReturnedRow,
    TranslationRow,
    TranslationSheet,
)

ID, STATE, SENT = "Id", "State", "Sent"
_COLUMN_HEADING = re.compile(r"(source|translation) \(([A-Za-z0-9-]{2,40})\)\Z", re.IGNORECASE)
_EXPECTED_HEADINGS = {"id": ID, "source": "Source (en)", "translation": "Translation (fr)"}
"""Columns that a returned file must have, with examples of their headings."""


def list_headings(sheet: TranslationSheet) -> list[str]:
    """Return the names of the columns."""
    return [
        STATE, "Deck", "Card", "Text", f"Source ({sheet.source})",
        f"Translation ({sheet.language})", "Source before", "Signs", "Shown on", "Room", "Picture",
        "Place", ID, SENT,
    ]  # fmt: skip


def format_row_cells(row: TranslationRow) -> list[str]:
    """Return a row's cells in the order of the headings."""
    unit = row.unit
    card = f"{unit.card_name} ({unit.card})" if unit.card_name and unit.card else unit.card
    return [
        row.state, unit.deck, card, unit.label, row.source, row.text, row.previous_source,
        row.required_signs,
        row.context.shown_on, row.context.room, row.picture, row.place, unit.id, row.sent_mark,
    ]  # fmt: skip


def parse_returned_rows(
    rows: Sequence[Cells], name: str, problems: list[Problem], odd: Mapping[tuple[int, int], str]
) -> ReturnedFile:
    """Return the rows of a returned table, whatever the order of its columns.

    `odd` maps the places of cells that hold no text to their kinds.
    """
    if not rows:
        problems = problems or [Problem(Source(name), "the file is empty", "table")]
        return ReturnedFile(problems=problems)
    head, *others = rows
    named = [cell.strip() for cell in head.cells]
    positions = {
        m[1].lower(): (n, m[2])
        for n, cell in enumerate(named)
        if (m := _COLUMN_HEADING.match(cell))
    }
    missing = [
        says
        for key, says in _EXPECTED_HEADINGS.items()
        if key not in positions and says not in named
    ]
    if missing:
        return ReturnedFile(
            problems=[*problems, Problem(head.source, _describe_missing_headings(missing), "table")]
        )
    at_id = named.index(ID)
    at_state, at_sent = (named.index(each) if each in named else -1 for each in (STATE, SENT))
    at_source, (at_text, language) = positions["source"][0], positions["translation"]

    def get_cell(row: Cells, at: int) -> str:
        return row.cells[at] if 0 <= at < len(row.cells) else ""

    found = [
        ReturnedRow(
            get_cell(row, at_id).strip(), get_cell(row, at_source), get_cell(row, at_text),
            get_cell(row, at_state).strip().lower(), row.get_source(at_text),
            get_cell(row, at_sent).strip(),
            odd.get((row.source.line, at_text + 1), ""),
        )
        for row in others
    ]  # fmt: skip
    filled = [row for row in found if row.id or row.text or row.odd_kind]
    return ReturnedFile(language, filled, problems, positions["source"][1])


def _describe_missing_headings(columns: Sequence[str]) -> str:
    """Return the message about headings that were changed."""
    named = ", ".join(f"'{each}'" for each in columns)
    return f"no column is headed {named}; give it the heading that it had when it was sent"


def write_csv(sheet: TranslationSheet) -> bytes:
    """Return the CSV file. An apostrophe stands before cells that a spreadsheet may take for
    formulas."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(list_headings(sheet))
    for row in sheet.rows:
        writer.writerow([guard_formulas(cell) for cell in format_row_cells(row)])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def read_csv(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned CSV file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "the file is not UTF-8; save it as CSV UTF-8"
        return ReturnedFile(problems=[Problem(Source(name), message, "file")])
    rows, problems = csv_tables.parse_csv_rows(text, name)
    plain = [replace(row, cells=[unguard_formulas(cell) for cell in row.cells]) for row in rows]
    return parse_returned_rows(plain, name, problems, {})


PO_READ_SECONDS = 20.0
_SOURCE_LANGUAGE_HEADER = "X-Source-Language"
_SENT_PREFIX = "sent: "


class _PoText(str):
    """A text that is split at line feeds only, as PO is, and not at other Unicode line ends."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        lines = self.split("\n")
        return [f"{line}\n" for line in lines] if keepends else lines


def write_po(sheet: TranslationSheet) -> bytes:
    """Return the PO file."""
    file = polib.POFile(wrapwidth=0)  # a line for each line of a text
    file.metadata = {
        "Project-Id-Version": sheet.game.replace("\n", " "),
        "Language": sheet.language,
        _SOURCE_LANGUAGE_HEADER: sheet.source,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "X-Generator": "cardgen",
    }
    for row in sheet.rows:
        file.append(_make_po_entry(row))
    return str(file).encode()


def _make_po_entry(row: TranslationRow) -> Any:
    unit, older = row.unit, row.state == translation_status.OLDER
    card = f"{unit.card_name} ({unit.card})" if unit.card_name else unit.card
    comments = [
        " · ".join(part for part in (unit.deck, card, unit.label) if part),
        f"signs: {row.required_signs}" if row.required_signs else "",
        f"shown on: {row.context.shown_on}" if row.context.shown_on else "",
        f"room: {row.context.room}" if row.context.room else "",
        f"picture: {row.picture}" if row.picture else "",
        f"{_SENT_PREFIX}{row.sent_mark}",
    ]
    return polib.POEntry(
        msgctxt=unit.id, msgid=row.source, msgstr=row.text,
        comment="\n".join(filter(None, comments)),
        occurrences=[(unit.file, str(unit.source.line))],
        flags=["fuzzy"] if older else [],
        previous_msgid=row.previous_source or None if older else None,
    )  # fmt: skip


def read_po(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned PO file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        message = "the file is not UTF-8; save it as UTF-8"
        return ReturnedFile(problems=[Problem(Source(name), message, "file")])
    try:
        with work_limits.work_limit(
            f"{name}: reading it", PO_READ_SECONDS, expected=(OSError, ValueError)
        ):
            # A line's end at its beginning: what is read is the text, and no file of that name.
            file = polib.pofile(_PoText(f"\n{text}"), encoding="utf-8")
    except LimitExceededError as error:
        return ReturnedFile(
            problems=[Problem(Source(name), f"it cannot be read: {error}", "bounds")]
        )
    except (OSError, ValueError) as error:
        why = str(error).partition("\n")[0][:200] or "it is not a PO file"
        return ReturnedFile(problems=[Problem(Source(name), f"it cannot be read: {why}", "file")])
    language = str(file.metadata.get("Language", "")).replace("_", "-").strip()
    if not language:
        message = "its head names no language; write Language: fr there"
        return ReturnedFile(problems=[Problem(Source(name), message, "file")])
    rows = [_read_po_entry(entry, name) for entry in file if not entry.obsolete]
    return ReturnedFile(
        language, rows, source=str(file.metadata.get(_SOURCE_LANGUAGE_HEADER, "")).strip()
    )


def _read_po_entry(entry: Any, name: str) -> ReturnedRow:
    state = translation_status.OLDER if entry.fuzzy else translation_status.DONE
    line = max(0, int(entry.linenum or 0) - 1)
    comments = str(entry.comment or "").split("\n")
    sent = next(
        (each.removeprefix(_SENT_PREFIX) for each in comments if each.startswith(_SENT_PREFIX)), ""
    )
    at = Source(name, line)
    return ReturnedRow(str(entry.msgctxt or ""), entry.msgid, entry.msgstr, state, at, sent.strip())

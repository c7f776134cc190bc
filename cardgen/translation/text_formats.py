"""Files for translators as CSV and workbooks.

A workbook has a sheet with the texts, and one with instructions. Every cell is a text, whatever it
begins with. All cells but the translation and its state are locked, without a password.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from cardgen.core.problems import Problem
from cardgen.game import csv_tables, workbooks
from cardgen.game.card_text import is_right_to_left
from cardgen.game.csv_tables import guard_formulas, unguard_formulas
from cardgen.game.table_cells import TableRow
from cardgen.game.workbook_edits import escape_codes
from cardgen.translation.translation_rows import (
    ReturnedFile,
    ReturnedRow,
    TranslationRow,
    TranslationSheet,
    decode_text,
    reject_file,
    split_sent_mark,
)
from cardgen.translation.translation_status import (
    DONE,
    MISSING,
    OLDER,
    PROPOSED,
    SAME,
    TRANSLATION_STATES,
)

ID, STATE, SENT = "Id", "State", "Sent"
_COLUMN_HEADING = re.compile(r"(source|translation) \(([A-Za-z0-9-]{2,40})\)\Z", re.IGNORECASE)
_EXPECTED_HEADINGS = {"id": ID, "source": "Source (en)", "translation": "Translation (fr)"}
"""Columns that a returned file must have, with examples of their headings."""


def list_headings(sheet: TranslationSheet) -> list[str]:
    """Return the names of the columns."""
    return [
        STATE, "Deck", "Card", "Text", f"Source ({sheet.source})",
        f"Translation ({sheet.language})", "Source before", "Signs", "Glossary", "Shown on", "Room",
        "Picture", "Place", ID, SENT,
    ]  # fmt: skip


def format_row_cells(row: TranslationRow) -> list[str]:
    """Return a row's cells in the order of the headings."""
    return [
        row.state, row.deck, row.card, row.label, row.source, row.text, row.previous_source,
        " ".join(row.signs), row.glossary,
        row.context.shown_on, row.context.room, row.picture, row.place, row.unit.id, row.sent_mark,
    ]  # fmt: skip


def parse_returned_rows(
    rows: Sequence[TableRow], name: str, problems: list[Problem]
) -> ReturnedFile:
    """Return the rows of a returned table, whatever the order of its columns."""
    if not rows:
        empty = reject_file(name, "the file is empty", "table")
        return ReturnedFile(problems=problems) if problems else empty
    head, *others = rows
    named = [cell.strip() for cell in head.cells]
    columns = {name.lower(): named.index(name) for name in (ID, STATE, SENT) if name in named}
    languages = {}
    for column, heading in enumerate(named):
        if match := _COLUMN_HEADING.match(heading):
            key = match[1].lower()
            columns[key], languages[key] = column, match[2]
    missing = [f"'{shown}'" for key, shown in _EXPECTED_HEADINGS.items() if key not in columns]
    if missing:
        message = f"no column is headed {', '.join(missing)}; give it the heading that it had when "
        problem = Problem(head.source, f"{message}it was sent", "table")
        return ReturnedFile(problems=[*problems, problem])
    at_text = columns["translation"]
    found = []
    for row in others:
        cells = dict.fromkeys(("state", "sent"), "")
        cells |= {key: "".join(row.cells[at : at + 1]) for key, at in columns.items()}
        id_, odd_kind = cells["id"].strip(), row.kinds.get(at_text, "")
        if id_ or cells["translation"] or odd_kind:
            state, (sent, repeats) = cells["state"].strip().lower(), split_sent_mark(cells["sent"])
            place = row.get_source(at_text)
            found.append(
                ReturnedRow(
                    id_,
                    cells["source"],
                    cells["translation"],
                    state,
                    place,
                    sent,
                    odd_kind,
                    repeats,
                )
            )
    return ReturnedFile(languages["translation"], found, problems, languages["source"])


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
    text = decode_text(data)
    if text is None:
        return reject_file(name, "the file is not UTF-8; save it as CSV UTF-8")
    rows, problems = csv_tables.parse_csv_rows(text, name)
    plain = [replace(row, cells=[unguard_formulas(cell) for cell in row.cells]) for row in rows]
    return parse_returned_rows(plain, name, problems)


TEXTS_SHEET = "Texts"
MAX_CELL_CHARACTERS = 32_000
"""Maximum length of a cell."""
_COLUMN_WIDTHS = {
    STATE: 12, "Deck": 14, "Card": 22, "Text": 18, "Source before": 26, "Signs": 14,
    "Glossary": 24, "Shown on": 16, "Room": 20, "Picture": 15, "Place": 24, ID: 30,
}  # fmt: skip
_DEFAULT_WIDTH = 46
_LISTS = frozenset(("Deck", "Card", "Text", "Glossary", "Place"))
"""Columns that may have many lines, of which a row shows the first."""
_MAX_LIST_LINES = 4
_OPEN_COLUMNS = (STATE, "Translation")
_STATE_COLOURS: Mapping[str, tuple[str, str]] = {
    MISSING: ("F8D7D3", "nothing is written yet"),
    PROPOSED: (
        "E4D7F5",
        "nobody has confirmed it, and it is not printed; change it where it is "
        "wrong, and make it “translated”",
    ),
    OLDER: ("FBE7B5", "its source was changed since; “Source before” is what it was made of"),
    SAME: ("DCE3F5", "to the letter what its source says; fine for names, else forgotten"),
    DONE: ("FFFFFF", "nothing is to be done"),
}
_HEADING_FILL, _OPEN_HEADING_FILL = "2F3E4D", "1F7A4D"
_LOCKED_FILL, _BORDER_COLOUR = "EEF1F4", "C9D1D9"
_LINE_HEIGHT_PT, MAX_ROW_HEIGHT_PT = 15.0, 400.0
"""Heights of a line and of the tallest row, pt."""
_PICTURE_PX = (90, 126)
_PX_TO_PT = 0.75


def write_xlsx(sheet: TranslationSheet) -> bytes:
    """Return the workbook. Texts that are too long for a cell are left out, see
    `find_long_rows`."""
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.writer.excel import ExcelWriter  # noqa: PLC0415

    class SharedImagesWriter(ExcelWriter):  # type: ignore[misc]
        """Writer that stores pictures at the same place once."""

        def _write_images(self) -> None:
            self._images: list[Any] = list({each.path: each for each in self._images}.values())
            super()._write_images()

    book = Workbook()
    texts = book.active
    texts.title = TEXTS_SHEET
    _fill_texts_sheet(texts, sheet)
    _fill_readme_sheet(book.create_sheet("Read me"), sheet)
    made = io.BytesIO()
    SharedImagesWriter(book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED)).save()
    return made.getvalue()


def find_long_rows(sheet: TranslationSheet) -> list[TranslationRow]:
    """Return the rows with a text that is too long for a cell."""
    return [row for row in sheet.rows if max(len(row.source), len(row.text)) > MAX_CELL_CHARACTERS]


def read_xlsx(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned workbook. A formula counts as the text that was last
    computed."""
    sheet = workbooks.read_text_sheet(data, name, TEXTS_SHEET)
    return parse_returned_rows(sheet.rows, name, sheet.problems)


def _fill_texts_sheet(texts: Any, sheet: TranslationSheet) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    names = list_headings(sheet)
    letters = [get_column_letter(column) for column in range(1, len(names) + 1)]
    long = {id(row) for row in find_long_rows(sheet)}
    rows = [row for row in sheet.rows if id(row) not in long]
    for column, name in enumerate(names, 1):
        cell = texts.cell(1, column, name)
        cell.font = Font(bold=True, color="FFFFFF")
        colour = _OPEN_HEADING_FILL if name.startswith(_OPEN_COLUMNS) else _HEADING_FILL
        cell.fill = PatternFill("solid", fgColor=colour)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        width = _COLUMN_WIDTHS.get(name, _DEFAULT_WIDTH)
        texts.column_dimensions[letters[column - 1]].width = width
    texts.column_dimensions[letters[-1]].hidden = True
    media: dict[bytes, str] = {}
    looks = [_make_cell_style(texts, name, sheet) for name in names]
    for number, row in enumerate(rows, 2):
        cells = format_row_cells(row)
        for column, text in enumerate(cells, 1):
            cell = texts.cell(number, column)
            if text:  # a text, whatever it begins with
                cell.value, cell.data_type = escape_codes(text), "s"
            cell._style = copy(looks[column - 1]._style)
            if text.startswith(("=", "+", "-", "@", "'")):
                cell.quotePrefix = True
        height = _compute_row_height(names, cells)
        if row.context.picture:
            place = f"{letters[names.index('Picture')]}{number}"
            below = _count_lines(row.picture, _COLUMN_WIDTHS["Picture"]) * _LINE_HEIGHT_PT
            height = max(height, _add_picture(texts, row, place, media) + below)
        texts.row_dimensions[number].height = min(height, MAX_ROW_HEIGHT_PT)
    texts.freeze_panes = "A2"
    texts.row_dimensions[1].height = 24
    texts.auto_filter.ref = f"A1:{letters[-1]}{len(rows) + 1}"
    _add_state_formats(texts, names, len(rows) + 1)
    _protect_sheet(texts)


def _count_lines(text: str, width: int) -> int:
    """Return about how many lines a text takes in a column."""
    return sum(1 + max(0, len(line) - 1) // max(1, width - 2) for line in text.split("\n"))


def _compute_row_height(names: list[str], cells: list[str]) -> float:
    """Return the height of a row in pt, with as much room for the translation as for its source."""
    lines = (min(_count_lines(cell, _COLUMN_WIDTHS.get(name, _DEFAULT_WIDTH)),
                 _MAX_LIST_LINES if name in _LISTS else MAX_CELL_CHARACTERS)
             for name, cell in zip(names, cells, strict=True)
             if name not in {"Picture", SENT})  # fmt: skip
    return max(lines) * _LINE_HEIGHT_PT + 3


def _make_cell_style(texts: Any, name: str, sheet: TranslationSheet) -> Any:
    """Return a cell with a column's style: white where translators write, else grey; right-to-left
    where the language is. A picture's name stands below it."""
    from openpyxl.cell import Cell  # noqa: PLC0415
    from openpyxl.styles import Alignment, Border, PatternFill, Protection, Side  # noqa: PLC0415

    language = sheet.language if name.startswith("Translation") else sheet.source
    turned = name.startswith(("Translation", "Source")) and is_right_to_left(language)
    across = "right" if turned else "left"
    down = "bottom" if name == "Picture" else "top"
    is_open = name.startswith(_OPEN_COLUMNS)
    line = Side("thin", color=_BORDER_COLOUR)
    cell = Cell(texts, row=1, column=1)
    cell.number_format, cell.protection = "@", Protection(locked=not is_open)
    cell.alignment = Alignment(across, down, wrap_text=True, readingOrder=2 if turned else 0)
    cell.fill = PatternFill("solid", fgColor="FFFFFF" if is_open else _LOCKED_FILL)
    cell.border = Border(line, line, line, line)
    return cell


def _add_state_formats(texts: Any, names: list[str], last: int) -> None:
    """Colour states and translations by the state as it changes, and offer the states to choose
    from."""
    from openpyxl.formatting.rule import FormulaRule  # noqa: PLC0415
    from openpyxl.styles import PatternFill  # noqa: PLC0415
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415

    end = max(2, last)
    is_empty = f'AND($A2="{MISSING}",LEN($F2)=0)'
    for name in (MISSING, PROPOSED, OLDER, SAME):
        fill = PatternFill("solid", bgColor=_STATE_COLOURS[name][0])
        rule = FormulaRule([is_empty if name == MISSING else f'$A2="{name}"'], fill=fill)
        texts.conditional_formatting.add(f"A2:A{end} F2:F{end}", rule)
    states = f'"{",".join(TRANSLATION_STATES)}"'
    choice = DataValidation("list", formula1=states, allow_blank=True)
    choice.add(f"A2:A{end}")
    texts.add_data_validation(choice)
    assert names[5].startswith("Translation")


def _protect_sheet(texts: Any) -> None:
    """Lock all but the translator's cells. Columns may still be filtered, sorted and resized."""
    guard = texts.protection
    guard.sheet = True
    for may in ("autoFilter", "sort", "formatColumns", "formatRows", "formatCells"):
        setattr(guard, may, False)
    texts.page_setup.orientation, texts.page_setup.fitToHeight = "landscape", 0
    texts.sheet_properties.pageSetUpPr.fitToPage = True
    texts.print_title_rows = "1:1"


def _add_picture(texts: Any, row: TranslationRow, place: str, media: dict[bytes, str]) -> float:
    """Put a row's picture into its cell. Return its height in pt.

    `media` maps pictures to their places in the file, so that equal ones have the same.
    """
    from openpyxl.drawing.image import Image  # noqa: PLC0415

    data = row.context.picture
    picture = Image(io.BytesIO(data))
    picture._path = media.setdefault(data, f"/xl/media/image{len(media) + 1}.{picture.format}")
    shrunk = min(_PICTURE_PX[0] / picture.width, _PICTURE_PX[1] / picture.height)
    picture.width, picture.height = round(picture.width * shrunk), round(picture.height * shrunk)
    texts.add_image(picture, place)
    return float(picture.height + 6) * _PX_TO_PT


def _fill_readme_sheet(page: Any, sheet: TranslationSheet) -> None:
    """Write the instructions, with the meaning of the colours."""
    from openpyxl.styles import Alignment, Font, PatternFill  # noqa: PLC0415

    page.column_dimensions["A"].width, page.column_dimensions["B"].width = 16, 96
    lines = [
        (f"{sheet.game}: {sheet.source} → {sheet.language}", ""),
        ("", ""),
        ("Translation", "Write into this column. What is left empty stays as it is in the game."),
        ("State", "“older” and “proposal” become “translated” once you have looked at the text, "
                  "whether you changed it or not."),
        ("Signs", "What the translation must have, too: {sword} is a picture in the text, and may "
                  "stand wherever your language wants it. **Bold** and *italic* stay so."),
        ("Glossary", "Terms within the text, and how they are translated elsewhere. A text that "
                     "the game has several times is one row; Place lists where it is."),
        ("Room", "How much the box that the text stands in has left now; empty where that is not "
                 "known."),
        ("Id", "The text's name in the game. It must stay as it is; rows may be filtered, sorted "
               "or left out."),
        ("Sorting", "What is grey is locked, and spreadsheets sort no locked cells: take the "
                    "protection of the sheet away first. It has no password."),
        ("", ""),
        *((name, _STATE_COLOURS[name][1]) for name in TRANSLATION_STATES),
    ]  # fmt: skip
    for number, (name, what) in enumerate(lines, 1):
        first, second = page.cell(number, 1), page.cell(number, 2)
        for cell, text in ((first, name), (second, what)):
            if text:
                cell.value, cell.data_type = escape_codes(text), "s"
        first.font = Font(bold=True, size=14 if number == 1 else 11)
        first.alignment = Alignment(vertical="top")
        second.alignment = Alignment(vertical="top", wrap_text=True)
        if name in _STATE_COLOURS:
            first.fill = PatternFill("solid", fgColor=_STATE_COLOURS[name][0])

"""Files for translators as a workbook: a sheet with the texts, and one with instructions.

Every cell is a text, whatever it begins with. All cells but the translation and its state are
locked, without a password.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from copy import copy
from typing import Any

from cardgen.game import workbooks
from cardgen.game.card_text import is_right_to_left
from cardgen.translation import text_formats, translation_status
from cardgen.translation.translation_rows import ReturnedFile, TranslationRow, TranslationSheet

_MEDIA, _PARTS = "xl/media/", "xl/drawings/_rels/"


def share_pictures(data: bytes) -> bytes:
    """Return the workbook with equal pictures stored once."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        same = _find_duplicates(package)
        if not same:
            return data
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as shared:
            for part in package.infolist():
                if part.filename in same:
                    continue
                content = package.read(part)
                if part.filename.startswith(_PARTS):
                    content = _redirect_relations(content, same)
                shared.writestr(part, content)
    return made.getvalue()


def _find_duplicates(package: zipfile.ZipFile) -> dict[str, str]:
    """Return pictures that equal another one, with that one."""
    first: dict[bytes, str] = {}
    found = {}
    for name in package.namelist():
        if name.startswith(_MEDIA):
            original = first.setdefault(hashlib.sha256(package.read(name)).digest(), name)
            if original != name:
                found[name] = original
    return found


def _redirect_relations(content: bytes, same: dict[str, str]) -> bytes:
    """Return a relationship part that points to the remaining pictures."""
    parts = content.split(b'"')
    for number, part in enumerate(parts):
        original = same.get(part.decode(errors="replace").lstrip("/"))
        if original:
            parts[number] = b"/" + original.encode()
    return b'"'.join(parts)


TEXTS_SHEET = "Texts"
MAX_CELL_CHARACTERS = 32_000
"""Maximum length of a cell."""
_COLUMN_WIDTHS = {
    text_formats.STATE: 12, "Deck": 14, "Card": 22, "Text": 18, "Source before": 26, "Signs": 14,
    "Shown on": 16, "Room": 20, "Picture": 15, "Place": 24, text_formats.ID: 30,
}  # fmt: skip
_DEFAULT_WIDTH = 46
_OPEN_COLUMNS = (text_formats.STATE, "Translation")
_STATE_COLOURS: Mapping[str, tuple[str, str]] = {
    translation_status.MISSING: ("F8D7D3", "nothing is written yet"),
    translation_status.OLDER: (
        "FBE7B5",
        "its source was changed since; “Source before” is what it was made of",
    ),
    translation_status.SAME: (
        "DCE3F5",
        "to the letter what its source says; fine for names, else forgotten",
    ),
    translation_status.DONE: ("FFFFFF", "nothing is to be done"),
}
# What spreadsheets take for the number of a character.
_ESCAPED_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
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

    book = Workbook()
    texts = book.active
    texts.title = TEXTS_SHEET
    _fill_texts_sheet(texts, sheet)
    _fill_readme_sheet(book.create_sheet("Read me"), sheet)
    made = io.BytesIO()
    book.save(made)
    return share_pictures(made.getvalue())


def find_long_rows(sheet: TranslationSheet) -> list[TranslationRow]:
    """Return the rows with a text that is too long for a cell."""
    return [row for row in sheet.rows if max(len(row.source), len(row.text)) > MAX_CELL_CHARACTERS]


def read_xlsx(data: bytes, name: str) -> ReturnedFile:
    """Return the rows of a returned workbook. A formula counts as the text that was last
    computed."""
    sheet = workbooks.read_text_sheet(data, name, TEXTS_SHEET)
    return text_formats.parse_returned_rows(sheet.rows, name, sheet.problems, sheet.odd_cells)


def _fill_texts_sheet(texts: Any, sheet: TranslationSheet) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    names = text_formats.list_headings(sheet)
    long = {id(row) for row in find_long_rows(sheet)}
    rows = [row for row in sheet.rows if id(row) not in long]
    for column, name in enumerate(names, 1):
        cell = texts.cell(1, column, name)
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill(
            "solid", fgColor=_OPEN_HEADING_FILL if name.startswith(_OPEN_COLUMNS) else _HEADING_FILL
        )
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        texts.column_dimensions[get_column_letter(column)].width = _COLUMN_WIDTHS.get(
            name, _DEFAULT_WIDTH
        )
    texts.column_dimensions[get_column_letter(len(names))].hidden = True
    looks = [_make_cell_style(texts, name, sheet) for name in names]
    for number, row in enumerate(rows, 2):
        cells = text_formats.format_row_cells(row)
        for column, text in enumerate(cells, 1):
            cell = texts.cell(number, column)
            if text:  # a text, whatever it begins with
                cell.value, cell.data_type = _ESCAPED_CODE.sub("_x005F_", text), "s"
            cell._style = copy(looks[column - 1]._style)
            if text.startswith(("=", "+", "-", "@", "'")):
                cell.quotePrefix = True
        height = _compute_row_height(names, cells)
        if row.context.picture:
            place = f"{get_column_letter(names.index('Picture') + 1)}{number}"
            below = _count_lines(row.picture, _COLUMN_WIDTHS["Picture"]) * _LINE_HEIGHT_PT
            height = max(height, _add_picture(texts, row, place) + below)
        texts.row_dimensions[number].height = min(height, MAX_ROW_HEIGHT_PT)
    texts.freeze_panes = "A2"
    texts.row_dimensions[1].height = 24
    texts.auto_filter.ref = f"A1:{get_column_letter(len(names))}{len(rows) + 1}"
    _add_state_formats(texts, names, len(rows) + 1)
    _protect_sheet(texts)


def _count_lines(text: str, width: int) -> int:
    """Return about how many lines a text takes in a column."""
    return sum(1 + max(0, len(line) - 1) // max(1, width - 2) for line in text.split("\n"))


def _compute_row_height(names: list[str], cells: list[str]) -> float:
    """Return the height of a row in pt, with as much room for the translation as for its source."""
    lines = (_count_lines(cell, _COLUMN_WIDTHS.get(name, _DEFAULT_WIDTH))
             for name, cell in zip(names, cells, strict=True)
             if name not in {"Picture", text_formats.SENT})  # fmt: skip
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
    done, state = f"A2:A{end} F2:F{end}", f'$A2="{translation_status.MISSING}"'
    formulas = {translation_status.MISSING: f"AND({state},LEN($F2)=0)"}
    for name in (translation_status.MISSING, translation_status.OLDER, translation_status.SAME):
        fill = PatternFill("solid", bgColor=_STATE_COLOURS[name][0])
        formula = formulas.get(name, f'$A2="{name}"')
        texts.conditional_formatting.add(done, FormulaRule([formula], fill=fill))
    choice = DataValidation(
        "list", formula1=f'"{",".join(translation_status.TRANSLATION_STATES)}"', allow_blank=True
    )
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


def _add_picture(texts: Any, row: TranslationRow, place: str) -> float:
    """Put a row's picture into its cell. Return its height in pt."""
    from openpyxl.drawing.image import Image  # noqa: PLC0415

    picture = Image(io.BytesIO(row.context.picture))
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
        ("State", "“older” becomes “translated” once you have looked at the text, whether you "
                  "changed it or not."),
        ("Signs", "What the translation must have, too: {sword} is a picture in the text, and may "
                  "stand wherever your language wants it. **Bold** and *italic* stay so."),
        ("Room", "How much the box that the text stands in has left now; empty where that is not "
                 "known."),
        ("Id", "The text's name in the game. It must stay as it is; rows may be filtered, sorted "
               "or left out."),
        ("Sorting", "What is grey is locked, and spreadsheets sort no locked cells: take the "
                    "protection of the sheet away first. It has no password."),
        ("", ""),
        *((name, _STATE_COLOURS[name][1]) for name in translation_status.TRANSLATION_STATES),
    ]  # fmt: skip
    for number, (name, what) in enumerate(lines, 1):
        first, second = page.cell(number, 1, name or None), page.cell(number, 2, what or None)
        first.font = Font(bold=True, size=14 if number == 1 else 11)
        first.alignment = Alignment(vertical="top")
        second.alignment = Alignment(vertical="top", wrap_text=True)
        if name in _STATE_COLOURS:
            first.fill = PatternFill("solid", fgColor=_STATE_COLOURS[name][0])

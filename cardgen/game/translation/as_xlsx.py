"""A file for translators as a workbook: one sheet with the texts, one that says how to work on it.

Every cell is a text, whatever it begins with. All but the translation and its state are locked,
without a password.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from cardgen.base.problems import Source
from cardgen.game import workbooks
from cardgen.game.translation import states, tabular
from cardgen.game.translation.rows import Returned, Row, Sheet
from cardgen.game.writing import from_right

TEXTS = "Texts"
LONGEST = 32_000
"""Letters of a cell."""
_WIDTHS = {
    tabular.STATE: 12, "Deck": 14, "Card": 22, "Text": 14, "Source before": 26, "Signs": 14,
    "Shown on": 16, "Room": 20, "Picture": 15, "Place": 24, tabular.ID: 30,
}  # fmt: skip
_WIDE = 46
_OPEN = (tabular.STATE, "Translation")
_COLOURS: Mapping[str, tuple[str, str]] = {
    states.MISSING: ("F8D7D3", "nothing is written yet"),
    states.OLDER: (
        "FBE7B5",
        "its source was changed since; “Source before” is what it was made of",
    ),
    states.SAME: ("DCE3F5", "to the letter what its source says; fine for names, else forgotten"),
    states.DONE: ("FFFFFF", "nothing is to be done"),
}
# What spreadsheets take for the number of a character.
_CODED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_HEAD = "2F3E4D"
_PICTURE_PX = (90, 126)
_PX_TO_PT = 0.75


def written(sheet: Sheet) -> bytes:
    """The workbook. A text that is too long for a cell is left out: see `too_long`."""
    from openpyxl import Workbook  # noqa: PLC0415 - slow to import, and seldom needed

    book = Workbook()
    texts = book.active
    texts.title = TEXTS
    _fill(texts, sheet)
    _about(book.create_sheet("Read me"), sheet)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def too_long(sheet: Sheet) -> list[Row]:
    """The rows with a text that no cell holds."""
    return [row for row in sheet.rows if max(len(row.source), len(row.text)) > LONGEST]


def read(data: bytes, name: str) -> Returned:
    """What a workbook says that came back, within the bounds for workbooks. Of a formula it is what
    the spreadsheet last reckoned, a text like any other."""
    names, problems = workbooks.sheets(data, name)
    if problems:
        return Returned(problems=problems)
    sheet = TEXTS if TEXTS in names else ""
    rows, problems = workbooks.rows(data, name, sheet, Source(name))
    return tabular.returned(rows, name, problems)


def _fill(texts: Any, sheet: Sheet) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill, Protection  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    names = tabular.headings(sheet)
    long = {id(row) for row in too_long(sheet)}
    rows = [row for row in sheet.rows if id(row) not in long]
    for column, name in enumerate(names, 1):
        cell = texts.cell(1, column, name)
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor=_HEAD)
        cell.alignment = Alignment(vertical="center", wrap_text=True)
        texts.column_dimensions[get_column_letter(column)].width = _WIDTHS.get(name, _WIDE)
    looks = [_look(name, sheet) for name in names]
    locked = [Protection(locked=not name.startswith(_OPEN)) for name in names]
    for number, row in enumerate(rows, 2):
        for column, text in enumerate(tabular.cells(row), 1):
            cell = texts.cell(number, column)
            if text:  # a text, whatever it begins with
                cell.value, cell.data_type = _CODED.sub("_x005F_", text), "s"
            cell.number_format, cell.alignment = "@", looks[column - 1]
            cell.protection = locked[column - 1]
            if text.startswith(("=", "+", "-", "@", "'")):
                cell.quotePrefix = True
        if row.around.picture:
            _picture(texts, row, f"{get_column_letter(names.index('Picture') + 1)}{number}")
    texts.freeze_panes = "A2"
    texts.row_dimensions[1].height = 24
    texts.auto_filter.ref = f"A1:{get_column_letter(len(names))}{len(rows) + 1}"
    _mark(texts, names, len(rows) + 1)
    _guard(texts)


def _look(name: str, sheet: Sheet) -> Any:
    """How a column's cells stand: those of a language written from the right, from there."""
    from openpyxl.styles import Alignment  # noqa: PLC0415

    language = sheet.language if name.startswith("Translation") else sheet.source
    turned = name.startswith(("Translation", "Source")) and from_right(language)
    across = "right" if turned else "left"
    return Alignment(across, "top", wrap_text=True, readingOrder=2 if turned else 0)


def _mark(texts: Any, names: list[str], last: int) -> None:
    """Rows in the colour of their state, which changes while one writes; and the states to choose
    from."""
    from openpyxl.formatting.rule import FormulaRule  # noqa: PLC0415
    from openpyxl.styles import PatternFill  # noqa: PLC0415
    from openpyxl.worksheet.datavalidation import DataValidation  # noqa: PLC0415

    end = max(2, last)
    done, state = f"A2:F{end}", f'$A2="{states.MISSING}"'
    asked = {states.MISSING: f"AND({state},LEN($F2)=0)"}
    for name in (states.MISSING, states.OLDER, states.SAME):
        fill = PatternFill("solid", bgColor=_COLOURS[name][0])
        formula = asked.get(name, f'$A2="{name}"')
        texts.conditional_formatting.add(done, FormulaRule([formula], fill=fill))
    choice = DataValidation("list", formula1=f'"{",".join(states.STATES)}"', allow_blank=True)
    choice.add(f"A2:A{end}")
    texts.add_data_validation(choice)
    assert names[5].startswith("Translation")


def _guard(texts: Any) -> None:
    """What is to be written is open; columns may be moved, filtered and sorted all the same."""
    guard = texts.protection
    guard.sheet = True
    for may in ("autoFilter", "sort", "formatColumns", "formatRows", "formatCells"):
        setattr(guard, may, False)
    texts.page_setup.orientation, texts.page_setup.fitToHeight = "landscape", 0
    texts.sheet_properties.pageSetUpPr.fitToPage = True
    texts.print_title_rows = "1:1"


def _picture(texts: Any, row: Row, place: str) -> None:
    from openpyxl.drawing.image import Image  # noqa: PLC0415

    picture = Image(io.BytesIO(row.around.picture))
    shrunk = min(_PICTURE_PX[0] / picture.width, _PICTURE_PX[1] / picture.height)
    picture.width, picture.height = round(picture.width * shrunk), round(picture.height * shrunk)
    texts.add_image(picture, place)
    number = int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    texts.row_dimensions[number].height = (picture.height + 6) * _PX_TO_PT


def _about(page: Any, sheet: Sheet) -> None:
    """How to work on it, with what the colours mean."""
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
        ("Room", "How much the tightest box of the card has left now."),
        ("Id", "The text's name in the game. It must stay as it is; rows may be sorted or left "
               "out."),
        ("", ""),
        *((name, _COLOURS[name][1]) for name in states.STATES),
    ]  # fmt: skip
    for number, (name, what) in enumerate(lines, 1):
        first, second = page.cell(number, 1, name or None), page.cell(number, 2, what or None)
        first.font = Font(bold=True, size=14 if number == 1 else 11)
        first.alignment = Alignment(vertical="top")
        second.alignment = Alignment(vertical="top", wrap_text=True)
        if name in _COLOURS:
            first.fill = PatternFill("solid", fgColor=_COLOURS[name][0])

"""What cannot be known is not empty, and what is no card is left out by name."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import MakeGame
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font

from cardgen.core.problems import Source, sort_problems
from cardgen.game import loader, sheet_scan, workbooks
from cardgen.game.model import Text

TABLES = Path(__file__).parent / "tables"
NO_RESULT = (
    "a formula without a result stands here; open the workbook in a spreadsheet and save it there, "
    "or write the value [table]"
)


def shows(error: str) -> str:
    return (
        f"the cell shows the error {error}; correct its formula in the spreadsheet, or write the "
        "value [table]"
    )


def made_date(written: str) -> str:
    return (
        f"the spreadsheet made a date of this cell, {written}; format it as text there, then write "
        "what is meant, such as 1-2 or 1/2 [table]"
    )


FIELDS = "type: string, name: text, cost: number, rare: boolean"


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    root = make_game({"game.yaml": "game: g\ntitle: G\nlanguages: [en]\n"})
    (root / "cards").mkdir()
    return root


def declare(root: Path, rows: str, fields: str = FIELDS, columns: str = "Qty: copies") -> None:
    deck = f"deck: d\ntitle: D\nlook: text\nfields: {{{fields}}}\nrows: {rows}\n"
    more = f"columns: {{{columns}}}\n" if columns else ""
    (root / "cards/d.yaml").write_text(deck + more, encoding="utf-8")


def save(root: Path, rows: Sequence[Any], *merged: str) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Cards"
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(root / "cards/cards.xlsx")


def check(root: Path) -> list[str]:
    """The problems of a game's tables, without the name of the file and of the deck."""
    _, found = loader.load_game(root)
    problems = sort_problems(found)
    lines = [str(problem) for problem in problems if problem.source.path != "cards/d.yaml"]
    return [re.sub(r"^cards/cards\.\w+:", "", line).replace(": error: d: ", ": ") for line in lines]


def list_cards(root: Path) -> list[str]:
    """Copies, id and values of each card."""
    game, _ = loader.load_game(root)
    assert game is not None
    return [
        f"{piece.copies} × {piece.id} "
        + " ".join(
            str(value["en"] if isinstance(value, Text) else value)
            for value in piece.values.values()
            if value not in (None, False)
        )
        for piece in game.decks[0].pieces
    ]


# -- what cannot be known


def test_a_formula_without_a_result(root: Path) -> None:
    declare(root, "cards.xlsx")
    save(root, [["Name", "Qty", "Cost", "Rare"], ["Tug", "=1+2", "=1+1", "=TRUE()"], ["Ferry"]])
    assert check(root) == [f"Cards!{at}2: {NO_RESULT}" for at in "BCD"]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<c r='B2'><f>1+2</f><v></v></c>", [NO_RESULT]),
        ("<c r='B2'><f>1+2</f><v/></c>", [NO_RESULT]),
        ("<c r='B2'><f>1+2</f><v>0</v></c>", [NO_RESULT]),
        ("<c r='B2'><f>1+2</f><v>3</v></c>", []),
        ("<c r='B2' t='str'><f>A2</f><v></v></c>", []),
        ("<c r='B2' t='e'><v>#REF!</v></c>", [shows("#REF!")]),
        ("<c r='B2' t='str'><f>x</f><v>#N/A</v></c>", [shows("#N/A")]),
    ],
)
def test_cells_as_libraries_write_them(root: Path, cell: str, expected: list[str]) -> None:
    """XlsxWriter stores 0 for each formula, and asks for the workbook to be calculated."""
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", "Cost"], ["Tug", "@"]])
    path = root / "cards/cards.xlsx"
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    begin = sheet.index(b'<c r="B2"')
    end = sheet.index(b"</c>", begin) + 4
    parts["xl/worksheets/sheet1.xml"] = sheet[:begin] + cell.encode() + sheet[end:]
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    assert check(root) == [f"Cards!B2: {each}" for each in expected]


@pytest.mark.parametrize(
    "error", ["#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!"]
)
def test_a_cell_with_an_error(root: Path, error: str) -> None:
    declare(root, "cards.xlsx")
    save(root, [["ID", "Name", "Qty", "Cost", "Type"], [error] * 5, ["a", "Tug", 1, 2]])
    assert (
        check(root)
        == [f"Cards!{at}2: {shows(error)}" for at in "ABCDE"]
        + ["Cards!2: a card has neither an id nor a name; add one [fields]"] * 0
    )


@pytest.mark.parametrize("error", ["#REF!", "#BEZUG!", "#PUUTTUU!", "#Н/Д", "Err:502"])
def test_an_error_in_csv_also_in_other_languages(root: Path, error: str) -> None:
    declare(root, "cards.csv", "name: text, cost: integer, text: text", "Note: ignore")
    text = f"Name,Cost,Text,Note\nTug,2,{error},{error}\nFerry,{error},Load.,\n"
    (root / "cards/cards.csv").write_text(text, encoding="utf-8")
    told = shows(error).removeprefix("the cell shows")
    assert check(root) == [
        f"2: the cell of 'Text' shows{told}",
        f"3: the cell of 'Cost' shows{told}",
    ]


def test_an_xls_that_was_never_calculated(root: Path) -> None:
    """Written with xlwt; its first sheet is hidden, and A2:A4 are merged."""
    shutil.copy(TABLES / "never-calculated.xls", root / "cards/cards.xls")
    declare(root, "cards.xls", "type: string, name: text, cost: number")
    assert check(root) == [
        f"Cards!C2: {NO_RESULT}",
        f"Cards!C3: {shows('#REF!')}",
        "Cards!C4: error: d/barge: 'copies' is true; expected a whole number from 0 to 1000 [type]",
        f"Cards!D4: {NO_RESULT}",
    ]
    assert "1 × barge Boat Barge" in list_cards(root)


ODS_CELLS = {
    "result": 'table:formula="of:=1" office:value-type="float" office:value="3">',
    "none": 'table:formula="of:=1">',
    "no value": 'table:formula="of:=1" office:value-type="float">',
    "error": 'office:value-type="string" calcext:value-type="error"><text:p>#REF!</text:p>',
    "error text": 'table:formula="of:=1" office:value-type="string"><text:p>Err:502</text:p>',
}


def write_ods(path: Path, rows: list[str], *, hidden_first: bool = False) -> None:
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    names += ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    styles = (
        '<office:automatic-styles><style:style style:name="off" style:family="table">'
        '<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
    )
    hidden = '<table:table table:name="Old" table:style-name="off"><table:table-row>'
    hidden += '<table:table-cell office:value-type="string"><text:p>Old</text:p>'
    hidden += "</table:table-cell></table:table-row></table:table>"
    body = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr(
            "content.xml",
            f"<office:document-content{names}>{styles}<office:body><office:spreadsheet>"
            f'{hidden if hidden_first else ""}<table:table table:name="Cards">{body}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        package.writestr("META-INF/manifest.xml", "<manifest/>")


def text_cell(text: str, more: str = "") -> str:
    return (
        f'<table:table-cell office:value-type="string"{more}><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("result", []), ("none", [NO_RESULT]), ("no value", [NO_RESULT]),
        ("error", [shows("#REF!")]), ("error text", [shows("Err:502")]),
    ],
)  # fmt: skip
def test_an_ods_in_every_state(root: Path, cell: str, expected: list[str]) -> None:
    declare(root, "cards.ods", columns="")
    row = f"{text_cell('Tug')}<table:table-cell {ODS_CELLS[cell]}</table:table-cell>"
    write_ods(root / "cards/cards.ods", [text_cell("name") + text_cell("cost"), row])
    assert check(root) == [f"Cards!B2: {each}" for each in expected]


@pytest.mark.parametrize(
    ("cell", "at"),
    [(date(2026, 2, 1), "Cost"), (date(2026, 2, 1), "Rare")],
)
def test_a_date_where_a_number_belongs(root: Path, cell: date, at: str) -> None:
    declare(root, "cards.xlsx")
    heads = ["Name", "Qty", "Cost", "Rare"]
    save(root, [heads, ["Tug", *(cell if head == at else None for head in heads[1:])]])
    column = "ABCD"[heads.index(at)]
    assert check(root) == [f"Cards!{column}2: {made_date('2026-02-01')}"]


def test_a_date_among_ranges_and_dates_of_a_history(root: Path) -> None:
    declare(root, "cards.xlsx", "name: text, roll: string, day: string, note: text", "")
    save(root, [
        ["Name", "Roll", "Day", "Note"],
        ["Tug", date(2026, 2, 1), date(1912, 4, 14), "A text"],
        ["Ferry", "3-4", date(1945, 5, 8), date(2026, 3, 2)],
        ["Barge", "5–6", date(1969, 7, 20), "Another"],
    ])  # fmt: skip
    assert check(root) == [
        f"Cards!B2: {made_date('2026-02-01')}",
        f"Cards!D3: warning: d: {made_date('2026-03-02')}",
    ]


@pytest.mark.parametrize(
    ("heading", "dates", "is_mangled"),
    [
        ("Date", [date(2025, 3, 1), date(2025, 6, 1)], False),
        ("Year", [date(2026, 1, 1)], False),
        ("Erscheinungsdatum", [date(2026, 1, 2), date(2026, 3, 4)], False),
        ("Päivämäärä", [date(2026, 1, 2), "kevät 2026"], False),
        ("Дата события", [date(2026, 1, 2), date(2026, 3, 4)], False),
        ("Battle", [date(1815, 6, 16), date(1815, 6, 18)], False),
        ("Damage", [date(2026, 1, 2), date(2026, 3, 4)], True),
        ("Damage", [date(2026, 1, 2), 3], True),
        ("Text", [date(2026, 1, 2), "Draw a card."], True),
    ],
)
def test_dates_that_are_dates(
    root: Path, heading: str, dates: Sequence[Any], is_mangled: bool
) -> None:
    declare(root, "cards.xlsx", "name: text, when: string", f"{heading}: when")
    save(root, [["Name", heading], *([f"Card {day}", day] for day in dates)])
    told = [f"Cards!B{line}: warning: d: {made_date(day.isoformat())}"
            for line, day in enumerate(dates, start=2) if isinstance(day, date)]  # fmt: skip
    assert check(root) == (told if is_mangled else [])


@pytest.mark.parametrize("code", ["d-mmm", "d/m", "DD.MM.", "yyyy-mm-dd"])
def test_a_date_that_shows_no_year_is_none(root: Path, code: str) -> None:
    """Excel gives 1-2 the format d-mmm, whatever the heading is."""
    declare(root, "cards.xlsx", "name: text, date: string", "")
    book = openpyxl.Workbook()
    for row in [["name", "date"], ["Tug", date(2025, 2, 1)], ["Ferry", date(2026, 4, 3)]]:
        book.active.append(row)
    for at in (2, 3):
        book.active.cell(at, 2).number_format = code
    book.save(root / "cards/cards.xlsx")
    assert len([line for line in check(root) if "made a date" in line]) == 2 * ("y" not in code)


@pytest.mark.parametrize(
    ("cells", "is_mangled"),
    [
        ("1-Feb 3-Apr", True), ("2 01.Mär", True), ("5 2-helmi", True), ("1-фев 4", True),
        ("1-Feb often", False), ("3-star 4-star", False), ("May-be 1-2", False),
    ],
)  # fmt: skip
def test_the_names_of_months_in_csv(root: Path, cells: str, is_mangled: bool) -> None:
    declare(root, "cards.csv", "name: text, roll: string, date: string", "")
    rows = "".join(f"Card {cell},{cell},{cell}\n" for cell in cells.split())
    (root / "cards/cards.csv").write_text(f"name,roll,date\n{rows}", encoding="utf-8")
    assert any("made a date" in line for line in check(root)) is is_mangled


def test_a_date_among_ranges_in_csv(root: Path) -> None:
    declare(root, "cards.csv", "name: text, roll: string", "")
    (root / "cards/cards.csv").write_text("name,roll\nTug,1-Feb\nFerry,3-4\nBarge,Jan-12\n")
    assert check(root) == [
        f"2: {made_date('1-Feb')}",
        f"4: {made_date('Jan-12')}",
    ]


# -- copies


@pytest.mark.parametrize(
    ("cell", "copies"),
    [("x2", 2), ("2x", 2), ("3×", 3), ("× 4", 4), ("2", 2), (3, 3), (2.0, 2), (None, 1), (0, 0)],
)
def test_copies_as_people_write_them(root: Path, cell: Any, copies: int) -> None:
    declare(root, "cards.xlsx")
    save(root, [["Name", "Qty"], ["Tug", cell]])
    assert check(root) == []
    assert list_cards(root) == [f"{copies} × tug Tug"]


@pytest.mark.parametrize("heading", ["Qty", "Anzahl der Karten", "Kpl", "Кол-во карт", "Count"])
def test_copies_are_known_by_their_heading(root: Path, heading: str) -> None:
    """A deck file written by hand need not name the column, unless a field is called so."""
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", heading], ["Tug", 2]])
    assert check(root) == []
    assert list_cards(root) == ["2 × tug Tug"]
    declare(root, "cards.xlsx", "name: text, count: integer", columns="")
    assert list_cards(root) == ["1 × tug Tug 2" if heading == "Count" else "2 × tug Tug"]


@pytest.mark.parametrize("cell", ["tow", "two", 1.5, True, "1/2", "-1", "2-3", "?"])
def test_copies_that_are_no_number_never_become_one(root: Path, cell: Any) -> None:
    declare(root, "cards.xlsx")
    save(root, [["Name", "Qty"], ["Tug", cell]])
    (problem,) = check(root)
    assert problem.startswith("Cards!B2: error: d/tug: 'copies' is ")
    assert problem.endswith("; expected a whole number from 0 to 1000 [type]")


# -- merged cells


def test_merged_cells_fill_their_range(root: Path) -> None:
    declare(root, "cards.xlsx")
    rows = [
        ["Type", "Name", "Cost", "Qty"],
        ["Boat", "Tug", 2, 3], [None, "Ferry", 3], [None, "Barge", 1, 1],
        ["Crew", "Cook", 2.5, None], [],
    ]  # fmt: skip
    save(root, rows, "A2:A4", "D2:D3", "A5:A9")
    assert check(root) == []
    assert list_cards(root) == [
        "3 × tug Boat Tug 2",
        "3 × ferry Boat Ferry 3",
        "1 × barge Boat Barge 1",
        "1 × cook Crew Cook 2.5",
    ]


def test_merged_cells_of_ods_fill_their_range(root: Path) -> None:
    declare(root, "cards.ods", columns="")
    covered = "<table:covered-table-cell/>"
    rows = [
        text_cell("type") + text_cell("name"),
        text_cell("Boat", ' table:number-rows-spanned="2"') + text_cell("Tug"),
        covered + text_cell("Ferry"),
        text_cell("Crew") + text_cell("Cook"),
    ]
    write_ods(root / "cards/cards.ods", rows, hidden_first=True)
    assert check(root) == []
    assert list_cards(root) == [
        "1 × tug Boat Tug",
        "1 × ferry Boat Ferry",
        "1 × cook Crew Cook",
    ]


def test_a_title_over_several_columns_is_no_card(root: Path) -> None:
    declare(root, "{file: cards.xlsx, header: 2}")
    rows = [["My ships"], ["Name", "Cost"], ["Tug", 2], ["Crew"], ["Cook", 1]]
    save(root, rows, "A1:B1", "A4:B4")
    assert check(root) == [
        "Cards!1: warning: d: the row 1 above the headings is left out: 'My ships'; move it below "
        "the headings if cards stand there, or delete it [table]",
        "Cards!4: warning: d: 'Crew' spans several columns, so it is left out as a title; "
        "if it is a card, split the merged cell [table]",
    ]
    assert list_cards(root) == ["1 × tug Tug 2", "1 × cook Cook 1"]


def test_a_cell_below_a_merged_one(root: Path) -> None:
    declare(root, "cards.xlsx")
    save(root, [["Type", "Name"], ["Boat", "Tug"], [None, "Ferry"]], "A2:A3")
    path = root / "cards/cards.xlsx"
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    hidden = b'<c r="A3" t="inlineStr"><is><t>Crew</t></is></c><c r="B3"'
    begin = sheet.index(b'<c r="A3"') if b'<c r="A3"' in sheet else sheet.index(b'<c r="B3"')
    sheet = sheet[:begin] + hidden + sheet[sheet.index(b'<c r="B3"') + len(b'<c r="B3"') :]
    with zipfile.ZipFile(path, "w") as package:
        for name, data in (parts | {"xl/worksheets/sheet1.xml": sheet}).items():
            package.writestr(name, data)
    assert check(root) == [
        "Cards!A3: 'Crew' is hidden below the merged cell A2; delete it, or split the cell [table]"
    ]


def test_merged_cells_are_limited() -> None:
    book = openpyxl.Workbook()
    book.active.append(["Name"] * 300)
    book.active["A700"] = "Tug"
    book.active.merge_cells("B2:KN700")
    rows, problems = workbooks.read_sheet_rows(save_bytes(book), "a.xlsx", "", Source("d.yaml"))
    assert [str(each) for each in problems] == [
        "a.xlsx: error: merged cells cover more than 200,000 cells; split them [table]"
    ]
    assert len(rows) == 2


def save_bytes(book: Any) -> bytes:
    from io import BytesIO  # noqa: PLC0415

    data = BytesIO()
    book.save(data)
    return data.getvalue()


# -- rows that are no cards


@pytest.mark.parametrize(
    "word",
    ["TOTAL", "Total", "Sum", "Summe", "Gesamt", "Yhteensä", "Summa", "Итого", "Всего:", "Σ",
     "Total number of cards", "Kortteja yhteensä", "Grand total"],
)  # fmt: skip
def test_a_total_is_left_out_and_named(root: Path, word: str) -> None:
    declare(root, "cards.xlsx")
    save(root, [["Name", "Qty", "Cost"], ["Tug", 2, 3], ["Ferry", 1, 1], [], [word, "=SUM(B2:B3)"]])
    assert check(root) == [
        f"Cards!5: warning: d: the row '{word}' sums up others and is left out; "
        "if it is a card, give it an id [table]"
    ]
    assert list_cards(root) == ["2 × tug Tug 3", "1 × ferry Ferry 1"]


def test_a_total_that_is_a_card(root: Path) -> None:
    """It has an id, or more to say than amounts."""
    declare(root, "cards.csv", "name: text, text: text", "")
    table = "id,name,text\ntotal,Total,3\n,Sum,Gain all.\n,Total,12\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        "4: warning: d: the row 'Total' sums up others and is left out; "
        "if it is a card, give it an id [table]"
    ]
    assert list_cards(root) == [
        "1 × total Total 3",
        "1 × sum Sum Gain all.",
    ]


def test_a_sum_without_a_word(root: Path) -> None:
    declare(root, "cards.csv")
    table = "name,Qty,cost\nTug,2,1\nFerry,3,2\nBarge,1,3\n,6,\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        "5: warning: d: this row holds only sums of the rows above and is left out; "
        "if it is a card, give it an id [table]"
    ]
    assert len(list_cards(root)) == 3


def test_a_deck_of_numbers_has_no_sums(root: Path) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_text("cost\n1\n2\n3\n")
    assert check(root) == []
    assert len(list_cards(root)) == 3


def test_headings_in_mid_table(root: Path) -> None:
    declare(root, "cards.csv")
    table = "Name,Qty,Cost\nTug,2,1\nName,Qty,Cost\nFerry,1,2\n\nCost,Name\n3,Barge\n"
    (root / "cards/cards.csv").write_text(table)
    assert (
        check(root)
        == [
            "3: warning: d: the headings stand here once more, so the row is left out; delete it "
            "[table]",
            "6: other headings stand here; put the rows from here on into a table of their own, or "
            "below the headings of cards/cards.csv:1 [table]",
            "7: error: d/3: 'cost' is 'Barge'; expected a number [type]",
        ][:2]
        + check(root)[2:]
    )


def test_comments_are_named_and_empty_rows_are_skipped(root: Path) -> None:
    declare(root, "cards.csv")
    table = "Name,Qty\n# to do: more ships,\n,\nTug,2\n// done,\n#1 Ship,1\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        "2: warning: d: rows that begin with # or // are left out as comments, 2 here: 2, 5; "
        "if it is a card, give it an id [table]"
    ]
    assert list_cards(root) == ["2 × tug Tug", "1 × 1-ship #1 Ship"]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("Fox,2,Runs\nOwl,1,Sees\n", "'Fox', '2', 'Runs'"),
        ("Fox,Runs. Then sleeps.\nOwl,Sees\n", "'Fox', 'Runs. Then sleeps.'"),
        ("Fox,Red\nOwl,Red\n", "'Fox', 'Red'"),
        ("name,2,Runs\nOwl,1,Sees\n", ""),
        ("Karte,Red\nOwl,Red\n", ""),
        ("Ship,Power\nOwl,Red\n", ""),
    ],
)
def test_a_card_in_place_of_the_headings(root: Path, table: str, told: str) -> None:
    declare(root, "cards.csv", columns="Fox: name")
    (root / "cards/cards.csv").write_text(table)
    found = [line for line in check(root) if "taken for the headings" in line]
    assert found == [
        f"1: warning: d: this row is taken for the headings: {told}; if it is a card, put a row "
        "with headings above it [table]"
    ] * bool(told)


def test_a_row_with_nothing_that_is_printed(root: Path) -> None:
    """Copies and notes are not printed. A deck that only counts its cards has no other rows."""
    fields = "name: {type: text, required: true}, note: {type: text, printed: false}"
    declare(root, "cards.csv", fields)
    table = "name,Qty,note\nTug,2,\n,5,\n,,ask Tom\nFerry,1,\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        f"{line}: warning: d: this row holds nothing that is printed, only {cell}, and is left "
        "out; if it is a card, give it an id [table]"
        for line, cell in ((3, "Qty '5'"), (4, "note 'ask Tom'"))
    ]
    assert list_cards(root) == ["2 × tug Tug", "1 × ferry Ferry"]
    declare(root, "cards.csv")
    (root / "cards/cards.csv").write_text("Qty\n5\n")
    assert list_cards(root) == ["5 × row-2 "]


def test_titles_of_sections_that_are_not_merged(root: Path) -> None:
    declare(root, "cards.csv")
    table = "name,Qty,type\nEVENTS,,\nStorm,2,\nPORTS,,\nHome,1,x\nBay,1,\nUnfinished,,\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        f"{line}: warning: d: '{word}' is the only cell of its row, so it is left out as the title "
        "of a section; if it is a card, give it an id [table]"
        for line, word in ((2, "EVENTS"), (4, "PORTS"))
    ]
    assert [card.split()[2] for card in list_cards(root)] == ["storm", "home", "bay", "unfinished"]


def test_a_row_that_goes_on_with_the_one_above(root: Path) -> None:
    declare(root, "cards.csv")
    (root / "cards/cards.csv").write_text("name,Qty,type\nRose,2,Play\n,,Draw\n007,1,x\n")
    assert check(root) == [
        "3: warning: d: this card has no name; if the row goes on with the one above, put its text "
        "there, else write a name or an id [table]"
    ]


def test_cards_with_only_a_name_are_no_titles(root: Path) -> None:
    """No column is filled in all other rows, or it is a table of two columns."""
    declare(root, "cards.csv")
    for table in ("name,Qty,type\nPass,,\nTug,2,\nFerry,,x\n", "name,type\nPass,\nTug,x\nA,y\n"):
        declare(root, "cards.csv", columns="Qty: copies" if "Qty" in table else "")
        (root / "cards/cards.csv").write_text(table)
        assert check(root) == []
        assert len(list_cards(root)) == 3


def test_a_second_table_below_with_other_headings(root: Path) -> None:
    declare(root, "cards.csv", "name: text, text: text, type: string, cost: string", "")
    table = "id,name,cost,text\na,Fox,1,Runs\nb,Title,Effect,Type\n\n"
    table += ",Title,Effect,When\n,Storm,Sink,night\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        "5: other headings stand here; put the rows from here on into a table of their own, or "
        "below the headings of cards/cards.csv:1 [table]"
    ]


def test_rows_above_the_headings_are_named(root: Path) -> None:
    declare(root, "{file: cards.csv, header: 3}", columns="")
    table = "My cards,\nFox,3\nname,cost\nTug,1\n"
    (root / "cards/cards.csv").write_text(table)
    assert check(root) == [
        "1: warning: d: the rows 1–2 above the headings are left out: 'My cards', 'Fox', '3'; move "
        "them below the headings if cards stand there, or delete them [table]"
    ]


def test_a_hidden_sheet_is_read_only_by_its_name(root: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Old"
    book.active.append(["name"])
    book.active.append(["Old tug"])
    book.active.sheet_state = "hidden"
    for row in (["name"], ["Tug"]):
        (book["Cards"] if "Cards" in book.sheetnames else book.create_sheet("Cards")).append(row)
    book.save(root / "cards/cards.xlsx")
    declare(root, "cards.xlsx", columns="")
    assert list_cards(root) == ["1 × tug Tug"]
    declare(root, "{file: cards.xlsx, sheet: Old}", columns="")
    assert list_cards(root) == ["1 × old-tug Old tug"]
    assert workbooks.list_sheets(save_bytes(book), "a.xlsx") == (["Cards"], [])


# -- JSON and YAML as others write them


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.json", '[{"id": "tug", "name": "Tug"}, {"id": "old-boat", "name": "Old boat"}]'),
        ("a.json", '{"cards": [{"id": "tug", "name": "Tug"}, {"name": "Old boat"}]}'),
        ("a.json", '{"tug": {"name": "Tug"}, "old-boat": {"name": "Old boat"}}'),
        ("a.json", '{"Tug": {"cost": null}, "Old boat": {}}'),
        ("a.json", '{"cards": {"tug": {"name": "Tug"}, "old-boat": {"name": "Old boat"}}}'),
        ("a.json", '{"data": {"cards": [{"name": "Tug"}, {"name": "Old boat"}]}}'),
        ("a.json", '{"ships": [{"name": "Tug"}, {"name": "Old boat"}]}'),
        ("a.yaml", "- name: Tug\n- {name: Old boat}\n"),
        ("a.yml", "cards:\n  - name: Tug\n  - name: Old boat\n"),
        ("a.yaml", "tug: {name: Tug}\nold-boat: {name: Old boat}\n"),
    ],
)
def test_cards_in_documents(root: Path, file: str, text: str) -> None:
    declare(root, file, columns="")
    (root / "cards" / file).write_text(text)
    _, problems = loader.load_game(root)
    assert [str(each) for each in problems] == []
    assert list_cards(root) == ["1 × tug Tug", "1 × old-boat Old boat"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"version": 2, "cards": [{"name": "Tug"}]}',
         "cards/a.json:1: warning: d: only the cards below 'cards' are read, not 'version' "
         "[table]"),
        ('{"Tug": 3}', "cards/a.json:1: error: d: the table is a mapping; expected a list of "
         "cards, or ids with their cards [table]"),
        ('"Tug"', "cards/a.json:1: error: d: the table is 'Tug'; expected a list of cards, or ids "
         "with their cards [table]"),
        ('{"a": [1], "b": [2]}', "cards/a.json:1: error: d: the table is a mapping; expected a "
         "list of cards, or ids with their cards [table]"),
    ],
)  # fmt: skip
def test_documents_without_cards(root: Path, text: str, told: str) -> None:
    declare(root, "a.json", columns="")
    (root / "cards/a.json").write_text(text)
    _, problems = loader.load_game(root)
    assert [str(each) for each in problems] == [told]


# -- numbers by language


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,5", 1.5), ("2.5", 2.5), ("−3", -3), ("½", 0.5), ("1½", 1.5), ("1/2", 0.5),
        ("2 3/4", 2.75), ("50 %", 0.5), ("1 000", 1000), ("1\u00a0000", 1000),
        ("1\u202f000,5", 1000.5), ("1.000.000", 1_000_000), ("1.234,5", 1234.5),
        ("1,234.5", 1234.5), ("0.125", 0.125), ("0,125", 0.125), ("007", 7), ("+3", 3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["de", "fi", "en"])
def test_numbers_as_people_write_them(root: Path, cell: str, value: float, language: str) -> None:
    declare(root, "cards.csv", columns="")
    (root / "game.yaml").write_text(f"game: g\ntitle: G\nlanguages: [{language}]\n")
    (root / "cards/cards.csv").write_text(f"name;cost\nTug;{cell}\n", encoding="utf-8")
    assert check(root) == []
    game, _ = loader.load_game(root)
    assert game is not None
    assert game.decks[0].pieces[0].values["cost"] == value


@pytest.mark.parametrize(
    ("language", "cell", "expected"),
    [
        ("de", "1.000", "may be 1000 or 1"), ("fi", "1.250", "may be 1250 or 1.25"),
        ("de", "1,000", "may be 1000 or 1"), ("de", "-2.500", "may be -2500 or -2.5"),
        ("en", "1,000", 1000), ("en", "1.250", 1.25), ("de", "1,125", 1.125),
        ("fi", "-2,375", -2.375),
    ],
)  # fmt: skip
def test_numbers_that_may_be_two(
    root: Path, language: str, cell: str, expected: str | float
) -> None:
    declare(root, "cards.csv", columns="")
    (root / "game.yaml").write_text(f"game: g\ntitle: G\nlanguages: [{language}]\n")
    (root / "cards/cards.csv").write_text(f"name;cost\nTug;{cell}\n", encoding="utf-8")
    told = f"2: error: d/tug: 'cost' is '{cell}', which {expected}; write one of these [type]"
    assert check(root) == ([told] if isinstance(expected, str) else [])
    game, _ = loader.load_game(root)
    assert game is not None
    assert game.decks[0].pieces[0].values["cost"] == (None if expected == told else expected) or (
        isinstance(expected, str)
    )


@pytest.mark.parametrize(
    ("languages", "cells", "expected"),
    [
        ("de", "0,750 1,000 1,125", [0.75, 1, 1.125]),
        ("en, de", "2,5 1,125", [2.5, 1.125]),
        ("en, de", "2,5 1.125", "1.125"),
        ("de", "2,5 1.125", "1.125"),
        ("de", "2.5 1,125", "1,125"),
        ("en", "2,5 1,125", "1,125"),
        ("fi", "2,5 2.5 1,125", "1,125"),
    ],
)
def test_the_other_cells_of_a_column_decide(
    root: Path, languages: str, cells: str, expected: list[float] | str
) -> None:
    """The last cell of the column is read, or else reported."""
    declare(root, "cards.csv", columns="")
    (root / "game.yaml").write_text(
        f"game: g\ntitle: G\nlanguages: [{languages}]\nfallback: true\n"
    )
    rows = "".join(f"Tug;{cell}\n" for cell in cells.split())
    (root / "cards/cards.csv").write_text(f"name;cost\n{rows}", encoding="utf-8")
    told = [line for line in check(root) if "are missing in" not in line]
    if isinstance(expected, str):
        (problem,) = told
        assert f"'cost' is '{expected}', which may be 1125 or 1.125; write one of these" in problem
        return
    assert told == []
    game, _ = loader.load_game(root)
    assert game is not None
    assert [piece.values["cost"] for piece in game.decks[0].pieces] == expected


def test_the_number_of_a_workbook_is_never_two(root: Path) -> None:
    declare(root, "cards.xlsx")
    (root / "game.yaml").write_text("game: g\ntitle: G\nlanguages: [de]\n")
    save(root, [["Name", "Cost"], ["Tug", 1.125], ["Ferry", 0.1 + 0.2]])
    assert check(root) == []
    game, _ = loader.load_game(root)
    assert game is not None
    assert [piece.values["cost"] for piece in game.decks[0].pieces] == [1.125, 0.3]


@pytest.mark.parametrize("cell", ["tow", "1/3", "1/0", "1 2", "12 34", "1..5", "1,2,3", "1-2"])
def test_what_is_no_number(root: Path, cell: str) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_text(f"name;cost\nTug;{cell}\n", encoding="utf-8")
    assert check(root) == [f"2: error: d/tug: 'cost' is '{cell}'; expected a number [type]"]


# -- what separates cells


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,cost,Qty\nTug,1,1\nFerry;2,5;1\n",
         "3: semicolons separate the cells of this row, and commas those of the first; write "
         "commas here, too [table]"),
        ("name;cost;Qty\nTug;1;1\nFerry\t2\t1\n",
         "3: tabs separate the cells of this row, and semicolons those of the first; write "
         "semicolons here, too [table]"),
        ("name,type\nTug,Gain 1, draw 2\n",
         "2: the row has 3 cells, the first row names 2; put a text that holds the separator into "
         "double quotes [table]"),
    ],
)  # fmt: skip
def test_rows_with_another_separator(root: Path, text: str, told: str) -> None:
    declare(root, "cards.csv", columns="" if "Qty" not in text else "Qty: copies")
    (root / "cards/cards.csv").write_text(text)
    assert check(root) == [told]


def test_a_title_above_with_another_separator(root: Path) -> None:
    declare(root, "{file: cards.csv, header: 2}")
    (root / "cards/cards.csv").write_text("My cards, May\nname;Qty;cost\nTug;2;1\nFerry;1;2,5\n")
    assert list_cards(root) == ["2 × tug Tug 1", "1 × ferry Ferry 2.5"]


# -- what spreadsheets hide


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("=B2+1", "holds the formula '=B2+1' as a text; write its result"),
        ("=SUM(A1:A2)", "holds the formula '=SUM(A1:A2)' as a text; write its result"),
        ("=2*3", "holds the formula '=2*3' as a text; write its result"),
        ("########", "holds ########, which a spreadsheet shows in a column that is too narrow; "
         "write the value"),
        ("= 3 gold", ""),
        ("=)", ""),
        ("# 1", ""),
    ],
)  # fmt: skip
def test_formulas_and_narrow_columns_of_csv(root: Path, cell: str, told: str) -> None:
    """The heading is named as it is written."""
    declare(root, "cards.csv", "name: text, type: string", "Kind: type")
    (root / "cards/cards.csv").write_text(f"name;Kind\nTug;{cell}\n")
    assert check(root) == [f"2: the cell of 'Kind' {told} [table]"] * bool(told)


def test_hidden_rows_are_named(root: Path) -> None:
    declare(root, "cards.xlsx")
    book = openpyxl.Workbook()
    book.active.title = "Cards"
    for row in (["name", "Qty"], ["Tug", 2], ["Cut", 5], ["Ferry", 1]):
        book.active.append(row)
    book.active.row_dimensions[3].hidden = True
    book.active.row_dimensions[9].hidden = True
    book.save(root / "cards/cards.xlsx")
    assert check(root) == [
        "Cards!3: warning: d: rows that the spreadsheet hides are read like others: 3; delete "
        "those that are no cards, or give them 0 copies [table]"
    ]


def test_hidden_rows_and_line_breaks_of_ods(root: Path) -> None:
    declare(root, "cards.ods", "name: text, type: string", "")
    text = (
        'a<text:s text:c="2"/>b<text:line-break/>c&amp;</text:p><text:p>d <text:span>e</text:span>'
    )
    note = "<office:annotation><text:p>a remark</text:p></office:annotation>"
    tug = text_cell("Tug").replace("<text:p>", f"{note}<text:p>")
    hidden = '</table:table-row><table:table-row table:visibility="collapse">'
    rows = [text_cell("name") + text_cell("type"), tug + text_cell(text) + hidden
            + text_cell("Cut") + text_cell("x")]  # fmt: skip
    write_ods(root / "cards/cards.ods", rows)
    assert list_cards(root) == ["1 × tug Tug a  b\nc&\nd e", "1 × cut Cut x"]
    assert [line.partition("; ")[0] for line in check(root)] == [
        "Cards: warning: d: not read, since it lies over the cells of this sheet: 1 comment",
        "Cards!3: warning: d: rows that the spreadsheet hides are read like others: 3",
    ]


def test_keys_of_documents_that_differ_in_capitals(root: Path) -> None:
    declare(root, "cards.json", "name: text, Tier: string", "Qty: copies")
    text = '[{"Qty": 2, "name": "Fox", "Tier": "a"}, {"Name": "Hen", "QTY": 3, "tier": "b"}]'
    (root / "cards/cards.json").write_text(text)
    assert check(root) == []
    assert list_cards(root) == ["2 × fox Fox a", "3 × hen Hen b"]


def test_a_date_among_copies(root: Path) -> None:
    declare(root, "cards.xlsx")
    save(root, [["name", "Qty"], ["Tug", date(2026, 1, 3)]])
    assert check(root) == [
        "Cards!B2: the spreadsheet made a date of this cell, 2026-01-03; format it as text there, "
        "then write the number [table]"
    ]


def test_texts_of_documents_are_read_like_cells(root: Path) -> None:
    declare(root, "cards.json", columns="")
    text = (
        '[{"name": "Fox", "cost": "2", "copies": "x3"}, {"name": "Hen", "cost": "½", "rare": "x"}]'
    )
    (root / "cards/cards.json").write_text(text, encoding="utf-8")
    assert check(root) == []
    assert list_cards(root) == ["3 × fox Fox 2", "1 × hen Hen 0.5 True"]


def test_one_and_nought_are_truth_values(root: Path) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_text("name,rare\nFox,1\nHen,0\nCat,2\n")
    assert check(root) == ["4: error: d/cat: 'rare' is 2; expected true or false [type]"]
    assert list_cards(root)[:2] == ["1 × fox Fox True", "1 × hen Hen"]


# -- notes


@pytest.mark.parametrize(
    "note",
    [
        "* = needs playtest", "¹ only with four players", "Legend:", "Legend", "Source: Wikipedia",
        "Quelle: eigene", "Huom: kesken", "Примечание: черновик", "R = rare", "Version 3.2",
        "© 2026 Anna", "24 cards", "(see the rules)", "Thanks to all who played this at the club.",
    ],
)  # fmt: skip
def test_a_note_below_the_cards_is_no_card(root: Path, note: str) -> None:
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", "Type", "Cost"], ["Tug", "Boat", 1], ["Ferry", "Boat", 2], [], [note]])
    told = f"the note '{note}' is left out; if it is a card, give it an id"
    assert check(root) == [f"Cards!5: warning: d: {told} [table]"]
    assert list_cards(root) == ["1 × tug Boat Tug 1", "1 × ferry Boat Ferry 2"]


def test_the_rows_below_a_legend_are_notes(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    head = ["Name", "Type", "Cost", "Rare"]
    save(root, [head, ["Tug", "Boat", 1, "x"], ["* = old"], ["Cook", "Crew", 2, "x"], ["Key:"],
                ["x", "rare"], ["-", "common"]])  # fmt: skip
    notes = {3: "'* = old'", 5: "'Key:'", 6: "'x', 'rare'", 7: "'-', 'common'"}
    assert check(root) == [
        f"Cards!{line}: warning: d: the note {words} is left out; if it is a card, give it an id "
        "[table]"
        for line, words in notes.items()
    ]
    assert list_cards(root) == ["1 × tug Boat Tug 1 True", "1 × cook Crew Cook 2 True"]


@pytest.mark.parametrize("name", ["Joker", "R2-D2", "Key of Gold", "Note to self", "Grün-Weiß"])
def test_a_card_with_only_a_name_is_no_note(root: Path, name: str) -> None:
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", "Type", "Cost"], ["Tug", "Boat", 1], ["Ferry", "Boat", 2], [name]])
    assert check(root) == []
    assert list_cards(root)[2].endswith(name)


def test_texts_that_look_like_notes_are_cards_where_all_do(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    names = ["Event: storm", "Event: calm", "Event: fog"]
    save(root, [["Name", "Cost"], [names[0], 1], [names[1], 2], [names[2]]])
    assert check(root) == []
    assert len(list_cards(root)) == 3


# -- encodings


@pytest.mark.parametrize(
    ("encoding", "words", "told"),
    [
        ("utf-8-sig", "Kärry", ""),
        ("utf-16", "Kärry", ""),
        ("utf-16-be", "\ufeffKärry", ""),
        ("cp1252", "Kärry – 5 €", "3 signs are read as Windows-1252, as in 'Kärry'"),
        ("cp1251", "Корабль", "7 signs are read as Windows-1251, as in 'Корабль'"),
    ],
)
def test_a_table_of_windows(root: Path, encoding: str, words: str, told: str) -> None:
    declare(root, "cards.csv", columns="")
    text = f"name\tcost\nTug\t1\n{words}\t2\n"
    text = "\ufeff" + text.replace("\ufeff", "") if "\ufeff" in words else text
    (root / "cards/cards.csv").write_bytes(text.encode(encoding))
    message = f"3: warning: d: the table is not UTF-8; {told}; see that they are right, then save "
    assert check(root) == ([message + "the table as CSV UTF-8 [file]"] if told else [])
    assert list_cards(root)[1].endswith(words.lstrip("\ufeff") + " 2")


@pytest.mark.parametrize(
    ("encoding", "words", "shown"),
    [("cp850", "Käse", "K„se"), ("mac-roman", "Käse", "KŠse"), ("koi8-r", "Корабль", "лПТБВМШ")],
)
def test_a_table_in_another_encoding(root: Path, encoding: str, words: str, shown: str) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_bytes(f"name\nTug\n{words}\n".encode(encoding))
    assert check(root) == [f"3: '{shown}' is not UTF-8; save the table as CSV UTF-8 [file]"]


# -- what is beside the values of a workbook


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_a_sheet_is_scanned_once(root: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    """Its part of the package is opened once beside calamine, whatever is looked for."""
    path = root / f"cards/cards.{suffix}"
    if suffix == "xlsx":
        save(root, [["Name", "Cost"], ["Tug", "=1+2"], ["Ferry", "#N/A"]], "A2:A3")
    else:
        write_ods(path, [text_cell("Name"), text_cell("Tug")])
    opened: list[str] = []
    open_part = zipfile.ZipFile.open

    def count_part(package: Any, name: Any, *args: Any, **options: Any) -> Any:
        opened.append(str(getattr(name, "filename", name)))
        return open_part(package, name, *args, **options)

    monkeypatch.setattr(zipfile.ZipFile, "open", count_part)
    workbooks.read_sheet_rows(path.read_bytes(), path.name, "", Source("d.yaml"))
    parts = [name for name in opened if "sheet1" in name or name == "content.xml"]
    assert len(parts) == 1, opened


def test_the_hidden_rows_of_xls(root: Path) -> None:
    data = bytearray((TABLES / "never-calculated.xls").read_bytes())
    rows = [at for at in range(len(data)) if data.startswith(b"\x08\x02\x10\x00\x02\x00", at)]
    data[rows[-1] + 16] |= 0x20  # the record of row 3 of the last sheet
    (root / "cards/cards.xls").write_bytes(data)
    declare(root, "cards.xls", "type: string, name: text, cost: number")
    hidden = [line for line in check(root) if "hides" in line]
    assert [line.partition(";")[0] for line in hidden] == [
        "Cards!3: warning: d: rows that the spreadsheet hides are read like others: 3"
    ]


def test_what_xlsb_hides_is_known_to_be_unknown(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.xlsb", "w") as package:
        package.writestr("xl/workbook.bin", b"")
    assert not sheet_scan.scan_sheet((tmp_path / "a.xlsb").read_bytes(), 0, "A", 10).is_complete


@pytest.mark.parametrize("cell", ["3 max", "1 dec", "12 marks", "5 oct", "3 pcs"])
def test_words_after_a_number_are_no_dates(root: Path, cell: str) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_text(f"name,type\nTug,2-4\nFerry,{cell}\n")
    assert check(root) == []


@pytest.mark.parametrize("cell", ["3-Mai", "1.Dez", "Mar 3", "Feb-01", "01.фев"])
def test_days_and_months_beside_ranges_are_dates(root: Path, cell: str) -> None:
    declare(root, "cards.csv", columns="")
    (root / "cards/cards.csv").write_text(f"name,type\nTug,2-4\nFerry,{cell}\n", encoding="utf-8")
    assert check(root) == [f"3: {made_date(cell)}"]


def test_csv_with_bars_and_guarded_texts(root: Path) -> None:
    declare(root, "cards.csv", columns="")
    text = '| name | type |\n|---|---:|\n|Tug, small|="007"|\n|Ferry|a; b|\n'
    (root / "cards/cards.csv").write_text(text)
    assert check(root) == []
    assert list_cards(root) == ["1 × tug-small 007 Tug, small", "1 × ferry a; b Ferry"]


# -- what the sheet shows, and what it shows and is not printed


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        (0.5, "0%", "50%"),
        (0.125, "0.0 %", "12.5 %"),
        (7, "000", "007"),
        (1.5, "# ?/?", "1 1/2"),
        (1 / 3, "# ??/??", "1/3"),
        (1.2534722222, "[h]:mm", "30:05"),
        (0.03125, "h:mm", "0:45"),
        (0.00104166667, "mm:ss", "01:30"),
        (2.5, "0.0", "2.5"),
    ],
)
def test_numbers_are_printed_as_their_format_shows_them(
    root: Path, value: float, code: str, shown: str
) -> None:
    declare(root, "cards.xlsx", columns="")
    book = openpyxl.Workbook()
    book.active.append(["Name", "Type"])
    book.active.append(["Tug", value])
    book.active["B2"].number_format = code
    book.save(root / "cards/cards.xlsx")
    assert check(root) == []
    assert list_cards(root) == [f"1 × tug {shown} Tug"]


@pytest.mark.parametrize(
    ("attributes", "shown"),
    [
        ('office:value-type="percentage" office:value="0.5"', "50 %"),
        ('office:value-type="float" office:value="7"', "007"),
        ('office:value-type="time" office:time-value="PT30H05M00S"', "30:05"),
    ],
)
def test_numbers_of_ods_are_printed_as_they_are_shown(
    root: Path, attributes: str, shown: str
) -> None:
    declare(root, "cards.ods", columns="")
    cells = [
        "<table:table-cell office:value-type='string'><text:p>Name</text:p></table:table-cell>"
        "<table:table-cell office:value-type='string'><text:p>Type</text:p></table:table-cell>",
        "<table:table-cell office:value-type='string'><text:p>Tug</text:p></table:table-cell>"
        f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>",
    ]
    write_ods(root / "cards/cards.ods", cells)
    assert check(root) == []
    assert list_cards(root) == [f"1 × tug {shown} Tug"]


def test_struck_and_raised_texts_are_reported(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Cards"
    struck, raised = InlineFont(strike=True), InlineFont(vertAlign="superscript")
    sheet.append(["Name", "Type"])
    sheet.append(["Tug", CellRichText("Gain ", TextBlock(struck, "3"), " 2")])
    sheet.append(["Ferry", CellRichText("10", TextBlock(raised, "2"), " m")])
    sheet.append(["Raft", "cut"])
    sheet.append(["Barge", "cut"])
    for place in ("A4", "B4", "B5"):
        sheet[place].font = Font(strike=True)
    book.save(root / "cards/cards.xlsx")
    struck_text = (
        "is struck through here and is printed like any other; delete it if it is not meant"
    )
    assert check(root) == [
        f"Cards!B2: warning: d: '3' {struck_text} [table]",
        "Cards!B3: warning: d: '2' is raised or lowered here and is printed like any other; write "
        "signs such as ² or ₂ [table]",
        "Cards!4: warning: d: the row is struck through and is read like others; delete it if it "
        "is no card [table]",
        f"Cards!B5: warning: d: the text {struck_text} [table]",
    ]


def test_comments_over_the_cells_are_named(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    book = openpyxl.Workbook()
    book.active.title = "Cards"
    book.active.append(["Name", "Type"])
    book.active.append(["Tug", "Ship"])
    book.active["A2"].comment = Comment("ask Bob", "Anna")
    book.save(root / "cards/cards.xlsx")
    assert check(root) == [
        "Cards: warning: d: not read, since it lies over the cells of this sheet: 1 comment; save "
        "pictures as files in art/, and write texts into cells [table]"
    ]


def test_a_picture_in_a_cell_is_named(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", "Type"], ["Tug", "@"]])
    path = root / "cards/cards.xlsx"
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["xl/richData/richValueRel.xml"] = b"<richValueRels/>"
    sheet = parts["xl/worksheets/sheet1.xml"]
    begin = sheet.index(b'<c r="B2"')
    end = sheet.index(b"</c>", begin) + 4
    cell = b'<c r="B2" t="e" vm="1"><v>#VALUE!</v></c>'
    parts["xl/worksheets/sheet1.xml"] = sheet[:begin] + cell + sheet[end:]
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    assert check(root) == [
        "Cards!B2: warning: d: the picture in this cell is not read; save it as a file in art/, "
        "and write its name here [table]"
    ]


# -- other tables in the same sheet, and rows that sum up


def save_csv(root: Path, *lines: str) -> None:
    declare(root, "cards.csv", "type: string, name: text, cost: string", "")
    (root / "cards/cards.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_rows_that_go_on_are_reported_though_they_are_half_of_all(root: Path) -> None:
    save_csv(root, "Name,Cost,Type", "Tug,1,a", ",,b", "Ferry,2,c", ",,d")
    assert [line.partition(":")[0] for line in check(root)] == ["3", "5"]


@pytest.mark.parametrize(
    "word", ["Average", "Max", "Minimum", "Mittelwert", "Keskiarvo", "Среднее"]
)
def test_rows_with_an_average_are_left_out_and_named(root: Path, word: str) -> None:
    save_csv(root, "Name,Cost,Type", "Tug,1,a", "Ferry,2,b", "Barge,4,c", f"{word},2,")
    assert check(root) == [
        f"5: warning: d: the row '{word}' sums up others and is left out; if it is a card, give it "
        "an id [table]"
    ]
    assert len(list_cards(root)) == 3


def test_a_card_called_max_is_as_full_as_others(root: Path) -> None:
    save_csv(root, "Name,Cost,Type", "Tug,1,a", "Ferry,2,b", "Max,4,c")
    assert check(root) == []


def test_many_titles_of_sections_are_left_out(root: Path) -> None:
    save_csv(root, "Name,Cost,Type", "SHIPS", "Tug,1,a", "Ferry,2,b", "EVENTS", "Fog,0,c",
             "Calm,1,", "Ice,3,d", "Old,,e")  # fmt: skip
    assert [line.partition(" is the")[0] for line in check(root)] == [
        "2: warning: d: 'SHIPS'",
        "5: warning: d: 'EVENTS'",
    ]
    assert len(list_cards(root)) == 6


def test_another_table_below_a_blank_row(root: Path) -> None:
    save_csv(root, "Name,Cost,Type", "Tug,1,a", "", "Event,Phase,Effect", "Storm,Night,b")
    assert [line.partition(";")[0] for line in check(root)] == ["4: other headings stand here"]


def test_another_table_beside(root: Path) -> None:
    declare(root, "cards.xlsx", "type: string, name: text, cost: string", "")
    save(root, [["Name", "Cost", None, "Type", "Event"], ["Tug", 1, None, "a"], ["Ferry", 2]])
    assert check(root)[0] == (
        "Cards!1: warning: d: the column C is empty, and beyond it stand 'Type', 'Event' for other "
        "rows; if that is another table, put it into a sheet of its own [table]"
    )


def test_a_second_row_of_headings(root: Path) -> None:
    save_csv(root, "Name,Type,Cost", "Title,Text,Price", "Tug,a,1")
    assert check(root) == [
        "2: the headings go on in this row; write them into one row, such as 'Name Title', and "
        "delete the other [table]"
    ]


def test_a_transposed_table(root: Path) -> None:
    declare(root, "cards.csv", "type: string, name: text", "Tug: ignore, Ferry: ignore")
    (root / "cards/cards.csv").write_text("Name,Tug,Ferry\nType,a,b\nText,c,d\n")
    assert check(root)[0] == (
        "1: the headings stand in the first column, and a card in each of the others; transpose "
        "the table, so that each card is a row [table]"
    )


def test_many_dates_in_a_column_of_texts_are_one_warning(root: Path) -> None:
    declare(root, "cards.xlsx", columns="")
    save(root, [["Name", "Type"], *([f"Card {day}", date(2026, 1, day)] for day in range(1, 10))])
    assert check(root) == [
        "Cards!B2: warning: d: 9 cells from here on are dates, such as 2026-01-01; if they were "
        "something else, such as 1-2 or 1/2, format the column as text and write it again [table]"
    ]

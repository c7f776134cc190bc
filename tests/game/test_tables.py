"""Rows of a table, CSV, a workbook's or JSON, as the same nodes that YAML gives."""

from __future__ import annotations

import json
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import Cardgen, MakeGame
from small_games import edit

from cardgen.core import yaml_nodes
from cardgen.core.problems import Problem
from cardgen.core.yaml_nodes import Node
from cardgen.game import cell_formats, csv_tables, table_rows
from cardgen.game.card_ids import check_id, make_id
from cardgen.game.checker import Checker
from cardgen.game.field_types import read_declarations
from cardgen.game.model import Field
from cardgen.game.sheet_scan import scan_sheet

FIELDS = """\
name: text
note: string
cash: integer
goods: {type: list, of: {type: choice, of: [1, 3]}}
greenhorn: {type: record, fields: {cash: integer, goods: {type: list, of: integer}}}
"""


@pytest.fixture(scope="module")
def fields() -> dict[str, Field]:
    node, _ = yaml_nodes.load(FIELDS, "deck.yaml")
    assert node is not None
    return read_declarations(node, Checker(("fi", "en"), (), ()))


def nodes(text: str, fields: dict[str, Field]) -> tuple[list[Node], list[Problem]]:
    rows, problems = csv_tables.parse_csv_rows(text, "loot.csv")
    found, more = table_rows.make_row_nodes(rows, fields, {})
    return found, problems + more


def read(text: str, fields: dict[str, Field]) -> list[object]:
    rows, problems = nodes(text, fields)
    assert problems == []
    return [row.to_plain() for row in rows]


def test_texts_records_and_lists(fields: dict[str, Field]) -> None:
    text = (
        "id,copies,name.fi,name.en,note,cash,goods,greenhorn.cash,greenhorn.goods\n"
        "school,2,Koulu,School,3,1,1; 3,2,1;1\n"
        "bank,,Pankki,Bank,,,,,\n"
    )
    assert read(text, fields) == [
        {
            "id": "school",
            "copies": 2,
            "name": {"fi": "Koulu", "en": "School"},
            "note": "3",
            "cash": 1,
            "goods": [1, 3],
            "greenhorn": {"cash": 2, "goods": [1, 1]},
        },
        {"id": "bank", "name": {"fi": "Pankki", "en": "Bank"}},
    ]


@pytest.mark.parametrize(
    "text",
    [
        "id,name.fi,name.en\nschool,Koulu,School\n",
        "id;name.fi;name.en\nschool;Koulu;School\n",
        "\ufeffsep=;\r\nid;name.fi;name.en\r\nschool;Koulu;School\r\n",
        "id\tname.fi\tname.en\nschool\tKoulu\tSchool\n",
        "\ufeffid,name.fi,name.en\r\nschool,Koulu,School\r\n",
        'id, name.fi , name.en\n\nschool, Koulu,"School"\n,,\n',
    ],
)
def test_tables_of_every_spreadsheet(text: str, fields: dict[str, Field]) -> None:
    assert read(text, fields) == [{"id": "school", "name": {"fi": "Koulu", "en": "School"}}]


def test_rows_know_their_line_also_after_a_cell_of_two_lines(fields: dict[str, Field]) -> None:
    text = 'id,note\nschool,"One\ntwo"\n\nbank,Three\n'
    rows, _ = nodes(text, fields)
    assert [str(row.source) for row in rows] == ["loot.csv:2", "loot.csv:5"]
    assert rows[0].to_plain() == {"id": "school", "note": "One\ntwo"}
    rows, _ = nodes(f"sep=,\n{text}", fields)
    assert [str(row.source) for row in rows] == ["loot.csv:3", "loot.csv:6"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "id,cash,cash\n",
            "loot.csv:1: error: there are two columns 'cash'; rename or delete one [table]",
        ),
        (
            "id,name,name.fi\nschool,School,Koulu\n",
            "loot.csv:1: error: the columns 'name' and 'name.fi' cannot both stand; "
            "which language is the first in? [table]",
        ),
        (
            "id,cash\nschool,1,2\n",
            "loot.csv:2: error: the row has 3 cells, the first row names 2; put a text that "
            "holds the separator into double quotes [table]",
        ),
        (
            "id,\nschool,stray\n",
            "loot.csv:2: error: 'stray' stands in a column without a name [table]",
        ),
        (
            'id,note\nschool,One\nbank,"Two\nand more\n',
            "loot.csv:3: error: not CSV: unexpected end of data; "
            "is a quote in this row not closed, or not doubled? [table]",
        ),
        (
            'id,note\nschool,"One" more\n',
            "loot.csv:2: error: not CSV: ',' expected after '\"'; "
            "is a quote in this row not closed, or not doubled? [table]",
        ),
    ],
)
def test_mistakes(text: str, told: str, fields: dict[str, Field]) -> None:
    _, problems = nodes(text, fields)
    assert [str(problem) for problem in problems] == [told]


def test_a_table_of_nothing_has_no_rows(fields: dict[str, Field]) -> None:
    assert read("", fields) == []
    assert read("id,cash\n", fields) == []


# -- tables as a deck names them

DECK = """deck: fleet
title: Fleet
size: poker
front: ship.html
fields: {name: text, cargo: integer, route: {type: list, of: integer}, note: string}
"""
SHIPS: list[list[Any]] = [
    ["Name", "Qty", "Cargo", "Remarks", "Stops", "Note"],
    ["Tug “Äijä”", 1, 4, "not printed", "1/2", date(2026, 1, 2)],
    ["Freighter", 3, 7, None, "2/5/6", True],
    [],
    ["Freighter", None, None, None, 3, "Buy more"],
]
COLUMNS = "columns: {Qty: copies, Remarks: ignore, Stops: {field: route, split: /}}\n"
FLEET = """\
  1 × tug-aija  name: Tug “Äijä”, cargo: 4, route: [1, 2], note: 2026-01-02
  3 × freighter  name: Freighter, cargo: 7, route: [2, 5, 6], note: true
  1 × freighter-2  name: Freighter, route: [3], note: Buy more
"""


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game({
        "game.yaml": "game: fleet\ntitle: Fleet\nlanguages: [en]\n",
        "templates/ship.html": "<p>{{ card.name }} {{ card.cargo }} {{ card.route }}</p>",
    })  # fmt: skip


def declare_deck(root: Path, more: str) -> None:
    (root / "cards").mkdir(exist_ok=True)
    (root / "cards/fleet.yaml").write_text(DECK + more, encoding="utf-8")


def workbook(path: Path, *, other_first: bool = True) -> None:
    book = openpyxl.Workbook()
    if other_first:
        book.active.title = "Crew"
        book.active.append(["Name"])
    sheet = book.create_sheet("Ships", None if other_first else 0)
    for row in SHIPS:
        sheet.append(row)
    book.save(path)


def ods(path: Path) -> None:
    """The same table as an OpenDocument spreadsheet."""

    def cell(value: object) -> str:
        if value is None:
            return "<table:table-cell/>"
        if isinstance(value, bool):
            kind = f'boolean" office:boolean-value="{str(value).lower()}'
        elif isinstance(value, int | float):
            kind = f'float" office:value="{value}'
        elif isinstance(value, date):
            kind = f'date" office:date-value="{value.isoformat()}'
        else:
            kind = "string"
        text = f"<text:p>{value}</text:p>"
        return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'

    rows = "".join(
        f"<table:table-row>{''.join(map(cell, row)) or '<table:table-cell/>'}</table:table-row>"
        for row in SHIPS
    )
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>"
            f'<table:table table:name="Ships">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        package.writestr("META-INF/manifest.xml", "<manifest/>")


def as_json(path: Path) -> None:
    heads, *rows = SHIPS
    cards = [
        {
            head: str(value) if isinstance(value, date) else value
            for head, value in zip(heads, row, strict=True)
            if value is not None
        }
        for row in rows
        if row
    ]
    for card in cards:
        card["Stops"] = [int(stop) for stop in str(card["Stops"]).split("/")]
    path.write_text(json.dumps(cards, indent="\t"), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("fleet.xlsx", "{file: fleet.xlsx, sheet: Ships}"),
        ("fleet.ods", "fleet.ods"),
        ("fleet.json", "fleet.json"),
    ],
)
def test_workbooks_and_json_are_read_as_people_have_them(
    root: Path, cardgen: Cardgen, name: str, rows: str
) -> None:
    declare_deck(root, f"rows: {rows}\n{COLUMNS}")
    writers = {".xlsx": workbook, ".ods": ods, ".json": as_json}
    path = root / "cards" / name
    writers[path.suffix](path)
    said = cardgen("list")
    assert said.err == ""
    assert FLEET in said.out


def test_several_tables_and_the_first_sheet(root: Path, cardgen: Cardgen) -> None:
    declare_deck(root, f"rows: [fleet.xlsx, more.csv]\n{COLUMNS}")
    workbook(root / "cards/fleet.xlsx", other_first=False)
    (root / "cards/more.csv").write_bytes(b"id;name\nferry;Ferry\n")
    assert f"{FLEET}  1 × ferry  name: Ferry\n" in cardgen("list").out


@pytest.mark.parametrize(
    ("deck", "told"),
    [
        (
            "rows: {file: fleet.xlsx, sheet: Ship}\n",
            "cards/fleet.yaml:6: error: fleet: cards/fleet.xlsx has no sheet 'Ship'; "
            "did you mean 'Ships'? [table]",
        ),
        (
            "rows: {file: fleet.xlsx, sheet: Ships}\ncolumns: {Stops: cargo, Cargo: ignore}\n",
            "cards/fleet.xlsx:Ships!E2: error: fleet/tug-aija: 'cargo' is '1/2'; "
            "expected a whole number [type]",
        ),
        (
            "rows: {file: fleet.xlsx, sheet: Ships}\n",
            "cards/fleet.xlsx:Ships!1: error: fleet: 'Remarks', 'Stops' are not fields of the "
            "deck; declare them under fields:, or leave them out: columns: {Remarks: ignore} "
            "[fields]",
        ),
        (
            "rows: spoilt.xlsx\n",
            "cards/spoilt.xlsx: error: fleet: the workbook cannot be read: ",
        ),
        (
            "rows: missing.ods\n",
            "cards/fleet.yaml:6: error: fleet: the table cards/missing.ods is missing",
        ),
        ("rows: fleet.pdf\n", "cards/fleet.yaml:6: error: fleet: 'fleet.pdf' is not a table; "),
        (
            "rows: {file: a.csv, sheet: B}\n",
            "cards/fleet.yaml:6: error: fleet: a.csv has no sheets",
        ),
        (
            "rows: {file: fleet.xlsx, sheet: Ships}\n"
            "columns: {Qyt: copies, Qty: copies, Remarks: ignore, Stops: ignore}\n",
            "cards/fleet.yaml:7: error: fleet: no table of the deck has a column 'Qyt'; "
            "did you mean 'Qty'? [table]",
        ),
        (
            "cards: [{id: tug}]\ncolumns: {Qty: copies}\n",
            "cards/fleet.yaml:7: error: fleet: no table of the deck has a column 'Qty' [table]",
        ),
        ("columns: [Qty]\n", "cards/fleet.yaml:6: error: fleet: columns is a list; "),
        (
            "columns: {Qty: [copies]}\n",
            "cards/fleet.yaml:6: error: fleet: the column 'Qty' is a list; ",
        ),
        ("cards: [{cargo: 1}]\n", "error: fleet: a card has neither an id nor a name"),
    ],
)
def test_mistakes_name_their_sheet_row_and_column(
    root: Path, cardgen: Cardgen, deck: str, told: str
) -> None:
    declare_deck(root, deck)
    workbook(root / "cards/fleet.xlsx")
    (root / "cards/spoilt.xlsx").write_bytes(b"PK\x03\x04 and no more")
    said = cardgen("check")
    assert said.code == 1
    assert any(told in line for line in said.err.splitlines()), said.err
    assert "Traceback" not in said.err


NOTED = """\
My fleet;;;;
;;;;
Name;Cargo;Afloat;;Note
Tug;1;x;a remark;
Ferry;2;-;;
;;;nothing but a remark;
船;3;yes;;
;4;Ei;;
"""


def test_headings_below_a_title_and_remarks_beside(root: Path, cardgen: Cardgen) -> None:
    deck = "rows: {file: fleet.csv, header: 3}\ncolumns: {Afloat: afloat, '': ignore}\n"
    declare_deck(root, deck)
    edit(root, "cards/fleet.yaml", "note: string", "note: string, afloat: boolean")
    (root / "cards/fleet.csv").write_text(NOTED, encoding="utf-8")
    said = cardgen("list")
    assert said.err == ""
    assert [line for line in said.out.splitlines() if "cargo:" in line] == [
        "  1 × tug  name: Tug, cargo: 1, afloat: yes",
        "  1 × ferry  name: Ferry, cargo: 2, afloat: no",
        "  1 × row-7  name: 船, cargo: 3, afloat: yes",
        "  1 × row-8  cargo: 4, afloat: no",
    ]


@pytest.mark.parametrize(
    ("deck", "told"),
    [
        (
            "rows: {file: a.csv, header: top}\n",
            "header is 'top'; expected the number of a row [type]",
        ),
        ("rows: {file: a.csv, header: 0}\n", "header is 0; expected the number of a row [type]"),
        ("rows: {file: a.json, header: 2}\n", "JSON has no headings; remove header: [table]"),
        ("rows: a.csv\n", "'stray' stands in a column without a name [table]"),
        (
            "rows: locked.ods\n",
            "the workbook cannot be read: it is behind a password; save it without one [table]",
        ),
    ],
)
def test_mistakes_of_headings(root: Path, cardgen: Cardgen, deck: str, told: str) -> None:
    declare_deck(root, deck)
    (root / "cards/a.csv").write_text("Name,\nTug,stray\n")
    (root / "cards/a.json").write_text('[{"name": "Tug"}]')
    with zipfile.ZipFile(root / "cards/locked.ods", "w") as package:
        package.writestr("META-INF/manifest.xml", "<manifest:encryption-data/>")
        package.writestr("content.xml", "secret")
    said = cardgen("check")
    assert any(line.endswith(told) for line in said.err.splitlines()), said.err


def test_a_cell_far_out_is_told_before_a_sheet_of_that_size_is_laid_out(
    root: Path, cardgen: Cardgen
) -> None:
    declare_deck(root, "rows: {file: far.xlsx, sheet: Ships}\n")
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "a sheet that is not read"
    book.create_sheet("Ships").append(["name"])
    book["Ships"].append(["Tug"])
    book["Ships"]["C1048576"].font = openpyxl.styles.Font(bold=True)
    book["Ships"]["XFD1"].font = openpyxl.styles.Font(bold=True)
    book.save(root / "cards/far.xlsx")
    said = cardgen("list")
    assert (said.err, "1 × tug  name: Tug" in said.out) == ("", True)
    book["Ships"]["XFD1048576"] = "z"
    book.save(root / "cards/far.xlsx")
    assert (
        "cards/far.xlsx: error: fleet: the cell XFD1048576 is far out and makes the sheet Ships "
        "17,179,869,184 cells large; delete it [table]"
    ) in cardgen("check").err.splitlines()


def test_how_far_the_cells_of_a_sheet_go(tmp_path: Path) -> None:
    """Also where they are more than are read at once; a sheet that is full is none of those."""
    book = openpyxl.Workbook()
    for _ in range(4000):
        book.active.append(["x"] * 20)
    path = tmp_path / "book.xlsx"
    book.save(path)

    def find_far(data: bytes, index: int, most: int) -> tuple[str, int]:
        scan = scan_sheet(data, index, "", most)
        return scan.far_cell, scan.size

    with zipfile.ZipFile(path) as package:
        assert package.getinfo("xl/worksheets/sheet1.xml").file_size > 2_000_000
    assert find_far(path.read_bytes(), 0, 1000) == ("", 0)
    book.active["ZZ3000"] = "x"
    book.active["B90000"] = "x"
    book.save(path)
    assert find_far(path.read_bytes(), 0, 1000) == ("ZZ3000", 702 * 90_000)
    assert find_far(path.read_bytes(), 0, 702 * 90_000) == ("", 0)
    assert find_far(path.read_bytes(), 1, 1000) == ("", 0)
    assert find_far(path.read_bytes()[:5000], 0, 1000) == ("", 0)
    assert find_far(b"id,name", 0, 1000) == ("", 0)


def test_an_id_that_is_no_word_is_told_as_what_it_is(root: Path, cardgen: Cardgen) -> None:
    declare_deck(root, "rows: a.json\ncards:\n  - {id: {a: 1}}\n  - {id: [1]}\n")
    (root / "cards/a.json").write_text('[{"id": {"a": 1}}, {"id": [1]}, {"id": "tug"}]')
    said = cardgen("check")
    asked = "; expected small letters, digits and hyphens [type]"
    for at in ("cards/fleet.yaml:8", "cards/a.json:1"):
        assert f"{at}: error: fleet: id is a mapping{asked}" in said.err
    assert f"cards/fleet.yaml:9: error: fleet: id is a list{asked}" in said.err
    assert len(said.err.splitlines()) == 5, said.err


def test_thousands_of_cards_may_have_one_name() -> None:
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    for _ in range(20_000):
        seen.add(make_id("Tug", seen, numbers))
    assert len(seen) == 20_000
    assert {"tug", "tug-2", "tug-20000"} <= seen


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Äijän laiva", "aijan-laiva"), ("Буксир «Щука»", "buksir-shchuka"), ("Don't", "dont"),
        ("Straße Nr. 9", "strasse-nr-9"), ("船", ""), ("tug", "tug-3"), ("a" * 200, "a" * 94),
        ("Con", "con-2"), ("Com 1", "com-1"), ("LPT9", "lpt9-2"),
    ],
)  # fmt: skip
def test_an_id_is_made_of_the_name(name: str, made: str) -> None:
    assert make_id(name, {"tug", "tug-2"}) == made
    assert not made or check_id(made) == ""


def test_no_id_is_the_name_of_a_device_on_windows() -> None:
    assert all("names a device on Windows" in check_id(name) for name in ("con", "nul", "com9"))
    assert check_id("cone") == check_id("com-9") == check_id("com0") == ""


@pytest.mark.parametrize(
    ("before", "after", "far"),
    [
        ("", "", ""),  # outside of any row it is no cell
        ('<table:table-row table:number-rows-repeated="2000000"/><table:table-row>',
         "</table:table-row>", "A2000001"),
        ('<table:table-row><table:table-cell table:number-columns-repeated="2000000"/>',
         "</table:table-row>", "DITOC1"),
    ],
)  # fmt: skip
def test_an_odd_cell_of_ods_far_out_is_not_laid_out(
    before: str, after: str, far: str, tmp_path: Path
) -> None:
    error = '<table:table-cell table:formula="x"><text:p>#REF!</text:p></table:table-cell>'
    path = tmp_path / "far.ods"
    with zipfile.ZipFile(path, "w") as package:
        text = f'<table:table table:name="Ships">{before}{error}{after}</table:table>'
        package.writestr("content.xml", text)
    scan = scan_sheet(path.read_bytes(), 0, "Ships", 1_000_000)
    assert (scan.odd_cells, scan.far_cell) == ([], far)


@pytest.mark.parametrize("code", ["0%", "000", "# ?/?", "h:mm"])
@pytest.mark.parametrize("value", ["inf", "-inf", "nan", "1e300"])
def test_a_number_without_end_has_no_format(code: str, value: str) -> None:
    assert cell_formats.format_number(float(value), code) == ""

"""Rows of a CSV table as the same nodes that YAML gives."""

from __future__ import annotations

import pytest

from cardgen.base import yamlnodes
from cardgen.game import csv_tables
from cardgen.game.fields import Checker, declare
from cardgen.game.model import Field

FIELDS = """\
name: text
note: string
cash: integer
goods: {type: list, of: {type: choice, of: [1, 3]}}
greenhorn: {type: record, fields: {cash: integer, goods: {type: list, of: integer}}}
"""


@pytest.fixture(scope="module")
def fields() -> dict[str, Field]:
    node, _ = yamlnodes.load(FIELDS, "deck.yaml")
    assert node is not None
    return declare(node, Checker(("fi", "en"), (), ()))


def read(text: str, fields: dict[str, Field]) -> list[object]:
    rows, problems = csv_tables.rows(text, "loot.csv", fields)
    assert problems == []
    return [row.plain() for row in rows]


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
        "id\tname.fi\tname.en\nschool\tKoulu\tSchool\n",
        "\ufeffid,name.fi,name.en\r\nschool,Koulu,School\r\n",
        'id, name.fi , name.en\n\nschool, Koulu,"School"\n,,\n',
    ],
)
def test_tables_of_every_spreadsheet(text: str, fields: dict[str, Field]) -> None:
    assert read(text, fields) == [{"id": "school", "name": {"fi": "Koulu", "en": "School"}}]


def test_rows_know_their_line_also_after_a_cell_of_two_lines(fields: dict[str, Field]) -> None:
    text = 'id,note\nschool,"One\ntwo"\n\nbank,Three\n'
    rows, _ = csv_tables.rows(text, "loot.csv", fields)
    assert [str(row.source) for row in rows] == ["loot.csv:2", "loot.csv:5"]
    assert rows[0].plain() == {"id": "school", "note": "One\ntwo"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,cash,cash\n", "loot.csv:1: error: the column 'cash' stands twice [table]"),
        (
            "id,name,name.fi\nschool,School,Koulu\n",
            "loot.csv:1: error: the columns 'name' and 'name.fi' cannot both stand [table]",
        ),
        (
            "id,cash\nschool,1,2\n",
            "loot.csv:2: error: the row has 3 cells, the first row names 2 [table]",
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
    _, problems = csv_tables.rows(text, "loot.csv", fields)
    assert [str(problem) for problem in problems] == [told]


def test_a_table_of_nothing_has_no_rows(fields: dict[str, Field]) -> None:
    assert read("", fields) == []
    assert read("id,cash\n", fields) == []

"""Whatever a workbook holds, each cell is read, reported, or named as left out."""

from __future__ import annotations

import datetime
import io
from typing import Any

import openpyxl
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.core.problems import Source
from cardgen.core.yaml_nodes import Node
from cardgen.game import table_rows, workbooks
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import CARD_KEYS
from cardgen.game.field_types import read_declarations, read_value

HEADINGS = ["name", "copies", "cost", "count", "rare", "note", "route"]
FIELDS = (
    "{name: text, cost: number, count: integer, rare: boolean, note: string, "
    "route: {type: list, of: integer}}"
)
words = st.text(st.sampled_from("abÄж x2½,.-/%#=!;1 "), min_size=1, max_size=6)
cells = st.one_of(
    st.none(),
    words.filter(str.strip),
    st.integers(-5, 2000),
    st.floats(-100, 100, allow_nan=False),
    st.booleans(),
    st.dates(datetime.date(2020, 1, 1), datetime.date(2029, 1, 1)),
    st.sampled_from(["=1+2", "#REF!", "#N/A", "Total", "Summe", "x2", "3×", "1.000", "1/2", "1-2"]),
)
tables = st.lists(st.lists(cells, min_size=7, max_size=7), min_size=1, max_size=5)
merges = st.lists(
    st.tuples(st.integers(1, 7), st.integers(2, 6), st.integers(0, 2), st.integers(0, 2)),
    max_size=2,
)


def read_fields() -> dict[str, Any]:
    node, _ = yaml_nodes.load(FIELDS, "deck.yaml")
    assert node is not None
    return read_declarations(node, Checker(("en",), (), ()))


def write(rows: list[list[Any]], merged: list[tuple[int, int, int, int]]) -> tuple[bytes, Any]:
    book: Any = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Cards"
    for cells_of_row in (HEADINGS, *rows):
        sheet.append(cells_of_row)
    taken: set[tuple[int, int]] = set()
    for column, row, height, width in merged:
        end = min(column + width, len(HEADINGS))
        covered = {
            (at, across) for at in range(row, row + height + 1) for across in range(column, end + 1)
        }
        if len(covered) > 1 and not taken & covered:
            taken |= covered
            sheet.merge_cells(None, row, column, row + height, end)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue(), sheet


def is_read(node: Node | None, name: str, value: object, fields: dict[str, Any]) -> bool:
    """Return whether a cell became a value, or a message when the card is checked."""
    if node is None:
        return False
    checker = Checker(("en",), (), ())
    if name == "copies":
        found = CARD_KEYS["copies"].read(node, "copies", checker.report)
        return bool(checker.problems) or node.value == found
    found = read_value(checker, node, fields[name], name)
    return bool(checker.problems) or found not in (None, "") or value in (False, 0)


@settings(max_examples=120, deadline=None)
@given(tables, merges)
def test_no_cell_is_lost(rows: list[list[Any]], merged: list[tuple[int, int, int, int]]) -> None:
    fields = read_fields()
    data, sheet = write(rows, merged)
    found, problems = workbooks.read_sheet_rows(data, "a.xlsx", "", Source("d.yaml"))
    nodes, more = table_rows.make_row_nodes(found, fields, {}, ["id", "copies"])
    told = {(each.source.line, each.source.place) for each in (*problems, *more)}
    cards = {node.source.line: node for node in nodes}
    for row in sheet.iter_rows(min_row=2):
        for name, cell in zip(HEADINGS, row, strict=True):
            if cell.value is None or not str(cell.value).strip():
                continue
            is_comment = str(cell.value).startswith(("# ", "//")) and sum(
                other.value is not None for other in row
            ) == 1  # fmt: skip
            place = f"Cards!{cell.coordinate}"
            card = cards.get(cell.row)
            assert (
                is_comment
                or (cell.row, place) in told
                or (cell.row, f"Cards!{cell.row}") in told
                or is_read(card.get(name) if card else None, name, cell.value, fields)
            ), (place, cell.value)

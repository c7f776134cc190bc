"""A table that a spreadsheet wrote is read as it was, whatever stands in its cells."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from cardgen.core import yaml_nodes
from cardgen.game import csv_tables, table_rows
from cardgen.game.checker import Checker
from cardgen.game.field_types import read_declarations

FIELDS = "{name: text, note: string, cash: integer, goods: {type: list, of: integer}}"
HEADER = ["id", "name.fi", "note", "cash", "goods"]

cells = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")) | st.sampled_from("\n\t")
)
rows = st.tuples(cells, cells, st.integers(-999, 999), st.lists(st.integers(0, 99), max_size=4))
Row = tuple[str, str, int, list[int]]


def written(given_: list[Row], delimiter: str, ending: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=ending)
    writer.writerow(HEADER)
    for number, (name, note, cash, goods) in enumerate(given_):
        writer.writerow([f"row-{number}", name, note, cash, "; ".join(map(str, goods))])
    return out.getvalue()


def expected(number: int, row: Row) -> dict[str, object]:
    """The row without what surrounds a cell, and without its empty cells."""
    name, note, cash, goods = row
    parts = {"name": {"fi": name.strip()} if name.strip() else "", "note": note.strip()}
    rest = {"cash": cash, "goods": goods or ""}
    return {"id": f"row-{number}"} | {key: v for key, v in (parts | rest).items() if v != ""}


@given(st.lists(rows, max_size=4), st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n"]))
def test_rows_are_read_as_they_were(given_: list[Row], delimiter: str, ending: str) -> None:
    node, _ = yaml_nodes.load(FIELDS, "deck.yaml")
    assert node is not None
    fields = read_declarations(node, Checker(("fi", "en"), (), ()))
    text = written(given_, delimiter, ending)
    rows_, problems = csv_tables.parse_csv_rows(text, "loot.csv")
    found, more = table_rows.make_row_nodes(rows_, fields, {})
    assert problems + more == []
    assert [row.to_plain() for row in found] == [expected(n, row) for n, row in enumerate(given_)]
    lines = text.split("\n")
    for number, row in enumerate(found):
        assert lines[row.source.line - 1].startswith(f"row-{number}{delimiter}")


@given(st.text(st.sampled_from('ab,;\t"\n\r. 1')))
def test_whatever_a_table_holds_is_read_or_told(text: str) -> None:
    rows_, problems = csv_tables.parse_csv_rows(text, "loot.csv")
    found, more = table_rows.make_row_nodes(rows_, {}, {})
    last = text.count("\n") + text.count("\r") + 1
    sources = [*(told.source for told in (*problems, *more)), *(row.source for row in found)]
    assert all(1 <= source.line <= last for source in sources)

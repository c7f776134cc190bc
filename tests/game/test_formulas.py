"""Cells of CSV: no spreadsheet takes one for a formula, and each comes back as it was."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.game.csv_tables import guard_formulas, unguard_formulas

FORMULA = re.compile("[=+@＝＋－＠-]")


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("-1", "'-1"),
        ("'quoted", "''quoted"),
        ("a;=1+cmd|' /C calc'!A0;b", "a;'=1+cmd|' /C calc'!A0;b"),
        ("\n=1+1", "\n'=1+1"),
        ("＝1", "'＝1"),
        ("a = b; c", "a = b; c"),
    ],
)
def test_what_begins_a_formula_is_guarded(text: str, cell: str) -> None:
    assert guard_formulas(text) == cell
    assert unguard_formulas(cell) == text


@given(st.text(alphabet="ab'=+-@;\t\n＝ "))
@example("a;=1;'=2")
def test_every_text_comes_back_and_no_cell_is_a_formula(text: str) -> None:
    cell = guard_formulas(text)
    assert unguard_formulas(cell) == text
    for parted in csv.reader(io.StringIO(cell), delimiter=";", quoting=csv.QUOTE_NONE):
        assert not any(FORMULA.match(each) for each in parted)

"""Cells of CSV that a spreadsheet would take for formulas: guarded, and taken back as they were.

A spreadsheet that parts cells at semicolons splits a line where a semicolon, a tab or a line's end
stands in a text, so what follows one of these begins a cell as well.
"""

from __future__ import annotations

import re

_BEGINS = re.compile("(^|[;\\t\\r\\n])(?=['=+\\-@＝＋－＠])")
_GUARDED = re.compile("(^|[;\\t\\r\\n])'(?=['=+\\-@＝＋－＠])")


def guarded(text: str) -> str:
    """A cell of CSV with an apostrophe before all that a spreadsheet might take for a formula."""
    return _BEGINS.sub(r"\1'", text)


def unguarded(cell: str) -> str:
    """The text of such a cell."""
    return _GUARDED.sub(r"\1", cell)

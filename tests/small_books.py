"""Books of small games, as they are set."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from small_games import make

from cardgen.book.book_pdf import BookRequest
from cardgen.book.book_typesetting import typeset_book
from cardgen.outputs import rulebook_typesetting
from cardgen.outputs.contract import Options


def ordered(root: Path, asked: Options) -> tuple[Path, BookRequest]:
    """A game whose one book is built here, and what that is set from."""
    orders: list[BookRequest] = []

    def caught(order: BookRequest) -> Any:
        orders.append(order)
        return typeset_book(order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        patch.setattr(rulebook_typesetting, "_typeset_book", caught)
        make(root, asked, outputs=("rulebook",))
    (order,) = orders
    return root, order

"""Books of small games, as they are set."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from small_games import make

from cardgen.book.binding import BookOrder
from cardgen.book.setting import set_book
from cardgen.outputs import book_setting
from cardgen.outputs.contract import Options


def ordered(root: Path, asked: Options) -> tuple[Path, BookOrder]:
    """A game whose one book is built here, and what that is set from."""
    orders: list[BookOrder] = []

    def caught(order: BookOrder) -> Any:
        orders.append(order)
        return set_book(order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        patch.setattr(book_setting, "_set_one", caught)
        make(root, asked, outputs=("rulebook",))
    (order,) = orders
    return root, order

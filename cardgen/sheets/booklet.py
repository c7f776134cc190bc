"""Booklets: which pages lie side by side so that the folded stack reads in order."""

from __future__ import annotations

Side = tuple[int | None, int | None]
"""The pages on the left and right half of one side of a sheet, from 0; None is a blank half."""


def sides(pages: int, *, from_right: bool = False) -> list[Side]:
    """Both sides of every sheet, front before back, outermost sheet first.

    The stack is folded once and stitched in the fold; what is read from the right is bound at the
    right. Blank pages are added at the end until the count is a multiple of four. Sheets are
    turned over on their short edge.
    """
    total = -(-pages // 4) * 4
    found: list[tuple[int, int]] = []
    for sheet in range(total // 4):
        first, last = 2 * sheet, total - 1 - 2 * sheet
        found += [(last, first), (first + 1, last - 1)]
    if from_right:
        found = [(right, left) for left, right in found]
    return [(_real(left, pages), _real(right, pages)) for left, right in found]


def _real(page: int, pages: int) -> int | None:
    return page if page < pages else None

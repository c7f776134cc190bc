"""Booklets: which pages lie side by side so that the folded stack reads in order, and how far each
moves towards the fold."""

from __future__ import annotations

from dataclasses import dataclass

ONE_SIGNATURE = 64
"""Pages that are folded in one stack unless told otherwise: 16 sheets."""
USUAL_SIGNATURE = 16
"""Pages of each stack where there are more."""


@dataclass(frozen=True)
class Side:
    """The pages on the left and right half of one side of a sheet, from 0; None is a blank half.

    `depth` is how many sheets lie around this one in its stack.
    """

    left: int | None
    right: int | None
    depth: int = 0

    @property
    def pages(self) -> tuple[int | None, int | None]:
        return self.left, self.right


def sides(
    pages: int, *, from_right: bool = False, signature: int = 0, back: bool = False
) -> list[Side]:
    """Both sides of every sheet, front before back, outermost sheet of the first stack first.

    Each stack of `signature` pages is folded by itself, and stitched or sewn in the fold; 0 means
    one stack, or stacks of 16 pages where one would be too thick. What is read from the right is
    bound at the right. Blank pages are added at the end until the count is a multiple of four;
    with `back`, before the last page, which is the back cover. Sheets are turned over on their
    short edge.
    """
    total = -(-pages // 4) * 4
    order: list[int | None] = list(range(pages))
    place = pages - 1 if back and pages else pages
    order[place:place] = [None] * (total - pages)
    size = signature or (total if total <= ONE_SIGNATURE else USUAL_SIGNATURE)
    found = []
    for start in range(0, total, max(size, 4)):
        found += _stack(order[start : start + size])
    return [Side(each.right, each.left, each.depth) for each in found] if from_right else found


def _stack(order: list[int | None]) -> list[Side]:
    found = []
    for sheet in range(len(order) // 4):
        first, last = 2 * sheet, len(order) - 1 - 2 * sheet
        found.append(Side(order[last], order[first], sheet))
        found.append(Side(order[first + 1], order[last - 1], sheet))
    return found

"""Booklets: the order of the pages, proven by folding."""

from __future__ import annotations

import pytest

from cardgen.sheets.imposition import BookletSide, impose_booklet


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (4, [(3, 0), (1, 2)]),
        (5, [(None, 0), (1, None), (None, 2), (3, 4)]),
        (8, [(7, 0), (1, 6), (5, 2), (3, 4)]),
        (
            13,
            [(None, 0), (1, None), (None, 2), (3, 12), (11, 4), (5, 10), (9, 6), (7, 8)],
        ),
    ],
)
def test_the_pages_on_each_side(pages: int, expected: list[tuple[int | None, int | None]]) -> None:
    assert [side.pages for side in impose_booklet(pages)] == expected


def folded(found: list[BookletSide]) -> list[int | None]:
    """The pages as they are read, leaf by leaf, once the stack is folded and stitched.

    A sheet turned over on its short edge has, behind its right half, the left half of its back.
    """
    sheets = list(zip(found[::2], found[1::2], strict=True))
    leaves = [
        (front.right, back.left) for front, back in sheets
    ]  # the right halves, outermost first
    leaves += [(back.right, front.left) for front, back in reversed(sheets)]  # then the left halves
    return [page for leaf in leaves for page in leaf]


@pytest.mark.parametrize("pages", range(1, 42))
def test_a_folded_booklet_reads_in_order(pages: int) -> None:
    read = folded(impose_booklet(pages))
    assert len(read) % 4 == 0
    assert len(read) - pages < 4
    assert read == [*range(pages), *[None] * (len(read) - pages)]


@pytest.mark.parametrize("signature", [4, 8, 16])
@pytest.mark.parametrize("pages", [1, 4, 17, 41])
def test_folded_stacks_read_in_order_one_after_the_other(pages: int, signature: int) -> None:
    found = impose_booklet(pages, signature=signature, back=True)
    read: list[int | None] = []
    for start in range(0, len(found), signature // 2):
        read += folded(found[start : start + signature // 2])
    assert read == [*range(pages - 1), *[None] * (len(read) - pages), pages - 1]

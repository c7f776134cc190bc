"""Rulebooks set into the store, for every output that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from cardgen.base.problems import Problem, Remark, Source, has_errors
from cardgen.base.workers import spread
from cardgen.book.layouts import LayoutShelf
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import Book
from cardgen.faces.produce import art_remarks, draw_art
from cardgen.outputs.book_orders import (
    Style,
    Wanted,
    keep,
    lines_of,
    order_of,
    problem_of,
    remarks_of,
    shelf_of,
    style_of,
    wanted_books,
)
from cardgen.outputs.contract import Job

if TYPE_CHECKING:
    from cardgen.book.binding import BookOrder, SetBook


def books_asked(job: Job, *, white: bool = False) -> list[Book]:
    """The books of the languages, editions and sizes asked for; on `white` paper, with none drawn
    under their texts."""
    options = job.options
    return [
        replace(book, paper="") if white else book
        for book in job.books.books
        if book.language in job.languages
        and (not options.editions or book.edition in options.editions)
        and (not options.book_sizes or book.format.name in options.book_sizes)
    ]


def _set(
    job: Job, style: Style, layouts: LayoutShelf, stale: list[Wanted]
) -> dict[str, Sequence[Remark]]:
    """Set books into the store; what is wrong with each that was set, or could not be."""
    found: dict[str, Sequence[Remark]] = {}
    new: list[Wanted] = []
    for wanted in stale:
        remarks = layouts.remarks(wanted.layout)
        if remarks is None:
            new.append(wanted)
        else:
            order = order_of(job, wanted, style)
            keep(job, wanted, layouts.bound(order, wanted.layout), remarks)
            found[wanted.key] = remarks
    stopped: list[str] = []
    orders = (layouts.informed(order_of(job, each, style)) for each in new)
    unstopped = takewhile(lambda _: not stopped, orders)  # one that had to be stopped is enough
    for wanted, made in zip(new, spread(_set_one, unstopped, alone=len(new) < 2), strict=False):
        found[made.key] = made.layout.remarks
        if not made.pdf:
            stopped.append(made.key)
            continue
        layouts.keep(wanted.book, wanted.layout, made.layout)
        keep(job, wanted, made.pdf, made.layout.remarks)
    return found


def _set_one(order: BookOrder) -> SetBook:
    from cardgen.book.setting import set_book  # noqa: PLC0415 - in the helper process

    return set_book(order)


def set_books(job: Job, books: Sequence[Book]) -> list[Problem]:
    """Set every one of the books that is not in the store; what is wrong with each."""
    if not books:
        return []
    style, problems = style_of(job)
    art = [*style.art, *(art for book in books for art in book.art)]
    failed = draw_art(art, job.store)
    problems += [Problem(Source(FOLDER), message, "art") for message in failed.values()]
    problems += art_remarks(art)
    if has_errors(problems):
        return problems
    found = wanted_books(job, books, style)
    kept = {wanted.key: remarks_of(job, wanted) for wanted in found}
    layouts = shelf_of(job, style)
    made = _set(job, style, layouts, [wanted for wanted in found if kept[wanted.key] is None])
    for wanted in found:
        told = made.get(wanted.key) or kept[wanted.key] or ()
        problems += [problem_of(wanted.book, each, lines_of(job, wanted.book)) for each in told]
    in_use = {f"{wanted.key}.{end}" for wanted in found for end in ("pdf", "json")}
    job.store.sweep("books", in_use, 3 * len(in_use) + 16)
    layouts.sweep(job.game.languages, {wanted.layout for wanted in found})
    return problems

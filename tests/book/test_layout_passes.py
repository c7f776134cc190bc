"""How often books are laid out, and that what is remembered of earlier layouts decides nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from small_books import ordered
from small_games import contents, make, options, write_game
from test_editions import BOOK, GAME

from cardgen.book import book_typesetting, editions, layout_passes
from cardgen.book.book_pdf import BookRequest, LayoutHints
from cardgen.book.book_typesetting import typeset_book
from cardgen.book.model import PAGE_FORMATS, Book
from cardgen.pdf.weasyprint_library import boxes

ONE = replace(options(), editions=("player",), book_sizes=("a4",))
Count = Callable[[], int]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BookRequest]:
    """A game whose one book was built, and what that was set from."""
    # Lines with numbers are short, whatever a line holds: there is room for wider ones.
    roomy = BOOK.replace(",\nor [all of", ".\n\nOr [all of")
    assert roomy != BOOK
    files = {**GAME, "rulebook/en.md": roomy}
    return ordered(write_game(tmp_path_factory.mktemp("passes") / "game", files), ONE)


@pytest.fixture
def root(built: tuple[Path, BookRequest], tmp_path: Path) -> Path:
    return Path(shutil.copytree(built[0], tmp_path / "copy"))


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How often anything was laid out since it was last asked."""
    real, counted = book_typesetting._BookTypesetter.lay_out, 0

    def lay_out(*asked: Any) -> Any:
        nonlocal counted
        counted += 1
        return real(*asked)

    def count() -> int:
        nonlocal counted
        found, counted = counted, 0
        return found

    monkeypatch.setattr(book_typesetting._BookTypesetter, "lay_out", lay_out)
    return count


def edit(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text(encoding="utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new), encoding="utf-8")


def as_from_nothing(root: Path) -> dict[str, bytes]:
    """What is made of the game with an empty store."""
    again = shutil.copytree(root, root.with_name("again"), ignore=shutil.ignore_patterns("build"))
    make(Path(again), ONE, outputs=("rulebook",))
    return contents(Path(again) / "build/en")


def test_a_face_that_changes_lays_out_nothing(root: Path, layouts: Count) -> None:
    """Neither its words nor its name, which the book's tags say."""
    edit(root, "cards/ships.yaml", "name: Ferry", "name: Färjan")
    make(root, ONE, outputs=("rulebook",))
    assert layouts() == 0
    assert contents(root / "build/en") == as_from_nothing(root)
    with pikepdf.open(root / "build/en/rulebook.pdf") as pdf:
        named = {str(item.Alt) for item in pdf.objects if _has_alt(item)}
    assert named == {"Ships: Tug", "Ships: Färjan"}


def _has_alt(item: Any) -> bool:
    return isinstance(item, pikepdf.Dictionary) and "/Alt" in item


def test_one_edition_often_edited_drops_no_layout_of_the_others(
    root: Path, layouts: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    make(root, outputs=("rulebook",))
    text = (root / "rulebook/en.md").read_text(encoding="utf-8")
    for number in range(14):
        (root / "rulebook/en.md").write_text(f"{text}\n{number}\n", encoding="utf-8")
        make(root, ONE, outputs=("rulebook",))
    (root / "rulebook/en.md").write_text(text, encoding="utf-8")
    layouts()
    make(root, outputs=("rulebook",))
    assert layouts() <= 2  # those of the edited one


def test_a_word_that_moves_no_page_number_takes_one_pass(root: Path, layouts: Count) -> None:
    edit(root, "rulebook/en.md", "Because it can", "Since it can")
    make(root, ONE, outputs=("rulebook",))
    assert layouts() == 1
    assert contents(root / "build/en") == as_from_nothing(root)
    assert layouts() == 2


def test_page_numbers_that_move_are_followed(root: Path, layouts: Count) -> None:
    edit(root, "rulebook/en.md", "## Setting up {#setup}", "## Setting up {#setup .page}")
    make(root, ONE, outputs=("rulebook",))
    assert layouts() == 2
    assert contents(root / "build/en") == as_from_nothing(root)


def test_a_summary_is_fitted_once(root: Path, layouts: Count) -> None:
    edit(
        root,
        "rulebook/en.md",
        "## Loading",
        "::: summary All of it\nTug, load, sell.\n:::\n\n## Loading",
    )
    make(root, ONE, outputs=("rulebook",))
    assert layouts() > 2
    edit(root, "rulebook/en.md", "Because it can", "Since it can")
    make(root, ONE, outputs=("rulebook",))
    assert layouts() == 1
    assert contents(root / "build/en") == as_from_nothing(root)


@pytest.mark.parametrize(
    "kept",
    [
        "[]",
        '{"pages": {"loading": 7, "setup": 7}}',
        '{"pages": {"loading": -1}}',
        '{"pages": {"loading": true}}',
        '{"pages": 1}',
    ],
)
def test_whatever_is_remembered_the_book_is_the_same(root: Path, kept: str) -> None:
    from cardgen.runtime.content_store import Store  # noqa: PLC0415

    store = Store(root / "build/.store")
    store.write(store.get_path("pages", "en-player-a4.json"), kept.encode())
    edit(root, "rulebook/en.md", "Because it can", "Since it can")
    make(root, ONE, outputs=("rulebook",))
    assert contents(root / "build/en") == as_from_nothing(root)


# Numbers that decide which page they are

_WORDS = "the convoy waits until somebody pays for another tank of fuel and goes on "


def _book(letters: int, lines: int) -> Book:
    """A reference on page nine, at about so many letters of its paragraph, to what comes so many
    lines later: on page nine or ten, and maybe as the reference's own digits decide."""
    said = (_WORDS * 4)[:letters].strip()
    pages = "".join(f'<h2 class="page" id="p{n}">Page {n}</h2>' for n in range(2, 10))
    reference = '<a class="reference" href="#goal">section 9, p.\xa0\x06goal\x07</a>'
    filling = "".join(f"<p>{n}</p>" for n in range(lines))
    html = f'<main>{pages}<p>{said} {reference}</p>{filling}<p id="goal">Goal</p></main>'
    return Book("en", "player", PAGE_FORMATS["a5"], "Digits", html)


def _lay_out(order: BookRequest, book: Book) -> layout_passes.LayOutBook:
    made = book_typesetting._BookTypesetter(replace(order, book=book))
    return lambda pages: made.lay_out(book, pages, 1.0)


def test_no_memory_decides_between_two_settings(built: tuple[Path, BookRequest]) -> None:
    """Of a text that may come out in two ways, each with page numbers that are true."""
    order, two_ways = built[1], 0
    lines = _lines_of_a_page(order)
    for letters in range(56, 61):
        book = _book(letters, lines)
        lay_out = _lay_out(order, book)
        hints = [
            {**layout_passes.list_anchor_pages(lay_out({"goal": goal})), "goal": goal}
            for goal in (9, 10)
        ]
        if all(layout_passes.list_anchor_pages(lay_out(hint)) == hint for hint in hints):
            two_ways += 1
            wanted = layout_passes.settle_page_numbers(book, lay_out, None).pages
            assert [
                layout_passes.settle_page_numbers(book, lay_out, hint).pages for hint in hints
            ] == [wanted] * 2
    assert two_ways, "no text of these comes out in two ways"


def _lines_of_a_page(order: BookRequest) -> int:
    """How many lines go between, so that one line more in the paragraph decides."""
    for lines in range(52, 60):
        book = _book(120, lines)
        if layout_passes.settle_page_numbers(book, _lay_out(order, book), None).pages["goal"] == 10:
            return lines
    raise AssertionError("the page does not end")


def test_where_room_is_enough_one_pass_is_known_to_do(built: tuple[Path, BookRequest]) -> None:
    book = _book(10, 3)
    found = layout_passes.settle_page_numbers(book, _lay_out(built[1], book), None)
    assert found.is_unique
    assert found.pass_count == 2
    again = layout_passes.settle_page_numbers(book, _lay_out(built[1], book), found.pages)
    assert again.pass_count == 1


@pytest.mark.parametrize(
    "around",
    ["<table><tr><td>{}</td><td>and what else</td></tr></table>",
     '<p><span style="display: inline-block">{}</span></p>'],
)  # fmt: skip
def test_where_widths_hang_on_the_number_nothing_is_taken_for_known(
    built: tuple[Path, BookRequest], around: str
) -> None:
    reference = '<a class="reference" href="#goal">p.\xa0\x06goal\x07</a>'
    html = f'<main>{around.format(reference)}<p id="goal">Goal</p></main>'
    book = replace(_book(1, 1), html=html)
    found = layout_passes.settle_page_numbers(book, _lay_out(built[1], book), None)
    assert found.pages == {"goal": 1}
    assert not found.is_unique


def test_two_numbers_of_a_line_need_room_together(built: tuple[Path, BookRequest]) -> None:
    """Where lines are said to break as with blanks, they do; in paragraphs of many widths."""
    reference = '<a class="reference" href="#goal">p.\xa0\x06goal\x07</a>'
    widths = [15 + 0.8 * n for n in range(9)]
    html = "".join(
        f'<h2 class="page">A</h2><p style="width: {width}mm">{reference} and {reference}</p>'
        for width in widths
    )
    book = replace(_book(1, 1), html=f'<main><p id="goal">Goal</p>{html}</main>')
    lay_out = _lay_out(built[1], book)
    with_blanks, with_numbers = lay_out({}), lay_out({"goal": 1})
    holding = list(layout_passes.list_stable_pages(with_numbers))[1:]
    same = [
        _lines(one) == _lines(other)
        for one, other in zip(with_blanks.pages[1:], with_numbers.pages[1:], strict=True)
    ]
    assert len(holding) == len(widths)
    assert False in same
    assert True in holding
    assert not [n for n, holds in enumerate(holding) if holds and not same[n]]


def _lines(page: Any) -> int:
    return sum(isinstance(box, boxes.LineBox) for box in page._page_box.descendants())


# What is written


@pytest.mark.parametrize(
    ("outputs", "asked", "books"),
    [
        (("sheets",), options(), 0),
        (("images",), options(), 0),
        (("rulebook",), ONE, 1),
        (("sheets", "images", "rulebook"), options(), 4),
    ],
)
def test_an_output_waits_for_no_book_that_it_does_not_need(
    root: Path, monkeypatch: pytest.MonkeyPatch, outputs: tuple[str, ...], asked: Any, books: int
) -> None:
    real, written = editions.write_books, 0

    def write(*given: Any) -> Any:
        nonlocal written
        found = real(*given)
        written += len(found.books)
        return found

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(editions, "write_books", write)
    edit(root, "cards/ships.yaml", "name: Ferry", "name: Boat")
    make(root, asked, outputs=outputs)
    assert written == books


def test_known_says_nothing_of_its_own(built: tuple[Path, BookRequest]) -> None:
    order = replace(built[1], hints=LayoutHints({"loading": 3}, None))
    assert typeset_book(order).pdf == typeset_book(replace(order, hints=LayoutHints())).pdf

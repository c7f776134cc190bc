"""Pages of a book taken from its last layout: how many are laid out, and that no byte tells."""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_books import ordered
from small_games import contents, make, options, write_game
from test_rulebook import BOOK, GAME

from cardgen.book.book_pdf import BookLayout, BookRequest, LayoutHints
from cardgen.book.book_typesetting import typeset_book
from cardgen.pdf.weasyprint_library import weasyprint

ONE = replace(options(), editions=("player",), book_sizes=("a5",))
SAID = "The convoy waits until somebody pays for another tank of fuel, and then it goes on. "
NOTE = "\n\n[^{n}]: Note {n} says why.\n"
TABLE = "\n| ship | cargo |\n|---|---|\n" + "".join(f"| ship {n} | {n} |\n" for n in range(6))
LIST = "\n1. one\n2. two\n\n   within\n3. three\n"
Count = Callable[[], int]


def chapter(n: int) -> str:
    """A chapter of a page or two, which begins a page when its number is even."""
    page = " .page" if n % 2 == 0 else ""
    texts = "\n\n".join(f"Line {n} {m}. {SAID * (2 + (n + m) % 3)}" for m in range(9))
    more = (TABLE, LIST, f"\nA note[^{n}]." + NOTE.format(n=n), "\nSee [](#part1).\n")[n % 4]
    return f"\n## Part {n} {{#part{n}{page}}}\n\n{texts}\n{more}"


# Its page numbers stand in lines that have room for them, so that they are known to hold.
ROOMY = BOOK.replace("ships. Read", "ships.\\\nRead").replace("(#fleet),\nor", "(#fleet),\\\nor")
TEXT = ROOMY + "".join(map(chapter, range(1, 8)))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, BookRequest]:
    files = {**GAME, "rulebook/en.md": TEXT}
    return ordered(write_game(tmp_path_factory.mktemp("kept") / "game", files), ONE)


@pytest.fixture(scope="module")
def order(built: tuple[Path, BookRequest]) -> BookRequest:
    return built[1]


@pytest.fixture(scope="module")
def first(order: BookRequest) -> BookLayout:
    """The book, laid out with nothing known."""
    return typeset_book(order).layout


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How many pages were laid out since it was last asked."""
    pages = weasyprint.layout.page
    real, counted = pages.remake_page, 0

    def remake_page(*given: Any) -> Any:
        nonlocal counted
        counted += 1
        return real(*given)

    def count() -> int:
        nonlocal counted
        found, counted = counted, 0
        return found

    monkeypatch.setattr(pages, "remake_page", remake_page)
    return count


def known(layout: BookLayout) -> LayoutHints:
    return LayoutHints(layout.page_numbers, layout.summary_scale, layout.kept)


def with_html(order: BookRequest, html: str) -> BookRequest:
    return replace(order, book=replace(order.book, html=html))


def again(order: BookRequest, last: BookLayout) -> BookLayout:
    """The book laid out after another, the same as if that were not known."""
    layout = typeset_book(replace(order, hints=known(last))).layout
    alone = typeset_book(replace(order, hints=replace(known(last), kept=b""))).layout
    assert layout.pdf == alone.pdf
    assert replace(layout, kept=b"") == replace(alone, kept=b"")
    return layout


def count_of(order: BookRequest, last: BookLayout, laid_out: Count) -> int:
    laid_out()
    typeset_book(replace(order, hints=known(last)))
    return laid_out()


def pages_of(layout: BookLayout) -> list[Any]:
    found: list[Any] = json.loads(layout.kept)
    return found


# How many pages


def test_nothing_changed_lays_out_no_page(
    order: BookRequest, first: BookLayout, laid_out: Count
) -> None:
    assert len(pages_of(first)) > 9
    assert all(pages_of(first))
    assert count_of(order, first, laid_out) == 0
    assert again(order, first).kept == first.kept


def test_a_word_lays_out_its_own_page(
    order: BookRequest, first: BookLayout, laid_out: Count
) -> None:
    edited = with_html(order, order.book.html.replace("Line 4 3. The", "Line 4 3. A"))
    assert 1 <= count_of(edited, first, laid_out) <= 2
    again(edited, first)


def test_a_paragraph_more_moves_no_page_behind_a_page_break(
    order: BookRequest, first: BookLayout, laid_out: Count
) -> None:
    """Though every block behind it has another number."""
    html = re.sub(r"(<p>Line 2 8\.)", r"<p>More.</p>\1", order.book.html)
    edited = with_html(order, html)
    layout = again(edited, first)
    behind = len(pages_of(first)) - first.page_numbers["part4"] + 1
    assert behind > 2
    assert count_of(edited, first, laid_out) <= len(pages_of(layout)) - behind
    assert count_of(edited, layout, laid_out) == 0


def test_a_head_lays_out_the_pages_that_bear_it(
    order: BookRequest, first: BookLayout, laid_out: Count
) -> None:
    """What was laid out of the others is not thrown away for it."""
    edited = with_html(order, order.book.html.replace('Part 3"', 'Another head"'))
    bear = first.page_numbers["part4"] - first.page_numbers["part3"]
    assert 1 <= count_of(edited, first, laid_out) <= bear + 2


def test_a_build_keeps_pages_for_the_next(
    built: tuple[Path, BookRequest], tmp_path: Path, laid_out: Count,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    roots = [write_game(tmp_path / name, {**GAME, "rulebook/en.md": TEXT}) for name in "ab"]
    make(roots[0], ONE, outputs=("rulebook",))
    for root in roots:
        text = TEXT.replace("Line 4 3. The", "Line 4 3. A")
        (root / "rulebook/en.md").write_text(text, encoding="utf-8")
        laid_out()
        make(root, ONE, outputs=("rulebook",))
        counted = laid_out()
        assert counted <= 2 if root == roots[0] else counted > 9
    assert contents(roots[0] / "build/en") == contents(roots[1] / "build/en")
    style = "p { color: #333 }\n"
    (roots[0] / "rulebook/book.css").write_text(style, encoding="utf-8")
    laid_out()
    make(roots[0], ONE, outputs=("rulebook",))
    assert laid_out() > 9


# The same bytes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Note 2 says why", "Note 2 says why, at such a length that it takes two lines more"),
        ('Part 3"', 'Another head"'),
        ("<td>ship 2</td>", "<td>ship with a very long name, which takes more room</td>"),
        ("Line 1 0.", "Ω Line 1 0."),
        ('id="part5"', 'id="part5" class="page"'),
        ("<main>", "<main><p>Before all.</p>"),
        ("</main>", "<p>At last.</p></main>"),
    ],
)
def test_an_edit_comes_out_as_if_nothing_were_kept(
    order: BookRequest, first: BookLayout, old: str, new: str
) -> None:
    assert old in order.book.html
    again(with_html(order, order.book.html.replace(old, new, 1)), first)


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_one_after_another_come_out_so(
    order: BookRequest, first: BookLayout, seed: int
) -> None:
    chance, html, last = random.Random(seed), order.book.html, first
    for _ in range(3):
        html = edited_anyhow(html, chance)
        last = again(with_html(order, html), last)


def edited_anyhow(html: str, chance: random.Random) -> str:
    """The HTML with one paragraph lost, written twice, longer, shorter, or in another place."""
    found = [match[0] for match in re.finditer(r"<p>Line[^<]*</p>", html)]
    one, other = chance.sample(found, 2)
    longer = one.replace("</p>", f" {SAID * chance.randint(1, 20)}</p>")
    way = chance.choice(["", one + one, longer, "<p>Short.</p>", None])
    if way is None:
        return html.replace(one, "\0").replace(other, one).replace("\0", other)
    return html.replace(one, way)


@pytest.mark.parametrize(
    "style",
    [
        "p:nth-last-of-type(12) { font-size: 14pt }",
        "h2 + p { margin-top: 3mm } p::first-line { font-size: 16pt }",
        "p::first-letter { font-size: 16pt }",
        "body { counter-reset: p } p { counter-increment: p } p::before { content: counter(p) }",
        "h2 { background: linear-gradient(red, blue) } p { opacity: 0.5 }",
        ".subtitle { position: fixed; bottom: 0 }",
        "a.reference::after { content: target-counter(attr(href), page) }",
        "h2 { page: chapter } table { float: right }",
        "p { width: 40vw }",
    ],
)
def test_whatever_the_style_asks_for(order: BookRequest, style: str) -> None:
    styled = replace(order, styles=(("rulebook/book.css", style),))
    last = typeset_book(styled).layout
    html = styled.book.html.replace("Line 4 3. The", "Line 4 3. A")
    last = again(with_html(styled, html), last)
    again(with_html(styled, html.replace("<p>Line 3 5.", "<p>More.</p><p>Line 3 5.")), last)


# What is kept is believed in nothing


def _changed(layout: BookLayout, change: Callable[[list[Any]], object]) -> bytes:
    pages = pages_of(layout)
    change(pages)
    return json.dumps(pages).encode()


@pytest.mark.parametrize(
    "change",
    [
        lambda pages: pages.clear(),
        lambda pages: pages.reverse(),
        lambda pages: pages[3].pop("seen"),
        lambda pages: pages[3]["seen"].update(marks=[]),
        lambda pages: pages[3]["seen"].update(bones=pages[3]["seen"]["bones"][:5]),
        lambda pages: pages[3]["seen"].update(holds=None),
        lambda pages: pages[3]["basis"].update(head="Another"),
        lambda pages: pages[3]["basis"].update(end={"depth": 2, "block": 9999, "rest": None}),
        lambda pages: pages[3]["painting"]["letters"][0].__setitem__(0, "No Such Font"),
        lambda pages: pages[3]["painting"]["letters"][0][5][0].__setitem__(2, 1),
        lambda pages: pages[1]["painting"].update(images=[["i0", True, [1]]]),
    ],
)
def test_what_does_not_fit_is_laid_out_anew(
    order: BookRequest, first: BookLayout, change: Callable[[list[Any]], object]
) -> None:
    wrong = replace(known(first), kept=_changed(first, change))
    assert typeset_book(replace(order, hints=wrong)).layout.pdf == first.pdf


@pytest.mark.parametrize("kept", [b"", b"\xff", b"{}", b"[1, null]", b"[" * 5000])
def test_what_is_no_page_is_passed_over(order: BookRequest, first: BookLayout, kept: bytes) -> None:
    wrong = replace(known(first), kept=kept)
    assert typeset_book(replace(order, hints=wrong)).layout == replace(first, pass_count=1)

"""The rulebook view in a browser, while its files are edited."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import chromium
import pytest
from chromium import Page
from preview_books import BOOK, SAID, SECOND, WITH_BOOK
from previews import Preview, forget_view, previewing
from small_games import edit, make, options, write_game

pytestmark = chromium.needs_browser
FILE = "rulebook/en.md"
SETTLED = (
    "document.documentElement.dataset.book === 'whole' && "
    "[...document.querySelectorAll('.paper')].every(p => !p.inView || p.dataset.picture)"
)
_EDITOR = """import sys, pathlib
pathlib.Path(__file__).with_name("asked").write_text(" ".join(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Preview]]:
    """A preview of a game with a rulebook that is built, its editor a note of what it is asked."""
    root = write_game(tmp_path_factory.mktemp("book") / "game", WITH_BOOK)
    large = replace(options(), editions=("player",), book_sizes=("a4",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.cpu_count", lambda: 1)
        make(root, large, outputs=("rulebook",), languages=("en",))
    script = tmp_path_factory.mktemp("editor") / "editor.py"
    script.write_text(_EDITOR)
    with previewing(root, "--editor", f"{sys.executable} {script} {{file}} {{line}}") as preview:
        preview.note = script.with_name("asked")
        yield root, preview


@pytest.fixture
def page(window: Page, shared: tuple[Path, Preview]) -> Iterator[Page]:
    """The room, with nothing changed in how it is looked at; the rulebook is restored after."""
    root, preview = shared
    forget_view(window, preview)
    yield enter(window, preview)
    (root / FILE).write_text(BOOK, encoding="utf-8")


def enter(page: Page, preview: Preview) -> Page:
    page.go(preview.address)
    page.wait("document.documentElement.dataset.ready === ''", 60)
    page.key("R")
    page.wait(SETTLED, 90)
    return page


def pictures(page: Page) -> list[str]:
    found: list[str] = page.run(
        "[...document.querySelectorAll('.leaf')].map(leaf => leaf.page.picture)"
    )
    return found


def scrolled(page: Page) -> float:
    top: float = page.run("document.getElementById('book-pages').scrollTop")
    return top


def click(page: Page, words: str) -> None:
    """Click in the middle of the smallest area that says these words, as a hand does."""
    page.run(
        "(() => { for (const leaf of document.querySelectorAll('.leaf'))"
        f" for (const area of leaf.page.areas) if (area[6].includes({words!r})) {{"
        "   leaf.scrollIntoView(); const box = leaf.paper.getBoundingClientRect();"
        "   const mm = box.width / 210;"
        "   const at = {clientX: box.left + (area[2] + area[4] / 2) * mm,"
        "               clientY: box.top + (area[3] + area[5] / 2) * mm, bubbles: true};"
        "   leaf.paper.dispatchEvent(new MouseEvent('click', at)); return; } })()"
    )


def opened_line(preview: Preview) -> str:
    """File and line that the editor is asked for next."""
    until = time.monotonic() + chromium.SECONDS
    while not preview.note.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(0.2)
    said = preview.note.read_text()
    preview.note.unlink()
    return said


def read_second(page: Page) -> float:
    """Scroll to the second page, some way down; where that is."""
    page.run("void document.querySelectorAll('.leaf')[1].scrollIntoView()")
    page.run("void (document.getElementById('book-pages').scrollTop += 60)")
    time.sleep(0.6)  # it is noted where one reads
    return scrolled(page)


def test_an_edited_sentence_is_a_new_picture_where_one_reads(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    before, place = pictures(page), read_second(page)
    page.wait(SETTLED)
    old = page.run("document.querySelectorAll('.paper')[1].dataset.picture")
    assert old == before[1]
    edit(shared[0], FILE, SECOND, "Now it begins otherwise.")
    page.wait(f"document.querySelectorAll('.paper')[1].dataset.picture !== {old!r}", 60)
    after = pictures(page)
    assert [a != b for a, b in zip(before, after, strict=True)] == [False, True, False]
    assert abs(scrolled(page) - place) < 2
    page.wait(SETTLED, 60)


def test_the_reading_position_stays_when_pages_are_added_before_it(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    read_second(page)
    where = (
        "(() => { for (const leaf of document.querySelectorAll('.leaf'))"
        f" for (const area of leaf.page.areas) if (area[6] === {SECOND!r})"
        " return [Number(leaf.dataset.number), Math.round(leaf.paper.getBoundingClientRect().top"
        "  + area[3] * leaf.paper.offsetWidth / 210)]; })()"
    )
    number, top = page.run(where)
    assert number == 2
    edit(shared[0], FILE, "## Second {.page}", f"{SAID * 60}\n\n## Second {{.page}}")
    page.wait("document.querySelectorAll('.leaf').length > 3", 60)
    page.wait(SETTLED, 60)
    now, after = page.run(where)
    assert now > 2
    assert abs(after - top) <= 2


def test_the_place_is_kept_when_the_page_is_opened_again(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    place = read_second(page)
    page.go("about:blank")
    page.go(shared[1].address)
    page.wait("document.documentElement.dataset.ready === ''", 60)
    page.wait(SETTLED, 60)
    assert page.run("document.getElementById('wall').hidden")
    assert abs(scrolled(page) - place) < 2


@pytest.mark.parametrize(
    "words", ["Setting up", "They lie in the barn.", "a shop", "Wagon", "The barn", SECOND]
)
def test_a_click_opens_the_line(page: Page, shared: tuple[Path, Preview], words: str) -> None:
    click(page, words)
    line = BOOK[: BOOK.index(words)].count("\n") + 1
    if words == "They lie in the barn.":
        line -= 1  # of its paragraph
    assert opened_line(shared[1]) == f"{shared[0] / FILE} {line}"


def test_a_broken_rulebook_keeps_the_pages_until_it_is_fixed(
    page: Page, shared: tuple[Path, Preview]
) -> None:
    before = pictures(page)
    told = "document.getElementById('book-told')"
    assert page.run(f"{told}.hidden")
    edit(shared[0], FILE, "Three masts.", "{% if 1 %}")
    page.wait(f"{told}.className === 'wrong'", 60)
    assert FILE in page.run(f"{told}.textContent")
    assert pictures(page) == before
    assert page.run("document.getElementById('book-pages').dataset.state") == "older"
    edit(shared[0], FILE, "{% if 1 %}", "Three masts.")
    page.wait(
        f"{told}.hidden && document.getElementById('book-pages').dataset.state === 'good'", 60
    )


def test_a_problem_is_shown_beside_its_page(page: Page, shared: tuple[Path, Preview]) -> None:
    edit(shared[0], FILE, "Three masts.", "See [](#nowhere).")
    page.wait("document.querySelectorAll('.leaf')[2].querySelector('.wrong li.error')", 60)
    assert "nowhere" in page.run("document.querySelectorAll('.leaf')[2].textContent")
    assert not page.run("!!document.querySelectorAll('.leaf')[0].querySelector('.wrong li')")


def test_search_goes_from_match_to_match(page: Page) -> None:
    page.key("/")
    page.run(
        "(() => { const f = document.getElementById('book-words'); f.value = 'TANK of';"
        " f.dispatchEvent(new Event('input')); f.blur(); })()"
    )
    page.wait("document.getElementById('book-found').textContent === '1 of 2'")
    first = scrolled(page)
    assert first > 0
    page.key("n")
    page.wait("document.getElementById('book-found').textContent === '2 of 2'")
    assert scrolled(page) > first
    assert page.run("document.querySelectorAll('.hit').length") == 2


def test_contents_and_keys_lead_through_the_book(page: Page) -> None:
    page.run("void [...document.querySelectorAll('#book-contents button')].at(-1).click()")
    page.wait("document.getElementById('book-at').textContent === 'page 3 of 3'")
    page.wait("document.querySelector('#book-contents .here')?.textContent.includes('Third')")
    page.key("ArrowLeft")
    page.wait("document.getElementById('book-at').textContent === 'page 2 of 3'")
    page.key("Home")
    page.wait("document.getElementById('book-at').textContent === 'page 1 of 3'")
    page.key("s")
    page.wait("document.getElementById('book-pages').classList.contains('spread')")
    tops = page.run("[...document.querySelectorAll('.leaf')].map(leaf => leaf.offsetTop)")
    assert tops[0] < tops[1] == tops[2]
    page.key("c")
    page.wait("document.getElementById('book-contents').hidden")


def test_another_edition_and_size_are_chosen_by_keys(page: Page) -> None:
    large = pictures(page)
    page.key("f")
    page.wait("document.querySelector('.leaf')?.page.picture && " + SETTLED, 90)
    wait_until(lambda: pictures(page) != large)
    page.wait(SETTLED, 90)
    ratio = page.run("(p => p.offsetHeight / p.offsetWidth)(document.querySelector('.paper'))")
    assert abs(ratio - 210 / 148) < 0.01


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 90
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.1)

"""Rulebooks in the preview: layout, pages and the PDF that a build takes over."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from preview_books import BOOK, SECOND, WITH_BOOK
from small_games import contents, edit, make, options, write_game

from cardgen.book import book_typesetting
from cardgen.preview.messages import BookInfo, BookViewRequest, GameLocation, PageInfo
from cardgen.preview.workers import book_worker, raster_worker, render_worker

FILE = "rulebook/en.md"
LARGE = replace(options(), editions=("player",), book_sizes=("a4",))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_game(tmp_path_factory.mktemp("books") / "game", WITH_BOOK)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.cpu_count", lambda: 1)
        make(root, LARGE, outputs=("rulebook",), languages=("en",))
    return root


@pytest.fixture
def asked(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_process: None
) -> BookViewRequest:
    monkeypatch.setattr(render_worker, "_sessions", {})
    monkeypatch.setattr(book_worker, "_book_sessions", {})
    return BookViewRequest(GameLocation(Path(shutil.copytree(kept, tmp_path / "game"))), "en")


def pictures(seen: BookInfo) -> list[str]:
    return [page.picture for page in seen.pages]


def drawn(asked: BookViewRequest, page: PageInfo, width: int = 400) -> Image.Image:
    data = book_worker.draw_layout_page(asked.location, page.picture, width)
    assert data is not None
    return Image.open(io.BytesIO(data)).convert("L")


def at(asked: BookViewRequest, page: PageInfo, words: str) -> int:
    """The line that a click on those words leads to: on the smallest area that says them."""
    saying = [area for area in page.areas if words in area[6]]
    assert saying, [area[6] for area in page.areas]
    area = min(saying, key=lambda each: each[4] * each[5])
    source = book_worker.find_source_line(asked.location, page.picture, area[0], area[1])
    assert source is not None
    assert source.path == FILE
    return source.line


def line_of(words: str, text: str = BOOK) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_built_book_is_taken_from_the_store(
    asked: BookViewRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_typesetting, "lay_out_book", None)
    seen = book_worker.update_book(asked)
    assert len(seen.pages) == 3
    assert seen.path is not None
    assert [(depth, text, page) for depth, text, page, _ in seen.contents] == [
        (1, "1 Setting up", 0), (1, "2 Second", 1), (1, "3 Third", 2),
    ]  # fmt: skip
    assert (seen.width, seen.height, seen.language, seen.title) == (210, 297, "en", "Small rules")
    assert seen.languages == ("en",)


def test_an_edited_sentence_changes_the_picture_of_its_page_only(asked: BookViewRequest) -> None:
    first = book_worker.update_book(asked)
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    second = book_worker.update_book(asked)
    assert second.path is None
    differ = [a != b for a, b in zip(pictures(first), pictures(second), strict=True)]
    assert differ == [False, True, False]
    finished = book_worker.finish_book(asked)
    assert finished is not None
    assert pictures(finished) == pictures(second)
    edit(asked.location.root, FILE, "Now it begins otherwise.", SECOND)
    assert pictures(book_worker.update_book(asked)) == pictures(first)


def test_a_page_that_only_moves_its_lines_is_the_same(asked: BookViewRequest) -> None:
    first = book_worker.update_book(asked)
    edit(asked.location.root, FILE, "\n\nThree masts.", "\n\n\n\n\nThree masts.")
    assert pictures(book_worker.update_book(asked)) == pictures(first)
    assert at(asked, first.pages[2], "Three masts.") == line_of("Three masts.") + 3


def test_a_page_looks_the_same_before_and_after_its_pdf_is_written(
    asked: BookViewRequest,
) -> None:
    before = drawn(asked, book_worker.update_book(asked).pages[1])
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    seen = book_worker.update_book(asked)
    page = drawn(asked, seen.pages[1])
    assert ImageChops.difference(page, before).getbbox() is not None
    whole = book_worker.finish_book(asked)
    assert whole is not None
    assert whole.path is not None
    data = raster_worker.draw_book_page(whole.path, 1, 400)
    assert data is not None
    printed = Image.open(io.BytesIO(data)).convert("L")
    assert page.size == printed.size == (400, 566)
    # Letters of the page's own subset may lie a fraction of a pixel beside those of the whole.
    differing = sum(ImageChops.difference(page, printed).histogram()[64:])
    assert differing < 0.001 * page.width * page.height


def test_pages_of_the_last_layout_are_drawn_in_a_new_one(asked: BookViewRequest) -> None:
    before = [drawn(asked, page) for page in book_worker.update_book(asked).pages]
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    seen = book_worker.update_book(asked)
    for number in (0, 2):
        page = drawn(asked, seen.pages[number])
        differing = sum(ImageChops.difference(page, before[number]).histogram()[64:])
        assert differing < 0.001 * page.width * page.height


def test_the_first_page_shows_its_face_before_the_book_is_written(asked: BookViewRequest) -> None:
    book_worker.update_book(asked)
    edit(asked.location.root, FILE, "in the barn", "at sea")
    seen = book_worker.update_book(asked)
    data = book_worker.draw_layout_page(asked.location, seen.pages[0].picture, 600)
    assert seen.path is None
    assert data is not None
    colours = Image.open(io.BytesIO(data)).convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert (0xB8, 0x39, 0x2A) in {colour for _, colour in colours}


def test_a_later_build_lays_out_nothing_and_writes_the_same_bytes(
    asked: BookViewRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = asked.location.root
    book_worker.update_book(asked)
    edit(root, FILE, SECOND, "Now it begins otherwise.")
    book_worker.update_book(asked)
    book_worker.finish_book(asked)
    anew = write_game(tmp_path / "anew", {**WITH_BOOK, FILE: (root / FILE).read_text()})
    make(anew, LARGE, outputs=("rulebook",), languages=("en",))
    monkeypatch.setattr(book_typesetting, "typeset_book", None)
    make(root, LARGE, outputs=("rulebook",), languages=("en",))
    name = "en/rulebook.pdf"
    assert contents(root / "build")[name] == contents(anew / "build")[name]


def test_every_kind_of_block_leads_to_its_line(asked: BookViewRequest) -> None:
    page, second, third = book_worker.update_book(asked).pages
    for words in ("Setting up", "There are", "a barn", "which is late", "Wagon", "The tide turns"):
        assert at(asked, page, words) == line_of(words), words
    assert at(asked, page, "Cargo") == line_of("| What | Cargo")
    assert at(asked, page, "Twice a day.") == line_of("[^tide]:")
    assert at(asked, page, "The barn") == line_of("![The barn]")
    assert at(asked, second, "a sentence of its own") == line_of(SECOND)
    assert at(asked, third, "Three masts.") == line_of("Three masts.")


def test_lines_after_jinja_blocks_are_those_of_the_file(asked: BookViewRequest) -> None:
    loop = '{% for n in ["one", "two"] %}\nIt is {{ n }}.\n\n{% endfor %}\nAfter the loop.'
    edit(asked.location.root, FILE, "Three masts.", loop)
    page = book_worker.update_book(asked).pages[2]
    text = (asked.location.root / FILE).read_text(encoding="utf-8")
    assert at(asked, page, "It is two.") == line_of("It is {{", text)
    assert at(asked, page, "After the loop.") == line_of("After the loop.", text)


def test_pages_that_are_gone_have_no_source_lines(asked: BookViewRequest) -> None:
    page = book_worker.update_book(asked).pages[1]
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    book_worker.update_book(asked)
    assert book_worker.find_source_line(asked.location, page.picture, 0, 0) is None
    assert book_worker.draw_layout_page(asked.location, page.picture, 100) is None


def test_a_problem_is_shown_beside_its_page(asked: BookViewRequest) -> None:
    edit(asked.location.root, FILE, "Three masts.", "See [](#nowhere).")
    seen = book_worker.update_book(asked)
    (problem,) = seen.problems
    assert "nowhere" in problem.message
    assert len(seen.pages) == 3
    ((page, top),) = book_worker.locate_problems(asked)
    assert page == 2
    heading, *_, last = sorted(area[3] for area in seen.pages[2].areas)
    assert heading < top <= last


def test_a_book_that_cannot_be_rendered_has_no_pages_and_a_problem(asked: BookViewRequest) -> None:
    edit(asked.location.root, FILE, "Three masts.", "{% if 1 %}")
    seen = book_worker.update_book(asked)
    assert seen.pages == ()
    assert [problem.source.path for problem in seen.problems] == [FILE]


def test_a_game_without_a_rulebook_has_no_languages_of_one(asked: BookViewRequest) -> None:
    shutil.rmtree(asked.location.root / "rulebook")
    seen = book_worker.update_book(asked)
    assert (seen.languages, seen.pages, seen.problems) == ((), (), ())


def test_a_changed_face_changes_the_picture_of_its_page(
    asked: BookViewRequest,
) -> None:
    first = book_worker.update_book(asked)
    edit(asked.location.root, "cards/loot.yaml", "Barn", "Old barn")
    second = book_worker.update_book(asked)
    differ = [a != b for a, b in zip(pictures(first), pictures(second), strict=True)]
    assert differ == [True, False, False]


def test_the_same_book_is_not_laid_out_twice(
    asked: BookViewRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    first = book_worker.update_book(asked)
    monkeypatch.setattr(book_typesetting, "lay_out_book", None)
    assert book_worker.update_book(asked) == first


def test_a_saved_rulebook_does_not_reload_the_game(
    asked: BookViewRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    book_worker.update_book(asked)
    at = render_worker.get_session(asked.location)
    assert at is not None
    assert at.game is not None
    faces = at.faces
    monkeypatch.setattr(render_worker, "rule_file", None)
    edit(asked.location.root, FILE, SECOND, "Now it begins otherwise.")
    assert (
        render_worker.update_game(asked.location) is not None
    )  # what is wrong with its books may be another
    assert render_worker.update_game(asked.location) is None
    after = render_worker.get_session(asked.location)
    assert after is not None
    assert after.faces is faces
    assert len(book_worker.update_book(asked).pages) == 3

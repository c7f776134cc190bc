"""Rulebooks for the screen: laid out, drawn page by page, finished as a build does."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from preview_books import BOOK, SECOND, WITH_BOOK
from small_games import contents, edit, make, options, write_game

from cardgen.book import setting
from cardgen.book.blocks import Doubt
from cardgen.book.kept_pages import Kept
from cardgen.preview import books, drawing, press
from cardgen.preview.book_seen import Asked, BookSeen, PageSeen
from cardgen.preview.drawing import PageDrawing
from cardgen.preview.press import Place

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
def asked(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_process: None) -> Asked:
    monkeypatch.setattr(press, "_presses", {})
    monkeypatch.setattr(books, "_desks", {})
    return Asked(Place(Path(shutil.copytree(kept, tmp_path / "game"))), "en")


def pictures(seen: BookSeen) -> list[str]:
    return [page.picture for page in seen.pages]


def drawn(asked: Asked, page: PageSeen, width: int = 400) -> Image.Image:
    data = books.draw((asked.place, page.picture, width))
    assert data is not None
    return Image.open(io.BytesIO(data)).convert("L")


def at(asked: Asked, page: PageSeen, words: str) -> int:
    """The line that a click on those words leads to: on the smallest area that says them."""
    saying = [area for area in page.areas if words in area[6]]
    assert saying, [area[6] for area in page.areas]
    area = min(saying, key=lambda each: each[4] * each[5])
    source = books.line((asked.place, page.picture, area[0], area[1]))
    assert source is not None
    assert source.path == FILE
    return source.line


def line_of(words: str, text: str = BOOK) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_built_book_is_taken_from_the_store(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setting, "begin", None)
    seen = books.look(asked)
    assert len(seen.pages) == 3
    assert seen.path is not None
    assert [(depth, text, page) for depth, text, page, _ in seen.contents] == [
        (1, "1 Setting up", 0), (1, "2 Second", 1), (1, "3 Third", 2),
    ]  # fmt: skip
    assert (seen.width, seen.height, seen.language, seen.title) == (210, 297, "en", "Small rules")
    assert seen.languages == ("en",)


def test_an_edited_sentence_is_another_picture_of_its_page_alone(asked: Asked) -> None:
    first = books.look(asked)
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    second = books.look(asked)
    assert second.path is None
    differ = [a != b for a, b in zip(pictures(first), pictures(second), strict=True)]
    assert differ == [False, True, False]
    finished = books.finish(asked)
    assert finished is not None
    assert pictures(finished) == pictures(second)
    edit(asked.place.root, FILE, "Now it begins otherwise.", SECOND)
    assert pictures(books.look(asked)) == pictures(first)


def test_a_page_that_only_moves_its_lines_is_the_same(asked: Asked) -> None:
    first = books.look(asked)
    edit(asked.place.root, FILE, "\n\nThree masts.", "\n\n\n\n\nThree masts.")
    assert pictures(books.look(asked)) == pictures(first)
    assert at(asked, first.pages[2], "Three masts.") == line_of("Three masts.") + 3


def test_a_page_is_drawn_before_the_book_is_written_and_looks_the_same_after(
    asked: Asked,
) -> None:
    before = drawn(asked, books.look(asked).pages[1])
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    seen = books.look(asked)
    page = drawn(asked, seen.pages[1])
    assert ImageChops.difference(page, before).getbbox() is not None
    whole = books.finish(asked)
    assert whole is not None
    assert whole.path is not None
    data = drawing.draw_page(PageDrawing(whole.path, 1, 400))
    assert data is not None
    printed = Image.open(io.BytesIO(data)).convert("L")
    assert page.size == printed.size == (400, 566)
    # Letters of the page's own subset may lie a fraction of a pixel beside those of the whole.
    differing = sum(ImageChops.difference(page, printed).histogram()[64:])
    assert differing < 0.001 * page.width * page.height


def test_pages_of_the_last_layout_are_drawn_in_a_new_one(asked: Asked) -> None:
    before = [drawn(asked, page) for page in books.look(asked).pages]
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    seen = books.look(asked)
    for number in (0, 2):
        page = drawn(asked, seen.pages[number])
        differing = sum(ImageChops.difference(page, before[number]).histogram()[64:])
        assert differing < 0.001 * page.width * page.height


def test_a_page_that_cannot_be_painted_alone_is_drawn_from_the_whole(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    books.look(asked)
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    seen = books.look(asked)

    def at_odds(*_: object) -> bytes:
        raise Doubt

    with monkeypatch.context() as patch:
        patch.setattr(Kept, "paint", at_odds)
        assert books._desks[asked.place].begun.page(0) == b""
        assert books._desks[asked.place].begun.page(1)
    monkeypatch.setattr(setting.Begun, "page", lambda *_: b"")
    assert drawn(asked, seen.pages[0]).size == (400, 566)
    finished = books.look(asked)
    assert finished.path is not None
    assert pictures(finished) == pictures(seen)


def test_the_first_page_shows_its_face_before_the_book_is_written(asked: Asked) -> None:
    books.look(asked)
    edit(asked.place.root, FILE, "in the barn", "at sea")
    seen = books.look(asked)
    data = books.draw((asked.place, seen.pages[0].picture, 600))
    assert seen.path is None
    assert data is not None
    colours = Image.open(io.BytesIO(data)).convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert (0xB8, 0x39, 0x2A) in {colour for _, colour in colours}


def test_a_build_after_it_lays_out_nothing_and_writes_the_same_bytes(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = asked.place.root
    books.look(asked)
    edit(root, FILE, SECOND, "Now it begins otherwise.")
    books.look(asked)
    books.finish(asked)
    anew = write_game(tmp_path / "anew", {**WITH_BOOK, FILE: (root / FILE).read_text()})
    make(anew, LARGE, outputs=("rulebook",), languages=("en",))
    monkeypatch.setattr(setting, "set_book", None)
    make(root, LARGE, outputs=("rulebook",), languages=("en",))
    name = "en/rulebook.pdf"
    assert contents(root / "build")[name] == contents(anew / "build")[name]


def test_every_kind_of_block_leads_to_its_line(asked: Asked) -> None:
    page, second, third = books.look(asked).pages
    for words in ("Setting up", "There are", "a barn", "which is late", "Wagon", "The tide turns"):
        assert at(asked, page, words) == line_of(words), words
    assert at(asked, page, "Cargo") == line_of("| What | Cargo")
    assert at(asked, page, "Twice a day.") == line_of("[^tide]:")
    assert at(asked, page, "The barn") == line_of("![The barn]")
    assert at(asked, second, "a sentence of its own") == line_of(SECOND)
    assert at(asked, third, "Three masts.") == line_of("Three masts.")


def test_lines_of_what_jinja_wrote_are_those_of_the_file(asked: Asked) -> None:
    loop = '{% for n in ["one", "two"] %}\nIt is {{ n }}.\n\n{% endfor %}\nAfter the loop.'
    edit(asked.place.root, FILE, "Three masts.", loop)
    page = books.look(asked).pages[2]
    text = (asked.place.root / FILE).read_text(encoding="utf-8")
    assert at(asked, page, "It is two.") == line_of("It is {{", text)
    assert at(asked, page, "After the loop.") == line_of("After the loop.", text)


def test_a_line_of_a_page_that_is_gone_is_not_known(asked: Asked) -> None:
    page = books.look(asked).pages[1]
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    books.look(asked)
    assert books.line((asked.place, page.picture, 0, 0)) is None
    assert books.draw((asked.place, page.picture, 100)) is None


def test_a_problem_stands_beside_its_page(asked: Asked) -> None:
    edit(asked.place.root, FILE, "Three masts.", "See [](#nowhere).")
    seen = books.look(asked)
    (problem,) = seen.problems
    assert "nowhere" in problem.message
    assert len(seen.pages) == 3
    ((page, top),) = books.places_of_problems(asked)
    assert page == 2
    heading, *_, last = sorted(area[3] for area in seen.pages[2].areas)
    assert heading < top <= last


def test_a_book_that_cannot_be_filled_in_has_no_pages_and_says_why(asked: Asked) -> None:
    edit(asked.place.root, FILE, "Three masts.", "{% if 1 %}")
    seen = books.look(asked)
    assert seen.pages == ()
    assert [problem.source.path for problem in seen.problems] == [FILE]


def test_a_game_without_a_rulebook_has_no_languages_of_one(asked: Asked) -> None:
    shutil.rmtree(asked.place.root / "rulebook")
    seen = books.look(asked)
    assert (seen.languages, seen.pages, seen.problems) == ((), (), ())


def test_a_face_that_changes_is_another_picture_of_the_page_that_shows_it(asked: Asked) -> None:
    first = books.look(asked)
    edit(asked.place.root, "cards/loot.yaml", "Barn", "Old barn")
    second = books.look(asked)
    differ = [a != b for a, b in zip(pictures(first), pictures(second), strict=True)]
    assert differ == [True, False, False]


def test_the_same_book_is_not_laid_out_twice(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    first = books.look(asked)
    monkeypatch.setattr(setting, "begin", None)
    assert books.look(asked) == first


def test_a_save_of_a_rulebook_alone_reads_no_game(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    books.look(asked)
    at = press.at(asked.place)
    assert at is not None
    assert at.game is not None
    faces = at.faces
    monkeypatch.setattr(press, "composition", None)
    edit(asked.place.root, FILE, SECOND, "Now it begins otherwise.")
    assert press.look(asked.place) is not None  # what is wrong with its books may be another
    assert press.look(asked.place) is None
    after = press.at(asked.place)
    assert after is not None
    assert after.faces is faces
    assert len(books.look(asked).pages) == 3

"""Scenes of rulebooks: pieces on the places that boards' templates name, measured off the faces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import MakeGame
from small_games import edit

from cardgen.book.model import WrittenBooks
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.pipeline.check import CheckedGame, check_game

GAME = {
    "game.yaml": "game: quay\ntitle: {en: Quay, fi: Laituri}\nlanguages: [en, fi]\n",
    "cards/boards.yaml": "deck: boards\ntitle: {en: Boards, fi: Laudat}\nsize: 60 x 40\nbleed: 3\n"
    "front: board.html\nfields: {x: number}\ncards:\n  - {id: red, x: 10}\n  - {id: blue, x: 20}\n",
    "cards/chips.yaml": "deck: chips\ntitle: {en: Chips, fi: Nappulat}\nsize: 10 x 10\n"
    "front: chip.html\ncards:\n  - {id: grain}\n",
    "templates/board.html": '<div class="bleed" style="background: #def"></div>\n'
    '<div data-place="store-3" style="position: absolute; top: 5mm; width: 8mm; height: 6mm;\n'
    "  left: calc({{ card.x }}mm + {{ 4 if language == 'fi' else 0 }}mm)\"></div>\n",
    "templates/chip.html": '<div class="bleed" style="background: #333"></div>',
}
FIGURE = "```figure\ncaption: Where it lies\n{}```\n"
BOARD = "scene:\n  - {card: boards/red, name: board, at: [100, 100]%s}\n  - "
IMG = re.compile(
    r'src="([^"]*chips[^"]*)"[^>]*style="left:([-.\d]+)mm;top:([-.\d]+)mm;width:([.\d]+)mm;'
    r'height:([.\d]+)mm(?:;transform:rotate\(([-.\d]+)deg\))?"'
)
BOARD_IMG = re.compile(r'src="[^"]*boards[^"]*"[^>]*style="left:([-.\d]+)mm;top:([-.\d]+)mm')


@pytest.fixture(autouse=True)
def here(one_process: None) -> None:
    """Helpers cost more than these small games."""


def examined(root: Path) -> CheckedGame:
    return check_game(Request(root, outputs=("rulebook",)))


def book(root: Path, language: str = "en") -> str:
    found = examined(root)
    assert [str(problem) for problem in found.problems] == []
    assert found.stages
    return html_of(found.stages.books, language)


def html_of(books: WrittenBooks, language: str = "en") -> str:
    return next(b.html for b in books.books if b.language == language and b.format.name == "a4")


def written(text: str) -> dict[str, str]:
    return {**GAME, "rulebook/en.md": text, "rulebook/fi.md": text}


def lying(html: str) -> tuple[float, ...]:
    """Of the chip on the board: its middle from the board's top left corner, its width and turn,
    in mm as the figure is drawn."""
    found = IMG.search(html)
    assert found is not None, html
    board = BOARD_IMG.search(html)
    assert board is not None
    left, top, width, height = (float(found[n]) for n in range(2, 6))
    x, y = left + width / 2 - float(board[1]), top + height / 2 - float(board[2])
    return round(x, 2), round(y, 2), width, float(found[6] or 0)


@pytest.mark.parametrize(
    ("board", "piece", "where"),
    [
        ("", "{card: chips/grain, on: board, place: store-3}", (14, 8, 10, 0)),
        ("", "{card: chips/grain, on: board, place: store-3, at: [2, -1]}", (16, 7, 10, 0)),
        ("", "{card: chips/grain, on: board, at: [9, 7], turn: 30}", (9, 7, 10, 30)),
        ("", "{card: chips/grain, on: board}", (30, 20, 10, 0)),
        (", scale: 0.5", "{card: chips/grain, on: board, place: store-3}", (7, 4, 5, 0)),
        # Turned about the board's middle, 30, 20: the place is 16 left of it and 12 above.
        (", turn: 90", "{card: chips/grain, on: board, place: store-3}", (42, 4, 10, 90)),
        (", turn: 180", "{card: chips/grain, on: board, place: store-3, turn: 45}",
         (46, 32, 10, 225)),
    ],
)  # fmt: skip
def test_a_piece_lies_at_the_middle_of_a_place(
    make_game: MakeGame, board: str, piece: str, where: tuple[float, ...]
) -> None:
    text = FIGURE.format(BOARD % board + piece + "\n")
    assert lying(book(make_game(written(text)))) == pytest.approx(where, abs=0.02)


def test_a_piece_lies_at_a_place_of_its_own_card(make_game: MakeGame) -> None:
    text = FIGURE.format(
        "row:\n  - {card: boards/blue, with: [{card: chips/grain, place: store-3}]}\n"
    )
    assert lying(book(make_game(written(text)))) == pytest.approx((24, 8, 10, 0), abs=0.02)


def test_each_language_has_its_own_places(make_game: MakeGame) -> None:
    piece = "{card: chips/grain, on: board, place: store-3}\n"
    root = make_game(written(FIGURE.format(BOARD % "" + piece)))
    assert lying(book(root, "fi"))[0] == pytest.approx(lying(book(root, "en"))[0] + 4, abs=0.02)


def test_a_book_follows_a_place_that_moves(make_game: MakeGame) -> None:
    """A written book is kept, and made anew when the face is another."""
    piece = "{card: chips/grain, on: board, place: store-3}\n"
    root = make_game(written(FIGURE.format(BOARD % "" + piece)))
    assert lying(book(root))[0] == pytest.approx(14, abs=0.02)
    assert lying(book(root))[0] == pytest.approx(14, abs=0.02)  # out of the store
    edit(root, "templates/board.html", "width: 8mm", "width: 12mm")
    assert lying(book(root))[0] == pytest.approx(16, abs=0.02)


def test_marks_are_drawn_from_a_place(make_game: MakeGame) -> None:
    text = FIGURE.format(
        BOARD % "" + "{circle: [0, 0, 5], on: board, place: store-3}\n"
        "  - {box: [-5, -4, 10, 8], on: board, place: store-3}\n"
    )
    html = book(make_game(written(text)))
    corner = "left:9.00mm;top:3.00mm;width:10.00mm;height:10.00mm"
    assert corner in html
    assert "left:9.00mm;top:4.00mm;width:10.00mm;height:8.00mm" in html


def test_a_book_asks_where_a_place_is(make_game: MakeGame) -> None:
    text = '{% set at = place("boards/red", "store-3") %}\n{{ at.x }}/{{ at.y }}/{{ at.width }}/'
    root = make_game(written(text + "{{ at.height }}\n"))
    assert "14/8/8/6" in book(root)
    assert "18/8/8/6" in book(root, "fi")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FIGURE.format(BOARD % "" + "{card: chips/grain, on: board, place: stor-3}\n"),
         "5: error: boards/red names no place 'stor-3'; did you mean 'store-3'? [figure]"),
        (FIGURE.format(BOARD % "" + "{card: chips/grain, on: bord, place: store-3}\n"),
         "no earlier card of this scene is named 'bord'; did you mean 'board'?"),
        (FIGURE.format(BOARD % "" + "{card: chips/grain, place: store-3}\n"),
         "place: needs on: with the name of an earlier card of the scene"),
        (FIGURE.format("row:\n  - {card: chips/grain, on: board}\n"),
         "on: works only in a scene:"),
        (FIGURE.format(BOARD % "" + "{card: chips/grain, name: board}\n"),
         "'board' is the name of two cards of this scene; rename one"),
        ('{{ place("boards/red", "store-4").x }}\n',
         "1: error: boards/red names no place 'store-4'; did you mean 'store-3'? [expression]"),
        ('{{ place("chips/grain", "store-4").x }}\n',
         'chips/grain names no place \'store-4\', nor any other; a template names one by'),
        ('{{ place("boards/rad", "store-3").x }}\n', "there is no card 'rad' in boards"),
    ],
)  # fmt: skip
def test_what_is_no_place_is_told(make_game: MakeGame, text: str, said: str) -> None:
    found = examined(make_game(written(text)))
    assert any(said in str(problem) for problem in found.problems), found.problems


def test_a_draft_lays_a_piece_on_a_board_that_cannot_be_set(make_game: MakeGame) -> None:
    """What is wrong with the board is told, and nothing of its places beside it."""
    piece = "{card: chips/grain, on: board, place: store-3}\n"
    root = make_game(written(FIGURE.format(BOARD % "" + piece)))
    edit(root, "templates/board.html", "card.x", "card.xx")
    found = check_game(Request(root, outputs=("rulebook",), is_draft=True))
    assert found.stages
    assert found.problems
    assert {problem.source.path for problem in found.problems} == {"templates/board.html"}
    assert lying(html_of(found.stages.books))[:2] == pytest.approx((30, 20), abs=0.02)


NOTE = "not to true size"


@pytest.mark.parametrize(
    ("figure", "noted"),
    [
        ("row: [boards/red, boards/blue]\n", False),
        ("width: 40\nrow: [boards/red, boards/blue]\n", False),  # cards are known from the table
        (BOARD % "" + "{card: chips/grain, on: board}\n", False),
        ("width: 40\n" + BOARD % "" + "{card: chips/grain, on: board}\n", True),
        (BOARD % "" + "{card: chips/grain, on: board, scale: 1.5}\n", True),
        ("scaled: false\nwidth: 40\n" + BOARD % "" + "{card: chips/grain, on: board}\n", False),
        ("scaled: true\nrow: [boards/red]\n", True),
    ],
)
def test_a_scene_that_is_not_to_scale_says_so(
    make_game: MakeGame, figure: str, noted: bool
) -> None:
    root = make_game(written(FIGURE.format(figure)))
    assert (NOTE in book(root)) is noted
    assert ("ei luonnollisessa koossa" in book(root, "fi")) is noted


def test_a_build_sets_a_board_once(make_game: MakeGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for a place before its turn has come sets the face that is printed."""
    from cardgen.faces import layout_engine  # noqa: PLC0415 - it brings WeasyPrint

    names: list[str] = []
    real = layout_engine.typeset_batch

    def noted(setting: object, orders: object, sizes: object = None) -> object:
        names.extend(order.name for order in orders)  # type: ignore[attr-defined]
        return real(setting, orders, sizes)  # type: ignore[arg-type]

    monkeypatch.setattr(layout_engine, "typeset_batch", noted)
    piece = "{card: chips/grain, on: board, place: store-3}\n"
    root = make_game(written(FIGURE.format(BOARD % "" + piece)))
    _, _, problems = build.check(Request(root))
    assert problems == []
    boards = [name for name in names if "boards" in name]
    assert len(boards) == 4
    assert len(set(boards)) == 4

"""Markers of table.yaml on the places that a board's template names."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeGame
from small_games import edit

from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.preview.messages import GameLocation
from cardgen.preview.workers import render_worker, table_worker
from cardgen.tabletop.table_setup import PlacedMarker

GAME = {
    "game.yaml": "game: quay\ntitle: {en: Quay, fi: Laituri}\nlanguages: [en, fi]\n"
    "players:\n  - {id: red, name: {en: Red, fi: Puna}, colour: '#c03020'}\n"
    "  - {id: blue, name: {en: Blue, fi: Sini}, colour: '#2040c0'}\n"
    "constants: {start: {food: 3}}\n",
    "cards/boards.yaml": "deck: boards\ntitle: {en: Boards, fi: Laudat}\nsize: 60 x 40\nbleed: 3\n"
    "front: board.html\nfor_each: player\nfields: {x: number}\ncards:\n  - {id: board, x: 10}\n",
    "cards/chips.yaml": "deck: chips\ntitle: {en: Chips, fi: Nappulat}\nsize: 10 x 10\n"
    "front: chip.html\ncards:\n  - {id: grain, copies: 8}\n",
    "templates/board.html": '<div class="bleed" style="background: #def"></div>\n'
    '{% for step in range(5) %}<div data-place="food-{{ step }}" style="position: absolute;\n'
    "  top: {{ 5 if player.id == 'red' else 25 }}mm; left: {{ card.x + 9 * step }}mm;\n"
    '  width: 8mm; height: 6mm"></div>{% endfor %}\n',
    "templates/chip.html": '<div class="bleed" style="background: #333"></div>',
}
TABLE = "seat:\n  - deck: boards\n    as: board\n    markers:\n      - {{card: chips/grain, {}}}\n"


@pytest.fixture(autouse=True)
def here(one_process: None) -> None:
    """Helpers cost more than these small games."""


def markers(root: Path) -> list[PlacedMarker]:
    at = render_worker.get_current_session(GameLocation(root))
    assert at.game is not None
    assert at.faces is not None
    from cardgen.faces.queries import FaceQueries  # noqa: PLC0415
    from cardgen.tabletop import table_setup  # noqa: PLC0415

    known = FaceQueries(at.game, at.faces, at.store, sets=True)
    things, problems = table_setup.set_up_table(at.game, known, "en")
    assert [str(problem) for problem in problems] == []
    return [marker for thing in things for marker in thing.markers]


def told(root: Path) -> list[str]:
    _, _, problems = build.check(Request(root))
    return [str(problem) for problem in problems]


@pytest.mark.parametrize("name", ["food-3", '"food-{start.food}"', '"food-{x - 7}"'])
def test_a_marker_lies_at_the_middle_of_a_place(make_game: MakeGame, name: str) -> None:
    """Each board at its own: a place is read off the very face."""
    root = make_game({**GAME, "table.yaml": TABLE.format(f"place: {name}")})
    assert told(root) == []
    found = [(round(marker.x, 1), round(marker.y, 1)) for marker in markers(root)]
    assert found == [(41, 8), (41, 28)]


def test_the_preview_lays_it_there(make_game: MakeGame) -> None:
    root = make_game({**GAME, "table.yaml": TABLE.format("place: food-0")})
    told_of = table_worker.lay_out_table(GameLocation(root), "fi")
    assert told_of["why"] == []
    board = next(each for each in told_of["things"] if each["deck"] == "boards")
    chip = next(each for each in told_of["things"] if each["kind"] == "marker")
    # The first seat is upright: the board's corner is up and to the left of its middle.
    assert (chip["x"] - board["x"] + 30, chip["y"] - board["y"] + 20) == pytest.approx((14, 8))


def test_a_place_that_moves_takes_its_markers_along(make_game: MakeGame) -> None:
    root = make_game({**GAME, "table.yaml": TABLE.format("place: food-0")})
    assert markers(root)[0].x == pytest.approx(14, abs=0.05)
    edit(root, "cards/boards.yaml", "x: 10", "x: 12")
    assert markers(root)[0].x == pytest.approx(16, abs=0.05)


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        (
            "place: food-9",
            "table.yaml:5: error: boards/board-red names no place 'food-9'; did you mean",
        ),
        ('place: "food-{strt.food}"', "table.yaml:5: error: 'strt' is undefined; did you mean"),
        ("place: food-0, at: [1, 2]", "a marker is {card: DECK/CARD, place: NAME}"),
        ("place: [1, 2]", "a marker is {card: DECK/CARD, place: NAME}"),
        ('place: ""', "a marker is {card: DECK/CARD, place: NAME}"),
        ('place: "food-*"', "names no place 'food-*'; a place here is one name, patterns are for"),
        ('place: "off"', "table.yaml:5: error: 'off' is at 92, 3 mm, off boards/board-red (60 ×"),
    ],
)
def test_an_unknown_place_is_reported(make_game: MakeGame, marker: str, said: str) -> None:
    style = "position: absolute; left: 90mm; width: 4mm; height: 6mm"
    board = f'{GAME["templates/board.html"]}<div data-place="off" style="{style}"></div>'
    root = make_game({**GAME, "templates/board.html": board, "table.yaml": TABLE.format(marker)})
    found = told(root)
    assert any(said in each for each in found), found
    assert len(found) == len(set(found))


def test_a_failing_expression_is_reported_once(make_game: MakeGame) -> None:
    """Not also as a place that there is not."""
    marker = 'place: "food-{strt.food}"'
    (found,) = told(make_game({**GAME, "table.yaml": TABLE.format(marker)}))
    assert "'strt' is undefined" in found


def test_too_many_markers_are_reported_at_the_marker(make_game: MakeGame) -> None:
    chips = GAME["cards/chips.yaml"].replace("copies: 8", "copies: 1")
    files = {**GAME, "cards/chips.yaml": chips, "table.yaml": TABLE.format("place: food-0")}
    (found,) = told(make_game(files))
    assert found.startswith("table.yaml:5: error: no grain is left of chips for a board")

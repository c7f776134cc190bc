"""When rules about faces are held: once the faces are set, wherever that is."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MakeGame
from small_games import edit, make, options

from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.pipeline.check import check_game
from cardgen.preview.messages import GameLocation
from cardgen.preview.workers import game_queries, render_worker
from cardgen.rules import face_rules, rule_file
from cardgen.templates.expressions import CardDatabase, EvaluationError

GAME = {
    "game.yaml": "game: quay\ntitle: {en: Quay, fi: Laituri}\nlanguages: [en, fi]\n"
    "colours: {night: '#2d3561', ink: '#1d1a17'}\n"
    "players:\n  - {id: red, name: {en: Red, fi: Puna}, colour: '#c03020'}\n"
    "  - {id: blue, name: {en: Blue, fi: Sini}, colour: '#2040c0'}\n",
    "cards/boards.yaml": "deck: boards\ntitle: {en: Boards, fi: Laudat}\nsize: 60 x 40\nbleed: 3\n"
    "front: board.html\nfor_each: player\ncards:\n  - {id: board}\n",
    "cards/chips.yaml": "deck: chips\ntitle: {en: Chips, fi: Nappulat}\nsize: 10 x 10\n"
    "front: chip.html\ncards:\n  - {id: grain, copies: 3}\n",
    "templates/board.html": '<div class="bleed" style="background: #fff"></div>\n'
    '<div data-place="store" style="position: absolute; left: 5mm; top: 5mm; height: 12mm;\n'
    "  width: {{ 12 if player.id == 'red' else 9 }}mm\"></div>\n"
    '<div data-text="rules" style="position: absolute; left: 5mm; top: 25mm; font-size: 7pt;\n'
    "  color: {{ '#000' if language == 'en' else '#888' }}\">{{ player.name }}</div>\n",
    "templates/chip.html": '<div class="bleed" style="background: #333"></div>',
    "cards/rules.yaml": "rules:\n"
    "  - {id: lies, fits: chips, on: boards, place: store, because: it lies there}\n"
    "  - {id: large, text_size: boards, text: rules, at_least: 7.5, because: read}\n"
    "  - {id: clear, contrast: boards, text: rules, at_least: 4.5, because: read}\n"
    "  - {id: many, count: chips, is: 3, because: three}\n",
}
BROKEN = ["clear", "large", "lies"]


@pytest.fixture(autouse=True)
def here(one_process: None) -> None:
    """Helpers cost more than these small games."""


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game(GAME)


def kinds(problems: object) -> list[str]:
    return sorted(problem.kind for problem in problems)  # type: ignore[attr-defined]


def test_a_check_sets_the_faces_and_holds_the_rules(root: Path) -> None:
    said: list[str] = []
    _, _, problems = build.check(Request(root), lambda what, *_: said.append(what))
    assert kinds(problems) == BROKEN
    lies = next(str(problem) for problem in problems if problem.kind == "lies")
    assert "too small by 1.00 mm across (templates/board.html:2)" in lies
    assert "store of board-blue [en], store of board-blue [fi]" in lies
    assert "board-red" not in lies
    clear = next(str(problem) for problem in problems if problem.kind == "clear")
    assert "board-red [fi] 3.54, board-blue [fi] 3.54" in clear
    assert not any("not checked" in what for what in said)


def test_a_build_that_breaks_one_publishes_nothing(root: Path) -> None:
    report = build.build(Request(root, options=options(), outputs=("sheets",)))
    assert kinds(report.problems) == BROKEN
    assert not (root / "build/en").exists()


def test_rules_hold_once_faces_are_as_they_ask(root: Path) -> None:
    edit(root, "templates/board.html", "else 9", "else 10")
    edit(root, "templates/board.html", "#888", "#666")
    edit(root, "templates/board.html", "7pt", "7.5pt")
    make(root)


def test_rules_about_cards_that_are_not_set_wait_and_it_is_said(root: Path) -> None:
    said: list[str] = []
    request = Request(root, decks=("chips",), options=options(), outputs=("sheets",))
    found = check_game(request, lambda what, *_: said.append(what))
    assert kinds(found.problems) == []
    assert [what for what in said if "not checked" in what] == [
        "3 rules about faces not checked, since not all of their cards are typeset: lies, "
        "large, clear"
    ]
    # What an earlier build set is known.
    build.check(Request(root))
    assert kinds(check_game(request).problems) == BROKEN


def test_a_draft_tells_what_is_broken(root: Path) -> None:
    report = build.build(Request(root, options=options(), outputs=("sheets",), is_draft=True))
    assert kinds(report.problems) == BROKEN
    edit(root, "templates/board.html", "player.id == 'red'", "card.none")
    report = build.build(Request(root, options=options(), outputs=("sheets",), is_draft=True))
    assert {problem.kind for problem in report.problems} == {"template"}


def test_the_preview_holds_them_when_all_is_set(root: Path) -> None:
    place = GameLocation(root)
    seen = render_worker.update_game(place)
    assert seen is not None
    assert kinds(render_worker.check_game(place)) == []  # nothing is set yet
    assert all(not rule["measures"] for rule in game_queries.report_rules(place)[:3])
    render_worker.typeset_batch(place, tuple(seen.pictures.values()), 99)
    while render_worker.measure_contrasts(place):
        pass
    assert kinds(render_worker.check_game(place)) == BROKEN
    lies, large, clear, many = game_queries.report_rules(place)
    (room,) = lies["measures"]
    assert (room["figure"], room["least"], room["holds"]) == (-1, 0, False)
    (size,) = large["measures"]
    assert (size["figure"], size["least"], size["holds"]) == (7, 7.5, False)
    (least,) = clear["measures"]
    assert least["figure"] == pytest.approx(3.54, abs=0.01)
    assert many["measures"]


def test_a_measure_holds_exactly_where_its_rule_does(root: Path) -> None:
    edit(root, "cards/rules.yaml", "at_least: 7.5", "at_least: 7, within: 0")
    edit(root, "cards/rules.yaml", "at_least: 4.5", "at_least: 3.5")
    edit(root, "templates/board.html", "else 9", "else 10")
    assert kinds(build.check(Request(root))[2]) == []
    render_worker.update_game(GameLocation(root))
    measured = [
        one for rule in game_queries.report_rules(GameLocation(root)) for one in rule["measures"]
    ]
    assert len(measured) == 5
    assert all(one["holds"] for one in measured), measured


def test_a_mistake_in_a_rule_is_told_at_its_line(root: Path) -> None:
    edit(root, "cards/rules.yaml", "fits: chips", "fits: chip")
    edit(root, "cards/rules.yaml", "text_size: boards, text: rules", "text_size: boards, room: 1")
    problems = build.check(Request(root))[2]
    told = [str(problem) for problem in problems]
    assert any("cards/rules.yaml:2: error" in each and "no deck 'chip'" in each for each in told)
    assert any("a rule of kind text_size has no key 'room'" in each for each in told)


def test_nothing_is_asked_of_a_face_that_is_wrong(root: Path) -> None:
    """What a mistake leads to is not told beside it."""
    edit(root, "templates/board.html", "\n<div data-text", "\n<style></style><div data-text")
    assert {problem.kind for problem in build.check(Request(root))[2]} == {"template"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("place: store", "place: stor-*", "no place on boards is called 'stor-*'; did you mean"),
        ("on: boards, place: store", "on: chips, place: '*'", "no place on chips has a name; name"),
        ("place: store", "place: 'q*'", "no place on boards is called 'q*'; "),
        ("place: store", "place: [store]", "place: must be one name or pattern, such as store-*"),
        ("place: store", "place: ''", "place: must be one name or pattern"),
        ("place: store", "place: store, side_by_side: 100000000", "side_by_side: is 100000000;"),
        ("at_least: 7.5", "at_least: 7.5pt", "'7.5pt' is not a number; write it without its"),
        ("at_least: 4.5", "at_least: '4.5:1'", "'4.5:1' is not a number; write it without"),
        ("text: rules, at_least: 4.5", "text: rules, except: [rules, name], at_least: 4.5",
         "text: and except: name the same kinds"),
        ("place: store", "place: store, side_by_side: 1.5", "side_by_side: is 1.5; it must be a"),
        ("place: store", "place: store, room: -1", "room: is -1; it must be at least 0"),
        ("text: rules, at_least: 7.5", "text: rule, at_least: 7",
         "boards has no text of the kind 'rule'; did you mean 'rules'?"),
        (", at_least: 7.5", "", "the rule needs at_least: or within:, in pt"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_says_why(root: Path, old: str, new: str, said: str) -> None:
    edit(root, "cards/rules.yaml", old, new)
    told = [str(p) for p in build.check(Request(root))[2] if p.kind == "rule"]
    assert len(told) == 1
    assert said in told[0]


@pytest.mark.parametrize(("count", "rows"), [(1, {(1, 1)}), (5, {(5, 1), (3, 2), (2, 3), (1, 5)})])
def test_rows_in_which_pieces_lie_have_none_to_spare(
    count: int, rows: set[tuple[int, int]]
) -> None:
    assert set(face_rules._list_arrangements(count)) == rows


def test_expressions_reckon_the_contrast_of_colours(root: Path) -> None:
    game, _ = rule_file.load_game(root)
    assert game is not None
    database = CardDatabase(game)
    assert database.evaluate('contrast("night", "ink")') == pytest.approx(1.47, abs=0.01)
    assert database.evaluate('contrast("ink", "night") == contrast("night", "ink")')
    assert database.evaluate('contrast("#000000", "#ffffff")') == 21
    assert database.evaluate('contrast("red", "ink")') > 1
    with pytest.raises(EvaluationError, match="'nigth' is not a colour; did you mean 'night'"):
        database.evaluate('contrast("nigth", "ink")')

"""One mistake is one line, however many cards it hits; and whom a build has to wait for."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import MakeGame

from cardgen.cli.command_line import cli
from cardgen.cli.problem_formats import group_problems
from cardgen.core.problems import WHOLE_GAME, Problem, Source, Subject

LINE = Source("templates/loot.html", 4)


def faces(count: int) -> list[Subject]:
    return [Subject("loot", f"card-{number}", "en", "front") for number in range(count)]


def told(problems: list[Problem]) -> list[str]:
    return [str(problem) for problem in group_problems(problems)]


def test_many_faces_of_one_line_are_one() -> None:
    problems = [Problem(LINE, "there is no 'x'", "template", subject=face) for face in faces(5)]
    assert told(problems) == [
        "templates/loot.html:4: error: loot/card-0 [en] front, loot/card-1 [en] front, "
        "loot/card-2 [en] front and 2 more: there is no 'x' [template]"
    ]


def test_different_mistakes_of_one_line_stay_apart() -> None:
    first, second = faces(2)
    problems = [
        Problem(LINE, "there is no 'x'", "template", subject=first),
        Problem(LINE, "there is no 'y'", "template", subject=second),
    ]
    assert len(told(problems)) == 2


@pytest.mark.parametrize(
    ("kind", "messages", "together"),
    [
        (
            "overflow",
            ["the text is 10.0 mm too tall for its box at its smallest size, 6.5 pt; shorten it",
             "the text is 9.2 mm too tall for its box at its smallest size, 6.5 pt; shorten it"],
            "the text is 9.2 to 10.0 mm too tall for its box at its smallest size, 6.5 pt; "
            "shorten it",
        ),
        (
            "safe-margin",
            ["'3 mm' stands 0.5 mm from the left edge; the safe margin is 3 mm",
             "'It's' stands 0.5 mm from the left edge; the safe margin is 3 mm"],
            "'3 mm' and others stand 0.5 mm from the left edge; the safe margin is 3 mm",
        ),
        (
            "small-text",
            ["'A' is set in 5.0 pt; under 6 pt is hard to read",
             "'A' is set in 4.0 pt; under 6 pt is hard to read"],
            "'A' is set in 4.0 to 5.0 pt; under 6 pt is hard to read",
        ),
        (
            "overflow",
            ["text is not printed at all: 'One.'", "text is not printed at all: 'Two.'"],
            "text is not printed at all: 'One.' and more",
        ),
    ],
)  # fmt: skip
def test_figures_and_words_that_differ(kind: str, messages: list[str], together: str) -> None:
    problems = [
        Problem(LINE, message, kind, subject=face)
        for message, face in zip(messages, faces(2), strict=True)
    ]
    assert told(problems) == [
        f"templates/loot.html:4: error: loot/card-0 [en] front, loot/card-1 [en] front: "
        f"{together} [{kind}]"
    ]


def test_cards_on_lines_of_their_own_are_told_there_while_they_are_few() -> None:
    def missing(count: int) -> list[Problem]:
        return [
            Problem(Source("cards/loot.yaml", 9 + n), "'name' is missing", "fields",
                    subject=Subject("loot", f"card-{n}"))
            for n in range(count)
        ]  # fmt: skip

    assert len(told(missing(3))) == 3
    assert told(missing(4)) == [
        "cards/loot.yaml:9: error: loot/card-0, loot/card-1, loot/card-2 and 1 more: "
        "'name' is missing [fields]"
    ]


def test_decks_that_share_a_line() -> None:
    problems = [
        Problem(Source("cards/kind.yaml", 2), "no size", "size", subject=Subject(deck))
        for deck in ("units", "loot")
    ]
    assert told(problems) == ["cards/kind.yaml:2: error: loot, units: no size [size]"]


def test_a_problem_of_nobody_stays_as_it_is() -> None:
    problem = Problem(LINE, "a", "template")
    assert problem.subject == WHOLE_GAME
    assert group_problems([problem, problem]) == [problem]


GAME = {
    "game.yaml": "title: {en: Game, hi: Game}\nlanguages: [en, hi]\n",
    "cards/loot.yaml": "deck: loot\ntitle: {en: Loot, hi: Loot}\nsize: poker\nfront: loot.html\n"
    "fields: {name: text}\ncards:\n  - {id: school, name: {en: School}}\n",
    "cards/units.yaml": "deck: units\ntitle: {en: Units, hi: Units}\nsize: poker\n"
    "front: loot.html\nfields: {name: text, cash: integer}\ncards:\n"
    "  - {id: tank, name: {en: Tank, hi: Tank}}\n",
    "templates/loot.html": "<p style='margin: 6mm'>{{ card.name }}</p>",
}
NO_HINDI = "cards/loot.yaml:7: error: loot/school [hi]: 'name' has no text [language]\n"


def run(root: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, [words[0], str(root), *words[1:]])


def test_a_language_that_is_not_built_is_told_and_stops_nothing(make_game: MakeGame) -> None:
    root = make_game(GAME)
    result = run(root, "build", "sheets", "--lang", "en")
    assert (result.exit_code, result.stderr) == (0, NO_HINDI)
    assert result.stdout.startswith(
        "Game: 2 faces, 2 typeset; no problems (1 in what is not built)"
    )
    assert (root / "build/en/sheets/loot.pdf").exists()
    assert run(root, "build", "sheets", "--lang", "en", "--strict").exit_code == 0
    assert run(root, "printed", "--lang", "en").exit_code == 0
    for words in (("check",), ("build",), ("build", "sheets"), ("build", "sheets", "--lang", "hi")):
        result = run(root, *words)
        assert (result.exit_code, result.stderr) == (1, NO_HINDI), words
        assert "1 error" in result.stdout


def test_a_deck_that_is_not_built_is_told_and_stops_nothing(make_game: MakeGame) -> None:
    wrong = GAME["cards/units.yaml"].replace("id: tank", "id: tank, cash: much")
    root = make_game({**GAME, "cards/units.yaml": wrong})
    result = run(root, "build", "sheets", "--deck", "loot", "--lang", "en")
    assert result.exit_code == 0
    assert "cards/units.yaml:7: error: units/tank: 'cash' is 'much'; " in result.stderr
    assert run(root, "build", "sheets", "--deck", "units", "--lang", "en").exit_code == 1


def test_the_title_of_a_deck_in_another_language(make_game: MakeGame) -> None:
    """Its layout does not wait for what is not built."""
    wrong = GAME["cards/units.yaml"].replace("{en: Units, hi: Units}", "{en: Units}")
    root = make_game({**GAME, "cards/units.yaml": wrong})
    result = run(root, "build", "sheets", "--deck", "units", "--lang", "en")
    assert (result.exit_code, "cards/units.yaml:2" in result.stderr) == (0, True)
    assert (root / "build/en/sheets/units.pdf").exists()


@pytest.mark.parametrize(
    ("name", "text", "needed", "told"),
    [
        ("rulebook/en.md", "# Game\n\n{{ lost }}\n", "rulebook", False),
        ("table.yaml", "width: 1\n", "folder", True),
    ],
)
def test_books_and_tables_stop_what_shows_them(
    make_game: MakeGame, name: str, text: str, needed: str, told: bool
) -> None:
    """Sheets are not even told what is wrong with books: they wait for none."""
    whole = GAME["cards/loot.yaml"].replace("en: School", "en: School, hi: School")
    root = make_game({**GAME, "cards/loot.yaml": whole, name: text, "rulebook/hi.md": "# Game\n"})
    result = run(root, "build", "sheets")
    assert (result.exit_code, f"{name}:" in result.stderr) == (0, told)
    assert run(root, "build", needed).exit_code == 1
    assert run(root, "build").exit_code == 1


def test_a_simulation_of_a_deck_that_cannot_be_read_is_no_bug(make_game: MakeGame) -> None:
    rule = (
        "{id: fill, simulate: loot, turn: {draw: loot}, turns: 2, measure: turn, at_most: 3,"
        " because: it is short}"
    )
    files = {name: text for name, text in GAME.items() if "units" not in name}
    root = make_game({**files, "cards/rules.yaml": f"rules: [{rule}]"})
    assert "fill: turn comes to" in run(root, "check").stdout
    (root / "cards/loot.yaml").write_text("")
    result = run(root, "check")
    assert isinstance(result.exception, SystemExit)  # and no other error
    assert "cards/loot.yaml: error: the file is empty" in result.stderr
    assert "comes to" not in result.stdout

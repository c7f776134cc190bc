"""Problems for machines, and colours for people."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from conftest import Cardgen

from cardgen.cli import problem_formats
from cardgen.cli.terminal import capture_lines, print_lines
from cardgen.core.problems import Problem, Source, Subject

MISSPELT = Problem(
    Source("cards/a,b:c.yaml", 8), "100 % wrong:\nreally", "fields", subject=Subject("a", "tug")
)
WHOLE = Problem(Source("art/kuu hölmö.svg"), "is missing", "art", "warning")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_WORKSPACE", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


def test_workflow_commands_are_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert problem_formats.format_github([MISSPELT, WHOLE], tmp_path / "game") == [
        (True, "::warning file=game/art/kuu hölmö.svg,title=art::is missing"),
        (
            True,
            "::error file=game/cards/a%2Cb%3Ac.yaml,line=8,title=fields::"
            "a/tug: 100 %25 wrong:%0Areally",
        ),
    ]


def test_files_are_called_as_the_repository_calls_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the workspace has them, or the nearest repository, or the folder in which one stands."""
    game = tmp_path / "games/one"
    game.mkdir(parents=True)
    monkeypatch.chdir(game)
    assert "file=art/" in problem_formats.format_github([WHOLE], game)[0][1]
    (tmp_path / ".git").mkdir()
    assert "file=games/one/art/" in problem_formats.format_github([WHOLE], game)[0][1]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "games"))
    assert "file=one/art/" in problem_formats.format_github([WHOLE], game)[0][1]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "elsewhere"))
    assert "file=games/one/art/" in problem_formats.format_github([WHOLE], game)[0][1]


def many(count: int) -> list[Problem]:
    return [
        Problem(Source("cards/a.yaml", line), f"wrong {line}", "id") for line in range(1, count)
    ]


def test_github_shows_ten_of_each_severity(tmp_path: Path) -> None:
    """The tenth tells that there are more, and these are plain lines of the log."""
    lines = problem_formats.format_github(many(15), tmp_path)
    commands = [line for is_command, line in lines if is_command]
    assert len(commands) == problem_formats.MAX_ANNOTATIONS
    assert commands[-1] == "::error title=cardgen::5 more errors are in the log of this step"
    plain = [line for is_command, line in lines if not is_command]
    assert plain == [f"cards/a.yaml:{n}: error: wrong {n} [id]" for n in range(10, 15)]
    assert all(is_command for is_command, _ in problem_formats.format_github(many(11), tmp_path))


def test_sarif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the standard and GitHub ask for: a tool with its rules, and results at places by URI."""
    monkeypatch.chdir(tmp_path)
    game = tmp_path / "games/one"
    broken = Problem(Source("cards/rules.yaml", 3), "5 asked", "loot-size")
    made = json.loads(json.dumps(problem_formats.format_sarif([MISSPELT, WHOLE, broken], game)))
    assert (made["version"], len(made["runs"])) == ("2.1.0", 1)
    (run,) = made["runs"]
    assert run["automationDetails"] == {"id": "cardgen/games/one/"}
    assert "%SRCROOT%" in run["originalUriBaseIds"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "cardgen"
    rules = {rule["id"]: rule for rule in driver["rules"]}
    assert list(rules) == ["art", "fields", "loot-size"]
    for rule in rules.values():
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        assert "name" not in rule, "it would say no more than the id"
    assert "own rule" in rules["loot-size"]["shortDescription"]["text"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning"}
        (location,) = result["locations"]
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        assert place["region"]["startLine"] >= 1
        assert result["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")
    art, misspelt, _ = run["results"]
    place = art["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "games/one/art/kuu%20h%C3%B6lm%C3%B6.svg"
    assert misspelt["locations"][0]["physicalLocation"]["region"] == {"startLine": 8}
    assert misspelt["message"] == {"text": "a/tug: 100 % wrong:\nreally"}


def fingerprints(problems: list[Problem], root: Path) -> list[str]:
    results = problem_formats.format_sarif(problems, root)["runs"][0]["results"]
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]


def test_a_finding_is_one_over_commits(tmp_path: Path) -> None:
    """Another line or figure makes no other finding of it; another file or word does."""

    def found(path: str, line: int, message: str) -> Problem:
        return Problem(Source(path, line), message, "overflow")

    first = fingerprints([found("a.html", 3, "1.2 mm too much")], tmp_path)
    assert fingerprints([found("a.html", 9, "0.4 mm too much")], tmp_path) == first
    assert fingerprints([found("b.html", 3, "1.2 mm too much")], tmp_path) != first
    assert fingerprints([found("a.html", 3, "1.2 mm too wide")], tmp_path) != first
    both = fingerprints([found("a.html", 3, "1 mm off"), found("a.html", 4, "2 mm off")], tmp_path)
    assert len({*both}) == 2, "two of a kind in one file are two"


def test_a_games_words_are_no_commands_of_a_workflow(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("::error::mine", "  ::add-mask::e", "a ##[command]b", "a :: b")
    print_lines(*words)
    assert capsys.readouterr().out.splitlines() == [*words]
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    print_lines(*words)
    said = capsys.readouterr().out.splitlines()
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in said)
    assert said[-1] == "a :: b"
    print_lines("::error::ours", command=True)
    assert capsys.readouterr().out == "::error::ours\n"


@pytest.mark.parametrize("command", [("check",), ("build", "sheets")])
@pytest.mark.parametrize("form", ["sarif", "json"])
def test_a_document_stands_alone(
    cardgen: Cardgen, root: Path, command: tuple[str, ...], form: str
) -> None:
    path = root / "templates/note.html"
    path.write_text(path.read_text().replace("left: 20mm", "left: 1mm"))
    result = cardgen(*command, "--problems", form)
    told = json.loads(result.out)
    found = told["runs"][0]["results"] if form == "sarif" else told
    assert result.code == 0
    assert len(found) == (1 if form == "sarif" else 4), "a mistake, or each of its cards"
    assert "1 warning" in result.err


def test_commands_for_a_workflow_are_lines_among_others(cardgen: Cardgen, root: Path) -> None:
    path = root / "cards/notes.yaml"
    path.write_text(path.read_text().replace("value: 5", "vaule: 5"))
    result = cardgen("check", "--problems", "github")
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines() == [
        "::error file=cards/notes.yaml,line=8,title=fields::"
        "notes/five: unknown field 'vaule'; did you mean 'value'?",
        "Pieni: 2 decks, 12 faces, 0 rules; 1 error",
    ]


LINE = "cards/a.yaml:8: error: 'x' is: error: what? [type]"
COLOURED = "cards/a.yaml:8: \x1b[1;31merror\x1b[0m: 'x' is: error: what? [type]"


@pytest.mark.parametrize(
    ("variables", "terminal", "told"),
    [
        ({}, False, LINE),
        ({}, True, COLOURED),
        ({"NO_COLOR": "1"}, True, LINE),
        ({"NO_COLOR": ""}, True, COLOURED),
        ({"TERM": "dumb"}, True, LINE),
        ({"FORCE_COLOR": "1"}, False, COLOURED),
        ({"FORCE_COLOR": "0"}, True, LINE),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, LINE),
    ],
)
def test_colours_are_for_severities_on_a_terminal(
    variables: dict[str, str],
    terminal: bool,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name, value in {"TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    print_lines(LINE, err=True)
    print_lines(LINE)
    assert capsys.readouterr() == (f"{LINE}\n", f"{told}\n")


def test_what_is_kept_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with capture_lines() as lines:
        print_lines(LINE, err=True)
    assert lines == [(True, LINE)]
    assert os.environ["FORCE_COLOR"] == "1"


def test_sarif_holds_no_more_than_is_shown(tmp_path: Path) -> None:
    """GitHub refuses a file with far more; what is left out are warnings before errors."""
    many = [
        Problem(Source("game.yaml", number), f"wrong {number}", "art", severity)
        for number in range(1, 3001)
        for severity in ("warning", "error")
    ]
    (run,) = problem_formats.format_sarif(many, tmp_path)["runs"]
    levels = [result["level"] for result in run["results"]]
    assert (len(levels), levels.count("error")) == (problem_formats.MAX_RESULTS, 3000)

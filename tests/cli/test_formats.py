"""Problems for machines, and colours for people."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from conftest import Cardgen

from cardgen.base.problems import Problem, Source, Subject
from cardgen.cli import formats, saying
from cardgen.cli.saying import say

MISSPELT = Problem(
    Source("cards/a,b:c.yaml", 8), "100 % wrong:\nreally", "fields", subject=Subject("a", "tug")
)
WHOLE = Problem(Source("art/kuu hölmö.svg"), "is missing", "art", "warning")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)


def test_workflow_commands_are_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert formats.github([MISSPELT, WHOLE], tmp_path / "game") == [
        "::warning file=game/art/kuu hölmö.svg,title=art::is missing",
        "::error file=game/cards/a%2Cb%3Ac.yaml,line=8,title=fields::"
        "a/tug: 100 %25 wrong:%0Areally",
    ]


def test_files_are_called_as_the_workspace_calls_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "games/one"
    game.mkdir(parents=True)
    monkeypatch.chdir(game)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert "file=games/one/art/" in formats.github([WHOLE], game)[0]
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "elsewhere"))
    assert "file=art/" in formats.github([WHOLE], game)[0]


def test_sarif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the standard asks for: a tool with its rules, and results at places by URI."""
    monkeypatch.chdir(tmp_path)
    made = json.loads(json.dumps(formats.sarif([MISSPELT, WHOLE], tmp_path)))
    assert made.keys() == {"$schema", "version", "runs"}
    assert made["version"] == "2.1.0"
    (run,) = made["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "cardgen"
    rules = [rule["id"] for rule in driver["rules"]]
    assert rules == ["art", "fields"]
    assert {result["ruleId"] for result in run["results"]} <= set(rules)
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note", "none"}
    art, misspelt = run["results"]
    assert art["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "art/kuu%20h%C3%B6lm%C3%B6.svg"}}}
    ]
    assert misspelt["locations"][0]["physicalLocation"]["region"] == {"startLine": 8}
    assert misspelt["message"] == {"text": "a/tug: 100 % wrong:\nreally"}


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
    say(LINE, err=True)
    say(LINE)
    assert capsys.readouterr() == (f"{LINE}\n", f"{told}\n")


def test_what_is_kept_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with saying.held() as lines:
        say(LINE, err=True)
    assert lines == [(True, LINE)]
    assert os.environ["FORCE_COLOR"] == "1"

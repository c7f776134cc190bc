"""What reaches the terminal: a stranger's names are shown to the letter, and obeyed nowhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from conftest import MakeGame
from test_problems import LOOT, MARGIN

from cardgen.cli.terminal import escape_control_chars, format_path

NAMES = {
    "plain words – ä é ナ 🎲": "plain words – ä é ナ 🎲",
    "\x1b[2J\x1b]0;title\x07": r"\x1b[2J\x1b]0;title\x07",
    "one\ntwo\r\tthree": r"one\ntwo\r\tthree",
    "\x00\x7f\x85\x9b": r"\x00\x7f\x85\x9b",
    "a\u202eb\u2066c\u200ed\u061c": r"a\u202eb\u2066c\u200ed\u061c",
    "a\u2028b\ufeffc\u200bd": r"a\u2028b\ufeffc\u200bd",
    "\ud800": r"\ud800",
    "\U000e0041": r"\U000e0041",
    # What words are written with: soft hyphen, joiner, non-joiner.
    "Hin\u00adaaja \u200d \u200c": "Hin\u00adaaja \u200d \u200c",
}


@pytest.mark.parametrize(("text", "shown"), NAMES.items())
def test_what_a_terminal_would_obey_is_shown(text: str, shown: str) -> None:
    assert escape_control_chars(text) == shown


def test_nothing_is_sent_that_a_terminal_obeys() -> None:
    every = "".join(map(chr, range(0x110000)))
    left = {unicodedata.category(sign) for sign in escape_control_chars(every)}
    assert left & {"Cc", "Cs", "Zl", "Zp"} == set()
    assert {sign for sign in escape_control_chars(every) if unicodedata.category(sign) == "Cf"} == {
        "\u00ad",
        "\u200c",
        "\u200d",
    }


def cardgen(root: Path, *words: str, encoding: str = "utf-8") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "cardgen", *words],
        cwd=root,
        env={**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"},
        capture_output=True,
        check=False,
    )


@pytest.fixture
def game(make_game: MakeGame) -> Path:
    """A game whose title, fields and file names reach for the terminal."""
    return make_game(
        {
            "game.yaml": 'title: "T\\u00e4ti\\u202e\\n"\nlanguages: [en]\n',
            "cards/loot.yaml": LOOT.replace("fields", "styles: [loot.css]\nfields")
            + '  - {id: one, name: "On\\u2066\\N\\L", "f\\u202e\\nx": 1}\n',
            "cards/\x1b[31m.yaml": "x",
            "templates/loot.html": MARGIN,
            "templates/loot.css": 'p { colour: "\x1b[1m" }\n',
        }
    )


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_problems_are_one_line_each(game: Path, encoding: str) -> None:
    result = cardgen(game, "check", encoding=encoding)
    title = {"ascii": r"T\xe4ti", "latin-1": "Täti", "utf-8": "Täti"}[encoding]
    assert result.returncode == 1
    assert result.stderr.decode(encoding).splitlines() == [
        r"cards/\x1b[31m.yaml:1: error: a deck file begins with 'deck: \x1b[31m', "
        r"a shared one with 'kind: \x1b[31m' [file]",
        r"cards/loot.yaml:8: error: loot/one: unknown field 'f\u202e\nx'; "
        r"known: back, copies, front, id, name; declare it under fields: {f\u202e\nx: text} "
        "[fields]",
        r"""templates/loot.css:1: warning: loot: 'colour: "\x1b[1m"' is ignored: """
        "unknown property; did you mean 'color'? [css]",
        r"templates/loot.html:1: error: loot/one [en] front: no glyph for "
        r"'\x85' (U+0085), '\u2028' (U+2028) in Roboto Condensed; remove it, it is a control "
        "character [glyph]",
    ]
    assert result.stdout.decode(encoding).startswith(rf"{title}\u202e\n: 1 deck, ")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_lists_hold_no_line_of_the_games_own(game: Path, encoding: str) -> None:
    told = cardgen(game, "list", encoding=encoding).stdout.decode(encoding).split("\n")
    assert len(told) == 5
    assert told[3].endswith(r"name: On\u2066\x85\u2028")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
@pytest.mark.parametrize("command", ["check", "list"])
def test_json_holds_all_to_the_letter_and_escaped(game: Path, command: str, encoding: str) -> None:
    words = (command, "--json") if command == "list" else (command, "--problems", "json")
    printed = cardgen(game, *words, encoding=encoding).stdout.decode(encoding)
    assert escape_control_chars(printed.replace("\n", "")) == printed.replace("\n", "")
    told = json.loads(printed)
    if command == "check":
        assert told[0]["path"] == "cards/\x1b[31m.yaml"
        assert "'f\u202e\nx'" in told[1]["message"]
    else:
        assert told["title"]["en"] == "Täti\u202e\n"
        assert told["decks"][0]["pieces"][0]["fields"]["name"]["en"] == "On\u2066\x85\u2028"


def test_a_wrong_usage_is_told_alike(game: Path) -> None:
    result = cardgen(game, "build", "she\x1b[2Jets")
    assert result.returncode == 2
    assert (
        result.stderr.decode()
        .splitlines()[-1]
        .startswith(r"Error: 'she\x1b[2Jets' is neither a game folder nor an output")
    )
    assert b"\x1b" not in result.stderr
    assert rb"\udcff" in cardgen(game, "build", os.fsdecode(b"\xff")).stderr


def test_a_link_is_named_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is told to remove it does not remove what it leads to."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "build").symlink_to(tmp_path / "cards")
    monkeypatch.chdir(tmp_path)
    assert format_path(tmp_path / "build") == "build"
    assert format_path(Path()) == "."

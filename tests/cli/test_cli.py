"""The command line: what is printed, where, and the exit code."""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Cardgen, Result
from small_games import contents, edit

from cardgen import __version__, system_libraries
from cardgen.pipeline import build


def spoil(root: Path) -> None:
    """A card with a misspelt field."""
    edit(root, "cards/notes.yaml", "value: 5", "vaule: 5")


def warn(root: Path) -> None:
    """A text in the unsafe margin."""
    edit(root, "templates/note.html", "left: 20mm", "left: 1mm")


SPOILT = (
    "cards/notes.yaml:8: error: notes/five: unknown field 'vaule'; did you mean 'value'? [fields]\n"
)


def test_check_of_a_sound_game(cardgen: Cardgen) -> None:
    result = cardgen("check")
    assert result == Result(0, "Pieni: 2 decks, 12 faces, 0 rules; no problems\n", "")


def test_check_tells_what_is_wrong_and_fails(cardgen: Cardgen, root: Path) -> None:
    spoil(root)
    result = cardgen("check")
    assert (result.code, result.err) == (1, SPOILT)
    assert result.out == "Pieni: 2 decks, 12 faces, 0 rules; 1 error\n"


def test_warnings_fail_only_when_strict(cardgen: Cardgen, root: Path) -> None:
    warn(root)
    result = cardgen("check")
    assert (result.code, result.out.endswith("; 1 warning\n")) == (0, True)
    assert cardgen("check", "--strict").code == 1
    assert cardgen("build").code == 0
    assert cardgen("build", "--strict").code == 1


def test_check_as_json(cardgen: Cardgen, root: Path) -> None:
    assert json.loads(cardgen("check", "--problems", "json").out) == []
    spoil(root)
    result = cardgen("check", "--problems", "json")
    assert (result.code, result.err) == (1, "Pieni: 2 decks, 12 faces, 0 rules; 1 error\n")
    assert json.loads(result.out) == [
        {
            "path": "cards/notes.yaml",
            "line": 8,
            "severity": "error",
            "message": "notes/five: unknown field 'vaule'; did you mean 'value'?",
            "kind": "fields",
        }
    ]


LISTED = """Pieni · fi, en · 2 decks, 7 pieces

loot · Saalis · 4 × 63.5 × 88.9 mm, two-sided
  1 × barn  name: Lato, text: Ota {coin} ja lähde., art: house
  3 × shop  name: Kauppa, text: Maksa 5 €., art: house

notes · Setelit · 3 × 60 × 40 mm, one-sided
  2 × one  value: 1
  1 × five  value: 5

sleeves · 4 × 63.5 × 88.9 mm, one of these:
  1 × Mayday Standard Card Game (100 a packet)
  1 × Mayday Premium Standard Card Game (50 a packet)
  1 × Sleeve Kings Standard Card Game (110 a packet)
  1 × Gamegenic Prime Standard Card Game (50 a packet)
"""


def test_list(cardgen: Cardgen) -> None:
    assert cardgen("list") == Result(0, LISTED, "")


def test_list_as_json(cardgen: Cardgen) -> None:
    told = json.loads(cardgen("list", "--json").out)
    assert [(deck["id"], deck["count"]) for deck in told["decks"]] == [("loot", 4), ("notes", 3)]
    assert told["decks"][0]["pieces"][0] == {
        "id": "barn",
        "copies": 1,
        "player": None,
        "line": "cards/loot.yaml:9",
        "fields": {
            "name": {"fi": "Lato", "en": "Barn"},
            "text": {"fi": "Ota {coin} ja lähde.", "en": "Take {coin} – and leave."},
            "art": "house",
        },
    }


def test_list_of_a_spoilt_game_says_so(cardgen: Cardgen, root: Path) -> None:
    spoil(root)
    result = cardgen("list")
    assert (result.code, result.err) == (1, "1 error; run 'cardgen check' to see them\n")


def test_build_says_what_it_made_and_where(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/loot.yaml", "Lato", "Navetta")
    result = cardgen("build", "sheets", "images", "--dpi", "72")
    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0] == "Pieni: 12 faces, 1 typeset; no problems"
    assert lines[5].startswith("  build/fi/images: 6 files, ")
    assert lines[5].endswith(" kB, 1 new")
    assert [line.partition(": ")[0] for line in lines[1:9]] == [
        "  build/en/images",
        "  build/en/sheets",
        "  build/en/sheets-one-sided.pdf",
        "  build/en/sheets.pdf",
        "  build/fi/images",
        "  build/fi/sheets",
        "  build/fi/sheets-one-sided.pdf",
        "  build/fi/sheets.pdf",
    ]
    assert lines[4].endswith(", unchanged")
    assert lines[-1].startswith("done in ")


def test_a_build_that_fails_says_that_nothing_changed(cardgen: Cardgen, root: Path) -> None:
    spoil(root)
    before = contents(root / "build")
    result = cardgen("build")
    assert (result.code, result.err) == (1, SPOILT)
    assert result.out == "1 error; nothing was changed in build\n"
    assert contents(root / "build") == before


def test_removed_files_are_counted(cardgen: Cardgen, root: Path) -> None:
    edit(root, "cards/notes.yaml", "  - {id: five, value: 5}\n", "")
    assert "  2 files of earlier builds removed" in cardgen("build").out.splitlines()


def test_a_part_of_a_build(cardgen: Cardgen, root: Path) -> None:
    folder = root / "part"
    asked = ("build", "images", "--lang", "en", "--deck", "notes", "--dpi", "50", "-o", "part")
    assert cardgen(*asked).code == 0
    assert sorted(contents(folder)) == [
        ".cardgen.json",
        "en/images/notes/five.png",
        "en/images/notes/one.png",
    ]


def test_clean(cardgen: Cardgen, root: Path) -> None:
    assert cardgen("clean") == Result(0, "build: 20 files removed\n", "")
    assert contents(root / "build") == {}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["build", "--deck", "lot"], "Error: no deck 'lot'; did you mean 'loot'?"),
        (["build", "sheet"],
         "Error: 'sheet' is neither a game folder nor an output; did you mean 'sheets'?"),
        (["build", "--lang", "sv"], "Error: no language 'sv'; known: en, fi"),
        (["build", "--paper", "leter"], "Error: unknown paper 'leter'; did you mean 'letter'?"),
        (["build", "--backs", "long"],
         "Error: Invalid value for '--backs': 'long' is not one of 'duplex-long', 'duplex-short', "
         "'gutterfold', 'none', 'only'."),
        (["build", "--dpi", "9"],
         "Error: Invalid value for '--dpi': 9 is not in the range 50<=x<=1200."),
        (["build", "--margin", "10,5,5,99"],
         "Error: Invalid value for '--margin': '10,5,5,99' is not a length from 0 to 50 mm, or "
         "top, right, bottom and left: 10,5,5,5."),
        (["build", "--gap", "4,0"],
         "Error: Invalid value for '--gap': '4,0' is not a length from 0 to 50 mm, or two, across "
         "and down, such as 4x0."),
        (["build", "--grid", "2"],
         "Error: Invalid value for '--grid': '2' is not columns and rows, such as 2x3."),
        (["build", "--grid", "2x3", "--stock", "avery-5371"],
         "Error: avery-5371 has its own places; leave --grid out"),
        (["check", "nowhere"], "Error: nowhere is not a game folder: it has no game.yaml"),
        (["build", "cards"], "Error: cards is not a game folder: it has no game.yaml"),
        (["check", "--stirct"],
             "Error: No such option '--stirct'. (Did you mean one of: '--store', '--strict'?)"),
    ],
)  # fmt: skip
def test_wrong_usage(cardgen: Cardgen, arguments: list[str], line: str) -> None:
    result = cardgen(*arguments)
    assert (result.code, result.out, result.error) == (2, "", line)


def test_the_nearest_game_upward(cardgen: Cardgen, root: Path, tmp_path: Path) -> None:
    assert cardgen("list", at=root / "cards").out == LISTED
    result = cardgen("list", at=tmp_path)
    assert result.code == 2
    assert result.error == "Error: no game.yaml here or in any folder above; name the game folder"


def test_the_game_may_be_named(cardgen: Cardgen, root: Path, tmp_path: Path) -> None:
    assert cardgen("list", "game", at=tmp_path).out == LISTED
    assert cardgen("list", "game/game.yaml", at=tmp_path).out == LISTED
    result = cardgen("build", "game", "sheets", at=tmp_path)
    assert "  game/build/en/sheets.pdf: 1 file, " in result.out
    assert "images" not in result.out


def test_paper_by_its_measures(cardgen: Cardgen, root: Path) -> None:
    assert cardgen("build", "sheets", "--paper", "450x320", "-o", "wide").code == 0
    assert "en/sheets.pdf" in contents(root / "wide")


def test_paper_too_small_is_a_problem(cardgen: Cardgen) -> None:
    result = cardgen("build", "sheets", "--paper", "70x70")
    assert result.code == 1
    assert result.err == (
        "cards/loot.yaml:1: error: loot (63.5 × 88.9 mm) does not fit 70x70 paper with 5 mm "
        "margins, which takes 60 × 60 mm; it fits a4, letter, a3, legal, tabloid, a2 [paper]\n"
    )


def test_version(cardgen: Cardgen) -> None:
    assert cardgen("--version").out == f"cardgen, version {__version__}\n"


def failing(error: BaseException) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


def test_a_bug_says_where_to_report_it(
    root: Path, cardgen: Cardgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "check", failing(RuntimeError("secret card")))
    result = cardgen("check")
    assert result.code == 3
    assert "cardgen/cli/build_commands.py:" in result.err
    assert f"cardgen {__version__} check, Python 3." in result.err
    assert f"This is a bug in cardgen {__version__}, not in your game." in result.err
    assert not any(word in result.err for word in ("secret card", str(root), str(Path.home())))
    monkeypatch.setenv("CARDGEN_REPORT", "full")
    assert "RuntimeError: secret card" in cardgen("check").err


def run_in_shell(line: str, folder: Path) -> tuple[int, str]:
    """The exit code of a line of bash in which `cardgen` is this one, and all that it prints."""
    told = f'cardgen() {{ "{sys.executable}" -P -m cardgen "$@"; }}; set -o pipefail; {line}'
    done = subprocess.run(
        ["bash", "-c", told], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="asks bash")
def test_streams_that_are_closed_or_not_read(root: Path) -> None:
    for line in ("cardgen looks >&-", "cardgen looks <&- >&- 2>&-", "cardgen --help <&-"):
        code, told = run_in_shell(line, root)
        assert (code, "Traceback" in told) == (0, False), line
    assert run_in_shell("cardgen looks | head -1", root)[0] == 0
    # What is opened first must not get the number of the closed stream, and what is printed.
    assert run_in_shell("cardgen list 2>&-", root)[0] == 0
    before = {path: path.read_bytes() for path in root.rglob("*.yaml")}
    assert run_in_shell("cardgen check >&- 2>&-", root)[0] == 0
    assert {path: path.read_bytes() for path in root.rglob("*.yaml")} == before


@pytest.mark.skipif(shutil.which("bash") is None, reason="asks bash")
def test_what_the_machine_refuses_is_no_bug(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    long, gone = "n" * 300, tmp_path / "gone"
    for line, expected in (
        (f"cardgen build sheets -o {tmp_path}/file/x", f"{tmp_path}/file/x: Not a directory"),
        (f"cardgen build sheets -o {tmp_path}/{long}", "File name too long"),
        (f"cardgen texts export --to sv -o {tmp_path}/file/x.csv", "Not a directory"),
        (f"mkdir {gone}; cd {gone}; rmdir {gone}; cardgen check", "current folder was removed"),
    ):  # fmt: skip
        code, told = run_in_shell(line, root)
        assert (code in {1, 2}, expected in told) == (True, True), told
    code, told = run_in_shell("ulimit -v 600000; cardgen check --strict", root)
    assert not any(words in told for words in ("3 GB", "This is a bug")), told


def test_interrupted(cardgen: Cardgen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "check", failing(KeyboardInterrupt()))
    result = cardgen("check")
    assert (result.code, result.err.strip()) == (130, ""), "the supervisor says so"


@pytest.mark.parametrize("name", [None, "/dev/null"])
def test_what_the_machine_lacks_is_told_without_a_place(
    name: str | None, cardgen: Cardgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OSError(errno.EMFILE, "Too many open files", name)
    monkeypatch.setattr(build, "check", failing(error))
    result = cardgen("check")
    expected = "error: too many files are open; allow more (ulimit -n), or end programs\n"
    assert (result.code, result.err) == (1, expected)


def test_a_missing_library_is_told_with_the_way_to_get_it(
    cardgen: Cardgen, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = OSError("cannot load library 'libgobject-2.0-0': libgobject-2.0-0: No such file")
    monkeypatch.setattr(build, "check", failing(error))
    monkeypatch.setattr(system_libraries, "detect_system", lambda: "Fedora")
    result = cardgen("check")
    assert (result.code, result.err) == (
        1,
        "the system library Pango for typesetting cannot be loaded; "
        "on Fedora: sudo dnf install pango harfbuzz\n",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="libraries are found otherwise there")
@pytest.mark.parametrize("command", ["build", "check", "printed"])
def test_without_pango_one_line_says_what_to_type(
    root: Path, tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "libraries"
    broken.mkdir()
    for name in ("libpango-1.0.so.0", "libpangoft2-1.0.so.0", "libharfbuzz-subset.so.0"):
        (broken / name).write_text("no library")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(broken))
    edit(root, "templates/loot.html", "<img", "<br><img")
    result = run_python(root, command, seed="0")
    assert (result.returncode, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(
        "the system libraries Pango, Pango FT2 and HarfBuzz-Subset for typesetting cannot be "
        "loaded; on "
    )


@pytest.mark.parametrize(
    ("release", "system"),
    [
        ({"ID": "debian"}, "Debian or Ubuntu"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "Debian or Ubuntu"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "Fedora"),
        ({"ID": "manjaro", "ID_LIKE": "arch"}, "Arch"),
        ({"ID": "alpine"}, "Alpine"),
        ({"ID": "nixos"}, ""),
    ],
)
def test_systems_are_known_by_what_they_are_like(
    release: dict[str, str], system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: release)
    assert system_libraries.detect_system() == system


def test_a_missing_library_on_a_system_unknown() -> None:
    """All commands are told; the reader knows the machine."""
    said = system_libraries.format_missing_libraries(["Pango", "HarfBuzz-Subset"], "")
    assert said.startswith("the system libraries Pango and HarfBuzz-Subset for typesetting cannot")
    assert all(
        f"on {name}: {how}" in said for name, how in system_libraries.INSTALL_COMMANDS.items()
    )


def test_no_right_to_write_is_no_bug(cardgen: Cardgen, monkeypatch: pytest.MonkeyPatch) -> None:
    error = PermissionError(13, "Permission denied", "/somewhere/build")
    monkeypatch.setattr(build, "check", failing(error))
    result = cardgen("check")
    assert (result.code, result.err) == (1, "/somewhere/build: Permission denied\n")


def run_python(root: Path, *arguments: str, seed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cardgen", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ulimit")
@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ("-f 4", "files may not grow so large here; lift the limit (ulimit -f, or the disk's own)"),
        ("-f 0", "No usable temporary directory found in"),
        ("-n 8", "too many files are open; allow more (ulimit -n)"),
        ("-s 128", "the stack is too small; allow more (ulimit -s)"),
    ],
)
@pytest.mark.parametrize("into_file", [False, True])
def test_where_the_system_allows_next_to_nothing_it_says_so(
    limit: str, why: str, into_file: bool, tmp_path: Path
) -> None:
    line = f'ulimit {limit}; exec "$0" -P -m cardgen --version'
    with (tmp_path / "printed").open("w+", encoding="utf-8") as file:
        result = subprocess.run(
            ["sh", "-c", line, sys.executable], stdout=subprocess.PIPE, text=True, check=False,
            stderr=file if into_file else subprocess.PIPE,
        )  # fmt: skip
        file.seek(0)
        told = file.read() if into_file else result.stderr
    assert result.returncode == 1
    is_lost = into_file and limit == "-f 0"  # not even a line fits into the file
    assert told.startswith("" if is_lost else f"cardgen cannot start: {why}"), told
    assert told.count("\n") == (0 if is_lost else 1)


def test_another_process_makes_the_same_bytes(root: Path) -> None:
    """Whatever order Python's sets have in it; and in a pipe no progress bar is drawn."""
    before = contents(root / "build")
    result = run_python(root, "build", "sheets", "images", "--fresh", "--dpi", "72", seed="4242")
    assert (result.returncode, result.stderr) == (0, "")
    assert contents(root / "build") == before


def test_a_closed_pipe_is_no_bug(root: Path) -> None:
    """`cardgen list | head -1` ends quietly."""
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [sys.executable, "-m", "cardgen", "list"],
        cwd=root, stdout=writer, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writer)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("word", ["", "x", "9" * 5000, "-1"])
def test_what_is_set_as_no_shell_does_completes_nothing(word: str, root: Path) -> None:
    odd = {"_CARDGEN_COMPLETE": "bash_complete", **({"COMP_CWORD": word} if word else {})}
    result = subprocess.run(
        [sys.executable, "-m", "cardgen"],
        cwd=root, env={**os.environ, **odd}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (0, "")


def completed(root: Path, *words: str) -> list[str]:
    """What a shell is told after these words, of which the last is begun."""
    around = {
        "_CARDGEN_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["cardgen", *words]),
        "COMP_CWORD": str(len(words)),
    }
    result = subprocess.run(
        [sys.executable, "-m", "cardgen"],
        cwd=root,
        env={**os.environ, **around},
        capture_output=True,
        text=True,
        check=False,
    )
    return [line.partition(",")[2] for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("build", "--deck", "lo"), ["loot"]),
        (("build", "--lang", ""), ["en", "fi"]),
        (("build", "she"), ["sheets"]),
        (("build", "--backs", "dup"), ["duplex-long", "duplex-short"]),
        (("che",), ["check", "check-files", "check-tts"]),
    ],
)
def test_words_are_completed(root: Path, words: tuple[str, ...], found: list[str]) -> None:
    assert completed(root, *words) == found


@pytest.mark.parametrize(
    ("languages", "told"),
    [
        ('["en;touch x", "$(id)", "fi", "b\\nplain;zz", "/etc/p*"]', ["fi"]),
        ("\n  - en\n  - pt-BR", ["en", "pt-BR"]),
        ("[" * 100_000, []),
        ("3", []),
    ],
)
def test_a_shell_is_told_nothing_but_codes_and_ids(
    tmp_path: Path, languages: str, told: list[str]
) -> None:
    """It takes what it is told as it stands: a semicolon would begin a command."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "game.yaml").write_text(f"title: T\nlanguages: {languages}\n")
    (tmp_path / "cards/a.yaml").write_text("deck: --output=/etc\n")
    (tmp_path / "cards/b.yaml").write_text("deck: loot;id\n")
    assert list(filter(None, completed(tmp_path, "build", "--lang", ""))) == told
    assert list(filter(None, completed(tmp_path, "build", "--deck", ""))) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_needs_to_complete(cardgen: Cardgen, shell: str) -> None:
    result = cardgen("completion", shell)
    assert result.code == 0
    assert f"_CARDGEN_COMPLETE={shell}_complete" in result.out

"""The short way: a command whose files are all as they were tells at once what it told before, and
goes its way whenever anything at all is another."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Cardgen, Result
from small_games import edit

from cardgen.cli import replay
from cardgen.runtime import content_store, fingerprint
from cardgen.runtime.content_store import Store

Told = Callable[..., Result | None]
BUILD = ("build", "sheets")


@pytest.fixture(autouse=True)
def old(root: Path) -> None:
    """A game whose files are older than the clock is coarse."""
    (root / "game.yml").write_text("misnamed: so that there is a warning\n")
    (root / "art" / "linked.svg").symlink_to("house.svg")
    time.sleep(0.06)


@pytest.fixture
def told(root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Told:
    """What `cardgen ARGUMENTS` tells without being run; None when it must be."""

    def tell(*arguments: str, at: Path = root) -> Result | None:
        monkeypatch.chdir(at)
        code = replay.replay_output(list(arguments))
        said = capfd.readouterr()
        return None if code is None else Result(code, said.out, said.err)

    return tell


def timeless(result: Result | None) -> Result | None:
    return result and Result(result.code, re.sub(r"done in .*", "done", result.out), result.err)


@pytest.mark.parametrize("arguments", [
    ("build",), BUILD, ("build", "sheets", "--strict"), ("build", "images", "--lang", "en"),
    ("check",), ("check", "--strict"), ("list",), ("list", "--keywords"), ("stats", "--draw", "3"),
], ids=" ".join)  # fmt: skip
def test_the_same_words_and_the_same_code(
    cardgen: Cardgen, told: Told, arguments: tuple[str, ...]
) -> None:
    """As a second run has them, whether the first had anything to do or not."""
    assert told(*arguments) is None
    cardgen(*arguments)
    after_work = told(*arguments)
    second = cardgen(*arguments)
    if arguments[0] in {"build", "check"}:
        assert "is not read" in second.err
    assert timeless(after_work) == timeless(second) == timeless(told(*arguments))
    assert second.code == ("--strict" in arguments)


def test_it_reads_no_game_and_loads_next_to_nothing(cardgen: Cardgen, root: Path) -> None:
    cardgen("build", "sheets")
    listing = "import atexit; atexit.register(lambda: print(*sys.modules))"
    lines = f"import sys; {listing}; sys.argv = ['cardgen', *sys.argv[1:]]; sys.path[:] = {{}}"
    boot = lines.format(repr(sys.path)) + "; from cardgen.__main__ import main; main()"
    command = [sys.executable, "-P", "-c", boot, *BUILD]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert "unchanged" in done.stdout
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "cardgen.cli.replay" in loaded
    assert not loaded & {"click", "yaml", "jinja2", "cardgen.game.loader", "cardgen.pipeline.build"}


@pytest.mark.parametrize("command", ["list", "stats"])
def test_what_only_reads_the_game_loads_no_pipeline(root: Path, command: str) -> None:
    boot = (
        f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); "
        f"sys.path[:] = {sys.path!r}; sys.argv = ['cardgen', {command!r}]; "
        "from cardgen.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", boot], cwd=root, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "cardgen.rules.rule_file" in loaded
    unused = {"cardgen.pipeline.build", "cardgen.outputs.contract", "PIL", "pypdfium2"}
    assert not loaded & {*unused, "cardgen.translation.translation_status"}
    assert sum(name.startswith("cardgen.") for name in loaded) <= 95


def replace(path: Path, data: bytes) -> None:
    """Other bytes, of which the size and the time say nothing."""
    before = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def moved_and_linked(root: Path, name: str) -> None:
    away = root.parent / "away"
    (root / name).rename(away)
    (root / name).symlink_to(away)


def a_rulebook(root: Path) -> None:
    (root / "rulebook").mkdir()
    (root / "rulebook/en.md").write_text("# Rules\n")


def another_link(root: Path) -> None:
    (root / "art/linked.svg").unlink()
    (root / "art/linked.svg").symlink_to("icons/coin.svg")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a card edited": lambda root: edit(root, "cards/notes.yaml", "value: 5", "value: 7"),
    "as long and as old": lambda root: replace(
        root / "cards/notes.yaml", (root / "cards/notes.yaml").read_bytes().replace(b": 5", b": 7")
    ),
    "touched": lambda root: (root / "art/house.svg").touch(),
    "another style": lambda root: edit(root, "templates/card.css", "5mm", "6mm"),
    "a font gone": lambda root: next((root / "fonts").rglob("*d-latin-400-normal.woff2")).unlink(),
    "a deck added": lambda root: (root / "cards/more.yaml").write_text("deck: more\n"),
    "a table added": lambda root: (root / "cards/more.csv").write_text("id\n"),
    "a template added": lambda root: (root / "templates/more.html").write_text(""),
    "a picture added": lambda root: (root / "art/icons/more.svg").write_text("<svg/>"),
    "a folder of pictures": lambda root: (root / "art/more").mkdir(),
    "a font added": lambda root: (root / "fonts/more.ttf").write_bytes(b""),
    "a rulebook": a_rulebook,
    "rules": lambda root: (root / "cards/rules.yaml").write_text("rules: []\n"),
    "table.yaml": lambda root: (root / "table.yaml").write_text("zones: []\n"),
    "a misnamed file gone": lambda root: (root / "game.yml").unlink(),
    "a misnamed file come": lambda root: (root / "table.yml").symlink_to("nowhere"),
    "a link that leads elsewhere": another_link,
    "a folder become a link": lambda root: moved_and_linked(root, "art"),
    "a file made, other bytes": lambda root: replace(
        root / "build/en/sheets.pdf", bytes((root / "build/en/sheets.pdf").stat().st_size)
    ),
    "a file made, gone": lambda root: (root / "build/en/sheets/loot.pdf").unlink(),
    "a folder made, now a link": lambda root: moved_and_linked(root, "build/en"),
    "the list of what was made": lambda root: (root / "build/.cardgen.json").write_text("{}"),
    "another at work": lambda root: (root / "build/.cardgen.lock").touch(),
    "the store gone": lambda root: shutil.rmtree(root / "build/.store"),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_goes_its_way_after(
    change: Callable[[Path], object], cardgen: Cardgen, told: Told, root: Path
) -> None:
    cardgen(*BUILD)
    assert told(*BUILD) is not None
    change(root)
    assert told(*BUILD) is None


def test_another_command_goes_its_way(
    cardgen: Cardgen, told: Told, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other words, another folder to stand in, another variable."""
    cardgen(*BUILD)
    for others in [("build",), ("check",), (*BUILD, "--paper", "a3"), (*BUILD, str(root)), ()]:
        assert told(*others) is None, others
    assert told(*BUILD, at=root / "cards") is None
    monkeypatch.setenv("CARDGEN_PATIENCE", "2")
    assert told(*BUILD) is None
    monkeypatch.delenv("CARDGEN_PATIENCE")
    assert told(*BUILD) is not None


def test_another_cardgen_goes_its_way(
    cardgen: Cardgen, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own code, the libraries, the Python."""
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    package = shutil.copytree(
        replay._PACKAGE_FOLDER, tmp_path / "cardgen", ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(replay, "_PACKAGE_FOLDER", package)
    monkeypatch.syspath_prepend(str(libraries))
    cardgen(*BUILD)
    assert told(*BUILD) is not None
    (package / "book" / "words.py").touch()
    assert told(*BUILD) is None
    cardgen(*BUILD)
    assert told(*BUILD) is not None
    (libraries / "weasyprint-99.dist-info").mkdir()
    assert told(*BUILD) is None
    cardgen(*BUILD)
    monkeypatch.setattr(sys, "version", "3.99")
    assert told(*BUILD) is None


def test_the_first_run_in_a_folder_that_python_imports_from_is_kept(
    cardgen: Cardgen, told: Told, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its build folder, which is new, changes the stamp of the place."""
    shutil.rmtree(root / "build")
    monkeypatch.syspath_prepend(str(root))
    cardgen("list")
    assert told("list") is not None


def test_a_nearer_game_is_another(cardgen: Cardgen, told: Told, root: Path) -> None:
    cardgen("build", "sheets", at=root / "cards")
    assert told("build", "sheets", at=root / "cards") is not None
    (root / "cards" / "game.yaml").write_text("game: nearer\n")
    assert told("build", "sheets", at=root / "cards") is None


@pytest.mark.parametrize("arguments", [
    ("build", "sheets", "--fresh"), ("build", "sheets", "-o", "elsewhere"),
    ("check", "--problems", "json"), ("check", "--problems", "github"),
("build", "sheets", "--printer", "home"),
], ids=" ".join)  # fmt: skip
def test_what_hangs_on_more_than_the_game_is_never_kept(
    cardgen: Cardgen,
    told: Told,
    arguments: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CARDGEN_CONFIG", str(tmp_path / "config"))
    cardgen("calibrate", "--printer", "home", "--dx", "1")
    assert cardgen(*arguments).code == 0
    assert told(*arguments) is None


def test_to_forget_what_was_made_before_is_always_work(cardgen: Cardgen, told: Told) -> None:
    cardgen(*BUILD, "--fresh")
    assert told(*BUILD, "--fresh") is None
    assert timeless(told(*BUILD)) == timeless(cardgen(*BUILD))


def test_a_game_that_reads_in_its_build_folder_is_never_trusted(
    cardgen: Cardgen, told: Told, root: Path
) -> None:
    """What stands there is not noted, since the command itself is at work there."""
    cardgen(*BUILD)
    assert told(*BUILD) is not None
    shutil.copy(root / "art/icons/coin.svg", root / "build/coin.svg")
    (root / "art/icons/coin.svg").unlink()
    (root / "art/icons/coin.svg").symlink_to("../../build/coin.svg")
    time.sleep(0.06)
    assert cardgen(*BUILD).code == 0
    assert told(*BUILD) is None


def test_mistakes_are_never_kept(cardgen: Cardgen, told: Told, root: Path) -> None:
    """They may be the machine's."""
    edit(root, "cards/notes.yaml", "value: 5", "vaule: 5")
    time.sleep(0.06)
    for arguments in (BUILD, ("check",)):
        assert cardgen(*arguments).code == 1
        assert told(*arguments) is None


def test_a_file_no_older_than_the_command_is_not_trusted(
    cardgen: Cardgen, told: Told, root: Path
) -> None:
    """It may change once more within the clock's resolution."""
    soon = time.time_ns() + 3_600_000_000_000
    os.utime(root / "cards/notes.yaml", ns=(soon, soon))
    cardgen(*BUILD)
    assert told(*BUILD) is None


def test_how_coarse_a_clock_is(tmp_path: Path) -> None:
    notes = fingerprint.FileTrace(tmp_path, began_ns=10_000_000_000)
    notes.add_path(f"{tmp_path}/fine", (9_949_999_999, 1, 0, 0))
    assert not notes.is_racy()
    notes.add_path(f"{tmp_path}/finer", (9_950_000_001, 1, 0, 0))
    assert notes.is_racy()
    notes.stamps = {"whole seconds": (7_000_000_000, 7_000_000_000, 0, 0)}
    assert not notes.is_racy()
    notes.stamps = {"whole seconds": (7_000_000_000, 8_000_000_000, 0, 0)}
    assert notes.is_racy()


def test_a_file_that_changes_while_it_is_at_work_is_not_trusted(tmp_path: Path) -> None:
    notes = fingerprint.FileTrace(tmp_path, began_ns=10_000_000_000)
    notes.add_path(f"{tmp_path}/one", (1, 1, 1, 1))
    assert notes.complete
    notes.add_path(f"{tmp_path}/one", (2, 2, 1, 1))
    assert not notes.complete


def entry_of(root: Path) -> Path:
    return next((root / content_store.STORE_FOLDER / "unchanged").iterdir())


def test_a_damaged_entry_is_none(cardgen: Cardgen, told: Told, root: Path) -> None:
    cardgen(*BUILD)
    entry = entry_of(root)
    whole = entry.read_bytes()
    entry.write_bytes(whole.replace(b"passed", b"passes"))
    assert told(*BUILD) is None
    entry.write_bytes(whole)
    assert told(*BUILD) is not None
    entry.unlink()
    entry.symlink_to(root / "game.yaml")
    assert told(*BUILD) is None


@pytest.mark.parametrize("kept", [
    [], {}, None, 7, {"seen": {}, "made": {}, "lines": [], "code": 0, "timed": False},
    {"seen": {"../outside": []}, "made": {}, "lines": [], "code": 0, "timed": False},
    {"seen": {"x/../../outside": []}, "made": {}, "lines": [], "code": 0, "timed": False},
], ids=str)  # fmt: skip
def test_an_entry_that_says_nothing_is_none(
    kept: object, cardgen: Cardgen, told: Told, root: Path
) -> None:
    cardgen(*BUILD)
    Store(root / content_store.STORE_FOLDER).write_json(entry_of(root), kept)
    assert told(*BUILD) is None


def test_what_an_entry_would_have_a_terminal_obey_is_shown(
    cardgen: Cardgen, told: Told, root: Path
) -> None:
    """A stranger's game may come with a store."""
    cardgen(*BUILD)
    kept = json.loads(content_store.read_entry(entry_of(root)))
    kept["lines"] = [[False, "\x1b[31mred\nand a line"], [True, "\u202eturned"]]
    Store(root / content_store.STORE_FOLDER).write_json(entry_of(root), kept)
    result = timeless(told(*BUILD))
    assert result == Result(0, "\\x1b[31mred\\nand a line\ndone\n", "\\u202eturned\n")


def test_a_game_that_was_copied_with_its_store_is_read(
    cardgen: Cardgen, told: Told, root: Path, tmp_path: Path
) -> None:
    """Whoever wrote its entries: the times at which files came here are none they could know."""
    cardgen(*BUILD)
    shutil.copytree(root, tmp_path / "copy", symlinks=True)
    shutil.rmtree(root)
    shutil.copytree(tmp_path / "copy", root, symlinks=True)
    assert told(*BUILD) is None


def test_few_entries_are_kept(
    cardgen: Cardgen, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "_MAX_ENTRIES", 2)
    for paper in ("a4", "a3", "letter"):
        cardgen(*BUILD, "--paper", paper)
    assert len(list(entry_of(root).parent.iterdir())) <= 2

"""What tests share: game folders of their own, built before or not, and the repository's games."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from small_games import FONTS, TEXT_GAME, make, write_game
from whole_games import copy_game, keep_store, loaded

from cardgen import cli
from cardgen.assets import font_files
from cardgen.game.fonts_file import BUILTIN_FAMILIES
from cardgen.game.model import Game
from cardgen.pipeline import build
from cardgen.pipeline.build import Request

if TYPE_CHECKING:
    from counted_layouts import Layouts

    from cardgen.core.problems import Problem
    from cardgen.faces.model import FaceSet

pytest_plugins = ["press_profile", "preview_pages", "run_order", "s3_server"]

ROOT = Path(__file__).parent
TESTS = ROOT / "tests"

MakeGame = Callable[..., Path]

# The same values in every run, and nothing kept of them.
settings.register_profile("same", max_examples=40, derandomize=True, database=None, deadline=None)
settings.load_profile("same")


@dataclass(frozen=True)
class Result:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The last line, where a wrong usage is told."""
        return self.err.rstrip().rpartition("\n")[2]


Cardgen = Callable[..., Result]


def pytest_sessionstart() -> None:
    """Say plainly what is missing, instead of a hundred failures."""
    builtin = all(family.find_file(*cut) for family in BUILTIN_FAMILIES for cut in family.cuts)
    if not builtin or not (FONTS / "node_modules").is_dir():
        pytest.exit("the fonts are not installed; run 'make setup' first", returncode=2)


@pytest.fixture(scope="session", autouse=True)
def _fonts_merged_once() -> Iterator[None]:
    """Games of tests have the same fonts, and merging takes longer than all else that they ask."""
    merge_once = lru_cache(maxsize=64)(font_files.merge_fonts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(font_files, "merge_fonts", lambda files: merge_once(tuple(files)))
        yield


# -- small games, written for a test


@pytest.fixture
def make_game(tmp_path: Path) -> MakeGame:
    """Write a game from `{"cards/deck.yaml": text, …}`, or copy a folder under tests/."""

    def make(files: dict[str, str] | None = None, like: Path | None = None) -> Path:
        root = tmp_path / "game"
        if like is not None:
            shutil.copytree(like, root, ignore=shutil.ignore_patterns("expected.txt", "build"))
        return write_game(root, files or {})

    return make


@pytest.fixture
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting helpers takes longer than what small games ask of them."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> Layouts:
    """How often faces are laid out, in this process."""
    from counted_layouts import counted  # noqa: PLC0415 - it brings WeasyPrint

    return counted(monkeypatch)


@pytest.fixture(scope="session")
def builds() -> dict[str, Path]:
    """Where small games were built in this process, by their files."""
    return {}


@pytest.fixture(scope="module")
def built(
    request: pytest.FixtureRequest,
    builds: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Where the module's BUILT, or else TEXT_GAME, was built once; tests change copies of it."""
    files = getattr(request.module, "BUILT", TEXT_GAME)
    name = json.dumps(files, sort_keys=True)
    if name not in builds:
        root = write_game(tmp_path_factory.mktemp("built"), files)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "cpu_count", lambda: 1)
            make(root)
        builds[name] = root
    return builds[name]


@pytest.fixture
def root(built: Path, tmp_path: Path) -> Path:
    """A folder of a small game that was built before."""
    return Path(shutil.copytree(built, tmp_path / "game", symlinks=True))


@pytest.fixture
def cardgen(
    root: Path,
    one_process: None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Cardgen:
    """`cardgen ARGUMENTS` in the game's folder, or in the one that `at` names."""

    def run(*arguments: str, at: Path = root) -> Result:
        monkeypatch.chdir(at)
        monkeypatch.setattr(sys, "argv", ["cardgen", *arguments])
        with pytest.raises(SystemExit) as leave:
            cli.main()
        said = capfd.readouterr()
        return Result(int(leave.value.code or 0), said.out, said.err)

    return run


# -- the repository's games


@pytest.fixture(scope="module")
def game_folder(request: pytest.FixtureRequest) -> Path:
    """The folder of the game that the tests stand with: one under games/, or the flagship."""
    beside = request.path.parent.parent
    return beside if (beside / "game.yaml").is_file() else ROOT


@pytest.fixture(scope="module")
def game(game_folder: Path) -> Game:
    """That game as it is read, with nothing to tell of it."""
    return loaded(game_folder)


@pytest.fixture(scope="module")
def copy(game_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """That game in a folder of its own, with the faces that were set before, if there are any."""
    folder = copy_game(game_folder, tmp_path_factory.mktemp("copy"))
    yield folder
    keep_store(game_folder, folder / "build/.store")


@dataclass(frozen=True)
class Checked:
    """What a check of a whole game came to."""

    faces: FaceSet
    problems: list[Problem]


@pytest.fixture(scope="module")
def checked(game_folder: Path, copy: Path) -> Checked:
    """The check of that copy, all faces typeset; copies that are made later have them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        _, faces, problems = build.check(Request(copy))
    keep_store(game_folder, copy / "build/.store")
    assert faces is not None
    return Checked(faces, problems)

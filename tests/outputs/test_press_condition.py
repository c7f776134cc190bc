"""Which profile files for a press are made with, and what is told where there is none to use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import ImageCms
from small_games import TEXT_GAME, edit, options, write_game

from cardgen.book.model import WrittenBooks
from cardgen.core.problems import Problem
from cardgen.outputs.contract import Job, PressOptions
from cardgen.outputs.press_output import load_condition
from cardgen.pdf.cmyk import printing_condition
from cardgen.pipeline.request import Request
from cardgen.rules import rule_file


def told(root: Path, profile: str = "") -> list[Problem]:
    """What stands in the way of the game's condition."""
    condition, problems = found(root, profile)
    assert condition is None
    return problems


def found(root: Path, profile: str = "", ink: int = 0) -> tuple[object, list[Problem]]:
    game, _ = rule_file.load_game(root)
    assert game is not None
    asked = replace(options(), press=PressOptions(profile, ink))
    store = Request(root).store
    job = Job(game, game.decks, game.languages, None, WrittenBooks(), store, asked)  # type: ignore[arg-type]
    return load_condition(job)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    root = write_game(tmp_path / "game", TEXT_GAME)
    with (root / "game.yaml").open("a") as file:
        file.write("print: {ink: 260, profile: press/coated.icc}\n")
    return root


def screen() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def test_a_missing_profile_explains_how_to_get_one(game: Path) -> None:
    edit(game, "game.yaml", ", profile: press/coated.icc", "")
    (problem,) = told(game)
    assert str(problem).startswith(
        "game.yaml: error: a press needs its ICC profile, and none is named"
    )
    assert "--profile FILE" in problem.message
    assert "docs/press.md" in problem.message


def test_a_missing_profile_file_is_reported_at_its_line(game: Path) -> None:
    (problem,) = told(game)
    assert problem.source.line == 4
    assert problem.message.startswith("there is no profile press/coated.icc")


@pytest.mark.parametrize("name", ["../outside.icc", "press/link.icc"])
def test_a_game_names_no_file_outside_of_it(game: Path, name: str, profile: Path) -> None:
    (game.parent / "outside.icc").write_bytes(profile.read_bytes())
    (game / "press").mkdir()
    (game / "press/link.icc").symlink_to(game.parent / "outside.icc")
    edit(game, "game.yaml", "press/coated.icc", name)
    (problem,) = told(game)
    assert problem.message == f"{name} leads out of the game folder"


def test_a_profile_of_a_screen_is_refused(game: Path) -> None:
    (game / "press").mkdir()
    (game / "press/coated.icc").write_bytes(screen())
    (problem,) = told(game)
    assert problem.message == (
        "press/coated.icc is of a screen, for RGB; a press wants one of a printer, for CMYK"
    )


def test_options_win_over_game_yaml(game: Path, profile: Path) -> None:
    condition, problems = found(game, str(profile), 240)
    assert not problems
    assert getattr(condition, "max_ink", 0) == 240
    condition, _ = found(game, str(profile))
    assert getattr(condition, "max_ink", 0) == 260


def test_a_profile_is_found_by_its_name_among_the_systems(
    game: Path, profile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing_condition, "PROFILE_FOLDERS", (str(profile.parent),))
    for name in ("fogra39l", "FOGRA39L.icc"):
        condition, problems = found(game, name)
        assert condition is not None, problems
    (problem,) = told(game, "FOGRA39")
    assert problem.message == "there is no profile FOGRA39; did you mean 'FOGRA39L'?"
    monkeypatch.chdir(profile.parent.parent)  # a game's folder is no folder of the system
    monkeypatch.setattr(printing_condition, "PROFILE_FOLDERS", (profile.parent.name,))
    assert printing_condition.find_profile("FOGRA39L") is None


def test_a_spot_ink_is_a_colour_that_styles_know(game: Path) -> None:
    edit(game, "game.yaml", "print: {", "print: {spots: {foil: '#FFCC01'}, ")
    loaded, problems = rule_file.load_game(game)
    assert loaded is not None
    assert not problems
    assert loaded.colours["foil"] == "#ffcc01"
    assert loaded.defaults.press.spots == (("foil", "#ffcc01"),)

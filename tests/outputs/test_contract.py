"""What every output promises: what it reads, what it does when, and what is told of the rest."""

from __future__ import annotations

import pickle
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from small_games import TEXT_GAME, contents, options, times, write_game

from cardgen.changes.card_changes import Baseline
from cardgen.cli.build_commands import build_
from cardgen.cli.command_line import cli
from cardgen.core.problems import Problem, Source
from cardgen.outputs.contract import (
    Job,
    Options,
    PressOptions,
    SingleOptions,
    TableOptions,
)
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.pipeline.check import check_game
from cardgen.pipeline.options import BUILD_OPTIONS
from cardgen.sheets.arrangement import SheetLayout

PARTS = {
    "layout": SheetLayout,
    "tables": TableOptions,
    "press": PressOptions,
    "single": SingleOptions,
}
FIELDS = {field.name for field in fields(Options)}


class Spied(Options):
    """Options that remember which of them were read."""

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            object.__getattribute__(self, "__dict__").setdefault("seen", set()).add(name)
        return object.__getattribute__(self, name)


@cache
def _job(folder: Path) -> Job:
    root = write_game(folder, {**TEXT_GAME, "rulebook/en.md": "# Small\n\nTake a card.\n"})
    request = Request(root, outputs=tuple(OUTPUTS), options=options())
    found = check_game(request)
    assert found.buildable is not None, found.problems
    stages = found.buildable
    wanted = replace(
        options(),
        single=SingleOptions(shop="boardgamesmaker"),
        base=Baseline("before", {}),
        estimate=True,
        cut_files=("svg",),
    )
    return stages.create_job(wanted, folder=root / "build")


@pytest.fixture
def job(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Job:
    """The small game's; for a press, with a profile."""
    made = _job(tmp_path_factory.getbasetemp() / "contract")
    if request.node.callspec.params.get("word") != "press":
        return made
    profile = str(request.getfixturevalue("profile"))
    return replace(made, options=replace(made.options, press=PressOptions(profile)))


@pytest.mark.parametrize("word", OUTPUTS)
def test_planning_writes_nothing_and_recipes_can_be_pickled(job: Job, word: str) -> None:
    OUTPUTS[word].output.prepare(job)
    before = times(job.store.folder)
    files, _ = OUTPUTS[word].output.plan_files(job)
    assert times(job.store.folder) == before
    assert files.artefacts
    assert pickle.loads(pickle.dumps(files)).artefacts == files.artefacts  # noqa: S301
    again, _ = OUTPUTS[word].output.plan_files(job)
    assert [a.key for a in again.artefacts] == [a.key for a in files.artefacts]


@pytest.mark.parametrize("word", OUTPUTS)
def test_an_output_reads_the_options_that_it_declares(job: Job, word: str) -> None:
    given = {field.name: getattr(job.options, field.name) for field in fields(Options)}
    spied = Spied(**given)
    spied.__dict__.pop("seen", None)
    asked = replace(job, options=spied)
    OUTPUTS[word].output.prepare(asked)
    OUTPUTS[word].output.plan_files(asked)
    declared = {option.partition(".")[0] for option in OUTPUTS[word].options_read}
    assert spied.__dict__.get("seen", set()) == declared


def test_declared_and_typed_options_exist() -> None:
    named = {
        *(option.field for option in BUILD_OPTIONS.values()),
        *(option for output in OUTPUTS.values() for option in output.options_read),
    }
    for option in named:
        first, _, part = option.partition(".")
        assert first in FIELDS
        assert not part or part in {field.name for field in fields(PARTS[first])}, option
    assert FIELDS - {"base"} == {
        option.field.partition(".")[0] for option in BUILD_OPTIONS.values()
    }


def test_every_option_of_build_is_for_some_output_or_for_all() -> None:
    for_all = {"words", "strict", "form", "folder", "fresh", "languages", "variants", "draft"}
    machines = {"store", "store_write", "workers"}
    told_elsewhere = {"decks", "cards", "where", "changed", "since", "install", "tts_dir"}
    typed = {param.name for param in build_.params if isinstance(param, click.Parameter)}
    assert typed == {*BUILD_OPTIONS, *for_all, *machines, *told_elsewhere}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write_game(tmp_path / "game", TEXT_GAME)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("sheets --dpi 600", "--dpi is not used by sheets; it is for images"),
        ("images --mix", "--mix is not used by images; it is for sheets"),
        ("--png", "--png is not used by sheets, images and rulebook; it is for tts, "
                  "tabletop-playground and playingcards"),
        ("tts --dpi 72 --round", "--dpi is not used by tts; it is for images"),
        ("folder --jpeg", "--jpeg is not used by folder; it is for tts, tabletop-playground and "
                          "playingcards"),
        ("playingcards --sheet-px 512", "--sheet-px is not used by playingcards; it is for tts and "
                                        "tabletop-playground"),
        ("contact --backs none", "--backs is not used by contact; it is for sheets, changed, "
                                  "boxes and press"),
        ("mpc tgc --width-px 300", "--width-px is not used by mpc and tgc; it is for images and "
                                   "folder"),
        ("--deck loot --edition player", "--edition is not used by sheets and images; it is for "
                                         "rulebook and press"),
        ("images --bleed-mm 3", "--bleed-mm is not used by images; it is for card-pdfs, card-proof "
                                "and press"),
        ("card-pdfs --fit pad", "--fit is not used by card-pdfs; it is for mpc, tgc and shop"),
        ("card-pdfs --paper a3", "--paper is not used by card-pdfs; it is for sheets, contact, "
                                 "changed, boxes and press"),
        ("sheets --changed --estimate", "--estimate is not used by changed; it is for sheets"),
        ("sheets --tts-dir .", "--tts-dir goes with --install"),
        ("changed images", "changed cards are built by themselves: cardgen build changed"),
    ],
)  # fmt: skip
def test_an_option_that_no_output_would_use(game: Path, words: str, told: str) -> None:
    result = CliRunner().invoke(cli, ["build", str(game), *words.split()])
    assert result.exit_code == 2
    assert result.stderr.rstrip().endswith(f"Error: {told}")
    assert contents(game / "build") == {}


@pytest.mark.parametrize(
    "words",
    [
        "sheets images --dpi 600", "--dpi 72 --book-size a4 --mix", "contact --paper a3",
        "sheets tts --jpeg --sheet-px 1024", "folder --width-px 300", "sheets --backs none",
        "rulebook card-pdfs --deck loot", "sheets", "images",
        "card-pdfs mpc --file-per card --bleed-mm 3 --fit pad",
    ],
)  # fmt: skip
def test_an_option_that_one_output_uses_and_what_the_game_says(
    game: Path, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What game.yaml says of sheets and images is no complaint where others are made."""
    path = game / "game.yaml"
    path.write_text(path.read_text() + "print: {dpi: 150, mix: true, paper: letter, gap: 2}\n")

    def stop(_request: Request, _progress: object) -> BuildReport:
        return BuildReport(game, [Problem(Source("x"), "enough", "x")])

    monkeypatch.setattr(build, "build", stop)
    result = CliRunner().invoke(cli, ["build", str(game), *words.split()])
    assert result.exit_code == 1, result.stderr
    assert "enough" in result.stderr

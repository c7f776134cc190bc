"""The commands by their names, each loaded when it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from conftest import Cardgen

from cardgen.cli.command_line import COMMANDS, cli


@pytest.mark.parametrize("name", COMMANDS)
def test_each_name_leads_to_its_command(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0


def test_help_names_every_command_in_one_whole_line_each() -> None:
    told = CliRunner().invoke(cli, ["--help"]).output.partition("Commands:")[2]
    listed = [line.split(maxsplit=1) for line in told.splitlines()]
    assert [words[0] for words in listed if words] == sorted(COMMANDS)
    assert "..." not in told


def test_help_and_the_names_for_a_shell_load_no_game() -> None:
    asked = (
        "import sys, click; from click.testing import CliRunner\n"
        "from cardgen.cli.command_line import cli;"
        "CliRunner().invoke(cli, ['--help']); names = cli.shell_complete(click.Context(cli), 'ch');"
        "print(*(item.value for item in names), 'jinja2' in sys.modules, 'PIL' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["check", "check-files", "check-tts", "False", "False"]


@pytest.mark.parametrize("name", ["build", "check", "list", "printed", "which"])
def test_the_help_of_a_command_loads_no_library_that_it_would_work_with(name: str) -> None:
    asked = (
        "import sys; from click.testing import CliRunner; from cardgen.cli.command_line import cli;"
        f"assert CliRunner().invoke(cli, [{name!r}, '--help']).exit_code == 0; print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    libraries = {"PIL", "fontTools", "pikepdf", "pypdfium2", "typst", "weasyprint", "email"}
    ours = {
        f"cardgen.{each}"
        for each in (
            "changes.baselines",
            "faces.rendering",
            "pipeline.build",
            "tabletop.tts_output",
        )
    }
    assert not loaded & (libraries | ours)


def test_a_command_that_is_nearly_one(cardgen: Cardgen, tmp_path: Path) -> None:
    said = cardgen("chek", at=tmp_path)
    assert (said.code, said.error) == (
        2,
        "Error: there is no command 'chek'; did you mean 'check'?",
    )
    said = cardgen("frobnicate", at=tmp_path)
    assert said.error == "Error: there is no command 'frobnicate'; 'cardgen --help' lists them"

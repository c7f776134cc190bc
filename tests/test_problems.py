"""Every kind of problem, from a game folder that has it: what is printed, to the letter.

Each folder under tests/problems/ is a game; its expected.txt holds the lines that
`cardgen check` prints, in their order.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardgen.cli import cli
from conftest import TESTS, MakeGame

KINDS = sorted(folder.name for folder in (TESTS / "problems").iterdir() if folder.is_dir())


def check(root: Path) -> Result:
    """`cardgen check` of a game folder."""
    return CliRunner().invoke(cli, ["check", str(root)])


@pytest.mark.parametrize("kind", KINDS)
def test_problems_are_told_at_their_lines(kind: str, make_game: MakeGame) -> None:
    folder = TESTS / "problems" / kind
    result = check(make_game(like=folder))
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert result.stderr.splitlines() == expected.splitlines()
    assert result.exit_code == (1 if ": error: " in expected else 0)

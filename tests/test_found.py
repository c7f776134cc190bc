"""Everything that the fuzzer ever found, run again: what failed once is told since.

Each folder under trials/found/ is a game as small as it could be made, the command that it was put
to, and what that prints today. `trials/run.py fuzz --record` writes the last of a new one.
"""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

import pytest

from trials.fuzzing.shrink import FOUND, restored, told

CARDGEN = str(Path(sys.executable).parent / "cardgen")
FINDS = sorted(folder.name for folder in FOUND.iterdir()) if FOUND.is_dir() else []


@pytest.mark.parametrize("name", FINDS)
def test_what_was_found_is_told(name: str, tmp_path: Path) -> None:
    case = restored(FOUND / name)
    game = tmp_path / "game"
    case.write(game)
    words = [word.replace("@GAME@", str(game)) for word in case.command]
    result = subprocess.run(
        [CARDGEN, *words], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    said = told(result.returncode, result.stderr + result.stdout, game)
    expected = (FOUND / name / "expected.txt").read_text(encoding="utf-8")
    assert not list(difflib.unified_diff(expected.splitlines(), said.splitlines(), lineterm=""))
    assert result.returncode in (0, 1)

"""`check-files`: the games that files belong to, each once, told as the repository calls them."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import Cardgen
from small_games import edit


def test_the_games_of_some_files_are_checked_each_once(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    repository = tmp_path / "repository"
    for name in ("one", "two"):
        shutil.copytree(root, repository / "games" / name)
    (repository / ".git").mkdir()
    edit(repository, "games/two/cards/notes.yaml", "value: 5", "vaule: 5")
    files = ("games/two/cards/notes.yaml", "games/two/game.yaml", "README.md")
    result = cardgen("check-files", *files, at=repository)
    assert result.code == 1
    assert result.err.splitlines() == [
        "games/two/cards/notes.yaml:8: error: notes/five: unknown field 'vaule'; "
        "did you mean 'value'? [fields]"
    ]
    assert result.out == "Pieni: 1 error\n"
    sound = cardgen("check-files", "games/one/templates/loot.html", at=repository)
    assert (sound.code, sound.out, sound.err) == (0, "Pieni: no problems\n", "")
    assert cardgen("check-files", at=repository).code == 0

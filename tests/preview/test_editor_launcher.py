"""The user's editor: started without a shell, for files of the game only."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.preview import editor_launcher


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    found: list[list[str]] = []
    monkeypatch.setattr(editor_launcher, "start_program", found.append)
    return found


@pytest.mark.parametrize(("template", "words"), [
    (editor_launcher.DEFAULT_EDITOR_COMMAND, ["code", "--goto", "/g/a b;rm.yaml:7"]),
    ("vim", ["vim", "/g/a b;rm.yaml"]),
    ("'my editor' +{line} {file}", ["my editor", "+7", "/g/a b;rm.yaml"]),
])  # fmt: skip
def test_the_editor_is_started_without_a_shell(template: str, words: list[str]) -> None:
    assert editor_launcher.format_editor_command(template, Path("/g/a b;rm.yaml"), 7) == words


def test_a_file_as_a_whole_is_opened_at_its_first_line() -> None:
    assert editor_launcher.format_editor_command("e {file}:{line}", Path("/g/a"), 0) == [
        "e",
        "/g/a:1",
    ]


def test_a_file_of_the_game_is_opened(
    tmp_path: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, editor = tmp_path / "game", tmp_path / "bin/e"
    for file in (editor, game / "game.yaml", game / "e"):
        file.parent.mkdir(exist_ok=True)
        file.write_text("game: g\n")
        file.chmod(0o755)
    monkeypatch.setenv("PATH", str(editor.parent))
    assert editor_launcher.open_in_editor(game, "e {file}:{line}", "game.yaml", 3) == ""
    assert started == [[str(editor), f"{game}/game.yaml:3"]]
    monkeypatch.setenv("PATH", str(game))  # an editor that came with the game
    assert "was not found" in editor_launcher.open_in_editor(game, "e", "game.yaml", 3)
    assert len(started) == 1


def test_no_other_file_can_be_opened(tmp_path: Path, started: list[list[str]]) -> None:
    game = tmp_path / "game"
    game.mkdir()
    (tmp_path / "secret").write_text("s")
    (game / "link").symlink_to(tmp_path / "secret")
    for name in ("../secret", str(tmp_path / "secret"), "link", "missing", ".", "a\0b"):
        assert editor_launcher.open_in_editor(game, "e {file}", name, 1).startswith(
            name.split()[0]
        ), name
    assert started == []


def test_a_missing_editor_is_reported(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text("game: g\n")
    why = editor_launcher.open_in_editor(tmp_path, "no-such-editor-at-all", "game.yaml", 1)
    assert "no-such-editor-at-all was not found" in why
    assert "--editor" in why

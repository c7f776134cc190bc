"""Earlier states of a game whose repository comes from a stranger."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import MakeGame
from git_games import commit, git
from small_games import TEXT_GAME

from cardgen.changes import revisions
from cardgen.changes.revisions import RevisionError
from cardgen.runtime import processes


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    root = make_game(TEXT_GAME)
    commit(root)
    return root


def made(root: Path, *command: str, given: str = "") -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *command],
        cwd=root, input=given, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.mark.parametrize(
    "entries",
    [
        "100644 blob {blob}\tcards\n040000 tree {tree}\tcards\n",
        "040000 tree {long}\tcards\n",
        "040000 tree {deep}\tcards\n",
    ],
    ids=["one name", "a long name", "deep"],
)
def test_a_tree_that_no_folder_holds_is_no_bug(root: Path, entries: str) -> None:
    blob = made(root, "hash-object", "-w", "--stdin", given="game: x\n")
    tree = deep = made(root, "mktree", given=f"100644 blob {blob}\ta.yaml\n")
    long = made(root, "mktree", given=f"100644 blob {blob}\t{'n' * 300}.yaml\n")
    if "{deep}" in entries:
        for _ in range(300):
            deep = made(root, "mktree", given=f"040000 tree {deep}\t{'folder' * 8}\n")
    known = entries.format(blob=blob, tree=tree, long=long, deep=deep)
    whole = made(root, "mktree", given=f"100644 blob {blob}\tgame.yaml\n{known}")
    name = made(root, "commit-tree", whole, "-m", "x")
    revision = revisions.find_revision(root, name)
    with (
        pytest.raises(RevisionError, match="cannot be written as a file"),
        revisions.open_revision(revision),
    ):
        pass


def test_a_repository_that_leads_elsewhere_is_not_read(root: Path, tmp_path: Path) -> None:
    game = root.rename(tmp_path / "private")
    game.mkdir(exist_ok=True)
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    for text in (f"gitdir: {game}/.git", "gitdir: ../private/.git", "gitdir: nowhere", "x"):
        (stranger / ".git").write_text(text)
        with pytest.raises(RevisionError, match="leads to another one"):
            revisions.find_revision(stranger, "HEAD")
    (stranger / ".git").unlink()
    (stranger / ".git").symlink_to(game / ".git")
    with pytest.raises(RevisionError, match="leads to another one"):
        revisions.find_revision(stranger, "HEAD")
    (stranger / ".git").unlink()
    git(stranger, "init", "-q")
    (stranger / ".git/objects/info/alternates").write_text(f"{game}/.git/objects\n")
    with pytest.raises(RevisionError, match="objects/info/alternates"):
        revisions.find_revision(stranger, made(game, "rev-parse", "HEAD"))


def test_worktrees_and_submodules_are_read(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", str(tmp_path / "worktree"))
    assert revisions.find_revision(tmp_path / "worktree", "HEAD").commit
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(root), "game")
    assert revisions.find_revision(outer / "game", "HEAD").commit


def test_no_program_of_a_game_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, own = tmp_path / "game", tmp_path / "bin"
    for folder in (game, own):
        folder.mkdir()
        (folder / "git").write_text("#!/bin/sh\n")
        (folder / "git").chmod(0o755)
    monkeypatch.chdir(game)
    for path in (".", "", str(game), f"game{os.pathsep}."):
        monkeypatch.setenv("PATH", path)
        assert processes.find_program("git", game) is None
    monkeypatch.setenv("PATH", f".{os.pathsep}{own}")
    assert processes.find_program("git", game) == str(own / "git")
    monkeypatch.chdir(tmp_path)
    assert processes.find_program("git", game) == str(own / "git")

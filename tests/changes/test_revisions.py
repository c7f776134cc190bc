"""Earlier states of a game whose repository comes from a stranger."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import MakeGame
from git_games import commit, git
from small_games import TEXT_GAME

from cardgen import __main__ as cardgen_main
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


def _link_objects(stranger: Path, private: Path) -> None:
    shutil.rmtree(stranger / ".git/objects")
    (stranger / ".git/objects").symlink_to(private / "objects")


def _link_pack(stranger: Path, private: Path) -> None:
    (stranger / ".git/objects/ab").symlink_to(private / "objects")


def _link_reference(stranger: Path, private: Path) -> None:
    (stranger / ".git/HEAD").unlink()
    (stranger / ".git/HEAD").symlink_to(private / "HEAD")


def _answer_itself(stranger: Path, private: Path) -> None:
    """A link, and a file beside it that says that its target knows it."""
    shutil.rmtree(stranger / ".git")
    (stranger / ".git").symlink_to(private)
    (stranger / "gitdir").write_text(f"{stranger}/.git")


def _pose_as_worktree(stranger: Path, private: Path) -> None:
    (stranger / ".git").rename(stranger / "own")
    (stranger / ".git").write_text("gitdir: own")
    (stranger / "own/gitdir").write_text("../.git")
    (stranger / "own/commondir").write_text(str(private))


def _pose_as_submodule(stranger: Path, private: Path) -> None:
    (stranger / ".git").rename(stranger / "own")
    (stranger / ".git").write_text("gitdir: own")
    (stranger / "own/config").write_text("[core]\n\tworktree = ..\n")
    (stranger / "own/objects/info/alternates").write_text(f"{private}/objects\n")


def _name_no_path(stranger: Path, private: Path) -> None:
    (stranger / ".git/commondir").write_text(f"{private}\0")


def _pose_as_bare(stranger: Path, private: Path) -> None:
    """The game's folder is itself a repository, which has no `.git`."""
    for path in (stranger / ".git").iterdir():
        path.rename(stranger / path.name)
    (stranger / ".git").rmdir()
    (stranger / "objects/info/alternates").write_text(f"{private}/objects\n")
    (stranger / "config").write_text("[core]\n\tbare = false\n\tworktree = .\n")


@pytest.mark.parametrize("way", [
    _link_objects, _link_pack, _link_reference, _answer_itself, _pose_as_worktree,
    _pose_as_submodule, _name_no_path, _pose_as_bare,
])  # fmt: skip
def test_no_way_leads_to_the_objects_of_another_repository(
    root: Path, tmp_path: Path, way: Callable[[Path, Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = made(root, "rev-parse", "HEAD")
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    git(stranger, "init", "-q")
    way(stranger, root / ".git")
    monkeypatch.chdir(stranger)
    with pytest.raises(RevisionError, match=r"leads to another one|not in a git repository"):
        revisions.find_revision(stranger, commit)


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
    assert processes.list_program_folders(game) == [str(own)]
    monkeypatch.chdir(tmp_path)
    assert processes.find_program("git", game) == str(own / "git")


def test_what_libraries_start_is_no_program_of_a_game_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for given, kept in ((f"{os.pathsep}.{os.pathsep}/bin{os.pathsep}x", "/bin"), ("", os.defpath)):
        monkeypatch.setenv("PATH", given)
        cardgen_main._forget_relative_folders()
        assert os.environ["PATH"] == kept

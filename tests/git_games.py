"""Git repositories of test games."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def git(root: Path, *arguments: str) -> str:
    if shutil.which("git") is None:
        pytest.skip("git is not installed; this test needs it")
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit(root: Path, date: str = "2026-11-20T12:00:00") -> str:
    """Commit all files of the game with that date; return the commit's name."""
    if not (root / ".git").exists():
        git(root, "init", "-q")
        (root / ".gitignore").write_text("build/\nnode_modules/\n")
    git(root, "add", "-A")
    subprocess.run(
        ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c",
         "commit.gpgsign=false", "commit", "-qm", "as it is"],
        cwd=root, check=True, env={**os.environ, "GIT_COMMITTER_DATE": date},
    )  # fmt: skip
    return git(root, "rev-parse", "HEAD")

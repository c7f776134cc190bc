"""A line of the game's files, opened in the editor of the user's choice."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cardgen.base import paths

USUAL = "code --goto {file}:{line}"


def command(template: str, file: Path, line: int) -> list[str]:
    """The words of an editor's command, `{file}` and `{line}` filled in; no shell reads them. A
    command that names no file gets it at its end."""
    words = shlex.split(template)
    if "{file}" not in template:
        words.append("{file}")
    return [
        word.replace("{line}", str(max(line, 1))).replace("{file}", str(file)) for word in words
    ]


def open_at(root: Path, template: str, name: str, line: int) -> str:
    """Open a file of the game at a line; why that could not be done, "" when it was."""
    try:
        file = paths.find(root, name)
    except paths.Unreadable as error:
        return f"{name} {error}"
    words = command(template, file, line)
    try:
        start(words)
    except OSError as error:
        return f"{words[0]} cannot be started ({error.strerror}); name an editor with --editor"
    return ""


def start(words: Sequence[str]) -> None:
    """Start a program of the user's and let it be."""
    subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip

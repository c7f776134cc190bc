"""A line of the game's files, opened in the editor of the user's choice."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cardgen.runtime import game_files

DEFAULT_EDITOR_COMMAND = "code --goto {file}:{line}"


def format_editor_command(template: str, file: Path, line: int) -> list[str]:
    """The words of an editor's command, `{file}` and `{line}` filled in; no shell reads them. A
    command that names no file gets it at its end."""
    words = shlex.split(template)
    if "{file}" not in template:
        words.append("{file}")
    return [
        word.replace("{line}", str(max(line, 1))).replace("{file}", str(file)) for word in words
    ]


def open_in_editor(root: Path, template: str, name: str, line: int) -> str:
    """Open a file of the game at a line; why that could not be done, "" when it was."""
    try:
        file = game_files.find_file(root, name)
    except game_files.UnreadableError as error:
        return f"{name} {error}"
    words = format_editor_command(template, file, line)
    try:
        start_program(words)
    except OSError as error:
        return f"{words[0]} cannot be started ({error.strerror}); name an editor with --editor"
    return ""


def start_program(words: Sequence[str]) -> None:
    """Start a program of the user's and let it be."""
    subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip

"""Opens lines of the game's files in the user's editor."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cardgen.runtime import game_files, processes

DEFAULT_EDITOR_COMMAND = "code --goto {file}:{line}"


def format_editor_command(template: str, file: Path, line: int) -> list[str]:
    """Return an editor's command line with `{file}` and `{line}` filled in.

    It is run without a shell. A command without `{file}` gets the file as its last argument.
    """
    words = shlex.split(template)
    if "{file}" not in template:
        words.append("{file}")
    return [
        word.replace("{line}", str(max(line, 1))).replace("{file}", str(file)) for word in words
    ]


def open_in_editor(root: Path, template: str, name: str, line: int) -> str:
    """Open a file of the game at a line; return an error message, "" when it worked."""
    try:
        file = game_files.find_file(root, name)
    except game_files.UnreadableError as error:
        return f"{name} {error}"
    words = format_editor_command(template, file, line)
    if not Path(words[0]).is_absolute():
        program = processes.find_program(words[0], root)
        if program is None:
            return f"{words[0]} was not found; choose another editor with --editor"
        words[0] = program
    try:
        start_program(words)
    except OSError as error:
        return (
            f"{words[0]} cannot be started ({error.strerror}); choose another editor with --editor"
        )
    return ""


def start_program(words: Sequence[str]) -> None:
    """Start a program and do not wait for it."""
    subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip

"""The examples of the documentation, as the pages hold them.

Invisible comments say which blocks are a game and which are what a command prints:

    <!-- game -->               the files that follow make a new game
    <!-- game: harbour -->      they change the game that was saved under that name
    <!-- game: harbour save --> the files so far are saved under that name
    **`cards/loot.yaml`**       before a block: the block is that file
    <!-- run: cardgen check --> before a block: the block is what the command prints;
                                `| problems` leaves its last line out

`python tests/docs_examples.py` writes what is printed today into the pages.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner
from small_games import give_fonts

from cardgen.cli.command_line import cli

ROOT = Path(__file__).parent.parent
PAGES = ("guide.md", "templates.md", "reference.md", "rules.md", "rulebook.md", "preflight.md")
_GAME = re.compile(r"<!-- game(?:: (\w+))?(?: (save))? -->")
_RUN = re.compile(r"<!-- run: (.*?)(?: \| (.*?))? -->")
_FILE = re.compile(r"\*\*`([^`]+)`\*\*")
_TALLY = re.compile(r".*: \d+ decks?, ")


@dataclass(frozen=True)
class Example:
    """A command over a game, and what the page says it prints. `line` is the block's first."""

    page: str
    line: int
    files: dict[str, str]
    command: str
    problems_only: bool
    printed: list[str]


def examples(page: str) -> Iterator[Example]:
    """Every command of a page of docs/, with the game as it stands there."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").split("\n")
    saved: dict[str, dict[str, str]] = {}
    files: dict[str, str] = {}
    run: re.Match[str] | None = None
    name = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        if game := _GAME.match(line):
            if game[2]:
                saved[game[1]] = dict(files)
            else:
                files = dict(saved[game[1]]) if game[1] else {}
        run = _RUN.match(line) or run
        named = _FILE.match(line)
        name = named[1] if named else name
        if line.startswith("```"):
            fence = line[: len(line) - len(line.lstrip("`"))]
            end = lines.index(fence, number + 1)
            block = lines[number + 1 : end]
            if run:
                yield Example(page, number + 1, dict(files), run[1], bool(run[2]), block)
            elif name:
                files[name] = "\n".join(block) + "\n"
            run, name, number = None, "", end
        number += 1


def printed(example: Example, folder: Path) -> list[str]:
    """What the example's last command prints today, in a folder of its own."""
    for name, text in example.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if "fonts/fonts.yaml" in example.files:
        give_fonts(folder)
    output = ""
    with chdir(folder):
        for command in example.command.split(" && "):
            result = CliRunner().invoke(cli, command.split()[1:])
            output = result.stderr + result.stdout
    lines = re.sub(r"done in [\d.]+ s", "done in 1.2 s", output).rstrip("\n").split("\n")
    return [line for line in lines if not (example.problems_only and _TALLY.match(line))]


def update(page: str, folder: Path) -> None:
    """Write what is printed today into a page. The folder outlives all of it: helpers that typeset
    stay where they were begun."""
    path = ROOT / "docs" / page
    lines = path.read_text(encoding="utf-8").split("\n")
    for example in reversed(list(examples(page))):
        now = printed(example, Path(tempfile.mkdtemp(dir=folder)))
        lines[example.line : example.line + len(example.printed)] = now
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as kept:
        for each in PAGES:
            update(each, Path(kept))

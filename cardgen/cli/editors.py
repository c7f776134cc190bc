"""The commands for editors and shells: schemas by which files of a game are completed, and what
completes the commands themselves."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.base import filing, paths
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import root_of
from cardgen.cli.report import print_problems, shown
from cardgen.cli.saying import say, say_text
from cardgen.game import folder
from cardgen.game.inventory import counted
from cardgen.game.loading import is_language

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_CARDGEN_COMPLETE"
"""By it a shell says what it wants completed."""
_DECK = re.compile(r"^deck:[ \t]*[\"']?([a-z0-9][a-z0-9-]*)[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
_LANGUAGES = re.compile(
    r"^languages:[ \t]*(?:\[([^\]\n]*)\]|((?:\n[ \t]*-[ \t]*[\w\"'-]+[ \t]*)+))", re.MULTILINE
)
_LOOKED_AT, _MOST_DECKS = 65_536, 500
"""Signs of a file, and files, that are looked at while somebody waits for the rest of a word."""


@click.command(name="schema")
@click.argument("game", required=False, type=click.Path(path_type=Path))
def schema(game: Path | None) -> None:
    """Write JSON Schemas of the game's files into .cardgen, for editors.

    Visual Studio Code is told of them in .vscode/settings.json. Run it again when decks, fields,
    cards or icons have come or gone.
    """
    from cardgen import schemas  # noqa: PLC0415 - only here
    from cardgen.rules import composition  # noqa: PLC0415

    found, problems = composition.load(root_of(game))
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    try:
        made = schemas.write(found)
    except filing.Blocked as error:
        say(f"{shown(error.path)}: {error}", err=True)
        sys.exit(PROBLEMS)
    say(f"{shown(found.root / schemas.FOLDER)}: {counted(made.count, 'schema')}")
    settings = shown(found.root / schemas.SETTINGS)
    if made.why:
        say(f"{settings}: it cannot be added to ({made.why}); put this into it by hand:", err=True)
        say_text(made.settings, err=True)
        sys.exit(PROBLEMS)
    say(f"{settings}: names them")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what a shell needs to complete commands, options, outputs, decks and languages.

    For bash: cardgen completion bash >> ~/.bashrc
    """
    from click.shell_completion import ShellComplete, get_completion_class  # noqa: PLC0415

    found = get_completion_class(shell)
    assert found is not None
    # The class of bash would start bash to ask for its version.
    say_text(ShellComplete.source(found(click.Group(), {}, "cardgen", VARIABLE)))


def languages(context: click.Context, _param: Any, begun: str) -> list[str]:
    """The game's languages that begin so. A shell takes what it is told as it stands, so nothing
    is told but what is a language's code."""
    text = paths.read_text(_root(context), folder.FILE)[0][:_LOOKED_AT]
    found = _LANGUAGES.search(text)
    names = re.split(r"[\s,\"']+", found[1] or found[2] or "") if found else ()
    return _beginning(filter(is_language, names), begun)


def decks(context: click.Context, _param: Any, begun: str) -> list[str]:
    """The game's decks that begin so."""
    root = _root(context)
    files = paths.listed(root, "cards", ".yaml")[:_MOST_DECKS]
    texts = (paths.read_text(root, name)[0][:_LOOKED_AT] for name in files)
    return _beginning((name for text in texts for name in _DECK.findall(text)), begun)


def _root(context: click.Context) -> Path:
    words = [context.params.get("game"), *(context.params.get("words") or ())]
    named = (folder.named(Path(word)) for word in words if word)
    there = next((root for root in named if paths.there(root, folder.FILE)), None)
    return there or folder.find(Path.cwd()) or Path.cwd()


def _beginning(names: Any, begun: str) -> list[str]:
    return sorted({str(name) for name in names if str(name).startswith(begun)})


def words(_context: click.Context, _param: Any, begun: str) -> list[CompletionItem]:
    """Outputs that begin so, or the folders of games."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    from cardgen.outputs.registry import OUTPUTS  # noqa: PLC0415

    found = [CompletionItem(name) for name in _beginning(OUTPUTS, begun)]
    return found or [CompletionItem(begun, type="dir")]

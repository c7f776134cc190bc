"""Commands for editors and shells: `schema`, `completion`, and completion of arguments."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.parameters import require_game
from cardgen.cli.terminal import PROBLEMS, format_path, print_lines, print_text
from cardgen.game import game_folder
from cardgen.game.inventory import format_count
from cardgen.runtime import game_files

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")
COMPLETION_VARIABLE = "_CARDGEN_COMPLETE"
"""Environment variable by which a shell says what to complete."""
_DECK_LINE = re.compile(
    r"^deck:[ \t]*[\"']?([a-z0-9][a-z0-9-]*)[\"']?[ \t]*(?:#.*)?$", re.MULTILINE
)
_LANGUAGES_BLOCK = re.compile(
    r"^languages:[ \t]*(?:\[([^\]\n]*)\]|((?:\n[ \t]*-[ \t]*[\w\"'-]+[ \t]*)+))", re.MULTILINE
)
_MAX_FILE_CHARS, _MAX_DECK_FILES = 65_536, 500
"""Characters of a file, and files, that are read while somebody waits for a completion."""


@click.command(name="schema")
@click.argument("game", required=False, type=click.Path(path_type=Path))
def schema(game: Path | None) -> None:
    """Write JSON Schemas of the game's files into .cardgen, for editors.

    Visual Studio Code is told of them in .vscode/settings.json. Run it again when decks, fields,
    cards or icons have come or gone.
    """
    from cardgen.pipeline import editor_schemas  # noqa: PLC0415 - only here

    found, _ = require_game(game)
    made = editor_schemas.write_schemas(found)
    print_lines(
        f"{format_path(found.root / editor_schemas.SCHEMA_FOLDER)}: "
        f"{format_count(made.count, 'schema')}"
    )
    settings = format_path(found.root / editor_schemas.SETTINGS_FILE)
    if made.settings_error:
        print_lines(
            f"{settings}: it cannot be added to ({made.settings_error}); put this into it by hand:",
            err=True,
        )
        print_text(made.settings_text, err=True)
        sys.exit(PROBLEMS)
    print_lines(f"{settings}: names them")


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
    print_text(ShellComplete.source(found(click.Group(), {}, "cardgen", COMPLETION_VARIABLE)))


def complete_languages(context: click.Context, _param: Any, begun: str) -> list[str]:
    """Return the game's languages that begin so. Only language codes are returned: a shell
    obeys more.
    """
    text = game_files.read_text(_find_root(context), game_folder.GAME_FILE)[0][:_MAX_FILE_CHARS]
    found = _LANGUAGES_BLOCK.search(text)
    names = re.split(r"[\s,\"']+", found[1] or found[2] or "") if found else ()
    from cardgen.game.loader import is_language_code  # noqa: PLC0415 - seldom

    return _filter_prefix(filter(is_language_code, names), begun)


def complete_decks(context: click.Context, _param: Any, begun: str) -> list[str]:
    """Return the game's decks that begin so."""
    root = _find_root(context)
    files = game_files.list_files(root, "cards", ".yaml")[:_MAX_DECK_FILES]
    texts = (game_files.read_text(root, name)[0][:_MAX_FILE_CHARS] for name in files)
    return _filter_prefix((name for text in texts for name in _DECK_LINE.findall(text)), begun)


def _find_root(context: click.Context) -> Path:
    words = [context.params.get("game"), *(context.params.get("words") or ())]
    named = (game_folder.resolve_game_folder(Path(word)) for word in words if word)
    there = next(
        (root for root in named if game_files.has_entry(root, game_folder.GAME_FILE)), None
    )
    return there or game_folder.find_game_folder(Path.cwd()) or Path.cwd()


def _filter_prefix(names: Any, begun: str) -> list[str]:
    return sorted({str(name) for name in names if str(name).startswith(begun)})


def complete_words(_context: click.Context, _param: Any, begun: str) -> list[CompletionItem]:
    """Return the outputs that begin so, or the folders of games."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415

    from cardgen.outputs.registry import OUTPUTS  # noqa: PLC0415

    found = [
        CompletionItem(name, help=OUTPUTS[name].help) for name in _filter_prefix(OUTPUTS, begun)
    ]
    return found or [CompletionItem(begun, type="dir")]

"""The commands by their names. Each is loaded when it is asked for: help and completion tell of all
of them and wait for none."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from cardgen.cli.saying import say

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# Name → the module below this folder, the command in it, and what it is for, in a line.
COMMANDS = {
    "build": ("building", "build_", "Make sheets, images, rulebooks and virtual tables."),
    "calibrate": ("building", "calibrate", "Correct where a printer puts backs."),
    "check": ("building", "check", "Say everything that is wrong, rules included."),
    "check-files": ("check_files", "check_files", "Check the games that some files belong to."),
    "check-tts": ("tables", "check_tts", "Hold a Tabletop Simulator save to its format."),
    "clean": ("building", "clean", "Remove what builds of this game made."),
    "completion": ("editors", "completion", "Print what a shell needs to complete commands."),
    "diff": ("diff", "diff", "Show every changed card before and after, as a page."),
    "eject": ("starting", "eject", "Write a deck's look down as HTML and CSS of its own."),
    "fetch": ("fetch", "fetch", "Fetch the tables that say where they come from."),
    "fonts": ("fonts", "fonts", "Fetch the fonts that the game asks for."),
    "list": ("building", "list_", "Say what is in the box."),
    "looks": ("starting", "looks", "List the looks that come with cardgen."),
    "new": ("starting", "new", "Begin a game that builds at once."),
    "preflight": ("preflighting", "preflight", "Hold PDFs to what print shops ask."),
    "preview": ("previewing", "preview", "Show every card in the browser while you write."),
    "printed": ("changes", "printed", "Record that the game as it is now lies on the table."),
    "schema": ("editors", "schema", "Write JSON Schemas of the game's files, for editors."),
    "stats": ("stats", "stats", "Say what decks are made of, and how soon it is drawn."),
    "texts": ("texts", "texts", "Hand texts to translators, and take them back."),
    "which": ("changes", "which", "Tell which card bears a stamp, and from which state."),
}  # fmt: skip


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        found: click.Command = getattr(import_module(f"cardgen.cli.{module}"), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, what) for name, (_, _, what) in sorted(COMMANDS.items())])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - a shell is waiting

        return [
            *(CompletionItem(name, help=what) for name, (_, _, what) in sorted(COMMANDS.items())
              if name.startswith(incomplete)),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]  # fmt: skip


def _tell_version(context: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from cardgen import __version__  # noqa: PLC0415 - looked up only where it is asked for

        say(f"cardgen, version {__version__}")
        context.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_version,
              help="Show the version and exit.")  # fmt: skip
def cli() -> None:
    """Print-and-play card games from a folder of YAML, HTML and SVG.

    GAME is a folder with a game.yaml; without it, the nearest one upward.
    """

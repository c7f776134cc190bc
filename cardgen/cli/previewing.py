"""The command that shows a game in the browser while it is written."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import click

from cardgen.base.workers import Resident
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import Whole, root_of
from cardgen.cli.saying import say

_EDITOR = "CARDGEN_EDITOR"
_MOST_PORT = 65_535


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--variant", metavar="NAME", default="", help="This variant of the game.")
@click.option("--editor", metavar="COMMAND",
              help="What opens a line of a file: 'subl {file}:{line}'.")  # fmt: skip
@click.option("--port", type=Whole(1, _MOST_PORT), help="Of the address; any that is free.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
def preview(
    game: Path | None, variant: str, editor: str | None, port: int | None, no_browser: bool
) -> None:
    """Show every card in the browser, and draw it anew whenever a file is saved.

    It is served to this machine alone, until Ctrl-C.
    """
    root = root_of(game)
    # It loads what reads the game while this process loads what shows it.
    reader = Resident("cardgen.preview.press")
    reader.start()
    from cardgen.preview import opening, serving  # noqa: PLC0415 - a server, only here
    from cardgen.preview.press import Place  # noqa: PLC0415

    def ready(address: str) -> None:
        say(f"the preview is at {address}", "Ctrl-C ends it")
        if not no_browser:
            webbrowser.open(address)

    command = editor or os.environ.get(_EDITOR) or opening.USUAL
    try:
        serving.serve(Place(root, variant), command, port or 0, ready, reader)
    except serving.Taken as error:
        say(f"error: {error}", err=True)
        sys.exit(PROBLEMS)

"""The command that shows a game in the browser while it is written."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from cardgen.base.workers import Resident
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import Whole, config_folder, root_of
from cardgen.cli.saying import is_terminal, say

_EDITOR = "CARDGEN_EDITOR"
_MOST_PORT = 65_535


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--variant", metavar="NAME", default="", help="This variant of the game.")
@click.option("--editor", metavar="COMMAND",
              help="What opens a line of a file: 'subl {file}:{line}'.")  # fmt: skip
@click.option("--port", type=Whole(1, _MOST_PORT), help="Of the address; any that is free.")
@click.option("--lan", is_flag=True, help="Let others in this room look, at a tablet say.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
def preview(game: Path | None, variant: str, no_browser: bool, **given: Any) -> None:
    """Show every card in the browser, and draw it anew whenever a file is saved.

    It is served to this machine alone, until Ctrl-C, at the same address every time.
    """
    root = root_of(game)
    # It loads what reads the game while this process loads what shows it.
    reader = Resident("cardgen.preview.press")
    reader.start()
    from cardgen.preview import addresses, opening, serving  # noqa: PLC0415 - a server, only here
    from cardgen.preview.press import Place  # noqa: PLC0415

    def ready(told: serving.Ready) -> None:
        say(f"the preview is at {told.here}")
        if told.room:
            say(f"others in this network look at {told.room}", *_code(told.room))
        say("Ctrl-C ends it")
        if not no_browser:
            webbrowser.open(told.here)

    command = given["editor"] or os.environ.get(_EDITOR) or opening.USUAL
    try:
        room = addresses.in_the_room() if given["lan"] else ""
        asked = serving.Asked(command, given["port"] or 0, config_folder(), room)
        serving.serve(Place(root, variant), asked, ready, reader)
    except (serving.Taken, addresses.NoNetwork) as error:
        say(f"error: {error}", err=True)
        sys.exit(PROBLEMS)


def _code(address: str) -> list[str]:
    """The address as a QR code for a telephone, two rows a line; on a terminal alone."""
    if not is_terminal():
        return []
    from cardgen.templates import codes  # noqa: PLC0415 - seldom asked for

    rows = codes.modules(address, quiet=2)
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    # Light modules are drawn, since most terminals are dark.
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(*two, strict=True)) for two in pairs]

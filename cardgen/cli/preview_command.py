"""The command `preview`: a game in the browser while it is written."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click

from cardgen.cli.parameters import IntOption, resolve_game_root
from cardgen.cli.terminal import PROBLEMS, is_terminal, print_lines
from cardgen.runtime import processes, worker_pool
from cardgen.runtime.user_secret import get_config_folder
from cardgen.runtime.worker_pool import ResidentWorker

_EDITOR_VARIABLE = "CARDGEN_EDITOR"
_MAX_PORT = 65_535
_READER_MODULE = "cardgen.preview.workers.render_worker"


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--variant", metavar="NAME", default="", help="This variant of the game.")
@click.option("--editor", metavar="COMMAND",
              help="What opens a line of a file: 'subl {file}:{line}'.")  # fmt: skip
@click.option("--port", type=IntOption(1, _MAX_PORT), help="Of the address; any that is free.")
@click.option("--lan", is_flag=True, help="Let others in this room look, at a tablet say.")
@click.option("--no-browser", is_flag=True, help="Print the address and open no browser.")
def preview(game: Path | None, variant: str, no_browser: bool, **given: Any) -> None:
    """Show every card in the browser, and draw it anew whenever a file is saved.

    It is served to this machine alone, until Ctrl-C, at an address of its own at each start.
    """
    root = resolve_game_root(game)
    # A fork of this process reads the game while it loads what shows the game.
    from cardgen.preview.messages import GameLocation  # noqa: PLC0415 - not for help

    reader = ResidentWorker(_READER_MODULE, worker_pool.fork_server(_READER_MODULE))
    reader.start()
    from cardgen.preview.workers import render_worker  # noqa: PLC0415 - read by now, or meanwhile

    location = GameLocation(root, variant)
    reader.call_ahead(render_worker.read_ahead, location)
    from cardgen.preview import auth, editor_launcher, server  # noqa: PLC0415 - a server, only here

    def report_ready(local: str, lan: str, launch: str) -> None:
        print_lines(f"the preview is at {local}")
        if lan:
            print_lines(f"others in this network open {lan}", *_draw_qr_code(lan))
        print_lines("Ctrl-C ends it")
        if not no_browser:
            os.environ.update(processes.restrict_program_folders(root))
            webbrowser.open(launch)

    command = (
        given["editor"]
        or os.environ.get(_EDITOR_VARIABLE)
        or editor_launcher.DEFAULT_EDITOR_COMMAND
    )
    try:
        room = auth.find_lan_address() if given["lan"] else ""
        asked = server.ServerOptions(command, given["port"] or 0, get_config_folder(), room)
        server.serve_preview(location, asked, report_ready, reader)
    except (server.PortTakenError, auth.NoNetworkError) as error:
        print_lines(f"error: {error}", err=True)
        sys.exit(PROBLEMS)


def _draw_qr_code(address: str) -> list[str]:
    """Return an address as a QR code for a phone, two rows a line; nothing in a pipe."""
    if not is_terminal():
        return []
    from cardgen.templates import template_context  # noqa: PLC0415 - seldom asked for

    rows = template_context.list_qr_modules(address, quiet=2)
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    # Light modules are drawn, since most terminals are dark.
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(*two, strict=True)) for two in pairs]

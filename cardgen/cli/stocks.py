"""What is typed of pre-cut stock, of places to skip, and of the marks that machines look for."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import click

from cardgen.cli.arguments import places
from cardgen.cli.parameters import Figure
from cardgen.cli.saying import say, say_text
from cardgen.sheets import stock
from cardgen.sheets.silhouette import LEAST_FIGURES, MOST_FIGURES, USUAL

_LIST = "list"
_NAME, _PAPER, _GRID = 14, 7, 8
_INDENT = " " * _NAME
_FIGURES = {
    "thickness": "How thick their lines are",
    "length": "How long their arms are",
    "inset": "How far a machine's marks lie in",
}


def _stock(context: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """The name as it is given; of `list` what is known, and no more is done."""
    if given == _LIST:
        for each in stock.stocks().values():
            grid = f"{each.columns} × {each.rows}"
            head = f"{each.name:{_NAME}}{each.paper_name:{_PAPER}}{grid:{_GRID}}"
            say(f"{head}{each.cell}, {each.what}")
            if each.also:
                say_text(
                    textwrap.fill(
                        f"also {', '.join(each.also)}",
                        80,
                        initial_indent=_INDENT,
                        subsequent_indent=_INDENT,
                    )
                )
        context.exit()
    return given


def _figure(name: str) -> Callable[..., Any]:
    """The option of one of the figures of marks."""
    least, most, usual = (getattr(each, name) for each in (LEAST_FIGURES, MOST_FIGURES, USUAL))
    kind = Figure(least, most)
    told = f"{_FIGURES[name]}; {usual:g} unless said."
    return click.option(f"--mark-{name}", type=kind, metavar="MM", help=told)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them to a command."""
    for option in (
        *map(_figure, _FIGURES),
        click.option("--skip", callback=places, metavar="1-4,7",
                     help="Places of the first sheet that are used already."),
        click.option("--stock", callback=_stock, is_eager=True, metavar="NAME|list",
                     help="Pre-cut cards or labels: avery-5371."),
    ):  # fmt: skip
        command = option(command)
    return command

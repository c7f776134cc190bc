"""The command that fetches tables from where they are published."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.base.filing import Blocked
from cardgen.base.problems import Problem, has_errors
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.parameters import root_of
from cardgen.cli.report import print_problems, shown
from cardgen.cli.saying import say
from cardgen.game import fetching
from cardgen.game.inventory import counted


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over tables that were changed here.")
def fetch(game: Path | None, force: bool) -> None:
    """Fetch the tables that say where they come from (rows: {file: …, from: …}) into the game."""
    root = root_of(game)
    wanted, problems = fetching.wanted(root)
    print_problems(problems)
    if not wanted:
        say("no table is fetched; a deck asks for it with rows: {file: ships.csv, from: …}")
    ask = fetching.opener()
    for each in wanted:
        say(f"{fetching.HOST} → {shown(root / each.path)}")
        try:
            data = fetching.fetch(each.address, ask)
            how = fetching.put(root, each.path, data, force=force)
        except (fetching.Refused, Blocked) as error:
            problem = Problem(each.source, str(error), "fetch")
            print_problems([problem])
            problems.append(problem)
            continue
        lines = counted(len(data.splitlines()), "line")
        say(f"{shown(root / each.path)}: {lines}, {how}")
    sys.exit(PROBLEMS if has_errors(problems) else FINE)

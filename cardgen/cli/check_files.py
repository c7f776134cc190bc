"""The command `check-files`: the games that some files belong to, checked; pre-commit calls it."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen import build
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.folding import folded
from cardgen.cli.formats import prefix
from cardgen.cli.report import Bar, code_of, title, verdict
from cardgen.cli.saying import say
from cardgen.game import folder


@click.command(name="check-files")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
def check_files(files: tuple[Path, ...], strict: bool) -> None:
    """Check every game that one of the files belongs to: the nearest folder upward that has a
    game.yaml. Files of no game are passed over. Problems are told at files as the repository calls
    them."""
    found = (folder.find(file.parent) for file in files)
    roots = dict.fromkeys(root for root in found if root is not None)
    code = FINE
    for root in roots:
        with Bar() as bar:
            game, _, problems = build.check(build.Request(root), bar.show)
        at = prefix(root)
        say(*(f"{at}{problem}" for problem in folded(problems)), err=True)
        say(f"{title(game) if game else at or root.name}: {verdict(problems)}")
        code = max(code, code_of(problems, strict))
    sys.exit(PROBLEMS if code else FINE)

"""The command about fonts, the only one that uses the network: fetched, looked for, added."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.assets import fontsource, npm, npmfiles
from cardgen.base import paths
from cardgen.base.problems import has_errors
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import root_of
from cardgen.cli.report import print_problems, shown
from cardgen.cli.saying import say, say_text
from cardgen.game import folder, fonts_file, loading


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--add", "families", multiple=True, metavar="FAMILY",
              help="Name this family in fonts.yaml, and fetch it.")  # fmt: skip
@click.option("--search", "words", metavar="WORD", help="List families that are called so.")
def fonts(game: Path | None, families: tuple[str, ...], words: str | None) -> None:
    """Fetch the font packages that fonts/package.json pins, with npm.

    Families are those of fontsource.org, under open licences.
    """
    if words is not None:
        _search(game, words)
        return
    root = root_of(game)
    try:
        if families:
            _add(root, families)
        elif not paths.there(root, npmfiles.PACKAGE) and not fonts_file.needs_packages(root):
            say("there is nothing to fetch: the game's fonts are its own or come with cardgen")
            return
        else:
            _fetch(root)
    except npm.Failed as error:
        say_text(str(error), err=True)
        sys.exit(PROBLEMS)
    say(f"{shown(root / 'fonts')}: fonts are in place")


def _fetch(root: Path) -> None:
    problems, failure = npm.install(root)
    print_problems(problems)
    if failure:
        raise npm.Failed(failure)
    if has_errors(problems):
        sys.exit(PROBLEMS)


def _search(game: Path | None, words: str) -> None:
    root = root_of(game) if game else folder.find(Path.cwd()) or Path.cwd()
    try:
        found = fontsource.search(root, words)
    except npm.Failed as error:
        say_text(str(error), err=True)
        sys.exit(PROBLEMS)
    width = max((len(each.family) for each in found), default=0)
    for each in found:
        say(f"{each.family:{width}}  {each.package}")
    if not found:
        say(f"no family is called '{words}'")
        sys.exit(PROBLEMS)


def _add(root: Path, families: tuple[str, ...]) -> None:
    game, _ = loading.load(root)
    added = fontsource.add(root, families, game.languages if game else ())
    print_problems(added.problems)
    if has_errors(added.problems):
        sys.exit(PROBLEMS)
    say(*added.said)

"""The commands that use the network: `fonts` and `fetch`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.assets import fontsource, npm_client
from cardgen.cli.command_output import print_problems
from cardgen.cli.parameters import resolve_game_root
from cardgen.cli.terminal import FINE, PROBLEMS, format_path, print_lines, print_text
from cardgen.core.problems import Problem, has_errors
from cardgen.game import card_text, fonts_file, game_folder, loader, table_fetch
from cardgen.game.inventory import format_count
from cardgen.runtime import game_files
from cardgen.runtime.safe_files import PathBlockedError


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
        _search_families(game, words)
        return
    root = resolve_game_root(game)
    try:
        if families:
            _add_families(root, families)
        elif not game_files.has_entry(
            root, npm_client.PACKAGE
        ) and not fonts_file.needs_npm_packages(root):
            print_lines(
                "there is nothing to fetch: the game's fonts are its own or come with cardgen"
            )
            return
        else:
            _fetch_fonts(root)
    except npm_client.NpmError as error:
        print_text(str(error), err=True)
        sys.exit(PROBLEMS)
    print_lines(f"{format_path(root / 'fonts')}: fonts are in place")


def _fetch_fonts(root: Path) -> None:
    problems, failure = npm_client.install_packages(root)
    print_problems(problems)
    if failure:
        raise npm_client.NpmError(failure)
    if has_errors(problems):
        sys.exit(PROBLEMS)


def _search_families(game: Path | None, words: str) -> None:
    root = (
        resolve_game_root(game) if game else game_folder.find_game_folder(Path.cwd()) or Path.cwd()
    )
    try:
        found = fontsource.search_families(root, words)
    except npm_client.NpmError as error:
        print_text(str(error), err=True)
        sys.exit(PROBLEMS)
    width = max((len(each.family) for each in found), default=0)
    for each in found:
        print_lines(f"{each.family:{width}}  {each.package}")
    if not found:
        print_lines(f"no family is called '{words}'")
        sys.exit(PROBLEMS)


def _add_families(root: Path, families: tuple[str, ...]) -> None:
    game, _ = loader.load_game(root)
    languages, characters = (
        (game.languages, card_text.list_characters(game)) if game else ((), frozenset[str]())
    )
    added = fontsource.add_families(root, families, languages, characters)
    print_problems(added.problems)
    if has_errors(added.problems):
        sys.exit(PROBLEMS)
    print_lines(*added.lines)


@click.command()
@click.argument("game", required=False, type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write over tables that were changed here.")
def fetch(game: Path | None, force: bool) -> None:
    """Fetch the tables that say where they come from (rows: {file: …, from: …}) into the game."""
    root = resolve_game_root(game)
    wanted, problems = table_fetch.find_remote_tables(root)
    print_problems(problems)
    if not wanted:
        print_lines("no table is fetched; a deck asks for it with rows: {file: ships.csv, from: …}")
    ask = table_fetch.make_opener()
    for each in wanted:
        print_lines(f"{table_fetch.HOST} → {format_path(root / each.path)}")
        try:
            data = table_fetch.fetch_table(each.address, ask)
            how = table_fetch.write_table(root, each.path, data, force=force)
        except (table_fetch.FetchError, PathBlockedError) as error:
            problem = Problem(each.source, str(error), "fetch")
            print_problems([problem])
            problems.append(problem)
            continue
        lines = format_count(len(data.splitlines()), "line")
        print_lines(f"{format_path(root / each.path)}: {lines}, {how}")
    sys.exit(PROBLEMS if has_errors(problems) else FINE)

"""The command `diff`: two states of a game side by side, as a page, a summary and lines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen import build_folder, differing
from cardgen.base import filing, paths
from cardgen.changes.diff import told
from cardgen.changes.diff.model import Difference
from cardgen.changes.diff.page import page
from cardgen.cli import editors, stores, working
from cardgen.cli.arguments import check_names
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.folding import folded
from cardgen.cli.parameters import listed, root_of
from cardgen.cli.report import Bar, print_problems, say_json, shown
from cardgen.cli.saying import aside, say
from cardgen.differing import Asked
from cardgen.game import folder, variants
from cardgen.rules import composition

PAGE = "diff.html"
_MOST = 2


def words_of(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """`[GAME] [REV [REV]]`: a first word that is a game folder is the game."""
    if words and paths.there(folder.named(Path(words[0])), folder.FILE):
        return Path(words[0]), words[1:]
    return None, words


@click.command()
@click.argument("words", nargs=-1, metavar="[GAME] [REV [REV]]")
@click.option("--lang", "languages", multiple=True, callback=listed, metavar="CODE,…",
              help="Only these languages.", shell_complete=editors.languages)  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=listed, metavar="DECK,…",
              help="Only cards of these decks.", shell_complete=editors.decks)  # fmt: skip
@click.option("--variant", default="", metavar="NAME", help="A variant of the game.")
@stores.options
@working.option
@click.option("-o", "to", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The page, if not build/diff.html.")  # fmt: skip
@click.option("--summary", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Add a short summary in Markdown to this file.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="For other programs.")
@click.option("--exit-code", is_flag=True, help="End with 1 where anything differs.")
def diff(words: tuple[str, ...], to: Path | None, summary: Path | None, **given: Any) -> None:
    """Show what changed between two states of the game, as a page: every changed card before and
    after, what its fields said, rules, problems, and the sheets to print.

    Without REV it is HEAD and the files as they are; with one, that commit and the files; with two,
    or A..B, these. A...B compares B with where it left A, as a pull request does. A day such as
    2026-11-20 is the last commit before it.
    """
    game_path, revisions = words_of(words)
    if len(revisions) > _MOST:
        raise click.UsageError(f"'{revisions[_MOST]}' is one too many; name a game and two states")
    root = root_of(game_path)
    shared = stores.chosen(given)
    parts = given["languages"], given["decks"], given["variant"]
    asked = Asked(root, revisions, *parts, shared)
    _check_names(asked)
    with working.done_by(given["workers"], root, shared), Bar() as bar:
        found, problems = differing.difference(asked, bar.show)
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    found = replace(
        found,
        appeared=tuple(folded(found.appeared)),
        vanished=tuple(folded(found.vanished)),
    )
    path = _write(root, found, to)
    if summary:
        _add(summary, told.markdown(found, path.name))
    if given["as_json"]:
        say_json(told.as_json(found), indent=1)
        with aside():
            say(shown(path))
    else:
        say(*told.lines(found), f"{shown(path)}: every changed card before and after")
    sys.exit(PROBLEMS if given["exit_code"] and not found.nothing else FINE)


def _check_names(asked: Asked) -> None:
    """Raises UsageError for a language, deck or variant that is none."""
    game, _ = composition.load(asked.root)
    if game is None:
        return
    if asked.variant and not game.variants:
        raise click.UsageError("the game has no variants; game.yaml names them under variants:")
    if game.alone and not asked.variant:
        names = ", ".join(game.variants)
        raise click.UsageError(f"of this game only variants are made; name one: --variant {names}")
    check_names("variant", [asked.variant] if asked.variant else [], game.variants)
    applied = variants.applied(game, asked.variant)
    check_names("language", asked.languages, applied.languages)
    check_names("deck", asked.decks, [deck.id for deck in applied.decks])


def _write(root: Path, found: Difference, to: Path | None) -> Path:
    """Put the page in its place, whole."""
    if to is None:
        path = build_folder.straight(root) / PAGE
        filing.check(path.parent, path.name)
    else:
        path = to
        if not paths.there(path.parent, ""):
            raise click.UsageError(f"there is no folder {path.parent} for the page; make it first")
    filing.put(path, page(found).encode(errors="backslashreplace"))
    return path


def _add(path: Path, text: str) -> None:
    """Add a text to a file of the user's naming. Raises UsageError for what is no text file."""
    try:
        before = (
            paths.read(path, paths.MAX_TEXT_BYTES) if paths.there(path.parent, path.name) else b""
        )
    except paths.Unreadable as error:
        raise click.UsageError(f"--summary {path}: the file {error}") from None
    filing.put(path, before + text.encode(errors="backslashreplace"))

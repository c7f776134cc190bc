"""The command `diff`: two states of a game side by side, as a page, a summary and lines."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen.changes.diff_model import Difference
from cardgen.cli import editor_commands, scale_options
from cardgen.cli.command_output import ProgressBar, print_json
from cardgen.cli.parameters import check_names, resolve_game_root, split_names
from cardgen.cli.problem_formats import group_problems
from cardgen.cli.terminal import FINE, PROBLEMS, format_path, print_lines, redirect_to_stderr
from cardgen.core.problems import ProblemsError
from cardgen.diff import comparison
from cardgen.diff.comparison import DiffRequest
from cardgen.diff.html_page import render_page
from cardgen.diff.summary import format_lines, format_markdown, to_json
from cardgen.game import game_folder, variants
from cardgen.pipeline import workspace
from cardgen.rules import rule_file
from cardgen.runtime import game_files, safe_files

DIFF_PAGE = "diff.html"
_MAX_REVISIONS = 2


def split_game_and_revisions(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """Split `[GAME] [REV [REV]]`: a first word that is a game folder is the game."""
    if words and game_files.has_entry(
        game_folder.resolve_game_folder(Path(words[0])), game_folder.GAME_FILE
    ):
        return Path(words[0]), words[1:]
    return None, words


@click.command()
@click.argument("words", nargs=-1, metavar="[GAME] [REV [REV]]")
@click.option("--lang", "languages", multiple=True, callback=split_names, metavar="CODE,…",
              help="Only these languages.",
              shell_complete=editor_commands.complete_languages)  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=split_names, metavar="DECK,…",
              help="Only cards of these decks.",
              shell_complete=editor_commands.complete_decks)  # fmt: skip
@click.option("--variant", default="", metavar="NAME", help="A variant of the game.")
@scale_options.add_store_options
@scale_options.workers_option
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
    game_path, revisions = split_game_and_revisions(words)
    if len(revisions) > _MAX_REVISIONS:
        raise click.UsageError(
            f"'{revisions[_MAX_REVISIONS]}' is one state too many; name a game and at most two "
            "states"
        )
    root = resolve_game_root(game_path)
    shared = scale_options.choose_store(given)
    parts = given["languages"], given["decks"], given["variant"]
    asked = DiffRequest(root, revisions, *parts, shared)
    _check_selection(asked)
    with scale_options.use_workers(given["workers"], root, shared), ProgressBar() as bar:
        found, problems = comparison.compute_difference(asked, bar.show_progress)
    if found is None:
        raise ProblemsError(problems)
    found = replace(
        found,
        appeared=tuple(group_problems(found.appeared)),
        vanished=tuple(group_problems(found.vanished)),
    )
    path = _write_page(root, found, to)
    if summary:
        _append_summary(root, summary, format_markdown(found, path.name))
    if given["as_json"]:
        print_json(to_json(found), indent=1)
        with redirect_to_stderr():
            print_lines(format_path(path))
    else:
        print_lines(
            *format_lines(found), f"{format_path(path)}: every changed card before and after"
        )
    sys.exit(PROBLEMS if given["exit_code"] and not found.is_empty else FINE)


def _check_selection(asked: DiffRequest) -> None:
    """Raise `UsageError` for a language, deck or variant that does not exist."""
    game, _ = rule_file.load_game(asked.root)
    if game is None:
        return
    if asked.variant and not game.variants:
        raise click.UsageError("the game has no variants; game.yaml names them under variants:")
    if game.variants_only and not asked.variant:
        names = ", ".join(game.variants)
        raise click.UsageError(f"this game is built only as variants; name one: --variant {names}")
    check_names("variant", [asked.variant] if asked.variant else [], game.variants)
    applied = variants.apply_variant(game, asked.variant)
    check_names("language", asked.languages, applied.languages)
    check_names("deck", asked.decks, [deck.id for deck in applied.decks])


def _write_page(root: Path, found: Difference, to: Path | None) -> Path:
    """Write the page, whole or not at all. Return its path."""
    if to is None:
        path = workspace.resolve_build_folder(root) / DIFF_PAGE
        safe_files.check_target(path.parent, path.name)
    else:
        path = to
        if not game_files.has_entry(path.parent, ""):
            raise click.UsageError(f"there is no folder {path.parent} for the page; make it first")
        safe_files.refuse_links(root, path.parent)
    safe_files.replace_file(path, render_page(found).encode(errors="backslashreplace"))
    return path


def _append_summary(root: Path, path: Path, text: str) -> None:
    """Append to a file that the user names. Raise `UsageError` where it is no text file."""
    safe_files.refuse_links(root, path)
    try:
        before = (
            game_files.read_file(path, game_files.MAX_TEXT_BYTES)
            if game_files.has_entry(path.parent, path.name)
            else b""
        )
    except game_files.UnreadableError as error:
        raise click.UsageError(f"--summary {path}: the file {error}") from None
    safe_files.replace_file(path, before + text.encode(errors="backslashreplace"))

"""Commands about what changed since a print, `printed` and `which`, and the option `--changed`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.command_output import ProgressBar, print_problems, save_replay
from cardgen.cli.parameters import check_names, require_game, resolve_game_root, split_names
from cardgen.cli.terminal import FINE, PROBLEMS, format_path, print_lines
from cardgen.core.problems import ProblemsError, has_errors
from cardgen.game.inventory import format_count
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.runtime import fingerprint

if TYPE_CHECKING:
    from cardgen.changes.baselines import RecordResult
    from cardgen.pipeline.build import BuildReport
    from cardgen.pipeline.request import Request

_game_argument = click.argument("game", required=False, type=click.Path(path_type=Path))


def choose_changed_output(outputs: tuple[str, ...], given: dict[str, Any]) -> tuple[str, ...]:
    """Return the outputs, with changed cards in place of the sheets where only these are wanted."""
    if given["changed"] and outputs not in (("sheets",), ("changed",)):
        raise click.UsageError("--changed is for sheets alone: cardgen build sheets --changed")
    alone = given["changed"] or outputs == ("changed",)
    if "changed" in outputs and not alone:
        raise click.UsageError("changed cards are built by themselves: cardgen build changed")
    if given["since"] is not None and not alone:
        raise click.UsageError("--since goes with --changed")
    if given["cut_files"] and alone:
        raise click.UsageError("cut files are made of whole decks, not with --changed")
    return ("changed",) if alone else outputs


def add_baseline(request: Request, since: str | None) -> Request:
    """Return the request with what changed cards are compared with."""
    if "changed" not in request.outputs:
        return request
    if request.variant:
        message = "printed.yaml records the game as a whole; for a variant, build all its sheets"
        raise click.UsageError(message)
    from cardgen.changes import baselines  # noqa: PLC0415 - it renders games

    game = request.loaded_game[0] if request.loaded_game else None
    if game is None:
        return replace(request, outputs=("sheets",))  # the build tells why there is none
    base, problems = (
        baselines.load_printed(request.root)
        if since is None
        else baselines.load_baseline(request.root, since, request.languages or game.languages)
    )
    if base is None:
        raise ProblemsError(problems)
    print_problems(problems)
    assert request.options is not None
    languages, wrong = baselines.select_languages(base, request.languages, game.languages)
    if wrong:
        raise ProblemsError(wrong)
    return replace(request, languages=languages, options=replace(request.options, base=base))


def report_unchanged(report: BuildReport, request: Request) -> None:
    """Report each language without a file: nothing is to be printed."""
    if "changed" not in request.outputs or request.options is None or not request.options.base:
        return
    for language in request.languages:
        if not any(path.startswith(f"{language}/") for path in report.file_paths):
            print_lines(f"  {language}: nothing to print; all is as in {request.options.base.name}")


@click.command()
@_game_argument
@click.option("--lang", "languages", multiple=True, callback=split_names, metavar="CODE,…",
              help="Only these languages.")  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=split_names, metavar="DECK,…",
              help="Only these decks.")  # fmt: skip
def printed(game: Path | None, languages: tuple[str, ...], decks: tuple[str, ...]) -> None:
    """Record in printed.yaml that the game as it is now is printed.

    Without --lang, in the languages that are recorded already, or else in all.
    """
    from cardgen.changes import baselines  # noqa: PLC0415 - not for help
    from cardgen.pipeline.request import Request  # noqa: PLC0415
    from cardgen.rules import rule_file  # noqa: PLC0415

    root = resolve_game_root(game)
    found, _ = rule_file.load_game(root)
    if found is not None:
        check_names("deck", decks, [deck.id for deck in found.decks])
        check_names("language", languages, found.languages)
    with ProgressBar() as bar:
        done = record_printed(Request(root, (), languages, decks), bar.show_progress)
    print_problems(done.problems)
    if has_errors(done.problems):
        print_lines(f"nothing was recorded in {format_path(root / baselines.FILE)}")
        sys.exit(PROBLEMS)
    counts = ", ".join(f"{format_count(count, 'piece')} in {code}" for code, count in done.pieces)
    print_lines(
        f"{format_path(root / baselines.FILE)}: {counts} recorded as printed; commit it with "
        "the game"
    )


def record_printed(request: Request, progress: Progress = ignore_progress) -> RecordResult:
    """Write into printed.yaml that the game as it is now is printed."""
    from cardgen.changes.baselines import RecordResult  # noqa: PLC0415
    from cardgen.pipeline.workspace import open_workspace  # noqa: PLC0415

    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    result = _record_locked(current, progress)
    except ProblemsError as error:
        return RecordResult(error.problems)
    return result


def _record_locked(request: Request, progress: Progress) -> RecordResult:
    from cardgen.changes import baselines  # noqa: PLC0415
    from cardgen.pipeline.check import check_game  # noqa: PLC0415

    found = check_game(request, progress)
    before, wrong = baselines.load_recorded_states(request.root)
    problems = [*found.problems, *wrong]
    stages = found.buildable
    if stages is None or has_errors(wrong):
        return baselines.RecordResult(problems)
    game, faces, selection = stages.game, stages.faces, stages.selection
    languages = selection.languages
    if not request.languages and before:
        languages = tuple(language for language in languages if language in before)
    decks = selection.decks if request.decks else None
    return baselines.RecordResult(
        problems, baselines.record_printed(game, faces, before, languages, decks)
    )


@click.command()
@click.argument("stamp")
@_game_argument
def which(stamp: str, game: Path | None) -> None:
    """Find the card with a STAMP: which card it is, from which state, and whether it is current."""
    from cardgen.changes import baselines, revisions  # noqa: PLC0415 - not for help

    wanted = stamp.lower()
    if not baselines.is_stamp(wanted):
        raise click.UsageError(
            f"'{stamp}' is not a stamp; a stamp is four characters of 0-9 and a-f"
        )
    root = resolve_game_root(game)
    files = revisions.list_state_files(root)
    history = {str(path): fingerprint.stamp_path(path) for path in files}
    fingerprint.begin_trace(root)
    found, problems = require_game(root)
    with ProgressBar() as bar:
        matches, unsearched = baselines.find_stamp(found, wanted, bar.show_progress)
    code = FINE if matches else PROBLEMS

    def print_result() -> None:
        for match in matches:
            print_lines(f"{wanted}: {match}")
        if not matches:
            print_lines(
                f"{wanted}: no card has this stamp now, in printed.yaml or in the history searched"
            )
        if unsearched:
            print_lines(f"history was not searched: {unsearched}", err=True)

    print_result()
    if history and not unsearched:
        save_replay(print_result, problems, code, None, history)
    sys.exit(code)

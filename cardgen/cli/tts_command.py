"""The command about virtual tables: a save held to the rules of its format, and to its game."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from cardgen.book.editions import WrittenBooks
from cardgen.cli.command_output import ProgressBar, format_findings, format_path, print_problems
from cardgen.cli.parameters import resolve_game_root
from cardgen.cli.terminal import FINE, PROBLEMS, print_lines
from cardgen.core.problems import Problem, has_errors
from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Job, Options, Progress, ignore_progress
from cardgen.pipeline import stages
from cardgen.pipeline.request import Request
from cardgen.sheets.arrangement import SheetLayout
from cardgen.tabletop import tts_checker, tts_faces
from cardgen.tabletop.tts_checker import CheckedSave, SaveFinding


@click.command(name="check-tts")
@click.argument("save", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--images", type=click.Path(path_type=Path, exists=True, file_okay=False),
              help="Where its pictures are; without it, beside the save.")  # fmt: skip
@click.option("--game", type=click.Path(path_type=Path), help="Hold the cards against this game.")
@click.option("--variant", default="", metavar="NAME", help="Against this variant of it.")
def check_tts(save: Path, images: Path | None, game: Path | None, variant: str) -> None:
    """Hold a Tabletop Simulator save to the rules of the format, ours or a stranger's."""
    if variant and game is None:
        raise click.UsageError("--variant goes with --game")
    result = tts_checker.check_save(save, images or save.parent)
    findings = list(result.findings)
    if game is not None and result.objects:
        with ProgressBar() as bar:
            request = Request(resolve_game_root(game), variant=variant)
            found, problems = check_against_game(request, result, bar.show_progress)
        print_problems([p for p in problems if p.severity == "error" and not p.outside_selection])
        findings += found
        if has_errors(problems):
            sys.exit(PROBLEMS)
    for finding in findings:
        print_lines(f"{save}: {finding}", err=True)
    print_lines(
        f"{format_path(save)}: {result.format_summary(game is not None)}; {format_findings(findings)}"
    )
    sys.exit(PROBLEMS if any(finding.severity == "error" for finding in findings) else FINE)


def check_against_game(
    request: Request, save: CheckedSave, progress: Progress = ignore_progress
) -> tuple[list[SaveFinding], list[Problem]]:
    """Hold a save's cards against the game they come from: every face, and how many there are."""
    options = Options(SheetLayout("a4", Size(*PAPERS["a4"])), 300, bleed=False, rounded=False)

    def compare_faces(asked: Request) -> tuple[list[SaveFinding], list[Problem]]:
        found = stages.check_game(asked, progress)
        if found.buildable is None:
            return [], found.problems
        game, faces = found.buildable
        job = Job(game, game.decks, game.languages, faces, WrittenBooks(), asked.store, options)
        return tts_faces.compare_with_game(job, save, progress), found.problems

    request = replace(request, languages=tts_faces.list_languages(save))
    return stages.run_in_workspace(
        request, progress, compare_faces, lambda problem: ([], [problem])
    )

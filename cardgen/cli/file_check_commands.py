"""The command `preflight`: PDFs checked against what a print shop asks for."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from cardgen.cli import problem_formats
from cardgen.cli.command_output import (
    ProgressBar,
    compute_exit_code,
    format_findings,
    format_verdict,
    print_problems,
    print_problems_as,
)
from cardgen.cli.parameters import resolve_game_root
from cardgen.cli.terminal import FINE, PROBLEMS, format_path, print_lines
from cardgen.core.problems import Problem, ProblemsError, has_errors
from cardgen.core.units import PAPERS, Size
from cardgen.outputs.contract import Options, Progress, ignore_progress
from cardgen.pdf.preflight import inspection, printer_spec
from cardgen.pdf.preflight.inspection import InspectionCall, InspectionResult
from cardgen.pdf.preflight.printer_spec import DEFAULT_SPEC, PrinterSpec
from cardgen.pipeline.check import check_game
from cardgen.pipeline.request import Request
from cardgen.pipeline.workspace import open_workspace
from cardgen.sheets.arrangement import SheetLayout
from cardgen.tabletop import tts_checker, tts_faces
from cardgen.tabletop.tts_checker import CheckedSave, SaveFinding


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf…",
                type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.option("--for", "shop", metavar="SHOP",
              help=f"{', '.join(sorted(printer_spec.load_shops()))}, or your own.")  # fmt: skip
@click.option("--spec", "own", metavar="FILE.yaml", help="What a printer of your own asks.",
              type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.option("--problems", "form", type=click.Choice(problem_formats.FORMATS), default="text",
              help="Format of the problems.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on warnings, too.")
def preflight(
    files: tuple[Path, ...], shop: str | None, own: Path | None, form: str, strict: bool
) -> None:
    """Hold PDFs to what print shops ask: boxes, bleed, fonts, colours, ink, pictures.

    Without --for or --spec they are held to what is usual.
    """
    if shop and own:
        raise click.UsageError("--for and --spec are two printers; name one of them")
    asked = _choose_spec(shop, own)
    found: list[Problem] = []
    with ProgressBar() as bar:
        calls = [
            InspectionCall(path.absolute(), format_path(path), asked)
            for path in dict.fromkeys(files)
        ]
        for number, each in enumerate(inspection.inspect_files(calls), start=1):
            bar.show_progress("looking", number, len(calls))
            found += each.problems
            if form == "text":
                _report_file(each)
    if form != "text":
        print_problems_as(form, found, Path())
    sys.exit(compute_exit_code(found, strict))


def _choose_spec(shop: str | None, own: Path | None) -> PrinterSpec:
    if shop:
        own_or_known, problems = printer_spec.load_own_shop(Path(), shop)
        if own_or_known is not None:
            return own_or_known
        if any(each.kind == "shop" for each in problems):
            raise click.UsageError(f"--for: {problems[0].message.partition('; write')[0]}")
        raise ProblemsError(problems)
    if own is None:
        return DEFAULT_SPEC
    found, problems = printer_spec.load_spec(own)
    if found is None:
        raise ProblemsError(problems)
    return found


def _report_file(each: InspectionResult) -> None:
    for problem in each.problems:
        print_lines(str(problem), err=True)
    print_lines(f"{each.name}: {format_verdict(each.problems)}")
    for line in each.summary:
        print_lines(f"  {line}")


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
        f"{format_path(save)}: {result.format_summary(game is not None)}; "
        f"{format_findings(findings)}"
    )
    sys.exit(PROBLEMS if any(finding.severity == "error" for finding in findings) else FINE)


def check_against_game(
    request: Request, save: CheckedSave, progress: Progress = ignore_progress
) -> tuple[list[SaveFinding], list[Problem]]:
    """Compare a save's cards with their game: every face, and how many there are."""
    options = Options(SheetLayout("a4", Size(*PAPERS["a4"])), 300, bleed=False, rounded=False)
    request = replace(request, languages=tts_faces.list_languages(save), options=options)
    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    result = _compare_locked(current, save, progress)
    except ProblemsError as error:
        return [], error.problems
    return result


def _compare_locked(
    request: Request, save: CheckedSave, progress: Progress
) -> tuple[list[SaveFinding], list[Problem]]:
    found = check_game(request, progress)
    stages = found.buildable
    if stages is None:
        return [], found.problems
    game = stages.game
    job = stages.create_job(decks=game.decks, languages=game.languages)
    return tts_faces.compare_with_game(job, save, progress), found.problems

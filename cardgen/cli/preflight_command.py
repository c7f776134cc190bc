"""The command `preflight`: PDFs checked against what a print shop asks for."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.cli import problem_formats
from cardgen.cli.command_output import (
    ProgressBar,
    compute_exit_code,
    format_verdict,
    print_problems_as,
)
from cardgen.cli.terminal import format_path, print_lines
from cardgen.core.problems import Problem, ProblemsError
from cardgen.pdf.preflight import inspection, printer_spec
from cardgen.pdf.preflight.inspection import InspectionCall, InspectionResult
from cardgen.pdf.preflight.printer_spec import DEFAULT_SPEC, PrinterSpec


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf…",
                type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.option("--for", "shop", metavar="SHOP", type=click.Choice(sorted(printer_spec.load_shops())),
              help=f"A print shop: {', '.join(sorted(printer_spec.load_shops()))}.")  # fmt: skip
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
        return printer_spec.load_shops()[shop]
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

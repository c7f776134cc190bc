"""The command about PDFs for a press: any file held to what a print shop asks."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.base.problems import Problem
from cardgen.cli import formats
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.report import Bar, code_of, print_as, print_problems, shown, verdict
from cardgen.cli.saying import say
from cardgen.pdf.preflight import examine, spec
from cardgen.pdf.preflight.examine import Call, Examined
from cardgen.pdf.preflight.spec import USUAL, Spec


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf…",
                type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.option("--for", "shop", metavar="SHOP", type=click.Choice(sorted(spec.shops())),
              help=f"A print shop: {', '.join(sorted(spec.shops()))}.")  # fmt: skip
@click.option("--spec", "own", metavar="FILE.yaml", help="What a printer of your own asks.",
              type=click.Path(path_type=Path, exists=True, dir_okay=False))  # fmt: skip
@click.option("--problems", "form", type=click.Choice(formats.FORMATS), default="text",
              help="How problems are told.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
def preflight(
    files: tuple[Path, ...], shop: str | None, own: Path | None, form: str, strict: bool
) -> None:
    """Hold PDFs to what print shops ask: boxes, bleed, fonts, colours, ink, pictures.

    Without --for or --spec they are held to what is usual.
    """
    if shop and own:
        raise click.UsageError("--for and --spec are two printers; name one of them")
    asked = _asked(shop, own)
    found: list[Problem] = []
    with Bar() as bar:
        calls = [Call(path.absolute(), shown(path), asked) for path in dict.fromkeys(files)]
        for number, each in enumerate(examine.examined(calls), start=1):
            bar.show("looking", number, len(calls))
            found += each.problems
            if form == "text":
                _tell(each)
    if form != "text":
        print_as(form, found, Path())
    sys.exit(code_of(found, strict))


def _asked(shop: str | None, own: Path | None) -> Spec:
    if shop:
        return spec.shops()[shop]
    if own is None:
        return USUAL
    found, problems = spec.load(own)
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    return found


def _tell(each: Examined) -> None:
    for problem in each.problems:
        say(str(problem), err=True)
    say(f"{each.name}: {verdict(each.problems)}")
    for line in each.told:
        say(f"  {line}")

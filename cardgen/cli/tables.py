"""The command about virtual tables: a save held to the rules of its format, and to its game."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from cardgen import examining
from cardgen.base.problems import Problem, has_errors
from cardgen.base.units import PAPERS, Size
from cardgen.book.editions import Books
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.parameters import root_of
from cardgen.cli.report import Bar, print_problems, shown, tally
from cardgen.cli.saying import say
from cardgen.outputs.contract import Job, Options, Progress, quiet
from cardgen.outputs.tables import against_game, checker
from cardgen.outputs.tables.checker import Checked, Finding
from cardgen.request import Request
from cardgen.sheets.arrange import Layout


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
    result = checker.check(save, images or save.parent)
    findings = list(result.findings)
    if game is not None and result.save is not None:
        with Bar() as bar:
            request = Request(root_of(game), variant=variant)
            found, problems = prove(request, result, bar.show)
        print_problems([p for p in problems if p.severity == "error" and not p.elsewhere])
        findings += found
        if has_errors(problems):
            sys.exit(PROBLEMS)
    for finding in findings:
        say(f"{save}: {finding}", err=True)
    say(f"{shown(save)}: {result.told(game is not None)}; {tally(findings)}")
    sys.exit(PROBLEMS if any(finding.severity == "error" for finding in findings) else FINE)


def prove(
    request: Request, save: Checked, progress: Progress = quiet
) -> tuple[list[Finding], list[Problem]]:
    """Hold a save's cards against the game they come from: every face, and how many there are."""
    options = Options(Layout("a4", Size(*PAPERS["a4"])), 300, bleed=False, rounded=False)

    def work(asked: Request) -> tuple[list[Finding], list[Problem]]:
        found = examining.examined(asked, progress)
        if found.sound is None:
            return [], found.problems
        game, faces = found.sound
        job = Job(game, game.decks, game.languages, faces, Books(), asked.store, options)
        return against_game.prove(job, save, progress), found.problems

    request = replace(request, languages=against_game.languages(save))
    return examining.in_turn(request, progress, work, lambda problem: ([], [problem]))

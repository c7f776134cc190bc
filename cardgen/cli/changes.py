"""The commands about what changed since a print: `printed`, `which`, and what `--changed` asks."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen import build, examining
from cardgen.base.problems import Problem, Source, has_errors
from cardgen.changes import baselines, printed_file, recording, stamps
from cardgen.changes.compare import Base
from cardgen.changes.recording import Recorded
from cardgen.cli.arguments import check_names
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.parameters import listed, root_of
from cardgen.cli.report import Bar, print_problems, shown
from cardgen.cli.saying import say
from cardgen.game.inventory import counted
from cardgen.outputs.contract import Progress, quiet
from cardgen.rules import composition

_game = click.argument("game", required=False, type=click.Path(path_type=Path))


def wanted(outputs: tuple[str, ...], given: dict[str, Any]) -> tuple[str, ...]:
    """The outputs, with changed cards in place of the sheets when just these are asked for."""
    if given["changed"] and outputs not in (("sheets",), ("changed",)):
        raise click.UsageError("only sheets know --changed: cardgen build sheets --changed")
    alone = given["changed"] or outputs == ("changed",)
    if "changed" in outputs and not alone:
        raise click.UsageError("changed cards are built by themselves: cardgen build changed")
    if given["since"] is not None and not alone:
        raise click.UsageError("--since goes with --changed")
    if given["cut_files"] and alone:
        raise click.UsageError("cut files are made of whole decks, not with --changed")
    return ("changed",) if alone else outputs


def compared(request: build.Request, since: str | None) -> build.Request:
    """The request with what changed cards are compared with, in the languages that it has."""
    if "changed" not in request.outputs:
        return request
    if request.variant:
        message = "printed.yaml tells of the game as a whole; of variants, build the sheets anew"
        raise click.UsageError(message)
    game = request.loaded[0] if request.loaded else None
    if game is None:
        return replace(request, outputs=("sheets",))  # the build tells why there is none
    base, problems = (
        baselines.printed(request.root)
        if since is None
        else baselines.since(request.root, since, request.languages or game.languages)
    )
    print_problems(problems)
    if base is None:
        sys.exit(PROBLEMS)
    assert request.options is not None
    languages = _languages(base, request.languages, game.languages)
    return replace(request, languages=languages, options=replace(request.options, base=base))


def _languages(base: Base, asked: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    missing = [language for language in asked if language not in base.states]
    there = tuple(language for language in asked or known if language in base.states)
    if missing or not there:
        message = (
            f"it holds nothing in {', '.join(missing or known)}; print all of it once "
            "('cardgen build sheets'), then record it with 'cardgen printed --lang CODE'"
        )
        print_problems([Problem(Source(base.name), message, "printed")])
        sys.exit(PROBLEMS)
    return there


def tell_unchanged(report: build.Report, request: build.Request) -> None:
    """Say of each language without a file that nothing is to be done."""
    if "changed" not in request.outputs or request.options is None or not request.options.base:
        return
    for language in request.languages:
        if not any(path.startswith(f"{language}/") for path in report.paths):
            say(f"  {language}: nothing to print; all is as in {request.options.base.name}")


@click.command()
@_game
@click.option("--lang", "languages", multiple=True, callback=listed, metavar="CODE,…",
              help="Only these languages.")  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=listed, metavar="DECK,…",
              help="Only these decks.")  # fmt: skip
def printed(game: Path | None, languages: tuple[str, ...], decks: tuple[str, ...]) -> None:
    """Record that the game as it is now lies on the table, in printed.yaml.

    Without --lang, in the languages that are recorded already, or else in all.
    """
    root = root_of(game)
    found, _ = composition.load(root)
    if found is not None:
        check_names("deck", decks, [deck.id for deck in found.decks])
        check_names("language", languages, found.languages)
    with Bar() as bar:
        done = record_printed(build.Request(root, (), languages, decks), bar.show)
    print_problems(done.problems)
    if has_errors(done.problems):
        say(f"nothing was recorded in {shown(root / printed_file.FILE)}")
        sys.exit(PROBLEMS)
    told = ", ".join(f"{counted(count, 'piece')} in {code}" for code, count in done.pieces)
    say(f"{shown(root / printed_file.FILE)}: {told} on the table; commit it with the game")


def record_printed(request: build.Request, progress: Progress = quiet) -> Recorded:
    """Write into printed.yaml that the game as it is lies on the table."""

    def work(asked: build.Request) -> Recorded:
        found = examining.examined(asked, progress)
        before, wrong = recording.recorded(asked.root)
        problems = [*found.problems, *wrong]
        if found.sound is None or has_errors(wrong):
            return Recorded(problems)
        game, faces = found.sound
        languages = found.asked.languages
        if not asked.languages and before:
            languages = tuple(language for language in languages if language in before)
        shown = found.asked.decks if asked.decks else None
        return Recorded(problems, recording.record(game, faces, before, languages, shown))

    return examining.in_turn(request, progress, work, lambda problem: Recorded([problem]))


@click.command()
@click.argument("stamp")
@_game
def which(stamp: str, game: Path | None) -> None:
    """Tell what a card's STAMP says: which card it is, from which state, whether it is current."""
    wanted = stamp.lower()
    if not stamps.is_stamp(wanted):
        raise click.UsageError(f"'{stamp}' is no stamp; a card bears four of 0-9 and a-f")
    found, problems = composition.load(root_of(game))
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    with Bar() as bar:
        matches, unsearched = stamps.find(found, wanted, bar.show)
    for match in matches:
        say(f"{wanted}: {match}")
    if not matches:
        say(f"{wanted}: no card bears it now, in printed.yaml or in the history searched")
    if unsearched:
        say(f"history was not searched: {unsearched}", err=True)
    sys.exit(FINE if matches else PROBLEMS)

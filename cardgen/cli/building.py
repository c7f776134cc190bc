"""The commands that check, list, build, calibrate and clean: arguments in, calls, printed lines and
an exit code out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen import build, build_folder, examining
from cardgen.base import filing, noted
from cardgen.base.problems import Problem, has_errors
from cardgen.base.shared_store import Shared
from cardgen.base.units import PAPERS, Size
from cardgen.book.model import EDITIONS, FORMATS
from cardgen.cli import changes, editors, formats, merging, stocks, stores, unchanged, working
from cardgen.cli.arguments import (
    check_used,
    known_printers,
    loaded,
    paper_named,
    requests_for,
    saved_objects,
    sheet_numbers,
    split_words,
    usual,
    variants_named,
)
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import Figure, Whole, config_folder, listed, root_of
from cardgen.cli.report import (
    Bar,
    code_of,
    keep,
    left,
    print_as,
    print_problems,
    print_report,
    say_json,
    shown,
    standing,
    title,
    verdict,
)
from cardgen.cli.saying import aside, say, say_text
from cardgen.game import inventory
from cardgen.game.deck_keys import MOST_BLEED
from cardgen.game.inventory import counted
from cardgen.game.model import BACKS, FITS, MARKS, Game
from cardgen.game.press_settings import LEAST_INK, MOST_INK
from cardgen.game.settings import MOST_MARGIN
from cardgen.outputs.contract import IMAGE_FORMATS, LARGEST_SHEET_PX, PER, SHEET_PX
from cardgen.outputs.tables import installation
from cardgen.rules import composition
from cardgen.sheets import printers
from cardgen.sheets.printers import MOST_DEGREES, MOST_MM

_MM = Figure(0, MOST_MARGIN)
_game = click.argument("game", required=False, type=click.Path(path_type=Path))
_strict = click.option("--strict", is_flag=True, help="Warnings fail, too.")
_problems = click.option("--problems", "form", type=click.Choice(formats.FORMATS), default="text",
                         help="How problems are told.")  # fmt: skip


def beside(form: str) -> AbstractContextManager[None]:
    """Where what is no problem is told: not in the document that the problems are."""
    return aside() if form in formats.ALONE else nullcontext()


_variant = click.option(
    "--variant", "variants", multiple=True, callback=listed, metavar="NAME,…|all",
    help="These variants of the game.",
)  # fmt: skip


@click.command()
@_game
@_variant
@stores.options
@working.option
@_strict
@_problems
def check(
    game: Path | None, variants: tuple[str, ...], strict: bool, form: str, **given: Any
) -> None:
    """Say everything that is wrong, layout and composition rules included; of the game and of all
    its variants, or of those that are named."""
    root = root_of(game)
    settings, shared = stores.beside(), stores.chosen(given)
    noted.begin(root)
    request = build.Request(root, shared=shared)
    if variants:
        request = replace(request, loaded=loaded(root))
    names = variants_named(request.loaded, variants)
    with working.done_by(given["workers"], root, shared), Bar() as bar:
        found, faces, problems = build.check(request, bar.show, names)
    code = code_of(problems, strict)

    def tell() -> None:
        print_as(form, problems, root)
        if found is not None and faces is not None:
            more = len(names or examining.made_of(found)) - 1
            with beside(form):
                _tell_checked(found, len(faces.faces), more, problems)
        _tell_proposed(found, shared)

    tell()
    if form == "text":
        keep(tell, problems, code, None, settings)
    sys.exit(code)


def _tell_proposed(game: Game | None, shared: Shared | None) -> None:
    """Tell of a store that a game names and its user has not."""
    if game is not None and (proposal := stores.proposed(game, shared)):
        say(proposal, err=True)


def _tell_checked(game: Game, faces: int, more: int, problems: list[Problem]) -> None:
    """What was checked; `more` are the variants beside."""
    for figure in composition.figures(game, problems):
        say(figure)
    parts = [counted(len(game.decks), "deck"), counted(faces, "face")]
    parts.append(counted(len(game.rules), "rule"))
    parts += [counted(more, "variant") + (" more" if game.variant else "")] if more else []
    say(f"{title(game)}: {', '.join(parts)}; {verdict(problems)}")


def _tell_built(
    reports: Sequence[build.Report], requests: Sequence[build.Request], code: int
) -> None:
    """What came of each variant, and of the store that they share with others; ends here where
    one failed."""
    failed = [report.failed and report.drafts is None for report in reports]
    for report, nothing in zip(reports, failed, strict=True):
        if nothing:
            say(f"{verdict(report.problems)}; {left(report)}")
        else:
            print_report(report)
    if any(failed):
        sys.exit(code)
    shared = requests[0].shared
    if shared is not None and shared.told:
        say(f"  {shared.told}")
    say(unchanged.DONE.format(sum(report.seconds for report in reports)))
    for report, request in zip(reports, requests, strict=True):
        changes.tell_unchanged(report, request)


@click.command(name="list")
@_game
@click.option("--json", "as_json", is_flag=True, help="For editors and CI.")
@click.option("--keywords", is_flag=True, help="Where keywords became icons.")
def list_(game: Path | None, as_json: bool, keywords: bool) -> None:
    """Say what is in the box: decks, sizes, copies and every piece with its fields."""
    found, problems = composition.load(root_of(game))
    if found is None:
        print_problems(problems)
        sys.exit(PROBLEMS)
    if keywords:
        say_text(inventory.keywords(found))
    elif as_json:
        say_json(inventory.as_json(found), indent=1)
    else:
        say_text(inventory.as_text(found))
        if has_errors(problems):
            say(f"{verdict(problems)}; 'cardgen check' tells them", err=True)
    sys.exit(code_of(problems, strict=False))


@click.command(name="build")
@click.argument("words", nargs=-1, metavar="[GAME] [OUTPUT]...", shell_complete=editors.words)
@click.option("--lang", "languages", multiple=True, callback=listed, metavar="CODE,…",
              help="Only these languages.", shell_complete=editors.languages)  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=listed, metavar="DECK,…",
              help="Only these decks.", shell_complete=editors.decks)  # fmt: skip
@click.option("--card", "cards", multiple=True, callback=listed, metavar="CARD,…",
              help="Only these cards: barn, or loot/barn.")  # fmt: skip
@click.option("--where", metavar="EXPRESSION", help="Only cards for which it holds: cost > 3.")
@click.option("--sheets", callback=sheet_numbers, metavar="2-4,7", help="Only these sheets.")
@_variant
@click.option("--paper", metavar="NAME|WxH", help=f"{', '.join(PAPERS)}, or 320x450 in mm.")
@click.option("--backs", type=click.Choice(BACKS), help="How backs are printed.")
@click.option("--margin", type=_MM, metavar="MM", help="What the printer leaves white.")
@click.option("--gap", type=_MM, metavar="MM", help="Room between cards on a sheet.")
@click.option("--overlap", type=_MM, metavar="MM", help="Of the parts of a split board.")
@click.option("--mix", is_flag=True, default=None, help="Decks of one size share sheets.")
@stocks.options
@click.option("--marks", type=click.Choice(MARKS), help="Marks on the sheets.")
@click.option("--cut-lines", is_flag=True, help="Lines round every card.")
@click.option("--corner-guides", is_flag=True, help="Arcs at the corners of every card.")
@click.option("--cut", "cut_files", metavar="dxf,svg", help="Cut files beside the sheets.")
@click.option("--printer", metavar="NAME", help="Backs corrected as calibrated for it.")
@click.option("--low-ink", is_flag=True, help="White grounds, outlines, pale art on the sheets.")
@click.option("--grayscale", is_flag=True, help="Sheets in black ink alone.")
@click.option("--estimate", is_flag=True, help="Tell how much ink the sheets take.")
@click.option("--profile", default="", metavar="FILE|NAME", help="Of the press.")
@click.option("--ink-limit", type=Whole(LEAST_INK, MOST_INK), metavar="PERCENT",
              help="The most ink that the press takes.")  # fmt: skip
@click.option("--bleed-mm", type=Figure(0, MOST_BLEED), metavar="MM",
              help="Of single cards; else their deck's.")  # fmt: skip
@click.option(
    "--file-per", type=click.Choice(PER), default=PER[0], help="What a file of card-pdfs holds."
)
@click.option("--fit", type=click.Choice(FITS), help="Cards to a shop's size nearby.")
@click.option("--dpi", type=Whole(50, 1200), help="Of the images.")
@click.option("--bleed", is_flag=True, help="Images with their bleed.")
@click.option("--round", "rounded", is_flag=True, help="Images with round corners.")
@click.option("--format", "image_format", type=click.Choice(IMAGE_FORMATS), help="Of the images.")
@click.option("--width-px", type=Whole(16, 10_000), help="Width of the images' trim.")
@click.option("--edition", "editions", multiple=True, type=click.Choice(EDITIONS),
              help="Only this edition of the rulebook.")  # fmt: skip
@click.option("--book-size", "book_sizes", multiple=True, type=click.Choice(tuple(FORMATS)),
              help="Only the rulebook on this paper.")  # fmt: skip
@click.option("--png/--jpeg", default=False, help="Pictures for virtual tables.")
@click.option(
    "--sheet-px", type=Whole(256, LARGEST_SHEET_PX), default=SHEET_PX,
    help="Longest side of a sheet of faces.",
)  # fmt: skip
@click.option("--base-url", default="", metavar="URL", help="Where the pictures will be hosted.")
@click.option("--install", is_flag=True, help="Put the tts save into the Saved Objects folder.")
@click.option("--tts-dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--changed", is_flag=True, help="Sheets of what differs from what was printed.")
@click.option("--since", metavar="REV|DATE|FILE", help="What --changed compares with.")
@stores.options
@merging.options
@click.option("--draft", is_flag=True, help="Whatever can be drawn, what is wrong outlined.")
@click.option("--fresh", is_flag=True, help="Forget what was made before.")
@working.option
@click.option("-o", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@_strict
@_problems
def build_(
    words: tuple[str, ...], strict: bool, form: str, folder: Path | None,
    workers: int | str | None, **given: Any,
) -> None:  # fmt: skip
    """Make files. OUTPUT is sheets, images, rulebook, contact, tts, tabletop-playground,
    playingcards, folder, mpc, tgc, card-pdfs, card-proof, press or changed; without a word, the
    first three.

    With --deck, --card or --where and without a word, the rulebook is left alone; with --sheets,
    so are the images.

    With --draft, mistakes stop nothing: a card with one is marked DRAFT across and shows it, and
    all goes into build/draft, apart from what is for printing.
    """
    game_path, outputs = split_words(words)
    root = root_of(game_path)
    objects_folder = saved_objects(given, outputs)
    outputs = changes.wanted(outputs, given)
    outputs = outputs or usual(given)
    check_used(click.get_current_context(), outputs)
    settings, shared = stores.beside(), stores.chosen(given)
    shard, merged = merging.check(given, outputs)
    shared = merging.unsent(shared) if merged else shared
    noted.begin(root)
    asked = requests_for(root, outputs, merging.folder_of(root, shard, folder), given)
    requests = [replace(changes.compared(each, given["since"]), shared=shared) for each in asked]
    if shard:
        requests = [merging.shared_out(each, shard) for each in requests]
    elif merged:
        several = len(requests) > 1
        requests = [merging.with_parts(each, merged, several=several) for each in requests]
    with working.done_by(workers, root, shared), Bar() as bar:
        reports = [build.build(each, bar.show) for each in requests]
    names = [each.variant for each in requests]
    told = dict(zip(names, (each.problems for each in reports), strict=True))
    problems = examining.in_variants(told)
    print_as(form, problems, root)
    code = code_of(problems, strict)
    _tell_proposed(reports[0].game, shared)
    with beside(form):
        _tell_built(reports, requests, code)
        for report, request in zip(reports, requests, strict=True):
            if request.share and not report.failed:
                merging.hand_on(request, report)
        if objects_folder:
            for report in reports:
                for path in installation.install(report.folder, report.paths, objects_folder):
                    say(f"  {shown(path)}: installed")
    # What changed is compared with what git knows.
    plain = not (objects_folder or shard or merged or given["draft"] or "changed" in outputs)
    if form == "text" and plain:

        def tell() -> None:
            print_problems(problems)
            _tell_proposed(reports[0].game, shared)
            for report in reports:
                print_report(report.once_more)

        keep(tell, problems, code, standing(zip(names, reports, strict=True)), settings)
    sys.exit(code)


@click.command()
@_game
@click.option("--printer", metavar="NAME", help="Whose backs are off, a name of your own.")
@click.option("--dx", type=Figure(-MOST_MM, MOST_MM), metavar="MM", help="To the right.")
@click.option("--dy", type=Figure(-MOST_MM, MOST_MM), metavar="MM", help="Up.")
@click.option(
    "--angle",
    type=Figure(-MOST_DEGREES, MOST_DEGREES),
    metavar="DEG",
    help="Counter-clockwise.",
)
@click.option("--paper", metavar="NAME|WxH", help="Of the calibration sheet.")
@click.option("--list", "listed", is_flag=True, help="Show every printer's correction.")
def calibrate(game: Path | None, printer: str | None, listed: bool, **given: Any) -> None:
    """Correct where a printer puts backs; without figures, make the sheet to read them from.

    The figures say how far backs must move, as you look at the printed back.
    """
    known = known_printers()
    figures = {key: given[key] for key in ("dx", "dy", "angle") if given[key] is not None}
    if listed:
        for name, correction in sorted(known.items()):
            say(f"{name}: {correction}")
        if not known:
            say("no printer is calibrated yet; 'cardgen calibrate' makes the sheet for it")
    elif figures:
        if printer is None or not printers.is_name(printer):
            raise click.UsageError("say whose figures these are: --printer NAME, such as home")
        known[printer] = printers.Calibration(**figures)
        path = printers.write(config_folder(), known)
        say(f"{printer}: {known[printer]}; kept in {path}")
    else:
        path = _calibration_sheet(root_of(game), paper_named(given["paper"] or "a4"))
        say(f"{shown(path)}: print it on both sides of one paper; it says how to go on")


def _calibration_sheet(root: Path, paper: Size) -> Path:
    """Write build/calibration.pdf, two pages to print on both sides of one paper; its path."""
    from cardgen.sheets import calibration  # noqa: PLC0415 - slow to import, and seldom needed

    folder = build_folder.straight(root)
    filing.check(folder, "calibration.pdf")
    filing.put(folder / "calibration.pdf", calibration.draw(paper))
    return folder / "calibration.pdf"


@click.command()
@_game
def clean(game: Path | None) -> None:
    """Remove what builds of this game made, the store included."""
    root = root_of(game)
    with Bar() as bar:
        count = build.clean(root, bar.show)
    say(f"{shown(root / 'build')}: {counted(count, 'file')} removed")

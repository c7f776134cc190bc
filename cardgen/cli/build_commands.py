"""The commands that check, list, build, calibrate and clean."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli import (
    build_arguments,
    change_commands,
    editor_commands,
    problem_formats,
    replay,
    scale_options,
)
from cardgen.cli.build_arguments import (
    check_options_used,
    choose_default_outputs,
    create_requests,
    find_install_folder,
    load_for_request,
    load_printers,
    parse_paper_option,
    select_variants,
    split_game_and_outputs,
)
from cardgen.cli.command_output import (
    ProgressBar,
    collect_folder_stamps,
    compute_exit_code,
    format_failure,
    format_title,
    format_verdict,
    print_problems,
    print_problems_as,
    print_report,
    save_replay,
)
from cardgen.cli.parameters import (
    FloatOption,
    resolve_game_root,
    split_names,
)
from cardgen.cli.problem_formats import find_repository_prefix, group_problems
from cardgen.cli.terminal import (
    FINE,
    PROBLEMS,
    format_path,
    print_lines,
    redirect_to_stderr,
)
from cardgen.core.units import Size
from cardgen.game import game_folder
from cardgen.game.game_settings import MAX_MARGIN_MM
from cardgen.game.inventory import format_count
from cardgen.pipeline.request import Request
from cardgen.runtime import fingerprint, safe_files
from cardgen.runtime.user_secret import get_config_folder
from cardgen.sheets import printer_profiles
from cardgen.sheets.printer_profiles import MAX_ANGLE_DEGREES, MAX_OFFSET_MM

if TYPE_CHECKING:
    from cardgen.core.problems import Problem
    from cardgen.game.model import Game
    from cardgen.pipeline.build import BuildReport
    from cardgen.runtime.scale.shared_store import SharedStore

_MARGIN_MM = FloatOption(0, MAX_MARGIN_MM)
_game_argument = click.argument("game", required=False, type=click.Path(path_type=Path))
_strict_option = click.option("--strict", is_flag=True, help="Fail on warnings, too.")
_problems_option = click.option(
    "--problems", "form", type=click.Choice(problem_formats.FORMATS), default="text",
    help="Format of the problems.",
)  # fmt: skip


def redirect_status(form: str) -> AbstractContextManager[None]:
    """Print status lines to the standard error where the problems are a document of their own."""
    return redirect_to_stderr() if form in problem_formats.DOCUMENT_FORMATS else nullcontext()


_variant_option = click.option(
    "--variant", "variants", multiple=True, callback=split_names, metavar="NAME,…|all",
    help="These variants of the game.",
)  # fmt: skip


@click.command()
@_game_argument
@_variant_option
@scale_options.add_store_options
@scale_options.workers_option
@_strict_option
@_problems_option
def check(
    game: Path | None, variants: tuple[str, ...], strict: bool, form: str, **given: Any
) -> None:
    """Check a game and all its variants, or those that are named: files, texts, layout, rules."""
    from cardgen.pipeline import build  # noqa: PLC0415 - not for help
    from cardgen.pipeline.check import list_variants  # noqa: PLC0415

    root = resolve_game_root(game)
    settings, shared = scale_options.stamp_config_files(), scale_options.choose_store(given)
    fingerprint.begin_trace(root)
    request = Request(root, shared_store=shared)
    if variants:
        request = replace(request, loaded_game=load_for_request(root))
    names = select_variants(request.loaded_game, variants)
    with scale_options.use_workers(given["workers"], root, shared), ProgressBar() as bar:
        found, faces, problems = build.check(request, bar.show_progress, names)
    code = compute_exit_code(problems, strict)

    def print_result() -> None:
        print_problems_as(form, problems, root)
        if found is not None and faces is not None:
            more = len(names or list_variants(found)) - 1
            with redirect_status(form):
                _report_check(found, len(faces.faces), more, problems)
        _report_proposed_store(found, shared)

    print_result()
    if form == "text":
        save_replay(print_result, problems, code, None, settings)
    sys.exit(code)


def _report_proposed_store(game: Game | None, shared: SharedStore | None) -> None:
    """Report a shared store that the game proposes and the user has not named."""
    if game is not None and (proposal := scale_options.format_proposal(game, shared)):
        print_lines(proposal, err=True)


def _report_check(game: Game, faces: int, more: int, problems: list[Problem]) -> None:
    """Report what was checked; `more` is the number of further variants."""
    from cardgen.rules import rule_file  # noqa: PLC0415 - not for help

    for figure in rule_file.describe_measurements(game, problems):
        print_lines(figure)
    parts = [format_count(len(game.decks), "deck"), format_count(faces, "face")]
    parts.append(format_count(len(game.rules), "rule"))
    parts += [format_count(more, "variant") + (" more" if game.variant else "")] if more else []
    print_lines(f"{format_title(game)}: {', '.join(parts)}; {format_verdict(problems)}")


def _report_build(reports: Sequence[BuildReport], requests: Sequence[Request], code: int) -> None:
    """Report each variant and the shared store. Exit where a variant failed."""
    failed = [report.has_failed and report.draft_faces is None for report in reports]
    for report, nothing in zip(reports, failed, strict=True):
        if nothing:
            print_lines(f"{format_verdict(report.problems)}; {format_failure(report)}")
        else:
            print_report(report)
    if any(failed):
        sys.exit(code)
    shared = requests[0].shared_store
    if shared is not None and shared.usage_summary:
        print_lines(f"  {shared.usage_summary}")
    print_lines(replay.DONE_MESSAGE.format(sum(report.seconds for report in reports)))
    for report, request in zip(reports, requests, strict=True):
        change_commands.report_unchanged(report, request)


@click.command(name="build", cls=build_arguments.GroupedCommand)
@click.argument(
    "words", nargs=-1, metavar="[GAME] [OUTPUT]...", shell_complete=editor_commands.complete_words
)
@click.option("--lang", "languages", multiple=True, callback=split_names, metavar="CODE,…",
              help="Only these languages.",
              shell_complete=editor_commands.complete_languages)  # fmt: skip
@click.option("--deck", "decks", multiple=True, callback=split_names, metavar="DECK,…",
              help="Only these decks.", shell_complete=editor_commands.complete_decks)  # fmt: skip
@click.option("--card", "cards", multiple=True, callback=split_names, metavar="CARD,…",
              help="Only these cards: barn, or loot/barn.")  # fmt: skip
@click.option("--where", metavar="EXPRESSION", help="Only cards for which this is true: cost > 3.")
@_variant_option
@build_arguments.add_build_options
@click.option("--install", is_flag=True, help="Put the tts save into the Saved Objects folder.")
@click.option("--tts-dir", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option("--changed", is_flag=True, help="Only sheets of cards that changed since the print.")
@click.option("--since", metavar="REV|DATE|FILE", help="What --changed compares with.")
@scale_options.add_store_options
@click.option("--draft", is_flag=True, help="Draw what can be drawn, with mistakes outlined.")
@click.option("--fresh", is_flag=True, help="Ignore what earlier builds made.")
@scale_options.workers_option
@click.option("-o", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@_strict_option
@_problems_option
def build_(
    words: tuple[str, ...], strict: bool, form: str, folder: Path | None,
    workers: int | str | None, **given: Any,
) -> None:  # fmt: skip
    """Make files. OUTPUT is sheets, images, rulebook, contact, tts, tabletop-playground,
    playingcards, folder, mpc, tgc, shop, card-pdfs, card-proof, press or changed; without a word,
    the first three.

    With --deck, --card or --where and without a word, the rulebook is left alone; with --sheets,
    so are the images.

    With --draft, mistakes stop nothing: a card with one is marked DRAFT across and shows it, and
    all goes into build/draft, apart from what is for printing.
    """
    from cardgen.pipeline import build  # noqa: PLC0415 - not for help
    from cardgen.pipeline.check import merge_variant_problems  # noqa: PLC0415

    game_path, outputs = split_game_and_outputs(words)
    root = resolve_game_root(game_path)
    objects_folder = find_install_folder(given, outputs)
    outputs = change_commands.choose_changed_output(outputs, given)
    outputs = outputs or choose_default_outputs(given)
    check_options_used(click.get_current_context(), outputs)
    settings, shared = scale_options.stamp_config_files(), scale_options.choose_store(given)
    fingerprint.begin_trace(root)
    asked = create_requests(root, outputs, folder, given)
    requests = [
        replace(change_commands.add_baseline(each, given["since"]), shared_store=shared)
        for each in asked
    ]
    with scale_options.use_workers(workers, root, shared), ProgressBar() as bar:
        reports = [build.build(each, bar.show_progress) for each in requests]
    names = [each.variant for each in requests]
    told = dict(zip(names, (each.problems for each in reports), strict=True))
    problems = merge_variant_problems(told)
    print_problems_as(form, problems, root)
    code = compute_exit_code(problems, strict)
    _report_proposed_store(reports[0].game, shared)
    with redirect_status(form):
        _report_build(reports, requests, code)
        if objects_folder:
            from cardgen.tabletop import tts_output  # noqa: PLC0415 - seldom

            safe_files.refuse_links(root, tts_output.get_saves_folder(objects_folder))
            for report in reports:
                for path in tts_output.install_saves(
                    report.folder, report.file_paths, objects_folder
                ):
                    print_lines(f"  {format_path(path)}: installed")
    # What changed is compared with what git knows.
    plain = not (objects_folder or given["draft"] or "changed" in outputs)
    if form == "text" and plain:

        def print_result() -> None:
            print_problems(problems)
            _report_proposed_store(reports[0].game, shared)
            for report in reports:
                print_report(report.as_unchanged)

        save_replay(
            print_result,
            problems,
            code,
            collect_folder_stamps(zip(names, reports, strict=True)),
            settings,
        )
    sys.exit(code)


@click.command()
@_game_argument
@click.option("--printer", metavar="NAME", help="Whose backs are off, a name of your own.")
@click.option(
    "--dx", type=FloatOption(-MAX_OFFSET_MM, MAX_OFFSET_MM), metavar="MM", help="To the right."
)
@click.option("--dy", type=FloatOption(-MAX_OFFSET_MM, MAX_OFFSET_MM), metavar="MM", help="Up.")
@click.option(
    "--angle",
    type=FloatOption(-MAX_ANGLE_DEGREES, MAX_ANGLE_DEGREES),
    metavar="DEG",
    help="Counter-clockwise.",
)
@click.option("--paper", metavar="NAME|WxH", help="Of the calibration sheet.")
@click.option("--list", "listed", is_flag=True, help="Show every printer's correction.")
def calibrate(game: Path | None, printer: str | None, listed: bool, **given: Any) -> None:
    """Correct where a printer puts backs; without figures, make the sheet to read them from.

    The figures say how far backs must move, as you look at the printed back.
    """
    known = load_printers()
    figures = {key: given[key] for key in ("dx", "dy", "angle") if given[key] is not None}
    if listed:
        for name, correction in sorted(known.items()):
            print_lines(f"{name}: {correction}")
        if not known:
            print_lines("no printer is calibrated yet; 'cardgen calibrate' makes the sheet for it")
    elif figures:
        if printer is None or not printer_profiles.is_printer_name(printer):
            raise click.UsageError("say whose figures these are: --printer NAME, such as home")
        known[printer] = printer_profiles.PrinterCalibration(**figures)
        path = printer_profiles.write_printers(get_config_folder(), known)
        print_lines(f"{printer}: {known[printer]}; kept in {path}")
    else:
        path = _write_calibration_sheet(
            resolve_game_root(game), parse_paper_option(given["paper"] or "a4")
        )
        print_lines(
            f"{format_path(path)}: print it on both sides of one paper; it says how to go on"
        )


def _write_calibration_sheet(root: Path, paper: Size) -> Path:
    """Write build/calibration.pdf, two pages to print on both sides of one paper. Return its
    path.
    """
    from cardgen.pipeline import workspace  # noqa: PLC0415 - not for help

    folder = workspace.resolve_build_folder(root)
    safe_files.check_target(folder, "calibration.pdf")
    safe_files.replace_file(
        folder / "calibration.pdf", printer_profiles.draw_calibration_sheet(paper)
    )
    return folder / "calibration.pdf"


@click.command()
@_game_argument
def clean(game: Path | None) -> None:
    """Remove what builds of this game made, the store included."""
    from cardgen.pipeline import build  # noqa: PLC0415 - not for help

    root = resolve_game_root(game)
    with ProgressBar() as bar:
        count = build.clean(root, bar.show_progress)
    print_lines(f"{format_path(root / 'build')}: {format_count(count, 'file')} removed")


@click.command(name="check-files")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--strict", is_flag=True, help="Fail on warnings, too.")
def check_files(files: tuple[Path, ...], strict: bool) -> None:
    """Check every game that one of the files belongs to: the nearest folder upward with a
    game.yaml.

    Files of no game are ignored. Problems name files as the repository does.
    """
    from cardgen.pipeline import build  # noqa: PLC0415 - not for help

    found = (game_folder.find_game_folder(file.parent) for file in files)
    roots = dict.fromkeys(root for root in found if root is not None)
    code = FINE
    for root in roots:
        with ProgressBar() as bar:
            game, _, problems = build.check(Request(root), bar.show_progress)
        at = find_repository_prefix(root)
        print_lines(*(f"{at}{problem}" for problem in group_problems(problems)), err=True)
        print_lines(
            f"{format_title(game) if game else at or root.name}: {format_verdict(problems)}"
        )
        code = max(code, compute_exit_code(problems, strict))
    sys.exit(PROBLEMS if code else FINE)

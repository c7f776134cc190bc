"""What a command line asks for: words and options become a request. Raises click's UsageError."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen.cli.command_output import print_problems
from cardgen.cli.parameters import FloatOption, get_config_folder
from cardgen.cli.terminal import PROBLEMS, print_lines, print_text
from cardgen.core.problems import did_you_mean
from cardgen.core.units import Size, format_unknown_paper, parse_paper
from cardgen.game import variants
from cardgen.game.model import Game, PrintDefaults
from cardgen.outputs.contract import Options, PressOptions, SingleOptions, TableOptions
from cardgen.outputs.registry import DEFAULT_OUTPUTS, OUTPUTS, OutputEntry
from cardgen.outputs.sheet_recipes import SheetLayoutError, resolve_layout
from cardgen.pipeline import build
from cardgen.pipeline.request import LoadedGame
from cardgen.pipeline.selection import CardFilter, NotInGameError
from cardgen.rules import rule_file
from cardgen.runtime import game_files
from cardgen.sheets import cut_files, number_ranges, precut_stock, printer_profiles, silhouette
from cardgen.sheets.arrangement import SheetLayout
from cardgen.sheets.number_ranges import ALL_NUMBERS, NO_NUMBERS, NumberRanges
from cardgen.sheets.silhouette import (
    DEFAULT_DIMENSIONS,
    MAX_DIMENSIONS,
    MIN_DIMENSIONS,
    MarkDimensions,
)
from cardgen.tabletop import tts_install

OPTION_FIELDS = {
    "paper": "layout.paper", "backs": "layout.backs", "margin": "layout.margin",
    "gap": "layout.gap", "overlap": "layout.overlap", "marks": "layout.style",
    "cut_lines": "layout.style", "mark_inset": "layout.style",
    "mark_length": "layout.style", "mark_thickness": "layout.style", "stock": "layout.stock",
    "skip": "layout.skip", "corner_guides": "layout.style", "printer": "layout.calibration",
    "low_ink": "layout.ink", "grayscale": "layout.ink", "mix": "mix", "cut_files": "cut_files",
    "estimate": "estimate", "dpi": "dpi", "bleed": "bleed", "rounded": "rounded",
    "image_format": "image_format", "width_px": "width_px", "editions": "editions",
    "book_sizes": "book_sizes", "png": "tables.png", "sheet_px": "tables.sheet_px",
    "base_url": "tables.base_url", "sheets": "sheets", "profile": "press.profile",
    "ink_limit": "press.ink", "bleed_mm": "single.bleed", "file_per": "single.file_per",
    "fit": "single.fit",
}  # fmt: skip
"""What is typed, and the field of `Options` that outputs read it as."""


def parse_sheet_numbers(
    _context: click.Context, _param: click.Parameter, given: str | None
) -> NumberRanges:
    """Numbers of sheets: `2-4,7`."""
    found = number_ranges.parse_numbers(given) if given is not None else ALL_NUMBERS
    if found is None:
        raise click.BadParameter(f"'{given}' names no sheets; write 3, 2-4 or 2-4,7.")
    return found


def parse_places(
    _context: click.Context, _param: click.Parameter, given: str | None
) -> NumberRanges:
    """Numbers of places: `1-4,7`; none unless some are said."""
    found = number_ranges.parse_numbers(given) if given is not None else NO_NUMBERS
    if found is None:
        raise click.BadParameter(f"'{given}' names no places; write 3, 1-4 or 1-4,7.")
    return found


def choose_default_outputs(given: Mapping[str, Any]) -> tuple[str, ...]:
    """What is made when nothing is named: of some cards or sheets, what shows these alone."""
    if given["sheets"]:
        return tuple(word for word in DEFAULT_OUTPUTS if OUTPUTS[word].uses_option("sheets"))
    part = given["decks"] or given["cards"] or given["where"] is not None
    return tuple(word for word in DEFAULT_OUTPUTS if OUTPUTS[word].shows_decks or not part)


def load_printers() -> dict[str, printer_profiles.PrinterCalibration]:
    found, problems = printer_profiles.read_printers(get_config_folder())
    if problems:
        print_problems(problems)
        sys.exit(PROBLEMS)
    return found


def split_game_and_outputs(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """`[GAME] [OUTPUT]...`: a first word that is no output is the game, or a last one."""
    for at, others in ((0, words[1:]), (-1, words[:-1])):
        if words and words[at] not in OUTPUTS and game_files.has_entry(Path(), words[at]):
            return Path(words[at]), _check_outputs(others)
    return None, _check_outputs(words)


def _check_outputs(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in OUTPUTS:
            hint = did_you_mean(word, OUTPUTS)
            raise click.UsageError(f"'{word}' is neither a game folder nor an output{hint}")
    return words


def check_options_used(context: click.Context, outputs: tuple[str, ...]) -> None:
    """Tell of an option that was typed and that none of the outputs would use."""
    for param in context.command.params:
        name = str(param.name)
        typed = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        users = [word for word, output in OUTPUTS.items() if _uses_option(output, name)]
        if typed and users and not set(users) & set(outputs):
            off = param.secondary_opts and context.params[name] is False
            flag = (param.secondary_opts if off else param.opts)[0]
            raise click.UsageError(
                f"{flag} is not used by {_join_with_and(outputs)}; it is for {_join_with_and(users)}"
            )


def _uses_option(output: OutputEntry, name: str) -> bool:
    if name == "decks":
        return output.shows_decks
    if name in {"cards", "where"}:
        return output.supports_card_selection
    return name in OPTION_FIELDS and output.uses_option(OPTION_FIELDS[name])


def _join_with_and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def load_for_request(root: Path) -> LoadedGame:
    """The game of a folder, and what is wrong with it, as a request takes it."""
    game, problems = rule_file.load_game(root)
    return game, tuple(problems)


def select_variants(found: LoadedGame | None, named: Sequence[str]) -> list[str] | None:
    """The variants of a game that are named; None where none is, or without a game."""
    game = found[0] if found else None
    if game is None or not named:
        return None
    if not game.variants:
        raise click.UsageError("the game has no variants; game.yaml names them under variants:")
    if variants.ALL_VARIANTS in named:
        return list(game.variants)
    check_names("variant", named, game.variants)
    return list(named)


def create_requests(
    root: Path, outputs: tuple[str, ...], target: Path | None, given: dict[str, Any]
) -> list[build.Request]:
    """What is asked, of each variant that is named; of all, those that have what is asked for."""
    found = load_for_request(root)
    whole = found[0]
    if whole is None:
        return [_create_request(root, outputs, target, given, (found, None, ""))]
    named = select_variants(found, given["variants"])
    names = named or (list(whole.variants) if whole.variants_only else [""])
    games = {name: variants.apply_variant(whole, name) for name in names}
    check_names(
        "deck",
        given["decks"],
        dict.fromkeys(deck.id for game in games.values() for deck in game.decks),
    )
    languages = dict.fromkeys(code for game in games.values() for code in game.languages)
    check_names("language", given["languages"], languages)
    requests: list[build.Request] = []
    lacking: list[str] = []
    for name, game in games.items():
        folder = target / name if target and len(names) > 1 else target
        request = _create_request(root, outputs, folder, given, (found, game, name))
        try:
            asked = request.resolve_selection(game)
        except NotInGameError as error:
            lacking.append(f"{error.option}: {error}")
            continue
        if (asked.decks or not given["decks"]) and asked.languages:
            requests.append(replace(request, is_cleared=bool(requests)))
        else:
            lacking.append(f"the variant {name} has none of these decks in these languages")
    if lacking and (not requests or (named and variants.ALL_VARIANTS not in given["variants"])):
        raise click.UsageError(lacking[0])
    return requests


def _create_request(
    root: Path,
    outputs: tuple[str, ...],
    target: Path | None,
    given: dict[str, Any],
    of: tuple[LoadedGame, Game | None, str],
) -> build.Request:
    found, game, name = of
    if given["where"] is not None and not given["where"].strip():
        raise click.UsageError("--where is empty; write what holds for the cards, such as cost > 3")
    defaults = game.defaults if game else PrintDefaults()
    options = Options(
        _create_layout(given, defaults), given["dpi"] or defaults.dpi, given["bleed"], given["rounded"],
        given["mix"] or defaults.mix, _parse_cut_files(given["cut_files"]),
        given["image_format"] or "png", given["width_px"] or 0,
        TableOptions(given["sheet_px"], given["png"], given["base_url"]),
        given["editions"], given["book_sizes"], estimate=given["estimate"],
        sheets=given["sheets"], press=PressOptions(given["profile"], given["ink_limit"] or 0),
        single=SingleOptions(given["bleed_mm"], given["file_per"], given["fit"] or ""),
    )  # fmt: skip
    return build.Request(
        root, outputs, given["languages"], given["decks"], options, given["fresh"], target,
        found, CardFilter(given["cards"], given["where"] or ""), name, is_draft=given["draft"],
    )  # fmt: skip


def _create_layout(given: dict[str, Any], defaults: PrintDefaults) -> SheetLayout:
    calibration = printer_profiles.NO_CALIBRATION
    figures = {key: given[f"mark_{key}"] for key in ("inset", "length", "thickness")}
    said = {key: value for key, value in figures.items() if value is not None}
    if given["printer"] is not None:
        known = load_printers()
        check_names("printer", [given["printer"]], known)
        calibration = known[given["printer"]]
    try:
        layout = resolve_layout({**given, "figures": MarkDimensions(**said)}, defaults, calibration)
    except SheetLayoutError as error:
        raise click.UsageError(str(error)) from None
    if said and (layout.stock or layout.style.marks not in silhouette.MARK_KINDS):
        kinds = " or ".join(silhouette.MARK_KINDS)
        raise click.UsageError(f"--mark-{next(iter(said))} goes with --marks {kinds}")
    return layout


def parse_paper_option(name: str) -> Size:
    """The paper, upright."""
    paper = parse_paper(name)
    if paper is None:
        raise click.UsageError(format_unknown_paper(name))
    return paper


def _parse_cut_files(words: str | None) -> tuple[str, ...]:
    wanted = tuple(word.strip() for word in words.split(",")) if words else ()
    check_names("kind of cut file", wanted, cut_files.CUT_FILE_KINDS)
    return wanted


def find_install_folder(given: dict[str, Any], outputs: tuple[str, ...]) -> Path | None:
    """Where a save is to be installed, if that is asked for. Takes its options out of the rest."""
    wanted, base = given.pop("install"), given.pop("tts_dir")
    if given["image_format"] == "jpeg" and given["rounded"]:
        raise click.UsageError("JPEG has no transparency; --round wants --format png or webp")
    url = given["base_url"]
    if url and not url.startswith(("http://", "https://")):
        raise click.UsageError(f"--base-url '{url}' begins with neither http:// nor https://")
    if not wanted:
        if base is not None:
            raise click.UsageError("--tts-dir goes with --install")
        return None
    if given["draft"]:
        raise click.UsageError("--install puts a table in its place to be played; a --draft is not")
    if "tts" not in outputs:
        raise click.UsageError("--install puts what 'cardgen build tts' makes in its place")
    found = base or tts_install.find_data_folder()
    if found is None or not found.is_dir():
        where = found or " or ".join(map(str, tts_install.list_candidate_folders()))
        raise click.UsageError(f"no folder of Tabletop Simulator at {where}; name it: --tts-dir")
    return Path(found)


def check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise click.UsageError(f"no {what} '{name}'{did_you_mean(name, known)}")


_LIST_WORD = "list"
_NAME_WIDTH, _PAPER_WIDTH, _GRID_WIDTH = 14, 7, 8
_INDENT = " " * _NAME_WIDTH
_MARK_HELP = {
    "thickness": "How thick their lines are",
    "length": "How long their arms are",
    "inset": "How far a machine's marks lie in",
}


def _parse_stock(context: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """The name as it is given; of `list` what is known, and no more is done."""
    if given == _LIST_WORD:
        for each in precut_stock.load_stocks().values():
            grid = f"{each.columns} × {each.rows}"
            head = f"{each.name:{_NAME_WIDTH}}{each.paper_name:{_PAPER_WIDTH}}{grid:{_GRID_WIDTH}}"
            print_lines(f"{head}{each.cell}, {each.description}")
            if each.other_names:
                print_text(
                    textwrap.fill(
                        f"also {', '.join(each.other_names)}",
                        80,
                        initial_indent=_INDENT,
                        subsequent_indent=_INDENT,
                    )
                )
        context.exit()
    return given


def _make_mark_option(name: str) -> Callable[..., Any]:
    """The option of one of the figures of marks."""
    least, most, usual = (
        getattr(each, name) for each in (MIN_DIMENSIONS, MAX_DIMENSIONS, DEFAULT_DIMENSIONS)
    )
    kind = FloatOption(least, most)
    told = f"{_MARK_HELP[name]}; {usual:g} unless said."
    return click.option(f"--mark-{name}", type=kind, metavar="MM", help=told)


def add_stock_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them to a command."""
    for option in (
        *map(_make_mark_option, _MARK_HELP),
        click.option("--skip", callback=parse_places, metavar="1-4,7",
                     help="Places of the first sheet that are used already."),
        click.option("--stock", callback=_parse_stock, is_eager=True, metavar="NAME|list",
                     help="Pre-cut cards or labels: avery-5371."),
    ):  # fmt: skip
        command = option(command)
    return command

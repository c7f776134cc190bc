"""Arguments of `build`: words and options become requests. Raises click's `UsageError`."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen.cli.parameters import FloatOption, IntOption, check_names
from cardgen.cli.terminal import print_lines, print_text
from cardgen.core.problems import ProblemsError, did_you_mean
from cardgen.core.units import Size, format_unknown_paper, parse_paper
from cardgen.game import variants
from cardgen.game.model import Game, PrintDefaults
from cardgen.outputs.registry import DEFAULT_OUTPUTS, OUTPUTS, OutputEntry
from cardgen.pipeline.options import (
    BUILD_OPTIONS,
    OPTION_GROUPS,
    BuildOption,
    OptionError,
    create_options,
)
from cardgen.pipeline.request import CardFilter, LoadedGame, NotInGameError, Request
from cardgen.runtime import game_files
from cardgen.runtime.user_secret import get_config_folder
from cardgen.sheets import precut_stock, printer_profiles
from cardgen.sheets.printer_profiles import NO_CALIBRATION

_STOCK_NAME_CHARS = 14


def choose_default_outputs(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the outputs of a build that names none: for some cards or sheets, those that
    show them.
    """
    if given["sheets"]:
        return tuple(word for word in DEFAULT_OUTPUTS if OUTPUTS[word].uses_option("sheets"))
    part = given["decks"] or given["cards"] or given["where"] is not None
    return tuple(word for word in DEFAULT_OUTPUTS if OUTPUTS[word].shows_decks or not part)


def load_printers() -> dict[str, printer_profiles.PrinterCalibration]:
    found, problems = printer_profiles.read_printers(get_config_folder())
    if problems:
        raise ProblemsError(problems)
    return found


def split_game_and_outputs(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """Split `[GAME] [OUTPUT]...`: a first or last word that is no output is the game."""
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
    """Raise `UsageError` for an option that was typed and that no output of the build uses."""
    for param in context.command.params:
        name = str(param.name)
        typed = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        users = [word for word, output in OUTPUTS.items() if _uses_option(output, name)]
        if typed and users and not set(users) & set(outputs):
            off = param.secondary_opts and context.params[name] is False
            flag = (param.secondary_opts if off else param.opts)[0]
            made, others = _join_with_and(outputs), _join_with_and(users)
            raise click.UsageError(f"{flag} is not used by {made}; it is for {others}")


def _uses_option(output: OutputEntry, name: str) -> bool:
    if name == "decks":
        return output.shows_decks
    if name in {"cards", "where"}:
        return output.supports_card_selection
    option = BUILD_OPTIONS.get(name)
    return option is not None and output.uses_option(option.field)


def _join_with_and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def load_for_request(root: Path) -> LoadedGame:
    """Return the game in a folder and its problems, as a request takes them."""
    from cardgen.rules import rule_file  # noqa: PLC0415 - not for help

    game, problems = rule_file.load_game(root)
    return game, tuple(problems)


def select_variants(found: LoadedGame | None, named: Sequence[str]) -> list[str] | None:
    """Return the variants that are named; None where none is, or without a game."""
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
) -> list[Request]:
    """Return a request for each variant that is named and has what is selected."""
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
    requests: list[Request] = []
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
) -> Request:
    found, game, name = of
    if given["where"] is not None and not given["where"].strip():
        raise click.UsageError("--where is empty; write what holds for the cards, such as cost > 3")
    defaults = game.defaults if game else PrintDefaults()
    calibration = NO_CALIBRATION
    if given["printer"] is not None:
        known = load_printers()
        check_names("printer", [given["printer"]], known)
        calibration = known[given["printer"]]
    try:
        options = create_options(given, defaults, calibration)
    except OptionError as error:
        if error.flag:
            raise click.BadParameter(f"{error}.", param_hint=f"'{error.flag}'") from None
        raise click.UsageError(str(error)) from None
    return Request(
        root, outputs, given["languages"], given["decks"], options, given["fresh"], target,
        found, CardFilter(given["cards"], given["where"] or ""), name, is_draft=given["draft"],
    )  # fmt: skip


def parse_paper_option(name: str) -> Size:
    """Return the size of a paper, upright."""
    paper = parse_paper(name)
    if paper is None:
        raise click.UsageError(format_unknown_paper(name))
    return paper


def find_install_folder(given: dict[str, Any], outputs: tuple[str, ...]) -> Path | None:
    """Return where a save is to be installed, if anywhere. Take its options out of `given`."""
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
    from cardgen.tabletop import tts_output  # noqa: PLC0415 - where tables are installed

    found = base or tts_output.find_data_folder()
    if found is None or not found.is_dir():
        where = found or " or ".join(map(str, tts_output.list_candidate_folders()))
        raise click.UsageError(f"no folder of Tabletop Simulator at {where}; name it: --tts-dir")
    return Path(found)


class GroupedCommand(click.Command):
    """A command whose help lists its options in the sections of `OPTION_GROUPS`."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections = {each.name: title for title, group in OPTION_GROUPS.items() for each in group}
        sections |= _OTHER_SECTIONS
        titles = (*_FIRST_SECTIONS, *OPTION_GROUPS, *_LAST_SECTIONS)
        rows: dict[str, list[tuple[str, str]]] = {title: [] for title in titles}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                rows[sections.get(str(param.name), _LAST_SECTIONS[-1])].append(record)
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


_FIRST_SECTIONS, _LAST_SECTIONS = ("Selection",), ("Machines and stores", "Options")
_OTHER_SECTIONS = {
    **dict.fromkeys(("languages", "decks", "cards", "where", "variants"), "Selection"),
    **dict.fromkeys(("changed", "since"), "Sheets"),
    **dict.fromkeys(("install", "tts_dir"), "Virtual tables"),
    **dict.fromkeys(("store", "store_write", "workers"), "Machines and stores"),
}


def add_build_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that decide what a build makes."""
    for option in reversed(BUILD_OPTIONS.values()):
        command = _make_click_option(option)(command)
    return command


def _make_click_option(option: BuildOption) -> Callable[..., Any]:
    settings: dict[str, Any] = {"help": option.help, "default": option.default}
    if option.metavar:
        settings["metavar"] = option.metavar
    if option.kind == "flag":
        settings["is_flag"] = True
    elif option.kind in {"choice", "choices"}:
        settings |= {"type": click.Choice(option.values), "multiple": option.kind == "choices"}
    elif option.kind == "number":
        settings["type"] = FloatOption(*option.limits)
    elif option.kind == "integer":
        settings["type"] = IntOption(int(option.limits[0]), int(option.limits[1]))
    if option.name == "stock":
        settings |= {"callback": _list_stock, "is_eager": True}
    return click.option(option.flag, option.name, **settings)


def _list_stock(context: click.Context, _param: click.Parameter, given: str | None) -> str | None:
    """Return the name of a stock; for `list`, print what there is and exit."""
    if given == "list":
        indent = " " * _STOCK_NAME_CHARS
        for each in precut_stock.load_stocks().values():
            grid = f"{each.columns} × {each.rows}"
            head = f"{each.name:{_STOCK_NAME_CHARS}}{each.paper_name:7}{grid:8}"
            print_lines(f"{head}{each.cell}, {each.description}")
            if each.other_names:
                names = f"also {', '.join(each.other_names)}"
                print_text(
                    textwrap.fill(names, 80, initial_indent=indent, subsequent_indent=indent)
                )
        context.exit()
    return given

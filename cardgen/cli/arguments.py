"""What a command line asks for: words and options become a request. Raises click's UsageError."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from cardgen import build
from cardgen.asking import Cards, NotThere
from cardgen.base import paths
from cardgen.base.problems import did_you_mean
from cardgen.base.units import Size, parse_paper, unknown_paper
from cardgen.cli.exits import PROBLEMS
from cardgen.cli.parameters import config_folder
from cardgen.cli.report import print_problems
from cardgen.game import variants
from cardgen.game.model import Game, PrintDefaults
from cardgen.outputs.contract import Kind, Options, PressOptions, SingleOptions, TableOptions
from cardgen.outputs.registry import OUTPUTS, STANDARD
from cardgen.outputs.sheet_recipes import NoLayout, layout_of
from cardgen.outputs.tables import installation
from cardgen.request import Loaded
from cardgen.rules import composition
from cardgen.sheets import cutfiles, numbers, printers, silhouette
from cardgen.sheets.arrange import Layout
from cardgen.sheets.numbers import ALL, NONE, Numbers
from cardgen.sheets.silhouette import Figures

READ_AS = {
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


def sheet_numbers(_context: click.Context, _param: click.Parameter, given: str | None) -> Numbers:
    """Numbers of sheets: `2-4,7`."""
    found = numbers.parse(given) if given is not None else ALL
    if found is None:
        raise click.BadParameter(f"'{given}' names no sheets; write 3, 2-4 or 2-4,7.")
    return found


def places(_context: click.Context, _param: click.Parameter, given: str | None) -> Numbers:
    """Numbers of places: `1-4,7`; none unless some are said."""
    found = numbers.parse(given) if given is not None else NONE
    if found is None:
        raise click.BadParameter(f"'{given}' names no places; write 3, 1-4 or 1-4,7.")
    return found


def usual(given: Mapping[str, Any]) -> tuple[str, ...]:
    """What is made when nothing is named: of some cards or sheets, what shows these alone."""
    if given["sheets"]:
        return tuple(word for word in STANDARD if OUTPUTS[word].uses("sheets"))
    part = given["decks"] or given["cards"] or given["where"] is not None
    return tuple(word for word in STANDARD if OUTPUTS[word].of_decks or not part)


def known_printers() -> dict[str, printers.Calibration]:
    found, problems = printers.read(config_folder())
    if problems:
        print_problems(problems)
        sys.exit(PROBLEMS)
    return found


def split_words(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """`[GAME] [OUTPUT]...`: a first word that is no output is the game, or a last one."""
    for at, others in ((0, words[1:]), (-1, words[:-1])):
        if words and words[at] not in OUTPUTS and paths.there(Path(), words[at]):
            return Path(words[at]), _known(others)
    return None, _known(words)


def _known(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in OUTPUTS:
            hint = did_you_mean(word, OUTPUTS)
            raise click.UsageError(f"'{word}' is neither a game folder nor an output{hint}")
    return words


def check_used(context: click.Context, outputs: tuple[str, ...]) -> None:
    """Tell of an option that was typed and that none of the outputs would use."""
    for param in context.command.params:
        name = str(param.name)
        typed = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        users = [word for word, output in OUTPUTS.items() if _uses(output, name)]
        if typed and users and not set(users) & set(outputs):
            off = param.secondary_opts and context.params[name] is False
            flag = (param.secondary_opts if off else param.opts)[0]
            raise click.UsageError(
                f"{flag} is not used by {_listed(outputs)}; it is for {_listed(users)}"
            )


def _uses(output: Kind, name: str) -> bool:
    if name == "decks":
        return output.of_decks
    if name in {"cards", "where"}:
        return output.of_cards
    return name in READ_AS and output.uses(READ_AS[name])


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def loaded(root: Path) -> Loaded:
    """The game of a folder, and what is wrong with it, as a request takes it."""
    game, problems = composition.load(root)
    return game, tuple(problems)


def variants_named(found: Loaded | None, named: Sequence[str]) -> list[str] | None:
    """The variants of a game that are named; None where none is, or without a game."""
    game = found[0] if found else None
    if game is None or not named:
        return None
    if not game.variants:
        raise click.UsageError("the game has no variants; game.yaml names them under variants:")
    if variants.ALL in named:
        return list(game.variants)
    check_names("variant", named, game.variants)
    return list(named)


def requests_for(
    root: Path, outputs: tuple[str, ...], target: Path | None, given: dict[str, Any]
) -> list[build.Request]:
    """What is asked, of each variant that is named; of all, those that have what is asked for."""
    found = loaded(root)
    whole = found[0]
    if whole is None:
        return [_request(root, outputs, target, given, (found, None, ""))]
    named = variants_named(found, given["variants"])
    names = named or (list(whole.variants) if whole.alone else [""])
    games = {name: variants.applied(whole, name) for name in names}
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
        request = _request(root, outputs, folder, given, (found, game, name))
        try:
            asked = request.asked(game)
        except NotThere as error:
            lacking.append(f"{error.option}: {error}")
            continue
        if (asked.decks or not given["decks"]) and asked.languages:
            requests.append(replace(request, cleared=bool(requests)))
        else:
            lacking.append(f"the variant {name} has none of these decks in these languages")
    if lacking and (not requests or (named and variants.ALL not in given["variants"])):
        raise click.UsageError(lacking[0])
    return requests


def _request(
    root: Path,
    outputs: tuple[str, ...],
    target: Path | None,
    given: dict[str, Any],
    of: tuple[Loaded, Game | None, str],
) -> build.Request:
    found, game, name = of
    if given["where"] is not None and not given["where"].strip():
        raise click.UsageError("--where is empty; write what holds for the cards, such as cost > 3")
    defaults = game.defaults if game else PrintDefaults()
    options = Options(
        _layout(given, defaults), given["dpi"] or defaults.dpi, given["bleed"], given["rounded"],
        given["mix"] or defaults.mix, _cut_files(given["cut_files"]),
        given["image_format"] or "png", given["width_px"] or 0,
        TableOptions(given["sheet_px"], given["png"], given["base_url"]),
        given["editions"], given["book_sizes"], estimate=given["estimate"],
        sheets=given["sheets"], press=PressOptions(given["profile"], given["ink_limit"] or 0),
        single=SingleOptions(given["bleed_mm"], given["file_per"], given["fit"] or ""),
    )  # fmt: skip
    return build.Request(
        root, outputs, given["languages"], given["decks"], options, given["fresh"], target,
        found, Cards(given["cards"], given["where"] or ""), name, draft=given["draft"],
    )  # fmt: skip


def _layout(given: dict[str, Any], defaults: PrintDefaults) -> Layout:
    calibration = printers.NONE
    figures = {key: given[f"mark_{key}"] for key in ("inset", "length", "thickness")}
    said = {key: value for key, value in figures.items() if value is not None}
    if given["printer"] is not None:
        known = known_printers()
        check_names("printer", [given["printer"]], known)
        calibration = known[given["printer"]]
    try:
        layout = layout_of({**given, "figures": Figures(**said)}, defaults, calibration)
    except NoLayout as error:
        raise click.UsageError(str(error)) from None
    if said and (layout.stock or layout.style.marks not in silhouette.MARKS):
        kinds = " or ".join(silhouette.MARKS)
        raise click.UsageError(f"--mark-{next(iter(said))} goes with --marks {kinds}")
    return layout


def paper_named(name: str) -> Size:
    """The paper, upright."""
    paper = parse_paper(name)
    if paper is None:
        raise click.UsageError(unknown_paper(name))
    return paper


def _cut_files(words: str | None) -> tuple[str, ...]:
    wanted = tuple(word.strip() for word in words.split(",")) if words else ()
    check_names("kind of cut file", wanted, cutfiles.KINDS)
    return wanted


def saved_objects(given: dict[str, Any], outputs: tuple[str, ...]) -> Path | None:
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
    found = base or installation.find()
    if found is None or not found.is_dir():
        where = found or " or ".join(map(str, installation.candidates()))
        raise click.UsageError(f"no folder of Tabletop Simulator at {where}; name it: --tts-dir")
    return Path(found)


def check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise click.UsageError(f"no {what} '{name}'{did_you_mean(name, known)}")

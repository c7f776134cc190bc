"""The command line: arguments in, calls, printed lines and an exit code out.

The only place that prints and exits. Exit codes: 0 fine, 1 problems, 2 usage, 3 a bug of
cardgen, 130 interrupted.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import textwrap
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from cardgen import (
    __version__,
    build,
    cutfiles,
    inventory,
    libraries,
    npm,
    printers,
    project,
    rules,
)
from cardgen.artefacts import Options
from cardgen.guides import MARKS, Style
from cardgen.impose import BACKS
from cardgen.inventory import counted
from cardgen.model import Game, PrintDefaults
from cardgen.outputs import OUTPUTS, STANDARD
from cardgen.printers import MOST_DEGREES, MOST_MM
from cardgen.printing import Layout
from cardgen.problems import Problem, did_you_mean, folded, has_errors, ordered
from cardgen.project import MOST_MARGIN
from cardgen.tiling import OVERLAP
from cardgen.units import PAPERS, Size, parse_size

FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
# What the machine refuses is no bug: no right to write there, no room left.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)

_MM = click.FloatRange(0, MOST_MARGIN)
_game = click.argument("game", required=False, type=click.Path(path_type=Path))
_strict = click.option("--strict", is_flag=True, help="Warnings fail, too.")
_json = click.option("--json", "as_json", is_flag=True, help="For editors and CI.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cardgen")
def cli() -> None:
    """Print-and-play card games from a folder of YAML, HTML and SVG.

    GAME is a folder with a game.yaml; without it, the nearest one upward.
    """


@cli.command()
@_game
@_strict
@_json
def check(game: Path | None, strict: bool, as_json: bool) -> None:
    """Say everything that is wrong, layout and composition rules included."""
    root = _root(game)
    with _Bar() as bar:
        found, faces, problems = build.check(build.Request(root), bar.show)
    if as_json:
        click.echo(json.dumps([problem.as_json() for problem in problems], ensure_ascii=False))
    else:
        _print_problems(problems)
        if found is not None and faces is not None:
            for figure in rules.figures(found, problems):
                click.echo(figure)
            click.echo(
                f"{_title(found)}: {counted(len(found.decks), 'deck')}, "
                f"{counted(len(faces.faces), 'face')}, {counted(len(found.rules), 'rule')}; "
                f"{_verdict(problems)}"
            )
    _leave(problems, strict)


@cli.command(name="list")
@_game
@_json
def list_(game: Path | None, as_json: bool) -> None:
    """Say what is in the box: decks, sizes, copies and every piece with its fields."""
    found, problems = project.load(_root(game))
    if found is None:
        _print_problems(problems)
        sys.exit(PROBLEMS)
    if as_json:
        click.echo(json.dumps(inventory.as_json(found), ensure_ascii=False, indent=1))
    else:
        click.echo(inventory.as_text(found), nl=False)
        if has_errors(problems):
            click.echo(f"{_verdict(problems)}; 'cardgen check' tells them", err=True)
    _leave(problems, strict=False)


@cli.command(name="build")
@click.argument("words", nargs=-1, metavar="[GAME] [OUTPUT]...")
@click.option("--lang", "languages", multiple=True, metavar="CODE", help="Only this language.")
@click.option("--deck", "decks", multiple=True, metavar="DECK", help="Only this deck.")
@click.option("--paper", metavar="NAME|WxH", help=f"{', '.join(PAPERS)}, or 320x450 in mm.")
@click.option("--backs", type=click.Choice(BACKS), help="How backs are printed.")
@click.option("--margin", type=_MM, metavar="MM", help="What the printer leaves white.")
@click.option("--gap", type=_MM, metavar="MM", help="Room between cards on a sheet.")
@click.option("--overlap", type=_MM, metavar="MM", help="Of the parts of a split board.")
@click.option("--mix", is_flag=True, default=None, help="Decks of one size share sheets.")
@click.option("--marks", type=click.Choice(MARKS), help="Marks on the sheets.")
@click.option("--cut-lines", is_flag=True, help="Lines round every card.")
@click.option("--corner-guides", is_flag=True, help="Arcs at the corners of every card.")
@click.option("--cut", "cut_files", metavar="dxf,svg", help="Cut files beside the sheets.")
@click.option("--printer", metavar="NAME", help="Backs corrected as calibrated for it.")
@click.option("--dpi", type=click.IntRange(50, 1200), help="Of the images.")
@click.option("--bleed", is_flag=True, help="Images with their bleed.")
@click.option("--round", "rounded", is_flag=True, help="Images with round corners.")
@click.option("--fresh", is_flag=True, help="Forget what was made before.")
@click.option("-o", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@_strict
def build_(words: tuple[str, ...], strict: bool, folder: Path | None, **given: Any) -> None:
    """Make files: OUTPUT is sheets, images or contact; without a word, sheets and images."""
    game_path, outputs = _split(words)
    root = _root(game_path)
    request = _request(root, outputs, folder, given)
    with _Bar() as bar:
        report = build.build(request, bar.show)
    _print_problems(report.problems)
    if report.failed:
        click.echo(f"{_verdict(report.problems)}; nothing was changed in {_shown(report.folder)}")
    else:
        _print_report(report)
    _leave(report.problems, strict)


@cli.command()
@_game
@click.option("--printer", metavar="NAME", help="Whose backs are off, a name of your own.")
@click.option("--dx", type=click.FloatRange(-MOST_MM, MOST_MM), metavar="MM", help="To the right.")
@click.option("--dy", type=click.FloatRange(-MOST_MM, MOST_MM), metavar="MM", help="Up.")
@click.option(
    "--angle",
    type=click.FloatRange(-MOST_DEGREES, MOST_DEGREES),
    metavar="DEG",
    help="Counter-clockwise.",
)
@click.option("--paper", metavar="NAME|WxH", help="Of the calibration sheet.")
@click.option("--list", "listed", is_flag=True, help="Show every printer's correction.")
def calibrate(game: Path | None, printer: str | None, listed: bool, **given: Any) -> None:
    """Correct where a printer puts backs; without figures, make the sheet to read them from.

    The figures say how far backs must move, as you look at the printed back.
    """
    known = _printers()
    figures = {key: given[key] for key in ("dx", "dy", "angle") if given[key] is not None}
    if listed:
        for name, correction in sorted(known.items()):
            click.echo(f"{name}: {correction}")
        if not known:
            click.echo("no printer is calibrated yet; 'cardgen calibrate' makes the sheet for it")
    elif figures:
        if printer is None or not printers.is_name(printer):
            raise click.UsageError("say whose figures these are: --printer NAME, such as home")
        known[printer] = printers.Calibration(**figures)
        path = printers.write(_config(), known)
        click.echo(f"{printer}: {known[printer]}; kept in {path}")
    else:
        path = build.calibration_sheet(_root(game), _paper(given["paper"] or "a4"))
        click.echo(f"{_shown(path)}: print it on both sides of one paper; it says how to go on")


def _config() -> Path:
    """The user's own folder for cardgen."""
    return Path(os.environ.get("CARDGEN_CONFIG") or click.get_app_dir("cardgen"))


def _printers() -> dict[str, printers.Calibration]:
    found, problems = printers.read(_config())
    if problems:
        _print_problems(problems)
        sys.exit(PROBLEMS)
    return found


@cli.command()
@_game
def clean(game: Path | None) -> None:
    """Remove what builds of this game made, the store included."""
    root = _root(game)
    count = build.clean(root)
    click.echo(f"{_shown(root / 'build')}: {counted(count, 'file')} removed")


@cli.command()
@_game
def fonts(game: Path | None) -> None:
    """Fetch the font packages that fonts/package.json pins, with npm."""
    root = _root(game)
    error = npm.install(root)
    if error:
        click.echo(error, err=True)
        sys.exit(PROBLEMS)
    click.echo(f"{_shown(root / 'fonts')}: fonts are in place")


def main() -> NoReturn:
    """Run the command line; whatever escapes is a bug and says where to report it."""
    try:
        cli(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except OSError as error:
        if error.errno in _REFUSED:
            click.echo(f"{error.filename or 'the disk'}: {error.strerror or error}", err=True)
            sys.exit(PROBLEMS)
        if "cannot load library" not in str(error):
            _report_bug()
        lost = libraries.missing() or ["Pango"]
        click.echo(libraries.explain(lost, libraries.this_system()), err=True)
        sys.exit(PROBLEMS)
    except Exception:
        _report_bug()
    sys.exit(FINE)


def _report_bug() -> NoReturn:
    traceback.print_exc()
    click.echo(
        f"\nThis is a bug in cardgen {__version__}, not in your game. Please report the lines "
        "above, with the card or template they came from, where you got cardgen from.",
        err=True,
    )
    sys.exit(BUG)


class _Bar:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._bar: Any = None
        self._what = ""

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._finish()

    def show(self, what: str, done: int, total: int) -> None:
        if not self._shown or total < 2:
            return
        if what != self._what:
            self._finish()
            self._what = what
            self._bar = click.progressbar(length=total, label=what, file=sys.stderr)
            self._bar.__enter__()
        self._bar.update(done - self._bar.pos)

    def _finish(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


def _root(game: Path | None) -> Path:
    if game is None:
        found = project.find(Path.cwd())
        if found is None:
            raise click.UsageError("no game.yaml here or in any folder above; name the game folder")
        return found
    folder = game.parent if game.name == project.FILE else game
    if not (folder / project.FILE).is_file():
        raise click.UsageError(f"{game} is no game folder: it has no {project.FILE}")
    return folder.resolve()


def _split(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """`[GAME] [OUTPUT]...`: a first word that is no output is the game."""
    if words and words[0] not in OUTPUTS and Path(words[0]).exists():
        return Path(words[0]), _known(words[1:])
    return None, _known(words)


def _known(words: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in OUTPUTS:
            hint = did_you_mean(word, OUTPUTS)
            raise click.UsageError(f"'{word}' is neither a game folder nor an output{hint}")
    return words or STANDARD


def _request(
    root: Path, outputs: tuple[str, ...], folder: Path | None, given: dict[str, Any]
) -> build.Request:
    game, problems = project.load(root)
    if game is not None:
        _check_names("deck", given["decks"], [deck.id for deck in game.decks])
        _check_names("language", given["languages"], game.languages)
    defaults = game.defaults if game else PrintDefaults()
    options = Options(
        _layout(given, defaults), given["dpi"] or defaults.dpi, given["bleed"], given["rounded"],
        given["mix"] or defaults.mix, _cut_files(given["cut_files"]),
    )  # fmt: skip
    return build.Request(
        root, outputs, given["languages"], given["decks"], options, given["fresh"], folder,
        (game, tuple(problems)),
    )  # fmt: skip


def _layout(given: dict[str, Any], defaults: PrintDefaults) -> Layout:
    def chosen(key: str) -> Any:
        return getattr(defaults, key) if given[key] is None else given[key]

    calibration = printers.NONE
    if given["printer"] is not None:
        known = _printers()
        _check_names("printer", [given["printer"]], known)
        calibration = known[given["printer"]]
    style = Style(chosen("marks"), given["cut_lines"], given["corner_guides"])
    overlap = OVERLAP if given["overlap"] is None else given["overlap"]
    return Layout(
        chosen("paper"), _paper(chosen("paper")), chosen("backs"), chosen("margin"),
        chosen("gap"), overlap, style, calibration,
    )  # fmt: skip


def _paper(name: str) -> Size:
    """The paper, upright."""
    paper = parse_size(name, PAPERS)
    if paper is None:
        raise click.UsageError(f"no paper '{name}'{did_you_mean(name, PAPERS)}")
    if not 50 <= min(paper.width, paper.height) <= max(paper.width, paper.height) <= 2000:
        raise click.UsageError(f"{paper} is no paper between 50 and 2000 mm")
    return paper.turned() if paper.width > paper.height else paper


def _cut_files(words: str | None) -> tuple[str, ...]:
    wanted = tuple(word.strip() for word in words.split(",")) if words else ()
    _check_names("kind of cut file", wanted, cutfiles.KINDS)
    return wanted


def _check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    for name in names:
        if name not in known:
            raise click.UsageError(f"no {what} '{name}'{did_you_mean(name, known)}")


def _print_problems(problems: list[Problem]) -> None:
    for problem in folded(problems):
        click.echo(str(problem), err=True)


def _print_report(report: build.Report) -> None:
    assert report.game is not None
    click.echo(
        f"{_title(report.game)}: {counted(report.faces, 'face')}, {report.typeset} typeset; "
        f"{_verdict(report.problems)}"
    )
    made = {artefact.path for artefact in report.made}
    groups: dict[str, list[str]] = {}
    for artefact in [*report.made, *report.kept]:
        head = "/".join(Path(artefact.path).parts[:2])
        groups.setdefault(head, []).append(artefact.path)
    for head, group in sorted(groups.items()):
        new = sum(path in made for path in group)
        size = sum((report.folder / path).stat().st_size for path in group)
        what = counted(len(group), "file") if group != [head] else "1 file"
        news = f"{new} new" if new else "unchanged"
        click.echo(f"  {_shown(report.folder / head)}: {what}, {_bytes(size)}, {news}")
    # What is told of one language holds for all.
    for told in dict.fromkeys(a.summary for a in [*report.made, *report.kept] if a.summary):
        click.echo(
            textwrap.fill(
                told, 96, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
            )
        )
    if report.removed:
        click.echo(f"  {counted(len(report.removed), 'file')} of earlier builds removed")
    click.echo(f"done in {report.seconds:.1f} s")


def _title(game: Game) -> str:
    title = game.title[game.languages[0]]
    return f"{title} {game.edition}" if game.edition else title


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def _verdict(problems: list[Problem]) -> str:
    errors = sum(problem.severity == "error" for problem in ordered(problems))
    warnings = len(ordered(problems)) - errors
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    return ", ".join(parts) or "no problems"


def _shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return str(path)


def _leave(problems: list[Problem], strict: bool) -> None:
    failed = has_errors(problems) or (strict and problems)
    sys.exit(PROBLEMS if failed else FINE)

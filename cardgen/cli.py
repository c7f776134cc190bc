"""The command line: arguments in, calls, printed lines and an exit code out.

The only place that prints and exits. Exit codes: 0 fine, 1 problems, 2 usage, 3 a bug of
cardgen, 130 interrupted.
"""

from __future__ import annotations

import errno
import json
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from cardgen import __version__, build, inventory, libraries, npm, project, rules
from cardgen.artefacts import Options
from cardgen.inventory import counted
from cardgen.model import Game, PrintDefaults
from cardgen.outputs import OUTPUTS, STANDARD
from cardgen.problems import Problem, did_you_mean, folded, has_errors, ordered
from cardgen.project import BACKS
from cardgen.units import PAPERS, parse_size

FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
# What the machine refuses is no bug: no right to write there, no room left.
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)

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
@click.option("--dpi", type=click.IntRange(50, 1200), help="Of the images.")
@click.option("--bleed", is_flag=True, help="Images with their bleed.")
@click.option("--round", "rounded", is_flag=True, help="Images with round corners.")
@click.option("--fresh", is_flag=True, help="Forget what was made before.")
@click.option("-o", "folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@_strict
def build_(words: tuple[str, ...], strict: bool, folder: Path | None, **given: Any) -> None:
    """Make files: OUTPUT is sheets, images, rulebook or contact; without a word, all but contact.

    With --deck and without a word, the rulebook is left alone.
    """
    game_path, outputs = _split(words)
    root = _root(game_path)
    if given["decks"] and not outputs:
        outputs = tuple(name for name in STANDARD if OUTPUTS[name].OF_DECKS)
    request = _request(root, outputs or STANDARD, folder, given)
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
    return words


def _request(
    root: Path, outputs: tuple[str, ...], folder: Path | None, given: dict[str, Any]
) -> build.Request:
    game, problems = project.load(root)
    if game is not None:
        _check_names("deck", given["decks"], [deck.id for deck in game.decks])
        _check_names("language", given["languages"], game.languages)
    defaults = game.defaults if game else PrintDefaults()
    paper_name = given["paper"] or defaults.paper
    paper = parse_size(paper_name, PAPERS)
    if paper is None:
        raise click.UsageError(f"no paper '{paper_name}'{did_you_mean(paper_name, PAPERS)}")
    if paper.width > paper.height:
        paper = paper.turned()
    options = Options(
        paper_name, paper, given["backs"] or defaults.backs, given["dpi"] or defaults.dpi,
        given["bleed"], given["rounded"],
    )  # fmt: skip
    return build.Request(
        root, outputs, given["languages"], given["decks"], options, given["fresh"], folder,
        (game, tuple(problems)),
    )  # fmt: skip


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

"""What the command line prints, and with which exit code it ends."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any

import click

from cardgen import (
    build,
)
from cardgen.inventory import counted
from cardgen.model import Game
from cardgen.problems import Problem, folded, has_errors, ordered
from cardgen.tabletop import checker

FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130


class Bar:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._bar: Any = None
        self._what = ""

    def __enter__(self) -> Bar:
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


def print_problems(problems: list[Problem]) -> None:
    for problem in folded(problems):
        click.echo(str(problem), err=True)


def print_report(report: build.Report) -> None:
    assert report.game is not None
    click.echo(
        f"{title(report.game)}: {counted(report.faces, 'face')}, {report.typeset} typeset; "
        f"{verdict(report.problems)}"
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
        click.echo(f"  {shown(report.folder / head)}: {what}, {_bytes(size)}, {news}")
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


def title(game: Game) -> str:
    title = game.title[game.languages[0]]
    return f"{title} {game.edition}" if game.edition else title


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def tally(findings: list[checker.Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    return ", ".join(parts) or "no problems"


def verdict(problems: list[Problem]) -> str:
    errors = sum(problem.severity == "error" for problem in ordered(problems))
    warnings = len(ordered(problems)) - errors
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    return ", ".join(parts) or "no problems"


def shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return str(path)


def leave(problems: list[Problem], strict: bool) -> None:
    failed = has_errors(problems) or (strict and problems)
    sys.exit(PROBLEMS if failed else FINE)

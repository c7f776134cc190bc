"""What the command line prints, and with which exit code it ends.

A game may come from a stranger, and its names reach the terminal: `saying.say` and `say_json` are
the only ways there, and they show the signs that a terminal would obey.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.base import noted
from cardgen.base.noted import Stamp
from cardgen.base.problems import TORN, Problem, has_errors
from cardgen.base.standing import Standing
from cardgen.cli import formats, unchanged
from cardgen.cli.exits import FINE, PROBLEMS
from cardgen.cli.folding import folded
from cardgen.cli.saying import held, is_obeyed, say, visible
from cardgen.game.inventory import counted
from cardgen.game.model import Game

if TYPE_CHECKING:
    from cardgen import build
    from cardgen.outputs.tables import checker
    from cardgen.request import Draft

_LISTED = 8
"""So many drafts are named."""
_OF_THE_MACHINE = frozenset({"bounds", "disk", TORN})
"""Kinds of problems that may be gone the next time, though no file is another."""


def say_json(value: Any, indent: int | None = None) -> None:
    """Print JSON that holds the value to the letter, and nothing that a terminal or GitHub's runner
    would obey."""
    encoding = sys.stdout.encoding or "utf-8"

    def written(sign: str) -> str:
        try:
            sign.encode(encoding)
        except UnicodeEncodeError:
            return json.dumps(sign)[1:-1]
        return json.dumps(sign)[1:-1] if is_obeyed(sign) and sign != "\n" else sign

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo("".join(map(written, text)).replace("##[", "#\\u0023["))


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
        if not total:
            self._finish()
            say(what, err=True)
        if not self._shown or total < 2:
            return
        if what != self._what:
            self._finish()
            self._what = what
            self._bar = click.progressbar(length=total, label=visible(what), file=sys.stderr)
            self._bar.__enter__()
        self._bar.update(done - self._bar.pos)

    def _finish(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


def print_problems(problems: list[Problem]) -> None:
    for problem in folded(problems):
        say(str(problem), err=True)


def print_as(form: str, problems: list[Problem], root: Path) -> None:
    """The problems of the game in a folder, in one of the formats."""
    if form == "json":
        say_json([problem.as_json() for problem in problems])
    elif form == "sarif":
        say_json(formats.sarif(problems, root), indent=1)
    elif form == "github":
        for is_command, line in formats.github(problems, root):
            say(line, command=is_command)
    else:
        print_problems(problems)


def print_report(report: build.Report) -> None:
    assert report.game is not None
    say(
        f"{title(report.game)}: {counted(report.faces, 'face')}, {report.typeset} typeset; "
        f"{verdict(report.problems)}"
    )
    made = {artefact.path for artefact in report.made}
    groups: dict[str, list[str]] = {}
    for artefact in [*report.made, *report.kept]:
        head = "/".join(artefact.path.split("/", 2)[:2])
        groups.setdefault(head, []).append(artefact.path)
    now = Standing(report.folder)
    for head, group in sorted(groups.items()):
        new = sum(path in made for path in group)
        size = sum(map(now.size, group))
        what = counted(len(group), "file") if group != [head] else "1 file"
        news = f"{new} new" if new else "unchanged"
        say(f"  {shown(report.folder / head)}: {what}, {_bytes(size)}, {news}")
    # What is told of one language holds for all.
    for told in dict.fromkeys(a.summary for a in [*report.made, *report.kept] if a.summary):
        say(*_wrapped(told))
    if report.removed:
        say(f"  {counted(len(report.removed), 'file')} of earlier builds removed")
    if report.drafts:
        say(*_wrapped(_drafts_told(report.drafts)))


def _drafts_told(drafts: Sequence[Draft]) -> str:
    """Which faces are drafts, so many of them by name."""
    instead = sum(draft.instead for draft in drafts)
    cards = list(dict.fromkeys(f"{draft.whose.deck}/{draft.whose.card}" for draft in drafts))
    rest = f" and {len(cards) - _LISTED} more" if len(cards) > _LISTED else ""
    what = f"{counted(len(drafts), 'face')} of {counted(len(cards), 'card')}"
    verb = "is a draft" if len(drafts) == 1 else "are drafts"
    why = f" ({instead} could not be drawn: a card that says why stands there)" if instead else ""
    return f"{what} {verb}, marked across{why}: {', '.join(cards[:_LISTED])}{rest}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text, 96, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def left(report: build.Report) -> str:
    """What a build that failed has left in its folder. What is made last may fail alone."""
    folder = shown(report.folder)
    if any(problem.kind == TORN for problem in report.problems):
        return f"what is in {folder} is not of one build"
    if not report.made:
        return f"nothing was changed in {folder}"
    number = len(report.made)
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'file')} in {folder} {verb} new, all others are as they were"


def title(game: Game) -> str:
    title = game.title.spoken(game.languages[0])
    title = f"{title} {game.edition}" if game.edition else title
    return f"{title} ({game.variant})" if game.variant else title


def standing(reports: Iterable[tuple[str, build.Report]]) -> dict[str, str]:
    """How the folders of builds stand in the build folder, those of variants in theirs."""
    return {
        f"{variant}/{name}" if variant else name: stamp
        for variant, report in reports
        for name, stamp in report.standing.items()
    }


def _bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def tally(findings: list[checker.Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    return ", ".join(parts) or "no problems"


def verdict(problems: list[Problem]) -> str:
    mistakes = folded(problem for problem in problems if not problem.elsewhere)
    errors = sum(problem.severity == "error" for problem in mistakes)
    warnings = len(mistakes) - errors
    parts = [counted(errors, "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    beside = folded(problem for problem in problems if problem.elsewhere)
    rest = f" ({len(beside)} in what is not built)" if beside else ""
    return (", ".join(parts) or "no problems") + rest


def shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except (ValueError, OSError, RuntimeError):  # elsewhere, or a link that leads in a circle
        return str(path)


def code_of(problems: list[Problem], strict: bool) -> int:
    failed = has_errors(problems) or (strict and not all(p.elsewhere for p in problems))
    return PROBLEMS if failed else FINE


def keep(
    tell: Callable[[], None], problems: list[Problem], code: int,
    made: Mapping[str, str] | None, beside: Mapping[str, Stamp],
) -> None:  # fmt: skip
    """Keep what the command tells when nothing changed, unless that hangs on more than files; of
    these, those `beside` are the user's own."""
    notes = noted.end()
    if has_errors(problems) or any(problem.kind in _OF_THE_MACHINE for problem in problems):
        return
    with held() as lines:
        tell()
    unchanged.keep(notes, made, lines, code, beside)

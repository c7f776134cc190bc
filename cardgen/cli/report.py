"""What the command line prints, and with which exit code it ends.

A game may come from a stranger, and its names reach the terminal: `say` and `say_json` are the only
ways there, and they show the signs that a terminal would obey.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any
from unicodedata import category

import click

from cardgen import build, build_folder
from cardgen.base import paths
from cardgen.base.problems import Problem, has_errors
from cardgen.cli.folding import folded
from cardgen.game.inventory import counted
from cardgen.game.model import Game
from cardgen.outputs.tables import checker

FINE, PROBLEMS, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130


# Control characters, lone surrogates, separators of lines and paragraphs; of format characters all
# but those that words are written with: soft hyphen, joiner and non-joiner.
_SHOWN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_WRITTEN = frozenset("\u00ad\u200c\u200d")


def visible(text: str) -> str:
    """The text on one line, with what a terminal would obey shown as `\\x1b`, `\\u202e`, `\\n`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(sign) if _is_obeyed(sign) else sign for sign in text)


def _is_obeyed(sign: str) -> bool:
    return category(sign) in _SHOWN and sign not in _WRITTEN


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode()


def say(*lines: str, err: bool = False) -> None:
    """Print each line. What the terminal's encoding lacks is shown as escapes, too."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    for line in lines:
        told = visible(line).encode(encoding, "backslashreplace").decode(encoding)
        click.echo(told, file=stream)


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    say(*text.removesuffix("\n").split("\n"), err=err)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print JSON that holds the value to the letter, and nothing that a terminal would obey."""
    encoding = sys.stdout.encoding or "utf-8"

    def written(sign: str) -> str:
        try:
            sign.encode(encoding)
        except UnicodeEncodeError:
            return json.dumps(sign)[1:-1]
        return json.dumps(sign)[1:-1] if _is_obeyed(sign) and sign != "\n" else sign

    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo("".join(map(written, text)))


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


def print_report(report: build.Report) -> None:
    assert report.game is not None
    say(
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
        size = sum(paths.size(report.folder / path) for path in group)
        what = counted(len(group), "file") if group != [head] else "1 file"
        news = f"{new} new" if new else "unchanged"
        say(f"  {shown(report.folder / head)}: {what}, {_bytes(size)}, {news}")
    # What is told of one language holds for all.
    for told in dict.fromkeys(a.summary for a in [*report.made, *report.kept] if a.summary):
        say(
            *textwrap.wrap(
                told, 96, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
            )
        )
    if report.removed:
        say(f"  {counted(len(report.removed), 'file')} of earlier builds removed")
    say(f"done in {report.seconds:.1f} s")


def left(report: build.Report) -> str:
    """What a build that failed has left in its folder. What is made last may fail alone."""
    folder = shown(report.folder)
    if any(problem.kind == build_folder.TORN for problem in report.problems):
        return f"what is in {folder} is not of one build"
    if not report.made:
        return f"nothing was changed in {folder}"
    number = len(report.made)
    verb = "is" if number == 1 else "are"
    return f"{counted(number, 'file')} in {folder} {verb} new, all others are as they were"


def title(game: Game) -> str:
    title = game.title.spoken(game.languages[0])
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


def leave(problems: list[Problem], strict: bool) -> None:
    failed = has_errors(problems) or (strict and not all(p.elsewhere for p in problems))
    sys.exit(PROBLEMS if failed else FINE)

"""Output of commands: problems, reports, progress, and the exit code.

A game may come from a stranger, and its names reach the terminal. `terminal.print_lines` and
`print_json` are the only ways there, and they escape control characters.
"""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli import problem_formats, replay
from cardgen.cli.problem_formats import group_problems
from cardgen.cli.terminal import (
    FINE,
    PROBLEMS,
    capture_lines,
    escape_control_chars,
    format_path,
    is_control_char,
    print_lines,
)
from cardgen.core.problems import PARTIAL_PUBLISH, Problem, has_errors, summarise
from cardgen.game.inventory import format_count
from cardgen.game.model import Game
from cardgen.runtime import fingerprint
from cardgen.runtime.fingerprint import FolderScan, Stamp

if TYPE_CHECKING:
    from cardgen.pipeline import build
    from cardgen.pipeline.build import DraftFace
    from cardgen.tabletop import tts_checker

_MAX_LISTED_DRAFTS = 8
"""So many drafts are named."""
_TRANSIENT_KINDS = frozenset({"bounds", "disk", PARTIAL_PUBLISH})
"""Kinds of problems that may be gone the next time, though no file changed."""


def print_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON, with control characters and commands of GitHub's runner escaped."""
    encoding = sys.stdout.encoding or "utf-8"

    def escape_char(sign: str) -> str:
        try:
            sign.encode(encoding)
        except UnicodeEncodeError:
            return json.dumps(sign)[1:-1]
        return json.dumps(sign)[1:-1] if is_control_char(sign) else sign

    for line in json.dumps(value, ensure_ascii=False, indent=indent).split("\n"):
        plain = line.isascii() and line.isprintable()
        told = line if plain else "".join(map(escape_char, line))
        print_lines(told.replace("##[", "#\\u0023["))


class ProgressBar:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._is_visible = sys.stderr.isatty()
        self._bar: Any = None
        self._label = ""

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_bar()

    def show_progress(self, what: str, done: int, total: int) -> None:
        if not total:
            self._close_bar()
            print_lines(what, err=True)
        if not self._is_visible or total < 2:
            return
        if what != self._label:
            self._close_bar()
            self._label = what
            self._bar = click.progressbar(
                length=total, label=escape_control_chars(what), file=sys.stderr
            )
            self._bar.__enter__()
        self._bar.update(done - self._bar.pos)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


def print_problems(problems: list[Problem]) -> None:
    for problem in group_problems(problems):
        print_lines(str(problem), err=True)


def print_problems_as(form: str, problems: list[Problem], root: Path) -> None:
    """Print the problems of a game in one of the formats."""
    if form == "json":
        print_json([problem.to_json() for problem in problems])
    elif form == "sarif":
        print_json(problem_formats.format_sarif(problems, root), indent=1)
    elif form == "github":
        for is_command, line in problem_formats.format_github(problems, root):
            print_lines(line, command=is_command)
    else:
        print_problems(problems)


def print_report(report: build.BuildReport) -> None:
    assert report.game is not None
    print_lines(
        f"{format_title(report.game)}: {format_count(report.face_count, 'face')}, "
        f"{report.typeset_count} typeset; "
        f"{format_verdict(report.problems)}"
    )
    made = {artefact.path for artefact in report.new_files}
    groups: dict[str, list[str]] = {}
    for artefact in [*report.new_files, *report.unchanged_files]:
        head = "/".join(artefact.path.split("/", 2)[:2])
        groups.setdefault(head, []).append(artefact.path)
    now = FolderScan(report.folder)
    for head, group in sorted(groups.items()):
        new = sum(path in made for path in group)
        size = sum(map(now.get_size, group))
        what = format_count(len(group), "file") if group != [head] else "1 file"
        news = f"{new} new" if new else "unchanged"
        print_lines(f"  {format_path(report.folder / head)}: {what}, {_format_bytes(size)}, {news}")
    # What is told of one language holds for all.
    for told in dict.fromkeys(
        a.summary for a in [*report.new_files, *report.unchanged_files] if a.summary
    ):
        print_lines(*_wrap_lines(told))
    if report.removed_paths:
        print_lines(
            f"  {format_count(len(report.removed_paths), 'file')} of earlier builds removed"
        )
    if report.draft_faces:
        print_lines(*_wrap_lines(_format_drafts(report.draft_faces)))


def _format_drafts(drafts: Sequence[DraftFace]) -> str:
    """Return which faces are drafts, some of them by name."""
    instead = sum(draft.is_placeholder for draft in drafts)
    cards = list(dict.fromkeys(f"{draft.subject.deck}/{draft.subject.card}" for draft in drafts))
    what = f"{format_count(len(drafts), 'face')} of {format_count(len(cards), 'card')}"
    verb = "is a draft" if len(drafts) == 1 else "are drafts"
    why = f" ({instead} could not be drawn and have a placeholder that says why)" if instead else ""
    return f"{what} {verb}, marked across{why}: {summarise(cards, _MAX_LISTED_DRAFTS)}"


def _wrap_lines(text: str) -> list[str]:
    return textwrap.wrap(
        text, 96, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
    )


def format_failure(report: build.BuildReport) -> str:
    """Return what a build that failed has left in its folder; later outputs may fail alone."""
    folder = format_path(report.folder)
    if any(problem.kind == PARTIAL_PUBLISH for problem in report.problems):
        return f"what is in {folder} is not of one build"
    if not report.new_files:
        return f"nothing was changed in {folder}"
    number = len(report.new_files)
    verb = "is" if number == 1 else "are"
    return f"{format_count(number, 'file')} in {folder} {verb} new, all others are as they were"


def format_title(game: Game) -> str:
    title = game.title.get_plain_text(game.languages[0])
    title = f"{title} {game.edition}" if game.edition else title
    return f"{title} ({game.variant})" if game.variant else title


def collect_folder_stamps(reports: Iterable[tuple[str, build.BuildReport]]) -> dict[str, str]:
    """Return fingerprints of the folders of builds, by their paths in the build folder."""
    return {
        f"{variant}/{name}" if variant else name: stamp
        for variant, report in reports
        for name, stamp in report.folder_stamps.items()
    }


def _format_bytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


def format_findings(findings: list[tts_checker.SaveFinding]) -> str:
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    parts = [format_count(errors, "error")] if errors else []
    parts += [format_count(warnings, "warning")] if warnings else []
    return ", ".join(parts) or "no problems"


def format_verdict(problems: list[Problem]) -> str:
    mistakes = group_problems(problem for problem in problems if not problem.outside_selection)
    errors = sum(problem.severity == "error" for problem in mistakes)
    warnings = len(mistakes) - errors
    parts = [format_count(errors, "error")] if errors else []
    parts += [format_count(warnings, "warning")] if warnings else []
    beside = group_problems(problem for problem in problems if problem.outside_selection)
    rest = f" ({len(beside)} in what is not built)" if beside else ""
    return (", ".join(parts) or "no problems") + rest


def compute_exit_code(problems: list[Problem], strict: bool) -> int:
    failed = has_errors(problems) or (strict and not all(p.outside_selection for p in problems))
    return PROBLEMS if failed else FINE


def save_replay(
    tell: Callable[[], None], problems: list[Problem], code: int,
    made: Mapping[str, str] | None, beside: Mapping[str, Stamp],
) -> None:  # fmt: skip
    """Save what the command prints where nothing changes, unless more than files decides that.

    `beside` are files of the user's own that decide, too.
    """
    notes = fingerprint.end_trace()
    if has_errors(problems) or any(problem.kind in _TRANSIENT_KINDS for problem in problems):
        return
    with capture_lines() as lines:
        tell()
    replay.save_output(notes, made, lines, code, beside)

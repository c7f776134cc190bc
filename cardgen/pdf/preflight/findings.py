"""Findings of preflight, before they are reported: one mistake on many pages is one problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.core.problems import Problem, Severity, Source

_MAX_RANGES = 8


@dataclass(frozen=True)
class PreflightFinding:
    """A mistake on a page, from 1; 0 is the file.

    `message` says what was found, what is expected and what to do. `{}` in it stands for `figure`,
    which may differ from page to page; the page with the largest `badness` supplies it.
    """

    page: int
    kind: str
    message: str
    severity: Severity = "error"
    figure: str = ""
    badness: float = 0.0


def make_problems(path: str, found: Iterable[PreflightFinding]) -> list[Problem]:
    """Return one problem for each mistake, at its first page; `line` is the page."""
    groups: dict[tuple[str, str, str], list[PreflightFinding]] = {}
    for finding in found:
        groups.setdefault((finding.kind, finding.severity, finding.message), []).append(finding)
    problems = []
    for group in groups.values():
        first = group[0]
        worst = max(group, key=lambda each: each.badness)
        where = f" (page {worst.page})" if worst.figure != first.figure else ""
        message = first.message.replace("{}", f"{worst.figure}{where}")
        others = list(dict.fromkeys(each.page for each in group[1:] if each.page != first.page))
        if others:
            message += f" (so on {format_page_ranges(others)}, too)"
        place = f"page {first.page}" if first.page else ""
        problems.append(
            Problem(Source(path, first.page, place), message, first.kind, first.severity)
        )
    return sorted(
        problems, key=lambda problem: (problem.source.line, problem.kind, problem.message)
    )


def format_page_ranges(pages: Sequence[int]) -> str:
    """Format page numbers: `page 3`, `pages 2–7 and 9`."""
    spans: list[list[int]] = []
    for page in sorted(pages):
        if spans and page == spans[-1][1] + 1:
            spans[-1][1] = page
        else:
            spans.append([page, page])
    if len(spans) > _MAX_RANGES:
        return f"{len(pages)} pages from {spans[0][0]} to {spans[-1][1]}"
    parts = [str(a) if a == b else f"{a}–{b}" for a, b in spans]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{'page' if len(pages) == 1 else 'pages'} {listed}"

"""Findings of preflight, before they are reported: one mistake on many pages is one problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.core.problems import Problem, Severity, Source, join_words

_MAX_RANGES = 8


class PreflightFinding(NamedTuple):
    """A mistake on a page or in the file.

    `message` says what was found, what is expected and what to do. `{}` in it stands for `figure`,
    which may differ from page to page; the page with the largest `badness` supplies it.
    """

    kind: str
    message: str
    severity: Severity = "error"
    figure: str = ""
    badness: float = 0.0


Findings = Iterator[PreflightFinding]


def make_problems(path: str, found: Iterable[tuple[int, PreflightFinding]]) -> list[Problem]:
    """Return one problem for each mistake, at its first page; `line` is the page.

    Findings come with their page, from 1; 0 is the file.
    """
    groups: dict[tuple[str, str, str], list[tuple[int, PreflightFinding]]] = {}
    for page, finding in found:
        key = finding.kind, finding.severity, finding.message
        groups.setdefault(key, []).append((page, finding))
    problems = []
    for group in groups.values():
        page, first = group[0]
        worst_page, worst = max(group, key=lambda each: each[1].badness)
        where = f" (page {worst_page})" if worst.figure != first.figure else ""
        message = first.message.replace("{}", f"{worst.figure}{where}")
        others = list(dict.fromkeys(other for other, _ in group if other != page))
        if others:
            message += f" (so on {format_page_ranges(others)}, too)"
        source = Source(path, page, f"page {page}" if page else "")
        problems.append(Problem(source, message, first.kind, first.severity))
    return sorted(problems, key=lambda each: (each.source.line, each.kind, each.message))


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
    listed = join_words([str(a) if a == b else f"{a}–{b}" for a, b in spans])
    return f"{'page' if len(pages) == 1 else 'pages'} {listed}"

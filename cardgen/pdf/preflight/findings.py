"""What is wrong with a file, page by page, before it is told: one mistake on many pages is one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardgen.core.problems import Problem, Severity, Source

_MAX_RANGES = 8


@dataclass(frozen=True)
class PreflightFinding:
    """One mistake of a page, from 1; 0 is the file. `message` is what is, what is asked, and what
    to do; `figure` is what differs from page to page, put into the message where `{}` stands, the
    worst of all pages, by `worse`."""

    page: int
    kind: str
    message: str
    severity: Severity = "error"
    figure: str = ""
    badness: float = 0.0


def make_problems(path: str, found: Iterable[PreflightFinding]) -> list[Problem]:
    """The findings at the first page of each, with the others named; `line` is the page."""
    groups: dict[tuple[str, str, str], list[PreflightFinding]] = {}
    for finding in found:
        groups.setdefault((finding.kind, finding.severity, finding.message), []).append(finding)
    made = []
    for group in groups.values():
        first = group[0]
        worst = max(group, key=lambda each: each.badness)
        where = f" (page {worst.page})" if worst.figure != first.figure else ""
        message = first.message.replace("{}", f"{worst.figure}{where}")
        others = list(dict.fromkeys(each.page for each in group[1:] if each.page != first.page))
        if others:
            message += f" (so on {format_page_ranges(others)}, too)"
        place = f"page {first.page}" if first.page else ""
        made.append(Problem(Source(path, first.page, place), message, first.kind, first.severity))
    return sorted(made, key=lambda problem: (problem.source.line, problem.kind, problem.message))


def format_page_ranges(pages: Sequence[int]) -> str:
    """Pages in words: `page 3`, `pages 2–7 and 9`."""
    found: list[list[int]] = []
    for page in sorted(pages):
        if found and page == found[-1][1] + 1:
            found[-1][1] = page
        else:
            found.append([page, page])
    if len(found) > _MAX_RANGES:
        return f"{len(pages)} pages from {found[0][0]} to {found[-1][1]}"
    said = [str(a) if a == b else f"{a}–{b}" for a, b in found]
    listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
    return f"{'page' if len(pages) == 1 else 'pages'} {listed}"

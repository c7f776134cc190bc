"""Groups of problems: one mistake is printed as one line, however many cards it affects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.core.problems import WHOLE_GAME, Problem, sort_problems, summarise

_MAX_LISTED_SUBJECTS = 3
"""Cards named in a group, and problems on lines of their own that are printed one by one."""
_MEASURE = re.compile(r"[0-9]+(?:\.[0-9]+)?(?= (?:mm|pt)\b)")
_QUOTED_WORDS = re.compile(r"(?<![^\s:])'.*'(?= (?:stands|is)\b|\Z)", re.DOTALL)
_LAYOUT_KINDS = frozenset({"overflow", "safe-margin", "small-text", "overlap", "contrast"})


def group_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems in order, one for each mistake.

    One mistake is one line of a template or style on all faces that show it, or one message about
    many cards of a file.
    """
    groups: dict[tuple[str | bool, ...], list[Problem]] = {}
    for problem in sort_problems(problems):
        groups.setdefault(_get_group_key(problem), []).append(problem)
    shown: list[Problem] = []
    for group in groups.values():
        lines = {problem.source for problem in group}
        shown += group if 1 < len(lines) <= _MAX_LISTED_SUBJECTS else [_merge_group(group)]
    return sorted(shown, key=lambda problem: (problem.source, str(problem)))


def _get_group_key(problem: Problem) -> tuple[str | bool, ...]:
    """Return what all problems of one mistake have in common."""
    place = problem.source.path if problem.subject.card else str(problem.source)
    if not problem.source.path.startswith("cards/"):
        place = str(problem.source)
    return (
        place,
        problem.kind,
        problem.severity,
        problem.outside_selection,
        _generalise_message(problem),
    )


def _generalise_message(problem: Problem) -> str:
    if problem.kind not in _LAYOUT_KINDS:
        return problem.message
    return _MEASURE.sub("#", _QUOTED_WORDS.sub("…", problem.message))


def _merge_group(group: Sequence[Problem]) -> Problem:
    """Return one problem for many of one mistake: whose it is, and how bad."""
    first = group[0]
    said = list(dict.fromkeys(str(p.subject) for p in group if p.subject != WHOLE_GAME))
    who = summarise(said, _MAX_LISTED_SUBJECTS)
    message = _merge_messages([problem.message for problem in group])
    return replace(first, message=f"{who}: {message}" if who else message, subject=WHOLE_GAME)


def _merge_messages(messages: Sequence[str]) -> str:
    """Return one message for messages that differ in their measures and quoted words."""
    if len(set(messages)) == 1:
        return messages[0]
    words = [match[0] for message in messages if (match := _QUOTED_WORDS.search(message))]
    bare = [_QUOTED_WORDS.sub("\0", message) for message in messages]
    columns = zip(*(_MEASURE.findall(message) for message in bare), strict=True)
    spans = iter([_format_span(column) for column in columns])
    told = _MEASURE.sub(lambda _: next(spans), bare[0])
    if len(set(words)) > 1:
        told = re.sub(r"\0 is\b", "\0 and others are", told)
        told = re.sub(r"\0 (stand)s\b", r"\0 and others \1", told)
        told = re.sub(r"\0\Z", "\0 and more", told)
    return told.replace("\0", words[0]) if words else told


def _format_span(figures: Sequence[str]) -> str:
    low, high = min(figures, key=float), max(figures, key=float)
    return low if low == high else f"{low} to {high}"

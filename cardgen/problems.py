"""What is wrong with a game, as data: collected everywhere, sorted and printed once.

A user's mistake is never an exception. Every stage returns its problems beside its result.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Severity = Literal["error", "warning"]

# So many faces with one and the same mistake are named one by one.
_SHOWN_ALIKE = 3


@dataclass(frozen=True, order=True)
class Source:
    """A line of a file of the game. `path` is relative to the game folder, with `/`.

    Lines count from 1; line 0 means the file as a whole.
    """

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake, at its line. `kind` is the word in brackets at the end of the printed line.

    `subject` is the face that shows it, where one mistake in a template shows on many.
    """

    source: Source
    message: str
    kind: str
    severity: Severity = "error"
    subject: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.severity}: {self._said} [{self.kind}]"

    @property
    def _said(self) -> str:
        return f"{self.subject}: {self.message}" if self.subject else self.message

    def as_json(self) -> dict[str, str | int]:
        """The problem for editors and CI."""
        return {
            "path": self.source.path,
            "line": self.source.line,
            "severity": self.severity,
            "message": self._said,
            "kind": self.kind,
        }


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once, by file and line."""
    return sorted(set(problems), key=lambda problem: (problem.source, str(problem)))


def folded(problems: Iterable[Problem]) -> list[Problem]:
    """The problems in order, one for all faces that show the same mistake of the same line."""
    groups: dict[Problem, list[Problem]] = {}
    for problem in ordered(problems):
        groups.setdefault(replace(problem, subject=""), []).append(problem)
    shown: list[Problem] = []
    for group in groups.values():
        first, more = group[0], len(group) - 1
        if more < _SHOWN_ALIKE:
            shown += group
        else:
            shown.append(replace(first, subject=f"{first.subject} and {more} more faces"))
    return shown


def has_errors(problems: Iterable[Problem]) -> bool:
    """Whether any of them stops the build."""
    return any(problem.severity == "error" for problem in problems)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'cash'?` for a near miss, a list of a few known words, or nothing."""
    choices = sorted({str(choice) for choice in known})
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if close:
        return f"; did you mean '{close[0]}'?"
    if 0 < len(choices) <= 12:
        return f"; known: {', '.join(choices)}"
    return ""


def line_of(text: str, part: str) -> int:
    """The line of a text, from 1, on which a part of it first stands; 1 when it does not."""
    return text.count("\n", 0, max(0, text.find(part))) + 1

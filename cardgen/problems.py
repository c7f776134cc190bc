"""What is wrong with a game, as data: collected everywhere, sorted and printed once.

A user's mistake is never an exception. Every stage returns its problems beside its result.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


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
    """One mistake, at its line. `kind` is the word in brackets at the end of the printed line."""

    source: Source
    message: str
    kind: str
    severity: Severity = "error"

    def __str__(self) -> str:
        return f"{self.source}: {self.severity}: {self.message} [{self.kind}]"

    def as_json(self) -> dict[str, str | int]:
        """The problem for editors and CI."""
        return {
            "path": self.source.path,
            "line": self.source.line,
            "severity": self.severity,
            "message": self.message,
            "kind": self.kind,
        }


def ordered(problems: Iterable[Problem]) -> list[Problem]:
    """Each problem once, by file and line."""
    return sorted(set(problems))


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

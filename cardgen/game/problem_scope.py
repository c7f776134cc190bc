"""The scope of a partial build, and the problems that are relevant to it.

A missing Hindi text is reported, but stops neither the English cards nor another deck.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from cardgen.core.problems import Problem

BOOKS_FOLDER, TABLE_FILE = "rulebook", "table.yaml"


@dataclass(frozen=True)
class ProblemScope:
    """The decks, languages and cards (with their decks) that are built, all where none is named;
    and whether rulebooks and virtual tables are built."""

    decks: Collection[str] = ()
    languages: Collection[str] = ()
    books: bool = True
    tables: bool = True
    cards: Collection[tuple[str, str]] = ()

    def mark_problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems, with those outside the scope marked as `outside_selection`."""
        return [p if self.is_relevant(p) else replace(p, outside_selection=True) for p in problems]

    def is_relevant(self, problem: Problem) -> bool:
        """Return whether a problem concerns what is built."""
        subject, path = problem.subject, PurePosixPath(problem.source.path)
        language = subject.language
        if path.parts[:1] == (BOOKS_FOLDER,):
            if not self.books:
                return False
            language = path.stem if path.suffix == ".md" else ""
        if not self.tables and (problem.kind == "tabletop" or problem.source.path == TABLE_FILE):
            return False
        if self.languages and language and language not in self.languages:
            return False
        if self.cards and subject.card and (subject.deck, subject.card) not in self.cards:
            return False
        return not (self.decks and subject.deck and subject.deck not in self.decks)

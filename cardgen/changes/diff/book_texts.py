"""What the rulebook's texts say otherwise, paragraph by paragraph."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from cardgen.base import paths
from cardgen.changes.diff.model import BookDiff

FOLDER = "rulebook"
_GAP = re.compile(r"\n[ \t]*\n\s*")
_MOST_FILES, _MOST_PASSAGES = 60, 80
_MOST_COMPARED = 3000
"""Paragraphs of a file, without those that it begins and ends with as before."""
_LONGEST = 4000
"""Letters of a paragraph that are told."""


def changes(old: Path, new: Path) -> Iterator[BookDiff]:
    """The files of two states of a game, each by its folder, of which the text is another."""
    listed = (name for root in (new, old) for name in paths.listed(root, FOLDER, ".md"))
    for name in [*dict.fromkeys(listed)][:_MOST_FILES]:
        before, after = (_paragraphs(root, name) for root in (old, new))
        if before != after:
            found = [*_passages(before, after)]
            yield BookDiff(name, tuple(found[:_MOST_PASSAGES]), max(0, len(found) - _MOST_PASSAGES))


def _paragraphs(root: Path, name: str) -> list[str]:
    """Those of a file; none where it cannot be read, which its own problems tell."""
    if not paths.there(root, name):
        return []
    text, _ = paths.read_text(root, name)
    return [each for each in _GAP.split(text.strip()) if each]


def _passages(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """The paragraphs that differ, those that stand in each other's place side by side."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if max(len(old), len(new)) > _MOST_COMPARED:
        yield f"{len(old)} paragraphs", f"{len(new)} paragraphs"
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            for at in range(max(b - a, d - c)):
                yield _at(old[a:b], at), _at(new[c:d], at)


def _at(some: list[str], number: int) -> str:
    """One of some paragraphs as it is told; "" where there are not so many."""
    paragraph = some[number] if number < len(some) else ""
    return paragraph if len(paragraph) <= _LONGEST else f"{paragraph[:_LONGEST]} …"

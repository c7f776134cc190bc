"""What the rulebook's texts say otherwise, paragraph by paragraph."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from cardgen.changes.diff_model import BookDiff
from cardgen.core.problems import Problem
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.model import Deck, Game
from cardgen.runtime import game_files

RULEBOOK_FOLDER = "rulebook"
PARAGRAPH_GAP = re.compile(r"\n[ \t]*\n\s*")
MAX_FILES_COMPARED, MAX_PASSAGES_PER_FILE = 60, 80
MAX_PARAGRAPHS = 3000
"""Paragraphs of a file, without those that it begins and ends with as before."""
MAX_PARAGRAPH_CHARS = 4000
"""Letters of a paragraph that are told."""


def compare_books(old: Path, new: Path) -> Iterator[BookDiff]:
    """The files of two states of a game, each by its folder, of which the text is another."""
    listed = (
        name for root in (new, old) for name in game_files.list_files(root, RULEBOOK_FOLDER, ".md")
    )
    for name in [*dict.fromkeys(listed)][:MAX_FILES_COMPARED]:
        before, after = (_read_paragraphs(root, name) for root in (old, new))
        if before != after:
            found = [*_compare_paragraphs(before, after)]
            yield BookDiff(
                name,
                tuple(found[:MAX_PASSAGES_PER_FILE]),
                max(0, len(found) - MAX_PASSAGES_PER_FILE),
            )


def _read_paragraphs(root: Path, name: str) -> list[str]:
    """Those of a file; none where it cannot be read, which its own problems tell."""
    if not game_files.has_entry(root, name):
        return []
    text, _ = game_files.read_text(root, name)
    return [each for each in PARAGRAPH_GAP.split(text.strip()) if each]


def _compare_paragraphs(old: list[str], new: list[str]) -> Iterator[tuple[str, str]]:
    """The paragraphs that differ, those that stand in each other's place side by side."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if max(len(old), len(new)) > MAX_PARAGRAPHS:
        yield f"{len(old)} paragraphs", f"{len(new)} paragraphs"
        return
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag != "equal":
            for at in range(max(b - a, d - c)):
                yield _get_passage(old[a:b], at), _get_passage(new[c:d], at)


def _get_passage(some: list[str], number: int) -> str:
    """One of some paragraphs as it is told; "" where there are not so many."""
    paragraph = some[number] if number < len(some) else ""
    return (
        paragraph
        if len(paragraph) <= MAX_PARAGRAPH_CHARS
        else f"{paragraph[:MAX_PARAGRAPH_CHARS]} …"
    )


def find_unread_files(problems: Iterable[Problem]) -> set[str]:
    """The files that mistakes leave out of a state."""
    return {p.source.path for p in problems if p.kind in UNREADABLE_KINDS and p.severity == "error"}


def find_unread_decks(
    game: Game, other: Game, unread: Collection[str]
) -> Iterator[tuple[str, str]]:
    """The decks of which the other state has cards and this one, since it could not read a file,
    has none: each with that file."""
    known = {deck.id for deck in game.decks if deck.pieces}
    for deck in other.decks:
        missed = next((name for name in _list_deck_files(deck) if name in unread), "")
        if missed and deck.id not in known:
            yield deck.id, missed


def _list_deck_files(deck: Deck) -> dict[str, None]:
    """Where a deck and its cards are written."""
    return dict.fromkeys([deck.source.path, *(piece.source.path for piece in deck.pieces)])

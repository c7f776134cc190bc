"""What of a state could not be read, so that the other one has nothing to be compared with there.

A deck whose file is not YAML is not gone, and its cards are not: nothing is known of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from cardgen.base.problems import Problem
from cardgen.game.decks import UNREAD
from cardgen.game.model import Deck, Game


def files(problems: Iterable[Problem]) -> set[str]:
    """The files that mistakes leave out of a state."""
    return {p.source.path for p in problems if p.kind in UNREAD and p.severity == "error"}


def decks(game: Game, other: Game, unread: Collection[str]) -> Iterator[tuple[str, str]]:
    """The decks of which the other state has cards and this one, since it could not read a file,
    has none: each with that file."""
    known = {deck.id for deck in game.decks if deck.pieces}
    for deck in other.decks:
        missed = next((name for name in _files(deck) if name in unread), "")
        if missed and deck.id not in known:
            yield deck.id, missed


def _files(deck: Deck) -> dict[str, None]:
    """Where a deck and its cards are written."""
    return dict.fromkeys([deck.source.path, *(piece.source.path for piece in deck.pieces)])

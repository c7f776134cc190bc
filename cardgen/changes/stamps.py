"""What a stamp on a card tells: which card it is, from which state, and whether it is current."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.base import paths
from cardgen.changes import printed_file, revisions
from cardgen.changes.compare import State
from cardgen.changes.revisions import NoRevision, Revision
from cardgen.game import loading
from cardgen.game.model import Game
from cardgen.rules import composition
from cardgen.templates.render import stamp

MOST_COMMITS = 50
_STAMP = re.compile(r"[0-9a-f]{4}\Z")
_Key = tuple[str, str, str]
"""Deck, piece and language."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Match:
    """A piece that bore the stamp. `where` is the newest state that it was found in."""

    deck: str
    piece: str
    where: str
    current: bool = False
    now: str = ""
    """The stamp that the piece bears now; "" when it is no longer in the game."""

    def __str__(self) -> str:
        if self.current:
            return f"{self.piece} of {self.deck}: current"
        state = f"it bears {self.now} now" if self.now else "it is no longer in the game"
        return f"{self.piece} of {self.deck}, as in {self.where}: not current, {state}"


def is_stamp(word: str) -> bool:
    """Whether that is four hex digits."""
    return bool(_STAMP.match(word))


def find(game: Game, wanted: str, progress: Progress) -> tuple[list[Match], str]:
    """Every piece that bears or bore the stamp, and why history was not searched, or "".

    A piece is told once, from the newest state. History is that of the last 50 commits that
    changed cards or what was printed.
    """
    now = dict(_stamps_of(game))
    found: dict[tuple[str, str], Match] = {}
    for (deck, piece, _), value in now.items():
        if value == wanted:
            found[deck, piece] = Match(deck, piece, "", True, value)

    def add(where: str, keys: Iterator[_Key]) -> None:
        for deck, piece, language in keys:
            match = Match(deck, piece, where, now=now.get((deck, piece, language), ""))
            found.setdefault((deck, piece), match)

    text, why = paths.read_text(game.root, printed_file.FILE)
    if not why:
        states, _ = printed_file.read(text)
        add(printed_file.FILE, _bearing(states, wanted))
    try:
        commits = list(revisions.walk(game.root, MOST_COMMITS))
        for done, commit in enumerate(commits, start=1):
            add(f"printed.yaml at {commit}", _bearing(_printed_at(commit, wanted), wanted))
            add(f"the cards at {commit}", _pieces_at(commit, wanted))
            progress("searching history", done, len(commits))
    except NoRevision as error:
        return list(found.values()), str(error)
    return list(found.values()), ""


def _stamps_of(game: Game) -> Iterator[tuple[_Key, str]]:
    for language in game.languages:
        for deck in game.decks:
            for piece in deck.pieces:
                if piece.copies:
                    yield (deck.id, piece.id, language), stamp(piece, language)


def _bearing(states: dict[str, State], wanted: str) -> Iterator[_Key]:
    for language, state in states.items():
        for deck, pieces in state.items():
            yield from ((deck, piece, language) for piece, e in pieces.items() if e.stamp == wanted)


def _printed_at(commit: Revision, wanted: str) -> dict[str, State]:
    text = revisions.read(commit, printed_file.FILE)
    # Reading a large file takes time that a glance at its text saves.
    if text is None or f'stamp: "{wanted}"' not in text:
        return {}
    return printed_file.read(text)[0]


def _pieces_at(commit: Revision, wanted: str) -> Iterator[_Key]:
    """What a commit's cards tell; of art only the icons, whose names are values of fields."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as made:
        root = Path(made).resolve()
        try:
            revisions.extract(commit, root, _of_cards)
        except NoRevision:
            return
        game, _ = composition.load(root)
    if game is not None:
        yield from (key for key, value in _stamps_of(game) if value == wanted)


def _of_cards(name: str) -> bool:
    return name == loading.FILE or name.startswith(("cards/", "art/icons/"))

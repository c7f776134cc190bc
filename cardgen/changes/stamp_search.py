"""Search for the card, and the version of it, that a printed stamp belongs to."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cardgen.changes import baselines, revisions
from cardgen.changes.card_changes import GameState
from cardgen.changes.revisions import Revision, RevisionError
from cardgen.game import loader
from cardgen.game.model import Game
from cardgen.rules import rule_file
from cardgen.runtime import game_files
from cardgen.templates.template_renderer import make_stamp

MAX_HISTORY_COMMITS = 50
STAMP_PATTERN = re.compile(r"[0-9a-f]{4}\Z")
StampedKey = tuple[str, str, str]
"""Deck, piece and language."""
SearchProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class StampMatch:
    """A piece that has or had the stamp; `where` is the newest state it was found in."""

    deck: str
    piece: str
    where: str
    is_current: bool = False
    current_stamp: str = ""
    """The current stamp of the piece, "" when it is no longer in the game."""

    def __str__(self) -> str:
        if self.is_current:
            return f"{self.piece} of {self.deck}: current"
        state = (
            f"its stamp is {self.current_stamp} now"
            if self.current_stamp
            else "it is no longer in the game"
        )
        return f"{self.piece} of {self.deck}, as in {self.where}: not current, {state}"


def is_stamp(word: str) -> bool:
    """Tell whether a word is four hexadecimal digits."""
    return bool(STAMP_PATTERN.match(word))


def find_stamp(game: Game, wanted: str, progress: SearchProgress) -> tuple[list[StampMatch], str]:
    """Return every piece that has or had the stamp, and why history was not searched, if so.

    A piece is listed once, with its newest match. The last 50 commits that changed cards or
    printed.yaml are searched.
    """
    now = dict(_list_stamps(game))
    found: dict[tuple[str, str], StampMatch] = {}
    for (deck, piece, _), value in now.items():
        if value == wanted:
            found[deck, piece] = StampMatch(deck, piece, "", True, value)

    def add_matches(where: str, keys: Iterator[StampedKey]) -> None:
        for deck, piece, language in keys:
            match = StampMatch(
                deck, piece, where, current_stamp=now.get((deck, piece, language), "")
            )
            found.setdefault((deck, piece), match)

    text, why = game_files.read_text(game.root, baselines.FILE)
    if not why:
        states, _ = baselines.parse_states(text)
        add_matches(baselines.FILE, _find_in_states(states, wanted))
    try:
        commits = list(revisions.list_revisions(game.root, MAX_HISTORY_COMMITS))
        for done, commit in enumerate(commits, start=1):
            add_matches(
                f"printed.yaml at {commit}",
                _find_in_states(_load_printed_at(commit, wanted), wanted),
            )
            add_matches(f"the cards at {commit}", _find_in_commit(commit, wanted))
            progress("searching history", done, len(commits))
    except RevisionError as error:
        return list(found.values()), str(error)
    return list(found.values()), ""


def _list_stamps(game: Game) -> Iterator[tuple[StampedKey, str]]:
    for language in game.languages:
        for deck in game.decks:
            for piece in deck.pieces:
                if piece.copies:
                    yield (deck.id, piece.id, language), make_stamp(piece, language)


def _find_in_states(states: dict[str, GameState], wanted: str) -> Iterator[StampedKey]:
    for language, state in states.items():
        for deck, pieces in state.items():
            yield from ((deck, piece, language) for piece, e in pieces.items() if e.stamp == wanted)


def _load_printed_at(commit: Revision, wanted: str) -> dict[str, GameState]:
    text = revisions.read_revision_file(commit, baselines.FILE)
    # Searching the text is faster than parsing a large file.
    if text is None or f'stamp: "{wanted}"' not in text:
        return {}
    return baselines.parse_states(text)[0]


def _find_in_commit(commit: Revision, wanted: str) -> Iterator[StampedKey]:
    """Yield the pieces of a commit with the stamp. Of the art only icons matter, since their names
    are values of fields."""
    with tempfile.TemporaryDirectory(prefix="cardgen-") as made:
        root = Path(made).resolve()
        try:
            revisions.extract_files(commit, root, _is_card_file)
        except RevisionError:
            return
        game, _ = rule_file.load_game(root)
    if game is not None:
        yield from (key for key, value in _list_stamps(game) if value == wanted)


def _is_card_file(name: str) -> bool:
    return name == loader.FILE or name.startswith(("cards/", "art/icons/"))

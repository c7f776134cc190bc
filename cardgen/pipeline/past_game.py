"""The game as it was at a commit, rendered by the engine and the fonts of today."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cardgen.changes import revisions
from cardgen.changes.revisions import CARD_PATHS, NoGameAtRevisionError, Revision, RevisionError
from cardgen.core.problems import Problem
from cardgen.game.model import Game
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import NotInGameError
from cardgen.rules import rule_file


@contextmanager
def load_past_game(
    revision: Revision, today: Game, variant: str = "", names: Iterable[str] = CARD_PATHS
) -> Iterator[tuple[Game, list[Problem]]]:
    """Yield the game or its variant at a commit, and its problems, while its files are there.

    Raise `RevisionError`, and `NoGameAtRevisionError` where there was no game yet. Fonts are those
    that are installed now; icons are those of the game as it was.
    """
    with revisions.open_revision(revision, names) as root:
        game, problems = rule_file.load_game(root)
        if game is None:
            why = f": {problems[0]}" if problems else ""
            raise NoGameAtRevisionError(f"at {revision} the game could not be read{why}")
        try:
            game = Request(root, variant=variant).select_variant(game)
        except NotInGameError as error:
            raise RevisionError(f"at {revision}: {error}") from None
        yield replace(game, fonts=today.fonts), problems


def make_empty_game(today: Game) -> Game:
    """Return the game as it was before anything of it was there."""
    return replace(today, decks=(), rules=(), variant_rules=(), table=None)

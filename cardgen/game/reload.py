"""Quick reloading of a game after an edit of its rulebooks or of one deck.

The preview shows an edited card before the whole game has been loaded again. Problems are left to
that complete load.
"""

from __future__ import annotations

from dataclasses import replace

from cardgen.core import work_limits
from cardgen.core.problems import has_errors
from cardgen.game import card_references, deck_files, game_settings, loader, numbered_copies
from cardgen.game.checker import FallbackCounts
from cardgen.game.deck_files import DeckContext
from cardgen.game.keywords import Keywords
from cardgen.game.model import Deck, Game
from cardgen.game.problem_scope import BOOKS_FOLDER
from cardgen.runtime.game_files import FileStamps


def update_stamps(game: Game, now: FileStamps) -> Game | None:
    """Return the game with new file stamps if nothing changed but texts of rulebooks, which are
    read when they are written; else None."""
    files = loader.find_changed_files(game, now)
    books = all(name.startswith(f"{BOOKS_FOLDER}/") and name.endswith(".md") for name in files)
    return (
        replace(game, file_stamps=now) if books and now.keys() == game.file_stamps.keys() else None
    )


def reload_deck(game: Game, files: frozenset[str]) -> tuple[Game, Deck] | None:
    """Return the game with its one changed deck, and that deck.

    Return None if another file changed, if something is wrong with the deck, or if other decks may
    depend on it.
    """
    old = next((deck for deck in game.decks if {deck.source.path} == files), None)
    if old is None or game.variants:
        return None
    with work_limits.work_limit(f"{old.source.path}, read again"):
        new = _read_changed_deck(game, old)
    if new is None or card_references.has_card_tokens(new):
        return None
    if new.look_families - old.look_families:
        return None
    (new,), problems = numbered_copies.number_copies(game.root, [new])
    if problems:
        return None
    return replace(game, decks=tuple(new if deck is old else deck for deck in game.decks)), new


def _read_changed_deck(game: Game, old: Deck) -> Deck | None:
    files = deck_files.read_deck_files(game.root)
    node = files.nodes.get(old.id)
    taken_after = any(
        like.value == old.id for each in files.nodes.values() if (like := each.get("like"))
    )
    if files.problems or node is None or node.get("deck") is None or taken_after:
        return None
    keywords = Keywords({word: icon for word, (icon, _) in game.keywords.items()})
    context = DeckContext(
        game.root, game.languages, game.players, game.icons, game.colours, game.emoji, keywords,
        game_settings.list_printable_words(game.words), FallbackCounts() if game.fallback else None,
        frozenset(family.name for family in game.fonts.families),
    )  # fmt: skip
    checker = context.make_checker()
    deck = deck_files.read_deck(old.id, node, files, context, checker)
    return None if has_errors(checker.problems) else deck

"""Quick reloading of a game after an edit of its rulebooks or of one deck.

The preview shows an edited card before the whole game has been loaded again. Problems are left to
that complete load.
"""

from __future__ import annotations

from dataclasses import replace

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Subject, has_errors
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_references, deck_files, game_settings, loader, numbered_copies
from cardgen.game.checker import FallbackCounts
from cardgen.game.deck_files import DeckContext
from cardgen.game.field_types import read_values
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
    context = _make_context(game)
    checker = context.make_checker()
    deck = deck_files.read_deck(old.id, node, files, context, checker)
    return None if has_errors(checker.problems) else deck


def _make_context(game: Game) -> DeckContext:
    keywords = Keywords({word: icon for word, (icon, _) in game.keywords.items()})
    return DeckContext(
        game.root, game.languages, game.players, game.icons, game.colours, game.emoji, keywords,
        game_settings.list_printable_words(game.words), FallbackCounts() if game.fallback else None,
        frozenset(family.name for family in game.fonts.families),
    )  # fmt: skip


def reread_card(game: Game, deck: Deck, card: str, row: Node) -> tuple[Deck, list[Problem]]:
    """Return a deck with one of its cards read from another row, and what is wrong with that.

    `card` is one of the names of a piece; all pieces of its card are replaced.
    """
    checker = _make_context(game).make_checker()
    base = next(piece.card_id for piece in deck.pieces if card in piece.names)
    checker.subject = Subject(deck.id, base)
    values = read_values(checker, row, deck.fields, "")
    pieces = tuple(
        replace(piece, values=values) if piece.card_id == base else piece for piece in deck.pieces
    )
    new = replace(deck, pieces=pieces)
    if card_references.has_card_tokens(
        replace(deck, pieces=tuple(p for p in pieces if p.card_id == base))
    ):
        decks = [new if each.id == deck.id else each for each in game.decks]
        resolved, _ = card_references.resolve_card_names(decks)
        new = next(each for each in resolved if each.id == deck.id)
    return new, checker.problems

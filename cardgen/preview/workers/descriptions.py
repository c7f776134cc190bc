"""Decks and cards of a game, described for the page."""

from __future__ import annotations

from cardgen.game.model import Deck, Game, Piece, Text, walk_values
from cardgen.preview.messages import CardInfo, DeckInfo
from cardgen.tabletop import table_contents


def describe_deck(deck: Deck, game: Game) -> DeckInfo:
    """Return a deck as the page shows it."""
    return DeckInfo(
        deck.id,
        {code: deck.title.get_plain_text(code) for code in game.languages},
        deck.size.width, deck.size.height, deck.bleed, deck.safe, deck.form.corner, deck.shape,
        deck.count, deck.source.path, deck.source.line,
    )  # fmt: skip


def describe_card(piece: Piece, game: Game) -> CardInfo:
    """Return a card as the page shows it."""
    texts = [
        value[code]
        for value in walk_values(tuple(piece.values.values()))
        if isinstance(value, Text)
        for code in game.languages
    ]
    name = {code: table_contents.format_nickname(piece, game, code) for code in game.languages}
    words = "\n".join(dict.fromkeys(texts)).replace("\u00ad", "")
    source = piece.source
    return CardInfo(piece.deck, piece.id, piece.copies, name, words, source.path, source.line)

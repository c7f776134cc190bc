"""What a thing on the table says of itself: name, rules text, tags, and notes for the maker."""

from __future__ import annotations

from cardgen.game.fields import TYPES
from cardgen.game.model import Deck, Game, Piece, Text
from cardgen.game.signs import unsigned
from cardgen.templates.render import stamp

_SOFT_HYPHEN = "\u00ad"
_NAME = "name"


def plain(text: str, game: Game, language: str) -> str:
    """A card's text without markup; an icon is told by its word, or else by its name."""

    def word(name: str) -> str:
        said = game.words.get(name.replace("-", "_")) or game.words.get(name)
        return f"[{said[language] if said else name}]" if name in game.icons else f"{{{name}}}"

    return unsigned(text.replace(_SOFT_HYPHEN, ""), word).strip()


def nickname(piece: Piece, game: Game, language: str) -> str:
    """The name that search finds: the field `name`, or the deck's title with what tells the card
    from others: its first choice or number."""
    named = piece.values.get(_NAME)
    if isinstance(named, Text):
        named = named[language]
    if named:
        return plain(str(named), game, language)
    deck = game.deck(piece.deck)
    title = plain(deck.title[language], game, language) if deck else piece.deck
    telling = (
        str(piece.values[name])
        for name, declared in (deck.fields if deck else {}).items()
        if TYPES[declared.kind].telling and piece.values.get(name) is not None
    )
    return f"{title} {next(telling, piece.id)}"


def description(piece: Piece, game: Game, language: str) -> str:
    """The rules text: every text of the card but its name, a line each."""
    name = nickname(piece, game, language)
    lines = [
        plain(value[language], game, language)
        for value in piece.values.values()
        if isinstance(value, Text)
    ]
    return "\n".join(line for line in lines if line and line != name)


def tags(deck: Deck, piece: Piece) -> list[str]:
    """The deck, the player, and what the card's choices and flags say."""
    found = [deck.id]
    if piece.player:
        found.append(f"player:{piece.player.id}")
    for name, declared in deck.fields.items():
        found.append(TYPES[declared.kind].tag(name, piece.values.get(name)))
    return [tag for tag in found if tag]


def maker_notes(piece: Piece, language: str) -> str:
    """Which card it is, and of which state of the data: `loot-city/school 3f2a en`."""
    return f"{piece.deck}/{piece.id} {stamp(piece, language)} {language}"

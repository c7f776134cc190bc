"""Texts of a card on a virtual table: name, rules text, tags, and notes for the maker."""

from __future__ import annotations

from cardgen.game.field_types import FIELD_TYPES
from cardgen.game.markup import strip_signs
from cardgen.game.model import Deck, Game, Piece, Text
from cardgen.templates.template_renderer import make_stamp

_SOFT_HYPHEN = "\u00ad"
_NAME_FIELD = "name"


def strip_markup(text: str, game: Game, language: str) -> str:
    """Return a text without markup. Icons become their word, or their name without one."""

    def format_icon(name: str) -> str:
        word = game.words.get(name.replace("-", "_")) or game.words.get(name)
        return f"[{word[language] if word else name}]" if name in game.icons else f"{{{name}}}"

    return strip_signs(text.replace(_SOFT_HYPHEN, ""), format_icon).strip()


def format_nickname(piece: Piece, game: Game, language: str) -> str:
    """Return the name of a card for searching: its field `name`, or the deck's title with the
    card's first choice or number."""
    named = piece.values.get(_NAME_FIELD)
    if isinstance(named, Text):
        named = named[language]
    if named:
        return strip_markup(str(named), game, language)
    deck = game.get_deck(piece.deck)
    title = strip_markup(deck.title[language], game, language) if deck else piece.deck
    telling = (
        str(piece.values[name])
        for name, declared in (deck.fields if deck else {}).items()
        if FIELD_TYPES[declared.kind].identifies_card and piece.values.get(name) is not None
    )
    return f"{title} {next(telling, piece.id)}"


def format_description(piece: Piece, game: Game, language: str) -> str:
    """Return all texts of a card but its name, a line each."""
    name = format_nickname(piece, game, language)
    lines = [
        strip_markup(value[language], game, language)
        for value in piece.values.values()
        if isinstance(value, Text)
    ]
    return "\n".join(line for line in lines if line and line != name)


def list_tags(deck: Deck, piece: Piece) -> list[str]:
    """Return tags for the deck, the player, and the card's choices and flags."""
    found = [deck.id]
    if piece.player:
        found.append(f"player:{piece.player.id}")
    for name, declared in deck.fields.items():
        found.append(FIELD_TYPES[declared.kind].format_tag(name, piece.values.get(name)))
    return [tag for tag in found if tag]


def format_maker_notes(piece: Piece, language: str) -> str:
    """Return deck, id, stamp of the data and language: `loot-city/school 3f2a en`."""
    return f"{piece.deck}/{piece.id} {make_stamp(piece, language)} {language}"

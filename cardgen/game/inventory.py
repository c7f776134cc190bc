"""What is in the box, for people and for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game.model import Deck, Game, Piece, Reference, Text, Value, mapped

_PLACES = 12


def as_text(game: Game) -> str:
    """Decks with sizes and copies, and every piece with its fields in the source language."""
    language = game.languages[0]
    edition = f" {game.edition}" if game.edition else ""
    total = sum(deck.count for deck in game.decks)
    lines = [
        f"{_shown(game.title, language)}{edition} · {', '.join(game.languages)} · "
        f"{counted(len(game.decks), 'deck')}, {counted(total, 'piece')}"
    ]
    if game.variants:
        listed = (
            f"{name} ({counted(len(each.decks), 'deck')}, {', '.join(each.languages)})"
            for name, each in game.variants.items()
        )
        lines.append(f"variants: {', '.join(listed)}")
    for deck in game.decks:
        lines += ["", *_deck_lines(deck, language)]
    return "\n".join(lines) + "\n"


def counted(number: int, noun: str) -> str:
    """`1 deck`, `7 decks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _deck_lines(deck: Deck, language: str) -> list[str]:
    sides = "two-sided" if deck.back else "one-sided"
    lines = [f"{deck.id} · {_shown(deck.title, language)} · {deck.count} × {deck.size}, {sides}"]
    for piece in deck.pieces:
        shown = ", ".join(
            f"{name}: {_shown(value, language)}"
            for name, value in piece.values.items()
            if value not in (None, (), False)
        )
        lines.append(f"  {piece.copies} × {piece.id}  {shown}")
    return lines


def _shown(value: Value, language: str) -> str:
    return shown(value, language).replace("\n", " ").replace("\u00ad", "")


def shown(value: Value, language: str) -> str:
    """A field's value in words, a text as it is written."""
    if isinstance(value, Text):
        return value[language]
    if isinstance(value, Mapping):
        inner = (
            f"{name} {shown(child, language)}"
            for name, child in value.items()
            if child not in (None, (), False)
        )
        return f"({', '.join(inner)})"
    if isinstance(value, tuple):
        return "[" + ", ".join(shown(child, language) for child in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def keywords(game: Game) -> str:
    """Every keyword, the icon in its place, and the texts of cards that it stands in."""
    lines = []
    for word, (icon, places) in game.keywords.items():
        rest = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        listed = f": {', '.join(places[:_PLACES])}{rest}" if places else ""
        lines.append(f"{word} → {{{icon}}}, in {counted(len(places), 'text')}{listed}")
    return "\n".join(lines or ["game.yaml has no keywords"]) + "\n"


def as_json(game: Game) -> dict[str, Any]:
    """The same for scripts, with texts in every language."""
    return {
        "game": game.id,
        "title": dict(game.title),
        "edition": game.edition,
        "languages": list(game.languages),
        "players": [player.id for player in game.players],
        "variants": {
            name: {"decks": list(each.decks), "languages": list(each.languages)}
            for name, each in game.variants.items()
        },
        "decks": [
            {
                "id": deck.id,
                "title": dict(deck.title),
                "width_mm": deck.size.width,
                "height_mm": deck.size.height,
                "count": deck.count,
                "pieces": [_piece(piece) for piece in deck.pieces],
            }
            for deck in game.decks
        ],
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {
        "id": piece.id,
        "copies": piece.copies,
        "player": piece.player.id if piece.player else None,
        "line": str(piece.source),
        "fields": mapped(piece.values, _plain),
    }


def _plain(value: Value) -> Any:
    if isinstance(value, Text):
        return dict(value)
    return value.piece if isinstance(value, Reference) else value

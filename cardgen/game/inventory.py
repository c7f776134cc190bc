"""The contents of the box, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.game import boxes
from cardgen.game.model import CardReference, Deck, Game, Piece, Text, Value, map_value

MAX_LISTED_TEXTS = 12


def format_inventory(game: Game) -> str:
    """Return decks with sizes and copies, and every piece with its fields in the source
    language."""
    language = game.languages[0]
    edition = f" {game.edition}" if game.edition else ""
    total = sum(deck.count for deck in game.decks)
    lines = [
        f"{_format_value_line(game.title, language)}{edition} · {', '.join(game.languages)} · "
        f"{format_count(len(game.decks), 'deck')}, {format_count(total, 'piece')}"
    ]
    if game.variants:
        listed = (
            f"{name} ({format_count(len(each.decks), 'deck')}, {', '.join(each.languages)})"
            for name, each in game.variants.items()
        )
        lines.append(f"variants: {', '.join(listed)}")
    for deck in game.decks:
        lines += ["", *_format_deck(deck, language)]
    for need in boxes.list_sleeve_needs(game):
        lines += ["", f"sleeves · {need.count} × {need.card}, one of these:"]
        lines += [
            f"  {need.count_packets(sleeve)} × {sleeve.name} ({sleeve.pack} a packet)"
            for sleeve in need.sleeves
        ]
    return "\n".join(lines) + "\n"


def format_count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 deck`, `7 decks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _format_deck(deck: Deck, language: str) -> list[str]:
    sides = "two-sided" if deck.back else "one-sided"
    lines = [
        f"{deck.id} · {_format_value_line(deck.title, language)} · {deck.count} × {deck.size}, "
        f"{sides}"
    ]
    for piece in {piece.base_id: piece for piece in deck.pieces}.values():
        fields = ", ".join(
            f"{name}: {_format_value_line(value, language)}"
            for name, value in piece.values.items()
            if value not in (None, ()) and (value is not False or name in piece.sources)
        )
        lines.append(f"  {piece.copies_in_all or piece.copies} × {piece.base_id}  {fields}")
    return lines


def _format_value_line(value: Value, language: str) -> str:
    return format_value(value, language).replace("\n", " ").replace("\u00ad", "")


def format_value(value: Value, language: str) -> str:
    """Return a field's value in words, and a text as it is written."""
    if isinstance(value, Text):
        return value[language]
    if isinstance(value, Mapping):
        inner = (
            f"{name} {format_value(child, language)}"
            for name, child in value.items()
            if child not in (None, (), False)
        )
        return f"({', '.join(inner)})"
    if isinstance(value, tuple):
        return "[" + ", ".join(format_value(child, language) for child in value) + "]"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def format_keywords(game: Game) -> str:
    """Return every keyword with its icon and the card texts in which it occurs."""
    lines = []
    for word, (icon, places) in game.keywords.items():
        rest = (
            f" and {len(places) - MAX_LISTED_TEXTS} more" if len(places) > MAX_LISTED_TEXTS else ""
        )
        listed = f": {', '.join(places[:MAX_LISTED_TEXTS])}{rest}" if places else ""
        lines.append(f"{word} → {{{icon}}}, in {format_count(len(places), 'text')}{listed}")
    return "\n".join(lines or ["game.yaml has no keywords"]) + "\n"


def inventory_to_json(game: Game) -> dict[str, Any]:
    """Return the contents of the box as a JSON value, with texts in every language."""
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
                "pieces": [_piece_to_json(piece) for piece in deck.pieces],
            }
            for deck in game.decks
        ],
        "sleeves": [
            {
                "width_mm": need.card.width,
                "height_mm": need.card.height,
                "count": need.count,
                "packets": {each.name: need.count_packets(each) for each in need.sleeves},
            }
            for need in boxes.list_sleeve_needs(game)
        ],
    }


def _piece_to_json(piece: Piece) -> dict[str, Any]:
    return {
        "id": piece.id,
        "copies": piece.copies,
        "player": piece.player.id if piece.player else None,
        "line": str(piece.source),
        "fields": map_value(piece.values, _value_to_json),
    }


def _value_to_json(value: Value) -> Any:
    if isinstance(value, Text):
        return dict(value)
    return value.piece if isinstance(value, CardReference) else value

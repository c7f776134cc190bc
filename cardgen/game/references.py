"""Fields that name cards: where they are, and what they name that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cardgen.base.problems import Problem, Subject, did_you_mean
from cardgen.game.model import Deck, Field, Reference, Value, walk


def dangling(decks: Sequence[Deck]) -> list[Problem]:
    """References to nothing. A card of every player may be named without its player."""
    by_deck = {
        deck.id: {piece.entry for piece in deck.pieces} | {piece.id for piece in deck.pieces}
        for deck in decks
    }
    problems: list[Problem] = []
    for deck in decks:
        for declared in _reference_fields(deck.fields):
            if declared.deck not in by_deck:
                hint = did_you_mean(declared.deck, by_deck)
                message = f"'{declared.name}' refers to the deck '{declared.deck}'"
                text = f"{message}, which does not exist{hint}"
                where = Subject(deck.id)
                problems.append(Problem(declared.source, text, "reference", subject=where))
        for piece in deck.pieces:
            for reference in references(piece.values):
                ids = by_deck.get(reference.deck)
                if ids is None or reference.piece in ids:
                    continue
                hint = did_you_mean(reference.piece, ids)
                message = f"it refers to '{reference.piece}' of {reference.deck}"
                text = f"{message}, which does not exist{hint}"
                card = Subject(deck.id, piece.id)
                problems.append(Problem(reference.source, text, "reference", subject=card))
    return problems


def _reference_fields(fields: Mapping[str, Field]) -> Iterator[Field]:
    for declared in fields.values():
        inner = {declared.name: declared.item} if declared.item else declared.fields
        yield from _reference_fields(inner)
        if declared.kind == "reference" and declared.deck:
            yield declared


def references(value: Value) -> Iterator[Reference]:
    """Every reference within a value."""
    return (part for part in walk(value) if isinstance(part, Reference))

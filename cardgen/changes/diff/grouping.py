"""Cards to which the same happened, told once: a back that a whole deck shares, fronts that look
alike, faces that are made otherwise and print the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cardgen.changes.diff.model import CardDiff, FaceDiff

_Look = tuple[object, ...]


def grouped(cards: Sequence[CardDiff]) -> tuple[CardDiff, ...]:
    """The cards, each a `CardDiff` of one, with what is the same for several told of them all."""
    shared = _shared_faces(cards)
    alone = [
        left
        for card in cards
        if (left := _without(card, shared)).faces or left.fields or left.unseen or _otherwise(left)
    ]
    return (*_of_shared(cards, shared), *_merged(alone))


def _otherwise(card: CardDiff) -> bool:
    """Whether more happened to a card than that it looks or reads differently."""
    return card.kind != "changed" or card.copies[0] != card.copies[1]


def _look(deck: str, face: FaceDiff) -> _Look:
    old, new = face.old, face.new
    pictures = (old.picture if old else None, new.picture if new else None)
    return deck, face.side, face.languages, face.why, pictures


def _shared_faces(cards: Iterable[CardDiff]) -> set[_Look]:
    """The faces that several changed cards show before and after."""
    seen: set[_Look] = set()
    shared: set[_Look] = set()
    for card in cards:
        for face in card.faces if card.kind == "changed" else ():
            look = _look(card.deck, face)
            if face.new and face.new.picture:
                (shared if look in seen else seen).add(look)
    return shared


def _without(card: CardDiff, shared: set[_Look]) -> CardDiff:
    if card.kind != "changed":
        return card
    kept = tuple(face for face in card.faces if _look(card.deck, face) not in shared)
    return replace(card, faces=kept)


def _of_shared(cards: Sequence[CardDiff], shared: set[_Look]) -> Iterator[CardDiff]:
    """Each shared face with all cards that show it."""
    found: dict[_Look, tuple[FaceDiff, list[str]]] = {}
    for card in cards:
        for face in card.faces if card.kind == "changed" else ():
            look = _look(card.deck, face)
            if look in shared:
                found.setdefault(look, (face, []))[1].extend(card.cards)
    together: dict[tuple[str, tuple[str, ...]], list[FaceDiff]] = {}
    for (deck, *_), (face, names) in found.items():
        together.setdefault((str(deck), tuple(names)), []).append(face)
    for (deck, named), faces in together.items():
        yield CardDiff("changed", deck, named, faces=tuple(faces))


def _merged(cards: Iterable[CardDiff]) -> Iterator[CardDiff]:
    """Cards of which nothing else is to be told than that they print the same, a deck at a time."""
    unseen: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for card in cards:
        if card.unseen and not (card.faces or card.fields or _otherwise(card)):
            unseen.setdefault((card.deck, card.unseen), []).extend(card.cards)
        else:
            yield card
    for (deck, why), names in unseen.items():
        yield CardDiff("changed", deck, tuple(names), unseen=why)

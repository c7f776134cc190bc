"""From the entries of two states to what is told of each card, once its pictures are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from cardgen.changes.compare import Change, Edit, Entry, Key, State
from cardgen.changes.diff.model import CardDiff, CardKind, FaceDiff, FieldDiff, Shown
from cardgen.changes.diff.reasons import CALLED, OTHERWISE
from cardgen.faces.produce import Face

Whose = tuple[str, str, str, str]
"""Deck, card, side and language of a face."""


@dataclass(frozen=True)
class Pair:
    """A side of a card before and after, None where it is not shown then; and why it differs."""

    key: Key
    side: str
    language: str
    old: Face | None
    new: Face | None
    why: tuple[str, ...] = ()


def changes(old: State, new: State, moves: Mapping[Key, Key]) -> dict[Key, Change]:
    """Every card that is new, gone or called otherwise, or that says, shows or counts something
    else. `old` has the cards that moved where they are now."""
    found: dict[Key, Change] = {}
    for deck, pieces in new.items():
        for piece, entry in pieces.items():
            before = old.get(deck, {}).get(piece)
            change = Change("changed" if before else "new", deck, piece, before, entry)
            counts = before is not None and before.copies != entry.copies
            if not before or change.edits or change.sides or counts or (deck, piece) in moves:
                found[deck, piece] = change
    for deck, pieces in old.items():
        for piece, entry in pieces.items():
            if piece not in new.get(deck, {}):
                found[deck, piece] = Change("gone", deck, piece, entry)
    return found


def pairs(
    found: Mapping[Key, Change],
    states: tuple[State, State],
    moves: Mapping[Key, Key],
    language: str,
    faces: tuple[Mapping[Whose, Face], Mapping[Whose, Face]],
) -> Iterator[Pair]:
    """The sides to show of each card in a language: those that look different, and of cards that
    came or went the front, and a back that no other card has."""
    then, now = faces
    known = [{e.back for pieces in state.values() for e in pieces.values()} for state in states]
    for key, change in found.items():
        before = moves.get(key, key)
        if change.kind == "changed":
            for side in change.sides:
                old = then.get((*before, side, language))
                yield Pair(key, side, language, old, now.get((*key, side, language)))
        for entry, of, others in ((change.old, then, known[1]), (change.new, now, known[0])):
            if change.kind == "changed" or entry is None:
                continue
            for side in ("front", *(["back"] if entry.back not in others else [])):
                face = of.get((*key, side, language))
                if face is not None:
                    old, new = (face, None) if of is then else (None, face)
                    yield Pair(key, side, language, old, new)


def told(
    key: Key,
    by_language: Mapping[str, Change],
    shown: Iterable[tuple[Pair, Shown | None, Shown | None]],
    moves: Mapping[Key, Key],
    languages: tuple[str, ...],
) -> CardDiff:
    """What is told of a card, in all languages together."""
    first = next(iter(by_language.values()))
    kind: CardKind = "new" if first.kind == "new" else "gone" if first.kind == "gone" else "changed"
    kind = "moved" if key in moves else kind
    fields = _fields(by_language, languages)
    reason = (CALLED if kind == "moved" else OTHERWISE,)
    faces: dict[FaceDiff, list[str]] = {}
    unseen: dict[str, None] = {}
    for pair, old, new in shown:
        why = pair.why or (reason if old and new and not fields else ())
        if old and new and old.picture and old == new:
            unseen |= dict.fromkeys(why)
        else:
            faces.setdefault(FaceDiff(pair.side, (), old, new, why), []).append(pair.language)
    listed = tuple(replace(face, languages=tuple(codes)) for face, codes in faces.items())
    copies = _copies(first.old), _copies(first.new)
    return CardDiff(kind, key[0], (key[1],), moves.get(key), copies, fields, listed, tuple(unseen))


def _copies(entry: Entry | None) -> int:
    return entry.copies if entry else 0


def _fields(by_language: Mapping[str, Change], languages: tuple[str, ...]) -> tuple[FieldDiff, ...]:
    """Each edit once, with the languages that have it."""
    found: dict[Edit, list[str]] = {}
    for language, change in by_language.items():
        for edit in change.edits or _whole(change):
            found.setdefault(edit, []).append(language)
    everywhere = [*languages]
    return tuple(
        FieldDiff(edit, () if in_these == everywhere else tuple(in_these))
        for edit, in_these in found.items()
    )


def _whole(change: Change) -> Iterable[Edit]:
    """All that a card says that is new or gone."""
    if change.new and not change.old:
        return [Edit(name, "", value) for name, value in change.new.fields.items()]
    if change.old and not change.new:
        return [Edit(name, value, "") for name, value in change.old.fields.items()]
    return ()

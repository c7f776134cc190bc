"""What differs between two states of a game, as data. Nothing is read, typeset or printed.

A state tells what lies on the table in one language: every piece with its copies, its stamp (what
it says), its looks (how it shows) and its fields in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

ChangeKind = Literal["new", "changed", "more", "fewer", "gone"]


@dataclass(frozen=True)
class CardSnapshot:
    """A piece as it was at a time. `front` and `back` are short hashes of looks, "" for none."""

    copies: int
    stamp: str
    front: str
    back: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


GameState = Mapping[str, Mapping[str, CardSnapshot]]
"""Deck → piece → entry, in one language."""
CardKey = tuple[str, str]
"""Deck and piece."""


@dataclass(frozen=True)
class Baseline:
    """What is compared with: its name for people, and its states by language."""

    name: str
    states: Mapping[str, GameState]


@dataclass(frozen=True)
class FieldEdit:
    """A field whose value is another one: "" is none."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class CardChange:
    """What happened to a piece. Without `old` it is new, without `new` it is gone."""

    kind: ChangeKind
    deck: str
    piece: str
    old: CardSnapshot | None = None
    new: CardSnapshot | None = None

    @property
    def copies_to_print(self) -> int:
        """How many copies are to be printed."""
        before = self.old.copies if self.old and self.kind in {"more", "fewer"} else 0
        return max(0, self.new.copies - before) if self.new else 0

    @property
    def copies_to_remove(self) -> int:
        """How many copies are to be taken out of the box."""
        after = self.new.copies if self.new and self.kind in {"more", "fewer"} else 0
        return max(0, self.old.copies - after) if self.old else 0

    @property
    def edits(self) -> tuple[FieldEdit, ...]:
        """The fields that hold something else now, in the order of the deck."""
        if not self.old or not self.new:
            return ()
        old, new = self.old.fields, self.new.fields
        names = dict.fromkeys([*new, *old])
        return tuple(
            FieldEdit(name, old.get(name, ""), new.get(name, ""))
            for name in names
            if old.get(name, "") != new.get(name, "")
        )

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that show something else now."""
        if not self.old or not self.new:
            return ()
        pairs = (("front", self.old.front, self.new.front), ("back", self.old.back, self.new.back))
        return tuple(side for side, before, after in pairs if before != after)


def compare_states(old: GameState, new: GameState) -> tuple[CardChange, ...]:
    """Everything to be printed or taken out, deck by deck as the new state has them.

    A piece that only got another id, or came to another deck, and looks as before needs nothing.
    """
    gone = {(d, p): e for d, pieces in old.items() for p, e in pieces.items() if e.copies}
    come = {(d, p): e for d, pieces in new.items() for p, e in pieces.items() if e.copies}
    lost, fresh = [k for k in gone if k not in come], [k for k in come if k not in gone]
    known = {key: key for key in come if key in gone} | _find_renamed(lost, fresh, gone, come)
    found = []
    for key, entry in come.items():
        before = gone[known[key]] if key in known else None
        kind = _classify_change(before, entry)
        if kind:
            found.append(CardChange(kind, *key, before, entry))
    used = set(known.values())
    found += [CardChange("gone", *key, gone[key]) for key in lost if key not in used]
    order = list(dict.fromkeys([*new, *old]))
    return tuple(sorted(found, key=lambda change: order.index(change.deck)))


def find_moves(old: GameState, new: GameState) -> dict[CardKey, CardKey]:
    """New key → old key of pieces that are called otherwise now, or lie in another deck: those that
    look alike, and of the others those that say the same, or are of one id."""
    gone = {(d, p): e for d, pieces in old.items() for p, e in pieces.items() if e.copies}
    come = {(d, p): e for d, pieces in new.items() for p, e in pieces.items() if e.copies}
    lost, fresh = [k for k in gone if k not in come], [k for k in come if k not in gone]
    found = _find_renamed(lost, fresh, gone, come)
    for alike in (_get_fields_identity, _get_name_identity):
        _match_unique(
            found, {k: alike(k, gone[k]) for k in lost}, {k: alike(k, come[k]) for k in fresh}
        )
    return found


def _get_fields_identity(_key: CardKey, entry: CardSnapshot) -> object:
    return tuple(sorted(entry.fields.items())) or None


def _get_name_identity(key: CardKey, _entry: CardSnapshot) -> object:
    return key[1]


def _match_unique(
    found: dict[CardKey, CardKey], lost: Mapping[CardKey, object], fresh: Mapping[CardKey, object]
) -> None:
    """Add the pairs of which each side is the only one of its kind that is not matched yet."""
    used = set(found.values())
    then = [kind for key, kind in lost.items() if key not in used]
    now = [kind for key, kind in fresh.items() if key not in found]
    only = {kind for kind in now if kind is not None and now.count(kind) == then.count(kind) == 1}
    by_kind = {kind: key for key, kind in lost.items() if key not in used and kind in only}
    found |= {
        key: by_kind[kind] for key, kind in fresh.items() if key not in found and kind in only
    }


def apply_moves(old: GameState, moves: Mapping[CardKey, CardKey]) -> GameState:
    """The old state with the pieces that moved where they are now."""
    gone = set(moves.values())
    found = {
        deck: {piece: entry for piece, entry in pieces.items() if (deck, piece) not in gone}
        for deck, pieces in old.items()
    }
    for (deck, piece), (deck_then, piece_then) in moves.items():
        entry = old.get(deck_then, {}).get(piece_then)
        if entry:
            found.setdefault(deck, {})[piece] = entry
    return found


def _find_renamed(
    lost: list[CardKey],
    fresh: list[CardKey],
    gone: Mapping[CardKey, CardSnapshot],
    come: Mapping[CardKey, CardSnapshot],
) -> dict[CardKey, CardKey]:
    """New key → old key of pieces that look alike, each old one once."""
    by_looks: dict[tuple[str, str], list[CardKey]] = {}
    for key in lost:
        by_looks.setdefault((gone[key].front, gone[key].back), []).append(key)
    found = {}
    for key in fresh:
        alike = by_looks.get((come[key].front, come[key].back))
        if alike:
            found[key] = alike.pop(0)
    return found


def _classify_change(old: CardSnapshot | None, new: CardSnapshot) -> ChangeKind | None:
    if old is None:
        return "new"
    if (old.front, old.back) != (new.front, new.back):
        return "changed"
    if new.copies == old.copies:
        return None
    return "more" if new.copies > old.copies else "fewer"


def find_changed_backs(changes: tuple[CardChange, ...], new: GameState) -> Iterator[str]:
    """The decks of which every piece that was there before has another back now."""
    for deck in new:
        turned = [c for c in changes if c.deck == deck and "back" in c.sides]
        fresh = [c for c in changes if c.deck == deck and c.kind == "new"]
        there = sum(1 for entry in new[deck].values() if entry.copies) - len(fresh)
        if turned and len(turned) == there and there > 1:
            yield deck

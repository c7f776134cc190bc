"""Comparison of two states of a game's cards, as plain data.

A state describes all pieces in one language: their copies, their stamp (a digest of the fields),
their looks (digests of the faces) and their fields as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

ChangeKind = Literal["new", "changed", "more", "fewer", "gone"]


@dataclass(frozen=True)
class CardSnapshot:
    """A piece at one time. `front` and `back` are short digests of its faces, "" for none."""

    copies: int
    stamp: str
    front: str
    back: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


GameState = Mapping[str, Mapping[str, CardSnapshot]]
"""Snapshots by deck and piece, in one language."""
CardKey = tuple[str, str]
"""Deck and piece."""


@dataclass(frozen=True)
class Baseline:
    """The older side of a comparison: its name for people, and its states by language."""

    name: str
    states: Mapping[str, GameState]


@dataclass(frozen=True)
class FieldEdit:
    """A field and its values before and after, "" for none."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class CardChange:
    """A change of a piece. Without `old` it is new, without `new` it is gone."""

    kind: ChangeKind
    deck: str
    piece: str
    old: CardSnapshot | None = None
    new: CardSnapshot | None = None

    @property
    def copies_to_print(self) -> int:
        """The number of copies to print."""
        before = self.old.copies if self.old and self.kind in {"more", "fewer"} else 0
        return max(0, self.new.copies - before) if self.new else 0

    @property
    def copies_to_remove(self) -> int:
        """The number of copies to take out of the box."""
        after = self.new.copies if self.new and self.kind in {"more", "fewer"} else 0
        return max(0, self.old.copies - after) if self.old else 0

    @property
    def edits(self) -> tuple[FieldEdit, ...]:
        """The fields that changed, in the order of the deck."""
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
        """The sides that look different."""
        if not self.old or not self.new:
            return ()
        pairs = (("front", self.old.front, self.new.front), ("back", self.old.back, self.new.back))
        return tuple(side for side, before, after in pairs if before != after)


def compare_states(old: GameState, new: GameState) -> tuple[CardChange, ...]:
    """Return what has to be printed or taken out, in the order of the decks.

    A piece that only has a new id or deck, and looks as before, is no change.
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
    """Return the old key of each piece that was renamed or moved to another deck.

    Pieces are matched by their looks, the rest by their fields, the rest by their ids.
    """
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
    """Add the pairs of keys whose identity is unique among the unmatched keys of both sides."""
    used = set(found.values())
    then = [kind for key, kind in lost.items() if key not in used]
    now = [kind for key, kind in fresh.items() if key not in found]
    only = {kind for kind in now if kind is not None and now.count(kind) == then.count(kind) == 1}
    by_kind = {kind: key for key, kind in lost.items() if key not in used and kind in only}
    found |= {
        key: by_kind[kind] for key, kind in fresh.items() if key not in found and kind in only
    }


def apply_moves(old: GameState, moves: Mapping[CardKey, CardKey]) -> GameState:
    """Return the old state with moved pieces under their new keys."""
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
    """Return the old key of each new piece with the same looks, each old key once."""
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
    """Yield the decks in which the back of every older piece changed."""
    for deck in new:
        turned = [c for c in changes if c.deck == deck and "back" in c.sides]
        fresh = [c for c in changes if c.deck == deck and c.kind == "new"]
        there = sum(1 for entry in new[deck].values() if entry.copies) - len(fresh)
        if turned and len(turned) == there and there > 1:
            yield deck

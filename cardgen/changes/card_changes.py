"""Comparison of two states of a game's cards, as plain data.

A state describes all pieces in one language: their copies, their stamp (a digest of the fields),
their looks (digests of the faces) and their fields as text.
"""

from __future__ import annotations

from collections import Counter
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
    before, after = _list_pieces(old), _list_pieces(new)
    old_keys = {key: key for key in after if key in before}
    old_keys |= _match_looks(*_drop_common(before, after))
    changes = []
    for key, entry in after.items():
        previous = before[old_keys[key]] if key in old_keys else None
        if kind := _classify_change(previous, entry):
            changes.append(CardChange(kind, *key, previous, entry))
    gone = before.keys() - set(old_keys.values())
    changes += [CardChange("gone", *key, entry) for key, entry in before.items() if key in gone]
    order = list(dict.fromkeys([*new, *old]))
    return tuple(sorted(changes, key=lambda change: order.index(change.deck)))


def find_moves(old: GameState, new: GameState) -> dict[CardKey, CardKey]:
    """Return the old key of each piece that was renamed or moved to another deck.

    Pieces are matched by their looks, the rest by their fields, the rest by their ids.
    """
    removed, added = _drop_common(_list_pieces(old), _list_pieces(new))
    moves = _match_looks(removed, added)
    for identify in (_get_fields_identity, _get_name_identity):
        used = set(moves.values())
        moves |= _match_unique(
            {key: identify(key, entry) for key, entry in removed.items() if key not in used},
            {key: identify(key, entry) for key, entry in added.items() if key not in moves},
        )
    return moves


def _list_pieces(state: GameState) -> dict[CardKey, CardSnapshot]:
    return {
        (deck, piece): entry
        for deck, pieces in state.items()
        for piece, entry in pieces.items()
        if entry.copies
    }


def _drop_common(
    old: dict[CardKey, CardSnapshot], new: dict[CardKey, CardSnapshot]
) -> tuple[dict[CardKey, CardSnapshot], dict[CardKey, CardSnapshot]]:
    """Return the pieces whose keys are only in the old state, and those only in the new one."""
    return (
        {key: entry for key, entry in old.items() if key not in new},
        {key: entry for key, entry in new.items() if key not in old},
    )


def _get_fields_identity(_key: CardKey, entry: CardSnapshot) -> object:
    return tuple(sorted(entry.fields.items())) or None


def _get_name_identity(key: CardKey, _entry: CardSnapshot) -> object:
    return key[1]


def _match_unique(
    removed: Mapping[CardKey, object], added: Mapping[CardKey, object]
) -> dict[CardKey, CardKey]:
    """Return the old key of each added piece whose identity is unique on both sides."""
    old_counts, new_counts = Counter(removed.values()), Counter(added.values())
    by_identity = {identity: key for key, identity in removed.items()}
    return {
        key: by_identity[identity]
        for key, identity in added.items()
        if identity is not None and old_counts[identity] == new_counts[identity] == 1
    }


def _match_looks(
    removed: Mapping[CardKey, CardSnapshot], added: Mapping[CardKey, CardSnapshot]
) -> dict[CardKey, CardKey]:
    """Return the old key of each added piece with the same looks, each old key once."""
    by_looks: dict[tuple[str, str], list[CardKey]] = {}
    for key, entry in removed.items():
        by_looks.setdefault((entry.front, entry.back), []).append(key)
    return {
        key: keys.pop(0)
        for key, entry in added.items()
        if (keys := by_looks.get((entry.front, entry.back)))
    }


def apply_moves(old: GameState, moves: Mapping[CardKey, CardKey]) -> GameState:
    """Return the old state with moved pieces under their new keys."""
    moved = set(moves.values())
    state = {
        deck: {piece: entry for piece, entry in pieces.items() if (deck, piece) not in moved}
        for deck, pieces in old.items()
    }
    for (deck, piece), (old_deck, old_piece) in moves.items():
        if entry := old.get(old_deck, {}).get(old_piece):
            state.setdefault(deck, {})[piece] = entry
    return state


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
        of_deck = [change for change in changes if change.deck == deck]
        changed = sum("back" in change.sides for change in of_deck)
        added = sum(change.kind == "new" for change in of_deck)
        older = sum(entry.copies > 0 for entry in new[deck].values()) - added
        if changed == older > 1:
            yield deck

"""States of a game's cards, as plain data, and their comparison. Nothing is typeset.

A state describes all pieces in one language: their copies, their stamp (a digest of the fields),
their looks (digests of the faces) and their fields as text. The digest of a face covers only what
it is made from. It does not change with the version of cardgen, with line numbers in a template, or
with CSS rules for other cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Literal

from cardgen.faces.model import Face, FaceSet
from cardgen.game.inventory import format_value
from cardgen.game.model import Deck, Game, Piece
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.template_renderer import make_stamp

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
        edits = (FieldEdit(n, old.get(n, ""), new.get(n, "")) for n in dict.fromkeys([*new, *old]))
        return tuple(edit for edit in edits if edit.old != edit.new)

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
    old_keys = {key: key for key in after if key in before} | _match_looks(before, after)
    changes = []
    for key, entry in after.items():
        previous = before[old_keys[key]] if key in old_keys else None
        if kind := _classify_change(previous, entry):
            changes.append(CardChange(kind, *key, previous, entry))
    gone = before.keys() - set(old_keys.values())
    changes += [CardChange("gone", *key, entry) for key, entry in before.items() if key in gone]
    order = list(dict.fromkeys([*new, *old]))
    return tuple(sorted(changes, key=lambda change: order.index(change.deck)))


def _classify_change(old: CardSnapshot | None, new: CardSnapshot) -> ChangeKind | None:
    if old is None:
        return "new"
    if (old.front, old.back) != (new.front, new.back):
        return "changed"
    if new.copies == old.copies:
        return None
    return "more" if new.copies > old.copies else "fewer"


def find_moves(old: GameState, new: GameState) -> dict[CardKey, CardKey]:
    """Return the old key of each piece that was renamed or moved to another deck.

    Pieces are matched by their looks, the rest by their fields, the rest by their ids.
    """
    before, after = _list_pieces(old), _list_pieces(new)
    moves = _match_looks(before, after)
    identities: tuple[Callable[[CardKey, CardSnapshot], object], ...] = (
        lambda _, entry: tuple(sorted(entry.fields.items())) or None,
        lambda key, _: key[1],
    )
    for identify in identities:
        used = {*after, *moves.values()}
        removed = {key: identify(key, e) for key, e in before.items() if key not in used}
        used = {*before, *moves}
        added = {key: identify(key, e) for key, e in after.items() if key not in used}
        old_counts, new_counts = Counter(removed.values()), Counter(added.values())
        by_identity = {identity: key for key, identity in removed.items()}
        for key, identity in added.items():
            if identity is not None and old_counts[identity] == new_counts[identity] == 1:
                moves[key] = by_identity[identity]
    return moves


def _list_pieces(state: GameState) -> dict[CardKey, CardSnapshot]:
    return {
        (deck, piece): entry
        for deck, pieces in state.items()
        for piece, entry in pieces.items()
        if entry.copies
    }


def _match_looks(
    old: Mapping[CardKey, CardSnapshot], new: Mapping[CardKey, CardSnapshot]
) -> dict[CardKey, CardKey]:
    """Return the old key of each added piece with the looks of a removed one, each old key once."""
    by_looks: dict[tuple[str, str], list[CardKey]] = {}
    for key, entry in old.items():
        if key not in new:
            by_looks.setdefault((entry.front, entry.back), []).append(key)
    return {
        key: keys.pop(0)
        for key, entry in new.items()
        if key not in old and (keys := by_looks.get((entry.front, entry.back)))
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


def find_changed_backs(changes: tuple[CardChange, ...], new: GameState) -> Iterator[str]:
    """Yield the decks in which the back of every older piece changed."""
    for deck in new:
        of_deck = [change for change in changes if change.deck == deck]
        changed = sum("back" in change.sides for change in of_deck)
        added = sum(change.kind == "new" for change in of_deck)
        older = sum(entry.copies > 0 for entry in new[deck].values()) - added
        if changed == older > 1:
            yield deck


SOURCE_MARK_PATTERN = re.compile(r" data-at=[^\s>]+")
# Line breaks and indentation between tags are not text.
INDENT_PATTERN = re.compile(r">\s*\n\s*<")
# An icon's code point depends on the other icons of the game.
ICON_PATTERN = re.compile(r'(class="icon icon-([a-z0-9-]+)">)&#x[0-9a-f]+;')
LOOK_DIGITS = 8
FONT_SUFFIXES = (".woff2", ".woff", ".ttf", ".otf", ".dic", ".json", ".yaml")


def describe_state(
    game: Game,
    faces: FaceSet,
    decks: Iterable[Deck],
    language: str,
    look_of: Callable[[Face], str] | None = None,
) -> GameState:
    """Return the state of decks in one language, without pieces that have no copies.

    `look_of` computes the digest of a face; by default it is the one that `printed.yaml` records.
    """
    look_of = look_of or LookHasher(game).hash_face
    by_side = {
        (face.deck.id, face.piece.id, face.side): face
        for face in faces.faces
        if face.language == language
    }

    def find_look(deck: Deck, piece: Piece, side: str) -> str:
        face = by_side.get((deck.id, piece.id, side))
        return look_of(face) if face else ""

    return {
        deck.id: {
            piece.id: CardSnapshot(
                piece.copies,
                make_stamp(piece, language),
                find_look(deck, piece, "front"),
                find_look(deck, piece, "back"),
                describe_fields(piece, language),
            )
            for piece in deck.pieces
            if piece.copies
        }
        for deck in decks
    }


def describe_fields(piece: Piece, language: str) -> dict[str, str]:
    """Return a piece's fields as text, without empty ones."""
    return {
        name: format_value(value, language)
        for name, value in piece.values.items()
        if value not in (None, (), False, "")
    }


class LookHasher:
    """Computes digests of faces; without `fonts`, regardless of the fonts in use."""

    def __init__(self, game: Game, *, fonts: bool = True) -> None:
        self._game = game
        self._fonts = digest_fonts(game.root) if fonts else ""
        self._icon = lru_cache(maxsize=None)(self._hash_icon)
        self._css = lru_cache(maxsize=None)(stylesheet_rules.select_styles)
        self._named = lru_cache(maxsize=None)(_list_selector_names)

    def hash_face(self, face: Face) -> str:
        """Return the short digest of how a face looks."""
        deck = face.deck
        html = INDENT_PATTERN.sub(">\n<", SOURCE_MARK_PATTERN.sub("", face.make_html()))
        icons = sorted({name for _, name in ICON_PATTERN.findall(html)})
        html = ICON_PATTERN.sub(r"\1", html)
        styles = tuple(text for _, text in face.styles)
        css = self._css(styles, stylesheet_rules.collect_words(html) & self._named(styles))
        used = [
            f"{name}={value}"
            for name, value in sorted(self._game.colours.items())
            if f"--{name}" in css or f"--{name}" in html
        ]
        art = sorted(f"{art.name} {art.digest}" for art in face.pictures)
        drawn = [self._icon(name) for name in icons]
        known = [face.language, str(deck.size), deck.shape, self._fonts, html, css]
        return digest_parts([*known, *used, "", *art, "", *drawn])[:LOOK_DIGITS]

    def _hash_icon(self, name: str) -> str:
        path = self._game.icons.get(name)
        return digest_parts([game_files.read_file(path)]) if path else ""


def _list_selector_names(styles: tuple[str, ...]) -> frozenset[str]:
    """Return every class and id in the selectors of stylesheets."""
    rules = chain.from_iterable(map(stylesheet_rules.parse_stylesheet, styles))
    return frozenset(name for rule in rules for need in rule.needs for name in need)


def digest_fonts(root: Path) -> str:
    """Return the digest of a game's fonts.yaml, lock file and own font files.

    Font packages are left out: a commit has none, and the lock file stands for them.
    """
    parts: list[str | bytes] = []
    for name in game_files.list_files(root, "fonts", *FONT_SUFFIXES):
        with suppress(game_files.UnreadableError):
            parts += [name.removeprefix("fonts/"), game_files.read_bytes(root, name)]
    return digest_parts(parts)

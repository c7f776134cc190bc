"""Differences of cards: changed cards and faces, the reasons, and groups of equal changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

from cardgen.changes.card_changes import CardChange, CardKey, FieldEdit, GameState
from cardgen.changes.diff_model import CardDiff, CardDiffKind, FaceDiff, FieldDiff
from cardgen.faces.model import Face
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.inventory import format_value
from cardgen.game.model import Game
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.templates import stylesheet_rules

SOURCE_FILE_PATTERN = re.compile(r" data-at=[\"']?([^\s>:\"']+)")
ICON_CLASS_PATTERN = re.compile(r'class="icon icon-([a-z0-9-]+)"')
REASON_MOVED = "its id or deck, which its design uses"
"""For a card that moved."""
REASON_DRAWN = "the picture that is drawn for it"
REASON_UNKNOWN = "what its template asks of other cards or copies, of game.yaml or of a table"
"""When nothing that the face itself is made from changed."""


class ReasonFinder:
    """Finds the reasons why faces of two states look different, besides their fields.

    Files are read once, so that all faces are compared with the same content.
    """

    def __init__(self, old: Game, new: Game) -> None:
        self.old, self.new = old, new
        self._read = cache(lambda root, name: game_files.read_text(root, name)[0])
        self._drawing = cache(_hash_icon_file)

    def find_reasons(self, old: Face, new: Face) -> list[str]:
        """Return the reasons in a few words each."""
        before, after = old.make_html(), new.make_html()
        reasons = chain(
            _compare_decks(old, new),
            self._compare_templates(old, new, before + after),
            _compare_styles(old, new, after),
            _compare_art(old, new),
            self._compare_icons(before + after),
            self._compare_colours(old, new, after),
        )
        return list(dict.fromkeys(reasons))

    def _compare_templates(self, old: Face, new: Face, html: str) -> Iterator[str]:
        then, now = (face.deck.get_template(face.piece, face.side) for face in (old, new))
        if then != now:
            yield f"{TEMPLATES_FOLDER}/{now} in place of {TEMPLATES_FOLDER}/{then}"
        for name in dict.fromkeys(SOURCE_FILE_PATTERN.findall(html)):
            if self._read_template(self.old, old, name) != self._read_template(self.new, new, name):
                yield f"{TEMPLATES_FOLDER}/{name}"

    def _read_template(self, game: Game, face: Face, name: str) -> str:
        """Return the source of a template in a state of the game, "" for none."""
        written = face.deck.look_templates.get(name)
        return self._read(game.root, f"{TEMPLATES_FOLDER}/{name}") if written is None else written

    def _compare_icons(self, html: str) -> Iterator[str]:
        for name in dict.fromkeys(ICON_CLASS_PATTERN.findall(html)):
            if self._drawing(self.old.icons.get(name)) != self._drawing(self.new.icons.get(name)):
                yield f"the icon {name}"

    def _compare_colours(self, old: Face, new: Face, html: str) -> Iterator[str]:
        source = html + "".join(text for _, text in (*old.styles, *new.styles))
        for name in dict.fromkeys([*self.new.colours, *self.old.colours]):
            then, now = self.old.colours.get(name, "none"), self.new.colours.get(name, "none")
            if then != now and f"--{name}" in source:
                yield f"the colour {name}: {then} → {now}"


def _compare_decks(old: Face, new: Face) -> Iterator[str]:
    then, now = old.deck, new.deck
    if then.size != now.size:
        yield f"the size: {then.size} → {now.size}"
    if then.form != now.form:
        yield "the shape that it is cut to"
    if (then.bleed, then.safe) != (now.bleed, now.safe):
        yield "the bleed or the safe margin"
    for name in dict.fromkeys([*now.constants, *then.constants]):
        before, after = then.constants.get(name), now.constants.get(name)
        if before is not None and after is not None:
            before, after = format_value(before, old.language), format_value(after, new.language)
        if before != after:
            yield f"the constant {name} of {now.source.path}"


def _compare_styles(old: Face, new: Face, html: str) -> Iterator[str]:
    """Yield the stylesheets in which a rule for the face changed."""
    words = stylesheet_rules.collect_words(html)
    then, now = dict(old.styles), dict(new.styles)
    for name in dict.fromkeys([*now, *then]):
        before, after = then.get(name, ""), now.get(name, "")
        if before != after:
            selected = [stylesheet_rules.select_styles((css,), words) for css in (before, after)]
            if selected[0] != selected[1]:
                yield name


def _compare_art(old: Face, new: Face) -> Iterator[str]:
    """Yield the pictures that changed, were added or were removed."""
    then, now = ({art.name: art for art in face.pictures} for face in (old, new))
    for name in now:
        before, after = then.get(name), now[name]
        if before and before.digest != after.digest and not (before.in_store and after.in_store):
            yield name
    added = [name for name in now if name not in then and not now[name].in_store]
    removed = [name for name in then if name not in now and not then[name].in_store]
    yield from (
        [f"{added[0]} in place of {removed[0]}"] if len(added) == len(removed) == 1
        else [*added, *(f"{name}, which is gone" for name in removed)]
    )  # fmt: skip
    drawn = [{art.digest for art in face.pictures if art.in_store} for face in (old, new)]
    if drawn[0] != drawn[1] and not added and not removed:
        yield REASON_DRAWN


def _hash_icon_file(path: Path | None) -> str:
    """Return the digest of an icon's file, "" for none."""
    return digest_parts([game_files.read_file(path)]) if path else ""


FaceKey = tuple[str, str, str, str]
"""Deck, card, side and language."""


def get_face_key(face: Face) -> FaceKey:
    return face.deck.id, face.piece.id, face.side, face.language


@dataclass(frozen=True)
class FacePair:
    """A side of a card before and after, None where it is not shown."""

    key: CardKey
    side: str
    language: str
    old: Face | None
    new: Face | None


def find_card_changes(
    old: GameState, new: GameState, moves: Mapping[CardKey, CardKey]
) -> dict[CardKey, CardChange]:
    """Return every card that is new, gone, moved or changed.

    In `old`, cards that moved are where they are now.
    """
    found: dict[CardKey, CardChange] = {}
    for deck, pieces in new.items():
        for piece, entry in pieces.items():
            before = old.get(deck, {}).get(piece)
            change = CardChange("changed" if before else "new", deck, piece, before, entry)
            counts = before is not None and before.copies != entry.copies
            if not before or change.edits or change.sides or counts or (deck, piece) in moves:
                found[deck, piece] = change
    for deck, pieces in old.items():
        for piece, entry in pieces.items():
            if piece not in new.get(deck, {}):
                found[deck, piece] = CardChange("gone", deck, piece, entry)
    return found


def pair_faces(
    found: Mapping[CardKey, CardChange],
    states: tuple[GameState, GameState],
    moves: Mapping[CardKey, CardKey],
    language: str,
    faces: tuple[Mapping[FaceKey, Face], Mapping[FaceKey, Face]],
) -> Iterator[FacePair]:
    """Yield the sides of each changed card to show in one language.

    Of changed cards these are the sides that look different. Of new and gone cards it is the front,
    and the back when no other card has it.
    """
    then, now = faces
    old_backs, new_backs = (
        {e.back for pieces in state.values() for e in pieces.values()} for state in states
    )
    for key, change in found.items():
        before = moves.get(key, key)
        if change.kind == "changed":
            sides = change.sides
        else:
            entry = change.new or change.old
            backs = old_backs if change.new else new_backs
            sides = ("front", "back") if entry and entry.back not in backs else ("front",)
        for side in sides:
            old = then.get((*before, side, language)) if change.old else None
            new = now.get((*key, side, language)) if change.new else None
            if old or new or change.kind == "changed":
                yield FacePair(key, side, language, old, new)


def describe_card(
    key: CardKey,
    by_language: Mapping[str, CardChange],
    shown: Iterable[FaceDiff],
    moves: Mapping[CardKey, CardKey],
    languages: tuple[str, ...],
) -> CardDiff:
    """Describe the changes of a card in all languages together, given its faces in each."""
    first = next(iter(by_language.values()))
    kind: CardDiffKind = "moved" if key in moves else "changed"
    if kind == "changed" and first.kind in {"new", "gone"}:
        kind = "new" if first.kind == "new" else "gone"
    edits: dict[FieldEdit, list[str]] = {}
    for language, change in by_language.items():
        for edit in change.edits or _list_all_fields(change):
            edits.setdefault(edit, []).append(language)
    reason = (REASON_MOVED if kind == "moved" else REASON_UNKNOWN,)
    faces: dict[FaceDiff, list[str]] = {}
    unseen: dict[str, None] = {}
    for face in shown:
        why = face.why or (reason if face.old and face.new and not edits else ())
        if face.old and face.old.picture and face.old == face.new:
            unseen |= dict.fromkeys(why)
        else:
            faces.setdefault(replace(face, languages=(), why=why), []).extend(face.languages)
    return CardDiff(
        kind,
        key[0],
        (key[1],),
        moves.get(key),
        (first.old.copies if first.old else 0, first.new.copies if first.new else 0),
        # An edit in all languages names none.
        tuple(
            FieldDiff(edit, () if tuple(codes) == languages else tuple(codes))
            for edit, codes in edits.items()
        ),
        tuple(replace(face, languages=tuple(codes)) for face, codes in faces.items()),
        tuple(unseen),
    )


def _list_all_fields(change: CardChange) -> Iterable[FieldEdit]:
    """Return all fields of a new or gone card as edits."""
    if change.new and not change.old:
        return [FieldEdit(name, "", value) for name, value in change.new.fields.items()]
    if change.old and not change.new:
        return [FieldEdit(name, value, "") for name, value in change.old.fields.items()]
    return ()


FaceLook = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str | None, ...]]


def group_cards(cards: Sequence[CardDiff]) -> Iterator[CardDiff]:
    """Yield cards with the same changes together, given one `CardDiff` for each card.

    A face that several cards share, such as the back of a deck, becomes an entry of its own. Hidden
    cards of a deck that have the same reasons are merged.
    """
    by_look: dict[FaceLook, tuple[FaceDiff, list[str]]] = {}
    for card in cards:
        for face in card.faces if card.kind == "changed" else ():
            if face.new and face.new.picture:
                look = _describe_look(card.deck, face)
                by_look.setdefault(look, (face, []))[1].extend(card.cards)
    shared = {look: entry for look, entry in by_look.items() if len(entry[1]) > 1}
    together: dict[tuple[str, tuple[str, ...]], list[FaceDiff]] = {}
    for (deck, *_), (face, names) in shared.items():
        together.setdefault((deck, tuple(names)), []).append(face)
    for (deck, named), faces in together.items():
        yield CardDiff("changed", deck, named, faces=tuple(faces))
    unseen: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for card in cards:
        own = [face for face in card.faces if _describe_look(card.deck, face) not in shared]
        alone = replace(card, faces=tuple(own)) if card.kind == "changed" else card
        if not alone.is_hidden:
            yield alone
        elif alone.unseen:
            unseen.setdefault((card.deck, card.unseen), []).extend(card.cards)
    for (deck, why), names in unseen.items():
        yield CardDiff("changed", deck, tuple(names), unseen=why)


def _describe_look(deck: str, face: FaceDiff) -> FaceLook:
    pictures = tuple(image.picture if image else None for image in (face.old, face.new))
    return deck, face.side, face.languages, face.why, pictures

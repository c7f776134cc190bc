"""Differences of cards: changed cards and faces, the reasons, and groups of equal changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cardgen.assets.artwork import Art
from cardgen.changes.card_changes import CardChange, CardKey, CardSnapshot, FieldEdit, GameState
from cardgen.changes.diff_model import CardDiff, CardDiffKind, FaceDiff, FaceImage, FieldDiff
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
REASON_UNKNOWN = "what its template asks of other cards, of game.yaml or of a table"
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
        return list(
            dict.fromkeys(
                [
                    *_compare_decks(old, new),
                    *self._compare_templates(old, new, before + after),
                    *_compare_styles(old, new, after),
                    *_compare_art(old, new),
                    *self._compare_icons(before + after),
                    *self._compare_colours(old, new, after),
                ]
            )
        )

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
        if before is None or after is None:
            differs = before != after
        else:
            differs = format_value(before, old.language) != format_value(after, new.language)
        if differs:
            yield f"the constant {name} of {now.source.path}"


def _compare_styles(old: Face, new: Face, html: str) -> Iterator[str]:
    """Yield the stylesheets in which a rule for the face changed."""
    words = stylesheet_rules.collect_words(html)
    then, now = dict(old.styles), dict(new.styles)
    for name in dict.fromkeys([*now, *then]):
        before, after = then.get(name, ""), now.get(name, "")
        if before != after and stylesheet_rules.select_styles(
            (before,), words
        ) != stylesheet_rules.select_styles((after,), words):
            yield name


def _compare_art(old: Face, new: Face) -> Iterator[str]:
    """Yield the pictures that changed, were added or were removed."""
    then, now = ({art.name: art for art in face.pictures} for face in (old, new))
    yield from (name for name in now if name in then and _is_redrawn(then[name], now[name]))
    added = [name for name in now if name not in then and not now[name].in_store]
    removed = [name for name in then if name not in now and not then[name].in_store]
    yield from (
        [f"{added[0]} in place of {removed[0]}"] if len(added) == len(removed) == 1
        else [*added, *(f"{name}, which is gone" for name in removed)]
    )  # fmt: skip
    drawn = [{art.digest for art in face.pictures if art.in_store} for face in (old, new)]
    if drawn[0] != drawn[1] and not added and not removed:
        yield REASON_DRAWN


def _is_redrawn(then: Art, now: Art) -> bool:
    return then.digest != now.digest and not (then.in_store and now.in_store)


def _hash_icon_file(path: Path | None) -> str:
    """Return the digest of an icon's file, "" for none."""
    return digest_parts([game_files.read_file(path)]) if path else ""


FaceKey = tuple[str, str, str, str]
"""Deck, card, side and language."""


def get_face_key(face: Face) -> FaceKey:
    return face.deck.id, face.piece.id, face.side, face.language


@dataclass(frozen=True)
class FacePair:
    """A side of a card before and after, None where it is not shown, and why it differs."""

    key: CardKey
    side: str
    language: str
    old: Face | None
    new: Face | None
    why: tuple[str, ...] = ()


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
    known = [{e.back for pieces in state.values() for e in pieces.values()} for state in states]
    for key, change in found.items():
        before = moves.get(key, key)
        if change.kind == "changed":
            for side in change.sides:
                old = then.get((*before, side, language))
                yield FacePair(key, side, language, old, now.get((*key, side, language)))
        for entry, of, others in ((change.old, then, known[1]), (change.new, now, known[0])):
            if change.kind == "changed" or entry is None:
                continue
            for side in ("front", *(["back"] if entry.back not in others else [])):
                face = of.get((*key, side, language))
                if face is not None:
                    old, new = (face, None) if of is then else (None, face)
                    yield FacePair(key, side, language, old, new)


def describe_card(
    key: CardKey,
    by_language: Mapping[str, CardChange],
    shown: Iterable[tuple[FacePair, FaceImage | None, FaceImage | None]],
    moves: Mapping[CardKey, CardKey],
    languages: tuple[str, ...],
) -> CardDiff:
    """Describe the changes of a card in all languages together."""
    first = next(iter(by_language.values()))
    kind: CardDiffKind = (
        "new" if first.kind == "new" else "gone" if first.kind == "gone" else "changed"
    )
    kind = "moved" if key in moves else kind
    fields = _merge_field_edits(by_language, languages)
    reason = (REASON_MOVED if kind == "moved" else REASON_UNKNOWN,)
    faces: dict[FaceDiff, list[str]] = {}
    unseen: dict[str, None] = {}
    for pair, old, new in shown:
        why = pair.why or (reason if old and new and not fields else ())
        if old and new and old.picture and old == new:
            unseen |= dict.fromkeys(why)
        else:
            faces.setdefault(FaceDiff(pair.side, (), old, new, why), []).append(pair.language)
    listed = tuple(replace(face, languages=tuple(codes)) for face, codes in faces.items())
    copies = _get_copies(first.old), _get_copies(first.new)
    return CardDiff(kind, key[0], (key[1],), moves.get(key), copies, fields, listed, tuple(unseen))


def _get_copies(entry: CardSnapshot | None) -> int:
    return entry.copies if entry else 0


def _merge_field_edits(
    by_language: Mapping[str, CardChange], languages: tuple[str, ...]
) -> tuple[FieldDiff, ...]:
    """Return each edit once, with the languages it applies to."""
    found: dict[FieldEdit, list[str]] = {}
    for language, change in by_language.items():
        for edit in change.edits or _list_all_fields(change):
            found.setdefault(edit, []).append(language)
    everywhere = [*languages]
    return tuple(
        FieldDiff(edit, () if in_these == everywhere else tuple(in_these))
        for edit, in_these in found.items()
    )


def _list_all_fields(change: CardChange) -> Iterable[FieldEdit]:
    """Return all fields of a new or gone card as edits."""
    if change.new and not change.old:
        return [FieldEdit(name, "", value) for name, value in change.new.fields.items()]
    if change.old and not change.new:
        return [FieldEdit(name, value, "") for name, value in change.old.fields.items()]
    return ()


FaceLook = tuple[object, ...]


def group_cards(cards: Sequence[CardDiff]) -> tuple[CardDiff, ...]:
    """Group cards with the same changes, given one `CardDiff` for each card.

    A face that several cards share, such as the back of a deck, becomes an entry of its own.
    """
    shared = _find_shared_faces(cards)
    alone = [
        left
        for card in cards
        if (left := _drop_shared_faces(card, shared)).faces
        or left.fields
        or left.unseen
        or _has_other_changes(left)
    ]
    return (*_group_shared_faces(cards, shared), *_merge_hidden_cards(alone))


def _has_other_changes(card: CardDiff) -> bool:
    """Tell whether more changed than looks and fields."""
    return card.kind != "changed" or card.copies[0] != card.copies[1]


def _describe_look(deck: str, face: FaceDiff) -> FaceLook:
    old, new = face.old, face.new
    pictures = (old.picture if old else None, new.picture if new else None)
    return deck, face.side, face.languages, face.why, pictures


def _find_shared_faces(cards: Iterable[CardDiff]) -> set[FaceLook]:
    """Return the changed faces that several cards share."""
    seen: set[FaceLook] = set()
    shared: set[FaceLook] = set()
    for card in cards:
        for face in card.faces if card.kind == "changed" else ():
            look = _describe_look(card.deck, face)
            if face.new and face.new.picture:
                (shared if look in seen else seen).add(look)
    return shared


def _drop_shared_faces(card: CardDiff, shared: set[FaceLook]) -> CardDiff:
    if card.kind != "changed":
        return card
    kept = tuple(face for face in card.faces if _describe_look(card.deck, face) not in shared)
    return replace(card, faces=kept)


def _group_shared_faces(cards: Sequence[CardDiff], shared: set[FaceLook]) -> Iterator[CardDiff]:
    """Yield each shared face with all of its cards."""
    found: dict[FaceLook, tuple[FaceDiff, list[str]]] = {}
    for card in cards:
        for face in card.faces if card.kind == "changed" else ():
            look = _describe_look(card.deck, face)
            if look in shared:
                found.setdefault(look, (face, []))[1].extend(card.cards)
    together: dict[tuple[str, tuple[str, ...]], list[FaceDiff]] = {}
    for (deck, *_), (face, names) in found.items():
        together.setdefault((str(deck), tuple(names)), []).append(face)
    for (deck, named), faces in together.items():
        yield CardDiff("changed", deck, named, faces=tuple(faces))


def _merge_hidden_cards(cards: Iterable[CardDiff]) -> Iterator[CardDiff]:
    """Merge the hidden cards of a deck that have the same reasons."""
    unseen: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for card in cards:
        if card.unseen and not (card.faces or card.fields or _has_other_changes(card)):
            unseen.setdefault((card.deck, card.unseen), []).extend(card.cards)
        else:
            yield card
    for (deck, why), names in unseen.items():
        yield CardDiff("changed", deck, tuple(names), unseen=why)

"""What is known of a game's faces as they are now, out of the store; and, where that may be, the
few faces set that somebody asks about before their turn has come."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from cardgen.base.store import Store
from cardgen.faces import contrast, facts, produce
from cardgen.faces.produce import Face, Faces
from cardgen.game.face_facts import FaceFacts
from cardgen.game.model import Game

_AT_ONCE = 12
"""Boards of one deck are asked about one after another: so many are set together."""
Name = tuple[str, str, str, str]
"""Deck, card, side, language."""


class OfFaces:
    """The faces of a game as `face_facts.Known` tells of them. Those that `sets` allows to be set
    are, when they are asked for; of others that are not set, nothing is known."""

    def __init__(self, game: Game, faces: Faces, store: Store, *, sets: bool = False) -> None:
        self._game, self._fonts, self._store, self._sets = game, faces.fonts, store, sets
        self._listed, self._waiting = (*faces.faces, *faces.unset), set(faces.waiting)
        self._facts: dict[str, FaceFacts] = {}
        self._contrasts: dict[str, tuple[float, ...]] = {}

    @cached_property
    def _faces(self) -> dict[Name, Face]:
        """The faces of which anything is known, sorted when first one is asked about."""
        return {
            (face.deck.id, face.piece.id, face.side, face.language): face
            for face in self._listed
            if not face.instead and face.deck.id not in self._waiting
        }

    def facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Those of a face. Raises `Damaged`."""
        face = self._faces.get((deck, card, side, language))
        if face is None:
            return None
        if face.key not in self._facts:
            found = facts.read(self._store, face.key)
            if found is None and self._sets and self._fonts.cuts:
                self._set(face)
                found = facts.read(self._store, face.key)
            if found is None or self._is_empty(found, face):
                return None
            self._facts[face.key] = found
        return self._facts[face.key]

    def _is_empty(self, found: FaceFacts, face: Face) -> bool:
        """Whether nothing stands on a face since something is wrong with it, which is told."""
        if found.places or found.texts:
            return False
        remarks = produce.remarks_of(face.key, self._store) or ()
        return any(remark.severity == "error" for remark in remarks)

    def _set(self, first: Face) -> None:
        """Set a face, and those that are likely to be asked for next. What is wrong with them is
        told when it is their turn."""
        alike = [first, *(face for face in self._like(first) if face.key != first.key)]
        wanted = {face.key: face for face in alike if not facts.there(self._store, face.key)}
        some = [*wanted.values()][:_AT_ONCE]
        # Helpers do it: what is asked stands within bounds of time of its own.
        produce.make(self._game, Faces(self._fonts, some), self._store, resident=True)

    def _like(self, first: Face) -> Iterable[Face]:
        return (
            face
            for face in self._faces.values()
            if (face.deck.id, face.side, face.language)
            == (first.deck.id, first.side, first.language)
        )

    def contrasts(self, deck: str, card: str, side: str, language: str) -> tuple[float, ...] | None:
        """Those of a face's texts, as far as `contrast.make` has looked. Raises `Damaged`."""
        face = self._faces.get((deck, card, side, language))
        if face is None:
            return None
        if face.digest not in self._contrasts:
            found = contrast.read(self._store, face, self._fonts)
            if found is None:
                return None
            self._contrasts[face.digest] = found
        return self._contrasts[face.digest]

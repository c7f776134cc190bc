"""Faces by their decks, sides and languages: nobody goes through all of a game's for a few."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar


class HasDeckId(Protocol):
    """What is asked of a face's deck."""

    @property
    def id(self) -> str: ...


class HasFaceKey(Protocol):
    """What is asked of a face."""

    @property
    def key(self) -> str: ...

    @property
    def deck(self) -> HasDeckId: ...

    @property
    def side(self) -> str: ...

    @property
    def language(self) -> str: ...


FaceT = TypeVar("FaceT", bound=HasFaceKey)


class FaceIndex(Generic[FaceT]):
    """A list of faces, sorted."""

    def __init__(self, faces: list[FaceT]) -> None:
        self._faces, self._count = faces, len(faces)
        self._found: dict[tuple[str, str], dict[str, list[FaceT]]] = {}
        for face in faces:
            sides = self._found.setdefault((face.deck.id, face.side), {})
            sides.setdefault(face.language, []).append(face)

    def is_index_of(self, faces: list[FaceT]) -> bool:
        """Whether it is of that list, which no face was added to or taken from."""
        return self._faces is faces and self._count == len(faces)

    def find_side(self, deck: str, side: str, language: str = "") -> list[FaceT]:
        """Those of a side of a deck, in a language or in all, language after language."""
        found = self._found.get((deck, side), {})
        return found.get(language, []) if language else [f for each in found.values() for f in each]

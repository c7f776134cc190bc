"""Queries of typeset faces for rules and the store.

A query may typeset the few faces it needs before their turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from cardgen.faces import diagnostics, fit_cache, text_contrast, typeset_facts, typesetting
from cardgen.faces.model import Face, FaceSet
from cardgen.game.face_facts import FaceFacts
from cardgen.game.model import Game
from cardgen.runtime.content_store import Store
from cardgen.templates.template_renderer import DRAWING_PREFIX

_MAX_FACES_PER_QUERY = 12
"""Number of faces typeset together; queries go through a deck one by one."""
FaceName = tuple[str, str, str, str]
"""Deck, card, side, language."""


class FaceQueries:
    """Facts and contrasts of a game's faces.

    With `sets`, faces are typeset when they are queried; otherwise unset faces are unknown.
    """

    def __init__(self, game: Game, faces: FaceSet, store: Store, *, sets: bool = False) -> None:
        self._game, self._fonts, self._store, self._sets = game, faces.fonts, store, sets
        self._listed, self._waiting = (*faces.faces, *faces.skipped), set(faces.blocked_decks)
        self._facts: dict[str, FaceFacts] = {}
        self._contrasts: dict[str, tuple[float, ...]] = {}

    @cached_property
    def _faces_by_name(self) -> dict[FaceName, Face]:
        """Faces anything can be known of."""
        return {
            (face.deck.id, face.piece.id, face.side, face.language): face
            for face in self._listed
            if not face.is_placeholder and face.deck.id not in self._waiting
        }

    def get_facts(self, deck: str, card: str, side: str, language: str) -> FaceFacts | None:
        """Return the facts of a face. Raises `DamagedEntryError`."""
        face = self._faces_by_name.get((deck, card, side, language))
        if face is None:
            return None
        if face.key not in self._facts:
            found = typeset_facts.read_facts(self._store, face.key)
            if found is None and self._sets and self._fonts.files:
                self._typeset_face(face)
                found = typeset_facts.read_facts(self._store, face.key)
            if found is None or self._is_empty_by_error(found, face):
                return None
            self._facts[face.key] = found
        return self._facts[face.key]

    def _is_empty_by_error(self, found: FaceFacts, face: Face) -> bool:
        """Return True if a face shows nothing because of an error reported elsewhere."""
        if found.places or found.texts:
            return False
        remarks = typesetting.read_diagnostics(face.key, self._store) or ()
        return any(remark.severity == "error" for remark in remarks)

    def _typeset_face(self, first: Face) -> None:
        """Typeset a face together with similar ones likely to be queried next.

        Their diagnostics are reported later.
        """
        batch = [first, *(face for face in self._find_siblings(first) if face.key != first.key)]
        wanted = {
            face.key: face for face in batch if not typeset_facts.has_details(self._store, face.key)
        }
        some = [*wanted.values()][:_MAX_FACES_PER_QUERY]
        # Workers do it, since the caller has a time limit of its own.
        typesetting.typeset_faces(
            self._game, FaceSet(self._fonts, some), self._store, is_wanted=lambda: True
        )

    def _find_siblings(self, first: Face) -> Iterable[Face]:
        group = (first.deck.id, first.side, first.language)
        faces = self._faces_by_name.values()
        return (face for face in faces if (face.deck.id, face.side, face.language) == group)

    def get_contrasts(
        self, deck: str, card: str, side: str, language: str
    ) -> tuple[float, ...] | None:
        """Return the contrasts of a face's texts, if measured. Raises `DamagedEntryError`."""
        face = self._faces_by_name.get((deck, card, side, language))
        if face is None:
            return None
        if face.digest not in self._contrasts:
            found = text_contrast.read_contrasts(self._store, face, self._fonts)
            if found is None:
                return None
            self._contrasts[face.digest] = found
        return self._contrasts[face.digest]


_SMALL_KINDS = ("fonts", "hyphenation", fit_cache.SIZES_KIND, diagnostics.DIAGNOSTICS_KIND)


def list_store_entries(result: FaceSet) -> dict[str, set[str]]:
    """Return the names of store entries the game uses now, by kind."""
    arts = [art for face in result.faces for art in face.pictures]
    return {
        "faces": {
            *(f"{face.key}.{end}" for face in result.faces for end in ("pdf", "json")),
            *(text_contrast.format_contrast_name(face, result.fonts) for face in result.faces),
        },
        "rendered": result.render_names,
        "drawn": {art.path.name for art in arts if art.name.startswith(DRAWING_PREFIX)},
        "art": {
            *(f"{art.digest}.pdf" for art in arts),
            *(smaller.path.name for smaller in result.downsampled.values()),
        },
        "looks": {f"{art.inspection.cache_name}.json" for art in arts},
        "rasters": {art.inspection.cache_name for art in arts},
        "fonts": {
            f"{cut.digest}.{end}" for cut in result.fonts.files for end in ("ttf", "json", "lost")
        },
        fit_cache.SIZES_KIND: {fit_cache.format_sizes_name(face.deck.id) for face in result.faces},
        diagnostics.DIAGNOSTICS_KIND: {
            diagnostics.format_diagnostics_name(face.deck.id) for face in result.faces
        },
        "hyphenation": {path.name for path in result.fonts.patterns.values()},
    }


def sweep_store(store: Store, used: Mapping[str, set[str]]) -> None:
    """Delete old entries if they are many more than those in use."""
    for kind, names in used.items():
        store.remove_unused(kind, names, 3 * len(names) + (40 if kind in _SMALL_KINDS else 400))

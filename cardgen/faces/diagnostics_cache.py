"""What is told of the layouts of faces, remembered by the deck: of a deck that did not change, one
entry is read instead of one for each of its faces.

An entry is a memory: by the key of each face, what stands in the face's own entry. A face's key
decides what is told of it, so what is remembered is never old. Whether the store still holds the
face itself is seen by one listing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cardgen.core.problems import Diagnostic, parse_diagnostics, serialize_problems
from cardgen.faces.face_index import HasFaceKey
from cardgen.runtime.content_store import Store, digest_parts

DIAGNOSTICS_KIND = "told"
MIN_FACES_FOR_CACHE = 50
"""Up to so many faces are looked at one by one: a listing of a large store takes longer."""
_FACE_SUFFIXES = ("pdf", "json", "facts")
_MAX_SPARE_ENTRIES = 400


DiagnosticsByKey = dict[str, Sequence[Diagnostic]]
"""What is told of faces, by their keys."""


def format_diagnostics_name(deck: str) -> str:
    """What a deck's entry is called in the store."""
    return f"{digest_parts([deck])}.json"


def load_diagnostics(faces: Iterable[HasFaceKey], store: Store) -> DiagnosticsByKey:
    """What is told of those of the faces that the store holds and their decks' entries know of."""
    wanted = _group_keys(faces)
    if sum(map(len, wanted.values())) <= MIN_FACES_FOR_CACHE:
        return {}
    found: DiagnosticsByKey = {}
    for deck, keys in wanted.items():
        kept = _read_deck_diagnostics(deck, store)
        for key in keys:
            remarks = parse_diagnostics(kept.get(key))
            if remarks is not None:
                found[key] = remarks
    there = _find_complete_faces(found, store)
    return {key: found[key] for key in there}


def save_diagnostics(
    faces: Iterable[HasFaceKey], learned: Mapping[str, Sequence[Diagnostic]], store: Store
) -> None:
    """Add what was learned of some of the faces, which the store holds, to their decks' entries.
    What these know of others, they forget once it is far more than there are faces now."""
    wanted = _group_keys(faces)
    if sum(map(len, wanted.values())) <= MIN_FACES_FOR_CACHE:
        return
    for deck, keys in wanted.items():
        new = {key: serialize_problems(learned[key]) for key in keys if key in learned}
        if new:
            entry = {**_read_deck_diagnostics(deck, store), **new}
            if len(entry) > 3 * len(keys) + _MAX_SPARE_ENTRIES:
                entry = {key: said for key, said in entry.items() if key in keys}
            store.write_json(store.get_path(DIAGNOSTICS_KIND, format_diagnostics_name(deck)), entry)


def _group_keys(faces: Iterable[HasFaceKey]) -> dict[str, dict[str, None]]:
    """The keys of faces by their decks, each once, in their order."""
    found: dict[str, dict[str, None]] = {}
    for face in faces:
        found.setdefault(face.deck.id, {})[face.key] = None
    return found


def _read_deck_diagnostics(deck: str, store: Store) -> dict[str, object]:
    found = store.read_json(store.get_path(DIAGNOSTICS_KIND, format_diagnostics_name(deck)))
    return found if isinstance(found, dict) else {}


def _find_complete_faces(keys: Iterable[str], store: Store) -> list[str]:
    """Those of the keys whose faces the store holds whole."""
    count = dict.fromkeys(keys, 0)
    for entry in store.list_names("faces"):
        key, _, ending = entry.partition(".")
        if key in count and ending in _FACE_SUFFIXES:
            count[key] += 1
    return [key for key, parts in count.items() if parts == len(_FACE_SUFFIXES)]

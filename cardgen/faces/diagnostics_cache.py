"""Per-deck cache of layout diagnostics: an unchanged deck needs one read instead of one per
face.

An entry maps face keys to diagnostics. A key determines its diagnostics, so entries never get
stale. One directory listing shows whether the store still holds the faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cardgen.core.problems import Diagnostic, parse_diagnostics, serialize_problems
from cardgen.faces.model import Face
from cardgen.runtime.content_store import Store, digest_parts

DIAGNOSTICS_KIND = "told"
MIN_FACES_FOR_CACHE = 50
"""Up to this number of faces, single reads are faster than listing a large store."""
_FACE_SUFFIXES = ("pdf", "json", "facts")
_MAX_SPARE_ENTRIES = 400


DiagnosticsByKey = dict[str, Sequence[Diagnostic]]
"""Diagnostics of faces by key."""


def format_diagnostics_name(deck: str) -> str:
    """Return the name of a deck's store entry."""
    return f"{digest_parts([deck])}.json"


def load_diagnostics(faces: Iterable[Face], store: Store) -> DiagnosticsByKey:
    """Return the cached diagnostics of faces the store holds."""
    wanted = _group_keys(faces)
    if sum(map(len, wanted.values())) <= MIN_FACES_FOR_CACHE:
        return {}
    found: DiagnosticsByKey = {}
    for deck, keys in wanted.items():
        entry = _read_deck_diagnostics(deck, store)
        for key in keys:
            remarks = parse_diagnostics(entry.get(key))
            if remarks is not None:
                found[key] = remarks
    complete = _find_complete_faces(found, store)
    return {key: found[key] for key in complete}


def save_diagnostics(
    faces: Iterable[Face], learned: Mapping[str, Sequence[Diagnostic]], store: Store
) -> None:
    """Add new diagnostics to the entries of their decks.

    An entry much larger than the deck is reduced to its current faces.
    """
    wanted = _group_keys(faces)
    if sum(map(len, wanted.values())) <= MIN_FACES_FOR_CACHE:
        return
    for deck, keys in wanted.items():
        new = {key: serialize_problems(learned[key]) for key in keys if key in learned}
        if new:
            entry = {**_read_deck_diagnostics(deck, store), **new}
            if len(entry) > 3 * len(keys) + _MAX_SPARE_ENTRIES:
                entry = {key: stored for key, stored in entry.items() if key in keys}
            store.write_json(store.get_path(DIAGNOSTICS_KIND, format_diagnostics_name(deck)), entry)


def _group_keys(faces: Iterable[Face]) -> dict[str, dict[str, None]]:
    """Return the keys of faces by deck, each once, in order."""
    found: dict[str, dict[str, None]] = {}
    for face in faces:
        found.setdefault(face.deck.id, {})[face.key] = None
    return found


def _read_deck_diagnostics(deck: str, store: Store) -> dict[str, object]:
    found = store.read_json(store.get_path(DIAGNOSTICS_KIND, format_diagnostics_name(deck)))
    return found if isinstance(found, dict) else {}


def _find_complete_faces(keys: Iterable[str], store: Store) -> list[str]:
    """Return the keys of faces whose files the store holds completely."""
    count = dict.fromkeys(keys, 0)
    for entry in store.list_names("faces"):
        key, _, ending = entry.partition(".")
        if key in count and ending in _FACE_SUFFIXES:
            count[key] += 1
    return [key for key, parts in count.items() if parts == len(_FACE_SUFFIXES)]

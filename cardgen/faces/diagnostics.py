"""Marks on a face for its diagnostics.

`MISSING_ART` is the kind of a diagnostic that only gives the place of a missing picture; the
error was reported before typesetting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cardgen.core.problems import Diagnostic, Spot, parse_diagnostics, serialize_problems
from cardgen.faces.model import Face
from cardgen.pdf.face_file import DraftLayer
from cardgen.runtime.content_store import Store, digest_parts

MISSING_ART = "missing art"
NO_MARKS = DraftLayer(is_marked=False)


def build_marks(remarks: Iterable[Diagnostic], width: float, height: float) -> DraftLayer:
    """Return the marks for errors on a face of that size (mm, with bleed).

    Errors without a visible place become words. Returns `NO_MARKS` without errors.
    """
    errors = [remark for remark in remarks if remark.severity == "error"]
    visible = {each: [s for s in each.spots if _is_on_face(s, width, height)] for each in errors}
    frames = (spot for each in errors if each.kind == MISSING_ART for spot in visible[each])
    outlined = [each for each in errors if each.kind != MISSING_ART]
    spots = _keep_innermost([spot for each in outlined for spot in visible[each]])
    # An error off the face is left out if a visible one causes it.
    unseen = (e.message for e in outlined if not visible[e] and not (e.spots and spots))
    return DraftLayer(tuple(spots), tuple(frames), tuple(unseen), is_marked=False)


def _is_on_face(spot: Spot, width: float, height: float) -> bool:
    across = spot.left < width and spot.left + spot.width > 0
    return across and spot.top < height and spot.top + spot.height > 0


def _keep_innermost(spots: Sequence[Spot]) -> list[Spot]:
    """Return the spots that contain no other: a text that overflows overflows the outer boxes,
    too."""
    return [
        spot
        for number, spot in enumerate(spots)
        if not any(
            _is_inside(spot, other) and not (_is_inside(other, spot) and number < at)
            for at, other in enumerate(spots)
            if at != number
        )
    ]


def _is_inside(outer: Spot, inner: Spot) -> bool:
    slack = 0.05
    return (
        outer.left <= inner.left + slack
        and outer.top <= inner.top + slack
        and outer.left + outer.width >= inner.left + inner.width - slack
        and outer.top + outer.height >= inner.top + inner.height - slack
    )


DIAGNOSTICS_KIND = "told"
MIN_FACES_FOR_CACHE = 50
"""Up to this number of faces, single reads are faster than listing a large store."""
_FACE_SUFFIXES = ("pdf", "json")
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

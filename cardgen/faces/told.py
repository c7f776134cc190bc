"""What is told of the layouts of faces, remembered by the deck: of a deck that did not change, one
entry is read instead of one for each of its faces.

An entry is a memory: by the key of each face, what stands in the face's own entry. A face's key
decides what is told of it, so what is remembered is never old. Whether the store still holds the
face itself is seen by one listing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cardgen.base.problems import Remark, kept_remarks, packed
from cardgen.base.store import Store, digest_of
from cardgen.faces.by_deck import OfFace

KIND = "told"
FEW = 50
"""Up to so many faces are looked at one by one: a listing of a large store takes longer."""
_ENDINGS = ("pdf", "json", "facts")
_SPARE = 400


Told = dict[str, Sequence[Remark]]
"""What is told of faces, by their keys."""


def name(deck: str) -> str:
    """What a deck's entry is called in the store."""
    return f"{digest_of([deck])}.json"


def remembered(faces: Iterable[OfFace], store: Store) -> Told:
    """What is told of those of the faces that the store holds and their decks' entries know of."""
    wanted = _by_deck(faces)
    if sum(map(len, wanted.values())) <= FEW:
        return {}
    found: Told = {}
    for deck, keys in wanted.items():
        kept = _entry(deck, store)
        for key in keys:
            remarks = kept_remarks(kept.get(key))
            if remarks is not None:
                found[key] = remarks
    there = _there(found, store)
    return {key: found[key] for key in there}


def remember(
    faces: Iterable[OfFace], learned: Mapping[str, Sequence[Remark]], store: Store
) -> None:
    """Add what was learned of some of the faces, which the store holds, to their decks' entries.
    What these know of others, they forget once it is far more than there are faces now."""
    wanted = _by_deck(faces)
    if sum(map(len, wanted.values())) <= FEW:
        return
    for deck, keys in wanted.items():
        new = {key: packed(learned[key]) for key in keys if key in learned}
        if new:
            entry = {**_entry(deck, store), **new}
            if len(entry) > 3 * len(keys) + _SPARE:
                entry = {key: said for key, said in entry.items() if key in keys}
            store.write_json(store.path(KIND, name(deck)), entry)


def _by_deck(faces: Iterable[OfFace]) -> dict[str, dict[str, None]]:
    """The keys of faces by their decks, each once, in their order."""
    found: dict[str, dict[str, None]] = {}
    for face in faces:
        found.setdefault(face.deck.id, {})[face.key] = None
    return found


def _entry(deck: str, store: Store) -> dict[str, object]:
    found = store.read_json(store.path(KIND, name(deck)))
    return found if isinstance(found, dict) else {}


def _there(keys: Iterable[str], store: Store) -> list[str]:
    """Those of the keys whose faces the store holds whole."""
    count = dict.fromkeys(keys, 0)
    for entry in store.names("faces"):
        key, _, ending = entry.partition(".")
        if key in count and ending in _ENDINGS:
            count[key] += 1
    return [key for key, parts in count.items() if parts == len(_ENDINGS)]

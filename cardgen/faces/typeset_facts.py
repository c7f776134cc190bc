"""Facts about a typeset face: where its named places are and how its texts are set.

Stored beside the face under the same key, in one entry with its diagnostics.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core.colour_math import BLACK, format_hex
from cardgen.core.problems import Diagnostic, parse_diagnostics, serialize_problems, shorten
from cardgen.core.units import POINTS_PER_MM
from cardgen.game.face_facts import (
    PLACE_NAME,
    FaceFacts,
    FaceText,
    NamedPlace,
    Rect,
    parse_face_facts,
)
from cardgen.runtime import game_files
from cardgen.runtime.content_store import DamagedEntryError, Store
from cardgen.runtime.content_store import read_entry as store_read

if TYPE_CHECKING:
    from cardgen.faces.measurement import FaceLayout
    from cardgen.faces.paint_recorder import PaintedItem

_MAX_HALO_OFFSET_MM = 0.35
"""The same words in another colour within this distance, in em, are a halo."""
_DECIMALS = 3


def get_details_path(store: Store, key: str) -> Path:
    """Return the path of a face's diagnostics and facts in the store."""
    return store.get_path("faces", f"{key}.json")


def has_details(store: Store, key: str) -> bool:
    """Return True if the store holds these of a face, without checking their seal."""
    return store.has_entry(get_details_path(store, key))


def write_details(
    store: Store, key: str, diagnostics: Iterable[Diagnostic], facts: FaceFacts
) -> None:
    """Write the diagnostics and facts of a face."""
    details = {"diagnostics": serialize_problems(diagnostics), "facts": facts.to_json()}
    store.write_json(get_details_path(store, key), details)


def read_diagnostics(store: Store, key: str) -> list[Diagnostic] | None:
    """Return the diagnostics of a face; None where they are missing or damaged."""
    found = store.read_json(get_details_path(store, key))
    return parse_diagnostics(found.get("diagnostics")) if isinstance(found, dict) else None


def read_facts(store: Store, key: str) -> FaceFacts | None:
    """Return the facts of a face, or None if the store does not hold them. Raises
    `DamagedEntryError`."""
    path = get_details_path(store, key)
    if not has_details(store, key):
        if game_files.has_entry(path.parent, path.name):  # truncated
            raise DamagedEntryError(str(path))
        return None
    found = parse_face_facts(json.loads(store_read(path)).get("facts"))
    if found is None:
        raise DamagedEntryError(str(path))
    return found


def build_facts(layout: FaceLayout, items: Sequence[PaintedItem], bleed: float) -> FaceFacts:
    """Return the facts of a face from its layout and painted items; `bleed` in mm."""
    places = {}
    for named in layout.named_elements:
        if PLACE_NAME.match(named.name) and named.name not in places:
            left, top, width, height = named.box
            sides = (left - bleed, top - bleed, width, height)
            x, y, wide, tall = (round(side, _DECIMALS) for side in sides)
            places[named.name] = NamedPlace(x, y, wide, tall, named.location)
    return FaceFacts(places, tuple(_build_letterings(items, bleed)))


def check_place_names(layout: FaceLayout) -> Iterator[Diagnostic]:
    """Yield diagnostics about invalid and duplicate names of places."""
    first: dict[str, str] = {}
    for named in layout.named_elements:
        if not PLACE_NAME.match(named.name):
            message = (
                f"data-place is '{named.name}'; use lower-case letters, digits and "
                "hyphens, such as store-3"
            )
            yield Diagnostic("template", "error", named.location, message)
        elif named.name in first:
            looped = named.location == first[named.name]
            other = f"{named.name}-{'{{ loop.index }}' if looped else 2}"
            message = (
                f"the place '{named.name}' is on this face twice, first at "
                f"{first[named.name]}; give each its own name, such as {other}"
            )
            yield Diagnostic("template", "error", named.location, message)
        else:
            first[named.name] = named.location


def _build_letterings(items: Sequence[PaintedItem], bleed: float) -> Iterator[FaceText]:
    """Yield the texts; those of one template line that look alike are one."""
    found: dict[FaceText, tuple[str, list[Rect]]] = {}
    texts = [item for item in items if item.kind == "text" and item.colour and item.alpha]
    halos = _find_halos(texts)
    halo_ids = {id(other) for others in halos.values() for other in others}
    for item in texts:
        if id(item) in halo_ids:
            continue
        halo_colours = tuple(
            dict.fromkeys(format_hex(other.colour or BLACK) for other in halos[id(item)])
        )
        text = FaceText(
            item.origin.text, round(item.size * POINTS_PER_MM, 2), format_hex(item.colour or BLACK),
            round(item.alpha, 3),
            item.origin.location, "", (), item.is_icon, not item.is_straight, halo_colours,
        )  # fmt: skip
        sides = (item.box.left - bleed, item.box.top - bleed, item.box.width, item.box.height)
        left, top, width, height = (round(side, 2) for side in sides)
        found.setdefault(text, (shorten(item.words), []))[1].append((left, top, width, height))
    for text, (words, boxes) in found.items():
        yield replace(text, excerpt=words, boxes=tuple(boxes))


def _find_halos(texts: Iterable[PaintedItem]) -> dict[int, list[PaintedItem]]:
    """Return the halos of each text by its `id`."""
    found: dict[int, list[PaintedItem]] = {}
    earlier: dict[str, list[PaintedItem]] = {}
    for item in texts:
        text = earlier.setdefault(item.words, [])
        found[id(item)] = list(_find_text_below(item, text))
        text.append(item)
    return found


def _find_text_below(item: PaintedItem, earlier: Iterable[PaintedItem]) -> Iterator[PaintedItem]:
    """Yield the same words painted before, nearby and in another colour."""
    max_offset = _MAX_HALO_OFFSET_MM * item.size
    for other in earlier:
        if other.colour != item.colour:
            is_near = abs(other.box.left - item.box.left) <= max_offset
            if is_near and abs(other.box.top - item.box.top) <= max_offset:
                yield other

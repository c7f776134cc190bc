"""What a face that is set tells of itself: where its named places lie, and how its texts are set.

It is kept in the store beside the face, under the same key.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.base import paths
from cardgen.base.problems import Remark
from cardgen.base.store import Damaged, Store
from cardgen.base.store import read as store_read
from cardgen.faces.measure import Layout
from cardgen.faces.painted import Item
from cardgen.game.face_facts import NAME, FaceFacts, Lettering, NamedPlace, Rect, unpacked
from cardgen.pdf.inks import Colour

_PT = 72 / 25.4
_WORDS = 24
_HALO = 0.35
"""Of the letters' size: so far off, the same words in another colour are a halo of theirs."""
_ROUND = 3


def path_of(store: Store, key: str) -> Path:
    """Where the store holds the facts of a face."""
    return store.path("faces", f"{key}.facts")


def there(store: Store, key: str) -> bool:
    """Whether the store holds the facts of a face, its seal not looked at."""
    return store.has(path_of(store, key))


def read(store: Store, key: str) -> FaceFacts | None:
    """The facts of a face; None where the store does not hold them. Raises `Damaged`."""
    if not there(store, key):
        if paths.there(path_of(store, key).parent, f"{key}.facts"):  # cut short
            raise Damaged(str(path_of(store, key)))
        return None
    found = unpacked(json.loads(store_read(path_of(store, key))))
    if found is None:
        raise Damaged(str(path_of(store, key)))
    return found


def of(layout: Layout, items: Sequence[Item], bleed: float) -> FaceFacts:
    """The facts of a face out of its layout and of what it paints; `bleed` in mm."""
    places = {}
    for named in layout.named:
        if NAME.match(named.name) and named.name not in places:
            left, top, width, height = named.box
            sides = (left - bleed, top - bleed, width, height)
            x, y, wide, tall = (round(side, _ROUND) for side in sides)
            places[named.name] = NamedPlace(x, y, wide, tall, named.at)
    return FaceFacts(places, tuple(_letterings(items, bleed)))


def wrong_places(layout: Layout) -> Iterator[Remark]:
    """What is wrong with the names of places: what is no name, and a name that stands twice."""
    first: dict[str, str] = {}
    for named in layout.named:
        if not NAME.match(named.name):
            message = (
                f"data-place is '{named.name}'; it is a name of small letters, digits and "
                "hyphens, such as store-3"
            )
            yield Remark("template", "error", named.at, message)
        elif named.name in first:
            looped = named.at == first[named.name]
            other = f"{named.name}-{'{{ loop.index }}' if looped else 2}"
            message = (
                f"the place '{named.name}' stands twice on this face, first at "
                f"{first[named.name]}; give each a name of its own, such as {other}"
            )
            yield Remark("template", "error", named.at, message)
        else:
            first[named.name] = named.at


def _letterings(items: Sequence[Item], bleed: float) -> Iterator[Lettering]:
    """The texts, those of one line of the template that look alike as one."""
    found: dict[Lettering, tuple[str, list[Rect]]] = {}
    texts = [item for item in items if item.kind == "text" and item.colour and item.alpha]
    halos = _halos(texts)
    under = {id(other) for others in halos.values() for other in others}
    for item in texts:
        if id(item) in under:
            continue
        around = tuple(dict.fromkeys(_hex(other) for other in halos[id(item)]))
        alike = Lettering(
            item.place.text, round(item.size * _PT, 2), _hex(item), round(item.alpha, 3),
            item.place.at, "", (), item.icon, not item.straight, around,
        )  # fmt: skip
        sides = (item.box.left - bleed, item.box.top - bleed, item.box.width, item.box.height)
        left, top, width, height = (round(side, 2) for side in sides)
        found.setdefault(alike, (_begun(item.words), []))[1].append((left, top, width, height))
    for alike, (words, boxes) in found.items():
        yield replace(alike, words=words, boxes=tuple(boxes))


def _begun(words: str) -> str:
    """The first of the words."""
    return words if len(words) <= _WORDS else f"{words[: _WORDS - 1]}…"


def _halos(texts: Iterable[Item]) -> dict[int, list[Item]]:
    """By a text's `id`, those that are its halo."""
    found, earlier = {}, dict[str, list[Item]]()
    for item in texts:
        alike = earlier.setdefault(item.words, [])
        found[id(item)] = list(_under(item, alike))
        alike.append(item)
    return found


def _under(item: Item, earlier: Iterable[Item]) -> Iterator[Item]:
    """Of the same words painted before, those at nearly the same place in another colour."""
    far = _HALO * item.size
    for other in earlier:
        if other.colour != item.colour:
            near = abs(other.box.left - item.box.left) <= far
            if near and abs(other.box.top - item.box.top) <= far:
                yield other


def _hex(item: Item) -> str:
    colour: Colour = item.colour or (0.0, 0.0, 0.0)
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)

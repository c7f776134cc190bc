"""Chunks of faces set side by side, in this process or in helpers, within bounds of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from cardgen.base import guard, workers
from cardgen.base.guard import Stopped
from cardgen.base.problems import Remark
from cardgen.base.store import Store
from cardgen.base.workers import spread
from cardgen.faces.orders import Order, Setting, Typeset
from cardgen.faces.sizes import Found, Memory, Sizes

if TYPE_CHECKING:
    from cardgen.faces.typeset import Inspected

_ALONE = 12
"""Up to so many stale faces are set in this process: starting helpers costs more."""
AT_ONCE = min(workers.at_once(), 4)
"""So many helpers are kept ready by a resident process: each holds WeasyPrint."""
_MOST_FOR_LENGTH = 4.0
_MOST_FOR_PICTURES = 6.0
"""Seconds of the processor that may be added for what stands on faces, and for its pictures."""
_PIXELS_PER_SECOND = 8e6
"""How fast a slow machine unpacks and packs a picture."""
_MOST_STOPPED = 2
"""After so many faces that had to be stopped, no more are set."""

Call = tuple["Chunk", dict[str, Sequence[Found]]]
"""A chunk, and what is known of its deck's sizes."""


@dataclass(frozen=True)
class Chunk:
    """Faces of one deck, to be set together."""

    deck: str
    setting: Setting
    orders: list[Order]


def run(
    chunks: Sequence[Chunk], store: Store, *, alone: bool | None = None
) -> Iterator[list[Typeset]]:
    """Set the chunks' faces, in this process if `alone` or, unless told, if they are few; else in
    helpers; each with what the store remembers of its deck's sizes; and keep what they learned. The
    results come in the order of the chunks; what is stopped has no PDF."""
    memory = Memory(store)
    few = sum(len(chunk.orders) for chunk in chunks) <= _ALONE if alone is None else alone
    stopped = 0

    def wanted() -> Iterator[Call]:
        """The chunks, until it is plain that what stops them stands in many."""
        for chunk in takewhile(lambda _: stopped < _MOST_STOPPED, chunks):
            yield chunk, memory.of(chunk.deck)

    for chunk, (results, sizes) in zip(
        chunks, spread(_set_chunk, wanted(), alone=few), strict=False
    ):
        stopped += sum(not face.pdf for face in results)
        memory.learn(chunk.deck, sizes)
        yield results
    memory.keep()


def get_ready() -> None:
    """Start the helpers that set faces, which get ready while this process does something else."""
    workers.get_ready("cardgen.faces.typeset", AT_ONCE)


def inspected(chunk: Chunk, store: Store) -> Inspected:
    """What is where on the chunk's first face. Raises `Stopped`."""
    from cardgen.faces import typeset  # noqa: PLC0415 - WeasyPrint only when needed

    order = chunk.orders[0]
    with guard.at(f"the face {order.name}, looked at", _seconds(3, 0, 2000, [order])):
        return typeset.inspected(chunk.setting, order, Sizes(Memory(store).of(chunk.deck)))


def _set_chunk(call: Call) -> tuple[list[Typeset], Sizes]:
    """The faces of a chunk, and what was learned of sizes. Where setting them is stopped, each is
    set by itself, and one that is stopped again has no PDF. After a few of those, the rest is left
    out: it is not theirs alone.
    """
    from cardgen.faces.typeset import typeset  # noqa: PLC0415 - in the helper process

    chunk, known = call
    setting, orders, sizes = chunk.setting, chunk.orders, Sizes(known)
    if len(orders) > 1:
        try:
            with guard.at(f"the faces from {orders[0].name}", _seconds(2, 0.2, 8000, orders)):
                return typeset(setting, orders, sizes), sizes.news()
        except Stopped:
            pass  # by which of them, shows below
    results: list[Typeset] = []
    for order in orders:
        try:
            with guard.at(f"the face {order.name}", _seconds(3, 0, 2000, [order])):
                results += typeset(setting, [order], sizes)
        except Stopped as error:
            message = f"the face cannot be set: {error}"
            results.append(Typeset(order.key, b"", (Remark("bounds", "error", "", message),)))
        if sum(not face.pdf for face in results) >= _MOST_STOPPED:
            break
    return results, sizes.news()


def _seconds(least: float, each: float, letters: float, orders: Sequence[Order]) -> float:
    """How long those faces may take: more where there is more on them, or larger pictures."""
    length = sum(len(order.html) for order in orders)
    rasters = {
        art.digest: art.width * art.height
        for order in orders
        for art in order.art
        if not art.vector
    }
    pictures = min(sum(rasters.values()) / _PIXELS_PER_SECOND, _MOST_FOR_PICTURES)
    return least + each * len(orders) + min(length / letters, _MOST_FOR_LENGTH) + pictures

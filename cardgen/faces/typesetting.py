"""Chunks of faces set side by side, in this process or in helpers, within bounds of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.assets.artwork import Art
from cardgen.assets.font_files import FontFile
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces.fit_cache import FitCache, FitResult, FitSizes
from cardgen.game.face_facts import FaceFacts
from cardgen.runtime import worker_pool
from cardgen.runtime.content_store import Store
from cardgen.runtime.worker_pool import map_calls

if TYPE_CHECKING:
    from cardgen.faces.layout_engine import FaceInspection


@dataclass(frozen=True)
class FaceSettings:
    """What the faces of a chunk share. Lengths in mm; stylesheets as (name, text)."""

    width: float
    height: float
    bleed: float
    safe: float
    styles: tuple[tuple[str, str], ...]
    colours: tuple[tuple[str, str], ...]
    font_files: tuple[FontFile, ...]
    patterns: tuple[tuple[str, Path], ...]
    digest: str = ""
    """Stands for all of it but the styles, as far as it decides where anything comes to lie."""
    coloured_icons: tuple[tuple[str, str], ...] = ()
    """Icons that keep their colours: (name, file)."""


@dataclass(frozen=True)
class FaceInput:
    """A face to set: its key in the store, its language and HTML, the art that it names; and its
    own name, for people."""

    key: str
    language: str
    html: str
    pictures: tuple[Art, ...] = ()
    name: str = "?"


@dataclass(frozen=True)
class FaceOutput:
    """A face, set: its PDF, what is wrong with it, and what else is known of it."""

    key: str
    pdf: bytes
    diagnostics: tuple[Diagnostic, ...]
    facts: FaceFacts = field(default_factory=FaceFacts)


_MAX_FACES_IN_PROCESS = 12
"""Up to so many stale faces are set in this process: starting helpers costs more."""
MAX_FACE_WORKERS = min(worker_pool.count_workers(), 4)
"""So many helpers are kept ready by a resident process: each holds WeasyPrint."""
_MAX_SECONDS_FOR_TEXT = 4.0
_MAX_SECONDS_FOR_PICTURES = 6.0
"""Seconds of the processor that may be added for what stands on faces, and for its pictures."""
_PIXELS_PER_SECOND = 8e6
"""How fast a slow machine unpacks and packs a picture."""
_MAX_STOPPED_FACES = 2
"""After so many faces that had to be stopped, no more are set."""

BatchCall = tuple["FaceBatch", dict[str, Sequence[FitResult]]]
"""A chunk, and what is known of its deck's sizes."""


@dataclass(frozen=True)
class FaceBatch:
    """Faces of one deck, to be set together."""

    deck: str
    setting: FaceSettings
    inputs: list[FaceInput]


def typeset_batches(
    chunks: Sequence[FaceBatch], store: Store, *, alone: bool | None = None
) -> Iterator[list[FaceOutput]]:
    """Set the chunks' faces, in this process if `alone` or, unless told, if they are few; else in
    helpers; each with what the store remembers of its deck's sizes; and keep what they learned. The
    results come in the order of the chunks; what is stopped has no PDF."""
    memory = FitCache(store)
    few = (
        sum(len(chunk.inputs) for chunk in chunks) <= _MAX_FACES_IN_PROCESS
        if alone is None
        else alone
    )
    stopped = 0

    def iterate_calls() -> Iterator[BatchCall]:
        """The chunks, until it is plain that what stops them stands in many."""
        for chunk in takewhile(lambda _: stopped < _MAX_STOPPED_FACES, chunks):
            yield chunk, memory.get_deck_sizes(chunk.deck)

    for chunk, (results, sizes) in zip(
        chunks, map_calls(_typeset_batch, iterate_calls(), alone=few), strict=False
    ):
        stopped += sum(not face.pdf for face in results)
        memory.add_deck_sizes(chunk.deck, sizes)
        yield results
    memory.save_sizes()


def start_workers() -> None:
    """Start the helpers that set faces, which get ready while this process does something else."""
    worker_pool.warm_up_workers("cardgen.faces.layout_engine", MAX_FACE_WORKERS)


def inspect_face(chunk: FaceBatch, store: Store) -> FaceInspection:
    """What is where on the chunk's first face. Raises `Stopped`."""
    from cardgen.faces import layout_engine  # noqa: PLC0415 - WeasyPrint only when needed

    order = chunk.inputs[0]
    with work_limits.work_limit(
        f"the face {order.name}, looked at", _estimate_seconds(3, 0, 2000, [order])
    ):
        return layout_engine.inspect_layout(
            chunk.setting, order, FitSizes(FitCache(store).get_deck_sizes(chunk.deck))
        )


def _typeset_batch(call: BatchCall) -> tuple[list[FaceOutput], FitSizes]:
    """The faces of a chunk, and what was learned of sizes. Where setting them is stopped, each is
    set by itself, and one that is stopped again has no PDF. After a few of those, the rest is left
    out: it is not theirs alone.
    """
    from cardgen.faces.layout_engine import typeset_batch  # noqa: PLC0415 - in the helper process

    chunk, known = call
    setting, orders, sizes = chunk.setting, chunk.inputs, FitSizes(known)
    if len(orders) > 1:
        try:
            with work_limits.work_limit(
                f"the faces from {orders[0].name}", _estimate_seconds(2, 0.2, 8000, orders)
            ):
                return typeset_batch(setting, orders, sizes), sizes.get_new_sizes()
        except LimitExceededError:
            pass  # by which of them, shows below
    results: list[FaceOutput] = []
    for order in orders:
        try:
            with work_limits.work_limit(
                f"the face {order.name}", _estimate_seconds(3, 0, 2000, [order])
            ):
                results += typeset_batch(setting, [order], sizes)
        except LimitExceededError as error:
            message = f"the face cannot be set: {error}"
            results.append(
                FaceOutput(order.key, b"", (Diagnostic("bounds", "error", "", message),))
            )
        if sum(not face.pdf for face in results) >= _MAX_STOPPED_FACES:
            break
    return results, sizes.get_new_sizes()


def _estimate_seconds(
    least: float, each: float, letters: float, orders: Sequence[FaceInput]
) -> float:
    """How long those faces may take: more where there is more on them, or larger pictures."""
    length = sum(len(order.html) for order in orders)
    rasters = {
        art.digest: art.width * art.height
        for order in orders
        for art in order.pictures
        if not art.vector
    }
    pictures = min(sum(rasters.values()) / _PIXELS_PER_SECOND, _MAX_SECONDS_FOR_PICTURES)
    return least + each * len(orders) + min(length / letters, _MAX_SECONDS_FOR_TEXT) + pictures

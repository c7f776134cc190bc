"""Typesetting: batches of faces, set in this process or by workers, read from the store if
known.

Loads no WeasyPrint, so that processes that only request typesetting start fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from cardgen.assets.artwork import Art, UnusableArtError
from cardgen.assets.font_files import FontSet
from cardgen.core import work_limits
from cardgen.core.problems import (
    Diagnostic,
    Problem,
    Source,
    Subject,
)
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import fitting, image_sampling, typeset_facts
from cardgen.faces.diagnostics import MISSING_ART, load_diagnostics, save_diagnostics
from cardgen.faces.fit_cache import FitCache, FitResult, FitSizes
from cardgen.faces.model import (
    Face,
    FaceInput,
    FaceOutput,
    FaceProgress,
    FaceSet,
    FaceSettings,
    format_geometry,
)
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Game
from cardgen.runtime import code_version, worker_pool
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.runtime.worker_pool import map_calls

if TYPE_CHECKING:
    from cardgen.faces.layout_engine import FaceInspection


_MAX_FACES_IN_PROCESS = 12
"""Maximum number of faces set in this process; starting workers costs more."""
MAX_FACE_WORKERS = min(worker_pool.count_workers(), 4)
"""Number of workers a resident process keeps ready. Each holds WeasyPrint in memory."""
_SMALL_BATCH = 4
"""Number of faces set together in a resident process, so that its workers do not wait for it."""
_MAX_SECONDS_FOR_TEXT = 4.0
"""Maximum CPU seconds added for the amount of text."""
_MAX_SECONDS_FOR_PICTURES = 6.0
"""Maximum CPU seconds added for the size of pictures."""
_PIXELS_PER_SECOND = 8e6
"""Rate at which a slow machine decodes and encodes pictures."""
_MAX_STOPPED_FACES = 2
"""Number of faces over the time limit after which typesetting stops."""

BatchCall = tuple["FaceBatch", dict[str, Sequence[FitResult]]]
"""A batch and the cached text sizes of its deck."""


@dataclass(frozen=True)
class FaceBatch:
    """Faces of one deck that are typeset together."""

    deck: str
    setting: FaceSettings
    inputs: list[FaceInput]


def typeset_batches(
    batches: Sequence[FaceBatch], store: Store, is_wanted: Callable[[], bool] | None = None
) -> Iterator[list[FaceOutput]]:
    """Typeset batches and yield their results in order, until `is_wanted` says no.

    A few faces are set in this process where no worker is ready, unless it is a resident one, which
    passes `is_wanted`. Text sizes are read from and saved to the store. A face over its time limit
    has no PDF.
    """
    cache = FitCache(store)
    few = sum(len(batch.inputs) for batch in batches) <= _MAX_FACES_IN_PROCESS
    alone = is_wanted is None and few and not worker_pool.has_fork_server()
    is_wanted = is_wanted or (lambda: True)
    if not alone:
        start_workers(0)
    stopped = 0

    def iterate_calls() -> Iterator[BatchCall]:
        """Yield batches until too many faces exceeded their time limit."""
        for batch in takewhile(lambda _: stopped < _MAX_STOPPED_FACES and is_wanted(), batches):
            yield batch, cache.get_deck_sizes(batch.deck)

    for batch, (results, sizes) in zip(
        batches, map_calls(_typeset_batch, iterate_calls(), alone=alone), strict=False
    ):
        stopped += sum(not face.pdf for face in results)
        cache.add_deck_sizes(batch.deck, sizes)
        yield results
    cache.save_sizes()


def start_workers(count: int = MAX_FACE_WORKERS, *, is_fresh: bool = False) -> None:
    """Start typesetting workers in the background; with 0, only import what they need. `is_fresh`
    says that this process has read nothing of a game yet."""
    worker_pool.warm_up_workers(count, is_fresh=is_fresh)


def inspect_face(batch: FaceBatch, store: Store) -> FaceInspection:
    """Return the layout of a batch's first face. Raises `LimitExceededError`."""
    from cardgen.faces import layout_engine  # noqa: PLC0415 - WeasyPrint only when needed

    face_input = batch.inputs[0]
    with work_limits.work_limit(
        f"the face {face_input.name}, looked at", _estimate_seconds(3, 0, 2000, [face_input])
    ):
        return layout_engine.inspect_layout(
            batch.setting, face_input, FitSizes(FitCache(store).get_deck_sizes(batch.deck))
        )


def _typeset_batch(call: BatchCall) -> tuple[list[FaceOutput], FitSizes]:
    """Typeset a batch in a worker; return its faces and new text sizes.

    If the batch exceeds its time limit, each face is set by itself. A face that exceeds its own
    limit has no PDF. After a few of those the rest is skipped: the cause is not the face.
    """
    from cardgen.faces.layout_engine import typeset_batch  # noqa: PLC0415 - in the helper process

    batch, cached_sizes = call
    setting, inputs, sizes = batch.setting, batch.inputs, FitSizes(cached_sizes)
    if len(inputs) > 1:
        try:
            with work_limits.work_limit(
                f"the faces from {inputs[0].name}", _estimate_seconds(2, 0.2, 8000, inputs)
            ):
                return typeset_batch(setting, inputs, sizes), sizes.get_new_sizes()
        except LimitExceededError:
            pass  # which face it was shows below
    results: list[FaceOutput] = []
    for face_input in inputs:
        try:
            with work_limits.work_limit(
                f"the face {face_input.name}", _estimate_seconds(3, 0, 2000, [face_input])
            ):
                results += typeset_batch(setting, [face_input], sizes)
        except LimitExceededError as error:
            message = f"the face cannot be typeset: {error}"
            results.append(
                FaceOutput(face_input.key, b"", (Diagnostic("bounds", "error", "", message),))
            )
        if sum(not face.pdf for face in results) >= _MAX_STOPPED_FACES:
            break
    return results, sizes.get_new_sizes()


def _estimate_seconds(
    least: float, each: float, letters: float, inputs: Sequence[FaceInput]
) -> float:
    """Return the CPU seconds the faces may take, by the amount of text and pictures."""
    length = sum(len(face_input.html) for face_input in inputs)
    pictures = {art.digest: art for face_input in inputs for art in face_input.pictures}
    pixels = sum(art.width * art.height for art in pictures.values() if not art.vector)
    for_text = min(length / letters, _MAX_SECONDS_FOR_TEXT)
    for_pictures = min(pixels / _PIXELS_PER_SECOND, _MAX_SECONDS_FOR_PICTURES)
    return least + each * len(inputs) + for_text + for_pictures


MAX_FACES_PER_BATCH = 25
"""Maximum number of faces in one typesetting batch."""

RESOLUTION_KIND = "resolution"
"""Kind of the diagnostic about too few pixels, reported once per picture where it is worst."""


def _compute_layout_key(game: Game, deck: Deck, fonts: FontSet) -> str:
    """Return the hash of what affects layout beside a deck's styles and HTML.

    Of colours only their names count.
    """
    parts = [code_version.digest_code("faces"), format_geometry(deck), fonts.text_digest]
    return digest_parts([*parts, *game.colours])


def typeset_faces(
    game: Game, faces: FaceSet, store: Store, progress: FaceProgress | None = None, *,
    is_wanted: Callable[[], bool] | None = None,
) -> None:  # fmt: skip
    """Typeset the faces the store does not hold, and report every face's diagnostics.

    A resident process says if they `is_wanted` still: once they are not, the rest is left out.
    Its workers are kept ready and share even a few faces.
    """
    _fetch_faces(faces, store)
    _draw_face_art(faces, store)
    stale, new_diagnostics = _find_stale_faces(faces, store)
    share = -(-len(stale) // MAX_FACE_WORKERS)
    size = min(_SMALL_BATCH, share) if is_wanted else MAX_FACES_PER_BATCH
    batches = list(make_batches(game, faces.fonts, stale, size))
    faces.typeset_count = sum(len(batch.inputs) for batch in batches)
    done = 0
    for results in typeset_batches(batches, store, is_wanted=is_wanted):
        for output in results:
            stale.pop(output.key)
            faces.diagnostics[output.key] = output.diagnostics
            if output.pdf:
                store.write(store.get_path("faces", f"{output.key}.pdf"), output.pdf)
                typeset_facts.write_details(store, output.key, output.diagnostics, output.facts)
                new_diagnostics[output.key] = output.diagnostics
        done += len(results)
        if progress:
            progress(done, faces.typeset_count)
    save_diagnostics(faces.faces, new_diagnostics, store)
    report_diagnostics(faces)
    diagnostics = (
        diagnostic for face in faces.faces for diagnostic in faces.diagnostics.get(face.key, ())
    )
    faces.downsampled = image_sampling.downsample_art(
        [art for face in faces.faces for art in face.pictures], diagnostics, store
    )
    if stale and (is_wanted is None or is_wanted()):
        first = next(iter(stale.values()))
        message = (
            f"{len(stale)} more faces were not typeset because others like them were stopped; "
            "mend those and build again"
        )
        subject = Subject(first.deck.id)
        faces.problems.append(Problem(first.deck.source, message, "bounds", subject=subject))


def _fetch_faces(faces: FaceSet, store: Store) -> None:
    """Fetch the faces other machines have typeset, and the details of those alone."""
    if store.shared is None:
        return
    keys = {face.key for face in faces.faces if face.key not in faces.diagnostics}
    store.fetch_entries(store.get_path("faces", f"{key}.pdf") for key in keys)
    names = set(store.list_names("faces"))
    present = [key for key in keys if f"{key}.pdf" in names]
    store.fetch_entries(typeset_facts.get_details_path(store, key) for key in present)


def _find_stale_faces(
    faces: FaceSet, store: Store
) -> tuple[dict[str, Face], dict[str, Sequence[Diagnostic]]]:
    """Return faces to typeset by key, and diagnostics the deck's cache entry lacks."""
    stale: dict[str, Face] = {}
    new_diagnostics: dict[str, Sequence[Diagnostic]] = {}
    unknown = [face for face in faces.faces if face.key not in faces.diagnostics]
    faces.diagnostics |= load_diagnostics(unknown, store)
    for face in unknown:
        if face.key not in faces.diagnostics and face.key not in stale:
            remarks = read_diagnostics(face.key, store)
            if remarks is None:
                stale[face.key] = face
            else:
                faces.diagnostics[face.key] = new_diagnostics[face.key] = remarks
    return stale, new_diagnostics


def make_batches(
    game: Game, fonts: FontSet, stale: Mapping[str, Face], size: int = MAX_FACES_PER_BATCH
) -> Iterator[FaceBatch]:
    """Group faces by their settings into batches of at most `size`."""
    if not stale:
        return
    coloured = game.coloured_icons.items()
    usable = {name: file for name, file in coloured if file not in fonts.unusable}
    settings: dict[tuple[str, bool], FaceSettings] = {}
    groups: dict[tuple[str, bool], list[FaceInput]] = {}
    for face in stale.values():
        deck = face.deck
        group = deck.id, face.is_placeholder
        if group not in settings:
            settings[group] = FaceSettings(
                deck.size.width, deck.size.height, deck.bleed, deck.safe, face.styles,
                tuple(game.colours.items()), fonts.files, tuple(sorted(fonts.patterns.items())),
                _compute_layout_key(game, deck, fonts), tuple(sorted(usable.items())),
            )  # fmt: skip
        face_input = FaceInput(
            face.key, face.language, face.make_html(), face.pictures, str(face.subject)
        )
        groups.setdefault(group, []).append(face_input)
    for group, inputs in groups.items():
        for start in range(0, len(inputs), size):
            yield FaceBatch(group[0], settings[group], inputs[start : start + size])


def draw_vector_art(pictures: Iterable[Art], store: Store) -> dict[str, str]:
    """Draw each SVG the store does not hold; return the error message of each failed digest."""
    failed: dict[str, str] = {}
    wanted = {art.digest: art for art in pictures if art.vector and not art.missing}
    store.fetch_entries(store.get_path("art", f"{digest}.pdf") for digest in wanted)
    for digest, art in wanted.items():
        path = store.get_path("art", f"{digest}.pdf")
        if store.has_entry(path):
            continue
        from cardgen.pdf.picture_conversion import convert_art  # noqa: PLC0415 - typst only when art is new

        try:
            store.write(path, convert_art(art, store.make_scratch_folder()))
        except UnusableArtError as error:
            failed[digest] = str(error)
    return failed


def _draw_face_art(faces: FaceSet, store: Store) -> None:
    failed = draw_vector_art((art for face in faces.faces for art in face.pictures), store)
    for face in faces.faces:
        for art in face.pictures:
            if art.digest in failed:
                where = Subject(face.deck.id, face.piece.id)
                message = failed[art.digest]
                faces.problems.append(Problem(face.piece.source, message, "art", subject=where))


def report_diagnostics(faces: FaceSet) -> None:
    """Add the diagnostics of faces to the problems, once per key."""
    reported: set[str] = set()
    coarse: dict[str, str] = {}
    for face in faces.faces:
        if face.key in reported or face.is_placeholder or face.deck.id in faces.blocked_decks:
            continue
        reported.add(face.key)
        for diagnostic in faces.diagnostics.get(face.key, ()):
            if diagnostic.kind in {image_sampling.PIXELS_KIND, fitting.TIGHTEST_KIND, MISSING_ART}:
                continue
            if diagnostic.kind == RESOLUTION_KIND:
                name, message = diagnostic.location, diagnostic.message
                coarse[name] = min(message, coarse.get(name, message), key=_parse_dpi)
                continue
            subject = face.subject if diagnostic.about_face else Subject(face.deck.id)
            source = diagnostic.locate(
                face.piece.source, f"{TEMPLATES_FOLDER}/" if diagnostic.about_face else ""
            )
            faces.problems.append(
                Problem(source, diagnostic.message, diagnostic.kind, diagnostic.severity, subject)
            )
    for name, message in coarse.items():
        faces.problems.append(Problem(Source(name), message, RESOLUTION_KIND, "warning"))


def _parse_dpi(message: str) -> int:
    """Return the resolution at the beginning of a message."""
    return int(message.partition(" ")[0])


def read_diagnostics(key: str, store: Store) -> list[Diagnostic] | None:
    """Return a face's diagnostics from the store, or None if it does not hold the face."""
    if not store.has_entry(store.get_path("faces", f"{key}.pdf")):
        return None
    return typeset_facts.read_diagnostics(store, key)

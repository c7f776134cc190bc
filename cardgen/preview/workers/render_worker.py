"""Worker that keeps a game loaded and rendered, and does the steps of a build one by one.

The public functions are called through `ResidentWorker`. A new process, whose predecessor died,
reads the game before it answers anything.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from cardgen.assets.font_files import ICON_FAMILY, FontFile, FontSet
from cardgen.core import work_limits
from cardgen.core.problems import Problem, ProblemsError, Source, Subject, has_errors
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import (
    diagnostics,
    drafts,
    fitting,
    queries,
    rendering,
    text_contrast,
    typesetting,
)
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.faces.queries import FaceQueries
from cardgen.game import loader, look_templates, reload
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Game
from cardgen.outputs.contract import ignore_progress
from cardgen.pdf.face_file import DraftLayer
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import Stages, check_rules, compute_time_limit, load_stages
from cardgen.pipeline.workspace import BUILD_FOLDER, open_workspace
from cardgen.preview.messages import (
    BatchResult,
    FaceName,
    FacePictureRecipe,
    FolderGoneError,
    GameLocation,
    GameUpdate,
    QuickUpdate,
)
from cardgen.preview.workers.descriptions import describe_card, describe_deck
from cardgen.rules import rule_file, rule_kinds
from cardgen.runtime import fingerprint, safe_files
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates.render_cache import SIDES

T = TypeVar("T")
CONTRAST_BATCH = 24
"""Number of faces whose contrast is measured in one call, where a rule needs it."""
CHECKED_BATCH = 4
"""Number of faces typeset without looking for a save meanwhile."""
SAVE_CHECK_SECONDS = 0.2
"""Interval at which a longer batch looks for a save."""
SWEEP_INTERVAL_SECONDS = 300.0
"""Interval at which unused entries are removed from the store."""


@dataclass
class RenderSession:
    """A game as it was last read and rendered."""

    location: GameLocation
    stages: Stages | None = None
    """None before the game was read, and when it cannot be read."""
    read_ahead: Stages | None = None
    """The game as it was read before anything was asked of it."""
    last_update: GameUpdate = field(default_factory=GameUpdate)
    faces_by_picture: dict[str, Face] = field(default_factory=dict)
    is_reported: bool = False
    """The caller of `update_game` has received `last_update`."""
    is_partial: bool = False
    """Only the first deck was rendered so far."""
    measured: set[str] = field(default_factory=set)
    """Digests of the faces whose contrast was measured, or took too long to measure."""
    sweep_at: float = 0.0

    @property
    def game(self) -> Game | None:
        return self.stages.game if self.stages else None

    @property
    def faces(self) -> FaceSet | None:
        return self.stages.faces if self.stages else None

    @property
    def store(self) -> Store:
        return self.stages.store if self.stages else Request(self.location.root).store

    def is_typeset(self, face: Face) -> bool:
        return self.store.has_entry(self.store.get_path("faces", f"{face.key}.pdf"))


_sessions: dict[GameLocation, RenderSession] = {}


def read_ahead(location: GameLocation) -> None:
    """Start the processes that typeset faces, and read the game meanwhile.

    It is the first call of a process, which the preview does not wait for. `render_first_deck` goes
    on from here; what ends it, ends that, too.
    """
    typesetting.start_workers(is_fresh=not _sessions)
    session = _sessions.setdefault(location, RenderSession(location))
    session.read_ahead, _ = run_in_build_folder(session, lambda: load_game_stages(location))


def render_first_deck(location: GameLocation, deck: str) -> GameUpdate | None:
    """Render one deck, or the first one, so that something can be shown early.

    `update_game` must follow. Return None when the game was read before or nothing can be shown.
    """
    session = _sessions.setdefault(location, RenderSession(location))
    if session.stages is not None:
        return None
    return run_in_build_folder(session, lambda: _render_first(session, deck))[0]


def update_game(location: GameLocation, *, anew: bool = False) -> GameUpdate | None:
    """Read the game again and render its templates, but typeset nothing.

    Return None when no file changed since the last update that was returned, unless `anew`. When
    only rulebooks changed, which are read when they are typeset, the last update is returned again.
    """
    session = _sessions.setdefault(location, RenderSession(location))
    if session.is_reported and session.stages and not anew:
        files = loader.scan_game_files(location.root)
        if files == session.stages.game.file_stamps:
            return None
        if same_game := reload.update_stamps(session.stages.game, files):
            session.stages.game = same_game
            return session.last_update
    session.is_reported = False
    _, problems = run_in_build_folder(session, lambda: _update_session(session))
    session.is_reported = not problems
    update = session.last_update
    return replace(update, problems=(*update.problems, *problems)) if problems else update


def quick_update(location: GameLocation, visible_decks: frozenset[str]) -> QuickUpdate | None:
    """Render what a save changed, where that is quick: an edited deck, the visible decks after an
    edit of templates, or the problems of edited rules.

    `update_game` must follow. Return None when only that can tell.
    """
    session = _sessions.get(location)
    if session is None or session.stages is None:
        return None
    stages = session.stages
    return run_in_build_folder(session, lambda: _update_quickly(session, stages, visible_decks))[0]


def typeset_batch(location: GameLocation, pictures: tuple[str, ...], limit: int) -> BatchResult:
    """Typeset pictures in their order, at most as many as the limit; those in the store are free.

    Pictures of an earlier update fail. The others are neither ready nor failed.
    """
    session = get_session(location)
    unknown = frozenset(pictures) - session.faces_by_picture.keys()
    chosen: dict[str, Face] = {}
    for picture in pictures:
        if picture not in unknown:
            face = session.faces_by_picture[picture]
            limit -= not session.is_typeset(face)
            if limit < 0:
                break
            chosen[picture] = face
    if not chosen:
        return BatchResult(failed=unknown)
    result, problems = run_in_build_folder(session, lambda: _typeset_chosen(session, chosen))
    if result is None:
        return BatchResult(failed=unknown | chosen.keys(), problems=dict.fromkeys(chosen, problems))
    return replace(result, failed=result.failed | unknown)


def measure_contrasts(location: GameLocation) -> bool:
    """Measure the contrast of some typeset faces, where a rule needs it; say if others are left."""
    session = get_session(location)
    if session.stages is None:
        return False
    game, faces, store = session.stages.game, session.stages.faces, session.store
    decks = rule_kinds.find_contrast_decks(game.rules)
    drawn = [each for each in faces.faces if each.deck.id in decks and not each.is_placeholder]
    session.measured &= {face.digest for face in drawn}
    unmeasured = {
        face.digest: face
        for face in drawn
        if face.digest not in session.measured and session.is_typeset(face)
    }
    batch = dict(islice(unmeasured.items(), CONTRAST_BATCH))
    session.measured |= batch.keys()
    run_in_build_folder(
        session, lambda: text_contrast.measure_contrasts(batch.values(), faces.fonts, store)
    )
    return len(batch) < len(unmeasured)


def check_game(location: GameLocation) -> tuple[Problem, ...]:
    """Check the game as a whole: rules, the table, fields that no template shows."""
    session = get_session(location)
    stages = session.stages
    if stages is None:
        return ()
    check = partial(_check_session, session, stages, stages.game)
    found, problems = run_in_build_folder(session, check)
    return (*(found or ()), *problems)


def clean_up(location: GameLocation) -> None:
    """Remove unused entries from the store now and then, and collect garbage."""
    session = get_session(location)
    if session.faces is not None and time.monotonic() >= session.sweep_at:
        _sweep_store(session, session.faces)
    # Freezing the rest keeps the collector from scanning all of it during the next saves.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _sweep_store(session: RenderSession, faces: FaceSet) -> None:
    """Remove what is not used, and what dead processes left, unless another process is at work."""
    folder = session.location.root / BUILD_FOLDER
    if not fingerprint.is_plain_folder(folder):
        return
    with suppress(_BusyError), safe_files.hold_folders([folder], _give_up) as is_alone:
        session.sweep_at = time.monotonic() + SWEEP_INTERVAL_SECONDS
        if is_alone:
            session.store.remove_leftovers()
        queries.sweep_store(session.store, queries.list_store_entries(faces))


class _BusyError(Exception):
    """Another process works in the build folder."""


def _give_up(_: Path) -> None:
    raise _BusyError


def get_session(location: GameLocation) -> RenderSession:
    """Return the game as it was last read; read it when it was not."""
    if location not in _sessions:
        update_game(location)
        _sessions[location].is_reported = False
    return _sessions[location]


def get_current_session(location: GameLocation) -> RenderSession:
    """Return the game as it is now; read it when a file changed."""
    update_game(location)
    return get_session(location)


def run_in_build_folder(
    session: RenderSession, work: Callable[[], T]
) -> tuple[T | None, tuple[Problem, ...]]:
    """Do work with the game's build folder locked for all but the preview's workers, so that what
    takes one of them long holds up no other.

    Return its result and no problems, or None and the problems that ended the work. Raises
    `FolderGoneError` where the game's folder is gone, whatever came of the work.
    """
    root, result = session.location.root, None
    problems: tuple[Problem, ...] = ()
    try:
        with open_workspace(Request(root), ignore_progress, shared=True) as attempts:
            for attempt in attempts:
                with attempt:
                    result = work()
    except ProblemsError as error:
        result, problems = None, tuple(error.problems)
    except OSError:
        if fingerprint.is_plain_folder(root):
            raise
    if not fingerprint.is_plain_folder(root):
        raise FolderGoneError
    return result, problems


def limit_time(game: Game, what: str) -> AbstractContextManager[object]:
    """Limit the time that reading and rendering a game's files takes."""
    return work_limits.work_limit(what, compute_time_limit(game))


def get_icon_fonts(fonts: FontSet) -> tuple[FontFile, ...]:
    """Return the icon fonts, which are subset again for every picture."""
    return tuple(font for font in fonts.files if font.family == ICON_FAMILY)


def load_game_stages(location: GameLocation) -> Stages:
    """Read the game and prepare its fonts. Raises `ProblemsError`."""
    request = Request(location.root, variant=location.variant)
    game, problems = rule_file.load_game(location.root)
    if game is not None and game.variants_only and not request.variant:
        request = replace(request, variant=next(iter(game.variants)))
    return load_stages(replace(request, loaded_game=(game, tuple(problems))))


def _render_first(session: RenderSession, first: str) -> GameUpdate | None:
    stages, session.read_ahead = session.read_ahead, None
    if stages is None or not loader.is_unchanged(stages.game):
        stages = load_game_stages(session.location)
    game = stages.game
    if not game.decks:
        return None
    deck = game.get_deck(first) or game.decks[0]
    stages.render([deck])
    session.stages, session.is_partial = stages, True
    pending = frozenset(each.id for each in game.decks if each is not deck)
    return replace(_describe_game(session, game, stages.faces, ()), pending_decks=pending)


def _update_session(session: RenderSession) -> None:
    is_partial, session.is_partial = session.is_partial, False
    try:
        if not (is_partial and session.stages and loader.is_unchanged(session.stages.game)):
            session.stages = load_game_stages(session.location)
    except ProblemsError as error:
        session.last_update = GameUpdate(problems=tuple(error.problems), is_complete=False)
        session.stages, session.faces_by_picture = None, {}
        return
    stages = session.stages
    try:
        stages.render()
        with limit_time(stages.game, "the placeholders of faces"):
            drafts.add_placeholders(stages.game, stages.faces, stages.list_problems())
    except ProblemsError as error:
        stages.use_faces(FaceSet(stages.fonts))
        problems = error.problems
    else:
        problems = stages.list_problems()
    loader.raise_if_changed(stages.game)
    session.faces_by_picture = {}
    with limit_time(stages.game, "the list of the game's cards"):
        update = _describe_game(session, stages.game, stages.faces, problems)
    session.last_update = replace(update, is_complete=not stages.has_unread_files)


def _update_quickly(
    session: RenderSession, stages: Stages, visible_decks: frozenset[str]
) -> QuickUpdate | None:
    game = stages.game
    files = loader.find_changed_files(game, loader.scan_game_files(game.root))
    if files == {rule_file.RULES_FILE} and not game.variants:
        game, problems = rule_file.reload_rules(game)
        if problems:
            return None
        return QuickUpdate(game_problems=_check_session(session, stages, game))
    if files and all(name.startswith(f"{TEMPLATES_FOLDER}/") for name in files):
        decks = [deck for deck in game.decks if deck.id in visible_decks]
    else:
        reloaded = reload.reload_deck(game, files)
        game, decks = (reloaded[0], [reloaded[1]]) if reloaded else (game, [])
    if not decks:
        return None
    with limit_time(game, "the templates of a deck"):
        faces = rendering.render_faces(game, stages.fonts, decks, game.languages, session.store)
    if has_errors(faces.problems):
        return None
    return QuickUpdate(_describe_game(session, replace(game, decks=tuple(decks)), faces, ()))


def _check_session(session: RenderSession, stages: Stages, game: Game) -> tuple[Problem, ...]:
    known, unread = session.last_update.problems, not session.last_update.is_complete
    try:
        with limit_time(game, "the game's rules and table"):
            facts = FaceQueries(game, stages.faces, stages.store, sets=True)
            problems = check_rules(game, stages.faces, known, facts, unread=unread)
            if not unread:
                facts = FaceQueries(stages.game, stages.faces, stages.store)
                problems += rule_file.check_face_rules(game, facts)[0]
    except LimitExceededError as error:
        problems = [Problem(Source(loader.FILE), f"rules and table together: {error}", "bounds")]
    return tuple(_relocate_problems(game, problems))


def _describe_game(
    session: RenderSession, game: Game, faces: FaceSet, problems: Sequence[Problem]
) -> GameUpdate:
    icons, store = get_icon_fonts(faces.fonts), session.store
    pictures: dict[FaceName, str] = {}
    placeholders: dict[FaceName, str] = {}
    recipes: dict[str, FacePictureRecipe] = {}
    for face in faces.faces if faces.fonts.files else ():
        picture = digest_picture(face, faces)
        name = FaceName(face.deck.id, face.piece.id, face.side, face.language)
        is_placeholder = face.is_placeholder or face.deck.id in faces.blocked_decks
        (placeholders if is_placeholder else pictures)[name] = picture
        if picture not in recipes:
            recipes[picture] = FacePictureRecipe(get_face_pdf(face, store), icons)
            session.faces_by_picture[picture] = face
    return GameUpdate(
        {code: game.title.get_plain_text(code) for code in game.languages},
        game.languages,
        tuple(describe_deck(deck, game) for deck in game.decks),
        tuple(describe_card(piece, game) for deck in game.decks for piece in deck.pieces),
        tuple(
            FaceName(deck.id, piece.id, side, language)
            for deck in game.decks
            for piece in deck.pieces
            for side in SIDES
            if deck.get_template(piece, side)
            for language in game.languages
        ),
        pictures,
        recipes,
        tuple(problems),
        placeholders=placeholders,
    )


def digest_picture(face: Face, faces: FaceSet) -> str:
    """Return a face's picture id: the digest of everything that decides how it looks."""
    return digest_parts([face.digest, faces.fonts.icon_digest])


def _relocate_problems(game: Game, problems: Sequence[Problem]) -> list[Problem]:
    """Move problems in the templates of a look to the lines of the cards that cause them."""
    return look_templates.relocate_problems(problems, {deck.id: deck for deck in game.decks})


def _watch_for_save(game: Game) -> Callable[[], bool]:
    """Return a function that says if no file of the game was saved since now. It does not look at
    the files every time, which takes as long as half a face."""
    files, checked_at, is_unchanged = loader.scan_game_files(game.root), time.monotonic(), True

    def is_wanted() -> bool:
        nonlocal checked_at, is_unchanged
        if is_unchanged and time.monotonic() - checked_at >= SAVE_CHECK_SECONDS:
            is_unchanged = loader.scan_game_files(game.root) == files
            checked_at = time.monotonic()
        return is_unchanged

    return is_wanted


def _typeset_chosen(session: RenderSession, chosen: dict[str, Face]) -> BatchResult:
    assert session.stages is not None
    game, store, fonts = session.stages.game, session.store, session.stages.fonts
    blocked_decks = session.stages.faces.blocked_decks
    batch = FaceSet(fonts, list(chosen.values()), blocked_decks=blocked_decks)
    is_wanted = _watch_for_save(game) if len(chosen) > CHECKED_BATCH else lambda: True
    typesetting.typeset_faces(game, batch, store, is_wanted=is_wanted)
    if not is_wanted():  # the next save comes before the faces that are left
        chosen = {p: face for p, face in chosen.items() if face.key in batch.diagnostics}
    ready: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    layers: dict[str, DraftLayer] = {}
    for picture, face in chosen.items():
        alone = FaceSet(fonts, [face], blocked_decks=blocked_decks, diagnostics=batch.diagnostics)
        typesetting.report_diagnostics(alone)
        subject = Subject(face.deck.id, face.piece.id)
        art = [problem for problem in batch.problems if problem.subject == subject]
        problems[picture] = tuple(_relocate_problems(game, [*alone.problems, *art]))
        if session.is_typeset(face):
            ready.add(picture)
            if (marks := drafts.find_marks(face, batch)) != diagnostics.NO_MARKS:
                layers[picture] = replace(marks, messages=())  # the page lists the messages
    failed = {picture: face for picture, face in chosen.items() if picture not in ready}
    placeholders = _typeset_placeholders(session, failed, problems)
    fits = {
        picture: tightness
        for picture, face in chosen.items()
        if (tightness := fitting.read_tightness(batch.diagnostics.get(face.key, ()))) is not None
    }
    return BatchResult(frozenset(ready), frozenset(failed), problems, fits, layers, placeholders)


def _typeset_placeholders(
    session: RenderSession, failed: dict[str, Face], problems: dict[str, tuple[Problem, ...]]
) -> dict[str, tuple[str, FacePictureRecipe]]:
    """Typeset placeholders for pictures that failed; return each one's picture and recipe."""
    assert session.stages is not None
    game, store = session.stages.game, session.store
    batch, recipes = FaceSet(session.stages.fonts), {}
    for picture, face in failed.items():
        placeholder = drafts.make_placeholder(game, batch.fonts, face, problems[picture])
        batch.faces.append(placeholder)
        name = digest_parts([placeholder.digest])
        session.faces_by_picture[name] = placeholder
        recipes[picture] = name, FacePictureRecipe(get_face_pdf(placeholder, store), ())
    typesetting.typeset_faces(game, batch, store)
    return {
        picture: recipes[picture]
        for picture, face in zip(failed, batch.faces, strict=True)
        if session.is_typeset(face)
    }

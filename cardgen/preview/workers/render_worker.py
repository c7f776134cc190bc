"""The press: a helper process that keeps a game with its templates and fonts loaded, and takes the
steps of a build on it one by one.

Each function is one call of `workers.Resident`. A process that is new, since the one before it
died, looks at the game first, whatever it is asked.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from cardgen.assets import font_files
from cardgen.assets.font_files import ICON_FAMILY, FontSet
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
from cardgen.game import card_text, loader, look_templates, reload
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Game, Piece, Text, walk_values
from cardgen.outputs.contract import ignore_progress
from cardgen.pdf.face_file import DraftLayer
from cardgen.pipeline import stages
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import NotInGameError
from cardgen.pipeline.workspace import run_locked
from cardgen.preview.messages import (
    BatchResult,
    CardInfo,
    DeckInfo,
    FaceName,
    FacePictureRecipe,
    GameUpdate,
    QuickUpdate,
)
from cardgen.rules import rule_file, rule_kinds
from cardgen.runtime import fingerprint
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.tabletop import card_descriptions
from cardgen.templates.render_cache import SIDES

T = TypeVar("T")
MAX_CONTRAST_FACES = 24
"""Of so many faces at once it is told how their texts stand out, where a rule asks."""
SWEEP_INTERVAL_SECONDS = 300.0
"""s between two looks for what the store holds of faces that are long gone."""


@dataclass(frozen=True)
class GameLocation:
    """Which game is looked at: its folder, and the variant, "" for the whole."""

    root: Path
    variant: str = ""


@dataclass(frozen=True)
class _PreparedGame:
    """A game that was read, and what is wrong with its files."""

    game: Game
    fonts: FontSet
    problems: list[Problem]


@dataclass
class RenderSession:
    """A game as it was when it was last looked at."""

    location: GameLocation
    game: Game | None = None
    faces: FaceSet | None = None
    last_update: GameUpdate = field(default_factory=GameUpdate)
    faces_by_picture: dict[str, Face] = field(default_factory=dict)
    is_reported: bool = False
    """Whether whoever asks for looks knows this one."""
    sweep_at: float = 0.0
    prepared: _PreparedGame | None = None
    """What was read for the first cards, and is there for the look that follows."""

    @property
    def store(self) -> Store:
        request = Request(self.location.root)
        return request.open_store(self.game) if self.game else request.store

    def is_typeset(self, face: Face) -> bool:
        """Whether a face is set already."""
        return self.store.has_entry(self.store.get_path("faces", f"{face.key}.pdf"))


_sessions: dict[GameLocation, RenderSession] = {}


def warm_up(_: None) -> None:
    """Start what sets faces, while the game is read."""
    typesetting.start_workers()


def render_first_deck(call: tuple[GameLocation, str]) -> GameUpdate | None:
    """The game with the pictures of one deck, or of its first, so that something is to be seen
    while the others are looked at; None when a look is needed at once. A look must follow."""
    place, deck = call
    press = _sessions.setdefault(place, RenderSession(place))
    if press.game is not None:
        return None
    found: list[GameUpdate] = []
    try:
        run_in_build_folder(
            press, lambda: found.extend(_render_first(press, deck)), lambda _: found.clear()
        )
    except LimitExceededError:
        return None
    return found[0] if found else None


def update_game(place: GameLocation) -> GameUpdate | None:
    """Read the game anew and render its templates; nothing is typeset. None when no file is
    another than when this last told of it. Where only rulebooks are, which are read when they are
    written, the game is as it was."""
    press = _sessions.setdefault(place, RenderSession(place))
    if press.is_reported and press.game is not None:
        now = loader.scan_game_files(place.root)
        if now == press.game.file_stamps:
            return None
        if same := reload.update_stamps(press.game, now):
            press.game = same
            return press.last_update
    told: list[Problem] = []
    run_in_build_folder(press, lambda: _update_session(press), told.append)
    press.is_reported = True
    return (
        replace(press.last_update, problems=(*press.last_update.problems, *told))
        if told
        else press.last_update
    )


def quick_update(call: tuple[GameLocation, frozenset[str]]) -> QuickUpdate | None:
    """What can be told at once of a save, and nothing else of the game: an edited deck, the decks
    that are in view after an edit of templates, what edited rules say. None when a look is needed;
    a look must follow."""
    place, in_view = call
    press = _sessions.get(place)
    if press is None or press.game is None or press.faces is None:
        return None
    found: list[QuickUpdate] = []
    try:
        run_in_build_folder(
            press, lambda: found.extend(_find_quick_update(press, in_view)), lambda _: found.clear()
        )
    except LimitExceededError:
        return None
    return found[0] if found else None


def typeset_batch(call: tuple[GameLocation, tuple[str, ...], int]) -> BatchResult:
    """See to these pictures in their order, until so many faces are typeset; what the store holds
    costs nothing. Pictures of another look than the last have failed, and the rest is neither that
    nor ready."""
    place, pictures, most = call
    press = get_session(place)
    unknown = frozenset(pictures) - press.faces_by_picture.keys()
    chosen: dict[str, Face] = {}
    for picture in pictures:
        if picture not in unknown:
            face = press.faces_by_picture[picture]
            most -= not press.is_typeset(face)
            if most < 0:
                break
            chosen[picture] = face
    if not chosen:
        return BatchResult(failed=unknown)
    told: list[Problem] = []
    done = run_in_build_folder(press, lambda: _typeset_chosen(press, chosen), told.append)
    if done is None:
        problems = dict.fromkeys(chosen, tuple(told))
        return BatchResult(failed=unknown | chosen.keys(), problems=problems)
    return replace(done, failed=done.failed | unknown)


def check_game(place: GameLocation) -> tuple[Problem, ...]:
    """What is wrong with the game as a whole: rules, the table, fields that nothing shows."""
    press = get_session(place)
    game, told = press.game, list[Problem]()
    found = (
        run_in_build_folder(press, lambda: _check_session(press, game), told.append) if game else ()
    )
    return (*(found or ()), *told)


def clean_up(place: GameLocation) -> None:
    """Forget what is long gone, in the store now and then, and be ready to set the next face."""
    press = get_session(place)
    if press.faces is not None and time.monotonic() >= press.sweep_at:
        press.sweep_at = time.monotonic() + SWEEP_INTERVAL_SECONDS
        queries.sweep_store(press.store, queries.list_store_entries(press.faces))
    # What is left is kept: looking through all of it for garbage would hold up the next saves.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def get_session(place: GameLocation) -> RenderSession:
    """The game as it was at the last look, or else now."""
    if place not in _sessions:
        update_game(place)
        _sessions[place].is_reported = False
    return _sessions[place]


def get_current_session(place: GameLocation) -> RenderSession:
    """The game as it is now: looked at, where a file is another than at the last look."""
    update_game(place)
    return get_session(place)


def run_in_build_folder(
    press: RenderSession, work: Callable[[], T], tell: Callable[[Problem], object]
) -> T | None:
    """Work alone in the game's build folder; what the machine refuses is told."""
    root = press.location.root
    try:
        return run_locked(Request(root), ignore_progress, lambda _: work())
    except ProblemsError as error:
        for problem in error.problems:
            tell(problem)
    except FileNotFoundError:
        if fingerprint.is_plain_folder(root):
            raise
        tell(Problem(Source(loader.FILE), "the game's folder is gone", "file"))
    return None


def _read_session_game(press: RenderSession) -> _PreparedGame | None:
    """The game and its fonts, which look at nothing of its templates. None, and told, where there
    is no game."""
    request = Request(press.location.root, variant=press.location.variant)
    game, problems = rule_file.load_game(press.location.root)
    if game is not None and game.variants_only and not request.variant:
        request = replace(request, variant=next(iter(game.variants)))
    try:
        game = game and request.select_variant(game)
    except NotInGameError as error:
        game, problems = None, [*problems, Problem(Source(error.option), str(error), "asked")]
    if game is None:
        press.last_update = GameUpdate(problems=tuple(problems), is_complete=False)
        press.game = press.faces = None
        press.faces_by_picture = {}
        return None
    fonts, font_problems = font_files.prepare_fonts(game, request.open_store(game))
    return _PreparedGame(game, fonts, [*problems, *font_problems])


def _render_first(press: RenderSession, first: str) -> Iterator[GameUpdate]:
    begun = _read_session_game(press)
    if begun is None or not begun.game.decks:
        return
    game = begun.game
    deck = game.get_deck(first) or game.decks[0]
    with work_limits.work_limit("the templates of a deck", stages.compute_time_limit(game)):
        faces = rendering.render_faces(game, begun.fonts, [deck], game.languages, press.store)
    press.prepared, press.game, press.faces = begun, game, faces
    coming = frozenset(each.id for each in game.decks if each is not deck)
    yield replace(_describe_game(press, game, faces, (), whole=True), pending_decks=coming)


def _update_session(press: RenderSession) -> None:
    begun, press.prepared = press.prepared, None
    if begun is None or not loader.is_unchanged(begun.game):
        begun = _read_session_game(press)
    if begun is None:
        return
    game, problems = begun.game, begun.problems
    whole = not any(problem.kind in UNREADABLE_KINDS for problem in problems)
    press.game, faces = game, FaceSet(begun.fonts)
    try:
        with work_limits.work_limit(
            "the game's texts and templates", stages.compute_time_limit(game)
        ):
            problems += card_text.check_card_texts(game)
            faces = rendering.render_faces(
                game, begun.fonts, game.decks, game.languages, press.store
            )
            drafts.add_placeholders(
                game, faces, _reword_problems(game, [*problems, *faces.problems])
            )
    except LimitExceededError as error:
        message = f"texts and templates together: {error}"
        problems.append(Problem(Source(loader.FILE), message, "bounds"))
    loader.raise_if_changed(game)
    press.faces, press.faces_by_picture = faces, {}
    with work_limits.work_limit("the game's cards, listed", stages.compute_time_limit(game)):
        press.last_update = _describe_game(
            press, game, faces, [*problems, *faces.problems], whole=whole
        )


def _find_quick_update(press: RenderSession, in_view: frozenset[str]) -> Iterator[QuickUpdate]:
    assert press.game is not None
    assert press.faces is not None
    game = press.game
    files = loader.find_changed_files(game, loader.scan_game_files(game.root))
    if files == {rule_file.RULES_FILE} and not game.variants:
        game, problems = rule_file.reload_rules(game)
        if not problems:
            yield QuickUpdate(game_problems=_check_session(press, game))
        return
    if files and all(name.startswith(f"{TEMPLATES_FOLDER}/") for name in files):
        decks = [deck for deck in game.decks if deck.id in in_view]
    else:
        reread = reload.reload_deck(game, files)
        game, decks = (reread[0], [reread[1]]) if reread else (game, [])
    if not decks:
        return
    with work_limits.work_limit("the templates of a deck", stages.compute_time_limit(game)):
        faces = rendering.render_faces(game, press.faces.fonts, decks, game.languages, press.store)
    if not has_errors(faces.problems):
        yield QuickUpdate(
            _describe_game(press, replace(game, decks=tuple(decks)), faces, (), whole=True)
        )


def _check_session(press: RenderSession, game: Game) -> tuple[Problem, ...]:
    if press.faces is None:
        return ()
    told, unread = press.last_update.problems, not press.last_update.is_complete
    try:
        with work_limits.work_limit("the game's rules and table", stages.compute_time_limit(game)):
            known = FaceQueries(game, press.faces, press.store, sets=True)
            found = stages.check_rules(game, press.faces, told, known, unread=unread)
            found += [] if unread else rule_file.check_face_rules(game, read_face_facts(press))[0]
    except LimitExceededError as error:
        found = [Problem(Source(loader.FILE), f"rules and table together: {error}", "bounds")]
    return tuple(_reword_problems(game, found))


def read_face_facts(press: RenderSession) -> FaceFactsSource:
    """What the faces tell of themselves that are set by now."""
    if press.game is None or press.faces is None:
        return NO_FACE_FACTS
    return FaceQueries(press.game, press.faces, press.store)


def _describe_game(
    press: RenderSession, game: Game, faces: FaceSet, problems: Sequence[Problem], *, whole: bool
) -> GameUpdate:
    icons = tuple(cut for cut in faces.fonts.files if cut.family == ICON_FAMILY)
    store = press.store
    pictures: dict[FaceName, str] = {}
    instead: dict[FaceName, str] = {}
    recipes: dict[str, FacePictureRecipe] = {}
    for face in faces.faces if faces.fonts.files else ():
        picture = digest_picture(face, faces)
        name = FaceName(face.deck.id, face.piece.id, face.side, face.language)
        unfit = face.is_placeholder or face.deck.id in faces.blocked_decks
        (instead if unfit else pictures)[name] = picture
        if picture not in recipes:
            recipes[picture] = FacePictureRecipe(get_face_pdf(face, store), icons)
            press.faces_by_picture[picture] = face
    return GameUpdate(
        {code: game.title.get_plain_text(code) for code in game.languages},
        game.languages,
        tuple(_describe_deck(deck, game) for deck in game.decks),
        tuple(_describe_card(piece, game) for deck in game.decks for piece in deck.pieces),
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
        tuple(_reword_problems(game, problems)),
        whole,
        instead,
    )


def digest_picture(face: Face, faces: FaceSet) -> str:
    """The digest of all that decides how a face looks."""
    return digest_parts([face.digest, faces.fonts.icon_digest])


def _describe_deck(deck: Deck, game: Game) -> DeckInfo:
    return DeckInfo(
        deck.id,
        {code: deck.title.get_plain_text(code) for code in game.languages},
        deck.size.width, deck.size.height, deck.bleed, deck.safe, deck.form.corner, deck.shape,
        deck.count, deck.source.path, deck.source.line,
    )  # fmt: skip


def _describe_card(piece: Piece, game: Game) -> CardInfo:
    said = [
        value[code]
        for value in walk_values(tuple(piece.values.values()))
        if isinstance(value, Text)
        for code in game.languages
    ]
    name = {code: card_descriptions.format_nickname(piece, game, code) for code in game.languages}
    words = "\n".join(dict.fromkeys(said)).replace("\u00ad", "")
    source = piece.source
    return CardInfo(piece.deck, piece.id, piece.copies, name, words, source.path, source.line)


def _reword_problems(game: Game, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the words of those who wrote a look's deck."""
    decks = {deck.id: deck for deck in game.decks}
    return look_templates.relocate_problems(problems, decks)


def _typeset_chosen(press: RenderSession, chosen: dict[str, Face]) -> BatchResult:
    assert press.game is not None
    assert press.faces is not None
    store, fonts = press.store, press.faces.fonts
    part = FaceSet(fonts, list(chosen.values()), blocked_decks=press.faces.blocked_decks)
    typesetting.typeset_faces(press.game, part, store, resident=True)
    decks = rule_kinds.find_contrast_decks(press.game.rules)
    asked = [face for face in part.faces if face.deck.id in decks and not face.is_placeholder]
    text_contrast.measure_contrasts(asked, fonts, store, most=MAX_CONTRAST_FACES)
    ready: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    layers: dict[str, DraftLayer] = {}
    for picture, face in chosen.items():
        alone = FaceSet(
            fonts, [face], blocked_decks=part.blocked_decks, diagnostics=part.diagnostics
        )
        typesetting.report_diagnostics(alone)
        subject = Subject(face.deck.id, face.piece.id)
        art = [problem for problem in part.problems if problem.subject == subject]
        problems[picture] = tuple(_reword_problems(press.game, [*alone.problems, *art]))
        if press.is_typeset(face):
            ready.add(picture)
            if (found := drafts.find_marks(face, part)) != diagnostics.NO_MARKS:
                layers[picture] = replace(found, messages=())  # they stand beside it
    failed = {picture: face for picture, face in chosen.items() if picture not in ready}
    instead = _typeset_placeholders(press, press.game, failed, problems)
    tight = {
        picture: fitting.read_tightness(part.diagnostics.get(face.key, ()))
        for picture, face in chosen.items()
    }
    fits = {picture: each for picture, each in tight.items() if each is not None}
    return BatchResult(frozenset(ready), frozenset(failed), problems, fits, layers, instead)


def _typeset_placeholders(
    press: RenderSession,
    game: Game,
    failed: dict[str, Face],
    told: dict[str, tuple[Problem, ...]],
) -> dict[str, tuple[str, FacePictureRecipe]]:
    """What stands in the place of pictures that could not be set, set."""
    assert press.faces is not None
    store, made, recipes = press.store, FaceSet(press.faces.fonts), {}
    for picture, face in failed.items():
        held = drafts.make_placeholder(game, made.fonts, face, told[picture])
        made.faces.append(held)
        name = digest_parts([held.digest])
        press.faces_by_picture[name] = held
        recipes[picture] = name, FacePictureRecipe(get_face_pdf(held, store), ())
    typesetting.typeset_faces(game, made, store)
    return {picture: recipes[picture] for picture, face in zip(failed, made.faces, strict=True)
            if press.is_typeset(face)}  # fmt: skip

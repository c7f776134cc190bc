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

from cardgen import examining
from cardgen.asking import NotThere
from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import ICON_FAMILY, FontSet
from cardgen.base import guard, noted
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, Subject, has_errors
from cardgen.base.store import Store, digest_of
from cardgen.build_folder import Desk, steadily
from cardgen.faces import chunks, contrast, drafts, faults, in_use, produce, tightness
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.known import OfFaces
from cardgen.faces.produce import Face, Faces
from cardgen.game import loading, rereading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.face_facts import NOTHING, Known
from cardgen.game.looks import drawing_up
from cardgen.game.model import Deck, Game, Piece, Text, walk
from cardgen.outputs.contract import quiet
from cardgen.outputs.tables import descriptions
from cardgen.pdf.face_file import Layer
from cardgen.preview.seen import CardSeen, DeckSeen, FaceName, Glance, Recipe, Seen, Settled
from cardgen.request import Request
from cardgen.rules import composition, rulekinds
from cardgen.templates.cache import SIDES
from cardgen.templates.render import FOLDER

T = TypeVar("T")
_LOOKED_AT = 24
"""Of so many faces at once it is told how their texts stand out, where a rule asks."""
_SWEEP_EVERY = 300.0
"""s between two looks for what the store holds of faces that are long gone."""


@dataclass(frozen=True)
class Place:
    """Which game is looked at: its folder, and the variant, "" for the whole."""

    root: Path
    variant: str = ""


@dataclass(frozen=True)
class _Begun:
    """A game that was read, and what is wrong with its files."""

    game: Game
    fonts: FontSet
    problems: list[Problem]


@dataclass
class Press:
    """A game as it was when it was last looked at."""

    place: Place
    game: Game | None = None
    faces: Faces | None = None
    seen: Seen = field(default_factory=Seen)
    by_picture: dict[str, Face] = field(default_factory=dict)
    told: bool = False
    """Whether whoever asks for looks knows this one."""
    sweep_at: float = 0.0
    begun: _Begun | None = None
    """What was read for the first cards, and is there for the look that follows."""

    @property
    def store(self) -> Store:
        request = Request(self.place.root)
        return request.store_of(self.game) if self.game else request.store

    def holds(self, face: Face) -> bool:
        """Whether a face is set already."""
        return self.store.has(self.store.path("faces", f"{face.key}.pdf"))


_presses: dict[Place, Press] = {}


def get_ready(_: None) -> None:
    """Start what sets faces, while the game is read."""
    chunks.get_ready()


def begin(call: tuple[Place, str]) -> Seen | None:
    """The game with the pictures of one deck, or of its first, so that something is to be seen
    while the others are looked at; None when a look is needed at once. A look must follow."""
    place, deck = call
    press = _presses.setdefault(place, Press(place))
    if press.game is not None:
        return None
    found: list[Seen] = []
    try:
        alone(press, lambda: found.extend(_begin(press, deck)), lambda _: found.clear())
    except Stopped:
        return None
    return found[0] if found else None


def look(place: Place) -> Seen | None:
    """Read the game anew and render its templates; nothing is typeset. None when no file is
    another than when this last told of it. Where only rulebooks are, which are read when they are
    written, the game is as it was."""
    press = _presses.setdefault(place, Press(place))
    if press.told and press.game is not None:
        now = loading.seen(place.root)
        if now == press.game.seen:
            return None
        if same := rereading.unread(press.game, now):
            press.game = same
            return press.seen
    told: list[Problem] = []
    alone(press, lambda: _look(press), told.append)
    press.told = True
    return replace(press.seen, problems=(*press.seen.problems, *told)) if told else press.seen


def glance(call: tuple[Place, frozenset[str]]) -> Glance | None:
    """What can be told at once of a save, and nothing else of the game: an edited deck, the decks
    that are in view after an edit of templates, what edited rules say. None when a look is needed;
    a look must follow."""
    place, in_view = call
    press = _presses.get(place)
    if press is None or press.game is None or press.faces is None:
        return None
    found: list[Glance] = []
    try:
        alone(press, lambda: found.extend(_glance(press, in_view)), lambda _: found.clear())
    except Stopped:
        return None
    return found[0] if found else None


def settle(call: tuple[Place, tuple[str, ...], int]) -> Settled:
    """See to these pictures in their order, until so many faces are typeset; what the store holds
    costs nothing. Pictures of another look than the last have failed, and the rest is neither that
    nor ready."""
    place, pictures, most = call
    press = at(place)
    unknown = frozenset(pictures) - press.by_picture.keys()
    chosen: dict[str, Face] = {}
    for picture in pictures:
        if picture not in unknown:
            face = press.by_picture[picture]
            most -= not press.holds(face)
            if most < 0:
                break
            chosen[picture] = face
    if not chosen:
        return Settled(failed=unknown)
    told: list[Problem] = []
    done = alone(press, lambda: _settle(press, chosen), told.append)
    if done is None:
        problems = dict.fromkeys(chosen, tuple(told))
        return Settled(failed=unknown | chosen.keys(), problems=problems)
    return replace(done, failed=done.failed | unknown)


def hold(place: Place) -> tuple[Problem, ...]:
    """What is wrong with the game as a whole: rules, the table, fields that nothing shows."""
    press = at(place)
    game, told = press.game, list[Problem]()
    found = alone(press, lambda: _held(press, game), told.append) if game else ()
    return (*(found or ()), *told)


def tidy(place: Place) -> None:
    """Forget what is long gone, in the store now and then, and be ready to set the next face."""
    press = at(place)
    if press.faces is not None and time.monotonic() >= press.sweep_at:
        press.sweep_at = time.monotonic() + _SWEEP_EVERY
        in_use.sweep(press.store, in_use.in_use(press.faces))
    # What is left is kept: looking through all of it for garbage would hold up the next saves.
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def at(place: Place) -> Press:
    """The game as it was at the last look, or else now."""
    if place not in _presses:
        look(place)
        _presses[place].told = False
    return _presses[place]


def now(place: Place) -> Press:
    """The game as it is now: looked at, where a file is another than at the last look."""
    look(place)
    return at(place)


def alone(press: Press, work: Callable[[], T], tell: Callable[[Problem], object]) -> T | None:
    """Work alone in the game's build folder; what the machine refuses is told."""

    def failed(problem: Problem) -> None:
        tell(problem)

    root = press.place.root
    try:
        return steadily(Desk(root), quiet, lambda _again: work(), failed)
    except FileNotFoundError:
        if noted.is_folder(root):
            raise
        tell(Problem(Source(loading.FILE), "the game's folder is gone", "file"))
        return None


def _read(press: Press) -> _Begun | None:
    """The game and its fonts, which look at nothing of its templates. None, and told, where there
    is no game."""
    request = Request(press.place.root, variant=press.place.variant)
    game, problems = composition.load(press.place.root)
    if game is not None and game.alone and not request.variant:
        request = replace(request, variant=next(iter(game.variants)))
    try:
        game = game and request.of_variant(game)
    except NotThere as error:
        game, problems = None, [*problems, Problem(Source(error.option), str(error), "asked")]
    if game is None:
        press.seen = Seen(problems=tuple(problems), whole=False)
        press.game = press.faces = None
        press.by_picture = {}
        return None
    fonts, font_problems = fontfiles.prepare(game, request.store_of(game))
    return _Begun(game, fonts, [*problems, *font_problems])


def _begin(press: Press, first: str) -> Iterator[Seen]:
    begun = _read(press)
    if begun is None or not begun.game.decks:
        return
    game = begun.game
    deck = game.deck(first) or game.decks[0]
    with guard.at("the templates of a deck", examining.seconds_of(game)):
        faces = produce.order(game, begun.fonts, [deck], game.languages, press.store)
    press.begun, press.game, press.faces = begun, game, faces
    coming = frozenset(each.id for each in game.decks if each is not deck)
    yield replace(_seen(press, game, faces, (), whole=True), coming=coming)


def _look(press: Press) -> None:
    begun, press.begun = press.begun, None
    if begun is None or not loading.is_still(begun.game):
        begun = _read(press)
    if begun is None:
        return
    game, problems = begun.game, begun.problems
    whole = not any(problem.kind in UNREAD for problem in problems)
    press.game, faces = game, Faces(begun.fonts)
    try:
        with guard.at("the game's texts and templates", examining.seconds_of(game)):
            problems += texts.problems(game)
            faces = produce.order(game, begun.fonts, game.decks, game.languages, press.store)
            drafts.fill(game, faces, _told(game, [*problems, *faces.problems]))
    except Stopped as error:
        message = f"texts and templates together: {error}"
        problems.append(Problem(Source(loading.FILE), message, "bounds"))
    loading.hold_still(game)
    press.faces, press.by_picture = faces, {}
    with guard.at("the game's cards, listed", examining.seconds_of(game)):
        press.seen = _seen(press, game, faces, [*problems, *faces.problems], whole=whole)


def _glance(press: Press, in_view: frozenset[str]) -> Iterator[Glance]:
    assert press.game is not None
    assert press.faces is not None
    game = press.game
    files = loading.changed(game, loading.seen(game.root))
    if files == {composition.FILE} and not game.variants:
        game, problems = composition.reread(game)
        if not problems:
            yield Glance(of_game=_held(press, game))
        return
    if files and all(name.startswith(f"{FOLDER}/") for name in files):
        decks = [deck for deck in game.decks if deck.id in in_view]
    else:
        reread = rereading.reread(game, files)
        game, decks = (reread[0], [reread[1]]) if reread else (game, [])
    if not decks:
        return
    with guard.at("the templates of a deck", examining.seconds_of(game)):
        faces = produce.order(game, press.faces.fonts, decks, game.languages, press.store)
    if not has_errors(faces.problems):
        yield Glance(_seen(press, replace(game, decks=tuple(decks)), faces, (), whole=True))


def _held(press: Press, game: Game) -> tuple[Problem, ...]:
    if press.faces is None:
        return ()
    told, unread = press.seen.problems, not press.seen.whole
    try:
        with guard.at("the game's rules and table", examining.seconds_of(game)):
            known = OfFaces(game, press.faces, press.store, sets=True)
            found = examining.held(game, press.faces, told, known, unread=unread)
            found += [] if unread else composition.check_faces(game, known_now(press))[0]
    except Stopped as error:
        found = [Problem(Source(loading.FILE), f"rules and table together: {error}", "bounds")]
    return tuple(_told(game, found))


def known_now(press: Press) -> Known:
    """What the faces tell of themselves that are set by now."""
    if press.game is None or press.faces is None:
        return NOTHING
    return OfFaces(press.game, press.faces, press.store)


def _seen(
    press: Press, game: Game, faces: Faces, problems: Sequence[Problem], *, whole: bool
) -> Seen:
    icons = tuple(cut for cut in faces.fonts.cuts if cut.family == ICON_FAMILY)
    store = press.store
    pictures: dict[FaceName, str] = {}
    instead: dict[FaceName, str] = {}
    recipes: dict[str, Recipe] = {}
    for face in faces.faces if faces.fonts.cuts else ():
        picture = picture_of(face, faces)
        name = FaceName(face.deck.id, face.piece.id, face.side, face.language)
        unfit = face.instead or face.deck.id in faces.waiting
        (instead if unfit else pictures)[name] = picture
        if picture not in recipes:
            recipes[picture] = Recipe(face_pdf(face, store), icons)
            press.by_picture[picture] = face
    return Seen(
        {code: game.title.spoken(code) for code in game.languages},
        game.languages,
        tuple(_deck(deck, game) for deck in game.decks),
        tuple(_card(piece, game) for deck in game.decks for piece in deck.pieces),
        tuple(
            FaceName(deck.id, piece.id, side, language)
            for deck in game.decks
            for piece in deck.pieces
            for side in SIDES
            if deck.template(piece, side)
            for language in game.languages
        ),
        pictures,
        recipes,
        tuple(_told(game, problems)),
        whole,
        instead,
    )


def picture_of(face: Face, faces: Faces) -> str:
    """The digest of all that decides how a face looks."""
    return digest_of([face.digest, faces.fonts.icon_digest])


def _deck(deck: Deck, game: Game) -> DeckSeen:
    return DeckSeen(
        deck.id,
        {code: deck.title.spoken(code) for code in game.languages},
        deck.size.width, deck.size.height, deck.bleed, deck.safe, deck.form.corner, deck.shape,
        deck.count, deck.source.path, deck.source.line,
    )  # fmt: skip


def _card(piece: Piece, game: Game) -> CardSeen:
    said = [
        value[code]
        for value in walk(tuple(piece.values.values()))
        if isinstance(value, Text)
        for code in game.languages
    ]
    name = {code: descriptions.nickname(piece, game, code) for code in game.languages}
    words = "\n".join(dict.fromkeys(said)).replace("\u00ad", "")
    source = piece.source
    return CardSeen(piece.deck, piece.id, piece.copies, name, words, source.path, source.line)


def _told(game: Game, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the words of those who wrote a look's deck."""
    decks = {deck.id: deck for deck in game.decks}
    return drawing_up.told(problems, decks)


def _settle(press: Press, chosen: dict[str, Face]) -> Settled:
    assert press.game is not None
    assert press.faces is not None
    store, fonts = press.store, press.faces.fonts
    part = Faces(fonts, list(chosen.values()), waiting=press.faces.waiting)
    produce.make(press.game, part, store, resident=True)
    decks = rulekinds.asking_for_contrasts(press.game.rules)
    asked = [face for face in part.faces if face.deck.id in decks and not face.instead]
    contrast.make(asked, fonts, store, most=_LOOKED_AT)
    ready: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    layers: dict[str, Layer] = {}
    for picture, face in chosen.items():
        alone = Faces(fonts, [face], waiting=part.waiting, remarks=part.remarks)
        produce.report(alone)
        subject = Subject(face.deck.id, face.piece.id)
        art = [problem for problem in part.problems if problem.subject == subject]
        problems[picture] = tuple(_told(press.game, [*alone.problems, *art]))
        if press.holds(face):
            ready.add(picture)
            if (found := drafts.shown(face, part)) != faults.NOTHING:
                layers[picture] = replace(found, words=())  # they stand beside it
    failed = {picture: face for picture, face in chosen.items() if picture not in ready}
    instead = _instead(press, press.game, failed, problems)
    tight = {
        picture: tightness.of(part.remarks.get(face.key, ())) for picture, face in chosen.items()
    }
    fits = {picture: each for picture, each in tight.items() if each is not None}
    return Settled(frozenset(ready), frozenset(failed), problems, fits, layers, instead)


def _instead(
    press: Press,
    game: Game,
    failed: dict[str, Face],
    told: dict[str, tuple[Problem, ...]],
) -> dict[str, tuple[str, Recipe]]:
    """What stands in the place of pictures that could not be set, set."""
    assert press.faces is not None
    store, made, recipes = press.store, Faces(press.faces.fonts), {}
    for picture, face in failed.items():
        held = drafts.placeholder(game, made.fonts, face, told[picture])
        made.faces.append(held)
        name = digest_of([held.digest])
        press.by_picture[name] = held
        recipes[picture] = name, Recipe(face_pdf(held, store), ())
    produce.make(game, made, store)
    return {picture: recipes[picture] for picture, face in zip(failed, made.faces, strict=True)
            if press.holds(face)}  # fmt: skip

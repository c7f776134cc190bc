"""The press: a helper process that keeps a game with its templates and fonts loaded, and takes the
steps of a build on it one by one.

Each function is one call of `workers.Resident`. A process that is new, since the one before it
died, looks at the game first, whatever it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from cardgen import examining
from cardgen.asking import Cards, NotThere, narrowed
from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import ICON_FAMILY
from cardgen.base import guard, noted
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, Subject, has_errors
from cardgen.base.store import Store, digest_of
from cardgen.build_folder import Desk, steadily
from cardgen.faces import chunks, in_use, produce
from cardgen.faces.produce import Face, Faces
from cardgen.game import folder, inventory, loading, rereading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.looks import drawing_up
from cardgen.game.model import Deck, Game, Piece, Text, walk
from cardgen.outputs.contract import face_pdf, quiet
from cardgen.outputs.tables import descriptions
from cardgen.preview.seen import CardSeen, DeckSeen, FaceName, Recipe, Seen, Settled
from cardgen.request import Request
from cardgen.rules import composition
from cardgen.templates.cache import SIDES

T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """Which game is looked at: its folder, and the variant, "" for the whole."""

    root: Path
    variant: str = ""


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

    @property
    def store(self) -> Store:
        request = Request(self.place.root)
        return request.store_of(self.game) if self.game else request.store

    def holds(self, face: Face) -> bool:
        """Whether a face is set already."""
        return self.store.has(self.store.path("faces", f"{face.key}.pdf"))


_presses: dict[Place, Press] = {}


def up_to_date(place: Place) -> Press:
    """The game as it is now, for others that work in the same process."""
    look(place)
    return _presses[place]


def look(place: Place) -> Seen | None:
    """Read the game anew and render its templates; nothing is typeset. None when no file is
    another than when this last told of it, but for rulebooks."""
    press = _presses.setdefault(place, Press(place))
    if press.told and press.game is not None and (same := rereading.unread(press.game)):
        press.game = same
        return None
    told: list[Problem] = []
    alone(press, lambda: _look(press), told.append)
    press.told = True
    return replace(press.seen, problems=(*press.seen.problems, *told)) if told else press.seen


def glance(place: Place) -> Seen | None:
    """The one deck whose file is all that changed since the last look, and nothing else of the
    game; None when a look is needed at once. A look must follow."""
    press = _presses.get(place)
    if press is None or press.game is None or press.faces is None:
        return None
    found: list[Seen] = []
    try:
        alone(press, lambda: found.extend(_glance(press)), lambda _: found.clear())
    except Stopped:
        return None
    return found[0] if found else None


def settle(call: tuple[Place, tuple[str, ...], int]) -> Settled:
    """See to these pictures in their order, until so many faces are typeset; what the store holds
    costs nothing. Pictures of another look than the last have failed, and the rest is neither that
    nor ready."""
    place, pictures, most = call
    press = _at(place)
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
    press = _at(place)
    game, faces = press.game, press.faces
    if game is None or faces is None:
        return ()
    try:
        with guard.at("the game's rules and table", examining.seconds_of(game)):
            found = examining.held(game, faces, press.seen.problems, unread=not press.seen.whole)
    except Stopped as error:
        found = [Problem(Source(loading.FILE), f"rules and table together: {error}", "bounds")]
    return tuple(_told(game, found))


def tidy(place: Place) -> None:
    """Forget what the store holds of faces that are long gone, and be ready to set the next."""
    import cardgen.faces.typeset  # noqa: F401, PLC0415 - WeasyPrint, before a save waits for it

    press = _at(place)
    if press.faces is not None:
        in_use.sweep(press.store, in_use.in_use(press.faces))


def holding(call: tuple[Place, str]) -> tuple[tuple[str, ...], str]:
    """The cards, as deck/card, for which an expression holds, and why that cannot be told."""
    place, where = call
    game = _at(place).game
    if game is None:
        return (), "the game cannot be read"
    try:
        decks = narrowed(game, game.decks, Cards((), where))
    except NotThere as error:
        return (), "" if _holds_for_none(game, where) else str(error)
    return tuple(f"{deck.id}/{piece.id}" for deck in decks for piece in deck.pieces), ""


def fields(call: tuple[Place, str, str]) -> list[dict[str, Any]]:
    """The fields of a card that say anything, in the order of their deck: name, values (of a text,
    one a language) and line."""
    place, deck_id, card = call
    game = _at(place).game
    deck = game.deck(deck_id) if game else None
    piece = next((each for each in deck.pieces if each.id == card), None) if deck else None
    if game is None or deck is None or piece is None:
        return []
    told = []
    for name in deck.fields:
        value = piece.values.get(name)
        source = piece.sources.get(name, piece.source)
        if value in (None, (), "", False):
            continue
        values = [inventory.shown(value, code) for code in game.languages]
        own = list(dict.fromkeys(values))
        told.append({"name": name, "values": own, **vars(source)})
    return told


def inspect(call: tuple[Place, str]) -> dict[str, Any]:
    """What is where on a picture's face, mm from its bleed box's top left: boxes with their sizes
    and what they leave, and texts, each with its line. Empty for pictures of an earlier look."""
    place, picture = call
    press = _at(place)
    face = press.by_picture.get(picture)
    if press.game is None or press.faces is None or face is None:
        return {"boxes": [], "texts": []}
    (chunk,) = produce.chunked(press.game, press.faces.fonts, {face.key: face})
    found = chunks.inspected(chunk, press.store)
    boxes = [{**vars(box), **_line(box.at)} for box in found.boxes]
    texts = [
        {"text": run.text, "left": run.left, "top": run.top, "width": run.right - run.left,
         "height": run.bottom - run.top, "size": run.size, **_line(run.at)}
        for run in found.runs
    ]  # fmt: skip
    return {"boxes": boxes, "texts": texts}


def _line(at: str) -> dict[str, Any]:
    """The file and line of a template's mark, `loot.html:3`."""
    name, _, line = at.rpartition(":")
    return {"path": f"{folder.TEMPLATES}/{name}", "line": int(line) if line.isdigit() else 0}


def _holds_for_none(game: Game, where: str) -> bool:
    """Whether an expression that was refused only holds for no card."""
    try:
        narrowed(game, game.decks, Cards((), f"({where}) or true"))
    except NotThere:
        return False
    return True


def _at(place: Place) -> Press:
    if place not in _presses:
        look(place)
        _presses[place].told = False
    return _presses[place]


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


def _look(press: Press) -> None:
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
        return
    store = request.store_of(game)
    fonts, font_problems = fontfiles.prepare(game, store)
    problems = [*problems, *font_problems]
    whole = not any(problem.kind in UNREAD for problem in problems)
    faces = Faces(fonts)
    try:
        with guard.at("the game's texts and templates", examining.seconds_of(game)):
            problems += texts.problems(game)
            faces = produce.order(game, fonts, game.decks, game.languages, store)
    except Stopped as error:
        message = f"texts and templates together: {error}"
        problems.append(Problem(Source(loading.FILE), message, "bounds"))
    loading.hold_still(game)
    press.game, press.faces, press.by_picture = game, faces, {}
    with guard.at("the game's cards, listed", examining.seconds_of(game)):
        press.seen = _seen(press, game, faces, [*problems, *faces.problems], whole=whole)


def _glance(press: Press) -> Iterator[Seen]:
    assert press.game is not None
    assert press.faces is not None
    reread = rereading.reread(press.game)
    if reread is None:
        return
    game, deck = reread
    with guard.at("the templates of a deck", examining.seconds_of(game)):
        faces = produce.order(game, press.faces.fonts, [deck], game.languages, press.store)
    if has_errors(faces.problems):
        return
    yield _seen(press, replace(game, decks=(deck,)), faces, (), whole=True)


def _seen(
    press: Press, game: Game, faces: Faces, problems: Sequence[Problem], *, whole: bool
) -> Seen:
    icons = tuple(cut for cut in faces.fonts.cuts if cut.family == ICON_FAMILY)
    store = press.store
    pictures: dict[FaceName, str] = {}
    recipes: dict[str, Recipe] = {}
    for face in faces.faces:
        if face.deck.id in faces.waiting or not faces.fonts.cuts:
            continue
        picture = digest_of([face.digest, faces.fonts.icon_digest])
        pictures[FaceName(face.deck.id, face.piece.id, face.side, face.language)] = picture
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
    )


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
    part = Faces(fonts, list(chosen.values()))
    produce.make(press.game, part, store)
    ready: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    for picture, face in chosen.items():
        alone = Faces(fonts, [face], remarks=part.remarks)
        produce.report(alone)
        subject = Subject(face.deck.id, face.piece.id)
        art = [problem for problem in part.problems if problem.subject == subject]
        problems[picture] = tuple(_told(press.game, [*alone.problems, *art]))
        if press.holds(face):
            ready.add(picture)
    return Settled(frozenset(ready), frozenset(chosen.keys() - ready), problems)

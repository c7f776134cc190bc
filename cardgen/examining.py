"""Everything that a game says, held against what it is: read, evaluated, written, typeset.

What is wrong is collected on the way; what a mistake leads to is not told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from cardgen.asking import NOTHING, Asked, NotThere
from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import ICON_FAMILY, FontSet
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, has_errors, ordered
from cardgen.base.store import Store
from cardgen.book import cache
from cardgen.book.editions import Books
from cardgen.book.manuscript import FOLDER as BOOKS
from cardgen.build_folder import steadily
from cardgen.faces import contrast, drafts, in_use, produce
from cardgen.faces.known import OfFaces
from cardgen.faces.produce import Face, Faces
from cardgen.game import loading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.face_facts import Known
from cardgen.game.fonts_file import FILE as FONTS
from cardgen.game.inventory import counted
from cardgen.game.looks import drawing_up
from cardgen.game.model import Game
from cardgen.outputs.contract import Job, Progress, quiet
from cardgen.outputs.registry import OUTPUTS
from cardgen.outputs.tables import setup
from cardgen.request import Request
from cardgen.rules import composition, rulekinds, unprinted

_NAMED = 3
"""So many variants are named that have a problem."""
_SECONDS_SAID, _SECONDS_OF_VARIANT, _SECONDS_A_PIECE = 9.0, 3.0, 0.01
"""How long everything may take that a game says of itself, or a variant of it, and for each face
more."""
T = TypeVar("T")


@dataclass(frozen=True)
class Examined:
    """A game with its faces and books as far as they could be made, and all that is wrong."""

    game: Game | None
    asked: Asked = NOTHING
    faces: Faces | None = None
    books: Books = field(default_factory=Books)
    problems: list[Problem] = field(default_factory=list)
    drafted: bool = False
    """Whether drafts stand for the faces with which something is wrong."""

    @property
    def sound(self) -> tuple[Game, Faces] | None:
        """The game and its faces, when nothing is wrong or drafts stand for what is."""
        wrong = has_errors(self.problems) and not self.drafted
        return None if self.game is None or self.faces is None or wrong else (self.game, self.faces)


def check(
    request: Request, progress: Progress = quiet, variants: Sequence[str] | None = None
) -> tuple[Game | None, Faces | None, list[Problem]]:
    """Everything that is wrong with a game and with those of its variants ("" for the whole; all
    unless some are named), layout included; that of its books is not set. The game and the faces
    are those of the first."""

    def work(asked: Request) -> tuple[Game | None, Faces | None, list[Problem]]:
        game, problems = asked.loaded or composition.load(asked.root)
        loaded = game, tuple(problems)
        names = made_of(game) if variants is None else variants
        found = {
            name: examined(replace(asked, loaded=loaded, variant=name), progress) for name in names
        }
        first = found[names[0]]
        told = in_variants({name: each.problems for name, each in found.items()})
        return first.game, first.faces, told

    came = in_turn(request, progress, work, lambda problem: (None, None, [problem]))
    request.store.push()
    return came


def made_of(game: Game | None) -> list[str]:
    """What is made of a game: itself, "", and its variants; or these alone."""
    variants = list(game.variants) if game else []
    return variants if game and game.alone else ["", *variants]


def in_variants(told: Mapping[str, Sequence[Problem]]) -> list[Problem]:
    """What is wrong with a game's variants, each problem once. One that not all have says whose it
    is, unless it is one of the game as a whole."""
    having: dict[Problem, list[str]] = {}
    stopping: dict[Problem, bool] = {}
    for name, problems in told.items():
        for each in problems:
            problem = replace(each, elsewhere=False)
            having.setdefault(problem, []).append(name)
            stopping[problem] = stopping.get(problem, False) or not each.elsewhere
    found = []
    for problem, names in having.items():
        alone = "" not in names and len(names) < len(told)
        message = f"{_variants_named(names)}: {problem.message}" if alone else problem.message
        found.append(replace(problem, message=message, elsewhere=not stopping[problem]))
    return ordered(found)


def _variants_named(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"in the variant{'s' * (len(names) > 1)} {', '.join(names[:_NAMED])}{rest}"


def in_turn(
    request: Request,
    progress: Progress,
    work: Callable[[Request], T],
    failed: Callable[[Problem], T],
) -> T:
    """Do the work in the build folder, with the game read again if it changed meanwhile."""
    anew = replace(request, loaded=None)
    return steadily(request.desk, progress, lambda again: work(anew if again else request), failed)


def examined(request: Request, progress: Progress = quiet) -> Examined:
    """The game with the faces that are asked for, typeset, and its books, written."""
    game, found = request.loaded or composition.load(request.root)
    problems = list(found)
    if game is None:
        return Examined(None, problems=ordered(problems))
    try:
        game = request.of_variant(game)
        asked = request.asked(game)
    except NotThere as error:
        problems.append(Problem(Source(error.option), str(error), "asked"))
        return Examined(game, problems=ordered(problems))
    store = request.store_of(game)
    fonts, font_problems = fontfiles.prepare(game, store)
    problems += font_problems
    unread = any(problem.kind in UNREAD for problem in problems)
    no_fonts = any(p.severity == "error" and _of_fonts(p) for p in problems)
    try:
        with guard.at("the game's texts, templates, rules and table", seconds_of(game)):
            result = _said(game, fonts, store, problems, unread=unread)
    except Stopped as error:
        message = f"texts, templates, rules and table together: {error}"
        problems.append(Problem(Source(loading.FILE), message, "bounds"))
        return Examined(game, problems=ordered(problems))
    known, set_by_now = OfFaces(game, result, store, sets=True), OfFaces(game, result, store)
    books, wanted = Books(), request.books(game, asked)
    if wanted and paths.there(request.root, BOOKS) and not unread:
        glyphs = frozenset() if no_fonts else fontfiles.glyphs(fonts, store)
        books = cache.books_of(game, wanted, glyphs, store, known)
    problems += books.problems
    drafted = request.draft and any(cut.family != ICON_FAMILY for cut in fonts.cuts)
    if drafted:
        result.waiting |= {deck.id for deck in game.decks if no_fonts}
        game = replace(game, decks=drafts.named(game.decks))
        asked = replace(asked, decks=drafts.named(asked.decks))
        drafts.fill(game, result, _told(game, problems + result.problems))
    every = replace(result)
    result.faces, result.unset = _wanted(game, result, books, request, asked)
    if not fonts.cuts and not no_fonts:
        message = "the game has no font; text cannot be set without one"
        problems.append(Problem(Source(FONTS), message, "font"))
    elif drafted or not no_fonts:
        produce.make(game, result, store, lambda done, total: progress("typesetting", done, total))
        problems += [] if unread else _on_faces(game, result, store, set_by_now, progress)
        if result.typeset:
            in_use.sweep(store, in_use.in_use(replace(every, smaller=result.smaller)))
    if drafted:
        drafts.draw(game, result, store, _told(game, problems + result.problems))
    loading.hold_still(game)
    told = request.scope(asked).marked(ordered(_told(game, problems + result.problems)))
    return Examined(game, asked, result, books, told, drafted)


def _told(game: Game, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the words of those who wrote a look's deck."""
    return drawing_up.told(problems, {deck.id: deck for deck in game.decks})


def seconds_of(game: Game) -> float:
    """How long all may take that a game says of itself, before anything is typeset."""
    pieces = sum(len(deck.pieces) for deck in game.decks)
    seconds = _SECONDS_OF_VARIANT if game.variant else _SECONDS_SAID
    return seconds + _SECONDS_A_PIECE * pieces * len(game.languages)


def _said(
    game: Game, fonts: FontSet, store: Store, problems: list[Problem], *, unread: bool
) -> Faces:
    """Everything that the game says of itself, evaluated: its faces, rendered and not yet typeset.
    What is wrong is told once, and not once more in all that it leads to."""
    problems += texts.problems(game)
    result = produce.order(game, fonts, game.decks, game.languages, store)
    known = OfFaces(game, result, store, sets=True)
    told = [*problems, *result.problems]
    problems += held(game, result, told, known, unread=unread)
    return result


def held(
    game: Game, faces: Faces, told: Sequence[Problem], known: Known, *, unread: bool
) -> list[Problem]:
    """What is wrong with the game as a whole, once its faces are rendered: with fields that nothing
    shows, rules and the table, whose boards `known` tells of. `told` is what was wrong before, and
    `unread` says that a file of the game could not be read: then rules and the table wait."""
    problems: list[Problem] = []
    if not game.variant and not has_errors(told):
        problems += unprinted.problems(game)
    if not unread:
        problems += composition.check(game, faces.backs)
        problems += setup.things(game, known)[1]
    return problems


def _on_faces(
    game: Game, faces: Faces, store: Store, known: Known, progress: Progress
) -> list[Problem]:
    """What the rules about faces say, now that these are set; how many wait for others, is told."""
    decks = rulekinds.asking_for_contrasts(game.rules)
    looked_at = [face for face in faces.faces if face.deck.id in decks and not face.instead]
    contrast.make(looked_at, faces.fonts, store, partial(progress, "contrasts"))
    try:
        with guard.at("the game's rules about its faces", seconds_of(game)):
            problems, waiting = composition.check_faces(game, known)
    except Stopped as error:
        return [Problem(Source(composition.FILE), f"the rules about faces: {error}", "bounds")]
    if waiting:
        named = ", ".join(rule.id for rule in waiting[:_NAMED])
        named += f" and {len(waiting) - _NAMED} more" if len(waiting) > _NAMED else ""
        progress(f"{counted(len(waiting), 'rule')} about faces not held, since not all of their "
                 f"cards are set: {named}", 0, 0)  # fmt: skip
    return problems


def _of_fonts(problem: Problem) -> bool:
    return problem.kind == "font" or problem.source.path == FONTS


def _wanted(
    game: Game, result: Faces, books: Books, request: Request, asked: Asked
) -> tuple[list[Face], list[Face]]:
    """The faces that the outputs need: of the cards asked for, those that they show, and those
    that books show. And the other faces of these cards."""
    outputs = [OUTPUTS[name] for name in request.outputs]
    of_decks = [output for output in outputs if output.of_decks]
    ready = [
        face
        for face in result.faces
        if face.language in asked.languages
        and (request.draft or face.deck.id not in result.waiting)
    ]
    cards = [face for face in ready if (face.deck.id, face.piece.id) in asked.pieces]
    if outputs and not of_decks:
        cards = []
    needed = {id(face) for face in cards}
    options = request.options
    if options and options.sheets:
        known = replace(result, faces=cards)
        job = Job(game, asked.decks, asked.languages, known, books, request.store, options)
        needed = {id(face) for output in of_decks for face in output.shown(job)}
    in_books: set[tuple[str, str, str, str]] = set()
    if request.of_books:
        in_books = {
            (made.language, face.deck, face.piece, face.side)
            for made in books.books
            for face in made.faces
        }
    if request.share is not None:
        cards = [face for face in cards if (face.language, face.deck.id) in request.share.decks]
        needed &= {id(face) for face in cards}
        in_books = {each for each in in_books if each[0] in request.share.books}
    wanted = [
        face
        for face in ready
        if id(face) in needed or (face.language, face.deck.id, face.piece.id, face.side) in in_books
    ]
    return wanted, [face for face in cards if id(face) not in needed]

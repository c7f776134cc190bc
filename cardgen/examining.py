"""Everything that a game says, held against what it is: read, evaluated, written, typeset.

What is wrong is collected on the way; what a mistake leads to is not told beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import FontSet
from cardgen.base import code_digest, guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, has_errors, ordered
from cardgen.base.store import Store
from cardgen.book import cache
from cardgen.book.editions import Books
from cardgen.book.manuscript import FOLDER as BOOKS
from cardgen.build_folder import Desk, steadily
from cardgen.faces import in_use, produce
from cardgen.faces.produce import Face, Faces
from cardgen.game import loading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.fonts_file import FILE as FONTS
from cardgen.game.looks import drawing_up
from cardgen.game.model import Game
from cardgen.outputs.contract import Progress, quiet
from cardgen.outputs.registry import OUTPUTS
from cardgen.outputs.tables import setup
from cardgen.request import Request
from cardgen.rules import composition, unprinted
from cardgen.templates.render import FOLDER as TEMPLATES

_SECONDS_SAID, _SECONDS_A_PIECE = 9.0, 0.01
"""How long everything may take that a game says of itself, and for each face more."""
T = TypeVar("T")


@dataclass(frozen=True)
class Examined:
    """A game with its faces and books as far as they could be made, and all that is wrong."""

    game: Game | None
    faces: Faces | None = None
    books: Books = field(default_factory=Books)
    problems: list[Problem] = field(default_factory=list)

    @property
    def sound(self) -> tuple[Game, Faces] | None:
        """The game and its faces, when nothing is wrong."""
        if self.game is None or self.faces is None or has_errors(self.problems):
            return None
        return self.game, self.faces


def check(
    request: Request, progress: Progress = quiet
) -> tuple[Game | None, Faces | None, list[Problem]]:
    """Everything that is wrong with a game, its layout included; that of its books is not set."""

    def work(asked: Request) -> tuple[Game | None, Faces | None, list[Problem]]:
        found = examined(asked, progress)
        return found.game, found.faces, found.problems

    return in_turn(request, progress, work, lambda problem: (None, None, [problem]))


def in_turn(
    request: Request,
    progress: Progress,
    work: Callable[[Request], T],
    failed: Callable[[Problem], T],
) -> T:
    """Do the work in the build folder, with the game read again if it changed meanwhile."""
    anew = replace(request, loaded=None)
    desk = Desk(request.root, request.folder, request.fresh)
    return steadily(desk, progress, lambda again: work(anew if again else request), failed)


def examined(request: Request, progress: Progress = quiet) -> Examined:
    """The game with the faces that are asked for, typeset, and its books, written."""
    game, found = request.loaded or composition.load(request.root)
    problems = list(found)
    if game is None:
        return Examined(None, problems=ordered(problems))
    store = request.store
    fonts, font_problems = fontfiles.prepare(game, store)
    problems += font_problems
    unread = any(problem.kind in UNREAD for problem in problems)
    no_fonts = any(p.severity == "error" and _of_fonts(p) for p in problems)
    try:
        with guard.at("the game's texts, templates, rules and table", _seconds(game)):
            result = _said(game, fonts, store, problems, unread=unread)
    except Stopped as error:
        message = f"texts, templates, rules and table together: {error}"
        problems.append(Problem(Source(loading.FILE), message, "bounds"))
        return Examined(game, problems=ordered(problems))
    books, wanted = Books(), request.books(game)
    if wanted and paths.there(request.root, BOOKS) and not unread:
        glyphs = frozenset() if no_fonts else fontfiles.glyphs(fonts, store)
        books = cache.books_of(game, wanted, glyphs, store, code_digest.digest("book"))
    problems += books.problems
    used = in_use.in_use(result)
    result.faces = _wanted(game, result, books, request)
    if not fonts.cuts and not no_fonts:
        message = "the game has no font; text cannot be set without one"
        problems.append(Problem(Source(FONTS), message, "font"))
    elif not no_fonts:
        produce.make(game, result, store, lambda done, total: progress("typesetting", done, total))
        if result.typeset:
            in_use.sweep(store, used)
    loading.hold_still(game)
    decks_of = {deck.id: deck for deck in game.decks}
    told = [drawing_up.told_of(p, decks_of, TEMPLATES) for p in problems + result.problems]
    return Examined(game, result, books, request.scope.marked(ordered(told)))


def _seconds(game: Game) -> float:
    """How long all may take that a game says of itself, before anything is typeset."""
    pieces = sum(len(deck.pieces) for deck in game.decks)
    return _SECONDS_SAID + _SECONDS_A_PIECE * pieces * len(game.languages)


def _said(
    game: Game, fonts: FontSet, store: Store, problems: list[Problem], *, unread: bool
) -> Faces:
    """Everything that the game says of itself, evaluated: its faces, rendered and not yet typeset.
    What is wrong is told once, and not once more in all that it leads to."""
    problems += texts.problems(game)
    result = produce.order(game, fonts, game.decks, game.languages, store)
    if not has_errors([*problems, *result.problems]):
        problems += unprinted.problems(game)
    if not unread:
        problems += composition.check(game, result.backs)
        problems += setup.things(game)[1]
    return result


def _of_fonts(problem: Problem) -> bool:
    return problem.kind == "font" or problem.source.path == FONTS


def _wanted(game: Game, result: Faces, books: Books, request: Request) -> list[Face]:
    """The faces of the decks asked for, and those that books show, as the outputs need them."""
    decks, languages = request.chosen(game)
    outputs = [OUTPUTS[name] for name in request.outputs]
    no_books_alone = not outputs or any(output.of_decks for output in outputs)
    of_decks = {deck.id for deck in decks} if no_books_alone else set()
    shown: set[tuple[str, str, str, str]] = set()
    if not all(output.of_decks for output in outputs):
        shown = {
            (made.language, face.deck, face.piece, face.side)
            for made in books.books
            for face in made.faces
        }
    return [
        face
        for face in result.faces
        if face.language in languages
        and face.deck.id not in result.waiting
        and (
            face.deck.id in of_decks
            or (face.language, face.deck.id, face.piece.id, face.side) in shown
        )
    ]

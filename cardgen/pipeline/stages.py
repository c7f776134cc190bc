"""Everything that a game says, held against what it is: read, evaluated, written, typeset.

What is wrong is collected on the way; what a mistake leads to is not told beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from cardgen.assets import font_files
from cardgen.assets.font_files import ICON_FAMILY, FontSet
from cardgen.book import book_cache
from cardgen.book.editions import WrittenBooks
from cardgen.book.manuscript import RULEBOOK_FOLDER as BOOKS
from cardgen.core import work_limits
from cardgen.core.problems import Problem, Source, has_errors, sort_problems
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import drafts, model, queries, text_contrast
from cardgen.faces.model import Face, FaceSet
from cardgen.faces.queries import FaceQueries
from cardgen.game import card_text, loader, look_templates
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.face_facts import FaceFactsSource
from cardgen.game.fonts_file import FONTS_FILE as FONTS
from cardgen.game.inventory import format_count
from cardgen.game.model import Game
from cardgen.outputs.contract import Job, Progress, ignore_progress
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import EMPTY_SELECTION, BuildSelection, NotInGameError
from cardgen.pipeline.workspace import run_locked
from cardgen.rules import rule_file, rule_kinds, unused_fields
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store
from cardgen.tabletop import table_setup

_MAX_LISTED_NAMES = 3
"""So many variants are named that have a problem."""
_GAME_SECONDS, _VARIANT_SECONDS, _SECONDS_PER_PIECE = 9.0, 3.0, 0.01
"""How long everything may take that a game says of itself, or a variant of it, and for each face
more."""
T = TypeVar("T")


@dataclass(frozen=True)
class CheckedGame:
    """A game with its faces and books as far as they could be made, and all that is wrong."""

    game: Game | None
    selection: BuildSelection = EMPTY_SELECTION
    faces: FaceSet | None = None
    books: WrittenBooks = field(default_factory=WrittenBooks)
    problems: list[Problem] = field(default_factory=list)
    has_drafts: bool = False
    """Whether drafts stand for the faces with which something is wrong."""

    @property
    def buildable(self) -> tuple[Game, FaceSet] | None:
        """The game and its faces, when nothing is wrong or drafts stand for what is."""
        wrong = has_errors(self.problems) and not self.has_drafts
        return None if self.game is None or self.faces is None or wrong else (self.game, self.faces)


def check(
    request: Request, progress: Progress = ignore_progress, variants: Sequence[str] | None = None
) -> tuple[Game | None, FaceSet | None, list[Problem]]:
    """Everything that is wrong with a game and with those of its variants ("" for the whole; all
    unless some are named), layout included; that of its books is not set. The game and the faces
    are those of the first."""

    def check_variants(asked: Request) -> tuple[Game | None, FaceSet | None, list[Problem]]:
        game, problems = asked.loaded_game or rule_file.load_game(asked.root)
        loaded = game, tuple(problems)
        names = list_variants(game) if variants is None else variants
        found = {
            name: check_game(replace(asked, loaded_game=loaded, variant=name), progress)
            for name in names
        }
        first = found[names[0]]
        told = merge_variant_problems({name: each.problems for name, each in found.items()})
        return first.game, first.faces, told

    came = run_in_workspace(
        request, progress, check_variants, lambda problem: (None, None, [problem])
    )
    request.store.flush_shared()
    return came


def list_variants(game: Game | None) -> list[str]:
    """What is made of a game: itself, "", and its variants; or these alone."""
    variants = list(game.variants) if game else []
    return variants if game and game.variants_only else ["", *variants]


def merge_variant_problems(told: Mapping[str, Sequence[Problem]]) -> list[Problem]:
    """What is wrong with a game's variants, each problem once. One that not all have says whose it
    is, unless it is one of the game as a whole."""
    having: dict[Problem, list[str]] = {}
    stopping: dict[Problem, bool] = {}
    for name, problems in told.items():
        for each in problems:
            problem = replace(each, outside_selection=False)
            having.setdefault(problem, []).append(name)
            stopping[problem] = stopping.get(problem, False) or not each.outside_selection
    found = []
    for problem, names in having.items():
        alone = "" not in names and len(names) < len(told)
        message = f"{_format_variants(names)}: {problem.message}" if alone else problem.message
        found.append(replace(problem, message=message, outside_selection=not stopping[problem]))
    return sort_problems(found)


def _format_variants(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
    return f"in the variant{'s' * (len(names) > 1)} {', '.join(names[:_MAX_LISTED_NAMES])}{rest}"


def run_in_workspace(
    request: Request,
    progress: Progress,
    work: Callable[[Request], T],
    failed: Callable[[Problem], T],
) -> T:
    """Do the work in the build folder, with the game read again if it changed meanwhile."""
    anew = replace(request, loaded_game=None)
    return run_locked(
        request.workspace, progress, lambda again: work(anew if again else request), failed
    )


def check_game(request: Request, progress: Progress = ignore_progress) -> CheckedGame:
    """The game with the faces that are asked for, typeset, and its books, written."""
    game, found = request.loaded_game or rule_file.load_game(request.root)
    problems = list(found)
    if game is None:
        return CheckedGame(None, problems=sort_problems(problems))
    try:
        game = request.select_variant(game)
        asked = request.resolve_selection(game)
    except NotInGameError as error:
        problems.append(Problem(Source(error.option), str(error), "asked"))
        return CheckedGame(game, problems=sort_problems(problems))
    store = request.open_store(game)
    fonts, font_problems = font_files.prepare_fonts(game, store)
    problems += font_problems
    unread = any(problem.kind in UNREADABLE_KINDS for problem in problems)
    no_fonts = any(p.severity == "error" and _is_font_problem(p) for p in problems)
    try:
        with work_limits.work_limit(
            "the game's texts, templates, rules and table", compute_time_limit(game)
        ):
            result = _render_and_check(game, fonts, store, problems, unread=unread)
    except LimitExceededError as error:
        message = f"texts, templates, rules and table together: {error}"
        problems.append(Problem(Source(loader.FILE), message, "bounds"))
        return CheckedGame(game, problems=sort_problems(problems))
    known, set_by_now = (
        FaceQueries(game, result, store, sets=True),
        FaceQueries(game, result, store),
    )
    books, wanted = WrittenBooks(), request.select_books(game, asked)
    if wanted and game_files.has_entry(request.root, BOOKS) and not unread:
        glyphs = frozenset() if no_fonts else font_files.read_all_code_points(fonts, store)
        books = book_cache.load_books(game, wanted, glyphs, store, known)
    problems += books.problems
    drafted = request.is_draft and any(cut.family != ICON_FAMILY for cut in fonts.files)
    if drafted:
        result.blocked_decks |= {deck.id for deck in game.decks if no_fonts}
        game = replace(game, decks=drafts.select_nameable(game.decks))
        asked = replace(asked, decks=drafts.select_nameable(asked.decks))
        drafts.add_placeholders(game, result, _reword_problems(game, problems + result.problems))
    every = replace(result)
    result.faces, result.skipped = _select_faces(game, result, books, request, asked)
    if not fonts.files and not no_fonts:
        message = "the game has no font; text cannot be set without one"
        problems.append(Problem(Source(FONTS), message, "font"))
    elif drafted or not no_fonts:
        model.typeset_faces(
            game, result, store, lambda done, total: progress("typesetting", done, total)
        )
        problems += [] if unread else _check_face_rules(game, result, store, set_by_now, progress)
        if result.typeset_count:
            queries.sweep_store(
                store, queries.list_store_entries(replace(every, downsampled=result.downsampled))
            )
    if drafted:
        drafts.replace_with_drafts(
            game, result, store, _reword_problems(game, problems + result.problems)
        )
    loader.raise_if_changed(game)
    told = request.create_scope(asked).mark_problems(
        sort_problems(_reword_problems(game, problems + result.problems))
    )
    return CheckedGame(game, asked, result, books, told, drafted)


def _reword_problems(game: Game, problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the words of those who wrote a look's deck."""
    return look_templates.relocate_problems(problems, {deck.id: deck for deck in game.decks})


def compute_time_limit(game: Game) -> float:
    """How long all may take that a game says of itself, before anything is typeset."""
    pieces = sum(len(deck.pieces) for deck in game.decks)
    seconds = _VARIANT_SECONDS if game.variant else _GAME_SECONDS
    return seconds + _SECONDS_PER_PIECE * pieces * len(game.languages)


def _render_and_check(
    game: Game, fonts: FontSet, store: Store, problems: list[Problem], *, unread: bool
) -> FaceSet:
    """Everything that the game says of itself, evaluated: its faces, rendered and not yet typeset.
    What is wrong is told once, and not once more in all that it leads to."""
    problems += card_text.check_card_texts(game)
    result = model.render_faces(game, fonts, game.decks, game.languages, store)
    known = FaceQueries(game, result, store, sets=True)
    told = [*problems, *result.problems]
    problems += check_rules(game, result, told, known, unread=unread)
    return result


def check_rules(
    game: Game, faces: FaceSet, told: Sequence[Problem], known: FaceFactsSource, *, unread: bool
) -> list[Problem]:
    """What is wrong with the game as a whole, once its faces are rendered: with fields that nothing
    shows, rules and the table, whose boards `known` tells of. `told` is what was wrong before, and
    `unread` says that a file of the game could not be read: then rules and the table wait."""
    problems: list[Problem] = []
    if not game.variant and not has_errors(told):
        problems += unused_fields.find_unused_fields(game)
    if not unread:
        problems += rule_file.check_card_rules(game, faces.find_backs)
        problems += table_setup.set_up_table(game, known)[1]
    return problems


def _check_face_rules(
    game: Game, faces: FaceSet, store: Store, known: FaceFactsSource, progress: Progress
) -> list[Problem]:
    """What the rules about faces say, now that these are set; how many wait for others, is told."""
    decks = rule_kinds.find_contrast_decks(game.rules)
    looked_at = [face for face in faces.faces if face.deck.id in decks and not face.is_placeholder]
    text_contrast.measure_contrasts(looked_at, faces.fonts, store, partial(progress, "contrasts"))
    try:
        with work_limits.work_limit("the game's rules about its faces", compute_time_limit(game)):
            problems, waiting = rule_file.check_face_rules(game, known)
    except LimitExceededError as error:
        return [Problem(Source(rule_file.RULES_FILE), f"the rules about faces: {error}", "bounds")]
    if waiting:
        named = ", ".join(rule.id for rule in waiting[:_MAX_LISTED_NAMES])
        named += (
            f" and {len(waiting) - _MAX_LISTED_NAMES} more"
            if len(waiting) > _MAX_LISTED_NAMES
            else ""
        )
        progress(f"{format_count(len(waiting), 'rule')} about faces not held, since not all of their "
                 f"cards are set: {named}", 0, 0)  # fmt: skip
    return problems


def _is_font_problem(problem: Problem) -> bool:
    return problem.kind == "font" or problem.source.path == FONTS


def _select_faces(
    game: Game, result: FaceSet, books: WrittenBooks, request: Request, asked: BuildSelection
) -> tuple[list[Face], list[Face]]:
    """The faces that the outputs need: of the cards asked for, those that they show, and those
    that books show. And the other faces of these cards."""
    outputs = [OUTPUTS[name] for name in request.outputs]
    of_decks = [output for output in outputs if output.shows_decks]
    ready = [
        face
        for face in result.faces
        if face.language in asked.languages
        and (request.is_draft or face.deck.id not in result.blocked_decks)
    ]
    cards = [face for face in ready if (face.deck.id, face.piece.id) in asked.piece_keys]
    if outputs and not of_decks:
        cards = []
    needed = {id(face) for face in cards}
    options = request.options
    if options and options.sheets:
        known = replace(result, faces=cards)
        job = Job(game, asked.decks, asked.languages, known, books, request.store, options)
        needed = {id(face) for entry in of_decks for face in entry.output.select_faces(job)}
    in_books: set[tuple[str, str, str, str]] = set()
    if request.includes_books:
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

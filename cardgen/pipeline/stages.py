"""The stages of the pipeline, over one state of a game.

A build, a check, the preview, a diff, translations and past states all call the same stages, each
as far as it needs: load, render, check the rules, write the books, typeset, check the faces. An
error in an early stage is reported once. What it leads to in later stages is not.

Each stage imports what it works with when it is called: help and a build that finds nothing to do
wait for no typesetter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.core.problems import (
    Problem,
    ProblemsError,
    Source,
    has_errors,
    sort_problems,
    summarise,
)
from cardgen.core.work_limits import LimitExceededError, work_limit
from cardgen.game import card_text, loader, look_templates
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.fonts_file import FONTS_FILE
from cardgen.game.inventory import format_count
from cardgen.game.model import Deck, Game
from cardgen.game.problem_scope import BOOKS_FOLDER
from cardgen.outputs.contract import Job, Options, Progress, ignore_progress
from cardgen.outputs.registry import OUTPUTS
from cardgen.pipeline.request import BuildSelection, NotInGameError, Request
from cardgen.runtime import game_files
from cardgen.runtime.content_store import Store

if TYPE_CHECKING:
    from cardgen.book.model import WrittenBooks
    from cardgen.changes.revisions import Revision
    from cardgen.faces.model import Face, FaceSet
    from cardgen.game.face_facts import FaceFactsSource

GAME_SECONDS, VARIANT_SECONDS, SECONDS_PER_FACE = 9.0, 3.0, 0.01
"""Time limit of a stage that evaluates what a game's files say: of a game or a variant of it, and
more for each face."""
_MAX_LISTED_RULES = 3


class Stages:
    """One state of a game on its way from files to typeset faces.

    Call the stages in the order in which they stand here and leave out what is not needed.
    `problems` collects what they find. A stage that cannot go on raises `ProblemsError`.
    """

    def __init__(  # noqa: PLR0913 - one place where all of it comes together
        self, request: Request, game: Game, problems: Iterable[Problem] = (), *,
        store: Store | None = None, selection: BuildSelection | None = None,
        progress: Progress = ignore_progress,
    ) -> None:  # fmt: skip
        """Prepare the fonts of a game that was read, with the `problems` found in its files."""
        from cardgen.assets.game_fonts import prepare_fonts
        from cardgen.book.model import WrittenBooks
        from cardgen.faces.model import FaceSet

        self.request, self.progress = request, progress
        self.store = store or request.open_store(game)
        self.selection = selection or BuildSelection(game.decks, game.languages)
        self.fonts, found = prepare_fonts(game, self.store)
        self.game = replace(game, multicoloured_icons=self.fonts.multicoloured_icons)
        self.problems = [*problems, *found]
        self.faces = FaceSet(self.fonts)
        self.books: WrittenBooks = WrittenBooks()
        self.has_drafts = False
        """True where drafts stand in for the faces that have errors."""
        self.has_unread_files = any(each.kind in UNREADABLE_KINDS for each in self.problems)
        """True where a file could not be read: rules, table and books would report consequences."""
        self.lacks_fonts = any(
            each.severity == "error" and (each.kind == "font" or each.source.path == FONTS_FILE)
            for each in self.problems
        )
        self._is_typeset = False

    def render(
        self, decks: Iterable[Deck] | None = None, languages: Iterable[str] | None = None
    ) -> FaceSet:
        """Render the templates: HTML and a key for each face. Nothing is typeset.

        Without `decks` and `languages` it is all of the game, and its texts are checked, too.
        """
        from cardgen.faces.rendering import render_faces

        game = self.game
        with self._limit_time("texts and templates"):
            if decks is None and languages is None:
                self.problems += card_text.check_card_texts(game)
            self.faces = render_faces(
                game, self.fonts, game.decks if decks is None else decks,
                game.languages if languages is None else languages, self.store,
            )  # fmt: skip
        self._query_faces()
        return self.faces

    def use_faces(self, faces: FaceSet) -> None:
        """Go on with faces that were rendered before."""
        self.faces, self.fonts = faces, faces.fonts
        self._query_faces()

    def check_rules(self) -> list[Problem]:
        """Return, and collect, the problems of the game as a whole: unused fields, rules, table.

        Rules and table wait where a file of the game could not be read.
        """
        known = [*self.problems, *self.faces.problems]
        with self._limit_time("rules and table"):
            found = check_rules(
                self.game, self.faces, known, self.queries, unread=self.has_unread_files
            )
        self.problems += found
        return found

    def write_books(self) -> None:
        """Write the books that the request needs, from Markdown to HTML. They are not laid out."""
        wanted = self.request.select_books(self.game, self.selection)
        if wanted is None or self.has_unread_files:
            return
        if not game_files.has_entry(self.request.root, BOOKS_FOLDER):
            return
        from cardgen.assets import font_files
        from cardgen.book import book_cache

        known = frozenset[int]()
        if not self.lacks_fonts:
            known = font_files.read_all_code_points(self.fonts, self.store)
        self.books = book_cache.load_books(self.game, wanted, known, self.store, self.queries)
        self.problems += self.books.problems

    def typeset(self) -> None:
        """Typeset the faces that the request needs and the store does not hold."""
        from cardgen.faces import queries
        from cardgen.faces.typesetting import typeset_faces

        self._prepare_drafts()
        everything = replace(self.faces)
        self.faces.faces, self.faces.skipped = self._select_faces()
        if self.lacks_fonts and not self.has_drafts:
            return
        if not self.fonts.files:
            message = "the game has no font; text cannot be set without one"
            self.problems.append(Problem(Source(FONTS_FILE), message, "font"))
            return
        typeset_faces(self.game, self.faces, self.store, partial(self.progress, "typesetting"))
        self._is_typeset = True
        if self.faces.typeset_count:
            used = replace(everything, downsampled=self.faces.downsampled)
            queries.sweep_store(self.store, queries.list_store_entries(used))

    def check_faces(self) -> None:
        """Check the rules about typeset faces, and put drafts in the place of faces with errors."""
        from cardgen.faces import drafts

        if self._is_typeset and not self.has_unread_files:
            self.problems += self._check_face_rules()
        if self.has_drafts:
            drafts.replace_with_drafts(self.game, self.faces, self.store, self.list_problems())

    def finish(self) -> list[Problem]:
        """Return all problems, those outside of what the request selects marked.

        Raise `FileChangedError` where a file of the game is not what it was when it was read.
        """
        loader.raise_if_changed(self.game)
        scope = self.request.create_scope(self.selection)
        return scope.mark_problems(sort_problems(self.list_problems()))

    def list_problems(self) -> list[Problem]:
        """Return the problems of all stages so far, at the lines that the author wrote.

        A problem in the templates of a look is reported at the deck that uses the look.
        """
        decks = {deck.id: deck for deck in self.game.decks}
        return look_templates.relocate_problems([*self.problems, *self.faces.problems], decks)

    def create_job(
        self, options: Options | None = None, *, decks: Sequence[Deck] | None = None,
        languages: Sequence[str] | None = None, faces: FaceSet | None = None,
        folder: Path | None = None,
    ) -> Job:  # fmt: skip
        """Return what outputs work from: all that the request selects, unless other is given."""
        options = options or self.request.options
        assert options is not None
        return Job(
            self.game, self.selection.decks if decks is None else tuple(decks),
            self.selection.languages if languages is None else tuple(languages),
            faces or self.faces, self.books, self.store, options, folder or Path(),
            self.progress, self.request.card_filter.filename_suffix,
        )  # fmt: skip

    @contextmanager
    def _limit_time(self, what: str) -> Iterator[None]:
        """Raise `ProblemsError` where the work takes too long."""
        try:
            with work_limit(f"the game's {what}", compute_time_limit(self.game)):
                yield
        except LimitExceededError as error:
            problem = Problem(Source(loader.FILE), f"{what} together: {error}", "bounds")
            raise ProblemsError([*self.list_problems(), problem]) from None

    def _query_faces(self) -> None:
        from cardgen.faces.queries import FaceQueries

        # Both know all faces that were rendered, also after some of them are selected.
        self.queries = FaceQueries(self.game, self.faces, self.store, sets=True)
        self._typeset_queries = FaceQueries(self.game, self.faces, self.store)

    def _prepare_drafts(self) -> None:
        """Where drafts are asked for, add a placeholder for each face that was not rendered."""
        from cardgen.assets.font_files import ICON_FAMILY
        from cardgen.faces import drafts

        own_fonts = any(cut.family != ICON_FAMILY for cut in self.fonts.files)
        self.has_drafts = self.request.is_draft and own_fonts
        if not self.has_drafts:
            return
        if self.lacks_fonts:
            self.faces.blocked_decks |= {deck.id for deck in self.game.decks}
        self.game = replace(self.game, decks=drafts.select_nameable(self.game.decks))
        decks = drafts.select_nameable(self.selection.decks)
        self.selection = replace(self.selection, decks=decks)
        drafts.add_placeholders(self.game, self.faces, self.list_problems())

    def _check_face_rules(self) -> list[Problem]:
        """Check the rules about faces; report rules that wait for faces not typeset yet."""
        from cardgen.faces import text_contrast
        from cardgen.rules import rule_file, rule_kinds

        decks = rule_kinds.find_contrast_decks(self.game.rules)
        measured = [f for f in self.faces.faces if f.deck.id in decks and not f.is_placeholder]
        text_contrast.measure_contrasts(
            measured, self.fonts, self.store, partial(self.progress, "contrasts")
        )
        try:
            with work_limit("the game's rules about its faces", compute_time_limit(self.game)):
                problems, waiting = rule_file.check_face_rules(self.game, self._typeset_queries)
        except LimitExceededError as error:
            source = Source(rule_file.RULES_FILE)
            return [Problem(source, f"the rules about faces: {error}", "bounds")]
        if waiting:
            names = summarise((rule.id for rule in waiting), _MAX_LISTED_RULES)
            count = format_count(len(waiting), "rule")
            why = "since not all of their cards are typeset"
            self.progress(f"{count} about faces not checked, {why}: {names}", 0, 0)
        return problems

    def _select_faces(self) -> tuple[list[Face], list[Face]]:
        """Return the faces that the outputs show, and the other faces of the selected cards."""
        request, selection = self.request, self.selection
        outputs = [OUTPUTS[name] for name in request.outputs]
        deck_outputs = [output for output in outputs if output.shows_decks]
        ready = [
            face
            for face in self.faces.faces
            if face.language in selection.languages
            and (request.is_draft or face.deck.id not in self.faces.blocked_decks)
        ]
        selected = [f for f in ready if (f.deck.id, f.piece.id) in selection.piece_keys]
        if outputs and not deck_outputs:
            selected = []
        needed = {id(face) for face in selected}
        few = bool(deck_outputs) and all(output.selects_faces for output in deck_outputs)
        if request.options and (request.options.sheets or few):
            job = self.create_job(faces=replace(self.faces, faces=selected))
            needed = {id(face) for entry in deck_outputs for face in entry.output.select_faces(job)}
        in_books = {
            (book.language, face.deck, face.piece, face.side)
            for book in (self.books.books if request.includes_books else ())
            for face in book.faces
        }
        shown = [
            face
            for face in ready
            if id(face) in needed
            or (face.language, face.deck.id, face.piece.id, face.side) in in_books
        ]
        return shown, [face for face in selected if id(face) not in needed]


def load_stages(request: Request, progress: Progress = ignore_progress) -> Stages:
    """Read the game and select the variant, cards and languages of the request.

    Raise `ProblemsError` where there is no game, or nothing in it of what is selected.
    """
    from cardgen.rules import rule_file

    game, problems = request.loaded_game or rule_file.load_game(request.root)
    if game is None:
        raise ProblemsError(problems)
    try:
        game = request.select_variant(game)
        selection = request.resolve_selection(game)
    except NotInGameError as error:
        problem = Problem(Source(error.option), str(error), "asked")
        raise ProblemsError([*problems, problem]) from None
    return Stages(request, game, problems, selection=selection, progress=progress)


def check_rules(
    game: Game, faces: FaceSet, known: Sequence[Problem], facts: FaceFactsSource, *, unread: bool
) -> list[Problem]:
    """Return the problems of a game as a whole whose faces are rendered.

    `known` are the problems so far, `facts` are asked where a board's places are, and with `unread`
    files rules and table are not checked.
    """
    from cardgen.rules import rule_file, unused_fields
    from cardgen.tabletop import table_setup

    found: list[Problem] = []
    if not game.variant and not has_errors(known):
        found += unused_fields.find_unused_fields(game)
    if not unread:
        found += rule_file.check_card_rules(game, faces.find_backs)
        found += table_setup.set_up_table(game, facts)[1]
    return found


def compute_time_limit(game: Game) -> float:
    """Return how many seconds a stage may evaluate what the game's files say."""
    pieces = sum(len(deck.pieces) for deck in game.decks)
    seconds = VARIANT_SECONDS if game.variant else GAME_SECONDS
    return seconds + SECONDS_PER_FACE * pieces * len(game.languages)


@contextmanager
def load_past_game(
    revision: Revision, today: Game, variant: str = "", names: Iterable[str] = ()
) -> Iterator[tuple[Game, list[Problem]]]:
    """Yield the game or its variant at a commit, and its problems, while its files are there.

    Raise `RevisionError`, and `NoGameAtRevisionError` where there was no game yet. Fonts are those
    that are installed now; icons are those of the game as it was.
    """
    from cardgen.changes import revisions
    from cardgen.rules import rule_file

    with revisions.open_revision(revision, names or revisions.CARD_PATHS) as root:
        game, problems = rule_file.load_game(root)
        if game is None:
            why = f": {problems[0]}" if problems else ""
            raise revisions.NoGameAtRevisionError(f"at {revision} the game could not be read{why}")
        try:
            game = Request(root, variant=variant).select_variant(game)
        except NotInGameError as error:
            raise revisions.RevisionError(f"at {revision}: {error}") from None
        yield replace(game, fonts=today.fonts), problems


def make_empty_game(today: Game) -> Game:
    """Return the game as it was before anything of it was there."""
    return replace(today, decks=(), rules=(), variant_rules=(), table=None)

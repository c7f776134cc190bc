"""Two states of a game held against each other: what a change does to what is printed.

Both are made into faces by today's engine, in today's fonts, in one store. What looks as it did has
the same key: it is neither set nor drawn. Out: a `Difference`, plain values and pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cardgen.assets import font_files
from cardgen.assets.font_files import ICON_FAMILY
from cardgen.book.editions import WrittenBooks
from cardgen.changes import revisions
from cardgen.changes.card_changes import CardChange, CardKey, GameState, apply_moves, find_moves
from cardgen.changes.card_states import LookHasher, describe_state, digest_fonts
from cardgen.changes.diff_model import (
    CardDiff,
    DeckDiff,
    Difference,
    FaceImage,
    RuleDiff,
    SheetsToPrint,
)
from cardgen.changes.revisions import GAME_PATHS, NoGameAtRevisionError, RevisionError
from cardgen.core import work_limits
from cardgen.core.problems import Problem, ProblemsError, Source, sort_problems
from cardgen.core.work_limits import LimitExceededError
from cardgen.diff import book_diffs, card_diffs, rule_diffs
from cardgen.diff.card_diffs import FaceKey, FacePair, ReasonFinder, group_cards
from cardgen.diff.rule_diffs import RuleResults
from cardgen.faces import rendering, text_contrast, typesetting
from cardgen.faces.model import Face, FaceSet
from cardgen.faces.queries import FaceQueries
from cardgen.game import card_text, loader, look_templates
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.game.fonts_file import FONTS_FILE as FONTS
from cardgen.game.model import Game
from cardgen.outputs import face_pictures, print_sheets
from cardgen.outputs.contract import Job, Options, Progress, ignore_progress
from cardgen.outputs.face_pictures import FacePicture
from cardgen.outputs.sheet_recipes import SheetLayoutError, build_default_layout
from cardgen.pipeline import past_game, stages
from cardgen.pipeline.request import Request
from cardgen.pipeline.selection import NotInGameError
from cardgen.pipeline.workspace import run_locked
from cardgen.rules import rule_file, rule_kinds, rule_status
from cardgen.runtime.content_store import Store
from cardgen.runtime.scale.shared_store import SharedStore

WORKING_FILES = "the files as they are"
RULES_LEFT_OUT = ""
"""Among the decks that are left out, the rules."""
DifferenceResult = tuple[Difference | None, list[Problem]]


@dataclass(frozen=True)
class DiffRequest:
    """Which states are compared, as git's `diff` takes them, and of which languages and decks, all
    unless some are named; `variant` is "" for the game as a whole."""

    root: Path
    states: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    variant: str = ""
    shared: SharedStore | None = None
    """The store that other machines share."""


@dataclass
class RenderedState:
    """The game at a time, its templates rendered."""

    name: str
    game: Game
    faces: FaceSet
    problems: list[Problem]
    faces_by_key: dict[FaceKey, Face] = field(init=False)

    def __post_init__(self) -> None:
        self.faces_by_key = {_get_face_key(face): face for face in self.faces.faces}

    def select_faces(self, some: Iterable[Face]) -> FaceSet:
        """Some of the faces that are in order, as they are set and drawn."""
        ready = {face.key: face for face in some if face.deck.id not in self.faces.blocked_decks}
        return FaceSet(self.faces.fonts, list(ready.values()))


class ComparisonError(Exception):
    """What is asked cannot be compared; the problems say why."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__()
        self.problems = sort_problems(problems)


def compute_difference(
    asked: DiffRequest, progress: Progress = ignore_progress
) -> DifferenceResult:
    """What differs between the two states; None where that cannot be told, and why."""
    request = Request(asked.root, (), shared_store=asked.shared)
    try:
        result = run_locked(
            request, progress, lambda again: _compute_locked(asked, again, progress)
        )
    except ProblemsError as error:
        result = None, error.problems
    request.store.flush_shared()
    return result


def _compute_locked(asked: DiffRequest, request: Request, progress: Progress) -> DifferenceResult:
    game, problems = rule_file.load_game(request.root)
    if game is None:
        return None, sort_problems(problems)
    store = request.open_store(game)
    where = Source(" ".join(asked.states) or "HEAD")
    try:
        today = replace(request, variant=asked.variant).select_variant(game)
        with ExitStack() as stack:
            old, new = revisions.parse_range(request.root, asked.states)
            at = [revision for revision in (old, new) if revision is not None]
            games, born = list[tuple[Game, Sequence[Problem]]](), ""
            for each in at:
                try:
                    then = past_game.load_past_game(each, today, asked.variant, GAME_PATHS)
                    games.append(stack.enter_context(then))
                except NoGameAtRevisionError as error:
                    if each is not old:
                        raise
                    games.append((past_game.make_empty_game(today), ()))
                    born = f"All of it is new: {error}"
            if new is None:
                games.append((today, problems))
            names = [*map(str, at), *([WORKING_FILES] if new is None else [])]
            states = [
                _render_state(name, *of, store) for name, of in zip(names, games, strict=True)
            ]
            before, after = states
            found = StateComparison(asked, before, after, store, progress).make_difference()
            if new is None:
                loader.raise_if_changed(today)
            return (replace(found, notes=(born, *found.notes)) if born else found), []
    except ComparisonError as error:
        return None, error.problems
    except (RevisionError, NotInGameError, LimitExceededError, SheetLayoutError) as error:
        return None, [Problem(where, str(error), "revision")]


def _render_state(
    name: str, game: Game, problems: Sequence[Problem], store: Store
) -> RenderedState:
    """The game at a time. Raises `_CannotBe` where it has no fonts, and `Stopped`."""
    fonts, told = font_files.prepare_fonts(game, store)
    wrong = [p for p in told if p.severity == "error" and p.kind == "font"]
    if wrong:
        raise ComparisonError(wrong)
    if all(cut.family == ICON_FAMILY for cut in fonts.files):
        message = "the game has no font; text cannot be set without one"
        raise ComparisonError([Problem(Source(FONTS), message, "font")])
    with work_limits.work_limit(
        f"the game's texts and templates, {name}", stages.compute_time_limit(game)
    ):
        found = [*problems, *told, *card_text.check_card_texts(game)]
        faces = rendering.render_faces(game, fonts, game.decks, game.languages, store)
    return RenderedState(name, game, faces, found)


def _get_face_key(face: Face) -> FaceKey:
    return face.deck.id, face.piece.id, face.side, face.language


class StateComparison:
    """Two states, and what is worked out of them step by step."""

    def __init__(
        self,
        asked: DiffRequest,
        old: RenderedState,
        new: RenderedState,
        store: Store,
        progress: Progress,
    ) -> None:
        self.old, self.new, self.store, self.progress = old, new, store, progress
        self.decks = frozenset(asked.decks)
        self.left_out = self._find_left_out()
        known = new.game.languages
        wanted = [code for code in known if not asked.languages or code in asked.languages]
        self.languages = tuple(code for code in wanted if code in old.game.languages)
        if not self.languages:
            message = f"the game had none of these languages at {old.name}: {', '.join(wanted)}"
            raise RevisionError(message)
        self.notes = [*self._list_notes(asked, wanted)]

    def _find_left_out(self) -> dict[str, tuple[str, str]]:
        """What is compared with nothing, since a file of a state could not be read: decks, and ""
        for the rules; each with that state's name and the file. Rules are not held then."""
        found = dict[str, tuple[str, str]]()
        for state, other in ((self.old, self.new), (self.new, self.old)):
            missed = book_diffs.find_unread_files(state.problems)
            for deck, file in book_diffs.find_unread_decks(state.game, other.game, missed):
                found[deck] = state.name, file
            if rule_file.RULES_FILE in missed and not state.game.rules:
                found[RULES_LEFT_OUT] = state.name, rule_file.RULES_FILE
        return found

    def _is_wanted(self, deck: str) -> bool:
        return deck not in self.left_out and (not self.decks or deck in self.decks)

    def _list_notes(self, asked: DiffRequest, wanted: Sequence[str]) -> Iterator[str]:
        for deck, (state, file) in self.left_out.items():
            what = f"the cards of {deck}, and the rules," if deck != RULES_LEFT_OUT else "the rules"
            yield f"{file} cannot be read in {state}: {what} are not compared."
        for code in wanted:
            if code not in self.languages:
                yield (
                    f"The language {code} is new. Its cards are not shown here, having no earlier "
                    f"state: 'cardgen build contact --lang {code}' shows them."
                )
        for code in self.old.game.languages:
            if code not in self.new.game.languages and code in (asked.languages or [code]):
                yield f"The language {code} is gone."
        if digest_fonts(self.old.game.root) != digest_fonts(self.new.game.root):
            yield (
                "The game's fonts changed, so that every face may. Both states are drawn in the "
                "fonts that are installed now; what they alone change is not shown."
            )

    def make_difference(self) -> Difference:
        """All of it."""
        changed, moves, states = self._compare_cards()
        faces = self.old.faces_by_key, self.new.faces_by_key
        sides = [
            pair
            for code in self.languages
            for pair in card_diffs.pair_faces(changed[code], states[code], moves, code, faces)
        ]
        typeset = [
            self._typeset_selected(self.old, [pair.old for pair in sides if pair.old]),
            self._typeset_selected(self.new, [pair.new for pair in sides if pair.new]),
        ]
        pictures, drawn = face_pictures.draw_face_pictures([made for made, _ in typeset], self.store,
                                              self.progress)  # fmt: skip
        told = self._describe_cards(changed, moves, sides, pictures)
        webps = {each.name: each.webp for each in pictures.values() if each.webp}
        order = {deck.id: number for number, deck in enumerate(self.new.game.decks)}
        waiting = self._check_states(sides)
        rules = () if self.left_out else self._compare_rules(waiting)
        books = book_diffs.compare_books(self.old.game.root, self.new.game.root)
        appeared, vanished = _compare_problems(
            self._list_problems(self.old, waiting), self._list_problems(self.new, waiting)
        )
        if self.left_out:
            vanished = ()  # what could not be read is not mended
        game = self.new.game
        return Difference(
            game.title.get_plain_text(self.languages[0]), self.old.name, self.new.name, self.languages,
            tuple(
                _mark_spots(card, webps)
                for card in sorted(
                    group_cards(told), key=lambda card: order.get(card.deck, len(order))
                )
            ),
            tuple(rules), tuple(waiting), tuple(books), appeared, vanished,
            tuple(self._compare_deck_counts()), tuple(self._list_sheets(told)), game.defaults.paper,
            {d.id: d.title.get_plain_text(self.languages[0]) for d in (*self.old.game.decks, *game.decks)},
            tuple(self.notes), webps,
            sum(number for _, number in typeset), drawn,
        )  # fmt: skip

    def _compare_cards(
        self,
    ) -> tuple[
        dict[str, dict[CardKey, CardChange]],
        dict[CardKey, CardKey],
        dict[str, tuple[GameState, GameState]],
    ]:
        """What happened to each card in each language, which moved, and the states compared, the
        old one with the cards that moved where they are now."""
        states, moves = {}, dict[CardKey, CardKey]()
        for code in self.languages:
            old = self._describe_entries(self.old, self.new, code)
            new = self._describe_entries(self.new, self.old, code)
            states[code] = old, new
            for key, was in find_moves(old, new).items():
                if key not in moves and was not in moves.values():
                    moves[key] = was
        states = {c: (apply_moves(old, moves), new) for c, (old, new) in states.items()}
        return (
            {c: card_diffs.find_card_changes(*states[c], moves) for c in self.languages},
            moves,
            states,
        )

    def _describe_entries(
        self, state: RenderedState, other: RenderedState, language: str
    ) -> GameState:
        """A state in a language. Looks are worked out only of faces that the other one has not just
        as they are."""
        same_icons = state.faces.fonts.icon_digest == other.faces.fonts.icon_digest
        theirs = {face.digest for face in other.faces_by_key.values()} if same_icons else set[str]()
        look = LookHasher(state.game, fonts=False).hash_face

        def get_look(face: Face) -> str:
            return face.digest if face.digest in theirs else look(face)

        decks = [deck for deck in state.game.decks if self._is_wanted(deck.id)]
        return describe_state(state.game, state.faces, decks, language, get_look)

    def _typeset_selected(self, state: RenderedState, faces: Iterable[Face]) -> tuple[FaceSet, int]:
        """Set those faces that the store does not hold; how many it were."""
        part = state.select_faces(faces)
        doing = f"typesetting {state.name}"
        typesetting.typeset_faces(state.game, part, self.store, partial(self.progress, doing))
        state.problems += part.problems
        return part, part.typeset_count

    def _describe_cards(
        self,
        changed: dict[str, dict[CardKey, CardChange]],
        moves: dict[CardKey, CardKey],
        sides: Sequence[FacePair],
        pictures: dict[str, FacePicture],
    ) -> list[CardDiff]:
        reasons = ReasonFinder(self.old.game, self.new.game)
        by_card: dict[CardKey, list[tuple[FacePair, FaceImage | None, FaceImage | None]]] = {}
        for pair in sides:
            why = tuple(reasons.find_reasons(pair.old, pair.new)) if pair.old and pair.new else ()
            shown = [
                self._describe_image(state, face, pictures) if face else None
                for state, face in ((self.old, pair.old), (self.new, pair.new))
            ]
            by_card.setdefault(pair.key, []).append((replace(pair, why=why), *shown))  # type: ignore[arg-type]
        keys = dict.fromkeys(key for code in self.languages for key in changed[code])
        return [
            card_diffs.describe_card(
                key, {c: changed[c][key] for c in self.languages if key in changed[c]},
                by_card.get(key, ()), moves, self.languages,
            )
            for key in keys
        ]  # fmt: skip

    @staticmethod
    def _describe_image(
        state: RenderedState, face: Face, pictures: dict[str, FacePicture]
    ) -> FaceImage:
        size = face.deck.size
        if face.deck.id in state.faces.blocked_decks:
            why = "its deck's templates or styles have mistakes"
            return FaceImage(size.width, size.height, why=why)
        found = pictures[face_pictures.compute_picture_key(face, state.faces)]
        return FaceImage(size.width, size.height, found.name, found.reason)

    def _check_states(self, sides: Sequence[FacePair]) -> list[str]:
        """Hold the rules of both states; those about faces that wait, since not all their cards are
        set. A face of the old state that looks as it does now is known by that one."""
        changed = {_get_face_key(pair.old) for pair in sides if pair.old}
        for name, face in self.old.faces_by_key.items():
            twin = self.new.faces_by_key.get(name)
            if twin is not None and name not in changed:
                self.old.faces_by_key[name] = replace(twin, deck=face.deck, piece=face.piece)
        waiting: dict[str, None] = {}
        for state in (self.old, self.new):
            state.faces.faces = list(state.faces_by_key.values())
            unread = any(problem.kind in UNREADABLE_KINDS for problem in state.problems)
            asking = rule_kinds.find_contrast_decks(state.game.rules)
            known = FaceQueries(state.game, state.faces, self.store)
            text_contrast.measure_contrasts(
                (face for face in state.faces.faces if face.deck.id in asking),
                state.faces.fonts, self.store,
            )  # fmt: skip
            with work_limits.work_limit(
                f"rules and table, {state.name}", stages.compute_time_limit(state.game)
            ):
                told = [*state.problems]
                state.problems += stages.check_rules(
                    state.game, state.faces, told, known, unread=unread
                )
                if not unread:
                    more, left = rule_file.check_face_rules(state.game, known)
                    state.problems += more
                    waiting |= dict.fromkeys(rule.id for rule in left)
        return list(waiting)

    def _compare_rules(self, waiting: Sequence[str]) -> Iterator[RuleDiff]:
        held: list[RuleResults] = []
        for state in (self.old, self.new):
            known = FaceQueries(state.game, state.faces, self.store)
            kinds = {problem.kind for problem in state.problems}
            held.append(
                rule_diffs.collect_rule_results(
                    rule_status.list_rule_statuses(state.game, known), kinds
                )
            )
        return rule_diffs.compare_rules(held[0], held[1], waiting)

    @staticmethod
    def _list_problems(state: RenderedState, waiting: Collection[str]) -> list[Problem]:
        """What is wrong with a state, but for its fonts, which are those installed now. Of a rule
        that waits in one of them nothing is known."""
        decks = {deck.id: deck for deck in state.game.decks}
        told = [p for p in state.problems if p.kind != "font" and p.kind not in waiting]
        return look_templates.relocate_problems(sort_problems(told), decks)

    def _compare_deck_counts(self) -> Iterator[DeckDiff]:
        then = {deck.id: deck for deck in self.old.game.decks}
        now = {deck.id: deck for deck in self.new.game.decks}
        for name in dict.fromkeys([*now, *then]):
            if not self._is_wanted(name):
                continue
            both = then.get(name), now.get(name)
            number = [len(deck.pieces) if deck else 0 for deck in both]
            copies = [deck.count if deck else 0 for deck in both]
            ids = [[piece.id for piece in deck.pieces] if deck else [] for deck in both]
            kept = set(ids[0]) & set(ids[1])
            orders = [[each for each in some if each in kept] for some in ids]
            deck = both[1] or both[0]
            if deck and any(one != other for one, other in (number, copies, orders)):
                yield DeckDiff(
                    name, deck.title.get_plain_text(self.languages[0]), (number[0], number[1]),
                    (copies[0], copies[1]), orders[0] != orders[1],
                )  # fmt: skip

    def _list_sheets(self, told: Sequence[CardDiff]) -> Iterator[SheetsToPrint]:
        decks = [deck for deck in self.new.game.decks if self._is_wanted(deck.id)]
        for code in self.languages:
            wanted = {
                (card.deck, name)
                for card in told
                for name in card.cards
                if card.kind == "new"
                or 0 < card.copies[0] < card.copies[1]
                or any(code in face.languages and face.new for face in card.faces)
            }
            if wanted:
                game = self.new.game
                options = Options(build_default_layout(game), game.defaults.dpi, bleed=False,
                                  rounded=False, mix=game.defaults.mix)  # fmt: skip
                job = Job(
                    game, tuple(decks), (code,), self.new.faces, WrittenBooks(), self.store, options
                )
                yield from print_sheets.find_sheets_to_reprint(job, wanted)


def _mark_spots(card: CardDiff, webps: Mapping[str, bytes]) -> CardDiff:
    """A card with the spots where its pictures differ."""
    faces = []
    for face in card.faces:
        old = webps.get(face.old.picture) if face.old else None
        new = webps.get(face.new.picture) if face.new else None
        found = face_pictures.find_differences(old, new) if old and new else ()
        faces.append(replace(face, spots=found))
    return replace(card, faces=tuple(faces))


def _compare_problems(
    old: Iterable[Problem], new: Iterable[Problem]
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """The problems that only the new state has, and those that only the old one had. A line that
    moved makes no other problem of it."""

    def get_identity(problem: Problem) -> tuple[object, ...]:
        return problem.source.path, problem.kind, problem.severity, problem.subject, problem.message

    def subtract_problems(
        some: Iterable[Problem], others: Iterable[Problem]
    ) -> tuple[Problem, ...]:
        left = Counter(map(get_identity, others))
        found = []
        for problem in some:
            if left[get_identity(problem)]:
                left[get_identity(problem)] -= 1
            else:
                found.append(problem)
        return tuple(found)

    old, new = [*old], [*new]
    return subtract_problems(new, old), subtract_problems(old, new)

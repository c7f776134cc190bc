"""Comparison of two states of a game: how a change affects what is printed.

Both states are rendered by the current version of cardgen, with today's fonts, into one store. A
face that looks the same has the same key, so it is neither typeset nor drawn again. The result is a
`Difference`: plain values and pictures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from cardgen.assets.font_files import ICON_FAMILY
from cardgen.changes import card_changes, diff_model, revisions
from cardgen.changes.card_changes import CardKey, GameState
from cardgen.changes.revisions import NoGameAtRevisionError, RevisionError
from cardgen.core import work_limits
from cardgen.core.problems import Problem, ProblemsError, Source, sort_problems
from cardgen.core.work_limits import LimitExceededError
from cardgen.diff import card_diffs, game_diffs
from cardgen.diff.card_diffs import FacePair, ReasonFinder, group_cards
from cardgen.faces import text_contrast, typesetting
from cardgen.faces.model import Face, FaceSet
from cardgen.faces.queries import FaceQueries
from cardgen.game import loader, look_templates
from cardgen.game.fonts_file import FONTS_FILE
from cardgen.game.model import Deck, Game
from cardgen.outputs import face_pictures, print_sheets
from cardgen.outputs.contract import Progress, ignore_progress
from cardgen.outputs.face_pictures import FacePicture
from cardgen.pipeline import stages as pipeline_stages
from cardgen.pipeline.options import OptionError, create_options
from cardgen.pipeline.request import NotInGameError, Request
from cardgen.pipeline.stages import Stages
from cardgen.pipeline.workspace import open_workspace
from cardgen.rules import rule_file, rule_kinds
from cardgen.runtime.content_store import Store
from cardgen.runtime.scale.shared_store import SharedStore

WORKING_FILES = "the files as they are"
RULES_LEFT_OUT = ""
"""Stands for the rules among the decks that are left out."""
DifferenceResult = tuple[diff_model.Difference | None, list[Problem]]


@dataclass(frozen=True)
class DiffRequest:
    """A comparison as requested; no languages or decks means all.

    `states` are revisions or dates in the notation of `git diff`, and `variant` is "" for the game
    as a whole.
    """

    root: Path
    states: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    variant: str = ""
    shared: SharedStore | None = None


class RenderedState:
    """A state of the game with its faces rendered."""

    def __init__(self, name: str, stages: Stages) -> None:
        self.name, self.stages, self.game = name, stages, stages.game
        self.problems = stages.problems
        self.faces = stages.render()
        self.faces_by_key = {card_diffs.get_face_key(face): face for face in self.faces.faces}

    def typeset(self, faces: Iterable[Face], store: Store, progress: Progress) -> FaceSet:
        """Typeset the faces that are not in the store, of decks without errors."""
        ready = {face.key: face for face in faces if face.deck.id not in self.faces.blocked_decks}
        selected = FaceSet(self.faces.fonts, list(ready.values()))
        progress = partial(progress, f"typesetting {self.name}")
        typesetting.typeset_faces(self.game, selected, store, progress)
        self.problems += selected.problems
        return selected

    def describe_image(
        self, face: Face | None, pictures: Mapping[str, FacePicture]
    ) -> diff_model.FaceImage | None:
        """Return the picture of a face."""
        if face is None:
            return None
        size = face.deck.size
        if face.deck.id in self.faces.blocked_decks:
            why = "the templates or styles of its deck have errors"
            return diff_model.FaceImage(size.width, size.height, why=why)
        picture = pictures[face_pictures.compute_picture_key(face, self.faces)]
        return diff_model.FaceImage(size.width, size.height, picture.name, picture.reason)


def compute_difference(
    wanted: DiffRequest, progress: Progress = ignore_progress
) -> DifferenceResult:
    """Compare two states; return None and the problems when they cannot be compared."""
    request = Request(wanted.root, (), shared_store=wanted.shared)
    try:
        with open_workspace(request, progress) as attempts:
            for attempt in attempts:
                with attempt as current:
                    difference = _compute_locked(current, wanted, progress)
    except ProblemsError as error:
        return None, error.problems
    finally:
        request.store.flush_shared()
    return difference, []


def _compute_locked(
    request: Request, wanted: DiffRequest, progress: Progress
) -> diff_model.Difference:
    game, problems = rule_file.load_game(request.root)
    if game is None:
        raise ProblemsError(problems)
    store = request.open_store(game)
    try:
        today = replace(request, variant=wanted.variant).select_variant(game)
        with ExitStack() as stack:
            old, new = revisions.parse_range(request.root, wanted.states)
            states: list[RenderedState] = []
            note = ""
            for revision in (old, new):
                if revision is None:
                    name, opened = WORKING_FILES, (today, problems)
                else:
                    name = str(revision)
                    past = pipeline_stages.load_past_game(
                        revision, today, wanted.variant, revisions.GAME_PATHS
                    )
                    try:
                        opened = stack.enter_context(past)
                    except NoGameAtRevisionError as error:
                        if revision is not old:
                            raise
                        opened = pipeline_stages.make_empty_game(today), []
                        note = f"All of it is new: {error}"
                states.append(_render_state(name, request, *opened, store))
            comparison = StateComparison(wanted, states[0], states[1], store, progress)
            found = comparison.make_difference()
            if new is None:
                loader.raise_if_changed(today)
            return replace(found, notes=(note, *found.notes)) if note else found
    except (RevisionError, NotInGameError, LimitExceededError, OptionError) as error:
        source = Source(" ".join(wanted.states) or "HEAD")
        raise ProblemsError([Problem(source, str(error), "revision")]) from None


def _render_state(
    name: str, request: Request, game: Game, problems: Sequence[Problem], store: Store
) -> RenderedState:
    """Render a state. Raises `ProblemsError` when its fonts cannot be used."""
    stages = Stages(request, game, problems, store=store)
    prepared = stages.problems[len(problems) :]
    errors = [p for p in prepared if p.severity == "error" and p.kind == "font"]
    if not errors and all(font.family == ICON_FAMILY for font in stages.fonts.files):
        message = "the game has no font; text cannot be set without one"
        errors = [Problem(Source(FONTS_FILE), message, "font")]
    if errors:
        raise ProblemsError(errors)
    return RenderedState(name, stages)


class StateComparison:
    """Two states, compared step by step."""

    def __init__(
        self,
        wanted: DiffRequest,
        old: RenderedState,
        new: RenderedState,
        store: Store,
        progress: Progress,
    ) -> None:
        self.old, self.new, self.store, self.progress = old, new, store, progress
        self.decks = frozenset(wanted.decks)
        self.left_out = self._find_left_out()
        known = new.game.languages
        languages = [code for code in known if not wanted.languages or code in wanted.languages]
        self.languages = tuple(code for code in languages if code in old.game.languages)
        if not self.languages:
            names = ", ".join(languages)
            raise RevisionError(f"the game had none of these languages at {old.name}: {names}")
        self.notes = tuple(self._list_notes(wanted, languages))
        self.moves: dict[CardKey, CardKey] = {}
        self.states = self._describe_states()
        self.changes = {
            code: card_diffs.find_card_changes(*states, self.moves)
            for code, states in self.states.items()
        }

    def _find_left_out(self) -> dict[str, tuple[str, str]]:
        """Return the decks, and the rules, of which a state could not read a file.

        They are left out, with the state's name and the file. Then rules are not compared at all.
        """
        found = dict[str, tuple[str, str]]()
        for state, other in ((self.old, self.new), (self.new, self.old)):
            unread = game_diffs.find_unread_files(state.problems)
            for deck, file in game_diffs.find_unread_decks(state.game, other.game, unread):
                found[deck] = state.name, file
            if rule_file.RULES_FILE in unread and not state.game.rules:
                found[RULES_LEFT_OUT] = state.name, rule_file.RULES_FILE
        return found

    def _list_decks(self, state: RenderedState) -> list[Deck]:
        """Return the decks of a state that are compared."""
        return [
            deck
            for deck in state.game.decks
            if deck.id not in self.left_out and (not self.decks or deck.id in self.decks)
        ]

    def _list_notes(self, wanted: DiffRequest, languages: Sequence[str]) -> Iterator[str]:
        for deck, (state, file) in self.left_out.items():
            what = f"the cards of {deck}, and the rules," if deck != RULES_LEFT_OUT else "the rules"
            yield f"{file} cannot be read in {state}: {what} are not compared."
        for code in languages:
            if code not in self.languages:
                yield (
                    f"The language {code} is new. Its cards are not shown here, having no earlier "
                    f"state: 'cardgen build contact --lang {code}' shows them."
                )
        for code in self.old.game.languages:
            if code not in self.new.game.languages and code in (wanted.languages or [code]):
                yield f"The language {code} is gone."
        if card_changes.digest_fonts(self.old.game.root) != card_changes.digest_fonts(
            self.new.game.root
        ):
            yield (
                "The game's fonts changed, so every face may have changed. Both states are drawn "
                "with the fonts that are installed now, so that this is not visible here."
            )

    def make_difference(self) -> diff_model.Difference:
        """Return the whole difference."""
        old, new = self.old, self.new
        faces = old.faces_by_key, new.faces_by_key
        pairs = [
            pair
            for code in self.languages
            for pair in card_diffs.pair_faces(
                self.changes[code], self.states[code], self.moves, code, faces
            )
        ]
        typeset = [
            old.typeset([pair.old for pair in pairs if pair.old], self.store, self.progress),
            new.typeset([pair.new for pair in pairs if pair.new], self.store, self.progress),
        ]
        pictures, drawn = face_pictures.draw_face_pictures(typeset, self.store, self.progress)
        cards = self._describe_cards(pairs, pictures)
        order = {deck.id: number for number, deck in enumerate(new.game.decks)}
        grouped = sorted(group_cards(cards), key=lambda card: order.get(card.deck, len(order)))
        waiting = self._check_states(pairs)
        appeared, vanished = game_diffs.compare_problems(
            self._list_problems(old, waiting), self._list_problems(new, waiting)
        )
        language, decks = self.languages[0], (self._list_decks(old), self._list_decks(new))
        titled = (*old.game.decks, *new.game.decks)
        return diff_model.Difference(
            title=new.game.title.get_plain_text(language),
            old=old.name,
            new=new.name,
            languages=self.languages,
            cards=tuple(grouped),
            rules=() if self.left_out else tuple(self._compare_rules(waiting)),
            waiting=tuple(waiting),
            books=tuple(game_diffs.compare_books(old.game.root, new.game.root)),
            appeared=appeared,
            vanished=() if self.left_out else vanished,  # what is unread has not been mended
            decks=tuple(game_diffs.compare_decks(*decks, language)),
            to_print=tuple(self._list_sheets(cards)),
            paper=new.game.defaults.paper,
            titles={deck.id: deck.title.get_plain_text(language) for deck in titled},
            notes=self.notes,
            pictures={each.name: each.webp for each in pictures.values() if each.webp},
            typeset=sum(each.typeset_count for each in typeset),
            drawn=drawn,
        )

    def _describe_states(self) -> dict[str, tuple[GameState, GameState]]:
        """Return the two states by language, and find the moves.

        In the old states, cards that moved are where they are now.
        """
        states = {}
        for code in self.languages:
            old = self._describe_entries(self.old, self.new, code)
            new = self._describe_entries(self.new, self.old, code)
            states[code] = old, new
            for key, was in card_changes.find_moves(old, new).items():
                if key not in self.moves and was not in self.moves.values():
                    self.moves[key] = was
        return {
            c: (card_changes.apply_moves(old, self.moves), new) for c, (old, new) in states.items()
        }

    def _describe_entries(
        self, state: RenderedState, other: RenderedState, language: str
    ) -> GameState:
        """Describe a state's cards, computing digests only of faces that the other one lacks."""
        same_icons = state.faces.fonts.icon_digest == other.faces.fonts.icon_digest
        shared = {face.digest for face in other.faces_by_key.values()} if same_icons else set[str]()
        hasher = card_changes.LookHasher(state.game, fonts=False)

        def get_look(face: Face) -> str:
            return face.digest if face.digest in shared else hasher.hash_face(face)

        decks = self._list_decks(state)
        return card_changes.describe_state(state.game, state.faces, decks, language, get_look)

    def _describe_cards(
        self, pairs: Sequence[FacePair], pictures: Mapping[str, FacePicture]
    ) -> list[diff_model.CardDiff]:
        reasons = ReasonFinder(self.old.game, self.new.game)
        webps = {each.name: each.webp for each in pictures.values() if each.webp}

        @cache
        def find_spots(old: str, new: str) -> tuple[diff_model.DiffSpot, ...]:
            """Return the places where two pictures differ."""
            both = old in webps and new in webps
            return tuple(face_pictures.find_differences(webps[old], webps[new])) if both else ()

        faces: dict[CardKey, list[diff_model.FaceDiff]] = {}
        for pair in pairs:
            why = reasons.find_reasons(pair.old, pair.new) if pair.old and pair.new else ()
            old = self.old.describe_image(pair.old, pictures)
            new = self.new.describe_image(pair.new, pictures)
            spots = find_spots(old.picture, new.picture) if old and new and old != new else ()
            face = diff_model.FaceDiff(pair.side, (pair.language,), old, new, tuple(why), spots)
            faces.setdefault(pair.key, []).append(face)
        cards: dict[CardKey, dict[str, card_changes.CardChange]] = {}
        for code, changes in self.changes.items():
            for key, change in changes.items():
                cards.setdefault(key, {})[code] = change
        return [
            card_diffs.describe_card(key, each, faces.get(key, ()), self.moves, self.languages)
            for key, each in cards.items()
        ]

    def _check_states(self, pairs: Sequence[FacePair]) -> list[str]:
        """Check the rules of both states; return those that wait for faces not typeset yet.

        A face of the old state that has not changed is measured as the new one.
        """
        changed = {card_diffs.get_face_key(pair.old) for pair in pairs if pair.old}
        for key, face in self.old.faces_by_key.items():
            same = self.new.faces_by_key.get(key)
            if same is not None and key not in changed:
                self.old.faces_by_key[key] = replace(same, deck=face.deck, piece=face.piece)
        waiting: dict[str, None] = {}
        for state in (self.old, self.new):
            game, faces, unread = state.game, state.faces, state.stages.has_unread_files
            faces.faces = list(state.faces_by_key.values())
            measured = rule_kinds.find_contrast_decks(game.rules)
            text_contrast.measure_contrasts(
                (face for face in faces.faces if face.deck.id in measured), faces.fonts, self.store
            )
            facts = FaceQueries(game, faces, self.store)
            subject = f"rules and table, {state.name}"
            with work_limits.work_limit(subject, pipeline_stages.compute_time_limit(game)):
                state.problems += pipeline_stages.check_rules(
                    game, faces, state.problems, facts, unread=unread
                )
                if not unread:
                    problems, left = rule_file.check_face_rules(game, facts)
                    state.problems += problems
                    waiting |= dict.fromkeys(rule.id for rule in left)
        return list(waiting)

    def _compare_rules(self, waiting: Sequence[str]) -> Iterator[diff_model.RuleDiff]:
        statuses = []
        for state in (self.old, self.new):
            facts = FaceQueries(state.game, state.faces, self.store)
            listed = rule_kinds.list_rule_statuses(state.game, facts)
            statuses.append({status.rule.id: status for status in listed})
        broken = [{problem.kind for problem in state.problems} for state in (self.old, self.new)]
        return game_diffs.compare_rules(statuses, broken, waiting)

    @staticmethod
    def _list_problems(state: RenderedState, waiting: Collection[str]) -> list[Problem]:
        """Return a state's problems without those of fonts, which are today's in both states, and
        of rules that wait in one of them."""
        decks = {deck.id: deck for deck in state.game.decks}
        problems = [p for p in state.problems if p.kind != "font" and p.kind not in waiting]
        return look_templates.relocate_problems(sort_problems(problems), decks)

    def _list_sheets(
        self, cards: Sequence[diff_model.CardDiff]
    ) -> Iterator[diff_model.SheetsToPrint]:
        game = self.new.game
        for code in self.languages:
            wanted = {
                (card.deck, name)
                for card in cards
                for name in card.cards
                if card.kind == "new"
                or 0 < card.copies[0] < card.copies[1]
                or any(code in face.languages and face.new for face in card.faces)
            }
            if wanted:
                options = create_options({}, game.defaults)
                decks = self._list_decks(self.new)
                job = self.new.stages.create_job(options, decks=decks, languages=(code,))
                yield from print_sheets.find_sheets_to_reprint(job, wanted)

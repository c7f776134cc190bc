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

from cardgen import earlier, examining
from cardgen.asking import NotThere
from cardgen.assets import fontfiles
from cardgen.assets.fontfiles import ICON_FAMILY
from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source, ordered
from cardgen.base.shared_store import Shared
from cardgen.base.store import Store
from cardgen.book.editions import Books
from cardgen.changes import revisions
from cardgen.changes.compare import Change, Key, State, moved, under_new_keys
from cardgen.changes.diff import book_texts, cards, rule_changes, unread
from cardgen.changes.diff.cards import Pair, Whose
from cardgen.changes.diff.grouping import grouped
from cardgen.changes.diff.model import (
    CardDiff,
    DeckDiff,
    Difference,
    RuleDiff,
    Shown,
    ToPrint,
)
from cardgen.changes.diff.reasons import Reasons
from cardgen.changes.diff.rule_changes import Held
from cardgen.changes.revisions import WHOLE, NoGame, NoRevision
from cardgen.changes.states import Looks, fonts_digest, state_of
from cardgen.faces import contrast, produce
from cardgen.faces.known import OfFaces
from cardgen.faces.produce import Face, Faces
from cardgen.game import loading, texts
from cardgen.game.decks import UNREAD
from cardgen.game.fonts_file import FILE as FONTS
from cardgen.game.looks import drawing_up
from cardgen.game.model import Game
from cardgen.outputs import face_pictures, reprint
from cardgen.outputs.contract import Job, Options, Progress, quiet
from cardgen.outputs.face_pictures import Picture
from cardgen.outputs.sheet_recipes import NoLayout, usual_layout
from cardgen.request import Request
from cardgen.rules import composition, rulekinds, standing

NOW = "the files as they are"
_RULES = ""
"""Among the decks that are left out, the rules."""
Found = tuple[Difference | None, list[Problem]]


@dataclass(frozen=True)
class Asked:
    """Which states are compared, as git's `diff` takes them, and of which languages and decks, all
    unless some are named; `variant` is "" for the game as a whole."""

    root: Path
    words: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    decks: tuple[str, ...] = ()
    variant: str = ""
    shared: Shared | None = None
    """The store that other machines share."""


@dataclass
class _State:
    """The game at a time, its templates rendered."""

    name: str
    game: Game
    faces: Faces
    problems: list[Problem]
    by_name: dict[Whose, Face] = field(init=False)

    def __post_init__(self) -> None:
        self.by_name = {_whose(face): face for face in self.faces.faces}

    def drawn(self, some: Iterable[Face]) -> Faces:
        """Some of the faces that are in order, as they are set and drawn."""
        ready = {face.key: face for face in some if face.deck.id not in self.faces.waiting}
        return Faces(self.faces.fonts, list(ready.values()))


class _CannotBe(Exception):  # noqa: N818 - it reads as what it says
    """What is asked cannot be compared; the problems say why."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__()
        self.problems = ordered(problems)


def difference(asked: Asked, progress: Progress = quiet) -> Found:
    """What differs between the two states; None where that cannot be told, and why."""
    request = Request(asked.root, (), shared=asked.shared)
    came = examining.in_turn(
        request,
        progress,
        lambda again: _difference(asked, again, progress),
        lambda problem: (None, [problem]),
    )
    request.store.push()
    return came


def _difference(asked: Asked, request: Request, progress: Progress) -> Found:
    game, problems = composition.load(request.root)
    if game is None:
        return None, ordered(problems)
    store = request.store_of(game)
    where = Source(" ".join(asked.words) or "HEAD")
    try:
        today = replace(request, variant=asked.variant).of_variant(game)
        with ExitStack() as stack:
            old, new = revisions.span(request.root, asked.words)
            at = [revision for revision in (old, new) if revision is not None]
            games, born = list[tuple[Game, Sequence[Problem]]](), ""
            for each in at:
                try:
                    then = earlier.game_at(each, today, asked.variant, WHOLE)
                    games.append(stack.enter_context(then))
                except NoGame as error:
                    if each is not old:
                        raise
                    games.append((earlier.before_it(today), ()))
                    born = f"All of it is new: {error}"
            if new is None:
                games.append((today, problems))
            names = [*map(str, at), *([NOW] if new is None else [])]
            states = [_state(name, *of, store) for name, of in zip(names, games, strict=True)]
            before, after = states
            found = _Comparison(asked, before, after, store, progress).difference()
            if new is None:
                loading.hold_still(today)
            return (replace(found, notes=(born, *found.notes)) if born else found), []
    except _CannotBe as error:
        return None, error.problems
    except (NoRevision, NotThere, Stopped, NoLayout) as error:
        return None, [Problem(where, str(error), "revision")]


def _state(name: str, game: Game, problems: Sequence[Problem], store: Store) -> _State:
    """The game at a time. Raises `_CannotBe` where it has no fonts, and `Stopped`."""
    fonts, told = fontfiles.prepare(game, store)
    wrong = [p for p in told if p.severity == "error" and p.kind == "font"]
    if wrong:
        raise _CannotBe(wrong)
    if all(cut.family == ICON_FAMILY for cut in fonts.cuts):
        message = "the game has no font; text cannot be set without one"
        raise _CannotBe([Problem(Source(FONTS), message, "font")])
    with guard.at(f"the game's texts and templates, {name}", examining.seconds_of(game)):
        found = [*problems, *told, *texts.problems(game)]
        faces = produce.order(game, fonts, game.decks, game.languages, store)
    return _State(name, game, faces, found)


def _whose(face: Face) -> Whose:
    return face.deck.id, face.piece.id, face.side, face.language


class _Comparison:
    """Two states, and what is worked out of them step by step."""

    def __init__(
        self, asked: Asked, old: _State, new: _State, store: Store, progress: Progress
    ) -> None:
        self.old, self.new, self.store, self.progress = old, new, store, progress
        self.decks = frozenset(asked.decks)
        self.left_out = self._left_out()
        known = new.game.languages
        wanted = [code for code in known if not asked.languages or code in asked.languages]
        self.languages = tuple(code for code in wanted if code in old.game.languages)
        if not self.languages:
            message = f"the game had none of these languages at {old.name}: {', '.join(wanted)}"
            raise NoRevision(message)
        self.notes = [*self._notes(asked, wanted)]

    def _left_out(self) -> dict[str, tuple[str, str]]:
        """What is compared with nothing, since a file of a state could not be read: decks, and ""
        for the rules; each with that state's name and the file. Rules are not held then."""
        found = dict[str, tuple[str, str]]()
        for state, other in ((self.old, self.new), (self.new, self.old)):
            missed = unread.files(state.problems)
            for deck, file in unread.decks(state.game, other.game, missed):
                found[deck] = state.name, file
            if composition.FILE in missed and not state.game.rules:
                found[_RULES] = state.name, composition.FILE
        return found

    def _wanted(self, deck: str) -> bool:
        return deck not in self.left_out and (not self.decks or deck in self.decks)

    def _notes(self, asked: Asked, wanted: Sequence[str]) -> Iterator[str]:
        for deck, (state, file) in self.left_out.items():
            what = f"the cards of {deck}, and the rules," if deck != _RULES else "the rules"
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
        if fonts_digest(self.old.game.root) != fonts_digest(self.new.game.root):
            yield (
                "The game's fonts changed, so that every face may. Both states are drawn in the "
                "fonts that are installed now; what they alone change is not shown."
            )

    def difference(self) -> Difference:
        """All of it."""
        changed, moves, states = self._changes()
        faces = self.old.by_name, self.new.by_name
        sides = [
            pair
            for code in self.languages
            for pair in cards.pairs(changed[code], states[code], moves, code, faces)
        ]
        typeset = [
            self._make(self.old, [pair.old for pair in sides if pair.old]),
            self._make(self.new, [pair.new for pair in sides if pair.new]),
        ]
        pictures, drawn = face_pictures.drawn([made for made, _ in typeset], self.store,
                                              self.progress)  # fmt: skip
        told = self._cards(changed, moves, sides, pictures)
        webps = {each.name: each.webp for each in pictures.values() if each.webp}
        order = {deck.id: number for number, deck in enumerate(self.new.game.decks)}
        waiting = self._hold(sides)
        rules = () if self.left_out else self._rules(waiting)
        books = book_texts.changes(self.old.game.root, self.new.game.root)
        appeared, vanished = _apart(self._told(self.old, waiting), self._told(self.new, waiting))
        if self.left_out:
            vanished = ()  # what could not be read is not mended
        game = self.new.game
        return Difference(
            game.title.spoken(self.languages[0]), self.old.name, self.new.name, self.languages,
            tuple(
                _marked(card, webps)
                for card in sorted(
                    grouped(told), key=lambda card: order.get(card.deck, len(order))
                )
            ),
            tuple(rules), tuple(waiting), tuple(books), appeared, vanished,
            tuple(self._deck_counts()), tuple(self._sheets(told)), game.defaults.paper,
            {d.id: d.title.spoken(self.languages[0]) for d in (*self.old.game.decks, *game.decks)},
            tuple(self.notes), webps,
            sum(number for _, number in typeset), drawn,
        )  # fmt: skip

    def _changes(
        self,
    ) -> tuple[dict[str, dict[Key, Change]], dict[Key, Key], dict[str, tuple[State, State]]]:
        """What happened to each card in each language, which moved, and the states compared, the
        old one with the cards that moved where they are now."""
        states, moves = {}, dict[Key, Key]()
        for code in self.languages:
            old = self._entries(self.old, self.new, code)
            new = self._entries(self.new, self.old, code)
            states[code] = old, new
            for key, was in moved(old, new).items():
                if key not in moves and was not in moves.values():
                    moves[key] = was
        states = {c: (under_new_keys(old, moves), new) for c, (old, new) in states.items()}
        return {c: cards.changes(*states[c], moves) for c in self.languages}, moves, states

    def _entries(self, state: _State, other: _State, language: str) -> State:
        """A state in a language. Looks are worked out only of faces that the other one has not just
        as they are."""
        same_icons = state.faces.fonts.icon_digest == other.faces.fonts.icon_digest
        theirs = {face.digest for face in other.by_name.values()} if same_icons else set[str]()
        look = Looks(state.game, fonts=False).of

        def look_of(face: Face) -> str:
            return face.digest if face.digest in theirs else look(face)

        decks = [deck for deck in state.game.decks if self._wanted(deck.id)]
        return state_of(state.game, state.faces, decks, language, look_of)

    def _make(self, state: _State, faces: Iterable[Face]) -> tuple[Faces, int]:
        """Set those faces that the store does not hold; how many it were."""
        part = state.drawn(faces)
        doing = f"typesetting {state.name}"
        produce.make(state.game, part, self.store, partial(self.progress, doing))
        state.problems += part.problems
        return part, part.typeset

    def _cards(
        self,
        changed: dict[str, dict[Key, Change]],
        moves: dict[Key, Key],
        sides: Sequence[Pair],
        pictures: dict[str, Picture],
    ) -> list[CardDiff]:
        reasons = Reasons(self.old.game, self.new.game)
        by_card: dict[Key, list[tuple[Pair, Shown | None, Shown | None]]] = {}
        for pair in sides:
            why = tuple(reasons.of(pair.old, pair.new)) if pair.old and pair.new else ()
            shown = [
                self._shown(state, face, pictures) if face else None
                for state, face in ((self.old, pair.old), (self.new, pair.new))
            ]
            by_card.setdefault(pair.key, []).append((replace(pair, why=why), *shown))  # type: ignore[arg-type]
        keys = dict.fromkeys(key for code in self.languages for key in changed[code])
        return [
            cards.told(
                key, {c: changed[c][key] for c in self.languages if key in changed[c]},
                by_card.get(key, ()), moves, self.languages,
            )
            for key in keys
        ]  # fmt: skip

    @staticmethod
    def _shown(state: _State, face: Face, pictures: dict[str, Picture]) -> Shown:
        size = face.deck.size
        if face.deck.id in state.faces.waiting:
            why = "its deck's templates or styles have mistakes"
            return Shown(size.width, size.height, why=why)
        found = pictures[face_pictures.key_of(face, state.faces)]
        return Shown(size.width, size.height, found.name, found.why)

    def _hold(self, sides: Sequence[Pair]) -> list[str]:
        """Hold the rules of both states; those about faces that wait, since not all their cards are
        set. A face of the old state that looks as it does now is known by that one."""
        changed = {_whose(pair.old) for pair in sides if pair.old}
        for name, face in self.old.by_name.items():
            twin = self.new.by_name.get(name)
            if twin is not None and name not in changed:
                self.old.by_name[name] = replace(twin, deck=face.deck, piece=face.piece)
        waiting: dict[str, None] = {}
        for state in (self.old, self.new):
            state.faces.faces = list(state.by_name.values())
            unread = any(problem.kind in UNREAD for problem in state.problems)
            asking = rulekinds.asking_for_contrasts(state.game.rules)
            known = OfFaces(state.game, state.faces, self.store)
            contrast.make(
                (face for face in state.faces.faces if face.deck.id in asking),
                state.faces.fonts, self.store,
            )  # fmt: skip
            with guard.at(f"rules and table, {state.name}", examining.seconds_of(state.game)):
                told = [*state.problems]
                state.problems += examining.held(
                    state.game, state.faces, told, known, unread=unread
                )
                if not unread:
                    more, left = composition.check_faces(state.game, known)
                    state.problems += more
                    waiting |= dict.fromkeys(rule.id for rule in left)
        return list(waiting)

    def _rules(self, waiting: Sequence[str]) -> Iterator[RuleDiff]:
        held: list[Held] = []
        for state in (self.old, self.new):
            known = OfFaces(state.game, state.faces, self.store)
            kinds = {problem.kind for problem in state.problems}
            held.append(rule_changes.held(standing.standings(state.game, known), kinds))
        return rule_changes.changes(held[0], held[1], waiting)

    @staticmethod
    def _told(state: _State, waiting: Collection[str]) -> list[Problem]:
        """What is wrong with a state, but for its fonts, which are those installed now. Of a rule
        that waits in one of them nothing is known."""
        decks = {deck.id: deck for deck in state.game.decks}
        told = [p for p in state.problems if p.kind != "font" and p.kind not in waiting]
        return drawing_up.told(ordered(told), decks)

    def _deck_counts(self) -> Iterator[DeckDiff]:
        then = {deck.id: deck for deck in self.old.game.decks}
        now = {deck.id: deck for deck in self.new.game.decks}
        for name in dict.fromkeys([*now, *then]):
            if not self._wanted(name):
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
                    name, deck.title.spoken(self.languages[0]), (number[0], number[1]),
                    (copies[0], copies[1]), orders[0] != orders[1],
                )  # fmt: skip

    def _sheets(self, told: Sequence[CardDiff]) -> Iterator[ToPrint]:
        decks = [deck for deck in self.new.game.decks if self._wanted(deck.id)]
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
                options = Options(usual_layout(game), game.defaults.dpi, bleed=False,
                                  rounded=False, mix=game.defaults.mix)  # fmt: skip
                job = Job(game, tuple(decks), (code,), self.new.faces, Books(), self.store, options)
                yield from reprint.sheets_with(job, wanted)


def _marked(card: CardDiff, webps: Mapping[str, bytes]) -> CardDiff:
    """A card with the spots where its pictures differ."""
    faces = []
    for face in card.faces:
        old = webps.get(face.old.picture) if face.old else None
        new = webps.get(face.new.picture) if face.new else None
        found = face_pictures.spots(old, new) if old and new else ()
        faces.append(replace(face, spots=found))
    return replace(card, faces=tuple(faces))


def _apart(
    old: Iterable[Problem], new: Iterable[Problem]
) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """The problems that only the new state has, and those that only the old one had. A line that
    moved makes no other problem of it."""

    def same(problem: Problem) -> tuple[object, ...]:
        return problem.source.path, problem.kind, problem.severity, problem.subject, problem.message

    def only(some: Iterable[Problem], others: Iterable[Problem]) -> tuple[Problem, ...]:
        left = Counter(map(same, others))
        found = []
        for problem in some:
            if left[same(problem)]:
                left[same(problem)] -= 1
            else:
                found.append(problem)
        return tuple(found)

    old, new = [*old], [*new]
    return only(new, old), only(old, new)

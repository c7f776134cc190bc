"""A card as it was: at a commit, or when it was last printed.

Nothing of it lies in the store unless it looks as it did then, so it is typeset anew from what git
holds, in today's fonts. `printed.yaml` tells what a card said and the hash of its look, not the
look itself; of that, too, only git knows. Each function is one call of `workers.Resident`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from cardgen import earlier, examining
from cardgen.assets import fontfiles
from cardgen.base import guard
from cardgen.base.guard import Stopped
from cardgen.base.store import digest_of
from cardgen.changes import baselines, revisions
from cardgen.changes.compare import Change, Entry
from cardgen.changes.revisions import NoRevision, Revision
from cardgen.changes.states import state_of
from cardgen.faces import produce
from cardgen.faces.face_pdfs import face_pdf
from cardgen.faces.produce import Face, Faces
from cardgen.game.model import Deck, Game
from cardgen.preview import press
from cardgen.preview.press import Place
from cardgen.preview.seen import FaceName, Recipe
from cardgen.templates.cache import SIDES

PRINTED = "printed"
_SECONDS = 30.0
_MOST_COMMITS = 12
"""In so many of the last commits it is looked for what was printed."""


class _None(Exception):  # noqa: N818 - it reads as what it says
    """There is nothing to compare with; the message says why."""


@dataclass(frozen=True)
class Asked:
    """Which card, and how it was when: `printed`, or a revision or date as git knows it."""

    place: Place
    deck: str
    card: str
    when: str


@dataclass(frozen=True)
class Past:
    """A card as it was: pictures by face, what they are drawn from, and the fields that were
    otherwise, by language. `name` says when that was, and `why` what is not to be had."""

    name: str = ""
    pictures: dict[str, str] = field(default_factory=dict)
    recipes: dict[str, Recipe] = field(default_factory=dict)
    edits: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True)
class _Card:
    """One card in a state of the game, with its faces, nothing of them set."""

    game: Game
    deck: Deck
    faces: Faces

    def entries(self) -> dict[str, Entry]:
        """What it said and how it looked, by language."""
        (piece,) = self.deck.pieces
        found = {}
        for language in self.game.languages:
            entry = state_of(self.game, self.faces, [self.deck], language)[self.deck.id]
            if piece.id in entry:
                found[language] = entry[piece.id]
        return found


def seen(asked: Asked) -> Past:
    """The card as it was."""
    try:
        with guard.at("the card as it was", _SECONDS):
            return _seen(asked)
    except (_None, NoRevision, Stopped) as error:
        return Past(why=str(error))


def _seen(asked: Asked) -> Past:
    game = press.now(asked.place).game
    if game is None:
        raise _None("the game cannot be read now")
    today = _card(asked, game)
    if asked.when == PRINTED:
        return _printed(asked, today)
    revision = revisions.find(asked.place.root, asked.when)
    with _then(asked, revision, today) as card:
        pictures, recipes = _set(asked, card, card.faces.faces)
        edits = _edits(card.entries(), today.entries())
    return Past(str(revision), pictures, recipes, edits, "")


def _printed(asked: Asked, today: _Card) -> Past:
    """The card as `printed.yaml` tells of it, out of the newest commit in which it looked so."""
    base, problems = baselines.printed(asked.place.root)
    if base is None:
        raise _None(str(problems[0].message))
    states = {code: state.get(asked.deck, {}) for code, state in base.states.items()}
    told = {code: state[asked.card] for code, state in states.items() if asked.card in state}
    if not told:
        raise _None("this card had not been printed when printed.yaml was written")
    now = today.entries()
    name, edits = base.name, _edits(told, now)
    wanted = {code: entry for code, entry in told.items() if _looks(entry) != _looks(now.get(code))}
    if not wanted:
        return Past(name, edits=edits, why="it looks as it was printed")
    found = Past(name, edits=edits)
    for revision in revisions.walk(asked.place.root, _MOST_COMMITS):
        try:
            alike, pictures, recipes = _as_printed(asked, revision, today, wanted)
        except (_None, NoRevision):
            continue
        for code in alike:
            del wanted[code]
        found.pictures.update(pictures)
        found.recipes.update(recipes)
        if not wanted:
            return replace(found, name=f"{name}, as in {revision}")
    why = (
        f"in none of the last {_MOST_COMMITS} commits of its cards it looks as it was printed "
        f"({', '.join(wanted)}); commit the game when you print it"
    )
    return replace(found, why=why)


def _as_printed(
    asked: Asked, revision: Revision, today: _Card, wanted: Mapping[str, Entry]
) -> tuple[list[str], dict[str, str], dict[str, Recipe]]:
    """Those of the wanted languages in which the card looked so at a commit, and their faces."""
    with _then(asked, revision, today) as card:
        then = card.entries()
        alike = [code for code in wanted if _looks(then.get(code)) == _looks(wanted[code])]
        faces = [face for face in card.faces.faces if face.language in alike]
        return alike, *_set(asked, card, faces)


def _looks(entry: Entry | None) -> tuple[str, str] | None:
    return (entry.front, entry.back) if entry else None


@contextmanager
def _then(asked: Asked, revision: Revision, today: _Card) -> Iterator[_Card]:
    """The card at a commit, for as long as its files are there. Raises `NoRevision`."""
    with earlier.game_at(revision, today.game, asked.place.variant) as (game, _):
        yield _card(asked, game, f"at {revision}")


def _card(asked: Asked, game: Game, when: str = "now") -> _Card:
    """The card in a game, its templates rendered. Raises `_None`."""
    deck = game.deck(asked.deck) if any(each.id == asked.deck for each in game.decks) else None
    pieces = [piece for piece in deck.pieces if piece.id == asked.card] if deck else []
    if deck is None or not pieces:
        raise _None(f"{when} there is no card {asked.deck}/{asked.card}")
    store = press.at(asked.place).store
    fonts, _ = fontfiles.prepare(game, store)
    with guard.at(f"{asked.deck}/{asked.card} {when}", examining.seconds_of(game)):
        faces = produce.order(game, fonts, [deck], game.languages, store)
    mine = [face for face in faces.faces if face.piece.id == asked.card]
    sides = sum(bool(deck.template(pieces[0], side)) for side in SIDES)
    if deck.id in faces.waiting or len(mine) < sides * len(game.languages):
        why = next((p.message for p in faces.problems if p.severity == "error"), "no template")
        raise _None(f"{when} the card cannot be drawn: {why}")
    return _Card(game, replace(deck, pieces=tuple(pieces[:1])), replace(faces, faces=mine))


def _set(asked: Asked, card: _Card, faces: list[Face]) -> tuple[dict[str, str], dict[str, Recipe]]:
    """The faces set, where the store does not hold them: their pictures, and how each is drawn."""
    at = press.at(asked.place)
    store = at.store
    fonts = card.faces.fonts
    told: list[Any] = []
    part = Faces(fonts, list(faces))
    press.alone(at, lambda: produce.make(card.game, part, store), told.append)
    icons = tuple(cut for cut in fonts.cuts if cut.family == fontfiles.ICON_FAMILY)
    pictures: dict[str, str] = {}
    recipes: dict[str, Recipe] = {}
    for face in faces:
        if store.has(store.path("faces", f"{face.key}.pdf")):
            name = str(FaceName(asked.deck, asked.card, face.side, face.language))
            pictures[name] = digest_of([face.digest, fonts.icon_digest])
            recipes[pictures[name]] = Recipe(face_pdf(face, store), icons)
    if faces and not pictures:
        raise _None(str(told[0].message) if told else "its faces could not be set")
    return pictures, recipes


def _edits(old: Mapping[str, Entry], new: Mapping[str, Entry]) -> dict[str, list[dict[str, str]]]:
    """The fields that say something else now, by language."""
    found = {}
    for code, entry in old.items():
        change = Change("changed", "", "", entry, new.get(code))
        found[code] = [vars(edit) for edit in change.edits]
    return {code: edits for code, edits in found.items() if edits}

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

from cardgen.assets import font_files
from cardgen.changes import baselines, revisions
from cardgen.changes.card_changes import CardChange, CardSnapshot
from cardgen.changes.card_states import describe_state
from cardgen.changes.revisions import Revision, RevisionError
from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import rendering, typesetting
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.game.model import Deck, Game
from cardgen.pipeline import past_game, stages
from cardgen.preview.messages import FaceName, FacePictureRecipe
from cardgen.preview.workers import render_worker
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime.content_store import digest_parts
from cardgen.templates.render_cache import SIDES

AS_PRINTED = "printed"
PAST_CARD_SECONDS = 30.0
MAX_SEARCHED_COMMITS = 12
"""In so many of the last commits it is looked for what was printed."""


class NoPastCardError(Exception):
    """There is nothing to compare with; the message says why."""


@dataclass(frozen=True)
class PastCardRequest:
    """Which card, and how it was when: `printed`, or a revision or date as git knows it."""

    location: GameLocation
    deck: str
    card: str
    when: str


@dataclass(frozen=True)
class PastCard:
    """A card as it was: pictures by face, what they are drawn from, and the fields that were
    otherwise, by language. `name` says when that was, and `why` what is not to be had."""

    name: str = ""
    pictures: dict[str, str] = field(default_factory=dict)
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    edits: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True)
class CardAtTime:
    """One card in a state of the game, with its faces, nothing of them set."""

    game: Game
    deck: Deck
    faces: FaceSet

    def describe_entries(self) -> dict[str, CardSnapshot]:
        """What it said and how it looked, by language."""
        (piece,) = self.deck.pieces
        found = {}
        for language in self.game.languages:
            entry = describe_state(self.game, self.faces, [self.deck], language)[self.deck.id]
            if piece.id in entry:
                found[language] = entry[piece.id]
        return found


def find_past_card(asked: PastCardRequest) -> PastCard:
    """The card as it was."""
    try:
        with work_limits.work_limit("the card as it was", PAST_CARD_SECONDS):
            return _find_card(asked)
    except (NoPastCardError, RevisionError, LimitExceededError) as error:
        return PastCard(why=str(error))


def _find_card(asked: PastCardRequest) -> PastCard:
    game = render_worker.get_current_session(asked.location).game
    if game is None:
        raise NoPastCardError("the game cannot be read now")
    today = _render_card(asked, game)
    if asked.when == AS_PRINTED:
        return _find_printed_card(asked, today)
    revision = revisions.find_revision(asked.location.root, asked.when)
    with _open_card_at(asked, revision, today) as card:
        pictures, recipes = _typeset_past_faces(asked, card, card.faces.faces)
        edits = _list_edits(card.describe_entries(), today.describe_entries())
    return PastCard(str(revision), pictures, recipes, edits, "")


def _find_printed_card(asked: PastCardRequest, today: CardAtTime) -> PastCard:
    """The card as `printed.yaml` tells of it, out of the newest commit in which it looked so."""
    base, problems = baselines.load_printed(asked.location.root)
    if base is None:
        raise NoPastCardError(str(problems[0].message))
    states = {code: state.get(asked.deck, {}) for code, state in base.states.items()}
    told = {code: state[asked.card] for code, state in states.items() if asked.card in state}
    if not told:
        raise NoPastCardError("this card had not been printed when printed.yaml was written")
    now = today.describe_entries()
    name, edits = base.name, _list_edits(told, now)
    wanted = {
        code: entry
        for code, entry in told.items()
        if _get_looks(entry) != _get_looks(now.get(code))
    }
    if not wanted:
        return PastCard(name, edits=edits, why="it looks as it was printed")
    found = PastCard(name, edits=edits)
    for revision in revisions.list_revisions(asked.location.root, MAX_SEARCHED_COMMITS):
        try:
            alike, pictures, recipes = _match_printed(asked, revision, today, wanted)
        except (NoPastCardError, RevisionError):
            continue
        for code in alike:
            del wanted[code]
        found.pictures.update(pictures)
        found.recipes.update(recipes)
        if not wanted:
            return replace(found, name=f"{name}, as in {revision}")
    why = (
        f"in none of the last {MAX_SEARCHED_COMMITS} commits of its cards it looks as it was printed "
        f"({', '.join(wanted)}); commit the game when you print it"
    )
    return replace(found, why=why)


def _match_printed(
    asked: PastCardRequest,
    revision: Revision,
    today: CardAtTime,
    wanted: Mapping[str, CardSnapshot],
) -> tuple[list[str], dict[str, str], dict[str, FacePictureRecipe]]:
    """Those of the wanted languages in which the card looked so at a commit, and their faces."""
    with _open_card_at(asked, revision, today) as card:
        then = card.describe_entries()
        alike = [code for code in wanted if _get_looks(then.get(code)) == _get_looks(wanted[code])]
        faces = [face for face in card.faces.faces if face.language in alike]
        return alike, *_typeset_past_faces(asked, card, faces)


def _get_looks(entry: CardSnapshot | None) -> tuple[str, str] | None:
    return (entry.front, entry.back) if entry else None


@contextmanager
def _open_card_at(
    asked: PastCardRequest, revision: Revision, today: CardAtTime
) -> Iterator[CardAtTime]:
    """The card at a commit, for as long as its files are there. Raises `NoRevision`."""
    with past_game.load_past_game(revision, today.game, asked.location.variant) as (game, _):
        yield _render_card(asked, game, f"at {revision}")


def _render_card(asked: PastCardRequest, game: Game, when: str = "now") -> CardAtTime:
    """The card in a game, its templates rendered. Raises `_None`."""
    deck = game.get_deck(asked.deck) if any(each.id == asked.deck for each in game.decks) else None
    pieces = [piece for piece in deck.pieces if piece.id == asked.card] if deck else []
    if deck is None or not pieces:
        raise NoPastCardError(f"{when} there is no card {asked.deck}/{asked.card}")
    store = render_worker.get_session(asked.location).store
    fonts, _ = font_files.prepare_fonts(game, store)
    with work_limits.work_limit(
        f"{asked.deck}/{asked.card} {when}", stages.compute_time_limit(game)
    ):
        faces = rendering.render_faces(game, fonts, [deck], game.languages, store)
    mine = [face for face in faces.faces if face.piece.id == asked.card]
    sides = sum(bool(deck.get_template(pieces[0], side)) for side in SIDES)
    if deck.id in faces.blocked_decks or len(mine) < sides * len(game.languages):
        why = next((p.message for p in faces.problems if p.severity == "error"), "no template")
        raise NoPastCardError(f"{when} the card cannot be drawn: {why}")
    return CardAtTime(game, replace(deck, pieces=tuple(pieces[:1])), replace(faces, faces=mine))


def _typeset_past_faces(
    asked: PastCardRequest, card: CardAtTime, faces: list[Face]
) -> tuple[dict[str, str], dict[str, FacePictureRecipe]]:
    """The faces set, where the store does not hold them: their pictures, and how each is drawn."""
    at = render_worker.get_session(asked.location)
    store = at.store
    fonts = card.faces.fonts
    told: list[Any] = []
    part = FaceSet(fonts, list(faces))
    render_worker.run_in_build_folder(
        at, lambda: typesetting.typeset_faces(card.game, part, store), told.append
    )
    icons = tuple(cut for cut in fonts.files if cut.family == font_files.ICON_FAMILY)
    pictures: dict[str, str] = {}
    recipes: dict[str, FacePictureRecipe] = {}
    for face in faces:
        if store.has_entry(store.get_path("faces", f"{face.key}.pdf")):
            name = str(FaceName(asked.deck, asked.card, face.side, face.language))
            pictures[name] = digest_parts([face.digest, fonts.icon_digest])
            recipes[pictures[name]] = FacePictureRecipe(get_face_pdf(face, store), icons)
    if faces and not pictures:
        raise NoPastCardError(str(told[0].message) if told else "its faces could not be set")
    return pictures, recipes


def _list_edits(
    old: Mapping[str, CardSnapshot], new: Mapping[str, CardSnapshot]
) -> dict[str, list[dict[str, str]]]:
    """The fields that say something else now, by language."""
    found = {}
    for code, entry in old.items():
        change = CardChange("changed", "", "", entry, new.get(code))
        found[code] = [vars(edit) for edit in change.edits]
    return {code: edits for code, edits in found.items() if edits}

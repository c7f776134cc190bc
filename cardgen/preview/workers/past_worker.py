"""Earlier versions of a card: at a commit, or when it was last printed.

The store holds faces as they are today, so an earlier version is typeset again from what git holds,
with today's fonts. `printed.yaml` records the fields of a card and the digest of its look, so its
faces come from the newest commit with the same look. Runs in the preview's book worker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardgen.changes import baselines, revisions
from cardgen.changes.card_changes import CardChange, CardSnapshot, describe_state
from cardgen.changes.revisions import Revision, RevisionError
from cardgen.core import work_limits
from cardgen.core.problems import ProblemsError
from cardgen.core.work_limits import LimitExceededError
from cardgen.faces import typesetting
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.game.model import Deck, Game
from cardgen.pipeline.request import Request
from cardgen.pipeline.stages import Stages, load_past_game
from cardgen.preview.messages import FaceName, FacePictureRecipe, GameLocation
from cardgen.preview.workers import render_worker
from cardgen.templates.render_cache import SIDES

AS_PRINTED = "printed"
PAST_CARD_SECONDS = 30.0
MAX_SEARCHED_COMMITS = 12
"""Number of commits searched for the look that was printed."""


class NoPastCardError(Exception):
    """There is no earlier version to show; the message says why."""


class CardName(NamedTuple):
    """A card of a game."""

    location: GameLocation
    deck: str
    card: str


@dataclass(frozen=True)
class PastCard:
    """An earlier version of a card.

    `name` describes the time, `pictures` are by face, and `edits` lists the fields that changed
    since then, by language. `why` says what is missing.
    """

    name: str = ""
    pictures: dict[str, str] = field(default_factory=dict)
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    edits: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    why: str = ""


@dataclass(frozen=True)
class CardAtTime:
    """One card in a state of the game, with its faces rendered but not typeset."""

    game: Game
    deck: Deck
    faces: FaceSet

    def describe_entries(self) -> dict[str, CardSnapshot]:
        """Return the card's fields and looks by language."""
        (piece,) = self.deck.pieces
        entries = {}
        for language in self.game.languages:
            entry = describe_state(self.game, self.faces, [self.deck], language)[self.deck.id]
            if piece.id in entry:
                entries[language] = entry[piece.id]
        return entries


def find_past_card(location: GameLocation, deck: str, card: str, when: str) -> PastCard:
    """Return an earlier version of a card. `when` is `printed`, or a revision or date in git's
    notation."""
    wanted = CardName(location, deck, card)
    try:
        with work_limits.work_limit("the earlier version of the card", PAST_CARD_SECONDS):
            return _find_card(wanted, when)
    except ProblemsError as error:
        return PastCard(why=error.problems[-1].message)
    except (NoPastCardError, RevisionError, LimitExceededError) as error:
        return PastCard(why=str(error))


def _find_card(wanted: CardName, when: str) -> PastCard:
    game = render_worker.get_current_session(wanted.location).game
    if game is None:
        raise NoPastCardError("the game cannot be read now")
    today = _render_card(wanted, game)
    if when == AS_PRINTED:
        return _find_printed_card(wanted, today)
    revision = revisions.find_revision(wanted.location.root, when)
    with _open_card_at(wanted, revision, today) as card:
        pictures, recipes = _typeset_past_faces(wanted, card, card.faces.faces)
        edits = _list_edits(card.describe_entries(), today.describe_entries())
    return PastCard(str(revision), pictures, recipes, edits)


def _find_printed_card(wanted: CardName, today: CardAtTime) -> PastCard:
    """Combine the fields in `printed.yaml` with faces from commits in which the card looked so."""
    base, problems = baselines.load_printed(wanted.location.root)
    if base is None:
        raise NoPastCardError(str(problems[0].message))
    states = {code: state.get(wanted.deck, {}) for code, state in base.states.items()}
    printed = {code: state[wanted.card] for code, state in states.items() if wanted.card in state}
    if not printed:
        raise NoPastCardError("this card had not been printed when printed.yaml was written")
    now = today.describe_entries()
    found = PastCard(base.name, edits=_list_edits(printed, now))
    missing = {
        code: entry
        for code, entry in printed.items()
        if _get_looks(entry) != _get_looks(now.get(code))
    }
    if not missing:
        return replace(found, why="it looks as it was printed")
    for revision in revisions.list_revisions(wanted.location.root, MAX_SEARCHED_COMMITS):
        try:
            with _open_card_at(wanted, revision, today) as card:
                then = card.describe_entries()
                same = [c for c in missing if _get_looks(then.get(c)) == _get_looks(missing[c])]
                faces = [face for face in card.faces.faces if face.language in same]
                pictures, recipes = _typeset_past_faces(wanted, card, faces)
        except (NoPastCardError, RevisionError):
            continue
        for code in same:
            del missing[code]
        found.pictures.update(pictures)
        found.recipes.update(recipes)
        if not missing:
            return replace(found, name=f"{base.name}, as in {revision}")
    why = (
        f"in none of the last {MAX_SEARCHED_COMMITS} commits of its cards it looks as it was "
        f"printed ({', '.join(missing)}); commit the game when you print it"
    )
    return replace(found, why=why)


def _get_looks(entry: CardSnapshot | None) -> tuple[str, str] | None:
    return (entry.front, entry.back) if entry else None


@contextmanager
def _open_card_at(wanted: CardName, revision: Revision, today: CardAtTime) -> Iterator[CardAtTime]:
    """Yield the card at a commit, as long as the commit's files exist."""
    with load_past_game(revision, today.game, wanted.location.variant) as (game, _):
        yield _render_card(wanted, game, f"at {revision}")


def _render_card(wanted: CardName, game: Game, when: str = "now") -> CardAtTime:
    """Render a card's templates. Raises `NoPastCardError`."""
    name = f"{wanted.deck}/{wanted.card}"
    deck = next((each for each in game.decks if each.id == wanted.deck), None)
    piece = next((p for p in deck.pieces if p.id == wanted.card), None) if deck else None
    if deck is None or piece is None:
        raise NoPastCardError(f"{when} there is no card {name}")
    store = render_worker.get_session(wanted.location).store
    rendered = Stages(Request(wanted.location.root), game, store=store).render([deck])
    faces = [face for face in rendered.faces if face.piece.id == wanted.card]
    sides = sum(bool(deck.get_template(piece, side)) for side in SIDES)
    if deck.id in rendered.blocked_decks or len(faces) < sides * len(game.languages):
        why = next((p.message for p in rendered.problems if p.severity == "error"), "no template")
        raise NoPastCardError(f"{when} the card cannot be drawn: {why}")
    return CardAtTime(game, replace(deck, pieces=(piece,)), replace(rendered, faces=faces))


def _typeset_past_faces(
    wanted: CardName, card: CardAtTime, faces: list[Face]
) -> tuple[dict[str, str], dict[str, FacePictureRecipe]]:
    """Typeset faces that are not in the store; return their picture ids and recipes."""
    session = render_worker.get_session(wanted.location)
    store, fonts = session.store, card.faces.fonts
    batch = FaceSet(fonts, list(faces))
    _, problems = render_worker.run_in_build_folder(
        session, lambda: typesetting.typeset_faces(card.game, batch, store)
    )
    icons = render_worker.get_icon_fonts(fonts)
    pictures: dict[str, str] = {}
    recipes: dict[str, FacePictureRecipe] = {}
    for face in faces:
        if session.is_typeset(face):
            name = str(FaceName(wanted.deck, wanted.card, face.side, face.language))
            pictures[name] = render_worker.digest_picture(face, card.faces)
            recipes[pictures[name]] = FacePictureRecipe(get_face_pdf(face, store), icons)
    if faces and not pictures:
        raise NoPastCardError(problems[0].message if problems else "its faces cannot be typeset")
    return pictures, recipes


def _list_edits(
    old: Mapping[str, CardSnapshot], new: Mapping[str, CardSnapshot]
) -> dict[str, list[dict[str, str]]]:
    """Return the fields that changed, by language."""
    changes = {
        code: CardChange("changed", "", "", entry, new.get(code)) for code, entry in old.items()
    }
    return {
        code: [vars(edit) for edit in change.edits]
        for code, change in changes.items()
        if change.edits
    }

"""The state of the preview that pages show, and its JSON.

A face that cannot be rendered or typeset keeps its last good picture. So does every face of a deck
whose file cannot be read. A face without any picture shows a placeholder.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any

from cardgen.core.problems import Problem, sort_problems
from cardgen.faces.fitting import Tightness
from cardgen.game.deck_files import UNREADABLE_KINDS
from cardgen.pdf.face_file import DraftLayer
from cardgen.preview import messages
from cardgen.preview.messages import FaceName, FacePictureRecipe, GameUpdate

PICTURE_ID_PATTERN = re.compile(r"[0-9a-z]{1,64}\Z")
LATEST_TIME_SECONDS = 1 << 40
FACE_GOOD = "good"
"""The face shows the picture of the last save."""
FACE_DRAFT = "draft"
"""The picture has problems, or it is a placeholder."""
FACE_WAITING = "waiting"
FACE_OLDER = "older"
"""The picture of the last save failed, so the face shows an older one."""
FACE_MISSING = "none"
KEYED_SECTIONS = ("cards", "faces")
"""Parts of the state of which only changed entries are sent."""
Json = dict[str, Any]


@dataclass
class ChangeTimes:
    """The picture of each face and when the face last changed, in Unix seconds; kept in a file."""

    by_face: dict[str, tuple[str, int]] = field(default_factory=dict)
    is_new: bool = True
    """There was no file: faces seen for the first time have not changed."""
    is_dirty: bool = False

    @classmethod
    def read(cls, data: Any) -> ChangeTimes:
        """Read the content of the file, leaving out what no preview has written."""
        by_face = {
            name: (entry[0], entry[1])
            for name, entry in (data.items() if isinstance(data, dict) else ())
            if isinstance(entry, list) and len(entry) == 2
            if isinstance(entry[0], str) and PICTURE_ID_PATTERN.match(entry[0])
            if isinstance(entry[1], int) and 0 <= entry[1] < LATEST_TIME_SECONDS
        }
        return cls(by_face, is_new=not by_face)

    def record_picture(self, name: str, picture: str) -> None:
        """Note a face's picture; "", which means that it failed, is no change."""
        old, _ = self.by_face.get(name, ("", 0))
        if picture and picture != old:
            self.by_face[name] = picture, 0 if self.is_new else int(time.time())
            self.is_dirty = True

    def keep_only(self, names: Iterable[str]) -> None:
        """Forget all faces but these."""
        for name in self.by_face.keys() - set(names):
            del self.by_face[name]
        self.is_new = self.is_new and not self.by_face

    def get_time(self, name: str) -> int:
        """Return when a face last changed, 0 when no change was seen."""
        return self.by_face.get(name, ("", 0))[1]


@dataclass
class FaceState:
    """Picture ids of one face, each "" for none."""

    picture: str = ""
    """What it should show."""
    last_good: str = ""
    """The last one that was typeset."""
    previous: str = ""
    """The one before `last_good`."""
    placeholder: str = ""


@dataclass
class PreviewState:
    """Everything that pages show."""

    update: GameUpdate = field(default_factory=GameUpdate)
    """The last complete update."""
    decks: dict[str, messages.DeckInfo] = field(default_factory=dict)
    cards: dict[str, messages.CardInfo] = field(default_factory=dict)
    faces: dict[FaceName, FaceState] = field(default_factory=dict)
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    """Pictures that are typeset."""
    failed: set[str] = field(default_factory=set)
    picture_problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    layers: dict[str, DraftLayer] = field(default_factory=dict)
    fits: dict[str, Tightness] = field(default_factory=dict)
    times: ChangeTimes = field(default_factory=ChangeTimes)
    game_problems: tuple[Problem, ...] = ()
    book_problems: tuple[Problem, ...] = ()
    check_count: int = 0
    """Number of times the rules were checked; the page reloads their results when it changes."""
    is_checked: bool = False
    """The rules of the last update were checked."""
    are_books_checked: bool = False
    """The rulebooks of the last update were checked; until then their problems may be mended."""
    update_count: int = 0
    """Number of complete updates; the page reloads sheets, table and rulebook when it changes."""

    def apply_update(self, update: GameUpdate) -> None:
        """Show an update of the whole game, except for decks whose file could not be read."""
        self.update = update
        self.update_count += 1
        self.is_checked = self.are_books_checked = False
        unreadable = {p.source.path for p in update.problems if p.kind in UNREADABLE_KINDS}
        decks = {deck.id: deck for deck in update.decks}
        kept = {
            deck.id: deck
            for deck in self.decks.values()
            if deck.id not in decks and (not update.decks or deck.path in unreadable)
        }
        self.decks = decks | kept
        self.cards = {
            **{f"{card.deck}/{card.id}": card for card in update.cards},
            **{name: card for name, card in self.cards.items() if card.deck in kept},
        }
        old = self.faces
        names = [*update.faces, *(name for name in old if name.deck in kept)]
        self.faces = {name: old.get(name, FaceState()) for name in names}
        # A picture without problems failed only because the game had changed meanwhile.
        self.failed &= update.recipes.keys() & self.picture_problems.keys()
        for name, face in self.faces.items():
            self._set_picture(name, face, update)
            fallback = face.placeholder if face.picture in self.failed else ""
            face.placeholder = update.placeholders.get(name, fallback)
        self.times.keep_only(map(str, self.faces))
        used = {picture for face in self.faces.values() for picture in vars(face).values()}
        self.ready &= used
        self.recipes.update(update.recipes)
        tables: tuple[dict[str, Any], ...] = (
            self.recipes, self.fits, self.picture_problems, self.layers,
        )  # fmt: skip
        for by_picture in tables:
            for picture in by_picture.keys() - used:
                del by_picture[picture]

    def apply_check(self, problems: tuple[Problem, ...]) -> None:
        """Show the problems of the game as a whole."""
        self.game_problems, self.is_checked = problems, True
        self.check_count += 1

    def apply_book_check(self, problems: tuple[Problem, ...]) -> None:
        """Show the problems of the rulebooks."""
        self.book_problems, self.are_books_checked = problems, True

    def apply_quick_update(self, update: GameUpdate) -> None:
        """Show an update of some decks, which an update of the whole game will follow."""
        decks = {deck.id for deck in update.decks}
        others = {name: card for name, card in self.cards.items() if card.deck not in decks}
        self.cards = {**others, **{f"{card.deck}/{card.id}": card for card in update.cards}}
        self.recipes.update(update.recipes)
        for name in update.faces:
            self._set_picture(name, self.faces.setdefault(name, FaceState()), update)

    def _set_picture(self, name: FaceName, face: FaceState, update: GameUpdate) -> None:
        face.picture = update.pictures.get(name, "")
        self.times.record_picture(str(name), face.picture)
        self._promote_picture(face)

    def apply_batch(self, result: messages.BatchResult) -> None:
        """Show the result of typesetting pictures."""
        self.ready |= result.ready
        self.failed = (self.failed | result.failed) - result.ready
        self.picture_problems.update(result.problems)
        self.layers.update(result.layers)
        self.fits.update(result.fits)
        for face in self.faces.values():
            if face.picture in result.ready:
                self._promote_picture(face)
            elif face.picture in result.placeholders:
                face.placeholder, recipe = result.placeholders[face.picture]
                self.recipes[face.placeholder] = recipe
                self.ready.add(face.placeholder)

    def _promote_picture(self, face: FaceState) -> None:
        if face.picture in self.ready and face.picture != face.last_good:
            face.previous, face.last_good = face.last_good, face.picture

    def list_pending(self, urgent: Iterable[str]) -> list[str]:
        """Return the pictures that are not typeset yet, the urgent ones first."""
        wanted = (self._get_wanted_picture(face) for face in self.faces.values())
        current = dict.fromkeys(filter(None, wanted))
        first = [picture for picture in urgent if picture in current]
        done = self.ready | self.failed
        return [p for p in dict.fromkeys(chain(first, current)) if p not in done]

    def _get_wanted_picture(self, face: FaceState) -> str:
        """Return the picture a face should show, "" when it keeps an older one."""
        if face.picture and face.picture not in self.failed:
            return face.picture
        return "" if face.last_good else face.placeholder

    @property
    def problems(self) -> list[Problem]:
        """All problems of the game, its pictures and its books, in the order they are shown."""
        shown = {face.picture for face in self.faces.values()}
        of_pictures = chain.from_iterable(
            problems for picture, problems in self.picture_problems.items() if picture in shown
        )
        return sort_problems(
            [*self.update.problems, *of_pictures, *self.game_problems, *self.book_problems]
        )

    def to_json(self) -> Json:
        """Return the whole state, as a newly opened page receives it."""
        return {
            "title": self.update.title,
            "languages": list(self.update.languages),
            "decks": [vars(deck) for deck in self.decks.values()],
            "cards": {name: vars(card) for name, card in self.cards.items()},
            "faces": {
                str(name): self._format_face(name, face) for name, face in self.faces.items()
            },
            "problems": [problem_to_json(problem) for problem in self.problems],
            "held": self.check_count,
            "checked": self.is_checked,
            "books": self.are_books_checked,
            "looks": self.update_count,
            "whole": self.update.is_complete and bool(self.update.decks),
        }

    def _format_face(self, name: FaceName, face: FaceState) -> Json:
        picture = self._get_wanted_picture(face)
        state = FACE_OLDER if face.last_good else FACE_MISSING
        if picture in self.ready:
            is_good = picture == face.picture and picture not in self.layers
            state = FACE_GOOD if is_good else FACE_DRAFT
        elif picture not in self.failed and (picture or name.deck in self.update.pending_decks):
            state = FACE_WAITING
        shown = {FACE_OLDER: face.last_good, FACE_MISSING: ""}.get(state, picture)
        return {
            **vars(name),
            "picture": shown,
            "before": face.previous,
            "fit": self.fits.get(shown),
            "changed": self.times.get_time(str(name)),
            "state": state,
        }


def problem_to_json(problem: Problem) -> Json:
    """Return a problem with its source and subject as separate keys."""
    subject = problem.subject
    return {
        **asdict(problem.source),
        "message": problem.message,
        "cause": problem.cause or problem.message,
        "kind": problem.kind,
        "severity": problem.severity,
        "deck": subject.deck,
        "card": subject.card,
        "language": subject.language,
        "side": subject.side,
    }


def diff_states(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """Return the changes that turn the old state into the new one.

    Of cards and faces it holds the changed entries, with the names of the removed ones in
    `cards_gone` and `faces_gone`; everything else is sent as a whole. `order` is the new order of
    the faces, when it changed.
    """
    changes: Json = {
        key: new[key] for key in new if key not in KEYED_SECTIONS and new[key] != old.get(key)
    }
    for key in KEYED_SECTIONS:
        before, after = old.get(key, {}), new[key]
        changed = {name: entry for name, entry in after.items() if before.get(name) != entry}
        removed = [name for name in before if name not in after]
        if changed or removed:
            changes[key] = changed
            changes[f"{key}_gone"] = removed
    if list(old.get("faces", {})) != list(new["faces"]):
        changes["order"] = list(new["faces"])
    return changes


class StateWriter:
    """Writer of the whole state as JSON: once for all pages, of which guests may open many."""

    def __init__(self) -> None:
        self._state: Json = {}
        self._is_checked = False
        self._text = b""

    def write(self, state: Json) -> bytes:
        """Return a state as JSON in ASCII. Of one that was written, no more may change than whether
        it is checked."""
        if self._state is not state or self._is_checked is not state["checked"]:
            self._state, self._is_checked = state, state["checked"]
            self._text = json.dumps(state, separators=(",", ":")).encode()
        return self._text

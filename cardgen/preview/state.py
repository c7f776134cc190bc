"""The wall as it stands: what the last look found, over what stood there before.

A face that cannot be rendered or set keeps its last good picture, with what is wrong beside it, and
so does a deck whose file cannot be read; one that never had any shows its draft. Plain data in,
JSON out; nothing here is slow.
"""

from __future__ import annotations

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
from cardgen.preview.messages import (
    BatchResult,
    CardInfo,
    DeckInfo,
    FaceName,
    FacePictureRecipe,
    GameUpdate,
)

PICTURE_ID_PATTERN = re.compile(r"[0-9a-z]{1,64}\Z")
LATEST_TIME_SECONDS = 1 << 40


@dataclass
class ChangeTimes:
    """Of each face by its name: its picture, and since when it has that one, s of the epoch."""

    by_face: dict[str, tuple[str, int]] = field(default_factory=dict)
    is_new: bool = True
    """Whether nothing was known when it began: then nothing has changed yet."""
    is_dirty: bool = False

    @classmethod
    def read(cls, kept: Any) -> ChangeTimes:
        """What was kept; nothing where that is none of ours."""
        given = kept.items() if isinstance(kept, dict) else ()
        known = {
            name: (each[0], each[1])
            for name, each in given
            if isinstance(each, list) and len(each) == 2
            if isinstance(each[0], str) and PICTURE_ID_PATTERN.match(each[0])
            if isinstance(each[1], int) and 0 <= each[1] < LATEST_TIME_SECONDS
        }
        return cls(known, is_new=not known)

    def record_picture(self, name: str, picture: str) -> None:
        """A face looks like this now; one that cannot be drawn looks as it did."""
        old, _ = self.by_face.get(name, ("", 0))
        if picture and picture != old:
            self.by_face[name] = picture, 0 if self.is_new else int(time.time())
            self.is_dirty = True

    def keep_only(self, names: Iterable[str]) -> None:
        """Forget all faces but these: all that there are."""
        gone = self.by_face.keys() - set(names)
        for name in gone:
            del self.by_face[name]
        self.is_new = self.is_new and not self.by_face

    def get_time(self, name: str) -> int:
        """Since when a face looks as it does; 0 where that was before anybody looked."""
        return self.by_face.get(name, ("", 0))[1]

    def to_json(self) -> dict[str, tuple[str, int]]:
        """What is to be kept."""
        self.is_dirty = False
        return self.by_face


Json = dict[str, Any]
FACE_GOOD, FACE_DRAFT, FACE_WAITING, FACE_OLDER, FACE_MISSING = (
    "good",
    "draft",
    "waiting",
    "older",
    "none",
)
"""What a face shows: the picture of the last save; that with something wrong, or what stands in its
place; one that is being set; an older one, since that of the last save cannot be made; none at
all."""

KEYED_SECTIONS = ("cards", "faces")


@dataclass
class FaceState:
    picture: str = ""
    """What it is to look like, "" where that cannot be told."""
    last_good: str = ""
    """The last picture that could be drawn."""
    previous: str = ""
    """The one before it."""
    placeholder: str = ""
    """What stands in its place where there is neither."""


@dataclass
class PreviewState:
    """Everything that is shown."""

    update: GameUpdate = field(default_factory=GameUpdate)
    decks: dict[str, DeckInfo] = field(default_factory=dict)
    cards: dict[str, CardInfo] = field(default_factory=dict)
    faces: dict[FaceName, FaceState] = field(default_factory=dict)
    recipes: dict[str, FacePictureRecipe] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    picture_problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    layers: dict[str, DraftLayer] = field(default_factory=dict)
    """Where it shows what is wrong with a picture."""
    fits: dict[str, Tightness] = field(default_factory=dict)
    """How tightly the texts of each picture are fitted, where any is."""
    times: ChangeTimes = field(default_factory=ChangeTimes)
    game_problems: tuple[Problem, ...] = ()
    book_problems: tuple[Problem, ...] = ()
    check_count: int = 0
    """How often the rules were held."""
    update_count: int = 0
    """So many looks found something new. Rooms beside the wall ask anew when it is another: what
    they show may hang on files that no card does."""

    def apply_update(self, seen: GameUpdate) -> None:
        """Show what a look found. What it could not read stays as it was."""
        self.update = seen
        self.update_count += 1
        unread = {p.source.path for p in seen.problems if p.kind in UNREADABLE_KINDS}
        kept = [deck for deck in self.decks.values() if not seen.decks or deck.path in unread]
        decks = {deck.id: deck for deck in seen.decks}
        stays = [deck for deck in kept if deck.id not in decks]
        still = {deck.id for deck in stays}
        self.cards = {
            **{f"{card.deck}/{card.id}": card for card in seen.cards},
            **{name: card for name, card in self.cards.items() if card.deck in still},
        }
        old = self.faces
        names = [*seen.faces, *(name for name in old if name.deck in still)]
        self.faces = {name: old.get(name, FaceState()) for name in names}
        self.decks = {**decks, **{deck.id: deck for deck in stays}}
        self.failed &= seen.recipes.keys()
        for name, face in self.faces.items():
            face.picture = seen.pictures.get(name, "")
            self.times.record_picture(str(name), face.picture)
            failed = face.picture in self.failed
            face.placeholder = seen.placeholders.get(name, face.placeholder if failed else "")
            self._promote_picture(face)
        self.times.keep_only(map(str, self.faces))
        used = {
            p
            for f in self.faces.values()
            for p in (f.picture, f.last_good, f.previous, f.placeholder)
        }
        recipes = {**self.recipes, **seen.recipes}
        self.recipes = {p: recipe for p, recipe in recipes.items() if p in used}
        self.ready &= used
        self.fits = {p: fit for p, fit in self.fits.items() if p in used}
        self.picture_problems = {p: told for p, told in self.picture_problems.items() if p in used}
        self.layers = {p: layer for p, layer in self.layers.items() if p in used}

    def apply_quick_update(self, seen: GameUpdate) -> None:
        """Show what a glance found of some decks, before the whole game is looked at again."""
        decks = {deck.id for deck in seen.decks}
        others = {name: card for name, card in self.cards.items() if card.deck not in decks}
        self.cards = {**others, **{f"{card.deck}/{card.id}": card for card in seen.cards}}
        self.recipes.update(seen.recipes)
        for name in seen.faces:
            face = self.faces.setdefault(name, FaceState())
            face.picture = seen.pictures.get(name, "")
            self.times.record_picture(str(name), face.picture)
            self._promote_picture(face)

    def apply_batch(self, settled: BatchResult) -> None:
        """Take in what came of setting pictures."""
        self.ready |= settled.ready
        self.failed = (self.failed | settled.failed) - settled.ready
        self.picture_problems.update(settled.problems)
        self.layers.update(settled.layers)
        self.fits.update(settled.fits)
        for face in self.faces.values():
            if face.picture in settled.ready:
                self._promote_picture(face)
            elif face.picture in settled.placeholders:
                face.placeholder, recipe = settled.placeholders[face.picture]
                self.recipes[face.placeholder] = recipe
                self.ready.add(face.placeholder)

    def _promote_picture(self, face: FaceState) -> None:
        if face.picture in self.ready and face.picture != face.last_good:
            face.previous, face.last_good = face.last_good, face.picture

    def list_pending(self, first: Iterable[str]) -> list[str]:
        """The pictures that nobody has set yet: those that are waited for, then the others."""
        wanted = (self._get_wanted_picture(face) for face in self.faces.values())
        current = dict.fromkeys(filter(None, wanted))
        waiting = [p for p in first if p in current]
        done = self.ready | self.failed
        return [p for p in dict.fromkeys(chain(waiting, current)) if p not in done]

    def _get_wanted_picture(self, face: FaceState) -> str:
        """The picture that a face is to show; "" where it keeps an older one."""
        if face.picture and face.picture not in self.failed:
            return face.picture
        return "" if face.last_good else face.placeholder

    @property
    def problems(self) -> list[Problem]:
        """Everything that is known to be wrong."""
        shown = {face.picture for face in self.faces.values()}
        of_pictures = (
            each for p, told in self.picture_problems.items() if p in shown for each in told
        )
        return sort_problems(
            [*self.update.problems, *of_pictures, *self.game_problems, *self.book_problems]
        )

    def to_json(self) -> Json:
        """All of it, for a page that has just been opened."""
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
            "looks": self.update_count,
            "whole": self.update.is_complete and bool(self.update.decks),
        }

    def _format_face(self, name: FaceName, face: FaceState) -> Json:
        picture = self._get_wanted_picture(face)
        state = FACE_OLDER if face.last_good else FACE_MISSING
        if picture in self.ready:
            drawn = picture == face.picture and picture not in self.layers
            state = FACE_GOOD if drawn else FACE_DRAFT
        elif picture not in self.failed and (picture or name.deck in self.update.pending_decks):
            state = FACE_WAITING
        shown = face.last_good if state == FACE_OLDER else "" if state == FACE_MISSING else picture
        return {
            "deck": name.deck,
            "card": name.card,
            "side": name.side,
            "language": name.language,
            "picture": shown,
            "before": face.previous,
            "fit": self.fits.get(shown),
            "changed": self.times.get_time(str(name)),
            "state": state,
        }


def problem_to_json(problem: Problem) -> Json:
    """A problem for the page: whom it concerns stands beside its words."""
    subject = problem.subject
    return {
        **asdict(problem.source),
        "message": problem.message,
        "kind": problem.kind,
        "severity": problem.severity,
        "deck": subject.deck,
        "card": subject.card,
        "language": subject.language,
        "side": subject.side,
    }


def diff_states(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """What a page that shows the old wall must be told: cards and faces that differ, and what else
    is another. `order` is that of the faces, when it is another."""
    told: Json = {
        key: new[key] for key in new if key not in KEYED_SECTIONS and new[key] != old.get(key)
    }
    for key in KEYED_SECTIONS:
        before, now = old.get(key, {}), new[key]
        differ = {name: each for name, each in now.items() if before.get(name) != each}
        gone = [name for name in before if name not in now]
        if differ or gone:
            told[key] = differ
            told[f"{key}_gone"] = gone
    if list(old.get("faces", {})) != list(new["faces"]):
        told["order"] = list(new["faces"])
    return told

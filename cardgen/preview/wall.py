"""The wall as it stands: what the last look found, over what stood there before.

A face that cannot be rendered or set keeps its last good picture, with what is wrong beside it, and
so does a deck whose file cannot be read; one that never had any shows its draft. Plain data in,
JSON out; nothing here is slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any

from cardgen.base.problems import Problem, ordered
from cardgen.faces.tightness import Tightness
from cardgen.game.decks import UNREAD
from cardgen.pdf.face_file import Layer
from cardgen.preview.changed import Times
from cardgen.preview.seen import CardSeen, DeckSeen, FaceName, Recipe, Seen, Settled

Json = dict[str, Any]
GOOD, DRAFT, WAITING, OLDER, NONE = "good", "draft", "waiting", "older", "none"
"""What a face shows: the picture of the last save; that with something wrong, or what stands in its
place; one that is being set; an older one, since that of the last save cannot be made; none at
all."""

_BY_NAME = ("cards", "faces")


@dataclass
class _Face:
    picture: str = ""
    """What it is to look like, "" where that cannot be told."""
    good: str = ""
    """The last picture that could be drawn."""
    before: str = ""
    """The one before it."""
    draft: str = ""
    """What stands in its place where there is neither."""


@dataclass
class Wall:
    """Everything that is shown."""

    seen: Seen = field(default_factory=Seen)
    decks: dict[str, DeckSeen] = field(default_factory=dict)
    cards: dict[str, CardSeen] = field(default_factory=dict)
    faces: dict[FaceName, _Face] = field(default_factory=dict)
    recipes: dict[str, Recipe] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    of_pictures: dict[str, tuple[Problem, ...]] = field(default_factory=dict)
    layers: dict[str, Layer] = field(default_factory=dict)
    """Where it shows what is wrong with a picture."""
    fits: dict[str, Tightness] = field(default_factory=dict)
    """How tightly the texts of each picture are fitted, where any is."""
    times: Times = field(default_factory=Times)
    of_game: tuple[Problem, ...] = ()
    of_books: tuple[Problem, ...] = ()
    held: int = 0
    """How often the rules were held."""
    looks: int = 0
    """So many looks found something new. Rooms beside the wall ask anew when it is another: what
    they show may hang on files that no card does."""

    def take(self, seen: Seen) -> None:
        """Show what a look found. What it could not read stays as it was."""
        self.seen = seen
        self.looks += 1
        unread = {p.source.path for p in seen.problems if p.kind in UNREAD}
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
        self.faces = {name: old.get(name, _Face()) for name in names}
        self.decks = {**decks, **{deck.id: deck for deck in stays}}
        self.failed &= seen.recipes.keys()
        for name, face in self.faces.items():
            face.picture = seen.pictures.get(name, "")
            self.times.see(str(name), face.picture)
            failed = face.picture in self.failed
            face.draft = seen.drafts.get(name, face.draft if failed else "")
            self._settled(face)
        self.times.keep(map(str, self.faces))
        used = {p for f in self.faces.values() for p in (f.picture, f.good, f.before, f.draft)}
        recipes = {**self.recipes, **seen.recipes}
        self.recipes = {p: recipe for p, recipe in recipes.items() if p in used}
        self.ready &= used
        self.fits = {p: fit for p, fit in self.fits.items() if p in used}
        self.of_pictures = {p: told for p, told in self.of_pictures.items() if p in used}
        self.layers = {p: layer for p, layer in self.layers.items() if p in used}

    def retake(self, seen: Seen) -> None:
        """Show what a glance found of some decks, before the whole game is looked at again."""
        decks = {deck.id for deck in seen.decks}
        others = {name: card for name, card in self.cards.items() if card.deck not in decks}
        self.cards = {**others, **{f"{card.deck}/{card.id}": card for card in seen.cards}}
        self.recipes.update(seen.recipes)
        for name in seen.faces:
            face = self.faces.setdefault(name, _Face())
            face.picture = seen.pictures.get(name, "")
            self.times.see(str(name), face.picture)
            self._settled(face)

    def settle(self, settled: Settled) -> None:
        """Take in what came of setting pictures."""
        self.ready |= settled.ready
        self.failed = (self.failed | settled.failed) - settled.ready
        self.of_pictures.update(settled.problems)
        self.layers.update(settled.layers)
        self.fits.update(settled.fits)
        for face in self.faces.values():
            if face.picture in settled.ready:
                self._settled(face)
            elif face.picture in settled.instead:
                face.draft, recipe = settled.instead[face.picture]
                self.recipes[face.draft] = recipe
                self.ready.add(face.draft)

    def _settled(self, face: _Face) -> None:
        if face.picture in self.ready and face.picture != face.good:
            face.before, face.good = face.good, face.picture

    def unset(self, first: Iterable[str]) -> list[str]:
        """The pictures that nobody has set yet: those that are waited for, then the others."""
        wanted = (self._wanted(face) for face in self.faces.values())
        current = dict.fromkeys(filter(None, wanted))
        waiting = [p for p in first if p in current]
        done = self.ready | self.failed
        return [p for p in dict.fromkeys(chain(waiting, current)) if p not in done]

    def _wanted(self, face: _Face) -> str:
        """The picture that a face is to show; "" where it keeps an older one."""
        if face.picture and face.picture not in self.failed:
            return face.picture
        return "" if face.good else face.draft

    @property
    def problems(self) -> list[Problem]:
        """Everything that is known to be wrong."""
        shown = {face.picture for face in self.faces.values()}
        of_pictures = (each for p, told in self.of_pictures.items() if p in shown for each in told)
        return ordered([*self.seen.problems, *of_pictures, *self.of_game, *self.of_books])

    def as_json(self) -> Json:
        """All of it, for a page that has just been opened."""
        return {
            "title": self.seen.title,
            "languages": list(self.seen.languages),
            "decks": [vars(deck) for deck in self.decks.values()],
            "cards": {name: vars(card) for name, card in self.cards.items()},
            "faces": {str(name): self._face(name, face) for name, face in self.faces.items()},
            "problems": [problem_json(problem) for problem in self.problems],
            "held": self.held,
            "looks": self.looks,
            "whole": self.seen.whole and bool(self.seen.decks),
        }

    def _face(self, name: FaceName, face: _Face) -> Json:
        picture = self._wanted(face)
        state = OLDER if face.good else NONE
        if picture in self.ready:
            drawn = picture == face.picture and picture not in self.layers
            state = GOOD if drawn else DRAFT
        elif picture not in self.failed and (picture or name.deck in self.seen.coming):
            state = WAITING
        shown = face.good if state == OLDER else "" if state == NONE else picture
        return {
            "deck": name.deck,
            "card": name.card,
            "side": name.side,
            "language": name.language,
            "picture": shown,
            "before": face.before,
            "fit": self.fits.get(shown),
            "changed": self.times.of(str(name)),
            "state": state,
        }


def problem_json(problem: Problem) -> Json:
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


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json:
    """What a page that shows the old wall must be told: cards and faces that differ, and what else
    is another. `order` is that of the faces, when it is another."""
    told: Json = {key: new[key] for key in new if key not in _BY_NAME and new[key] != old.get(key)}
    for key in _BY_NAME:
        before, now = old.get(key, {}), new[key]
        differ = {name: each for name, each in now.items() if before.get(name) != each}
        gone = [name for name in before if name not in now]
        if differ or gone:
            told[key] = differ
            told[f"{key}_gone"] = gone
    if list(old.get("faces", {})) != list(new["faces"]):
        told["order"] = list(new["faces"])
    return told

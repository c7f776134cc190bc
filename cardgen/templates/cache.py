"""What templates make of a deck, remembered: an unchanged deck's templates are not run again.

A deck's renders are kept in the store under the hash of all that templates can see of it. The
HTML itself is not kept: it is needed only where a face is set anew, and then made again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.base.problems import Problem, kept_problems, packed
from cardgen.base.store import Store, digest_of
from cardgen.game.model import Deck, Piece
from cardgen.templates.render import Templates, plain
from cardgen.templates.tags import pictures as pictures_of

SIDES = ("front", "back")


@dataclass(frozen=True)
class Render:
    """One side of a piece in a language: the hash of its HTML, and the pictures it names."""

    piece: Piece
    side: str
    digest: str
    pictures: tuple[str, ...]


class Renders:
    """The renders of a game, out of the store where nothing changed."""

    def __init__(self, templates: Templates, store: Store, engine: str) -> None:
        self.templates = templates
        self.store = store
        self.drawn: dict[str, str] = {}
        """The drawings that faces ask for: address → the template that made it."""
        self.used: set[str] = set()
        """The names under which the renders of this game lie in the store."""
        self._engine = engine
        self._seen = digest_of([engine, *_everywhere(templates)])

    def of(self, deck: Deck, language: str) -> list[Render]:
        """The faces of a deck, in the order of its pieces; one that fails is left out."""
        name = digest_of([self._seen, language, _of_deck(deck)]) + ".json"
        self.used.add(name)
        path = self.store.path("rendered", name)
        pieces = {piece.id: piece for piece in deck.pieces}
        kept = self._unpacked(self.store.read_json(path), pieces)
        if kept is not None:
            return kept
        before = len(self.templates.problems)
        found = list(self._render(deck, language))
        if len(self.templates.problems) == before:
            faces = [[r.piece.id, r.side, r.digest, r.pictures] for r in found]
            drawn = {p: self.drawn[p] for r in found for p in r.pictures if p in self.drawn}
            more = self.templates.unlisted()
            self.store.write_json(path, {"faces": faces, "drawn": drawn, "more": more})
        return found

    def _unpacked(self, kept: Any, pieces: Mapping[str, Piece]) -> list[Render] | None:
        """The renders out of an entry; None when it holds none, or those of other templates."""
        try:
            drawn = {str(address): str(name) for address, name in kept["drawn"].items()}
            found = [
                Render(pieces[piece], str(side), str(digest), tuple(map(str, pictures)))
                for piece, side, digest, pictures in kept["faces"]
            ]
            more = {str(name): str(digest) for name, digest in kept["more"].items()}
        except (AttributeError, LookupError, TypeError, ValueError):
            return None
        if not self._all_drawn(drawn) or not self.templates.are(more):
            return None
        self.drawn.update(drawn)
        return found

    def misprints(self) -> list[Problem]:
        """What can hardly be meant in the templates, looked for once in the same files."""
        pages, sheets = self.templates.pages()
        texts = [part for files in (pages, sheets) for entry in files.items() for part in entry]
        name = digest_of([self._engine, "misprints", *texts]) + ".json"
        self.used.add(name)
        path = self.store.path("rendered", name)
        told = kept_problems(self.store.read_json(path))
        if told is None:
            told = self.templates.misprints()
            self.store.write_json(path, packed(told))
        return told

    def html(self, deck: Deck, piece: Piece, side: str, language: str) -> str:
        """The HTML of a face that could be rendered before."""
        return self.templates.render(deck, piece, side, language) or ""

    def _render(self, deck: Deck, language: str) -> Iterator[Render]:
        sides = [side for side in SIDES if (deck.front if side == "front" else deck.back)]
        for piece in deck.pieces:
            for side in sides:
                html = self.templates.render(deck, piece, side, language)
                if html is not None:
                    pictures = tuple(pictures_of(html))
                    self._keep_drawings(pictures)
                    yield Render(piece, side, digest_of([html]), pictures)

    def _keep_drawings(self, pictures: Iterable[str]) -> None:
        for address in pictures:
            if address in self.templates.drawn and address not in self.drawn:
                self.drawn[address], svg = self.templates.drawn[address]
                self.store.write(self.path_of(address), svg)

    def _all_drawn(self, addresses: Iterable[str]) -> bool:
        return all(self.store.has(self.path_of(address)) for address in addresses)

    def path_of(self, address: str) -> Path:
        """Where a drawing lies in the store."""
        return self.store.path("drawn", address.rpartition("/")[2])


def _everywhere(templates: Templates) -> Iterator[str]:
    """What the templates of every deck can see."""
    game = templates.game
    yield from templates.sources()
    shared = [
        game.id, game.title, game.edition, game.date, game.languages, game.constants,
        game.colours, game.words, sorted(game.icons),
        [[p.id, p.name, p.colour, p.symbol] for p in game.players],
    ]  # fmt: skip
    yield json.dumps(shared, default=plain, sort_keys=True)


def _of_deck(deck: Deck) -> str:
    seen = [
        deck.id, deck.title, deck.constants, deck.front, deck.back, deck.size.width,
        deck.size.height,
        [[p.id, p.number, p.copies, p.player and p.player.id, p.values] for p in deck.pieces],
    ]  # fmt: skip
    return json.dumps(seen, default=plain, sort_keys=True)

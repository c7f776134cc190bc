"""What templates make of a deck, remembered: for a card that did not change they are not run again.

A deck's renders are kept in the store under the hash of all that templates can see of it beside the
card; each card's with the hash of what they see of that one. The HTML itself is not kept: it is
needed only where a face is set anew, and then made again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgen.assets import coloured
from cardgen.base.problems import Problem, kept_problems, packed
from cardgen.base.store import Store, digest_of
from cardgen.game.model import Deck, Piece
from cardgen.templates.render import Templates, plain
from cardgen.templates.tags import pictures as pictures_of

SIDES = ("front", "back")
Side = tuple[str, str, tuple[str, ...]]
"""Which it is, the hash of its HTML, and the pictures it names."""
Looked = tuple[list[Side], dict[str, str]]
"""The sides of a card, and the decks that its templates looked at, each with the hash of it."""
Cards = dict[str, Looked]
"""By the hash of what templates see of the card itself."""


@dataclass(frozen=True, slots=True)
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
        self._decks: dict[str, str] = {}
        self._pieces: dict[str, list[str]] = {}
        self._more: dict[str, str] = {}
        """The templates that `sources` does not tell and that the deck's kept renders came from."""
        self._seen = digest_of([engine, *_everywhere(templates)])

    def of(self, deck: Deck, language: str) -> list[Render]:
        """The faces of a deck, in the order of its pieces; one that fails is left out."""
        name = digest_of([self._seen, language, _of_deck(deck)]) + ".json"
        self.used.add(name)
        path = self.store.path("rendered", name)
        kept = self._unpacked(self.store.read_json(path))
        before = len(self.templates.problems)
        cards: Cards = {}
        found: list[Render] = []
        for piece, card in zip(deck.pieces, self._of_pieces(deck), strict=True):
            same = card in kept and self._are(kept[card][1])
            cards[card] = kept[card] if same else self._render(deck, piece, language)
            found += [Render(piece, *side) for side in cards[card][0]]
        if len(self.templates.problems) == before and cards != kept:
            pictures = {picture for render in found for picture in render.pictures}
            drawn = {p: self.drawn[p] for p in sorted(pictures & self.drawn.keys())}
            more = self._more | self.templates.unlisted()
            self.store.write_json(path, {"cards": cards, "drawn": drawn, "more": more})
        return found

    def _unpacked(self, kept: Any) -> Cards:
        """The sides of cards out of an entry; none when it holds none, or those of other
        templates."""
        self._more = {}
        try:
            drawn = {str(address): str(name) for address, name in kept["drawn"].items()}
            found = {str(card): _looked(*looked) for card, looked in kept["cards"].items()}
            more = {str(name): str(digest) for name, digest in kept["more"].items()}
        except (AttributeError, LookupError, TypeError, ValueError):
            return {}
        if not self._all_drawn(drawn) or not self.templates.are(more):
            return {}
        self.drawn.update(drawn)
        self._more = more
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

    def _are(self, decks: dict[str, str]) -> bool:
        """Whether the cards of those decks are what they were."""
        return all(self._of_cards(deck) == digest for deck, digest in decks.items())

    def _of_cards(self, name: str) -> str:
        """The hash of what templates see of a deck's cards when they look at them all."""
        if name not in self._decks:
            deck = self.templates.game.deck(name)
            pieces = deck.pieces if deck else ()
            self._decks[name] = digest_of([name, *(_of_piece(piece, 0) for piece in pieces)])
        return self._decks[name]

    def _of_pieces(self, deck: Deck) -> list[str]:
        """The hash of what templates see of each of a deck's cards, in whichever language."""
        if deck.id not in self._pieces:
            numbered = zip(deck.pieces, deck.first_copies, strict=True)
            self._pieces[deck.id] = [digest_of([_of_piece(*each)]) for each in numbered]
        return self._pieces[deck.id]

    def _render(self, deck: Deck, piece: Piece, language: str) -> Looked:
        sides: list[Side] = []
        self.templates.looked_at()
        for side in SIDES:
            if deck.template(piece, side):
                html = self.templates.render(deck, piece, side, language)
                if html is not None:
                    icons = coloured.shown(html, self.templates.game.coloured)
                    pictures = (*pictures_of(html), *icons)
                    self._keep_drawings(pictures)
                    sides.append((side, digest_of([html]), pictures))
        return sides, {name: self._of_cards(name) for name in sorted(self.templates.looked_at())}

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
    sources = list(templates.sources())
    yield from sources
    if any(deck.look for deck in game.decks) or any("picture(" in text for text in sources):
        yield from templates.art.all
    shared = [
        game.id, game.variant, game.title, game.edition, game.date, game.languages, game.constants,
        game.colours, game.words, sorted(game.icons), game.coloured,
        [[p.id, p.name, p.colour, p.symbol] for p in game.players],
    ]  # fmt: skip
    yield json.dumps(shared, default=plain, sort_keys=True)


def _of_deck(deck: Deck) -> str:
    """What the templates of a deck can see of it, whichever of its cards they are at."""
    seen = [
        deck.id, deck.title, deck.constants, deck.front, deck.back, deck.size.width,
        deck.size.height, deck.count, len(deck.pieces),
    ]  # fmt: skip
    return json.dumps(seen, default=plain, sort_keys=True)


def _of_piece(piece: Piece, first: int) -> str:
    """What they see of the card."""
    player = piece.player and piece.player.id
    own = [piece.front, piece.back]
    seen = [piece.id, piece.number, piece.copies, first, player, own, piece.values]
    return json.dumps(seen, default=plain, sort_keys=True)


def _looked(sides: Any, decks: Any) -> Looked:
    return [_side(*side) for side in sides], {str(k): str(v) for k, v in decks.items()}


def _side(side: Any, digest: Any, pictures: Any) -> Side:
    return str(side), str(digest), tuple(map(str, pictures))

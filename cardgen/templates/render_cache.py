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

from cardgen.assets import coloured_icons
from cardgen.core.problems import Problem, parse_problems, serialize_problems
from cardgen.game.model import Deck, Piece
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates.html_tags import list_pictures as pictures_of
from cardgen.templates.template_renderer import TemplateRenderer, encode_value

SIDES = ("front", "back")
CachedSide = tuple[str, str, tuple[str, ...]]
"""Which it is, the hash of its HTML, and the pictures it names."""
CachedCard = tuple[list[CachedSide], dict[str, str]]
"""The sides of a card, and the decks that its templates looked at, each with the hash of it."""
CachedCards = dict[str, CachedCard]
"""By the hash of what templates see of the card itself."""


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """One side of a piece in a language: the hash of its HTML, and the pictures it names."""

    piece: Piece
    side: str
    digest: str
    pictures: tuple[str, ...]


class RenderCache:
    """The renders of a game, out of the store where nothing changed."""

    def __init__(self, templates: TemplateRenderer, store: Store, engine: str) -> None:
        self.templates = templates
        self.store = store
        self.drawings: dict[str, str] = {}
        """The drawings that faces ask for: address → the template that made it."""
        self.used_names: set[str] = set()
        """The names under which the renders of this game lie in the store."""
        self._engine = engine
        self._decks: dict[str, str] = {}
        self._pieces: dict[str, list[str]] = {}
        self._unlisted_templates: dict[str, str] = {}
        """The templates that `sources` does not tell and that the deck's kept renders came from."""
        self._game_hash = digest_parts([engine, *_describe_game(templates)])

    def render_deck(self, deck: Deck, language: str) -> list[RenderedFace]:
        """The faces of a deck, in the order of its pieces; one that fails is left out."""
        name = digest_parts([self._game_hash, language, _describe_deck(deck)]) + ".json"
        self.used_names.add(name)
        path = self.store.get_path("rendered", name)
        kept = self._unpack_entry(self.store.read_json(path))
        before = len(self.templates.problems)
        cards: CachedCards = {}
        found: list[RenderedFace] = []
        for piece, card in zip(deck.pieces, self._hash_pieces(deck), strict=True):
            same = card in kept and self._are_unchanged(kept[card][1])
            cards[card] = kept[card] if same else self._render_card(deck, piece, language)
            found += [RenderedFace(piece, *side) for side in cards[card][0]]
        if len(self.templates.problems) == before and cards != kept:
            pictures = {picture for render in found for picture in render.pictures}
            drawn = {p: self.drawings[p] for p in sorted(pictures & self.drawings.keys())}
            more = self._unlisted_templates | self.templates.hash_unlisted()
            self.store.write_json(path, {"cards": cards, "drawn": drawn, "more": more})
        return found

    def _unpack_entry(self, kept: Any) -> CachedCards:
        """The sides of cards out of an entry; none when it holds none, or those of other
        templates."""
        self._unlisted_templates = {}
        try:
            drawn = {str(address): str(name) for address, name in kept["drawn"].items()}
            found = {str(card): _unpack_card(*looked) for card, looked in kept["cards"].items()}
            more = {str(name): str(digest) for name, digest in kept["more"].items()}
        except (AttributeError, LookupError, TypeError, ValueError):
            return {}
        if not self._has_drawings(drawn) or not self.templates.are_unchanged(more):
            return {}
        self.drawings.update(drawn)
        self._unlisted_templates = more
        return found

    def lint_templates(self) -> list[Problem]:
        """What can hardly be meant in the templates, looked for once in the same files."""
        pages, sheets = self.templates.read_pages()
        texts = [part for files in (pages, sheets) for entry in files.items() for part in entry]
        name = digest_parts([self._engine, "misprints", *texts]) + ".json"
        self.used_names.add(name)
        path = self.store.get_path("rendered", name)
        told = parse_problems(self.store.read_json(path))
        if told is None:
            told = self.templates.lint_templates()
            self.store.write_json(path, serialize_problems(told))
        return told

    def render_html(self, deck: Deck, piece: Piece, side: str, language: str) -> str:
        """The HTML of a face that could be rendered before."""
        return self.templates.render_face(deck, piece, side, language) or ""

    def _are_unchanged(self, decks: dict[str, str]) -> bool:
        """Whether the cards of those decks are what they were."""
        return all(self._hash_cards(deck) == digest for deck, digest in decks.items())

    def _hash_cards(self, name: str) -> str:
        """The hash of what templates see of a deck's cards when they look at them all."""
        if name not in self._decks:
            deck = self.templates.game.get_deck(name)
            pieces = deck.pieces if deck else ()
            self._decks[name] = digest_parts(
                [name, *(_describe_piece(piece, 0) for piece in pieces)]
            )
        return self._decks[name]

    def _hash_pieces(self, deck: Deck) -> list[str]:
        """The hash of what templates see of each of a deck's cards, in whichever language."""
        if deck.id not in self._pieces:
            numbered = zip(deck.pieces, deck.first_copies, strict=True)
            self._pieces[deck.id] = [digest_parts([_describe_piece(*each)]) for each in numbered]
        return self._pieces[deck.id]

    def _render_card(self, deck: Deck, piece: Piece, language: str) -> CachedCard:
        sides: list[CachedSide] = []
        self.templates.take_decks_read()
        for side in SIDES:
            if deck.get_template(piece, side):
                html = self.templates.render_face(deck, piece, side, language)
                if html is not None:
                    icons = coloured_icons.find_icons_in_html(
                        html, self.templates.game.coloured_icons
                    )
                    pictures = (*pictures_of(html), *icons)
                    self._store_drawings(pictures)
                    sides.append((side, digest_parts([html]), pictures))
        return sides, {
            name: self._hash_cards(name) for name in sorted(self.templates.take_decks_read())
        }

    def _store_drawings(self, pictures: Iterable[str]) -> None:
        for address in pictures:
            if address in self.templates.drawings and address not in self.drawings:
                self.drawings[address], svg = self.templates.drawings[address]
                self.store.write(self.get_drawing_path(address), svg)

    def _has_drawings(self, addresses: Iterable[str]) -> bool:
        return all(self.store.has_entry(self.get_drawing_path(address)) for address in addresses)

    def get_drawing_path(self, address: str) -> Path:
        """Where a drawing lies in the store."""
        return self.store.get_path("drawn", address.rpartition("/")[2])


def _describe_game(templates: TemplateRenderer) -> Iterator[str]:
    """What the templates of every deck can see."""
    game = templates.game
    sources = list(templates.list_sources())
    yield from sources
    if any(deck.look for deck in game.decks) or any("picture(" in text for text in sources):
        yield from templates.art.paths
    shared = [
        game.id, game.variant, game.title, game.edition, game.date, game.languages, game.constants,
        game.colours, game.words, sorted(game.icons), game.coloured_icons,
        [[p.id, p.name, p.colour, p.symbol] for p in game.players],
    ]  # fmt: skip
    yield json.dumps(shared, default=encode_value, sort_keys=True)


def _describe_deck(deck: Deck) -> str:
    """What the templates of a deck can see of it, whichever of its cards they are at."""
    seen = [
        deck.id, deck.title, deck.constants, deck.front, deck.back, deck.size.width,
        deck.size.height, deck.count, len(deck.pieces),
    ]  # fmt: skip
    return json.dumps(seen, default=encode_value, sort_keys=True)


def _describe_piece(piece: Piece, first: int) -> str:
    """What they see of the card."""
    player = piece.player and piece.player.id
    own = [piece.front, piece.back]
    seen = [piece.id, piece.number, piece.copies, first, player, own, piece.values]
    return json.dumps(seen, default=encode_value, sort_keys=True)


def _unpack_card(sides: Any, decks: Any) -> CachedCard:
    return [_unpack_side(*side) for side in sides], {str(k): str(v) for k, v in decks.items()}


def _unpack_side(side: Any, digest: Any, pictures: Any) -> CachedSide:
    return str(side), str(digest), tuple(map(str, pictures))

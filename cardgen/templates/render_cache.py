"""Cache of rendered faces, so that the templates of an unchanged card need not run again.

An entry of the store belongs to a deck in a language. Its name is the hash of everything that
templates can read except the card; within it, each card has the hash of its own values. The HTML
is not kept: only a face that is typeset again needs it, and it is then rendered again.
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
from cardgen.templates.template_lint import list_pictures
from cardgen.templates.template_renderer import TemplateRenderer, encode_value

SIDES = ("front", "back")
CachedSide = tuple[str, str, tuple[str, ...]]
"""Side, hash of its HTML, addresses of its pictures."""
CachedCard = tuple[list[CachedSide], dict[str, str]]
"""Sides of a card, and the hashes of the decks that its templates read."""
CachedCards = dict[str, CachedCard]
"""Hash of a card → its sides and decks."""


@dataclass(frozen=True, slots=True)
class RenderedFace:
    """Rendered side of a piece in a language, with the hash of its HTML and its pictures."""

    piece: Piece
    side: str
    digest: str
    pictures: tuple[str, ...]


class RenderCache:
    """Renders the faces of a game, or takes them from the store if nothing changed."""

    def __init__(self, templates: TemplateRenderer, store: Store, engine: str) -> None:
        self.templates = templates
        self.store = store
        self.drawings: dict[str, str] = {}
        """Drawings of the faces: address → template."""
        self.used_names: set[str] = set()
        """Names of the entries of this game in the store."""
        self._engine = engine
        self._decks: dict[str, str] = {}
        self._pieces: dict[str, list[str]] = {}
        self._unlisted_templates: dict[str, str] = {}
        """Hashes of further templates that the entry of the deck was made of."""
        self._game_hash = digest_parts([engine, *_describe_game(templates)])

    def render_deck(self, deck: Deck, language: str) -> list[RenderedFace]:
        """Return the faces of a deck in the order of its pieces, without those that fail."""
        name = digest_parts([self._game_hash, language, _describe_deck(deck)]) + ".json"
        self.used_names.add(name)
        path = self.store.get_path("rendered", name)
        cached = self._unpack_entry(self.store.read_json(path))
        before = len(self.templates.problems)
        cards: CachedCards = {}
        faces: list[RenderedFace] = []
        for piece, card in zip(deck.pieces, self._hash_pieces(deck), strict=True):
            is_same = card in cached and self._are_unchanged(cached[card][1])
            cards[card] = cached[card] if is_same else self._render_card(deck, piece, language)
            faces += [RenderedFace(piece, *side) for side in cards[card][0]]
        if len(self.templates.problems) == before and cards != cached:
            pictures = {picture for face in faces for picture in face.pictures}
            drawn = {p: self.drawings[p] for p in sorted(pictures & self.drawings.keys())}
            more = self._unlisted_templates | self.templates.hash_unlisted()
            self.store.write_json(path, {"cards": cards, "drawn": drawn, "more": more})
        return faces

    def _unpack_entry(self, entry: Any) -> CachedCards:
        """Return the cards of an entry, or none if it is damaged or from other templates."""
        self._unlisted_templates = {}
        try:
            drawn = {str(address): str(name) for address, name in entry["drawn"].items()}
            cards = {str(card): _unpack_card(*parts) for card, parts in entry["cards"].items()}
            more = {str(name): str(digest) for name, digest in entry["more"].items()}
        except (AttributeError, LookupError, TypeError, ValueError):
            return {}
        if not self._has_drawings(drawn) or not self.templates.are_unchanged(more):
            return {}
        self.drawings.update(drawn)
        self._unlisted_templates = more
        return cards

    def lint_templates(self) -> list[Problem]:
        """Return the findings in all templates, from the store if no template changed."""
        pages, sheets = self.templates.read_pages()
        texts = [part for files in (pages, sheets) for entry in files.items() for part in entry]
        name = digest_parts([self._engine, "misprints", *texts]) + ".json"
        self.used_names.add(name)
        path = self.store.get_path("rendered", name)
        problems = parse_problems(self.store.read_json(path))
        if problems is None:
            problems = self.templates.lint_templates()
            self.store.write_json(path, serialize_problems(problems))
        return problems

    def render_html(self, deck: Deck, piece: Piece, side: str, language: str) -> str:
        """Return the HTML of a face that `render_deck` returned."""
        return self.templates.render_face(deck, piece, side, language) or ""

    def _are_unchanged(self, decks: dict[str, str]) -> bool:
        """Return whether the decks still have these hashes."""
        return all(self._hash_cards(deck) == digest for deck, digest in decks.items())

    def _hash_cards(self, name: str) -> str:
        """Return the hash of all cards of a deck, as templates of other cards see them."""
        if name not in self._decks:
            deck = self.templates.game.get_deck(name)
            pieces = deck.pieces if deck else ()
            self._decks[name] = digest_parts(
                [name, *(_describe_piece(piece, 0) for piece in pieces)]
            )
        return self._decks[name]

    def _hash_pieces(self, deck: Deck) -> list[str]:
        """Return the hash of each card of a deck, in all languages."""
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
                    game = self.templates.game
                    icons = coloured_icons.find_icons_in_html(html, game.coloured_icons)
                    pictures = (*list_pictures(html), *icons)
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
        """Return the path of a drawing in the store."""
        return self.store.get_path("drawn", address.rpartition("/")[2])


def _describe_game(templates: TemplateRenderer) -> Iterator[str]:
    """Yield what the templates of every deck can read."""
    game = templates.game
    sources = list(templates.list_sources())
    yield from sources
    by_name = ("picture(", "art/")
    if any(deck.look for deck in game.decks) or any(
        word in text for text in sources for word in by_name
    ):
        yield from templates.art.paths
    shared = [
        game.id, game.variant, game.title, game.edition, game.date, game.languages, game.constants,
        game.colours, game.words, sorted(game.icons), game.coloured_icons,
        [[p.id, p.name, p.colour, p.symbol] for p in game.players],
    ]  # fmt: skip
    yield json.dumps(shared, default=encode_value, sort_keys=True)


def _describe_deck(deck: Deck) -> str:
    """Return what templates can read of a deck, for any of its cards."""
    values = [
        deck.id, deck.title, deck.constants, deck.front, deck.back, deck.size.width,
        deck.size.height, deck.count, len(deck.pieces), deck.distinct_count,
    ]  # fmt: skip
    return json.dumps(values, default=encode_value, sort_keys=True)


def _describe_piece(piece: Piece, first: int) -> str:
    """Return what templates can read of a card. `first` is the number of its first copy."""
    player = piece.player and piece.player.id
    templates = [piece.front, piece.back]
    copies = [piece.copies, piece.copy, piece.copies_in_all]
    values = [piece.id, piece.number, copies, first, player, templates, piece.values]
    return json.dumps(values, default=encode_value, sort_keys=True)


def _unpack_card(sides: Any, decks: Any) -> CachedCard:
    return [_unpack_side(*side) for side in sides], {str(k): str(v) for k, v in decks.items()}


def _unpack_side(side: Any, digest: Any, pictures: Any) -> CachedSide:
    return str(side), str(digest), tuple(map(str, pictures))

"""The current state of a game's cards: fields, stamps and digests of faces. Nothing is typeset.

A face's digest covers only what the face is made from. It does not change with the version of
cardgen, with line numbers in a template, or with CSS rules for other cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cardgen.changes.card_changes import CardSnapshot, GameState
from cardgen.faces.model import Face, FaceSet
from cardgen.game.inventory import format_value
from cardgen.game.model import Deck, Game, Piece
from cardgen.runtime import game_files
from cardgen.runtime.content_store import digest_parts
from cardgen.templates import stylesheet_rules
from cardgen.templates.template_renderer import make_stamp

SOURCE_MARK_PATTERN = re.compile(r" data-at=[^\s>]+")
# Line breaks and indentation between tags are not text.
INDENT_PATTERN = re.compile(r">\s*\n\s*<")
# An icon's code point depends on the other icons of the game.
ICON_PATTERN = re.compile(r'(class="icon icon-([a-z0-9-]+)">)&#x[0-9a-f]+;')
LOOK_DIGITS = 8
FONT_SUFFIXES = (".woff2", ".woff", ".ttf", ".otf", ".dic", ".json", ".yaml")


def describe_state(
    game: Game,
    faces: FaceSet,
    decks: Iterable[Deck],
    language: str,
    look_of: Callable[[Face], str] | None = None,
) -> GameState:
    """Return the state of decks in one language, without pieces that have no copies.

    `look_of` computes the digest of a face; by default it is the one that `printed.yaml` records.
    """
    look_of = look_of or LookHasher(game).hash_face
    by_side = {
        (face.deck.id, face.piece.id, face.side): face
        for face in faces.faces
        if face.language == language
    }

    def find_look(deck: Deck, piece: Piece, side: str) -> str:
        face = by_side.get((deck.id, piece.id, side))
        return look_of(face) if face else ""

    return {
        deck.id: {
            piece.id: CardSnapshot(
                piece.copies,
                make_stamp(piece, language),
                find_look(deck, piece, "front"),
                find_look(deck, piece, "back"),
                describe_fields(piece, language),
            )
            for piece in deck.pieces
            if piece.copies
        }
        for deck in decks
    }


def describe_fields(piece: Piece, language: str) -> dict[str, str]:
    """Return a piece's fields as text, without empty ones."""
    return {
        name: format_value(value, language)
        for name, value in piece.values.items()
        if value not in (None, (), False, "")
    }


class LookHasher:
    """Computes digests of faces; without `fonts`, regardless of the fonts in use."""

    def __init__(self, game: Game, *, fonts: bool = True) -> None:
        self._game = game
        self._fonts = digest_fonts(game.root) if fonts else ""
        self._icon = lru_cache(maxsize=None)(self._hash_icon)
        self._css = lru_cache(maxsize=None)(stylesheet_rules.select_styles)
        self._named = lru_cache(maxsize=None)(_list_selector_names)

    def hash_face(self, face: Face) -> str:
        """Return the short digest of how a face looks."""
        deck = face.deck
        html = INDENT_PATTERN.sub(">\n<", SOURCE_MARK_PATTERN.sub("", face.make_html()))
        icons = sorted({name for _, name in ICON_PATTERN.findall(html)})
        html = ICON_PATTERN.sub(r"\1", html)
        styles = tuple(text for _, text in face.styles)
        css = self._css(styles, stylesheet_rules.collect_words(html) & self._named(styles))
        used = [
            f"{name}={value}"
            for name, value in sorted(self._game.colours.items())
            if f"--{name}" in css or f"--{name}" in html
        ]
        art = sorted(f"{art.name} {art.digest}" for art in face.pictures)
        drawn = [self._icon(name) for name in icons]
        known = [face.language, str(deck.size), deck.shape, self._fonts, html, css]
        return digest_parts([*known, *used, "", *art, "", *drawn])[:LOOK_DIGITS]

    def _hash_icon(self, name: str) -> str:
        path = self._game.icons.get(name)
        return digest_parts([game_files.read_file(path)]) if path else ""


def _list_selector_names(styles: tuple[str, ...]) -> frozenset[str]:
    """Return every class and id in the selectors of stylesheets."""
    return frozenset(
        name
        for css in styles
        for rule in stylesheet_rules.parse_stylesheet(css)
        for need in rule.needs
        for name in need
    )


def digest_fonts(root: Path) -> str:
    """Return the digest of a game's fonts.yaml, lock file and own font files.

    Font packages are left out: a commit has none, and the lock file stands for them.
    """
    parts: list[str | bytes] = []
    for name in game_files.list_files(root, "fonts", *FONT_SUFFIXES):
        with suppress(game_files.UnreadableError):
            parts += [name.removeprefix("fonts/"), game_files.read_bytes(root, name)]
    return digest_parts(parts)

"""The state of a game as it stands: what every piece says and how it looks. Nothing is typeset.

Looks are hashes of what a face is made from, and of nothing else: a new version of cardgen, a
template's moved line, a stylesheet's rule for other cards leave them as they were.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cardgen.base import paths
from cardgen.base.store import digest_of
from cardgen.changes.compare import Entry, State
from cardgen.faces.produce import Face, Faces
from cardgen.game.inventory import shown
from cardgen.game.model import Deck, Game, Piece
from cardgen.templates import stylesheets
from cardgen.templates.render import stamp

_LINES = re.compile(r" data-at=[^\s>]+")
# What is between two tags on lines of their own is no text.
_INDENT = re.compile(r">\s*\n\s*<")
# An icon's character depends on what other icons there are.
_ICON = re.compile(r'(class="icon icon-([a-z0-9-]+)">)&#x[0-9a-f]+;')
_DIGITS = 8
_FONT_FILES = (".woff2", ".woff", ".ttf", ".otf", ".dic", ".json", ".yaml")


def state_of(
    game: Game,
    faces: Faces,
    decks: Iterable[Deck],
    language: str,
    look_of: Callable[[Face], str] | None = None,
) -> State:
    """What those decks are in a language; pieces without a copy are left out. `look_of` gives the
    hash of a face's look, if not as it is recorded."""
    look_of = look_of or Looks(game).of
    by_side = {
        (face.deck.id, face.piece.id, face.side): face
        for face in faces.faces
        if face.language == language
    }

    def look(deck: Deck, piece: Piece, side: str) -> str:
        face = by_side.get((deck.id, piece.id, side))
        return look_of(face) if face else ""

    return {
        deck.id: {
            piece.id: Entry(
                piece.copies,
                stamp(piece, language),
                look(deck, piece, "front"),
                look(deck, piece, "back"),
                fields_of(piece, language),
            )
            for piece in deck.pieces
            if piece.copies
        }
        for deck in decks
    }


def fields_of(piece: Piece, language: str) -> dict[str, str]:
    """A piece's fields in words; those that hold nothing are left out."""
    return {
        name: shown(value, language)
        for name, value in piece.values.items()
        if value not in (None, (), False, "")
    }


class Looks:
    """Hashes of faces; without `fonts`, as they look in whichever fonts."""

    def __init__(self, game: Game, *, fonts: bool = True) -> None:
        self._game = game
        self._fonts = fonts_digest(game.root) if fonts else ""
        self._icon = lru_cache(maxsize=None)(self._read_icon)
        self._css = lru_cache(maxsize=None)(stylesheets.concerning)
        self._named = lru_cache(maxsize=None)(_names_in)

    def of(self, face: Face) -> str:
        """The short hash of a face's look."""
        deck = face.deck
        html = _INDENT.sub(">\n<", _LINES.sub("", face.html()))
        icons = sorted({name for _, name in _ICON.findall(html)})
        html = _ICON.sub(r"\1", html)
        styles = tuple(text for _, text in face.styles)
        css = self._css(styles, stylesheets.words(html) & self._named(styles))
        used = [
            f"{name}={value}"
            for name, value in sorted(self._game.colours.items())
            if f"--{name}" in css or f"--{name}" in html
        ]
        art = sorted(f"{art.name} {art.digest}" for art in face.art)
        drawn = [self._icon(name) for name in icons]
        known = [face.language, str(deck.size), deck.shape, self._fonts, html, css]
        return digest_of([*known, *used, "", *art, "", *drawn])[:_DIGITS]

    def _read_icon(self, name: str) -> str:
        path = self._game.icons.get(name)
        return digest_of([paths.read(path)]) if path else ""


def _names_in(styles: tuple[str, ...]) -> frozenset[str]:
    """Every class and id that the stylesheets ask for."""
    return frozenset(
        name
        for css in styles
        for rule in stylesheets.rules(css)
        for need in rule.needs
        for name in need
    )


def fonts_digest(root: Path) -> str:
    """The hash of which fonts are declared and pinned, and of the game's own font files.

    Installed packages are left out: an earlier revision has none, the lock file stands for them.
    """
    parts: list[str | bytes] = []
    for name in paths.listed(root, "fonts", *_FONT_FILES):
        with suppress(paths.Unreadable):
            parts += [name.removeprefix("fonts/"), paths.read_bytes(root, name)]
    return digest_of(parts)

"""On which side of its card, or on which templates, a text is shown: as far as their texts tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cardgen.base import paths
from cardgen.game.looks.drawing_up import MARK
from cardgen.game.model import Deck, Game
from cardgen.game.translation.units import Unit

_INCLUDED = re.compile(r"""["']([\w./-]+\.(?:html|svg))["']""")
_DEEPEST = 4


def of(game: Game, units: Iterable[Unit]) -> dict[str, str]:
    """Where texts are shown, by their ids: `front`, `front, back`, or names of templates; those of
    which nothing is known are left out."""
    looked = _Templates(game)
    found = {}
    for unit in units:
        deck = game.deck(unit.deck) if unit.card else None
        where = looked.sides(deck, unit) if deck is not None else looked.naming(unit.what)
        if where:
            found[unit.id] = ", ".join(where)
    return found


class _Templates:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._texts: dict[tuple[str, str], str] = {}
        self._sides: dict[tuple[str, str], list[str]] = {}

    def sides(self, deck: Deck, unit: Unit) -> list[str]:
        """The sides of a deck whose templates name the field that a text is of."""
        field = unit.what.partition(".")[0]
        if (deck.id, field) not in self._sides:
            # By its full name where any of them says it so; else by its own.
            full = re.compile(rf"\bcard\.{re.escape(field)}\b")
            templates: Mapping[str, set[str]] = {
                side: {deck.template(piece, side) for piece in deck.pieces} | {getattr(deck, side)}
                for side in ("front", "back")
            }
            texts = {
                side: "\n".join(self._text(deck, name) for name in sorted(names) if name)
                for side, names in templates.items()
            }
            said = any(map(full.search, texts.values()))
            named = full if said else re.compile(rf"\b{re.escape(field)}\b")
            self._sides[deck.id, field] = [
                side for side, text in texts.items() if named.search(text)
            ]
        return self._sides[deck.id, field]

    def naming(self, what: str) -> list[str]:
        """The templates that say `words.pay`, or `constants.motto`."""
        if not what.startswith(("words.", "constants.")):
            return []
        named = re.compile(rf"\b{re.escape(what)}\b")
        names = {(deck.id, name): deck for deck in self._game.decks for name in deck.templates()}
        return sorted({
            _called(name) for (_, name), deck in names.items()
            if named.search(self._text(deck, name))
        })  # fmt: skip

    def _text(self, deck: Deck, name: str, deep: int = 0) -> str:
        """A template with those that it brings in."""
        own = deck.id if name in deck.written else ""
        if (own, name) not in self._texts:
            text = (
                deck.written.get(name) or paths.read_text(self._game.root, f"templates/{name}")[0]
            )
            self._texts[own, name] = text
            if deep < _DEEPEST:
                more = {each for each in _INCLUDED.findall(text) if each != name}
                below = [self._text(deck, each, deep + 1) for each in sorted(more)]
                self._texts[own, name] = "\n".join([text, *below])
        return self._texts[own, name]


def _called(template: str) -> str:
    """What people call a template: one that a look brings along by the look's deck and its side."""
    if not template.startswith(MARK):
        return template
    return template.removeprefix(MARK).removesuffix(".html").replace("/", " ")

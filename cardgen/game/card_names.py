"""`{card:king}` in a text: the name of that card, in the language of the text.

A card of the same deck is meant before one of another; `{card:troops/king}` names the deck. A name
that refers to a card itself is not followed: it would never end where two name each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.base.problems import Problem, Source, Subject, did_you_mean
from cardgen.game.model import Deck, Piece, Text, Value, mapped, walk

_NAMED = re.compile(r"(?<!\\)\{card:(?:([a-z0-9-]+)/)?([a-z0-9-]+)\}")
_SIGN = "{card:"
_FIELDS = ("name", "title")


def resolved(decks: Sequence[Deck]) -> tuple[tuple[Deck, ...], list[Problem]]:
    """The decks with names in the place of cards' signs, and signs that mean no card."""
    if not any(map(speaks, decks)):
        return tuple(decks), []
    names = _Names({deck.id: _names(deck) for deck in decks})
    problems: list[Problem] = []
    found = tuple(
        replace(deck, pieces=tuple(_piece(deck, piece, names, problems) for piece in deck.pieces))
        for deck in decks
    )
    return found, problems


def speaks(deck: Deck) -> bool:
    """Whether a card of the deck names another one."""
    return any(_speaks(piece.values) for piece in deck.pieces)


def _speaks(value: Value) -> bool:
    return any(
        _SIGN in said for part in walk(value) if isinstance(part, Text) for said in part.values()
    )


@dataclass(frozen=True)
class _Name:
    """What a card is called, whose name it is and where that stands."""

    said: Text | str
    card: Subject
    source: Source

    def text(self, language: str) -> str:
        return self.said if isinstance(self.said, str) else self.said[language]

    def line(self, language: str) -> Source:
        return self.source if isinstance(self.said, str) else self.said.line(language)


def _names(deck: Deck) -> dict[str, _Name]:
    """What each card of a deck is called: its name or title, else its id. A card of every player
    is called so without the player, too."""
    found: dict[str, _Name] = {}
    for piece in deck.pieces:
        texts = (piece.values.get(name) for name in _FIELDS)
        said = next((text for text in texts if isinstance(text, Text | str)), piece.id)
        found[piece.id] = _Name(said, Subject(deck.id, piece.id), piece.source)
        if piece.player:
            found.setdefault(piece.id.removesuffix(f"-{piece.player.id}"), found[piece.id])
    return found


@dataclass(frozen=True)
class _Names:
    """What cards are called, by deck and id, and which names were told to refer to cards."""

    decks: Mapping[str, Mapping[str, _Name]]
    told: set[tuple[Source, str]] = field(default_factory=set)

    def unfollowed(self, name: _Name, language: str) -> Iterator[Problem]:
        """What is wrong with a name that refers to a card itself; once for each."""
        at = name.line(language)
        if (at, language) not in self.told:
            self.told.add((at, language))
            deck, card = name.card.deck, name.card.card
            message = f"the name of {deck}/{card} refers to a card itself, which is not followed"
            whose = replace(name.card, language=language)
            yield Problem(at, message, "reference", subject=whose)

    def of(self, deck: str, card: str, own: str) -> tuple[_Name | None, str]:
        """What a card is called, and why that is not known."""
        if deck:
            known = self.decks.get(deck)
            if known is None:
                return None, f"there is no deck '{deck}'{did_you_mean(deck, self.decks)}"
            hint = did_you_mean(card, known)
            return known.get(card), f"there is no card '{card}' in {deck}{hint}"
        if card in self.decks[own]:
            return self.decks[own][card], ""
        having = [name for name, known in self.decks.items() if card in known]
        if len(having) == 1:
            return self.decks[having[0]][card], ""
        if having:
            return None, f"several decks have a card '{card}'; write {{card:{having[0]}/{card}}}"
        everything = {name for known in self.decks.values() for name in known}
        return None, f"there is no card '{card}'{did_you_mean(card, everything)}"


def _piece(deck: Deck, piece: Piece, names: _Names, problems: list[Problem]) -> Piece:
    if not _speaks(piece.values):
        return piece

    def said(part: Value) -> Value:
        if not isinstance(part, Text) or not any(_SIGN in text for text in part.values()):
            return part
        lines = {language: part.line(language) for language in part}
        return Text({language: told(part, language) for language in part}, part.source, lines)

    def told(text: Text, language: str) -> str:
        def name(sign: re.Match[str]) -> str:
            found, why = names.of(sign[1] or "", sign[2], deck.id)
            if found is None:
                whose = Subject(deck.id, piece.id, language)
                message = f"{sign[0]}: {why}"
                problems.append(Problem(text.line(language), message, "reference", subject=whose))
                return sign[2]
            if _NAMED.search(found.text(language)):
                problems.extend(names.unfollowed(found, language))
                return sign[2]
            return found.text(language)

        return _NAMED.sub(name, text[language])

    return replace(piece, values=mapped(piece.values, said))

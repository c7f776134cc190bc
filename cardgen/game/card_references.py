"""References from card to card: fields that name a card, and `{card:king}` in texts.

`{card:king}` prints the name of that card, first of the same deck, else of another;
`{card:troops/king}` names the deck. A name that contains such a token is not followed, so that no
two names wait for each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.core.problems import Problem, Source, Subject, did_you_mean
from cardgen.game.model import (
    CardReference,
    Deck,
    Field,
    Piece,
    Text,
    Value,
    map_value,
    walk_values,
)

CARD_TOKEN = re.compile(r"(?<!\\)\{card:(?:([a-z0-9-]+)/)?([a-z0-9-]+)\}")
CARD_TOKEN_START = "{card:"
NAME_FIELDS = ("name", "title")


def resolve_card_names(decks: Sequence[Deck]) -> tuple[tuple[Deck, ...], list[Problem]]:
    """Return the decks with card names in place of their tokens, and the tokens of unknown
    cards."""
    if not any(map(has_card_tokens, decks)):
        return tuple(decks), []
    names = _CardNames({deck.id: _collect_card_names(deck) for deck in decks})
    problems: list[Problem] = []
    found = tuple(
        replace(
            deck,
            pieces=tuple(_resolve_piece(deck, piece, names, problems) for piece in deck.pieces),
        )
        for deck in decks
    )
    return found, problems


def has_card_tokens(deck: Deck) -> bool:
    """Return whether a card of a deck names another one in a text."""
    return any(_has_card_token(piece.values) for piece in deck.pieces)


def _has_card_token(value: Value) -> bool:
    return any(
        CARD_TOKEN_START in text
        for part in walk_values(value)
        if isinstance(part, Text)
        for text in part.values()
    )


@dataclass(frozen=True)
class _CardName:
    """The name of a card, and where it is written."""

    text_or_id: Text | str
    subject: Subject
    source: Source

    def get_text(self, language: str) -> str:
        return self.text_or_id if isinstance(self.text_or_id, str) else self.text_or_id[language]

    def get_source(self, language: str) -> Source:
        return (
            self.source
            if isinstance(self.text_or_id, str)
            else self.text_or_id.get_source(language)
        )


def _collect_card_names(deck: Deck) -> dict[str, _CardName]:
    """Return the name of each card of a deck by id: its name or title, else its id.

    A card that every player has is also found without the player.
    """
    found: dict[str, _CardName] = {}
    for piece in deck.pieces:
        texts = (piece.values.get(name) for name in NAME_FIELDS)
        name_or_id = next((text for text in texts if isinstance(text, Text | str)), piece.id)
        found[piece.id] = _CardName(name_or_id, Subject(deck.id, piece.id), piece.source)
        if piece.player:
            found.setdefault(piece.id.removesuffix(f"-{piece.player.id}"), found[piece.id])
    return found


@dataclass(frozen=True)
class _CardNames:
    """The names of cards by deck and id, and the names that were reported already."""

    decks: Mapping[str, Mapping[str, _CardName]]
    reported: set[tuple[Source, str]] = field(default_factory=set)

    def report_nested_name(self, name: _CardName, language: str) -> Iterator[Problem]:
        """Report a name that refers to a card itself, once."""
        at = name.get_source(language)
        if (at, language) not in self.reported:
            self.reported.add((at, language))
            deck, card = name.subject.deck, name.subject.card
            message = f"the name of {deck}/{card} refers to a card itself, which is not followed"
            whose = replace(name.subject, language=language)
            yield Problem(at, message, "reference", subject=whose)

    def find_card_name(self, deck: str, card: str, own: str) -> tuple[_CardName | None, str]:
        """Return the name of a card, or None and the reason why there is none."""
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


def _resolve_piece(deck: Deck, piece: Piece, names: _CardNames, problems: list[Problem]) -> Piece:
    if not _has_card_token(piece.values):
        return piece

    def resolve_part(part: Value) -> Value:
        if not isinstance(part, Text) or not any(
            CARD_TOKEN_START in text for text in part.values()
        ):
            return part
        lines = {language: part.get_source(language) for language in part}
        return Text(
            {language: resolve_text(part, language) for language in part}, part.source, lines
        )

    def resolve_text(text: Text, language: str) -> str:
        def replace_token(sign: re.Match[str]) -> str:
            found, why = names.find_card_name(sign[1] or "", sign[2], deck.id)
            if found is None:
                whose = Subject(deck.id, piece.id, language)
                message = f"{sign[0]}: {why}"
                problems.append(
                    Problem(text.get_source(language), message, "reference", subject=whose)
                )
                return sign[2]
            if CARD_TOKEN.search(found.get_text(language)):
                problems.extend(names.report_nested_name(found, language))
                return sign[2]
            return found.get_text(language)

        return CARD_TOKEN.sub(replace_token, text[language])

    return replace(piece, values=map_value(piece.values, resolve_part))


def find_dangling_references(decks: Sequence[Deck]) -> list[Problem]:
    """Return references to cards or decks that do not exist.

    The player may be left out of the id of a card that every player has.
    """
    by_deck = {deck.id: {name for each in deck.pieces for name in each.names} for deck in decks}
    problems: list[Problem] = []
    for deck in decks:
        for declared in _walk_reference_fields(deck.fields):
            if declared.deck not in by_deck:
                hint = did_you_mean(declared.deck, by_deck)
                message = f"'{declared.name}' refers to the deck '{declared.deck}'"
                text = f"{message}, which does not exist{hint}"
                where = Subject(deck.id)
                problems.append(Problem(declared.source, text, "reference", subject=where))
        for piece in deck.pieces:
            for reference in walk_references(piece.values):
                ids = by_deck.get(reference.deck)
                if ids is None or reference.piece in ids:
                    continue
                hint = did_you_mean(reference.piece, ids)
                message = f"it refers to '{reference.piece}' of {reference.deck}"
                text = f"{message}, which does not exist{hint}"
                card = Subject(deck.id, piece.id)
                problems.append(Problem(reference.source, text, "reference", subject=card))
    return problems


def _walk_reference_fields(fields: Mapping[str, Field]) -> Iterator[Field]:
    for declared in fields.values():
        inner = {declared.name: declared.item} if declared.item else declared.fields
        yield from _walk_reference_fields(inner)
        if declared.kind == "reference" and declared.deck:
            yield declared


def walk_references(value: Value) -> Iterator[CardReference]:
    """Yield every reference within a value."""
    return (part for part in walk_values(value) if isinstance(part, CardReference))

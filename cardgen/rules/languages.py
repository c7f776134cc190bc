"""Kinds of rule about a game's languages: what is translated, and told apart in each of them."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game.model import Piece, Text, Value, walk
from cardgen.game.signs import spoken
from cardgen.game.translation.states import is_same
from cardgen.rules.kind import Backs, Kind, named
from cardgen.templates.expressions import CannotEvaluate

_LONGEST = 32


class _OfTexts(Kind):
    """A rule about the texts of cards, each card once, in the languages after the first."""

    def pieces(self, decks: list[str]) -> Iterator[Piece]:
        """The cards that it is about; those of several players once."""
        self.check_conditions(decks, self.where)
        seen: set[tuple[str, str]] = set()
        for deck in decks:
            held = {str(card["id"]) for card in self.database.cards(deck, self.where)}
            for piece in self.database.deck(deck).pieces:
                known = piece.id in held or not self.where
                if known and (deck, piece.entry) not in seen:
                    seen.add((deck, piece.entry))
                    yield piece

    @property
    def languages(self) -> tuple[str, ...]:
        return self.database.game.languages[1:]

    @property
    def source(self) -> str:
        return self.database.game.languages[0]


class Translated(_OfTexts):
    """Whether texts say something else than their source does. One that is lent by the source is
    told elsewhere."""

    keys = "of where except together"

    def broken(self, _backs: Backs) -> list[str]:
        broken = []
        for name, decks in self.groups():
            found: dict[tuple[str, str], dict[str, list[str]]] = {}
            for piece, field, text in self._texts(decks):
                for language in self.languages:
                    if self._is_forgotten(text, language):
                        said = found.setdefault((field, language), {})
                        said.setdefault(text[self.source], []).append(piece.entry)
            for (field, language), said in found.items():
                cards = [card for ids in said.values() for card in ids]
                texts = ", ".join(f"'{_short(text)}'" for text in list(said)[:3])
                more = f" and {len(said) - 3} more" if len(said) > 3 else ""
                broken.append(
                    f"{name}: {field} in {language} is what it is in {self.source}, {texts}{more}; "
                    f"in question: {named(cards)}"
                )
        return broken

    def _is_forgotten(self, text: Text, language: str) -> bool:
        source, said = text[self.source], text.get(language, "")
        lent = text.tongue(language) != language
        return not lent and is_same(said, source) and not self._excepted(source)

    def _texts(self, decks: list[str]) -> Iterator[tuple[Piece, str, Text]]:
        """The texts of the fields that are asked for, or of all."""
        of, fields = self.arguments.get("of"), set[str]()
        wanted = None if of is None else {*of} if isinstance(of, list) else {str(of)}
        for piece in self.pieces(decks):
            for field, value in piece.values.items():
                fields.add(field)
                asked = wanted is None or field in wanted
                if asked and not self._excepted(field) and not self._excepted(piece.entry):
                    yield from ((piece, field, text) for text in _texts_in(value))
        lost = sorted((wanted or set()) - fields)
        if lost and fields:
            raise CannotEvaluate(f"no card has a field '{lost[0]}'")

    def _excepted(self, word: str) -> bool:
        given = self.arguments.get("except", [])
        words = given if isinstance(given, list) else [given]
        return word.strip() in {str(each).strip() for each in words}


class Distinct(_OfTexts):
    """Whether cards whose texts differ in the source language differ in every other, too."""

    keys, needed = "where together", "of"

    def broken(self, _backs: Backs) -> list[str]:
        broken, field = [], str(self.arguments["of"])
        for name, decks in self.groups():
            if not any(field in self.database.deck(deck).fields for deck in decks):
                raise CannotEvaluate(f"{name} has no field '{field}'")
            told = [
                (piece, text)
                for piece in self.pieces(decks)
                for text in _texts_in(piece.values.get(field))
            ]
            for language in self.languages:
                alike: dict[str, dict[str, list[str]]] = {}
                for piece, text in told:
                    said, source = text.get(language, "").strip(), text[self.source].strip()
                    if said and text.tongue(language) == language:
                        alike.setdefault(said, {}).setdefault(source, []).append(piece.entry)
                for said, sources in alike.items():
                    if len(sources) > 1:
                        cards = [card for ids in sources.values() for card in ids]
                        broken.append(
                            f"{name}: {field} in {language} is '{_short(said)}' on {len(cards)} "
                            f"cards, which say {len(sources)} different things in {self.source}; "
                            f"in question: {named(cards)}"
                        )
        return broken


def _texts_in(value: Value) -> list[Text]:
    return [part for part in walk(value) if isinstance(part, Text)]


def _short(text: str) -> str:
    """The first of a text's words, without signs."""
    said = " ".join(spoken(text).split())
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"

"""Kinds of rule about a game's languages: what is translated, and told apart in each of them."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game.markup import strip_markup
from cardgen.game.model import Piece, Text, Value, walk_values
from cardgen.rules.rule_base import BackImages, RuleKind, format_ids
from cardgen.templates.expressions import EvaluationError
from cardgen.translation.translation_status import is_same_text

_MAX_QUOTED_LENGTH = 32


class TranslationRule(RuleKind):
    """A rule about the texts of cards, each card once, in the languages after the first."""

    def select_pieces(self, decks: list[str]) -> Iterator[Piece]:
        """The cards that it is about; those of several players once."""
        self.check_conditions(decks, self.where)
        seen: set[tuple[str, str]] = set()
        for deck in decks:
            held = {str(card["id"]) for card in self.database.cards(deck, self.where)}
            for piece in self.database.get_deck(deck).pieces:
                known = piece.id in held or not self.where
                if known and (deck, piece.card_id) not in seen:
                    seen.add((deck, piece.card_id))
                    yield piece

    @property
    def languages(self) -> tuple[str, ...]:
        return self.database.game.languages[1:]

    @property
    def source(self) -> str:
        return self.database.game.languages[0]


class TranslatedRule(TranslationRule):
    """Whether texts say something else than their source does. One that is lent by the source is
    told elsewhere."""

    optional_keys = "of where except together"

    def check(self, _backs: BackImages) -> list[str]:
        broken = []
        for name, decks in self.group_decks():
            found: dict[tuple[str, str], dict[str, list[str]]] = {}
            for piece, field, text in self._list_texts(decks):
                for language in self.languages:
                    if self._is_untranslated(text, language):
                        said = found.setdefault((field, language), {})
                        said.setdefault(text[self.source], []).append(piece.card_id)
            for (field, language), said in found.items():
                cards = [card for ids in said.values() for card in ids]
                texts = ", ".join(f"'{_shorten_text(text)}'" for text in list(said)[:3])
                more = f" and {len(said) - 3} more" if len(said) > 3 else ""
                broken.append(
                    f"{name}: {field} in {language} is what it is in {self.source}, {texts}{more}; "
                    f"in question: {format_ids(cards)}"
                )
        return broken

    def _is_untranslated(self, text: Text, language: str) -> bool:
        source, said = text[self.source], text.get(language, "")
        lent = text.get_language(language) != language
        return not lent and is_same_text(said, source) and not self._is_excepted(source)

    def _list_texts(self, decks: list[str]) -> Iterator[tuple[Piece, str, Text]]:
        """The texts of the fields that are asked for, or of all."""
        of, fields = self.arguments.get("of"), set[str]()
        wanted = None if of is None else {*of} if isinstance(of, list) else {str(of)}
        for piece in self.select_pieces(decks):
            for field, value in piece.values.items():
                fields.add(field)
                asked = wanted is None or field in wanted
                if asked and not self._is_excepted(field) and not self._is_excepted(piece.card_id):
                    yield from ((piece, field, text) for text in _collect_texts(value))
        lost = sorted((wanted or set()) - fields)
        if lost and fields:
            raise EvaluationError(f"no card has a field '{lost[0]}'")

    def _is_excepted(self, word: str) -> bool:
        given = self.arguments.get("except", [])
        words = given if isinstance(given, list) else [given]
        return word.strip() in {str(each).strip() for each in words}


class DistinctRule(TranslationRule):
    """Whether cards whose texts differ in the source language differ in every other, too."""

    optional_keys, required_keys = "where together", "of"

    def check(self, _backs: BackImages) -> list[str]:
        broken, field = [], str(self.arguments["of"])
        for name, decks in self.group_decks():
            if not any(field in self.database.get_deck(deck).fields for deck in decks):
                raise EvaluationError(f"{name} has no field '{field}'")
            told = [
                (piece, text)
                for piece in self.select_pieces(decks)
                for text in _collect_texts(piece.values.get(field))
            ]
            for language in self.languages:
                alike: dict[str, dict[str, list[str]]] = {}
                for piece, text in told:
                    said, source = text.get(language, "").strip(), text[self.source].strip()
                    if said and text.get_language(language) == language:
                        alike.setdefault(said, {}).setdefault(source, []).append(piece.card_id)
                for said, sources in alike.items():
                    if len(sources) > 1:
                        cards = [card for ids in sources.values() for card in ids]
                        broken.append(
                            f"{name}: {field} in {language} is '{_shorten_text(said)}' on {len(cards)} "
                            f"cards, which say {len(sources)} different things in {self.source}; "
                            f"in question: {format_ids(cards)}"
                        )
        return broken


def _collect_texts(value: Value) -> list[Text]:
    return [part for part in walk_values(value) if isinstance(part, Text)]


def _shorten_text(text: str) -> str:
    """The first of a text's words, without signs."""
    said = " ".join(strip_markup(text).split())
    return said if len(said) <= _MAX_QUOTED_LENGTH else f"{said[: _MAX_QUOTED_LENGTH - 1]}…"

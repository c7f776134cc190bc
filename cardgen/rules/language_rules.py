"""Kinds of rules about a game's languages: translated texts, and texts that must differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from cardgen.core.problems import summarise
from cardgen.game.markup import strip_markup
from cardgen.game.model import Piece, Text, Value, walk_values
from cardgen.rules.rule_base import BackImages, RuleKind, format_ids
from cardgen.templates.expressions import EvaluationError

_MAX_QUOTED_LENGTH = 32


class TranslationRule(RuleKind):
    """Base class of rules about the texts of cards in every language but the first."""

    def select_pieces(self, decks: list[str]) -> Iterator[Piece]:
        """Yield the cards for which `where:` holds. Those of several players are one card."""
        self.check_conditions(decks, self.where)
        for deck in decks:
            chosen = {str(card["id"]) for card in self.database.cards(deck, self.where)}
            pieces: dict[str, Piece] = {}
            for piece in self.database.get_deck(deck).pieces:
                if piece.base_id in chosen or not self.where:
                    pieces.setdefault(piece.card_id, piece)
            yield from pieces.values()

    @property
    def languages(self) -> tuple[str, ...]:
        return self.database.game.languages[1:]

    @property
    def source(self) -> str:
        return self.database.game.languages[0]


class TranslatedRule(TranslationRule):
    """Asks that texts differ from their source. Texts lent by `fallback:` are left out."""

    optional_keys = "of where except together"

    def check(self, _backs: BackImages) -> Iterator[str]:
        from cardgen.translation.translation_status import is_same_text  # noqa: PLC0415 - only here

        for name, decks in self.group_decks():
            untranslated: dict[tuple[str, str], dict[str, list[str]]] = {}
            for piece, field, text in self._list_texts(decks):
                source = text[self.source]
                for language in self.languages:
                    is_lent = text.get_language(language) != language
                    is_same = is_same_text(text.get(language, ""), source)
                    if is_same and not is_lent and not self._is_excepted(source):
                        cards = untranslated.setdefault((field, language), {})
                        cards.setdefault(source, []).append(piece.card_id)
            for (field, language), cards in untranslated.items():
                texts = summarise([f"'{_shorten_text(text)}'" for text in cards], 3)
                ids = format_ids(card for group in cards.values() for card in group)
                yield (
                    f"{name}: {field} in {language} is what it is in {self.source}, {texts}; "
                    f"in question: {ids}"
                )

    def _list_texts(self, decks: list[str]) -> Iterator[tuple[Piece, str, Text]]:
        """Yield the texts of the fields in `of:`, or of all fields, except those in `except:`."""
        of, fields = self.arguments.get("of"), set[str]()
        wanted = None if of is None else {*of} if isinstance(of, list) else {str(of)}
        for piece in self.select_pieces(decks):
            fields |= piece.values.keys()
            for field, value in piece.values.items():
                is_wanted = wanted is None or field in wanted
                if is_wanted and not self._is_excepted(field, piece.card_id):
                    yield from ((piece, field, text) for text in _collect_texts(value))
        missing = sorted((wanted or set()) - fields)
        if missing and fields:
            raise EvaluationError(f"no card has a field '{missing[0]}'")

    def _is_excepted(self, *words: str) -> bool:
        given = self.arguments.get("except", [])
        exceptions = {str(each).strip() for each in (given if isinstance(given, list) else [given])}
        return any(word.strip() in exceptions for word in words)


class DistinctRule(TranslationRule):
    """Asks that texts which differ in the source language differ in every other language."""

    optional_keys, required_keys = "where together", "of"

    def check(self, _backs: BackImages) -> Iterator[str]:
        field = str(self.arguments["of"])
        for name, decks in self.group_decks():
            if not any(field in self.database.get_deck(deck).fields for deck in decks):
                raise EvaluationError(f"{name} has no field '{field}'")
            texts = [
                (piece, text)
                for piece in self.select_pieces(decks)
                for text in _collect_texts(piece.values.get(field))
            ]
            for language in self.languages:
                cards: dict[str, dict[str, list[str]]] = {}
                for piece, text in texts:
                    words, source = text.get(language, "").strip(), text[self.source].strip()
                    if words and text.get_language(language) == language:
                        cards.setdefault(words, {}).setdefault(source, []).append(piece.card_id)
                for words, sources in cards.items():
                    ids = [card for group in sources.values() for card in group]
                    if len(sources) > 1:
                        yield (
                            f"{name}: {field} in {language} is '{_shorten_text(words)}' on "
                            f"{len(ids)} cards, which say {len(sources)} different things in "
                            f"{self.source}; in question: {format_ids(ids)}"
                        )


class ForbiddenWordsRule(TranslationRule):
    """Asks that texts are free of some words in every language, such as names others own.

    A word is found whole, in capitals or not; `name*` is found as the beginning of a word, too.
    """

    optional_keys, required_keys = "where together", "words"

    def check(self, _backs: BackImages) -> Iterator[str]:
        words = self._compile_words()
        for name, decks in self.group_decks():
            found: dict[tuple[str, str, str], list[str]] = {}
            for piece in self.select_pieces(decks):
                for field, value in piece.values.items():
                    for text, language in product(
                        _collect_texts(value), self.database.game.languages
                    ):
                        if text.get_language(language) == language:
                            for match in words.finditer(strip_markup(text.get(language, ""))):
                                key = (match[0], field, language)
                                found.setdefault(key, []).append(piece.card_id)
            for (word, field, language), ids in found.items():
                cards = format_ids(list(dict.fromkeys(ids)))
                yield f"{name}: {field} in {language} has '{word}'; in question: {cards}"

    def _compile_words(self) -> re.Pattern[str]:
        given = self.arguments["words"]
        words = [
            " ".join(str(word).split()) for word in (given if isinstance(given, list) else [given])
        ]
        if not all(word.strip("*") for word in words) or not words:
            raise EvaluationError("words: names no word; write, for example, [Acme, Zork*]")
        parts = (re.escape(word.strip("*")) + r"\w*" * word.endswith("*") for word in words)
        return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)", re.IGNORECASE)


def _collect_texts(value: Value) -> list[Text]:
    return [part for part in walk_values(value) if isinstance(part, Text)]


def _shorten_text(text: str) -> str:
    """Return the beginning of a text without markup."""
    words = " ".join(strip_markup(text).split())
    if len(words) <= _MAX_QUOTED_LENGTH:
        return words
    return f"{words[: _MAX_QUOTED_LENGTH - 1]}…"

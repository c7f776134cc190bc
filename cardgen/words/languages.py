"""Which languages there are words in, and what else of a language stands on paper.

A tag stands for its language: `pt-BR` is Portuguese. What is in no language here is in English.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.words import en, fi, ru

WORDS: Mapping[str, Mapping[str, str]] = {"en": en.WORDS, "fi": fi.WORDS, "ru": ru.WORDS}
"""Language → key → word."""
_COMMA_LANGUAGES = frozenset(
    {"cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "ru", "sv"}
)
# Letters that come after z; elsewhere accents do not count.
_LETTERS_AFTER_Z = {"fi": "åäö", "sv": "åäö", "da": "æøå", "nb": "æøå", "et": "õäöü"}


def get_word(key: str, language: str) -> str:
    """The word of a key, such as `sheets.fold`."""
    return WORDS.get(_get_base_language(language), WORDS["en"])[key]


def get_words(place: str, language: str) -> dict[str, str]:
    """All that stands in a place, such as `sheets`, by what comes behind the point of its keys."""
    keys = (key.partition(".") for key in WORDS["en"])
    return {name: get_word(f"{at}.{name}", language) for at, _, name in keys if at == place}


def get_decimal_sign(language: str) -> str:
    """What stands before decimals: a comma in Finnish."""
    return "," if _get_base_language(language) in _COMMA_LANGUAGES else "."


def get_letters_after_z(language: str) -> str:
    """The letters that come after z, in their order."""
    return _LETTERS_AFTER_Z.get(_get_base_language(language), "")


def _get_base_language(language: str) -> str:
    return language.partition("-")[0]

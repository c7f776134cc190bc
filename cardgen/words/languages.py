"""Words in the languages that cardgen knows, and the typography of others.

A tag stands for its language: `pt-BR` is Portuguese. A language without words here gets English.
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
    """Return the word of a key, such as `sheets.fold`."""
    return WORDS.get(_get_base_language(language), WORDS["en"])[key]


def get_words(section: str, language: str) -> dict[str, str]:
    """Return all words of a section, such as `sheets`, by the rest of their keys."""
    keys = (key.partition(".") for key in WORDS["en"])
    return {
        name: get_word(f"{prefix}.{name}", language)
        for prefix, _, name in keys
        if prefix == section
    }


def get_decimal_sign(language: str) -> str:
    """Return the decimal sign of a language: a comma in Finnish."""
    return "," if _get_base_language(language) in _COMMA_LANGUAGES else "."


def get_letters_after_z(language: str) -> str:
    """Return the letters of a language that are sorted after z, in order."""
    return _LETTERS_AFTER_Z.get(_get_base_language(language), "")


def _get_base_language(language: str) -> str:
    return language.partition("-")[0]

"""Words in the languages that cardgen knows, and the typography of others.

A tag stands for its language: `pt-BR` is Portuguese. A language without words here gets English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from cardgen.core import yaml_nodes

LANGUAGES = ("en", "fi", "ru")
"""Languages with words of their own, each in a YAML file of this folder."""
# Letters that come after z; elsewhere accents do not count.
_LETTERS_AFTER_Z = {"fi": "åäö", "sv": "åäö", "da": "æøå", "nb": "æøå", "et": "õäöü"}


@lru_cache
def read_words(language: str) -> Mapping[str, str]:
    """Return the words of a language of `LANGUAGES`, by their keys."""
    file = Path(__file__).with_name(f"{language}.yaml")
    node, _ = yaml_nodes.load(file.read_text(encoding="utf-8"), file.name)
    assert node is not None
    return {key: str(word) for key, word in node.to_plain().items()}


def get_word(key: str, language: str) -> str:
    """Return the word of a key, such as `sheets.fold`."""
    base = _get_base_language(language)
    return read_words(base if base in LANGUAGES else LANGUAGES[0])[key]


def get_words(section: str, language: str) -> dict[str, str]:
    """Return all words of a section, such as `sheets`, by the rest of their keys."""
    keys = (key.partition(".") for key in read_words(LANGUAGES[0]))
    return {
        name: get_word(f"{prefix}.{name}", language)
        for prefix, _, name in keys
        if prefix == section
    }


def get_letters_after_z(language: str) -> str:
    """Return the letters of a language that are sorted after z, in order."""
    return _LETTERS_AFTER_Z.get(_get_base_language(language), "")


def _get_base_language(language: str) -> str:
    return language.partition("-")[0]

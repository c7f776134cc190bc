"""The words that cardgen itself prints: the same in every language."""

from __future__ import annotations

import pytest

from cardgen.base import code_digest
from cardgen.words import en
from cardgen.words.languages import WORDS, after_z, decimal_sign, word, words_of


@pytest.mark.parametrize("language", WORDS)
def test_every_language_has_every_word(language: str) -> None:
    assert list(WORDS[language]) == list(en.WORDS)
    assert all(said.strip() == said != "" for said in WORDS[language].values())


def test_a_tag_stands_for_its_language_and_english_for_those_without_words() -> None:
    assert word("sheets.sheet", "fi-FI") == word("sheets.sheet", "fi") == "arkki"
    assert word("sheets.sheet", "hu") == "sheet"
    assert words_of("table", "ru") == {"rulebook": "Правила", "hand": "Рука"}
    assert (decimal_sign("pt-BR"), decimal_sign("en-GB")) == (",", ".")
    assert (after_z("sv-FI"), after_z("en")) == ("åäö", "")


def test_a_word_makes_what_prints_it_anew_and_no_face() -> None:
    floors = code_digest.FLOORS
    assert all(floors.index(name) < floors.index("words") for name in ("outputs", "book", "sheets"))
    assert floors.index("words") < floors.index("faces")

"""The words that cardgen itself prints: the same in every language."""

from __future__ import annotations

import pytest

from cardgen.game.number_formats import get_decimal_sign
from cardgen.runtime import code_version
from cardgen.words.languages import (
    LANGUAGES,
    get_letters_after_z,
    get_word,
    get_words,
    read_words,
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_word(language: str) -> None:
    assert list(read_words(language)) == list(read_words("en"))
    assert all(said.strip() == said != "" for said in read_words(language).values())


def test_a_tag_stands_for_its_language_and_english_for_those_without_words() -> None:
    assert get_word("sheets.sheet", "fi-FI") == get_word("sheets.sheet", "fi") == "arkki"
    assert get_word("sheets.sheet", "hu") == "sheet"
    assert get_words("table", "ru") == {"rulebook": "Правила", "hand": "Рука"}
    assert (get_decimal_sign("pt-BR"), get_decimal_sign("en-GB")) == (",", ".")
    assert (get_letters_after_z("sv-FI"), get_letters_after_z("en")) == ("åäö", "")


def test_a_word_makes_what_prints_it_anew_and_no_face() -> None:
    floors = code_version.PACKAGE_ORDER
    assert all(floors.index(name) < floors.index("words") for name in ("outputs", "book", "sheets"))
    assert floors.index("words") < floors.index("faces")

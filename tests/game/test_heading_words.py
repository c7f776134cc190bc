"""What columns are for and of which language, by what stands over them."""

from __future__ import annotations

import pytest

from cardgen.game import heading_words
from cardgen.game.heading_words import HeadingLanguage


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Name", "title"), ("Card Name", "title"), ("CARD_NAME", "title"), ("Nimi", "title"),
        ("Название", "title"), ("Qty.", "copies"), ("# Copies", "copies"), ("Kpl", "copies"),
        ("Кол-во", "copies"), ("Rules Text", "text"), ("Flavor Text", "flavour"),
        ("Cost (gold)", "cost"), ("Mana cost", "cost"), ("Starting cost", "cost"),
        ("Monster type", "type"), ("ID", "id"), ("Grid", ""), ("Phone number", ""),
        ("Discount", ""), ("Art", "picture"), ("No.", "number"), ("", ""), ("---", ""),
        ("Remarks", "notes"), ("Nimi\u0308", ""),
        ("How many?", "copies"), ("Duplication", "copies"),
        ("Count", "copies"), ("Anzahl", "copies"), ("Lkm", "copies"), ("# in deck", "copies"),
        ("Montako", "copies"), ("Сколько", "copies"), ("Antall", "copies"), ("枚数", "copies"),
        ("Navn", "title"), ("Tekst", "text"),
        # Words for a number and for cards, in any order and language.
        ("Anzahl der Karten", "copies"), ("Kartenanzahl", "copies"), ("Wie viele Karten", "copies"),
        ("Korttimäärä", "copies"), ("Korttien lukumäärä", "copies"), ("Kpl pakassa", "copies"),
        ("Quantity in deck", "copies"), ("Card qty", "copies"), ("No. of cards", "copies"),
        ("Cards in deck", "copies"), ("Amount of each card", "copies"),
        ("Количество карт", "copies"), ("Кол-во карт в колоде", "copies"), ("Тираж", "copies"),
        ("Antal kort i leken", "copies"), ("Nombre de cartes", "copies"), ("Liczba kart", "copies"),
        # Which card it is, or what is done with cards.
        ("Card no.", "number"), ("Kortin numero", "number"), ("Номер карты", "number"),
        ("Cards drawn", ""), ("Number of cards drawn", ""), ("Nostettavien korttien määrä", ""),
        ("Anzahl gezogener Karten", ""), ("Количество карт в руке", ""), ("Player count", ""),
    ],
)  # fmt: skip
def test_what_a_column_is_for(heading: str, role: str) -> None:
    assert heading_words.find_role(heading) == role


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Name (EN)", HeadingLanguage("Name", "en", True)),
        ("Name [fi]", HeadingLanguage("Name", "fi", True)),
        ("name.fi", HeadingLanguage("name", "fi", True)),
        ("name_fi", HeadingLanguage("name", "fi", False)),
        ("Name FI", HeadingLanguage("Name", "fi", False)),
        ("EN Name", HeadingLanguage("Name", "en", False)),
        ("Name: Finnish", HeadingLanguage("Name", "fi", True)),
        ("Name in English", HeadingLanguage("Name", "en", True)),
        ("Nimi suomeksi", HeadingLanguage("Nimi", "fi", True)),
        ("name.pt-BR", HeadingLanguage("name", "pt-BR", True)),
        ("name zh-hans", HeadingLanguage("name", "zh-Hans", True)),
        ("move_it", HeadingLanguage("move", "it", False)),
        ("Move (it)", HeadingLanguage("Move", "it", False)),
    ],
)
def test_which_language_a_heading_names(heading: str, said: HeadingLanguage) -> None:
    assert next(heading_words.parse_heading_languages(heading)) == said


@pytest.mark.parametrize("heading", ["Name", "Cost (gold)", "fi", "(fi)", ".", "Vol. 2", "a.b", ""])
def test_a_heading_without_a_language(heading: str) -> None:
    assert list(heading_words.parse_heading_languages(heading)) == []

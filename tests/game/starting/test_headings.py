"""What columns are for and of which language, by what stands over them."""

from __future__ import annotations

import pytest

from cardgen.game.starting import headings
from cardgen.game.starting.headings import Spoken


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
    ],
)  # fmt: skip
def test_what_a_column_is_for(heading: str, role: str) -> None:
    assert headings.role_of(heading) == role


@pytest.mark.parametrize(
    ("heading", "said"),
    [
        ("Name (EN)", Spoken("Name", "en", True)),
        ("Name [fi]", Spoken("Name", "fi", True)),
        ("name.fi", Spoken("name", "fi", True)),
        ("name_fi", Spoken("name", "fi", False)),
        ("Name FI", Spoken("Name", "fi", False)),
        ("EN Name", Spoken("Name", "en", False)),
        ("Name: Finnish", Spoken("Name", "fi", True)),
        ("Name in English", Spoken("Name", "en", True)),
        ("Nimi suomeksi", Spoken("Nimi", "fi", True)),
        ("name.pt-BR", Spoken("name", "pt-BR", True)),
        ("name zh-hans", Spoken("name", "zh-Hans", True)),
        ("move_it", Spoken("move", "it", False)),
        ("Move (it)", Spoken("Move", "it", False)),
    ],
)
def test_which_language_a_heading_names(heading: str, said: Spoken) -> None:
    assert next(headings.spoken(heading)) == said


@pytest.mark.parametrize("heading", ["Name", "Cost (gold)", "fi", "(fi)", ".", "Vol. 2", "a.b", ""])
def test_a_heading_without_a_language(heading: str) -> None:
    assert list(headings.spoken(heading)) == []

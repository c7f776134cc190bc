"""Characters are found in any of a game's fonts. A letter of Latin, Greek or Cyrillic from a family
that CSS does not name gets a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.assets import fontsource
from cardgen.assets.font_files import FontFile
from cardgen.faces import layout_checks
from cardgen.faces.measurement import TextRun

HAVE = {"Display": "Harbo", "Arrows": "→★", "Cyrillic": "море", "Hebrew": "נמל", "Japanese": "港"}
CUTS = [FontFile(name, 400, "normal", Path(name), "") for name in HAVE]


@pytest.fixture(autouse=True)
def fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        layout_checks, "read_code_points", lambda path: frozenset(map(ord, HAVE[str(path)]))
    )


def remarks_of(text: str, language: str = "", family: str = "Display") -> list[tuple[str, str]]:
    run = TextRun(text, 5, 5, 9, 9, 3, (family,), 400, "normal", "card.html:1", False)
    remarks = layout_checks.check_fonts([run], CUTS, language)
    return [(remark.severity, remark.message) for remark in remarks]


@pytest.mark.parametrize("text", ["Harbo", "נמל", "\u200fנמל\u200e", "港", "→★", "\ufe0f★"])
def test_any_family_of_the_game_prints_what_the_first_lacks(text: str) -> None:
    assert remarks_of(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("мо", "'м' (U+043C), 'о' (U+043E) in Display; set in Cyrillic instead"),
        ("ом", "'о' (U+043E), 'м' (U+043C) in Display; set in Cyrillic instead"),
    ],
)
def test_a_letter_in_another_family_gets_a_warning(text: str, told: str) -> None:
    assert remarks_of(text) == [("warning", f"no glyph for {told}")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("海", "'海' (U+6D77) in Display; 'cardgen fonts --add \"Noto Sans SC\"' brings them"),
        ("海の", "'海' (U+6D77), 'の' (U+306E) in Display; "
         "'cardgen fonts --add \"Noto Sans JP\"' brings them"),
        ("بحر", "'ب' (U+0628), 'ح' (U+062D), 'ر' (U+0631) in Display; "
         "'cardgen fonts --add \"Noto Sans Arabic\"' brings them"),
        ("≤♥", "'≤' (U+2264), '♥' (U+2665) in Display; 'cardgen fonts --add Symbols' brings them"),
        ("🎲", "'🎲' (U+1F3B2) in Display; 'cardgen fonts --add Symbols' brings them"),
        ("\U0001fbc5", "'\U0001fbc5' (U+1FBC5) in Display; "
         "'cardgen fonts --add \"Noto Sans Symbols 2\"' brings them"),
        ("𝔸", "'𝔸' (U+1D538) in Display; 'cardgen fonts --add \"Noto Sans Math\"' brings them"),
        ("𝄞", "'𝄞' (U+1D11E) in Display; 'cardgen fonts --add \"Noto Music\"' brings them"),
        ("ш", "'ш' (U+0448) in Display; add cyrillic to the subsets of Display, or "
         "'cardgen fonts --add \"Noto Sans\"' brings them"),
        ("ế", "'ế' (U+1EBF) in Display; add vietnamese to the subsets of Display, or "
         "'cardgen fonts --add \"Noto Sans\"' brings them"),
        ("€", "'€' (U+20AC) in Display; 'cardgen fonts --add Symbols' brings them"),
        ("\ue000", "'\ue000' (U+E000) in Display; draw an icon instead, and map the character to "
         "it under emoji: in game.yaml"),
    ],
)  # fmt: skip
def test_what_no_family_has_is_told_with_a_remedy(text: str, told: str) -> None:
    assert remarks_of(text) == [("error", f"no glyph for {told}")]


@pytest.mark.parametrize(
    ("family", "added"),
    [("Fira Sans Condensed", "Fira Sans Condensed"), ("Fira Mono", "Noto Sans")],
)
def test_a_family_that_comes_along_has_other_subsets_in_its_package(
    family: str, added: str
) -> None:
    assert fontsource.suggest_remedy("ế", family=family) == (
        f"; 'cardgen fonts --add \"{added}\"' brings them"
    )


@pytest.mark.parametrize(("language", "family"), [("ja", "JP"), ("zh-Hant", "TC"), ("zh", "SC")])
def test_shared_signs_are_had_as_the_language_draws_them(
    language: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_checks, "read_code_points", lambda path: frozenset())
    run = TextRun("海", 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    (remark,) = layout_checks.check_fonts([run], CUTS, language)
    assert f'"Noto Sans {family}"' in remark.message


@pytest.mark.parametrize(
    ("offered", "told"),
    [
        (((400, "normal"),), "does not exist, the family has 400 normal; write this without bold, "
                            "or choose another family for it"),
        (((400, "normal"), (700, "normal")), "is not declared in fonts/fonts.yaml; add it to the "
                                             "family's weights and styles"),
    ],
)  # fmt: skip
def test_a_missing_weight_is_to_be_added_only_where_it_can_be_had(
    offered: tuple[tuple[int, str], ...], told: str
) -> None:
    run = TextRun("Harbo", 5, 5, 9, 9, 3, ("Display",), 700, "normal", "card.html:1", False)
    cut = FontFile("Display", 400, "normal", Path("Display"), "", offered)
    (remark,) = layout_checks.check_fonts([run], [cut])
    assert remark.message == f"Display 700 normal {told}"


def test_of_many_letters_the_first_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_checks, "read_code_points", lambda path: frozenset())
    run = TextRun("бвгджзийкл", 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    (remark,) = layout_checks.check_fonts([run], CUTS)
    assert remark.message.endswith(
        "'й' (U+0439) and 2 more in Display; add cyrillic to "
        "the subsets of Display, or 'cardgen fonts --add \"Noto Sans\"' brings them"
    )

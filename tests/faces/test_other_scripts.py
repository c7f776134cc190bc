"""Letters of scripts of their own are found in any of a game's fonts; those of Latin, Greek and
Cyrillic in the families that CSS names."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.assets.font_files import FontFile
from cardgen.faces import layout_checks
from cardgen.faces.measurement import TextRun

HAVE = {"Display": "Harbo", "Cyrillic": "море", "Hebrew": "נמל", "Japanese": "港"}
CUTS = [FontFile(name, 400, "normal", Path(name), "") for name in HAVE]


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("Harbo", ""),
        ("נמל", ""),
        ("\u200fנמל\u200e", ""),
        ("港", ""),
        ("море", "'м' (U+043C), 'о' (U+043E), 'р' (U+0440), 'е' (U+0435)"),
        ("€", "'€' (U+20AC)"),
    ],
)
def test_which_letters_are_missing(text: str, lacks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        layout_checks, "read_code_points", lambda path: frozenset(map(ord, HAVE[str(path)]))
    )
    run = TextRun(text, 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    told = [remark.message for remark in layout_checks.check_fonts([run], CUTS)]
    assert told == ([f"no glyph for {lacks} in Display"] if lacks else [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("海", "'海' (U+6D77) in Display; 'cardgen fonts --add \"Noto Sans SC\"' brings them"),
        ("海の", "'海' (U+6D77), 'の' (U+306E) in Display; "
         "'cardgen fonts --add \"Noto Sans JP\"' brings them"),
        ("بحر", "'ب' (U+0628), 'ح' (U+062D), 'ر' (U+0631) in Display; "
         "'cardgen fonts --add \"Noto Sans Arabic\"' brings them"),
    ],
)  # fmt: skip
def test_a_script_that_no_family_has_is_told_with_one_that_has_it(
    text: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        layout_checks, "read_code_points", lambda path: frozenset(map(ord, HAVE[str(path)]))
    )
    run = TextRun(text, 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    (remark,) = layout_checks.check_fonts([run], CUTS)
    assert remark.message == f"no glyph for {told}"


@pytest.mark.parametrize(("language", "family"), [("ja", "JP"), ("zh-Hant", "TC"), ("zh", "SC")])
def test_shared_signs_are_had_as_the_language_draws_them(
    language: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_checks, "read_code_points", lambda path: frozenset())
    run = TextRun("海", 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    (remark,) = layout_checks.check_fonts([run], CUTS, language)
    assert f'"Noto Sans {family}"' in remark.message


def test_of_many_letters_the_first_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_checks, "read_code_points", lambda path: frozenset())
    run = TextRun("бвгджзийкл", 5, 5, 9, 9, 3, ("Display",), 400, "normal", "card.html:1", False)
    (remark,) = layout_checks.check_fonts([run], CUTS)
    assert remark.message.endswith("'й' (U+0439) and 2 more in Display")

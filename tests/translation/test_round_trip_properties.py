"""What goes out to translators and comes back as it was changes nothing, whatever the texts are;
and what was written meanwhile is what the game says then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardgen.game import loader
from cardgen.game.model import Game
from cardgen.translation import text_units, translation_import, translation_rows, translation_status
from cardgen.translation.translation_rows import ReturnedFile, TranslationSheet
from cardgen.translation.translation_status import TranslationRegister, normalise_text

NASTIES = [
        "=1+1", "+a", "-a", "@SUM(A1)", "'=x", "''-", "'tis", "\ta", "_x0041_", "_x000D_", "a\r\nb",
        "null", "~", "yes", "007", "1.10", "1/2", "TRUE", "#REF!", '"', "a,b;c", "# a", "a #b",
        "msgid \"x\"", "שלום {", "\u202bعربي\u202c", "नमस्ते", "漢字", "🂡", "a\u2028b", "a\u0085b",
        "é vs e\u0301", "\u00a0a", "<b>", "&amp;", "\\n", "%s %(n)d", "a\n\nb\n", " a ", "x" * 900,
]  # fmt: skip
NASTY = st.one_of(
    st.sampled_from(NASTIES),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=30),
)  # fmt: skip
FORMS = pytest.mark.parametrize("form", ["csv", "po", "xlsx", "xlf"])


def quoted(text: str) -> str:
    """A text as YAML that holds it to the letter."""
    return json.dumps(text)


def game_of(root: Path, texts: list[str], *, other: bool) -> Game:
    both = "{{en: {0}, fi: {0}}}" if other else "{{en: {0}}}"
    cards = [f"  - {{id: c{n}, name: {both.format(quoted(t))}}}\n" for n, t in enumerate(texts)]
    files = {
        "game.yaml": "game: small\ntitle: {en: Small, fi: Pieni}\nlanguages: [en, fi]\n"
        "fallback: true\n",
        "cards/loot.yaml": "deck: loot\ntitle: {en: Loot, fi: Saalis}\nsize: poker\n"
        "look: classic\nfields: {name: text}\ncards:\n" + "".join(cards),
    }  # fmt: skip
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())
    game, _ = loader.load_game(root)
    assert game is not None
    return game


def sent(
    game: Game, form: str, noted: TranslationRegister, become: Sequence[str] = ()
) -> ReturnedFile:
    """A file of the texts that went out and came back, the last of its translations others."""
    sheet: TranslationSheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", "fi"), noted, {}
    )
    written = [row.text for row in sheet.rows[: -len(become) or None]] + [*become]
    changed = (
        replace(row, text=text, state=translation_status.DONE) if text != row.text else row
        for row, text in zip(sheet.rows, written, strict=True)
    )
    sheet = replace(sheet, rows=tuple(changed))
    returned = translation_import.read_returned_file(
        translation_import.WRITERS[form](sheet), f"back.{form}"
    )
    assert not returned.problems
    assert returned.language == "fi"
    return returned


@FORMS
@settings(max_examples=4)
@example(texts=NASTIES)
@given(texts=st.lists(NASTY, min_size=6, max_size=12))
def test_what_comes_back_as_it_was_changes_nothing(form: str, texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        game = game_of(Path(folder) / "g", texts, other=True)
        found = text_units.find_text_units(game)
        first = translation_import.import_translations(
            game, found, sent(game, form, TranslationRegister("fi")), TranslationRegister("fi")
        )
        assert first.problems == []
        assert first.files == {}
        again = translation_import.import_translations(
            game, found, sent(game, form, first.register), first.register
        )
        assert again.files == {}
        assert again.register.format_files() == first.register.format_files()


@FORMS
@settings(max_examples=4)
@example(texts=NASTIES)
@given(texts=st.lists(NASTY, min_size=6, max_size=12))
def test_what_was_written_meanwhile_is_what_the_game_says(form: str, texts: list[str]) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "g"
        sources = [f"School {number}" for number, _ in enumerate(texts)]
        game = game_of(root, sources, other=False)
        returned = sent(game, form, TranslationRegister("fi"), texts)
        taken = translation_import.import_translations(
            game, text_units.find_text_units(game), returned, TranslationRegister("fi")
        )
        for name, made in taken.files.items():
            (root / name).write_bytes(made.encode())
        now, problems = loader.load_game(root)
        assert now is not None
        assert {problem.kind for problem in problems} <= {"language", "icon"}
        for piece, text, source in zip(now.decks[0].pieces, texts, sources, strict=True):
            said, wanted = piece.values["name"], normalise_text(text).strip()
            assert said["en"] == source
            refused = translation_rows.find_translation_errors(source, normalise_text(text), ())
            goes_in = bool(wanted) and not refused
            assert said.get_language("fi") == ("fi" if goes_in else "en")
            assert said["fi"].strip() == (wanted if goes_in else source)
        translation_status.write_register(root, taken.register)
        assert translation_status.read_register(root, "fi") == (taken.register, [])

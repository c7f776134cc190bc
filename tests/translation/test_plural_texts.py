"""Plural forms on their way to translators and back: each language has the forms it needs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import polib
import pytest
from conftest import MakeGame

from cardgen.game import loader
from cardgen.game.model import Game
from cardgen.translation import text_units, translation_import, translation_rows, translation_status
from cardgen.translation.translation_import import ImportResult
from cardgen.translation.translation_rows import ReturnedFile, TranslationSheet

HEAD = """game: small
title: {en: Small}
languages: [en]
fallback: true
words:
  pay: {en: Pay}
  cards:   # counted
    one: {en: card}
    other: {en: cards}
"""
RUSSIAN = {"one": "карта", "few": "карты", "many": "карт"}
WRITTEN = """    one: {en: card, ru: карта}
    other: {en: cards}
    few: {ru: карты}
    many: {ru: карт}
"""


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game({"game.yaml": HEAD})


def read(root: Path) -> Game:
    game, _ = loader.load_game(root)
    assert game is not None
    return game


def sheet(root: Path, language: str) -> TranslationSheet:
    game, (noted, _) = read(root), translation_status.read_register(root, language)
    return translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", language), noted, {}
    )


def take(root: Path, returned: ReturnedFile) -> ImportResult:
    game = read(root)
    noted, _ = translation_status.read_register(root, returned.language)
    taken = translation_import.import_translations(
        game, text_units.find_text_units(game), returned, noted
    )
    for name, text in taken.files.items():
        (root / name).write_text(text, encoding="utf-8")
    translation_status.write_register(root, taken.register)
    return taken


def make_po(root: Path, tmp_path: Path, language: str) -> polib.POFile:
    file = tmp_path / f"{language}.po"
    file.write_bytes(translation_import.WRITERS["po"](sheet(root, language)))
    if msgfmt := shutil.which("msgfmt"):
        command = [msgfmt, "--check-format", "--check-domain", "-o", "/dev/null", str(file)]
        assert subprocess.run(command, check=False).returncode == 0
    return polib.pofile(str(file))


def test_po_has_an_entry_with_the_forms_of_its_language(root: Path, tmp_path: Path) -> None:
    po = make_po(root, tmp_path, "ru")
    assert po.metadata["Plural-Forms"].startswith("nplurals=3; plural=n % 10 == 1 &&")
    (entry,) = [each for each in po if each.msgid_plural]
    assert (entry.msgctxt, entry.msgid, entry.msgid_plural) == (
        "game.yaml#words.cards", "card", "cards",
    )  # fmt: skip
    assert entry.msgstr_plural == {0: "", 1: "", 2: ""}
    assert "words.cards.few: for 2, 3, 4, 22, 23 …" in entry.comment
    entry.msgstr_plural = dict(enumerate(RUSSIAN.values()))
    returned = translation_import.read_returned_file(str(po).encode(), "ru.po")
    taken = take(root, returned)
    assert (taken.new, taken.absent, taken.problems) == (3, 0, [])
    assert (root / "game.yaml").read_text(encoding="utf-8").endswith(WRITTEN)
    assert "[en, ru]" in (root / "game.yaml").read_text(encoding="utf-8")
    forms = {name: text["ru"] for name, text in read(root).words["cards"].items()}
    assert forms == {**RUSSIAN, "other": "карт"}
    # It goes out as it is, and changes nothing.
    again = make_po(root, tmp_path, "ru")
    assert [*next(e for e in again if e.msgid_plural).msgstr_plural.values()] == [*RUSSIAN.values()]
    returned = translation_import.read_returned_file(str(again).encode(), "ru.po")
    assert (take(root, returned).files, take(root, returned).same) == ({}, 3)
    # A fuzzy entry is a proposal in all its forms.
    entry = next(each for each in again if each.msgid_plural)
    entry.flags, entry.msgstr_plural[1] = ["fuzzy"], "карточки"
    returned = translation_import.read_returned_file(str(again).encode(), "ru.po")
    taken = take(root, returned)
    assert (taken.files, taken.proposed) == ({}, 1)


@pytest.mark.parametrize("form", ["csv", "xlsx", "xlf"])
def test_other_files_have_a_row_for_each_form(root: Path, form: str) -> None:
    rows = {row.unit.id: row for row in sheet(root, "ru").rows}
    assert [name.partition("#")[2] for name in rows] == [
        "title", "words.pay", "words.cards.one", "words.cards.few", "words.cards.many",
    ]  # fmt: skip
    assert [rows[f"game.yaml#words.cards.{name}"].source for name in RUSSIAN] == [
        "card", "cards", "cards",
    ]  # fmt: skip
    returned = translation_import.read_returned_file(
        translation_import.WRITERS[form](sheet(root, "ru")), f"x.{form}"
    )
    assert [row.id for row in returned.rows] == [*rows]


def test_a_language_is_asked_for_its_own_forms_only(root: Path) -> None:
    game = read(root)
    units = text_units.find_text_units(game)
    for language, count in (("fi", 2), ("ja", 1), ("ar", 6)):
        found = [unit for unit in units if unit.category and unit.is_for(language)]
        assert len(found) == count, language
        noted = translation_status.TranslationRegister(language)
        counts = translation_status.count_states(units, "en", language, noted)
        assert counts[""].total() == 2 + count

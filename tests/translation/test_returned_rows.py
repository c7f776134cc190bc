"""Rows that cannot be meant as they stand: cells that are no texts, ids that moved, files that are
behind the game."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import MakeGame

from cardgen.game import loader, sheet_scan
from cardgen.game.model import Game
from cardgen.translation import (
    text_formats,
    text_units,
    translation_import,
    translation_rows,
    translation_status,
)
from cardgen.translation.translation_import import ImportResult
from cardgen.translation.translation_rows import ReturnedFile, TranslationSheet
from cardgen.translation.translation_status import TranslationRegister

HEAD = "game: small\ntitle: {en: Small, fi: Pieni}\nlanguages: [en, fi]\nfallback: true\n"
CARDS = """deck: loot
title: {en: Loot, fi: Saalis}
size: poker
look: classic
fields: {name: text, cost: text}
cards:
  - {id: barn, name: {en: Barn}, cost: {en: 1-2}}
  - {id: shop, name: {en: Shop}, cost: {en: "12"}}
"""


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game({"game.yaml": HEAD, "cards/loot.yaml": CARDS})


def read(root: Path) -> Game:
    game, _ = loader.load_game(root)
    assert game is not None
    return game


def sheet(root: Path, language: str = "fi") -> TranslationSheet:
    game = read(root)
    noted, _ = translation_status.read_register(root, language)
    return translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", language), noted, {}
    )


def workbook(root: Path, **cells: Any) -> bytes:
    """A workbook that came back with such cells as translations, by the ends of the texts' ids."""
    from openpyxl import load_workbook  # noqa: PLC0415

    book = load_workbook(io.BytesIO(text_formats.write_xlsx(sheet(root))))
    for row in book["Texts"].iter_rows(min_row=2):
        for name, value in cells.items():
            if str(row[13].value).endswith(name.replace("__", "/")):
                row[5].number_format, row[5].value = "General", value
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def take(root: Path, data: bytes, name: str = "x.xlsx") -> ImportResult:
    game = read(root)
    returned = translation_import.read_returned_file(data, name)
    assert returned.problems == []
    noted, _ = translation_status.read_register(root, returned.language)
    return translation_import.import_translations(
        game, text_units.find_text_units(game), returned, noted
    )


def write(root: Path, taken: ImportResult) -> None:
    for name, text in taken.files.items():
        (root / name).write_text(text, encoding="utf-8")
    translation_status.write_register(root, taken.register)


def edit(root: Path, before: str, after: str) -> None:
    file = root / "cards/loot.yaml"
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (datetime.date(2026, 2, 1), "the spreadsheet made a date of this, '2026-02-01'; the source "
                                    "says '1-2'; write it as text"),
        (7, "the spreadsheet made a number of this, '7'; the source says '1-2'; write it as text"),
        (True, "the spreadsheet made true or false of this, 'true'; the source says '1-2'"),
        ("=NOSUCH(1)", "the cell is a formula, and the file holds no value of it; write it as"),
        ("#NAME?", "the cell holds a formula that says #NAME?; write it as text"),
    ],
)  # fmt: skip
def test_a_cell_that_is_no_text_is_told_at_its_place(root: Path, cell: object, said: str) -> None:
    taken = take(root, workbook(root, barn__cost=cell, barn__name="Lato"))
    (problem,) = taken.problems
    assert str(problem).startswith("x.xlsx:Texts!F")
    assert f"error: loot/barn [fi]: cost is left out: {said}" in str(problem)
    assert (taken.new, taken.left_out) == (1, 1)


def test_errors_of_an_ods_are_told_at_their_cells() -> None:
    def cell(more: str, text: str = "") -> str:
        return f"<table:table-cell{more}><text:p>{text}</text:p></table:table-cell>"

    content = (
        '<table:table table:name="Other"><table:table-row>'
        + cell(' calcext:value-type="error"', "#N/A")
        + '</table:table-row></table:table><table:table table:name="Texts">'
        '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>'
        '<table:table-row><table:table-cell table:number-columns-repeated="2"/>'
        + cell(' table:formula="of:=x()" calcext:value-type="error"', "#NAME?")
        + cell(' table:formula="of:=x()"')
        + "</table:table-row></table:table>"
    )
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as package:
        package.writestr("content.xml", content)
    found = dict(sheet_scan.scan_sheet(data.getvalue(), 0, "Texts", 1000).odd_cells)
    assert found == {(4, 3): "#NAME?", (4, 4): sheet_scan.FORMULA}


def test_a_number_stays_one_where_the_source_is_one(root: Path) -> None:
    taken = take(root, workbook(root, shop__cost=13))
    assert taken.problems == []
    assert 'fi: "13"' in taken.files["cards/loot.yaml"]
    edit(root, 'en: "12"', 'en: "007"')
    taken = take(root, workbook(root, shop__cost=7))
    assert "made a number of this, '7'; the source says '007'" in taken.problems[0].message


def back(root: Path, given: TranslationSheet, **texts: str) -> ImportResult:
    """What comes of a CSV of a sheet with other translations, by the ends of the texts' ids."""
    data = translation_import.WRITERS["csv"](given).decode("utf-8-sig")
    lines = []
    for line in data.splitlines():
        cells = line.split(",")
        for name, text in texts.items():
            if cells[13].endswith(name.replace("__", "/")):
                cells[5] = text
        lines.append(",".join(cells))
    return take(root, "\n".join(lines).encode(), "x.csv")


def test_what_is_behind_the_game_does_not_revert_it(root: Path) -> None:
    edit(root, "{en: Barn}", "{en: Barn, fi: Lato}")
    edit(root, "{en: Shop}", "{en: Shop, fi: Puoti}")
    sent = sheet(root)
    edit(root, "fi: Lato", "fi: Riihi")
    edit(root, "fi: Puoti", "fi: Kauppa")
    taken = back(root, sent, shop__name="Myymälä")
    assert [str(problem) for problem in taken.problems] == [
        "x.csv:4: warning: loot/barn [fi]: name: the game's text was changed since the export: the "
        "game says 'Riihi', the file 'Lato'; the game's stays [translation]",
        "x.csv:6: warning: loot/shop [fi]: name: the game's text was changed since the export: the "
        "game says 'Kauppa', the file 'Myymälä'; the file's goes in [translation]",
    ]
    assert (taken.changed, taken.left_out) == (1, 1)
    assert "fi: Riihi" in taken.files["cards/loot.yaml"]
    assert "fi: Myymälä" in taken.files["cards/loot.yaml"]


def test_what_was_taken_in_once_does_not_revert_what_was_mended_then(root: Path) -> None:
    sent = sheet(root)
    write(root, back(root, sent, barn__name="Lato"))
    edit(root, "fi: Lato", "fi: Riihi")
    again = back(root, sent, barn__name="Lato")
    assert "the game's stays" in again.problems[0].message
    assert (again.files, again.left_out) == ({}, 1)
    filled = [replace(row, text="Lato") for row in translation_import.read_returned_file(
        translation_import.WRITERS["csv"](sent),
        "x.csv").rows if row.id.endswith("barn/name")]  # fmt: skip
    noted = translation_status.read_register(root, "fi")[0]
    found = text_units.find_text_units(read(root))
    assert (
        translation_import.count_unsaved_rows(read(root), found, ReturnedFile("fi", filled), noted)
        == 0
    )
    returned = ReturnedFile("fi", [replace(row, sent_mark="") for row in filled])
    unsaid = translation_import.import_translations(read(root), found, returned, noted)
    assert (unsaid.files, unsaid.left_out) == ({}, 1)
    # What was written anew goes in.
    newer = back(root, sheet(root), barn__name="Lato")
    assert (newer.problems, newer.changed) == ([], 1)


@pytest.mark.parametrize("form", ["po", "csv", "xlsx", "xlf"])
def test_every_form_knows_what_went_out(root: Path, form: str) -> None:
    edit(root, "{en: Barn}", "{en: Barn, fi: Lato}")
    data = translation_import.WRITERS[form](sheet(root))
    edit(root, "fi: Lato", "fi: Riihi")
    taken = take(root, data, f"x.{form}")
    assert taken.files == {}
    assert "the game's stays" in taken.problems[0].message


def test_ids_that_were_swapped_are_asked_about(root: Path) -> None:
    given = sheet(root)
    one, two = (row for row in given.rows if row.unit.label == "name")
    swapped = {one.unit.id: two.unit, two.unit.id: one.unit}
    moved = tuple(
        replace(row, units=(swapped[row.unit.id],), text=f"fi {row.source}")
        for row in given.rows
        if row.unit.id in swapped
    )
    taken = take(root, translation_import.WRITERS["csv"](replace(given, rows=moved)), "x.csv")
    assert (
        "name is left out: its source is that of 'cards/loot.yaml#shop/name', not of "
        "'cards/loot.yaml#barn/name'; was the id moved?"
    ) in [problem.message for problem in taken.problems]
    assert taken.left_out == 2


def test_an_id_that_was_edited_is_asked_about(root: Path) -> None:
    data = translation_import.WRITERS["csv"](sheet(root)).decode("utf-8-sig")
    edited = data.replace("Barn,,", "Barn,Lato,").replace("#barn/name", "#bam/name")
    taken = take(root, edited.encode(), "x.csv")
    (problem,) = taken.problems
    assert problem.message == (
        "the game has no text 'cards/loot.yaml#bam/name'; did you mean "
        "'cards/loot.yaml#barn/name'? was the Id column edited? it is left out"
    )
    assert taken.absent == 1
    nameless = data.replace("Barn,,", "Barn,Lato,").replace("cards/loot.yaml#barn/name", "")
    assert "the row has no id" in take(root, nameless.encode(), "x.csv").problems[0].message


def test_spaces_at_the_ends_go_where_the_source_has_none(root: Path) -> None:
    taken = back(root, sheet(root), barn__name=" Lato  ")
    assert "fi: Lato}" in taken.files["cards/loot.yaml"]
    assert translation_rows.trim_translation(" a ", " b ") == " b "
    assert translation_rows.trim_translation("a", "\u00a0b\u00a0") == "\u00a0b\u00a0"


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\ufeff", "\ufffd"])
def test_signs_that_are_none_are_left_out(sign: str) -> None:
    said = f"U+{ord(sign):04X} cannot be printed; delete it"
    assert translation_rows.find_translation_errors("a", f"b{sign}c", ()) == [said]
    assert translation_rows.find_translation_errors(f"a{sign}", f"b{sign}c", ()) == []


def test_what_nobody_sees_and_bold_that_got_less_are_doubtful() -> None:
    assert translation_rows.find_translation_doubts("a", "b\u200bc") == [
        "it holds U+200B, a space without width"
    ]
    assert translation_rows.find_translation_doubts("**a** b **c** *d*", "**a** b c *d*") == [
        "its source has 2 passages in bold, it has 1"
    ]
    assert translation_rows.find_translation_doubts("**a**", "**a** **b**") == []


def test_what_a_file_holds_that_the_game_lacks(root: Path) -> None:
    game, found = read(root), text_units.find_text_units(read(root))

    def unsaved(given: TranslationSheet) -> int:
        returned = translation_import.read_returned_file(
            translation_import.WRITERS["csv"](given), "x.csv"
        )
        return translation_import.count_unsaved_rows(
            game, found, returned, TranslationRegister("fi")
        )

    given = sheet(root)
    assert unsaved(given) == 0
    returned = translation_import.read_returned_file(
        translation_import.WRITERS["csv"](given), "x.csv"
    )
    written = [replace(row, text="Lato") for row in returned.rows if row.id.endswith("barn/name")]
    assert (
        translation_import.count_unsaved_rows(
            game, found, replace(returned, rows=written), TranslationRegister("fi")
        )
        == 1
    )


def test_a_text_that_was_only_looked_at_is_work_too(root: Path) -> None:
    edit(root, "{en: Barn}", "{en: Barn, fi: Lato}")
    write(root, take(root, translation_import.WRITERS["csv"](sheet(root)), "x.csv"))
    edit(root, "en: Barn", "en: Stable")
    returned = translation_import.read_returned_file(
        translation_import.WRITERS["csv"](sheet(root)), "x.csv"
    )
    noted, _ = translation_status.read_register(root, "fi")
    game = read(root)
    assert (
        translation_import.count_unsaved_rows(
            game, text_units.find_text_units(game), returned, noted
        )
        == 0
    )
    seen = [replace(row, state=translation_status.DONE) for row in returned.rows]
    assert (
        translation_import.count_unsaved_rows(
            game, text_units.find_text_units(game), replace(returned, rows=seen), noted
        )
        == 1
    )


FORMS = ["po", "csv", "xlsx", "xlf"]


def register_of(root: Path) -> TranslationRegister:
    return translation_status.read_register(root, "fi")[0]


def rows_back(root: Path, form: str, state: str, **texts: str) -> ReturnedFile:
    """A file that came back with these translations, by the ends of the texts' ids, in a state."""
    given = sheet(root)
    said = {
        row.unit.id: text
        for row in given.rows
        for name, text in texts.items() if row.unit.id.endswith(name.replace("__", "/"))
    }  # fmt: skip
    rows = [
        replace(row, text=said[row.unit.id], state=state) if row.unit.id in said else row
        for row in given.rows
    ]
    data = translation_import.WRITERS[form](replace(given, rows=tuple(rows)))
    return translation_import.read_returned_file(data, f"x.{form}")


def import_rows(root: Path, returned: ReturnedFile) -> ImportResult:
    game = read(root)
    taken = translation_import.import_translations(
        game, text_units.find_text_units(game), returned, register_of(root)
    )
    write(root, taken)
    return taken


@pytest.mark.parametrize("form", FORMS)
def test_a_translation_that_nobody_confirmed_is_a_proposal_until_somebody_does(
    root: Path, form: str
) -> None:
    before = (root / "cards/loot.yaml").read_text(encoding="utf-8")
    first = rows_back(root, form, translation_status.PROPOSED, barn__name="Lato")
    taken = import_rows(root, first)
    assert (taken.new, taken.proposed, taken.problems) == (0, 1, [])
    assert (root / "cards/loot.yaml").read_text(encoding="utf-8") == before
    held = json.loads((root / "translations/fi.proposals.json").read_text(encoding="utf-8"))
    assert {name: kept[:2] for name, kept in held.items()} == {
        "cards/loot.yaml#barn/name": ["Barn", "Lato"]
    }
    # It goes out again, and comes back as it was, twice.
    row = next(row for row in sheet(root).rows if row.unit.id.endswith("barn/name"))
    assert (row.state, row.text) == (translation_status.PROPOSED, "Lato")
    returned = translation_import.read_returned_file(
        translation_import.WRITERS[form](sheet(root)), f"x.{form}"
    )
    game = read(root)
    units = text_units.find_text_units(game)
    assert translation_import.count_unsaved_rows(game, units, returned, register_of(root)) == 0
    assert import_rows(root, returned).proposed == 1
    # Confirmed, it is printed, and no proposal any more.
    taken = import_rows(root, rows_back(root, form, translation_status.DONE, barn__name="Lato"))
    assert (taken.new, taken.proposed, taken.problems) == (1, 0, [])
    assert "fi: Lato" in (root / "cards/loot.yaml").read_text(encoding="utf-8")
    assert register_of(root).proposals == {}


def test_a_proposal_that_was_changed_in_a_table_is_confirmed(root: Path) -> None:
    """Nobody sets the state of a row by hand; programs for PO do, and leave what is fuzzy so."""
    proposed = translation_status.PROPOSED
    import_rows(root, rows_back(root, "csv", proposed, barn__name="Lato"))
    taken = import_rows(root, rows_back(root, "po", proposed, barn__name="Lato."))
    assert (taken.new, taken.proposed) == (0, 1)
    taken = import_rows(root, rows_back(root, "csv", proposed, barn__name="Lato!"))
    assert (taken.new, taken.proposed) == (1, 0)


def test_a_proposal_is_void_once_the_game_has_a_translation_of_its_own(root: Path) -> None:
    import_rows(root, rows_back(root, "po", translation_status.PROPOSED, barn__name="Lato"))
    edit(root, "name: {en: Barn}", "name: {en: Barn, fi: Vaja}")
    row = next(row for row in sheet(root).rows if row.unit.id.endswith("barn/name"))
    assert (row.state, row.text) == (translation_status.DONE, "Vaja")


def test_a_printed_translation_that_is_marked_as_needing_work_counts_as_older(root: Path) -> None:
    edit(root, "name: {en: Barn}", "name: {en: Barn, fi: Vaja}")
    taken = import_rows(root, rows_back(root, "po", translation_status.OLDER, barn__name="Vaja"))
    (problem,) = taken.problems
    assert "name: it is marked as needing work; the game prints it" in problem.message
    assert problem.severity == "warning"
    row = next(row for row in sheet(root).rows if row.unit.id.endswith("barn/name"))
    assert row.state == translation_status.OLDER
    # It is told once.
    again = rows_back(root, "po", translation_status.OLDER, barn__name="Vaja")
    assert import_rows(root, again).problems == []
    import_rows(root, rows_back(root, "po", translation_status.DONE, barn__name="Vaja"))
    row = next(row for row in sheet(root).rows if row.unit.id.endswith("barn/name"))
    assert row.state == translation_status.DONE


REPEATS = """deck: loot
title: {en: Loot, fi: Saalis}
size: poker
look: classic
fields: {name: text, cost: text}
cards:
  - {id: a, name: {en: Barn}, cost: {en: Open}}
  - {id: b, name: {en: Shop}, cost: {en: Open}}
  - {id: c, name: {en: Shed}, cost: {en: Open, fi: Auki}}
  - {id: d, name: {en: Mill}, cost: {en: Open}}
"""


@pytest.fixture
def repeats(root: Path) -> Path:
    (root / "cards/loot.yaml").write_text(REPEATS, encoding="utf-8")
    return root


@pytest.mark.parametrize("form", FORMS)
def test_a_source_goes_out_once_and_its_translation_comes_back_everywhere(
    repeats: Path, form: str
) -> None:
    rows = [row for row in sheet(repeats).rows if row.source == "Open"]
    assert [(row.text, len(row.units)) for row in rows] == [("", 3), ("Auki", 1)]
    assert rows[0].place == "cards/loot.yaml:7\ncards/loot.yaml:8\ncards/loot.yaml:10"
    assert rows[0].card == "Barn (a)\nShop (b)\nMill (d)"
    returned = rows_back(repeats, form, translation_status.DONE, a__cost="Avoinna")
    # Meanwhile, one is translated by hand, one has another source, and one is new.
    edit(
        repeats, "name: {en: Shop}, cost: {en: Open}", "name: {en: Shop}, cost: {en: Open, fi: Auk}"
    )
    edit(repeats, "name: {en: Mill}, cost: {en: Open}", "name: {en: Mill}, cost: {en: Openly}")
    file = repeats / "cards/loot.yaml"
    new = "  - {id: e, name: {en: Farm}, cost: {en: Open}}\n"
    file.write_text(file.read_text(encoding="utf-8") + new, encoding="utf-8")
    taken = import_rows(repeats, returned)
    assert taken.problems == []
    said = [
        line.partition("cost: ")[2].strip() for line in taken.files["cards/loot.yaml"].splitlines()
    ]
    assert said[6:] == [
        "{en: Open, fi: Avoinna}}", "{en: Open, fi: Auk}}", "{en: Open, fi: Auki}}",
        "{en: Openly}}", "{en: Open, fi: Avoinna}}",
    ]  # fmt: skip
    again = import_rows(repeats, returned)
    assert (again.files, again.new, again.changed, again.problems) == ({}, 0, 0, [])


def test_repeats_come_back_where_the_first_card_is_gone(repeats: Path) -> None:
    returned = rows_back(repeats, "po", translation_status.DONE, a__cost="Avoinna")
    edit(repeats, "  - {id: a, name: {en: Barn}, cost: {en: Open}}\n", "")
    taken = import_rows(repeats, returned)
    assert (taken.new, taken.left_out) == (2, 0)


def test_terms_within_a_text_stand_beside_it(root: Path) -> None:
    edit(root, "{en: 1-2}", "{en: 'Take the barn, or a **draw pile**, not two barns.'}")
    edit(root, "{en: Barn}", "{en: Barn, fi: Lato}")
    (root / "translations").mkdir()
    glossary = root / "translations/glossary.csv"
    glossary.write_text("fi,en,note\nnostopakka,draw pile,face down\n,Shop,\n", encoding="utf-8")
    rows = {row.unit.id.partition("#")[2]: row.glossary for row in sheet(root).rows}
    assert rows["barn/cost"] == "Barn → Lato\ndraw pile → nostopakka (face down)"
    assert rows["barn/name"] == ""  # itself
    po = translation_import.WRITERS["po"](sheet(root)).decode()
    assert "#. glossary: Barn → Lato; draw pile → nostopakka (face down)\n" in po
    glossary.write_text("suomi,English\n", encoding="utf-8")
    (problem,) = sheet(root).problems
    assert str(problem) == (
        "translations/glossary.csv:1: warning: no column is headed en; head one for each language, "
        "such as 'en,fi,note' [table]"
    )

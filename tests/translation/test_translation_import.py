"""What came back from translators: what goes in, what is told at its row, what counts as older."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import MakeGame

from cardgen.core.problems import Source
from cardgen.game import loader
from cardgen.game.model import Game, Text, Value, walk_values
from cardgen.translation import (
    po_format,
    text_formats,
    text_units,
    translation_import,
    translation_rows,
    translation_status,
    xliff_format,
)
from cardgen.translation.translation_import import ImportResult
from cardgen.translation.translation_rows import ReturnedFile, ReturnedRow, TextContext
from cardgen.translation.translation_status import TranslationRegister

XLIFF = b'<xliff xmlns="urn:oasis:names:tc:xliff:document:%s"/>'
HEAD = """# the game
game: small
title: {en: Small, fi: Pieni}
languages: [en, fi]   # two
words:
  pay: {en: Pay, fi: Maksa}
constants: {motto: {en: Sail, fi: Purjehdi}, n: 3}
players: [{id: red, name: {en: Red, fi: Punainen}, colour: "#c0392b", symbol: coin}]
facts: {players: 2–4, time: {en: an hour, fi: tunti}}
"""
LOOT = """deck: loot
title: {en: Loot, fi: Saalis}
size: poker
front: loot.html
fields:
  name: text
  text: {type: text, default: {en: Nothing, fi: Ei mitään}}
  parts: {type: list, of: {type: record, fields: {note: text}}}
cards:
  # the first
  - {id: barn, name: {en: Barn, fi: Lato}, text: {en: "**Take** {coin}.", fi: "**Ota** {coin}."}}
  - id: shop
    name: {en: Shop, fi: Kauppa}
    parts:
      - {note: {en: Open, fi: Auki}}
"""
GOODS = """deck: goods
title: {en: Goods, fi: Tavarat}
size: poker
look: classic
fields: {name: text, cost: integer}
rows: goods.csv
"""
CSV = 'name,cost\nTea,1\n"Salt, fine",2\n\nCoal,3\n'
TABLE = "notes:\n  - {title: {en: Start, fi: Alku}, text: {en: Deal., fi: Jaa.}}\n"


@pytest.fixture
def root(make_game: MakeGame) -> Path:
    return make_game({
        "game.yaml": HEAD, "cards/loot.yaml": LOOT, "cards/goods.yaml": GOODS,
        "cards/goods.csv": CSV, "table.yaml": TABLE, "art/icons/coin.svg": "<svg/>",
        "templates/loot.html": "{{ card.name }} {{ words.pay }} {% include 'more.html' %}",
        "templates/more.html": "{{ card.text }}",
        "rulebook/en.md": "# Small\n\n## One\n\n```\n# no heading\n```\n",
    })  # fmt: skip


def read(root: Path) -> Game:
    game, _ = loader.load_game(root)
    assert game is not None
    return game


def take(root: Path, language: str, **texts: str | tuple[str, str]) -> ImportResult:
    """What comes of a file with these translations, by the ends of the texts' ids; of a pair the
    second is what the row's state says."""
    game = read(root)
    found = text_units.find_text_units(game)
    noted, _ = translation_status.read_register(root, language)
    back = []
    for number, (name, given) in enumerate(texts.items(), 2):
        text, state = given if isinstance(given, tuple) else (given, "missing")
        unit = next((u for u in found if u.id.endswith(name.replace("__", "/"))), None)
        source = unit.texts["en"] if unit else ""
        back.append(
            ReturnedRow(unit.id if unit else name, source, text, state, Source("x.csv", number))
        )
    return translation_import.import_translations(game, found, ReturnedFile(language, back), noted)


def write(root: Path, taken: ImportResult) -> None:
    for name, text in taken.files.items():
        (root / name).write_bytes(text.encode())
    translation_status.write_register(root, taken.register)


def test_every_text_of_the_game_is_a_unit(root: Path) -> None:
    game = read(root)
    found = text_units.find_text_units(game)
    assert [unit.id for unit in found] == [
        "game.yaml#title", "game.yaml#players.red.name", "game.yaml#facts.time",
        "game.yaml#words.pay", "game.yaml#constants.motto", "table.yaml#notes.0.title",
        "table.yaml#notes.0.text", "cards/goods.yaml#title", "cards/goods.csv#tea/name",
        "cards/goods.csv#salt-fine/name", "cards/goods.csv#coal/name", "cards/loot.yaml#title",
        "cards/loot.yaml#fields.text.default", "cards/loot.yaml#barn/name",
        "cards/loot.yaml#barn/text", "cards/loot.yaml#shop/name",
        "cards/loot.yaml#shop/parts.0.note",
    ]  # fmt: skip
    values: list[Value] = [game.title, game.words, game.constants]
    values += [player.name for player in game.players]
    values += [(deck.title, [piece.values for piece in deck.pieces]) for deck in game.decks]
    held = {part["en"] for value in values for part in walk_values(value) if isinstance(part, Text)}
    assert held <= {unit.texts["en"] for unit in found}
    assert {unit.card_name for unit in found if unit.card == "barn"} == {"Barn"}


def test_where_a_text_is_shown(root: Path) -> None:
    game = read(root)
    where = text_units.find_where_shown(game, text_units.find_text_units(game))
    assert where["cards/loot.yaml#barn/text"] == "front"
    assert where["game.yaml#words.pay"] == "loot.html"
    assert "game.yaml#constants.motto" not in where


def test_a_new_language_begins(root: Path) -> None:
    taken = take(root, "fr", title="Petit", barn__name="Grange", shop__name="")
    assert taken.added
    assert (taken.new, taken.changed, taken.same, taken.empty) == (2, 0, 0, 1)
    assert taken.files["game.yaml"] == HEAD.replace(
        "[en, fi]   # two", "[en, fi, fr]   # two"
    ).replace("fi: Pieni}", "fi: Pieni, fr: Petit}")
    assert taken.files["cards/loot.yaml"] == LOOT.replace("fi: Lato}", "fi: Lato, fr: Grange}")


def test_a_table_gets_a_column_for_each_language(root: Path) -> None:
    taken = take(root, "fi", tea__name="Tee, musta", coal__name="Hiili")
    assert taken.problems == []
    assert taken.files == {
        "cards/goods.csv": 'name.en,cost,name.fi\nTea,1,"Tee, musta"\n"Salt, fine",2\n\n'
        "Coal,3,Hiili\n"
    }
    write(root, taken)
    again = take(root, "fi", tea__name="Tee")
    assert again.files["cards/goods.csv"].splitlines()[1] == "Tea,1,Tee"
    assert (again.new, again.changed) == (0, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("**Prends**.", "text is left out: it lacks {coin}, which its source has"),
        ("**Prends *vite** {coin}.", "text is left out: a '*' has no pair"),
        (
            "**Prends** {coim}.",
            "text is left out: there is no icon 'coim' in art/icons; did you mean 'coin'?",
        ),
        ("**Prends {coin}.", "text is left out: a '**' has no pair"),
        ("**a** {coin} \x07", "text is left out: U+0007 cannot be printed; delete it"),
        (
            "**a** {coin} " + "b" * 20_000,
            "text is left out: the text has 20,013 characters; 20,000 are allowed",
        ),
    ],
)
def test_what_is_broken_is_told_at_its_row_and_the_rest_goes_in(
    root: Path, text: str, said: str
) -> None:
    taken = take(root, "fr", barn__text=text, shop__name="Boutique")
    (problem,) = taken.problems
    assert str(problem).startswith(f"x.csv:2: error: loot/barn [fr]: {said}")
    assert taken.new == 1
    assert "cards/loot.yaml#barn/text" not in taken.register.entries
    assert "Boutique" in taken.files["cards/loot.yaml"]


def test_what_may_be_wrong_goes_in_and_is_told(root: Path) -> None:
    taken = take(root, "fr", barn__text="Prends {coin}.", nobody="Rien")
    assert [str(problem) for problem in taken.problems] == [
        "x.csv:2: warning: loot/barn [fr]: text: its source has words in bold, it has none "
        "[translation]",
        "x.csv:3: error: the game has no text 'nobody' any more; it is left out [translation]",
    ]
    assert taken.new == 1


def state_of(root: Path, name: str) -> str:
    game = read(root)
    noted, _ = translation_status.read_register(root, "fi")
    unit = next(unit for unit in text_units.find_text_units(game) if unit.id.endswith(name))
    return translation_status.compute_state(unit, "en", "fi", noted)


def test_a_translation_is_older_once_its_source_was_changed(root: Path) -> None:
    write(root, take(root, "fi", barn__name="Lato"))
    assert state_of(root, "barn/name") == translation_status.DONE
    loot = root / "cards/loot.yaml"
    loot.write_text(loot.read_text(encoding="utf-8").replace("en: Barn", "en: Stable"), "utf-8")
    assert state_of(root, "barn/name") == translation_status.OLDER
    game = read(root)
    noted, _ = translation_status.read_register(root, "fi")
    sheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", "fi"), noted, {}
    )
    assert [row.previous_source for row in sheet.rows if row.previous_source] == ["Barn"]
    # It comes back unseen, then looked at.
    write(root, take(root, "fi", barn__name=("Lato", "older")))
    assert state_of(root, "barn/name") == translation_status.OLDER
    write(root, take(root, "fi", barn__name=("Lato", "translated")))
    assert state_of(root, "barn/name") == translation_status.DONE


def test_a_translation_that_was_mended_by_hand_is_none_the_older(root: Path) -> None:
    write(root, take(root, "fi", barn__name="Lato"))
    loot = root / "cards/loot.yaml"
    text = loot.read_text(encoding="utf-8")
    loot.write_text(text.replace("en: Barn, fi: Lato", "en: Stable, fi: Talli"), "utf-8")
    assert state_of(root, "barn/name") == translation_status.DONE


def test_what_was_changed_since_the_export_counts_as_older(root: Path) -> None:
    game = read(root)
    back = ReturnedRow("cards/loot.yaml#barn/name", "Shed", "Vaja", "missing", Source("x.csv", 2))
    taken = translation_import.import_translations(
        game,
        text_units.find_text_units(game),
        ReturnedFile("fi", [back]),
        TranslationRegister("fi"),
    )
    assert "its source was changed since the export" in taken.problems[0].message
    write(root, taken)
    assert state_of(root, "barn/name") == translation_status.OLDER


@pytest.mark.parametrize("form", ["csv", "po", "xlsx", "xlf"])
def test_another_language_than_the_first_may_be_translated_from(root: Path, form: str) -> None:
    taken = take(root, "sv", barn__name="Lada", shop__name="Butik")
    write(root, taken)
    game = read(root)
    sheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("fi", "sv"), taken.register, {}
    )
    assert {row.state for row in sheet.rows if row.text} == {translation_status.DONE}
    returned = translation_import.read_returned_file(
        translation_import.WRITERS[form](sheet), f"x.{form}"
    )
    assert returned.source == "fi"
    again = translation_import.import_translations(
        game,
        text_units.find_text_units(game),
        returned,
        translation_status.read_register(root, "sv")[0],
    )
    assert (again.problems, again.files, again.same) == ([], {}, 2)
    assert again.register.format_files() == taken.register.format_files()


@pytest.mark.parametrize("language", ["en", "Klingon", "f"])
def test_some_languages_are_none(root: Path, language: str) -> None:
    assert translation_import.check_target_language(read(root), language)


def test_a_workbook_for_translators(root: Path) -> None:
    from openpyxl import load_workbook  # noqa: PLC0415

    game = read(root)
    around = {"cards/loot.yaml#barn/name": TextContext("front", "2 mm")}
    sheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", "he"), TranslationRegister("he"), around
    )
    (root / "x.xlsx").write_bytes(text_formats.write_xlsx(sheet))
    book = load_workbook(root / "x.xlsx")
    texts = book["Texts"]
    assert texts.freeze_panes == "A2"
    assert texts.protection.sheet
    head = [cell.value for cell in texts[1]]
    assert head[4:6] == ["Source (en)", "Translation (he)"]
    row = next(row for row in texts if row[13].value == "cards/loot.yaml#barn/name")
    assert [row[column].value for column in (0, 2, 4, 9, 10)] == [
        "missing", "Barn (barn)", "Barn", "front", "2 mm",
    ]  # fmt: skip
    assert [cell.protection.locked for cell in row].count(False) == 2
    assert row[5].alignment.readingOrder == 2
    assert row[5].fill.fgColor.rgb != row[4].fill.fgColor.rgb
    assert texts["F1"].fill.fgColor.rgb != texts["E1"].fill.fgColor.rgb
    assert texts.column_dimensions["O"].hidden
    assert (texts.protection.sort, texts.protection.autoFilter) == (False, False)
    assert texts.protection.password is None
    # A long id takes as many lines as it needs.
    assert texts.row_dimensions[row[0].row].height > 15
    assert len(book["Read me"]["A"]) > 8
    odd = {"cards/loot.yaml#barn/name": TextContext("=1+1\x1b[2J", "\ufffe")}
    sheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", "he"), TranslationRegister("he"), odd
    )
    (root / "x.xlsx").write_bytes(text_formats.write_xlsx(replace(sheet, game="=1+1\0")))
    book = load_workbook(root / "x.xlsx")
    found = [cell for page in book for row in page for cell in row]
    shown = [cell for cell in found if str(cell.value).startswith("=1+1")]
    assert [cell.data_type for cell in shown] == ["s", "s"], "no formula"


def test_po_tells_what_a_text_is_and_marks_what_is_older(root: Path) -> None:
    write(root, take(root, "fi", barn__name="Lato"))
    loot = root / "cards/loot.yaml"
    loot.write_text(loot.read_text(encoding="utf-8").replace("en: Barn", "en: Stable"), "utf-8")
    noted, _ = translation_status.read_register(root, "fi")
    game = read(root)
    text = po_format.write_po(
        translation_rows.make_rows(game, text_units.find_text_units(game), ("en", "fi"), noted, {})
    ).decode()
    assert (
        "#. loot · Stable (barn) · name\n#. sent: t22ab4cafea0c\n#: cards/loot.yaml:11\n"
        '#, fuzzy\n#| msgid "Barn"\n'
        'msgctxt "cards/loot.yaml#barn/name"\nmsgid "Stable"\nmsgstr "Lato"\n'
    ) in text
    assert "#. signs: {coin}\n" in text


def test_xliff_holds_signs_as_elements_and_states_of_segments(root: Path) -> None:
    loot = root / "cards/loot.yaml"
    loot.write_text(
        loot.read_text(encoding="utf-8").replace("{coin}.", "{coin} < {coin}."), "utf-8"
    )
    game = read(root)
    sheet = translation_rows.make_rows(
        game, text_units.find_text_units(game), ("en", "fi"), TranslationRegister("fi"), {}
    )
    text = xliff_format.write_xliff(sheet).decode()
    assert 'version="2.0" srcLang="en" trgLang="fi">' in text
    assert (
        '<originalData><data id="d1">{coin}</data></originalData>\n<segment state="translated">\n'
        '<source>**Take** <ph id="1.1" dataRef="d1" disp="{coin}"/> &lt; '
        '<ph id="1.2" dataRef="d1" disp="{coin}"/>.</source>\n<target>**Ota** <ph id="1.1"'
    ) in text
    found = {row.id: row for row in xliff_format.read_xliff(text.encode(), "x.xlf").rows}
    assert found["cards/loot.yaml#barn/text"].text == "**Ota** {coin} < {coin}."
    assert found["cards/loot.yaml#barn/text"].place.line > 2


SEGMENTS = """<?xml version="1.0"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.1" version="2.1" srcLang="en" trgLang="fi"
 xmlns:x="urn:x"><file id="f1"><group id="g"><unit id="u1" name="a">
<notes><note id="sent">t1</note></notes>
<segment state="final"><source>One.</source><target>Yksi<x:y>?</x:y>.</target></segment>
<ignorable><source> </source></ignorable>
<segment STATE><source>Two <pc id="1">three</pc>.</source>TARGET</segment>
</unit></group></file></xliff>
"""


@pytest.mark.parametrize(
    ("state", "target", "text", "is_confirmed"),
    [
        (
            ' state="reviewed"',
            "Kaksi <mrk id='m1'>kolme</mrk>.",
            "Yksi?. Kaksi kolme.",
            "translated",
        ),
        (' state="initial"', "Kaksi.", "Yksi?. Kaksi.", "fuzzy"),
        ("", "K<cp hex='0061'/>ksi.", "Yksi?. Kaksi.", "fuzzy"),  # initial is the default
        (' state="translated"', None, "", "missing"),
    ],
)
def test_segments_of_xliff_are_one_text(
    state: str, target: str | None, text: str, is_confirmed: str
) -> None:
    element = "" if target is None else f"<target>{target}</target>"
    data = SEGMENTS.replace(" STATE", state).replace("TARGET", element)
    (row,) = xliff_format.read_xliff(data.encode(), "x.xlf").rows
    assert (row.id, row.source, row.sent_mark) == ("a", "One. Two three.", "t1")
    assert (row.text, row.state) == (text, is_confirmed)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.doc", b"", "'.doc' is not a file for translators; these end in xlsx, ods, csv, po, "),
        ("x.xlsx", b"PK", "the workbook cannot be read"),
        ("x.csv", b"", "the file is empty"),
        (
            "x.csv",
            b"a,b\n1,2\n",
            "no column is headed 'Id', 'Source (en)', 'Translation (fr)';",
        ),
        ("x.csv", b"Source (en),Suomi,Id\n", "no column is headed 'Translation (fr)'; give it"),
        ("x.csv", b"\xff\xfe", "the file is not UTF-8"),
        ("x.po", b'msgid "a\nb', "it cannot be read: "),
        ("x.po", b'msgid "a"\nmsgstr "b"\n', "its head names no language; write Language: fr"),
        ("x.po", b"/etc/hostname", "it cannot be read: "),
        ("x.xlf", b"<a/>", "it cannot be read: it is not XLIFF 2; save it as XLIFF 2.0"),
        ("x.xlf", XLIFF % b"1.2", "it is not XLIFF 2; save it as XLIFF 2.0"),
        ("x.xlf", XLIFF % b"2.0", 'it names no language; write trgLang="fr" into its head'),
        ("x.xlf", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "it has a DOCTYPE; take it out"),
        ("x.xlf", (XLIFF % b"2.0")[:-2] + b">" + b"<g>" * 99, "nested more than 60 deep"),
    ],
)
def test_a_file_that_is_none_is_told(name: str, data: bytes, said: str) -> None:
    returned = translation_import.read_returned_file(data, name)
    assert returned.language == ""
    assert said in str(returned.problems[0])


def test_a_rulebook_is_told_by_its_headings(root: Path) -> None:
    game = read(root)
    assert "missing: rulebook/fi.md" in translation_status.describe_book_status(game, "fi")
    book = root / "rulebook/fi.md"
    book.write_text("# Pieni\n", encoding="utf-8")
    assert (
        translation_status.describe_book_status(game, "fi")
        == "rulebook/fi.md has 1 heading, rulebook/en.md 2"
    )
    book.write_text("# Pieni\n\n## Yksi\n", encoding="utf-8")
    assert (
        translation_status.describe_book_status(game, "fi")
        == "rulebook/fi.md has all of 2 headings"
    )


PLACED = """deck: goods
title: {en: Goods, fi: Tavarat}
size: poker
look: classic
fields: {name: text, kind: {type: choice, of: [tea, salt]}, cost: integer}
places:
  type: {by: kind, values: {tea: Leaves, salt: {en: Stone, fi: Kivi}}, else: Wares}
  accent: {by: kind, values: {tea: leaf}}
  cost: {text: "12"}
  footer: {text: "Harbour, 1907"}
cards: [{id: cup, name: {en: Cup, fi: Kuppi}, kind: tea}]
"""


def test_the_words_that_stand_in_places_of_a_look_go_out_and_come_back(root: Path) -> None:
    """But not its colours, nor figures."""
    (root / "cards/goods.yaml").write_text(PLACED, encoding="utf-8")
    more = "fallback: true\ncolours: {leaf: '#2f6068'}\n"
    (root / "game.yaml").write_text(more + HEAD, encoding="utf-8")
    placed = [unit for unit in text_units.find_text_units(read(root)) if "#places." in unit.id]
    assert {unit.label: unit.texts for unit in placed} == {
        "places.type.values.tea": {"en": "Leaves"},
        "places.type.values.salt": {"en": "Stone", "fi": "Kivi"},
        "places.type.else": {"en": "Wares"},
        "places.footer.text": {"en": "Harbour, 1907"},
    }
    assert all(unit.deck == "goods" for unit in placed)
    taken = take(root, "fr", **{"values.tea": "Feuilles", "footer.text": "Port, 1907"})
    write(root, taken)
    deck, problems = loader.load_game(root)
    assert deck is not None
    lines = (root / "cards/goods.yaml").read_text(encoding="utf-8").splitlines()
    assert "tea: {en: Leaves, fr: Feuilles}" in lines[6]
    assert lines[9] == '  footer: {text: {en: "Harbour, 1907", fr: "Port, 1907"}}'
    # Those that a language lacks are lent, as texts are.
    assert not [each for each in problems if each.severity == "error" and "goods" in str(each)]

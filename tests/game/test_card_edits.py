"""Values of cards written back into the files of their game."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardgen.game import loader
from cardgen.game.card_edits import (
    EditConflictError,
    EditRefusedError,
    FileEdit,
    OpenCard,
    ValueChange,
)
from cardgen.game.model import Game
from cardgen.game.plain_values import UnusableValueError
from cardgen.game.workbook_edits import CellEditError, WorkbookSheet

FIELDS = """size: poker
fields:
  name: {type: text, required: true}
  text: text
  cost: {type: integer, min: 0, max: 9}
  weight: number
  rare: boolean
  kind: {type: choice, of: [ship, 7]}
  tags: {type: list, of: string}
  crew: {type: record, fields: {cash: integer, note: text}}
  colour: colour
  parts: {type: list, of: {type: record, fields: {note: text, count: integer}}}
"""
HEAD = "game: small\ntitle: {en: Small, fi: Pieni}\nlanguages: [en, fi]\ncolours: {red: '#f00'}\n"
LOOT = f"""# The loot.
deck: loot
title: {{en: Loot, fi: Saalis}}
front: loot.html
{FIELDS}cards:
  # The first
  - id: barn   # a barn
    copies: 2
    name: {{en: Barn, fi: Lato}}   # its name
    text:
      en: >
        Take one, and
        leave the other
        where it is.
      fi: 'Ota yksi.'
    cost: 3    # cheap
    tags: [old,  wooden]
    parts:
      - note: {{en: Roof, fi: Katto}}
        count: 1

      - note: {{en: Door, fi: Ovi}} # two halves
        count: 2

  - {{id: shop, name: {{en: Shop, fi: Kauppa}}, kind: ship}}
"""
COLUMNS = ["id", "name.en", "name.fi", "text.en", "text.fi", "cost", "weight", "rare", "kind",
           "tags", "crew.cash", "colour", "copies"]  # fmt: skip
ROWS: list[list[Any]] = [
    COLUMNS,
    ["barn", "Barn", "Lato", "Take, or leave.", "Ota.", 3, 1.5, True, "ship", "old; wooden", 4,
     "red", 2],
    ["shop", "Shop", "Kauppa", None, None, 5, None, False, 7, None, None, None, 1],
]  # fmt: skip
CSV = (
    ";".join(COLUMNS) + "\r\n"
    'barn;Barn;"Lato";"Take; or leave.";Ota.;3;1,5;x;ship;"old;wooden";4;red;2\r\n\r\n'
    "shop;Shop;Kauppa;;;5;;;7;;;;1\r\n"
)


def write_deck(root: Path, rows: str = "", *, is_valid: bool = True) -> Game:
    (root / "cards").mkdir(exist_ok=True)
    (root / "templates").mkdir(exist_ok=True)
    (root / "templates/loot.html").write_text("{{ card.name }}", encoding="utf-8")
    (root / "game.yaml").write_text(HEAD, encoding="utf-8")
    deck = LOOT if not rows else LOOT.partition("cards:")[0] + f"rows: {rows}\n"
    (root / "cards/loot.yaml").write_bytes(deck.encode())
    return load(root, is_valid=is_valid)


def load(root: Path, *, is_valid: bool = True) -> Game:
    game, problems = loader.load_game(root)
    assert game is not None
    assert not is_valid or [problem for problem in problems if problem.severity == "error"
            and problem.source.path.startswith("cards")] == []  # fmt: skip
    return game


def write_xlsx(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Other"
    sheet = book.create_sheet("Loot", 0)
    for row in ROWS:
        sheet.append(row)
    sheet["B2"].font = openpyxl.styles.Font(bold=True)
    sheet["F3"] = "=F2+2"
    book.save(path)
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data.replace(b"<f>F2+2</f><v></v>", b"<f>F2+2</f><v>5</v>"))


def write_ods(path: Path) -> None:
    def cell(value: Any) -> str:
        if value is None:
            return "<table:table-cell/>"
        kind, given = "string", ""
        if isinstance(value, bool):
            kind, given = "boolean", f' office:boolean-value="{str(value).lower()}"'
        elif isinstance(value, int | float):
            kind, given = "float", f' office:value="{value}"'
        style = ' table:style-name="ce1"' if value == "Barn" else ""
        note = "<office:annotation><text:p>a note</text:p></office:annotation>"
        return (
            f'<table:table-cell{style} office:value-type="{kind}"{given}>'
            f"{note if value == 'Lato' else ''}<text:p>{value}</text:p></table:table-cell>"
        )

    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in ROWS)
    rows = rows.replace("<table:table-cell/>" * 3, '<table:table-cell table:number-columns-repeated'
                        '="3"/>')  # fmt: skip
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr(
            "content.xml",
            f"<office:document-content{names}><office:body><office:spreadsheet>"
            f'<table:table table:name="Loot">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        package.writestr("META-INF/manifest.xml", "<manifest/>")


def make_edit(game: Game, field: str, value: Any, card: str = "barn", **more: Any) -> FileEdit:
    edit = OpenCard(game, "loot", card).change(ValueChange("loot", card, field, value, **more))
    assert edit is not None
    return edit


def list_changed_lines(edit: FileEdit) -> list[tuple[bytes, bytes]]:
    old, new = edit.old.split(b"\n"), edit.new.split(b"\n")
    assert len(old) == len(new)
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]


@pytest.mark.parametrize(
    ("field", "value", "lines"),
    [
        ("name.fi", "Riihi", ("name: {en: Barn, fi: Lato}", "name: {en: Barn, fi: Riihi}")),
        ("text.en", "Take one, and leave the others where it is.",
         ("leave the other", "leave the others")),
        ("text.fi", "Ota {coin}: 'yksi'.", ("'Ota yksi.'", "'Ota {coin}: ''yksi''.'")),
        ("cost", 4, ("cost: 3    # cheap", "cost: 4    # cheap")),
        ("copies", 3, ("copies: 2", "copies: 3")),
        ("tags", ["old", "stone"], ("[old,  wooden]", "[old,  stone]")),
        ("parts", [{"note": {"en": "Roof", "fi": "Katto"}, "count": 1},
                       {"note": {"en": "Gate", "fi": "Ovi"}, "count": 2}],
         ("{en: Door, fi: Ovi} # two", "{en: Gate, fi: Ovi} # two")),
    ],
)  # fmt: skip
def test_one_value_is_one_line_of_yaml(
    tmp_path: Path, field: str, value: Any, lines: tuple[str, str]
) -> None:
    name, _, language = field.partition(".")
    edit = make_edit(write_deck(tmp_path), name, value, language=language)
    assert edit.new.decode() == LOOT.replace(*lines)
    assert len(list_changed_lines(edit)) == 1


def test_a_field_that_was_left_out_gets_a_line_in_its_place(tmp_path: Path) -> None:
    game = write_deck(tmp_path)
    edit = make_edit(game, "rare", True)
    assert edit.new.decode() == LOOT.replace("# cheap\n", "# cheap\n    rare: true\n")
    edit = make_edit(game, "text", "Pay.", "shop", language="en")
    assert edit.new.decode() == LOOT.replace("Kauppa}, ", "Kauppa}, text: {en: Pay.}, ")
    edit = make_edit(game, "cost", None)
    assert edit.new.decode() == LOOT.replace("    cost: 3    # cheap\n", "")


def test_what_a_field_cannot_hold_is_refused(tmp_path: Path) -> None:
    game = write_deck(tmp_path)
    for field, value, why in (
        ("cost", 12, "at most 9"), ("cost", "many", "whole number"), ("kind", "boat", "ship or 7"),
        ("colour", "blu", "no colour"), ("tags", "a", "a list"), ("tags", ["\0"], "U+0000"),
        ("parts", [{"nothing": 1}], "unknown field"), ("text", ["a"], "is a text"),
        ("text", "x" * 30_000, "more than 20,000"), ("weight", float("nan"), "no value"),
    ):  # fmt: skip
        with pytest.raises(UnusableValueError, match=why.replace("+", r"\+")):
            make_edit(game, field, value, language="en" if field == "text" else "")
    with pytest.raises(EditRefusedError, match="no field 'size'"):
        make_edit(game, "size", "tarot")
    with pytest.raises(EditRefusedError, match="no card loot/castle"):
        make_edit(game, "cost", 1, "castle")


def test_a_value_that_changed_meanwhile_is_a_conflict(tmp_path: Path) -> None:
    game = write_deck(tmp_path)
    digest = OpenCard(game, "loot", "barn").digest
    path = tmp_path / "cards/loot.yaml"
    line = LOOT[: LOOT.index("cost: 3")].count("\n") + 1
    path.write_text(LOOT.replace("cost: 3", "cost: 5"), encoding="utf-8")
    with pytest.raises(EditConflictError) as caught:
        make_edit(game, "cost", 4, was=3, digest=digest)
    assert caught.value.current == 5
    assert str(caught.value.source) == f"cards/loot.yaml:{line}"
    # Somebody else's change of another value is in nobody's way, and stays.
    edit = make_edit(game, "name", "House", language="en", was="Barn", digest=digest)
    assert edit.new.decode() == LOOT.replace("cost: 3", "cost: 5").replace("en: Barn", "en: House")
    path.write_text("deck: loot\ncards: [", encoding="utf-8")
    with pytest.raises(EditRefusedError, match=r"loot\.yaml:3: error: not YAML"):
        make_edit(game, "cost", 4, was=3, digest=digest)
    path.unlink()
    with pytest.raises(EditRefusedError, match="is gone"):
        make_edit(game, "cost", 4, was=3, digest=digest)


WRITERS = {"csv": lambda path: path.write_bytes(CSV.encode()), "xlsx": write_xlsx, "ods": write_ods}


@pytest.fixture(params=WRITERS)
def table_game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    (tmp_path / "cards").mkdir()
    WRITERS[request.param](tmp_path / f"cards/loot.{request.param}")
    return write_deck(tmp_path, f"loot.{request.param}")


def list_parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(data)) as package:
        assert package.testzip() is None
        return {name: package.read(name) for name in package.namelist()}


def check_other_parts(edit: FileEdit) -> None:
    """Only one part of a workbook may differ; of a CSV file, one line."""
    if edit.path.endswith(".csv"):
        assert len(list_changed_lines(edit)) == 1
        return
    old, new = list_parts(edit.old), list_parts(edit.new)
    assert list(old) == list(new)
    assert sum(old[name] != new[name] for name in old) == 1


@pytest.mark.parametrize(
    ("field", "language", "value"),
    [
        ("name", "fi", "Riihi"), ("text", "en", 'A "new" <text>; & more'), ("cost", "", 4),
        ("weight", "", 2.25), ("rare", "", False), ("tags", "", ["old", "grey", "big"]),
        ("crew", "", {"cash": 7}), ("colour", "", None), ("copies", "", 5), ("kind", "", 7),
    ],
)  # fmt: skip
def test_a_cell_of_a_table_is_written(
    table_game: Game, field: str, language: str, value: Any
) -> None:
    edit = make_edit(table_game, field, value, language=language)
    check_other_parts(edit)
    (table_game.root / edit.path).write_bytes(edit.new)
    game = load(table_game.root)
    state = OpenCard(game, "loot", "barn").get_field(field)
    assert (state.value[language] if language else state.value or None) == (value or None)


def test_csv_keeps_its_dialect(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/loot.csv").write_bytes(CSV.encode())
    game = write_deck(tmp_path, "loot.csv")
    for field, language, value, old, new in (
        ("name", "fi", "Riihi", '"Lato"', '"Riihi"'),
        ("text", "en", "Take.", '"Take; or leave."', "Take."),
        ("weight", "", 2.25, "1,5", "2,25"),
        ("rare", "", False, ";x;", ";;"),
        ("tags", "", ["a", "b"], '"old;wooden"', '"a;b"'),
    ):
        edit = make_edit(game, field, value, language=language)
        assert edit.new.decode() == CSV.replace(old, new)


def test_a_workbook_keeps_its_formats_and_refuses_formulas(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    write_xlsx(tmp_path / "cards/loot.xlsx")
    game = write_deck(tmp_path, "loot.xlsx")
    edit = make_edit(game, "name", "House", language="en")
    book = openpyxl.load_workbook(BytesIO(edit.new))
    assert book["Loot"]["B2"].value == "House"
    assert book["Loot"]["B2"].font.bold
    assert book["Loot"]["F3"].value == "=F2+2"
    state = OpenCard(game, "loot", "shop").get_field("cost")
    assert "formula" in state.problem
    assert str(state.source) == "cards/loot.xlsx:Loot!F3"
    with pytest.raises(EditRefusedError, match="formula"):
        make_edit(game, "cost", 3, "shop")


def test_an_ods_keeps_its_comments_and_styles(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    write_ods(tmp_path / "cards/loot.ods")
    game = write_deck(tmp_path, "loot.ods")
    edit = make_edit(game, "name", "Riihi", language="fi")
    content = list_parts(edit.new)["content.xml"]
    assert b"a note</text:p></office:annotation><text:p>Riihi</text:p>" in content
    edit = make_edit(game, "name", "House", language="en")
    assert (
        b'table:style-name="ce1" office:value-type="string"><text:p>House'
        in (list_parts(edit.new)["content.xml"])
    )


@pytest.mark.parametrize("value", ["a\0b", "\x1b[31m", "\ud800", "\ufffe", float("nan"), 10**400])
def test_no_workbook_gets_what_none_can_hold(value: str | float) -> None:
    """Other programs would take it for damaged, though cardgen could read it back."""
    book, file = openpyxl.Workbook(), BytesIO()
    book.active.append(["id"])
    book.save(file)
    sheet = WorkbookSheet.open(file.getvalue(), "Sheet")
    with pytest.raises(CellEditError, match="no workbook can hold the"):
        sheet.set_cell((1, 1), value)
    kept = openpyxl.load_workbook(BytesIO(sheet.set_cell((1, 1), "a\r\nb").save()))
    assert kept.active["A1"].value == "a\r\nb"


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards/loot.csv").write_text("id,name\nbarn,Barn\n", encoding="utf-8")
    # The other language is missing, which is reported.
    game = write_deck(tmp_path, "loot.csv", is_valid=False)
    assert make_edit(game, "name", "House", language="en").new == b"id,name\nbarn,House\n"
    with pytest.raises(EditRefusedError, match=r"no column 'name\.fi'"):
        make_edit(game, "name", "Lato", language="fi")
    with pytest.raises(EditRefusedError, match="no column 'cost'"):
        make_edit(game, "cost", 3)


SIGNS = "ab :#-,;[]{}'\"|>&*!%@`=+\n\té\u00a0שʼ漢🂡?~0y.<\\_x"
TYPED = st.one_of(
    st.text(st.sampled_from(SIGNS), max_size=12),
    st.sampled_from(["null", "true", "1.10", "007", "2026-01-02", "=A1", "_x0041_", "a  b", "1/2"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=TYPED, field=st.sampled_from(["name", "text"]), language=st.sampled_from(["en", "fi"]))
def test_whatever_is_typed_is_read_as_it_was_typed(
    tmp_path_factory: pytest.TempPathFactory, text: str, field: str, language: str
) -> None:
    """In YAML and in each kind of table: what is written is read back, or it is refused with the
    file as it was. Every other byte is as before."""
    for kind, game in _get_games(tmp_path_factory).items():
        before = OpenCard(game, "loot", "barn")
        change = ValueChange("loot", "barn", field, text, language)
        try:
            edit = before.change(change)
        except EditRefusedError:
            assert kind != "yaml"
            continue
        typed = (text.strip() if kind != "yaml" else text).rstrip("\n")
        if edit is None:
            assert typed == (before.get_field(field).value or {}).get(language, "").rstrip("\n")
            continue
        if kind == "yaml":
            start = edit.old.index(b"  - id: barn")
            end = edit.old.index(b"  - {id: shop")
            assert edit.new[:start] == edit.old[:start]
            assert edit.new.endswith(edit.old[end:])
        elif kind == "csv":
            cut = CSV.encode().index(b"barn")
            assert edit.new[:cut] == edit.old[:cut]
            assert edit.new.endswith(CSV.encode()[CSV.encode().index(b"\r\n\r\nshop") :])
        else:
            check_other_parts(edit)
        path = game.root / edit.path
        path.write_bytes(edit.new)
        try:
            found = OpenCard(game, "loot", "barn").get_field(field).value or {}
        finally:
            path.write_bytes(edit.old)
        assert found.get(language, "").rstrip("\n") == typed


_games: dict[str, Game] = {}


def _get_games(factory: pytest.TempPathFactory) -> dict[str, Game]:
    if not _games:
        _games["yaml"] = write_deck(factory.mktemp("yaml"))
        for kind, write in WRITERS.items():
            root = factory.mktemp(kind)
            (root / "cards").mkdir()
            write(root / f"cards/loot.{kind}")
            _games[kind] = write_deck(root, f"loot.{kind}")
    return _games

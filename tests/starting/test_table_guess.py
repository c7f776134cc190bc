"""Spreadsheets as people have them, and the decks that are guessed from them."""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from cardgen.core import yaml_nodes
from cardgen.looks import look_catalogue
from cardgen.starting import new_game, type_guess
from cardgen.starting.starter_files import NewGame, NewGameRequest
from cardgen.starting.table_columns import SourceCell, SourceColumn

Rows = Sequence[Sequence[Any]]

FLEET: Rows = [
    ["Qty", "Card Name", "Type", "Cost", "Rules Text", "Art", "Flavor"],
    [3, "Tug", "Ship", 1, "Move another ship.", "tug.png", "Small, stubborn."],
    [2, "Freighter", "Ship", 4, "Take 3 crates; wait a turn.", None, None],
    [1, "Old Crane", "Quay", 2, "Unload one crate more.", "crane.png", None],
    [2, "Fog", "Quay", None, "No ship moves.", None, "Grey on grey."],
]


def saved(path: Path, rows: Rows | dict[str, Rows]) -> Path:
    """A table in the form that its ending says."""
    sheets = rows if isinstance(rows, dict) else {"Cards": rows}
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, of_sheet in sheets.items():
            sheet = book.create_sheet(name)
            for row in of_sheet:
                sheet.append(list(row))
        book.save(path)
    else:
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=";").writerows(next(iter(sheets.values())))
        path.write_text("\ufeff" + out.getvalue(), encoding="utf-8", newline="")
    return path


def begun(path: Path, look: str = "classic", *languages: str, sheet: str = "") -> NewGame:
    sheets = (sheet,) if sheet else ()
    made, problems = new_game.create_game(
        NewGameRequest("Game", look_catalogue.load_look(look), "", tuple(languages), path, sheets)
    )
    assert [str(problem) for problem in problems] == []
    return made


def deck_of(made: NewGame) -> dict[str, Any]:
    node, problems = yaml_nodes.load(made.files[f"cards/{made.deck}.yaml"].decode(), "deck.yaml")
    assert problems == []
    assert node is not None
    plain: dict[str, Any] = node.to_plain()
    return plain


@pytest.mark.parametrize("name", ["fleet.xlsx", "fleet.csv"])
def test_a_table_of_cards(tmp_path: Path, name: str) -> None:
    made = begun(saved(tmp_path / name, FLEET))
    deck = deck_of(made)
    assert deck["fields"] == {
        "name": {"type": "text", "required": True},
        "type": {"type": "choice", "of": ["Ship", "Quay"]},
        "cost": "integer",
        "rules_text": "text",
        "art_file": "string",
        "flavor": "text",
    }
    assert deck["columns"] == {"Qty": "copies", "Card Name": "name", "Art": "art_file"}
    assert deck["places"] == {
        "title": "name",
        "text": "rules_text",
        "flavour": "flavor",
        "cost": "cost",
        "type": "type",
        "accent": {"by": "type", "values": {"Ship": "ship", "Quay": "quay"}},
    }
    assert deck["rows"] == name
    assert made.messages == [
        f"4 cards from cards/{name}",
        "how many copies: Qty; 8 cards with all copies",
        "on the cards: Card Name (title), Rules Text (text), Flavor (flavour), Cost (cost), "
        "Type (type)",
        "Art names pictures: put those into art/, then write 'picture: art_file' under places:",
    ]


def test_the_sheet_and_the_row_with_the_headings_are_found(tmp_path: Path) -> None:
    above = [["My harbour – cards, third version"], [], []]
    path = saved(
        tmp_path / "My Game (v3).xlsx",
        {"Notes": [["To do"], ["Buy ink"]], "Fleet": [*above, *FLEET], "Sums": [["Total", 8]]},
    )
    made = begun(path)
    rows = {"file": "my-game-v3.xlsx", "sheet": "Fleet", "header": 4}
    assert deck_of(made)["rows"] == rows
    assert made.messages[0] == "4 cards from cards/my-game-v3.xlsx, sheet Fleet, headings in row 4"
    assert made.messages[-1] == (
        "other sheets: Notes, Sums (--sheet NAME, or --sheet all for a deck of each)"
    )
    assert deck_of(begun(path, sheet="Notes"))["rows"]["sheet"] == "Notes"


@pytest.mark.parametrize(
    ("heading", "cells", "said"),
    [
        ("Weight", ["1", "2"], "integer"),
        ("Weight", ["1.5", "2"], "number"),
        ("Weight", ["1,5", "2"], "text"),  # as it is written: numbers have a point
        ("Weight", ["1.50", "2.25"], "text"),
        ("Weight", ["007", "008"], "text"),
        ("Weight", ["+1", "2"], "text"),
        ("Night", ["x", "-"], "boolean"),
        ("Night", ["yes", "No"], "boolean"),
        ("Night", ["kyllä", "ei"], "boolean"),
        ("Colours", ["red; blue", "red"], {"type": "list", "of": "string"}),
        ("Stops", ["1; 2", "3"], {"type": "list", "of": "integer"}),
        ("Note", ["Draw one; discard one card, then rest.", "Rest"], "text"),
        ("Note", ["{coin} each", "<b>2</b>"], "text"),
        ("Note", ["Draw one; rest", "Rest", "Wait"], "text"),
        ("Weight", ["1", "2", "tow"], "integer"),
        ("Weight", ["1", "2.5", "tow", "3"], "number"),
        ("Weight", ["1", "tow"], "text"),
        ("Weight", ["1", "2", "3", "4", "X", "X"], "text"),
        ("Weight", ["1", "2", "1.50"], "text"),
        ("Cost", ["1", "-", "-", "5", "-"], "text"),
        ("Night", ["x", "-", "x", "maybe"], "boolean"),
        ("Night", ["x", "-", "x", "only in the harbour"], "text"),
        ("Since", [datetime.date(2026, 1, 2), datetime.date(2026, 3, 4)], "text"),
    ],
)
def test_types(tmp_path: Path, heading: str, cells: list[Any], said: object) -> None:
    rows: Rows = [["Name", heading], *([f"Card {n}", cell] for n, cell in enumerate(cells))]
    fields = deck_of(begun(saved(tmp_path / "a.xlsx", rows)))["fields"]
    found = next(field for name, field in fields.items() if name != "name")
    plain = {k: v for k, v in found.items() if k != "printed"} if isinstance(found, dict) else found
    assert (plain["type"] if isinstance(plain, dict) and len(plain) == 1 else plain) == said


def test_a_list_with_another_sign(tmp_path: Path) -> None:
    rows = [["Name", "Colours"], ["A", "red, blue"], ["B", "blue, red"], ["C", "red"]]
    deck = deck_of(begun(saved(tmp_path / "a.xlsx", rows)))
    assert deck["columns"] == {"Colours": {"field": "colours", "split": ","}}
    assert deck["fields"]["colours"]["type"] == "list"


@pytest.mark.parametrize(
    ("heads", "languages", "columns"),
    [
        (["Name (FI)", "Name (EN)"], "fi, en", {"Name (FI)": "name.fi", "Name (EN)": "name.en"}),
        (["name.fi", "name.en"], "fi, en", None),
        (["name_fi", "name_en"], "fi, en", {"name_fi": "name.fi", "name_en": "name.en"}),
        (["Name", "Name (FI)"], "en, fi", {"Name": "name.en", "Name (FI)": "name.fi"}),
        (["Nimi", "Name"], "fi, en", {"Nimi": "name.fi", "Name": "name.en"}),
        (["Nimi (FI)", "Name (EN)"], "fi, en", {"Nimi (FI)": "name.fi", "Name (EN)": "name.en"}),
    ],
)
def test_columns_for_each_language(
    tmp_path: Path, heads: list[str], languages: str, columns: dict[str, str] | None
) -> None:
    made = begun(saved(tmp_path / "a.csv", [heads, ["Tug", "Hinaaja"], ["Ferry", "Lautta"]]))
    assert f"languages: [{languages}]\n" in made.files["game.yaml"].decode()
    assert deck_of(made).get("columns") == columns
    assert {"rulebook/fi.md", "rulebook/en.md"} <= set(made.files)


def test_a_code_in_a_heading_is_a_language_that_was_asked_for(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.csv", [["Name", "Name (DA)"], ["Sage", "Salvie"]])
    request = NewGameRequest("Game", look_catalogue.load_look("classic"), "", ("en", "da"), path)
    made, problems = new_game.create_game(request)
    assert made is not None
    assert not problems
    assert deck_of(made)["columns"] == {"Name": "name.en", "Name (DA)": "name.da"}


def test_a_language_with_gaps_falls_back_on_the_first(tmp_path: Path) -> None:
    rows: Rows = [
        ["name.fi", "name.en"], ["Hinaaja", "Tug"], [None, "Ferry"], ["Proomu", "Barge"],
    ]  # fmt: skip
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert made.languages == ("en", "fi")
    assert "\nfallback: true\n" in made.files["game.yaml"].decode()
    assert "columns" not in deck_of(made)
    assert "1 text is missing in 'fi', and printed in 'en' instead" in made.messages
    assert made.problems == []


def test_a_language_that_has_hardly_any_texts_waits_for_a_decision(tmp_path: Path) -> None:
    rows: Rows = [["name.en", "name.fi"], ["Tug", "Hinaaja"], ["Ferry", None]]
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert made.languages == ("en",)
    assert deck_of(made)["columns"] == {"name.fi": "undecided"}
    assert any(
        line.startswith("'fi' is left out, since 1 text is missing in it") for line in made.messages
    )
    assert "in the languages en, by the headings name.en, name.fi; --lang says which" in (
        made.messages
    )


def test_a_language_that_is_asked_for_and_not_there(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.csv", [["name.en", "name.fi"], ["Tug", "Hinaaja"]])
    _, problems = new_game.create_game(
        NewGameRequest("Game", look_catalogue.load_look("classic"), "", ("sv",), path)
    )
    assert [problem.message for problem in problems] == ["it has no column in sv; it has en, fi"]


@pytest.mark.parametrize(
    ("heads", "language"),
    [(["Nimi", "Hinta"], "fi"), (["Name", "Cost"], "en"), (["Название", "Цена"], "ru")],
)
def test_the_language_of_a_table_that_names_none(
    tmp_path: Path, heads: list[str], language: str
) -> None:
    name = "Буксир" if language == "ru" else "Tug"
    assert begun(saved(tmp_path / "a.csv", [heads, [name, "1"]])).languages == (language,)


def test_names_that_mean_something_else_are_changed(tmp_path: Path) -> None:
    heads = ["id", "Round", "Count", "1st", 'a: "b"', "船", "Name"]
    rows: Rows = [
        heads,
        ["A 1", 1, 500, "p", "q", "r", "Tug"],
        ["B/2", 2, 600, "s", "t", "u", "Ferry"],
    ]
    deck = deck_of(begun(saved(tmp_path / "a.xlsx", rows)))
    assert list(deck["fields"]) == [
        "card_id", "card_round", "card_count", "column_1st", "a_b", "column_6", "name",
    ]  # fmt: skip


def test_columns_without_a_heading_or_with_one_of_several_are_named_by_their_letters(
    tmp_path: Path,
) -> None:
    rows: Rows = [
        ["Name", None, "Cost", "Cost", None],
        ["Tug", "a note", 1, 2, "x"],
        ["Ferry", None, 2, 3, "y"],
    ]
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert deck_of(made)["columns"] == {
        "Cost (column C)": "cost", "Cost (column D)": "cost_2",
        "(column B)": "undecided", "(column E)": "undecided",
    }  # fmt: skip
    assert made.messages[-3:] == [
        "not on the cards: Cost (column D); add them under places:",
        "not used, since it has no heading: column B: a note",
        "not used, since it has no heading: column E: x, y",
    ]


def test_a_text_of_json_that_is_not_translated_keeps_its_column(tmp_path: Path) -> None:
    cards = [
        {"name": {"en": "Fox", "fi": "Kettu"}, "text": {"en": "Runs fast."}},
        {"name": {"en": "Owl"}, "text": {"en": "Sees well."}},
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(cards))
    made = begun(path)
    assert made.languages == ("en", "fi")
    assert b"\nfallback: true\n" in made.files["game.yaml"]
    assert deck_of(made)["places"] == {"title": "name", "text": "text"}
    assert "3 texts are missing in 'fi', and printed in 'en' instead" in made.messages


def test_bold_in_a_name_is_reported(tmp_path: Path) -> None:
    told = "bold or italic in Name, for which most looks have no font; remove it there, or see "
    for name, count in {"**Fox**": 1, "<i>Fox</i>": 1, "Fox": 0}.items():
        made = begun(saved(tmp_path / "a.csv", [["Name", "Text"], [name, "a **b**"]]))
        assert sum(line.startswith(told) for line in made.messages) == count


def test_a_guessed_language_has_a_comment(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.csv", [["Nimi", "Teksti"], ["Kettu", "Juokse."]])
    comment = b"# Guessed from the table's headings and texts."
    assert comment in begun(path).files["game.yaml"]
    assert comment not in begun(path, "classic", "fi").files["game.yaml"]


@pytest.mark.parametrize(
    "heading",
    ["#", "x", "×", "Pieces", "Times", "Cards", "Nr. of copies", "Stück", "Stk", "Anz.", "kpl"],
)
def test_small_counts_below_many_a_heading_are_copies(tmp_path: Path, heading: str) -> None:
    made = begun(saved(tmp_path / "a.xlsx", [["Name", heading], ["Fox", 2], ["Owl", 1]]))
    assert made.messages[1] == f"how many copies: {heading}; 3 cards with all copies"
    assert deck_of(made)["columns"] == {heading: "copies"}


@pytest.mark.parametrize(
    "cells",
    [(1, 2, 3, 4, 5), (10, 20, 30, 40, 50), (5, 3, 1, 2, 4), (1, 1, 90, 1, 1), (1, 1, "?", 1, 1)],
)
def test_numbers_that_count_no_copies(tmp_path: Path, cells: Sequence[Any]) -> None:
    rows = [["#", "Name"], *([cell, f"Card {at}"] for at, cell in enumerate(cells))]
    assert "copies" not in deck_of(begun(saved(tmp_path / "a.xlsx", rows)))["columns"].values()


def test_one_column_of_copies_is_enough(tmp_path: Path) -> None:
    rows: Rows = [["#", "Name", "Qty"], [2, "Fox", 3], [1, "Owl", 1]]
    assert deck_of(begun(saved(tmp_path / "a.xlsx", rows)))["columns"]["Qty"] == "copies"


@pytest.mark.parametrize(
    "cells",
    [("3 pcs", "2 Stk", "x3"), ("2 (3)", "1 (2)", "4 (6)"), ("2", "-", "-", "?"), ("=1+1", "=2")],
)
def test_a_column_of_copies_stays_one_whatever_its_cells_hold(
    tmp_path: Path, cells: Sequence[str]
) -> None:
    rows = [["Name", "Copies"], *([f"Card {at}", cell] for at, cell in enumerate(cells))]
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert deck_of(made)["columns"] == {"Copies": "copies"}
    assert len(made.problems) == (0 if "3 pcs" in cells else len([c for c in cells if c != "2"]))


def test_a_second_column_of_copies_is_named_and_undecided(tmp_path: Path) -> None:
    rows: Rows = [["Name", "Copies (2p)", "Copies (4p)"], ["Tug", 2, 4], ["Ferry", 1, 2]]
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert deck_of(made)["columns"] == {"Copies (2p)": "copies", "Copies (4p)": "undecided"}
    assert "several columns count copies; Copies (2p) is used, not Copies (4p)" in made.messages


def test_decimals_in_two_languages_are_numbers(tmp_path: Path) -> None:
    rows: Rows = [
        ["Name (FI)", "Name (EN)", "Cost"],
        ["Hinaaja", "Tug", "1,5"],
        ["Lautta", "Ferry", "2,5"],
    ]
    assert deck_of(begun(saved(tmp_path / "a.csv", rows)))["fields"]["cost"] == "number"


def test_the_column_of_ids_is_named(tmp_path: Path) -> None:
    made = begun(saved(tmp_path / "a.csv", [["Name", "Key"], ["Tug", "a"], ["Ferry", "b"]]))
    assert "ids of cards: Key" in made.messages


def test_lists_of_mappings_are_undecided(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"name": "Tug", "does": [{"x": 1}]}, {"name": "Ferry", "does": []}]')
    made = begun(path)
    assert made.problems == []
    assert deck_of(made)["columns"] == {"does": "undecided"}


def test_rows_that_hold_no_field_are_not_counted_as_cards(tmp_path: Path) -> None:
    rows: Rows = [["Name", None], ["Fox", None], ["Owl", None], [None, "beyond"]]
    assert begun(saved(tmp_path / "a.xlsx", rows)).messages[0] == "2 cards from cards/a.xlsx"


def test_cards_without_a_name_are_called_by_their_rows(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.csv", [["Value", "Kpl"], [1, 20], [5, 10]])
    made = begun(path, "banknote")
    assert deck_of(made)["places"] == {"value": "value"}
    assert "cards/rules.yaml" not in made.files


def test_a_choice_that_is_printed_can_be_translated(tmp_path: Path) -> None:
    rows: Rows = [
        ["Name", "Name (DA)", "Type"], ["Sage", "Salvie", "Herb"], ["Mint", "Mynte", "Herb"],
        ["Oak", "Eg", "Tree"], ["Elm", "Elm", "Tree"],
    ]  # fmt: skip
    made = begun(saved(tmp_path / "a.csv", rows), "classic", "en", "da")
    assert deck_of(made)["places"]["type"] == {
        "by": "type",
        "values": {"Herb": {"en": "Herb"}, "Tree": {"en": "Tree"}},
    }
    assert "\nfallback: true\n" in made.files["game.yaml"].decode()
    rows = [["Name", "Name (DA)", "Note"], ["Sage", "Salvie", "It grows."], ["Oak", "Eg", "Old."]]
    deck = deck_of(begun(saved(tmp_path / "b.csv", rows), "classic", "en", "da"))
    assert deck["fields"]["note"] in ("text", {"type": "text", "printed": False})


def test_labels_keep_their_letters(tmp_path: Path) -> None:
    heads = ["Nimi", "Hyökkäys", "Liike"]
    made = begun(saved(tmp_path / "a.csv", [heads, ["Vartio", 4, 6], ["Ratsu", 3, 12]]), "values")
    assert deck_of(made)["places"] == {"title": "name", "values": ["hyokkays", "liike"]}
    assert "words: {hyokkays: Hyökkäys}\n" in made.files["game.yaml"].decode()


def test_json_keeps_its_lists_records_and_languages(tmp_path: Path) -> None:
    cards = [
        {"name": {"fi": "Hinaaja", "en": "Tug"}, "cost": 1, "tags": ["a", "b"], "on": True,
         "stats": {"speed": 4}},
        {"name": {"fi": "Lautta", "en": "Ferry"}, "cost": 2, "tags": [], "on": False,
         "stats": {"speed": 2}},
    ]  # fmt: skip
    path = tmp_path / "fleet.json"
    path.write_text(json.dumps(cards), encoding="utf-8")
    made = begun(path, "values")
    assert made.languages == ("fi", "en")
    fields = deck_of(made)["fields"]
    assert fields["name"] == {"type": "text", "required": True}
    assert fields["stats"] == {"type": "record", "fields": {"speed": "integer"}}
    assert fields["tags"] == {"type": "list", "of": "string"}
    assert fields["on"] == "boolean"


def test_a_text_of_json_is_parted_by_no_sign(tmp_path: Path) -> None:
    """Where the same cells of a spreadsheet would be lists."""
    rows = [["Name", "Path"], ["A", "../../x"], ["B", "../../x"]]
    said = deck_of(begun(saved(tmp_path / "fleet.csv", rows), "values"))["fields"]["path"]
    assert said["type"] == "list"
    path = tmp_path / "paths.json"
    path.write_text(json.dumps([dict(zip(("name", "path"), row, strict=True)) for row in rows[1:]]))
    made = begun(path, "values")
    assert deck_of(made)["fields"]["path"] in ("text", {"type": "text", "printed": False})
    assert "columns" not in deck_of(made)


LOOKS: dict[str, tuple[Rows, dict[str, Any]]] = {
    "children": (
        [["Animal", "Number", "Task"], ["Rabbit", 4, "Hop four times through the room!"],
         ["Bear", 3, "Growl three times at your neighbour!"]],
        {"title": "name", "number": "number", "text": "task"},
    ),
    "terminal": (
        [["Program", "Kind", "Cost", "Speed", "Noise", "Text"],
         ["Spider", "attack", 2, 5, 1, "Next turn it is on every node beside."],
         ["Ghost", "stealth", 3, 4, 0, "Moves through locks, and can see."]],
        {"title": "name", "number": "cost", "type": "kind", "text": "text",
         "stats": ["speed", "noise"]},
    ),
    "noir": (
        [["Name", "Kind", "Number", "Text", "Quote"],
         ["The Captain", "Suspect", 4, "No clue sticks to him, unless it is red.", "Me? Never."],
         ["Camera", "Clue", 3, "Look at two cards of the row, and keep quiet.", "Click."]],
        {"title": "name", "number": "number", "type": "kind", "text": "text", "flavour": "quote"},
    ),
    "item": (
        [["Item", "Kind", "Level", "Weight", "Damage", "Effect", "Lore"],
         ["Oak Shield", "Shield", 2, 5, 0, "Let it break instead of taking a wound.", "Old."],
         ["Moon Sword", "Sword", 4, 3, 8, "Strikes twice in the light of the moon.", "Cold."]],
        {"title": "name", "text": "effect", "flavour": "lore", "level": "level", "type": "kind",
         "stats": ["weight", "damage"]},
    ),
    "prompt": (
        [["Prompt", "Category", "Points"], ["Who at this table would never say no?", "Vote", 1],
         ["Sell us your left shoe, and do it in song.", "Dare", 2]],
        {"text": "prompt", "type": "category", "value": "points"},
    ),
    "suits": (
        [["Name", "Rank", "Suit", "Effect"], ["Ten of Acorns", "10", "acorns", "None."],
         ["King of Hearts", "K", "hearts", "Leads the next trick."]],
        {"title": "name", "text": "effect", "rank": "rank", "suit": "suit"},
    ),
    "tableau": (
        [["Name", "Timber", "Stone", "Points", "Effect"], ["Barn", 3, 1, 2, "Gain two timber."],
         ["Chapel", 2, 3, 4, "One point for each sign."]],
        {"title": "name", "text": "effect", "points": "points", "cost": ["timber", "stone"]},
    ),
    "builder": (
        [["Name", "Faction", "Cost", "Coins", "Bolts", "Effect"],
         ["Scout", "Free", 1, 2, 1, "Draw a card."], ["Pirate", "Clan", 5, 1, 5, "Discard."]],
        {"title": "name", "text": "effect", "cost": "cost", "type": "faction",
         "gains": ["coins", "bolts"]},
    ),
    "counter": (
        [["Name", "Unit", "Attack", "Defence", "Movement"], ["7", "armour", 6, 4, 8],
         ["12", "infantry", 4, 5, 4]],
        {"title": "name", "unit": "unit", "attack": "attack", "defence": "defence",
         "movement": "movement"},
    ),
    "hex": (
        [["Name", "Terrain", "Number"], ["Old Forest", "forest", 9], ["Marsh", "swamp", 11]],
        {"title": "name", "terrain": "terrain", "value": "number"},
    ),
    "score": (
        [["Name", "Rows"], ["Trawler", "Herring: 2-12; Cod: 2-12"], ["Yacht", "Cod: 2-12"]],
        {"title": "name", "rows": "rows"},
    ),
    "wallet": (
        [["Name", "Value", "Effect", "Other name", "Other value", "Other effect"],
         ["Hen", 2, "Draw a card.", "Owl", 4, "Look at a hand."],
         ["Bread", 3, "Draw two.", "Thief", 5, "Take a card."]],
        {"title": "name", "text": "effect", "value": "value", "other_title": "other_name",
         "other_value": "other_value", "other_text": "other_effect"},
    ),
    "tarot": (
        [["No.", "Arcana", "Meaning"], ["XII", "The Hanged Man", "Waiting."],
         ["I", "The Magician", "Will and skill."]],
        {"title": "name", "number": "no", "text": "meaning"},
    ),
    "token": ([["Token", "Value"], ["Food", 1], ["Fuel", 2]], {"title": "name", "value": "value"}),
    "banknote": (
        [["Denomination", "Bank", "Currency"], [1, "Harbour Bank", "crowns"],
         [5, "Harbour Bank", "crowns"]],
        {"value": "denomination", "title": "name", "currency": "currency"},
    ),
    "values": (
        [["Unit", "Points", "Move", "Attack", "Special"], ["Guard", 80, '6"', "4+", "Stubborn."],
         ["Riders", 120, '12"', "3+", "Charge."]],
        {"title": "name", "cost": "points", "values": ["move", "attack"], "text": "special"},
    ),
    "text": (
        [["Question", "Topic"], ["Which desert is the driest of all, and how dry is it?", "Land"],
         ["Who has been to the deepest place in the oceans?", "Sea"]],
        {"text": "question", "title": "name"},
    ),
    "board": (
        [["Name", "Tracks"], ["Harbour", "Morale: 0-10 (5); Tide: low, high"],
         ["Town", "Trade: 0-12"]],
        {"title": "name", "tracks": "tracks"},
    ),
    "classic": (
        [["Название", "Атака", "Здоровье", "Текст"], ["Буксир", 1, 2, "Ход."],
         ["Паром", 2, 3, "Карта."]],
        {"title": "name", "left": "ataka", "right": "zdorove", "text": "tekst"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("look", look_catalogue.list_looks())
def test_the_places_of_every_look(tmp_path: Path, look: str) -> None:
    rows, places = LOOKS[look]
    assert deck_of(begun(saved(tmp_path / "a.xlsx", rows), look))["places"] == places


def test_a_table_with_a_title_copies_with_a_sign_and_a_column_without_a_heading(
    tmp_path: Path,
) -> None:
    rows: Rows = [
        ["Harbour cards v3 (FINAL)"], ["printed 12.3."],
        ["Card Name", "How many", "Cost ", "Effect ", None],
        ["Tug", 2, 1, "Push **one** ship.", None], ["Ferry", 1, "2 or 3", "Wait.\\nDraw.", "x"],
        ["Barge", "2x", 3, "Load {crate}.", None], ["Cook", 1, 2, "Eat.", None],
    ]  # fmt: skip
    made = begun(saved(tmp_path / "a.xlsx", rows))
    assert made.messages == [
        "4 cards from cards/a.xlsx, headings in row 3",
        "how many copies: How many; 6 cards with all copies",
        "on the cards: Card Name (title), Effect (text), Cost (cost)",
        "HTML and \\n become bold, italic and new lines (html: true): Effect",
        "texts name icons; draw them as art/icons/crate.svg",
        "not used, since it has no heading: column E: x",
    ]
    title = (
        "cards/a.xlsx:Cards!1: warning: a: the rows 1–2 above the headings are left out: "
        "'Harbour cards v3 (FINAL)', 'printed 12.3.'"
    )
    assert [str(problem).partition(": error: ")[0] for problem in made.problems] == [
        f"{title}; move them below the headings if cards stand there, or delete them [table]",
        "cards/a.xlsx:Cards!C5", "cards/a.xlsx:Cards!D6",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("texts", "languages", "declared"),
    [
        (["1,5", "2,5", "1.000", "7"], ["de"], "number"),
        (["1.5", "2.5", "1.000", "7"], ["fi", "de"], "number"),
        (["1,5", "2,50"], ["de"], "text"),
        (["0,5", "12,25", "1,125"], ["de"], "number"),
        (["1.5", "2.5", "7"], ["en"], "number"),
    ],
)
def test_the_languages_of_the_game_decide_what_a_number_is(
    texts: list[str], languages: list[str], declared: str
) -> None:
    cells = {line: SourceCell(text) for line, text in enumerate(texts)}
    guessed, _ = type_guess.guess_type(SourceColumn("Preis", "Preis", cells), "cost", languages)
    assert guessed == declared

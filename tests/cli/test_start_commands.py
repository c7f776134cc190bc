"""`cardgen new`: what is told, what is refused, and what stands there afterwards."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import Cardgen
from PIL import Image

from cardgen.core import yaml_nodes
from cardgen.game import card_tables


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder to begin games in."""
    folder = tmp_path / "games"
    folder.mkdir()
    return folder


def workbook(path: Path, rows: Sequence[Sequence[Any]]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(list(row))
    book.save(path)
    return path


# -- what is told


def test_a_game_from_nothing(cardgen: Cardgen, here: Path) -> None:
    said = cardgen("new", "harbour-at-night", at=here)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "harbour-at-night: 6 files; the deck is cards/harbour.yaml\n"
        "next: cardgen build harbour-at-night, "
        "then open harbour-at-night/build/en/sheets.pdf\n"
    )
    assert "title: Harbour at night\n" in (here / "harbour-at-night/game.yaml").read_text()
    assert cardgen("check", "harbour-at-night", at=here).code == 0


def test_what_a_table_holds_that_is_no_card_or_no_text_is_told(
    cardgen: Cardgen, here: Path
) -> None:
    rows: list[list[Any]] = [
        ["Qty", "Name", "Cost", "Rules Text"],
        [2, "Tug", 1, "Push {this turn}"],
        [3, "Ferry", 2, "Wait."],
        [5, "Total", None, None],
    ]
    workbook(here / "fleet.xlsx", rows)
    said = cardgen("new", "fleet", "--from", "fleet.xlsx", "--lang", "en,fi", at=here)
    assert said.code == 0
    told = [line.strip() for line in said.out.splitlines()]
    assert any("the same words are printed in every language" in line for line in told)
    said = cardgen("new", "one", "--from", "fleet.xlsx", at=here)
    assert said.err == (
        "cards/fleet.xlsx:Sheet!D2: error: fleet/tug [en]: there is no icon 'this turn' in "
        "art/icons; to print {this turn}, write \\{this turn\\} [icon]\n"
        "cards/fleet.xlsx:Sheet!4: warning: fleet: the row 'Total' sums up others and is left out; "
        "if it is a card, give it an id [table]\n"
    )


def test_a_game_from_a_workbook(cardgen: Cardgen, here: Path) -> None:
    rows: list[list[Any]] = [
        ["Qty", "Card Name", "Cost", "Notes"],
        [2, "Tug", 1, "too weak?"],
        [3, "Ferry", 2, None],
    ]
    workbook(here / "Fleet 2.xlsx", rows)
    said = cardgen("new", "fleet", "--from", "Fleet 2.xlsx", at=here)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "fleet: 7 files; the deck is cards/fleet-2.yaml\n"
        "  2 cards from cards/fleet-2.xlsx\n"
        "  how many copies: Qty; 5 cards with all copies\n"
        "  on the cards: Card Name (title), Cost (cost)\n"
        "  not on the cards: Notes; add them under places:\n"
        "next: cardgen build fleet, then open fleet/build/en/sheets.pdf\n"
    )
    said = cardgen("check", "--strict", "fleet", at=here)
    assert (said.code, said.err) == (0, "")


def test_every_file_is_short_and_begins_with_a_remark(cardgen: Cardgen, here: Path) -> None:
    workbook(here / "a.xlsx", [["Name", "Cost"], ["Tug", 1]])
    cardgen("new", "a", "--from", "a.xlsx", at=here)
    files = {path.relative_to(here / "a").as_posix(): path for path in (here / "a").rglob("*.yaml")}
    assert set(files) == {"game.yaml", "table.yaml", "cards/a.yaml", "cards/rules.yaml"}
    for path in files.values():
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# ")
        assert len(text.splitlines()) < 30
        assert not any(line != line.rstrip() for line in text.splitlines())


# -- the folder


@pytest.mark.parametrize(
    ("name", "title", "next_"),
    [
        ("my game", "My game", '"my game"'),
        ("Гавань", "Гавань", "Гавань"),
        ("a.b_c", "A.b c", "a.b_c"),
        ("deep/er/fleet", "Fleet", "deep/er/fleet"),
        ("...", "Game", "..."),
        ("船", "Game", "船"),
        ("{{ x }}", "Game", '"{{ x }}"'),
        ("007", "007", "007"),
        ("true", "True", "true"),
        ("- x: y", "X: y", '"./- x: y"'),
        ("it's", "It's", '"it\'s"'),
    ],
)
def test_odd_names_of_folders(
    cardgen: Cardgen, here: Path, name: str, title: str, next_: str
) -> None:
    said = cardgen("new", "--", name, at=here)
    assert (said.code, said.err) == (0, "")
    assert f"next: cardgen build {next_}, then open " in said.out
    node, problems = yaml_nodes.load((here / name / "game.yaml").read_text("utf-8"), "game.yaml")
    assert node is not None
    assert problems == []
    assert node.value["title"].text == title
    assert cardgen("list", f"./{name}", at=here).err == ""


def test_the_folder_one_stands_in(cardgen: Cardgen, here: Path) -> None:
    said = cardgen("new", ".", at=here)
    assert said.out.endswith("next: cardgen build, then open build/en/sheets.pdf\n")
    assert "title: Games\n" in (here / "game.yaml").read_text()
    said = cardgen("new", ".", at=here)
    assert said.error == "Error: . already exists; choose another name"


def test_an_absolute_folder_and_one_beside(cardgen: Cardgen, here: Path, tmp_path: Path) -> None:
    assert cardgen("new", str(tmp_path / "there"), at=here).code == 0
    assert (tmp_path / "there/game.yaml").is_file()
    assert cardgen("new", "../beside", at=here).code == 0
    assert (tmp_path / "beside/game.yaml").is_file()


def test_what_stands_there_is_left_alone(cardgen: Cardgen, here: Path) -> None:
    (here / "notes").write_text("mine")
    (here / "full").mkdir()
    (here / "full/mine.txt").write_text("mine")
    (here / "empty").mkdir()
    for name in ("notes", "full", ".."):
        said = cardgen("new", name, at=here)
        assert said.code == 2
        assert said.error == f"Error: {name} already exists; choose another name"
    assert cardgen("new", "notes/game", at=here).code == 2
    assert sorted(path.name for path in here.rglob("*")) == ["empty", "full", "mine.txt", "notes"]
    assert cardgen("new", "empty", at=here).code == 0


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[31m", "x" * 300, "x/" * 2500 + "y"])
def test_names_that_no_folder_has(cardgen: Cardgen, here: Path, name: str) -> None:
    said = cardgen("new", name, at=here)
    assert said.code == 2
    assert said.error.startswith("Error: ")
    assert len(said.error) < 200
    assert list(here.iterdir()) == []


# -- what is asked


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--look", "clasic"), "there is no look 'clasic'; did you mean 'classic'?"),
        (
            ("--size", "pokr"),
            "'pokr' is not a size; use a name or 63.5x88.9 in mm; did you mean 'poker'?",
        ),
        (("--size", "2x2"), "2 × 2 mm is not a card size; each side is 5 to 1200 mm"),
        (("--lang", "Finnish"), "'Finnish' is not a language code such as fi or en"),
        (("--lang", ""), "Invalid value for '--lang': a name is missing before or after a comma"),
        (("--sheet", "A"), "--sheet is of a workbook: --from FILE"),
    ],
)
def test_what_there_is_none_of(
    cardgen: Cardgen, here: Path, asked: tuple[str, ...], told: str
) -> None:
    said = cardgen("new", "fleet", *asked, at=here)
    assert (said.code, said.error) == (2, f"Error: {told}")
    assert list(here.iterdir()) == []


# -- several decks

SHIPS: list[list[Any]] = [
    ["Name", "Qty", "Type", "Text"], ["Tug", 2, "Steam", "Push."], ["Ferry", 1, "Sail", "Wait."],
    ["Barge", 1, "Steam", "Load."], ["Bark", 1, "Sail", "Go."],
]  # fmt: skip
EVENTS: list[list[Any]] = [
    ["Title", "Count", "Kind", "Effect"], ["Fog", 2, "Weather", "No ship moves."],
    ["Gale", 1, "Weather", "Ships move twice."], ["Tax", 1, "Town", "Pay 1."],
    ["Fair", 2, "Town", "Draw one."],
]  # fmt: skip


def workbook_of_sheets(path: Path) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in {"Ships": SHIPS, "Events": EVENTS, "Notes": [["To do"], ["Ink"]]}.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_every_sheet_becomes_a_deck(cardgen: Cardgen, here: Path) -> None:
    workbook_of_sheets(here / "fleet.xlsx")
    said = cardgen("new", "fleet", "--from", "fleet.xlsx", "--sheet", "all", at=here)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0] == (
        "fleet: 8 files; the decks are cards/ships.yaml, cards/events.yaml"
    )
    assert cardgen("check", "fleet", at=here).out == (
        "Fleet 0.1: 2 decks, 16 faces, 2 rules; no problems\n"
    )
    assert (
        "  - {deck: ships, face: down}\n  - {deck: events, face: down}\n"
        in (here / "fleet/table.yaml").read_text()
    )
    said = cardgen("new", "b", "--from", "fleet.xlsx", "--sheet", "Shops", at=here)
    assert said.err == (
        "fleet.xlsx: error: fleet.xlsx has no sheet 'Shops'; did you mean 'Ships'? [table]\n"
        "no game was made; correct this and run the command once more\n"
    )


def test_sheets_that_are_left_out_are_named(cardgen: Cardgen, here: Path) -> None:
    book = openpyxl.load_workbook(workbook_of_sheets(here / "fleet.xlsx"))
    book["Events"].sheet_state = "hidden"
    book.create_sheet("Towns").append(["Name", "Text"])
    book["Towns"].append(["Port", "Trade."])
    book.save(here / "fleet.xlsx")
    hidden = "  hidden sheets, left out: Events (--sheet NAME makes a deck of one)\n"
    said = cardgen("new", "fleet", "--from", "fleet.xlsx", "--sheet", "all", at=here)
    assert f"  other sheets: Notes (--sheet NAME makes a deck of one)\n{hidden}" in said.out
    assert "sheets that no deck uses: Events;" in cardgen("check", "fleet", at=here).err
    cardgen("new", "other", at=here)
    said = cardgen("add", "other", "ships", "--from", "fleet.xlsx", at=here)
    assert (
        "  other sheets: Notes, Towns (cardgen add DECK --from FILE --sheet NAME makes a deck of "
        f"one)\n{hidden}"
    ) in said.out
    assert "sheets that no deck uses: Towns, Events;" in cardgen("check", "other", at=here).err
    said = cardgen("add", "other", "storms", "--from", "fleet.xlsx", "--sheet", "Events", at=here)
    assert (said.code, said.err) == (0, "")
    assert "  other sheets: Notes (" in said.out
    assert "hidden sheets" not in said.out
    assert "sheets that no deck uses: Towns;" in cardgen("check", "other", at=here).err


def test_a_sheet_that_is_not_used_is_a_warning_until_it_is_a_deck(
    cardgen: Cardgen, here: Path
) -> None:
    workbook_of_sheets(here / "fleet.xlsx")
    assert cardgen("new", "fleet", "--from", "fleet.xlsx", at=here).code == 0
    line = (here / "fleet/cards/fleet.yaml").read_text().splitlines().index(
        "rows: {file: fleet.xlsx, sheet: Ships, undecided: [Events]}"
    ) + 1  # fmt: skip
    assert cardgen("check", "fleet", at=here).err == (
        f"cards/fleet.yaml:{line}: warning: fleet.xlsx has sheets that no deck uses: Events; make "
        "a deck of one with 'cardgen add DECK --from FILE --sheet NAME', or remove undecided: "
        "[table]\n"
    )
    before = (here / "fleet/game.yaml").read_text()
    said = cardgen("add", "fleet", "events", "--from", "fleet.xlsx", "--sheet", "Events", at=here)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[:4] == [
        "  fleet/cards/events.yaml", "  fleet/game.yaml", "  fleet/cards/rules.yaml",
        "  fleet/table.yaml",
    ]  # fmt: skip
    assert (here / "fleet/game.yaml").read_text() == (
        before + '  weather: "#3f6b4f"\n  town: "#8a3f2e"\n'
    )
    said = cardgen("check", "fleet", at=here)
    assert (said.err, said.out) == ("", "Fleet 0.1: 2 decks, 16 faces, 2 rules; no problems\n")


def test_a_deck_of_another_look_and_another_table(cardgen: Cardgen, here: Path) -> None:
    assert cardgen("new", "fleet", "--lang", "en,fi", at=here).code == 0
    game = here / "fleet/game.yaml"
    game.write_text(game.read_text().replace(
        'colours:\n  ink: "#26211d"', 'colours: {ink: "#26211d"}\nx:\n  ink: "#26211d"'
    ).partition("x:")[0])  # fmt: skip
    (here / "harbour.csv").write_text("Name,Speed\nTug,1\nFerry,2\n")
    assert cardgen("add", "fleet", "units", "--look", "values", at=here).code == 0
    shutil.copy(here / "harbour.csv", here / "fleet/cards/boats.csv")
    shutil.copy(here / "harbour.csv", here / "boats.csv")
    said = cardgen("add", "fleet", "boats", "--from", "boats.csv", at=here)
    assert (said.code, said.err) == (0, "")
    assert cardgen("clean", "fleet", at=here).code == 0
    (here / "fleet/cards/boats.yaml").unlink()
    (here / "fleet/cards/rules.yaml").unlink()
    (here / "fleet/table.yaml").unlink()
    (here / "fleet/cards/harbour.csv").write_text("mine")
    said = cardgen("add", "fleet", "boats", "--from", "harbour.csv", at=here)
    assert (said.code, said.err) == (0, "")
    assert (here / "fleet/cards/harbour.csv").read_text() == "mine"
    assert "rows: harbour-2.csv\n" in (here / "fleet/cards/boats.yaml").read_text()
    listed = json.loads(cardgen("list", "--json", "fleet", at=here).out)
    assert [deck["id"] for deck in listed["decks"]] == ["boats", "harbour", "units"]


@pytest.mark.parametrize(
    ("deck", "code", "told"),
    [
        ("harbour", 1, "error: there is a 'harbour' already, in cards/harbour.yaml; choose another "
         "name"),
        ("rules", 1, "error: cards/rules.yaml holds the rules; choose another name"),
        ("Boats", 1, "error: 'Boats' is not an id; use small letters, digits and hyphens"),
    ],
)  # fmt: skip
def test_decks_that_cannot_be_added(
    cardgen: Cardgen, here: Path, deck: str, code: int, told: str
) -> None:
    assert cardgen("new", "fleet", at=here).code == 0
    before = {path: path.read_bytes() for path in here.rglob("*.yaml")}
    said = cardgen("add", "fleet", deck, at=here)
    assert (said.code, said.err.strip()) == (code, told)
    assert {path: path.read_bytes() for path in here.rglob("*.yaml")} == before


# -- finished pictures


def picture(path: Path, size: tuple[int, int], colour: str = "red") -> None:
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", size, colour).save(path)


def test_a_folder_of_pictures_is_a_deck(cardgen: Cardgen, here: Path) -> None:
    poker = (822, 1122)
    for name, size in {
        "Old Möwe.png": poker, "Old Möwe-back.png": poker, "Ghost_front.jpg": poker,
        "card back.png": poker, "tile.png": (500, 500),
    }.items():  # fmt: skip
        picture(here / "pics" / name, size, "blue" if "back" in name else "red")
    (here / "pics/notes.txt").write_text("x")
    said = cardgen("new", "drawn", "--from", "pics", at=here)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[1:5] == [
        "  pics: 2 cards of the size poker, with 3.048 mm of bleed",
        "  pics-square: 1 card of the size square, without bleed",
        "  pics-square: backs with other proportions are cropped: tile",
        "  not used, since they are no pictures of cards: notes.txt",
    ]
    text = (here / "drawn/cards/pics.yaml").read_text()
    assert text.partition("cards:\n")[2] == (
        "  - {id: ghost, name: Ghost, picture: art/pics/ghost.jpg, "
        "reverse: art/pics/shared-back.png}\n"
        "  - id: old-mowe\n    name: Old Möwe\n    picture: art/pics/old-mowe.png\n"
        "    reverse: art/pics/old-mowe-back.png\n"
    )
    said = cardgen("build", "drawn", "sheets", "mpc", "--deck", "pics", at=here)
    assert (said.code, said.err) == (0, "")
    fronts = (here / "drawn/build/en/mpc").rglob("*.png")
    with Image.open(next(path for path in sorted(fronts) if "back" not in str(path))) as made:
        assert made.size == poker
        corners = {made.convert("RGB").getpixel(at) for at in ((0, 0), (821, 1121), (400, 500))}
        assert corners <= {(255, 0, 0), (254, 0, 0)}


def test_nothing_shows_through_a_transparent_picture(cardgen: Cardgen, here: Path) -> None:
    for name, colour in (("clear", (255, 0, 0, 0)), ("solid", (255, 0, 0))):
        (here / name).mkdir()
        mode = "RGBA" if len(colour) > 3 else "RGB"
        Image.new(mode, (750, 1050), colour).save(here / name / "a.png")
        assert cardgen("new", f"my-{name}", "--from", name, at=here).code == 0
        style = (here / f"my-{name}/templates/{name}.css").read_text()
        assert (".whole { background: white }" in style) == (name == "clear")


def test_pictures_are_added_to_a_game(cardgen: Cardgen, here: Path) -> None:
    assert cardgen("new", "fleet", at=here).code == 0
    picture(here / "pics/a.png", (635, 889))
    said = cardgen("add", "fleet", "drawn", "--from", "pics", at=here)
    assert (said.code, said.err) == (0, "")
    assert "  drawn: 1 card of the size poker, without bleed" in said.out.splitlines()
    assert cardgen("check", "fleet", at=here).err == ""
    # Each proportion becomes a deck, none of which takes the name of one that is there.
    picture(here / "pics/b.png", (500, 500))
    picture(here / "pics/c.png", (635, 889))
    (here / "fleet/cards/more-square.yaml").write_text(
        (here / "fleet/cards/drawn.yaml").read_text().replace("deck: drawn", "deck: more-square")
    )
    said = cardgen("add", "fleet", "more", "--from", "pics", at=here)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert "  more: 2 cards of the size poker, without bleed" in lines
    assert "  more-square-2: 1 card of the size square, without bleed" in lines
    assert lines[-1] == "next: cardgen check, then put more and more-square-2 into the rulebook"
    assert cardgen("check", "fleet", at=here).err == ""
    table = (here / "fleet/table.yaml").read_text()
    assert "deck: more," in table
    assert "deck: more-square-2," in table


def test_a_back_without_a_front_is_no_card(cardgen: Cardgen, here: Path) -> None:
    for name in ("hauki", "huaki-back", "back", "tug", "tug-back", "tug_back"):
        picture(here / f"pics/{name}.png", (822, 1122))
    said = cardgen("new", "drawn", "--from", "pics", at=here)
    assert said.out.splitlines()[1:4] == [
        "  pics: 2 cards of the size poker, with 3.048 mm of bleed",
        "  tug_back.png is not used, tug-back.png is: remove one of them",
        "  huaki-back.png is not used, since there is no picture 'huaki' for this back; did you "
        "mean 'hauki'?",
    ]
    warning = "art/pics/huaki-back.png: warning: no card names this picture, and there is no "
    said = cardgen("check", "drawn", at=here)
    assert said.err == f"{warning}'huaki' to go with it; did you mean 'hauki'? [passed-over]\n"
    (here / "drawn/art/pics/huaki-back.png").rename(here / "drawn/art/pics/hauki-back.png")
    assert "name it in the card that has 'hauki'" in cardgen("check", "drawn", at=here).err
    path = here / "drawn/cards/pics.yaml"
    path.write_text(path.read_text().replace("shared-back", "hauki-back", 1))
    assert cardgen("check", "drawn", at=here).err == ""
    (here / "pics/hauki.png").unlink()
    (here / "pics/tug.png").unlink()
    said = cardgen("new", "none", "--from", "pics", at=here)
    assert (said.code, "there is no picture 'huaki' for this back" in said.err) == (1, True)


def test_the_bleed_of_a_shared_back_stays_beyond_the_cut(cardgen: Cardgen, here: Path) -> None:
    back = Image.new("RGB", (822, 1122), "red")
    back.paste("blue", (36, 36, 786, 1086))
    (here / "pics").mkdir()
    back.save(here / "pics/back.png")
    picture(here / "pics/poker.png", (822, 1122))
    picture(here / "pics/bridge.png", (675, 1050))
    assert cardgen("new", "drawn", "--from", "pics", at=here).code == 0
    book = (here / "drawn/rulebook/en.md").read_text()
    assert '{{ count("pics") + count("pics-poker") }}' in book
    assert cardgen("build", "drawn", "mpc", at=here).code == 0
    (made,) = (here / "drawn/build/en/mpc").rglob("pics/*back.png")
    with Image.open(made) as face:
        width, height = face.size
        at = width // 2
        column = [
            face.convert("RGB").crop((at, y, at + 1, y + 1)).tobytes()
            for y in (12, 44, height - 44)
        ]
    assert [max(range(3), key=pixel.__getitem__) for pixel in column] == [0, 2, 2]


def test_folders_that_no_game_comes_of(cardgen: Cardgen, here: Path) -> None:
    (here / "pics").mkdir()
    said = cardgen("new", "drawn", "--from", "pics", at=here)
    assert said.err.startswith("pics: error: the folder holds no pictures; their endings are .avif")
    (here / "pics/a.png").write_bytes(b"no picture")
    said = cardgen("new", "drawn", "--from", "pics", at=here)
    assert said.code == 1
    assert said.err.startswith("pics/a.png: error: the picture ")
    assert not (here / "drawn").exists()


def test_values_of_a_choice_are_missing_texts_until_they_are_translated(
    cardgen: Cardgen, here: Path
) -> None:
    (here / "herbs.csv").write_text(
        "Name,Navn (Danish),Type\nSage,Salvie,Herb\nOak,Eg,Tree\nMint,Mynte,Herb\nElm,Elm,Tree\n"
    )
    said = cardgen("new", "herbs", "--from", "herbs.csv", at=here)
    assert (
        "  in the languages en, da, by the headings Name, Navn (Danish); --lang says which"
    ) in said.out.splitlines()
    assert cardgen("check", "herbs", at=here).err == (
        "game.yaml:6: warning: [da]: 2 texts are missing in da, and printed in en instead (herbs "
        "2); 'cardgen texts' tells which [language]\n"
    )


def test_the_name_of_a_language_is_answered_with_its_code(cardgen: Cardgen, here: Path) -> None:
    assert cardgen("new", "fleet", at=here).code == 0
    game = here / "fleet/game.yaml"
    game.write_text(game.read_text().replace("languages: [en]", "languages: english"))
    assert cardgen("check", "fleet", at=here).err == (
        "game.yaml:4: error: languages is 'english'; write languages: [en] [language]\n"
    )


# -- cells that are not like the others

ODD_TABLES: dict[str, tuple[str, str, str, str]] = {
    "a line break that is written out": (
        "Name,Text\nTug,Gain 1.\\nDraw 2.\nFerry,Load.\n",
        "Text: {field: text, html: true}", "Gain 1.\nDraw 2.", "",
    ),
    "HTML": (
        "Name,Text\nTug,<p><strong>Pull: </strong>gain <em>2</em> &amp; rest.</p><p>Go.</p>\n",
        "Text: {field: text, html: true}", "**Pull:** gain *2* & rest.\nGo.", "",
    ),
    "a tag that markup does not have": (
        "Name,Text\nTug,Gain <b>2</b>.\nFerry,Pay <u>1</u>.\n",
        "Text: {field: text, html: true}", "Gain **2**.",
        "cards/a.csv:3: error: a/ferry [en]: <u> is printed as it is, texts hold no HTML; remove "
        "it; the style or the template of the deck sets how it looks [markup]\n",
    ),
    "stars without a pair, and an icon that is not drawn yet": (
        "Name,Text\nTug,Gain **2 coins**.\nFerry,Pay 1{h}.\nBarge,**Load now.\n",
        "text: text", "Gain **2 coins**.",
        "cards/a.csv:3: error: a/ferry [en]: there is no icon 'h' in art/icons; to print {h}, "
        "write \\{h\\} [icon]\n"
        "cards/a.csv:4: error: a/barge [en]: a '**' has no pair; bold is **bold**, the stars "
        "themselves are \\*\\* [markup]\n",
    ),
    "a bracket": (
        "Name,Text\nTug,Gain **2**.\nFerry,Pay {1.\n", "text: text", "Gain **2**.",
        "cards/a.csv:3: warning: a/ferry [en]: a '{' is not closed and is printed as it is; write "
        "\\{ if you mean that [markup]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ODD_TABLES)
def test_one_text_leaves_the_others_their_markup(cardgen: Cardgen, here: Path, case: str) -> None:
    table, line, text, told = ODD_TABLES[case]
    (here / "a.csv").write_text(table)
    said = cardgen("new", "fleet", "--from", "a.csv", at=here)
    assert (said.code, said.err) == (0, told)
    assert f"  {line}\n" in (here / "fleet/cards/a.yaml").read_text()
    pieces = json.loads(cardgen("list", "--json", "fleet", at=here).out)["decks"][0]["pieces"]
    assert pieces[0]["fields"]["text"]["en"] == text
    checked = cardgen("check", "fleet", at=here)
    assert checked.err == told
    assert checked.code == (1 if "error:" in told else 0)


def test_a_column_of_numbers_keeps_its_type_and_reports_its_odd_cells(
    cardgen: Cardgen, here: Path
) -> None:
    rows: list[list[Any]] = [
        ["Card Name", "Qty", "Cost", "Picture"],
        ["Möwe", 1, 3, "a.png"],
        ["Ghost", 2, "four", "b.png"],
        ["Baker", "tow", 1, "c.png"],
    ]
    workbook(here / "fleet.xlsx", rows)
    said = cardgen("new", "fleet", "--from", "fleet.xlsx", at=here)
    told = (
        "cards/fleet.xlsx:Sheet!C3: error: fleet/ghost: 'cost' is 'four'; expected a whole number "
        "[type]\n"
        "cards/fleet.xlsx:Sheet!B4: error: fleet/baker: 'copies' is 'tow'; expected a whole number "
        "from 0 to 1000 [type]\n"
    )
    assert (said.code, said.err) == (0, told)
    assert said.out.splitlines()[-1] == (
        "next: correct the errors above, or for now cardgen build fleet --draft, then open "
        "fleet/build/draft/en/sheets.pdf"
    )
    assert "  cost: integer\n" in (here / "fleet/cards/fleet.yaml").read_text()
    assert cardgen("check", "fleet", at=here).err == told


def test_what_is_not_used_is_a_warning_until_it_is_decided(cardgen: Cardgen, here: Path) -> None:
    (here / "a.csv").write_text("Name,Speed,Speed,Art,\nTug,1,2,tug.png,x\nFerry,2,3,ferry.png,\n")
    assert cardgen("new", "fleet", "--from", "a.csv", at=here).code == 0
    deck = here / "fleet/cards/a.yaml"
    assert (
        "# cardgen could not tell what those that are undecided are for: write\n"
        "# the name of a field, or ignore. 'cardgen check' reminds you until then.\n"
    ) in deck.read_text()
    said = cardgen("check", "fleet", at=here)
    line = deck.read_text().splitlines().index('  "(column E)": undecided') + 1
    field = deck.read_text().splitlines().index("  art_file: string") + 1
    speed = deck.read_text().splitlines().index("  speed_2: integer") + 1
    assert (said.code, said.err) == (0, (
        f"cards/a.yaml:{speed}: warning: no place of its deck, rule, table or book uses the field "
        "'speed_2'; put it under places:, or mark it with printed: false [fields]\n"
        f"cards/a.yaml:{field}: warning: no place of its deck, rule, table or book uses the field "
        "'art_file'; put it under places:, or mark it with printed: false [fields]\n"
        f"cards/a.yaml:{line}: warning: a: the column '(column E)' is not used yet; in place of "
        "undecided write a field of the deck, or ignore [table]\n"
    ))  # fmt: skip
    text = deck.read_text().replace("undecided\n", "ignore\n")
    text = text.replace("speed_2: integer", "speed_2: {type: integer, printed: false}")
    deck.write_text(text.replace("art_file: string", "art_file: {type: string, printed: false}"))
    assert cardgen("check", "fleet", at=here).err == ""


# -- the table


def broken(folder: Path) -> dict[str, bytes]:
    """Files that no game comes of, by their names."""
    workbook(folder / "whole.xlsx", [["Name"], ["Tug"]])
    data = (folder / "whole.xlsx").read_bytes()
    (folder / "whole.xlsx").unlink()
    locked = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500) + "EncryptedPackage".encode("utf-16-le")
    return {
        "empty.csv": b"",
        "heads.csv": b"Name,Cost\n",
        "latin.csv": "Name;Cost\nTug;1\nKärry;2\n".encode("cp850"),
        "open.csv": b'Name,Text\nTug,"Draw\n',
        "cut.xlsx": data[: len(data) // 2],
        "none.xlsx": b"",
        "locked.xlsx": locked,
        "list.json": b"{}",
        "cut.json": b'[{"name": "Tug"',
        "plain.json": b"[1, 2]",
        "many.csv": ",".join(f"c{n}" for n in range(500)).encode() + b"\n1\n",
        "long.csv": b"Name," + b"x" * 300 + b"\nTug,1\n",
        "cards.pdf": b"%PDF",
        "cards": b"Name\nTug\n",
    }


TOLD = {
    "empty.csv": "empty.csv: error: it holds no rows: a first one with headings, and one for each",
    "heads.csv": "heads.csv: error: it holds no rows: a first one with headings, and one for each",
    "latin.csv": "latin.csv:3: error: 'K„rry' is not UTF-8; save the table as CSV UTF-8",
    "open.csv": "open.csv:2: error: not CSV: ",
    "cut.xlsx": "cut.xlsx: error: the workbook cannot be read: ",
    "none.xlsx": "none.xlsx: error: the workbook cannot be read: ",
    "locked.xlsx": "locked.xlsx: error: the workbook cannot be read: it is behind a password; "
    "save it without one",
    "list.json": "list.json:1: error: the table is a mapping; expected a list of cards",
    "cut.json": "cut.json:2: error: not JSON: ",
    "plain.json": "plain.json: error: it holds no cards: ",
    "many.csv": "many.csv: error: it has 500 columns; 200 are the most",
    "long.csv": "long.csv: error: a heading has 300 signs, 200 are the most: 'xxx",
    "cards.pdf": "cards.pdf: error: no table; its ending is one of .csv, .json, .ods, ",
    "cards": "cards: error: no table; its ending is one of .csv, .json, .ods, ",
}


@pytest.mark.parametrize("name", TOLD)
def test_a_table_that_cannot_be_read(cardgen: Cardgen, here: Path, name: str) -> None:
    (here / name).write_bytes(broken(here)[name])
    said = cardgen("new", "fleet", "--from", name, at=here)
    assert said.code == 1
    assert said.err.startswith(TOLD[name])
    assert said.err.splitlines()[1:] == [
        "no game was made; correct this and run the command once more"
    ]
    assert not (here / "fleet").exists()


MARRED = {
    "wide": (b"Name,Text\nTug,Draw, then rest\n", "the row has 3 cells, the first row names 2"),
    "control": (b"Name,Text\nTug,a\x01b\n", "U+0001 cannot be printed; delete it"),
    "nought": (b"Name,Text\nTug,a\x00b\n", "U+0000 cannot be printed; delete it"),
    "cells": (b"Name,Text\nTug,#REF!\n", "the cell of 'Text' shows the error #REF!; correct its"),
    "notes": (b"Name,Notes\nTug,#REF!\n", "the cell of 'Notes' shows the error #REF!; correct"),
}


@pytest.mark.parametrize("name", MARRED)
def test_errors_in_every_row_leave_a_game_to_correct(
    cardgen: Cardgen, here: Path, name: str
) -> None:
    data, told = MARRED[name]
    (here / f"{name}.csv").write_bytes(data)
    said = cardgen("new", "fleet", "--from", f"{name}.csv", at=here)
    assert said.code == 0
    assert said.err.startswith(f"cards/{name}.csv:2: error: {name}: {told}")
    assert "next: correct the errors above, or for now cardgen build fleet --draft" in said.out
    assert "tug  name: Tug" in cardgen("list", "fleet", at=here).out


def test_a_table_that_is_too_large(
    cardgen: Cardgen, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_tables, "MAX_TABLE_BYTES", 1_000_000)
    (here / "a.csv").write_bytes(b"Name\n" + b"Tug\n" * 400_000)
    said = cardgen("new", "fleet", "--from", "a.csv", at=here)
    assert (said.code, said.err) == (
        1,
        "a.csv: error: the file is larger than 1 MB [file]\n"
        "no game was made; correct this and run the command once more\n",
    )


def test_a_workbook_that_unpacks_to_too_much(cardgen: Cardgen, here: Path) -> None:
    with zipfile.ZipFile(here / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/worksheets/sheet1.xml", bytes(201_000_000))
    said = cardgen("new", "fleet", "--from", "bomb.xlsx", at=here)
    assert said.code == 1
    assert said.err.startswith("bomb.xlsx: error: the workbook unpacks to more than 200 MB")


@pytest.mark.parametrize(
    ("name", "deck"),
    [
        ("rules.csv", "cards"), ("nul.csv", "nul-2"), ("table.csv", "table"),
        ("game.yaml.csv", "game-yaml"), ("Äijän Kortit!.CSV", "aijan-kortit"), ("船.csv", "cards"),
        ("x" * 200 + ".csv", "x" * 94), ("../up.csv", "up"), ("{{ x }}.csv", "x"),
    ],
)  # fmt: skip
def test_odd_names_of_tables(cardgen: Cardgen, here: Path, name: str, deck: str) -> None:
    (here / name).write_bytes(b"Name;Cost\nTug;1\n")
    said = cardgen("new", "fleet", "--from", name, at=here)
    assert (said.code, said.err) == (0, "")
    cards = {path.name for path in (here / "fleet/cards").iterdir()}
    assert cards == {f"{deck}.yaml", f"{deck}.csv", "rules.yaml"}
    assert cardgen("check", "fleet", at=here).err == ""


HOSTILE = [
    "=cmd|'/c calc'!A0", "{{ card.__class__ }}", "{% for x in y %}", "<script>alert(1)</script>",
    "- a: b", "*alias", "&anchor", "!tag", "../../etc/passwd", "\u202egnp.exe", "a\u0085b\u2028c",
    "x" * 2000, "%PDF", "${HOME}", "true", "null", "\u0e01\u0e33" * 3,
]  # fmt: skip


@pytest.mark.parametrize("place", ["heading", "cell", "json"])
def test_whatever_stands_in_a_table_is_kept_as_it_is(
    cardgen: Cardgen, here: Path, place: str
) -> None:
    if place == "heading":
        heads = ["Name", *(text[:150] for text in HOSTILE)]
        workbook(here / "a.xlsx", [heads, ["Tug", *("1" for _ in HOSTILE)]])
    elif place == "cell":
        workbook(here / "a.xlsx", [["Name", "Detail"], *([f"Card {n}", "'" + text]
                 for n, text in enumerate(HOSTILE))])  # fmt: skip
    else:
        cards = [{"name": f"Card {n}", "detail": text, text[:150]: 1}
                 for n, text in enumerate(HOSTILE)]  # fmt: skip
        (here / "a.json").write_text(json.dumps(cards), encoding="utf-8")
    table = "a.json" if place == "json" else "a.xlsx"
    said = cardgen("new", "fleet", "--from", table, at=here)
    assert said.code == 0
    assert {line.rpartition("[")[2] for line in said.err.splitlines()} <= {"markup]", "icon]"}
    said = cardgen("list", "--json", "fleet", at=here)
    assert said.err == ""
    if place != "heading":
        pieces = json.loads(said.out)["decks"][0]["pieces"]
        told = [piece["fields"]["detail"]["en"] for piece in pieces]
        sign = "'" if place == "cell" else ""
        assert told == [f"{sign}{text}" for text in HOSTILE]


def test_a_column_of_colours_is_the_accent_and_no_number_takes_a_disc_unasked(
    cardgen: Cardgen, here: Path
) -> None:
    (here / "boats.csv").write_text(
        "Name,Cost,Weight,Tint,Text\nBoat,2,1.5,#a53250,Draw 1\nShip,3,0.75,#1f5a96,x\n"
    )
    said = cardgen("new", "boats", "--from", "boats.csv", at=here)
    assert "  on the cards: Name (title), Text (text), Cost (cost), Tint (accent)" in (
        said.out.splitlines()
    )
    assert "  not on the cards: Weight; add them under places:" in said.out.splitlines()
    text = (here / "boats/cards/boats.yaml").read_text()
    assert "  tint: colour\n" in text
    assert "  accent: tint\n" in text


def test_decimals_with_a_comma_are_numbers(cardgen: Cardgen, here: Path) -> None:
    (here / "boote.csv").write_text("Name;Gewicht;Text\nBoot;1,5;Ziehe 1\nSchiff;0,75;x\n")
    assert cardgen("new", "boote", "--from", "boote.csv", "--lang", "de", at=here).code == 0
    assert "  gewicht: number\n" in (here / "boote/cards/boote.yaml").read_text()
    (here / "veneet.csv").write_text(
        "Nimi (suomi);Name (Deutsch);Paino\nVene;Boot;1,5\nLaiva;Schiff;0,75\nLautta;Fähre;12\n"
    )
    assert cardgen("new", "veneet", "--from", "veneet.csv", at=here).code == 0
    assert "  paino: number\n" in (here / "veneet/cards/veneet.yaml").read_text()

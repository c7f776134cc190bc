"""Virtual tables: what lies where, sheets of faces, the save, its checker, and other tables."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import MakeGame
from PIL import Image
from pixels import pixel
from small_games import contents, make, write_game
from table_games import (
    BASE,
    SCHEMA,
    SMALL,
    a_game,
    numbered,
    objects,
    saved,
    seated,
)
from table_picture import cell, local

from cardgen.cli.file_check_commands import check_against_game
from cardgen.pipeline.build import Request
from cardgen.pipeline.manifest import Manifest, ManifestEntry, StagedFile, hash_bytes
from cardgen.rules import rule_file
from cardgen.runtime import safe_files
from cardgen.runtime.content_store import Store
from cardgen.tabletop import table_contents, tts_checker, tts_output


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Decks of 1, 2, 69, 70, 71 and 200 cards, unlike backs, a two-sided board, and tokens."""
    decks = {f"d{n}": numbered(f"d{n}", n) for n in (1, 2, 69, 70, 71, 200)}
    decks["unlike"] = numbered("unlike", 5, back="own-back.html")
    decks["board"] = numbered("board", 1, back="own-back.html", size="210 x 148")
    decks["tokens"] = numbered("tokens", 2, back="", size="16 x 16").replace(
        "id: c0,", "id: c0, copies: 7,"
    )
    root = write_game(tmp_path_factory.mktemp("table"), a_game(decks))
    make(root, SMALL, outputs=("tts",))
    return root


@pytest.mark.parametrize(
    ("count", "sheets"),
    [(1, [1]), (2, [2]), (69, [69]), (70, [69, 1]), (71, [69, 2]), (200, [69, 69, 62])],
)
def test_decks_of_many_sizes(table: Path, count: int, sheets: list[int]) -> None:
    """At most 69 faces a sheet; one card is a card and no deck."""
    _, save = saved(table)
    found = next(o for o in save["ObjectStates"] if f"d{count}" in o["Tags"])
    assert found["Name"] == ("Card" if count == 1 else "Deck")
    ids = found["DeckIDs"] if count > 1 else [found["CardID"]]
    assert len(ids) == len(set(ids)) == count
    by_sheet: dict[int, list[int]] = {}
    for number in ids:
        by_sheet.setdefault(number // 100, []).append(number % 100)
    assert list(by_sheet.values()) == [list(range(n)) for n in sheets]
    for key, cells in by_sheet.items():
        sheet = found["CustomDeck"][str(key)]
        assert len(cells) < sheet["NumWidth"] * sheet["NumHeight"] <= 70
        assert sheet["BackIsHidden"]
        assert not sheet["UniqueBack"]


def test_the_last_cell_is_the_back(table: Path) -> None:
    path, save = saved(table)
    for found in save["ObjectStates"]:
        for sheet in found.get("CustomDeck", {}).values():
            image = local(sheet["FaceURL"], path.parent / "images")
            last = cell(image, sheet, sheet["NumWidth"] * sheet["NumHeight"] - 1)
            back = local(sheet["BackURL"], path.parent / "images")
            want = back.getpixel((back.width - 5, back.height - 5))
            assert last.getpixel((last.width - 5, last.height - 5)) == want


def test_unlike_backs_have_a_sheet(table: Path) -> None:
    _, save = saved(table)
    (deck,) = (o for o in save["ObjectStates"] if "unlike" in o["Tags"])
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["UniqueBack"]
    assert sheet["BackURL"] != sheet["FaceURL"]


def test_a_two_sided_board_is_a_tile(table: Path) -> None:
    _, save = saved(table)
    (board,) = (o for o in save["ObjectStates"] if "board" in o["Tags"])
    assert board["Name"] == "Custom_Tile"
    assert board["CustomImage"]["ImageURL"] != board["CustomImage"]["ImageSecondaryURL"] != ""
    pose = board["Transform"]
    assert (50.8 * pose["scaleX"], 50.8 * pose["scaleZ"]) == pytest.approx((210, 148), abs=1e-3)


def test_tokens_lie_in_infinite_bags(table: Path) -> None:
    _, save = saved(table)
    bags = objects(save, "Infinite_Bag")
    assert [bag["Nickname"] for bag in bags] == ["Card 0", "Card 1"]
    assert all(len(bag["ContainedObjects"]) == 1 for bag in bags)


def test_a_card_has_its_texts_and_tags(table: Path) -> None:
    _, save = saved(table)
    card = next(c for c in objects(save, "Card") if c["GMNotes"].startswith("d2/c1 "))
    assert card["Nickname"] == "Card 1"
    assert card["Description"] == "Do 1 things."
    assert card["Tags"] == ["d2", "kind:b"]
    assert card["GMNotes"].split()[2] == "en"
    assert len(card["GMNotes"].split()[1]) == 4
    pose = card["Transform"]
    assert (56 * pose["scaleX"], 80 * pose["scaleZ"]) == pytest.approx((63.5, 88.9), abs=1e-3)


def test_the_save_keeps_the_schema_and_the_rules(table: Path) -> None:
    path, save = saved(table)
    jsonschema.validate(save, SCHEMA)
    checked = tts_checker.check_save(path, path.parent)
    assert checked.findings == ()
    assert checked.pictures_missing == 0 < checked.pictures_found
    found, problems = check_against_game(Request(table), checked)
    assert (found, problems) == ([], [])


def test_rule_7_finds_a_wrong_face_and_a_wrong_number(table: Path, tmp_path: Path) -> None:
    """Two cards that changed places, and one that is there twice."""
    path, save = saved(table)
    deck = next(o for o in save["ObjectStates"] if "d2" in o["Tags"])
    first, second = deck["ContainedObjects"]
    first["GMNotes"], second["GMNotes"] = second["GMNotes"], first["GMNotes"]
    save["ObjectStates"].append({**first, "GUID": "ffffff"})
    file = tmp_path / "save.json"
    file.write_text(json.dumps(save))
    checked = tts_checker.check_save(file, path.parent)
    found, _ = check_against_game(Request(table), checked)
    assert {finding.rule for finding in found} == {7}
    assert sum("is not this card" in str(finding) for finding in found) == 2
    assert any("2 copies of d2/c1; the game has 1" in str(finding) for finding in found)


def test_a_sheet_is_within_the_limit(table: Path) -> None:
    for image in (table / "build/en/tts/images").iterdir():
        with Image.open(image) as opened:
            assert max(opened.size) <= 1024
            assert opened.mode == "RGB"


def test_two_builds_are_the_same(make_game: MakeGame, tmp_path: Path) -> None:
    root = make_game(a_game({"d": numbered("d", 3)}))
    wanted = ("tts", "tabletop-playground", "playingcards", "folder")
    make(root, BASE, outputs=wanted, folder=tmp_path / "one")
    shutil.rmtree(root / "build")
    make(root, BASE, outputs=wanted, folder=tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_an_edited_card_changes_what_it_must(make_game: MakeGame) -> None:
    """Its sheet and the save; GUIDs, cells and the other decks' files stay."""
    root = make_game(a_game({"d": numbered("d", 3), "e": numbered("e", 4)}))
    make(root, BASE, outputs=("tts",))
    before, old = contents(root / "build"), saved(root)[1]
    deck = root / "cards" / "d.yaml"
    text = deck.read_text()
    colour = text.split("id: c1,")[1].split("colour: '")[1][:7]
    deck.write_text(text.replace(colour, "#ffffff"))
    make(root, BASE, outputs=("tts",))
    after, new = contents(root / "build"), saved(root)[1]
    gone, come = set(before) - set(after), set(after) - set(before)
    assert len(gone) == len(come) == 1
    assert next(iter(come)).endswith(".png")
    changed = {name for name in set(before) & set(after) if before[name] != after[name]}
    assert changed == {"en/tts/small.json", ".cardgen.json"}
    for a, b in zip(
        tts_checker.iterate_objects(old), tts_checker.iterate_objects(new), strict=True
    ):
        assert a.value["GUID"] == b.value["GUID"]
        assert a.value.get("DeckIDs") == b.value.get("DeckIDs")


def test_a_card_added_at_the_end_moves_no_other(make_game: MakeGame) -> None:
    root = make_game(a_game({"d": numbered("d", 3)}))
    make(root, BASE, outputs=("tts",))
    old = {o["GMNotes"]: o["GUID"] for o in objects(saved(root)[1], "Card")}
    (root / "cards/d.yaml").write_text(numbered("d", 5))
    make(root, BASE, outputs=("tts",))
    new = {o["GMNotes"]: o["GUID"] for o in objects(saved(root)[1], "Card")}
    assert old.items() <= new.items()
    assert len(new) == 5


@pytest.mark.parametrize(
    ("change", "rule", "said"),
    [
        (lambda o: o["DeckIDs"].reverse(), 1, "they part at number 1"),
        (
            lambda o: o["CustomDeck"].update({"77": next(iter(o["CustomDeck"].values()))}),
            2,
            "77 too many",
        ),
        (
            lambda o: o["CustomDeck"][str(o["DeckIDs"][0] // 100)].update(NumWidth=1, NumHeight=1),
            3,
            "uses cell 1",
        ),
        (lambda o: (o["DeckIDs"].pop(), o["ContainedObjects"].pop()), 4, "one alone is a Card"),
        (lambda o: o["CustomDeck"].update({"99999999999": {}}), 5, "from 1 to 21474836"),
        (
            lambda o: o["CustomDeck"][str(o["DeckIDs"][0] // 100)].update(NumWidth=7),
            6,
            "not a multiple of 7",
        ),
    ],
)
def test_the_checker_names_the_object_at_fault(
    table: Path, tmp_path: Path, change: Any, rule: int, said: str
) -> None:
    path, save = saved(table)
    deck = next(o for o in save["ObjectStates"] if "d2" in o["Tags"])
    change(deck)
    file = tmp_path / "save.json"
    file.write_text(json.dumps(save))
    found = tts_checker.check_save(file, path.parent).findings
    assert any(f.rule == rule and said in f.message and deck["GUID"] in f.where for f in found), (
        found
    )


def test_a_missing_picture_is_reported(table: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(table, tmp_path / "copy"))
    make(copy, SMALL, outputs=("tts",))
    path, _ = saved(copy)
    next((path.parent / "images").iterdir()).unlink()
    found = tts_checker.check_save(path, path.parent).findings
    assert any(f.rule == 6 and "does not exist" in f.message for f in found)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"ObjectStates": 3}', "[" * 100_000, '{"a": ' + "1" * 5000 + "}"]
)
def test_an_invalid_save_raises_no_exception(tmp_path: Path, text: str) -> None:
    file = tmp_path / "save.json"
    file.write_text(text)
    assert tts_checker.check_save(file, tmp_path).findings


def test_deep_and_senseless_objects_are_limited(tmp_path: Path) -> None:
    inner: dict[str, Any] = {"Name": "Bag"}
    for _ in range(200):
        inner = {"Name": "Bag", "ContainedObjects": [inner, 3, None, "x"]}
    senseless = {
        "Name": 3,
        "GUID": [],
        "CardID": "x",
        "DeckIDs": {},
        "CustomDeck": [],
        "CustomImage": 7,
    }
    worse = {
        "Name": "Deck",
        "DeckIDs": [True, -5, 1e9],
        "CustomDeck": {"-1": {"NumWidth": -1}, "1": 3},
    }
    file = tmp_path / "save.json"
    file.write_text(json.dumps({"ObjectStates": [inner, senseless, worse]}))
    found = tts_checker.check_save(file, tmp_path).findings
    assert any("nested more than" in f.message for f in found)


def test_the_checker_opens_no_file_elsewhere(tmp_path: Path) -> None:
    """Not by a file URL, not by a climbing one, not through a link."""
    secret = tmp_path / "secret.png"
    Image.new("RGB", (8, 8)).save(secret)
    folder = tmp_path / "there"
    folder.mkdir()
    (folder / "link.png").symlink_to(secret)
    for url in (secret.as_uri(), "file:///x/../secret.png", "link.png"):
        tile = {
            "Name": "Custom_Tile",
            "GUID": "abcdef",
            "Transform": {},
            "CustomImage": {"ImageURL": url},
        }
        (folder / "save.json").write_text(json.dumps({"ObjectStates": [tile]}))
        assert tts_checker.check_save(folder / "save.json", folder).pictures_found == 0


def publish_book(root: Path, data: bytes) -> None:
    """As a build leaves a rulebook."""
    folder = root / "build"
    with safe_files.open_scratch(folder) as scratch:
        (scratch / "book").write_bytes(data)
        entry = ManifestEntry("key", "rulebook", "en", hash_bytes(data))
        new = {"en/rulebook.pdf": StagedFile(scratch / "book", entry)}
        Manifest(folder, Store(folder / ".store")).publish_files(scratch, new, [])


def test_the_rulebook_is_taken_along(make_game: MakeGame) -> None:
    root = make_game(a_game({"d": numbered("d", 2)}))
    make(root, BASE, outputs=("tts",))
    publish_book(root, b"%PDF-1.7 a book")
    make(root, BASE, outputs=("tts",))
    _, save = saved(root)
    (pdf,) = objects(save, "Custom_PDF")
    name = pdf["CustomPDF"]["PDFUrl"].removeprefix("https://cards.example/x/")
    assert (root / "build/en/tts/images" / name).read_bytes() == b"%PDF-1.7 a book"
    jsonschema.validate(save, SCHEMA)


def test_a_rulebook_that_came_with_the_game_is_left_alone(make_game: MakeGame) -> None:
    root = make_game(a_game({"d": numbered("d", 2)}))
    (root / "build/en").mkdir(parents=True)
    (root / "build/en/rulebook.pdf").write_bytes(b"%PDF-1.7 of a stranger")
    make(root, BASE, outputs=("tts",))
    _, save = saved(root)
    assert not objects(save, "Custom_PDF")
    assert not [*(root / "build/en/tts/images").glob("*.pdf")]


def test_installing(make_game: MakeGame, tmp_path: Path) -> None:
    root = make_game(a_game({"d": numbered("d", 2)}))
    report = make(root, SMALL, outputs=("tts",))
    there = tts_output.install_saves(report.folder, report.file_paths, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in there] == [
        "Saves/Saved Objects/small en.json"
    ]
    thumbnail = Image.open(there[0].with_suffix(".png"))
    assert thumbnail.size == (256, 256)
    assert thumbnail.mode == "RGBA"
    assert pixel(thumbnail, (0, 0))[3] == 0


def test_where_the_client_keeps_its_saves() -> None:
    home = Path("/home/me")
    assert tts_output.list_candidate_folders("linux", home, {}) == [
        home / ".local/share/Tabletop Simulator"
    ]
    assert tts_output.list_candidate_folders("darwin", home, {}) == [
        home / "Library/Tabletop Simulator"
    ]
    found = tts_output.list_candidate_folders(
        "win32", home, {"USERPROFILE": "/u", "OneDrive": "/o"}
    )
    assert found == [Path(p) / "Documents/My Games/Tabletop Simulator" for p in ("/o", "/u")]


def test_a_card_without_a_name_is_called_by_its_title(tmp_path: Path) -> None:
    game, _ = rule_file.load_game(write_game(tmp_path, {
        "game.yaml": "title: Storms\nlanguages: [en]\n",
        "cards/storms.yaml": "deck: storms\ntitle: Storms\nlook: text\n"
        "cards:\n  - {id: a, title: '**Fog**', text: Wait.}\n  - {id: b, text: Go back.}\n",
    }))  # fmt: skip
    assert game is not None
    names = [table_contents.format_nickname(each, game, "en") for each in game.decks[0].pieces]
    assert names == ["Fog", "Storms b"]


def test_the_thumbnail_is_the_cover_of_the_rulebook(make_game: MakeGame, tmp_path: Path) -> None:
    """Where it is built already; else, or where it cannot be drawn, it is a face."""
    root = make_game(seated())
    make(root, SMALL, outputs=("tts",))
    (file,) = (root / "build/en/tts").glob("*.png")
    face = file.read_bytes()
    cover = Image.new("RGB", (420, 595), "#123456")
    cover.save(tmp_path / "book.pdf")
    publish_book(root, (tmp_path / "book.pdf").read_bytes())
    make(root, SMALL, outputs=("tts",))
    with Image.open(file) as thumbnail:
        assert thumbnail.size == (256, 256)
        for at in ((128, 128), (128, 2)):
            assert pixel(thumbnail, at) == pytest.approx((0x12, 0x34, 0x56, 255), abs=2)
        assert pixel(thumbnail, (20, 128))[3] == 0
    publish_book(root, b"%PDF-1.7 nothing")
    make(root, SMALL, outputs=("tts",))
    assert file.read_bytes() == face

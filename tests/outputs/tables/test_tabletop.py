"""Virtual tables: what lies where, sheets of faces, the save, its checker, and other tables."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import ROOT, MakeGame
from PIL import Image
from pixels import pixel
from small_games import GAME, contents, make, marked_deck, marked_game, options, write_game
from table_picture import cell, draw, local, lying, overlaps, picture_of

from cardgen import build
from cardgen.base.problems import Source
from cardgen.base.units import Size
from cardgen.build import Request
from cardgen.cli.tables import prove
from cardgen.game.model import Player, Text
from cardgen.outputs.contract import TableOptions
from cardgen.outputs.tables import checker, installation, seats, setup
from cardgen.outputs.tables.atlas import grid_for
from cardgen.outputs.tables.layout import Item, lay
from cardgen.outputs.tables.save import safe_name
from cardgen.rules import composition

SCHEMA = json.loads((Path(__file__).parent / "save.schema.json").read_text(encoding="utf-8"))
TTS = options(dpi=72)
BASE = replace(
    TTS, tables=TableOptions(sheet_px=1024, png=True, base_url="https://cards.example/x")
)
SMALL = replace(TTS, tables=TableOptions(sheet_px=1024, png=True))

NUMBERED = (
    '<div class="bleed" style="background: {{ card.colour }}"></div>'
    '<div style="position: absolute; left: 5mm; top: 5mm; font-size: '
    '{{ "30pt" if deck.width > 30 else "10pt" }}">{{ card.id }}</div>'
)
PLAIN_BACK = '<div class="bleed" style="background: #204060"></div>'
OWN_BACK = (
    '<div class="bleed" style="background: #602040"></div>'
    '<div style="position: absolute; left: 6mm; top: 8mm; font-size: 30pt">{{ card.id }}</div>'
)


def numbered(name: str, count: int, *, back: str = "back.html", size: str = "poker") -> str:
    """A deck of so many unlike cards."""
    lines = [
        f"deck: {name}\ntitle: {{en: {name.title()}}}\nsize: {size}\nfront: numbered.html\n",
        f"back: {back}\n" if back else "",
        "fields:\n  name: text\n  text: {type: text, printed: false}\n  colour: string\n",
        "  kind: {type: choice, of: [a, b], printed: false}\n",
        "cards:\n",
    ]
    for n in range(count):
        colour = f"#{(n * 53) % 156 + 100:02x}{(n * 97) % 156 + 100:02x}{(n * 29) % 156 + 100:02x}"
        lines.append(
            f"  - {{id: c{n}, name: {{en: Card {n}}}, text: {{en: 'Do **{n}** things.'}},"
            f" colour: '{colour}', kind: {'ab'[n % 2]}}}\n"
        )
    return "".join(lines)


def a_game(decks: dict[str, str], **more: str) -> dict[str, str]:
    return {
        "game.yaml": GAME,
        "templates/numbered.html": NUMBERED,
        "templates/back.html": PLAIN_BACK,
        "templates/own-back.html": OWN_BACK,
        **{f"cards/{name}.yaml": text for name, text in decks.items()},
        **more,
    }


def saved(root: Path, language: str = "en") -> tuple[Path, dict[str, Any]]:
    path = root / "build" / language / "tts" / "small.json"
    return path, json.loads(path.read_text(encoding="utf-8"))


def objects(save: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [found for _, found, _ in checker.objects_of(save) if found["Name"] == name]


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


def test_a_card_says_what_it_is(table: Path) -> None:
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
    checked = checker.check(path, path.parent)
    assert checked.findings == ()
    assert checked.unseen == 0 < checked.seen
    found, problems = prove(Request(table), checked)
    assert (found, problems) == ([], [])


def test_rule_7_finds_a_wrong_face_and_a_wrong_number(table: Path) -> None:
    """Two cards that changed places, and one that is there twice."""
    path, save = saved(table)
    deck = next(o for o in save["ObjectStates"] if "d2" in o["Tags"])
    first, second = deck["ContainedObjects"]
    first["GMNotes"], second["GMNotes"] = second["GMNotes"], first["GMNotes"]
    save["ObjectStates"].append({**first, "GUID": "ffffff"})
    checked = replace(checker.check(path, path.parent), save=save)
    found, _ = prove(Request(table), checked)
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
    for a, b in zip(checker.objects_of(old), checker.objects_of(new), strict=True):
        assert a[1]["GUID"] == b[1]["GUID"]
        assert a[1].get("DeckIDs") == b[1].get("DeckIDs")


def test_a_card_added_at_the_end_moves_no_other(make_game: MakeGame) -> None:
    root = make_game(a_game({"d": numbered("d", 3)}))
    make(root, BASE, outputs=("tts",))
    old = {o["GMNotes"]: o["GUID"] for o in objects(saved(root)[1], "Card")}
    (root / "cards/d.yaml").write_text(numbered("d", 5))
    make(root, BASE, outputs=("tts",))
    new = {o["GMNotes"]: o["GUID"] for o in objects(saved(root)[1], "Card")}
    assert old.items() <= new.items()
    assert len(new) == 5


PLAYERS = (
    "players:\n  - {id: red, name: {en: Red}, colour: '#c0392b'}\n"
    "  - {id: sky, name: {en: Sky}, colour: '#4080ff'}\nconstants: {start: 2}\n"
)
TABLE = """seat:
  - {deck: d, take: 1, as: spread}
  - deck: boards
    as: board
    row: 2
    markers: [{card: tokens/c0, at: [10 + 20 * start, 30]}]
middle:
  - {deck: d, where: "kind == 'b'"}
  - {deck: tokens, as: infinite}
notes:
  - {title: {en: First}, text: {en: "Shuffle *all*."}}
"""


def seated(**more: str) -> dict[str, str]:
    cards = numbered("d", 4).replace("id: c0,", "id: c0, copies: 9,")
    for n in (1, 2, 3):
        cards = cards.replace(f"id: c{n},", f"id: c{n}, copies: 2,")
    boards = numbered("boards", 1, back="", size="100 x 60") + "for_each: player\n"
    tokens = numbered("tokens", 1, back="", size="16 x 16").replace("id: c0,", "id: c0, copies: 5,")
    files = a_game({"d": cards, "boards": boards, "tokens": tokens}, **{"table.yaml": TABLE})
    return {**files, "game.yaml": GAME + PLAYERS, **more}


def test_a_declared_table(make_game: MakeGame) -> None:
    """Seats with their own pieces, markers at their millimetres, notes, and hand zones."""
    root = make_game(seated())
    make(root, SMALL, outputs=("tts",))
    path, save = saved(root)
    jsonschema.validate(save, SCHEMA)
    assert checker.check(path, path.parent).findings == ()
    things = list(lying(save))
    assert overlaps(things) == []
    assert {o["FogColor"] for o in objects(save, "HandTrigger")} == {"Red", "Blue"}
    (note,) = objects(save, "Notecard")
    assert (note["Nickname"], note["Description"]) == ("First", "Shuffle all.")
    boards = [thing for thing in things if "boards" in thing.object["Tags"]]
    markers = [thing for thing in things if thing.raised]
    assert [board.turn for board in boards] == [0, 180]
    for board, marker in zip(boards, markers, strict=True):
        sign = 1 if board.turn == 0 else -1
        off = (sign * (marker.x - board.x) + 50, 30 - sign * (marker.y - board.y))
        assert off == pytest.approx((50, 30), abs=0.01)
        assert board.object["Locked"]
    left = [o for o in save["ObjectStates"] if o["Name"] == "Card" and o["Tags"] == ["d", "kind:a"]]
    assert len(left) == 2 * 2  # c0 and c2 at both seats; c1 and c3 are tagged b
    copies = sum(1 for o in objects(save, "Card") if o["GMNotes"].startswith("d/c0 "))
    assert copies == 9


def test_a_table_is_the_right_way_up(make_game: MakeGame) -> None:
    """The far side's pieces stand on their heads for the near side; the plan shows it."""
    root = make_game(seated())
    make(root, SMALL, outputs=("tts",))
    path, save = saved(root)
    folder = path.parent / "images"
    plan = draw(save, folder, 1.0)
    boards = [thing for thing in lying(save) if "boards" in thing.object["Tags"]]
    assert boards[0].y < 0 < boards[1].y
    upright = picture_of(boards[0].object, folder)
    assert upright is not None
    dark = [
        sum(upright.convert("L").crop((0, y, upright.width, y + 1)).tobytes())
        for y in range(upright.height)
    ]
    assert min(range(len(dark)), key=dark.__getitem__) < upright.height / 2
    assert plan.width > 200


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("middle:\n  - {deck: dd}\n", "table.yaml:2: error: there is no deck 'dd'"),
        ("middle:\n  - {deck: d, as: heap}\n", "table.yaml:2: error: as is 'heap'"),
        ("middle:\n  - {deck: d, take: 40}\n", "40 × c0 are asked for, and 9 are left of d"),
        ("middle:\n  - {deck: d, where: colr == 1}\n", "table.yaml:2: error: "),
        ("middle:\n  - {deck: d, where: kind == 'c'}\n", "holds for no card of d"),
        ("middle:\n  - {deck: d, by: knd}\n", "d has no field 'knd'; did you mean 'kind'?"),
        (
            "middle:\n  - {deck: boards, markers: [{card: tokens/x, at: [1, 2]}]}\n",
            "there is no 'x' in tokens",
        ),
        (
            "middle:\n  - {deck: boards, markers: [{card: tokens/c0, at: [900, 2]}]}\n",
            "no place on boards",
        ),
        ("midle: []\n", "unknown field 'midle' in the table; did you mean 'middle'?"),
        ("[]\n", "the table is a list"),
    ],
)
def test_mistakes_in_a_table_are_told(make_game: MakeGame, line: str, said: str) -> None:
    root = make_game(seated(**{"table.yaml": line}))
    _, _, problems = build.check(Request(root))
    assert any(said in str(problem) for problem in problems), [str(p) for p in problems]


def test_every_copy_of_the_flagship_lies_in_one_place() -> None:
    game, _ = composition.load(ROOT)
    assert game is not None
    things, problems = setup.things(game)
    assert problems == []
    laid: dict[tuple[str, str], int] = {}
    for thing in things:
        for piece, copies in thing.pieces:
            laid[thing.deck.id, piece.id] = laid.get((thing.deck.id, piece.id), 0) + copies
        for marker in thing.markers:
            laid[marker.deck.id, marker.piece.id] = (
                laid.get((marker.deck.id, marker.piece.id), 0) + 1
            )
    for deck in game.decks:
        for piece in deck.pieces:
            key = (deck.id, piece.id)
            assert laid[key] == piece.copies


@pytest.mark.parametrize("players", range(11))
def test_nothing_overlaps_with_any_number_of_players(players: int) -> None:
    items = [Item(f"m{n}", 60 + n, 90, row=n // 4 + 1) for n in range(9)]
    items += [Item(f"n{n}", 130, 90, side=-1) for n in range(5)]
    items += [Item(f"s{p}-{n}", 70 + 20 * n, 80, p) for p in range(players) for n in range(6)]
    spots = lay(items, players, 500, 8)
    boxes = {i.id: (spots[i.id].x, spots[i.id].y, i.width, i.height) for i in items}
    for a, (x, y, w, h) in boxes.items():
        for b, (u, v, s, t) in boxes.items():
            assert a == b or abs(x - u) >= (w + s) / 2 - 1e-6 or abs(y - v) >= (h + t) / 2 - 1e-6


def test_a_grid_uses_the_room() -> None:
    """69 poker cards fill a 10 × 7 sheet of 4096 px; few are drawn at 300 dpi at most."""
    full = grid_for(69, Size(63.5, 88.9), 4096)
    assert (full.columns, full.rows, full.width, full.height) == (10, 7, 409, 573 - 1)
    one = grid_for(1, Size(63.5, 88.9), 4096)
    assert (one.columns, one.rows, one.width, one.height) == (2, 2, 750, 1050)


def player(name: str, colour: str) -> Player:
    return Player(name, Text({"en": name}, Source("x")), colour, "", Source("x"))


def test_players_sit_at_the_nearest_free_colour() -> None:
    two = [player("a", "#d95f8c"), player("b", "#f570ce"), player("c", "#1f5a96")]
    found = seats.colours(two)
    assert found["b"] == "Pink"
    assert found["a"] != "Pink"
    assert len(set(found.values())) == 3


def test_a_game_cannot_name_a_file_elsewhere() -> None:
    assert safe_name("../../etc/passwd") == "etc-passwd"
    assert safe_name("..") == "game"


@pytest.mark.parametrize(
    ("change", "rule", "said"),
    [
        (lambda o: o["DeckIDs"].reverse(), 1, "they part at number 1"),
        (lambda o: o["CustomDeck"].update({"77": {}}), 2, "77 too many"),
        (
            lambda o: o["CustomDeck"][str(o["DeckIDs"][0] // 100)].update(NumWidth=1, NumHeight=1),
            3,
            "stands in cell 1",
        ),
        (lambda o: (o["DeckIDs"].pop(), o["ContainedObjects"].pop()), 4, "one alone is a Card"),
        (lambda o: o["CustomDeck"].update({"99999999999": {}}), 5, "above 21474836"),
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
    found = checker.check(file, path.parent).findings
    assert any(f.rule == rule and said in f.message and deck["GUID"] in f.where for f in found), (
        found
    )


def test_a_missing_picture_is_told(table: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(table, tmp_path / "copy"))
    make(copy, SMALL, outputs=("tts",))
    path, _ = saved(copy)
    next((path.parent / "images").iterdir()).unlink()
    found = checker.check(path, path.parent).findings
    assert any(f.rule == 6 and "does not exist" in f.message for f in found)


@pytest.mark.parametrize(
    "text", ["[]", "{", '{"ObjectStates": 3}', "[" * 100_000, '{"a": ' + "1" * 5000 + "}"]
)
def test_a_strangers_file_is_no_exception(tmp_path: Path, text: str) -> None:
    file = tmp_path / "save.json"
    file.write_text(text)
    assert checker.check(file, tmp_path).findings


def test_deep_and_senseless_objects_are_bounded(tmp_path: Path) -> None:
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
    found = checker.check(file, tmp_path).findings
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
        assert checker.check(folder / "save.json", folder).seen == 0


def test_the_rulebook_is_taken_along(make_game: MakeGame) -> None:
    root = make_game(a_game({"d": numbered("d", 2)}))
    book = root / "build" / "en" / "rulebook.pdf"
    book.parent.mkdir(parents=True)
    book.write_bytes(b"%PDF-1.7 a book")
    make(root, BASE, outputs=("tts",))
    _, save = saved(root)
    (pdf,) = objects(save, "Custom_PDF")
    name = pdf["CustomPDF"]["PDFUrl"].removeprefix("https://cards.example/x/")
    assert (root / "build/en/tts/images" / name).read_bytes() == b"%PDF-1.7 a book"
    jsonschema.validate(save, SCHEMA)


def test_installing(make_game: MakeGame, tmp_path: Path) -> None:
    root = make_game(a_game({"d": numbered("d", 2)}))
    report = make(root, SMALL, outputs=("tts",))
    there = installation.install(report.folder, report.paths, tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in there] == [
        "Saves/Saved Objects/small en.json"
    ]
    thumbnail = Image.open(there[0].with_suffix(".png"))
    assert thumbnail.size == (256, 256)
    assert thumbnail.mode == "RGBA"
    assert pixel(thumbnail, (0, 0))[3] == 0


def test_where_the_client_keeps_its_saves() -> None:
    home = Path("/home/me")
    assert installation.candidates("linux", home, {}) == [home / ".local/share/Tabletop Simulator"]
    assert installation.candidates("darwin", home, {}) == [home / "Library/Tabletop Simulator"]
    found = installation.candidates("win32", home, {"USERPROFILE": "/u", "OneDrive": "/o"})
    assert found == [Path(p) / "Documents/My Games/Tabletop Simulator" for p in ("/o", "/u")]


def test_a_playground_package(make_game: MakeGame) -> None:
    root = make_game(
        a_game(
            {
                "d": numbered("d", 3).replace("id: c1,", "id: c1, copies: 3,"),
                "u": numbered("u", 2, back="own-back.html"),
            }
        )
    )
    make(root, SMALL, outputs=("tabletop-playground",))
    base = root / "build/en/tabletop-playground/small-en"
    manifest = json.loads((base / "Manifest.json").read_text())
    assert set(manifest) == {"Name", "Version", "GUID"}
    assert len(manifest["GUID"]) == 32
    deck = json.loads((base / "Templates/d.json").read_text())
    assert deck["Indices"] == [0, 1, 1, 1, 2]
    assert deck["CardNames"]["2"] == "Card 2"
    assert (deck["Width"], deck["Height"], deck["BackIndex"]) == (6.35, 8.89, -2)
    assert json.loads((base / "Templates/u.json").read_text())["BackIndex"] == -3
    assert (base / "Textures" / deck["FrontTexture"]).is_file()


def test_a_playingcards_file(make_game: MakeGame) -> None:
    root = make_game(seated())
    make(root, SMALL, outputs=("playingcards",))
    with zipfile.ZipFile(root / "build/en/playingcards/small.pcio") as package:
        widgets = json.loads(package.read("widgets.json"))
        names = set(package.namelist())
    decks = {w["id"]: w for w in widgets if w["type"] == "cardDeck"}
    cards = [w for w in widgets if w["type"] == "card"]
    assert len(cards) == 9 + 2 + 2 + 2 + 2 + 5  # every copy in the box
    for card in cards:
        kind = decks[card["deck"]]["cardTypes"][card["cardType"]]
        for side in ("face", "back"):
            assert kind[side].removeprefix("package://") in names


def test_a_plain_folder(make_game: MakeGame) -> None:
    root = make_game(seated())
    make(root, replace(SMALL, width_px=200), outputs=("folder",))
    base = root / "build/en/folder"
    rows = list(csv.DictReader(io.StringIO((base / "cards.csv").read_text(encoding="utf-8"))))
    assert [row["copies"] for row in rows if row["deck"] == "d"] == ["9", "2", "2", "2"]
    for row in rows:
        sizes = {Image.open(base / row[side]).size for side in ("front", "back") if row[side]}
        assert len(sizes) == 1
        assert next(iter(sizes))[0] == 200


@pytest.mark.parametrize(("form", "name"), [("png", "PNG"), ("jpeg", "JPEG"), ("webp", "WEBP")])
def test_images_in_every_format(make_game: MakeGame, form: str, name: str) -> None:
    root = make_game(
        marked_game(
            {
                "cards": marked_deck("cards", "poker", (1,)),
                "lying": marked_deck("lying", "60 x 40", (1,)),
            }
        )
    )
    make(root, replace(TTS, image_format=form, width_px=321), outputs=("images",))
    images = sorted(p for p in (root / "build/en/images").rglob("*") if p.is_file())
    assert len(images) == 4
    for path in images:
        with Image.open(path) as image:
            assert image.format == name
            assert image.width == 321

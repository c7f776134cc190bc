"""Where things lie on a virtual table: declared or found, for every number of players."""

from __future__ import annotations

import jsonschema
import pytest
from conftest import ROOT, MakeGame
from small_games import make
from table_games import (
    SCHEMA,
    SMALL,
    objects,
    saved,
    seated,
)
from table_picture import draw, lying, overlaps, picture_of

from cardgen.core.problems import Source
from cardgen.core.units import Size
from cardgen.game.model import Player, Text
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.rules import rule_file
from cardgen.runtime.safe_files import make_file_name
from cardgen.tabletop import table_setup, tts_checker, tts_objects
from cardgen.tabletop.face_atlas import choose_grid
from cardgen.tabletop.table_contents import TableItem, lay_out_items


def test_a_declared_table(make_game: MakeGame) -> None:
    """Seats with their own pieces, markers at their millimetres, notes, and hand zones."""
    root = make_game(seated())
    make(root, SMALL, outputs=("tts",))
    path, save = saved(root)
    jsonschema.validate(save, SCHEMA)
    assert tts_checker.check_save(path, path.parent).findings == ()
    things = list(lying(save))
    assert overlaps(things) == []
    assert {o["FogColor"] for o in objects(save, "HandTrigger")} == {"Red", "Blue"}
    # Each in the player's own colour, which the seat's is only near to.
    tints = {tuple(o["ColorDiffuse"].values()) for o in objects(save, "HandTrigger")}
    assert tints == {(0.752941, 0.223529, 0.168627), (0.25098, 0.501961, 1.0)}
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
        ("middle:\n  - {deck: d, take: 40}\n", "40 × c0 are taken, but only 9 are left of d"),
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
def test_mistakes_in_a_table_are_reported(make_game: MakeGame, line: str, said: str) -> None:
    root = make_game(seated(**{"table.yaml": line}))
    _, _, problems = build.check(Request(root))
    assert any(said in str(problem) for problem in problems), [str(p) for p in problems]


def test_every_copy_of_the_flagship_lies_in_one_place() -> None:
    game, _ = rule_file.load_game(ROOT)
    assert game is not None
    things, problems = table_setup.set_up_table(game)
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
    items = [TableItem(f"m{n}", 60 + n, 90, row=n // 4 + 1) for n in range(9)]
    items += [TableItem(f"n{n}", 130, 90, side=-1) for n in range(5)]
    items += [TableItem(f"s{p}-{n}", 70 + 20 * n, 80, p) for p in range(players) for n in range(6)]
    spots = lay_out_items(items, players, 500, 8)
    boxes = {i.id: (spots[i.id].x, spots[i.id].y, i.width, i.height) for i in items}
    for a, (x, y, w, h) in boxes.items():
        for b, (u, v, s, t) in boxes.items():
            assert a == b or abs(x - u) >= (w + s) / 2 - 1e-6 or abs(y - v) >= (h + t) / 2 - 1e-6


def test_a_grid_shows_faces_as_large_as_possible() -> None:
    """69 poker cards fill a 10 × 7 sheet of 4096 px; few are drawn at 300 dpi at most."""
    full = choose_grid(69, Size(63.5, 88.9), 4096)
    assert (full.columns, full.rows, full.width, full.height) == (10, 7, 409, 573 - 1)
    one = choose_grid(1, Size(63.5, 88.9), 4096)
    assert (one.columns, one.rows, one.width, one.height) == (2, 2, 750, 1050)


def player(name: str, colour: str) -> Player:
    return Player(name, Text({"en": name}, Source("x")), colour, "", Source("x"))


def test_players_sit_at_the_nearest_free_colour() -> None:
    two = [player("a", "#d95f8c"), player("b", "#f570ce"), player("c", "#1f5a96")]
    found = tts_objects.assign_seat_colours(two)
    assert found["b"] == "Pink"
    assert found["a"] != "Pink"
    assert len(set(found.values())) == 3


def test_a_game_cannot_name_a_file_elsewhere() -> None:
    assert make_file_name("../../etc/passwd") == "etc-passwd"
    assert make_file_name("..") == "game"
    assert (make_file_name("CON"), make_file_name("cone")) == ("CON-", "cone")

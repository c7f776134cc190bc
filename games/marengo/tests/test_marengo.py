"""Bonaparte at Marengo: its box, its rules and how each breaks, its map, its reckoned examples."""

from __future__ import annotations

import importlib.util
import shutil
from collections import deque
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import ROOT, Checked
from small_games import make
from whole_games import copy_game, with_rule

from cardgen.game.model import Game
from cardgen.looks import geometry_functions
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.rules import rule_file

GAME = ROOT / "games/marengo"
FOLDERS = ("art", "cards", "fonts", "rulebook", "templates")
MM = 72 / 25.4

TOWNS = {"B3", "D3", "E1", "E3", "G3", "I3"}
ROUGH = {"F1", "F4", "D5", "H4", "B1", "C3"}
STREAM = {"C2-D2", "C3-D3", "C3-D4"}
BRIDGES = {"C2-D3", "C1-D2", "C4-D4"}
IMPASSABLE = {"A1-B1", "A4-B4", "A4-B5", "C1-D1", "C4-D5"}


@pytest.fixture(scope="module")
def field(game: Game) -> dict[str, Any]:
    """The values of the one card of the board."""
    board = game.get_deck("board")
    assert board is not None
    return dict(board.pieces[0].values)


def test_what_is_in_the_box(game: Game) -> None:
    assert {deck.id: deck.count for deck in game.decks if deck.count} == {
        "aids": 2,
        "board": 1,
        "labels": 80,
        "markers": 3,
        "stands": 80,
    }
    assert game.languages == ("fi", "en")
    assert game.constants["rulebooks"] == 2
    sizes = {deck.id: (deck.size.width, deck.size.height) for deck in game.decks}
    assert sizes["labels"] == (36, 11)
    assert sizes["stands"] == (40, 26 + 10)  # two panels, foot and tab
    assert sizes["board"] == (594, 420)
    assert sizes["markers"] == (15, 15)
    assert sizes["aids"] == (148, 210)


def test_nothing_is_wrong_with_it(checked: Checked) -> None:
    """Faces of both languages are typeset, rules hold, the rulebooks read."""
    assert [str(problem) for problem in checked.problems] == []


# --- each rule, broken on purpose: the file, what stands there, what is written instead

BOARD, BLOCKS, OPTIONS = "cards/board.yaml", "cards/blocks.csv", "game.yaml"
MISTAKES = {
    "all-is-translated": ("cards/aids.yaml", "en: Turn order}", "en: Vuoron kulku}"),
    "labels-number": (BLOCKS, "at-inf2,8,", "at-inf2,9,"),
    "labels-per-side": (BLOCKS, "fr-inf1,8,", "fr-inf1,7,"),
    "kinds": (BLOCKS, "fr-cav1,3,fr,cav,1", "fr-cav1,3,fr,cav,3"),
    "one-gun-each": (BLOCKS, "at-art1-a,1,", "at-art1-a,2,"),
    "full-strength": (BLOCKS, "inf,2,replacement,none,false,fr", "inf,2,replacement,none,true,fr"),
    "in-play-is-full": (BLOCKS, "fr,cav,2,reinf,F1,true", "fr,cav,1,reinf,F1,false"),
    "groups-and-roles": (BLOCKS, "inf,3,spare,none,true,fr", "inf,3,spare,F2,true,fr"),
    "group-of-its-side": (BLOCKS, "cav,2,reinf,F1,true,fr", "cav,2,reinf,A,true,fr"),
    "french-in-play": (BLOCKS, "fr-inf3-f2,3,", "fr-inf3-f2,2,"),
    "austrians-in-play": (BLOCKS, "at-inf3-a,13,", "at-inf3-a,12,"),
    "army-lists": (BLOCKS, "at-cav2-a,6,", "at-cav2-a,5,"),
    "replacements-infantry-fr-2": (BLOCKS, "fr-inf2,8,", "fr-inf2,7,"),
    "replacements-infantry-fr-1": (BLOCKS, "fr-inf1,8,", "fr-inf1,7,"),
    "replacements-cavalry-fr": (BLOCKS, "fr-cav1,3,", "fr-cav1,1,"),
    "replacements-infantry-at-2": (BLOCKS, "at-inf2,8,", "at-inf2,6,"),
    "replacements-infantry-at-1": (BLOCKS, "at-inf1,7,", "at-inf1,6,"),
    "replacements-cavalry-at": (BLOCKS, "at-cav1,4,", "at-cav1,2,"),
    "spares": (BLOCKS, "at-inf3-spare,1,", "at-inf3-spare,0,"),
    "backs-alike": (BLOCKS, "inf,1,replacement,none,false,at", "inf,1,replacement,none,false,fr"),
    "labels-are-stands": (
        "cards/stands.yaml",
        "rows: blocks.csv",
        "cards: [{id: odd, side: fr, type: inf, strength: 1, role: spare, group: none, back: fr}]",
    ),
    "markers-number": (
        "cards/markers.yaml",
        "ground: ink, kind: time",
        "ground: ink, kind: morale",
    ),
    "a-book-each": (OPTIONS, "rulebooks: 2", "rulebooks: 1"),
    "an-aid-each": ("cards/aids.yaml", "  - id: aid\n", "  - id: aid\n    copies: 2\n"),
    "one-board": (BOARD, "  - id: marengo\n", "  - id: marengo\n    copies: 2\n"),
    "hours": (BOARD, "20, 21]", "20, 22]"),
    "morale-squares": (BOARD, "23, 24, 25]", "23, 25]"),
    "morale-room": (OPTIONS, "at: 20, fr: 18", "at: 21, fr: 18"),
    "morale-below-strength": (OPTIONS, "at: 20, fr: 18", "at: 20, fr: 54"),
    "four-groups": (BOARD, "{id: F3, side: fr, locale: I4", "{id: F2, side: fr, locale: I4"),
    "group-rounds": (OPTIONS, "  rounds: 16\n", "  rounds: 10\n"),
    "box-slots": (BOARD, "round: 8, slots: 4", "round: 8, slots: 5"),
    "entry-edge": (BOARD, "side: fr, locale: I1", "side: fr, locale: B3"),
    "entry-roads": (BOARD, "locale: I4, road: S1", "locale: I4, road: S4"),
    "entry-plan": (BOARD, "road: M1, round: 8", "road: M1, round: 9"),
    "french-start": (BOARD, "start: 4, label", "start: 3, label"),
    "start-fits": (BOARD, "start: 4, label", "start: 7, label"),
    "locales-number": (BOARD, "{id: A1, capacity", "{id: A2, capacity"),
    "capacity-total": (BOARD, "{id: A1, capacity: 4", "{id: A1, capacity: 5"),
    "stars-number": (BOARD, "star: blue, at: [462", "at: [462"),
    "stars-colours": (BOARD, "{id: H5, capacity: 4, star: blue", "{id: H5, capacity: 4, star: red"),
    "stars-east": (BOARD, "{id: G2, capacity: 6", "{id: G2, capacity: 6, star: red"),
    "border-names": (BOARD, "{id: A1-A2, a: A1, b: A2", "{id: A1-A2, a: A2, b: A1"),
    "borders-once": (BOARD, "      - {id: A1-B2, a: A1, b: B2}\n", ""),
    "border-widths": (
        BOARD,
        "{id: A1-B2, a: A1, b: B2}",
        "{id: A1-B2, a: A1, b: B2, width: narrow}",
    ),
    "impassable-bare": (
        BOARD,
        "b: B1, impassable: true",
        "b: B1, impassable: true, into_b: {inf: 1}",
    ),
    "obstructed-no-penalty": (
        BOARD,
        "art: 1, obstructed: true",
        "art: 1, cav: 1, obstructed: true",
    ),
    "symbols-narrow": (
        BOARD,
        "{id: A1-B2, a: A1, b: B2}",
        "{id: A1-B2, a: A1, b: B2, into_a: {art: 1}}",
    ),
    "approaches-difficult": (BOARD, "{inf: 1, cav: 1}", "{inf: 1}"),
    "approaches-woods": (BOARD, "inf: 1, art: 1, obstructed: true", "inf: 1, obstructed: true"),
    "approaches-stream": (BOARD, "{inf: 1, obstructed: true}", "{inf: 1}"),
    "approaches-blank": (
        BOARD,
        "{id: A1-B2, a: A1, b: B2}",
        "{id: A1-B2, a: A1, b: B2, into_a: {art: 1}}",
    ),
    "one-field": (
        BOARD,
        "{id: A3-A4, a: A3, b: A4}",
        "{id: A3-A4, a: A3, b: A4, impassable: true}",
    ),
    "road-steps": (BOARD, "path: [D2, D3, D4]", "path: [D2, D4]"),
    "road-ground": (BOARD, "path: [D2, D3, D4]", "path: [C2, D2, D3, D4]"),
    "road-apart": (BOARD, "path: [D2, D3, D4]", "path: [C2, D3, D4]"),
    "roads-number": (BOARD, "{id: S2, kind: secondary", "{id: S2, kind: main"),
    "example-bombardment": (OPTIONS, "after: 2", "after: 1"),
    "example-assault": (OPTIONS, "leader: 3 ", "leader: 2 "),
    "example-losses": (OPTIONS, "attacker_loses: 2", "attacker_loses: 1"),
    "example-morale": (OPTIONS, "attacker_morale: 4", "attacker_morale: 3"),
    "cavalry-at-marengo": ("cards/blocks.csv", "fr-cav2-start,2,fr,cav", "fr-cav2-start,2,fr,inf"),
    "strength-at-marengo": ("cards/blocks.csv", "start,9,fr,inf,3", "start,9,fr,inf,1"),
    "colours": (OPTIONS, 'colour: "#a8322b"', 'colour: "#2b4a81"'),
}


ON_FACES = {
    "read-from-the-chair", "stands-out", "the-hour-has-room", "morale-has-room",
    "starters-have-room", *(f"groups-have-room-{box}" for box in ("a", "f1", "f2", "f3")),
}  # fmt: skip
"""Rules that are held against faces as they are set."""


def test_every_rule_has_its_mistake(game: Game) -> None:
    assert set(MISTAKES) | ON_FACES == {rule.id for rule in game.rules}


@pytest.mark.usefixtures("checked", "one_process")
def test_mistakes_of_faces_are_caught_at_their_rules(tmp_path: Path) -> None:
    """Letters too small and too pale, squares and slots too narrow: all at once."""
    root = copy_game(GAME, tmp_path, ("game.yaml", *FOLDERS))
    styles = root / "templates/board.css"
    css = styles.read_text(encoding="utf-8")
    for old, new in (
        ("height: 5mm; line-height: 5mm; font-size: 12pt",
         "height: 5mm; line-height: 5mm; font-size: 7pt"),
        (".hour-value {", ".hour-value { color: #b9a888;"),
        (".hour { top: 378mm; width: 29.25mm }", ".hour { top: 378mm; width: 14mm }"),
        (".morale { top: 397mm; width: 18mm }", ".morale { top: 397mm; width: 14mm }"),
        (".slot { position: absolute; width: 42mm", ".slot { position: absolute; width: 30mm"),
    ):  # fmt: skip
        assert old in css
        css = css.replace(old, new, 1)
    styles.write_text(css, encoding="utf-8")
    _, _, problems = build.check(Request(root))
    assert {problem.kind for problem in problems} >= ON_FACES


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game for tampering with: no book and no table, which rules do not look at."""
    parts = ("game.yaml", "art", "cards", "fonts", "templates")
    return copy_game(GAME, tmp_path_factory.mktemp("tampered"), parts, packages=False)


@pytest.mark.parametrize("rule", MISTAKES)
def test_a_mistake_is_caught_at_its_rule(bare: Path, rule: str) -> None:
    file, old, new = MISTAKES[rule]
    text = (GAME / file).read_text(encoding="utf-8")
    assert old in text
    try:
        (bare / file).write_text(text.replace(old, new, 1), encoding="utf-8")
        tampered, _ = rule_file.load_game(bare)
        assert tampered is not None
        told = {
            problem.kind: problem
            for problem in rule_file.check_card_rules(with_rule(tampered, rule), lambda deck: {})
        }
    finally:
        shutil.copy(GAME / file, bare / file)
    lines = (GAME / "cards/rules.yaml").read_text(encoding="utf-8").splitlines()
    assert told[rule].source.path == "cards/rules.yaml"
    assert f"  - id: {rule}".startswith(lines[told[rule].source.line - 1])


# --- the map


def test_borders_are_where_locales_touch(field: dict[str, Any]) -> None:
    """The drawn polygons and the list of borders say the same, and every border has room."""
    corners = {locale["id"]: locale["corners"] for locale in field["locales"]}
    touching = {}
    for a, ring in corners.items():
        for b, other in corners.items():
            edge = geometry_functions.shared_edge(ring, other) if a < b else None
            if edge:
                touching[f"{a}-{b}"] = edge["length"]
    assert set(touching) == {border["id"] for border in field["borders"]}
    assert min(touching.values()) > 30  # a stand is 40 mm long, and may stick out a little
    assert max(touching.values()) < 80


def test_the_map_fills_its_frame(field: dict[str, Any]) -> None:
    areas = [geometry_functions.polygon(locale["corners"]) for locale in field["locales"]]
    assert sum(area["area"] for area in areas) == pytest.approx(490 * 370, abs=1)
    for locale in field["locales"]:
        inside = geometry_functions.polygon(locale["corners"])
        assert inside["left"] < locale["at"][0] < inside["right"]
        assert inside["top"] < locale["at"][1] < inside["bottom"]


def test_rows_and_columns_make_the_neighbours(field: dict[str, Any]) -> None:
    ids = {locale["id"] for locale in field["locales"]}
    asked = set()
    for place in ids:
        column, row = place[0], int(place[1])
        near = [f"{column}{row + 1}"]
        if column in "ACEGI":
            near += [f"{chr(ord(column) + d)}{r}" for d in (-1, 1) for r in (row, row + 1)]
        asked |= {"-".join(sorted((place, other))) for other in near if other in ids}
    assert asked == {border["id"] for border in field["borders"]}


def symbols(place: str, border: str) -> dict[str, Any]:
    """What terrain prints inside a locale at a border: the strictest of each arm."""
    rough = place in ROUGH
    obstructed = rough or border in STREAM
    hard = place in TOWNS or border in BRIDGES
    found = {
        "inf": int(rough or hard or border in STREAM),
        "cav": int(hard and not obstructed),
        "art": int(rough),
        "obstructed": obstructed,
    }
    return found if any(found.values()) else {}


def test_symbols_follow_the_terrain(field: dict[str, Any]) -> None:
    for border in field["borders"]:
        name = border["id"]
        assert bool(border["impassable"]) == (name in IMPASSABLE)
        if border["impassable"]:
            continue
        a, b = symbols(border["a"], name), symbols(border["b"], name)
        assert (border["into_a"] or {}) == a, name
        assert (border["into_b"] or {}) == b, name
        assert border["width"] == ("narrow" if a or b else "wide"), name


def test_a4_lies_behind_the_pontoon_bridge(field: dict[str, Any]) -> None:
    open_borders = [(b["a"], b["b"]) for b in field["borders"] if not b["impassable"]]
    assert [pair for pair in open_borders if "A4" in pair] == [("A3", "A4")]
    reached, queue = {"A2"}, deque(["A2"])
    while queue:
        here = queue.popleft()
        for pair in open_borders:
            if here in pair:
                other = pair[1 - pair.index(here)]
                if other not in reached:
                    reached.add(other)
                    queue.append(other)
    assert len(reached) == 40


def test_relief_is_what_the_survey_gives() -> None:
    """The drawing of what decorates the map is made anew whenever a locale moves."""
    spec = importlib.util.spec_from_file_location("relief", GAME / "art/draw/relief.py")
    assert spec is not None
    assert spec.loader is not None
    relief = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(relief)
    drawn = (GAME / "art/map/relief.svg").read_text(encoding="utf-8")
    assert relief.relief(relief.survey()) == drawn


# --- the reckoned examples, by a small engine of the rules


def bombard(strength: int, penalty: int, target: int) -> int:
    """What is left of a target that blocks the facing approach."""
    return max(0, target - max(0, strength - penalty))


def assault(
    attack: list[int], *, fire: int, penalty: int, defence: int, pursuer: int, pursuit_penalty: int
) -> dict[str, Any]:
    """One leader a side; the rest of the attackers follow, a cavalry unit of the defender waits."""
    leader, *others = attack
    lost = min(leader, fire)
    leader -= lost
    force = leader - penalty
    result = force - defence
    assert result <= 0, "this engine knows a beaten attacker alone"
    attacker_loses = 1 + abs(result)
    left = [leader, *others]
    for k, points in enumerate(left):
        taken = min(points, attacker_loses + fire - lost)
        left[k] -= taken
        lost += taken
    pursuit = max(0, pursuer - pursuit_penalty)
    for k, points in enumerate(left):
        taken = min(points, attacker_loses + pursuit + fire - lost)
        left[k] -= taken
        lost += taken
    return {
        "force": force, "result": result, "attacker_loses": attacker_loses, "pursuit": pursuit,
        "attackers": [points for points in left if points], "attacker_morale": lost,
        "defender": defence - 1, "pursuer": pursuer - 1, "defender_morale": 2,
    }  # fmt: skip


def blocks(game: Game, deck: str, figure: str) -> list[tuple[str, str, int]]:
    found = game.get_deck(deck)
    assert found is not None
    piece = next(piece for piece in found.pieces if piece.id == figure)
    return [(b["side"], b["type"], b["strength"]) for b in piece.values["blocks"]]


def test_the_example_of_assault_reckons_as_the_rules_do(game: Game) -> None:
    given: Any = game.constants["assault"]
    done = assault(
        [given["leader"], given["second"]], fire=given["fire"], penalty=given["penalty"],
        defence=given["defender"], pursuer=given["pursuer"],
        pursuit_penalty=given["pursuit_penalty"],
    )  # fmt: skip
    for key in (
        "force",
        "result",
        "attacker_loses",
        "pursuit",
        "attacker_morale",
        "defender_morale",
    ):
        assert done[key] == given[key], key
    before = blocks(game, "figures-lower", "assault")
    assert sorted(before) == sorted([
        ("at", "inf", given["defender"]), ("at", "art", given["fire"]),
        ("at", "cav", given["pursuer"]), ("fr", "inf", given["leader"]),
        ("fr", "inf", given["second"]),
    ])  # fmt: skip
    after = blocks(game, "figures-lower", "assault-after")
    assert sorted(after) == sorted([
        ("at", "inf", done["defender"]), ("at", "art", given["fire"]),
        ("at", "cav", done["pursuer"]), *(("fr", "inf", left) for left in done["attackers"]),
    ])  # fmt: skip


def test_the_example_of_bombardment_reckons_as_the_rules_do(game: Game) -> None:
    given: Any = game.constants["bombardment"]
    assert bombard(given["strength"], given["penalty"], given["target"]) == given["after"]
    shown = blocks(game, "figures-lower", "bombardment")
    assert sorted(shown) == [("at", "inf", given["target"]), ("fr", "art", given["strength"])]


# --- true to scale


def test_stands_are_printed_true_to_scale(copy: Path) -> None:
    """On the sheets no face is scaled, and each stands where it is 40 × 36 mm with its gap."""
    make(copy, outputs=("sheets",), languages=("fi",), decks=("stands",))
    with pikepdf.open(copy / "build/fi/sheets/stands.pdf") as pdf:
        placed = []
        for page in pdf.pages:
            matrix: list[float] = []
            for step in pikepdf.parse_content_stream(page):
                if str(step.operator) == "cm":
                    matrix = [float(value) for value in step.operands]
                elif str(step.operator) == "Do" and str(step.operands[0]).startswith("/F"):
                    placed.append(matrix)
        assert len(placed) == 80
        for a, b, c, d, _, _ in placed:
            assert sorted(map(abs, (a, b, c, d))) == [0, 0, 1, 1]
    first = placed[0]
    same_row = sorted({m[4] for m in placed if m[5] == first[5]})
    steps = {round((b - a) / MM, 2) for a, b in pairwise(same_row)}
    assert steps <= {42.0, 38.0}  # 40 + 2 or, lying, 36 + 2
    assert steps

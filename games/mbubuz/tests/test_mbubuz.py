"""games/mbubuz: the box, its rules and the mistakes they catch, the island as a graph."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pixels
import pytest
from conftest import ROOT, Checked
from PIL import Image, ImageChops
from small_games import A4, make, options
from whole_games import copy_game, loaded, with_rule

from cardgen.game.model import Game, Text
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.rules import rule_file, rule_kinds
from cardgen.templates.expressions import CardDatabase, EvaluationError

MBUBUZ = ROOT / "games/mbubuz"
FOLDERS = ("art", "cards", "fonts", "templates", "rulebook")

Hex = tuple[int, int]


def test_what_is_in_the_box(game: Game) -> None:
    assert {deck.id: deck.count for deck in game.decks if deck.id != "diagrams"} == {
        "aids": 2,
        "counters": 192,
        "events": 40,
        "iou": 30,
        "kits": 80,
        "map": 1,
        "markers": 193,
        "money": 206,
        "order-sheets": 1,
        "profiles": 44,
        "province-boards": 10,
        "sources": 12,
        "stand-ups": 192,
    }
    assert game.languages == ("ru", "en")


def test_sizes_of_the_sheet(game: Game) -> None:
    sizes = {deck.id: (deck.size.width, deck.size.height) for deck in game.decks}
    assert sizes["counters"] == (20, 20)
    assert sizes["profiles"] == sizes["events"] == (63, 88)
    assert sizes["money"] == sizes["iou"] == (60, 30)
    assert sizes["kits"] == sizes["markers"] == (15, 15)
    width, height = sizes["map"]
    assert width <= 554
    assert height <= 400
    assert sizes["sources"][1] == 24
    assert sizes["sources"][0] == pytest.approx(24 / 0.8660254, abs=0.01)


def test_nothing_is_wrong_with_it(checked: Checked) -> None:
    """Every face in both languages is typeset, every rule holds."""
    assert [str(problem) for problem in checked.problems] == []


def texts(value: object) -> Iterator[Text]:
    """Every text within a value, however deep."""
    if isinstance(value, Text):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from texts(child)
    elif isinstance(value, list | tuple):
        for child in value:
            yield from texts(child)


def test_russian_is_cyrillic_and_quoted_as_russian(game: Game) -> None:
    for deck in game.decks:
        for piece in deck.pieces:
            for text in texts(dict(piece.values)):
                words = re.sub(r"\{[a-z0-9-]+\}", "", text["ru"])
                assert not re.search(r"[A-Za-z]{2,}", words), (piece.id, words)
                assert not re.search(r"[\"“”]| - ", words), (piece.id, words)
                assert not re.search(r"[а-яё«»]", text["en"], re.IGNORECASE), piece.id


# --- deliberate mistakes: file, what stands there, the mistake, the rule that catches it

BOARDS, ISLAND = "cards/province-boards.yaml", "cards/map.yaml"
MISTAKES = [
    ("cards/iou.yaml", "en: I owe one mbubuz}", "en: Должен один мбубуз}", "all-is-translated"),
    ("cards/profiles.yaml", "per_side: 20", "per_side: 19", "counters-by-catalogue"),
    ("cards/events.yaml", "{no: shooting}", "{no: burning}", "a-turn-without-shots"),
    ("cards/events.yaml", "{percent: -10}", "{}", "crash-is-feared"),
    ("cards/events.yaml", "copies: 2\n    scope: both", "scope: side",
     "events-of-both-in-each-quarter"),
    ("cards/events.yaml", "{money: 10}", "{money: 30}", "purses-are-even"),
    ("game.yaml", "drawn_on: 6", "drawn_on: 7", "die-finds-the-first"),
    ("cards/profiles.yaml", "number: 22", "number: 21", "profile-numbers"),
    ("cards/profiles.yaml", "    price: 18\n", "    price: 19\n", "whole-prices"),
    ("cards/profiles.yaml", "    price: 10\n", "    price: 5\n", "militia-price"),
    ("cards/profiles.yaml", "    price: 5\n", "    price: 15\n", "militia-constant"),
    ("cards/profiles.yaml", "acc: 2\n", "acc: 1\n", "militia-is-weakest"),
    ("cards/profiles.yaml", "    price: 30\n    strength: 5", "    price: 15\n    strength: 5",
     "mercenaries-dearer-than-the-event"),
    ("cards/profiles.yaml", "class: hq\n", "class: hq\n    price: 3\n", "president-not-for-sale"),
    ("cards/profiles.yaml", "capital_only: true", "capital_only: false", "capital-only"),
    ("cards/profiles.yaml", "o-burn, o-suppress]", "o-burn]", "suppressors"),
    ("cards/profiles.yaml", "o-defend, o-burn]", "o-defend]", "burners"),
    ("cards/profiles.yaml", "ammo: 2", "ammo: 3", "ammo-boxes"),
    ("cards/profiles.yaml", "class: armour", "class: transport", "armour-and-infantry-by-class"),
    ("cards/counters.csv", "u22-1,president,22–1\n", "", "counters-per-side"),
    ("cards/counters.csv", "1–2\n", "1–1\n", "counter-codes"),
    ("cards/stand-ups.yaml", "id: militia, copies: 20", "id: militia, copies: 9",
     "stand-ups-are-the-counters"),
    ("cards/stand-ups.yaml", "type: 3}", "type: 4}", "stand-ups-are-the-counters"),
    ("cards/events.yaml", "copies: 3", "copies: 2", "event-count"),
    ("cards/events.yaml", "scope: both", "scope: side", "event-scopes"),
    ("cards/events.yaml", "money: 10", "money: 30", "event-money"),
    ("cards/events.yaml", "cost: {red: 0, gold: 15}", "cost: {red: 5, gold: 15}",
     "event-mercenaries"),
    ("cards/events.yaml", "copies: 2\n    scope: player\n    name: {ru: Наёмники",
     "copies: 1\n    scope: player\n    name: {ru: Наёмники", "event-mercenary-cards"),
    ("cards/events.yaml", "unit: militia, where: village", "unit: militia",
     "event-units-arrive-somewhere"),
    ("cards/events.yaml", "{income: double}", "{income: double, money: 5}",
     "event-money-only-for-bosses"),
    ("cards/events.yaml", "replenish: 6", "replenish: 7", "event-replenishment"),
    ("cards/events.yaml", "name: {ru: Тишина", "name: {ru: Парад", "event-names"),
    ("cards/money.yaml", "copies: 80", "copies: 81", "note-count"),
    ("cards/money.yaml", "copies: 16", "copies: 15", "note-value"),
    ("cards/money.yaml", "copies: 60", "copies: 30", "start-is-payable"),
    ("cards/money.yaml", "copies: 16", "copies: 2", "bank-has-a-margin"),
    ("cards/money.yaml", "copies: 50", "copies: 49", "note-backs"),
    ("cards/iou.yaml", "copies: 20", "copies: 19", "iou-count"),
    ("cards/kits.yaml", "copies: 80", "copies: 79", "kit-count"),
    ("cards/kits.yaml", "copies: 80", "copies: 60", "kits-suffice"),
    ("cards/sources.yaml", "income: 1}", "income: 2}", "sources-pay"),
    ("cards/sources.yaml", "en: Casino}, income: 1}", "en: Casino}, income: 1, copies: 0}",
     "tile-count"),
    ("cards/profiles.yaml", "  - id: bomber\n", "  - id: bomber\n    copies: 0\n", "profile-count"),
    ("cards/markers.yaml", "copies: 38", "copies: 37", "burnt-markers"),
    ("cards/markers.yaml", "copies: 40", "copies: 39", "marker-kinds"),
    ("cards/markers.yaml", "id: aeroplane-red-1, kind", "id: aeroplane-red-1, copies: 0, kind",
     "aeroplane-markers"),
    ("cards/markers.yaml", "id: away, copies: 6", "id: away, copies: 5", "away-markers"),
    (BOARDS, "side: gold\n    kind: capital", "side: red\n    kind: capital",
     "provinces-per-side"),
    (BOARDS, "kind: village", "kind: city", "ordinary-province"),
    (BOARDS, "income: 2", "income: 1", "capital-province"),
    (BOARDS, "hex: 105", "hex: 104", "boards-show-the-map"),
    (BOARDS, "start: 110", "start: 100", "start-money"),
    (BOARDS, "start: 100", "start: 101", "start-money-per-side"),
    (BOARDS, "number: 4, cost: 20", "number: 4, cost: 19", "army-costs"),
    (BOARDS, "name: {ru: Ополчение", "name: {ru: Ополченцы", "army-names"),
    (BOARDS, "kits: 7", "kits: 12", "army-within-the-purse"),
    (BOARDS, "number: 4, cost: 20", "number: 2, cost: 10", "army-militia"),
    (BOARDS, "unit: guard", "unit: veterans", "army-infantry"),
    (BOARDS, "number: 2, cost: 50", "number: 4, cost: 100", "army-guard"),
    (BOARDS, "en: Patrol boat}, number: 1", "en: Patrol boat}, number: 3", "army-armour"),
    (BOARDS, "unit: patrol-boat", "unit: fighter", "army-aircraft"),
    (BOARDS, "number: 3, cost: 30", "number: 9, cost: 90",
     "armies-within-the-pool"),
    (ISLAND, "kind: radio", "kind: city", "map-totals"),
    (ISLAND, "hex: 203,", "hex: 202,", "symmetric-places"),
    (ISLAND, "hex: 105, kind: village, province: N1",
     "hex: 105, kind: village, province: N2",
     "symmetric-provinces"),
    (ISLAND, "hex: 105, kind: village, province: N1",
     "hex: 105, kind: village, province: N2",
     "province-columns"),
    (ISLAND, "hex: 1705,", "hex: 1704,", "all-places-on-boards"),
    (ISLAND, "sea: [101,", "sea: [104,", "symmetric-sea"),
    (ISLAND, "forest: [", "forest: [304, ", "symmetric-forest"),
    (ISLAND, "hills: [", "hills: [301, ", "symmetric-hills"),
    (ISLAND, "swamp: [106,", "swamp: [105,", "symmetric-swamp"),
    (ISLAND, "swamp: [106,", "swamp: [105,", "distinct-hexes"),
    (ISLAND, "hills: [", "hills: [2115, ", "hexes-on-the-map"),
    (ISLAND, "swamp: [106,", "swamp: [206,", "roads-are-dry"),
    (ISLAND, "side: N, column: 6, first: 1", "side: N, column: 6, first: 2",
     "roads-reach-their-edge"),
    (ISLAND, "side: N, column: 6,", "side: N, column: 5,", "symmetric-roads"),
    (ISLAND, "side: N, column: 6,", "side: N, column: 5,", "cities-on-roads"),
    (ISLAND, "side: N, column: 2,", "side: N, column: 8,", "none-isolated-at-start"),
    (ISLAND, "bridges: [3,", "bridges: [4,", "bridges-where-southern-roads-cross"),
    (ISLAND, "hex: 1002, kind: airfield", "hex: 1001, kind: airfield",
     "airfield-beside-capital"),
    (ISLAND, "province: N1, vp: true", "province: N1", "victory-points"),
    (ISLAND, "province: N1, vp: true", "province: N1", "victory-point-kinds"),
    ("game.yaml", "bosses_most: 10", "bosses_most: 8", "board-count"),
    ("game.yaml", "guard: {least: 1, most: 3}", "guard: {least: 1, most: 4}", "guard-pool"),
    ("game.yaml", "sources_drawn: 8", "sources_drawn: 11", "sources-to-draw"),
    ("game.yaml", "militia_delay: 1", "militia_delay: 2", "figures-of-purchase"),
    ("game.yaml", "debt: {turns: 5", "debt: {turns: 4", "figures-of-finance"),
    ("game.yaml", "arrives: 3", "arrives: 2", "figures-of-time"),
    ("game.yaml", "drawn_on: 6", "drawn_on: 5", "figures-of-fire"),
    ("game.yaml", 'colour: "#e2a81e"', 'colour: "#c93a20"', "blocs-apart"),
]  # fmt: skip

BACKS = {"event-backs", "tile-backs"}
"""Rules that compare typeset backs."""


def broken(game: Game, backs: int = 1) -> dict[str, int]:
    """Broken rules and their lines, with so many different backs in every deck."""
    database = CardDatabase(game)
    looks = {str(k): ["a card"] for k in range(backs * len(game.languages))}
    found = {}
    for rule in game.rules:
        if rule_kinds.is_face_rule(rule):
            continue
        with suppress(EvaluationError):
            if any(rule_kinds.make_rule_kind(rule, database).check(lambda deck: looks)):
                found[rule.id] = rule.source.line
    return found


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy to make mistakes in; each is undone."""
    parts = ("game.yaml", "art", "cards", "templates")
    root = copy_game(MBUBUZ, tmp_path_factory.mktemp("mistakes"), parts, packages=False)
    (root / "fonts").symlink_to(MBUBUZ / "fonts")
    return root


@pytest.mark.parametrize(("file", "right", "wrong", "rule"), MISTAKES)
def test_a_mistake_is_caught(work: Path, file: str, right: str, wrong: str, rule: str) -> None:
    before = (work / file).read_text(encoding="utf-8")
    assert right in before
    (work / file).write_text(before.replace(right, wrong, 1), encoding="utf-8")
    try:
        found, _ = rule_file.load_game(work)
    finally:
        (work / file).write_text(before, encoding="utf-8")
    assert found is not None
    lines = (MBUBUZ / "cards/rules.yaml").read_text(encoding="utf-8").splitlines()
    caught = broken(with_rule(found, rule))
    assert rule in caught
    assert lines[caught[rule] - 1] == f"  - id: {rule}"


def test_backs_that_differ_are_caught(game: Game) -> None:
    assert broken(game) == {}
    assert set(broken(game, backs=2)) == BACKS


def test_every_rule_has_its_mistake(game: Game) -> None:
    mistaken = {rule for *_, rule in [*MISTAKES, *ON_FACES]}
    assert {rule.id for rule in game.rules} == mistaken | BACKS


# --- mistakes that show when faces are set

PROVINCE, MAP = "templates/province.css", "templates/map.css"
ON_FACES = [
    (PROVINCE, "left: 112mm; width: 62.87mm", "left: 112mm; width: 60mm",
     "notes-fit-the-treasury"),
    (PROVINCE, "left: 0; width: 110.6mm", "left: 0; width: 90mm", "kits-fit-the-depot"),
    (PROVINCE, "width: 16.4mm; height: 16.4mm", "width: 15.6mm; height: 16.4mm",
     "debts-fit-their-steps"),
    (PROVINCE, ".arrive { top: 101.6mm; height: 22.6mm }", ".arrive { top: 101.6mm; height: 20mm }",
     "arrivals-fit-their-bays"),
    (PROVINCE, ".hangar .lie { top: 7.2mm }", ".hangar .lie { top: 10mm }",
     "aeroplanes-fit-the-hangar"),
    (MAP, ".t { position: absolute; width: 15.6mm", ".t { position: absolute; width: 14mm",
     "turn-fits-the-track"),
    (MAP, "width: 64mm; height: 89mm", "width: 63mm; height: 89mm", "discards-fit-their-box"),
    (MAP, "width: 28.4mm; height: 24.6mm", "width: 28.4mm; height: 23mm", "tiles-fit-their-hexes"),
    (MAP, "width: 31.176mm; height: 27mm", "width: 31.176mm; height: 21mm",
     "counters-fit-their-hexes"),
    (MAP, "line-height: 4mm; font-size: 7.6pt", "line-height: 4mm; font-size: 7pt",
     "texts-are-large-enough"),
    (MAP, ".prov.red { color: #a32714 }", ".prov.red { color: #d9a08a }", "texts-stand-out"),
]  # fmt: skip


@pytest.mark.usefixtures("checked", "one_process")
def test_a_mistake_on_a_face_is_caught(copy: Path, tmp_path: Path) -> None:
    """All of them at once: it is the same two decks that are set anew."""
    root = tmp_path / "mistaken"
    shutil.copytree(copy, root, symlinks=True)
    for file, right, wrong, _ in ON_FACES:
        text = (root / file).read_text(encoding="utf-8")
        assert right in text
        (root / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    *_, problems = build.check(Request(root))
    assert {rule for *_, rule in ON_FACES} <= {problem.kind for problem in problems}


# --- the island as a graph

EVEN = ((0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0))
ODD = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1))
"""Neighbours by column: odd columns lie half a hexagon lower."""


def hexagon(number: int) -> Hex:
    return number // 100, number % 100


def neighbours(at: Hex) -> list[Hex]:
    steps = ODD if at[0] % 2 else EVEN
    found = [(at[0] + dc, at[1] + dr) for dc, dr in steps]
    return [(c, r) for c, r in found if 1 <= c <= 20 and 1 <= r <= 14]


@pytest.fixture(scope="module")
def island(game: Game) -> dict[str, Any]:
    deck = game.get_deck("map")
    assert deck is not None
    return dict(deck.pieces[0].values)


def lines_of(island: dict[str, Any], side: str) -> set[Hex]:
    """The hexagons of a side's roads and railway within its half."""
    found = set()
    for road in island["roads"]:
        if road["side"] == side:
            low, high = sorted((road["first"], road["last"]))
            rows = range(max(low, 1), min(high, 7) + 1) if side == "N" else range(max(low, 8), 15)
            found |= {(road["column"], row) for row in rows}
    return found


def test_roads_run_unbroken_to_their_edge(island: dict[str, Any]) -> None:
    for road in island["roads"]:
        step = 1 if road["side"] == "N" else -1
        walk = [(road["column"], row) for row in range(road["first"], road["last"] + step, step)]
        assert walk[0][1] == (1 if road["side"] == "N" else 14)
        assert all(b in neighbours(a) for a, b in pairwise(walk))
    link = island["link"]
    row = [(c, link["row"]) for c in range(link["first"], link["last"] + 1)]
    assert all(b in neighbours(a) for a, b in pairwise(row))


def cheapest(island: dict[str, Any], starts: set[Hex], goal: Hex, wheels: bool) -> int:
    """Move points from a line to a hexagon, the line's own hexagons free."""
    kinds = {k: {hexagon(n) for n in island[k]} for k in ("sea", "forest", "hills", "swamp")}
    closed = kinds["sea"] | (kinds["forest"] | kinds["swamp"] if wheels else set())
    slow = kinds["forest"] | kinds["hills"] | kinds["swamp"]
    cost = dict.fromkeys(starts, 0)
    edge = list(starts)
    while edge:
        at = min(edge, key=lambda h: cost[h])
        edge.remove(at)
        for to in neighbours(at):
            river = (at[1] <= 7) != (to[1] <= 7)
            price = cost[at] + (2 if to in slow else 1)
            if to not in closed and not river and price < cost.get(to, 99):
                cost[to] = price
                edge.append(to)
    return cost.get(goal, 99)


def test_nothing_is_isolated_on_an_empty_map(game: Game, island: dict[str, Any]) -> None:
    profiles = game.get_deck("profiles")
    assert profiles is not None
    ranges = []
    for piece in profiles.pieces:
        values = piece.values
        if values["move_off"]:
            wheels = values["class"] in {"transport", "armour", "gun-truck"}
            ranges.append((values["move_off"] * (1 if wheels else 2), wheels))
    for place in island["places"]:
        if place["province"]:
            starts = lines_of(island, place["province"][0])
            for reach, wheels in set(ranges):
                cost = cheapest(island, starts, hexagon(place["hex"]), wheels)
                assert cost <= max(reach, 1), (place["hex"], reach, wheels)


def test_everything_turns_onto_itself(island: dict[str, Any]) -> None:
    for name in ("sea", "forest", "hills", "swamp"):
        hexes = {hexagon(number) for number in island[name]}
        assert {(21 - c, 15 - r) for c, r in hexes} == hexes


# -- true to scale

PX = 4
"""Pixels a millimetre, where print is measured."""


@pytest.fixture(scope="module")
def map_sheets(copy: Path) -> list[Image.Image]:
    """The sheets of the map on A4, without the sketch that comes first."""
    found = loaded(copy)
    wanted = options(A4, overlap=found.defaults.overlap)
    make(copy, wanted, outputs=("sheets",), languages=("ru",), decks=("map",))
    return pixels.pages(copy / "build/ru/sheets/map.pdf", PX)[1:]


def test_the_map_is_six_sheets_of_a4(map_sheets: list[Image.Image]) -> None:
    assert len(map_sheets) == 6


def test_the_discard_box_has_room_for_a_card(map_sheets: list[Image.Image]) -> None:
    """64 × 89 mm from edge to edge, on the sheet that has the whole of it; its title stands across
    the middle, and the map lies on its side."""
    found = [[spans(sheet, "#1a666b", 55, axis) for axis in "xy"] for sheet in map_sheets]
    ((wide, high),) = [both for both in found if all(both)]
    edges = [(parts[0][0], parts[-1][1]) for parts in (wide, high)]
    assert [b - a for a, b in edges] == pytest.approx([89, 64], abs=0.8)


def test_roads_are_as_far_apart_as_the_map_has_them(map_sheets: list[Image.Image]) -> None:
    """Four columns of hexagons that are 27 mm flat to flat: a little less than 100 mm."""
    steps = []
    for sheet in map_sheets:
        middles = [(a + b) / 2 for a, b in spans(sheet, "#fff6dc", 80, "y")]
        steps += [b - a for a, b in pairwise(middles)]
    assert len(steps) >= 4
    assert steps == pytest.approx([6 * 27 / 3**0.5] * len(steps), abs=0.4)


def spans(sheet: Image.Image, colour: str, least: float, axis: str) -> list[tuple[float, float]]:
    """Where, in mm along an axis, there is at least so much of a colour across it."""
    across = sheet.height if axis == "x" else sheet.width
    near = ImageChops.difference(sheet, Image.new("RGB", sheet.size, colour)).convert("L")
    mask = near.point(lambda value: 255 * (value < 6))
    size = (sheet.width, 1) if axis == "x" else (1, sheet.height)
    found: list[tuple[float, float]] = []
    for at, share in enumerate(mask.resize(size, Image.Resampling.BOX).tobytes()):
        if share * across > 255 * least * PX:
            joined = bool(found) and at / PX - found[-1][1] < 3
            start = found.pop()[0] if joined else at / PX
            found.append((start, (at + 1) / PX))
    return found

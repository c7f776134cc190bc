"""Kasvoton vihollinen: its box, its rules broken one by one, its patterns on the board."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pixels
import pytest
from conftest import ROOT, Checked
from PIL import Image
from small_games import A4, make, options
from whole_games import copy_game, with_rule

from cardgen.core.units import Size
from cardgen.game.model import Game
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.rules import rule_file
from cardgen.templates.template_renderer import TemplateRenderer

GAME = ROOT / "games" / "kasvoton"
FOLDERS = ("art", "cards", "fonts", "rulebook", "templates")
PX = 4
"""Pixels a millimetre, where print is measured."""


# -- the box


def test_what_is_in_the_box(game: Game) -> None:
    """Section 3 of the fact sheet. Decks for the rulebook alone put nothing into the box."""
    assert {deck.id: deck.count for deck in game.decks if deck.count} == {
        "blue": 42,
        "grey": 42,
        "board": 1,
        "graveyards": 2,
        "turn-track": 1,
        "turn-markers": 4,
        "reference": 4,
        "score-duel": 2,
        "score-team": 1,
    }
    assert game.languages == ("fi", "en")


@pytest.mark.parametrize("side", ["blue", "grey"])
def test_an_army_by_value(game: Game, side: str) -> None:
    counts: dict[int, int] = {}
    for piece in pieces(game, side):
        value = piece.values.get("value")
        if value is not None:
            counts[value] = counts.get(value, 0) + piece.copies
    assert counts == dict(
        zip(range(1, 15), [1, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 1, 1, 4], strict=True)
    )


def pieces(game: Game, deck_id: str) -> tuple[Any, ...]:
    deck = game.get_deck(deck_id)
    assert deck is not None
    return deck.pieces


def test_sizes_are_those_that_the_rules_reckon_with(game: Game) -> None:
    board, card = game.constants["board"], game.constants["card_size"]
    sizes = {deck.id: deck.size for deck in game.decks}
    edge = board["edge"]
    assert sizes["board"] == Size(board["width"] + 2 * edge["x"], board["height"] + 2 * edge["y"])
    for side in ("blue", "grey"):
        assert sizes[side] == Size(card["width"], card["height"])


def test_nothing_is_wrong_with_it(checked: Checked) -> None:
    """All faces in both languages are typeset, all rules hold."""
    assert [str(problem) for problem in checked.problems] == []


def test_backs_tell_the_side_and_nothing_else(game: Game) -> None:
    backs = {side: looks(game, side) for side in ("blue", "grey")}
    assert all(len(found) == 1 for found in backs.values())
    assert backs["blue"] != backs["grey"]
    for side in backs:
        art = (GAME / "art" / side / "back.svg").read_text(encoding="utf-8")
        first, turned = art.split('<g transform="rotate(180 23.5 34.5)">')
        assert first.count("<path") == turned.count("<path")
        assert [line for line in first.splitlines() if "<path" in line] == [
            line for line in turned.splitlines() if "<path" in line
        ]


def looks(game: Game, side: str) -> set[str]:
    deck = game.get_deck(side)
    assert deck is not None
    templates = TemplateRenderer(game)
    found = {templates.render_face(deck, piece, "back", "fi") for piece in deck.pieces}
    assert not templates.problems
    return {html for html in found if html is not None}


# -- the rules, broken

MISTAKES = [
    ("all-is-translated", "cards/board.yaml", "en: Battlefield}", "en: Taistelukenttä}"),
    ("deck-size", "cards/army.csv", "levy;4;3;", "levy;5;3;"),
    ("blanks", "cards/army.csv", "blank;2;", "blank;3;"),
    ("blanks-are-blank", "cards/army.csv", "blank;2;;blank;;", "blank;2;;blank;1;"),
    ("every-value", "cards/army.csv", "levy;4;3;", "levy;4;2;"),
    ("one-scout", "cards/army.csv", "scout;1;1;", "scout;2;1;"),
    ("two-princes", "cards/army.csv", "prince;2;", "prince;1;"),
    ("one-queen", "cards/army.csv", "queen;1;", "queen;2;"),
    ("one-king", "cards/army.csv", "king;1;", "king;2;"),
    ("four-knights", "cards/army.csv", "knight-lion;1;", "knight-lion;2;"),
    ("knights-by-arms", "cards/army.csv", ";eagle;Kotka", ";lion;Kotka"),
    ("arms-on-knights", "cards/army.csv", "cavalry;3;10;unit;;;;", "cavalry;3;10;unit;;;bear;"),
    ("fixed-cards", "cards/army.csv", "prince;2;11;royal;2;", "prince;2;11;royal;1;"),
    ("which-are-fixed", "cards/army.csv", "cavalry;3;10;unit;;", "cavalry;3;10;unit;1;"),
    ("enough-to-draw", "game.yaml", "shown_at_start: 2", "shown_at_start: 15"),
    (
        "armies-alike",
        "cards/grey.yaml",
        "rows: army.csv",
        "rows: army.csv\ncards: [{id: x, value: 7, name: {fi: A, en: A}}]",
    ),
    ("sides", "cards/grey.yaml", "default: grey", "default: blue"),
    ("backs-blue", "templates/army-back.html", "/back.svg", "/{{ card.id }}.svg"),
    ("backs-grey", "templates/army-back.html", "/back.svg", "/{{ card.id }}.svg"),
    ("sides-apart", "game.yaml", '"#77746d", symbol', '"#20467a", symbol'),
    ("royal-family", "cards/army.csv", "prince;2;11;royal", "prince;2;11;unit"),
    ("powers", "cards/army.csv", ";archers;Jousimiehet", ";;Jousimiehet"),
    ("powers-told", "cards/army.csv", "Ratsuväki;Cavalry;;", "Ratsuväki;Cavalry;Nopea.;Fast."),
    ("troops-listed", "game.yaml", "{value: 14, picture", "{value: 15, picture"),
    ("troops-as-dealt", "cards/army.csv", "levy;4;3;", "levy;5;3;"),
    ("troops-by-name", "cards/army.csv", "Nostoväki;Levy", "Miehet;Levy"),
    ("army-size", "game.yaml", "army: 26", "army: 27"),
    ("board-holds-the-armies", "game.yaml", "columns: 13", "columns: 12"),
    ("empty-field", "game.yaml", "empty_rows: 2", "empty_rows: 3"),
    ("halves-of-the-board", "game.yaml", "middle_column: 7", "middle_column: 6"),
    ("squares-hold-cards", "game.yaml", "square: {width: 43", "square: {width: 42"),
    ("squares-fill-the-board", "game.yaml", "width: 559", "width: 560"),
    ("partners-share", "game.yaml", "partner_rear: 12", "partner_rear: 13"),
    ("track-begins-and-ends", "cards/turn-track.yaml", "last: 125", "last: 124"),
    ("track-without-gaps", "cards/turn-track.yaml", "first: 26", "first: 27"),
    ("four-tracks", "cards/turn-track.yaml", "      - {side: grey, number: 2}\n", ""),
    (
        "marker-for-each-track",
        "cards/turn-markers.yaml",
        "{id: marker-2,",
        "{id: marker-2, copies: 2,",
    ),
    ("four-phases", "cards/reference.yaml", "icon: eye", "icon: step"),
    ("reference-powers", "cards/reference.yaml", "value: 5", "value: 6"),
    ("reference-for-all", "cards/reference.yaml", "copies: 4", "copies: 3"),
    (
        "graveyard-each",
        "cards/graveyards.yaml",
        "- id: graveyard",
        "- id: graveyard\n    copies: 2",
    ),
    ("duel-games", "cards/score-duel.yaml", "games: [1, 2, 3, 4, 5]", "games: [1, 2, 3, 4]"),
    ("duel-knights", "cards/score-duel.yaml", "knights: [1, 2, 3, 4]", "knights: [0, 1, 2, 3, 4]"),
    ("team-armies", "cards/score-team.yaml", "from: A1, to: B2", "from: A1, to: A2"),
    ("lines-inside", "game.yaml", "[nw se, n s", "[nw s, n s"),
    ("triangles-inside", "game.yaml", "[nw n s, nw n se", "[nw n s, nw n s"),
    ("lines-at-the-edge", "game.yaml", "[nw n, nw ne", "[nw n, nw w"),
    ("triangles-at-the-edge", "game.yaml", "[nw n ne, nw n w", "[nw n w, nw n w"),
    ("triangles-in-the-corner", "game.yaml", "[n ne, n e", "[n ne, n w"),
    ("reference-patterns", "cards/reference.yaml", "[nw, w, e]", "[nw, n, e]"),
    ("more-knights-come", "cards/army.csv", "eagle;1;14;knight", "eagle;1;14;unit"),
    ("all-knights-seldom-come", "game.yaml", "drawn: 20", "drawn: 23"),
    ("armies-are-alike", "cards/army.csv", "levy;4;3;", "levy;4;13;"),
]
"""A rule, and a slip in a file that breaks it."""


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game without its fonts, to be spoilt and mended."""
    parts = ("game.yaml", "table.yaml", "cards", "templates", "art/icons")
    root = copy_game(GAME, tmp_path_factory.mktemp("mistakes"), parts, packages=False)
    (root / "fonts").mkdir()
    shutil.copy(GAME / "fonts/fonts.yaml", root / "fonts")
    return root


@pytest.mark.parametrize(("rule", "file", "right", "wrong"), MISTAKES)
def test_a_mistake_is_told_at_its_rule(
    scratch: Path, rule: str, file: str, right: str, wrong: str
) -> None:
    path = scratch / file
    before = path.read_text(encoding="utf-8")
    assert right in before
    path.write_text(before.replace(right, wrong, 1), encoding="utf-8")
    try:
        found, _ = rule_file.load_game(scratch)
        assert found is not None
        told = rule_file.check_card_rules(
            with_rule(found, rule), lambda deck: {look: [] for look in two_languages(found, deck)}
        )
    finally:
        path.write_text(before, encoding="utf-8")
    lines = (scratch / "cards/rules.yaml").read_text(encoding="utf-8").splitlines()
    # One that is written for both sides has an id without the side.
    written = rule if f"  - id: {rule}" in lines else rule.rpartition("-")[0]
    line = lines.index(f"  - id: {written}") + 1
    assert {(p.kind, str(p).split(": ")[0]) for p in told} == {(rule, f"cards/rules.yaml:{line}")}


def two_languages(game: Game, deck: str) -> set[str]:
    """The looks of a deck's backs; each once more for the second language."""
    found = looks(game, deck)
    return found | {f"{look}<!-- en -->" for look in found}


ON_FACES = {
    "cards-lie-on-squares", "markers-lie-in-boxes", "graves-hold-cards", "read-in-the-hand",
    "reference-is-read-at-a-glance", "powers-of-one-size", "stands-out",
}  # fmt: skip
"""Rules that are held against faces as they are set."""


def test_every_rule_has_its_mistake(game: Game) -> None:
    assert {rule.id for rule in game.rules} == {rule for rule, *_ in MISTAKES} | ON_FACES


@pytest.mark.usefixtures("checked", "one_process")
def test_mistakes_of_faces_are_caught_at_their_rules(tmp_path: Path) -> None:
    """Letters too small, too pale and of many sizes, places too narrow: all at once."""
    root = copy_game(GAME, tmp_path, ("game.yaml", *FOLDERS))
    for file, old, new in (
        ("board.css", "width: 43mm; height: 65mm", "width: 42mm; height: 65mm"),
        ("turn-track.css", "absolute; width: 14mm", "absolute; width: 12mm"),
        ("graveyard.css", "width: 43mm; height: 65mm", "width: 42mm; height: 65mm"),
        ("reference-turn.html", 'data-fit="9-10"', 'data-fit="7-7"'),
        ("army.html", 'data-fit="7.5-8.4"', 'data-fit="6.5-10"'),
        ("graveyard.css", ".side {", ".side { color: #9aa;"),
    ):  # fmt: skip
        style = root / "templates" / file
        text = style.read_text(encoding="utf-8")
        assert old in text
        style.write_text(text.replace(old, new, 1), encoding="utf-8")
    _, _, problems = build.check(Request(root))
    assert {problem.kind for problem in problems} >= ON_FACES


# -- patterns, on the board itself: squares are (column, row), the enemy of blue in question on one

COLUMNS, ROWS = 13, 6
Square = tuple[int, int]
WAYS = {
    "n": (0, 1), "ne": (1, 1), "e": (1, 0), "se": (1, -1), "s": (0, -1), "sw": (-1, -1),
    "w": (-1, 0), "nw": (-1, 1), "nn": (0, 2), "ee": (2, 0), "ww": (-2, 0),
}  # fmt: skip
TARGETS: dict[str, Square] = {"interior": (7, 3), "edge": (7, 1), "corner": (1, 1)}


def adjacent(a: Square, b: Square) -> bool:
    return a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def edges(square: Square) -> set[str]:
    """The edges of the board that a square lies on."""
    column, row = square
    ends = {"left": column == 1, "right": column == COLUMNS, "foot": row == 1, "head": row == ROWS}
    return {name for name, at in ends.items() if at}


def opposite(target: Square, a: Square, b: Square) -> bool:
    """Whether two squares stand straight across the target, next to it."""
    return adjacent(a, target) and (a[0] + b[0], a[1] + b[1]) == (2 * target[0], 2 * target[1])


def is_line(target: Square, own: Iterable[Square]) -> bool:
    """Rules 21 and 27: exactly these two cards."""
    a, b = own
    if opposite(target, a, b):
        return True
    inboard = [not edges(square) & edges(target) for square in (a, b)]
    return len(edges(target)) == 1 and adjacent(a, target) and adjacent(b, target) and all(inboard)


def is_triangle(target: Square, own: Iterable[Square]) -> bool:
    """Rules 24, 26, 27 and 28; more cards than needed do no harm."""
    near = [square for square in own if adjacent(square, target)]
    if len(edges(target)) == 2:
        return len(near) >= 2
    if len(near) < 3:
        return False
    if any(opposite(target, a, b) for a, b in combinations(near, 2)):
        return True
    inboard = sum(not edges(square) & edges(target) for square in near)
    return len(edges(target)) == 1 and inboard >= 2


def squares(place: str, own: Iterable[str]) -> list[Square]:
    """Compass points as squares; one off the board is a mistake of the diagram."""
    x, y = TARGETS[place]
    found = [(x + WAYS[way][0], y + WAYS[way][1]) for way in own]
    assert all(1 <= column <= COLUMNS and 1 <= row <= ROWS for column, row in found), own
    return found


def judged(kind: str, place: str, own: Iterable[str]) -> bool:
    judge = is_line if kind == "line" else is_triangle
    return judge(TARGETS[place], squares(place, own))


def diagrams(game: Game) -> Iterator[Any]:
    for deck in ("diagrams", "diagrams-wide"):
        yield from pieces(game, deck)


def test_every_diagram_is_right(game: Game) -> None:
    shown = [p for p in diagrams(game) if p.values["kind"] in ("line", "triangle")]
    assert len(shown) == 40
    for piece in shown:
        v = piece.values
        assert judged(v["kind"], v["place"], v["own"]) == v["legal"], piece.id
        assert piece.id.startswith("no-") != v["legal"], piece.id


def test_diagrams_of_shots_moves_and_scouting(game: Game) -> None:
    for piece in diagrams(game):
        v = piece.values
        around = squares("interior", v["enemy"])
        if v["kind"] == "shot":
            ahead = (TARGETS["interior"][0], TARGETS["interior"][1] + 1)
            assert v["legal"] == (around == [ahead]), piece.id
        if v["kind"] == "scouting":
            near = [square for square in around if adjacent(square, TARGETS["interior"])]
            assert v["legal"] == (1 <= len(near) <= 2), piece.id
            assert set(v["shown"]) <= set(v["enemy"])


COUNTS = {
    ("interior", 2): (4, 28), ("interior", 3): (24, 56), ("edge", 2): (4, 10),
    ("edge", 3): (10, 10), ("corner", 2): (3, 3),
}  # fmt: skip
"""How many of all pairs or threes round a target capture it."""


def test_all_patterns_are_there(game: Game) -> None:
    """The page of all patterns says of every pair and every three what the board says."""
    (piece,) = pieces(game, "catalogue")
    order = ["nw", "n", "ne", "w", "e", "sw", "s", "se"]
    around = {"interior": order, "edge": order[:5], "corner": ["n", "ne", "e"]}
    captures: Any = game.constants["captures"]
    found = {}
    for section in piece.values["sections"]:
        place, size = section["place"], section["size"]
        kind = "line" if size == 2 and place != "corner" else "triangle"
        every = list(combinations(around[place], size))
        right = [" ".join(own) for own in every if judged(kind, place, own)]
        assert list(captures[section["captures"]]) == right
        found[place, size] = (len(right), len(every))
    assert found == COUNTS


def test_the_page_of_all_patterns_joins_what_captures(game: Game) -> None:
    """What is drawn: a stroke for each card of each legal pattern, and every pattern a frame."""
    deck = game.get_deck("catalogue")
    assert deck is not None
    templates = TemplateRenderer(game)
    assert templates.render_face(deck, deck.pieces[0], "front", "fi"), templates.problems
    ((_name, svg),) = templates.drawings.values()
    drawn = svg.decode()
    strokes = sum(legal * size for (_, size), (legal, _) in COUNTS.items())
    assert drawn.count('<path d="M0 0L') == strokes
    assert drawn.count("<g transform") == sum(every for _, every in COUNTS.values())


def test_patterns_of_the_reference_card(game: Game) -> None:
    (piece,) = pieces(game, "reference")
    for pattern in piece.values["patterns"]:
        for own in pattern["own"]:
            assert judged(pattern["kind"], pattern["place"], own), own


def test_more_cards_never_spoil_a_triangle() -> None:
    for x, y in TARGETS.values():
        near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
        near = [(c, r) for c, r in near if 1 <= c <= COLUMNS and 1 <= r <= ROWS]
        for size in range(2, len(near)):
            for own in combinations(near, size):
                more = [[*own, one] for one in near if one not in own]
                assert not is_triangle((x, y), own) or all(is_triangle((x, y), m) for m in more)


# -- the rulebook


@pytest.mark.parametrize("language", ["fi", "en"])
def test_numbers_of_the_rulebook_come_from_the_data(language: str) -> None:
    """Sizes of armies, draws and limits are nowhere written out."""
    text = (GAME / "rulebook" / f"{language}.md").read_text(encoding="utf-8")
    bare = re.sub(r"```.*?```|\{\{.*?\}\}|\{%.*?%\}", "", text, flags=re.DOTALL)
    assert re.findall(r"\b(?:12|13|20|24|26|34|40|42|125)\b", bare) == []
    for name in (
        "army",
        "drawn",
        "turn_limit",
        "games",
        "knights_per_win",
        "partner_cards",
        "blanks",
    ):
        assert re.search(rf"\{{\{{[^}}]*\b{name}\b", text), name


def test_both_rulebooks_have_the_same_parts() -> None:
    named = [
        re.findall(
            r"\{#([\w-]+)|^name: (\S+)", (GAME / "rulebook" / f"{lang}.md").read_text(), re.M
        )
        for lang in ("fi", "en")
    ]
    assert named[0] == named[1]
    assert len(named[0]) > 40


def test_sections_of_rules_are_sections_of_the_rulebook(game: Game) -> None:
    text = (GAME / "rulebook" / "en.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^#+ ([^{\n]+?) *(?:\{|$)", text, re.M))
    assert {rule.section for rule in game.rules} <= headings


# -- true to scale


@pytest.fixture(scope="module")
def board_sheets(copy: Path) -> list[Image.Image]:
    """The sheets of the board on A4, without the sketch that comes first."""
    found, _ = rule_file.load_game(copy)
    assert found is not None
    wanted = options(A4, overlap=found.defaults.overlap, margin=found.defaults.margin)
    make(copy, wanted, outputs=("sheets",), languages=("fi",), decks=("board",))
    return pixels.pages(copy / "build/fi/sheets/board.pdf", PX, "L")[1:]


def test_the_board_is_four_sheets_of_a4(board_sheets: list[Image.Image]) -> None:
    assert len(board_sheets) == 4


def test_squares_are_true_to_scale(board_sheets: list[Image.Image]) -> None:
    """Lines between squares lie 43 and 65 mm apart, on every sheet."""
    for sheet in board_sheets:
        found = [dark_lines(sheet), dark_lines(sheet.rotate(90, expand=True))]
        steps = sorted({round(step) for line in found for step in line})
        assert steps == [43, 65], steps
        assert all(min(abs(s - 43), abs(s - 65)) < 0.4 for line in found for s in line)


def dark_lines(sheet: Image.Image) -> list[float]:
    """Distances, in mm, between upright dashed lines that run over most of a sheet."""
    dark = sheet.point(lambda value: 255 * (value < 60))
    share = list(dark.resize((dark.width, 1), Image.Resampling.BOX).tobytes())
    runs: list[list[int]] = []
    for x, value in enumerate(share):
        if value > 90 and 16 * PX < x < dark.width - 16 * PX:
            if runs and x - runs[-1][-1] <= 2:
                runs[-1].append(x)
            else:
                runs.append([x])
    # The frame of the board is thicker than its lines, and not in the middle between squares.
    middles = [sum(run) / len(run) / PX for run in runs if len(run) < 1.4 * PX]
    return [b - a for a, b in pairwise(middles)]

"""AT-43: the box holds what its sheet asks for, its rules bite, its rulers are true to scale."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pixels
import pytest
from conftest import ROOT, Checked
from PIL import Image, ImageChops
from whole_games import WHOLE, copy_game

from cardgen.assets import game_fonts
from cardgen.faces import rendering, text_contrast, typesetting
from cardgen.faces.queries import FaceQueries
from cardgen.game.model import Game
from cardgen.rules import rule_file, rule_kinds
from cardgen.runtime.content_store import Store
from cardgen.templates.expressions import CardDatabase

GAME = ROOT / "games/at43"
COUNTS = {
    "units-una": 19, "units-therian": 19, "routines": 7, "tokens-lp": 48, "tokens-orders": 64,
    "tokens-status": 88, "tokens-game": 26, "tokens-common": 32, "figures-una-25": 27,
    "figures-una-40": 11, "figures-una-60": 4, "figures-therian-25": 24, "figures-therian-40": 8,
    "figures-therian-60": 6, "tanks-una": 4, "tanks-therian": 6, "player-boards": 2,
    "army-sheets": 2, "blast-template": 1, "range-sticks": 7, "reference-sheets": 2,
    "terrain-wall": 8, "terrain-nanogenerator": 2, "terrain-container": 6, "tokens-places": 10,
    "zones-access": 4, "zones-drop": 2, "missions": 3, "diagrams": 0,
    "diagram-bases": 0,
}  # fmt: skip
PX_PER_MM = 10

# A file, what is changed in it, and the rule that tells. One for every rule of the sheet, and more.
MISTAKES = [
    ("cards/routines.yaml", "en: Dash}", "en: Syöksy}", "all-is-translated"),
    ("cards/routines.yaml", "id: fusion", "id: fusion\n    copies: 2", "routine-count"),
    ("cards/routines.yaml", "category: both", "category: tank", "routines-shared"),
    ("cards/routines.yaml", "category: infantry", "category: both", "routines-infantry"),
    ("cards/routines.yaml", "lp: 3", "lp: 4", "routine-costs"),
    ("game.yaml", "      - [afv-2, afv-3]\n", "", "slots-therian"),
    ("game.yaml", "- [afv-2, afv-3]", "- [support-1]", "slot-therian-5"),
    ("cards/units-una.yaml", "starter: {slot: 1,", "starter: {slot: 5,", "starter-slots-una"),
    ("cards/units-una.yaml", "starter: {slot: 4,", "starter: {slot: 3,", "starter-order-una"),
    ("cards/units-una.yaml", "slot: 1, figures: 9", "slot: 1, figures: 12", "starter-size-una"),
    ("cards/units-una.yaml", "ap: {unit: 90, extra: 40}", "ap: {unit: 95}", "starter-ap-una"),
    ("cards/units-therian.yaml", "figures: 4}", "figures: 5}", "starter-ap-therian"),
    ("game.yaml", "starter_ap: 500", "starter_ap: 490", "starter-limit"),
    ("cards/units-una.yaml",
     "smallest: 6\n    largest: 9", "smallest: 9\n    largest: 6",
     "unit-size"),
    ("cards/units-una.yaml", "    morale: 7\n", "", "unit-morale"),
    ("cards/units-therian.yaml",
     "    move: 12\n", "    move: 12\n    morale: 8\n",
     "therian-morale"),
    ("game.yaml", "{rank: 5, authority: 6", "{rank: 6, authority: 6", "ranks"),
    ("cards/units-una.yaml", "sp: {legs: 2, body: 3", "sp: {legs: 2, body: 4", "strider-points"),
    ("cards/units-una.yaml", 'base: "40"', 'base: "25"', "bases"),
    ("cards/units-una.yaml", "rate: 1, aoe: 3", "rate: 1", "indirect-area"),
    ("cards/units-una.yaml", "rate: 1, pen: 3", "rate: 1, aoe: 2, pen: 3", "direct-no-area"),
    ("cards/units-una.yaml",
     "rate: 1, pen: 4, dmg: 1}", "rate: 1, pen: 4, dmg: 1, special: true}",
     "one-special-weapon"),
    ("cards/units-una.yaml", "id: una-saarto\n", "id: una-saarto\n    copies: 2\n", "hero-una"),
    ("cards/units-therian.yaml",
     "id: th-sarja\n    copies: 2", "id: th-sarja\n    copies: 3",
     "profiles-therian"),
    ("cards/tokens-orders.yaml", "id: kneel, copies: 8", "id: kneel, copies: 7", "orders"),
    ("cards/tokens-lp.yaml", "lp-1, copies: 20", "lp-1, copies: 4", "lp-tokens"),
    ("cards/tokens-lp.yaml", "icon: lp, value: 1", "icon: lp, value: -1", "lp-una"),
    ("cards/tokens-status.yaml", "copies: 20", "copies: 19", "status-tokens"),
    ("game.yaml", "faces: [3, 4, 5]", "faces: [3, 4]", "hit-locations"),
    ("game.yaml", "{low: -1, high: 1,", "{low: 0, high: 1,", "utor-contiguous"),
    ("game.yaml", "high: 3, need: 3", "high: 3, need: 4", "utor-monotone"),
    ("cards/terrain-wall.yaml", "protection: 12", "protection: 11", "obstacle-wall"),
    ("cards/tanks-therian.yaml", "copies: 3", "copies: 2", "boards-therian"),
    ("cards/tanks-una.yaml", "body: 6", "body: 5", "board-points-una"),
    ("cards/tokens-common.yaml", "id: sp, copies: 30", "id: sp, copies: 29", "sp-pointers"),
    ("cards/figures-una-25.yaml", "copies: 5", "copies: 6", "figures-una"),
    ("cards/figures-una-25.yaml", "copies: 5", "copies: 6", "unit-figures-una"),
    ("cards/figures-una-25.yaml", "role: specialist", "role: special", "special-figures-una"),
    ("cards/figures-therian-40.yaml", "unit: th-nanosyotto", "unit: th-kuu", "base-therian-40"),
    ("game.yaml", "blast_radius: 10", "blast_radius: 9", "blast-radius"),
    ("game.yaml", "stick: [2.5, 6,", "stick: [2.5, 5,", "stick-marks"),
    ("cards/range-sticks.yaml", "length: 15", "length: 14", "stick-length"),
    ("cards/missions.yaml",
     "objectives: [{x: 60, y: 150}]", "objectives: [{x: 60, y: 190}]",
     "mission-on-table"),
    ("cards/missions.yaml", "{x: 95, y: 60}]", "{x: 95, y: 60}, {x: 9, y: 9}]", "mission-captured"),
    ("cards/missions.yaml", "from: 50, to: 70}", "from: 50, to: 75}", "mission-strips"),
    ("cards/missions.yaml", "drop: [{x: 30", "drop: [{x: 5, y: 5}, {x: 30", "mission-drop"),
    ("cards/missions.yaml", "rounds: 7", "rounds: 9", "mission-vp"),
    ("cards/army-sheets.yaml", "ap: 120, extra: 20", "ap: 120, extra: 25", "price-extra-una"),
    ("cards/units-therian.yaml", "ap: {unit: 220", "ap: {unit: 230", "price-list-therian"),
    ("cards/missions.yaml", "vp: {objective: 3", "vp: {objective: 0", "mission-values"),
    ("game.yaml", "id: legs, faces: [1, 2]", "id: legs, faces: [1]", "legs-are-hit"),
    ("game.yaml", "high: 1, need: 4", "high: 1, need: 5", "even-test"),
    ("game.yaml", "high: 5, need: 2", "high: 5, need: 3", "volley-near"),
    ("game.yaml", "high: 1, need: 4", "high: 1, need: 6", "volley-far"),
]  # fmt: skip


def loaded(folder: Path) -> Game:
    game, problems = rule_file.load_game(folder)
    assert game is not None, problems
    return game


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game to make mistakes in; each is undone."""
    parts = [part for part in WHOLE if part != "rulebook"]
    root = copy_game(GAME, tmp_path_factory.mktemp("spoilt"), parts, packages=False)
    (root / "fonts/node_modules").symlink_to(GAME / "fonts/node_modules")
    return root


def test_the_box_holds_what_its_sheet_asks_for(game: Game) -> None:
    assert {deck.id: deck.count for deck in game.decks} == COUNTS


def test_every_rule_holds(game: Game) -> None:
    assert rule_file.check_card_rules(game, lambda deck: {}) == []


@pytest.mark.parametrize(("file", "right", "wrong", "rule"), MISTAKES)
def test_a_deliberate_mistake_is_caught(
    spoilt: Path, file: str, right: str, wrong: str, rule: str
) -> None:
    path = spoilt / file
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    try:
        changed = loaded(spoilt)
    finally:
        path.write_text(text)
    found = next(each for each in changed.rules if each.id == rule)
    assert [*rule_kinds.make_rule_kind(found, CardDatabase(changed)).check(lambda deck: {})]
    line = (spoilt / "cards/rules.yaml").read_text().splitlines()[found.source.line - 1]
    assert f"  - id: {rule}".startswith(line)


def test_a_back_that_tells_is_caught(spoilt: Path) -> None:
    """Cards of the queue and orders lie face down: their backs must be one."""
    told = {"unit-back.html": "back-una", "token-back.html": "order-back"}
    texts = {name: (spoilt / "templates" / name).read_text() for name in told}
    for name, text in texts.items():
        (spoilt / "templates" / name).write_text(text + "<i>{{ card.name }}</i>")
    changed = loaded(spoilt)
    store = Store(spoilt / "build/.store")
    fonts, _ = game_fonts.prepare_fonts(changed, store)
    made = rendering.render_faces(changed, fonts, changed.decks, changed.languages, store)
    for name, text in texts.items():
        (spoilt / "templates" / name).write_text(text)
    broken = {problem.kind for problem in rule_file.check_card_rules(changed, made.find_backs)}
    assert broken == {"back-una", "back-therian", "order-back"}


@pytest.mark.usefixtures("checked", "one_process")
def test_a_marker_too_large_for_its_places_is_caught(tmp_path: Path) -> None:
    """Every place takes a marker of 15 mm; one of 17 lies on its neighbours, though not in the
    pool, which has room to spare."""
    root = copy_game(GAME, tmp_path, [part for part in WHOLE if part != "rulebook"])
    assert fits_broken(root) == set()
    path = root / "cards/tokens.yaml"
    text = path.read_text()
    assert 'size: "15 x 15"' in text
    path.write_text(text.replace('size: "15 x 15"', 'size: "17 x 17"'))
    assert fits_broken(root) == {
        "markers-fit-boards", "routine-boxes", "pointers-fit-una", "pointers-fit-therian",
        "rounds-fit",
    }  # fmt: skip


# What is changed in the routine cards, and the rule about their texts that tells.
TEXT_MISTAKES = [
    ("templates/routine.css", "line-height: 3.6mm; font-size: 7.5pt",
     "line-height: 3.6mm; font-size: 7.2pt", "legible"),
    ("templates/routine.css", "font-weight: 700; color: var(--cyan-dark)",
     "font-weight: 700; color: var(--cyan-light)", "seen"),
    ("templates/routine.html", 'data-fit="8.4-9.4"',
     """data-fit="{{ "10.6-10.8" if card.id == "repair" else "8.4-9.4" }}\"""", "one-size"),
]  # fmt: skip


@pytest.fixture(scope="module")
def routines(checked: Checked, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game with its rules about texts held to the routine cards alone."""
    parts = [part for part in WHOLE if part != "rulebook"]
    root = copy_game(GAME, tmp_path_factory.mktemp("routines"), parts)
    path = root / "cards/rules.yaml"
    narrowed, count = re.subn(
        r"(text_size|contrast):\s+\[[^\]]+\]", r"\1: [routines]", path.read_text()
    )
    assert count == 3
    path.write_text(narrowed)
    assert texts_broken(root) == set()
    return root


@pytest.mark.parametrize(("file", "right", "wrong", "rule"), TEXT_MISTAKES)
def test_a_text_that_cannot_be_read_is_caught(
    routines: Path, file: str, right: str, wrong: str, rule: str
) -> None:
    path = routines / file
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong, 1))
    try:
        assert texts_broken(routines) == {rule}
    finally:
        path.write_text(text)


def texts_broken(root: Path) -> set[str]:
    return measured(root, ("text_size", "contrast"), 3)


def fits_broken(root: Path) -> set[str]:
    return measured(root, ("fits",), 6)


def measured(root: Path, kinds: tuple[str, ...], count: int) -> set[str]:
    """The rules of these kinds, so many, that the faces of the game in a folder break."""
    read = loaded(root)
    game = replace(read, rules=tuple(rule for rule in read.rules if rule.kind in kinds))
    assert len(game.rules) == count
    store = Store(root / "build/.store")
    fonts, _ = game_fonts.prepare_fonts(game, store)
    faces = rendering.render_faces(game, fonts, game.decks, game.languages, store)
    assert faces.problems == []
    boards = {rule.arguments.get("on", "routines") for rule in game.rules}
    faces.faces = [face for face in faces.faces if face.deck.id in boards]
    typesetting.typeset_faces(game, faces, store)
    assert faces.problems == []
    if "contrast" in kinds:
        text_contrast.measure_contrasts(faces.faces, fonts, store)
    problems, waiting = rule_file.check_face_rules(game, FaceQueries(game, faces, store))
    assert waiting == []
    return {problem.kind for problem in problems}


def ran(*arguments: str) -> str:
    """What the command prints; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "cardgen", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_nothing_is_wrong_in_any_language(checked: Checked, copy: Path) -> None:
    assert [str(problem) for problem in checked.problems] == []
    assert "no problems" in ran("check", str(copy), "--strict").splitlines()[-1]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("printed")
    decks = [part for deck in ("blast-template", "range-sticks", "terrain-container", "zones-drop")
             for part in ("--deck", deck)]  # fmt: skip
    ran("build", str(GAME), "sheets", "--lang", "en", "--paper", "a4", "-o", str(out), *decks)
    return out / "en/sheets"


def page(pdf: Path, number: int = 0) -> Image.Image:
    return pixels.pages(pdf, PX_PER_MM)[number]


Colour = tuple[int, int, int]
PAPER, INK, RED, STEEL = (246, 242, 228), (32, 35, 29), (179, 40, 45), (143, 65, 20)
BONE = (236, 230, 210)


def mask(image: Image.Image, colour: Colour, near: int) -> Image.Image:
    """White where a picture has the colour."""
    away = ImageChops.difference(image, Image.new("RGB", image.size, colour))
    bands = [band.point(lambda v: 255 * (v < near)) for band in away.split()]
    return ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])


def runs(image: Image.Image, y: int, colour: Colour, near: int = 30) -> list[tuple[float, float]]:
    """Where a row of pixels has the colour, from and to, in mm."""
    row = mask(image.crop((0, y, image.width, y + 1)), colour, near).tobytes()
    return [(m.start() / PX_PER_MM, m.end() / PX_PER_MM) for m in re.finditer(rb"\xff+", row)]


def test_the_blast_template_is_true_to_scale(printed: Path) -> None:
    """Its disc, within a cut line of 0.3 mm, from the leftmost to the rightmost point."""
    box = mask(page(printed / "blast-template.pdf"), PAPER, 6).getbbox()
    assert box is not None
    assert (box[2] - box[0]) / PX_PER_MM == pytest.approx(200 - 2 * 0.3, abs=0.15)


def test_a_hundred_millimetres_are_a_hundred(printed: Path) -> None:
    """The frame of the ruler beside the template is an unbroken line of 150 mm."""
    image = page(printed / "blast-template.pdf")
    lower = image.crop((0, image.height * 3 // 5, image.width, image.height))
    darkness = mask(lower, INK, 40).resize((1, lower.height), Image.Resampling.BOX).tobytes()
    start, end = max(runs(lower, darkness.index(max(darkness)), INK, 40), key=lambda r: r[1] - r[0])
    assert end - start == pytest.approx(150 + 0.2, abs=0.2)


def test_range_sticks_are_true_to_scale(printed: Path) -> None:
    """Red marks at 2.5, 6 and 10 cm from the stick's own left edge, where paper ends."""
    image = page(printed / "range-sticks.pdf")
    measured: Counter[tuple[float, ...]] = Counter()
    for y in range(0, image.height, 5):
        marks = [(a + b) / 2 for a, b in runs(image, y, RED) if 0.4 <= b - a <= 1]
        ground = [a for a, b in runs(image, y, BONE, 8) if b - a > 5]
        if len(marks) == 3 and ground:
            measured[tuple(mark - ground[0] for mark in marks)] += 1
    # Rows that go through red numbers differ from each other; the others agree.
    found, often = measured.most_common(1)[0]
    assert often > 20
    # The outline, 0.3 mm, lies within the edge.
    assert found == pytest.approx((24.7, 59.7, 99.7), abs=0.25)


def test_every_ring_of_the_blast_template_is_seen(printed: Path) -> None:
    """Along a line from its middle to the right, a ring at every centimetre."""
    image = page(printed / "blast-template.pdf")
    box = mask(image, PAPER, 6).getbbox()
    assert box is not None
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    # Between the arrows and away from the numbers of the rings.
    turn = math.radians(10)
    for ring in range(1, 10):
        dark = 0
        for tenth in range(ring * 10 * PX_PER_MM - 6, ring * 10 * PX_PER_MM + 7):
            x = round(middle[0] + tenth * math.cos(turn))
            y = round(middle[1] + tenth * math.sin(turn))
            red, green, _ = pixels.pixel(image, (x, y))
            dark += green < 110 and red < 200
        assert dark, f"ring {ring}"


def test_a_container_is_three_units_high(printed: Path) -> None:
    """Its posts are 75 mm from fold to fold, whichever way it lies on the paper."""
    image = page(printed / "terrain-container.pdf")
    turned = image.transpose(Image.Transpose.ROTATE_90)
    posts = [b - a for each in (image, turned) for y in range(0, each.height, 5)
             for a, b in runs(each, y, STEEL, 12)]  # fmt: skip
    assert any(post == pytest.approx(75, abs=0.5) for post in posts)


def test_the_rulebooks_have_the_same_chapters() -> None:
    """Both languages name the same headings and figures, in the same order."""
    named = [
        re.findall(
            r"^#+ .*\{#([\w-]+)|^name: ([\w-]+)", (GAME / f"rulebook/{code}.md").read_text(), re.M
        )
        for code in ("fi", "en")
    ]
    assert named[0] == named[1]
    assert len(named[0]) >= 30

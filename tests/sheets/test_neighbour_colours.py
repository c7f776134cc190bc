"""Cards that share a cut and differ in colour: told where another order would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import MakeGame
from small_games import A4, GAME, options

from cardgen.core.problems import Problem
from cardgen.core.units import Size
from cardgen.game.shapes import PLAIN_FORM
from cardgen.outputs import face_measurement, neighbour_colours
from cardgen.outputs.contract import Options
from cardgen.outputs.neighbour_colours import SideColours, find_strong_cuts
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.runtime.content_store import Store
from cardgen.sheets.arrangement import (
    ImposedSheet,
    SheetLayout,
    SheetPiece,
    SlugText,
    arrange_pieces,
)
from cardgen.sheets.imposition import PieceFormat

RED, PAPER, ROSE = "#b02020", "#f0e8d8", "#f0e0d8"
FACE = '<div class="bleed" style="background: {{ card.colour }}"></div>'


def game(colours: Sequence[str], more: str = "") -> dict[str, str]:
    cards = "".join(f"  - {{id: n{n}, colour: '{colour}'}}\n" for n, colour in enumerate(colours))
    deck = "deck: two\ntitle: {en: Two}\nsize: poker\nfront: f.html\n" + more
    deck += "fields: {colour: string}\ncards:\n" + cards
    return {"game.yaml": GAME, "templates/f.html": FACE, "cards/two.yaml": deck}


def told(root: Path, wanted: Options | None = None) -> list[Problem]:
    report = build.build(Request(root, options=wanted or options(), outputs=("sheets",)))
    assert not report.has_failed
    return [problem for problem in report.problems if problem.kind == "neighbours"]


def test_another_order_is_told_where_it_would_help(make_game: MakeGame) -> None:
    """Nine cards, red and paper by turns: all of the twelve cuts between them."""
    root = make_game(game([RED, PAPER] * 4 + [RED]))
    (problem,) = told(root)
    assert problem.message == (
        "on 12 cuts between cards of two two strongly different colours meet, such as between n0 "
        "and n1: a cut that is a little off shows the neighbour. With the cards sorted by "
        "colour there would be 4; sort them, or set them apart with 'gap: 4'"
    )
    assert (problem.severity, problem.source.path) == ("warning", "cards/two.yaml")
    assert told(root) == [problem]


def test_cuts_are_compared_again_only_where_a_colour_or_the_layout_changed(
    make_game: MakeGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card with other words beside the same colours needs no colour to be compared."""
    made = game([RED, PAPER] * 4 + [RED])
    made["templates/f.html"] = FACE + '<div style="padding: 9mm">{{ card.id }}</div>'
    root = make_game(made)
    first = told(root)
    compared: list[int] = []
    count = neighbour_colours.find_strong_cuts

    def counted(
        found: Sequence[ImposedSheet], sides: dict[str, SideColours]
    ) -> list[tuple[str, str]]:
        compared.append(len(found))
        return count(found, sides)

    monkeypatch.setattr(neighbour_colours, "find_strong_cuts", counted)
    (root / "templates/f.html").write_text(made["templates/f.html"].replace("9mm", "8mm"))
    assert told(root) == first
    assert not compared
    assert len([*(root / "build/.store/sides").iterdir()]) == 2  # of the deck, not of each card
    deck = root / "cards/two.yaml"
    deck.write_text(deck.read_text().replace(RED, "#0000ff", 1))
    told(root)
    assert compared


@pytest.mark.parametrize(
    "damage", [[1], ["", 9, 1, "gone", "n0"], {"a": 1}, ["", "x", 1, "n0", "n1"]], ids=repr
)
def test_kept_cuts_that_cannot_be_true_are_counted_again(
    make_game: MakeGame, damage: list[object]
) -> None:
    root = make_game(game([RED, PAPER] * 4 + [RED]))
    first = told(root)
    store = Store(root / "build/.store")
    (name,) = (name for name in store.list_names("sides") if "cuts" in name)
    path = store.get_path("sides", name)
    kept = store.read_json(path)
    if isinstance(damage, list) and len(damage) > 1:
        damage[0] = kept[0]
    store.write_json(path, damage)
    assert told(root) == first


@pytest.mark.parametrize(
    ("colours", "more"),
    [
        ([RED] * 5 + [PAPER] * 4, ""),  # in order
        ([PAPER, ROSE] * 4, ""),  # hardly different
        ([RED, PAPER] * 4, "gap: 4\n"),
        ([RED, PAPER] * 4, "shape: round\nsize: 30 x 30\n".replace("size", "# size")),
        ([RED, PAPER], ""),  # one cut
    ],
    ids=["in order", "alike", "apart", "round", "few"],
)
def test_nothing_is_told_where_nothing_is_gained(
    make_game: MakeGame, colours: list[str], more: str
) -> None:
    assert told(make_game(game(colours, more))) == []


def test_cards_that_are_set_apart_on_the_command_line(make_game: MakeGame) -> None:
    root = make_game(game([RED, PAPER] * 4))
    assert told(root)
    assert told(root, options(gap=Size(4, 4))) == []


def sheets(sizes: Sequence[Size]) -> list[ImposedSheet]:
    def pair(number: int, size: Size) -> SheetPiece:
        face = FacePdf(f"k{number}", Path(f"{number}.pdf"), size.width + 6, size.height + 6, 3)
        return SheetPiece(face, None, PieceFormat(size, 3, PLAIN_FORM), "two", f"n{number}")

    pairs = [pair(number, size) for number, size in enumerate(sizes)]
    return arrange_pieces(pairs, SheetLayout("a4", A4), SlugText("Small", "", "en", ""))


def test_sides_of_turned_cards_are_those_that_lie_at_the_cut() -> None:
    """The top of a landscape card that lies turned points left."""
    upright, lying = Size(63.5, 88.9), Size(88.9, 63.5)
    found = sheets([upright, lying])
    plain: SideColours = (PAPER, PAPER, PAPER, PAPER)
    for side, cuts in ((0, 1), (1, 0), (2, 0), (3, 0)):
        marked = [PAPER] * 4
        marked[side] = RED
        sides: SideColours = (marked[0], marked[1], marked[2], marked[3])
        assert len(find_strong_cuts(found, {"n0": plain, "n1": sides})) == cuts, side


def test_what_is_kept_is_held_against_what_it_can_be() -> None:
    good = [RED, RED, PAPER, PAPER]
    assert neighbour_colours.SIDES_MEASURE.parse(good) == tuple(good)
    for bad in (None, 7, good[:3], [*good[:3], 7], [*good[:3], "red"], {"a": 1}):
        assert neighbour_colours.SIDES_MEASURE.parse(bad) is None


def test_faces_with_the_same_drawings_are_measured_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faces: Any = [
        SimpleNamespace(key=f"{n}", pictures=[SimpleNamespace(digest=f"drawing-{n % 4}")])
        for n in range(100)
    ]
    tasks: list[face_measurement.MeasureTask] = []

    def measure(_run: object, calls: Sequence[face_measurement.MeasureTask], **_: bool) -> Any:
        tasks.extend(calls)
        return [[face.key for face in call.faces] for call in calls]

    monkeypatch.setattr(face_measurement, "map_calls", measure)

    def get_face_pdf(face: Any) -> FacePdf:
        art = {"art": Path(face.pictures[0].digest)}
        return FacePdf(face.key, Path(face.key), 69, 94, 3, art)

    job: Any = SimpleNamespace(get_face_pdf=get_face_pdf, font_files=(), progress=lambda *_: None)
    found = face_measurement._measure_faces(job, neighbour_colours.SIDES_MEASURE, faces, FULL_INK)
    assert found == {face.key: face.key for face in faces}
    drawings = [{path for face in task.faces for path in face.art.values()} for task in tasks]
    assert [len(each) for each in drawings] == [1, 1, 1, 1]

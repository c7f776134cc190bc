"""Plans of a box, and drawings of folded nets: all is there, nothing lies on another thing."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.core.units import Size
from cardgen.sheets import box_plan
from cardgen.sheets.box_forms import Room, make_tray, make_tuck
from cardgen.sheets.box_plan import PLAN_PLAY_MM, PlanTexts, lay_flat, list_plan_guides, plan_box
from cardgen.sheets.folded_view import FoldedNet, draw_folded
from cardgen.sheets.sheet_guides import GuideLabel, GuidePath

sides = st.integers(10, 250).map(float)
items = st.lists(st.tuples(sides, sides, sides), min_size=1, max_size=14)
SVG = "{http://www.w3.org/2000/svg}"


@given(items)
def test_everything_lies_once_in_the_box_and_apart(measures: list[tuple[float, ...]]) -> None:
    given_items = [lay_flat(f"i{number}", each) for number, each in enumerate(measures)]
    plan = plan_box(given_items)
    placed = [item.name for layer in plan.layers for item, _ in layer.places]
    assert Counter(placed) == Counter(item.name for item in given_items)
    for layer in plan.layers:
        for item, box in layer.places:
            assert sorted((box.width, box.height)) == pytest.approx(
                sorted((item.width, item.height))
            )
            assert box.left >= PLAN_PLAY_MM - 1e-6
            assert box.bottom >= PLAN_PLAY_MM - 1e-6
            assert box.right <= plan.width - PLAN_PLAY_MM + 1e-6
            assert box.top <= plan.height - PLAN_PLAY_MM + 1e-6
            assert item.high <= layer.high
        for (_, one), (_, other) in combinations(layer.places, 2):
            across = max(one.left, other.left) - min(one.right, other.right)
            down = max(one.bottom, other.bottom) - min(one.top, other.top)
            assert max(across, down) >= PLAN_PLAY_MM - 1e-6
    assert 0 < plan.share <= 1


def test_hundreds_of_things_are_planned_with_few_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    fill = box_plan._fill_layers

    def count_trials(*what: Any) -> Any:
        tried.append(1)
        return fill(*what)

    monkeypatch.setattr(box_plan, "_fill_layers", count_trials)
    box_plan.plan_box([lay_flat(f"i{number}", (65, 91, 10 + number % 7)) for number in range(200)])
    assert 0 < len(tried) <= 18


def test_a_plan_is_drawn_within_the_paper() -> None:
    plan = plan_box([lay_flat(f"box {number}", (65, 91, 10 + number)) for number in range(12)])
    paper = Size(210, 297)
    guides = [*list_plan_guides(plan, paper, PlanTexts("All", "inside", "layer", "lowest", {}))]
    labels = {guide.text for guide in guides if isinstance(guide, GuideLabel)}
    assert {f"box {number}" for number in range(12)} <= labels
    points = [point for guide in guides if isinstance(guide, GuidePath) for point in guide.points]
    assert all(0 < x < paper.width and 0 < y < paper.height for x, y in points)


def test_a_closed_box_hides_its_inner_sides() -> None:
    net = make_tuck("box", Room(64.5, 89.9, 17.2))
    root = ET.fromstring(draw_folded([FoldedNet(net, "#123456", turns=(0, 180, 0))]))
    grounds = [p.get("fill") for p in root.iter(f"{SVG}polygon") if p.get("fill-opacity") is None]
    assert len(grounds) == len(net.panels)
    # What is drawn last hides the rest: the three sides that look at the reader.
    assert grounds[-3:] == ["#123456"] * 3
    left, top, width, height = (float(n) for n in root.get("viewBox", "").split())
    for polygon in root.iter(f"{SVG}polygon"):
        for point in polygon.get("points", "").split():
            x, y = map(float, point.split(","))
            assert left <= x <= left + width
            assert top <= y <= top + height


def test_an_open_tray_shows_its_inner_sides() -> None:
    net = make_tray("base", Room(80, 60, 20))
    root = ET.fromstring(draw_folded([FoldedNet(net, "#123456", turns=(90, 0, 0))]))
    grounds = {p.get("fill") for p in root.iter(f"{SVG}polygon")}
    assert "#efe9dd" in grounds
    flat = draw_folded([FoldedNet(net, "#123456", opened=dict.fromkeys(("up", "down"), 0.0))])
    assert flat != draw_folded([FoldedNet(net, "#123456")])

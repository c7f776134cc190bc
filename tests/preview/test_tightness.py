"""Orders of the wall: by how tightly texts fit, and by the last change."""

from __future__ import annotations

import time
from pathlib import Path

import chromium
import pytest
from chromium import Page
from previews import face, opened, previewing, shown
from small_games import edit

from cardgen.preview.messages import FaceName, GameLocation
from cardgen.preview.state import ChangeTimes
from cardgen.preview.workers import game_queries, render_worker

FULL = "Take a great lot of {coin} " * 14
BARN, SHOP = (FaceName("loot", card, "front", "en") for card in ("barn", "shop"))


def test_the_tightest_box_equals_the_inspected_one(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render_worker, "_sessions", {})
    place = GameLocation(root)
    for text, over in (("Take {coin}", False), (FULL, False), (FULL * 3, True)):
        edit(root, "cards/loot.yaml", "Take {coin}", text)
        seen = render_worker.update_game(place)
        assert seen is not None
        fits = render_worker.typeset_batch(place, tuple(seen.recipes), 100).fits
        picture = seen.pictures[BARN]
        (box,) = game_queries.inspect_face(place, picture)["boxes"]
        fit = fits[picture]
        assert fit.spare_pt == pytest.approx(box["size"] - box["smallest"], abs=0.01)
        past = max(box["excess_height"], box["excess_width"])
        assert (fit.excess_mm < 0) == over
        assert fit.excess_mm == pytest.approx(-past if over else 0, abs=0.01)
        assert fit.free_mm == pytest.approx(max(0, -box["excess_height"]), abs=0.01)
        assert seen.pictures[FaceName("notes", "one", "front", "en")] not in fits
        assert (fit < fits[seen.pictures[SHOP]]) == (text != "Take {coin}")
        edit(root, "cards/loot.yaml", text, "Take {coin}")


def test_times_are_those_of_changes_and_outlive_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    times = ChangeTimes()
    for name in ("barn", "shop"):
        times.record_picture(name, "p1")
    times.keep_only(["barn", "shop"])
    assert (times.get_time("barn"), times.get_time("nobody")) == (
        0,
        0,
    )  # as it was when it was first seen
    now[0] = 2000
    times.record_picture("barn", "p2")
    times.record_picture("shop", "")  # it cannot be drawn: nothing new is seen
    assert (times.get_time("barn"), times.get_time("shop")) == (2000, 0)
    again = ChangeTimes.read({name: list(each) for name, each in times.by_face.items()})
    now[0] = 3000
    for name, picture in (("barn", "p2"), ("shop", "p2"), ("new", "p1")):
        again.record_picture(name, picture)
    again.keep_only(["barn", "shop", "new"])
    assert [again.get_time(name) for name in ("barn", "shop", "new")] == [2000, 3000, 3000]
    again.keep_only(["shop"])
    assert list(again.by_face) == ["shop"]


@pytest.mark.parametrize("kept", [None, 7, [], {"barn": 1}, {"barn": ["p"]}, {"barn": [1, "p"]}])
def test_malformed_change_times_are_ignored(kept: object) -> None:
    assert ChangeTimes.read(kept).by_face == {}


@chromium.needs_browser
def test_the_wall_is_sorted_by_fit_and_by_what_changed_last(root: Path, window: Page) -> None:
    def sort(by: str) -> None:
        window.run(
            f"void (document.getElementById('sort').value = {by!r}, "
            "document.getElementById('sort').dispatchEvent(new Event('change')))"
        )

    window.size(1280, 900)
    with previewing(root) as first:
        opened(window, first)
        window.wait(face(str(SHOP)))
        shop = window.run(face(str(SHOP)))
        edit(root, "cards/loot.yaml", "Pay € 5.", FULL)
        window.wait(f"{face(str(SHOP))} !== {shop!r}")
        sort("fit")
        tile = "document.querySelector('[data-card=\"loot/shop\"]')"
        window.wait(f"/\\+[01]\\.\\d pt/.test({tile}.textContent)")
        assert shown(window)[:2] == ["loot/shop", "loot/barn"]
        edit(root, "cards/loot.yaml", FULL, FULL * 4)
        window.wait(f"{tile}.querySelector('.fit.over')?.textContent.endsWith('mm over')")
        sort("changed")
        window.wait("document.getElementById('pulse').textContent === ''")
        assert shown(window)[0] == "loot/shop"
        changed = root / "build/.store/preview/changed.json"
        window.wait("document.querySelectorAll('.fit').length === 0")
        until = time.monotonic() + chromium.SECONDS
        while not changed.exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        time.sleep(0.5)  # how it is looked at is kept by now
        first.end()
    window.go("about:blank")
    with previewing(root) as second:
        opened(window, second)
        assert window.run("document.getElementById('sort').value") == "changed"
        assert shown(window)[0] == "loot/shop"

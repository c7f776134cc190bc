"""A stranger's game in the preview stays within its limits and its folder."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest
from previews import previewing
from small_games import edit

from cardgen.preview.messages import GameLocation
from cardgen.preview.state import ChangeTimes
from cardgen.preview.workers import raster_worker, render_worker
from cardgen.runtime.content_store import Store
from cardgen.runtime.safe_files import PathBlockedError

HALF = "rules:\n  - {id: half, require: 'count(\"\\ud800\") > 1', because: it is none}\n"


def test_nothing_is_stored_behind_a_linked_build_folder(tmp_path: Path) -> None:
    game, elsewhere = tmp_path / "game", tmp_path / "elsewhere"
    game.mkdir()
    elsewhere.mkdir()
    (game / "build").symlink_to(elsewhere)
    store = Store(game / "build/.store")
    with pytest.raises(PathBlockedError):
        store.write_json(store.get_path("preview", "view.json"), {"zoom": 1})
    assert list(elsewhere.iterdir()) == []


def test_lone_surrogates_in_an_expression_reach_the_page(root: Path) -> None:
    (root / "cards/rules.yaml").write_text(HALF)
    edit(root, "templates/loot.html", "{{ card.name }}", '{{ card["\\ud800"] }}')
    with previewing(root) as preview:
        for _ in range(600):
            time.sleep(0.1)
            said = [problem["message"] for problem in preview.wall()["problems"]]
            if all(any(words in each for each in said) for words in ("no deck", "\\ud800")):
                break
        assert any("\\ud800" in each for each in said), said
        assert preview.ask("/TOKEN/rules")[0] == 200
        assert preview.process.poll() is None


def test_a_silent_connection_is_closed(root: Path) -> None:
    with previewing(root) as preview:
        host, port = preview.origin.removeprefix("http://").split(":")
        for line in (b"OPTIONS * HTTP/1.1", b"GET foo HTTP/1.1"):
            with socket.create_connection((host, int(port)), 10) as connection:
                connection.sendall(line + f"\r\nHost: {host}:{port}\r\n\r\n".encode())
                assert connection.recv(64).split()[1] in (b"403", b"400")
        body = json.dumps({"path": "\ud800", "line": 1})
        assert preview.ask("/TOKEN/open", "POST", body, origin=preview.origin)[0] in (200, 400)
        endless = '{"path": "game.yaml", "line": Infinity}'
        assert preview.ask("/TOKEN/open", "POST", endless, origin=preview.origin)[0] == 400


@pytest.mark.parametrize("kept", [["\ud800", 5], ["p" * 65, 5], ["p1", -1], ["p1", 1 << 60]])
def test_invalid_change_times_are_ignored(kept: list[object]) -> None:
    assert ChangeTimes.read({"loot/barn/front/en": kept}).by_face == {}


def test_the_stored_view_has_a_size_limit(tmp_path: Path) -> None:
    store = Store(tmp_path / "build/.store")
    path = store.get_path("preview", "view.json")
    store.write_json(path, ["x" * 1000])
    assert store.read_json(path, 2000) == ["x" * 1000]
    assert store.read_json(path, 900) is None


def test_the_number_of_pixels_is_limited(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_worker, "_sessions", {})
    monkeypatch.setattr(raster_worker, "MAX_PICTURE_PIXELS", 1400)
    place = GameLocation(root)
    seen = render_worker.update_game(place)
    assert seen is not None
    picture = next(iter(seen.recipes))
    render_worker.typeset_batch(place, (picture,), 1)
    data = raster_worker.draw_face(seen.recipes[picture], 6000)
    assert data is not None
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert 1000 < width * height < 1600

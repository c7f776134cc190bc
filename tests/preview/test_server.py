"""Previews that are interrupted, restarted or run side by side."""

from __future__ import annotations

import os
import re
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import chromium
import psutil
import pytest
from chromium import Page
from previews import BARN, face, opened, previewing
from small_games import edit, make

from cardgen.runtime import processes

pytestmark = chromium.needs_browser


def test_an_interrupt_ends_the_preview_at_once(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        children = psutil.Process(preview.process.pid).children(recursive=True)
        assert len(children) >= 3  # the server, the press and the pencil
        assert preview.end() < 5
        assert preview.process.returncode == 130
        _, alive = psutil.wait_procs(children, 5)
        assert alive == []
    window.wait("!document.getElementById('banner').hidden")
    assert "has ended" in window.run("document.getElementById('banner').textContent")
    assert list((root / "build/.store/scratch").iterdir()) == []


@pytest.mark.skipif(not processes.CAN_FORK, reason="workers are started anew")
def test_all_workers_are_forks_of_one_process(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        command = psutil.Process(preview.process.pid)
        workers = command.children(recursive=True)
        assert len(workers) >= 4  # server, what forks, renderer, rasteriser
        assert {tuple(each.cmdline()) for each in workers} == {tuple(command.cmdline())}


def test_an_endless_template_is_stopped_and_pictures_stay(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        barn = window.run(face(BARN))
        endless = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
        edit(root, "templates/loot.html", "{{ card.name }}", f"{{{{ card.name }}}}{endless}")
        badge = "[data-card='loot/barn'] .badge"
        window.wait(f'document.querySelector("{badge}")?.title.includes("was stopped")', 120)
        assert window.run(face(BARN)) == barn
        edit(root, "templates/loot.html", endless, "!")
        window.wait(f"{face(BARN)} !== {barn!r}", 60)
        window.wait(f'!document.querySelector("{badge}")')


def test_a_folder_that_is_renamed_and_comes_back(root: Path, window: Page) -> None:
    with previewing(root) as preview:
        opened(window, preview)
        away = root.rename(root.with_name("elsewhere"))
        window.wait("document.getElementById('banner').textContent.includes('folder is gone')")
        away.rename(root)
        window.wait("document.getElementById('banner').hidden")
        barn = window.run(face(BARN))
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        window.wait(f"{face(BARN)} !== {barn!r}")


def test_two_previews_and_a_build_beside_each_other(
    root: Path, window: Page, one_process: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = window
    monkeypatch.setenv("CARDGEN_CONFIG", str(root.with_name("settings")))  # all of one user
    with previewing(root) as first, previewing(root) as second:
        opened(page, first)
        barn = page.run(face(BARN))
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        page.wait(f"{face(BARN)} !== {barn!r}")
        assert make(root).typeset_count == 0
        opened(page, second)
        assert page.run(face(BARN)) != barn


def test_a_page_that_was_left_open_goes_on_with_the_next_preview(root: Path, window: Page) -> None:
    with previewing(root) as first:
        opened(window, first)
        barn = window.run(face(BARN))
        window.run("void (document.querySelector('.tile').marked = true)")
        first.process.kill()
        window.wait("document.getElementById('banner').textContent.includes('has ended')")
        first.process.wait()
    edit(root, "cards/loot.yaml", "Barn", "Old barn")
    with previewing(root) as second:
        assert second.address != first.address
        assert second.origin == first.origin
        assert second.ask(urlsplit(first.address).path)[0] == 403
        window.wait("document.getElementById('banner').hidden")
        window.wait(f"{face(BARN)} !== {barn!r}")
        assert window.run("document.querySelector('.tile').marked")  # it was not loaded anew
        assert window.run("location.href") == second.address


def test_the_command_line_of_a_browser_tells_no_token_and_nobody_follows_who_read_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, noted = tmp_path / "browser", tmp_path / "noted"
    for place in (script, root / "opener"):
        place.write_text(f'#!/bin/sh\necho "$1" > {noted}\n')
        place.chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}{os.pathsep}{os.environ['PATH']}")
    with previewing(root, browser="opener %s") as preview:
        assert preview.ask("/TOKEN/")[0] == 200
        assert not noted.exists(), "no program of a game is started"
    with previewing(root, browser=f"{script} %s") as preview:
        assert preview.ask("/TOKEN/")[0] == 200  # the browser has been started by then
        launch = urlsplit(noted.read_text().strip())
        assert f"http://{launch.netloc}" == preview.origin
        assert urlsplit(preview.address).path not in launch.path
        first = preview.listen()["next"]
        assert [preview.ask(launch.path)[0] for _ in range(2)] == [303, 403]
        preview.end()
    with previewing(root) as preview:
        assert preview.ask(f"/{first}/")[0] == 403
        following = preview.listen()["next"]
        preview.end()
    with previewing(root) as preview:
        assert preview.ask(f"/{following}/")[0] == 200


def test_a_restarted_preview_without_a_game_removes_nothing(root: Path, window: Page) -> None:
    with previewing(root) as first:
        opened(window, first)
        barn = window.run(face(BARN))
        first.end()
    edit(root, "game.yaml", "languages: [fi, en]", "languages: [fi, en")
    with previewing(root):
        window.wait("document.getElementById('banner').textContent.includes('game.yaml')")
        assert window.run(face(BARN)) == barn
        edit(root, "game.yaml", "languages: [fi, en", "languages: [fi, en]")
        window.wait("document.getElementById('banner').hidden")
        assert window.run(face(BARN)) == barn


# As on a machine whose address in the room is this one, which every Linux has.
_IN_A_ROOM = """
from cardgen.preview import auth
auth.in_the_room = lambda: "127.0.0.2"
from cardgen.cli import main
main()
"""


def test_guests_in_the_local_network_can_look_when_allowed(root: Path, window: Page) -> None:
    with previewing(root, "--lan", start=_IN_A_ROOM) as preview:
        assert preview.process.stdout is not None
        found = re.search(r"http\S+", preview.process.stdout.readline())
        assert found is not None
        guests, here = urlsplit(found[0]), urlsplit(preview.address)
        assert guests.port == here.port
        assert guests.path != here.path

        def ask(to: str, path: str, method: str = "GET", **headers: str) -> int:
            connection = HTTPConnection(to, timeout=20)
            connection.request(method, path, "{}" if method != "GET" else None, headers)
            return connection.getresponse().status

        assert ask(guests.netloc, guests.path) == 200
        assert ask(guests.netloc, here.path) == 403
        assert ask(guests.netloc, here.path, Host=here.netloc) == 200  # who knows both is here
        assert ask(guests.netloc, guests.path, Host=here.netloc) == 403
        assert ask(here.netloc, guests.path) == 403
        origin = f"http://{guests.netloc}"
        assert ask(guests.netloc, f"{guests.path}open", "POST", Origin=origin) == 403
        assert ask(guests.netloc, f"{guests.path}view", "PUT", Origin=origin) == 403
        preview.address = found[0]
        opened(window, preview)
        window.key("+")
        window.run("void document.querySelector('[data-card=\"loot/barn\"]').click()")
        window.wait("document.querySelector('#card .face img')")
        window.run("void document.querySelector('.about .source').click()")
        window.wait(
            "document.getElementById('said').textContent.includes('the machine that shows')"
        )
        window.go("about:blank")
        opened(window, preview)
        assert window.run("document.getElementById('card').open")  # a way of its own to look


def test_the_local_network_is_not_served_by_default(root: Path) -> None:
    with previewing(root, start=_IN_A_ROOM) as preview:
        port = urlsplit(preview.address).port
        with pytest.raises(ConnectionRefusedError):
            HTTPConnection("127.0.0.2", port, timeout=5).request("GET", "/")

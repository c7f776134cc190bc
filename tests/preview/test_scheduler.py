"""The scheduler: the order of the work, and pictures that a newer save makes obsolete."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from schedulers import InlineQueue, finish_work
from small_games import edit

from cardgen.preview import scheduler, worker_queue
from cardgen.preview.messages import FaceName, GameLocation
from cardgen.preview.scheduler import PictureGoneError, PreviewScheduler
from cardgen.preview.workers import render_worker
from cardgen.runtime.worker_pool import ResidentWorker

BARN = FaceName("loot", "barn", "front", "en")


def run_scheduler(
    root: Path, act: Callable[[PreviewScheduler, InlineQueue], Awaitable[None]]
) -> None:
    """Act with a scheduler whose workers are this process."""

    async def acted() -> None:
        running, here = PreviewScheduler(GameLocation(root), ResidentWorker()), InlineQueue()
        running.renderer = running.rasteriser = running.book_worker = here
        await act(running, here)

    asyncio.run(acted())


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_worker, "_sessions", {})
    monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 0.3)


def test_a_save_is_rendered_once_and_then_there_is_nothing_to_do(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        assert here.names[:4] == [
            "render_first_deck",
            "typeset_batch",
            "update_game",
            "typeset_batch",
        ]
        assert here.names[-3:] == ["measure_contrasts", "check_game", "clean_up"]
        assert not await running._run_step()
        here.asked.clear()
        running.notify_save()  # of a file that no game has
        await finish_work(running)
        assert here.names == ["quick_update", "update_game"]

    run_scheduler(root, act)


def test_a_save_that_is_reported_twice_is_checked_all_the_same(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        running.notify_save()
        here.asked.clear()
        while "update_game" not in here.names:
            await running._run_step()
        here.asked.clear()
        running.notify_save()  # when the game as it is now was read already
        await finish_work(running)
        assert here.names == [
            "quick_update",
            "update_game",
            "measure_contrasts",
            "check_game",
            "clean_up",
        ]

    run_scheduler(root, act)


def test_an_edited_card_is_typeset_before_the_game_is_rendered(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        running.notify_save()
        await finish_work(running)
        assert here.names == [
            "quick_update",
            "typeset_batch",
            "update_game",
            "measure_contrasts",
            "check_game",
            "clean_up",
        ]
        assert len(here.asked[1][1][1]) == 1

    run_scheduler(root, act)


def test_a_renamed_card_that_looks_the_same_is_not_typeset(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "id: barn", "id: byre")
        running.notify_save()
        await finish_work(running)
        assert "typeset_batch" not in here.names
        renamed = str(BARN).replace("barn", "byre")
        assert running.last_sent["faces"][renamed]["state"] == "good"

    run_scheduler(root, act)


def test_a_picture_that_a_page_waits_for_is_typeset_first(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        await running._run_step()
        await running._run_step()
        last = running.state.list_pending(())[-1]
        waiting = asyncio.ensure_future(running.get_picture(last, 60))
        await asyncio.sleep(0)
        await running._run_step()
        name, (_, pictures, few) = here.asked[-1]
        assert (name, pictures[0], few) == ("typeset_batch", last, 4)
        assert (await waiting).startswith(b"\x89PNG")

    run_scheduler(root, act)


def test_a_picture_made_obsolete_by_a_newer_save_is_never_typeset(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        running.notify_save()
        await running._run_step()
        await running._run_step()
        old = running.state.faces[BARN].picture
        waiting = asyncio.ensure_future(running.get_picture(old, 60))
        await asyncio.sleep(0)
        edit(root, "templates/card.css", "#223344", "#443322")
        running.notify_save()
        await finish_work(running)
        with pytest.raises(PictureGoneError):
            await waiting
        with pytest.raises(PictureGoneError):
            await running.get_picture(old, 60)
        faces = root / "build/.store/faces"
        keys = {recipe.face.key for recipe in running.state.recipes.values()}
        assert {path.stem for path in faces.glob("*.pdf")} >= keys
        assert old not in {running.state.faces[name].picture for name in running.state.faces}

    run_scheduler(root, act)


def test_an_update_that_exceeds_a_limit_is_reported_and_pictures_stay(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        before = running.last_sent["faces"]
        edit(root, "templates/card.css", "#f1e6cf", "#223344")
        running.notify_save()
        await running._run_step()
        here.stopped.add("update_game")
        await finish_work(running)
        assert "was stopped" in running.last_sent["problems"][0]["message"]
        assert [face["picture"] for face in running.last_sent["faces"].values()] == [
            face["picture"] for face in before.values()
        ]

    run_scheduler(root, act)


def test_a_page_that_reads_no_events_gets_the_whole_state_at_last(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        with running.subscribe() as queue:
            assert queue.empty()  # what a page shows already stays until there is something
            await finish_work(running)
            assert len(queue.get_nowait()["wall"]["faces"]) == 12
            with running.subscribe() as another:
                assert len(another.get_nowait()["wall"]["faces"]) == 12
            for number in range(200):
                running.state.update = replace(
                    running.state.update, title={"en": f"Title {number}"}
                )
                running._publish_changes()
            assert queue.qsize() <= 60
            told = [queue.get_nowait() for _ in range(queue.qsize())]
            assert told[0]["wall"]["title"]["en"] != told[-1]["change"]["title"]["en"]
            running.notify_folder(True)
            assert queue.get_nowait() == {"away": True}
            running.notify_folder(True)
            assert queue.empty()

    run_scheduler(root, act)


class AwayQueue(InlineQueue):
    """A worker during one call of which the game's folder is away."""

    def __init__(self, root: Path, number: int) -> None:
        super().__init__()
        self.root, self.number = root, number

    async def _run_call(self, call: Callable[[], Any]) -> Any:
        if len(self.asked) != self.number:
            return await super()._run_call(call)
        away = self.root.rename(self.root.with_name("elsewhere"))
        try:
            return await super()._run_call(call)
        finally:
            away.rename(self.root)


def test_a_folder_that_is_away_during_any_call_leaves_no_trace(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_queue, "GONE_SECONDS", 0)
    monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 0)

    def show(number: int) -> tuple[list[str], dict[str, Any]]:
        here = AwayQueue(root, number)

        async def act(running: PreviewScheduler, _: InlineQueue) -> None:
            running.renderer = running.rasteriser = running.book_worker = here
            await finish_work(running)
            state.update(running.state.to_json())

        state: dict[str, Any] = {}
        monkeypatch.setattr(render_worker, "_sessions", {})
        run_scheduler(root, act)
        shutil.rmtree(root / "build")
        for each in state["faces"].values():
            each["changed"] = each["changed"] > 0
        return here.names, state

    names, state = show(-1)
    for number, name in enumerate(names):
        is_repeated = name != "clean_up"  # it reads no file of the game
        expected = [*names[:number], *([name] if is_repeated else []), *names[number:]]
        assert show(number) == (expected, state)


def test_visible_faces_are_typeset_before_the_game_is_rendered(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        shop = str(BARN).replace("barn", "shop")
        running.visible_faces = (shop, str(BARN))
        here.asked.clear()
        edit(root, "templates/card.css", "#f1e6cf", "#112233")
        running.notify_save()
        await running._run_step()
        assert here.names[:2] == ["quick_update", "typeset_batch"]
        assert "update_game" not in here.names
        pictures = {str(name): face.picture for name, face in running.state.faces.items()}
        assert here.asked[1][1][1][:2] == (pictures[shop], pictures[str(BARN)])
        assert {pictures[shop], pictures[str(BARN)]} <= running.state.ready
        await running._run_step()
        assert here.names[-1] == "update_game"

    run_scheduler(root, act)


def test_rulebooks_are_checked_once_nobody_saves(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "rulebook").mkdir()

    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        here.asked.clear()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 3600.0)
        running.notify_save()
        while "check_game" not in here.names:
            await running._run_step()
        await running._run_step()
        assert "check_books" not in here.names
        running._books_due_at = 0.0  # the hour is over
        await finish_work(running)
        assert here.names[-2:] == ["clean_up", "check_books"]

    run_scheduler(root, act)


def test_a_save_is_shown_while_rulebooks_are_checked(root: Path) -> None:
    class SlowQueue(InlineQueue):
        async def _run_call(self, call: Callable[[], Any]) -> Any:
            problems = await super()._run_call(call)
            is_found.set()
            await is_saved.wait()
            return problems

    is_found, is_saved = asyncio.Event(), asyncio.Event()
    (root / "rulebook").mkdir()
    (root / "rulebook/en.md").write_text("# Rules\n\n{{ nothing }}\n", encoding="utf-8")

    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        running.book_worker = there = SlowQueue()
        running._books_due_at = 0.0
        while running.book_check is None:
            await running._run_step()
        obsolete = running.book_check
        await is_found.wait()
        edit(root, "cards/loot.yaml", "Barn", "Old barn")
        running.notify_save()
        here.asked.clear()
        while "clean_up" not in here.names and "check_game" not in here.names:
            await running._run_step()
        assert here.names[:3] == ["quick_update", "typeset_batch", "update_game"]
        assert there.names == ["check_books"]
        is_saved.set()
        await obsolete
        assert running.state.book_problems == ()  # what was found was of the save before
        await finish_work(running)
        assert there.names == ["check_books", "check_books"]
        assert running.state.book_problems

    run_scheduler(root, act)


def test_a_save_ends_a_call_that_takes_far_longer_than_any_before(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_queue, "STUCK_SECONDS", 0.1)

    async def act() -> None:
        running = PreviewScheduler(GameLocation(root), ResidentWorker())
        try:
            ended: list[str] = []
            waiting = asyncio.ensure_future(
                running.renderer.call_in_turn(lambda e: ended.append(str(e)), time.sleep, 60)
            )
            await asyncio.sleep(0.3)
            running.notify_save()
            await asyncio.wait_for(waiting, 30)
            assert ended == ["the work was ended"]
            assert await running.renderer.call_in_turn(None, abs, -2) == 2
        finally:
            running.close()

    asyncio.run(act())


def test_a_save_ends_a_call_that_is_stuck_only_later(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template that never ends is mended before it has taken long."""
    monkeypatch.setattr(worker_queue, "STUCK_SECONDS", 0.5)

    async def act() -> None:
        running = PreviewScheduler(GameLocation(root), ResidentWorker())
        try:
            waiting = asyncio.ensure_future(running.renderer.call_in_turn(str, time.sleep, 600))
            while not running.renderer.is_busy:
                await asyncio.sleep(0)
            running.notify_save()
            assert await asyncio.wait_for(waiting, 30) == "the work was ended"
            # One that needs its time gets more of it, however often something is saved.
            assert running.renderer._longest_seconds * 3 > 0.5
            assert await running.renderer.call_in_turn(None, abs, -2) == 2
        finally:
            running.close()

    asyncio.run(act())


def test_a_mended_rulebook_is_checked_at_once_and_said_to_be(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "rulebook").mkdir()
    for name, text in (("en", "{{ nothing }}"), ("fi", "Ei mitään.")):
        (root / f"rulebook/{name}.md").write_text(f"# Rules\n\n{text}\n", encoding="utf-8")

    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        await finish_work(running)
        assert running.last_sent["problems"]
        assert running.last_sent["books"]
        monkeypatch.setattr(scheduler, "BOOK_DELAY_SECONDS", 3600.0)
        edit(root, "rulebook/en.md", "{{ nothing }}", "Nothing.")
        running.notify_save()
        here.asked.clear()
        while "check_game" not in here.names:
            await running._run_step()
        # The problem is still listed, so the page has to say that it may be gone.
        assert running.last_sent["problems"]
        assert not running.last_sent["books"]
        await finish_work(running)
        assert not running.last_sent["problems"]
        assert running.last_sent["books"]

    run_scheduler(root, act)


def test_a_game_without_a_rulebook_waits_for_no_check_of_it(root: Path) -> None:
    async def act(running: PreviewScheduler, here: InlineQueue) -> None:
        while "check_game" not in here.names:
            await running._run_step()
        assert running.last_sent["books"]
        await finish_work(running)
        assert "check_books" not in here.names

    run_scheduler(root, act)


def test_a_page_hears_that_a_save_is_checked_until_nothing_is_left_to_do(root: Path) -> None:
    async def act(running: PreviewScheduler, _: InlineQueue) -> None:
        await finish_work(running)
        with running.subscribe() as queue:
            assert queue.get_nowait()["wall"]["checked"]
            running.notify_save()  # of a file that no game has
            assert queue.get_nowait() == {"saved": True, "change": {"checked": False}}
            await finish_work(running)
            assert queue.get_nowait() == {"change": {"checked": True}}
            assert queue.empty()

    run_scheduler(root, act)


def test_the_server_loads_nothing_that_typesets_or_draws() -> None:
    code = "import sys, cardgen.preview.server; print(*sys.modules)"
    command = [sys.executable, "-P", "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "starlette" in loaded
    assert not {"weasyprint", "fontTools.ttLib", "pikepdf", "pypdfium2", "typst"} & set(loaded)
